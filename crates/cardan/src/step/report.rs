//! What a step reports.

/// What one step did.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Worst |C| over all rows at the end of the step [m, rad].
    pub position_error: f64,
    /// Worst |J v| over all rows at the end of the step [m/s, rad/s].
    pub velocity_error: f64,
    /// Worst residual of the equations of motion at the start of the step, relative to the terms that form them. NaN if the
    /// accounts do not ask for it ([`Accounts`](crate::Accounts)) and the solve did not need it.
    pub equation_residual: f64,
    /// Worst residual of contacts that were answered by iteration, relative to what they had to stop.
    pub contact_residual: f64,
    /// How far the deepest inequality or contact is passed at the end of the step, or of a part of it that an event ended [m, rad].
    pub overlap: f64,
    /// Systems that Newton's method factored for contacts, where they were many.
    pub newton_steps: u64,
    /// Rounds of projection.
    pub rounds: u32,
    /// Time that has passed \[s\].
    pub size: f64,
    /// Accepted steps that it took: one, unless an adaptive integrator was asked for an interval, or the step was too long
    /// for the mechanism and was taken in parts.
    pub steps: u64,
}

impl StepReport {
    /// Another step follows.
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
