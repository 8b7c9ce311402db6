//! Assembly: descriptions go in, checked once, and a model comes out.

use super::{
    Attachment, BodyId, BuildError, ConstraintId, End, ForceId, Id, IdSource, ImpulseId, InequalityId,
    JointId, Model, ModelBody, ModelConstraint, ModelDrive, ModelForce, ModelFriction, ModelInequality,
    ModelJoint, ModelProbe, ProbeId, ShapeId,
};
use crate::body::general::{self, Carrier, GeneralBody, GeneralMotion, Motions};
use crate::body::{Body, Frame, PlacedShape};
use crate::constraint::{Constraint, CoupledCoordinate, Coupler, ModelCoupler, MotorFollow, UserConstraint};
use crate::contact::{ContactShape, Contacts, Material, ModelShape, PairRule, Shape};
use crate::force::{Force, ForceKind, Gravity};
use crate::impulse::{ModelImpulse, TimedImpulse};
use crate::inequality::{Inequality, InequalityOrigin, JointLimit, LimitSide, limit::limit};
use crate::joint::drive::Driven;
use crate::joint::{
    Anchor, Axes, Drive, DriveMode, DryFriction, Effort, EffortKind, Joint, JointKind, MAX_COORDINATES,
    Placement, Plane, misfit,
};
use crate::math::{Quat, Vec3};
use crate::state::State;
use cardan_solve::{Block, Forest, Graph};
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
    pub(crate) time_rest: f64,
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
/// use cardan::{Body, End::Ground, Gravity, Joint, ModelBuilder, Simulation, math::vec3};
/// let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
/// let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) });
/// parts.add_joint(Joint::spherical(Ground, rod, [0.0, 0.0, 0.0]));
/// let mut sim = Simulation::new(parts.build()?);
/// sim.step(1e-3)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
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
    pub(crate) forces: Vec<Force>,
    pub(crate) impulses: Vec<TimedImpulse>,
    pub(crate) probes: Vec<Probe>,
    pub(crate) auxiliary: Vec<JointId>,
    /// Whose ids it gives.
    pub(crate) id_source: IdSource,
}

