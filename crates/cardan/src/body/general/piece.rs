//! Pieces: how material points follow from vectors g_k, and the moments of mass.
//!
//!   x(X) = Σ_k φ_k(X) g_k        m_kl = ∫ ρ φ_k φ_l dV
//!
//! | basis | φ |
//! |---|---|
//! | a point | 1 |
//! | a frame | 1, X, Y, Z |
//! | quadratic | 1, X, Y, Z, X², Y², Z², XY, YZ, ZX (Witkin and Welch 1990) |
//!
//! With G_k = ∂g_k/∂v the mass matrix is Σ m_kl G_kᵀ G_l and the velocity-dependent force −Σ m_kl
//! G_kᵀ g̈_l; both are exact.

use crate::body::MassProperties;
use crate::math::Vec3;

/// The largest number of functions of a basis.
pub(crate) const MAX_BASIS: usize = 10;

/// The basis functions of a material point.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Basis {
    Point,
    Frame,
    Quadratic,
}

impl Basis {
    pub(crate) const fn len(self) -> usize {
        match self {
            Basis::Point => 1,
            Basis::Frame => 4,
            Basis::Quadratic => MAX_BASIS,
        }
    }
    /// φ(X).
    pub(crate) fn at(self, p: Vec3) -> [f64; MAX_BASIS] {
        let (x, y, z) = (p.x, p.y, p.z);
        [1.0, x, y, z, x * x, y * y, z * z, x * y, y * z, z * x]
    }
    /// ∂φ/∂X, ∂φ/∂Y, ∂φ/∂Z.
    pub(crate) fn slopes(self, p: Vec3) -> [[f64; MAX_BASIS]; 3] {
        let (x, y, z) = (p.x, p.y, p.z);
        [
            [0.0, 1.0, 0.0, 0.0, 2.0 * x, 0.0, 0.0, y, 0.0, z],
            [0.0, 0.0, 1.0, 0.0, 0.0, 2.0 * y, 0.0, x, z, 0.0],
            [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0 * z, 0.0, y, x],
        ]
    }
}

/// A part of a body that one set of vectors moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub(crate) basis: Basis,
    /// Whether its axes stay orthonormal, so that all its points follow from one frame.
    pub(crate) rigid: bool,
    /// m_kl, row by row.
    pub(crate) moments: Vec<f64>,
}

impl Piece {
    /// A point mass \[kg\]: it has a position and no axes.
    pub fn point(mass: f64) -> Self {
        Piece { basis: Basis::Point, rigid: true, moments: vec![mass] }
    }
    /// A rigid part with mass, centre of mass, and inertia about that, in its own frame.
    pub fn rigid(mass: MassProperties) -> Self {
        Piece { basis: Basis::Frame, rigid: true, moments: second_moments(&mass) }
    }
    /// A part whose axes are three vectors of any length and direction; the mass properties are
    /// those at rest.
    pub(crate) fn stretchable(mass: &MassProperties) -> Self {
        Piece { basis: Basis::Frame, rigid: false, moments: second_moments(mass) }
    }
    /// A box about its origin that deforms in quadratic modes.
    ///
    ///   ∫ X² = m a²/12,   ∫ X⁴ = m a⁴/80,   ∫ X² Y² = m a² b²/144
    pub(crate) fn bending(mass: f64, size: [f64; 3]) -> Self {
        let exponents: [[usize; 3]; MAX_BASIS] = [
            [0, 0, 0],
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
            [2, 0, 0],
            [0, 2, 0],
            [0, 0, 2],
            [1, 1, 0],
            [0, 1, 1],
            [1, 0, 1],
        ];
        // Mean of Xⁿ over a box of edge a: (a/2)ⁿ/(n + 1) for even n.
        let mean = |a: f64, n: usize| match n {
            0 => 1.0,
            2 => a * a / 12.0,
            4 => a * a * a * a / 80.0,
            _ => 0.0,
        };
        let moments = (0..MAX_BASIS * MAX_BASIS).map(|at| {
            let (k, l) = (at / MAX_BASIS, at % MAX_BASIS);
            let of = |i: usize| mean(size[i], exponents[k][i] + exponents[l][i]);
            mass * (of(0) * of(1) * of(2))
        });
        Piece { basis: Basis::Quadratic, rigid: false, moments: moments.collect() }
    }

    /// Mass \[kg\].
    pub fn mass(&self) -> f64 {
        self.moments[0]
    }
    /// Number of vectors.
    pub(crate) fn len(&self) -> usize {
        self.basis.len()
    }
    pub(crate) fn turns(&self) -> bool {
        self.basis != Basis::Point
    }
    pub(crate) fn is_finite(&self) -> bool {
        self.moments.iter().all(|m| m.is_finite())
    }
}

/// Moments of a frame: m, m c, and ∫ ρ X Xᵀ = ½ tr(I) 1 − I + m c cᵀ.
fn second_moments(mass: &MassProperties) -> Vec<f64> {
    let (m, c, i) = (mass.mass, mass.center, mass.inertia);
    let half = 0.5 * i.trace();
    [
        [m, m * c.x, m * c.y, m * c.z],
        [m * c.x, half - i.xx + m * c.x * c.x, m * c.x * c.y - i.xy, m * c.x * c.z - i.xz],
        [m * c.y, m * c.x * c.y - i.xy, half - i.yy + m * c.y * c.y, m * c.y * c.z - i.yz],
        [m * c.z, m * c.x * c.z - i.xz, m * c.y * c.z - i.yz, half - i.zz + m * c.z * c.z],
    ]
    .concat()
}
