//! Point on a curve: the origin of b's frame on a curve c(s) fixed in a's frame; 2 rows, 1 in the
//! plane.
//!
//! With s the foot of d (`geometry/curve/foot.rs`), e = d − c(s), and normals N that do not twist
//! along the curve,
//!
//!   C = N·e        γ = ∂C/∂d = N        h = ḋᵀ H ḋ,   H = −(N·c″) c′ c′ᵀ/(|c′|² (c′·c′ − e·c″))
//!
//! exactly, on the curve and off it: N′ is along c′, to which e is perpendicular, so that the
//! dependence of s and N on d does not enter the gradient. For a plane curve N is its normal in the
//! plane, and z. An open curve continues straight beyond its ends, but a step that ends there is an
//! error.

use super::frame_pair::{FramePair, FrameRow};
use super::{Constraint, ConstraintRows};
use crate::body::{FrameMotion, Wrench};
use crate::geometry::{Curve, GeometryError};
use crate::math::{Vec3, vec3};

/// A point of b on a curve of a; frames: a, b.
#[derive(Clone, Debug, PartialEq)]
pub struct PointOnCurve {
    curve: Curve,
    planar: bool,
}

impl PointOnCurve {
    /// On a curve in space: two rows.
    pub fn new(curve: Curve) -> Self {
        PointOnCurve { curve, planar: false }
    }

    /// On a curve in the x–y plane, between planar bodies: one row.
    ///
    /// # Errors
    /// If the curve leaves the plane.
    pub fn planar(curve: Curve) -> Result<Self, GeometryError> {
        curve.check_flat()?;
        Ok(PointOnCurve { curve, planar: true })
    }

    /// The point seen from a.
    fn place(&self, pair: &FramePair) -> Vec3 {
        let y = pair.at.shift;
        if self.planar { vec3(y.x, y.y, 0.0) } else { y }
    }

    /// The curve.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl Constraint for PointOnCurve {
    fn kind(&self) -> &'static str {
        "point-on-curve"
    }

    fn needs_orientation(&self, end: usize) -> bool {
        end == 0
    }

    fn lost(&self, frames: &[FrameMotion]) -> Option<String> {
        let foot = self.curve.foot(self.place(&FramePair::new(frames, [0, 1])));
        self.curve.fault(&foot)
    }

    fn outline(&self, frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        let a = &frames[0];
        vec![self.curve.outline().iter().map(|p| a.pos + a.rot * *p).collect()]
    }

    fn rows(&self) -> usize {
        if self.planar { 1 } else { 2 }
    }

    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let pair = FramePair::new(frames, [0, 1]);
        let foot = self.curve.foot(self.place(&pair));
        let normals = if self.planar {
            let t = foot.at.first / foot.at.first.norm();
            [vec3(t.y, -t.x, 0.0), Vec3::Z]
        } else {
            self.curve.normals(&foot)
        };
        // At the centre of curvature the nearest foot is not unique.
        let unique = foot.clearance() > 1e-9;
        for (r, n) in normals.into_iter().enumerate().take(self.rows()) {
            let row = FrameRow {
                err: if unique { n.dot(foot.gap) } else { f64::NAN },
                gradient: Wrench { force: n, torque: Vec3::ZERO },
                velocity_term: foot.bend(n, pair.at.rate),
                size: foot.at.place.reach(),
            };
            pair.write(r, row, out);
        }
    }
}
