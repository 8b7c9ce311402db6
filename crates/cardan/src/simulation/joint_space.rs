//! Equations of motion in joint coordinates, at the present state.

use super::Simulation;
use super::commands::body_index;
use crate::body::BodyKind;
use crate::joint_space::coordinates::{read_rates, shifted_positions, write_positions, write_rates};
use crate::joint_space::{CommandError, JointSpace};
use crate::math::larger;
use crate::model::BodyId;
use crate::state::State;
use crate::step::{self, accumulate_applied, constrained_response, evaluate};

/// ẋ = A x + B u about a state, x = (δq, δq̇) and u = δτ in joint order.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearisation {
    /// A, 2 nv × 2 nv, row after row.
    pub a: Vec<f64>,
    /// B, 2 nv × nv, row after row.
    pub b: Vec<f64>,
    /// nv.
    pub rates: usize,
    /// q̈ at the state itself: zero at an equilibrium.
    pub accelerations: Vec<f64>,
}

/// Step of the differences [m, rad, and their rates]: with four points the truncation is h⁴, rounding ε/h.
const STEP: f64 = 1e-3;

impl Simulation {
    /// The spanning tree at the present state: mass matrix, bias, inverse and forward dynamics, Jacobians.
    ///
    /// # Errors
    /// If a body has coordinates of its own kind.
    pub fn joint_space(&self) -> Result<JointSpace, CommandError> {
        JointSpace::new(&self.model, &self.state)
    }

    /// Inverse dynamics at the present state: the efforts that give these joint accelerations, H q̈ + b \[N,
    /// N·m\], as [`JointSpace::inverse_dynamics`] has it. For control loops: allocates nothing after the
    /// first call.
    ///
    /// # Errors
    /// If a body has coordinates of its own kind, or a length is not that of the rates.
    pub fn inverse_dynamics(
        &mut self,
        accelerations: &[f64],
        efforts: &mut [f64],
    ) -> Result<(), CommandError> {
        let mut space = match self.space.take() {
            Some(space) => space,
            None => Box::new(self.joint_space()?),
        };
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        space.refresh(&self.model, &self.work.kinematics.motions);
        let outcome = space.write_inverse_dynamics(accelerations, efforts);
        self.space = Some(space);
        outcome
    }

    /// Joint accelerations q̈ in joint order [m/s², rad/s²] of everything that acts at the present state:
    /// weight, forces, motors, commands, drives, loops and contacts.
    ///
    /// # Errors
    /// If a body has coordinates of its own kind, or the equations have no answer.
    pub fn joint_accelerations(&mut self) -> Result<Vec<f64>, CommandError> {
        let space = self.joint_space()?;
        step::accelerate(&self.model, &self.settings, &self.state, &mut self.work)?;
        Ok(self.reduced(&space))
    }

    fn reduced(&self, space: &JointSpace) -> Vec<f64> {
        let (model, acc) = (&self.model, &self.work.equations.acc);
        space.reduce_accelerations(|i| {
            let body = &model.bodies[i];
            let a = body.kind.as_wrench(&acc[body.v_range()]);
            (a.force, a.torque)
        })
    }

    /// What springs, dampers, servos, motors, friction that slides, force laws and commands do, as efforts in
    /// joint order \[N, N·m\]. Weight is not in it, nor are drives, loops and contacts.
    ///
    /// # Errors
    /// If a body has coordinates of its own kind, or a force is not finite.
    pub fn applied_efforts(&mut self) -> Result<Vec<f64>, CommandError> {
        let space = self.joint_space()?;
        accumulate_applied(&self.model, &self.state, &mut self.work)?;
        let force = self.work.equations.system.force();
        let mut of_nodes = space.forces_by_node(|i| {
            let body = &self.model.bodies[i];
            let f = body.kind.as_wrench(&force[body.v_range()]);
            (f.force, f.torque)
        });
        let mut out = vec![0.0; space.rate_count()];
        space.reduce_forces(&mut of_nodes, &mut out);
        Ok(out)
    }

