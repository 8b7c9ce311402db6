//! Steps of a world: islands in sequence or on several threads; islands at rest may sleep.

use super::group::{everything, groups};
use super::island::Island;
use super::read::WorldEvent;
use super::{Account, World, WorldError};
use crate::math::larger;
use crate::measure::Energy;
use crate::state::add_time;
use crate::step::{Accounts, Overlaps, StepError, StepReport};
use crate::threads::ThreadError;
use crate::tolerances::{NO_TIME, SAME_TIME, STRETCHED_STEP};

/// Conditions for an island to sleep.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Sleep {
    /// Largest speed of any body [m/s, rad/s].
    pub speed: f64,
    /// Time below that speed \[s\].
    pub after: f64,
}

impl Default for Sleep {
    fn default() -> Self {
        Sleep { speed: 1e-5, after: 0.5 }
    }
}

impl World {
    /// Number of threads for islands; 1 is the calling thread alone. The bits do not depend on it.
    ///
    /// # Errors
    /// If the crate was built without the feature `parallel`, or the system refuses.
    pub fn set_threads(&mut self, count: usize) -> Result<(), WorldError> {
        self.threads.set(count).map_err(|refused| match refused {
            ThreadError::NotBuilt => WorldError::NoThreads { count },
            ThreadError::System(why) => WorldError::ThreadsRefused { count, why },
        })
    }

    /// Lets islands at rest sleep, or none. A sleeping island does not move and costs nothing until it is edited or a moving body comes
    /// near. Its remaining kinetic energy is booked as heat.
    pub fn set_sleep(&mut self, sleep: Option<Sleep>) {
        self.sleep = sleep;
        if sleep.is_none() {
            self.islands.iter_mut().for_each(|island| (island.asleep, island.rested) = (false, 0.0));
        }
    }

    /// Takes all bodies as one island, or as many as there are. As one they are stepped as by a
    /// [`Simulation`](crate::Simulation) of all parts, to the bit; none of them sleeps before all rest.
    pub fn set_one_island(&mut self, on: bool) {
        if self.parts.one_island != on {
            let all: Vec<u32> = (0..self.islands.len() as u32).collect();
            self.dissolve(&all, true);
            (self.parts.one_island, self.needs_grouping) = (on, true);
        }
    }

