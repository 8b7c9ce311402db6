//! `cardan view`: a scene in the browser, with the engine in the page.
//!
//! | file | |
//! |---|---|
//! | `mod.rs` | the command |
//! | `page.rs` | the page: from the program, with its scene, or as one file |
//! | `request.rs` | a request, read with limits and checked |
//! | `server.rs` | connections, answers, news of a changed file |

mod page;
mod request;
mod server;

use crate::Failure;
use crate::args::ViewArgs;
use crate::output::{cannot_write, print};
use cardan_scene::{ImportOptions, Source};
use cardan_view::bundled_scene;
use page::ViewedScene;
use server::Server;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) fn view(args: &ViewArgs) -> Result<(), Failure> {
    let scene = args.scene.as_deref().map(Watched::new).transpose()?;
    if let Some(path) = &args.output {
        let Some(scene) = &scene else {
            return Err(Failure::Input("error: --output needs a scene to write".to_string()));
        };
        if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("html")) {
            return Err(crate::output::unknown_ending(path, ".html"));
        }
        let text = page::self_contained(&scene.read()?, scene.folder.as_deref())?;
        return std::fs::write(path, text).map_err(|error| cannot_write(path, &error));
    }
    // A scene that cannot be read is told before a window opens; a wrong one is shown in it.
    if let Some(scene) = &scene {
        scene.read()?;
    }
    let server = Server::bind(args.port, scene)
        .map_err(|error| Failure::Run(format!("cannot listen on port {}: {error}", args.port)))?;
    print(&format!("{}\n", server.address()))?;
    if !page::is_built() {
        eprintln!("warning: this program was built without the page; run web/build, then build it again");
    }
    if !args.no_open {
        open(&server.address_to_open());
    }
    server.serve()
}

/// A scene that is shown, and where it is read again from.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    source: Source,
    /// The file whose changes are news.
    path: Option<PathBuf>,
    /// Folder of the files that the scene names.
    folder: Option<PathBuf>,
    /// The file describes a robot and is no scene.
    is_robot: bool,
}

impl Watched {
    fn new(word: &str) -> Result<Self, Failure> {
        let source = Source::resolve(word);
        let (path, folder, is_robot) = match &source {
            Source::Stdin => {
                let text = "error: cardan view reads a file or a bundled scene, not standard input";
                return Err(Failure::Input(text.to_string()));
            }
            Source::Bundled(_) => (None, None, false),
            Source::Path(path) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new("."));
                // A scene names files from its own folder, a robot file from its package.
                let is_robot = is_xml(path);
                let package = if is_robot { package(folder) } else { None };
                (Some(path.clone()), Some(package.unwrap_or(folder.to_path_buf())), is_robot)
            }
        };
        Ok(Watched { source, path, folder, is_robot })
    }

    /// What tells whether a file was saved: times and sizes of the scene's file, of those that pages asked for, and for a
    /// robot file of those beside it.
    fn stamps(&self, asked: &Stamps) -> Stamps {
        let beside = self.beside();
        let all = self.path.iter().chain(asked.keys()).chain(&beside);
        all.map(|path| (path.clone(), stamp(path))).collect()
    }

    /// Files that a robot file may include.
    fn beside(&self) -> Vec<PathBuf> {
        const MOST: usize = 200;
        let Some(folder) = self.path.as_ref().filter(|_| self.is_robot).and_then(|path| path.parent()) else {
            return Vec::new();
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let all = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut all: Vec<PathBuf> = all.filter(|path| server::has_ending(path, &server::ENDINGS)).collect();
        // The same ones at every look, whatever the order of the file system.
        all.sort();
        all.truncate(MOST);
        all
    }

    /// The text as it is now. A robot file becomes the scene that it describes: the page reads no files of a robot.
    fn read(&self) -> Result<ViewedScene, Failure> {
        if let Source::Bundled(name) = &self.source
            && let Some(scene) = bundled_scene(name)
        {
            return Ok(ViewedScene { name: name.clone(), text: scene.text.to_string() });
        }
        let name =
            self.path.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|| self.source.name());
        // Says what is wrong with a file that is not there.
        // Meshes are named from the folder that files are given from.
        let options = ImportOptions { output_folder: self.folder.clone(), ..ImportOptions::default() };
        if let Some(imported) = self.source.import(&options).map_err(crate::load::show)? {
            return Ok(ViewedScene { name: format!("{name}.toml"), text: imported.toml });
        }
        let path = self.path.clone().unwrap_or_default();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::Input(format!("error: {}: {error}", path.display())))?;
        Ok(ViewedScene { name, text })
    }
}

/// Time and size of a file.
type Stamp = (std::time::SystemTime, u64);

/// Times and sizes of files; none of one that is not there.
type Stamps = BTreeMap<PathBuf, Option<Stamp>>;

fn stamp(path: &Path) -> Option<Stamp> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// Whether a file begins as XML does: a robot file.
fn is_xml(path: &Path) -> bool {
    let mut head = Vec::new();
    if path.is_file() {
        let _ = std::fs::File::open(path).and_then(|file| file.take(4096).read_to_end(&mut head));
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
    text.trim_ascii_start().starts_with(b"<")
}

/// The package of a robot file: the nearest folder above it with a `package.xml`.
fn package(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    folder.ancestors().find(|above| above.join("package.xml").is_file()).map(Path::to_path_buf)
}

/// A file of a scene's folder, by its path from there: no other file, no hidden one, none that the engine does not read.
fn scene_file(folder: &Path, name: &str) -> Result<Vec<u8>, request::Refusal> {
    let file = server::allowed(folder, name)?;
    std::fs::read(file).map_err(|error| server::unreadable(&error))
}

/// Opens an address in the user's browser; without one the address on the terminal has to do.
fn open(address: &str) {
    let (program, args): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program)
        .args(args)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    // Its end is waited for apart, so that nothing of it is left.
    if let Ok(mut child) = started {
        std::thread::spawn(move || child.wait());
    }
}
