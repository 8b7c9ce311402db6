//! Efforts of hinges and slides at a state, for accelerations: explicit, without slopes.
//!
//! The elimination takes an effort τ along the freedom of a node. Of a hinge only angle and rate are
//! needed, four hinges in the lanes of a register: joint coordinates where the state has them, otherwise
//!
//! ```text
//! tan(p/2) = z/w          w, z: of the orientation of b's frame seen from a's (`HingeTurns`)
//! ṗ = z_b·(ω_b − ω_a)
//! τ = Σ f(p, ṗ, t)        f: `sweep/efforts.rs` where the efforts are lines, otherwise `joint/effort/mod.rs`
//! ```
//!
//! A kernel that has the motions of both bodies in lanes evaluates the lines itself (`level_accel.rs`);
//! what is left over is evaluated here.
//!
//! An elimination with τ has loads that include it. Reported loads are those of constraints alone, so the
//! effort is taken away again: a torque σ τ z on the child of a hinge; a force σ τ z at b's anchor on the
//! child of a slide. σ is −1 if a is the child.
//!
//! Limits of hinges are looked at here, too: as long as all are open, nothing but the efforts acts.

use crate::body::BodyKind;
use crate::inequality::InequalityOrigin;
use crate::joint::ClosedForm;
use crate::joint_space::Commands;
use crate::math::{Quat, Six, Vec3};
use crate::measure::coordinates::{HingeTurns, hinge_angle};
use crate::model::{Attachment, Model};
use crate::settings::{Integrator, Settings};
use crate::state::State;
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::state_accel::is_plain;
use crate::step::kernel::level_accel::{AccelKernel, level_accel_kernel};
use crate::step::kernel::sweep::efforts::{LaneEfforts, suits_lanes};
use crate::step::workspace::{IntegratorWork, Solvers, Workspace};
use cardan_solve::Task;
use cardan_solve::articulated::Form;
use cardan_solve::simd::{Mask, Simd, Simd4, Simd4Task, run_simd4};
use std::fmt::Debug;

/// What acts besides gravity, for kernels that take efforts along the freedoms of nodes.
#[derive(Debug)]
pub(crate) enum ActingEfforts {
    /// Nothing.
    Nothing,
    /// Efforts and limits of hinges, and efforts of slides.
    Joints(JointEffortsNow),
    /// Something else.
    Others,
}

/// Efforts and limits of hinges, and efforts of slides.
#[derive(Debug)]
pub(crate) struct JointEffortsNow {
    /// Those that the acceleration kernel does not evaluate itself; `None` if there are none.
    rest: Option<Box<dyn StateEfforts>>,
    /// By effort in joint order: whether it may be commanded.
    takes_command: Vec<bool>,
    /// Whether joints without efforts are among them, for commands.
    has_all: bool,
}

impl JointEffortsNow {
    /// Whether commands are efforts and targets of these joints alone.
    fn takes(&self, commands: &Commands) -> bool {
        let is_taken = |(effort, takes): (&f64, &bool)| *effort == 0.0 || *takes;
        commands.wrenches().is_empty() && commands.efforts().iter().zip(&self.takes_command).all(is_taken)
    }
}

impl ActingEfforts {
    pub(crate) fn bytes(&self) -> usize {
        match self {
            ActingEfforts::Joints(joints) => {
                joints.rest.as_ref().map_or(0, |rest| rest.bytes()) + joints.takes_command.capacity()
            }
            ActingEfforts::Nothing | ActingEfforts::Others => 0,
        }
    }
}

/// Efforts of hinges and slides, independent of the SIMD type.
pub(crate) trait StateEfforts: Debug + Send + Sync {
    /// Writes the efforts of its nodes at a state. False if a limit is reached there.
    fn write(&mut self, model: &Model, state: &State, out: &mut [f64]) -> bool;
    /// Takes the efforts that were written away from the loads of all nodes.
    fn take_from_loads(&self, loads: &mut [Six]);
    /// Allocated memory in bytes.
    fn bytes(&self) -> usize;
}

