//! From a text to a world that can run.

use crate::error::ViewError;
use cardan::{Accounts, Model};
use cardan_scene::{
    Bundled, Document, FileProvider, ImportOptions, Scene, ScriptedWorld, bundled, bundled_robots,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Files that scenes name, by their paths from the folder of the scene.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// `None`: a file that was asked for and is not there.
    all: BTreeMap<String, Option<Arc<[u8]>>>,
}

impl Files {
    /// Adds a file, or replaces it.
    pub fn set(&mut self, path: &str, bytes: &[u8]) {
        self.all.insert(plain(path), Some(bytes.into()));
    }

    /// Forgets a file, or that it is not there: it is asked for again.
    pub fn forget(&mut self, path: &str) {
        self.all.remove(&plain(path));
    }

    /// Notes that there is no such file: it is not asked for again.
    pub fn set_absent(&mut self, path: &str) {
        self.all.insert(plain(path), None);
    }
}

/// A path without `.` and `folder/..`, so that a file has one name. What leads out of the folder of the scene
/// stays as it is.
fn plain(path: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in path.split('/') {
        match (word, words.last()) {
            (".", _) | ("", Some(_)) => {}
            ("..", Some(last)) if !["", ".."].contains(last) => {
                words.pop();
            }
            _ => words.push(word),
        }
    }
    words.join("/")
}

/// How a window loads a scene.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Whether islands at rest sleep. Default true.
    pub sleep: Option<bool>,
    /// Most bytes that the snapshots for stepping back may take. Default 64 MB.
    pub ring: Option<usize>,
    /// Overrides like `--set`.
    pub set: Vec<String>,
}

/// A text, and what it names.
#[derive(Clone, Debug)]
pub struct SceneText {
    /// What errors call it.
    pub name: String,
    /// TOML or JSON, or XML of a robot.
    pub text: String,
    /// Files that it names.
    pub files: Files,
    /// How it is loaded.
    pub options: Options,
}

/// A scene that was read, checked and built.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) document: Document,
    pub(crate) scene: Scene,
    /// All parts, whatever the script switches off.
    pub(crate) model: Arc<Model>,
    pub(crate) scripted: ScriptedWorld,
}

/// The bundled scene or robot of a name.
pub fn bundled_scene(name: &str) -> Option<&'static Bundled> {
    bundled().iter().chain(bundled_robots()).find(|scene| scene.name == name)
}

impl SceneText {
    /// A scene without files, with the usual options.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        SceneText {
            name: name.into(),
            text: text.into(),
            files: Files::default(),
            options: Options::default(),
        }
    }

    /// A bundled scene or robot.
    pub fn bundled(name: &str) -> Option<Self> {
        bundled_scene(name).map(|scene| SceneText::new(name, scene.text))
    }

    /// Reads, overrides, types, checks and builds.
    pub(crate) fn build(&self) -> Result<Built, ViewError> {
        let missing = Arc::new(Mutex::new(None));
        let (files, noted) = (self.files.clone(), missing.clone());
        let provider = FileProvider::new(move |path| {
            let path = plain(path);
            match files.all.get(&path) {
                Some(Some(bytes)) => Ok(bytes.to_vec()),
                Some(None) => Err(std::io::ErrorKind::NotFound.into()),
                None => {
                    if let Ok(mut missing) = noted.lock() {
                        missing.get_or_insert(path);
                    }
                    Err(std::io::ErrorKind::NotFound.into())
                }
            }
        });
        let built = self.build_with(provider);
        let file: Option<String> = missing.lock().ok().and_then(|mut missing| missing.take());
        match (built, file) {
            (built, None) => built,
            (Err(ViewError::Scene(error)), Some(file)) => Err(ViewError::File(file, error)),
            // A robot can do without some of its files, if they are nowhere.
            (Err(error), Some(_)) => Err(error),
            (Ok(_), Some(file)) => Err(ViewError::wants(&self.name, file)),
        }
    }

    fn build_with(&self, provider: FileProvider) -> Result<Built, ViewError> {
        let options = ImportOptions::default();
        let mut document = Document::parse_any(&self.name, &self.text, &options)?.with_files(provider);
        document.include_robots(&options)?;
        for set in &self.options.set {
            document.set(set)?;
        }
        let scene = Scene::from_document(&document)?;
        let mut settings = scene.settings(&document)?;
        // The strip of measures is always on, unless who loads the scene wants it otherwise.
        if !self.options.set.iter().any(|set| set.starts_with("simulation.accounts=")) {
            settings.accounts = Accounts::EveryStep;
        }
        let model = Arc::new(scene.to_model(&document)?);
        let world = scene.to_world(&document, settings)??;
        let scripted = ScriptedWorld::new(world, scene.script())?;
        Ok(Built { document, scene, model, scripted })
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_file_has_one_name() {
        for (path, wanted) in [
            ("./meshes/a.obj", "meshes/a.obj"),
            ("meshes/./a.obj", "meshes/a.obj"),
            ("meshes//a.obj", "meshes/a.obj"),
            ("urdf/../meshes/a.obj", "meshes/a.obj"),
            ("./../a.obj", "../a.obj"),
            ("a/../../b.obj", "../b.obj"),
            ("../../b.obj", "../../b.obj"),
            ("/etc/../a.obj", "/a.obj"),
            ("/../a.obj", "/../a.obj"),
        ] {
            assert_eq!(plain(path), wanted, "{path}");
        }
    }
}
