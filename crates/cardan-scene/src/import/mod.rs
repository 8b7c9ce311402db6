//! Robot files in: URDF, SDF and MJCF become a [`Scene`] and its TOML text.
//!
//! A robot file is read into a typed description that knows its lines, and written as the scene that it means. Running a
//! robot file runs the text that `cardan import` writes, so that both have the same bits.

mod dae;
mod mjcf;
mod names;
mod paths;
mod report;
mod sdf;
mod shapes;
mod space;
mod urdf;
mod xml;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cardan::Frame;

use crate::document::{Document, FileProvider};
use crate::error::{ErrorKind, SceneError};
use crate::scene::Scene;
pub(crate) use names::UniqueNames;
pub(crate) use paths::FileFinder;
pub use report::{ImportNote, ImportReport, Treatment};
#[cfg(test)]
pub(crate) use space::from_rpy;
pub(crate) use space::{compose, frame_desc, inverse};
use xml::XmlText;

/// How a robot file is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportOptions {
    /// The root link is a free body instead of a part of the ground.
    pub floating: bool,
    /// Folders of packages, for `package://NAME/…`.
    pub packages: Vec<(String, PathBuf)>,
    /// Read files outside the robot file's folder and its packages.
    pub allow_outside: bool,
    /// Accept inertias that break the triangle rule.
    pub allow_unphysical_inertia: bool,
    /// What becomes of meshes.
    pub meshes: MeshUse,
    /// Links of the robot collide with each other, except those that a joint connects.
    pub self_collision: bool,
    /// Height of a ground plane, in m; collision shapes then have friction.
    pub floor: Option<f64>,
    /// Position and orientation of the root link.
    pub base: Frame,
    /// The key frame of an MJCF model to start from, by name or number. Default: the pose of the file.
    pub keyframe: Option<String>,
    /// Put before every name.
    pub prefix: String,
    /// The robot is a part of a scene, where other things may touch it.
    pub is_part: bool,
    /// Acceleration of free fall of the scene that the robot is a part of, in m/s². Default: that of the robot file.
    pub gravity: Option<[f64; 3]>,
    /// The folder that paths of meshes are written from. Default: the folder of the robot file.
    pub output_folder: Option<PathBuf>,
}

/// What becomes of the meshes of collision shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshUse {
    /// Their convex hull.
    #[default]
    Hull,
    /// Their triangles.
    Exact,
    /// They are left out.
    Leave,
}

/// A robot file as a scene.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The scene.
    pub scene: Scene,
    /// The scene as TOML, with the lines of the robot file as comments.
    pub toml: String,
    /// What was used, approximated and ignored.
    pub report: ImportReport,
}

/// A scene with the lines that its tables come from: `joints.elbow` → 12.
pub(crate) struct Drafted {
    pub(crate) scene: Scene,
    pub(crate) lines: BTreeMap<String, usize>,
    pub(crate) report: ImportReport,
}

/// Whether a text is XML and no scene.
pub(crate) fn is_robot_file(bytes: &[u8]) -> bool {
    let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    body.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'<')
}

/// Makes a scene of the text of a robot file. `name` is what errors call it, `folder` where the files are that it names;
/// a file `NAME.loops.toml` beside it has further joints.
///
/// ```
/// let urdf = r#"<robot name="pendulum">
///   <link name="base"/>
///   <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
///     <inertia ixx="0.2" iyy="0.2" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
///   <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
/// </robot>"#;
/// let options = cardan_scene::ImportOptions::default();
/// let imported = cardan_scene::import_robot("pendulum.urdf", urdf, "".as_ref(), &options)?;
/// assert_eq!(imported.scene.bodies.len(), 1);
/// assert!(imported.toml.contains("[joints.hinge]"));
/// # Ok::<(), cardan_scene::SceneError>(())
/// ```
///
/// # Errors
/// If the file is no robot, or something in it is wrong: with line, column and what would be right.
pub fn import_robot(
    name: &str,
    text: &str,
    folder: &Path,
    options: &ImportOptions,
) -> Result<Imported, SceneError> {
    import_text(name, text, RobotFolder::At(folder), options)
}

/// Where the files are that a robot file names.
#[derive(Clone, Copy)]
pub(crate) enum RobotFolder<'a> {
    /// The text comes from no file: beside it there is nothing, and paths are from the present folder.
    None,
    /// In this folder of the file system.
    At(&'a Path),
    /// Given by a provider; the folder of the robot file from that of the scene.
    Provided(&'a Path, &'a FileProvider),
}

