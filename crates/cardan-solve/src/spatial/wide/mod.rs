//! The elimination with wide registers: three numbers at a time.
//!
//! A vector is one register (x, y, z), a symmetric block two: its diagonal and the entries beside it, (xx, yy, zz) and (xy, yz, zx). A general
//! block is three: B_ii, B_i,i+1 and B_i,i+2. Then a product with a vector needs the vector turned, (y, z, x) and (z, x, y), and nothing
//! else is moved about:
//!
//! ```text
//! B v = b₀ v + b₁ v' + b₂ v''        Bᵀ v = b₀ v + b₂' v' + b₁'' v''        a × b = (a b' − a' b)'
//! ```
//!
//! The scalar kernels sum in the same order, so that both give the same bits: they are what is done on other machines, and
//! what tests hold this against ([`Wide::forbid`]).

#[cfg(not(target_arch = "x86_64"))]
mod arrays;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod ball_pass;

#[cfg(not(target_arch = "x86_64"))]
use arrays as machine;
#[cfg(target_arch = "x86_64")]
use avx2 as machine;
pub use machine::{Padded, Quad, Wide, Work, pick};

use super::closure::Closures;
use super::{ALL, Fill, Limb, More, Plain, ROOTS, Spatial, Take};
use crate::graph::{NONE, index_u32};
use crate::lane::Task;
use crate::math::{Mat3, Six, Sym3, Sym6, Vec3};
use ball_pass::Held;
use machine::keep;

#[cfg(test)]
mod tests;

/// Does something compiled for wide registers, if there are any. Also one number at a time that is shorter, but where numbers are written one by one and read
/// again at once it may be slower: it is for long sweeps that were measured.
#[inline(always)]
pub fn within<W: Task>(task: W) -> W::Output {
    match Wide::here() {
        Some(wide) => wide.run(Within(task)),
        None => task.run(),
    }
}

struct Within<W>(W);

impl<W: Task> Work for Within<W> {
    type Output = W::Output;
    #[inline(always)]
    fn run(self, _: Wide) -> W::Output {
        self.0.run()
    }
}

/// [`Plain`] in wide registers.
#[derive(Copy, Clone, Debug)]
pub struct Quads {
    /// m, thrice.
    pub mass: Quad,
    /// I: the diagonal, and what is beside it.
    pub inertia: [Quad; 2],
    /// F.
    pub force: [Quad; 2],
    /// γ.
    pub gamma: [Quad; 2],
    /// d.
    pub shift: Quad,
    /// N, or the arm of the point that is held.
    pub first: [Quad; 2],
}

impl Quads {
    /// The same numbers.
    #[inline(always)]
    pub fn of(wide: Wide, plain: &Plain) -> Self {
        Quads {
            mass: Quad::splat(wide, plain.mass),
            inertia: Quad::load_sym(wide, &plain.inertia),
            force: six(wide, &plain.force),
            gamma: six(wide, &plain.gamma),
            shift: Quad::load(wide, &plain.shift),
            first: six(wide, &plain.first),
        }
    }
}

/// Both halves.
#[inline(always)]
fn six(wide: Wide, v: &Six) -> [Quad; 2] {
    [Quad::load(wide, &v.lin), Quad::load(wide, &v.ang)]
}

/// A vector and the two ways it is turned.
#[derive(Copy, Clone)]
struct Turned(Quad, Quad, Quad);

#[inline(always)]
fn turned(v: Quad) -> Turned {
    Turned(v, v.next(), v.last())
}

/// a × b.
#[inline(always)]
pub fn cross(a: Quad, b: Quad) -> Quad {
    (a * b.next() - a.next() * b).next()
}

/// [`Six::dot`].
#[inline(always)]
fn dot(a: [Quad; 2], b: [Quad; 2]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]).sum()
}

/// A symmetric block times a vector.
#[inline(always)]
fn times_sym(m: [Quad; 2], v: Turned) -> Quad {
    m[0] * v.0 + m[1] * v.1 + m[1].last() * v.2
}

/// I v.
#[inline(always)]
pub fn times(inertia: [Quad; 2], v: Quad) -> Quad {
    times_sym(inertia, turned(v))
}

/// A block of six by six.
#[derive(Copy, Clone)]
struct Block {
    a: [Quad; 2],
    b: [Quad; 3],
    c: [Quad; 2],
}

