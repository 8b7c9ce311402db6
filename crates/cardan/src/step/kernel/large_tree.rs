//! Steps of large trees of hinges on joint coordinates.
//!
//! The data of a [`LARGE_SYSTEM`](crate::step::articulated::LARGE_SYSTEM) come from memory, and the bytes
//! that a step moves are its cost. The kernels of small trees keep two kilobytes a body, twice; here a step
//! reads the state and the constants of the elimination, keeps the two quaternions of every hinge besides,
//! and copies no state:
//!
//! ```text
//! 1  all bodies        poses and velocities from the state
//! 2  leaves → roots    elimination
//! 3  roots → leaves    accelerations and loads
//! 4  leaves → roots    residual of the equations; refinement where it asks for it
//! 5  roots → leaves    joint coordinates and poses of the new state
//! ```
//!
//! ```text
//! p̈ = z·(ω̇_b − ω̇_a)          rot_b = rot_a (c 1 + s k)
//! c, s: cosine and sine of p/2 (`sweep/reduced.rs`)
//! ```
//!
//! Applies to forests of rigid bodies on hinges whose child is b, all on the ground, under gravity alone.

use crate::body::Motion;
use crate::math::{MOST_ANGLE, Quat, Six, Vec3, larger, sin_cos};
use crate::model::Model;
use crate::settings::{Coordinates, Integrator, Settings};
use crate::state::State;
use crate::step::articulated::{self, ArticulatedSystem, state_accel};
use crate::step::dynamics::ledger::{LedgerRate, book};
use crate::step::kernel::subtree_lanes::StepKernel;
use crate::step::project::tree::unit;
use crate::step::workspace::{Equations, Evaluation, Kinematics, MotionSource, Solvers, StageBuffers};
use crate::step::{StepReport, Workspace};
use crate::step_error::Stage;
use crate::tolerances::CERTIFIED;
use cardan_solve::Task;
use cardan_solve::articulated::Node;
use cardan_solve::articulated::f64x3::run_vectorized;

/// Orientation of a hinge's child relative to its parent.
#[derive(Copy, Clone, Debug)]
struct HingeRotation {
    /// At angle zero, and after half a turn.
    one: Quat,
    other: Quat,
    /// Index of the counted angle.
    turn: u32,
}

/// Step kernel of one large tree.
#[derive(Debug)]
struct LargeTree {
    /// By node.
    rotations: Vec<HingeRotation>,
    mass: f64,
    semi_implicit: bool,
    steps: u64,
}

/// Makes the kernel, if a model and its settings suit it.
pub(crate) fn large_tree_kernel(
    model: &Model,
    settings: &Settings,
    articulated: &ArticulatedSystem,
) -> Option<Box<dyn StepKernel>> {
    let is_euler = matches!(settings.integrator, Integrator::ExplicitEuler | Integrator::SemiImplicitEuler);
    let suits = is_euler
        && settings.coordinates == Coordinates::Joints
        && state_accel::has_gravity_only(model, settings)
        && !articulated.is_small
        && articulated.loop_joints.is_empty();
    if !suits {
        return None;
    }
    let rotation = |body_node: &articulated::fill::BodyNode| {
        let tree_joint = body_node.tree_joint.as_ref().filter(|joint| joint.onto_b())?;
        let joint = &model.joints[tree_joint.index as usize];
        let turn = joint.turns_of(0).filter(|_| body_node.is_free_hinge)? as u32;
        let (a, b) = (joint.a.local.rot, joint.b.local.rot.inverse());
        Some(HingeRotation { one: a * b, other: a * Quat { w: 0.0, v: Vec3::Z } * b, turn })
    };
    Some(Box::new(LargeTree {
        rotations: articulated.body_nodes.iter().map(rotation).collect::<Option<_>>()?,
        mass: model.bodies.iter().map(|body| body.mass.mass).sum(),
        semi_implicit: settings.integrator == Integrator::SemiImplicitEuler,
        steps: 0,
    }))
}

