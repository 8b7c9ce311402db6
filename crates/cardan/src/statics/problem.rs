//! The mechanism as a force field over closed poses.
//!
//! Lengths and angles have one metric: an angle counts as the displacement that it causes at the
//! mechanism's length ℓ, x̂ = (x, ℓ θ), and forces accordingly, f̂ = (f, τ/ℓ).

use super::error::StaticsError;
use super::reach::Goal;
use crate::body::Wrench;
use crate::force::ForceOutput;
use crate::joint::Relative;
use crate::math::{Quat, Vec3, larger};
use crate::measure::coordinates::{align_turns, full_value, raw};
use crate::model::{Model, ModelBody};
use crate::state::State;
use crate::step::{
    JointAxes, Settings, Workspace, assemble, frame, observe_rows, refresh_motions, write_equations,
};
use cardan_solve::NullSpaceBasis;

/// The largest number of coordinates: the rows are factored densely.
pub(super) const MOST_COORDINATES: usize = 2000;

/// The force field.
#[derive(Copy, Clone, Debug)]
pub(super) enum ForceField {
    /// Gravity, forces, springs in joints.
    Loads,
    /// One spring of 1 N/m from a point to its target, and no other force.
    TargetSpring(Goal),
}

/// A model with working memory, a force field and a length.
pub(super) struct StaticsProblem<'m> {
    pub(super) model: &'m Model,
    pub(super) work: Workspace,
    pub(super) field: ForceField,
    /// ℓ: largest distance of bodies and anchors from their centre \[m\].
    pub(super) length: f64,
    /// x̂ = measure · x, one per velocity coordinate: 1 for lengths, ℓ for angles.
    pub(super) measure: Vec<f64>,
    /// Indices of the held inequalities, ascending (`bounds.rs`).
    pub(super) held: Vec<usize>,
    settings: Settings,
}

/// The energy of a pose, to compare with another pose.
#[derive(Clone, Debug, Default)]
pub(super) struct PoseEnergy {
    /// Potential energy of all forces that have one \[J\].
    potential: f64,
    /// Sum of the sizes of its terms \[J\]: its rounding is proportional.
    pub(super) size: f64,
    /// The largest single force, torques divided by ℓ \[N\]: the rounding of sums of forces is
    /// proportional.
    pub(super) largest_force: f64,
    /// Forces without a potential: where each acts, and its wrench.
    others: Vec<(Vec3, Quat, Wrench)>,
    /// Forces without a potential along joint coordinates: value, and force or torque.
    pushes: Vec<[f64; 2]>,
}

impl PoseEnergy {
    /// Work of the field on the way to `next` \[J\]; for forces without a potential by the mean of
    /// both ends.
    pub(super) fn gain(&self, next: &PoseEnergy) -> f64 {
        let mut gain = self.potential - next.potential;
        for ((p, r, w), (q, s, u)) in self.others.iter().zip(&next.others) {
            let turn = (*s * r.inverse()).log();
            gain += 0.5 * ((w.force + u.force).dot(*q - *p) + (w.torque + u.torque).dot(turn));
        }
        for ([x, f], [y, g]) in self.pushes.iter().zip(&next.pushes) {
            gain += 0.5 * (f + g) * (y - x);
        }
        gain
    }
    pub(super) fn potential(&self) -> f64 {
        self.potential
    }
    fn add(&mut self, term: f64) {
        self.potential += term;
        self.size += term.abs();
    }
}

impl<'m> StaticsProblem<'m> {
    pub(super) fn new(model: &'m Model, state: &State, field: ForceField) -> Result<Self, StaticsError> {
        if model.shapes().len() > 1 {
            return Err(StaticsError::Contacts);
        }
        if model.v_len > MOST_COORDINATES {
            return Err(StaticsError::TooLarge { coordinates: model.v_len, most: MOST_COORDINATES });
        }
        if let Some(constraint) = model.constraints.iter().find(|constraint| constraint.pushed) {
            return Err(StaticsError::ForceElsewhere { constraint: constraint.name.clone() });
        }
        let mut work = Workspace::with_default_settings(model);
        refresh_motions(model, state, &mut work);
        let length = length(model, &work);
        let mut measure = vec![1.0; model.v_len];
        for (body, general) in model.bodies.iter().filter_map(|body| Some((body, body.general.as_ref()?))) {
            measure[body.v_range()].copy_from_slice(&general.units);
        }
        let plain = |body: &&ModelBody| body.kind.has_orientation() && body.general.is_none();
        for body in model.bodies.iter().filter(plain) {
            let turns = body.v_range().start + if body.kind.is_planar() { 2 } else { 3 };
            measure[turns..body.v_range().end].fill(length);
        }
        Ok(StaticsProblem {
            model,
            work,
            field,
            length,
            measure,
            held: Vec::new(),
            settings: Settings::default(),
        })
    }

