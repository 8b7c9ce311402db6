//! Going back: a snapshot holds all parts and all states. What follows it is the same to the last bit as if nothing had happened in between.

use super::hand::Leading;
use super::island::{Island, Pressing};
use super::parts::{Members, Parts};
use super::{Account, Sleep, World, WorldError, WorldEvent};
use crate::model::{Giver, Model};
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
    islands: Vec<Kept>,
    fits: Vec<bool>,
    pressing: Vec<Pressing>,
    near: Vec<(u32, u32)>,
    is_loose: bool,
    account: Account,
    steps: u64,
    events: Arc<[WorldEvent]>,
    sleep: Option<Sleep>,
    leads: Vec<Leading>,
}

#[derive(Clone, Debug)]
struct Kept {
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

    /// Who gave ids when it was taken.
    pub(super) fn giver(&self) -> Giver {
        self.parts.giver
    }
}

impl World {
    /// All parts and states as they are now.
    ///
    /// # Errors
    /// If parts cannot be put together, see [`World::settle`].
    pub fn snapshot(&mut self) -> Result<Snapshot, WorldError> {
        self.settle()?;
        let keep = |island: &Island| Kept {
            members: island.members.clone(),
            model: island.sim.model().clone(),
            state: island.sim.state().clone(),
            rest: (island.rested, island.asleep),
        };
        Ok(Snapshot {
            parts: self.parts.clone(),
            settings: self.settings,
            time: (self.time, self.time_rest),
            islands: self.islands.iter().map(keep).collect(),
            fits: self.fits.clone(),
            pressing: self.pressing.clone(),
            near: self.near.pairs.clone(),
            is_loose: self.is_loose,
            account: self.account_now(),
            steps: self.steps,
            events: self.events.as_slice().into(),
            sleep: self.sleep,
            leads: self.leads.clone(),
        })
    }

    /// New parts get ids of this giver from now on; returns whose they got before.
    pub(super) fn give_as(&mut self, giver: Giver) -> Giver {
        std::mem::replace(&mut self.parts.giver, giver)
    }

    /// Goes back to a snapshot, of this world or of another one. Ids that were valid then are valid again; those that were given since name nothing, and will be given
    /// again to others. Ids that another world gave after the snapshot are refused as ever.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        let own = self.parts.giver;
        self.parts = snapshot.parts.clone();
        // Two worlds that go on from one snapshot give ids of their own.
        if snapshot.parts.giver != own {
            self.parts.came_from = snapshot.parts.giver;
            self.parts.giver = own;
        }
        self.settings = snapshot.settings;
        (self.time, self.time_rest) = snapshot.time;
        self.islands.clear();
        self.fits.clone_from(&snapshot.fits);
        self.pressing.clone_from(&snapshot.pressing);
        self.near.pairs.clone_from(&snapshot.near);
        self.is_loose = snapshot.is_loose;
        self.whole = None;
        self.account = snapshot.account;
        self.steps = snapshot.steps;
        self.events.clear();
        self.events.extend_from_slice(&snapshot.events);
        self.sleep = snapshot.sleep;
        self.leads.clone_from(&snapshot.leads);
        self.fresh.clear();
        for kept in &snapshot.islands {
            // A workspace can be had for it: there was one.
            let Ok(mut sim) = Simulation::with_settings(kept.model.clone(), self.settings) else { continue };
            // The state belongs to the model.
            let _ = sim.restore(&kept.state);
            let members = kept.members.clone();
            let (rested, asleep) = kept.rest;
            self.islands.push(Island { members, sim, outcome: None, mark: None, rested, asleep });
        }
        self.number_islands();
    }
}
