//! `cardan list` and `cardan schema`.

use crate::Failure;
use crate::args::ListArgs;
use crate::output::print;
use cardan_scene::schema as scene_schema;
use cardan_view::{GalleryEntry, gallery};
use std::fmt::Write;

pub(crate) fn list(args: &ListArgs) -> Result<(), Failure> {
    let scenes = gallery();
    if args.json {
        let entries: Vec<_> = scenes
            .iter()
            .map(|GalleryEntry { name, title, description, .. }| {
                serde_json::json!({ "name": name, "title": title, "description": description })
            })
            .collect();
        return print(&format!("{}\n", serde_json::Value::from(entries)));
    }
    let width = scenes.iter().map(|scene| scene.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for GalleryEntry { name, title, description, .. } in &scenes {
        let about = if description.is_empty() { title } else { description };
        let _ = writeln!(text, "{name:width$}  {about}");
    }
    print(&text)
}

pub(crate) fn schema() -> Result<(), Failure> {
    print(&format!("{:#}\n", scene_schema()))
}
