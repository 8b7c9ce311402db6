//! The acceleration solve gives the results of the full evaluation.

use cardan::math::vec3;
use cardan::{
    Body, Elimination, End, Gravity, Joint, Model, ModelBuilder, Settings, Simulation, SolverChoice, Spring,
};
use cardan_testkit::{MotionSpace, Rng, closed_tree, largest, largest_difference};

/// Three bars on a ball joint, a hinge and a slider, tumbling.
fn arm() -> Model {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let bar = |x: f64, vel| Body {
        pos: vec3(x, 0.1, 0.0),
        vel,
        omega: vec3(0.3, -0.2, 0.5),
        ..Body::rod(1.0, 1.0, 0.05)
    };
    let (a, b, c) = (
        parts.add_body(bar(0.5, vec3(0.0, 0.2, 0.1))),
        parts.add_body(bar(1.5, vec3(0.1, 0.7, 0.0))),
        parts.add_body(bar(2.5, vec3(0.0, 1.1, 0.3))),
    );
    parts.add_joint(Joint::spherical(End::Ground, a, [0.0, 0.0, 0.0]));
    parts.add_joint(Joint::revolute(b, a, [1.0, 0.1, 0.0], [0.0, 1.0, 0.2]));
    parts.add_joint(Joint::prismatic(b, c, [2.0, 0.1, 0.0], [1.0, 0.1, 0.0]));
    parts.build().expect("a model")
}

#[test]
fn the_acceleration_solve_agrees_with_the_full_evaluation_for_every_solver() {
    for solver in [SolverChoice::Auto, SolverChoice::Dense] {
        let settings = Settings { solver, ..Settings::default() };
        let mut sim = Simulation::with_settings(arm(), settings).expect("a solver");
        sim.run(0.2, 1e-3).expect("a run");
        let ends_b: Vec<_> = sim.model().joints().iter().map(|j| j.body_b()).collect();
        let cheap = sim.accelerations().expect("a solve");
        let (values, mut loads) = (cheap.values().to_vec(), cheap.joint_loads().collect::<Vec<_>>());
        loads.sort_by_key(|load| load.joint);
        assert_eq!(loads.iter().map(|l| l.joint.index()).collect::<Vec<_>>(), [0, 1, 2]);
        let full = sim.evaluate().expect("a solve");
        for (x, y) in values.iter().zip(full.accelerations()) {
            // Both solve one system, with refinement in one of them: rounding times the condition
            // number of three bodies.
            assert!((x - y).abs() < 1e-11 * (1.0 + y.abs()), "{x} against {y}");
        }
        for load in loads {
            // The full report has the wrench on b at b's anchor: move it to the body's centre.
            let report = full.joint(load.joint);
            let on_b = report.reaction.structural;
            let sign = if ends_b[load.joint.index()] == Some(load.body) { 1.0 } else { -1.0 };
            let arm = report.position - full.body(load.body).position;
            let (force, torque) = (on_b.force * sign, (on_b.torque + arm.cross(on_b.force)) * sign);
            let scale = 1.0 + force.norm() + torque.norm();
            // The loads are sums of such accelerations times masses and arms.
            assert!((load.wrench.force - force).norm() < 1e-10 * scale, "{load:?}");
            assert!((load.wrench.torque - torque).norm() < 1e-10 * scale, "{load:?}");
        }
    }
}

#[test]
fn operations_are_counted_for_trees_of_rigid_bodies_only() {
    let mut sim = Simulation::new(arm());
    let counted = sim.diagnostics().elimination_operations().expect("a tree").total();
    assert!(counted > 3 * 100 && counted < 3 * 2000, "{counted} operations");
    let settings = Settings { solver: SolverChoice::Dense, ..Settings::default() };
    let mut dense = Simulation::with_settings(arm(), settings).expect("a solver");
    assert_eq!(dense.diagnostics().elimination_operations(), None);
    assert!(sim.diagnostics().bytes() > 0 && dense.diagnostics().bytes() > 0);
}

/// With a fresh factor and with an existing factor, by all three eliminations, on all kinds of
/// joints.
#[test]
fn the_linear_solve_alone_gives_the_accelerations_of_the_mechanism() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let n = 1 + rng.below(12);
        let parts = closed_tree(&mut rng, n, MotionSpace::Rigid, seed % 2 == 0);
        let mut builder = ModelBuilder::new(Gravity(parts.gravity));
        let ids: Vec<_> = parts.bodies.iter().map(|body| builder.add_body(body.clone())).collect();
        for joint in &parts.joints {
            builder.add_joint(joint.clone());
        }
        // A force besides gravity, which every second tree has.
        if seed % 4 < 2 {
            let spring = Spring { stiffness: 30.0, damping: 1.0, rest_length: 0.1 };
            builder.add_force(cardan::Force::spring(End::Ground, [0.0; 3], ids[0], [0.1, 0.0, 0.2], spring));
        }
        let model = std::sync::Arc::new(builder.build().expect("a model"));
        for (solver, elimination) in [
            (SolverChoice::Tree, Elimination::Freedoms),
            (SolverChoice::Tree, Elimination::Rows),
            (SolverChoice::Dense, Elimination::Rows),
        ] {
            let settings = Settings { solver, elimination, ..Settings::default() };
            let mut sim = Simulation::with_settings(model.clone(), settings).expect("a tree");
            let mut alone = sim.diagnostics().linear_solve().expect("a solve");
            let expected = sim.accelerations().expect("a solve").values().to_vec();
            let what = format!("seed {seed}, {solver:?}, {elimination:?}");
            // The engine may have refined its solution once; elimination alone has not.
            let same = 1e-9 * (1.0 + largest(&expected));
            for round in 0..3 {
                alone.factor_and_solve().expect("it was solved before");
                let fresh = alone.accelerations().to_vec();
                assert!(largest_difference(&fresh, &expected) < same, "{what}, round {round}");
                alone.solve_again();
                assert_eq!(alone.accelerations(), fresh, "{what}: the factor at hand gives other bits");
            }
        }
    }
}
