//! Contact: which shapes keep bodies apart, and of what they are made.
//!
//! [`Shape`] is geometry for contact alone. The solid that gives a body its mass and its picture is a
//! [`SolidShape`](crate::SolidShape).
//!
//! Shapes belong to bodies or to the ground. Where two of them come near each other, `cardan_shapes` says what keeps them apart, as smooth gaps
//! g ≥ 0 between a point, a line, a circle or a plane of either; the step answers these like any inequality (`step/contact/`), with dry
//! friction across. Two shapes of one body never meet; nor do bodies that a joint connects, unless that is asked for.

use crate::body::Frame;
use crate::model::{Attachment, BodyId, End};
pub use cardan_shapes::{Hull, Mesh, Shape, ShapeError, Terrain};
use std::collections::BTreeMap;

/// What a surface is made of.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Material {
    /// Coefficient of friction at rest; the other where that is larger.
    pub static_friction: f64,
    /// While it slides.
    pub kinetic_friction: f64,
    /// Coefficient of restitution, from 0 to 1: the part of the speed of approach that is left after an impact.
    pub restitution: f64,
    /// Rolling is resisted by a moment of up to this length times the normal force \[m\].
    pub rolling: f64,
    /// Spinning about the normal likewise \[m\].
    pub torsion: f64,
}

impl Material {
    /// Without rebound, one coefficient of friction.
    pub fn rough(friction: f64) -> Self {
        Material { static_friction: friction, kinetic_friction: friction, ..Material::default() }
    }
    /// Of two surfaces: the geometric mean of their frictions, the larger of their rebounds and of their resistances.
    pub fn between(a: Material, b: Material) -> Material {
        use crate::math::larger;
        Material {
            static_friction: (a.static_friction * b.static_friction).sqrt(),
            kinetic_friction: (a.kinetic_friction * b.kinetic_friction).sqrt(),
            restitution: larger(a.restitution, b.restitution),
            rolling: larger(a.rolling, b.rolling),
            torsion: larger(a.torsion, b.torsion),
        }
    }
    /// The surfaces of the tyre table in Tasora's bicycle paper, by name: friction at rest and while sliding.
    pub const TYRES: [(&'static str, f64, f64); 7] = [
        ("asphalt-clean", 0.97, 0.86),
        ("asphalt-wet", 0.90, 0.88),
        ("stone-clean", 0.68, 0.65),
        ("stone-wet", 0.62, 0.61),
        ("rail-clean", 0.45, 0.42),
        ("rail-wet-clean", 0.38, 0.38),
        ("rail-wet-dirty", 0.35, 0.34),
    ];
}

/// A shape that keeps others away, as a description.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactShape {
    /// What carries it.
    pub body: End,
    /// Where it sits, from the origin of the body frame.
    pub frame: Frame,
    /// The shape.
    pub shape: Shape,
    /// What it is made of.
    pub material: Material,
}

/// A shape of a model.
#[derive(Clone, Debug)]
pub struct ModelShape {
    /// What it is.
    pub shape: Shape,
    /// What it is made of.
    pub material: Material,
    pub(crate) at: Attachment,
    pub(crate) tags: ShapeTags,
}

/// What is said of a shape beside its description.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ShapeTags {
    /// Shapes of the same group never meet.
    pub(crate) group: Option<u32>,
    /// Its name in events and reports.
    pub(crate) name: Option<String>,
}

impl ModelShape {
    /// Its name, if it was given one.
    pub fn name(&self) -> Option<&str> {
        self.tags.name.as_deref()
    }
    /// Where it sits, from the origin of the world, if the ground carries it.
    pub fn frame_on_ground(&self) -> Option<&Frame> {
        self.at.body().is_none().then_some(&self.at.local)
    }
    /// The body that carries it; `None` is the ground.
    pub fn body(&self) -> Option<BodyId> {
        self.at.body_id()
    }
    fn shares_group(&self, other: &ModelShape) -> bool {
        self.tags.group.is_some() && self.tags.group == other.tags.group
    }
    /// Index of the body that carries it; `None` is the ground.
    #[inline]
    pub(crate) fn body_index(&self) -> Option<usize> {
        self.at.body()
    }
}

/// What is said about two bodies.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct PairRule {
    /// Whether they meet; by default, unless a joint connects them.
    pub(crate) meets: Option<bool>,
    /// Whether they do not meet for no other reason than a joint between them.
    pub(crate) parted_by_joint: bool,
    /// In the place of what their materials say.
    pub(crate) material: Option<Material>,
}

/// All shapes of a model, and which of them meet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    pub(crate) shapes: Vec<ModelShape>,
    /// By bodies, the ground first, then by index.
    pub(crate) rules: BTreeMap<(Option<usize>, Option<usize>), PairRule>,
}

impl Contacts {
    fn rule(&self, a: Option<usize>, b: Option<usize>) -> PairRule {
        let key = if a <= b { (a, b) } else { (b, a) };
        self.rules.get(&key).copied().unwrap_or_default()
    }
    pub(crate) fn rule_mut(&mut self, a: Option<usize>, b: Option<usize>) -> &mut PairRule {
        self.rules.entry(if a <= b { (a, b) } else { (b, a) }).or_default()
    }
    /// Whether two shapes never meet.
    pub(crate) fn skips(&self, i: u32, j: u32) -> bool {
        let (i, j) = (&self.shapes[i as usize], &self.shapes[j as usize]);
        let (a, b) = (i.body_index(), j.body_index());
        a == b || i.shares_group(j) || self.rule(a, b).meets == Some(false)
    }
    /// Whether two shapes are of one collision group.
    pub(crate) fn share_group(&self, i: usize, j: usize) -> bool {
        self.shapes[i].shares_group(&self.shapes[j])
    }
    /// Whether two bodies do not meet for no other reason than a joint between them.
    pub(crate) fn parted_by_joint(&self, a: Option<usize>, b: Option<usize>) -> bool {
        self.rule(a, b).parted_by_joint
    }
    /// What counts between two shapes.
    pub(crate) fn material(&self, i: u32, j: u32) -> Material {
        let (a, b) = (&self.shapes[i as usize], &self.shapes[j as usize]);
        let own = self.rule(a.body_index(), b.body_index()).material;
        own.unwrap_or_else(|| Material::between(a.material, b.material))
    }
}
