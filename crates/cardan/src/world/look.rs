//! All islands at the present instant, for pictures and plots: each is visited once, with the ids of its parts.

use super::parts::{Members, Parts};
use super::{World, WorldError};
use crate::measure::Instant;
use crate::model::{BodyId, ConstraintId, ForceId, JointId, ProbeId, ShapeId};

/// An island at the present instant, and which parts of the world its model has.
#[derive(Debug)]
pub struct IslandView<'a> {
    /// Number of the island.
    pub number: usize,
    /// The instant. Its model numbers the parts of the island from zero; the methods here give their ids in the world.
    pub instant: Instant<'a>,
    /// Whether the island sleeps.
    pub asleep: bool,
    parts: &'a Parts,
    members: &'a Members,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident: $id:ty = $list:ident;)+) => {
        impl IslandView<'_> {
            $($(#[$doc])*
            pub fn $name(&self) -> impl ExactSizeIterator<Item = $id> + '_ {
                self.members.$list.iter().map(|place| self.parts.$list.id(*place))
            })+
        }
    };
}
ids!(
    /// The bodies of the island, in the order of its model.
    bodies: BodyId = bodies;
    /// The joints of the island, in the order of its model.
    joints: JointId = joints;
    /// The constraints of the island, in the order of its model.
    constraints: ConstraintId = constraints;
    /// The contact shapes of the island, in the order of its model; those of the ground are in every island with shapes.
    shapes: ShapeId = shapes;
    /// The forces of the island, in the order of its model.
    forces: ForceId = forces;
    /// The probes of the island, in the order of its model.
    probes: ProbeId = probes;
);

impl World {
    /// Visits every island with its poses, velocities and joint coordinates; nothing is solved, and accelerations and
    /// reactions are NaN. The cost is linear in the number of parts.
    ///
    /// # Errors
    /// If parts cannot be put together, see [`World::assemble`].
    pub fn each_island(&mut self, mut look: impl FnMut(&IslandView<'_>)) -> Result<(), WorldError> {
        self.visit(false, &mut look)
    }

    /// Visits every island, each solved once for accelerations, reactions and contact forces. Of an island whose
    /// equations have no solution the kinematics is shown, and the rest is NaN.
    ///
    /// # Errors
    /// If parts cannot be put together, see [`World::assemble`].
    pub fn each_island_solved(&mut self, mut look: impl FnMut(&IslandView<'_>)) -> Result<(), WorldError> {
        self.visit(true, &mut look)
    }

    fn visit(&mut self, solves: bool, look: &mut dyn FnMut(&IslandView<'_>)) -> Result<(), WorldError> {
        self.assemble()?;
        let parts = &self.parts;
        for (number, island) in self.islands.iter_mut().enumerate() {
            let (members, asleep) = (&island.members, island.asleep);
            let instant = if solves { island.sim.observe() } else { island.sim.kinematics() };
            look(&IslandView { number, instant, asleep, parts, members });
        }
        Ok(())
    }
}
