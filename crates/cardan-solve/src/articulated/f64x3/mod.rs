//! AVX2 kernels of the articulated elimination: one 3-vector per register.
//!
//! A vector is one register (x, y, z). A symmetric 3×3 block is two, its diagonal (xx, yy, zz) and (xy, yz,
//! zx). A general block is three: b₀ = B_ii, b₁ = B_i,i+1 and b₂ = B_i,i+2. A prime is the cyclic shift, v' =
//! (y, z, x):
//!
//! ```text
//! B v = b₀ v + b₁ v' + b₂ v''        Bᵀ v = b₀ v + b₂' v' + b₁'' v''        a × b = (a b' − a' b)'
//! ```
//!
//! The scalar kernels sum in the same order, so both give the same bits. They run on machines without AVX2,
//! and tests compare the two ([`Avx2::disable`]).
//!
//! This file has more than 600 lines because elimination and back substitution, with all functions that are
//! inlined into them, form one kernel: they share register layouts, and a change of one is checked against
//! the other.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod ball_pass;
#[cfg(not(target_arch = "x86_64"))]
mod stub;

#[cfg(target_arch = "x86_64")]
use avx2 as machine;
pub use machine::{Avx2, Avx2Task, F64x3, PaddedF64x3, blend};
#[cfg(not(target_arch = "x86_64"))]
use stub as machine;

use super::loops::LoopClosures;
use super::{ALL_LOADS, ArticulatedForest, FillNodes, Node, NodeExtra, NodeInput, ROOT_LOADS, TakeSolution};
use crate::graph::{NONE, index_u32};
use crate::lane::Task;
use crate::math::{Mat3, Six, Sym3, Sym6, Vec3};
use ball_pass::BallState;
use machine::store_node;

#[cfg(test)]
mod tests;

/// Runs a task compiled for AVX2 if the machine has it. Scalar code gets shorter by that too; but where
/// numbers are written one by one and read at once as vectors it may be slower, so this is for long sweeps
/// that were measured.
#[inline(always)]
pub fn run_vectorized<W: Task>(task: W) -> W::Output {
    match Avx2::detect() {
        Some(avx2) => avx2.run(VectorizedTask(task)),
        None => task.run(),
    }
}

struct VectorizedTask<W>(W);

impl<W: Task> Avx2Task for VectorizedTask<W> {
    type Output = W::Output;
    #[inline(always)]
    fn run(self, _: Avx2) -> W::Output {
        self.0.run()
    }
}

/// [`NodeInput`] in AVX2 registers.
#[derive(Copy, Clone, Debug)]
pub struct NodeInputSimd {
    /// m, three times.
    pub mass: F64x3,
    /// I: the diagonal, and the off-diagonal entries.
    pub inertia: [F64x3; 2],
    /// F.
    pub force: [F64x3; 2],
    /// γ.
    pub gamma: [F64x3; 2],
    /// d.
    pub shift: F64x3,
    /// N, or the arm of a spherical link.
    pub first: [F64x3; 2],
    /// τ along the one freedom.
    pub effort: f64,
    /// A + h C + h² K along the one freedom.
    pub joint_inertia: f64,
}

impl NodeInputSimd {
    /// Loads scalar input.
    #[inline(always)]
    pub fn of(avx2: Avx2, input: &NodeInput) -> Self {
        NodeInputSimd {
            mass: F64x3::splat(avx2, input.mass),
            inertia: F64x3::load_sym(avx2, &input.inertia),
            force: six(avx2, &input.force),
            gamma: six(avx2, &input.gamma),
            shift: F64x3::load(avx2, &input.shift),
            first: six(avx2, &input.first),
            effort: input.effort,
            joint_inertia: input.joint_inertia,
        }
    }
}

/// Both halves of a six-vector.
#[inline(always)]
fn six(avx2: Avx2, v: &Six) -> [F64x3; 2] {
    [F64x3::load(avx2, &v.lin), F64x3::load(avx2, &v.ang)]
}

/// A vector and its two cyclic shifts.
#[derive(Copy, Clone)]
struct CyclicShifts(F64x3, F64x3, F64x3);

#[inline(always)]
fn cyclic_shifts(v: F64x3) -> CyclicShifts {
    CyclicShifts(v, v.yzx(), v.zxy())
}

