//! Bead on a curve: one freedom, the abscissa u from 0 (start) to 1 (end).
//!
//!   x = x₀ + R₀ c(s),   s = s₀ + u (s₁ − s₀)        M = m |∂x/∂u|²        bias = m ∂x/∂u · ∂²x/∂u² u̇²
//!
//! The coordinate cannot leave the curve, so no constraint is needed. A closed curve continues
//! after 1; an open one continues straight beyond its ends.

use super::general::{AutoDiffForm, GeneralForm, Number, Parametric, Piece, Pose};
use super::{Body, BodyKind, MassProperties};
use crate::geometry::Curve;

#[derive(Debug)]
struct BeadOnCurve {
    curve: Curve,
    mass: f64,
}

impl Parametric for BeadOnCurve {
    fn coordinates(&self) -> usize {
        1
    }
    fn pieces(&self) -> Vec<Piece> {
        vec![Piece::point(self.mass)]
    }
    fn place<N: Number>(&self, u: &[N], out: &mut [Pose<N>]) {
        let [from, to] = self.curve.span();
        let s = (u[0] * (to - from)).plus(from);
        let at = self.curve.at(s.value());
        out[0] = Pose::at(core::array::from_fn(|k| s.chain(at.place[k], at.first[k], at.second[k])));
    }
    fn name(&self) -> &'static str {
        "bead"
    }
}

impl Body {
    /// A point mass \[kg\] on a curve that is fixed in the body's frame, which stays where it is
    /// placed. [`Body::starting`] gives the abscissa, from 0 to 1, and its rate.
    pub fn bead(mass: f64, curve: Curve) -> Body {
        let form = GeneralForm::new(AutoDiffForm::new(BeadOnCurve { curve, mass }));
        let mass = MassProperties::of_point(mass);
        Body { form: Some(form.clone()), ..Body::of(BodyKind::General(form.kind()), mass, Vec::new()) }
    }
}
