//! Surfaces: the height D of a point over them, positive outside, with its gradient and Hessian.
//!
//! With ρ = √(x² + y²),
//!
//! | surface | D | |
//! |---|---|---|
//! | plane | z | the x–y plane |
//! | sphere | |p| − r | |
//! | cylinder | ρ − r | about z |
//! | cone | ρ cos α − z sin α | about z, apex in the origin, opens towards z; α is half the opening |
//! | torus | √((ρ − R)² + z²) − r | about z |
//! | ellipsoid | distance to the foot (`ellipsoid.rs`) | semi-axes along x, y, z |
//! | terrain | z − h(x, y) (`spline_terrain.rs`) | along z; the others are distances |
//! | profile | distance to a curve in the x–y plane | the curve extruded along z |
//!
//! A surface of revolution f(ρ, z), with ρ̂ away from the axis and φ̂ around it, has
//!
//!   ∇D = f_ρ ρ̂ + f_z ẑ        H = f_ρρ ρ̂ρ̂ᵀ + (f_ρ/ρ) φ̂φ̂ᵀ + f_ρz (ρ̂ẑᵀ + ẑρ̂ᵀ) + f_zz ẑẑᵀ

use super::curve::Curve;
use super::ellipsoid;
use super::error::{GeometryError, positive};
use super::spline_terrain::SplineTerrain;
use crate::math::{Sym3, Vec3, vec3};

/// A surface in a frame.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Surface {
    /// The x–y plane; outside is z > 0.
    Plane,
    /// A sphere about the origin.
    Sphere {
        /// Radius \[m\].
        radius: f64,
    },
    /// A cylinder about z.
    Cylinder {
        /// Radius \[m\].
        radius: f64,
    },
    /// A cone about z that opens towards z.
    Cone {
        /// Angle between the axis and the surface \[rad\].
        half_angle: f64,
    },
    /// An ellipsoid about the origin.
    Ellipsoid {
        /// Semi-axes along x, y and z \[m\].
        radii: Vec3,
    },
    /// A torus about z.
    Torus {
        /// Distance from the axis to the centre of the tube \[m\].
        ring: f64,
        /// Radius of the tube \[m\].
        tube: f64,
    },
    /// A terrain z = h(x, y).
    Terrain(SplineTerrain),
    /// A curve in the x–y plane, extruded along z; see [`Surface::profile`].
    Profile {
        /// The curve.
        curve: Curve,
        /// One if outside is to the right of the curve's direction, minus one if to its left.
        side: f64,
    },
}

/// The height of a point over a surface.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Height {
    /// D \[m\].
    pub value: f64,
    /// ∂D/∂p.
    pub gradient: Vec3,
    /// ∂²D/∂p².
    pub hessian: Sym3,
}

impl Surface {
    /// A curve in the x–y plane of its frame, extruded along z. The outside of an open curve is to
    /// the right of its direction.
    ///
    /// # Errors
    /// If the curve leaves the plane.
    pub fn profile(curve: Curve) -> Result<Self, GeometryError> {
        curve.check_flat()?;
        let side = if curve.is_closed() && curve.signed_area() < 0.0 { -1.0 } else { 1.0 };
        Ok(Surface::Profile { curve, side })
    }

    /// Checks that sizes are positive.
    ///
    /// # Errors
    /// With the field's name.
    pub fn check(&self) -> Result<(), GeometryError> {
        match self {
            Surface::Plane | Surface::Terrain(_) | Surface::Profile { .. } => Ok(()),
            Surface::Sphere { radius } | Surface::Cylinder { radius } => {
                positive("radius", *radius).map(|_| ())
            }
            Surface::Cone { half_angle } => {
                if *half_angle > 0.0 && *half_angle < core::f64::consts::FRAC_PI_2 {
                    return Ok(());
                }
                let want = "between 0 and a quarter turn";
                Err(GeometryError::Number { field: "half_angle", value: *half_angle, want })
            }
            Surface::Ellipsoid { radii } => {
                radii.to_array().into_iter().try_for_each(|r| positive("radii", r).map(|_| ()))
            }
            Surface::Torus { ring, tube } => {
                positive("ring", *ring)?;
                positive("tube", *tube)?;
                if tube < ring {
                    return Ok(());
                }
                let want = "smaller than `ring`, or the torus goes through itself";
                Err(GeometryError::Number { field: "tube", value: *tube, want })
            }
        }
    }

