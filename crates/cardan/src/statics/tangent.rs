//! The tangent space of a closed pose: Z, λ, g, and K, M, C in the freedoms.
//!
//! K is found by differences of F + Jᵀ λ along the columns of Z, with λ constant, so that every
//! force law has one. The search uses one central difference. Stability and modes use four points
//! at the step h, which is reduced by factors of eight until two results agree best:
//!
//! ```text
//! D(h) = (4 S(h) − S(2h)) / 3,   S(h) = (G(h) − G(−h)) / 2h         error h⁴, plus rounding / h
//! ```
//!
//! This leaves about 1e-12 of the largest stiffness; the difference of the two results is the error
//! estimate.

use super::error::StaticsError;
use super::problem::{ForceField, StaticsProblem};
use super::reach::Goal;
use crate::math::{Vec3, larger};
use crate::state::State;
use crate::step::{frame, refresh_motions};
use cardan_solve::NullSpaceBasis;
use cardan_solve::eigen::{SymmetricSpectrum, eigen_symmetric};

/// The tangent space of a closed pose.
#[derive(Clone, Debug)]
pub(super) struct TangentSpace {
    /// Columns of Z, in velocity space; orthonormal in the metric unless changed to another basis.
    pub(super) basis: Vec<Vec<f64>>,
    /// λ of all rows, then of held inequalities.
    pub(super) lambda: Vec<f64>,
    /// Range and null space of the rows in the metric.
    pub(super) split: NullSpaceBasis,
    /// g = Zᵀ F.
    pub(super) force: Vec<f64>,
    /// |g| in the metric \[N\].
    pub(super) strength: f64,
    /// The largest force \[N\].
    pub(super) size: f64,
}

/// Accuracy of a derivative.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum DifferenceAccuracy {
    /// For a step of a search: one central difference.
    Quick,
    /// For stability and modes: extrapolation with an error estimate.
    Precise,
}

/// A matrix in the freedoms, row-major, and its error estimate.
#[derive(Clone, Debug)]
pub(super) struct Stiffness {
    pub(super) matrix: Vec<f64>,
    pub(super) error: f64,
}

/// Asymmetry of a stiffness, relative to its size, up to which the force counts as one with a
/// potential: above the errors of a central difference.
const NONSYMMETRIC: f64 = 1e-7;

/// δ: a force is right to 16 ε of the stiffness times ℓ, which a residual of 1e-9 lets pass.
const STIFFNESS_ROUNDING: f64 = 16.0 * f64::EPSILON / 1e-9;

impl Stiffness {
    fn largest(&self) -> f64 {
        self.matrix.iter().fold(0.0, |w, x| larger(w, x.abs()))
    }
    /// Whether the force has no potential here: K is not symmetric.
    pub(super) fn is_nonsymmetric(&self, n: usize) -> bool {
        let gap = |k: usize| (self.matrix[k] - self.matrix[(k % n) * n + k / n]).abs();
        (0..n * n).map(gap).fold(0.0, larger) > NONSYMMETRIC * self.largest() + 8.0 * self.error
    }
    /// Eigenvalues and eigenvectors of the symmetric part.
    pub(super) fn spectrum(&self, n: usize) -> Result<SymmetricSpectrum, StaticsError> {
        let spectrum = eigen_symmetric(&self.matrix, n);
        let lost = spectrum.values.iter().any(|x| !x.is_finite());
        if lost { Err(StaticsError::StiffnessNotFinite) } else { Ok(spectrum) }
    }
    /// Eigenvalues up to this are rounding: of the differences, and of the forces divided by the
    /// length at which they act.
    pub(super) fn rounding(&self, spectrum: &SymmetricSpectrum, force_per_length: f64) -> f64 {
        let largest = spectrum.values.iter().fold(0.0, |w, x: &f64| larger(w, x.abs()));
        let n = spectrum.values.len() as f64;
        8.0 * n * self.error + 1e-11 * largest + 1e-11 * force_per_length
    }
}

