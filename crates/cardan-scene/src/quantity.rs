//! Quantities: a number in SI units and radians, or a string with a unit, such as `"10 cm"`.
//!
//! A field whose dimension is fixed has a type of its own ([`Length`], [`Mass`], …) and refuses other units while the file is
//! read. A field whose dimension depends on a joint's coordinate is a [`Quantity`] and is asked with
//! [`expect`](Quantity::expect) once the joint is known.

use std::borrow::Cow;
use std::f64::consts::PI;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

use crate::document::clip;

/// What a quantity measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Dimension {
    Length,
    Angle,
    Time,
    Mass,
    Force,
    Torque,
    Speed,
    AngularSpeed,
    Frequency,
    Pressure,
    Stiffness,
    /// Torque per angle.
    AngularStiffness,
    /// Force per speed.
    Damping,
    /// Torque per angular speed.
    AngularDamping,
    Acceleration,
    AngularAcceleration,
    Density,
    /// Anything without units of its own here: the number alone, in SI.
    Number,
}

/// Exponents of m, kg, s and cycles; 1 Hz is a cycle per second, and radians are numbers.
pub(crate) type Exponents = [i32; 4];

/// A unit: name, dimension and the factor to SI as `times` over `per`. Dividing first makes "3 mm" exactly 0.003 and
/// "90 deg" exactly the number nearest to π/2.
type Unit = (&'static str, Dimension, f64, f64);

/// Every unit. The first of each dimension with factor 1 is the one of plain numbers.
const UNITS: &[Unit] = {
    use Dimension::*;
    &[
        ("mm", Length, 1.0, 1000.0),
        ("cm", Length, 1.0, 100.0),
        ("m", Length, 1.0, 1.0),
        ("km", Length, 1000.0, 1.0),
        ("deg", Angle, PI, 180.0),
        ("rad", Angle, 1.0, 1.0),
        ("rev", Angle, 2.0 * PI, 1.0),
        ("ms", Time, 1.0, 1000.0),
        ("s", Time, 1.0, 1.0),
        ("min", Time, 60.0, 1.0),
        ("h", Time, 3600.0, 1.0),
        ("g", Mass, 1.0, 1000.0),
        ("kg", Mass, 1.0, 1.0),
        ("t", Mass, 1000.0, 1.0),
        ("N", Force, 1.0, 1.0),
        ("kN", Force, 1000.0, 1.0),
        ("Nm", Torque, 1.0, 1.0),
        ("Nmm", Torque, 1.0, 1000.0),
        ("Ncm", Torque, 1.0, 100.0),
        ("kNm", Torque, 1000.0, 1.0),
        ("Hz", Frequency, 1.0, 1.0),
        ("rpm", AngularSpeed, PI, 30.0),
        ("rad/s", AngularSpeed, 1.0, 1.0),
        ("deg/s", AngularSpeed, PI, 180.0),
        ("m/s", Speed, 1.0, 1.0),
        ("mm/s", Speed, 1.0, 1000.0),
        ("cm/s", Speed, 1.0, 100.0),
        ("km/h", Speed, 5.0, 18.0),
        ("m/s²", Acceleration, 1.0, 1.0),
        ("mm/s²", Acceleration, 1.0, 1000.0),
        ("rad/s²", AngularAcceleration, 1.0, 1.0),
        ("deg/s²", AngularAcceleration, PI, 180.0),
        ("bar", Pressure, 1e5, 1.0),
        ("Pa", Pressure, 1.0, 1.0),
        ("kPa", Pressure, 1e3, 1.0),
        ("MPa", Pressure, 1e6, 1.0),
        ("GPa", Pressure, 1e9, 1.0),
        ("N/mm²", Pressure, 1e6, 1.0),
        ("N/m", Stiffness, 1.0, 1.0),
        ("N/cm", Stiffness, 100.0, 1.0),
        ("N/mm", Stiffness, 1000.0, 1.0),
        ("kN/m", Stiffness, 1000.0, 1.0),
        ("kN/mm", Stiffness, 1e6, 1.0),
        ("Nm/rad", AngularStiffness, 1.0, 1.0),
        ("Nm/deg", AngularStiffness, 180.0, PI),
        ("Nmm/rad", AngularStiffness, 1.0, 1000.0),
        ("Nmm/deg", AngularStiffness, 0.18, PI),
        ("kNm/rad", AngularStiffness, 1000.0, 1.0),
        ("Ns/m", Damping, 1.0, 1.0),
        ("Ns/mm", Damping, 1000.0, 1.0),
        ("kNs/m", Damping, 1000.0, 1.0),
        ("Nms/rad", AngularDamping, 1.0, 1.0),
        ("Nms", AngularDamping, 1.0, 1.0),
        ("Nms/deg", AngularDamping, 180.0, PI),
        ("Nmms/rad", AngularDamping, 1.0, 1000.0),
        ("kg/m³", Density, 1.0, 1.0),
        ("g/cm³", Density, 1000.0, 1.0),
        ("kg/dm³", Density, 1000.0, 1.0),
        ("t/m³", Density, 1000.0, 1.0),
    ]
};
fn units() -> impl Iterator<Item = Unit> {
    UNITS.iter().copied()
}

impl Dimension {
    /// Its name with an article.
    fn describe(self) -> &'static str {
        match self {
            Dimension::Length => "a length",
            Dimension::Angle => "an angle",
            Dimension::Time => "a time",
            Dimension::Mass => "a mass",
            Dimension::Force => "a force",
            Dimension::Torque => "a torque",
            Dimension::Speed => "a speed",
            Dimension::AngularSpeed => "an angular speed",
            Dimension::Frequency => "a frequency",
            Dimension::Pressure => "a pressure",
            Dimension::Stiffness => "a stiffness",
            Dimension::AngularStiffness => "a stiffness against turning",
            Dimension::Damping => "a damping",
            Dimension::AngularDamping => "a damping of turning",
            Dimension::Acceleration => "an acceleration",
            Dimension::AngularAcceleration => "an angular acceleration",
            Dimension::Density => "a density",
            Dimension::Number => "a number",
        }
    }

    /// The unit of a plain number, empty for [`Dimension::Number`].
    pub fn base_unit(self) -> &'static str {
        units().find(|unit| unit.1 == self && unit.2 == unit.3).map_or("", |unit| unit.0)
    }

    /// Its exponents; those of a torque are also those of a stiffness against turning.
    pub(crate) fn exponents(self) -> Exponents {
        use Dimension::*;
        match self {
            Length => [1, 0, 0, 0],
            Mass => [0, 1, 0, 0],
            Time => [0, 0, 1, 0],
            Angle | Number => [0; 4],
            Force => [1, 1, -2, 0],
            Torque | AngularStiffness => [2, 1, -2, 0],
            Speed => [1, 0, -1, 0],
            AngularSpeed => [0, 0, -1, 0],
            Frequency => [0, 0, -1, 1],
            Pressure => [-1, 1, -2, 0],
            Stiffness => [0, 1, -2, 0],
            Damping => [0, 1, -1, 0],
            AngularDamping => [2, 1, -1, 0],
            Acceleration => [1, 0, -2, 0],
            AngularAcceleration => [0, 0, -2, 0],
            Density => [-3, 1, 0, 0],
        }
    }

    /// The names of its units.
    pub fn unit_names(self) -> impl Iterator<Item = &'static str> {
        units().filter(move |unit| unit.1 == self).map(|unit| unit.0)
    }

    /// Which units a field of this dimension takes, as help.
    fn advice(self) -> String {
        if self == Dimension::Number {
            return "this field takes a plain number, without a unit (SI)".to_string();
        }
        let names: Vec<_> = self.unit_names().collect();
        let several = if names.len() == 1 { "unit" } else { "units" };
        let base = self.base_unit();
        format!("{several} of {}: {}; a plain number is in {base}", self.describe(), names.join(", "))
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.describe())
    }
}

