//! Groups of a batch: mechanisms that fill the lanes of a SIMD number, and those that are stepped alone.

use super::GROUP_SIZE;
use crate::math::Vec3;
use crate::measure::{Certificate, JointLoad};
use crate::model::Model;
use crate::simulation::Simulation;
use crate::state::State;
use crate::step::{Integrator, MechanismLanes, Settings, StepError, StepReport, TreeStructure};
use cardan_solve::simd::{Mask, Simd, Simd4Task, run_simd4};
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

/// After this many steps alone in sequence a mechanism leaves its group.
pub(super) const MAX_FALLBACKS_IN_A_ROW: u32 = 8;

/// Lanes that groups of one model take in turns.
#[derive(Debug)]
pub(super) struct SharedLanes {
    pub(super) structure: TreeStructure,
    pub(super) model: Arc<Model>,
    pub(super) free: Mutex<Vec<Box<dyn AnyLanes>>>,
}

impl SharedLanes {
    pub(super) fn take(&self) -> Option<Box<dyn AnyLanes>> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.or_else(|| run_simd4(MakeLanes(&self.structure, &[&self.model])))
    }
    pub(super) fn give_back(&self, lanes: Box<dyn AnyLanes>) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(lanes);
    }
}

#[derive(Debug)]
pub(super) enum BatchGroup {
    Lanes(Box<LaneGroup>),
    Single(Box<SingleMechanism>),
}

/// A mechanism that is a simulation of its own.
#[derive(Debug)]
pub(super) struct SingleMechanism {
    pub(super) sim: Simulation,
    /// Steps and errors from before it was alone.
    pub(super) steps: u64,
    /// What its simulation had counted by then.
    pub(super) counted: u64,
    pub(super) certificate: Certificate,
    pub(super) failure: Option<StepError>,
}

/// Up to four mechanisms in lanes.
#[derive(Debug)]
pub(super) struct LaneGroup {
    pub(super) members: Vec<LaneMember>,
    /// Their lanes; `None` between steps if lanes are shared.
    pub(super) lanes: Option<Box<dyn AnyLanes>>,
    /// What was solved for in lanes that are shared, place by place: v̇ and the load of its joint, until the
    /// next step.
    pub(super) answers: Vec<[f64; GROUP_SIZE]>,
    /// Accelerations were last solved for by the simulations of the members, such as with a limit that is
    /// touched; and the first member whose equations had no solution then.
    pub(super) is_solved_alone: bool,
    pub(super) unsolved: Option<(usize, StepError)>,
    pub(super) settings: Settings,
    /// A mechanism has failed, or needed steps alone too often: from now on all are stepped alone.
    pub(super) has_ended: bool,
}

#[derive(Debug)]
pub(super) struct LaneMember {
    pub(super) model: Arc<Model>,
    /// Time is that of now; the rest is in the lane, if there is one.
    pub(super) state: State,
    pub(super) certificate: Certificate,
    pub(super) steps: u64,
    pub(super) fallbacks_in_a_row: u32,
    pub(super) failure: Option<StepError>,
    /// For steps that it takes alone, once there was one.
    pub(super) spare: Option<Box<Simulation>>,
}

impl LaneMember {
    /// Takes a step in its lane into account.
    pub(super) fn note(&mut self, h: f64, taken: &MemberOutcome) {
        self.state.advance_time(h);
        self.steps += 1;
        if !self.certificate.accounts.is_every_step() {
            return;
        }
        self.certificate.note(&StepReport {
            position_error: taken.position_error,
            velocity_error: taken.velocity_error,
            equation_residual: taken.equation_residual,
            steps: 1,
            ..StepReport::default()
        });
    }
    /// Takes a step that it went alone into account.
    pub(super) fn note_single(&mut self, state: State, report: &StepReport) {
        self.state = state;
        self.steps += report.steps;
        if self.certificate.accounts.is_every_step() {
            self.certificate.note(report);
        }
    }
}

/// Lanes of any SIMD number type.
pub(super) trait AnyLanes: Debug + Send + Sync {
    fn load(&mut self, lane: usize, state: &State);
    fn store(&self, lane: usize, state: &mut State);
    fn step(&mut self, h: f64, semi_implicit: bool) -> [MemberOutcome; GROUP_SIZE];
    fn accept(&mut self);
    /// Prepares the efforts of a lane for the commands of a state and a time \[s\]; false if it cannot take
    /// the commands.
    fn prepare(&mut self, lane: usize, model: &Model, state: &State, time: f64) -> bool;
    fn accelerations(&mut self) -> bool;
    fn write_answers(&self, out: &mut Vec<[f64; GROUP_SIZE]>);
    fn acceleration(&self, lane: usize, body: usize) -> Option<(Vec3, Vec3)>;
    fn joint_load(&self, lane: usize, joint: usize) -> Option<JointLoad>;
}

