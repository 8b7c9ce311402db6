//! Stiff bodies: a body that swings faster by itself than a step can follow is taken in parts, as many as that asks for and not more than can be waited for.
//!
//! Rules for steps of one size are stable up to ω h of 2 or so, and beyond that make energy or lose it. What ω is, is known of every body when a model is built
//! (`body/general/natural_frequency.rs`), so that nothing has to go wrong first. Adaptive steps find their size themselves.

use crate::model::Model;
use crate::settings::Integrator;
use crate::settings::Settings;
use crate::state::State;
use crate::step::StepReport;
use crate::step::Workspace;
use crate::step::integrate::impulse::undone_on_failure;
use crate::step_error::StepError;

/// ω h beyond which a step is divided.
const TOO_FAST: f64 = 1.4;
/// ω h in a part: RK4 takes a ten-thousandth of the fastest swing in one.
const FINE: f64 = 0.5;
/// Parts at most.
pub(crate) const MOST: u32 = 64;
/// ω h that the leapfrog of `long` stands, whose steps have one size.
const LONGEST: f64 = 1.8;

/// In how many parts a step of `h` has to be taken.
pub(crate) fn parts(model: &Model, settings: &Settings, h: f64) -> Result<u32, StepError> {
    let Some((body, omega)) = model.stiffest_body else { return Ok(1) };
    let turn = omega * h;
    // With f = m v nothing swings; what decays is divided by what it shows.
    if turn <= TOO_FAST || settings.integrator.is_adaptive() || settings.integrator == Integrator::FirstOrder
    {
        return Ok(1);
    }
    let refuse = |most: f64| {
        // One digit, rounded down; of what is infinitely stiff nothing is left.
        let ten = if most > 0.0 { libm::pow(10.0, libm::floor(libm::log10(most))) } else { 1.0 };
        StepError::TooStiff {
            body: model.bodies[body].name.clone(),
            frequency: omega / core::f64::consts::TAU,
            h,
            advised: ten * libm::floor(most / ten),
        }
    };
    if settings.integrator == Integrator::Rattle {
        return if turn > LONGEST { Err(refuse(FINE / omega)) } else { Ok(1) };
    }
    let mut parts = 2;
    while turn > FINE * f64::from(parts) {
        parts *= 2;
        if parts > MOST {
            return Err(refuse(FINE / omega));
        }
    }
    Ok(parts)
}

/// A step in equal parts; on failure the state is that of the start.
#[cold]
pub(crate) fn in_parts(
    state: &mut State,
    (h, parts): (f64, u32),
    work: &mut Workspace,
    mut step: impl FnMut(&mut State, f64, &mut Workspace) -> Result<StepReport, StepError>,
) -> Result<StepReport, StepError> {
    undone_on_failure(state, work, |state, work| {
        let (time, rest) = (state.time, state.time_rest);
        let mut total = StepReport::default();
        for _ in 0..parts {
            total.include(&step(state, h / f64::from(parts), work)?);
        }
        work.counts.divided += 1;
        // One sum, whatever the parts rounded to.
        (state.time, state.time_rest) = (time, rest);
        state.advance_time(h);
        total.size = h;
        Ok(total)
    })
}