/// Why a quantity is refused: what is wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}\n{help}")]
pub struct QuantityError {
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

/// A number that may carry a dimension. Its value is in SI units and radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// In SI units and radians.
    pub value: f64,
    /// That of its unit; none for a plain number, which fits every field.
    pub dimension: Option<Dimension>,
}

impl Quantity {
    /// A plain number in SI units.
    pub const fn plain(value: f64) -> Self {
        Self { value, dimension: None }
    }

    /// The value, if the quantity fits the dimension.
    pub fn expect(self, dimension: Dimension) -> Result<f64, QuantityError> {
        match self.dimension {
            Some(own) if own != dimension => Err(QuantityError {
                message: match own {
                    Dimension::Number => format!("expected {dimension}, found a result of other units"),
                    own => format!("expected {dimension}, found {own}"),
                },
                help: dimension.advice(),
            }),
            _ => Ok(self.value),
        }
    }

    /// Reads `"10 cm"`, `"-90deg"`, `"1e3"`. Tells which units `wanted` has where it helps.
    pub fn parse(text: &str, wanted: Option<Dimension>) -> Result<Self, QuantityError> {
        let advice = || match wanted {
            Some(dimension) => dimension.advice(),
            None => "a quantity is a number, or a string with a number and a unit: \"30 deg\"".to_string(),
        };
        let trimmed = text.trim();
        // The number is the longest start that reads as one: "1e3 m", "5e" is not, "3ms" is 3 ms.
        let numeric = trimmed
            .bytes()
            .take(64)
            .take_while(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'))
            .count();
        let number = (1..=numeric).rev().find_map(|end| Some((trimmed[..end].parse::<f64>().ok()?, end)));
        let (value, end) = match (number, trimmed) {
            (Some(found), _) => found,
            (None, "inf" | "+inf") => return Ok(Self::plain(f64::INFINITY)),
            (None, "-inf") => return Ok(Self::plain(f64::NEG_INFINITY)),
            (None, _) => {
                let expected = wanted.map_or("a quantity", Dimension::describe);
                return Err(QuantityError {
                    message: format!(
                        "expected {expected}, found the string \"{}\"",
                        clip(text).escape_debug()
                    ),
                    help: advice(),
                });
            }
        };
        let name = trimmed[end..].trim_start();
        if name.is_empty() {
            return Ok(Self::plain(value));
        }
        if let Some(own) = si_exponents(name) {
            return Ok(Self { value, dimension: dimension_of(own, wanted) });
        }
        match Self::with_unit(value, name) {
            Some(quantity) => Ok(quantity),
            None => {
                let help = match meant(name, wanted) {
                    Some(near) => format!("did you mean `{near}`? {}", capitalised(&advice())),
                    None => advice(),
                };
                Err(QuantityError { message: format!("unknown unit `{}`", clip(name).escape_debug()), help })
            }
        }
    }

    /// A number with the unit of that name, if there is one.
    pub(crate) fn with_unit(value: f64, name: &str) -> Option<Self> {
        let plain = spelling(name);
        let (_, dimension, times, per) = units().find(|unit| unit.0 == name || spelling(unit.0) == plain)?;
        Some(Self { value: value / per * times, dimension: Some(dimension) })
    }
}

/// The exponents of a unit in brackets, as results of expressions have it: "(m^2·kg)".
pub(crate) fn si_exponents(name: &str) -> Option<Exponents> {
    let mut own = [0; 4];
    for part in name.strip_prefix('(')?.strip_suffix(')')?.split('·') {
        let (unit, power) = part.split_once('^').unwrap_or((part, "1"));
        own[["m", "kg", "s", "cycle"].iter().position(|known| *known == unit)?] = power.parse().ok()?;
    }
    Some(own)
}

/// What a result of these exponents measures: what is wanted, if it can be that. A field of a plain number takes it in
/// SI units. Where the field is not known yet, Nm may be a torque or Nm/rad.
fn dimension_of(own: Exponents, wanted: Option<Dimension>) -> Option<Dimension> {
    match wanted {
        Some(Dimension::Number) => wanted,
        Some(dimension) if dimension.exponents() == own => wanted,
        None if own == Dimension::Torque.exponents() => None,
        _ => Some(units().map(|unit| unit.1).find(|d| d.exponents() == own).unwrap_or(Dimension::Number)),
    }
}

/// One way to write a unit: "N·m", "N*m" and "N m" are "Nm", "m/s^2" is "m/s2", "°" is "deg". A dot is only taken out after a force, since "m·s" is no "ms".
fn spelling(name: &str) -> String {
    let product = ["N", "kN"].iter().any(|force| name.starts_with(force));
    let mut plain = String::new();
    for letter in name.chars() {
        match letter {
            '·' | '⋅' | '*' | ' ' if product => {}
            '^' => {}
            '²' => plain.push('2'),
            '³' => plain.push('3'),
            '°' => plain.push_str("deg"),
            other => plain.push(other),
        }
    }
    plain
}

/// The unit that a wrong spelling stands for. Only one that is the same unit written otherwise: units that differ by a letter differ in value.
fn meant(name: &str, wanted: Option<Dimension>) -> Option<&'static str> {
    let word = match name.to_lowercase().as_str() {
        "sec" | "secs" | "second" | "seconds" => "s",
        "minute" | "minutes" => "min",
        "hour" | "hours" => "h",
        "metre" | "metres" | "meter" | "meters" => "m",
        "gram" | "grams" => "g",
        "tonne" | "tonnes" => "t",
        "degree" | "degrees" => "deg",
        "radian" | "radians" => "rad",
        "turn" | "turns" | "revolutions" => "rev",
        "1/s" => "Hz",
        "kph" | "kmh" => "km/h",
        "m/sec" => "m/s",
        "newton" | "newtons" => "N",
        _ => "",
    };
    if !word.is_empty() {
        return Some(word);
    }
    // Other capitals, then letters typed twice and a plural; where two units would do, neither is.
    let small = |text: &str| spelling(text).to_lowercase();
    let once = |text: &str| {
        let mut letters: Vec<char> = small(text).chars().collect();
        letters.dedup();
        if letters.len() > 1 && letters.last() == Some(&'s') && letters[letters.len() - 2] != '/' {
            letters.pop();
        }
        letters
    };
    let only = |same: &dyn Fn(&str) -> bool| {
        let fitting = |unit: &Unit| wanted.is_none_or(|d| d == unit.1);
        let mut found = units().filter(|unit| same(unit.0));
        match (found.next(), found.next()) {
            (Some(unit), None) if fitting(&unit) => Some(unit.0),
            _ => None,
        }
    };
    only(&|unit| small(unit) == small(name)).or_else(|| only(&|unit| once(unit) == once(name)))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
        .unwrap_or_default()
}

