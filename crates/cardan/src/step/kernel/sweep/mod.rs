//! Euler steps and accelerations of several mechanisms of one structure, one mechanism per SIMD
//! lane.
//!
//! Applies to forests of rigid bodies on revolute and spherical joints without drives, floating or
//! on the ground, under gravity; on joint coordinates with efforts and limits of hinges too. The
//! arithmetic and its order are those of the articulated path (`fill.rs`, `rhs.rs`, `residual.rs`, `tree.rs`, `velocity.rs`), so that a lane has the bits
//! of its mechanism stepped alone.
//!
//! A step is four sweeps over the tree (M̂: articulated inertia, γ: velocity bias, F: applied
//! force):
//!
//! ```text
//!  1 leaves → roots   right-hand sides F, γ for the factor at hand
//!  2 roots → leaves   accelerations; bodies move; tree joints are closed
//!  3 leaves → roots   residual of the equations; factor M̂ at the new pose; velocity errors
//!  4 roots → leaves   velocity correction; joint errors; turn counts; F, γ of the next step
//! ```
//!
//! The factor of sweep 3 serves the next step. The compiler does not inline closures into code that
//! runs inside [`run_vectorized`](Lane::run_vectorized), so that the sweeps use traits with
//! `#[inline(always)]` methods instead of closures.
//!
//! A lane that needs more than this (iterative refinement, repeated projection, an error) is marked
//! in [`LaneOutcome::fallback`], and the caller steps its mechanism on the scalar path. Steps on
//! joint coordinates are in `reduced.rs`.
//!
//! This file is one kernel and longer than 600 lines: the data layouts that share it are to be
//! merged first, then it is split.

pub(crate) mod efforts;
pub(crate) mod limits;
pub(crate) mod reduced;
mod touched_limits;

use crate::body::{BodyKind, Motion, Wrench};
use crate::joint::ClosedForm;
use crate::math::{Lane, Mat3, Quat, Six, Sym3, Sym6, Vec3};
use crate::measure::JointLoad;
use crate::measure::coordinates::{HingeTurns, TurnCounters};
use crate::model::{BodyId, JointId, Model, ModelJoint};
use crate::settings::{Coordinates, EffortRule, Integrator, Settings};
use crate::state::{Ledger, State};
use crate::step::articulated::fill::{BodyNode, inertia_along, weight_of_rigid};
use crate::step::articulated::joint_frames::{JointFrames, SquaredSizes, slip};
use crate::step::articulated::residual::{BalanceTerms, LoadSum, WorstResidual, balance, square};
use crate::step::articulated::rhs::MassAndForce;
use crate::step::articulated::state_accel::{has_gravity_only, is_plain};
use crate::step::articulated::tree_joint::{HingeOrBall, JointResidual, TreeJoint};
use crate::step::articulated::{ArticulatedSystem, spanning_forest};
use crate::step::dynamics::joint_efforts::initial_inertias;
use crate::step::project::general::bound;
use crate::step::project::tree::{SMALL_MOVE, rotated_by, rotated_by_small};
use crate::tolerances::{CERTIFIED, CERTIFIED_BY_ELIMINATION, NOISE};
use efforts::{EffortEnergy, LaneEfforts, NodeEffort};
use reduced::ReducedJoint;

use cardan_solve::articulated::{
    FillNodes, Form, Node, NodeExtra, NodeInput, ROOT_LOADS, TakeSolution, TwoRhs,
};
use cardan_solve::simd::{Mask, Simd};
use cardan_solve::{ArticulatedForest, Link, Task};
use std::ops::Deref;

/// What all lanes have in common. Models with equal structures can share the lanes of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TreeStructure {
    topologies: Vec<NodeTopology>,
    bodies: usize,
    turns: usize,
    hinges: Vec<(u32, u32, u32)>,
    /// True if the state consists of joint coordinates instead of body poses.
    is_reduced: bool,
    /// True if joints have efforts or limits.
    has_efforts: bool,
    /// True if steps are certified: the residual of their equations is computed.
    certifies: bool,
}

/// Marks a node whose joint has no counted turns.
const NO_HINGE: u32 = u32::MAX;

/// Topology of a node of the elimination: its body, its parent and the joint between them.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct NodeTopology {
    pub(crate) body: u32,
    /// Node of the parent. It equals the number of nodes for the ground, and for a floating body.
    pub(crate) parent: u32,
    pub(crate) has_joint: bool,
    pub(crate) joint: HingeOrBall,
    /// True for the first node of a tree, in elimination order. `root` is the node of its root.
    pub(crate) begins_tree: bool,
    pub(crate) root: u32,
    pub(crate) is_principal: bool,
    /// Index among the hinges whose turns are counted, or [`NO_HINGE`].
    pub(crate) hinge: u32,
    /// Link of its joint in the graph, if it has one.
    pub(crate) link: Option<Link>,
}

impl NodeTopology {
    /// Topology of a node of the articulated system.
    pub(crate) fn of(body_node: &BodyNode, parent: u32) -> Self {
        NodeTopology {
            body: body_node.body,
            parent,
            has_joint: body_node.tree_joint.is_some(),
            joint: body_node.tree_joint.as_ref().map_or(HingeOrBall::default(), TreeJoint::hinge_or_ball),
            begins_tree: false,
            root: 0,
            is_principal: body_node.is_principal,
            hinge: NO_HINGE,
            link: None,
        }
    }
    /// Orders values of the node and of its parent as (a, b) of its joint.
    #[inline(always)]
    fn sides<X>(&self, own: X, parent: X) -> (X, X) {
        self.joint.sides(own, parent)
    }
}

impl TreeStructure {
    /// Structure of a model that these settings allow to step in lanes; `None` otherwise.
    pub(crate) fn of(model: &Model, settings: &Settings) -> Option<Self> {
        if !suits_lanes(model, settings) {
            return None;
        }
        TreeStructure::of_articulated(model, settings, &ArticulatedSystem::new(model, settings)?)
    }

    /// Structure of a model whose articulated system exists already.
    fn of_articulated(model: &Model, settings: &Settings, articulated: &ArticulatedSystem) -> Option<Self> {
        let is_reduced = settings.coordinates == Coordinates::Joints;
        if !suits_lanes(model, settings) || (is_reduced && articulated.body_nodes.is_empty()) {
            return None;
        }
        let is_hinge_or_ball = |body_node: &BodyNode| {
            body_node.kind == BodyKind::Rigid
                && body_node.tree_joint.as_ref().is_none_or(TreeJoint::is_hinge_or_ball)
        };
        if !articulated.is_small
            || !articulated.loop_joints.is_empty()
            || !articulated.body_nodes.iter().all(is_hinge_or_ball)
        {
            return None;
        }
        let hinges = TurnCounters::new(model);
        let hinges: Vec<(u32, u32, u32)> =
            hinges.hinges_alone()?.iter().map(|hinge| (hinge.a, hinge.b, hinge.at)).collect();
        let count = articulated.body_nodes.len();
        let parents = articulated.forest.nodes().iter().map(|node| node.parent().unwrap_or(count) as u32);
        let mut topologies: Vec<NodeTopology> = articulated
            .body_nodes
            .iter()
            .zip(parents)
            .map(|(body_node, parent)| NodeTopology::of(body_node, parent))
            .collect();
        for (at, topology) in topologies.iter_mut().enumerate() {
            topology.link = articulated.forest.at(at).1;
        }
        for (k, &(a, b, _)) in hinges.iter().enumerate() {
            let [a, b] =
                [a, b].map(|end| articulated.node_of_body.get(end as usize).map_or(count, |&at| at as usize));
            let is_onto_b = |topology: &NodeTopology| topology.joint.onto_b && topology.parent as usize == a;
            let child = if topologies.get(b).is_some_and(is_onto_b) { b } else { a };
            topologies.get_mut(child)?.hinge = k as u32;
        }
        // The nodes of a tree are contiguous, its root last.
        let mut begin = 0;
        for at in 0..count {
            if topologies[at].parent as usize == count {
                topologies[begin..=at].iter_mut().for_each(|topology| topology.root = at as u32);
                topologies[begin].begins_tree = true;
                begin = at + 1;
            }
        }
        Some(TreeStructure {
            topologies,
            bodies: count,
            turns: model.initial.turns.len(),
            hinges,
            is_reduced,
            has_efforts: model.has_forces() || model.has_armature(),
            certifies: certifies(settings, articulated),
        })
    }

    /// Node of a body.
    pub(crate) fn node_of_body(&self, body: usize) -> Option<usize> {
        self.topologies.iter().position(|topology| topology.body as usize == body)
    }
    /// Node of a joint, and the body of that node.
    pub(crate) fn node_of_joint(&self, joint: usize) -> Option<(usize, usize)> {
        let at = self.topologies.iter().position(|topology| topology.link == Some(Link(joint as u32)))?;
        Some((at, self.topologies[at].body as usize))
    }
}

/// True if steps are Euler steps of the articulated path on body poses, with any forces but those that hold
/// bodies apart. Efforts are implicit: whether an explicit one is too stiff for the step is for the scalar
/// path to say.
pub(crate) fn suits_pose_lanes_with_forces(model: &Model, settings: &Settings) -> bool {
    let has_efforts = model.joints.iter().any(ModelJoint::has_forces);
    let is_euler = match settings.integrator {
        Integrator::SemiImplicitEuler => settings.efforts == EffortRule::Implicit || !has_efforts,
        integrator => integrator == Integrator::ExplicitEuler,
    };
    is_euler
        && settings.coordinates != Coordinates::Joints
        && is_plain(model, settings)
        && !model.has_inequalities()
        && !model.has_armature()
}

