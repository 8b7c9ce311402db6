//! Every bundled scene obeys Newton, Euler and its joints, judged from the scene's text and the printed JSON alone.

use crate::support::outside::check_outside;
use crate::support::scene::Scene;
use crate::support::{bundled_scenes, run, solve, steady_scenes};
use serde_json::{Value, json};

/// Relative to the terms of each equation. A solve leaves some tens of roundings (1e-15 to 1e-13); the rest is room for
/// mechanisms whose terms nearly cancel.
const BOUND: f64 = 1e-11;

fn assert_holds(what: &str, scene: &str, printed: &Value) {
    let report = check_outside(scene, printed);
    assert!(report.beyond(BOUND).is_empty(), "{what}:\n{}", report.beyond(BOUND).join("\n"));
    assert!(report.skipped.is_empty(), "{what}: joints that the check does not know: {:?}", report.skipped);
}

#[test]
fn every_bundled_scene_balances_at_the_start() {
    for (name, text) in steady_scenes() {
        assert_holds(&format!("{name}, solve"), &text, &solve(&text));
    }
}

/// At the step of the file where that is finer than 1 ms, and not beyond its end: a squeezer is wild after 30 ms.
#[test]
fn every_bundled_scene_balances_after_half_a_second() {
    for (name, text) in steady_scenes() {
        let scene = Scene::parse(&text);
        let printed = run(&text, scene.until.min(0.5), scene.dt.min(1e-3));
        assert_holds(&format!("{name}, run"), &text, &printed);
    }
}

/// Changes one number of the JSON, found by its pointer.
fn with(printed: &Value, pointer: &str, change: impl Fn(f64) -> f64) -> Value {
    let mut copy = printed.clone();
    let slot = copy.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}"));
    *slot = json!(change(slot.as_f64().expect("a number")));
    copy
}

/// The check itself: a wrong digit must not pass.
fn assert_notices(what: &str, scene: &str, printed: &Value) {
    let (item, residual) = {
        let report = check_outside(scene, printed);
        let (item, residual) = report.worst();
        (item.to_string(), residual)
    };
    assert!(residual > BOUND, "{what} went unnoticed; the worst was {item} at {residual:.2e}");
}

#[test]
fn one_changed_digit_of_a_printed_result_is_noticed() {
    let scenes = bundled_scenes();
    let scene = |wanted: &str| {
        &scenes.iter().find(|s| s.0 == wanted).unwrap_or_else(|| panic!("no scene {wanted}")).1
    };
    let text = scene("double-pendulum");
    let printed = run(text, 0.5, 1e-3);
    let joints: Vec<&String> = printed["joints"].as_object().expect("joints").keys().collect();
    let bodies: Vec<&String> = printed["bodies"].as_object().expect("bodies").keys().collect();
    for joint in joints {
        let force = printed["joints"][joint]["force"].as_array().expect("a force");
        let size = |i: &usize| force[*i].as_f64().expect("a number").abs();
        let largest = (0..3).max_by(|i, j| size(i).total_cmp(&size(j))).expect("three");
        let changed = with(&printed, &format!("/joints/{joint}/force/{largest}"), |f| f * (1.0 + 1e-9));
        assert_notices(&format!("a force of {joint} off by 1e-9"), text, &changed);
    }
    for body in bodies {
        let acceleration = printed["bodies"][body]["acceleration"].as_array().expect("three numbers");
        let size = |i: &usize| acceleration[*i].as_f64().expect("a number").abs();
        let largest = (0..3).max_by(|i, j| size(i).total_cmp(&size(j))).expect("three");
        let changed = with(&printed, &format!("/bodies/{body}/acceleration/{largest}"), |a| -a);
        assert_notices(&format!("an acceleration of {body} turned round"), text, &changed);
    }
}

