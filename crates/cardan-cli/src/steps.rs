//! How many steps a run takes is known before it starts: what cannot end is refused.

use crate::Failure;
use crate::load::LoadedScene;
use crate::report::format_number;
use cardan_scene::study::MOST_STEPS;

impl LoadedScene {
    /// Refuses a run whose steps of one size would be more than [`MOST_STEPS`]. How many an adaptive integrator takes is
    /// not known.
    pub(crate) fn refuse_endless(&self, times: [f64; 2], dt: f64, remedy: &str) -> Result<(), Failure> {
        match self.settings.integrator.is_adaptive() {
            true => Ok(()),
            false => refuse_endless(&self.name, times, dt, remedy),
        }
    }
}

/// Refuses more than [`MOST_STEPS`] steps of one size.
pub(crate) fn refuse_endless(
    name: &str,
    [from, until]: [f64; 2],
    dt: f64,
    remedy: &str,
) -> Result<(), Failure> {
    let steps = (until - from) / dt;
    if steps > MOST_STEPS {
        return Err(Failure::Input(format!(
            "error: {name}: {} steps of {} s lead to t = {} s, and more than {MOST_STEPS:e} are refused\n  {remedy}",
            format_number(steps),
            format_number(dt),
            format_number(until),
        )));
    }
    Ok(())
}
