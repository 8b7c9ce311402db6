//! Worlds as bytes: states, switches and memory of the parts, without their descriptions. Bytes are for a world with the same parts, made in
//! the same way; a fingerprint of the descriptions verifies it.

use super::fingerprint::Fingerprint;
use super::group::groups;
use super::island::Island;
use super::parts::{JointMemory, Members};
use super::{Account, Sleep, World, WorldError};
use crate::bytes::{Reader, SaveError, SaveKind, Writer};
use crate::force::Gravity;
use crate::measure::Certificate;
use crate::state::{Ledger, State};
use crate::step::{Accounts, WorkCounts};

impl World {
    /// The present state as bytes.
    ///
    /// # Errors
    /// If parts cannot be assembled, see [`World::assemble`].
    pub fn to_bytes(&mut self) -> Result<Vec<u8>, WorldError> {
        self.assemble()?;
        let mut active_conditions = Vec::new();
        for island in &self.islands {
            island.write_back(&mut self.parts, &mut active_conditions);
        }
        let mut out = Writer::new(SaveKind::World);
        out.long(self.fingerprint());
        out.number(self.time);
        out.number(self.time_remainder);
        out.long(self.steps);
        out.vector(self.parts.gravity.0);
        out.flag(self.sleep.is_some());
        let Sleep { speed, after } = self.sleep.unwrap_or_default();
        out.number(speed);
        out.number(after);
        self.account_now().write(&mut out);
        let parts = &self.parts;
        for (_, entry) in parts.bodies.iter() {
            out.flag(entry.enabled);
            out.numbers(&entry.part.q);
            out.numbers(&entry.part.v);
        }
        for (_, entry) in parts.joints.iter() {
            out.flag(entry.enabled);
            write_memory(entry.part.memory.as_ref(), &mut out);
        }
        for (_, entry) in parts.constraints.iter() {
            out.flag(entry.enabled);
            out.numbers(&entry.part.coupler_offsets);
        }
        parts.inequalities.iter().for_each(|(_, entry)| out.flag(entry.enabled));
        parts.shapes.iter().for_each(|(_, entry)| out.flag(entry.enabled));
        parts.forces.iter().for_each(|(_, entry)| out.flag(entry.enabled));
        parts.probes.iter().for_each(|(_, entry)| out.flag(entry.enabled));
        for (_, entry) in parts.impulses.iter() {
            out.flag(entry.enabled);
            out.flag(entry.part.applied);
        }
        out.long(self.proximity.pairs.len() as u64);
        for (a, b) in &self.proximity.pairs {
            out.word(*a);
            out.word(*b);
        }
        out.long(self.islands.len() as u64);
        for island in &self.islands {
            for list in lists(&island.members) {
                out.words(list);
            }
            out.number(island.rested);
            out.flag(island.asleep);
            island.sim.state().write(&mut out);
        }
        Ok(out.finish())
    }

    /// Continues from bytes of a world with the same parts.
    ///
    /// # Errors
    /// If they are damaged, of another version, or belong to other parts. The world is then unchanged.
    pub fn restore_bytes(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        // As it is: the bytes say where the parts are, which need not fit together where they are described.
        let before = self.snapshot_as_is();
        self.read_bytes(bytes).inspect_err(|_| self.restore(&before))
    }

    fn read_bytes(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        let mut input = Reader::new(bytes, SaveKind::World)?;
        if input.long()? != self.fingerprint() {
            let why = "its parts are others, or others in number or order".to_string();
            return Err(SaveError::Other { why }.into());
        }
        (self.time, self.time_remainder) = (input.number()?, input.number()?);
        self.steps = input.long()?;
        self.parts.gravity = Gravity(input.vector()?);
        let (sleeps, speed, after) = (input.flag()?, input.number()?, input.number()?);
        self.sleep = sleeps.then_some(Sleep { speed, after });
        self.account = Account::read(&mut input)?;
        self.account.certificate = match self.settings.accounts {
            Accounts::EveryStep => Certificate { instants: self.steps, ..self.account.certificate },
            // The bytes do not say how many instants there were: they are counted from here.
            accounts => Certificate::empty(accounts),
        };
        let damaged = |why| WorldError::from(SaveError::Damaged { why });
        let parts = &mut self.parts;
        for entry in parts.bodies.iter_mut() {
            let (enabled, q, v) = (input.flag()?, input.numbers()?, input.numbers()?);
            if (q.len(), v.len()) != (entry.part.q.len(), entry.part.v.len()) {
                return Err(damaged("a body has other numbers"));
            }
            entry.enabled = enabled;
            (entry.part.q, entry.part.v) = (q, v);
        }
        for entry in parts.joints.iter_mut() {
            entry.enabled = input.flag()?;
            entry.part.memory = read_memory(&mut input)?;
        }
        for entry in parts.constraints.iter_mut() {
            entry.enabled = input.flag()?;
            entry.part.coupler_offsets = input.numbers()?;
        }
        parts.inequalities.iter_mut().try_for_each(|entry| input.flag().map(|on| entry.enabled = on))?;
        parts.shapes.iter_mut().try_for_each(|entry| input.flag().map(|on| entry.enabled = on))?;
        parts.forces.iter_mut().try_for_each(|entry| input.flag().map(|on| entry.enabled = on))?;
        parts.probes.iter_mut().try_for_each(|entry| input.flag().map(|on| entry.enabled = on))?;
        for entry in parts.impulses.iter_mut() {
            (entry.enabled, entry.part.applied) = (input.flag()?, input.flag()?);
        }
        self.proximity.pairs = (0..input.count(8)?)
            .map(|_| Ok((input.word()?, input.word()?)))
            .collect::<Result<_, SaveError>>()?;
        self.islands.clear();
        self.active_conditions.clear();
        self.guided_grabs.clear();
        self.new_conditions.clear();
        self.combined = None;
        self.events.clear();
        if !self.parts.gravity.0.is_finite() || !self.time.is_finite() {
            return Err(damaged("time and gravity are not finite"));
        }
        let mut wanted = groups(&self.parts, &mut self.sets, &self.proximity.pairs, |_| true).into_iter();
        for _ in 0..input.count(1)? {
            let mut members = Members::default();
            for list in lists_mut(&mut members) {
                *list = input.words()?;
            }
            // Which they are follows from the parts.
            let same = wanted.next().is_some_and(|wanted| lists(&wanted) == lists(&members));
            if !same {
                return Err(damaged("its islands are not those of its parts"));
            }
            let (rested, asleep) = (input.number()?, input.flag()?);
            let clock = (self.time, self.time_remainder);
            let mut island =
                Island::new(&mut self.parts, members, &mut self.local, (clock, &self.settings), (&[], true))?;
            let state = State::read(island.sim.model(), &mut input)?;
            island.sim.restore(&state)?;
            (island.rested, island.asleep) = (rested, asleep);
            self.islands.push(island);
        }
        input.finish()?;
        if wanted.next().is_some() {
            return Err(damaged("its islands are not those of its parts"));
        }
        self.needs_grouping = false;
        self.number_islands();
        Ok(())
    }

