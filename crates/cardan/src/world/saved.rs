//! Worlds as bytes: all states, switches and what parts remember. Descriptions are not among them, so that laws in code need no text; bytes are for a world
//! with the same parts, made in the same way, and a fingerprint of these tells.

use super::island::Island;
use super::parts::{Members, Past};
use super::{Account, World, WorldError};
use crate::bytes::{Kind, Reader, SaveError, Writer};
use crate::force::Gravity;
use crate::joint::Placement;
use crate::measure::Certificate;
use crate::model::Id;
use crate::state::{Fnv, Ledger, State};
use crate::step::WorkCounts;

impl World {
    /// The present state as bytes.
    ///
    /// # Errors
    /// If parts cannot be put together, see [`World::settle`].
    pub fn to_bytes(&mut self) -> Result<Vec<u8>, WorldError> {
        self.settle()?;
        let mut pressing = Vec::new();
        for island in &self.islands {
            island.hand_back(&mut self.parts, &mut pressing);
        }
        let mut out = Writer::new(Kind::World);
        out.long(self.fingerprint());
        out.number(self.time);
        out.number(self.time_rest);
        out.long(self.steps);
        out.vector(self.parts.gravity.0);
        self.account_now().write(&mut out);
        let parts = &self.parts;
        for (_, entry) in parts.bodies.iter() {
            out.flag(entry.enabled);
            out.numbers(&entry.part.q);
            out.numbers(&entry.part.v);
        }
        for (_, entry) in parts.joints.iter() {
            out.flag(entry.enabled);
            write_past(entry.part.past.as_ref(), &mut out);
        }
        for (_, entry) in parts.constraints.iter() {
            out.flag(entry.enabled);
            out.numbers(&entry.part.settled);
        }
        parts.inequalities.iter().for_each(|(_, entry)| out.flag(entry.enabled));
        parts.shapes.iter().for_each(|(_, entry)| out.flag(entry.enabled));
        parts.forces.iter().for_each(|(_, entry)| out.flag(entry.enabled));
        parts.probes.iter().for_each(|(_, entry)| out.flag(entry.enabled));
        parts.blows.iter().for_each(|part| out.flag(part.struck));
        out.long(self.near.pairs.len() as u64);
        for (a, b) in &self.near.pairs {
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

    /// Goes on from bytes of a world with the same parts.
    ///
    /// # Errors
    /// If they are damaged, of another version, or belong to other parts. Nothing has changed then.
    pub fn restore_bytes(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        let before = self.snapshot()?;
        self.read_bytes(bytes).inspect_err(|_| self.restore(&before))
    }

    fn read_bytes(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        let mut input = Reader::new(bytes, Kind::World)?;
        if input.long()? != self.fingerprint() {
            let why = "its parts are others, or others in number or order".to_string();
            return Err(SaveError::Other { why }.into());
        }
        (self.time, self.time_rest) = (input.number()?, input.number()?);
        self.steps = input.long()?;
        self.parts.gravity = Gravity(input.vector()?);
        self.account = Account::read(&mut input)?;
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
            entry.part.past = read_past(&mut input)?;
        }
        for entry in parts.constraints.iter_mut() {
            entry.enabled = input.flag()?;
            entry.part.settled = input.numbers()?;
        }
        parts.inequalities.iter_mut().try_for_each(|entry| input.flag().map(|on| entry.enabled = on))?;
        parts.shapes.iter_mut().try_for_each(|entry| input.flag().map(|on| entry.enabled = on))?;
        parts.forces.iter_mut().try_for_each(|entry| input.flag().map(|on| entry.enabled = on))?;
        parts.probes.iter_mut().try_for_each(|entry| input.flag().map(|on| entry.enabled = on))?;
        parts.blows.iter_mut().try_for_each(|part| input.flag().map(|struck| part.struck = struck))?;
        self.near.pairs = (0..input.count(8)?)
            .map(|_| Ok((input.word()?, input.word()?)))
            .collect::<Result<_, SaveError>>()?;
        self.islands.clear();
        self.pressing.clear();
        for _ in 0..input.count(1)? {
            let mut members = Members::default();
            for list in lists_mut(&mut members) {
                *list = input.words()?;
            }
            if !self.parts.has(&members) {
                return Err(damaged("an island has parts that are not there"));
            }
            let (rested, asleep) = (input.number()?, input.flag()?);
            let clock = (self.time, self.time_rest);
            let mut island =
                Island::new(&mut self.parts, members, &mut self.local, (clock, &self.settings), (&[], true))?;
            let state = State::read(island.sim.model(), &mut input)?;
            island.sim.restore(&state)?;
            (island.rested, island.asleep) = (rested, asleep);
            self.islands.push(island);
        }
        input.finish()?;
        self.is_loose = true;
        self.number_islands();
        Ok(())
    }

    /// What tells worlds with other parts apart: places, names, kinds, masses, frames of joints.
    fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        let parts = &self.parts;
        for (place, entry) in parts.bodies.iter() {
            let body = &entry.part.body;
            hash.bits(u64::from(place));
            hash.word(&body.name);
            hash.word(body.kind.name());
            hash.number(body.mass.mass);
        }
        for (place, entry) in parts.joints.iter() {
            let joint = &entry.part.joint;
            hash.bits(u64::from(place));
            hash.word(&joint.name);
            hash.word(joint.kind.name());
            for end in [joint.a, joint.b] {
                hash.bits(end.body().map_or(0, |id| u64::from(id.place()) + 1));
            }
            if let Placement::Frames { in_a, in_b } = &joint.placement {
                for frame in [in_a, in_b] {
                    let place = frame.pos.to_array().into_iter().chain(frame.rot.to_wxyz());
                    place.for_each(|x| hash.number(x));
                }
            }
        }
        for (place, entry) in parts.constraints.iter() {
            hash.bits(u64::from(place));
            hash.word(entry.part.added.name());
        }
        for (place, entry) in parts.inequalities.iter() {
            hash.bits(u64::from(place));
            hash.word(&entry.part.name);
        }
        for (place, entry) in parts.shapes.iter() {
            hash.bits(u64::from(place));
            hash.word(entry.part.shape.kind());
        }
        for (place, entry) in parts.forces.iter() {
            hash.bits(u64::from(place));
            hash.word(&entry.part.name);
        }
        parts.blows.iter().for_each(|part| hash.word(&part.blow.name));
        hash.value()
    }
}

