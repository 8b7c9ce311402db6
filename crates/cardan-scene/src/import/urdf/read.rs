//! Links and joints of a URDF file, typed and checked one by one.

use std::collections::BTreeMap;
use std::ops::Range;

use cardan::Frame;
use cardan::math::{Sym3, Vec3};
use roxmltree::Node;

use super::geometry::{self, Geometry};
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::report::ImportReport;
use crate::import::space::from_rpy;
use crate::import::xml::{XmlText, child, elements, start, value_range};
use crate::nearest::nearest;
use crate::scene::JointDesc;

/// A robot as its file describes it.
pub(in crate::import) struct Robot {
    pub(in crate::import) name: String,
    pub(in crate::import) links: Vec<Link>,
    pub(in crate::import) joints: Vec<RobotJoint>,
    pub(in crate::import) loops: Vec<LoopJoint>,
    pub(in crate::import) by_name: BTreeMap<String, usize>,
}

impl Robot {
    pub(in crate::import) fn link(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Help for a link that is not there.
    pub(in crate::import) fn link_help(&self, name: &str) -> String {
        match nearest(name, self.links.iter().map(|link| link.name.as_str())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "links are given as <link name=\"…\">".to_string(),
        }
    }
}

pub(in crate::import) struct Link {
    pub(in crate::import) name: String,
    pub(in crate::import) at: Range<usize>,
    pub(in crate::import) inertial: Option<Inertial>,
    pub(in crate::import) collisions: Vec<Geometry>,
    pub(in crate::import) visuals: Vec<Geometry>,
}

pub(in crate::import) struct Inertial {
    pub(in crate::import) mass: f64,
    /// Centre of mass and axes of the inertia, in the link frame.
    pub(in crate::import) frame: Frame,
    /// About the centre of mass, in the axes of `frame`.
    pub(in crate::import) inertia: Sym3,
    pub(in crate::import) at: Range<usize>,
}

/// The type of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum JointType {
    Fixed,
    Revolute,
    Continuous,
    Prismatic,
    Planar,
    Floating,
    /// Of SDF: a spherical joint.
    Ball,
    /// Of SDF: about `axis`, fixed in the parent, and `axis2`, fixed in the child.
    Universal,
    /// Of SDF: along and about `axis`, by `lead` per turn.
    Screw,
}

pub(in crate::import) struct RobotJoint {
    pub(in crate::import) name: String,
    pub(in crate::import) kind: JointType,
    pub(in crate::import) parent: usize,
    pub(in crate::import) child: usize,
    /// The joint frame in the parent link's frame.
    pub(in crate::import) frame: Frame,
    /// The joint frame in the child link's frame; URDF has none but the child's own. The two agree where the coordinate
    /// is zero.
    pub(in crate::import) in_child: Frame,
    pub(in crate::import) axis: Vec3,
    pub(in crate::import) axis2: Option<Vec3>,
    /// Translation of a screw per turn.
    pub(in crate::import) lead: f64,
    /// Stiffness of a spring, and the coordinate where it is relaxed.
    pub(in crate::import) spring: Option<[f64; 2]>,
    pub(in crate::import) position_limit: Option<[f64; 2]>,
    pub(in crate::import) effort_limit: Option<f64>,
    pub(in crate::import) velocity_limit: Option<f64>,
    pub(in crate::import) damping: f64,
    pub(in crate::import) friction: f64,
    pub(in crate::import) armature: f64,
    pub(in crate::import) mimic: Option<Mimic>,
    pub(in crate::import) at: Range<usize>,
}

impl RobotJoint {
    /// A joint without ends, frames and anything that acts along it.
    pub(in crate::import) fn new(name: String, kind: JointType, axis: Vec3, at: Range<usize>) -> Self {
        Self {
            name,
            kind,
            parent: 0,
            child: 0,
            frame: Frame::default(),
            in_child: Frame::default(),
            axis,
            axis2: None,
            lead: 0.0,
            spring: None,
            position_limit: None,
            effort_limit: None,
            velocity_limit: None,
            damping: 0.0,
            friction: 0.0,
            armature: 0.0,
            mimic: None,
            at,
        }
    }

    /// One coordinate, which limits, motors and couplers act on.
    pub(in crate::import) fn has_coordinate(&self) -> bool {
        matches!(self.kind, JointType::Revolute | JointType::Continuous | JointType::Prismatic)
    }
}

/// The coordinate follows another: `multiplier` × it + `offset`.
pub(in crate::import) struct Mimic {
    pub(in crate::import) of: String,
    pub(in crate::import) multiplier: f64,
    pub(in crate::import) offset: f64,
    pub(in crate::import) at: Range<usize>,
}

