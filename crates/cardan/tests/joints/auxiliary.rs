//! Auxiliary constraints: on three and more bodies, with forces that act elsewhere, or marked by
//! the user.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::End::Ground;
use cardan::math::{Vec3, vec3};
use cardan::solve::{Role, System};
use cardan::{
    Body, BodyId, BodyKind, BuildError, Constraint, ConstraintId, ConstraintRows, Coordinates, End, Frame,
    FrameMotion, Gravity, Integrator, Joint, JointId, JointKind, Model, ModelBuilder, Settings, Simulation,
    SolidShape, SolverChoice, Stabilization, StepError, UserConstraint, Wrench,
};
use cardan_testkit::{CountingAllocator, MotionSpace, Rng, closed_loops, closed_tree, random_body};
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;

use crate::common;

/// Σ_f g_f · p_f = s per row; the force acts along its gradient, or by wrenches of its own.
#[derive(Debug, Clone, Default)]
struct Weighted {
    gradient: Vec<Vec<Vec3>>,
    target: Vec<f64>,
    push: Option<Vec<Vec<Wrench>>>,
    apart: bool,
}

impl Constraint for Weighted {
    fn rows(&self) -> usize {
        self.gradient.len()
    }
    fn pushes_elsewhere(&self) -> bool {
        self.push.is_some()
    }
    fn is_auxiliary(&self) -> bool {
        self.apart
    }
    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        for (r, gradient) in self.gradient.iter().enumerate() {
            out.err[r] = -self.target[r];
            for (f, g) in gradient.iter().enumerate() {
                out.err[r] += g.dot(frames[f].pos);
                out.gradient(r, f).force = *g;
                if let Some(push) = &self.push {
                    *out.push(r, f) = push[r][f];
                }
            }
        }
    }
}

fn user(name: &str, frames: Vec<(End, Frame)>, rule: impl Constraint + 'static) -> UserConstraint {
    UserConstraint { name: name.into(), frames, rule: Arc::new(rule) }
}

fn with(model: &Arc<Model>, solver: SolverChoice) -> Simulation {
    Simulation::with_settings(model.clone(), Settings { solver, ..Settings::default() }).unwrap()
}

/// M v̇ = F + K λ, J v̇ + c = 0 as one dense matrix.
fn whole(system: &System) -> (DMatrix<f64>, DVector<f64>) {
    let graph = system.graph();
    let (mass, jac) = common::dense(system);
    let (n, rows) = (graph.unknowns(), graph.rows());
    let mut h = DMatrix::zeros(n + rows, n + rows);
    h.view_mut((0, 0), (n, n)).copy_from(&mass);
    h.view_mut((n, 0), (rows, n)).copy_from(&-jac);
    for link in graph.all_links() {
        for (end, block) in graph.ends(link).iter().enumerate() {
            let Some(block) = *block else { continue };
            let columns = graph.block_range(block);
            for (r, row) in graph.row_range(link).enumerate() {
                for (k, c) in columns.clone().enumerate() {
                    h[(c, n + row)] -= system.force_columns(link, end)[r * columns.len() + k];
                }
            }
        }
    }
    let right = system.force().iter().chain(system.bias()).copied();
    (h, DVector::from_iterator(n + rows, right))
}

/// One or two constraints on three to five bodies (or two, marked), half of them with forces that
/// act elsewhere.
fn constrain(rng: &mut Rng, parts: &mut ModelBuilder, bodies: &[Body]) -> bool {
    let mut pushed = false;
    for name in ["first", "second"].iter().take(1 + rng.below(2)) {
        let count = 2 + rng.below(4);
        let rows = 1 + rng.below(2);
        let apart = count < 3;
        let mut frames = Vec::new();
        for _ in 0..count {
            let i = rng.below(bodies.len());
            let pos = if bodies[i].kind.has_orientation() { rng.vector(0.5) } else { Vec3::ZERO };
            let pos = if bodies[i].kind.is_planar() { vec3(pos.x, pos.y, 0.0) } else { pos };
            frames.push((End::Body(BodyId::of_index(i)), Frame::at(pos)));
        }
        let gradient: Vec<Vec<Vec3>> =
            (0..rows).map(|_| (0..count).map(|_| rng.vector(1.0)).collect()).collect();
        let elsewhere = rng.below(2) == 0;
        pushed |= elsewhere;
        let wrench = |rng: &mut Rng| Wrench { force: rng.vector(1.0), torque: rng.vector(0.5) };
        let push = elsewhere.then(|| (0..rows).map(|_| (0..count).map(|_| wrench(rng)).collect()).collect());
        parts.add_constraint(user(name, frames, Weighted { gradient, target: vec![0.0; rows], push, apart }));
    }
    pushed
}

