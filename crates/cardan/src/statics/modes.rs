//! Normal modes at an equilibrium: small motions in the freedoms y.
//!
//! ```text
//! M ÿ + C ẏ + K y = 0,     y = φ e^{s t},     s = −ζ ω ± i ω √(1 − ζ²)
//! ```
//!
//! Undamped, with M = L Lᵀ, it is the symmetric problem L⁻¹ K L⁻ᵀ u = ω² u. With dampers, or forces
//! without a potential, it is the spectrum of
//!
//! ```text
//! ⎡     0       1   ⎤        K̃ = L⁻¹ K L⁻ᵀ / ω₀²,   C̃ = L⁻¹ C L⁻ᵀ / ω₀,   s = ω₀ σ
//! ⎣    −K̃      −C̃  ⎦
//! ```
//!
//! The numbers of unstable and of zero modes come from the signs of the eigenvalues of K in the
//! metric, which masses do not change (Sylvester), not from the ω², whose rounding is that of the
//! fastest mode: that many of the lowest modes are unstable or zero.

use super::equilibrium::{Stability, drive};
use super::error::StaticsError;
use super::problem::{ForceField, StaticsProblem};
use super::tangent::{DifferenceAccuracy, Stiffness, TangentSpace, cholesky, dot};
use crate::math::{Vec3, larger};
use crate::model::{BodyId, Model};
use crate::simulation::Simulation;
use crate::state::State;
use crate::step::StepError;
use cardan_solve::eigen::{Complex, SymmetricSpectrum, eigen, eigen_symmetric};

/// Behaviour of a mode.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ModeKind {
    /// Oscillates, and decays if there is damping.
    Oscillating,
    /// Decays without oscillation: overdamped.
    Decaying,
    /// Zero frequency: stays where it is placed, or continues as it was pushed.
    Zero,
    /// Grows, with or without oscillation.
    Unstable,
}

impl ModeKind {
    /// The name for reports.
    pub const fn name(self) -> &'static str {
        match self {
            ModeKind::Oscillating => "oscillating",
            ModeKind::Decaying => "decaying",
            ModeKind::Zero => "zero",
            ModeKind::Unstable => "unstable",
        }
    }
}

/// A normal mode: a small motion of constant shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Its behaviour.
    pub kind: ModeKind,
    /// Eigenvalue s \[1/s\]; of a conjugate pair that with Im s > 0, of ±√ that with Re s > 0.
    pub eigenvalue: Complex,
    /// Im s / 2π \[Hz\].
    pub frequency: f64,
    /// ζ = −Re s / |s|; zero for zero modes.
    pub damping_ratio: f64,
    /// Re s \[1/s\]: the growth rate, negative for a decay.
    pub growth_rate: f64,
    /// Velocities of all bodies in id order, scaled to φ̄ᵀ M φ = 1, the largest entry real and
    /// positive.
    pub shape: Vec<f64>,
    /// The part of the shape with a phase of +90°; all zero without damping.
    pub shape_ahead: Vec<f64>,
}

impl Mode {
    /// Motion of a body in the mode: displacement and rotation vector of its centre of mass, and
    /// the part with a phase of +90°. For a general body those of its floating frame, if it has
    /// one; its other freedoms are in `shape`. `None` if the model has no such body.
    pub fn of_body(&self, model: &Model, body: BodyId) -> Option<[(Vec3, Vec3); 2]> {
        let body = model.body(body)?;
        // Velocities have the layout of generalised forces.
        Some([&self.shape, &self.shape_ahead].map(|shape| {
            let own = &shape[body.v_range()];
            if body.general.is_some() && body.kind.moves_freely() {
                return (Vec3::new(own[0], own[1], own[2]), Vec3::new(own[3], own[4], own[5]));
            }
            let motion = body.kind.as_wrench(own);
            (motion.force, motion.torque)
        }))
    }
}

/// All modes in a pose: unstable ones first, then zero modes, then by |s|.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// The modes.
    pub modes: Vec<Mode>,
    /// Freedoms of the mechanism in the pose.
    pub freedoms: usize,
    /// Whether there is damping.
    pub damped: bool,
    /// Whether forces without a potential act, so that modes may grow while they oscillate.
    pub nonsymmetric: bool,
    /// Error estimate of ω², relative to the largest ω², from the differences that give K.
    pub accuracy: f64,
}

/// Number of eigenvalues of K of each sign.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct EigenvalueSigns {
    pub(super) negative: usize,
    pub(super) zero: usize,
    pub(super) positive: usize,
    pub(super) least: f64,
}

