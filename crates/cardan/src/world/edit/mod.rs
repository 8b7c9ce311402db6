//! Edits between steps. Each is checked at once with the bodies it needs, and either applied or refused without any change. Islands with
//! parts of an edit are dissolved; the next step rebuilds them.
//!
//! | file | what it does |
//! |---|---|
//! | `add.rs` | adding parts |
//! | `remove.rs` | removing parts and what is attached to them |
//! | `switch.rs` | switching parts on and off |
//! | `change.rs` | changing parts, states, gravity and pair rules; impulses |

mod add;
mod change;
mod remove;
mod switch;

use super::island::Island;
use super::{PartId, World, WorldError};
use crate::body::Body;
use crate::model::{BodyId, ModelBuilder};

/// Effect of an edit on the joints of its bodies.
#[derive(Copy, Clone, PartialEq, Eq)]
enum EditEffect {
    /// They stay satisfied.
    Nothing,
    /// They may have to be closed.
    Joints,
}

impl World {
    /// All parts of a description, in their order.
    pub(super) fn add_all(&mut self, parts: ModelBuilder) -> Result<(), WorldError> {
        for (body, visual) in parts.bodies.into_iter().zip(parts.visuals) {
            self.add_body(Body { shapes: visual.to_vec(), ..body })?;
        }
        for joint in parts.joints {
            self.add_joint(joint)?;
        }
        for id in parts.auxiliary {
            self.make_auxiliary(id)?;
        }
        for added in parts.constraints {
            self.add(added)?;
        }
        for inequality in parts.inequalities {
            self.add_inequality(inequality)?;
        }
        for (shape, place) in parts.shapes.into_iter().zip(0..) {
            let id = self.add_shape(shape)?;
            if let Some(tags) = parts.shape_tags.get(&place) {
                self.parts.shape_tags.insert(id.index, tags.clone());
            }
        }
        for force in parts.forces {
            self.add_force(force)?;
        }
        for probe in parts.probes {
            self.add_probe(probe)?;
        }
        for impulse in parts.impulses {
            self.add_impulse(impulse)?;
        }
        for (a, b, rule) in parts.pair_rules {
            self.rule(a, b, rule)?;
        }
        Ok(())
    }

    /// Dissolves the islands of bodies.
    fn touch(&mut self, bodies: &[BodyId], what: EditEffect) {
        let island_of = |id: &BodyId| self.island_of_body.get(id.index()).copied().flatten();
        let mut islands: Vec<u32> = bodies.iter().filter_map(island_of).map(|(number, _)| number).collect();
        islands.sort_unstable();
        islands.dedup();
        self.combined = None;
        self.dissolve(&islands, what == EditEffect::Nothing);
        if what == EditEffect::Joints {
            for body in bodies {
                if let Some(fits) = self.fits.get_mut(body.index()) {
                    *fits = false;
                }
            }
        }
        self.needs_grouping = true;
    }

    /// Checks a part that has just been put in its place.
    fn check_new(&mut self, id: PartId, what: EditEffect) -> Result<(), WorldError> {
        self.parts.check(id, &mut self.local)?;
        let (bodies, _) = self.parts.needs(id);
        self.touch(&bodies, what);
        if has_rows(id) {
            self.note_new_condition(id);
        }
        Ok(())
    }

    fn touch_all(&mut self) {
        let all: Vec<u32> = (0..self.islands.len() as u32).collect();
        self.dissolve(&all, true);
        self.needs_grouping = true;
    }

    /// A shape of the ground concerns every island with shapes.
    fn touch_shapes(&mut self) {
        let has = |(i, island): (u32, &Island)| (!island.members.shapes.is_empty()).then_some(i);
        let all: Vec<u32> = (0..).zip(&self.islands).filter_map(has).collect();
        self.dissolve(&all, true);
        self.needs_grouping = true;
    }

    fn exists(&self, id: PartId) -> Result<(), WorldError> {
        let parts = &self.parts;
        match id {
            PartId::Body(id) => parts.bodies.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Joint(id) => parts.joints.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Constraint(id) => parts.constraints.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Inequality(id) => parts.inequalities.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Shape(id) => parts.shapes.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Force(id) => parts.forces.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Probe(id) => parts.probes.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
            PartId::Impulse(id) => parts.impulses.get(id).map(|_| ()).ok_or_else(|| parts.missing(id)),
        }
    }
}

/// Whether joints have to be closed again when it comes, goes or changes.
fn has_rows(id: PartId) -> bool {
    matches!(id, PartId::Joint(_) | PartId::Constraint(_))
}
