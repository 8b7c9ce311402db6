//! Lists the scenes and robots of the repository folder `scenes/`, so that adding one is adding a file.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../scenes");
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&out).join("bundled.rs"), table(&folder, &["toml"])?)?;
    fs::write(Path::new(&out).join("robots.rs"), table(&folder.join("robots"), &["urdf", "xml"])?)
}

/// The files of a folder with one of these endings, as a table of names and texts.
fn table(folder: &Path, endings: &[&str]) -> io::Result<String> {
    // Cargo looks into a folder that it watches, and runs this again for as long as there is none.
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
            if path.extension().is_some_and(|own| endings.iter().any(|ending| own == *ending))
                && !name.is_empty()
            {
                files.push((name, path.canonicalize()?));
            }
        }
    }
    files.sort();

    let mut table = String::from("&[\n");
    for (name, path) in files {
        let path = path.display().to_string();
        writeln!(table, "    Bundled {{ name: {name:?}, text: include_str!({path:?}) }},")
            .map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    Ok(table)
}
