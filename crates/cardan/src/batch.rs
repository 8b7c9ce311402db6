//! Batches: many mechanisms, those of one structure stepped in SIMD lanes.
//!
//! Four mechanisms share the lanes of the machine's wide registers (`step/articulated/lanes/`), groups of four share its cores. Their numbers may differ: masses, lengths,
//! gravity, states. Each has the very bits that a [`Simulation`] of its own would have. What cannot go in lanes (contacts, loops, drives, forces, other integrators than
//! Euler's) is stepped alone, a simulation each; and what goes in lanes but asks for more in some step takes that one step alone.

use crate::body::Wrench;
use crate::math::Vec3;
use crate::measure::{Certificate, JointLoad};
use crate::model::{BodyId, JointId, Model};
use crate::simulation::Simulation;
use crate::state::State;
use crate::step::{Integrator, MechanismLanes, Settings, StepError, StepReport, TreeStructure};
use crate::threads::{ThreadError, Threads};
use cardan_solve::simd::{Mask, Simd, Simd4Task, run_simd4};
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

/// Lanes of a group.
const GROUP_SIZE: usize = 4;
/// More mechanisms of one model than this share the memory that a step works with, a piece for each thread: together all of it would not fit the cache.
const SHARING_THRESHOLD: usize = 64;
/// A mechanism that has to be stepped alone so many times in a row had better stay alone.
const MAX_FALLBACKS_IN_A_ROW: u32 = 8;

/// What is wrong with a batch.
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
#[derive(Debug)]
pub struct Batch {
    groups: Vec<BatchGroup>,
    /// Where each mechanism is: group, and place in it.
    slots: Vec<(u32, u32)>,
    threads: Threads,
    /// If there are many of one model.
    shared: Option<SharedLanes>,
}

/// Lanes that groups of one model take in turns.
#[derive(Debug)]
struct SharedLanes {
    structure: TreeStructure,
    model: Arc<Model>,
    free: Mutex<Vec<Box<dyn AnyLanes>>>,
}

impl SharedLanes {
    fn take(&self) -> Option<Box<dyn AnyLanes>> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.or_else(|| run_simd4(MakeLanes(&self.structure, &[&self.model])))
    }
    fn give_back(&self, lanes: Box<dyn AnyLanes>) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(lanes);
    }
}

#[derive(Debug)]
enum BatchGroup {
    Lanes(Box<LaneGroup>),
    Single(Box<SingleMechanism>),
}

/// A mechanism that is a simulation of its own.
#[derive(Debug)]
struct SingleMechanism {
    sim: Simulation,
    /// Steps and errors from before it was alone.
    steps: u64,
    /// What its simulation had counted by then.
    counted: u64,
    certificate: Certificate,
    failure: Option<StepError>,
}

/// Up to four mechanisms in lanes.
#[derive(Debug)]
struct LaneGroup {
    members: Vec<LaneMember>,
    /// The lanes that hold them; none between steps if lanes are shared.
    lanes: Option<Box<dyn AnyLanes>>,
    /// What was solved for in lanes that are shared, place by place: v̇ and the load of its joint, until the next step.
    answers: Vec<[f64; GROUP_SIZE]>,
    settings: Settings,
    /// A member has failed, or needs a fallback too often: from now on each is stepped alone.
    has_ended: bool,
}

#[derive(Debug)]
struct LaneMember {
    model: Arc<Model>,
    /// Time is that of now; the rest is in the lane, if there is one.
    state: State,
    certificate: Certificate,
    steps: u64,
    fallbacks_in_a_row: u32,
    failure: Option<StepError>,
    /// For steps that it takes alone, once there was one.
    spare: Option<Box<Simulation>>,
}

impl LaneMember {
    /// Takes a step in its lane into account.
    fn note(&mut self, h: f64, taken: &MemberOutcome) {
        self.state.advance_time(h);
        self.certificate.note(&StepReport {
            position_error: taken.position_error,
            velocity_error: taken.velocity_error,
            equation_residual: taken.equation_residual,
            ..StepReport::default()
        });
        self.steps += 1;
    }
}

/// Lanes of whichever numbers.
trait AnyLanes: Debug + Send + Sync {
    fn load(&mut self, lane: usize, state: &State);
    fn store(&self, lane: usize, state: &mut State);
    fn step(&mut self, h: f64, semi_implicit: bool) -> [MemberOutcome; GROUP_SIZE];
    fn accept(&mut self);
    fn accelerations(&mut self) -> bool;
    fn write_answers(&self, out: &mut Vec<[f64; GROUP_SIZE]>);
    fn acceleration(&self, lane: usize, body: usize) -> Option<(Vec3, Vec3)>;
    fn joint_load(&self, lane: usize, joint: usize) -> Option<JointLoad>;
}

