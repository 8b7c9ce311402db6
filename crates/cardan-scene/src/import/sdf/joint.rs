//! Joints of SDF.

use std::ops::Range;

use cardan::math::Vec3;
use roxmltree::Node;

use super::frames::Resolved;
use super::model::ModelReader;
use super::values::{self, NONE, flag, inner, number, vector};
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::report::ImportReport;
use crate::import::urdf::read::{JointType, Mimic, Robot, RobotJoint, type_name};
use crate::import::xml::{XmlText, child, elements, start, value_range};
use crate::nearest::nearest;

/// What an axis is expressed in.
pub(super) enum AxisFrame {
    Joint,
    /// The model of this scope, by the old rule.
    Model(String),
    /// A frame of a scope, and where it is named.
    Named(String, String, Range<usize>),
}

/// A joint whose ends and axes are names still.
pub(super) struct SdfJoint {
    pub(super) joint: RobotJoint,
    pub(super) axes: Vec<AxisFrame>,
    /// Full names of parent and child, and where they are named.
    ends: [(String, Range<usize>); 2],
}

impl SdfJoint {
    /// The links of parent and child.
    pub(super) fn ends(
        &self,
        text: &XmlText<'_>,
        frames: &Resolved,
        robot: &Robot,
    ) -> Result<[usize; 2], SceneError> {
        let find = |(name, at): &(String, Range<usize>)| {
            let link = if name == "world" { Some(name.as_str()) } else { frames.link_of(name) };
            let known = link.and_then(|link| robot.link(link));
            known.ok_or_else(|| frames.unknown(text, name, at.clone()))
        };
        let [parent, child] = [find(&self.ends[0])?, find(&self.ends[1])?];
        if parent == child {
            let message = format!(
                "joint `{}` holds `{}` to itself",
                clip(&self.joint.name),
                clip(&robot.links[parent].name)
            );
            return Err(text.bad(self.joint.at.clone(), message, "parent and child are two links"));
        }
        Ok([parent, child])
    }
}

const TYPES: [(&str, JointType); 9] = [
    ("fixed", JointType::Fixed),
    ("revolute", JointType::Revolute),
    ("continuous", JointType::Continuous),
    ("prismatic", JointType::Prismatic),
    ("ball", JointType::Ball),
    ("universal", JointType::Universal),
    ("revolute2", JointType::Universal),
    ("screw", JointType::Screw),
    ("gearbox", JointType::Fixed),
];

