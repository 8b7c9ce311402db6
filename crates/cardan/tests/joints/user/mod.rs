//! User-defined constraints and forces: derivatives against finite differences, energy, many
//! bodies, constraints that depend on time.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use cardan::End::Ground;
use cardan::math::{Quat, Vec3, vec3};
use cardan::solve::Role;
use cardan::{
    Body, BodyId, BodyKind, Constraint, ConstraintId, ConstraintRows, End, Frame, FrameMotion, Gravity,
    Joint, JointKind, Model, ModelBuilder, Settings, Simulation, SolverChoice, Stabilization, State,
    StepError, UserConstraint,
};
use cardan_testkit::{Rng, random_body, slopes};
use std::sync::Arc;

mod rolling;
mod rolling_over;
mod velocities;

use crate::common;

mod coupled_elimination;
mod couplings;

/// A point on the ellipsoid Σ (p_i/a_i)² = 1.
#[derive(Debug)]
struct Ellipsoid(Vec3);

impl Constraint for Ellipsoid {
    fn rows(&self) -> usize {
        1
    }
    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (p, v) = (frames[0].pos, frames[0].vel);
        let over = |u: Vec3| {
            vec3(u.x / (self.0.x * self.0.x), u.y / (self.0.y * self.0.y), u.z / (self.0.z * self.0.z))
        };
        out.err[0] = 0.5 * (p.dot(over(p)) - 1.0);
        out.gradient(0, 0).force = over(p);
        out.jac_dot_v[0] = v.dot(over(v));
    }
}

/// The centroid of all frames stays at a given point.
#[derive(Debug)]
struct Centroid(Vec3);

impl Constraint for Centroid {
    fn rows(&self) -> usize {
        3
    }
    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let share = 1.0 / frames.len() as f64;
        let mut sum = Vec3::ZERO;
        frames.iter().for_each(|f| sum += f.pos * share);
        for (r, e) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            out.err[r] = (sum - self.0)[r];
            for f in 0..frames.len() {
                out.gradient(r, f).force = e * share;
            }
        }
    }
}

/// A point on a plane that turns about x and heaves: n(t)·p = s(t), n = (0, −sin wt, cos wt), s = a
/// sin 2wt.
#[derive(Debug)]
struct MovingPlane {
    w: f64,
    heave: f64,
}

impl MovingPlane {
    /// n, s and their first and second derivatives.
    fn at(&self, t: f64) -> [(Vec3, f64); 3] {
        let (w, (sin, cos)) = (self.w, (self.w * t).sin_cos());
        let (sin2, cos2) = (2.0 * self.w * t).sin_cos();
        [
            (vec3(0.0, -sin, cos), self.heave * sin2),
            (vec3(0.0, -cos, -sin) * w, self.heave * 2.0 * w * cos2),
            (vec3(0.0, sin, -cos) * (w * w), -self.heave * 4.0 * w * w * sin2),
        ]
    }
}

impl Constraint for MovingPlane {
    fn rows(&self) -> usize {
        1
    }
    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (p, v) = (frames[0].pos, frames[0].vel);
        let [(n, s), (n1, s1), (n2, s2)] = self.at(time);
        out.err[0] = n.dot(p) - s;
        out.gradient(0, 0).force = n;
        out.err_time_rate[0] = n1.dot(p) - s1;
        // Once for the change of the gradient, once for that of ∂C/∂t along the motion.
        out.jac_dot_v[0] = 2.0 * n1.dot(v) + n2.dot(p) - s2;
    }
}

/// The z axes of two frames keep a given cosine between them.
#[derive(Debug)]
struct KeptAngle(f64);

impl Constraint for KeptAngle {
    fn rows(&self) -> usize {
        1
    }
    fn needs_orientation(&self, _end: usize) -> bool {
        true
    }
    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (a, b) = (frames[0].rot * Vec3::Z, frames[1].rot * Vec3::Z);
        let (va, vb) = (frames[0].omega.cross(a), frames[1].omega.cross(b));
        let normal = a.cross(b);
        out.err[0] = a.dot(b) - self.0;
        out.gradient(0, 0).torque = normal;
        out.gradient(0, 1).torque = -normal;
        out.jac_dot_v[0] = (va.cross(b) + a.cross(vb)).dot(frames[0].omega - frames[1].omega);
    }
}

