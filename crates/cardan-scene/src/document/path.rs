//! Paths of fields: `bodies.crank.mass`, `joints.A.limits.0.1`, `bodies."left arm".mass`.

use std::borrow::Cow;
use std::fmt;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathSegment {
    /// A field of a table (or, written by a user, an index into an array).
    Key(Box<str>),
    /// An element of an array.
    Index(usize),
}

impl PathSegment {
    pub(crate) fn to_key(&self) -> Cow<'_, str> {
        match self {
            PathSegment::Key(key) => Cow::Borrowed(key),
            PathSegment::Index(i) => Cow::Owned(i.to_string()),
        }
    }
}

impl From<&str> for PathSegment {
    fn from(key: &str) -> Self {
        PathSegment::Key(key.into())
    }
}

impl From<usize> for PathSegment {
    fn from(index: usize) -> Self {
        PathSegment::Index(index)
    }
}

/// The path of a field from the root of the scene.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FieldPath(Vec<PathSegment>);

impl FieldPath {
    /// The steps from the root.
    pub fn segments(&self) -> &[PathSegment] {
        &self.0
    }

    /// The path of something inside: `path.join("mass")`, `path.join(0)`.
    pub fn join(&self, segment: impl Into<PathSegment>) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment.into());
        Self(segments)
    }

    /// The path of an item of a table, such as a body; the name may contain dots.
    pub fn item(table: &str, name: &str) -> Self {
        Self(vec![table.into(), name.into()])
    }

    pub(crate) fn from_reversed(mut segments: Vec<PathSegment>) -> Self {
        segments.reverse();
        Self(segments)
    }

    pub(crate) fn push(&mut self, segment: PathSegment) {
        self.0.push(segment);
    }

    /// True for the root.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads a dotted path; keys may be quoted. Returns the path and the byte where it ends: at a `=` outside quotes or at
    /// the end of the text. The error is the offending byte and what is wrong there.
    pub(crate) fn read(text: &str) -> Result<(Self, usize), (usize, &'static str)> {
        let bytes = text.as_bytes();
        let mut segments = Vec::new();
        let mut at = 0;
        loop {
            while bytes.get(at).is_some_and(|b| matches!(b, b' ' | b'\t')) {
                at += 1;
            }
            match bytes.get(at) {
                Some(&quote @ (b'"' | b'\'')) => {
                    let length = bytes[at + 1..]
                        .iter()
                        .position(|&b| b == quote)
                        .ok_or((at, "this quote is never closed"))?;
                    segments.push(PathSegment::Key(text[at + 1..at + 1 + length].into()));
                    at += length + 2;
                }
                _ => {
                    let length =
                        bytes[at..].iter().position(|b| matches!(b, b'.' | b'=')).unwrap_or(text.len() - at);
                    let key = text[at..at + length].trim_end();
                    if key.is_empty() {
                        return Err((at, "a name is missing here"));
                    }
                    segments.push(PathSegment::Key(key.into()));
                    at += length;
                }
            }
            while bytes.get(at).is_some_and(|b| matches!(b, b' ' | b'\t')) {
                at += 1;
            }
            match bytes.get(at) {
                Some(b'.') => at += 1,
                None | Some(b'=') => return Ok((Self(segments), at)),
                Some(_) => return Err((at, "expected `.` or `=` after a quoted name")),
            }
        }
    }
}

impl From<&str> for FieldPath {
    /// Reads a dotted path; text that is not one is taken as a single name.
    fn from(text: &str) -> Self {
        match Self::read(text) {
            Ok((path, end)) if end == text.len() => path,
            _ => Self(vec![text.into()]),
        }
    }
}

impl From<&FieldPath> for FieldPath {
    fn from(path: &FieldPath) -> Self {
        path.clone()
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            match segment {
                PathSegment::Index(index) => write!(f, "{index}")?,
                PathSegment::Key(key) => {
                    let bare = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
                    let shown = super::clip(key);
                    if !key.is_empty() && key.chars().take(50).all(bare) {
                        f.write_str(&shown)?;
                    } else {
                        write!(f, "\"{}\"", shown.escape_debug())?;
                    }
                }
            }
        }
        Ok(())
    }
}
