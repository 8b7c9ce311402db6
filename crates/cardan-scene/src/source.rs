//! Where a scene comes from: a path, a bundled name, or standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::bundled::{Bundled, bundled, bundled_robots};
use crate::document::{Document, MAX_SIZE};
use crate::error::{ErrorKind, SceneError};
use crate::import::{ImportOptions, Imported, RobotFolder, import_robot, import_text, is_robot_file, utf8};
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
const ENDINGS: [&str; 6] = ["toml", "json", "urdf", "xml", "sdf", "xacro"];

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

    /// The folder of the files that it names.
    fn folder(&self) -> &Path {
        match self {
            Source::Path(path) => path.parent().unwrap_or(Path::new("")),
            _ => Path::new(""),
        }
    }

    /// Reads a robot file as a scene; `None` if it is a scene already.
    pub fn import(&self, options: &ImportOptions) -> Result<Option<Imported>, SceneError> {
        let name = self.name();
        match self {
            Source::Bundled(own) => {
                let robot = bundled_robots().iter().find(|robot| robot.name == own);
                if robot.is_none() && !bundled().iter().any(|scene| scene.name == own) {
                    return Err(unknown(own));
                }
                let import = |robot: &Bundled| {
                    import_text(&robot.robot_file(), robot.text, RobotFolder::None, options)
                };
                robot.map(import).transpose()
            }
            _ => {
                let bytes = self.bytes()?;
                if !is_robot_file(&bytes) {
                    return Ok(None);
                }
                import_robot(&name, &utf8(&name, bytes)?, self.folder(), options).map(Some)
            }
        }
    }

    /// Reads the document; a robot file becomes the scene that it describes.
    pub fn read(&self) -> Result<Document, SceneError> {
        self.read_with(&ImportOptions::default())
    }

    /// Reads the document, with options for a robot file.
    pub fn read_with(&self, options: &ImportOptions) -> Result<Document, SceneError> {
        if let Source::Bundled(name) = self {
            if let Some(scene) = bundled().iter().find(|scene| scene.name == name) {
                let mut document = Document::parse(format!("{name}.toml"), scene.text)?;
                document.include_robots(options)?;
                return Ok(document);
            }
            return match self.import(options)? {
                Some(imported) => {
                    let robot = bundled_robots().iter().find(|robot| robot.name == name);
                    let file = robot.map_or(name.clone(), Bundled::robot_file);
                    imported.into_document(&file, Path::new(""))
                }
                None => Err(unknown(name)),
            };
        }
        let (name, bytes) = (self.name(), self.bytes()?);
        if is_robot_file(&bytes) {
            let imported = import_robot(&name, &utf8(&name, bytes)?, self.folder(), options)?;
            return imported.into_document(&name, self.folder());
        }
        let mut document = Document::parse_bytes(name, bytes)?.in_folder(self.folder());
        document.include_robots(options)?;
        Ok(document)
    }

    fn bytes(&self) -> Result<Vec<u8>, SceneError> {
        let bytes = match self {
            Source::Stdin => limited(io::stdin().lock()),
            Source::Path(path) => File::open(path).and_then(|file| {
                if file.metadata()?.is_dir() {
                    return Err(io::Error::other("it is a folder"));
                }
                limited(file)
            }),
            Source::Bundled(name) => return Err(unknown(name)),
        };
        bytes.map_err(|error| {
            let message = format!("cannot read the scene: {error}");
            let help = (error.kind() == io::ErrorKind::NotFound)
                .then(|| "`cardan list` shows the scenes that come with the program".to_string());
            SceneError::of_file(ErrorKind::Io, self.name(), message, help)
        })
    }
}

/// Reads up to one byte more than is allowed, so that an endless input ends.
fn limited(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_SIZE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unknown(name: &str) -> SceneError {
    let help = match nearest(name, bundled().iter().chain(bundled_robots()).map(|scene| scene.name)) {
        Some(near) => format!(
            "did you mean `{near}`? `cardan list` shows them all; a file has an ending or a separator"
        ),
        None => "`cardan list` shows them all; a file has an ending or a separator: `./NAME` or `NAME.toml`"
            .to_string(),
    };
    let message = "no bundled scene has this name, and no such file exists".to_string();
    SceneError::of_file(ErrorKind::UnknownScene, name.to_string(), message, Some(help))
}
