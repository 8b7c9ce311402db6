//! Contact of a wheel with a surface of any shape, seen from a's frame.
//!
//! A wheel is the set of points within ρ of its spine: for a ball its centre, with ρ = r; for a
//! disc the circle c(φ) of radius r − ρ about its axis. With D the distance to the surface (negated
//! from inside) and p(φ) = d + Q c(φ),
//!
//!   C = min_φ D(p(φ)) − ρ        n = ∇D        contact = p − ρ n        w = d − contact = ρ n − Q c
//!
//! The nearest point of the spine moves so that D_φ = n·t stays zero, t = Q c_φ; with H = ∇∇D,
//!
//!   φ̇ = −β/K        β = n·(w_b × t) + tᵀ H (ḋ + w_b × Q c)        K = n·Q c_φφ + tᵀ H t
//!   ṗ = ḋ + w_b × Q c + t φ̇        ṅ = H ṗ        ẇ = ρ ṅ − w_b × Q c − t φ̇
//!
//! w_b: angular velocity of b, d: origin of b, both seen from a. Since D is a distance, n has unit
//! length in every pose, open or closed.

use super::{FLAT, Wheel};
use crate::geometry::{Height, Surface};
use crate::joint::Relative;
use crate::math::{Mat3, Vec3, vec3};
use crate::tolerances::NEWTON_CERTAIN;

/// Number of sampled points of a rim.
const RIM_SAMPLES: usize = 32;

/// The surface of a wheel in the general case.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RollingSurface {
    pub surface: Surface,
    pub inside: bool,
}

/// The contact in a's axes.
pub(super) struct RollingContact {
    pub gap: f64,
    pub normal: Vec3,
    pub normal_rate: Vec3,
    /// w and ẇ.
    pub arm: Vec3,
    pub arm_rate: Vec3,
}

/// One point of the spine.
struct RimSample {
    /// Q c.
    from: Vec3,
    tangent: Vec3,
    height: Height,
    slope: f64,
    bend: f64,
    only: bool,
}

impl RollingSurface {
    /// Signed distance, and whether the nearest point is locally unique.
    fn distance(&self, p: Vec3) -> (Height, bool) {
        let (h, only) = match &self.surface {
            Surface::Terrain(terrain) => terrain.distance(p),
            other => (other.height(p), true),
        };
        if self.inside {
            let turned = Height { value: -h.value, gradient: -h.gradient, hessian: h.hessian.scaled(-1.0) };
            return (turned, only);
        }
        (h, only)
    }

    /// The distance to first order, to compare points.
    fn roughly(&self, p: Vec3) -> f64 {
        let value = match &self.surface {
            Surface::Terrain(_) => {
                let h = self.surface.height(p);
                h.value / h.gradient.norm()
            }
            other => other.value(p),
        };
        if self.inside { -value } else { value }
    }

    fn sample(&self, rim: f64, y: Vec3, q: &Mat3, phi: f64) -> RimSample {
        let (sin, cos) = libm::sincos(phi);
        let from = *q * vec3(rim * cos, rim * sin, 0.0);
        let tangent = *q * vec3(-rim * sin, rim * cos, 0.0);
        let (height, only) = self.distance(y + from);
        let slope = height.gradient.dot(tangent);
        let bend = tangent.dot(height.hessian * tangent) - height.gradient.dot(from);
        RimSample { from, tangent, height, slope, bend, only }
    }

    /// The lowest point of the spine.
    fn lowest(&self, rim: f64, y: Vec3, q: &Mat3) -> RimSample {
        if rim == 0.0 {
            let (height, only) = self.distance(y);
            return RimSample { from: Vec3::ZERO, tangent: Vec3::ZERO, height, slope: 0.0, bend: 1.0, only };
        }
        let width = core::f64::consts::TAU / RIM_SAMPLES as f64;
        let (mut phi, mut least) = (0.0, f64::INFINITY);
        for i in 0..RIM_SAMPLES {
            let (sin, cos) = libm::sincos(width * i as f64);
            let value = self.roughly(y + *q * vec3(rim * cos, rim * sin, 0.0));
            if value < least {
                (phi, least) = (width * i as f64, value);
            }
        }
        let mut sample = self.sample(rim, y, q, phi);
        let mut before = f64::INFINITY;
        for _ in 0..60 {
            let newton = -sample.slope / sample.bend;
            let fine = sample.bend > 0.0 && newton.abs() < width;
            let mut step = match (fine, sample.slope > 0.0) {
                (true, _) => newton,
                (false, true) => -width,
                (false, false) => width,
            };
            let size = step.abs();
            if size.is_nan() || size == 0.0 {
                break;
            }
            // Near the minimum d is constant to rounding, but Newton's step is still accurate.
            let certain = fine && size < NEWTON_CERTAIN;
            let mut next = self.sample(rim, y, q, phi + step);
            let mut halvings = 0;
            while !certain && next.height.value > sample.height.value && halvings < 40 {
                step *= 0.5;
                next = self.sample(rim, y, q, phi + step);
                halvings += 1;
            }
            if halvings == 40 {
                break;
            }
            phi += step;
            sample = next;
            // Steps that no longer shrink are rounding.
            if certain && size > 0.5 * before {
                break;
            }
            before = size;
        }
        sample
    }

    pub(super) fn contact(&self, wheel: &Wheel, at: &Relative) -> RollingContact {
        let (rim, round) = wheel.spine();
        let sample = self.lowest(rim, at.shift, &at.turn.matrix());
        let Height { value, gradient: n, hessian } = sample.height;
        let turning = at.spin.cross(sample.from);
        // A flat disc: the direction of the lowest point is rounding.
        let bend = if rim > 0.0 && sample.bend.abs() <= FLAT * rim { f64::NAN } else { sample.bend };
        let beta = n.dot(at.spin.cross(sample.tangent)) + sample.tangent.dot(hessian * (at.rate + turning));
        let along = sample.tangent * (-beta / bend);
        let normal_rate = hessian * (at.rate + turning + along);
        RollingContact {
            gap: value - round,
            normal: n,
            normal_rate,
            arm: n * round - sample.from,
            arm_rate: normal_rate * round - turning - along,
        }
    }

    /// Why the contact cannot be continued, if so.
    pub(super) fn fault(&self, wheel: &Wheel, at: &Relative) -> Option<String> {
        let (rim, _) = wheel.spine();
        let sample = self.lowest(rim, at.shift, &at.turn.matrix());
        let foot = at.shift + sample.from - sample.height.gradient * sample.height.value;
        if let Some(fault) = self.surface.fault(foot) {
            return Some(fault.replace("the point", "the contact"));
        }
        let bends = rim > 0.0 && (sample.bend.is_nan() || sample.bend <= FLAT * rim);
        (bends || !sample.only).then(|| {
            "the surface curves in more than the wheel where they touch, so that it would touch in two places".into()
        })
    }
}
