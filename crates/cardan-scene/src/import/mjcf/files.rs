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
use crate::import::paths::{FileFinder, FoundFile, outside};
use crate::import::report::{ImportReport, Treatment};
use crate::import::xml::{self, XmlText, elements, start};

/// Most files that a model includes.
const MAX_INCLUDES: usize = 256;

/// The name and the text of each file, the model first, and which file each `<include>` stands for.
pub(super) struct LoadedFiles {
    pub(super) texts: Vec<(String, String)>,
    /// By file and byte of the element.
    pub(super) includes: BTreeMap<(usize, usize), usize>,
    /// The first file of each `<model>`, by file and byte of the element.
    pub(super) models: BTreeMap<(usize, usize), usize>,
    /// Bytes of all files.
    size: usize,
}

impl LoadedFiles {
    /// Reads a model, what it includes, and the models that it attaches.
    pub(super) fn read(name: &str, text: &str, finder: &FileFinder<'_>) -> Result<Self, SceneError> {
        let texts = vec![(name.to_string(), text.to_string())];
        let mut loaded = Self { texts, includes: BTreeMap::new(), models: BTreeMap::new(), size: text.len() };
        loaded.include_all(0, finder)?;
        for file in 0..loaded.texts.len() {
            for (at, path, range) in loaded.named_files(file, "model", finder)? {
                let first = loaded.texts.len();
                loaded.add(file, path.clone(), &range, finder)?;
                loaded.models.insert((file, at), first);
                loaded.include_all(first, &finder.within(path.parent().unwrap_or(Path::new(""))))?;
            }
        }
        Ok(loaded)
    }

    /// Reads what the files from one on include; a file is included once in a model.
    fn include_all(&mut self, first: usize, finder: &FileFinder<'_>) -> Result<(), SceneError> {
        let own = Path::new(&self.texts[first].0).file_name().unwrap_or_default();
        let mut seen: BTreeSet<PathBuf> = finder.folder().join(own).canonicalize().into_iter().collect();
        let mut next = first;
        while next < self.texts.len() {
            for (at, path, range) in self.named_files(next, "include", finder)? {
                if !seen.insert(path.clone()) {
                    let message = format!("`{}` is included already", path.display());
                    let (name, text) = &self.texts[next];
                    let help = "a file is included once; remove this <include>";
                    return Err(XmlText::new(name, text).bad(range, message, help));
                }
                self.includes.insert((next, at), self.texts.len());
                self.add(next, path, &range, finder)?;
            }
            next += 1;
        }
        Ok(())
    }

    /// Reads a file that another one names.
    fn add(
        &mut self,
        by: usize,
        path: PathBuf,
        range: &std::ops::Range<usize>,
        finder: &FileFinder<'_>,
    ) -> Result<(), SceneError> {
        let (name, text) = &self.texts[by];
        let source = XmlText::new(name, text);
        let refuse = |message: String, help: &str| source.bad(range.clone(), message, help);
        if self.texts.len() > MAX_INCLUDES {
            let message = format!("more than {MAX_INCLUDES} files are included");
            return Err(refuse(message, "write the parts into fewer files"));
        }
        let bytes = finder
            .read(&path, xml::MAX_SIZE)
            .map_err(|error| refuse(format!("`{}`: {error}", path.display()), "check the file"))?;
        self.size += bytes.len();
        if self.size > xml::MAX_SIZE {
            let message = format!("the files of the model have more than {} MB", xml::MAX_SIZE >> 20);
            return Err(refuse(message, "a model has far less"));
        }
        let name = path.display().to_string();
        let text = crate::import::utf8(&name, bytes)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_string();
        self.texts.push((name, text));
        Ok(())
    }

    /// The files that elements of a name in one of the files stand for: byte of the element, path, range for
    /// messages.
    #[allow(clippy::type_complexity)]
    fn named_files(
        &self,
        file: usize,
        tag: &str,
        finder: &FileFinder<'_>,
    ) -> Result<Vec<(usize, PathBuf, std::ops::Range<usize>)>, SceneError> {
        let (name, text) = &self.texts[file];
        let source = XmlText::new(name, text);
        let tree = source.parse()?;
        let mut found = Vec::new();
        for node in tree.root_element().descendants().filter(|n| n.is_element()) {
            let is_model =
                tag == "model" && node.parent_element().is_some_and(|p| p.tag_name().name() != "asset");
            if node.tag_name().name() != tag || is_model {
                continue;
            }
            let uri = source.name(node, "file")?;
            let range = xml::value_range(node, "file");
            match finder.find(uri) {
                FoundFile::At(path) => found.push((node.range().start, path, range)),
                FoundFile::Missing(why) => {
                    let verb = if tag == "include" { "included" } else { "attached" };
                    let message = format!("`{}` cannot be {verb}: {}", clip(uri), clip(&why));
                    let help = "the path is from the folder of the model";
                    return Err(source.error(ErrorKind::Io, range, message, help));
                }
                FoundFile::Outside(folder) => {
                    let (message, help) = outside(uri, &folder);
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
    pub(super) models: &'a BTreeMap<(usize, usize), usize>,
    /// The first file of the model that is read.
    pub(super) first: usize,
}

impl<'a> Files<'a> {
    pub(super) fn root(&self) -> Item<'a> {
        Item { node: self.trees[self.first].root_element(), file: self.first }
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