impl ModelBuilder {
    /// An empty model under gravity.
    pub fn new(gravity: Gravity) -> Self {
        ModelBuilder { gravity, id_source: IdSource::next(), ..Default::default() }
    }
    /// The same for parts that have ids already.
    pub(crate) fn unnumbered(gravity: Gravity) -> Self {
        ModelBuilder { gravity, ..Default::default() }
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
    /// Has a joint solved apart from the others, by anticipation (Baraff 1996, §8), whether it closes a loop or not. Nothing but rounding and
    /// time depend on it.
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
        let rule = PairRule { meets: Some(meets), material: None };
        self.pair_rules.push((a.into(), b.into(), rule));
    }
    /// Says what counts between two bodies, in the place of what their materials say.
    pub fn material_between(&mut self, a: impl Into<End>, b: impl Into<End>, material: Material) {
        let rule = PairRule { meets: None, material: Some(material) };
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

    /// The same for parts that are under way already: the initial state is theirs then, and not that of the descriptions.
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
        let mut bodies = Vec::with_capacity(self.bodies.len());
        let mut runs: Vec<(crate::BodyKind, usize)> = Vec::new();
        let (mut q_len, mut v_len) = (0, 0);
        for (body, visual) in self.bodies.iter().zip(&self.visuals) {
            match runs.last_mut() {
                Some((kind, count)) if *kind == body.kind => *count += 1,
                _ => runs.push((body.kind, 1)),
            }
            let block = graph.add_block(body.kind.dim());
            let before: Option<&ModelBody> = bodies.last();
            let mass = match before {
                Some(before) if *before.mass == body.mass => before.mass.clone(),
                _ => Arc::new(body.mass),
            };
            bodies.push(ModelBody {
                // That of the description, once nobody asks for it there any more.
                name: String::new(),
                kind: body.kind,
                mass,
                shapes: visual.clone(),
                block,
                q_at: q_len as u32,
                v_at: v_len as u32,
                general: None,
            });
            q_len += body.kind.coordinates();
            v_len += body.kind.dim();
        }

        let mut row_at = 0;
        let mut turn_len = 0;
        let mut sum_len = 0;
        let mut drives = Vec::new();
        let mut joints = Vec::with_capacity(self.joints.len());
        for j in 0..self.joints.len() {
            let joint = &self.joints[j];
            let mut made = self.resolve_joint(joint)?;
            for drive in prescribed(joint, made.plane.is_some())? {
                let driven = made
                    .driven
                    .get_or_insert_with(|| Box::new(Driven { zero: joint.zero, ..Driven::default() }));
                driven.by[drive.coordinate] = Some(drives.len() as u32);
                made.row_count += 1;
                let integrated = drive.level != DriveMode::Position && drive.law.integrals(0.0).is_none();
                drives.push(ModelDrive {
                    joint: joints.len(),
                    coordinate: drive.coordinate,
                    level: drive.level,
                    law: drive.law.clone(),
                    start: [0.0; 2],
                    sums_at: integrated.then_some(sum_len),
                });
                sum_len += usize::from(integrated);
            }
            let block = |end: Option<usize>| end.map(|i| bodies[i].block);
            made.link = graph.add_link(made.rows(), &[block(made.a.body()), block(made.b.body())]);
            made.first_row = row_at as u32;
            row_at += made.rows();
            made.first_turn = turn_len as u32;
            for k in (0..MAX_COORDINATES).filter(|&k| joint.kind.counts_turns(k)) {
                made.counted |= 1 << k;
                turn_len += 1;
            }
            made.name = std::mem::take(&mut self.joints[j].name);
            joints.push(made);
        }

        for id in &self.auxiliary {
            let joint = joints.get(id.index()).filter(|_| id.generation == 0);
            graph.set_auxiliary(joint.ok_or(BuildError::UnknownJoint)?.link);
        }

        let mut constraints = Vec::with_capacity(self.constraints.len());
        let mut as_posed = Vec::new();
        for added in std::mem::take(&mut self.constraints) {
            let (name, kind) = (
                added.name().clone(),
                match &added {
                    ConstraintSpec::User(user) => user.rule.kind(),
                    ConstraintSpec::Coupler(coupler) => coupler.kind,
                    ConstraintSpec::Follow(_) => "follow",
                },
            );
            let by_motors = matches!(added, ConstraintSpec::Follow(_));
            let (frames, rule) = match added {
                ConstraintSpec::User(user) => {
                    let frames = self.resolve_frames("constraint", &name, kind, &user.frames, |end| {
                        user.rule.needs_orientation(end)
                    })?;
                    (frames, user.rule)
                }
                ConstraintSpec::Coupler(coupler) => {
                    let (frames, made) = couple(&coupler, &mut joints)?;
                    let posed: Vec<bool> = coupler.equations.iter().map(|e| e.offset.is_none()).collect();
                    as_posed.push((constraints.len(), made.clone(), posed));
                    (frames, Arc::new(made) as Arc<dyn Constraint>)
                }
                ConstraintSpec::Follow(follow) => {
                    let point =
                        self.resolve_frames("constraint", &name, kind, &[follow.frame()], |_| false)?;
                    let (frames, follow) = hold_by_motors(follow, point, row_at, &mut joints)?;
                    (frames, Arc::new(follow) as Arc<dyn Constraint>)
                }
            };
            let rows = rule.rows();
            let empty = |what| Err(BuildError::EmptyConstraint { name: name.clone(), what });
            if rows == 0 {
                return empty("rows");
            }
            if frames.iter().all(|f| f.body().is_none()) {
                return empty("frame on a body");
            }
            let ends: Vec<Option<Block>> = frames.iter().map(|f| f.body().map(|i| bodies[i].block)).collect();
            let link = graph.add_link(rows, &ends);
            let pushed = rule.pushes_elsewhere();
            if pushed {
                graph.set_force_columns(link);
            } else if rule.is_auxiliary() {
                graph.set_auxiliary(link);
            }
            constraints.push(ModelConstraint { name, rule, frames, link, row_at, rows, pushed, by_motors });
            row_at += rows;
        }

        let mut inequalities = self.resolve_inequalities(&mut joints)?;
        let mut frictions = resolve_frictions(&mut joints)?;
        let mut contacts = self.resolve_contacts(&joints)?;

        let mut forces = Vec::with_capacity(self.forces.len());
        for force in std::mem::take(&mut self.forces) {
            let kind = force.kind;
            if kind.frames().is_some_and(|n| n != force.frames.len()) {
                let (name, what) = (force.name, kind.name());
                return Err(BuildError::WrongFrames { name, what, have: force.frames.len() });
            }
            if let ([(a, _), (b, _)], Some(2)) = (&force.frames[..], kind.frames())
                && a == b
            {
                let end = self.lookup("force", &force.name, *a)?.map_or("ground", |(_, body)| &body.name);
                return Err(BuildError::ForceOnItself { force: force.name.clone(), end: end.to_string() });
            }
            for (field, value, not_negative) in kind.parameters() {
                check_number("force", &force.name, field, value, not_negative)?;
            }
            if let ForceKind::Scheduled(scheduled) = &kind {
                let (part, name, law) = ("force", force.name.clone(), scheduled.law.name());
                scheduled.law.check().map_err(|error| BuildError::Law { part, name, law, error })?;
            }
            let frames = self.resolve_frames("force", &force.name, kind.name(), &force.frames, |end| {
                kind.needs_orientation(end)
            })?;
            forces.push(ModelForce { name: force.name, kind, frames });
        }

        let mut probes = Vec::with_capacity(self.probes.len());
        for probe in &self.probes {
            let at =
                self.attach("probe", &probe.name, "point", probe.body, &Frame::at(probe.point), false)?;
            probes.push(ModelProbe { name: probe.name.clone(), at });
        }

        let mut impulses = Vec::with_capacity(self.impulses.len());
        for (i, impulse) in self.impulses.iter().enumerate() {
            impulses.push(self.resolve_impulse(i, impulse)?);
        }
        // Those of one time in the order in which they were added.
        impulses.sort_by(|a: &ModelImpulse, b: &ModelImpulse| a.time.total_cmp(&b.time));

        let ends = joints.iter_mut().flat_map(|joint| [&mut joint.a, &mut joint.b]);
        let ends = ends.chain(constraints.iter_mut().flat_map(|c| &mut c.frames));
        let ends = ends.chain(forces.iter_mut().flat_map(|f| &mut f.frames));
        let ends = ends.chain(impulses.iter_mut().map(|impulse| &mut impulse.at));
        let ends = ends.chain(probes.iter_mut().map(|probe| &mut probe.at));
        let ends = ends.chain(inequalities.iter_mut().flat_map(|i| &mut i.frames));
        let ends = ends.chain(frictions.iter_mut().flat_map(|f| &mut f.frames));
        let ends = ends.chain(contacts.shapes.iter_mut().map(|shape| &mut shape.at));
        let carriers = carry(&self.bodies, &mut bodies, &mut ends.collect::<Vec<_>>());
        graph.shrink_to_fit();

        let forest = Forest::grow(&graph);
        let user_rows: usize = constraints.iter().map(|c| c.rows).sum();
        let mut initial = State::zeros(q_len, v_len, turn_len, sum_len, joints.len() + user_rows);
        initial.belong_to(&bodies, &joints, &constraints, &inequalities);
        for (body, entry) in self.bodies.iter().zip(&bodies) {
            let (q, v) = (entry.q_range(), entry.v_range());
            body.kind.initial(body, &mut initial.q[q], &mut initial.v[v]);
        }
        // As described: what it is must not depend on when a model is built.
        let stiffest_body = stiffest_body(&bodies, &initial, now.as_ref().map(|now| now.natural_frequencies));
        if let Some(now) = &now {
            initial.time = now.time;
            initial.time_rest = now.time_rest;
            initial.sums_time = now.time;
            for (entry, (q, v)) in bodies.iter().zip(now.bodies) {
                initial.q[entry.q_range()].copy_from_slice(q);
                initial.v[entry.v_range()].copy_from_slice(v);
            }
        }
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
        };
        let mut initial = std::mem::take(&mut model.initial);
        crate::measure::coordinates::start_turns(&model, &mut initial);
        let counted = now.iter().flat_map(|now| now.turns).zip(&model.joints);
        for (turns, joint) in counted.filter_map(|(turns, joint)| Some((turns.as_ref()?, joint))) {
            for (at, turn) in joint.turns_at().into_iter().zip(turns) {
                if let Some(at) = at {
                    initial.turns[at] = *turn;
                }
            }
        }
        let starts = crate::measure::coordinates::starts_of_drives(&model, &initial);
        model.drives.iter_mut().zip(starts).for_each(|(drive, start)| drive.start = start);
        if let Some(now) = &now {
            model.drives.iter_mut().for_each(|drive| drive.start_at(now.time, &mut initial.sums));
        }
        if !as_posed.is_empty() {
            let mut motions = Motions::new(&model);
            crate::step::write_motions(&model, &initial, &mut motions);
            for (index, mut coupled, posed) in as_posed {
                let constraint = &mut model.constraints[index];
                let frames: Vec<_> =
                    constraint.frames.iter().map(|at| crate::step::frame(&motions, at)).collect();
                coupled.settle(&frames, &initial.turns, &posed);
                model.coupler_offsets.push((index, coupled.offsets.clone()));
                constraint.rule = Arc::new(coupled);
            }
        }
        model.initial = initial;
        for (described, made) in self.bodies.iter_mut().zip(&mut model.bodies) {
            made.name = std::mem::take(&mut described.name);
        }
        Ok(model)
    }

    /// Limits of joints in their order, the lower one first, then what was described.
    fn resolve_inequalities(
        &mut self,
        joints: &mut [ModelJoint],
    ) -> Result<Vec<ModelInequality>, BuildError> {
        let mut made = Vec::new();
        for (j, joint) in self.joints.iter().enumerate() {
            for described in &joint.limits {
                let JointLimit { coordinate, low, high, restitution } = *described;
                let name = &joints[j].name.clone();
                let (kind, in_plane) = (joint.kind, joints[j].plane.is_some());
                if !kind.can_be_driven(coordinate, in_plane) {
                    let have = (0..MAX_COORDINATES).filter(|&k| kind.can_be_driven(k, in_plane)).count();
                    let (joint, kind) = (name.clone(), kind.name());
                    return Err(BuildError::NoCoordinate { joint, kind, coordinate, have });
                }
                if low > high || low.is_nan() || high.is_nan() {
                    return Err(BuildError::Limits { joint: name.clone(), coordinate, low, high });
                }
                check_restitution("joint", name, restitution)?;
                for (side, value) in [(LimitSide::Low, low), (LimitSide::High, high)] {
                    if value.is_finite() {
                        joints[j].coupled = true;
                        made.push(ModelInequality {
                            name: name.clone(),
                            origin: InequalityOrigin::Limit { joint: j, coordinate, side },
                            restitution,
                            rule: Arc::new(limit(&joints[j], coordinate, side, value)),
                            frames: vec![joints[j].a, joints[j].b],
                        });
                    }
                }
            }
        }
        for described in std::mem::take(&mut self.inequalities) {
            let Inequality { name, frames, rule, restitution } = described;
            check_restitution("inequality", &name, restitution)?;
            if rule.rows() != 1 || rule.pushes_elsewhere() {
                let (field, value) = ("number of rows", rule.rows() as f64);
                let want = "an inequality is one condition that pushes along its own gradient";
                return Err(BuildError::Number { part: "inequality", name, field, value, want });
            }
            let frames = self.resolve_frames("inequality", &name, rule.kind(), &frames, |end| {
                rule.needs_orientation(end)
            })?;
            if frames.iter().all(|f| f.body().is_none()) {
                return Err(BuildError::EmptyConstraint { name, what: "frame on a body" });
            }
            made.push(ModelInequality {
                name,
                origin: InequalityOrigin::Declared,
                restitution,
                rule,
                frames,
            });
        }
        Ok(made)
    }

    fn resolve_contacts(&self, joints: &[ModelJoint]) -> Result<Contacts, BuildError> {
        let mut contacts = Contacts::default();
        for described in &self.shapes {
            let name = match self.lookup("shape", described.shape.kind(), described.body)? {
                Some((_, body)) => body.name.clone(),
                None => "ground".to_string(),
            };
            check_material(&name, &described.material)?;
            let kind = described.shape.kind();
            let (frame, shape) = (&described.frame, described.shape.clone());
            let needs = !matches!(shape, Shape::Sphere { .. });
            let at = self.attach("shape", &name, kind, described.body, frame, needs)?;
            contacts.shapes.push(ModelShape { shape, material: described.material, at });
        }
        // Without shapes nobody asks.
        let joints = if contacts.shapes.is_empty() { &[] } else { joints };
        for joint in joints {
            contacts.rule_mut(joint.a.body(), joint.b.body()).meets = Some(false);
        }
        for &(a, b, rule) in &self.pair_rules {
            let index = |end| Ok(self.lookup("contact", "pair", end)?.map(|(index, _)| index));
            let entry = contacts.rule_mut(index(a)?, index(b)?);
            entry.meets = rule.meets.or(entry.meets);
            entry.material = rule.material.or(entry.material);
            if let Some(material) = &rule.material {
                check_material("contact", material)?;
            }
        }
        Ok(contacts)
    }

    fn name_parts(&mut self) {
        fn fill<'a>(names: impl Iterator<Item = &'a mut String>, letter: char) {
            for (i, name) in names.enumerate() {
                if name.is_empty() {
                    *name = format!("{letter}{i}");
                }
            }
        }
        fill(self.bodies.iter_mut().map(|b| &mut b.name), 'b');
        fill(self.joints.iter_mut().map(|j| &mut j.name), 'j');
        fill(self.constraints.iter_mut().map(ConstraintSpec::name_mut), 'c');
        fill(self.inequalities.iter_mut().map(|i| &mut i.name), 'i');
        fill(self.forces.iter_mut().map(|f| &mut f.name), 'f');
        fill(self.impulses.iter_mut().map(|k| &mut k.name), 'k');
        fill(self.probes.iter_mut().map(|p| &mut p.name), 'p');
    }

    fn check_names(&self) -> Result<(), BuildError> {
        // Sorted, and not in a tree of pieces, which would leave holes between what is made later. Told is the first that has been there before.
        fn unique<'a>(part: &'static str, names: impl Iterator<Item = &'a String>) -> Result<(), BuildError> {
            let mut sorted: Vec<(&str, u32)> = names.map(String::as_str).zip(0..).collect();
            sorted.sort_unstable();
            let again = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1]);
            match again.min_by_key(|&(_, at)| at) {
                Some((name, _)) => Err(BuildError::DuplicateName { part, name: name.to_string() }),
                None => Ok(()),
            }
        }
        if self.bodies.iter().any(|b| b.name == "ground") {
            return Err(BuildError::ReservedName);
        }
        unique("bodies", self.bodies.iter().map(|b| &b.name))?;
        let joints = self.joints.iter().map(|j| &j.name);
        let conditions = self.inequalities.iter().map(|i| &i.name);
        unique("joints", joints.chain(self.constraints.iter().map(ConstraintSpec::name)).chain(conditions))?;
        unique("forces", self.forces.iter().map(|f| &f.name))?;
        unique("blows", self.impulses.iter().map(|k| &k.name))?;
        unique("probes", self.probes.iter().map(|p| &p.name))
    }

    /// The description behind an end; `None` for the ground.
    fn lookup(&self, part: &'static str, name: &str, end: End) -> Result<Option<(usize, &Body)>, BuildError> {
        match end {
            End::Ground => Ok(None),
            End::Body(id) | End::Piece(id, _) => match self.bodies.get(id.index()) {
                Some(body) if id.generation == 0 => Ok(Some((id.index(), body))),
                _ => Err(BuildError::UnknownBody { part, name: name.into() }),
            },
        }
    }

    /// A frame from a body's frame becomes one from its centre of mass.
    fn attach(
        &self,
        part: &'static str,
        name: &str,
        kind: &'static str,
        end: End,
        frame: &Frame,
        needs_orientation: bool,
    ) -> Result<Attachment, BuildError> {
        finite(part, name, "attachment point", frame.pos)?;
        let frame = &Frame { pos: frame.pos, rot: unit(part, name, frame.rot)? };
        let Some((index, body)) = self.lookup(part, name, end)? else {
            return Ok(Attachment::new(None, *frame));
        };
        let piece = match end {
            End::Piece(_, piece) => piece,
            _ => 0,
        };
        let misfit = |why| BuildError::DoesNotFit {
            part,
            name: name.into(),
            kind,
            body: body.name.clone(),
            body_kind: body.kind.name(),
            why,
        };
        if let Some(figure) = &body.form {
            let Some(of) = figure.0.pieces().get(piece as usize) else {
                return Err(misfit("the body has no piece of that number"));
            };
            if needs_orientation && !of.turns() {
                return Err(misfit("a point has no orientation"));
            }
            // What meets others has a size that is known.
            if part == "shape" && !of.rigid && kind != "sphere" {
                return Err(misfit("it changes its own shape; put spheres on its points"));
            }
            if !of.turns() && frame.pos.largest() > 1e-9 * (1.0 + body.pos.largest()) {
                return Err(misfit("a point has no other points than itself; attach at [0, 0, 0]"));
            }
            let local = if of.turns() { *frame } else { Frame { pos: Vec3::ZERO, ..*frame } };
            return Ok(Attachment::on_piece(index, piece, local));
        }
        if piece != 0 {
            return Err(misfit("the body is of one piece, which has the number 0"));
        }
        if needs_orientation && !body.kind.has_orientation() {
            return Err(misfit("a point mass has no orientation"));
        }
        let pos = frame.pos - body.mass.center;
        // Rounding of an anchor given in the world is not an offset.
        if !body.kind.has_orientation() && pos.largest() > 1e-9 * (1.0 + body.pos.largest()) {
            return Err(misfit("a point mass has no other points than itself; attach at [0, 0, 0]"));
        }
        let pos = if body.kind.has_orientation() { pos } else { Vec3::ZERO };
        let local = Frame { pos, rot: frame.rot };
        Ok(Attachment::new(Some(index), local))
    }

    fn resolve_frames(
        &self,
        part: &'static str,
        name: &str,
        kind: &'static str,
        frames: &[(End, Frame)],
        needs_orientation: impl Fn(usize) -> bool,
    ) -> Result<Vec<Attachment>, BuildError> {
        let each = frames.iter().enumerate();
        each.map(|(i, (end, frame))| self.attach(part, name, kind, *end, frame, needs_orientation(i)))
            .collect()
    }

    fn resolve_impulse(
        &self,
        index: usize,
        TimedImpulse { name, time, impulse }: &TimedImpulse,
    ) -> Result<ModelImpulse, BuildError> {
        check_number("blow", name, "time", *time, true)?;
        for (field, vector) in [
            ("point", impulse.point),
            ("impulse", impulse.impulse),
            ("angular impulse", impulse.angular_impulse),
        ] {
            finite("blow", name, field, vector)?;
        }
        let frame = Frame::at(impulse.point);
        let at = self.attach("blow", name, "impulse", impulse.body, &frame, impulse.needs_orientation())?;
        if at.body().is_none() {
            return Err(BuildError::ImpulseOnGround { name: name.clone() });
        }
        let id = ImpulseId::new(index as u32, 0, self.id_source);
        Ok(ModelImpulse { id, name: name.clone(), time: *time, impulse: *impulse, at })
    }

    fn resolve_joint(&self, joint: &Joint) -> Result<ModelJoint, BuildError> {
        let name = &joint.name;
        let kind = joint.kind;
        let a = self.lookup("joint", name, joint.a)?;
        let b = self.lookup("joint", name, joint.b)?;
        let (index_a, index_b) = (a.map(|x| x.0), b.map(|x| x.0));
        if index_a == index_b {
            let end = a.map_or("ground", |(_, body)| &body.name).to_string();
            return Err(BuildError::SameBody { joint: name.clone(), end });
        }
        let (kind_a, kind_b) = (a.map(|x| x.1.kind), b.map(|x| x.1.kind));
        if let Some((on_a, why)) = misfit(kind, kind_a, kind_b)
            && let Some((_, body)) = if on_a { a } else { b }
        {
            return Err(BuildError::DoesNotFit {
                part: "joint",
                name: name.clone(),
                kind: kind.name(),
                body: body.name.clone(),
                body_kind: body.kind.name(),
                why,
            });
        }
        self.check_joint_numbers(joint)?;

        let (in_a, in_b) = Self::frames_of(joint, a.map(|x| x.1), b.map(|x| x.1))?;
        let (needs_a, needs_b) = kind.needs_orientation();
        let at_a = self.attach("joint", name, kind.name(), joint.a, &in_a, needs_a)?;
        let at_b = self.attach("joint", name, kind.name(), joint.b, &in_b, needs_b)?;

        // Between planar bodies (the ground is one of them too) a joint has only the rows of the plane.
        let flat = |k: Option<crate::body::BodyKind>| k.is_none_or(|k| k.is_planar());
        let mut plane = None;
        if flat(kind_a) && flat(kind_b) {
            for (body, frame, matters) in [(a, in_a, needs_a), (b, in_b, needs_b)] {
                let rot = body.map_or(Quat::IDENTITY, |(_, body)| body.rot) * frame.rot;
                if matters && let Some(why) = Plane::misfit(kind, rot) {
                    return Err(BuildError::NotPlanar { joint: name.clone(), kind: kind.name(), why });
                }
            }
            let rot = |body: Option<(_, &Body)>, frame: Frame| {
                body.map_or(Quat::IDENTITY, |(_, body): (usize, _)| body.rot) * frame.rot
            };
            let (rot, rot_b) = (rot(a, in_a), rot(b, in_b));
            if let JointKind::Lock { locks } = kind
                && let Some(why) = locks.misfit(rot, rot_b)
            {
                return Err(BuildError::NotPlanar { joint: name.clone(), kind: kind.name(), why });
            }
            plane = Plane::seen_from(rot);
        }
        let rows = plane.as_ref().map_or(kind.rows(), |plane| kind.rows_in(plane));
        let is_zero = joint.zero.iter().all(|zero| zero.to_bits() == 0);
        Ok(ModelJoint {
            // That of the description, once nobody asks for it there any more.
            name: String::new(),
            kind,
            springs: joint.springs.clone().into(),
            efforts: efforts_of(joint).into(),
            zeros: (!is_zero).then(|| Box::new(joint.zero)),
            a: at_a,
            b: at_b,
            plane: plane.map(Box::new),
            link: cardan_solve::Link(0),
            first_row: 0,
            row_count: rows as u8,
            counted: 0,
            first_turn: 0,
            driven: None,
            motors: None,
            coupled: false,
        })
    }

    fn check_joint_numbers(&self, joint: &Joint) -> Result<(), BuildError> {
        let name = &joint.name;
        let positive = |field, value: f64| {
            if value > 0.0 && value.is_finite() {
                return Ok(());
            }
            let want = "it must be a positive number of metres";
            Err(BuildError::Number { part: "joint", name: name.clone(), field, value, want })
        };
        if let Some((field, size)) = joint.kind.size() {
            positive(field, size)?;
        }
        if joint.kind.rows() == 0 {
            return Err(BuildError::LocksNothing { joint: name.clone() });
        }
        for zero in joint.zero {
            check_number("joint", name, "zero", zero, false)?;
        }
        for spring in &joint.springs {
            // A spring needs a coordinate that measures and pushes along one freedom.
            let have = joint.kind.acting();
            if spring.coordinate >= have {
                let (joint, kind) = (name.clone(), joint.kind.name());
                return Err(BuildError::NoCoordinate { joint, kind, coordinate: spring.coordinate, have });
            }
            check_number("joint", name, "stiffness", spring.stiffness, true)?;
            check_number("joint", name, "damping", spring.damping, true)?;
            check_number("joint", name, "rest", spring.rest, false)?;
        }
        for effort in &joint.efforts {
            let have = joint.kind.acting();
            if effort.coordinate >= have {
                let (joint, kind) = (name.clone(), joint.kind.name());
                return Err(BuildError::NoCoordinate { joint, kind, coordinate: effort.coordinate, have });
            }
            effort.check_law().map_err(|(law, error)| BuildError::Law {
                part: "joint",
                name: name.clone(),
                law,
                error,
            })?;
            for (field, value, must_be_finite) in effort.parameters() {
                if must_be_finite || value.is_nan() || value <= 0.0 {
                    check_number("joint", name, field, value, true)?;
                }
            }
        }
        Ok(())
    }

    /// The joint frames seen from the two body frames.
    pub(crate) fn frames_of(
        joint: &Joint,
        a: Option<&Body>,
        b: Option<&Body>,
    ) -> Result<(Frame, Frame), BuildError> {
        let name = &joint.name;
        let (anchor, axis, axis2) = match joint.placement {
            Placement::Frames { in_a, in_b } => return Ok((in_a, in_b)),
            Placement::World { anchor, axis, axis2 } => (anchor, axis, axis2),
        };
        let no_axis = || BuildError::NoAxis { joint: name.clone(), kind: joint.kind.name() };
        let rot = match axis {
            Some(axis) if matches!(joint.kind.about().axes, Axes::Cross | Axes::Two) => {
                let cross = || BuildError::NoCross { joint: name.clone() };
                let (z, x) = (axis.normalized().ok_or_else(no_axis)?, axis2.and_then(Vec3::normalized));
                // Beyond the rounding of a few decimals it is another joint than the one meant.
                let x = x.filter(|x| x.dot(z).abs() <= 1e-6).ok_or_else(cross)?;
                Quat::with_z_along(z, Some(x)).ok_or_else(cross)?
            }
            Some(axis) => Quat::with_z_along(axis, None).ok_or_else(no_axis)?,
            None if joint.kind.needs_axis() => return Err(no_axis()),
            None => Quat::IDENTITY,
        };
        // A weld may be put anywhere; where b is, unless said otherwise. A bead's own point is b's origin.
        let origin =
            |b: &Body| piece_of(b, joint.b).map_or(b.pos, |(posed, piece)| posed.frame_of_piece(piece).0);
        let anchor = anchor.unwrap_or(b.map_or(Vec3::ZERO, origin));
        finite("joint", name, "anchor", anchor)?;
        let seen_from = |body: Option<&Body>, end: End| match body {
            None => Ok(Frame { pos: anchor, rot }),
            Some(body) if body.form.is_some() => {
                // A piece that there is not is refused where it is attached, one that is flattened when the body is checked.
                let Some((posed, piece)) = piece_of(body, end) else {
                    return Ok(Frame { pos: Vec3::ZERO, rot });
                };
                let seen = general::seen_from(&posed, piece, Frame { pos: anchor, rot });
                match seen {
                    None if posed.bends(piece) => Err(BuildError::DoesNotFit {
                        part: "joint",
                        name: name.clone(),
                        kind: joint.kind.name(),
                        body: body.name.clone(),
                        body_kind: body.kind.name(),
                        why: "it is bent so that none of its points is at the anchor; give a point of the body",
                    }),
                    seen => Ok(seen.unwrap_or(Frame { pos: Vec3::ZERO, rot })),
                }
            }
            Some(body) => {
                let back = body.rot.inverse();
                Ok(Frame { pos: back * (anchor - body.pos), rot: back * rot })
            }
        };
        let turns = |b: &Body| match (&b.form, joint.b) {
            (Some(figure), End::Piece(_, piece)) => {
                figure.0.pieces().get(piece as usize).is_none_or(|p| p.turns())
            }
            (Some(figure), _) => figure.0.pieces()[0].turns(),
            (None, _) => b.kind.has_orientation(),
        };
        let point_mass = b.is_some_and(|b| !turns(b));
        let in_b = match joint.kind.about().anchor {
            Anchor::Around => Frame::default(),
            // Any place on the line or plane will do for the anchor; a point mass has only one point to be there.
            Anchor::Along if point_mass => Frame::default(),
            _ => seen_from(b, joint.b)?,
        };
        Ok((seen_from(a, joint.a)?, in_b))
    }
}