impl From<f64> for Quantity {
    fn from(value: f64) -> Self {
        Self::plain(value)
    }
}

/// Reads any quantity; `wanted` shapes the messages only.
struct QuantityVisitor {
    wanted: Option<Dimension>,
    /// `inf` is allowed.
    unbounded: bool,
}

impl QuantityVisitor {
    fn finite<E: de::Error>(&self, quantity: Quantity) -> Result<Quantity, E> {
        let value = quantity.value;
        if value.is_nan() || (value.is_infinite() && !self.unbounded) {
            let expected = self.wanted.map_or("a quantity", Dimension::describe);
            return Err(E::custom(format_args!("{value} is not {expected}\nthe number must be finite")));
        }
        Ok(quantity)
    }
}

impl Visitor<'_> for QuantityVisitor {
    type Value = Quantity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.wanted.map_or("a quantity", Dimension::describe))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Quantity, E> {
        Ok(Quantity::plain(value as f64))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Quantity, E> {
        Ok(Quantity::plain(value as f64))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Quantity, E> {
        self.finite(Quantity::plain(value))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Quantity, E> {
        self.finite(Quantity::parse(text, self.wanted).map_err(E::custom)?)
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(QuantityVisitor { wanted: None, unbounded: false })
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.dimension {
            Some(dimension) => {
                serializer.serialize_str(&format!("{:?} {}", self.value, dimension.base_unit()))
            }
            None => serializer.serialize_f64(self.value),
        }
    }
}

fn schema_of(description: String) -> Schema {
    json_schema!({ "type": ["number", "string"], "description": description })
}

impl JsonSchema for Quantity {
    fn schema_name() -> Cow<'static, str> {
        "Quantity".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = units().map(|unit| unit.0).collect();
        schema_of(format!(
            "A number in SI units and radians, or a string with a unit ({}) that fits the coordinate.",
            names.join(", ")
        ))
    }
}

/// A quantity that may be infinite: a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound(pub Quantity);

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(QuantityVisitor { wanted: None, unbounded: true }).map(Bound)
    }
}

