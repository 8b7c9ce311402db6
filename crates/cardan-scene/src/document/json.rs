//! JSON (RFC 8259) into the tree, with spans.

use std::ops::Range;

use super::{MAX_DEPTH, MAX_VALUES, Node, ReadError, Span, Table, TableForm, Value};

type JsonResult<T> = Result<T, Box<ReadError>>;

/// Reads one JSON value and nothing after it.
pub(crate) fn read(text: &str) -> JsonResult<Node> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut reader = JsonReader { text, bytes: text.as_bytes(), at: start, depth: 0, values: 0 };
    reader.blank();
    let root = reader.value()?;
    reader.blank();
    if reader.at < text.len() {
        let at = reader.at;
        return Err(ReadError::syntax(reader.one(at), "text after the end of the scene")
            .help("a JSON scene is one object; is a brace closed too early?"));
    }
    Ok(root)
}

struct JsonReader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    depth: usize,
    values: usize,
}

impl JsonReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blank(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// The one character at a byte, for a caret.
    fn one(&self, at: usize) -> Range<usize> {
        let width = self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        at..at + width
    }

    /// What was expected here was not found: either the file ends or something else stands here.
    fn expected(&self, what: &str) -> Box<ReadError> {
        match self.peek() {
            None => ReadError::syntax(self.at..self.at, format!("the file ends where {what} is expected"))
                .help("is the file truncated, or a bracket or brace left open?"),
            Some(_) => {
                let range = self.one(self.at);
                let found = self.text[range.clone()].escape_debug().to_string();
                ReadError::syntax(range, format!("expected {what}, found `{found}`"))
            }
        }
    }

    fn value(&mut self) -> JsonResult<Node> {
        let start = self.at;
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(ReadError::too_many(start));
        }
        let value = match self.peek() {
            Some(b'{') => self.object()?,
            Some(b'[') => self.array()?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word()?,
            _ => return Err(self.expected("a value")),
        };
        Ok(Node { value, span: Span::new(start..self.at, 0) })
    }

    fn enter(&mut self) -> JsonResult<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ReadError::too_deep(self.at));
        }
        self.at += 1;
        self.blank();
        Ok(())
    }

    fn object(&mut self) -> JsonResult<Value> {
        self.enter()?;
        let mut table = Table::new(TableForm::Inline);
        if self.peek() != Some(b'}') {
            loop {
                let start = self.at;
                if self.peek() != Some(b'"') {
                    return Err(self.expected("a field name in quotes"));
                }
                let key = self.string()?;
                let key_span = Span::new(start..self.at, 0);
                if let Some(first) = table.entry(&key) {
                    return Err(ReadError::duplicate(&key, key_span.range(), Some(first.key_span.range())));
                }
                self.blank();
                if self.peek() != Some(b':') {
                    return Err(self.expected("`:`"));
                }
                self.at += 1;
                self.blank();
                let node = self.value()?;
                table.push(key, key_span, node);
                self.blank();
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b'}') => break,
                    _ => return Err(self.expected("`,` or `}`")),
                }
                self.blank();
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(Value::Table(Box::new(table)))
    }

    fn array(&mut self) -> JsonResult<Value> {
        self.enter()?;
        let mut items = Vec::new();
        if self.peek() != Some(b']') {
            loop {
                items.push(self.value()?);
                self.blank();
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b']') => break,
                    _ => return Err(self.expected("`,` or `]`")),
                }
                self.blank();
            }
        }
        self.at += 1;
        self.depth -= 1;
        items.shrink_to_fit();
        Ok(Value::Array(items))
    }

    fn word(&mut self) -> JsonResult<Value> {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        match &self.text[start..self.at] {
            "null" => Ok(Value::Null),
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            word => {
                let help = match word.to_ascii_lowercase().as_str() {
                    "inf" | "infinity" => "write \"inf\" in quotes".to_string(),
                    "nan" => "every number must be finite".to_string(),
                    _ => format!("put text in quotes: \"{}\"", super::clip(word)),
                };
                Err(ReadError::syntax(start..self.at, format!("`{}` is not a value", super::clip(word)))
                    .help(help))
            }
        }
    }

    fn digits(&mut self) -> JsonResult<()> {
        if !self.peek().is_some_and(|b| b.is_ascii_digit()) {
            return Err(self.expected("a digit"));
        }
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> JsonResult<Value> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let first = self.at;
        self.digits()?;
        if self.bytes[first] == b'0' && self.at > first + 1 {
            return Err(ReadError::syntax(start..self.at, "a number does not start with 0"));
        }
        let mut whole = true;
        if self.peek() == Some(b'.') {
            whole = false;
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            whole = false;
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        if whole && let Ok(integer) = text.parse() {
            return Ok(Value::Integer(integer));
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Value::Float(number)),
            _ => Err(ReadError::syntax(start..self.at, "this number is too large")),
        }
    }

    fn string(&mut self) -> JsonResult<Box<str>> {
        let open = self.at;
        self.at += 1;
        let mut decoded = String::new();
        let mut run = self.at;
        loop {
            match self.peek() {
                None => {
                    return Err(ReadError::syntax(open..open + 1, "this string is never closed")
                        .help("is the file truncated, or a quote missing?"));
                }
                Some(b'"') => {
                    let rest = &self.text[run..self.at];
                    self.at += 1;
                    if decoded.is_empty() {
                        return Ok(rest.into());
                    }
                    decoded.push_str(rest);
                    return Ok(decoded.into());
                }
                Some(b'\\') => {
                    decoded.push_str(&self.text[run..self.at]);
                    decoded.push(self.escape()?);
                    run = self.at;
                }
                Some(b'\n') => {
                    return Err(ReadError::syntax(open..self.at, "this string is not closed on its line"));
                }
                Some(0..=0x1f) => {
                    return Err(ReadError::syntax(self.one(self.at), "control character in a string"));
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> JsonResult<char> {
        let start = self.at;
        self.at += 1;
        let simple = match self.peek() {
            Some(b @ (b'"' | b'\\' | b'/')) => b as char,
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let mut code = self.hex4(start)?;
                if (0xd800..0xdc00).contains(&code) && self.text[self.at..].starts_with("\\u") {
                    self.at += 2;
                    let low = self.hex4(start)?;
                    if !(0xdc00..0xe000).contains(&low) {
                        return Err(ReadError::syntax(start..self.at, "half a surrogate pair"));
                    }
                    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                }
                return char::from_u32(code)
                    .ok_or_else(|| ReadError::syntax(start..self.at, "this escape is not a character"));
            }
            _ => return Err(ReadError::syntax(start..self.at, "unknown escape in a string")),
        };
        self.at += 1;
        Ok(simple)
    }

    fn hex4(&mut self, start: usize) -> JsonResult<u32> {
        let end = self.at + 4;
        let digits = self.bytes.get(self.at..end).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let Some(digits) = digits else {
            return Err(ReadError::syntax(start..self.at, "expected four hexadecimal digits"));
        };
        self.at = end;
        Ok(digits.iter().fold(0, |code, &b| code * 16 + (b as char).to_digit(16).unwrap_or(0)))
    }
}
