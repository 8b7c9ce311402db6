//! MJCF, the format of MuJoCo: from the files ([`files`]) and their default classes ([`fields`]) to bodies,
//! joints and geoms ([`tree`], [`geom`], [`mesh`], [`inertia`]), to a scene ([`scene`], [`contacts`],
//! [`equality`], [`tendons`], [`actuators`]).
//!
//! The format: <https://mujoco.readthedocs.io/en/stable/XMLreference.html>. Angles are in degrees and Euler
//! angles about axes that turn, unless `<compiler>` says otherwise; sizes are half lengths; a body's frame is
//! given in its parent's; joints move the body one after another, about points and axes of its own frame.

mod actuators;
mod attach;
mod compiler;
mod contacts;
mod equality;
mod fields;
mod files;
mod geom;
mod inertia;
mod keyframe;
mod mesh;
mod scene;
mod springs;
mod tendons;
mod tree;

use std::collections::BTreeMap;

use super::paths::FileFinder;
use super::report::{ImportReport, Treatment};
use super::shapes::ShapeWriter;
use super::xml::XmlText;
use super::{Drafted, ImportOptions};
use crate::document::clip;
use crate::error::SceneError;
use crate::quantity::Time;
use crate::scene::Scene;
use attach::ModelPart;
use compiler::{ModelOptions, sections};
use fields::ElementReader;
use files::{Files, Item, LoadedFiles};

/// Sections that are read.
const READ: [&str; 9] =
    ["compiler", "option", "default", "worldbody", "equality", "tendon", "actuator", "contact", "keyframe"];

/// Sections that say nothing about mechanics.
const SILENT: [&str; 4] = ["visual", "statistic", "size", "custom"];

/// Makes a scene of an MJCF model.
pub(super) fn import(
    name: &str,
    text: &str,
    finder: &FileFinder<'_>,
    options: &ImportOptions,
) -> Result<Drafted, SceneError> {
    let loaded = LoadedFiles::read(name, text, finder)?;
    let texts: Vec<XmlText<'_>> = loaded.texts.iter().map(|(name, text)| XmlText::new(name, text)).collect();
    let trees = texts.iter().map(XmlText::parse).collect::<Result<Vec<_>, _>>()?;
    let LoadedFiles { includes, models, .. } = &loaded;
    let files = Files { texts: &texts, trees: &trees, includes, models, first: 0 };
    build(&files, finder, options)
}

fn build(files: &Files<'_>, finder: &FileFinder<'_>, options: &ImportOptions) -> Result<Drafted, SceneError> {
    let mut report = ImportReport::default();
    let parts = ModelPart::read_all(files, &mut report)?;
    let readers: Vec<ElementReader<'_, '_>> = parts.iter().map(ModelPart::reader).collect();
    let reader = readers[0];
    let mut settings = ModelOptions::read(&reader, &mut report)?;
    if let Some(gravity) = options.gravity {
        if settings.gravity != gravity {
            let what = "gravity of a model that is a part of a scene: that of the scene";
            files.note(&mut report, Treatment::Ignored, what, files.root());
        }
        settings.gravity = gravity;
    }
    let mut meshes = BTreeMap::new();
    for reader in &readers {
        let files = &reader.files;
        let assets: Vec<Item<'_>> = sections(files, "asset").flat_map(|item| files.children(item)).collect();
        mesh::read_meshes(reader, &assets, &mut meshes)?;
        unread(files, &assets, &mut report);
    }
    let found = geom::Assets { meshes: &meshes, finder, integrated: Default::default() };
    let model = tree::read_tree(&parts, &readers, &found, options.floating, &mut report)?;
    let masses = inertia::masses(&readers, &model);
    let key = keyframe::read_key(&reader, &model, options.keyframe.as_deref())?;
    let mut builder = scene::SceneBuilder {
        reader: &reader,
        readers: &readers,
        model: &model,
        options,
        settings: &settings,
        masses: &masses,
        key: &key,
        report,
        lines: BTreeMap::new(),
        scene: Scene::default(),
        group_of: Vec::new(),
        in_group: Vec::new(),
        home: Vec::new(),
        members: Vec::new(),
        joints: Vec::new(),
        made_springs: BTreeMap::new(),
        body_names: Vec::new(),
        taken: scene::TakenNames::default(),
    };
    let title = files.root().node.attribute("model").unwrap_or("MuJoCo model");
    builder.scene.title = Some(title.to_string());
    builder.scene.gravity = Some(settings.gravity.map(|g| crate::quantity::Number(g + 0.0)));
    builder.scene.simulation.dt = Some(Time(settings.timestep));
    builder.scene.simulation.integrator = Some(settings.integrator);
    builder.group();
    builder.make_springs();
    let mut shapes = contacts::Shapes::new(&mut builder, ShapeWriter::new(finder, options), &meshes)?;
    builder.bodies(&mut shapes)?;
    let tendons = tendons::read_tendons(&mut builder)?;
    builder.tendons(&tendons);
    builder.actuators(&tendons)?;
    builder.push_joints();
    builder.equalities(&tendons)?;
    builder.gravity_compensation();
    builder.probes();
    shapes.finish(&mut builder);
    let scene::SceneBuilder { scene, lines, report, .. } = builder;
    Ok(Drafted { scene, lines, report })
}

/// Lists what is not read.
fn unread<'a>(files: &Files<'a>, assets: &[Item<'a>], report: &mut ImportReport) {
    for item in files.children(files.root()) {
        let tag = item.tag();
        match tag {
            "asset" => {}
            "sensor" | "extension" | "deformable" => {
                for inner in files.children(item) {
                    let what = format!("<{}> of <{tag}>", clip(inner.tag()));
                    files.note(report, Treatment::Ignored, &what, inner);
                }
            }
            // Of a model that is attached, those of the whole count.
            "option" | "keyframe" if files.first > 0 => {
                let what = format!("<{tag}> of a model that is attached");
                files.note(report, Treatment::Ignored, &what, item);
            }
            _ if READ.contains(&tag) || SILENT.contains(&tag) => {}
            _ => files.note(report, Treatment::Ignored, &format!("<{}>", clip(tag)), item),
        }
    }
    for item in assets {
        match item.tag() {
            "mesh" | "texture" | "material" | "skin" | "model" => {}
            tag => files.note(report, Treatment::Ignored, &format!("<{}> of <asset>", clip(tag)), *item),
        }
    }
}
