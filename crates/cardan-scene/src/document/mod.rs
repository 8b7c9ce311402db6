//! A scene file as a tree of values that remember where they were written.
//!
//! TOML and JSON read into the same tree. Every value carries its [`Span`], so an error that is found later, in typing
//! a field or in building the model, is reported with line, column and caret. `--set` overrides replace values in the
//! tree before it is typed; their spans point into the text of the override instead of the file.
//!
//! The readers work in one pass and without recursion beyond [`MAX_DEPTH`], so that hostile input (empty, truncated, one
//! line of 50 MB, brackets nested a hundred thousand deep) costs no more than reading it. They are our own because the
//! common parsers either keep no positions or need 1 GB and several seconds for a scene of 100 000 bodies.

mod aliases;
mod include;
mod json;
mod overrides;
mod parameters;
mod path;
mod toml;

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::{fmt, io};

pub use aliases::OldWord;
pub use path::{FieldPath, PathSegment};

use crate::error::{ErrorKind, SceneError};
use crate::import::ImportReport;

/// Largest file that is read, in bytes. A scene of 100 000 bodies takes about 30 MB.
pub const MAX_SIZE: usize = 512 << 20;

/// Most values that are read, tables and array elements counted. A scene of 100 000 bodies has about 4 million.
pub const MAX_VALUES: usize = 1 << 24;

/// Deepest nesting of tables and arrays that is read. A scene needs about six.
pub const MAX_DEPTH: usize = 64;

/// Where a value was written: a range of bytes in the file, or in an override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// 0 for the file itself, n for the n-th override.
    pub origin: u32,
}

impl Span {
    /// The span of a range of bytes of the file (`origin` 0) or of an override. Files are shorter than 4 GB.
    pub(crate) fn new(range: Range<usize>, origin: u32) -> Self {
        Self { start: range.start as u32, end: range.end as u32, origin }
    }

    /// The bytes it covers.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value and where it was written.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it is. The span of a table with a header is its header.
    pub span: Span,
}

/// A value of TOML or JSON.
#[derive(Clone, Debug)]
pub enum Value {
    /// `null`, in JSON only: as good as leaving the field out.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number that fits.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// Text.
    Text(Box<str>),
    /// An array.
    Array(Vec<Node>),
    /// A table, or object in JSON.
    Table(Box<Table>),
}

impl Value {
    /// What kind of value it is, with its article, for messages.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Integer(_) | Value::Float(_) => "a number",
            Value::Text(_) => "a string",
            Value::Array(_) => "an array",
            Value::Table(_) => "a table",
        }
    }
}

impl Node {
    /// The table, if it is one.
    pub fn as_table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a field of a table or of an element of an array.
    pub fn get(&self, segment: &PathSegment) -> Option<&Node> {
        match (&self.value, segment) {
            (Value::Table(table), _) => table.get(&segment.to_key()),
            (Value::Array(items), PathSegment::Index(i)) => items.get(*i),
            (Value::Array(items), PathSegment::Key(key)) => items.get(key.parse::<usize>().ok()?),
            _ => None,
        }
    }
}

/// How a table was written: TOML lets some kinds be continued later and others not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum TableForm {
    /// `{ … }`, complete where it stands.
    #[default]
    Inline,
    /// Only mentioned on the way to a deeper one: `bodies` in `[bodies.crank]`.
    Implicit,
    /// `[bodies.crank]`.
    Header,
    /// Made by a dotted key: `a` in `a.b = 1`.
    Dotted,
}

/// A field of a table: name, value and where the name was written.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name.
    pub key: Box<str>,
    /// Where the name was written (first).
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

/// A table in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Table {
    entries: Vec<Entry>,
    /// Position by name, if there are more than [`SEARCHED`] entries.
    index: HashMap<Box<str>, u32>,
    pub(crate) form: TableForm,
}

/// Up to here a linear search is faster than a hash.
const SEARCHED: usize = 16;

