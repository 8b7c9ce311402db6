//! Accounts on demand: the motion does not depend on when certificate, energy and momentum are taken, and what is read later is what every step would have measured.

use cardan::math::vec3;
use cardan::{
    Accounts, Batch, Body, Coordinates, End, End::Ground, Fault, Force, ForceLaw, ForceOutput, Frame,
    FrameMotion, Gravity, Integrator, Joint, Model, ModelBuilder, Settings, Simulation, SolidShape,
    SolverChoice, Stabilization, World,
};
use cardan_testkit::{MotionSpace, Parts, Rng, closed_loops, closed_tree};
use std::sync::Arc;

const H: f64 = 1e-3;

fn bar() -> Body {
    Body::solid(SolidShape::Box { size: [0.6, 0.1, 0.04] }, 1.5)
}

/// Bars on hinges that are not parallel, with viscous friction, which keeps them off the kernels.
fn describe_arm(links: usize) -> ModelBuilder {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut last = Ground;
    for i in 0..links {
        let x = 0.5 * i as f64;
        let body = parts.add_body(Body { pos: vec3(x + 0.25, 0.1, 0.0), ..bar() });
        let axis = [0.3, 1.0, 0.2 * (i % 3) as f64];
        parts.add_joint(Joint::revolute(last, body, [x, 0.0, 0.0], axis).with_spring(0.0, 0.2, 0.0));
        last = End::Body(body);
    }
    parts
}

fn arm(links: usize) -> Arc<Model> {
    Arc::new(describe_arm(links).build().expect("an arm"))
}

fn start(model: &Arc<Model>, settings: Settings, accounts: Accounts) -> Simulation {
    Simulation::with_settings(model.clone(), Settings { accounts, ..settings }).expect("a simulation")
}

fn scaled(parts: &mut Parts, rng: &mut Rng, decades: f64) {
    for body in &mut parts.bodies {
        let k = libm::pow(10.0, rng.range(-0.5 * decades, 0.5 * decades));
        body.mass.mass *= k;
        // Thin bodies, too: their moments are small beside those of the arms of their joints.
        let k = k * libm::pow(10.0, rng.range(-0.75 * decades, 0.0));
        let i = &mut body.mass.inertia;
        for x in [&mut i.xx, &mut i.yy, &mut i.zz, &mut i.xy, &mut i.xz, &mut i.yz] {
            *x *= k;
        }
    }
}

/// Steps both and compares everything that can be read.
fn assert_alike(model: &Arc<Model>, settings: Settings, steps: u64, what: &str) {
    let mut all = start(model, settings, Accounts::EveryStep);
    let mut off = start(model, settings, Accounts::Off);
    for n in 1..=steps {
        let (left, right) = (all.step(H), off.step(H));
        match (&left, &right) {
            (Ok(_), Ok(_)) => {}
            // What cannot be stepped is refused with the same words.
            (Err(left), Err(right)) => return assert_eq!(left.to_string(), right.to_string(), "{what}"),
            _ => panic!("{what}: {left:?} and {right:?}"),
        }
        if n == steps / 2 || n == steps {
            assert_eq!(all.state_hash(), off.state_hash(), "{what}: the state after {n} steps");
            assert_eq!(all.energy(), off.energy(), "{what}");
            assert_eq!(all.momentum(), off.momentum(), "{what}");
            let (left, right) = (all.balance(), off.balance());
            assert_eq!(left.initial_energy, right.initial_energy, "{what}");
            assert_eq!(left.energy_left, right.energy_left, "{what}");
        }
    }
    assert_eq!((off.certificate().accounts, off.certificate().instants), (Accounts::Off, 0), "{what}");
    assert_eq!(all.certificate().instants, all.steps(), "{what}");
    assert_eq!(all.state().to_bytes(), off.state().to_bytes(), "{what}: the ledger");
}