/// Whether the residual of every step is computed: the accounts ask for it, or it decides whether a solve is refined.
pub(crate) fn certifies(settings: &Settings, articulated: &ArticulatedSystem) -> bool {
    settings.accounts.is_every_step() || !articulated.is_never_refined
}

/// True if joints and gravity act; on joint coordinates also efforts, rotors and limits of hinges.
pub(crate) fn suits_lanes(model: &Model, settings: &Settings) -> bool {
    let is_euler = matches!(settings.integrator, Integrator::ExplicitEuler | Integrator::SemiImplicitEuler);
    is_euler && (has_gravity_only(model, settings) || has_hinge_efforts_only(model, settings))
}

/// True if besides gravity only efforts and limits of hinges act that can be taken in lanes.
fn has_hinge_efforts_only(model: &Model, settings: &Settings) -> bool {
    let is_hinge = |joint: &ModelJoint| joint.kind.about().closed_form == ClosedForm::Revolute;
    let is_passive = |joint: &ModelJoint| !joint.has_forces() && joint.armature == 0.0;
    let suits = |joint: &ModelJoint| is_passive(joint) || (is_hinge(joint) && efforts::suits_lanes(joint));
    settings.coordinates == Coordinates::Joints
        && settings.integrator == Integrator::SemiImplicitEuler
        && settings.efforts == EffortRule::Implicit
        && is_plain(model, settings)
        && model.forces.is_empty()
        && model.has_only_hinge_limits()
        && model.joints.iter().all(suits)
}

/// Constants of a node that may differ between lanes: mass, inertia, joint anchors.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeParams<T: Lane> {
    pub(crate) mass: T,
    pub(crate) inertia: Sym3<T>,
    balance: BalanceTerms<T>,
    /// Anchor and z axis of the joint, in the axes of the body and of its parent.
    child_frame: (Vec3<T>, Vec3<T>),
    parent_frame: (Vec3<T>, Vec3<T>),
    arms_squared: (T, T),
}

impl<T: Simd> NodeParams<T> {
    /// Gathers the constants of one node from the models of all lanes.
    pub(crate) fn of<'p>(lane: impl Fn(usize) -> &'p BodyNode) -> Self {
        let number = |f: &dyn Fn(&BodyNode) -> f64| T::from_lanes(|i| f(lane(i)));
        let vector = |f: &dyn Fn(&BodyNode) -> Vec3| {
            Vec3::new(number(&|p| f(p).x), number(&|p| f(p).y), number(&|p| f(p).z))
        };
        let frames_of = |p: &BodyNode| p.tree_joint.as_ref().map(TreeJoint::sides).unwrap_or_default();
        let arms = |p: &BodyNode| p.tree_joint.as_ref().map(TreeJoint::arms_squared).unwrap_or_default();
        let sym = |f: &dyn Fn(&Sym3) -> f64| number(&|p| f(&p.inertia));
        NodeParams {
            mass: number(&|p| p.mass),
            inertia: Sym3 {
                xx: sym(&|i| i.xx),
                yy: sym(&|i| i.yy),
                zz: sym(&|i| i.zz),
                xy: sym(&|i| i.xy),
                xz: sym(&|i| i.xz),
                yz: sym(&|i| i.yz),
            },
            balance: BalanceTerms {
                mass_inverse_squared: number(&|p| p.mass_inverse_squared),
                gyration_squared: number(&|p| p.gyration_squared),
                has_joint: lane(0).tree_joint.is_some(),
            },
            child_frame: (vector(&|p| frames_of(p).1.0), vector(&|p| frames_of(p).1.1)),
            parent_frame: (vector(&|p| frames_of(p).2.0), vector(&|p| frames_of(p).2.1)),
            arms_squared: (number(&|p| arms(p).0), number(&|p| arms(p).1)),
        }
    }
}

/// All data of a node that a step uses, in one contiguous struct: one address computation per node.
#[derive(Clone, Debug)]
pub(crate) struct LaneNode<T: Lane> {
    pub(crate) topology: NodeTopology,
    pub(crate) params: NodeParams<T>,
    /// Pose and velocity at the start of the step and at its end, double buffered:
    /// [`MechanismLanes::now`] is the index of the start. `frames` has the joint's arms and axes at
    /// both.
    pub(crate) motion: [Motion<T>; 2],
    pub(crate) frames: [JointFrames<T>; 2],
    /// Rotational inertia I in world axes, double buffered.
    pub(crate) inertia: [Sym3<T>; 2],
    sizes: SquaredSizes<T>,
    /// F, γ, and the joint's biases b_d and −b_w. They belong to the start of the step until the
    /// new pose is factored, to its end afterwards.
    force: Six<T>,
    gamma: Six<T>,
    joint_bias: (Vec3<T>, Vec3<T>),
    /// Acceleration v̇; valid until the new pose is factored.
    pub(crate) x: Six<T>,
}

impl<T: Lane> LaneNode<T> {
    /// A node at rest at the origin.
    pub(crate) fn new(topology: NodeTopology, params: NodeParams<T>) -> Self {
        LaneNode {
            topology,
            params,
            motion: [Motion::GROUND; 2],
            frames: [JointFrames::default(); 2],
            inertia: [Sym3::default(); 2],
            sizes: SquaredSizes::default(),
            force: Six::ZERO,
            gamma: Six::ZERO,
            joint_bias: (Vec3::ZERO, Vec3::ZERO),
            x: Six::ZERO,
        }
    }
    /// Adds an external wrench to F, until the new pose is factored.
    #[inline(always)]
    pub(crate) fn add_force(&mut self, wrench: Six<T>) {
        self.force += wrench;
    }
    /// Mass m, and I in world axes at the pose of a buffer.
    #[inline(always)]
    fn mass_at(&self, buffer: usize) -> (T, Sym3<T>) {
        let LaneNode { topology, params, motion, .. } = self;
        (params.mass, inertia_along(topology.is_principal, &params.inertia, &motion[buffer & 1].axes))
    }
}

/// Mechanisms of one structure, one per SIMD lane.
#[derive(Debug)]
pub(crate) struct MechanismLanes<T: Simd> {
    /// Nodes in elimination order; the last entry is the ground.
    lane_nodes: Vec<LaneNode<T>>,
    /// Joint coordinates of the nodes; empty if the state consists of body poses.
    reduced_joints: Vec<ReducedJoint<T>>,
    /// Efforts and limits of hinges, if there are any; only with joint coordinates.
    efforts: Option<Box<LaneEfforts<T>>>,
    /// Inertia along the freedom of each node at the initial pose; with efforts only.
    reference_inertias: Vec<T>,
    /// Whether steps are certified: the residual of their equations is computed.
    certifies: bool,
    /// Whether the last step on joint coordinates ended with the elimination that the next one begins with.
    eliminates_ahead: bool,
    /// Index (0 or 1) of the buffer that has the present state.
    now: usize,
    /// Nodes whose joint is on the ground.
    ground_nodes: Vec<u32>,
    /// Total mass Σ m (kg).
    mass: T,
    hinges: Vec<HingeTurns<T>>,
    gravity: Vec3<T>,
    /// True if some tree floats.
    floats: bool,
    forest: ArticulatedForest<T>,
    turns: Vec<T>,
    next_turns: Vec<T>,
    ledger: LaneLedger<T>,
    next_ledger: LaneLedger<T>,
    /// Node of each body.
    node_of_body: Vec<u32>,
    acc: Vec<Six<T>>,
    /// Stack of loads that children have passed to parents with further children to come.
    pending: Vec<LoadSum<T>>,
    /// True if the factor is that of the present poses and was made by a step, so that joint frames
    /// and inertias are valid too.
    is_factored: bool,
    /// True if the rotation matrices match the present orientations.
    knows_axes: bool,
    /// Per lane: true if no step was taken since its state was loaded.
    is_fresh: [bool; 4],
}

/// Impulse and angular impulse of gravity and the ground since the state was loaded [N·s, N·m·s].
#[derive(Copy, Clone, Debug, Default)]
struct LaneLedger<T: Lane> {
    impulse: Vec3<T>,
    angular_impulse: Vec3<T>,
    energy: EffortEnergy<T>,
}

/// Result of one step of all lanes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct LaneOutcome<T: Simd> {
    /// Lanes whose mechanism must be stepped on the scalar path.
    pub(crate) fallback: T::Mask,
    /// Lanes in which a limit is passed, or an active one pulls.
    pub(crate) at_limits: T::Mask,
    pub(crate) position_error: T,
    pub(crate) velocity_error: T,
    pub(crate) equation_residual: T,
}

impl<T: Simd> LaneOutcome<T> {
    /// Sends all lanes to the scalar path.
    #[inline(always)]
    fn all_fallback() -> Self {
        let (fallback, zero) = (!T::Mask::NONE, T::ZERO);
        let at_limits = T::Mask::NONE;
        LaneOutcome {
            fallback,
            at_limits,
            position_error: zero,
            velocity_error: zero,
            equation_residual: zero,
        }
    }
}

/// Inertias along the freedoms of all nodes at the initial poses.
fn initial_inertias_of<T: Simd>(models: &[&Model], count: usize) -> Vec<T> {
    let all: Vec<Vec<f64>> = models
        .iter()
        .map(|model| {
            let articulated = ArticulatedSystem::new(model, &Settings::default());
            articulated.map_or(vec![0.0; count], |mut articulated| initial_inertias(model, &mut articulated))
        })
        .collect();
    (0..count).map(|at| T::from_lanes(|lane| all[lane.min(all.len() - 1)][at])).collect()
}

