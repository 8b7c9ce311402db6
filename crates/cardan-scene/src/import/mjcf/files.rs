//! The files of an MJCF model: the model itself and what it includes, and their elements with the included
//! ones in place.
//!
//! `<include file="…"/>` stands for the elements inside the root of that file, anywhere in the model. A file
//! is included once, as in MuJoCo, so that no cycle and no expansion without bound is possible.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use roxmltree::{Document as Tree, Node};

use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::paths::{FileFinder, FoundFile};
use crate::import::read_at_most;
use crate::import::report::{ImportReport, Treatment};
use crate::import::xml::{self, XmlText, elements, start};

/// Most files that a model includes.
const MAX_INCLUDES: usize = 256;

/// The name and the text of each file, the model first, and which file each `<include>` stands for.
pub(super) struct LoadedFiles {
    pub(super) texts: Vec<(String, String)>,
    /// By file and byte of the element.
    pub(super) includes: BTreeMap<(usize, usize), usize>,
}

impl LoadedFiles {
    /// Reads a model and what it includes.
    pub(super) fn read(name: &str, text: &str, finder: &FileFinder<'_>) -> Result<Self, SceneError> {
        let mut loaded =
            Self { texts: vec![(name.to_string(), text.to_string())], includes: BTreeMap::new() };
        let (mut seen, mut next, mut size): (BTreeSet<PathBuf>, usize, usize) =
            (BTreeSet::new(), 0, text.len());
        seen.extend(finder.folder().join(Path::new(name).file_name().unwrap_or_default()).canonicalize());
        while next < loaded.texts.len() {
            let found = loaded.included(next, finder)?;
            for (at, path, range) in found {
                let (name, text) = &loaded.texts[next];
                let source = XmlText::new(name, text);
                let refuse = |message: String, help: &str| source.bad(range.clone(), message, help);
                if !seen.insert(path.clone()) {
                    let message = format!("`{}` is included already", path.display());
                    return Err(refuse(message, "a file is included once; remove this <include>"));
                }
                if seen.len() > MAX_INCLUDES {
                    let message = format!("more than {MAX_INCLUDES} files are included");
                    return Err(refuse(message, "write the parts into fewer files"));
                }
                let bytes = read_at_most(&path, xml::MAX_SIZE)
                    .map_err(|error| refuse(format!("`{}`: {error}", path.display()), "check the file"))?;
                size += bytes.len();
                if size > xml::MAX_SIZE {
                    let message = format!("the files of the model have more than {} MB", xml::MAX_SIZE >> 20);
                    return Err(refuse(message, "a model has far less"));
                }
                let name = path.display().to_string();
                let text = crate::import::utf8(&name, bytes)?;
                let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_string();
                loaded.includes.insert((next, at), loaded.texts.len());
                loaded.texts.push((name, text));
            }
            next += 1;
        }
        Ok(loaded)
    }

    /// The files that one of the files includes: byte of the element, path, range for messages.
    #[allow(clippy::type_complexity)]
    fn included(
        &self,
        file: usize,
        finder: &FileFinder<'_>,
    ) -> Result<Vec<(usize, PathBuf, std::ops::Range<usize>)>, SceneError> {
        let (name, text) = &self.texts[file];
        let source = XmlText::new(name, text);
        let tree = source.parse()?;
        let mut found = Vec::new();
        for node in tree.root_element().descendants().filter(|n| n.is_element()) {
            if node.tag_name().name() != "include" {
                continue;
            }
            let uri = source.name(node, "file")?;
            let range = xml::value_range(node, "file");
            match finder.find(uri) {
                FoundFile::At(path) => found.push((node.range().start, path, range)),
                FoundFile::Missing(why) => {
                    let message = format!("`{}` cannot be included: {}", clip(uri), clip(&why));
                    let help = "the path is from the folder of the model";
                    return Err(source.error(ErrorKind::Io, range, message, help));
                }
                FoundFile::Outside(folder) => {
                    let message = format!("`{}` lies outside the folder of the model", clip(uri));
                    let help = format!(
                        "move it there, name its folder (--package NAME={}), or read files from anywhere with --allow-outside",
                        folder.display()
                    );
                    return Err(source.bad(range, message, &help));
                }
            }
        }
        Ok(found)
    }
}

/// An element and the file that it is in.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    pub(super) node: Node<'a, 'a>,
    pub(super) file: usize,
}

impl<'a> Item<'a> {
    pub(super) fn tag(&self) -> &'a str {
        self.node.tag_name().name()
    }
}

/// The parsed files of a model.
#[derive(Clone, Copy)]
pub(super) struct Files<'a> {
    pub(super) texts: &'a [XmlText<'a>],
    pub(super) trees: &'a [Tree<'a>],
    pub(super) includes: &'a BTreeMap<(usize, usize), usize>,
}

impl<'a> Files<'a> {
    pub(super) fn root(&self) -> Item<'a> {
        Item { node: self.trees[0].root_element(), file: 0 }
    }

    /// The elements inside an element; an `<include>` stands for what is inside the root of its file.
    pub(super) fn children(&self, of: Item<'a>) -> Vec<Item<'a>> {
        let inside = |of: Item<'a>| {
            let mut all: Vec<Item<'a>> = elements(of.node).map(|node| Item { node, file: of.file }).collect();
            all.reverse();
            all
        };
        let (mut found, mut open) = (Vec::new(), inside(of));
        // Files are included once, so that this ends.
        while let Some(item) = open.pop() {
            if item.tag() != "include" {
                found.push(item);
            } else if let Some(&file) = self.includes.get(&(item.file, item.node.range().start)) {
                open.extend(inside(Item { node: self.trees[file].root_element(), file }));
            }
        }
        found
    }

    pub(super) fn text(&self, item: Item<'a>) -> &'a XmlText<'a> {
        &self.texts[item.file]
    }

    pub(super) fn line(&self, item: Item<'a>) -> usize {
        self.text(item).line_of(item.node)
    }

    pub(super) fn error(&self, item: Item<'a>, kind: ErrorKind, message: String, help: &str) -> SceneError {
        self.text(item).error(kind, start(item.node), message, help)
    }

    pub(super) fn bad(&self, item: Item<'a>, message: String, help: &str) -> SceneError {
        self.error(item, ErrorKind::BadValue, message, help)
    }

    /// An error at the value of an attribute.
    pub(super) fn bad_value(&self, item: Item<'a>, name: &str, message: String, help: &str) -> SceneError {
        self.text(item).bad(xml::value_range(item.node, name), message, help)
    }

    /// A note with the line of an element; included files are named.
    pub(super) fn note(&self, report: &mut ImportReport, how: Treatment, what: &str, item: Item<'a>) {
        let line = self.line(item);
        if item.file == 0 {
            report.add(how, what, line);
            return;
        }
        let name = Path::new(self.texts[item.file].file).file_name().unwrap_or_default();
        report.add(how, format!("{what}, in {}", name.to_string_lossy()), line);
    }
}
