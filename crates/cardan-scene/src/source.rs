//! Where a scene comes from: a path, a bundled name, or standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::bundled::bundled;
use crate::document::{Document, MAX_SIZE};
use crate::error::{ErrorKind, SceneError};
use crate::nearest::nearest;

/// Where a scene comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// `-`
    Stdin,
    /// A file.
    Path(PathBuf),
    /// A scene that comes with the program.
    Bundled(String),
}

/// Endings that make a word a path.
const ENDINGS: [&str; 2] = ["toml", "json"];

impl Source {
    /// What the word on the command line means: `-` is standard input; a path is what contains a separator, has a known
    /// ending or exists; anything else is a bundled name.
    pub fn resolve(word: &str) -> Self {
        let path = Path::new(word);
        let known =
            path.extension().is_some_and(|own| ENDINGS.iter().any(|ending| own.eq_ignore_ascii_case(ending)));
        if word == "-" {
            Source::Stdin
        } else if known || word.contains(['/', std::path::MAIN_SEPARATOR]) || path.exists() {
            Source::Path(path.to_path_buf())
        } else {
            Source::Bundled(word.to_string())
        }
    }

    /// Its name in errors and reports.
    pub fn name(&self) -> String {
        match self {
            Source::Stdin => "standard input".to_string(),
            Source::Path(path) => path.display().to_string(),
            Source::Bundled(name) => name.clone(),
        }
    }

    /// Reads the document.
    pub fn read(&self) -> Result<Document, SceneError> {
        let bytes = match self {
            Source::Stdin => limited(io::stdin().lock()),
            Source::Path(path) => File::open(path).and_then(|file| {
                if file.metadata()?.is_dir() {
                    return Err(io::Error::other("it is a folder"));
                }
                limited(file)
            }),
            Source::Bundled(name) => match bundled().iter().find(|scene| scene.name == name) {
                Some(scene) => return Document::parse(format!("{name}.toml"), scene.text),
                None => return Err(unknown(name)),
            },
        };
        match bytes {
            Ok(bytes) => {
                let document = Document::parse_bytes(self.name(), bytes)?;
                Ok(match self {
                    Source::Path(path) => document.in_folder(path.parent().unwrap_or(Path::new(""))),
                    _ => document,
                })
            }
            Err(error) => {
                let message = format!("cannot read the scene: {error}");
                let help = (error.kind() == io::ErrorKind::NotFound)
                    .then(|| "`cardan list` shows the scenes that come with the program".to_string());
                Err(SceneError::of_file(ErrorKind::Io, self.name(), message, help))
            }
        }
    }
}

/// Reads up to one byte more than is allowed, so that an endless input ends.
fn limited(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_SIZE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unknown(name: &str) -> SceneError {
    let help = match nearest(name, bundled().iter().map(|scene| scene.name)) {
        Some(near) => format!(
            "did you mean `{near}`? `cardan list` shows them all; a file has an ending or a separator"
        ),
        None => "`cardan list` shows them all; a file has an ending or a separator: `./NAME` or `NAME.toml`"
            .to_string(),
    };
    let message = "no bundled scene has this name, and no such file exists".to_string();
    SceneError::of_file(ErrorKind::UnknownScene, name.to_string(), message, Some(help))
}