fn user(frames: Vec<(End, Frame)>, rule: impl Constraint + 'static) -> UserConstraint {
    UserConstraint { name: String::new(), frames, rule: Arc::new(rule) }
}

/// Bodies of random kinds in random poses with one constraint on all of them, far from closed.
fn random_model(rng: &mut Rng, kinds: &[BodyKind], rule: impl Constraint + 'static) -> Arc<Model> {
    let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
    let frames = kinds.iter().map(|&kind| {
        let id = parts.add_body(random_body(rng, kind));
        let frame = match kind {
            BodyKind::Particle | BodyKind::PlanarParticle => Frame::default(),
            _ => Frame { pos: rng.vector(0.5), rot: rng.rotation() },
        };
        (End::Body(id), frame)
    });
    let frames = frames.collect();
    parts.add_constraint(user(frames, rule));
    Arc::new(parts.build().unwrap())
}

fn errors(model: &Arc<Model>, state: &State) -> (Vec<f64>, Vec<f64>) {
    let settings =
        Settings { solver: SolverChoice::Dense, stabilization: Stabilization::None, ..Settings::default() };
    let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
    sim.restore(state).unwrap();
    let now = sim.kinematics();
    (now.position_errors().to_vec(), now.velocity_errors().to_vec())
}

/// J, Ċ and c against finite differences, with time passing where it enters.
fn matches_differences(model: &Arc<Model>, start: &State, what: &str) {
    let mut sim = Simulation::new(model.clone());
    sim.restore(start).unwrap();
    let now = sim.evaluate().unwrap();
    let (_, jac) = common::dense(now.system());
    let (rate, bias) = (now.velocity_errors().to_vec(), now.system().bias().to_vec());
    let n = model.counts().coordinates;
    // A constraint on velocities has no C to differentiate; tests of its kind check its J. Rows of
    // joints come first, and all of them are on poses.
    let of_users: Vec<bool> =
        model.constraints().iter().flat_map(|c| (0..c.rows()).map(|r| c.has_position(r))).collect();
    let mut on_poses = vec![true; model.counts().rows - of_users.len()];
    on_poses.extend(of_users);
    for c in 0..n {
        let slope = slopes(|t| {
            let mut shift = vec![0.0; n];
            shift[c] = t;
            let mut state = start.clone();
            state.displace(model, &shift);
            errors(model, &state).0
        });
        for (r, slope) in slope.iter().enumerate().filter(|(r, _)| on_poses[*r]) {
            // Differences of fourth order: ε⁴ f⁽⁵⁾/30 + rounding/ε at ε = 2e-4.
            assert!((slope - jac[(r, c)]).abs() < 1e-9, "{what}: J[{r}][{c}]: {slope}");
        }
    }
    let along = |t: f64| {
        let shift: Vec<f64> = start.velocities().iter().map(|v| t * v).collect();
        let mut state = start.clone();
        state.displace(model, &shift);
        state.time += t;
        errors(model, &state)
    };
    for (r, slope) in slopes(|t| along(t).0).iter().enumerate().filter(|(r, _)| on_poses[*r]) {
        // As above along the motion, with speeds of some m/s.
        assert!(
            (slope - rate[r]).abs() < 1e-8 * (1.0 + rate[r].abs()),
            "{what}: Ċ[{r}] {} or {slope}",
            rate[r]
        );
    }
    for (r, slope) in slopes(|t| along(t).1).iter().enumerate() {
        // As above for Ċ: one factor of the speed more.
        assert!(
            (slope - bias[r]).abs() < 1e-7 * (1.0 + bias[r].abs()),
            "{what}: c[{r}] {} or {slope}",
            bias[r]
        );
    }
}

