//! Rows of unilateral constraints: g, ġ, J and the bias of g̈; friction, rolling and spinning rows.
//!
//! For a contact with nearest points p_a, p_b and unit normal n from a to b:
//!
//! ```text
//! ġ   = n · u        u = v_b + ω_b × (p_b − x_b) − v_a − ω_a × (p_a − x_a)
//! u_t = t · u        t: unit vector across n
//! ```
//!
//! x, v, ω: centre of mass, velocity, angular velocity. Biases (accelerations at v̇ = 0): that of g
//! comes with the gap (`cardan_shapes`); that of u_t is t · (ω_b × (ṗ_b − v_b) − ω_a × (ṗ_a −
//! v_a)), where ṗ is the velocity of the nearest points (a rolling ball keeps its contact point
//! below its centre). The change of t while sliding does not matter: kinetic friction needs no such
//! row.

use crate::body::general::Motions;
use crate::body::{FrameMotion, MAX_DIM, Wrench};
use crate::constraint::{Constraint, ConstraintRows};
use crate::math::Vec3;
use crate::model::{Attachment, Model, ModelBody};
use crate::state::State;
use crate::step::contact::{ContactEntry, ContactKey, FrictionMode, RollingMode};
use crate::step::dynamics::kinematics::frame;
use cardan_shapes::{GapMotion as Moving, Pose, Primitive, Twist, Witness};

/// Jacobian block of one row and one body.
#[derive(Copy, Clone, Debug)]
pub(crate) struct JacobianBlock {
    pub(crate) body: u32,
    /// First coordinate of the body, and how many it has.
    first: u32,
    dim: u32,
    /// For a body with generalised coordinates: number of entries and their first index in `wide`.
    wide: (u32, u32),
    jac: [f64; MAX_DIM],
}

impl JacobianBlock {
    /// The coordinates of its body.
    fn range(&self) -> core::ops::Range<usize> {
        self.first as usize..(self.first + self.dim) as usize
    }
}

/// One row at one instant.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct ContactRow {
    /// g [m, rad]; zero for friction rows.
    pub(crate) gap: f64,
    /// ġ.
    pub(crate) rate: f64,
    /// g̈ at v̇ = 0.
    pub(crate) bias: f64,
    /// ∂g/∂t.
    pub(crate) time_rate: f64,
    /// Sizes of the terms of g and ġ.
    pub(crate) scale: f64,
    pub(crate) rate_scale: f64,
    /// For a contact: the point on b, and the direction of the row, world axes.
    pub(crate) point: Vec3,
    pub(crate) direction: Vec3,
    /// Its Jacobian blocks.
    first: u32,
    count: u32,
}

/// Rows of a set of unilateral constraints.
#[derive(Debug, Default)]
pub(crate) struct ContactRows {
    pub(crate) rows: Vec<ContactRow>,
    blocks: Vec<JacobianBlock>,
    /// Entries of blocks of bodies with generalised coordinates.
    wide: Vec<f64>,
    frames: Vec<FrameMotion>,
    wrenches: Vec<Wrench>,
}

/// Frame of a shape.
pub(crate) fn shape_frame(model: &Model, motions: &Motions, shape: u32) -> FrameMotion {
    frame(motions, &model.contacts.shapes[shape as usize].at)
}

/// Pose of a frame, as `cardan_shapes` takes it.
pub(crate) fn pose_of(frame: &FrameMotion) -> Pose {
    Pose { pos: frame.pos, rot: frame.rot.matrix() }
}

/// Whether two shapes meet in the x–y plane.
pub(crate) fn is_planar(model: &Model, i: u32, j: u32) -> bool {
    let planar = |shape: u32| {
        model.contacts.shapes[shape as usize].body_index().map(|body| model.bodies[body].kind.is_planar())
    };
    match (planar(i), planar(j)) {
        (Some(a), Some(b)) => a && b,
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => false,
    }
}

/// Size of the terms of a contact's gap.
fn contact_scale((a, b): (&FrameMotion, &FrameMotion), (point_a, point_b): (Vec3, Vec3)) -> f64 {
    a.reach + b.reach + (point_a - a.pos).largest() + (point_b - b.pos).largest()
}

