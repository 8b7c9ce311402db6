//! Files and standard output.

use crate::Failure;
use crate::picture::png::{CRISP, png};
use std::io::Write;
use std::path::Path;

/// Writes an SVG text as the file's ending says: as it is, or as PNG.
pub(crate) fn picture(path: &Path, svg: &str) -> Result<(), Failure> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let bytes = match ending.as_str() {
        "svg" => svg.as_bytes().to_vec(),
        "png" => png(svg, CRISP).map_err(|error| Failure::Run(format!("{}: {error}", path.display())))?,
        _ => return Err(unknown_ending(path, ".svg or .png")),
    };
    std::fs::write(path, bytes).map_err(|error| cannot_write(path, &error))
}

/// Checks that a picture can be written, before a long run.
pub(crate) fn check_picture(path: &Path) -> Result<(), Failure> {
    match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("svg" | "png") => {}
        _ => return Err(unknown_ending(path, ".svg or .png")),
    }
    if path.is_dir() {
        return Err(cannot_write(path, &"it is a folder"));
    }
    match path.parent() {
        Some(folder) if folder != Path::new("") && !folder.is_dir() => {
            Err(cannot_write(path, &format!("there is no folder {}", folder.display())))
        }
        _ => Ok(()),
    }
}

pub(crate) fn unknown_ending(path: &Path, want: &str) -> Failure {
    Failure::Input(format!("error: {}: the file name must end in {want}", path.display()))
}

pub(crate) fn cannot_write(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Run(format!("cannot write {}: {error}", path.display()))
}

/// Prints to standard output. A closed pipe is not an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::Run(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
