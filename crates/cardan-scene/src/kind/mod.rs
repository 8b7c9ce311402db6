//! The kinds of joints of the format, a file each: the fields of a kind, its checks, and what it adds to the model. The
//! list of all is [`JointKindDesc`]; checks and lowering ask the kind and know none by name.
//!
//! Most are pairs of frames, which the engine describes itself ([`KinematicPair::of`]). The others put a condition of the engine, or one of their
//! own that implements [`cardan::Constraint`], on frames of bodies ([`NamedJoint::constrain`]), or couple coordinates of pairs ([`NamedJoint::couple`]).

mod assembly;
mod bead_on_circle;
mod belt;
mod cam;
mod constant_velocity;
mod coupled;
mod coupler;
mod distance;
mod follow;
mod gear;
mod geneva;
mod knife_edge;
mod lock;
mod orient;
mod pair;
mod point_on_curve;
mod point_on_surface;
mod rack_pinion;
mod rolling;
mod rope;
mod screw;
mod tangent;
mod worm;

pub(crate) use coupled::{JointIds, index_joints};
pub(crate) use pair::{KinematicPair, PairSize};

use cardan::constraint::CouplerEquation;
use cardan::{Constraint, End, Frame, JointKind as Engine, Locks, ModelBuilder, UserConstraint};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use crate::check::{Check, CheckResult};
use crate::document::FieldPath;
use crate::error::SceneError;
use crate::lower::Lower;
use crate::scene::JointDesc;

/// Makes the list of kinds out of lines `Variant = what it is`: the enum, its list, and the way from a variant to what its file says. A
/// new kind is a file and a line here.
macro_rules! kinds {
    ($($(#[doc = $doc:tt])+ $variant:ident = $kind:expr,)+) => {
        /// The kind of a joint: which motions it leaves free.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum JointKindDesc {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl JointKindDesc {
            /// Every kind.
            pub const ALL: [JointKindDesc; [$(stringify!($variant)),+].len()] = [$(JointKindDesc::$variant),+];

            /// One line: what it leaves free or constrains.
            pub fn summary(self) -> String {
                let lines: &[&str] = match self {
                    $(JointKindDesc::$variant => &[$($doc),+],)+
                };
                lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
            }

            /// The specification in its file.
            pub(crate) fn about(self) -> &'static dyn JointKindSpec {
                match self {
                    $(JointKindDesc::$variant => {
                        const KIND: &dyn JointKindSpec = &$kind;
                        KIND
                    })+
                }
            }
        }
    };
}

