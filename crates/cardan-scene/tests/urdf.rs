//! URDF files: what each of their conventions means, one test per trap (docs/robots.md lists them).

use crate::robots::{assert_rows_are_tests, folder, model};
use cardan::math::{Mat3, Quat, Sym3, Vec3, vec3};
use cardan::{Frame, JointId, Simulation};
use cardan_scene::{
    ImportOptions, Imported, JointKindDesc, MeshUse, Scene, ShapeKind, Treatment, bundled_robots,
    import_robot,
};
use cardan_testkit::{Rng, Tolerance, assert_close};
use std::path::Path;
use std::sync::Arc;

const INERTIAL: &str = r#"<inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
    <inertia ixx="0.2" iyy="0.3" izz="0.15" ixy="0.01" ixz="-0.02" iyz="0.03"/></inertial>"#;

/// A base and an arm with a joint of this text between them.
fn one_joint(joint: &str) -> String {
    format!(r#"<robot name="r"><link name="base"/><link name="arm">{INERTIAL}</link>{joint}</robot>"#)
}

fn import_with(urdf: &str, options: &ImportOptions) -> Imported {
    import_robot("r.urdf", urdf, Path::new(""), options).unwrap_or_else(|e| panic!("{}\n{urdf}", e.render()))
}

fn import(urdf: &str) -> Imported {
    import_with(urdf, &ImportOptions::default())
}

fn simulation(urdf: &str) -> Simulation {
    Simulation::new(model(import(urdf)))
}

fn joint(sim: &Simulation, name: &str) -> JointId {
    sim.model().find_joint(name).unwrap_or_else(|| panic!("there is no joint {name}"))
}

/// R_z(yaw) R_y(pitch) R_x(roll), element by element.
fn rpy([r, p, y]: [f64; 3]) -> Mat3 {
    let (cr, sr, cp, sp, cy, sy) = (r.cos(), r.sin(), p.cos(), p.sin(), y.cos(), y.sin());
    Mat3::from_columns(
        vec3(cy * cp, sy * cp, -sp),
        vec3(cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr),
        vec3(cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr),
    )
}

fn assert_near(x: Vec3, y: Vec3, size: f64) {
    for (x, y) in x.to_array().into_iter().zip(y.to_array()) {
        assert_close(x, y, Tolerance::rounding(64, size));
    }
}

#[test]
fn missing_axis_is_x() {
    let joint = r#"<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>"#;
    let mut sim = simulation(&one_joint(joint));
    let id = self::joint(&sim, "j");
    sim.set_positions_of(id, &[0.5]).expect("a hinge turns");
    let body = sim.model().find_body("arm").expect("a body");
    let turned = sim.kinematics().body(body).orientation * Vec3::Y;
    assert_near(turned, vec3(0.0, libm::cos(0.5), libm::sin(0.5)), 1.0);
}

/// Position and orientation of a link by the textbook's product of frames, at random angles.
#[test]
fn coordinates_have_the_zero_and_sign_of_the_file() {
    let mut rng = Rng::new(11);
    for _ in 0..10 {
        let [place, turn] = [rng.vector(1.0), rng.vector(3.0)];
        let (axis, angle) = (rng.direction(), rng.range(-2.0, 2.0));
        let numbers = |v: Vec3| format!("{:?} {:?} {:?}", v.x, v.y, v.z);
        let text = |kind: &str| {
            format!(
                r#"<joint name="j" type="{kind}"><parent link="base"/><child link="arm"/>
                <origin xyz="{}" rpy="{}"/><axis xyz="{}"/>
                <limit lower="-3" upper="3"/></joint>"#,
                numbers(place),
                numbers(turn),
                numbers(axis * 2.0)
            )
        };
        let frame = rpy(turn.to_array());
        for (kind, moved, spun) in [
            ("revolute", Vec3::ZERO, Quat::from_axis_angle(axis, angle).expect("an axis")),
            ("prismatic", axis * angle, Quat::IDENTITY),
        ] {
            let mut sim = simulation(&one_joint(&text(kind)));
            let id = joint(&sim, "j");
            sim.set_positions_of(id, &[angle]).expect("within the limits");
            let body = sim.model().find_body("arm").expect("a body");
            let state = sim.kinematics().body(body);
            // The centre of mass is half a metre below the link's frame.
            let center = place + frame * (moved + spun * vec3(0.0, 0.0, -0.5));
            assert_near(state.position, center, 4.0);
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                assert_near(state.orientation * axis, frame * (spun * axis), 4.0);
            }
        }
    }
}

