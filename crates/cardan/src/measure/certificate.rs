//! The certificate of a run: its largest errors.

use crate::math::larger;
use crate::settings::Accounts;
use crate::step::StepReport;

/// The largest errors over the instants that it was taken at: all accepted steps with [`Accounts::EveryStep`], else those that were asked for.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Certificate {
    /// Largest |C| of all equality rows \[m, rad\].
    pub max_position_error: f64,
    /// Largest |J v| of all equality rows \[m/s, rad/s\].
    pub max_velocity_error: f64,
    /// Largest |M v̇ − F − Jᵀλ| and |J v̇ + c|, relative to the terms that form them.
    pub max_equation_residual: f64,
    /// Largest residual of contacts that were solved iteratively, relative to the motion that they
    /// stop; zero where none were.
    pub max_contact_residual: f64,
    /// Largest violation of an inequality or contact at the end of a step \[m, rad\].
    pub max_overlap: f64,
    /// When it is taken.
    pub accounts: Accounts,
    /// How many instants it covers: steps with [`Accounts::EveryStep`], else calls of [`Simulation::certify_now`](crate::Simulation::certify_now) and ends of
    /// runs. Nothing is certified if there is none.
    pub instants: u64,
}

impl Certificate {
    /// A certificate of no instant.
    pub(crate) fn empty(accounts: Accounts) -> Self {
        Certificate { accounts, ..Certificate::default() }
    }
    /// The larger errors of both; the instants are not counted.
    pub(crate) fn include(&mut self, other: &Certificate) {
        self.max_position_error = larger(self.max_position_error, other.max_position_error);
        self.max_velocity_error = larger(self.max_velocity_error, other.max_velocity_error);
        self.max_equation_residual = larger(self.max_equation_residual, other.max_equation_residual);
        self.max_contact_residual = larger(self.max_contact_residual, other.max_contact_residual);
        self.max_overlap = larger(self.max_overlap, other.max_overlap);
    }
    /// Includes the errors of a step, and counts it.
    pub(crate) fn note(&mut self, step: &StepReport) {
        self.max_position_error = larger(self.max_position_error, step.position_error);
        self.max_velocity_error = larger(self.max_velocity_error, step.velocity_error);
        self.max_equation_residual = larger(self.max_equation_residual, step.equation_residual);
        self.max_contact_residual = larger(self.max_contact_residual, step.contact_residual);
        self.max_overlap = larger(self.max_overlap, step.overlap);
        self.instants += step.steps;
    }
}
