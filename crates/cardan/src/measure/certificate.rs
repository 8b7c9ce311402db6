//! Every run certifies itself: the worst it ever did.

use crate::math::larger;
use crate::step::StepReport;

/// The worst errors over all accepted steps.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Certificate {
    /// Worst |C| over all equality rows [m, rad].
    pub max_position_error: f64,
    /// Worst |J v| over all equality rows [m/s, rad/s].
    pub max_velocity_error: f64,
    /// Worst |M v̇ − F − Jᵀλ| and |J v̇ + c|, relative to the terms that form them.
    pub max_equation_residual: f64,
    /// Worst residual of contacts that were answered by iteration, relative to what they had to
    /// stop; zero where none were.
    pub max_contact_residual: f64,
    /// How far any inequality or contact was passed at the end of any step [m, rad].
    pub max_overlap: f64,
}

impl Certificate {
    /// The worst of both.
    pub(crate) fn include(&mut self, other: &Certificate) {
        self.max_position_error = larger(self.max_position_error, other.max_position_error);
        self.max_velocity_error = larger(self.max_velocity_error, other.max_velocity_error);
        self.max_equation_residual = larger(self.max_equation_residual, other.max_equation_residual);
        self.max_contact_residual = larger(self.max_contact_residual, other.max_contact_residual);
        self.max_overlap = larger(self.max_overlap, other.max_overlap);
    }
    /// Takes a step into account.
    pub(crate) fn note(&mut self, step: &StepReport) {
        self.max_position_error = larger(self.max_position_error, step.position_error);
        self.max_velocity_error = larger(self.max_velocity_error, step.velocity_error);
        self.max_equation_residual = larger(self.max_equation_residual, step.equation_residual);
        self.max_contact_residual = larger(self.max_contact_residual, step.contact_residual);
        self.max_overlap = larger(self.max_overlap, step.overlap);
    }
}
