//! `<attach>`: a body of another model, with all that belongs to it, as a part of this one.
//!
//! `<asset><model name="arm" file="arm.xml"/></asset>` names a model, and `<attach model="arm" body="base"
//! prefix="left/"/>` puts a body of it, or without `body` its whole world, where the element stands. The part
//! keeps its own `<compiler>` and `<default>`s; its names get the prefix. What refers to something that is
//! not attached is left out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::compiler::{Compiler, sections};
use super::fields::{Classes, ElementReader};
use super::files::{Files, Item};
use super::tree::{Model, NamedPart};
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::report::{ImportReport, Treatment};
use crate::import::xml::{MAX_NAME, value_range};
use crate::nearest::nearest;

/// Most elements `<attach>` of a model.
const MAX_ATTACHED: usize = 256;

/// A model, or a part of it that another model gives: how its elements are read.
pub(super) struct ModelPart<'a> {
    pub(super) files: Files<'a>,
    pub(super) classes: Classes<'a>,
    pub(super) compiler: Compiler,
    pub(super) prefix: &'a str,
    /// Of a part: the folder of its file.
    pub(super) folder: Option<PathBuf>,
    /// Of a part: its `<attach>`.
    pub(super) at: Option<Item<'a>>,
}

impl<'a> ModelPart<'a> {
    pub(super) fn reader(&self) -> ElementReader<'_, 'a> {
        let Self { files, classes, compiler, prefix, folder, .. } = self;
        ElementReader { files: *files, classes, compiler, prefix, folder: folder.as_deref() }
    }

    fn read(
        files: Files<'a>,
        at: Option<Item<'a>>,
        prefix: &'a str,
        report: &mut ImportReport,
    ) -> Result<Self, SceneError> {
        let (compiler, classes) = (Compiler::read(&files, report)?, Classes::read(&files)?);
        let path = files.text(files.root()).file;
        let folder = at.and_then(|_| PathBuf::from(path).parent().map(|folder| folder.to_path_buf()));
        Ok(Self { files, classes, compiler, prefix, folder, at })
    }

    /// The model itself, and a part for every `<attach>` in it.
    pub(super) fn read_all(files: &Files<'a>, report: &mut ImportReport) -> Result<Vec<Self>, SceneError> {
        let mut parts = vec![Self::read(*files, None, "", report)?];
        let assets = sections(files, "asset").flat_map(|section| files.children(section));
        let mut models: BTreeMap<&str, usize> = BTreeMap::new();
        for item in assets.filter(|item| item.tag() == "model") {
            let Some(&first) = files.models.get(&(item.file, item.node.range().start)) else { continue };
            let stem = || std::path::Path::new(files.texts[first].file).file_stem()?.to_str();
            if let Some(name) = item.node.attribute("name").or_else(stem) {
                models.insert(name, first);
            }
        }
        let mut open: Vec<Item<'a>> = files.children(files.root());
        open.reverse();
        while let Some(item) = open.pop() {
            if item.tag() != "attach" {
                open.extend(files.children(item).into_iter().rev());
                continue;
            }
            if parts.len() > MAX_ATTACHED {
                let message = format!("more than {MAX_ATTACHED} models are attached");
                return Err(files.error(item, ErrorKind::TooLarge, message, "write them into one model"));
            }
            let text = files.text(item);
            let name = text.name(item.node, "model")?;
            let Some(&first) = models.get(name) else {
                let help = match nearest(name, models.keys().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "models are given as <asset><model name=\"…\" file=\"…\"/></asset>".to_string(),
                };
                let message = format!("there is no model `{}`", clip(name));
                let range = value_range(item.node, "model");
                return Err(text.error(ErrorKind::UnknownName, range, message, &help));
            };
            let root = files.trees[first].root_element().tag_name().name();
            if !matches!(root, "mujoco" | "mujocoinclude") {
                let message = format!("`{}` is no MJCF model: it starts with <{}>", clip(name), clip(root));
                let help = "attach an MJCF file; `cardan export ROBOT -o NAME.xml` makes one";
                return Err(files.bad_value(item, "model", message, help));
            }
            let prefix = item.node.attribute("prefix").unwrap_or("");
            if prefix.len() > MAX_NAME {
                let message = format!("a prefix of {} characters is not read", prefix.len());
                return Err(files.bad_value(item, "prefix", message, "names are short"));
            }
            parts.push(Self::read(Files { first, ..*files }, Some(item), prefix, report)?);
        }
        Ok(parts)
    }

    /// Where the attached elements start, each with the class around it: the content of the world, or one
    /// body.
    pub(super) fn roots(&self, at: Item<'a>) -> Result<Vec<(Item<'a>, usize)>, SceneError> {
        let mut open = Vec::new();
        for world in sections(&self.files, "worldbody") {
            let class = self.classes.named(&self.files, world, "childclass")?.unwrap_or(super::fields::MAIN);
            open.extend(self.files.children(world).into_iter().map(|item| (item, class)));
        }
        let Some(wanted) = at.node.attribute("body") else { return Ok(open) };
        open.reverse();
        let mut names = Vec::new();
        while let Some((item, class)) = open.pop() {
            let own = item.node.attribute("name").filter(|_| item.tag() == "body");
            if own == Some(wanted) {
                return Ok(vec![(item, class)]);
            }
            names.extend(own);
            if matches!(item.tag(), "body" | "frame" | "replicate") {
                let class = self.classes.named(&self.files, item, "childclass")?.unwrap_or(class);
                open.extend(self.files.children(item).into_iter().rev().map(|item| (item, class)));
            }
        }
        let help = match nearest(wanted, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name a body of the model, or leave `body` out for all".to_string(),
        };
        let message = format!("the model has no body `{}`", clip(wanted));
        let range = value_range(at.node, "body");
        Err(self.files.text(at).error(ErrorKind::UnknownName, range, message, &help))
    }
}

/// Attributes that refer to bodies, joints and sites.
const REFERENCES: [(&str, NamedPart); 10] = [
    ("joint", NamedPart::Joint),
    ("jointinparent", NamedPart::Joint),
    ("joint1", NamedPart::Joint),
    ("joint2", NamedPart::Joint),
    ("body1", NamedPart::Body),
    ("body2", NamedPart::Body),
    ("site", NamedPart::Site),
    ("site1", NamedPart::Site),
    ("site2", NamedPart::Site),
    ("refsite", NamedPart::Site),
];

/// The elements of a section in all parts, with the part. Those of attached parts that refer to something
/// that is not attached are left out.
pub(super) fn section_items<'r, 'a>(
    readers: &'r [ElementReader<'r, 'a>],
    tag: &str,
    model: &Model<'a>,
    report: &mut ImportReport,
) -> Vec<(&'r ElementReader<'r, 'a>, Item<'a>)> {
    let mut found = Vec::new();
    for (part, reader) in readers.iter().enumerate() {
        let files = &reader.files;
        for item in sections(files, tag).flat_map(|section| files.children(section)) {
            let is_there = |item: Item<'a>| {
                REFERENCES.iter().all(|(attribute, kind)| match item.node.attribute(*attribute) {
                    Some("world") => true,
                    Some(name) => model.find(*kind, &format!("{}{name}", reader.prefix)).is_some(),
                    None => true,
                })
            };
            if part == 0 || is_there(item) && files.children(item).into_iter().all(is_there) {
                found.push((reader, item));
            } else {
                let what = format!("<{}> of <{tag}> whose parts are not attached", clip(item.tag()));
                files.note(report, Treatment::Ignored, &what, item);
            }
        }
    }
    found
}
