//! A body of your own: a double pendulum by its two angles, q(u) and nothing else, with a rod snapped on.
//!
//!   x₁ = l (sin u₁, −cos u₁)        x₂ = x₁ + l (sin u₂, −cos u₂)
//!
//! Mass matrix, velocity-dependent forces and the rows of the joint all follow from `place`, exactly, by automatic differentiation.
//!
//! `cargo run --release -p own-body`

use cardan::body::{Number, Parametric, Piece, Pose};
use cardan::math::vec3;
use cardan::{Body, End, Frame, Gravity, Joint, JointId, JointKind, ModelBuilder, Simulation};

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

const G: f64 = 9.81;
const MASS: f64 = 0.5;
const BOB: f64 = 0.3;

/// What the rod pulls with when all are let go at rest and it hangs straight down: with s = (sin u₁, sin u₂), c = cos(u₁ − u₂) and K = [2 c; c 1],
/// T = m₃ g (1 − sᵀ K⁻¹ (2 s₁, s₂)) / (1 + sᵀ K⁻¹ s m₃ / m).
fn pull_at_release(u: [f64; 2]) -> f64 {
    let (s, c) = (u.map(f64::sin), f64::cos(u[0] - u[1]));
    let product = |y: [f64; 2]| (s[0] * (y[0] - c * y[1]) + s[1] * (2.0 * y[1] - c * y[0])) / (2.0 - c * c);
    BOB * G * (1.0 - product([2.0 * s[0], s[1]])) / (1.0 + product(s) * BOB / MASS)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, -G, 0.0));
    let angles = [1.0, 0.2];
    let rule = DoublePendulum { length: 1.0, mass: MASS };
    let swing = Body::parametric(rule).starting(&angles, &[0.0, 0.0]);
    let (tip, ..) = swing.piece_at_start(1).ok_or("there is no second piece")?;
    let swing = parts.add_body(swing);
    // A third mass hangs on the second by a rigid rod, as a constraint: a hybrid.
    let bob = parts.add_body(Body { pos: tip - vec3(0.0, 0.8, 0.0), ..Body::particle(BOB) });
    let (second, here) = (End::Piece(swing, 1), Frame::default());
    parts.add_joint(Joint::between(JointKind::Distance { length: 0.8 }, second, here, bob, here));
    let mut sim = Simulation::new(parts.build()?);
    sim.assemble()?;
    let (start, wanted) = (sim.energy().mechanical(), pull_at_release(angles));
    let pull = sim.evaluate()?.joint(JointId::of_index(0)).reaction.total().force.norm();
    println!("at first the rod pulls with {pull:.12} N; by hand: {wanted:.12} N");
    let steps = sim.run(5.0 /* s */, 5e-4)?;

    let (gap, drift) = (sim.certificate().max_position_error, sim.energy().mechanical() - start);
    println!("{steps} steps; the rod was off by at most {gap:.1e} m");
    println!("energy drifted by {drift:.1e} J of {start:.3} J");
    assert!((pull - wanted).abs() < 1e-13 && gap < 1e-13 && drift.abs() < 1e-7);
    Ok(())
}

#[test]
fn the_example_runs() {
    main().unwrap();
}