    /// Writes M, F and J of a state in the workspace; F is that of the field.
    pub(super) fn write(&mut self, state: &State) -> Result<(), StaticsError> {
        write_equations(self.model, &self.settings, state, &mut self.work)?;
        if let ForceField::TargetSpring(goal) = self.field {
            self.work.equations.system.force_mut().fill(0.0);
            let here = frame(&self.work.kinematics.motions, &goal.at);
            let pull = goal.pull(&here, self.length);
            self.work.push(self.model, &goal.at, here.arm, pull);
        }
        Ok(())
    }

    /// F + Jᵀ λ of what was written last; λ of held inequalities comes after that of the rows.
    pub(super) fn total_force(&self, lambda: &[f64]) -> Vec<f64> {
        let (system, graph) = (&self.work.equations.system, &self.model.graph);
        let mut total = system.force().to_vec();
        for link in graph.all_links() {
            for (end, block) in graph.ends(link).iter().enumerate() {
                let Some(block) = *block else { continue };
                let (columns, jac) = (graph.block_range(block), system.jac(link, end));
                for (r, row) in graph.row_range(link).enumerate() {
                    for (k, c) in columns.clone().enumerate() {
                        total[c] += jac[r * columns.len() + k] * lambda[row];
                    }
                }
            }
        }
        for (bound, lambda) in self.held_bounds().iter().zip(&lambda[graph.rows()..]) {
            total.iter_mut().zip(&bound.row).for_each(|(t, x)| *t += x * lambda);
        }
        total
    }

    /// J of what was written last, dense and in the metric: row-major, J / measure. Held
    /// inequalities come last.
    pub(super) fn dense_rows(&self) -> Vec<f64> {
        let (system, graph, n) = (&self.work.equations.system, &self.model.graph, self.model.v_len);
        let mut rows = vec![0.0; graph.rows() * n];
        for link in graph.all_links() {
            for (end, block) in graph.ends(link).iter().enumerate() {
                let Some(block) = *block else { continue };
                let (columns, jac) = (graph.block_range(block), system.jac(link, end));
                for (r, row) in graph.row_range(link).enumerate() {
                    for (k, c) in columns.clone().enumerate() {
                        rows[row * n + c] += jac[r * columns.len() + k] / self.measure[c];
                    }
                }
            }
        }
        for bound in self.held_bounds() {
            rows.extend(bound.row.iter().zip(&self.measure).map(|(x, m)| x / m));
        }
        rows
    }

    /// M x of what was written last.
    pub(super) fn mass_times(&self, x: &[f64]) -> Vec<f64> {
        let (system, graph) = (&self.work.equations.system, &self.model.graph);
        let mut out = vec![0.0; x.len()];
        for block in graph.all_blocks() {
            let (range, mass) = (graph.block_range(block), system.mass(block));
            for i in 0..range.len() {
                for j in 0..range.len() {
                    let (high, low) = if i > j { (i, j) } else { (j, i) };
                    out[range.start + i] += mass[high * (high + 1) / 2 + low] * x[range.start + j];
                }
            }
        }
        for (j, joint) in self.model.joints.iter().enumerate().filter(|(_, joint)| joint.armature != 0.0) {
            // A rotor adds A g gᵀ, g the gradient of its coordinate: the force of a unit effort.
            let axes = JointAxes::new(self.model, &self.work.kinematics.motions, j, None);
            let on_b = axes.relative.to_world(axes.direction[0]);
            let ends = [(joint.b, on_b), (joint.a, axes.relative.carried_to_a(on_b))];
            let mut gradient = vec![0.0; x.len()];
            for (at, wrench) in ends {
                let Some(body) = at.body().map(|body| &self.model.bodies[body]) else { continue };
                let arm = frame(&self.work.kinematics.motions, &at).arm;
                body.kind.pull_back(arm, wrench, &mut gradient[body.v_range()]);
            }
            let along: f64 = gradient.iter().zip(x).map(|(g, x)| g * x).sum();
            out.iter_mut().zip(&gradient).for_each(|(out, g)| *out += joint.armature * along * g);
        }
        out
    }