/// A joint that closes a loop, besides those that a second parent makes.
pub(in crate::import) struct LoopJoint {
    pub(in crate::import) name: String,
    /// Kind and what acts along it; bodies and frames are those below.
    pub(in crate::import) desc: JointDesc,
    pub(in crate::import) links: [usize; 2],
    /// The joint frame in each link's frame; z is the axis.
    pub(in crate::import) frames: [Frame; 2],
    /// Its element; none in the file beside it.
    pub(in crate::import) at: Option<Range<usize>>,
}

/// Elements below `<robot>` that say nothing about mechanics.
const SILENT: [&str; 1] = ["material"];

pub(in crate::import) fn read(
    text: &XmlText<'_>,
    root: Node<'_, '_>,
    report: &mut ImportReport,
) -> Result<Robot, SceneError> {
    let mut links = Vec::new();
    let mut by_name = BTreeMap::new();
    for node in elements(root).filter(|node| node.tag_name().name() == "link") {
        let link = link(text, node, report)?;
        if by_name.insert(link.name.clone(), links.len()).is_some() {
            return Err(twice(text, node, "link", &link.name));
        }
        report.used("link", text.line_of(node));
        links.push(link);
    }
    if links.is_empty() {
        let help = "a robot has links: <link name=\"base\"/>";
        return Err(text.error(ErrorKind::Empty, start(root), "the robot has no link", help));
    }
    let name = root.attribute("name").unwrap_or("robot").to_string();
    let mut robot = Robot { name, links, joints: Vec::new(), loops: Vec::new(), by_name };
    let mut names = BTreeMap::new();
    for node in elements(root) {
        match node.tag_name().name() {
            "joint" => {
                let joint = joint(text, node, &robot, report)?;
                if names.insert(joint.name.clone(), robot.joints.len()).is_some() {
                    return Err(twice(text, node, "joint", &joint.name));
                }
                report.used(format!("joint of type {}", type_name(joint.kind)), text.line_of(node));
                robot.joints.push(joint);
            }
            "loop_joint" | "loop" => {
                let closing = super::loops::read_tag(text, node, &robot)?;
                if names.insert(closing.name.clone(), usize::MAX).is_some() {
                    return Err(twice(text, node, "joint", &closing.name));
                }
                report.used("loop joint", text.line_of(node));
                robot.loops.push(closing);
            }
            _ => {}
        }
    }
    for node in elements(root) {
        let tag = node.tag_name().name();
        match tag {
            "link" | "joint" | "loop_joint" | "loop" => {}
            "transmission" => transmission(text, node, &mut robot, &names, report)?,
            _ if SILENT.contains(&tag) => {}
            _ => report.ignored(format!("<{}>", clip(tag)), text.line_of(node)),
        }
    }
    mimics_lead_somewhere(text, &robot)?;
    Ok(robot)
}

fn twice(text: &XmlText<'_>, node: Node<'_, '_>, what: &str, name: &str) -> SceneError {
    let message = format!("two {what}s are called `{}`", clip(name));
    let help = "names are unique: rename or remove one of the two";
    text.error(ErrorKind::Duplicate, value_range(node, "name"), message, help)
}

pub(in crate::import) fn type_name(kind: JointType) -> &'static str {
    match kind {
        JointType::Ball => "ball",
        JointType::Universal => "universal",
        JointType::Screw => "screw",
        _ => TYPES.iter().find(|(_, own)| *own == kind).map_or("", |(name, _)| name),
    }
}

const TYPES: [(&str, JointType); 6] = [
    ("fixed", JointType::Fixed),
    ("revolute", JointType::Revolute),
    ("continuous", JointType::Continuous),
    ("prismatic", JointType::Prismatic),
    ("planar", JointType::Planar),
    ("floating", JointType::Floating),
];

/// `<origin xyz rpy>`; the identity without one.
pub(in crate::import) fn origin<'t>(text: &XmlText<'t>, node: Node<'_, 't>) -> Result<Frame, SceneError> {
    match child(node, "origin") {
        None => Ok(Frame::default()),
        Some(origin) => placed(text, origin),
    }
}

/// `xyz` and `rpy` of an element.
pub(in crate::import) fn placed<'t>(text: &XmlText<'t>, node: Node<'_, 't>) -> Result<Frame, SceneError> {
    let pos = text.vector::<3>(node, "xyz")?.unwrap_or_default();
    let rpy = text.vector::<3>(node, "rpy")?.unwrap_or_default();
    Ok(Frame { pos: pos.into(), rot: from_rpy(rpy) })
}