/// The linearised equations of motion in a pose.
pub(super) struct LinearizedSystem {
    n: usize,
    mass: Vec<f64>,
    stiffness: Stiffness,
    /// `None` without damping.
    damping: Option<Vec<f64>>,
    nonsymmetric: bool,
    spectrum: SymmetricSpectrum,
    rounding: f64,
}

impl LinearizedSystem {
    pub(super) fn at(
        problem: &mut StaticsProblem<'_>,
        state: &State,
        tangent: &TangentSpace,
    ) -> Result<LinearizedSystem, StaticsError> {
        let n = tangent.freedoms();
        let stiffness = tangent.stiffness(problem, state, DifferenceAccuracy::Precise)?;
        let damping = tangent.damping(problem, state)?;
        problem.write(state)?;
        let mass = tangent.mass(problem);
        let spectrum = stiffness.spectrum(n)?;
        let rounding = stiffness.rounding(&spectrum, tangent.size / problem.length);
        let largest = |m: &[f64]| m.iter().fold(0.0, |w, x: &f64| larger(w, x.abs()));
        // Rounding of the forces, divided by the speeds of the differences.
        let silent = 1e-11 * tangent.size / (1e-3 * problem.length);
        let damping = (largest(&damping) > silent).then_some(damping);
        let nonsymmetric = n > 0 && stiffness.is_nonsymmetric(n);
        Ok(LinearizedSystem { n, mass, stiffness, damping, nonsymmetric, spectrum, rounding })
    }

    pub(super) fn signs(&self) -> EigenvalueSigns {
        let count = |pick: &dyn Fn(f64) -> bool| self.spectrum.values.iter().filter(|&&k| pick(k)).count();
        let bound = self.rounding;
        EigenvalueSigns {
            negative: count(&|k| k < -bound),
            zero: count(&|k| k.abs() <= bound),
            positive: count(&|k| k > bound),
            least: self.spectrum.values.first().copied().unwrap_or(0.0),
        }
    }

    pub(super) fn stability(&self) -> Result<Stability, StaticsError> {
        let signs = self.signs();
        if self.n == 0 {
            return Ok(Stability::Rigid);
        }
        if self.nonsymmetric {
            // Without a potential the signs of K do not decide stability: flutter is possible.
            let modes = self.modes()?;
            let worst = |kind: ModeKind| modes.iter().any(|(mode, _)| *mode == kind);
            return Ok(if worst(ModeKind::Unstable) {
                Stability::Unstable
            } else if worst(ModeKind::Zero) {
                Stability::Neutral
            } else {
                Stability::Stable
            });
        }
        Ok(match signs {
            EigenvalueSigns { negative: 1.., .. } => Stability::Unstable,
            EigenvalueSigns { zero: 1.., .. } => Stability::Neutral,
            _ => Stability::Stable,
        })
    }

    /// Kinds, s and complex y with ȳᵀ M y = 1, in order.
    fn modes(&self) -> Result<Vec<(ModeKind, EigenRoot)>, StaticsError> {
        let n = self.n;
        let lower = cholesky(&self.mass, n).ok_or_else(|| {
            let body = String::new();
            StaticsError::Step(StepError::MassNotPositive { body, time: 0.0 })
        })?;
        let k = reduced(&self.stiffness.matrix, &lower, n);
        match (&self.damping, self.nonsymmetric) {
            (None, false) => self.undamped(&k, &lower),
            (damping, _) => {
                let c = damping.as_ref().map_or(vec![0.0; n * n], |c| reduced(c, &lower, n));
                self.damped(&k, &c, &lower)
            }
        }
    }

    fn undamped(&self, k: &[f64], lower: &[f64]) -> Result<Vec<(ModeKind, EigenRoot)>, StaticsError> {
        let n = self.n;
        let spectrum = eigen_symmetric(k, n);
        let signs = self.signs();
        let mut out = Vec::new();
        for (i, &square) in spectrum.values.iter().enumerate() {
            let u: Vec<Complex> = spectrum.vector(i).map(|x| Complex::new(x, 0.0)).collect();
            let size = square.abs().sqrt();
            let (kind, s) = if i < signs.negative {
                (ModeKind::Unstable, Complex::new(size, 0.0))
            } else if i < signs.negative + signs.zero {
                (ModeKind::Zero, Complex::ZERO)
            } else {
                (ModeKind::Oscillating, Complex::new(0.0, size))
            };
            out.push((kind, EigenRoot { s, y: from_reduced(&u, lower, n) }));
        }
        Ok(out)
    }