kinds! {
    /// Nothing.
    Fixed = KinematicPair::of(Engine::Fixed),
    /// One rotation about the axis: coordinate `[angle]`.
    Revolute = KinematicPair::of(Engine::Revolute),
    /// One translation along the axis: coordinate `[shift]`.
    Prismatic = KinematicPair::of(Engine::Prismatic),
    /// Translation along the axis and rotation about it: coordinates `[shift, angle]`.
    Cylindrical = KinematicPair::of(Engine::Cylindrical),
    /// All rotations: coordinates are a rotation vector.
    Spherical = KinematicPair::of(Engine::Spherical),
    /// Rotation about `axis`, fixed in a, and about the perpendicular `axis2`, fixed in b: coordinates `[first, second]`.
    Universal = KinematicPair::of(Engine::Universal),
    /// Translation in the plane across the axis and rotation about it: coordinates `[x, y, angle]`.
    Planar = KinematicPair::of(Engine::Planar),
    /// A point of b moves on the line along the axis of a: coordinate `[shift]`.
    PointOnLine = KinematicPair::of(Engine::PointOnLine),
    /// A point of b moves on the plane across the axis of a: coordinates `[x, y]`.
    PointOnPlane = KinematicPair::of(Engine::PointOnPlane),
    /// Everything but tilting: the axes of a and b stay parallel: coordinate `[angle]`.
    Aligned = KinematicPair::of(Engine::Aligned),
    /// Everything but the distance of two points.
    Distance = distance::DISTANCE,
    /// A point of b moves on a circle of a.
    BeadOnCircle = bead_on_circle::BEAD_ON_CIRCLE,
    /// Another name for `aligned`.
    Parallel = KinematicPair::named("parallel", Engine::Aligned),
    /// Another name for `point-on-line`.
    InLine = KinematicPair::named("in-line", Engine::PointOnLine),
    /// Another name for `point-on-plane`.
    InPlane = KinematicPair::named("in-plane", Engine::PointOnPlane),
    /// Translation in the plane across the axis, no rotation: coordinates `[x, y]`.
    Oldham = KinematicPair::of(Locks::OLDHAM.kind()),
    /// All translations, no rotation: coordinates `[x, y, z]`.
    Orientation = KinematicPair::of(Locks::ORIENTATION.kind()),
    /// Everything, but `axis`, fixed in a, and `axis2`, fixed in b, stay perpendicular: coordinates `[x, y, z, first, second]`.
    Perpendicular = KinematicPair::of(Locks::PERPENDICULAR.kind()),
    /// A universal joint that slides along `axis`: coordinates `[shift, first, second]`.
    UniversalOnLine = KinematicPair::of(Locks::UNIVERSAL_ON_LINE.kind()),
    /// A universal joint that slides in the plane across `axis`: coordinates `[x, y, first, second]`.
    UniversalOnPlane = KinematicPair::of(Locks::UNIVERSAL_ON_PLANE.kind()),
    /// Translation along `axis2`, a slot, and rotation about `axis`, a pin across it: coordinates `[shift, angle]`.
    PinSlot = KinematicPair::of(Engine::PinSlot),
    /// What `locks` leaves: coordinates are the free translations, then one or two free rotations.
    Lock = lock::Lock,
    /// Speeds of `bodies` about `axes` of their own, each times its ratio, sum to zero.
    Gear = gear::Gear,
    /// A point of b moves along `direction`, fixed in b, or across the surface, but not sideways.
    KnifeEdge = knife_edge::KnifeEdge,
    /// A point of b stays on `curve` of a.
    PointOnCurve = point_on_curve::PointOnCurve,
    /// A point of b stays on `surface` of a.
    PointOnSurface = point_on_surface::PointOnSurface,
    /// The `feature` of b is tangent to `surface` of a.
    Tangent = tangent::Tangent,
    /// A `follower` of b runs on the profile `curve` of a.
    Cam = cam::Cam,
    /// b rolls on a surface of a without slipping: a ball of `radius`, or a wheel about its `axis`, on a plane, a sphere, or a
    /// `surface`; in the plane on a `curve`.
    Rolling = rolling::Rolling,
    /// Polynomials of joint coordinates sum to a constant: `terms`, or several `equations`.
    Coupler = coupler::Coupler,
    /// A cylindrical joint whose shift follows its angle by `lead` per turn: coordinates `[shift, angle]`.
    Screw = screw::Screw,
    /// The second of two `joints` shifts by `radius` times the angle of the first.
    RackPinion = rack_pinion::RackPinion,
    /// Angles of two `joints`: `starts` times that of the worm is `teeth` times that of the wheel.
    Worm = worm::Worm,
    /// Angles of two `joints`, each times its radius of `radii`, are the same; opposite if `crossed`.
    Belt = belt::Belt,
    /// Angles of two `joints`: the pin of a crank runs in the slots of a wheel, `teeth` of them, and an arc holds it in between.
    Geneva = geneva::Geneva,
    /// Two shafts that meet in a point and turn alike, at any angle between them.
    ConstantVelocity = constant_velocity::ConstantVelocity,
    /// A taut rope through `points` of bodies and the ground.
    Rope = rope::Rope,
    /// A point of b follows a `path` over time, pushed there or held by `motors` at other joints.
    Follow = follow::Follow,
    /// b turns against a as `turns` say over time, wherever it is: the drive of a spherical joint.
    Orient = orient::Orient,
}

impl JointKindDesc {
    /// Whether it connects the bodies `a` and `b`; other kinds name their bodies otherwise.
    pub fn has_two_ends(self) -> bool {
        self.about().has_two_ends()
    }
    /// Whether it is a pair of frames with coordinates of its own.
    pub(crate) fn is_pair(self) -> bool {
        self.about().pair().is_some()
    }
}

/// Message for a kind that cannot start open and close in time.
pub(crate) const NO_GAP: &str = "a constraint on velocities has no gap to close";

/// A kind of joint.
pub(crate) trait JointKindSpec: Sync {
    /// Its name in scene files.
    fn name(&self) -> &'static str;

    /// The fields that it takes besides `kind`.
    fn fields(&self) -> &'static [&'static str];

    /// The file with its equations at the head, from the root of the repository.
    fn equations(&self) -> String {
        format!("crates/cardan/src/constraint/{}.rs", self.name().replace('-', "_"))
    }

    /// Whether it connects the bodies `a` and `b`; other kinds name their bodies otherwise.
    fn has_two_ends(&self) -> bool {
        true
    }

    /// The pair of frames that it is, with coordinates of its own.
    fn pair(&self) -> Option<&KinematicPair> {
        None
    }

    /// Whether it can start open and close in time.
    fn closes(&self) -> bool {
        false
    }

    /// The message where `assembly_time` is given and it cannot.
    fn cannot_close(&self) -> &'static str {
        "only joints between two bodies take `assembly_time`"
    }

    /// Its own checks, besides those of all kinds (fields belong to the kind, bodies exist, lengths are positive).
    fn check(&self, _check: &Check<'_>, _at: &NamedJoint<'_>) -> CheckResult {
        Ok(())
    }

    /// Puts it into the model.
    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError>;
}

