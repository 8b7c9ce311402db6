//! MJCF files: what each of their conventions means, one test per trap (docs/robots.md lists them).

use crate::robots::{assert_rows_are_tests, model};
use cardan::math::{Quat, Vec3, vec3};
use cardan::{Frame, JointId, Simulation};
use cardan_scene::{
    ImportOptions, Imported, JointDesc, JointKindDesc, OneOrMany, Scene, ShapeKind, Treatment,
    bundled_robots, import_robot,
};
use cardan_testkit::{Tolerance, assert_close};
use std::path::{Path, PathBuf};

fn import_with(mjcf: &str, options: &ImportOptions) -> Imported {
    import_robot("m.xml", mjcf, Path::new(""), options).unwrap_or_else(|e| panic!("{}\n{mjcf}", e.render()))
}

fn import(mjcf: &str) -> Imported {
    import_with(mjcf, &ImportOptions::default())
}

fn simulation(mjcf: &str) -> Simulation {
    Simulation::new(model(import(mjcf)))
}

fn id(sim: &Simulation, name: &str) -> JointId {
    sim.model().find_joint(name).unwrap_or_else(|| panic!("there is no joint {name}"))
}

/// Position of a body's frame origin and its orientation.
fn pose(sim: &mut Simulation, name: &str) -> (Vec3, Quat) {
    let body = sim.model().find_body(name).unwrap_or_else(|| panic!("there is no body {name}"));
    let center = sim.model()[body].mass.center;
    let now = sim.kinematics();
    let now = now.body(body);
    (now.position - now.orientation * center, now.orientation)
}

fn assert_near(x: Vec3, y: Vec3, size: f64) {
    for (x, y) in x.to_array().into_iter().zip(y.to_array()) {
        assert_close(x, y, Tolerance::rounding(64, size));
    }
}

fn joint<'s>(imported: &'s Imported, name: &str) -> &'s JointDesc {
    imported.scene.joints.get(name).unwrap_or_else(|| panic!("there is no joint {name}"))
}

/// A hinge with these attributes, and what else is in its body.
fn hinge(attributes: &str, more: &str) -> String {
    format!(
        r#"<mujoco><worldbody><body name="b"><joint name="j" {attributes}/>
        <geom type="box" size="0.1 0.2 0.3" pos="0 0 -1"/></body></worldbody>{more}</mujoco>"#
    )
}

fn notes(imported: &Imported, treatment: Treatment) -> Vec<&str> {
    imported.report.of(treatment).map(|note| note.what.as_str()).collect()
}

#[test]
fn angles_are_degrees_unless_said() {
    let limits =
        |text: &str| joint(&import(text), "j").limits.clone().expect("limits")[0].map(|end| end.0.value);
    let [low, high] = limits(&hinge("range=\"-90 45\"", ""));
    assert_close(low, -core::f64::consts::FRAC_PI_2, Tolerance::rounding(2, 2.0));
    assert_close(high, core::f64::consts::FRAC_PI_4, Tolerance::rounding(2, 1.0));
    assert_eq!(limits(&hinge("range=\"-1 2\"", "<compiler angle=\"radian\"/>")), [-1.0, 2.0]);
    // Lengths are no angles.
    assert_eq!(limits(&hinge("type=\"slide\" range=\"-1 2\"", "")), [-1.0, 2.0]);
}

#[test]
fn euler_angles_are_about_axes_that_turn() {
    let turned = |compiler: &str| {
        let text = format!(
            r#"<mujoco>{compiler}<worldbody><body name="b" euler="30 40 50"><freejoint/><geom size="1"/></body></worldbody></mujoco>"#
        );
        pose(&mut simulation(&text), "b").1
    };
    let turn = |axis, angle: f64| Quat::from_axis_angle(axis, angle.to_radians()).expect("an axis");
    let same = |a: Quat, b: Quat| assert_near((a.inverse() * b).log(), Vec3::ZERO, 1.0);
    let [x, y, z] = [turn(Vec3::X, 30.0), turn(Vec3::Y, 40.0), turn(Vec3::Z, 50.0)];
    same(turned(""), x * y * z);
    same(turned("<compiler eulerseq=\"XYZ\"/>"), z * y * x);
    same(turned("<compiler eulerseq=\"zyx\"/>"), turn(Vec3::Z, 30.0) * y * turn(Vec3::X, 50.0));
}