impl Table {
    pub(crate) fn new(form: TableForm) -> Self {
        Self { form, ..Self::default() }
    }

    /// The fields in the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The value of a field.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.position(key).map(|i| &self.entries[i].node)
    }

    /// A field, with the place of its name.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.position(key).map(|i| &self.entries[i])
    }

    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        if self.entries.len() > SEARCHED {
            self.index.get(key).map(|&i| i as usize)
        } else {
            self.entries.iter().position(|entry| &*entry.key == key)
        }
    }

    pub(crate) fn node_mut(&mut self, position: usize) -> &mut Node {
        &mut self.entries[position].node
    }

    /// Gives a field another name. The caller has made sure that the new name is not taken.
    pub(crate) fn rename(&mut self, old: &str, new: &str) {
        let Some(position) = self.position(old) else { return };
        self.entries[position].key = new.into();
        if self.entries.len() > SEARCHED {
            self.index.remove(old);
            self.index.insert(new.into(), position as u32);
        }
    }

    /// Takes a field out.
    pub(crate) fn remove(&mut self, key: &str) {
        let Some(position) = self.position(key) else { return };
        self.entries.remove(position);
        let numbered = self.entries.iter().enumerate();
        self.index = match self.entries.len() > SEARCHED {
            true => numbered.map(|(i, entry)| (entry.key.clone(), i as u32)).collect(),
            false => HashMap::new(),
        };
    }

    /// Appends a field. The caller has made sure that the name is new.
    pub(crate) fn push(&mut self, key: Box<str>, key_span: Span, node: Node) -> usize {
        let position = self.entries.len();
        if position == SEARCHED {
            self.index = self.entries.iter().enumerate().map(|(i, e)| (e.key.clone(), i as u32)).collect();
        }
        if position >= SEARCHED {
            self.index.insert(key.clone(), position as u32);
        }
        self.entries.push(Entry { key, key_span, node });
        position
    }
}

/// A mistake found by a reader, before it knows about files.
#[derive(Debug)]
pub(crate) struct ReadError {
    pub(crate) kind: ErrorKind,
    pub(crate) range: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// The earlier of two places that contradict each other.
    pub(crate) earlier: Option<Range<usize>>,
}

impl ReadError {
    pub(crate) fn syntax(range: Range<usize>, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { kind: ErrorKind::Syntax, range, message: message.into(), help: None, earlier: None })
    }

    pub(crate) fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn too_deep(at: usize) -> Box<Self> {
        let mut fault = Self::syntax(at..at + 1, format!("nested more than {MAX_DEPTH} deep"));
        fault.kind = ErrorKind::TooDeep;
        fault.help("a scene needs about six levels; is a bracket or brace left open?")
    }

    pub(crate) fn too_many(at: usize) -> Box<Self> {
        let millions = MAX_VALUES >> 20;
        let mut fault = Self::syntax(at..at + 1, format!("more than {millions} million values are not read"));
        fault.kind = ErrorKind::TooLarge;
        fault
    }

    pub(crate) fn duplicate(key: &str, range: Range<usize>, earlier: Option<Range<usize>>) -> Box<Self> {
        let mut fault = Self::syntax(range, format!("`{}` is given twice", clip(key)));
        fault.kind = ErrorKind::Duplicate;
        fault.earlier = earlier;
        fault.help("names are unique within their table: rename or remove one of the two")
    }
}

/// A name short enough for a message.
pub(crate) fn clip(text: &str) -> std::borrow::Cow<'_, str> {
    const MAX_CHARACTERS: usize = 40;
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// Help for an empty scene.
pub(crate) const NO_BODY: &str = "a scene has at least one body: [bodies.NAME]";

fn empty(name: String, message: &str) -> SceneError {
    SceneError::of_file(ErrorKind::Empty, name, message.to_string(), Some(NO_BODY.to_string()))
}