/// a × b.
#[inline(always)]
pub fn cross(a: F64x3, b: F64x3) -> F64x3 {
    (a * b.yzx() - a.yzx() * b).yzx()
}

/// [`Six::dot`].
#[inline(always)]
fn dot(a: [F64x3; 2], b: [F64x3; 2]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]).sum()
}

/// A symmetric block times a vector.
#[inline(always)]
fn times_sym(m: [F64x3; 2], v: CyclicShifts) -> F64x3 {
    m[0] * v.0 + m[1] * v.1 + m[1].zxy() * v.2
}

/// I v.
#[inline(always)]
pub fn times(inertia: [F64x3; 2], v: F64x3) -> F64x3 {
    times_sym(inertia, cyclic_shifts(v))
}

/// A symmetric 6×6 matrix.
#[derive(Copy, Clone)]
struct Sym6Simd {
    a: [F64x3; 2],
    b: [F64x3; 3],
    c: [F64x3; 2],
}

impl Sym6Simd {
    /// [`Sym6::mul`].
    #[inline(always)]
    fn mul(&self, v: [F64x3; 2]) -> [F64x3; 2] {
        let (l, w, b) = (cyclic_shifts(v[0]), cyclic_shifts(v[1]), &self.b);
        let along = b[0] * w.0 + b[1] * w.1 + b[2] * w.2;
        let about = b[0] * l.0 + b[2].yzx() * l.1 + b[1].zxy() * l.2;
        [times_sym(self.a, l) + along, about + times_sym(self.c, w)]
    }

    /// [`Sym6::mul`]; for a leaf the product with diag(m 1, I).
    #[inline(always)]
    fn image<const LEAF: bool>(&self, v: [F64x3; 2]) -> [F64x3; 2] {
        if LEAF { [v[0] * self.a[0], times(self.c, v[1])] } else { self.mul(v) }
    }

    /// [`Sym6::carried_back`].
    #[inline(always)]
    fn carried_back(&self, d: CyclicShifts) -> Self {
        let CyclicShifts(d, d1, d2) = d;
        let (a, b, c) = (&self.a, &self.b, &self.c);
        let a2 = a[1].zxy();
        let m = [b[0] - (a[1] * d2 - a2 * d1), b[1] - (a2 * d - a[0] * d2), b[2] - (a[0] * d1 - a[1] * d)];
        let c = [
            c[0] + (d1 * m[1].zxy() - d2 * m[2].yzx()) + (d1 * b[1].zxy() - d2 * b[2].yzx()),
            c[1] + (d1 * m[2].zxy() - d2 * m[0].yzx()) + (d2 * b[0] - d * b[1].zxy()),
        ];
        Sym6Simd { a: *a, b: m, c }
    }

    /// [`Sym6::carried_back_block_diagonal`] of diag(m 1, I).
    #[inline(always)]
    fn of_mass_carried_back(zero: F64x3, mass: F64x3, i: [F64x3; 2], d: F64x3) -> Self {
        let md = d * mass;
        let square = md * d;
        let c = [i[0] + (square.yzx() + square.zxy()), i[1] - md * d.yzx()];
        Sym6Simd { a: [mass, zero], b: [zero, md.zxy(), -md.yzx()], c }
    }

    /// [`Sym6::of_point`].
    #[inline(always)]
    fn of_point(a: [F64x3; 2], d: CyclicShifts) -> Self {
        let CyclicShifts(d, d1, d2) = d;
        let a2 = a[1].zxy();
        let b = [a2 * d1 - a[1] * d2, a[0] * d2 - a2 * d, a[1] * d - a[0] * d1];
        let c = [d1 * b[1].zxy() - d2 * b[2].yzx(), d1 * b[2].zxy() - d2 * b[0].yzx()];
        Sym6Simd { a, b, c }
    }

    /// [`Sym6::minus_outer`].
    #[inline(always)]
    fn minus_outer(&self, w: [F64x3; 2], s: F64x3) -> Self {
        let scaled = [w[0] * s, w[1] * s];
        let (about, beside) = (cyclic_shifts(scaled[1]), scaled[0].yzx());
        let (a, b, c) = (&self.a, &self.b, &self.c);
        Sym6Simd {
            a: [a[0] - w[0] * scaled[0], a[1] - w[0] * beside],
            b: [b[0] - w[0] * about.0, b[1] - w[0] * about.1, b[2] - w[0] * about.2],
            c: [c[0] - w[1] * about.0, c[1] - w[1] * about.1],
        }
    }

