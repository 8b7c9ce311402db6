//! Scene files of cardan: TOML or JSON in, a typed description and a model out, with errors that name file, line and
//! field and say what would be right.
//!
//! Reading goes in three steps, each with its own type:
//!
//! 1. [`Source`] finds the text: a path, a bundled scene by name, or standard input.
//! 2. [`Document`] is the tree of values with their places in the file. It takes `--set` overrides and translates words
//!    of earlier versions ([`Document::old_words`]).
//! 3. [`Scene`] is the typed description. Its fields fit their kinds and its names refer to parts of the scene.
//!
//! [`Scene::to_model`] then builds the [`cardan::Model`], and [`Scene::settings`] the [`cardan::Settings`]. Quantities are
//! in SI units and radians; a string may have a unit (`"10 cm"`). docs/scenes.md describes the format, [`schema`] is its
//! JSON Schema.
//!
//! ```
//! use cardan::Simulation;
//! use cardan_scene::{Document, Scene};
//!
//! let mut document = Document::parse("pendulum.toml", r#"
//!     [bodies.bob]
//!     kind = "particle"
//!     mass = 1.0
//!     position = [0, 0, "-50 cm"]
//!     velocity = [1, 0, 0]
//!
//!     [joints.string]
//!     kind = "distance"
//!     a = "ground"
//!     b = "bob"
//! "#)?;
//! document.set("bodies.bob.mass=2.0")?;
//! let scene = Scene::from_document(&document)?;
//! assert_eq!(scene.bodies.get("bob").unwrap().position.unwrap().in_space(), [0.0, 0.0, -0.5]);
//!
//! let (model, settings) = (scene.to_model(&document)?, scene.settings(&document)?);
//! let mut sim = Simulation::with_settings(std::sync::Arc::new(model), settings)?;
//! sim.run(0.1, scene.simulation.dt())?;
//! // The string keeps its length.
//! let bob = sim.model().find_body("bob").expect("a body of the scene");
//! assert!((sim.kinematics().body(bob).position.norm() - 0.5).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! | module | |
//! |---|---|
//! | `source`, `bundled` | where the text comes from; the scenes that come with the program |
//! | `document` | the tree: readers of TOML and JSON, paths, overrides, old words |
//! | `deserialize`, `quantity` | from the tree to types; numbers with units |
//! | `scene` | the typed description, field by field; its documentation is that of the JSON Schema |
//! | `kind` | the kinds of joints, a file each: fields, checks, what they add to the model |
//! | `check` | checks that need more than one field |
//! | `lower` | from the description to the model and the settings of the engine; errors of the engine back to fields |
//! | [`columns`] | the numbers of a recorded run: names and units |
//! | [`study`] | runs of a scene with values of its own each: rows, log, digest |
//! | `script` | parts that are switched during a run |
//! | `import` | robot files: URDF to a scene |
//! | `write` | a scene as TOML |
//! | `generate` | scenes of a family and a size, for tests and benchmarks |
//! | `error`, `nearest` | errors with their place in the file; suggestions for misspelt names |
//! | `mesh_file` | readers of OBJ and STL files |
//! | `tolerances` | thresholds for directions and times, with their reasons |

mod bundled;
mod check;
pub mod columns;
mod deserialize;
mod document;
mod error;
mod export;
mod generate;
mod import;
mod kind;
mod load;
mod lower;
mod mesh_file;
mod nearest;
mod quantity;
mod scene;
mod script;
mod source;
pub mod study;
mod tolerances;
mod write;

pub use bundled::{Bundled, bundled, bundled_robots};
pub use columns::{Column, Columns, UnknownColumn};
pub use document::{
    Document, Entry, FieldPath, FileProvider, MAX_DEPTH, MAX_SIZE, MAX_VALUES, Node, OldWord, PathSegment,
    Span, Table, Value,
};
pub use error::{ErrorKind, SceneError};
pub use export::{Exported, RobotFormat};
pub use generate::{Family, GenerateError, MOST_BODIES};
pub use import::{ImportNote, ImportOptions, ImportReport, Imported, MeshUse, Treatment, import_robot};
pub use kind::{KindInfo, joint_fields, joint_kinds};
pub use load::{Loaded, load};
pub use nearest::nearest;
pub use quantity::{
    Angle, AngularSpeed, Bound, Dimension, Force, Frequency, Length, Mass, Number, Pressure, Quantity,
    QuantityError, Speed, Stiffness, Time, Torque,
};
pub use scene::*;
pub use script::{PartName, ScriptEntry, ScriptedWorld};
pub use source::Source;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
