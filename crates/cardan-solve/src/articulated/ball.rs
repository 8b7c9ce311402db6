//! Spherical links: one point is kept together and all rotations are free. N = (r × e, e) for every e, with r
//! the arm from the block's centre to the point.
//!
//! With D = [[A, B], [Bᵀ, C]] and F = (f, τ) about the point, and no condition on ω:
//!
//! ```text
//! C = L Δ Lᵀ,   G = C⁻¹ Bᵀ,   Λ = A − B G,   φ = f − Gᵀ τ,   z = C⁻¹ τ
//! D_p += Eᵀ Λ E,   F_p += Eᵀ (φ − Λ γ),      E = [1, −[t]×],   t = d + r
//! back:  y = E x_p + γ,   ω = z − G y,   x = (y + r × ω, ω),   load = (l, r × l),   l = Λ y − φ
//! ```
//!
//! γ: acceleration of the point relative to the parent. y: acceleration of the point. This is the freedoms
//! form with the three columns eliminated at once. The load passes through the point exactly.

use super::node::LEAF;
use super::{Node, NodeInput};
use crate::lane::Lane;
use crate::math::{Mat3, Six, Sym3, Sym6, Vec3, minus_outer3};

impl<T: Lane> Node<T> {
    /// Eliminates a node with a spherical link; `given.first.lin` is r. Stored: Λ, G by rows and L with 1/Δ
    /// in `diag`, r and t in `first`, φ and z in `carried_image`, γ of the point in `gamma`.
    #[inline(always)]
    pub(super) fn eliminate_ball<const KIND: u8>(
        &mut self,
        given: &NodeInput<T>,
        sum: &(Sym6<T>, Six<T>),
    ) -> (bool, Sym6<T>, Six<T>) {
        let NodeInput { mass, inertia, force, gamma, shift, first, .. } = *given;
        let arm = first.lin;
        let at_point = match KIND {
            LEAF => Sym6::of_mass(mass, inertia).carried_back_block_diagonal(-arm),
            _ => with_mass(mass, &inertia, &sum.0).carried_back(-arm),
        };
        self.force = if KIND == LEAF { force } else { force + sum.1 };
        (self.gamma, self.shift) = (gamma, shift);
        self.first = Six::new(arm, shift + arm);
        let fine = self.factor_ball(&at_point);
        let handed = self.forward_ball();
        (fine, Sym6::of_point(&self.diag.a, self.first.ang), handed)
    }

    /// Computes Λ, G, L and 1/Δ.
    #[inline(always)]
    fn factor_ball(&mut self, at_point: &Sym6<T>) -> bool {
        let Sym6 { a, b, c } = at_point;
        let first = T::ONE / c.xx;
        let (l_yx, l_zx) = (c.xy * first, c.xz * first);
        let pivot = c.yy - l_yx * c.xy;
        let second = T::ONE / pivot;
        let left = c.yz - l_yx * c.xz;
        let l_zy = left * second;
        let last_pivot = c.zz - l_zx * c.xz - l_zy * left;
        let third = T::ONE / last_pivot;
        // L⁻¹ Bᵀ by rows, then Δ⁻¹ L⁻¹ Bᵀ, and G.
        let w_x = b.x;
        let w_y = b.y - w_x * l_yx;
        let w_z = b.z - w_x * l_zx - w_y * l_zy;
        let (e_x, e_y, e_z) = (w_x * first, w_y * second, w_z * third);
        let held = minus_outer3(&minus_outer3(&minus_outer3(a, w_x, e_x), w_y, e_y), w_z, e_z);
        let g_z = e_z;
        let g_y = e_y - g_z * l_zy;
        let g_x = e_x - g_y * l_yx - g_z * l_zx;
        self.diag = Sym6 {
            a: held,
            b: Mat3 { x: g_x, y: g_y, z: g_z },
            c: Sym3 { xx: first, yy: second, zz: third, xy: l_yx, xz: l_zx, yz: l_zy },
        };
        c.xx.is_positive() && pivot.is_positive() && last_pivot.is_positive()
    }

    /// φ and z of a force at the block's centre.
    #[inline(always)]
    fn ball_force(&self, force: &Six<T>) -> Six<T> {
        let tau = force.ang - self.first.lin.cross(force.lin);
        let (g, c) = (&self.diag.b, &self.diag.c);
        let u_y = tau.y - c.xy * tau.x;
        let u_z = tau.z - c.xz * tau.x - c.yz * u_y;
        let z_z = u_z * c.zz;
        let z_y = u_y * c.yy - c.yz * z_z;
        let z_x = tau.x * c.xx - c.xy * z_y - c.xz * z_z;
        Six::new(force.lin - *g * tau, Vec3::new(z_x, z_y, z_z))
    }

    /// x, from φ and z and the motion y of the point.
    #[inline(always)]
    fn ball_answer(&self, force: &Six<T>, y: Vec3<T>) -> Six<T> {
        let omega = force.ang - self.diag.b.transpose_mul(y);
        Six::new(y + self.first.lin.cross(omega), omega)
    }

    /// The load (l, r × l), from the motion y of the point.
    #[inline(always)]
    pub(super) fn load_of_ball(&self, y: Vec3<T>) -> Six<T> {
        let load = self.diag.a * y - self.carried_image.lin;
        Six::new(load, self.first.lin.cross(load))
    }

    /// γ of the point, from γ at the block's centre.
    #[inline(always)]
    fn ball_gamma(&self) -> Vec3<T> {
        self.gamma.lin + self.gamma.ang.cross(self.first.lin)
    }

    /// Forward substitution: φ and z of `force`; returns what is added to the force of the parent.
    #[inline(always)]
    pub(super) fn forward_ball(&mut self) -> Six<T> {
        let y = self.ball_gamma();
        self.carried_image = self.ball_force(&self.force);
        self.gamma = Six::new(y, Vec3::ZERO);
        let handed = self.carried_image.lin - self.diag.a * y;
        Six::new(handed, self.first.ang.cross(handed))
    }

    /// Forward substitution of a second right-hand side, with γ times `part`.
    #[inline(always)]
    pub(super) fn forward_ball_second(&self, second: &mut Six<T>, part: T) -> Six<T> {
        *second = self.ball_force(second);
        let handed = second.lin - (self.diag.a * self.gamma.lin) * part;
        Six::new(handed, self.first.ang.cross(handed))
    }

    /// Back substitution: x, and the motion of the point.
    #[inline(always)]
    pub(super) fn back_ball(&mut self, parent: &Six<T>) -> (Six<T>, Vec3<T>) {
        let y = parent.carried(self.first.ang).lin + self.gamma.lin;
        let x = self.ball_answer(&self.carried_image, y);
        self.x = x;
        (x, y)
    }

    /// Back substitution of a second right-hand side: x.
    #[inline(always)]
    pub(super) fn back_ball_second(&self, second: &Six<T>, parent: &Six<T>, part: T) -> Six<T> {
        let y = parent.carried(self.first.ang).lin + self.gamma.lin * part;
        self.ball_answer(second, y)
    }
}

/// diag(m 1, I) + sum.
#[inline(always)]
pub(super) fn with_mass<T: Lane>(mass: T, inertia: &Sym3<T>, sum: &Sym6<T>) -> Sym6<T> {
    let a = Sym3 { xx: mass + sum.a.xx, yy: mass + sum.a.yy, zz: mass + sum.a.zz, ..sum.a };
    Sym6 { a, b: sum.b, c: *inertia + sum.c }
}
