//! Equations of motion in joint space: against the engine, against each other, against differences and dense
//! matrices.

use super::{four_bar, planar_chain, posed, tree_of_pairs};
use cardan::joint_space::{CommandError, JointSpace, OrderedPart};
use cardan::math::{Vec3, vec3};
use cardan::{Body, End::Ground, Gravity, Joint, ModelBuilder, Simulation, Wrench};
use cardan_testkit::{MotionSpace, Rng, Tolerance, assert_close, closed_loops, largest, largest_difference};

/// Random trees: on the ground, floating, in the plane.
fn mechanisms(count: u64) -> impl Iterator<Item = (u64, Rng, Simulation)> {
    (0..count).map(|seed| {
        let mut rng = Rng::new(1000 + seed);
        let model = match seed % 3 {
            0 => tree_of_pairs(&mut rng, 7, false),
            1 => tree_of_pairs(&mut rng, 7, true),
            _ => planar_chain(&mut rng, 5),
        };
        let sim = posed(&mut rng, model);
        (seed, rng, sim)
    })
}

fn times(h: &[f64], x: &[f64]) -> Vec<f64> {
    h.chunks_exact(x.len()).map(|row| row.iter().zip(x).map(|(h, x)| h * x).sum()).collect()
}

/// L of L Lᵀ; panics unless the matrix is positive definite.
fn cholesky(h: &[f64], n: usize) -> Vec<f64> {
    let mut l = vec![0.0; n * n];
    for c in 0..n {
        for r in c..n {
            let sum = h[r * n + c] - (0..c).map(|k| l[r * n + k] * l[c * n + k]).sum::<f64>();
            if r == c {
                assert!(sum > 0.0, "not positive definite: pivot {sum:e}");
                l[c * n + c] = sum.sqrt();
            } else {
                l[r * n + c] = sum / l[c * n + c];
            }
        }
    }
    l
}

fn solve(l: &[f64], n: usize, b: &[f64]) -> Vec<f64> {
    let mut x = b.to_vec();
    for r in 0..n {
        x[r] = (x[r] - (0..r).map(|k| l[r * n + k] * x[k]).sum::<f64>()) / l[r * n + r];
    }
    for r in (0..n).rev() {
        x[r] = (x[r] - (r + 1..n).map(|k| l[k * n + r] * x[k]).sum::<f64>()) / l[r * n + r];
    }
    x
}

/// The ratio of the largest to the smallest pivot of a Cholesky factor, squared: what rounding of H grows by.
fn condition(l: &[f64], n: usize) -> f64 {
    let pivots = (0..n).map(|k| l[k * n + k]);
    let (low, high) = pivots.fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
    (high / low).powi(2)
}

#[test]
fn accelerations_of_the_tree_are_those_of_the_engine() {
    for (seed, mut rng, mut sim) in mechanisms(60) {
        let n = sim.joint_order().rate_count();
        let efforts: Vec<f64> = (0..n).map(|_| rng.range(-2.0, 2.0)).collect();
        sim.set_efforts(&efforts).unwrap();
        let space = sim.joint_space().unwrap();
        assert!(space.is_tree());
        let engine = sim.joint_accelerations().unwrap();
        let own = space.accelerations(&efforts).unwrap();
        let l = cholesky(&space.mass_matrix(), n);
        let size = largest(&engine) + 10.0;
        let bound = 1e-14 * condition(&l, n).max(100.0) * size;
        assert!(bound < 1e-8 * size, "seed {seed}");
        let reason = "rounding, grown by the condition of H";
        assert_close(largest_difference(&engine, &own), 0.0, Tolerance::because(reason, bound));
        // Forward by a dense solve: H q̈ = τ − b.
        let rhs: Vec<f64> = efforts.iter().zip(space.bias()).map(|(t, b)| t - b).collect();
        assert_close(largest_difference(&solve(&l, n, &rhs), &own), 0.0, Tolerance::because(reason, bound));
        // And back: inverse dynamics gives the efforts.
        let back = space.inverse_dynamics(&engine).unwrap();
        let formed = largest(&space.bias()) + largest(&efforts);
        assert_close(
            largest_difference(&back, &efforts),
            0.0,
            Tolerance::because(reason, 1e-11 * (formed + size)),
        );
        assert_close(
            largest_difference(&sim.applied_efforts().unwrap(), &efforts),
            0.0,
            Tolerance::rounding(200, 10.0),
        );
    }
}