/// A scene file, read but not yet typed.
#[derive(Clone, Debug)]
pub struct Document {
    name: String,
    folder: PathBuf,
    text: String,
    /// Name and text of each: overrides, and robots that were put into the scene.
    overrides: Vec<(String, String)>,
    root: Node,
    /// Words of earlier versions that were replaced in the tree: where, the old one and the new one.
    translated: Vec<(Span, &'static str, &'static str)>,
    /// Of a scene that a robot file describes.
    import_report: Option<ImportReport>,
    /// Of each robot file that was put into the scene: its path, and what became of it.
    robot_reports: Vec<(String, ImportReport)>,
    /// Gives the files that the scene names; the file system without one.
    files: Option<FileProvider>,
}

/// Gives the bytes of a file by its path from the folder of the scene, for scenes that do not come from a file system.
#[derive(Clone)]
pub struct FileProvider(Arc<ReadFile>);

/// Reads a file by its path.
type ReadFile = dyn Fn(&str) -> io::Result<Vec<u8>> + Send + Sync;

impl FileProvider {
    /// A provider that calls a function.
    pub fn new(read: impl Fn(&str) -> io::Result<Vec<u8>> + Send + Sync + 'static) -> Self {
        FileProvider(Arc::new(read))
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, path: &std::path::Path) -> io::Result<Vec<u8>> {
        (self.0)(path.to_str().ok_or(io::ErrorKind::InvalidInput)?)
    }
}

impl fmt::Debug for FileProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FileProvider")
    }
}

impl Document {
    /// Reads TOML, or JSON if the first character that is not blank is `{`. `name` is what errors call the file.
    pub fn parse(name: impl Into<String>, text: impl Into<String>) -> Result<Self, SceneError> {
        let (name, text) = (name.into(), text.into());
        if text.len() > MAX_SIZE {
            let megabytes = text.len() >> 20;
            return Err(SceneError::of_file(
                ErrorKind::TooLarge,
                name,
                format!("the file has {megabytes} MB; more than {} MB are not read", MAX_SIZE >> 20),
                None,
            ));
        }
        let body = text.trim_start_matches('\u{feff}').trim_start();
        if body.is_empty() {
            return Err(empty(name, "the file is empty"));
        }
        let read = if body.starts_with('{') { json::read(&text) } else { toml::read(&text) };
        let placeholder = Node { value: Value::Null, span: Span::default() };
        let mut document = Self {
            name,
            folder: PathBuf::new(),
            text,
            overrides: Vec::new(),
            root: placeholder,
            translated: Vec::new(),
            import_report: None,
            robot_reports: Vec::new(),
            files: None,
        };
        match read {
            Ok(root) => document.root = root,
            Err(fault) => {
                return Err(SceneError::from_read_error(&document, *fault, 0, FieldPath::default()));
            }
        }
        if document.root.as_table().is_some_and(|root| root.entries().is_empty()) {
            return Err(empty(document.name, "the file has no scene, only blanks and comments"));
        }
        match document.translate() {
            Ok(()) => Ok(document),
            Err((error, origin)) => {
                Err(SceneError::from_read_error(&document, *error, origin, FieldPath::default()))
            }
        }
    }

