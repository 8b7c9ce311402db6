//! Kinematic pairs: a frame on each body and a joint of the engine between them, with coordinates for drives,
//! springs and friction. Most kinds are [`KinematicPair::of`] the engine's kind, which describes its own axes
//! and frames.

use cardan::joint::{Anchor, Axes, ClosedForm, MAX_COORDINATES};
use cardan::math::{Quat, Vec3};
use cardan::{Frame, Joint, JointKind, ModelBuilder, Placement};

use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint, assembly, lock};
use crate::lower::{Lower, Pose, count, frame, point, rotation, vector};
use crate::quantity::{Dimension, Length, Number};
use crate::scene::{FrameDesc, JointDesc};
use crate::tolerances::{PARALLEL, PERPENDICULAR};

/// A kind that is a pair of frames.
pub(crate) struct KinematicPair {
    /// Its name in scene files.
    pub(crate) name: &'static str,
    /// The fields that it takes besides `kind`.
    pub(crate) fields: &'static [&'static str],
    /// The kind of the engine; if it has a size, of any size.
    pub(crate) kind: JointKind,
    /// The kind of the engine is told by the field `locks`.
    pub(crate) by_locks: bool,
    /// Whether an axis must be given; otherwise it is z.
    pub(crate) needs_axis: bool,
    /// Where its size comes from, if it has one.
    pub(crate) size: Option<PairSize>,
}

/// The size of a pair: given, or that of the pose of the file.
pub(crate) struct PairSize {
    pub(crate) given: fn(&JointDesc) -> Option<Length>,
    /// From b's point seen from a's frame.
    pub(crate) posed: fn(Vec3) -> f64,
    /// What is said where that is zero, and what helps.
    pub(crate) zero: (&'static str, &'static str),
}

impl KinematicPair {
    /// The engine's kind under its own name.
    pub(crate) const fn of(kind: JointKind) -> KinematicPair {
        let about = kind.about();
        let fields = match (about.axes, about.anchor) {
            (Axes::Cross, _) => WITH_CROSS,
            (Axes::Two, _) => WITH_TWO_AXES,
            (Axes::One, Anchor::Along) => POINT_ON,
            (Axes::One, _) if has_armature(about.closed_form) => WITH_ARMATURE,
            (Axes::One, _) => WITH_AXIS,
            (Axes::None, _) if about.coordinates.is_empty() => RIGID,
            (Axes::None, _) => WITHOUT_AXIS,
        };
        // With all rotations locked and all translations alike, no direction is distinguished.
        let all_alike = about.locks.turns() == 3 && !about.has_place();
        let needs_axis = kind.needs_axis() && !all_alike;
        KinematicPair { name: about.name, fields, kind, by_locks: false, needs_axis, size: None }
    }

    /// The engine's kind under another name.
    pub(crate) const fn named(name: &'static str, kind: JointKind) -> KinematicPair {
        KinematicPair { name, ..KinematicPair::of(kind) }
    }

    /// The kind of the engine, its size aside.
    fn prototype(&self, desc: &JointDesc) -> JointKind {
        if self.by_locks { lock::locks_of(desc).kind() } else { self.kind }
    }

    /// Which axes the file gives: those that `locks` tell apart are all three.
    fn axes(&self, desc: &JointDesc) -> Axes {
        if self.by_locks { Axes::Two } else { self.prototype(desc).about().axes }
    }

    /// The kind of the engine between these frames.
    pub(crate) fn kind(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        in_a: Frame,
        in_b: Frame,
    ) -> Result<JointKind, SceneError> {
        let kind = self.prototype(at.desc);
        let Some(size) = &self.size else { return Ok(kind) };
        let posed = || (size.posed)(posed_shift(lower, at.desc, in_a, in_b));
        let length = (size.given)(at.desc).map_or_else(posed, |length| length.0);
        if length == 0.0 {
            let (message, help) = size.zero;
            return Err(lower.bad(at.path.clone(), message, help));
        }
        Ok(kind.with_size(length))
    }