/// Writes the efforts at a state for the next acceleration solve. False if they are not all that acts
/// besides gravity.
pub(crate) fn write(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) -> bool {
    let Workspace {
        solvers: Solvers { articulated: Some(articulated), .. },
        integrator: IntegratorWork { acting_efforts, accel_kernel, .. },
        ..
    } = work
    else {
        return false;
    };
    let is_known = match acting_efforts {
        None => false,
        Some(ActingEfforts::Nothing) => state.commands.is_none(),
        Some(ActingEfforts::Joints(joints)) => state.commands.is_none() || joints.has_all,
        Some(ActingEfforts::Others) => true,
    };
    if !is_known {
        let kernel = accel_kernel.get_or_insert_with(|| level_accel_kernel(model, settings, articulated));
        let has_all = state.commands.is_some();
        *acting_efforts = Some(acting(model, settings, articulated, kernel.as_deref_mut(), has_all));
    }
    articulated.clear_joint_efforts();
    match acting_efforts {
        Some(ActingEfforts::Nothing) => true,
        // In statics the targets of servos do not move.
        Some(ActingEfforts::Joints(joints)) if !state.still && state.held.is_empty() => {
            if state.commands.as_ref().is_some_and(|commands| !joints.takes(commands)) {
                return false;
            }
            let Some(rest) = &mut joints.rest else { return true };
            // One more, for lanes that are left over.
            articulated.efforts.resize(articulated.body_nodes.len() + 1, 0.0);
            rest.write(model, state, &mut articulated.efforts)
        }
        _ => false,
    }
}

/// Takes the efforts that were written here away from the loads of the last solve.
pub(crate) fn take_from_loads(work: &mut Workspace) {
    if let (Some(ActingEfforts::Joints(JointEffortsNow { rest: Some(rest), .. })), Some(articulated)) =
        (&work.integrator.acting_efforts, &mut work.solvers.articulated)
    {
        rest.take_from_loads(articulated.forest.results_mut().loads);
        articulated.efforts.clear();
    }
}

