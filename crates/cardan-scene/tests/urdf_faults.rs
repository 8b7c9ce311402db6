//! URDF files with mistakes, and hostile ones: refused with line, column and what would be right; never a panic.

use crate::robots::{Edits, Fault, assert_faults, bundled_text};
use cardan_scene::{ImportOptions, Scene, import_robot};
use std::path::Path;

const GOOD: &str = r#"<robot name="r">
  <link name="base"/>
  <link name="arm">
    <inertial>
      <mass value="2"/>
      <inertia ixx="0.2" iyy="0.3" izz="0.15" ixy="0.01" ixz="-0.02" iyz="0.03"/>
    </inertial>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <joint name="j" type="revolute">
    <parent link="base"/>
    <child link="arm"/>
    <origin xyz="0 0 1" rpy="0 0 0"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
</robot>
"#;

const FAULTS: [Fault; 37] = [
    ("value=\"2\"", "value=\"-2\"", 5, "the mass is -2 kg", "a mass is positive"),
    ("value=\"2\"", "value=\"nan\"", 5, "NaN", "give a number"),
    ("value=\"2\"", "value=\"inf\"", 5, "`value` is not finite", "finite"),
    ("value=\"2\"", "value=\"2 kg\"", 5, "`kg` is not a number", "0.5 or 5e-1"),
    ("value=\"2\"", "", 5, "<mass> has no attribute `value`", "<mass value="),
    ("<mass value=\"2\"/>", "", 4, "<inertial> has no <mass>", "<mass value="),
    ("<inertia ixx", "<moments ixx", 4, "<inertial> has no <inertia>", "<inertia ixx"),
    ("ixy=\"0.01\" ", "", 6, "<inertia> has no attribute `ixy`", "ixy="),
    ("izz=\"0.15\"", "izz=\"1.5\"", 6, "no body has this inertia", "--allow-unphysical-inertia"),
    ("izz=\"0.15\"", "izz=\"-1.5\"", 6, "negative principal moment", "signs"),
    (
        "ixx=\"0.2\" iyy=\"0.3\" izz=\"0.15\" ixy=\"0.01\" ixz=\"-0.02\" iyz=\"0.03\"",
        "ixx=\"0\" iyy=\"0\" izz=\"0\" ixy=\"0\" ixz=\"0\" iyz=\"0\"",
        6,
        "not positive definite",
        "positive",
    ),
    ("<link name=\"base\"/>", "<link name=\"arm\"/>", 3, "two links are called `arm`", "unique"),
    ("<link name=\"base\"/>", "<link/>", 2, "<link> has no attribute `name`", "name="),
    ("<link name=\"base\"/>", "<link name=\" \"/>", 2, "the name is empty", "not empty"),
    ("parent link=\"base\"", "parent link=\"bas\"", 11, "there is no link `bas`", "did you mean `base`?"),
    ("<child link=\"arm\"/>", "", 10, "joint `j` has no <child>", "<child link="),
    ("parent link=\"base\"", "parent link=\"arm\"", 10, "holds `arm` to itself", "two links"),
    ("type=\"revolute\"", "type=\"revolut\"", 10, "no joint type `revolut`", "did you mean `revolute`?"),
    ("type=\"revolute\"", "", 10, "<joint> has no attribute `type`", "type="),
    ("0 0 1\" rpy", "0 1\" rpy", 13, "`xyz` has 2 numbers, not 3", "xyz="),
    ("axis xyz=\"0 1 0\"", "axis xyz=\"0 0 0\"", 14, "the axis has zero length", "0 0 1"),
    ("lower=\"-1\" upper=\"1\"", "lower=\"1\" upper=\"-1\"", 15, "above the upper limit", "continuous"),
    ("upper=\"1\"", "upper=\"-inf\"", 15, "no position is within", "continuous"),
    ("lower=\"-1\" upper=\"1\"", "lower=\"inf\" upper=\"inf\"", 15, "`lower` is inf", "-inf to inf"),
    (
        "</robot>",
        "<link name=\"s\"/><joint name=\"s\" type=\"fixed\"><parent link=\"arm\"/><child link=\"s\"/><origin xyz=\"1.7e308 0 0\"/></joint>\
         <link name=\"t\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>\
         </inertial></link><joint name=\"t\" type=\"continuous\"><parent link=\"s\"/><child link=\"t\"/><origin xyz=\"1.7e308 0 0\"/></joint></robot>",
        18,
        "the position of link `t` is not finite",
        "of a size",
    ),
    ("effort=\"5\"", "effort=\"-5\"", 15, "`effort` is -5", "magnitude"),
    ("damping=\"0.1\"", "damping=\"-0.1\"", 16, "`damping` is -0.1", "zero or more"),
    ("<box size=\"1 1 1\"/>", "<box size=\"1 -1 1\"/>", 8, "`size` is -1", "positive size"),
    ("<box size=\"1 1 1\"/>", "<mesh filename=\"a.stl\" scale=\"1 0 1\"/>", 8, "a scale is zero", "mirrors"),
    ("<box size=\"1 1 1\"/>", "<mesh filename=\"/etc/a.stl\"/>", 8, "outside the folder", "--allow-outside"),
    (
        "<link name=\"base\"/>",
        "<link name=\"base\"/><link name=\"other\"/>",
        2,
        "both `base` and `other`",
        "one root",
    ),
    (
        "</robot>",
        "<joint name=\"k\" type=\"fixed\"><parent link=\"arm\"/><child link=\"base\"/></joint></robot>",
        2,
        "cycle without a root",
        "two parents",
    ),
    ("<axis", "<mimic joint=\"x\"/><axis", 14, "mimics `x`, which does not exist", "name a revolute"),
    ("<axis", "<mimic joint=\"j\"/><axis", 14, "`j` mimics itself", "must be free"),
    (
        "</joint>",
        "</joint><joint name=\"j\" type=\"fixed\"><parent link=\"base\"/><child link=\"arm\"/></joint>",
        17,
        "two joints are called `j`",
        "unique",
    ),
    ("</robot>", "", 1, "never closed", "closed"),
    (
        "<robot name=\"r\">",
        "<!DOCTYPE robot [<!ENTITY a \"b\">]><robot name=\"r\">",
        1,
        "this is no XML",
        "DOCTYPE",
    ),
];

