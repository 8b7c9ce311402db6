//! Contact impulses of a time step: candidates, complementarity problem, velocities.
//!
//! Only some of the constraints within reach are in the problem: those that would be violated
//! without contacts, or nearly so, and those with an impulse in the last step. The others are
//! checked with the solution and added where they are violated, so nothing is left out.

use crate::body::{MAX_DIM, Wrench};
use crate::math::{Vec3, larger};
use crate::model::Model;
use crate::settings::{RestitutionLaw, Settings};
use crate::state::State;
use crate::step::contact::complementarity::ContactProblem;
use crate::step::contact::impact::book_response;
use crate::step::contact::overlap::{Overlap, OverlapFound};
use crate::step::contact::rows::{pose_of, shape_frame};
use crate::step::contact::{ContactEntry, ContactSet, FrictionMode, NOT_HELD, many_contacts};
use crate::step::dynamics::kinematics::refresh_motions;
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::integrate::time_stepping::RESTS;
use crate::step::integrate::time_stepping::impacts::Approach;
use crate::step::project::general::bound;
use crate::step::workspace::Workspace;
use crate::step_error::StepError;
use cardan_shapes::{Aabb, Bounds};

/// Largest number of rounds in which violated constraints are added to the problem.
const ROUNDS: u32 = 8;
/// A constraint is in the problem if its rate is below this fraction of the fastest violation.
const NEARLY: f64 = 0.1;

impl ContactSet {
    /// Adds the velocity change by contact impulses to `work.stages.next`.
    pub(super) fn solve_step(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &State,
        h: f64,
        work: &mut Workspace,
    ) -> Result<(), StepError> {
        (self.island_solvers.residual, self.island_solvers.newton_steps) = (0.0, 0);
        refresh_motions(model, state, work);
        self.reach.clear();
        self.reach.resize(model.contacts.shapes.len(), 0.0);
        self.extend_reach(model, h, work, &[&state.v, &work.stages.next.v]);
        self.observe_within_reach(model, state, &work.kinematics.motions);
        // At later times an overlap is what the last step left, and its report says how deep.
        if state.time == 0.0
            && let Some((subject, depth)) = self.overlapping(model, work.solvers.length).first()
        {
            return Err(Overlap::error(model, *subject, *depth, state.time, OverlapFound::AtStart));
        }
        self.set.clear();
        self.lambda.clear();
        self.impact_log.clear();
        let has_impacts =
            settings.restitution_law == RestitutionLaw::Poisson && !work.integrator.is_first_order;
        let hit = if has_impacts { self.rebound(model, settings, state, h, work)? } else { None };
        let outcome = self.solve_from(model, settings, hit.as_deref().unwrap_or(state), h, work);
        if hit.is_some() {
            work.stages.rest_state = hit;
        }
        outcome
    }

