//! Part of the articulated-body solver.

use crate::body::{Motion, Wrench};
use crate::joint::Relative;
use crate::math::{Six, Vec3};
use crate::model::Model;
use crate::step::articulated::loop_joint::rows_of_wrench;
use crate::step::articulated::system::ArticulatedSystem;
use crate::step::articulated::tree_joint::TreeJoint;
use crate::step::workspace::Workspace;
use cardan_solve::articulated::Form;

/// λ of all rows from the loads of the last solve; `relatives` must be those of the same instant.
pub(crate) fn write_multipliers(model: &Model, work: &mut Workspace) {
    let Workspace { articulated, motions, relatives, lambda, .. } = work;
    let Some(articulated) = articulated else { return };
    multipliers(model, articulated, motions, |j| relatives[j], lambda);
}

/// The same into `lambda`; of a joint `relative` has one end beside the other.
pub(crate) fn multipliers(
    model: &Model,
    ArticulatedSystem { spatial, body_nodes, loop_joints, .. }: &ArticulatedSystem,
    motions: &[Motion],
    relative: impl Fn(usize) -> Relative,
    lambda: &mut [f64],
) {
    for (at, body_node) in body_nodes.iter().enumerate() {
        let Some(tree_joint) = &body_node.tree_joint else { continue };
        let entry = &model.joints[tree_joint.index as usize];
        let out = &mut lambda[entry.row_range()];
        let (limb, more) = (&spatial.nodes()[at], spatial.extra(at));
        if let Form::Rows(m) = limb.form() {
            let answers = [limb.first_answer, more.answers[0], more.answers[1]];
            out.copy_from_slice(&answers[..m as usize]);
            continue;
        }
        let wrench = wrench_on_b(tree_joint, motions, &spatial.loads()[at]);
        rows_of_wrench(model, tree_joint.index as usize, &relative(tree_joint.index as usize), wrench, out);
    }
    for (loop_joint, closure) in loop_joints.iter().zip(spatial.closures()) {
        let entry = &model.joints[loop_joint.index()];
        let out = &mut lambda[entry.row_range()];
        loop_joint.multipliers(model, &relative(loop_joint.index()), &closure.answers, out);
    }
}

/// What a joint exerts on b at b's anchor, world axes, from the load on its child.
fn wrench_on_b(tree_joint: &TreeJoint, motions: &[Motion], load: &Six) -> Wrench {
    let arm = tree_joint.child_arm(motions);
    let at_anchor = Wrench { force: load.lin, torque: load.ang - arm.cross(load.lin) };
    if tree_joint.onto_b() { at_anchor } else { -at_anchor }
}

/// Force and moment about the world's origin that the ground exerts in the last solve.
pub(crate) fn ground_load(model: &Model, work: &Workspace) -> (Vec3, Vec3) {
    let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
    let Some(articulated) = &work.articulated else { return (force, moment) };
    let ArticulatedSystem { spatial, body_nodes, on_ground, .. } = articulated;
    let mut add_load = |load: &Six, body: usize| {
        force += load.lin;
        moment += work.motions[body].pos.cross(load.lin) + load.ang;
    };
    for &at in on_ground {
        add_load(&spatial.loads()[at as usize], body_nodes[at as usize].body as usize);
    }
    articulated.add_ground_loop_loads(model.bodies.len(), add_load);
    (force, moment)
}

/// Work that drives do in the last solve, or with impulses in the place of forces: Σ λ ṡ.
pub(crate) fn drive_work(model: &Model, work: &Workspace) -> f64 {
    let (mut sum, motions) = (0.0, &work.motions);
    let Some(ArticulatedSystem { spatial, body_nodes, loop_joints, .. }) = &work.articulated else {
        return sum;
    };
    if model.drives.is_empty() {
        return sum;
    }
    let mut add_load = |tree_joint: &TreeJoint, wrench: Wrench, answers: &[f64]| {
        let Some(drives) = &tree_joint.drives else { return };
        if tree_joint.is_lower_pair() {
            let at = tree_joint.relative_at(model, motions);
            for (driven_row, target) in drives.rows_in_world(&at).zip(drives.targets()) {
                let force =
                    driven_row.column.force.dot(wrench.force) + driven_row.column.torque.dot(wrench.torque);
                sum += force * target.rate;
            }
        } else {
            let first = model.joints[tree_joint.index as usize].structural_rows();
            sum +=
                answers[first..].iter().zip(drives.targets()).map(|(l, target)| l * target.rate).sum::<f64>();
        }
    };
    for (at, body_node) in body_nodes.iter().enumerate() {
        let Some(tree_joint) = body_node.tree_joint.as_ref().filter(|tree_joint| tree_joint.drives.is_some())
        else {
            continue;
        };
        let (limb, more) = (&spatial.nodes()[at], spatial.extra(at));
        let answers = [limb.first_answer, more.answers[0], more.answers[1]];
        add_load(tree_joint, wrench_on_b(tree_joint, motions, &spatial.loads()[at]), &answers);
    }
    for (loop_joint, closure) in loop_joints.iter().zip(spatial.closures()) {
        if loop_joint.joint.drives.is_some() {
            add_load(&loop_joint.joint, loop_joint.wrench(&closure.answers), &closure.answers);
        }
    }
    sum
}

/// Weight and its moment about the world's origin, as the bodies feel them.
pub(crate) fn weight(model: &Model, motions: &[Motion]) -> (Vec3, Vec3) {
    // Σ m and Σ m x, of bodies in space and of those in the plane, who feel nothing across it.
    let mut sums = [(0.0, Vec3::ZERO); 2];
    for (body, at) in model.bodies.iter().zip(motions) {
        let (mass, moment) = &mut sums[usize::from(body.kind.is_planar())];
        *mass += body.mass.mass;
        *moment += at.pos * body.mass.mass;
    }
    let [(mass, moment), (mass_in_plane, moment_in_plane)] = sums;
    let gravity = model.gravity;
    let along = Vec3::new(gravity.x, gravity.y, 0.0);
    (gravity * mass + along * mass_in_plane, moment.cross(gravity) + moment_in_plane.cross(along))
}
