//! Batches: many mechanisms, those of one structure stepped side by side.
//!
//! Four mechanisms share the lanes of the machine's wide registers (`step/limbs/lanes/`), groups of four share its cores. Their numbers may differ: masses, lengths,
//! gravity, states. Each has the very bits that a [`Simulation`] of its own would have. What cannot go in lanes (contacts, loops, drives, forces, other integrators than
//! Euler's) is stepped alone, a simulation each; and what goes in lanes but asks for more in some step takes that one step alone.

use crate::body::Wrench;
use crate::math::Vec3;
use crate::measure::{Certificate, JointLoad};
use crate::model::Model;
use crate::simulation::Simulation;
use crate::state::State;
use crate::step::{Integrator, Lanes, Settings, StepError, StepReport, Structure};
use crate::threads::{Refused, Threads};
use cardan_solve::pack::{Mask, Pack, WithFour, with_four};
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

/// Lanes of a group.
const FOUR: usize = 4;
/// More mechanisms of one model than this share the memory that a step works with, a piece for each thread: together all of it would not fit the cache.
const MANY: usize = 64;
/// A mechanism that has to be stepped alone so many times in a row had better stay alone.
const ODD_TOO_OFTEN: u32 = 8;

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
    groups: Vec<Group>,
    /// Where each mechanism is: group, and place in it.
    places: Vec<(u32, u32)>,
    threads: Threads,
    /// If there are many of one model.
    shared: Option<Shared>,
}

/// Lanes that groups of one model take in turns.
#[derive(Debug)]
struct Shared {
    structure: Structure,
    model: Arc<Model>,
    free: Mutex<Vec<Box<dyn Side>>>,
}

impl Shared {
    fn take(&self) -> Option<Box<dyn Side>> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.or_else(|| with_four(Make(&self.structure, &[&self.model])))
    }
    fn give_back(&self, side: Box<dyn Side>) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(side);
    }
}

#[derive(Debug)]
enum Group {
    Lanes(Box<Ride>),
    Alone(Box<Alone>),
}

