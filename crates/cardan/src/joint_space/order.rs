//! Joint order: where each joint of the spanning tree has its numbers in arrays of positions, rates
//! and efforts.
//!
//! | joint | positions | rates and efforts |
//! |---|---|---|
//! | floating body | 7: centre of mass x y z, quaternion w x y z | 6: linear, angular; world axes |
//! | revolute, prismatic | 1 | 1 |
//! | cylindrical, universal | 2 | 2 |
//! | planar | 3 | 3 |
//! | spherical | 4: quaternion w x y z of b in a | 3: angular velocity of b relative to a, in a's frame |
//! | fixed | 0 | 0 |
//!
//! Floating bodies come first, in id order, then the joints of the tree in id order. A floating body
//! of the plane has 3 positions (x, y, angle), a point mass 3. Between bodies of the plane every
//! joint that moves has one coordinate. A body whose only tree joints are no lower pairs (a rod, a
//! bead on a wire) has the numbers of a floating body, and its joint is held like one that closes a
//! loop.
//!
//! Joints beyond the tree have coordinates to read, and efforts that are set by id; their efforts
//! are stored after those of the tree.

use crate::joint::{ClosedForm, JointKind};
use crate::math::Vec3;
use crate::model::{BodyId, JointId, Model, ModelJoint};
use crate::step::JointChart;
use core::ops::Range;

/// What has a place in the joint order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum OrderedPart {
    /// A body that no lower pair of the tree holds: its own pose is its coordinates.
    Floating(BodyId),
    /// A joint of the spanning tree.
    Joint(JointId),
}

/// A joint of the tree, or a floating body, and its ranges.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderEntry {
    /// The joint or the body.
    pub part: OrderedPart,
    /// Its range in arrays of positions.
    pub positions: Range<usize>,
    /// Its range in arrays of rates, accelerations and efforts.
    pub rates: Range<usize>,
    /// By coordinate, whether a law prescribes it: such coordinates are read like all others, and
    /// set by their law alone.
    pub driven: [bool; 6],
    /// The body that it places.
    pub(crate) body: usize,
    /// The joint, if it is one.
    pub(crate) joint: Option<usize>,
    /// Between planar bodies: the freedom as a sum of the joint's coordinates.
    pub(crate) mix: Option<[f64; 3]>,
}

/// A place in arrays of targets: a joint coordinate with a servo.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ServoEntry {
    /// The joint.
    pub joint: JointId,
    /// Index of its coordinate.
    pub coordinate: usize,
    /// Where its target is stored.
    pub(crate) slot: usize,
}

/// The layout of joint-space arrays of one model.
#[derive(Clone, Debug, PartialEq)]
pub struct JointOrder {
    entries: Vec<OrderEntry>,
    servos: Vec<ServoEntry>,
    /// By joint: where its efforts begin, and how many there are.
    efforts: Vec<(u32, u8)>,
    /// By joint and by body: its entry.
    of_joint: Vec<Option<u32>>,
    of_body: Vec<Option<u32>>,
    /// Entries so that parents come before children.
    pub(crate) root_first: Vec<u32>,
    position_count: usize,
    rate_count: usize,
    effort_count: usize,
}

impl JointOrder {
    /// The order of a model.
    pub(crate) fn new(model: &Model) -> Self {
        let chart = JointChart::new(model);
        let mut order = JointOrder {
            entries: Vec::new(),
            servos: Vec::new(),
            efforts: vec![(0, 0); model.joints.len()],
            of_joint: vec![None; model.joints.len()],
            of_body: vec![None; model.bodies.len()],
            root_first: Vec::new(),
            position_count: 0,
            rate_count: 0,
            effort_count: 0,
        };
        let mut floating = chart.free_bodies().to_vec();
        floating.sort_unstable();
        for body in floating {
            let kind = model.bodies[body].kind;
            order.of_body[body] = Some(order.entries.len() as u32);
            let part = OrderedPart::Floating(model.id(body));
            order.add(part, (kind.coordinates(), kind.dim()), body, None, None);
        }
        let mut tree: Vec<(usize, usize)> = chart.tree_joints().collect();
        tree.sort_unstable();
        for &(j, body) in &tree {
            let joint = &model.joints[j];
            order.of_joint[j] = Some(order.entries.len() as u32);
            order.of_body[body] = Some(order.entries.len() as u32);
            let (sizes, mix) = sizes(joint);
            order.efforts[j] = (order.rate_count as u32, sizes.1 as u8);
            let part = OrderedPart::Joint(model.id(j));
            order.add(part, sizes, body, Some(j), mix);
            if let Some(entry) = order.entries.last_mut() {
                (0..sizes.1)
                    .for_each(|k| entry.driven[k] = k < joint.kind.coordinates() && joint.is_driven(k));
            }
        }
        order.effort_count = order.rate_count;
        for (j, joint) in model.joints.iter().enumerate().filter(|(j, _)| order.of_joint[*j].is_none()) {
            let count = joint.kind.coordinates();
            order.efforts[j] = (order.effort_count as u32, count as u8);
            order.effort_count += count;
        }
        for (j, joint) in model.joints.iter().enumerate() {
            let has_servo = |k: &usize| joint.efforts.iter().any(|effort| effort.is_servo_of(*k));
            let first = order.efforts_of(j).start;
            let servos = (0..joint.kind.coordinates()).filter(has_servo);
            order.servos.extend(servos.map(|k| ServoEntry {
                joint: model.id(j),
                coordinate: k,
                slot: first + k,
            }));
        }
        let bodies = chart.free_bodies().iter().copied().chain(chart.tree_bodies());
        order.root_first = bodies.filter_map(|body| order.of_body[body]).collect();
        order
    }