impl Block {
    /// [`Sym6::mul`].
    #[inline(always)]
    fn mul(&self, v: [Quad; 2]) -> [Quad; 2] {
        let (l, w, b) = (turned(v[0]), turned(v[1]), &self.b);
        let along = b[0] * w.0 + b[1] * w.1 + b[2] * w.2;
        let about = b[0] * l.0 + b[2].next() * l.1 + b[1].last() * l.2;
        [times_sym(self.a, l) + along, about + times_sym(self.c, w)]
    }

    /// The same of diag(m 1, I) for a leaf.
    #[inline(always)]
    fn image<const LEAF: bool>(&self, v: [Quad; 2]) -> [Quad; 2] {
        if LEAF { [v[0] * self.a[0], times(self.c, v[1])] } else { self.mul(v) }
    }

    /// [`Sym6::carried_back`].
    #[inline(always)]
    fn carried_back(&self, d: Turned) -> Self {
        let Turned(d, d1, d2) = d;
        let (a, b, c) = (&self.a, &self.b, &self.c);
        let a2 = a[1].last();
        let m = [b[0] - (a[1] * d2 - a2 * d1), b[1] - (a2 * d - a[0] * d2), b[2] - (a[0] * d1 - a[1] * d)];
        let c = [
            c[0] + (d1 * m[1].last() - d2 * m[2].next()) + (d1 * b[1].last() - d2 * b[2].next()),
            c[1] + (d1 * m[2].last() - d2 * m[0].next()) + (d2 * b[0] - d * b[1].last()),
        ];
        Block { a: *a, b: m, c }
    }

    /// [`Sym6::carried_back_lump`] of diag(m 1, I).
    #[inline(always)]
    fn lump(zero: Quad, mass: Quad, i: [Quad; 2], d: Quad) -> Self {
        let md = d * mass;
        let square = md * d;
        let c = [i[0] + (square.next() + square.last()), i[1] - md * d.next()];
        Block { a: [mass, zero], b: [zero, md.last(), -md.next()], c }
    }

    /// [`Sym6::of_point`].
    #[inline(always)]
    fn of_point(a: [Quad; 2], d: Turned) -> Self {
        let Turned(d, d1, d2) = d;
        let a2 = a[1].last();
        let b = [a2 * d1 - a[1] * d2, a[0] * d2 - a2 * d, a[1] * d - a[0] * d1];
        let c = [d1 * b[1].last() - d2 * b[2].next(), d1 * b[2].last() - d2 * b[0].next()];
        Block { a, b, c }
    }

    /// [`Sym6::minus_outer`].
    #[inline(always)]
    fn minus_outer(&self, w: [Quad; 2], s: Quad) -> Self {
        let scaled = [w[0] * s, w[1] * s];
        let (about, beside) = (turned(scaled[1]), scaled[0].next());
        let (a, b, c) = (&self.a, &self.b, &self.c);
        Block {
            a: [a[0] - w[0] * scaled[0], a[1] - w[0] * beside],
            b: [b[0] - w[0] * about.0, b[1] - w[0] * about.1, b[2] - w[0] * about.2],
            c: [c[0] - w[1] * about.0, c[1] - w[1] * about.1],
        }
    }

    /// B by columns, from its diagonals.
    #[inline(always)]
    fn columns(&self) -> [Quad; 3] {
        let [b, b1, b2] = self.b;
        [pick(b, b2, b1), pick(b1, b, b2), pick(b2, b1, b)]
    }

    /// What a limb has kept.
    #[inline(always)]
    fn load(wide: Wide, diag: &Sym6) -> Self {
        let b = &diag.b;
        let (x, y, z) = (Quad::load(wide, &b.x), Quad::load(wide, &b.y), Quad::load(wide, &b.z));
        Block {
            a: Quad::load_sym(wide, &diag.a),
            b: [pick(x, y, z), pick(y, z, x), pick(z, x, y)],
            c: Quad::load_sym(wide, &diag.c),
        }
    }
}

/// What children have left to their parent: D and F.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Sum([Padded; 9]);

