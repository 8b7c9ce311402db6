//! From a description to a model: what is left out is filled in as the format says.

use cardan::math::{Quat, Vec3, vec3};
use cardan::{BodyId, JointId, Model, ProbeId, Simulation};
use cardan_scene::{Document, Scene, SceneError};
use cardan_testkit::{Tolerance, assert_close};

fn model(text: &str) -> Result<Model, SceneError> {
    let document = Document::parse("scene.toml", text)?;
    Scene::from_document(&document)?.to_model(&document)
}

/// The mechanism in the pose of the file.
fn posed(text: &str) -> Simulation {
    Simulation::new(model(text).unwrap_or_else(|e| panic!("{}\n{text}", e.render())))
}

/// Two bodies somewhere, turned and moved, with room for a joint between them.
fn two_bodies(joint: &str) -> String {
    format!(
        r#"
        gravity = [0, 0, 0]
        [bodies.p]
        mass = 2
        inertia = [0.1, 0.2, 0.15]
        position = [1, 2, 3]
        orientation = {{ axis = [1, 2, 3], angle = "50 deg" }}
        center_of_mass = [0.1, -0.2, 0.05]
        [bodies.q]
        mass = 3
        inertia = [0.3, 0.2, 0.25, 0.01, -0.02, 0.03]
        position = [1.5, 1, 2.5]
        orientation = {{ quaternion = [0.3, -0.4, 0.5, 0.6] }}
        [joints.j]
        {joint}
        "#
    )
}

fn pose_p() -> (Vec3, Quat) {
    let rot = Quat::from_axis_angle(vec3(1.0, 2.0, 3.0), 50f64.to_radians()).expect("an axis");
    (vec3(1.0, 2.0, 3.0), rot)
}

fn pose_q() -> (Vec3, Quat) {
    (vec3(1.5, 1.0, 2.5), Quat::from_wxyz(0.3, -0.4, 0.5, 0.6).expect("a quaternion"))
}

fn list(v: Vec3) -> String {
    format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z)
}

/// Everything closed, every coordinate at zero. The bound: positions of size 4, some twenty roundings.
fn assert_zero(what: &str, text: &str) {
    let mut sim = posed(text);
    let now = sim.kinematics();
    for (row, error) in now.position_errors().iter().enumerate() {
        assert!(error.abs() < 1e-14, "{what}: row {row} is off by {error:e}\n{text}");
    }
    let joint = now.joint(JointId::of_index(0));
    for k in 0..joint.count {
        assert!(
            joint.coordinates[k].abs() < 1e-14,
            "{what}: coordinate {k} is {:e}\n{text}",
            joint.coordinates[k]
        );
    }
}

#[test]
fn anchors_and_axes_in_every_combination_start_closed_at_zero() {
    let (anchor, axis) = (vec3(0.7, 1.4, 2.2), vec3(0.3, -0.5, 0.9));
    for (a, b) in [("p", "q"), ("q", "p"), ("ground", "p"), ("q", "ground")] {
        let pose = |name: &str| match name {
            "p" => pose_p(),
            "q" => pose_q(),
            _ => (Vec3::ZERO, Quat::IDENTITY),
        };
        let point_in = |name: &str| pose(name).1.inverse() * (anchor - pose(name).0);
        let axis_in = |name: &str| pose(name).1.inverse() * axis;
        let world = format!("anchor = {}", list(anchor));
        let in_a = format!("anchor_in_a = {}", list(point_in(a)));
        let in_b = format!("anchor_in_b = {}", list(point_in(b)));
        let anchors = [
            world.clone(),
            in_a.clone(),
            in_b.clone(),
            format!("{in_a}\n{in_b}"),
            format!("{world}\n{in_b}"),
        ];
        let world_axis = format!("axis = {}", list(axis));
        let axis_a = format!("axis_in_a = {}", list(axis_in(a)));
        let axis_b = format!("axis_in_b = {}", list(axis_in(b) * 7.0));
        let axes = [
            world_axis.clone(),
            axis_a.clone(),
            axis_b.clone(),
            format!("{axis_a}\n{axis_b}"),
            format!("{world_axis}\n{axis_a}"),
        ];
        for kind in ["fixed", "spherical", "revolute", "prismatic"] {
            for anchor in &anchors {
                for axis in &axes {
                    let axis = if kind == "fixed" || kind == "spherical" { "" } else { axis };
                    let joint = format!("kind = \"{kind}\"\na = \"{a}\"\nb = \"{b}\"\n{anchor}\n{axis}");
                    assert_zero(kind, &two_bodies(&joint));
                }
            }
        }
        assert_zero(
            "a weld needs no anchor",
            &two_bodies(&format!("kind = \"fixed\"\na = \"{a}\"\nb = \"{b}\"")),
        );
        let bead = format!("kind = \"bead-on-circle\"\na = \"{a}\"\nb = \"{b}\"\naxis = {}", list(axis));
        let centre = pose(b).0 + axis.cross(vec3(0.2, 0.1, -0.4));
        for more in [
            format!("anchor = {}", list(centre)),
            format!("anchor_in_a = {}", list(pose(a).1.inverse() * (centre - pose(a).0))),
        ] {
            assert_zero("bead", &two_bodies(&format!("{bead}\n{more}")));
        }
    }
}

