//! URDF: from the file to a description of links and joints ([`read`]), to rigid groups and a spanning tree
//! ([`topology`]), to a scene ([`scene`]).
//!
//! The format: <http://wiki.ros.org/urdf/XML>. A link's frame is the frame of the joint above it; a joint's axis is
//! given in that frame and is x unless said; `rpy` turns about fixed axes. Links that fixed joints hold together become
//! one body. A link that is the child of two joints closes a loop.

mod geometry;
mod loops;
pub(super) mod read;
pub(super) mod scene;
pub(super) mod topology;

pub(super) use geometry::{Form, Geometry};
pub(super) use read::Link;

use super::report::ImportReport;
use super::xml::XmlText;
use super::{Drafted, ImportOptions};
use crate::error::SceneError;

/// Makes a scene of a URDF file.
pub(super) fn import(
    text: &XmlText<'_>,
    tree: &roxmltree::Document<'_>,
    sidecar: Option<&crate::document::Document>,
    finder: &super::paths::FileFinder<'_>,
    options: &ImportOptions,
) -> Result<Drafted, SceneError> {
    let mut report = ImportReport::default();
    let mut robot = read::read(text, tree.root_element(), &mut report)?;
    if let Some(sidecar) = sidecar {
        loops::read_sidecar(sidecar, &mut robot)?;
    }
    let topology = topology::grow(text, &robot, &mut report)?;
    scene::build(
        text,
        &robot,
        &topology,
        scene::Surroundings { finder, options, sidecar, poses: None },
        report,
    )
}