/// A number of each model in its lane.
fn pack<T: Simd>(models: &[&Model], each: impl Fn(&Model) -> f64) -> T {
    T::from_lanes(|i| each(models[i.min(models.len() - 1)]))
}
/// A 3-vector of each model in its lane.
fn pack3<T: Simd>(models: &[&Model], each: impl Fn(&Model) -> Vec3) -> Vec3<T> {
    Vec3::new(pack(models, |m| each(m).x), pack(models, |m| each(m).y), pack(models, |m| each(m).z))
}

impl<T: Simd> MechanismLanes<T> {
    /// Makes lanes for models of one structure, one model per lane. Spare lanes repeat the last
    /// model.
    pub(crate) fn new(structure: &TreeStructure, models: &[&Model]) -> Option<Self> {
        let first = *models.first()?;
        let (mut forest, _): (ArticulatedForest<T>, _) = spanning_forest(first)?;
        let count = structure.topologies.len();
        let joint = |at: usize| forest.at(at).1.map(|link| link.0 as usize);
        let body_node = |model: &Model, at: usize| {
            BodyNode::new(model, structure.topologies[at].body as usize, joint(at), None)
        };
        let params = |at: usize| {
            let body_nodes: Vec<BodyNode> = models.iter().map(|model| body_node(model, at)).collect();
            NodeParams::of(|lane| &body_nodes[lane.min(body_nodes.len() - 1)])
        };
        let mut lane_nodes: Vec<LaneNode<T>> =
            (0..count).map(|at| LaneNode::new(structure.topologies[at], params(at))).collect();
        lane_nodes.push(LaneNode::new(
            NodeTopology { hinge: NO_HINGE, ..NodeTopology::default() },
            NodeParams::default(),
        ));
        let mut node_of_body = vec![0; structure.bodies];
        for (at, topology) in structure.topologies.iter().enumerate() {
            node_of_body[topology.body as usize] = at as u32;
            forest.use_leaf_kernel(at);
            if topology.joint.is_hinge {
                forest.use_one_dof_kernel(at);
            } else if topology.has_joint {
                forest.use_ball_kernel(at);
            }
            if topology.has_joint && !topology.joint.onto_b {
                forest.set_reversed(at);
            }
        }
        let turning: Vec<TurnCounters> = models.iter().map(|model| TurnCounters::new(model)).collect();
        let node_of_motion = |motion: u32| node_of_body.get(motion as usize).map_or(count as u32, |&at| at);
        let hinge = |(k, &(a, b, at)): (usize, &(u32, u32, u32))| {
            let of = |i: usize| turning[i.min(turning.len() - 1)].hinges_alone().and_then(|all| all.get(k));
            let number = |f: &dyn Fn(&HingeTurns) -> f64| T::from_lanes(|i| of(i).map_or(0.0, f));
            let vector = |f: &dyn Fn(&HingeTurns) -> Vec3| {
                Vec3::new(number(&|h| f(h).x), number(&|h| f(h).y), number(&|h| f(h).z))
            };
            HingeTurns {
                a: node_of_motion(a),
                b: node_of_motion(b),
                on_ground: a as usize == structure.bodies,
                at,
                axis: vector(&|h| h.axis),
                w: Quat { w: number(&|h| h.w.w), v: vector(&|h| h.w.v) },
                z: Quat { w: number(&|h| h.z.w), v: vector(&|h| h.z.v) },
            }
        };
        let on_ground = |(at, topology): (usize, &NodeTopology)| {
            (topology.has_joint && topology.parent as usize == count).then_some(at as u32)
        };
        let reduced_joint = |topology: &NodeTopology| {
            let joint =
                |lane: usize| models[lane.min(models.len() - 1)].joints.get(topology.link?.0 as usize);
            ReducedJoint::of(topology, joint)
        };
        let efforts = structure.has_efforts.then(|| {
            let mut efforts = LaneEfforts::new(count, false);
            for (at, topology) in structure.topologies.iter().enumerate().filter(|(_, t)| t.joint.is_hinge) {
                for lane in 0..T::LANES {
                    let model = models[lane.min(models.len() - 1)];
                    if let Some(link) = topology.link {
                        efforts.add_hinge((at, lane), (lane, topology.body), model, link.0 as usize);
                    }
                }
            }
            Box::new(efforts)
        });
        Some(MechanismLanes {
            reduced_joints: match structure.is_reduced {
                true => structure.topologies.iter().map(reduced_joint).collect(),
                false => Vec::new(),
            },
            reference_inertias: match &efforts {
                Some(efforts) if efforts.has_springs() => initial_inertias_of(models, count),
                _ => vec![T::ZERO; count],
            },
            efforts,
            certifies: structure.certifies || !structure.is_reduced,
            eliminates_ahead: false,
            // Summed body by body, in the order of the scalar path.
            mass: node_of_body.iter().fold(T::ZERO, |sum, &at| sum + lane_nodes[at as usize].params.mass),
            ground_nodes: structure.topologies.iter().enumerate().filter_map(on_ground).collect(),
            lane_nodes,
            now: 0,
            hinges: structure.hinges.iter().enumerate().map(hinge).collect(),
            gravity: pack3(models, |model| model.gravity),
            floats: structure.topologies.iter().any(|topology| !topology.has_joint),
            turns: vec![T::ZERO; structure.turns],
            next_turns: vec![T::ZERO; structure.turns],
            ledger: LaneLedger::default(),
            next_ledger: LaneLedger::default(),
            node_of_body,
            acc: vec![Six::ZERO; count],
            pending: vec![LoadSum::default(); forest.depth() + 1],
            is_factored: false,
            knows_axes: false,
            is_fresh: [true; 4],
            forest,
        })
    }

    /// Loads the state of a mechanism into a lane.
    pub(crate) fn load(&mut self, lane: usize, state: &State) {
        (self.is_factored, self.knows_axes) = (false, false);
        self.is_fresh[lane] = true;
        for (body, &at) in self.node_of_body.iter().enumerate() {
            let (Some(q), Some(v)) =
                (state.q[7 * body..].first_chunk::<7>(), state.v[6 * body..].first_chunk::<6>())
            else {
                continue;
            };
            let motion = &mut self.lane_nodes[at as usize].motion[self.now & 1];
            set(&mut motion.pos, lane, [q[0], q[1], q[2]]);
            motion.rot.w.set_lane(lane, q[3]);
            set(&mut motion.rot.v, lane, [q[4], q[5], q[6]]);
            set(&mut motion.vel, lane, [v[0], v[1], v[2]]);
            set(&mut motion.omega, lane, [v[3], v[4], v[5]]);
        }
        for (turn, &x) in self.turns.iter_mut().zip(&state.turns) {
            turn.set_lane(lane, x);
        }
        self.load_joints(lane, state);
        self.load_limits(lane, state);
        self.load_ledger(lane, state);
    }

    /// Loads the active limits of a lane.
    pub(crate) fn load_limits(&mut self, lane: usize, state: &State) {
        if let Some(efforts) = &mut self.efforts
            && efforts.limits.set_held(lane, state, &mut efforts.nodes)
        {
            self.is_factored = false;
        }
    }

    /// Loads the joint coordinates of a lane, if the state has them.
    fn load_joints(&mut self, lane: usize, state: &State) {
        // A state without them must compute them on the scalar path.
        const UNKNOWN: (&[f64; 7], &[f64; 6]) = (&[f64::NAN; 7], &[f64::NAN; 6]);
        for (lane_node, reduced_joint) in self.lane_nodes.iter().zip(&mut self.reduced_joints) {
            let body = lane_node.topology.body as usize;
            let known = (state.joint_q.as_chunks().0.get(body), state.joint_v.as_chunks().0.get(body));
            let (p, rate) = if let (Some(p), Some(rate)) = known { (p, rate) } else { UNKNOWN };
            reduced_joint.load((lane, self.now), lane_node.topology.joint.is_hinge, p, rate);
        }
    }

    /// Prepares the efforts of a lane for the commands of a state and the time at which the next step ends \[s\]. False if the
    /// lane cannot take the commands.
    pub(crate) fn prepare(&mut self, lane: usize, model: &Model, state: &State, end: f64) -> bool {
        if !self.is_reduced() {
            return state.commands.is_none();
        }
        if self.efforts.is_none() && state.commands.is_some() {
            self.efforts = Some(Box::new(LaneEfforts::new(self.acc.len(), false)));
        }
        let Some(efforts) = &mut self.efforts else { return true };
        if state.commands.is_some() && !efforts.has_hinges(lane) {
            for (at, lane_node) in
                self.lane_nodes.iter().enumerate().filter(|(_, node)| node.topology.joint.is_hinge)
            {
                if let Some(link) = lane_node.topology.link {
                    let body = lane_node.topology.body;
                    efforts.add_hinge((at, lane), (lane, body), model, link.0 as usize);
                }
            }
        }
        efforts.limits.is_known(lane) && efforts.prepare(lane, end, state.commands.as_deref())
    }

    /// Loads the ledger (external impulses) of a lane.
    fn load_ledger(&mut self, lane: usize, state: &State) {
        set(&mut self.ledger.impulse, lane, state.ledger.impulse.to_array());
        set(&mut self.ledger.angular_impulse, lane, state.ledger.angular_impulse.to_array());
        let EffortEnergy { work, heat, integration_loss } = &mut self.ledger.energy;
        work.set_lane(lane, state.ledger.work);
        heat.set_lane(lane, state.ledger.dissipated);
        integration_loss.set_lane(lane, state.ledger.integration_loss);
    }