fn link<'t>(text: &XmlText<'t>, node: Node<'_, 't>, report: &mut ImportReport) -> Result<Link, SceneError> {
    let name = text.name(node, "name")?.to_string();
    let mut link =
        Link { name, at: start(node), inertial: None, collisions: Vec::new(), visuals: Vec::new() };
    for part in elements(node) {
        match part.tag_name().name() {
            "inertial" if link.inertial.is_some() => {
                report.ignored("second <inertial> of a link", text.line_of(part));
            }
            "inertial" => link.inertial = Some(inertial(text, part)?),
            "collision" => link.collisions.extend(geometry::read(text, part, report)?),
            "visual" => link.visuals.extend(geometry::read(text, part, report)?),
            tag => report.ignored(format!("<{}> of a link", clip(tag)), text.line_of(part)),
        }
    }
    Ok(link)
}

fn inertial<'t>(text: &XmlText<'t>, node: Node<'_, 't>) -> Result<Inertial, SceneError> {
    let needs = |tag: &str, example: &str| {
        let message = format!("<inertial> has no <{tag}>");
        text.error(ErrorKind::MissingField, start(node), message, &format!("add {example}"))
    };
    let mass_node = child(node, "mass").ok_or_else(|| needs("mass", "<mass value=\"1.0\"/>"))?;
    text.required(mass_node, "value")?;
    let mass = text.number(mass_node, "value")?.unwrap_or(0.0);
    if mass < 0.0 {
        let help = "a mass is positive; a link without mass has none, or no <inertial> at all";
        return Err(text.bad(value_range(mass_node, "value"), format!("the mass is {mass} kg"), help));
    }
    let frame = origin(text, node)?;
    let inertia = match child(node, "inertia") {
        None if mass == 0.0 => Sym3::default(),
        None => return Err(needs("inertia", "<inertia ixx=… ixy=… ixz=… iyy=… iyz=… izz=…/> (kg·m²)")),
        Some(moments) => {
            let moment = |name: &str| -> Result<f64, SceneError> {
                text.required(moments, name)?;
                Ok(text.number(moments, name)?.unwrap_or(0.0))
            };
            let [xx, yy, zz] = [moment("ixx")?, moment("iyy")?, moment("izz")?];
            let [xy, xz, yz] = [moment("ixy")?, moment("ixz")?, moment("iyz")?];
            Sym3 { xx, yy, zz, xy, xz, yz }
        }
    };
    Ok(Inertial { mass, frame, inertia, at: start(child(node, "inertia").unwrap_or(node)) })
}

fn joint<'t>(
    text: &XmlText<'t>,
    node: Node<'_, 't>,
    robot: &Robot,
    report: &mut ImportReport,
) -> Result<RobotJoint, SceneError> {
    let name = text.name(node, "name")?.to_string();
    let word = text.required(node, "type")?;
    let Some(&(_, kind)) = TYPES.iter().find(|(name, _)| *name == word) else {
        let names = TYPES.map(|(name, _)| name);
        let help = match nearest(word, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("types are {}", names.join(", ")),
        };
        let message = format!("there is no joint type `{}`", clip(word));
        return Err(text.error(ErrorKind::UnknownKind, value_range(node, "type"), message, &help));
    };
    let end = |tag: &str| -> Result<usize, SceneError> {
        let Some(end) = child(node, tag) else {
            let message = format!("joint `{}` has no <{tag}>", clip(&name));
            let help = format!("add <{tag} link=\"…\"/>");
            return Err(text.error(ErrorKind::MissingField, start(node), message, &help));
        };
        named_link(text, end, robot)
    };
    let (parent, child_link) = (end("parent")?, end("child")?);
    if parent == child_link {
        let message =
            format!("joint `{}` holds `{}` to itself", clip(&name), clip(&robot.links[parent].name));
        return Err(text.bad(start(node), message, "parent and child are two links"));
    }
    let frame = origin(text, node)?;
    let mut joint =
        RobotJoint { parent, child: child_link, frame, ..RobotJoint::new(name, kind, Vec3::X, start(node)) };
    if let Some(axis) = child(node, "axis")
        && !matches!(kind, JointType::Fixed | JointType::Floating)
    {
        joint.axis = direction(text, axis)?;
    }
    let mut limited = false;
    for part in elements(node) {
        let tag = part.tag_name().name();
        // The first counts, as in other readers.
        if matches!(tag, "limit" | "dynamics" | "mimic" | "axis" | "origin") && child(node, tag) != Some(part)
        {
            report.ignored(format!("second <{tag}> of a joint"), text.line_of(part));
            continue;
        }
        match tag {
            "origin" | "parent" | "child" | "axis" => {}
            "limit" => {
                limited = true;
                limit(text, part, &mut joint, report)?;
            }
            "dynamics" => dynamics(text, part, &mut joint, report)?,
            "mimic" => {
                let of = text.name(part, "joint")?.to_string();
                let multiplier = text.number(part, "multiplier")?.unwrap_or(1.0);
                let offset = text.number(part, "offset")?.unwrap_or(0.0);
                joint.mimic = Some(Mimic { of, multiplier, offset, at: start(part) });
            }
            tag @ ("safety_controller" | "calibration") => {
                report.ignored(format!("<{tag}>"), text.line_of(part));
            }
            tag => report.ignored(format!("<{}> of a joint", clip(tag)), text.line_of(part)),
        }
    }
    if !limited && matches!(kind, JointType::Revolute | JointType::Prismatic) {
        report.approximated("joint without <limit>: it has no limits", text.line_of(node));
    }
    Ok(joint)
}

