//! The place of a curve of b that is nearest to a surface of a.
//!
//!   F(s) = D(y + Q c(s))        F_s = g·t        F_ss = g·Q c″ + tᵀ H t
//!
//! The best of some places along the curve, a fixed choice, and then Newton's method between its neighbours, where F_s has different signs.

use super::{Tangent, Touch};
use crate::geometry::{Curve, Height};
use crate::math::{Mat3, Vec3};

/// How many places of the curve are looked at.
const LOOKS: usize = 48;

/// Everything at one parameter.
struct Look {
    arm: Vec3,
    tangent: Vec3,
    height: Height,
    slope: f64,
    bend: f64,
}

impl Tangent {
    fn look(&self, curve: &Curve, y: Vec3, q: &Mat3, s: f64) -> Look {
        let at = curve.at(s);
        let (arm, tangent) = (*q * at.place, *q * at.first);
        let height = self.height(y + arm);
        let bend = height.gradient.dot(*q * at.second) + tangent.dot(height.hessian * tangent);
        Look { arm, tangent, slope: height.gradient.dot(tangent), bend, height }
    }

    pub(super) fn touch_curve(&self, curve: &Curve, y: Vec3, q: &Mat3) -> Touch {
        let [from, to] = curve.span();
        let width = (to - from) / LOOKS as f64;
        let last = if curve.is_closed() { LOOKS - 1 } else { LOOKS };
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
        let mut look = self.look(curve, y, q, s);
        let mut before = f64::INFINITY;
        for _ in 0..64 {
            if look.slope > 0.0 {
                high = s
            } else {
                low = s
            }
            let newton = s - look.slope / look.bend;
            let inside = look.bend > 0.0 && newton >= low && newton <= high;
            let next = if inside { newton } else { 0.5 * (low + high) };
            let step = (next - s).abs();
            s = next;
            look = self.look(curve, y, q, s);
            // Small steps that no longer shrink are rounding.
            if step <= 1e-7 * width && step > 0.5 * before || step <= f64::EPSILON * s.abs() {
                break;
            }
            before = step;
        }
        Touch {
            arm: look.arm,
            height: look.height,
            tangents: [look.tangent, Vec3::ZERO],
            bend: [[look.bend, 0.0], [0.0, 0.0]],
            parameters: 1,
        }
    }
}