#[test]
fn sizes_are_half_lengths() {
    let imported = import(&hinge("", ""));
    let body = imported.scene.bodies.get("b").expect("a body");
    let mass = body.mass.expect("a mass").0;
    assert_close(mass, 1000.0 * 0.2 * 0.4 * 0.6, Tolerance::rounding(4, 48.0));
    let shape = &body.all_shapes()[0];
    assert_eq!(shape.kind, ShapeKind::Box);
    let size: Vec<f64> = shape.size.iter().flatten().map(|edge| edge.0).collect();
    assert_eq!(size, [0.2, 0.4, 0.6]);
    // A capsule along a line has its half length from the line; its caps are beyond it.
    let text = r#"<mujoco><worldbody><body name="b"><freejoint/><geom type="capsule" size="0.1" fromto="0 0 0 0 0.4 0"/>
        </body></worldbody></mujoco>"#;
    let imported = import(text);
    let shape = &imported.scene.bodies.get("b").expect("a body").all_shapes()[0];
    assert_eq!(shape.length.expect("a length").0, 0.4);
}

#[test]
fn inertia_is_that_of_the_geoms_unless_given() {
    let text = |compiler: &str, inertial: &str| {
        format!(
            r#"<mujoco>{compiler}<worldbody><body name="b"><freejoint/>{inertial}<geom size="0.1" density="500"/>
            <geom size="0.1" mass="0"/><geom size="0.2" group="3" mass="7"/></body></worldbody></mujoco>"#
        )
    };
    let mass = |text: &str| import(text).scene.bodies.get("b").expect("a body").mass.expect("a mass").0;
    let ball = 500.0 * 4.0 / 3.0 * core::f64::consts::PI * 1e-3;
    let own = r#"<inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>"#;
    for (compiler, inertial, want) in [
        ("", "", ball + 7.0),
        ("", own, 3.0),
        ("<compiler inertiafromgeom=\"true\"/>", own, ball + 7.0),
        ("<compiler inertiafromgeom=\"false\"/>", own, 3.0),
        ("<compiler inertiagrouprange=\"0 2\"/>", "", ball),
        ("<compiler boundmass=\"20\"/>", "", 20.0),
        ("<compiler settotalmass=\"5\"/>", own, 5.0),
    ] {
        assert_close(mass(&text(compiler, inertial)), want, Tolerance::rounding(8, want));
    }
}

#[test]
fn ref_is_the_coordinate_in_the_pose_of_the_file() {
    let mut sim = simulation(&hinge("axis=\"0 1 0\" ref=\"30\" springref=\"10\" stiffness=\"2\"", ""));
    let id = self::id(&sim, "j");
    assert_close(sim.angle(id), 30f64.to_radians(), Tolerance::rounding(8, 1.0));
    assert_near(pose(&mut sim, "b").1.log(), Vec3::ZERO, 1.0);
    // Zero is 30 degrees back, and the spring rests at 10 degrees.
    sim.set_positions_of(id, &[0.0]).expect("a hinge turns");
    assert_near(pose(&mut sim, "b").1.log(), vec3(0.0, -30f64.to_radians(), 0.0), 1.0);
    let imported = import(&hinge("ref=\"30\" springref=\"10\" stiffness=\"2\"", ""));
    let Some(OneOrMany::One(spring)) = &joint(&imported, "j").spring else { panic!("a spring") };
    assert_close(spring.rest.expect("a rest").value, 10f64.to_radians(), Tolerance::rounding(2, 1.0));
}

#[test]
fn joints_are_given_in_the_frame_of_their_body() {
    // The body is turned by 90 degrees about z: its x axis is the world's y.
    let text = r#"<mujoco><worldbody><body name="b" pos="1 0 0" euler="0 0 90"><joint name="j" axis="1 0 0" pos="0 0.5 0"/>
        <geom size="0.1"/></body></worldbody></mujoco>"#;
    let mut sim = simulation(text);
    let id = self::id(&sim, "j");
    sim.set_positions_of(id, &[0.3]).expect("a hinge turns");
    let (place, turn) = pose(&mut sim, "b");
    let motion = Quat::from_axis_angle(Vec3::Y, 0.3).expect("an axis");
    let anchor = vec3(0.5, 0.0, 0.0);
    assert_near(place, anchor + motion * (vec3(1.0, 0.0, 0.0) - anchor), 2.0);
    assert_near((turn * Vec3::X) - Vec3::Y, Vec3::ZERO, 1.0);
}

