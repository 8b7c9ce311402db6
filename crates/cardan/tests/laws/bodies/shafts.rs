//! Bodies of one freedom that joints lock: consistent rows are solved to rounding, conflicting ones
//! are named.

use cardan::math::{Sym3, Vec3, vec3};
use cardan::{
    Body, BodyId, DriveMode, End::Ground, Gravity, Joint, Law, MassProperties, ModelBuilder, Settings,
    Simulation, SolverChoice, StepError,
};

const DOWN: Gravity = Gravity::new(0.0, 0.0, -9.81);
const SOLVERS: [SolverChoice; 3] = [SolverChoice::Auto, SolverChoice::Sparse, SolverChoice::Dense];

/// Balanced, so that its weight does not turn it; its axis is y.
fn shaft(pos: Vec3) -> Body {
    let mass = MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Sym3::diagonal(0.02, 0.03, 0.04) };
    Body { pos, ..Body::shaft(mass, Vec3::Y) }
}

/// A rod welded to a wall.
fn walled(parts: &mut ModelBuilder) -> BodyId {
    let rod = parts.add_body(Body { pos: vec3(0.3, 0.2, 0.1), ..Body::rod(1.0, 1.0, 0.02) });
    parts.add_joint(Joint::fixed(Ground, rod).named("wall"));
    rod
}

fn simulation(parts: ModelBuilder, solver: SolverChoice) -> Simulation {
    let settings = Settings { solver, ..Settings::default() };
    Simulation::with_settings(parts.build().unwrap(), settings).unwrap()
}

/// A rod welded to a wall, and shafts joined to it off their axes: nothing moves, and the loads of
/// the shafts are rounding of the rod's weight. That is not a residual, however small the numbers
/// that form it.
#[test]
fn locked_shafts_without_loads_leave_no_residual() {
    for count in [1, 2, 3, 100] {
        for kind in 0..3 {
            for solver in SOLVERS {
                let mut parts = ModelBuilder::new(DOWN);
                let mut last = walled(&mut parts);
                for i in 0..count {
                    let x = f64::from(i);
                    let next = parts.add_body(shaft(vec3(1.0 + x, -1.0, 3.0)));
                    let (at, axis) = ([0.3 + x, 0.2, 0.1], [-0.9, 1.0, 0.3]);
                    parts.add_joint(match kind {
                        0 => Joint::revolute(last, next, at, axis),
                        1 => Joint::spherical(last, next, at),
                        _ => Joint::prismatic(last, next, at, axis),
                    });
                    last = next;
                }
                let mut sim = simulation(parts, solver);
                let what = format!("{count} shafts, joints {kind}, {solver:?}");
                let report = sim.step(1e-3).unwrap();
                // A residual at the rounding of what the rod weighs, and poses that do not change
                // at all.
                assert!(report.equation_residual < 1e-13, "{what}: {report:?}");
                assert!(report.position_error < 1e-15, "{what}: {report:?}");
                let now = sim.evaluate().unwrap();
                // Rounding of g.
                assert!(now.accelerations().iter().all(|a| a.abs() < 1e-12), "{what}");
            }
        }
    }
}

/// A rod welded to a wall, a shaft joined to it, and a motor on the shaft: closed and at rest at
/// first, but no acceleration satisfies all rows.
#[test]
fn a_motor_on_a_locked_shaft_is_a_conflict_with_names() {
    for solver in SOLVERS {
        let mut parts = ModelBuilder::new(DOWN);
        let rod = walled(&mut parts);
        let axle = vec3(1.0, 0.0, 3.0);
        let wheel = parts.add_body(shaft(axle));
        parts.add_joint(Joint::spherical(rod, wheel, [0.3, 0.2, 0.1]).named("pin"));
        let motor = Joint::revolute(Ground, wheel, axle, Vec3::Y).named("motor");
        parts.add_joint(motor.driven(0, DriveMode::Position, Law::expression("0.5*t^2").unwrap()));
        let mut sim = simulation(parts, solver);
        sim.assemble().unwrap();
        let before = sim.state().clone();
        match sim.step(1e-3) {
            Err(StepError::Conflict { joint, mut with, by, .. }) => {
                with.push(joint);
                with.sort();
                assert_eq!(with, ["motor", "pin", "wall"], "{solver:?}");
                // The conflict is the acceleration of the law, 1 rad/s², to rounding.
                assert!((by - 1.0).abs() < 1e-12, "{solver:?}: {by}");
            }
            other => panic!("{solver:?}: {other:?}"),
        }
        assert_eq!(*sim.state(), before, "{solver:?}");
    }
}

