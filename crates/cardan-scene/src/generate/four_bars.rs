//! IFToMM's benchmark A02: n four-bars in a row, all of unit rods of unit mass, one freedom.
//!
//! Cranks stand upright on the ground at x = 0, 1, …, n; couplers join their tips. All cranks turn at 1 rad/s about y, so that
//! the tips and the couplers move at 1 m/s along x. The state is regular; a quarter turn later all rods lie on one line,
//! where the rows lose rank. Hinges are hinges in space: 5 (3n + 1) rows, of which 3n say nothing new.

use super::mechanism::{GeneratedBody, GeneratedJoint, MassDistribution, Mechanism};
use crate::scene::JointKindDesc;
use cardan::math::{Quat, Vec3, vec3};

const RADIUS: f64 = 0.02;

pub(super) fn four_bars(n: usize) -> Mechanism {
    let mut row = Mechanism { bodies: Vec::with_capacity(2 * n + 1), joints: Vec::with_capacity(3 * n + 1) };
    for i in 0..=n {
        let x = i as f64;
        let crank = row.bodies.len();
        row.bodies.push(rod(
            MassDistribution::RodAlongZ(1.0, RADIUS),
            vec3(x, 0.0, 0.5),
            vec3(0.5, 0.0, 0.0),
            vec3(0.0, 1.0, 0.0),
        ));
        row.joints.push(hinge(None, crank, vec3(x, 0.0, 0.0)));
        if i > 0 {
            row.joints.push(hinge(Some(crank - 1), crank, vec3(x, 0.0, 1.0)));
        }
        if i < n {
            let middle = vec3(x + 0.5, 0.0, 1.0);
            row.bodies.push(rod(
                MassDistribution::RodAlongX(1.0, RADIUS),
                middle,
                vec3(1.0, 0.0, 0.0),
                Vec3::ZERO,
            ));
            row.joints.push(hinge(Some(crank), crank + 1, vec3(x, 0.0, 1.0)));
        }
    }
    row
}

fn rod(mass_distribution: MassDistribution, pos: Vec3, vel: Vec3, omega: Vec3) -> GeneratedBody {
    let quaternion = [1.0, 0.0, 0.0, 0.0];
    GeneratedBody {
        name: None,
        mass: 1.0,
        mass_distribution,
        pos,
        rot: Quat::IDENTITY,
        quaternion,
        vel,
        omega,
    }
}

fn hinge(parent: Option<usize>, child: usize, anchor: Vec3) -> GeneratedJoint {
    GeneratedJoint {
        name: None,
        kind: JointKindDesc::Revolute,
        parent,
        child,
        anchor,
        axis: Vec3::Y,
        end: anchor,
    }
}
