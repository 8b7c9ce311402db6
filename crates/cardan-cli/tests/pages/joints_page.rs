//! The tables of docs/joints.md that can be told from the code and the scenes, written by this test between their marks and compared with
//! what stands there. After a change:
//!
//! ```text
//! CARDAN_BLESS=1 cargo test -p cardan-cli --test suite joints_page
//! ```

use crate::support::icon::icon;
use crate::support::scene::to_value;
use crate::support::{cardan, command, steady_scenes};
use ::cardan::{JointKind, Locks};
use cardan_scene::{Document, KindInfo, Scene, joint_kinds};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// One line of the table.
struct Row {
    kind: JointKind,
    name: &'static str,
    /// Other names in scene files.
    also: Vec<&'static str>,
    /// The file with its equations.
    file: String,
    equation: String,
}

fn rows() -> Vec<Row> {
    let pairs = || joint_kinds().filter_map(|kind| Some((kind.pair?, kind)));
    let first = pairs().filter(|(pair, kind)| pair.name() == kind.name);
    // Pairs of their own file come before those that are locks.
    let is_lock = |pair: &JointKind| matches!(pair, JointKind::Lock { .. });
    let (own, locks): (Vec<_>, Vec<_>) = first.partition(|(pair, _)| !is_lock(pair));
    let row = |(kind, info): (JointKind, KindInfo)| {
        let also = pairs().filter(|(pair, other)| *pair == kind && other.name != kind.name());
        let equation = match kind {
            JointKind::Lock { locks } => lock_equation(locks),
            _ => equation_of(&info.equations),
        };
        Row {
            kind,
            name: info.name,
            also: also.map(|(_, info)| info.name).collect(),
            file: info.equations,
            equation,
        }
    };
    own.into_iter().chain(locks).map(row).collect()
}

/// The first `C = …` at the head of a file, up to a wide gap.
fn equation_of(file: &str) -> String {
    let text = std::fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let line = text.lines().find_map(|line| line.strip_prefix("//!   C = "));
    let line = line.unwrap_or_else(|| panic!("{file}: no equation at its head"));
    line.split("   ").next().unwrap_or(line).trim().replace('|', "\\|")
}

fn lock_equation(locks: Locks) -> String {
    let shifts = (0..3).filter(|&i| locks.shift(i)).map(|i| ["d_x", "d_y", "d_z"][i].to_string());
    let turns = match locks.turns() {
        1 => Some("−z_a·x_b".to_string()),
        2 => Some("−z_y, z_x".to_string()),
        3 => Some("2 q_v".to_string()),
        _ => None,
    };
    let all: Vec<String> = shifts.chain(turns).collect();
    if all.len() == 1 { all[0].clone() } else { format!("({})", all.join(", ")) }
}

fn words(kind: JointKind, in_plane: bool) -> String {
    let list: Vec<String> = (0..kind.coordinates())
        .filter(|&k| kind.can_be_driven(k, in_plane))
        .map(|k| format!("{k}: {}", if kind.is_angle(k) { "angle" } else { "shift" }))
        .collect();
    if list.is_empty() { "–".into() } else { list.join(", ") }
}

fn overview() -> String {
    let mut scenes = steady_scenes();
    // Bodies that deform would take the eye off the joint.
    scenes.retain(|(_, text)| !crate::support::is_general(text));
    let shown = |names: &[&str]| {
        let has = |text: &str| {
            let file = to_value(text);
            let joints = file["joints"].as_object().into_iter().flat_map(|table| table.values());
            joints.filter_map(|joint| joint["kind"].as_str()).any(|kind| names.contains(&kind))
        };
        // The smallest scene that has one.
        let smallest = scenes.iter().filter(|(_, text)| has(text)).min_by_key(|(_, text)| text.len());
        smallest.map(|(name, _)| name.clone())
    };
    let mut out = String::from(
        "| | kind | condition C | rows m | freedoms | rows in the plane | can be driven | scene | equations |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows() {
        let kind = row.kind;
        let names: Vec<&str> = [row.name].into_iter().chain(row.also.iter().copied()).collect();
        let scene = shown(&names).unwrap_or_else(|| panic!("no bundled scene shows `{}`", row.name));
        let title = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let planar = match (kind, kind.planar_rows()) {
            (JointKind::Lock { .. }, _) => "what lies in it".into(),
            (_, 0) => "does not fit".into(),
            (_, m) => m.to_string(),
        };
        let file = row.file.rsplit('/').next().unwrap_or_default();
        let _ = writeln!(
            out,
            "| ![{}]({}) | {title} | {} | {} | {} | {planar} | {} | `{scene}` | [{file}](../{}) |",
            row.name,
            picture(row.name),
            row.equation,
            kind.rows(),
            6 - kind.rows(),
            words(kind, false),
            row.file,
        );
    }
    let scene = shown(&["lock"]).expect("a scene with a lock");
    let _ = writeln!(
        out,
        "| | `lock` | what `locks` names | 1 to 6 | 6 − m | what lies in it | every coordinate | `{scene}` | [lock.rs](../crates/cardan/src/joint/lock.rs) |"
    );
    out
}

