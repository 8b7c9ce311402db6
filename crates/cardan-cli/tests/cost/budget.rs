//! What the main kernels cost, counted, against `benches/budget.toml`: operations of the arithmetic, factors and solves of whole steps, bytes.
//!
//! Counts do not jitter, so a kernel that has become dearer fails here by its name, with what it may cost and what it costs. What has
//! become cheaper passes. A change that is meant writes the budget anew:
//!
//! ```text
//! CARDAN_BLESS=1 cargo test -p cardan-cli --test suite budget
//! ```

use cardan::solve::{Counted, Sparse, System, Tree};
use cardan::{Elimination, Integrator, Model, Settings, Simulation};
use cardan_scene::{Document, Family, Scene, bundled};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// A kernel on a mechanism, and what it cost: `section`, `name`, count.
type Count = (&'static str, String, u64);

fn model(name: &str, text: &str) -> Arc<Model> {
    let document = Document::parse(name, text).unwrap_or_else(|e| panic!("{}", e.render()));
    let scene = Scene::from_document(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    Arc::new(scene.to_model(&document).unwrap_or_else(|e| panic!("{}", e.render())))
}

fn generated(family: Family, n: usize) -> (String, Arc<Model>) {
    let text = family.generate(n, 1).expect("a scene");
    (format!("{}-{n}", family.name()), model(family.name(), &text))
}

fn figure_3() -> (String, Arc<Model>) {
    let entry = bundled().iter().find(|entry| entry.name == "figure-3").expect("a bundled scene");
    (entry.name.to_string(), model(entry.name, entry.text))
}

/// Arithmetic of one elimination by freedoms, forward and back, loops included.
fn eliminations(out: &mut Vec<Count>) {
    let trees = [
        (Family::Chain, 100),
        (Family::SphericalChain, 100),
        (Family::RandomTree, 100),
        (Family::Humanoid, 30),
    ];
    let loops = [(Family::NFourBar, 40), (Family::ClosedChain, 40), (Family::Net, 4)];
    let all = trees.into_iter().chain(loops).map(|(family, n)| generated(family, n));
    for (name, model) in all.chain([figure_3()]) {
        let count =
            Simulation::new(model).diagnostics().elimination_operations().expect("the articulated path");
        out.push(("elimination_operations", name, count.total()));
    }
}

/// M, F, J, c of a mechanism in numbers that count.
fn counted(model: &Arc<Model>) -> System<Counted> {
    let settings = Settings { elimination: Elimination::Rows, ..Settings::default() };
    let mut sim = Simulation::with_settings(model.clone(), settings).expect("settings that fit");
    let now = sim.evaluate().expect("it can be solved");
    let system = now.system();
    let graph = system.graph();
    let mut twin = System::new(graph.clone());
    let copy = |to: &mut [Counted], from: &[f64]| {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = Counted(*from));
    };
    for block in graph.all_blocks() {
        copy(twin.mass_mut(block), system.mass(block));
    }
    for link in graph.all_links() {
        for end in 0..graph.ends(link).len() {
            copy(twin.jac_mut(link, end), system.jac(link, end));
        }
        copy(twin.compliance_mut(link), system.compliance(link));
    }
    copy(twin.force_mut(), system.force());
    copy(twin.bias_mut(), system.bias());
    twin
}

/// A piece of arithmetic, counted.
fn operations(work: impl FnOnce()) -> u64 {
    Counted::reset();
    work();
    Counted::operations().total()
}

/// Factor and solve of the solvers that take any rows: the tree of Baraff's paper, and the sparse one for loops.
fn solvers(out: &mut Vec<Count>) {
    for (name, model) in [generated(Family::SphericalChain, 100), generated(Family::Chain, 100), figure_3()] {
        let system = counted(&model);
        let (mut x, mut lambda) = answers(&system);
        let mut tree: Tree<Counted> = Tree::new(system.graph()).expect("a tree");
        out.push((
            "tree_factor_operations",
            name.clone(),
            operations(|| tree.factor(&system).expect("regular")),
        ));
        let solve = || tree.solve(system.force(), system.bias(), &mut x, &mut lambda);
        out.push(("tree_solve_operations", name, operations(solve)));
    }
    for (name, model) in [generated(Family::ClosedChain, 20), generated(Family::ClosedChain, 40)] {
        let system = counted(&model);
        let (mut x, mut lambda) = answers(&system);
        let mut sparse: Sparse<Counted> = Sparse::new(system.graph());
        out.push((
            "sparse_factor_operations",
            name.clone(),
            operations(|| sparse.factor_without_circuits(&system).expect("regular")),
        ));
        let solve = || sparse.correct(system.force(), system.bias(), &mut x, &mut lambda);
        out.push(("sparse_solve_operations", name, operations(solve)));
    }
}

fn answers(system: &System<Counted>) -> (Vec<Counted>, Vec<Counted>) {
    let graph = system.graph();
    (vec![Counted(0.0); graph.unknowns()], vec![Counted(0.0); graph.rows()])
}

/// Factors and solves of a hundred evaluations whose rows are not read, and of as many looks at kinematics.
fn looks(out: &mut Vec<Count>) {
    for (name, model) in [generated(Family::Chain, 100), generated(Family::Humanoid, 30)] {
        let mut sim = Simulation::new(model);
        sim.assemble().expect("it closes");
        let mut motions = Vec::new();
        for how in ["evaluate", "kinematics"] {
            let before = sim.diagnostics().work_counts();
            for _ in 0..STEPS {
                match how {
                    "evaluate" => drop(sim.evaluate().expect("a solve")),
                    _ => {
                        sim.kinematics();
                        sim.body_motions(&mut motions);
                    }
                }
            }
            let after = sim.diagnostics().work_counts();
            let (factors, solves) =
                (after.factorizations - before.factorizations, after.solves - before.solves);
            out.push(("factors_and_solves_of_100_looks", format!("{name}-{how}"), factors + solves));
        }
    }
}

const STEPS: u64 = 100;
const BYTES: &str = "bytes_per_body";

/// Factors, solves and rounds of projection of a hundred whole steps, and bytes for each body.
fn steps(out: &mut Vec<Count>) {
    let families =
        [(Family::Chain, 100), (Family::Humanoid, 30), (Family::NFourBar, 40), (Family::ClosedChain, 40)];
    for (name, model) in families.map(|(family, n)| generated(family, n)) {
        for (how, integrator) in [("euler", Integrator::SemiImplicitEuler), ("rk4", Integrator::Rk4)] {
            let settings = Settings { integrator, ..Settings::default() };
            let mut sim = Simulation::with_settings(model.clone(), settings).expect("settings that fit");
            sim.assemble().expect("it closes");
            let before = sim.diagnostics().work_counts();
            for _ in 0..STEPS {
                sim.step(1e-3).expect("a step");
            }
            let after = sim.diagnostics().work_counts();
            let name = format!("{name}-{how}");
            out.push(("factors_of_100_steps", name.clone(), after.factorizations - before.factorizations));
            out.push(("solves_of_100_steps", name.clone(), after.solves - before.solves));
            out.push(("rounds_of_100_steps", name, after.iterations - before.iterations));
        }
    }
    for (name, model) in [generated(Family::Chain, 1000), generated(Family::ClosedChain, 40)] {
        let bodies = model.counts().bodies as u64;
        let mut sim = Simulation::new(model);
        sim.step(1e-3).expect("a step");
        out.push((BYTES, name, (sim.diagnostics().bytes() as u64).div_ceil(bodies)));
    }
}

fn path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/budget.toml"))
}