/// A joint of the file: its name, its place in the document, and its fields.
pub(crate) struct NamedJoint<'a> {
    pub(crate) name: &'a str,
    pub(crate) path: FieldPath,
    pub(crate) desc: &'a JointDesc,
}

impl<'a> NamedJoint<'a> {
    pub(crate) fn new(name: &'a str, desc: &'a JointDesc) -> Self {
        NamedJoint { name, path: FieldPath::item("joints", name), desc }
    }

    /// Adds a condition on frames of bodies.
    pub(crate) fn constrain(
        &self,
        parts: &mut ModelBuilder,
        frames: Vec<(End, Frame)>,
        rule: impl Constraint + 'static,
    ) -> Result<(), SceneError> {
        parts.add_constraint(UserConstraint { name: self.name.to_string(), frames, rule: Arc::new(rule) });
        Ok(())
    }

    /// Adds equations of joint coordinates.
    pub(crate) fn couple(
        &self,
        parts: &mut ModelBuilder,
        kind: &'static str,
        equations: Vec<CouplerEquation>,
    ) {
        parts.add_coupler(cardan::constraint::Coupler { name: self.name.to_string(), kind, equations });
    }

    /// The kind of the engine, if it is a pair.
    fn pair_kind(&self, lower: &Lower<'_>) -> Result<cardan::JointKind, SceneError> {
        match self.desc.kind.about().pair() {
            Some(pair) => Ok(pair.joint(lower, self)?.kind),
            None => {
                let help = "joints of two frames are those of the joint page";
                Err(lower.bad(self.path.join("kind"), "it is no joint of two frames", help))
            }
        }
    }
}

/// A kind of joint, for tables and tests.
#[derive(Clone, Debug)]
pub struct KindInfo {
    /// Its name in scene files.
    pub name: &'static str,
    /// One line: what it leaves free or constrains.
    pub summary: String,
    /// The fields that it takes besides `kind`.
    pub fields: &'static [&'static str],
    /// The file with its equations at the head, from the root of the repository.
    pub equations: String,
    /// Whether it is a pair of frames with coordinates of its own.
    pub is_pair: bool,
    /// The kind of the engine, if it is nothing but a pair of frames; if that has a size, of any size.
    pub pair: Option<cardan::JointKind>,
}

/// All kinds of joints. For tables and tests.
pub fn joint_kinds() -> impl Iterator<Item = KindInfo> {
    JointKindDesc::ALL.into_iter().map(|variant| {
        let kind = variant.about();
        KindInfo {
            name: kind.name(),
            summary: variant.summary(),
            fields: kind.fields(),
            equations: kind.equations(),
            is_pair: variant.is_pair(),
            pair: kind.pair().filter(|pair| kind.closes() && !pair.by_locks).map(|pair| pair.kind),
        }
    })
}

/// The kinds of joints by their words, with the fields that each takes besides `kind`. For tables and tests.
pub fn joint_fields() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    joint_kinds().map(|kind| (kind.name, kind.fields))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Names in the list, in the format and in the files are the same, and no two kinds share one.
    #[test]
    fn every_kind_is_called_in_its_file_what_the_format_calls_it() {
        let mut names = BTreeSet::new();
        for kind in JointKindDesc::ALL {
            let about = kind.about();
            assert_eq!(serde_json::to_value(kind).unwrap(), about.name());
            assert!(names.insert(about.name()), "`{}` is there twice", about.name());
            assert!(kind.summary().ends_with('.'), "`{}`: {}", about.name(), kind.summary());
        }
        let schema = serde_json::to_value(schemars::schema_for!(JointKindDesc)).unwrap().to_string();
        assert!(names.iter().all(|name| schema.contains(&format!("\"{name}\""))));
    }

    /// A field that a kind takes is one that joints have; what must name bodies takes `a` and `b`.
    #[test]
    fn every_field_of_a_kind_is_a_field_of_the_format() {
        let none = serde_json::to_value(JointDesc::new(JointKindDesc::Fixed, "a", "b")).unwrap();
        let all: BTreeSet<&str> = none.as_object().unwrap().keys().map(String::as_str).collect();
        for kind in joint_kinds() {
            for field in kind.fields {
                assert!(all.contains(field), "`{}` takes `{field}`, which no joint has", kind.name);
            }
        }
        for kind in JointKindDesc::ALL.into_iter().filter(|kind| kind.has_two_ends()) {
            let fields = kind.about().fields();
            assert!(fields.contains(&"a") && fields.contains(&"b"), "{kind:?}");
        }
    }

    /// Every pair of the engine can be said in a scene file.
    #[test]
    fn every_pair_of_the_engine_is_a_kind_of_the_format() {
        for pair in cardan::JointKind::ALL.into_iter().chain(cardan::JointKind::LOCKS) {
            let found = joint_kinds().filter(|kind| kind.name == pair.name() && kind.pair == Some(pair));
            assert_eq!(found.count(), 1, "{pair}");
        }
    }
}
