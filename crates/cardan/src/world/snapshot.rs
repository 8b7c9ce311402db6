//! Snapshots of all parts and states. A world that is restored continues with the same bits as if nothing had happened in between.

use super::grab::GuidedGrab;
use super::island::{ActiveCondition, Island};
use super::parts::{Members, Parts};
use super::{Account, Sleep, World, WorldError, WorldEvent};
use crate::model::{IdSource, Model};
use crate::simulation::Simulation;
use crate::state::State;
use crate::step::Settings;
use std::sync::Arc;

/// A world at one time. Models are shared with it, states are copied.
#[derive(Clone, Debug)]
pub struct Snapshot {
    parts: Parts,
    settings: Settings,
    time: (f64, f64),
    islands: Vec<SavedIsland>,
    fits: Vec<bool>,
    active_conditions: Vec<ActiveCondition>,
    proximity: Vec<(u32, u32)>,
    needs_grouping: bool,
    account: Account,
    steps: u64,
    events: Arc<[WorldEvent]>,
    sleep: Option<Sleep>,
    guided_grabs: Vec<GuidedGrab>,
}

#[derive(Clone, Debug)]
struct SavedIsland {
    members: Members,
    model: Arc<Model>,
    state: State,
    rest: (f64, bool),
}

impl Snapshot {
    /// When it was taken \[s\].
    pub fn time(&self) -> f64 {
        self.time.0
    }

    /// Source of new ids when it was taken.
    pub(super) fn id_source(&self) -> IdSource {
        self.parts.id_source
    }
}

impl World {
    /// All parts and states as they are now.
    ///
    /// # Errors
    /// If parts cannot be assembled, see [`World::assemble`].
    pub fn snapshot(&mut self) -> Result<Snapshot, WorldError> {
        self.assemble()?;
        Ok(self.snapshot_as_is())
    }

    /// The same without putting together what was edited.
    pub(super) fn snapshot_as_is(&self) -> Snapshot {
        let keep = |island: &Island| SavedIsland {
            members: island.members.clone(),
            model: island.sim.model().clone(),
            state: island.sim.state().clone(),
            rest: (island.rested, island.asleep),
        };
        Snapshot {
            parts: self.parts.clone(),
            settings: self.settings,
            time: (self.time, self.time_remainder),
            islands: self.islands.iter().map(keep).collect(),
            fits: self.fits.clone(),
            active_conditions: self.active_conditions.clone(),
            proximity: self.proximity.pairs.clone(),
            needs_grouping: self.needs_grouping,
            account: self.account_now(),
            steps: self.steps,
            events: self.events.as_slice().into(),
            sleep: self.sleep,
            guided_grabs: self.guided_grabs.clone(),
        }
    }

    /// Sets the source of ids for new parts; returns the previous one.
    pub(super) fn give_as(&mut self, id_source: IdSource) -> IdSource {
        std::mem::replace(&mut self.parts.id_source, id_source)
    }

    /// Restores a snapshot of this world or of another one. Ids that were valid then are valid again; ids that were given since are invalid
    /// and will be given again. Ids that another world gave after the snapshot are refused.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        let own = self.parts.id_source;
        self.parts = snapshot.parts.clone();
        // Two worlds that continue from one snapshot give different ids.
        if snapshot.parts.id_source != own {
            self.parts.came_from = snapshot.parts.id_source;
            self.parts.id_source = own;
        }
        self.settings = snapshot.settings;
        (self.time, self.time_remainder) = snapshot.time;
        self.islands.clear();
        self.fits.clone_from(&snapshot.fits);
        self.active_conditions.clone_from(&snapshot.active_conditions);
        self.proximity.pairs.clone_from(&snapshot.proximity);
        self.needs_grouping = snapshot.needs_grouping;
        self.combined = None;
        self.account = snapshot.account;
        self.steps = snapshot.steps;
        self.events.clear();
        self.events.extend_from_slice(&snapshot.events);
        self.sleep = snapshot.sleep;
        self.guided_grabs.clone_from(&snapshot.guided_grabs);
        self.new_conditions.clear();
        for kept in &snapshot.islands {
            // The workspace can be built, because it was built before.
            let Ok(mut sim) = Simulation::with_settings(kept.model.clone(), self.settings) else { continue };
            // The state belongs to the model.
            let _ = sim.restore(&kept.state);
            let members = kept.members.clone();
            let (rested, asleep) = kept.rest;
            self.islands.push(Island { members, sim, outcome: None, checkpoint: None, rested, asleep });
        }
        self.number_islands();
    }
}
