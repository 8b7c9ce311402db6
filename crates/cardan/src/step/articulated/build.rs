//! Construction of the articulated-body solver of a model.

use crate::body::BodyKind;
use crate::joint::ClosedForm;
use crate::math::{Lane, Six};
use crate::model::{Model, ModelBody, ModelJoint};
use crate::settings::{Coordinates, EffortRule, Integrator, Settings, Stabilization};
use crate::step::articulated::coupling::{CouplingInstant, CouplingRows, couplings};
use crate::step::articulated::fill::{BodyNode, ResultSlot};
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::articulated::loop_joint::LoopJoint;
use crate::step::articulated::residual::LoadSum;
use crate::step::articulated::state_accel;
use crate::step::articulated::system::{ArticulatedSystem, LARGE_SYSTEM};
use crate::step::articulated::tree_joint::{JointGap, TreeJoint, form_of};
use crate::step::articulated::unrefined;
use cardan_solve::articulated::{ArticulatedForest, Form, child_of};
use cardan_solve::{Forest, Graph, Role};
use std::borrow::Cow;

/// True if every joint connects bodies of the same space: both spatial, or both planar.
fn is_of_one_kind(model: &Model) -> bool {
    model.joints.iter().all(|joint| {
        let planar = |body: Option<usize>| body.map(|i| model.bodies[i].kind.is_planar());
        match (planar(joint.a.body()), planar(joint.b.body())) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    })
}

/// Form in which each joint would be eliminated as a tree joint: number of freedoms, or number of
/// rows.
fn forms(model: &Model, graph: &Graph, forest: &Forest) -> Vec<Option<Form>> {
    let form = |joint: &ModelJoint| {
        let child = child_of(graph, forest, joint.link);
        let turns = child.is_none_or(|c| model.bodies[c.0 as usize].kind.has_orientation());
        match form_of(joint.kind) {
            // A planar joint has fewer rows.
            Form::Rows(_) => Form::Rows(joint.row_count),
            // A particle has no rotations that a joint could leave free.
            Form::Freedoms(_) if !turns => Form::Freedoms(0),
            // A drive removes a freedom.
            Form::Freedoms(f) => Form::Freedoms(f - joint.driven_count() as u8),
        }
    };
    model.joints.iter().map(|joint| Some(form(joint))).collect()
}

/// The graph in which the joints are eliminated, and its forest: those of the model, or of its joints alone if it has constraints,
/// whose rows are no links then. The links of the joints come first in both.
fn joint_forest(model: &Model) -> (Cow<'_, Graph>, Cow<'_, Forest>) {
    if model.constraints.is_empty() {
        return (Cow::Borrowed(&*model.graph), Cow::Borrowed(&model.forest));
    }
    let mut graph = Graph::new();
    for block in model.graph.all_blocks() {
        graph.add_block(model.graph.block_dim(block));
    }
    for joint in &model.joints {
        let link = graph.add_link(model.graph.link_rows(joint.link), model.graph.ends(joint.link));
        if model.graph.is_auxiliary(joint.link) {
            graph.set_auxiliary(link);
        }
    }
    let forest = grow_forest(&graph, &model.bodies, &model.joints);
    (Cow::Owned(graph), Cow::Owned(forest))
}

/// A body that has at most this part of the mass of a neighbour. At the end of a branch that a loop-closure
/// joint holds, its acceleration per force is so much larger that the other rows of the loop drown in its
/// rounding: 1e-14 costs all but two digits.
const LIGHT: f64 = 1e-9;