/// A mechanism that is a simulation of its own.
#[derive(Debug)]
struct Alone {
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
struct Ride {
    riders: Vec<Rider>,
    /// Where they go side by side; nowhere between steps if that is shared.
    side: Option<Box<dyn Side>>,
    /// What was solved for in lanes that are shared, place by place: v̇ and the load of its joint, until the next step.
    answers: Vec<[f64; FOUR]>,
    settings: Settings,
    /// A rider has failed, or is odd too often: from now on they go alone.
    is_over: bool,
}

#[derive(Debug)]
struct Rider {
    model: Arc<Model>,
    /// Time is that of now; the rest is in the lane, if there is one.
    state: State,
    certificate: Certificate,
    steps: u64,
    odd_in_a_row: u32,
    failure: Option<StepError>,
    /// For steps that it takes alone, once there was one.
    spare: Option<Box<Simulation>>,
}

impl Rider {
    /// Takes a step in its lane into account.
    fn note(&mut self, h: f64, taken: &Taken) {
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
trait Side: Debug + Send + Sync {
    fn load(&mut self, lane: usize, state: &State);
    fn store(&self, lane: usize, state: &mut State);
    fn step(&mut self, h: f64, semi_implicit: bool) -> [Taken; FOUR];
    fn accept(&mut self);
    fn accelerations(&mut self) -> bool;
    fn write_answers(&self, out: &mut Vec<[f64; FOUR]>);
    fn acceleration(&self, lane: usize, body: usize) -> Option<(Vec3, Vec3)>;
    fn joint_load(&self, lane: usize, joint: usize) -> Option<JointLoad>;
}

/// What came of a step in one lane.
#[derive(Copy, Clone, Debug, Default)]
struct Taken {
    is_odd: bool,
    position_error: f64,
    velocity_error: f64,
    equation_residual: f64,
}

impl<T: Pack> Side for Lanes<T> {
    fn load(&mut self, lane: usize, state: &State) {
        Lanes::load(self, lane, state);
    }
    fn store(&self, lane: usize, state: &mut State) {
        Lanes::store(self, lane, state);
    }
    fn step(&mut self, h: f64, semi_implicit: bool) -> [Taken; FOUR] {
        let taken = Lanes::step(self, h, semi_implicit);
        std::array::from_fn(|i| Taken {
            is_odd: taken.odd.lane(i),
            position_error: taken.position_error.lane(i),
            velocity_error: taken.velocity_error.lane(i),
            equation_residual: taken.equation_residual.lane(i),
        })
    }
    fn accept(&mut self) {
        Lanes::accept(self);
    }
    fn accelerations(&mut self) -> bool {
        Lanes::accelerations(self)
    }
    fn write_answers(&self, out: &mut Vec<[f64; FOUR]>) {
        Lanes::write_answers(self, out);
    }
    fn acceleration(&self, lane: usize, body: usize) -> Option<(Vec3, Vec3)> {
        Lanes::acceleration(self, lane, body)
    }
    fn joint_load(&self, lane: usize, joint: usize) -> Option<JointLoad> {
        Lanes::joint_load(self, lane, joint)
    }
}

/// Makes lanes for models of one structure.
struct Make<'m>(&'m Structure, &'m [&'m Model]);

impl WithFour for Make<'_> {
    type Output = Option<Box<dyn Side>>;
    fn run<T: Pack>(self) -> Self::Output {
        Lanes::<T>::new(self.0, self.1).map(|lanes| Box::new(lanes) as Box<dyn Side>)
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
            Batch { groups: Vec::new(), places: Vec::new(), threads: Threads::default(), shared: None };
        if let Some((first, _)) = all.first().filter(|_| all.len() > MANY)
            && all.iter().all(|(model, _)| Arc::ptr_eq(model, first))
            && let Some(structure) = Structure::of(first, &settings)
        {
            batch.shared = Some(Shared { structure, model: first.clone(), free: Mutex::default() });
        }
        // One simulation serves all of one model, to bring them onto their joints.
        let mut last: Option<(Simulation, Option<Structure>)> = None;
        let mut waiting: Vec<(Structure, Vec<(usize, Rider)>)> = Vec::new();
        for (index, (model, state)) in all.into_iter().enumerate() {
            let named = |error: StepError| BatchError::Mechanism { index, error };
            if last.as_ref().is_none_or(|(sim, _)| !Arc::ptr_eq(sim.model(), &model)) {
                let sim = Simulation::with_settings(model.clone(), settings).map_err(named)?;
                let structure = Structure::of(&model, &settings);
                last = Some((sim, structure));
            }
            let Some((sim, structure)) = &mut last else { continue };
            sim.restore(state.unwrap_or(model.initial_state())).map_err(named)?;
            sim.assemble().map_err(named)?;
            batch.places.push((batch.groups.len() as u32, 0));
            let Some(structure) = structure else {
                let Some((sim, _)) = last.take() else { continue };
                batch.groups.push(Group::Alone(Box::new(Alone::new(sim))));
                continue;
            };
            let rider = Rider {
                state: sim.state().clone(),
                certificate: sim.certificate(),
                model,
                steps: 0,
                odd_in_a_row: 0,
                failure: None,
                spare: None,
            };
            match waiting.iter_mut().find(|(other, _)| other == structure) {
                None => waiting.push((structure.clone(), vec![(index, rider)])),
                Some((_, riders)) => {
                    riders.push((index, rider));
                    if riders.len() == FOUR {
                        let riders = core::mem::take(riders);
                        batch.close(structure, riders, &settings);
                    }
                }
            }
        }
        for (structure, riders) in waiting.into_iter().filter(|(_, riders)| !riders.is_empty()) {
            batch.close(&structure, riders, &settings);
        }
        Ok(batch)
    }

