//! Every bundled scene, run for its whole time, obeys the laws that it lists.

use crate::support;

use crate::support::laws::{Conserved, Trial, broken};
use crate::support::math::{V, norm};
use crate::support::scene::Scene;
use crate::support::{Mode, bundled_scenes, cardan, command, has_contacts, run_in, solve, takes_impulses};
use serde_json::Value;

fn real(v: &Value) -> f64 {
    v.as_f64().unwrap_or(f64::NAN)
}

fn vec3(v: &Value) -> V {
    [0, 1, 2].map(|i| real(&v[i]))
}

fn conserved(out: &Value) -> Conserved {
    Conserved {
        energy: real(&out["energy"]["kinetic"]) + real(&out["energy"]["potential"]),
        linear: vec3(&out["momentum"]["linear"]),
        angular: vec3(&out["momentum"]["angular"]),
    }
}

fn momentum_sizes(scene: &Scene, out: &Value) -> (f64, f64) {
    let mut sizes = (0.0, 0.0);
    for (name, body) in &scene.bodies {
        let get = |key: &str| norm(vec3(&out["bodies"][name][key]));
        let greatest = body.inertia.map(norm).into_iter().fold(0.0, f64::max);
        let turning = if greatest > 0.0 { greatest * get("angular_velocity") } else { 0.0 };
        sizes.0 += body.mass * get("velocity");
        sizes.1 += body.mass * get("position") * get("velocity") + turning;
    }
    sizes
}

/// The whole time of a scene.
const WHOLE: f64 = 1.0;
/// The part of it that is run in ways other than the usual one; the soaks run all of it.
const PART: f64 = 0.4;

/// Runs a scene as a user would, for a part of its time.
fn trial(text: &str, scene: &Scene, mode: Mode, part: f64) -> Trial {
    // Joint coordinates have truncation errors of their own, also where poses conserve something to rounding: half the step.
    let dt = if mode == Mode::Joints { 0.5 * scene.dt } else { scene.dt };
    let until = part * scene.until;
    let end = run_in(mode, text, until, dt);
    let (linear_size, angular_size) = momentum_sizes(scene, &end);
    let halfway = scene.laws.iter().any(|law| law == "energy-decreases");
    Trial {
        start: conserved(&solve(text)),
        middle: conserved(&if halfway { run_in(mode, text, 0.5 * until, dt) } else { end.clone() }),
        end: conserved(&end),
        energy_balance: real(&end["energy"]["balance_error"]),
        gap: real(&end["certificate"]["max_position_error"]),
        gap_rate: real(&end["certificate"]["max_velocity_error"]),
        linear_size,
        angular_size,
    }
}

#[test]
fn every_bundled_scene_obeys_its_laws() {
    all_obey_their_laws(Mode::Bodies, WHOLE);
}

/// Momentum is then not linear in what is integrated: what poses keep to rounding is kept to the order of the method.
#[test]
fn every_bundled_scene_obeys_its_laws_by_joint_coordinates() {
    all_obey_their_laws(Mode::Joints, PART);
}

#[test]
#[ignore = "soak: cargo test --release -p cardan -p cardan-cli -- --ignored"]
fn every_bundled_scene_obeys_its_laws_to_the_end_in_every_way() {
    all_obey_their_laws(Mode::Joints, WHOLE);
    for mode in [Mode::Bodies, Mode::Joints] {
        all_obey_their_laws_with_adaptive_steps(mode, WHOLE);
    }
    all_stay_closed_and_balanced_with_rattle(WHOLE);
}

/// Inequalities but limits of joints, unless the integrator is time stepping, general bodies and f = m v are refused with
/// joint coordinates, by name.
fn refuses_joints(name: &str, text: &str) -> bool {
    use crate::support::{is_first_order, is_general};
    if !has_contacts(text) && !is_general(text) && !is_first_order(text) {
        return false;
    }
    let out = command(&["run", "-", "--set", "simulation.coordinates=joints"], text.as_bytes());
    if out.code == 0 {
        assert!(text.contains("limits = ") || text.contains("\"time-stepping\""), "{name} is not refused");
        return false;
    }
    assert!(out.stderr.contains("joint coordinates"), "{name}: {}", out.stderr);
    true
}

