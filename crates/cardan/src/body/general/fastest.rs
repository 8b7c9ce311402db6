//! How fast a general body swings by itself: the largest ω of K x = ω² M x at the pose that it starts from, and the fastest decay of D x = r M x, with
//!
//!   K = −∂f/∂u        D = −∂f/∂u̇        f: what the body does to itself (`Form::push`)
//!
//! A rule with steps of h follows neither where ω h or r h is much more than one. By differences and Mises' iteration: an estimate, for steps to be divided by.

use super::{General, GeneralBody};
use crate::law::Jet;
use crate::math::larger;

/// Rounds of the iteration: from below, to a few per cent.
const ROUNDS: usize = 60;
/// Differences of this part of the body's size.
const LITTLE: f64 = 1e-5;

/// The larger of ω and r [rad/s, 1/s] of a body alone; zero where nothing holds its shape. `size` is a length of the body.
pub(crate) fn fastest(made: &GeneralBody, general: &mut General, (q, v): (&[f64], &[f64]), size: f64) -> f64 {
    let (own, dim) = (made.form.freedoms(), v.len());
    let skip = dim - own;
    let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
    general.write(made, q, v);
    let mut mass = vec![0.0; dim * (dim + 1) / 2];
    general.mass_matrix(&mut mass);
    if !cholesky(&mut mass, dim) {
        return 0.0;
    }
    let (u, rest) = (made.own(q).to_vec(), vec![0.0; own]);
    let mut jets = vec![Jet::default(); 2 * own];
    let mut differences = |by_rate: bool| {
        let mut matrix = vec![0.0; own * own];
        for j in 0..own {
            let unit = made.units.get(skip + j).copied().filter(|unit| *unit > 0.0).unwrap_or(size);
            let little = LITTLE * size / unit;
            let mut column = [vec![0.0; own], vec![0.0; own]];
            for (out, little) in column.iter_mut().zip([little, -little]) {
                let (mut u, mut rate) = (u.clone(), rest.clone());
                if by_rate {
                    rate[j] += little
                } else {
                    u[j] += little
                }
                made.form.push(&u, &rate, &mut jets, out);
            }
            for i in 0..own {
                matrix[i * own + j] = (column[1][i] - column[0][i]) / (2.0 * little);
            }
        }
        matrix
    };
    let stiffness = differences(false);
    let omega = largest(&stiffness, &mass, (own, dim)).sqrt();
    if !made.form.is_damped() {
        return omega;
    }
    let damping = differences(true);
    larger(omega, largest(&damping, &mass, (own, dim)))
}

/// M = L Lᵀ in place, packed by rows; false if M is not positive.
fn cholesky(m: &mut [f64], n: usize) -> bool {
    let at = |i: usize, j: usize| i * (i + 1) / 2 + j;
    for i in 0..n {
        for j in 0..=i {
            let mut sum = m[at(i, j)];
            for k in 0..j {
                sum -= m[at(i, k)] * m[at(j, k)];
            }
            if i == j {
                if !(sum > 0.0 && sum.is_finite()) {
                    return false;
                }
                m[at(i, i)] = sum.sqrt();
            } else {
                m[at(i, j)] = sum / m[at(j, j)];
            }
        }
    }
    true
}

/// The largest eigenvalue of L⁻¹ A L⁻ᵀ by size, where A acts on the last `own` of `dim` unknowns.
fn largest(a: &[f64], l: &[f64], (own, dim): (usize, usize)) -> f64 {
    let at = |i: usize, j: usize| i * (i + 1) / 2 + j;
    let skip = dim - own;
    // Something of every mode.
    let mut x: Vec<f64> = (0..dim).map(|i| 1.0 + 0.37 * ((i * 7) % 11) as f64).collect();
    let mut value = 0.0;
    for _ in 0..ROUNDS {
        let size = x.iter().fold(0.0, |sum, x| sum + x * x).sqrt();
        if !(size > 0.0 && size.is_finite()) {
            return value;
        }
        x.iter_mut().for_each(|x| *x /= size);
        // Lᵀ y = x.
        for i in (0..dim).rev() {
            let mut sum = x[i];
            for k in i + 1..dim {
                sum -= l[at(k, i)] * x[k];
            }
            x[i] = sum / l[at(i, i)];
        }
        let mut y = vec![0.0; dim];
        for i in 0..own {
            y[skip + i] = (0..own).fold(0.0, |sum, j| sum + a[i * own + j] * x[skip + j]);
        }
        // L x = y.
        for i in 0..dim {
            let mut sum = y[i];
            for k in 0..i {
                sum -= l[at(i, k)] * y[k];
            }
            y[i] = sum / l[at(i, i)];
        }
        x = y;
        value = x.iter().fold(0.0, |sum, x| sum + x * x).sqrt();
    }
    value
}
