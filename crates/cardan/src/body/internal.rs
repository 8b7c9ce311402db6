//! Rigid body with a mass that slides inside: 7 freedoms, and a mass matrix that depends on the
//! position of the mass.
//!
//!   x(X) = c + R X        x_m = c + R (o + u e)        V = ½ k (u − u₀)²        D = ½ d u̇²
//!
//! The frame is that of the shell; u is the distance along the axis e from o.

use super::general::{AutoDiffForm, GeneralForm, Number, Parametric, Piece, Pose};
use super::{Body, BodyKind, MassProperties};
use crate::math::Vec3;

/// A mass that slides inside of a body.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct InternalMass {
    /// Its mass \[kg\].
    pub mass: f64,
    /// Position where u = 0, in the body frame \[m\].
    pub origin: Vec3,
    /// Direction of sliding, in the body frame.
    pub axis: Vec3,
    /// Stiffness of its spring \[N/m\].
    pub stiffness: f64,
    /// Damping \[N·s/m\].
    pub damping: f64,
    /// u where the spring is slack \[m\].
    pub rest: f64,
}

#[derive(Debug)]
struct BodyWithInternalMass {
    shell: MassProperties,
    inside: InternalMass,
}

impl Parametric for BodyWithInternalMass {
    fn coordinates(&self) -> usize {
        1
    }
    fn pieces(&self) -> Vec<Piece> {
        vec![Piece::rigid(self.shell), Piece::point(self.inside.mass)]
    }
    fn place<N: Number>(&self, u: &[N], out: &mut [Pose<N>]) {
        let (o, e) = (self.inside.origin.to_array(), self.inside.axis.to_array());
        out[0] = Pose::at([N::constant(0.0); 3]);
        out[1] = Pose::at(core::array::from_fn(|k| (u[0] * e[k]).plus(o[k])));
    }
    fn energy<N: Number>(&self, u: &[N]) -> N {
        let stretch = u[0].plus(-self.inside.rest);
        stretch * stretch * (0.5 * self.inside.stiffness)
    }
    fn dissipation<N: Number>(&self, _u: &[N], rate: &[N]) -> N {
        rate[0] * rate[0] * (0.5 * self.inside.damping)
    }
    fn floats(&self) -> bool {
        true
    }
    fn name(&self) -> &'static str {
        "internal-mass"
    }
}

impl Body {
    /// A rigid shell with a mass that slides inside, along `axis`. [`Body::starting`] gives u and
    /// its rate; `vel` is the velocity of the common centre of mass. Piece 1 is the mass.
    pub fn with_internal_mass(shell: MassProperties, inside: InternalMass) -> Body {
        let axis = inside.axis.normalized().unwrap_or(Vec3::new(f64::NAN, 0.0, 0.0));
        let inside = InternalMass { axis, ..inside };
        let start = |rule: &BodyWithInternalMass, body: &Body, u: &mut [f64], rate: &mut [f64]| {
            u[0] = body.start.first().copied().unwrap_or(rule.inside.rest);
            rate[0] = body.start_rate.first().copied().unwrap_or(0.0);
        };
        let form = GeneralForm::new(
            AutoDiffForm::new(BodyWithInternalMass { shell, inside })
                .starting(start)
                .with_parameters([("stiffness", inside.stiffness), ("damping", inside.damping)]),
        );
        let mass = MassProperties { mass: shell.mass + inside.mass, ..shell };
        Body { form: Some(form.clone()), ..Body::of(BodyKind::General(form.kind()), mass, Vec::new()) }
    }
}
