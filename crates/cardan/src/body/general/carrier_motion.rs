//! Kinematics of a carrier: the frame of a general body that joints and forces are attached to.
//!
//!   x = Σ φ_k g_k        V = (ẋ, ω) = A v        V̇ = A v̇ + bias
//!
//! φ_k: weights of the material point; the images a_i = Σ ∂φ_k/∂X_i g_k of the body's directions
//! give the axes: directly for a rigid piece, by Gram–Schmidt orthonormalisation for one that
//! deforms. `pull_back` is Aᵀ, `push_forward` A.

use super::piece::MAX_BASIS;
use super::{Basis, Carrier, GeneralMotion, Number};
use crate::body::{Frame, FrameMotion, Motion, Wrench};
use crate::law::Jet;
use crate::math::{Mat3, Quat, Vec3, vec3};

/// Kinematics of a carrier.
#[derive(Clone, Debug)]
pub(super) struct CarrierMotion {
    pub(super) carrier: Carrier,
    turns: bool,
    rigid: bool,
    first: usize,
    weights: [f64; MAX_BASIS],
    slopes: [[f64; MAX_BASIS]; 3],
    count: usize,
    pub(super) motion: Motion,
    bias: Vec3,
    pub(super) bias_omega: Vec3,
    /// Sizes of the numbers that formed position and velocity.
    sizes: [f64; 2],
    /// Columns of A: ∂x/∂v_j and the angular part.
    pub(super) columns: Vec<[Vec3; 2]>,
}

impl CarrierMotion {
    pub(super) fn new(carrier: &Carrier, general: &GeneralMotion) -> Self {
        let (basis, first, _) = &general.pieces[carrier.piece];
        CarrierMotion {
            carrier: *carrier,
            turns: *basis != Basis::Point,
            rigid: carrier.rigid,
            first: *first,
            weights: basis.at(carrier.at),
            slopes: basis.slopes(carrier.at),
            count: basis.len(),
            motion: Motion::GROUND,
            bias: Vec3::ZERO,
            bias_omega: Vec3::ZERO,
            sizes: [0.0; 2],
            columns: vec![[Vec3::ZERO; 2]; general.dim],
        }
    }

    pub(super) fn copy_from(&mut self, other: &CarrierMotion) {
        (self.motion, self.bias, self.bias_omega) = (other.motion, other.bias, other.bias_omega);
        self.columns.copy_from_slice(&other.columns);
        self.sizes = other.sizes;
    }

    pub(super) fn write(&mut self, general: &GeneralMotion) {
        let of = |vectors: &[Vec3]| self.sum(&self.weights, vectors, 0, 1);
        let (pos, vel, bias) = (of(&general.value), of(&general.rate), of(&general.bias));
        (self.motion.pos, self.motion.vel, self.bias) = (pos, vel, bias);
        self.sizes = [0.0; 2];
        for (w, sizes) in self.weights[..self.count].iter().zip(&general.sizes[self.first..]) {
            self.sizes[0] += w.abs() * sizes[0];
            self.sizes[1] += w.abs() * sizes[1];
        }
        for j in 0..general.dim {
            self.columns[j][0] = self.sum(&self.weights, &general.columns, j, general.dim);
        }
        if self.turns {
            self.turn(general);
        }
    }

