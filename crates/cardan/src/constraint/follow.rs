//! A point that follows a path in space over time, as a user constraint on one frame:
//!
//!   C = p − s(t)         Ċ = ṗ − ṡ         C̈ = p̈ − s̈          rows: x, y, z of the world
//!
//! The multipliers are the force that it takes, at the point, world axes. What drives at joints must give for the same motion is another question,
//! since these push along the joints.

use super::{Constraint, ConstraintRows};
use crate::body::FrameMotion;
use crate::law::{Nurbs, Smoothness};
use crate::math::Vec3;

/// A path that a point follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Follow {
    path: Nurbs<3>,
}

impl Follow {
    /// A path over time, in the world.
    ///
    /// # Errors
    /// With how smooth it is, if its velocity jumps: no force could follow it.
    pub fn new(path: Nurbs<3>) -> Result<Self, Smoothness> {
        let has = path.smoothness();
        if has >= Smoothness::Rate { Ok(Follow { path }) } else { Err(has) }
    }
}

impl Constraint for Follow {
    fn kind(&self) -> &'static str {
        "follow"
    }

    fn rows(&self) -> usize {
        3
    }

    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (place, path) = (frames[0].pos.to_array(), self.path.at(time));
        for (r, e) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            out.err[r] = place[r] - path[r].value;
            out.err_time_rate[r] = -path[r].rate;
            out.jac_dot_v[r] = -path[r].second;
            out.scale[r] = 1.0 + path[r].value.abs();
            out.gradient(r, 0).force = e;
        }
    }
}