#[test]
fn the_motion_and_what_is_read_of_it_do_not_depend_on_accounts() {
    let by = |integrator| Settings { integrator, ..Settings::default() };
    let mut ways = vec![
        ("RK4", by(Integrator::Rk4)),
        ("Dormand–Prince", by(Integrator::Dopri5)),
        ("explicit Euler", by(Integrator::ExplicitEuler)),
        ("Euler", by(Integrator::SemiImplicitEuler)),
        ("RATTLE", by(Integrator::Rattle)),
        ("time stepping", by(Integrator::TimeStepping)),
        ("f = m v", by(Integrator::FirstOrder)),
    ];
    let euler = by(Integrator::SemiImplicitEuler);
    ways.push(("joint coordinates", Settings { coordinates: Coordinates::Joints, ..euler }));
    ways.push(("no stabilisation", Settings { stabilization: Stabilization::None, ..euler }));
    ways.push(("Baumgarte", Settings { stabilization: Stabilization::baumgarte(H), ..euler }));
    ways.push(("sparse", Settings { solver: SolverChoice::Sparse, ..euler }));
    for (what, settings) in ways {
        assert_alike(&arm(5), settings, 40, what);
        let mut rng = Rng::new(23);
        for world in [MotionSpace::Rigid, MotionSpace::Space, MotionSpace::Planar] {
            for (n, loops) in [(6, 0), (6, 2)] {
                let parts = closed_loops(&mut rng, n, loops, world, false);
                let Ok(model) = parts.build() else { continue };
                assert_alike(&Arc::new(model), settings, 12, &format!("{what}, {world:?}, {loops} loops"));
            }
        }
    }
}