    /// Λ⁻¹: the inverse operational-space inertia of a body, 6 × 6, row after row. Acceleration of its centre
    /// of mass and angular acceleration per unit force and torque there, world axes [1/kg, 1/(kg·m),
    /// 1/(kg·m²)], with all joints, loops and drives held: J H⁻¹ Jᵀ of a tree. One factorisation and six
    /// solves, linear in the number of bodies. Contacts and limits do not hold here.
    ///
    /// # Errors
    /// If there is no such body, it has coordinates of its own kind, or the equations have no answer.
    pub fn inverse_operational_inertia(&mut self, body: BodyId) -> Result<[[f64; 6]; 6], CommandError> {
        let i = body_index(&self.model, body)?;
        let entry = &self.model.bodies[i];
        if entry.general.is_some() {
            let (body, kind) = (entry.name.clone(), entry.kind.name());
            return Err(CommandError::GeneralBody { body, kind, what: "inertia" });
        }
        evaluate(&self.model, &self.settings, &self.state, &mut self.work)?;
        self.work.equations.system.open_force();
        let range = entry.v_range();
        let mut response = vec![0.0; self.model.v_len];
        let mut out = [[0.0; 6]; 6];
        for (place, c) in freedoms(entry.kind, range.start) {
            let force = self.work.equations.system.force_mut();
            force.fill(0.0);
            force[place] = 1.0;
            constrained_response(&self.model, &mut self.work, &mut response);
            for (place, r) in freedoms(entry.kind, range.start) {
                out[r][c] = response[place];
            }
        }
        // Symmetric up to rounding; made exactly so.
        for r in 0..6 {
            for c in 0..r {
                let mean = 0.5 * (out[r][c] + out[c][r]);
                (out[r][c], out[c][r]) = (mean, mean);
            }
        }
        self.work.forget_rows();
        Ok(out)
    }

    /// Λ: the operational-space inertia of a body, 6 × 6; `None` if its joints do not let it move in all six
    /// ways.
    ///
    /// # Errors
    /// As [`Simulation::inverse_operational_inertia`].
    pub fn operational_inertia(&mut self, body: BodyId) -> Result<Option<[[f64; 6]; 6]>, CommandError> {
        Ok(inverted(&self.inverse_operational_inertia(body)?))
    }

    /// The linearisation about the present state in joint order, with everything that acts (springs, servos,
    /// commands, …): ∂q̈/∂q and ∂q̈/∂q̇ by differences of the engine's accelerations, ∂q̈/∂τ = H⁻¹. A
    /// spherical joint is displaced by a rotation vector in a's frame, a floating body in world axes.
    ///
    /// # Errors
    /// If the mechanism has loops, drives, user constraints or bodies of general kinds, or a spherical joint
    /// or floating body moves.
    pub fn linearise(&mut self) -> Result<Linearisation, CommandError> {
        let space = self.joint_space()?;
        self.refuse_loops("linearisation")?;
        let model = self.model.clone();
        let n = space.rate_count();
        let mut rates = vec![0.0; n];
        read_rates(&model, &self.state, &self.motions(&self.state), &mut rates);
        for entry in model.joint_order().entries() {
            let moves =
                rates[entry.rates.clone()].iter().fold(0.0, |most, x: &f64| larger(most, x.abs())) > 1e-12;
            if entry.positions.len() != entry.rates.len() && moves {
                return Err(CommandError::Moving { part: entry.name(&model).into() });
            }
        }
        let accelerations = self.joint_accelerations()?;
        let (mut a, mut b) = (vec![0.0; 4 * n * n], vec![0.0; 2 * n * n]);
        let own = self.state.clone();
        for k in 0..n {
            let by_position = self.slope(|sim, x| sim.displaced(k, x));
            let by_rate = self.slope(|sim, x| sim.sped_up(k, x));
            self.state = own.clone();
            let (by_position, by_rate) = (by_position?, by_rate?);
            let mut unit = space.bias();
            unit[k] += 1.0;
            let response = space.accelerations(&unit)?;
            for r in 0..n {
                a[(n + r) * 2 * n + k] = by_position[r];
                a[(n + r) * 2 * n + n + k] = by_rate[r];
                b[(n + r) * n + k] = response[r];
            }
            a[k * 2 * n + n + k] = 1.0;
        }
        Ok(Linearisation { a, b, rates: n, accelerations })
    }

    fn refuse_loops(&self, what: &'static str) -> Result<(), CommandError> {
        let model = &self.model;
        let joint = (0..model.joints.len()).find(|j| model.joint_order().joint_at(*j).is_none());
        let driven = model.joints.iter().find(|joint| joint.driven.is_some());
        let part = joint.map(|j| &model.joints[j].name).or(driven.map(|joint| &joint.name));
        match part.or(model.constraints.first().map(|c| &c.name)) {
            Some(part) => Err(CommandError::NotALowerPair { part: part.clone(), what }),
            None => Ok(()),
        }
    }