impl Sum {
    #[inline(always)]
    fn load(&self, wide: Wide) -> (Block, [Quad; 2]) {
        let [a, a1, b, b1, b2, c, c1, lin, ang] = &self.0;
        let block = Block {
            a: [Quad::from_padded(wide, a), Quad::from_padded(wide, a1)],
            b: [Quad::from_padded(wide, b), Quad::from_padded(wide, b1), Quad::from_padded(wide, b2)],
            c: [Quad::from_padded(wide, c), Quad::from_padded(wide, c1)],
        };
        (block, [Quad::from_padded(wide, lin), Quad::from_padded(wide, ang)])
    }
    #[inline(always)]
    fn store(&mut self, block: &Block, force: [Quad; 2]) {
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
    fn add(&mut self, wide: Wide, block: &Block, force: [Quad; 2]) {
        let (sum, so_far) = self.load(wide);
        let (a, b, c) = (&block.a, &block.b, &block.c);
        let both = Block {
            a: [sum.a[0] + a[0], sum.a[1] + a[1]],
            b: [sum.b[0] + b[0], sum.b[1] + b[1], sum.b[2] + b[2]],
            c: [sum.c[0] + c[0], sum.c[1] + c[1]],
        };
        self.store(&both, [so_far[0] + force[0], so_far[1] + force[1]]);
    }
    /// As the scalar kernels have it.
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

/// [`Limb::eliminate_plain`]; a place on the ground leaves nothing.
#[inline(always)]
fn eliminate_one<const LEAF: bool>(
    wide: Wide,
    limb: &mut Limb,
    given: &Quads,
    (sums, depth): (&mut [Sum], usize),
) -> bool {
    let Quads { mass, inertia, gamma, shift, first, force } = *given;
    let zero = Quad::splat(wide, 0.0);
    let mut diag = Block { a: [mass, zero], b: [zero; 3], c: inertia };
    let mut force = force;
    if !LEAF {
        let (block, more) = sums[depth].load(wide);
        diag = Block {
            a: [mass + block.a[0], block.a[1]],
            b: block.b,
            c: [inertia[0] + block.c[0], inertia[1] + block.c[1]],
        };
        force = [force[0] + more[0], force[1] + more[1]];
    }
    let image = diag.image::<LEAF>(first);
    let size = dot(first, image);
    let inverse = 1.0 / size;
    let carried = [image[0], image[1] + cross(shift, image[0])];
    let of_gamma = diag.image::<LEAF>(gamma);
    let r = [force[0] - of_gamma[0], force[1] - of_gamma[1]];
    let is_passed_root = limb.parent == NONE && limb.is_passed();
    let along = if is_passed_root { dot(first, force) - dot(image, gamma) } else { dot(first, r) };
    let projection = along * inverse;
    let columns = diag.columns();
    // On the ground nobody feels the image, and it is kept as it is: as `eliminate_freedoms` does it for a root.
    let kept = if is_passed_root { image } else { carried };
    keep(
        limb,
        [
            diag.a[0], diag.a[1], columns[0], columns[1], columns[2], diag.c[0], diag.c[1], force[0],
            force[1], gamma[0], gamma[1], shift, first[0], first[1], kept[0], kept[1],
        ],
    );
    (limb.inverse, limb.projection) = (inverse, projection);
    if limb.parent == NONE {
        return size > 0.0;
    }
    let r_carried = [r[0], r[1] + cross(shift, r[0])];
    let moved = match LEAF {
        true => Block::lump(zero, mass, inertia, shift),
        false => diag.carried_back(turned(shift)),
    };
    let left = moved.minus_outer(carried, Quad::splat(wide, inverse));
    let part = Quad::splat(wide, projection);
    let handed = [r_carried[0] - carried[0] * part, r_carried[1] - carried[1] * part];
    hand_over(wide, limb, (sums, depth), &left, handed);
    size > 0.0
}

/// [`Limb::eliminate_ball`]; likewise. Closures that pass are carried on, given with what they do at the parent.
#[inline(always)]
fn eliminate_ball<const LEAF: bool>(
    wide: Wide,
    limb: &mut Limb,
    given: &Quads,
    (sums, depth): (&mut [Sum], usize),
    passing: Option<(&mut Closures<f64>, u32)>,
) -> bool {
    let Quads { mass, inertia, gamma, shift, first: [arm, _], force } = *given;
    let zero = Quad::splat(wide, 0.0);
    let mut force = force;
    let at_point = if LEAF {
        Block::lump(zero, mass, inertia, -arm)
    } else {
        let (block, more) = sums[depth].load(wide);
        force = [force[0] + more[0], force[1] + more[1]];
        let c = [inertia[0] + block.c[0], inertia[1] + block.c[1]];
        Block { a: [mass + block.a[0], block.a[1]], b: block.b, c }.carried_back(turned(-arm))
    };
    // L Δ Lᵀ = C.
    let ([xx, yy, zz], [xy, yz, xz]) = (at_point.c[0].numbers(), at_point.c[1].numbers());
    let x_inverse = 1.0 / xx;
    let (l_yx, l_zx) = (xy * x_inverse, xz * x_inverse);
    let y_pivot = yy - l_yx * xy;
    let y_inverse = 1.0 / y_pivot;
    let rest = yz - l_yx * xz;
    let l_zy = rest * y_inverse;
    let z_pivot = zz - l_zx * xz - l_zy * rest;
    let z_inverse = 1.0 / z_pivot;
    let fine = xx > 0.0 && y_pivot > 0.0 && z_pivot > 0.0;
    let (yx, zx, zy) = (Quad::splat(wide, l_yx), Quad::splat(wide, l_zx), Quad::splat(wide, l_zy));
    // L⁻¹ Bᵀ by rows, the same over Δ, Λ and G.
    let [w_x, b_y, b_z] = at_point.columns();
    let w_y = b_y - w_x * yx;
    let w_z = b_z - w_x * zx - w_y * zy;
    let e_x = w_x * Quad::splat(wide, x_inverse);
    let e_y = w_y * Quad::splat(wide, y_inverse);
    let e_z = w_z * Quad::splat(wide, z_inverse);
    let a = at_point.a;
    let held = [
        a[0] - w_x * e_x - w_y * e_y - w_z * e_z,
        a[1] - w_x * e_x.next() - w_y * e_y.next() - w_z * e_z.next(),
    ];
    let g_z = e_z;
    let g_y = e_y - g_z * zy;
    let g_x = e_x - g_y * yx - g_z * zx;
    // φ and z.
    let tau = force[1] - cross(arm, force[0]);
    let turning = g_x * tau.only::<0>() + g_y * tau.only::<1>() + g_z * tau.only::<2>();
    let phi = force[0] - turning;
    let [t_x, t_y, t_z] = tau.numbers();
    let u_y = t_y - l_yx * t_x;
    let u_z = t_z - l_zx * t_x - l_zy * u_y;
    let z_z = u_z * z_inverse;
    let z_y = u_y * y_inverse - l_zy * z_z;
    let z_x = t_x * x_inverse - l_yx * z_y - l_zx * z_z;
    let y = gamma[0] + cross(gamma[1], arm);
    let to_point = shift + arm;
    keep(
        limb,
        [
            held[0], held[1], g_x, g_y, g_z, zero, zero, force[0], force[1], y, zero, shift, arm, to_point,
            phi, zero,
        ],
    );
    let factor = Sym3 { xx: x_inverse, yy: y_inverse, zz: z_inverse, xy: l_yx, xz: l_zx, yz: l_zy };
    limb.diag.c = factor;
    limb.carried_image.ang = Vec3::new(z_x, z_y, z_z);
    if limb.parent != NONE {
        let q = phi - times(held, y);
        let left = Block::of_point(held, turned(to_point));
        hand_over(wide, limb, (sums, depth), &left, [q, cross(to_point, q)]);
    }
    if let Some((closures, next)) = passing {
        let side = [y, Quad::new(wide, z_x, z_y, z_z)];
        let held = Held { arm, to_point, g: [g_x, g_y, g_z], side, factor, next };
        ball_pass::pass(wide, closures, limb, &held);
    }
    fine
}

/// Adds what is left of a place to its parent's sum, the last of `depth` or a new one. Every kernel does it itself: where ways meet again all of it would go
/// through memory once more.
#[inline(always)]
fn hand_over(wide: Wide, limb: &Limb, (sums, depth): (&mut [Sum], usize), left: &Block, force: [Quad; 2]) {
    if limb.is_first {
        sums[depth].store(left, force);
    } else {
        sums[depth - 1].add(wide, left, force);
    }
}

/// From leaves to roots, with wide registers if there are any; the first place with a pivot that is not positive, or [`NONE`].
#[inline(always)]
pub(crate) fn eliminate<F: Fill<f64>>(spatial: &mut Spatial, fill: &mut F) -> u32 {
    match Wide::here() {
        Some(wide) => wide.run(Eliminate { spatial, fill }),
        None => spatial.eliminate_all(fill),
    }
}

struct Eliminate<'s, F> {
    spatial: &'s mut Spatial,
    fill: &'s mut F,
}

impl<F: Fill<f64>> Work for Eliminate<'_, F> {
    type Output = u32;
    #[inline(always)]
    fn run(self, wide: Wide) -> u32 {
        let Eliminate { spatial, fill } = self;
        let (mut depth, mut sick) = (0, NONE);
        for at in 0..spatial.limbs.len() {
            let limb = &mut spatial.limbs[at];
            depth -= usize::from(limb.has_children);
            let fine = if limb.is_plain() || limb.is_passed() {
                let sums = (&mut spatial.wide_sums[..], depth);
                let more = &mut spatial.more[spatial.more_at[at] as usize];
                let fine = match fill.quads::<false>(wide, at) {
                    Some(given) if limb.has_children => eliminate_one::<false>(wide, limb, &given, sums),
                    Some(given) => eliminate_one::<true>(wide, limb, &given, sums),
                    None => eliminate_numbers::<false, F>(wide, fill, at, (limb, more), sums),
                };
                if limb.is_passed() {
                    spatial.closures.pass(limb.stop, limb, more);
                }
                fine
            } else if limb.is_ball && limb.stop != NONE {
                eliminate_passed_ball(wide, spatial, fill, (at, depth))
            } else if limb.is_ball {
                let sums = (&mut spatial.wide_sums[..], depth);
                match fill.quads::<true>(wide, at) {
                    Some(given) if limb.has_children => {
                        eliminate_ball::<false>(wide, limb, &given, sums, None)
                    }
                    Some(given) => eliminate_ball::<true>(wide, limb, &given, sums, None),
                    None => {
                        let more = &mut spatial.more[spatial.more_at[at] as usize];
                        eliminate_numbers::<true, F>(wide, fill, at, (limb, more), sums)
                    }
                }
            } else {
                fill.any(at, limb, &mut spatial.more[spatial.more_at[at] as usize]);
                if limb.has_children {
                    spatial.sums[depth] = spatial.wide_sums[depth].scalar();
                }
                let (fine, left, force) = spatial.eliminate(at, depth);
                let limb = &spatial.limbs[at];
                if limb.parent != NONE {
                    let sums = (&mut spatial.wide_sums[..], depth);
                    hand_over(wide, limb, sums, &Block::load(wide, &left), six(wide, &force));
                }
                fine
            };
            depth += usize::from(spatial.limbs[at].is_first);
            if !fine && sick == NONE {
                sick = index_u32(at);
            }
        }
        sick
    }
}

