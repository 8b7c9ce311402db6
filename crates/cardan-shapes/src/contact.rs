//! What colliding two shapes gives.

use crate::primitive::Primitive;
use cardan_solve::math::Vec3;

/// A part of a shape's surface.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeatureId {
    /// All of it: of a plane or a ball; of a cylinder or capsule the side.
    Whole,
    /// A corner, or an end of a capsule.
    Vertex(u32),
    /// An edge, or the axis of a capsule.
    Edge(u32),
    /// A face, or an end of a cylinder.
    Face(u32),
    /// A rim of a cylinder.
    Rim(u32),
    /// A point of a rim of a cylinder that stands flat: the rim's index and which of its points.
    RimPoint(u32, u32),
}

/// Which parts of the two shapes meet: the name of a contact, the same from step to step.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeaturePair {
    /// Of shape a.
    pub a: FeatureId,
    /// Of shape b.
    pub b: FeatureId,
    /// Tells apart several places where the same two parts meet.
    pub nth: u8,
}

impl FeaturePair {
    /// The same with a and b exchanged.
    #[must_use]
    pub const fn swapped(self) -> Self {
        FeaturePair { a: self.b, b: self.a, nth: self.nth }
    }
}

/// One condition that keeps two shapes apart.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Contact {
    /// Which parts meet.
    pub feature: FeaturePair,
    /// The smooth gap, in the frames of the shapes.
    pub primitive: Primitive,
    /// The gap at the given poses; negative if the shapes overlap.
    pub gap: f64,
    /// Unit vector from a to b, world.
    pub normal: Vec3,
    /// Nearest point of a, world.
    pub point_a: Vec3,
    /// Nearest point of b, world.
    pub point_b: Vec3,
}