    /// Stores a lane into a state, except for its time, which the caller keeps.
    pub(crate) fn store(&self, lane: usize, state: &mut State) {
        if self.is_reduced() {
            // Poses of a lane without a step may have been recomputed from joint coordinates; the
            // state keeps its own.
            if self.is_fresh[lane] {
                return;
            }
            self.store_joints(lane, state);
            if let Some(efforts) = &self.efforts {
                efforts.limits.store_forces(lane, false, state);
            }
        }
        for (body, &at) in self.node_of_body.iter().enumerate() {
            let motion = &self.lane_nodes[at as usize].motion[self.now & 1];
            let (pos, rot) = (get(motion.pos, lane), get(motion.rot.v, lane));
            let (vel, omega) = (get(motion.vel, lane), get(motion.omega, lane));
            let w = motion.rot.w.lane(lane);
            state.q[7 * body..][..7].copy_from_slice(&[pos[0], pos[1], pos[2], w, rot[0], rot[1], rot[2]]);
            state.v[6 * body..][..6].copy_from_slice(&[vel[0], vel[1], vel[2], omega[0], omega[1], omega[2]]);
        }
        if !self.is_reduced() {
            for (x, turn) in state.turns.iter_mut().zip(&self.turns) {
                *x = turn.lane(lane);
            }
        }
        state.ledger = Ledger {
            impulse: get(self.ledger.impulse, lane).into(),
            angular_impulse: get(self.ledger.angular_impulse, lane).into(),
            work: self.ledger.energy.work.lane(lane),
            dissipated: self.ledger.energy.heat.lane(lane),
            integration_loss: self.ledger.energy.integration_loss.lane(lane),
        };
    }

    /// Stores the joint coordinates, and joint angles as turn counts.
    fn store_joints(&self, lane: usize, state: &mut State) {
        for (lane_node, reduced_joint) in self.lane_nodes.iter().zip(&self.reduced_joints) {
            let NodeTopology { body, has_joint, joint, hinge, .. } = lane_node.topology;
            let (p, rate) =
                (&mut state.joint_q[7 * body as usize..], &mut state.joint_v[6 * body as usize..]);
            if has_joint {
                reduced_joint.store((lane, self.now), joint.is_hinge, p, rate);
            } else {
                let Motion { pos, rot, vel, omega, .. } = &lane_node.motion[self.now & 1];
                p[..3].copy_from_slice(&get(*pos, lane));
                p[3] = rot.w.lane(lane);
                p[4..7].copy_from_slice(&get(rot.v, lane));
                rate[..3].copy_from_slice(&get(*vel, lane));
                rate[3..6].copy_from_slice(&get(*omega, lane));
            }
            if let Some(hinge) = self.hinges.get(hinge as usize) {
                state.turns[hinge.at as usize] = reduced_joint.angle(lane, self.now);
            }
        }
    }

    /// Allocated memory in bytes.
    fn bytes(&self) -> usize {
        self.lane_nodes.capacity() * size_of::<LaneNode<T>>()
            + self.reduced_joints.capacity() * size_of::<ReducedJoint<T>>()
            + self.forest.bytes()
            + self.efforts.as_ref().map_or(0, |efforts| efforts.bytes())
            + self.reference_inertias.capacity() * size_of::<T>()
            + self.hinges.capacity() * size_of::<HingeTurns<T>>()
            + (self.turns.capacity() + self.next_turns.capacity()) * size_of::<T>()
            + self.acc.capacity() * size_of::<Six<T>>()
            + self.pending.capacity() * size_of::<LoadSum<T>>()
            + (self.node_of_body.capacity() + self.ground_nodes.capacity()) * size_of::<u32>()
    }

    /// Acceleration of a body in a lane, from the last
    /// [`accelerations`](MechanismLanes::accelerations).
    pub(crate) fn acceleration(&self, lane: usize, body: usize) -> Option<(Vec3, Vec3)> {
        let x = &self.acc[*self.node_of_body.get(body)? as usize];
        Some((get(x.lin, lane).into(), get(x.ang, lane).into()))
    }

    /// Load of a joint on its child body in a lane [N, N·m].
    pub(crate) fn joint_load(&self, lane: usize, joint: usize) -> Option<JointLoad> {
        let at = (0..self.acc.len()).find(|&at| self.forest.at(at).1 == Some(Link(joint as u32)))?;
        let x = self.load_without_efforts(at);
        let wrench = Wrench { force: get(x.lin, lane).into(), torque: get(x.ang, lane).into() };
        let body = BodyId::of_index(self.lane_nodes[at].topology.body as usize);
        Some(JointLoad { joint: JointId::of_index(joint), body, wrench })
    }

    /// Load of the joint of a node on its child, after [`accelerations`](MechanismLanes::accelerations), without
    /// the efforts along its freedom; what a rotor takes is in it.
    fn load_without_efforts(&self, at: usize) -> Six<T> {
        let mut load = self.forest.loads()[at];
        let node = &self.forest.nodes()[at];
        if let (Some(efforts), Form::Freedoms(1)) = (&self.efforts, node.form()) {
            let (p, rate) = self.reduced_joints[at].hinge(self.now);
            load.ang -= node.first.ang * efforts.nodes[at].now(p, rate);
        }
        load
    }

    /// Accelerations and loads of all lanes, node by node.
    pub(crate) fn write_answers(&self, out: &mut Vec<[f64; 4]>) {
        out.clear();
        for (at, x) in self.acc.iter().enumerate() {
            let load = self.load_without_efforts(at);
            for v in [x.lin, x.ang, load.lin, load.ang] {
                out.extend([v.x, v.y, v.z].map(|x| std::array::from_fn(|i| x.lane(i))));
            }
        }
    }

    /// Accepts the last step: its end becomes the present state. Lanes that were stepped on the
    /// scalar path are loaded afterwards.
    pub(crate) fn accept(&mut self) {
        self.now ^= 1;
        core::mem::swap(&mut self.turns, &mut self.next_turns);
        self.ledger = self.next_ledger;
        if let Some(efforts) = &mut self.efforts {
            efforts.limits.accept();
        }
        (self.is_factored, self.knows_axes) = (self.eliminates_ahead || !self.is_reduced(), true);
        self.is_fresh = [false; 4];
    }

    /// Computes accelerations and loads of all lanes at the present state. Returns false if some
    /// lane has no solution, or is at a limit: forces of limits belong to the scalar path.
    pub(crate) fn accelerations(&mut self) -> bool {
        let angle = |at: usize| self.reduced_joints[at].hinge(self.now).0;
        if self.efforts.as_ref().is_some_and(|efforts| efforts.limits.touches(&efforts.nodes, angle)) {
            return false;
        }
        T::run_vectorized(LaneAccelTask(self))
    }

    #[inline(always)]
    fn accelerations_within(&mut self) -> bool {
        self.is_factored = false;
        self.write_axes();
        let MechanismLanes { lane_nodes, reduced_joints, now, forest, acc, gravity, efforts, .. } = self;
        let (now, finite_check) = (*now & 1, Six::ZERO);
        let efforts = efforts.as_mut().map_or(&mut [][..], |efforts| &mut efforts.nodes);
        let mut fill = LaneFill::<T, true> {
            lane_nodes,
            now,
            gravity: *gravity,
            efforts: (reduced_joints, efforts),
            acc,
            finite_check,
            layout: SameLane,
        };
        let outcome = forest.factor_and_solve(&mut fill);
        outcome.is_ok() && fill.finite_check == Six::ZERO
    }

    /// Recomputes the rotation matrices from the orientations if they are out of date.
    #[inline(always)]
    fn write_axes(&mut self) {
        if self.knows_axes {
            return;
        }
        // A step on joint coordinates needs arms and inertias too, and computes poses by itself.
        self.knows_axes = !self.is_reduced();
        for lane_node in &mut self.lane_nodes {
            let motion = &mut lane_node.motion[self.now & 1];
            motion.axes = motion.rot.matrix();
        }
    }

    /// Takes one explicit or semi-implicit Euler step of `h` seconds into the other buffer.
    pub(crate) fn step(&mut self, h: f64, semi_implicit: bool) -> LaneOutcome<T> {
        T::run_vectorized(LaneStepTask(self, h, semi_implicit))
    }

    #[inline(always)]
    fn step_within(&mut self, h: f64, semi_implicit: bool) -> LaneOutcome<T> {
        if self.is_reduced() {
            return self.reduced_step(h, semi_implicit);
        }
        let was_factored = self.is_factored;
        if !was_factored && !self.factor() {
            return LaneOutcome::all_fallback();
        }
        self.is_factored = false;
        let half_h_squared = T::splat(0.5 * h * h * if semi_implicit { -1.0 } else { 1.0 });
        let far = self.solve_and_move(half_h_squared, T::splat(h), semi_implicit);
        let Some((residual, ground)) = self.certify_and_factor() else { return LaneOutcome::all_fallback() };
        self.book_forces(h, ground);
        let measured = self.correct_velocities(T::splat(h));
        self.book_impulse();
        // Without known joint frames the scalar path computes its residual by another formula, so
        // that a residual near the bound must be decided there.
        let least = T::splat(if was_factored { CERTIFIED } else { CERTIFIED_BY_ELIMINATION });
        let noise = T::splat(NOISE);
        // A number times zero is zero if it is finite, NaN otherwise.
        let lost = (measured.position + measured.velocity + measured.finite_check) * T::ZERO;
        let fallback = residual.above(least)
            | residual.is_nan()
            | far
            | measured.position_excess.above(noise)
            | measured.velocity_excess.above(noise)
            | lost.is_nan();
        LaneOutcome {
            fallback,
            at_limits: T::Mask::NONE,
            position_error: measured.position,
            velocity_error: measured.velocity,
            equation_residual: residual,
        }
    }