    /// The name used in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Surface::Plane => "plane",
            Surface::Sphere { .. } => "sphere",
            Surface::Cylinder { .. } => "cylinder",
            Surface::Cone { .. } => "cone",
            Surface::Ellipsoid { .. } => "ellipsoid",
            Surface::Torus { .. } => "torus",
            Surface::Terrain(_) => "terrain",
            Surface::Profile { .. } => "profile",
        }
    }

    /// Whether D is a distance everywhere, not only zero on the surface.
    pub fn is_distance(&self) -> bool {
        !matches!(self, Surface::Terrain(_))
    }

    /// A length of the surface \[m\], for the rounding of D.
    pub fn size(&self) -> f64 {
        match self {
            Surface::Plane | Surface::Cone { .. } => 0.0,
            Surface::Sphere { radius } | Surface::Cylinder { radius } => *radius,
            Surface::Ellipsoid { radii } => radii.largest(),
            Surface::Torus { ring, tube } => ring + tube,
            Surface::Terrain(terrain) => terrain.size(),
            Surface::Profile { curve, .. } => curve.size(),
        }
    }

    /// The height of a point with its derivatives; not finite where they do not exist (the centre
    /// of a sphere, the axis of a cylinder).
    pub fn height(&self, p: Vec3) -> Height {
        match self {
            Surface::Plane => Height { value: p.z, gradient: Vec3::Z, hessian: Sym3::default() },
            Surface::Sphere { radius } => {
                let distance = p.norm();
                let n = p / distance;
                let s = 1.0 / distance;
                let hessian = Sym3 {
                    xx: s * (1.0 - n.x * n.x),
                    yy: s * (1.0 - n.y * n.y),
                    zz: s * (1.0 - n.z * n.z),
                    xy: -s * n.x * n.y,
                    xz: -s * n.x * n.z,
                    yz: -s * n.y * n.z,
                };
                Height { value: distance - radius, gradient: n, hessian }
            }
            Surface::Cylinder { radius } => revolved(p, |rho, _| (rho - radius, [1.0, 0.0], [0.0; 3])),
            Surface::Cone { half_angle } => {
                let (sin, cos) = libm::sincos(*half_angle);
                revolved(p, |rho, z| (rho * cos - z * sin, [cos, -sin], [0.0; 3]))
            }
            Surface::Torus { ring, tube } => revolved(p, |rho, z| {
                let off = rho - ring;
                let distance = (off * off + z * z).sqrt();
                let (a, b) = (off / distance, z / distance);
                (distance - tube, [a, b], [b * b / distance, -a * b / distance, a * a / distance])
            }),
            Surface::Ellipsoid { radii } => ellipsoid::height(*radii, p),
            Surface::Terrain(terrain) => terrain.height(p),
            Surface::Profile { curve, side } => {
                let foot = curve.foot(vec3(p.x, p.y, 0.0));
                let t = foot.at.first / foot.at.first.norm();
                let n = vec3(t.y, -t.x, 0.0) * *side;
                let bend = foot.bend(n, t);
                Height { value: n.dot(foot.gap), gradient: n, hessian: outer(t, bend) }
            }
        }
    }

    /// The height of a point without derivatives \[m\].
    pub fn value(&self, p: Vec3) -> f64 {
        match self {
            Surface::Ellipsoid { radii } => ellipsoid::value(*radii, p),
            other => other.height(p).value,
        }
    }

    /// Why the height of a point cannot be continued, if so.
    pub fn fault(&self, p: Vec3) -> Option<String> {
        let rho = (p.x * p.x + p.y * p.y).sqrt();
        // Nearer than this part of the surface's size to an axis or a centre, the foot is lost.
        const NEAR: f64 = 1e-3;
        match self {
            Surface::Plane => None,
            Surface::Sphere { radius } => (p.norm() < NEAR * radius)
                .then(|| "the point is in the centre of the sphere, far from a unique foot".into()),
            Surface::Cylinder { radius } => (rho < NEAR * radius)
                .then(|| "the point is on the axis of the cylinder, far from a unique foot".into()),
            Surface::Cone { .. } => (rho <= NEAR * p.z.abs()).then(|| {
                "the point is at the apex or on the axis of the cone, where the foot is not unique".into()
            }),
            Surface::Torus { ring, tube } => {
                let off = rho - ring;
                let lost = rho < NEAR * ring || (off * off + p.z * p.z).sqrt() < NEAR * tube;
                lost.then(|| {
                    "the point is on the axis of the torus or of its tube, far from a unique foot".into()
                })
            }
            Surface::Ellipsoid { radii } => ellipsoid::is_lost(*radii, p)
                .then(|| "the point is too deep in the ellipsoid for a unique foot".into()),
            Surface::Terrain(terrain) => terrain.fault(p),
            Surface::Profile { curve, .. } => {
                let foot = curve.foot(vec3(p.x, p.y, 0.0));
                curve.fault(&foot)
            }
        }
    }
}

/// s v vᵀ.
pub(super) fn outer(v: Vec3, s: f64) -> Sym3 {
    Sym3 {
        xx: s * v.x * v.x,
        yy: s * v.y * v.y,
        zz: s * v.z * v.z,
        xy: s * v.x * v.y,
        xz: s * v.x * v.z,
        yz: s * v.y * v.z,
    }
}

/// From f, its gradient [f_ρ, f_z] and its second derivatives [f_ρρ, f_ρz, f_zz].
fn revolved(p: Vec3, f: impl Fn(f64, f64) -> (f64, [f64; 2], [f64; 3])) -> Height {
    let rho = (p.x * p.x + p.y * p.y).sqrt();
    let (away, around) = (vec3(p.x / rho, p.y / rho, 0.0), vec3(-p.y / rho, p.x / rho, 0.0));
    let (value, [f_rho, f_z], [f_rr, f_rz, f_zz]) = f(rho, p.z);
    let flat = outer(away, f_rr);
    let turned = outer(around, f_rho / rho);
    let hessian = Sym3 {
        xx: flat.xx + turned.xx,
        yy: flat.yy + turned.yy,
        xy: flat.xy + turned.xy,
        zz: f_zz,
        xz: f_rz * away.x,
        yz: f_rz * away.y,
    };
    Height { value, gradient: away * f_rho + Vec3::Z * f_z, hessian }
}
