//! Generated scenes read back, have the counts they promise, and satisfy their joints.

use cardan::Simulation;
use cardan_scene::{Document, Family, GenerateError, MOST_BODIES, Scene};

/// A scene with about `n` bodies. Those with loops go to the dense solver: not more than 60.
fn text(family: Family, n: usize, seed: u64) -> String {
    let size = match family {
        Family::Humanoid => 30,
        Family::NFourBar => n.min(60) / 2,
        Family::ClosedChain => n.min(60),
        Family::Net => n.min(60).isqrt(),
        _ => n,
    };
    family.generate(size, seed).expect("a scene")
}

fn simulation(text: &str) -> Simulation {
    let document = Document::parse("generated", text).unwrap_or_else(|e| panic!("{}", e.render()));
    let scene = Scene::from_document(&document).unwrap_or_else(|e| panic!("{}", e.render()));
    Simulation::new(scene.to_model(&document).unwrap_or_else(|e| panic!("{}", e.render())))
}

#[test]
fn every_family_has_the_bodies_joints_and_rows_it_promises() {
    for n in [1, 2, 3, 50, 127] {
        for (family, rows_per_joint) in [
            (Family::Chain, 5),
            (Family::SphericalChain, 3),
            (Family::Star, 5),
            (Family::Comb, 5),
            (Family::BinaryTree, 5),
        ] {
            let counts = simulation(&text(family, n, 3)).model().counts();
            let seen = (counts.bodies, counts.joints, counts.rows);
            assert_eq!(seen, (n, n, rows_per_joint * n), "{} of {n}", family.name());
        }
    }
    let counts = simulation(&text(Family::Humanoid, 30, 3)).model().counts();
    assert_eq!((counts.bodies, counts.joints), (30, 29), "a humanoid floats");
}

#[test]
fn families_with_loops_have_the_bodies_joints_and_rows_they_promise() {
    let counts = |family: Family, n: usize| {
        let counts = simulation(&family.generate(n, 3).expect("a scene")).model().counts();
        assert_eq!(counts.bodies, family.bodies(n), "{}", family.name());
        (counts.bodies, counts.joints, counts.rows)
    };
    for n in [1, 2, 10, 40] {
        assert_eq!(counts(Family::NFourBar, n), (2 * n + 1, 3 * n + 1, 5 * (3 * n + 1)));
    }
    for n in [2, 3, 10] {
        let (columns, rods) = (n * n, n * (n - 1));
        assert_eq!(counts(Family::Net, n), (n * n, columns + rods, 3 * columns + rods));
    }
    // Tasora's table 2: the closed chains of 20 and 40 pieces have 120 + 60 and 240 + 120 variables.
    for n in [3, 20, 40] {
        assert_eq!(counts(Family::ClosedChain, n), (n, n, 3 * n));
    }
}

/// The whole point of a row of four-bars: one freedom, three redundant rows in each loop.
#[test]
fn a_row_of_four_bars_has_one_freedom() {
    let mut sim = simulation(&Family::NFourBar.generate(5, 1).expect("a scene"));
    let instant = sim.evaluate().expect("a solvable state");
    let (rows, rank) = (5 * 16, instant.rank());
    assert_eq!((6 * 11 - rank, rows - rank), (1, 15));
}