/// The rules of each kind of joint are really asked: what it must not exert, and how its bodies must not accelerate.
#[test]
fn loads_that_a_lower_pair_cannot_carry_are_noticed() {
    let scenes = bundled_scenes();
    let text = &scenes.iter().find(|s| s.0 == "lower-pairs").expect("the scene").1;
    let printed = solve(text);
    let (force, torque) = ("parts/structural/force", "parts/structural/torque");
    // In the pose of the file: the cross has its first arm along y, its second along x; all other axes are along z.
    let wrenches = [
        ("post", force, 2, "force along a freedom"),
        ("post", torque, 2, "torque about a freedom"),
        ("table", force, 0, "force along a freedom"),
        ("table", torque, 2, "torque about a freedom"),
        ("cross", torque, 1, "torque about the first arm"),
        ("cross", torque, 0, "torque about the second arm"),
        ("wire", force, 2, "force along a freedom"),
        ("wire", torque, 0, "torque about a freedom"),
        ("heading", force, 1, "force along a freedom"),
        ("heading", torque, 2, "torque about a freedom"),
        ("ice", force, 0, "force along a freedom"),
    ];
    let motions = [
        ("post", "turntable/acceleration/0", "acceleration"),
        ("post", "turntable/angular_acceleration/1", "angular acceleration"),
        ("table", "puck/acceleration/2", "acceleration"),
        ("table", "puck/angular_acceleration/0", "angular acceleration"),
        ("cross", "arm/acceleration/1", "acceleration"),
        ("cross", "arm/angular_acceleration/2", "angular acceleration"),
        ("wire", "bead/acceleration/0", "acceleration"),
        ("heading", "needle/angular_acceleration/0", "angular acceleration"),
        ("ice", "top/acceleration/2", "acceleration"),
    ];
    let wrenches =
        wrenches.map(|(joint, what, i, item)| (joint, format!("/joints/{joint}/{what}/{i}"), item));
    let motions = motions.map(|(joint, what, item)| (joint, format!("/bodies/{what}"), item));
    for (joint, pointer, item) in wrenches.into_iter().chain(motions) {
        let report = check_outside(text, &with(&printed, &pointer, |x| x + 1e-6));
        let item = format!("joints.{joint}: {item}: ");
        let beyond = report.beyond(BOUND);
        assert!(beyond.iter().any(|line| line.starts_with(&item)), "{pointer}: no {item}in {beyond:?}");
    }
}

/// A bar of 2 kg and 1 m, hinged at one end, horizontal, turning at 3 rad/s: everything known by hand.
fn hinged_bar() -> (&'static str, Value) {
    let scene = r#"
        gravity = [0, -9.8, 0]
        [bodies.bar]
        mass = 2.0
        inertia = [0.1, 0.2, 0.25]
        position = [0.5, 0, 0]
        velocity = [0, 1.5, 0]
        angular_velocity = [0, 0, 3]
        [joints.hinge]
        kind = "revolute"
        a = "ground"
        b = "bar"
        anchor = [0, 0, 0]
        axis = [0, 0, 1]
        [probes.tip]
        body = "bar"
        point = [0.5, 0, 0]
    "#;
    // (I + m d²) α = −m g d: 0.75 α = −9.8; the centre is pulled in by m ω² d and falls with α d.
    let alpha = -9.8 / 0.75;
    let (pull, lift) = (-2.0 * 9.0 * 0.5, 2.0 * (0.5 * alpha + 9.8));
    let wrench = json!({ "force": [pull, lift, 0.0], "torque": [0.0, 0.0, 0.0] });
    let nothing = json!({ "force": [0.0, 0.0, 0.0], "torque": [0.0, 0.0, 0.0] });
    let printed = json!({
        "time": 0.0,
        "bodies": { "bar": {
            "position": [0.5, 0.0, 0.0], "frame_position": [0.5, 0.0, 0.0], "orientation": [1.0, 0.0, 0.0, 0.0],
            "velocity": [0.0, 1.5, 0.0], "angular_velocity": [0.0, 0.0, 3.0],
            "acceleration": [-4.5, 0.5 * alpha, 0.0], "angular_acceleration": [0.0, 0.0, alpha] } },
        "joints": { "hinge": {
            "force": wrench["force"], "torque": wrench["torque"],
            "parts": { "structural": wrench, "drive": nothing, "limit": nothing, "friction": nothing } } },
        "probes": { "tip": { "position": [1.0, 0.0, 0.0], "velocity": [0.0, 3.0, 0.0], "acceleration": [-9.0, alpha, 0.0] } }
    });
    (scene, printed)
}

#[test]
fn a_hinged_bar_worked_out_by_hand_passes() {
    let (scene, printed) = hinged_bar();
    assert_holds("hinged bar", scene, &printed);
}

