//! Scenes as robot files: import → export → import is the same mechanism.

use crate::robots::{built, folder};
use cardan::Simulation;
use cardan::joint_space::OrderedPart;
use cardan_scene::{
    Document, Exported, ImportOptions, RobotFormat, Scene, SceneError, Source, bundled, bundled_robots,
    import_robot,
};
use cardan_testkit::Rng;
use std::ops::Range;
use std::path::Path;

fn document(name: &str, options: &ImportOptions) -> Document {
    Source::resolve(name).read_with(options).unwrap_or_else(|e| panic!("{}", e.render()))
}

fn export(document: &Document, format: RobotFormat) -> Result<Exported, SceneError> {
    Scene::from_document(document)?.export(document, format)
}

/// The model of a scene, and that of its URDF file read again.
fn there_and_back(name: &str, document: &Document) -> (Simulation, Simulation, Exported) {
    let exported = export(document, RobotFormat::Urdf).unwrap_or_else(|e| panic!("{name}: {}", e.render()));
    let here = folder(name);
    std::fs::write(here.join("r.urdf"), &exported.text).expect("a file");
    if let Some(loops) = &exported.loops {
        std::fs::write(here.join("r.loops.toml"), loops).expect("a file");
    }
    let options = ImportOptions { allow_unphysical_inertia: true, ..ImportOptions::default() };
    let again = import_robot("r.urdf", &exported.text, &here, &options);
    std::fs::remove_dir_all(here).expect("the folder");
    let again = again.unwrap_or_else(|e| panic!("{name}: {}\n{}", e.render(), exported.text));
    let again =
        again.into_document("r.urdf", Path::new("")).unwrap_or_else(|e| panic!("{name}: {}", e.render()));
    let models = [document, &again]
        .map(|document| built(document).unwrap_or_else(|e| panic!("{name}: {}", e.render())));
    let [one, two] = models.map(Simulation::new);
    (one, two, exported)
}

/// Where the numbers of each part of the joint order are, by name: positions and rates.
fn ranges(sim: &Simulation) -> Vec<(String, [Range<usize>; 2])> {
    let model = sim.model();
    let name = |part: OrderedPart| match part {
        OrderedPart::Joint(id) => model.joint(id).map(|joint| joint.name.clone()),
        OrderedPart::Floating(id) => model.body(id).map(|body| body.name.clone()),
    };
    let entries = sim.joint_order().entries().iter();
    entries.map(|e| (name(e.part).expect("a name"), [e.positions.clone(), e.rates.clone()])).collect()
}

/// Random positions and rates of the joints with one coordinate, closed at the nearest pose that the loops allow; the other
/// model then gets the numbers that this gave, so that both are in one state and loops are closed in it. Returns how many
/// joints were moved. (Joints that are set one by one lead two equal models apart: the joints that follow do so to 1e-9.)
fn move_alike(one: &mut Simulation, two: &mut Simulation, rng: &mut Rng, size: f64) -> usize {
    let (of_one, of_two) = (ranges(one), ranges(two));
    let (mut q, mut v) = (one.joint_positions(), one.joint_rates());
    let mut moved = 0;
    for (_, [positions, rates]) in of_one.iter().filter(|(_, [positions, _])| positions.len() == 1) {
        q[positions.start] = size * rng.range(-1.0, 1.0);
        v[rates.start] = size * rng.range(-1.0, 1.0);
        moved += 1;
    }
    one.set_joint_positions(&q).expect("a pose");
    one.set_joint_rates(&v).expect("rates");
    let (q, v) = (one.joint_positions(), one.joint_rates());
    let (mut same_q, mut same_v) = (two.joint_positions(), two.joint_rates());
    for (name, [positions, rates]) in &of_two {
        let (_, [own_q, own_v]) = of_one.iter().find(|(own, _)| own == name).expect("the same tree");
        same_q[positions.clone()].copy_from_slice(&q[own_q.clone()]);
        same_v[rates.clone()].copy_from_slice(&v[own_v.clone()]);
    }
    let change = two.set_joint_state(&same_q, &same_v).expect("the same state");
    assert!(change < 1e-13, "the loops of the two models are closed in different poses: {change:e}");
    moved
}

