//! A scene back to TOML: tables with headers for what has a name, everything else in one line per field.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::ser::{Error as _, Impossible, Serialize, SerializeStruct, Serializer};
use toml::ser::{Error, ValueSerializer};

use crate::scene::{Named, Scene};

impl Scene {
    /// The scene as TOML. Numbers are in SI units; reading it again gives the same scene.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        self.to_toml_with(&BTreeMap::new())
    }

    /// The scene as TOML with a comment above some of its tables: by header, `joints.elbow`.
    pub(crate) fn to_toml_with(
        &self,
        comments: &BTreeMap<String, String>,
    ) -> Result<String, toml::ser::Error> {
        let mut out = String::new();
        let Scene {
            format,
            title,
            description,
            laws,
            gravity,
            parameters,
            simulation,
            ground,
            bodies,
            robots,
            surfaces,
            joints,
            forces,
            impulses,
            probes,
            inequalities,
            materials,
            contacts,
            camera,
            script,
        } = self;
        field(&mut out, "format", format)?;
        field(&mut out, "title", title)?;
        field(&mut out, "description", description)?;
        if !laws.is_empty() {
            field(&mut out, "laws", laws)?;
        }
        field(&mut out, "gravity", gravity)?;
        if !parameters.is_empty() {
            table(&mut out, "parameters", parameters)?;
        }
        if *simulation != Default::default() {
            table(&mut out, "simulation", simulation)?;
        }
        if let Some(ground) = ground {
            table(&mut out, "ground", ground)?;
        }
        tables(&mut out, "bodies", bodies, comments)?;
        tables(&mut out, "robots", robots, comments)?;
        for (name, surface) in surfaces.iter() {
            // A shape is one field with a name of its own: it is written in a line.
            if !out.contains("\n[surfaces]\n") {
                out.push_str("\n[surfaces]\n");
            }
            field(&mut out, &key(name), surface)?;
        }
        tables(&mut out, "joints", joints, comments)?;
        tables(&mut out, "forces", forces, comments)?;
        tables(&mut out, "impulses", impulses, comments)?;
        tables(&mut out, "probes", probes, comments)?;
        tables(&mut out, "inequalities", inequalities, comments)?;
        tables(&mut out, "materials", materials, comments)?;
        if let Some(contacts) = contacts {
            table(&mut out, "contacts", contacts)?;
        }
        if let Some(camera) = camera {
            table(&mut out, "camera", camera)?;
        }
        for entry in script {
            table(&mut out, "[script]", entry)?;
        }
        Ok(out)
    }
}

/// Named tables alone: `[loops.NAME]`.
pub(crate) fn tables_of<T: Serialize>(kind: &str, items: &Named<T>) -> Result<String, toml::ser::Error> {
    let mut out = String::new();
    tables(&mut out, kind, items, &BTreeMap::new())?;
    Ok(out)
}

/// `key = value`, or nothing for none.
fn field<T: Serialize + ?Sized>(out: &mut String, key: &str, value: &T) -> Result<(), Error> {
    let mut text = String::new();
    match value.serialize(ValueSerializer::new(&mut text)) {
        Ok(_) => writeln!(out, "{key} = {text}").map_err(Error::custom),
        // TOML has no null: a field that is none is left out.
        Err(_) if matches!(serde_json::to_value(value), Ok(serde_json::Value::Null)) => Ok(()),
        Err(error) => Err(error),
    }
}

fn table<T: Serialize>(out: &mut String, header: &str, fields: &T) -> Result<(), Error> {
    let gap = if out.is_empty() { "" } else { "\n" };
    writeln!(out, "{gap}[{header}]").map_err(Error::custom)?;
    fields.serialize(FieldWriter(out))
}

fn tables<T: Serialize>(
    out: &mut String,
    kind: &str,
    items: &Named<T>,
    comments: &BTreeMap<String, String>,
) -> Result<(), Error> {
    for (name, item) in items.iter() {
        let header = format!("{kind}.{}", key(name));
        if let Some(comment) = comments.get(&header) {
            // A name of a file may have any character; a comment ends with its line.
            let comment: String = comment.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            writeln!(out, "\n# {comment}\n[{header}]").map_err(Error::custom)?;
            item.serialize(FieldWriter(out))?;
            continue;
        }
        table(out, &header, item)?;
    }
    Ok(())
}

/// A name as a key: bare if it can be, else quoted on one line.
pub(crate) fn key(name: &str) -> String {
    if !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')) {
        return name.to_string();
    }
    let mut quoted = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Writes a struct as one line per field. Nothing else has a header of its own.
struct FieldWriter<'o>(&'o mut String);

type Unsupported = Impossible<(), Error>;

fn refuse<T>() -> Result<T, Error> {
    Err(Error::custom("only a table can have a header"))
}

impl<'o> Serializer for FieldWriter<'o> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Unsupported;
    type SerializeTuple = Unsupported;
    type SerializeTupleStruct = Unsupported;
    type SerializeTupleVariant = Unsupported;
    type SerializeMap = Unsupported;
    type SerializeStruct = Self;
    type SerializeStructVariant = Unsupported;

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_bool(self, _: bool) -> Result<(), Error> {
        refuse()
    }

    fn serialize_i8(self, _: i8) -> Result<(), Error> {
        refuse()
    }

    fn serialize_i16(self, _: i16) -> Result<(), Error> {
        refuse()
    }

    fn serialize_i32(self, _: i32) -> Result<(), Error> {
        refuse()
    }

    fn serialize_i64(self, _: i64) -> Result<(), Error> {
        refuse()
    }

    fn serialize_u8(self, _: u8) -> Result<(), Error> {
        refuse()
    }

    fn serialize_u16(self, _: u16) -> Result<(), Error> {
        refuse()
    }

    fn serialize_u32(self, _: u32) -> Result<(), Error> {
        refuse()
    }

    fn serialize_u64(self, _: u64) -> Result<(), Error> {
        refuse()
    }

    fn serialize_f32(self, _: f32) -> Result<(), Error> {
        refuse()
    }

    fn serialize_f64(self, _: f64) -> Result<(), Error> {
        refuse()
    }

    fn serialize_char(self, _: char) -> Result<(), Error> {
        refuse()
    }

    fn serialize_str(self, _: &str) -> Result<(), Error> {
        refuse()
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Error> {
        refuse()
    }

    fn serialize_none(self) -> Result<(), Error> {
        refuse()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        refuse()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        refuse()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Error> {
        refuse()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        refuse()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Unsupported, Error> {
        refuse()
    }

    fn serialize_tuple(self, _: usize) -> Result<Unsupported, Error> {
        refuse()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Unsupported, Error> {
        refuse()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Unsupported, Error> {
        refuse()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Unsupported, Error> {
        refuse()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Unsupported, Error> {
        refuse()
    }
}

impl SerializeStruct for FieldWriter<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        field(self.0, key, value)
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}