/// [`import_robot`], with the files that it names from any place.
pub(crate) fn import_text(
    name: &str,
    text: &str,
    folder: RobotFolder<'_>,
    options: &ImportOptions,
) -> Result<Imported, SceneError> {
    let file_error = |kind, message: String, help: &str| {
        SceneError::of_file(kind, name.to_string(), message, Some(help.to_string()))
    };
    if text.len() > xml::MAX_SIZE {
        let message = format!("the robot file has {} MB", text.len() >> 20);
        let help = format!("more than {} MB are not read", xml::MAX_SIZE >> 20);
        return Err(file_error(ErrorKind::TooLarge, message, &help));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = XmlText::new(name, text);
    let tree = source.parse()?;
    let root = tree.root_element();
    let from_xacro = root.namespaces().any(|space| space.uri().contains("xacro"))
        && root.descendants().any(|node| node.tag_name().namespace().is_some_and(|s| s.contains("xacro")));
    if from_xacro || name.ends_with(".xacro") {
        let message = "this is a xacro file, from which a robot file is made first";
        let help = "run `xacro FILE.xacro > FILE.urdf` (pip install xacro), then take FILE.urdf";
        return Err(source.error(ErrorKind::NotAvailable, xml::start(root), message, help));
    }
    let finder = match folder {
        RobotFolder::None => FileFinder::new(Path::new(""), options),
        RobotFolder::At(folder) => FileFinder::new(folder, options),
        RobotFolder::Provided(folder, files) => FileFinder::provided(folder, options, files.clone()),
    };
    let drafted = match root.tag_name().name() {
        "robot" => {
            let sidecar = match folder {
                RobotFolder::None => None,
                RobotFolder::At(folder) => sidecar(name, folder)?,
                RobotFolder::Provided(folder, files) => provided_sidecar(name, folder, files)?,
            };
            urdf::import(&source, &tree, sidecar.as_ref(), &finder, options)?
        }
        "mujoco" | "mujocoinclude" => mjcf::import(name, text, &finder, options)?,
        "sdf" => sdf::import(&source, &tree, &finder, options)?,
        other => {
            let message = format!("<{}> is no robot", crate::document::clip(other));
            let help = "a URDF file starts with <robot name=\"…\">, an SDF file with <sdf version=\"…\">, MJCF with <mujoco>";
            return Err(source.error(ErrorKind::UnknownKind, xml::start(root), message, help));
        }
    };
    let Drafted { scene, lines, report } = drafted;
    let file = Path::new(name).file_name().map_or(name.into(), |file| file.to_string_lossy());
    let comments = lines.into_iter().map(|(table, line)| (table, format!("{file}, line {line}"))).collect();
    let toml = scene
        .to_toml_with(&comments)
        .map_err(|error| file_error(ErrorKind::BadValue, error.to_string(), "this is a mistake of cardan"))?;
    Ok(Imported { scene, toml, report })
}

impl Imported {
    /// The scene as a document, for [`Scene::from_document`] and overrides. `name` is what errors call it.
    pub fn into_document(self, name: &str, folder: &Path) -> Result<Document, SceneError> {
        let document = Document::parse(format!("{name} (as a scene)"), self.toml)?;
        Ok(document.in_folder(folder).with_import_report(self.report))
    }
}

/// A robot file; errors are those of its text, or why it cannot be read.
pub(crate) fn import_file(
    file: &Path,
    options: &ImportOptions,
) -> Result<Imported, Result<SceneError, String>> {
    let bytes = read_at_most(file, xml::MAX_SIZE)
        .map_err(|error| Err(format!("cannot read the robot file: {error}")))?;
    let name = file.display().to_string();
    let text = utf8(&name, bytes).map_err(Ok)?;
    import_robot(&name, &text, file.parent().unwrap_or(Path::new("")), options).map_err(Ok)
}

/// The text of a robot file.
pub(crate) fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, SceneError> {
    String::from_utf8(bytes).map_err(|error| {
        let message = format!("the robot file is not UTF-8 text (byte {})", error.utf8_error().valid_up_to());
        let help = "save it as UTF-8".to_string();
        SceneError::of_file(ErrorKind::Encoding, name.to_string(), message, Some(help))
    })
}

/// `NAME.loops.toml` beside `NAME.urdf`.
fn sidecar(name: &str, folder: &Path) -> Result<Option<Document>, SceneError> {
    let file = Path::new(name);
    let (Some(stem), Some(own)) = (file.file_stem(), file.file_name()) else { return Ok(None) };
    let path = folder.join(format!("{}.loops.toml", stem.to_string_lossy()));
    // A text that is in no file has none beside it.
    if !folder.join(own).is_file() || !path.is_file() {
        return Ok(None);
    }
    // A link that leads elsewhere is not a file beside the robot.
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let is_beside = |path: &Path| Some(path.canonicalize().ok()?.parent()? == here.canonicalize().ok()?);
    if is_beside(&path) != Some(true) {
        return Ok(None);
    }
    let name = path.display().to_string();
    let file_error = |message: String| {
        let help = "loops are a TOML file of tables [loops.NAME]".to_string();
        SceneError::of_file(ErrorKind::Io, name.clone(), message, Some(help))
    };
    let bytes = read_at_most(&path, MAX_SIDECAR).map_err(|error| file_error(error.to_string()))?;
    if bytes.len() > MAX_SIDECAR {
        return Err(file_error(format!("more than {} MB of loops are not read", MAX_SIDECAR >> 20)));
    }
    // Only the document: a scene could name this robot again.
    Ok(Some(Document::parse_bytes(name, bytes)?.in_folder(folder)))
}

/// `NAME.loops.toml` beside `NAME.urdf`, from a provider.
fn provided_sidecar(name: &str, folder: &Path, files: &FileProvider) -> Result<Option<Document>, SceneError> {
    let Some(stem) = Path::new(name).file_stem() else { return Ok(None) };
    let path = folder.join(format!("{}.loops.toml", stem.to_string_lossy()));
    match files.read(&path) {
        Ok(bytes) => Ok(Some(Document::parse_bytes(path.display().to_string(), bytes)?)),
        Err(_) => Ok(None),
    }
}

/// Largest file of loops.
const MAX_SIDECAR: usize = 16 << 20;

/// The bytes of a file, and one more than `most` if it has more.
fn read_at_most(file: &Path, most: usize) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(file)?.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
