//! The extension module of the Python package `cardan`: it wraps the public API of the engine and of
//! scene files, and owns no physics. Docstrings for users are on the classes; signatures are repeated in
//! `python/cardan/_cardan.pyi`.

mod arrays;
mod batch;
mod commands;
mod dynamics;
mod errors;
mod long;
mod model;
mod reports;
mod simulation;
mod statics;
mod study;
mod user;

use pyo3::prelude::*;

#[pymodule]
mod _cardan {
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::model::{Joint, Model, bundled, load, load_text, toml_value};
    #[pymodule_export]
    use crate::simulation::Simulation;
    #[pymodule_export]
    use crate::study::{Study, StudyLog, digest_of};
}