#[test]
fn one_frame_fixes_its_own_side_and_the_other_follows() {
    let frame = "{ position = [0.3, 0.1, -0.2], orientation = { axis = [3, -1, 2], angle = 2 } }";
    for kind in ["fixed", "spherical", "revolute", "prismatic"] {
        for side in ["a", "b"] {
            let joint = format!("kind = \"{kind}\"\na = \"p\"\nb = \"q\"\nframe_in_{side} = {frame}");
            assert_zero(kind, &two_bodies(&joint));
        }
    }
    // A ball joint's coordinates are seen in a's frame: its x axis must be the one given.
    let joint = format!("kind = \"spherical\"\na = \"p\"\nb = \"q\"\nframe_in_a = {frame}");
    let mut sim = posed(&two_bodies(&joint));
    let own = Quat::from_axis_angle(vec3(3.0, -1.0, 2.0), 2.0).expect("an axis");
    let x = pose_p().1 * (own * Vec3::X); // of the frame, in the world
    let mut state = sim.state().clone();
    let turn = x * 0.25;
    // q is the second body: three freedoms to move it, three to turn it.
    state.displace(
        &sim.model().clone(),
        &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, turn.x, turn.y, turn.z],
    );
    sim.restore(&state).unwrap();
    let coordinates = sim.kinematics().joint(JointId::of_index(0)).coordinates;
    // A rotation is composed and taken apart again: some fifty roundings of unit quaternions.
    for (found, want) in coordinates.into_iter().zip([0.25, 0.0, 0.0]) {
        assert_close(found, want, Tolerance::rounding(45, 1.0));
    }
}

#[test]
fn two_frames_are_taken_as_they_are() {
    let joint = |angle: f64| {
        format!(
            "kind = \"revolute\"\na = \"ground\"\nb = \"arm\"\nframe_in_a = {{ position = [1, 0, 0] }}\n\
             frame_in_b = {{ orientation = {{ axis = [0, 0, 1], angle = {angle:?} }} }}"
        )
    };
    for angle in [0.4, -1.2, 3.0] {
        let text = format!(
            "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\n[joints.j]\n{}",
            joint(angle)
        );
        let mut sim = posed(&text);
        let now = sim.kinematics();
        // One rotation about z.
        assert_close(now.joint(JointId::of_index(0)).coordinates[0], angle, Tolerance::rounding(4, 1.0));
        for error in now.position_errors() {
            assert_close(*error, 0.0, Tolerance::rounding(4, 1.0));
        }
    }
}

#[test]
fn zero_is_the_value_of_the_coordinates_in_the_pose_of_the_file() {
    for (kind, extra, zero, want) in [
        ("revolute", "axis = [0, 1, 1]", "[\"30 deg\"]", vec![std::f64::consts::PI / 6.0]),
        ("revolute", "axis = [0, 1, 1]", "[20.0]", vec![20.0]),
        ("prismatic", "axis = [0, 1, 1]", "[\"12 cm\"]", vec![0.12]),
        ("spherical", "", "[0.1, 0.2, 0.3]", vec![0.1, 0.2, 0.3]),
        ("bead-on-circle", "axis = [0, 1, 1]", "[\"1 rev\"]", vec![2.0 * std::f64::consts::PI]),
    ] {
        let joint =
            format!("kind = \"{kind}\"\na = \"p\"\nb = \"q\"\nanchor = [1, 1, 1]\n{extra}\nzero = {zero}");
        let mut sim = posed(&two_bodies(&joint));
        let found = sim.kinematics().joint(JointId::of_index(0));
        for (k, want) in want.iter().enumerate() {
            assert!((found.coordinates[k] - want).abs() < 1e-14, "{kind}: {:?}", found.coordinates);
        }
    }
}

