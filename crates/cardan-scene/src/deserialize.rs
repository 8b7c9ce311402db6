//! From the tree to Rust types: a serde deserializer that keeps places in the file.
//!
//! An error keeps the span of the value (or of the unknown name) that raised it and collects the path of fields on its way
//! out. Types that refuse a value say so with `de::Error::custom`; the first line of that text is the message, the second,
//! if any, the help.

use std::fmt;

use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};

use crate::document::{Document, Entry, FieldPath, Node, PathSegment, Span, Value, clip};
use crate::error::{ErrorKind, SceneError};
use crate::nearest::nearest;
use crate::scene::reserved;

/// Types the whole tree.
pub(crate) fn deserialize_document<T: DeserializeOwned>(document: &Document) -> Result<T, SceneError> {
    T::deserialize(NodeDeserializer(document.root())).map_err(|error| {
        let TypingErrorDetails { kind, span, path, message, help } = *error.0;
        let span = span.unwrap_or(document.root().span);
        SceneError::new(document, kind, span, FieldPath::from_reversed(path), message, help)
    })
}

/// An error on its way out.
#[derive(Debug)]
struct TypingErrorDetails {
    kind: ErrorKind,
    span: Option<Span>,
    /// Innermost first.
    path: Vec<PathSegment>,
    message: String,
    help: Option<String>,
}

#[derive(Debug)]
struct TypingError(Box<TypingErrorDetails>);

impl TypingError {
    fn new(kind: ErrorKind, message: String, help: Option<String>) -> Self {
        Self(Box::new(TypingErrorDetails { kind, span: None, path: Vec::new(), message, help }))
    }

    /// Gives the error a place, unless something further in has given it a better one.
    fn at(mut self, span: Span) -> Self {
        self.0.span.get_or_insert(span);
        self
    }

    fn inside(mut self, segment: impl Into<PathSegment>) -> Self {
        self.0.path.push(segment.into());
        self
    }
}

impl fmt::Display for TypingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for TypingError {}

fn describe(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => format!("the boolean {value}"),
        Unexpected::Signed(value) => format!("the number {value}"),
        Unexpected::Unsigned(value) => format!("the number {value}"),
        Unexpected::Float(value) => format!("the number {value}"),
        Unexpected::Str(text) => format!("the string \"{}\"", clip(text).escape_debug()),
        Unexpected::Seq => "an array".to_string(),
        Unexpected::Map => "a table".to_string(),
        Unexpected::Unit | Unexpected::Option => "null".to_string(),
        other => other.to_string(),
    }
}

/// Serde's own wording of some expectations, in ours.
fn wanted(expected: &dyn Expected) -> String {
    let text = expected.to_string();
    match text.as_str() {
        "a boolean" => "true or false".to_string(),
        "a sequence" => "an array".to_string(),
        "u32" | "u64" | "usize" => "a whole number, not negative".to_string(),
        _ if text.starts_with("struct ") || text.starts_with("a map") => "a table".to_string(),
        _ if text.starts_with("variant identifier") || text.starts_with("enum ") => {
            "a name in quotes".to_string()
        }
        _ => text,
    }
}

/// Names of other programs for what the format has: suggested where they occur.
const OTHER_NAMES: [(&str, &str); 22] = [
    ("hinge", "revolute"),
    ("pin", "revolute"),
    ("rotational", "revolute"),
    ("slider", "prismatic"),
    ("slide", "prismatic"),
    ("translational", "prismatic"),
    ("ball", "spherical"),
    ("ball-joint", "spherical"),
    ("ball-and-socket", "spherical"),
    ("weld", "fixed"),
    ("rigid", "fixed"),
    ("cardan", "universal"),
    ("hooke", "universal"),
    ("rod", "distance"),
    ("link", "distance"),
    ("ballscrew", "screw"),
    ("ball-screw", "screw"),
    ("pulley", "rope"),
    ("chain", "belt"),
    ("wheel", "rolling"),
    ("differential", "gear"),
    ("cv", "constant-velocity"),
];

impl de::Error for TypingError {
    fn custom<T: fmt::Display>(text: T) -> Self {
        let text = text.to_string();
        match text.split_once('\n') {
            Some((message, help)) => {
                Self::new(ErrorKind::BadValue, message.to_string(), Some(help.to_string()))
            }
            None => Self::new(ErrorKind::BadValue, text, None),
        }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let message = format!("expected {}, found {}", wanted(expected), describe(found));
        Self::new(ErrorKind::WrongType, message, None)
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::new(ErrorKind::WrongType, format!("expected {expected}, found {length}"), None)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let shown = clip(variant);
        if reserved::is_reserved(variant, expected) {
            let message = format!("`{shown}` is not available yet in this version");
            let help = format!("available: {}", expected.join(", "));
            return Self::new(ErrorKind::NotAvailable, message, Some(help));
        }
        let all = expected.join(", ");
        let other = OTHER_NAMES.iter().find(|(name, here)| *name == variant && expected.contains(here));
        let near = other.map(|(_, here)| *here).or_else(|| nearest(variant, expected.iter().copied()));
        let help = match near {
            Some(near) => format!("did you mean `{near}`? Known: {all}"),
            None => format!("known: {all}"),
        };
        Self::new(ErrorKind::UnknownKind, format!("unknown choice `{shown}`"), Some(help))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let shown = clip(field);
        let help = match nearest(field, expected.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known fields: {}", expected.join(", ")),
        };
        Self::new(ErrorKind::UnknownField, format!("unknown field `{shown}`"), Some(help))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(ErrorKind::MissingField, format!("the field `{field}` is missing"), None)
    }
}