#[test]
fn shapes_of_trees_are_what_they_are_called() {
    let parents = |family| -> Vec<Option<usize>> {
        let sim = simulation(&text(family, 9, 1));
        sim.model().joints().iter().map(|joint| Some(joint.body_a()?.index())).collect()
    };
    let of = |list: [usize; 8]| -> Vec<Option<usize>> {
        std::iter::once(None).chain(list.into_iter().map(Some)).collect()
    };
    assert_eq!(parents(Family::Chain), of([0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(parents(Family::Star), of([0; 8]));
    assert_eq!(parents(Family::Comb), of([0, 0, 2, 2, 4, 4, 6, 6]));
    assert_eq!(parents(Family::BinaryTree), of([0, 0, 1, 1, 2, 2, 3, 3]));
}

/// Positions reach some metres and speeds some metres per second at this size: tens of roundings of them.
#[test]
fn poses_and_velocities_satisfy_the_joints_as_written() {
    for family in Family::ALL {
        for seed in [0, 1, 2, u64::MAX] {
            let mut sim = simulation(&text(family, 200, seed));
            let instant = sim.evaluate().expect("a solvable state");
            let worst = |errors: &[f64]| errors.iter().fold(0.0, |w: f64, e| w.max(e.abs()));
            let (gap, rate) = (worst(instant.position_errors()), worst(instant.velocity_errors()));
            assert!(gap < 1e-14, "{} with seed {seed}: open by {gap:e}", family.name());
            assert!(rate < 1e-13, "{} with seed {seed}: opening by {rate:e}", family.name());
            assert!(instant.equation_residual() < 1e-11);
        }
    }
}

#[test]
fn nothing_is_trivially_at_rest() {
    for family in Family::ALL {
        let sim = simulation(&text(family, 40, 5));
        for body in sim.state().velocities().chunks(6) {
            assert!(body.iter().any(|v| v.abs() > 1e-3), "{}: a body at rest", family.name());
        }
    }
}

#[test]
fn the_seed_decides_and_nothing_else() {
    for family in Family::ALL {
        assert_eq!(text(family, 30, 7), text(family, 30, 7));
        assert_eq!(text(family, 30, 7) != text(family, 30, 8), family.is_random(), "{}", family.name());
    }
}

/// FNV-1a of the texts: the same on every machine.
#[test]
fn a_seed_means_the_same_scene_everywhere() {
    let hash = |text: &str| {
        text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, byte| {
            (h ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    };
    let hashes = Family::ALL.map(|family| format!("{:016x}", hash(&text(family, 60, 1))));
    assert_eq!(hashes, GOLDEN, "the texts of the families have changed");
}

const GOLDEN: [&str; 10] = [
    "dd8ae7843e897c21",
    "8f9e4a4689243150",
    "f00e5b089d87a4f9",
    "85dd8a34a4b8c4f8",
    "5cb19bc41a101ab8",
    "2f0fe7e28cc88d53",
    "e1fe9cb3d2c63fcc",
    "8ea7c74b447a3669",
    "94c8c4237b7b14b3",
    "4ea026f81c06fc1a",
];

/// The typed description writes and reads its numbers bit by bit, so the text must too.
#[test]
fn numbers_read_back_bit_by_bit() {
    let text = text(Family::RandomTree, 100, 11);
    let scene = Scene::from_document(&Document::parse("generated", &text).unwrap()).unwrap();
    let again = scene.to_toml().unwrap();
    let again = Scene::from_document(&Document::parse("again", &again).unwrap()).unwrap();
    assert_eq!(scene, again);
}

#[test]
fn long_chains_stay_small() {
    let bytes = text(Family::Chain, 2000, 1).len();
    assert!(bytes < 2000 * 500, "{} bytes per body", bytes / 2000);
}

#[test]
fn scenes_that_cannot_be_generated_are_refused_with_a_reason() {
    let misspelt = "chian".parse::<Family>().unwrap_err();
    assert!(misspelt.to_string().contains("did you mean `chain`?"), "{misspelt}");
    let strange = "xyz".parse::<Family>().unwrap_err();
    assert!(strange.to_string().contains("binary-tree"), "{strange}");
    assert_eq!(Family::Chain.generate(0, 1), Err(GenerateError::NoBodies { family: "chain" }));
    assert!(matches!(Family::Humanoid.generate(4, 1), Err(GenerateError::FixedSize { bodies: 30, .. })));
    let small = Family::ClosedChain.generate(2, 1).unwrap_err();
    assert_eq!(small.to_string(), "`closed-chain` needs at least 3 bodies; say how many with --n");
    assert!(matches!(Family::NFourBar.generate(0, 1), Err(GenerateError::TooFew { least: 1, .. })));
    assert!(matches!(Family::Net.generate(usize::MAX, 1), Err(GenerateError::TooMany { .. })));
    assert!(matches!(Family::NFourBar.generate(usize::MAX, 1), Err(GenerateError::TooMany { .. })));
    let many = MOST_BODIES + 1;
    assert_eq!(Family::Star.generate(many, 1), Err(GenerateError::TooMany { asked: many }));
}