    /// The rest of the step from the state after the impacts, with what is within reach there.
    fn solve_from(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &State,
        h: f64,
        work: &mut Workspace,
    ) -> Result<(), StepError> {
        self.set.clear();
        let mut fastest = self.choose_candidates(settings, h, work);
        if !self.in_problem.contains(&true) {
            return Ok(());
        }
        let (mut p, mut after) = (Vec::new(), std::mem::take(&mut self.after));
        for round in 1.. {
            let before = std::mem::take(&mut self.set);
            let in_problem = self.all.iter().zip(&self.in_problem).filter(|(_, in_problem)| **in_problem);
            self.set.extend(in_problem.map(|(item, _)| item));
            self.choose_friction(work);
            if round == 1 {
                self.seed(|_, item| item.held_in(state).map_or([0.0; 3], |held| held.push.map(|f| h * f)));
            } else {
                let answered = |key: crate::step::contact::ContactKey| {
                    let item = &before[before.binary_search_by(|item| item.key.cmp(&key)).ok()?];
                    let mut push = [0.0; 3];
                    push.iter_mut().zip(&p[item.row..=item.row + item.tangents]).for_each(|(x, p)| *x = *p);
                    Some(push)
                };
                self.seed(|_, item| answered(item.key).unwrap_or([0.0; 3]));
            }
            self.solve_velocities(model, state, work)?;
            p = std::mem::take(&mut self.lambda);
            self.respond_to(model, work, &p);
            after.clear();
            after.extend(work.stages.next.v.iter().zip(&work.stages.shift).map(|(v, dv)| v + dv));
            // A body that was hit may move farther than the search reached.
            if self.extend_reach(model, h, work, &[&after]) {
                self.observe_within_reach(model, state, &work.kinematics.motions);
                fastest = larger(fastest, self.choose_candidates(settings, h, work));
                let ContactSet { set, all, in_problem, .. } = self;
                let is_in =
                    |item: &ContactEntry| set.binary_search_by(|other| other.key.cmp(&item.key)).is_ok();
                in_problem.iter_mut().zip(all).for_each(|(in_problem, item)| *in_problem = is_in(item));
            }
            let passed = self.add_candidates(&after);
            if passed <= 1e-9 * fastest {
                break;
            }
            if round == ROUNDS {
                // The fraction is at most one.
                let part = if passed < fastest { passed / fastest } else { 1.0 };
                self.island_solvers.residual = larger(self.island_solvers.residual, part);
                break;
            }
        }
        self.after = after;
        work.stages.next.v.iter_mut().zip(&work.stages.shift).for_each(|(v, dv)| *v += dv);
        self.stop_resting_islands(model, state, work);
        let mut ledger = work.stages.next.ledger;
        for (row, &push) in p.iter().enumerate().filter(|(_, push)| **push != 0.0) {
            let change = self.contact_rows.dot(row, &work.stages.shift);
            let (first, last) = (self.contact_rows.rows[row].rate, self.free_rates[row] + change);
            let mean = if work.integrator.is_first_order { last } else { 0.5 * (first + last) };
            ledger.dissipated -= push * mean;
            ledger.work -= push * self.contact_rows.rows[row].time_rate;
        }
        book_response(model, work, &mut ledger);
        work.stages.next.ledger = ledger;
        self.lambda = p;
        Ok(())
    }

    /// How far each shape may move within the step: twice its travel at the fastest of some
    /// velocities, and no less than before. Returns whether a reach has grown.
    pub(super) fn extend_reach(
        &mut self,
        model: &Model,
        h: f64,
        work: &Workspace,
        velocities: &[&Vec<f64>],
    ) -> bool {
        let mut is_farther = false;
        for (i, shape) in model.contacts.shapes.iter().enumerate() {
            let mut reach = 1e-6 * work.solvers.length;
            if let Some(body) = shape.body_index() {
                let at = shape_frame(model, &work.kinematics.motions, i as u32);
                let is_carried = shape.at.carrier().is_some();
                let center = if is_carried { at.pos } else { work.kinematics.motions[body].pos };
                let arm = match Bounds::of(&shape.shape, &pose_of(&at), 0.0) {
                    Bounds::Box(bounds) => farthest(&bounds, center),
                    Bounds::HalfSpace { .. } => work.solvers.length,
                };
                let body = &model.bodies[body];
                for v in velocities {
                    let v = &v[body.v_range()];
                    let twist = if is_carried {
                        let (force, torque) =
                            work.kinematics.motions.push_forward(model, &shape.at, at.arm, v);
                        Wrench { force, torque }
                    } else {
                        body.kind.as_wrench(v)
                    };
                    let travel = h * (twist.force.norm() + twist.torque.norm() * arm);
                    // Twice the travel, so that the reach seldom grows again.
                    if travel > self.reach[i] {
                        reach = larger(reach, 2.0 * travel);
                    }
                }
            }
            if reach > self.reach[i] {
                self.reach[i] = reach;
                is_farther = true;
            }
        }
        is_farther
    }

