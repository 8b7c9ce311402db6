//! Axis-aligned bounding boxes.

use crate::pose::Pose;
use cardan_solve::math::{Vec3, vec3};

pub(crate) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

pub(crate) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// A box aligned with the world axes: all points between two corners \[m\].
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Aabb {
    /// The corner with the least coordinates.
    pub min: Vec3,
    /// The corner with the greatest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// All of space.
    pub const EVERYWHERE: Aabb = Aabb {
        min: vec3(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
        max: vec3(f64::INFINITY, f64::INFINITY, f64::INFINITY),
    };
    /// The empty box, which any point enlarges.
    pub const EMPTY: Aabb = Aabb { min: Aabb::EVERYWHERE.max, max: Aabb::EVERYWHERE.min };

    /// The bounding box of points.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Aabb {
        points.into_iter().fold(Aabb::EMPTY, |b, p| b.with(&Aabb { min: p, max: p }))
    }

    /// The bounding box of a box with half edges `half` about the origin of a frame.
    pub fn of_box(half: Vec3, pose: &Pose) -> Aabb {
        let r = &pose.rot;
        let reach = |i: usize| half.x * r.x[i].abs() + half.y * r.y[i].abs() + half.z * r.z[i].abs();
        Aabb::about(pose.pos, vec3(reach(0), reach(1), reach(2)))
    }

    /// From a centre and half edges.
    pub fn about(center: Vec3, half: Vec3) -> Aabb {
        Aabb { min: center - half, max: center + half }
    }

    /// The bounding box of both.
    #[must_use]
    pub fn with(&self, o: &Aabb) -> Aabb {
        Aabb {
            min: vec3(lesser(self.min.x, o.min.x), lesser(self.min.y, o.min.y), lesser(self.min.z, o.min.z)),
            max: vec3(
                greater(self.max.x, o.max.x),
                greater(self.max.y, o.max.y),
                greater(self.max.z, o.max.z),
            ),
        }
    }

    /// Larger by a distance on every side.
    #[must_use]
    pub fn grown(&self, by: f64) -> Aabb {
        let by = vec3(by, by, by);
        Aabb { min: self.min - by, max: self.max + by }
    }

    /// True if the boxes have a point in common; false with NaN.
    #[inline]
    pub fn meets(&self, o: &Aabb) -> bool {
        // Without branches in between: which axis decides cannot be predicted.
        (self.min.x <= o.max.x)
            & (o.min.x <= self.max.x)
            & (self.min.y <= o.max.y)
            & (o.min.y <= self.max.y)
            & (self.min.z <= o.max.z)
            & (o.min.z <= self.max.z)
    }

    /// True if the other box is inside this one.
    pub fn holds(&self, o: &Aabb) -> bool {
        self.min.x <= o.min.x
            && self.min.y <= o.min.y
            && self.min.z <= o.min.z
            && o.max.x <= self.max.x
            && o.max.y <= self.max.y
            && o.max.z <= self.max.z
    }

    /// The middle.
    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Half the edges.
    pub fn half(&self) -> Vec3 {
        (self.max - self.min) * 0.5
    }

    /// True if the corners are finite and in order.
    pub fn is_finite(&self) -> bool {
        self.min.is_finite()
            && self.max.is_finite()
            && self.min.x <= self.max.x
            && self.min.y <= self.max.y
            && self.min.z <= self.max.z
    }
}
