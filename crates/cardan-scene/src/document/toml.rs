//! TOML 1.1 into the tree, with spans; dates are refused, since nothing in a scene is one.
//!
//! The tests hold this reader against the `toml` crate on mutated scenes: both accept the same texts and read the same
//! values.

use std::borrow::Cow;
use std::ops::Range;

use super::{Fault, Form, MAX_DEPTH, MAX_VALUES, Node, Span, Table, Value, clip};

type Read<T> = Result<T, Box<Fault>>;

/// Reads a whole file.
pub(crate) fn read(text: &str) -> Read<Node> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut reader = Reader { text, bytes: text.as_bytes(), at: start, depth: 0, values: 0, origin: 0 };
    let mut root = Table::new(Form::Header);
    // The table that the last header opened, as positions from the root.
    let mut current: Vec<Step> = Vec::new();
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
pub(crate) fn read_value(text: &str, from: usize, origin: u32) -> Read<Node> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: from, depth: 0, values: 0, origin };
    reader.blank();
    let node = reader.value()?;
    reader.blank();
    if reader.at < text.len() { Err(reader.expected("the end of the value")) } else { Ok(node) }
}

/// One step down: the table at a position, or in it the last element of an array of tables.
#[derive(Clone, Copy)]
struct Step {
    position: usize,
    in_array: bool,
}

fn descend<'t>(root: &'t mut Table, steps: &[Step]) -> &'t mut Table {
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

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    depth: usize,
    values: usize,
    origin: u32,
}

impl<'t> Reader<'t> {
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

    fn expected(&self, what: &str) -> Box<Fault> {
        match self.peek() {
            None => Fault::syntax(self.at..self.at, format!("the file ends where {what} is expected"))
                .help("is the file truncated, or a bracket or brace left open?"),
            Some(b'\n' | b'\r') => {
                Fault::syntax(self.at..self.at, format!("the line ends where {what} is expected"))
            }
            Some(_) => {
                let range = self.one(self.at);
                let found = self.text[range.clone()].escape_debug().to_string();
                Fault::syntax(range, format!("expected {what}, found `{found}`"))
            }
        }
    }