    /// Chooses the constraints that are in the problem: those that would be violated without
    /// contacts, or nearly so, and those with an impulse in the last step. Returns the speed of the
    /// worst violation.
    ///
    /// The others are checked with the solution. Most of what is near never carries an impulse.
    fn choose_candidates(&mut self, settings: &Settings, h: f64, work: &Workspace) -> f64 {
        let ContactSet { all, all_rows, rate_offset, in_problem, candidate_rates, .. } = self;
        rate_offset.clear();
        candidate_rates.clear();
        let (mut fastest, length) = (0.0, work.solvers.length);
        for item in all.iter() {
            let row = &all_rows.rows[item.row];
            let rate = all_rows.dot(item.row, &work.stages.next.v) + row.time_rate;
            let e = item.material.restitution;
            let offset = match Approach::of(item, row, (rate, h), settings, length) {
                // By Poisson's law they have rebounded already.
                Approach::Rebounds if settings.restitution_law == RestitutionLaw::Newton => e * row.rate,
                Approach::Stops if e == 0.0 => e * row.rate,
                _ if row.gap > 4.0 * bound(row.scale + length) => row.gap / h,
                _ => 0.0,
            };
            rate_offset.push(offset);
            let rate = rate + offset;
            candidate_rates.push(rate);
            if !item.is_joint_friction() {
                fastest = larger(fastest, -rate);
            }
        }
        in_problem.clear();
        in_problem.extend(all.iter().zip(&*candidate_rates).map(|(item, rate)| {
            item.is_joint_friction() || *rate < NEARLY * fastest || item.held != NOT_HELD
        }));
        fastest
    }

    /// Adds constraints that the solution violates to the problem. Returns the speed of the worst
    /// of them.
    fn add_candidates(&mut self, after: &[f64]) -> f64 {
        let ContactSet { all, all_rows, rate_offset, in_problem, .. } = self;
        let mut worst = 0.0;
        for (i, item) in all.iter().enumerate() {
            if in_problem[i] {
                continue;
            }
            let rate = all_rows.dot(item.row, after);
            let rate = rate + all_rows.rows[item.row].time_rate + rate_offset[i];
            if rate < 0.0 {
                in_problem[i] = true;
                worst = larger(worst, -rate);
            }
        }
        worst
    }

    /// Takes the rows of the set and chooses friction coefficients: kinetic where the contact
    /// slides, static elsewhere.
    fn choose_friction(&mut self, work: &Workspace) {
        self.contact_rows.take_from(&self.all_rows, &mut self.set);
        for i in 0..self.set.len() {
            let item = self.set[i];
            let slides = if item.is_joint_friction() { self.moves(&item) } else { self.slides(&item) };
            if item.mode == FrictionMode::Stick && slides {
                self.set[i].material.static_friction = item.material.kinetic_friction;
            }
        }
        self.free_rates.clear();
        for (row, at) in self.contact_rows.rows.iter().enumerate() {
            let rate = self.contact_rows.dot(row, &work.stages.next.v);
            self.free_rates.push(rate + at.time_rate);
        }
        self.bias.clone_from(&self.free_rates);
        for (item, rate_offset) in self.set.iter().zip(chosen(&self.rate_offset, &self.in_problem)) {
            self.bias[item.row] += rate_offset;
        }
    }

    /// Sizes of the terms of `bias`.
    fn form_bias(&mut self, v: &[f64]) {
        self.bias_formed.clear();
        for (row, at) in self.contact_rows.rows.iter().enumerate() {
            let (_, size) = self.contact_rows.dot_with_size(row, v);
            self.bias_formed.push(size + at.rate_scale);
        }
        for (item, rate_offset) in self.set.iter().zip(chosen(&self.rate_offset, &self.in_problem)) {
            self.bias_formed[item.row] = larger(self.bias_formed[item.row], rate_offset.abs());
        }
    }

    /// Solves for the impulses of the set.
    fn solve_velocities(
        &mut self,
        model: &Model,
        state: &State,
        work: &mut Workspace,
    ) -> Result<(), StepError> {
        if many_contacts::is_applicable(model, self, many_contacts::dense_rows(model, work)) {
            let v = std::mem::take(&mut work.stages.next.v);
            let outcome = self.solve_many(model, work, &v, many_contacts::SolveLevel::Velocities);
            work.stages.next.v = v;
            if outcome? {
                return Ok(());
            }
        }
        self.form_bias(&work.stages.next.v);
        self.write_delassus(model, work);
        let part: Vec<usize> = (0..self.set.len()).collect();
        (self.complementarity.is_rough, self.complementarity.residual) = (true, 0.0);
        let outcome = self.solve_complementarity(model, &part, ContactProblem::Force, true, state.time);
        self.complementarity.is_rough = false;
        self.island_solvers.residual = larger(self.island_solvers.residual, self.complementarity.residual);
        outcome
    }

