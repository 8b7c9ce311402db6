//! Which links move as one body, which joint holds each body in the spanning tree, and which joints close loops.
//!
//! Links that fixed joints connect are one group, whatever the direction of the joints. The groups are reached from the
//! root in the order of the file; a joint that leads to a group that was already reached closes a loop.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use cardan::Frame;

use super::read::{JointType, Robot};
use crate::document::clip;
use crate::error::SceneError;
use crate::import::report::ImportReport;
use crate::import::space::{compose, inverse};
use crate::import::xml::XmlText;

/// Two ways to the same link by fixed joints agree within this, in m and rad.
const SAME_PLACE: f64 = 1e-6;

/// Groups of links and the tree of joints between them.
pub(in crate::import) struct Topology {
    /// Of each link: its group.
    pub(in crate::import) group_of: Vec<usize>,
    /// Of each link: its frame in that of the group's reference link.
    pub(in crate::import) in_group: Vec<Frame>,
    /// In the order in which the root reaches them; the first is that of the root.
    pub(in crate::import) groups: Vec<LinkGroup>,
    /// Joints that close loops, in the order of the file.
    pub(in crate::import) closing: Vec<usize>,
    /// Of each joint: whether it is held at zero, since nothing behind it has mass.
    pub(in crate::import) held: Vec<bool>,
}

/// Links that move as one body.
pub(in crate::import) struct LinkGroup {
    /// The link whose frame is the body's: the child of the joint above, or the root.
    pub(in crate::import) reference: usize,
    /// In the order of the file.
    pub(in crate::import) links: Vec<usize>,
    /// The joint of the tree that leads to it.
    pub(in crate::import) joint: Option<usize>,
    pub(in crate::import) mass: f64,
}

pub(in crate::import) fn grow(
    text: &XmlText<'_>,
    robot: &Robot,
    report: &mut ImportReport,
) -> Result<Topology, SceneError> {
    let mut held: Vec<bool> = vec![false; robot.joints.len()];
    let first = spanned(text, robot, &held)?;
    let mut leads = vec![false; robot.joints.len()];
    first.groups.iter().filter_map(|group| group.joint).for_each(|joint| leads[joint] = true);
    for (joint, leads) in robot.joints.iter().zip(leads) {
        if joint.kind == JointType::Floating && !leads {
            let what = "floating joint to a link that another joint holds";
            report.ignored(what, text.line(joint.at.start));
        }
    }
    // From the leaves: what nothing with mass hangs on, and no loop holds.
    let mut weighs: Vec<bool> = first.groups.iter().map(|group| group.mass > 0.0).collect();
    let closing = first.closing.iter().flat_map(|&j| [robot.joints[j].parent, robot.joints[j].child]);
    for link in closing.chain(robot.loops.iter().flat_map(|closing| closing.links)) {
        weighs[first.group_of[link]] = true;
    }
    for g in (1..first.groups.len()).rev() {
        let Some(joint) = first.groups[g].joint else { continue };
        let parent = first.group_of[robot.joints[joint].parent];
        if weighs[g] {
            weighs[parent] = true;
        } else {
            held[joint] = true;
        }
    }
    if !held.contains(&true) {
        return Ok(first);
    }
    for (joint, _) in robot.joints.iter().zip(&held).filter(|(_, held)| **held) {
        let what = "joint that moves nothing with mass: held at zero";
        report.approximated(what, text.line(joint.at.start));
    }
    spanned(text, robot, &held)
}

fn is_rigid(robot: &Robot, held: &[bool], joint: usize) -> bool {
    robot.joints[joint].kind == JointType::Fixed || held[joint]
}