/// A plain place or a ball whose numbers come one by one. Apart, so that all of it does not go through memory where they do not.
#[inline(never)]
fn eliminate_numbers<const BALL: bool, F: Fill<f64>>(
    wide: Wide,
    fill: &mut F,
    at: usize,
    (limb, more): (&mut Limb, &mut More),
    sums: (&mut [Sum], usize),
) -> bool {
    let given = match limb.is_turned() {
        true => fill.plain::<BALL, true>(at, limb, more),
        false => fill.plain::<BALL, false>(at, limb, more),
    };
    wide.run(EliminateNumbers::<BALL> { limb, given, sums })
}

struct EliminateNumbers<'s, const BALL: bool> {
    limb: &'s mut Limb,
    given: Plain,
    sums: (&'s mut [Sum], usize),
}

impl<const BALL: bool> Work for EliminateNumbers<'_, BALL> {
    type Output = bool;
    #[inline(always)]
    fn run(self, wide: Wide) -> bool {
        let EliminateNumbers { limb, given, sums } = self;
        let given = Quads::of(wide, &given);
        match (BALL, limb.has_children) {
            (false, true) => eliminate_one::<false>(wide, limb, &given, sums),
            (false, false) => eliminate_one::<true>(wide, limb, &given, sums),
            (true, true) => eliminate_ball::<false>(wide, limb, &given, sums, None),
            (true, false) => eliminate_ball::<true>(wide, limb, &given, sums, None),
        }
    }
}