    /// Sets the velocities of resting islands to zero: islands of bodies in contact or joined, all
    /// of whose speeds are below the residual of the solution. The next step then has the same
    /// problem and the same solution, and nothing creeps.
    fn stop_resting_islands(&mut self, model: &Model, state: &State, work: &mut Workspace) {
        self.join_islands(model);
        // Largest speed of each island, and its largest velocity change by contacts.
        self.speeds.clear();
        self.speeds.resize(model.bodies.len(), [0.0; 2]);
        let length = work.solvers.length;
        for (i, body) in model.bodies.iter().enumerate() {
            let island = many_contacts::root(&self.islands, i as u32) as usize;
            let turns = if body.kind.is_planar() { 2 } else { 3 };
            for (k, at) in body.v_range().enumerate() {
                let unit = match &body.general {
                    Some(general) => general.units[k],
                    None if k >= turns => length,
                    None => 1.0,
                };
                let (after, pushed, before) = (work.stages.next.v[at], work.stages.shift[at], state.v[at]);
                let [still, moved] = &mut self.speeds[island];
                *still = larger(*still, unit * larger(after.abs(), before.abs()));
                *moved = larger(*moved, unit * pushed.abs());
            }
        }
        for (i, body) in model.bodies.iter().enumerate() {
            let [still, moved] = self.speeds[many_contacts::root(&self.islands, i as u32) as usize];
            if still <= RESTS * moved {
                // The momentum that is removed is booked as an impulse from outside.
                if let Some(general) = work.kinematics.motions.general(i) {
                    let v = &mut work.stages.next.v[body.v_range()];
                    v.iter_mut().for_each(|v| *v = -*v);
                    let (force, moment) = general.momentum_rate(v, false);
                    v.fill(0.0);
                    work.stages.next.ledger.impulse += force;
                    work.stages.next.ledger.angular_impulse += moment;
                    continue;
                }
                let dim = body.kind.dim();
                let mut mass = [0.0; MAX_DIM * (MAX_DIM + 1) / 2];
                body.kind.mass_matrix(
                    &body.mass,
                    &work.kinematics.motions[i],
                    &mut mass[..dim * (dim + 1) / 2],
                );
                let v = &mut work.stages.next.v[body.v_range()];
                let mut lost = [0.0; MAX_DIM];
                for r in 0..dim {
                    for c in 0..dim {
                        let (high, low) = if r > c { (r, c) } else { (c, r) };
                        lost[r] -= mass[high * (high + 1) / 2 + low] * v[c];
                    }
                }
                v.fill(0.0);
                let mut rate = LedgerRate::default();
                rate.book(
                    body.kind,
                    &work.kinematics.motions[i],
                    Vec3::ZERO,
                    body.kind.as_wrench(&lost[..dim]),
                );
                work.stages.next.ledger.impulse += rate.force;
                work.stages.next.ledger.angular_impulse += rate.moment;
            }
        }
    }
}

/// Numbers of the constraints that are in the problem.
fn chosen<'a>(numbers: &'a [f64], in_problem: &'a [bool]) -> impl Iterator<Item = f64> + 'a {
    numbers.iter().zip(in_problem).filter(|(_, in_problem)| **in_problem).map(|(number, _)| *number)
}

/// Distance of the farthest corner of a box from a point.
fn farthest(from: &Aabb, point: Vec3) -> f64 {
    let side = |low: f64, high: f64, at: f64| larger((low - at).abs(), (high - at).abs());
    let x = side(from.min.x, from.max.x, point.x);
    let y = side(from.min.y, from.max.y, point.y);
    let z = side(from.min.z, from.max.z, point.z);
    (x * x + y * y + z * z).sqrt()
}
