//! Limbs: the fast way for trees of rigid bodies. Each joint is given by what it leaves free instead of by its rows.
//!
//! With σ = 1 where b is the child and −1 where a is, everything is taken at b's anchor p_b, since the rows on a are
//! those on b carried over (see `joint/`). The child's arm there is r = p_b − x_c, the relative motion seen from a is
//! (y, w), and its accelerations at rest of all bodies are b_y, b_w (world axes):
//!
//! ```text
//! x_c = X x_p + γ + N s
//! γ_ω = −σ (b_w − u)          u: what the joint's own curvature adds where it is not closed
//! γ_v = −σ (locked part of b_y) − γ_ω × r
//! N   = σ (r × z, z) for a turn about z,   σ (e, 0) for a shift along e
//! ```
//!
//! A joint that leaves more than three freedoms is given by its rows; there are at most two.

use super::{Fault, Settings, Stabilization, Stage, StepError, Workspace};
use crate::body::{BodyKind, Motion, Wrench};
use crate::joint::{JointKind, JointRows, Relative};
use crate::math::{Six, Sym3, Sym6, Vec3, larger};
use crate::model::{Attachment, Model};
use cardan_solve::spatial::{Form, Limb, More, Spatial};
use cardan_solve::{Counted, Lane, Operations, System};

/// One body and the joint to its parent, in elimination order.
#[derive(Clone, Debug)]
struct Plan {
    body: usize,
    joint: Option<JointPlan>,
}

#[derive(Clone, Debug)]
struct JointPlan {
    index: usize,
    kind: JointKind,
    a: Attachment,
    b: Attachment,
    /// b is the child.
    onto_b: bool,
    /// z axes of the joint frames in their bodies.
    z_in_a: Vec3,
    z_in_b: Vec3,
}

/// The fast way, prepared for one model.
#[derive(Clone, Debug)]
pub(crate) struct Limbs {
    spatial: Spatial,
    plans: Vec<Plan>,
    scratch: Vec<(Six, f64, f64)>,
    /// A mistake to plant, for tests of the tests.
    fault: Fault,
}

/// How a joint between rigid bodies is eliminated: the smaller of its two forms.
fn form_of(kind: JointKind) -> Form {
    match kind {
        JointKind::Fixed => Form::Freedoms(0),
        JointKind::Revolute | JointKind::Prismatic => Form::Freedoms(1),
        JointKind::Cylindrical | JointKind::Universal => Form::Freedoms(2),
        JointKind::Spherical | JointKind::Planar => Form::Freedoms(3),
        JointKind::PointOnPlane | JointKind::Distance { .. } => Form::Rows(1),
        JointKind::PointOnLine | JointKind::Aligned | JointKind::BeadOnCircle { .. } => Form::Rows(2),
    }
}

impl Limbs {
    /// Prepares the fast way, if the model and the settings allow it: rigid bodies in a tree, no user constraints, no
    /// feedback in the right side.
    pub(super) fn new(model: &Model, settings: &Settings) -> Option<Self> {
        let feedback = matches!(settings.stabilization, Stabilization::Baumgarte { .. });
        let rigid = model.bodies.iter().all(|b| b.kind == BodyKind::Rigid);
        if feedback || !rigid || !model.constraints.is_empty() || model.bodies.is_empty() {
            return None;
        }
        let forms: Vec<Option<Form>> = model.joints.iter().map(|j| Some(form_of(j.kind))).collect();
        let spatial = Spatial::new(&model.graph, &model.forest, &forms)?;
        let plan = |at: usize| {
            let (block, link) = spatial.at(at);
            let body = block.0 as usize;
            let joint = link.map(|link| {
                let index = link.0 as usize;
                let joint = &model.joints[index];
                JointPlan {
                    index,
                    kind: joint.kind,
                    a: joint.a,
                    b: joint.b,
                    onto_b: joint.b.body == Some(body),
                    z_in_a: joint.a.local.rot * Vec3::Z,
                    z_in_b: joint.b.local.rot * Vec3::Z,
                }
            });
            Plan { body, joint }
        };
        let plans: Vec<Plan> = (0..spatial.len()).map(plan).collect();
        let scratch = vec![(Six::ZERO, 0.0, 0.0); plans.len()];
        Some(Limbs { spatial, plans, scratch, fault: settings.fault })
    }