/// What acts in a model. `has_all`: joints that may get commands are among those with efforts.
fn acting(
    model: &Model,
    settings: &Settings,
    articulated: &ArticulatedSystem,
    kernel: Option<&mut (dyn AccelKernel + 'static)>,
    has_all: bool,
) -> ActingEfforts {
    let has_others = !model.forces.is_empty() || model.has_armature() || !model.has_only_hinge_limits();
    if has_others || settings.integrator == Integrator::FirstOrder || !is_plain(model, settings) {
        return ActingEfforts::Others;
    }
    if !(has_all || model.has_forces()) {
        return ActingEfforts::Nothing;
    }
    let mut is_limited = vec![false; model.joints.len()];
    for inequality in &model.inequalities {
        if let InequalityOrigin::Limit { joint, .. } = inequality.origin {
            is_limited[joint.index()] = true;
        }
    }
    let nodes = articulated.body_nodes.len();
    let mut joints = OneFreedomJoints { model, nodes, hinges: Vec::new(), slides: Vec::new() };
    let mut is_member = vec![false; model.joints.len()];
    for (node, body_node) in articulated.body_nodes.iter().enumerate() {
        let Some(tree_joint) = &body_node.tree_joint else { continue };
        let (index, joint) = (tree_joint.index as usize, &model.joints[tree_joint.index as usize]);
        let has_one_freedom = articulated.forest.nodes()[node].form() == Form::Freedoms(1)
            && body_node.kind == BodyKind::Rigid
            && joint.driven.is_none()
            && joint.a.carrier().or(joint.b.carrier()).is_none();
        if !has_one_freedom || !(has_all || joint.has_forces() || is_limited[index]) {
            continue;
        }
        let place = OneFreedomNode {
            node: node as u32,
            body: body_node.body,
            joint: index,
            onto_b: tree_joint.onto_b(),
        };
        match tree_joint.shape() {
            ClosedForm::Revolute if suits_lanes(joint) || !is_limited[index] => {
                let Some(turns) = HingeTurns::new(model, index) else { continue };
                joints.hinges.push((place, turns));
            }
            ClosedForm::Prismatic if !is_limited[index] => {
                joints.slides.push(Slide { place, push: Six::ZERO })
            }
            _ => continue,
        }
        is_member[index] = true;
    }
    let is_missing = |(index, is_member): (usize, &bool)| {
        !is_member && (model.joints[index].has_forces() || is_limited[index])
    };
    if is_member.iter().enumerate().any(is_missing) {
        return ActingEfforts::Others;
    }
    let mut takes_command = vec![false; model.joint_order().effort_count()];
    for place in
        joints.hinges.iter().map(|hinge| &hinge.0).chain(joints.slides.iter().map(|slide| &slide.place))
    {
        takes_command[model.joint_order().efforts_of(place.joint).start] = true;
    }
    if let Some(kernel) = kernel {
        kernel.begin_efforts();
        joints.hinges.retain(|(place, hinge)| {
            let suits = suits_lanes(&model.joints[place.joint]);
            !(suits && kernel.add_hinge(model, place, hinge))
        });
    }
    let has_rest = !(joints.hinges.is_empty() && joints.slides.is_empty());
    ActingEfforts::Joints(JointEffortsNow {
        rest: has_rest.then(|| run_simd4(joints)),
        takes_command,
        has_all,
    })
}

/// A joint of the tree with one freedom.
#[derive(Copy, Clone, Debug)]
pub(crate) struct OneFreedomNode {
    pub(crate) node: u32,
    /// The child.
    pub(crate) body: u32,
    pub(crate) joint: usize,
    onto_b: bool,
}

/// A prismatic joint.
#[derive(Clone, Debug)]
struct Slide {
    place: OneFreedomNode,
    /// The effort as a wrench on the child at its centre of mass.
    push: Six,
}

/// Joints whose efforts are taken.
struct OneFreedomJoints<'m> {
    model: &'m Model,
    /// Number of nodes.
    nodes: usize,
    hinges: Vec<(OneFreedomNode, HingeTurns)>,
    slides: Vec<Slide>,
}

impl Simd4Task for OneFreedomJoints<'_> {
    type Output = Box<dyn StateEfforts>;
    fn run<T: Simd4>(mut self) -> Self::Output {
        // Hinges on the ground have one body, as a or as b.
        let side = |hinge: &HingeTurns| {
            let ground = self.model.bodies.len() as u32;
            (hinge.a == ground, hinge.b == ground)
        };
        self.hinges.sort_by_key(|(place, hinge)| (side(hinge), place.node));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (i, (_, hinge)) in self.hinges.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if group.len() < T::LANES && side(&self.hinges[group[0]].1) == side(hinge) => {
                    group.push(i)
                }
                _ => groups.push(vec![i]),
            }
        }
        let mut lanes = LaneEfforts::new(groups.len(), true);
        let mut scalar_hinges = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            for (lane, &i) in group.iter().enumerate() {
                let place = self.hinges[i].0;
                match suits_lanes(&self.model.joints[place.joint]) {
                    true => lanes.add_hinge((at, lane), (0, place.body), self.model, place.joint),
                    false => scalar_hinges.push((place, at * T::LANES + lane)),
                }
            }
        }
        let groups: Vec<HingeGroup<T>> =
            groups.iter().map(|group| HingeGroup::new(self.model, self.nodes, &self.hinges, group)).collect();
        let slots = groups.len() * T::LANES;
        Box::new(EffortsInLanes {
            lanes,
            torques: vec![0.0; 3 * slots],
            coordinates: vec![0.0; if scalar_hinges.is_empty() { 0 } else { 2 * slots }],
            groups,
            scalar_hinges,
            slides: self.slides,
        })
    }
}

/// The angles of four hinges from the poses of their bodies.
#[derive(Clone, Debug)]
pub(crate) struct HingeAngles<T: Simd> {
    /// As in [`HingeTurns`]: zero for a lane without a hinge.
    w: Quat<T>,
    z: Quat<T>,
    turns: [u32; 4],
}

