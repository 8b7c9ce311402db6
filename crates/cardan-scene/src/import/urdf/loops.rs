//! Loops that a URDF file cannot say by itself: `<loop_joint>`, and the file `NAME.loops.toml` beside it.
//!
//! ```xml
//! <loop_joint name="closure" type="revolute">
//!   <link1 link="rocker" xyz="0 0 0.3" rpy="0 0 0"/>   <axis xyz="0 1 0"/>
//!   <link2 link="coupler" xyz="0.5 0 0" rpy="0 0 0"/>
//! </loop_joint>
//! ```
//!
//! The axis is given in the frame on link1. The file beside it has tables `[loops.NAME]` with the fields of a joint of a
//! scene, whose `a` and `b` are links and whose frames are in the frames of these links.

use std::collections::BTreeSet;

use cardan::Frame;
use cardan::math::{Quat, Vec3};
use roxmltree::Node;
use serde::Deserialize;

use super::read::{LoopJoint, Robot, direction, named_link, placed};
use crate::document::{Document, FieldPath, clip};
use crate::error::{ErrorKind, SceneError};
use crate::import::space::z_to;
use crate::import::xml::{XmlText, child, start, value_range};
use crate::lower::{frame, vector};
use crate::scene::{JointDesc, JointKindDesc, Named};

/// A `<loop_joint>`.
pub(super) fn read_tag<'t>(
    text: &XmlText<'t>,
    node: Node<'_, 't>,
    robot: &Robot,
) -> Result<LoopJoint, SceneError> {
    let name = text.name(node, "name")?.to_string();
    let word = node.attribute("type").unwrap_or("revolute");
    let kind = match word {
        "revolute" | "continuous" => JointKindDesc::Revolute,
        "prismatic" => JointKindDesc::Prismatic,
        "fixed" => JointKindDesc::Fixed,
        "spherical" | "ball" => JointKindDesc::Spherical,
        _ => {
            let message = format!("a loop joint cannot be `{}`", clip(word));
            let help = "it is revolute, continuous, prismatic, fixed or spherical";
            return Err(text.error(ErrorKind::UnknownKind, value_range(node, "type"), message, help));
        }
    };
    let side = |tag: &str| -> Result<(usize, Frame), SceneError> {
        let Some(end) = child(node, tag) else {
            let message = format!("loop joint `{}` has no <{tag}>", clip(&name));
            let help = format!("add <{tag} link=\"…\" xyz=\"0 0 0\" rpy=\"0 0 0\"/>");
            return Err(text.error(ErrorKind::MissingField, start(node), message, &help));
        };
        Ok((named_link(text, end, robot)?, placed(text, end)?))
    };
    let (first, in_first) = side("link1")?;
    let (second, in_second) = side("link2")?;
    let axis = child(node, "axis").map_or(Ok(Vec3::X), |axis| direction(text, axis))?;
    let turned = |at: Frame| Frame { pos: at.pos, rot: at.rot * z_to(axis) };
    let (frames, links) = ([turned(in_first), turned(in_second)], [first, second]);
    Ok(LoopJoint { name, desc: JointDesc::new(kind, "", ""), links, frames, at: Some(start(node)) })
}

/// The file beside the robot file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LoopsFile {
    #[serde(default)]
    loops: Named<JointDesc>,
}

pub(super) fn read_sidecar(document: &Document, robot: &mut Robot) -> Result<(), SceneError> {
    let file: LoopsFile = crate::deserialize::deserialize_document(document)?;
    let joints = robot.joints.iter().map(|joint| joint.name.clone());
    let taken: BTreeSet<String> = joints.chain(robot.loops.iter().map(|l| l.name.clone())).collect();
    for (name, desc) in file.loops.iter() {
        let path = FieldPath::item("loops", name);
        if taken.contains(name) {
            let message = "the robot file has a joint of this name";
            let error = SceneError::at(document, path, message, Some("choose another name"));
            return Err(error.with_kind(ErrorKind::Duplicate));
        }
        let end = |field: &str, link: &Option<String>| {
            let known = link.as_deref().and_then(|link| robot.link(link));
            known.ok_or_else(|| {
                let (message, help) = match link {
                    Some(link) => (format!("there is no link `{}`", clip(link)), robot.link_help(link)),
                    None => (format!("the field `{field}` is missing"), "name a link".to_string()),
                };
                let error = SceneError::at(document, path.join(field), message, Some(&help));
                error.with_kind(ErrorKind::UnknownName)
            })
        };
        let links = [end("a", &desc.a)?, end("b", &desc.b)?];
        let frames = [
            side(document, &path, "a", desc.frame_in_a.as_ref(), desc.anchor_in_a, desc.axis_in_a)?,
            side(document, &path, "b", desc.frame_in_b.as_ref(), desc.anchor_in_b, desc.axis_in_b)?,
        ];
        for (field, is_given) in [
            ("anchor", desc.anchor.is_some()),
            ("axis", desc.axis.is_some()),
            ("axis2", desc.axis2.is_some()),
            ("axis2_in_b", desc.axis2_in_b.is_some()),
            ("point_in_a", desc.point_in_a.is_some()),
            ("point_in_b", desc.point_in_b.is_some()),
        ] {
            if is_given {
                let message = format!("`{field}` is not read here");
                let help = "give frame_in_a and frame_in_b, or anchors and axes in a and in b";
                let error = SceneError::at(document, path.join(field), message, Some(help));
                return Err(error.with_kind(ErrorKind::MisplacedField));
            }
        }
        let mut desc = desc.clone();
        (desc.anchor_in_a, desc.anchor_in_b, desc.axis_in_a, desc.axis_in_b) = (None, None, None, None);
        robot.loops.push(LoopJoint { name: name.to_string(), desc, links, frames, at: None });
    }
    Ok(())
}

/// The joint frame on one side: a frame, or an anchor and an axis.
fn side(
    document: &Document,
    path: &FieldPath,
    end: &str,
    given: Option<&crate::scene::FrameDesc>,
    anchor: Option<[crate::quantity::Length; 3]>,
    axis: Option<[crate::quantity::Number; 3]>,
) -> Result<Frame, SceneError> {
    match (given, anchor) {
        (Some(given), _) => Ok(frame(given)),
        (None, Some(anchor)) => {
            let pos = anchor.map(f64::from).into();
            let rot = axis.as_ref().map_or(Quat::IDENTITY, |axis| z_to(vector(axis)));
            Ok(Frame { pos, rot })
        }
        (None, None) => {
            let message = format!("neither `frame_in_{end}` nor `anchor_in_{end}` is given");
            let help =
                format!("for example frame_in_{end} = {{ position = [0, 0, 0.3] }}; its z is the axis");
            let error = SceneError::at(document, path.clone(), message, Some(&help));
            Err(error.with_kind(ErrorKind::MissingField))
        }
    }
}
