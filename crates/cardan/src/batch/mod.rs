//! Batches: many mechanisms, those of one structure stepped together in SIMD lanes.
//!
//! Four mechanisms share the lanes of a SIMD number (`step/kernel/sweep/`), groups of four share the cores.
//! Their masses, lengths, gravity and states may differ. Each has the bits that a [`Simulation`] of its own
//! would have. What goes in lanes are trees of rigid bodies on hinges and balls with Euler's integrators, on
//! joint coordinates also efforts, commands and limits of hinges. The rest (contacts, loops, drives, other
//! forces, other integrators) is stepped as a simulation of its own; a mechanism that needs more than the
//! kernel in some step takes that step alone, such as one that comes to a limit.

mod commands;
mod group;
mod sequence;
mod states;

pub use sequence::CommandSequence;

use group::{BatchGroup, LaneGroup, LaneMember, MakeLanes, SharedLanes, SingleMechanism};

use crate::body::Wrench;
use crate::joint_space::CommandError;
use crate::math::Vec3;
use crate::measure::{Certificate, JointLoad};
use crate::model::{BodyId, JointId, Model};
use crate::simulation::Simulation;
use crate::state::State;
use crate::step::{Settings, StepError, TreeStructure};
use crate::threads::{ThreadError, Threads};
use cardan_solve::simd::run_simd4;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

/// Lanes of a group.
const GROUP_SIZE: usize = 4;
/// With more mechanisms of one model than this, groups share scratch memory, one piece per thread, so that it
/// fits the cache.
const SHARING_THRESHOLD: usize = 64;
/// Errors of a batch.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BatchError {
    /// A mechanism that cannot be set up or evaluated.
    #[error("mechanism {index}: {error}")]
    Mechanism {
        /// Its number.
        index: usize,
        /// What is wrong.
        error: StepError,
    },
    /// A command, or a pose by joint coordinates, that is refused.
    #[error("mechanism {index}: {error}")]
    Command {
        /// Its number.
        index: usize,
        /// What is wrong.
        error: CommandError,
    },
    /// A sequence has rates of set points, and no set points.
    #[error(
        "`target_rates` has {count} numbers and `targets` is left out: rates are those of targets, so give both, or neither"
    )]
    RatesWithoutTargets {
        /// How many rates there are.
        count: usize,
    },
    /// A command of a sequence that is refused.
    #[error("mechanism {index}, step {step}: {error}")]
    CommandOfStep {
        /// Number of the mechanism.
        index: usize,
        /// Number of the step, from 0.
        step: usize,
        /// What is wrong.
        error: CommandError,
    },
    /// There is none of this number.
    #[error("there is no mechanism {index}: the batch has {count}, counted from 0")]
    NoSuchMechanism {
        /// The number asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A step that is not positive and finite.
    #[error("the step must be positive and finite, not {h} s")]
    BadStep {
        /// Its size.
        h: f64,
    },
    /// Threads that cannot be had.
    #[error("{count} threads cannot be had: {why}")]
    NoThreads {
        /// How many were asked for.
        count: usize,
        /// Why not.
        why: String,
    },
}

/// Many mechanisms, stepped together.
///
/// Energy and momentum are never measured: there is no reader for them here, and a [`Simulation`] that
/// follows the states has them. Certificates are kept with
/// [`Accounts::EveryStep`](crate::Accounts::EveryStep), the default, and with no other choice.
#[derive(Debug)]
pub struct Batch {
    groups: Vec<BatchGroup>,
    /// Where each mechanism is: group, and place in it.
    slots: Vec<(u32, u32)>,
    threads: Threads,
    /// If there are many of one model.
    shared: Option<SharedLanes>,
}

impl Batch {
    /// One model in many states.
    ///
    /// # Errors
    /// Names the first state that does not belong to the model or cannot be brought onto its joints.
    pub fn new(
        model: impl Into<Arc<Model>>,
        settings: Settings,
        states: &[State],
    ) -> Result<Self, BatchError> {
        let model = model.into();
        Batch::with_states(states.iter().map(|state| (model.clone(), Some(state))).collect(), settings)
    }

