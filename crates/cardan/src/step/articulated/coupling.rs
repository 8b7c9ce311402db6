//! Couplings: couplers, gears and followed points as rows of the elimination, like the rows of
//! loop-closure joints.
//!
//! ```text
//! coupler    Σ f_i(s_i) = 0      rows f_i′ G_i on the coordinates of tree joints: J_c = f′ G, J_p = −f′ G X
//! other      C(frames, t) = 0    rows on bodies, carried to the ground, since they may see absolute motions
//! ```
//!
//! s: joint coordinate; G: its gradient; c: child and p: parent of the joint. A coupled joint that closes
//! a loop has rows on its two bodies instead.

use crate::body::{FrameMotion, Motion, Wrench};
use crate::constraint::{CoupledCoordinate, horner};
use crate::joint::Relative;
use crate::math::{Quat, Six, Vec3, larger};
use crate::model::{Attachment, Model, ModelConstraint};
use crate::step::articulated::Correction;
use crate::step::articulated::constraint_numbers::{
    ConstraintNumbers, RowInstant, evaluate_constraint, rates_of_row,
};
use crate::step::articulated::tree_joint::ForceMask;
use crate::step::workspace::ForceResponse;
use cardan_solve::articulated::{ArticulatedForest, Coupling, EndKind, LoopClosure, MAX_LOOP_ROWS, Noise};

/// Kinds of constraints, besides couplers, whose rows are eliminated with the tree. Their gradients are
/// constant in the axes of their bodies or of the world.
const KINDS: [&str; 2] = ["gear", "follow"];

/// C, Ċ and ∂C/∂t of the rows of a coupling at its last evaluation, with the sizes of their terms.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct RowErrors {
    pub(crate) err: [f64; MAX_LOOP_ROWS],
    pub(crate) scale: [f64; MAX_LOOP_ROWS],
    pub(crate) rate: [f64; MAX_LOOP_ROWS],
    pub(crate) rate_scale: [f64; MAX_LOOP_ROWS],
    pub(crate) time_rate: [f64; MAX_LOOP_ROWS],
}

/// An attached frame that rows act on, and its end among those of the closure; none on the ground.
#[derive(Clone, Debug)]
struct RowFrame {
    at: Attachment,
    mask: ForceMask,
    end: Option<usize>,
}

impl RowFrame {
    /// Index of its body's motion; the last motion is the ground's.
    fn body(&self, motions: &[Motion]) -> usize {
        self.at.body().unwrap_or(motions.len() - 1)
    }

    /// The frame, at the motions of all bodies.
    fn motion(&self, motions: &[Motion]) -> FrameMotion {
        motions[self.body(motions)].attach(&self.at.local)
    }

    /// Adds a wrench at the frame to a row.
    fn add_to(&self, arm: Vec3, wrench: Wrench, row: usize, out: &mut LoopClosure) {
        if let Some(end) = self.end {
            let six = Six::new(wrench.force, wrench.torque + arm.cross(wrench.force));
            out.ends[end].rows[row] += self.mask.masked(&six);
        }
    }
}

/// What is written besides errors.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum RowsWanted {
    /// J, and c if all joints are closed.
    BiasOfClosed,
    /// J and c, whether joints are open or not.
    BiasOfOpen,
}

/// A coordinate at the poses of its two bodies: its value within half a turn, its gradient as a wrench on
/// b at b's frame, the arms of the frames and the offset between them in world axes, and the gradient on
/// both bodies at their centres.
#[derive(Copy, Clone, Debug, Default)]
struct CoordinatePose {
    bodies: Option<[(Vec3, Quat); 2]>,
    raw: f64,
    reach: f64,
    gradient: Wrench,
    arms: [Vec3; 2],
    offset: Vec3,
    rows: [Six; 2],
}

/// A coordinate of a coupler, with the terms in which it is. What depends on the poses alone is kept: a
/// step evaluates every coordinate several times at one pose.
#[derive(Clone, Debug)]
struct RowCoordinate {
    about: CoupledCoordinate,
    frames: [RowFrame; 2],
    pose: CoordinatePose,
    /// Row and polynomial of each term.
    terms: Vec<(usize, Vec<f64>)>,
}

