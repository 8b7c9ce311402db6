//! Bodies with natural frequencies beyond the step.

use cardan::body::{Elastic, Number, Parametric, Piece, Pose, ScaleSpring};
use cardan::math::{Sym3, Vec3, vec3};
use cardan::{
    Body, End, Force, Gravity, Integrator, MassProperties, ModelBuilder, Settings, Simulation, SolidShape,
    Spring, StepError, World,
};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

const H: f64 = 1e-3;
const SIZE: f64 = 0.2;
const MASS: f64 = 8.0;

fn block(young: f64, soft: bool) -> Body {
    let material = Elastic { young, poisson: 0.0, damping: 0.0 };
    match soft {
        true => Body::soft_block([SIZE; 3], MASS, material),
        false => Body::affine(SolidShape::Box { size: [SIZE; 3] }, MASS, material),
    }
}

fn run(body: Body, integrator: Integrator, until: f64) -> Result<Simulation, StepError> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    parts.add_body(Body { vel: vec3(1.0, 0.0, 2.0), omega: vec3(0.3, 3.0, -0.4), ..body });
    let settings = Settings { integrator, ..Settings::default() };
    let mut sim = Simulation::with_settings(parts.build().expect("a model"), settings)?;
    sim.run(until, H).map(|_| sim)
}

/// At 1e8 Pa and 1 ms it once lost all of its energy, with only a warning.
#[test]
fn a_stiff_elastic_body_does_not_lose_its_energy() {
    for soft in [false, true] {
        for young in [1e5, 1e6, 1e7, 1e8] {
            let mut sim = run(block(young, soft), Integrator::Rk4, 0.2).expect("a run");
            let error = sim.balance().energy_error;
            // Parts of a step have ω h ≤ 0.5: a truncation of (0.5)⁴/120 = 5e-4 per radian of the
            // fastest mode, in proportion to its part of the energy.
            assert!(error < 1e-3, "soft: {soft}, {young:e} Pa: {error:e}");
            assert!(sim.momentum().linear.is_finite());
            // The sum of 200 steps is compensated: one rounding of 0.2.
            assert!((sim.time() - 0.2).abs() < 1e-15);
        }
    }
}

