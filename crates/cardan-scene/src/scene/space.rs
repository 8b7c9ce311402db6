//! Positions, orientations and rates, with the short forms for planar bodies.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize as DeriveDeserialize, Serialize};

use crate::quantity::{Angle, AngularSpeed, Length, Number};

/// A scalar or an array of scalars, before its length is checked.
pub(super) enum ScalarOrList<T> {
    One(T),
    Many(Vec<T>),
}

impl<'de, T: Deserialize<'de>> ScalarOrList<T> {
    pub(super) fn read<D: Deserializer<'de>>(
        deserializer: D,
        expecting: &'static str,
    ) -> Result<Self, D::Error> {
        struct ScalarOrListVisitor<T>(&'static str, PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for ScalarOrListVisitor<T> {
            type Value = ScalarOrList<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.0)
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<ScalarOrList<T>, E> {
                T::deserialize(value.into_deserializer()).map(ScalarOrList::One)
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<ScalarOrList<T>, E> {
                T::deserialize(value.into_deserializer()).map(ScalarOrList::One)
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<ScalarOrList<T>, E> {
                T::deserialize(value.into_deserializer()).map(ScalarOrList::One)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<ScalarOrList<T>, E> {
                T::deserialize(text.into_deserializer()).map(ScalarOrList::One)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<ScalarOrList<T>, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(items)).map(ScalarOrList::Many)
            }
        }
        deserializer.deserialize_any(ScalarOrListVisitor(expecting, PhantomData))
    }
}

/// A vector in the x–y plane or in space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Planar<T> {
    /// [x, y], for planar bodies.
    Plane([T; 2]),
    /// [x, y, z].
    Space([T; 3]),
}

impl<T: Copy + Into<f64>> Planar<T> {
    /// The components in SI, with z = 0 in the plane.
    pub fn in_space(&self) -> [f64; 3] {
        match *self {
            Planar::Plane([x, y]) => [x.into(), y.into(), 0.0],
            Planar::Space(vector) => vector.map(Into::into),
        }
    }
}

impl<'de, T: Deserialize<'de> + Copy> Deserialize<'de> for Planar<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = match ScalarOrList::read(deserializer, "an array [x, y, z]")? {
            ScalarOrList::One(only) => vec![only],
            ScalarOrList::Many(items) => items,
        };
        match items[..] {
            [x, y] => Ok(Planar::Plane([x, y])),
            [x, y, z] => Ok(Planar::Space([x, y, z])),
            _ => Err(de::Error::invalid_length(items.len(), &"an array of 3, or 2 for planar bodies")),
        }
    }
}

/// An orientation at t = 0: `{ axis, angle }`, `{ quaternion = [w, x, y, z] }`, or an angle for planar bodies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum Orientation {
    /// Rotation about z, for planar bodies.
    Angle(Angle),
    /// Rotation about an axis, which need not be of unit length.
    AxisAngle {
        /// The axis.
        axis: [Number; 3],
        /// The angle about it, right-handed.
        angle: Angle,
    },
    /// A quaternion, which is normalised.
    Quaternion {
        /// [w, x, y, z].
        quaternion: [Number; 4],
    },
}

impl<'de> Deserialize<'de> for Orientation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(DeriveDeserialize)]
        #[serde(deny_unknown_fields)]
        struct OrientationFields {
            axis: Option<[Number; 3]>,
            angle: Option<Angle>,
            quaternion: Option<[Number; 4]>,
        }

        struct OrientationVisitor;
        impl<'de> Visitor<'de> for OrientationVisitor {
            type Value = Orientation;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an orientation: { axis, angle }, { quaternion } or an angle")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Orientation, E> {
                Angle::deserialize(value.into_deserializer()).map(Orientation::Angle)
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Orientation, E> {
                Angle::deserialize(value.into_deserializer()).map(Orientation::Angle)
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Orientation, E> {
                Angle::deserialize(value.into_deserializer()).map(Orientation::Angle)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Orientation, E> {
                Angle::deserialize(text.into_deserializer()).map(Orientation::Angle)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Orientation, A::Error> {
                let zero = |v: &[Number]| v.iter().all(|c| c.0 == 0.0);
                match OrientationFields::deserialize(MapAccessDeserializer::new(map))? {
                    OrientationFields { axis: Some(axis), .. } if zero(&axis) => {
                        Err(de::Error::custom("the axis is zero"))
                    }
                    OrientationFields { quaternion: Some(q), .. } if zero(&q) => {
                        Err(de::Error::custom("the quaternion is zero\nno rotation is [1, 0, 0, 0]"))
                    }
                    OrientationFields { axis: Some(axis), angle: Some(angle), quaternion: None } => {
                        Ok(Orientation::AxisAngle { axis, angle })
                    }
                    OrientationFields { axis: None, angle: None, quaternion: Some(quaternion) } => {
                        Ok(Orientation::Quaternion { quaternion })
                    }
                    _ => Err(de::Error::custom(
                        "an orientation is either { axis, angle } or { quaternion }\n\
                         for example { axis = [0, 0, 1], angle = \"30 deg\" }",
                    )),
                }
            }
        }
        deserializer.deserialize_any(OrientationVisitor)
    }
}

/// An angular velocity at t = 0, world axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum AngularVelocity {
    /// About z, for planar bodies.
    Plane(AngularSpeed),
    /// [x, y, z].
    Space([AngularSpeed; 3]),
}

impl AngularVelocity {
    /// The components in rad/s.
    pub fn in_space(&self) -> [f64; 3] {
        match *self {
            AngularVelocity::Plane(speed) => [0.0, 0.0, speed.0],
            AngularVelocity::Space(speeds) => speeds.map(f64::from),
        }
    }
}

impl<'de> Deserialize<'de> for AngularVelocity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match ScalarOrList::read(deserializer, "an array [x, y, z], or a number for planar bodies")? {
            ScalarOrList::One(speed) => Ok(AngularVelocity::Plane(speed)),
            ScalarOrList::Many(items) => match items[..] {
                [x, y, z] => Ok(AngularVelocity::Space([x, y, z])),
                _ => Err(de::Error::invalid_length(
                    items.len(),
                    &"an array of 3, or a number for planar bodies",
                )),
            },
        }
    }
}

/// A frame on a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrameDesc {
    /// Its origin, from the origin of the body frame. Default zero.
    pub position: Option<[Length; 3]>,
    /// Its orientation in the body frame; z is the axis of the joint. Default none.
    pub orientation: Option<Orientation>,
}