/// Largest difference of the accelerations of the bodies, relative to the largest of them.
fn difference(one: &mut Simulation, two: &mut Simulation) -> f64 {
    let names: Vec<String> = one.model().bodies().iter().map(|body| body.name.clone()).collect();
    let all = |sim: &mut Simulation| -> Vec<f64> {
        let ids: Vec<_> = names.iter().map(|name| sim.model().find_body(name).expect("a body")).collect();
        let now = sim.evaluate().expect("accelerations");
        let of = |id| {
            let body = now.body(id);
            [body.acceleration.to_array(), body.angular_acceleration.to_array()].concat()
        };
        ids.into_iter().flat_map(of).collect()
    };
    let (one, two) = (all(one), all(two));
    let more = |a: f64, b: f64| if a > b { a } else { b };
    let size = one.iter().fold(0.0, |most, x| more(most, x.abs()));
    one.iter().zip(&two).fold(0.0, |most, (x, y)| more(most, (x - y).abs())) / size
}

/// Robots: at random states the accelerations of all bodies are those of the exported file.
#[test]
fn robots_come_back_from_urdf() {
    let mut rng = Rng::new(3);
    // Those that were URDF before: the servos of an MJCF robot cannot be said.
    for robot in bundled_robots().iter().filter(|robot| robot.text.contains("<robot")) {
        let floating = robot.name.contains("walker");
        let document = document(robot.name, &ImportOptions { floating, ..ImportOptions::default() });
        let (mut one, mut two, exported) = there_and_back(robot.name, &document);
        assert_eq!(exported.loops.is_some(), floating, "{}", robot.name);
        for state in 0..4 {
            let moved = move_alike(&mut one, &mut two, &mut rng, 0.2);
            assert!(moved > 4, "{}: only {moved} joints can be moved", robot.name);
            let apart = difference(&mut one, &mut two);
            assert!(apart < 1e-12, "{}, state {state}: {apart:e}", robot.name);
        }
    }
}

/// Spherical and universal joints are loops of free links: the file beside it has them.
#[test]
fn scenes_come_back_from_urdf() {
    let mut rng = Rng::new(4);
    let mut compared = Vec::new();
    for scene in bundled() {
        let document = document(scene.name, &ImportOptions::default());
        let parsed = Scene::from_document(&document).unwrap_or_else(|e| panic!("{}", e.render()));
        // What URDF says, and what is not there at the start.
        let Ok(exported) = export(&document, RobotFormat::Urdf) else { continue };
        let starts_elsewhere = |line: &String| line.starts_with("velocity of") || line.contains("starts at");
        let mild = |line: &String| starts_elsewhere(line) || line.ends_with("of contacts");
        let plain = parsed.gravity() == [0.0, 0.0, -9.81] && exported.unsaid.iter().all(mild);
        if !plain || parsed.contacts.is_some() || parsed.ground.is_some() || parsed.bodies.len() > 30 {
            continue;
        }
        let (mut one, mut two, _) = there_and_back(scene.name, &document);
        let starts_at_zero = !exported.unsaid.iter().any(starts_elsewhere);
        let trees = exported.loops.is_none();
        if !starts_at_zero && !trees {
            continue;
        }
        if trees {
            assert!(move_alike(&mut one, &mut two, &mut rng, 0.3) > 0, "{}", scene.name);
        }
        let apart = difference(&mut one, &mut two);
        assert!(apart < 1e-12, "{}: {apart:e}\n{}", scene.name, exported.text);
        compared.push(scene.name);
    }
    assert!(compared.len() >= 3, "only {compared:?} could be compared");
}

/// A leg of two loops: closed again, with the same accelerations.
#[test]
fn loops_come_back_from_the_file_beside_urdf() {
    let here = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"));
    let text = include_str!("data/compliant-leg.urdf");
    let imported =
        import_robot("compliant-leg.urdf", text, here, &ImportOptions::default()).expect("a robot");
    let document = imported.into_document("compliant-leg.urdf", here).expect("a document");
    let (mut one, mut two, exported) = there_and_back("compliant-leg", &document);
    let loops = exported.loops.expect("loops");
    assert!(
        loops.contains("[loops.achilles-closure]") && loops.contains("[loops.plantar-closure]"),
        "{loops}"
    );
    let apart = difference(&mut one, &mut two);
    assert!(apart < 1e-12, "{apart:e}");
}

