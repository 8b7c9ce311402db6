//! Joint fields become joint frames: the coordinates and gaps in the pose of the file say whether they did.

use cardan::{JointId, Simulation};
use cardan_scene::{Document, Scene};

fn lowered(joint: &str) -> Result<Simulation, String> {
    let text = format!(
        r#"
gravity = [0, -9.81, 0]
[bodies.block]
shape = {{ kind = "box", size = [0.1, 0.2, 0.3] }}
mass = 1
position = [1, 2, 3]
orientation = {{ axis = [1, 2, 2], angle = "50 deg" }}
[bodies.grain]
kind = "particle"
mass = 1
position = [2, 2, 3]
[bodies.flat]
kind = "planar"
mass = 1
inertia = 0.1
position = [1, 0]
[joints.it]
{joint}
"#
    );
    let document = Document::parse("scene", &text).map_err(|e| e.render())?;
    let scene = Scene::from_document(&document).map_err(|e| e.render())?;
    let model = scene.to_model(&document).map_err(|e| e.render())?;
    Ok(Simulation::new(model))
}

/// Coordinates and the largest gap in the pose of the file.
fn posed(joint: &str) -> (Vec<f64>, f64) {
    let mut sim = lowered(joint).unwrap_or_else(|e| panic!("{joint}\n{e}"));
    let now = sim.evaluate().unwrap();
    let at = now.joint(JointId::of_index(0));
    let gap = now.position_errors().iter().fold(0.0, |w: f64, e| w.max(e.abs()));
    (at.coordinates[..at.count].to_vec(), gap)
}

fn assert_posed(joint: &str, expected: &[f64]) {
    let (found, gap) = posed(joint);
    assert_eq!(found.len(), expected.len(), "{joint}");
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() < 1e-14, "{joint}: {found:?}, expected {expected:?}");
    }
    assert!(gap < 1e-14, "{joint}: open by {gap}");
}

#[test]
fn anchors_and_axes_of_the_world_give_closed_joints_at_their_zero() {
    let ends = "a = \"ground\"\n b = \"block\"\n";
    let place = "anchor = [1, 2, 2.5]\n axis = [1, -1, 0.5]\n";
    assert_posed(&format!("kind = \"cylindrical\"\n{ends}{place}"), &[0.0, 0.0]);
    assert_posed(&format!("kind = \"planar\"\n{ends}{place}"), &[0.0, 0.0, 0.0]);
    assert_posed(&format!("kind = \"aligned\"\n{ends} axis = [1, -1, 0.5]"), &[0.0]);
    assert_posed(&format!("kind = \"point-on-line\"\n{ends}{place}"), &[0.0]);
    assert_posed(&format!("kind = \"point-on-plane\"\n{ends}{place}"), &[0.0, 0.0]);
    assert_posed(&format!("kind = \"universal\"\n{ends}{place} axis2 = [1, 1, 0]"), &[0.0, 0.0]);
    // The dimension of each coordinate is its own.
    let zero = "zero = [\"5 mm\", \"-7 cm\", \"90 deg\"]";
    let right = std::f64::consts::FRAC_PI_2;
    assert_posed(&format!("kind = \"planar\"\n{ends}{place}{zero}"), &[0.005, -0.07, right]);
}

