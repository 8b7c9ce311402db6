//! SDF models: links, joints and frames ([`model`], [`joint`]) with poses in a graph of frames ([`frames`]), as the same
//! description of links and joints that a URDF file gives, and from there the same way to a scene.
//!
//! The format: <http://sdformat.org/spec>. The links' poses are those of the start, where every joint coordinate is zero,
//! so that loops (a link that is the child of two joints) are closed as written. A model is free unless a joint holds it
//! to the `world`. An axis is z unless said, and is given in the frame of its joint, which is that of the child link
//! unless the joint has a pose of its own.

mod frames;
mod joint;
mod model;
mod topology;
mod values;

use cardan::Frame;

use super::paths::FileFinder;
use super::report::ImportReport;
use super::space::{compose, inverse};
use super::urdf::read::{Robot, mimics_lead_somewhere};
use super::urdf::scene::{Surroundings, build};
use super::xml::{XmlText, elements, start};
use super::{Drafted, ImportOptions};
use crate::error::{ErrorKind, SceneError};

/// Makes a scene of an SDF file.
pub(super) fn import(
    text: &XmlText<'_>,
    tree: &roxmltree::Document<'_>,
    finder: &FileFinder<'_>,
    options: &ImportOptions,
) -> Result<Drafted, SceneError> {
    let mut report = ImportReport::default();
    let root = tree.root_element();
    let node = model::only_model(text, root, &mut report)?;
    let mut reader = model::ModelReader::new(finder, version(text, root)?);
    reader.read_model(text, node, "", &mut report)?;
    let (robot, poses) = assemble(text, node, reader)?;
    mimics_lead_somewhere(text, &robot)?;
    let topology = topology::group(text, &robot, &poses)?;
    if options.floating {
        report.ignored("--floating: a model of an SDF file is free unless a joint holds it to the world", 1);
    }
    let of_groups = topology.groups.iter().map(|group| poses[group.reference]).collect();
    let around = Surroundings { finder, options, sidecar: None, poses: Some(of_groups) };
    build(text, &robot, &topology, around, report)
}

/// 1.6 → 106: versions compare as numbers of two parts.
fn version(text: &XmlText<'_>, root: roxmltree::Node<'_, '_>) -> Result<u32, SceneError> {
    let Some(word) = root.attribute("version") else { return Ok(107) };
    let parts = word.split_once('.');
    let number = parts.and_then(|(major, minor)| {
        let (major, minor): (u32, u32) = (major.trim().parse().ok()?, minor.trim().parse().ok()?);
        (major <= 9 && minor <= 99).then_some(100 * major + minor)
    });
    number.ok_or_else(|| {
        let message = format!("`{}` is no version of SDF", crate::document::clip(word));
        text.bad(super::xml::value_range(root, "version"), message, "write version=\"1.9\"")
    })
}

/// Links and joints of all models with their frames resolved: the robot, and the pose of each link.
fn assemble(
    text: &XmlText<'_>,
    node: roxmltree::Node<'_, '_>,
    reader: model::ModelReader<'_>,
) -> Result<(Robot, Vec<Frame>), SceneError> {
    let model::ModelReader { mut links, joints, frames, .. } = reader;
    if links.len() == 1 {
        let help = "a model has links: <link name=\"base\"/>";
        return Err(text.error(ErrorKind::Empty, start(node), "the model has no link", help));
    }
    let resolved = frames.resolve(text)?;
    // The first link is the world.
    let mut poses = vec![Frame::default()];
    for link in &mut links[1..] {
        let pose = resolved.pose(&link.name);
        poses.push(pose);
        link.bring_home(|scope, relative| resolved.in_link(text, scope, relative, &pose))?;
    }
    let by_name = links.iter().enumerate().map(|(i, link)| (link.name.clone(), i)).collect();
    let mut robot = Robot {
        name: node.attribute("name").unwrap_or("robot").to_string(),
        links: links.into_iter().map(model::SdfLink::into_link).collect(),
        joints: Vec::new(),
        loops: Vec::new(),
        by_name,
    };
    for joint in joints {
        let [parent, child] = joint.ends(text, &resolved, &robot)?;
        let at = resolved.pose(&joint.joint.name);
        let mut found = joint.joint;
        (found.parent, found.child) = (parent, child);
        found.frame = compose(&inverse(&poses[parent]), &at);
        found.in_child = compose(&inverse(&poses[child]), &at);
        for (axis, given) in
            [Some(&mut found.axis), found.axis2.as_mut()].into_iter().flatten().zip(&joint.axes)
        {
            // In the joint frame, whatever it was expressed in.
            let rot = match given {
                joint::AxisFrame::Joint => continue,
                joint::AxisFrame::Model(scope) => resolved.pose(&format!("{scope}{}", frames::MODEL)).rot,
                joint::AxisFrame::Named(scope, name, place) => {
                    resolved.named(text, scope, name, place.clone())?.rot
                }
            };
            *axis = at.rot.inverse() * (rot * *axis);
        }
        if let Some(second) = found.axis2 {
            let along = found.axis.dot(second);
            if along.abs() > 1e-9 {
                let message = "the two axes of the joint are not perpendicular";
                return Err(text.bad(found.at.clone(), message, "a universal joint has perpendicular axes"));
            }
        }
        robot.joints.push(found);
    }
    Ok((robot, poses))
}

/// Elements of a name inside another.
fn all<'n, 't>(
    node: roxmltree::Node<'n, 't>,
    tag: &'static str,
) -> impl Iterator<Item = roxmltree::Node<'n, 't>> {
    elements(node).filter(move |child| child.tag_name().name() == tag)
}