/// What came of a step in one lane.
#[derive(Copy, Clone, Debug, Default)]
struct MemberOutcome {
    needs_fallback: bool,
    position_error: f64,
    velocity_error: f64,
    equation_residual: f64,
}

impl<T: Simd> AnyLanes for MechanismLanes<T> {
    fn load(&mut self, lane: usize, state: &State) {
        MechanismLanes::load(self, lane, state);
    }
    fn store(&self, lane: usize, state: &mut State) {
        MechanismLanes::store(self, lane, state);
    }
    fn step(&mut self, h: f64, semi_implicit: bool) -> [MemberOutcome; GROUP_SIZE] {
        let taken = MechanismLanes::step(self, h, semi_implicit);
        std::array::from_fn(|i| MemberOutcome {
            needs_fallback: taken.fallback.lane(i),
            position_error: taken.position_error.lane(i),
            velocity_error: taken.velocity_error.lane(i),
            equation_residual: taken.equation_residual.lane(i),
        })
    }
    fn accept(&mut self) {
        MechanismLanes::accept(self);
    }
    fn accelerations(&mut self) -> bool {
        MechanismLanes::accelerations(self)
    }
    fn write_answers(&self, out: &mut Vec<[f64; GROUP_SIZE]>) {
        MechanismLanes::write_answers(self, out);
    }
    fn acceleration(&self, lane: usize, body: usize) -> Option<(Vec3, Vec3)> {
        MechanismLanes::acceleration(self, lane, body)
    }
    fn joint_load(&self, lane: usize, joint: usize) -> Option<JointLoad> {
        MechanismLanes::joint_load(self, lane, joint)
    }
}

/// Makes lanes for models of one structure.
struct MakeLanes<'m>(&'m TreeStructure, &'m [&'m Model]);