#[test]
fn frames_of_the_bodies_set_the_coordinates() {
    // The particle is a metre along x from the anchor, and is its own point on the line: zero as posed.
    let ends = "a = \"ground\"\n b = \"grain\"\n";
    let line = format!("kind = \"point-on-line\"\n{ends} anchor = [1, 2, 3]\n axis = [1, 0, 0]");
    assert_posed(&line, &[0.0]);
    assert_posed(&format!("{line}\n zero = [\"20 cm\"]"), &[0.2]);
    let frame =
        "frame_in_a = { position = [0, 0, 3], orientation = { axis = [0, 0, 1], angle = \"90 deg\" } }";
    // Seen from a frame that is turned by 90°, world x is −y.
    assert_posed(&format!("kind = \"point-on-plane\"\n{ends}{frame}"), &[2.0, -2.0]);
    // A cross turned by 30° about the axis in a.
    let cross = "kind = \"universal\"\n a = \"ground\"\n b = \"block\"\n \
        frame_in_a = { position = [1, 2, 3], orientation = { axis = [1, 2, 2], angle = \"50 deg\" } }\n \
        frame_in_b = { orientation = { axis = [0, 0, 1], angle = \"30 deg\" } }";
    assert_posed(cross, &[30.0_f64.to_radians(), 0.0]);
    // Axes in the bodies: block's x axis, and whatever is level and across it in the world.
    let (s, c) = (50.0_f64.to_radians()).sin_cos();
    let k = 1.0 - c;
    let x = [c + k / 9.0, 2.0 / 3.0 * s + 2.0 / 9.0 * k, -2.0 / 3.0 * s + 2.0 / 9.0 * k];
    let cross = format!(
        "kind = \"universal\"\n a = \"ground\"\n b = \"block\"\n anchor = [1, 2, 3]\n axis_in_a = [{:?}, {:?}, 0]\n \
         axis2_in_b = [1, 0, 0]",
        -x[1], x[0]
    );
    assert_posed(&cross, &[0.0, 0.0]);
}

#[test]
fn springs_take_the_unit_of_their_own_coordinate() {
    let joint = |coordinate: u32, stiffness: &str| {
        lowered(&format!(
            "kind = \"cylindrical\"\n a = \"ground\"\n b = \"block\"\n anchor = [1, 2, 3]\n axis = [0, 1, 0]\n \
             spring = {{ coordinate = {coordinate}, stiffness = {stiffness} }}"
        ))
    };
    assert!(joint(0, "\"2 N/mm\"").is_ok() && joint(1, "2").is_ok());
    let error = joint(1, "\"2 N/mm\"").unwrap_err();
    assert!(error.contains("joints.it.spring.stiffness"), "{error}");
    let error = joint(2, "2").unwrap_err();
    assert!(error.contains("joints.it.spring.coordinate") && error.contains("has 2 coordinates"), "{error}");
}

#[test]
fn mistakes_with_axes_are_shown_at_their_field() {
    let says = |joint: &str, parts: &[&str]| {
        let error = lowered(joint).map(|_| ()).unwrap_err();
        for part in parts {
            assert!(error.contains(part), "{joint}\nwants {part:?}:\n{error}");
        }
    };
    let cross = "kind = \"universal\"\n a = \"ground\"\n b = \"block\"\n anchor = [1, 2, 3]\n";
    says(&format!("{cross} axis2 = [1, 0, 0]"), &["the joint has no axis"]);
    says(&format!("{cross} axis = [0, 0, 1]"), &["the joint has no second axis", "axis2_in_b"]);
    says(&format!("{cross} axis = [0, 0, 1]\n axis2 = [0, 0, 0]"), &["joints.it.axis2: the axis is zero"]);
    says(
        &format!("{cross} axis = [0, 0, 1]\n axis2 = [1, 0, 0.1]"),
        &["joints.it.axis2: `axis2` is 5.7106 deg off the perpendicular"],
    );
    says(&format!("{cross} axis_in_a = [0, 0, 1]\n axis2 = [0, 0, 2]"), &["axes of the joint are parallel"]);
    for kind in ["cylindrical", "planar", "point-on-line", "point-on-plane", "aligned"] {
        says(
            &format!("kind = \"{kind}\"\n a = \"ground\"\n b = \"block\"\n anchor_in_a = [1, 2, 3]"),
            &["the joint has no axis"],
        );
    }
    says(
        "kind = \"universal\"\n a = \"ground\"\n b = \"flat\"\n anchor = [0, 0, 0]\n axis = [0, 0, 1]\n axis2 = [1, 0, 0]",
        &["joints.it.axis", "between planar bodies", "use a revolute joint"],
    );
    says(
        "kind = \"planar\"\n a = \"ground\"\n b = \"flat\"\n anchor = [0, 0, 0]\n axis = [0, 0, 1]",
        &["along z it would hold nothing"],
    );
    says(
        "kind = \"cylindrical\"\n a = \"ground\"\n b = \"grain\"\n anchor = [2, 2, 3]\n axis = [0, 0, 1]",
        &["a point mass has no orientation"],
    );
}

