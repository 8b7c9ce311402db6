//! Removing parts, and with a body or joint what is attached to it.

use super::{EditEffect, has_rows};
use crate::model::{
    BodyId, ConstraintId, End, ForceId, Id, ImpulseId, InequalityId, JointId, ProbeId, ShapeId,
};
use crate::world::{PartId, World, WorldError};

impl World {
    /// Removes a part, and with a body or joint what is attached to it. Tells what is gone, the part itself last.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn remove(&mut self, id: impl Into<PartId>) -> Result<Vec<PartId>, WorldError> {
        let id = id.into();
        self.exists(id)?;
        let mut gone = self.attached(id);
        gone.push(id);
        let bodies: Vec<BodyId> = gone.iter().flat_map(|id| self.parts.needs(*id).0).collect();
        let on_ground = matches!(id, PartId::Shape(_)) && bodies.is_empty();
        self.touch(
            &bodies,
            if gone.iter().any(|id| has_rows(*id)) { EditEffect::Joints } else { EditEffect::Nothing },
        );
        if on_ground {
            self.touch_shapes();
        }
        let parts = &mut self.parts;
        for id in &gone {
            let name = parts.name_of(*id);
            match *id {
                PartId::Body(id) => {
                    parts.bodies.remove(id);
                    parts.names.bodies.remove(&name);
                    let mine = |end: &End| end.body() == Some(id);
                    parts.pair_rules.retain(|(a, b, _)| !mine(a) && !mine(b));
                    self.proximity.pairs.retain(|(a, b)| *a != id.place() && *b != id.place());
                }
                PartId::Joint(id) => {
                    parts.joints.remove(id);
                    parts.names.joints.remove(&name);
                }
                PartId::Constraint(id) => {
                    parts.constraints.remove(id);
                    parts.names.joints.remove(&name);
                }
                PartId::Inequality(id) => {
                    parts.inequalities.remove(id);
                    parts.names.joints.remove(&name);
                }
                PartId::Shape(id) => {
                    parts.shapes.remove(id);
                    parts.shape_tags.remove(&id.place());
                }
                PartId::Force(id) => {
                    parts.forces.remove(id);
                    parts.names.forces.remove(&name);
                }
                PartId::Probe(id) => {
                    parts.probes.remove(id);
                    parts.names.probes.remove(&name);
                }
                PartId::Impulse(id) => {
                    parts.impulses.remove(id);
                    parts.names.impulses.remove(&name);
                }
            }
        }
        self.forget_active_conditions(&gone);
        Ok(gone)
    }

    /// What was pressed by parts that are gone, or are no longer what they were, presses no more.
    pub(super) fn forget_active_conditions(&mut self, gone: &[PartId]) {
        use crate::world::island::Condition;
        let joint = |place: u32| gone.iter().any(|id| matches!(id, PartId::Joint(j) if j.place() == place));
        let shape = |place: u32| gone.iter().any(|id| matches!(id, PartId::Shape(s) if s.place() == place));
        let declared =
            |place: u32| gone.iter().any(|id| matches!(id, PartId::Inequality(i) if i.place() == place));
        self.active_conditions.retain(|(condition, _)| match *condition {
            Condition::Declared(place) => !declared(place),
            Condition::Limit(place, ..) | Condition::Friction(place, _) => !joint(place),
            Condition::Contact(a, b, _) => !shape(a) && !shape(b),
        });
    }

    /// Everything attached to a body or joint, in an order in which it can be removed.
    pub(super) fn attached(&self, to: PartId) -> Vec<PartId> {
        let parts = &self.parts;
        let mut all: Vec<PartId> = Vec::new();
        if !matches!(to, PartId::Body(_) | PartId::Joint(_)) {
            return all;
        }
        all.extend(parts.impulses.ids::<ImpulseId>().map(PartId::from));
        all.extend(parts.probes.ids::<ProbeId>().map(PartId::from));
        all.extend(parts.forces.ids::<ForceId>().map(PartId::from));
        all.extend(parts.shapes.ids::<ShapeId>().map(PartId::from));
        all.extend(parts.inequalities.ids::<InequalityId>().map(PartId::from));
        all.extend(parts.constraints.ids::<ConstraintId>().map(PartId::from));
        all.extend(parts.joints.ids::<JointId>().map(PartId::from));
        all.retain(|id| {
            let (bodies, joints) = parts.needs(*id);
            match to {
                PartId::Body(body) => bodies.contains(&body),
                PartId::Joint(joint) => joints.contains(&joint),
                _ => false,
            }
        });
        all
    }
}