    /// Riders that wait become a group.
    fn close(&mut self, structure: &Structure, riders: Vec<(usize, Rider)>, settings: &Settings) {
        for (lane, (index, _)) in riders.iter().enumerate() {
            self.places[*index] = (self.groups.len() as u32, lane as u32);
        }
        let riders: Vec<Rider> = riders.into_iter().map(|(_, rider)| rider).collect();
        let models: Vec<&Model> = riders.iter().map(|rider| &*rider.model).collect();
        let side = match &self.shared {
            Some(_) => None,
            // Structures are of models that have lanes.
            None => with_four(Make(structure, &models)),
        };
        let mut ride = Ride { riders, side, answers: Vec::new(), settings: *settings, is_over: false };
        ride.load_all();
        self.groups.push(Group::Lanes(Box::new(ride)));
    }

    /// Whether a model would go in lanes with these settings.
    pub fn takes(model: &Model, settings: &Settings) -> bool {
        Structure::of(model, settings).is_some()
    }

    /// How many mechanisms there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
    /// How many of them go in lanes; the others are simulations of their own.
    pub fn in_lanes(&self) -> usize {
        let count = |group: &Group| match group {
            Group::Lanes(ride) => ride.riders.len(),
            Group::Alone(_) => 0,
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
                Refused::NotBuilt => "the crate was built without its feature `parallel`".into(),
                Refused::System(why) => why,
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
        self.threads.each(&mut self.groups, |group| {
            group.sit(shared);
            group.forget();
            for _ in 0..count {
                group.step(h);
            }
            group.rise(shared);
        });
        self.dissolve();
        Ok(())
    }

    /// Groups whose ride is over become simulations.
    fn dissolve(&mut self) {
        for at in 0..self.groups.len() {
            let Group::Lanes(ride) = &mut self.groups[at] else { continue };
            if !ride.is_over {
                continue;
            }
            let mut alone = ride.part();
            let firsts = self.groups.len();
            let Some(first) = alone.next() else { continue };
            let rest: Vec<Group> = alone.map(|alone| Group::Alone(Box::new(alone))).collect();
            self.groups[at] = Group::Alone(Box::new(first));
            self.groups.extend(rest);
            for (group, lane) in &mut self.places {
                if *group as usize == at && *lane > 0 {
                    (*group, *lane) = ((firsts as u32) + *lane - 1, 0);
                }
            }
        }
    }

    fn place(&self, index: usize) -> Result<(usize, usize), BatchError> {
        match self.places.get(index) {
            Some(&(group, lane)) => Ok((group as usize, lane as usize)),
            None => Err(BatchError::NoSuchMechanism { index, count: self.len() }),
        }
    }

    /// The state of a mechanism.
    ///
    /// # Errors
    /// If there is none of this number; so in all that follows.
    pub fn state(&self, index: usize) -> Result<State, BatchError> {
        let (group, lane) = self.place(index)?;
        Ok(match &self.groups[group] {
            Group::Alone(alone) => alone.sim.state().clone(),
            Group::Lanes(ride) => ride.state(lane),
        })
    }

    /// The same into a state of its model that is at hand. Allocates nothing.
    ///
    /// # Errors
    /// Also if that is a state of another model.
    pub fn copy_state(&self, index: usize, out: &mut State) -> Result<(), BatchError> {
        let (group, lane) = self.place(index)?;
        let (state, side) = match &self.groups[group] {
            Group::Alone(alone) => (alone.sim.state(), None),
            Group::Lanes(ride) => (&ride.riders[lane].state, ride.side.as_ref()),
        };
        if !state.fits(out) {
            return Err(BatchError::Mechanism { index, error: StepError::OtherModel });
        }
        out.copy_from(state);
        if let Some(side) = side {
            side.store(lane, out);
        }
        Ok(())
    }

    /// Puts a mechanism into another state, which is brought onto its joints. A failure is forgotten.
    ///
    /// # Errors
    /// Also if the state belongs to another model or cannot be closed; nothing has changed then.
    pub fn set_state(&mut self, index: usize, state: &State) -> Result<(), BatchError> {
        let (group, lane) = self.place(index)?;
        let named = |error: StepError| BatchError::Mechanism { index, error };
        match &mut self.groups[group] {
            Group::Alone(alone) => {
                let before = alone.sim.state().clone();
                alone.sim.restore(state).map_err(named)?;
                if let Err(error) = alone.sim.assemble() {
                    alone.sim.restore(&before).map_err(named)?;
                    return Err(named(error));
                }
                alone.failure = None;
            }
            Group::Lanes(ride) => {
                let mut sim = ride.simulation(lane).map_err(named)?;
                sim.restore(state).map_err(named)?;
                sim.assemble().map_err(named)?;
                let state = sim.state();
                ride.riders[lane].state.clone_from(state);
                ride.load(lane);
            }
        }
        Ok(())
    }

    /// The model of a mechanism.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn model(&self, index: usize) -> Result<&Arc<Model>, BatchError> {
        let (group, lane) = self.place(index)?;
        Ok(match &self.groups[group] {
            Group::Alone(alone) => alone.sim.model(),
            Group::Lanes(ride) => &ride.riders[lane].model,
        })
    }