#[test]
fn random_mechanisms_with_wide_constraints_and_forces_elsewhere_accelerate_as_a_dense_matrix_says() {
    let (mut solved, mut elsewhere, mut loops, mut refused, mut close, mut redundant) = (0, 0, 0, 0, 0, 0);
    let mut worst = 0.0_f64;
    for seed in 0..2500 {
        let mut rng = Rng::new(seed);
        let world = [
            MotionSpace::Space,
            MotionSpace::Rigid,
            MotionSpace::Flat,
            MotionSpace::Planar,
            MotionSpace::FlatRigid,
        ][rng.below(5)];
        let (n, looped) = (3 + rng.below(4), seed % 2 == 1);
        let mut described = if looped {
            closed_loops(&mut rng, n, 2, world, false)
        } else {
            closed_tree(&mut rng, n, world, seed % 4 == 0)
        };
        // Redundant rows are consistent in a mechanism at rest.
        if looped {
            for body in &mut described.bodies {
                (body.vel, body.omega) = (Vec3::ZERO, Vec3::ZERO);
            }
        }
        let mut parts = ModelBuilder::new(Gravity(described.gravity));
        described.bodies.iter().for_each(|body| {
            parts.add_body(body.clone());
        });
        described.joints.iter().for_each(|joint| {
            parts.add_joint(joint.clone());
        });
        let pushed = constrain(&mut rng, &mut parts, &described.bodies);
        let model = Arc::new(parts.build().unwrap());
        let mut sim = Simulation::new(model.clone());
        let answer = sim.evaluate().map(|now| {
            (now.accelerations().to_vec(), now.multipliers().to_vec(), now.rank(), now.equation_residual())
        });
        let graph = model.graph();
        let (v, rows) = (graph.unknowns(), graph.rows());
        // The equations as written, by each elimination.
        let mut other = with(&model, SolverChoice::Dense);
        let dense = other.evaluate().map(|now| (now.accelerations().to_vec(), now.rank()));
        let (h, right) = whole(other.observe().system());
        let values = h.singular_values();
        let least = values.min() / values.max();
        let (acc, lambda, rank, left) = match answer {
            Ok(answer) => answer,
            Err(error) => {
                let expected = matches!(error, StepError::Powerless { .. } | StepError::Dependent { .. });
                // A refusal must come with a matrix that is singular to rounding: relative pivots
                // below 1e-10.
                assert!(expected && pushed && least < 1e-10, "seed {seed}: {error}, {least:e}");
                assert!(["first", "second"].iter().any(|name| error.to_string().contains(name)), "{error}");
                refused += 1;
                continue;
            }
        };
        // Redundant rows need not be consistent at arbitrary velocities.
        if !looped && rank < rows {
            continue;
        }
        let rounding = 1e-14 * values.max();
        if values.iter().any(|&s| s > rounding && s < 1e5 * rounding) {
            close += 1;
            continue;
        }
        // Rounding of forces, amplified by the smallest pivot that counts, 1e-9 of the largest.
        assert!(left < 1e-9, "seed {seed}: {left:e} left over");
        let (by_dense, dense_rank) = dense.unwrap();
        let size = cardan_testkit::largest(&by_dense).max(1.0);
        let off = cardan_testkit::largest_difference(&acc, &by_dense) / size;
        // Two factorisations of one matrix differ by rounding times its condition number, at most
        // 1e9 here.
        assert!(off < 1e-8 && rank == dense_rank, "seed {seed}: {off:e}, rank {rank} or {dense_rank}");
        if rank == rows {
            let lu = h.clone().full_piv_lu();
            let mut exact = lu.solve(&right).unwrap();
            let change = lu.solve(&(&right - &h * &exact)).unwrap();
            exact += change;
            let condition = values.max() / values.min();
            // Both solutions lose the digits of the condition number.
            let bound = 1e-8_f64.max(1e-14 * condition);
            let size = exact.rows(0, v).amax().max(1.0);
            let off = (0..v).map(|i| (acc[i] - exact[i]).abs()).fold(0.0, f64::max) / size;
            let reach = exact.rows(v, rows).amax().max(1.0);
            let off_lambda = (0..rows).map(|i| (lambda[i] - exact[v + i]).abs()).fold(0.0, f64::max) / reach;
            assert!(off < bound && off_lambda < bound, "seed {seed}: {off:e}, {off_lambda:e}, {condition:e}");
            worst = if condition < 1e6 { worst.max(off) } else { worst };
        } else {
            redundant += 1;
        }
        (solved, elsewhere, loops) =
            (solved + 1, elsewhere + usize::from(pushed), loops + usize::from(looped));
    }
    println!(
        "{solved} solved, {elsewhere} with forces elsewhere, {loops} with loops, {redundant} with redundant rows"
    );
    println!(
        "{refused} refused, {close} too close to call; worst {worst:e} where the condition is below 1e6"
    );
    assert!(solved > 1500 && elsewhere > 600 && loops > 500 && redundant > 100 && close < 50);
    // Rounding times a condition number below 1e6.
    assert!(worst < 1e-9);
}

