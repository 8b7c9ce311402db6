//! A scene as bodies, kinematic pairs and a spanning tree, for formats of robots.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use cardan::joint::{DryFriction, MAX_COORDINATES};
use cardan::math::Vec3;
use cardan::{Frame, Joint, MassProperties, Placement};

use crate::document::{Document, FieldPath};
use crate::error::SceneError;
use crate::import::compose;
use crate::kind::NamedJoint;
use crate::scene::{BodyDesc, BodyKindDesc, GROUND, JointDesc, JointKindDesc, Scene};

/// A body, or the ground, which is the first.
pub(super) struct ExportBody<'s> {
    pub(super) name: &'s str,
    pub(super) desc: Option<&'s BodyDesc>,
    pub(super) mass: MassProperties,
    pub(super) pose: Frame,
}

/// A joint between two bodies with a frame on each.
pub(super) struct ExportJoint<'s> {
    pub(super) name: &'s str,
    pub(super) desc: &'s JointDesc,
    pub(super) joint: Joint,
    /// a and b.
    pub(super) ends: [usize; 2],
    pub(super) frames: [Frame; 2],
    /// Coordinates in the pose of the scene.
    pub(super) q: [f64; MAX_COORDINATES],
}

impl ExportJoint<'_> {
    pub(super) fn kind(&self) -> JointKindDesc {
        self.desc.kind
    }

    pub(super) fn coordinates(&self) -> usize {
        self.joint.kind.coordinates()
    }
}

pub(super) struct Mechanism<'s> {
    pub(super) scene: &'s Scene,
    pub(super) bodies: Vec<ExportBody<'s>>,
    pub(super) joints: Vec<ExportJoint<'s>>,
    by_name: BTreeMap<&'s str, usize>,
    /// What is no pair of frames: couplers, gears, ropes …
    pub(super) others: Vec<(&'s str, &'s JointDesc)>,
}

/// How a body hangs in the tree.
#[derive(Clone, Copy)]
pub(super) struct TreeEdge {
    pub(super) joint: usize,
    pub(super) parent: usize,
    /// The body is the joint's a, and its parent b.
    pub(super) is_reversed: bool,
}

/// A spanning tree: the joint of each body (`None`: free, or the ground), an order from parents to children, and the joints
/// that close loops.
pub(super) struct Tree {
    pub(super) edges: Vec<Option<TreeEdge>>,
    pub(super) order: Vec<usize>,
    pub(super) loops: Vec<usize>,
}

