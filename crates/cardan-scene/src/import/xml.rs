//! XML of robot files with places: attributes as numbers and vectors, errors with line, column and what would be right.
//!
//! The reader is `roxmltree`, which works without recursion and keeps the range of every attribute. Document type
//! definitions are refused, so that no entity expands.

use std::ops::Range;

use roxmltree::{Document as Tree, Node, ParsingOptions};

use crate::document::clip;
use crate::error::{ErrorKind, SceneError};

/// Largest robot file that is read, in bytes.
pub(crate) const MAX_SIZE: usize = 64 << 20;

/// Most elements, attributes and texts of a robot file.
const MAX_NODES: u32 = 1 << 21;

/// Most attributes of an element, and most name spaces of a file.
const MAX_ATTRIBUTES: usize = 200;

/// Deepest nesting of elements: a chain of bodies in MJCF nests as deep as it is long.
const MAX_DEPTH: usize = 1000;

/// Longest name, in bytes: names are copied, and put together.
pub(crate) const MAX_NAME: usize = 1000;

/// A robot file: its name for messages, its text, and where its lines start.
pub(crate) struct XmlText<'t> {
    pub(crate) file: &'t str,
    pub(crate) text: &'t str,
    line_starts: Vec<usize>,
}

impl<'t> XmlText<'t> {
    pub(crate) fn new(file: &'t str, text: &'t str) -> Self {
        let starts = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        Self { file, text, line_starts: [0].into_iter().chain(starts).collect() }
    }

