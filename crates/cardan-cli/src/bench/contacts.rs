//! Contacts: whole scenes step by step, and what three of them on a chain cost (Baraff 1996, §9).
//!
//! | workload | what |
//! |---|---|
//! | `contacts-pile`, `contacts-billiard`, `contacts-ragdoll` | the bundled scene with its own settings, from its start: every step is timed, in some runs, and the least of each counts |
//! | `contacts-links` | chains of links with three frictionless contacts: the pieces of one evaluation, and their counts |

use crate::Failure;
use cardan::constraint::{Constraint, ConstraintRows};
use cardan::math::{Vec3, vec3};
use cardan::solve::complementarity::{ActiveSet, Group, Problem};
use cardan::{
    Body, End, Frame, FrameMotion, Gravity, Inequality, Joint, Model, ModelBuilder, Settings, Simulation,
    SolverChoice, StepError, Wrench,
};
use cardan_scene::{Document, Scene, SceneError, bundled};
use serde::Serialize;
use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Scenes that are measured, by the names of their workloads.
const SCENES: [(&str, &str); 3] =
    [("contacts-pile", "pile"), ("contacts-billiard", "billiard"), ("contacts-ragdoll", "ragdoll")];
const LINKS: &str = "contacts-links";
/// Runs of each scene, and steps of one at most.
const RUNS: usize = 3;
const STEPS: usize = 600;
/// Links of the chains, and contacts on each.
const SIZES: [u32; 3] = [32, 64, 128];
const CONTACTS: usize = 3;
/// A sample of a piece is at least so long, and samples are taken for so long.
const SAMPLE: Duration = Duration::from_micros(100);
const BUDGET: Duration = Duration::from_millis(60);

/// The names of all of them.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SCENES.iter().map(|(name, _)| *name).chain([LINKS])
}

/// One scene, or one chain.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum ContactMeasurement {
    /// A scene.
    Scene(SceneSteps),
    /// A chain.
    Chain(ChainContacts),
}

/// The steps of a scene.
#[derive(Serialize)]
pub(super) struct SceneSteps {
    workload: &'static str,
    n: usize,
    what: &'static str,
    steps: usize,
    ns_per_step: f64,
    ns_per_step_min: f64,
    /// Contacts that press, and the most at once.
    contacts_per_step: f64,
    contacts_most: usize,
    /// Systems factored by Newton's method for them; zero where the small dense problem was solved.
    newton_steps_per_step: f64,
}

/// The pieces of one evaluation of a chain with contacts [ns], least times.
#[derive(Serialize)]
pub(super) struct ChainContacts {
    workload: &'static str,
    n: u32,
    what: &'static str,
    contacts: usize,
    /// Of an elimination; the tree's factor and a solve with it.
    operations: u64,
    solves: u64,
    whole_ns: f64,
    /// Of the shortest chain alone: it grows with the cube of n.
    dense_ns: Option<f64>,
    without_ns: f64,
    factor_ns: f64,
    solve_ns: f64,
    small_ns: f64,
}

/// The workloads that a filter selects.
pub(super) fn measure(filter: &str) -> Result<Vec<ContactMeasurement>, Failure> {
    let mut all = Vec::new();
    for (name, scene) in SCENES.into_iter().filter(|(name, _)| name.contains(filter)) {
        all.push(ContactMeasurement::Scene(steps(name, scene)?));
    }
    if LINKS.contains(filter) {
        for n in SIZES {
            all.push(ContactMeasurement::Chain(links(n)?));
        }
    }
    Ok(all)
}

fn failed(name: &str, error: impl std::fmt::Display) -> Failure {
    Failure::Run(format!("{name}: {error}"))
}

