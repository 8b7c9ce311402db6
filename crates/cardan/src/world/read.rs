//! Readers of a world.

use super::island::Island;
use super::parts::Members;
use super::{Account, PartId, World, WorldError};
use crate::impulse::{Impulse, TimedImpulse};
use crate::inequality::{InequalityOrigin, LimitSide};
use crate::math::larger;
use crate::measure::{
    BodyMotion, BodyReport, Certificate, Energy, InequalityReport, Instant, JointReport, Momentum,
    ProbeReport,
};
use crate::model::{
    BodyId, ConstraintId, End, ForceId, Id, ImpulseId, InequalityId, JointId, Model, ProbeId, ShapeId,
};
use crate::simulation::{Balance, relative_leftover};
use crate::state::Fnv;
use crate::step::{Coordinates, Event, EventKind, EventSubject, WorkCounts};

/// An instant at which something changed in a world.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldEvent {
    /// When \[s\].
    pub time: f64,
    /// The name of the inequality or joint, or of the two bodies.
    pub name: String,
    /// What happened.
    pub kind: EventKind,
    /// ġ just before an impact [m/s, rad/s].
    pub speed: f64,
    /// The impulse of the impact along its normal [N·s, N·m·s].
    pub impulse: f64,
    /// Of a limit, or of friction in a joint: which coordinate.
    pub coordinate: Option<usize>,
    /// Of a limit: which end of its range.
    pub side: Option<LimitSide>,
}

impl WorldEvent {
    /// An event of a simulation with this model.
    pub fn of(model: &Model, event: &Event) -> Self {
        let Event { time, kind, speed, impulse, .. } = *event;
        let (coordinate, side) = match event.subject {
            EventSubject::Inequality(id) => match model.inequality(id).map(|part| part.origin) {
                Some(InequalityOrigin::Limit { coordinate, side, .. }) => (Some(coordinate), Some(side)),
                Some(InequalityOrigin::Declared) | None => (None, None),
            },
            EventSubject::Contact(_) | EventSubject::Impulse(_) => (None, None),
            EventSubject::Friction { coordinate, .. } => (Some(coordinate), None),
        };
        WorldEvent { time, name: event.name(model), kind, speed, impulse, coordinate, side }
    }
}

/// A timed impulse of a world; see [`World::impulse`].
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ImpulseReport<'a> {
    /// Its name.
    pub name: &'a str,
    /// Time \[s\].
    pub time: f64,
    /// The impulse.
    pub impulse: Impulse,
    /// Whether it has acted, or its time has passed while it or its body was switched off.
    pub is_past: bool,
}

/// Work and memory of a world; see [`World::diagnostics`].
#[derive(Copy, Clone, Debug)]
pub struct WorldDiagnostics<'a> {
    world: &'a World,
}

impl WorldDiagnostics<'_> {
    /// Work done so far by all islands, dissolved ones included.
    pub fn work_counts(&self) -> WorkCounts {
        self.world.account_now().counts
    }
    /// What the islands integrate, [`Coordinates::Auto`] resolved for each; `None` if some have poses of
    /// bodies and some joint coordinates, or if there are no islands.
    pub fn coordinates(&self) -> Option<Coordinates> {
        let mut all = self.world.islands.iter().map(|island| island.sim.settings().coordinates);
        let first = all.next()?;
        all.all(|other| other == first).then_some(first)
    }
    /// Memory held by the simulations of the islands, in bytes: arrays and names, without the overhead of the
    /// allocator.
    pub fn bytes(&self) -> usize {
        self.world.islands.iter().map(|island| island.sim.bytes()).sum()
    }
}

