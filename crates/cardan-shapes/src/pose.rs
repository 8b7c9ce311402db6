//! Pose and velocity of a frame.

use crate::jet::Jet;
use cardan_solve::Lane;
use cardan_solve::math::{Mat3, Vec3, vec3};

/// Position and orientation of a frame: x ↦ pos + rot x.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Pose<T = f64> {
    /// The frame's origin, world \[m\].
    pub pos: Vec3<T>,
    /// The frame's axes as columns, world; a rotation.
    pub rot: Mat3<T>,
}

/// Velocity of a frame: of its origin, and angular; world axes.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Twist {
    /// Velocity of the origin \[m/s\].
    pub vel: Vec3,
    /// Angular velocity \[rad/s\].
    pub omega: Vec3,
}

impl<T: Lane> Pose<T> {
    /// The world frame.
    pub const IDENTITY: Self = Pose { pos: Vec3::ZERO, rot: Mat3::IDENTITY };

    /// A pose without rotation.
    pub const fn at(pos: Vec3<T>) -> Self {
        Pose { pos, rot: Mat3::IDENTITY }
    }

    /// A point of the frame, in world coordinates.
    #[inline]
    pub fn point(&self, x: Vec3<T>) -> Vec3<T> {
        self.pos + self.rot * x
    }

    /// A point of the world, in coordinates of the frame.
    #[inline]
    pub fn point_inverse(&self, x: Vec3<T>) -> Vec3<T> {
        self.rot.transpose_mul(x - self.pos)
    }

    /// A frame given in this one, in the world.
    pub fn then(&self, inner: &Self) -> Self {
        Pose { pos: self.point(inner.pos), rot: self.rot * inner.rot }
    }

    /// A frame of the world, relative to this one.
    #[inline]
    pub fn inverse_then(&self, other: &Self) -> Self {
        Pose { pos: self.point_inverse(other.pos), rot: self.rot.transpose_mul_mat(&other.rot) }
    }
}

impl Pose {
    /// True if no number is NaN or infinite.
    pub fn is_finite(&self) -> bool {
        let Mat3 { x, y, z } = self.rot;
        [self.pos, x, y, z].into_iter().all(Vec3::is_finite)
    }

    /// The pose along the motion that starts with `twist`, without linear and angular acceleration: Ṙ = ω× R,
    /// R̈ = ω× ω× R. Its origin is relative to `origin`, which moves with `drift`.
    pub(crate) fn moving(&self, twist: &Twist, origin: Vec3, drift: Vec3) -> Pose<Jet> {
        let (pos, vel, w) = (self.pos - origin, twist.vel - drift, twist.omega);
        let axis = |c: Vec3| {
            let first = w.cross(c);
            jets(c, first, w.cross(first))
        };
        Pose {
            pos: jets(pos, vel, Vec3::ZERO),
            rot: Mat3 { x: axis(self.rot.x), y: axis(self.rot.y), z: axis(self.rot.z) },
        }
    }
}

fn jets(v: Vec3, d: Vec3, dd: Vec3) -> Vec3<Jet> {
    let jet = |value, first, second| Jet { value, first, second };
    vec3(jet(v.x, d.x, dd.x), jet(v.y, d.y, dd.y), jet(v.z, d.z, dd.z))
}
