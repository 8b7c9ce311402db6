//! Force propagation: inverse inertia of a few blocks, without a solve for each of their unknowns.
//!
//! A force F on a block gives x = A⁻¹ F, with all links held. On its way to the root every node takes a part u of it,
//! and
//!
//! ```text
//! Fᵀ A⁻¹ F' = Σ u·u'          over the nodes that the paths of F and F' share
//! ```
//!
//! so that the parts u of the six unit forces on a block are rows of B in E A⁻¹ Eᵀ = B Bᵀ, with E the unknowns of the
//! blocks: O(depth) for each, and a product that cannot be indefinite (extended force propagator; Chong et al. 2010).
//!
//! ```text
//! freedoms form   u_k = n_k·F / √δ_k               F_p = Xᵀ (F − Σ w_k n_k·F / δ_k)
//! spherical link  u = Δ^(−½) L⁻¹ τ                 F_p = Eᵀ φ
//! rows form       u = (1 − Σ ĵ_k ĵ_kᵀ) R⁻¹ F       F_p = Xᵀ Σ j_k z_k·F / σ_k       ĵ_k = R⁻¹ j_k / √σ_k
//! root            u = R⁻¹ F                        D = R Rᵀ
//! ```

use super::{ArticulatedForest, Form, Node, NodeExtra};
use crate::graph::{NONE, packed_len};
use crate::lane::Lane;
use crate::math::{Mat3, Six, Vec3};

/// Most numbers that a node takes of a force.
pub const MAX_PARTS: usize = 6;

impl ArticulatedForest {
    /// Whether forces can be propagated: no loops are closed.
    pub fn can_propagate(&self) -> bool {
        self.closures.all.is_empty()
    }

    /// Number of parts that a node takes of a force.
    pub fn parts(&self, at: usize) -> usize {
        match self.nodes[at].form {
            Form::Freedoms(f) => f as usize,
            Form::Rows(_) => MAX_PARTS,
        }
    }

    /// Propagates a force on the block of node `at` to the root, or several of them in lanes, with the last factor:
    /// `take` gets every node on the way and the parts that it takes.
    #[inline(always)]
    pub fn propagate<T: Lane>(&self, at: usize, force: Six<T>, mut take: impl FnMut(usize, &[T])) {
        let (mut at, mut force) = (at, force);
        loop {
            let (node, extra) = (&self.nodes[at], &self.extra[self.extra_at[at] as usize]);
            if node.is_point {
                force.ang = Vec3::ZERO;
            }
            let mut parts = [T::ZERO; MAX_PARTS];
            let handed = match node.form {
                _ if node.is_ball => node.propagate_ball(&force, &mut parts),
                Form::Freedoms(f) => node.propagate_freedoms(extra, f as usize, &force, &mut parts),
                Form::Rows(m) => node.propagate_rows(extra, m as usize, &force, &mut parts),
            };
            take(at, &parts[..self.parts(at)]);
            if node.parent == NONE {
                return;
            }
            (at, force) = (node.parent as usize, handed);
        }
    }
}

impl Node {
    #[inline(always)]
    fn propagate_freedoms<T: Lane>(
        &self,
        extra: &NodeExtra,
        f: usize,
        force: &Six<T>,
        parts: &mut [T],
    ) -> Six<T> {
        let mut handed = force.carried_back(splat(self.shift));
        for (k, part) in parts.iter_mut().enumerate().take(f) {
            let (n, image, inverse) = match k {
                0 => (&self.first, &self.carried_image, self.inverse),
                _ => (&extra.columns[k - 1], &extra.carried_images[k - 1], extra.inverses[k - 1]),
            };
            let along = splat_six(n).dot(force);
            *part = along * T::splat(inverse.sqrt());
            handed -= splat_six(image).scaled(along * T::splat(inverse));
        }
        handed
    }

    #[inline(always)]
    fn propagate_ball<T: Lane>(&self, force: &Six<T>, parts: &mut [T]) -> Six<T> {
        let tau = force.ang - splat(self.first.lin).cross(force.lin);
        let (g, c) = (&self.diag.b, &self.diag.c);
        let y = tau.y - T::splat(c.xy) * tau.x;
        let z = tau.z - T::splat(c.xz) * tau.x - T::splat(c.yz) * y;
        let [xx, yy, zz] = [c.xx, c.yy, c.zz].map(|own| T::splat(own.sqrt()));
        parts[..3].copy_from_slice(&[tau.x * xx, y * yy, z * zz]);
        let g = Mat3 { x: splat(g.x), y: splat(g.y), z: splat(g.z) };
        let handed = force.lin - g * tau;
        Six::new(handed, splat(self.first.ang).cross(handed))
    }

    #[inline(always)]
    fn propagate_rows<T: Lane>(
        &self,
        extra: &NodeExtra,
        m: usize,
        force: &Six<T>,
        parts: &mut [T; MAX_PARTS],
    ) -> Six<T> {
        *parts = extra.lower_solve(force);
        let mut handed = Six::ZERO;
        for k in 0..m {
            let (j, inverse) = match k {
                0 => (&self.first, self.inverse),
                _ => (&extra.columns[k - 1], extra.inverses[k - 1]),
            };
            handed += splat_six(j).scaled(splat_six(&extra.row_images[k]).dot(force) * T::splat(inverse));
            let unit = extra.lower_solve(j).map(T::splat);
            let along =
                unit.iter().zip(&*parts).fold(T::ZERO, |sum, (a, b)| sum + *a * *b) * T::splat(inverse);
            parts.iter_mut().zip(unit).for_each(|(part, j)| *part -= along * j);
        }
        handed.carried_back(splat(self.shift))
    }
}

impl NodeExtra {
    /// R⁻¹ v with the factor of D = R Rᵀ.
    #[inline(always)]
    fn lower_solve<T: Lane>(&self, v: &Six<T>) -> [T; MAX_PARTS] {
        let mut x = [v.lin.x, v.lin.y, v.lin.z, v.ang.x, v.ang.y, v.ang.z];
        for i in 0..6 {
            let row = packed_len(i);
            for k in 0..i {
                x[i] -= T::splat(self.root[row + k]) * x[k];
            }
            x[i] *= T::splat(self.root[row + i]);
        }
        x
    }
}

#[inline(always)]
fn splat<T: Lane>(v: Vec3) -> Vec3<T> {
    Vec3::new(T::splat(v.x), T::splat(v.y), T::splat(v.z))
}

#[inline(always)]
fn splat_six<T: Lane>(v: &Six) -> Six<T> {
    Six::new(splat(v.lin), splat(v.ang))
}
