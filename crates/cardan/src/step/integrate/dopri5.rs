//! The pair of orders 5 and 4 by Dormand and Prince (1980) in the chart u, with its continuous
//! extension of order 4.
//!
//! ```text
//! y = (u, Δv, turns, ledger)     u̇ = dexp⁻¹_u(v), v̇, rates of joint angles, rates of the ledger
//! Y_s = h Σ_j a_sj k_j           seven stages; the last is at the new state
//! err = h Σ_j e_j k_j            error estimate
//! y(σ) = h Σ_j w_j(σ) k_j        dense output            (Hairer, Nørsett, Wanner I, II.6)
//! ```
//!
//! Angles and the ledger are integrated at the same order but do not affect the step size. dexp⁻¹
//! is exact here: a step may rotate a body by a radian and more.
//!
//! The last stage of a step is not reused as the first of the next (the pair would allow it): the
//! new state is projected before it is evaluated again, and nothing that influences later bits may
//! live outside the state.

use crate::math::{Vec3, larger};
use crate::measure::coordinates::{align_turns, write_turn_rates};
use crate::model::{Attachment, Model, ModelBody};
use crate::settings::{Coordinates, Settings};
use crate::state::{Ledger, State};
use crate::step::articulated;
use crate::step::dynamics::kinematics::advance;
use crate::step::dynamics::{joint_coordinates, rank_plan};
use crate::step::evaluate::{accelerations, joint_accelerations};
use crate::step::integrate::close_stage;
use crate::step::integrate::joint_coordinates as reduced;
use crate::step::project::general;
use crate::step::workspace::Workspace;
use crate::step_error::{Stage, StepError};

/// Number of stages.
const STAGES: usize = 7;

/// c_s: times of the stages, relative to the step.
const C: [f64; STAGES] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];