    /// Reads bytes, which must be UTF-8.
    pub fn parse_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, SceneError> {
        let name = name.into();
        match String::from_utf8(bytes) {
            Ok(text) => Self::parse(name, text),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let line = 1 + error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count();
                Err(SceneError::of_file(
                    ErrorKind::Encoding,
                    name,
                    format!("the file is not UTF-8 text (byte {at}, line {line})"),
                    Some("a scene is a TOML or JSON text file".to_string()),
                ))
            }
        }
    }

    /// What errors call the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The document with the folder of the files that it names. Default: the current folder.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// The document with a function that gives the files which it names, by their paths as the scene has them.
    #[must_use]
    pub fn with_files(mut self, files: FileProvider) -> Self {
        self.files = Some(files);
        self
    }

    /// The provider of the files that the scene names.
    pub(crate) fn provider(&self) -> Option<&FileProvider> {
        self.files.as_ref()
    }

    /// The bytes of a file that the scene names, if it has a provider of files.
    pub(crate) fn provided(&self, file: &str) -> Option<io::Result<Vec<u8>>> {
        self.files.as_ref().map(|files| (files.0)(file))
    }

    pub(crate) fn with_import_report(mut self, report: ImportReport) -> Self {
        self.import_report = Some(report);
        self
    }

    /// What became of the elements of the robot file that the scene comes from; `None` for other scenes.
    pub fn import_report(&self) -> Option<&ImportReport> {
        self.import_report.as_ref()
    }

    /// Of each robot file that `[robots]` put into the scene: its path, and what became of its elements.
    pub fn robot_reports(&self) -> &[(String, ImportReport)] {
        &self.robot_reports
    }

    /// Path of a file that the scene names.
    pub(crate) fn beside(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Names of all files that fields `file` name, robots apart, which are in the tree.
    pub(crate) fn named_files(&self) -> std::collections::BTreeSet<String> {
        let (mut names, mut open) = (std::collections::BTreeSet::new(), vec![&self.root]);
        while let Some(node) = open.pop() {
            match &node.value {
                Value::Array(all) => open.extend(all),
                Value::Table(table) => {
                    for entry in table.entries() {
                        match &entry.node.value {
                            Value::Text(name) if &*entry.key == "file" => {
                                names.insert(name.to_string());
                            }
                            _ => open.push(&entry.node),
                        }
                    }
                }
                _ => {}
            }
        }
        names
    }

    /// Bytes of a file that the scene names. Only regular files are read: others may have no end.
    pub(crate) fn bytes_of(&self, file: &str) -> io::Result<Vec<u8>> {
        if let Some(provided) = self.provided(file) {
            return provided;
        }
        let path = self.beside(file);
        match std::fs::metadata(&path)?.is_file() {
            true => std::fs::read(path),
            false => Err(io::Error::other("not a regular file")),
        }
    }

    /// The texts that robot files became.
    pub(crate) fn robot_texts(&self) -> impl Iterator<Item = &str> {
        self.overrides.iter().map(|(_, text)| text.as_str())
    }

    /// The text of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tree.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The text that a span points into and the name of that text.
    pub(crate) fn origin(&self, origin: u32) -> (&str, &str) {
        match origin.checked_sub(1).and_then(|i| self.overrides.get(i as usize)) {
            Some((name, text)) => (name, text),
            None => (&self.name, &self.text),
        }
    }

    /// The value at a path, if there is one.
    pub fn get(&self, path: &FieldPath) -> Option<&Node> {
        path.segments().iter().try_fold(&self.root, |node, segment| node.get(segment))
    }

    /// Where the value at a path was written, or the deepest part of the path that exists.
    pub fn span_of(&self, path: &FieldPath) -> Span {
        let mut node = &self.root;
        for segment in path.segments() {
            match node.get(segment) {
                Some(next) => node = next,
                None => break,
            }
        }
        node.span
    }

    /// The line of the file, from 1, where the field at a path begins; `None` if the file does not have it: it comes from an
    /// override or a robot file.
    pub fn line_of(&self, path: &FieldPath) -> Option<usize> {
        self.get(path)?;
        let span = self.key_span_of(path);
        let before = self.text.get(..span.start as usize).filter(|_| span.origin == 0)?;
        Some(1 + before.bytes().filter(|b| *b == b'\n').count())
    }

    /// Where the name of the field at a path was written, rather than its value.
    pub fn key_span_of(&self, path: &FieldPath) -> Span {
        if let Some((last, parent)) = path.segments().split_last() {
            let table = parent.iter().try_fold(&self.root, |node, segment| node.get(segment));
            if let Some(entry) = table.and_then(Node::as_table).and_then(|table| table.entry(&last.to_key()))
            {
                return entry.key_span;
            }
        }
        self.span_of(path)
    }
}
