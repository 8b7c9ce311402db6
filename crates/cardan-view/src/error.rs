//! Errors of a window, as data that a page can show.

use cardan::WorldError;
use cardan_scene::{ErrorKind, SceneError};
use serde_json::{Value, json};

/// What a window could not do. Nothing has changed then.
#[derive(Clone, Debug)]
pub enum ViewError {
    /// The text of the scene is wrong.
    Scene(Box<SceneError>),
    /// A file that the scene names is not there: its path from the folder of the scene.
    File(String, Box<SceneError>),
    /// A step or an edit was refused.
    Run(Box<WorldError>),
    /// A request that makes no sense: a number that names nothing, damaged bytes.
    Request(String),
}

impl From<SceneError> for ViewError {
    fn from(error: SceneError) -> Self {
        ViewError::Scene(Box::new(error))
    }
}

impl From<WorldError> for ViewError {
    fn from(error: WorldError) -> Self {
        ViewError::Run(Box::new(error))
    }
}

impl std::fmt::Display for ViewError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ViewError::Scene(error) | ViewError::File(_, error) => write!(f, "{error}"),
            ViewError::Run(error) => write!(f, "{error}"),
            ViewError::Request(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ViewError {}

impl ViewError {
    /// A file that a robot of the scene may have.
    pub(crate) fn wants(scene: &str, file: String) -> Self {
        let error = SceneError::missing_file(scene, &file);
        ViewError::File(file, Box::new(error))
    }

    pub(crate) fn request(text: impl Into<String>) -> Self {
        ViewError::Request(text.into())
    }

    /// The error as JSON: kind, message, place, help, and the text that the command would print.
    pub fn json(&self) -> Value {
        match self {
            ViewError::Scene(error) => of_scene(error, "scene", None),
            ViewError::File(file, error) => of_scene(error, "file", Some(file)),
            ViewError::Run(_) | ViewError::Request(_) => {
                let text = self.to_string();
                json!({ "kind": "run", "message": text, "rendered": format!("error: {text}") })
            }
        }
    }
}

fn of_scene(error: &SceneError, kind: &str, file: Option<&str>) -> Value {
    let mut all = json!({ "kind": kind, "message": error.message(), "rendered": error.render() });
    // Places in overrides and robot files are not places in the text.
    if let Some(span) = error.span().filter(|span| span.origin == 0) {
        all["line"] = json!(error.line());
        all["column"] = json!(error.column());
        all["span"] = json!([span.start, span.end]);
    } else if error.kind() == ErrorKind::Syntax {
        all["line"] = json!(error.line());
        all["column"] = json!(error.column());
    }
    if let Some(help) = error.help() {
        all["help"] = json!(help);
    }
    if !error.path().is_empty() {
        all["path"] = json!(error.path().to_string());
    }
    if let Some(file) = file {
        all["file"] = json!(file);
    }
    all
}