#[test]
fn the_mass_matrix_is_symmetric_positive_and_gives_the_kinetic_energy() {
    for (_, mut rng, mut sim) in mechanisms(30) {
        let space = sim.joint_space().unwrap();
        let (h, n) = (space.mass_matrix(), space.rate_count());
        cholesky(&h, n);
        let rates = sim.joint_rates();
        let energy: f64 = 0.5 * rates.iter().zip(times(&h, &rates)).map(|(a, b)| a * b).sum::<f64>();
        let kinetic = sim.energy().kinetic;
        assert_close(energy, kinetic, Tolerance::rounding(1000, kinetic.max(1.0)));
        // Columns by inverse dynamics.
        let x: Vec<f64> = (0..n).map(|_| rng.range(-1.0, 1.0)).collect();
        let with = space.inverse_dynamics(&x).unwrap();
        let column: Vec<f64> = with.iter().zip(space.bias()).map(|(a, b)| a - b).collect();
        let size = largest(&with) + largest(&h);
        assert_close(largest_difference(&column, &times(&h, &x)), 0.0, Tolerance::rounding(1000, size));
        for r in 0..n {
            for c in 0..n {
                assert_eq!(h[r * n + c], h[c * n + r]);
            }
        }
    }
}

#[test]
fn gravity_efforts_are_the_slope_of_the_potential_energy_and_hold_at_rest() {
    for (_, _, mut sim) in mechanisms(24) {
        let n = sim.joint_order().rate_count();
        sim.set_joint_rates(&vec![0.0; n]).unwrap();
        let gravity = sim.joint_space().unwrap().gravity_efforts();
        assert_close(
            largest_difference(&sim.joint_space().unwrap().bias(), &gravity),
            0.0,
            Tolerance::rounding(500, 100.0),
        );
        let q = sim.joint_positions();
        let start = sim.state().clone();
        let entries = sim.joint_order().entries().to_vec();
        for entry in entries.iter().filter(|entry| entry.positions.len() == entry.rates.len()) {
            for (p, r) in entry.positions.clone().zip(entry.rates.clone()) {
                let mut potential = |x: f64| {
                    let mut moved = q.clone();
                    moved[p] += x;
                    sim.set_joint_positions(&moved).unwrap();
                    sim.energy().potential
                };
                let step = 1e-4;
                let slope = (potential(step) - potential(-step)) / (2.0 * step);
                // h² V‴/6 with V‴ about the weight times a metre, and rounding over h.
                assert_close(slope, gravity[r], Tolerance::because("central difference", 1e-6));
            }
        }
        sim.restore(&start).unwrap();
        sim.set_efforts(&gravity).unwrap();
        let acc = sim.joint_accelerations().unwrap();
        assert_close(
            largest(&acc),
            0.0,
            Tolerance::because("weight is held but for rounding, over small inertias", 1e-9),
        );
    }
}

#[test]
fn jacobians_give_velocities_accelerations_and_power() {
    for (_, mut rng, mut sim) in mechanisms(30) {
        let space = sim.joint_space().unwrap();
        let (rates, model) = (sim.joint_rates(), sim.model().clone());
        let acc = sim.joint_accelerations().unwrap();
        for body in model.body_ids() {
            let flat = model.body(body).unwrap().kind.is_planar();
            let mut point = rng.vector(0.4);
            if flat {
                point.z = 0.0;
            }
            let at = space.jacobian(body, point).unwrap();
            let report = sim.body(body);
            let center = model.body(body).unwrap().mass.center;
            let arm = report.orientation * (point - center);
            let vel = report.velocity + report.angular_velocity.cross(arm);
            let moved = at.times(&rates);
            let expected =
                [vel, report.angular_velocity].iter().flat_map(|v| v.to_array()).collect::<Vec<_>>();
            let size = largest(&expected) + 1.0;
            assert_close(largest_difference(&moved, &expected), 0.0, Tolerance::rounding(2000, size));
            // J q̈ + J̇ q̇ is the acceleration.
            let (lin, ang) = sim.accelerations().unwrap().body(body);
            let (omega, change) = (report.angular_velocity, at.times(&acc));
            let lin = lin + ang.cross(arm) + omega.cross(omega.cross(arm));
            let expected = [lin, ang].iter().flat_map(|v| v.to_array()).collect::<Vec<_>>();
            let found: Vec<f64> = change.iter().zip(&at.bias).map(|(a, b)| a + b).collect();
            let size = largest(&expected) + largest(&acc) + 10.0;
            assert_close(largest_difference(&found, &expected), 0.0, Tolerance::rounding(20_000, size));
            // Power of a wrench by efforts, and its effect.
            let (force, torque) = (rng.vector(2.0), rng.vector(1.0));
            let wrench: [f64; 6] = [force.x, force.y, force.z, torque.x, torque.y, torque.z];
            let efforts = at.transpose_times(wrench);
            let power: f64 = efforts.iter().zip(&rates).map(|(t, r)| t * r).sum();
            let direct: f64 = wrench.iter().zip(&moved).map(|(f, v)| f * v).sum();
            assert_close(power, direct, Tolerance::rounding(2000, 10.0 * (1.0 + largest(&moved))));
        }
    }
}

