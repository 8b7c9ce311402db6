//! `cardan import`: a robot file as a scene file.

use crate::Failure;
use crate::args::ImportArgs;
use crate::load::show;
use crate::output::{cannot_write, print, unknown_ending};
use cardan_scene::{Scene, Source};
use std::path::Path;

pub(crate) fn import(args: &ImportArgs) -> Result<(), Failure> {
    let source = Source::resolve(&args.file);
    let mut options = args.robot.options();
    if let Some(path) = &args.output {
        if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("toml")) {
            return Err(unknown_ending(path, ".toml"));
        }
        options.output_folder = Some(path.parent().unwrap_or(Path::new("")).to_path_buf());
    }
    let Some(imported) = source.import(&options).map_err(show)? else {
        let text = format!("error: {}: this is a scene already, and no robot file", source.name());
        return Err(Failure::Input(text));
    };
    let (toml, report) = (imported.toml.clone(), imported.report.to_text());
    // What is written can be run.
    let folder = options.output_folder.clone();
    let folder =
        folder.unwrap_or_else(|| Path::new(&args.file).parent().unwrap_or(Path::new("")).to_path_buf());
    let document = imported.into_document(&source.name(), &folder).map_err(show)?;
    Scene::from_document(&document).and_then(|scene| scene.to_model(&document)).map_err(show)?;
    if let Some(path) = &args.output {
        std::fs::write(path, &toml).map_err(|error| cannot_write(path, &error))?;
        return print(&report);
    }
    print(if args.report { &report } else { &toml })
}