#[test]
fn locks_by_name_and_by_mask_give_closed_joints_at_their_zero() {
    let ends = "a = \"ground\"\n b = \"block\"\n";
    let place = "anchor = [1, 2, 2.5]\n axis = [1, -1, 0.5]\n";
    let cross = "axis2 = [1, 1, 0]\n";
    for (joint, count) in [
        (format!("kind = \"oldham\"\n{ends}{place}"), 2),
        (format!("kind = \"orientation\"\n{ends}"), 3),
        (format!("kind = \"orientation\"\n{ends}{place}"), 3),
        (format!("kind = \"perpendicular\"\n{ends} axis = [1, -1, 0.5]\n {cross}"), 5),
        (format!("kind = \"universal-on-line\"\n{ends}{place}{cross}"), 3),
        (format!("kind = \"universal-on-plane\"\n{ends}{place}{cross}"), 4),
        (format!("kind = \"parallel\"\n{ends} axis = [1, -1, 0.5]"), 1),
        (format!("kind = \"in-line\"\n{ends}{place}"), 1),
        (format!("kind = \"in-plane\"\n{ends}{place}"), 2),
        (format!("kind = \"lock\"\n{ends}{place}{cross} locks = [\"x\", \"turn-z\"]"), 4),
        (format!("kind = \"lock\"\n{ends}{place} locks = [\"z\", \"turn-z\"]"), 4),
        // No axis: those of the world.
        (format!("kind = \"lock\"\n{ends} locks = [\"turn-x\"]"), 5),
    ] {
        assert_posed(&joint, &vec![0.0; count]);
    }
    // Those that other kinds lock are these.
    let sim = lowered(&format!(
        "kind = \"lock\"\n{ends}{place} locks = [\"x\", \"turn-x\", \"z\", \"y\", \"turn-y\"]"
    ));
    assert_eq!(sim.unwrap().model().joints()[0].kind, cardan::JointKind::Revolute);
    let grain = "kind = \"lock\"\n a = \"ground\"\n b = \"grain\"\n anchor = [0, 0, 3]\n locks = [\"z\"]";
    assert_posed(grain, &[0.0, 0.0]);
}

#[test]
fn mistakes_with_locks_are_shown_at_their_field() {
    let says = |joint: &str, part: &str| {
        let error = lowered(joint).map(|_| ()).unwrap_err();
        assert!(error.contains(part), "{joint}\nwants {part:?}:\n{error}");
    };
    let lock = "kind = \"lock\"\n a = \"ground\"\n anchor = [1, 2, 3]\n";
    says(
        &format!("{lock} b = \"grain\"\n locks = [\"x\", \"turn-z\"]"),
        "joints.it.b: a lock joint does not fit `grain`, a particle: a point mass has no orientation",
    );
    says(
        "kind = \"oldham\"\n a = \"ground\"\n b = \"grain\"\n anchor = [2, 2, 3]\n axis = [0, 0, 1]",
        "a point mass has no orientation",
    );
    let block = format!("{lock} b = \"block\"\n axis = [0, 1, 1]\n locks = [\"x\"]\n");
    says(&block, "joints.it.locks: the locks distinguish x from y, and no field gives the direction of x");
    says(&format!("{block} axis2 = [1, 0, 1]"), "joints.it.axis2: `axis2` is not perpendicular to the axis");
    says(
        &format!("{block} axis2 = [1, 0, 0]\n spring = {{ coordinate = 2, stiffness = 1 }}"),
        "a lock joint has 2 coordinates",
    );
    says(
        "kind = \"lock\"\n a = \"ground\"\n b = \"flat\"\n anchor = [0, 0, 0]\n locks = [\"z\", \"turn-x\"]",
        "it would hold nothing",
    );
}