    /// B by columns, from its diagonals.
    #[inline(always)]
    fn columns(&self) -> [F64x3; 3] {
        let [b, b1, b2] = self.b;
        [blend(b, b2, b1), blend(b1, b, b2), blend(b2, b1, b)]
    }

    /// Loads D of a node.
    #[inline(always)]
    fn load(avx2: Avx2, diag: &Sym6) -> Self {
        let b = &diag.b;
        let (x, y, z) = (F64x3::load(avx2, &b.x), F64x3::load(avx2, &b.y), F64x3::load(avx2, &b.z));
        Sym6Simd {
            a: F64x3::load_sym(avx2, &diag.a),
            b: [blend(x, y, z), blend(y, z, x), blend(z, x, y)],
            c: F64x3::load_sym(avx2, &diag.c),
        }
    }
}

/// Sum of what children add to their parent: D and F.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct SimdChildSum([PaddedF64x3; 9]);

impl SimdChildSum {
    #[inline(always)]
    fn load(&self, avx2: Avx2) -> (Sym6Simd, [F64x3; 2]) {
        let [a, a1, b, b1, b2, c, c1, lin, ang] = &self.0;
        let block = Sym6Simd {
            a: [F64x3::from_padded(avx2, a), F64x3::from_padded(avx2, a1)],
            b: [F64x3::from_padded(avx2, b), F64x3::from_padded(avx2, b1), F64x3::from_padded(avx2, b2)],
            c: [F64x3::from_padded(avx2, c), F64x3::from_padded(avx2, c1)],
        };
        (block, [F64x3::from_padded(avx2, lin), F64x3::from_padded(avx2, ang)])
    }
    #[inline(always)]
    fn store(&mut self, block: &Sym6Simd, force: [F64x3; 2]) {
        let [a, a1, b, b1, b2, c, c1, lin, ang] = &mut self.0;
        block.a[0].pad(a);
        block.a[1].pad(a1);
        block.b[0].pad(b);
        block.b[1].pad(b1);
        block.b[2].pad(b2);
        block.c[0].pad(c);
        block.c[1].pad(c1);
        force[0].pad(lin);
        force[1].pad(ang);
    }
    #[inline(always)]
    fn add(&mut self, avx2: Avx2, block: &Sym6Simd, force: [F64x3; 2]) {
        let (sum, so_far) = self.load(avx2);
        let (a, b, c) = (&block.a, &block.b, &block.c);
        let both = Sym6Simd {
            a: [sum.a[0] + a[0], sum.a[1] + a[1]],
            b: [sum.b[0] + b[0], sum.b[1] + b[1], sum.b[2] + b[2]],
            c: [sum.c[0] + c[0], sum.c[1] + c[1]],
        };
        self.store(&both, [so_far[0] + force[0], so_far[1] + force[1]]);
    }
    /// D and F as the scalar kernels have them.
    fn scalar(&self) -> (Sym6, Six) {
        let vec = |k: usize| Vec3::new(self.0[k].0[0], self.0[k].0[1], self.0[k].0[2]);
        let sym = |k: usize| {
            let (d, o) = (vec(k), vec(k + 1));
            Sym3 { xx: d.x, yy: d.y, zz: d.z, xy: o.x, yz: o.y, xz: o.z }
        };
        let (b, b1, b2) = (vec(2), vec(3), vec(4));
        let columns = Mat3 {
            x: Vec3::new(b.x, b2.y, b1.z),
            y: Vec3::new(b1.x, b.y, b2.z),
            z: Vec3::new(b2.x, b1.y, b.z),
        };
        (Sym6 { a: sym(0), b: columns, c: sym(5) }, Six::new(vec(7), vec(8)))
    }
}

