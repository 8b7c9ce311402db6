//! Assembly: descriptions go in, checked once, and a model comes out.
//!
//! | file | what it does |
//! |---|---|
//! | `names.rs` | automatic names, and that each is there once |
//! | `check.rs` | numbers that cannot be |
//! | `attach.rs` | frames from centres of mass, carriers of general bodies |
//! | `bodies.rs`, `joints.rs`, `constraints.rs`, `contacts.rs`, `forces.rs` | parts of a model from their descriptions |
//! | `start.rs` | the state that it starts from |

mod attach;
mod bodies;
mod check;
mod constraints;
mod contacts;
mod forces;
mod joints;
mod names;
mod start;

use super::{
    BodyId, BuildError, ConstraintId, End, ForceId, Id, IdSource, ImpulseId, InequalityId, JointId, Model,
    ProbeId, ShapeId,
};
use crate::body::{Body, PlacedShape};
use crate::constraint::{Coupler, MotorFollow, UserConstraint};
use crate::contact::{ContactShape, Material, PairRule, ShapeTags};
use crate::force::{Force, Gravity};
use crate::impulse::TimedImpulse;
use crate::inequality::Inequality;
use crate::joint::{Joint, MAX_COORDINATES};
use crate::math::Vec3;
use attach::carry;
use bodies::BodyTable;
use cardan_solve::Graph;
use check::{check_body, finite, unit};
use joints::{JointTable, resolve_frictions};
use start::{initial_state, start};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A named point to report.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Probe {
    /// Unique name; empty for an automatic one.
    pub name: String,
    /// The body it sits on.
    pub body: End,
    /// The point in the body frame.
    pub point: Vec3,
}

/// A constraint as it was described.
#[derive(Clone, Debug)]
pub(crate) enum ConstraintSpec {
    User(UserConstraint),
    Coupler(Coupler),
    Follow(MotorFollow),
}

impl ConstraintSpec {
    pub(crate) fn name(&self) -> &String {
        match self {
            ConstraintSpec::User(user) => &user.name,
            ConstraintSpec::Coupler(coupler) => &coupler.name,
            ConstraintSpec::Follow(follow) => &follow.name,
        }
    }
    pub(crate) fn name_mut(&mut self) -> &mut String {
        match self {
            ConstraintSpec::User(user) => &mut user.name,
            ConstraintSpec::Coupler(coupler) => &mut coupler.name,
            ConstraintSpec::Follow(follow) => &mut follow.name,
        }
    }
}

/// Where parts are that are under way already.
pub(crate) struct RunningState<'a> {
    pub(crate) time: f64,
    pub(crate) time_remainder: f64,
    /// Coordinates and velocities of every body.
    pub(crate) bodies: &'a [(&'a [f64], &'a [f64])],
    /// How fast every body swings by itself, as described [rad/s].
    pub(crate) natural_frequencies: &'a [f64],
    /// Angles of the coordinates of every joint, turns counted, where that was done already.
    pub(crate) turns: &'a [Option<[f64; MAX_COORDINATES]>],
}

/// Collects descriptions and checks them.
///
/// ```
/// use cardan::prelude::*;
///
/// let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
/// let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) });
/// parts.add_joint(Joint::spherical(Ground, rod, [0.0, 0.0, 0.0]));
/// let mut sim = Simulation::new(parts.build()?);
/// sim.step(1e-3)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ModelBuilder {
    pub(crate) gravity: Gravity,
    /// Without their shapes, which are in `visuals`: many bodies look like the one before.
    pub(crate) bodies: Vec<Body>,
    pub(crate) visuals: Vec<Arc<[PlacedShape]>>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) constraints: Vec<ConstraintSpec>,
    pub(crate) inequalities: Vec<Inequality>,
    pub(crate) shapes: Vec<ContactShape>,
    pub(crate) pair_rules: Vec<(End, End, PairRule)>,
    /// Index of a shape → its collision group and its name.
    pub(crate) shape_tags: BTreeMap<u32, ShapeTags>,
    pub(crate) forces: Vec<Force>,
    pub(crate) impulses: Vec<TimedImpulse>,
    pub(crate) probes: Vec<Probe>,
    pub(crate) auxiliary: Vec<JointId>,
    /// Whose ids it gives.
    pub(crate) id_source: IdSource,
}