/// Two unit vectors across n, or in the x–y plane the only one.
fn across(n: Vec3, planar: bool) -> ([Vec3; 2], usize) {
    if planar {
        let t = Vec3::new(-n.y, n.x, 0.0);
        return ([t, Vec3::ZERO], 1);
    }
    // Not the least component of n: where two are alike, rounding would choose, and friction forces
    // could not be compared from step to step.
    let least = if n.x.abs() < 0.6 { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(0.0, 0.0, 1.0) };
    let t = n.cross(least).normalized().unwrap_or(least);
    ([t, n.cross(t)], 2)
}

/// Sliding speeds below this have no direction [m/s].
const STILL: f64 = 1e-13;

/// Angular speeds below this have no axis [rad/s].
const STILL_TURNING: f64 = 1e-6;

/// Sliding direction for the velocity `slide`, from the direction `before`.
///
/// Friction turns the sliding velocity within the time |u| / (μ λ_n A). Where that is shorter than
/// a step, the direction would oscillate. So at low speed it follows the velocity only in part, by
/// 1 / (1 + h μ λ_n A / |u|). That is stable for every step and exact for straight sliding.
pub(crate) fn slides_to(slide: Vec3, before: Vec3, stiff: f64) -> Vec3 {
    let before = before.normalized().unwrap_or(before);
    let fast = slide.norm();
    if fast <= STILL {
        return before;
    }
    if stiff <= 0.5 * fast {
        return slide * (1.0 / fast);
    }
    let along = slide.dot(before);
    let across = slide - before * along;
    let part = across * (fast / (fast + stiff));
    // A reversal is detected by the sign of the speed along `before`.
    let along = if along.abs() > STILL { along.abs() } else { STILL };
    (before * along + part).normalized().unwrap_or(before)
}

impl ContactRows {
    /// Writes the rows of `items` at the motions of a state, and their indices into `items`.
    pub(crate) fn write(
        &mut self,
        model: &Model,
        state: &State,
        motions: &Motions,
        items: &mut [ContactEntry],
    ) {
        self.write_all(model, state, motions, items, |contact_rows, (i, j), primitive, _, item| {
            let (a, b) = (shape_frame(model, motions, i), shape_frame(model, motions, j));
            let twist = |f: &FrameMotion| Twist { vel: f.vel, omega: f.omega };
            let at = primitive.motion(&pose_of(&a), &twist(&a), &pose_of(&b), &twist(&b));
            contact_rows.write_contact(model, motions, (i, j), (&a, &b), &at, item);
        });
    }

    /// Writes the rows of `items` where gaps are known and g̈ does not matter (`bias` is zero): for
    /// motions at which the items were found.
    pub(crate) fn write_rates(
        &mut self,
        model: &Model,
        state: &State,
        motions: &Motions,
        shapes: &[FrameMotion],
        items: &mut [ContactEntry],
    ) {
        self.write_all(model, state, motions, items, |contact_rows, (i, j), _, at, item| {
            let (a, b) = (&shapes[i as usize], &shapes[j as usize]);
            let speed = |f: &FrameMotion, point: Vec3| f.vel + f.omega.cross(point - f.pos);
            let (velocity_a, velocity_b) = (speed(a, at.point_a), speed(b, at.point_b));
            let rate = at.normal.dot(velocity_b - velocity_a);
            let Witness { gap, normal, point_a, point_b } = *at;
            let at = Moving { gap, normal, point_a, point_b, rate, velocity_a, velocity_b, bias: 0.0 };
            contact_rows.write_contact(model, motions, (i, j), (a, b), &at, item);
        });
    }

    /// Writes gaps and their scales alone: rows of contacts have no blocks.
    pub(crate) fn write_gaps(
        &mut self,
        model: &Model,
        state: &State,
        motions: &Motions,
        shapes: &[FrameMotion],
        items: &mut [ContactEntry],
    ) {
        self.write_all(model, state, motions, items, |contact_rows, (i, j), _, at, _| {
            let (a, b) = (&shapes[i as usize], &shapes[j as usize]);
            let scale = contact_scale((a, b), (at.point_a, at.point_b));
            contact_rows.rows.push(ContactRow { gap: at.gap, scale, ..ContactRow::default() });
        });
    }