    /// Joint, child and load at the child's centre of mass of the last solve, in elimination order.
    pub(crate) fn loads(&self) -> impl Iterator<Item = (usize, usize, Six)> + '_ {
        let placed = self.plans.iter().zip(self.spatial.limbs());
        placed.filter_map(|(plan, limb)| Some((plan.joint.as_ref()?.index, plan.body, limb.load)))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.spatial.bytes()
            + self.plans.capacity() * size_of::<Plan>()
            + self.scratch.capacity() * size_of::<(Six, f64, f64)>()
    }
}

#[inline(always)]
fn motion<'m>(motions: &'m [Motion], at: &Attachment) -> &'m Motion {
    match at.body {
        Some(i) => &motions[i],
        None => &Motion::GROUND,
    }
}

/// What the elimination of one acceleration solve computes, counted by doing it again with numbers that count.
pub(crate) fn operations(model: &Model, work: &Workspace) -> Option<Operations> {
    let Limbs { spatial, plans, .. } = work.limbs.as_ref()?;
    let forms: Vec<Option<Form>> = model.joints.iter().map(|j| Some(form_of(j.kind))).collect();
    let mut counting: Spatial<Counted> = Spatial::new(&model.graph, &model.forest, &forms)?;
    let vec = |v: Vec3| Vec3::new(Counted(v.x), Counted(v.y), Counted(v.z));
    let six = |v: &Six| Six::new(vec(v.lin), vec(v.ang));
    Counted::reset();
    let outcome = counting.factor_and_solve(|at, limb, more| {
        let (mut plain, mut plain_more) = (spatial.limbs()[at], spatial.more()[at]);
        plans[at].write(model, &work.motions, None, &mut plain, &mut plain_more);
        let (m, i) = (plain.diag.a.xx, plain.diag.c);
        let [xx, yy, zz, xy, xz, yz] = [i.xx, i.yy, i.zz, i.xy, i.xz, i.yz].map(Counted::splat);
        limb.diag = Sym6::of_mass(Counted(m), Sym3 { xx, yy, zz, xy, xz, yz });
        (limb.force, limb.gamma) = (six(&plain.force), six(&plain.gamma));
        (limb.shift, limb.first) = (vec(plain.shift), six(&plain.first));
        more.columns = plain_more.columns.map(|c| six(&c));
        more.bias = plain_more.bias.map(Counted);
    });
    let counted = Counted::operations();
    outcome.ok().map(|()| counted)
}

/// What goes into the elimination of the last evaluation, place by place, and a solver to put it in; `None` where there is
/// no fast way.
pub(super) fn inputs(model: &Model, work: &Workspace) -> Option<(Spatial, Vec<(Limb, More)>)> {
    let Limbs { spatial, plans, .. } = work.limbs.as_ref()?;
    let extra = model.has_forces().then_some(&work.system);
    let input = |(at, plan): (usize, &Plan)| {
        let (mut limb, mut more) = (spatial.limbs()[at], spatial.more()[at]);
        plan.write(model, &work.motions, extra, &mut limb, &mut more);
        (limb, more)
    };
    Some((spatial.clone(), plans.iter().enumerate().map(input).collect()))
}

/// Accelerations of all bodies from their motions; F is gravity, gyroscopic terms and what `extra` says.
pub(super) fn accelerations(
    model: &Model,
    work: &mut Workspace,
    extra: bool,
    stage: Stage,
) -> Result<(), StepError> {
    let Workspace { limbs, motions, system, acc, .. } = work;
    let Some(Limbs { spatial, plans, fault, .. }) = limbs else { return Ok(()) };
    let fault = *fault;
    let outcome = spatial.factor_and_solve(
        #[inline(always)]
        |at, limb, more| {
            plans[at].write(model, motions, extra.then_some(&*system), limb, more);
            if fault != Fault::None {
                plant(fault, &motions[plans[at].body], plans[at].joint.is_some(), limb, more);
            }
        },
    );
    outcome.map_err(|error| super::multipliers::solver_error(model, work.stage.time, error, stage))?;
    let Some(Limbs { spatial, plans, .. }) = &work.limbs else { return Ok(()) };
    for (plan, limb) in plans.iter().zip(spatial.limbs()) {
        limb.x.write(&mut acc[model.bodies[plan.body].v_range()]);
    }
    Ok(())
}