    /// Advances by `h` \[s\]: every island in one step, or with an adaptive integrator in as many as its tolerance needs.
    ///
    /// # Errors
    /// If parts cannot be assembled or an island cannot be stepped. The world is then unchanged.
    pub fn step(&mut self, h: f64) -> Result<StepReport, WorldError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(StepError::BadStep { h }.into());
        }
        self.stop_guided_grabs();
        self.assemble()?;
        // Bounding boxes are enlarged if a body left its own; this many times suffices for any reasonable motion.
        const TRIES: u32 = 8;
        let mut stretch = 1.0;
        for attempt in 0..TRIES {
            self.merge_near_islands(h, stretch)?;
            self.threads.for_each_weighted(&mut self.islands, Island::size, |island| island.step(h));
            let error = |island: &Island| island.outcome.as_ref()?.as_ref().err().cloned();
            let failed = self.islands.iter().enumerate().find_map(|(i, island)| Some((i, error(island)?)));
            if let Some((number, error)) = failed {
                self.rewind();
                return Err(self.explain_unreachable(number, &error).unwrap_or(error.into()));
            }
            if attempt + 1 == TRIES || self.proximity.bounds_held(&self.islands) {
                break;
            }
            self.rewind();
            stretch *= 4.0;
        }
        Ok(self.conclude(h))
    }

    /// Advances to time `until` in steps of `h`, the last one shortened; returns the number of steps.
    ///
    /// # Errors
    /// See [`World::step`]; the time is that of the last good step then. Also for a time that is not finite.
    pub fn run(&mut self, until: f64, h: f64) -> Result<u64, WorldError> {
        if !until.is_finite() {
            return Err(StepError::BadTime { until }.into());
        }
        let before = self.steps;
        while let Some(size) = self.next_step(until, h) {
            self.step(size)?;
            if self.next_step(until, h).is_none() {
                self.set_time(until);
            }
        }
        if self.settings.accounts == Accounts::End {
            self.certify_now()?;
        }
        Ok(self.steps - before)
    }

    /// The size of the next step on the way to `until`: `h`, or the remaining time; `None` at `until`.
    pub fn next_step(&self, until: f64, h: f64) -> Option<f64> {
        let left = (until - self.time) - self.time_remainder;
        if left.is_nan() || left <= NO_TIME * until.abs() {
            return None;
        }
        Some(if left < h * (1.0 + STRETCHED_STEP) { left } else { h })
    }

    /// Sets the time to exactly this value if it differs only by the rounding of summed steps, as at the end of a run. Does nothing for
    /// any other time.
    pub fn set_time(&mut self, time: f64) {
        let is_rounding = (time - self.time).abs() <= SAME_TIME * (1.0 + time.abs());
        if !is_rounding {
            return;
        }
        self.time_remainder += self.time - time;
        self.time = time;
        self.islands.iter_mut().for_each(|island| island.sim.set_time(time));
    }

    fn rewind(&mut self) {
        self.islands.iter_mut().for_each(Island::rewind);
    }

    fn conclude(&mut self, h: f64) -> StepReport {
        let mut report = StepReport::default();
        let worst = larger;
        let first = self.events.len();
        for island in &mut self.islands {
            let Some(Ok(done)) = &island.outcome else { continue };
            report.position_error = worst(report.position_error, done.position_error);
            report.velocity_error = worst(report.velocity_error, done.velocity_error);
            report.equation_residual = worst(report.equation_residual, done.equation_residual);
            report.contact_residual = worst(report.contact_residual, done.contact_residual);
            report.overlap = worst(report.overlap, done.overlap);
            report.newton_steps += done.newton_steps;
            report.rounds = report.rounds.max(done.rounds);
            report.steps = report.steps.max(done.steps);
            let (sim, events) = (&mut island.sim, &mut self.events);
            sim.take_events(|model, event| events.push(WorldEvent::of(model, event)));
        }
        self.events[first..].sort_by(|a, b| a.time.total_cmp(&b.time));
        report.size = h;
        report.steps = report.steps.max(1);
        (self.time, self.time_remainder) = add_time((self.time, self.time_remainder), h);
        self.steps = self.steps.saturating_add(1);
        self.put_to_sleep(h);
        if self.settings.accounts.is_every_step() {
            let energy = self.energy_of_islands();
            self.account.note_energy(&energy);
            self.account.certificate.instants += 1;
        }
        report
    }

    /// Takes the accounts of the present state, as [`Simulation::certify_now`](crate::Simulation::certify_now): energy of all islands, and the errors of
    /// those that are not asleep.
    ///
    /// # Errors
    /// If parts cannot be put together, or the equations of an island have no answer.
    pub fn certify_now(&mut self) -> Result<(), WorldError> {
        self.assemble()?;
        for island in self.islands.iter_mut().filter(|island| !island.asleep) {
            island.sim.certify_now()?;
        }
        let energy = self.energy_of_islands();
        self.account.note_energy(&energy);
        self.account.certificate.instants += 1;
        Ok(())
    }

    fn put_to_sleep(&mut self, h: f64) {
        let Some(rule) = self.sleep else { return };
        for island in self.islands.iter_mut().filter(|island| !island.asleep) {
            let fastest = island.sim.state().v.iter().fold(0.0, |most, v| larger(most, v.abs()));
            if fastest > rule.speed || fastest.is_nan() {
                island.rested = 0.0;
                continue;
            }
            island.rested += h;
            if island.rested >= rule.after && island.is_autonomous() {
                island.asleep = true;
                island.sim.stop_motion();
            }
        }
    }

    /// Rebuilds the islands that edits dissolved and assembles them. A step does this first; call it to see whether it succeeds.
    ///
    /// New joints are closed: poses are projected, and velocities are changed by an impulse. Lost energy is booked as heat; energy of added
    /// and removed parts is booked separately.
    ///
    /// # Errors
    /// If parts cannot be assembled; the message names them. The world is then unchanged: undo the edit, or restore a snapshot.
    pub fn assemble(&mut self) -> Result<(), WorldError> {
        if self.needs_grouping {
            // An impulse that was due while its body was switched off never acts.
            let past = self.parts.impulses.iter_mut().filter(|entry| entry.part.timed.time < self.time);
            past.for_each(|entry| entry.part.applied = true);
            let island_of_body = &self.island_of_body;
            let loose = |place: u32| island_of_body.get(place as usize).is_none_or(Option::is_none);
            let all = groups(&self.parts, &mut self.sets, &self.proximity.pairs, loose);
            let mut made = Vec::with_capacity(all.len());
            for members in all {
                let fits = members.bodies.iter().all(|&i| self.fits.get(i as usize).is_some_and(|f| *f));
                made.push(Island::new(
                    &mut self.parts,
                    members,
                    &mut self.local,
                    ((self.time, self.time_remainder), &self.settings),
                    (&self.active_conditions, fits),
                )?);
            }
            for island in &mut made {
                self.account.carried += island.sim.last_energy().mechanical();
            }
            self.islands.append(&mut made);
            self.islands.sort_by_key(|island| island.members.bodies.first().copied());
            self.active_conditions.clear();
            self.needs_grouping = false;
            self.number_islands();
        }
        let (account, mut closed) = (self.account, Vec::new());
        let mut failed: Option<(usize, StepError)> = None;
        for (number, island) in self.islands.iter_mut().enumerate() {
            if !island.sim.needs_assembly() {
                continue;
            }
            let before = island.sim.last_energy().mechanical();
            island.sim.save_checkpoint(&mut island.checkpoint);
            if let Err(error) = island.sim.assemble() {
                failed = Some((number, error));
                break;
            }
            closed.push(number);
            // Energy lost to a new joint is heat; energy gained by the projection of poses is work.
            let lost = before - island.sim.last_energy().mechanical();
            match self.account.initial {
                // Before the first step nothing has happened yet.
                None => self.account.carried -= lost,
                Some(_) if lost > 0.0 => self.account.ledger.dissipated += lost,
                Some(_) => self.account.ledger.work -= lost,
            }
        }
        if let Some((number, error)) = failed {
            // Islands that could be closed are restored too, so that the world is unchanged.
            self.account = account;
            closed.into_iter().for_each(|closed| self.islands[closed].rewind());
            let explain_unreachable = self.explain_unreachable(number, &error);
            return Err(explain_unreachable.unwrap_or_else(|| self.explain_assembly_failure(number, error)));
        }
        self.new_conditions.clear();
        if self.account.initial.is_none() {
            self.account.initial = Some(self.account.carried);
            self.account.carried = 0.0;
        }
        Ok(())
    }

    /// Merges islands that may come into contact in a step of `h`, and parts those that no longer do.
    fn merge_near_islands(&mut self, h: f64, stretch: f64) -> Result<(), WorldError> {
        // Merged islands may reach others; each round makes fewer islands.
        loop {
            let mut touched = Vec::new();
            let changed = self
                .proximity
                .update(&self.parts, &self.islands, (h, stretch), |island| touched.push(island));
            if touched.is_empty() {
                return Ok(());
            }
            debug_assert!(changed);
            touched.sort_unstable();
            touched.dedup();
            // Overlaps are resolved when two bodies come near for the first time.
            self.dissolve(&touched, self.settings.overlaps != Overlaps::Resolve);
            self.assemble()?;
        }
    }

    /// Dissolves islands; their parts keep their present poses. `fits`: their joints stay satisfied.
    pub(super) fn dissolve(&mut self, numbers: &[u32], fits: bool) {
        if numbers.is_empty() {
            return;
        }
        for &number in numbers.iter().rev() {
            let mut island = self.islands.remove(number as usize);
            let events = &mut self.events;
            island.sim.take_events(|model, event| events.push(WorldEvent::of(model, event)));
            island.write_back(&mut self.parts, &mut self.active_conditions);
            self.fits.resize(self.parts.bodies.places(), false);
            let state = island.sim.state();
            for &body in &island.members.bodies {
                self.island_of_body[body as usize] = None;
                self.fits[body as usize] = fits && state.assembled;
            }
            self.account.carried -= island.sim.last_energy().mechanical();
            self.account.close(&island);
            self.needs_grouping = true;
        }
        self.number_islands();
    }

    pub(super) fn number_islands(&mut self) {
        self.island_of_body.clear();
        self.island_of_body.resize(self.parts.bodies.places(), None);
        for (number, island) in self.islands.iter().enumerate() {
            for (index, &body) in island.members.bodies.iter().enumerate() {
                self.island_of_body[body as usize] = Some((number as u32, index as u32));
            }
        }
        self.combined = None;
    }

    /// A copy of the whole world as one simulation at the present state, for reports and pictures. Parts that cannot be assembled keep
    /// their present poses.
    ///
    /// Its model has ids of its own: it numbers the parts that are switched on. Ids of this world name nothing there; find parts by their names, with
    /// [`Model::find_body`](crate::Model::find_body) and its siblings.
    ///
    /// # Errors
    /// If a model of all of them cannot be built.
    pub fn combined(&mut self) -> Result<&mut crate::Simulation, WorldError> {
        let fits = self.assemble().is_ok();
        let mut active_conditions = Vec::new();
        for island in &self.islands {
            island.write_back(&mut self.parts, &mut active_conditions);
        }
        let members = everything(&self.parts);
        let now = ((self.time, self.time_remainder), &self.settings);
        let made = Island::new(&mut self.parts, members, &mut self.local, now, (&active_conditions, fits))?;
        let combined = self.combined.insert(Box::new(made));
        Ok(&mut combined.sim)
    }
}

impl Account {
    /// Remembers the largest energy seen.
    pub(super) fn note_energy(&mut self, energy: &Energy) {
        for part in [energy.kinetic, energy.potential.abs(), energy.dissipated, energy.work.abs()] {
            self.largest = larger(self.largest, part);
        }
    }
    /// Adds the sums of a dissolved island.
    fn close(&mut self, island: &Island) {
        let ledger = &island.sim.state().ledger;
        self.ledger.work += ledger.work;
        self.ledger.dissipated += ledger.dissipated;
        self.ledger.integration_loss += ledger.integration_loss;
        self.ledger.impulse += ledger.impulse;
        self.ledger.angular_impulse += ledger.angular_impulse;
        self.certificate.include(&island.sim.certificate());
        self.counts.include(&island.sim.work_counts());
    }
}
