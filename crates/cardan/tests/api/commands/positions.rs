//! Joint positions and rates are read and set, by arrays and by id; loops follow.

use super::{four_bar, planar_chain, posed, random_positions, random_rates, tree_of_pairs};
use cardan::joint_space::{CommandError, OrderedPart};
use cardan::math::Quat;
use cardan::{DriveMode, Joint, JointKind, Simulation};
use cardan_testkit::{MotionSpace, Rng, Tolerance, assert_close, closed_loops};

/// Differences of positions; of two quaternions of one rotation none.
fn assert_same_positions(sim: &Simulation, a: &[f64], b: &[f64], bound: f64) {
    for entry in sim.joint_order().entries() {
        let (a, b) = (&a[entry.positions.clone()], &b[entry.positions.clone()]);
        let first = match (entry.part, a.len()) {
            (OrderedPart::Floating(_), 7) => 3,
            (OrderedPart::Joint(_), 4) => 0,
            _ => a.len(),
        };
        for (x, y) in a.iter().zip(b).take(first) {
            assert_close(*x, *y, Tolerance::because("rounding of a chain of frames", bound));
        }
        if first < a.len() {
            let rot =
                |p: &[f64]| Quat::from_wxyz(p[first], p[first + 1], p[first + 2], p[first + 3]).unwrap();
            let off = (rot(a) * rot(b).inverse()).log().norm();
            assert_close(off, 0.0, Tolerance::because("rounding of a chain of frames", bound));
        }
    }
}

#[test]
fn positions_and_rates_that_are_set_on_a_tree_are_read_back() {
    for seed in 0..60 {
        let rng = &mut Rng::new(seed);
        let model = match seed % 3 {
            0 => tree_of_pairs(rng, 6, false),
            1 => tree_of_pairs(rng, 6, true),
            _ => planar_chain(rng, 5),
        };
        let mut sim = Simulation::new(model);
        let (q, v) = (random_positions(rng, sim.model()), random_rates(rng, sim.model()));
        let moved = sim.set_joint_positions(&q).unwrap();
        assert_close(moved, 0.0, Tolerance::because("a tree has no loops", 1e-12));
        sim.set_joint_rates(&v).unwrap();
        // Six joints of up to a metre, rates of 2 rad/s.
        assert_same_positions(&sim, &q, &sim_positions(sim.model(), sim.state()), 1e-12);
        for (x, y) in v.iter().zip(sim.joint_rates()) {
            assert_close(*x, y, Tolerance::because("rounding of a chain of frames", 1e-11));
        }
        // Tree joints are closed by construction.
        sim.evaluate().unwrap();
        assert!(sim.step(1e-4).unwrap().position_error < 1e-11, "seed {seed}");
    }
}

/// Positions of a state by a simulation of its own.
fn sim_positions(model: &std::sync::Arc<cardan::Model>, state: &cardan::State) -> Vec<f64> {
    let mut sim = Simulation::new(model.clone());
    sim.restore(state).unwrap();
    sim.joint_positions()
}

#[test]
fn the_joint_order_has_floating_bodies_first_and_then_joints_by_their_ids() {
    let rng = &mut Rng::new(7);
    let model = tree_of_pairs(rng, 9, true);
    let order = model.joint_order();
    let (mut q, mut v, mut last) = (0, 0, None);
    for entry in order.entries() {
        assert_eq!((entry.positions.start, entry.rates.start), (q, v));
        (q, v) = (entry.positions.end, entry.rates.end);
        let sizes = (entry.positions.len(), entry.rates.len());
        match entry.part {
            OrderedPart::Floating(_) => {
                assert!(last.is_none(), "a floating body after a joint");
                assert_eq!(sizes, (7, 6));
            }
            OrderedPart::Joint(id) => {
                assert!(last < Some(id.index()));
                last = Some(id.index());
                let kind = model.joint(id).unwrap().kind;
                let rates = 6 - kind.rows();
                assert_eq!(sizes, (rates + usize::from(kind == JointKind::Spherical), rates));
            }
        }
    }
    assert_eq!((q, v), (order.position_count(), order.rate_count()));
}

#[test]
fn rates_are_the_rates_of_positions() {
    for seed in 0..20 {
        let rng = &mut Rng::new(100 + seed);
        let model = if seed % 2 == 0 { tree_of_pairs(rng, 5, true) } else { planar_chain(rng, 4) };
        let mut sim = posed(rng, model);
        let (before, rates) = (sim.joint_positions(), sim.joint_rates());
        let h = 1e-5;
        sim.step(h).unwrap();
        let (after, rates_after) = (sim.joint_positions(), sim.joint_rates());
        for entry in sim.joint_order().entries() {
            let plain = entry.positions.len() == entry.rates.len();
            for k in 0..if plain { entry.rates.len() } else { 0 } {
                let (p, r) = (entry.positions.start + k, entry.rates.start + k);
                let mean = 0.5 * (rates[r] + rates_after[r]);
                let difference = (after[p] - before[p]) / h;
                // The trapezium rule leaves h² q⃛ / 12; rounding of positions over h 1e-10.
                let size = 1.0 + (rates_after[r] - rates[r]).abs() / h;
                assert_close(difference, mean, Tolerance::because("h and rounding over h", 1e-6 * size));
            }
        }
    }
}

