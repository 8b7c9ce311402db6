//! Files and standard output.

use crate::Failure;
use crate::picture::chart::Chart;
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

/// Writes a chart as the file's ending says: as a picture, or as a page with zoom and hover.
pub(crate) fn chart(path: &Path, chart: &Chart) -> Result<(), Failure> {
    match is_page(path) {
        true => replace(path, chart.html().as_bytes()),
        false => picture(path, &chart.svg()),
    }
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("html"))
}

/// Checks that a chart can be written, before a long run.
pub(crate) fn check_chart(path: &Path) -> Result<(), Failure> {
    if is_page(path) { check_place(path) } else { check_picture_or(path, ".svg, .png or .html") }
}

/// Checks that a picture can be written, before a long run.
pub(crate) fn check_picture(path: &Path) -> Result<(), Failure> {
    check_picture_or(path, ".svg or .png")
}

fn check_picture_or(path: &Path, endings: &str) -> Result<(), Failure> {
    match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("svg" | "png") => check_place(path),
        _ => Err(unknown_ending(path, endings)),
    }
}

fn check_place(path: &Path) -> Result<(), Failure> {
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

/// Writes a file as a whole: what was there before stays until the new one is complete.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut whole = path.as_os_str().to_os_string();
    whole.push(".new");
    // The bytes are on the disk before the name is: a loss of power leaves the old file or the new one.
    let write = || -> std::io::Result<()> {
        let mut file = std::fs::File::create(&whole)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&whole, path)
    };
    let written = write();
    written.map_err(|error| {
        let _ = std::fs::remove_file(&whole);
        cannot_write(path, &error)
    })
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