impl Serialize for Bound {
    /// Infinity goes out as text, which TOML and JSON share.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.value {
            f64::INFINITY => serializer.serialize_str("inf"),
            f64::NEG_INFINITY => serializer.serialize_str("-inf"),
            _ => self.0.serialize(serializer),
        }
    }
}

impl JsonSchema for Bound {
    fn schema_name() -> Cow<'static, str> {
        "Bound".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schema_of(
            "A number in SI units and radians, a string with a unit that fits the coordinate, or \"inf\", \"-inf\"."
                .to_string(),
        )
    }
}

macro_rules! quantities {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
        pub struct $name(pub f64);

        impl $name {
            /// What it measures.
            pub const DIMENSION: Dimension = Dimension::$name;
        }

        impl From<f64> for $name {
            fn from(value: f64) -> Self {
                Self(value)
            }
        }

        impl From<$name> for f64 {
            fn from(quantity: $name) -> f64 {
                quantity.0
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor = QuantityVisitor { wanted: Some(Self::DIMENSION), unbounded: false };
                let quantity = deserializer.deserialize_any(visitor)?;
                quantity.expect(Self::DIMENSION).map($name).map_err(de::Error::custom)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_f64(self.0)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                if Self::DIMENSION == Dimension::Number {
                    return json_schema!({ "type": "number" });
                }
                let names: Vec<_> = Self::DIMENSION.unit_names().collect();
                schema_of(format!(
                    "{}: a number in {}, or a string with a unit ({}).",
                    capitalised(Self::DIMENSION.describe()), Self::DIMENSION.base_unit(), names.join(", ")
                ))
            }
        }
    )*};
}

