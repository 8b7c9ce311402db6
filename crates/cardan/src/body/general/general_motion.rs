//! Kinematics, mass matrix, forces and momenta of one general body, from its vectors g_k.
//!
//!   M = Σ m_kl G_kᵀ G_l        F = −Σ m_kl G_kᵀ b_l        T = ½ Σ m_kl ġ_k·ġ_l        g̈_k = G_k v̇ + b_k
//!
//! g_k: vectors that carry material points (`piece.rs`), world axes; m_kl: their moments of mass;
//! G_k = ∂g_k/∂v.

use super::carrier_motion::orthonormal;
use super::number::Pose;
use super::piece::MAX_BASIS;
use super::{BaseFrame, Basis, FormVectors, GeneralBody};
use crate::law::Jet;
use crate::math::{Mat3, Quat, Vec3, larger, vec3};

const E: [Vec3; 3] = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)];

/// Kinematics of one general body.
#[derive(Clone, Debug)]
pub(crate) struct GeneralMotion {
    pub(super) index: usize,
    pub(super) dim: usize,
    base: BaseFrame,
    /// Basis, index of the first vector, and moments of each piece.
    pub(super) pieces: Vec<(Basis, usize, Vec<f64>)>,
    // of the form, in its base frame
    local: [Vec<Vec3>; 3],
    local_columns: Vec<Vec3>,
    jets: Vec<Jet>,
    poses: Vec<Pose<Jet>>,
    // in world axes: g_k, ġ_k, b_k; G_k, and Σ_l m_kl G_l
    pub(super) value: Vec<Vec3>,
    pub(super) rate: Vec<Vec3>,
    pub(super) bias: Vec<Vec3>,
    pub(super) columns: Vec<Vec3>,
    weighted_columns: Vec<Vec3>,
    /// Σ_l m_kl b_l and Σ_l m_kl ġ_l.
    weighted_bias: Vec<Vec3>,
    momentum: Vec<Vec3>,
    /// Sizes of the numbers that formed g_k and ġ_k.
    pub(super) sizes: Vec<[f64; 2]>,
    pub(super) center: Vec3,
    pub(super) center_velocity: Vec3,
    pub(super) center_bias: Vec3,
    pub(super) center_columns: Vec<Vec3>,
    mass: f64,
    base_pos: Vec3,
}

