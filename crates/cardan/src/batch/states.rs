//! States of many mechanisms at once: saved states, and arrays of joint positions and rates of
//! \[mechanism × joint\].
//!
//! A state that was taken from a batch is on its joints already and is copied as it is. On joint
//! coordinates positions and rates are the state themselves: poses follow from them, and nothing is
//! projected.

use super::group::{BatchGroup, LaneGroup, LaneMember};
use super::{Batch, BatchError};
use crate::body::general::Motions;
use crate::joint_space::CommandError;
use crate::joint_space::coordinates::{check_joint_state, place_tree, read_positions, read_rates};
use crate::math::larger;
use crate::model::Model;
use crate::settings::{Coordinates, Settings};
use crate::simulation::{joints::is_open_tree, state_fits};
use crate::state::State;
use crate::step::{JointChart, write_motions};
use std::sync::{Arc, Mutex, PoisonError};

/// What placing a tree needs, for one model.
struct TreePlacer {
    model: Arc<Model>,
    chart: JointChart,
    motions: Motions,
}

impl TreePlacer {
    fn new(model: &Arc<Model>) -> Self {
        TreePlacer { chart: JointChart::new(model), motions: Motions::new(model), model: model.clone() }
    }
}

impl Batch {
    /// Puts mechanisms into other states, each given with its number; those that were taken from a batch
    /// are copied as they are. See [`Batch::set_state`].
    ///
    /// # Errors
    /// Names the first state of another model, before anything has changed, or the first that cannot be
    /// closed; the states before that one are set.
    pub fn set_states<'s>(
        &mut self,
        states: impl Iterator<Item = (usize, &'s State)> + Clone,
    ) -> Result<(), BatchError> {
        for (index, state) in states.clone() {
            let (group, lane) = self.slot(index)?;
            if !state_fits(self.model(index)?, self.groups[group].stored_state(lane), state) {
                let error = crate::step::StepError::OtherModel;
                return Err(BatchError::Mechanism { index, error });
            }
        }
        for (index, state) in states {
            self.set_state(index, state)?;
        }
        Ok(())
    }

    /// Positions and rates of all mechanisms, each in its joint order, one after the other, into arrays
    /// at hand, on all threads.
    ///
    /// # Errors
    /// If a length is wrong.
    pub fn copy_joint_states(&self, positions: &mut [f64], rates: &mut [f64]) -> Result<(), BatchError> {
        self.ranges("positions", positions.len(), |order| order.position_count())?;
        self.ranges("rates", rates.len(), |order| order.rate_count())?;
        let (mut items, mut q, mut v) = (Vec::with_capacity(self.len()), positions, rates);
        for index in 0..self.len() {
            let (group, lane) = self.slot(index)?;
            let order = self.model(index)?.joint_order();
            let (own_q, rest_q) = q.split_at_mut(order.position_count());
            let (own_v, rest_v) = v.split_at_mut(order.rate_count());
            items.push((&self.groups[group], lane, own_q, own_v));
            (q, v) = (rest_q, rest_v);
        }
        self.threads.for_each(&mut items, |(group, lane, q, v)| group.read_joint_state(*lane, q, v));
        Ok(())
    }

    /// Sets positions and rates of all mechanisms, each in its joint order, one after the other; times
    /// and commands stay. A failure is forgotten. Trees on joint coordinates are set on all threads and
    /// have exactly these numbers; returns the largest change of a position that loops made in others,
    /// see [`Simulation::set_joint_state`](crate::Simulation::set_joint_state).
    ///
    /// # Errors
    /// As there: the mechanism and its joint are named, and nothing has changed.
    pub fn set_joint_states(&mut self, positions: &[f64], rates: &[f64]) -> Result<f64, BatchError> {
        let all: Vec<usize> = (0..self.len()).collect();
        self.set_joint_states_of(&all, positions, rates)
    }

