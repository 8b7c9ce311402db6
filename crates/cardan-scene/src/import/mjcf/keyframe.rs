//! `<keyframe>`: a state to start from, by its name or number.

use super::compiler::sections;
use super::fields::ElementReader;
use super::files::Item;
use super::tree::{Model, MotionType};
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::nearest::nearest;

/// Positions, rates and controls at the start; empty where nothing is said.
#[derive(Default)]
pub(super) struct Keyframe {
    positions: Vec<f64>,
    rates: Vec<f64>,
    pub(super) controls: Vec<f64>,
    /// Of each joint: where its positions and rates start, and how many there are.
    places: Vec<([usize; 2], [usize; 2])>,
}

impl Keyframe {
    pub(super) fn position(&self, joint: usize) -> Option<&[f64]> {
        let ([from, count], _) = *self.places.get(joint)?;
        self.positions.get(from..from + count)
    }

    pub(super) fn rate(&self, joint: usize) -> Option<&[f64]> {
        let (_, [from, count]) = *self.places.get(joint)?;
        self.rates.get(from..from + count)
    }
}

/// The key frame that is asked for; without one the pose of the file.
pub(super) fn read_key<'a>(
    reader: &ElementReader<'_, 'a>,
    model: &Model<'a>,
    wanted: Option<&str>,
) -> Result<Keyframe, SceneError> {
    let files = &reader.files;
    let keys: Vec<Item<'a>> = sections(files, "keyframe")
        .flat_map(|item| files.children(item))
        .filter(|key| key.tag() == "key")
        .collect();
    let Some(wanted) = wanted else { return Ok(Keyframe::default()) };
    let by_name = keys.iter().find(|key| key.node.attribute("name") == Some(wanted));
    let Some(&key) = by_name.or_else(|| keys.get(wanted.parse::<usize>().ok()?)) else {
        let names: Vec<&str> = keys.iter().filter_map(|key| key.node.attribute("name")).collect();
        let help = match nearest(wanted, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if keys.is_empty() => "the model has no <keyframe>".to_string(),
            None => format!("there are {}, by name or number from 0", keys.len()),
        };
        let message = format!("there is no key frame `{}`", clip(wanted));
        return Err(files.error(files.root(), ErrorKind::UnknownName, message, &help));
    };
    let (mut places, mut nq, mut nv) = (Vec::new(), 0, 0);
    for joint in &model.joints {
        let (q, v) = match joint.kind {
            MotionType::Free => (7, 6),
            MotionType::Ball => (4, 3),
            MotionType::Slide | MotionType::Hinge => (1, 1),
        };
        places.push(([nq, q], [nv, v]));
        (nq, nv) = (nq + q, nv + v);
    }
    let fields = reader.plain(key);
    let all = |name: &str, want: usize| -> Result<Vec<f64>, SceneError> {
        let found = fields.numbers(name, 0..=1_000_000)?.unwrap_or_default();
        if found.is_empty() || found.len() == want {
            return Ok(found);
        }
        let message = format!("`{name}` has {} numbers, not {want}", found.len());
        let help = "7 for a free joint, 4 for a ball, 1 for any other; rates 6, 3 and 1";
        Err(fields.bad(name, message, help))
    };
    let (positions, rates) = (all("qpos", nq)?, all("qvel", nv)?);
    let controls = fields.numbers("ctrl", 0..=1_000_000)?.unwrap_or_default();
    Ok(Keyframe { positions, rates, controls, places })
}