    /// The state displaced by `shift`, without projection.
    pub(super) fn moved(&self, state: &State, shift: &[f64]) -> State {
        let mut next = state.clone();
        next.displace(self.model, shift);
        next
    }

    /// The closed pose at rest near a state.
    pub(super) fn closed(&mut self, state: &State) -> Result<State, StaticsError> {
        let mut next = state.clone();
        // Statics is about what the model says.
        next.commands = None;
        (next.assembled, next.still) = (false, true);
        next.forget_joints();
        next.v.fill(0.0);
        assemble(self.model, &self.settings, &mut next, &mut self.work)?;
        // Rounding of the projection.
        next.v.fill(0.0);
        // A run from here starts with the speeds of its laws.
        next.assembled = false;
        next.ledger = state.ledger;
        refresh_motions(self.model, &next, &mut self.work);
        self.work.stages.next.copy_from(&next);
        align_turns(self.model, &mut self.work);
        next.turns.copy_from_slice(&self.work.stages.next.turns);
        Ok(next)
    }

    /// The closed pose at rest near a state, from a pose near the one of the tangent space. First
    /// by the shortest correction in the metric, with the existing factorisation: the engine's own
    /// projection weighs by mass, and a heavy ball on a taut chain of light links moves it far.
    pub(super) fn closed_near(
        &mut self,
        split: &NullSpaceBasis,
        state: &State,
    ) -> Result<State, StaticsError> {
        let mut next = state.clone();
        let mut last = f64::INFINITY;
        // The engine's projection completes it, but does not know the held inequalities; it does
        // all of it where these corrections do not converge.
        let enough = if self.held.is_empty() { 1e-9 } else { 4.0 * f64::EPSILON } * self.length;
        for _ in 0..40 {
            let errors = self.errors(&next);
            let open = errors.iter().fold(0.0, |w, e: &f64| larger(w, e.abs()));
            if !(open > enough && open < 0.8 * last) {
                break;
            }
            let mut way = split.least_norm(&errors);
            way.iter_mut().zip(&self.measure).for_each(|(x, m)| *x /= m);
            next.displace(self.model, &way);
            last = open;
        }
        if last.is_finite() && next.q.iter().all(|x| x.is_finite()) {
            let open = self.errors(&next).iter().fold(0.0, |w, e: &f64| larger(w, e.abs()));
            if open < 1e-3 * self.length {
                return self.closed(&next);
            }
        }
        self.closed(state)
    }

    /// Errors of all rows, and of held inequalities.
    fn errors(&mut self, state: &State) -> Vec<f64> {
        observe_rows(self.model, &self.settings, state, &mut self.work);
        let held = self.held_bounds().into_iter().map(|bound| bound.gap);
        self.work.equations.err.iter().copied().chain(held).collect()
    }