    /// Sets positions and rates of the mechanisms with these numbers, one after the other; all others
    /// stay as they are. See [`Batch::set_joint_states`].
    ///
    /// # Errors
    /// As there, and if there is no such mechanism.
    pub fn set_joint_states_of(
        &mut self,
        which: &[usize],
        positions: &[f64],
        rates: &[f64],
    ) -> Result<f64, BatchError> {
        let q = self.ranges_of(which, "positions", positions.len(), |order| order.position_count())?;
        let v = self.ranges_of(which, "rates", rates.len(), |order| order.rate_count())?;
        // All are checked before any is set.
        for (&index, (q, v)) in which.iter().zip(q.iter().zip(&v)) {
            let checked = check_joint_state(self.model(index)?, &positions[q.clone()], &rates[v.clone()]);
            checked.map_err(|error| BatchError::Command { index, error })?;
        }
        // By place in `which`.
        let mut places: Vec<[Option<usize>; super::GROUP_SIZE]> =
            vec![[None; super::GROUP_SIZE]; self.groups.len()];
        let (mut change, mut done): (f64, Vec<(usize, State)>) = (0.0, Vec::new());
        for (at, &index) in which.iter().enumerate() {
            let (group, lane) = self.slot(index)?;
            if self.groups[group].is_placed_by_joints() {
                places[group][lane] = Some(at);
                continue;
            }
            let before = self.state(index)?;
            let numbers = (&positions[q[at].clone()], &rates[v[at].clone()]);
            match self.groups[group].set_alone(lane, numbers) {
                Ok(moved) => {
                    change = larger(change, moved);
                    done.push((index, before));
                }
                Err(error) => {
                    done.iter().try_for_each(|(index, state)| self.set_state(*index, state))?;
                    return Err(BatchError::Command { index, error });
                }
            }
        }
        let placers: Mutex<Vec<TreePlacer>> = Mutex::default();
        let lock = || placers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut groups: Vec<_> = self.groups.iter_mut().zip(&places).collect();
        self.threads.for_each(&mut groups, |(group, places)| {
            let BatchGroup::Lanes(lanes) = group else { return };
            if places.iter().all(Option::is_none) {
                return;
            }
            let mut placer = lock().pop();
            for (lane, at) in places.iter().enumerate() {
                let Some(at) = *at else { continue };
                let numbers = (&positions[q[at].clone()], &rates[v[at].clone()]);
                let model = &lanes.members[lane].model;
                if placer.as_ref().is_none_or(|placer| !Arc::ptr_eq(&placer.model, model)) {
                    placer = Some(TreePlacer::new(model));
                }
                let Some(placer) = &mut placer else { continue };
                // Numbers that were checked are not refused.
                let _ = lanes.place(lane, placer, numbers);
            }
            lanes.clear_solution();
            lock().extend(placer);
        });
        Ok(change)
    }
}

impl BatchGroup {
    /// The state of a mechanism as far as it is not in a lane.
    fn stored_state(&self, lane: usize) -> &State {
        match self {
            BatchGroup::Single(single) => single.sim.state(),
            BatchGroup::Lanes(lanes) => &lanes.members[lane].state,
        }
    }

    /// Whether joint coordinates are all that a state needs.
    fn is_placed_by_joints(&self) -> bool {
        match self {
            BatchGroup::Single(_) => false,
            BatchGroup::Lanes(lanes) => {
                lanes.settings.coordinates == Coordinates::Joints
                    && lanes.members.iter().all(|member| is_open_tree(&member.model))
            }
        }
    }

    /// Sets the joint state of a mechanism by a simulation of it.
    fn set_alone(&mut self, lane: usize, (q, v): (&[f64], &[f64])) -> Result<f64, CommandError> {
        match self {
            BatchGroup::Single(single) => {
                let change = single.sim.set_joint_state(q, v)?;
                single.failure = None;
                Ok(change)
            }
            BatchGroup::Lanes(lanes) => {
                let mut sim = lanes.simulation(lane)?;
                let change = sim.set_joint_state(q, v);
                if change.is_ok() {
                    lanes.members[lane].state.clone_from(sim.state());
                    lanes.load(lane);
                    lanes.clear_solution();
                }
                lanes.members[lane].spare = Some(sim);
                change
            }
        }
    }