impl<'s> Mechanism<'s> {
    pub(super) fn of(scene: &'s Scene, document: &Document) -> Result<Self, SceneError> {
        scene.lowered(document, |lower, _| {
            let ground = MassProperties::of_point(0.0);
            let ground = ExportBody { name: GROUND, desc: None, mass: ground, pose: Frame::default() };
            let (mut bodies, mut index) = (vec![ground], BTreeMap::from([(GROUND, 0)]));
            for (name, desc) in scene.bodies.iter() {
                if desc.kind != BodyKindDesc::Rigid {
                    let path = FieldPath::item("bodies", name).join("kind");
                    let help = "URDF and MJCF know rigid bodies alone";
                    return Err(lower.bad(path, "only rigid bodies can be exported", help));
                }
                let body = lower.body(name, desc)?;
                let pose = Frame { pos: body.pos, rot: body.rot };
                index.insert(name, bodies.len());
                bodies.push(ExportBody { name, desc: Some(desc), mass: body.mass, pose });
            }
            let (mut joints, mut others) = (Vec::<ExportJoint<'_>>::new(), Vec::new());
            for (name, desc) in scene.joints.iter() {
                let named = NamedJoint::new(name, desc);
                let Some(pair) = desc.kind.about().pair() else {
                    others.push((name, desc));
                    continue;
                };
                let joint = pair.joint(lower, &named)?;
                let Placement::Frames { in_a, in_b } = joint.placement else {
                    others.push((name, desc));
                    continue;
                };
                let (a, b) = desc.ends();
                let (Some(&a), Some(&b)) = (index.get(a), index.get(b)) else {
                    others.push((name, desc));
                    continue;
                };
                let world = [(a, in_a), (b, in_b)].map(|(body, frame)| compose(&bodies[body].pose, &frame));
                let mut q = joint.kind.coordinates_of(&world[0], &world[1]);
                for (q, zero) in q.iter_mut().zip(joint.zero) {
                    *q += zero;
                }
                joints.push(ExportJoint { name, desc, joint, ends: [a, b], frames: [in_a, in_b], q });
            }
            let by_name = joints.iter().enumerate().map(|(j, joint)| (joint.name, j)).collect();
            Ok(Mechanism { scene, bodies, joints, by_name, others })
        })
    }

    /// A tree of the joints that a format can have in one; `can` says whether as given, and whether reversed.
    pub(super) fn tree(&self, can: impl Fn(&ExportJoint<'_>) -> [bool; 2]) -> Tree {
        let mut joints_of: Vec<Vec<usize>> = vec![Vec::new(); self.bodies.len()];
        for (j, joint) in self.joints.iter().enumerate() {
            for end in joint.ends {
                joints_of[end].push(j);
            }
        }
        let mut tree = Tree { edges: vec![None; self.bodies.len()], order: Vec::new(), loops: Vec::new() };
        let (mut reached, mut used) = (vec![false; self.bodies.len()], vec![false; self.joints.len()]);
        let mut ready = BinaryHeap::new();
        for root in 0..self.bodies.len() {
            if reached[root] {
                continue;
            }
            reached[root] = true;
            tree.order.push(root);
            ready.extend(joints_of[root].iter().map(|&j| Reverse(j)));
            while let Some(Reverse(j)) = ready.pop() {
                let joint = &self.joints[j];
                let [a, b] = joint.ends;
                if reached[a] == reached[b] {
                    continue;
                }
                let is_reversed = reached[b];
                if !can(joint)[usize::from(is_reversed)] {
                    continue;
                }
                let (parent, child) = if is_reversed { (b, a) } else { (a, b) };
                (reached[child], used[j]) = (true, true);
                tree.edges[child] = Some(TreeEdge { joint: j, parent, is_reversed });
                tree.order.push(child);
                ready.extend(joints_of[child].iter().map(|&j| Reverse(j)));
            }
        }
        tree.loops = (0..self.joints.len()).filter(|&j| !used[j]).collect();
        tree
    }

    /// How far a joint is open in the pose of the scene [m, rad], where it leaves no freedom.
    pub(super) fn gap(&self, joint: &ExportJoint<'_>) -> f64 {
        let [a, b] = [0, 1].map(|k| compose(&self.bodies[joint.ends[k]].pose, &joint.frames[k]));
        let back = a.rot.inverse();
        let (shift, turn) = (back * (b.pos - a.pos), back * b.rot);
        let across = |v: Vec3| Vec3::from([v.x, v.y, 0.0]).norm();
        let tilt = across(turn * Vec3::Z);
        match joint.kind() {
            JointKindDesc::Fixed => shift.norm() + turn.log().norm(),
            JointKindDesc::Revolute => shift.norm() + tilt,
            JointKindDesc::Spherical => shift.norm(),
            JointKindDesc::Prismatic => across(shift) + turn.log().norm(),
            JointKindDesc::Cylindrical | JointKindDesc::Screw => across(shift) + tilt,
            JointKindDesc::Universal => shift.norm() + (turn * Vec3::X).z.abs(),
            JointKindDesc::Planar => shift.z.abs() + tilt,
            _ => 0.0,
        }
    }

    /// A coupler f q + g q′ = c of two joints with one coordinate: the joints with their factors, and c.
    pub(super) fn linear_pair(&self, desc: &JointDesc) -> Option<[(usize, f64); 3]> {
        if desc.kind != JointKindDesc::Coupler || desc.equations.is_some() {
            return None;
        }
        let [first, second] = desc.terms.as_deref()? else { return None };
        let term = |term: &crate::scene::TermDesc| {
            let &j = self.by_name.get(term.joint.as_str())?;
            let plain =
                term.polynomial.is_none() && term.coordinate == 0 && self.joints[j].coordinates() == 1;
            let factor = term.factor.map_or(1.0, f64::from);
            (plain && factor != 0.0).then_some((j, factor))
        };
        let ((i, f), (j, g)) = (term(first)?, term(second)?);
        // Without an offset, the value in the pose of the scene.
        let posed = f * self.joints[i].q[0] + g * self.joints[j].q[0];
        Some([(i, f), (j, g), (0, desc.offset.map_or(posed, f64::from))])
    }

    /// What no format of robots says, by what the scene has.
    pub(super) fn unsaid(&self) -> Vec<String> {
        let scene = self.scene;
        let mut all = Vec::new();
        for (name, _) in scene.forces.iter() {
            all.push(format!("force `{name}`"));
        }
        for (name, _) in scene.impulses.iter() {
            all.push(format!("impulse `{name}`"));
        }
        for (name, _) in scene.inequalities.iter() {
            all.push(format!("inequality `{name}`"));
        }
        if !scene.script.is_empty() {
            all.push("the script".to_string());
        }
        for (name, body) in scene.bodies.iter() {
            let moves = body.velocity.is_some_and(|v| v.in_space() != [0.0; 3])
                || body.angular_velocity.is_some_and(|w| w.in_space() != [0.0; 3]);
            if moves {
                all.push(format!("velocity of `{name}` at the start"));
            }
        }
        for joint in &self.joints {
            if !joint.joint.drives.is_empty() {
                all.push(format!("drive of joint `{}`", joint.name));
            }
            if joint.desc.assembly_time.is_some() {
                all.push(format!("assembly of joint `{}`", joint.name));
            }
        }
        all
    }
}

/// Whether limits, springs, efforts or the inertia of a rotor act along a joint.
pub(super) fn has_actions(joint: &ExportJoint<'_>) -> bool {
    let own = &joint.joint;
    !(own.limits.is_empty() && own.springs.is_empty() && own.efforts.is_empty()) || own.armature != 0.0
}

/// What no format says of dry friction.
pub(super) fn unsaid_friction(dry: &DryFriction, joint: &str) -> Option<String> {
    (dry.breakaway > dry.coulomb || dry.regularization_speed > 0.0)
        .then(|| format!("static friction and regularization of joint `{joint}`"))
}

pub(super) fn unsaid_restitution(joint: &str) -> String {
    format!("restitution of the limits of joint `{joint}`")
}
