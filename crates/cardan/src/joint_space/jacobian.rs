//! Jacobians of points of bodies: (ṗ, ω) = J q̇, 6 × nv in world axes, linear rows first.
//!
//! The columns of J are those of N of the joints from the body to the root, carried to the point:
//! J_k = (V + Ω × (p − x), Ω) with (V, Ω) the column of its joint at the centre of mass x of the joint's
//! child.

use super::CommandError;
use super::tree::{JointSpace, ZERO, add};
use crate::math::Vec3;
use crate::model::{BodyId, Id};

/// Jacobian of a point of a body, and its bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Jacobian {
    /// 6 × nv, row after row: velocity of the point \[m/s\], then angular velocity \[rad/s\], per unit rate.
    pub matrix: Vec<f64>,
    /// J̇ q̇: acceleration of the point and angular acceleration where q̈ = 0 [m/s², rad/s²].
    pub bias: [f64; 6],
    /// nv.
    pub columns: usize,
}

impl Jacobian {
    /// J q̇: velocity and angular velocity, or what else a displacement of the joints gives.
    pub fn times(&self, rates: &[f64]) -> [f64; 6] {
        core::array::from_fn(|r| {
            let row = &self.matrix[r * self.columns..(r + 1) * self.columns];
            row.iter().zip(rates).fold(0.0, |sum, (j, x)| sum + j * x)
        })
    }
    /// Jᵀ f: the efforts that do the work of a force \[N\] and torque \[N·m\] at the point.
    pub fn transpose_times(&self, wrench: [f64; 6]) -> Vec<f64> {
        let entry = |c: usize| (0..6).fold(0.0, |sum, r| sum + self.matrix[r * self.columns + c] * wrench[r]);
        (0..self.columns).map(entry).collect()
    }
}

impl JointSpace {
    /// The Jacobian of a point that is given in the frame of a body \[m\].
    ///
    /// # Errors
    /// If the model has no such body.
    pub fn jacobian(&self, body: BodyId, point: impl Into<Vec3>) -> Result<Jacobian, CommandError> {
        let missing = CommandError::NoSuchPart { what: BodyId::WHAT };
        let at = *self.node_of.get(body.index()).ok_or(missing)?;
        let (center, axes) = &self.frames[at];
        let arm = *axes * (point.into() - *center);
        let (n, goal) = (self.count, self.nodes[at].pos + arm);
        let mut matrix = vec![0.0; 6 * n];
        let mut next = Some(at);
        let mut bias = ZERO;
        while let Some(at) = next {
            let node = &self.nodes[at];
            let lever = goal - node.pos;
            for (k, (lin, ang)) in node.columns().iter().enumerate() {
                let all = [*lin + ang.cross(lever), *ang];
                for (r, x) in all.iter().flat_map(|v| v.to_array()).enumerate() {
                    matrix[r * n + node.rates.start + k] = x;
                }
            }
            let (lin, ang) = node.gamma;
            bias = add(bias, (lin + ang.cross(lever), ang));
            next = node.parent;
        }
        let omega = self.nodes[at].omega;
        bias.0 += omega.cross(omega.cross(arm));
        let bias = [bias.0.x, bias.0.y, bias.0.z, bias.1.x, bias.1.y, bias.1.z];
        Ok(Jacobian { matrix, bias, columns: n })
    }
}