    /// The joint of the engine.
    pub(crate) fn joint(&self, lower: &Lower<'_>, at: &NamedJoint<'_>) -> Result<Joint, SceneError> {
        let NamedJoint { name, path, desc } = at;
        let (in_a, in_b) = self.frames(lower, at)?;
        let kind = self.kind(lower, at, in_a, in_b)?;
        let mut joint = Joint {
            name: name.to_string(),
            kind,
            a: lower.end(desc.ends().0),
            b: lower.end(desc.ends().1),
            placement: Placement::Frames { in_a, in_b },
            zero: [0.0; MAX_COORDINATES],
            springs: Vec::new(),
            drives: Vec::new(),
            efforts: Vec::new(),
            limits: Vec::new(),
            armature: 0.0,
        };
        let coordinates = kind.coordinates();
        let measure = |k: usize| if kind.is_angle(k) { Dimension::Angle } else { Dimension::Length };
        if let Some(zero) = &desc.zero {
            if zero.len() != coordinates {
                let (given, have) = (count(zero.len(), "value"), count(coordinates, "coordinate"));
                let message = format!("{given} for {have}");
                let help = "give one value per coordinate of the joint";
                return Err(lower.bad(path.join("zero"), message, help));
            }
            for (k, value) in zero.iter().enumerate() {
                joint.zero[k] = lower.quantity(path.join("zero").join(k), *value, measure(k))?;
            }
        }
        // Without frames in the file, the coordinates equal `zero` in its pose, also with anchors apart.
        if desc.frame_in_a.is_none() && desc.frame_in_b.is_none() {
            let (a, b) = lower.poses(desc);
            let posed = kind.coordinates_of(&a.frame_to_world(&in_a), &b.frame_to_world(&in_b));
            for k in 0..coordinates {
                joint.zero[k] -= posed[k];
            }
        }
        lower.actions(path, desc, &mut joint)?;
        lower.limits(path, desc, &mut joint)?;
        Ok(joint)
    }