    /// Reads the tree.
    pub(crate) fn parse(&self) -> Result<Tree<'t>, SceneError> {
        self.check_attributes()?;
        let options =
            ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        let tree = Tree::parse_with_options(self.text, options).map_err(|error| {
            let at = error.pos();
            let line = self.line_starts.get(at.row as usize - 1).copied().unwrap_or(0);
            let column = self.text[line..].char_indices().nth(at.col as usize - 1).map_or(0, |(i, _)| i);
            let help = match error {
                roxmltree::Error::DtdDetected => "leave out <!DOCTYPE …>; entities are not expanded",
                roxmltree::Error::NodesLimitReached => "a robot has far fewer than two million elements",
                roxmltree::Error::UnknownNamespace(..) => {
                    "declare the prefix in the first element: <robot xmlns:PREFIX=\"…\">, or remove the element"
                }
                _ => "every element is closed, every attribute is quoted: <link name=\"base\"/>",
            };
            // The message of the reader ends with its own place.
            let message = error.to_string();
            let message = message.rsplit_once(" at ").map_or(message.as_str(), |(what, _)| what);
            let range = line + column..line + column + 1;
            self.error(ErrorKind::Syntax, range, format!("this is no XML: {message}"), help)
        })?;
        self.check_depth(&tree)?;
        Ok(tree)
    }

    /// The reader compares every attribute of an element with the others, and copies name spaces: few are read.
    fn check_attributes(&self) -> Result<(), SceneError> {
        let bytes = self.text.as_bytes();
        let (mut tag, mut quote, mut count, mut spaces) = (None, None, 0, 0);
        let mut i = 0;
        while i < bytes.len() {
            let byte = bytes[i];
            match (tag, quote) {
                (None, _) if byte == b'<' => {
                    let rest = &self.text[i..];
                    let long = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
                    if let Some((_, end)) = long.into_iter().find(|(begin, _)| rest.starts_with(begin)) {
                        i += rest.find(end).map_or(rest.len(), |at| at + end.len());
                        continue;
                    }
                    (tag, count) = (Some(i), 0);
                }
                (None, _) => {}
                (Some(_), Some(mark)) if byte == mark => quote = None,
                (Some(_), Some(_)) => {}
                (Some(_), None) if byte == b'"' || byte == b'\'' => quote = Some(byte),
                (Some(_), None) if byte == b'>' => tag = None,
                (Some(start), None) if byte == b'=' => {
                    count += 1;
                    let name = self.text[start..i].rsplit(char::is_whitespace).next().unwrap_or_default();
                    spaces += usize::from(name.starts_with("xmlns"));
                    if count > MAX_ATTRIBUTES || spaces > MAX_ATTRIBUTES {
                        let message = format!("an element has more than {MAX_ATTRIBUTES} attributes");
                        let help = "elements of robot files have far fewer";
                        return Err(self.error(ErrorKind::TooLarge, i..i + 1, message, help));
                    }
                }
                (Some(_), None) => {}
            }
            i += 1;
        }
        Ok(())
    }

    fn check_depth(&self, tree: &Tree<'t>) -> Result<(), SceneError> {
        let (mut depth, mut node) = (0, tree.root());
        // Depth first without recursion.
        loop {
            if let Some(child) = node.first_child() {
                (depth, node) = (depth + 1, child);
                if depth > MAX_DEPTH {
                    let message = format!("elements nest more than {MAX_DEPTH} deep");
                    let help = "is a closing tag missing?";
                    return Err(self.error(ErrorKind::TooDeep, start(node), message, help));
                }
                continue;
            }
            while node.next_sibling().is_none() {
                match node.parent() {
                    Some(parent) => (depth, node) = (depth.saturating_sub(1), parent),
                    None => return Ok(()),
                }
            }
            if let Some(next) = node.next_sibling() {
                node = next;
            }
        }
    }

    /// The line of a byte, counted from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= at)
    }

    /// The line on which an element starts.
    pub(crate) fn line_of(&self, node: Node<'_, '_>) -> usize {
        self.line(node.range().start)
    }

    pub(crate) fn error(
        &self,
        kind: ErrorKind,
        range: Range<usize>,
        message: impl Into<String>,
        help: &str,
    ) -> SceneError {
        SceneError::in_text(kind, (self.file, self.text), range, message.into(), Some(help.to_string()))
    }

    pub(crate) fn bad(&self, range: Range<usize>, message: impl Into<String>, help: &str) -> SceneError {
        self.error(ErrorKind::BadValue, range, message, help)
    }

    /// An attribute that must be there.
    pub(crate) fn required<'n>(&self, node: Node<'n, 't>, name: &str) -> Result<&'n str, SceneError> {
        node.attribute(name).ok_or_else(|| {
            let tag = node.tag_name().name();
            let message = format!("<{}> has no attribute `{name}`", clip(tag));
            let help = format!("write <{} {name}=\"…\">", clip(tag));
            self.error(ErrorKind::MissingField, start(node), message, &help)
        })
    }

    /// A name, which is not empty.
    pub(crate) fn name<'n>(&self, node: Node<'n, 't>, attribute: &str) -> Result<&'n str, SceneError> {
        let name = self.required(node, attribute)?;
        if name.trim().is_empty() {
            let message = "the name is empty";
            return Err(self.bad(value_range(node, attribute), message, "names are unique and not empty"));
        }
        if name.len() > MAX_NAME {
            let message = format!("a name of {} characters is not read", name.len());
            let help = format!("names have at most {MAX_NAME}");
            return Err(self.bad(value_range(node, attribute), message, &help));
        }
        Ok(name)
    }

    /// Numbers between blanks, `low` to `high` of them.
    pub(crate) fn numbers(
        &self,
        node: Node<'_, 't>,
        name: &str,
        count: std::ops::RangeInclusive<usize>,
    ) -> Result<Option<Vec<f64>>, SceneError> {
        let Some(text) = node.attribute(name) else { return Ok(None) };
        let range = || value_range(node, name);
        let mut all = Vec::new();
        for word in text.split_whitespace() {
            let number = word.parse::<f64>().map_err(|_| {
                let message = format!("`{}` is not a number", clip(word));
                self.error(ErrorKind::WrongType, range(), message, "numbers are written as 0.5 or 5e-1")
            })?;
            if number.is_nan() {
                return Err(self.bad(range(), format!("`{name}` is not a number (NaN)"), "give a number"));
            }
            if all.len() == *count.end() {
                all.push(number);
                break;
            }
            all.push(number);
        }
        if count.contains(&all.len()) {
            return Ok(Some(all));
        }
        let (low, high) = (count.start(), count.end());
        let want = if low == high { format!("{low}") } else { format!("{low} to {high}") };
        let have = if all.len() > *high { format!("more than {high}") } else { all.len().to_string() };
        let message = format!("`{name}` has {have} numbers, not {want}");
        let help = format!("write {name}=\"{}\"", vec!["0"; *low].join(" "));
        Err(self.error(ErrorKind::WrongType, range(), message, &help))
    }

    /// A finite number.
    pub(crate) fn number(&self, node: Node<'_, 't>, name: &str) -> Result<Option<f64>, SceneError> {
        let found = self.numbers(node, name, 1..=1)?.map(|all| all[0]);
        self.finite(node, name, found.as_slice())?;
        Ok(found)
    }

    /// A number that may be infinite, as limits may.
    pub(crate) fn bound(&self, node: Node<'_, 't>, name: &str) -> Result<Option<f64>, SceneError> {
        Ok(self.numbers(node, name, 1..=1)?.map(|all| all[0]))
    }

    /// So many finite numbers.
    pub(crate) fn vector<const N: usize>(
        &self,
        node: Node<'_, 't>,
        name: &str,
    ) -> Result<Option<[f64; N]>, SceneError> {
        let Some(all) = self.numbers(node, name, N..=N)? else { return Ok(None) };
        self.finite(node, name, &all)?;
        Ok(all.try_into().ok())
    }

    pub(crate) fn finite(&self, node: Node<'_, 't>, name: &str, all: &[f64]) -> Result<(), SceneError> {
        if all.iter().all(|x| x.is_finite()) {
            return Ok(());
        }
        Err(self.bad(value_range(node, name), format!("`{name}` is not finite"), "give a finite number"))
    }
}

/// The first tag of an element, without what is inside.
pub(crate) fn start(node: Node<'_, '_>) -> Range<usize> {
    let whole = node.range();
    let last = node.attributes().map(|a| a.range().end).max();
    let end = last.unwrap_or(whole.start + 1 + node.tag_name().name().len());
    whole.start..end.clamp(whole.start, whole.end.max(whole.start))
}

/// The value of an attribute, or the first tag if there is none.
pub(crate) fn value_range(node: Node<'_, '_>, name: &str) -> Range<usize> {
    node.attribute_node(name).map_or(start(node), |attribute| attribute.range_value())
}

/// The elements inside an element.
pub(crate) fn elements<'n, 't>(node: Node<'n, 't>) -> impl Iterator<Item = Node<'n, 't>> {
    node.children().filter(Node::is_element)
}

/// The first element of a name inside an element.
pub(crate) fn child<'n, 't>(node: Node<'n, 't>, tag: &str) -> Option<Node<'n, 't>> {
    elements(node).find(|child| child.tag_name().name() == tag)
}