#[test]
fn mistakes_are_shown_at_their_place() {
    assert_faults("r.urdf", GOOD, &FAULTS);
}

#[test]
fn other_files_are_refused_with_what_to_do() {
    let refused = |name: &str, text: &str| {
        let error = import_robot(name, text, Path::new(""), &ImportOptions::default()).expect_err(name);
        format!("{} {}", error.message(), error.help().unwrap_or_default())
    };
    let xacro = r#"<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:property name="a" value="1"/></robot>"#;
    assert!(refused("r.urdf", xacro).contains("run `xacro FILE.xacro > FILE.urdf`"));
    assert!(refused("r.xml", "<svg/>").contains("<svg> is no robot"));
    assert!(refused("r.urdf", "<robot name='r'/>").contains("the robot has no link"));
    assert!(refused("r.urdf", "<robot><link name='a'/></robot>").contains("nothing of the robot can move"));
    let deep = format!("<robot>{}", "<a>".repeat(100_000));
    assert!(refused("r.urdf", &deep).contains("no XML"));
    let deep = format!("<robot>{}{}</robot>", "<a>".repeat(5000), "</a>".repeat(5000));
    assert!(refused("r.urdf", &deep).contains("more than 1000 deep"));
    let many = format!("<robot>{}</robot>", "<a/>".repeat(2_200_000));
    assert!(refused("r.urdf", &many).contains("no XML"));
}

#[test]
fn a_link_without_mass_that_moves_is_refused_by_name() {
    let massless = GOOD.replace(
        "</robot>",
        "<link name=\"cross\"/><link name=\"hand\"><inertial><mass value=\"1\"/>\
        <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\
        <joint name=\"k\" type=\"continuous\"><parent link=\"arm\"/><child link=\"cross\"/></joint>\
        <joint name=\"l\" type=\"continuous\"><parent link=\"cross\"/><child link=\"hand\"/></joint></robot>",
    );
    let error =
        import_robot("r.urdf", &massless, Path::new(""), &ImportOptions::default()).expect_err("no mass");
    assert!(error.message().contains("link `cross` moves and has no mass"), "{error}");
    let options = ImportOptions { floating: true, ..ImportOptions::default() };
    let error = import_robot("r.urdf", GOOD, Path::new(""), &options).expect_err("no mass");
    assert!(error.message().contains("the floating root `base` has no mass"), "{error}");
}

