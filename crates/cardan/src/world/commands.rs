//! Commands, joint positions and joint rates of a world: those of its islands, by id or as one array.
//!
//! Commands stay with their parts when an edit puts islands together anew. A part that is switched
//! off loses its commands with the bytes of [`World::to_bytes`], not with a snapshot.

use super::island::Island;
use super::parts::{Members, Parts};
use super::{World, WorldError};
use crate::body::Wrench;
use crate::joint_space::{CommandError, JointOrder, OrderEntry, OrderedPart};
use crate::model::{BodyId, JointId, Model};
use crate::simulation::Simulation;
use crate::simulation::commands::{check_finite, check_length, commands};
use core::ops::Range;

/// Where the numbers of an entry are in the arrays of its island.
struct EntryRanges {
    island: usize,
    positions: Range<usize>,
    rates: Range<usize>,
}

impl World {
    /// Commands the effort along coordinate `k` of a joint \[N, N·m\], see [`Simulation::set_effort`].
    ///
    /// # Errors
    /// Also if the joint is not there or switched off. Nothing has changed then.
    pub fn set_effort(&mut self, joint: JointId, k: usize, effort: f64) -> Result<(), WorldError> {
        let (island, index) = self.commanded_joint(joint)?;
        Ok(island.sim.set_effort(JointId::of_index(index), k, effort)?)
    }
    /// Commands the set point of a servo, see [`Simulation::set_target`].
    ///
    /// # Errors
    /// As [`World::set_effort`], or if there is no servo.
    pub fn set_target(&mut self, joint: JointId, k: usize, value: f64, rate: f64) -> Result<(), WorldError> {
        let (island, index) = self.commanded_joint(joint)?;
        Ok(island.sim.set_target(JointId::of_index(index), k, value, rate)?)
    }
    /// The servo on coordinate `k` of a joint follows its own law again.
    ///
    /// # Errors
    /// As [`World::set_target`].
    pub fn clear_target(&mut self, joint: JointId, k: usize) -> Result<(), WorldError> {
        let (island, index) = self.commanded_joint(joint)?;
        Ok(island.sim.clear_target(JointId::of_index(index), k)?)
    }
    /// Commands a force and torque on a body at its centre of mass, world axes, see [`Simulation::set_wrench`].
    ///
    /// # Errors
    /// If there is no such body, it is switched off, or a number is not finite.
    pub fn set_wrench(&mut self, body: BodyId, wrench: Wrench) -> Result<(), WorldError> {
        let (island, index) = self.island_of(body)?;
        island.sim.set_wrench(BodyId::of_index(index), wrench)?;
        (island.asleep, island.rested) = (false, 0.0);
        Ok(())
    }
    /// Takes back all commands of all parts.
    pub fn clear_commands(&mut self) {
        self.islands.iter_mut().for_each(|island| island.sim.clear_commands());
        self.parts.clear_commands();
    }

    /// The joint order of everything that is switched on: floating bodies of all islands by their ids, then the joints of all
    /// trees by theirs. An edit changes it.
    ///
    /// # Errors
    /// If parts cannot be put together, see [`World::assemble`].
    pub fn joint_order(&mut self) -> Result<JointOrder, WorldError> {
        Ok(self.order_and_places()?.0)
    }

    /// Commands all efforts in joint order \[N, N·m\], see [`Simulation::set_efforts`].
    ///
    /// # Errors
    /// If the length is not that of [`World::joint_order`], or a number is not finite. Nothing has changed then.
    pub fn set_efforts(&mut self, efforts: &[f64]) -> Result<(), WorldError> {
        let (order, places) = self.order_and_places()?;
        check_length("efforts", efforts.len(), order.rate_count())?;
        for (entry, place) in order.entries().iter().zip(&places) {
            let numbers: Vec<_> = efforts[entry.rates.clone()].iter().copied().enumerate().collect();
            check_finite("effort", &self.name_of(entry), &numbers)?;
            let model = self.islands[place.island].sim.model();
            let index = self.islands[place.island].members.bodies.binary_search(&(entry.body as u32));
            let body = index.ok().map(|i| &model.bodies[i]).filter(|body| body.general.is_some());
            if let Some(body) = body.filter(|_| numbers.iter().any(|(_, x)| *x != 0.0)) {
                let (body, kind) = (body.name.clone(), body.kind.name());
                return Err(CommandError::GeneralBody { body, kind, what: "efforts" }.into());
            }
        }
        for (entry, place) in order.entries().iter().zip(&places) {
            let island = &mut self.islands[place.island];
            island.sim.write_efforts(place.rates.clone(), &efforts[entry.rates.clone()]);
            (island.asleep, island.rested) = (false, 0.0);
        }
        Ok(())
    }

