//! `cardan-bindgen IN.wasm FOLDER`: writes FOLDER/engine.js, engine_bg.wasm and engine.wasm.zst from what cargo built.

use std::path::Path;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

/// The highest level of zstd, and a window over the whole module.
const LEVEL: i32 = 22;
const WINDOW_LOG: u32 = 24;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder] = arguments.as_slice() else {
        eprintln!("usage: cardan-bindgen IN.wasm FOLDER");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen.input_path(input).out_name("engine").typescript(true).omit_default_module_path(true);
    // Names of functions are a tenth of the file; a panic says its message and place without them.
    let made = made.remove_name_section(true).remove_producers_section(true);
    if let Err(error) = made.web(true).and_then(|made| made.generate(folder)) {
        eprintln!("{error:?}");
        return ExitCode::FAILURE;
    }
    match pack(Path::new(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{folder}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn pack(folder: &Path) -> std::io::Result<()> {
    let module = std::fs::read(folder.join("engine_bg.wasm"))?;
    let mut packer = zstd::bulk::Compressor::new(LEVEL)?;
    packer.window_log(WINDOW_LOG)?;
    packer.include_contentsize(true)?;
    std::fs::write(folder.join("engine.wasm.zst"), packer.compress(&module)?)
}
