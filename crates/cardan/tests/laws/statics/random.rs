//! Random mechanisms with loops, every body on a spring: an equilibrium exists, and the search
//! finds one.

use cardan::math::Vec3;
use cardan::{
    BodyId, End::Ground, EquilibriumKind, Force, Gravity, ModeKind, ModelBuilder, Simulation, Spring,
    Stability,
};
use cardan_testkit::{MotionSpace, Rng, closed_loops};

#[test]
fn random_loops_on_springs_come_to_rest_and_their_modes_agree_with_their_stiffness() {
    let mut refused = Vec::new();
    let (mut stable, mut loops, mut most) = (0, 0, 0);
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let world = [
            MotionSpace::Space,
            MotionSpace::Rigid,
            MotionSpace::Flat,
            MotionSpace::Planar,
            MotionSpace::FlatRigid,
        ][seed as usize % 5];
        let (n, more) = (1 + rng.below(6), rng.below(3));
        let parts = closed_loops(&mut rng, n, more, world, false);
        let mut builder = ModelBuilder::new(Gravity(parts.gravity));
        for body in &parts.bodies {
            builder.add_body(body.clone());
        }
        for joint in &parts.joints {
            builder.add_joint(joint.clone());
        }
        for i in 0..n {
            let law = Spring { stiffness: 30.0, rest_length: 0.1, ..Spring::default() };
            let (place, point) = (rng.vector(1.0), rng.vector(0.2));
            let particle = !parts.bodies[i].kind.has_orientation();
            let point = if particle { Vec3::ZERO } else { point };
            builder.add_force(Force::spring(Ground, place, BodyId::of_index(i), point, law));
        }
        let Ok(model) = builder.build() else { continue };
        let mut sim = Simulation::new(model);
        if sim.assemble().is_err() {
            continue;
        }
        let before = sim.energy().potential;
        let rest = match sim.equilibrium(EquilibriumKind::Stable) {
            Ok(rest) => rest,
            Err(error) => {
                refused.push(format!("seed {seed}: {error}"));
                continue;
            }
        };
        // The search promises a residual of 1e-9, and an energy that falls up to its rounding.
        assert!(rest.residual < 1e-9, "seed {seed}: {}", rest.residual);
        assert!(rest.potential <= before + 1e-9 * before.abs(), "seed {seed}: energy went up");
        most = most.max(rest.iterations);
        let now = sim.evaluate().expect("solved");
        let largest = now.accelerations().iter().fold(0.0f64, |w, a| w.max(a.abs()));
        // Residuals of 1e-9 of loads, divided by masses and inertias of down to 1e-3 of the loads.
        assert!(largest < 1e-4, "seed {seed}: {largest:e} of {:e}", rest.residual);
        assert!(now.position_errors().iter().all(|e| e.abs() < 1e-11), "seed {seed}");
        let modes = sim.modes().expect("modes");
        let of = |kind: ModeKind| modes.modes.iter().filter(|m| m.kind == kind).count();
        assert_eq!(
            (of(ModeKind::Oscillating), of(ModeKind::Zero), of(ModeKind::Unstable)),
            (rest.stable, rest.neutral, rest.unstable),
            "seed {seed}"
        );
        stable += u32::from(rest.stability == Stability::Stable);
        loops += u32::from(more > 0);
    }
    println!("{stable} stable, {loops} with loops, at most {most} iterations; {refused:#?}");
    assert!(refused.is_empty(), "{refused:#?}");
    assert!(stable > 60 && loops > 40, "{stable} {loops}");
}