/// [`Node::eliminate_one_dof`]; a root hands nothing on.
#[inline(always)]
fn eliminate_one_dof<const LEAF: bool>(
    avx2: Avx2,
    node: &mut Node,
    given: &NodeInputSimd,
    (sums, depth): (&mut [SimdChildSum], usize),
) -> bool {
    let NodeInputSimd { mass, inertia, gamma, shift, first, force, effort, joint_inertia } = *given;
    let zero = F64x3::splat(avx2, 0.0);
    let mut diag = Sym6Simd { a: [mass, zero], b: [zero; 3], c: inertia };
    let mut force = force;
    if !LEAF {
        let (block, extra) = sums[depth].load(avx2);
        diag = Sym6Simd {
            a: [mass + block.a[0], block.a[1]],
            b: block.b,
            c: [inertia[0] + block.c[0], inertia[1] + block.c[1]],
        };
        force = [force[0] + extra[0], force[1] + extra[1]];
    }
    let image = diag.image::<LEAF>(first);
    let size = dot(first, image) + joint_inertia;
    let inverse = 1.0 / size;
    let carried = [image[0], image[1] + cross(shift, image[0])];
    let of_gamma = diag.image::<LEAF>(gamma);
    let r = [force[0] - of_gamma[0], force[1] - of_gamma[1]];
    let is_passed_root = node.parent == NONE && node.is_one_dof_in_loop();
    let along = if is_passed_root { dot(first, force) - dot(image, gamma) } else { dot(first, r) };
    let projection = (along + effort) * inverse;
    let columns = diag.columns();
    // A root has no parent, and its image is stored as it is, as in `eliminate_freedoms`.
    let kept = if is_passed_root { image } else { carried };
    store_node(
        node,
        [
            diag.a[0], diag.a[1], columns[0], columns[1], columns[2], diag.c[0], diag.c[1], force[0],
            force[1], gamma[0], gamma[1], shift, first[0], first[1], kept[0], kept[1],
        ],
    );
    (node.inverse, node.projection) = (inverse, projection);
    (node.effort, node.joint_inertia) = (effort, joint_inertia);
    if node.parent == NONE {
        return size > 0.0;
    }
    let r_carried = [r[0], r[1] + cross(shift, r[0])];
    let moved = match LEAF {
        true => Sym6Simd::of_mass_carried_back(zero, mass, inertia, shift),
        false => diag.carried_back(cyclic_shifts(shift)),
    };
    let left = moved.minus_outer(carried, F64x3::splat(avx2, inverse));
    let part = F64x3::splat(avx2, projection);
    let handed = [r_carried[0] - carried[0] * part, r_carried[1] - carried[1] * part];
    add_to_parent(avx2, node, (sums, depth), &left, handed);
    size > 0.0
}

