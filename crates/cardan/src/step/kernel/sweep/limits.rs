//! Limits of hinges in lanes: which are active, and the forces with which they push.
//!
//! The active limits of a mechanism are those that its state says (`State::held`). In lanes they stay active
//! for the whole step: their freedoms are locked, and each step gives their forces. A step in which one of
//! them would pull, or in which another limit is passed, is declined; `touched_limits.rs` takes it.

use crate::inequality::{InequalityOrigin, LimitSide};
use crate::math::Lane;
use crate::model::Model;
use crate::state::State;
use crate::step::contact::{ActiveContact, ContactKey, FrictionMode, RollSpin};
use crate::step::dynamics::locked_freedoms::PULLS;
use crate::step::kernel::sweep::efforts::NodeEffort;
use crate::tolerances::CONTACT_GAP;
use cardan_solve::articulated::Node;
use cardan_solve::simd::{Mask, Simd};

/// A limit of a hinge.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct HingeLimit {
    pub(crate) node: u32,
    pub(crate) lane: u32,
    /// The inequality of the model.
    pub(crate) inequality: u32,
    /// Child of the hinge.
    body: u32,
    /// 1 at the low end of the range, −1 at the high end: sign of the gap's rate beside that of the angle.
    pub(crate) side: f64,
    pub(crate) restitution: f64,
}

/// Limits of all hinges of all lanes.
#[derive(Clone, Debug)]
pub(crate) struct LaneLimits<T: Lane> {
    /// By mechanism, in the order of the model.
    of_mechanism: [Vec<HingeLimit>; 4],
    /// By mechanism: active limits by their number in `of_mechanism`, in order.
    held: [Vec<u32>; 4],
    /// By mechanism: whether its active contacts are limits of these, at rest.
    is_known: [bool; 4],
    /// Nodes with an active limit in some lane.
    locked_nodes: Vec<u32>,
    /// Forces of active limits by node, at the start of the present state's last step, and in the step after
    /// it \[N·m\].
    forces: [Vec<T>; 2],
}

impl<T: Simd> LaneLimits<T> {
    /// Room for so many nodes.
    pub(crate) fn new(nodes: usize) -> Self {
        LaneLimits {
            of_mechanism: [const { Vec::new() }; 4],
            held: [const { Vec::new() }; 4],
            is_known: [true; 4],
            locked_nodes: Vec::with_capacity(nodes),
            forces: [vec![T::ZERO; nodes], vec![T::ZERO; nodes]],
        }
    }

    /// Takes the limits of a hinge: of each end of its range the first of those that allow least.
    pub(crate) fn add_hinge(
        &mut self,
        (node, lane): (usize, usize),
        (mechanism, body): (usize, u32),
        model: &Model,
        index: usize,
    ) {
        let (low, high) = model.limits_of(index, 0);
        let of_this = |want: LimitSide| {
            model.inequalities.iter().position(|inequality| match inequality.origin {
                InequalityOrigin::Limit { joint, coordinate: 0, side } => {
                    let value = if want == LimitSide::Low { low } else { high };
                    joint.index() == index && side == want && inequality.limit_value == value
                }
                _ => false,
            })
        };
        for (want, side) in [(LimitSide::Low, 1.0), (LimitSide::High, -1.0)] {
            if let Some(inequality) = of_this(want) {
                let restitution = model.inequalities[inequality].restitution;
                let (node, lane, inequality) = (node as u32, lane as u32, inequality as u32);
                let limit = HingeLimit { node, lane, inequality, body, side, restitution };
                let all = &mut self.of_mechanism[mechanism & 3];
                let at = all.partition_point(|other| other.inequality < inequality);
                all.insert(at, limit);
                self.held[mechanism & 3].reserve(1);
            }
        }
    }

    /// All limits of a mechanism.
    pub(crate) fn of(&self, mechanism: usize) -> &[HingeLimit] {
        &self.of_mechanism[mechanism & 3]
    }

    /// Whether a mechanism can be stepped with the limits that are active in its state.
    pub(crate) fn is_known(&self, mechanism: usize) -> bool {
        self.is_known[mechanism & 3]
    }

