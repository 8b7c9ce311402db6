//! C, J, Ċ and c of every kind against finite differences, far from closed; power and freedoms.

use super::{arcs, hills, rule};
use crate::common;
use cardan::constraint::{Feature, PointOnCurve, Tangent};
use cardan::geometry::{Curve, Surface};
use cardan::math::{Vec3, vec3};
use cardan::{
    Body, BodyId, BodyKind, Constraint, ConstraintId, End, Frame, Gravity, Model, ModelBuilder, Settings,
    Simulation, SolverChoice, Stabilization, State,
};
use cardan_testkit::{Rng, random_body, slopes};
use std::sync::Arc;

/// Bodies of two kinds (none: the ground), with b's frame near a point of a's.
fn model(
    rng: &mut Rng,
    kinds: [Option<BodyKind>; 2],
    near: Vec3,
    rule_of: std::sync::Arc<dyn Constraint>,
) -> Arc<Model> {
    let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
    let flat = kinds.iter().flatten().any(|kind| kind.is_planar());
    let mut frame_of = |kind: BodyKind| match kind {
        BodyKind::Particle | BodyKind::PlanarParticle => Frame::default(),
        BodyKind::Planar => {
            let p = rng.vector(0.2);
            Frame::at([p.x, p.y, 0.0])
        }
        BodyKind::Rigid | BodyKind::General(_) => Frame { pos: rng.vector(0.2), rot: rng.rotation() },
    };
    let frames = kinds.map(|kind| kind.map_or_else(Frame::default, &mut frame_of));
    let mut ends = [End::Ground; 2];
    let (mut origin, mut axes) = (Vec3::ZERO, cardan::math::Quat::IDENTITY);
    if let Some(kind) = kinds[0] {
        let mut a = random_body(rng, kind);
        if flat {
            a.pos.z = 0.0;
        }
        (origin, axes) = (a.pos + a.rot * frames[0].pos, a.rot * frames[0].rot);
        ends[0] = parts.add_body(a.named("a")).into();
    }
    if let Some(kind) = kinds[1] {
        let mut b: Body = random_body(rng, kind);
        let target = origin + axes * near;
        b.pos = target - b.rot * frames[1].pos;
        ends[1] = parts.add_body(b.named("b")).into();
    }
    let frames = vec![(ends[0], frames[0]), (ends[1], frames[1])];
    parts.add_constraint(cardan::UserConstraint { name: "c".into(), frames, rule: rule_of });
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

fn matches_differences(model: &Arc<Model>, what: &str) {
    let start = model.initial_state();
    let settings =
        Settings { solver: SolverChoice::Dense, stabilization: Stabilization::None, ..Settings::default() };
    let mut sim = Simulation::with_settings(model.clone(), settings).unwrap();
    let now = sim.evaluate().unwrap();
    let (_, jac) = common::dense(now.system());
    let (rate, bias) = (now.velocity_errors().to_vec(), now.system().bias().to_vec());
    let n = model.counts().coordinates;
    for c in 0..n {
        let slope = slopes(|t| {
            let mut shift = vec![0.0; n];
            shift[c] = t;
            let mut state = start.clone();
            state.displace(model, &shift);
            errors(model, &state).0
        });
        for (r, slope) in slope.iter().enumerate() {
            // Differences of fourth order: ε⁴ f⁽⁵⁾/30 + rounding/ε at ε = 2e-4; curves have
            // derivatives of up to some hundred.
            assert!((slope - jac[(r, c)]).abs() < 2e-9, "{what}: J[{r}][{c}]: {slope} or {}", jac[(r, c)]);
        }
    }
    let along = |t: f64| {
        let shift: Vec<f64> = start.velocities().iter().map(|v| t * v).collect();
        let mut state = start.clone();
        state.displace(model, &shift);
        errors(model, &state)
    };
    let size = 1.0 + cardan_testkit::largest(start.velocities());
    for (r, slope) in slopes(|t| along(t).0).iter().enumerate() {
        // As above, times the speed along the path.
        assert!((slope - rate[r]).abs() < 1e-8 * size, "{what}: Ċ[{r}] {} or {slope}", rate[r]);
    }
    for (r, slope) in slopes(|t| along(t).1).iter().enumerate() {
        // Differences of Ċ, which contains second derivatives of the curve and the speed squared.
        assert!((slope - bias[r]).abs() < 2e-7 * size * size, "{what}: c[{r}] {} or {slope}", bias[r]);
    }
}

/// A displacement from the point that does not lose the foot.
fn off(rng: &mut Rng, size: f64) -> Vec3 {
    rng.direction() * (size * rng.range(0.3, 1.0))
}

/// A point beside the middle of a cell: at the borders of cells of a closed curve in space the
/// basis of the rows turns, and differences would show that.
fn beside(rng: &mut Rng, curve: &Curve) -> Vec3 {
    let line = curve.outline();
    let k = rng.below(line.len() - 1);
    let chord = line[k + 1] - line[k];
    let away = off(rng, 0.1);
    (line[k] + line[k + 1]) * 0.5 + away - chord * (away.dot(chord) / chord.dot(chord))
}

#[test]
fn points_on_curves_match_differences() {
    use BodyKind::{Particle, Planar, PlanarParticle, Rigid};
    let trefoil = ["(2+cos(3*t))*cos(2*t)", "(2+cos(3*t))*sin(2*t)", "sin(3*t)"];
    let curves = [
        Curve::formula(trefoil, [0.0, 2.0 * std::f64::consts::PI], true).unwrap(),
        Curve::formula(["cos(t)", "sin(t)", "0.3*t"], [0.0, 9.0], false).unwrap(),
        arcs(0.8, 0.2),
        Curve::through(
            &[vec3(0., 0., 0.), vec3(1., 0.3, 0.2), vec3(1.5, 1.2, -0.4), vec3(0.4, 1.9, 0.5)],
            true,
        )
        .unwrap(),
    ];
    for seed in 0..6 {
        let rng = &mut Rng::new(seed);
        for (k, curve) in curves.iter().enumerate() {
            for kinds in [[None, Some(Particle)], [Some(Rigid), Some(Rigid)], [Some(Rigid), Some(Particle)]] {
                let near = beside(rng, curve);
                let model = model(rng, kinds, near, std::sync::Arc::new(PointOnCurve::new(curve.clone())));
                matches_differences(&model, &format!("curve {k}, {kinds:?}, seed {seed}"));
            }
        }
        for kinds in
            [[None, Some(PlanarParticle)], [Some(Planar), Some(Planar)], [Some(Planar), Some(PlanarParticle)]]
        {
            let curve = Curve::polar(&[0.7, 0.9, 0.8, 0.6, 0.75]).unwrap();
            let mut near = curve.at(rng.range(0.0, 6.0)).place + off(rng, 0.1);
            near.z = 0.0;
            let model = model(rng, kinds, near, std::sync::Arc::new(PointOnCurve::planar(curve).unwrap()));
            assert_eq!(model.counts().rows, 1);
            matches_differences(&model, &format!("profile, {kinds:?}, seed {seed}"));
        }
    }
}

#[test]
fn features_on_surfaces_match_differences() {
    use BodyKind::{Particle, Rigid};
    let egg = || Surface::Ellipsoid { radii: vec3(1.2, 0.8, 0.6) };
    let lens = || Feature::Ellipsoid { radii: vec3(0.3, 0.5, 0.4) };
    let ball = || Feature::Ball { radius: 0.2 };
    let rim = || Feature::Curve(arcs(0.3, 0.05));
    let cam = || Surface::profile(Curve::polar(&[0.9, 1.0, 1.05, 0.95, 0.9]).unwrap()).unwrap();
    let point = || Feature::Point;
    let torus = || Surface::Torus { ring: 1.0, tube: 0.4 };
    let cases: Vec<(Tangent, f64)> = vec![
        (Tangent::new(Surface::Plane, point()).unwrap(), 0.0),
        (Tangent::new(Surface::Sphere { radius: 0.8 }, point()).unwrap(), 0.0),
        (Tangent::new(Surface::Sphere { radius: 0.8 }, ball()).unwrap().inside(), 0.0),
        (Tangent::new(Surface::Cylinder { radius: 0.6 }, ball()).unwrap(), 0.0),
        (Tangent::new(Surface::Cone { half_angle: 0.5 }, point()).unwrap(), 0.0),
        (Tangent::new(egg(), point()).unwrap(), 0.0),
        (Tangent::new(torus(), ball()).unwrap(), 0.0),
        (Tangent::new(Surface::Terrain(hills()), point()).unwrap(), 0.0),
        (Tangent::new(Surface::Terrain(hills()), ball()).unwrap(), 0.3),
        (Tangent::new(Surface::Plane, lens()).unwrap(), 0.4),
        (Tangent::new(Surface::Plane, rim()).unwrap(), 0.2),
        (Tangent::new(egg(), lens()).unwrap(), 0.5),
        (Tangent::new(Surface::Sphere { radius: 0.7 }, lens()).unwrap(), 0.5),
        (Tangent::new(Surface::Sphere { radius: 1.5 }, lens()).unwrap().inside(), -0.4),
        (Tangent::new(torus(), lens()).unwrap(), 0.5),
        (Tangent::new(Surface::Cylinder { radius: 0.6 }, rim()).unwrap(), 0.4),
        (Tangent::new(cam(), ball()).unwrap(), 0.2),
        (Tangent::new(cam(), lens()).unwrap(), 0.5),
    ];
    for seed in 0..4 {
        let rng = &mut Rng::new(100 + seed);
        for (k, (tangent, out)) in cases.iter().enumerate() {
            // A point on the surface, then out along its normal and displaced.
            let mut p = rng.direction() * 1.1;
            for _ in 0..20 {
                let h = tangent.surface().height(p);
                p -= h.gradient * (h.value / h.gradient.dot(h.gradient));
            }
            if p.z < 0.0 && tangent.surface().name() == "cone" {
                p = vec3(0.5 * 0.5_f64.sin(), 0.0, 0.5 * 0.5_f64.cos());
            }
            let n = tangent.surface().height(p).gradient;
            let near = p + n * (out / n.norm()) + off(rng, 0.06);
            let round = matches!(tangent.feature(), Feature::Point | Feature::Ball { .. });
            let second = if round { Particle } else { Rigid };
            for kinds in [[None, Some(second)], [Some(Rigid), Some(Rigid)]] {
                let model = model(rng, kinds, near, std::sync::Arc::new(tangent.clone()));
                let what = format!("case {k} ({}), {kinds:?}, seed {seed}", tangent.surface().name());
                matches_differences(&model, &what);
            }
        }
    }
}

#[test]
fn cams_in_the_plane_match_differences() {
    use BodyKind::{Planar, PlanarParticle};
    let profile = || Curve::polar(&[0.5, 0.55, 0.6, 0.5, 0.45]).unwrap();
    for seed in 0..6 {
        let rng = &mut Rng::new(200 + seed);
        let roller =
            Tangent::new(Surface::profile(profile()).unwrap(), Feature::Ball { radius: 0.1 }).unwrap();
        let second =
            Tangent::new(Surface::profile(profile()).unwrap(), Feature::Curve(arcs(0.3, 0.05))).unwrap();
        let flat = Tangent::flat_follower(profile()).unwrap();
        let angle = rng.range(0.0, 6.0);
        let away = vec3(angle.cos(), angle.sin(), 0.0);
        for kinds in [[None, Some(PlanarParticle)], [Some(Planar), Some(Planar)]] {
            let model = model(rng, kinds, away * 0.7, std::sync::Arc::new(roller.clone()));
            matches_differences(&model, &format!("roller, {kinds:?}, seed {seed}"));
        }
        for (name, rule_of, far) in [("cam on cam", &second, 0.9), ("flat follower", &flat, 0.7)] {
            let kinds = [Some(Planar), Some(Planar)];
            let model = model(rng, kinds, away * far, std::sync::Arc::new(rule_of.clone()));
            if name == "cam on cam" {
                matches_differences(&model, &format!("{name}, {kinds:?}, seed {seed}"));
            }
        }
        // The face of a flat follower points along an axis in the plane.
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let mut a = random_body(rng, Planar);
        a.pos.z = 0.0;
        let mut b = random_body(rng, Planar);
        b.pos = a.pos + away;
        let face =
            Frame { pos: vec3(0.1, 0.05, 0.0), ..Frame::with_axis([0.0; 3], [0.6, 0.8, 0.0]).unwrap() };
        let (a, b) = (parts.add_body(a.named("a")), parts.add_body(b.named("b")));
        parts.add_constraint(rule("face", (a.into(), Frame::default()), (b.into(), face), flat));
        matches_differences(&Arc::new(parts.build().unwrap()), &format!("flat follower, seed {seed}"));
    }
}

#[test]
fn tangency_takes_one_freedom_and_a_curve_two() {
    let count = |rule_of: std::sync::Arc<dyn Constraint>, near: Vec3| {
        let model = model(&mut Rng::new(7), [Some(BodyKind::Rigid); 2], near, rule_of);
        let mut sim = Simulation::new(model);
        sim.assemble().unwrap();
        let power = {
            let now = sim.evaluate().unwrap();
            let loads: Vec<_> = now.constraint_loads(ConstraintId::of_index(0)).collect();
            let mut power = 0.0;
            let mut size = 0.0;
            for (load, body) in loads.iter().zip([0, 1]) {
                let b = now.body(BodyId::of_index(body));
                power += load.wrench.force.dot(b.velocity) + load.wrench.torque.dot(b.angular_velocity);
                size += load.wrench.force.norm() * b.velocity.norm()
                    + load.wrench.torque.norm() * b.angular_velocity.norm();
            }
            power.abs() / size
        };
        // Rounding of a sum of some twelve products that cancel.
        assert!(power < 1e-14, "power {power:e}");
        sim.diagnose().unwrap().unwrap().mobility()
    };
    let egg = Surface::Ellipsoid { radii: vec3(1.2, 0.8, 0.6) };
    let lens = Feature::Ellipsoid { radii: vec3(0.3, 0.5, 0.4) };
    assert_eq!(
        count(std::sync::Arc::new(Tangent::new(egg.clone(), lens).unwrap()), vec3(1.3, 0.5, 0.3)),
        Some(11)
    );
    assert_eq!(
        count(std::sync::Arc::new(Tangent::new(egg, Feature::Point).unwrap()), vec3(0.9, 0.5, 0.3)),
        Some(11)
    );
    assert_eq!(count(std::sync::Arc::new(PointOnCurve::new(arcs(1.0, 0.0))), vec3(0.7, 0.7, 0.1)), Some(10));
}