impl StepKernel for LargeTree {
    fn step(&mut self, model: &Model, state: &State, h: f64, work: &mut Workspace) -> Option<StepReport> {
        if !(state.assembled && state.has_joints()) || state.still || state.commands.is_some() {
            return None;
        }
        work.stages.stage.copy_few_from(state);
        let (q, v) = (state.q.as_chunks::<7>().0, state.v.as_chunks::<6>().0);
        for ((motion, q), v) in work.kinematics.motions.iter_mut().zip(q).zip(v) {
            *motion = crate::body::BodyKind::Rigid.motion(q, v);
        }
        let at = Evaluation { motions: MotionSource::Written { is_factored: false }, ..Stage::First.into() };
        if let Some(articulated) = &mut work.solvers.articulated {
            articulated.clear_joint_efforts();
            articulated.factored.clear();
        }
        articulated::accelerations(model, work, false, at).ok()?;
        // Refinement, and with it the motion, must not depend on whether accounts are taken.
        articulated::certify(model, work, false);
        if work.equations.equation_residual > CERTIFIED || work.equations.equation_residual.is_nan() {
            return None;
        }
        let (ground, ground_moment) = articulated::ground_load(model, work);
        let next = &mut work.stages.next;
        next.copy_few_from(state);
        for (list, like) in [
            (&mut next.q, &state.q),
            (&mut next.joint_q, &state.q),
            (&mut next.v, &state.v),
            (&mut next.joint_v, &state.v),
        ] {
            list.resize(like.len(), 0.0);
        }
        next.advance_time(h);
        let placed = run_vectorized(PlaceAll { kernel: self, state, h, work });
        if !placed.is_fine {
            return None;
        }
        let rate = LedgerRate {
            force: model.gravity * self.mass + ground,
            moment: placed.moment.cross(model.gravity) + ground_moment,
            ..LedgerRate::default()
        };
        book(&mut work.stages.next.ledger, h, &rate);
        work.kinematics.turns_are_current = true;
        work.integrator.passes_singular_pose = false;
        articulated::forget_factor(work);
        self.steps += 1;
        Some(StepReport {
            size: h,
            steps: 1,
            equation_residual: work.equations.equation_residual,
            position_error: libm::sqrt(placed.position),
            velocity_error: libm::sqrt(placed.velocity),
            ..StepReport::default()
        })
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn steps_in_lanes(&self) -> Option<u64> {
        None
    }

    fn bytes_moved_per_body(&self) -> Option<usize> {
        let (coordinates, rates) = (7 * size_of::<f64>(), 6 * size_of::<f64>());
        let (state, six) = (coordinates + rates, size_of::<Six>());
        let (motion, node) = (size_of::<Motion>(), size_of::<Node>());
        let constants = size_of::<articulated::fill::BodyNode>();
        let poses = state + motion;
        // A node that changes is read and written.
        let elimination = motion + constants + 2 * node;
        let accelerations = 2 * node + 2 * six + size_of::<articulated::fill::ResultSlot>();
        let residual = motion + constants + node + six;
        let placing =
            six + constants + size_of::<HingeRotation>() + 2 * motion + 3 * state + size_of::<f64>();
        Some(poses + elimination + accelerations + residual + placing)
    }

    fn bytes(&self) -> usize {
        self.rotations.capacity() * size_of::<HingeRotation>()
    }
}

/// What [`PlaceAll`] finds on the way.
#[derive(Copy, Clone, Debug, Default)]
struct Placed {
    /// Σ m x at the start \[kg·m\].
    moment: Vec3,
    /// Largest squared errors of the joints that rounding leaves.
    position: f64,
    velocity: f64,
    is_fine: bool,
}

/// Integrates joint coordinates and places all bodies, roots to leaves, compiled for the vector unit.
struct PlaceAll<'w> {
    kernel: &'w LargeTree,
    state: &'w State,
    h: f64,
    work: &'w mut Workspace,
}

impl Task for PlaceAll<'_> {
    type Output = Placed;
    #[inline(always)]
    fn run(self) -> Placed {
        let PlaceAll { kernel, state, h, work } = self;
        let Workspace {
            solvers: Solvers { articulated: Some(articulated), .. },
            kinematics: Kinematics { motions, .. },
            equations: Equations { acc, .. },
            stages: StageBuffers { next, .. },
            ..
        } = work
        else {
            return Placed::default();
        };
        let mut placed = Placed { is_fine: true, ..Placed::default() };
        let ground = state.q.len() / 7;
        let acc = acc.as_chunks::<6>().0;
        let (p, rates) = (state.joint_q.as_chunks::<7>().0, state.joint_v.as_chunks::<6>().0);
        let State { q: next_q, v: next_v, joint_q: next_p, joint_v: next_rates, turns, .. } = next;
        let (next_q, next_v) = (next_q.as_chunks_mut::<7>().0, next_v.as_chunks_mut::<6>().0);
        let (next_p, next_rates) = (next_p.as_chunks_mut::<7>().0, next_rates.as_chunks_mut::<6>().0);
        for (body_node, rotation) in articulated.body_nodes.iter().zip(&kernel.rotations).rev() {
            let Some(tree_joint) = &body_node.tree_joint else { continue };
            let body = body_node.body as usize;
            let (parent_body, (arm_own, z_own), (arm_a, z_a)) = tree_joint.sides();
            let spin = |body: usize| {
                if body == ground {
                    return Vec3::ZERO;
                }
                let [.., x, y, z] = acc[body];
                Vec3::new(x, y, z)
            };
            let before = &motions[body];
            placed.moment += before.pos * body_node.mass;
            let along = (before.axes * z_own).dot(spin(body) - spin(parent_body));
            let rate = rates[body][0] + along * h;
            let angle = p[body][0] + if kernel.semi_implicit { rate } else { rates[body][0] } * h;
            placed.is_fine &= angle.abs() <= MOST_ANGLE;
            let (s, c) = sin_cos(angle * 0.5);
            let HingeRotation { one, other, turn } = rotation;
            let relative = Quat { w: one.w * c + other.w * s, v: one.v * c + other.v * s };
            let parent = &motions[parent_body];
            let rot = unit(parent.rot * relative);
            let axes = rot.matrix();
            let (arm, arm_parent, z) = (axes * arm_own, parent.axes * arm_a, axes * z_own);
            let omega = parent.omega + z * rate;
            let (anchor, carried) = (parent.pos + arm_parent, parent.vel + parent.omega.cross(arm_parent));
            let swings = omega.cross(arm);
            let (pos, vel) = (anchor - arm, carried - swings);
            let (offset, tilt) = ((pos + arm) - anchor, z - parent.axes * z_a);
            let slip = (vel + swings) - carried;
            placed.position = larger(placed.position, larger(offset.dot(offset), tilt.dot(tilt)));
            placed.velocity = larger(placed.velocity, slip.dot(slip));
            placed.is_fine &= (pos.dot(pos) + vel.dot(vel) + omega.dot(omega)).is_finite();
            next_q[body] = [pos.x, pos.y, pos.z, rot.w, rot.v.x, rot.v.y, rot.v.z];
            next_v[body] = [vel.x, vel.y, vel.z, omega.x, omega.y, omega.z];
            next_p[body] = [angle, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
            next_rates[body] = [rate, 0.0, 0.0, 0.0, 0.0, 0.0];
            turns[*turn as usize] = angle;
            motions[body] = Motion { pos, rot, axes, vel, omega };
        }
        placed
    }
}
