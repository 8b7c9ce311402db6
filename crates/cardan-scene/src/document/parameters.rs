//! `[parameters]`, and values that begin with `=`: expressions of them, worked out before the tree is typed.
//!
//! ```text
//! length = "=2*L + 5 mm"        + − * / ^ ( ), numbers with units, names of parameters, pi,
//!                               sqrt abs min max sin cos tan asin acos atan atan2
//! ```
//!
//! Dimensions are followed: sums take equal ones, roots halve them, functions of angles take numbers (rad). A parameter
//! that is a plain number fits anywhere, as plain numbers of fields do: it is in SI units. The result has its unit,
//! which the field then checks. Cycles are followed as well, so that Hz is not taken for rad/s: `pi` is one by −1,
//! which makes `2*pi*f` rad/s and `w/(2*pi)` Hz.

use std::collections::BTreeMap;

use super::{Document, FieldPath, Node, PathSegment, Value};
use crate::error::{ErrorKind, SceneError};
use crate::nearest::nearest;
use crate::quantity::{Exponents, Quantity, si_exponents};

/// Deepest nesting of brackets and of parameters that are made of others, both counted together: they share a stack.
const MOST_NESTED: usize = 60;

/// No unit has more characters, however it is spelled.
const LONGEST_UNIT: usize = 16;

/// A number in SI units with its dimension; `None` for a plain number, which fits anywhere.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Sized {
    x: f64,
    dimension: Option<Exponents>,
}

const PLAIN: Option<Exponents> = Some([0; 4]);

/// Without m, kg and s; cycles may be left.
fn is_plain(dimension: Option<Exponents>) -> bool {
    dimension.is_none_or(|own| own[..3] == [0; 3])
}

impl Document {
    /// The document with every value that begins with `=` worked out; `None` if there is none.
    pub(crate) fn with_parameters(&self) -> Result<Option<Document>, SceneError> {
        if !has_expression(&self.root) {
            return Ok(None);
        }
        let parameters = self.root.as_table().and_then(|root| root.get("parameters"));
        let table = parameters.and_then(Node::as_table);
        let names = table.map_or(BTreeMap::new(), |table| {
            table.entries().iter().map(|entry| (&*entry.key, &entry.node)).collect()
        });
        let mut scope = Scope { document: self, names, known: BTreeMap::new(), open: Vec::new(), depth: 0 };
        let mut next = self.clone();
        scope.replace(&mut next.root, &mut FieldPath::default())?;
        Ok(Some(next))
    }
}

fn expression(node: &Node) -> Option<&str> {
    node.as_str().and_then(|text| text.trim_start().strip_prefix('='))
}

fn has_expression(node: &Node) -> bool {
    match &node.value {
        Value::Text(_) => expression(node).is_some(),
        Value::Array(items) => items.iter().any(has_expression),
        Value::Table(table) => table.entries().iter().any(|entry| has_expression(&entry.node)),
        _ => false,
    }
}

/// Parameters by name, and those that are worked out.
struct Scope<'d> {
    document: &'d Document,
    names: BTreeMap<&'d str, &'d Node>,
    known: BTreeMap<String, Sized>,
    /// Parameters that are being worked out: one that needs itself has no value.
    open: Vec<String>,
    /// Brackets and parameters that are open.
    depth: usize,
}