#[test]
fn planar_joints_have_only_the_rows_of_the_plane() {
    let scene = |kind: &str, joint: &str| {
        format!(
            "gravity = [0, -9.81, 0]\n[bodies.p]\nkind = \"{kind}\"\nmass = 1\n{}position = [0.3, 0.4]\n\
             [bodies.q]\nkind = \"planar\"\nmass = 1\ninertia = 0.2\nposition = [1, 0]\norientation = 0.3\n[joints.j]\n{joint}",
            if kind == "planar" { "inertia = 0.1\norientation = \"20 deg\"\n" } else { "" }
        )
    };
    let anchored = "anchor = [0.3, 0.4, 0]";
    for (kind, joint, rows) in [
        ("planar", format!("kind = \"fixed\"\n{anchored}"), 3),
        ("planar", format!("kind = \"revolute\"\n{anchored}\naxis = [0, 0, 1]"), 2),
        ("planar", format!("kind = \"revolute\"\n{anchored}\naxis = [0, 0, -2]"), 2),
        ("planar", format!("kind = \"prismatic\"\n{anchored}\naxis = [1, 2, 0]"), 2),
        ("planar", format!("kind = \"spherical\"\n{anchored}"), 2),
        ("planar", "kind = \"distance\"".to_string(), 1),
        ("planar-particle", format!("kind = \"spherical\"\n{anchored}"), 2),
        ("planar-particle", "kind = \"distance\"".to_string(), 1),
    ] {
        for (a, b) in [("p", "q"), ("q", "p"), ("ground", "p"), ("p", "ground")] {
            let text = scene(kind, &format!("{joint}\na = \"{a}\"\nb = \"{b}\""));
            let made = model(&text).unwrap_or_else(|e| panic!("{}", e.render()));
            assert_eq!(made.joints()[0].rows(), rows, "{a}–{b}: {joint}");
            assert_zero(kind, &text);
        }
    }
    // Between a planar and a spatial body all rows are there.
    let text =
        scene("planar", "kind = \"revolute\"\na = \"p\"\nb = \"s\"\nanchor = [0, 0, 0]\naxis = [0, 0, 1]")
            + "\n[bodies.s]\nmass = 1\ninertia = [1, 1, 1]\n";
    assert_eq!(model(&text).expect("a model").joints()[0].rows(), 5);
}

#[test]
fn a_distance_is_as_posed_unless_given() {
    let length = |joint: &str| {
        let made = model(&two_bodies(joint)).unwrap_or_else(|e| panic!("{}", e.render()));
        match made.joints()[0].kind {
            cardan::JointKind::Distance { length } => length,
            other => panic!("{other:?}"),
        }
    };
    let ends = "kind = \"distance\"\na = \"p\"\nb = \"q\"";
    assert_close(length(ends), (pose_q().0 - pose_p().0).norm(), Tolerance::rounding(4, 1.0));
    let (on_p, on_q) = (vec3(0.1, 0.2, 0.3), vec3(-0.4, 0.5, 0.0));
    let points = format!("{ends}\npoint_in_a = {}\npoint_in_b = {}", list(on_p), list(on_q));
    let (p, q) = (pose_p(), pose_q());
    let posed_length = ((q.0 + q.1 * on_q) - (p.0 + p.1 * on_p)).norm();
    // Two rotated points, metres from the origin.
    assert_close(length(&points), posed_length, Tolerance::rounding(11, 4.0));
    assert_zero("distance", &two_bodies(&points));
    assert_eq!(length(&format!("{points}\nlength = \"25 cm\"")), 0.25);
}

#[test]
fn mass_follows_from_density_and_volume() {
    let mass = |fields: &str| {
        let made = model(&format!("[bodies.it]\n{fields}")).unwrap_or_else(|e| panic!("{}", e.render()));
        *made.bodies()[0].mass
    };
    let pi = std::f64::consts::PI;
    for (shape, volume) in [
        ("{ kind = \"box\", size = [0.1, 0.2, 0.3] }", 0.006),
        ("{ kind = \"sphere\", radius = 0.1 }", 4.0 / 3.0 * pi * 1e-3),
        ("{ kind = \"cylinder\", length = 2, radius = 0.1 }", 2.0 * pi * 0.01),
        ("{ kind = \"capsule\", length = 2, radius = 0.1 }", 2.0 * pi * 0.01 + 4.0 / 3.0 * pi * 1e-3),
        ("{ kind = \"rod\", length = 2, radius = 0.1 }", 2.0 * pi * 0.01),
        ("{ kind = \"plate\", size = [2, 3], thickness = 0.01 }", 0.06),
    ] {
        let found = mass(&format!("density = 1000\nshape = {shape}"));
        assert_close(found.mass, 1000.0 * volume, Tolerance::rounding(8, found.mass));
        // The same body by its mass.
        let same = mass(&format!("mass = {:?}\nshape = {shape}", found.mass));
        assert_eq!(same, found, "{shape}");
    }
}