impl GeneralMotion {
    pub(crate) fn new(index: usize, made: &GeneralBody) -> Self {
        let form = &*made.form;
        let mut at = 0;
        let mut pieces = Vec::new();
        for piece in form.pieces() {
            pieces.push((piece.basis, at, piece.moments.clone()));
            at += piece.len();
        }
        let base = form.base();
        let own = form.freedoms();
        let dim = own + if base == BaseFrame::Floating { 6 } else { 0 };
        let zeros = |n: usize| vec![Vec3::ZERO; n];
        GeneralMotion {
            index,
            dim,
            base,
            mass: form.pieces().iter().map(|piece| piece.mass()).sum(),
            local: core::array::from_fn(|_| zeros(at)),
            local_columns: zeros(at * own),
            jets: vec![Jet::default(); 2 * own],
            poses: vec![Pose::at([Jet::default(); 3]); pieces.len()],
            pieces,
            value: zeros(at),
            rate: zeros(at),
            bias: zeros(at),
            columns: zeros(at * dim),
            weighted_columns: zeros(at * dim),
            weighted_bias: zeros(at),
            momentum: zeros(at),
            sizes: vec![[0.0; 2]; at],
            center: Vec3::ZERO,
            center_velocity: Vec3::ZERO,
            center_bias: Vec3::ZERO,
            center_columns: zeros(dim),
            base_pos: Vec3::ZERO,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let vectors = self.columns.capacity()
            + self.weighted_columns.capacity()
            + self.local_columns.capacity()
            + 8 * self.value.capacity()
            + self.center_columns.capacity();
        vectors * size_of::<Vec3>()
    }

    pub(super) fn copy_from(&mut self, other: &GeneralMotion) {
        let pairs = [
            (&mut self.value, &other.value),
            (&mut self.rate, &other.rate),
            (&mut self.bias, &other.bias),
            (&mut self.columns, &other.columns),
            (&mut self.weighted_columns, &other.weighted_columns),
            (&mut self.weighted_bias, &other.weighted_bias),
            (&mut self.momentum, &other.momentum),
            (&mut self.center_columns, &other.center_columns),
        ];
        pairs.into_iter().for_each(|(to, from)| to.copy_from_slice(from));
        (self.center, self.center_velocity) = (other.center, other.center_velocity);
        (self.center_bias, self.base_pos) = (other.center_bias, other.base_pos);
    }

    /// Kinematics from coordinates and velocities.
    pub(crate) fn write(&mut self, made: &GeneralBody, q: &[f64], v: &[f64]) {
        let own = self.jets.len() / 2;
        let floats = self.base == BaseFrame::Floating;
        let skip = self.dim - own;
        let [value, rate, bias] = &mut self.local;
        let (jets, poses) = (&mut self.jets[..], &mut self.poses[..]);
        let mut local = FormVectors { value, rate, bias, column: &mut self.local_columns, jets, poses };
        made.form.write(&q[q.len() - own..], &v[skip..], &mut local);

        let (pos, rot) = match self.base {
            BaseFrame::Fixed => made.base,
            BaseFrame::Floating => (vec3(q[0], q[1], q[2]), Quat { w: q[3], v: vec3(q[4], q[5], q[6]) }),
            BaseFrame::World => (Vec3::ZERO, Quat::IDENTITY),
        };
        self.base_pos = pos;
        let axes = rot.matrix();
        let moving =
            if floats { (vec3(v[0], v[1], v[2]), vec3(v[3], v[4], v[5])) } else { Default::default() };
        let (vel, omega) = moving;
        let dim = self.dim;
        // Positions inside of the body are sums of lengths that the form does not state; the
        // largest position stands for their size.
        let places = self.pieces.iter().map(|(_, first, _)| self.local[0][*first].largest());
        let extent = places.fold(0.0, larger);
        for (basis, first, _) in &self.pieces {
            for k in *first..*first + basis.len() {
                let is_place = k == *first;
                let arm = axes * self.local[0][k];
                let flow = axes * self.local[1][k];
                let spin = omega.cross(arm);
                self.value[k] = if is_place { pos + arm } else { arm };
                self.rate[k] = if is_place { vel + (spin + flow) } else { spin + flow };
                let (inside, base, base_rate) =
                    if is_place { (extent, pos.largest(), vel.largest()) } else { (0.0, 0.0, 0.0) };
                self.sizes[k] =
                    [base + larger(inside, arm.largest()), base_rate + spin.largest() + flow.largest()];
                self.bias[k] = omega.cross(spin) + omega.cross(flow) * 2.0 + axes * self.local[2][k];
                let columns = &mut self.columns[k * dim..(k + 1) * dim];
                if floats {
                    for (j, e) in E.into_iter().enumerate() {
                        columns[j] = if is_place { e } else { Vec3::ZERO };
                        columns[3 + j] = e.cross(arm);
                    }
                }
                for i in 0..own {
                    columns[skip + i] = axes * self.local_columns[k * own + i];
                }
            }
        }
        self.weigh();
    }

    /// Products with the moments of mass, and the centre of mass.
    fn weigh(&mut self) {
        let dim = self.dim;
        self.weighted_columns.fill(Vec3::ZERO);
        (self.center, self.center_velocity, self.center_bias) = Default::default();
        self.center_columns.fill(Vec3::ZERO);
        for (basis, first, moments) in &self.pieces {
            let n = basis.len();
            for k in 0..n {
                let (mut momentum, mut bias) = (Vec3::ZERO, Vec3::ZERO);
                for l in 0..n {
                    let m = moments[k * n + l];
                    if m == 0.0 {
                        continue;
                    }
                    momentum += self.rate[first + l] * m;
                    bias += self.bias[first + l] * m;
                    let (weighted_columns, columns) = (
                        &mut self.weighted_columns[(first + k) * dim..][..dim],
                        &self.columns[(first + l) * dim..][..dim],
                    );
                    weighted_columns.iter_mut().zip(columns).for_each(|(h, c)| *h += *c * m);
                }
                (self.momentum[first + k], self.weighted_bias[first + k]) = (momentum, bias);
            }
            for l in 0..n {
                self.center += self.value[first + l] * (moments[l] / self.mass);
            }
            self.center_velocity += self.momentum[*first] / self.mass;
            self.center_bias += self.weighted_bias[*first] / self.mass;
            let weighted_columns = &self.weighted_columns[first * dim..][..dim];
            self.center_columns.iter_mut().zip(weighted_columns).for_each(|(c, h)| *c += *h / self.mass);
        }
    }

    pub(crate) fn center_velocity(&self) -> Vec3 {
        self.center_velocity
    }
    pub(crate) fn is_finite(&self) -> bool {
        let all = [&self.value, &self.rate, &self.bias, &self.columns];
        all.into_iter().all(|vectors| vectors.iter().all(|v| v.is_finite()))
    }
    /// The angular velocity of the first piece.
    pub(crate) fn turning(&self) -> Vec3 {
        let (basis, first, _) = &self.pieces[0];
        if *basis == Basis::Point {
            return Vec3::ZERO;
        }
        let turn = |i: usize| self.value[first + i].cross(self.rate[first + i]);
        (turn(1) + turn(2) + turn(3)) * 0.5
    }
    /// World position of the origin of the body's frame \[m\].
    pub(crate) fn origin(&self) -> Vec3 {
        self.value[0]
    }
    /// Images of the first piece's axes, by which drawings deform its shapes. Orthonormal for rigid
    /// pieces.
    pub(crate) fn shape(&self) -> Mat3 {
        self.frame_of_piece(0).1
    }

    /// Origin of a piece, images of its axes, and the orthonormal frame made from these.
    pub(crate) fn frame_of_piece(&self, piece: usize) -> (Vec3, Mat3, Quat) {
        self.frame_at(piece, Vec3::ZERO)
    }

    /// Position of a material point of a piece, images of the axes there, and the orthonormal frame
    /// made from these.
    pub(crate) fn frame_at(&self, piece: usize, at: Vec3) -> (Vec3, Mat3, Quat) {
        let (basis, first, _) = &self.pieces[piece];
        let vectors = &self.value[*first..*first + basis.len()];
        if *basis == Basis::Point {
            return (vectors[0], Mat3::IDENTITY, Quat::IDENTITY);
        }
        let sum = |weights: [f64; MAX_BASIS]| {
            let counted = weights.into_iter().zip(vectors).filter(|(w, _)| *w != 0.0);
            counted.fold(Vec3::ZERO, |sum, (w, g)| sum + *g * w)
        };
        let (place, [x, y, z]) = (sum(basis.at(at)), basis.slopes(at).map(sum));
        let still = |v: Vec3| v.to_array().map(Jet::constant);
        let axes = orthonormal([still(x), still(y)]).map(|a| vec3(a[0].value, a[1].value, a[2].value));
        let rot = Quat::from_matrix(&Mat3::from_columns(axes[0], axes[1], axes[2]));
        (place, Mat3::from_columns(x, y, z), rot)
    }

    /// The centre of mass of a piece; its origin if it has no mass.
    pub(crate) fn center_of_piece(&self, piece: usize) -> Vec3 {
        let (basis, first, moments) = &self.pieces[piece];
        let (mass, vectors) = (moments[0], &self.value[*first..*first + basis.len()]);
        match mass > 0.0 {
            true => vectors.iter().zip(moments).fold(Vec3::ZERO, |sum, (g, m)| sum + *g * (m / mass)),
            false => vectors[0],
        }
    }
    /// Number of pieces.
    pub(crate) fn pieces(&self) -> usize {
        self.pieces.len()
    }
    /// Whether the images of the axes vary over the piece.
    pub(crate) fn bends(&self, piece: usize) -> bool {
        self.pieces[piece].0 == Basis::Quadratic
    }
    /// Whether a piece has axes; a point mass has none.
    pub(crate) fn piece_has_axes(&self, piece: usize) -> bool {
        self.pieces[piece].0 != Basis::Point
    }

    /// Packed lower half of M.
    pub(crate) fn mass_matrix(&self, out: &mut [f64]) {
        let dim = self.dim;
        out.fill(0.0);
        for (columns, weighted_columns) in
            self.columns.chunks_exact(dim).zip(self.weighted_columns.chunks_exact(dim))
        {
            let mut at = 0;
            for (i, column) in columns.iter().enumerate() {
                if *column == Vec3::ZERO {
                    at += i + 1;
                    continue;
                }
                for h in &weighted_columns[..=i] {
                    out[at] += column.dot(*h);
                    at += 1;
                }
            }
        }
    }

    /// −Σ m_kl G_kᵀ b_l.
    pub(crate) fn inertial_force(&self, out: &mut [f64]) {
        out.fill(0.0);
        for (columns, bias) in self.columns.chunks_exact(self.dim).zip(&self.weighted_bias) {
            out.iter_mut().zip(columns).for_each(|(out, column)| *out -= column.dot(*bias));
        }
    }

    /// Adds weight, elastic forces and damping; returns the power turned into heat \[W\].
    pub(crate) fn add_own_forces(
        &mut self,
        made: &GeneralBody,
        gravity: Vec3,
        (q, v): (&[f64], &[f64]),
        out: &mut [f64],
    ) -> f64 {
        let weight = gravity * self.mass;
        out.iter_mut().zip(&self.center_columns).for_each(|(out, column)| *out += column.dot(weight));
        let own = self.jets.len() / 2;
        let skip = self.dim - own;
        made.form.push(&q[q.len() - own..], &v[skip..], &mut self.jets, &mut out[skip..])
    }

    /// ½ Σ m_kl ġ_k·ġ_l.
    pub(crate) fn kinetic_energy(&self) -> f64 {
        0.5 * self.rate.iter().zip(&self.momentum).map(|(rate, p)| rate.dot(*p)).sum::<f64>()
    }
    /// Sizes of the terms of [`GeneralMotion::momentum`].
    pub(crate) fn momentum_sizes(&self) -> (f64, f64) {
        let terms = self.value.iter().zip(&self.momentum).map(|(g, p)| (p.reach(), g.reach() * p.reach()));
        terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1))
    }
    /// Momentum, and angular momentum about the world's origin.
    pub(crate) fn momentum(&self) -> (Vec3, Vec3) {
        self.sum(|k| self.momentum[k])
    }
    /// Rate of momentum and angular momentum from generalised accelerations (`with_bias`), or their
    /// jump from a jump of velocities (without).
    pub(crate) fn momentum_rate(&self, acc: &[f64], with_bias: bool) -> (Vec3, Vec3) {
        self.sum(|k| {
            let weighted_columns = &self.weighted_columns[k * self.dim..][..self.dim];
            let start = if with_bias { self.weighted_bias[k] } else { Vec3::ZERO };
            weighted_columns.iter().zip(acc).fold(start, |sum, (h, a)| sum + *h * *a)
        })
    }
    /// Linear part: Σ over the first vector of each piece; angular part: Σ g × p.
    fn sum(&self, of: impl Fn(usize) -> Vec3) -> (Vec3, Vec3) {
        let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
        for (basis, first, _) in &self.pieces {
            for k in *first..*first + basis.len() {
                let p = of(k);
                angular += self.value[k].cross(p);
                if k == *first {
                    linear += p;
                }
            }
        }
        (linear, angular)
    }

    /// Force, and moment about the world's origin, of a generalised force. Zero for a body with a
    /// base fixed in the world: its reaction follows from its motion.
    pub(crate) fn resultant(&self, pull: &[f64]) -> (Vec3, Vec3) {
        let at = |i: usize| vec3(pull[i], pull[i + 1], pull[i + 2]);
        match self.base {
            BaseFrame::Fixed => (Vec3::ZERO, Vec3::ZERO),
            BaseFrame::Floating => (at(0), self.base_pos.cross(at(0)) + at(3)),
            BaseFrame::World => self.sum(|k| at(3 * k)),
        }
    }
}
