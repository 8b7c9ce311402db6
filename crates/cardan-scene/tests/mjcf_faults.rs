//! MJCF files with mistakes, and hostile ones: refused with line, column and what would be right; never a
//! panic.

use cardan_scene::{ErrorKind, ImportOptions, Scene, bundled_robots, import_robot};
use cardan_testkit::Rng;
use std::path::Path;

const GOOD: &str = r#"<mujoco model="m">
  <compiler angle="radian" eulerseq="xyz"/>
  <option timestep="0.002" integrator="Euler"/>
  <default><default class="c"><joint damping="0.1"/></default></default>
  <asset><mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <body name="a" pos="0 0 1" euler="0 0 0.5" childclass="c">
      <joint name="j" axis="0 1 0" range="-1 1" stiffness="2" armature="0.01"/>
      <joint name="k" type="slide" axis="1 0 0"/>
      <geom name="g" type="box" size="0.1 0.2 0.3" density="500"/>
      <site name="s" pos="0.1 0 0"/>
      <body name="b" pos="0.5 0 0">
        <joint name="l" class="c" axis="0 1 0"/>
        <inertial pos="0 0 0" mass="2" diaginertia="0.2 0.3 0.25"/>
        <geom name="h" type="mesh" mesh="t"/>
      </body>
    </body>
    <replicate count="2" offset="1 0 0"><body name="r" pos="0 3 0"><freejoint/><geom size="0.1"/></body></replicate>
  </worldbody>
  <equality><connect body1="b" body2="r0" anchor="0 0 0"/><joint joint1="j" joint2="l" polycoef="0 1"/></equality>
  <tendon><fixed name="f"><joint joint="j" coef="1"/></fixed></tendon>
  <actuator><position joint="j" kp="5" ctrlrange="-1 1"/></actuator>
  <contact><exclude body1="a" body2="r0"/></contact>
  <keyframe><key name="home" qpos="0.1 0 0 0 3 0 1 0 0 0 1 3 0 1 0 0 0"/></keyframe>
</mujoco>
"#;