    /// The joint frames on the two bodies, from what the file gives: frames, anchors and axes in the bodies,
    /// or anchor and axis in the world. What one side lacks it takes from the other, in the pose of the file.
    pub(crate) fn frames(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
    ) -> Result<(Frame, Frame), SceneError> {
        let NamedJoint { path, desc, .. } = at;
        if let (Some(a), Some(b)) = (&desc.frame_in_a, &desc.frame_in_b) {
            return Ok((frame(a), frame(b)));
        }
        let (a, b) = lower.poses(desc);
        let about = self.prototype(desc).about();
        let has_cross = self.axes(desc) == Axes::Cross;
        let two_points = matches!(about.anchor, Anchor::Points | Anchor::Around);
        // Where the anchor is, in the world, as each side has it.
        let given_a = desc.frame_in_a.as_ref().map(|f| point(f.position.as_ref()));
        let given_a = given_a.or(desc.anchor_in_a.or(desc.point_in_a).map(|p| point(Some(&p))));
        let given_b = desc.frame_in_b.as_ref().map(|f| point(f.position.as_ref()));
        let given_b = given_b.or(desc.anchor_in_b.or(desc.point_in_b).map(|p| point(Some(&p))));
        let world = desc.anchor.as_ref().map(|p| point(Some(p)));
        let at_a = given_a.map(|p| a.point_to_world(p)).or(world);
        // Any place on a line or plane will do for the anchor; a point mass has only one point to be there.
        let point_on = about.anchor == Anchor::Along;
        let point_mass = lower.kind_of(desc.ends().1).is_some_and(|kind| kind.is_particle());
        let own = if point_on && point_mass { Some(b.pos) } else { world };
        let at_b = given_b.map(|p| b.point_to_world(p)).or(if two_points { None } else { own });
        let (at_a, at_b) = match (at_a, at_b) {
            (Some(at_a), Some(at_b)) => (at_a, at_b),
            // Points of their own, each body's origin unless given.
            (at_a, at_b) if two_points => (at_a.unwrap_or(a.pos), at_b.unwrap_or(b.pos)),
            (Some(at), None) | (None, Some(at)) => (at, at),
            (None, None) if !about.has_place() => (b.pos, b.pos),
            (None, None) => {
                let help = "add `anchor = [x, y, z]` (world), or `anchor_in_a` and `anchor_in_b`";
                return Err(lower.bad(path.clone(), "the joint has no anchor", help));
            }
        };
        // Axes, likewise.
        let side = |frame: &Option<FrameDesc>, pose: &Pose, axis: &Option<[Number; 3]>| match (frame, axis) {
            (Some(f), _) => Some(pose.rot * (rotation(f.orientation.as_ref()) * Vec3::Z)),
            (None, Some(axis)) => Some(pose.rot * vector(axis)),
            (None, None) => desc.axis.as_ref().map(vector),
        };
        let (axis_a, axis_b) =
            (side(&desc.frame_in_a, &a, &desc.axis_in_a), side(&desc.frame_in_b, &b, &desc.axis_in_b));
        let has_axis = axis_a.or(axis_b).is_some();
        let (axis_a, axis_b) = match (axis_a.or(axis_b), axis_b.or(axis_a)) {
            (Some(axis_a), Some(axis_b)) => (axis_a, axis_b),
            _ if !self.needs_axis => (Vec3::Z, Vec3::Z),
            _ => {
                let help = if has_cross {
                    "add `axis = [x, y, z]` (world), or `axis_in_a`"
                } else {
                    "add `axis = [x, y, z]` (world), or `axis_in_a` and `axis_in_b`"
                };
                return Err(lower.bad(path.clone(), "the joint has no axis", help));
            }
        };
        // The second arm of a cross is b's own; everything else has one axis on both.
        if !has_cross && axis_a.dot(axis_b) < 0.0 {
            let fields = ["axis_in_b", "frame_in_b", "axis_in_a", "frame_in_a"];
            let given = fields.iter().map(|f| path.join(*f)).find(|p| lower.document.get(p).is_some());
            let message = "the axis on b points against the axis on a in the pose of the file";
            return Err(lower.bad(given.unwrap_or(path.clone()), message, "turn one of them round"));
        }
        let no_direction = |field: &str| {
            let fields = [field, "axis"];
            let present = fields.iter().find(|f| lower.document.get(&path.join(**f)).is_some());
            let at = present.map_or(path.clone(), |f| path.join(*f));
            lower.bad(at, "the axis has zero length", "give a direction such as [0, 0, 1]")
        };
        // A frame given on one side only has an x axis too; the other side follows it.
        let given = |frame: &Option<FrameDesc>, pose: &Pose| {
            frame.as_ref().map(|f| pose.rot * rotation(f.orientation.as_ref()))
        };
        let (given_a, given_b) = (given(&desc.frame_in_a, &a), given(&desc.frame_in_b, &b));
        let (rot_a, rot_b) = if has_cross {
            let (made_a, made_b) = cross(lower, at, axis_a, given_b.map(|rot| rot * Vec3::X), &b)?;
            (given_a.unwrap_or(made_a), given_b.unwrap_or(made_b))
        } else {
            let along = |axis: Vec3, x: Option<Vec3>, field: &str| {
                Quat::with_z_along(axis, x).ok_or_else(|| no_direction(field))
            };
            let rot_a = match given_a {
                Some(rot) => rot,
                None => {
                    // Where all three axes mean something.
                    let second = desc.axis2.as_ref().map(vector);
                    if self.axes(desc) == Axes::Two && second.is_none() && given_b.is_none() && has_axis {
                        let locks = about.locks;
                        if locks.shift(0) != locks.shift(1) || locks.turn(0) != locks.turn(1) {
                            let message =
                                "the locks distinguish x from y, and no field gives the direction of x";
                            let help =
                                "add `axis2 = [x, y, z]` (world), perpendicular to the axis, or frames";
                            let place = if desc.locks.is_some() { path.join("locks") } else { path.clone() };
                            return Err(lower.bad(place, message, help));
                        }
                    }
                    if let Some(x) = second.and_then(Vec3::normalized)
                        && axis_a.normalized().is_some_and(|z| z.dot(x).abs() > PERPENDICULAR)
                    {
                        let message = "`axis2` is not perpendicular to the axis";
                        return Err(lower.bad(path.join("axis2"), message, "it is x of the joint's frame"));
                    }
                    along(axis_a, given_b.map(|rot| rot * Vec3::X).or(second), "axis_in_a")?
                }
            };
            let rot_b = match given_b {
                Some(rot) => rot,
                None => along(axis_b, Some(rot_a * Vec3::X), "axis_in_b")?,
            };
            (rot_a, rot_b)
        };
        Ok((a.frame_from_world(at_a, rot_a), b.frame_from_world(at_b, rot_b)))
    }
}

impl JointKindSpec for KinematicPair {
    fn name(&self) -> &'static str {
        self.name
    }
    fn fields(&self) -> &'static [&'static str] {
        self.fields
    }
    fn pair(&self) -> Option<&KinematicPair> {
        Some(self)
    }
    fn equations(&self) -> String {
        let file = match self.kind {
            JointKind::Lock { .. } => "lock".to_string(),
            kind => kind.name().replace('-', "_"),
        };
        format!("crates/cardan/src/joint/{file}.rs")
    }
    fn closes(&self) -> bool {
        true
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        if let Some(duration) = at.desc.assembly_time {
            return assembly::lower_open_pair(self, lower, at, duration.0, parts);
        }
        parts.add_joint(self.joint(lower, at)?);
        Ok(())
    }
}

/// b's joint frame seen from a's in the pose of the file.
fn posed_shift(lower: &Lower<'_>, desc: &JointDesc, in_a: Frame, in_b: Frame) -> Vec3 {
    let (a, b) = lower.poses(desc);
    let offset = b.point_to_world(in_b.pos) - a.point_to_world(in_a.pos);
    (a.rot * in_a.rot).inverse() * offset
}

