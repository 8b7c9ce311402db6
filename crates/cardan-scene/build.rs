//! Lists the scenes of the repository folder `scenes/`, so that adding one is adding a file.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> std::io::Result<()> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../scenes");
    // Cargo looks into a folder that it watches, and runs this again for as long as there is none.
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=build.rs");

    let mut scenes = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
            if path.extension().is_some_and(|ending| ending == "toml") && !name.is_empty() {
                scenes.push((name, path.canonicalize()?));
            }
        }
    }
    scenes.sort();

    let mut table = String::from("&[\n");
    for (name, path) in scenes {
        writeln!(
            table,
            "    Bundled {{ name: {name:?}, text: include_str!({:?}) }},",
            path.display().to_string()
        )
        .map_err(std::io::Error::other)?;
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("bundled.rs"), table)
}