impl<T: Simd4> HingeAngles<T> {
    /// Of no hinge.
    pub(crate) fn none() -> Self {
        let none = Quat { w: T::ZERO, v: Vec3::ZERO };
        HingeAngles { w: none, z: none, turns: [0; 4] }
    }

    /// Takes a hinge as a lane.
    pub(crate) fn set(&mut self, lane: usize, hinge: &HingeTurns) {
        for (to, from) in [(&mut self.w, &hinge.w), (&mut self.z, &hinge.z)] {
            to.w.set_lane(lane, from.w);
            to.v.x.set_lane(lane, from.v.x);
            to.v.y.set_lane(lane, from.v.y);
            to.v.z.set_lane(lane, from.v.z);
        }
        self.turns[lane] = hinge.at;
    }

    /// Angles with their turns. `turn`: the orientation of b seen from a.
    #[inline(always)]
    pub(crate) fn at(&self, turn: &Quat<T>, turns: &[f64]) -> T {
        let [turns] = T::gather::<1>(turns, self.turns);
        hinge_angle((&self.w, &self.z), turn, turns)
    }
}

/// Four hinges in a register; the last one again in lanes that are left over.
#[derive(Clone, Debug)]
struct HingeGroup<T: Simd> {
    nodes: [u32; 4],
    count: usize,
    /// Whether a is the ground, and whether b is.
    on_ground: (bool, bool),
    /// Start of the quaternions and of the angular velocities of a and b in the state; not read for the
    /// ground.
    q: [[u32; 4]; 2],
    v: [[u32; 4]; 2],
    /// Start of the joint coordinates and of their rates.
    joint_q: [u32; 4],
    joint_v: [u32; 4],
    angle: HingeAngles<T>,
    /// The z axis in b, or in a if b is the ground.
    axis: Vec3<T>,
    /// σ.
    sign: T,
    /// One in the lanes of hinges whose efforts are not lines and are found later, else zero.
    unit: T,
}

/// Value, rate, and the axis in world axes.
type HingeMotion<T> = (T, T, Vec3<T>);

impl<T: Simd4> HingeGroup<T> {
    fn new(model: &Model, nodes: usize, hinges: &[(OneFreedomNode, HingeTurns)], group: &[usize]) -> Self {
        let of = |lane: usize| &hinges[group[if lane < group.len() { lane } else { group.len() - 1 }]];
        let mut angle = HingeAngles::none();
        (0..T::LANES).for_each(|lane| angle.set(lane, &of(lane).1));
        let on_ground = (of(0).1.a as usize == model.bodies.len(), of(0).1.b as usize == model.bodies.len());
        let axis = |lane: usize| {
            let joint = &model.joints[of(lane).0.joint];
            let end = if on_ground.1 { &joint.a } else { &joint.b };
            end.local.rot * Vec3::Z
        };
        let body = |motion: u32| model.bodies.get(motion as usize);
        let ends = |lane: usize| [of(lane).1.a, of(lane).1.b];
        let child = |lane: usize| body(ends(lane)[usize::from(of(lane).0.onto_b)]);
        let all = |f: &dyn Fn(usize) -> u32| std::array::from_fn(f);
        HingeGroup {
            // Lanes that are left over write behind the last node.
            nodes: all(&|lane| if lane < group.len() { of(lane).0.node } else { nodes as u32 }),
            count: group.len(),
            on_ground,
            q: [0, 1].map(|end| all(&|lane| body(ends(lane)[end]).map_or(0, |body| body.q_at + 3))),
            v: [0, 1].map(|end| all(&|lane| body(ends(lane)[end]).map_or(0, |body| body.v_at + 3))),
            joint_q: all(&|lane| child(lane).map_or(0, |body| body.q_at)),
            joint_v: all(&|lane| child(lane).map_or(0, |body| body.v_at)),
            angle,
            axis: Vec3::new(
                T::from_lanes(|lane| axis(lane).x),
                T::from_lanes(|lane| axis(lane).y),
                T::from_lanes(|lane| axis(lane).z),
            ),
            sign: T::from_lanes(|lane| if of(lane).0.onto_b { 1.0 } else { -1.0 }),
            unit: T::from_lanes(|lane| match suits_lanes(&model.joints[of(lane).0.joint]) {
                true => 0.0,
                false => 1.0,
            }),
        }
    }