#[test]
fn a_compound_has_the_inertia_of_its_parts() {
    let props = |fields: &str| {
        let made =
            model(&format!("[bodies.it]\nmass = 6\n{fields}")).unwrap_or_else(|e| panic!("{}", e.render()));
        *made.bodies()[0].mass
    };
    let close = |what: &str, x: cardan::MassProperties, y: cardan::MassProperties| {
        let pairs = x.inertia.to_array().into_iter().zip(y.inertia.to_array());
        let worst = pairs.map(|(x, y)| (x - y).abs()).fold((x.center - y.center).norm(), f64::max);
        assert!(worst < 1e-13, "{what}: {x:?} {y:?}");
    };
    let whole = props("shapes = [{ kind = \"box\", size = [2, 1, 3], position = [1, 0.5, 0] }]");
    let halves = props(
        "shapes = [{ kind = \"box\", size = [0.5, 1, 3], position = [0.25, 0.5, 0] }, \
         { kind = \"box\", size = [1.5, 1, 3], position = [1.25, 0.5, 0] }]",
    );
    close("two pieces of a box", whole, halves);
    assert_eq!(whole.center, vec3(1.0, 0.5, 0.0));
    let turned = props(
        "shapes = [{ kind = \"box\", size = [1, 2, 3], position = [1, 0.5, 0], \
         orientation = { axis = [0, 0, 1], angle = \"90 deg\" } }]",
    );
    close("a turned box", whole, turned);
    // What is said outright wins.
    let said = props(
        "shape = { kind = \"box\", size = [2, 1, 3] }\ninertia = [1, 2, 2.5]\ncenter_of_mass = [0, 0, 0.1]",
    );
    assert_eq!(said.inertia.to_array(), [1.0, 2.0, 2.5, 0.0, 0.0, 0.0]);
    assert_eq!(said.center, vec3(0.0, 0.0, 0.1));
}

#[test]
fn planar_and_point_bodies_start_where_the_file_says() {
    let text = r#"
        gravity = [0, -9.81, 0]
        [bodies.flat]
        kind = "planar"
        mass = 1
        inertia = 0.1
        position = [1, 2]
        orientation = "90 deg"
        velocity = [3, 4]
        angular_velocity = "60 rpm"
        center_of_mass = [0.5, 0]
        [bodies.same]
        kind = "planar"
        mass = 1
        inertia = 0.1
        position = [1, 2, 0]
        orientation = 1.5707963267948966
        velocity = [3, 4, 0]
        angular_velocity = [0, 0, 6.283185307179586]
        center_of_mass = [0.5, 0, 0]
        [bodies.dot]
        kind = "particle"
        mass = 1
        position = [1, 2, 3]
        velocity = [4, 5, 6]
        [bodies.flat-dot]
        kind = "planar-particle"
        mass = 1
        position = [1, 2]
        velocity = [4, 5]
        [bodies.solid]
        mass = 1
        inertia = [1, 1, 1]
        position = [1, 2, 3]
        orientation = { axis = [0, 0, 2], angle = "90 deg" }
        center_of_mass = [1, 0, 0]
        velocity = [4, 5, 6]
    "#;
    let mut sim = posed(text);
    let now = sim.kinematics();
    let near = |x: Vec3, y: Vec3| assert!((x - y).norm() < 1e-15 * 8.0, "{x:?} {y:?}");
    for i in [0, 1] {
        let flat = now.body(BodyId::of_index(i));
        near(flat.frame_position, vec3(1.0, 2.0, 0.0));
        near(flat.position, vec3(1.0, 2.5, 0.0)); // half a metre along its own x, which is the world's y
        near(flat.velocity, vec3(3.0, 4.0, 0.0)); // of the centre of mass
        near(flat.angular_velocity, vec3(0.0, 0.0, std::f64::consts::TAU));
        near(flat.orientation * Vec3::X, Vec3::Y);
    }
    near(now.body(BodyId::of_index(2)).position, vec3(1.0, 2.0, 3.0));
    near(now.body(BodyId::of_index(2)).velocity, vec3(4.0, 5.0, 6.0));
    near(now.body(BodyId::of_index(3)).position, vec3(1.0, 2.0, 0.0));
    near(now.body(BodyId::of_index(3)).velocity, vec3(4.0, 5.0, 0.0));
    near(now.body(BodyId::of_index(4)).frame_position, vec3(1.0, 2.0, 3.0));
    near(now.body(BodyId::of_index(4)).position, vec3(1.0, 3.0, 3.0));
    near(now.body(BodyId::of_index(4)).velocity, vec3(4.0, 5.0, 6.0));
}