#[test]
fn every_wrong_number_of_the_hinged_bar_is_noticed() {
    let (scene, printed) = hinged_bar();
    let slightly = |x: f64| x * (1.0 + 1e-9);
    let fields = [
        "/joints/hinge/force/0",
        "/joints/hinge/force/1",
        "/joints/hinge/parts/structural/force/1",
        "/bodies/bar/acceleration/0",
        "/bodies/bar/acceleration/1",
        "/bodies/bar/angular_acceleration/2",
        "/bodies/bar/velocity/1",
        "/bodies/bar/angular_velocity/2",
        "/probes/tip/acceleration/1",
    ];
    for field in fields {
        assert_notices(&format!("{field} off by 1e-9"), scene, &with(&printed, field, slightly));
        assert_notices(&format!("{field} turned round"), scene, &with(&printed, field, |x| -x));
    }
    for field in ["/joints/hinge/torque/2", "/bodies/bar/angular_acceleration/0", "/bodies/bar/position/2"] {
        assert_notices(&format!("{field} not zero"), scene, &with(&printed, field, |x| x + 1e-6));
    }
    for body_kind in ["planar", "particle", "planar-particle"] {
        // the kinds that leave equations out must not leave these out
        let scene = scene.replace("mass = 2.0", &format!("kind = \"{body_kind}\"\n mass = 2.0"));
        let changed = with(&printed, "/bodies/bar/acceleration/1", |x| -x);
        assert_notices(&format!("a {body_kind} body's acceleration turned round"), &scene, &changed);
    }
}

/// 2 kg at (3, 4) m, moving outwards at 5 m/s: a damped spring to the origin, drag and a push that grows with time.
#[test]
fn a_particle_with_every_kind_of_force_worked_out_by_hand_passes() {
    let scene = r#"
        gravity = [0, 0, -10]
        [bodies.ball]
        kind = "particle"
        mass = 2.0
        position = [3, 4, 0]
        velocity = [3, 4, 0]
        [forces.coil]
        kind = "spring"
        a = "ground"
        b = "ball"
        point_in_a = [0, 0, 0]
        point_in_b = [0, 0, 0]
        stiffness = "0.1 N/mm"
        damping = 2
        rest_length = "480 cm"
        [forces.air]
        kind = "drag"
        body = "ball"
        coefficient = 0.3
        quadratic = 0.04
        [forces.push]
        kind = "constant"
        body = "ball"
        force = [0, 0, 4]
        law = { ramp = { from = 0, to = 2, start = 0, duration = 1 } }
    "#;
    // spring 100 N/m × 0.2 m + damper 2 N·s/m × 5 m/s = 30 N inwards, drag (0.3 + 0.04 × 5) × 5 = 2.5 N inwards; at 0.25 s the push is half of 4 N
    let printed = json!({
        "time": 0.25,
        "bodies": { "ball": { "position": [3.0, 4.0, 0.0], "velocity": [3.0, 4.0, 0.0],
                              "acceleration": [-0.6 * 32.5 / 2.0, -0.8 * 32.5 / 2.0, -9.0] } }
    });
    assert_holds("particle", scene, &printed);
    for axis in 0..3 {
        let changed = with(&printed, &format!("/bodies/ball/acceleration/{axis}"), |a| a * (1.0 + 1e-9));
        assert_notices("an acceleration off by 1e-9", scene, &changed);
    }
}

/// A planar body on a torsion spring, turned by 0.5 rad and turning at 2 rad/s.
#[test]
fn a_torsion_spring_worked_out_by_hand_passes() {
    let scene = r#"
        gravity = [0, 0, 0]
        [bodies.disc]
        kind = "planar"
        mass = 1.0
        inertia = 0.25
        position = [0, 0]
        [forces.coil]
        kind = "torsion"
        a = "ground"
        b = "disc"
        axis_in_a = [0, 0, 1]
        stiffness = 3
        damping = 0.5
        rest = 0.1
    "#;
    let alpha = -(3.0 * 0.4 + 0.5 * 2.0) / 0.25;
    let printed = json!({
        "time": 1.0,
        "bodies": { "disc": { "position": [0.0, 0.0, 0.0], "orientation": [0.25_f64.cos(), 0.0, 0.0, 0.25_f64.sin()],
                              "velocity": [0.0, 0.0, 0.0], "angular_velocity": [0.0, 0.0, 2.0],
                              "acceleration": [0.0, 0.0, 0.0], "angular_acceleration": [0.0, 0.0, alpha] } }
    });
    assert_holds("disc", scene, &printed);
    let changed = with(&printed, "/bodies/disc/angular_acceleration/2", |a| a * (1.0 + 1e-9));
    assert_notices("an acceleration off by 1e-9", scene, &changed);
}