    /// Factors at the present poses, and computes joint frames, inertias and right-hand sides
    /// there.
    #[inline(always)]
    fn factor(&mut self) -> bool {
        self.write_axes();
        let MechanismLanes { lane_nodes, now, forest, acc, gravity, .. } = self;
        let now = *now & 1;
        write_frames(lane_nodes, now, *gravity, &SameLane);
        let finite_check = Six::ZERO;
        let mut fill = LaneFill::<T, false> {
            lane_nodes,
            now,
            gravity: *gravity,
            efforts: (&[], &mut []),
            acc,
            finite_check,
            layout: SameLane,
        };
        forest.factor(&mut fill).is_ok()
    }

    /// Solves for accelerations, moves all bodies by the step and closes the joints. The mask marks
    /// lanes in which closing moved a body by more than the bound.
    #[inline(always)]
    fn solve_and_move(&mut self, half_h_squared: T, h: T, semi_implicit: bool) -> T::Mask {
        let MechanismLanes { forest, lane_nodes, .. } = self;
        let mut moving = MoveSweep {
            lane_nodes,
            now: self.now & 1,
            h,
            semi_implicit,
            floats: self.floats,
            is_far: T::Mask::NONE,
            moment: Vec3::ZERO,
            mass: T::ZERO,
            layout: SameLane,
        };
        forest.solve_two_rhs(half_h_squared, &mut moving);
        moving.is_far
    }

    /// Computes the residual of the equations, the ground's force and its moment about the origin,
    /// and the factor at the new poses. `None` if a pivot vanishes.
    #[inline(always)]
    fn certify_and_factor(&mut self) -> Option<(T, GroundLoad<T>)> {
        let MechanismLanes { lane_nodes, now, forest, pending, .. } = self;
        let certifier = SweepCertifier::new(pending, NoExternalLoads);
        let mut rates = LaneVelocityFill { lane_nodes, now: *now & 1, certifier, layout: SameLane };
        forest.factor(&mut rates).ok()?;
        Some((rates.certifier.worst.0.sqrt(), rates.certifier.ground))
    }

    /// Adds the impulses of gravity and of the ground over a step to the ledger.
    #[inline(always)]
    fn book_forces(&mut self, h: f64, (ground, ground_moment): GroundLoad<T>) {
        // Summed body by body, in the order of the scalar path.
        let mut moment = Vec3::ZERO;
        for &at in &self.node_of_body {
            let lane_node = &self.lane_nodes[at as usize];
            moment += lane_node.motion[self.now & 1].pos * lane_node.params.mass;
        }
        let mass = self.mass;
        let (gravity, along) = (self.gravity, Vec3::new(self.gravity.x, self.gravity.y, T::ZERO));
        // The second terms are those of planar bodies on the scalar path; here they are zero.
        let weight = gravity * mass + along * T::ZERO;
        let weight_moment = moment.cross(gravity) + Vec3::<T>::ZERO.cross(along);
        let (mut force, mut total) = (Vec3::ZERO, Vec3::ZERO);
        force += weight;
        total += weight_moment;
        force += ground;
        total += ground_moment;
        let h = T::splat(h);
        self.next_ledger = self.ledger;
        self.next_ledger.impulse += force * h;
        self.next_ledger.angular_impulse += total * h;
    }

    /// Adds the ground's impulse of the velocity correction to the ledger.
    #[inline(always)]
    fn book_impulse(&mut self) {
        let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for &at in &self.ground_nodes {
            let load = &self.forest.loads()[at as usize];
            force += load.lin;
            moment += self.lane_nodes[at as usize].motion[(self.now & 1) ^ 1].pos.cross(load.lin) + load.ang;
        }
        self.next_ledger.impulse += force;
        self.next_ledger.angular_impulse += moment;
    }

    /// Removes velocities along the locked directions of the joints with the factor at the new
    /// poses. Returns the joint errors that remain, counts turns and writes the right-hand sides of
    /// the next step.
    #[inline(always)]
    fn correct_velocities(&mut self, h: T) -> LaneErrors<T> {
        let MechanismLanes { lane_nodes, now, forest, hinges, turns, next_turns, gravity, .. } = self;
        let next = (*now & 1) ^ 1;
        let mut measured = LaneErrors::default();
        let counting = TurnCounting { hinges, before: turns, after: next_turns };
        forest.backward::<ROOT_LOADS>(CorrectionSweep::new(
            lane_nodes,
            next,
            (*gravity, h),
            counting,
            &mut measured,
            SameLane,
        ));
        measured.square_roots()
    }
}

/// Data layout: how a lane node reaches the data of its parent. These are either in the same lane
/// of another node ([`SameLane`]) or gathered from other lanes.
pub(crate) trait Layout<T: Lane> {
    /// Pose and velocity of the parent in one of the two buffers.
    fn parent_motion<'s>(
        &'s self,
        lane_nodes: &'s [LaneNode<T>],
        at: usize,
        buffer: usize,
    ) -> impl Deref<Target = Motion<T>> + Copy + 's;
    /// Acceleration v̇ of the parent; valid until the new pose is factored.
    fn parent_acceleration<'s>(
        &'s self,
        lane_nodes: &'s [LaneNode<T>],
        at: usize,
    ) -> impl Deref<Target = Six<T>> + Copy + 's;
    /// Squared magnitudes of the parent's position, velocity and angular velocity at that motion.
    fn parent_sizes(&self, lane_nodes: &[LaneNode<T>], at: usize, motion: &Motion<T>) -> SquaredSizes<T>;
    /// Receives the acceleration v̇ of a node.
    fn store_acceleration(&mut self, lane_node: &LaneNode<T>, at: usize);
    /// Receives the pose of a node in one of the buffers. `by` is the displacement that closed its
    /// joint.
    fn store_pose(&mut self, lane_node: &LaneNode<T>, at: usize, buffer: usize, by: Vec3<T>);
    /// Receives the velocities of a node.
    fn store_velocity(&mut self, lane_node: &LaneNode<T>, at: usize, buffer: usize);
}

/// Layout in which the parent of every node is in the same lane.
pub(crate) struct SameLane;

impl<T: Lane> Layout<T> for SameLane {
    #[inline(always)]
    fn parent_motion<'s>(
        &'s self,
        lane_nodes: &'s [LaneNode<T>],
        at: usize,
        buffer: usize,
    ) -> impl Deref<Target = Motion<T>> + Copy + 's {
        &lane_nodes[lane_nodes[at].topology.parent as usize].motion[buffer & 1]
    }
    #[inline(always)]
    fn parent_acceleration<'s>(
        &'s self,
        lane_nodes: &'s [LaneNode<T>],
        at: usize,
    ) -> impl Deref<Target = Six<T>> + Copy + 's {
        &lane_nodes[lane_nodes[at].topology.parent as usize].x
    }
    #[inline(always)]
    fn parent_sizes(&self, lane_nodes: &[LaneNode<T>], at: usize, _: &Motion<T>) -> SquaredSizes<T> {
        lane_nodes[lane_nodes[at].topology.parent as usize].sizes
    }
    #[inline(always)]
    fn store_acceleration(&mut self, _: &LaneNode<T>, _: usize) {}
    #[inline(always)]
    fn store_pose(&mut self, _: &LaneNode<T>, _: usize, _: usize, _: Vec3<T>) {}
    #[inline(always)]
    fn store_velocity(&mut self, _: &LaneNode<T>, _: usize, _: usize) {}
}

/// Joint frames, inertias and right-hand sides at the poses that are factored. The last lane node
/// is the ground.
#[inline(always)]
pub(crate) fn write_frames<T: Simd>(
    lane_nodes: &mut [LaneNode<T>],
    now: usize,
    gravity: Vec3<T>,
    layout: &impl Layout<T>,
) {
    let now = now & 1;
    for at in 0..lane_nodes.len() - 1 {
        let LaneNode { topology, params, motion, .. } = &lane_nodes[at];
        let parent = &*layout.parent_motion(lane_nodes, at, now);
        let frames = frames(topology.joint, params, &motion[now], parent);
        let inertia = inertia_along(topology.is_principal, &params.inertia, &motion[now].axes);
        let force = weight_of_rigid(params.mass, &inertia, gravity, &motion[now]);
        let (a, b) = topology.sides(&motion[now], parent);
        let (gamma, bias, turn) = topology.joint.closed_gamma(a, b, frames.arm_b);
        let has_joint = topology.has_joint;
        let lane_node = &mut lane_nodes[at];
        (lane_node.inertia[now], lane_node.frames[now], lane_node.force) = (inertia, frames, force);
        if has_joint {
            (lane_node.gamma, lane_node.joint_bias) = (gamma, (bias, turn));
        }
    }
}

/// Loads on a body other than those of its children, such as those of loop-closure joints.
pub(crate) trait ExternalLoads<T: Lane> {
    /// Load on the body of a node.
    fn load(&self, at: usize) -> LoadSum<T>;
    /// Receives the squared acceleration that the forces on a body could cause without
    /// cancellation.
    fn note_reach(&mut self, at: usize, reach: T);
}

/// No external loads.
struct NoExternalLoads;

impl<T: Lane> ExternalLoads<T> for NoExternalLoads {
    #[inline(always)]
    fn load(&self, _: usize) -> LoadSum<T> {
        LoadSum::default()
    }
    #[inline(always)]
    fn note_reach(&mut self, _: usize, _: T) {}
}