    fn damped(
        &self,
        k: &[f64],
        c: &[f64],
        lower: &[f64],
    ) -> Result<Vec<(ModeKind, EigenRoot)>, StaticsError> {
        let n = self.n;
        let largest = |m: &[f64]| m.iter().fold(0.0, |w, x: &f64| larger(w, x.abs()));
        let pace = larger(largest(k).sqrt(), largest(c));
        let pace = if pace > 0.0 { pace } else { 1.0 };
        let m = 2 * n;
        let mut a = vec![0.0; m * m];
        for i in 0..n {
            a[i * m + n + i] = 1.0;
            for j in 0..n {
                a[(n + i) * m + j] = -k[i * n + j] / (pace * pace);
                a[(n + i) * m + n + j] = -c[i * n + j] / pace;
            }
        }
        let found = eigen(&a, m).ok_or(StaticsError::StiffnessNotFinite)?;
        let mut order: Vec<usize> = (0..m).collect();
        let z = &found.values;
        let key = |i: usize| (z[i].norm(), z[i].im);
        order.sort_by(|&i, &j| key(i).0.total_cmp(&key(j).0).then(key(i).1.total_cmp(&key(j).1)));
        let mut out = Vec::new();
        // A freedom without stiffness has a double root s = 0, or a single one if it is damped;
        // rounding splits a double root.
        let rest = self.zero_roots(c, k);
        for u in &rest.shapes {
            out.push((ModeKind::Zero, EigenRoot { s: Complex::ZERO, y: from_reduced(u, lower, n) }));
        }
        let fastest = z.iter().map(|z| z.norm()).fold(0.0, larger);
        let real = 1e-11 * fastest;
        for &i in &order[rest.count..] {
            let value = z[i];
            if value.im < -real {
                continue;
            }
            let u: Vec<Complex> = (0..n).map(|r| found.vectors[r * m + i]).collect();
            let (kind, im) = if value.re > 1e-9 * fastest {
                (ModeKind::Unstable, value.im)
            } else if value.im <= real {
                (ModeKind::Decaying, 0.0)
            } else {
                (ModeKind::Oscillating, value.im)
            };
            let im = if value.im <= real { 0.0 } else { im };
            let s = Complex::new(value.re * pace, im * pace);
            out.push((kind, EigenRoot { s, y: from_reduced(&normalised(&u), lower, n) }));
        }
        let rank = |kind: ModeKind| match kind {
            ModeKind::Unstable => 0,
            ModeKind::Zero => 1,
            _ => 2,
        };
        out.sort_by_key(|(kind, _)| rank(*kind));
        Ok(out)
    }

    /// Roots s = 0 of the damped problem: their number, and a shape for each freedom without
    /// stiffness.
    fn zero_roots(&self, c: &[f64], k: &[f64]) -> ZeroRoots {
        let n = self.n;
        if self.nonsymmetric {
            return ZeroRoots::default();
        }
        let signs = self.signs();
        let spectrum = eigen_symmetric(k, n);
        let flat: Vec<Vec<f64>> =
            (signs.negative..signs.negative + signs.zero).map(|i| spectrum.vector(i).collect()).collect();
        // C on these freedoms: its rank is the number of second roots that damping moves away from
        // zero.
        let f = flat.len();
        let mut among = vec![0.0; f * f];
        for i in 0..f {
            for j in 0..f {
                let product: Vec<f64> = (0..n).map(|r| dot(&c[r * n..(r + 1) * n], &flat[j])).collect();
                among[i * f + j] = dot(&flat[i], &product);
            }
        }
        let largest = c.iter().fold(0.0, |w, x: &f64| larger(w, x.abs()));
        let damped = eigen_symmetric(&among, f).values.iter().filter(|&&x| x > 1e-9 * largest).count();
        let shapes =
            flat.into_iter().map(|u| u.into_iter().map(|x| Complex::new(x, 0.0)).collect()).collect();
        ZeroRoots { count: 2 * f - damped, shapes }
    }
}

#[derive(Default)]
struct ZeroRoots {
    count: usize,
    shapes: Vec<Vec<Complex>>,
}

/// s and y.
struct EigenRoot {
    s: Complex,
    y: Vec<Complex>,
}

/// L⁻¹ A L⁻ᵀ.
fn reduced(a: &[f64], lower: &[f64], n: usize) -> Vec<f64> {
    let mut out = a.to_vec();
    for _ in 0..2 {
        // L⁻¹ applied to the columns of A, transposed; twice gives both sides.
        for i in 0..n {
            for j in 0..n {
                let sum: f64 = (0..i).map(|k| lower[i * n + k] * out[k * n + j]).sum();
                out[i * n + j] = (out[i * n + j] - sum) / lower[i * n + i];
            }
        }
        out = (0..n * n).map(|k| out[(k % n) * n + k / n]).collect();
    }
    out
}

/// L⁻ᵀ u.
fn from_reduced(u: &[Complex], lower: &[f64], n: usize) -> Vec<Complex> {
    let mut y = u.to_vec();
    for i in (0..n).rev() {
        for k in i + 1..n {
            y[i] = y[i] - y[k].scaled(lower[k * n + i]);
        }
        y[i] = y[i].scaled(1.0 / lower[i * n + i]);
    }
    y
}