/// Orientations of the two frames of a cross: z of a's is the first axis, x of b's the second, and where
/// these are perpendicular the frames coincide.
fn cross(
    lower: &Lower<'_>,
    at: &NamedJoint<'_>,
    first: Vec3,
    given: Option<Vec3>,
    pose_b: &Pose,
) -> Result<(Quat, Quat), SceneError> {
    let NamedJoint { path, desc, .. } = at;
    let in_b = desc.axis2_in_b.as_ref().map(|axis| pose_b.rot * vector(axis));
    let Some(second) = given.or(in_b).or(desc.axis2.as_ref().map(vector)) else {
        let help = "add `axis2 = [x, y, z]` (world), or `axis2_in_b`, perpendicular to the first";
        return Err(lower.bad(path.clone(), "the joint has no second axis", help));
    };
    let field = if desc.axis2.is_some() { "axis2" } else { "axis2_in_b" };
    let skew = |message: String| lower.bad(path.join(field), message, "the two axes must be perpendicular");
    let (Some(z), Some(x)) = (first.normalized(), second.normalized()) else {
        return Err(skew("an axis of the joint has zero length".to_string()));
    };
    let off = z.dot(x).abs();
    // Decimals in a file are rounded; beyond that one of the two is wrong. Axes given in the bodies may be
    // anywhere in the pose of the file: it is then closed like any other joint.
    if off > PERPENDICULAR && desc.axis2.is_some() && desc.axis.is_some() {
        return Err(skew(format!("`axis2` is {:.4} deg off the perpendicular", off.asin().to_degrees())));
    }
    let made = Quat::with_z_along(z, Some(x)).zip(Quat::with_z_along(z - x * x.dot(z), Some(x)));
    match made {
        Some(rotations) if off < 1.0 - PARALLEL => Ok(rotations),
        _ => Err(skew("the two axes of the joint are parallel".to_string())),
    }
}

/// Fields of a fixed joint: it has no coordinates.
const RIGID: &[&str] = &["a", "b", "anchor", "anchor_in_a", "anchor_in_b", "frame_in_a", "frame_in_b"];

const WITHOUT_AXIS: &[&str] = &[
    "a",
    "b",
    "anchor",
    "anchor_in_a",
    "anchor_in_b",
    "frame_in_a",
    "frame_in_b",
    "zero",
    "limits",
    "restitution",
    "drive",
    "servo",
    "motor",
    "spring",
    "friction",
];

const WITH_AXIS: &[&str] = &[
    "a",
    "b",
    "anchor",
    "axis",
    "anchor_in_a",
    "anchor_in_b",
    "axis_in_a",
    "axis_in_b",
    "frame_in_a",
    "frame_in_b",
    "zero",
    "limits",
    "restitution",
    "drive",
    "servo",
    "motor",
    "spring",
    "friction",
];

/// One freedom along or about the axis, which a rotor may turn with.
const WITH_ARMATURE: &[&str] = &[
    "a",
    "b",
    "anchor",
    "axis",
    "anchor_in_a",
    "anchor_in_b",
    "axis_in_a",
    "axis_in_b",
    "frame_in_a",
    "frame_in_b",
    "zero",
    "limits",
    "restitution",
    "drive",
    "servo",
    "motor",
    "spring",
    "friction",
    "armature",
];

/// Whether a joint of this form may have an armature.
const fn has_armature(form: ClosedForm) -> bool {
    matches!(form, ClosedForm::Revolute | ClosedForm::Prismatic)
}

/// z and x of both frames.
const WITH_TWO_AXES: &[&str] = &[
    "a",
    "b",
    "anchor",
    "axis",
    "axis2",
    "anchor_in_a",
    "anchor_in_b",
    "axis_in_a",
    "axis_in_b",
    "frame_in_a",
    "frame_in_b",
    "zero",
    "limits",
    "restitution",
    "drive",
    "servo",
    "motor",
    "spring",
    "friction",
];

/// The first axis is a's, the second b's.
const WITH_CROSS: &[&str] = &[
    "a",
    "b",
    "anchor",
    "axis",
    "axis2",
    "anchor_in_a",
    "anchor_in_b",
    "axis_in_a",
    "axis2_in_b",
    "frame_in_a",
    "frame_in_b",
    "zero",
    "limits",
    "restitution",
    "drive",
    "servo",
    "motor",
    "spring",
    "friction",
];

/// The line or plane is on a, b only has the point.
const POINT_ON: &[&str] = &[
    "a",
    "b",
    "anchor",
    "axis",
    "anchor_in_a",
    "axis_in_a",
    "frame_in_a",
    "point_in_b",
    "zero",
    "limits",
    "restitution",
    "drive",
    "servo",
    "motor",
    "spring",
    "friction",
];
