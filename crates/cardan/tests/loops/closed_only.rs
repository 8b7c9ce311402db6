//! Rows that depend on each other only where the joints are exactly closed, by every solver: equal
//! motion and rank, for any unit of length.
#![allow(clippy::disallowed_methods, reason = "the largest of some errors needs no reproducible bits")]

use cardan::End::Ground;
use cardan::math::{Quat, Vec3, vec3};
use cardan::{
    Body, Elimination, End, Gravity, Joint, JointId, JointKind, Model, ModelBuilder, Placement, Settings,
    Simulation, SolverChoice, Stabilization, StepError,
};
use cardan_testkit::{CountingAllocator, largest_difference};
use std::sync::Arc;

const SOLVERS: [SolverChoice; 4] =
    [SolverChoice::Auto, SolverChoice::Sparse, SolverChoice::ConjugateGradient, SolverChoice::Dense];

/// Bennett's linkage: opposite links of lengths a, b and twists α, β with a / sin α = b / sin β.
/// The rank of its four oblique hinges is eighteen of eighteen coordinates, unless it is exactly
/// closed: then seventeen.
fn bennett() -> Model {
    let (a, alpha, beta, theta) = (0.5, 0.6f64, 1.1f64, 1.0f64);
    let b = a * beta.sin() / alpha.sin();
    let ratio = ((beta + alpha) / 2.0).sin() / ((beta - alpha) / 2.0).sin();
    let other = 2.0 * (ratio / (theta / 2.0).tan()).atan();
    let (mut pos, mut rot) = (Vec3::ZERO, Quat::IDENTITY);
    let (mut pins, mut axes) = (Vec::new(), Vec::new());
    for (angle, length, twist) in [(theta, a, alpha), (other, b, beta), (-theta, a, alpha), (-other, b, beta)]
    {
        pins.push(pos);
        axes.push(rot * Vec3::Z);
        rot = rot * Quat::exp(Vec3::Z * angle);
        pos += rot * (Vec3::X * length);
        rot = rot * Quat::exp(Vec3::X * twist);
    }
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut last = Ground;
    for i in 0..3 {
        let pos = (pins[i] + pins[i + 1]) * 0.5;
        let rod = parts.add_body(Body { pos, ..Body::rod(1.0 + i as f64, 0.6, 0.1) });
        parts.add_joint(Joint::revolute(last, rod, pins[i], axes[i]));
        last = End::Body(rod);
    }
    parts.add_joint(Joint::revolute(last, Ground, pins[3], axes[3]));
    parts.build().unwrap()
}

/// A pendulum and a body on it, on a ball joint and a plane: the ball joint keeps the distance to
/// the plane, as long as it is closed.
fn ball_and_plane() -> Model {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let a = parts.add_body(Body {
        pos: vec3(0.5, 0.1, 0.2),
        omega: vec3(1.0, 2.0, 3.0),
        ..Body::rod(1.0, 0.6, 0.1)
    });
    let b = parts.add_body(Body { pos: vec3(1.0, 0.3, 0.1), ..Body::rod(1.0, 0.6, 0.1) });
    parts.add_joint(Joint::at(JointKind::Spherical, Ground, a, [0.0; 3], [0.0, 0.0, 1.0]));
    parts.add_joint(Joint::at(JointKind::Spherical, a, b, [0.8, 0.2, 0.1], [0.0, 0.0, 1.0]));
    parts.add_joint(Joint::at(JointKind::Planar, a, b, [0.6, 0.5, -0.7], [0.3, 1.0, 0.2]));
    parts.build().unwrap()
}

/// A pendulum with a body that slides on a plane of it.
fn sliding_on_a_pendulum(seed: u32) -> Model {
    let r = |k: u32| f64::from((seed * 131 + k * 37) % 101) / 50.0 - 1.0;
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let a = parts.add_body(Body {
        pos: vec3(0.5, r(1), r(2)),
        omega: vec3(r(3), r(4), r(5)),
        ..Body::rod(1.0, 0.6, 0.1)
    });
    let b = parts.add_body(Body { pos: vec3(1.0 + r(6), r(7), r(8)), ..Body::rod(2.0, 0.6, 0.1) });
    parts.add_joint(Joint::at(JointKind::Spherical, Ground, a, [r(9), r(10), r(11)], [0.0, 0.0, 1.0]));
    parts.add_joint(Joint::at(JointKind::Planar, a, b, [r(12), r(13), r(14)], [r(15), r(16), 1.2]));
    parts.build().unwrap()
}

