//! Errors of scenes: what is wrong, where, and what would be right.

use std::fmt;
use std::ops::Range;

use annotate_snippets::renderer::DEFAULT_TERM_WIDTH;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::document::{Document, FieldPath, ReadError, Span};

/// The category of an error, for programs; the message is for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file cannot be read.
    Io,
    /// No bundled scene has this name.
    UnknownScene,
    /// The file is larger than [`crate::MAX_SIZE`].
    TooLarge,
    /// Tables or arrays nest deeper than [`crate::MAX_DEPTH`].
    TooDeep,
    /// The file is empty.
    Empty,
    /// The file is not UTF-8.
    Encoding,
    /// The text is neither TOML nor JSON, or ends early.
    Syntax,
    /// A name is given twice.
    Duplicate,
    /// `--set` has a path that leads nowhere or no value.
    Override,
    /// The file wants a newer version of the format.
    NewerFormat,
    /// A field that no such table has.
    UnknownField,
    /// A field that other kinds have, but not this one.
    MisplacedField,
    /// A field that must be there.
    MissingField,
    /// A kind (or other choice) that does not exist.
    UnknownKind,
    /// A kind or field of the format that this version does not offer.
    NotAvailable,
    /// A reference to a body, joint or material that does not exist.
    UnknownName,
    /// A value of the wrong type or length.
    WrongType,
    /// A value that is not allowed: unknown unit, wrong dimension, not finite, out of range.
    BadValue,
}

/// A piece of the text with the part in question, small enough to keep and print.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Excerpt {
    file: String,
    line: usize,
    column: usize,
    /// The line, or a window of it if it is long.
    text: String,
    /// True if the window does not start where the line does.
    cut: bool,
    /// The part in question, as bytes of `text`.
    start: usize,
    end: usize,
}

/// Longer lines are shown as a window around the place in question (characters).
const WINDOW: usize = 160;

impl Excerpt {
    fn new(document: &Document, span: Span) -> Self {
        let (file, text) = document.origin(span.origin);
        Self::of_text(file, text, span.range())
    }

