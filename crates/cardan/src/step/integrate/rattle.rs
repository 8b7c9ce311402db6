//! RATTLE on the manifold of orientations (Andersen 1983; rigid bodies as in Dullweber, Leimkuhler
//! and McLachlan 1997). Order 2, symmetric, symplectic on the constraint manifold: energy errors
//! stay bounded in long runs.
//!
//! With momenta p = M v (angular momentum in world axes, so that there is no gyroscopic force):
//!
//! ```text
//! p½ = p₀ + h/2 F(q₀, v₀) + J(q₀)ᵀ λ      λ such that C(q₁) = 0
//! q₁ = drift by h with p½                  x + h v; orientations by `rotor.rs`
//! p₁ = p½ + h/2 F(q₁, v₁) + J(q₁)ᵀ μ      μ such that J(q₁) v₁ + C_t = 0
//! ```
//!
//! λ starts as h/2 times the multipliers of the accelerations at q₀, which leaves C(q₁) = O(h³).
//! The rest is found with the factor of H at q₀: H (Δ, τ) = (0, C(q₁)), v½ ← v½ + Δ/h. Every
//! correction is M⁻¹ Jᵀ τ of the *old* pose, as symplecticity requires, and each round contracts by
//! the rotation of one step. Velocities are projected by `project/general.rs`, with the factor at
//! q₁.
//!
//! Constraints on velocities only have no C(q₁) to find λ from, and are rejected.
//!
//! Forces that depend on velocity (dampers, drag) enter explicitly at the start of a step and
//! implicitly at its end, by fixed-point iteration. The two halves are adjoint, so the step stays
//! symmetric.

use crate::body::BodyKind;
use crate::body::general::Motions;
use crate::force::ForceKind;
use crate::joint::Relative;
use crate::math::{Quat, larger, vec3};
use crate::model::{Model, ModelBody};
use crate::settings::Settings;
use crate::state::{Ledger, State};
use crate::step::articulated;
use crate::step::articulated::Correction;
use crate::step::dynamics::constraint_rows::{RowContent, write_constraint_rows};
use crate::step::dynamics::kinematics::advance;
use crate::step::dynamics::ledger::{LedgerRate, book};
use crate::step::dynamics::multipliers::{reach, world_reactions};
use crate::step::evaluate::accelerations;
use crate::step::integrate::rotor::Rotor;
use crate::step::project::general::{self};
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use crate::step::workspace::{Equations, StageBuffers};
use crate::step_error::{Stage, StepError};
use crate::tolerances::NOISE;

/// Largest number of rounds for the positions, or for forces that depend on velocity.
const MAX_ROUNDS: u32 = 100;

/// Scratch of this integrator; all of it follows from the model and the state.
#[derive(Debug)]
pub(crate) struct RattleScratch {
    /// One per body; used for rigid bodies only.
    rotors: Vec<Rotor>,
    /// v½ at the old pose: M(q₀)⁻¹ p½.
    half: Vec<f64>,
    /// v½ at the new pose: M(q₁)⁻¹ p½.
    drifted: Vec<f64>,
    /// Motions of bodies and joints at q₀.
    motions: Motions,
    relatives: Vec<Relative>,
    /// Whether some force depends on velocity.
    damped: bool,
}

impl RattleScratch {
    /// Scratch for a model.
    fn new(model: &Model, work: &Workspace) -> Self {
        RattleScratch {
            rotors: model.bodies.iter().map(|body| Rotor::new(&body.mass.inertia)).collect(),
            half: vec![0.0; model.v_len],
            drifted: vec![0.0; model.v_len],
            motions: work.kinematics.motions.clone(),
            relatives: work.kinematics.relatives.clone(),
            damped: is_damped(model),
        }
    }

    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.rotors.capacity() * size_of::<Rotor>()
            + (self.half.capacity() + self.drifted.capacity()) * size_of::<f64>()
            + self.motions.bytes()
            + self.relatives.capacity() * size_of::<Relative>()
    }
}

/// Whether any force depends on velocity, or does work that is booked with the velocity: both use
/// the velocity at the end of the step. User forces are assumed to depend on it.
fn is_damped(model: &Model) -> bool {
    let law = |kind: &ForceKind| match kind {
        ForceKind::GravityPoint(_) => false,
        ForceKind::Constant(_) | ForceKind::Scheduled(_) => true,
        ForceKind::Spring(s) => s.damping != 0.0,
        ForceKind::CurveSpring(s) => s.damping != 0.0,
        ForceKind::Torsion(t) => t.damping != 0.0,
        ForceKind::Drag(_) | ForceKind::User(_) => true,
    };
    // The work of a constraint whose force acts elsewhere is booked with the velocity at the end.
    model.constraints.iter().any(|constraint| constraint.pushed)
        || model.bodies.iter().any(|body| body.general.as_ref().is_some_and(|g| g.form.is_damped()))
        || model.forces.iter().any(|force| law(&force.kind))
        || model.joints.iter().any(|joint| {
            joint.springs.iter().any(|s| s.damping != 0.0)
                || joint.efforts.iter().any(|effort| effort.depends_on_rate() || effort.is_active())
        })
}

