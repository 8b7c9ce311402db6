//! Stepping: a whole step at the level of velocities, for many contacts, and for instants that forces have no answer for.
//!
//! ```text
//! v⁺ = v + h v̇₀ + M̂⁻¹ Jᵀ p         v̇₀ without contacts
//! g / h + ġ⁺ ≥ 0 ⟂ p ≥ 0            what is not reached within the step does not push
//! ġ⁺ + e ġ⁻ ≥ 0                     in its place where it is touched, or reached within the step and rebounds, at speed ġ⁻
//! |p_t| ≤ μ p_n                     against the slide
//! q⁺ = q ⊕ h v⁺                     (Moreau 1988; Stewart and Trinkle 1996)
//! ```
//!
//! With f = m v (`first_order.rs`) everything is at rest at the start, v̇₀ is the velocity without contacts and h its factor 1: v⁺ = v₀ + M̂⁻¹ Jᵀ λ with
//! forces λ in the place of impulses.
//!
//! Of first order, with errors of h² in the gaps, which are taken away at the end of the step; but it has an answer wherever the cones are
//! pointed, and takes the same time whatever happens in it.

use crate::body::{MAX_DIM, Wrench};
use crate::math::{Vec3, larger};
use crate::model::Model;
use crate::settings::{Coordinates, Integrator, Settings};
use crate::state::State;
use crate::step::contact::complementarity::ContactProblem;
use crate::step::contact::impact::{approaches, book_impulse};
use crate::step::contact::overlap::{Overlap, OverlapFound};
use crate::step::contact::rows::{pose_of, shape_frame};
use crate::step::contact::{
    ActiveContact, ContactEntry, ContactSet, Event, EventKind, FrictionMode, many_contacts,
};
use crate::step::dynamics::kinematics::{advance, motions, refresh_motions};
use crate::step::dynamics::ledger::LedgerRate;
use crate::step::evaluate::accelerations;
use crate::step::integrate::conclude;
use crate::step::project::general;
use crate::step::project::general::{DriftCheck, bound, measure, refactor};
use crate::step::report::StepReport;
use crate::step::workspace::Workspace;
use crate::step::{articulated, evaluate};
use crate::step_error::{Stage, StepError};
use cardan_shapes::{Aabb, Bounds};

/// Rounds that overlaps are taken away in.
const MOST: u32 = 6;
/// Rounds in which conditions that were not asked may be found passed.
const ROUNDS: u32 = 8;
/// What is passed more slowly than this part of the fastest, or left so, is asked too.
const NEARLY: f64 = 0.1;
/// Speeds beside what contacts took away that are rounding and residual.
const RESTS: f64 = 1e-7;
/// Overlaps of this many bounds are left (1e-10 of the length of the mechanism, about).
const DEEPEST: f64 = 1e5;