/// What came of a step in one lane.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct MemberOutcome {
    pub(super) needs_fallback: bool,
    pub(super) position_error: f64,
    pub(super) velocity_error: f64,
    pub(super) equation_residual: f64,
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
            needs_fallback: taken.fallback.lane(i) || taken.at_limits.lane(i),
            position_error: taken.position_error.lane(i),
            velocity_error: taken.velocity_error.lane(i),
            equation_residual: taken.equation_residual.lane(i),
        })
    }
    fn accept(&mut self) {
        MechanismLanes::accept(self);
    }
    fn prepare(&mut self, lane: usize, model: &Model, state: &State, time: f64) -> bool {
        MechanismLanes::prepare(self, lane, model, state, time)
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
pub(super) struct MakeLanes<'m>(pub(super) &'m TreeStructure, pub(super) &'m [&'m Model]);

impl Simd4Task for MakeLanes<'_> {
    type Output = Option<Box<dyn AnyLanes>>;
    fn run<T: Simd>(self) -> Self::Output {
        MechanismLanes::<T>::new(self.0, self.1).map(|lanes| Box::new(lanes) as Box<dyn AnyLanes>)
    }
}

impl BatchGroup {
    pub(super) fn step(&mut self, h: f64) {
        match self {
            BatchGroup::Single(single) => single.step(h),
            BatchGroup::Lanes(lane_group) => lane_group.step(h),
        }
    }
    /// Commands efforts in joint order, and targets with their rates in the order of servos, whose numbers
    /// were checked.
    pub(super) fn write_commands(
        &mut self,
        lane: usize,
        efforts: Option<&[f64]>,
        targets: Option<(&[f64], Option<&[f64]>)>,
    ) {
        let targets = targets.filter(|(values, _)| !values.is_empty());
        if efforts.is_none() && targets.is_none() {
            return;
        }
        let (model, state) = match self {
            BatchGroup::Single(single) => single.sim.model_and_state(),
            BatchGroup::Lanes(lane_group) => {
                let LaneMember { model, state, .. } = &mut lane_group.members[lane];
                (&*model, state)
            }
        };
        let commands = state.commands.get_or_insert_default();
        if let Some(efforts) = efforts {
            commands.efforts_mut(model)[..efforts.len()].copy_from_slice(efforts);
        }
        if let Some((values, rates)) = targets {
            commands.write_targets(model, values, rates);
        }
    }
    /// Answers are those of where they were.
    pub(super) fn clear_answers(&mut self) {
        if let BatchGroup::Lanes(lane_group) = self {
            lane_group.answers.clear();
            lane_group.is_solved_alone = false;
        }
    }
    /// Takes shared lanes.
    pub(super) fn take_lanes(&mut self, shared: Option<&SharedLanes>) {
        if let (BatchGroup::Lanes(lane_group), Some(shared)) = (self, shared)
            && lane_group.lanes.is_none()
        {
            lane_group.lanes = shared.take();
            lane_group.load_all();
        }
    }
    /// Gives them back.
    pub(super) fn return_lanes(&mut self, shared: Option<&SharedLanes>) {
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
    pub(super) fn new(sim: Simulation) -> Self {
        let sim = sim.without_measures();
        SingleMechanism { sim, steps: 0, counted: 0, certificate: Certificate::default(), failure: None }
    }
    pub(super) fn step(&mut self, h: f64) {
        if self.failure.is_none() {
            self.failure = self.sim.step(h).err();
        }
    }
}

impl LaneGroup {
    /// What was solved for at a place, if it was kept: v̇ and ω̇, force and torque.
    pub(super) fn answer(&self, lane: usize, at: usize) -> Option<[Vec3; 4]> {
        let all = self.answers.get(12 * at..12 * at + 12)?;
        Some(std::array::from_fn(|k| Vec3::new(all[3 * k][lane], all[3 * k + 1][lane], all[3 * k + 2][lane])))
    }

    pub(super) fn state(&self, lane: usize) -> State {
        let mut state = self.members[lane].state.clone();
        if let Some(lanes) = &self.lanes {
            lanes.store(lane, &mut state);
        }
        state
    }

    /// A simulation of one mechanism in its present state.
    pub(super) fn simulation(&mut self, lane: usize) -> Result<Box<Simulation>, StepError> {
        let state = self.state(lane);
        let member = &mut self.members[lane];
        let mut sim = match member.spare.take() {
            Some(sim) => sim,
            None => {
                Box::new(Simulation::with_settings(member.model.clone(), self.settings)?.without_measures())
            }
        };
        sim.restore(&state)?;
        Ok(sim)
    }

