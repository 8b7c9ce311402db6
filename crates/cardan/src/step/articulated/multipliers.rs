//! Multipliers, ground reaction, drive work and weight from the last solve.

use crate::body::{Motion, Wrench};
use crate::joint::Relative;
use crate::math::{Six, Vec3};
use crate::model::Model;
use crate::step::articulated::loop_joint::rows_of_wrench;
use crate::step::articulated::system::ArticulatedSystem;
use crate::step::articulated::tree_joint::TreeJoint;
use crate::step::workspace::Workspace;
use crate::step::workspace::{Equations, Kinematics, Solvers};
use cardan_solve::articulated::Form;

/// Multipliers λ of all rows from the loads of the last solve. `work.kinematics.relatives` must be those of
/// the same instant.
pub(crate) fn write_multipliers(model: &Model, work: &mut Workspace) {
    let Workspace {
        solvers: Solvers { articulated, .. },
        kinematics: Kinematics { motions, relatives, .. },
        equations: Equations { lambda, .. },
        ..
    } = work;
    let Some(articulated) = articulated else { return };
    multipliers(model, articulated, motions, |j| relatives[j], lambda);
}

/// Multipliers λ of all rows into `lambda`. `relative(j)` is the relative motion at joint j.
pub(crate) fn multipliers(
    model: &Model,
    articulated: &ArticulatedSystem,
    motions: &[Motion],
    relative: impl Fn(usize) -> Relative,
    lambda: &mut [f64],
) {
    let ArticulatedSystem { forest, body_nodes, loop_joints, .. } = articulated;
    for (at, body_node) in body_nodes.iter().enumerate() {
        let Some(tree_joint) = &body_node.tree_joint else { continue };
        let entry = &model.joints[tree_joint.index as usize];
        let out = &mut lambda[entry.row_range()];
        let (node, node_extra) = (&forest.nodes()[at], forest.extra(at));
        if let Form::Rows(m) = node.form() {
            let answers = [node.first_answer, node_extra.answers[0], node_extra.answers[1]];
            out.copy_from_slice(&answers[..m as usize]);
            continue;
        }
        let wrench = wrench_on_b(tree_joint, motions, &forest.loads()[at]);
        rows_of_wrench(model, tree_joint.index as usize, &relative(tree_joint.index as usize), wrench, out);
    }
    for (loop_joint, closure) in loop_joints.iter().zip(forest.closures()) {
        let entry = &model.joints[loop_joint.index()];
        let out = &mut lambda[entry.row_range()];
        loop_joint.multipliers(model, &relative(loop_joint.index()), &closure.answers, out);
    }
    for (rows, closure) in articulated.couplings() {
        let at = rows.row_at(model, 0);
        lambda[at..at + rows.count].copy_from_slice(&closure.answers[..rows.count]);
    }
}

/// Wrench of a joint on b at b's anchor in world axes, from the load on its child.
fn wrench_on_b(tree_joint: &TreeJoint, motions: &[Motion], load: &Six) -> Wrench {
    let arm = tree_joint.child_arm(motions);
    let at_anchor = Wrench { force: load.lin, torque: load.ang - arm.cross(load.lin) };
    if tree_joint.onto_b() { at_anchor } else { -at_anchor }
}

/// Force of the ground in the last solve, and its moment about the world's origin [N, N·m].
pub(crate) fn ground_load(model: &Model, work: &Workspace) -> (Vec3, Vec3) {
    let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
    let Some(articulated) = &work.solvers.articulated else { return (force, moment) };
    let ArticulatedSystem { forest, body_nodes, on_ground, .. } = articulated;
    let mut add_load = |load: &Six, body: usize| {
        force += load.lin;
        moment += work.kinematics.motions[body].pos.cross(load.lin) + load.ang;
    };
    for &at in on_ground {
        add_load(&forest.loads()[at as usize], body_nodes[at as usize].body as usize);
    }
    articulated.add_ground_loop_loads(model.bodies.len(), add_load);
    (force, moment)
}

/// Power of the drives, Σ λ ṡ, and of constraints that move with time, −Σ λ ∂C/∂t, in the last solve (W); work (J) if the solve was
/// for impulses.
pub(crate) fn drive_work(model: &Model, work: &Workspace) -> f64 {
    let (mut sum, motions) = (0.0, &work.kinematics.motions);
    let Some(articulated) = &work.solvers.articulated else { return sum };
    let ArticulatedSystem { forest, body_nodes, loop_joints, .. } = articulated;
    for (rows, closure) in articulated.couplings() {
        for (lambda, time_rate) in closure.answers.iter().zip(&rows.errors.time_rate).take(rows.count) {
            sum -= lambda * time_rate;
        }
    }
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
        let (node, node_extra) = (&forest.nodes()[at], forest.extra(at));
        let answers = [node.first_answer, node_extra.answers[0], node_extra.answers[1]];
        add_load(tree_joint, wrench_on_b(tree_joint, motions, &forest.loads()[at]), &answers);
    }
    for (loop_joint, closure) in loop_joints.iter().zip(forest.closures()) {
        if loop_joint.joint.drives.is_some() {
            add_load(&loop_joint.joint, loop_joint.wrench(&closure.answers), &closure.answers);
        }
    }
    sum
}

/// Total weight and its moment about the world's origin, restricted to the plane for planar bodies
/// [N, N·m].
pub(crate) fn weight(model: &Model, motions: &[Motion]) -> (Vec3, Vec3) {
    // Σ m and Σ m x, of spatial bodies and of planar ones, which have no force across their plane.
    let mut sums = [(0.0, Vec3::ZERO); 2];
    let mut bodies = model.bodies.iter().zip(motions);
    for &(kind, count) in &model.runs {
        let sum = &mut sums[usize::from(kind.is_planar())];
        let (mut mass, mut moment) = *sum;
        for (body, at) in bodies.by_ref().take(count) {
            mass += body.mass.mass;
            moment += at.pos * body.mass.mass;
        }
        *sum = (mass, moment);
    }
    let [(mass, moment), (mass_in_plane, moment_in_plane)] = sums;
    let gravity = model.gravity;
    let along = Vec3::new(gravity.x, gravity.y, 0.0);
    (gravity * mass + along * mass_in_plane, moment.cross(gravity) + moment_in_plane.cross(along))
}