/// The `xyz` of an axis, which has a direction.
pub(in crate::import) fn direction<'t>(text: &XmlText<'t>, node: Node<'_, 't>) -> Result<Vec3, SceneError> {
    let axis = text.vector::<3>(node, "xyz")?.map_or(Vec3::X, Vec3::from);
    axis.normalized().ok_or_else(|| {
        text.bad(value_range(node, "xyz"), "the axis has zero length", "give a direction such as 0 0 1")
    })
}

/// The link that an element names in `link`.
pub(in crate::import) fn named_link<'t>(
    text: &XmlText<'t>,
    node: Node<'_, 't>,
    robot: &Robot,
) -> Result<usize, SceneError> {
    let link = text.name(node, "link")?;
    robot.link(link).ok_or_else(|| {
        let message = format!("there is no link `{}`", clip(link));
        text.error(ErrorKind::UnknownName, value_range(node, "link"), message, &robot.link_help(link))
    })
}

fn limit<'t>(
    text: &XmlText<'t>,
    node: Node<'_, 't>,
    joint: &mut RobotJoint,
    report: &mut ImportReport,
) -> Result<(), SceneError> {
    let line = text.line_of(node);
    let (lower, upper) = (text.bound(node, "lower")?, text.bound(node, "upper")?);
    match joint.kind {
        JointType::Revolute | JointType::Prismatic => match (lower, upper) {
            (None, None) => {
                report.approximated("<limit> without lower and upper: no limit of the position", line);
            }
            _ => {
                let (low, high) = (lower.unwrap_or(0.0), upper.unwrap_or(0.0));
                for (name, value, never) in
                    [("lower", low, f64::INFINITY), ("upper", high, f64::NEG_INFINITY)]
                {
                    if value == never {
                        let message = format!("`{name}` is {value}: no position is within the limits");
                        let help = "no limit is -inf to inf, or a joint that is `continuous`";
                        return Err(text.bad(value_range(node, name), message, help));
                    }
                }
                if low > high {
                    let message = format!("the lower limit {low} is above the upper limit {high}");
                    let help = "a limit that is left out is 0; a joint without limits is `continuous`";
                    return Err(text.bad(start(node), message, help));
                }
                report.used("limit of the position", line);
                joint.position_limit = Some([low, high]);
            }
        },
        _ if lower.is_some() || upper.is_some() => {
            let kind = type_name(joint.kind);
            report.ignored(format!("lower and upper of a {kind} joint, which has no limits"), line);
        }
        _ => {}
    }
    for (name, place) in [("effort", &mut joint.effort_limit), ("velocity", &mut joint.velocity_limit)] {
        let Some(value) = text.bound(node, name)? else { continue };
        if value < 0.0 {
            let help = format!("`{name}` is the largest magnitude");
            return Err(text.bad(value_range(node, name), format!("`{name}` is {value}"), &help));
        }
        *place = value.is_finite().then_some(value);
    }
    Ok(())
}

fn dynamics<'t>(
    text: &XmlText<'t>,
    node: Node<'_, 't>,
    joint: &mut RobotJoint,
    report: &mut ImportReport,
) -> Result<(), SceneError> {
    for (name, place) in [("damping", &mut joint.damping), ("friction", &mut joint.friction)] {
        let Some(value) = text.number(node, name)? else { continue };
        if value < 0.0 {
            let help = "damping and friction take energy away: zero or more";
            return Err(text.bad(value_range(node, name), format!("`{name}` is {value}"), help));
        }
        let line = text.line_of(node);
        let acts = matches!(joint.kind, JointType::Revolute | JointType::Continuous | JointType::Prismatic);
        match (value > 0.0, acts) {
            (false, _) => {}
            (true, true) => report.used(format!("{name} of a joint"), line),
            (true, false) => {
                report.ignored(format!("{name} of a {} joint", type_name(joint.kind)), line);
                continue;
            }
        }
        *place = value;
    }
    Ok(())
}