/// Spoils what was just written for one body.
#[cold]
fn plant(fault: Fault, at: &Motion, jointed: bool, limb: &mut Limb, more: &mut More) {
    match fault {
        Fault::None => {}
        Fault::FlippedBias if jointed => {
            limb.gamma = limb.gamma.scaled(-1.0);
            more.bias.iter_mut().for_each(|c| *c = -*c);
        }
        Fault::NoGyroscopic => limb.force.ang -= (limb.diag.c * at.omega).cross(at.omega),
        Fault::LopsidedRow if jointed => limb.shift = limb.shift * (1.0 + 1e-6),
        Fault::FlippedBias | Fault::LopsidedRow => {}
    }
}

impl Plan {
    /// Everything that goes into one place: mass, force, joint. `extra` has the forces besides gravity, if there are any.
    #[inline(always)]
    fn write(
        &self,
        model: &Model,
        motions: &[Motion],
        extra: Option<&System>,
        limb: &mut Limb,
        more: &mut More,
    ) {
        let (body, at) = (&model.bodies[self.body], &motions[self.body]);
        limb.diag = Sym6::of_mass(body.mass.mass, body.mass.inertia.rotated(&at.axes));
        let spin = limb.diag.c * at.omega;
        limb.force = Six::new(model.gravity * body.mass.mass, spin.cross(at.omega));
        if let Some(system) = extra {
            limb.force += Six::from_slice(system.force_of(body.block));
        }
        if let Some(joint) = &self.joint {
            joint.write(motions, limb, more);
        }
    }
}

/// u of a joint that keeps b's axis on a's: where the two part company z̈_b must still follow z_a, and zero where they
/// are closed.
#[inline(always)]
fn axis_curvature(z_a: Vec3, z_b: Vec3, spin: Vec3) -> Vec3 {
    let curve = spin.cross(spin.cross(z_b));
    let along = z_b.dot(curve) / z_b.dot(z_a);
    z_b.cross(z_a * along - curve)
}

