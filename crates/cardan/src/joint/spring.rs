//! Spring and damper along one coordinate of a joint.
//!
//!   f = −k (q − q₀) − c q̇          V = ½ k (q − q₀)²
//!
//! f: generalised force on b along the coordinate q; q₀: `rest`.

/// A spring and damper along one coordinate of a joint; the damper alone is viscous friction.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointSpring {
    /// Index of the coordinate.
    pub coordinate: usize,
    /// Stiffness \[N/m or N·m/rad\].
    pub stiffness: f64,
    /// Damping \[N·s/m or N·m·s/rad\].
    pub damping: f64,
    /// Value of the coordinate where the spring is slack \[m or rad\].
    pub rest: f64,
    /// Whether it is reported in the friction part of the reaction instead of the drive part.
    pub is_friction: bool,
}

impl JointSpring {
    /// A spring with force `preload` \[N or N·m\] where the coordinate is `rest`; its slack value
    /// follows from both.
    pub fn preloaded(coordinate: usize, stiffness: f64, damping: f64, rest: f64, preload: f64) -> Self {
        JointSpring { coordinate, stiffness, damping, rest: rest + preload / stiffness, is_friction: false }
    }
    /// Generalised force on b along the coordinate \[N or N·m\].
    pub(crate) fn force(&self, value: f64, rate: f64) -> f64 {
        -(self.stiffness * (value - self.rest) + self.damping * rate)
    }
    /// Stored energy \[J\].
    pub(crate) fn energy(&self, value: f64) -> f64 {
        let stretch = value - self.rest;
        0.5 * self.stiffness * stretch * stretch
    }
}