    /// The order of entries of several models; lookups are by the joints and bodies that the entries name.
    pub(crate) fn of_entries(mut entries: Vec<OrderEntry>) -> Self {
        let (mut q, mut v) = (0, 0);
        let (mut of_joint, mut of_body) = (Vec::new(), Vec::new());
        let note = |list: &mut Vec<Option<u32>>, at: usize, entry: usize| {
            list.resize(list.len().max(at + 1), None);
            list[at] = Some(entry as u32);
        };
        for (number, entry) in entries.iter_mut().enumerate() {
            entry.positions = q..q + entry.positions.len();
            entry.rates = v..v + entry.rates.len();
            (q, v) = (entry.positions.end, entry.rates.end);
            note(&mut of_body, entry.body, number);
            if let Some(joint) = entry.joint {
                note(&mut of_joint, joint, number);
            }
        }
        JointOrder {
            entries,
            servos: Vec::new(),
            efforts: Vec::new(),
            of_joint,
            of_body,
            root_first: Vec::new(),
            position_count: q,
            rate_count: v,
            effort_count: v,
        }
    }

    fn add(
        &mut self,
        part: OrderedPart,
        (positions, rates): (usize, usize),
        body: usize,
        joint: Option<usize>,
        mix: Option<[f64; 3]>,
    ) {
        let (q, v) = (self.position_count, self.rate_count);
        self.position_count += positions;
        self.rate_count += rates;
        self.entries.push(OrderEntry {
            part,
            positions: q..self.position_count,
            rates: v..self.rate_count,
            driven: [false; 6],
            body,
            joint,
            mix,
        });
    }

    /// Floating bodies, then the joints of the tree in id order.
    pub fn entries(&self) -> &[OrderEntry] {
        &self.entries
    }
    /// nq: length of an array of positions.
    pub fn position_count(&self) -> usize {
        self.position_count
    }
    /// nv: length of an array of rates, accelerations or efforts.
    pub fn rate_count(&self) -> usize {
        self.rate_count
    }
    /// Coordinates with a servo, by joint and coordinate: the layout of arrays of targets. Joints that close
    /// loops are among them. In the order of a world there are none: its targets are set by id.
    pub fn servos(&self) -> &[ServoEntry] {
        &self.servos
    }
    /// The entry of a joint; `None` if it closes a loop, or is no lower pair.
    pub fn joint(&self, joint: JointId) -> Option<&OrderEntry> {
        self.joint_at(joint.index())
    }
    /// The entry that places a body: that of its joint to the parent, or its own if it floats.
    pub fn body(&self, body: BodyId) -> Option<&OrderEntry> {
        self.body_at(body.index())
    }

    pub(crate) fn joint_at(&self, joint: usize) -> Option<&OrderEntry> {
        let at = self.of_joint.get(joint).copied().flatten()?;
        self.entries.get(at as usize)
    }
    pub(crate) fn body_at(&self, body: usize) -> Option<&OrderEntry> {
        let at = self.of_body.get(body).copied().flatten()?;
        self.entries.get(at as usize)
    }
    /// Where the efforts of a joint are stored, in the tree or beyond it.
    pub(crate) fn efforts_of(&self, joint: usize) -> Range<usize> {
        let (first, count) = self.efforts.get(joint).copied().unwrap_or_default();
        first as usize..first as usize + count as usize
    }
    /// Number of efforts, those of joints beyond the tree included.
    pub(crate) fn effort_count(&self) -> usize {
        self.effort_count
    }
    /// The joint or body that owns a rate, and which of its rates it is.
    pub(crate) fn owner(&self, rate: usize) -> Option<(&OrderEntry, usize)> {
        let at = self.entries.partition_point(|entry| entry.rates.end <= rate);
        self.entries.get(at).map(|entry| (entry, rate - entry.rates.start))
    }
}

impl OrderEntry {
    /// The name of the joint or of the body in its model.
    pub fn name<'m>(&self, model: &'m Model) -> &'m str {
        match self.joint {
            Some(j) => &model.joints[j].name,
            None => &model.bodies[self.body].name,
        }
    }
}

/// Whether positions of a joint in space are a quaternion.
pub(crate) fn is_ball(kind: JointKind) -> bool {
    kind.about().closed_form == ClosedForm::Spherical
}

/// Numbers of positions and rates of a tree joint, and its freedom between planar bodies.
fn sizes(joint: &ModelJoint) -> ((usize, usize), Option<[f64; 3]>) {
    let form = joint.kind.about().closed_form;
    let Some(plane) = joint.plane.as_deref() else {
        let rates = 6 - joint.kind.rows();
        let extra = usize::from(form == ClosedForm::Spherical);
        return ((rates + extra, rates), None);
    };
    // In the plane: the angle about its normal, or the shift along the one free direction.
    let mix = match form {
        ClosedForm::Fixed => return ((0, 0), None),
        ClosedForm::Spherical => plane.normal.to_array(),
        ClosedForm::Planar => {
            let across = plane.normal.cross(Vec3::Z);
            across.normalized().unwrap_or(Vec3::X).to_array()
        }
        _ => [1.0, 0.0, 0.0],
    };
    ((1, 1), Some(mix))
}
