//! MJCF models put together from others, names that are made, and elements that a scene has in part.

use crate::robots::{folder, model};
use cardan::{Settings, Simulation, SolverChoice};
use cardan_scene::{Document, ErrorKind, ImportOptions, Imported, Treatment, import_robot};
use cardan_testkit::{Tolerance, assert_close};
use std::path::Path;

fn import(text: &str) -> Imported {
    import_robot("m.xml", text, Path::new(""), &ImportOptions::default())
        .unwrap_or_else(|e| panic!("{}\n{text}", e.render()))
}

/// The lines of the notes of a treatment that contain some words.
fn lines(imported: &Imported, treatment: Treatment, words: &str) -> Vec<usize> {
    let notes = imported.report.of(treatment).filter(|note| note.what.contains(words));
    notes.flat_map(|note| note.lines.clone()).collect()
}

/// A finger in its own file: angles in radians, a class, a motor, a tendon, and something that is not attached.
const FINGER: &str = r#"<mujoco model="finger"><compiler angle="radian"/>
  <default><default class="main2"><joint damping="0.1" range="-1 1"/></default></default>
  <worldbody>
    <body name="other" pos="9 0 0"><joint name="far"/><geom size="0.1"/></body>
    <body name="finger" euler="0 0 0.5" childclass="main2">
      <joint name="bend" axis="0 1 0"/><geom name="skin" type="capsule" size="0.01" fromto="0 0 0 0.1 0 0"/><site name="tip" pos="0.1 0 0"/>
    </body>
  </worldbody>
  <tendon><fixed name="pull"><joint joint="bend" coef="2"/></fixed></tendon>
  <actuator><motor joint="bend" ctrlrange="-1 1"/><motor joint="far"/><position tendon="pull" kp="3"/></actuator>
</mujoco>"#;

const HAND: &str = r#"<mujoco><asset><model name="f" file="finger.xml"/></asset>
  <worldbody><body name="palm"><joint name="wrist" axis="0 0 1" range="-90 90"/><geom size="0.05"/>
    <frame pos="0 0.1 0"><attach model="f" body="finger" prefix="left/"/></frame>
    <frame pos="0 -0.1 0"><attach model="f" body="finger" prefix="right/"/></frame>
  </body></worldbody>
  <equality><joint joint1="left/bend" joint2="right/bend"/></equality>
</mujoco>"#;

#[test]
fn a_body_of_another_model_is_attached_with_a_prefix() {
    let here = folder("attach");
    std::fs::write(here.join("finger.xml"), FINGER).expect("a file");
    let read = |text: &str| import_robot("hand.xml", text, &here, &ImportOptions::default());
    let hand = read(HAND).unwrap_or_else(|e| panic!("{}", e.render()));
    // The same hand in one file; angles of the fingers in degrees.
    let finger = |side: &str, y: &str| {
        format!(
            r#"<body name="{side}/finger" pos="0 {y} 0" euler="0 0 28.64788975654116"><joint name="{side}/bend" axis="0 1 0" damping="0.1"
               range="-57.29577951308232 57.29577951308232"/><geom type="capsule" size="0.01" fromto="0 0 0 0.1 0 0"/></body>"#
        )
    };
    let whole = format!(
        r#"<mujoco><worldbody><body name="palm"><joint name="wrist" axis="0 0 1" range="-90 90"/><geom size="0.05"/>{}{}</body></worldbody>
        <equality><joint joint1="left/bend" joint2="right/bend"/></equality></mujoco>"#,
        finger("left", "0.1"),
        finger("right", "-0.1")
    );
    let names = |imported: &Imported| -> Vec<String> {
        imported.scene.joints.iter().map(|(name, _)| name.to_string()).collect()
    };
    assert_eq!(names(&hand), ["wrist", "left/bend", "right/bend", "joint0"]);
    let bend = hand.scene.joints.get("left/bend").expect("a joint");
    assert!(bend.motor.is_some() && bend.servo.is_some(), "the actuators of the finger came along");
    // One actuator of each finger belongs to what is not attached.
    assert_eq!(lines(&hand, Treatment::Ignored, "are not attached").len(), 2);
    assert!(hand.scene.probes.get("right/tip").is_some());
    let accelerations = |imported: Imported| {
        let mut sim = Simulation::new(model(imported));
        sim.joint_accelerations().expect("accelerations").to_vec()
    };
    let whole = read(&whole).unwrap_or_else(|e| panic!("{}", e.render()));
    for (x, y) in accelerations(hand).into_iter().zip(accelerations(whole)) {
        assert_close(x, y, Tolerance::rounding(200, 100.0));
    }
    // Mistakes at their place.
    for (old, new, says, helps) in [
        (
            "body=\"finger\" prefix=\"left/\"",
            "body=\"fingr\" prefix=\"left/\"",
            "has no body `fingr`",
            "did you mean `finger`?",
        ),
        ("attach model=\"f\" body", "attach model=\"g\" body", "there is no model `g`", "<model name="),
        ("prefix=\"right/\"", "prefix=\"left/\"", "two bodies are called `left/finger`", "unique"),
        ("finger.xml", "fingers.xml", "cannot be attached: there is no such file", "folder"),
        ("<frame pos=\"0 0.1 0\">", "<frame><replicate count=\"2\">", "inside <replicate>", "prefix each"),
    ] {
        let mut text = HAND.replacen(old, new, 1);
        if new.contains("replicate") {
            text = text.replacen("</frame>", "</replicate></frame>", 1);
        }
        let error = read(&text).err().unwrap_or_else(|| panic!("{new} is read"));
        assert!(error.message().contains(says), "{new}: {}", error.render());
        assert!(error.help().unwrap_or_default().contains(helps), "{new}: {}", error.render());
    }
    std::fs::write(here.join("finger.xml"), FINGER.replace("<geom name", "<attach model=\"f\"/><geom name"))
        .expect("a file");
    assert_eq!(read(HAND).expect_err("nested").kind(), ErrorKind::NotAvailable);
    std::fs::remove_dir_all(here).expect("the folder");
}

