//! The report of a step.

/// Errors and work of one step.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Worst |C| over all rows at the end of the step [m, rad].
    pub position_error: f64,
    /// Worst |J v| over all rows at the end of the step [m/s, rad/s].
    pub velocity_error: f64,
    /// Worst residual of the equations of motion at the start of the step, relative to the terms that form them. NaN if the
    /// accounts do not ask for it ([`Accounts`](crate::Accounts)) and the solve did not need it.
    pub equation_residual: f64,
    /// Worst residual of contacts that were solved by iteration, relative to their speed of approach.
    pub contact_residual: f64,
    /// Largest violation of an inequality or contact at the end of the step, or of a part that ended at an event [m, rad].
    pub overlap: f64,
    /// Systems that Newton's method factored for large contact problems.
    pub newton_steps: u64,
    /// Rounds of projection.
    pub rounds: u32,
    /// Time that has passed \[s\].
    pub size: f64,
    /// Accepted steps: one, unless an adaptive integrator took several or the step was divided.
    pub steps: u64,
}

impl StepReport {
    /// Includes the report of the next step.
    pub(crate) fn include(&mut self, next: &StepReport) {
        let worst = crate::math::larger;
        self.position_error = worst(self.position_error, next.position_error);
        self.velocity_error = worst(self.velocity_error, next.velocity_error);
        self.equation_residual = worst(self.equation_residual, next.equation_residual);
        self.contact_residual = worst(self.contact_residual, next.contact_residual);
        self.overlap = worst(self.overlap, next.overlap);
        self.newton_steps += next.newton_steps;
        self.rounds = self.rounds.max(next.rounds);
        self.size += next.size;
        self.steps += next.steps;
    }
}