    /// Solves for accelerations and joint loads: in lanes, or alone in this call if a member cannot go in
    /// them. Of lanes that are `shared` the solutions are kept.
    pub(super) fn accelerations(&mut self, shared: Option<&SharedLanes>) {
        let fits = self.prepare(0.0);
        self.answers.clear();
        (self.is_solved_alone, self.unsolved) = (false, None);
        let is_solved =
            !fits.contains(&false) && self.lanes.as_mut().is_some_and(|lanes| lanes.accelerations());
        if !is_solved {
            self.is_solved_alone = true;
            for lane in 0..self.members.len() {
                let outcome = self.simulation(lane).and_then(|mut sim| {
                    sim.accelerations()?;
                    self.members[lane].spare = Some(sim);
                    Ok(())
                });
                if let (Err(error), None) = (outcome, &self.unsolved) {
                    self.unsolved = Some((lane, error));
                }
            }
        }
        if let (Some(shared), Some(lanes)) = (shared, self.lanes.take_if(|_| shared.is_some())) {
            if is_solved {
                lanes.write_answers(&mut self.answers);
            }
            shared.give_back(lanes);
        }
    }

    /// The simulation that last solved for the accelerations of a member alone.
    pub(super) fn solved_alone(&self, lane: usize) -> Option<&Simulation> {
        self.members[lane].spare.as_deref().filter(|_| self.is_solved_alone)
    }

    /// A step of one mechanism alone: its state after it.
    pub(super) fn step_member(&mut self, lane: usize, h: f64) -> Result<(State, StepReport), StepError> {
        let mut sim = self.simulation(lane)?;
        let report = sim.step(h)?;
        let state = sim.state().clone();
        self.members[lane].spare = Some(sim);
        Ok((state, report))
    }

    /// Writes the state of a mechanism into its lane, and into unused lanes that repeat it.
    pub(super) fn load(&mut self, lane: usize) {
        let last = self.members.len() - 1;
        let Some(lanes) = &mut self.lanes else { return };
        for at in lane..if lane == last { GROUP_SIZE } else { lane + 1 } {
            lanes.load(at, &self.members[lane].state);
        }
    }

    /// Prepares efforts for the commands of all states and for times `ahead` of theirs \[s\]. Returns which
    /// lanes can take their commands.
    pub(super) fn prepare(&mut self, ahead: f64) -> [bool; GROUP_SIZE] {
        let Some(lanes) = &mut self.lanes else { return [true; GROUP_SIZE] };
        std::array::from_fn(|lane| {
            let member = &self.members[lane.min(self.members.len() - 1)];
            lanes.prepare(lane, &member.model, &member.state, member.state.time + ahead)
        })
    }

    pub(super) fn load_all(&mut self) {
        (0..self.members.len()).for_each(|lane| self.load(lane));
    }

    pub(super) fn step(&mut self, h: f64) {
        let semi_implicit = self.settings.integrator == Integrator::SemiImplicitEuler;
        let fits = self.prepare(h);
        let mut taken = match &mut self.lanes {
            Some(lanes) if !self.has_ended => lanes.step(h, semi_implicit),
            _ => return self.step_one_by_one(h),
        };
        // Active limits and commands that lanes do not know belong to the scalar path.
        for (taken, fits) in taken.iter_mut().zip(fits) {
            taken.needs_fallback |= !fits;
        }
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

    /// Completes a step in which some mechanisms need a step alone.
    #[cold]
    pub(super) fn step_with_fallbacks(&mut self, h: f64, taken: &[MemberOutcome; GROUP_SIZE]) {
        // Those that must go alone do so from where they are.
        let mut single = [const { None }; GROUP_SIZE];
        for lane in 0..self.members.len() {
            let member = &mut self.members[lane];
            let is_held = !member.state.held.is_empty();
            member.fallbacks_in_a_row = match taken[lane].needs_fallback {
                true => member.fallbacks_in_a_row + u32::from(!is_held),
                false => 0,
            };
            if taken[lane].needs_fallback {
                single[lane] = Some(self.step_member(lane, h));
            }
        }
        let failed = single.iter().any(|outcome| matches!(outcome, Some(Err(_))));
        if failed {
            // No mechanism has moved yet: the group is dissolved here.
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
                    member.note_single(state, &report);
                    self.has_ended |= member.fallbacks_in_a_row >= MAX_FALLBACKS_IN_A_ROW;
                    self.load(lane);
                }
                _ => member.note(h, &taken[lane]),
            }
        }
    }

    /// One by one, until the group is taken apart.
    pub(super) fn step_one_by_one(&mut self, h: f64) {
        for lane in 0..self.members.len() {
            if self.members[lane].failure.is_some() {
                continue;
            }
            let outcome = self.step_member(lane, h);
            let member = &mut self.members[lane];
            match outcome {
                Err(error) => member.failure = Some(error),
                Ok((state, report)) => {
                    member.note_single(state, &report);
                    self.load(lane);
                }
            }
        }
    }

    /// Steps every mechanism alone from now on.
    pub(super) fn take_singles(&mut self) -> impl Iterator<Item = SingleMechanism> + use<> {
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