/// A general body as described, and the piece of it that an end means, if there is such a one.
fn piece_of(body: &Body, end: End) -> Option<(GeneralMotion, usize)> {
    let figure = body.form.as_ref()?;
    let piece = match end {
        End::Piece(_, piece) => piece as usize,
        _ => 0,
    };
    (piece < figure.0.pieces().len()).then(|| (general::posed(body, figure), piece))
}

/// Gives general bodies what only they have, and every attachment on one its carrier: that of its piece if it is rigid, else one of its own, which
/// attachments at the same point share.
fn carry(described: &[Body], bodies: &mut [ModelBody], ends: &mut [&mut Attachment]) -> Vec<Carrier> {
    let mut carriers: Vec<Carrier> = Vec::new();
    for (i, (described, body)) in described.iter().zip(bodies.iter_mut()).enumerate() {
        let Some(figure) = &described.form else { continue };
        let mut of_pieces = Vec::new();
        for (piece, of) in figure.0.pieces().iter().enumerate() {
            of_pieces.push((of.rigid || piece == 0).then_some(carriers.len() as u32));
            if of.rigid || piece == 0 {
                carriers.push(Carrier { body: i, piece, at: Vec3::ZERO, rigid: of.rigid });
            }
        }
        let units = general::units(described, figure);
        let (form, base) = (figure.0.clone(), (described.pos, described.rot));
        body.general = Some(Box::new(GeneralBody { form, base, units, carriers: of_pieces }));
    }
    for end in ends {
        let Some((body, general)) = end.body().and_then(|i| Some((i, bodies[i].general.as_ref()?))) else {
            continue;
        };
        let piece = end.piece as usize;
        if general.form.pieces()[piece].rigid {
            end.set_carrier(general.carriers[piece]);
            continue;
        }
        let wanted = |c: &Carrier| (c.body, c.piece, c.at) == (body, piece, end.local.pos);
        let at = carriers.iter().position(wanted).unwrap_or_else(|| {
            carriers.push(Carrier { body, piece, at: end.local.pos, rigid: false });
            carriers.len() - 1
        });
        end.set_carrier(Some(at as u32));
        end.local.pos = Vec3::ZERO;
    }
    carriers
}