/// A cart on rails along x with a pole on a hinge, tilted by `tilt`, balanced by a force on the
/// cart alone.
fn balanced(tilt: f64) -> ModelBuilder {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let cart = parts.add_body(Body::solid(SolidShape::Box { size: [0.4, 0.2, 0.2] }, 2.0));
    let (sin, cos) = tilt.sin_cos();
    let tip = vec3(sin, 0.0, cos);
    let pole = parts.add_body(Body {
        pos: tip * 0.5,
        rot: cardan::math::Quat::exp(vec3(0.0, tilt - core::f64::consts::FRAC_PI_2, 0.0)),
        ..Body::rod(1.0, 1.0, 0.01)
    });
    parts.add_joint(Joint {
        name: "rails".into(),
        ..Joint::prismatic(Ground, cart, [0.0; 3], [1.0, 0.0, 0.0])
    });
    parts.add_joint(Joint { name: "hinge".into(), ..Joint::revolute(cart, pole, [0.0; 3], [0.0, 1.0, 0.0]) });
    let x = Wrench { force: Vec3::X, torque: Vec3::ZERO };
    parts.add_constraint(user(
        "balance",
        vec![(cart.into(), Frame::default()), (pole.into(), Frame::at([0.5, 0.0, 0.0]))],
        Weighted {
            gradient: vec![vec![-Vec3::X, Vec3::X]],
            target: vec![sin],
            push: Some(vec![vec![x, Wrench::ZERO]]),
            apart: false,
        },
    ));
    parts
}

