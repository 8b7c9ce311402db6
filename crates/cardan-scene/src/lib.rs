//! Scene files: text in, a typed description out, and errors that say what, where and how to mend it.
//!
//! [`load`] does it all in one line. A scene is TOML, or JSON with the same fields. Reading goes in three steps, each with its own type:
//!
//! 1. [`Source`] finds the text: a path, a bundled scene by name, or standard input.
//! 2. [`Document`] reads it into a tree whose values know where they were written, and takes `--set` overrides.
//! 3. [`Scene`] is the typed description, checked so that fields fit their kinds and names refer to something.
//!
//! ```
//! use cardan_scene::{Document, Scene};
//!
//! let mut document = Document::parse("pendulum.toml", r#"
//!     [bodies.bob]
//!     kind = "particle"
//!     mass = 1.0
//!     position = [0, 0, "-50 cm"]
//!
//!     [joints.string]
//!     kind = "distance"
//!     a = "ground"
//!     b = "bob"
//! "#)?;
//! document.set("bodies.bob.mass=2.0")?;
//! let scene = Scene::from_document(&document)?;
//! assert_eq!(scene.bodies.get("bob").unwrap().position.unwrap().in_space(), [0.0, 0.0, -0.5]);
//! # Ok::<(), cardan_scene::SceneError>(())
//! ```

mod bundled;
mod check;
mod check_bodies;
mod deserialize;
mod document;
mod error;
mod generate;
mod kind;
mod load;
mod lower;
mod lower_bodies;
mod lower_contacts;
mod lower_curves;
mod lower_drives;
mod lower_frames;
mod lower_shapes;
mod mesh_file;
mod nearest;
mod quantity;
mod scene;
mod script;
mod source;
mod write;

pub use bundled::{Bundled, bundled};
pub use document::{
    Document, Entry, FieldPath, MAX_DEPTH, MAX_SIZE, MAX_VALUES, Node, PathSegment, Span, Table, Value,
};
pub use error::{ErrorKind, SceneError};
pub use generate::{Family, GenerateError, MOST_BODIES};
pub use kind::{KindInfo, joint_fields, joint_kinds};
pub use load::{Loaded, load};
pub use nearest::nearest;
pub use quantity::{
    Angle, AngularSpeed, Bound, Dimension, Force, Frequency, Length, Mass, Number, Pressure, Quantity,
    QuantityError, Speed, Stiffness, Time, Torque,
};
pub use scene::*;
pub use script::{PartName, ScriptEntry};
pub use source::Source;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