/// A ball that closures pass. Apart, so that the others are not longer for it.
#[inline(never)]
fn eliminate_passed_ball<F: Fill<f64>>(
    wide: Wide,
    spatial: &mut Spatial,
    fill: &mut F,
    place: (usize, usize),
) -> bool {
    wide.run(EliminatePassed { spatial, fill, place })
}

struct EliminatePassed<'s, F> {
    spatial: &'s mut Spatial,
    fill: &'s mut F,
    /// Where it is, and at which depth.
    place: (usize, usize),
}

impl<F: Fill<f64>> Work for EliminatePassed<'_, F> {
    type Output = bool;
    #[inline(always)]
    fn run(self, wide: Wide) -> bool {
        let EliminatePassed { spatial, fill, place: (at, depth) } = self;
        let next = Closures::next_stop(&spatial.limbs, at);
        let (limb, more) = (&mut spatial.limbs[at], &mut spatial.more[spatial.more_at[at] as usize]);
        let given = match fill.quads::<true>(wide, at) {
            Some(given) => given,
            None if limb.is_turned() => Quads::of(wide, &fill.plain::<true, true>(at, limb, more)),
            None => Quads::of(wide, &fill.plain::<true, false>(at, limb, more)),
        };
        let (sums, passing) = ((&mut spatial.wide_sums[..], depth), Some((&mut spatial.closures, next)));
        match limb.has_children {
            true => eliminate_ball::<false>(wide, limb, &given, sums, passing),
            false => eliminate_ball::<true>(wide, limb, &given, sums, passing),
        }
    }
}