/// Where the rows come from.
#[derive(Clone, Debug)]
enum RowSource {
    Coupler { coordinates: Vec<RowCoordinate>, offsets: Vec<f64> },
    Rule { frames: Vec<RowFrame>, motions: Vec<FrameMotion>, wrenches: Vec<Wrench> },
}

/// Rows of a constraint in the elimination: all of them, or some of those of a coupler with many.
#[derive(Clone, Debug)]
pub(crate) struct CouplingRows {
    /// Index of the constraint, and its first row here.
    pub(crate) constraint: usize,
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) errors: RowErrors,
    source: RowSource,
}

/// Instant of the last evaluation, with the turns that its state has counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct CouplingInstant {
    pub(crate) time: f64,
    pub(crate) is_still: bool,
    pub(crate) solves_velocities: bool,
    pub(crate) turns: Vec<f64>,
}

impl CouplingInstant {
    /// The instant of the state that the model starts from.
    pub(crate) fn initial(model: &Model) -> Self {
        let mut turns = model.initial.turns.clone();
        turns.resize(model.turn_len, 0.0);
        CouplingInstant { time: model.initial.time, turns, ..CouplingInstant::default() }
    }

    fn of_rows(&self) -> RowInstant<'_> {
        let response = match self.solves_velocities {
            true => ForceResponse::Velocity,
            false => ForceResponse::Acceleration,
        };
        RowInstant { time: self.time, is_still: self.is_still, response, turns: &self.turns }
    }
}

/// Makes the couplings of all constraints on a forest that has the joints alone; `None` if the
/// elimination does not take them all.
///
/// Velocity-only rows are taken only where nothing else closes a loop: a rank plan that keeps one of them
/// in place of a dependent row on poses would let that one drift.
pub(crate) fn couplings(model: &Model, forest: &ArticulatedForest) -> Option<Vec<(CouplingRows, Coupling)>> {
    let is_taken = |constraint: &ModelConstraint| {
        let turns = |at: &Attachment| at.body().is_none_or(|i| model.bodies[i].kind.has_orientation());
        match &constraint.coupler {
            Some(_) => constraint.frames.iter().all(turns),
            None => {
                KINDS.contains(&constraint.kind())
                    && constraint.rows <= MAX_LOOP_ROWS
                    && !(constraint.pushed || constraint.rule.is_auxiliary())
            }
        }
    };
    let is_on_velocities =
        |constraint: &ModelConstraint| (0..constraint.rows).any(|row| !constraint.rule.has_position(row));
    let has_velocity_rows = model.constraints.iter().any(is_on_velocities);
    let has_loops = !forest.closures().is_empty() || !model.constraints.iter().all(is_on_velocities);
    if !model.constraints.iter().all(is_taken) || (has_velocity_rows && has_loops) {
        return None;
    }
    let mut node_of_joint = vec![None; model.joints.len()];
    for at in 0..forest.len() {
        if let Some(link) = forest.at(at).1 {
            node_of_joint[link.0 as usize] = Some(at);
        }
    }
    let mut all = Vec::new();
    for c in 0..model.constraints.len() {
        match &model.constraints[c].coupler {
            None => all.push(of_rule(model, c)),
            Some(coupler) => {
                for first in (0..coupler.offsets.len()).step_by(MAX_LOOP_ROWS) {
                    all.push(of_coupler(model, c, first, (forest, &node_of_joint)));
                }
            }
        }
    }
    Some(all)
}

/// A frame of a constraint; its end is added to those of the coupling.
fn row_frame(model: &Model, at: &Attachment, kind: EndKind, coupling: &mut Coupling) -> RowFrame {
    let body = at.body().map(|i| &model.bodies[i]);
    let end = body.map(|body| {
        coupling.ends.push((body.block, kind));
        coupling.ends.len() - 1
    });
    RowFrame { at: *at, mask: ForceMask::of(body.map(|body| body.kind)), end }
}

