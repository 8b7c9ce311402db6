//! Many steps with new commands before each: arrays of \[mechanism × step × joint\].
//!
//! One call takes all steps of a group of mechanisms before those of the next, on all threads, so that the
//! numbers of a group stay in the cache and threads meet once, not after every step.

use super::{Batch, BatchError, BatchGroup};
use crate::simulation::commands::{check_efforts, check_length, check_targets};

/// Numbers that one thread looks through at a time.
const CHUNK: usize = 1 << 14;

/// Commands of many steps of a batch, for [`Batch::steps_with`]. An array has the numbers of one mechanism
/// after the other; of each those of one step after the other. What is `None` stays as it was commanded
/// before.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct CommandSequence<'a> {
    /// Efforts in joint order \[N, N·m\].
    pub efforts: Option<&'a [f64]>,
    /// Set points of servos [m, rad], in the order of
    /// [`JointOrder::servos`](crate::joint_space::JointOrder::servos).
    pub targets: Option<&'a [f64]>,
    /// Rates of the set points [m/s, rad/s]; zero if they are left out. They need `targets`.
    pub target_rates: Option<&'a [f64]>,
}

/// Where the trajectory of one mechanism is written.
#[derive(Default)]
struct Record<'a> {
    positions: &'a mut [f64],
    rates: &'a mut [f64],
}

impl Batch {
    /// Advances all by so many steps of `h`, with new commands before each; those of the last step hold
    /// afterwards. The bits are those of [`Batch::set_efforts`], [`Batch::set_targets`] and [`Batch::step`]
    /// in turns.
    ///
    /// # Errors
    /// If `h` is no step, a length is wrong, or a number is not finite: mechanism, step and joint are named.
    /// Nothing has changed then. A mechanism whose step fails is no error here, see [`Batch::step`].
    pub fn steps_with(
        &mut self,
        count: usize,
        h: f64,
        commands: CommandSequence<'_>,
    ) -> Result<(), BatchError> {
        self.take_steps(count, h, commands, None)
    }

    /// Advances all as [`Batch::steps_with`] does, and writes the positions and rates after every step: arrays of
    /// \[mechanism × step × joint\], the numbers of one mechanism after the other, of each those of one step after the
    /// other. A mechanism whose step fails repeats its last numbers; [`Batch::failure`] says why.
    ///
    /// # Errors
    /// As there, and if an array has the wrong length. Nothing has changed then.
    pub fn rollout(
        &mut self,
        count: usize,
        h: f64,
        commands: CommandSequence<'_>,
        positions: &mut [f64],
        rates: &mut [f64],
    ) -> Result<(), BatchError> {
        let (mut all_q, mut all_v) = (0, 0);
        for index in 0..self.len() {
            let order = self.model(index)?.joint_order();
            (all_q, all_v) = (all_q + count * order.position_count(), all_v + count * order.rate_count());
        }
        check_length("positions of all steps", positions.len(), all_q)
            .and_then(|()| check_length("rates of all steps", rates.len(), all_v))
            .map_err(|error| BatchError::Command { index: 0, error })?;
        self.take_steps(count, h, commands, Some((positions, rates)))
    }