#[test]
fn user_constraints_match_finite_differences_on_every_body_kind() {
    use BodyKind::*;
    for seed in 0..10 {
        let mut rng = Rng::new(seed);
        for kind in BodyKind::ALL {
            let model = random_model(&mut rng, &[kind], Ellipsoid(vec3(1.0, 0.7, 1.4)));
            matches_differences(&model, model.initial_state(), &format!("ellipsoid, {kind}, seed {seed}"));
            let model = random_model(&mut rng, &[kind], MovingPlane { w: 3.0, heave: 0.2 });
            let mut start = model.initial_state().clone();
            start.time = 0.37;
            matches_differences(&model, &start, &format!("moving plane, {kind}, seed {seed}"));
        }
        let kinds = [Rigid, Particle, Planar, PlanarParticle];
        let model = random_model(&mut rng, &kinds, Centroid(vec3(0.1, 0.2, 0.3)));
        matches_differences(&model, model.initial_state(), &format!("centroid, seed {seed}"));
        let model = random_model(&mut rng, &[Rigid, Rigid], KeptAngle(0.3));
        matches_differences(&model, model.initial_state(), &format!("kept angle, seed {seed}"));
    }
}

#[test]
fn a_body_sliding_on_an_ellipsoid_by_one_of_its_points_conserves_energy() {
    let mut rng = Rng::new(4);
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let body = parts.add_body(random_body(&mut rng, BodyKind::Rigid));
    let frames = vec![(End::Body(body), Frame::at([0.3, 0.1, -0.2]))];
    parts.add_constraint(user(frames, Ellipsoid(vec3(1.0, 0.7, 1.4))));
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    let start = sim.energy().mechanical();
    sim.run(5.0, 1e-3).unwrap();
    let drift = (sim.energy().mechanical() - start).abs();
    // RK4 at 1 ms on a body that tumbles at about 10 rad/s: (ω h)⁴ = 1e-8 of some joules per
    // radian.
    assert!(drift < 1e-6, "energy drifted by {drift:e} J");
    assert!(sim.certificate().max_position_error < 1e-13, "{:?}", sim.certificate());
    assert!(sim.balance().momentum_error < 1e-6, "{:?}", sim.balance());
}

#[test]
fn two_axes_kept_at_an_angle_only_exchange_torque() {
    let mut rng = Rng::new(8);
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let (a, b) = (
        parts.add_body(random_body(&mut rng, BodyKind::Rigid)),
        parts.add_body(random_body(&mut rng, BodyKind::Rigid)),
    );
    parts.add_constraint(user(
        vec![(a.into(), Frame::default()), (b.into(), Frame::default())],
        KeptAngle(0.3),
    ));
    let mut sim = Simulation::new(parts.build().unwrap());
    assert_eq!(sim.model().constraint_role(ConstraintId::of_index(0)), Some(Role::Primary));
    sim.assemble().unwrap();
    let (energy, before) = (sim.energy().mechanical(), sim.momentum());
    sim.run(1.0, 1e-3).unwrap();
    let after = sim.momentum();
    // Action and reaction cancel to rounding; angular momentum and energy have the truncation of
    // RK4 at 1 ms on tumbling bodies.
    assert!((after.linear - before.linear).largest() < 1e-13);
    assert!((after.angular - before.angular).largest() < 1e-8);
    assert!((sim.energy().mechanical() - energy).abs() < 1e-7);
}

#[test]
fn the_centroid_of_three_particles_stays_put_and_the_rest_is_free() {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let masses = [1.0, 2.0, 4.0];
    let starts = [vec3(1.0, 0.0, 0.0), vec3(-1.0, 1.0, 0.0), vec3(0.0, -1.0, 0.0)];
    let vels = [vec3(0.3, 0.1, 0.5), vec3(-0.2, 0.4, -0.1), vec3(-0.1, -0.5, -0.4)];
    let frames: Vec<(End, Frame)> = (0..3)
        .map(|i| {
            let id = parts.add_body(Body { pos: starts[i], vel: vels[i], ..Body::particle(masses[i]) });
            (id.into(), Frame::default())
        })
        .collect();
    parts.add_constraint(user(frames, Centroid(Vec3::ZERO)));
    let mut sim = Simulation::new(parts.build().unwrap());
    // Three bodies: it is not part of the tree, so its rows are auxiliary.
    assert_eq!(sim.model().constraint_role(ConstraintId::of_index(0)), Some(Role::Auxiliary));
    assert_eq!(sim.diagnostics().solver_name(), "tree with auxiliary rows");
    // λ/3 on each: Σ (g + λ/(3 m_i))/3 = 0, so λ = −9 g/Σ(1/m_i).
    let pull = 9.0 * 9.81 / (1.0 + 0.5 + 0.25);
    let now = sim.evaluate().unwrap();
    assert!((now.multipliers()[2] - pull).abs() < 1e-12, "{:?}", now.multipliers());
    sim.run(1.0, 1e-2).unwrap();
    // Constant accelerations: RK4 is exact, each particle keeps its own parabola.
    for i in 0..3 {
        let a = -9.81 + pull / (3.0 * masses[i]);
        let expected = starts[i] + vels[i] + vec3(0.0, 0.0, 0.5 * a);
        let at = sim.kinematics().body(BodyId::of_index(i)).position;
        assert!((at - expected).largest() < 1e-12, "particle {i}: {at:?} against {expected:?}");
    }
    // Constant accelerations are exact for RK4, balances included.
    assert!(sim.certificate().max_position_error < 1e-14, "{:?}", sim.certificate());
    assert!(
        sim.balance().momentum_error < 1e-13 && sim.balance().energy_error < 1e-13,
        "{:?}",
        sim.balance()
    );
}

