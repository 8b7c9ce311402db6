//! Path following: a point that follows a path in space over time.
//!
//!   C = e_r·(p − s(t))         Ċ = e_r·(ṗ − ṡ)         C̈ = e_r·(p̈ − s̈)          a row per direction e_r: x, y, z of the world, or others
//!
//! Without motors the multipliers are the force at the point, along the directions. With motors,
//! one per direction, the multipliers are the motor forces along joint coordinates that keep the
//! point on the path: K ≠ Jᵀ, the force acts elsewhere. A point of an arm with two joints can
//! follow two directions of a path, one with three joints all three.

use super::{Constraint, ConstraintRows};
use crate::body::{Frame, FrameMotion};
use crate::joint::{JointCoordinates, JointKind, Relative};
use crate::law::{Nurbs, Smoothness};
use crate::math::Vec3;
use crate::model::{End, JointId};

/// A path that a point follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Follow {
    path: Nurbs<3>,
    directions: Vec<Vec3>,
    /// Joint kind and coordinate of each motor; their frames follow that of the point, a and b
    /// each.
    motors: Vec<(JointKind, usize)>,
}

impl Follow {
    /// A path over time, in the world \[m\].
    ///
    /// # Errors
    /// With the smoothness of the path, if its velocity jumps: following it would need an infinite
    /// force.
    pub fn new(path: Nurbs<3>) -> Result<Self, Smoothness> {
        let has = path.smoothness();
        let directions = vec![Vec3::X, Vec3::Y, Vec3::Z];
        if has >= Smoothness::Rate { Ok(Follow { path, directions, motors: Vec::new() }) } else { Err(has) }
    }

    /// Follows the path in some directions of the world only.
    ///
    /// # Errors
    /// With the index of the first direction without a length, or zero if there is none.
    pub fn along(mut self, directions: &[Vec3]) -> Result<Self, usize> {
        self.directions.clear();
        for (i, e) in directions.iter().enumerate() {
            self.directions.push(e.normalized().ok_or(i)?);
        }
        if self.directions.is_empty() { Err(0) } else { Ok(self) }
    }

    pub(crate) fn pushed_by(mut self, motors: Vec<(JointKind, usize)>) -> Self {
        self.motors = motors;
        self
    }
}

/// Description of a point that motors at joints keep on a path.
#[derive(Clone, Debug, PartialEq)]
pub struct MotorFollow {
    /// Unique name, among joints, constraints and inequalities.
    pub name: String,
    /// The body that has the point.
    pub body: End,
    /// The point, in the body frame \[m\].
    pub point: Vec3,
    /// The path and its directions.
    pub follow: Follow,
    /// Joint and coordinate of each motor, as many as directions.
    pub motors: Vec<(JointId, usize)>,
}

impl MotorFollow {
    pub(crate) fn frame(&self) -> (End, Frame) {
        (self.body, Frame::at(self.point))
    }
}

impl Constraint for Follow {
    fn kind(&self) -> &'static str {
        "follow"
    }

    fn rows(&self) -> usize {
        self.directions.len()
    }

    fn pushes_elsewhere(&self) -> bool {
        !self.motors.is_empty()
    }

    fn is_timed(&self) -> bool {
        true
    }

    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let path = self.path.at(time);
        let part = |of: &dyn Fn(usize) -> f64| Vec3::new(of(0), of(1), of(2));
        let gap = part(&|k| frames[0].pos[k] - path[k].value);
        let (rate, second) = (part(&|k| path[k].rate), part(&|k| path[k].second));
        let size = 1.0 + part(&|k| path[k].value).largest();
        for (r, e) in self.directions.iter().enumerate() {
            out.err[r] = e.dot(gap);
            out.err_time_rate[r] = -e.dot(rate);
            out.jac_dot_v[r] = -e.dot(second);
            out.scale[r] = size;
            out.gradient(r, 0).force = *e;
        }
        let mut now = JointCoordinates::default();
        for (r, (kind, k)) in self.motors.iter().enumerate() {
            let at = Relative::new(&frames[2 * r + 1], &frames[2 * r + 2]);
            kind.write_coordinates(&at, &mut now);
            let on_b = at.to_world(now.direction[*k]);
            *out.push(r, 2 * r + 1) = at.carried_to_a(on_b);
            *out.push(r, 2 * r + 2) = on_b;
        }
    }

    fn outline(&self, _frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        const PARTS: u32 = 64;
        let [start, end] = self.path.span();
        let at = |i: u32| {
            let point = self.path.at(start + (end - start) * f64::from(i) / f64::from(PARTS));
            Vec3::new(point[0].value, point[1].value, point[2].value)
        };
        vec![(0..=PARTS).map(at).collect()]
    }
}