    fn take_steps(
        &mut self,
        count: usize,
        h: f64,
        commands: CommandSequence<'_>,
        record: Option<(&mut [f64], &mut [f64])>,
    ) -> Result<(), BatchError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(BatchError::BadStep { h });
        }
        self.check_sequence(count, &commands)?;
        let CommandSequence { efforts, targets, target_rates } = commands;
        // Where the numbers of each mechanism are, by group and lane.
        let mut places = vec![[[0; 2]; super::GROUP_SIZE]; self.groups.len()];
        let mut at = [0; 2];
        let mut records: Vec<[Record<'_>; super::GROUP_SIZE]> =
            self.groups.iter().map(|_| Default::default()).collect();
        let is_recorded = record.is_some();
        let (mut left_q, mut left_v) = record.unwrap_or_default();
        for index in 0..self.len() {
            let (group, lane) = self.slot(index)?;
            let order = self.model(index)?.joint_order();
            if is_recorded {
                let (own_q, rest_q) = left_q.split_at_mut(count * order.position_count());
                let (own_v, rest_v) = left_v.split_at_mut(count * order.rate_count());
                (left_q, left_v) = (rest_q, rest_v);
                records[group][lane] = Record { positions: own_q, rates: own_v };
            }
            places[group][lane] = at;
            at = [at[0] + count * order.rate_count(), at[1] + count * order.servos().len()];
        }
        let shared = self.shared.as_ref();
        let mut groups: Vec<_> = self.groups.iter_mut().zip(places).zip(records).collect();
        self.threads.for_each(&mut groups, |((group, places), records)| {
            group.take_lanes(shared);
            group.clear_answers();
            let members = group.len();
            let mut motions = None;
            let lengths: [(usize, usize); super::GROUP_SIZE] = std::array::from_fn(|lane| {
                let order = group.model(lane.min(members.saturating_sub(1))).joint_order();
                (order.rate_count(), order.servos().len())
            });
            for step in 0..count {
                let lanes = places.iter().zip(lengths).enumerate().take(members);
                for (lane, ([first_effort, first_target], (rates, servos))) in lanes {
                    let efforts = efforts.map(|all| &all[first_effort + step * rates..][..rates]);
                    let of_step = |all| &<[f64]>::as_ref(all)[first_target + step * servos..][..servos];
                    let targets = targets.map(|all| (of_step(all), target_rates.map(of_step)));
                    group.write_commands(lane, efforts, targets);
                }
                group.step(h);
                for (lane, record) in records.iter_mut().enumerate().filter(|_| is_recorded) {
                    if lane < members {
                        let (rates, _) = lengths[lane];
                        let positions = group.model(lane).joint_order().position_count();
                        let to = (
                            &mut record.positions[step * positions..][..positions],
                            &mut record.rates[step * rates..][..rates],
                        );
                        group.record(lane, &mut motions, to);
                    }
                }
            }
            group.return_lanes(shared);
        });
        self.split_ended_groups();
        Ok(())
    }

    /// Refuses a sequence of commands for `count` steps that has wrong lengths, or numbers that are no
    /// commands. [`Batch::steps_with`] and [`Batch::rollout`] do so before the first step; whoever hands
    /// them a sequence in parts asks for all of it first.
    ///
    /// # Errors
    ///
    /// The error names the mechanism, the step and the joint.
    pub fn check_sequence(&self, count: usize, commands: &CommandSequence<'_>) -> Result<(), BatchError> {
        let CommandSequence { efforts, targets, target_rates } = *commands;
        if let (None, Some(rates)) = (targets, target_rates) {
            return Err(BatchError::RatesWithoutTargets { count: rates.len() });
        }
        let (mut rates, mut servos, mut has_general) = (0, 0, false);
        for index in 0..self.len() {
            let model = self.model(index)?;
            rates += count * model.joint_order().rate_count();
            servos += count * model.joint_order().servos().len();
            has_general |= model.first_general().is_some();
        }
        let lists = [
            ("efforts of all steps", efforts, rates),
            ("targets of all steps", targets, servos),
            ("rates of targets of all steps", target_rates, servos),
        ];
        for (what, numbers, want) in lists {
            let checked = numbers.map_or(Ok(()), |numbers| check_length(what, numbers.len(), want));
            checked.map_err(|error| BatchError::Command { index: 0, error })?;
            if numbers.is_none_or(|numbers| self.are_finite(numbers)) && !has_general {
                continue;
            }
            // Some number is refused: which one?
            let mut left = numbers.unwrap_or_default();
            for index in 0..self.len() {
                let model = self.model(index)?;
                let is_effort = what == lists[0].0;
                let order = model.joint_order();
                let own = if is_effort { order.rate_count() } else { order.servos().len() };
                for step in 0..count {
                    let Some((numbers, rest)) = left.split_at_checked(own) else { break };
                    left = rest;
                    let check = if is_effort { check_efforts } else { check_targets };
                    check(model, numbers).map_err(|error| BatchError::CommandOfStep {
                        index,
                        step,
                        error,
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Whether all numbers are finite, on all threads.
    fn are_finite(&self, numbers: &[f64]) -> bool {
        let mut chunks: Vec<_> = numbers.chunks(CHUNK).map(|chunk| (chunk, true)).collect();
        self.threads.for_each(&mut chunks, |(chunk, are_finite)| {
            // Without a branch, so that it is vectorised.
            *are_finite = !chunk.iter().fold(false, |any, x| any | !x.is_finite());
        });
        chunks.iter().all(|(_, are_finite)| *are_finite)
    }
}

impl BatchGroup {
    /// How many mechanisms it has.
    fn len(&self) -> usize {
        match self {
            BatchGroup::Single(_) => 1,
            BatchGroup::Lanes(lane_group) => lane_group.members.len(),
        }
    }
    fn model(&self, lane: usize) -> &crate::model::Model {
        match self {
            BatchGroup::Single(single) => single.sim.model(),
            BatchGroup::Lanes(lane_group) => &lane_group.members[lane].model,
        }
    }
}