/// By joint: whether it must be in the trees. The elimination takes rotors along freedoms of tree joints
/// alone, and bodies of next to no mass only between two of them.
fn kept_joints(bodies: &[ModelBody], joints: &[ModelJoint]) -> Vec<bool> {
    let mut is_light = vec![false; bodies.len()];
    for joint in joints {
        if let (Some(a), Some(b)) = (joint.a.body(), joint.b.body()) {
            let [mass_a, mass_b] = [a, b].map(|body| bodies[body].mass.mass);
            is_light[a] |= mass_a <= LIGHT * mass_b;
            is_light[b] |= mass_b <= LIGHT * mass_a;
        }
    }
    let kept = |joint: &ModelJoint| {
        let mut ends = [joint.a.body(), joint.b.body()].into_iter().flatten();
        joint.armature != 0.0 || ends.any(|body| is_light[body])
    };
    joints.iter().map(kept).collect()
}

/// The spanning forest of a graph whose links begin with those of the joints: breadth-first, unless that
/// lets a joint close a loop that must be in the trees.
pub(crate) fn grow_forest(graph: &Graph, bodies: &[ModelBody], joints: &[ModelJoint]) -> Forest {
    let forest = Forest::grow(graph);
    let kept = kept_joints(bodies, joints);
    let is_lost = |(joint, kept): (&ModelJoint, &bool)| *kept && forest.role(joint.link) == Role::Loop;
    if !joints.iter().zip(&kept).any(is_lost) {
        return forest;
    }
    let mut keeps = vec![false; graph.all_links().count()];
    for (joint, kept) in joints.iter().zip(kept) {
        keeps[joint.link.0 as usize] = kept;
    }
    Forest::grow_keeping(graph, |link| keeps[link.0 as usize])
}

/// Spanning forest of a model, with its particles marked as points, and the rows of its constraints, which follow the loop-closure
/// joints.
pub(crate) fn spanning_forest<T: Lane>(model: &Model) -> Option<(ArticulatedForest<T>, Vec<CouplingRows>)> {
    let (graph, forest) = joint_forest(model);
    forest_of(model, &graph, &forest)
}

/// The spanning forest that keeps joints with efforts in the trees, where those are implicit, if that of
/// the model does not: efforts of a joint that closes a loop are explicit (`dynamics/joint_efforts.rs`).
fn forest_of_efforts(model: &Model, settings: &Settings, graph: &Graph, forest: &Forest) -> Option<Forest> {
    let is_implicit = matches!(settings.integrator, Integrator::SemiImplicitEuler | Integrator::TimeStepping)
        && settings.efforts == EffortRule::Implicit
        && settings.coordinates != Coordinates::Joints;
    let is_taken = |joint: &ModelJoint| {
        let closed_form = joint.kind.about().closed_form;
        joint.has_forces()
            && joint.driven.is_none()
            && matches!(closed_form, ClosedForm::Revolute | ClosedForm::Prismatic)
    };
    let closes_loop = |joint: &ModelJoint| is_taken(joint) && forest.role(joint.link) == Role::Loop;
    if !is_implicit || !model.joints.iter().any(closes_loop) {
        return None;
    }
    let mut is_preferred = vec![false; graph.all_links().count()];
    for joint in model.joints.iter().filter(|joint| is_taken(joint)) {
        is_preferred[joint.link.0 as usize] = true;
    }
    let grown = Forest::grow_preferring(graph, |link| is_preferred[link.0 as usize]);
    let kept = kept_joints(&model.bodies, &model.joints);
    let is_lost = |(joint, kept): (&ModelJoint, &bool)| *kept && grown.role(joint.link) == Role::Loop;
    let has_all = !model.joints.iter().zip(&kept).any(is_lost);
    has_all.then_some(grown)
}

fn forest_of<T: Lane>(
    model: &Model,
    graph: &Graph,
    forest: &Forest,
) -> Option<(ArticulatedForest<T>, Vec<CouplingRows>)> {
    let forms = forms(model, graph, forest);
    let (mut forest, coupling_rows) = match model.constraints.is_empty() {
        true => (ArticulatedForest::new(graph, forest, &forms)?, Vec::new()),
        false => {
            let of_joints = ArticulatedForest::new(graph, forest, &forms)?;
            let (rows, couplings): (Vec<_>, Vec<_>) = couplings(model, &of_joints)?.into_iter().unzip();
            (ArticulatedForest::with_couplings(graph, forest, &forms, &couplings)?, rows)
        }
    };
    for (i, body) in model.bodies.iter().enumerate() {
        if !model.bodies[i].kind.has_orientation() {
            forest.make_point(forest.place(body.block));
        }
    }
    Some((forest, coupling_rows))
}

