//! Every joint kind on every pair of body kinds, off the constraint: J and J̇v against finite
//! differences.

use cardan::math::Vec3;
use cardan::{
    BodyId, BodyKind, JointKind, Locks, Model, Settings, Simulation, SolverChoice, Stabilization, State,
};
use cardan_testkit::{Rng, fits, random_pair, slopes};

fn errors(sim: &mut Simulation, state: &State) -> (Vec<f64>, Vec<f64>) {
    sim.restore(state).unwrap();
    let now = sim.kinematics();
    (now.position_errors().to_vec(), now.velocity_errors().to_vec())
}

pub(crate) fn check(model: Model, what: &str) {
    let model = std::sync::Arc::new(model);
    let start = model.initial_state().clone();
    let mut sim = Simulation::new(model.clone());
    let now = sim.evaluate().unwrap();
    let system = now.system();
    let n = model.counts().coordinates;
    let rows = model.counts().rows;
    let rate = now.velocity_errors().to_vec();
    let mut jac = vec![vec![0.0; n]; rows];
    for link in system.graph().all_links() {
        for (end, block) in system.graph().ends(link).iter().enumerate() {
            let Some(block) = block else { continue };
            let columns = system.graph().block_range(*block);
            let values = system.jac(link, end);
            for (r, row) in system.graph().row_range(link).enumerate() {
                for (k, c) in columns.clone().enumerate() {
                    jac[row][c] += values[r * columns.len() + k];
                }
            }
        }
    }
    let bias = system.bias().to_vec();
    let settings =
        Settings { solver: SolverChoice::Dense, stabilization: Stabilization::None, ..Settings::default() };
    let mut other = Simulation::with_settings(model.clone(), settings).unwrap();

    // Ċ = J v: exact, no differences needed.
    for r in 0..rows {
        let product: f64 = (0..n).map(|c| jac[r][c] * start.velocities()[c]).sum();
        assert!((product - rate[r]).abs() < 1e-12, "{what}: row {r}: J v = {product}, rate {}", rate[r]);
    }
    // ∂C/∂q by differences of fourth order along the manifold.
    for c in 0..n {
        let slope = slopes(|t| {
            let mut shift = vec![0.0; n];
            shift[c] = t;
            let mut state = start.clone();
            state.displace(&model, &shift);
            errors(&mut other, &state).0
        });
        for r in 0..rows {
            let (j, slope) = (jac[r][c], slope[r]);
            // Differences of fourth order: ε⁴ f⁽⁵⁾/30 + rounding/ε at ε = 2e-4, of rows with arms
            // of some metres.
            assert!(
                (slope - j).abs() < 2e-9 * (1.0 + j.abs()),
                "{what}: J[{r}][{c}] = {j}, differences {slope}"
            );
        }
    }
    // d(J v)/dt with v held: along the motion itself.
    let slope = slopes(|t| {
        let shift: Vec<f64> = start.velocities().iter().map(|v| t * v).collect();
        let mut state = start.clone();
        state.displace(&model, &shift);
        errors(&mut other, &state).1
    });
    for r in 0..rows {
        let (c, slope) = (bias[r], slope[r]);
        // As above for J v, with speeds of some m/s: one factor of the speed more.
        assert!((slope - c).abs() < 2e-8 * (1.0 + c.abs()), "{what}: J'v row {r} = {c}, differences {slope}");
    }
}

#[test]
fn every_joint_on_every_pair_of_bodies_matches_finite_differences() {
    let kinds = BodyKind::ALL.map(Some).into_iter().chain([None]).collect::<Vec<_>>();
    let mut pairs = 0;
    for joint in JointKind::ALL {
        for &a in &kinds {
            for &b in &kinds {
                if !fits(joint, a, b) {
                    continue;
                }
                for seed in 0..8 {
                    let mut rng = Rng::new(seed);
                    let what = format!("{joint} on {a:?} and {b:?}, seed {seed}");
                    check(random_pair(&mut rng, joint, a, b).expect(&what), &what);
                }
                pairs += 1;
            }
        }
    }
    // 24 pairs of ends without orientation needs; 14 where a needs a frame, 8 where both do, 5 of
    // them not all planar.
    let all = JointKind::ALL.map(|kind| match (kind.needs_orientation(), kind.planar_rows() > 0) {
        ((false, false), true) => 24,
        ((true, false), true) => 14,
        ((true, true), true) => 8,
        ((true, true), false) => 5,
        other => panic!("{kind}: {other:?} was not counted"),
    });
    assert_eq!(pairs, all.iter().sum::<i32>());
}

/// Every mask of six, also those that other kinds have.
#[test]
fn every_lock_on_every_pair_of_bodies_matches_finite_differences() {
    let kinds = BodyKind::ALL.map(Some).into_iter().chain([None]).collect::<Vec<_>>();
    let mut pairs = 0;
    for locks in Locks::all() {
        let joint = JointKind::Lock { locks };
        for (&a, &b) in kinds.iter().flat_map(|a| kinds.iter().map(move |b| (a, b))) {
            if !fits(joint, a, b) {
                continue;
            }
            for seed in 0..2 {
                let mut rng = Rng::new(seed);
                let what = format!("{locks:?} on {a:?} and {b:?}, seed {seed}");
                check(random_pair(&mut rng, joint, a, b).expect(&what), &what);
            }
            pairs += 1;
        }
    }
    // 56 masks lock turns and so need 8 pairs with two frames, 3 of them planar; 7 need 14 pairs
    // with a frame on a, 5 of them planar. Of those with turns 6 lock no motion of the plane (turns
    // about x, y or both, with or without a shift along z), of those without turns 1.
    assert_eq!(pairs, 56 * 8 - 6 * 3 + 7 * 14 - 5);
}

#[test]
fn rows_on_a_are_minus_the_rows_on_b_carried_over() {
    // J_a = −J_b X also when the joint is open: a common rigid motion of both bodies does not
    // change C.
    for joint in JointKind::ALL.into_iter().chain(Locks::all().map(|locks| JointKind::Lock { locks })) {
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let rigid = Some(BodyKind::Rigid);
            let model = random_pair(&mut rng, joint, rigid, rigid).unwrap();
            let (v, omega) = (rng.vector(1.0), rng.vector(1.0));
            let mut sim = Simulation::new(model);
            let now = sim.evaluate().unwrap();
            let common = |i: usize| -> Vec<f64> {
                let point: Vec3 = v + omega.cross(now.body(BodyId::of_index(i)).position);
                [point.to_array(), omega.to_array()].concat()
            };
            let system = now.system();
            let link = system.graph().all_links().next().unwrap();
            for r in 0..system.graph().link_rows(link) {
                let part = |end: usize| -> f64 {
                    system.jac(link, end)[r * 6..r * 6 + 6].iter().zip(common(end)).map(|(j, x)| j * x).sum()
                };
                // Rounding of six products with arms of some metres.
                assert!((part(0) + part(1)).abs() < 1e-13, "{joint}, seed {seed}, row {r}");
            }
        }
    }
}