/// I_link = R I Rᵀ with R of the inertial's own `rpy`.
#[test]
fn inertia_is_turned_by_its_own_rpy() {
    let angles = [0.4, -1.1, 2.3];
    let urdf = format!(
        r#"<robot name="r"><link name="base"/><link name="arm"><inertial>
        <origin xyz="0.1 -0.2 0.3" rpy="{} {} {}"/><mass value="1.5"/>
        <inertia ixx="0.2" iyy="0.3" izz="0.15" ixy="0.01" ixz="-0.02" iyz="0.03"/></inertial></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>"#,
        angles[0], angles[1], angles[2]
    );
    let model = model(import(&urdf));
    let own = &model.bodies()[0].mass;
    let (r, i) = (rpy(angles), Sym3 { xx: 0.2, yy: 0.3, zz: 0.15, xy: 0.01, xz: -0.02, yz: 0.03 });
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        assert_near(own.inertia * axis, r * (i * r.transpose_mul(axis)), 0.4);
    }
    assert_eq!(own.center, vec3(0.1, -0.2, 0.3));
}

/// Two bodies that a fixed joint holds have the sum of masses and, by the parallel-axis theorem, of inertias.
#[test]
fn links_of_fixed_joints_are_one_body() {
    let urdf = r#"<robot name="r"><link name="base"/>
        <link name="arm"><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <link name="tip"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.2" izz="0.2" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <link name="camera"/>
        <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
        <joint name="weld" type="fixed"><parent link="arm"/><child link="tip"/>
            <origin xyz="0.3 0 0" rpy="0 0 1.5707963267948966"/></joint>
        <joint name="mount" type="fixed"><parent link="tip"/><child link="camera"/><origin xyz="0.2 0 0"/></joint></robot>"#;
    let imported = import(urdf);
    assert_eq!(imported.scene.bodies.len(), 1);
    // The frame of the camera is 0.2 m along the tip's x, which is the arm's y.
    let camera = imported.scene.probes.get("camera").expect("a probe").point.expect("a point").map(f64::from);
    assert_near(camera.into(), vec3(0.3, 0.2, 0.0), 1.0);
    let model = model(imported);
    let own = &model.bodies()[0].mass;
    assert_close(own.mass, 3.0, Tolerance::rounding(2, 3.0));
    assert_near(own.center, vec3(0.1, 0.0, 0.0), 1.0);
    // 2 kg at −0.1 m and 1 kg at 0.2 m from the centre; the tip's x is the arm's y.
    let steiner = 2.0 * 0.01 + 1.0 * 0.04;
    assert_close(own.inertia.xx, 0.1 + 0.2, Tolerance::rounding(16, 0.3));
    assert_close(own.inertia.yy, 0.1 + 0.1 + steiner, Tolerance::rounding(16, 0.3));
    assert_close(own.inertia.zz, 0.1 + 0.2 + steiner, Tolerance::rounding(16, 0.3));
}

#[test]
fn continuous_joints_have_no_limits() {
    let text = |kind: &str| {
        one_joint(&format!(
            r#"<joint name="j" type="{kind}"><parent link="base"/><child link="arm"/>
            <limit lower="-1" upper="1" effort="5" velocity="2"/></joint>"#
        ))
    };
    let limits = |kind: &str| import(&text(kind)).scene.joints.get("j").expect("a joint").limits.is_some();
    assert!(limits("revolute") && !limits("continuous"));
}

#[test]
fn a_limit_without_lower_and_upper_is_none() {
    let joint = r#"<joint name="j" type="revolute"><parent link="base"/><child link="arm"/>
        <limit effort="5" velocity="2"/></joint>"#;
    let imported = import(&one_joint(joint));
    assert!(imported.scene.joints.get("j").expect("a joint").limits.is_none());
    assert!(imported.report.of(Treatment::Approximated).any(|note| note.what.contains("without lower")));
}

#[test]
fn a_start_outside_the_limits_is_moved_to_the_nearer_one() {
    let joint = r#"<joint name="j" type="revolute"><parent link="base"/><child link="arm"/>
        <limit lower="-2" upper="-0.5"/></joint>"#;
    let mut sim = simulation(&one_joint(joint));
    let id = self::joint(&sim, "j");
    assert_close(sim.angle(id), -0.5, Tolerance::rounding(16, 1.0));
    assert!(sim.overlaps().is_empty());
}