/// Rows of a rule on the frames of a constraint.
fn of_rule(model: &Model, c: usize) -> (CouplingRows, Coupling) {
    let constraint = &model.constraints[c];
    let (rows, n) = (constraint.rows, constraint.frames.len());
    let mut coupling = Coupling { link: constraint.link, rows, ends: Vec::new(), is_absolute: true };
    let frames = constraint.frames.iter().map(|at| row_frame(model, at, EndKind::Block, &mut coupling));
    let source = RowSource::Rule {
        frames: frames.collect(),
        motions: vec![FrameMotion::default(); n],
        wrenches: vec![Wrench::ZERO; 2 * n * rows],
    };
    let rows = CouplingRows { constraint: c, first: 0, count: rows, errors: RowErrors::default(), source };
    (rows, coupling)
}

/// Rows of a coupler from `first` on, at most [`MAX_LOOP_ROWS`].
fn of_coupler(
    model: &Model,
    c: usize,
    first: usize,
    (forest, node_of_joint): (&ArticulatedForest, &[Option<usize>]),
) -> (CouplingRows, Coupling) {
    let constraint = &model.constraints[c];
    let (parts, joints, offsets) = match &constraint.coupler {
        Some(coupler) => (&coupler.parts[..], &coupler.joints[..], &coupler.offsets[first..]),
        None => (&[][..], &[][..], &[][..]),
    };
    let count = if offsets.len() < MAX_LOOP_ROWS { offsets.len() } else { MAX_LOOP_ROWS };
    let mut coupling = Coupling { link: constraint.link, rows: count, ends: Vec::new(), is_absolute: false };
    let mut coordinates: Vec<RowCoordinate> = Vec::new();
    for part in parts.iter().filter(|part| (first..first + count).contains(&part.row)) {
        let known = coordinates
            .iter()
            .position(|known| (known.about.pair, known.about.coordinate) == (part.pair, part.coordinate));
        let known = known.unwrap_or_else(|| {
            let frames = [&constraint.frames[2 * part.pair], &constraint.frames[2 * part.pair + 1]];
            let child = node_of_joint[joints[part.pair]].map(|at| forest.at(at).0);
            let kind = |at: &Attachment| match (child, at.body().map(|i| model.bodies[i].block)) {
                (None, _) => EndKind::Block,
                (Some(child), Some(own)) if child == own => EndKind::Child,
                _ => EndKind::Parent,
            };
            let frames = frames.map(|at| row_frame(model, at, kind(at), &mut coupling));
            coordinates.push(RowCoordinate {
                about: part.clone(),
                frames,
                pose: CoordinatePose::default(),
                terms: Vec::new(),
            });
            coordinates.len() - 1
        });
        coordinates[known].terms.push((part.row - first, part.polynomial.clone()));
    }
    let source = RowSource::Coupler { coordinates, offsets: offsets[..count].to_vec() };
    (CouplingRows { constraint: c, first, count, errors: RowErrors::default(), source }, coupling)
}

impl CouplingRows {
    /// Index of a row among all rows of the model.
    pub(crate) fn row_at(&self, model: &Model, r: usize) -> usize {
        model.constraints[self.constraint].row_at + self.first + r
    }