#[test]
fn a_pole_is_balanced_by_a_force_on_its_cart_and_the_work_of_it_is_booked() {
    let tilt = 0.3_f64;
    let model = Arc::new(balanced(tilt).build().unwrap());
    assert_eq!(model.constraint_role(ConstraintId::of_index(0)), Some(Role::Auxiliary));
    // Both accelerate at g tan θ, so the force is (M + m) g tan θ and the pole never turns.
    let acc = 9.81 * tilt.tan();
    for integrator in [Integrator::Rk4, Integrator::SemiImplicitEuler, Integrator::Dopri5, Integrator::Rattle]
    {
        let settings = Settings { integrator, ..Settings::default() };
        let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
        assert_eq!(sim.diagnostics().solver_name(), "tree with auxiliary rows");
        {
            let now = sim.evaluate().unwrap();
            // Rounding of 3 g tan θ in a solve with 12 unknowns.
            assert!(
                (now.constraint_multipliers(ConstraintId::of_index(0))[0] - 3.0 * acc).abs() < 1e-12,
                "{:?}",
                now.multipliers()
            );
            let loads: Vec<_> = now.constraint_loads(ConstraintId::of_index(0)).collect();
            assert!((loads[0].wrench.force - Vec3::X * (3.0 * acc)).largest() < 1e-12, "{loads:?}");
            assert_eq!(
                (loads[0].body, loads[1].body, loads[1].wrench),
                (Some(BodyId::of_index(0)), Some(BodyId::of_index(1)), Wrench::ZERO)
            );
            // The hinge transmits the force of the pole: m a and m g.
            let hinge = now.joint(JointId::of_index(1)).reaction.structural.force;
            assert!((hinge - vec3(acc, 0.0, 9.81)).largest() < 1e-12, "{hinge:?}");
            assert!(now.equation_residual() < 1e-14);
        }
        sim.run(1.0, 1e-3).unwrap();
        let certificate = sim.certificate();
        // Rounding of positions up to 2 m and of speeds of some m/s, after projection.
        assert!(certificate.max_position_error < 1e-13, "{integrator:?}: {certificate:?}");
        assert!(certificate.max_velocity_error < 1e-12, "{integrator:?}: {certificate:?}");
        // A constant acceleration is exact for rules of order two; Euler is off by h/2 per unit.
        let euler = integrator == Integrator::SemiImplicitEuler;
        let cart = sim.kinematics().body(BodyId::of_index(0));
        let off = (cart.position.x - 0.5 * acc).abs();
        assert!(off < if euler { 2e-3 } else { 1e-11 }, "{integrator:?}: {off:e}");
        let (energy, balance) = (sim.energy(), sim.balance());
        let work = 3.0 * acc * 0.5 * acc;
        // The work is an integral of the force over the path: exact at order two, of first order in
        // h for Euler.
        assert!((energy.work - work).abs() < if euler { 3e-2 } else { 1e-10 }, "{integrator:?}: {energy:?}");
        assert!(balance.energy_error < if euler { 2e-3 } else { 1e-11 }, "{integrator:?}: {balance:?}");
        assert!(balance.momentum_error < 1e-11, "{integrator:?}: {balance:?}");
    }
    // Joint coordinates, and feedback instead of projection.
    let joints = Settings { coordinates: Coordinates::Joints, ..Settings::default() };
    let feedback = Settings { stabilization: Stabilization::baumgarte(1e-3), ..Settings::default() };
    for settings in [joints, feedback] {
        let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
        sim.run(1.0, 1e-3).unwrap();
        let off = (sim.kinematics().body(BodyId::of_index(0)).position.x - 0.5 * acc).abs();
        // A constant acceleration is exact for RK4; feedback and the reduced coordinates add 1000
        // steps of rounding.
        assert!(
            off < 1e-10 && sim.balance().energy_error < 1e-10,
            "{settings:?}: {off:e}, {:?}",
            sim.balance()
        );
    }
}

#[test]
fn the_energy_of_a_moving_mechanism_held_by_a_force_elsewhere_balances_to_the_order_of_the_rule() {
    // A double pendulum in space whose elbow is kept at its height by a torque between its bars,
    // which spins up the lower bar.
    let run = |h: f64| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let upper = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.05) });
        let lower = parts.add_body(Body {
            pos: vec3(2.0, 0.0, 0.0),
            vel: vec3(0.0, 0.8, 0.0),
            omega: vec3(0.0, 0.0, 0.8),
            ..Body::rod(3.0, 2.0, 0.05)
        });
        parts.add_joint(Joint::spherical(Ground, upper, [0.0; 3]));
        parts.add_joint(Joint::spherical(upper, lower, [1.0, 0.0, 0.0]));
        let torque = Wrench { force: Vec3::ZERO, torque: vec3(0.0, 1.0, 0.0) };
        let back = Wrench { torque: -torque.torque, ..torque };
        parts.add_constraint(user(
            "height",
            vec![(upper.into(), Frame::at([0.5, 0.0, 0.0])), (lower.into(), Frame::default())],
            Weighted {
                gradient: vec![vec![Vec3::Z, Vec3::ZERO]],
                target: vec![0.0],
                push: Some(vec![vec![torque, back]]),
                apart: false,
            },
        ));
        let mut sim = Simulation::new(parts.build().unwrap());
        sim.run(0.2, h).unwrap();
        (sim.balance(), sim.energy().work, sim.kinematics().position_errors()[6], sim.certificate())
    };
    let ((coarse, _, _, _), (fine, work, gap, certificate)) = (run(2e-3), run(1e-3));
    // The row is closed to rounding of its own terms.
    assert!(work.abs() > 5.0 && gap.abs() < 1e-14, "{work}, {gap:e}");
    // RK4: half the step, a sixteenth of the error.
    let ratio = coarse.energy_error / fine.energy_error;
    assert!((12.0..20.0).contains(&ratio) && fine.energy_error < 1e-7, "{coarse:?} → {fine:?}");
    assert!(
        fine.momentum_error < 1e-8 && certificate.max_equation_residual < 1e-12,
        "{fine:?} {certificate:?}"
    );
}