/// A node being typed.
#[derive(Clone, Copy)]
struct NodeDeserializer<'de>(&'de Node);

impl<'de> Deserializer<'de> for NodeDeserializer<'de> {
    type Error = TypingError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypingError> {
        let result = match &self.0.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Integer(value) => visitor.visit_i64(*value),
            Value::Float(value) => visitor.visit_f64(*value),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visitor.visit_seq(ArrayAccess { items, next: 0 }),
            Value::Table(table) => visitor.visit_map(TableAccess { entries: table.entries(), current: None }),
        };
        result.map_err(|error| error.at(self.0.span))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypingError> {
        match self.0.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, TypingError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, TypingError> {
        match &self.0.value {
            Value::Array(items) if items.len() != length => {
                let count = items.len();
                let message = format!("expected an array of {length}, found {count}");
                Err(TypingError::new(ErrorKind::WrongType, message, None).at(self.0.span))
            }
            Value::Array(_) => self.deserialize_any(visitor),
            other => {
                let message = format!("expected an array of {length}, found {}", other.describe());
                Err(TypingError::new(ErrorKind::WrongType, message, None).at(self.0.span))
            }
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypingError> {
        let wrong = |found: &str| {
            let message = format!("expected one of {}, found {found}", variants.join(", "));
            // A law that is a number.
            let constant = match self.0.value {
                Value::Integer(value) => Some(value.to_string()),
                Value::Float(value) => Some(value.to_string()),
                _ => None,
            };
            let help = constant
                .filter(|_| variants.contains(&"constant"))
                .map(|value| format!("a constant value is written {{ constant = {value} }}"));
            TypingError::new(ErrorKind::WrongType, message, help).at(self.0.span)
        };
        match &self.0.value {
            Value::Text(_) => visitor.visit_enum(VariantDeserializer { name: self.0, entry: None }),
            Value::Table(table) => match table.entries() {
                [entry] => visitor.visit_enum(VariantDeserializer { name: self.0, entry: Some(entry) }),
                entries => Err(wrong(&format!("a table of {} fields", entries.len()))),
            },
            other => Err(wrong(other.describe())),
        }
        .map_err(|error| error.at(self.0.span))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple_struct map struct identifier ignored_any
    }
}

struct ArrayAccess<'de> {
    items: &'de [Node],
    next: usize,
}

impl<'de> SeqAccess<'de> for ArrayAccess<'de> {
    type Error = TypingError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, TypingError> {
        let Some(node) = self.items.get(self.next) else { return Ok(None) };
        let index = self.next;
        self.next += 1;
        seed.deserialize(NodeDeserializer(node)).map(Some).map_err(|error| error.at(node.span).inside(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len() - self.next)
    }
}

struct TableAccess<'de> {
    entries: &'de [Entry],
    current: Option<&'de Entry>,
}

impl<'de> MapAccess<'de> for TableAccess<'de> {
    type Error = TypingError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, TypingError> {
        let Some((first, rest)) = self.entries.split_first() else { return Ok(None) };
        (self.current, self.entries) = (Some(first), rest);
        let key: de::value::BorrowedStrDeserializer<'de, TypingError> =
            de::value::BorrowedStrDeserializer::new(&first.key);
        seed.deserialize(key).map(Some).map_err(|error| error.at(first.key_span))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, TypingError> {
        let Some(entry) = self.current.take() else {
            return Err(de::Error::custom("a value was asked for before its name"));
        };
        seed.deserialize(NodeDeserializer(&entry.node))
            .map_err(|error| error.at(entry.node.span).inside(&*entry.key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// A choice: a bare name, or a table whose only field is the name and carries the content.
struct VariantDeserializer<'de> {
    name: &'de Node,
    entry: Option<&'de Entry>,
}

impl<'de> EnumAccess<'de> for VariantDeserializer<'de> {
    type Error = TypingError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), TypingError> {
        let (name, span) = match self.entry {
            Some(entry) => (&*entry.key, entry.key_span),
            None => (self.name.as_str().unwrap_or_default(), self.name.span),
        };
        let name: de::value::StrDeserializer<'_, TypingError> = name.into_deserializer();
        seed.deserialize(name).map(|variant| (variant, self)).map_err(|error| error.at(span))
    }
}

impl<'de> VariantDeserializer<'de> {
    fn content<T>(
        &self,
        then: impl FnOnce(NodeDeserializer<'de>) -> Result<T, TypingError>,
    ) -> Result<T, TypingError> {
        match self.entry {
            Some(entry) => then(NodeDeserializer(&entry.node))
                .map_err(|error| error.at(entry.node.span).inside(&*entry.key)),
            None => {
                let name = self.name.as_str().unwrap_or_default();
                let message = format!("`{name}` needs a value: {{ {name} = … }}");
                Err(TypingError::new(ErrorKind::WrongType, message, None).at(self.name.span))
            }
        }
    }
}

impl<'de> VariantAccess<'de> for VariantDeserializer<'de> {
    type Error = TypingError;

    fn unit_variant(self) -> Result<(), TypingError> {
        match self.entry {
            None => Ok(()),
            Some(entry) => {
                let message = format!("expected the name \"{}\" alone", entry.key);
                Err(TypingError::new(ErrorKind::WrongType, message, None).at(entry.node.span))
            }
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, TypingError> {
        self.content(|node| seed.deserialize(node))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, TypingError> {
        self.content(|node| node.deserialize_tuple(length, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypingError> {
        self.content(|node| node.deserialize_any(visitor))
    }
}
