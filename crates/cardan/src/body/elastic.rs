//! Deformable bodies whose vectors are the coordinates: x(X) = Σ φ_k(X) g_k.
//!
//! * affine: φ = 1, X, Y, Z; 12 freedoms. Straight fibres stay straight.
//! * soft: also X², Y², Z², XY, YZ, ZX; 30 freedoms (Witkin and Welch 1990). A box that bends,
//!   twists and tapers.
//!
//! The mass matrix m_kl 1 is constant, and there is no velocity-dependent force. The elastic energy
//! is that of St. Venant and Kirchhoff, which is invariant under rotation:
//!
//!   F = Σ g_k ∇φ_kᵀ        E = ½ (Fᵀ F − 1)        V = ∫ ½ λ (tr E)² + μ E:E        λ, μ from Young's modulus and Poisson's ratio
//!   S = λ tr(E) 1 + 2 μ E + η Ė        f_k = −∫ F S ∇φ_k        heat = ∫ η Ė:Ė
//!
//! F is constant in an affine body. In a soft body F is linear and V of degree four, which three
//! Gauss points in each direction integrate exactly.

use super::general::{BaseFrame, Basis, BodyForm, FormVectors, GeneralForm, MAX_BASIS, Piece};
use super::{Body, BodyKind, MassProperties, PlacedShape, SolidShape};
use crate::law::Jet;
use crate::math::{Mat3, Vec3, vec3};

/// Material of an elastic body.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Elastic {
    /// Young's modulus \[Pa\].
    pub young: f64,
    /// Poisson's ratio, between −1 and ½.
    pub poisson: f64,
    /// η: viscous stress per rate of strain \[Pa·s\].
    pub damping: f64,
}

impl Elastic {
    /// Lamé's constants λ and μ \[Pa\].
    fn lame(&self) -> (f64, f64) {
        let Elastic { young, poisson, .. } = *self;
        (young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), young / (2.0 * (1.0 + poisson)))
    }
}

/// An integration point of the energy.
#[derive(Clone, Debug)]
struct Sample {
    volume: f64,
    slopes: [[f64; MAX_BASIS]; 3],
}

#[derive(Debug)]
struct Block {
    piece: [Piece; 1],
    center: Vec3,
    material: Elastic,
    samples: Vec<Sample>,
}

/// A symmetric matrix as xx, yy, zz, yz, zx, xy.
type Strain = [f64; 6];

/// ½ (Aᵀ B + Bᵀ A).
fn symmetric(a: &Mat3, b: &Mat3) -> Strain {
    let half = |p: Vec3, q: Vec3, r: Vec3, s: Vec3| 0.5 * (p.dot(q) + r.dot(s));
    [
        a.x.dot(b.x),
        a.y.dot(b.y),
        a.z.dot(b.z),
        half(a.y, b.z, b.y, a.z),
        half(a.z, b.x, b.z, a.x),
        half(a.x, b.y, b.x, a.y),
    ]
}

/// A:B.
fn double_dot(a: &Strain, b: &Strain) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + 2.0 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5])
}

impl Block {
    fn len(&self) -> usize {
        self.piece[0].len()
    }

    /// Deformation gradient F at an integration point: images of the axes.
    fn gradient(&self, sample: &Sample, g: &[f64]) -> Mat3 {
        let [x, y, z] = sample.slopes.map(|slopes| {
            g.as_chunks::<3>()
                .0
                .iter()
                .zip(slopes)
                .fold(Vec3::ZERO, |sum, (g, s)| sum + vec3(g[0], g[1], g[2]) * s)
        });
        Mat3::from_columns(x, y, z)
    }

    fn strain(f: &Mat3) -> Strain {
        let mut e = symmetric(f, f).map(|x| 0.5 * x);
        e[..3].iter_mut().for_each(|x| *x -= 0.5);
        e
    }
}