fn lists(members: &Members) -> [&Vec<u32>; 8] {
    let Members { bodies, joints, constraints, inequalities, shapes, forces, probes, blows } = members;
    [bodies, joints, constraints, inequalities, shapes, forces, probes, blows]
}

fn lists_mut(members: &mut Members) -> [&mut Vec<u32>; 8] {
    let Members { bodies, joints, constraints, inequalities, shapes, forces, probes, blows } = members;
    [bodies, joints, constraints, inequalities, shapes, forces, probes, blows]
}

fn write_past(past: Option<&Past>, out: &mut Writer) {
    out.flag(past.is_some());
    let Some(past) = past else { return };
    past.turns.iter().for_each(|x| out.number(*x));
    out.long(past.drives.len() as u64);
    for (start, sums) in &past.drives {
        start.iter().chain(sums).for_each(|x| out.number(*x));
    }
}

fn read_past(input: &mut Reader<'_>) -> Result<Option<Past>, SaveError> {
    if !input.flag()? {
        return Ok(None);
    }
    let mut past = Past { turns: Default::default(), drives: Vec::new() };
    for turn in &mut past.turns {
        *turn = input.number()?;
    }
    for _ in 0..input.count(32)? {
        let start = [input.number()?, input.number()?];
        past.drives.push((start, [input.number()?, input.number()?]));
    }
    Ok(Some(past))
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
        } = self.certificate;
        for x in
            [max_position_error, max_velocity_error, max_equation_residual, max_contact_residual, max_overlap]
        {
            out.number(x);
        }
        let WorkCounts { factorizations, solves, iterations, rejected, divided } = self.counts;
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
        };
        let counts = WorkCounts {
            factorizations: input.long()?,
            solves: input.long()?,
            iterations: input.long()?,
            rejected: input.long()?,
            divided: input.long()?,
        };
        Ok(Account { ledger, carried, initial: opened.then_some(initial), largest, certificate, counts })
    }
}