fn steps(workload: &'static str, scene: &str) -> Result<SceneSteps, Failure> {
    let found = bundled().iter().find(|bundled| bundled.name == scene);
    let text = found.ok_or_else(|| failed(workload, format!("no bundled scene `{scene}`")))?.text;
    let build = || -> Result<(Arc<Model>, Settings, f64, f64), SceneError> {
        let document = Document::parse(scene, text)?;
        let scene = Scene::from_document(&document)?;
        let (dt, until) = (scene.simulation.dt(), scene.simulation.until());
        Ok((Arc::new(scene.to_model(&document)?), scene.settings(&document)?, dt, until))
    };
    let (model, settings, dt, until) = build().map_err(|error| Failure::Run(error.render()))?;
    let mut least: Vec<f64> = Vec::new();
    let (mut contacts, mut most, mut newton) = (0, 0, 0);
    for run in 0..RUNS {
        let start = Simulation::with_settings(model.clone(), settings);
        let mut sim = start.map_err(|error| failed(workload, error))?;
        sim.assemble().map_err(|error| failed(workload, error))?;
        let mut step = 0;
        while step < STEPS && sim.next_step(until, dt).is_some() {
            let begin = Instant::now();
            let report = sim.step_toward(until, dt).map_err(|error| failed(workload, error))?;
            let spent = begin.elapsed().as_nanos() as f64;
            match least.get_mut(step) {
                Some(least) => *least = least.min(spent),
                None => least.push(spent),
            }
            step += 1;
            if run == 0 {
                let pressing = sim.observe().contacts().count();
                (contacts, most) = (contacts + pressing, most.max(pressing));
                newton += report.newton_steps;
            }
        }
    }
    let count = least.len().max(1) as f64;
    least.sort_by(f64::total_cmp);
    Ok(SceneSteps {
        workload,
        n: model.bodies().len(),
        what: "step",
        steps: least.len(),
        ns_per_step: least.get(least.len() / 2).copied().unwrap_or(0.0),
        ns_per_step_min: least.first().copied().unwrap_or(0.0),
        contacts_per_step: contacts as f64 / count,
        contacts_most: most,
        newton_steps_per_step: newton as f64 / count,
    })
}

/// g = y of the origin of a link.
#[derive(Debug)]
struct HeightAboveFloor;

impl Constraint for HeightAboveFloor {
    fn rows(&self) -> usize {
        1
    }
    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        out.err[0] = frames[0].pos.y;
        *out.gradient(0, 0) = Wrench { force: Vec3::Y, torque: Vec3::ZERO };
    }
}

fn chain(n: u32, with_contacts: bool) -> Result<Arc<Model>, Failure> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let mut before = End::Ground;
    let mut bodies = Vec::new();
    for i in 0..n {
        let (from, middle) = (0.5 * f64::from(i), 0.5 * f64::from(i) + 0.25);
        let link = parts.add_body(Body { pos: vec3(middle, 0.0, 0.0), ..Body::rod(1.0, 0.5, 0.02) });
        parts.add_joint(Joint::revolute(before, link, [from, 0.0, 0.0], [0.0, 0.0, 1.0]));
        before = link.into();
        bodies.push(link);
    }
    // Floors just under links a quarter, a half and all of the way along.
    for at in [n / 4, n / 2, n - 1].into_iter().filter(|_| with_contacts) {
        let frames = vec![(bodies[at as usize].into(), Frame::default())];
        parts.add_inequality(Inequality::new(format!("floor {at}"), frames, HeightAboveFloor));
    }
    parts.build().map(Arc::new).map_err(|error| failed(LINKS, error))
}

/// The least time of a repetition [ns].
fn least<E>(mut work: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let (mut least, mut repeats) = (f64::INFINITY, 1_u32);
    let start = Instant::now();
    while start.elapsed() < BUDGET {
        let begin = Instant::now();
        for _ in 0..repeats {
            work()?;
        }
        let spent = begin.elapsed();
        // Warms up, and finds how much makes a sample.
        if spent < SAMPLE {
            repeats *= 2;
        } else {
            least = least.min(spent.as_nanos() as f64 / f64::from(repeats));
        }
    }
    Ok(least)
}