/// A run from the closed start, and the poses at its end.
fn run(model: &Arc<Model>, settings: Settings, until: f64, what: &str) -> (Simulation, Vec<f64>) {
    let mut closed = Simulation::new(model.clone());
    closed.assemble().unwrap();
    let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
    sim.restore(closed.state()).unwrap();
    sim.run(until, 1e-3).unwrap_or_else(|error| panic!("{what}: {error}"));
    let ends = sim.state().coordinates().to_vec();
    (sim, ends)
}

fn with(solver: SolverChoice) -> Settings {
    Settings { solver, ..Settings::default() }
}

#[test]
fn rows_redundant_on_the_manifold_only_move_alike_by_every_solver() {
    let cases = [("bennett", bennett(), 17, 1e-9), ("ball and plane", ball_and_plane(), 8, 1e-8)];
    for (name, model, rank, energy) in cases {
        let model = Arc::new(model);
        let (_, oracle) = run(&model, with(SolverChoice::Auto), 1.0, name);
        for settings in SOLVERS
            .map(with)
            .into_iter()
            .chain([Settings { elimination: Elimination::Rows, ..Settings::default() }])
        {
            let what = format!("{name}, {:?}, {:?}", settings.solver, settings.elimination);
            let (mut sim, ends) = run(&model, settings, 1.0, &what);
            assert_eq!(sim.evaluate().unwrap().rank(), rank, "{what}");
            // A wrong rank at a stage is an error of some per cent.
            assert!(sim.balance().energy_error < energy, "{what}: {:?}", sim.balance());
            let off = largest_difference(&ends, &oracle);
            assert!(off < 1e-10, "{what}: {off:e} from the articulated path");
        }
    }
}

#[test]
fn rows_redundant_on_the_manifold_only_move_alike_without_projection() {
    for (name, model) in [("bennett", bennett()), ("ball and plane", ball_and_plane())] {
        let model = Arc::new(model);
        let (_, oracle) = run(&model, with(SolverChoice::Auto), 0.5, name);
        for solver in SOLVERS {
            let what = format!("{name}, {solver:?}");
            let stabilization = Stabilization::baumgarte(1e-3);
            let (sim, ends) = run(&model, Settings { stabilization, ..with(solver) }, 0.5, &what);
            // Feedback leaves the joints open by the truncation of a step, and the motion differs
            // by as much.
            assert!(sim.certificate().max_position_error < 1e-6, "{what}: {:?}", sim.certificate());
            let off = largest_difference(&ends, &oracle);
            assert!(off < 1e-5, "{what}: {off:e} from the projected motion");
        }
    }
}

#[test]
fn a_body_that_slides_on_a_moving_one_moves_alike_by_every_solver() {
    for seed in 0..30 {
        let model = Arc::new(sliding_on_a_pendulum(seed));
        let (_, oracle) = run(&model, with(SolverChoice::Auto), 0.2, &format!("seed {seed}"));
        for solver in [SolverChoice::Sparse, SolverChoice::Dense] {
            let what = format!("seed {seed}, {solver:?}");
            let (sim, ends) = run(&model, with(solver), 0.2, &what);
            let off = largest_difference(&ends, &oracle);
            // 200 steps of rounding along a regular path; the residual of one solve.
            assert!(off < 1e-10, "{what}: {off:e} from the articulated path");
            assert!(sim.certificate().max_equation_residual < 1e-12, "{what}: {:?}", sim.certificate());
        }
    }
}

/// A four-bar of hinges in an oblique plane, all lengths times `size`.
fn four_bar(size: f64) -> Model {
    let turn = Quat::exp(vec3(0.3, 0.7, -0.5));
    let out = |x: f64, y: f64| turn * vec3(x, y, 0.0) * size;
    let pins = [out(0.0, 0.0), out(0.1, 0.35), out(0.9, 0.6), out(0.8, 0.0)];
    let axis = turn * Vec3::Z;
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut last = Ground;
    for k in 0..3 {
        let length = (pins[k + 1] - pins[k]).norm();
        let pos = (pins[k] + pins[k + 1]) * 0.5;
        let bar = parts.add_body(Body { pos, ..Body::rod(1.0, length, 0.1 * length) });
        parts.add_joint(Joint::revolute(last, bar, pins[k], axis));
        last = End::Body(bar);
    }
    parts.add_joint(Joint::revolute(last, Ground, pins[3], axis));
    parts.build().unwrap()
}