/// From `state`, the state after `h` \[s\] in `work.stages.next`; velocities are not yet projected.
pub(crate) fn rattle_step(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if let Some(constraint) = model.velocity_only() {
        return Err(StepError::VelocityOnly { joint: constraint.name.clone() });
    }
    let mut scratch = match work.integrator.rattle.take() {
        Some(scratch) => scratch,
        None => Box::new(RattleScratch::new(model, work)),
    };
    let outcome = rattle(model, settings, state, h, work, &mut scratch);
    work.integrator.rattle = Some(scratch);
    outcome
}

/// One step with its scratch.
fn rattle(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
    scratch: &mut RattleScratch,
) -> Result<(), StepError> {
    articulated::keep_gaps(work);
    work.stages.stage.copy_from(state);
    let rate = accelerations(model, settings, work, Stage::First)?;
    if work.solvers.articulated.is_some() {
        write_constraint_rows(model, settings, work, RowContent::Errors);
    }
    scratch.motions.copy_from(&work.kinematics.motions);
    scratch.relatives.clone_from(&work.kinematics.relatives);
    kick(
        model,
        &scratch.rotors,
        &work.stages.stage,
        &work.equations.acc,
        &state.v,
        0.5 * h,
        &mut scratch.half,
    );
    work.stages.next.copy_from(state);
    work.stages.next.advance_time(h);
    book(&mut work.stages.next.ledger, 0.5 * h, &rate);

    reach_joints(model, settings, state, h, work, scratch)?;

    // `work.stages.stage` is the new pose, with the velocities of p½ there.
    scratch.drifted.copy_from_slice(&work.stages.next.v);
    let ledger = work.stages.next.ledger;
    // The work of commands is booked with the velocity at the end.
    if scratch.damped || state.commands.is_some() {
        iterate_damping(model, settings, h, work, scratch, &ledger)
    } else {
        end_kick(model, settings, h, work, scratch, &ledger)
    }
}

/// out = v + h M⁻¹ (F + Jᵀλ) from the accelerations at `at`. I⁻¹ (ω × I ω) is added back, which is
/// no force in terms of momentum.
fn kick(model: &Model, rotors: &[Rotor], at: &State, acc: &[f64], v: &[f64], h: f64, out: &mut [f64]) {
    for ((out, v), a) in out.iter_mut().zip(v).zip(acc) {
        *out = v + h * a;
    }
    for (body, rotor) in rigid(model, rotors) {
        let (q, v) = (&at.q[body.q_range()], &at.v[body.v_range()]);
        let extra = rotor.gyroscopic(rotation(q), vec3(v[3], v[4], v[5]));
        for (out, x) in out[body.v_range()][3..].iter_mut().zip(extra.to_array()) {
            *out += h * x;
        }
    }
}

/// From q₀ and v½: q₁, and the velocities of p½ there.
fn drift(model: &Model, scratch: &mut RattleScratch, state: &State, h: f64, work: &mut Workspace) {
    for (shift, v) in work.stages.shift.iter_mut().zip(&scratch.half) {
        *shift = h * v;
    }
    advance(model, &state.q, &work.stages.shift, &mut work.stages.next.q);
    work.stages.next.v.copy_from_slice(&scratch.half);
    for (body, rotor) in rigid(model, &scratch.rotors) {
        let v = &mut work.stages.next.v[body.v_range()][3..];
        let (rot, omega) = rotor.turn(rotation(&state.q[body.q_range()]), vec3(v[0], v[1], v[2]), h);
        v.copy_from_slice(&omega.to_array());
        work.stages.next.q[body.q_range()][3..].copy_from_slice(&rot.to_wxyz());
    }
}

/// Rigid bodies and their rotors.
fn rigid<'m>(model: &'m Model, rotors: &'m [Rotor]) -> impl Iterator<Item = (&'m ModelBody, &'m Rotor)> {
    model.bodies.iter().zip(rotors).filter(|(body, _)| body.kind == BodyKind::Rigid)
}

/// Orientation from the coordinates of a rigid body.
fn rotation(q: &[f64]) -> Quat {
    Quat { w: q[3], v: vec3(q[4], q[5], q[6]) }
}