/// A joint that a constraint names, and a coordinate of it that measures one freedom.
fn joint_with<'j>(
    constraint: &str,
    joints: &'j [ModelJoint],
    id: JointId,
    k: usize,
) -> Result<&'j ModelJoint, BuildError> {
    let joint = joints.get(id.index()).filter(|_| id.generation == 0);
    let joint = joint.ok_or_else(|| BuildError::NoSuchJoint { name: constraint.into() })?;
    let in_plane = joint.plane.is_some();
    if joint.kind.can_be_driven(k, in_plane) {
        return Ok(joint);
    }
    let have = (0..MAX_COORDINATES).filter(|&k| joint.kind.can_be_driven(k, in_plane)).count();
    Err(BuildError::NoCoupledCoordinate {
        name: constraint.into(),
        joint: joint.name.clone(),
        kind: joint.kind.name(),
        coordinate: k,
        have,
    })
}

/// A coupler with the frames of its joints; offsets as posed are not known yet.
fn couple(
    coupler: &Coupler,
    joints: &mut [ModelJoint],
) -> Result<(Vec<Attachment>, ModelCoupler), BuildError> {
    let name = &coupler.name;
    let (mut pairs, mut parts) = (Vec::new(), Vec::new());
    for (row, equation) in coupler.equations.iter().enumerate() {
        if equation.terms.iter().all(crate::constraint::CouplerTerm::is_constant) {
            return Err(BuildError::CouplesNothing { name: name.clone(), equation: row });
        }
        check_number("constraint", name, "offset", equation.offset.unwrap_or(0.0), false)?;
        for term in &equation.terms {
            let (k, id) = (term.coordinate, term.joint);
            let joint = joint_with(name, joints, id, k)?;
            for p in &term.polynomial {
                check_number("constraint", name, "polynomial", *p, false)?;
            }
            let pair = pairs.iter().position(|known| *known == id.index()).unwrap_or(pairs.len());
            if pair == pairs.len() {
                pairs.push(id.index());
            }
            parts.push(CoupledCoordinate {
                row,
                pair,
                kind: joint.kind,
                coordinate: k,
                turn_at: joint.turns_of(k),
                zero: joint.zero(k),
                polynomial: term.polynomial.clone(),
            });
        }
    }
    pairs.iter().for_each(|&j| joints[j].coupled = true);
    let frames = pairs.iter().flat_map(|&j| [joints[j].a, joints[j].b]).collect();
    let offsets = coupler.equations.iter().map(|equation| equation.offset.unwrap_or(0.0)).collect();
    Ok((frames, ModelCoupler { kind: coupler.kind, offsets, parts }))
}

