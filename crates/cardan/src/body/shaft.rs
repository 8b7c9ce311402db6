//! Shaft: one freedom, the angle about an axis fixed in the world and in the body; turns counted.
//!
//!   x(X) = x₀ + R₀ exp(u e) X        M = eᵀ I e, about the axis        ω = u̇ R₀ e
//!
//! The axis passes through the origin of the body's frame. The bearings take all other loads.

use super::general::{AutoDiffForm, GeneralForm, Number, Parametric, Piece, Pose};
use super::{Body, BodyKind, MassProperties};
use crate::math::Vec3;

#[derive(Debug)]
pub(super) struct Shaft {
    axis: Vec3,
    mass: MassProperties,
}

impl Parametric for Shaft {
    fn coordinates(&self) -> usize {
        1
    }
    fn pieces(&self) -> Vec<Piece> {
        vec![Piece::rigid(self.mass)]
    }
    fn place<N: Number>(&self, u: &[N], out: &mut [Pose<N>]) {
        out[0] = Pose::turned(self.axis.to_array(), u[0]);
    }
    fn name(&self) -> &'static str {
        "shaft"
    }
}

impl Body {
    /// A body that can only turn about an axis through its origin, given in its own frame. `omega`
    /// is its angular velocity, along the axis; [`Body::starting`] gives the angle.
    ///
    /// ```
    /// use cardan::{Body, Gravity, MassProperties, ModelBuilder, Simulation, math::{Vec3, Sym3}};
    /// let wheel = MassProperties { mass: 2.0, center: Vec3::ZERO, inertia: Sym3::diagonal(0.1, 0.1, 0.2) };
    /// let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    /// parts.add_body(Body { omega: Vec3::Z * 3.0, ..Body::shaft(wheel, Vec3::Z) });
    /// let mut sim = Simulation::new(parts.build()?);
    /// sim.run(1.0, 1e-2)?;
    /// assert!((sim.state().coordinates()[0] - 3.0).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shaft(mass: MassProperties, axis: Vec3) -> Body {
        let axis = axis.normalized().unwrap_or(Vec3::new(f64::NAN, 0.0, 0.0));
        let start = |rule: &Shaft, body: &Body, u: &mut [f64], rate: &mut [f64]| {
            u[0] = body.start.first().copied().unwrap_or(0.0);
            rate[0] =
                body.start_rate.first().copied().unwrap_or_else(|| body.omega.dot(body.rot * rule.axis));
        };
        let form = GeneralForm::new(AutoDiffForm::new(Shaft { axis, mass }).starting(start));
        Body { form: Some(form.clone()), ..Body::of(BodyKind::General(form.kind()), mass, Vec::new()) }
    }
}