    /// Angles, rates and axes at a state.
    #[inline(always)]
    fn motion(&self, state: &State) -> HingeMotion<T> {
        let quat = |end: usize| {
            let [w, x, y, z] = T::gather::<4>(&state.q, self.q[end]);
            Quat { w, v: Vec3::new(x, y, z) }
        };
        let (a, b) = (quat(0), quat(1));
        let of_axis = if self.on_ground.1 { a } else { b };
        let twice = of_axis.v.cross(self.axis) * T::splat(2.0);
        let axis = self.axis + twice * of_axis.w + of_axis.v.cross(twice);
        if state.has_joints() {
            let ([p], [rate]) =
                (T::gather::<1>(&state.joint_q, self.joint_q), T::gather::<1>(&state.joint_v, self.joint_v));
            return (p, rate, axis);
        }
        let turn = match self.on_ground {
            (true, _) => b,
            (_, true) => a.inverse(),
            _ => a.inverse() * b,
        };
        let angle = self.angle.at(&turn, &state.turns);
        let omega = |end: usize| {
            let [x, y, z] = T::gather::<3>(&state.v, self.v[end]);
            Vec3::new(x, y, z)
        };
        let spin = match self.on_ground {
            (true, _) => omega(1),
            (_, true) => -omega(0),
            _ => omega(1) - omega(0),
        };
        (angle, axis.dot(spin), axis)
    }
}

/// Efforts with four hinges in a register.
#[derive(Debug)]
struct EffortsInLanes<T: Simd4> {
    groups: Vec<HingeGroup<T>>,
    /// By group.
    lanes: LaneEfforts<T>,
    /// Hinges with efforts that are not lines: their place and their slot, four per group.
    scalar_hinges: Vec<(OneFreedomNode, usize)>,
    slides: Vec<Slide>,
    /// By slot: torque on the child at the last state; angle and rate, if there are `scalar_hinges`.
    torques: Vec<f64>,
    coordinates: Vec<f64>,
}

/// Springs, efforts and commands along the one coordinate of a joint, at its value with turns and without the
/// zero of the joint.
fn effort_of(model: &Model, joint: usize, state: &State, (value, rate): (f64, f64)) -> f64 {
    let entry = &model.joints[joint];
    let value = value + entry.zero(0);
    let commands = state.commands.as_ref().map_or(&[][..], |commands| commands.efforts());
    let command = commands.get(model.joint_order().efforts_of(joint).start).copied().unwrap_or(0.0);
    let springs: f64 = entry.springs.iter().map(|spring| spring.force(value, rate)).sum();
    let efforts: f64 =
        entry.efforts.iter().map(|effort| effort.at(model, joint, state, value, rate).force).sum();
    command + springs + efforts
}

/// Position, orientation, velocity and angular velocity of an end of a joint.
fn end_motion(model: &Model, state: &State, end: &Attachment) -> (Vec3, Quat, Vec3, Vec3) {
    let Some(body) = end.body().map(|body| &model.bodies[body]) else {
        return (end.local.pos, end.local.rot, Vec3::ZERO, Vec3::ZERO);
    };
    let (q, v) = (&state.q[body.q_at as usize..][..7], Six::from_slice(&state.v[body.v_at as usize..][..6]));
    let rot = Quat { w: q[3], v: Vec3::new(q[4], q[5], q[6]) };
    let arm = rot * end.local.pos;
    (Vec3::new(q[0], q[1], q[2]) + arm, rot * end.local.rot, v.lin + v.ang.cross(arm), v.ang)
}