/// A path with the frames of the motors that hold it: row after row from `row_at`, each motor's joint is told which is its.
fn hold_by_motors(
    follow: MotorFollow,
    mut frames: Vec<Attachment>,
    row_at: usize,
    joints: &mut [ModelJoint],
) -> Result<(Vec<Attachment>, crate::constraint::Follow), BuildError> {
    let (name, rows) = (&follow.name, follow.follow.rows());
    if follow.motors.len() != rows {
        return Err(BuildError::MotorCount { name: name.clone(), motors: follow.motors.len(), rows });
    }
    let mut motors = Vec::with_capacity(rows);
    for (r, (id, k)) in follow.motors.iter().enumerate() {
        let joint = joint_with(name, joints, *id, *k)?;
        if joint.is_driven(*k) || joint.motor(*k).is_some() {
            return Err(BuildError::TwoDrives { joint: joint.name.clone(), coordinate: *k });
        }
        motors.push((joint.kind, *k));
        frames.extend([joint.a, joint.b]);
        joints[id.index()].motors.get_or_insert_default()[*k] = Some(row_at + r);
        joints[id.index()].coupled = true;
    }
    Ok((frames, follow.follow.pushed_by(motors)))
}

/// Dry friction that holds at rest, joint by joint.
fn resolve_frictions(joints: &mut [ModelJoint]) -> Result<Vec<ModelFriction>, BuildError> {
    let mut made = Vec::new();
    for (j, joint) in joints.iter_mut().enumerate() {
        for i in 0..joint.efforts.len() {
            let coordinate = joint.efforts[i].coordinate;
            let EffortKind::Friction(friction) = joint.efforts[i].kind else { continue };
            if !friction.holds() {
                continue;
            }
            let (kind, in_plane) = (joint.kind, joint.plane.is_some());
            if !kind.can_be_driven(coordinate, in_plane) {
                let have = (0..MAX_COORDINATES).filter(|&k| kind.can_be_driven(k, in_plane)).count();
                let (joint, kind) = (joint.name.clone(), kind.name());
                return Err(BuildError::NoCoordinate { joint, kind, coordinate, have });
            }
            joint.coupled = true;
            let DryFriction { coulomb, breakaway, .. } = friction;
            let rule = limit(joint, coordinate, LimitSide::Low, 0.0);
            made.push(ModelFriction {
                joint: j,
                coordinate,
                coulomb,
                breakaway,
                rule,
                frames: [joint.a, joint.b],
            });
        }
    }
    Ok(made)
}

