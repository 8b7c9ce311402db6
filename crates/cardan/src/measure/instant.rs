//! One instant of a run, with all accelerations and reactions solved for.

use super::coordinates::{full_value, raw};
use super::{
    BodyMotion, BodyReport, ConstraintLoad, ContactReport, InequalityReport, InequalityState, JointReport,
    ProbeReport, ReactionParts,
};
use crate::body::general::seen_from;
use crate::body::{Frame, FrameMotion, MAX_DIM, Wrench};
use crate::constraint::ConstraintRows;
use crate::contact::ModelShape;
use crate::force::ForceOutput;
use crate::inequality::{InequalityOrigin, LimitSide};
use crate::joint::MAX_COORDINATES;
use crate::math::{Mat3, Quat, Vec3, larger};
use crate::model::{BodyId, ConstraintId, ForceId, InequalityId, JointId, Model, ModelProbe, ProbeId};
use crate::state::State;
use crate::step::{ContactRows, JointAxes, Workspace, driven, frame, structural};
use cardan_solve::Rank;

/// The solved state of a whole mechanism at one time.
///
/// Every reader takes the id of a part. For an id that the model does not have (such as one of another model) numbers are NaN, lists
/// are empty and options are `None`; nothing panics. Reports are computed on request.
#[derive(Debug)]
pub struct Instant<'a> {
    pub(crate) model: &'a Model,
    pub(crate) state: &'a State,
    pub(crate) work: &'a Workspace,
}

/// Not a vector.
const NONE: Vec3 = Vec3::new(f64::NAN, f64::NAN, f64::NAN);