impl Scope<'_> {
    fn replace(&mut self, node: &mut Node, path: &mut FieldPath) -> Result<(), SceneError> {
        if let Some(text) = expression(node) {
            let value = self.evaluate(text);
            let value = value.map_err(|(message, help)| self.error(node, path, message, help))?;
            node.value = written(value);
            return Ok(());
        }
        match &mut node.value {
            Value::Array(items) => {
                for (k, item) in items.iter_mut().enumerate() {
                    self.replace(item, &mut path.join(PathSegment::Index(k)))?;
                }
            }
            Value::Table(table) => {
                for k in 0..table.entries().len() {
                    let key = table.entries()[k].key.to_string();
                    let is_text = path.is_empty() && (key == "title" || key == "description");
                    if !is_text {
                        self.replace(table.node_mut(k), &mut path.join(key.as_str()))?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn error(&self, node: &Node, path: &FieldPath, message: String, help: String) -> SceneError {
        SceneError::new(self.document, ErrorKind::BadValue, node.span, path.clone(), message, Some(help))
    }

    fn evaluate(&mut self, text: &str) -> Result<Sized, Fault> {
        let mut parser = Parser { text, at: 0, scope: self };
        let value = parser.sum()?;
        parser.blanks();
        if parser.at < text.len() {
            let rest = super::clip(&text[parser.at..]).into_owned();
            return fault(format!("`{rest}` is left over"), "write + − * / ^ between numbers and names");
        }
        if !value.x.is_finite() {
            return fault(
                format!("`{}` is not a finite number", text.trim()),
                "is something divided by zero?",
            );
        }
        Ok(value)
    }

    fn parameter(&mut self, name: &str) -> Result<Sized, Fault> {
        if let Some(value) = self.known.get(name) {
            return Ok(*value);
        }
        let Some(node) = self.names.get(name).copied() else {
            let help = match nearest(name, self.names.keys().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if self.names.is_empty() => "give it in [parameters], such as L = \"20 cm\"".to_string(),
                None => format!("there are {}", super::overrides::list(self.names.keys().copied())),
            };
            return Err((format!("there is no parameter `{}`", super::clip(name)), help));
        };
        if self.open.iter().any(|open| open == name) {
            return fault(format!("parameter `{name}` is made of itself"), "give one of them a number");
        }
        let value = match (&node.value, expression(node)) {
            (_, Some(text)) => {
                self.open.push(name.to_string());
                let value = self.evaluate(text);
                self.open.pop();
                value?
            }
            (Value::Integer(x), _) => Sized { x: *x as f64, dimension: None },
            (Value::Float(x), _) => Sized { x: *x, dimension: None },
            (Value::Text(text), _) => quantity(text)?,
            (other, _) => {
                let what = format!("parameter `{name}` is {}", other.describe());
                return fault(what, "give a number, or a text with a unit, such as \"20 cm\"");
            }
        };
        self.known.insert(name.to_string(), value);
        Ok(value)
    }
}

/// What is wrong, and what would be right.
type Fault = (String, String);

fn fault<T>(message: impl Into<String>, help: impl Into<String>) -> Result<T, Fault> {
    Err((message.into(), help.into()))
}

/// A number with a unit.
fn quantity(text: &str) -> Result<Sized, Fault> {
    let read = Quantity::parse(text, None).map_err(|error| (error.message, error.help))?;
    let brackets = text.find('(').and_then(|at| si_exponents(text[at..].trim_end()));
    Ok(Sized { x: read.value, dimension: brackets.or(read.dimension.map(|own| own.exponents())) })
}

/// A result as the tree has it.
fn written(value: Sized) -> Value {
    let unit = match value.dimension {
        None => return Value::Float(value.x),
        Some([0, 0, 0, cycles]) if cycles <= 0 => return Value::Float(value.x),
        Some([1, 0, 0, _]) => "m".to_string(),
        Some([0, 1, 0, _]) => "kg".to_string(),
        Some([0, 0, 1, _]) => "s".to_string(),
        Some([1, 1, -2, _]) => "N".to_string(),
        Some([0, 0, -1, 1]) => "Hz".to_string(),
        // Cycles matter where they may be taken for radians; a wheel's turns times its girth is a length.
        Some([0, 0, s, cycles]) if cycles > 0 => format!("({})", product([0, 0, s, cycles])),
        Some([m, kg, s, _]) => format!("({})", product([m, kg, s, 0])),
    };
    // The shortest text reads back to the same bits, and the factor of the unit is 1.
    Value::Text(format!("{:?} {unit}", value.x).into())
}

fn product(dimension: Exponents) -> String {
    let part = |(unit, power): (&str, i32)| match power {
        0 => None,
        1 => Some(unit.to_string()),
        power => Some(format!("{unit}^{power}")),
    };
    ["m", "kg", "s", "cycle"].into_iter().zip(dimension).filter_map(part).collect::<Vec<_>>().join("·")
}

fn shown([m, kg, s, cycles]: Exponents) -> String {
    match [m, kg, s, cycles] {
        [0, 0, 0, ..=0] => "a plain number".to_string(),
        [0, 0, ..] if cycles > 0 => product([m, kg, s, cycles]),
        _ => product([m, kg, s, 0]),
    }
}

struct Parser<'t, 's, 'd> {
    text: &'t str,
    at: usize,
    scope: &'s mut Scope<'d>,
}

impl<'t> Parser<'t, '_, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }
    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }
    fn take(&mut self, sign: char) -> bool {
        self.blanks();
        let is_next = self.rest().starts_with(sign);
        self.at += if is_next { sign.len_utf8() } else { 0 };
        is_next
    }

    fn sum(&mut self) -> Result<Sized, Fault> {
        self.scope.depth += 1;
        if self.scope.depth > MOST_NESTED {
            let message = format!("more than {MOST_NESTED} brackets and parameters nest in each other");
            return fault(message, "give one of the parameters a number");
        }
        let mut value = self.product()?;
        loop {
            let sign = match () {
                () if self.take('+') => 1.0,
                () if self.take('-') || self.take('−') => -1.0,
                () => break,
            };
            let other = self.product()?;
            let dimension = same(value.dimension, other.dimension)?;
            value = Sized { x: value.x + sign * other.x, dimension };
        }
        self.scope.depth -= 1;
        Ok(value)
    }

    fn product(&mut self) -> Result<Sized, Fault> {
        let mut value = self.signed()?;
        loop {
            let sign = match () {
                () if self.take('*') || self.take('·') => 1,
                () if self.take('/') => -1,
                () => return Ok(value),
            };
            let other = self.signed()?;
            let dimension = match (value.dimension, other.dimension) {
                (Some(a), Some(b)) => {
                    Some([0, 1, 2, 3].map(|k| a[k].saturating_add(b[k].saturating_mul(sign))))
                }
                _ => None,
            };
            let x = if sign > 0 { value.x * other.x } else { value.x / other.x };
            value = Sized { x, dimension };
        }
    }

    fn signed(&mut self) -> Result<Sized, Fault> {
        // An even number of signs cancels; a loop, so that a long row of them costs no stack.
        let mut sign = 1.0;
        loop {
            if self.take('-') || self.take('−') {
                sign = -sign;
            } else if !self.take('+') {
                break;
            }
        }
        let value = self.power()?;
        Ok(Sized { x: sign * value.x, ..value })
    }

    fn power(&mut self) -> Result<Sized, Fault> {
        let base = self.atom()?;
        if !self.take('^') {
            return Ok(base);
        }
        let negative = self.take('-') || self.take('−');
        let raised = self.atom()?;
        let n = if negative { -raised.x } else { raised.x };
        if !is_plain(raised.dimension) {
            return fault("a power is a plain number", "write L^2 for the square of a length");
        }
        let dimension = match base.dimension {
            None => None,
            Some(own) if n == n.trunc() && n.abs() <= 8.0 => {
                Some(own.map(|power| power.saturating_mul(n as i32)))
            }
            own if is_plain(own) => PLAIN,
            Some(own) => {
                return fault(
                    format!("{} to the power {n} is no unit", shown(own)),
                    "sqrt halves the powers of units",
                );
            }
        };
        Ok(Sized { x: libm::pow(base.x, n), dimension })
    }

    fn atom(&mut self) -> Result<Sized, Fault> {
        if self.take('(') {
            let value = self.sum()?;
            return if self.take(')') { Ok(value) } else { fault("a `)` is missing", "close every bracket") };
        }
        let rest = self.rest();
        let starts = |c: char| c.is_ascii_digit() || c == '.';
        if rest.starts_with(starts) {
            return self.number();
        }
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let name = &rest[..length];
        if name.is_empty() {
            let what = rest.chars().next().map_or("the end".to_string(), |c| format!("`{c}`"));
            return fault(format!("expected a number or a name, found {what}"), "such as \"=2*L + 5 mm\"");
        }
        self.at += length;
        if self.take('(') {
            return self.function(name);
        }
        match self.scope.names.contains_key(name) {
            false if name == "pi" => Ok(Sized { x: core::f64::consts::PI, dimension: Some([0, 0, 0, -1]) }),
            _ => self.scope.parameter(name),
        }
    }

    /// A number, with a unit if one follows.
    fn number(&mut self) -> Result<Sized, Fault> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let digits = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = digits(0);
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            if bytes.get(sign).is_some_and(u8::is_ascii_digit) {
                end = digits(sign);
            }
        }
        let Ok(x) = rest[..end].parse::<f64>() else {
            return fault(format!("`{}` is no number", &rest[..end]), "such as 0.5 or 5 mm");
        };
        self.at += end;
        self.blanks();
        // A unit goes on to the next sign that is none of its own; m/s, N·m and m/s^2 have some.
        let after = self.rest();
        let mut best = None;
        let mut last = ' ';
        for (at, c) in after.char_indices().take(LONGEST_UNIT) {
            let is_power = c == '^' || (last == '^' && c.is_ascii_digit());
            let is_unit = c.is_alphanumeric() || "/·²³".contains(c) || is_power;
            if !is_unit || (at == 0 && !c.is_alphabetic()) || (last == '^' && !is_power) {
                break;
            }
            last = c;
            let length = at + c.len_utf8();
            let ends = c != '^' && after[length..].chars().next().is_none_or(|c| !c.is_alphanumeric());
            if ends && let Some(found) = Quantity::with_unit(x, &after[..length]) {
                best = Some((length, found));
            }
        }
        let Some((length, found)) = best else { return Ok(Sized { x, dimension: PLAIN }) };
        self.at += length;
        self.blanks();
        if self.rest().starts_with('^') {
            // Is `2 mm^2` the square of 2 mm, or 2 mm²?
            let (number, unit) = (&rest[..end], &after[..length]);
            return fault(
                format!("`{number} {unit}^` can be read in two ways"),
                format!("write ({number} {unit})^2 for the square, or {number} * (1 {unit})^2"),
            );
        }
        Ok(Sized { x: found.value, dimension: found.dimension.map(|own| own.exponents()) })
    }

    fn function(&mut self, name: &str) -> Result<Sized, Fault> {
        let mut given = vec![self.sum()?];
        while self.take(',') {
            given.push(self.sum()?);
        }
        if !self.take(')') {
            return fault("a `)` is missing", "close every bracket");
        }
        let plain = |value: &Sized| match value.dimension {
            Some([0, 0, 0, cycles]) if cycles > 0 => fault(
                format!("`{name}` takes an angle, found cycles"),
                "multiply by 2*pi: Hz are cycles per second",
            ),
            None | Some([0, 0, 0, _]) => Ok(value.x),
            Some(other) => fault(
                format!("`{name}` takes a plain number, found {}", shown(other)),
                "divide by a unit, such as L / (1 m)",
            ),
        };
        let number = |x: f64| Ok(Sized { x, dimension: PLAIN });
        match (name, &given[..]) {
            ("sqrt", [a]) => {
                let dimension = match a.dimension {
                    // An odd power of pi is no unit, half a cycle would be one.
                    Some(own)
                        if own[..3].iter().any(|power| power % 2 != 0) || (own[3] > 0 && own[3] % 2 != 0) =>
                    {
                        return fault(
                            format!("{} has no square root", shown(own)),
                            "take the root of a square",
                        );
                    }
                    own => own.map(|own| own.map(|power| power / 2)),
                };
                Ok(Sized { x: a.x.sqrt(), dimension })
            }
            ("abs", [a]) => Ok(Sized { x: a.x.abs(), ..*a }),
            ("min" | "max", [a, b]) => {
                let first = (a.x < b.x) == (name == "min");
                Ok(Sized { x: if first { a.x } else { b.x }, dimension: same(a.dimension, b.dimension)? })
            }
            ("atan2", [y, x]) => {
                same(y.dimension, x.dimension)?;
                number(libm::atan2(y.x, x.x))
            }
            ("sin", [a]) => number(libm::sin(plain(a)?)),
            ("cos", [a]) => number(libm::cos(plain(a)?)),
            ("tan", [a]) => number(libm::tan(plain(a)?)),
            ("asin", [a]) => number(libm::asin(plain(a)?)),
            ("acos", [a]) => number(libm::acos(plain(a)?)),
            ("atan", [a]) => number(libm::atan(plain(a)?)),
            _ => {
                let all = "sqrt abs min max sin cos tan asin acos atan atan2";
                let help = format!("there are {all}; min, max and atan2 take two numbers");
                fault(format!("there is no function `{}` of {}", super::clip(name), given.len()), help)
            }
        }
    }
}

/// The dimension of a sum.
fn same(a: Option<Exponents>, b: Option<Exponents>) -> Result<Option<Exponents>, Fault> {
    let (Some(a), Some(b)) = (a, b) else { return Ok(a.or(b)) };
    // Powers of pi may differ, but cycles do not go with radians.
    let is_counted = a[3] != b[3] && (a[3] > 0 || b[3] > 0) && a[..2] == [0; 2];
    if a[..3] != b[..3] || is_counted {
        let message = format!("{} and {} cannot be added or compared", shown(a), shown(b));
        let help = match is_counted && a[2] == b[2] {
            true => "multiply by 2*pi: Hz are cycles per second",
            false => "give the number a unit, such as 5 mm",
        };
        return fault(message, help);
    }
    Ok(Some([a[0], a[1], a[2], if a[3] == b[3] { a[3] } else { 0 }]))
}