#[test]
fn effort_and_velocity_limit_a_motor() {
    let joint = r#"<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
        <limit effort="5" velocity="2"/><dynamics damping="0.25"/></joint>"#;
    let imported = import(&one_joint(joint));
    let torque = |law: &str, rate: f64| {
        let document = imported.clone().into_document("r.urdf", Path::new(""));
        let mut document = document.expect("a document");
        document.set(&format!("joints.j.motor.law={law}")).expect("a law");
        let scene = Scene::from_document(&document).expect("a scene");
        let mut sim = Simulation::new(scene.to_model(&document).expect("a model"));
        let id = self::joint(&sim, "j");
        sim.set_rates_of(id, &[rate]).expect("a rate");
        sim.applied_efforts().expect("a tree")[0] + 0.25 * rate
    };
    assert_close(torque("{ constant = 0 }", 1.0), 0.0, Tolerance::rounding(4, 5.0));
    assert_close(torque("{ constant = 1 }", 1.0), 5.0, Tolerance::rounding(4, 5.0));
    assert_close(torque("{ constant = -0.5 }", -1.0), -2.5, Tolerance::rounding(4, 5.0));
    // Above its speed it falls to zero within 5 %.
    assert_close(torque("{ constant = 1 }", 2.05), 2.5, Tolerance::rounding(256, 5.0));
}

/// A finger that mimics another with a factor and an offset: it starts there, and keeps the relation as both move.
#[test]
fn mimic_joints_follow_exactly() {
    let urdf = format!(
        r#"<robot name="r"><link name="base"/><link name="a">{INERTIAL}</link><link name="b">{INERTIAL}</link>
        <joint name="b" type="continuous"><parent link="base"/><child link="b"/><origin xyz="1 0 0"/>
            <axis xyz="0 1 0"/><mimic joint="a" multiplier="-2" offset="0.3"/></joint>
        <joint name="a" type="continuous"><parent link="base"/><child link="a"/><axis xyz="1 1 0"/></joint></robot>"#
    );
    let mut sim = simulation(&urdf);
    let (a, b) = (joint(&sim, "a"), joint(&sim, "b"));
    assert_close(sim.angle(b), 0.3, Tolerance::rounding(16, 1.0));
    for _ in 0..200 {
        sim.step(2e-3).expect("a step");
        let closed = Tolerance::because("projection closes couplers to 1e-12", 1e-12);
        assert_close(sim.angle(b) + 2.0 * sim.angle(a), 0.3, closed);
    }
    assert!(sim.angle(a).abs() > 0.01, "it did not move: {}", sim.angle(a));
}

#[test]
fn cylinders_lie_along_z() {
    let collision = r#"<collision><origin xyz="0 0 1"/><geometry><cylinder radius="0.1" length="2"/></geometry></collision>"#;
    let joint = r#"<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>"#;
    let urdf = one_joint(joint).replace("<link name=\"arm\">", &format!("<link name=\"arm\">{collision}"));
    let model = model(import(&urdf));
    let shape = &model.bodies()[0].shapes[0];
    // x of a scene's cylinder is its axis.
    assert_near(shape.frame.rot * Vec3::X, Vec3::Z, 1.0);
    assert_near(shape.frame.pos, Vec3::Z, 1.0);
}

/// A tetrahedron of 1, 2 and 3 mm.
const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