/// Reads a joint of a model.
pub(super) fn read_joint(
    reader: &mut ModelReader<'_>,
    text: &XmlText<'_>,
    node: Node<'_, '_>,
    scope: &str,
    report: &mut ImportReport,
) -> Result<(), SceneError> {
    let word = text.required(node, "type")?;
    let known = TYPES.iter().find(|(name, _)| *name == word && word != "gearbox");
    let Some(&(_, kind)) = known else {
        let names = TYPES.map(|(name, _)| name);
        let help = match nearest(word, names) {
            Some(near) if near != word => format!("did you mean `{near}`?"),
            _ => format!("types are {}", names[..8].join(", ")),
        };
        let message = format!("the joint type `{}` is not read", clip(word));
        return Err(text.error(ErrorKind::UnknownKind, value_range(node, "type"), message, &help));
    };
    let end = |tag: &str| -> Result<(String, Range<usize>), SceneError> {
        let (name, at) = values::word(text, node, tag)?;
        let full = if name == "world" { name.to_string() } else { format!("{scope}{name}") };
        Ok((full, reader.at(at)))
    };
    let (parent, child_link) = (end("parent")?, end("child")?);
    if child_link.0 == "world" {
        let help = "let the world be the parent, and the link the child";
        return Err(text.bad(start(node), "the world cannot be a child", help));
    }
    // Its frame is that of the child unless it has a pose; as a frame it moves with the child.
    let below = Some(child_link.0.clone());
    let name = reader.add_frame(text, node, scope, below.clone(), below)?;
    let mut joint = RobotJoint::new(name, kind, Vec3::Z, reader.at(start(node)));
    let mut axes = Vec::new();
    let has_axis = !matches!(kind, JointType::Fixed | JointType::Ball);
    for (tag, is_second) in [("axis", false), ("axis2", true)] {
        if !has_axis || (is_second && kind != JointType::Universal) {
            continue;
        }
        let given = child(node, tag);
        let (direction, frame) = match given {
            // z, and for a second axis x: perpendicular to it.
            None => (if is_second { Vec3::X } else { Vec3::Z }, AxisFrame::Joint),
            Some(axis) => direction(reader, text, axis, scope)?,
        };
        if is_second {
            joint.axis2 = Some(direction)
        } else {
            joint.axis = direction
        }
        axes.push(frame);
        if let Some(axis) = given {
            act(reader, text, axis, &mut joint, report)?;
        }
    }
    if kind == JointType::Screw {
        joint.lead = lead(text, node)?;
    }
    for part in elements(node) {
        match part.tag_name().name() {
            "parent" | "child" | "pose" | "axis" | "axis2" | "thread_pitch" | "screw_thread_pitch" => {}
            tag => report.ignored(format!("<{}> of a joint", clip(tag)), reader.line(text, part)),
        }
    }
    report.used(format!("joint of type {}", type_name(kind)), reader.line(text, node));
    reader.joints.push(SdfJoint { joint, axes, ends: [parent, child_link] });
    Ok(())
}

/// `<xyz>` of an axis, and what it is expressed in: the joint frame, unless named; before 1.5 the model frame.
fn direction(
    reader: &ModelReader<'_>,
    text: &XmlText<'_>,
    axis: Node<'_, '_>,
    scope: &str,
) -> Result<(Vec3, AxisFrame), SceneError> {
    let xyz = child(axis, "xyz");
    let given = xyz.map(|xyz| vector::<3>(text, xyz)).transpose()?.map_or(Vec3::Z, Vec3::from);
    let direction = given.normalized().ok_or_else(|| {
        let at = xyz.map_or(start(axis), |xyz| inner(xyz).1);
        text.bad(at, "the axis has zero length", "give a direction such as 0 0 1")
    })?;
    let named = xyz.and_then(|xyz| xyz.attribute("expressed_in").map(|name| (xyz, name)));
    let frame = match named.filter(|(_, name)| !name.is_empty() && reader.version >= 107) {
        Some((xyz, name)) => {
            AxisFrame::Named(scope.to_string(), name.to_string(), reader.at(value_range(xyz, "expressed_in")))
        }
        None if reader.version < 105 => AxisFrame::Model(scope.to_string()),
        None if reader.version < 107 && flag(axis, "use_parent_model_frame") => {
            AxisFrame::Model(scope.to_string())
        }
        None => AxisFrame::Joint,
    };
    Ok((direction, frame))
}