#[test]
fn the_centroid_of_five_bodies_of_a_chain_stays_where_it_is() {
    // Baraff's example of a constraint outside of any tree: its force does no work, so energy is
    // conserved.
    let n = 8;
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let mut last = Ground;
    let mut frames = Vec::new();
    // A zigzag: a straight chain could not shorten.
    let (step, turn) = (vec3(0.4, 0.0, 0.3), (0.3_f64).atan2(0.4));
    let (mut at, mut centroid) = (Vec3::ZERO, Vec3::ZERO);
    for i in 0..n {
        let up = if i % 2 == 0 { 1.0 } else { -1.0 };
        let next = at + vec3(step.x, 0.1 * f64::from(i == 4), up * step.z);
        let along = next - at;
        let rot = cardan::math::Quat::exp(vec3(0.0, -up * turn, 0.0));
        let bar = parts.add_body(Body {
            pos: (at + next) * 0.5,
            rot,
            ..Body::rod(0.5 + 0.1 * f64::from(i), along.norm(), 0.02)
        });
        parts.add_joint(Joint::spherical(last, bar, at.to_array()));
        last = bar.into();
        if i >= 3 {
            frames.push((last, Frame::default()));
            centroid += (at + next) * 0.1;
        }
        at = next;
    }
    let gradient = [Vec3::X, Vec3::Y, Vec3::Z].map(|e| vec![e * 0.2; 5]);
    let target = centroid.to_array().to_vec();
    let rule = Weighted { gradient: gradient.to_vec(), target, ..Weighted::default() };
    parts.add_constraint(user("centroid", frames, rule));
    let model = Arc::new(parts.build().unwrap());
    let mut sim = Simulation::new(model.clone());
    assert_eq!(sim.diagnostics().solver_name(), "tree with auxiliary rows");
    sim.run(1.0, 1e-3).unwrap();
    // Joints are closed to rounding; the energy of a chaotic chain of eight bars has the truncation
    // of RK4 at 1 ms.
    assert!(sim.certificate().max_position_error < 1e-13, "{:?}", sim.certificate());
    assert!(sim.balance().energy_error < 1e-6, "{:?}", sim.balance());
    let mut other = with(&model, SolverChoice::Sparse);
    assert_eq!(other.diagnostics().solver_name(), "sparse");
    other.run(1.0, 1e-3).unwrap();
    for i in 0..8 {
        let (a, b) = (
            sim.kinematics().body(BodyId::of_index(i)).position,
            other.kinematics().body(BodyId::of_index(i)).position,
        );
        // Both runs solve the same equations: rounding, amplified along the path of a chaotic
        // chain.
        assert!((a - b).largest() < 1e-9, "bar {i}: {a:?} against {b:?}");
    }
    // One factorisation and k + 2 solves.
    let mut sim = Simulation::new(model);
    let before = sim.diagnostics().work_counts();
    sim.accelerations().unwrap();
    let after = sim.diagnostics().work_counts();
    assert_eq!((after.factorizations - before.factorizations, after.solves - before.solves), (1, 3 + 2));
}

