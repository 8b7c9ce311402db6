//! The graph of frames of a model: every link, joint, frame and nested model has a pose relative to another of them.
//!
//! Names are full: those of a nested model have its name and `::` before them. A model's own frame is `__model__`.

use std::collections::BTreeMap;
use std::ops::Range;

use cardan::Frame;

use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::space::{compose, inverse};
use crate::import::xml::XmlText;
use crate::nearest::nearest;

/// The frame of a model.
pub(super) const MODEL: &str = "__model__";

/// A frame as it is given.
pub(super) struct GivenFrame {
    pub(super) pose: Frame,
    /// Full name of the frame that the pose is relative to; `None` is the world.
    pub(super) relative_to: Option<String>,
    /// The link that it moves with, or a frame that does; a link is its own.
    pub(super) attached_to: Option<String>,
    pub(super) at: Range<usize>,
}

/// All frames by their full names.
#[derive(Default)]
pub(super) struct Frames(BTreeMap<String, GivenFrame>);

impl Frames {
    /// Adds a frame; `false` if there is one of this name.
    pub(super) fn add(&mut self, name: String, frame: GivenFrame) -> bool {
        self.0.insert(name, frame).is_none()
    }

    /// Says what a frame moves with.
    pub(super) fn attach(&mut self, name: &str, to: String) {
        if let Some(frame) = self.0.get_mut(name) {
            frame.attached_to = Some(to);
        }
    }

    /// The poses of all frames in the world, each chain walked once.
    pub(super) fn resolve(self, text: &XmlText<'_>) -> Result<Resolved, SceneError> {
        let mut poses: BTreeMap<&str, Frame> = BTreeMap::new();
        for first in self.0.keys() {
            let (mut chain, mut at) = (Vec::new(), Some(first.as_str()));
            while let Some(name) = at.filter(|name| !poses.contains_key(name)) {
                let Some((name, frame)) = self.0.get_key_value(name) else {
                    let last: Option<&&str> = chain.last();
                    let range =
                        last.and_then(|name| self.0.get(*name)).map_or(0..0, |frame| frame.at.clone());
                    return Err(unknown(text, name, &self.0, range));
                };
                if chain.len() > self.0.len() {
                    let message = format!("the pose of `{}` is relative to itself", clip(name));
                    let help = "one frame of a chain must be relative to the model";
                    return Err(text.bad(frame.at.clone(), message, help));
                }
                chain.push(name.as_str());
                at = frame.relative_to.as_deref();
            }
            let mut pose = at.and_then(|name| poses.get(name)).copied().unwrap_or_default();
            for name in chain.into_iter().rev() {
                let frame = &self.0[name];
                pose = compose(&pose, &frame.pose);
                if !(pose.pos.is_finite() && pose.rot.to_wxyz().iter().all(|x| x.is_finite())) {
                    let message = format!("the position of `{}` is not finite", clip(name));
                    return Err(text.bad(
                        frame.at.clone(),
                        message,
                        "give poses of a size that numbers have",
                    ));
                }
                poses.insert(name, pose);
            }
        }
        let poses = poses.into_iter().map(|(name, pose)| (name.to_string(), pose)).collect();
        let links = self.links();
        Ok(Resolved { given: self.0, poses, links })
    }

    /// The links that frames move with, each chain walked once. A frame that leads to none, or to itself, has none.
    fn links(&self) -> BTreeMap<String, String> {
        let mut found: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for first in self.0.keys() {
            let (mut chain, mut at) = (Vec::new(), Some(first.as_str()));
            let link = loop {
                let Some(name) = at else { break None };
                if let Some(known) = found.get(name) {
                    break *known;
                }
                let next = self.0.get(name).and_then(|frame| frame.attached_to.as_deref());
                if next == Some(name) {
                    break Some(name);
                }
                // None until the end of the chain says more: a cycle has no end.
                found.insert(name, None);
                chain.push(name);
                at = next;
            };
            found.extend(chain.into_iter().map(|name| (name, link)));
            found.insert(first, link);
        }
        let owned = |(name, link): (&str, Option<&str>)| Some((name.to_string(), link?.to_string()));
        found.into_iter().filter_map(owned).collect()
    }
}

fn unknown(
    text: &XmlText<'_>,
    name: &str,
    known: &BTreeMap<String, GivenFrame>,
    at: Range<usize>,
) -> SceneError {
    let message = format!("there is no frame `{}`", clip(name));
    let help = match nearest(name, known.keys().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "name a link, a joint, a <frame> or a nested model".to_string(),
    };
    text.error(ErrorKind::UnknownName, at, message, &help)
}

/// All frames with their poses in the world.
pub(super) struct Resolved {
    given: BTreeMap<String, GivenFrame>,
    poses: BTreeMap<String, Frame>,
    /// The link that each frame moves with.
    links: BTreeMap<String, String>,
}

impl Resolved {
    /// The pose of a frame that exists.
    pub(super) fn pose(&self, name: &str) -> Frame {
        self.poses.get(name).copied().unwrap_or_default()
    }

    /// The pose of a frame that a model names.
    pub(super) fn named(
        &self,
        text: &XmlText<'_>,
        scope: &str,
        name: &str,
        at: Range<usize>,
    ) -> Result<Frame, SceneError> {
        let full = format!("{scope}{name}");
        self.poses.get(&full).copied().ok_or_else(|| unknown(text, &full, &self.given, at))
    }

    /// A pose relative to a named frame, in the frame of a link with this pose.
    pub(super) fn in_link(
        &self,
        text: &XmlText<'_>,
        scope: &str,
        (name, at): &(String, Range<usize>),
        link: &Frame,
    ) -> Result<Frame, SceneError> {
        let frame = self.named(text, scope, name, at.clone())?;
        Ok(compose(&inverse(link), &frame))
    }

    /// The link that a frame moves with; `None` if it leads to none.
    pub(super) fn link_of(&self, name: &str) -> Option<&str> {
        self.links.get(name).map(String::as_str)
    }

    /// Help for a name that is not there.
    pub(super) fn unknown(&self, text: &XmlText<'_>, name: &str, at: Range<usize>) -> SceneError {
        unknown(text, name, &self.given, at)
    }
}
