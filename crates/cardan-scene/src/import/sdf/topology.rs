//! Which links of an SDF model move as one body: those that fixed joints hold together. Poses are given, so that no tree
//! is needed; a joint whose links are connected already closes a loop.

use cardan::Frame;

use crate::document::clip;
use crate::error::SceneError;
use crate::import::space::{compose, inverse};
use crate::import::urdf::read::{JointType, Robot};
use crate::import::urdf::topology::{LinkGroup, Topology};
use crate::import::xml::XmlText;

/// Disjoint sets with path halving.
struct Sets(Vec<usize>);

impl Sets {
    fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    /// Joins two sets under the smaller root; `false` if they were one.
    fn join(&mut self, i: usize, j: usize) -> bool {
        let (i, j) = (self.root(i), self.root(j));
        self.0[if i < j { j } else { i }] = if i < j { i } else { j };
        i != j
    }
}

/// Groups of links, that of the world first, and the joints that close loops.
pub(super) fn group(text: &XmlText<'_>, robot: &Robot, poses: &[Frame]) -> Result<Topology, SceneError> {
    let mut rigid = Sets((0..robot.links.len()).collect());
    for joint in robot.joints.iter().filter(|joint| joint.kind == JointType::Fixed) {
        rigid.join(joint.parent, joint.child);
    }
    let mut topology = Topology {
        group_of: vec![usize::MAX; robot.links.len()],
        in_group: vec![Frame::default(); robot.links.len()],
        groups: Vec::new(),
        closing: Vec::new(),
        held: vec![false; robot.joints.len()],
    };
    for link in 0..robot.links.len() {
        let reference = rigid.root(link);
        if reference == link {
            topology.group_of[link] = topology.groups.len();
            topology.groups.push(LinkGroup { reference, links: Vec::new(), joint: None, mass: 0.0 });
        }
        let group = topology.group_of[reference];
        topology.group_of[link] = group;
        topology.in_group[link] = compose(&inverse(&poses[reference]), &poses[link]);
        topology.groups[group].links.push(link);
        topology.groups[group].mass += robot.links[link].inertial.as_ref().map_or(0.0, |i| i.mass);
    }
    // What fixed joints hold is connected before any other joint is looked at.
    let mut connected = rigid;
    for (j, joint) in robot.joints.iter().enumerate() {
        if joint.kind != JointType::Fixed && topology.group_of[joint.parent] == topology.group_of[joint.child]
        {
            let message = format!("joint `{}` joins two links that fixed joints hold", clip(&joint.name));
            return Err(text.bad(joint.at.clone(), message, "one body cannot move against itself"));
        }
        if joint.kind != JointType::Fixed && !connected.join(joint.parent, joint.child) {
            topology.closing.push(j);
        }
    }
    Ok(topology)
}