impl Default for ModelBuilder {
    /// An empty model without gravity.
    fn default() -> Self {
        ModelBuilder::new(Gravity::ZERO)
    }
}

impl ModelBuilder {
    /// An empty model under gravity.
    pub fn new(gravity: Gravity) -> Self {
        ModelBuilder { id_source: IdSource::next(), ..ModelBuilder::unnumbered(gravity) }
    }
    /// A builder for parts that have ids already.
    pub(crate) fn unnumbered(gravity: Gravity) -> Self {
        ModelBuilder {
            gravity,
            bodies: Vec::new(),
            visuals: Vec::new(),
            joints: Vec::new(),
            constraints: Vec::new(),
            inequalities: Vec::new(),
            shapes: Vec::new(),
            pair_rules: Vec::new(),
            shape_tags: BTreeMap::new(),
            forces: Vec::new(),
            impulses: Vec::new(),
            probes: Vec::new(),
            auxiliary: Vec::new(),
            id_source: IdSource::ANY,
        }
    }
    fn id<I: Id>(&self, count: usize) -> I {
        I::new(count as u32 - 1, 0, self.id_source)
    }
    /// Adds a body.
    pub fn add_body(&mut self, mut body: Body) -> BodyId {
        let shapes = std::mem::take(&mut body.shapes);
        let visual = match self.visuals.last() {
            Some(last) if **last == *shapes => last.clone(),
            _ => shapes.into(),
        };
        self.visuals.push(visual);
        self.bodies.push(body);
        self.id(self.bodies.len())
    }
    /// Adds a joint.
    pub fn add_joint(&mut self, joint: Joint) -> JointId {
        self.joints.push(joint);
        self.id(self.joints.len())
    }
    /// Makes the rows of a joint auxiliary: they are solved by a Schur complement (Baraff 1996, §8), whether the joint closes a loop or
    /// not. Only rounding and time depend on it.
    pub fn make_auxiliary(&mut self, joint: JointId) {
        self.auxiliary.push(joint);
    }
    /// Adds a constraint of the user's.
    pub fn add_constraint(&mut self, constraint: UserConstraint) -> ConstraintId {
        self.constraints.push(ConstraintSpec::User(constraint));
        self.id(self.constraints.len())
    }
    /// Adds conditions between joint coordinates.
    pub fn add_coupler(&mut self, coupler: Coupler) -> ConstraintId {
        self.constraints.push(ConstraintSpec::Coupler(coupler));
        self.id(self.constraints.len())
    }
    /// Adds a point that follows a path, held there by motors at joints; what they give is reported with their joints.
    pub fn add_follow(&mut self, follow: MotorFollow) -> ConstraintId {
        self.constraints.push(ConstraintSpec::Follow(follow));
        self.id(self.constraints.len())
    }
    /// Adds a condition g ≥ 0, which pushes where it is reached and never pulls.
    pub fn add_inequality(&mut self, inequality: Inequality) -> InequalityId {
        self.inequalities.push(inequality);
        self.id(self.inequalities.len())
    }
    /// Adds a shape that keeps others away.
    pub fn add_shape(&mut self, shape: ContactShape) -> ShapeId {
        self.shapes.push(shape);
        self.id(self.shapes.len())
    }
    /// Says whether two bodies meet; by default they do, unless a joint connects them.
    pub fn set_collision(&mut self, a: impl Into<End>, b: impl Into<End>, meets: bool) {
        let rule = PairRule { meets: Some(meets), ..PairRule::default() };
        self.pair_rules.push((a.into(), b.into(), rule));
    }
    /// Puts a shape into a collision group: shapes of the same group never meet. A robot of n links whose links pass
    /// through each other is one group, instead of n²/2 pairs.
    pub fn set_shape_group(&mut self, shape: ShapeId, group: u32) {
        self.shape_tags.entry(shape.place()).or_default().group = Some(group);
    }
    /// Names a shape: events and reports say which of the shapes of a body, or of the ground, was touched.
    pub fn set_shape_name(&mut self, shape: ShapeId, name: impl Into<String>) {
        self.shape_tags.entry(shape.place()).or_default().name = Some(name.into());
    }
    /// Says what counts between two bodies, in the place of what their materials say.
    pub fn material_between(&mut self, a: impl Into<End>, b: impl Into<End>, material: Material) {
        let rule = PairRule { material: Some(material), ..PairRule::default() };
        self.pair_rules.push((a.into(), b.into(), rule));
    }
    /// Adds a force.
    pub fn add_force(&mut self, force: Force) -> ForceId {
        self.forces.push(force);
        self.id(self.forces.len())
    }
    /// Adds an impulse that acts when its time comes; the step is cut there.
    pub fn add_impulse(&mut self, impulse: TimedImpulse) -> ImpulseId {
        self.impulses.push(impulse);
        self.id(self.impulses.len())
    }
    /// Adds a probe.
    pub fn add_probe(&mut self, probe: Probe) -> ProbeId {
        self.probes.push(probe);
        self.id(self.probes.len())
    }