    /// The energy of a state in the field.
    pub(super) fn pose_energy(&mut self, state: &State) -> PoseEnergy {
        let mut pose_energy = PoseEnergy::default();
        let (model, work) = (self.model, &mut self.work);
        refresh_motions(model, state, work);
        if let ForceField::TargetSpring(goal) = self.field {
            pose_energy.add(goal.energy(&frame(&work.kinematics.motions, &goal.at), self.length));
            return pose_energy;
        }
        for (body, at) in model.bodies.iter().zip(&work.kinematics.motions) {
            pose_energy.add(-body.mass.mass * model.gravity.dot(at.pos));
            if let Some(made) = &body.general {
                pose_energy.add(made.form.energy(made.own(&state.q[body.q_range()])));
            }
            pose_energy.largest_force =
                larger(pose_energy.largest_force, body.mass.mass * model.gravity.largest());
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
            let potential = out.potential;
            for wrench in &work.kinematics.wrenches[..n] {
                let size = larger(wrench.force.largest(), wrench.torque.largest() / self.length);
                pose_energy.largest_force = larger(pose_energy.largest_force, size);
            }
            match potential {
                Some(potential) => pose_energy.add(potential),
                None => pose_energy.others.extend((0..n).map(|k| {
                    (
                        work.kinematics.frames[k].pos,
                        work.kinematics.frames[k].rot,
                        work.kinematics.wrenches[k],
                    )
                })),
            }
        }
        for (j, joint) in model.joints.iter().enumerate().filter(|(_, joint)| joint.has_forces()) {
            let relative = Relative::new(
                &frame(&work.kinematics.motions, &joint.a),
                &frame(&work.kinematics.motions, &joint.b),
            );
            let now = raw(joint, &relative);
            for spring in &joint.springs {
                let k = spring.coordinate;
                let value = full_value(model, j, k, now.value[k], &state.turns);
                let lever = if joint.kind.is_angle(k) { self.length } else { 1.0 };
                pose_energy.largest_force =
                    larger(pose_energy.largest_force, spring.force(value, 0.0).abs() / lever);
                pose_energy.add(spring.energy(value));
            }
            for effort in &joint.efforts {
                let k = effort.coordinate;
                let value = full_value(model, j, k, now.value[k], &state.turns);
                let lever = if joint.kind.is_angle(k) { self.length } else { 1.0 };
                let pushed = effort.at(model, j, state, value, 0.0);
                pose_energy.largest_force = larger(pose_energy.largest_force, pushed.force.abs() / lever);
                if pushed.is_work {
                    pose_energy.pushes.push([value, pushed.force]);
                } else {
                    pose_energy.add(effort.energy(value));
                }
            }
        }
        pose_energy
    }

    /// The size of a displacement in the metric.
    pub(super) fn length_of(&self, shift: &[f64]) -> f64 {
        shift.iter().zip(&self.measure).map(|(x, m)| x * m * x * m).sum::<f64>().sqrt()
    }

    /// The body that a displacement moves most, and the largest rotation angle of any body.
    pub(super) fn most_moved(&self, shift: &[f64]) -> (usize, f64) {
        let (mut most, mut largest, mut angle) = (0, -1.0, 0.0);
        for (i, body) in self.model.bodies.iter().enumerate() {
            let range = body.v_range();
            let size = range.clone().map(|k| (shift[k] * self.measure[k]).abs()).fold(0.0, larger);
            if size > largest {
                (most, largest) = (i, size);
            }
            angle = larger(angle, body.sizes(&shift[range]).1);
        }
        (most, angle)
    }
}

/// Largest distance of a body or anchor from the centre of all; the largest radius of gyration, or
/// one metre, if that is zero.
fn length(model: &Model, work: &Workspace) -> f64 {
    let joints = model.joints.iter().flat_map(|joint| [joint.a, joint.b]);
    let forces = model.forces.iter().flat_map(|force| &force.frames).copied();
    let constraints = model.constraints.iter().flat_map(|constraint| &constraint.frames).copied();
    let anchors = joints.chain(forces).chain(constraints).map(|at| frame(&work.kinematics.motions, &at).pos);
    let bodies = work.kinematics.motions[..model.bodies.len()].iter().map(|at| at.pos);
    let points: Vec<Vec3> = bodies.chain(anchors).collect();
    let sum = points.iter().fold(Vec3::ZERO, |sum, p| sum + *p);
    let middle = sum / if points.is_empty() { 1.0 } else { points.len() as f64 };
    let far = points.iter().map(|p| (*p - middle).norm()).fold(0.0, larger);
    if far > 0.0 {
        return far;
    }
    let gyration = model.bodies.iter().map(|body| {
        let inertia = body.mass.inertia;
        let trace = [Vec3::X, Vec3::Y, Vec3::Z].iter().map(|&e| e.dot(inertia * e)).fold(0.0, larger);
        (trace / body.mass.mass).sqrt()
    });
    let gyration = gyration.fold(0.0, larger);
    if gyration > 0.0 { gyration } else { 1.0 }
}