impl TangentSpace {
    /// The tangent space at a closed pose.
    pub(super) fn at(problem: &mut StaticsProblem<'_>, state: &State) -> Result<TangentSpace, StaticsError> {
        problem.write(state)?;
        let n = problem.model.v_len;
        let rows = problem.dense_rows();
        let Some(split) = NullSpaceBasis::of(&rows, n) else { return Err(StaticsError::StiffnessNotFinite) };
        let scaled: Vec<f64> =
            problem.work.equations.system.force().iter().zip(&problem.measure).map(|(f, m)| f / m).collect();
        let mut lambda = vec![0.0; problem.model.graph.rows() + problem.held.len()];
        split.multipliers(&scaled, &mut lambda);
        let (mut basis, mut force) = (Vec::new(), Vec::new());
        for k in 0..split.nullity() {
            let column = split.null_vector(k);
            force.push(dot(&column, &scaled));
            basis.push(column.iter().zip(&problem.measure).map(|(x, m)| x / m).collect());
        }
        let mut size: f64 = match problem.field {
            ForceField::Loads => problem.pose_energy(state).largest_force,
            ForceField::TargetSpring(_) => problem.length,
        };
        if matches!(problem.field, ForceField::Loads) {
            for (row, l) in rows.chunks_exact(n.max(1)).zip(&lambda) {
                size = row.iter().fold(size, |w, x| larger(w, (x * l).abs()));
            }
        }
        let strength = dot(&force, &force).sqrt();
        if !(strength.is_finite() && size.is_finite()) {
            return Err(StaticsError::StiffnessNotFinite);
        }
        Ok(TangentSpace { basis, lambda, split, force, strength, size })
    }