#[test]
fn joints_of_one_body_act_one_after_another() {
    let text = r#"<mujoco><worldbody><body name="b"><joint name="s" type="slide" axis="1 0 0"/>
        <joint name="x" axis="1 0 0"/><joint name="z" axis="0 0 1" pos="0 0.2 0"/><geom size="0.1"/></body></worldbody></mujoco>"#;
    let mut sim = simulation(text);
    for (name, value) in [("s", 0.7), ("x", 0.4), ("z", -0.6)] {
        let id = self::id(&sim, name);
        sim.set_positions_of(id, &[value]).expect("a joint moves");
    }
    let [x, z] =
        [(Vec3::X, 0.4), (Vec3::Z, -0.6)].map(|(axis, q)| Quat::from_axis_angle(axis, q).expect("an axis"));
    let (place, turn) = pose(&mut sim, "b");
    assert_near(((x * z).inverse() * turn).log(), Vec3::ZERO, 1.0);
    let pin = vec3(0.0, 0.2, 0.0);
    assert_near(place, vec3(0.7, 0.0, 0.0) + x * (pin - z * pin), 2.0);
    // What is between two joints weighs nothing that counts.
    let imported = import(text);
    let mass: f64 = imported.scene.bodies.iter().map(|(_, body)| body.mass.expect("a mass").0).sum();
    assert_close(mass, 4000.0 / 3.0 * core::f64::consts::PI * 1e-3, Tolerance::rounding(8, 5.0));
    assert!(notes(&imported, Treatment::Approximated).iter().any(|what| what.contains("several joints")));
}

#[test]
fn classes_are_inherited_and_overridden() {
    let text = r#"<mujoco><default><joint damping="1" armature="0.1"/>
        <default class="a"><joint damping="2"/><default class="b"><joint stiffness="5"/></default></default></default>
        <worldbody><body name="m" childclass="b"><joint name="own"/><geom size="0.1"/>
          <body name="n"><joint name="below" damping="7"/><geom size="0.1"/></body>
          <body name="o"><joint name="other" class="main"/><geom size="0.1"/></body></body></worldbody></mujoco>"#;
    let imported = import(text);
    let found = |name: &str| {
        let desc = joint(&imported, name);
        let spring = desc.spring.as_ref().map(|s| s.as_slice()[0].stiffness.expect("a stiffness").value);
        (desc.friction.as_ref().expect("friction").as_slice()[0].viscous.expect("viscous").value, spring)
    };
    assert_eq!(found("own"), (2.0, Some(5.0)));
    assert_eq!(found("below"), (7.0, Some(5.0)));
    assert_eq!(found("other"), (1.0, None));
    assert_eq!(joint(&imported, "below").armature.expect("an armature").value, 0.1);
}

#[test]
fn a_range_alone_limits_a_joint() {
    let limits = |text: &str| joint(&import(text), "j").limits.clone();
    assert!(limits(&hinge("range=\"-1 1\"", "")).is_some());
    assert!(limits(&hinge("range=\"-1 1\" limited=\"false\"", "")).is_none());
    assert!(limits(&hinge("range=\"-1 1\"", "<compiler autolimits=\"false\"/>")).is_none());
    assert!(limits(&hinge("range=\"-1 1\"", "<option><flag limit=\"disable\"/></option>")).is_none());
}