    /// Positions in joint order [m, rad; quaternions w x y z].
    ///
    /// # Errors
    /// If parts cannot be put together, see [`World::assemble`].
    pub fn joint_positions(&mut self) -> Result<Vec<f64>, WorldError> {
        self.gather(
            |sim| sim.joint_positions(),
            |part| part.positions.clone(),
            |place| place.positions.clone(),
        )
    }
    /// Rates in joint order [m/s, rad/s].
    ///
    /// # Errors
    /// If parts cannot be put together, see [`World::assemble`].
    pub fn joint_rates(&mut self) -> Result<Vec<f64>, WorldError> {
        self.gather(|sim| sim.joint_rates(), |part| part.rates.clone(), |place| place.rates.clone())
    }
    /// Positions of one joint, see [`Simulation::positions_of`].
    ///
    /// # Errors
    /// If there is no such joint, or it is switched off.
    pub fn positions_of(&mut self, joint: JointId) -> Result<Vec<f64>, WorldError> {
        let (island, index) = self.island_of_joint(joint)?;
        Ok(island.sim.positions_of(JointId::of_index(index))?)
    }
    /// Rates of one joint, see [`Simulation::rates_of`].
    ///
    /// # Errors
    /// If there is no such joint, or it is switched off.
    pub fn rates_of(&mut self, joint: JointId) -> Result<Vec<f64>, WorldError> {
        let (island, index) = self.island_of_joint(joint)?;
        Ok(island.sim.rates_of(JointId::of_index(index))?)
    }
    /// Sets the positions of one joint, see [`Simulation::set_positions_of`]. The energy that this takes is counted as carried
    /// in.
    ///
    /// # Errors
    /// As there. Nothing has changed then.
    pub fn set_positions_of(&mut self, joint: JointId, positions: &[f64]) -> Result<(), WorldError> {
        let (island, index) = self.commanded_joint(joint)?;
        let before = island.sim.last_energy().mechanical();
        island.sim.set_positions_of(JointId::of_index(index), positions)?;
        let carried = island.sim.last_energy().mechanical() - before;
        self.account.carried += carried;
        self.combined = None;
        Ok(())
    }
    /// Sets the rates of one joint, see [`Simulation::set_rates_of`]. The energy that this takes is counted as carried in.
    ///
    /// # Errors
    /// As there. Nothing has changed then.
    pub fn set_rates_of(&mut self, joint: JointId, rates: &[f64]) -> Result<(), WorldError> {
        let (island, index) = self.commanded_joint(joint)?;
        let before = island.sim.last_energy().mechanical();
        island.sim.set_rates_of(JointId::of_index(index), rates)?;
        let carried = island.sim.last_energy().mechanical() - before;
        self.account.carried += carried;
        self.combined = None;
        Ok(())
    }
    /// Sets all positions in joint order, see [`Simulation::set_joint_positions`]; returns the largest change that loops made.
    ///
    /// # Errors
    /// As there. Nothing has changed then.
    pub fn set_joint_positions(&mut self, positions: &[f64]) -> Result<f64, WorldError> {
        let (order, places) = self.order_and_places()?;
        check_length("positions", positions.len(), order.position_count())?;
        let mut own: Vec<Vec<f64>> = self.islands.iter().map(|_| Vec::new()).collect();
        for (entry, place) in order.entries().iter().zip(&places) {
            let count = self.islands[place.island].sim.joint_order().position_count();
            own[place.island].resize(count, 0.0);
            own[place.island][place.positions.clone()].copy_from_slice(&positions[entry.positions.clone()]);
        }
        self.set_islands(own, Simulation::set_joint_positions)
    }
    /// Sets all rates in joint order, see [`Simulation::set_joint_rates`]; returns the largest change that loops made.
    ///
    /// # Errors
    /// As there. Nothing has changed then.
    pub fn set_joint_rates(&mut self, rates: &[f64]) -> Result<f64, WorldError> {
        let (order, places) = self.order_and_places()?;
        check_length("rates", rates.len(), order.rate_count())?;
        let mut own: Vec<Vec<f64>> = self.islands.iter().map(|_| Vec::new()).collect();
        for (entry, place) in order.entries().iter().zip(&places) {
            let count = self.islands[place.island].sim.joint_order().rate_count();
            own[place.island].resize(count, 0.0);
            own[place.island][place.rates.clone()].copy_from_slice(&rates[entry.rates.clone()]);
        }
        self.set_islands(own, Simulation::set_joint_rates)
    }