/// At 1e12 Pa the run once did not end. Stretched along an edge, a cube oscillates with ω² = E V/(m
/// L²/12), the fastest mode of an affine body.
#[test]
fn a_body_too_stiff_for_the_step_is_refused_with_a_step_that_would_do() {
    let omega = (1e12 * SIZE * SIZE * SIZE / (MASS * SIZE * SIZE / 12.0)).sqrt();
    match run(block(1e12, false), Integrator::Rk4, 0.1) {
        Err(StepError::TooStiff { body, frequency, h, advised }) => {
            assert_eq!((body.as_str(), h), ("b0", H));
            let wanted = omega / core::f64::consts::TAU;
            // An affine body has few modes: the power iteration has converged, up to its finite
            // differences.
            assert!((frequency / wanted - 1.0).abs() < 1e-4, "{frequency} {wanted}");
            assert!(advised * omega <= 0.5 && advised * omega > 0.2, "{advised}");
            // The advised step works.
            let mut parts = ModelBuilder::new(Gravity::ZERO);
            parts.add_body(Body { omega: vec3(0.3, 3.0, -0.4), ..block(1e12, false) });
            let mut sim = Simulation::new(parts.build().expect("a model"));
            sim.run(100.0 * advised, advised).expect("a run");
            assert_eq!(sim.steps(), 100);
            // The truncation of the fast modes at ω h ≤ 0.5 over 100 steps, in proportion to their
            // part of the energy.
            assert!(sim.balance().energy_error < 1e-6);
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
}

/// For any stiffness and integrator the run ends with finite numbers, or with an error that names
/// the body, within a bounded number of steps.
#[test]
fn no_stiffness_makes_a_run_endless() {
    let rules = [
        Integrator::Rk4,
        Integrator::ExplicitEuler,
        Integrator::SemiImplicitEuler,
        Integrator::TimeStepping,
        Integrator::Rattle,
        Integrator::FirstOrder,
    ];
    let mass = MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Sym3::diagonal(0.02, 0.03, 0.04) };
    for rule in rules {
        for power in [4, 7, 8, 9, 10, 12, 16, 30] {
            let young = 10.0_f64.powi(power);
            let stretch = ScaleSpring { stiffness: young, damping: 0.0 };
            for body in [block(young, false), block(young, true), Body::scaled(mass, stretch)] {
                let kind = body.kind.name();
                let what = format!("{kind} 1e{power} {rule:?}");
                match run(body, rule, 5.0 * H) {
                    Ok(sim) => {
                        assert!(sim.steps() <= 5 * 1024, "{what}: {}", sim.steps());
                        assert!(sim.state().velocities().iter().all(|v| v.is_finite()), "{what}");
                    }
                    Err(StepError::TooStiff { body, .. }) => assert_eq!(body, "b0", "{what}"),
                    Err(StepError::NotForKind { .. }) => {}
                    Err(other) => assert!(rule == Integrator::FirstOrder, "{what}: {other}"),
                }
            }
        }
    }
}

/// Parallel sliding masses with springs between neighbours, and a counter of energy evaluations.
#[derive(Debug)]
struct Row {
    masses: usize,
    stiffness: f64,
    asked: Arc<AtomicUsize>,
}

impl Row {
    const MASS: f64 = 0.1;

    fn of(masses: usize, stiffness: f64) -> (Body, Arc<AtomicUsize>) {
        let asked = Arc::new(AtomicUsize::new(0));
        (Body::parametric(Row { masses, stiffness, asked: asked.clone() }), asked)
    }
}

impl Parametric for Row {
    fn coordinates(&self) -> usize {
        self.masses
    }
    fn pieces(&self) -> Vec<Piece> {
        vec![Piece::point(Row::MASS); self.masses]
    }
    fn place<N: Number>(&self, u: &[N], out: &mut [Pose<N>]) {
        for (i, (u, out)) in u.iter().zip(out).enumerate() {
            *out = Pose::at([N::constant(i as f64), *u, N::constant(0.0)]);
        }
    }
    fn energy<N: Number>(&self, u: &[N]) -> N {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let stretched = u.windows(2).map(|pair| pair[1] - pair[0]);
        stretched.fold(N::constant(0.0), |sum, d| sum + d * d * (0.5 * self.stiffness))
    }
}

/// ω² = 4 k/m sin²(π (n − 1)/2n) of n masses in a row with free ends; the estimate converges from
/// below. With more than sixty coordinates no matrix is formed.
#[test]
fn the_natural_frequency_of_a_body_of_many_coordinates_is_found() {
    for masses in [20, 60, 61, 150] {
        let stiffness = 1e14;
        let (row, _) = Row::of(masses, stiffness);
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        parts.add_body(row);
        let mut sim = Simulation::new(parts.build().expect("a model"));
        match sim.step(H) {
            Err(StepError::TooStiff { frequency, .. }) => {
                let n = masses as f64;
                let half = (core::f64::consts::FRAC_PI_2 * (n - 1.0) / n).sin();
                let wanted = 2.0 * (stiffness / Row::MASS).sqrt() * half / core::f64::consts::TAU;
                let part = frequency / wanted;
                // The iteration converges from below; differences leave 1e-6.
                assert!(part > 0.97 && part < 1.0 + 1e-6, "{masses}: {part}");
            }
            other => panic!("{masses}: {:?}", other.map(|_| ())),
        }
    }
}

/// Every edit near a body once recomputed its natural frequency: 4 n² energies for n coordinates,
/// though the body was unchanged.
#[test]
fn an_edit_does_not_recompute_natural_frequencies() {
    const N: usize = 100;
    let (row, asked) = Row::of(N, 10.0);
    let count = || asked.swap(0, Ordering::Relaxed);
    let mut world = World::new(Gravity::new(0.0, -9.81, 0.0));
    let row = world.add_body(row).expect("a row");
    // At most some times the iterations of the estimate, two force evaluations each, of N energies.
    let first = count();
    assert!(first > N && first < 200 * N, "{first}");
    world.step(1e-3).expect("a step");
    count();
    let spring = Spring { stiffness: 1.0, damping: 0.0, rest_length: 0.0 };
    for i in 0..3 {
        let at = [i as f64, 1.0, 0.0];
        world
            .add_force(Force::spring(End::Ground, at, End::Piece(row, i), [0.0; 3], spring))
            .expect("a spring");
        world.assemble().expect("a model");
        let again = count();
        assert!(again <= 4 * N, "edit {i}: {again}");
    }
    // It is as stiff as before.
    let (stiff, _) = Row::of(N, 1e14);
    let stiff = world.add_body(Body { pos: vec3(0.0, 9.0, 0.0), ..stiff }.named("stiff")).expect("a row");
    let force = Force::spring(End::Ground, [0.0; 3], stiff, [0.0; 3], spring);
    world.add_force(force).expect("a spring");
    let error = world.step(1e-3).expect_err("too stiff").to_string();
    assert!(error.contains("`stiff` is too stiff"), "{error}");
}
