//! Steps of a world: islands one by one or on several threads, and those that rest may sleep.

use super::group::{everything, groups};
use super::island::Island;
use super::read::WorldEvent;
use super::{Account, World, WorldError};
use crate::math::larger;
use crate::state::add_time;
use crate::step::{Overlaps, StepError, StepReport};
use crate::threads::ThreadError;
use crate::tolerances::{NO_TIME, SAME_TIME, STRETCHED_STEP};

/// When islands sleep.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Sleep {
    /// No body may be faster [m/s, rad/s].
    pub speed: f64,
    /// For so long \[s\].
    pub after: f64,
}

impl Default for Sleep {
    fn default() -> Self {
        Sleep { speed: 1e-5, after: 0.5 }
    }
}

impl World {
    /// Steps islands on so many threads; the bits are the same for any number. One is the calling thread alone.
    ///
    /// # Errors
    /// If there are none to be had: the crate was built without its feature `parallel`, or the system refuses.
    pub fn set_threads(&mut self, count: usize) -> Result<(), WorldError> {
        self.threads.set(count).map_err(|refused| match refused {
            ThreadError::NotBuilt => WorldError::NoThreads { count },
            ThreadError::System(why) => WorldError::ThreadsRefused { count, why },
        })
    }

    /// Lets islands sleep that rest, or none. What sleeps stands still and costs nothing, until it is edited or something that moves comes near. Its
    /// last motion is taken for heat.
    pub fn set_sleep(&mut self, sleep: Option<Sleep>) {
        self.sleep = sleep;
        if sleep.is_none() {
            self.islands.iter_mut().for_each(|island| (island.asleep, island.rested) = (false, 0.0));
        }
    }

    /// Advances by `h`: every island in one step, or with an adaptive integrator in as many as its tolerance asks for.
    ///
    /// # Errors
    /// If a part cannot be put together with others, or an island cannot be stepped. Nothing has moved then.
    pub fn step(&mut self, h: f64) -> Result<StepReport, WorldError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(StepError::BadStep { h }.into());
        }
        self.stop_guided_grabs();
        self.assemble()?;
        // Boxes are made larger if they did not hold their bodies; so much is enough for anything but an explosion.
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
        Ok(self.steps - before)
    }

    /// The size of the next step on the way to `until`: `h`, or what is left; `None` when there.
    pub fn next_step(&self, until: f64, h: f64) -> Option<f64> {
        let left = (until - self.time) - self.time_rest;
        if left.is_nan() || left <= NO_TIME * until.abs() {
            return None;
        }
        Some(if left < h * (1.0 + STRETCHED_STEP) { left } else { h })
    }

    /// The time is this one exactly, whatever the sum of steps rounded to: for the end of a run, or for a time at which something is to happen. Does nothing if it is
    /// another time.
    pub fn set_time(&mut self, time: f64) {
        let is_rounding = (time - self.time).abs() <= SAME_TIME * (1.0 + time.abs());
        if !is_rounding {
            return;
        }
        self.time_rest += self.time - time;
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
        (self.time, self.time_rest) = add_time((self.time, self.time_rest), h);
        self.steps = self.steps.saturating_add(1);
        self.put_to_sleep(h);
        let energy = self.energy_of_islands();
        for part in [energy.kinetic, energy.potential.abs(), energy.dissipated, energy.work.abs()] {
            self.account.largest = larger(self.account.largest, part);
        }
        report
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

    /// Puts bodies that are in no island into one: those whose island an edit took apart. A step does it first; here it can be seen whether it works.
    ///
    /// New joints close now: poses that do not fit are brought together, and velocities that do not fit are changed by an impulse. What that costs in energy is
    /// heat; what parts brought or took along is counted apart.
    ///
    /// # Errors
    /// If parts do not fit together: the names are in the message. Nothing has moved then; undo the edit, or go back to a snapshot.
    pub fn assemble(&mut self) -> Result<(), WorldError> {
        if self.needs_grouping {
            // An impulse whose time came while its body was off never acts.
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
                    ((self.time, self.time_rest), &self.settings),
                    (&self.active_conditions, fits),
                )?);
            }
            for island in &made {
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
            // What a new joint takes away is heat; what moving things into place adds is work.
            let lost = before - island.sim.last_energy().mechanical();
            match self.account.initial {
                // Before the first step nothing has happened yet.
                None => self.account.carried -= lost,
                Some(_) if lost > 0.0 => self.account.ledger.dissipated += lost,
                Some(_) => self.account.ledger.work -= lost,
            }
        }
        if let Some((number, error)) = failed {
            // Others that could be closed are as they were, too: if the edits are taken back, nothing has moved.
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
        // Those that were taken together may reach others; each round makes fewer islands.
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
            // What overlaps is moved apart when its bodies meet for the first time.
            self.dissolve(&touched, self.settings.overlaps != Overlaps::Resolve);
            self.assemble()?;
        }
    }

    /// Takes islands apart: their parts are where they are now, in no island. `fits`: nothing about their joints changes.
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

    /// Everything as one simulation, at the present state: for reports, pictures and questions. It is a copy; what is done to it does not count here. Parts that
    /// do not go together are shown as they stand.
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
        let now = ((self.time, self.time_rest), &self.settings);
        let made = Island::new(&mut self.parts, members, &mut self.local, now, (&active_conditions, fits))?;
        let combined = self.combined.insert(Box::new(made));
        Ok(&mut combined.sim)
    }
}

impl Account {
    /// Takes over what an island that is no more has seen.
    fn close(&mut self, island: &Island) {
        let ledger = &island.sim.state().ledger;
        self.ledger.work += ledger.work;
        self.ledger.dissipated += ledger.dissipated;
        self.ledger.impulse += ledger.impulse;
        self.ledger.angular_impulse += ledger.angular_impulse;
        self.certificate.include(&island.sim.certificate());
        self.counts.include(&island.sim.work_counts());
    }
}