    /// The worst errors of a mechanism so far.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn certificate(&self, index: usize) -> Result<Certificate, BatchError> {
        let (group, lane) = self.place(index)?;
        Ok(match &self.groups[group] {
            Group::Alone(alone) => {
                let mut all = alone.sim.certificate();
                all.include(&alone.certificate);
                all
            }
            Group::Lanes(ride) => ride.riders[lane].certificate,
        })
    }

    /// Steps that a mechanism has taken.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn steps_of(&self, index: usize) -> Result<u64, BatchError> {
        let (group, lane) = self.place(index)?;
        Ok(match &self.groups[group] {
            Group::Alone(alone) => alone.steps + (alone.sim.steps() - alone.counted),
            Group::Lanes(ride) => ride.riders[lane].steps,
        })
    }

    /// Why a mechanism stands still, if it does.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn failure(&self, index: usize) -> Result<Option<&StepError>, BatchError> {
        let (group, lane) = self.place(index)?;
        Ok(match &self.groups[group] {
            Group::Alone(alone) => alone.failure.as_ref(),
            Group::Lanes(ride) => ride.riders[lane].failure.as_ref(),
        })
    }

    /// Solves for accelerations and joint loads of all; nothing moves.
    ///
    /// # Errors
    /// Names the first mechanism whose equations have no answer.
    pub fn accelerations(&mut self) -> Result<(), BatchError> {
        let shared = self.shared.as_ref();
        self.threads.each(&mut self.groups, |group| {
            group.sit(shared);
            match group {
                Group::Alone(alone) => alone.failure = alone.sim.accelerations().err(),
                Group::Lanes(ride) => {
                    ride.is_over |= !ride.side.as_mut().is_some_and(|side| side.accelerations());
                    // Nobody has moved: what is kept of shared lanes is the answers.
                    if let (Some(shared), Some(side)) = (shared, ride.side.take_if(|_| shared.is_some())) {
                        side.write_answers(&mut ride.answers);
                        shared.give_back(side);
                    }
                }
            }
        });
        if self.groups.iter().any(|group| matches!(group, Group::Lanes(ride) if ride.is_over)) {
            self.dissolve();
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
    /// Once steps were taken it may be gone.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn acceleration(&self, index: usize, body: usize) -> Result<Option<(Vec3, Vec3)>, BatchError> {
        let (group, lane) = self.place(index)?;
        Ok(match &self.groups[group] {
            Group::Alone(alone) => {
                (body < alone.sim.model().bodies().len()).then(|| alone.sim.last_accelerations().body(body))
            }
            Group::Lanes(ride) => match (&ride.side, &self.shared) {
                (None, Some(shared)) => {
                    let place = shared.structure.place_of(body);
                    place.and_then(|at| ride.answer(lane, at)).map(|[lin, ang, ..]| (lin, ang))
                }
                (side, _) => side.as_ref().and_then(|side| side.acceleration(lane, body)),
            },
        })
    }

    /// The load of a joint by the last [`Batch::accelerations`]; `None` if the model has no such joint. Once steps were taken it may be gone.
    ///
    /// # Errors
    /// As [`Batch::state`].
    pub fn joint_load(&self, index: usize, joint: usize) -> Result<Option<JointLoad>, BatchError> {
        let (group, lane) = self.place(index)?;
        Ok(match &self.groups[group] {
            Group::Alone(alone) => {
                alone.sim.last_accelerations().joint_loads().find(|load| load.joint == joint)
            }
            Group::Lanes(ride) => match (&ride.side, &self.shared) {
                (None, Some(shared)) => {
                    let place = shared.structure.place_of_joint(joint);
                    place.and_then(|(at, body)| {
                        let [.., force, torque] = ride.answer(lane, at)?;
                        Some(JointLoad { joint, body, wrench: Wrench { force, torque } })
                    })
                }
                (side, _) => side.as_ref().and_then(|side| side.joint_load(lane, joint)),
            },
        })
    }
}

