//! When a run takes its accounts: certificate, energy, momentum.

use crate::runner::Runner;
use crate::tolerances::STEP_TIME;
use cardan::{Accounts, WorldError};

/// The word of a scene for a choice.
pub(crate) fn accounts_word(accounts: Accounts) -> &'static str {
    match accounts {
        Accounts::EveryStep => "every-step",
        Accounts::Recorded => "recorded",
        Accounts::End => "end",
        Accounts::Off => "off",
    }
}

/// Takes the accounts at the instants that are asked for. With `every-step` the steps do it themselves.
pub(crate) struct AccountSchedule {
    accounts: Accounts,
    /// Time between recorded instants \[s\].
    interval: f64,
    /// The next recorded instant is due at this many intervals.
    next: u64,
    last_time: f64,
}

impl AccountSchedule {
    pub(crate) fn new(accounts: Accounts, interval: f64) -> Self {
        AccountSchedule { accounts, interval, next: 0, last_time: f64::NAN }
    }

    /// After a step, and at the start. A recorded instant within a step (dopri5 interpolates there) is taken at the end of the step.
    pub(crate) fn after_step(&mut self, runner: &mut Runner) -> Result<(), WorldError> {
        let time = runner.time();
        if self.accounts != Accounts::Recorded || time < (self.next as f64 - STEP_TIME) * self.interval {
            return Ok(());
        }
        self.next = self.next.max((time / self.interval + STEP_TIME) as u64).saturating_add(1);
        self.take(runner)
    }

    /// At the end of the run.
    pub(crate) fn at_end(&mut self, runner: &mut Runner) -> Result<(), WorldError> {
        match self.accounts {
            Accounts::Recorded | Accounts::End if self.last_time != runner.time() => self.take(runner),
            _ => Ok(()),
        }
    }

    fn take(&mut self, runner: &mut Runner) -> Result<(), WorldError> {
        self.last_time = runner.time();
        runner.certify_now()
    }
}