const HEAD: &str = "\
# What the main kernels may cost, counted: crates/cardan-cli/tests/cost/budget.rs counts and compares, in the test command.
#
# Operations are additions, multiplications, divisions and roots of one factor, solve or elimination of the named mechanism of
# `cardan generate` (seed 1). Written by: CARDAN_BLESS=1 cargo test -p cardan-cli --test suite budget
";

fn written(counts: &[Count]) -> String {
    let mut sections: Vec<&str> = counts.iter().map(|(section, ..)| *section).collect();
    sections.sort_unstable();
    sections.dedup();
    let mut text = String::from(HEAD);
    for section in sections {
        let _ = writeln!(text, "\n[{section}]");
        for (_, name, count) in counts.iter().filter(|(of, ..)| *of == section) {
            // A field more or less is no matter.
            let allowed = if section == BYTES { count.next_multiple_of(128) } else { *count };
            let _ = writeln!(text, "{name} = {allowed}");
        }
    }
    text
}

/// What costs more than it may, or has no budget, or a budget that nothing counts.
fn complaints(counts: &[Count], budget: &toml::Table) -> Vec<String> {
    let allowed = |section: &str, name: &str| budget.get(section)?.get(name)?.as_integer();
    let mut all = Vec::new();
    for (section, name, count) in counts {
        match allowed(section, name) {
            Some(allowed) if *count as i64 > allowed => {
                let more = 100.0 * (*count as f64 / allowed as f64 - 1.0);
                all.push(format!(
                    "{section} of {name}: {allowed} are allowed, {count} were counted ({more:+.1} %)"
                ));
            }
            Some(_) => {}
            None => all.push(format!("{section} of {name}: no budget, {count} were counted")),
        }
    }
    for (section, entries) in budget {
        for name in entries.as_table().into_iter().flat_map(toml::Table::keys) {
            if !counts.iter().any(|(of, counted, _)| of == section && counted == name) {
                all.push(format!("{section} of {name}: a budget that nothing counts"));
            }
        }
    }
    all
}

#[test]
fn no_kernel_costs_more_than_its_budget() {
    let mut counts = Vec::new();
    eliminations(&mut counts);
    solvers(&mut counts);
    steps(&mut counts);
    looks(&mut counts);
    if std::env::var_os("CARDAN_BLESS").is_some() {
        std::fs::write(path(), written(&counts)).expect("the file can be written");
        return;
    }
    let text = std::fs::read_to_string(path()).expect("benches/budget.toml");
    let budget: toml::Table = text.parse().expect("TOML");
    let complaints = complaints(&counts, &budget);
    assert!(
        complaints.is_empty(),
        "kernels cost more than benches/budget.toml allows:\n  {}\nif that is meant, CARDAN_BLESS=1 cargo test -p cardan-cli --test suite \
         budget writes it down",
        complaints.join("\n  ")
    );
}

#[test]
fn a_kernel_over_budget_is_named_with_its_budget() {
    let counts: [Count; 2] = [("factor", "chain".into(), 110), ("solve", "chain".into(), 40)];
    let budget = |text: &str| text.parse::<toml::Table>().expect("TOML");
    assert!(complaints(&counts, &budget("factor.chain = 110\nsolve.chain = 41")).is_empty());
    assert_eq!(
        complaints(&counts, &budget("factor.chain = 100\nsolve.chain = 40")),
        ["factor of chain: 100 are allowed, 110 were counted (+10.0 %)"]
    );
    assert_eq!(
        complaints(&counts, &budget("factor.chain = 110\nfactor.star = 3")),
        ["solve of chain: no budget, 40 were counted", "factor of star: a budget that nothing counts"]
    );
    // What is written down is what is read.
    assert!(complaints(&counts, &budget(&written(&counts))).is_empty());
}