    fn blank(&mut self) {
        while let Some(b' ' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn comment(&mut self) -> Read<()> {
        if self.peek() == Some(b'#') {
            while let Some(b) = self.peek() {
                match b {
                    b'\n' => break,
                    b'\r' if self.bytes.get(self.at + 1) == Some(&b'\n') => break,
                    0..=8 | 0xa..=0x1f | 0x7f => {
                        return Err(Fault::syntax(self.one(self.at), "control character in a comment"));
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
    fn blank_lines(&mut self) -> Read<()> {
        loop {
            self.blank();
            self.comment()?;
            if !self.newline() {
                return Ok(());
            }
        }
    }

    fn end_of_line(&mut self) -> Read<()> {
        self.blank();
        self.comment()?;
        if self.newline() || self.peek().is_none() {
            Ok(())
        } else {
            Err(self.expected("the end of the line"))
        }
    }

    // Keys and headers.

    fn simple_key(&mut self) -> Read<Key> {
        let start = self.at;
        let name: Box<str> = match self.peek() {
            Some(b'"') if !self.starts_with("\"\"\"") => self.basic_string()?.into(),
            Some(b'\'') if !self.starts_with("'''") => self.literal_string()?.into(),
            _ => {
                while self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')) {
                    self.at += 1;
                }
                if self.peek().is_some_and(|b| b >= 128) {
                    let fault = Fault::syntax(
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
    fn key(&mut self) -> Read<Vec<Key>> {
        let mut keys = vec![self.simple_key()?];
        loop {
            self.blank();
            if self.peek() != Some(b'.') {
                return Ok(keys);
            }
            self.at += 1;
            self.blank();
            if self.depth + keys.len() >= MAX_DEPTH {
                return Err(Fault::too_deep(self.at));
            }
            keys.push(self.simple_key()?);
        }
    }

    /// `= value` after a key.
    fn assigned(&mut self, key: &[Key]) -> Read<Node> {
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
    fn header(&mut self, root: &mut Table) -> Read<Vec<Step>> {
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
                    let node = Node { value: Value::Table(Box::new(Table::new(Form::Implicit))), span };
                    table.push(key.name.clone(), self.span(key.range.clone()), node)
                }
            };
            let first = table.entries()[position].key_span.range();
            let mut in_array = false;
            table = match &mut table.node_mut(position).value {
                Value::Table(inner) if inner.form != Form::Inline => inner,
                Value::Array(items) => {
                    in_array = true;
                    match items.last_mut().map(|node| &mut node.value) {
                        Some(Value::Table(inner)) if inner.form != Form::Inline => inner,
                        _ => return Err(closed(&key, first)),
                    }
                }
                _ => return Err(closed(&key, first)),
            };
            steps.push(Step { position, in_array });
        }

        let opened = || Node { value: Value::Table(Box::new(Table::new(Form::Header))), span };
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
                    Value::Table(inner) if !is_array && inner.form == Form::Implicit => {
                        inner.form = Form::Header;
                        node.span = span;
                    }
                    Value::Array(items)
                        if is_array
                            && matches!(items.last(), Some(Node { value: Value::Table(t), .. }) if t.form == Form::Header) =>
                    {
                        items.push(opened());
                    }
                    _ => return Err(Fault::duplicate(&last.name, last.range, Some(first))),
                }
                position
            }
        };
        steps.push(Step { position, in_array: is_array });
        Ok(steps)
    }

    /// Puts a value under a dotted key.
    fn insert(&self, table: &mut Table, mut keys: Vec<Key>, node: Node) -> Read<()> {
        let Some(last) = keys.pop() else { return Ok(()) };
        let mut table = table;
        for key in keys {
            let position = match table.position(&key.name) {
                Some(position) => position,
                None => {
                    let span = self.span(key.range.clone());
                    let node = Node { value: Value::Table(Box::new(Table::new(Form::Dotted))), span };
                    table.push(key.name.clone(), span, node)
                }
            };
            let first = table.entries()[position].key_span.range();
            table = match &mut table.node_mut(position).value {
                Value::Table(inner) if matches!(inner.form, Form::Dotted | Form::Implicit) => inner,
                Value::Table(_) => return Err(Fault::duplicate(&key.name, key.range, Some(first))),
                _ => return Err(closed(&key, first)),
            };
        }
        if let Some(first) = table.entry(&last.name) {
            return Err(Fault::duplicate(&last.name, last.range, Some(first.key_span.range())));
        }
        table.push(last.name, self.span(last.range), node);
        Ok(())
    }

    // Values.

    fn value(&mut self) -> Read<Node> {
        let start = self.at;
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(Fault::too_many(start));
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

    fn enter(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Fault::too_deep(self.at));
        }
        self.at += 1;
        self.blank_lines()
    }

    fn array(&mut self) -> Read<Value> {
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

    fn inline_table(&mut self) -> Read<Value> {
        self.enter()?;
        let mut table = Table::new(Form::Inline);
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

    /// Booleans and numbers.
    fn scalar(&mut self) -> Read<Value> {
        let start = self.at;
        while self.peek().is_some_and(|b| {
            b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.' | b'_' | b':') || b >= 128
        }) {
            self.at += 1;
        }
        let range = start..self.at;
        let token = &self.text[range.clone()];
        match token {
            "true" => return Ok(Value::Bool(true)),
            "false" => return Ok(Value::Bool(false)),
            "inf" | "+inf" => return Ok(Value::Float(f64::INFINITY)),
            "-inf" => return Ok(Value::Float(f64::NEG_INFINITY)),
            "nan" | "+nan" | "-nan" => return Ok(Value::Float(f64::NAN)),
            _ => {}
        }
        if let Some(number) = number(token) {
            return match number {
                Value::Float(number) if !number.is_finite() => {
                    Err(Fault::syntax(range, "this number is too large"))
                }
                number => Ok(number),
            };
        }
        let message = format!("`{}` is not a value", clip(token));
        Err(if is_date(token) {
            Fault::syntax(range, "a scene has no dates or clock times")
                .help("times are seconds, or strings with a unit such as \"2 min\"")
        } else if token.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
            let unit = token.find(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E' && c != '_');
            let shown = clip(token);
            match unit {
                Some(at) if !token.starts_with("0x") && token[..at].parse::<f64>().is_ok() => {
                    let shown = format!("{} {}", &token[..at], clip(&token[at..]));
                    Fault::syntax(range, message)
                        .help(format!("put a quantity with a unit in quotes: \"{shown}\""))
                }
                _ => Fault::syntax(range, format!("`{shown}` is not a number"))
                    .help("numbers look like 12, -0.5 or 1e-3"),
            }
        } else {
            match token.to_ascii_lowercase().as_str() {
                "infinity" => Fault::syntax(range, message).help("write `inf`"),
                word @ ("true" | "false" | "inf" | "nan") => {
                    let help = format!("write `{word}`");
                    Fault::syntax(range, message).help(help)
                }
                _ => {
                    let help = format!("put text in quotes: \"{}\"", clip(token));
                    Fault::syntax(range, message).help(help)
                }
            }
        })
    }

    // Strings.

    fn never_closed(&self, open: usize, width: usize) -> Box<Fault> {
        Fault::syntax(open..open + width, "this string is never closed")
            .help("is the file truncated, or a quote missing?")
    }

    fn control(&self) -> Box<Fault> {
        Fault::syntax(self.one(self.at), "control character in a string")
    }

    fn basic_string(&mut self) -> Read<Cow<'t, str>> {
        let open = self.at;
        self.at += 1;
        let mut decoded = String::new();
        let mut run = self.at;
        loop {
            match self.peek() {
                None => return Err(self.never_closed(open, 1)),
                Some(b'\n' | b'\r') => {
                    return Err(Fault::syntax(open..self.at, "this string is not closed on its line"));
                }
                Some(b'"') => {
                    let rest = &self.text[run..self.at];
                    self.at += 1;
                    return Ok(if decoded.is_empty() { rest.into() } else { (decoded + rest).into() });
                }
                Some(b'\\') => {
                    decoded.push_str(&self.text[run..self.at]);
                    decoded.push(self.escape()?);
                    run = self.at;
                }
                Some(0..=8 | 0xb..=0x1f | 0x7f) => return Err(self.control()),
                Some(_) => self.at += 1,
            }
        }
    }

    fn literal_string(&mut self) -> Read<Cow<'t, str>> {
        let open = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err(self.never_closed(open, 1)),
                Some(b'\n' | b'\r') => {
                    return Err(Fault::syntax(open..self.at, "this string is not closed on its line"));
                }
                Some(b'\'') => {
                    self.at += 1;
                    return Ok(self.text[open + 1..self.at - 1].into());
                }
                Some(0..=8 | 0xb..=0x1f | 0x7f) => return Err(self.control()),
                Some(_) => self.at += 1,
            }
        }
    }

    /// Ends a `"""` or `'''` string at its last three quotes; up to two more belong to the text.
    fn long_close(&mut self, quote: u8) -> Option<usize> {
        let count = self.bytes[self.at..].iter().take(5).take_while(|&&b| b == quote).count();
        (count >= 3).then(|| {
            self.at += count;
            self.at - 3
        })
    }

    fn long_basic_string(&mut self) -> Read<Cow<'t, str>> {
        let open = self.at;
        self.at += 3;
        self.newline();
        let mut decoded = String::new();
        let mut run = self.at;
        loop {
            match self.peek() {
                None => return Err(self.never_closed(open, 3)),
                Some(b'"') => match self.long_close(b'"') {
                    Some(end) => return Ok((decoded + &self.text[run..end]).into()),
                    None => self.at += 1,
                },
                Some(b'\\') => {
                    decoded.push_str(&self.text[run..self.at]);
                    let backslash = self.at;
                    self.at += 1;
                    self.blank();
                    if self.newline() {
                        // A backslash at the end of a line swallows it and the blanks that follow.
                        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
                            if self.peek() == Some(b'\r') && self.bytes.get(self.at + 1) != Some(&b'\n') {
                                return Err(self.control());
                            }
                            self.at += 1;
                        }
                    } else {
                        self.at = backslash;
                        decoded.push(self.escape()?);
                    }
                    run = self.at;
                }
                Some(b'\r') if self.bytes.get(self.at + 1) == Some(&b'\n') => self.at += 2,
                Some(0..=8 | 0xb..=0x1f | 0x7f) => return Err(self.control()),
                Some(_) => self.at += 1,
            }
        }
    }

    fn long_literal_string(&mut self) -> Read<Cow<'t, str>> {
        let open = self.at;
        self.at += 3;
        self.newline();
        let start = self.at;
        loop {
            match self.peek() {
                None => return Err(self.never_closed(open, 3)),
                Some(b'\'') => match self.long_close(b'\'') {
                    Some(end) => return Ok(self.text[start..end].into()),
                    None => self.at += 1,
                },
                Some(b'\r') if self.bytes.get(self.at + 1) == Some(&b'\n') => self.at += 2,
                Some(0..=8 | 0xb..=0x1f | 0x7f) => return Err(self.control()),
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        let start = self.at;
        self.at += 1;
        let letter = self.peek();
        if letter.is_some() {
            self.at += self.one(self.at).len();
        }
        let digits = match letter {
            Some(b @ (b'"' | b'\\')) => return Ok(b as char),
            Some(b'b') => return Ok('\u{8}'),
            Some(b't') => return Ok('\t'),
            Some(b'n') => return Ok('\n'),
            Some(b'f') => return Ok('\u{c}'),
            Some(b'r') => return Ok('\r'),
            Some(b'e') => return Ok('\u{1b}'),
            Some(b'x') => 2,
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => {
                return Err(Fault::syntax(start..self.at, "unknown escape in a string")
                    .help("a backslash is written `\\\\`, or put the text in single quotes"));
            }
        };
        let code =
            self.bytes.get(self.at..self.at + digits).filter(|code| code.iter().all(u8::is_ascii_hexdigit));
        let Some(code) = code else {
            return Err(Fault::syntax(start..self.at, format!("expected {digits} hexadecimal digits")));
        };
        self.at += digits;
        let code = code.iter().fold(0_u32, |code, &b| code * 16 + (b as char).to_digit(16).unwrap_or(0));
        char::from_u32(code).ok_or_else(|| Fault::syntax(start..self.at, "this escape is not a character"))
    }
}

fn closed(key: &Key, first: Range<usize>) -> Box<Fault> {
    let message =
        format!("`{}` is given twice: as a value and as a table that goes on here", clip(&key.name));
    let mut fault = Fault::duplicate(&key.name, key.range.clone(), Some(first));
    fault.message = message;
    fault.help("write all its fields in one place")
}

/// A number by the rules of TOML: no leading zeros, underscores between digits only.
fn number(token: &str) -> Option<Value> {
    let (sign, unsigned) = match token.as_bytes().first()? {
        b'+' => ("", &token[1..]),
        b'-' => ("-", &token[1..]),
        _ => ("", token),
    };
    if let Some((radix, digits)) = [(16, "0x"), (8, "0o"), (2, "0b")]
        .into_iter()
        .find_map(|(radix, prefix)| token.strip_prefix(prefix).map(|digits| (radix, digits)))
    {
        let digits = plain_digits(digits, |b| (b as char).is_digit(radix))?;
        return i64::from_str_radix(&digits, radix).ok().map(Value::Integer);
    }
    let mantissa_end = unsigned.find(['e', 'E']).unwrap_or(unsigned.len());
    let (mantissa, exponent) = unsigned.split_at(mantissa_end);
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let decimal = |digits| plain_digits(digits, |b| b.is_ascii_digit());
    let whole = decimal(whole)?;
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    // Nearly all numbers: Rust reads a sound token without underscores just as it is.
    if !token.contains('_') {
        let power = exponent.get(1..).unwrap_or_default();
        let power = power.strip_prefix(['+', '-']).unwrap_or(power);
        let sound = fraction.is_none_or(|digits| decimal(digits).is_some())
            && (exponent.is_empty() || decimal(power).is_some());
        if !sound {
            return None;
        }
        if fraction.is_none()
            && exponent.is_empty()
            && let Ok(integer) = token.parse()
        {
            return Some(Value::Integer(integer));
        }
        return token.parse().ok().map(Value::Float);
    }
    let mut plain = format!("{sign}{whole}");
    if fraction.is_none() && exponent.is_empty() {
        // A whole number too large for an integer is still a number.
        return plain.parse().map(Value::Integer).or_else(|_| plain.parse().map(Value::Float)).ok();
    }
    if let Some(fraction) = fraction {
        plain.push('.');
        plain.push_str(&decimal(fraction)?);
    }
    if !exponent.is_empty() {
        let power = &exponent[1..];
        let (sign, digits) = match power.as_bytes().first()? {
            b'+' => ("", &power[1..]),
            b'-' => ("-", &power[1..]),
            _ => ("", power),
        };
        plain.push('e');
        plain.push_str(sign);
        plain.push_str(&decimal(digits)?);
    }
    plain.parse().ok().map(Value::Float)
}

/// Digits without their underscores, each of which must stand between two digits.
fn plain_digits(text: &str, is_digit: impl Fn(u8) -> bool) -> Option<Cow<'_, str>> {
    let bytes = text.as_bytes();
    let edge = |b: Option<&u8>| b.is_some_and(|&b| is_digit(b));
    let sound = edge(bytes.first())
        && edge(bytes.last())
        && bytes.iter().all(|&b| b == b'_' || is_digit(b))
        && !text.contains("__");
    sound.then(|| if text.contains('_') { text.replace('_', "").into() } else { text.into() })
}

/// Looks like `1979-05-27…` or `07:32…`.
fn is_date(token: &str) -> bool {
    let shape: String = token.chars().take(5).map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    shape == "0000-" || shape.starts_with("00:0")
}