/// a_sj; the last row holds the weights of order 5.
const A: [[f64; 6]; STAGES] = [
    [0.0; 6],
    [0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Weights of order 5 minus those of order 4.
const E: [f64; STAGES] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Weights of the continuous extension beyond the cubic Hermite interpolant.
const D: [f64; STAGES] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// Weights w_j(σ) of the dense output: w(0) = 0, w(1) = the weights of order 5.
fn dense_weights(sigma: f64) -> [f64; STAGES] {
    let rest = 1.0 - sigma;
    let bend = sigma * sigma * rest;
    let mut w = [0.0; STAGES];
    for (j, w) in w.iter_mut().enumerate() {
        let b = if j < 6 { A[6][j] } else { 0.0 };
        *w = b * (sigma - sigma * rest + 2.0 * bend) + D[j] * (bend * rest);
    }
    w[0] += sigma * rest - bend;
    w[6] -= bend;
    w
}

/// Pivot sines below this may vanish within a step.
const NEAR: f64 = 0.2;
/// A start with a rank margin below this is next to a singular pose; steps that pass it have at
/// least the tolerance `WHILE_PASSING`.
const NEXT: f64 = 4e-3;
const WHILE_PASSING: f64 = 1e-10;
/// Rounding of the terms of accelerations.
const ROUNDING_OF_RATES: f64 = 16.0 * f64::EPSILON;
/// Number of ledger entries.
const ACCOUNTS: usize = 8;

/// Stages of one step, kept until the next for dense output.
#[derive(Debug)]
pub(crate) struct Dopri5Stages {
    /// Rates at the stages.
    k: [Vec<f64>; STAGES],
    /// Increment of the current stage over the start.
    y: Vec<f64>,
    pub(crate) start: State,
    /// Whether joint coordinates are integrated instead of poses.
    joints: bool,
    /// Start of a call that takes several steps, to return to if one of them fails.
    pub(crate) origin: State,
    pub(crate) h: f64,
    /// Whether the stages are those of an accepted step.
    pub(crate) accepted: bool,
    /// Points of the ground with attachments.
    anchors: Vec<Vec3>,
    /// The largest radius of gyration.
    gyration: f64,
    /// Geometric rank margin of the loop-closure rows at the start; and pivot sines of the stages.
    left: f64,
    sines: [f64; STAGES],
}

/// An estimated error relative to the tolerance, and the body that has it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ErrorEstimate {
    pub(crate) error: f64,
    pub(crate) body: usize,
}

impl Dopri5Stages {
    /// Stages for a model, before the first step.
    pub(crate) fn new(model: &Model) -> Self {
        let size = 2 * model.v_len + model.turn_len + ACCOUNTS;
        let state = State::zeros(model.q_len, model.v_len, model.turn_len, model.sum_len, model.plan_len());
        let joints = model.joints.iter().flat_map(|joint| [&joint.a, &joint.b]);
        let others = model.constraints.iter().flat_map(|c| &c.frames);
        let others = others.chain(model.forces.iter().flat_map(|f| &f.frames));
        let ground = |at: &&Attachment| at.body().is_none();
        let radius = |i: usize| {
            let mass = &model.bodies[i].mass;
            (mass.inertia.trace() / mass.mass).sqrt()
        };
        Dopri5Stages {
            k: core::array::from_fn(|_| vec![0.0; size]),
            y: vec![0.0; size],
            start: state.clone(),
            joints: false,
            origin: state,
            h: 0.0,
            accepted: false,
            anchors: joints.chain(others).filter(ground).map(|at| at.local.pos).collect(),
            gyration: (0..model.bodies.len()).map(radius).fold(0.0, larger),
            left: 1.0,
            sines: [1.0; STAGES],
        }
    }

    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let numbers = self.k.iter().map(Vec::capacity).sum::<usize>() + self.y.capacity();
        numbers * size_of::<f64>()
            + self.anchors.capacity() * size_of::<Vec3>()
            + self.start.bytes()
            + self.origin.bytes()
    }

    /// Takes the state to return to, and leaves an empty one.
    pub(crate) fn take_origin(&mut self) -> State {
        core::mem::take(&mut self.origin)
    }

    /// Whether a time lies within the step.
    pub(crate) fn spans(&self, time: f64) -> bool {
        let past = (time - self.start.time) - self.start.time_remainder;
        past >= 0.0 && past <= self.h
    }

    /// Evaluates the first stage, at the start of the step.
    pub(crate) fn begin(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &State,
        work: &mut Workspace,
    ) -> Result<(), StepError> {
        self.accepted = false;
        self.joints = settings.coordinates == Coordinates::Joints;
        if self.joints {
            reduced::begin(model, settings, state, work)?;
            self.start.copy_from(&work.stages.next);
            self.start.exchange_joints();
        } else {
            self.start.copy_from(state);
            self.start.forget_joints();
        }
        self.y.fill(0.0);
        work.stages.stage.copy_from(&self.start);
        self.write_rates(model, settings, work, 0)?;
        self.start.plan.copy_from_slice(&work.solvers.plan);
        self.sines = [articulated::min_pivot_sine(work); STAGES];
        let is_near = settings.projects() && !self.joints && articulated::min_pivot_sine(work) < NEAR;
        self.left = if is_near { articulated::geometric_rank_margin(model, work) } else { 1.0 };
        Ok(())
    }

    /// Evaluates the other stages of a step of `h` \[s\]. The result is in `work.stages.next`, not yet
    /// projected.
    pub(crate) fn run_stages(
        &mut self,
        model: &Model,
        settings: &Settings,
        h: f64,
        work: &mut Workspace,
    ) -> Result<(), StepError> {
        self.h = h;
        // A sine changes at most at about twice the largest angular velocity.
        work.integrator.passes_singular_pose = self.left < NEAR && self.left <= 2.0 * h * self.fastest(model);
        if self.joints {
            // A failed trial may have left any state.
            work.stages.stage.copy_from(&self.start);
        }
        rank_plan::resume(model, &self.start.plan, work);
        for s in 1..STAGES {
            self.sum(A[s].iter().copied());
            self.write_state(model, &mut work.stages.stage);
            work.stages.stage.time = self.start.time + C[s] * h;
            if work.integrator.passes_singular_pose {
                close_stage(model, settings, work);
            }
            self.write_rates(model, settings, work, s)?;
            self.sines[s] = articulated::min_pivot_sine(work);
        }
        work.stages.next.copy_from(&self.start);
        self.write_state(model, &mut work.stages.next);
        work.stages.next.advance_time(h);
        self.add_flows(model, &mut work.stages.next.ledger);
        if self.joints {
            reduced::leave(model, work);
        }
        Ok(())
    }

    /// Whether a stage of the trial is so close to a singular pose that its rates are rounding
    /// relative to those of the others.
    pub(crate) fn meets_singular_pose(&self) -> bool {
        let most = self.sines.iter().fold(0.0, |w, s| larger(w, *s));
        self.left < NEAR && self.sines[1..].iter().any(|s| *s < 0.02 * most)
    }

    /// The size of a step that passes a singular pose, if the start is next to one; zero elsewhere
    /// \[s\].
    ///
    /// Small steps would end at the pose, where everything is rounding, even the choice of the
    /// branch.
    pub(crate) fn size_to_pass(&self, model: &Model) -> f64 {
        let fastest = self.fastest(model);
        if self.left < NEXT && fastest > 0.0 { 5.0 * self.left / fastest } else { 0.0 }
    }

    /// The largest angular velocity at the start [rad/s].
    fn fastest(&self, model: &Model) -> f64 {
        let spin = |body: &ModelBody| body.sizes(&self.start.v[body.v_range()]).1;
        model.bodies.iter().map(spin).fold(0.0, larger)
    }

    /// y = h Σ_j w_j k_j.
    fn sum(&mut self, weights: impl Iterator<Item = f64>) {
        self.y.fill(0.0);
        for (w, k) in weights.zip(&self.k) {
            if w != 0.0 {
                let w = w * self.h;
                for (y, k) in self.y.iter_mut().zip(k) {
                    *y += w * k;
                }
            }
        }
    }

    /// Writes the start with y added.
    fn write_state(&self, model: &Model, out: &mut State) {
        let (u, rest) = self.y.split_at(model.v_len);
        let (dv, rest) = rest.split_at(model.v_len);
        advance(model, &self.start.q, u, &mut out.q);
        for ((v, start), d) in out.v.iter_mut().zip(&self.start.v).zip(dv) {
            *v = start + d;
        }
        for ((turn, start), d) in out.turns.iter_mut().zip(&self.start.turns).zip(rest) {
            *turn = start + d;
        }
    }

    /// Adds the ledger part of y to a ledger.
    fn add_flows(&self, model: &Model, ledger: &mut Ledger) {
        let flow = &self.y[2 * model.v_len + model.turn_len..];
        ledger.work += flow[0];
        ledger.dissipated += flow[1];
        ledger.impulse += Vec3::new(flow[2], flow[3], flow[4]);
        ledger.angular_impulse += Vec3::new(flow[5], flow[6], flow[7]);
    }

    /// k_s at `work.stages.stage`.
    fn write_rates(
        &mut self,
        model: &Model,
        settings: &Settings,
        work: &mut Workspace,
        s: usize,
    ) -> Result<(), StepError> {
        let stage = if s == 0 { Stage::First } else { Stage::Inner(s as u8 + 1) };
        let rate = if self.joints {
            joint_accelerations(model, settings, work, stage.into())?
        } else {
            accelerations(model, settings, work, stage)?
        };
        let (du, rest) = self.k[s].split_at_mut(model.v_len);
        let (dv, rest) = rest.split_at_mut(model.v_len);
        let (turns, flows) = rest.split_at_mut(model.turn_len);
        for body in &model.bodies {
            let range = body.v_range();
            let v = &work.stages.stage.v[range.clone()];
            body.kind.exact_chart_rate(&self.y[range.clone()], v, &mut du[range]);
        }
        dv.copy_from_slice(&work.equations.acc);
        write_turn_rates(model, &work.kinematics.motions, turns);
        flows[..2].copy_from_slice(&[rate.work, rate.dissipated]);
        flows[2..5].copy_from_slice(&rate.force.to_array());
        flows[5..].copy_from_slice(&rate.moment.to_array());
        Ok(())
    }

    /// The error of the step relative to the tolerance: the largest of all bodies, in position,
    /// angle, velocity or angular velocity. Each is the norm of a vector, so that rotating the
    /// world changes nothing. Positions are relative to the extent of the mechanism, not to its
    /// distance from the origin. Errors of joint coordinates are mapped to the bodies, so that a
    /// tolerance has one meaning.
    pub(crate) fn estimate(
        &mut self,
        model: &Model,
        settings: &Settings,
        work: &mut Workspace,
    ) -> ErrorEstimate {
        let end_turn = largest_turn(model, &self.y);
        let control = &settings.control;
        let (speed, spin) = self.speeds(model, work);
        let allowed = |size: f64| control.absolute + control.relative * size;
        // Where a loop has a pivot sine s, accelerations are known to rounding over s²; the
        // tolerance is not smaller.
        let least = self.sines.iter().fold(1.0, |w, s| if *s < w { *s } else { w });
        let rounding = if least < NEAR { ROUNDING_OF_RATES / (least * least) } else { 0.0 };
        let noise = rounding * self.h * spin;
        // Steps over the singular pose have a larger tolerance.
        let least = if self.left < NEXT { larger(noise, WHILE_PASSING) } else { noise };
        let allowed = |size: f64| larger(allowed(size), least * size);
        let lin = (allowed(self.extent(model)), allowed(speed));
        let ang = (allowed(1.0), allowed(spin));
        let work_at = 2 * model.v_len + model.turn_len;
        let work_done = allowed(self.start.ledger.work.abs() + self.y[work_at].abs());
        self.sum(E.into_iter());
        if self.joints {
            let (du, rest) = self.y.split_at_mut(model.v_len);
            joint_coordinates::map_to_bodies(model, work, du);
            joint_coordinates::map_to_bodies(model, work, &mut rest[..model.v_len]);
        }
        let mut worst = ErrorEstimate { error: 0.0, body: 0 };
        for (i, body) in model.bodies.iter().enumerate() {
            let part = |from: usize| body.sizes(&self.y[from + body.v_at as usize..][..body.kind.dim()]);
            let (du, dv) = (part(0), part(model.v_len));
            let place = larger(du.0 / lin.0, du.1 / ang.0);
            let rate = larger(dv.0 / lin.1, dv.1 / ang.1);
            let error = larger(place, rate);
            // NaN counts as the worst.
            if error > worst.error || error.is_nan() {
                worst = ErrorEstimate { error, body: i };
            }
        }
        // A fully driven mechanism has no error of motion: the work of its drives controls the
        // step.
        if let Some(drive) = model.drives.first() {
            let (joint, error) = (&model.joints[drive.joint], self.y[work_at].abs() / work_done);
            if error > worst.error || error.is_nan() {
                worst = ErrorEstimate { error, body: joint.b.body().or(joint.a.body()).unwrap_or(0) };
            }
        }
        // Half a turn and more leaves the chart of orientations.
        if let Some((body, turn)) = end_turn
            && turn > 3.0
        {
            worst = ErrorEstimate { error: larger(worst.error, 32.0), body };
        }
        worst
    }

    /// The size of the mechanism \[m\]: the largest distance of a body or anchor from the middle of
    /// all, plus the largest radius of gyration.
    fn extent(&self, model: &Model) -> f64 {
        let (q, v) = self.start_of_bodies();
        let centre = |i: usize| {
            let body = &model.bodies[i];
            body.kind.motion(&q[body.q_range()], &v[body.v_range()]).pos
        };
        let (bodies, anchors) = (0..model.bodies.len(), &self.anchors);
        let count = bodies.len() + anchors.len();
        let sum = bodies.clone().map(centre).chain(anchors.iter().copied()).fold(Vec3::ZERO, |s, p| s + p);
        let middle = sum / (count as f64);
        let far = bodies.map(centre).chain(anchors.iter().copied());
        far.map(|p| (p - middle).norm()).fold(0.0, larger) + self.gyration
    }

    /// Poses and velocities of the bodies at the start.
    fn start_of_bodies(&self) -> (&[f64], &[f64]) {
        let start = &self.start;
        if self.joints { (&start.joint_q, &start.joint_v) } else { (&start.q, &start.v) }
    }

    /// The largest speed and angular velocity at both ends of the step.
    fn speeds(&self, model: &Model, work: &Workspace) -> (f64, f64) {
        let (mut speed, mut spin) = (0.0, 0.0);
        for body in &model.bodies {
            for v in [self.start_of_bodies().1, &work.stages.next.v] {
                let v = body.sizes(&v[body.v_range()]);
                speed = larger(speed, v.0);
                spin = larger(spin, v.1);
            }
        }
        (larger(speed, spin * self.gyration), spin)
    }

    /// The largest step that rotates no rigid body (nor spherical joint, in joint coordinates) by
    /// more than 2 rad at the current angular velocity \[s\].
    pub(crate) fn chart_limit(&self, model: &Model) -> f64 {
        match largest_turn(model, &self.start.v) {
            Some((_, spin)) if spin > 0.0 => 2.0 / spin,
            _ => f64::INFINITY,
        }
    }

    /// Writes the state at a time within the accepted step to `work.stages.next`; projected if the
    /// settings say so.
    pub(crate) fn interpolate(
        &mut self,
        model: &Model,
        settings: &Settings,
        time: f64,
        work: &mut Workspace,
    ) -> Result<(), StepError> {
        let sigma = ((time - self.start.time) - self.start.time_remainder) / self.h;
        self.sum(dense_weights(sigma).into_iter());
        work.stages.next.copy_from(&self.start);
        self.write_state(model, &mut work.stages.next);
        self.add_flows(model, &mut work.stages.next.ledger);
        (work.stages.next.time, work.stages.next.time_remainder) = (time, 0.0);
        if self.joints {
            reduced::leave(model, work);
        }
        if settings.projects() {
            general::assemble(model, settings, work, &mut Default::default())?;
        } else {
            general::measure(model, settings, work)?;
        }
        align_turns(model, work);
        if self.joints {
            joint_coordinates::keep_turns(model, work);
        }
        Ok(())
    }
}