fn links(n: u32) -> Result<ChainContacts, Failure> {
    let start = |with_contacts: bool, solver: SolverChoice| {
        let settings = Settings { solver, ..Settings::default() };
        let sim = Simulation::with_settings(chain(n, with_contacts)?, settings);
        sim.map_err(|error| failed(LINKS, error))
    };
    let evaluated = |mut sim: Simulation| {
        let work = || {
            black_box(sim.accelerations()?);
            Ok(())
        };
        least(work).map_err(|error: StepError| failed(LINKS, error))
    };
    let mut sim = start(true, SolverChoice::Auto)?;
    let before = sim.diagnostics().work_counts().solves;
    sim.evaluate().map_err(|error| failed(LINKS, error))?;
    let solves = sim.diagnostics().work_counts().solves - before;
    let mut bare = start(false, SolverChoice::Auto)?;
    let operations = bare.diagnostics().elimination_operations().map_or(0, |count| count.total());
    let mut alone = bare.diagnostics().linear_solve().map_err(|error| failed(LINKS, error))?;
    let both = least(|| alone.factor_and_solve()).map_err(|error| failed(LINKS, error))?;
    let again = || {
        alone.solve_again();
        Ok::<(), Failure>(())
    };
    let solve_ns = least(again)?;
    let dense_ns = match n == SIZES[0] {
        true => Some(evaluated(start(true, SolverChoice::Dense)?)?),
        false => None,
    };
    Ok(ChainContacts {
        workload: LINKS,
        n,
        what: "contacts",
        contacts: CONTACTS,
        operations,
        solves,
        whole_ns: evaluated(sim)?,
        dense_ns,
        without_ns: evaluated(bare)?,
        factor_ns: (both - solve_ns).max(0.0),
        solve_ns,
        small_ns: small_problem()?,
    })
}

/// A small problem like that of three floors: all of them press.
fn small_problem() -> Result<f64, Failure> {
    let matrix = [0.9, 0.3, 0.02, 0.3, 0.8, 0.1, 0.02, 0.1, 1.1];
    let (bias, formed) = ([-9.81, -9.81, -9.81], [9.81; 3]);
    let mut set = ActiveSet::default();
    let problem = Problem {
        groups: &[Group::OneSided; CONTACTS],
        matrix: &matrix,
        bias: &bias,
        matrix_formed: &[1.0; CONTACTS],
        bias_formed: &formed,
    };
    least(|| set.solve(black_box(&problem))).map_err(|error| failed(LINKS, error))
}

/// The table for people.
pub(super) fn table(all: &[ContactMeasurement]) -> String {
    let mut text = String::new();
    let scenes =
        all.iter().filter_map(|c| if let ContactMeasurement::Scene(steps) = c { Some(steps) } else { None });
    for (i, s) in scenes.enumerate() {
        if i == 0 {
            let _ = writeln!(
                text,
                "\n{:24} {:>4} {:>6} {:>12} {:>12} {:>10} {:>6} {:>8}",
                "contacts", "n", "steps", "median [µs]", "least [µs]", "contacts", "most", "Newton"
            );
        }
        let _ = writeln!(
            text,
            "{:24} {:>4} {:>6} {:>12.1} {:>12.1} {:>10.1} {:>6} {:>8.2}",
            s.workload,
            s.n,
            s.steps,
            s.ns_per_step / 1e3,
            s.ns_per_step_min / 1e3,
            s.contacts_per_step,
            s.contacts_most,
            s.newton_steps_per_step
        );
    }
    for c in all {
        let ContactMeasurement::Chain(l) = c else { continue };
        let k = l.contacts as f64;
        let parts = l.factor_ns + (k + 2.0) * l.solve_ns + l.small_ns;
        let _ = writeln!(
            text,
            "\n{} links and {} contacts: {:.1} µs, {:.1} µs without contacts{}\n  {} operations of an elimination, {} solves of an \
             evaluation and of the look at what presses: {} each",
            l.n,
            l.contacts,
            l.whole_ns / 1e3,
            l.without_ns / 1e3,
            l.dense_ns.map_or(String::new(), |ns| format!(", {:.0} µs with a dense solver", ns / 1e3)),
            l.operations,
            l.solves,
            l.solves / 2
        );
        for (what, ns) in [
            ("poses, forces, rows, what presses", (l.whole_ns - parts).max(0.0)),
            ("factor of the tree", l.factor_ns),
            ("solve without contacts", l.solve_ns),
            ("k solves: responses to the contacts", k * l.solve_ns),
            ("the small problem", l.small_ns),
            ("solve with contacts", l.solve_ns),
        ] {
            let _ = writeln!(text, "  {what:42} {:>9.2} µs", ns / 1e3);
        }
    }
    text
}