/// Mass properties that must agree: the same matter, described differently.
#[test]
fn the_checks_own_inertias_agree_with_each_other() {
    let body = |fields: &str| {
        let scene = Scene::parse(&format!("[bodies.it]\n{fields}"));
        scene.bodies["it"].clone()
    };
    let same = |what: &str, x: &str, y: &str| {
        let (x, y) = (body(x), body(y));
        let size = (0..3).map(|k| x.inertia[k][k]).sum::<f64>();
        let inertia = (0..9).map(|k| (x.inertia[k / 3][k % 3] - y.inertia[k / 3][k % 3]).abs() / size);
        let center = (0..3).map(|k| (x.com[k] - y.com[k]).abs());
        let worst = inertia.chain(center).fold((x.mass - y.mass).abs() / x.mass, f64::max);
        assert!(worst < 1e-14, "{what}:\n{x:?}\n{y:?}");
    };
    let halves = "density = 10\n shapes = [{ kind = \"box\", size = [1, 2, 3], position = [0.5, 0, 0] }, \
                  { kind = \"box\", size = [1, 2, 3], position = [1.5, 0, 0] }]";
    let whole = "density = 10\n shapes = [{ kind = \"box\", size = [2, 2, 3], position = [1, 0, 0] }]";
    same("two halves make a box", halves, whole);
    same(
        "mass or density",
        whole,
        "mass = 120\n shapes = [{ kind = \"box\", size = [2, 2, 3], position = [1, 0, 0] }]",
    );
    let turned = "mass = 120\n shapes = [{ kind = \"box\", size = [2, 3, 2], position = [1, 0, 0], \
                  orientation = { axis = [1, 0, 0], angle = \"90 deg\" } }]";
    same("a turned box", whole, turned);
    let ball = "mass = 2\n shape = { kind = \"sphere\", radius = \"30 cm\" }";
    same(
        "a capsule without length is a ball",
        ball,
        "mass = 2\n shape = { kind = \"capsule\", length = 0, radius = 0.3 }",
    );
    same("a ball by numbers", ball, "mass = 2\n inertia = [0.072, 0.072, 0.072, 0, 0, 0]");
    let plate = "mass = 3\n shape = { kind = \"plate\", size = [0.4, 0.6] }";
    same("a plate is a box without height", plate, "mass = 3\n inertia = [0.09, 0.04, 0.13]");
    // a long capsule's transverse moment, integrated slice by slice
    let capsule = body("mass = 1\n shape = { kind = \"capsule\", length = 0.7, radius = 0.2 }");
    let (mut volume, mut across, mut along) = (0.0, 0.0, 0.0);
    let n = 200_000;
    for k in 0..n {
        let x = -0.55 + 1.1 * (f64::from(k) + 0.5) / f64::from(n);
        let beyond = (x.abs() - 0.35).max(0.0);
        let square = 0.04 - beyond * beyond; // of the slice's radius
        volume += square;
        along += square * square / 2.0;
        across += square * (square / 4.0 + x * x);
    }
    assert!((capsule.inertia[0][0] - along / volume).abs() < 1e-9);
    assert!((capsule.inertia[1][1] - across / volume).abs() < 1e-9);
}

/// What the command takes a rod with a radius for: a thin rod across, a solid cylinder along.
#[test]
fn a_rod_with_a_radius_balances() {
    for shape in [
        "{ kind = \"rod\", length = 0.8, radius = 0.1 }",
        "{ kind = \"plate\", size = [0.8, 0.3], thickness = 0.1 }",
        "{ kind = \"capsule\", length = 0.5, radius = 0.2 }",
    ] {
        let scene = format!(
            "[bodies.it]\nshape = {shape}\ndensity = 500\nposition = [0.4, 0, 0]\nangular_velocity = [1, 2, 3]\n\
             velocity = [0, 1.2, -0.8]\n[joints.ball]\nkind = \"spherical\"\na = \"ground\"\nb = \"it\"\nanchor = [0, 0, 0]\n"
        );
        assert_holds(shape, &scene, &solve(&scene));
    }
}
