//! Commands, joint positions and joint rates of a batch: arrays of \[mechanism × joint\], one mechanism after
//! the other.
//!
//! All mechanisms of a batch are of one structure, or each has a joint order of its own: the length of an
//! array is the sum. Efforts and targets of hinges are taken in SIMD lanes; with other commands a mechanism
//! is stepped alone.

use super::group::BatchGroup;
use super::{Batch, BatchError};
use crate::body::Wrench;
use crate::joint_space::CommandError;
use crate::model::{BodyId, JointId};
use crate::simulation::Simulation;
use crate::simulation::commands::{check_efforts, check_length, check_targets};

impl Batch {
    /// Commands the efforts of all mechanisms \[N, N·m\]: for each in its joint order, one after the other,
    /// see [`Simulation::set_efforts`].
    ///
    /// # Errors
    /// If the length is wrong, or a number is not finite: mechanism and joint are named. Nothing has changed
    /// then.
    pub fn set_efforts(&mut self, efforts: &[f64]) -> Result<(), BatchError> {
        let ranges = self.ranges("efforts", efforts.len(), |order| order.rate_count())?;
        // All are checked before any is set.
        for (index, range) in ranges.iter().enumerate() {
            let checked = check_efforts(self.model(index)?, &efforts[range.clone()]);
            checked.map_err(|error| BatchError::Command { index, error })?;
        }
        for (index, range) in ranges.into_iter().enumerate() {
            self.set_checked_efforts(index, &efforts[range])?;
        }
        Ok(())
    }
    /// Commands the efforts of one mechanism in joint order.
    ///
    /// # Errors
    /// As [`Batch::set_efforts`].
    pub fn set_efforts_of(&mut self, index: usize, efforts: &[f64]) -> Result<(), BatchError> {
        let checked = check_efforts(self.model(index)?, efforts);
        checked.map_err(|error| BatchError::Command { index, error })?;
        self.set_checked_efforts(index, efforts)
    }
    /// Commands efforts whose number and values are right.
    fn set_checked_efforts(&mut self, index: usize, efforts: &[f64]) -> Result<(), BatchError> {
        let (group, lane) = self.slot(index)?;
        self.groups[group].write_commands(lane, Some(efforts), None);
        Ok(())
    }
    /// Commands the set points of all servos of all mechanisms: for each in the order of its servos, one
    /// mechanism after the other, see [`Simulation::set_targets`].
    ///
    /// # Errors
    /// If a length is wrong, or a number is not finite: mechanism and joint are named. Nothing has changed
    /// then.
    pub fn set_targets(&mut self, values: &[f64], rates: Option<&[f64]>) -> Result<(), BatchError> {
        let ranges = self.ranges("targets", values.len(), |order| order.servos().len())?;
        if let Some(rates) = rates {
            self.ranges("rates of targets", rates.len(), |order| order.servos().len())?;
        }
        for numbers in core::iter::once(values).chain(rates) {
            for (index, range) in ranges.iter().enumerate() {
                let checked = check_targets(self.model(index)?, &numbers[range.clone()]);
                checked.map_err(|error| BatchError::Command { index, error })?;
            }
        }
        for (index, range) in ranges.into_iter().enumerate() {
            let (group, lane) = self.slot(index)?;
            let rates = rates.map(|rates| &rates[range.clone()]);
            self.groups[group].write_commands(lane, None, Some((&values[range], rates)));
        }
        Ok(())
    }
    /// Commands the effort along coordinate `k` of a joint of one mechanism, see [`Simulation::set_effort`].
    ///
    /// # Errors
    /// As there.
    pub fn set_effort(
        &mut self,
        index: usize,
        joint: JointId,
        k: usize,
        effort: f64,
    ) -> Result<(), BatchError> {
        let joint = JointId::of_index(joint.index());
        self.command(index, |sim| sim.set_effort(joint, k, effort))
    }
    /// Commands the set point of a servo of one mechanism, see [`Simulation::set_target`].
    ///
    /// # Errors
    /// As there.
    pub fn set_target(
        &mut self,
        index: usize,
        joint: JointId,
        k: usize,
        [value, rate]: [f64; 2],
    ) -> Result<(), BatchError> {
        let joint = JointId::of_index(joint.index());
        self.command(index, |sim| sim.set_target(joint, k, value, rate))
    }
    /// Commands a wrench on a body of one mechanism, see [`Simulation::set_wrench`].
    ///
    /// # Errors
    /// As there.
    pub fn set_wrench(&mut self, index: usize, body: BodyId, wrench: Wrench) -> Result<(), BatchError> {
        let body = BodyId::of_index(body.index());
        self.command(index, |sim| sim.set_wrench(body, wrench))
    }
    /// Takes back all commands of all mechanisms.
    pub fn clear_commands(&mut self) {
        for group in &mut self.groups {
            match group {
                BatchGroup::Single(single) => single.sim.clear_commands(),
                BatchGroup::Lanes(lanes) => {
                    lanes.members.iter_mut().for_each(|member| member.state.commands = None);
                }
            }
        }
    }

