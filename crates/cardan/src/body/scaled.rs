//! Rigid body that also scales, all axes alike (7 freedoms) or each by itself (9).
//!
//!   x(X) = c + R S X        S = diag(s, s, s) or diag(s₁, s₂, s₃)
//!   ẋ    = ċ + ω × R S X + R Ṡ X
//!   V    = ½ k Σ (s − 1)²        D = ½ d Σ ṡ²        (k in J, d in J·s)
//!
//! X: material point at scale one; attached points move with the scale. The frame's axes are those
//! of R: they turn and are not stretched. The mass matrix couples rotation and scale: a spinning
//! body slows down as it grows. A free block that does not turn oscillates with ω² = k / ∫ρ|X|²
//! (all alike) or k / ∫ρXᵢ² (each).

use super::general::{AutoDiffForm, GeneralForm, Number, Parametric, Piece, Pose};
use super::{Body, BodyKind, MassProperties};

/// Spring and damper against the scale of a body.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct ScaleSpring {
    /// k of the energy ½ k Σ (s − 1)² \[J\].
    pub stiffness: f64,
    /// d of the heat d Σ ṡ² \[J·s\].
    pub damping: f64,
}

#[derive(Debug)]
pub(super) struct Scaled {
    scales: usize,
    mass: MassProperties,
    spring: ScaleSpring,
}

impl Parametric for Scaled {
    fn coordinates(&self) -> usize {
        self.scales
    }
    fn pieces(&self) -> Vec<Piece> {
        vec![Piece::stretchable(&self.mass)]
    }
    fn place<N: Number>(&self, u: &[N], out: &mut [Pose<N>]) {
        let mut pose = Pose::at([N::constant(0.0); 3]);
        for i in 0..3 {
            pose.axes[i][i] = u[if self.scales == 1 { 0 } else { i }];
        }
        out[0] = pose;
    }
    fn energy<N: Number>(&self, u: &[N]) -> N {
        let each = u.iter().map(|s| s.plus(-1.0)).map(|e| e * e);
        each.fold(N::constant(0.0), |sum, e| sum + e) * (0.5 * self.spring.stiffness)
    }
    fn dissipation<N: Number>(&self, _u: &[N], rate: &[N]) -> N {
        rate.iter().fold(N::constant(0.0), |sum, r| sum + *r * *r) * (0.5 * self.spring.damping)
    }
    fn floats(&self) -> bool {
        true
    }
    fn name(&self) -> &'static str {
        if self.scales == 1 { "scaled" } else { "scaled3" }
    }
}

impl Body {
    /// A rigid body that scales as a whole; mass properties at scale one. [`Body::starting`] gives
    /// the scale.
    pub fn scaled(mass: MassProperties, spring: ScaleSpring) -> Body {
        Body::scaling(1, mass, spring)
    }
    /// A rigid body that scales along each of its three axes by itself; mass properties at scale
    /// one. [`Body::starting`] gives the scales.
    pub fn scaled3(mass: MassProperties, spring: ScaleSpring) -> Body {
        Body::scaling(3, mass, spring)
    }
    fn scaling(scales: usize, mass: MassProperties, spring: ScaleSpring) -> Body {
        let start = |_: &Scaled, body: &Body, u: &mut [f64], rate: &mut [f64]| {
            u.iter_mut().enumerate().for_each(|(i, u)| *u = body.start.get(i).copied().unwrap_or(1.0));
            rate.iter_mut()
                .enumerate()
                .for_each(|(i, r)| *r = body.start_rate.get(i).copied().unwrap_or(0.0));
        };
        let rule = Scaled { scales, mass, spring };
        let form = GeneralForm::new(
            AutoDiffForm::new(rule)
                .starting(start)
                .with_parameters([("stiffness", spring.stiffness), ("damping", spring.damping)]),
        );
        Body { form: Some(form.clone()), ..Body::of(BodyKind::General(form.kind()), mass, Vec::new()) }
    }
}
