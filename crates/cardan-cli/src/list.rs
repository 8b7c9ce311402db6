//! `cardan list` and `cardan schema`.

use crate::Failure;
use crate::args::ListArgs;
use crate::output::print;
use cardan_scene::{Document, Scene, bundled, bundled_robots, schema as scene_schema};
use std::fmt::Write;

pub(crate) fn list(args: &ListArgs) -> Result<(), Failure> {
    let scenes = bundled().iter().map(|scene| {
        let typed = Document::parse(scene.name, scene.text).and_then(|d| Scene::from_document(&d));
        let typed = typed.unwrap_or_default();
        (scene.name, typed.title.unwrap_or_default(), typed.description.unwrap_or_default())
    });
    let robots = bundled_robots()
        .iter()
        .map(|robot| (robot.name, format!("Robot: {}", robot.name), about(robot.text)));
    let scenes: Vec<_> = scenes.chain(robots).collect();
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

/// The first sentence of the comment that a robot file opens with.
fn about(text: &str) -> String {
    let comment = text.split_once("<!--").map_or("", |(_, rest)| rest);
    let sentence = comment.split(". ").next().unwrap_or_default().split("-->").next().unwrap_or_default();
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let format = if text.contains("<mujoco") { "MJCF" } else { "URDF" };
    format!("robot ({format}): {}", words.join(" ").trim_end_matches('.'))
}

pub(crate) fn schema() -> Result<(), Failure> {
    print(&format!("{:#}\n", scene_schema()))
}
