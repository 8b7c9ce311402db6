//! MJCF files with mistakes, and hostile ones: refused with line, column and what would be right; never a
//! panic.

use crate::robots::{Edits, Fault, assert_faults, bundled_text};
use cardan_scene::{ErrorKind, ImportOptions, import_robot};
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

const FAULTS: [Fault; 42] = [
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
    assert_faults("m.xml", GOOD, &FAULTS);
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

fn edits() -> Edits {
    let odd = &[
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
    Edits {
        file: "m.xml",
        texts: vec![GOOD, bundled_text("delta")],
        odd,
        between_tags: false,
        has_keys: true,
    }
}

#[test]
fn no_edit_of_a_model_breaks_the_reader() {
    edits().survive(1, 400);
}

#[test]
#[ignore = "soak: cargo test --release -p cardan-scene -- --ignored"]
fn no_edit_of_a_model_breaks_the_reader_at_length() {
    edits().soak();
}