impl JointPlan {
    /// Shift, freedoms (or rows) and γ (or biases) of one joint.
    #[inline(always)]
    fn write(&self, motions: &[Motion], limb: &mut Limb, more: &mut More) {
        if let Form::Rows(m) = limb.form() {
            return self.write_rows(motions, limb, more, m as usize);
        }
        let (a, b) = (motion(motions, &self.a), motion(motions, &self.b));
        let (arm_a, arm_b) = (a.axes * self.a.local.pos, b.axes * self.b.local.pos);
        let anchor = b.pos + arm_b;
        let to_anchor = anchor - a.pos;
        let offset = to_anchor - arm_a;
        let (spin_a, spin_b) = (a.omega.cross(arm_a), b.omega.cross(arm_b));
        // ÿ with no body accelerating, in world axes (see `joint/`).
        let offset_rate = (b.vel + spin_b) - (a.vel + spin_a);
        let bias = b.omega.cross(spin_b)
            - a.omega.cross(spin_a)
            - a.omega.cross(offset_rate * 2.0 - a.omega.cross(offset));
        let turn = a.omega.cross(b.omega);
        let spin = b.omega - a.omega;

        let (sign, arm) = if self.onto_b { (1.0, arm_b) } else { (-1.0, to_anchor) };
        limb.shift = if self.onto_b { to_anchor - arm_b } else { a.pos - b.pos };
        let about = |e: Vec3| Six::new(arm.cross(e), e).scaled(sign);
        let along = |e: Vec3| Six::new(e, Vec3::ZERO).scaled(sign);
        let (locked, turn) = match self.kind {
            JointKind::Revolute => {
                let (z_a, z_b) = (a.axes * self.z_in_a, b.axes * self.z_in_b);
                limb.first = about(z_b);
                (bias, turn + axis_curvature(z_a, z_b, spin))
            }
            JointKind::Spherical => {
                limb.first = about(Vec3::X);
                more.columns = [about(Vec3::Y), about(Vec3::Z)];
                (bias, turn)
            }
            JointKind::Prismatic => {
                let z_a = a.axes * self.z_in_a;
                limb.first = along(z_a);
                (bias - z_a * z_a.dot(bias), turn + self.turn_curvature(a, b, spin))
            }
            JointKind::Cylindrical => {
                let (z_a, z_b) = (a.axes * self.z_in_a, b.axes * self.z_in_b);
                limb.first = along(z_a);
                more.columns[0] = about(z_b);
                (bias - z_a * z_a.dot(bias), turn + axis_curvature(z_a, z_b, spin))
            }
            JointKind::Universal => {
                let (z_a, x_b) = (a.axes * self.z_in_a, b.axes * (self.b.local.rot * Vec3::X));
                limb.first = about(z_a);
                more.columns[0] = about(x_b);
                // ẍ_b must keep the arms of the cross perpendicular.
                let n = z_a.cross(x_b);
                let curve = spin.cross(spin.cross(x_b));
                (bias, turn + n * (z_a.dot(curve) / n.dot(n)))
            }
            JointKind::Planar => {
                let (z_a, z_b) = (a.axes * self.z_in_a, b.axes * self.z_in_b);
                let x_a = a.axes * (self.a.local.rot * Vec3::X);
                limb.first = along(x_a);
                more.columns = [along(z_a.cross(x_a)), about(z_b)];
                (z_a * z_a.dot(bias), turn + axis_curvature(z_a, z_b, spin))
            }
            JointKind::Fixed => (bias, turn + self.turn_curvature(a, b, spin)),
            // Given by their rows, above.
            JointKind::Distance { .. }
            | JointKind::BeadOnCircle { .. }
            | JointKind::PointOnLine
            | JointKind::PointOnPlane
            | JointKind::Aligned => (bias, turn),
        };
        let turn = turn * sign;
        limb.gamma = Six::new(locked * -sign + arm.cross(turn), turn);
    }

    /// u of a joint that locks all turns: ½ |w|² q_v/q_w, q the turn of b's frame seen from a's.
    fn turn_curvature(&self, a: &Motion, b: &Motion, spin: Vec3) -> Vec3 {
        let frame_a = a.rot * self.a.local.rot;
        let turn = frame_a.inverse() * (b.rot * self.b.local.rot);
        frame_a * (turn.v * (0.5 * spin.dot(spin) / turn.w))
    }

    /// A joint with more freedoms than rows: rows of J_c and their biases.
    fn write_rows(&self, motions: &[Motion], limb: &mut Limb, more: &mut More, m: usize) {
        let (a, b) = (motion(motions, &self.a), motion(motions, &self.b));
        let (frame_a, frame_b) = (a.attach(&self.a.local), b.attach(&self.b.local));
        let relative = Relative::new(&frame_a, &frame_b);
        let mut rows = JointRows::default();
        self.kind.write_rows(&relative, None, &mut rows);
        let arm = if self.onto_b { frame_b.arm } else { frame_b.pos - a.pos };
        let sign = if self.onto_b { 1.0 } else { -1.0 };
        limb.shift = if self.onto_b { b.pos - a.pos } else { a.pos - b.pos };
        for r in 0..m {
            let w = relative.to_world(rows.gradient[r]);
            let row = Six::new(w.force, w.torque + arm.cross(w.force)).scaled(sign);
            if r == 0 {
                limb.first = row;
            } else {
                more.columns[r - 1] = row;
            }
            more.bias[r] = rows.jac_dot_v(r, &relative);
        }
    }