impl ArticulatedSystem {
    /// Makes the solver, if the model and the settings allow it. Requirements: bodies of one space,
    /// joints between two bodies, no user constraints but couplers, gears and followed points
    /// (`coupling.rs`), no auxiliary joints, no lock with more than three rows, no Baumgarte
    /// stabilization.
    pub(crate) fn new(model: &Model, settings: &Settings) -> Option<Self> {
        Self::build(model, settings, true)
    }

    /// As [`new`](ArticulatedSystem::new), but all loop-closure joints are eliminated where their ends meet.
    pub(crate) fn without_legs(model: &Model, settings: &Settings) -> Option<Self> {
        Self::build(model, settings, false)
    }

    fn build(model: &Model, settings: &Settings, has_legs: bool) -> Option<Self> {
        let feedback = matches!(settings.stabilization, Stabilization::Baumgarte { .. });
        let apart = model.joints.iter().any(|joint| model.graph.is_auxiliary(joint.link));
        if model.first_general().is_some() {
            return None;
        }
        if feedback || apart || model.bodies.is_empty() || !is_of_one_kind(model) {
            return None;
        }
        // A joint that is eliminated by its rows has at most three of them.
        let wide =
            |joint: &ModelJoint| joint.kind.about().closed_form == ClosedForm::Rows && joint.rows() > 3;
        if model.joints.iter().any(wide) {
            return None;
        }
        let (graph, grown) = joint_forest(model);
        let preferred = forest_of_efforts(model, settings, &graph, &grown);
        let (mut forest, coupling_rows) = forest_of(model, &graph, preferred.as_ref().unwrap_or(&grown))?;
        if !has_legs {
            forest.forget_legs();
        }
        let mut body_nodes: Vec<BodyNode> = Vec::with_capacity(forest.len());
        for at in 0..forest.len() {
            let (block, link) = forest.at(at);
            let body_node =
                BodyNode::new(model, block.0 as usize, link.map(|l| l.0 as usize), body_nodes.last());
            body_nodes.push(body_node);
        }
        for (at, body_node) in body_nodes.iter().enumerate() {
            forest.use_leaf_kernel(at);
            if body_node.is_free_hinge {
                forest.use_one_dof_kernel(at);
            }
            if body_node.is_ball {
                forest.use_ball_kernel(at);
            }
            if body_node.tree_joint.as_ref().is_some_and(|tree_joint| !tree_joint.onto_b()) {
                forest.set_reversed(at);
            }
        }
        forest.trim();
        let of_joints = forest.closures().len() - coupling_rows.len();
        let loop_joints: Vec<LoopJoint> = forest.closures()[..of_joints]
            .iter()
            .map(|c| LoopJoint::new(model, c.link().0 as usize))
            .collect();
        let has_closures = !forest.closures().is_empty();
        let few = body_nodes.len() < LARGE_SYSTEM;
        let armature = |body_node: &BodyNode| {
            body_node.tree_joint.as_ref().map_or(0.0, |joint| model.joints[joint.index as usize].armature)
        };
        let armatures: Vec<f64> = match model.has_armature() {
            true => body_nodes.iter().map(armature).collect(),
            false => Vec::new(),
        };
        forest.joint_inertias_mut().clone_from(&armatures);
        Some(ArticulatedSystem {
            redundant: 0,
            disagreement: None,
            keeps_gaps: few || has_closures || model.has_inequalities(),
            gaps: if few { vec![JointGap::default(); body_nodes.len()] } else { Vec::new() },
            loop_gaps: vec![JointGap::default(); loop_joints.len()],
            scratch: match !has_closures && !model.has_inequalities() {
                true => Vec::new(),
                false => vec![LoadSum::default(); body_nodes.len()],
            },
            pending: vec![LoadSum::default(); forest.depth()],
            answers: Vec::with_capacity(if few { body_nodes.len() } else { 0 }),
            efforts: Vec::new(),
            armatures,
            factored: Vec::with_capacity(model.q_len),
            mass_forces: Vec::with_capacity(if few { body_nodes.len() } else { 0 }),
            is_small: few,
            accelerates_from_state: state_accel::applies(model, settings, &body_nodes, &loop_joints),
            joint_frames: Vec::new(),
            inertias: Vec::new(),
            knows_pose: false,
            aside: None,
            loop_frames: vec![JointFrames::default(); loop_joints.len()],
            loops_are_hinges_or_balls: settings.geometry_tolerance == 0.0
                && loop_joints.iter().all(|loop_joint| loop_joint.joint.is_hinge_or_ball()),
            closes_forest: body_nodes.iter().all(BodyNode::closes),
            are_hinges_or_balls: settings.geometry_tolerance == 0.0
                && body_nodes
                    .iter()
                    .all(|body_node| body_node.tree_joint.as_ref().is_none_or(TreeJoint::is_hinge_or_ball))
                && loop_joints.iter().all(|loop_joint| loop_joint.joint.is_hinge_or_ball()),
            predicts_loops: settings.geometry_tolerance == 0.0
                && body_nodes.iter().all(|body_node| {
                    body_node.kind == BodyKind::Rigid
                        && body_node.tree_joint.as_ref().is_none_or(TreeJoint::is_closed_pair)
                })
                && loop_joints.iter().all(|loop_joint| loop_joint.joint.is_hinge_or_ball()),
            displacements: vec![Six::ZERO; if loop_joints.is_empty() { 0 } else { body_nodes.len() }],
            floats: body_nodes.iter().any(|body_node| body_node.tree_joint.is_none()),
            on_ground: (0u32..)
                .zip(&body_nodes)
                .filter(|(_, body_node)| body_node.tree_joint.is_some() && body_node.is_root(model))
                .map(|(at, _)| at)
                .collect(),
            node_of_body: model.bodies.iter().map(|body| forest.place(body.block) as u32).collect(),
            tolerance: settings.geometry_tolerance,
            length: model.length(),
            has_loads: true,
            is_never_refined: unrefined::is_never_refined(model, settings, has_closures),
            fault: settings.fault,
            forest,
            result_slots: body_nodes.iter().map(ResultSlot::of).collect(),
            body_nodes,
            loop_joints,
            coupling_rows,
            instant: CouplingInstant::initial(model),
        })
    }
}