fn all_obey_their_laws(mode: Mode, part: f64) {
    let mut failures = Vec::new();
    for (name, text) in bundled_scenes() {
        let scene = Scene::parse(&text);
        assert!(!scene.laws.is_empty(), "{name} lists no laws");
        if mode == Mode::Joints && refuses_joints(&name, &text) {
            continue;
        }
        let run = trial(&text, &scene, mode, part);
        for law in &scene.laws {
            failures.extend(broken(law, &run).map(|why| format!("{name}: {law}: {why}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Where every joint is a lower pair of a tree of rigid (or of planar) bodies nothing is left to project. Where one is not, say a
/// bead's, projection goes on.
#[test]
fn joint_coordinates_leave_nothing_to_project_in_trees_of_lower_pairs() {
    const LOWER: [&str; 7] =
        ["fixed", "revolute", "prismatic", "cylindrical", "universal", "planar", "spherical"];
    let (mut held, mut mixed) = (0, 0);
    for (name, text) in bundled_scenes() {
        let scene = Scene::parse(&text);
        let file = support::scene::to_value(&text);
        let table = |key: &str| file[key].as_object().cloned().unwrap_or_default();
        let word = |item: &Value| item["kind"].as_str().unwrap_or("rigid").to_string();
        let kinds: Vec<String> = table("bodies").values().map(word).collect();
        let alike = ["rigid", "planar"].iter().any(|kind| kinds.iter().all(|k| k == kind));
        let joints: Vec<String> = table("joints").values().map(word).collect();
        // A limit that is reached is a step on poses.
        if refuses_joints(&name, &text) || text.contains("limits = ") {
            continue;
        }
        let out = run_in(Mode::Joints, &text, 500.0 * scene.dt, scene.dt);
        let in_a_tree = table("joints").keys().all(|joint| out["joints"][joint]["role"] == "primary");
        let rounds = out["counts"]["iterations"].as_u64();
        if alike && in_a_tree && joints.iter().all(|kind| LOWER.contains(&kind.as_str())) {
            assert_eq!(rounds, Some(0), "{name} was projected");
            held += usize::from(!joints.is_empty());
        } else {
            mixed += 1;
        }
    }
    assert!(held >= 5 && mixed >= 2, "{held} scenes of lower pairs, {mixed} others");
}

/// The scene with `dopri5`, as a file.
fn adaptive(text: &str) -> String {
    let mut file = support::scene::to_value(text);
    let table = file["simulation"].as_object_mut().expect("a [simulation] table");
    table.insert("integrator".into(), "dopri5".into());
    table.insert("relative_tolerance".into(), 1e-11.into());
    table.insert("absolute_tolerance".into(), 1e-11.into());
    file.to_string()
}

/// The same laws, with steps of whatever size: the tolerance is that of the bounds on energy, two digits to spare.
#[test]
fn every_bundled_scene_obeys_its_laws_with_adaptive_steps() {
    all_obey_their_laws_with_adaptive_steps(Mode::Bodies, PART);
}

#[test]
#[ignore = "soak: cargo test --release -p cardan-cli -- --ignored"]
fn every_bundled_scene_obeys_its_laws_with_adaptive_steps_of_joint_coordinates() {
    all_obey_their_laws_with_adaptive_steps(Mode::Joints, PART);
}

fn all_obey_their_laws_with_adaptive_steps(mode: Mode, part: f64) {
    let mut failures = Vec::new();
    for (name, text) in bundled_scenes() {
        let scene = Scene::parse(&text);
        if takes_impulses(&text) || (mode == Mode::Joints && refuses_joints(&name, &text)) {
            continue;
        }
        let run = trial(&adaptive(&text), &scene, mode, part);
        for law in &scene.laws {
            failures.extend(broken(law, &run).map(|why| format!("{name}: {law}: {why}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// RATTLE on every mechanism there is, loops and redundant joints among them: closed, the momentum that flows is booked to
/// rounding, and energy is off by no more than a method of order 2 at the step in the file, largest for the quick squeezer.
#[test]
fn every_bundled_scene_stays_closed_and_balanced_with_rattle() {
    all_stay_closed_and_balanced_with_rattle(PART);
}

fn all_stay_closed_and_balanced_with_rattle(part: f64) {
    for (name, text) in bundled_scenes() {
        let scene = Scene::parse(&text);
        if scene.holds_velocities() {
            // Refused by name, not carried along somehow.
            let out = command(&["run", "-", "--set", "simulation.integrator=rattle"], text.as_bytes());
            assert_eq!(out.code, 1, "{name}");
            assert!(out.stderr.contains("holds velocities only"), "{name}: {}", out.stderr);
            continue;
        }
        if has_contacts(&text) {
            let out = command(&["run", "-", "--set", "simulation.integrator=rattle"], text.as_bytes());
            assert!(
                out.code != 0 && out.stderr.contains("the integrator `rattle`"),
                "{name}: {}",
                out.stderr
            );
            continue;
        }
        if crate::support::is_general(&text) && !["affine-block", "soft-block"].contains(&name.as_str()) {
            let out = command(&["run", "-", "--set", "simulation.integrator=rattle"], text.as_bytes());
            assert!(
                out.code != 0 && out.stderr.contains("the integrator `rattle`"),
                "{name}: {}",
                out.stderr
            );
            continue;
        }
        let until = format!("{:?}", part * scene.until);
        let mut args = vec!["run", "-", "--set", "simulation.integrator=rattle", "--until", &until, "--json"];
        if name == "heavy-chain" {
            // A symplectic step is not divided, and a millisecond is too long for links that ring at 10 000 rad/s.
            args.extend(["--dt", "1e-4"]);
        }
        let end = cardan(&args, &text);
        let worst = |table: &str, field: &str, bound: f64| {
            let value = real(&end[table][field]);
            assert!(value <= bound, "{name}: {table}.{field} is {value:.2e}, beyond {bound:.1e}");
        };
        assert_eq!(end["status"], "completed", "{name}");
        worst("certificate", "max_position_error", 1e-13);
        worst("certificate", "max_velocity_error", 1e-12);
        worst("momentum", "balance_error", 1e-11);
        worst("energy", "balance_error", 2e-4);
    }
}

/// The same bead on the same spline, by one coordinate and by two conditions on a particle. The spline's curvature has kinks, which both feel in
/// their own way: 1.0e-6 m after three seconds at four metres a second, 1.2e-7 m with a quarter of the step.
#[test]
fn a_bead_by_one_coordinate_moves_like_one_on_a_constraint() {
    let scenes = bundled_scenes();
    let place = |name: &str| -> V {
        let text = &scenes.iter().find(|(own, _)| own == name).expect("the scene").1;
        let end = run_in(Mode::Bodies, text, 3.0, 2e-4);
        [0, 1, 2].map(|k| real(&end["bodies"]["bead"]["position"][k]))
    };
    let off = norm(crate::support::math::sub(place("bead-on-spline"), place("bead-on-curve")));
    assert!(off < 2e-6, "{off:e} m apart");
}

/// What the file says is what is solved: nothing is silently moved at the start.
#[test]
fn every_bundled_scene_starts_closed() {
    for (name, text) in bundled_scenes() {
        let certificate = &solve(&text)["certificate"];
        let (gap, rate) =
            (real(&certificate["max_position_error"]), real(&certificate["max_velocity_error"]));
        // the pose is given to 16 digits of numbers near 1, the top's spin to 16 digits of 240 rad/s
        assert!(gap <= 1e-15, "{name}: gap {gap:.1e} at the start");
        assert!(rate <= 3e-14, "{name}: gap's rate {rate:.1e} at the start");
    }
}

/// Every scene says what it is, in its first line and in its fields.
#[test]
fn every_bundled_scene_introduces_itself() {
    for (name, text) in bundled_scenes() {
        assert!(text.starts_with("# "), "{name} does not open with a comment");
        let file = support::scene::to_value(&text);
        for field in ["title", "description", "laws"] {
            assert!(file.get(field).is_some(), "{name} has no {field}");
        }
    }
}
