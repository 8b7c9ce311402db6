//! Energy: kinetic, potential, dissipated, and work put in.

use super::momentum::Momentum;
use crate::body::Wrench;
use crate::force::ForceOutput;
use crate::joint::effort::Effort;
use crate::math::larger;
use crate::model::Model;
use crate::state::State;
use crate::step::{Workspace, frame, refresh_motions};
use cardan_solve::Task;
use cardan_solve::articulated::f64x3::run_vectorized;

/// Energy of a state \[J\].
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy of gravity (zero at the height of the origin) and of springs (zero where
    /// slack).
    pub potential: f64,
    /// Energy turned into heat since the start.
    pub dissipated: f64,
    /// Work of forces without a potential since the start.
    pub work: f64,
    /// Energy that the implicit rule of joint efforts took since the start: an error of the step size, not heat.
    pub integration_loss: f64,
}

impl Energy {
    /// Kinetic + potential.
    pub fn mechanical(&self) -> f64 {
        self.kinetic + self.potential
    }
    /// The conserved sum: kinetic + potential + dissipated + integration loss − work.
    pub fn balance(&self) -> f64 {
        self.kinetic + self.potential + (self.dissipated + self.integration_loss) - self.work
    }
}

/// Sums of the sizes of forces, and distances: the scale of rounding where forces cancel.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct MagnitudeSums {
    /// Σ of the sizes of weights and forces \[N\].
    pub(crate) force: f64,
    /// Σ of the sizes of torques \[N·m\].
    pub(crate) torque: f64,
    /// Σ m |v| and Σ |x| m |v| + |I ω|: the terms of momentum and angular momentum.
    pub(crate) linear: f64,
    pub(crate) angular: f64,
    /// Largest distance of a centre of mass from the origin \[m\].
    pub(crate) reach: f64,
}

/// Energy of a state; the workspace is used as working memory.
pub(crate) fn measure(model: &Model, state: &State, work: &mut Workspace) -> Energy {
    refresh_motions(model, state, work);
    measure_with_magnitudes(model, state, work).0
}

/// Energy, momentum and sizes of forces of a state whose motions are in the workspace.
pub(crate) fn measure_with_magnitudes(
    model: &Model,
    state: &State,
    work: &mut Workspace,
) -> (Energy, Momentum, MagnitudeSums) {
    run_vectorized(MeasureEnergy(model, state, work))
}

struct MeasureEnergy<'w>(&'w Model, &'w State, &'w mut Workspace);

impl Task for MeasureEnergy<'_> {
    type Output = (Energy, Momentum, MagnitudeSums);
    #[inline(always)]
    fn run(self) -> Self::Output {
        measure_within(self.0, self.1, self.2)
    }
}

#[inline(always)]
fn measure_within(model: &Model, state: &State, work: &mut Workspace) -> (Energy, Momentum, MagnitudeSums) {
    let mut magnitudes = MagnitudeSums::default();
    let mut sum = Momentum::default();
    let free_fall = model.gravity.largest();
    let mut energy = Energy {
        work: state.ledger.work,
        dissipated: state.ledger.dissipated,
        integration_loss: state.ledger.integration_loss,
        ..Energy::default()
    };
    for (i, (body, at)) in model.bodies.iter().zip(&work.kinematics.motions).enumerate() {
        if let Some(made) = &body.general
            && let Some(general) = work.kinematics.motions.general(i)
        {
            energy.kinetic += general.kinetic_energy();
            energy.potential -= body.mass.mass * model.gravity.dot(at.pos);
            energy.potential += made.form.energy(made.own(&state.q[body.q_range()]));
            magnitudes.force += body.mass.mass * free_fall;
            sum.add_general(general);
            let (linear, angular) = general.momentum_sizes();
            magnitudes.linear += linear;
            magnitudes.angular += angular;
            magnitudes.reach = larger(magnitudes.reach, at.pos.reach());
            continue;
        }
        let spin = at.axes.transpose_mul(at.omega);
        let turning = body.mass.inertia * spin;
        energy.kinetic += 0.5 * body.mass.mass * at.vel.dot(at.vel) + 0.5 * spin.dot(turning);
        energy.potential -= body.mass.mass * model.gravity.dot(at.pos);
        magnitudes.force += body.mass.mass * free_fall;
        sum.add(body, at, turning);
        let (momentum, arm) = (body.mass.mass * at.vel.reach(), at.pos.reach());
        magnitudes.linear += momentum;
        magnitudes.angular += arm * momentum + turning.reach();
        magnitudes.reach = if arm > magnitudes.reach { arm } else { magnitudes.reach };
    }
    for force in &model.forces {
        let n = force.frames.len();
        for (k, at) in force.frames.iter().enumerate() {
            work.kinematics.frames[k] = frame(&work.kinematics.motions, at);
            work.kinematics.wrenches[k] = Wrench::ZERO;
        }
        let mut out = ForceOutput {
            wrench: &mut work.kinematics.wrenches[..n],
            potential: None,
            dissipated_power: 0.0,
        };
        force.kind.apply(state.time, &work.kinematics.frames[..n], &mut out);
        energy.potential += out.potential.unwrap_or(0.0);
        for wrench in &work.kinematics.wrenches[..n] {
            magnitudes.force += wrench.force.largest();
            magnitudes.torque += wrench.torque.largest();
        }
    }
    for (j, joint) in model.joints.iter().enumerate() {
        // Dampers, servos, motors and friction store nothing: their work and heat are in the ledger.
        let stores_energy = joint.springs.iter().any(|spring| spring.stiffness != 0.0)
            || joint.efforts.iter().any(Effort::stores_energy);
        if !stores_energy && joint.armature == 0.0 {
            continue;
        }
        let (a, b) = (frame(&work.kinematics.motions, &joint.a), frame(&work.kinematics.motions, &joint.b));
        let raw = super::coordinates::raw(joint, &crate::joint::Relative::new(&a, &b));
        energy.kinetic += 0.5 * joint.armature * raw.rate[0] * raw.rate[0];
        for spring in &joint.springs {
            let k = spring.coordinate;
            let value = super::coordinates::full_value(model, j, k, raw.value[k], &state.turns);
            energy.potential += spring.energy(value);
        }
        for effort in &joint.efforts {
            let k = effort.coordinate;
            let value = super::coordinates::full_value(model, j, k, raw.value[k], &state.turns);
            energy.potential += effort.energy(value);
        }
    }
    (energy, sum, magnitudes)
}