/// Between the two lengths the spring of a tendon is at rest: a spring about their middle would be another one.
#[test]
fn a_tendon_with_a_dead_band_is_no_two_sided_spring() {
    let text = |more: &str| {
        format!(
            r#"<mujoco><worldbody><site name="top" pos="0 0 2"/><body name="a"><joint name="p" axis="0 1 0"/><geom size="0.1" pos="0.5 0 0"/><site name="tip"/></body></worldbody>
            <tendon><fixed name="one" stiffness="3" {more}><joint joint="p" coef="2"/></fixed>
            <spatial name="line" stiffness="3 0 1" {more}><site site="top"/><site site="tip"/></spatial></tendon></mujoco>"#
        )
    };
    let banded = import(&text("springlength=\"0.5 1.5\""));
    assert!(banded.scene.joints.get("p").expect("a joint").spring.is_none());
    assert!(banded.scene.forces.is_empty());
    assert_eq!(lines(&banded, Treatment::Ignored, "two values of `springlength`"), [2, 3]);
    let plain = import(&text("springlength=\"0.5 0.5\""));
    assert!(plain.scene.joints.get("p").expect("a joint").spring.is_some() && plain.scene.forces.len() == 1);
    assert_eq!(lines(&plain, Treatment::Approximated, "`stiffness` of a tendon as a polynomial"), [3]);
    let bad = import_robot("m.xml", &text("springlength=\"2 1\""), Path::new(""), &ImportOptions::default());
    assert!(bad.expect_err("an empty band").message().contains("at rest from 2 to 1"));
}

/// A force range of 0 is no force, not one without a limit.
#[test]
fn an_actuator_without_force_does_nothing() {
    for kind in ["position kp=\"5\"", "velocity kv=\"5\"", "motor ctrlrange=\"-1 1\""] {
        let text = format!(
            r#"<mujoco><worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
            <actuator><{kind} joint="j" forcelimited="true" forcerange="0 0"/></actuator></mujoco>"#
        );
        let imported = import(&text);
        let joint = imported.scene.joints.get("j").expect("a joint");
        assert!(joint.servo.is_none() && joint.motor.is_none() && joint.drive.is_none(), "{kind}: {joint:?}");
        assert_eq!(lines(&imported, Treatment::Ignored, "force range is 0"), [2], "{kind}");
    }
}

