//! Mass, centre of mass and inertia of shapes, and of compounds by the parallel-axis theorem.
//!
//!   I_total = Σ R_k I_k R_kᵀ + m_k (|d_k|² 1 − d_k d_kᵀ),   d_k from the common centre of mass

use super::{BodyKind, PlacedShape, SolidShape};
use crate::math::{Sym3, Vec3};
use crate::tolerances::TRIANGLE_RULE;

/// Mass properties in the body frame.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MassProperties {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass, from the body frame's origin \[m\].
    pub center: Vec3,
    /// Inertia about the centre of mass, body axes \[kg·m²\].
    pub inertia: Sym3,
}

/// Why mass properties are refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MassError {
    /// The mass is zero, negative or not a number.
    #[error("the mass is {0}; it must be a positive number of kilograms")]
    Mass(f64),
    /// The inertia has a moment that is not positive.
    #[error(
        "the inertia is not positive definite: its smallest principal moment is {smallest:e} kg·m² (a thin \
         rod in space needs a radius)"
    )]
    Indefinite {
        /// The smallest principal moment \[kg·m²\].
        smallest: f64,
    },
    /// The principal moments break the triangle rule.
    #[error(
        "no real body has this inertia: the largest principal moment {} exceeds the sum of the other two, {} + {} \
         (check units, or set allow_unphysical_inertia)", moments[2], moments[0], moments[1]
    )]
    Triangle {
        /// Principal moments, ascending \[kg·m²\].
        moments: [f64; 3],
    },
    /// A number is NaN or infinite.
    #[error("the {0} is not a finite number")]
    NotFinite(&'static str),
}

impl MassProperties {
    /// A point mass.
    pub fn of_point(mass: f64) -> Self {
        MassProperties { mass, center: Vec3::ZERO, inertia: Sym3::default() }
    }

    /// One homogeneous shape at the origin; mass \[kg\].
    pub fn of_shape(shape: &SolidShape, mass: f64) -> Self {
        MassProperties { mass, center: shape.center(), inertia: shape.inertia(mass) }
    }

    /// Several shapes of equal density with the total `mass` \[kg\], shared by volume. Shapes
    /// without volume give NaN, which [`MassProperties::check`] reports.
    pub fn of_shapes(shapes: &[PlacedShape], mass: f64) -> Self {
        if let [one] = shapes {
            let mut props = Self::of_shape(&one.shape, mass);
            props.center = one.center();
            props.inertia = props.inertia.rotated(&one.frame.rot.matrix());
            return props;
        }
        let volume: f64 = shapes.iter().map(|s| s.shape.volume()).sum();
        let parts = shapes.iter().map(|s| {
            let part = mass * (s.shape.volume() / volume);
            MassProperties {
                mass: part,
                center: s.center(),
                inertia: s.shape.inertia(part).rotated(&s.frame.rot.matrix()),
            }
        });
        Self::compound(parts.collect::<Vec<_>>().as_slice())
    }

    /// The sum of parts that move as one body.
    pub fn compound(parts: &[MassProperties]) -> Self {
        let mass: f64 = parts.iter().map(|p| p.mass).sum();
        let mut center = Vec3::ZERO;
        for p in parts {
            center += p.center * (p.mass / mass);
        }
        let mut inertia = Sym3::default();
        for p in parts {
            inertia = inertia + p.inertia + Sym3::of_point(p.center - center).scaled(p.mass);
        }
        MassProperties { mass, center, inertia }
    }

    /// Checks that a body of this kind can move with these properties.
    pub fn check(&self, kind: BodyKind, allow_unphysical: bool) -> Result<(), MassError> {
        if !self.mass.is_finite() || self.mass <= 0.0 {
            return Err(MassError::Mass(self.mass));
        }
        if !self.center.is_finite() {
            return Err(MassError::NotFinite("centre of mass"));
        }
        if !self.inertia.to_array().iter().all(|i| i.is_finite()) {
            return Err(MassError::NotFinite("inertia"));
        }
        match kind {
            BodyKind::Particle | BodyKind::PlanarParticle | BodyKind::General(_) => Ok(()),
            BodyKind::Planar if self.inertia.zz > 0.0 => Ok(()),
            BodyKind::Planar => Err(MassError::Indefinite { smallest: self.inertia.zz }),
            BodyKind::Rigid => self.check_spatial(allow_unphysical),
        }
    }

    fn check_spatial(&self, allow_unphysical: bool) -> Result<(), MassError> {
        let moments = self.inertia.eigenvalues();
        // A moment at the rounding of the largest one counts as zero.
        if moments[0].is_nan() || moments[0] <= 4.0 * f64::EPSILON * moments[2] {
            return Err(MassError::Indefinite { smallest: moments[0] });
        }
        // A plate has equality in the triangle rule.
        if moments[2] > (moments[0] + moments[1]) * (1.0 + TRIANGLE_RULE) && !allow_unphysical {
            return Err(MassError::Triangle { moments });
        }
        Ok(())
    }
}