impl<'a> Instant<'a> {
    /// The model.
    pub fn model(&self) -> &'a Model {
        self.model
    }
    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.state.time
    }
    /// Generalised accelerations of all bodies, in id order.
    pub fn accelerations(&self) -> &'a [f64] {
        &self.work.equations.acc
    }
    /// Multipliers of all rows: joints in id order, then user constraints.
    pub fn multipliers(&self) -> &'a [f64] {
        self.work.multipliers(self.model)
    }
    /// Worst residual of the equations of motion, relative to the terms that form them.
    pub fn equation_residual(&self) -> f64 {
        self.work.residual(self.model)
    }
    /// Position errors C of all rows [m, rad].
    pub fn position_errors(&self) -> &'a [f64] {
        self.work.errors(self.model)
    }
    /// Velocity errors Ċ of all rows [m/s, rad/s].
    pub fn velocity_errors(&self) -> &'a [f64] {
        self.work.error_rates(self.model)
    }
    /// The linear system that was solved.
    pub fn system(&self) -> &'a cardan_solve::System {
        self.work.equations(self.model)
    }
    /// Rank: number of rows less the redundant ones.
    pub fn rank(&self) -> usize {
        self.work.rank()
    }

    /// Pose, velocity and acceleration of a body.
    pub fn body(&self, id: BodyId) -> BodyReport {
        match self.body_index(id) {
            Some(index) => self.body_at(index),
            None => BodyReport {
                position: NONE,
                frame_position: NONE,
                orientation: Quat { w: f64::NAN, v: NONE },
                velocity: NONE,
                angular_velocity: NONE,
                acceleration: NONE,
                angular_acceleration: NONE,
            },
        }
    }
    fn body_index(&self, id: BodyId) -> Option<usize> {
        self.model.index_of(id).filter(|&index| index < self.model.bodies.len())
    }
    fn joint_index(&self, id: JointId) -> Option<usize> {
        self.model.index_of(id).filter(|&index| index < self.model.joints.len())
    }
    fn constraint_index(&self, id: ConstraintId) -> Option<usize> {
        self.model.index_of(id).filter(|&index| index < self.model.constraints.len())
    }

    pub(crate) fn body_at(&self, index: usize) -> BodyReport {
        let body = &self.model.bodies[index];
        let (mut acceleration, mut angular_acceleration) = self.work.kinematics.motions.acceleration(
            self.model,
            index,
            &self.work.equations.acc[body.v_range()],
        );
        if self.work.integrator.is_first_order {
            // With f = m v there are no accelerations.
            (acceleration, angular_acceleration) = (NONE, NONE);
        }
        let motion = BodyMotion::of(self.model, &self.work.kinematics.motions, index);
        BodyReport::of(motion, acceleration, angular_acceleration)
    }

    /// Pose and velocity of a body. `None` if the model has no such body.
    pub fn body_motion(&self, id: BodyId) -> Option<BodyMotion> {
        Some(BodyMotion::of(self.model, &self.work.kinematics.motions, self.body_index(id)?))
    }

    /// Deformation gradient of a body: its x, y and z axes in the world, as columns, stretched and sheared if it deforms.
    pub fn deformation_of_body(&self, id: BodyId) -> Mat3 {
        let Some(index) = self.body_index(id) else { return Mat3 { x: NONE, y: NONE, z: NONE } };
        self.work
            .kinematics
            .motions
            .general(index)
            .map_or(self.work.kinematics.motions[index].axes, |general| general.shape())
    }

    /// World position of a point given in the frame of a piece of a body, and the deformed axes of the piece there, as columns. A
    /// body that is not general has one piece; `None` if there is no such piece.
    pub fn point_of_piece(&self, id: BodyId, piece: usize, at: impl Into<Vec3>) -> Option<(Vec3, Mat3)> {
        let (index, at) = (self.body_index(id)?, at.into());
        match self.work.kinematics.motions.general(index) {
            Some(general) => (piece < general.pieces()).then(|| {
                let (place, axes, _) = general.frame_at(piece, at);
                (place, axes)
            }),
            None => (piece == 0).then(|| {
                let axes = self.work.kinematics.motions[index].axes;
                (self.body_at(index).frame_position + axes * at, axes)
            }),
        }
    }

    /// Centre of mass of a piece \[m\]. `None` if there is no such piece.
    pub fn center_of_piece(&self, id: BodyId, piece: usize) -> Option<Vec3> {
        let index = self.body_index(id)?;
        match self.work.kinematics.motions.general(index) {
            Some(general) => (piece < general.pieces()).then(|| general.center_of_piece(piece)),
            None => (piece == 0).then(|| self.work.kinematics.motions[index].pos),
        }
    }
    /// Whether a piece has an orientation; a point mass has none.
    pub fn piece_has_axes(&self, id: BodyId, piece: usize) -> bool {
        let Some(index) = self.body_index(id) else { return false };
        match self.work.kinematics.motions.general(index) {
            Some(general) => piece < general.pieces() && general.piece_has_axes(piece),
            None => piece == 0 && self.model.bodies[index].kind.has_orientation(),
        }
    }
    /// Number of pieces of a body: one, unless it is a general body with several.
    pub fn pieces_of_body(&self, id: BodyId) -> usize {
        let Some(index) = self.body_index(id) else { return 0 };
        self.work.kinematics.motions.general(index).map_or(1, |general| general.pieces())
    }
    /// A world position in the frame of a piece; the origin for a point mass. `None` if the piece has no such point.
    pub(crate) fn to_piece_frame(&self, index: usize, piece: usize, place: Vec3) -> Option<Vec3> {
        match self.work.kinematics.motions.general(index) {
            Some(general) if general.piece_has_axes(piece) => {
                seen_from(general, piece, Frame::at(place)).map(|frame| frame.pos)
            }
            None if self.model.bodies[index].kind.has_orientation() => {
                let axes = self.work.kinematics.motions[index].axes;
                Some(axes.transpose_mul(place - self.body_at(index).frame_position))
            }
            _ => Some(Vec3::ZERO),
        }
    }

    /// The frame of a contact shape.
    pub(crate) fn frame_of_shape(&self, shape: &ModelShape) -> FrameMotion {
        frame(&self.work.kinematics.motions, &shape.at)
    }

    /// Coordinates of a general body besides position and orientation of its frame (scales, an angle, u of q(u)), and their rates; empty
    /// for other bodies.
    pub fn internal_coordinates(&self, id: BodyId) -> (&'a [f64], &'a [f64]) {
        let Some(body) = self.model.body(id) else { return (&[], &[]) };
        if body.general.is_none() {
            return (&[], &[]);
        }
        let (q, v) = (&self.state.q[body.q_range()], &self.state.v[body.v_range()]);
        if body.kind.moves_freely() { (&q[7..], &v[6..]) } else { (q, v) }
    }

    /// Coordinates, rates and reaction of a joint.
    pub fn joint(&self, id: JointId) -> JointReport<'a> {
        let nothing = Wrench { force: NONE, torque: NONE };
        self.joint_index(id).map(|index| self.joint_at(index)).unwrap_or(JointReport {
            coordinates: [f64::NAN; MAX_COORDINATES],
            rates: [f64::NAN; MAX_COORDINATES],
            count: 0,
            reaction: ReactionParts {
                structural: nothing,
                drive: nothing,
                limit: nothing,
                friction: nothing,
            },
            multipliers: &[],
            drives: [f64::NAN; MAX_COORDINATES],
            position_a: NONE,
            position: NONE,
            axis: NONE,
        })
    }

    pub(crate) fn joint_at(&self, index: usize) -> JointReport<'a> {
        let joint = &self.model.joints[index];
        let relative = &self.work.relative(self.model, index);
        let lambda = self.multipliers();
        let raw = raw(joint, relative);
        let mut coordinates = [0.0; MAX_COORDINATES];
        for k in 0..joint.kind.coordinates() {
            coordinates[k] = full_value(self.model, index, k, raw.value[k], &self.state.turns);
        }
        let mut reaction = ReactionParts {
            structural: structural(self.model, self.work, lambda, index),
            drive: driven(self.model, self.work, lambda, index),
            ..Default::default()
        };
        // Forces that depend on velocity are absent with f = m v.
        let at_rest = self.work.integrator.is_first_order;
        for spring in &joint.springs {
            let k = spring.coordinate;
            let size = spring.force(coordinates[k], if at_rest { 0.0 } else { raw.rate[k] });
            let wrench = relative.to_world(raw.direction[k].scaled(size));
            let part = if spring.is_friction { &mut reaction.friction } else { &mut reaction.drive };
            *part = *part + wrench;
        }
        let multipliers = &lambda[joint.row_range()];
        let mut drives = [0.0; MAX_COORDINATES];
        for ((k, _), lambda) in joint.each_driven().zip(&multipliers[joint.structural_rows()..]) {
            drives[k] = *lambda;
        }
        for k in 0..MAX_COORDINATES {
            let Some(row) = joint.motor(k) else { continue };
            drives[k] += lambda[row];
            let wrench = relative.to_world(raw.direction[k].scaled(lambda[row]));
            reaction.drive = reaction.drive + wrench;
        }
        for effort in &joint.efforts {
            let k = effort.coordinate;
            let size = match at_rest {
                true => effort.at_rest(self.model, index, self.state, coordinates[k]).force,
                false => effort.at(self.model, index, self.state, coordinates[k], raw.rate[k]).force,
            };
            let wrench = relative.to_world(raw.direction[k].scaled(size));
            let part = if effort.is_friction() { &mut reaction.friction } else { &mut reaction.drive };
            *part = *part + wrench;
            if effort.is_active() {
                drives[k] += size;
            }
        }
        if let Some(commands) = &self.state.commands
            && !commands.efforts().is_empty()
        {
            let order = self.model.joint_order();
            let mix = order.joint_at(index).and_then(|entry| entry.mix);
            let axes = JointAxes::new(self.model, &self.work.kinematics.motions, index, mix);
            for (k, size) in commands.efforts()[order.efforts_of(index)].iter().enumerate() {
                reaction.drive = reaction.drive + relative.to_world(axes.direction[k].scaled(*size));
                drives[k] += size;
            }
        }
        for (i, friction) in self.model.frictions.iter().enumerate().filter(|(_, f)| f.joint.index() == index)
        {
            let size =
                self.work.contact.contacts.as_ref().map_or(0.0, |contacts| contacts.joint_friction_force(i));
            let wrench = relative.to_world(raw.direction[friction.coordinate].scaled(size));
            reaction.friction = reaction.friction + wrench;
        }
        for (i, inequality) in self.model.inequalities.iter().enumerate() {
            if let InequalityOrigin::Limit { joint, coordinate: k, side } = inequality.origin
                && joint.index() == index
            {
                let push = self.inequality_multiplier_at(i) * if side == LimitSide::Low { 1.0 } else { -1.0 };
                reaction.limit = reaction.limit + relative.to_world(raw.direction[k].scaled(push));
            }
        }
        JointReport {
            coordinates,
            rates: raw.rate,
            count: joint.kind.coordinates(),
            reaction,
            multipliers,
            drives,
            position_a: frame(&self.work.kinematics.motions, &joint.a).pos,
            position: frame(&self.work.kinematics.motions, &joint.b).pos,
            axis: relative.axes_a.z,
        }
    }

    /// Multipliers of a user constraint, one per row.
    pub fn constraint_multipliers(&self, id: ConstraintId) -> &'a [f64] {
        let Some(constraint) = self.model.constraint(id) else { return &[] };
        &self.multipliers()[constraint.row_at..constraint.row_at + constraint.rows]
    }

    /// Loads of a user constraint at its frames, in their order; zero if motors provide them, which are reported with their joints.
    pub fn constraint_loads(&self, id: ConstraintId) -> impl Iterator<Item = ConstraintLoad> + '_ {
        let index = self.constraint_index(id).into_iter();
        index.flat_map(move |index| self.loads_of(index, self.constraint_multipliers(id)))
    }

    /// Loads of given multipliers of a user constraint at its frames.
    fn loads_of<'b>(
        &'b self,
        index: usize,
        lambda: &'b [f64],
    ) -> impl Iterator<Item = ConstraintLoad> + use<'a, 'b> {
        let constraint = &self.model.constraints[index];
        constraint.frames.iter().enumerate().map(move |(end, at)| {
            let frame = frame(&self.work.kinematics.motions, at);
            if at.carrier().is_some() {
                return self.load_on_general(index, end, lambda);
            }
            let body = at.body().filter(|_| !constraint.by_motors);
            let wrench = body.map_or(Wrench::ZERO, |body| {
                let kind = self.model.bodies[body].kind;
                let (dim, block) =
                    (kind.dim(), self.work.equations(self.model).force_columns(constraint.link, end));
                let mut pull = [0.0; MAX_DIM];
                for (r, lambda) in lambda.iter().enumerate() {
                    for i in 0..dim {
                        pull[i] += block[r * dim + i] * lambda;
                    }
                }
                kind.as_wrench(&pull)
            });
            let turns = at.body().is_some_and(|body| self.model.bodies[body].kind.has_orientation());
            let lever = if turns { frame.arm.cross(wrench.force) } else { Vec3::ZERO };
            let at_frame = Wrench { force: wrench.force, torque: wrench.torque - lever };
            ConstraintLoad { body: at.body_id(), wrench, position: frame.pos, at_frame }
        })
    }

    /// Load of given multipliers of a user constraint at a frame of a general body. It is taken from the rows, because a generalised
    /// force of a general body does not determine a wrench.
    fn load_on_general(&self, index: usize, end: usize, lambda: &[f64]) -> ConstraintLoad {
        let constraint = &self.model.constraints[index];
        let frames: Vec<_> =
            constraint.frames.iter().map(|at| frame(&self.work.kinematics.motions, at)).collect();
        let (n, rows) = (frames.len(), constraint.rows);
        let (mut gradient, mut push) = (vec![Wrench::ZERO; n * rows], vec![Wrench::ZERO; n * rows]);
        let [mut err, mut rate, mut rest, mut scale] = [0.0; 4].map(|x| vec![x; rows]);
        let mut out = ConstraintRows {
            ends: n,
            err: &mut err,
            err_time_rate: &mut rate,
            jac_dot_v: &mut rest,
            scale: &mut scale,
            gradient: &mut gradient,
            push: if constraint.pushed { &mut push } else { &mut [] },
            turns: &self.state.turns,
        };
        constraint.rule.evaluate(self.state.time, &frames, &mut out);
        let of = if constraint.pushed { &push } else { &gradient };
        let mut at_frame = Wrench::ZERO;
        for (r, lambda) in lambda.iter().enumerate().filter(|_| !constraint.by_motors) {
            at_frame = at_frame + of[r * n + end].scaled(*lambda);
        }
        let (body, position) = (constraint.frames[end].body(), frames[end].pos);
        let arm = body.map_or(Vec3::ZERO, |i| position - self.work.kinematics.motions[i].pos);
        let wrench = Wrench { force: at_frame.force, torque: at_frame.torque + arm.cross(at_frame.force) };
        ConstraintLoad { body: body.map(BodyId::of_index), wrench, position, at_frame }
    }

    /// Origins of the frames of a user constraint \[m\].
    pub fn constraint_points(&self, id: ConstraintId) -> impl Iterator<Item = Vec3> + '_ {
        let frames = self.model.constraint(id).map_or(&[][..], |constraint| &constraint.frames);
        frames.iter().map(|at| frame(&self.work.kinematics.motions, at).pos)
    }

    /// Lines for a drawing of a user constraint.
    pub fn constraint_outline(&self, id: ConstraintId) -> Vec<Vec<Vec3>> {
        let Some(constraint) = self.model.constraint(id) else { return Vec::new() };
        let frames: Vec<_> =
            constraint.frames.iter().map(|at| frame(&self.work.kinematics.motions, at)).collect();
        constraint.rule.outline(&frames)
    }

    /// [`unique_joint_components`](Instant::unique_joint_components) for the load of a user constraint at its last frame.
    pub fn unique_constraint_components(
        &self,
        id: ConstraintId,
        null: &[Vec<f64>],
    ) -> ([bool; 3], [bool; 3]) {
        let Some(index) = self.constraint_index(id) else { return ([false; 3], [false; 3]) };
        let constraint = &self.model.constraints[index];
        let mut unique = UniqueComponents::default();
        for vector in null {
            let lambda = &vector[constraint.row_at..constraint.row_at + constraint.rows];
            if let Some(load) = self.loads_of(index, lambda).last() {
                unique.without(&load.at_frame, self.work.solvers.length);
            }
        }
        (unique.force, unique.torque)
    }

    /// Origins of the frames of a force \[m\].
    pub fn force_points(&self, id: ForceId) -> impl Iterator<Item = Vec3> + '_ {
        let frames = self.model.force(id).map_or(&[][..], |force| &force.frames);
        frames.iter().map(|at| frame(&self.work.kinematics.motions, at).pos)
    }

    /// Origins of the frames of a force \[m\] and the wrenches of its law there, world axes \[N, N·m\].
    pub fn force_loads(&self, id: ForceId) -> Vec<(Vec3, Wrench)> {
        let Some(force) = self.model.force(id) else { return Vec::new() };
        let frames: Vec<FrameMotion> =
            force.frames.iter().map(|at| frame(&self.work.kinematics.motions, at)).collect();
        let mut wrench = vec![Wrench::ZERO; frames.len()];
        let mut out = ForceOutput { wrench: &mut wrench, potential: None, dissipated_power: 0.0 };
        force.kind.apply(self.state.time, &frames, &mut out);
        frames.iter().map(|at| at.pos).zip(wrench).collect()
    }

    /// Self-stresses: vectors of the null space of Jᵀ, empty unless rows are redundant. A basis, or for very many redundant rows a few
    /// combinations of all. The largest force of each is 1 N, or its largest torque 1 N times a length of the mechanism.
    /// `None` off the articulated path if there are more than `most_rows` rows.
    pub fn self_stresses(&self, most_rows: usize) -> Option<Vec<Vec<f64>>> {
        let mut all = self.raw_stresses(most_rows)?;
        for vector in &mut all {
            let mut largest = 0.0;
            for (j, joint) in self.model.joints.iter().enumerate() {
                let load = self.load(j, &vector[joint.row_range()]);
                largest = larger(
                    largest,
                    larger(load.force.largest(), load.torque.largest() / self.work.solvers.length),
                );
            }
            // A self-stress of user constraints alone is scaled by its multipliers.
            let own = vector.iter().fold(0.0, |w, x| larger(w, x.abs()));
            let size = if largest > 0.0 { largest } else { own };
            vector.iter_mut().for_each(|x| *x /= size);
        }
        Some(all)
    }

    /// Wrench of given multipliers of a joint on b, at b's frame.
    fn load(&self, index: usize, multipliers: &[f64]) -> Wrench {
        let joint = &self.model.joints[index];
        let relative = &self.work.relative(self.model, index);
        let mut rows = crate::joint::JointRows::default();
        joint.kind.write_rows(relative, joint.plane.as_deref(), &mut rows);
        let mut load = Wrench::ZERO;
        for (gradient, multiplier) in rows.gradient.iter().zip(multipliers) {
            load = load + gradient.scaled(*multiplier);
        }
        relative.to_world(load)
    }

    fn raw_stresses(&self, most_rows: usize) -> Option<Vec<Vec<f64>>> {
        let rows = self.model.graph.rows();
        if self.rank() == rows {
            return Some(Vec::new());
        }
        if self.work.solvers.articulated.is_some() {
            return Some(self.work.equations.stresses.vectors(rows).map(<[f64]>::to_vec).collect());
        }
        if rows > most_rows {
            return None;
        }
        let mut geometry = Rank::new(&self.model.graph);
        geometry.decide_within(self.work.equations(self.model), self.work.solvers.tolerance).ok()?;
        let count = geometry.redundant();
        let vector = |k: usize| {
            let mut lambda = vec![0.0; rows];
            geometry.null_vector(k, &mut lambda);
            lambda
        };
        Some((0..count).map(vector).collect())
    }

    /// Multiplier of an inequality [N, N·m]; zero unless it is active.
    pub fn inequality_multiplier(&self, id: InequalityId) -> f64 {
        self.model.inequality_index(id).map_or(f64::NAN, |index| self.inequality_multiplier_at(index))
    }

    fn inequality_multiplier_at(&self, index: usize) -> f64 {
        self.work.contact.contacts.as_ref().map_or(0.0, |contacts| contacts.inequality_multiplier(index))
    }

    /// Gap, rate and multiplier of an inequality. For an unknown id the state is [`InequalityState::Satisfied`].
    pub fn inequality(&self, id: InequalityId) -> InequalityReport {
        let Some(index) = self.model.inequality_index(id) else {
            return InequalityReport {
                gap: f64::NAN,
                rate: f64::NAN,
                multiplier: f64::NAN,
                state: InequalityState::Satisfied,
                in_active_set: false,
                loads: Vec::new(),
            };
        };
        let multiplier = self.inequality_multiplier_at(index);
        let mut items =
            ContactRows::of_declared(self.model, self.state, &self.work.kinematics.motions, index);
        let row = items.rows.remove(0);
        let ends = self.model.inequalities[index].frames.iter().zip(items.last_wrenches());
        let ends = ends.filter_map(|(at, pushed)| Some((at.body()?, pushed)));
        let load = |(block, (body, (pos, wrench))): (_, (usize, (Vec3, Wrench)))| {
            if self.model.bodies[body].general.is_some() {
                // A generalised force does not determine a wrench: take the one at the frame, moved to the centre of mass.
                let torque =
                    wrench.torque + (pos - self.work.kinematics.motions[body].pos).cross(wrench.force);
                return (BodyId::of_index(body), Wrench { torque, ..wrench }.scaled(multiplier));
            }
            let mut pull = [0.0; MAX_DIM];
            pull.iter_mut().zip(items.jac(block)).for_each(|(pull, j)| *pull = j * multiplier);
            (BodyId::of_index(body), self.model.bodies[body].kind.as_wrench(&pull))
        };
        let loads = items.blocks(&row).iter().zip(ends).map(load).collect();
        InequalityReport {
            gap: row.gap,
            rate: row.rate,
            multiplier,
            state: InequalityState::of(row.gap),
            in_active_set: self
                .work
                .contact
                .contacts
                .as_ref()
                .is_some_and(|contacts| contacts.handles(index)),
            loads,
        }
    }

    /// Active contacts, in the order of their shapes and features.
    pub fn contacts(&self) -> impl Iterator<Item = ContactReport> + '_ {
        self.work.contact.contacts.iter().flat_map(|contacts| contacts.reports(self.model))
    }

    /// Position, velocity and acceleration of a probe.
    pub fn probe(&self, id: ProbeId) -> ProbeReport {
        let Some(ModelProbe { at, .. }) = self.model.probe(id) else {
            return ProbeReport { position: NONE, velocity: NONE, acceleration: NONE };
        };
        let f = frame(&self.work.kinematics.motions, at);
        let acceleration = match at.body() {
            None => Vec3::ZERO,
            Some(i) => {
                let body = &self.model.bodies[i];
                let acc = &self.work.equations.acc[body.v_range()];
                self.work.kinematics.motions.push_forward(self.model, at, f.arm, acc).0 + f.bias
            }
        };
        let acceleration = if self.work.integrator.is_first_order { NONE } else { acceleration };
        ProbeReport { position: f.pos, velocity: f.vel, acceleration }
    }

    /// Whether each world component of a joint's force and torque is determined uniquely, in spite of redundant rows.
    ///
    /// `null` spans the null space of Jᵀ, one vector of multipliers after another, of unit size as
    /// [`self_stresses`](Instant::self_stresses) gives them.
    pub fn unique_joint_components(&self, id: JointId, null: &[Vec<f64>]) -> ([bool; 3], [bool; 3]) {
        let Some(index) = self.joint_index(id) else { return ([false; 3], [false; 3]) };
        let joint = &self.model.joints[index];
        let mut unique = UniqueComponents::default();
        for vector in null {
            let change = self.load(index, &vector[joint.row_range()]);
            unique.without(&change, self.work.solvers.length);
        }
        (unique.force, unique.torque)
    }
}

/// Which components no redundant load has changed so far.
struct UniqueComponents {
    force: [bool; 3],
    torque: [bool; 3],
}

impl Default for UniqueComponents {
    fn default() -> Self {
        UniqueComponents { force: [true; 3], torque: [true; 3] }
    }
}

impl UniqueComponents {
    /// Marks the components that a self-stress of unit size changes as not unique; torques are divided by `length`.
    fn without(&mut self, change: &Wrench, length: f64) {
        // Changes up to this are rounding.
        const MOVED: f64 = 1e-9;
        for k in 0..3 {
            self.force[k] &= change.force[k].abs() <= MOVED;
            self.torque[k] &= change.torque[k].abs() <= MOVED * length;
        }
    }
}