fn efforts_of(joint: &Joint) -> Vec<Effort> {
    let pushes = joint.drives.iter().filter(|drive| drive.level == DriveMode::Force);
    let pushes = pushes.map(|d| Effort { coordinate: d.coordinate, kind: EffortKind::Law(d.law.clone()) });
    pushes.chain(joint.efforts.iter().cloned()).collect()
}

/// The drives of a joint that are constraints, checked, in the order of the coordinates.
fn prescribed(joint: &Joint, in_plane: bool) -> Result<Vec<&Drive>, BuildError> {
    let name = || joint.name.clone();
    let mut by: [Option<&Drive>; MAX_COORDINATES] = [None; MAX_COORDINATES];
    for drive in &joint.drives {
        let Drive { coordinate, level, law } = drive;
        if !joint.kind.can_be_driven(*coordinate, in_plane) {
            let have = (0..MAX_COORDINATES).filter(|&k| joint.kind.can_be_driven(k, in_plane)).count();
            let (joint, kind) = (name(), joint.kind.name());
            return Err(BuildError::NoCoordinate { joint, kind, coordinate: *coordinate, have });
        }
        law.check().map_err(|error| BuildError::Law {
            part: "joint",
            name: name(),
            law: law.name(),
            error,
        })?;
        let has = law.smoothness();
        if has < level.needs() {
            let needs = match level {
                DriveMode::Position => {
                    "a position needs a continuous rate; take `cubic`, `quintic`, `table` or a smoother formula, or drive the speed"
                }
                _ => {
                    "a speed needs to be continuous; take `ramp`, `cubic` or a smoother formula, or drive the acceleration"
                }
            };
            return Err(BuildError::NotSmooth { joint: name(), law: law.name(), level: *level, has, needs });
        }
        if *level == DriveMode::Force {
            continue;
        }
        if by[*coordinate].replace(drive).is_some() {
            return Err(BuildError::TwoDrives { joint: name(), coordinate: *coordinate });
        }
    }
    Ok(by.into_iter().flatten().collect())
}