/// Probes and points are given from the frame's origin, not from the centre of mass.
#[test]
fn points_are_given_from_the_origin_of_the_frame() {
    let text = r#"
        gravity = [0, 0, 0]
        [bodies.it]
        mass = 2
        inertia = [1, 1, 1]
        position = [1, 2, 3]
        orientation = { axis = [0, 0, 1], angle = "90 deg" }
        center_of_mass = [1, 0, 0]
        [probes.there]
        body = "it"
        point = [0, 1, 0]
        [forces.push]
        kind = "constant"
        body = "it"
        point = [1, 0, 0]
        force = [0, 0, 4]
        [forces.middle]
        kind = "constant"
        body = "it"
        force = [2, 0, 0]
    "#;
    let mut sim = posed(text);
    let now = sim.evaluate().expect("a solution");
    let rounding = || Tolerance::rounding(4, 1.0);
    assert_close((now.probe(ProbeId::of_index(0)).position - vec3(0.0, 2.0, 3.0)).norm(), 0.0, rounding());
    let body = now.body(BodyId::of_index(0));
    assert_close((body.acceleration - vec3(1.0, 0.0, 2.0)).norm(), 0.0, rounding());
    // Both forces act at the centre of mass.
    assert_close(body.angular_acceleration.norm(), 0.0, rounding());
}

/// A joint that is open in the file stays open until a run closes it.
#[test]
fn a_run_closes_what_the_file_leaves_open() {
    let text = r#"
        [bodies.bar]
        shape = { kind = "cylinder", length = 1, radius = 0.02 }
        mass = 1
        position = [0.51, 0, 0]
        velocity = [0, 0.5, 0]
        [joints.hinge]
        kind = "revolute"
        a = "ground"
        b = "bar"
        anchor_in_a = [0, 0, 0]
        anchor_in_b = [-0.5, 0, 0]
        axis = [0, 1, 0]
    "#;
    let mut sim = posed(text);
    let gap =
        sim.evaluate().expect("a solution").position_errors().iter().fold(0.0, |w: f64, e| w.max(e.abs()));
    assert_close(gap, 0.01, Tolerance::rounding(4, 1.0));
    sim.run(0.01, 1e-3).expect("a run");
    // Projection closes joints to rounding of lengths of 1 m and speeds of some m/s.
    assert_close(sim.certificate().max_position_error, 0.0, Tolerance::rounding(4, 1.0));
    assert_close(sim.certificate().max_velocity_error, 0.0, Tolerance::rounding(11, 4.0));
}

/// Joint springs act about `rest`, measured from `zero`.
#[test]
fn a_joint_spring_pulls_toward_its_rest() {
    let torque = |fields: &str| {
        let text = format!(
            "gravity = [0, 0, 0]\n[bodies.disc]\nmass = 1\ninertia = [1, 1, 1]\nangular_velocity = [0, 0, 2]\n\
             [joints.j]\nkind = \"revolute\"\na = \"ground\"\nb = \"disc\"\nanchor = [0, 0, 0]\naxis = [0, 0, 1]\n{fields}"
        );
        let mut sim = posed(&text);
        let now = sim.evaluate().expect("a solution");
        let parts = now.joint(JointId::of_index(0)).reaction;
        (parts.drive.torque.z, parts.friction.torque.z, now.body(BodyId::of_index(0)).angular_acceleration.z)
    };
    let near = |found: (f64, f64, f64), want: (f64, f64)| {
        let off =
            (found.0 - want.0).abs().max((found.1 - want.1).abs()).max((found.2 - want.0 - want.1).abs());
        assert!(off < 1e-14, "{found:?}, not {want:?}");
    };
    near(torque("spring = { stiffness = 3 }"), (0.0, 0.0));
    near(torque("spring = { stiffness = 3, rest = 0.5 }"), (1.5, 0.0));
    near(torque("zero = [0.2]\nspring = { stiffness = 3, rest = 0.5, damping = 0.25 }"), (0.4, 0.0));
    near(torque("friction = { viscous = 0.25 }"), (0.0, -0.5));
    near(torque("spring = [{ stiffness = 3, rest = 0.5 }, { stiffness = 1, rest = -1 }]"), (0.5, 0.0));
}