/// The first joint whose armature the elimination cannot take, and what it would need.
pub(crate) fn armature_misfit(model: &Model) -> Option<(usize, &'static str)> {
    let first = model.joints.iter().position(|joint| joint.armature != 0.0)?;
    let Some(system) = ArticulatedSystem::new(model, &Settings::default()) else {
        let why = "bodies of one space and joints between two of them: no bodies with coordinates of their own, no \
                   constraints but couplers, gears and followed points, no locks of more than three rows";
        return Some((first, why));
    };
    let mut suits = vec![false; model.joints.len()];
    for (node, body_node) in system.body_nodes.iter().enumerate() {
        let Some(tree_joint) = &body_node.tree_joint else { continue };
        let has_one_freedom = matches!(tree_joint.shape(), ClosedForm::Revolute | ClosedForm::Prismatic)
            && system.forest.nodes()[node].form() == Form::Freedoms(1);
        suits[tree_joint.index as usize] = has_one_freedom;
    }
    let unsuited = |(j, joint): (usize, &ModelJoint)| joint.armature != 0.0 && !suits[j];
    let joint = model.joints.iter().enumerate().position(unsuited)?;
    Some((
        joint,
        "a revolute or prismatic joint of the spanning tree (not one that closes a loop) whose coordinate no law prescribes",
    ))
}