/// Checks a solution against the equations of motion, node by node from leaves to roots.
pub(crate) trait NodeCertifier<T: Lane> {
    /// Residual of the equations of a node. Returns the load of its joint, computed from the force
    /// balance.
    fn certify_node<const HAS_JOINT: bool>(
        &mut self,
        lane_nodes: (&[LaneNode<T>], usize),
        at: usize,
        joint: HingeOrBall,
        node: (&Node<T>, &NodeExtra<T>),
        layout: &impl Layout<T>,
    ) -> Six<T>;
}

/// No check.
impl<T: Lane> NodeCertifier<T> for () {
    #[inline(always)]
    fn certify_node<const HAS_JOINT: bool>(
        &mut self,
        _: (&[LaneNode<T>], usize),
        _: usize,
        _: HingeOrBall,
        _: (&Node<T>, &NodeExtra<T>),
        _: &impl Layout<T>,
    ) -> Six<T> {
        Six::ZERO
    }
}

/// Residual of the equations along a sweep from leaves to roots.
pub(crate) struct SweepCertifier<'w, T: Lane, O> {
    /// Stack of loads passed to parents with further children to come; `depth` entries are in use.
    pending: &'w mut [LoadSum<T>],
    depth: usize,
    pub(crate) worst: WorstResidual<T>,
    ground: GroundLoad<T>,
    pub(crate) external_loads: O,
}

impl<'w, T: Lane, O> SweepCertifier<'w, T, O> {
    #[inline(always)]
    pub(crate) fn new(pending: &'w mut [LoadSum<T>], external_loads: O) -> Self {
        SweepCertifier {
            pending,
            depth: 0,
            worst: WorstResidual::default(),
            ground: (Vec3::ZERO, Vec3::ZERO),
            external_loads,
        }
    }
}

impl<T: Simd, O: ExternalLoads<T>> NodeCertifier<T> for SweepCertifier<'_, T, O> {
    #[inline(always)]
    fn certify_node<const HAS_JOINT: bool>(
        &mut self,
        (lane_nodes, now): (&[LaneNode<T>], usize),
        at: usize,
        joint: HingeOrBall,
        (node, node_extra): (&Node<T>, &NodeExtra<T>),
        layout: &impl Layout<T>,
    ) -> Six<T> {
        let (lane_node, now) = (&lane_nodes[at], now & 1);
        let load_sum = if node.has_children() {
            self.depth -= 1;
            self.pending[self.depth]
        } else {
            self.external_loads.load(at)
        };
        let (load, reach, load_on_parent) = node_residual::<T, HAS_JOINT>(
            (lane_nodes, now),
            at,
            joint,
            (node, node_extra),
            (layout, load_sum),
            &mut self.worst,
        );
        self.external_loads.note_reach(at, reach);
        if node.parent().is_some() {
            if node.is_first_child() {
                let mut sum = self.external_loads.load(lane_node.topology.parent as usize);
                sum.add(&load_on_parent);
                self.pending[self.depth] = sum;
                self.depth += 1;
            } else {
                self.pending[self.depth - 1].add(&load_on_parent);
            }
        } else if HAS_JOINT {
            self.ground.0 += load.lin;
            self.ground.1 += lane_node.motion[now].pos.cross(load.lin) + load.ang;
        }
        load
    }
}

/// Residual of the equations of one node. `load_sum` is the load that its children pass on. Returns
/// the load of its joint, the squared acceleration that the forces on it could cause without
/// cancellation, and the load on its parent.
#[inline(always)]
pub(crate) fn node_residual<T: Simd, const HAS_JOINT: bool>(
    (lane_nodes, now): (&[LaneNode<T>], usize),
    at: usize,
    joint: HingeOrBall,
    (node, node_extra): (&Node<T>, &NodeExtra<T>),
    (layout, load_sum): (&impl Layout<T>, LoadSum<T>),
    worst: &mut WorstResidual<T>,
) -> (Six<T>, T, LoadSum<T>) {
    let (lane_node, now) = (&lane_nodes[at], now & 1);
    let params = &lane_node.params;
    let given = MassAndForce {
        mass: params.mass,
        inertia: lane_node.inertia[now],
        force: lane_node.force,
        joint_bias: None,
    };
    let about = BalanceTerms { has_joint: HAS_JOINT, ..params.balance };
    let mut load = Six::ZERO;
    let (reach, load_on_parent) =
        balance::<T, false>((&given, about), (node, node_extra), &mut load, load_sum, worst);
    if !HAS_JOINT {
        return (load, reach, load_on_parent);
    }
    let frames = &lane_node.frames[now];
    let left = if joint.on_ground {
        JointResidual::on_ground(frames.arm_b, lane_node.joint_bias, &node.x, reach)
    } else {
        let (a, b) = joint.sides(lane_node.motion[now].pos, layout.parent_motion(lane_nodes, at, now).pos);
        let anchor = (b + frames.arm_b - a, frames.arm_b);
        JointResidual::of(
            anchor,
            lane_node.joint_bias,
            joint.sides(&node.x, &*layout.parent_acceleration(lane_nodes, at)),
            reach,
        )
    };
    if joint.is_hinge {
        left.note_hinge(frames.z_b, params.arms_squared.0 + params.arms_squared.1, worst);
    } else {
        left.note_ball(worst);
    }
    (load, reach, load_on_parent)
}

/// Acceleration solve, compiled for the vector unit.
struct LaneAccelTask<'l, T: Simd>(&'l mut MechanismLanes<T>);
impl<T: Simd> Task for LaneAccelTask<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        self.0.accelerations_within()
    }
}

/// One step, compiled for the vector unit.
struct LaneStepTask<'l, T: Simd>(&'l mut MechanismLanes<T>, f64, bool);
impl<T: Simd> Task for LaneStepTask<'_, T> {
    type Output = LaneOutcome<T>;
    #[inline(always)]
    fn run(self) -> LaneOutcome<T> {
        self.0.step_within(self.1, self.2)
    }
}

/// Sets one lane of a 3-vector.
fn set<T: Simd>(v: &mut Vec3<T>, lane: usize, [x, y, z]: [f64; 3]) {
    v.x.set_lane(lane, x);
    v.y.set_lane(lane, y);
    v.z.set_lane(lane, z);
}
/// One lane of a 3-vector.
fn get<T: Simd>(v: Vec3<T>, lane: usize) -> [f64; 3] {
    [v.x.lane(lane), v.y.lane(lane), v.z.lane(lane)]
}

/// Selects a 3-vector by lane.
#[inline(always)]
fn choose<T: Simd>(mask: T::Mask, yes: Vec3<T>, no: Vec3<T>) -> Vec3<T> {
    Vec3::new(T::select(mask, yes.x, no.x), T::select(mask, yes.y, no.y), T::select(mask, yes.z, no.z))
}
/// Selects a quaternion by lane.
#[inline(always)]
fn choose_quat<T: Simd>(mask: T::Mask, yes: Quat<T>, no: Quat<T>) -> Quat<T> {
    Quat { w: T::select(mask, yes.w, no.w), v: choose(mask, yes.v, no.v) }
}
/// Selects a matrix by lane.
#[inline(always)]
fn choose_mat<T: Simd>(mask: T::Mask, yes: Mat3<T>, no: Mat3<T>) -> Mat3<T> {
    Mat3 { x: choose(mask, yes.x, no.x), y: choose(mask, yes.y, no.y), z: choose(mask, yes.z, no.z) }
}

/// Moves bodies by the accelerations of a step and closes their joints.
pub(crate) struct MoveSweep<'w, T: Simd, K = SameLane> {
    pub(crate) lane_nodes: &'w mut [LaneNode<T>],
    pub(crate) now: usize,
    pub(crate) h: T,
    pub(crate) semi_implicit: bool,
    /// True if some tree floats.
    pub(crate) floats: bool,
    /// Lanes in which closing moved a body by more than the bound.
    pub(crate) is_far: T::Mask,
    /// Sum of mass times closing displacement over the present tree, and its mass.
    pub(crate) moment: Vec3<T>,
    pub(crate) mass: T,
    pub(crate) layout: K,
}

impl<T: Simd, K: Layout<T>> TwoRhs<T> for MoveSweep<'_, T, K> {
    #[inline(always)]
    fn write_rhs(&mut self, at: usize, node: &mut Node<T>, _: &mut NodeExtra<T>) {
        let lane_node = &self.lane_nodes[at];
        (node.force, node.gamma) = (lane_node.force, lane_node.gamma);
    }

    /// Moves a body by the step and closes its joint.
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six<T>, predicted: &Six<T>) {
        let (now, h) = (self.now & 1, self.h);
        let before = &self.lane_nodes[at].motion[now];
        let vel = before.vel + x.lin * h;
        let omega = before.omega + x.ang * h;
        let (used, used_spin) = if self.semi_implicit { (vel, omega) } else { (before.vel, before.omega) };
        let moved = before.pos + (predicted.lin + used * h);
        let turned = rotated_by(predicted.ang + used_spin * h, before.rot);
        self.lane_nodes[at].x = *x;
        self.place_moved(at, (moved, turned), (vel, omega));
    }
}