/// What is replaced by what, the line of the message, words of the message, words of the help.
const FAULTS: [(&str, &str, usize, &str, &str); 42] = [
    ("mass=\"2\"", "mass=\"-2\"", 14, "`mass` is -2", "zero or more"),
    ("mass=\"2\"", "mass=\"nan\"", 14, "NaN", "give a number"),
    ("mass=\"2\"", "mass=\"inf\"", 14, "`mass` is not finite", "finite"),
    ("mass=\"2\"", "mass=\"2 kg\"", 14, "`kg` is not a number", "0.5 or 5e-1"),
    ("mass=\"2\" ", "", 14, "<inertial> has no `mass`", "mass=\"1\""),
    ("<inertial pos=\"0 0 0\"", "<inertial", 14, "<inertial> has no `pos`", "pos=\"0 0 0\""),
    ("diaginertia=\"0.2 0.3 0.25\"", "", 14, "not positive definite", "positive"),
    ("0.2 0.3 0.25", "0.2 0.3 2.5", 14, "no body has this inertia", "balanceinertia"),
    ("0.2 0.3 0.25", "0.2 0.3", 14, "`diaginertia` has 2 numbers, not 3", "diaginertia="),
    (
        "diaginertia=\"0.2 0.3 0.25\"",
        "fullinertia=\"1 1 1 0 0 0\" quat=\"1 0 0 0\"",
        14,
        "axes of its own",
        "diaginertia",
    ),
    ("body name=\"b\"", "body name=\"a\"", 12, "two bodies are called `a`", "unique"),
    ("joint name=\"k\"", "joint name=\"j\"", 9, "two joints are called `j`", "unique"),
    ("geom name=\"h\"", "geom name=\"g\"", 15, "two geoms are called `g`", "unique"),
    ("angle=\"radian\"", "angle=\"radians\"", 2, "`angle` cannot be `radians`", "did you mean `radian`?"),
    ("eulerseq=\"xyz\"", "eulerseq=\"xyw\"", 2, "no axes of Euler angles", "x, y, z"),
    ("eulerseq=\"xyz\"", "coordinate=\"global\"", 2, "global coordinates", "local"),
    ("timestep=\"0.002\"", "timestep=\"0\"", 3, "the time step is 0 s", "positive"),
    (
        "integrator=\"Euler\"",
        "integrator=\"euler\"",
        3,
        "`integrator` cannot be `euler`",
        "did you mean `Euler`?",
    ),
    ("<default class=\"c\">", "<default>", 4, "has no class", "class="),
    ("childclass=\"c\"", "childclass=\"d\"", 7, "there is no class `d`", "<default class="),
    (
        "euler=\"0 0 0.5\"",
        "euler=\"0 0 1\" quat=\"1 0 0 0\"",
        7,
        "the orientation is given twice",
        "keep one",
    ),
    ("euler=\"0 0 0.5\"", "quat=\"0 0 0 0\"", 7, "`quat` gives no direction", "not zero"),
    ("axis=\"0 1 0\" range", "axis=\"0 0 0\" range", 8, "the axis has zero length", "0 0 1"),
    (
        "range=\"-1 1\" stiff",
        "range=\"1 -1\" limited=\"true\" stiff",
        8,
        "is not below the upper limit",
        "LOWER UPPER",
    ),
    ("range=\"-1 1\" stiff", "limited=\"true\" stiff", 8, "limited and has no range", "LOWER UPPER"),
    ("stiffness=\"2\"", "stiffness=\"-2\"", 8, "`stiffness` is -2", "zero or more"),
    ("armature=\"0.01\"", "armature=\"-1\"", 8, "`armature` is -1", "zero or more"),
    ("type=\"slide\"", "type=\"slid\"", 9, "`type` cannot be `slid`", "did you mean `slide`?"),
    ("type=\"slide\"", "type=\"free\"", 9, "a free joint is neither alone", "other joints"),
    ("size=\"0.1 0.2 0.3\"", "size=\"0.1 0.2\"", 10, "the `size` of a box has 2 numbers", "half lengths"),
    ("size=\"0.1 0.2 0.3\"", "size=\"0.1 -0.2 0.3\"", 10, "is not positive", "half lengths"),
    ("type=\"box\"", "type=\"cube\"", 10, "`type` cannot be `cube`", "one of"),
    ("mesh=\"t\"", "mesh=\"u\"", 15, "there is no mesh `u`", "<mesh name="),
    ("count=\"2\"", "count=\"0\"", 18, "`count` is 0", "count="),
    ("count=\"2\"", "count=\"1e6\"", 18, "after replication", "count"),
    ("body1=\"b\" body2=\"r0\" anchor", "body1=\"z\" anchor", 20, "there is no body `z`", ""),
    ("anchor=\"0 0 0\"", "", 20, "<connect> has no `anchor`", "anchor="),
    ("joint1=\"j\"", "joint1=\"q\"", 20, "there is no joint `q`", ""),
    ("joint=\"j\" coef", "joint=\"q\" coef", 21, "there is no joint `q`", ""),
    ("<position joint=\"j\"", "<position joint=\"s\"", 22, "there is no joint `s`", ""),
    ("kp=\"5\"", "kp=\"-5\"", 22, "`kp` is -5", "zero or more"),
    ("exclude body1=\"a\"", "exclude body1=\"aa\"", 23, "there is no body `aa`", ""),
];

#[test]
fn mistakes_are_shown_at_their_place() {
    let read = |text: &str| import_robot("m.xml", text, Path::new(""), &ImportOptions::default());
    read(GOOD).unwrap_or_else(|e| panic!("{}", e.render()));
    for (old, new, line, says, helps) in FAULTS {
        assert!(GOOD.contains(old), "{old}");
        let error =
            read(&GOOD.replacen(old, new, 1)).err().unwrap_or_else(|| panic!("{old} → {new} is read"));
        let shown = error.render().to_string();
        assert!(error.message().contains(says), "{old} → {new}: {shown}");
        assert!(error.help().unwrap_or_default().contains(helps), "{old} → {new}: {shown}");
        assert!(shown.contains(&format!("m.xml:{line}:")), "{old} → {new}, line {line}: {shown}");
    }
    let options = ImportOptions { keyframe: Some("hom".to_string()), ..ImportOptions::default() };
    let error = import_robot("m.xml", GOOD, Path::new(""), &options).expect_err("no such key");
    assert!(error.help().is_some_and(|help| help.contains("did you mean `home`?")), "{error}");
    let short = GOOD.replace("qpos=\"0.1 0", "qpos=\"0.1");
    let options = ImportOptions { keyframe: Some("home".to_string()), ..ImportOptions::default() };
    let error = import_robot("m.xml", &short, Path::new(""), &options).expect_err("a number is missing");
    assert!(error.message().contains("`qpos` has 16 numbers, not 17"), "{error}");
}