    /// Makes the limits of a mechanism active that are so in its state. Returns whether some changed. Those
    /// at which the hinge does not rest are not taken.
    pub(crate) fn set_held(&mut self, mechanism: usize, state: &State, nodes: &mut [NodeEffort<T>]) -> bool {
        let mechanism = mechanism & 3;
        let (all, held) = (&self.of_mechanism[mechanism], &mut self.held[mechanism]);
        let key = |at: &u32| ContactKey::Declared(all[*at as usize].inequality);
        let is_same = self.is_known[mechanism]
            && held.len() == state.held.len()
            && held.iter().zip(&state.held).all(|(at, other)| key(at) == other.key);
        if !is_same {
            // Lanes that are left over repeat a hinge, whose limits are then there more than once.
            let mut set = |at: usize, is_active: bool| {
                for limit in all[at..].iter().take_while(|limit| limit.inequality == all[at].inequality) {
                    let side = if is_active { limit.side } else { 0.0 };
                    nodes[limit.node as usize].side.set_lane(limit.lane as usize, side);
                }
            };
            held.iter().for_each(|&at| set(at as usize, false));
            held.clear();
            for contact in &state.held {
                let ContactKey::Declared(i) = contact.key else { continue };
                let at = all.partition_point(|limit| limit.inequality < i);
                if all.get(at).is_some_and(|limit| limit.inequality == i) {
                    set(at, true);
                    held.push(at as u32);
                }
            }
        }
        self.is_known[mechanism] = held.len() == state.held.len()
            && held.iter().all(|&at| rests_on(&all[at as usize], nodes, state));
        if !is_same {
            self.note_locked(nodes);
        }
        for (&at, contact) in self.held[mechanism].iter().zip(&state.held) {
            let limit = &self.of_mechanism[mechanism][at as usize];
            self.forces[0][limit.node as usize].set_lane(limit.lane as usize, contact.push[0]);
        }
        !is_same
    }

    /// Whether a hinge of some mechanism is at a limit, by its angle at each node.
    pub(crate) fn touches(&self, nodes: &[NodeEffort<T>], angle: impl Fn(usize) -> T) -> bool {
        let is_near = |limit: &HingeLimit| {
            let (entry, lane) = (&nodes[limit.node as usize], limit.lane as usize);
            let value = if limit.side > 0.0 { entry.low } else { entry.high };
            limit.side * (angle(limit.node as usize).lane(lane) - value.lane(lane)) <= CONTACT_GAP
        };
        self.of_mechanism.iter().flatten().any(is_near)
    }

    /// Writes the list of nodes with active limits anew.
    pub(crate) fn note_locked(&mut self, nodes: &[NodeEffort<T>]) {
        self.locked_nodes.clear();
        let is_locked = |node: &NodeEffort<T>| node.side.abs().above(T::ZERO).any();
        self.locked_nodes.extend((0..nodes.len() as u32).filter(|&at| is_locked(&nodes[at as usize])));
    }

    /// Makes the limits of a mechanism active that are so by the sides of its nodes.
    pub(crate) fn take_sides(&mut self, mechanism: usize, nodes: &[NodeEffort<T>]) {
        let (all, held) = (&self.of_mechanism[mechanism & 3], &mut self.held[mechanism & 3]);
        held.clear();
        let is_held =
            |limit: &HingeLimit| nodes[limit.node as usize].side.lane(limit.lane as usize) == limit.side;
        held.extend((0..all.len() as u32).filter(|&at| is_held(&all[at as usize])));
        held.dedup_by_key(|at| all[*at as usize].inequality);
        self.note_locked(nodes);
    }

    /// Reads the forces of active limits from a solve. The mask marks lanes in which one pulls.
    #[inline(always)]
    pub(crate) fn note_forces(&mut self, efforts: &[NodeEffort<T>], nodes: &[Node<T>]) -> T::Mask {
        let mut pulls = T::Mask::NONE;
        for &at in &self.locked_nodes {
            let (force, noise) = force_of(efforts[at as usize].side, &nodes[at as usize]);
            pulls = pulls | (-force).above(noise);
            self.forces[1][at as usize] = T::select(force.above(T::ZERO), force, T::ZERO);
        }
        pulls
    }