#[test]
fn jacobians_are_differences_of_positions() {
    for (seed, mut rng, mut sim) in mechanisms(12) {
        let space = sim.joint_space().unwrap();
        let model = sim.model().clone();
        let body = model.body_ids().last().unwrap();
        let at = space.jacobian(body, Vec3::ZERO).unwrap();
        let rates: Vec<f64> = (0..space.rate_count()).map(|_| rng.range(-1.0, 1.0)).collect();
        sim.set_joint_rates(&rates).unwrap();
        let before = sim.body(body);
        let center = model.body(body).unwrap().mass.center;
        let origin = |report: &cardan::measure::BodyReport| report.position - report.orientation * center;
        let (from, h) = (origin(&before), 1e-6);
        let acc = at.times(&sim.joint_accelerations().unwrap());
        let moved = at.times(&rates);
        sim.step(h).unwrap();
        let to = origin(&sim.body(body));
        let slope = (to - from) / h;
        let size = 1.0 + largest(&acc) + largest(&moved).powi(2) * 10.0;
        let off = largest_difference(&slope.to_array(), &moved[..3]);
        assert!(off <= h * size + 1e-9, "seed {seed}: {off:e}");
    }
}

/// J H⁻¹ Jᵀ at the centre of mass of a body.
fn dense_inertia(sim: &Simulation, space: &JointSpace, body: cardan::BodyId) -> Vec<f64> {
    let center = sim.model().body(body).unwrap().mass.center;
    let at = space.jacobian(body, center).unwrap();
    let n = space.rate_count();
    let l = cholesky(&space.mass_matrix(), n);
    let rows: Vec<Vec<f64>> = (0..6).map(|r| solve(&l, n, &at.matrix[r * n..(r + 1) * n])).collect();
    let entry = |k: usize| {
        let (r, c) = (k / 6, k % 6);
        at.matrix[r * n..(r + 1) * n].iter().zip(&rows[c]).map(|(a, b)| a * b).sum()
    };
    (0..36).map(entry).collect()
}

#[test]
fn operational_inertia_is_the_dense_one_on_trees() {
    for (seed, _, mut sim) in mechanisms(30) {
        let space = sim.joint_space().unwrap();
        for body in sim.model().clone().body_ids() {
            let fast = sim.inverse_operational_inertia(body).unwrap();
            let dense = dense_inertia(&sim, &space, body);
            let size = largest(&dense) + 1e-3;
            let off = largest_difference(fast.as_flattened(), &dense);
            assert!(off <= 1e-10 * size, "seed {seed}: {off:e} of {size:e}");
            if let Some(inertia) = sim.operational_inertia(body).unwrap() {
                for r in 0..6 {
                    for c in 0..6 {
                        let product: f64 = (0..6).map(|k| inertia[r][k] * fast[k][c]).sum();
                        let wanted = if r == c { 1.0 } else { 0.0 };
                        assert_close(product, wanted, Tolerance::because("condition of the inertia", 1e-6));
                    }
                }
            }
        }
    }
}

#[test]
fn operational_inertia_of_loops_is_the_response_to_unit_wrenches() {
    let mut tried = 0;
    for seed in 0..20 {
        let rng = &mut Rng::new(2000 + seed);
        let space = if seed % 2 == 0 { MotionSpace::Rigid } else { MotionSpace::FlatRigid };
        let mut sim = Simulation::new(closed_loops(rng, 5, 2, space, false).build().unwrap());
        if sim.assemble().is_err() {
            continue;
        }
        let body = sim.model().body_ids().nth(rng.below(5)).unwrap();
        let Ok(fast) = sim.inverse_operational_inertia(body) else { continue };
        let (lin, ang) = sim.accelerations().unwrap().body(body);
        // So large that what acts besides is rounding.
        let size = 1e6;
        for c in 0..6 {
            let mut unit = [0.0; 6];
            unit[c] = size;
            let wrench =
                Wrench { force: vec3(unit[0], unit[1], unit[2]), torque: vec3(unit[3], unit[4], unit[5]) };
            sim.set_wrench(body, wrench).unwrap();
            let (lin_c, ang_c) = sim.accelerations().unwrap().body(body);
            let found: Vec<f64> =
                [lin_c - lin, ang_c - ang].iter().flat_map(|v| v.to_array()).map(|x| x / size).collect();
            let column: Vec<f64> = (0..6).map(|r| fast[r][c]).collect();
            let bound = 1e-8 * (largest(&column) + 1.0);
            assert_close(
                largest_difference(&found, &column),
                0.0,
                Tolerance::because("rounding near singular loops", bound),
            );
        }
        tried += 1;
    }
    assert!(tried >= 10, "{tried}");
}