#[test]
fn an_auxiliary_joint_moves_the_mechanism_as_ever() {
    let four_bar = |apart: &[usize]| {
        let pins = [vec3(0.0, 0.0, 0.0), vec3(0.1, 0.35, 0.0), vec3(0.9, 0.6, 0.0), vec3(0.8, 0.0, 0.0)];
        let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
        let mut ends = vec![Ground];
        for k in 0..3 {
            let along = pins[k + 1] - pins[k];
            let turn = along.y.atan2(along.x);
            ends.push(End::Body(parts.add_body(Body {
                pos: (pins[k] + pins[k + 1]) * 0.5,
                rot: cardan::math::Quat::exp(vec3(0.0, 0.0, turn)),
                ..Body::rod(1.0, along.norm(), 0.02)
            })));
        }
        ends.push(Ground);
        for k in 0..4 {
            let id = parts.add_joint(Joint::at(
                JointKind::Revolute,
                ends[k],
                ends[k + 1],
                pins[k].to_array(),
                [0.0, 0.0, 1.0],
            ));
            if apart.contains(&k) {
                parts.make_auxiliary(id);
            }
        }
        parts.build().unwrap()
    };
    let mut plain = Simulation::new(four_bar(&[]));
    plain.run(1.0, 1e-3).unwrap();
    for apart in [&[2][..], &[0], &[1, 3], &[0, 1, 2, 3]] {
        let model = four_bar(apart);
        for k in 0..4 {
            assert_eq!(
                model.joint_role(JointId::of_index(k)) == Some(Role::Auxiliary),
                apart.contains(&k),
                "{apart:?}: joint {k}"
            );
        }
        let mut sim = Simulation::new(model);
        sim.run(1.0, 1e-3).unwrap();
        assert!(
            sim.diagnostics().solver_name().ends_with("auxiliary rows"),
            "{}",
            sim.diagnostics().solver_name()
        );
        for i in 0..3 {
            let (a, b) = (
                plain.kinematics().body(BodyId::of_index(i)).position,
                sim.kinematics().body(BodyId::of_index(i)).position,
            );
            // Both runs solve the same equations: 1000 steps of rounding along a regular path.
            assert!((a - b).largest() < 1e-10, "{apart:?}, bar {i}: {a:?} against {b:?}");
        }
        let now = sim.evaluate().unwrap();
        assert_eq!(now.rank(), 17, "{apart:?}");
        // The determined reactions: those of the hinges in the plane.
        let reaction = |sim: &mut Simulation, k: usize| {
            sim.evaluate().unwrap().joint(JointId::of_index(k)).reaction.total().force
        };
        for k in 0..4 {
            let (a, b) = (reaction(&mut plain, k), reaction(&mut sim, k));
            // Reactions are accelerations times masses; the redundant rows leave them to the
            // rounding of the poses over h².
            assert!(
                (a.x - b.x).abs() + (a.y - b.y).abs() < 1e-7,
                "{apart:?}, joint {k}: {a:?} against {b:?}"
            );
        }
    }
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    parts.add_body(random_body(&mut Rng::new(1), BodyKind::Rigid));
    parts.make_auxiliary(JointId::of_index(3));
    assert_eq!(parts.build().unwrap_err(), BuildError::UnknownJoint);
}

/// A free body with a row on it (and a second one), and the wrenches of their multipliers.
fn held(rows: Vec<Vec3>, push: Option<Vec<Vec3>>) -> Model {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let ball = parts.add_body(Body::solid(SolidShape::Sphere { radius: 0.1 }, 1.0));
    let k = rows.len();
    let rule = Weighted {
        gradient: rows.into_iter().map(|g| vec![g]).collect(),
        target: vec![0.0; k],
        push: push.map(|p| p.into_iter().map(|force| vec![Wrench { force, torque: Vec3::ZERO }]).collect()),
        apart: true,
    };
    parts.add_constraint(user("hover", vec![(ball.into(), Frame::default())], rule));
    parts.build().unwrap()
}