/// [`Node::eliminate_ball`]; a root hands nothing on. Loop closures that pass are carried on; they come with
/// the loop step of the parent.
#[inline(always)]
fn eliminate_ball<const LEAF: bool>(
    avx2: Avx2,
    node: &mut Node,
    given: &NodeInputSimd,
    (sums, depth): (&mut [SimdChildSum], usize),
    passing: Option<(&mut LoopClosures<f64>, u32)>,
) -> bool {
    let NodeInputSimd { mass, inertia, gamma, shift, first: [arm, _], force, .. } = *given;
    let zero = F64x3::splat(avx2, 0.0);
    let mut force = force;
    let at_point = if LEAF {
        Sym6Simd::of_mass_carried_back(zero, mass, inertia, -arm)
    } else {
        let (block, extra) = sums[depth].load(avx2);
        force = [force[0] + extra[0], force[1] + extra[1]];
        let c = [inertia[0] + block.c[0], inertia[1] + block.c[1]];
        Sym6Simd { a: [mass + block.a[0], block.a[1]], b: block.b, c }.carried_back(cyclic_shifts(-arm))
    };
    // L Δ Lᵀ = C.
    let ([xx, yy, zz], [xy, yz, xz]) = (at_point.c[0].to_array(), at_point.c[1].to_array());
    let x_inverse = 1.0 / xx;
    let (l_yx, l_zx) = (xy * x_inverse, xz * x_inverse);
    let y_pivot = yy - l_yx * xy;
    let y_inverse = 1.0 / y_pivot;
    let rest = yz - l_yx * xz;
    let l_zy = rest * y_inverse;
    let z_pivot = zz - l_zx * xz - l_zy * rest;
    let z_inverse = 1.0 / z_pivot;
    let fine = xx > 0.0 && y_pivot > 0.0 && z_pivot > 0.0;
    let (yx, zx, zy) = (F64x3::splat(avx2, l_yx), F64x3::splat(avx2, l_zx), F64x3::splat(avx2, l_zy));
    // L⁻¹ Bᵀ by rows, then Δ⁻¹ L⁻¹ Bᵀ, Λ and G.
    let [w_x, b_y, b_z] = at_point.columns();
    let w_y = b_y - w_x * yx;
    let w_z = b_z - w_x * zx - w_y * zy;
    let e_x = w_x * F64x3::splat(avx2, x_inverse);
    let e_y = w_y * F64x3::splat(avx2, y_inverse);
    let e_z = w_z * F64x3::splat(avx2, z_inverse);
    let a = at_point.a;
    let held = [
        a[0] - w_x * e_x - w_y * e_y - w_z * e_z,
        a[1] - w_x * e_x.yzx() - w_y * e_y.yzx() - w_z * e_z.yzx(),
    ];
    let g_z = e_z;
    let g_y = e_y - g_z * zy;
    let g_x = e_x - g_y * yx - g_z * zx;
    // φ and z.
    let tau = force[1] - cross(arm, force[0]);
    let turning = g_x * tau.broadcast::<0>() + g_y * tau.broadcast::<1>() + g_z * tau.broadcast::<2>();
    let phi = force[0] - turning;
    let [t_x, t_y, t_z] = tau.to_array();
    let u_y = t_y - l_yx * t_x;
    let u_z = t_z - l_zx * t_x - l_zy * u_y;
    let z_z = u_z * z_inverse;
    let z_y = u_y * y_inverse - l_zy * z_z;
    let z_x = t_x * x_inverse - l_yx * z_y - l_zx * z_z;
    let y = gamma[0] + cross(gamma[1], arm);
    let to_point = shift + arm;
    store_node(
        node,
        [
            held[0], held[1], g_x, g_y, g_z, zero, zero, force[0], force[1], y, zero, shift, arm, to_point,
            phi, zero,
        ],
    );
    let factor = Sym3 { xx: x_inverse, yy: y_inverse, zz: z_inverse, xy: l_yx, xz: l_zx, yz: l_zy };
    node.diag.c = factor;
    node.carried_image.ang = Vec3::new(z_x, z_y, z_z);
    if node.parent != NONE {
        let q = phi - times(held, y);
        let left = Sym6Simd::of_point(held, cyclic_shifts(to_point));
        add_to_parent(avx2, node, (sums, depth), &left, [q, cross(to_point, q)]);
    }
    if let Some((closures, next)) = passing {
        let side = [y, F64x3::new(avx2, z_x, z_y, z_z)];
        let held = BallState { arm, to_point, g: [g_x, g_y, g_z], side, factor, next };
        ball_pass::pass(avx2, closures, node, &held);
    }
    fine
}

/// Adds what is left of a node to its parent's sum: the last one below `depth`, or a new one. Every branch
/// does this itself; merged branches would pass all of it through memory.
#[inline(always)]
fn add_to_parent(
    avx2: Avx2,
    node: &Node,
    (sums, depth): (&mut [SimdChildSum], usize),
    left: &Sym6Simd,
    force: [F64x3; 2],
) {
    if node.is_first {
        sums[depth].store(left, force);
    } else {
        sums[depth - 1].add(avx2, left, force);
    }
}

/// Elimination from the leaves to the roots, by AVX2 kernels if there is AVX2. Returns the first node whose
/// pivot is not positive, or [`NONE`].
#[inline(always)]
pub(crate) fn eliminate<F: FillNodes<f64>>(articulated: &mut ArticulatedForest, fill: &mut F) -> u32 {
    match Avx2::detect() {
        Some(avx2) => avx2.run(EliminateSimd { articulated, fill }),
        None => articulated.eliminate_all(fill),
    }
}

struct EliminateSimd<'s, F> {
    articulated: &'s mut ArticulatedForest,
    fill: &'s mut F,
}