/// Finds λ, that is v½ such that the drift ends on the joints.
fn reach_joints(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
    scratch: &mut RattleScratch,
) -> Result<(), StepError> {
    let mut last = f64::INFINITY;
    let mut stalled = 0;
    for round in 0..MAX_ROUNDS {
        drift(model, scratch, state, h, work);
        let now = general::measure(model, settings, work)?.position_excess;
        if now <= 1.0 || (now <= NOISE && now > 0.5 * last) {
            return Ok(());
        }
        stalled = if now > 0.9 * last { stalled + 1 } else { 0 };
        if stalled == 3 {
            // Where rows are nearly redundant, the rounding of the corrections is the limit.
            return if now <= 1e3 * NOISE {
                Ok(())
            } else {
                Err(general::cannot_close(model, settings, work, true, round))
            };
        }
        last = now;
        // The correction and the impulse of the ground belong to the old pose, like the factor.
        core::mem::swap(&mut work.kinematics.motions, &mut scratch.motions);
        core::mem::swap(&mut work.kinematics.relatives, &mut scratch.relatives);
        // With the factor of another pose no error can be recognised as rounding.
        general::solve_correction(model, work, (Correction::Positions, true), f64::INFINITY);
        for (v, shift) in scratch.half.iter_mut().zip(&work.stages.shift) {
            *v += shift / h;
        }
        let mut impulse = LedgerRate::default();
        if work.solvers.articulated.is_some() {
            (impulse.force, impulse.moment) = articulated::ground_load(model, work);
            impulse.work = articulated::drive_work(model, work);
        } else {
            world_reactions(model, work, &work.equations.row_solution, &mut impulse);
        }
        book(&mut work.stages.next.ledger, 1.0 / h, &impulse);
        core::mem::swap(&mut work.kinematics.motions, &mut scratch.motions);
        core::mem::swap(&mut work.kinematics.relatives, &mut scratch.relatives);
        work.counts.iterations += 1;
    }
    Err(general::cannot_close(model, settings, work, true, MAX_ROUNDS))
}

/// v₁ before its projection, from the forces at `work.stages.stage`.
fn end_kick(
    model: &Model,
    settings: &Settings,
    h: f64,
    work: &mut Workspace,
    scratch: &RattleScratch,
    ledger: &Ledger,
) -> Result<(), StepError> {
    let rate = accelerations(model, settings, work, Stage::Inner(2))?;
    let Workspace { stages: StageBuffers { stage, next, .. }, equations: Equations { acc, .. }, .. } = work;
    kick(model, &scratch.rotors, stage, acc, &scratch.drifted, 0.5 * h, &mut next.v);
    next.ledger = *ledger;
    book(&mut next.ledger, 0.5 * h, &rate);
    Ok(())
}

/// v₁ before its projection, from forces at v₁ itself, by fixed-point iteration.
fn iterate_damping(
    model: &Model,
    settings: &Settings,
    h: f64,
    work: &mut Workspace,
    scratch: &mut RattleScratch,
    ledger: &Ledger,
) -> Result<(), StepError> {
    let (mut last, mut growing) = (f64::INFINITY, 0);
    for _ in 0..MAX_ROUNDS {
        // The old guess is no longer needed after the kick.
        end_kick(model, settings, h, work, scratch, ledger)?;
        scratch.half.copy_from_slice(&work.stages.stage.v);
        general::project(model, settings, work, &mut StepReport::default(), false)?;
        let size = work.stages.next.v.iter().fold(0.0, |w, v| larger(w, v.abs()));
        let change =
            work.stages.next.v.iter().zip(&scratch.half).map(|(v, w)| (v - w).abs()).fold(0.0, larger);
        // The projection leaves rounding that no round removes.
        let rounding = |size: f64| 16.0 * f64::EPSILON * size;
        let stays = change > 0.5 * last;
        // Near rest velocities are small relative to their terms: h times accelerations that
        // cancel.
        if change <= rounding(size)
            || (stays && change <= 1e3 * rounding(size))
            || (stays && change <= 1e3 * rounding(size + h * reach(model, work)))
        {
            return Ok(());
        }
        growing = if change > last { growing + 1 } else { 0 };
        last = change;
        if growing == 4 {
            break;
        }
        work.stages.stage.copy_from(&work.stages.next);
    }
    let off = |b: &&ModelBody| {
        b.v_range().map(|i| (work.stages.next.v[i] - scratch.half[i]).abs()).fold(0.0, larger) >= last
    };
    let body = model.bodies.iter().find(off).map_or(String::new(), |b| b.name.clone());
    Err(StepError::Unsettled { body, time: work.stages.next.time, change: last })
}
