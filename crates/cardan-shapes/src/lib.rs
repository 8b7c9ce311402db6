//! Collision geometry: shapes, smooth gap functions between them, and a broad phase.
//!
//! [`collide`] finds what keeps two [`Shape`]s apart: a list of [`Contact`]s, each a gap g ≥ 0 between a
//! point, a line, a circle or a plane of one shape and of the other. A gap is a smooth function
//! ([`Primitive`]) that can be evaluated again at other poses, with its rate and bias
//! ([`Primitive::motion`]). [`BroadPhase`] finds the pairs of shapes that are near each other. This crate
//! knows poses and numbers, no bodies or forces.
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
//! The same input gives the same bits. No input makes anything panic: numbers that are not finite give no
//! contacts.
//!
//! | module | |
//! |---|---|
//! | `shape/` | sphere, capsule, box, cylinder, convex hull, triangle mesh, height field, half-space |
//! | `collide/` | contacts of every pair of shapes |
//! | [`primitive`] | smooth gap functions with rate and bias |
//! | `broad_phase/` | pairs of near shapes, by hierarchical grids |
//! | `ray.rs` | ray casts |

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