impl World {
    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.time
    }
    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }
    /// Number of islands, and number of those that sleep.
    pub fn islands(&self) -> (usize, usize) {
        (self.islands.len(), self.islands.iter().filter(|island| island.asleep).count())
    }
    /// Events of inequalities so far, in the order of steps, then of time.
    pub fn events(&self) -> &[WorldEvent] {
        &self.events
    }

    /// Takes the events so far out of the world, which then has none. A program that runs for long should do this: events
    /// are kept until then, and every snapshot has them.
    pub fn take_events(&mut self) -> Vec<WorldEvent> {
        std::mem::take(&mut self.events)
    }

    /// The body of that name.
    pub fn find_body(&self, name: &str) -> Option<BodyId> {
        let parts = &self.parts.bodies;
        parts.iter().find(|(_, entry)| entry.part.body.name == name).map(|(place, _)| parts.id(place))
    }
    /// The joint of that name.
    pub fn find_joint(&self, name: &str) -> Option<JointId> {
        let parts = &self.parts.joints;
        parts.iter().find(|(_, entry)| entry.part.joint.name == name).map(|(place, _)| parts.id(place))
    }
    /// The constraint of that name.
    pub fn find_constraint(&self, name: &str) -> Option<ConstraintId> {
        let parts = &self.parts.constraints;
        parts.iter().find(|(_, entry)| entry.part.added.name() == name).map(|(place, _)| parts.id(place))
    }
    /// The inequality of that name.
    pub fn find_inequality(&self, name: &str) -> Option<InequalityId> {
        let parts = &self.parts.inequalities;
        parts.iter().find(|(_, entry)| entry.part.name == name).map(|(place, _)| parts.id(place))
    }
    /// The force of that name.
    pub fn find_force(&self, name: &str) -> Option<ForceId> {
        let parts = &self.parts.forces;
        parts.iter().find(|(_, entry)| entry.part.name == name).map(|(place, _)| parts.id(place))
    }
    /// The probe of that name.
    pub fn find_probe(&self, name: &str) -> Option<ProbeId> {
        let parts = &self.parts.probes;
        parts.iter().find(|(_, entry)| entry.part.name == name).map(|(place, _)| parts.id(place))
    }
    /// The impulse of that name.
    pub fn find_impulse(&self, name: &str) -> Option<ImpulseId> {
        let parts = &self.parts.impulses;
        parts.iter().find(|(_, entry)| entry.part.timed.name == name).map(|(place, _)| parts.id(place))
    }
    /// The ids of all bodies, in the order of their places.
    pub fn body_ids(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.parts.bodies.ids()
    }
    /// The ids of all joints, in the order of their places.
    pub fn joint_ids(&self) -> impl Iterator<Item = JointId> + '_ {
        self.parts.joints.ids()
    }
    /// The ids of all constraints, couplers and paths held by motors, in the order of their places.
    pub fn constraint_ids(&self) -> impl Iterator<Item = ConstraintId> + '_ {
        self.parts.constraints.ids()
    }
    /// The ids of all inequalities, in the order of their places.
    pub fn inequality_ids(&self) -> impl Iterator<Item = InequalityId> + '_ {
        self.parts.inequalities.ids()
    }
    /// The ids of all contact shapes, in the order of their places.
    pub fn shape_ids(&self) -> impl Iterator<Item = ShapeId> + '_ {
        self.parts.shapes.ids()
    }
    /// The ids of all forces, in the order of their places.
    pub fn force_ids(&self) -> impl Iterator<Item = ForceId> + '_ {
        self.parts.forces.ids()
    }
    /// The ids of all probes, in the order of their places.
    pub fn probe_ids(&self) -> impl Iterator<Item = ProbeId> + '_ {
        self.parts.probes.ids()
    }
    /// The ids of all impulses, in the order of their places; those that have acted are among them.
    pub fn impulse_ids(&self) -> impl Iterator<Item = ImpulseId> + '_ {
        self.parts.impulses.ids()
    }
    /// The name of a part.
    pub fn name(&self, id: impl Into<PartId>) -> String {
        self.parts.name_of(id.into())
    }

    /// The island of a body, and its index there.
    pub(super) fn island_of(&mut self, body: BodyId) -> Result<(&mut Island, usize), WorldError> {
        self.assemble()?;
        let entry = self.parts.bodies.get(body).ok_or_else(|| self.parts.missing(body))?;
        let Some((number, index)) = self.island_of_body.get(body.index()).copied().flatten() else {
            let name = entry.part.body.name.clone();
            return Err(WorldError::Off { what: BodyId::WHAT, name });
        };
        Ok((&mut self.islands[number as usize], index as usize))
    }

    /// Pose and velocity of a body; accelerations are NaN.
    ///
    /// # Errors
    /// If there is no such body, or it is switched off.
    pub fn body(&mut self, id: BodyId) -> Result<BodyReport, WorldError> {
        let (island, index) = self.island_of(id)?;
        Ok(island.sim.body_at(index))
    }

    /// Poses and velocities of all bodies that are not switched off, in the order of [`World::body_ids`], into a buffer whose former
    /// content is dropped; nothing is solved. Allocates nothing once the buffer is long enough.
    ///
    /// # Errors
    /// If the world cannot be assembled.
    pub fn body_motions(&mut self, out: &mut Vec<(BodyId, BodyMotion)>) -> Result<(), WorldError> {
        self.assemble()?;
        out.clear();
        self.islands.iter_mut().for_each(|island| island.sim.refresh_general());
        let motion = |id: BodyId| {
            let (number, index) = self.island_of_body.get(id.index()).copied().flatten()?;
            Some((id, self.islands[number as usize].sim.motion_at(index as usize)))
        };
        out.extend(self.parts.bodies.ids().filter_map(motion));
        Ok(())
    }

    /// The island of a body at the present instant, solved, and the id of the body in its model.
    ///
    /// # Errors
    /// If there is no such body, it is switched off, or its equations have no solution.
    pub fn instant(&mut self, id: BodyId) -> Result<(Instant<'_>, BodyId), WorldError> {
        let (island, index) = self.island_of(id)?;
        Ok((island.sim.evaluate()?, BodyId::of_index(index)))
    }

    /// The island of a joint at the present instant, solved, and the id of the joint in its model.
    ///
    /// # Errors
    /// If there is no such joint, it or a body of its is switched off, or its equations have no solution.
    pub fn instant_of_joint(&mut self, id: JointId) -> Result<(Instant<'_>, JointId), WorldError> {
        let (island, index) = self.island_of_joint(id)?;
        Ok((island.sim.evaluate()?, JointId::of_index(index)))
    }

    /// The island of a joint, and its index there.
    pub(super) fn island_of_joint(&mut self, id: JointId) -> Result<(&mut Island, usize), WorldError> {
        let entry = self.parts.joints.get(id).ok_or_else(|| self.parts.missing(id))?;
        let off = WorldError::Off { what: JointId::WHAT, name: entry.part.joint.name.clone() };
        let ends = [entry.part.joint.a, entry.part.joint.b];
        self.island_of_member(ends, id.place(), off, |members| &members.joints)
    }

    /// The island that a part belongs to by its ends, and the index of the part there.
    fn island_of_member(
        &mut self,
        ends: impl IntoIterator<Item = End>,
        place: u32,
        off: WorldError,
        list: impl Fn(&Members) -> &[u32],
    ) -> Result<(&mut Island, usize), WorldError> {
        let body = ends.into_iter().find_map(End::body).ok_or_else(|| off.clone())?;
        let (island, _) = self.island_of(body)?;
        let index = list(&island.members).binary_search(&place).map_err(|_| off)?;
        Ok((island, index))
    }

    /// Coordinates, rates and reaction of a joint, solved for the present instant.
    ///
    /// # Errors
    /// Those of [`World::instant_of_joint`].
    pub fn joint(&mut self, id: JointId) -> Result<JointReport<'_>, WorldError> {
        let (instant, index) = self.instant_of_joint(id)?;
        Ok(instant.joint(index))
    }

    /// Coordinate `k` of a joint, turns counted [rad, m]; nothing is solved. NaN if the joint has no such
    /// coordinate.
    ///
    /// # Errors
    /// If there is no such joint, or it or a body of it is switched off.
    pub fn coordinate(&mut self, joint: JointId, k: usize) -> Result<f64, WorldError> {
        let (island, index) = self.island_of_joint(joint)?;
        Ok(island.sim.coordinate(JointId::of_index(index), k))
    }
    /// Rate of coordinate `k` of a joint [rad/s, m/s]; nothing is solved. NaN if the joint has no such
    /// coordinate.
    ///
    /// # Errors
    /// If there is no such joint, or it or a body of it is switched off.
    pub fn rate(&mut self, joint: JointId, k: usize) -> Result<f64, WorldError> {
        let (island, index) = self.island_of_joint(joint)?;
        Ok(island.sim.rate(JointId::of_index(index), k))
    }
    /// The first coordinate of a joint: the angle of a hinge, turns counted \[rad\].
    ///
    /// # Errors
    /// Those of [`World::coordinate`].
    pub fn angle(&mut self, hinge: JointId) -> Result<f64, WorldError> {
        self.coordinate(hinge, 0)
    }

    /// Position, velocity and acceleration of a probe, solved for the present instant.
    ///
    /// # Errors
    /// If there is no such probe, it sits on the ground, it or its body is switched off, or the equations
    /// have no solution.
    pub fn probe(&mut self, id: ProbeId) -> Result<ProbeReport, WorldError> {
        let entry = self.parts.probes.get(id).ok_or_else(|| self.parts.missing(id))?;
        let off = WorldError::Off { what: ProbeId::WHAT, name: entry.part.name.clone() };
        let ends = [entry.part.body];
        let (island, index) = self.island_of_member(ends, id.place(), off, |members| &members.probes)?;
        Ok(island.sim.evaluate()?.probe(ProbeId::of_index(index)))
    }

    /// Gap, rate and multiplier of an inequality, solved for the present instant.
    ///
    /// # Errors
    /// If there is no such inequality, it or a body of it is switched off, or the equations have no solution.
    pub fn inequality(&mut self, id: InequalityId) -> Result<InequalityReport, WorldError> {
        let entry = self.parts.inequalities.get(id).ok_or_else(|| self.parts.missing(id))?;
        let off = WorldError::Off { what: InequalityId::WHAT, name: entry.part.name.clone() };
        let ends: Vec<End> = entry.part.frames.iter().map(|frame| frame.0).collect();
        let (island, index) =
            self.island_of_member(ends, id.place(), off, |members| &members.inequalities)?;
        Ok(island.sim.evaluate()?.inequality(InequalityId::of_index(index)))
    }

    /// An impulse: when and where it acts, and whether it has acted.
    ///
    /// # Errors
    /// If there is no such impulse.
    pub fn impulse(&self, id: ImpulseId) -> Result<ImpulseReport<'_>, WorldError> {
        let entry = self.parts.impulses.get(id).ok_or_else(|| self.parts.missing(id))?;
        let TimedImpulse { name, time, impulse } = &entry.part.timed;
        // Islands note in their states which impulses have acted, and pass that on when they are dissolved.
        let acted = |island: &Island| {
            let applied = island.sim.state().impulses_applied;
            island.members.impulses.iter().take(applied).any(|place| *place == id.place())
        };
        let is_past = entry.part.applied || self.islands.iter().any(acted);
        Ok(ImpulseReport { name, time: *time, impulse: *impulse, is_past })
    }

    /// Energy of all islands, with the energy that edits dissipated; energy of added and removed parts counts
    /// as work.
    pub fn energy(&mut self) -> Energy {
        // Parts that cannot be assembled are counted in their last poses.
        let _ = self.assemble();
        self.energy_of_islands()
    }

    /// Energy of the islands as they were last assembled.
    pub(super) fn energy_of_islands(&mut self) -> Energy {
        let Account { ledger, carried, .. } = self.account;
        let mut sum = Energy {
            work: ledger.work + carried,
            dissipated: ledger.dissipated,
            integration_loss: ledger.integration_loss,
            ..Energy::default()
        };
        for island in &mut self.islands {
            let energy = island.sim.last_energy();
            sum.kinetic += energy.kinetic;
            sum.potential += energy.potential;
            sum.work += energy.work;
            sum.dissipated += energy.dissipated;
            sum.integration_loss += energy.integration_loss;
        }
        sum
    }

    /// Momentum of all islands.
    pub fn momentum(&mut self) -> Momentum {
        let _ = self.assemble();
        let mut sum = Momentum::default();
        for island in &mut self.islands {
            let momentum = island.sim.last_momentum();
            sum.linear += momentum.linear;
            sum.angular += momentum.angular;
        }
        sum
    }

    /// Errors of the balances: of energy since the first step, of the momentum of every island since it was
    /// built.
    pub fn balance(&mut self) -> Balance {
        let energy = self.energy();
        self.account.note_energy(&energy);
        let now = energy.balance();
        let initial = self.account.initial.unwrap_or(now);
        let left = (now - initial).abs();
        let largest = self.account.largest;
        let formed: f64 = self.islands.iter().map(|island| island.sim.formed_energy()).sum();
        let momenta = self.islands.iter_mut().map(|island| island.sim.balance().momentum_error);
        Balance {
            initial_energy: initial,
            energy_left: left,
            energy_error: relative_leftover(left, largest, formed),
            energy_error_per_joule: left / larger(1.0, largest),
            momentum_error: momenta.fold(0.0, larger),
        }
    }

    /// The worst errors so far, over the instants that [`Settings::accounts`](crate::Settings::accounts) asks
    /// for; the certificate says how many.
    pub fn certificate(&self) -> Certificate {
        self.account_now().certificate
    }
    /// How the world is solved, and what that costs: work and memory.
    pub fn diagnostics(&self) -> WorldDiagnostics<'_> {
        WorldDiagnostics { world: self }
    }

    /// The sums over all islands, dissolved ones included.
    pub(super) fn account_now(&self) -> Account {
        let mut all = self.account;
        for island in &self.islands {
            all.certificate.include(&island.sim.certificate());
            all.counts.include(&island.sim.work_counts());
        }
        all
    }

    /// Coordinates and velocities of the body at a place.
    pub(super) fn numbers(&self, place: u32) -> (&[f64], &[f64]) {
        match self.island_of_body.get(place as usize).copied().flatten() {
            Some((number, index)) => {
                let sim = &self.islands[number as usize].sim;
                let body = &sim.model().bodies[index as usize];
                (&sim.state().q[body.q_range()], &sim.state().v[body.v_range()])
            }
            None => {
                let part = &self.parts.bodies.at(place).part;
                (&part.q, &part.v)
            }
        }
    }

    /// Coordinates and velocities of a body, as a state has them.
    pub fn state_of(&self, id: BodyId) -> Option<(&[f64], &[f64])> {
        self.parts.bodies.get(id).map(|_| self.numbers(id.place()))
    }

    /// FNV-1a (64 bits) over the bits of a body's coordinates and velocities, −0 as 0.
    pub fn hash_of(&self, id: BodyId) -> Option<u64> {
        let (q, v) = self.state_of(id)?;
        let mut hash = Fnv::default();
        q.iter().chain(v).for_each(|x| hash.number(*x));
        Some(hash.value())
    }

    /// FNV-1a (64 bits) over the bits of the time and of every body's coordinates and velocities, in the
    /// order of places, −0 as 0.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv::default();
        hash.number(self.time);
        for (place, _) in self.parts.bodies.iter() {
            let (q, v) = self.numbers(place);
            q.iter().chain(v).for_each(|x| hash.number(*x));
        }
        hash.value()
    }
}