#[test]
fn joints_with_an_assembly_time_refuse_what_does_not_fit() {
    let anchors = "a = \"p\"\nb = \"q\"\nanchor_in_a = [0, 0, 0]\nanchor_in_b = [0, 0, 0]";
    let good = model(&two_bodies(&format!("kind = \"spherical\"\n{anchors}\nclose_in = \"2 s\""))).unwrap();
    assert_eq!((good.constraints().len(), good.constraints()[0].rows()), (1, 3));
    for (joint, words) in [
        (
            "kind = \"distance\"\na = \"p\"\nb = \"q\"\nclose_in = 1",
            "distance does not hold two points together",
        ),
        (&format!("kind = \"spherical\"\n{anchors}\nclose_in = 0"), "it must be positive"),
        (
            &format!("kind = \"spherical\"\n{anchors}\nclose_in = 1\nfriction = {{ viscous = 1 }}"),
            "has no coordinates",
        ),
        (
            "kind = \"knife-edge\"\na = \"p\"\nb = \"q\"\ndirection = [1, 0, 0]\nclose_in = 1",
            "no gap to close",
        ),
        (
            &format!(
                "kind = \"revolute\"\n{anchors}\naxis_in_a = [0, 0, 1]\naxis_in_b = [1, 0, 0]\nclose_in = 1"
            ),
            "points against the axis on a",
        ),
    ] {
        let error = model(&two_bodies(joint)).map(|_| ()).unwrap_err().render();
        assert!(error.contains(words) && error.contains("joints.j"), "{joint}:\n{error}");
    }
}

#[test]
fn an_armature_is_an_inertia_or_a_mass() {
    let of = |joint: &str| model(&two_bodies(joint)).map(|model| model.joints()[0].armature);
    let at = "a = \"p\"\nb = \"q\"\nanchor = [0, 0, 0]\naxis = [0, 0, 1]";
    assert_eq!(of(&format!("kind = \"revolute\"\n{at}\narmature = 0.01")).unwrap(), 0.01);
    assert_eq!(of(&format!("kind = \"prismatic\"\n{at}\narmature = \"500 g\"")).unwrap(), 0.5);
    assert_eq!(of(&format!("kind = \"revolute\"\n{at}")).unwrap(), 0.0);
    let refused = |joint: String| of(&joint).unwrap_err().render();
    let message = refused(format!("kind = \"revolute\"\n{at}\narmature = \"1 m\""));
    assert!(message.contains("joints.j.armature"), "{message}");
    let message = refused(format!("kind = \"cylindrical\"\n{at}\narmature = 0.01"));
    assert!(message.contains("armature"), "{message}");
}

/// A ball falls on a card that stays in the x–y plane: it stops at half of the thickness that the card says, and not at
/// that of the prism by which planar bodies meet each other.
#[test]
fn planar_shapes_are_as_thick_as_they_say_among_bodies_in_space() {
    for (shape, half) in [
        ("{ kind = \"box\", size = [1, 1, 0.02] }", 0.01),
        ("{ kind = \"plate\", size = [1, 1], thickness = 0.1 }", 0.05),
        ("{ kind = \"hull\", vertices = [[-1, -1], [1, -1], [0, 1]], thickness = 0.04 }", 0.02),
    ] {
        let mut sim = posed(&format!(
            r#"
            gravity = [0, 0, 0]
            [contacts]
            [bodies.ball]
            shape = {{ kind = "sphere", radius = 0.1 }}
            mass = 1
            position = [0, 0, 0.5]
            velocity = [0, 0, -2]
            [bodies.card]
            kind = "planar"
            mass = 1
            shape = {shape}
            "#
        ));
        sim.run(0.5, 1e-2).expect("a run");
        let height = sim.state().coordinates()[2];
        // The impact is located and the gap projected to 1e-10 of the size of the parts.
        assert!((height - (0.1 + half)).abs() < 1e-9, "{shape}: {height}");
    }
}
