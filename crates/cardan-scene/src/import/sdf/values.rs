//! Values of SDF: numbers, words and poses as the text of elements.

use std::ops::Range;

use cardan::Frame;
use cardan::math::Quat;
use roxmltree::Node;

use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::space::from_rpy;
use crate::import::xml::{XmlText, child, start, value_range};

/// The text inside an element, and where it is.
pub(super) fn inner<'n>(node: Node<'n, '_>) -> (&'n str, Range<usize>) {
    let word = node.text().unwrap_or_default();
    let range = node.first_child().filter(Node::is_text).map_or(start(node), |inside| {
        let whole = inside.range();
        let lead = word.len() - word.trim_start().len();
        // Entities are longer in the file than in the text: stay inside.
        let from = (whole.start + lead).min(whole.end);
        from..(from + word.trim().len()).min(whole.end)
    });
    (word.trim(), range)
}

/// Numbers between blanks, all finite.
pub(super) fn numbers(text: &XmlText<'_>, node: Node<'_, '_>, most: usize) -> Result<Vec<f64>, SceneError> {
    let (words, range) = inner(node);
    let mut all = Vec::new();
    for word in words.split_whitespace().take(most + 1) {
        let number = word.parse::<f64>().map_err(|_| {
            let message = format!("`{}` is not a number", clip(word));
            text.error(ErrorKind::WrongType, range.clone(), message, "numbers are written as 0.5 or 5e-1")
        })?;
        if !number.is_finite() {
            let message = format!("<{}> is not finite", clip(node.tag_name().name()));
            return Err(text.bad(range, message, "give a finite number"));
        }
        all.push(number);
    }
    Ok(all)
}

/// So many numbers.
pub(super) fn vector<const N: usize>(text: &XmlText<'_>, node: Node<'_, '_>) -> Result<[f64; N], SceneError> {
    let all = numbers(text, node, N)?;
    all.as_slice().try_into().map_err(|_| {
        let tag = clip(node.tag_name().name());
        let message =
            format!("<{tag}> has {} numbers, not {N}", if all.len() > N { "more" } else { "fewer" });
        let help = format!("write <{tag}>{}</{tag}>", vec!["0"; N].join(" "));
        text.error(ErrorKind::WrongType, inner(node).1, message, &help)
    })
}

/// The number of an element inside, if it is there. Infinite words count as large numbers, which SDF uses for "none".
pub(super) fn number(text: &XmlText<'_>, node: Node<'_, '_>, tag: &str) -> Result<Option<f64>, SceneError> {
    let Some(found) = child(node, tag) else { return Ok(None) };
    match inner(found).0.trim_start_matches('+') {
        "inf" | "infinity" => return Ok(Some(NONE)),
        "-inf" | "-infinity" => return Ok(Some(-NONE)),
        _ => {}
    }
    Ok(Some(vector::<1>(text, found)?[0]))
}

/// Limits as large as this are none.
pub(super) const NONE: f64 = 1e16;

/// The word of an element inside.
pub(super) fn word<'n>(
    text: &XmlText<'_>,
    node: Node<'n, '_>,
    tag: &str,
) -> Result<(&'n str, Range<usize>), SceneError> {
    let found = child(node, tag).map(inner).filter(|(word, _)| !word.is_empty());
    found.ok_or_else(|| {
        let message = format!("<{}> has no <{tag}>", clip(node.tag_name().name()));
        text.error(ErrorKind::MissingField, start(node), message, &format!("write <{tag}>…</{tag}>"))
    })
}

/// True for `true` and `1`.
pub(super) fn flag(node: Node<'_, '_>, tag: &str) -> bool {
    child(node, tag).is_some_and(|found| matches!(inner(found).0, "true" | "1"))
}

/// A pose, and the frame that it is relative to.
pub(super) struct GivenPose {
    pub(super) pose: Frame,
    pub(super) relative_to: Option<(String, Range<usize>)>,
}

/// `<pose relative_to="…">x y z roll pitch yaw</pose>` of an element; the identity without one.
pub(super) fn pose(text: &XmlText<'_>, node: Node<'_, '_>) -> Result<GivenPose, SceneError> {
    let Some(found) = child(node, "pose") else {
        return Ok(GivenPose { pose: Frame::default(), relative_to: None });
    };
    let relative_to = found.attribute("relative_to").filter(|name| !name.trim().is_empty());
    let relative_to = relative_to.map(|name| (name.to_string(), value_range(found, "relative_to")));
    if inner(found).0.is_empty() {
        return Ok(GivenPose { pose: Frame::default(), relative_to });
    }
    let pose = match found.attribute("rotation_format").unwrap_or("euler_rpy") {
        "euler_rpy" => {
            let [x, y, z, r, p, yaw] = vector::<6>(text, found)?;
            let in_degrees = found.attribute("degrees").is_some_and(|word| matches!(word, "true" | "1"));
            let unit = if in_degrees { core::f64::consts::PI / 180.0 } else { 1.0 };
            Frame { pos: [x, y, z].into(), rot: from_rpy([r * unit, p * unit, yaw * unit]) }
        }
        "quat_xyzw" => {
            let [x, y, z, qx, qy, qz, qw] = vector::<7>(text, found)?;
            let rot = Quat::from_wxyz(qw, qx, qy, qz).ok_or_else(|| {
                text.bad(inner(found).1, "the quaternion is zero", "no rotation is 0 0 0 1 (x y z w)")
            })?;
            Frame { pos: [x, y, z].into(), rot }
        }
        other => {
            let message = format!("there is no rotation_format `{}`", clip(other));
            let help = "it is euler_rpy or quat_xyzw";
            return Err(text.error(
                ErrorKind::UnknownKind,
                value_range(found, "rotation_format"),
                message,
                help,
            ));
        }
    };
    Ok(GivenPose { pose, relative_to })
}