impl Group {
    fn step(&mut self, h: f64) {
        match self {
            Group::Alone(alone) => alone.step(h),
            Group::Lanes(ride) => ride.step(h),
        }
    }
    /// Answers are those of where they were.
    fn forget(&mut self) {
        if let Group::Lanes(ride) = self {
            ride.answers.clear();
        }
    }
    /// Takes shared lanes.
    fn sit(&mut self, shared: Option<&Shared>) {
        if let (Group::Lanes(ride), Some(shared)) = (self, shared)
            && ride.side.is_none()
        {
            ride.side = shared.take();
            ride.load_all();
        }
    }
    /// Gives them back.
    fn rise(&mut self, shared: Option<&Shared>) {
        if let (Group::Lanes(ride), Some(shared)) = (self, shared)
            && let Some(side) = ride.side.take()
        {
            for (lane, rider) in ride.riders.iter_mut().enumerate() {
                side.store(lane, &mut rider.state);
            }
            shared.give_back(side);
        }
    }
}

impl Alone {
    fn new(sim: Simulation) -> Self {
        Alone { sim, steps: 0, counted: 0, certificate: Certificate::default(), failure: None }
    }
    fn step(&mut self, h: f64) {
        if self.failure.is_none() {
            self.failure = self.sim.step(h).err();
        }
    }
}

impl Ride {
    /// What was solved for at a place, if it was kept: v̇ and ω̇, force and torque.
    fn answer(&self, lane: usize, at: usize) -> Option<[Vec3; 4]> {
        let all = self.answers.get(12 * at..12 * at + 12)?;
        Some(std::array::from_fn(|k| Vec3::new(all[3 * k][lane], all[3 * k + 1][lane], all[3 * k + 2][lane])))
    }

    fn state(&self, lane: usize) -> State {
        let mut state = self.riders[lane].state.clone();
        if let Some(side) = &self.side {
            side.store(lane, &mut state);
        }
        state
    }

    /// A simulation of one rider, where it is now.
    fn simulation(&mut self, lane: usize) -> Result<Box<Simulation>, StepError> {
        let state = self.state(lane);
        let rider = &mut self.riders[lane];
        let mut sim = match rider.spare.take() {
            Some(sim) => sim,
            None => Box::new(Simulation::with_settings(rider.model.clone(), self.settings)?),
        };
        sim.restore(&state)?;
        Ok(sim)
    }