    /// Writes the rows of `items`; `contact` writes those of a contact.
    fn write_all(
        &mut self,
        model: &Model,
        state: &State,
        motions: &Motions,
        items: &mut [ContactEntry],
        contact: impl Fn(&mut ContactRows, (u32, u32), &Primitive, &Witness, &mut ContactEntry),
    ) {
        self.rows.clear();
        self.blocks.clear();
        self.wide.clear();
        for item in items {
            item.row = self.rows.len();
            item.tangents = 0;
            match (item.key, item.contact) {
                (ContactKey::Declared(i), _) => {
                    let inequality = &model.inequalities[i as usize];
                    self.write_rule(model, state, motions, (&*inequality.rule, &inequality.frames));
                }
                // Dry friction has no gap.
                (ContactKey::Joint(i), _) => {
                    let friction = &model.frictions[i as usize];
                    self.write_rule(model, state, motions, (&friction.rule, &friction.frames));
                    if let Some(row) = self.rows.last_mut() {
                        row.gap = 0.0;
                        item.material.kinetic_friction = friction.law.sliding(row.rate);
                    }
                }
                (ContactKey::Contact(a, b, _), Some((primitive, at))) => {
                    contact(self, (a, b), &primitive, &at, item);
                }
                (ContactKey::Contact(..), None) => self.rows.push(ContactRow::default()),
            }
        }
    }

    /// Writes the row of an inequality or of a friction coordinate from its rule.
    fn write_rule(
        &mut self,
        model: &Model,
        state: &State,
        motions: &Motions,
        (rule, frames): (&dyn Constraint, &[Attachment]),
    ) {
        self.frames.clear();
        self.frames.extend(frames.iter().map(|at| frame(motions, at)));
        let n = self.frames.len();
        self.wrenches.clear();
        self.wrenches.resize(n, Wrench::ZERO);
        let (mut err, mut time_rate, mut rest, mut scale) = ([0.0], [0.0], [0.0], [1.0]);
        let mut out = ConstraintRows {
            ends: n,
            err: &mut err,
            err_time_rate: &mut time_rate,
            jac_dot_v: &mut rest,
            scale: &mut scale,
            gradient: &mut self.wrenches,
            push: &mut [],
            turns: &state.turns,
        };
        rule.evaluate(state.time, &self.frames, &mut out);
        let mut row = ContactRow {
            gap: err[0],
            rate: time_rate[0],
            bias: rest[0],
            time_rate: time_rate[0],
            scale: scale[0],
            rate_scale: time_rate[0].abs(),
            first: self.blocks.len() as u32,
            ..ContactRow::default()
        };
        for (k, at) in frames.iter().enumerate() {
            let (f, g) = (self.frames[k], self.wrenches[k]);
            row.rate += g.force.dot(f.vel) + g.torque.dot(f.omega);
            row.bias += g.force.dot(f.bias) + g.torque.dot(f.bias_omega);
            let (speed, spin) = reach(&f);
            row.rate_scale +=
                f.flow * g.force.largest() + g.force.largest() * speed + g.torque.largest() * spin;
            row.count += self.push_block(model, motions, at, f.arm, g);
        }
        self.rows.push(row);
    }

    /// Writes the normal row, the friction rows of the mode (all if it sticks, the one along the
    /// sliding direction if it slides), then rolling and spinning rows.
    fn write_contact(
        &mut self,
        model: &Model,
        motions: &Motions,
        (i, j): (u32, u32),
        (a, b): (&FrameMotion, &FrameMotion),
        at: &Moving,
        item: &mut ContactEntry,
    ) {
        let planar = is_planar(model, i, j);
        let ends = [i, j].map(|shape| &model.contacts.shapes[shape as usize].at);
        item.tangents = self.write_across(model, motions, ends, (a, b), at, item, planar);
        self.write_resistance(model, motions, ends, (a, b), item, planar);
    }

