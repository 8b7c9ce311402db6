//! Drive targets: position, speed and acceleration of driven coordinates at the time of an
//! evaluation.
//!
//! | mode | s | ṡ | s̈ |
//! |---|---|---|---|
//! | position | f(t) | ḟ | f̈ |
//! | speed | s₀ + ∫ f | f | ḟ |
//! | acceleration | s₀ + ṡ₀ t + ∫∫ f | ṡ₀ + ∫ f | f |
//!
//! f: law of the drive; s: coordinate [m, rad]. Integrals without a closed form are kept in the
//! state and continued by quadrature of order ten on each step.

use crate::joint::DriveMode;
use crate::law::Jet;
use crate::model::{Model, ModelDrive};
use crate::state::State;
use crate::step::workspace::{Evaluation, ForceResponse, Workspace};
use crate::step::workspace::{Kinematics, Solvers, StageBuffers};
use crate::step_error::StepError;

impl ModelDrive {
    /// ∫ and ∫∫ of the law from zero to the time of a state.
    fn integrals(&self, state: &State) -> [f64; 2] {
        let t = state.time;
        let Some(at) = self.sums_at else { return self.law.integrals(t).unwrap_or([f64::NAN; 2]) };
        let [first, second] = state.sums[at];
        let from = state.sums_time;
        if t == from {
            return [first, second];
        }
        let [more, more_twice] = self.law.quadrature(from, t);
        [first + more, second + first * (t - from) + more_twice]
    }

    /// Sets the start values so that the current values are reached at time `t`, as if the law had
    /// always been followed.
    pub(crate) fn start_at(&mut self, t: f64, sums: &mut [[f64; 2]]) {
        if matches!(self.mode, DriveMode::Position | DriveMode::Force) || t == 0.0 {
            return;
        }
        let [first, second] = match self.sums_at {
            // Integrated from now on; earlier values of the law do not matter.
            Some(at) => {
                sums[at] = [0.0; 2];
                [0.0; 2]
            }
            None => self.law.integrals(t).unwrap_or([f64::NAN; 2]),
        };
        let [value, rate] = self.start;
        self.start = match self.mode {
            DriveMode::Speed => [value - first, rate],
            _ => [value - (rate - first) * t - second, rate - first],
        };
    }

    /// s, ṡ and s̈ at the time of a state.
    fn target(&self, state: &State) -> Jet {
        let f = self.law.at(state.time);
        let [value, rate] = self.start;
        let target = match self.mode {
            // A force has no target.
            DriveMode::Position | DriveMode::Force => f,
            DriveMode::Speed => Jet::new(value + self.integrals(state)[0], f.value, f.rate),
            DriveMode::Acceleration => {
                let [first, second] = self.integrals(state);
                Jet::new(value + rate * state.time + second, rate + first, f.value)
            }
        };
        // In a static state the target does not move.
        if state.still { Jet::new(target.value, 0.0, 0.0) } else { target }
    }
}

/// Targets of all drives at the time of a state; not checked for finite values.
pub(crate) fn write_targets(model: &Model, state: &State, out: &mut [Jet]) {
    for (drive, target) in model.drives.iter().zip(out) {
        *target = drive.target(state);
    }
}

/// Targets of all drives at the time of `work.stages.stage`, and the instant of constraints on the articulated path.
pub(crate) fn refresh_targets(
    model: &Model,
    work: &mut Workspace,
    at: impl Into<Evaluation>,
) -> Result<(), StepError> {
    let Evaluation { stage, response, .. } = at.into();
    if let Some(articulated) = &mut work.solvers.articulated {
        articulated.set_instant(&work.stages.stage, response);
    }
    if model.drives.is_empty() {
        return Ok(());
    }
    let Workspace {
        stages: StageBuffers { stage: at, .. },
        kinematics: Kinematics { targets, .. },
        solvers: Solvers { articulated, .. },
        ..
    } = work;
    write_targets(model, at, targets);
    if response == ForceResponse::Velocity {
        // Velocities are solved for instead of accelerations.
        targets.iter_mut().for_each(|target| target.second = target.rate);
    }
    if let Some(i) = targets.iter().position(|target| !target.is_finite()) {
        let joint = model.joints[model.drives[i].joint].name.clone();
        let law = model.drives[i].law.name();
        return Err(StepError::LawNotFinite { joint, law, time: at.time, stage });
    }
    if let Some(articulated) = articulated {
        articulated.set_targets(targets);
    }
    Ok(())
}

/// Continues the integrals to the time of `work.stages.next`.
pub(crate) fn carry_sums(model: &Model, work: &mut Workspace) {
    let next = &mut work.stages.next;
    if next.sums.is_empty() {
        return;
    }
    for drive in &model.drives {
        if let Some(at) = drive.sums_at {
            work.kinematics.sums[at] = drive.integrals(next);
        }
    }
    next.sums.copy_from_slice(&work.kinematics.sums);
    next.sums_time = next.time;
}

/// Power of the drives \[W\], or their work if `lambda` are impulses \[J\]: Σ λ ṡ.
pub(crate) fn work_of_rows(model: &Model, work: &Workspace, lambda: &[f64]) -> f64 {
    let mut sum = 0.0;
    for joint in model.joints.iter().filter(|joint| joint.driven.is_some()) {
        let first = joint.row_at() + joint.structural_rows();
        for (row, (_, drive)) in joint.each_driven().enumerate() {
            sum += lambda[first + row] * work.kinematics.targets[drive].rate;
        }
    }
    sum
}