    /// Σ_k w_k g_k of one column of vectors that are stored in rows of `width`.
    #[inline]
    fn sum(&self, weights: &[f64; MAX_BASIS], vectors: &[Vec3], column: usize, width: usize) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for (k, w) in weights[..self.count].iter().enumerate() {
            if *w != 0.0 {
                sum += vectors[(self.first + k) * width + column] * *w;
            }
        }
        sum
    }

    /// Axes, angular velocity, its bias and columns, from the images of the body's directions.
    fn turn(&mut self, general: &GeneralMotion) {
        let of = |vectors: &[Vec3]| images_of(self, vectors, 0, 1);
        let (value, rate, bias) = (of(&general.value), of(&general.rate), of(&general.bias));
        // ω = ½ Σ a × ȧ; its rate has the same form, since ȧ × ȧ = 0.
        let turning = |axes: [Vec3; 3], rates: [Vec3; 3]| {
            (axes[0].cross(rates[0]) + axes[1].cross(rates[1]) + axes[2].cross(rates[2])) * 0.5
        };
        if self.rigid {
            let [x, y, z] = value;
            let axes = Mat3::from_columns(x, y, z);
            let (omega, bias_omega) = (turning(value, rate), turning(value, bias));
            for j in 0..general.dim {
                self.columns[j][1] = turning(value, images_of(self, &general.columns, j, general.dim));
            }
            return self.set_turn(axes, omega, bias_omega);
        }
        let jets = |i: usize| {
            let (a, b, c) = (value[i], rate[i], bias[i]);
            [Jet::new(a.x, b.x, c.x), Jet::new(a.y, b.y, c.y), Jet::new(a.z, b.z, c.z)]
        };
        let moving = orthonormal([jets(0), jets(1)]);
        let part = |of: fn(&Jet) -> f64| moving.map(|axis| vec3(of(&axis[0]), of(&axis[1]), of(&axis[2])));
        let axes = part(|x| x.value);
        let (omega, bias_omega) = (turning(axes, part(|x| x.rate)), turning(axes, part(|x| x.second)));
        // a, b: images of x and y, with l = |a| and b = p x + r y; the rotation that changes of a
        // and b cause.
        let [x, y, z] = axes;
        let (l, p, r) = (value[0].norm(), value[1].dot(x), value[1].dot(y));
        for j in 0..general.dim {
            let [da, db, _] = images_of(self, &general.columns, j, general.dim);
            let (up, aside) = (da.dot(z) / l, da.dot(y) / l);
            self.columns[j][1] = x * ((db.dot(z) - p * up) / r) - y * up + z * aside;
        }
        self.set_turn(Mat3::from_columns(x, y, z), omega, bias_omega);
    }

    /// Sizes of the terms that form a column of ∂x/∂v and of its angular part.
    pub(super) fn sizes_of_column(&self, general: &GeneralMotion, j: usize) -> [f64; 2] {
        let sizes = |weights: &[f64; MAX_BASIS]| {
            let mut sum = 0.0;
            for (k, w) in weights[..self.count].iter().enumerate() {
                sum += w.abs() * general.columns[(self.first + k) * general.dim + j].largest();
            }
            sum
        };
        let shift = sizes(&self.weights);
        if !self.turns {
            return [shift, 0.0];
        }
        let images = [0, 1, 2].map(|i| sizes(&self.slopes[i]));
        if self.rigid {
            return [shift, 0.5 * (images[0] + images[1] + images[2])];
        }
        // As in `turn`, with |p| ≤ |b|.
        let value = images_of(self, &general.value, 0, 1);
        let (l, b, r) = (value[0].norm(), value[1].norm(), value[1].dot(self.motion.axes.y));
        [shift, images[0] / l * (1.0 + b / r.abs()) + images[1] / r.abs()]
    }

    fn set_turn(&mut self, axes: Mat3, omega: Vec3, bias_omega: Vec3) {
        (self.motion.axes, self.motion.rot) = (axes, Quat::from_matrix(&axes));
        (self.motion.omega, self.bias_omega) = (omega, bias_omega);
    }

    #[inline]
    pub(super) fn attach(&self, local: &Frame) -> FrameMotion {
        let motion = &self.motion;
        let arm = motion.axes * local.pos;
        let spin = motion.omega.cross(arm);
        FrameMotion {
            pos: motion.pos + arm,
            rot: motion.rot * local.rot,
            arm,
            vel: motion.vel + spin,
            omega: motion.omega,
            bias: self.bias + self.bias_omega.cross(arm) + motion.omega.cross(spin),
            bias_omega: self.bias_omega,
            reach: self.sizes[0] + arm.largest(),
            flow: self.sizes[1],
        }
    }

    pub(super) fn pull_back(&self, arm: Vec3, wrench: Wrench, out: &mut [f64]) {
        let turn = wrench.torque + arm.cross(wrench.force);
        for (out, [shift, spin]) in out.iter_mut().zip(&self.columns) {
            *out = shift.dot(wrench.force) + spin.dot(turn);
        }
    }

    pub(super) fn push_forward(&self, arm: Vec3, v: &[f64]) -> (Vec3, Vec3) {
        let (mut vel, mut omega) = (Vec3::ZERO, Vec3::ZERO);
        for ([shift, spin], v) in self.columns.iter().zip(v) {
            vel += *shift * *v;
            omega += *spin * *v;
        }
        (vel + omega.cross(arm), omega)
    }
}

/// Images of the body's directions, from one column of vectors stored in rows.
#[inline]
fn images_of(carried: &CarrierMotion, vectors: &[Vec3], column: usize, width: usize) -> [Vec3; 3] {
    [0, 1, 2].map(|i| carried.sum(&carried.slopes[i], vectors, column, width))
}

/// An orthonormal frame from two directions (Gram–Schmidt): x along the first, y in their plane, z
/// perpendicular.
pub(super) fn orthonormal([a, b]: [[Jet; 3]; 2]) -> [[Jet; 3]; 3] {
    let dot = |a: &[Jet; 3], b: &[Jet; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let unit = |v: [Jet; 3]| {
        let size = Number::sqrt(dot(&v, &v));
        v.map(|x| x / size)
    };
    let x = unit(a);
    let along = dot(&b, &x);
    let y = unit(core::array::from_fn(|k| b[k] - x[k] * along));
    let z = core::array::from_fn(|k| x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3]);
    [x, y, z]
}