quantities! {
    /// A length in metres.
    Length,
    /// An angle in radians.
    Angle,
    /// A time in seconds.
    Time,
    /// A mass in kilograms.
    Mass,
    /// A force in newtons.
    Force,
    /// A torque in newton metres.
    Torque,
    /// A speed in metres per second.
    Speed,
    /// An angular speed in radians per second.
    AngularSpeed,
    /// A frequency in hertz.
    Frequency,
    /// A pressure in pascals.
    Pressure,
    /// A stiffness in newtons per metre.
    Stiffness,
    /// A density in kilograms per cubic metre.
    Density,
    /// A plain finite number: a ratio, or a quantity in SI that has no units of its own here.
    Number,
}

#[cfg(test)]
mod tests {
    use super::{Dimension, Quantity};

    #[test]
    fn units_convert_to_si_without_losing_a_bit() {
        for (text, value, dimension) in [
            ("3 mm", 0.003, Dimension::Length),
            ("10cm", 0.1, Dimension::Length),
            ("1e3 m", 1000.0, Dimension::Length),
            ("-90 deg", -std::f64::consts::FRAC_PI_2, Dimension::Angle),
            ("1 ms", 1e-3, Dimension::Time),
            ("60 rpm", 2.0 * std::f64::consts::PI, Dimension::AngularSpeed),
            ("36 km/h", 10.0, Dimension::Speed),
            ("2 N/mm", 2000.0, Dimension::Stiffness),
            ("7 g", 0.007, Dimension::Mass),
            ("2.5 N·m", 2.5, Dimension::Torque),
            ("2.5 N*m", 2.5, Dimension::Torque),
            ("250 N mm", 0.25, Dimension::Torque),
            ("250 N·mm", 0.25, Dimension::Torque),
            ("3 N·m/rad", 3.0, Dimension::AngularStiffness),
            ("3 N*m/rad", 3.0, Dimension::AngularStiffness),
            ("3 Nm/deg", 540.0 / std::f64::consts::PI, Dimension::AngularStiffness),
            ("4 N/cm", 400.0, Dimension::Stiffness),
            ("4 N*s/m", 4.0, Dimension::Damping),
            ("4 N·m·s/rad", 4.0, Dimension::AngularDamping),
            ("2 m/s^2", 2.0, Dimension::Acceleration),
            ("90 °", std::f64::consts::FRAC_PI_2, Dimension::Angle),
            ("7.85 g/cm^3", 7850.0, Dimension::Density),
        ] {
            assert_eq!(
                Quantity::parse(text, None),
                Ok(Quantity { value, dimension: Some(dimension) }),
                "{text}"
            );
        }
        assert_eq!(Quantity::parse("inf", None), Ok(Quantity::plain(f64::INFINITY)));
        assert_eq!(Quantity::parse(" 2.5 ", None), Ok(Quantity::plain(2.5)));
        // Two letters apart is another unit: nothing is suggested that would change the value.
        for (text, hint) in [
            ("3 Nmn", None),
            ("3 m·s", None),
            ("3 MM", Some("mm")),
            ("3 mns", None),
            ("3 kgs", Some("kg")),
            ("3 Rpm", Some("rpm")),
            ("3 kn", Some("kN")),
            ("3 mn", None),
        ] {
            let help = Quantity::parse(text, None).unwrap_err().help;
            let found = help.split_once("did you mean `").map(|(_, rest)| rest.split('`').next().unwrap());
            assert_eq!(found, hint, "{text}: {help}");
        }
        for text in ["", "m", "1 1 m", "e", "--1 m", "1 M", "nan", "0x10", "1_000"] {
            assert!(Quantity::parse(text, None).is_err(), "{text}");
        }
    }
}