impl ModelBody {
    /// Where its coordinates are in a state.
    pub(crate) fn q_range(&self) -> core::ops::Range<usize> {
        self.q_at as usize..self.q_at as usize + self.kind.coordinates()
    }
    /// Where its velocities are in a state.
    pub(crate) fn v_range(&self) -> core::ops::Range<usize> {
        self.v_at as usize..self.v_at as usize + self.kind.dim()
    }
}

fn check_number(
    part: &'static str,
    name: &str,
    field: &'static str,
    value: f64,
    not_negative: bool,
) -> Result<(), BuildError> {
    let want = if !value.is_finite() {
        "it must be a finite number"
    } else if not_negative && value < 0.0 {
        "it must not be negative"
    } else {
        return Ok(());
    };
    Err(BuildError::Number { part, name: name.into(), field, value, want })
}

fn check_material(name: &str, material: &Material) -> Result<(), BuildError> {
    for (field, value) in
        [("static friction", material.static_friction), ("kinetic friction", material.kinetic_friction)]
    {
        check_number("material of", name, field, value, true)?;
    }
    check_restitution("material of", name, material.restitution)
}

/// A rebound is from none to all of the speed.
fn check_restitution(part: &'static str, name: &str, value: f64) -> Result<(), BuildError> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    let want = "it must be from 0 (no rebound) to 1 (all of the speed)";
    Err(BuildError::Number { part, name: name.into(), field: "restitution", value, want })
}