    /// Writes the normal row and the friction rows of a contact. Returns the number of friction
    /// rows.
    #[allow(clippy::too_many_arguments, reason = "all of one contact")]
    fn write_across(
        &mut self,
        model: &Model,
        motions: &Motions,
        ends: [&Attachment; 2],
        (a, b): (&FrameMotion, &FrameMotion),
        at: &Moving,
        item: &ContactEntry,
        planar: bool,
    ) -> usize {
        let n = at.normal;
        let centers = [a.pos - a.arm, b.pos - b.arm];
        // Both bodies are pushed at the same point, whatever the gap, so that forces and moments
        // cancel. Along the normal that changes nothing.
        let arms = centers.map(|center| at.point_b - center);
        let ((va, wa), (vb, wb)) = (reach(a), reach(b));
        let flow = a.flow + b.flow;
        let speed =
            va + vb + flow + wa * (at.point_a - a.pos).largest() + wb * (at.point_b - b.pos).largest();
        let scale = contact_scale((a, b), (at.point_a, at.point_b));
        let push = |contact_rows: &mut ContactRows, direction: Vec3, row: ContactRow| {
            let first = contact_rows.blocks.len() as u32;
            let mut count = 0;
            for ((end, arm), sign) in ends.into_iter().zip(arms).zip([-1.0, 1.0]) {
                let wrench = Wrench { force: direction * sign, torque: Vec3::ZERO };
                count += contact_rows.push_block(model, motions, end, arm, wrench);
            }
            contact_rows.rows.push(ContactRow {
                point: at.point_b,
                direction,
                scale,
                rate_scale: speed,
                first,
                count,
                ..row
            });
        };
        // Origins of the frames accelerate when their bodies rotate.
        let mut bias = at.bias + n.dot(b.bias - a.bias);
        let is_general = ends.iter().any(|end| end.carrier().is_some());
        if is_general {
            // On bodies with generalised coordinates the frames have an angular bias, too.
            let turns = |f: &FrameMotion, point: Vec3| f.bias_omega.cross(point - f.pos);
            bias += n.dot(turns(b, at.point_b) - turns(a, at.point_a));
        }
        push(self, n, ContactRow { gap: at.gap, rate: at.rate, bias, ..ContactRow::default() });
        if item.mode == FrictionMode::Frictionless {
            return 0;
        }
        let centre_speed = |f: &FrameMotion| f.vel - f.omega.cross(f.arm);
        let speeds = [centre_speed(a), centre_speed(b)];
        let slide = (speeds[1] + b.omega.cross(arms[1])) - (speeds[0] + a.omega.cross(arms[0]));
        let slide = slide - n * slide.dot(n);
        let mut rest = b.omega.cross(at.velocity_b - speeds[1]) - a.omega.cross(at.velocity_a - speeds[0]);
        if is_general {
            // Generalised coordinates have a bias of their own.
            let own = |f: &FrameMotion, arm: Vec3| {
                f.bias - f.omega.cross(f.omega.cross(f.arm)) + f.bias_omega.cross(arm - f.arm)
            };
            rest += own(b, arms[1]) - own(a, arms[0]);
        }
        match item.mode {
            FrictionMode::Slip(direction) => {
                let d = slides_to(slide, direction - n * direction.dot(n), item.stiff);
                push(self, d, ContactRow { rate: d.dot(slide), bias: d.dot(rest), ..ContactRow::default() });
                1
            }
            _ => {
                let (tangents, count) = across(n, planar);
                for t in &tangents[..count] {
                    push(
                        self,
                        *t,
                        ContactRow { rate: t.dot(slide), bias: t.dot(rest), ..ContactRow::default() },
                    );
                }
                count
            }
        }
    }

