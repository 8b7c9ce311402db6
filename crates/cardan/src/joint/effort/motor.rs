//! Motor: torque by speed at full command, times a command u(t) from −1 to 1.
//!
//!   f = u · curve(σ ẋ),   σ = sign u          within ± limit
//!
//! The curve is linear between its rows and extrapolated beyond them: two rows \[0, stall torque\],
//! \[no-load speed, 0\] are a direct-current motor, which brakes above its no-load speed.

use super::limited;
use crate::law::Law;

/// A motor with a torque–speed curve.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motor {
    /// Force or torque at full command, by speed in the direction of the command.
    pub curve: SpeedCurve,
    /// The command over time, clamped to −1 … 1.
    pub law: Law,
    /// The largest force or torque \[N or N·m\]; may be infinite.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_number"))]
    pub limit: f64,
}

impl Motor {
    /// Force without its limit, and its slope over the speed.
    pub(super) fn line(&self, time: f64, rate: f64) -> (f64, f64) {
        let command = limited(self.law.at(time).value, 1.0);
        let way = if command < 0.0 { -1.0 } else { 1.0 };
        let (torque, slope) = self.curve.line(way * rate);
        (command * torque, command * way * slope)
    }
    pub(super) fn force(&self, time: f64, rate: f64) -> f64 {
        let command = limited(self.law.at(time).value, 1.0);
        let way = if command < 0.0 { -1.0 } else { 1.0 };
        limited(command * self.curve.at(way * rate), self.limit)
    }
}

/// Piecewise linear curve through rows of \[speed, torque\], extrapolated beyond them.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<[f64; 2]>", into = "Vec<[f64; 2]>")
)]
pub struct SpeedCurve(Vec<[f64; 2]>);

/// Why a torque–speed curve is refused.
#[derive(Copy, Clone, Debug, PartialEq, thiserror::Error)]
pub enum CurveError {
    /// Fewer than two rows.
    #[error("a curve of [speed, torque] needs at least two rows, and has {0}")]
    TooFewRows(usize),
    /// Speeds that do not increase; the index of the row.
    #[error("row {0}: speeds must grow from row to row")]
    Unsorted(usize),
    /// A number that is not finite; the index of the row.
    #[error("row {0}: speed and torque must be finite numbers")]
    NotFinite(usize),
}

#[cfg(feature = "serde")]
impl TryFrom<Vec<[f64; 2]>> for SpeedCurve {
    type Error = CurveError;
    fn try_from(rows: Vec<[f64; 2]>) -> Result<Self, CurveError> {
        SpeedCurve::new(&rows)
    }
}
#[cfg(feature = "serde")]
impl From<SpeedCurve> for Vec<[f64; 2]> {
    fn from(curve: SpeedCurve) -> Self {
        curve.0
    }
}

impl SpeedCurve {
    /// A curve from rows of \[speed, torque\].
    ///
    /// # Errors
    /// For fewer than two rows, speeds that do not increase, or numbers that are not finite.
    pub fn new(rows: &[[f64; 2]]) -> Result<Self, CurveError> {
        if rows.len() < 2 {
            return Err(CurveError::TooFewRows(rows.len()));
        }
        for (i, row) in rows.iter().enumerate() {
            if !row.iter().all(|x| x.is_finite()) {
                return Err(CurveError::NotFinite(i));
            }
            if i > 0 && row[0] <= rows[i - 1][0] {
                return Err(CurveError::Unsorted(i));
            }
        }
        Ok(SpeedCurve(rows.to_vec()))
    }

    /// Torque at a speed.
    pub fn at(&self, speed: f64) -> f64 {
        self.line(speed).0
    }

    /// Torque at a speed, and its slope there.
    fn line(&self, speed: f64) -> (f64, f64) {
        let rows = &self.0;
        let after = rows.partition_point(|row| row[0] <= speed);
        let i = if after == 0 {
            0
        } else if after >= rows.len() {
            rows.len() - 2
        } else {
            after - 1
        };
        let ([x0, y0], [x1, y1]) = (rows[i], rows[i + 1]);
        (y0 + (y1 - y0) * ((speed - x0) / (x1 - x0)), (y1 - y0) / (x1 - x0))
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<[f64; 2]>()
    }
}