/// Slides, hinges, a ball, springs, dampers, armatures, actuators and a key frame, beside the accelerations
/// that MuJoCo 4.0.0 gives at the key frame. Intermediate bodies of 1e-14 of the mass are between joints of
/// one body.
#[test]
fn accelerations_are_those_of_mujoco() {
    const MUJOCO: [f64; 5] =
        [5.708805397839154, -34.73203689699554, 9.051367013762098, 95.14297884311502, -95.11949955151891];
    const ANKLE: [f64; 3] = [-103.85318971192709, -141.586593464589, -8.513622597910114];
    // Relative to the largest, 154 rad/s².
    let near =
        || Tolerance::because("bodies between joints weigh 1e-14, times the condition of the inertia", 1e-10);
    let options = ImportOptions { keyframe: Some("moving".to_string()), ..ImportOptions::default() };
    let mut sim = Simulation::new(model(import_with(include_str!("data/mixed.xml"), &options)));
    let (place, _) = pose(&mut sim, "foot");
    assert!(place.is_finite());
    let order = sim.model().joint_order().clone();
    let all = sim.joint_accelerations().expect("accelerations");
    let of = |name: &str| {
        let id = sim.model().find_joint(name).expect("a joint");
        let entry = order.entries().iter().find(|e| e.part == cardan::joint_space::OrderedPart::Joint(id));
        all[entry.expect("an entry").rates.clone()].to_vec()
    };
    for (name, want) in ["x", "yaw", "hip-x", "hip-y", "hip-z"].into_iter().zip(MUJOCO) {
        assert_close(of(name)[0], want, near());
    }
    for (found, want) in of("ankle").into_iter().zip(ANKLE) {
        assert_close(found, want, near());
    }
}

#[test]
fn connect_closes_a_loop_at_rounding() {
    // A four-bar: the rocker meets the coupler where it is in the file.
    let text = r#"<mujoco><option timestep="0.002" integrator="RK4"/><default><geom type="capsule" size="0.02"/></default><worldbody>
        <body name="crank"><joint name="a" axis="0 1 0"/><geom fromto="0 0 0 0 0 0.3"/>
          <body name="coupler" pos="0 0 0.3"><joint name="b" axis="0 1 0"/><geom fromto="0 0 0 0.6 0 0.1"/></body></body>
        <body name="rocker" pos="0.5 0 0"><joint name="c" axis="0 1 0"/><geom fromto="0 0 0 0.1 0 0.4"/></body></worldbody>
        <equality><connect name="pin" body1="coupler" body2="rocker" anchor="0.6 0 0.1" solref="0.01 1"/></equality></mujoco>"#;
    let imported = import(text);
    assert_eq!(joint(&imported, "pin").kind, JointKindDesc::Spherical);
    assert!(notes(&imported, Treatment::Ignored).iter().any(|what| what.contains("solref")));
    let mut sim = Simulation::new(model(imported));
    for _ in 0..500 {
        sim.step(2e-3).expect("a step");
    }
    let (coupler, turn) = pose(&mut sim, "coupler");
    let (rocker, other) = pose(&mut sim, "rocker");
    let gap = coupler + turn * vec3(0.6, 0.0, 0.1) - rocker - other * vec3(0.1, 0.0, 0.4);
    assert_close(gap.norm(), 0.0, Tolerance::rounding(200, 1.0));
}

#[test]
fn welds_and_polynomials_are_exact() {
    let text = r#"<mujoco><worldbody>
        <body name="a"><joint name="p" axis="0 1 0" ref="20"/><geom size="0.1" pos="0.5 0 0"/></body>
        <body name="b" pos="1 0 0"><joint name="q" axis="0 1 0"/><geom size="0.1" pos="0.5 0 0"/></body>
        <body name="c" pos="2 0 0"><freejoint/><geom size="0.1"/></body></worldbody>
        <equality><joint joint1="q" joint2="p" polycoef="0.1 2 0.5"/><weld body1="b" body2="c"/></equality></mujoco>"#;
    let imported = import(text);
    let weld = imported.scene.joints.iter().find(|(_, j)| j.kind == JointKindDesc::Fixed).expect("a weld").1;
    assert_eq!(weld.ends(), ("b", "c"));
    let mut sim = Simulation::new(model(imported));
    let [p, q] = [id(&sim, "p"), id(&sim, "q")];
    sim.set_positions_of(p, &[0.6]).expect("a hinge turns");
    let x = 0.6 - 20f64.to_radians();
    assert_close(sim.angle(q), 0.1 + 2.0 * x + 0.5 * x * x, Tolerance::rounding(64, 1.0));
}

