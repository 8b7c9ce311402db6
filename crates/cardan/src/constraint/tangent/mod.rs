//! Tangency: a feature of b is in contact with a surface of a, from outside or from inside; 1 row
//! for all shapes.
//!
//! With D the height over the surface (−D from inside), and p(u) = d + Q b(u) the points of the
//! feature, seen from a, with parameters u,
//!
//!   C = min_u D(p(u)) − r
//!
//! At C = 0 both share a point and their normals are opposite: D_u = ∇D·p_u = 0. The contact point
//! moves along both shapes, but since D_u = 0 it does not enter the gradient (envelope theorem),
//! and it subtracts a quadratic form from the second derivative. With r = Q b, t = Q b_u, g = ∇D
//! and H its Hessian,
//!
//!   γ = g        μ = r × g
//!   h = g·(w × (w × r)) + ṗᵀ H ṗ − βᵀ K⁻¹ β,        ṗ = ḋ + w × r
//!   β = g·(w × t) + tᵀ H ṗ,        K = g·Q b_uu + tᵀ H t
//!
//! K > 0 means that the shapes curve away from each other at the contact.
//!
//! | feature | u | |
//! |---|---|---|
//! | point, ball of radius r | none | b = 0; a ball over a terrain, whose D is not a distance, counts as an ellipsoid |
//! | curve | its parameter | `nearest_curve.rs` |
//! | ellipsoid | directions: b = (a_x u_x, a_y u_y, a_z u_z), |u| = 1 | `nearest_ellipsoid.rs` |

mod nearest_curve;
mod nearest_ellipsoid;
mod outline;

pub(super) use outline::surface_outline;

use super::frame_pair::{FramePair, FrameRow};
use super::{Constraint, ConstraintRows};
use crate::body::{FrameMotion, Wrench};
use crate::geometry::{Curve, GeometryError, Height, Surface};
use crate::math::{Mat3, Vec3, larger, vec3};

/// The shape of b that is in contact with the surface.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Feature {
    /// The origin of b's frame.
    Point,
    /// A ball about the origin of b's frame.
    Ball {
        /// Radius \[m\].
        radius: f64,
    },
    /// An ellipsoid about the origin of b's frame.
    Ellipsoid {
        /// Semi-axes along b's x, y and z \[m\].
        radii: Vec3,
    },
    /// A curve in b's frame, such as the rim of a disc or the profile of a cam.
    Curve(Curve),
}

/// A feature of b in contact with a surface of a; frames: a, b.
#[derive(Clone, Debug, PartialEq)]
pub struct Tangent {
    surface: Surface,
    feature: Feature,
    inside: bool,
    /// Indices of the frames of the surface and of the feature.
    ends: [usize; 2],
    /// Kind, as reports name it.
    name: &'static str,
}

/// The point of a feature that is nearest to the surface, seen from a.
#[derive(Clone, Debug)]
struct TangentPoint {
    /// r: from b's origin.
    arm: Vec3,
    height: Height,
    /// t, one per parameter.
    tangents: [Vec3; 2],
    /// K.
    bend: [[f64; 2]; 2],
    parameters: usize,
}

impl Tangent {
    /// A feature on a surface.
    ///
    /// # Errors
    /// For sizes that are not positive.
    pub fn new(surface: Surface, feature: Feature) -> Result<Self, GeometryError> {
        surface.check()?;
        let bad = |field, value| GeometryError::Number { field, value, want: "positive" };
        let feature = match feature {
            Feature::Ball { radius } if !(radius > 0.0 && radius.is_finite()) => {
                return Err(bad("radius", radius));
            }
            Feature::Ellipsoid { radii } => {
                if let Some(r) = radii.to_array().into_iter().find(|r| !(*r > 0.0 && r.is_finite())) {
                    return Err(bad("radii", r));
                }
                // A ball with a true distance has a closed form.
                if radii.x == radii.y && radii.x == radii.z && surface.is_distance() {
                    Feature::Ball { radius: radii.x }
                } else {
                    Feature::Ellipsoid { radii }
                }
            }
            Feature::Ball { radius } if !surface.is_distance() => {
                Feature::Ellipsoid { radii: vec3(radius, radius, radius) }
            }
            other => other,
        };
        let name = match (&feature, &surface) {
            (_, Surface::Profile { .. }) => "cam",
            (Feature::Point, _) => "point-on-surface",
            _ => "tangent",
        };
        Ok(Tangent { surface, feature, inside: false, ends: [0, 1], name })
    }

    /// The feature is on the inner side of the surface.
    pub fn inside(mut self) -> Self {
        self.inside = !self.inside;
        self
    }