#[test]
fn a_mechanism_with_loops_says_that_its_tree_is_cut_open() {
    let mut sim = Simulation::new(four_bar().build().unwrap());
    sim.assemble().unwrap();
    let space = sim.joint_space().unwrap();
    assert!(!space.is_tree());
    assert_eq!(space.rate_count(), 3);
    let error = sim.linearise().unwrap_err();
    assert!(matches!(error, CommandError::NotALowerPair { what: "linearisation", .. }), "{error}");
    // Constrained accelerations obey the loop: rates stay consistent along them.
    let acc = sim.joint_accelerations().unwrap();
    let rates = sim.joint_rates();
    let h = 1e-5;
    sim.step(h).unwrap();
    for ((a, before), after) in acc.iter().zip(&rates).zip(sim.joint_rates()) {
        assert_close(
            (after - before) / h,
            *a,
            Tolerance::because("forward difference", 1e-2 * (1.0 + a.abs())),
        );
    }
}

#[test]
fn wrong_lengths_and_bodies_are_refused() {
    let sim = Simulation::new(four_bar().build().unwrap());
    let space = sim.joint_space().unwrap();
    assert!(matches!(space.accelerations(&[0.0; 2]), Err(CommandError::Length { have: 2, want: 3, .. })));
    assert!(matches!(space.inverse_dynamics(&[0.0; 4]), Err(CommandError::Length { have: 4, want: 3, .. })));
    assert!(space.jacobian(cardan::BodyId::of_index(9), [0.0; 3]).is_err());
}

#[test]
fn linearisation_of_a_pendulum_and_of_a_ball_are_the_closed_forms() {
    let (m, length, g) = (2.0, 1.0, 9.81);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -g));
    let rod = parts.add_body(Body { pos: vec3(0.0, 0.0, -0.5), ..Body::rod(m, length, 0.01) });
    parts.add_joint(Joint::revolute(Ground, rod, [0.0; 3], [0.0, 1.0, 0.0]));
    let mut sim = Simulation::new(parts.build().unwrap());
    // A rod is along x: hang it by a quarter turn.
    let q = sim.joint_positions();
    let found = sim.linearise().unwrap();
    assert_eq!((found.a.len(), found.b.len(), q.len()), (4, 2, 1));
    let bodies: Vec<_> = sim.model().bodies().iter().map(|b| b.mass.inertia).collect();
    let about = bodies[0].yy + m * 0.25;
    assert_close(found.a[2], -m * g * 0.5 / about, Tolerance::because("four-point difference", 1e-9));
    assert_close(found.a[3], 0.0, Tolerance::because("four-point difference", 1e-9));
    assert_close(found.b[1], 1.0 / about, Tolerance::rounding(100, 1.0 / about));
    assert_eq!((found.a[0], found.a[1], found.b[0]), (0.0, 1.0, 0.0));
}

#[test]
fn a_moving_ball_is_refused_and_a_resting_one_is_linearised() {
    let rng = &mut Rng::new(77);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let body = parts.add_body(Body { pos: vec3(0.0, 0.0, -0.5), ..Body::rod(2.0, 1.0, 0.1) });
    parts.add_joint(Joint::spherical(Ground, body, [0.0; 3]).named("ball"));
    let mut sim = Simulation::new(parts.build().unwrap());
    let found = sim.linearise().unwrap();
    assert_eq!(found.rates, 3);
    // Hanging straight down: the sideways stiffness is m g l over the moment about the ball.
    let h = sim.joint_space().unwrap().mass_matrix();
    for k in 0..2 {
        let wanted = -2.0 * 9.81 * 0.5 / h[k * 3 + k];
        assert_close(found.a[(3 + k) * 6 + k], wanted, Tolerance::because("four-point difference", 1e-8));
    }
    let rates: Vec<f64> = (0..3).map(|_| rng.range(0.1, 1.0)).collect();
    sim.set_joint_rates(&rates).unwrap();
    assert_eq!(sim.linearise().unwrap_err(), CommandError::Moving { part: "ball".into() });
    let entry = &sim.joint_order().entries()[0];
    assert!(matches!(entry.part, OrderedPart::Joint(_)));
}
