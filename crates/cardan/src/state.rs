//! The state: everything that changes in a run. A clone is a snapshot.

use crate::bytes::{Reader, SaveError, SaveKind, Writer};
use crate::joint_space::Commands;
use crate::math::Vec3;
use crate::model::{Model, ModelBody, ModelConstraint, ModelInequality, ModelJoint};
use crate::step::ActiveContact;

/// Adds a step to a time and its rounding remainder (Kahan summation).
pub(crate) fn add_time((time, rest): (f64, f64), h: f64) -> (f64, f64) {
    let step = h + rest;
    let sum = time + step;
    (sum, step - (sum - time))
}

/// Marks an entry of [`State::plan`] as decided.
pub(crate) const PLANNED: u8 = 0x80;

/// Everything that a run changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Time \[s\].
    pub time: f64,
    /// Remainder of the sum of all steps beyond `time`, so that the rounding of a million steps
    /// does not add up.
    pub(crate) time_remainder: f64,
    /// Coordinates of all bodies, in id order.
    pub(crate) q: Vec<f64>,
    /// Velocities of all bodies, in id order.
    pub(crate) v: Vec<f64>,
    /// Angles of turn-counting joint coordinates, unwrapped.
    pub(crate) turns: Vec<f64>,
    /// ∫ and ∫∫ of driving laws that have no closed form, from zero to `sums_time`.
    pub(crate) sums: Vec<[f64; 2]>,
    pub(crate) sums_time: f64,
    /// Joint coordinates, laid out like `q`, if the integrator uses joint coordinates
    /// (`step/dynamics/joint_coordinates/`); empty if they have to be computed from the poses.
    pub(crate) joint_q: Vec<f64>,
    /// Rates of the joint coordinates, laid out like `v`.
    pub(crate) joint_v: Vec<f64>,
    /// The rank plan: which rows are kept. A byte per joint (one bit per row, and [`PLANNED`]), on
    /// the articulated path of loop-closure joints; then a byte per row of user constraints. Zero
    /// where nothing is decided. The plan affects the bits of results, so it is part of the state.
    pub(crate) plan: Vec<u8>,
    /// Active inequalities and contacts, in their order.
    pub(crate) held: Vec<ActiveContact>,
    /// Number of timed impulses of the model that have been applied.
    pub(crate) impulses_applied: usize,
    /// Hash of the structure of its model.
    structure: u64,
    /// True once projected onto the constraints and not changed from outside since.
    pub(crate) assembled: bool,
    /// At rest in statics, while time does not pass: laws have their values, and their rates count
    /// as zero. A step ends it.
    pub(crate) still: bool,
    /// Memory of the step-size control of an adaptive integrator.
    pub(crate) step_size_memory: StepSizeMemory,
    /// What a controller has set: efforts, targets of servos, wrenches.
    pub(crate) commands: Option<Box<Commands>>,
    /// Energy and momentum exchanged since the start.
    pub ledger: Ledger,
}

/// The memory of step-size control.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct StepSizeMemory {
    /// The step size to try next \[s\]; zero before the first step.
    pub(crate) size: f64,
    /// Error of the last step relative to the tolerance.
    pub(crate) error: f64,
}

impl Default for StepSizeMemory {
    fn default() -> Self {
        StepSizeMemory { size: 0.0, error: 1e-4 }
    }
}

/// Energy and momentum that the mechanism has exchanged since the start.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Work of forces without a potential \[J\].
    pub work: f64,
    /// Energy turned into heat \[J\].
    pub dissipated: f64,
    /// Energy that the implicit rule of joint efforts takes \[J\]: an error of the step, not heat.
    pub integration_loss: f64,
    /// Impulse of all external forces: gravity, forces, reactions of the ground \[N·s\].
    pub impulse: Vec3,
    /// Its moment about the world's origin \[N·m·s\].
    pub angular_impulse: Vec3,
}

