//! The laws that scenes list, as checks on a run by any method.

use super::math::{V, norm, sub};

/// Joints closed: projection stops at 32 roundings of the numbers that form a gap, and these scenes are metres across;
/// speeds reach 10 m/s, the top turns at 240 rad/s.
const GAP: f64 = 1e-13;
const GAP_RATE: f64 = 1e-12;

/// Energy: the truncation error of the fourth-order method at the step in the file, largest for the top (a twentieth of a
/// radian per step) and for the cracking tip of the chain.
const ENERGY: f64 = 1e-7;

/// Momentum of a floating scene, relative to its terms: no method of the Runge-Kutta family changes it, so what remains is
/// rounding, 10⁴ steps of a few 1e-16.
const MOMENTUM: f64 = 1e-11;

/// Angular momentum, relative to its terms: quadratic in the state, so it has a truncation error, largest for the top again.
const ANGULAR_MOMENTUM: f64 = 2e-8;

/// Energy and momentum at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conserved {
    /// Kinetic and potential energy.
    pub energy: f64,
    pub linear: V,
    pub angular: V,
}

/// What the laws are judged by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    pub start: Conserved,
    /// Half-way; only its energy matters.
    pub middle: Conserved,
    pub end: Conserved,
    /// The balance error of energy as reported.
    pub energy_balance: f64,
    /// The certificate: worst gap and worst rate of a gap.
    pub gap: f64,
    pub gap_rate: f64,
    /// Σ m |v| and Σ (|x| m |v| + I |ω|) at the end: what the sums for the momenta are made of.
    pub linear_size: f64,
    pub angular_size: f64,
}

/// What a law says against a run, or nothing if it holds.
pub(crate) fn broken(law: &str, run: &Trial) -> Option<String> {
    let beyond = |what: &str, value: f64, bound: f64| {
        (value.is_nan() || value > bound).then(|| format!("{what} is {value:.2e}, beyond {bound:.1e}"))
    };
    let (start, end) = (&run.start, &run.end);
    let turn = sub(end.angular, start.angular);
    match law {
        "energy" => beyond("the energy balance", run.energy_balance, ENERGY),
        "closed" => beyond("the largest gap", run.gap, GAP)
            .or_else(|| beyond("the largest gap's rate", run.gap_rate, GAP_RATE)),
        "linear-momentum" => {
            let change = norm(sub(end.linear, start.linear));
            beyond("the change", change, MOMENTUM * run.linear_size)
        }
        "angular-momentum" => beyond("the change", norm(turn), ANGULAR_MOMENTUM * run.angular_size),
        "angular-momentum-z" => beyond("the change", turn[2].abs(), ANGULAR_MOMENTUM * run.angular_size),
        "energy-decreases" => {
            let rise = (run.middle.energy - start.energy).max(end.energy - run.middle.energy);
            beyond("the rise of energy", rise, 0.0)
        }
        other => Some(format!("no such law: {other}")),
    }
}