fn spanned(text: &XmlText<'_>, robot: &Robot, held: &[bool]) -> Result<Topology, SceneError> {
    let root = root(text, robot)?;
    // Joints of each link, in the order of the file.
    let mut joints_of: Vec<Vec<usize>> = vec![Vec::new(); robot.links.len()];
    for (j, joint) in robot.joints.iter().enumerate() {
        joints_of[joint.parent].push(j);
        joints_of[joint.child].push(j);
    }
    let mut topology = Topology {
        group_of: vec![usize::MAX; robot.links.len()],
        in_group: vec![Frame::default(); robot.links.len()],
        groups: Vec::new(),
        closing: Vec::new(),
        held: held.to_vec(),
    };
    let mut used = vec![false; robot.joints.len()];
    let mut ready = BinaryHeap::new();
    topology.add_group(text, robot, &joints_of, root, None)?;
    let ask = |group: &LinkGroup, ready: &mut BinaryHeap<Reverse<usize>>| {
        for &link in &group.links {
            for &j in &joints_of[link] {
                if robot.joints[j].parent == link && !is_rigid(robot, held, j) {
                    ready.push(Reverse(j));
                }
            }
        }
    };
    ask(&topology.groups[0], &mut ready);
    while let Some(Reverse(j)) = ready.pop() {
        let child = robot.joints[j].child;
        if topology.group_of[child] != usize::MAX {
            continue;
        }
        used[j] = true;
        topology.add_group(text, robot, &joints_of, child, Some(j))?;
        ask(&topology.groups[topology.groups.len() - 1], &mut ready);
    }
    if let Some(lost) = topology.group_of.iter().position(|&group| group == usize::MAX) {
        let message = format!("link `{}` is not connected to the root", clip(&robot.links[lost].name));
        let help = format!(
            "its joints form a cycle; one of them must have a parent that `{}` leads to",
            clip(&robot.links[root].name)
        );
        return Err(text.bad(robot.links[lost].at.clone(), message, &help));
    }
    for (j, joint) in robot.joints.iter().enumerate() {
        if used[j] || is_rigid(robot, held, j) {
            continue;
        }
        if topology.group_of[joint.parent] == topology.group_of[joint.child] {
            let message = format!("joint `{}` joins two links that fixed joints hold", clip(&joint.name));
            return Err(text.bad(joint.at.clone(), message, "one body cannot move against itself"));
        }
        if joint.kind != JointType::Floating {
            topology.closing.push(j);
        }
    }
    let is_inside = |links: [usize; 2]| topology.group_of[links[0]] == topology.group_of[links[1]];
    let inside = robot.loops.iter().filter(|closing| is_inside(closing.links));
    if let Some((closing, at)) = inside.filter_map(|closing| Some((closing, closing.at.clone()?))).next() {
        let message = format!("loop joint `{}` joins two links that move as one body", clip(&closing.name));
        return Err(text.bad(at, message, "join links that other joints let move against each other"));
    }
    Ok(topology)
}

impl Topology {
    /// The links that fixed joints hold together with `reference`, and their frames.
    fn add_group(
        &mut self,
        text: &XmlText<'_>,
        robot: &Robot,
        joints_of: &[Vec<usize>],
        reference: usize,
        joint: Option<usize>,
    ) -> Result<(), SceneError> {
        let group = self.groups.len();
        let (mut links, mut next) = (vec![reference], 0);
        self.group_of[reference] = group;
        while let Some(&link) = links.get(next) {
            next += 1;
            for &j in &joints_of[link] {
                if !is_rigid(robot, &self.held, j) {
                    continue;
                }
                let fixed = &robot.joints[j];
                let down = compose(&fixed.frame, &inverse(&fixed.in_child));
                let (other, step) =
                    if fixed.parent == link { (fixed.child, down) } else { (fixed.parent, inverse(&down)) };
                let frame = compose(&self.in_group[link], &step);
                if self.group_of[other] == usize::MAX {
                    self.group_of[other] = group;
                    self.in_group[other] = frame;
                    links.push(other);
                    continue;
                }
                let known = &self.in_group[other];
                let apart = (frame.pos - known.pos).norm() + (known.rot.inverse() * frame.rot).log().norm();
                if apart > SAME_PLACE {
                    let name = clip(&robot.links[fixed.child].name);
                    let message = format!("fixed joints put link `{name}` in two places, {apart:.3e} apart");
                    let help = "remove one of the joints, or correct its <origin>";
                    return Err(text.bad(fixed.at.clone(), message, help));
                }
            }
        }
        links.sort_unstable();
        let mass = links.iter().filter_map(|&l| robot.links[l].inertial.as_ref()).map(|i| i.mass).sum();
        self.groups.push(LinkGroup { reference, links, joint, mass });
        Ok(())
    }
}

/// The one link that is no child of a joint.
fn root(text: &XmlText<'_>, robot: &Robot) -> Result<usize, SceneError> {
    let mut is_child = vec![false; robot.links.len()];
    for joint in &robot.joints {
        is_child[joint.child] = true;
    }
    let mut roots = (0..robot.links.len()).filter(|&link| !is_child[link]);
    match (roots.next(), roots.next()) {
        (Some(root), None) => Ok(root),
        (Some(first), Some(second)) => {
            let [first, link] = [&robot.links[first], &robot.links[second]];
            let message =
                format!("both `{}` and `{}` are no child of a joint", clip(&first.name), clip(&link.name));
            let help = "a robot has one root: add a joint whose child is the other link";
            Err(text.bad(link.at.clone(), message, help))
        }
        _ => {
            let message = "every link is the child of a joint: the joints form a cycle without a root";
            let help = "close the loop by a link with two parents, a <loop_joint> or NAME.loops.toml";
            Err(text.bad(robot.links[0].at.clone(), message, help))
        }
    }
}