impl Ledger {
    /// This ledger, and what is booked in another one.
    pub(crate) fn with(&self, more: &Ledger) -> Ledger {
        Ledger {
            work: self.work + more.work,
            dissipated: self.dissipated + more.dissipated,
            integration_loss: self.integration_loss + more.integration_loss,
            impulse: self.impulse + more.impulse,
            angular_impulse: self.angular_impulse + more.angular_impulse,
        }
    }
    pub(crate) fn write(&self, out: &mut Writer) {
        out.number(self.work);
        out.number(self.dissipated);
        out.number(self.integration_loss);
        out.vector(self.impulse);
        out.vector(self.angular_impulse);
    }
    pub(crate) fn read(input: &mut Reader<'_>) -> Result<Self, SaveError> {
        Ok(Ledger {
            work: input.number()?,
            dissipated: input.number()?,
            integration_loss: input.number()?,
            impulse: input.vector()?,
            angular_impulse: input.vector()?,
        })
    }
}

impl State {
    pub(crate) fn zeros(q: usize, v: usize, turns: usize, sums: usize, plan: usize) -> Self {
        State {
            time: 0.0,
            time_remainder: 0.0,
            q: vec![0.0; q],
            v: vec![0.0; v],
            turns: vec![0.0; turns],
            sums: vec![[0.0; 2]; sums],
            sums_time: 0.0,
            joint_q: Vec::new(),
            joint_v: Vec::new(),
            plan: vec![0; plan],
            held: Vec::new(),
            impulses_applied: 0,
            structure: 0,
            assembled: false,
            still: false,
            step_size_memory: StepSizeMemory::default(),
            commands: None,
            ledger: Ledger::default(),
        }
    }

    /// Copies without allocating (except the first time, and except for joint coordinates); both
    /// states must belong to the same model.
    pub(crate) fn copy_from(&mut self, other: &State) {
        self.q.clone_from(&other.q);
        self.v.clone_from(&other.v);
        self.copy_rest_from(other);
    }

    /// Copies everything but poses and velocities.
    pub(crate) fn copy_rest_from(&mut self, other: &State) {
        self.turns.copy_from_slice(&other.turns);
        self.joint_q.clone_from(&other.joint_q);
        self.joint_v.clone_from(&other.joint_v);
        self.copy_few_from(other);
    }

    /// Copies everything but coordinates and velocities of any kind.
    pub(crate) fn copy_few_from(&mut self, other: &State) {
        self.time = other.time;
        self.time_remainder = other.time_remainder;
        self.sums.copy_from_slice(&other.sums);
        self.sums_time = other.sums_time;
        self.plan.copy_from_slice(&other.plan);
        self.held.clone_from(&other.held);
        self.impulses_applied = other.impulses_applied;
        self.structure = other.structure;
        self.assembled = other.assembled;
        self.still = other.still;
        self.step_size_memory = other.step_size_memory;
        self.commands.clone_from(&other.commands);
        self.ledger = other.ledger;
    }

    /// Frees the memory of poses and velocities, which are undefined until the next copy.
    pub(crate) fn release(&mut self) {
        (self.q, self.v) = (Vec::new(), Vec::new());
    }
    /// Whether another state is bitwise equal.
    pub(crate) fn is_same(&self, other: &State) -> bool {
        let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
        let lists = |s: &State| [s.q.len(), s.v.len(), s.turns.len(), s.joint_q.len(), s.joint_v.len()];
        lists(self) == lists(other)
            && same(&self.q, &other.q)
            && same(&self.v, &other.v)
            && same(&self.turns, &other.turns)
            && same(&self.joint_q, &other.joint_q)
            && same(&self.joint_v, &other.joint_v)
            && self == other
    }

    /// Whether joint coordinates are known.
    pub(crate) fn has_joints(&self) -> bool {
        !self.joint_q.is_empty()
    }
    /// Discards joint coordinates, so that the poses define the state.
    pub(crate) fn forget_joints(&mut self) {
        self.joint_q.clear();
        self.joint_v.clear();
    }
    /// Exchanges poses and joint coordinates.
    pub(crate) fn exchange_joints(&mut self) {
        core::mem::swap(&mut self.q, &mut self.joint_q);
        core::mem::swap(&mut self.v, &mut self.joint_v);
    }