impl<F: FillNodes<f64>> Avx2Task for EliminateSimd<'_, F> {
    type Output = u32;
    #[inline(always)]
    fn run(self, avx2: Avx2) -> u32 {
        let EliminateSimd { articulated, fill } = self;
        let (mut depth, mut failed) = (0, NONE);
        for at in 0..articulated.nodes.len() {
            let node = &mut articulated.nodes[at];
            depth -= usize::from(node.has_children);
            let fine = if node.is_one_dof() || node.is_one_dof_in_loop() {
                let sums = (&mut articulated.simd_sums[..], depth);
                let extra = &mut articulated.extra[articulated.extra_at[at] as usize];
                let own = articulated.joint_inertias.get(at).copied();
                let fine = match fill.input_simd::<false>(avx2, at) {
                    Some(mut given) => {
                        if let Some(inertia) = own {
                            given.joint_inertia = inertia;
                        }
                        match node.has_children {
                            true => eliminate_one_dof::<false>(avx2, node, &given, sums),
                            false => eliminate_one_dof::<true>(avx2, node, &given, sums),
                        }
                    }
                    None => eliminate_scalar_input::<false, F>(avx2, fill, (at, own), (node, extra), sums),
                };
                if node.is_one_dof_in_loop() {
                    articulated.closures.pass(node.loop_step, node, extra);
                }
                fine
            } else if node.is_ball && node.loop_step != NONE {
                eliminate_ball_in_loop(avx2, articulated, fill, (at, depth))
            } else if node.is_ball {
                let sums = (&mut articulated.simd_sums[..], depth);
                match fill.input_simd::<true>(avx2, at) {
                    Some(given) if node.has_children => {
                        eliminate_ball::<false>(avx2, node, &given, sums, None)
                    }
                    Some(given) => eliminate_ball::<true>(avx2, node, &given, sums, None),
                    None => {
                        let extra = &mut articulated.extra[articulated.extra_at[at] as usize];
                        eliminate_scalar_input::<true, F>(avx2, fill, (at, None), (node, extra), sums)
                    }
                }
            } else {
                let extra = &mut articulated.extra[articulated.extra_at[at] as usize];
                node.clear_joint_input(extra);
                fill.fill_node(at, node, extra);
                node.take_joint_inertia(&articulated.joint_inertias, at);
                if node.has_children {
                    articulated.sums[depth] = articulated.simd_sums[depth].scalar();
                }
                let (fine, left, force) = articulated.eliminate(at, depth);
                let node = &articulated.nodes[at];
                if node.parent != NONE {
                    let sums = (&mut articulated.simd_sums[..], depth);
                    add_to_parent(avx2, node, sums, &Sym6Simd::load(avx2, &left), six(avx2, &force));
                }
                fine
            };
            depth += usize::from(articulated.nodes[at].is_first);
            if !fine && failed == NONE {
                failed = index_u32(at);
            }
        }
        failed
    }
}

/// A node of the one-freedom or the spherical kernel with scalar input. A function of its own, so that nodes
/// with SIMD input need not pass it through memory.
#[inline(never)]
fn eliminate_scalar_input<const BALL: bool, F: FillNodes<f64>>(
    avx2: Avx2,
    fill: &mut F,
    (at, inertia): (usize, Option<f64>),
    (node, extra): (&mut Node, &mut NodeExtra),
    sums: (&mut [SimdChildSum], usize),
) -> bool {
    let mut given = match node.is_reversed() {
        true => fill.input::<BALL, true>(at, node, extra),
        false => fill.input::<BALL, false>(at, node, extra),
    };
    if let Some(inertia) = inertia {
        given.joint_inertia = inertia;
    }
    avx2.run(EliminateScalarInput::<BALL> { node, given, sums })
}

struct EliminateScalarInput<'s, const BALL: bool> {
    node: &'s mut Node,
    given: NodeInput,
    sums: (&'s mut [SimdChildSum], usize),
}

impl<const BALL: bool> Avx2Task for EliminateScalarInput<'_, BALL> {
    type Output = bool;
    #[inline(always)]
    fn run(self, avx2: Avx2) -> bool {
        let EliminateScalarInput { node, given, sums } = self;
        let given = NodeInputSimd::of(avx2, &given);
        match (BALL, node.has_children) {
            (false, true) => eliminate_one_dof::<false>(avx2, node, &given, sums),
            (false, false) => eliminate_one_dof::<true>(avx2, node, &given, sums),
            (true, true) => eliminate_ball::<false>(avx2, node, &given, sums, None),
            (true, false) => eliminate_ball::<true>(avx2, node, &given, sums, None),
        }
    }
}

/// A node with a spherical link that loops pass. A function of its own, which keeps the loop over other nodes
/// short.
#[inline(never)]
fn eliminate_ball_in_loop<F: FillNodes<f64>>(
    avx2: Avx2,
    articulated: &mut ArticulatedForest,
    fill: &mut F,
    place: (usize, usize),
) -> bool {
    avx2.run(EliminateBallInLoop { articulated, fill, place })
}

