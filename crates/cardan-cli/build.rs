//! Puts the page of `cardan view` (web/dist, built by web/build) into the program, as far as it is there.

use std::fmt::Write;
use std::path::Path;

/// What the page consists of.
const FILES: [&str; 5] = ["index.html", "app.js", "app.css", "engine.wasm.zst", "gallery.json.gz"];

fn main() {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let dist = Path::new(&root).join("../../web/dist");
    println!("cargo:rerun-if-changed=build.rs");
    let mut text = String::from("&[\n");
    for name in FILES {
        let file = dist.join(name);
        println!("cargo:rerun-if-changed={}", file.display());
        if file.is_file() {
            let _ = writeln!(text, "    ({name:?}, include_bytes!({:?})),", file.display().to_string());
        }
    }
    text.push_str("]\n");
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    let list = Path::new(&out).join("dist.rs");
    // A list that stays as it is is not written: nothing is compiled anew for it.
    if std::fs::read_to_string(&list).ok().as_ref() != Some(&text) {
        std::fs::write(list, text).expect("the build folder can be written");
    }
}