/// Names that are made do not meet names that are given.
#[test]
fn names_that_are_made_are_free() {
    let text = r#"<mujoco><worldbody>
        <body name="ground"><joint name="a"/><joint name="b" type="slide"/><geom size="0.1"/><site name="held"/>
          <body name="held" gravcomp="1"><geom size="0.1"/></body></body>
        <body name="ground body"><joint name="c"/><geom size="0.1"/></body>
        <body name="ground after a"><joint name="d"/><geom size="0.1"/></body>
        <body name="x"><joint/><geom size="0.1"/><site name="s"/><site name="t" pos="1 0 0"/></body></worldbody>
        <tendon><spatial name="held gravcomp" range="0.1 3" limited="true" stiffness="2"><site site="s"/><site site="held"/></spatial>
          <spatial name="held gravcomp least" range="0 3" limited="true"><site site="s"/><site site="held"/></spatial></tendon></mujoco>"#;
    let imported = import(text);
    let probes: Vec<String> = imported.scene.probes.iter().map(|(name, _)| name.to_string()).collect();
    assert!(probes.contains(&"held".to_string()) && probes.contains(&"held 2".to_string()), "{probes:?}");
    assert!(imported.scene.forces.get("held gravcomp 2").is_some());
    assert!(imported.scene.inequalities.get("held gravcomp least 2").is_some());
    let bodies: Vec<String> = imported.scene.bodies.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(bodies, ["ground after a 2", "ground body 2", "ground body", "ground after a", "x"]);
    model(imported);
}

/// What is not read is listed by line, once for each.
#[test]
fn what_is_not_read_is_listed() {
    let text = r#"<mujoco>
        <asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset>
        <worldbody><geom type="hfield" hfield="h"/>
          <body name="b"><joint name="j"/><geom size="0.1"/><site name="s"/><geom name="g" size="0.1"/></body>
          <composite type="rope" count="3 1 1"/>
          <flexcomp name="f" type="grid"/><flexcomp name="e" type="grid"/>
        </worldbody>
        <deformable><flex name="x"/></deformable>
        <tendon><spatial name="w" stiffness="3"><site site="s"/><geom geom="g"/><site site="s"/></spatial></tendon>
        <actuator><muscle joint="j"/>
          <general joint="j" dyntype="muscle"/><cylinder joint="j"/><adhesion body="b"/></actuator>
    </mujoco>"#;
    let imported = import(text);
    let report = imported.report.to_text();
    for (words, wanted) in [
        ("<hfield> of <asset>", vec![2]),
        ("hfield, sdf", vec![3]),
        ("<composite>", vec![5]),
        ("<flexcomp>", vec![6, 6]),
        ("<flex> of <deformable>", vec![8]),
        ("`stiffness` of a tendon along several joints or points", vec![9]),
        ("actuator <muscle>", vec![10]),
        ("actuator with a muscle", vec![11]),
        ("actuator with a cylinder", vec![11]),
        ("actuator with adhesion", vec![11]),
    ] {
        assert_eq!(lines(&imported, Treatment::Ignored, words), wanted, "{words}\n{report}");
    }
    assert!(report.contains("2 × <flexcomp> (lines 6, 6)"), "{report}");
}

/// Two hinges in a body whose point on the axis of the second is held: the body between them weighs 1e-14 of the other. If
/// its hinge `r` closed the loop, accelerations would be off by 0.2 %, and a rotor in `r` would be refused.
#[test]
fn joints_of_one_body_on_a_loop_keep_their_digits() {
    let model_of = |armature: &str| {
        let text = format!(
            r#"<mujoco><compiler angle="radian"/><worldbody>
            <body name="a" pos="0 0 1"><joint name="q" axis="0 1 0"/><joint name="r" axis="0 0.3 1" pos="0.3 0 0.1"{armature}/>
              <geom type="capsule" size="0.05" fromto="0 0 0 0.5 0.2 0.1"/>
            <body name="b" pos="0.5 0.2 0.1"><joint name="s" axis="1 0.4 0"/>
              <geom type="capsule" size="0.05" fromto="0 0 0 0.1 0.3 0.2"/></body></body></worldbody>
            <equality><connect body1="a" anchor="0.3 0.3 1.1"/></equality></mujoco>"#
        );
        model(import(&text))
    };
    let plain = model_of("");
    let accelerations = |solver: SolverChoice| {
        let settings = Settings { solver, ..Settings::default() };
        let mut sim = Simulation::with_settings(plain.clone(), settings).expect("a simulation");
        let bodies: Vec<_> = sim.model().body_ids().collect();
        let now = sim.evaluate().expect("accelerations");
        bodies.into_iter().flat_map(|body| now.body(body).acceleration.to_array()).collect::<Vec<f64>>()
    };
    let (fast, dense) = (accelerations(SolverChoice::default()), accelerations(SolverChoice::Dense));
    let size = dense.iter().fold(0.0, |most: f64, x| if x.abs() > most { x.abs() } else { most });
    assert!(size > 1.0);
    for (x, y) in fast.iter().zip(&dense) {
        // The dense solver has rows of the light body, too: 1e-16 × 1e14 of a row that hardly moves the others.
        assert!((x - y).abs() < 1e-8 * size, "{x} {y}");
    }
    let with_rotors = Simulation::new(model_of(" armature=\"0.1\""));
    for name in ["q", "r"] {
        let id = with_rotors.model().find_joint(name).expect("a hinge");
        assert!(with_rotors.joint_order().joint(id).is_some(), "`{name}` is in the spanning tree");
    }
}