#[test]
fn a_point_stays_on_a_moving_plane_and_the_work_of_the_plane_is_booked() {
    let plane = || MovingPlane { w: 2.0, heave: 0.3 };
    let run = |h: f64| {
        let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
        let ball = parts.add_body(Body {
            pos: vec3(0.3, 0.5, 0.1),
            vel: vec3(1.0, 0.0, 0.0),
            ..Body::particle(2.0)
        });
        parts.add_constraint(user(vec![(ball.into(), Frame::default())], plane()));
        let mut sim = Simulation::new(parts.build().unwrap());
        sim.run(1.0, h).unwrap();
        sim
    };
    let mut sim = run(1e-3);
    let certificate = sim.certificate();
    // Projection ends at rounding of positions and speeds of about one.
    assert!(
        certificate.max_position_error < 1e-14 && certificate.max_velocity_error < 1e-13,
        "{certificate:?}"
    );
    // On the plane it moves as the law of time prescribes.
    let [(n, s), (n1, s1), _] = plane().at(1.0);
    let body = sim.kinematics().body(BodyId::of_index(0));
    assert!((n.dot(body.position) - s).abs() < 1e-13);
    assert!((n.dot(body.velocity) + n1.dot(body.position) - s1).abs() < 1e-12);
    // The plane lifts and lowers the ball: that is work, and the balance holds to the order of RK4.
    let (energy, fine) = (sim.energy(), sim.balance().energy_error);
    let coarse = run(2e-3).balance().energy_error;
    assert!(energy.work.abs() > 0.5, "{energy:?}");
    assert!(fine < 1e-9 && (fine < coarse / 8.0 || fine < 1e-14), "{coarse:e} → {fine:e}");
}

#[test]
fn a_point_pushed_by_a_plane_alone_follows_the_closed_form() {
    // A plane that only heaves, z = a sin 2wt: λ = m (z̈ + g) exactly.
    #[derive(Debug)]
    struct Lift;
    impl Constraint for Lift {
        fn rows(&self) -> usize {
            1
        }
        fn evaluate(&self, t: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
            out.err[0] = frames[0].pos.z - 0.2 * (5.0 * t).sin();
            out.gradient(0, 0).force = Vec3::Z;
            out.err_time_rate[0] = -(5.0 * t).cos();
            out.jac_dot_v[0] = 5.0 * (5.0 * t).sin();
        }
    }
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let ball = parts.add_body(Body { vel: vec3(0.0, 0.0, 1.0), ..Body::particle(2.0) });
    parts.add_constraint(user(vec![(ball.into(), Frame::default())], Lift));
    let mut sim = Simulation::new(parts.build().unwrap());
    for _ in 0..200 {
        sim.step(5e-3).unwrap();
        let t = sim.time();
        let lambda = sim.evaluate().unwrap().multipliers()[0];
        let exact = 2.0 * (9.81 - 5.0 * (5.0 * t).sin());
        // One solve: rounding of λ; the position is a constraint.
        assert!((lambda - exact).abs() < 1e-12, "t = {t}: {lambda} against {exact}");
        assert!((sim.state().coordinates()[2] - 0.2 * (5.0 * t).sin()).abs() < 1e-15);
    }
}