    /// Evaluates C and Ċ; with `out` also J and c, as wanted.
    pub(crate) fn evaluate(
        &mut self,
        model: &Model,
        motions: &[Motion],
        at: &CouplingInstant,
        (mut out, want): (Option<&mut LoopClosure>, RowsWanted),
    ) {
        if let Some(out) = &mut out {
            out.bias = [0.0; MAX_LOOP_ROWS];
            out.ends.iter_mut().for_each(|end| end.rows[..self.count].fill(Six::ZERO));
        }
        self.errors = RowErrors::default();
        let RowErrors { err, scale, rate, rate_scale, time_rate } = &mut self.errors;
        match &mut self.source {
            RowSource::Coupler { coordinates, offsets } => {
                for (r, offset) in offsets.iter().enumerate() {
                    (err[r], scale[r]) = (-offset, offset.abs());
                }
                for coordinate in coordinates {
                    coordinate.evaluate(motions, at, &mut self.errors, (out.as_deref_mut(), want));
                }
            }
            RowSource::Rule { frames, motions: of_frames, wrenches } => {
                for (to, frame) in of_frames.iter_mut().zip(&*frames) {
                    *to = frame.motion(motions);
                }
                let (n, count) = (frames.len(), self.count);
                let mut bias = [0.0; MAX_LOOP_ROWS];
                let numbers = ConstraintNumbers {
                    err: &mut err[..count],
                    scale: &mut scale[..count],
                    time_rate: &mut time_rate[..count],
                    bias: &mut bias[..count],
                };
                let constraint = &model.constraints[self.constraint];
                evaluate_constraint(constraint, at.of_rows(), (of_frames, wrenches), numbers);
                for r in 0..count {
                    let gradients = &wrenches[r * n..(r + 1) * n];
                    let whole = rates_of_row(of_frames, gradients, (time_rate[r], bias[r]));
                    [rate[r], rate_scale[r], bias[r]] = whole;
                    let Some(out) = &mut out else { continue };
                    out.bias[r] = bias[r];
                    for ((frame, at), gradient) in frames.iter().zip(&*of_frames).zip(gradients) {
                        frame.add_to(at.arm, *gradient, r, out);
                    }
                }
            }
        }
    }

    /// Allocated memory in bytes, without the rows themselves.
    pub(crate) fn bytes(&self) -> usize {
        match &self.source {
            RowSource::Coupler { coordinates, offsets } => {
                let terms = |coordinate: &RowCoordinate| {
                    let factors: usize = coordinate.terms.iter().map(|(_, of)| of.capacity()).sum();
                    coordinate.terms.capacity() * size_of::<(usize, Vec<f64>)>() + factors * size_of::<f64>()
                };
                coordinates.capacity() * size_of::<RowCoordinate>()
                    + coordinates.iter().map(terms).sum::<usize>()
                    + offsets.capacity() * size_of::<f64>()
            }
            RowSource::Rule { frames, motions, wrenches } => {
                frames.capacity() * size_of::<RowFrame>()
                    + motions.capacity() * size_of::<FrameMotion>()
                    + wrenches.capacity() * size_of::<Wrench>()
            }
        }
    }

    /// Error of a row and the size of its terms: of positions, or of velocities.
    pub(crate) fn row_gap(&self, position: bool, r: usize) -> (f64, f64) {
        let RowErrors { err, scale, rate, rate_scale, .. } = &self.errors;
        if position { (err[r], scale[r]) } else { (rate[r], rate_scale[r]) }
    }

    /// Errors of the rows that exceed their bounds, zero for the others.
    pub(crate) fn errors_above(&self, what: Correction, bound: impl Fn(f64) -> f64) -> [f64; MAX_LOOP_ROWS] {
        core::array::from_fn(|r| {
            let (error, size) = self.row_gap(what == Correction::Positions, r);
            if error.abs() > bound(size) { error } else { 0.0 }
        })
    }

    /// Part of the rows' errors that is noise near a singular pose (see `LoopJoint::noise`).
    pub(crate) fn noise(&self, what: Correction, meant: f64, bound: impl Fn(f64) -> f64) -> Noise {
        let size = core::array::from_fn(|r| bound(self.row_gap(what == Correction::Positions, r).1));
        Noise { size, over_sine: what == Correction::Velocities, meant }
    }
}

impl CoordinatePose {
    /// Whether it is that of these bodies: all numbers are equal, where zeros of either sign are.
    fn is_at(&self, a: &Motion, b: &Motion) -> bool {
        self.bodies == Some([(a.pos, a.rot), (b.pos, b.rot)])
    }
}