fn family() -> String {
    let mut out =
        String::from("| locked | no turn | turn y | turns x, y | turns x, y, z |\n|---|---|---|---|---|\n");
    for (shifts, names) in Locks::NAMES.iter().enumerate() {
        let title = ["no shift", "shift z", "shifts x, y", "shifts x, y, z"][shifts];
        let _ = write!(out, "| {title} |");
        for (turns, name) in names.iter().enumerate() {
            let locks = Locks::of_counts(shifts, turns);
            if locks.is_empty() {
                let _ = write!(out, " {name}: no joint, 6 free |");
                continue;
            }
            assert_eq!(locks.kind().name(), *name);
            let _ = write!(out, " `{name}` ({} free) |", 6 - locks.kind().rows());
        }
        out.push('\n');
    }
    out
}

/// Where the picture of a kind is, from the page.
fn picture(name: &str) -> String {
    format!("pictures/joints/{name}.svg")
}

/// What a pair leaves free along and about the axes of a's frame. Two points and a bead move on curved ways, which the nearest axes stand for.
fn free(kind: JointKind) -> ([bool; 3], [bool; 3]) {
    let locks = kind.about().locks;
    ([0, 1, 2].map(|i| !locks.shift(i)), [0, 1, 2].map(|i| !locks.turn(i)))
}

/// The smallest scene of a kind, kept beside its picture; for kinds that bundled scenes show only among others.
fn portrait(kind: &str) -> Option<PathBuf> {
    let file = root().join(format!("docs/pictures/joints/{kind}.toml"));
    file.exists().then_some(file)
}

/// The pictures of the page: of pairs by what they leave free, of the others by a scene of their own or a bundled one that has one.
fn draw_pictures() {
    let folder = root().join("docs/pictures/joints");
    std::fs::create_dir_all(&folder).expect("the folder of the pictures");
    for row in rows() {
        let (shifts, turns) = free(row.kind);
        std::fs::write(folder.join(format!("{}.svg", row.name)), icon(shifts, turns)).expect("a picture");
    }
    for (kind, _) in constraint_kinds() {
        let scene = portrait(kind).map_or_else(|| shown_by(kind).0, |path| path.display().to_string());
        let file = folder.join(format!("{kind}.svg"));
        let out = command(&["draw", &scene, "-o", file.to_str().expect("a path")], b"");
        assert_eq!(out.code, 0, "{scene}: {}", out.stderr);
    }
}

/// Kinds that are conditions of another sort, as scene files name them, and the file with the equations of each.
fn constraint_kinds() -> Vec<(&'static str, String)> {
    let kinds = joint_kinds().filter(|kind| kind.pair.is_none() && kind.name != "lock");
    kinds.map(|kind| (kind.name, kind.equations)).collect()
}

/// The smallest scene that has a constraint of a kind, and all the counts of rows on poses and on velocities only that any has.
fn shown_by(kind: &str) -> (String, BTreeSet<usize>, BTreeSet<usize>) {
    let mut scenes = steady_scenes();
    scenes.sort_by_key(|(_, text)| text.len());
    let mut first = None;
    let (mut poses, mut velocities) = (BTreeSet::new(), BTreeSet::new());
    for (name, text) in &scenes {
        for (_, rows, on_poses) in held(name, text).into_iter().filter(|(k, ..)| *k == kind) {
            first.get_or_insert(name.clone());
            poses.insert(on_poses);
            velocities.insert(rows - on_poses);
        }
    }
    (first.unwrap_or_else(|| panic!("no bundled scene shows `{kind}`")), poses, velocities)
}