    /// γ (or biases) that stand for given C or Ċ on the right side; the relative motion is that of the last
    /// constrain.
    fn write_correction(
        &self,
        relative: &Relative,
        rows: &[f64],
        motions: &[Motion],
        limb: &mut Limb,
        more: &mut More,
    ) {
        if let Form::Rows(m) = limb.form() {
            more.bias[..m as usize].copy_from_slice(rows);
            return;
        }
        let (shift, turn) = self.kind.lift(relative, rows);
        let (shift, turn) = (relative.axes_a * shift, relative.axes_a * turn);
        let arm = self.child_arm(motions);
        let sign = if self.onto_b { 1.0 } else { -1.0 };
        let turn = turn * sign;
        limb.gamma = Six::new(shift * sign + arm.cross(turn), turn);
    }

    /// From the child's centre of mass to b's anchor.
    fn child_arm(&self, motions: &[Motion]) -> Vec3 {
        let (a, b) = (motion(motions, &self.a), motion(motions, &self.b));
        let arm_b = b.axes * self.b.local.pos;
        if self.onto_b { arm_b } else { b.pos + arm_b - a.pos }
    }

    /// What the joint exerts on b at b's anchor, world axes, from the load on the child.
    fn wrench_on_b(&self, motions: &[Motion], load: &Six) -> Wrench {
        let at_anchor =
            Wrench { force: load.lin, torque: load.ang - self.child_arm(motions).cross(load.lin) };
        if self.onto_b { at_anchor } else { -at_anchor }
    }
}

/// Solves for a correction with the factor at hand: the rows of `work.row_side` are to vanish. The displacement is left
/// in `work.shift`.
pub(super) fn correct(model: &Model, work: &mut Workspace) {
    let Workspace { limbs, motions, relatives, row_side, shift, .. } = work;
    let Some(Limbs { spatial, plans, .. }) = limbs else { return };
    spatial.solve(|at, limb, more| {
        limb.force = Six::ZERO;
        limb.gamma = Six::ZERO;
        if let Some(joint) = &plans[at].joint {
            let entry = &model.joints[joint.index];
            let rows = &row_side[entry.row_at..entry.row_at + entry.rows];
            joint.write_correction(&relatives[joint.index], rows, motions, limb, more);
        }
    });
    for (plan, limb) in plans.iter().zip(spatial.limbs()) {
        limb.x.write(&mut shift[model.bodies[plan.body].v_range()]);
    }
}

/// λ of all rows from the loads of the last solve; `relatives` must be those of the same instant.
pub(super) fn write_multipliers(model: &Model, work: &mut Workspace) {
    let Workspace { limbs, motions, relatives, lambda, .. } = work;
    let Some(Limbs { spatial, plans, .. }) = limbs else { return };
    for (at, plan) in plans.iter().enumerate() {
        let Some(joint) = &plan.joint else { continue };
        let entry = &model.joints[joint.index];
        let out = &mut lambda[entry.row_at..entry.row_at + entry.rows];
        let (limb, more) = (&spatial.limbs()[at], &spatial.more()[at]);
        if let Form::Rows(m) = limb.form() {
            let answers = [limb.first_answer, more.answers[0], more.answers[1]];
            out.copy_from_slice(&answers[..m as usize]);
            continue;
        }
        let relative = &relatives[joint.index];
        let wrench = joint.wrench_on_b(motions, &limb.load);
        let (force, torque) =
            (relative.axes_a.transpose_mul(wrench.force), relative.axes_a.transpose_mul(wrench.torque));
        joint.kind.multipliers(relative, force, torque, out);
    }
}

/// Force and moment about the world's origin that the ground exerts in the last solve.
pub(super) fn ground_load(work: &Workspace) -> (Vec3, Vec3) {
    let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
    let Some(Limbs { spatial, plans, .. }) = &work.limbs else { return (force, moment) };
    for (plan, limb) in plans.iter().zip(spatial.limbs()) {
        let Some(joint) = &plan.joint else { continue };
        if joint.a.body.is_none() || joint.b.body.is_none() {
            force += limb.load.lin;
            moment += work.motions[plan.body].pos.cross(limb.load.lin) + limb.load.ang;
        }
    }
    (force, moment)
}

