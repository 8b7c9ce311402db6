//! TOML 1.1 into the tree, with spans; dates are refused, since nothing in a scene is one.
//!
//! Tests compare this reader with the `toml` crate on mutated scenes: both accept the same texts and read the same
//! values.

mod scalar;

use std::ops::Range;

use super::{MAX_DEPTH, MAX_VALUES, Node, ReadError, Span, Table, TableForm, Value, clip};

type TomlResult<T> = Result<T, Box<ReadError>>;

/// Reads a whole file.
pub(crate) fn read(text: &str) -> TomlResult<Node> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut reader = TomlReader { text, bytes: text.as_bytes(), at: start, depth: 0, values: 0, origin: 0 };
    let mut root = Table::new(TableForm::Header);
    // The table that the last header opened, as positions from the root.
    let mut current: Vec<TableStep> = Vec::new();
    loop {
        reader.blank_lines()?;
        match reader.peek() {
            None => break,
            Some(b'[') => {
                current = reader.header(&mut root)?;
                reader.depth = current.len();
            }
            Some(_) => {
                let key = reader.key()?;
                let node = reader.assigned(&key)?;
                reader.insert(descend(&mut root, &current), key, node)?;
            }
        }
        reader.end_of_line()?;
    }
    Ok(Node { value: Value::Table(Box::new(root)), span: Span::new(0..0, 0) })
}

/// Reads the rest of a text as one value; `origin` goes to its spans.
pub(crate) fn read_value(text: &str, from: usize, origin: u32) -> TomlResult<Node> {
    let mut reader = TomlReader { text, bytes: text.as_bytes(), at: from, depth: 0, values: 0, origin };
    reader.blank();
    let node = reader.value()?;
    reader.blank();
    if reader.at < text.len() { Err(reader.expected("the end of the value")) } else { Ok(node) }
}

/// One step down: the table at a position, or in it the last element of an array of tables.
#[derive(Clone, Copy)]
struct TableStep {
    position: usize,
    in_array: bool,
}

fn descend<'t>(root: &'t mut Table, steps: &[TableStep]) -> &'t mut Table {
    steps.iter().fold(root, |table, step| match &mut table.node_mut(step.position).value {
        Value::Table(inner) => inner,
        Value::Array(items) if step.in_array => match items.last_mut().map(|node| &mut node.value) {
            Some(Value::Table(inner)) => inner,
            _ => unreachable!("steps are made from tables"),
        },
        _ => unreachable!("steps are made from tables"),
    })
}

/// A simple key and where it stands.
struct Key {
    name: Box<str>,
    range: Range<usize>,
}

struct TomlReader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    depth: usize,
    values: usize,
    origin: u32,
}

