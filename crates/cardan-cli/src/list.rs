//! `cardan list` and `cardan schema`.

use crate::Failure;
use crate::args::ListArgs;
use crate::output::print;
use cardan_scene::{Document, Scene, bundled, schema as scene_schema};
use std::fmt::Write;

pub(crate) fn list(args: &ListArgs) -> Result<(), Failure> {
    let scenes = bundled().iter().map(|scene| {
        let typed = Document::parse(scene.name, scene.text).and_then(|d| Scene::from_document(&d));
        let typed = typed.unwrap_or_default();
        (scene.name, typed.title.unwrap_or_default(), typed.description.unwrap_or_default())
    });
    let scenes: Vec<_> = scenes.collect();
    if args.json {
        let entries: Vec<_> = scenes
            .iter()
            .map(|(name, title, description)| {
                serde_json::json!({ "name": name, "title": title, "description": description })
            })
            .collect();
        return print(&format!("{}\n", serde_json::Value::from(entries)));
    }
    let width = scenes.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, title, description) in &scenes {
        let about = if description.is_empty() { title } else { description };
        let _ = writeln!(text, "{name:width$}  {about}");
    }
    print(&text)
}

pub(crate) fn schema() -> Result<(), Failure> {
    print(&format!("{:#}\n", scene_schema()))
}
