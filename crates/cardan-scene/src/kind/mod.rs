//! The kinds of joints that the format has, a file each: the fields that a kind takes, what is checked of them, and what it makes of them in
//! the engine. The list of all is [`JointKind`](crate::scene::JointKind); checks and lowering ask the kind, and know none by name.
//!
//! Most are pairs of frames, which the engine describes itself ([`Pair::of`]). The others put a condition of the engine, or one of their
//! own that implements [`cardan::Constraint`], on frames of bodies ([`At::constrain`]), or couple coordinates of pairs ([`At::couple`]).

mod bead_on_circle;
mod belt;
mod cam;
mod closing;
mod constant_velocity;
mod coupled;
mod coupler;
mod distance;
mod follow;
mod gear;
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

pub(crate) use bead_on_circle::BEAD_ON_CIRCLE;
pub(crate) use belt::Belt;
pub(crate) use cam::Cam;
pub(crate) use constant_velocity::ConstantVelocity;
pub(crate) use coupled::{Pairs, index_joints};
pub(crate) use coupler::Coupler;
pub(crate) use distance::DISTANCE;
pub(crate) use follow::Follow;
pub(crate) use gear::Gear;
pub(crate) use knife_edge::KnifeEdge;
pub(crate) use lock::Lock;
pub(crate) use orient::Orient;
pub(crate) use pair::{Pair, Size};
pub(crate) use point_on_curve::PointOnCurve;
pub(crate) use point_on_surface::PointOnSurface;
pub(crate) use rack_pinion::RackPinion;
pub(crate) use rolling::Rolling;
pub(crate) use rope::Rope;
pub(crate) use screw::Screw;
pub(crate) use tangent::Tangent;
pub(crate) use worm::Worm;

use cardan::constraint::CouplerEquation;
use cardan::{Constraint, End, Frame, ModelBuilder, UserConstraint};

use crate::check::{Check, Checked};
use crate::document::FieldPath;
use crate::error::SceneError;
use crate::lower::Lower;
use crate::scene::JointDesc;

/// What is said of a kind that holds no pose and is to close in time.
pub(crate) const NO_GAP: &str = "what restricts velocities alone has no gap to close";

/// A kind of joint.
pub(crate) trait Kind: Sync {
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
    fn pair(&self) -> Option<&Pair> {
        None
    }

    /// Whether it can start open and close in time.
    fn closes(&self) -> bool {
        false
    }

    /// What is said where it should and cannot.
    fn cannot_close(&self) -> &'static str {
        "it does not close in a set time; only joints between two bodies do"
    }

    /// What must hold of its fields besides what holds of all: that they are its own, name bodies, have lengths.
    fn check(&self, _check: &Check<'_>, _at: &At<'_>) -> Checked {
        Ok(())
    }

    /// Puts it into the model.
    fn lower(&self, lower: &Lower<'_>, at: &At<'_>, parts: &mut ModelBuilder) -> Result<(), SceneError>;
}

/// A joint of the file: its name, its place in the document, and its fields.
pub(crate) struct At<'a> {
    pub(crate) name: &'a str,
    pub(crate) path: FieldPath,
    pub(crate) desc: &'a JointDesc,
}

impl<'a> At<'a> {
    pub(crate) fn new(name: &'a str, desc: &'a JointDesc) -> Self {
        At { name, path: FieldPath::item("joints", name), desc }
    }

    /// Adds a condition on frames of bodies.
    pub(crate) fn constrain(
        &self,
        parts: &mut ModelBuilder,
        frames: Vec<(End, Frame)>,
        rule: impl Constraint + 'static,
    ) -> Result<(), SceneError> {
        parts.constraint(UserConstraint { name: self.name.to_string(), frames, rule: Box::new(rule) });
        Ok(())
    }

    /// Adds equations of joint coordinates.
    pub(crate) fn couple(
        &self,
        parts: &mut ModelBuilder,
        kind: &'static str,
        equations: Vec<CouplerEquation>,
    ) {
        parts.coupler(cardan::constraint::Coupler { name: self.name.to_string(), kind, equations });
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

/// A kind of joint as tables and tests see it.
#[derive(Clone, Debug)]
pub struct KindInfo {
    /// Its name in scene files.
    pub name: &'static str,
    /// What it leaves free or holds, in a line.
    pub summary: String,
    /// The fields that it takes besides `kind`.
    pub fields: &'static [&'static str],
    /// The file with its equations at the head, from the root of the repository.
    pub equations: String,
    /// The kind of the engine, if it is nothing but a pair of frames; if that has a size, of any size.
    pub pair: Option<cardan::JointKind>,
}

/// All kinds of joints. For tables and tests.
pub fn joint_kinds() -> impl Iterator<Item = KindInfo> {
    crate::scene::JointKind::ALL.into_iter().map(|variant| {
        let kind = variant.about();
        KindInfo {
            name: kind.name(),
            summary: variant.summary(),
            fields: kind.fields(),
            equations: kind.equations(),
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
    use crate::scene::JointKind;
    use std::collections::BTreeSet;

    /// Names in the list, in the format and in the files are the same, and no two kinds share one.
    #[test]
    fn every_kind_is_called_in_its_file_what_the_format_calls_it() {
        let mut names = BTreeSet::new();
        for kind in JointKind::ALL {
            let about = kind.about();
            assert_eq!(serde_json::to_value(kind).unwrap(), about.name());
            assert!(names.insert(about.name()), "`{}` is there twice", about.name());
            assert!(kind.summary().ends_with('.'), "`{}`: {}", about.name(), kind.summary());
        }
        let schema = serde_json::to_value(schemars::schema_for!(JointKind)).unwrap().to_string();
        assert!(names.iter().all(|name| schema.contains(&format!("\"{name}\""))));
    }

    /// A field that a kind takes is one that joints have; what must name bodies takes `a` and `b`.
    #[test]
    fn every_field_of_a_kind_is_a_field_of_the_format() {
        let none = serde_json::to_value(JointDesc::new(JointKind::Fixed, "a", "b")).unwrap();
        let all: BTreeSet<&str> = none.as_object().unwrap().keys().map(String::as_str).collect();
        for kind in joint_kinds() {
            for field in kind.fields {
                assert!(all.contains(field), "`{}` takes `{field}`, which no joint has", kind.name);
            }
        }
        for kind in JointKind::ALL.into_iter().filter(|kind| kind.has_two_ends()) {
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
