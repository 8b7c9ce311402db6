//! States of another world, by names: a description was changed, and what it describes goes on.

use super::{World, WorldError};
use crate::body::Body;
use crate::math::Vec3;
use crate::model::{BodyId, Id};

/// What was taken over from another world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adopted {
    /// Bodies whose coordinates and velocities were taken over, by name.
    pub kept: Vec<String>,
    /// Bodies that the other world does not have, or has with another kind; they start as described.
    pub fresh: Vec<String>,
}

impl World {
    /// Takes over the time, and the coordinates and velocities of all bodies that the other world has by the same name
    /// and kind: frames of bodies stay where they are, whatever their centres of mass have become. Turns of joint angles
    /// are counted on where joint and bodies have the same names. New joints are closed here, and couplers that keep what
    /// is posed take hold of what they find. Balances begin anew, with the energy that the new description has there.
    ///
    /// # Errors
    /// If the parts cannot be put together from there, see [`World::assemble`]. The world is then unchanged.
    pub fn adopt(&mut self, other: &World) -> Result<Adopted, WorldError> {
        // As it is: parts may fit together where the other world has them, and not where they are described.
        let before = self.snapshot_as_is();
        self.take_over(other).inspect_err(|_| self.restore(&before))
    }

    fn take_over(&mut self, other: &World) -> Result<Adopted, WorldError> {
        let mut adopted = Adopted::default();
        let all: Vec<u32> = (0..self.islands.len() as u32).collect();
        self.dissolve(&all, false);
        for id in self.body_ids().collect::<Vec<BodyId>>() {
            let mine = &self.parts.bodies.at(id.place()).part;
            let name = mine.body.name.clone();
            let same = other.find_body(&name).filter(|theirs| {
                let theirs = &other.parts.bodies.at(theirs.place()).part;
                theirs.body.kind == mine.body.kind
                    && (theirs.q.len(), theirs.v.len()) == (mine.q.len(), mine.v.len())
            });
            let Some(same) = same else {
                adopted.fresh.push(name);
                continue;
            };
            let (q, v) = other.numbers(same.place());
            let (mut q, mut v) = (q.to_vec(), v.to_vec());
            let center = other.parts.bodies.at(same.place()).part.body.mass.center;
            let part = &mut self.parts.bodies.at_mut(id.place()).part;
            move_center(&part.body, center, &mut q, &mut v);
            (part.q, part.v) = (q, v);
            adopted.kept.push(name);
        }
        for id in self.joint_ids().collect::<Vec<_>>() {
            let Some(turns) = self.turns_in(other, id) else { continue };
            if let Some(memory) = &mut self.parts.joints.at_mut(id.place()).part.memory {
                memory.turns = turns;
            }
        }
        // The states that came satisfy couplers that were there; others begin where they are.
        for entry in self.parts.constraints.iter_mut() {
            entry.part.coupler_offsets.clear();
        }
        (self.time, self.time_remainder) = (other.time, other.time_remainder);
        self.steps = other.steps;
        self.needs_grouping = true;
        // Balances begin here.
        self.account = super::Account {
            certificate: crate::measure::Certificate::empty(self.settings.accounts),
            ..super::Account::default()
        };
        self.assemble()?;
        Ok(adopted)
    }

    /// The turns that another world has counted for a joint of the same name and kind between bodies of the same names.
    fn turns_in(&self, other: &World, id: crate::JointId) -> Option<[f64; crate::joint::MAX_COORDINATES]> {
        let mine = self.describe_joint(id)?;
        let theirs = other.find_joint(&mine.name)?;
        let joint = other.describe_joint(theirs)?;
        let name_in = |world: &World, end: crate::End| end.body().map(|body| world.name(body));
        let same = joint.kind.name() == mine.kind.name()
            && name_in(self, mine.a) == name_in(other, joint.a)
            && name_in(self, mine.b) == name_in(other, joint.b);
        if !same {
            return None;
        }
        let (number, _) = [joint.a, joint.b]
            .into_iter()
            .filter_map(crate::End::body)
            .find_map(|body| other.island_of_body.get(body.index()).copied().flatten())?;
        let island = &other.islands[number as usize];
        let index = island.members.joints.binary_search(&theirs.place()).ok()?;
        let (model, state) = (island.sim.model(), island.sim.state());
        Some(model.joints[index].turns_at().map(|at| at.map_or(0.0, |at| state.turns[at])))
    }
}

/// Coordinates are those of centres of mass: with another one in the body, the frame of the body stays where it is.
///
///   p′ = p + R (c′ − c),   ṗ′ = ṗ + ω × R (c′ − c)
fn move_center(body: &Body, center: Vec3, q: &mut [f64], v: &mut [f64]) {
    let moved = body.mass.center - center;
    // General bodies have the origin of their frame; a point has no other place.
    if body.form.is_some() || moved == Vec3::ZERO {
        return;
    }
    let motion = body.kind.motion(q, v);
    let shift = motion.axes * moved;
    let (pos, vel) = (motion.pos + shift, motion.vel + motion.omega.cross(shift));
    let axes = if body.kind.is_planar() { 2 } else { 3 };
    q[..axes].copy_from_slice(&pos.to_array()[..axes]);
    v[..axes].copy_from_slice(&vel.to_array()[..axes]);
}
