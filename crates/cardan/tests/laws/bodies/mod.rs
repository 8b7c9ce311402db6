//! General bodies: every joint on every kind, closed forms, twins made of constraints, conservation
//! laws.
#![allow(clippy::disallowed_methods)] // no bits are promised here

mod closed_forms;
mod contacts;
mod refusals;
mod shafts;
mod stiff;
mod twins;

use crate::joints::jacobians::check;
use cardan::{BodyKind, JointKind, Simulation};
use cardan_testkit::{GENERAL, Rng, fits, is_point, random_general_couple, random_general_pair, random_pair};

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
    // Eleven bodies, three of them points, with five partners, two of them points, in both orders.
    let points = GENERAL.iter().filter(|name| is_point(name)).count();
    let (frames, all) = (GENERAL.len() - points, GENERAL.len());
    let wanted = JointKind::ALL.map(|kind| match kind.needs_orientation() {
        (false, false) => 10 * all,
        (true, false) | (false, true) => 5 * frames + 3 * all,
        (true, true) => 6 * frames,
    });
    assert_eq!(pairs, wanted.iter().sum::<usize>());
}

/// Every two general bodies, in one of the two orders.
#[test]
fn every_joint_between_general_bodies_matches_finite_differences() {
    let mut pairs = 0;
    for joint in JointKind::ALL {
        for (k, first) in GENERAL.into_iter().enumerate() {
            for (l, second) in GENERAL.into_iter().enumerate().skip(k) {
                let names = if (k + l) % 2 == 0 { [first, second] } else { [second, first] };
                let seed = (k * 100 + l) as u64;
                let what = format!("{joint} on {names:?}, seed {seed}");
                let made = random_general_couple(&mut Rng::new(seed), joint, names, false);
                let Some(made) = made else { continue };
                check(made.expect(&what), &what);
                pairs += 1;
            }
        }
    }
    println!("{pairs} pairs");
    // 66 of all, 36 of those with frames, for fifteen kinds of joints: those that need both frames
    // have 36.
    assert!(pairs >= 36 * JointKind::ALL.len(), "{pairs} pairs");
}

/// The largest change of the energy over 0.064 s, in `steps` steps.
fn drift(sim: &mut Simulation, steps: u32, what: &str) -> f64 {
    let start = sim.energy().mechanical();
    let mut worst = 0.0_f64;
    for i in 1..=steps {
        sim.step(0.064 / f64::from(steps)).unwrap_or_else(|error| panic!("{what}: {error}"));
        if i % (steps / 16) == 0 {
            worst = worst.max((sim.energy().mechanical() - start).abs());
        }
    }
    worst
}

fn conserves(sim: &mut Simulation, (scale, most, little): (f64, f64, f64), what: &str) {
    let start = sim.state().clone();
    let before = sim.steps();
    let coarse = drift(sim, 16, what);
    // Steps that a body is too stiff for are divided: a quarter is one of the parts.
    let taken = u32::try_from(sim.steps() - before).unwrap();
    sim.restore(&start).unwrap();
    let fine = drift(sim, 4 * taken, what);
    println!("{what}: {coarse:.1e} {fine:.1e} of {scale:.1e}");
    assert!(coarse < most * scale, "{what}: {coarse:e} of {scale}");
    assert!(fine < coarse / 60.0 || fine < little * scale, "{what}: {coarse:e} to {fine:e}");
}

fn scale_of(sim: &mut Simulation) -> f64 {
    let energy = sim.energy();
    energy.kinetic.abs() + energy.potential.abs() + 1.0
}