    /// A closed profile in the x–y plane of the first frame in contact with a flat follower: the
    /// x–y plane of the second frame, whose z points to the profile.
    ///
    /// # Errors
    /// If the curve is open or leaves the plane.
    pub fn flat_follower(profile: Curve) -> Result<Self, GeometryError> {
        profile.check_flat()?;
        if !profile.is_closed() {
            return Err(GeometryError::Open);
        }
        let feature = Feature::Curve(profile);
        Ok(Tangent { surface: Surface::Plane, feature, inside: false, ends: [1, 0], name: "cam" })
    }

    /// The surface.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }
    /// The feature.
    pub fn feature(&self) -> &Feature {
        &self.feature
    }

    /// D with its sign, its gradient and Hessian, at a point seen from a.
    fn height(&self, p: Vec3) -> Height {
        let h = self.surface.height(p);
        if self.inside {
            return Height { value: -h.value, gradient: -h.gradient, hessian: h.hessian.scaled(-1.0) };
        }
        h
    }

    /// D with its sign, at a point seen from a.
    fn value(&self, p: Vec3) -> f64 {
        let value = self.surface.value(p);
        if self.inside { -value } else { value }
    }

    fn tangent_point(&self, y: Vec3, q: &Mat3) -> TangentPoint {
        match &self.feature {
            Feature::Point => self.touch_point(y, 0.0),
            Feature::Ball { radius } => self.touch_point(y, *radius),
            Feature::Curve(curve) => self.nearest_on_curve(curve, y, q),
            Feature::Ellipsoid { radii } => self.nearest_on_ellipsoid(*radii, y, q),
        }
    }

    fn touch_point(&self, y: Vec3, radius: f64) -> TangentPoint {
        let mut height = self.height(y);
        height.value -= radius;
        TangentPoint {
            arm: Vec3::ZERO,
            height,
            tangents: [Vec3::ZERO; 2],
            bend: [[0.0; 2]; 2],
            parameters: 0,
        }
    }

    fn size(&self) -> f64 {
        let feature = match &self.feature {
            Feature::Point => 0.0,
            Feature::Ball { radius } => *radius,
            Feature::Ellipsoid { radii } => radii.largest(),
            Feature::Curve(curve) => curve.size(),
        };
        self.surface.size() + feature
    }
}

impl TangentPoint {
    /// Why the contact point cannot be continued, if so.
    fn fault(&self) -> Option<String> {
        let [[a, b], [_, d]] = self.bend;
        let size = larger(a.abs(), d.abs());
        let firm = match self.parameters {
            0 => true,
            1 => a > 0.0,
            _ => a > 0.0 && a * d - b * b > 1e-9 * size * size,
        };
        let text =
            "the shapes do not curve away from each other where they touch, so that the place is not unique";
        (!firm).then(|| text.into())
    }

    /// βᵀ K⁻¹ β.
    fn answered(&self, beta: [f64; 2]) -> f64 {
        match self.parameters {
            0 => 0.0,
            1 => beta[0] * beta[0] / self.bend[0][0],
            _ => {
                let [[a, b], [_, d]] = self.bend;
                (d * beta[0] * beta[0] - 2.0 * b * beta[0] * beta[1] + a * beta[1] * beta[1])
                    / (a * d - b * b)
            }
        }
    }
}

impl Constraint for Tangent {
    fn kind(&self) -> &'static str {
        self.name
    }

    fn lost(&self, frames: &[FrameMotion]) -> Option<String> {
        let at = FramePair::new(frames, self.ends).at;
        let tangent_point = self.tangent_point(at.shift, &at.turn.matrix());
        self.surface.fault(at.shift + tangent_point.arm).or_else(|| tangent_point.fault())
    }

    fn outline(&self, frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        outline::lines(self, frames)
    }

    fn rows(&self) -> usize {
        1
    }

    fn needs_orientation(&self, end: usize) -> bool {
        let round = matches!(self.feature, Feature::Point | Feature::Ball { .. });
        if end == self.ends[0] { !matches!(self.surface, Surface::Sphere { .. }) } else { !round }
    }

    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let pair = FramePair::new(frames, self.ends);
        let (rate, spin) = (pair.at.rate, pair.at.spin);
        let tangent_point = self.tangent_point(pair.at.shift, &pair.at.turn.matrix());
        let (g, hessian) = (tangent_point.height.gradient, tangent_point.height.hessian);
        let turning = spin.cross(tangent_point.arm);
        let bent = hessian * (rate + turning);
        let beta = tangent_point.tangents.map(|t| g.dot(spin.cross(t)) + t.dot(bent));
        let row = FrameRow {
            err: tangent_point.height.value,
            gradient: Wrench { force: g, torque: tangent_point.arm.cross(g) },
            velocity_term: g.dot(spin.cross(turning)) + bent.dot(rate + turning)
                - tangent_point.answered(beta),
            size: self.size(),
        };
        pair.write(0, row, out);
    }
}
