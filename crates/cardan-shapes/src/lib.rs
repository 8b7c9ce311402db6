//! Contact geometry: shapes, the gaps between them, and which of many are near each other.
//!
//! This crate knows poses and numbers, and nothing of bodies or forces. [`collide`] says what keeps two [`Shape`]s apart: a list of
//! [`Contact`]s, each a smooth gap ([`Primitive`]) between a point, a line, a circle or a plane of the one and of the other, g ≥ 0,
//! that can be measured again at other poses, with rate and bias ([`Primitive::motion`]).
//!
//! ```
//! use cardan_shapes::{Pose, Scratch, Shape, Twist, collide, vec3};
//!
//! let (floor, ball) = (Shape::Plane, Shape::sphere(0.5)?);
//! let (on_floor, above) = (Pose::IDENTITY, Pose::at(vec3(3.0, 0.0, 0.6)));
//! let (mut scratch, mut contacts) = (Scratch::default(), Vec::new());
//! collide(&floor, &on_floor, &ball, &above, 0.2, &mut scratch, &mut contacts);
//! assert_eq!(contacts.len(), 1);
//! assert!((contacts[0].gap - 0.1).abs() < 1e-15);
//!
//! let falling = Twist { vel: vec3(0.0, 0.0, -2.0), ..Twist::default() };
//! let motion = contacts[0].primitive.motion(&on_floor, &Twist::default(), &above, &falling);
//! assert_eq!(motion.rate, -2.0);
//! # Ok::<(), cardan_shapes::ShapeError>(())
//! ```
//!
//! The same input gives the same bits. No input makes anything panic: numbers that are not finite give no contacts.

mod aabb;
mod broad_phase;
mod collide;
mod contact;
mod error;
mod jet;
mod pose;
pub mod primitive;
mod ray;
mod shape;

pub use aabb::Aabb;
pub use broad_phase::{Bounds, BroadPhase, BroadPhaseCounts};
pub use cardan_solve::math::{Mat3, Vec3, vec3};
pub use collide::{Scratch, collide, distance};
pub use contact::{Contact, FeatureId, FeaturePair};
pub use error::ShapeError;
pub use jet::Jet;
pub use pose::{Pose, Twist};
pub use primitive::{GapMotion, Primitive, PrimitivePair, Witness};
pub use ray::Hit;
pub use shape::{Hull, Mesh, Shape, Terrain};