impl BodyForm for Block {
    fn name(&self) -> &'static str {
        if self.piece[0].basis == Basis::Frame { "affine" } else { "soft" }
    }
    fn base(&self) -> BaseFrame {
        BaseFrame::World
    }
    fn freedoms(&self) -> usize {
        3 * self.len()
    }
    fn pieces(&self) -> &[Piece] {
        &self.piece
    }
    fn start(&self, body: &Body, u: &mut [f64], rate: &mut [f64]) {
        u.fill(0.0);
        rate.fill(0.0);
        let axes = body.rot.matrix();
        let arm = axes * self.center;
        let start = [body.pos, axes.x, axes.y, axes.z];
        let moves = [body.vel - body.omega.cross(arm), axes.x, axes.y, axes.z];
        for k in 0..4 {
            let turned = if k == 0 { moves[0] } else { body.omega.cross(moves[k]) };
            u[3 * k..3 * k + 3].copy_from_slice(&start[k].to_array());
            rate[3 * k..3 * k + 3].copy_from_slice(&turned.to_array());
        }
        // Given vectors replace those of the pose.
        u.iter_mut().zip(&body.start).for_each(|(u, x)| *u = *x);
        rate.iter_mut().zip(&body.start_rate).for_each(|(u, x)| *u = *x);
    }
    fn write(&self, u: &[f64], rate: &[f64], out: &mut FormVectors<'_>) {
        let n = u.len();
        out.column.fill(Vec3::ZERO);
        for k in 0..self.len() {
            let at = |x: &[f64]| vec3(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
            (out.value[k], out.rate[k], out.bias[k]) = (at(u), at(rate), Vec3::ZERO);
            for (i, e) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                out.column[k * n + 3 * k + i] = e;
            }
        }
    }
    fn energy(&self, u: &[f64]) -> f64 {
        let (lambda, mu) = self.material.lame();
        let density = |sample: &Sample| {
            let e = Block::strain(&self.gradient(sample, u));
            let trace = e[0] + e[1] + e[2];
            sample.volume * (0.5 * lambda * trace * trace + mu * double_dot(&e, &e))
        };
        self.samples.iter().map(density).sum()
    }
    fn push(&self, u: &[f64], rate: &[f64], _jets: &mut [Jet], out: &mut [f64]) -> f64 {
        let ((lambda, mu), eta) = (self.material.lame(), self.material.damping);
        let mut heat = 0.0;
        for sample in &self.samples {
            let f = self.gradient(sample, u);
            let e = Block::strain(&f);
            let rate_of_e = symmetric(&f, &self.gradient(sample, rate));
            heat += sample.volume * eta * double_dot(&rate_of_e, &rate_of_e);
            let mean = lambda * (e[0] + e[1] + e[2]);
            let mut s: Strain = core::array::from_fn(|i| 2.0 * mu * e[i] + eta * rate_of_e[i]);
            s[..3].iter_mut().for_each(|s| *s += mean);
            let stress = [
                f.x * s[0] + f.y * s[5] + f.z * s[4],
                f.x * s[5] + f.y * s[1] + f.z * s[3],
                f.x * s[4] + f.y * s[3] + f.z * s[2],
            ];
            for k in 1..self.len() {
                let slope = [0, 1, 2].map(|i| sample.slopes[i][k]);
                let pull = stress[0] * slope[0] + stress[1] * slope[1] + stress[2] * slope[2];
                let force = (pull * sample.volume).to_array();
                out[3 * k..3 * k + 3].iter_mut().zip(force).for_each(|(out, f)| *out -= f);
            }
        }
        heat
    }
    fn is_damped(&self) -> bool {
        self.material.damping != 0.0
    }
    fn misfit(&self) -> Option<String> {
        let Elastic { young, poisson, damping } = self.material;
        if !(young > 0.0 && young.is_finite()) {
            return Some(format!("Young's modulus is {young}; it must be a positive number of pascals"));
        }
        if !(poisson > -1.0 && poisson < 0.5) {
            return Some(format!("Poisson's ratio is {poisson}; it must be between −1 and 0.5"));
        }
        if !(damping >= 0.0 && damping.is_finite()) {
            return Some(format!("the damping is {damping}; it must not be negative"));
        }
        let volume: f64 = self.samples.iter().map(|s| s.volume).sum();
        if !(volume > 0.0 && volume.is_finite()) {
            return Some("its shapes have no volume".to_string());
        }
        let moments = &self.piece[0].moments;
        let n = self.len();
        let flat = (0..n).any(|k| moments[k * n + k].is_nan() || moments[k * n + k] <= 0.0);
        flat.then(|| "its mass has no extent along one of its axes; give it thickness".to_string())
    }
}

impl Body {
    /// A homogeneous solid that stretches and shears as a whole (12 freedoms); mass \[kg\].
    pub fn affine(shape: SolidShape, mass: f64, material: Elastic) -> Body {
        let shapes = vec![PlacedShape::at_origin(shape)];
        let properties = MassProperties::of_shapes(&shapes, mass);
        Body::affine_of(properties, shapes, material)
    }
    /// A body that stretches and shears as a whole (12 freedoms), with given mass properties; the
    /// volume is that of the shapes.
    pub fn affine_of(mass: MassProperties, shapes: Vec<PlacedShape>, material: Elastic) -> Body {
        let volume = shapes.iter().map(|s| s.shape.volume()).sum();
        let samples = vec![Sample { volume, slopes: Basis::Frame.slopes(Vec3::ZERO) }];
        let piece = [Piece::stretchable(&mass)];
        Body::elastic(Block { piece, center: mass.center, material, samples }, mass, shapes)
    }
    /// A box, given by its edge lengths \[m\], that deforms in all linear and quadratic modes (30
    /// freedoms); mass \[kg\].
    pub fn soft_block(size: [f64; 3], mass: f64, material: Elastic) -> Body {
        let shape = SolidShape::Box { size };
        let shapes = vec![PlacedShape::at_origin(shape)];
        let properties = MassProperties::of_shapes(&shapes, mass);
        // Gauss points: √(3/5)/2 of an edge from the middle.
        let far = 0.6_f64.sqrt() * 0.5;
        let points = [(-far, 5.0 / 18.0), (0.0, 8.0 / 18.0), (far, 5.0 / 18.0)];
        let volume = size[0] * size[1] * size[2];
        let mut samples = Vec::with_capacity(27);
        for (x, wx) in points {
            for (y, wy) in points {
                for (z, wz) in points {
                    let at = vec3(x * size[0], y * size[1], z * size[2]);
                    let slopes = Basis::Quadratic.slopes(at);
                    samples.push(Sample { volume: volume * (wx * wy * wz), slopes });
                }
            }
        }
        let piece = [Piece::bending(mass, size)];
        Body::elastic(Block { piece, center: Vec3::ZERO, material, samples }, properties, shapes)
    }
    fn elastic(block: Block, mass: MassProperties, shapes: Vec<PlacedShape>) -> Body {
        let form = GeneralForm::new(block);
        Body { form: Some(form.clone()), ..Body::of(BodyKind::General(form.kind()), mass, shapes) }
    }
}