/// Normalised to length one.
fn normalised(u: &[Complex]) -> Vec<Complex> {
    let size = u.iter().map(|z| z.norm() * z.norm()).sum::<f64>().sqrt();
    let size = if size > 0.0 { size } else { 1.0 };
    u.iter().map(|z| z.scaled(1.0 / size)).collect()
}

/// Residual above which a pose is not an equilibrium, relative to the largest force: a pose that was
/// typed in with some digits passes.
const NEARLY_AT_REST: f64 = 1e-6;

impl Simulation {
    /// The closed pose that results from the present one along a mode: no point moves farther than
    /// about `amplitude` times the mechanism's length. For pictures.
    ///
    /// # Errors
    /// If that pose cannot be closed, or the mode belongs to another model.
    pub fn pose_along_mode(&self, mode: &Mode, amplitude: f64) -> Result<State, StaticsError> {
        let model = self.model().clone();
        if mode.shape.len() != model.v_len {
            return Err(StepError::OtherModel.into());
        }
        let mut problem = StaticsProblem::new(&model, self.state(), ForceField::Loads)?;
        let most = mode.shape.iter().zip(&problem.measure).map(|(x, m)| (x * m).abs()).fold(0.0, larger);
        let size = if most > 0.0 { amplitude * problem.length / most } else { 0.0 };
        let shift: Vec<f64> = mode.shape.iter().map(|x| x * size).collect();
        let moved = problem.moved(self.state(), &shift);
        problem.closed(&moved)
    }

    /// Frequencies, damping and shapes of small motions about the present pose, which must be an
    /// equilibrium ([`Simulation::equilibrium`] moves to one). The simulation is not changed.
    ///
    /// # Errors
    /// If the pose is not an equilibrium or cannot be closed, or the mechanism is too large for
    /// dense matrices.
    pub fn modes(&self) -> Result<Modes, StaticsError> {
        let model = self.model().clone();
        let mut problem = StaticsProblem::new(&model, self.state(), ForceField::Loads)?;
        let state = problem.closed(self.state())?;
        let tangent = problem.activate_pushing_bounds(&state)?;
        let residual = tangent.imbalance(&mut problem, &state, NEARLY_AT_REST)?;
        if residual > NEARLY_AT_REST {
            let (body, force) = drive(&problem, &tangent);
            return Err(StaticsError::NotAtRest { body, force, residual });
        }
        let linear = LinearizedSystem::at(&mut problem, &state, &tangent)?;
        let modes = linear.modes()?.into_iter().map(|(kind, root)| mode(&problem, &tangent, kind, &root));
        let largest = linear.spectrum.values.iter().fold(0.0, |w, x: &f64| larger(w, x.abs()));
        Ok(Modes {
            modes: modes.collect(),
            freedoms: linear.n,
            damped: linear.damping.is_some(),
            nonsymmetric: linear.nonsymmetric,
            accuracy: if largest > 0.0 { linear.stiffness.error / largest } else { 0.0 },
        })
    }
}

/// A mode from a root, with its shape in the coordinates of the bodies.
fn mode(problem: &StaticsProblem<'_>, tangent: &TangentSpace, kind: ModeKind, root: &EigenRoot) -> Mode {
    let n = problem.model.v_len;
    let mut shape = vec![Complex::ZERO; n];
    for (column, y) in tangent.basis.iter().zip(&root.y) {
        shape.iter_mut().zip(column).for_each(|(s, &x)| *s = *s + y.scaled(x));
    }
    // The phase in which the largest entry, with angles as displacements, is real and positive.
    let mut most = (0.0, Complex::ONE);
    for (z, measure) in shape.iter().zip(&problem.measure) {
        let size = z.norm() * measure;
        // The first of entries that are equal up to rounding.
        if size > most.0 * (1.0 + 1e-6) {
            most = (size, z.scaled(1.0 / z.norm()));
        }
    }
    let back = most.1.conjugate();
    let still = root.y.iter().all(|y| y.im == 0.0);
    let turned: Vec<Complex> = shape.iter().map(|z| *z * back).collect();
    let Complex { re, im } = root.s;
    let size = root.s.norm();
    Mode {
        kind,
        eigenvalue: root.s,
        frequency: im / (2.0 * core::f64::consts::PI),
        damping_ratio: if size > 0.0 { -re / size } else { 0.0 },
        growth_rate: re,
        shape: turned.iter().map(|z| z.re).collect(),
        shape_ahead: turned.iter().map(|z| if still { 0.0 } else { z.im }).collect(),
    }
}