/// An orientation must be a unit quaternion; rounding of its length is mended.
fn unit(part: &'static str, name: &str, rot: Quat) -> Result<Quat, BuildError> {
    let size = (rot.w * rot.w + rot.v.dot(rot.v)).sqrt();
    if (size - 1.0).abs() <= 1e-6 {
        return Ok(rot.renormalized());
    }
    let (field, want) = ("length of the orientation's quaternion", "it must be 1");
    Err(BuildError::Number { part, name: name.into(), field, value: size, want })
}

fn finite(part: &'static str, name: &str, field: &'static str, v: Vec3) -> Result<(), BuildError> {
    v.to_array().iter().try_for_each(|&x| check_number(part, name, field, x, false))
}

fn check_body(body: &Body, visual: &[PlacedShape]) -> Result<(), BuildError> {
    let name = &body.name;
    for (field, v) in [
        ("position", body.pos),
        ("orientation", body.rot.v),
        ("velocity", body.vel),
        ("angular velocity", body.omega),
    ] {
        finite("body", name, field, v)?;
    }
    for placed in visual {
        for length in placed.shape.lengths() {
            check_number("body", name, "shape size", length, true)?;
        }
    }
    if let Some(figure) = &body.form {
        let unreal = |error| BuildError::Mass { body: name.clone(), error };
        general::check_inertia(body, figure).map_err(unreal)?;
        general::check(body, figure).map_err(|why| BuildError::GeneralForm {
            body: name.clone(),
            kind: body.kind.name(),
            why,
        })?;
    } else if body.kind.is_general() {
        let why = "it has no form; make it by a constructor of `Body`".to_string();
        return Err(BuildError::GeneralForm { body: name.clone(), kind: body.kind.name(), why });
    }
    body.mass
        .check(body.kind, body.allow_unphysical_inertia)
        .map_err(|error| BuildError::Mass { body: name.clone(), error })?;
    if body.kind.is_planar() {
        let off_plane = [
            ("position out of the x–y plane", body.pos.z),
            ("velocity out of the x–y plane", body.vel.z),
            ("angular velocity about x", body.omega.x),
            ("angular velocity about y", body.omega.y),
            ("orientation about x", body.rot.v.x),
            ("orientation about y", body.rot.v.y),
            ("centre of mass out of the x–y plane", body.mass.center.z),
        ];
        for (field, value) in off_plane {
            if value != 0.0 {
                let want = "it must be zero for a planar body";
                return Err(BuildError::Number { part: "body", name: name.clone(), field, value, want });
            }
        }
    }
    if !body.kind.has_orientation() && !body.kind.is_general() && body.omega != Vec3::ZERO {
        let want = "a point mass does not turn";
        let (field, value) = ("angular velocity", body.omega.norm());
        return Err(BuildError::Number { part: "body", name: name.clone(), field, value, want });
    }
    Ok(())
}

/// The general body that swings fastest by itself, and how fast; where that is known of each, it is not worked out again.
fn stiffest_body(bodies: &[ModelBody], initial: &State, known: Option<&[f64]>) -> Option<(usize, f64)> {
    let mut most: Option<(usize, f64)> = None;
    for (i, body) in bodies.iter().enumerate() {
        let Some(made) = &body.general else { continue };
        let omega = known.map(|known| known[i]).unwrap_or_else(|| {
            let mass = &body.mass;
            let size = (mass.inertia.trace() / (2.0 * mass.mass)).sqrt();
            let at = (&initial.q[body.q_range()], &initial.v[body.v_range()]);
            general::highest_natural_frequency(made, &mut GeneralMotion::new(i, made), at, size)
        });
        if omega > most.map_or(0.0, |most| most.1) {
            most = Some((i, omega));
        }
    }
    most
}