    /// Fingerprint of all descriptions and of the settings.
    fn fingerprint(&self) -> u64 {
        let (mut all, parts) = (Fingerprint::default(), &self.parts);
        parts.bodies.iter().for_each(|(place, entry)| all.body(place, &entry.part.body));
        for (place, entry) in parts.joints.iter() {
            all.joint(place, &entry.part.joint, entry.part.auxiliary);
        }
        parts.constraints.iter().for_each(|(place, entry)| all.constraint(place, &entry.part.added));
        parts.inequalities.iter().for_each(|(place, entry)| all.inequality(place, &entry.part));
        parts.shapes.iter().for_each(|(place, entry)| all.shape(place, &entry.part));
        parts.forces.iter().for_each(|(place, entry)| all.force(place, &entry.part));
        parts.probes.iter().for_each(|(place, entry)| all.values(place, &entry.part));
        parts.pair_rules.iter().for_each(|rule| all.values(0, rule));
        parts.shape_tags.iter().for_each(|(place, tags)| all.values(*place, &tags.group));
        parts.impulses.iter().for_each(|(place, entry)| all.impulse(place, &entry.part.timed));
        all.settings(&self.settings);
        all.value()
    }
}

fn lists(members: &Members) -> [&Vec<u32>; 8] {
    let Members { bodies, joints, constraints, inequalities, shapes, forces, probes, impulses } = members;
    [bodies, joints, constraints, inequalities, shapes, forces, probes, impulses]
}

fn lists_mut(members: &mut Members) -> [&mut Vec<u32>; 8] {
    let Members { bodies, joints, constraints, inequalities, shapes, forces, probes, impulses } = members;
    [bodies, joints, constraints, inequalities, shapes, forces, probes, impulses]
}

fn write_memory(memory: Option<&JointMemory>, out: &mut Writer) {
    out.flag(memory.is_some());
    let Some(memory) = memory else { return };
    memory.turns.iter().for_each(|x| out.number(*x));
    out.long(memory.drives.len() as u64);
    for (start, sums) in &memory.drives {
        start.iter().chain(sums).for_each(|x| out.number(*x));
    }
}

fn read_memory(input: &mut Reader<'_>) -> Result<Option<JointMemory>, SaveError> {
    if !input.flag()? {
        return Ok(None);
    }
    let mut memory = JointMemory { turns: Default::default(), drives: Vec::new() };
    for turn in &mut memory.turns {
        *turn = input.number()?;
    }
    for _ in 0..input.count(32)? {
        let start = [input.number()?, input.number()?];
        memory.drives.push((start, [input.number()?, input.number()?]));
    }
    Ok(Some(memory))
}

impl Account {
    fn write(&self, out: &mut Writer) {
        self.ledger.write(out);
        out.number(self.carried);
        out.flag(self.initial.is_some());
        out.number(self.initial.unwrap_or(0.0));
        out.number(self.largest);
        let Certificate {
            max_position_error,
            max_velocity_error,
            max_equation_residual,
            max_contact_residual,
            max_overlap,
            ..
        } = self.certificate;
        for x in
            [max_position_error, max_velocity_error, max_equation_residual, max_contact_residual, max_overlap]
        {
            out.number(x);
        }
        // The format has no place for steps that were handed over.
        let WorkCounts { factorizations, solves, iterations, rejected, divided, .. } = self.counts;
        [factorizations, solves, iterations, rejected, divided].into_iter().for_each(|n| out.long(n));
    }

    fn read(input: &mut Reader<'_>) -> Result<Self, SaveError> {
        let ledger = Ledger::read(input)?;
        let carried = input.number()?;
        let (opened, initial) = (input.flag()?, input.number()?);
        let largest = input.number()?;
        let certificate = Certificate {
            max_position_error: input.number()?,
            max_velocity_error: input.number()?,
            max_equation_residual: input.number()?,
            max_contact_residual: input.number()?,
            max_overlap: input.number()?,
            ..Certificate::default()
        };
        let counts = WorkCounts {
            factorizations: input.long()?,
            solves: input.long()?,
            iterations: input.long()?,
            rejected: input.long()?,
            divided: input.long()?,
            handed_over: 0,
        };
        Ok(Account { ledger, carried, initial: opened.then_some(initial), largest, certificate, counts })
    }
}
