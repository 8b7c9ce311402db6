//! The scenes and robots that come with the program, with title and description.

use cardan_scene::{Bundled, Document, Scene, bundled, bundled_robots};
use serde::Serialize;

/// A scene or robot that comes with the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GalleryEntry {
    /// Its name.
    pub name: &'static str,
    /// One line.
    pub title: String,
    /// A sentence or two.
    pub description: String,
    /// `toml`, `urdf` or `mjcf`.
    pub format: &'static str,
}

/// All bundled scenes, then all bundled robots.
pub fn gallery() -> Vec<GalleryEntry> {
    bundled().iter().map(of_scene).chain(bundled_robots().iter().map(of_robot)).collect()
}

fn of_scene(scene: &Bundled) -> GalleryEntry {
    let typed = Document::parse(scene.name, scene.text).and_then(|document| Scene::from_document(&document));
    let typed = typed.unwrap_or_default();
    GalleryEntry {
        name: scene.name,
        title: typed.title.unwrap_or_default(),
        description: typed.description.unwrap_or_default(),
        format: "toml",
    }
}

fn of_robot(robot: &Bundled) -> GalleryEntry {
    let is_mjcf = robot.text.contains("<mujoco");
    // The first sentence of the comment that the file opens with.
    let comment = robot.text.split_once("<!--").map_or("", |(_, rest)| rest);
    let sentence = comment.split(". ").next().unwrap_or_default().split("-->").next().unwrap_or_default();
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let format = if is_mjcf { "MJCF" } else { "URDF" };
    GalleryEntry {
        name: robot.name,
        title: format!("Robot: {}", robot.name),
        description: format!("robot ({format}): {}", words.join(" ").trim_end_matches('.')),
        format: if is_mjcf { "mjcf" } else { "urdf" },
    }
}