/// Energy of closed pairs of plain bodies, assembled from random poses; where assembly is
/// impossible (a planar body and a joint out of its plane), other poses are drawn.
#[test]
fn every_joint_on_every_pair_of_plain_bodies_conserves_energy() {
    let kinds = BodyKind::ALL.map(Some).into_iter().chain([None]).collect::<Vec<_>>();
    let (mut pairs, mut missed) = (0, Vec::new());
    for joint in JointKind::ALL {
        for (&a, &b) in kinds.iter().flat_map(|a| kinds.iter().map(move |b| (a, b))) {
            if !fits(joint, a, b) {
                continue;
            }
            let mut tried = (0..12).filter_map(|seed| {
                let what = format!("{joint} on {a:?} and {b:?}, seed {seed}");
                let model = random_pair(&mut Rng::new(seed), joint, a, b).expect(&what);
                let mut sim = Simulation::new(model);
                sim.assemble().ok().map(|_| (sim, what))
            });
            let Some((mut sim, what)) = tried.next() else {
                missed.push(format!("{joint} on {a:?} and {b:?}"));
                continue;
            };
            let scale = scale_of(&mut sim);
            conserves(&mut sim, (scale, 1e-3, 1e-11), &what);
            pairs += 1;
        }
    }
    println!("{pairs} pairs; could not be brought together: {missed:?}");
    assert!(missed.is_empty(), "{missed:?}");
}

/// Energy of closed pairs of two general bodies.
#[test]
fn every_joint_between_general_bodies_conserves_energy() {
    let mut pairs = 0;
    for joint in JointKind::ALL {
        for (k, first) in GENERAL.into_iter().enumerate() {
            for (l, second) in GENERAL.into_iter().enumerate().skip(k) {
                // Two bodies with a base fixed in the world leave too few freedoms for most joints.
                let held = |name: &str| matches!(name, "shaft" | "two-angles/1" | "formula/1");
                if held(first) && held(second) || joint.size().is_some() {
                    continue;
                }
                let seed = (k * 100 + l) as u64;
                let names = if (k + l) % 2 == 0 { [first, second] } else { [second, first] };
                let what = format!("{joint} on {names:?}, seed {seed}");
                let made = random_general_couple(&mut Rng::new(seed), joint, names, true);
                let Some(made) = made else { continue };
                let mut sim = Simulation::new(made.expect(&what));
                sim.assemble().unwrap_or_else(|error| panic!("{what}: {error}"));
                let scale = scale_of(&mut sim);
                // Two deformable bodies, both bent at the start, have fast modes; the errors of
                // others are so small that their ratio is random.
                conserves(&mut sim, (scale, 1e-2, 1e-7), &what);
                pairs += 1;
            }
        }
    }
    println!("{pairs} pairs");
    assert!(pairs >= 300, "{pairs} pairs");
}

/// Energy of a closed pair over 0.064 s: the drift is the truncation of RK4, some 1e-4 of the
/// energy with steps of 4 ms, and at least sixty times less with a quarter of the step (256 times
/// at fourth order), unless that is rounding.
#[test]
fn every_joint_on_every_general_body_conserves_energy() {
    let mut pairs = 0;
    for (k, name) in GENERAL.into_iter().enumerate() {
        for joint in JointKind::ALL {
            for (p, partner) in PARTNERS[..2].iter().enumerate() {
                let seed = (k * 100 + p * 10 + 3) as u64;
                let what = format!("{joint} on {name} and {partner:?}, seed {seed}");
                let made = random_general_pair(&mut Rng::new(seed), joint, (name, p == 0), *partner, true);
                let Some(made) = made else { continue };
                let mut sim = Simulation::new(made.expect(&what));
                // A body with a fixed base may be out of reach of the rods and circles drawn.
                let rod = matches!(joint, JointKind::Distance { .. } | JointKind::BeadOnCircle { .. });
                let may_miss = rod || is_point(name);
                match sim.assemble() {
                    Err(_) if may_miss && partner.is_none() => continue,
                    other => other.unwrap_or_else(|error| panic!("{what}: {error}")),
                }
                let scale = scale_of(&mut sim);
                // A rod drawn far away has deformed the body beyond recognition.
                if may_miss && scale > 300.0 {
                    continue;
                }
                conserves(&mut sim, (scale, 1e-3, 1e-11), &what);
                pairs += 1;
            }
        }
    }
    // All pairs that fit, except for some of those that may be out of reach.
    println!("{pairs} pairs");
    assert!(pairs >= 195, "{pairs} pairs");
}
