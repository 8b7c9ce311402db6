//! A free ring of n bodies on n spherical joints, bent out of its plane, every body turning its own way.
//!
//! Body i reaches from anchor p_i to p_{i+1}, d_i apart. It turns with ω_i, so the anchors' velocities close the loop if
//!
//!   Σ ω_i × d_i = 0
//!
//! Random ω_i leave a rest r; ω_i + d_i × μ takes it away with the least change, where Σ (|d_i|² − d_i d_iᵀ) μ = −r.

use super::mechanism::{GeneratedJoint, Mechanism};
use super::random::{Random, rounded3};
use super::tree::{MICRO, piece};
use crate::scene::JointKindDesc;
use cardan::math::{Vec3, vec3};

/// Straight distance between anchors [m].
const PITCH: f64 = 0.3;
/// How far anchors and centres of mass lie aside [m].
const ASIDE: f64 = 0.06;
/// Largest component of an angular velocity [rad/s].
const RATE: f64 = 2.0;

pub(super) fn ring(n: usize, random: &mut Random) -> Mechanism {
    let turn = core::f64::consts::TAU / n as f64;
    let radius = 0.5 * PITCH / libm::sin(0.5 * turn);
    let anchors: Vec<Vec3> = (0..n)
        .map(|i| {
            let (sin, cos) = libm::sincos(turn * i as f64);
            rounded3(vec3(radius * cos, radius * sin, 0.0) + random.vector(ASIDE), MICRO)
        })
        .collect();
    let reach = |i: usize| anchors[(i + 1) % n] - anchors[i];
    let mut omegas: Vec<Vec3> = (0..n).map(|_| random.vector(RATE)).collect();
    close(&mut omegas, reach);

    let mut ring = Mechanism { bodies: Vec::with_capacity(n), joints: Vec::with_capacity(n) };
    let mut vel_of_anchor = rounded3(random.vector(1.0), 1e3);
    for (i, &omega) in omegas.iter().enumerate() {
        let (anchor, arm) = (anchors[i], reach(i));
        let mut body = piece(rounded3(anchor + arm * 0.5 + random.vector(ASIDE), MICRO), random);
        body.omega = omega;
        body.vel = vel_of_anchor + omega.cross(body.pos - anchor);
        vel_of_anchor += omega.cross(arm);
        ring.bodies.push(body);
        ring.joints.push(GeneratedJoint {
            name: None,
            kind: JointKindDesc::Spherical,
            parent: Some(if i == 0 { n - 1 } else { i - 1 }),
            child: i,
            anchor,
            axis: Vec3::Z,
            end: anchor,
        });
    }
    ring
}

/// Changes the angular velocities so that the ring stays closed. Twice, to be at rounding.
fn close(omegas: &mut [Vec3], reach: impl Fn(usize) -> Vec3) {
    for _ in 0..2 {
        let mut rest = Vec3::ZERO;
        let (mut columns, units) = ([Vec3::ZERO; 3], [Vec3::X, Vec3::Y, Vec3::Z]);
        for (i, omega) in omegas.iter().enumerate() {
            let d = reach(i);
            rest += omega.cross(d);
            for (column, e) in columns.iter_mut().zip(units) {
                *column += e * d.dot(d) - d * d.dot(e);
            }
        }
        // Cramer's rule: three by three, positive definite because no ring lies on one line.
        let [a, b, c] = columns;
        let whole = a.dot(b.cross(c));
        let part = vec3(rest.dot(b.cross(c)), a.dot(rest.cross(c)), a.dot(b.cross(rest)));
        let change = part * (-1.0 / whole);
        for (i, omega) in omegas.iter_mut().enumerate() {
            *omega += reach(i).cross(change);
        }
    }
}