impl RowCoordinate {
    /// Evaluates the coordinate at new poses of its bodies; returns h (`joint/drive.rs`).
    fn write_pose(&mut self, motions: &[Motion]) -> f64 {
        let [a, b] = [self.frames[0].motion(motions), self.frames[1].motion(motions)];
        let relative = Relative::new(&a, &b);
        let row = self.about.kind.coordinate_row(self.about.coordinate, &relative);
        let on_b = relative.to_world(row.gradient);
        let on_a = relative.carried_to_a(on_b);
        let at_centre = |arm: Vec3, w: Wrench| Six::new(w.force, w.torque + arm.cross(w.force));
        let [of_a, of_b] = self.frames.each_ref().map(|frame| &motions[frame.body(motions)]);
        self.pose = CoordinatePose {
            bodies: Some([(of_a.pos, of_a.rot), (of_b.pos, of_b.rot)]),
            raw: row.value,
            reach: relative.reach,
            gradient: on_b,
            arms: [a.arm, b.arm],
            offset: relative.offset,
            rows: [
                self.frames[0].mask.masked(&at_centre(a.arm, on_a)),
                self.frames[1].mask.masked(&at_centre(b.arm, on_b)),
            ],
        };
        row.velocity_term
    }

    /// Adds the terms of the coordinate to its rows.
    fn evaluate(
        &mut self,
        motions: &[Motion],
        at: &CouplingInstant,
        errors: &mut RowErrors,
        (mut out, want): (Option<&mut LoopClosure>, RowsWanted),
    ) {
        let [a, b] = self.frames.each_ref().map(|frame| &motions[frame.body(motions)]);
        // h vanishes where the joint is closed; whether the pose was known must not matter.
        let mut velocity_term = 0.0;
        if want == RowsWanted::BiasOfOpen {
            velocity_term = self.write_pose(motions);
        } else if !self.pose.is_at(a, b) {
            self.write_pose(motions);
        }
        let CoordinatePose { raw, reach, gradient, arms: [arm_a, arm_b], offset, rows, .. } = self.pose;
        let Wrench { force, torque } = gradient;
        let s = self.about.value(raw, &at.turns);
        let is_angle = self.about.kind.is_angle(self.about.coordinate);
        let reach = if is_angle { 1.0 + s.abs() } else { reach + s.abs() };
        let (spin, turning) = (b.omega - a.omega, a.omega.largest() + b.omega.largest());
        let mut rate = torque.dot(spin);
        let mut speed = torque.largest() * turning;
        let mut bias = velocity_term - torque.dot(a.omega.cross(b.omega));
        if force != Vec3::ZERO {
            let (turn_a, turn_b) = (a.omega.cross(arm_a), b.omega.cross(arm_b));
            let (shift, carried) = (b.vel + turn_b - a.vel - turn_a, a.omega.cross(offset));
            rate += force.dot(shift - carried);
            let arms = a.omega.largest() * (arm_a.largest() + offset.largest())
                + b.omega.largest() * arm_b.largest();
            speed += force.largest() * (a.vel.largest() + b.vel.largest() + arms);
            let centripetal = b.omega.cross(turn_b) - a.omega.cross(turn_a) + a.omega.cross(carried);
            bias += force.dot(centripetal - a.omega.cross(shift) * 2.0);
        }
        for (r, polynomial) in &self.terms {
            let ([f, first, second, size], r) = (horner(polynomial, s), *r);
            errors.err[r] += f;
            errors.scale[r] += size + first.abs() * reach;
            errors.rate[r] += first * rate;
            errors.rate_scale[r] += first.abs() * speed;
            let Some(out) = &mut out else { continue };
            out.bias[r] += first * bias + second * rate * rate;
            for (frame, row) in self.frames.iter().zip(&rows) {
                if let Some(end) = frame.end {
                    out.ends[end].rows[r] += row.scaled(first);
                }
            }
        }
    }
}

/// J x + c of a row of a coupling, and the squared size of the terms that form it. `x` gives the unknowns
/// and the squared acceleration of a node that its forces could cause without cancellation.
pub(crate) fn coupling_residual(
    closure: &LoopClosure,
    r: usize,
    x: impl Fn(usize) -> (Six, f64),
) -> (f64, f64) {
    let mut left = closure.bias[r];
    let mut size = left * left;
    for (at, rows) in closure.each_end() {
        let (row, (x, reach)) = (&rows[r], x(at));
        let (lin, ang) = (row.lin.dot(row.lin), row.ang.dot(row.ang));
        left += row.dot(&x);
        size += lin * x.lin.dot(x.lin) + ang * x.ang.dot(x.ang) + larger(lin, ang) * reach;
    }
    (left, size)
}