/// `inheritrange`: the control goes over this part of the joint's range, about its middle.
#[test]
fn a_control_inherits_the_range_of_its_joint() {
    let servo = |range: &str| {
        let text = format!(
            r#"<mujoco><compiler angle="radian"/><worldbody><body><joint name="j"{range}/><geom size="0.1" pos="0.1 0 0"/></body></worldbody>
            <actuator><position joint="j" kp="3" inheritrange="0.5"/></actuator></mujoco>"#
        );
        let imported = import(&text);
        (imported.scene.joints.get("j").expect("a joint").servo.clone(), imported)
    };
    // 1 … 3 has the middle 2: the control 0 becomes 1.5.
    let (found, _) = servo(" range=\"1 3\"");
    let found = found.expect("a servo");
    assert_eq!(found.as_slice()[0].law, cardan_scene::LawDesc::Constant(cardan_scene::Quantity::plain(1.5)));
    let (found, imported) = servo("");
    assert!(found.is_none());
    assert_eq!(lines(&imported, Treatment::Ignored, "inherits a range that is not there").len(), 1);
}

/// As a part of a scene a model falls with the scene's gravity, and `gravcomp` carries that weight.
#[test]
fn a_part_of_a_scene_has_the_gravity_of_the_scene() {
    let here = folder("gravity");
    let text = r#"<mujoco><worldbody><body name="a" gravcomp="1"><joint name="j" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body></worldbody></mujoco>"#;
    std::fs::write(here.join("g.xml"), text).expect("a file");
    let scene = "gravity = [0, 0, -1.62]\n[robots.left]\nfile = \"g.xml\"\n";
    let mut document = Document::parse("s.toml", scene).expect("a document").in_folder(&here);
    document.include_robots(&ImportOptions::default()).unwrap_or_else(|e| panic!("{}", e.render()));
    std::fs::remove_dir_all(here).expect("the folder");
    let mut sim = Simulation::new(crate::robots::built(&document).expect("a model"));
    let found = sim.joint_accelerations().expect("accelerations")[0];
    // Two torques of 4 kg × 1.62 m/s² × 0.3 m cancel.
    assert_close(found, 0.0, Tolerance::rounding(16, 6.0));
    let (file, report) = &document.robot_reports()[0];
    assert!(file.ends_with("g.xml"));
    assert!(report.to_text().contains("that of the scene"), "{}", report.to_text());
}

/// `dampratio`: damping beside the critical one of the joint's inertia in the pose of the file, c = 2 ζ √(k m).
#[test]
fn a_damping_ratio_is_that_of_the_inertia_that_the_joint_feels() {
    let text = r#"<mujoco><worldbody><body><joint name="j" axis="0 1 0" armature="0.25"/>
        <inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.25 0.2"/></body></worldbody>
        <actuator><position joint="j" kp="9" dampratio="0.5" gear="2"/></actuator></mujoco>"#;
    let servo = import(text).scene.joints.get("j").expect("a joint").servo.clone().expect("a servo");
    // m = 0.25 + 2 · 0.5² + 0.25 = 1 along the joint, 1/4 along L = 2 q: c = √(9/4) along L, 4 c along q.
    let servo = &servo.as_slice()[0];
    assert_eq!((servo.stiffness.value, servo.damping.map(|c| c.value)), (36.0, Some(6.0)));
}
