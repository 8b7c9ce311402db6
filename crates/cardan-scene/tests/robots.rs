//! What the tests of robot files share: their models, folders, tables of mistakes, and edits that no reader may break on.

use cardan::Model;
use cardan_scene::{
    Document, ImportOptions, Imported, RobotFormat, Scene, SceneError, bundled_robots, import_robot,
};
use cardan_testkit::Rng;
use std::path::{Path, PathBuf};

/// The model of a document.
pub(crate) fn built(document: &Document) -> Result<Model, SceneError> {
    Scene::from_document(document)?.to_model(document)
}

/// The model of a robot file.
pub(crate) fn model(imported: Imported) -> Model {
    let document = imported.into_document("robot", Path::new(""));
    document.and_then(|document| built(&document)).unwrap_or_else(|e| panic!("{}", e.render()))
}

/// A folder of its own for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("cardan-robot-{name}-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("meshes")).expect("a folder");
    folder
}

/// A mistake: what is replaced by what, the line of the message, words of the message, words of the help.
pub(crate) type Fault = (&'static str, &'static str, usize, &'static str, &'static str);

/// Every mistake is refused at its line, with what would be right.
pub(crate) fn assert_faults(file: &str, good: &str, faults: &[Fault]) {
    let read = |text: &str| import_robot(file, text, Path::new(""), &ImportOptions::default());
    read(good).unwrap_or_else(|e| panic!("{}", e.render()));
    for (old, new, line, says, helps) in faults {
        assert!(good.contains(old), "{old}");
        let error =
            read(&good.replacen(old, new, 1)).err().unwrap_or_else(|| panic!("{old} → {new} is read"));
        let shown = error.render().to_string();
        assert!(error.message().contains(says), "{old} → {new}: {shown}");
        assert!(error.help().unwrap_or_default().contains(helps), "{old} → {new}: {shown}");
        assert!(shown.contains(&format!("{file}:{line}:")), "{old} → {new}, line {line}: {shown}");
    }
}

/// The text of a bundled robot.
pub(crate) fn bundled_text(name: &str) -> &'static str {
    bundled_robots().iter().find(|robot| robot.name == name).expect("a robot").text
}

/// Files that are edited, and what is written into them.
pub(crate) struct Edits {
    pub(crate) file: &'static str,
    /// The first is edited three times of four.
    pub(crate) texts: Vec<&'static str>,
    /// Values that replace others.
    pub(crate) odd: &'static [&'static str],
    /// Values stand between tags, too, not only in quotes.
    pub(crate) between_tags: bool,
    pub(crate) has_keys: bool,
}

impl Edits {
    /// One edit of a text: a byte, a piece left out, doubled or moved, a number or a name replaced.
    fn edited(&self, text: &str, rng: &mut Rng) -> String {
        let mut bytes = text.as_bytes().to_vec();
        let (at, length) = (rng.below(bytes.len()), 1 + rng.below(60));
        let end = (at + length).min(bytes.len());
        match rng.below(12) {
            0 => bytes[at] = (rng.bits() & 0x7f) as u8,
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                let to = rng.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            3 => bytes.truncate(at),
            _ => {
                // Structure-aware: a value becomes another one of the file, or an odd one.
                let marks: &[u8] = if self.between_tags { b"<>\"" } else { b"\"" };
                let cuts: Vec<usize> = (0..bytes.len()).filter(|&i| marks.contains(&bytes[i])).collect();
                // Values in quotes are every second piece.
                let every = if self.between_tags { 1 } else { 2 };
                let pieces = cuts.len().saturating_sub(1).div_ceil(every);
                if pieces > 0 {
                    let piece = |k: usize| cuts[every * k] + 1..cuts[every * k + 1];
                    let edited = rng.below(pieces);
                    // What stands before a value is its name: values of the same name are often as good.
                    let name = |k: usize| {
                        let before = &bytes[..piece(k).start];
                        before.rsplit(|b| b" <>".contains(b)).next().unwrap_or_default().to_vec()
                    };
                    let own = name(edited);
                    let same: Vec<usize> = (0..pieces).filter(|&k| name(k) == own).collect();
                    let new = match rng.below(3) {
                        0 => self.odd[rng.below(self.odd.len())].as_bytes().to_vec(),
                        1 => bytes[piece(same[rng.below(same.len())])].to_vec(),
                        _ => bytes[piece(rng.below(pieces))].to_vec(),
                    };
                    bytes.splice(piece(edited), new);
                }
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A hundred thousand cases from a hundred seeds.
    pub(crate) fn soak(&self) {
        (2..102).for_each(|seed| self.survive(seed, 1000));
    }

    /// Whatever is read can be a scene, or is refused with a message; and no export of it breaks.
    pub(crate) fn survive(&self, seed: u64, cases: usize) {
        let mut rng = Rng::new(seed);
        let mut read = 0;
        for case in 0..cases {
            let which = if rng.below(4) == 0 { rng.below(self.texts.len()) } else { 0 };
            let mut text = self.texts[which].to_string();
            for _ in 0..=rng.below(2) {
                text = self.edited(&text, &mut rng);
                if text.is_empty() {
                    break;
                }
            }
            let keyframe = (self.has_keys && rng.below(4) == 0).then(|| "0".to_string());
            let options = ImportOptions { floating: rng.below(2) == 0, keyframe, ..ImportOptions::default() };
            if let Ok(imported) = import_robot(self.file, &text, Path::new(""), &options) {
                let checked = imported.into_document(self.file, Path::new("")).and_then(|document| {
                    let scene = Scene::from_document(&document)?;
                    let _ = scene.to_model(&document);
                    for format in [RobotFormat::Urdf, RobotFormat::Mjcf] {
                        let _ = scene.export(&document, format);
                    }
                    Ok(())
                });
                checked.unwrap_or_else(|e| panic!("seed {seed}, case {case}: {}\n{text}", e.render()));
                read += 1;
            }
        }
        assert!(read * 20 > cases, "only {read} of {cases} could be read: the edits are too coarse");
    }
}

/// Every row of a table of the page, up to the next heading, names a test of a file.
pub(crate) fn assert_rows_are_tests(heading: &str, file: &str, least: usize) {
    let page = include_str!("../../../docs/robots.md");
    let table = page.split(heading).nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the table");
    let rows = table.lines().filter_map(|line| line.strip_suffix("` |")?.rsplit_once("| `"));
    let names: Vec<&str> = rows.map(|(_, name)| name).filter(|name| !name.contains(' ')).collect();
    assert!(names.len() > least, "{heading} has {} rows with tests", names.len());
    for name in names {
        assert!(file.contains(&format!("fn {name}()")), "docs/robots.md names the test `{name}`");
    }
}