impl<T: Simd, K: Layout<T>> MoveSweep<'_, T, K> {
    /// Closes the joint of a moved body: the child is put where its parent requires it.
    #[inline(always)]
    pub(crate) fn place_moved(
        &mut self,
        at: usize,
        (moved, turned): (Vec3<T>, Quat<T>),
        (vel, omega): (Vec3<T>, Vec3<T>),
    ) {
        let next = (self.now & 1) ^ 1;
        let LaneNode { topology, params, .. } = &self.lane_nodes[at];
        let topology = *topology;
        if !topology.has_joint {
            let axes = turned.matrix();
            let inertia = inertia_along(topology.is_principal, &params.inertia, &axes);
            let lane_node = &mut self.lane_nodes[at];
            lane_node.motion[next] = Motion { pos: moved, rot: turned, axes, vel, omega };
            lane_node.inertia[next] = inertia;
            self.layout.store_pose(lane_node, at, next, Vec3::ZERO);
            return self.keep_centre(at, moved, moved);
        }
        let on_ground = topology.joint.on_ground;
        let parent = &*self.layout.parent_motion(self.lane_nodes, at, next);
        let arm_parent = if on_ground { params.parent_frame.0 } else { parent.axes * params.parent_frame.0 };
        let axes = turned.matrix();
        let little = T::splat(SMALL_MOVE * SMALL_MOVE);
        let pos = if topology.joint.is_hinge {
            let z_parent =
                if on_ground { params.parent_frame.1 } else { parent.axes * params.parent_frame.1 };
            let z = axes * params.child_frame.1;
            let turn = z.cross(z_parent);
            let bent = turn.dot(turn);
            self.is_far = self.is_far | bent.exceeds(little);
            let is_open = bent.above(T::splat(f64::EPSILON * f64::EPSILON));
            let rot = choose_quat(is_open, rotated_by_small(turn, turned), turned);
            let axes = choose_mat(is_open, rot.matrix(), axes);
            let (z, arm) = (choose(is_open, axes * params.child_frame.1, z), axes * params.child_frame.0);
            let pos = parent.pos + arm_parent - arm;
            let ((arm_a, arm_b), (z_a, z_b)) = (topology.sides(arm, arm_parent), topology.sides(z, z_parent));
            let inertia = inertia_along(topology.is_principal, &params.inertia, &axes);
            let lane_node = &mut self.lane_nodes[at];
            lane_node.inertia[next] = inertia;
            lane_node.frames[next] = JointFrames { arm_a, arm_b, z_a, z_b };
            lane_node.motion[next] = Motion { pos, rot, axes, vel, omega };
            pos
        } else {
            let arm = axes * params.child_frame.0;
            let pos = parent.pos + arm_parent - arm;
            let (arm_a, arm_b) = topology.sides(arm, arm_parent);
            let inertia = inertia_along(topology.is_principal, &params.inertia, &axes);
            let lane_node = &mut self.lane_nodes[at];
            lane_node.inertia[next] = inertia;
            (lane_node.frames[next].arm_a, lane_node.frames[next].arm_b) = (arm_a, arm_b);
            lane_node.motion[next] = Motion { pos, rot: turned, axes, vel, omega };
            pos
        };
        let params = &self.lane_nodes[at].params;
        let own = if topology.joint.onto_b { params.arms_squared.1 } else { params.arms_squared.0 };
        let (by, size) = (pos - moved, pos.dot(pos) + own);
        self.is_far = self.is_far | by.dot(by).exceeds(little * size);
        self.layout.store_pose(&self.lane_nodes[at], at, next, by);
        self.keep_centre(at, pos, moved);
    }

    /// Sums mass times closing displacement. A floating tree is shifted back once it is complete,
    /// so that its centre of mass stays.
    #[inline(always)]
    fn keep_centre(&mut self, at: usize, pos: Vec3<T>, moved: Vec3<T>) {
        if !self.floats {
            return;
        }
        let LaneNode { topology, params: NodeParams { mass, .. }, .. } = &self.lane_nodes[at];
        let (topology, mass) = (*topology, *mass);
        self.moment += (pos - moved) * mass;
        self.mass += mass;
        if topology.begins_tree {
            let root = topology.root as usize;
            if !self.lane_nodes[root].topology.has_joint {
                let (next, back) = ((self.now & 1) ^ 1, self.moment / self.mass);
                for lane_node in &mut self.lane_nodes[at..=root] {
                    lane_node.motion[next].pos -= back;
                }
            }
            (self.moment, self.mass) = (Vec3::ZERO, T::ZERO);
        }
    }
}

/// Hinges whose turns are counted, with the turn counts before and after a step.
pub(crate) struct TurnCounting<'w, T: Lane> {
    pub(crate) hinges: &'w [HingeTurns<T>],
    pub(crate) before: &'w [T],
    pub(crate) after: &'w mut [T],
}

/// Applies velocity corrections and measures the joint errors; counts turns and writes the
/// right-hand sides of the next step.
pub(crate) struct CorrectionSweep<'w, T: Lane, K = SameLane> {
    lane_nodes: &'w mut [LaneNode<T>],
    next: usize,
    gravity: Vec3<T>,
    h: T,
    counting: TurnCounting<'w, T>,
    out: &'w mut LaneErrors<T>,
    error_bounds: ErrorBounds<T>,
    layout: K,
}

impl<T: Simd, K: Layout<T>> TakeSolution<T> for CorrectionSweep<'_, T, K> {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        let lane_node = &mut self.lane_nodes[at];
        let motion = &mut lane_node.motion[self.next & 1];
        motion.vel += x.lin;
        motion.omega += x.ang;
        let own = SquaredSizes::of(motion);
        lane_node.sizes = own;
        lane_node.force =
            weight_of_rigid(lane_node.params.mass, &lane_node.inertia[self.next & 1], self.gravity, motion);
        self.out.finite_check += (own.pos + own.vel + own.omega) * T::ZERO;
        let topology = lane_node.topology;
        self.layout.store_velocity(lane_node, at, self.next);
        match (topology.has_joint, topology.joint.onto_b) {
            (false, _) => {}
            (true, true) => self.measure::<true>(at, own),
            (true, false) => self.measure::<false>(at, own),
        }
    }
}

impl<'w, T: Simd, K: Layout<T>> CorrectionSweep<'w, T, K> {
    #[inline(always)]
    pub(crate) fn new(
        lane_nodes: &'w mut [LaneNode<T>],
        next: usize,
        (gravity, h): (Vec3<T>, T),
        counting: TurnCounting<'w, T>,
        out: &'w mut LaneErrors<T>,
        layout: K,
    ) -> Self {
        CorrectionSweep {
            lane_nodes,
            next,
            gravity,
            h,
            counting,
            out,
            error_bounds: ErrorBounds::new(),
            layout,
        }
    }

    /// Measures the error of a body's joint, counts its turns and writes its right-hand side of the
    /// next step.
    #[inline(always)]
    fn measure<const ONTO_B: bool>(&mut self, at: usize, own: SquaredSizes<T>) {
        let next = self.next & 1;
        let LaneNode { topology, params, motion, frames, .. } = &self.lane_nodes[at];
        let (joint, frames) = (topology.joint.with_child::<ONTO_B>(), &frames[next]);
        // The ground is at rest at the origin.
        let parent_motion = &*self.layout.parent_motion(self.lane_nodes, at, next);
        let parent = self.layout.parent_sizes(self.lane_nodes, at, parent_motion);
        let (a, b) = joint.sides(&motion[next], parent_motion);
        self.error_bounds.note_joint(joint, (params, frames), (a, b), (own, parent), self.out);
        if joint.is_hinge {
            let TurnCounting { hinges, before, after } = &mut self.counting;
            if let Some(hinge) = hinges.get(topology.hinge as usize) {
                let at = hinge.at as usize;
                after[at] = hinge.follow_from(a, b, before[at], self.h);
            }
        }
        let (gamma, bias, turn) = joint.closed_gamma(a, b, frames.arm_b);
        let lane_node = &mut self.lane_nodes[at];
        (lane_node.gamma, lane_node.joint_bias) = (gamma, (bias, turn));
    }
}

/// Error bounds: squares of the bound for terms of unit size and of the absolute bound, as in
/// `velocity.rs`.
#[derive(Copy, Clone, Debug)]
struct ErrorBounds<T: Lane> {
    unit: T,
    least: T,
}

impl<T: Simd> ErrorBounds<T> {
    #[inline(always)]
    fn new() -> Self {
        let (unit, least) = (2.0 * bound(1.0) * bound(1.0), bound(0.0) * bound(0.0));
        ErrorBounds { unit: T::splat(unit), least: T::splat(least) }
    }

    /// Notes the error of a joint. The sizes are squared magnitudes of the motions of its child and
    /// parent.
    #[inline(always)]
    fn note_joint(
        &self,
        joint: HingeOrBall,
        (params, frames): (&NodeParams<T>, &JointFrames<T>),
        (a, b): (&Motion<T>, &Motion<T>),
        (own, parent): (SquaredSizes<T>, SquaredSizes<T>),
        out: &mut LaneErrors<T>,
    ) {
        let (rate, slip, to_anchor) = slip((joint.is_hinge, joint.on_ground), frames, a, b);
        let turn = if joint.is_hinge { frames.z_a.cross(frames.z_b) } else { Vec3::ZERO };
        let gaps = LaneGap { offset: to_anchor - frames.arm_a, rate, turn, slip };
        self.note_gap(joint, params, &gaps, (own, parent), out);
    }

    /// Notes a joint error that is known already.
    #[inline(always)]
    fn note_gap(
        &self,
        joint: HingeOrBall,
        params: &NodeParams<T>,
        gaps: &LaneGap<T>,
        (own, parent): (SquaredSizes<T>, SquaredSizes<T>),
        out: &mut LaneErrors<T>,
    ) {
        let ErrorBounds { unit, least } = *self;
        let (arm_a, arm_b) = params.arms_squared;
        let position = (square(gaps.offset), unit * (own.pos + parent.pos + arm_a + arm_b) + least);
        let (of_a, of_b) = joint.sides(own.omega, parent.omega);
        let size = own.vel + parent.vel + of_a * arm_a + of_b * arm_b;
        out.note(position, (square(gaps.rate), unit * size + least));
        if joint.is_hinge {
            let spin = (square(gaps.slip), unit * (own.omega + parent.omega) + least);
            out.note((square(gaps.turn), unit + least), spin);
        }
    }
}

