//! Assembly of pairs that start open and close in time (`assembly_time`). Equations: `cardan::constraint::Assemble`.

use cardan::ModelBuilder;
use cardan::constraint::Assemble;

use crate::error::SceneError;
use crate::kind::{KinematicPair, NamedJoint};
use crate::lower::Lower;

pub(crate) fn lower_open_pair(
    pair: &KinematicPair,
    lower: &Lower<'_>,
    at: &NamedJoint<'_>,
    duration: f64,
    parts: &mut ModelBuilder,
) -> Result<(), SceneError> {
    let NamedJoint { path, desc, .. } = at;
    let moves = ["drive", "servo", "motor", "spring", "friction", "zero"];
    if let Some(field) = moves.iter().find(|f| lower.document.get(&path.join(**f)).is_some()) {
        let message = "a joint with `assembly_time` has no coordinates";
        return Err(lower.bad(path.join(*field), message, "leave it out, or leave out `assembly_time`"));
    }
    let (on_a, on_b) = desc.ends();
    for name in [on_a, on_b] {
        if lower.scene.bodies.get(name).is_some_and(|body| body.kind.is_planar()) {
            let message = "joints with `assembly_time` are for bodies in space";
            return Err(lower.bad(path.join("assembly_time"), message, "give the bodies the kind `rigid`"));
        }
    }
    let (in_a, in_b) = pair.frames(lower, at)?;
    let kind = pair.kind(lower, at, in_a, in_b)?;
    let (a, b) = lower.poses(desc);
    let (frame_a, frame_b) = (a.frame_to_world(&in_a), b.frame_to_world(&in_b));
    let rule = Assemble::new(kind, &frame_a, &frame_b, duration).map_err(|error| {
        let help = "a fixed, revolute, spherical or universal joint takes `assembly_time`, such as \"2 s\"";
        lower.bad(path.join("assembly_time"), error.to_string(), help)
    })?;
    at.constrain(parts, vec![(lower.end(on_a), in_a), (lower.end(on_b), in_b)], rule)
}
