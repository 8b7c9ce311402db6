//! Forces, probes, materials and contact pairs.

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

use super::LawDesc;
use crate::quantity::{Angle, Force, Length, Number, Torque};

/// The force law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ForceKindDesc {
    /// A given force and torque on a body, constant or over time.
    Constant,
    /// A spring and damper between two points.
    Spring,
    /// A spring and damper against the relative rotation of two bodies about an axis.
    Torsion,
    /// Resistance of a medium to the motion of a body.
    Drag,
    /// Attraction between a body and a point or a second body, by the inverse square of the distance.
    GravityPoint,
}

/// The axes in which a constant force is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ForceFrame {
    /// World axes.
    #[default]
    World,
    /// Axes of the body frame: the force turns with the body.
    Body,
}

/// A force. Which fields it takes depends on its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForceDesc {
    /// The force law.
    pub kind: ForceKindDesc,
    /// The body of a constant force or of drag.
    pub body: Option<String>,
    /// First body of a spring, torsion spring or attraction, or "ground".
    pub a: Option<String>,
    /// Second body of a spring, torsion spring or attraction, or "ground".
    pub b: Option<String>,
    /// Where a constant force acts, in the body frame. Default: at the centre of mass.
    pub point: Option<[Length; 3]>,
    /// The constant force. Default zero.
    pub force: Option<[Force; 3]>,
    /// The constant torque. Default zero.
    pub torque: Option<[Torque; 3]>,
    /// The axes of `force` and `torque`. Default world.
    pub frame: Option<ForceFrame>,
    /// A factor over time for `force` and `torque`. Default 1.
    pub law: Option<LawDesc>,
    /// Point of a in its body frame. Default its origin.
    pub point_in_a: Option<[Length; 3]>,
    /// Point of b in its body frame. Default its origin.
    pub point_in_b: Option<[Length; 3]>,
    /// Axis of a torsion spring in the frame of a. Default z.
    pub axis_in_a: Option<[Number; 3]>,
    /// In N/m (a string may say N/mm), for torsion in N·m/rad.
    pub stiffness: Option<crate::Quantity>,
    /// In N·s/m, for torsion in N·m·s/rad. Default 0.
    pub damping: Option<crate::Quantity>,
    /// Length of the spring at rest. Default 0.
    pub rest_length: Option<Length>,
    /// Angle of the torsion spring at rest. Default 0.
    pub rest: Option<Angle>,
    /// Instead of a stiffness: rows of [extension, force], joined by a cubic spline.
    pub curve: Option<Vec<(Length, Force)>>,
    /// Linear drag in N·s/m. Default 0.
    pub coefficient: Option<Number>,
    /// Drag by the square of the speed, in N·s²/m². Default 0.
    pub quadratic: Option<Number>,
    /// Drag against rotation in N·m·s/rad. Default 0.
    pub angular: Option<Number>,
    /// Strength k of an attraction k / r², in N·m².
    pub strength: Option<Number>,
}

impl ForceDesc {
    /// A force of a kind, without any other field.
    pub fn new(kind: ForceKindDesc) -> Self {
        Self {
            kind,
            body: None,
            a: None,
            b: None,
            point: None,
            force: None,
            torque: None,
            frame: None,
            law: None,
            point_in_a: None,
            point_in_b: None,
            axis_in_a: None,
            stiffness: None,
            damping: None,
            rest_length: None,
            rest: None,
            curve: None,
            coefficient: None,
            quadratic: None,
            angular: None,
            strength: None,
        }
    }
}

/// A named point to report: position, velocity, acceleration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProbeDesc {
    /// The body it is fixed to, or "ground".
    pub body: String,
    /// Where, in the body frame. Default its origin.
    pub point: Option<[Length; 3]>,
}

/// Contact properties of a surface.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialDesc {
    /// Coefficients of friction, or one number for both. Default none.
    pub friction: Option<ContactFriction>,
    /// Coefficient of restitution, 0 to 1. Default 0.
    pub restitution: Option<Number>,
    /// Rolling resistance: a moment of up to this length times the normal force. Default 0; of two materials the larger
    /// counts.
    pub rolling_resistance: Option<Length>,
    /// Torsional resistance about the normal: a moment of up to this length times the normal force. Default 0; of two
    /// materials the larger counts.
    pub torsional_resistance: Option<Length>,
}

/// Coefficients of dry friction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ContactFriction {
    /// One coefficient, static and kinetic.
    Both(Number),
    /// A static and a kinetic coefficient.
    Each(FrictionPair),
}

/// Static and kinetic coefficients of friction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrictionPair {
    /// Static coefficient. Default as `kinetic`.
    #[serde(rename = "static")]
    pub static_: Option<Number>,
    /// Kinetic coefficient.
    pub kinetic: Number,
}

impl ContactFriction {
    /// Static and kinetic coefficient.
    pub fn values(&self) -> (f64, f64) {
        match *self {
            ContactFriction::Both(mu) => (mu.into(), mu.into()),
            ContactFriction::Each(FrictionPair { static_, kinetic }) => {
                (static_.unwrap_or(kinetic).into(), kinetic.into())
            }
        }
    }
}

impl<'de> Deserialize<'de> for ContactFriction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ContactFrictionVisitor;
        impl<'de> Visitor<'de> for ContactFrictionVisitor {
            type Value = ContactFriction;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a coefficient of friction, or { static, kinetic }")
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<ContactFriction, E> {
                Number::deserialize(value.into_deserializer()).map(ContactFriction::Both)
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<ContactFriction, E> {
                Number::deserialize(value.into_deserializer()).map(ContactFriction::Both)
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<ContactFriction, E> {
                Number::deserialize(value.into_deserializer()).map(ContactFriction::Both)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ContactFriction, A::Error> {
                FrictionPair::deserialize(MapAccessDeserializer::new(map)).map(ContactFriction::Each)
            }
        }
        deserializer.deserialize_any(ContactFrictionVisitor)
    }
}

/// Which pairs of bodies collide, with what friction and restitution.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactsDesc {
    /// Pairs of bodies that collide although a joint connects them.
    #[serde(default)]
    pub add: Vec<[String; 2]>,
    /// Pairs of bodies that do not collide; of a longer list no two do.
    #[serde(default)]
    pub exclude: Vec<Vec<String>>,
    /// Pairs with their own friction or restitution.
    #[serde(default)]
    pub pairs: Vec<ContactPairDesc>,
}

/// Friction and restitution of one pair of bodies, instead of what their materials say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactPairDesc {
    /// First body, or "ground".
    pub a: String,
    /// Second body, or "ground".
    pub b: String,
    /// Coefficients of friction. Default: the geometric mean of the materials.
    pub friction: Option<ContactFriction>,
    /// Coefficient of restitution. Default: the larger of the materials.
    pub restitution: Option<Number>,
    /// Rolling resistance in m. Default 0.
    pub rolling_resistance: Option<Length>,
    /// Torsional resistance in m. Default 0.
    pub torsional_resistance: Option<Length>,
}