    /// Whether another state belongs to a model of the same structure.
    pub(crate) fn fits(&self, other: &State) -> bool {
        // The hash tells structures apart; the sizes prevent an access beyond an array even in a
        // collision.
        let sizes =
            |s: &State| (s.structure, s.q.len(), s.v.len(), s.turns.len(), s.sums.len(), s.plan.len());
        sizes(self) == sizes(other)
    }

    /// Notes the structure of the model: kinds of bodies and joints, and what these connect, in
    /// order.
    pub(crate) fn belong_to(
        &mut self,
        bodies: &[ModelBody],
        joints: &[ModelJoint],
        constraints: &[ModelConstraint],
        inequalities: &[ModelInequality],
    ) {
        let mut hash = Fnv::default();
        // The ground is zero.
        let end = |body: Option<usize>| body.map_or(0, |i| i as u64 + 1);
        bodies.iter().for_each(|body| hash.word(body.kind.name()));
        for joint in joints {
            hash.word(joint.kind.name());
            hash.bits(end(joint.a.body()));
            hash.bits(end(joint.b.body()));
        }
        for constraint in constraints {
            hash.word("constraint");
            hash.bits(constraint.rows as u64);
            constraint.frames.iter().for_each(|frame| hash.bits(end(frame.body())));
        }
        for inequality in inequalities {
            hash.word("inequality");
            inequality.frames.iter().for_each(|frame| hash.bits(end(frame.body())));
        }
        self.structure = hash.0;
    }

    /// Adds `h` to the time (Kahan summation).
    pub(crate) fn advance_time(&mut self, h: f64) {
        (self.time, self.time_remainder) = add_time((self.time, self.time_remainder), h);
    }

    /// Coordinates of all bodies, in id order \[m, rad; quaternions as w, x, y, z\].
    pub fn coordinates(&self) -> &[f64] {
        &self.q
    }
    /// Velocities of all bodies, in id order, world axes \[m/s, rad/s\].
    pub fn velocities(&self) -> &[f64] {
        &self.v
    }

    /// Commanded efforts in joint order \[N, N·m\], followed by those of joints that close loops, in id order; empty if no
    /// effort was ever set.
    pub fn efforts(&self) -> &[f64] {
        self.commands.as_ref().map_or(&[], |commands| commands.efforts())
    }
    /// Whether a controller has set anything.
    pub fn has_commands(&self) -> bool {
        self.commands.is_some()
    }

    /// Velocities of all bodies, mutable, in id order, world axes \[m/s, rad/s\].
    pub fn velocities_mut(&mut self) -> &mut [f64] {
        (self.assembled, self.still) = (false, false);
        self.forget_joints();
        &mut self.v
    }
    /// Moves every body by a displacement in velocity space (one entry per freedom, in id order
    /// \[m, rad\]), along the manifold of orientations.
    pub fn displace(&mut self, model: &Model, shift: &[f64]) {
        self.assembled = false;
        self.forget_joints();
        self.plan.fill(0);
        for body in &model.bodies {
            let range = body.q_range();
            let (mut plain, mut general) = ([0.0; crate::body::MAX_COORDINATES], Vec::new());
            let moved = if body.general.is_some() {
                general.resize(range.len(), 0.0);
                &mut general[..]
            } else {
                &mut plain[..range.len()]
            };
            body.kind.advance(&self.q[range.clone()], &shift[body.v_range()], moved);
            self.q[range].copy_from_slice(moved);
        }
    }

