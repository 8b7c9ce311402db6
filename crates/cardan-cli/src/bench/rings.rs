//! Baraff's example in the plane (1996, §9): 54 pins, so 108 multipliers; all of them primary, or 96 of them and 12 auxiliary.
//!
//! Six octagons of eight bars hang in a row, each pinned to the one above: 48 bars and 54 pins, of which six close the octagons. Or
//! the octagons are open and end in a ninth bar: 54 bars and 54 pins in a tree.

use crate::Failure;
use cardan::math::{Quat, Vec3, vec3};
use cardan::{Body, BodyId, BodyKind, End, Gravity, Joint, JointKind, Model, ModelBuilder};
use core::f64::consts::{FRAC_PI_4, FRAC_PI_8};

/// Treatment of the pins that close the octagons.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum RingClosure {
    /// None: a ninth bar hangs there.
    Open,
    /// Auxiliary rows, solved by their Schur complement.
    Auxiliary,
    /// Loop-closure joints of the articulated path.
    Loops,
}

const RINGS: usize = 6;
const BARS: usize = 8;
/// Length of a bar [m].
const LENGTH: f64 = 0.1;

/// Where the corners of an octagon are that hangs by its corner 0; corner 4 is its lowest.
fn corner(top: Vec3, k: usize) -> Vec3 {
    let radius = LENGTH / (2.0 * FRAC_PI_8.sin());
    let angle = FRAC_PI_4 * k as f64;
    top + vec3(radius * angle.sin(), radius * (angle.cos() - 1.0), 0.0)
}

fn bar(from: Vec3, to: Vec3) -> Body {
    let along = to - from;
    let planar = Body { kind: BodyKind::Planar, ..Body::rod(0.05, LENGTH, 0.005) };
    Body { pos: (from + to) * 0.5, rot: Quat::exp(vec3(0.0, 0.0, along.y.atan2(along.x))), ..planar }
}

pub(super) fn model(closing: RingClosure) -> Result<Model, Failure> {
    let mut parts = ModelBuilder::new(Gravity::new(1.0, -9.81, 0.0));
    let pin = |parts: &mut ModelBuilder, a: End, b: BodyId, at: Vec3| {
        parts.add_joint(Joint::at(JointKind::Revolute, a, b, at.to_array(), [0.0, 0.0, 1.0]))
    };
    let (mut above, mut top) = (End::Ground, Vec3::ZERO);
    for _ in 0..RINGS {
        let mut bars: Vec<BodyId> = Vec::with_capacity(BARS);
        for k in 0..BARS {
            let (from, to) = (corner(top, k), corner(top, k + 1));
            let id = parts.add_body(bar(from, to));
            let end = bars.last().map_or(above, |&last| last.into());
            pin(&mut parts, end, id, from);
            bars.push(id);
        }
        match closing {
            RingClosure::Open => {
                let last = parts.add_body(bar(top, top + vec3(LENGTH, 0.0, 0.0)));
                pin(&mut parts, bars[BARS - 1].into(), last, top);
            }
            RingClosure::Auxiliary => {
                let id = pin(&mut parts, bars[BARS - 1].into(), bars[0], top);
                parts.make_auxiliary(id);
            }
            RingClosure::Loops => {
                pin(&mut parts, bars[BARS - 1].into(), bars[0], top);
            }
        }
        (above, top) = (bars[BARS / 2 - 1].into(), corner(top, BARS / 2));
    }
    parts.build().map_err(|error| Failure::Run(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::{RingClosure, model};
    use cardan::Simulation;
    use cardan::solve::Role;

    #[test]
    fn the_counts_are_those_of_the_paper() {
        for (closing, bodies, auxiliary) in
            [(RingClosure::Open, 54, 0), (RingClosure::Auxiliary, 48, 6), (RingClosure::Loops, 48, 0)]
        {
            let Ok(model) = model(closing) else { panic!("{closing:?}") };
            let counts = model.counts();
            assert_eq!((counts.bodies, counts.joints, counts.rows), (bodies, 54, 108), "{closing:?}");
            let apart = (0..54)
                .filter(|&j| model.joint_role(cardan::JointId::of_index(j)) == Some(Role::Auxiliary))
                .count();
            assert_eq!(apart, auxiliary, "{closing:?}");
            // Closed where it starts, nothing redundant, and it moves.
            let mut sim = Simulation::new(model);
            let now = sim.evaluate().unwrap();
            let open = now.position_errors().iter().fold(0.0_f64, |w, e| w.max(e.abs()));
            assert!(open < 1e-14 && now.rank() == 108, "{closing:?}: {open:e}, {}", now.rank());
            sim.run(0.3, 1e-3).unwrap();
            assert!(sim.certificate().max_position_error < 1e-13, "{closing:?}: {:?}", sim.certificate());
        }
    }

    #[test]
    fn pins_solved_apart_move_the_rings_like_loops() {
        let ends = [RingClosure::Auxiliary, RingClosure::Loops].map(|closing| {
            let Ok(model) = model(closing) else { panic!("{closing:?}") };
            let mut sim = Simulation::new(model);
            sim.run(0.2, 1e-3).unwrap();
            sim.state().coordinates().to_vec()
        });
        let off = ends[0].iter().zip(&ends[1]).fold(0.0_f64, |w, (a, b)| w.max((a - b).abs()));
        assert!(off < 1e-9, "{off:e}");
    }
}