/// The rigid body with the largest rotation in a vector of velocity space.
fn largest_turn(model: &Model, u: &[f64]) -> Option<(usize, f64)> {
    let mut worst: Option<(usize, f64)> = None;
    for (i, body) in model.bodies.iter().enumerate() {
        if body.kind.moves_freely() {
            let turn = body.sizes(&u[body.v_range()]).1;
            if worst.is_none_or(|w| turn > w.1) {
                worst = Some((i, turn));
            }
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_continuous_extension_joins_both_ends_smoothly() {
        // w(0) = 0, w(1) = b, w'(0) = e₁, w'(1) = e₇,
        // and Σ w_j(σ) c_jᵏ = σᵏ⁺¹/(k + 1) up to order 4.
        let near = |x: f64, y: f64, by: f64| assert!((x - y).abs() < by, "{x} is not {y}");
        let d = 1e-6;
        let (start, end) = (dense_weights(0.0), dense_weights(1.0));
        for j in 0..STAGES {
            near(start[j], 0.0, 0.0 + f64::MIN_POSITIVE);
            near(end[j], if j < 6 { A[6][j] } else { 0.0 }, 1e-15);
            near((dense_weights(d)[j] - start[j]) / d, if j == 0 { 1.0 } else { 0.0 }, 1e-4);
            near((end[j] - dense_weights(1.0 - d)[j]) / d, if j == 6 { 1.0 } else { 0.0 }, 1e-4);
        }
        for sigma in [0.1, 0.37, 0.5, 0.9] {
            let w = dense_weights(sigma);
            let mut power = [1.0; STAGES];
            let mut exact = sigma;
            for k in 0..4 {
                near(w.iter().zip(&power).map(|(w, c)| w * c).sum(), exact / (k + 1) as f64, 1e-14);
                power.iter_mut().zip(C).for_each(|(p, c)| *p *= c);
                exact *= sigma;
            }
        }
    }

    #[test]
    fn the_tableau_satisfies_its_quadrature_conditions() {
        for row in 0..STAGES {
            assert!((A[row].iter().sum::<f64>() - C[row]).abs() < 1e-14, "row {row}");
        }
        assert!(E.iter().sum::<f64>().abs() < 1e-16);
        for k in 0..5 {
            let sum = |w: &dyn Fn(usize) -> f64| -> f64 {
                (0..STAGES).map(|j| w(j) * (0..k).fold(1.0, |p, _| p * C[j])).sum()
            };
            let fifth = sum(&|j| if j < 6 { A[6][j] } else { 0.0 });
            assert!((fifth - 1.0 / (k + 1) as f64).abs() < 1e-15, "order 5: {k}");
            if k < 4 {
                assert!(sum(&|j| E[j]).abs() < 1e-15, "order 4: {k}");
            }
        }
    }
}