    fn of_text(file: &str, text: &str, range: Range<usize>) -> Self {
        // Spans lie on character boundaries; a stale one must not panic.
        let mut start = range.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let line_end = if text[..line_end].ends_with('\r') { (line_end - 1).max(start) } else { line_end };
        let mut end = range.end.clamp(start, line_end);
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let line = 1 + text.as_bytes()[..line_start].iter().filter(|&&b| b == b'\n').count();
        let column = 1 + text[line_start..start].chars().count();

        // The window: up to half of it before the place, the rest after.
        let before = text[line_start..start].char_indices().rev().nth(WINDOW / 2);
        let after = text[start..line_end].char_indices().nth(WINDOW / 2);
        let from = before.map_or(line_start, |(i, _)| line_start + i);
        let to = after.map_or(line_end, |(i, _)| start + i);
        let head = if before.is_some() { "…" } else { "" };
        let tail = if after.is_some() { "…" } else { "" };
        let shift = |at: usize| at.min(to) - from + head.len();
        Self {
            file: file.to_string(),
            line,
            column,
            text: format!("{head}{}{tail}", &text[from..to]),
            cut: before.is_some(),
            start: shift(start),
            end: shift(end),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct SceneErrorDetails {
    kind: ErrorKind,
    file: String,
    span: Option<Span>,
    path: FieldPath,
    message: String,
    help: Option<String>,
    excerpt: Option<Excerpt>,
    /// The earlier of two places that contradict each other.
    earlier: Option<Excerpt>,
}

/// What is wrong with a scene: file, line, column, field, message and what would be right.
///
/// `Display` is one line; [`render`](Self::render) draws the line of the file with a caret. The error keeps the excerpt it
/// needs, so the text may be gone by then.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneError(Box<SceneErrorDetails>);

impl SceneError {
    /// An error at a field, found after reading: its place is looked up in the document.
    ///
    /// ```
    /// # use cardan_scene::{Document, SceneError};
    /// let document = Document::parse("demo.toml", "[joints.A]\nb = \"cranck\"\n").unwrap();
    /// let error = SceneError::at(&document, "joints.A.b", "there is no body `cranck`", Some("did you mean `crank`?"));
    /// assert_eq!((error.line(), error.column()), (Some(2), Some(5)));
    /// ```
    pub fn at(
        document: &Document,
        path: impl Into<FieldPath>,
        message: impl Into<String>,
        help: Option<&str>,
    ) -> Self {
        let path = path.into();
        let span = document.span_of(&path);
        Self::new(document, ErrorKind::BadValue, span, path, message.into(), help.map(str::to_string))
    }

    pub(crate) fn new(
        document: &Document,
        kind: ErrorKind,
        span: Span,
        path: FieldPath,
        message: String,
        help: Option<String>,
    ) -> Self {
        let excerpt = Excerpt::new(document, span);
        let file = excerpt.file.clone();
        let (span, excerpt, earlier) = (Some(span), Some(excerpt), None);
        Self(Box::new(SceneErrorDetails { kind, file, span, path, message, help, excerpt, earlier }))
    }

    /// This error with another [`ErrorKind`].
    pub fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// A file that a scene or its robots name is not there.
    pub fn missing_file(scene: &str, file: &str) -> Self {
        let message = format!("there is no file `{file}`");
        SceneError::of_file(ErrorKind::Io, scene.to_string(), message, None)
    }

    pub(crate) fn of_file(kind: ErrorKind, file: String, message: String, help: Option<String>) -> Self {
        let (span, path, excerpt, earlier) = (None, FieldPath::default(), None, None);
        Self(Box::new(SceneErrorDetails { kind, file, span, path, message, help, excerpt, earlier }))
    }

    /// An error at a range of bytes of a text that is no [`Document`]: a robot file.
    pub(crate) fn in_text(
        kind: ErrorKind,
        (file, text): (&str, &str),
        range: Range<usize>,
        message: String,
        help: Option<String>,
    ) -> Self {
        let excerpt = Some(Excerpt::of_text(file, text, range));
        let (span, path, earlier, file) = (None, FieldPath::default(), None, file.to_string());
        Self(Box::new(SceneErrorDetails { kind, file, span, path, message, help, excerpt, earlier }))
    }

    pub(crate) fn from_read_error(
        document: &Document,
        fault: ReadError,
        origin: u32,
        path: FieldPath,
    ) -> Self {
        let span = Span::new(fault.range, origin);
        let mut error = Self::new(document, fault.kind, span, path, fault.message, fault.help);
        error.0.earlier = fault.earlier.map(|range| Excerpt::new(document, Span::new(range, origin)));
        error
    }

    /// The category of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The file, or `--set` for an override.
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// The line, counted from 1, if the mistake has a place.
    pub fn line(&self) -> Option<usize> {
        self.0.excerpt.as_ref().map(|excerpt| excerpt.line)
    }

    /// The column in characters, counted from 1, if the mistake has a place.
    pub fn column(&self) -> Option<usize> {
        self.0.excerpt.as_ref().map(|excerpt| excerpt.column)
    }

    /// The bytes in question.
    pub fn span(&self) -> Option<Span> {
        self.0.span
    }

    /// The field, or the table that lacks one; empty for the whole scene.
    pub fn path(&self) -> &FieldPath {
        &self.0.path
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What would be right.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The message with the line of the file and a caret, without colours.
    pub fn render(&self) -> String {
        self.draw(&Renderer::plain())
    }

    /// The message with the line of the file and a caret, with colours for a terminal.
    pub fn render_coloured(&self) -> String {
        self.draw(&Renderer::styled())
    }

    fn title(&self) -> String {
        let (path, message) = (&self.0.path, &self.0.message);
        if path.is_empty() { message.clone() } else { format!("{path}: {message}") }
    }

    /// The message without the file: what a study keeps, since its digest does not depend on where a scene is.
    pub(crate) fn without_file(&self) -> String {
        let place = self.0.excerpt.as_ref();
        let place = place.map_or(String::new(), |at| format!("{}:{}: ", at.line, at.column));
        let help = self.0.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        format!("{place}{}{help}", self.title())
    }

    fn draw(&self, renderer: &Renderer) -> String {
        let mut group = Group::with_title(Level::ERROR.primary_title(self.title()));
        match &self.0.excerpt {
            None => group = group.element(Origin::path(self.0.file.as_str())),
            Some(excerpt) => group = show(group, excerpt, AnnotationKind::Primary, None),
        }
        if let Some(earlier) = &self.0.earlier {
            group = show(group, earlier, AnnotationKind::Context, Some("given first here"));
        }
        if let Some(help) = &self.0.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        // The excerpts are already cut to size; room for the line numbers beside them.
        renderer.clone().term_width(DEFAULT_TERM_WIDTH + WINDOW).render(&[group])
    }
}

fn show<'e>(
    group: Group<'e>,
    excerpt: &'e Excerpt,
    kind: AnnotationKind,
    label: Option<&'e str>,
) -> Group<'e> {
    let mut annotation = kind.span(excerpt.start..excerpt.end);
    if let Some(label) = label {
        annotation = annotation.label(label);
    }
    let snippet = Snippet::source(excerpt.text.as_str()).line_start(excerpt.line).annotation(annotation);
    if excerpt.cut {
        // The snippet would count columns from the cut.
        let origin = Origin::path(excerpt.file.as_str()).line(excerpt.line).char_column(excerpt.column);
        group.element(origin).element(snippet)
    } else {
        group.element(snippet.path(excerpt.file.as_str()))
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.file)?;
        if let Some(excerpt) = &self.0.excerpt {
            write!(f, ":{}:{}", excerpt.line, excerpt.column)?;
        }
        write!(f, ": {}", self.title())?;
        match &self.0.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SceneError {}