    /// Sets numbers of every island, or of none.
    fn set_islands(
        &mut self,
        own: Vec<Vec<f64>>,
        set: impl Fn(&mut Simulation, &[f64]) -> Result<f64, CommandError>,
    ) -> Result<f64, WorldError> {
        let mut marks: Vec<Option<crate::simulation::Checkpoint>> = Vec::new();
        let (mut change, mut carried) = (0.0, 0.0);
        let mut refused = None;
        for (island, numbers) in self.islands.iter_mut().zip(&own) {
            let mut mark = None;
            island.sim.save_checkpoint(&mut mark);
            marks.push(mark);
            let before = island.sim.last_energy().mechanical();
            match set(&mut island.sim, numbers) {
                Ok(moved) => change = crate::math::larger(change, moved),
                Err(error) => {
                    refused = Some(error);
                    break;
                }
            }
            carried += island.sim.last_energy().mechanical() - before;
        }
        if let Some(error) = refused {
            for (island, mark) in self.islands.iter_mut().zip(marks) {
                if let Some(mark) = mark {
                    island.sim.rewind(&mark);
                }
            }
            return Err(error.into());
        }
        for island in &mut self.islands {
            (island.asleep, island.rested) = (false, 0.0);
        }
        self.account.carried += carried;
        self.combined = None;
        Ok(change)
    }

    /// The island of a joint, which wakes up, and the joint's index there.
    fn commanded_joint(&mut self, joint: JointId) -> Result<(&mut Island, usize), WorldError> {
        let (island, index) = self.island_of_joint(joint)?;
        (island.asleep, island.rested) = (false, 0.0);
        Ok((island, index))
    }

    fn name_of(&self, entry: &OrderEntry) -> String {
        match entry.part {
            OrderedPart::Floating(id) => self.name(id),
            OrderedPart::Joint(id) => self.name(id),
        }
    }

    /// The joint order of all islands, and where each entry is.
    fn order_and_places(&mut self) -> Result<(JointOrder, Vec<EntryRanges>), WorldError> {
        self.assemble()?;
        let mut all: Vec<(OrderEntry, EntryRanges)> = Vec::new();
        for (number, island) in self.islands.iter().enumerate() {
            for entry in island.sim.joint_order().entries() {
                let place = EntryRanges {
                    island: number,
                    positions: entry.positions.clone(),
                    rates: entry.rates.clone(),
                };
                let body = island.members.bodies[entry.body] as usize;
                let joint = entry.joint.map(|j| island.members.joints[j]);
                let part = match joint {
                    None => OrderedPart::Floating(self.parts.bodies.id(body as u32)),
                    Some(joint) => OrderedPart::Joint(self.parts.joints.id(joint)),
                };
                all.push((
                    OrderEntry { part, body, joint: joint.map(|j| j as usize), ..entry.clone() },
                    place,
                ));
            }
        }
        all.sort_by_key(|(entry, _)| (entry.joint.is_some(), entry.joint.unwrap_or(entry.body)));
        let (entries, places) = all.into_iter().unzip();
        Ok((JointOrder::of_entries(entries), places))
    }

