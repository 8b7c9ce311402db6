//! `cardan export`: a scene as a robot file.

use crate::Failure;
use crate::args::ExportArgs;
use crate::load::{LoadedScene, show};
use crate::output::{cannot_write, print, unknown_ending};
use cardan_scene::RobotFormat;
use std::fmt::Write as _;

pub(crate) fn export(args: &ExportArgs) -> Result<(), Failure> {
    let path = &args.output;
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    let format = match ending.as_deref() {
        Some("urdf") => RobotFormat::Urdf,
        Some("xml") => RobotFormat::Mjcf,
        _ => return Err(unknown_ending(path, ".urdf or .xml")),
    };
    let loaded = LoadedScene::new(&args.scene)?;
    let exported = loaded.export(format).map_err(show)?;
    std::fs::write(path, &exported.text).map_err(|error| cannot_write(path, &error))?;
    let mut said = format!("wrote {}\n", path.display());
    if format == RobotFormat::Urdf {
        let beside = path.with_extension("loops.toml");
        // A file of another robot's loops would be read with this one.
        let empty = beside.exists().then(|| "# This robot has no loops.\n".to_string());
        if let Some(loops) = exported.loops.or(empty) {
            std::fs::write(&beside, loops).map_err(|error| cannot_write(&beside, &error))?;
            let _ = writeln!(said, "wrote {}", beside.display());
        }
    }
    if !exported.unsaid.is_empty() {
        said.push_str("not said in this format:\n");
    }
    for line in &exported.unsaid {
        let _ = writeln!(said, "  {line}");
    }
    print(&said)
}