/// From `state`, the state after `h`, in `work.next`; not yet on its joints. What pushed is left in the set.
pub(crate) fn time_step(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<(), StepError> {
    if let Some(contacts) = &mut work.contacts {
        contacts.set.clear();
        contacts.has_prescribed_forces = false;
    }
    if settings.integrator == Integrator::FirstOrder {
        integrate_first_order(model, settings, state, h, work)?;
        move_poses(model, state, h, work);
        return Ok(());
    }
    work.stage.copy_from(state);
    let rate = accelerations(model, settings, work, Stage::First)?;
    work.next.copy_from(state);
    work.next.advance_time(h);
    for (v, a) in work.next.v.iter_mut().zip(&work.acc) {
        *v += h * a;
    }
    let ledger = &mut work.next.ledger;
    ledger.work += h * rate.work;
    ledger.dissipated += h * rate.dissipated;
    ledger.impulse += rate.force * h;
    ledger.angular_impulse += rate.moment * h;
    if let Some(mut contacts) = work.contacts.take() {
        let outcome = contacts.solve_step(model, settings, state, h, work);
        work.contacts = Some(contacts);
        outcome?;
    }
    move_poses(model, state, h, work);
    Ok(())
}

/// q⁺ = q ⊕ h v⁺.
fn move_poses(model: &Model, state: &State, h: f64, work: &mut Workspace) {
    let Workspace { next, shift, .. } = work;
    shift.iter_mut().zip(&next.v).for_each(|(u, v)| *u = h * v);
    advance(model, &state.q, shift, &mut next.q);
}

/// The velocities of the step by f = m v, from a state at rest.
fn integrate_first_order(
    model: &Model,
    settings: &Settings,
    state: &State,
    h: f64,
    work: &mut Workspace,
) -> Result<(), StepError> {
    work.stage.copy_from(state);
    let solved = evaluate::solve_at_rest(model, settings, work, Stage::First)?.work;
    work.next.copy_from(state);
    work.next.advance_time(h);
    work.next.v.copy_from_slice(&work.acc);
    let before = state.ledger;
    if let Some(mut contacts) = work.contacts.take() {
        // What the rows push with elsewhere is counted below, with all of λ.
        work.stage.v.fill(0.0);
        work.row_solution.fill(0.0);
        let outcome = contacts.solve_step(model, settings, state, h, work);
        work.contacts = Some(contacts);
        outcome?;
        let Workspace { lambda, row_solution, .. } = work;
        lambda.iter_mut().zip(row_solution).for_each(|(lambda, more)| *lambda += *more);
    }
    let Workspace { stage, next, .. } = work;
    stage.v.copy_from_slice(&next.v);
    let pushed = next.ledger;
    let mut rate = LedgerRate {
        work: solved + (pushed.work - before.work),
        dissipated: pushed.dissipated - before.dissipated,
        ..LedgerRate::default()
    };
    motions(model, work);
    evaluate::book_power(model, work, &mut rate);
    work.next.ledger = before;
    work.next.ledger.work += h * rate.work;
    work.next.ledger.dissipated += h * rate.dissipated;
    Ok(())
}

/// What forces are bounded by is bounded by as much times `h` in what is done.
pub(crate) fn with_time_span<R>(h: f64, work: &mut Workspace, done: impl FnOnce(&mut Workspace) -> R) -> R {
    let set =
        |work: &mut Workspace, span: f64| work.contacts.iter_mut().for_each(|contacts| contacts.span = span);
    set(work, h);
    let outcome = done(work);
    set(work, 1.0);
    outcome
}

/// Takes overlaps of `work.next` away, which is on its joints; notes what happened.
pub(crate) fn separate(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
    report: &mut StepReport,
    log: &mut Vec<Event>,
) -> Result<(), StepError> {
    let Some(mut contacts) = work.contacts.take() else { return Ok(()) };
    // Forces, or impulses over the length of the step.
    let (is_first_order, logged) = (settings.integrator == Integrator::FirstOrder, log.len());
    contacts.note_pushes(state, &mut work.next, if is_first_order { 1.0 } else { report.size }, log);
    if is_first_order {
        log[logged..].iter_mut().for_each(|event| event.impulse = 0.0);
    }
    // Conditions of the model may depend on time.
    let is_still = work.next.q == state.q && model.inequalities.is_empty();
    let outcome = contacts.separate(model, settings, is_still, work, report);
    contacts.set.clear();
    contacts.lambda.clear();
    work.contacts = Some(contacts);
    outcome
}

impl ContactSet {
    /// Adds to the velocities of `work.next` what contacts push with.
    fn solve_step(
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
        self.extend_reach(model, h, work, &[&state.v, &work.next.v]);
        self.observe_within_reach(model, state, &work.motions);
        // Later a step has left what overlaps, and says how deep.
        if state.time == 0.0
            && let Some((subject, depth)) = self.overlapping(work.length).first()
        {
            return Err(Overlap::error(model, *subject, *depth, state.time, OverlapFound::AtStart));
        }
        self.set.clear();
        self.lambda.clear();
        let mut fastest = self.choose_candidates(model, settings, state, h, work);
        if !self.in_problem.contains(&true) {
            return Ok(());
        }
        let (mut p, mut after) = (Vec::new(), Vec::new());
        for round in 1.. {
            let before = std::mem::take(&mut self.set);
            let in_problem = self.all.iter().zip(&self.in_problem).filter(|(_, in_problem)| **in_problem);
            self.set.extend(in_problem.map(|(item, _)| item));
            self.choose_friction(model, state, work);
            if round == 1 {
                self.seed(|_, item| {
                    pushed(state, item.key).map_or([0.0; 3], |held| held.push.map(|f| h * f))
                });
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
            after.extend(work.next.v.iter().zip(&work.shift).map(|(v, dv)| v + dv));
            // What was hit may get farther than was looked.
            if self.extend_reach(model, h, work, &[&after]) {
                self.observe_within_reach(model, state, &work.motions);
                fastest = larger(fastest, self.choose_candidates(model, settings, state, h, work));
                let ContactSet { set, all, in_problem, .. } = self;
                let is_in =
                    |item: &ContactEntry| set.binary_search_by(|other| other.key.cmp(&item.key)).is_ok();
                in_problem.iter_mut().zip(all).for_each(|(in_problem, item)| *in_problem = is_in(item));
            }
            let passed = self.add_candidates(model, &after);
            if passed <= 1e-9 * fastest {
                break;
            }
            if round == ROUNDS {
                // Beside nothing, all of it is wrong.
                let part = if passed < fastest { passed / fastest } else { 1.0 };
                self.island_solvers.residual = larger(self.island_solvers.residual, part);
                break;
            }
        }
        let free: Vec<f64> = (0..p.len()).map(|row| self.rate(model, row, &work.next.v).0).collect();
        work.next.v.iter_mut().zip(&work.shift).for_each(|(v, dv)| *v += dv);
        self.stop_resting_islands(model, state, work);
        let mut ledger = work.next.ledger;
        for (row, &push) in p.iter().enumerate() {
            let change = self.contact_rows.dot(model, row, &work.shift).0;
            let (first, last) = (self.contact_rows.rows[row].rate, free[row] + change);
            let mean = if work.is_first_order { last } else { 0.5 * (first + last) };
            ledger.dissipated -= push * mean;
            ledger.work -= push * self.contact_rows.rows[row].time_rate;
        }
        book_impulse(model, work, &self.contact_rows, &p, &mut ledger);
        work.next.ledger = ledger;
        self.lambda = p;
        Ok(())
    }

    /// How far each shape may get within the step: twice what it does at the fastest of some velocities, and no less than before. Whether one may get farther.
    fn extend_reach(&mut self, model: &Model, h: f64, work: &Workspace, velocities: &[&Vec<f64>]) -> bool {
        let mut is_farther = false;
        for (i, shape) in model.contacts.shapes.iter().enumerate() {
            let mut reach = 1e-6 * work.length;
            if let Some(body) = shape.body_index() {
                let at = shape_frame(model, &work.motions, i as u32);
                let is_carried = shape.at.carrier().is_some();
                let center = if is_carried { at.pos } else { work.motions[body].pos };
                let arm = match Bounds::of(&shape.shape, &pose_of(&at), 0.0) {
                    Bounds::Box(bounds) => farthest(&bounds, center),
                    Bounds::HalfSpace { .. } => work.length,
                };
                let body = &model.bodies[body];
                for v in velocities {
                    let v = &v[body.v_range()];
                    let twist = if is_carried {
                        let (force, torque) = work.motions.push_forward(model, &shape.at, at.arm, v);
                        Wrench { force, torque }
                    } else {
                        body.kind.as_wrench(v)
                    };
                    let travel = h * (twist.force.norm() + twist.torque.norm() * arm);
                    // Once there is room for twice as much.
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

    /// Which conditions are asked what they push with: those that would be passed without, or nearly, and those that pushed. How fast the worst
    /// would be passed.
    ///
    /// The others are looked at afterwards, so nothing is left out; but most of what is near never pushes.
    fn choose_candidates(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &State,
        h: f64,
        work: &Workspace,
    ) -> f64 {
        let ContactSet { all, all_rows, more, in_problem, .. } = self;
        more.clear();
        let mut fastest = 0.0;
        for item in all.iter() {
            let row = &all_rows.rows[item.row];
            // Reached within the step: braked to touch at its end it would have nothing left to rebound with.
            let rebounds = item.material.restitution > 0.0 && row.gap + h * row.rate <= 0.0;
            let touches = rebounds || row.gap <= 1e-6 * (row.scale + work.length);
            let is_impact =
                touches && -row.rate > settings.rest_speed && approaches(row.rate, row.rate_scale);
            more.push(match is_impact {
                true => item.material.restitution * row.rate,
                false if row.gap > 4.0 * bound(row.scale + work.length) => row.gap / h,
                false => 0.0,
            });
        }
        let free = |i: usize| {
            let row = all[i].row;
            all_rows.dot(model, row, &work.next.v).0 + all_rows.rows[row].time_rate + more[i]
        };
        for i in (0..all.len()).filter(|&i| !all[i].is_joint_friction()) {
            fastest = larger(fastest, -free(i));
        }
        in_problem.clear();
        in_problem.extend((0..all.len()).map(|i| {
            let key = all[i].key;
            all[i].is_joint_friction() || free(i) < NEARLY * fastest || pushed(state, key).is_some()
        }));
        fastest
    }

    /// Asks those too that are passed with what the others push with. How fast the worst of them is.
    fn add_candidates(&mut self, model: &Model, after: &[f64]) -> f64 {
        let ContactSet { all, all_rows, more, in_problem, .. } = self;
        let mut worst = 0.0;
        for (i, item) in all.iter().enumerate() {
            if in_problem[i] {
                continue;
            }
            let rate = all_rows.dot(model, item.row, after).0 + all_rows.rows[item.row].time_rate + more[i];
            if rate < 0.0 {
                in_problem[i] = true;
                worst = larger(worst, -rate);
            }
        }
        worst
    }

    /// The rows of the set and how much friction each has: that of sliding where it slides, that of rest else.
    fn choose_friction(&mut self, model: &Model, state: &State, work: &Workspace) {
        for item in &mut self.set {
            item.mode = if item.has_friction() { FrictionMode::Stick } else { FrictionMode::Frictionless };
            item.rests();
        }
        self.contact_rows.write_rates(model, state, &work.motions, &self.shapes, &mut self.set);
        for i in 0..self.set.len() {
            let item = self.set[i];
            let slides = if item.is_joint_friction() { self.moves(&item) } else { self.slides(&item) };
            if item.mode == FrictionMode::Stick && slides {
                self.set[i].material.static_friction = item.material.kinetic_friction;
            }
        }
        self.bias.clear();
        self.bias_formed.clear();
        for row in 0..self.contact_rows.rows.len() {
            let (rate, size) = self.rate(model, row, &work.next.v);
            self.bias.push(rate);
            self.bias_formed.push(size);
        }
        let more = self
            .more
            .iter()
            .zip(&self.in_problem)
            .filter(|(_, in_problem)| **in_problem)
            .map(|(more, _)| *more);
        for (item, more) in self.set.iter().zip(more) {
            self.bias[item.row] += more;
            self.bias_formed[item.row] = larger(self.bias_formed[item.row], more.abs());
        }
    }

    /// J v + ∂g/∂t of a row of the sheet, and the size of its terms.
    fn rate(&self, model: &Model, row: usize, v: &[f64]) -> (f64, f64) {
        let (rate, size) = self.contact_rows.dot(model, row, v);
        let at = &self.contact_rows.rows[row];
        (rate + at.time_rate, size + at.rate_scale)
    }

    /// What the set pushes with.
    fn solve_velocities(
        &mut self,
        model: &Model,
        state: &State,
        work: &mut Workspace,
    ) -> Result<(), StepError> {
        if many_contacts::is_applicable(model, self, many_contacts::FEW) {
            return self
                .solve_many(model, work, &work.next.v, many_contacts::SolveLevel::Velocities)
                .map(|_| ());
        }
        self.write_delassus(model, work);
        let part: Vec<usize> = (0..self.set.len()).collect();
        (self.complementarity.is_rough, self.complementarity.residual) = (true, 0.0);
        let outcome = self.solve_complementarity(model, &part, ContactProblem::Force, true, state.time);
        self.complementarity.is_rough = false;
        self.island_solvers.residual = larger(self.island_solvers.residual, self.complementarity.residual);
        outcome
    }

    /// Speeds that are no more than what the answer leaves over are no speeds: islands of bodies that touch or are joined, all of which have none,
    /// stand still. The next step then has the same question and the same answer, and nothing creeps.
    fn stop_resting_islands(&mut self, model: &Model, state: &State, work: &mut Workspace) {
        self.join_islands(model);
        // What would have become of each island without contacts, and what did.
        self.speeds.clear();
        self.speeds.resize(model.bodies.len(), [0.0; 2]);
        let length = work.length;
        for (i, body) in model.bodies.iter().enumerate() {
            let island = many_contacts::root(&self.islands, i as u32) as usize;
            let turns = if body.kind.is_planar() { 2 } else { 3 };
            for (k, at) in body.v_range().enumerate() {
                let unit = match &body.general {
                    Some(general) => general.units[k],
                    None if k >= turns => length,
                    None => 1.0,
                };
                let (after, pushed, before) = (work.next.v[at], work.shift[at], state.v[at]);
                let [still, moved] = &mut self.speeds[island];
                *still = larger(*still, unit * larger(after.abs(), before.abs()));
                *moved = larger(*moved, unit * pushed.abs());
            }
        }
        for (i, body) in model.bodies.iter().enumerate() {
            let [still, moved] = self.speeds[many_contacts::root(&self.islands, i as u32) as usize];
            if still <= RESTS * moved {
                // What takes the last of its momentum comes from outside like what took the rest.
                if let Some(general) = work.motions.general(i) {
                    let v = &mut work.next.v[body.v_range()];
                    v.iter_mut().for_each(|v| *v = -*v);
                    let (force, moment) = general.momentum_rate(v, false);
                    v.fill(0.0);
                    work.next.ledger.impulse += force;
                    work.next.ledger.angular_impulse += moment;
                    continue;
                }
                let dim = body.kind.dim();
                let mut mass = [0.0; MAX_DIM * (MAX_DIM + 1) / 2];
                body.kind.mass_matrix(&body.mass, &work.motions[i], &mut mass[..dim * (dim + 1) / 2]);
                let v = &mut work.next.v[body.v_range()];
                let mut lost = [0.0; MAX_DIM];
                for r in 0..dim {
                    for c in 0..dim {
                        let (high, low) = if r > c { (r, c) } else { (c, r) };
                        lost[r] -= mass[high * (high + 1) / 2 + low] * v[c];
                    }
                }
                v.fill(0.0);
                let mut rate = LedgerRate::default();
                rate.book(body.kind, &work.motions[i], Vec3::ZERO, body.kind.as_wrench(&lost[..dim]));
                work.next.ledger.impulse += rate.force;
                work.next.ledger.angular_impulse += rate.moment;
            }
        }
    }

    /// The conditions that pushed in the last step, and what with, at the motions of `work`.
    pub(crate) fn recall(&mut self, model: &Model, state: &State, work: &Workspace) {
        self.observe(model, state, &work.motions, 1e-4 * work.length);
        let was = |item: &&ContactEntry| pushed(state, item.key).is_some();
        self.set.clear();
        self.set.extend(self.all.iter().filter(was));
        for item in &mut self.set {
            item.mode = if item.has_friction() { FrictionMode::Stick } else { FrictionMode::Frictionless };
        }
        self.contact_rows.write(model, state, &work.motions, &mut self.set);
        self.seed(|_, item| pushed(state, item.key).map_or([0.0; 3], |held| held.push));
        self.lambda.clear();
    }

    /// What pushes now and did not, and the other way round.
    fn note_pushes(&self, before: &State, next: &mut State, h: f64, log: &mut Vec<Event>) {
        let pushes = |item: &ContactEntry| {
            self.lambda
                .get(item.row)
                .is_some_and(|p| if item.is_joint_friction() { *p != 0.0 } else { *p > 0.0 })
        };
        let mut note = |key: crate::step::contact::ContactKey, what: EventKind, speed: f64, impulse: f64| {
            log.push(Event { time: next.time, subject: key.subject(), what, speed, impulse });
        };
        for held in &before.held {
            if matches!(held.key, crate::step::contact::ContactKey::Joint(_)) {
                continue;
            }
            let at = self.set.binary_search_by(|item| item.key.cmp(&held.key));
            if !at.is_ok_and(|at| pushes(&self.set[at])) {
                note(held.key, EventKind::Released, 0.0, 0.0);
            }
        }
        for item in self.set.iter().filter(|item| pushes(item)) {
            let was = pushed(before, item.key);
            if item.is_joint_friction() {
                match (was.map(|held| held.mode), self.joint_friction_mode(item, h)) {
                    (Some(FrictionMode::Slip(_)), FrictionMode::Stick) => {
                        note(item.key, EventKind::Stick, 0.0, 0.0)
                    }
                    (Some(FrictionMode::Stick), FrictionMode::Slip(_)) => {
                        note(item.key, EventKind::Slip, 0.0, 0.0)
                    }
                    _ => {}
                }
            } else if was.is_none() {
                let (speed, impulse) = (self.contact_rows.rows[item.row].rate, self.lambda[item.row]);
                note(item.key, EventKind::Activated, speed, impulse);
            }
        }
        next.held.clear();
        let held = self.set.iter().filter(|item| pushes(item));
        next.held.extend(held.map(|item| {
            let mut push = [0.0; 3];
            let rows = self.lambda[item.row..=item.row + item.tangents].iter();
            push.iter_mut().zip(rows).for_each(|(push, p)| *push = p / h);
            let mode = if item.is_joint_friction() { self.joint_friction_mode(item, h) } else { item.mode };
            ActiveContact { key: item.key, mode, roll_spin: item.roll_spin, grip: 0.0, push }
        }));
    }

    /// Whether a joint that rubs held in the last step, or slid: its push is then all that it may be.
    fn joint_friction_mode(&self, item: &ContactEntry, h: f64) -> FrictionMode {
        let (push, most) = (self.lambda[item.row], h * item.static_friction());
        match push.abs() < (1.0 - RESTS) * most {
            true => FrictionMode::Stick,
            false => FrictionMode::Slip(Vec3::new(if push > 0.0 { -1.0 } else { 1.0 }, 0.0, 0.0)),
        }
    }

    fn separate(
        &mut self,
        model: &Model,
        settings: &Settings,
        is_still: bool,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        report.contact_residual = std::mem::take(&mut self.island_solvers.residual);
        report.newton_steps = std::mem::take(&mut self.island_solvers.newton_steps) as u64;
        if !settings.projects() {
            return Ok(());
        }
        let mut last = f64::INFINITY;
        for round in 0..MOST {
            let measured = measure(model, settings, work)?;
            (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
            // Where nothing has moved, gaps are those that were found before.
            if !(is_still && round == 0) {
                self.observe_rates(model, &work.stage, &work.motions, 1e-6 * work.length);
            }
            let (deepest, overlap) = self.deepest(work.length);
            report.overlap = overlap;
            if deepest <= DEEPEST || deepest > 0.9 * last {
                break;
            }
            last = deepest;
            // What is near may be pushed into.
            self.observe_rates(model, &work.stage, &work.motions, 4.0 * overlap + 1e-6 * work.length);
            if round == 0 && !articulated::is_factored(work) {
                refactor(model, settings, work, None)?;
            }
            self.request_gaps(model, work);
            if many_contacts::is_applicable(model, self, many_contacts::FEW) {
                self.last.clear();
                self.solve_many(model, work, &work.zero_force, many_contacts::SolveLevel::Displacements)?;
            } else {
                self.write_delassus(model, work);
                let part: Vec<usize> = (0..self.set.len()).collect();
                self.solve_complementarity(model, &part, ContactProblem::Impact, false, work.stage.time)?;
            }
            self.displace(model, settings, work, report)?;
        }
        match settings.integrator {
            Integrator::TimeStepping | Integrator::FirstOrder => Ok(()),
            _ => self.separate_exactly(model, settings, work, report),
        }
    }

    /// How deep the deepest overlap of the last look is: in bounds, and as it is.
    fn deepest(&self, length: f64) -> (f64, f64) {
        let (mut deepest, mut overlap) = (0.0, 0.0);
        for item in &self.all {
            let row = &self.all_rows.rows[item.row];
            deepest = larger(deepest, -row.gap / bound(row.scale + length));
            overlap = larger(overlap, -row.gap);
        }
        // Not minus zero.
        (deepest, overlap + 0.0)
    }

    /// Where a part of a step that is followed from event to event was taken with impulses, what is left is taken away too: inequalities are answered to 1e-11 of their
    /// size, rows that are kept to rounding.
    fn separate_exactly(
        &mut self,
        model: &Model,
        settings: &Settings,
        work: &mut Workspace,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let mut last = f64::INFINITY;
        for _ in 0..MOST {
            let (deepest, overlap) = self.deepest(work.length);
            report.overlap = overlap;
            if deepest <= 1.0 || deepest > 0.5 * last {
                break;
            }
            last = deepest;
            if !articulated::is_factored(work) {
                refactor(model, settings, work, None)?;
            }
            self.request_gaps(model, work);
            self.write_delassus(model, work);
            let is_passed = |i: &usize| self.bias[self.set[*i].row] < 0.0;
            let part: Vec<usize> = (0..self.set.len()).filter(is_passed).collect();
            self.solve_complementarity(model, &part, ContactProblem::Equality, false, work.stage.time)?;
            self.displace(model, settings, work, report)?;
            let measured = measure(model, settings, work)?;
            (report.position_error, report.velocity_error) = (measured.position, measured.velocity);
            self.observe_rates(model, &work.stage, &work.motions, 1e-6 * work.length);
        }
        Ok(())
    }
}

/// What a condition pushed with in the last step.
fn pushed(state: &State, key: crate::step::contact::ContactKey) -> Option<&ActiveContact> {
    debug_assert!(state.held.is_sorted_by_key(|held| held.key));
    let at = state.held.binary_search_by(|held| held.key.cmp(&key)).ok()?;
    state.held.get(at)
}

/// How far the farthest corner of a box is.
fn farthest(from: &Aabb, point: Vec3) -> f64 {
    let side = |low: f64, high: f64, at: f64| larger((low - at).abs(), (high - at).abs());
    let x = side(from.min.x, from.max.x, point.x);
    let y = side(from.min.y, from.max.y, point.y);
    let z = side(from.min.z, from.max.z, point.z);
    (x * x + y * y + z * z).sqrt()
}

/// One step at the level of velocities.
pub(crate) fn step(
    model: &Model,
    settings: &Settings,
    state: &mut State,
    h: f64,
    work: &mut Workspace,
) -> Result<StepReport, StepError> {
    let first_order = settings.integrator == Integrator::FirstOrder;
    if settings.coordinates != Coordinates::Bodies {
        let integrator = if first_order { "first-order" } else { "time-stepping" };
        return Err(StepError::OnlyBodies { integrator });
    }
    let outcome = if first_order {
        // Forces in the place of impulses, from rest.
        let mut rest = work.rest_state.take().unwrap_or_else(|| Box::new(state.clone()));
        rest.copy_from(state);
        rest.v.fill(0.0);
        let outcome = time_step(model, settings, &rest, h, work);
        work.rest_state = Some(rest);
        outcome
    } else {
        with_time_span(h, work, |work| time_step(model, settings, state, h, work))
    };
    outcome?;
    let ledger = work.next.ledger;
    work.next.forget_joints();
    let equation_residual = work.equation_residual;
    let mut report = StepReport { equation_residual, size: h, steps: 1, ..StepReport::default() };
    general::project_general(model, settings, None, work, &mut report, &mut DriftCheck::default())?;
    let mut events = work.events.take().unwrap_or_default();
    let logged = events.log.len();
    let outcome = separate(model, settings, state, work, &mut report, &mut events.log);
    if outcome.is_err() {
        events.log.truncate(logged);
    }
    work.events = Some(events);
    outcome?;
    if first_order {
        work.next.ledger = ledger;
    }
    conclude(model, settings, state, h, work);
    Ok(report)
}
