//! Bodies of a model, and where their coordinates are in a state.

use super::ModelBuilder;
use crate::body::BodyKind;
use crate::model::ModelBody;
use cardan_solve::Graph;
use std::sync::Arc;

/// All bodies of a model, and the sizes of coordinates and velocities.
pub(super) struct BodyTable {
    pub(super) bodies: Vec<ModelBody>,
    pub(super) runs: Vec<(BodyKind, usize)>,
    pub(super) q_len: usize,
    pub(super) v_len: usize,
}

impl ModelBuilder {
    /// Bodies without their names, one block of the graph each.
    pub(super) fn resolve_bodies(&self, graph: &mut Graph) -> BodyTable {
        let mut bodies = Vec::with_capacity(self.bodies.len());
        let mut runs: Vec<(BodyKind, usize)> = Vec::new();
        let (mut q_len, mut v_len) = (0, 0);
        for (body, visual) in self.bodies.iter().zip(&self.visuals) {
            match runs.last_mut() {
                Some((kind, count)) if *kind == body.kind => *count += 1,
                _ => runs.push((body.kind, 1)),
            }
            let block = graph.add_block(body.kind.dim());
            let before: Option<&ModelBody> = bodies.last();
            let mass = match before {
                Some(before) if *before.mass == body.mass => before.mass.clone(),
                _ => Arc::new(body.mass),
            };
            bodies.push(ModelBody {
                // Taken from the description at the end, when it is no longer needed there.
                name: String::new(),
                kind: body.kind,
                mass,
                shapes: visual.clone(),
                block,
                q_at: q_len as u32,
                v_at: v_len as u32,
                general: None,
            });
            q_len += body.kind.coordinates();
            v_len += body.kind.dim();
        }
        BodyTable { bodies, runs, q_len, v_len }
    }
}