/// MJCF is well formed, has every body and joint, and says what it cannot.
#[test]
fn mjcf_has_all_bodies_and_joints() {
    let mut written = 0;
    let names = bundled().iter().chain(bundled_robots()).map(|entry| entry.name);
    for name in names {
        let document = document(name, &ImportOptions::default());
        let Ok(exported) = export(&document, RobotFormat::Mjcf) else { continue };
        let scene = Scene::from_document(&document).expect("a scene");
        // Bodies between the joints of one body are joints again.
        let between = scene.bodies.iter().filter(|(name, _)| name.contains(" after ")).count();
        assert_eq!(between, if name == "delta" { 6 } else { 0 }, "{name}");
        assert_eq!(exported.text.matches("<body ").count(), scene.bodies.len() - between, "{name}");
        assert_eq!(exported.text.matches("</body>").count(), scene.bodies.len() - between, "{name}");
        written += 1;
    }
    assert!(written > 20, "only {written} scenes could be written");
    let arm = document("desk-arm", &ImportOptions::default());
    let arm = export(&arm, RobotFormat::Mjcf).expect("an arm").text;
    for part in ["type=\"hinge\"", "<motor name=", "polycoef=\"0 ", "damping=", "fullinertia="] {
        assert!(arm.contains(part), "{part}\n{arm}");
    }
    let planar = document("four-bar", &ImportOptions::default());
    if let Err(error) = export(&planar, RobotFormat::Urdf) {
        assert!(error.message().contains("only rigid bodies"), "{error}");
    }
}

/// The model of a scene, and that of its MJCF file read again.
fn there_and_back_by_mjcf(name: &str, options: &ImportOptions) -> (Simulation, Simulation, Exported) {
    let document = document(name, options);
    let exported = export(&document, RobotFormat::Mjcf).unwrap_or_else(|e| panic!("{name}: {}", e.render()));
    let keyframe = exported.text.contains("<key ").then(|| "start".to_string());
    let options = ImportOptions { keyframe, ..ImportOptions::default() };
    let again = import_robot("m.xml", &exported.text, Path::new(""), &options);
    let again = again.unwrap_or_else(|e| panic!("{name}: {}\n{}", e.render(), exported.text));
    let again = again.into_document("m.xml", Path::new("")).expect("a document");
    let models =
        [&document, &again].map(|document| built(document).unwrap_or_else(|e| panic!("{}", e.render())));
    let [one, two] = models.map(Simulation::new);
    (one, two, exported)
}

/// Robots as MJCF, read again: the same bodies, with the same accelerations. The delta robot has two hinges in one
/// body, which are bodies of next to no mass in a scene, and must not be bodies of next to no mass in MuJoCo.
#[test]
fn robots_come_back_from_mjcf() {
    let mut rng = Rng::new(5);
    for robot in bundled_robots() {
        let floating = robot.name.contains("walker");
        let keyframe = (robot.name == "delta").then(|| "reach".to_string());
        let options = ImportOptions { floating, keyframe, ..ImportOptions::default() };
        let (mut one, mut two, exported) = there_and_back_by_mjcf(robot.name, &options);
        let masses = exported.text.split(" mass=\"").skip(1);
        let least =
            masses.map(|rest| rest.split('"').next().expect("a mass").parse::<f64>().expect("a number"));
        // MuJoCo refuses bodies that move and have less than 1e-15 kg.
        least.for_each(|mass| assert!(mass > 1e-9, "{}: a body of {mass:e} kg", robot.name));
        assert_eq!(one.model().bodies().len(), two.model().bodies().len(), "{}", robot.name);
        for state in 0..3 {
            if state > 0 {
                move_alike(&mut one, &mut two, &mut rng, 0.1);
            }
            let apart = difference(&mut one, &mut two);
            assert!(apart < 1e-11, "{}, state {state}: {apart:e}\n{}", robot.name, exported.text);
        }
    }
}

/// On a floor the links of a robot do not touch each other, in MuJoCo neither.
#[test]
fn contacts_of_mjcf() {
    let walker = document(
        "five-bar-walker",
        &ImportOptions { floating: true, floor: Some(-0.32), ..ImportOptions::default() },
    );
    let exported = export(&walker, RobotFormat::Mjcf).unwrap_or_else(|e| panic!("{}", e.render()));
    let bodies = exported.text.matches("<body ").count();
    assert_eq!(exported.text.matches("<exclude ").count(), bodies * (bodies - 1) / 2);
    assert!(exported.text.contains("type=\"plane\"") && exported.text.contains("friction=\"0.8\""));
    let again = import_robot("m.xml", &exported.text, Path::new(""), &ImportOptions::default());
    let again = again.unwrap_or_else(|e| panic!("{}", e.render())).scene;
    assert_eq!(again.contacts.expect("contacts").add, Vec::<[String; 2]>::new());
    assert_eq!(again.materials.iter().count(), 1);
}