/// Limits, dynamics and mimic of an axis.
fn act(
    reader: &ModelReader<'_>,
    text: &XmlText<'_>,
    axis: Node<'_, '_>,
    joint: &mut RobotJoint,
    report: &mut ImportReport,
) -> Result<(), SceneError> {
    let line = reader.line(text, axis);
    let acts = joint.has_coordinate();
    if let Some(limit) = child(axis, "limit") {
        let low = number(text, limit, "lower")?.unwrap_or(-NONE);
        let high = number(text, limit, "upper")?.unwrap_or(NONE);
        if low > high {
            let message = format!("the lower limit {low} is above the upper limit {high}");
            return Err(text.bad(start(limit), message, "lower comes first"));
        }
        let is_limited = low > -NONE || high < NONE;
        match (is_limited, acts && joint.kind != JointType::Continuous) {
            (true, true) if low > 0.0 || high < 0.0 => {
                report.approximated("limits that exclude the pose of the file: widened to it", line);
                joint.position_limit =
                    Some([if low > 0.0 { 0.0 } else { low }, if high < 0.0 { 0.0 } else { high }]);
            }
            (true, true) => {
                report.used("limit of the position", line);
                let low = if low > -NONE { low } else { f64::NEG_INFINITY };
                joint.position_limit = Some([low, if high < NONE { high } else { f64::INFINITY }]);
            }
            (true, false) => {
                report.ignored(format!("limits of a {} joint", type_name(joint.kind)), line);
            }
            _ => {}
        }
        if acts {
            // Negative means none.
            let finite = |x: &f64| *x >= 0.0 && *x < NONE;
            joint.effort_limit = number(text, limit, "effort")?.filter(finite);
            joint.velocity_limit = number(text, limit, "velocity")?.filter(finite);
        }
    }
    if let Some(dynamics) = child(axis, "dynamics") {
        let value = |tag: &str| -> Result<f64, SceneError> {
            let value = number(text, dynamics, tag)?.unwrap_or(0.0);
            if value < 0.0 && tag != "spring_reference" {
                let at = child(dynamics, tag).map_or(start(dynamics), |part| inner(part).1);
                let help = "damping, friction and stiffness are zero or more";
                return Err(text.bad(at, format!("<{tag}> is {value}"), help));
            }
            Ok(value)
        };
        let [damping, friction] = [value("damping")?, value("friction")?];
        let [stiffness, rest] = [value("spring_stiffness")?, value("spring_reference")?];
        if !acts {
            if damping > 0.0 || friction > 0.0 || stiffness > 0.0 {
                report.ignored(format!("<dynamics> of a {} joint", type_name(joint.kind)), line);
            }
        } else {
            (joint.damping, joint.friction) = (damping, friction);
            joint.spring = (stiffness > 0.0).then_some([stiffness, rest]);
            if damping > 0.0 || friction > 0.0 || stiffness > 0.0 {
                report.used("dynamics of a joint", line);
            }
        }
    }
    if let Some(mimic) = child(axis, "mimic").filter(|_| acts) {
        let scope = joint.name.rsplit_once("::").map_or(String::new(), |(scope, _)| format!("{scope}::"));
        let of = format!("{scope}{}", text.name(mimic, "joint")?);
        let multiplier = number(text, mimic, "multiplier")?.unwrap_or(1.0);
        let offset = number(text, mimic, "offset")?.unwrap_or(0.0);
        let reference = number(text, mimic, "reference")?.unwrap_or(0.0);
        // q = multiplier · (leader − reference) + offset.
        let offset = offset - multiplier * reference;
        if offset.abs() > 1e-12 {
            let message = "the mimic does not hold in the pose of the file";
            let help = "both coordinates are zero there: offset = multiplier × reference";
            return Err(text.bad(start(mimic), message, help));
        }
        joint.mimic = Some(Mimic { of, multiplier, offset: 0.0, at: reader.at(start(mimic)) });
    }
    Ok(())
}

/// Translation of a screw per turn: `screw_thread_pitch` in m per turn, or the old `thread_pitch` in rad/m, left-handed.
fn lead(text: &XmlText<'_>, node: Node<'_, '_>) -> Result<f64, SceneError> {
    let turn = 2.0 * core::f64::consts::PI;
    let (tag, lead) = match (number(text, node, "screw_thread_pitch")?, number(text, node, "thread_pitch")?) {
        (Some(lead), _) => ("screw_thread_pitch", lead),
        (None, Some(pitch)) => ("thread_pitch", -turn / pitch),
        // The default of the old parameter.
        (None, None) => ("thread_pitch", -turn),
    };
    if lead == 0.0 || !lead.is_finite() {
        let at = child(node, tag).map_or(start(node), |part| inner(part).1);
        return Err(text.bad(at, "the thread has no pitch", "give <screw_thread_pitch> in m per turn"));
    }
    Ok(lead)
}