    /// Checks everything, once, and connects the parts.
    pub fn build(self) -> Result<Model, BuildError> {
        self.build_at(None)
    }

    /// A model of parts that run already: its initial state is their present one, not that of the descriptions.
    pub(crate) fn build_at(mut self, now: Option<RunningState<'_>>) -> Result<Model, BuildError> {
        self.name_parts();
        self.check_names()?;
        for body in &mut self.bodies {
            body.rot = unit("body", &body.name, body.rot)?;
        }
        finite("model", "gravity", "gravity", self.gravity.0)?;
        for (body, visual) in self.bodies.iter().zip(&self.visuals) {
            check_body(body, visual)?;
        }

        let mut graph = Graph::new();
        let mut body_table = self.resolve_bodies(&mut graph);
        let mut table = self.resolve_joints(&body_table.bodies, &mut graph)?;
        let (mut constraints, as_posed) =
            self.resolve_constraints(&body_table.bodies, &mut table, &mut graph)?;
        let mut inequalities = self.resolve_inequalities(&mut table.joints)?;
        let mut frictions = resolve_frictions(self.id_source, &mut table.joints)?;
        let mut contacts = self.resolve_contacts(&table.joints)?;
        let mut forces = self.resolve_forces()?;
        let mut probes = self.resolve_probes()?;
        let mut impulses = self.resolve_impulses()?;

        let ends = table.joints.iter_mut().flat_map(|joint| [&mut joint.a, &mut joint.b]);
        let ends = ends.chain(constraints.iter_mut().flat_map(|c| &mut c.frames));
        let ends = ends.chain(forces.iter_mut().flat_map(|f| &mut f.frames));
        let ends = ends.chain(impulses.iter_mut().map(|impulse| &mut impulse.at));
        let ends = ends.chain(probes.iter_mut().map(|probe| &mut probe.at));
        let ends = ends.chain(inequalities.iter_mut().flat_map(|i| &mut i.frames));
        let ends = ends.chain(frictions.iter_mut().flat_map(|f| &mut f.frames));
        let ends = ends.chain(contacts.shapes.iter_mut().map(|shape| &mut shape.at));
        let carriers = carry(&self.bodies, &mut body_table.bodies, &mut ends.collect::<Vec<_>>());
        graph.shrink_to_fit();

        let forest = crate::step::grow_forest(&graph, &body_table.bodies, &table.joints);
        let (initial, stiffest_body) =
            initial_state(&self.bodies, &body_table, (&table, &constraints, &inequalities), now.as_ref());
        let BodyTable { bodies, runs, q_len, v_len } = body_table;
        let JointTable { joints, drives, turn_len, sum_len, .. } = table;
        let mut model = Model {
            id_source: self.id_source,
            gravity: self.gravity.0,
            stiffest_body,
            bodies,
            carriers,
            runs,
            joints,
            drives,
            constraints,
            inequalities,
            frictions,
            contacts,
            forces,
            impulses,
            probes,
            graph: Arc::new(graph),
            forest,
            q_len,
            v_len,
            turn_len,
            sum_len,
            initial,
            coupler_offsets: Vec::new(),
            joint_order: std::sync::OnceLock::new(),
        };
        if let Some((joint, why)) = crate::step::armature_misfit(&model) {
            return Err(BuildError::Armature { joint: model.joints[joint].name.clone(), why });
        }
        start(&mut model, as_posed, now.as_ref());
        for (described, made) in self.bodies.iter_mut().zip(&mut model.bodies) {
            made.name = std::mem::take(&mut described.name);
        }
        Ok(model)
    }
}
