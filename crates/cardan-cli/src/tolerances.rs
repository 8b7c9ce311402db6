//! Thresholds of the command, each with its reason. Those of the engine are in `cardan`.

use std::ops::Range;

/// A joint that is open by more than this in the file is warned of \[m, rad; m/s, rad/s\]. Decimals of a file are good to
/// about 1e-12; projection closes joints to 1e-15.
pub(crate) const OPEN_JOINT: f64 = 1e-9;

/// Energy balance beyond which a run is warned of, relative to the largest energy seen: a step that is too large, not
/// rounding.
pub(crate) const ENERGY_BALANCE: f64 = 1e-3;

/// Pivot of a row, relative to its own size, that is neither rounding (below) nor a real constraint (above): a
/// misalignment may lock a freedom.
pub(crate) const NEARLY_REDUNDANT: Range<f64> = 1e-9..1e-5;

/// Times of steps and rows add up with rounding: they are equal within this part of the step or of the interval of rows.
pub(crate) const STEP_TIME: f64 = 1e-6;

/// A number below this part of the largest of its sort is rounding: summaries show it as 0.
pub(crate) const SHOWN_ROUNDING: f64 = 1e-12;

/// Contacts of time stepping are solved to this part of their impulses.
pub(crate) const CONTACTS_SOLVED: f64 = 1e-9;

/// Summaries show any number below this as 0, whatever its unit.
pub(crate) const SHOWN_ZERO: f64 = 1e-15;