impl Simd4Task for MakeLanes<'_> {
    type Output = Option<Box<dyn AnyLanes>>;
    fn run<T: Simd>(self) -> Self::Output {
        MechanismLanes::<T>::new(self.0, self.1).map(|lanes| Box::new(lanes) as Box<dyn AnyLanes>)
    }
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

    /// Models with numbers of their own, each in its initial state. Those of one structure go in lanes, four at a time.
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
                let sim = Simulation::with_settings(model.clone(), settings).map_err(named)?;
                let structure = TreeStructure::of(&model, &settings);
                last = Some((sim, structure));
            }
            let Some((sim, structure)) = &mut last else { continue };
            sim.restore(state.unwrap_or(model.initial_state())).map_err(named)?;
            sim.assemble().map_err(named)?;
            batch.slots.push((batch.groups.len() as u32, 0));
            let Some(structure) = structure else {
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

    /// Riders that wait become a group.
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
        let mut lane_group =
            LaneGroup { members, lanes, answers: Vec::new(), settings: *settings, has_ended: false };
        lane_group.load_all();
        self.groups.push(BatchGroup::Lanes(Box::new(lane_group)));
    }

    /// Whether a model would go in lanes with these settings.
    pub fn takes(model: &Model, settings: &Settings) -> bool {
        TreeStructure::of(model, settings).is_some()
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

    /// Steps on so many threads; the bits are the same for any number. One is the calling thread alone.
    ///
    /// # Errors
    /// If there are none to be had: the crate was built without its feature `parallel`, or the system refuses.
    pub fn set_threads(&mut self, count: usize) -> Result<(), BatchError> {
        self.threads.set(count).map_err(|refused| BatchError::NoThreads {
            count,
            why: match refused {
                ThreadError::NotBuilt => "the crate was built without its feature `parallel`".into(),
                ThreadError::System(why) => why,
            },
        })
    }

    /// Advances all by `h`. A mechanism whose step fails stays where it was from then on ([`Batch::failure`]); the others go on.
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

    /// Groups whose ride is over become simulations.
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

    /// The worst errors of a mechanism so far.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn certificate(&self, index: usize) -> Result<Certificate, BatchError> {
        let (group, lane) = self.slot(index)?;
        Ok(match &self.groups[group] {
            BatchGroup::Single(single) => {
                let mut all = single.sim.certificate();
                all.include(&single.certificate);
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

    /// Why a mechanism stands still, if it does.
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

    /// Solves for accelerations and joint loads of all; nothing moves.
    ///
    /// # Errors
    /// Names the first mechanism whose equations have no answer.
    pub fn accelerations(&mut self) -> Result<(), BatchError> {
        let shared = self.shared.as_ref();
        self.threads.for_each(&mut self.groups, |group| {
            group.take_lanes(shared);
            match group {
                BatchGroup::Single(single) => single.failure = single.sim.accelerations().err(),
                BatchGroup::Lanes(lane_group) => {
                    lane_group.has_ended |=
                        !lane_group.lanes.as_mut().is_some_and(|lanes| lanes.accelerations());
                    // No state has changed: only the answers of shared lanes are kept.
                    if let (Some(shared), Some(lanes)) =
                        (shared, lane_group.lanes.take_if(|_| shared.is_some()))
                    {
                        lanes.write_answers(&mut lane_group.answers);
                        shared.give_back(lanes);
                    }
                }
            }
        });
        if self
            .groups
            .iter()
            .any(|group| matches!(group, BatchGroup::Lanes(lane_group) if lane_group.has_ended))
        {
            self.split_ended_groups();
            return self.accelerations();
        }
        for index in 0..self.len() {
            if let Some(error) = self.failure(index)? {
                return Err(BatchError::Mechanism { index, error: error.clone() });
            }
        }
        Ok(())
    }

    /// Acceleration and angular acceleration of a body by the last [`Batch::accelerations`], world axes; `None` if the model has no such body.
    /// Once steps were taken it may be gone. All mechanisms of a batch are of one structure, so the id may be that of any of their models.
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
            BatchGroup::Lanes(lane_group) => match (&lane_group.lanes, &self.shared) {
                (None, Some(shared)) => {
                    let place = shared.structure.node_of_body(body);
                    place.and_then(|at| lane_group.answer(lane, at)).map(|[lin, ang, ..]| (lin, ang))
                }
                (lanes, _) => lanes.as_ref().and_then(|lanes| lanes.acceleration(lane, body)),
            },
        })
    }

    /// The load of a joint by the last [`Batch::accelerations`]; `None` if the model has no such joint. Once steps were taken it may be gone.
    /// The id may be that of any model of the batch.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn joint_load(&self, index: usize, joint: JointId) -> Result<Option<JointLoad>, BatchError> {
        let (group, lane) = self.slot(index)?;
        let joint = joint.index();
        Ok(match &self.groups[group] {
            BatchGroup::Single(single) => single.sim.last_accelerations().joint(JointId::of_index(joint)),
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

impl BatchGroup {
    fn step(&mut self, h: f64) {
        match self {
            BatchGroup::Single(single) => single.step(h),
            BatchGroup::Lanes(lane_group) => lane_group.step(h),
        }
    }
    /// Answers are those of where they were.
    fn clear_answers(&mut self) {
        if let BatchGroup::Lanes(lane_group) = self {
            lane_group.answers.clear();
        }
    }
    /// Takes shared lanes.
    fn take_lanes(&mut self, shared: Option<&SharedLanes>) {
        if let (BatchGroup::Lanes(lane_group), Some(shared)) = (self, shared)
            && lane_group.lanes.is_none()
        {
            lane_group.lanes = shared.take();
            lane_group.load_all();
        }
    }
    /// Gives them back.
    fn return_lanes(&mut self, shared: Option<&SharedLanes>) {
        if let (BatchGroup::Lanes(lane_group), Some(shared)) = (self, shared)
            && let Some(lanes) = lane_group.lanes.take()
        {
            for (lane, member) in lane_group.members.iter_mut().enumerate() {
                lanes.store(lane, &mut member.state);
            }
            shared.give_back(lanes);
        }
    }
}

impl SingleMechanism {
    fn new(sim: Simulation) -> Self {
        SingleMechanism { sim, steps: 0, counted: 0, certificate: Certificate::default(), failure: None }
    }
    fn step(&mut self, h: f64) {
        if self.failure.is_none() {
            self.failure = self.sim.step(h).err();
        }
    }
}

impl LaneGroup {
    /// What was solved for at a place, if it was kept: v̇ and ω̇, force and torque.
    fn answer(&self, lane: usize, at: usize) -> Option<[Vec3; 4]> {
        let all = self.answers.get(12 * at..12 * at + 12)?;
        Some(std::array::from_fn(|k| Vec3::new(all[3 * k][lane], all[3 * k + 1][lane], all[3 * k + 2][lane])))
    }

    fn state(&self, lane: usize) -> State {
        let mut state = self.members[lane].state.clone();
        if let Some(lanes) = &self.lanes {
            lanes.store(lane, &mut state);
        }
        state
    }

    /// A simulation of one rider, where it is now.
    fn simulation(&mut self, lane: usize) -> Result<Box<Simulation>, StepError> {
        let state = self.state(lane);
        let member = &mut self.members[lane];
        let mut sim = match member.spare.take() {
            Some(sim) => sim,
            None => Box::new(Simulation::with_settings(member.model.clone(), self.settings)?),
        };
        sim.restore(&state)?;
        Ok(sim)
    }

    /// A step of one rider alone: its state after it.
    fn step_member(&mut self, lane: usize, h: f64) -> Result<(State, StepReport), StepError> {
        let mut sim = self.simulation(lane)?;
        let report = sim.step(h)?;
        let state = sim.state().clone();
        self.members[lane].spare = Some(sim);
        Ok((state, report))
    }

    /// Puts a rider's state into its lane, and into those that repeat it.
    fn load(&mut self, lane: usize) {
        let last = self.members.len() - 1;
        let Some(lanes) = &mut self.lanes else { return };
        for at in lane..if lane == last { GROUP_SIZE } else { lane + 1 } {
            lanes.load(at, &self.members[lane].state);
        }
    }

    fn load_all(&mut self) {
        (0..self.members.len()).for_each(|lane| self.load(lane));
    }

    fn step(&mut self, h: f64) {
        let semi_implicit = self.settings.integrator == Integrator::SemiImplicitEuler;
        let taken = match &mut self.lanes {
            Some(lanes) if !self.has_ended => lanes.step(h, semi_implicit),
            _ => return self.step_one_by_one(h),
        };
        if taken[..self.members.len()].iter().any(|taken| taken.needs_fallback) {
            return self.step_with_fallbacks(h, &taken);
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.accept();
        }
        for (member, taken) in self.members.iter_mut().zip(&taken) {
            member.fallbacks_in_a_row = 0;
            member.note(h, taken);
        }
    }

    /// Finishes a step in which some members need a fallback.
    #[cold]
    fn step_with_fallbacks(&mut self, h: f64, taken: &[MemberOutcome; GROUP_SIZE]) {
        // Those that must go alone do so from where they are.
        let mut single = [const { None }; GROUP_SIZE];
        for lane in 0..self.members.len() {
            let member = &mut self.members[lane];
            member.fallbacks_in_a_row =
                if taken[lane].needs_fallback { member.fallbacks_in_a_row + 1 } else { 0 };
            if taken[lane].needs_fallback {
                single[lane] = Some(self.step_member(lane, h));
            }
        }
        let failed = single.iter().any(|outcome| matches!(outcome, Some(Err(_))));
        if failed {
            // No state has changed yet: the group ends here.
            self.has_ended = true;
            return self.step_one_by_one(h);
        }
        if let Some(lanes) = &mut self.lanes {
            lanes.accept();
        }
        for (lane, outcome) in single.into_iter().enumerate().take(self.members.len()) {
            let member = &mut self.members[lane];
            match outcome {
                Some(Ok((state, report))) => {
                    member.state = state;
                    member.certificate.note(&report);
                    member.steps += report.steps;
                    self.has_ended |= member.fallbacks_in_a_row >= MAX_FALLBACKS_IN_A_ROW;
                    self.load(lane);
                }
                _ => member.note(h, &taken[lane]),
            }
        }
    }

    /// One by one, until the group is taken apart.
    fn step_one_by_one(&mut self, h: f64) {
        for lane in 0..self.members.len() {
            if self.members[lane].failure.is_some() {
                continue;
            }
            let outcome = self.step_member(lane, h);
            let member = &mut self.members[lane];
            match outcome {
                Err(error) => member.failure = Some(error),
                Ok((state, report)) => {
                    member.state = state;
                    member.certificate.note(&report);
                    member.steps += report.steps;
                    self.load(lane);
                }
            }
        }
    }

    /// Every member as a simulation of its own from now on.
    fn take_singles(&mut self) -> impl Iterator<Item = SingleMechanism> + use<> {
        let sims: Vec<_> = (0..self.members.len()).map(|lane| self.simulation(lane)).collect();
        let members = core::mem::take(&mut self.members);
        // A model that has once been set up can be set up again.
        members.into_iter().zip(sims).filter_map(|(member, sim)| {
            let sim = *sim.ok()?;
            Some(SingleMechanism {
                steps: member.steps,
                counted: sim.steps(),
                sim,
                certificate: member.certificate,
                failure: member.failure,
            })
        })
    }
}