    /// The state as bytes, from which a run continues bitwise equal.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(SaveKind::State);
        self.write(&mut out);
        out.finish()
    }

    /// A state of a model from bytes.
    ///
    /// # Errors
    /// If the bytes are damaged, of another version, or belong to a model of another structure.
    pub fn from_bytes(model: &Model, bytes: &[u8]) -> Result<State, SaveError> {
        let mut input = Reader::new(bytes, SaveKind::State)?;
        let state = State::read(model, &mut input)?;
        input.finish()?;
        Ok(state)
    }

    pub(crate) fn write(&self, out: &mut Writer) {
        out.long(self.structure);
        for x in [
            self.time,
            self.time_remainder,
            self.sums_time,
            self.step_size_memory.size,
            self.step_size_memory.error,
        ] {
            out.number(x);
        }
        out.long(self.impulses_applied as u64);
        out.flag(self.assembled);
        out.flag(self.still);
        for list in [&self.q, &self.v, &self.turns, &self.joint_q, &self.joint_v] {
            out.numbers(list);
        }
        out.numbers(self.sums.as_flattened());
        out.long(self.plan.len() as u64);
        self.plan.iter().for_each(|byte| out.byte(*byte));
        self.ledger.write(out);
        out.long(self.held.len() as u64);
        self.held.iter().for_each(|held| held.write(out));
        Commands::write(self.commands.as_deref(), out);
    }

    pub(crate) fn read(model: &Model, input: &mut Reader<'_>) -> Result<State, SaveError> {
        let mut state = State { structure: input.long()?, ..State::default() };
        state.time = input.number()?;
        state.time_remainder = input.number()?;
        state.sums_time = input.number()?;
        state.step_size_memory = StepSizeMemory { size: input.number()?, error: input.number()? };
        state.impulses_applied = input.long()? as usize;
        state.assembled = input.flag()?;
        state.still = input.flag()?;
        state.q = input.numbers()?;
        state.v = input.numbers()?;
        state.turns = input.numbers()?;
        state.joint_q = input.numbers()?;
        state.joint_v = input.numbers()?;
        let sums = input.numbers()?;
        state.sums = sums.as_chunks().0.to_vec();
        state.plan = (0..input.count(1)?).map(|_| input.byte()).collect::<Result<_, _>>()?;
        state.ledger = Ledger::read(input)?;
        state.held = (0..input.count(1)?).map(|_| ActiveContact::read(input)).collect::<Result<_, _>>()?;
        state.held.sort_by_key(|held| held.key);
        state.commands = Commands::read(model, input)?;
        let initial = model.initial_state();
        let coordinates = [(&state.joint_q, initial.q.len()), (&state.joint_v, initial.v.len())];
        let fits = coordinates.into_iter().all(|(list, len)| list.is_empty() || list.len() == len);
        if !initial.fits(&state) || !fits || !state.held.iter().all(|held| held.key.is_in(model)) {
            let why = "its bodies or joints are others, or connected otherwise".to_string();
            return Err(SaveError::Other { why });
        }
        Ok(state)
    }

    pub(crate) fn bytes(&self) -> usize {
        let all = [&self.q, &self.v, &self.turns, &self.joint_q, &self.joint_v];
        let numbers: usize = all.iter().map(|numbers| numbers.capacity()).sum();
        let commands = self.commands.as_ref().map_or(0, |commands| size_of::<Commands>() + commands.bytes());
        commands + (numbers + 2 * self.sums.capacity()) * size_of::<f64>() + self.plan.capacity()
    }

    /// FNV-1a, 64 bits, over the little-endian bits of the time and of every body's coordinates and
    /// velocities in id order; −0 counts as 0.
    pub fn hash(&self, model: &Model) -> u64 {
        let mut hash = Fnv::default();
        hash.number(self.time);
        for body in &model.bodies {
            self.q[body.q_range()].iter().chain(&self.v[body.v_range()]).for_each(|&x| hash.number(x));
        }
        hash.0
    }
}

/// FNV-1a, 64 bits.
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(crate) fn value(&self) -> u64 {
        self.0
    }

    pub(crate) fn number(&mut self, x: f64) {
        self.bits(if x == 0.0 { 0 } else { x.to_bits() });
    }

    /// Adds a text and its end.
    pub(crate) fn word(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.byte(byte);
        }
    }

    pub(crate) fn bits(&mut self, bits: u64) {
        bits.to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
}
