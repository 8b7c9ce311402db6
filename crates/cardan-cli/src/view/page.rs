//! The page: the files of web/dist that were built into the program, with a scene written into it.

use crate::Failure;
use cardan_view::{Files, Player, SceneText, ViewError, base64};
use serde_json::json;
use std::path::Path;

/// Files of the page by name; none if the program was built without them.
static DIST: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/dist.rs"));

/// Where the page wants its scene.
const BOOT: &str = "<!--cardan:boot-->";
const STYLE: &str = r#"<link rel="stylesheet" href="./app.css">"#;
const SCRIPT: &str = r#"<script type="module" src="./app.js"></script>"#;

/// A scene to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ViewedScene {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl ViewedScene {
    /// As JSON, for the page and for news of changes.
    pub(crate) fn json(&self) -> serde_json::Value {
        json!({ "name": self.name, "text": self.text })
    }
}

/// A file of the page.
pub(crate) fn file(name: &str) -> Option<&'static [u8]> {
    DIST.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// Whether the page is in the program.
pub(crate) fn is_built() -> bool {
    file("index.html").is_some()
}

/// JSON inside a page: nothing in it ends the element.
fn inside(json: &serde_json::Value) -> String {
    json.to_string().replace('<', "\\u003c")
}

fn text(name: &str) -> Option<&'static str> {
    file(name).and_then(|bytes| std::str::from_utf8(bytes).ok())
}

/// The page with a scene, or with none: then it shows the gallery.
pub(crate) fn with_scene(scene: Option<&ViewedScene>, live: bool) -> String {
    let Some(page) = text("index.html") else {
        return "<!doctype html><title>cardan</title><p>This program was built without the page: run web/build, \
                then build it again.</p>\n"
            .to_string();
    };
    let mut boot = json!({ "live": live });
    if let Some(scene) = scene {
        boot["scene"] = scene.json();
    }
    let boot = format!(r#"<script type="application/json" id="cardan-boot">{}</script>"#, inside(&boot));
    page.replacen(BOOT, &boot, 1)
}

/// One file with everything: the page, the engine, the scene and the files that it names.
pub(crate) fn self_contained(scene: &ViewedScene, folder: Option<&Path>) -> Result<String, Failure> {
    let missing = || Failure::Run("this program was built without the page; run web/build".to_string());
    let (Some(page), Some(script), Some(style), Some(engine)) =
        (text("index.html"), text("app.js"), text("app.css"), file("engine.wasm.zst"))
    else {
        return Err(missing());
    };
    let boot = json!({ "scene": scene.json(), "files": named_files(scene, folder)?, "live": false });
    let boot = format!(
        "<script type=\"application/json\" id=\"cardan-boot\">{}</script>\n\
         <script type=\"text/plain\" id=\"cardan-engine\">{}</script>",
        inside(&boot),
        base64::encode(engine)
    );
    // The script last: what it contains is not searched.
    let page = page.replacen(STYLE, &format!("<style>{style}</style>"), 1).replacen(BOOT, &boot, 1);
    let Some((head, tail)) = page.split_once(SCRIPT) else { return Err(missing()) };
    Ok(format!("{head}<script type=\"module\">{script}</script>{tail}"))
}

/// The files that a scene names, as base64: the engine says which. A scene that is wrong in another way is shown as it is.
fn named_files(scene: &ViewedScene, folder: Option<&Path>) -> Result<serde_json::Value, Failure> {
    const MOST: usize = 1000;
    let (mut files, mut all) = (Files::default(), serde_json::Map::new());
    for asked in 0.. {
        let source = SceneText { files: files.clone(), ..SceneText::new(&*scene.name, &*scene.text) };
        let name = match Player::new(source) {
            Err(ViewError::File(name, _)) => name,
            Ok(_) => break,
            Err(ViewError::Scene(error)) => return Err(Failure::Input(error.render())),
            Err(error) => return Err(Failure::Input(format!("{error}"))),
        };
        if asked >= MOST {
            return Err(Failure::Input(format!("error: the scene names more than {MOST} files")));
        }
        match folder.map_or(Err((404, "")), |folder| super::scene_file(folder, &name)) {
            Ok(bytes) => {
                all.insert(name.clone(), json!(base64::encode(&bytes)));
                files.set(&name, &bytes);
            }
            // A robot can do without a file that is nowhere or that the engine does not read; what cannot be
            // done without is missed again, and then it is no file to ask for.
            Err((404 | 415, _)) => files.set_absent(&name),
            Err((code, _)) => {
                let why = match code {
                    403 => "is not put into a page: it is hidden, or not in the folder of the scene or below",
                    413 => "is larger than 128 MB, the largest file that is put into a page",
                    _ => "cannot be read",
                };
                return Err(Failure::Input(format!("error: the file `{name}` {why}")));
            }
        }
    }
    Ok(all.into())
}