/// From roots to leaves.
#[inline(always)]
pub(crate) fn backward<const LOADS: u8, A: Take<f64>>(spatial: &mut Spatial, answer: A) {
    match Wide::here() {
        Some(wide) => wide.run(Backward::<LOADS, A> { spatial, answer }),
        None => spatial.back_all::<LOADS>(answer),
    }
}

struct Backward<'s, const LOADS: u8, A> {
    spatial: &'s mut Spatial,
    answer: A,
}

impl<const LOADS: u8, A: Take<f64>> Work for Backward<'_, LOADS, A> {
    type Output = ();
    #[inline(always)]
    fn run(self, wide: Wide) {
        let Backward { spatial, mut answer } = self;
        spatial.closures.answer_on_ground::<1>();
        let zero = Quad::splat(wide, 0.0);
        // The parent is mostly the place before: then its answer is at hand, unless it was found one number at a time.
        let (mut last, mut is_last_wide) = ([zero, zero], false);
        for at in (0..spatial.limbs.len()).rev() {
            let (here, above) = spatial.limbs.split_at_mut(at + 1);
            let limb = &mut here[at];
            if limb.is_passed() {
                let parent = match limb.parent {
                    NONE => None,
                    parent if is_last_wide && parent as usize == at + 1 => Some(last),
                    parent => Some(Quad::load_six(wide, &above[parent as usize - at - 1].x)),
                };
                let more = &mut spatial.more[spatial.more_at[at] as usize];
                if LOADS == ALL || (LOADS == ROOTS && limb.parent == NONE) {
                    let push = spatial.closures.push(limb.stop, 0);
                    limb.push(more, &push);
                    last = back_passed(wide, limb, parent, Some(&mut spatial.loads[at]));
                } else {
                    let [push] = spatial.closures.push_along::<1>(limb.stop);
                    limb.projection += push * limb.inverse;
                    last = back_passed(wide, limb, parent, None);
                }
                is_last_wide = true;
                Quad::write_six(last, &mut limb.x);
                if !answer.take_quads(wide, at, last) {
                    answer.take(at, &Six::new(last[0].vec3(), last[1].vec3()));
                }
                continue;
            }
            if !(limb.is_plain() || limb.is_ball) {
                let parent = match limb.parent {
                    NONE => Six::ZERO,
                    parent => above[parent as usize - at - 1].x,
                };
                let x = spatial.back::<LOADS>(at, parent);
                is_last_wide = false;
                answer.take(at, &x);
                continue;
            }
            let parent = match limb.parent {
                NONE => [zero, zero],
                parent if is_last_wide && parent as usize == at + 1 => last,
                parent => Quad::load_six(wide, &above[parent as usize - at - 1].x),
            };
            is_last_wide = true;
            let has_load = LOADS == ALL || (LOADS == ROOTS && limb.parent == NONE);
            let load = if has_load { spatial.loads.get_mut(at) } else { None };
            last = if limb.is_plain() {
                back_one(wide, limb, parent, load)
            } else {
                let mut z = Quad::load(wide, &limb.carried_image.ang);
                if limb.stop != NONE {
                    if has_load {
                        limb.carried_image.lin += spatial.closures.push(limb.stop, 0).lin;
                    }
                    z = z + ball_pass::push(wide, &spatial.closures, limb.stop, 0);
                }
                back_ball(wide, limb, z, parent, load)
            };
            Quad::write_six(last, &mut limb.x);
            if !answer.take_quads(wide, at, last) {
                answer.take(at, &Six::new(last[0].vec3(), last[1].vec3()));
            }
        }
    }
}

