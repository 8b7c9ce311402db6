//! The point of a curve of b that is nearest to a surface of a.
//!
//!   F(s) = D(d + Q c(s))        F_s = g·t        F_ss = g·Q c″ + tᵀ H t
//!
//! The best of a fixed set of samples along the curve, then Newton's method between its neighbours,
//! where F_s has opposite signs.

use super::{Tangent, TangentPoint};
use crate::geometry::{Curve, Height};
use crate::math::{Mat3, Vec3};
use crate::tolerances::NEWTON_STALLS;

/// Number of sampled points of the curve.
const CURVE_SAMPLES: usize = 48;

/// Values at one parameter.
struct CurveSample {
    arm: Vec3,
    tangent: Vec3,
    height: Height,
    slope: f64,
    bend: f64,
}

impl Tangent {
    fn sample(&self, curve: &Curve, y: Vec3, q: &Mat3, s: f64) -> CurveSample {
        let at = curve.at(s);
        let (arm, tangent) = (*q * at.place, *q * at.first);
        let height = self.height(y + arm);
        let bend = height.gradient.dot(*q * at.second) + tangent.dot(height.hessian * tangent);
        CurveSample { arm, tangent, slope: height.gradient.dot(tangent), bend, height }
    }

    pub(super) fn nearest_on_curve(&self, curve: &Curve, y: Vec3, q: &Mat3) -> TangentPoint {
        let [from, to] = curve.span();
        let width = (to - from) / CURVE_SAMPLES as f64;
        let last = if curve.is_closed() { CURVE_SAMPLES - 1 } else { CURVE_SAMPLES };
        let (mut best, mut least) = (from, f64::INFINITY);
        for i in 0..=last {
            let s = from + width * i as f64;
            let value = self.value(y + *q * curve.at(s).place);
            if value < least {
                (best, least) = (s, value);
            }
        }
        let (mut low, mut high) = (best - width, best + width);
        let mut s = best;
        let mut sample = self.sample(curve, y, q, s);
        let mut before = f64::INFINITY;
        for _ in 0..64 {
            if sample.slope > 0.0 {
                high = s
            } else {
                low = s
            }
            let newton = s - sample.slope / sample.bend;
            let inside = sample.bend > 0.0 && newton >= low && newton <= high;
            let next = if inside { newton } else { 0.5 * (low + high) };
            let step = (next - s).abs();
            s = next;
            sample = self.sample(curve, y, q, s);
            // Small steps that no longer shrink are rounding.
            if step <= NEWTON_STALLS * width && step > 0.5 * before || step <= f64::EPSILON * s.abs() {
                break;
            }
            before = step;
        }
        TangentPoint {
            arm: sample.arm,
            height: sample.height,
            tangents: [sample.tangent, Vec3::ZERO],
            bend: [[sample.bend, 0.0], [0.0, 0.0]],
            parameters: 1,
        }
    }
}