impl Slide {
    /// The effort at a state. Keeps its wrench.
    fn evaluate(&mut self, model: &Model, state: &State) -> f64 {
        let OneFreedomNode { joint, onto_b, .. } = self.place;
        let entry = &model.joints[joint];
        let (a, rot_a, vel_a, omega_a) = end_motion(model, state, &entry.a);
        let (b, _, vel_b, _) = end_motion(model, state, &entry.b);
        let (z, offset) = (rot_a * Vec3::Z, b - a);
        let value = z.dot(offset);
        let rate = z.dot(vel_b - vel_a - omega_a.cross(offset));
        let effort = effort_of(model, joint, state, (value, rate));
        let child = if onto_b { entry.b.body() } else { entry.a.body() };
        let center = child.map_or(Vec3::ZERO, |child| {
            let q_at = model.bodies[child].q_at as usize;
            Vec3::new(state.q[q_at], state.q[q_at + 1], state.q[q_at + 2])
        });
        let force = z * if onto_b { effort } else { -effort };
        self.push = Six::new(force, (b - center).cross(force));
        effort
    }
}

impl<T: Simd4> StateEfforts for EffortsInLanes<T> {
    fn write(&mut self, model: &Model, state: &State, out: &mut [f64]) -> bool {
        let commands = state.commands.as_deref();
        for lane in 0..T::LANES {
            self.lanes.prepare(lane, state.time, commands);
        }
        if !T::run_vectorized(WriteHinges { efforts: self, state, out }) {
            return false;
        }
        for (place, slot) in &self.scalar_hinges {
            let [value, rate] = [self.coordinates[2 * slot], self.coordinates[2 * slot + 1]];
            let effort = effort_of(model, place.joint, state, (value, rate));
            out[place.node as usize] = effort;
            // The torque was written for an effort of one.
            self.torques[3 * slot..3 * slot + 3].iter_mut().for_each(|x| *x *= effort);
        }
        for slide in &mut self.slides {
            out[slide.place.node as usize] = slide.evaluate(model, state);
        }
        true
    }

    fn take_from_loads(&self, loads: &mut [Six]) {
        for (group, torques) in self.groups.iter().zip(self.torques.chunks_exact(3 * T::LANES)) {
            for (node, &[x, y, z]) in group.nodes.iter().zip(torques.as_chunks::<3>().0).take(group.count) {
                loads[*node as usize].ang -= Vec3::new(x, y, z);
            }
        }
        for slide in &self.slides {
            loads[slide.place.node as usize] -= slide.push;
        }
    }

    fn bytes(&self) -> usize {
        self.groups.capacity() * size_of::<HingeGroup<T>>()
            + self.lanes.bytes()
            + self.scalar_hinges.capacity() * size_of::<(OneFreedomNode, usize)>()
            + self.slides.capacity() * size_of::<Slide>()
            + (self.torques.capacity() + self.coordinates.capacity()) * size_of::<f64>()
    }
}

/// Efforts of all hinges, compiled for the vector unit; false if a limit is reached.
struct WriteHinges<'w, T: Simd4> {
    efforts: &'w mut EffortsInLanes<T>,
    state: &'w State,
    out: &'w mut [f64],
}

impl<T: Simd4> Task for WriteHinges<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let WriteHinges { efforts: EffortsInLanes { groups, lanes, torques, coordinates, .. }, state, out } =
            self;
        let mut reached = T::Mask::NONE;
        for (at, (group, entry)) in groups.iter().zip(&lanes.nodes).enumerate() {
            let (p, rate, axis) = group.motion(state);
            let effort = entry.now(p, rate);
            reached = reached | entry.is_at_limit(p);
            T::scatter([effort], out, group.nodes);
            let slots = [0, 1, 2, 3].map(|lane| (T::LANES * at + lane) as u32);
            let torque = axis * ((effort + group.unit) * group.sign);
            T::scatter([torque.x, torque.y, torque.z], torques, slots.map(|slot| 3 * slot));
            if !coordinates.is_empty() {
                T::scatter([p, rate], coordinates, slots.map(|slot| 2 * slot));
            }
        }
        !reached.any()
    }
}
