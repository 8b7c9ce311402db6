//! Contacts: the result of colliding two shapes.

use crate::primitive::Primitive;
use cardan_solve::math::Vec3;

/// A feature of a shape's surface.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeatureId {
    /// All of it: of a plane or a sphere; of a cylinder or capsule the side.
    Whole,
    /// A vertex, or an end of a capsule.
    Vertex(u32),
    /// An edge, or the axis of a capsule.
    Edge(u32),
    /// A face, or an end cap of a cylinder.
    Face(u32),
    /// A rim of a cylinder.
    Rim(u32),
    /// A point on the rim of an upright cylinder: the rim's index and the point's.
    RimPoint(u32, u32),
}

/// The features of the two shapes that meet: the identity of a contact, stable from step to step.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeaturePair {
    /// Feature of shape a.
    pub a: FeatureId,
    /// Feature of shape b.
    pub b: FeatureId,
    /// Distinguishes several contacts of the same two features.
    pub nth: u8,
}

impl FeaturePair {
    /// The pair with a and b exchanged.
    #[must_use]
    pub const fn swapped(self) -> Self {
        FeaturePair { a: self.b, b: self.a, nth: self.nth }
    }
}

/// One non-penetration condition between two shapes: gap ≥ 0.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Contact {
    /// The features that meet.
    pub feature: FeaturePair,
    /// The smooth gap function, in the frames of the shapes.
    pub primitive: Primitive,
    /// The gap at the given poses \[m\]; negative if the shapes overlap.
    pub gap: f64,
    /// Unit vector from a to b, world axes.
    pub normal: Vec3,
    /// Nearest point of a, world \[m\].
    pub point_a: Vec3,
    /// Nearest point of b, world \[m\].
    pub point_b: Vec3,
}
