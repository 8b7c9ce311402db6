//! Switching parts on and off.

use super::{EditEffect, has_rows};
use crate::model::Id;
use crate::world::{PartId, World, WorldError};

impl World {
    /// Switches a part on again. A body comes back in its last pose; a joint closes by its frames, as described; a coupler whose offsets
    /// follow from the pose takes them from the present pose, like a clutch.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn enable(&mut self, id: impl Into<PartId>) -> Result<(), WorldError> {
        self.switch(id.into(), true)
    }

    /// Switches a part off: it keeps its id and has no effect. Parts attached to a body that is off have no effect either.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn disable(&mut self, id: impl Into<PartId>) -> Result<(), WorldError> {
        self.switch(id.into(), false)
    }

    /// Whether a part is switched on; false if there is none.
    pub fn is_enabled(&self, id: impl Into<PartId>) -> bool {
        let parts = &self.parts;
        let on = match id.into() {
            PartId::Body(id) => parts.bodies.get(id).map(|e| e.enabled),
            PartId::Joint(id) => parts.joints.get(id).map(|e| e.enabled),
            PartId::Constraint(id) => parts.constraints.get(id).map(|e| e.enabled),
            PartId::Inequality(id) => parts.inequalities.get(id).map(|e| e.enabled),
            PartId::Shape(id) => parts.shapes.get(id).map(|e| e.enabled),
            PartId::Force(id) => parts.forces.get(id).map(|e| e.enabled),
            PartId::Probe(id) => parts.probes.get(id).map(|e| e.enabled),
            PartId::Impulse(id) => parts.impulses.get(id).map(|e| e.enabled),
        };
        on.unwrap_or(false)
    }

    fn switch(&mut self, id: PartId, on: bool) -> Result<(), WorldError> {
        self.exists(id)?;
        if self.is_enabled(id) == on {
            return Ok(());
        }
        let mut bodies = self.parts.needs(id).0;
        let attached = self.attached(id);
        bodies.extend(attached.iter().flat_map(|id| self.parts.needs(*id).0));
        let conditions: Vec<PartId> = attached.into_iter().chain([id]).filter(|id| has_rows(*id)).collect();
        let rows = !conditions.is_empty();
        if on {
            conditions.into_iter().for_each(|id| self.note_new_condition(id));
        }
        let on_ground = matches!(id, PartId::Shape(_)) && bodies.is_empty();
        self.touch(&bodies, if rows { EditEffect::Joints } else { EditEffect::Nothing });
        if on_ground {
            self.touch_shapes();
        }
        let parts = &mut self.parts;
        let entry = match id {
            PartId::Body(id) => parts.bodies.get_mut(id).map(|e| &mut e.enabled),
            PartId::Joint(id) => parts.joints.get_mut(id).map(|e| &mut e.enabled),
            PartId::Constraint(id) => parts.constraints.get_mut(id).map(|e| &mut e.enabled),
            PartId::Inequality(id) => parts.inequalities.get_mut(id).map(|e| &mut e.enabled),
            PartId::Shape(id) => parts.shapes.get_mut(id).map(|e| &mut e.enabled),
            PartId::Force(id) => parts.forces.get_mut(id).map(|e| &mut e.enabled),
            PartId::Probe(id) => parts.probes.get_mut(id).map(|e| &mut e.enabled),
            PartId::Impulse(id) => parts.impulses.get_mut(id).map(|e| &mut e.enabled),
        };
        if let Some(enabled) = entry {
            *enabled = on;
        }
        // What keeps what was posed takes hold where it is.
        match id {
            PartId::Joint(id) => {
                // Turns stay counted, since couplers may count on them; laws begin anew.
                if let Some(memory) = &mut self.parts.joints.at_mut(id.place()).part.memory {
                    memory.drives.clear();
                }
            }
            PartId::Body(id) if !on => {
                self.proximity.pairs.retain(|(a, b)| *a != id.place() && *b != id.place());
            }
            PartId::Constraint(id) => self.parts.constraints.at_mut(id.place()).part.coupler_offsets.clear(),
            _ => {}
        }
        Ok(())
    }
}