struct EliminateBallInLoop<'s, F> {
    articulated: &'s mut ArticulatedForest,
    fill: &'s mut F,
    /// Its index, and its depth.
    place: (usize, usize),
}

impl<F: FillNodes<f64>> Avx2Task for EliminateBallInLoop<'_, F> {
    type Output = bool;
    #[inline(always)]
    fn run(self, avx2: Avx2) -> bool {
        let EliminateBallInLoop { articulated, fill, place: (at, depth) } = self;
        let next = LoopClosures::next_loop_step(&articulated.nodes, at);
        let (node, extra) =
            (&mut articulated.nodes[at], &mut articulated.extra[articulated.extra_at[at] as usize]);
        let given = match fill.input_simd::<true>(avx2, at) {
            Some(given) => given,
            None if node.is_reversed() => NodeInputSimd::of(avx2, &fill.input::<true, true>(at, node, extra)),
            None => NodeInputSimd::of(avx2, &fill.input::<true, false>(at, node, extra)),
        };
        let (sums, passing) =
            ((&mut articulated.simd_sums[..], depth), Some((&mut articulated.closures, next)));
        match node.has_children {
            true => eliminate_ball::<false>(avx2, node, &given, sums, passing),
            false => eliminate_ball::<true>(avx2, node, &given, sums, passing),
        }
    }
}

/// Back substitution from the roots to the leaves.
#[inline(always)]
pub(crate) fn backward<const LOADS: u8, A: TakeSolution<f64>>(
    articulated: &mut ArticulatedForest,
    answer: A,
) {
    match Avx2::detect() {
        Some(avx2) => avx2.run(BackwardSimd::<LOADS, A> { articulated, answer }),
        None => articulated.back_all::<LOADS>(answer),
    }
}

struct BackwardSimd<'s, const LOADS: u8, A> {
    articulated: &'s mut ArticulatedForest,
    answer: A,
}

impl<const LOADS: u8, A: TakeSolution<f64>> Avx2Task for BackwardSimd<'_, LOADS, A> {
    type Output = ();
    #[inline(always)]
    fn run(self, avx2: Avx2) {
        let BackwardSimd { articulated, mut answer } = self;
        articulated.closures.answer_on_ground::<1>();
        let zero = F64x3::splat(avx2, 0.0);
        // In a chain the parent is the node before: its unknowns are in registers, unless a scalar kernel
        // found them.
        let (mut last, mut is_last_simd) = ([zero, zero], false);
        for at in (0..articulated.nodes.len()).rev() {
            let (here, above) = articulated.nodes.split_at_mut(at + 1);
            let node = &mut here[at];
            if node.is_one_dof_in_loop() {
                let parent = match node.parent {
                    NONE => None,
                    parent if is_last_simd && parent as usize == at + 1 => Some(last),
                    parent => Some(F64x3::load_six(avx2, &above[parent as usize - at - 1].x)),
                };
                let extra = &mut articulated.extra[articulated.extra_at[at] as usize];
                if LOADS == ALL_LOADS || (LOADS == ROOT_LOADS && node.parent == NONE) {
                    let push = articulated.closures.push(node.loop_step, 0);
                    node.push(extra, &push);
                    last = back_one_dof_in_loop(avx2, node, parent, Some(&mut articulated.loads[at]));
                } else {
                    let [push] = articulated.closures.push_along::<1>(node.loop_step);
                    node.projection += push * node.inverse;
                    last = back_one_dof_in_loop(avx2, node, parent, None);
                }
                is_last_simd = true;
                F64x3::write_six(last, &mut node.x);
                if !answer.take_simd(avx2, at, last) {
                    answer.take(at, &Six::new(last[0].vec3(), last[1].vec3()));
                }
                continue;
            }
            if !(node.is_one_dof() || node.is_ball) {
                let parent = match node.parent {
                    NONE => Six::ZERO,
                    parent => above[parent as usize - at - 1].x,
                };
                let x = articulated.back::<LOADS>(at, parent);
                is_last_simd = false;
                answer.take(at, &x);
                continue;
            }
            let parent = match node.parent {
                NONE => [zero, zero],
                parent if is_last_simd && parent as usize == at + 1 => last,
                parent => F64x3::load_six(avx2, &above[parent as usize - at - 1].x),
            };
            is_last_simd = true;
            let has_load = LOADS == ALL_LOADS || (LOADS == ROOT_LOADS && node.parent == NONE);
            let load = if has_load { articulated.loads.get_mut(at) } else { None };
            last = if node.is_one_dof() {
                back_one_dof(avx2, node, parent, load)
            } else {
                let mut z = F64x3::load(avx2, &node.carried_image.ang);
                if node.loop_step != NONE {
                    if has_load {
                        node.carried_image.lin += articulated.closures.push(node.loop_step, 0).lin;
                    }
                    z = z + ball_pass::push(avx2, &articulated.closures, node.loop_step, 0);
                }
                back_ball(avx2, node, z, parent, load)
            };
            F64x3::write_six(last, &mut node.x);
            if !answer.take_simd(avx2, at, last) {
                answer.take(at, &Six::new(last[0].vec3(), last[1].vec3()));
            }
        }
    }
}