    /// Writes rolling and spinning rows: the speeds d · (ω_b − ω_a) about axes d.
    fn write_resistance(
        &mut self,
        model: &Model,
        motions: &Motions,
        ends: [&Attachment; 2],
        (a, b): (&FrameMotion, &FrameMotion),
        item: &mut ContactEntry,
        planar: bool,
    ) {
        if item.roll_spin.roll == RollingMode::Free && item.roll_spin.spin == RollingMode::Free {
            return;
        }
        let (n, point) = (self.rows[item.row].direction, self.rows[item.row].point);
        let (omega, bias) = (b.omega - a.omega, b.bias_omega - a.bias_omega);
        let mut push = |direction: Vec3| {
            let first = self.blocks.len() as u32;
            for (end, sign) in ends.into_iter().zip([-1.0, 1.0]) {
                let wrench = Wrench { force: Vec3::ZERO, torque: direction * sign };
                self.push_block(model, motions, end, Vec3::ZERO, wrench);
            }
            let count = self.blocks.len() as u32 - first;
            let rate_scale = a.omega.largest() + b.omega.largest();
            let (rate, bias) = (direction.dot(omega), direction.dot(bias));
            self.rows.push(ContactRow {
                rate,
                bias,
                scale: 1.0,
                rate_scale,
                point,
                direction,
                first,
                count,
                ..ContactRow::default()
            });
        };
        let roll = omega - n * omega.dot(n);
        let fast = roll.norm();
        match item.roll_spin.roll {
            RollingMode::Free => {}
            // The row follows the axis while it rolls on; where it would roll back its speed is
            // negative.
            RollingMode::Turns(before) if fast > 0.0 && roll.dot(before) > 0.5 * fast => {
                push(roll * (1.0 / fast))
            }
            RollingMode::Turns(before) => push((before - n * before.dot(n)).normalized().unwrap_or(before)),
            RollingMode::Rest if planar => {
                item.roll_spin.axes = 1;
                push(Vec3::new(0.0, 0.0, 1.0));
            }
            // The first axis is that of the remaining rotation, so that it is resisted as a whole.
            RollingMode::Rest => {
                item.roll_spin.axes = 2;
                let along = if fast > STILL_TURNING { Some(roll * (1.0 / fast)) } else { None };
                let axes = along.map_or_else(|| across(n, false).0, |along| [along, n.cross(along)]);
                axes.into_iter().for_each(&mut push);
            }
        }
        match item.roll_spin.spin {
            RollingMode::Free => {}
            RollingMode::Rest => push(n),
            RollingMode::Turns(before) => push(if before.dot(n) < 0.0 { -n } else { n }),
        }
    }

    /// The row of one inequality of the model.
    pub(crate) fn of_declared(model: &Model, state: &State, motions: &Motions, index: usize) -> Self {
        let mut contact_rows = ContactRows::default();
        let inequality = &model.inequalities[index];
        contact_rows.write_rule(model, state, motions, (&*inequality.rule, &inequality.frames));
        contact_rows
    }