/// A joint with two actuators, one of them a velocity servo, and what MJCF cannot say of friction and limits.
#[test]
fn actuators_and_losses_of_mjcf() {
    let scene = "gravity = [0, 0, 0]\n[bodies.b]\nmass = 2\ninertia = [1, 1, 1]\n\
        [joints.j]\nkind = \"revolute\"\na = \"ground\"\nb = \"b\"\naxis = [0, 0, 1]\nanchor = [0, 0, 0]\n\
        limits = [[-1, 1]]\nrestitution = 0.5\n\
        servo = [{ law = { expression = \"0.5*t\" }, stiffness = 0, damping = 3 }, { law = { constant = 0.2 }, stiffness = 4 }]\n\
        friction = { coulomb = 1, static = 2 }\n";
    let document = Document::parse("s.toml", scene).expect("a document");
    let exported = export(&document, RobotFormat::Mjcf).unwrap_or_else(|e| panic!("{}", e.render()));
    let text = &exported.text;
    assert!(text.contains("<velocity name=\"j servo\" joint=\"j\" kv=\"3.0\"/>"), "{text}");
    assert!(text.contains("<position name=\"j servo 2\" joint=\"j\" kp=\"4.0\" kv=\"0.0\"/>"), "{text}");
    assert!(text.contains("ctrl=\"0.5 0.2\""), "{text}");
    let lost = exported.unsaid.join("\n");
    for part in ["static friction", "restitution of the limits"] {
        assert!(lost.contains(part), "{part}: {lost}");
    }
    assert!(!lost.contains("set point"), "{lost}");
    // Read again, the velocity servo pushes with c (ω − 0) and the other with k q₀: α = (3 · 0.5 + 4 · 0.2) / I.
    let options = ImportOptions { keyframe: Some("start".to_string()), ..ImportOptions::default() };
    let frictionless = text.replace("frictionloss=\"1.0\"", "");
    let again = import_robot("m.xml", &frictionless, Path::new(""), &options);
    let again = again.unwrap_or_else(|e| panic!("{}", e.render()));
    let mut sim = Simulation::new(crate::robots::model(again));
    let found = sim.joint_accelerations().expect("accelerations")[0];
    cardan_testkit::assert_close(found, 1.5 + 0.8, cardan_testkit::Tolerance::rounding(16, 3.0));
}

/// What a robot file would say otherwise than the scene is listed: a loop that is open in the pose of the scene, a motor
/// whose command is 0 at the start alone, a second motor, a rotor on a loop.
#[test]
fn what_is_lost_in_silence_is_listed() {
    let motor = |law: &str| format!("{{ curve = [[0, 2], [1, 2]], law = {law} }}");
    let scene = format!(
        "[bodies.b]\nmass = 2\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\n\
         [joints.j]\nkind = \"revolute\"\na = \"ground\"\nb = \"b\"\naxis = [0, 0, 1]\nanchor = [0, 0, 0]\n\
         motor = [{}, {}]\n\
         [joints.hold]\nkind = \"spherical\"\na = \"ground\"\nb = \"b\"\nanchor_in_a = [2, 0, 0]\nanchor_in_b = [1, 0, 1e-6]\n",
        motor("{ expression = \"sin(t)\" }"),
        motor("{ constant = 0 }")
    );
    let document = Document::parse("s.toml", scene).expect("a document");
    let lost =
        |format| export(&document, format).unwrap_or_else(|e| panic!("{}", e.render())).unsaid.join("\n");
    let urdf = lost(RobotFormat::Urdf);
    assert!(urdf.contains("command and curve of the motor of joint `j`"), "{urdf}");
    assert!(urdf.contains("motors of joint `j` but the last"), "{urdf}");
    let mjcf = lost(RobotFormat::Mjcf);
    assert!(mjcf.contains("joint `hold` is open by 1.0e-6"), "{mjcf}");
    assert!(!mjcf.contains("joint `j` is open"), "{mjcf}");
}
