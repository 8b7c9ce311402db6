//! A body of your own: a double pendulum by its two angles, q(u) and nothing else, with a rod snapped on.
//!
//!   x₁ = l (sin u₁, −cos u₁)        x₂ = x₁ + l (sin u₂, −cos u₂)
//!
//! Mass matrix, velocity-dependent forces and the rows of the joint all follow from `place`, exactly, by automatic differentiation.
//!
//! `cargo run --release -p cardan --example own_body`

use cardan::body::{Number, Parametric, Piece, Pose};
use cardan::math::vec3;
use cardan::{Body, End, Frame, Gravity, Joint, JointKind, ModelBuilder, Simulation};

#[derive(Debug)]
struct DoublePendulum {
    length: f64, // m
    mass: f64,   // kg, at the end of each rod
}

impl Parametric for DoublePendulum {
    fn coordinates(&self) -> usize {
        2
    }
    fn pieces(&self) -> Vec<Piece> {
        vec![Piece::point(self.mass); 2]
    }
    fn place<N: Number>(&self, u: &[N], out: &mut [Pose<N>]) {
        let (mut x, mut y) = (N::constant(0.0), N::constant(0.0));
        for (angle, out) in u.iter().zip(out) {
            (x, y) = (x + angle.sin() * self.length, y - angle.cos() * self.length);
            *out = Pose::at([x, y, N::constant(0.0)]);
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -9.81, 0.0));
    let rule = DoublePendulum { length: 1.0, mass: 0.5 };
    let swing = Body::parametric(rule).starting(&[1.0, 0.2], &[0.0, 0.0]);
    let (tip, ..) = swing.piece_at_start(1).ok_or("there is no second piece")?;
    let swing = parts.body(swing);
    // A third mass hangs on the second by a rigid rod, as a constraint: a hybrid.
    let bob = parts.body(Body { pos: tip - vec3(0.0, 0.8, 0.0), ..Body::particle(0.3) });
    let (second, here) = (End::Piece(swing, 1), Frame::default());
    parts.joint(Joint::between(JointKind::Distance { length: 0.8 }, second, here, bob, here));
    let mut sim = Simulation::new(parts.build()?);
    sim.assemble()?;
    let start = sim.energy().mechanical();
    let steps = sim.run(5.0 /* s */, 5e-4)?;

    let (gap, drift) = (sim.certificate().max_position_error, sim.energy().mechanical() - start);
    let pull = sim.evaluate()?.joint(0).parts.total().force.norm();
    println!("{steps} steps; the rod was off by at most {gap:.1e} m and pulls with {pull:.3} N");
    println!("energy drifted by {drift:.1e} J of {start:.3} J");
    assert!(gap < 1e-13 && drift.abs() < 1e-7);
    Ok(())
}

#[test]
fn the_example_runs() {
    main().unwrap();
}