#[test]
fn rank_and_uniqueness_do_not_depend_on_the_unit_of_length() {
    let flags = |size: f64, solver: SolverChoice| {
        let mut sim = Simulation::with_settings(four_bar(size), with(solver)).unwrap();
        let diagnosis = sim.diagnose().unwrap().unwrap();
        let now = sim.evaluate().unwrap();
        let null = now.self_stresses(usize::MAX).unwrap();
        let unique: Vec<_> =
            (0..4).map(|joint| now.unique_joint_components(JointId::of_index(joint), &null)).collect();
        (now.rank(), diagnosis.rank, diagnosis.groups.len(), null.len(), unique)
    };
    for solver in SOLVERS {
        let usual = flags(1.0, solver);
        assert_eq!((usual.0, usual.1, usual.2, usual.3), (17, 17, 1, 3), "{solver:?}");
        for size in [1e-9, 1e-5, 1e-4, 1e5, 1e6] {
            assert_eq!(flags(size, solver), usual, "{solver:?}: {size:e} m");
        }
    }
}

#[test]
fn assembly_moves_as_little_by_every_solver() {
    for aside in [1e-3, 1e-2] {
        let mut fast = 0.0;
        for solver in SOLVERS {
            let model = Arc::new(ball_and_plane());
            let mut sim = Simulation::with_settings(model.clone(), with(solver)).unwrap();
            let shift: Vec<f64> = (0..12).map(|k| aside * f64::from(k * 7 % 5 - 2)).collect();
            let mut state = sim.state().clone();
            state.displace(&model, &shift);
            sim.restore(&state).unwrap();
            let before = sim.state().coordinates().to_vec();
            sim.assemble().unwrap_or_else(|error| panic!("{aside}, {solver:?}: {error}"));
            let moved = largest_difference(&before, sim.state().coordinates());
            if solver == SolverChoice::Auto {
                fast = moved;
            }
            // The correction is not unique with redundant rows, but no solver needs a much longer
            // one.
            assert!(moved < 1.5 * fast && moved < 4.0 * aside, "{aside}, {solver:?}: {moved:e}, {fast:e}");
        }
    }
}

#[test]
fn the_joint_that_cannot_be_closed_is_named_though_the_first_is_closed_and_of_size_zero() {
    // Two rods of 1 m between points 3 m apart, besides a body that is fixed at the origin.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let still = parts.add_body(Body::rod(1.0, 0.6, 0.1));
    parts.add_joint(Joint::at(JointKind::Spherical, Ground, still, [0.0; 3], [0.0, 0.0, 1.0]));
    let rods =
        [0.5, 2.5].map(|x| parts.add_body(Body { pos: vec3(x, 0.3, 0.1), ..Body::rod(1.0, 1.0, 0.1) }));
    let frame = |x: f64| cardan::Frame::at(vec3(x, 0.0, 0.0));
    let spherical = |a: End, b: End, on_a: f64, on_b: f64| Joint {
        placement: Placement::Frames { in_a: frame(on_a), in_b: frame(on_b) },
        ..Joint::at(JointKind::Spherical, a, b, [0.0; 3], [0.0, 0.0, 1.0])
    };
    parts.add_joint(spherical(Ground, rods[0].into(), 0.0, -0.5));
    parts.add_joint(spherical(rods[0].into(), rods[1].into(), 0.5, -0.5));
    parts.add_joint(spherical(rods[1].into(), Ground, 0.5, 3.0));
    let model = Arc::new(parts.build().unwrap());
    let first = model.joints()[0].name.clone();
    for solver in SOLVERS {
        let mut sim = Simulation::with_settings(model.clone(), with(solver)).unwrap();
        match sim.assemble() {
            Err(StepError::CannotClose { joint, .. } | StepError::Conflict { joint, .. }) => {
                assert_ne!(joint, first, "{solver:?}: {joint}")
            }
            Err(StepError::JointSingular { .. }) => {}
            other => panic!("{solver:?}: {other:?}"),
        }
    }
}

#[test]
fn redundant_rows_that_only_rounding_parts_cost_no_allocation() {
    // A hinge and a weld at different points: five redundant rows, and only rounding moves.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let lamp = parts.add_body(Body { pos: vec3(0.3, 0.1, 0.2), ..Body::rod(1.0, 0.6, 0.1) });
    parts.add_joint(Joint::revolute(Ground, lamp, [0.8, 0.4, -0.9], [1.0, 2.0, 2.0]));
    parts.add_joint(Joint::at(JointKind::Fixed, Ground, lamp, [0.4, -0.5, 0.3], [0.0, 0.0, 1.0]));
    let lamp = Arc::new(parts.build().unwrap());
    for (name, model) in [("lamp", lamp), ("bennett", Arc::new(bennett()))] {
        for solver in SOLVERS {
            let mut sim = Simulation::with_settings(model.clone(), with(solver)).unwrap();
            sim.run(0.1, 1e-3).unwrap();
            let count = CountingAllocator::count(|| {
                sim.run(0.3, 1e-3).unwrap();
            });
            assert_eq!(count, 0, "{name}, {solver:?}");
        }
    }
}