    /// Positions of all mechanisms, each in its joint order, one after the other [m, rad].
    ///
    /// # Errors
    /// None but those of [`Batch::state`].
    pub fn joint_positions(&self) -> Result<Vec<f64>, BatchError> {
        self.joint_states().map(|(positions, _)| positions)
    }
    /// Rates of all mechanisms, each in its joint order, one after the other [m/s, rad/s].
    ///
    /// # Errors
    /// None but those of [`Batch::state`].
    pub fn joint_rates(&self) -> Result<Vec<f64>, BatchError> {
        self.joint_states().map(|(_, rates)| rates)
    }
    /// Sets the positions of all mechanisms, see [`Simulation::set_joint_positions`]; returns the largest
    /// change that loops made. A failure is forgotten.
    ///
    /// # Errors
    /// As there; the mechanism is named, and nothing has changed.
    pub fn set_joint_positions(&mut self, positions: &[f64]) -> Result<f64, BatchError> {
        let ranges = self.ranges("positions", positions.len(), |order| order.position_count())?;
        self.set_all(&ranges, positions, Simulation::set_joint_positions)
    }
    /// Sets the rates of all mechanisms, see [`Simulation::set_joint_rates`]; returns the largest change that
    /// loops made. A failure is forgotten.
    ///
    /// # Errors
    /// As there; the mechanism is named, and nothing has changed.
    pub fn set_joint_rates(&mut self, rates: &[f64]) -> Result<f64, BatchError> {
        let ranges = self.ranges("rates", rates.len(), |order| order.rate_count())?;
        self.set_all(&ranges, rates, Simulation::set_joint_rates)
    }

    /// Where the numbers of every mechanism are in an array of all.
    pub(super) fn ranges(
        &self,
        what: &str,
        have: usize,
        count: impl Fn(&crate::joint_space::JointOrder) -> usize,
    ) -> Result<Vec<core::ops::Range<usize>>, BatchError> {
        let all: Vec<usize> = (0..self.len()).collect();
        self.ranges_of(&all, what, have, count)
    }

    /// Where the numbers of some mechanisms are in an array of these.
    pub(super) fn ranges_of(
        &self,
        which: &[usize],
        what: &str,
        have: usize,
        count: impl Fn(&crate::joint_space::JointOrder) -> usize,
    ) -> Result<Vec<core::ops::Range<usize>>, BatchError> {
        let (mut ranges, mut at) = (Vec::with_capacity(which.len()), 0);
        for &index in which {
            let own = count(self.model(index)?.joint_order());
            ranges.push(at..at + own);
            at += own;
        }
        check_length(&format!("{what} of {} mechanisms", which.len()), have, at)
            .map_err(|error| BatchError::Command { index: 0, error })?;
        Ok(ranges)
    }

    fn joint_states(&self) -> Result<(Vec<f64>, Vec<f64>), BatchError> {
        let (mut positions, mut rates) = (0, 0);
        for index in 0..self.len() {
            let order = self.model(index)?.joint_order();
            (positions, rates) = (positions + order.position_count(), rates + order.rate_count());
        }
        let (mut positions, mut rates) = (vec![0.0; positions], vec![0.0; rates]);
        self.copy_joint_states(&mut positions, &mut rates)?;
        Ok((positions, rates))
    }

    /// Sets numbers of every mechanism, or of none. Those in lanes stay there.
    fn set_all(
        &mut self,
        ranges: &[core::ops::Range<usize>],
        numbers: &[f64],
        set: impl Fn(&mut Simulation, &[f64]) -> Result<f64, CommandError>,
    ) -> Result<f64, BatchError> {
        let mut change = 0.0;
        let mut states = Vec::with_capacity(ranges.len());
        // One simulation serves all mechanisms of one model.
        let mut last: Option<Simulation> = None;
        for (index, range) in ranges.iter().enumerate() {
            let named = |error: crate::step::StepError| BatchError::Mechanism { index, error };
            let (model, settings) = (self.model(index)?.clone(), self.settings_of(index)?);
            if last.as_ref().is_none_or(|sim| !std::sync::Arc::ptr_eq(sim.model(), &model)) {
                last = Some(Simulation::with_settings(model, settings).map_err(named)?);
            }
            let Some(sim) = &mut last else { continue };
            sim.restore(&self.state(index)?).map_err(named)?;
            let moved = set(sim, &numbers[range.clone()]);
            let moved = moved.map_err(|error| BatchError::Command { index, error })?;
            change = crate::math::larger(change, moved);
            states.push(sim.state().clone());
        }
        for (index, state) in states.iter().enumerate() {
            self.set_state(index, state)?;
        }
        Ok(change)
    }

    fn settings_of(&self, index: usize) -> Result<crate::step::Settings, BatchError> {
        let (group, _) = self.slot(index)?;
        Ok(match &self.groups[group] {
            BatchGroup::Single(single) => *single.sim.settings(),
            BatchGroup::Lanes(lanes) => lanes.settings,
        })
    }

    /// Gives a command to one mechanism.
    fn command(
        &mut self,
        index: usize,
        set: impl FnOnce(&mut Simulation) -> Result<(), CommandError>,
    ) -> Result<(), BatchError> {
        let (group, lane) = self.slot(index)?;
        match &mut self.groups[group] {
            BatchGroup::Single(single) => {
                set(&mut single.sim).map_err(|error| BatchError::Command { index, error })
            }
            BatchGroup::Lanes(lane_group) => {
                let named = |error| BatchError::Mechanism { index, error };
                let mut sim = lane_group.simulation(lane).map_err(named)?;
                let outcome = set(&mut sim).map_err(|error| BatchError::Command { index, error });
                let member = &mut lane_group.members[lane];
                member.state.commands.clone_from(&sim.state().commands);
                member.spare = Some(sim);
                outcome
            }
        }
    }
}
