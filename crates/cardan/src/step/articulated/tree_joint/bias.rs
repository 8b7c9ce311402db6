//! Velocity bias of a joint: the relative acceleration of its bodies when no body accelerates.

use crate::body::Motion;
use crate::joint::ClosedForm;
use crate::math::{Lane, Vec3};
use crate::model::Model;
use crate::step::articulated::tree_joint::{BodyPair, TreeJoint, perpendicular_part};

/// b_d, the translational bias, with ω_b × r_b given.
#[inline(always)]
pub(crate) fn bias_of_anchor<T: Lane>(
    a: &Motion<T>,
    b: &Motion<T>,
    to_anchor: Vec3<T>,
    spin_b: Vec3<T>,
) -> Vec3<T> {
    let omega = a.omega;
    let seen = b.vel + spin_b - a.vel;
    b.omega.cross(spin_b) - omega.cross(seen + seen - omega.cross(to_anchor))
}

/// u of a joint that keeps b's axis z_b on a's axis z_a. Where the axes differ, z̈_b must still
/// follow z_a; where the joint is closed, u = 0.
///
/// ```text
/// u = z_b × (z_a (z_b·k)/(z_b·z_a) − k),    k = w × (w × z_b)
/// ```
///
/// Here it is multiplied out.
#[inline(always)]
pub(crate) fn axis_curvature<T: Lane>(z_a: Vec3<T>, z_b: Vec3<T>, spin: Vec3<T>) -> Vec3<T> {
    let along = spin.dot(z_b);
    let follow = (along * along - spin.dot(spin)) / z_b.dot(z_a);
    z_b.cross(z_a * follow - spin * along)
}

impl TreeJoint {
    /// Locked part of b_d, and u − b_w: the angular acceleration that b must have relative to a.
    #[inline(always)]
    pub(crate) fn bias(&self, model: &Model, pair: &BodyPair<'_>, z_a: Vec3, z_b: Vec3) -> (Vec3, Vec3) {
        let undriven = self.undriven_bias(model, pair, z_a, z_b);
        if self.drives.is_some() { self.driven_bias(model, pair, undriven) } else { undriven }
    }

    /// Biases with the prescribed accelerations of the drives.
    #[cold]
    fn driven_bias(&self, model: &Model, pair: &BodyPair<'_>, undriven: (Vec3, Vec3)) -> (Vec3, Vec3) {
        let (mut locked, mut turn) = undriven;
        if let Some(drives) = &self.drives {
            let (at, carried) = (self.relative(model, pair), pair.a.omega.cross(pair.b.omega));
            drives.add_bias(&at, pair.bias(), carried, &mut locked, &mut turn);
        }
        (locked, turn)
    }

    /// Locked part of b_d and u − b_w, without drives.
    #[inline(always)]
    fn undriven_bias(&self, model: &Model, pair: &BodyPair<'_>, z_a: Vec3, z_b: Vec3) -> (Vec3, Vec3) {
        let (a, b) = (pair.a, pair.b);
        let bias = pair.bias();
        let turn = a.omega.cross(b.omega);
        let spin = b.omega - a.omega;
        match self.shape {
            ClosedForm::Revolute => (bias, turn + axis_curvature(z_a, z_b, spin)),
            ClosedForm::Spherical if self.child_is_point => (bias, Vec3::ZERO),
            ClosedForm::Spherical => (bias, turn),
            ClosedForm::Prismatic => {
                (perpendicular_part(bias, z_a), turn + self.turn_curvature(model, a, b, spin))
            }
            ClosedForm::Cylindrical => (perpendicular_part(bias, z_a), turn + axis_curvature(z_a, z_b, spin)),
            ClosedForm::Universal => {
                // ẍ_b must keep the axes of the cross perpendicular.
                let x_b = self.x_b(b);
                let n = z_a.cross(x_b);
                let curve = spin.cross(spin.cross(x_b));
                (bias, turn + n * (z_a.dot(curve) / n.dot(n)))
            }
            ClosedForm::Planar => (z_a * z_a.dot(bias), turn + axis_curvature(z_a, z_b, spin)),
            ClosedForm::Fixed => (bias, turn + self.turn_curvature(model, a, b, spin)),
            ClosedForm::Rows => (bias, turn),
        }
    }

    /// u of a joint that locks all rotations: ½ |w|² q_v/q_w, with q the rotation of b's frame
    /// relative to a's.
    fn turn_curvature(&self, model: &Model, a: &Motion, b: &Motion, spin: Vec3) -> Vec3 {
        let joint = self.joint(model);
        let frame_a = a.rot * joint.a.local.rot;
        let turn = frame_a.inverse() * (b.rot * joint.b.local.rot);
        frame_a * (turn.v * (0.5 * spin.dot(spin) / turn.w))
    }
}
