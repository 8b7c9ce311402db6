//! Natural frequency of a general body by itself: the largest ω of K x = ω² M x in the starting
//! pose, and the fastest decay r of D x = r M x.
//!
//!   K = −∂f/∂u        D = −∂f/∂u̇        f: internal forces of the body (`BodyForm::push`)
//!
//! An explicit integrator with step h needs ω h and r h of about one or less; the estimate divides
//! steps. It is computed by finite differences and power iteration, once for a body as described.

use super::{GeneralBody, GeneralMotion};
use crate::law::Jet;
use crate::math::larger;
use cardan_solve::triangle::{backward, cholesky, forward};

/// Power iterations: they converge from below, to a few per cent.
const ROUNDS: usize = 60;
/// Finite differences use displacements of this part of the body's size: the middle between
/// truncation and rounding.
const DIFFERENCE: f64 = 1e-5;

/// The larger of ω and r \[rad/s, 1/s\] of a body alone; zero where it has no elastic forces or
/// damping. `size` is a length of the body \[m\].
pub(crate) fn highest_natural_frequency(
    made: &GeneralBody,
    general: &mut GeneralMotion,
    (q, v): (&[f64], &[f64]),
    size: f64,
) -> f64 {
    let (own, dim) = (made.form.freedoms(), v.len());
    let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
    general.write(made, q, v);
    let mut mass = vec![0.0; dim * (dim + 1) / 2];
    general.mass_matrix(&mut mass);
    if cholesky(&mut mass, dim, f64::EPSILON).is_err() {
        return 0.0;
    }
    let unit = |i: usize| made.units.get(dim - own + i).copied().filter(|unit| *unit > 0.0).unwrap_or(size);
    let mut gradient = ForceGradient {
        made,
        at: made.own(q).to_vec(),
        units: (0..own).map(unit).collect(),
        size,
        by_rate: false,
        jets: vec![Jet::default(); 2 * own],
        moved: [vec![0.0; own], vec![0.0; own]],
    };
    let mut highest = gradient.largest(&mass, dim).sqrt();
    if made.form.is_damped() {
        gradient.by_rate = true;
        highest = larger(highest, gradient.largest(&mass, dim));
    }
    highest
}

/// −∂f/∂u or −∂f/∂u̇ in a pose at rest.
struct ForceGradient<'a> {
    made: &'a GeneralBody,
    at: Vec<f64>,
    /// Displacement of the mass by a unit of each coordinate, and a length of the body \[m\].
    units: Vec<f64>,
    size: f64,
    by_rate: bool,
    jets: Vec<Jet>,
    moved: [Vec<f64>; 2],
}

impl ForceGradient<'_> {
    /// Derivative along a direction, by a central difference.
    fn along(&mut self, direction: impl Fn(usize) -> f64, step: f64, out: &mut [f64]) {
        let own = self.at.len();
        let mut pushes = [vec![0.0; own], vec![0.0; own]];
        for (push, step) in pushes.iter_mut().zip([step, -step]) {
            let [u, rate] = &mut self.moved;
            u.copy_from_slice(&self.at);
            rate.fill(0.0);
            let changed = if self.by_rate { rate } else { u };
            changed.iter_mut().enumerate().for_each(|(i, x)| *x += step * direction(i));
            self.made.form.push(&self.moved[0], &self.moved[1], &mut self.jets, push);
        }
        let [ahead, behind] = &pushes;
        for (out, (ahead, behind)) in out.iter_mut().zip(ahead.iter().zip(behind)) {
            *out = (behind - ahead) / (2.0 * step);
        }
    }

    /// The derivative as a matrix, column by column.
    fn matrix(&mut self) -> Vec<f64> {
        let own = self.at.len();
        let (mut matrix, mut column) = (vec![0.0; own * own], vec![0.0; own]);
        for j in 0..own {
            let step = DIFFERENCE * self.size / self.units[j];
            self.along(|i| if i == j { 1.0 } else { 0.0 }, step, &mut column);
            column.iter().enumerate().for_each(|(i, x)| matrix[i * own + j] = *x);
        }
        matrix
    }

    /// The eigenvalue of L⁻¹ A L⁻ᵀ of the largest size, where A acts on the last of `dim` unknowns.
    /// With more coordinates than iterations A is not formed: its product with a vector is a
    /// difference along the vector.
    fn largest(&mut self, l: &[f64], dim: usize) -> f64 {
        let own = self.at.len();
        let matrix = (own <= ROUNDS).then(|| self.matrix());
        // A start vector with a part in every mode.
        let mut x: Vec<f64> = (0..dim).map(|i| 1.0 + 0.37 * ((i * 7) % 11) as f64).collect();
        let (mut value, mut made) = (0.0, vec![0.0; own]);
        for _ in 0..ROUNDS {
            let size = norm(&x);
            if !(size > 0.0 && size.is_finite()) {
                return value;
            }
            x.iter_mut().for_each(|x| *x /= size);
            backward(l, &mut x);
            let direction = &x[dim - own..];
            match &matrix {
                Some(a) => made.iter_mut().zip(a.chunks_exact(own)).for_each(|(made, row)| {
                    *made = row.iter().zip(direction).fold(0.0, |sum, (a, x)| sum + a * x);
                }),
                None => {
                    let reach = direction.iter().zip(&self.units);
                    let reach = reach.fold(0.0, |most, (x, unit)| larger(most, x.abs() * unit));
                    if reach > 0.0 {
                        self.along(|i| direction[i], DIFFERENCE * self.size / reach, &mut made);
                    } else {
                        return value;
                    }
                }
            }
            x.fill(0.0);
            x[dim - own..].copy_from_slice(&made);
            forward(l, &mut x);
            value = norm(&x);
        }
        value
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |sum, x| sum + x * x).sqrt()
}
