//! A constraint of your own: a point kept on a paraboloid, a marble in a bowl.
//!
//!   C = (p_z − k (p_x² + p_y²)/2),   g = (−k p_x, −k p_y, 1),   rest = ġ·ṗ = −k (ṗ_x² + ṗ_y²)
//!
//! `cargo run --release -p cardan --example own_constraint`

use cardan::math::vec3;
use cardan::{
    Body, Constraint, ConstraintId, ConstraintRows, End, Frame, FrameMotion, Gravity, ModelBuilder,
    Simulation, UserConstraint,
};
use std::sync::Arc;

#[derive(Debug)]
struct Bowl {
    curvature: f64, // 1/m
}

impl Constraint for Bowl {
    fn rows(&self) -> usize {
        1
    }
    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (p, v, k) = (frames[0].pos, frames[0].vel, self.curvature);
        out.err[0] = p.z - 0.5 * k * (p.x * p.x + p.y * p.y);
        out.gradient(0, 0).force = vec3(-k * p.x, -k * p.y, 1.0);
        out.jac_dot_v[0] = -k * (v.x * v.x + v.y * v.y);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let marble =
        parts.add_body(Body { pos: vec3(0.5, 0.0, 0.25), vel: vec3(0.0, 1.5, 0.0), ..Body::particle(0.1) });
    let frames = vec![(End::Body(marble), Frame::default())];
    parts.add_constraint(UserConstraint {
        name: "bowl".into(),
        frames,
        rule: Arc::new(Bowl { curvature: 2.0 }),
    });
    let mut sim = Simulation::new(parts.build()?);
    sim.assemble()?;
    let start = sim.energy().mechanical();
    let steps = sim.run(10.0 /* s */, 1e-3)?;

    let (gap, drift) = (sim.certificate().max_position_error, sim.energy().mechanical() - start);
    let push = sim.evaluate()?.constraint_multipliers(ConstraintId::of_index(0))[0];
    println!("{steps} steps; the marble left the bowl by at most {gap:.1e} m");
    println!("energy drifted by {drift:.1e} J of {start:.3} J; the bowl pushes with λ = {push:.3} N");
    assert!(gap < 1e-14 && drift.abs() < 1e-9);
    Ok(())
}

#[test]
fn the_example_runs() {
    main().unwrap();
}