    fn gather(
        &mut self,
        read: impl Fn(&mut Simulation) -> Vec<f64>,
        range: impl Fn(&OrderEntry) -> Range<usize>,
        from: impl Fn(&EntryRanges) -> Range<usize>,
    ) -> Result<Vec<f64>, WorldError> {
        let (order, places) = self.order_and_places()?;
        let own: Vec<Vec<f64>> = self.islands.iter_mut().map(|island| read(&mut island.sim)).collect();
        let length = order.entries().last().map_or(0, |entry| range(entry).end);
        let mut out = vec![0.0; length];
        for (entry, place) in order.entries().iter().zip(&places) {
            out[range(entry)].copy_from_slice(&own[place.island][from(place)]);
        }
        Ok(out)
    }
}

/// What a body remembers of its commands when it is taken out of an island.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyCommands {
    wrench: Wrench,
    /// Its efforts, if it floats.
    efforts: Vec<f64>,
}

/// What a joint remembers of its commands.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointCommands {
    efforts: Vec<f64>,
    targets: Vec<Option<[f64; 2]>>,
}

impl Parts {
    fn clear_commands(&mut self) {
        self.bodies.iter_mut().for_each(|entry| entry.part.commands = None);
        self.joints.iter_mut().for_each(|entry| entry.part.commands = None);
    }
}

/// Hands commands back to the parts.
pub(crate) fn write_back(parts: &mut Parts, members: &Members, sim: &Simulation) {
    let (model, state) = (sim.model(), sim.state());
    let Some(given) = &state.commands else {
        members.bodies.iter().for_each(|&place| parts.bodies.at_mut(place).part.commands = None);
        members.joints.iter().for_each(|&place| parts.joints.at_mut(place).part.commands = None);
        return;
    };
    let order = model.joint_order();
    for (i, &place) in members.bodies.iter().enumerate() {
        let floats = order.body_at(i).filter(|entry| entry.joint.is_none());
        let efforts = floats.and_then(|entry| given.efforts().get(entry.rates.clone()));
        let efforts = efforts.unwrap_or(&[]).to_vec();
        let wrench = given.wrenches().get(i).copied().unwrap_or_default();
        parts.bodies.at_mut(place).part.commands = Some(Box::new(BodyCommands { wrench, efforts }));
    }
    for (j, &place) in members.joints.iter().enumerate() {
        let range = order.efforts_of(j);
        let efforts = given.efforts().get(range.clone()).unwrap_or(&[]).to_vec();
        let targets = given.targets().get(range).unwrap_or(&[]).to_vec();
        parts.joints.at_mut(place).part.commands = Some(Box::new(JointCommands { efforts, targets }));
    }
}

/// Gives commands of parts to the initial state of a model that was built of them.
pub(crate) fn restore(parts: &Parts, members: &Members, model: &mut Model) {
    let mut state = core::mem::take(&mut model.initial);
    for (i, &place) in members.bodies.iter().enumerate() {
        let Some(own) = &parts.bodies.at(place).part.commands else { continue };
        if own.wrench != Wrench::ZERO {
            commands(&mut state).wrenches_mut(model)[i] = own.wrench;
        }
        let floats = model.joint_order().body_at(i).filter(|entry| entry.joint.is_none());
        if let Some(entry) = floats.filter(|entry| entry.rates.len() == own.efforts.len())
            && own.efforts.iter().any(|x| *x != 0.0)
        {
            commands(&mut state).efforts_mut(model)[entry.rates.clone()].copy_from_slice(&own.efforts);
        }
    }
    for (j, &place) in members.joints.iter().enumerate() {
        let Some(own) = &parts.joints.at(place).part.commands else { continue };
        let range = model.joint_order().efforts_of(j);
        if own.efforts.len() == range.len() && own.efforts.iter().any(|x| *x != 0.0) {
            commands(&mut state).efforts_mut(model)[range.clone()].copy_from_slice(&own.efforts);
        }
        if own.targets.len() == range.len() && own.targets.iter().any(Option::is_some) {
            commands(&mut state).targets_mut(model)[range].copy_from_slice(&own.targets);
        }
    }
    model.initial = state;
}
