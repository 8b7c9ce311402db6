//! Booleans, numbers and strings of TOML.

use std::borrow::Cow;

use super::{TomlReader, TomlResult};
use crate::document::{ReadError, Value, clip};

impl<'t> TomlReader<'t> {
    /// Booleans and numbers.
    pub(super) fn scalar(&mut self) -> TomlResult<Value> {
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
                    Err(ReadError::syntax(range, "this number is too large"))
                }
                number => Ok(number),
            };
        }
        let message = format!("`{}` is not a value", clip(token));
        Err(if is_date(token) {
            ReadError::syntax(range, "a scene has no dates or clock times")
                .help("times are seconds, or strings with a unit such as \"2 min\"")
        } else if token.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.')) {
            let unit = token.find(|c: char| c.is_ascii_alphabetic() && c != 'e' && c != 'E' && c != '_');
            let shown = clip(token);
            match unit {
                Some(at) if !token.starts_with("0x") && token[..at].parse::<f64>().is_ok() => {
                    let shown = format!("{} {}", &token[..at], clip(&token[at..]));
                    ReadError::syntax(range, message)
                        .help(format!("put a quantity with a unit in quotes: \"{shown}\""))
                }
                _ => ReadError::syntax(range, format!("`{shown}` is not a number"))
                    .help("numbers look like 12, -0.5 or 1e-3"),
            }
        } else {
            match token.to_ascii_lowercase().as_str() {
                "infinity" => ReadError::syntax(range, message).help("write `inf`"),
                word @ ("true" | "false" | "inf" | "nan") => {
                    let help = format!("write `{word}`");
                    ReadError::syntax(range, message).help(help)
                }
                _ => {
                    let help = format!("put text in quotes: \"{}\"", clip(token));
                    ReadError::syntax(range, message).help(help)
                }
            }
        })
    }

    fn never_closed(&self, open: usize, width: usize) -> Box<ReadError> {
        ReadError::syntax(open..open + width, "this string is never closed")
            .help("is the file truncated, or a quote missing?")
    }

    fn control(&self) -> Box<ReadError> {
        ReadError::syntax(self.one(self.at), "control character in a string")
    }

    pub(super) fn basic_string(&mut self) -> TomlResult<Cow<'t, str>> {
        let open = self.at;
        self.at += 1;
        let mut decoded = String::new();
        let mut run = self.at;
        loop {
            match self.peek() {
                None => return Err(self.never_closed(open, 1)),
                Some(b'\n' | b'\r') => {
                    return Err(ReadError::syntax(open..self.at, "this string is not closed on its line"));
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

    pub(super) fn literal_string(&mut self) -> TomlResult<Cow<'t, str>> {
        let open = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err(self.never_closed(open, 1)),
                Some(b'\n' | b'\r') => {
                    return Err(ReadError::syntax(open..self.at, "this string is not closed on its line"));
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

    pub(super) fn long_basic_string(&mut self) -> TomlResult<Cow<'t, str>> {
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

    pub(super) fn long_literal_string(&mut self) -> TomlResult<Cow<'t, str>> {
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

    fn escape(&mut self) -> TomlResult<char> {
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
                return Err(ReadError::syntax(start..self.at, "unknown escape in a string")
                    .help("a backslash is written `\\\\`, or put the text in single quotes"));
            }
        };
        let code =
            self.bytes.get(self.at..self.at + digits).filter(|code| code.iter().all(u8::is_ascii_hexdigit));
        let Some(code) = code else {
            return Err(ReadError::syntax(start..self.at, format!("expected {digits} hexadecimal digits")));
        };
        self.at += digits;
        let code = code.iter().fold(0_u32, |code, &b| code * 16 + (b as char).to_digit(16).unwrap_or(0));
        char::from_u32(code)
            .ok_or_else(|| ReadError::syntax(start..self.at, "this escape is not a character"))
    }
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
