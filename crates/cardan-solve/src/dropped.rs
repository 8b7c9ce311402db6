//! Redundant rows: combinations of other rows, which are dropped.

use crate::graph::Link;
use crate::lane::Lane;

/// A redundant row: a combination of the rows before it, dropped by the factorisation.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Dropped<T: Lane = f64> {
    /// The row's link.
    pub link: Link,
    /// Which of the link's rows.
    pub row: usize,
    /// After a solve: what is left of the row's bias when the rows it depends on are subtracted.
    pub leftover: T,
    /// After a solve: sum of the magnitudes that formed `leftover`.
    pub formed: f64,
}

impl<T: Lane> Dropped<T> {
    /// Whether the row contradicts the others: its leftover exceeds `tolerance` × what formed it.
    ///
    /// Rounding alone stays below some 1e-13 when the biases themselves are exact.
    pub fn conflicts(&self, tolerance: f64) -> bool {
        let leftover = self.leftover.magnitude();
        leftover.is_nan() || leftover > tolerance * self.formed
    }
}