    pub(super) fn freedoms(&self) -> usize {
        self.basis.len()
    }
    /// |g| relative to the largest force.
    pub(super) fn residual(&self) -> f64 {
        if self.strength == 0.0 { 0.0 } else { self.strength / self.size }
    }
    /// The force along the freedoms, relative to what forces there are:
    ///
    /// ```text
    /// max |g_i| / max(F, |k_i| ℓ, δ |z_i|·ρ)        ρ = Σ_j |k_j| ℓ |z_j|,  z_i: unit eigenvectors of K
    /// ```
    ///
    /// F is the largest force of the pose. Where springs alone hold a mechanism it vanishes together with g, and the
    /// remaining force is judged by the displacement that it stands for, g_i / k_i, beside the mechanism's length ℓ. The
    /// last term is rounding: the force on a coordinate is right to ε of the stiffness there times ℓ, whatever the
    /// stiffness of other parts is. K is formed only if F does not decide.
    pub(super) fn imbalance(
        &self,
        problem: &mut StaticsProblem<'_>,
        state: &State,
        bound: f64,
    ) -> Result<f64, StaticsError> {
        let plain = self.residual();
        if plain <= bound || !matches!(problem.field, ForceField::Loads) {
            return Ok(plain);
        }
        let n = self.freedoms();
        let spectrum = self.stiffness(problem, state, DifferenceAccuracy::Quick)?.spectrum(n)?;
        let ways: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                let way = self.shift(&spectrum.vector(i).collect::<Vec<_>>());
                way.iter().zip(&problem.measure).map(|(x, m)| (x * m).abs()).collect()
            })
            .collect();
        let mut formed = vec![0.0; problem.measure.len()];
        for (way, k) in ways.iter().zip(&spectrum.values) {
            formed.iter_mut().zip(way).for_each(|(formed, x)| *formed += k.abs() * problem.length * x);
        }
        let of = |i: usize| {
            let pull = spectrum.vector(i).zip(&self.force).map(|(v, g)| v * g).sum::<f64>().abs();
            let by_stiffness = spectrum.values[i].abs() * problem.length;
            let size = larger(larger(self.size, by_stiffness), STIFFNESS_ROUNDING * dot(&ways[i], &formed));
            if pull == 0.0 { 0.0 } else { pull / size }
        };
        Ok((0..n).map(of).fold(0.0, larger))
    }
    /// Z y.
    pub(super) fn shift(&self, y: &[f64]) -> Vec<f64> {
        let mut shift = vec![0.0; self.basis.first().map_or(0, Vec::len)];
        for (column, y) in self.basis.iter().zip(y) {
            shift.iter_mut().zip(column).for_each(|(s, x)| *s += x * y);
        }
        shift
    }
    /// Z g: the direction of the force along the freedoms.
    pub(super) fn driven(&self) -> Vec<f64> {
        self.shift(&self.force)
    }

    /// Zᵀ f.
    fn seen(&self, f: &[f64]) -> Vec<f64> {
        self.basis.iter().map(|column| dot(column, f)).collect()
    }

    /// Changes to the basis Z T, T upper triangular with Zᵀ M Z = T⁻ᵀ T⁻¹, whose columns are
    /// orthonormal in the mass metric. False if the mass matrix is not positive definite.
    pub(super) fn weigh_by_mass(&mut self, problem: &StaticsProblem<'_>) -> bool {
        let n = self.freedoms();
        let mass = self.mass(problem);
        let Some(lower) = cholesky(&mass, n) else { return false };
        // Column k of the new basis: (z_k − Σ_{i<k} L_ki new_i) / L_kk.
        for k in 0..n {
            for i in 0..k {
                let (head, tail) = self.basis.split_at_mut(k);
                let l = lower[k * n + i];
                tail[0].iter_mut().zip(&head[i]).for_each(|(x, y)| *x -= l * y);
                self.force[k] -= l * self.force[i];
            }
            let l = lower[k * n + k];
            self.basis[k].iter_mut().for_each(|x| *x /= l);
            self.force[k] /= l;
        }
        true
    }

    /// Zᵀ M Z, with M of the pose written last.
    pub(super) fn mass(&self, problem: &StaticsProblem<'_>) -> Vec<f64> {
        let n = self.freedoms();
        let mut out = vec![0.0; n * n];
        for (j, column) in self.basis.iter().enumerate() {
            let product = problem.mass_times(column);
            for (i, x) in self.seen(&product).into_iter().enumerate() {
                out[i * n + j] = x;
            }
        }
        // Symmetrise: the halves differ by rounding only.
        for i in 0..n {
            for j in 0..i {
                let mean = 0.5 * (out[i * n + j] + out[j * n + i]);
                (out[i * n + j], out[j * n + i]) = (mean, mean);
            }
        }
        out
    }

    /// K = −Zᵀ ∂(F + Jᵀ λ)/∂x Z.
    pub(super) fn stiffness(
        &self,
        problem: &mut StaticsProblem<'_>,
        state: &State,
        accuracy: DifferenceAccuracy,
    ) -> Result<Stiffness, StaticsError> {
        let n = self.freedoms();
        let mut out = Stiffness { matrix: vec![0.0; n * n], error: 0.0 };
        for j in 0..n {
            let unit = problem.length / larger(problem.length_of(&self.basis[j]), f64::MIN_POSITIVE);
            let slope = |problem: &mut StaticsProblem<'_>, h: f64| self.slope(problem, state, j, h * unit);
            let column = match accuracy {
                DifferenceAccuracy::Quick => slope(problem, 1e-5)?,
                DifferenceAccuracy::Precise => {
                    let four = |problem: &mut StaticsProblem<'_>, h: f64| -> Result<Vec<f64>, StaticsError> {
                        let (near, far) = (slope(problem, h)?, slope(problem, 2.0 * h)?);
                        Ok(near.iter().zip(far).map(|(n, f)| (4.0 * n - f) / 3.0).collect())
                    };
                    let (mut best, mut least) = (Vec::new(), f64::INFINITY);
                    let mut h = 1.0 / 64.0;
                    let mut last = four(problem, h)?;
                    for _ in 0..4 {
                        h /= 8.0;
                        let now = four(problem, h)?;
                        let gap = last.iter().zip(&now).map(|(a, b)| (a - b).abs()).fold(0.0, larger);
                        if gap < least || best.is_empty() {
                            (best, least) = (now.clone(), gap);
                        }
                        last = now;
                    }
                    out.error = larger(out.error, least);
                    best
                }
            };
            column.into_iter().enumerate().for_each(|(i, x)| out.matrix[i * n + j] = -x);
        }
        Ok(out)
    }

    /// Aᵀ A, with A the motion of the goal's frame along the freedoms: K at a reached target
    /// (Gauss–Newton). A freedom that does not move the frame has zero stiffness and is not moved.
    pub(super) fn goal_stiffness(
        &self,
        problem: &mut StaticsProblem<'_>,
        state: &State,
        goal: &Goal,
    ) -> Stiffness {
        let n = self.freedoms();
        refresh_motions(problem.model, state, &mut problem.work);
        let here = frame(&problem.work.kinematics.motions, &goal.at);
        let motion = |column: &Vec<f64>| match goal.at.body().map(|i| &problem.model.bodies[i]) {
            Some(body) => {
                let own = &column[body.v_range()];
                problem.work.kinematics.motions.push_forward(problem.model, &goal.at, here.arm, own)
            }
            None => (Vec3::ZERO, Vec3::ZERO),
        };
        let ways: Vec<[Vec3; 2]> = self
            .basis
            .iter()
            .map(motion)
            .map(|(way, turn)| goal.counted(way, turn * problem.length))
            .collect();
        let product = |k: usize| {
            let (a, b) = (ways[k / n], ways[k % n]);
            a[0].dot(b[0]) + a[1].dot(b[1])
        };
        Stiffness { matrix: (0..n * n).map(product).collect(), error: 0.0 }
    }

    /// Zᵀ (G(h) − G(−h)) / 2h along column j, G = F + Jᵀ λ.
    fn slope(
        &self,
        problem: &mut StaticsProblem<'_>,
        state: &State,
        j: usize,
        h: f64,
    ) -> Result<Vec<f64>, StaticsError> {
        let mut at = |h: f64| -> Result<Vec<f64>, StaticsError> {
            let shift: Vec<f64> = self.basis[j].iter().map(|x| x * h).collect();
            let next = problem.moved(state, &shift);
            problem.write(&next)?;
            Ok(problem.total_force(&self.lambda))
        };
        let (ahead, behind) = (at(h)?, at(-h)?);
        let change: Vec<f64> = ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * h)).collect();
        Ok(self.seen(&change))
    }

    /// C = −Zᵀ ∂F/∂v Z at rest. A force quadratic in the speed has none.
    pub(super) fn damping(
        &self,
        problem: &mut StaticsProblem<'_>,
        state: &State,
    ) -> Result<Vec<f64>, StaticsError> {
        let n = self.freedoms();
        let mut out = vec![0.0; n * n];
        for j in 0..n {
            let unit = problem.length / larger(problem.length_of(&self.basis[j]), f64::MIN_POSITIVE);
            let mut at = |h: f64| -> Result<Vec<f64>, StaticsError> {
                let mut moving = state.clone();
                moving.v.iter_mut().zip(&self.basis[j]).for_each(|(v, x)| *v = x * h);
                problem.write(&moving)?;
                Ok(problem.work.equations.system.force().to_vec())
            };
            let mut slope = |h: f64| -> Result<Vec<f64>, StaticsError> {
                let (ahead, behind) = (at(h)?, at(-h)?);
                Ok(ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * h)).collect())
            };
            // At speed h a term |v| v leaves h in the difference; extrapolation with half the speed
            // removes it.
            let h = 1e-3 * unit;
            let (whole, half) = (slope(h)?, slope(0.5 * h)?);
            let change: Vec<f64> = half.iter().zip(&whole).map(|(a, b)| 2.0 * a - b).collect();
            self.seen(&change).into_iter().enumerate().for_each(|(i, x)| out[i * n + j] = -x);
        }
        Ok(out)
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// L with A = L Lᵀ, row-major; `None` if A is not positive definite.
pub(super) fn cholesky(a: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let sum = a[i * n + j] - dot(&l[i * n..i * n + j], &l[j * n..j * n + j]);
            if i != j {
                l[i * n + j] = sum / l[j * n + j];
            } else if sum > 0.0 && sum.is_finite() {
                l[i * n + i] = sum.sqrt();
            } else {
                return None;
            }
        }
    }
    Some(l)
}