#[test]
fn a_condition_that_contradicts_a_joint_is_an_error_and_not_a_wrong_motion() {
    // Welded to the ground and prescribed to rise: a contradiction.
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let body = parts.add_body(Body::solid(cardan::SolidShape::Sphere { radius: 0.1 }, 1.0));
    parts.add_joint(Joint::fixed(Ground, body));
    parts.add_constraint(user(vec![(body.into(), Frame::default())], MovingPlane { w: 1.0, heave: 0.5 }));
    let mut sim = Simulation::new(parts.build().unwrap());
    let before = sim.state().clone();
    let error = sim.run(0.1, 1e-3).unwrap_err();
    assert!(matches!(error, StepError::CannotClose { .. } | StepError::Conflict { .. }), "{error}");
    assert_eq!(sim.state(), &before);
}

#[test]
fn joints_that_close_in_time_match_finite_differences() {
    use cardan::constraint::Assemble;
    for seed in 0..5 {
        let mut rng = Rng::new(seed);
        for kind in [JointKind::Spherical, JointKind::Fixed, JointKind::Revolute, JointKind::Universal] {
            // The law closes any gap; the axes must be within a right angle.
            let (a, b) = (
                Frame { pos: rng.vector(1.0), rot: Quat::IDENTITY },
                Frame { pos: rng.vector(1.0), rot: Quat::exp(rng.vector(0.5)) },
            );
            let rule = Assemble::new(kind, &a, &b, 1.5).unwrap();
            let model = random_model(&mut rng, &[BodyKind::Rigid, BodyKind::Rigid], rule);
            let mut start = model.initial_state().clone();
            start.time = 0.6;
            matches_differences(&model, &start, &format!("closing {kind}, seed {seed}"));
        }
    }
}

/// Two free bodies without gravity: the gap follows its law to rounding, the work of the joint is
/// their energy, and momentum stays zero.
#[test]
fn a_joint_that_closes_in_time_follows_its_law_and_does_the_work() {
    use cardan::constraint::{Assemble, AssembleError};
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, 0.0));
    let mut rng = Rng::new(11);
    let still = |body: Body| Body { vel: Vec3::ZERO, omega: Vec3::ZERO, rot: Quat::IDENTITY, ..body };
    let ends = [0, 1].map(|_| {
        let body = still(random_body(&mut rng, BodyKind::Rigid));
        let (pos, local) = (body.pos, Frame::at(rng.vector(0.4)));
        (parts.add_body(body), pos, local)
    });
    let [from, to] = ends.map(|(_, pos, local)| Frame { pos: pos + local.pos, rot: Quat::IDENTITY });
    let rule = Assemble::new(JointKind::Spherical, &from, &to, 1.0).unwrap();
    let frames = ends.iter().map(|(id, _, local)| (End::Body(*id), *local)).collect();
    parts.add_constraint(user(frames, rule));
    let mut sim = Simulation::new(parts.build().unwrap());
    let start = to.pos - from.pos;
    for step in 0..150 {
        sim.run(0.01 * f64::from(step + 1), 1e-3).unwrap();
        let t = (sim.time() / 1.0).min(1.0);
        // From 1 to 0 by the polynomial of degree five that is at rest at both ends.
        let left = 1.0 - t * t * t * (10.0 - t * (15.0 - 6.0 * t));
        let points: Vec<Vec3> = sim.kinematics().constraint_points(ConstraintId::of_index(0)).collect();
        let gap = points[1] - points[0];
        assert!((gap - start * left).norm() < 1e-13, "{step}: {gap:?}");
    }
    let energy = sim.energy();
    assert!(energy.kinetic > 0.0, "they turn on");
    // The work is an integral by RK4 of a polynomial of the law, of degree above its order;
    // momentum cancels exactly.
    assert!((energy.kinetic - energy.work).abs() < 1e-9 * energy.kinetic, "{energy:?}");
    assert!(sim.momentum().linear.norm() < 1e-12);
    let wrong = Assemble::new(JointKind::Prismatic, &from, &to, 1.0);
    assert_eq!(wrong, Err(AssembleError::Kind(JointKind::Prismatic)));
    assert!(matches!(Assemble::new(JointKind::Spherical, &from, &to, 0.0), Err(AssembleError::Duration(_))));
    let turned = Frame { rot: Quat::exp(vec3(2.0, 0.0, 0.0)), ..to };
    assert!(matches!(Assemble::new(JointKind::Revolute, &from, &turned, 1.0), Err(AssembleError::Axes(_))));
}