    /// Accepts the last step.
    #[inline(always)]
    pub(crate) fn accept(&mut self) {
        self.forces.swap(0, 1);
    }

    /// Writes the forces of a mechanism's active limits to its state: those of its present state, or those of
    /// the last step.
    #[inline(always)]
    pub(crate) fn store_forces(&self, mechanism: usize, is_next: bool, state: &mut State) {
        let forces = &self.forces[usize::from(is_next)];
        for (&at, contact) in self.held[mechanism & 3].iter().zip(&mut state.held) {
            let limit = &self.of_mechanism[mechanism & 3][at as usize];
            contact.push[0] = forces[limit.node as usize].at(limit.lane as usize);
        }
    }

    /// Active limits of a mechanism as contacts of a state, without forces.
    pub(crate) fn held(&self, mechanism: usize) -> impl Iterator<Item = ActiveContact> + '_ {
        self.held[mechanism & 3].iter().map(move |&at| ActiveContact {
            key: ContactKey::Declared(self.of_mechanism[mechanism & 3][at as usize].inequality),
            mode: FrictionMode::Frictionless,
            roll_spin: RollSpin::default(),
            grip: 0.0,
            push: [0.0; 3],
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        let of_lists = |lists: &[Vec<u32>; 4]| lists.iter().map(Vec::capacity).sum::<usize>();
        let limits: usize = self.of_mechanism.iter().map(Vec::capacity).sum();
        limits * size_of::<HingeLimit>()
            + (of_lists(&self.held) + self.locked_nodes.capacity()) * size_of::<u32>()
            + (self.forces[0].capacity() + self.forces[1].capacity()) * size_of::<T>()
    }
}

/// Force of the active limit of a node by the last solve, and its rounding.
#[inline(always)]
pub(crate) fn force_of<T: Simd>(side: T, node: &Node<T>) -> (T, T) {
    let push = -(node.joint_inertia * node.first_answer);
    let formed = node.first.dot(&node.force).abs() + node.effort.abs() + push.abs();
    (side * push, T::splat(PULLS) * formed * side.abs())
}

/// Whether a hinge rests on a limit, by the joint coordinates of a state.
fn rests_on<T: Simd>(limit: &HingeLimit, nodes: &[NodeEffort<T>], state: &State) -> bool {
    let (entry, lane) = (&nodes[limit.node as usize], limit.lane as usize);
    let value = if limit.side > 0.0 { entry.low } else { entry.high }.lane(lane);
    let angle = state.joint_q.get(7 * limit.body as usize);
    let rate = state.joint_v.get(6 * limit.body as usize);
    let is_near = |x: Option<&f64>, y: f64| x.is_some_and(|x| (x - y).abs() <= CONTACT_GAP);
    is_near(angle, value) && is_near(rate, 0.0) && entry.side.lane(lane) == limit.side
}

#[cfg(test)]
mod tests {
    use crate::joint::effort::EffortKind;
    use crate::law::Law;
    use crate::prelude::*;
    use crate::step::contact::ContactKey;
    use crate::{Coordinates, Integrator, JointLimit, Model, Settings};
    use std::sync::Arc;

    /// A chain of hinges about changing axes with torques; those with more than 0.5 N·m push against a limit
    /// at the angle 0.
    fn chain(torques: &[f64]) -> Arc<Model> {
        let mut builder = ModelBuilder::new(Gravity::new(0.3, -0.2, -9.81));
        let mut below = Ground;
        for (k, &torque) in torques.iter().enumerate() {
            let z = 0.3 * k as f64;
            let body =
                builder.add_body(Body { pos: vec3(0.05, 0.02, z + 0.15), ..Body::rod(1.0, 0.3, 0.04) });
            let axis = [[1.0, 0.0, 0.2], [0.1, 1.0, 0.0], [0.0, 0.3, 1.0]][k % 3];
            let mut joint = Joint::revolute(below, body, [0.0, 0.0, z], axis)
                .with_effort(0, EffortKind::Law(Law::Constant(torque)));
            let (low, high) = match torque {
                ..-0.5 => (0.0, 2.0),
                0.5.. => (-2.0, 0.0),
                _ => (-2.0, 2.0),
            };
            joint.limits.push(JointLimit { coordinate: 0, low, high, restitution: 0.0 });
            builder.add_joint(joint);
            below = body.into();
        }
        Arc::new(builder.build().expect("a chain"))
    }