fn with_mesh(uri: &str, scale: &str) -> String {
    let collision =
        format!(r#"<collision><geometry><mesh filename="{uri}" scale="{scale}"/></geometry></collision>"#);
    let joint = r#"<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>"#;
    one_joint(joint).replace("<link name=\"arm\">", &format!("<link name=\"arm\">{collision}"))
}

#[test]
fn a_negative_scale_mirrors_a_mesh() {
    let here = folder("mirror");
    std::fs::write(here.join("meshes/t.obj"), OBJ).expect("a file");
    for meshes in [MeshUse::Hull, MeshUse::Exact] {
        let options = ImportOptions { meshes, ..ImportOptions::default() };
        let urdf = with_mesh("meshes/t.obj", "0.001 -0.001 0.001");
        let imported = import_robot("r.urdf", &urdf, &here, &options).expect("a robot");
        let document = imported.into_document("r.urdf", &here).expect("a document");
        let scene = Scene::from_document(&document).expect("a scene");
        let model = scene.to_model(&document).expect("a model");
        let shape = &model.bodies()[0].shapes[0];
        // Of the volume 1 · 2 · 3 / 6 mm³, and not inside out.
        assert_close(shape.shape.volume(), 1e-9, Tolerance::rounding(64, 1e-9));
        assert_near(shape.center(), vec3(0.25e-3, -0.5e-3, 0.75e-3), 1e-3);
    }
    std::fs::remove_dir_all(here).expect("the folder");
}

#[test]
fn packages_are_found_by_name_and_by_their_file() {
    let here = folder("package");
    std::fs::write(here.join("meshes/t.obj"), OBJ).expect("a file");
    let urdf = with_mesh("package://thing/meshes/t.obj", "1 1 1");
    let shapes = |options: &ImportOptions, folder: &Path| {
        let imported = import_robot("r.urdf", &urdf, folder, options).expect("a robot");
        (imported.scene.bodies.get("arm").expect("a body").all_shapes().len(), imported.report)
    };
    let (none, report) = shapes(&ImportOptions::default(), &here);
    assert!(none == 0 && report.to_text().contains("--package thing=DIR"), "{}", report.to_text());
    let packages = vec![("thing".to_string(), here.clone())];
    assert_eq!(shapes(&ImportOptions { packages, ..ImportOptions::default() }, &here).0, 1);
    // The package that the robot file lies in is known.
    let own = here.join("thing");
    std::fs::create_dir_all(own.join("urdf")).expect("a folder");
    std::fs::create_dir_all(own.join("meshes")).expect("a folder");
    std::fs::write(own.join("package.xml"), "<package/>").expect("a file");
    std::fs::write(own.join("meshes/t.obj"), OBJ).expect("a file");
    assert_eq!(shapes(&ImportOptions::default(), &own.join("urdf")).0, 1);
    std::fs::remove_dir_all(here).expect("the folder");
}

#[test]
fn files_outside_the_folder_are_not_read() {
    let here = folder("outside");
    std::fs::write(here.join("t.obj"), OBJ).expect("a file");
    let inner = here.join("meshes");
    for uri in ["../t.obj".to_string(), format!("file://{}", here.join("t.obj").display())] {
        let urdf = with_mesh(&uri, "1 1 1");
        let error = import_robot("r.urdf", &urdf, &inner, &ImportOptions::default()).expect_err("refused");
        assert!(error.message().contains("outside the folder"), "{error}");
        assert!(error.help().is_some_and(|help| help.contains("--allow-outside")), "{error}");
        let options = ImportOptions { allow_outside: true, ..ImportOptions::default() };
        let imported = import_robot("r.urdf", &urdf, &inner, &options).expect("a robot");
        assert_eq!(imported.scene.bodies.get("arm").expect("a body").all_shapes().len(), 1, "{uri}");
    }
    std::fs::remove_dir_all(here).expect("the folder");
}

/// The links of a robot do not touch each other unless asked, and touch the floor.
#[test]
fn a_robot_does_not_collide_with_itself_unless_asked() {
    let walker = bundled_robots().iter().find(|robot| robot.name == "five-bar-walker").expect("a robot");
    let floor = ImportOptions { floating: true, floor: Some(-0.3), ..ImportOptions::default() };
    let scene = import_with(walker.text, &floor).scene;
    let shapes = || scene.bodies.iter().flat_map(|(_, body)| body.all_shapes());
    assert!(shapes().count() > 4 && shapes().all(|shape| shape.group.as_deref() == Some("links")));
    assert_eq!(scene.ground.expect("a ground").shapes[0].kind, ShapeKind::Plane);
    let asked = ImportOptions { self_collision: true, ..floor };
    let scene = import_with(walker.text, &asked).scene;
    assert!(scene.contacts.expect("contacts").exclude.is_empty());
    assert!(scene.bodies.iter().flat_map(|(_, body)| body.all_shapes()).all(|shape| shape.group.is_none()));
}

#[test]
fn a_fixed_root_is_ground_and_a_floating_one_is_free() {
    let urdf =
        one_joint(r#"<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>"#)
            .replace("<link name=\"base\"/>", &format!("<link name=\"base\">{INERTIAL}</link>"));
    assert_eq!(model(import(&urdf)).bodies().len(), 1);
    let options = ImportOptions { floating: true, ..ImportOptions::default() };
    let sim = Simulation::new(model(import_with(&urdf, &options)));
    assert_eq!((sim.model().bodies().len(), sim.model().joint_order().rate_count()), (2, 7));
}

/// Nothing with mass behind a joint: it cannot move by any law, and is held.
#[test]
fn joints_that_move_nothing_are_held() {
    let urdf = one_joint(
        r#"<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
        <link name="antenna"/>
        <joint name="k" type="continuous"><parent link="arm"/><child link="antenna"/><origin xyz="0 0 1"/></joint>"#,
    );
    let imported = import(&urdf);
    assert_eq!((imported.scene.bodies.len(), imported.scene.joints.len()), (1, 1));
    assert!(imported.scene.probes.get("antenna").is_some());
    assert!(imported.report.of(Treatment::Approximated).any(|note| note.what.contains("held at zero")));
}

#[test]
fn a_transmission_reflects_the_inertia_of_its_rotor() {
    let urdf = one_joint(
        r#"<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
        <transmission name="t"><joint name="j"/><actuator name="m"><mechanicalReduction>50</mechanicalReduction>
            <motorInertia>2e-5</motorInertia></actuator></transmission>"#,
    );
    assert_close(model(import(&urdf)).joints()[0].armature, 0.05, Tolerance::rounding(4, 0.05));
}

/// The five-bar leg of the bundled robot alone, fixed at its trunk.
fn leg(closure: &str) -> String {
    let walker = bundled_robots().iter().find(|robot| robot.name == "five-bar-walker").expect("a robot");
    let of_leg = |text: &str| text.contains("\"front-left") || text.contains("\"trunk\"");
    let mut urdf = String::from("<robot name=\"leg\">\n");
    for (tag, end) in [("  <link ", "  </link>\n"), ("  <joint ", "  </joint>\n")] {
        for part in walker.text.split(tag).skip(1) {
            let part = format!("{tag}{}{end}", part.split(end).next().unwrap_or_default());
            let name = part.split('"').nth(1).unwrap_or_default().to_string();
            if of_leg(&format!("\"{name}\"")) && (closure.is_empty() || !name.ends_with("closure")) {
                urdf += &part;
            }
        }
    }
    urdf + closure + "</robot>\n"
}

/// A link with two parents, a loop tag and a file beside it say the same loop.
#[test]
fn a_loop_can_be_said_in_three_ways() {
    let second_parent = leg("");
    let sign = second_parent.split("-closure\"").nth(1).expect("the closure");
    let turn = sign.split("rpy=\"0 ").nth(1).and_then(|rest| rest.split(' ').next()).expect("an angle");
    let turn: f64 = turn.parse().expect("a number");
    let tag = format!(
        r#"  <loop_joint name="closure" type="revolute"><link1 link="front-left-rear-shank" xyz="0 0 -0.24" rpy="0 {turn:?} 0"/>
        <link2 link="front-left-foot"/><axis xyz="0 1 0"/></loop_joint>"#
    );
    let here = folder("loops");
    std::fs::write(here.join("leg.urdf"), leg(" ")).expect("a file");
    let beside = "[loops.closure]\nkind = \"revolute\"\na = \"front-left-rear-shank\"\nb = \"front-left-foot\"\n\
         anchor_in_a = [0, 0, -0.24]\nanchor_in_b = [0, 0, 0]\naxis_in_a = [0, 1, 0]\naxis_in_b = [0, 1, 0]\n";
    std::fs::write(here.join("leg.loops.toml"), beside).expect("a file");
    let from_file = import_robot("leg.urdf", &leg(" "), &here, &ImportOptions::default()).expect("a robot");
    std::fs::remove_dir_all(here).expect("the folder");
    let mut all = Vec::new();
    for imported in [import(&second_parent), import(&leg(&tag)), from_file] {
        let closing = imported.scene.joints.iter().last().expect("a joint").1;
        assert_eq!(closing.kind, JointKindDesc::Revolute);
        let mut sim = Simulation::new(model(imported));
        for _ in 0..50 {
            sim.step(1e-3).expect("a step");
        }
        all.push(sim.joint_accelerations().expect("accelerations"));
    }
    for other in &all[1..] {
        for (x, y) in all[0].iter().zip(other) {
            // The frames differ by rounding, and 200 evaluations amplify that little.
            assert_close(*x, *y, Tolerance::because("rounding of frames through 50 steps", 1e-8));
        }
    }
}

/// The largest opening of any joint while motors swing the hips of a five-bar leg.
fn opening(seconds: f64, dt: f64) -> f64 {
    let document = import(&leg("")).into_document("leg.urdf", Path::new(""));
    let mut document = document.expect("a document");
    for (hip, phase) in [("front", 0.0), ("rear", 1.0)] {
        let law = format!("{{ sine = {{ amplitude = 0.3, frequency = 1.5, phase = {phase} }} }}");
        let joint = format!("joints.front-left-{hip}-hip.motor.law={law}");
        document.set(&joint).expect("a law");
    }
    let scene = Scene::from_document(&document).expect("a scene");
    let mut sim = Simulation::new(Arc::new(scene.to_model(&document).expect("a model")));
    let hip = joint(&sim, "front-left-front-hip");
    let (mut open, mut reach): (f64, f64) = (0.0, 0.0);
    while sim.time() < seconds {
        sim.step(dt).expect("a step");
        let errors = sim.kinematics().position_errors().to_vec();
        open = errors.into_iter().fold(open, |most, e| if e.abs() > most { e.abs() } else { most });
        let angle = sim.angle(hip).abs();
        reach = if angle > reach { angle } else { reach };
    }
    assert!(reach > 0.2, "the motors do not move it: {reach} rad");
    open
}

#[test]
fn a_five_bar_leg_with_motors_stays_closed() {
    let open = opening(4.0, 2e-3);
    assert!(open < 1e-13, "open by {open:e} m or rad");
}

#[test]
#[ignore = "soak: cargo test --release -p cardan-scene -- --ignored"]
fn a_five_bar_leg_with_motors_stays_closed_for_a_minute() {
    let open = opening(60.0, 1e-3);
    assert!(open < 1e-13, "open by {open:e} m or rad");
}

/// The scene that is written has the numbers of the robot to the last bit.
#[test]
fn the_scene_written_has_the_bits_of_the_robot() {
    for robot in bundled_robots() {
        let options = ImportOptions { floating: true, ..ImportOptions::default() };
        let options = if robot.name.contains("walker") { options } else { ImportOptions::default() };
        let imported = import_with(robot.text, &options);
        let document = imported.clone().into_document("r.urdf", Path::new("")).expect("a document");
        assert_eq!(Scene::from_document(&document).expect("a scene"), imported.scene, "{}", robot.name);
    }
}

/// Every row of the table of traps names its test.
#[test]
fn every_trap_of_the_page_is_a_test() {
    assert_rows_are_tests("## Traps of URDF", include_str!("urdf.rs"), 12);
}

#[test]
fn a_base_frame_and_a_prefix_place_a_robot() {
    let urdf = one_joint(
        r#"<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><origin xyz="1 0 0"/></joint>"#,
    );
    let rot = Quat::from_axis_angle(Vec3::Z, core::f64::consts::FRAC_PI_2).expect("an axis");
    let base = Frame { pos: vec3(0.0, 0.0, 2.0), rot };
    let options = ImportOptions { base, prefix: "left/".to_string(), ..ImportOptions::default() };
    let mut sim = Simulation::new(model(import_with(&urdf, &options)));
    let body = sim.model().find_body("left/arm").expect("a body");
    assert_near(sim.kinematics().body(body).position, vec3(0.0, 1.0, 1.5), 2.0);
}

/// A robot file that a scene names twice: two robots, each with the accelerations of one alone.
#[test]
fn a_scene_may_have_a_robot_several_times() {
    let here = folder("included");
    let urdf = one_joint(
        r#"<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>"#,
    );
    std::fs::write(here.join("arm.urdf"), urdf.replace("0 0 -0.5", "0.5 0 0")).expect("a file");
    let scene = |more: &str| {
        let text = format!(
            "[robots.left]\nfile = \"arm.urdf\"\nposition = [0, 1, 0]\n[robots.right]\nfile = \"arm.urdf\"\n{more}"
        );
        std::fs::write(here.join("two.toml"), text).expect("a file");
        cardan_scene::load(here.join("two.toml").to_str().expect("a path"))
    };
    let mut sim =
        scene("prefix = \"r-\"\nposition = [0, -1, 0]\n").expect("a scene").simulation().expect("a model");
    assert!(sim.model().find_body("left/arm").is_some() && sim.model().find_joint("r-j").is_some());
    let found = sim.joint_accelerations().expect("accelerations");
    // m g c / (I + m c²) about y, for both.
    let alone = 2.0 * 9.81 * 0.5 / (0.3 + 2.0 * 0.25);
    assert_eq!(found.len(), 2);
    for x in found {
        assert_close(x, alone, Tolerance::rounding(64, 20.0));
    }
    let twice = scene("prefix = \"left/\"\n").expect_err("two of a name");
    assert!(twice.message().contains("`bodies.left/arm` is in the scene already"), "{twice}");
    let wrong = scene("prefi = \"x\"\n").expect_err("an unknown field");
    assert!(wrong.help().is_some_and(|help| help.contains("prefix")), "{wrong}");
    std::fs::remove_dir_all(here).expect("the folder");
}

/// A file of loops has loops alone: one that names its robot again would be read without end.
#[test]
fn a_file_of_loops_is_not_a_scene() {
    let here = folder("loops-again");
    let joint = r#"<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>"#;
    std::fs::write(here.join("a.urdf"), one_joint(joint)).expect("a file");
    std::fs::write(here.join("a.loops.toml"), "[robots.x]\nfile = \"a.urdf\"\n").expect("a file");
    let error = import_robot("a.urdf", &one_joint(joint), &here, &ImportOptions::default());
    std::fs::remove_dir_all(here).expect("the folder");
    let error = error.expect_err("a file of loops has no robots");
    assert!(error.to_string().contains("robots"), "{error}");
}

/// A box of 2 × 1 × 0.5 m in a COLLADA file, in cm, turned and moved by its nodes: the box around it, with a note.
#[test]
fn collada_meshes_are_boxes() {
    let here = folder("collada");
    let points: Vec<String> =
        (0..8).map(|i| format!("{} {} {}", 200 * (i & 1), 50 * (i & 2), 25 * (i & 4) / 2)).collect();
    let dae = format!(
        r##"<COLLADA version="1.4.1"><asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset>
        <library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="24">{}</float_array>
        <technique_common><accessor source="#a" count="8" stride="3"/></technique_common></source>
        <vertices id="v"><input semantic="POSITION" source="#p"/></vertices></mesh></geometry></library_geometries>
        <library_visual_scenes><visual_scene id="s"><node><translate>100 0 0</translate><node><rotate>0 0 1 90</rotate>
        <instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes></COLLADA>"##,
        points.join(" ")
    );
    std::fs::write(here.join("meshes/part.dae"), dae).expect("a file");
    std::fs::write(here.join("meshes/bad.dae"), "<COLLADA><unit").expect("a file");
    let urdf = |file: &str| {
        one_joint(r#"<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>"#).replace(
            INERTIAL,
            &format!("{INERTIAL}<collision><geometry><mesh filename=\"meshes/{file}\" scale=\"1 1 2\"/></geometry></collision>"),
        )
    };
    let read =
        |file: &str| import_robot("r.urdf", &urdf(file), &here, &ImportOptions::default()).expect("a robot");
    let imported = read("part.dae");
    let shape = imported.scene.bodies.get("arm").expect("a body").shape.clone().expect("a shape");
    assert_eq!(shape.kind, ShapeKind::Box);
    // Along x: 1 m, turned from y; its middle is at 1 − 0.5.
    let size: Vec<f64> = shape.size.expect("a size").into_iter().map(f64::from).collect();
    for (x, y) in size.into_iter().zip([1.0, 2.0, 1.0]) {
        assert_close(x, y, Tolerance::rounding(8, 2.0));
    }
    for (x, y) in shape.position.expect("a place").map(f64::from).into_iter().zip([0.5, 1.0, 0.5]) {
        assert_close(x, y, Tolerance::rounding(8, 2.0));
    }
    assert!(imported.report.to_text().contains("the box around it"), "{}", imported.report.to_text());
    let bad = read("bad.dae");
    assert!(bad.report.to_text().contains(".dae file that cannot be read"), "{}", bad.report.to_text());
    std::fs::remove_dir_all(here).expect("the folder");
}