#[test]
fn bombs_are_refused() {
    let nested = |depth: usize, open: &str, close: &str, inner: &str| {
        format!(
            "<mujoco><worldbody>{}{inner}{}</worldbody></mujoco>",
            open.repeat(depth),
            close.repeat(depth)
        )
    };
    let read = |text: &str| import_robot("m.xml", text, Path::new(""), &ImportOptions::default());
    let body = "<body><joint/><geom size=\"1\"/></body>";
    let bomb = nested(12, "<replicate count=\"1000\">", "</replicate>", body);
    assert_eq!(read(&bomb).expect_err("a bomb").kind(), ErrorKind::TooLarge);
    // A chain of bodies nests as deep as it is long; deeper is refused.
    let chain = nested(900, "<body><joint axis=\"0 1 0\"/><geom size=\"0.1\" pos=\"1 0 0\"/>", "</body>", "");
    assert_eq!(read(&chain).unwrap_or_else(|e| panic!("{}", e.render())).scene.bodies.len(), 900);
    assert_eq!(
        read(&nested(1100, "<body>", "</body>", "")).expect_err("too deep").kind(),
        ErrorKind::TooDeep
    );
    let classes = format!(
        "<mujoco>{}{}</mujoco>",
        (0..600).map(|i| format!("<default class=\"c{i}\">")).collect::<String>(),
        "</default>".repeat(600)
    );
    assert_eq!(read(&classes).expect_err("too deep").kind(), ErrorKind::TooDeep);
}

/// One edit of a text: a byte, a piece left out, doubled or moved, a number or a name replaced.
fn edited(text: &str, rng: &mut Rng) -> String {
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
            // Structure-aware: a value between quotes becomes one of another attribute, or an odd one.
            let odd = [
                "",
                "0",
                "-1",
                "nan",
                "inf",
                "1e308",
                "1e-320",
                "0 0 0",
                "a",
                "b",
                "j",
                "free",
                "ball",
                "false",
                "1e9 -1e9 3",
                "world",
                "r0",
                "XyZ",
                "plane",
                "1 0 0 0",
            ];
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let mut parts: Vec<&str> = text.split('"').collect();
            let values = parts.len() / 2;
            if values > 0 {
                let chosen = 2 * rng.below(values) + 1;
                parts[chosen] = if rng.below(2) == 0 {
                    odd[rng.below(odd.len())]
                } else {
                    parts[2 * rng.below(values) + 1]
                };
                return parts.join("\"");
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn survives(seed: u64, cases: usize) {
    let mut rng = Rng::new(seed);
    let delta = bundled_robots().iter().find(|robot| robot.name == "delta").expect("a robot").text;
    let mut read = 0;
    for case in 0..cases {
        let mut text = if rng.below(4) == 0 { delta.to_string() } else { GOOD.to_string() };
        for _ in 0..=rng.below(2) {
            text = edited(&text, &mut rng);
            if text.is_empty() {
                break;
            }
        }
        let key = (rng.below(4) == 0).then(|| "0".to_string());
        let floating = rng.below(2) == 0;
        let options = ImportOptions { floating, keyframe: key, ..ImportOptions::default() };
        // Whatever is read can be a scene, or is refused with a message.
        if let Ok(imported) = import_robot("m.xml", &text, Path::new(""), &options) {
            let document = imported.into_document("m.xml", Path::new(""));
            let document =
                document.unwrap_or_else(|e| panic!("seed {seed}, case {case}: {}\n{text}", e.render()));
            let scene = Scene::from_document(&document);
            let scene = scene.unwrap_or_else(|e| panic!("seed {seed}, case {case}: {}\n{text}", e.render()));
            let _ = scene.to_model(&document);
            read += 1;
        }
    }
    assert!(read * 20 > cases, "only {read} of {cases} could be read: the edits are too coarse");
}

#[test]
fn no_edit_of_a_model_breaks_the_reader() {
    survives(1, 400);
}

#[test]
#[ignore = "soak: cargo test --release -p cardan-scene -- --ignored"]
fn no_edit_of_a_model_breaks_the_reader_at_length() {
    for seed in 2..102 {
        survives(seed, 1000);
    }
}