    fn simulation(model: &Arc<Model>, coordinates: Coordinates) -> Simulation {
        let integrator = Integrator::SemiImplicitEuler;
        let settings = Settings { integrator, coordinates, ..Settings::default() };
        Simulation::with_settings(model.clone(), settings).expect("a simulation")
    }

    /// Accelerations of free angles and forces of active limits by the dense mass matrix H: H q̈ + b = τ + λ.
    fn dense(sim: &Simulation, torques: &[f64], is_active: &[bool]) -> Vec<f64> {
        let space = sim.joint_space().expect("a tree");
        let (mass, bias, n) = (space.mass_matrix(), space.bias(), torques.len());
        let free: Vec<usize> = (0..n).filter(|&i| !is_active[i]).collect();
        let mut m: Vec<Vec<f64>> = free
            .iter()
            .map(|&i| free.iter().map(|&j| mass[i * n + j]).chain([torques[i] - bias[i]]).collect())
            .collect();
        for k in 0..free.len() {
            for i in (0..free.len()).filter(|&i| i != k) {
                let part = m[i][k] / m[k][k];
                for j in k..=free.len() {
                    let above = m[k][j];
                    m[i][j] -= part * above;
                }
            }
        }
        let mut acc = vec![0.0; n];
        free.iter().enumerate().for_each(|(k, &i)| acc[i] = m[k][free.len()] / m[k][k]);
        (0..n).map(|i| (0..n).map(|j| mass[i * n + j] * acc[j]).sum::<f64>() + bias[i] - torques[i]).collect()
    }

    #[test]
    fn forces_of_limits_are_those_of_a_dense_solve_and_of_the_general_path() {
        let torques = [-9.0, 7.0, -5.0, 0.4, 3.0, -2.0, 0.3, 1.0];
        let model = chain(&torques);
        let mut sim = simulation(&model, Coordinates::Joints);
        let mut seen = 0;
        for step in 0..60 {
            let mut before = simulation(&model, Coordinates::Joints);
            before.restore(sim.state()).expect("a state of this model");
            sim.step(1e-3).expect("a step");
            if step == 0 {
                continue;
            }
            // A step in which limits change has forces of its last phase.
            let held = |sim: &Simulation| sim.state().held.iter().map(|held| held.key).collect::<Vec<_>>();
            if held(&before) != held(&sim) {
                continue;
            }
            let mut is_active = vec![false; torques.len()];
            for held in &sim.state().held {
                let ContactKey::Declared(i) = held.key else { panic!("not a limit") };
                is_active[i as usize / 2] = true;
            }
            let wanted = dense(&before, &torques, &is_active);
            let mut general = simulation(&model, Coordinates::Bodies);
            general.restore(before.state()).expect("a state of this model");
            general.step(1e-3).expect("a step on poses");
            for held in &sim.state().held {
                let ContactKey::Declared(i) = held.key else { panic!("not a limit") };
                let wanted = wanted[i as usize / 2].abs();
                assert!((held.push[0] - wanted).abs() < 1e-11 * (1.0 + wanted), "{} {wanted}", held.push[0]);
                let other = general.state().held.iter().find(|other| other.key == held.key);
                let other = other.expect("active on the general path too").push[0];
                assert!((held.push[0] - other).abs() < 1e-9 * (1.0 + wanted), "{} {other}", held.push[0]);
                seen += 1;
            }
            assert!(is_active.contains(&true) && is_active.contains(&false), "{is_active:?}");
        }
        assert!(seen > 100, "{seen}");
    }
}
