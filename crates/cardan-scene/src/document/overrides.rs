//! `--set PATH=VALUE`: one value of the tree replaced or added.

use super::{Document, FieldPath, Node, PathSegment, ReadError, Span, Table, TableForm, Value, clip, toml};
use crate::error::{ErrorKind, SceneError};
use crate::nearest::nearest;

impl Document {
    /// Applies an override such as `bodies.crank.mass=2.0` or `joints.A.limits.0.1="90 deg"`. The value is read as TOML,
    /// or taken as text if it is none. Everything on the way to the last name must exist
    /// (but for `simulation`); the last one may be new.
    pub fn set(&mut self, text: &str) -> Result<(), SceneError> {
        self.overrides.push(("--set".to_string(), text.to_string()));
        let origin = self.overrides.len() as u32;
        let applied = self.apply(text, origin).map_err(|error| (error, origin));
        applied.and_then(|()| self.translate()).map_err(|(error, origin)| {
            SceneError::from_read_error(self, *error, origin, FieldPath::default())
        })
    }

    fn apply(&mut self, text: &str, origin: u32) -> Result<(), Box<ReadError>> {
        let fault = |range, message: String| {
            let mut fault = ReadError::syntax(range, message);
            fault.kind = ErrorKind::Override;
            fault
        };
        const USAGE: &str = "write --set PATH=VALUE, for example --set bodies.crank.mass=2.0";
        let (path, equals) =
            FieldPath::read(text).map_err(|(at, what)| fault(at..at, what.to_string()).help(USAGE))?;
        if equals == text.len() {
            return Err(fault(equals..equals, "`=` and a value are missing".to_string()).help(USAGE));
        }
        let from = equals + 1;
        let node = toml::read_value(text, from, origin).unwrap_or_else(|_| {
            let plain = text[from..].trim();
            let start = from + (text[from..].len() - text[from..].trim_start().len());
            let span = Span::new(start..start + plain.len(), origin);
            Node { value: Value::Text(plain.into()), span }
        });

        let path = self.translate_path(path, Span::new(0..equals, origin));
        let Some((last, parents)) = path.segments().split_last() else { return Ok(()) };
        let mut known = FieldPath::default();
        let mut place = &mut self.root;
        // Its settings all have defaults, so a scene may well do without this table.
        if parents.first().is_some_and(|first| *first == PathSegment::from("simulation"))
            && let Value::Table(root) = &mut place.value
            && root.get("simulation").is_none()
        {
            let span = Span::new(0..equals, origin);
            let settings = Node { value: Value::Table(Box::new(Table::new(TableForm::Header))), span };
            root.push("simulation".into(), span, settings);
        }
        for segment in parents {
            if place.get(segment).is_none() {
                return Err(no_such(place, &known, segment, 0..equals));
            }
            let Some(next) = child_mut(place, segment) else { return Ok(()) };
            place = next;
            known.push(segment.clone());
        }
        if let Some(old) = child_mut(place, last) {
            *old = node;
        } else if let Value::Table(table) = &mut place.value {
            table.push(last.to_key().into(), Span::new(0..equals, origin), node);
        } else {
            return Err(no_such(place, &known, last, 0..equals));
        }
        Ok(())
    }
}

fn child_mut<'n>(node: &'n mut Node, segment: &PathSegment) -> Option<&'n mut Node> {
    let key = segment.to_key();
    match &mut node.value {
        Value::Table(table) => table.position(&key).map(|i| table.node_mut(i)),
        Value::Array(items) => items.get_mut(key.parse::<usize>().ok()?),
        _ => None,
    }
}

/// The path leads nowhere: says from where on, and what there is instead.
fn no_such(
    place: &Node,
    known: &FieldPath,
    segment: &PathSegment,
    range: std::ops::Range<usize>,
) -> Box<ReadError> {
    let name = segment.to_key();
    let shown = clip(&name);
    let whose = if known.is_empty() { "the scene".to_string() } else { format!("`{known}`") };
    let (message, help) = match &place.value {
        Value::Table(table) => {
            let names = || table.entries().iter().map(|entry| &*entry.key);
            let help = match nearest(&name, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names().next().is_none() => format!("{whose} is empty"),
                None => format!("{whose} has {}", list(names())),
            };
            (format!("{whose} has no `{shown}` to set something in"), help)
        }
        Value::Array(items) => {
            let help = match items.len() {
                0 => "the array is empty".to_string(),
                count => format!("the elements are 0 to {}", count - 1),
            };
            (format!("{whose} is an array without an element `{shown}`"), help)
        }
        other => (
            format!("{whose} is {}, so it has no `{shown}`", other.describe()),
            "shorten the path".to_string(),
        ),
    };
    let mut fault = ReadError::syntax(range, message);
    fault.kind = ErrorKind::Override;
    fault.help(help)
}

/// A few names for a message.
pub(crate) fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const MAX_NAMES: usize = 12;
    let mut shown: Vec<String> = names.take(MAX_NAMES + 1).map(|name| format!("`{}`", clip(name))).collect();
    if shown.len() > MAX_NAMES {
        shown[MAX_NAMES] = "…".to_string();
    }
    shown.join(", ")
}