    /// Wrench per unit λ of the row written last at each of its frames, and where it acts.
    pub(crate) fn last_wrenches(&self) -> impl Iterator<Item = (Vec3, Wrench)> + '_ {
        self.frames.iter().zip(&self.wrenches).map(|(frame, wrench)| (frame.pos, *wrench))
    }

    /// Entries of a block; those beyond the dimension of its body are zero.
    #[inline]
    pub(crate) fn jac<'a>(&'a self, block: &'a JacobianBlock) -> &'a [f64] {
        match block.wide {
            (0, _) => &block.jac,
            (count, first) => &self.wide[first as usize..][..count as usize],
        }
    }

    /// Adds the Jacobian block of a wrench at the end of `arm` of an attachment. Returns the number
    /// of blocks: none on the ground.
    #[inline]
    fn push_block(
        &mut self,
        model: &Model,
        motions: &Motions,
        at: &Attachment,
        arm: Vec3,
        wrench: Wrench,
    ) -> u32 {
        let Some(body) = at.body() else { return 0 };
        let kind = model.bodies[body].kind;
        let (range, jac) = (model.bodies[body].v_range(), [0.0; MAX_DIM]);
        let (first, dim) = (range.start as u32, range.len() as u32);
        let mut block = JacobianBlock { body: body as u32, first, dim, wide: (0, 0), jac };
        if at.carrier().is_none() {
            kind.pull_back(arm, wrench, &mut block.jac[..kind.dim()]);
        } else {
            let (first, count) = (self.wide.len(), kind.dim());
            block.wide = (count as u32, first as u32);
            self.wide.resize(first + count, 0.0);
            motions.pull_back(model, at, arm, wrench, &mut self.wide[first..]);
        }
        self.blocks.push(block);
        1
    }

    /// The blocks of a row.
    pub(crate) fn blocks(&self, row: &ContactRow) -> &[JacobianBlock] {
        &self.blocks[row.first as usize..(row.first + row.count) as usize]
    }

    /// Takes the rows of `items` from where they were written, and puts their new indices into `items`.
    pub(crate) fn take_from(&mut self, written: &ContactRows, items: &mut [ContactEntry]) {
        if items.iter().map(|item| 1 + item.tangents + item.roll_spin.all()).sum::<usize>()
            == written.rows.len()
        {
            // All of them, in their order.
            self.rows.clone_from(&written.rows);
            self.blocks.clone_from(&written.blocks);
            self.wide.clone_from(&written.wide);
            return;
        }
        self.rows.clear();
        self.blocks.clear();
        self.wide.clear();
        for item in items {
            let rows = &written.rows[item.row..][..1 + item.tangents + item.roll_spin.all()];
            item.row = self.rows.len();
            for row in rows {
                let first = self.blocks.len() as u32;
                for block in written.blocks(row) {
                    let mut own = *block;
                    if own.wide.0 > 0 {
                        own.wide.1 = self.wide.len() as u32;
                        self.wide.extend_from_slice(written.jac(block));
                    }
                    self.blocks.push(own);
                }
                self.rows.push(ContactRow { first, ..*row });
            }
        }
    }

    /// J x of a row.
    pub(crate) fn dot(&self, row: usize, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for block in self.blocks(&self.rows[row]) {
            let x = &x[block.range()];
            match (block.wide.0, x.as_array::<MAX_DIM>()) {
                // Of a known length, which the compiler unrolls.
                (0, Some(x)) => block.jac.iter().zip(x).for_each(|(j, x)| sum += j * x),
                _ => self.jac(block).iter().zip(x).for_each(|(j, x)| sum += j * x),
            }
        }
        sum
    }

    /// J x of a row, and the size of its terms.
    pub(crate) fn dot_with_size(&self, row: usize, x: &[f64]) -> (f64, f64) {
        let (mut sum, mut size) = (0.0, 0.0);
        for block in self.blocks(&self.rows[row]) {
            for (j, x) in self.jac(block).iter().zip(&x[block.range()]) {
                sum += j * x;
                size += (j * x).abs();
            }
        }
        (sum, size)
    }

    /// J M⁻¹ Jᵀ of a row without joints, roughly: with the mean inertia of bodies in space, and zero for bodies
    /// with generalised coordinates.
    pub(crate) fn free_response(&self, model: &Model, row: usize) -> f64 {
        let mut sum = 0.0;
        for block in self.blocks(&self.rows[row]).iter().filter(|block| block.wide.0 == 0) {
            let body = &model.bodies[block.body as usize];
            sum += free_response(body, &block.jac[..body.kind.dim()]);
        }
        sum
    }

    /// out += s Jᵀ of a row.
    pub(crate) fn add_to(&self, row: usize, s: f64, out: &mut [f64]) {
        for block in self.blocks(&self.rows[row]) {
            let out = &mut out[block.range()];
            match (block.wide.0, out.as_mut_array::<MAX_DIM>()) {
                (0, Some(out)) => out.iter_mut().zip(&block.jac).for_each(|(out, j)| *out += s * j),
                _ => out.iter_mut().zip(self.jac(block)).for_each(|(out, j)| *out += s * j),
            }
        }
    }
}

/// j M⁻¹ jᵀ of a Jacobian block of a body, roughly: with its mean inertia.
pub(crate) fn free_response(body: &ModelBody, jac: &[f64]) -> f64 {
    let (own, dim) = (&body.mass.inertia, jac.len());
    let inertia = if dim == 3 { own.zz } else { (own.xx + own.yy + own.zz) / 3.0 };
    let is_turn = |i: usize| i >= 3 || (dim == 3 && i == 2 && body.kind.has_orientation());
    let parts = jac.iter().enumerate();
    parts.map(|(i, j)| j * j / if is_turn(i) { inertia } else { body.mass.mass }).sum()
}

/// Sizes of the terms that form a velocity and an angular velocity of a frame.
fn reach(f: &FrameMotion) -> (f64, f64) {
    let spin = f.omega.largest();
    (f.vel.largest() + spin * f.arm.largest(), spin)
}
