//! A force of your own: a charge in a magnetic field, f = q v × B. It does no work, so the speed stays.
//!
//! `cargo run --release -p cardan --example own_force`

use cardan::math::{Vec3, vec3};
use cardan::{
    Body, BodyId, End, Force, ForceLaw, ForceOutput, Frame, FrameMotion, Gravity, ModelBuilder, Simulation,
};

#[derive(Debug)]
struct Magnetic {
    charge: f64, // C
    field: Vec3, // T
}

impl ForceLaw for Magnetic {
    fn apply(&self, _time: f64, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        out.wrench[0].force = frames[0].vel.cross(self.field) * self.charge;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut parts = ModelBuilder::new(Gravity::ZERO);
    let ion = parts.add_body(Body { vel: vec3(2.0, 0.0, 0.3), ..Body::particle(0.5) });
    let law = Magnetic { charge: 1.0, field: vec3(0.0, 0.0, 4.0) };
    parts.add_force(Force::user(vec![(End::Body(ion), Frame::default())], law).named("magnet"));
    let mut sim = Simulation::new(parts.build()?);
    let start = sim.energy().kinetic;

    // One turn of the helix takes 2π m/(q B), whatever the speed.
    let period = 2.0 * core::f64::consts::PI * 0.5 / (1.0 * 4.0);
    sim.run(period, 1e-3)?;
    let end = sim.kinematics().body(BodyId::of_index(0)).position;
    let drift = sim.energy().kinetic - start;
    println!(
        "after one turn at ({:.9}, {:.9}, {:.9}) m; energy drifted by {drift:.1e} J",
        end.x, end.y, end.z
    );
    println!("work done by the field: {:.1e} J", sim.energy().work);
    assert!((end - vec3(0.0, 0.0, 0.3 * period)).norm() < 1e-8);
    Ok(())
}

#[test]
fn the_example_runs() {
    main().unwrap();
}
