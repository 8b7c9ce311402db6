//! Bodies that are more than rigid: every joint on every kind, closed forms, twins made of constraints, laws of conservation.
#![allow(clippy::disallowed_methods)] // no bits are promised here

mod closed_forms;
mod refusals;
mod twins;

use crate::jacobians::check;
use cardan::{BodyKind, JointKind, Simulation};
use cardan_testkit::{GENERAL, Rng, random_general_pair};

const PARTNERS: [Option<BodyKind>; 5] = [
    None,
    Some(BodyKind::Rigid),
    Some(BodyKind::Planar),
    Some(BodyKind::Particle),
    Some(BodyKind::PlanarParticle),
];

#[test]
fn every_joint_on_every_general_body_matches_finite_differences() {
    let mut pairs = 0;
    for (k, name) in GENERAL.into_iter().enumerate() {
        for joint in JointKind::ALL {
            for (p, partner) in PARTNERS.into_iter().enumerate() {
                for is_a in [true, false] {
                    let seed = (k * 100 + p * 10) as u64 + u64::from(is_a);
                    let what =
                        format!("{joint} on {name} and {partner:?}, the former a: {is_a}, seed {seed}");
                    let made = random_general_pair(&mut Rng::new(seed), joint, (name, is_a), partner, false);
                    let Some(made) = made else { continue };
                    check(made.expect(&what), &what);
                    pairs += 1;
                }
            }
        }
    }
    println!("{pairs} pairs");
    // Nine bodies, two of them points, with five partners, two of them points, either way round: 42 for a kind of joint that needs both frames.
    assert!(pairs >= 660, "{pairs} pairs");
}

/// Energy of a closed pair over 0.064 s: what drifts is the truncation of RK4, a few 1e-4 of the energy with steps of 4 ms, and at least sixty times
/// less with a quarter of the step (256 times where the fourth order has set in), unless that is rounding.
#[test]
fn every_joint_on_every_general_body_conserves_energy() {
    let drift = |sim: &mut Simulation, steps: u32, what: &str| {
        let start = sim.energy().mechanical();
        let mut worst = 0.0_f64;
        for i in 1..=steps {
            sim.step(0.064 / f64::from(steps)).unwrap_or_else(|error| panic!("{what}: {error}"));
            if i % (steps / 16) == 0 {
                worst = worst.max((sim.energy().mechanical() - start).abs());
            }
        }
        worst
    };
    let mut pairs = 0;
    for (k, name) in GENERAL.into_iter().enumerate() {
        for joint in JointKind::ALL {
            for (p, partner) in PARTNERS[..2].iter().enumerate() {
                let seed = (k * 100 + p * 10 + 3) as u64;
                let what = format!("{joint} on {name} and {partner:?}, seed {seed}");
                let made = random_general_pair(&mut Rng::new(seed), joint, (name, p == 0), *partner, true);
                let Some(made) = made else { continue };
                let mut sim = Simulation::new(made.expect(&what));
                // What the world holds may be out of reach of the rods and circles that were drawn.
                let rod = matches!(joint, JointKind::Distance { .. } | JointKind::BeadOnCircle { .. });
                let may_miss = rod || name == "bead";
                match sim.assemble() {
                    Err(_) if may_miss && partner.is_none() => continue,
                    other => other.unwrap_or_else(|error| panic!("{what}: {error}")),
                }
                let energy = sim.energy();
                let scale = energy.kinetic.abs() + energy.potential.abs() + 1.0;
                // A rod drawn far off has torn what deforms out of all shape.
                if may_miss && scale > 300.0 {
                    continue;
                }
                let start = sim.state().clone();
                let coarse = drift(&mut sim, 16, &what);
                sim.restore(&start).unwrap();
                let fine = drift(&mut sim, 64, &what);
                println!("{what}: {coarse:.1e} {fine:.1e} of {scale:.1e}");
                assert!(coarse < 1e-3 * scale, "{what}: {coarse:e} of {scale}");
                assert!(fine < coarse / 60.0 || fine < 1e-11 * scale, "{what}: {coarse:e} to {fine:e}");
                pairs += 1;
            }
        }
    }
    // All that fit, but for few of those that may miss.
    println!("{pairs} pairs");
    assert!(pairs >= 165, "{pairs} pairs");
}