    /// Models with numbers of their own, each in its initial state. Those of one structure go in lanes, four
    /// at a time.
    ///
    /// # Errors
    /// Names the first that cannot be set up.
    pub fn of_models(
        models: impl IntoIterator<Item = Arc<Model>>,
        settings: Settings,
    ) -> Result<Self, BatchError> {
        Batch::with_states(models.into_iter().map(|model| (model, None)).collect(), settings)
    }

    fn with_states(all: Vec<(Arc<Model>, Option<&State>)>, settings: Settings) -> Result<Self, BatchError> {
        let given = settings;
        let settings = all.first().map_or(given, |(model, _)| given.resolved(model));
        let mut batch =
            Batch { groups: Vec::new(), slots: Vec::new(), threads: Threads::default(), shared: None };
        if let Some((first, _)) = all.first().filter(|_| all.len() > SHARING_THRESHOLD)
            && all.iter().all(|(model, _)| Arc::ptr_eq(model, first))
            && let Some(structure) = TreeStructure::of(first, &settings)
        {
            batch.shared = Some(SharedLanes { structure, model: first.clone(), free: Mutex::default() });
        }
        // One simulation serves all of one model, to bring them onto their joints.
        let mut last: Option<(Simulation, Option<TreeStructure>)> = None;
        let mut waiting: Vec<(TreeStructure, Vec<(usize, LaneMember)>)> = Vec::new();
        for (index, (model, state)) in all.into_iter().enumerate() {
            let named = |error: StepError| BatchError::Mechanism { index, error };
            if last.as_ref().is_none_or(|(sim, _)| !Arc::ptr_eq(sim.model(), &model)) {
                // What `auto` means may differ from model to model; lanes have the settings of the first.
                let own = given.resolved(&model);
                let sim = Simulation::with_settings(model.clone(), own).map_err(named)?;
                let structure = if own == settings { TreeStructure::of(&model, &own) } else { None };
                last = Some((sim, structure));
            }
            let Some((sim, structure)) = &mut last else { continue };
            sim.restore(state.unwrap_or(model.initial_state())).map_err(named)?;
            sim.assemble().map_err(named)?;
            batch.slots.push((batch.groups.len() as u32, 0));
            let Some(structure) = structure.as_ref() else {
                let Some((sim, _)) = last.take() else { continue };
                batch.groups.push(BatchGroup::Single(Box::new(SingleMechanism::new(sim))));
                continue;
            };
            let member = LaneMember {
                state: sim.state().clone(),
                certificate: sim.certificate(),
                model,
                steps: 0,
                fallbacks_in_a_row: 0,
                failure: None,
                spare: None,
            };
            match waiting.iter_mut().find(|(other, _)| other == structure) {
                None => waiting.push((structure.clone(), vec![(index, member)])),
                Some((_, members)) => {
                    members.push((index, member));
                    if members.len() == GROUP_SIZE {
                        let members = core::mem::take(members);
                        batch.add_group(structure, members, &settings);
                    }
                }
            }
        }
        for (structure, members) in waiting.into_iter().filter(|(_, members)| !members.is_empty()) {
            batch.add_group(&structure, members, &settings);
        }
        Ok(batch)
    }

    /// Forms a group of waiting mechanisms.
    fn add_group(
        &mut self,
        structure: &TreeStructure,
        members: Vec<(usize, LaneMember)>,
        settings: &Settings,
    ) {
        for (lane, (index, _)) in members.iter().enumerate() {
            self.slots[*index] = (self.groups.len() as u32, lane as u32);
        }
        let members: Vec<LaneMember> = members.into_iter().map(|(_, member)| member).collect();
        let models: Vec<&Model> = members.iter().map(|member| &*member.model).collect();
        let lanes = match &self.shared {
            Some(_) => None,
            // Structures are of models that have lanes.
            None => run_simd4(MakeLanes(structure, &models)),
        };
        let mut lane_group = LaneGroup {
            members,
            lanes,
            answers: Vec::new(),
            is_solved_alone: false,
            unsolved: None,
            settings: *settings,
            has_ended: false,
        };
        lane_group.load_all();
        self.groups.push(BatchGroup::Lanes(Box::new(lane_group)));
    }

