//! Accounts on demand: when a simulation measures energy, momentum and the errors of its certificate.
//!
//! A step always books work, heat and impulse in the ledger of the state. Energy and momentum are functions of the state, so they can be measured
//! at any later time as long as the state is at hand; the certificate is the worst over the instants that were asked for.

use super::Simulation;
use crate::math::larger;
use crate::measure::Instant;
use crate::step::{self, StepError, StepReport, evaluate};

impl Simulation {
    /// Takes the accounts of the present state: energy and momentum are measured, and the certificate includes its errors (constraints, residual of the
    /// equations of motion, which are solved here, and overlap and contact residual of the step that led here). For recorded instants with
    /// [`Accounts::Recorded`](crate::Accounts::Recorded), and wherever else a certificate is wanted. The mechanism is brought onto its joints first, if it is
    /// not there; nothing moves otherwise.
    ///
    /// # Errors
    /// If the equations have no answer, or the joints cannot be closed. The certificate has not changed then.
    pub fn certify_now(&mut self) -> Result<(), StepError> {
        self.assemble()?;
        evaluate(&self.model, &self.settings, &self.state, &mut self.work)?;
        let now = Instant { model: &self.model, state: &self.state, work: &self.work };
        let worst = |errors: &[f64]| errors.iter().fold(0.0, |most, error| larger(most, error.abs()));
        let errors = StepReport {
            position_error: worst(now.position_errors()),
            velocity_error: worst(now.velocity_errors()),
            equation_residual: now.equation_residual(),
            steps: 1,
            ..self.last_step
        };
        self.certificate.note(&errors);
        self.measure_present();
        Ok(())
    }

    /// Energy and momentum are no longer measured after steps: nothing reads them.
    pub(crate) fn without_measures(mut self) -> Self {
        self.measures_steps = false;
        self
    }

    /// Notes what a step reported: in the certificate, if that covers every step.
    pub(super) fn note_step(&mut self, report: &StepReport) {
        self.last_step = *report;
        if self.settings.accounts.is_every_step() {
            self.certificate.note(report);
        }
    }

    /// The state has moved on. Energy and momentum are measured there, if every step asks for them; `motions_are_current`: the workspace has the motions
    /// of the new state.
    pub(super) fn account_for_motion(&mut self, motions_are_current: bool) {
        self.is_measured = false;
        if !self.measures_steps {
            return;
        }
        if !motions_are_current {
            step::refresh_motions(&self.model, &self.state, &mut self.work);
        }
        let (energy, momentum, magnitudes) = self.measure();
        self.record_sizes(&energy, &momentum, &magnitudes);
    }

    /// Time has passed and nothing has moved: what the ledger says is all that is new.
    pub(super) fn account_for_rest(&mut self) {
        if !self.measures_steps {
            self.is_measured = false;
            return;
        }
        let (ledger, (energy, _), seen) = (&self.state.ledger, &mut self.present, &mut self.largest);
        (energy.work, energy.dissipated) = (ledger.work, ledger.dissipated);
        energy.integration_loss = ledger.integration_loss;
        seen.energy = larger(seen.energy, larger(energy.dissipated, energy.work.abs()));
        seen.linear = larger(seen.linear, ledger.impulse.largest());
        seen.angular = larger(seen.angular, ledger.angular_impulse.largest());
    }

    /// Measures energy and momentum of the present state, if that has not been done.
    pub(super) fn measure_present(&mut self) {
        if self.is_measured {
            return;
        }
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        let (energy, momentum, magnitudes) = self.measure();
        self.record_sizes(&energy, &momentum, &magnitudes);
    }
}