impl<'t> TomlReader<'t> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn starts_with(&self, what: &str) -> bool {
        self.bytes[self.at..].starts_with(what.as_bytes())
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(range, self.origin)
    }

    /// The one character at a byte, for a caret.
    fn one(&self, at: usize) -> Range<usize> {
        let width = self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        at..at + width
    }

    fn expected(&self, what: &str) -> Box<ReadError> {
        match self.peek() {
            None => ReadError::syntax(self.at..self.at, format!("the file ends where {what} is expected"))
                .help("is the file truncated, or a bracket or brace left open?"),
            Some(b'\n' | b'\r') => {
                ReadError::syntax(self.at..self.at, format!("the line ends where {what} is expected"))
            }
            Some(_) => {
                let range = self.one(self.at);
                let found = self.text[range.clone()].escape_debug().to_string();
                ReadError::syntax(range, format!("expected {what}, found `{found}`"))
            }
        }
    }

    fn blank(&mut self) {
        while let Some(b' ' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn comment(&mut self) -> TomlResult<()> {
        if self.peek() == Some(b'#') {
            while let Some(b) = self.peek() {
                match b {
                    b'\n' => break,
                    b'\r' if self.bytes.get(self.at + 1) == Some(&b'\n') => break,
                    0..=8 | 0xa..=0x1f | 0x7f => {
                        return Err(ReadError::syntax(self.one(self.at), "control character in a comment"));
                    }
                    _ => self.at += 1,
                }
            }
        }
        Ok(())
    }

    fn newline(&mut self) -> bool {
        let width = match self.peek() {
            Some(b'\n') => 1,
            Some(b'\r') if self.bytes.get(self.at + 1) == Some(&b'\n') => 2,
            _ => return false,
        };
        self.at += width;
        true
    }

    /// Blanks, comments and line ends.
    fn blank_lines(&mut self) -> TomlResult<()> {
        loop {
            self.blank();
            self.comment()?;
            if !self.newline() {
                return Ok(());
            }
        }
    }

    fn end_of_line(&mut self) -> TomlResult<()> {
        self.blank();
        self.comment()?;
        if self.newline() || self.peek().is_none() {
            Ok(())
        } else {
            Err(self.expected("the end of the line"))
        }
    }

    // Keys and headers.

    fn simple_key(&mut self) -> TomlResult<Key> {
        let start = self.at;
        let name: Box<str> = match self.peek() {
            Some(b'"') if !self.starts_with("\"\"\"") => self.basic_string()?.into(),
            Some(b'\'') if !self.starts_with("'''") => self.literal_string()?.into(),
            _ => {
                while self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')) {
                    self.at += 1;
                }
                if self.peek().is_some_and(|b| b >= 128) {
                    let fault = ReadError::syntax(
                        self.one(self.at),
                        "a bare name has only ASCII letters, digits, - and _",
                    );
                    return Err(fault.help("put other names in quotes: [bodies.\"größe\"]"));
                }
                if self.at == start {
                    return Err(self.expected("a name"));
                }
                self.text[start..self.at].into()
            }
        };
        Ok(Key { name, range: start..self.at })
    }

    /// A dotted key; blanks around the dots are allowed.
    fn key(&mut self) -> TomlResult<Vec<Key>> {
        let mut keys = vec![self.simple_key()?];
        loop {
            self.blank();
            if self.peek() != Some(b'.') {
                return Ok(keys);
            }
            self.at += 1;
            self.blank();
            if self.depth + keys.len() >= MAX_DEPTH {
                return Err(ReadError::too_deep(self.at));
            }
            keys.push(self.simple_key()?);
        }
    }

    /// `= value` after a key.
    fn assigned(&mut self, key: &[Key]) -> TomlResult<Node> {
        if self.peek() != Some(b'=') {
            let name = key.last().map_or("", |key| &key.name);
            return Err(self.expected(&format!("`=` after `{}`", clip(name))));
        }
        self.at += 1;
        self.blank();
        let depth = self.depth;
        self.depth += key.len() - 1;
        let node = self.value()?;
        self.depth = depth;
        Ok(node)
    }

    /// `[a.b]` or `[[a.b]]`: opens the table and returns the way to it.
    fn header(&mut self, root: &mut Table) -> TomlResult<Vec<TableStep>> {
        let start = self.at;
        let is_array = self.starts_with("[[");
        self.at += if is_array { 2 } else { 1 };
        self.depth = 0;
        self.blank();
        let mut keys = self.key()?;
        let close = if is_array { "]]" } else { "]" };
        if !self.starts_with(close) {
            return Err(self.expected(&format!("`{close}` after the name of a table")));
        }
        self.at += close.len();
        let span = self.span(start..self.at);
        let Some(last) = keys.pop() else { return Err(self.expected("a name")) };

        let mut steps = Vec::with_capacity(keys.len() + 1);
        let mut table = root;
        for key in keys {
            let position = match table.position(&key.name) {
                Some(position) => position,
                None => {
                    let node = Node { value: Value::Table(Box::new(Table::new(TableForm::Implicit))), span };
                    table.push(key.name.clone(), self.span(key.range.clone()), node)
                }
            };
            let first = table.entries()[position].key_span.range();
            let mut in_array = false;
            table = match &mut table.node_mut(position).value {
                Value::Table(inner) if inner.form != TableForm::Inline => inner,
                Value::Array(items) => {
                    in_array = true;
                    match items.last_mut().map(|node| &mut node.value) {
                        Some(Value::Table(inner)) if inner.form != TableForm::Inline => inner,
                        _ => return Err(closed(&key, first)),
                    }
                }
                _ => return Err(closed(&key, first)),
            };
            steps.push(TableStep { position, in_array });
        }

        let opened = || Node { value: Value::Table(Box::new(Table::new(TableForm::Header))), span };
        let position = match table.position(&last.name) {
            None => {
                let node =
                    if is_array { Node { value: Value::Array(vec![opened()]), span } } else { opened() };
                table.push(last.name, self.span(last.range), node)
            }
            Some(position) => {
                let first = table.entries()[position].key_span.range();
                let node = table.node_mut(position);
                match &mut node.value {
                    // Mentioned before, defined only now.
                    Value::Table(inner) if !is_array && inner.form == TableForm::Implicit => {
                        inner.form = TableForm::Header;
                        node.span = span;
                    }
                    Value::Array(items)
                        if is_array
                            && matches!(items.last(), Some(Node { value: Value::Table(t), .. }) if t.form == TableForm::Header) =>
                    {
                        items.push(opened());
                    }
                    _ => return Err(ReadError::duplicate(&last.name, last.range, Some(first))),
                }
                position
            }
        };
        steps.push(TableStep { position, in_array: is_array });
        Ok(steps)
    }

    /// Puts a value under a dotted key.
    fn insert(&self, table: &mut Table, mut keys: Vec<Key>, node: Node) -> TomlResult<()> {
        let Some(last) = keys.pop() else { return Ok(()) };
        let mut table = table;
        for key in keys {
            let position = match table.position(&key.name) {
                Some(position) => position,
                None => {
                    let span = self.span(key.range.clone());
                    let node = Node { value: Value::Table(Box::new(Table::new(TableForm::Dotted))), span };
                    table.push(key.name.clone(), span, node)
                }
            };
            let first = table.entries()[position].key_span.range();
            table = match &mut table.node_mut(position).value {
                Value::Table(inner) if matches!(inner.form, TableForm::Dotted | TableForm::Implicit) => inner,
                Value::Table(_) => return Err(ReadError::duplicate(&key.name, key.range, Some(first))),
                _ => return Err(closed(&key, first)),
            };
        }
        if let Some(first) = table.entry(&last.name) {
            return Err(ReadError::duplicate(&last.name, last.range, Some(first.key_span.range())));
        }
        table.push(last.name, self.span(last.range), node);
        Ok(())
    }

    // Values.

    fn value(&mut self) -> TomlResult<Node> {
        let start = self.at;
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(ReadError::too_many(start));
        }
        let value = match self.peek() {
            Some(b'"') if self.starts_with("\"\"\"") => Value::Text(self.long_basic_string()?.into()),
            Some(b'"') => Value::Text(self.basic_string()?.into()),
            Some(b'\'') if self.starts_with("'''") => Value::Text(self.long_literal_string()?.into()),
            Some(b'\'') => Value::Text(self.literal_string()?.into()),
            Some(b'[') => self.array()?,
            Some(b'{') => self.inline_table()?,
            Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.' | b'_') => {
                self.scalar()?
            }
            _ => return Err(self.expected("a value")),
        };
        Ok(Node { value, span: self.span(start..self.at) })
    }

    fn enter(&mut self) -> TomlResult<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ReadError::too_deep(self.at));
        }
        self.at += 1;
        self.blank_lines()
    }

    fn array(&mut self) -> TomlResult<Value> {
        self.enter()?;
        let mut items = Vec::new();
        while self.peek() != Some(b']') {
            items.push(self.value()?);
            self.blank_lines()?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.expected("`,` or `]`")),
            }
            self.blank_lines()?;
        }
        self.at += 1;
        self.depth -= 1;
        items.shrink_to_fit();
        Ok(Value::Array(items))
    }

    fn inline_table(&mut self) -> TomlResult<Value> {
        self.enter()?;
        let mut table = Table::new(TableForm::Inline);
        while self.peek() != Some(b'}') {
            let key = self.key()?;
            let node = self.assigned(&key)?;
            self.insert(&mut table, key, node)?;
            self.blank_lines()?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.expected("`,` or `}`")),
            }
            self.blank_lines()?;
        }
        self.at += 1;
        self.depth -= 1;
        Ok(Value::Table(Box::new(table)))
    }
}

fn closed(key: &Key, first: Range<usize>) -> Box<ReadError> {
    let message =
        format!("`{}` is given twice: as a value and as a table that goes on here", clip(&key.name));
    let mut fault = ReadError::duplicate(&key.name, key.range.clone(), Some(first));
    fault.message = message;
    fault.help("write all its fields in one place")
}
