//! Assembly of pairs that start open and close in time (`close_in`). Equations: `cardan::constraint::Assemble`.

use cardan::ModelBuilder;
use cardan::constraint::Assemble;

use crate::error::SceneError;
use crate::kind::{KinematicPair, NamedJoint};
use crate::lower::Lower;

pub(crate) fn lower_closing_pair(
    pair: &KinematicPair,
    lower: &Lower<'_>,
    at: &NamedJoint<'_>,
    duration: f64,
    parts: &mut ModelBuilder,
) -> Result<(), SceneError> {
    let NamedJoint { path, desc, .. } = at;
    let moves = ["drive", "servo", "motor", "spring", "friction", "zero"];
    if let Some(field) = moves.iter().find(|f| lower.document.get(&path.join(**f)).is_some()) {
        let message = "a joint with `close_in` has no coordinates";
        return Err(lower.bad(path.join(*field), message, "leave it out, or leave out `close_in`"));
    }
    let (on_a, on_b) = desc.ends();
    for name in [on_a, on_b] {
        if lower.scene.bodies.get(name).is_some_and(|body| body.kind.is_planar()) {
            let message = "joints with `close_in` are for bodies in space";
            return Err(lower.bad(path.join("close_in"), message, "give the bodies the kind `rigid`"));
        }
    }
    let (in_a, in_b) = pair.frames(lower, at)?;
    let kind = pair.kind(lower, at, in_a, in_b)?;
    let (a, b) = lower.poses(desc);
    let (frame_a, frame_b) = (a.frame_to_world(&in_a), b.frame_to_world(&in_b));
    let rule = Assemble::new(kind, &frame_a, &frame_b, duration).map_err(|error| {
        let help = "a fixed, revolute, spherical or universal joint takes `close_in`, such as \"2 s\"";
        lower.bad(path.join("close_in"), error.to_string(), help)
    })?;
    at.constrain(parts, vec![(lower.end(on_a), in_a), (lower.end(on_b), in_b)], rule)
}