/// Error of a joint: gap and gap rate of its anchors; for a hinge also misalignment of the axes and
/// its rate.
struct LaneGap<T: Lane> {
    offset: Vec3<T>,
    rate: Vec3<T>,
    turn: Vec3<T>,
    slip: Vec3<T>,
}

/// Largest joint errors, absolute and relative to their bounds; squares until all joints are noted.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct LaneErrors<T: Lane> {
    pub(crate) position: T,
    pub(crate) velocity: T,
    pub(crate) position_excess: T,
    pub(crate) velocity_excess: T,
    /// Zero unless a number is not finite.
    pub(crate) finite_check: T,
}

impl<T: Simd> LaneErrors<T> {
    /// Takes the square roots.
    #[inline(always)]
    fn square_roots(mut self) -> Self {
        self.position = self.position.sqrt();
        self.velocity = self.velocity.sqrt();
        self.position_excess = self.position_excess.sqrt();
        self.velocity_excess = self.velocity_excess.sqrt();
        self
    }
    /// Notes position and velocity errors with their bounds, all of them squared.
    #[inline(always)]
    fn note(&mut self, position: (T, T), velocity: (T, T)) {
        let is_larger = position.0.exceeds(self.position)
            | position.0.exceeds(self.position_excess * position.1)
            | velocity.0.exceeds(self.velocity)
            | velocity.0.exceeds(self.velocity_excess * velocity.1);
        // The division is rarely needed.
        if is_larger.any() {
            keep_larger(&mut self.position, position.0);
            keep_larger(&mut self.position_excess, position.0 / position.1);
            keep_larger(&mut self.velocity, velocity.0);
            keep_larger(&mut self.velocity_excess, velocity.0 / velocity.1);
        }
    }
}

/// The larger of two numbers; NaN in the first argument is kept.
#[inline(always)]
fn keep_larger<T: Simd>(most: &mut T, x: T) {
    *most = T::select(x.exceeds(*most) & !most.is_nan(), x, *most);
}

/// Input of the elimination at closed poses: all of it, or (without `WITH_RHS`) only what is
/// factored.
pub(crate) struct LaneFill<'w, T: Lane, const WITH_RHS: bool, K = SameLane> {
    pub(crate) lane_nodes: &'w [LaneNode<T>],
    pub(crate) now: usize,
    pub(crate) gravity: Vec3<T>,
    /// Joint coordinates and efforts by node, taken at the present state; no efforts if it is empty.
    pub(crate) efforts: (&'w [ReducedJoint<T>], &'w mut [NodeEffort<T>]),
    pub(crate) acc: &'w mut [Six<T>],
    pub(crate) finite_check: Six<T>,
    pub(crate) layout: K,
}

impl<T: Simd, const WITH_RHS: bool, K: Layout<T>> FillNodes<T> for LaneFill<'_, T, WITH_RHS, K> {
    /// Floating bodies, and hinges on the path of a loop. All other nodes take the kernels for
    /// plain hinges or balls.
    #[inline(always)]
    fn fill_node(&mut self, at: usize, node: &mut Node<T>, node_extra: &mut NodeExtra<T>) {
        if self.lane_nodes[at].topology.has_joint {
            let input = match self.lane_nodes[at].topology.joint.onto_b {
                true => self.input::<false, false>(at, node, node_extra),
                false => self.input::<false, true>(at, node, node_extra),
            };
            return node.fill(&input);
        }
        let (mass, inertia) = self.lane_nodes[at].mass_at(self.now);
        node.diag = Sym6::of_mass(mass, inertia);
        if WITH_RHS {
            let own = &self.lane_nodes[at].motion[self.now & 1];
            node.force = weight_of_rigid(mass, &inertia, self.gravity, own);
        }
    }
    #[inline(always)]
    fn input<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        _: &mut Node<T>,
        _: &mut NodeExtra<T>,
    ) -> NodeInput<T> {
        let (lane_node, now) = (&self.lane_nodes[at], self.now & 1);
        let (own, parent) = (&lane_node.motion[now], &*self.layout.parent_motion(self.lane_nodes, at, now));
        let (mass, inertia) = lane_node.mass_at(now);
        let joint = HingeOrBall { is_hinge: !BALL, onto_b: !TURNED, ..lane_node.topology.joint };
        let frames = frames(joint, &lane_node.params, own, parent);
        let (a, b) = joint.sides(own, parent);
        let mut out = NodeInput {
            mass,
            inertia,
            force: Six::ZERO,
            gamma: Six::ZERO,
            shift: own.pos - parent.pos,
            first: freedom(joint, &frames, a, b),
            ..NodeInput::default()
        };
        if WITH_RHS {
            out.force = weight_of_rigid(mass, &inertia, self.gravity, own);
            out.gamma = joint.closed_gamma(a, b, frames.arm_b).0;
        }
        if let (false, Some(efforts)) = (BALL, self.efforts.1.get_mut(at)) {
            let (p, rate) = self.efforts.0[at].hinge(now);
            // Without a step E is the armature.
            let (effort, inertia) = efforts.begin(T::ZERO, p, rate);
            out.joint_inertia = inertia;
            if WITH_RHS {
                out.effort = effort;
            }
        }
        out
    }
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six<T>) {
        self.acc[at] = *x;
        self.finite_check += x.scaled(T::ZERO);
    }
}

/// Arms and axes of a joint in world axes.
#[inline(always)]
pub(crate) fn frames<T: Lane>(
    joint: HingeOrBall,
    params: &NodeParams<T>,
    own: &Motion<T>,
    parent: &Motion<T>,
) -> JointFrames<T> {
    let (arm_a, arm_b) = joint.sides(own.axes * params.child_frame.0, parent.axes * params.parent_frame.0);
    if !joint.is_hinge {
        return JointFrames { arm_a, arm_b, ..JointFrames::default() };
    }
    let (z_a, z_b) = joint.sides(own.axes * params.child_frame.1, parent.axes * params.parent_frame.1);
    JointFrames { arm_a, arm_b, z_a, z_b }
}

/// Motion subspace N of a hinge, or the arm of a spherical joint.
#[inline(always)]
pub(crate) fn freedom<T: Lane>(
    joint: HingeOrBall,
    frames: &JointFrames<T>,
    a: &Motion<T>,
    b: &Motion<T>,
) -> Six<T> {
    let arm = if joint.onto_b { frames.arm_b } else { b.pos + frames.arm_b - a.pos };
    joint.freedom(arm, frames.z_b)
}

/// Force of the ground (N), and its moment about the origin (N·m).
type GroundLoad<T> = (Vec3<T>, Vec3<T>);

/// Input of the factor at the new poses, with the velocity errors of the joints as right-hand side.
/// Each node may be checked at the old poses before.
pub(crate) struct LaneVelocityFill<'w, T: Lane, J, K = SameLane> {
    pub(crate) lane_nodes: &'w [LaneNode<T>],
    pub(crate) now: usize,
    pub(crate) certifier: J,
    pub(crate) layout: K,
}

impl<T: Simd, J: NodeCertifier<T>, K: Layout<T>> FillNodes<T> for LaneVelocityFill<'_, T, J, K> {
    /// Floating bodies, and hinges on the path of a loop.
    #[inline(always)]
    fn fill_node(&mut self, at: usize, node: &mut Node<T>, node_extra: &mut NodeExtra<T>) {
        if self.lane_nodes[at].topology.has_joint {
            let input = match self.lane_nodes[at].topology.joint.onto_b {
                true => self.input::<false, false>(at, node, node_extra),
                false => self.input::<false, true>(at, node, node_extra),
            };
            return node.fill(&input);
        }
        self.certifier.certify_node::<false>(
            (self.lane_nodes, self.now),
            at,
            HingeOrBall::default(),
            (node, node_extra),
            &self.layout,
        );
        let lane_node = &self.lane_nodes[at];
        node.diag = Sym6::of_mass(lane_node.params.mass, lane_node.inertia[(self.now & 1) ^ 1]);
        node.force = Six::ZERO;
    }
    #[inline(always)]
    fn input<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        node: &mut Node<T>,
        node_extra: &mut NodeExtra<T>,
    ) -> NodeInput<T> {
        let lane_node = &self.lane_nodes[at];
        let joint = HingeOrBall { is_hinge: !BALL, onto_b: !TURNED, ..lane_node.topology.joint };
        self.certifier.certify_node::<true>(
            (self.lane_nodes, self.now),
            at,
            joint,
            (node, node_extra),
            &self.layout,
        );
        let next = (self.now & 1) ^ 1;
        let LaneNode { params, motion, frames, inertia, .. } = &self.lane_nodes[at];
        let (own, parent) = (&motion[next], &*self.layout.parent_motion(self.lane_nodes, at, next));
        let (frames, (a, b)) = (&frames[next], joint.sides(own, parent));
        let (shift, turn, to_anchor) = slip((joint.is_hinge, joint.on_ground), frames, a, b);
        NodeInput {
            mass: params.mass,
            inertia: inertia[next],
            force: Six::ZERO,
            gamma: match joint.onto_b {
                true => -Six::new(shift + frames.arm_b.cross(turn), turn),
                false => Six::new(shift + to_anchor.cross(turn), turn),
            },
            shift: own.pos - parent.pos,
            first: freedom(joint, frames, a, b),
            ..NodeInput::default()
        }
    }
}