    /// (4 S(h) − S(2h)) / 3 of the joint accelerations along a change of the state.
    fn slope(
        &mut self,
        change: impl Fn(&mut Self, f64) -> Result<State, CommandError>,
    ) -> Result<Vec<f64>, CommandError> {
        let own = self.state.clone();
        let mut at = |x: f64| -> Result<Vec<f64>, CommandError> {
            self.state = own.clone();
            let state = change(self, x)?;
            self.state = state;
            let acc = self.joint_accelerations();
            self.state = own.clone();
            acc
        };
        let points = [at(STEP)?, at(-STEP)?, at(2.0 * STEP)?, at(-2.0 * STEP)?];
        let [near, back, far, far_back] = points;
        let slope = |k: usize| {
            let (s, s2) = ((near[k] - back[k]) / (2.0 * STEP), (far[k] - far_back[k]) / (4.0 * STEP));
            (4.0 * s - s2) / 3.0
        };
        Ok((0..near.len()).map(slope).collect())
    }

    /// The state with freedom `k` displaced by `x`; the rates of the joints stay.
    fn displaced(&mut self, k: usize, x: f64) -> Result<State, CommandError> {
        let model = self.model.clone();
        let mut state = self.tree_state()?;
        let Some((entry, within)) = model.joint_order().owner(k) else { return Ok(state) };
        let positions = shifted_positions(&model, &self.state, &self.motions(&self.state), entry, within, x);
        write_positions(&model, entry, &positions, &mut state)?;
        self.place(&mut state);
        Ok(state)
    }

    /// The state with rate `k` larger by `x`.
    fn sped_up(&mut self, k: usize, x: f64) -> Result<State, CommandError> {
        let model = self.model.clone();
        let mut rates = vec![0.0; model.joint_order().rate_count()];
        read_rates(&model, &self.state, &self.motions(&self.state), &mut rates);
        let mut state = self.tree_state()?;
        rates[k] += x;
        for entry in model.joint_order().entries() {
            write_rates(&model, entry, &rates[entry.rates.clone()], &mut state)?;
        }
        self.place(&mut state);
        Ok(state)
    }
}

/// Places of a body's velocities in an array of all, and which of six they are.
fn freedoms(kind: BodyKind, first: usize) -> impl Iterator<Item = (usize, usize)> {
    let which: &[usize] = match kind {
        BodyKind::Planar => &[0, 1, 5],
        _ => &[0, 1, 2, 3, 4, 5][..kind.dim()],
    };
    which.iter().enumerate().map(move |(k, c)| (first + k, *c))
}

/// The inverse of a symmetric matrix that is positive definite beyond rounding; `None` of another one.
fn inverted(m: &[[f64; 6]; 6]) -> Option<[[f64; 6]; 6]> {
    // In units of its diagonal, so that metres and radians compare.
    let unit: [f64; 6] = core::array::from_fn(|k| m[k][k].sqrt());
    if unit.iter().any(|x| x.is_nan() || *x <= 0.0) {
        return None;
    }
    let mut l = [[0.0; 6]; 6];
    for c in 0..6 {
        for r in c..6 {
            let start = m[r][c] / (unit[r] * unit[c]);
            let sum = (0..c).fold(start, |sum, k| sum - l[r][k] * l[c][k]);
            if r == c {
                // What rounding leaves of a dependent row.
                if sum <= 1e-12 {
                    return None;
                }
                l[c][c] = sum.sqrt();
            } else {
                l[r][c] = sum / l[c][c];
            }
        }
    }
    let mut out = [[0.0; 6]; 6];
    for k in 0..6 {
        let mut x = [0.0; 6];
        x[k] = 1.0 / unit[k];
        for r in 0..6 {
            x[r] = (0..r).fold(x[r], |sum, c| sum - l[r][c] * x[c]) / l[r][r];
        }
        for r in (0..6).rev() {
            x[r] = (r + 1..6).fold(x[r], |sum, c| sum - l[c][r] * x[c]) / l[r][r];
        }
        (0..6).for_each(|r| out[r][k] = x[r] / unit[r]);
    }
    Some(out)
}