/// The first equation at the head of a file, up to a wide gap.
fn first_equation(file: &str) -> String {
    let text = std::fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let line = text.lines().find_map(|line| line.strip_prefix("//!   "));
    let line = line.unwrap_or_else(|| panic!("{file}: no equation at its head"));
    line.split("   ").next().unwrap_or(line).trim().replace('|', "\\|")
}

/// How a scene holds its constraints: kind, rows, and how many of them are conditions on poses.
fn held(name: &str, text: &str) -> Vec<(&'static str, usize, usize)> {
    let document = Document::parse(name, text).expect("a bundled scene");
    let scene = Scene::from_document(&document).expect("a bundled scene");
    let model = scene.to_model(&document).expect("a bundled scene");
    let on_poses =
        |c: &::cardan::model::ModelConstraint| (0..c.rows()).filter(|&r| c.has_position(r)).count();
    model.constraints().iter().map(|c| (c.kind(), c.rows(), on_poses(c))).collect()
}

fn constraints() -> String {
    let fields: BTreeMap<&str, &[&str]> = cardan_scene::joint_fields().collect();
    let mut out = String::from(
        "| | kind | condition | rows on poses | rows on velocities only | fields | scene | equations |\n|---|---|---|---|---|---|---|---|\n",
    );
    for (kind, file) in constraint_kinds() {
        let link = format!("[{}](../{file})", file.rsplit('/').next().unwrap_or_default());
        let equation = first_equation(&file);
        let (scene, poses, velocities) = shown_by(kind);
        let list =
            |counts: &BTreeSet<usize>| counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
        let fields = fields[kind].iter().map(|f| format!("`{f}`")).collect::<Vec<_>>().join(" ");
        let (poses, velocities, picture) = (list(&poses), list(&velocities), picture(kind));
        let _ = writeln!(
            out,
            "| <img src=\"{picture}\" width=\"160\" alt=\"{kind}\"> | `{kind}` | {equation} | {poses} | {velocities} | {fields} | `{scene}` | {link} |"
        );
    }
    out
}

/// Fields of what acts along the coordinates of a joint.
const ACTIONS: [&str; 7] = ["limits", "restitution", "drive", "servo", "motor", "spring", "friction"];

/// Every kind with what it is and the fields that it takes.
fn fields_of_kinds() -> String {
    let mut out = String::from("| kind | what it leaves free or holds | fields |\n|---|---|---|\n");
    for kind in joint_kinds() {
        // Where no coordinate is a freedom of its own, nothing acts along one.
        let acts = kind.pair.is_none_or(|pair| pair.acting() > 0);
        let taken = |f: &&&str| acts || !ACTIONS.contains(f);
        let fields = kind.fields.iter().filter(taken).map(|f| format!("`{f}`")).collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "| `{}` | {} | {fields} |", kind.name, kind.summary);
    }
    out
}

/// The page with its tables written anew.
fn renewed(page: &str) -> String {
    let mut page = page.to_string();
    let tables = [
        ("overview", overview()),
        ("constraints", constraints()),
        ("fields", fields_of_kinds()),
        ("locks", family()),
    ];
    for (mark, table) in tables {
        let (start, end) = (format!("<!-- {mark}: generated -->\n"), format!("<!-- {mark}: end -->\n"));
        let from =
            page.find(&start).unwrap_or_else(|| panic!("docs/joints.md has no mark `{mark}`")) + start.len();
        let to = page.find(&end).unwrap_or_else(|| panic!("docs/joints.md has no end of `{mark}`"));
        page.replace_range(from..to, &format!("\n{table}\n"));
    }
    page
}