/// [`Limb::back_one`].
#[inline(always)]
fn back_one(wide: Wide, limb: &mut Limb, parent: [Quad; 2], load: Option<&mut Six>) -> [Quad; 2] {
    let (shift, gamma, first) =
        (Quad::load(wide, &limb.shift), six(wide, &limb.gamma), six(wide, &limb.first));
    let s = limb.projection - dot(six(wide, &limb.carried_image), parent) * limb.inverse;
    let part = Quad::splat(wide, s);
    limb.first_answer = s;
    let x = [
        parent[0] + cross(parent[1], shift) + gamma[0] + first[0] * part,
        parent[1] + gamma[1] + first[1] * part,
    ];
    if let Some(load) = load {
        let force = six(wide, &limb.force);
        let image = if limb.has_children {
            Block::load(wide, &limb.diag).mul(x)
        } else {
            let mass = Quad::splat(wide, limb.diag.a.xx);
            [x[0] * mass, times(Quad::load_sym(wide, &limb.diag.c), x[1])]
        };
        Quad::write_six([image[0] - force[0], image[1] - force[1]], load);
    }
    x
}

/// [`Limb::back_freedoms`] of one freedom; a root has no parent.
#[inline(always)]
fn back_passed(wide: Wide, limb: &mut Limb, parent: Option<[Quad; 2]>, load: Option<&mut Six>) -> [Quad; 2] {
    let (gamma, first) = (six(wide, &limb.gamma), six(wide, &limb.first));
    let (mut s, mut x) = (limb.projection, gamma);
    if let Some(parent) = parent {
        let shift = Quad::load(wide, &limb.shift);
        s = limb.projection - dot(six(wide, &limb.carried_image), parent) * limb.inverse;
        x = [parent[0] + cross(parent[1], shift) + gamma[0], parent[1] + gamma[1]];
    }
    let part = Quad::splat(wide, s);
    limb.first_answer = s;
    x = [x[0] + first[0] * part, x[1] + first[1] * part];
    if let Some(load) = load {
        let image = Block::load(wide, &limb.diag).mul(x);
        let force = six(wide, &limb.force);
        Quad::write_six([image[0] - force[0], image[1] - force[1]], load);
    }
    x
}

/// [`Limb::back_ball`], with z and what closures push.
#[inline(always)]
fn back_ball(wide: Wide, limb: &Limb, z: Quad, parent: [Quad; 2], load: Option<&mut Six>) -> [Quad; 2] {
    let (arm, to_point) = (Quad::load(wide, &limb.first.lin), Quad::load(wide, &limb.first.ang));
    let y = parent[0] + cross(parent[1], to_point) + Quad::load(wide, &limb.gamma.lin);
    let g = &limb.diag.b;
    let omega =
        z - Quad::sums(Quad::load(wide, &g.x) * y, Quad::load(wide, &g.y) * y, Quad::load(wide, &g.z) * y);
    if let Some(load) = load {
        let l = times(Quad::load_sym(wide, &limb.diag.a), y) - Quad::load(wide, &limb.carried_image.lin);
        Quad::write_six([l, cross(arm, l)], load);
    }
    [y + cross(arm, omega), omega]
}
