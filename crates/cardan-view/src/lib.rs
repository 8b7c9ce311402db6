//! What a window on a mechanism needs, without a window: used by the command, by the page in the browser and by tests.
//!
//! | module | |
//! |---|---|
//! | `load` | from a text to a world that can run |
//! | `player` | a scene that runs: time, past, hand, arrays of every frame, measures, recordings |
//! | `info` | what does not change from frame to frame, as JSON |
//! | `sketch`, `sketch_data` | the plain data of a drawing |
//! | `gallery` | the scenes that come with the program |
//! | `error`, `base64` | errors as JSON; bytes as text |
//!
//! ```
//! use cardan_view::{Action, Player, SceneText};
//!
//! let mut player = Player::new(SceneText::bundled("four-bar").expect("a bundled scene"))?;
//! player.step_to(0.1, || true)?;
//! let crank = player.poses()?;                       // seven numbers per body
//! player.act(Action::Grab { body: 1, piece: 0, point: [0.0; 3], exact: false, frequency: 3.0 })?;
//! player.drag([0.6, 0.8, 0.0])?;
//! player.step()?;
//! assert_eq!(crank.len(), 21);
//! assert!(player.stats()?["jointError"].as_f64() < Some(1e-12));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod base64;
mod error;
mod gallery;
mod info;
mod load;
mod player;
mod sketch;
mod sketch_data;

pub use error::ViewError;
pub use gallery::{GalleryEntry, gallery};
pub use load::{Files, Options, SceneText, bundled_scene};
pub use player::{Action, Player, Replayed};
pub use sketch::sketch;
pub use sketch_data::{
    JointSymbol, Sketch, SketchBody, SketchForce, SketchJoint, SketchProbe, SketchShape, SketchShapeKind,
    SketchSpring, StripFrame,
};