#[test]
fn fixed_joints_that_contradict_each_other_are_refused() {
    let urdf = GOOD.replace("</robot>", "<link name=\"tip\"/>\
        <joint name=\"k\" type=\"fixed\"><parent link=\"arm\"/><child link=\"tip\"/></joint>\
        <joint name=\"l\" type=\"fixed\"><parent link=\"arm\"/><child link=\"tip\"/><origin xyz=\"0 0 0.1\"/></joint></robot>");
    let error =
        import_robot("r.urdf", &urdf, Path::new(""), &ImportOptions::default()).expect_err("two places");
    assert!(error.message().contains("`tip` in two places"), "{error}");
    // The same place twice is no mistake.
    let same = urdf.replace("<origin xyz=\"0 0 0.1\"/>", "");
    assert!(import_robot("r.urdf", &same, Path::new(""), &ImportOptions::default()).is_ok());
}

/// Names that the import makes give way to those of the file.
#[test]
fn generated_names_do_not_collide() {
    let urdf = GOOD.replace("\"base\"", "\"root\"").replace("\"arm\"", "\"ground\"").replace("</robot>",
        "<link name=\"ground link\"><inertial><mass value=\"1\"/>\
        <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\
        <link name=\"k\"><inertial><mass value=\"1\"/>\
        <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\
        <joint name=\"k\" type=\"continuous\"><parent link=\"ground\"/><child link=\"k\"/><mimic joint=\"j\"/></joint>\
        <joint name=\"k mimics\" type=\"continuous\"><parent link=\"k\"/><child link=\"ground link\"/></joint></robot>");
    let imported = import_robot("r.urdf", &urdf, Path::new(""), &ImportOptions::default()).expect("a robot");
    let document = imported.into_document("r.urdf", Path::new("")).expect("a document");
    let scene = Scene::from_document(&document).expect("a scene");
    assert!(scene.bodies.get("ground link 2").is_some() && scene.joints.get("k mimics 2").is_some());
    scene.to_model(&document).expect("a model");
}

/// The report says what was done: the first of two elements counts, and zero limits are what they are.
#[test]
fn the_report_tells_the_truth() {
    let note = |old: &str, new: &str| {
        let urdf = GOOD.replacen(old, new, 1);
        let imported = import_robot("r.urdf", &urdf, Path::new(""), &ImportOptions::default()).expect(new);
        (imported.report.to_text(), imported.scene)
    };
    let (text, scene) = note("effort=\"5\"", "effort=\"0\"");
    assert!(text.contains("limit of the effort of 0: no motor"), "{text}");
    assert!(!text.contains("velocity without") && scene.joints.get("j").expect("a joint").motor.is_none());
    let (text, scene) = note("velocity=\"2\"", "velocity=\"0\"");
    assert!(text.contains("velocity limit of 0"), "{text}");
    assert!(scene.joints.get("j").expect("a joint").motor.is_some());
    let second = "<inertial><mass value=\"9\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
    let (text, scene) = note("</inertial>", &format!("</inertial>{second}"));
    assert!(text.contains("second <inertial> of a link"), "{text}");
    assert_eq!(scene.bodies.get("arm").expect("a body").mass.map(|m| m.0), Some(2.0));
    let (text, _) = note("</joint>", "<limit lower=\"0\" upper=\"0\"/></joint>");
    assert!(text.contains("second <limit> of a joint"), "{text}");
}

fn edits() -> Edits {
    let odd = &[
        "", "0", "-1", "nan", "inf", "1e308", "1e-320", "0 0 0", "base", "arm", "j", "fixed", "floating",
        "planar",
    ];
    Edits {
        file: "r.urdf",
        texts: vec![GOOD, bundled_text("desk-arm")],
        odd,
        between_tags: false,
        has_keys: false,
    }
}

#[test]
fn no_edit_of_a_robot_file_breaks_the_reader() {
    edits().survive(1, 400);
}

#[test]
#[ignore = "soak: cargo test --release -p cardan-scene -- --ignored"]
fn no_edit_of_a_robot_file_breaks_the_reader_at_length() {
    edits().soak();
}
