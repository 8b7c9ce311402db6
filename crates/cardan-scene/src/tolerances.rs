//! Thresholds for directions and times of scenes, each with its reason. Directions are unit vectors here.

/// Two axes are perpendicular if the cosine of their angle is below this: files have decimals rounded to about seven
/// digits.
pub(crate) const PERPENDICULAR: f64 = 1e-6;

/// Two axes are parallel if 1 − |cos| is below this: no frame follows from them.
pub(crate) const PARALLEL: f64 = 1e-9;

/// A wheel lies flat if 1 − |cos| of its axle and the normal is below this: the direction to the contact point is then
/// lost in rounding.
pub(crate) const FLAT_WHEEL: f64 = 1e-12;

/// Two shafts are folded back onto each other if 1 + cos of their angle is below this: the shortest turn from one to the
/// other is then not unique.
pub(crate) const FOLDED_SHAFTS: f64 = 1e-6;

/// An angular velocity is along an axis if the sine of their angle is below this.
pub(crate) const ALONG_AXIS: f64 = 1e-9;

/// Steps end at the times of the script up to rounding, relative to 1 s plus the time.
pub(crate) const SCRIPT_TIME: f64 = 1e-12;