#[test]
fn a_crank_that_is_set_takes_its_loop_along_and_keeps_its_value() {
    let parts = four_bar();
    let mut sim = Simulation::new(parts.build().unwrap());
    let model = sim.model().clone();
    let crank = model.find_joint("crank").unwrap();
    assert!(model.joint_order().joint(crank).is_some());
    for angle in [0.3, 2.0, 4.0, 7.0, -1.0] {
        sim.set_positions_of(crank, &[angle]).unwrap();
        assert_close(sim.angle(crank), angle, Tolerance::because("closed to rounding", 1e-11));
        sim.set_rates_of(crank, &[1.5]).unwrap();
        assert_close(sim.rate(crank, 0), 1.5, Tolerance::because("closed to rounding", 1e-11));
        let report = sim.step(1e-5).unwrap();
        assert!(report.position_error < 1e-12 && report.velocity_error < 1e-10, "{report:?}");
    }
    // Coupler and rocker are where two circles meet: knee at 0.2 (cos, sin) of the crank from the base.
    sim.set_positions_of(crank, &[0.0]).unwrap();
    let elbow = sim.joint(model.find_joint("elbow").unwrap()).unwrap().position;
    let to = |x: f64, y: f64| ((elbow.x - x).powi(2) + (elbow.y - y).powi(2)).sqrt();
    assert_close(to(0.0, 0.2), 0.5, Tolerance::because("closed to rounding", 1e-12));
    assert_close(to(0.5, 0.0), 0.4, Tolerance::because("closed to rounding", 1e-12));
}

#[test]
fn a_crank_beyond_its_reach_is_refused_by_name_and_nothing_moves() {
    // The rocker as input: it cannot turn all round.
    let parts = four_bar();
    let mut sim = Simulation::new(parts.build().unwrap());
    let model = sim.model().clone();
    let stuck = ["rocker", "elbow"].into_iter().map(|name| model.find_joint(name).unwrap());
    let stuck = stuck.filter(|joint| model.joint_order().joint(*joint).is_some());
    let mut refused = 0;
    for joint in stuck {
        let before = sim.state().clone();
        match sim.set_positions_of(joint, &[3.0]) {
            Err(CommandError::OutOfReach { joint: name, wanted, .. }) => {
                assert_eq!((name.as_str(), wanted), (model.joint(joint).unwrap().name.as_str(), 3.0));
                assert_eq!(*sim.state(), before);
                refused += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(refused > 0);
}

#[test]
fn positions_of_a_random_loop_come_back_where_they_were_read() {
    let mut tried = 0;
    for seed in 0..40 {
        let rng = &mut Rng::new(300 + seed);
        let parts = closed_loops(rng, 5, 2, MotionSpace::Rigid, seed % 2 == 0);
        let mut sim = Simulation::new(parts.build().unwrap());
        if sim.assemble().is_err() {
            continue;
        }
        let (q, v) = (sim.joint_positions(), sim.joint_rates());
        let hash = sim.state().coordinates().to_vec();
        let moved = sim.set_joint_positions(&q).unwrap();
        // What a loop that is closed to rounding moves; near singular poses more.
        assert_close(moved, 0.0, Tolerance::because("closed to rounding", 1e-8));
        let changed = sim.set_joint_rates(&v).unwrap();
        assert_close(changed, 0.0, Tolerance::because("consistent to rounding", 1e-6));
        for (x, y) in hash.iter().zip(sim.state().coordinates()) {
            assert_close(*x, *y, Tolerance::because("closed to rounding", 1e-8));
        }
        tried += 1;
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn driven_coordinates_are_set_by_their_law_alone() {
    let mut parts = four_bar();
    let body = parts.add_body(cardan::Body { pos: [0.0, 2.0, 0.0].into(), ..cardan::Body::planar(1.0, 0.1) });
    let driven =
        parts.add_joint(
            Joint::revolute(cardan::End::Ground, body, [0.0, 2.5, 0.0], [0.0, 0.0, 1.0])
                .named("driven")
                .driven(0, DriveMode::Position, 0.25),
        );
    let mut sim = Simulation::new(parts.build().unwrap());
    sim.assemble().unwrap();
    let entry = sim.joint_order().joint(driven).unwrap().clone();
    assert!(entry.driven[0]);
    let error = sim.set_positions_of(driven, &[1.0]).unwrap_err();
    assert_eq!(error, CommandError::Driven { joint: "driven".into(), coordinate: 0 });
    let mut q = sim.joint_positions();
    q[entry.positions.start] = 1.0;
    sim.set_joint_positions(&q).unwrap();
    assert_close(sim.angle(driven), 0.25, Tolerance::because("the law holds it", 1e-12));
}
