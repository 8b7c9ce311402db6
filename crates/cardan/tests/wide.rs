//! Wide registers (`cardan_solve::spatial::wide`) against one number at a time: the same bits in everything that comes out.

use cardan::{Integrator, Settings, Simulation};
use cardan_solve::spatial::wide::Wide;
use cardan_testkit::{Parts, Rng, World, closed_loops, closed_tree};

/// Accelerations and loads where it starts, then coordinates and velocities step by step, and the certificate; or what went wrong.
fn run(parts: &Parts, integrator: Integrator) -> Result<Vec<u64>, String> {
    let model = parts.build().map_err(|error| error.to_string())?;
    let settings = Settings { integrator, ..Settings::default() };
    let mut sim = Simulation::with_settings(model, settings).map_err(|error| error.to_string())?;
    sim.assemble().map_err(|error| error.to_string())?;
    let mut bits = Vec::new();
    {
        let answer = sim.accelerations().map_err(|error| error.to_string())?;
        bits.extend(answer.values().iter().map(|x| x.to_bits()));
        for load in answer.joint_loads() {
            let (f, t) = (load.wrench.force, load.wrench.torque);
            bits.extend([f.x, f.y, f.z, t.x, t.y, t.z].map(f64::to_bits));
        }
    }
    for _ in 0..4 {
        sim.step(1e-3).map_err(|error| error.to_string())?;
        bits.push(sim.state_hash());
    }
    let certificate = sim.certificate();
    bits.push(certificate.max_position_error.to_bits());
    bits.push(certificate.max_equation_residual.to_bits());
    Ok(bits)
}

#[test]
fn wide_registers_do_not_change_a_bit_of_any_mechanism() {
    let mut went_well = 0;
    for seed in 0..160 {
        let rng = &mut Rng::new(seed);
        let (n, world, floating) = (1 + rng.below(12), World::Space, rng.below(3) == 0);
        let more = rng.below(4);
        let parts = match seed % 2 {
            0 => closed_tree(rng, n, world, floating),
            _ => closed_loops(rng, n, more, world, floating),
        };
        for integrator in [Integrator::SemiImplicitEuler, Integrator::Rk4] {
            Wide::forbid(true);
            let scalar = run(&parts, integrator);
            Wide::forbid(false);
            let wide = run(&parts, integrator);
            assert_eq!(scalar, wide, "seed {seed}, {integrator:?}");
            went_well += usize::from(wide.is_ok());
        }
    }
    assert!(went_well > 200, "{went_well}");
}