    /// Positions and rates of a mechanism in its joint order.
    fn read_joint_state(&self, lane: usize, positions: &mut [f64], rates: &mut [f64]) {
        let stored;
        let (model, state) = match self {
            BatchGroup::Single(single) => (single.sim.model(), single.sim.state()),
            BatchGroup::Lanes(lanes) => {
                let member = &lanes.members[lane];
                if lanes.lanes.is_some() {
                    stored = lanes.state(lane);
                    (&member.model, &stored)
                } else {
                    (&member.model, &member.state)
                }
            }
        };
        read_joint_state(model, state, &mut None, positions, rates);
    }

    /// Positions and rates of a mechanism whose lanes have just made a step. Allocates nothing after the
    /// first call with the same `motions`.
    pub(super) fn record(
        &mut self,
        lane: usize,
        motions: &mut Option<Motions>,
        (positions, rates): (&mut [f64], &mut [f64]),
    ) {
        match self {
            BatchGroup::Single(single) => {
                // Lengths are those of the model.
                let _ = single.sim.copy_joint_state(positions, rates);
            }
            BatchGroup::Lanes(lanes) => {
                let LaneMember { model, state, .. } = &mut lanes.members[lane];
                if let Some(lanes) = &lanes.lanes {
                    lanes.store(lane, state);
                }
                read_joint_state(model, state, motions, positions, rates);
            }
        }
    }
}

/// Reads positions and rates; motions of bodies are computed where joint coordinates do not say it all.
fn read_joint_state(
    model: &Model,
    state: &State,
    motions: &mut Option<Motions>,
    positions: &mut [f64],
    rates: &mut [f64],
) {
    // A position less than a rate, or a floating body, is no hindrance; a ball and a planar pair are read
    // from poses.
    let entries = model.joint_order().entries();
    let is_carried = |entry: &crate::joint_space::OrderEntry| {
        entry.joint.is_none() || (entry.mix.is_none() && entry.positions.len() == entry.rates.len())
    };
    if state.has_joints() && entries.iter().all(is_carried) {
        let none = motions.get_or_insert_with(Motions::none);
        read_positions(model, state, none, positions);
        read_rates(model, state, none, rates);
        return;
    }
    let motions = match motions {
        Some(motions) if !motions.is_empty() => motions,
        other => other.insert(Motions::new(model)),
    };
    write_motions(model, state, motions);
    read_positions(model, state, motions, positions);
    read_rates(model, state, motions, rates);
}

impl LaneGroup {
    /// What was solved for is that of the old state.
    fn clear_solution(&mut self) {
        self.answers.clear();
        self.is_solved_alone = false;
    }

    /// Places a mechanism by joint coordinates.
    fn place(
        &mut self,
        lane: usize,
        placer: &mut TreePlacer,
        numbers: (&[f64], &[f64]),
    ) -> Result<(), CommandError> {
        let member = &mut self.members[lane];
        if let Some(lanes) = &self.lanes {
            lanes.store(lane, &mut member.state);
        }
        place_tree(&member.model, &placer.chart, &mut placer.motions, numbers, &mut member.state)?;
        member.fallbacks_in_a_row = 0;
        self.load(lane);
        Ok(())
    }

    /// Whether a state is on its joints already, so that it is copied as it is.
    pub(super) fn takes_as_is(&self, lane: usize, state: &State) -> bool {
        let LaneMember { model, state: own, .. } = &self.members[lane];
        state_fits(model, own, state) && is_ready(&self.settings, state)
    }
}

/// Whether a state need not be assembled.
fn is_ready(settings: &Settings, state: &State) -> bool {
    match settings.coordinates {
        Coordinates::Bodies | Coordinates::Auto => state.assembled || !settings.projects(),
        Coordinates::Joints => state.has_joints(),
    }
}