/// [`Node::back_one_dof`].
#[inline(always)]
fn back_one_dof(avx2: Avx2, node: &mut Node, parent: [F64x3; 2], load: Option<&mut Six>) -> [F64x3; 2] {
    let (shift, gamma, first) =
        (F64x3::load(avx2, &node.shift), six(avx2, &node.gamma), six(avx2, &node.first));
    let s = node.projection - dot(six(avx2, &node.carried_image), parent) * node.inverse;
    let part = F64x3::splat(avx2, s);
    node.first_answer = s;
    let x = [
        parent[0] + cross(parent[1], shift) + gamma[0] + first[0] * part,
        parent[1] + gamma[1] + first[1] * part,
    ];
    if let Some(load) = load {
        let force = six(avx2, &node.force);
        let image = if node.has_children {
            Sym6Simd::load(avx2, &node.diag).mul(x)
        } else {
            let mass = F64x3::splat(avx2, node.diag.a.xx);
            [x[0] * mass, times(F64x3::load_sym(avx2, &node.diag.c), x[1])]
        };
        F64x3::write_six([image[0] - force[0], image[1] - force[1]], load);
    }
    x
}

/// [`Node::back_freedoms`] for one freedom; a root has no parent.
#[inline(always)]
fn back_one_dof_in_loop(
    avx2: Avx2,
    node: &mut Node,
    parent: Option<[F64x3; 2]>,
    load: Option<&mut Six>,
) -> [F64x3; 2] {
    let (gamma, first) = (six(avx2, &node.gamma), six(avx2, &node.first));
    let (mut s, mut x) = (node.projection, gamma);
    if let Some(parent) = parent {
        let shift = F64x3::load(avx2, &node.shift);
        s = node.projection - dot(six(avx2, &node.carried_image), parent) * node.inverse;
        x = [parent[0] + cross(parent[1], shift) + gamma[0], parent[1] + gamma[1]];
    }
    let part = F64x3::splat(avx2, s);
    node.first_answer = s;
    x = [x[0] + first[0] * part, x[1] + first[1] * part];
    if let Some(load) = load {
        let image = Sym6Simd::load(avx2, &node.diag).mul(x);
        let force = six(avx2, &node.force);
        F64x3::write_six([image[0] - force[0], image[1] - force[1]], load);
    }
    x
}

/// [`Node::back_ball`], with z and the forces of loop closures.
#[inline(always)]
fn back_ball(avx2: Avx2, node: &Node, z: F64x3, parent: [F64x3; 2], load: Option<&mut Six>) -> [F64x3; 2] {
    let (arm, to_point) = (F64x3::load(avx2, &node.first.lin), F64x3::load(avx2, &node.first.ang));
    let y = parent[0] + cross(parent[1], to_point) + F64x3::load(avx2, &node.gamma.lin);
    let g = &node.diag.b;
    let omega = z - F64x3::sums(
        F64x3::load(avx2, &g.x) * y,
        F64x3::load(avx2, &g.y) * y,
        F64x3::load(avx2, &g.z) * y,
    );
    if let Some(load) = load {
        let l = times(F64x3::load_sym(avx2, &node.diag.a), y) - F64x3::load(avx2, &node.carried_image.lin);
        F64x3::write_six([l, cross(arm, l)], load);
    }
    [y + cross(arm, omega), omega]
}
