//! Forces and probes of a model.

use super::ModelBuilder;
use super::check::check_number;
use crate::body::Frame;
use crate::force::ForceKind;
use crate::model::{BuildError, ModelForce, ModelProbe};

impl ModelBuilder {
    /// Forces in their order.
    pub(super) fn resolve_forces(&mut self) -> Result<Vec<ModelForce>, BuildError> {
        let mut forces = Vec::with_capacity(self.forces.len());
        for force in std::mem::take(&mut self.forces) {
            let kind = force.kind;
            if kind.frames().is_some_and(|n| n != force.frames.len()) {
                let (name, what) = (force.name, kind.name());
                return Err(BuildError::WrongFrames { name, what, have: force.frames.len() });
            }
            if let ([(a, _), (b, _)], Some(2)) = (&force.frames[..], kind.frames())
                && a == b
            {
                let end = self.lookup("force", &force.name, *a)?.map_or("ground", |(_, body)| &body.name);
                return Err(BuildError::ForceOnItself { force: force.name.clone(), end: end.to_string() });
            }
            for (field, value, not_negative) in kind.parameters() {
                check_number("force", &force.name, field, value, not_negative)?;
            }
            if let ForceKind::Scheduled(scheduled) = &kind {
                let (part, name, law) = ("force", force.name.clone(), scheduled.law.name());
                scheduled.law.check().map_err(|error| BuildError::Law { part, name, law, error })?;
            }
            let frames = self.resolve_frames("force", &force.name, kind.name(), &force.frames, |end| {
                kind.needs_orientation(end)
            })?;
            forces.push(ModelForce { name: force.name, kind, frames });
        }
        Ok(forces)
    }

    /// Probes in their order.
    pub(super) fn resolve_probes(&self) -> Result<Vec<ModelProbe>, BuildError> {
        let mut probes = Vec::with_capacity(self.probes.len());
        for probe in &self.probes {
            let at =
                self.attach("probe", &probe.name, "point", probe.body, &Frame::at(probe.point), false)?;
            probes.push(ModelProbe { name: probe.name.clone(), at });
        }
        Ok(probes)
    }
}
