//! The laws of the scenes can fail: with a mistake planted in the equations, every scene breaks one of its own.
//!
//! The only test here that runs the engine as a library: the command plants no faults.

use crate::support::laws::{Conserved, Trial, broken};
use crate::support::{has_contacts, is_first_order, steady_scenes, takes_impulses};
use cardan::{BodyId, Elimination, Fault, Settings, Simulation};
use cardan_scene::{BodyDesc, Document, Scene, ShapeKind};

const FAULTS: [Fault; 3] = [Fault::FlippedBias, Fault::NoGyroscopic, Fault::LopsidedRow];

/// Long enough for every fault to show, short enough for a test.
const UNTIL: f64 = 1.0;

/// Most faults show in a fraction of that.
const SOON: f64 = 0.2;

fn conserved(sim: &mut Simulation) -> Conserved {
    let (energy, momentum) = (sim.energy(), sim.momentum());
    Conserved {
        energy: energy.mechanical(),
        linear: momentum.linear.to_array(),
        angular: momentum.angular.to_array(),
    }
}

/// Runs a scene with a fault. A run that fails has broken its laws too.
fn trial(
    document: &Document,
    scene: &Scene,
    elimination: Elimination,
    fault: Fault,
    longest: f64,
) -> Result<Trial, String> {
    let model = scene.to_model(document).map_err(|e| e.to_string())?;
    let settings = Settings { elimination, fault, ..scene.settings(document).map_err(|e| e.to_string())? };
    let mut sim = Simulation::with_settings(model, settings).map_err(|e| e.to_string())?;
    let (until, dt) = (scene.simulation.until().min(longest), scene.simulation.dt());
    let start = conserved(&mut sim);
    sim.run(0.5 * until, dt).map_err(|e| e.to_string())?;
    let middle = conserved(&mut sim);
    sim.run(until, dt).map_err(|e| e.to_string())?;
    let end = conserved(&mut sim);

    let model = sim.model().clone();
    let now = sim.kinematics();
    let (mut linear_size, mut angular_size) = (0.0, 0.0);
    for (i, body) in model.bodies().iter().enumerate() {
        let b = now.body(BodyId::of_index(i));
        let linear = body.mass.mass * b.velocity.norm();
        let turning = body.mass.inertia.eigenvalues()[2] * b.angular_velocity.norm();
        linear_size += linear;
        angular_size += b.position.norm() * linear + turning;
    }
    let certificate = sim.certificate();
    Ok(Trial {
        start,
        middle,
        end,
        energy_balance: sim.balance().energy_error,
        gap: certificate.max_position_error,
        gap_rate: certificate.max_velocity_error,
        linear_size,
        angular_size,
    })
}

/// The laws that a fault breaks, with how.
fn broken_laws(
    document: &Document,
    scene: &Scene,
    elimination: Elimination,
    fault: Fault,
    longest: f64,
) -> Vec<String> {
    match trial(document, scene, elimination, fault, longest) {
        Ok(run) => {
            let laws = scene.laws.iter();
            laws.filter_map(|law| broken(law, &run).map(|why| format!("{law}: {why}"))).collect()
        }
        Err(error) => vec![format!("the run fails: {error}")],
    }
}

/// Whether it turns the same about every axis, or not at all.
fn is_ball(body: &BodyDesc) -> bool {
    body.kind.is_particle() || matches!(body.all_shapes(), [shape] if shape.kind == ShapeKind::Sphere)
}

/// Whether the scene must show the fault. Gyroscopic terms do no work, so only a law of angular momentum sees them; rows
/// that differ by a millionth may hide in the truncation error of an energy, but not in a sum of momenta.
fn must_show(scene: &Scene, elimination: Elimination, fault: Fault) -> bool {
    let law = |start: &str| scene.laws.iter().any(|law| law.starts_with(start));
    match fault {
        Fault::None => false,
        Fault::FlippedBias => !scene.joints.is_empty(),
        // A ball has none.
        Fault::NoGyroscopic => law("angular-momentum") && scene.bodies.iter().any(|(_, body)| !is_ball(body)),
        // Where joints are given by their freedoms the fault is in the arm between the bodies: there and back it is the
        // same, so that the sum of momenta is right all the same, and what remains is small.
        Fault::LopsidedRow => {
            elimination == Elimination::Rows && !scene.joints.is_empty() && law("linear-momentum")
        }
    }
}

/// Every third scene; the others take their turn in the soak.
#[test]
fn scenes_break_a_law_when_a_fault_is_planted() {
    every_scene_notices(Elimination::Freedoms, 3);
}

#[test]
#[ignore = "soak: cargo test --release -p cardan-cli -- --ignored"]
fn every_scene_breaks_a_law_when_a_fault_is_planted() {
    every_scene_notices(Elimination::Freedoms, 1);
}

#[test]
#[ignore = "soak: cargo test --release -p cardan-cli -- --ignored"]
fn every_scene_breaks_a_law_when_a_fault_is_planted_among_rows() {
    every_scene_notices(Elimination::Rows, 1);
}

fn every_scene_notices(elimination: Elimination, each: usize) {
    let mut missed = Vec::new();
    let mut table = String::new();
    for (name, text) in steady_scenes().into_iter().step_by(each) {
        // Time stepping is of first order and projected: none of its laws is fine enough to see a fault.
        // With f = m v there are neither biases nor gyroscopic terms to spoil.
        let is_rough = takes_impulses(&text) || is_first_order(&text);
        let scene_touches = has_contacts(&text);
        let document = Document::parse(&name, text).expect("a scene");
        let scene = Scene::from_document(&document).expect("a scene");
        assert_eq!(
            broken_laws(&document, &scene, elimination, Fault::None, UNTIL),
            [""; 0],
            "{name} without a fault"
        );
        // What a fault breaks soon need not be run to the end, if nothing is broken then without one.
        let tells_soon =
            !is_rough && broken_laws(&document, &scene, elimination, Fault::None, SOON).is_empty();
        let mut any = false;
        for fault in FAULTS {
            // Nothing would follow from such a run: no fault need show in a rough scene, nor this one where another has shown.
            if is_rough || (any && !must_show(&scene, elimination, fault)) {
                continue;
            }
            let run = |longest: f64| broken_laws(&document, &scene, elimination, fault, longest);
            let mut broken = if tells_soon { run(SOON) } else { Vec::new() };
            if broken.is_empty() {
                broken = run(UNTIL);
            }
            any |= !broken.is_empty();
            if broken.is_empty() && must_show(&scene, elimination, fault) {
                missed.push(format!("{name} does not notice {fault:?} ({elimination:?})"));
            }
            let what = if broken.is_empty() { "nothing".to_string() } else { broken.join("; ") };
            table +=
                &format!("{name:16} {:9} {:14} {what}\n", format!("{elimination:?}"), format!("{fault:?}"));
        }
        // Without joints, and without anything that turns, there is nothing to spoil.
        let can = FAULTS.iter().any(|fault| must_show(&scene, elimination, *fault));
        if !any && !is_rough && (can || !scene_touches) {
            missed.push(format!("{name} notices no fault at all ({elimination:?})"));
        }
    }
    println!("{table}"); // which fault breaks what: --nocapture shows it
    assert!(missed.is_empty(), "{}\n{table}", missed.join("\n"));
}