    /// Whether a model would go in lanes with these settings.
    pub fn takes(model: &Model, settings: &Settings) -> bool {
        TreeStructure::of(model, &settings.resolved(model)).is_some()
    }

    /// How many mechanisms there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
    /// How many of them go in lanes; the others are simulations of their own.
    pub fn in_lanes(&self) -> usize {
        let count = |group: &BatchGroup| match group {
            BatchGroup::Lanes(lane_group) => lane_group.members.len(),
            BatchGroup::Single(_) => 0,
        };
        self.groups.iter().map(count).sum()
    }

    /// Number of threads; 1 is the calling thread alone. The bits do not depend on it.
    ///
    /// # Errors
    /// If the crate was built without the feature `parallel`, or the system refuses.
    pub fn set_threads(&mut self, count: usize) -> Result<(), BatchError> {
        self.threads.set(count).map_err(|refused| BatchError::NoThreads {
            count,
            why: match refused {
                ThreadError::NotBuilt => "the crate was built without its feature `parallel`".into(),
                ThreadError::System(why) => why,
            },
        })
    }

    /// Advances all by `h`. A mechanism whose step fails stays where it was from then on
    /// ([`Batch::failure`]); the others go on.
    ///
    /// # Errors
    /// If `h` is no step.
    pub fn step(&mut self, h: f64) -> Result<(), BatchError> {
        self.steps(1, h)
    }