#[test]
fn constraints_that_cannot_be_held_are_errors_that_name_them() {
    let fails = |model: Model| {
        let mut sim = Simulation::new(model);
        let before = sim.state().clone();
        let error = sim.step(1e-3).unwrap_err();
        assert!(error.to_string().contains("hover"), "{error}");
        assert_eq!(sim.state(), &before);
        error
    };
    // A force across the row, no force, and two rows with one force.
    for push in [Vec3::X, Vec3::ZERO] {
        let error = fails(held(vec![Vec3::Z], Some(vec![push])));
        assert!(matches!(error, StepError::Powerless { row: 0, .. }), "{error}");
    }
    let error = fails(held(vec![Vec3::Z, Vec3::X], Some(vec![vec3(1.0, 0.0, 1.0), vec3(2.0, 0.0, 2.0)])));
    assert!(matches!(error, StepError::Powerless { .. }), "{error}");
    // A row of zeros, and two equal rows.
    let error = fails(held(vec![Vec3::ZERO], Some(vec![Vec3::X])));
    assert!(matches!(error, StepError::Dependent { row: 0, .. }), "{error}");
    let error = fails(held(vec![Vec3::Z, Vec3::Z * 2.0], Some(vec![Vec3::Z, Vec3::X])));
    assert!(matches!(error, StepError::Dependent { .. }), "{error}");
    // Numbers that are not finite.
    for bad in [f64::NAN, f64::INFINITY] {
        let error = fails(held(vec![Vec3::Z], Some(vec![vec3(bad, 0.0, 1.0)])));
        assert!(matches!(error, StepError::JointNotFinite { .. }), "{error}");
        let error = fails(held(vec![vec3(bad, 0.0, 1.0)], Some(vec![Vec3::Z])));
        assert!(matches!(error, StepError::JointNotFinite { .. } | StepError::CannotClose { .. }), "{error}");
        fails(held(vec![vec3(bad, 0.0, 1.0)], None));
    }
    // Along its rows a repeated constraint is redundant, not an error…
    let mut sim = Simulation::new(held(vec![Vec3::Z, Vec3::Z * 2.0, Vec3::ZERO], None));
    sim.run(0.1, 1e-3).unwrap();
    assert_eq!(sim.evaluate().unwrap().rank(), 1);
    assert!(sim.kinematics().body(BodyId::of_index(0)).position.largest() < 1e-15);
    // … unless it contradicts the first.
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let ball = parts.add_body(Body::solid(SolidShape::Sphere { radius: 0.1 }, 1.0));
    for gradient in [Vec3::Z, Vec3::ZERO] {
        let rule = Weighted {
            gradient: vec![vec![Vec3::Z], vec![gradient]],
            target: vec![0.0, 0.1],
            apart: true,
            ..Weighted::default()
        };
        parts.add_constraint(user("", vec![(ball.into(), Frame::default())], rule));
    }
    let error = Simulation::new(parts.build().unwrap()).step(1e-3).unwrap_err();
    assert!(matches!(error, StepError::Conflict { .. } | StepError::CannotClose { .. }), "{error}");
    assert!(error.to_string().contains("`c0`") || error.to_string().contains("`c1`"), "{error}");
}

#[test]
fn steps_with_auxiliary_rows_allocate_nothing_and_repeat_their_bits() {
    let model = Arc::new(balanced(0.2).build().unwrap());
    let mut sim = Simulation::new(model.clone());
    sim.run(0.01, 1e-3).unwrap();
    let snapshot = sim.state().clone();
    let count = CountingAllocator::count(|| {
        for _ in 0..500 {
            sim.step(1e-3).unwrap();
        }
    });
    assert_eq!(count, 0, "allocations in 500 steps");
    let hash = sim.state_hash();
    let mut other = Simulation::new(model);
    other.restore(&snapshot).unwrap();
    for _ in 0..500 {
        other.step(1e-3).unwrap();
    }
    assert_eq!(other.state_hash(), hash);
}

#[test]
fn statics_refuses_forces_that_act_elsewhere() {
    let model = balanced(0.3).build().unwrap();
    let error = Simulation::new(model).modes().map(|_| ()).unwrap_err();
    assert!(matches!(error, cardan::StaticsError::ForceElsewhere { .. }), "{error}");
    assert!(error.to_string().contains("balance"), "{error}");
}

#[test]
fn the_trace_goes_through_the_six_steps() {
    let model = Arc::new(balanced(0.3).build().unwrap());
    let mut sim = Simulation::new(model.clone());
    let trace = sim.diagnostics().trace().unwrap();
    assert_eq!((trace.primary, trace.unknowns, trace.primary_rows, trace.rows.len()), ("tree", 12, 10, 1));
    let row = &trace.rows[0];
    // Rounding of 3 g tan θ.
    assert!(row.pushed && !row.dropped && (row.mu - 3.0 * 9.81 * 0.3_f64.tan()).abs() < 1e-12);
    for left in [trace.without, trace.with, trace.whole, row.column] {
        // Each part of the solve leaves the rounding of an elimination of some twelve unknowns.
        assert!(left.worst() < 1e-13, "{trace:?}");
    }
    assert!(row.left < 1e-13 && row.missed_by.abs() > 0.1 && trace.small < 1e-15);
    let text = trace.text(|link| model.name_of_link(link).to_string());
    assert!(text.contains("balance") && text.contains("  6  net acceleration"), "{text}");
}