/// How well the last acceleration solve obeys the equations: force balance of every body, J v̇ + c of every joint (from
/// the joint's own rows, not from what was eliminated with), and no load along what a joint leaves free; each relative
/// to the terms that form it.
pub(super) fn certify(model: &Model, work: &mut Workspace, extra: bool) -> f64 {
    let Workspace { limbs, motions, system, acc, .. } = work;
    let Some(Limbs { spatial, plans, scratch, .. }) = limbs else { return 0.0 };
    let mass = |at: usize| {
        let body = &model.bodies[plans[at].body];
        Sym6::of_mass(body.mass.mass, body.mass.inertia.rotated(&motions[plans[at].body].axes))
    };
    let force = |at: usize| {
        let (body, motion) = (&model.bodies[plans[at].body], &motions[plans[at].body]);
        let spin = mass(at).c * motion.omega;
        let own = Six::new(model.gravity * body.mass.mass, spin.cross(motion.omega));
        if extra { own + Six::from_slice(system.force_of(body.block)) } else { own }
    };
    let mut worst = spatial.balance(mass, force, scratch);
    for (at, plan) in plans.iter().enumerate() {
        let Some(joint) = &plan.joint else { continue };
        worst = larger(worst, spatial.idle_load(at));
        // Accelerations that the forces on this body could make: what rounding is measured by.
        let body = &model.bodies[plan.body];
        let limb = &spatial.limbs()[at];
        let reach = (limb.load.lin.largest() + limb.force.lin.largest()) / body.mass.mass
            + limb.x.lin.largest()
            + limb.x.ang.largest() * (body.mass.inertia.trace() / body.mass.mass).sqrt();
        worst = larger(worst, joint.row_residual(model, motions, acc, reach));
    }
    worst
}

impl JointPlan {
    /// Worst |C̈| over the joint's rows at given accelerations, relative to the terms that form it; `reach` is a linear
    /// acceleration below whose rounding nothing can fall.
    fn row_residual(&self, model: &Model, motions: &[Motion], acc: &[f64], reach: f64) -> f64 {
        let frame = |at: &Attachment| motion(motions, at).attach(&at.local);
        let (a, b) = (frame(&self.a), frame(&self.b));
        let relative = Relative::new(&a, &b);
        let mut rows = JointRows::default();
        self.kind.write_rows(&relative, None, &mut rows);
        let rates = |at: &Attachment, arm: Vec3| match at.body {
            None => (Vec3::ZERO, Vec3::ZERO),
            Some(i) => model.bodies[i].kind.push_forward(arm, &acc[model.bodies[i].v_range()]),
        };
        let ((lin_a, ang_a), (lin_b, ang_b)) = (rates(&self.a, a.arm), rates(&self.b, b.arm));
        let carried = ang_a.cross(relative.offset);
        let shift = relative.axes_a.transpose_mul(lin_b - lin_a - carried);
        let turn = relative.axes_a.transpose_mul(ang_b - ang_a);
        let sizes = (
            lin_a.largest() + lin_b.largest() + carried.largest() + relative.bias.largest() + reach,
            ang_a.largest() + ang_b.largest() + relative.bias_spin.largest(),
        );
        let arm = a.arm.largest() + b.arm.largest();
        let mut worst = 0.0;
        for r in 0..rows.count {
            let g = &rows.gradient[r];
            let left = g.force.dot(shift) + g.torque.dot(turn) + rows.jac_dot_v(r, &relative);
            // A turn about nothing but rounding is judged beside the shift that it would make at the arm.
            let turns = if arm > 0.0 { larger(sizes.1, sizes.0 / arm) } else { sizes.1 + sizes.0 };
            let size = g.force.largest() * sizes.0 + g.torque.largest() * turns + rows.rest[r].abs();
            if left != 0.0 {
                worst = larger(worst, left.abs() / size);
            }
        }
        worst
    }
}