/// A transmission: its reduction turns the inertia of a rotor into an armature of the joint.
fn transmission<'t>(
    text: &XmlText<'t>,
    node: Node<'_, 't>,
    robot: &mut Robot,
    names: &BTreeMap<String, usize>,
    report: &mut ImportReport,
) -> Result<(), SceneError> {
    let value = |tag: &str| -> Result<Option<f64>, SceneError> {
        let found = node.descendants().find(|inner| inner.is_element() && inner.tag_name().name() == tag);
        let Some(found) = found else { return Ok(None) };
        let word = found.text().unwrap_or_default().trim();
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(number)),
            _ => {
                let message = format!("`{}` is not a finite number", clip(word));
                Err(text.bad(start(found), message, &format!("write <{tag}>1</{tag}>")))
            }
        }
    };
    let line = text.line_of(node);
    let reduction = value("mechanicalReduction")?.unwrap_or(1.0);
    let rotor = match value("rotorInertia")? {
        None => value("motorInertia")?,
        given => given,
    };
    let joint = child(node, "joint").and_then(|joint| joint.attribute("name"));
    let known = joint.and_then(|name| names.get(name)).and_then(|&i| robot.joints.get_mut(i));
    match (known, rotor) {
        (None, _) => report.ignored("<transmission> of no joint of this file", line),
        (Some(joint), Some(rotor)) if joint.has_coordinate() && rotor >= 0.0 => {
            joint.armature = rotor * reduction * reduction;
            report.used("<transmission>: inertia of a rotor times the square of the reduction", line);
        }
        _ => report.ignored("<transmission> without the inertia of a rotor", line),
    }
    Ok(())
}

/// Longest chain of joints that mimic each other.
const MAX_FOLLOWERS: usize = 100;

/// A mimic joint follows a joint of one coordinate, and no chain of them comes back to itself.
pub(in crate::import) fn mimics_lead_somewhere(text: &XmlText<'_>, robot: &Robot) -> Result<(), SceneError> {
    let names: BTreeMap<&str, usize> =
        robot.joints.iter().enumerate().map(|(j, joint)| (joint.name.as_str(), j)).collect();
    for joint in &robot.joints {
        let Some(mimic) = &joint.mimic else { continue };
        let leader = names.get(mimic.of.as_str()).and_then(|&i| robot.joints.get(i));
        if !leader.is_some_and(RobotJoint::has_coordinate) {
            let what = if leader.is_some() { "has no coordinate to follow" } else { "does not exist" };
            let message = format!("`{}` mimics `{}`, which {what}", clip(&joint.name), clip(&mimic.of));
            let movable = robot.joints.iter().filter(|joint| joint.has_coordinate());
            let help = match nearest(&mimic.of, movable.map(|joint| joint.name.as_str())) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name a revolute, continuous or prismatic joint".to_string(),
            };
            return Err(text.error(ErrorKind::UnknownName, mimic.at.clone(), message, &help));
        }
    }
    // Chains of followers that were walked to their end once.
    let mut ends = vec![false; robot.joints.len()];
    for first in 0..robot.joints.len() {
        let (mut chain, mut at) = (Vec::new(), first);
        while !ends[at] {
            if chain.contains(&at) {
                let joint = &robot.joints[at];
                let message = format!("`{}` mimics itself", clip(&joint.name));
                let range = joint.mimic.as_ref().map_or(joint.at.clone(), |mimic| mimic.at.clone());
                return Err(text.bad(range, message, "one joint of a chain must be free"));
            }
            chain.push(at);
            match robot.joints[at].mimic.as_ref().and_then(|mimic| names.get(mimic.of.as_str())) {
                Some(&next) if next < robot.joints.len() && chain.len() <= MAX_FOLLOWERS => at = next,
                Some(_) => {
                    let joint = &robot.joints[first];
                    let message = format!("more than {MAX_FOLLOWERS} joints mimic each other in a chain");
                    return Err(text.bad(joint.at.clone(), message, "let all of them mimic the first"));
                }
                None => break,
            }
        }
        for done in chain {
            ends[done] = true;
        }
    }
    Ok(())
}