/// The residual may be left out where it decides nothing: trees for which it is left out are never refined. If one were, it would have more
/// solves than without accounts, and another motion.
#[test]
fn trees_whose_residual_is_left_out_are_never_refined() {
    let (mut worst, mut left_out): (f64, u32) = (0.0, 0);
    for (n, decades, count) in
        [(1, 4.0, 40), (4, 4.0, 60), (12, 4.0, 30), (30, 4.0, 12), (64, 4.0, 8), (64, 0.0, 6)]
    {
        for seed in 0..count {
            let mut rng = Rng::new(1000 * n as u64 + seed);
            let mut parts = closed_tree(&mut rng, n, MotionSpace::Rigid, seed % 4 == 0);
            scaled(&mut parts, &mut rng, decades);
            let Ok(model) = parts.build() else { continue };
            let settings = Settings { integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
            let model = Arc::new(model);
            let (mut all, mut off) =
                (start(&model, settings, Accounts::EveryStep), start(&model, settings, Accounts::Off));
            let counts = [&mut all, &mut off].map(|sim| {
                let reports: Vec<_> = (0..5).map_while(|_| sim.step(H).ok()).collect();
                left_out += reports.iter().filter(|report| report.equation_residual.is_nan()).count() as u32;
                (reports.len(), sim.diagnostics().work_counts().solves, sim.state_hash())
            });
            assert_eq!(counts[0], counts[1], "{n} bodies, seed {seed}");
            let residual = all.certificate().max_equation_residual;
            assert!(residual.is_finite(), "{n} bodies, seed {seed}");
            worst = if residual > worst { residual } else { worst };
        }
    }
    // Refinement begins at 1e-12; measured: 3e-14.
    assert!(worst < 1e-13 && worst > 0.0, "{worst:e}");
    assert!(left_out > 100, "{left_out}");
}

#[test]
fn steps_report_a_residual_only_where_it_was_measured() {
    let settings = Settings { integrator: Integrator::SemiImplicitEuler, ..Settings::default() };
    let mut all = start(&arm(4), settings, Accounts::EveryStep);
    let mut off = start(&arm(4), settings, Accounts::Off);
    let (measured, skipped) = (all.step(H).expect("a step"), off.step(H).expect("a step"));
    assert!(measured.equation_residual < 1e-13 && skipped.equation_residual.is_nan(), "{skipped:?}");
    assert_eq!(measured.position_error, skipped.position_error);
    // A question is always answered with its residual.
    let asked = [all, off].map(|mut sim| sim.evaluate().expect("accelerations").equation_residual());
    assert!(asked[0] == asked[1] && asked[0] < 1e-13, "{asked:?}");
}

#[test]
fn a_recorded_certificate_covers_the_instants_that_were_asked_for() {
    for (fault, noticed) in [(Fault::None, false), (Fault::FlippedBias, true), (Fault::LopsidedRow, true)] {
        let mut sim = start(&arm(3), Settings { fault, ..Settings::default() }, Accounts::Recorded);
        for n in 0..30 {
            sim.step(H).expect("a step");
            if n % 10 == 9 {
                sim.certify_now().expect("accounts");
            }
        }
        let certificate = sim.certificate();
        assert_eq!((certificate.accounts, certificate.instants), (Accounts::Recorded, 3));
        let residual = certificate.max_equation_residual;
        // Rounding leaves 1e-14; the smallest planted fault is 1e-6.
        assert!(if noticed { residual > 1e-9 } else { residual < 1e-13 }, "{fault:?}: {residual:e}");
        assert!(certificate.max_position_error < 1e-14, "{certificate:?}");
    }
}

#[test]
fn the_errors_of_a_recorded_instant_are_those_of_the_step_that_led_there() {
    // Without projection errors are far above rounding.
    let open = Settings { stabilization: Stabilization::None, ..Settings::default() };
    let mut sim = start(&arm(4), open, Accounts::Recorded);
    let mut last = sim.step(4.0 * H).expect("a step");
    for _ in 0..200 {
        last = sim.step(4.0 * H).expect("a step");
    }
    sim.certify_now().expect("accounts");
    let taken = sim.certificate();
    for (step, instant) in
        [(last.position_error, taken.max_position_error), (last.velocity_error, taken.max_velocity_error)]
    {
        // A step measures the gap of a joint in world axes, rows measure it in those of body a: the largest components of one vector in two
        // frames differ by at most a factor of √3.
        let ratio = step / instant;
        assert!(step > 1e-9 && ratio < 1.733 && ratio > 1.0 / 1.733, "{last:?}, {taken:?}");
    }
}

#[test]
fn with_end_a_run_certifies_its_end() {
    let mut sim = start(&arm(3), Settings::default(), Accounts::End);
    sim.run(0.02, H).expect("a run");
    assert_eq!(sim.certificate().instants, 1);
    sim.run(0.04, H).expect("a run");
    assert_eq!(sim.certificate().instants, 2);
    assert!(sim.certificate().max_equation_residual > 0.0);
}

/// Breaks at a given time.
#[derive(Debug)]
struct Breaks(f64);

impl ForceLaw for Breaks {
    fn apply(&self, time: f64, _frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        out.wrench[0].force = vec3(if time > self.0 { f64::NAN } else { 1.0 }, 0.0, 0.0);
    }
}

#[test]
fn a_step_that_fails_is_found_without_accounts_and_leaves_the_state() {
    for integrator in [Integrator::SemiImplicitEuler, Integrator::Rk4] {
        let told = [Accounts::EveryStep, Accounts::Recorded, Accounts::End, Accounts::Off].map(|accounts| {
            let mut parts = describe_arm(3);
            let third = cardan::BodyId::of_index(2);
            parts.add_force(
                Force::user(vec![(End::Body(third), Frame::default())], Breaks(0.0095)).named("f"),
            );
            let settings = Settings { integrator, accounts, ..Settings::default() };
            let mut sim =
                Simulation::with_settings(parts.build().expect("an arm"), settings).expect("settings");
            loop {
                let (before, energy) = (sim.state().to_bytes(), sim.energy());
                if let Err(error) = sim.step(H) {
                    assert_eq!(before, sim.state().to_bytes(), "{accounts:?}");
                    assert_eq!(energy, sim.energy(), "{accounts:?}");
                    break (error.to_string(), sim.steps(), sim.state_hash());
                }
                assert!(sim.steps() < 100, "{accounts:?}: nothing was noticed");
            }
        });
        assert!(told.iter().all(|one| *one == told[0]), "{told:?}");
    }
}

#[test]
fn a_world_without_accounts_moves_and_balances_alike() {
    let run = |accounts| {
        let mut parts = describe_arm(3);
        let ball = Body { pos: vec3(5.0, 0.0, 1.0), vel: vec3(1.0, 0.0, 2.0), ..bar() };
        parts.add_body(ball);
        let mut world = World::of(parts, Settings { accounts, ..Settings::default() }).expect("a world");
        world.run(0.05, H).expect("a run");
        let balance = world.balance();
        let read = (world.state_hash(), world.energy(), world.momentum(), balance.energy_left);
        (read, world.certificate())
    };
    let (all, off, end) = (run(Accounts::EveryStep), run(Accounts::Off), run(Accounts::End));
    assert_eq!(all.0, off.0);
    assert_eq!(all.0, end.0);
    assert_eq!([all.1.instants, off.1.instants, end.1.instants], [50, 0, 1]);
    assert!(end.1.max_equation_residual < 1e-13, "{:?}", end.1);
}

#[test]
fn a_batch_keeps_certificates_of_every_step_or_none() {
    let model = arm(3);
    let states = vec![model.initial_state().clone(); 5];
    let run = |accounts| {
        let settings =
            Settings { integrator: Integrator::SemiImplicitEuler, accounts, ..Settings::default() };
        let mut batch = Batch::new(model.clone(), settings, &states).expect("a batch");
        batch.steps(20, H).expect("steps");
        (batch.state(4).expect("a state").to_bytes(), batch.certificate(4).expect("a certificate"))
    };
    let (all, off) = (run(Accounts::EveryStep), run(Accounts::Off));
    assert_eq!(all.0, off.0);
    assert_eq!((all.1.instants, off.1.instants), (20, 0));
    assert!(all.1.max_equation_residual > 0.0 && off.1.max_equation_residual == 0.0);
}
