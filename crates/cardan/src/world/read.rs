//! What a world says about itself.

use super::island::Island;
use super::{Account, PartId, World, WorldError};
use crate::inequality::{InequalityOrigin, LimitSide};
use crate::math::larger;
use crate::measure::{BodyReport, Certificate, Energy, Instant, JointReport, Momentum};
use crate::model::{BodyId, ConstraintId, ForceId, Id, InequalityId, JointId, Model, ProbeId, ShapeId};
use crate::simulation::{Balance, relative_leftover};
use crate::state::Fnv;
use crate::step::Event;
use crate::step::EventKind;
use crate::step::EventSubject;
use crate::step::WorkCounts;

/// An instant at which something changed in a world.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldEvent {
    /// When \[s\].
    pub time: f64,
    /// The name of the inequality or joint, or of the two bodies.
    pub name: String,
    /// What happened.
    pub what: EventKind,
    /// ġ just before, where it was reached at speed [m/s, rad/s].
    pub speed: f64,
    /// The impulse of the blow along its normal [N·s, N·m·s].
    pub impulse: f64,
    /// Of a limit, or of friction in a joint: which coordinate.
    pub coordinate: Option<usize>,
    /// Of a limit: which end of its range.
    pub side: Option<LimitSide>,
}

impl WorldEvent {
    /// An event of a simulation with this model.
    pub fn of(model: &Model, event: &Event) -> Self {
        let Event { time, what, speed, impulse, .. } = *event;
        let (coordinate, side) = match event.subject {
            EventSubject::Inequality(i) => match model.inequalities[i].origin {
                InequalityOrigin::Limit { coordinate, side, .. } => (Some(coordinate), Some(side)),
                InequalityOrigin::Declared => (None, None),
            },
            EventSubject::Contact(_) | EventSubject::Impulse(_) => (None, None),
            EventSubject::Friction(i) => (Some(model.frictions[i].coordinate), None),
        };
        WorldEvent { time, name: event.name(model), what, speed, impulse, coordinate, side }
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
    /// How many islands there are, and how many of them sleep.
    pub fn islands(&self) -> (usize, usize) {
        (self.islands.len(), self.islands.iter().filter(|island| island.asleep).count())
    }
    /// What inequalities did so far, in the order of steps, then of time.
    pub fn events(&self) -> &[WorldEvent] {
        &self.events
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
    /// All bodies, in the order of their places.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.parts.bodies.ids()
    }
    /// All joints, in the order of their places.
    pub fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        self.parts.joints.ids()
    }
    /// All constraints, couplers and paths held by motors, in the order of their places.
    pub fn constraints(&self) -> impl Iterator<Item = ConstraintId> + '_ {
        self.parts.constraints.ids()
    }
    /// All inequalities, in the order of their places.
    pub fn inequalities(&self) -> impl Iterator<Item = InequalityId> + '_ {
        self.parts.inequalities.ids()
    }
    /// All shapes that keep others away, in the order of their places.
    pub fn shapes(&self) -> impl Iterator<Item = ShapeId> + '_ {
        self.parts.shapes.ids()
    }
    /// All forces, in the order of their places.
    pub fn forces(&self) -> impl Iterator<Item = ForceId> + '_ {
        self.parts.forces.ids()
    }
    /// All probes, in the order of their places.
    pub fn probes(&self) -> impl Iterator<Item = ProbeId> + '_ {
        self.parts.probes.ids()
    }
    /// The name of a part.
    pub fn name(&self, id: impl Into<PartId>) -> String {
        self.parts.name_of(id.into())
    }

    /// The island of a body, and its index there.
    pub(super) fn island_of(&mut self, body: BodyId) -> Result<(&mut Island, usize), WorldError> {
        self.settle()?;
        let entry = self.parts.bodies.get(body).ok_or_else(|| self.parts.missing(body))?;
        let Some((number, index)) = self.island_of_body.get(body.index()).copied().flatten() else {
            let name = entry.part.body.name.clone();
            return Err(WorldError::Off { what: BodyId::WHAT, name });
        };
        Ok((&mut self.islands[number as usize], index as usize))
    }

    /// Where a body is and how it moves; accelerations are NaN.
    ///
    /// # Errors
    /// If there is no such body, or it is switched off.
    pub fn body(&mut self, id: BodyId) -> Result<BodyReport, WorldError> {
        let (island, index) = self.island_of(id)?;
        Ok(island.sim.kinematics().body(index))
    }

    /// The present instant of everything that acts on a body, directly or through others, solved: with the index of the body in its model.
    ///
    /// # Errors
    /// If there is no such body, it is switched off, or its equations have no answer.
    pub fn instant(&mut self, id: BodyId) -> Result<(Instant<'_>, usize), WorldError> {
        let (island, index) = self.island_of(id)?;
        Ok((island.sim.evaluate()?, index))
    }

    /// The present instant of everything that acts on the bodies of a joint, solved: with the index of the joint in its model.
    ///
    /// # Errors
    /// If there is no such joint, it or a body of its is switched off, or its equations have no answer.
    pub fn instant_of_joint(&mut self, id: JointId) -> Result<(Instant<'_>, usize), WorldError> {
        let what = JointId::WHAT;
        let entry = self.parts.joints.get(id).ok_or_else(|| self.parts.missing(id))?;
        let off = || WorldError::Off { what, name: entry.part.joint.name.clone() };
        let ends = [entry.part.joint.a, entry.part.joint.b];
        let off = off();
        let body = ends.into_iter().find_map(crate::model::End::body).ok_or_else(|| off.clone())?;
        let (island, _) = self.island_of(body)?;
        let index = island.members.joints.binary_search(&id.place()).map_err(|_| off)?;
        Ok((island.sim.evaluate()?, index))
    }

    /// Coordinates, rates and loads of a joint, solved for the present instant.
    ///
    /// # Errors
    /// Those of [`World::instant_of_joint`].
    pub fn joint(&mut self, id: JointId) -> Result<JointReport<'_>, WorldError> {
        let (instant, index) = self.instant_of_joint(id)?;
        Ok(instant.joint(index))
    }

    /// Energy of all islands; what edits dissipated is in it, what parts carried in and out counts as work.
    pub fn energy(&mut self) -> Energy {
        // Parts that do not go together are counted where they were last.
        let _ = self.settle();
        self.energy_of_islands()
    }

    /// The same of parts that are put together.
    pub(super) fn energy_of_islands(&self) -> Energy {
        let Account { ledger, carried, .. } = self.account;
        let mut sum =
            Energy { work: ledger.work + carried, dissipated: ledger.dissipated, ..Energy::default() };
        for island in &self.islands {
            let energy = island.sim.last_energy();
            sum.kinetic += energy.kinetic;
            sum.potential += energy.potential;
            sum.work += energy.work;
            sum.dissipated += energy.dissipated;
        }
        sum
    }

    /// Momentum of all islands.
    pub fn momentum(&mut self) -> Momentum {
        let _ = self.settle();
        let mut sum = Momentum::default();
        for island in &self.islands {
            let momentum = island.sim.last_momentum();
            sum.linear += momentum.linear;
            sum.angular += momentum.angular;
        }
        sum
    }

    /// How well energy adds up since the first step, and the momentum of every island since it was put together.
    pub fn balance(&mut self) -> Balance {
        let now = self.energy().balance();
        let initial = self.account.initial.unwrap_or(now);
        let left = (now - initial).abs();
        let largest = self.account.largest;
        let formed: f64 = self.islands.iter().map(|island| island.sim.formed_energy()).sum();
        let momenta = self.islands.iter_mut().map(|island| island.sim.balance().momentum_error);
        Balance {
            initial_energy: initial,
            energy_error: relative_leftover(left, largest, formed),
            energy_error_per_joule: left / larger(1.0, largest),
            momentum_error: momenta.fold(0.0, larger),
        }
    }

    /// The worst errors so far.
    pub fn certificate(&self) -> Certificate {
        self.account_now().certificate
    }
    /// Work done so far.
    pub fn work_counts(&self) -> WorkCounts {
        self.account_now().counts
    }

    /// The account, with what islands have seen.
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

    /// FNV-1a (64 bits) over the bits of the time and of every body's coordinates and velocities, in the order of places, −0 as 0.
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