#[test]
fn actuators_are_motors_and_servos() {
    let act = |actuator: &str| {
        joint(&import(&hinge("axis=\"0 1 0\"", &format!("<actuator>{actuator}</actuator>"))), "j").clone()
    };
    let motor = act(r#"<motor joint="j" gear="30" ctrlrange="-2 1"/>"#).motor.expect("a motor");
    assert_eq!(motor.as_slice()[0].limit.expect("a limit").value, 60.0);
    let servo =
        act(r#"<position joint="j" kp="10" kv="2" gear="3" forcerange="-4 4"/>"#).servo.expect("a servo");
    let servo = &servo.as_slice()[0];
    let values =
        [servo.stiffness.value, servo.damping.expect("damping").value, servo.limit.expect("a limit").value];
    assert_eq!(values, [90.0, 18.0, 12.0]);
    let speed = act(r#"<velocity joint="j" kv="2"/>"#).servo.expect("a servo");
    assert_eq!(
        [speed.as_slice()[0].stiffness.value, speed.as_slice()[0].damping.expect("damping").value],
        [0.0, 2.0]
    );
    let general = act(r#"<general joint="j" biastype="affine" gainprm="5" biasprm="1 -5 -0.5"/>"#)
        .servo
        .expect("a servo");
    assert_eq!(general.as_slice()[0].stiffness.value, 5.0);
    // Without a range it is a force.
    assert!(act(r#"<motor joint="j"/>"#).drive.is_some());
    let report = import(&hinge("", r#"<actuator><muscle joint="j"/></actuator>"#));
    assert!(notes(&report, Treatment::Ignored).contains(&"actuator <muscle>"));
}

#[test]
fn frames_and_replicas_place_their_bodies() {
    let text = r#"<mujoco><worldbody><frame pos="0 0 1" euler="0 0 90"><replicate count="12" sep="-" offset="1 0 0" euler="0 0 30">
        <body name="b" pos="0.5 0 0"><joint name="j"/><geom size="0.1"/></body></replicate></frame></worldbody></mujoco>"#;
    let mut sim = simulation(text);
    let turn = |degrees: f64| Quat::from_axis_angle(Vec3::Z, degrees.to_radians()).expect("an axis");
    let (mut at, arm) = (Vec3::ZERO, vec3(0.5, 0.0, 0.0));
    for i in 0..12 {
        let (place, rot) = pose(&mut sim, &format!("b-{i:02}"));
        let want = turn(90.0) * (at + turn(30.0 * f64::from(i)) * arm) + Vec3::Z;
        assert_near(place, want, 10.0);
        assert_near((turn(90.0 + 30.0 * f64::from(i)).inverse() * rot).log(), Vec3::ZERO, 4.0);
        at += turn(30.0 * f64::from(i)) * Vec3::X;
    }
}

#[test]
fn files_are_included_once_and_from_the_folder() {
    let folder = scratch("mjcf-include");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    let part = r#"<mujocoinclude><body name="b"><joint name="j"/><geom size="0.1"/></body></mujocoinclude>"#;
    write("part.xml", part);
    write("m.xml", r#"<mujoco><worldbody><include file="part.xml"/></worldbody></mujoco>"#);
    write("cycle.xml", r#"<mujoco><include file="cycle.xml"/></mujoco>"#);
    write(
        "twice.xml",
        r#"<mujoco><worldbody><include file="part.xml"/><include file="part.xml"/></worldbody></mujoco>"#,
    );
    write("out.xml", r#"<mujoco><include file="../secret.xml"/></mujoco>"#);
    write("none.xml", r#"<mujoco><include file="none-such.xml"/></mujoco>"#);
    let read = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).expect("a file");
        import_robot(&folder.join(name).display().to_string(), &text, &folder, &ImportOptions::default())
    };
    assert!(read("m.xml").expect("a model").scene.joints.get("j").is_some());
    for (name, says) in [
        ("cycle.xml", "is included already"),
        ("twice.xml", "is included already"),
        ("out.xml", "lies outside the folder"),
        ("none.xml", "cannot be included"),
    ] {
        let error = read(name).expect_err("a mistake");
        assert!(error.message().contains(says), "{name}: {error}");
    }
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn meshes_give_inertia_and_hulls() {
    let folder = scratch("mjcf-mesh");
    // A tetrahedron with corners at the origin and 1 on each axis: volume 1/6, centre 1/4.
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::fs::create_dir_all(folder.join("parts")).expect("a folder");
    std::fs::write(folder.join("parts/t.obj"), obj).expect("a file");
    let text = r#"<mujoco><compiler meshdir="parts"/><asset><mesh file="t.obj" scale="2 2 2"/></asset><worldbody>
        <body name="b"><freejoint/><geom type="mesh" mesh="t" density="6"/></body></worldbody></mujoco>"#;
    let options = ImportOptions::default();
    let imported =
        import_robot("m.xml", text, &folder, &options).unwrap_or_else(|e| panic!("{}", e.render()));
    let body = imported.scene.bodies.get("b").expect("a body");
    assert_close(body.mass.expect("a mass").0, 8.0, Tolerance::rounding(16, 8.0));
    let center = body.center_of_mass.expect("a centre").in_space();
    center.into_iter().for_each(|x| assert_close(x, 0.5, Tolerance::rounding(16, 1.0)));
    assert_eq!(body.all_shapes()[0].kind, ShapeKind::Hull);
    let error = import_robot(
        "m.xml",
        &text.replace("t.obj", "u.obj").replace("mesh=\"t\"", "mesh=\"u\""),
        &folder,
        &options,
    );
    assert!(error.expect_err("no file").message().contains("cannot be read"));
}

#[test]
fn key_frames_are_states_to_start_from() {
    let text = hinge(
        "axis=\"0 1 0\"",
        r#"<actuator><motor joint="j" ctrlrange="-2 2"/></actuator>
        <keyframe><key qpos="0.1"/><key name="up" qpos="0.5" qvel="2" ctrl="1"/></keyframe>"#,
    );
    let start = |key: Option<&str>| {
        let options = ImportOptions { keyframe: key.map(str::to_string), ..ImportOptions::default() };
        let imported = import_with(&text, &options);
        let motor = joint(&imported, "j").motor.clone().expect("a motor");
        let mut sim = Simulation::new(model(imported));
        let id = self::id(&sim, "j");
        (sim.angle(id), sim.rate(id, 0), format!("{:?}", motor.as_slice()[0].law))
    };
    assert_eq!(start(None).0, 0.0);
    assert_close(start(Some("0")).0, 0.1, Tolerance::rounding(4, 1.0));
    let (angle, rate, law) = start(Some("up"));
    assert_close(angle, 0.5, Tolerance::rounding(4, 1.0));
    assert_close(rate, 2.0, Tolerance::rounding(16, 2.0));
    assert!(law.contains("0.5"), "{law}");
}

#[test]
fn what_touches_follows_contype_and_trees() {
    let text = r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
        <body name="a" pos="0 0 1"><freejoint/><geom name="ga" size="0.1"/>
          <body name="b" pos="0 0 1"><joint/><geom size="0.1"/><body name="c" pos="0 0 1"><joint/><geom size="0.1"/></body></body></body>
        <body name="d" pos="1 0 1"><freejoint/><geom name="gd" size="0.1"/></body>
        <body name="e" pos="2 0 1"><freejoint/><geom size="0.1" contype="0" conaffinity="0"/></body>
        <body name="f" pos="3 0 1"><freejoint/><geom size="0.1" contype="2" conaffinity="2"/></body>
        <body name="g" pos="0 0 9"><joint type="slide"/><geom size="0.1"/></body></worldbody>
        <contact><exclude body1="a" body2="d"/></contact></mujoco>"#;
    let group = |imported: &Imported, name: &str| {
        imported.scene.bodies.get(name).expect("a body").shape.as_ref().expect("a shape").group.clone()
    };
    let excluded = |options: &ImportOptions| {
        let imported = import_with(text, options);
        let groups = ["a", "b", "c", "d", "g"].map(|name| group(&imported, name));
        // Bodies of one tree are one group, as the links of a URDF robot are.
        let tree = (!options.self_collision).then(|| "links of a".to_string());
        assert_eq!(groups, [tree.clone(), tree.clone(), tree, None, None]);
        let contacts = imported.scene.contacts.expect("contacts");
        assert_eq!(contacts.add, [["ground".to_string(), "g".to_string()]]);
        contacts.exclude
    };
    let has = |all: &[Vec<String>], names: &[&str]| {
        all.iter().any(|list| list.iter().map(String::as_str).eq(names.iter().copied()))
    };
    let all = excluded(&ImportOptions::default());
    assert!(has(&all, &["a", "d"]) && has(&all, &["ground", "f"]) && !has(&all, &["a", "b"]), "{all:?}");
    let all = excluded(&ImportOptions { self_collision: true, ..ImportOptions::default() });
    assert!(has(&all, &["a", "b"]) && has(&all, &["b", "c"]) && !has(&all, &["a", "c"]), "{all:?}");
}

#[test]
fn tendons_are_couplers_ropes_and_springs() {
    let text = r#"<mujoco><worldbody><site name="top" pos="0 0 2"/>
        <body name="a"><joint name="p" axis="0 1 0"/><geom size="0.1" pos="0.5 0 0"/></body>
        <body name="b" pos="1 0 0"><joint name="q" axis="0 1 0"/><geom size="0.1" pos="0.5 0 0"/><site name="tip" pos="0.5 0 0"/></body></worldbody>
        <tendon><fixed name="pair"><joint joint="p" coef="2"/><joint joint="q" coef="-1"/></fixed>
          <fixed name="one" stiffness="3" springlength="0.5"><joint joint="p" coef="2"/></fixed>
          <spatial name="rope" range="0 3" stiffness="10"><site site="top"/><site site="tip"/></spatial></tendon>
        <equality><tendon tendon1="pair"/></equality>
        <actuator><motor tendon="pair" gear="4"/></actuator></mujoco>"#;
    let imported = import(text);
    let coupler =
        imported.scene.joints.iter().find(|(_, j)| j.kind == JointKindDesc::Coupler).expect("a coupler").1;
    assert_eq!(coupler.terms.as_ref().expect("terms").len(), 2);
    let spring = joint(&imported, "p").spring.clone().expect("a spring").as_slice()[0].clone();
    assert_eq!((spring.stiffness.expect("k").value, spring.rest.expect("a rest").value), (12.0, 0.25));
    assert_eq!(imported.scene.inequalities.get("rope").expect("a rope").max.expect("a length").0, 3.0);
    let length = imported.scene.forces.get("rope").expect("a spring").rest_length.expect("a length").0;
    assert_close(length, 2.5, Tolerance::rounding(4, 3.0));
    assert!(joint(&imported, "p").drive.is_some() && joint(&imported, "q").drive.is_some());
    model(imported);
}

#[test]
fn weight_is_carried_by_gravcomp() {
    let text = r#"<mujoco><worldbody><body name="b" gravcomp="1"><freejoint/><geom size="0.1" pos="0.3 0 0"/></body></worldbody></mujoco>"#;
    let mut sim = simulation(text);
    let all = sim.joint_accelerations().expect("accelerations");
    all.iter().for_each(|x| assert_close(*x, 0.0, Tolerance::rounding(16, 9.81)));
}

#[test]
fn a_model_may_float_and_may_be_a_part_of_a_scene() {
    let text = r#"<mujoco><worldbody><body name="b" pos="0 0 1"><geom size="0.1"/><body name="c"><joint name="j"/><geom size="0.1" pos="1 0 0"/></body></body></worldbody></mujoco>"#;
    assert_eq!(import(text).scene.bodies.len(), 1);
    let options = ImportOptions { floating: true, ..ImportOptions::default() };
    assert_eq!(import_with(text, &options).scene.bodies.len(), 2);
    let base = Frame { pos: vec3(0.0, 2.0, 0.0), rot: Quat::from_axis_angle(Vec3::Z, 1.0).expect("an axis") };
    let options =
        ImportOptions { base, prefix: "left/".to_string(), is_part: true, ..ImportOptions::default() };
    let imported = import_with(text, &options);
    let mut sim = Simulation::new(model(imported));
    let (place, turn) = pose(&mut sim, "left/c");
    assert_near(place, vec3(0.0, 2.0, 1.0), 2.0);
    assert_near((base.rot.inverse() * turn).log(), Vec3::ZERO, 1.0);
}

#[test]
fn a_robot_in_an_xml_file_is_urdf() {
    let robot = bundled_robots().iter().find(|robot| robot.name == "desk-arm").expect("a robot").text;
    let imported = import_robot("arm.xml", robot, Path::new(""), &ImportOptions::default()).expect("a robot");
    assert_eq!(imported.scene.bodies.len(), 7);
}

/// Six loops with motors: closed at rounding, moving.
#[test]
fn the_delta_robot_stays_closed() {
    let delta = bundled_robots().iter().find(|robot| robot.name == "delta").expect("a robot").text;
    let options = ImportOptions { keyframe: Some("reach".to_string()), ..ImportOptions::default() };
    let mut sim = Simulation::new(model(import_with(delta, &options)));
    let start = pose(&mut sim, "platform").0;
    for _ in 0..300 {
        sim.step(1e-3).expect("a step");
    }
    let (place, turn) = pose(&mut sim, "platform");
    assert!((place - start).norm() > 0.05, "the servos move it");
    // The parallel rods keep the platform level.
    assert_close(turn.log().norm(), 0.0, Tolerance::rounding(1000, 1.0));
    let worst = sim.certificate().max_position_error;
    assert_close(worst, 0.0, Tolerance::rounding(400, 1.0));
}

/// Every row of the table of traps names its test.
#[test]
fn every_trap_of_the_page_is_a_test() {
    assert_rows_are_tests("## Traps of MJCF", include_str!("mjcf.rs"), 12);
}

/// Import, scene text, import: the same text, and the same bits.
#[test]
fn the_scene_text_gives_the_same_scene() {
    for text in [
        include_str!("data/mixed.xml"),
        bundled_robots().iter().find(|r| r.name == "delta").expect("a robot").text,
    ] {
        let imported = import(text);
        let (toml, scene) = (imported.toml.clone(), imported.scene.clone());
        let document = imported.into_document("m.xml", Path::new("")).expect("a document");
        let again = Scene::from_document(&document).expect("a scene");
        assert_eq!(again, scene);
        let run = |scene: &Scene| {
            let mut sim = Simulation::new(scene.to_model(&document).expect("a model"));
            for _ in 0..20 {
                sim.step(1e-3).expect("a step");
            }
            sim.state_hash()
        };
        assert_eq!(run(&again), run(&scene));
        assert!(toml.contains("m.xml, line "), "{toml}");
    }
}

/// `relpose` is where the anchor, a point of the second body, is in the first, and how the second is turned there. By
/// MuJoCo's `efc_pos`, not by the words of its page, which say "the pose of the second body".
#[test]
fn the_anchor_of_a_weld_is_held_where_relpose_says() {
    let text = r#"<mujoco><worldbody><body name="a"><joint name="j"/><geom size="0.1" pos="0.2 0 0"/></body>
        <body name="b" pos="0.6 0.3 0.4"><freejoint/><geom size="0.1"/></body></worldbody>
        <equality><weld name="w" body1="a" body2="b" anchor="0.1 0.2 0.3" relpose="0.4 0.1 0 0.6 0.8 0 0"/></equality></mujoco>"#;
    let imported = import(text);
    let weld = imported.scene.joints.get("w").expect("a weld");
    let side = |frame: &Option<cardan_scene::FrameDesc>| {
        frame.as_ref().and_then(|frame| frame.position).map_or([0.0; 3], |position| position.map(f64::from))
    };
    assert_eq!([side(&weld.frame_in_a), side(&weld.frame_in_b)], [[0.4, 0.1, 0.0], [0.1, 0.2, 0.3]]);
}

/// A tendon without a `springlength` is relaxed where all joints are at their `springref`, which is 0 unless given, and
/// not where the file shows it (`ref`).
#[test]
fn a_tendon_is_relaxed_where_the_springs_of_joints_are() {
    let text = r#"<mujoco><worldbody><site name="top" pos="0 0 1"/><body name="a">
        <joint name="j" type="slide" axis="0 0 1" ref="0.25" springref="0.75"/><geom size="0.1"/><site name="tip"/></body></worldbody>
        <tendon><spatial name="t" stiffness="8"><site site="top"/><site site="tip"/></spatial></tendon></mujoco>"#;
    let scene = import(text).scene;
    // Shown at q = 0.25, 1 m below the site; at 0.75 it is 0.5 m higher.
    let spring = scene.forces.get("t").expect("a spring");
    assert_eq!(spring.rest_length.map(f64::from), Some(0.5));
    let fixed = text.replace(
        r#"<spatial name="t" stiffness="8"><site site="top"/><site site="tip"/></spatial>"#,
        r#"<fixed name="t" stiffness="8"><joint joint="j" coef="2"/></fixed>"#,
    );
    let scene = import(&fixed).scene;
    let spring = scene.joints.get("j").expect("a joint").spring.clone().expect("a spring");
    let spring = &spring.as_slice()[0];
    assert_eq!(
        (spring.stiffness.map(|k| k.value), spring.rest.map(|rest| rest.value)),
        (Some(32.0), Some(0.75))
    );
}