/// A shaft about a tilted axis, with hinges along it: all rows but those of motors are rounding,
/// and were once scaled up and taken for constraints. Two conflicting motors were reported as one
/// that contradicts itself.
#[test]
fn a_motor_on_a_shaft_does_not_contradict_itself() {
    for axis in [vec3(0.3, 0.8, -0.5), vec3(1.0, 1.0, 1.0), Vec3::Y, vec3(1.0, 0.0, 0.0)] {
        for turned in [0.0, 0.7, 2.0] {
            for solver in SOLVERS {
                let what = format!("{axis:?}, turned by {turned}, {solver:?}");
                let mut parts = ModelBuilder::new(DOWN);
                let pos = vec3(0.3, -1.1, 2.7);
                let wheel = parts.add_body(Body { pos, start: vec![turned], ..about(axis) });
                let beside = pos + axis * 0.37;
                let slow = Joint::revolute(Ground, wheel, pos, axis).named("slow");
                let fast = Joint::revolute(Ground, wheel, beside, axis).named("fast");
                let law = |text: &str| Law::expression(text).unwrap();
                parts.add_joint(slow.driven(0, DriveMode::Speed, law("1")));
                parts.add_joint(fast.driven(0, DriveMode::Speed, law("1 + t")));
                let mut sim = simulation(parts, solver);
                match sim.run(0.1, 1e-3) {
                    Err(StepError::Conflict { joint, mut with, by, .. }) => {
                        with.push(joint);
                        with.sort();
                        assert_eq!(with, ["fast", "slow"], "{what}");
                        // The conflict is the difference of the laws' accelerations, 1 rad/s², to
                        // the rounding of a rate after up to 100 steps.
                        assert!((by - 1.0).abs() < 1e-9, "{what}: {by}");
                    }
                    other => panic!("{what}: {other:?}"),
                }
            }
        }
    }
}

fn about(axis: Vec3) -> Body {
    let mass = MassProperties { mass: 1.0, center: Vec3::ZERO, inertia: Sym3::diagonal(0.02, 0.03, 0.04) };
    Body::shaft(mass, axis)
}

/// Hinges, cylindrical joints and a fixed joint along one tilted axis, between spinning shafts
/// without loads: the only scale of the residual is that of the terms of the rows.
#[test]
fn shafts_alone_have_residuals_at_rounding() {
    for axis in [vec3(0.3, 0.8, -0.5), vec3(1.0, 1.0, 1.0), vec3(-0.2, 0.1, 0.9)] {
        for spin in [0.0, 1.0, 300.0] {
            for solver in SOLVERS {
                let what = format!("{axis:?}, {spin} rad/s, {solver:?}");
                let mut parts = ModelBuilder::new(DOWN);
                let pos = vec3(0.3, -1.1, 2.7);
                let unit = axis.normalized().unwrap();
                let one = parts.add_body(Body { pos, omega: unit * spin, ..about(axis) });
                let two = parts.add_body(Body { pos: pos + unit * 0.4, omega: unit * spin, ..about(axis) });
                let three = parts.add_body(Body { pos: pos + unit * 0.9, omega: unit * spin, ..about(axis) });
                parts.add_joint(Joint::revolute(Ground, one, pos, axis));
                parts.add_joint(Joint::cylindrical(one, two, pos + unit * 0.1, axis));
                parts.add_joint(Joint::fixed(two, three));
                let mut sim = simulation(parts, solver);
                sim.run(0.2, 1e-3).unwrap_or_else(|error| panic!("{what}: {error}"));
                let seen = sim.certificate();
                // Rounding of positions of some metres and of rows that are themselves rounding;
                // speeds in proportion to the spin.
                assert!(seen.max_equation_residual < 1e-12, "{what}: {seen:?}");
                assert!(seen.max_position_error < 1e-12, "{what}: {seen:?}");
                assert!(seen.max_velocity_error < 1e-12 * (1.0 + spin), "{what}: {seen:?}");
                let rates = sim.state().velocities();
                // 200 steps of rounding of a constant speed.
                assert!(rates.iter().all(|v| (v - spin).abs() <= 1e-11 * spin), "{what}: {rates:?}");
            }
        }
    }
}