    /// A step of one rider alone: its state after it.
    fn step_of(&mut self, lane: usize, h: f64) -> Result<(State, StepReport), StepError> {
        let mut sim = self.simulation(lane)?;
        let report = sim.step(h)?;
        let state = sim.state().clone();
        self.riders[lane].spare = Some(sim);
        Ok((state, report))
    }

    /// Puts a rider's state into its lane, and into those that repeat it.
    fn load(&mut self, lane: usize) {
        let last = self.riders.len() - 1;
        let Some(side) = &mut self.side else { return };
        for at in lane..if lane == last { FOUR } else { lane + 1 } {
            side.load(at, &self.riders[lane].state);
        }
    }

    fn load_all(&mut self) {
        (0..self.riders.len()).for_each(|lane| self.load(lane));
    }

    fn step(&mut self, h: f64) {
        let semi_implicit = self.settings.integrator == Integrator::SemiImplicitEuler;
        let taken = match &mut self.side {
            Some(side) if !self.is_over => side.step(h, semi_implicit),
            _ => return self.step_apart(h),
        };
        if taken[..self.riders.len()].iter().any(|taken| taken.is_odd) {
            return self.step_with_odd(h, &taken);
        }
        if let Some(side) = &mut self.side {
            side.accept();
        }
        for (rider, taken) in self.riders.iter_mut().zip(&taken) {
            rider.odd_in_a_row = 0;
            rider.note(h, taken);
        }
    }

    /// Goes on with a step in which some are odd.
    #[cold]
    fn step_with_odd(&mut self, h: f64, taken: &[Taken; FOUR]) {
        // Those that must go alone do so from where they are.
        let mut alone = [const { None }; FOUR];
        for lane in 0..self.riders.len() {
            let rider = &mut self.riders[lane];
            rider.odd_in_a_row = if taken[lane].is_odd { rider.odd_in_a_row + 1 } else { 0 };
            if taken[lane].is_odd {
                alone[lane] = Some(self.step_of(lane, h));
            }
        }
        let failed = alone.iter().any(|outcome| matches!(outcome, Some(Err(_))));
        if failed {
            // Nobody has moved yet: they part here.
            self.is_over = true;
            return self.step_apart(h);
        }
        if let Some(side) = &mut self.side {
            side.accept();
        }
        for (lane, outcome) in alone.into_iter().enumerate().take(self.riders.len()) {
            let rider = &mut self.riders[lane];
            match outcome {
                Some(Ok((state, report))) => {
                    rider.state = state;
                    rider.certificate.note(&report);
                    rider.steps += report.steps;
                    self.is_over |= rider.odd_in_a_row >= ODD_TOO_OFTEN;
                    self.load(lane);
                }
                _ => rider.note(h, &taken[lane]),
            }
        }
    }

    /// One by one, until the group is taken apart.
    fn step_apart(&mut self, h: f64) {
        for lane in 0..self.riders.len() {
            if self.riders[lane].failure.is_some() {
                continue;
            }
            let outcome = self.step_of(lane, h);
            let rider = &mut self.riders[lane];
            match outcome {
                Err(error) => rider.failure = Some(error),
                Ok((state, report)) => {
                    rider.state = state;
                    rider.certificate.note(&report);
                    rider.steps += report.steps;
                    self.load(lane);
                }
            }
        }
    }

    /// Everyone alone from now on.
    fn part(&mut self) -> impl Iterator<Item = Alone> + use<> {
        let sims: Vec<_> = (0..self.riders.len()).map(|lane| self.simulation(lane)).collect();
        let riders = core::mem::take(&mut self.riders);
        // A model that has once been set up can be set up again.
        riders.into_iter().zip(sims).filter_map(|(rider, sim)| {
            let sim = *sim.ok()?;
            Some(Alone {
                steps: rider.steps,
                counted: sim.steps(),
                sim,
                certificate: rider.certificate,
                failure: rider.failure,
            })
        })
    }
}