#[test]
fn the_joint_page_is_up_to_date() {
    let path = root().join("docs/joints.md");
    let page = std::fs::read_to_string(&path).expect("docs/joints.md");
    let wanted = renewed(&page);
    if std::env::var_os("CARDAN_BLESS").is_some() {
        std::fs::write(&path, wanted).expect("docs/joints.md can be written");
        draw_pictures();
        return;
    }
    for row in rows() {
        let (shifts, turns) = free(row.kind);
        let drawn = std::fs::read_to_string(root().join("docs").join(picture(row.name)));
        assert_eq!(drawn.ok(), Some(icon(shifts, turns)), "the picture of `{}` is out of date", row.name);
    }
    for (kind, _) in constraint_kinds() {
        assert!(root().join("docs").join(picture(kind)).exists(), "`{kind}` has no picture");
        let Some(scene) = portrait(kind) else { continue };
        let text = std::fs::read_to_string(&scene).expect("a scene");
        assert!(
            held(kind, &text).iter().any(|(k, ..)| *k == kind),
            "{} does not show `{kind}`",
            scene.display()
        );
        let run = cardan(&["run", "-", "--until", "0.1", "--json"], &text);
        assert_eq!(run["warnings"], serde_json::json!([]), "{}", scene.display());
    }
    for (found, wanted) in page.lines().zip(wanted.lines()) {
        assert_eq!(
            found, wanted,
            "docs/joints.md is out of date: CARDAN_BLESS=1 cargo test -p cardan-cli --test suite joints_page"
        );
    }
    assert_eq!(page, wanted, "docs/joints.md is out of date");
}

/// Every name of the schema is on the page, and no other kind is in the table.
#[test]
fn every_kind_of_the_schema_is_on_the_page() {
    let schema = cardan(&["schema"], "").to_string();
    let page = std::fs::read_to_string(root().join("docs/joints.md")).expect("docs/joints.md");
    for name in rows()
        .iter()
        .flat_map(|row| [row.name].into_iter().chain(row.also.iter().copied()))
        .chain(["lock"])
        .chain(cardan_scene::joint_fields().map(|(name, _)| name))
    {
        assert!(schema.contains(&format!("\"{name}\"")), "`{name}` is not in the schema");
        assert!(page.contains(&format!("`{name}`")), "`{name}` is not on the page");
    }
}

/// The lines of a source file that are code, without its tests.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
            all.push(path);
        }
    }
}

/// What CONTRIBUTING.md says of a new kind of joint: one file, one line in each list that has it. Nothing else in the engine, the format
/// or the command may know a kind by name; what makes mechanisms out of hinges (`generate`, `bench`) and the words that users may mean
/// (`deserialize.rs`) are no part of how a kind works.
#[test]
fn no_source_knows_a_kind_but_its_own_file_and_the_lists() {
    let mut files = Vec::new();
    for name in ["cardan", "cardan-scene", "cardan-cli"] {
        sources(&root().join("crates").join(name).join("src"), &mut files);
    }
    // MuJoCo's format has words of its own.
    let outside = ["src/generate/", "src/bench/", "src/deserialize.rs", "src/import/mjcf/"];
    let lists = ["cardan/src/joint/mod.rs", "cardan-scene/src/kind/mod.rs"];
    let mut found = Vec::new();
    for path in files {
        let place = path.display().to_string().replace('\\', "/");
        if outside.iter().any(|part| place.contains(part)) || lists.iter().any(|list| place.ends_with(list)) {
            continue;
        }
        let text = code(&path);
        let own = |name: &str| place.ends_with(&format!("/{}.rs", name.replace('-', "_")));
        // Pairs as the engine lists them, kinds as the format does; a lock is the engine's word for any pair of its sort.
        let engine = JointKind::ALL.into_iter().map(|kind| (format!("{kind:?}"), kind.name()));
        let format = cardan_scene::JointKindDesc::ALL.into_iter().zip(joint_kinds());
        let format =
            format.map(|(kind, info)| (format!("{kind:?}"), info.name)).filter(|(_, name)| *name != "lock");
        for (variant, name) in engine.chain(format) {
            let variant = variant.split(' ').next().unwrap_or_default();
            // A screw is cut into a cylindrical joint.
            if own(name) || (own("screw") && name == "cylindrical") {
                continue;
            }
            let path = format!("JointKind::{variant}");
            if text.split(&path).skip(1).any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric())) {
                found.push(format!("{place} names {variant}"));
            }
            // Words of the format; those that mean other things too tell nothing. A screw is two parts that reports show as one.
            let is_word =
                name.contains('-') || ["gear", "worm", "belt", "rope", "cam", "rolling"].contains(&name);
            let in_format = place.contains("cardan-scene/src") || place.contains("cardan-cli/src");
            if in_format && is_word && text.contains(&format!("\"{name}\"")) {
                found.push(format!("{place} names \"{name}\""));
            }
        }
    }
    found.sort();
    found.dedup();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
