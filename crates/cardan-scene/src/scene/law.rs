//! Laws: a value over time.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::quantity::{Angle, Frequency, Number, Quantity, Time};

/// A value over time. Its dimension is that of what it prescribes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LawDesc {
    /// A constant value.
    Constant(Quantity),
    /// A linear ramp from one value to another.
    Ramp(RampDesc),
    /// A sine.
    Sine(SineDesc),
    /// Rows of [time, value]: from rest to rest between them, by cubic polynomials.
    Cubic(Vec<(Time, Quantity)>),
    /// Rows of [time, value]: from rest to rest between them, by polynomials of degree five that start and end without acceleration.
    Quintic(Vec<(Time, Quantity)>),
    /// Rows of [time, value], joined by a cubic spline; or a table with `rows` and `ends`.
    Table(Rows),
    /// A rational B-spline over time.
    Nurbs(NurbsDesc),
    /// A formula in t, such as "0.1*sin(3*t)".
    Expression(String),
}

/// A linear ramp from one value to another, constant before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RampDesc {
    /// Value at the start. Default 0.
    pub from: Option<Quantity>,
    /// Value at the end.
    pub to: Quantity,
    /// When it starts. Default 0 s.
    pub start: Option<Time>,
    /// How long it takes.
    pub duration: Time,
}

/// offset + amplitude · sin(2π · frequency · t + phase)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SineDesc {
    /// Amplitude.
    pub amplitude: Quantity,
    /// In Hz.
    pub frequency: Frequency,
    /// Default 0.
    pub phase: Option<Angle>,
    /// Mean value. Default 0.
    pub offset: Option<Quantity>,
}

/// Rows of a spline, alone or with what it does at its ends.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Rows {
    /// [time, value], …: the spline starts and ends at rest.
    AtRest(Vec<(Time, Quantity)>),
    /// With its ends.
    WithEnds(SplineRows),
}

/// Rows of a spline and what it does at its ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SplineRows {
    /// [time, value], …
    pub rows: Vec<(Time, Quantity)>,
    /// Default "rest".
    pub ends: Option<SplineEnds>,
}

/// What a spline does at its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SplineEnds {
    /// It starts and ends at rest, and rests before and after.
    #[default]
    Rest,
    /// Natural spline: no curvature at its ends, linear before and after.
    Free,
}

impl Rows {
    /// The rows.
    pub fn rows(&self) -> &[(Time, Quantity)] {
        match self {
            Rows::AtRest(rows) | Rows::WithEnds(SplineRows { rows, .. }) => rows,
        }
    }

    /// What the spline does at its ends.
    pub fn ends(&self) -> SplineEnds {
        match self {
            Rows::AtRest(_) => SplineEnds::default(),
            Rows::WithEnds(SplineRows { ends, .. }) => ends.unwrap_or_default(),
        }
    }
}

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RowsVisitor;
        impl<'de> Visitor<'de> for RowsVisitor {
            type Value = Rows;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of rows [time, value], or a table with `rows` and `ends`")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Rows, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(items)).map(Rows::AtRest)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rows, A::Error> {
                SplineRows::deserialize(MapAccessDeserializer::new(map)).map(Rows::WithEnds)
            }
        }
        deserializer.deserialize_any(RowsVisitor)
    }
}

/// A rational B-spline over time. It rests before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NurbsDesc {
    /// Values of the control points.
    pub points: Vec<Quantity>,
    /// Default 3.
    pub degree: Option<u32>,
    /// One per point. Default all 1.
    pub weights: Option<Vec<Number>>,
    /// Times: as many as points + degree + 1, the first and the last degree + 1 of them equal. Default even, over `duration`.
    pub knots: Option<Vec<Time>>,
    /// When it starts, without knots. Default 0 s.
    pub start: Option<Time>,
    /// How long it takes, without knots.
    pub duration: Option<Time>,
}
