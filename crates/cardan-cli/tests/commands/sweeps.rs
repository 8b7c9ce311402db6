//! `cardan compare --vary`: variants that run in lanes give the results of separate runs, to the bit.

use crate::support::command;
use cardan::{Batch, Integrator};
use cardan_scene::{Document, Scene, bundled};

const EULER: [&str; 2] = ["--set", "simulation.integrator=semi-implicit-euler"];

fn compare(args: &[&[&str]]) -> String {
    let out = command(&[&["compare"], &args.concat()[..], &["--json"]].concat(), b"");
    assert_eq!(out.code, 0, "{}", out.stderr);
    out.stdout
}

/// Runs of all values together, which must be those of each.
fn assert_alike(scene: &str, path: &str, values: &[&str], more: &[&str]) {
    let vary = |values: &str| compare(&[&[scene], more, &["--vary", &format!("{path}={values}")]]);
    let together = vary(&values.join(","));
    let each: Vec<String> = values
        .iter()
        .map(|value| vary(value).trim().trim_start_matches('[').trim_end_matches(']').to_string())
        .collect();
    assert_eq!(together.trim(), format!("[{}]", each.join(",")), "{scene} {more:?}");
}

/// Whether a scene goes in lanes with an integrator.
fn goes_in_lanes(name: &str, integrator: Integrator) -> bool {
    let scene = bundled().iter().find(|scene| scene.name == name).expect("a bundled scene");
    let document = Document::parse(name, scene.text).unwrap_or_else(|e| panic!("{}", e.render()));
    let scene = Scene::from_document(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    let model = scene.to_model(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    let settings = scene.settings(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    Batch::takes(&model, &cardan::Settings { integrator, ..settings })
}

#[test]
fn variants_in_lanes_say_what_each_says_alone() {
    let masses = ["0.05", "0.1", "0.2", "0.4", "0.8"];
    // The last step is shorter.
    let until = ["--until", "0.0303", "--dt", "1 ms"];
    let columns = ["--columns", "bodies.link9.position,bodies.link9.acceleration,bodies.link0.velocity"];
    assert!(goes_in_lanes("hanging-chain", Integrator::SemiImplicitEuler));
    for more in [&[][..], &columns] {
        assert_alike("hanging-chain", "bodies.link3.mass", &masses, &[&EULER[..], &until, more].concat());
    }
    // These cannot: the rule, a step of their own, contacts.
    assert!(!goes_in_lanes("hanging-chain", Integrator::Rk4));
    assert_alike("hanging-chain", "bodies.link3.mass", &masses[..2], &[&until[..], &columns].concat());
    assert_alike("pendulum", "simulation.dt", &["1e-3", "2e-3"], &[&EULER[..], &until[..2]].concat());
    assert!(!goes_in_lanes("knee-stop", Integrator::SemiImplicitEuler));
    assert_alike("knee-stop", "bodies.shank.mass", &["1", "2"], &[&EULER[..], &until].concat());
}

#[test]
fn a_variant_that_cannot_be_read_is_named_after_those_before_it_have_run() {
    let vary = ["--vary", "bodies.bar.mass=1,2,-1"];
    let out = command(&[&["compare", "pendulum"], &EULER[..], &vary, &["--until", "0.01"]].concat(), b"");
    assert_ne!(out.code, 0);
    assert!(out.stdout.is_empty() && out.stderr.contains("mass"), "{} {}", out.stdout, out.stderr);
}