    /// Advances all by so many steps of `h`: group after group, so that the numbers of one stay in the cache.
    ///
    /// # Errors
    /// If `h` is no step.
    pub fn steps(&mut self, count: u64, h: f64) -> Result<(), BatchError> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(BatchError::BadStep { h });
        }
        let shared = self.shared.as_ref();
        self.threads.for_each(&mut self.groups, |group| {
            group.take_lanes(shared);
            group.clear_answers();
            for _ in 0..count {
                group.step(h);
            }
            group.return_lanes(shared);
        });
        self.split_ended_groups();
        Ok(())
    }

    /// Turns dissolved groups into simulations.
    fn split_ended_groups(&mut self) {
        for at in 0..self.groups.len() {
            let BatchGroup::Lanes(lane_group) = &mut self.groups[at] else { continue };
            if !lane_group.has_ended {
                continue;
            }
            let mut single = lane_group.take_singles();
            let firsts = self.groups.len();
            let Some(first) = single.next() else { continue };
            let rest: Vec<BatchGroup> = single.map(|single| BatchGroup::Single(Box::new(single))).collect();
            self.groups[at] = BatchGroup::Single(Box::new(first));
            self.groups.extend(rest);
            for (group, lane) in &mut self.slots {
                if *group as usize == at && *lane > 0 {
                    (*group, *lane) = ((firsts as u32) + *lane - 1, 0);
                }
            }
        }
    }

    fn slot(&self, index: usize) -> Result<(usize, usize), BatchError> {
        match self.slots.get(index) {
            Some(&(group, lane)) => Ok((group as usize, lane as usize)),
            None => Err(BatchError::NoSuchMechanism { index, count: self.len() }),
        }
    }

    /// The state of a mechanism.
    ///
    /// # Errors
    /// If there is none of this number; so in all that follows.
    pub fn state(&self, index: usize) -> Result<State, BatchError> {
        let (group, lane) = self.slot(index)?;
        Ok(match &self.groups[group] {
            BatchGroup::Single(single) => single.sim.state().clone(),
            BatchGroup::Lanes(lane_group) => lane_group.state(lane),
        })
    }

    /// Copies the state of a mechanism into a given state of its model. Allocates nothing.
    ///
    /// # Errors
    /// Also if that is a state of another model.
    pub fn copy_state(&self, index: usize, out: &mut State) -> Result<(), BatchError> {
        let (group, lane) = self.slot(index)?;
        let (state, lanes) = match &self.groups[group] {
            BatchGroup::Single(single) => (single.sim.state(), None),
            BatchGroup::Lanes(lane_group) => (&lane_group.members[lane].state, lane_group.lanes.as_ref()),
        };
        if !state.fits(out) {
            return Err(BatchError::Mechanism { index, error: StepError::OtherModel });
        }
        out.copy_from(state);
        if let Some(lanes) = lanes {
            lanes.store(lane, out);
        }
        Ok(())
    }

    /// Puts a mechanism into another state, which is brought onto its joints. A failure is forgotten.
    ///
    /// # Errors
    /// Also if the state belongs to another model or cannot be closed; nothing has changed then.
    pub fn set_state(&mut self, index: usize, state: &State) -> Result<(), BatchError> {
        let (group, lane) = self.slot(index)?;
        let named = |error: StepError| BatchError::Mechanism { index, error };
        match &mut self.groups[group] {
            BatchGroup::Single(single) => {
                let before = single.sim.state().clone();
                single.sim.restore(state).map_err(named)?;
                if let Err(error) = single.sim.assemble() {
                    single.sim.restore(&before).map_err(named)?;
                    return Err(named(error));
                }
                single.failure = None;
            }
            BatchGroup::Lanes(lane_group) if lane_group.takes_as_is(lane, state) => {
                let member = &mut lane_group.members[lane];
                member.state.copy_from(state);
                member.state.still = false;
                lane_group.load(lane);
            }
            BatchGroup::Lanes(lane_group) => {
                let mut sim = lane_group.simulation(lane).map_err(named)?;
                sim.restore(state).map_err(named)?;
                sim.assemble().map_err(named)?;
                let state = sim.state();
                lane_group.members[lane].state.clone_from(state);
                lane_group.load(lane);
            }
        }
        Ok(())
    }

    /// The model of a mechanism.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn model(&self, index: usize) -> Result<&Arc<Model>, BatchError> {
        let (group, lane) = self.slot(index)?;
        Ok(match &self.groups[group] {
            BatchGroup::Single(single) => single.sim.model(),
            BatchGroup::Lanes(lane_group) => &lane_group.members[lane].model,
        })
    }

    /// The worst errors of a mechanism so far, if [`Settings::accounts`] is
    /// [`Accounts::EveryStep`](crate::Accounts::EveryStep); else there are none, and the certificate covers
    /// no instant.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn certificate(&self, index: usize) -> Result<Certificate, BatchError> {
        let (group, lane) = self.slot(index)?;
        Ok(match &self.groups[group] {
            BatchGroup::Single(single) => {
                let mut all = single.sim.certificate();
                all.include(&single.certificate);
                all.instants += single.certificate.instants;
                all
            }
            BatchGroup::Lanes(lane_group) => lane_group.members[lane].certificate,
        })
    }

    /// Steps that a mechanism has taken.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn steps_of(&self, index: usize) -> Result<u64, BatchError> {
        let (group, lane) = self.slot(index)?;
        Ok(match &self.groups[group] {
            BatchGroup::Single(single) => single.steps + (single.sim.steps() - single.counted),
            BatchGroup::Lanes(lane_group) => lane_group.members[lane].steps,
        })
    }

    /// The error that stopped a mechanism, if there is one.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn failure(&self, index: usize) -> Result<Option<&StepError>, BatchError> {
        let (group, lane) = self.slot(index)?;
        Ok(match &self.groups[group] {
            BatchGroup::Single(single) => single.failure.as_ref(),
            BatchGroup::Lanes(lane_group) => lane_group.members[lane].failure.as_ref(),
        })
    }

    /// Solves for accelerations and joint loads of all mechanisms, without a step.
    ///
    /// # Errors
    /// Names the first mechanism whose equations have no solution.
    pub fn accelerations(&mut self) -> Result<(), BatchError> {
        let shared = self.shared.as_ref();
        self.threads.for_each(&mut self.groups, |group| {
            group.take_lanes(shared);
            match group {
                BatchGroup::Single(single) => single.failure = single.sim.accelerations().err(),
                // No mechanism moves.
                BatchGroup::Lanes(lane_group) => lane_group.accelerations(shared),
            }
        });
        for index in 0..self.len() {
            let (group, lane) = self.slot(index)?;
            let unsolved = match &self.groups[group] {
                BatchGroup::Single(_) => None,
                BatchGroup::Lanes(lane_group) => lane_group.unsolved.as_ref(),
            };
            let own = unsolved.filter(|(of, _)| *of == lane).map(|(_, error)| error);
            if let Some(error) = own.or(self.failure(index)?) {
                return Err(BatchError::Mechanism { index, error: error.clone() });
            }
        }
        Ok(())
    }

    /// Acceleration and angular acceleration of a body by the last [`Batch::accelerations`], world axes;
    /// `None` if the model has no such body. Once steps were taken it may be gone. All mechanisms of a batch
    /// are of one structure, so the id may be that of any of their models.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn acceleration(&self, index: usize, body: BodyId) -> Result<Option<(Vec3, Vec3)>, BatchError> {
        let (group, lane) = self.slot(index)?;
        let body = body.index();
        Ok(match &self.groups[group] {
            BatchGroup::Single(single) => {
                let known = body < single.sim.model().bodies().len();
                known.then(|| single.sim.last_accelerations().body(BodyId::of_index(body)))
            }
            BatchGroup::Lanes(lane_group) if lane_group.is_solved_alone => {
                let sim = lane_group.solved_alone(lane);
                let known = sim.filter(|sim| body < sim.model().bodies().len());
                known.map(|sim| sim.last_accelerations().body(BodyId::of_index(body)))
            }
            BatchGroup::Lanes(lane_group) => match (&lane_group.lanes, &self.shared) {
                (None, Some(shared)) => {
                    let place = shared.structure.node_of_body(body);
                    place.and_then(|at| lane_group.answer(lane, at)).map(|[lin, ang, ..]| (lin, ang))
                }
                (lanes, _) => lanes.as_ref().and_then(|lanes| lanes.acceleration(lane, body)),
            },
        })
    }

    /// The load of a joint by the last [`Batch::accelerations`]; `None` if the model has no such joint. Once
    /// steps were taken it may be gone. The id may be that of any model of the batch.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn joint_load(&self, index: usize, joint: JointId) -> Result<Option<JointLoad>, BatchError> {
        let (group, lane) = self.slot(index)?;
        let joint = joint.index();
        Ok(match &self.groups[group] {
            BatchGroup::Single(single) => single.sim.last_accelerations().joint(JointId::of_index(joint)),
            BatchGroup::Lanes(lane_group) if lane_group.is_solved_alone => {
                let sim = lane_group.solved_alone(lane);
                sim.and_then(|sim| sim.last_accelerations().joint(JointId::of_index(joint)))
            }
            BatchGroup::Lanes(lane_group) => match (&lane_group.lanes, &self.shared) {
                (None, Some(shared)) => {
                    let place = shared.structure.node_of_joint(joint);
                    place.and_then(|(at, body)| {
                        let [.., force, torque] = lane_group.answer(lane, at)?;
                        let (joint, body) = (JointId::of_index(joint), BodyId::of_index(body));
                        Some(JointLoad { joint, body, wrench: Wrench { force, torque } })
                    })
                }
                (lanes, _) => lanes.as_ref().and_then(|lanes| lanes.joint_load(lane, joint)),
            },
        })
    }
}
