//! N and γ of revolute and spherical joints in SIMD registers of three components (AVX2). The
//! arithmetic and its order are those of `hinge_or_ball.rs`, so that the bits are the same.

use crate::body::Motion;
use crate::math::Mat3;
use crate::step::articulated::fill::{OPEN_JOINTS, SimdAxes};
use crate::step::articulated::tree_joint::TreeJoint;
use cardan_solve::articulated::f64x3::{Avx2, F64x3, cross};

impl TreeJoint {
    /// Shift d, and N (or the arm of a spherical joint) where b is the child; `axes` are the
    /// child's.
    #[inline(always)]
    pub(crate) fn write_simd_geometry<const BALL: bool>(
        &self,
        avx2: Avx2,
        motions: &[Motion],
        axes: &SimdAxes,
    ) -> (F64x3, [F64x3; 2]) {
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let shift = F64x3::load(avx2, &b.pos) - F64x3::load(avx2, &a.pos);
        let arm = axes.turn(avx2, &self.pos_b);
        if BALL {
            return (shift, [arm, F64x3::splat(avx2, 0.0)]);
        }
        let z_b = axes.turn(avx2, &self.z_b);
        (shift, [cross(arm, z_b), z_b])
    }

    /// Shift d, N (or the arm of a spherical joint) and γ where b is the child.
    #[inline(always)]
    pub(crate) fn write_simd<const EXTENT: u8, const BALL: bool>(
        &self,
        avx2: Avx2,
        motions: &[Motion],
        axes: &SimdAxes,
    ) -> (F64x3, [F64x3; 2], [F64x3; 2]) {
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let of =
            |m: &Motion| [F64x3::load(avx2, &m.pos), F64x3::load(avx2, &m.vel), F64x3::load(avx2, &m.omega)];
        self.write_wide_of::<EXTENT, BALL>(avx2, (of(a), of(b)), axes, &a.axes)
    }

    /// Shift d, N (or the arm of a spherical joint) and γ, from position, velocity and angular
    /// velocity of a and b. The axes of a are used only if the joint may be open.
    #[inline(always)]
    pub(crate) fn write_wide_of<const EXTENT: u8, const BALL: bool>(
        &self,
        avx2: Avx2,
        ([pos_a, vel_a, omega_a], [pos_b, vel_b, omega_b]): ([F64x3; 3], [F64x3; 3]),
        axes: &SimdAxes,
        axes_a: &Mat3,
    ) -> (F64x3, [F64x3; 2], [F64x3; 2]) {
        let arm = axes.turn(avx2, &self.pos_b);
        let spin = cross(omega_b, arm);
        let seen = vel_b + spin - vel_a;
        let carried = cross(omega_a, pos_b + arm - pos_a);
        let bias = cross(omega_b, spin) - cross(omega_a, seen + seen - carried);
        let shift = pos_b - pos_a;
        if BALL {
            let zero = F64x3::splat(avx2, 0.0);
            return (shift, [arm, zero], [-bias, zero]);
        }
        let z_b = axes.turn(avx2, &self.z_b);
        let mut turn = cross(omega_a, omega_b);
        if EXTENT == OPEN_JOINTS {
            // The arithmetic of `axis_curvature`.
            let z_a = SimdAxes::load(avx2, axes_a).turn(avx2, &self.z_a);
            let spin = omega_b - omega_a;
            let along = (spin * z_b).sum();
            let follow = (along * along - (spin * spin).sum()) / (z_b * z_a).sum();
            let curve = z_a * F64x3::splat(avx2, follow) - spin * F64x3::splat(avx2, along);
            turn = turn + cross(z_b, curve);
        }
        (shift, [cross(arm, z_b), z_b], [cross(arm, turn) - bias, turn])
    }
}
