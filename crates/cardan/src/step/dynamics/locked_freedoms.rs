//! Locked freedoms: active limits of joints with one freedom in the articulated elimination.
//!
//! The acceleration s of a joint on its limit is zero, and its limit pushes with what is left along the
//! freedom. Both come out of the elimination if the joint itself has the inertia L = [`LOCKED`]
//! (`Node::joint_inertia`):
//!
//! ```text
//! Q̂ = NᵀD N + L = L          s = u / L          λ = −L s = −u          u: load along the freedom, efforts included
//! ```
//!
//! L is a power of two and larger than any inertia by more than the digits of a number. So the sum is exactly
//! L, both products with it are exact, and N s vanishes beside every acceleration. The elimination costs the
//! same with locked freedoms and without.
//!
//! Which limits are active is a linear complementarity problem, 0 ≤ λ ⟂ a ≥ 0 with a positive definite matrix
//! that is never formed: [`Pivoting`] exchanges limits until none pulls and none is passed.

/// Inertia of a locked freedom: 2³⁰⁰ \[kg·m² or kg\].
pub(crate) const LOCKED: f64 = f64::from_bits((1023 + 300) << 52);
/// Force of a limit, beside the terms it is formed from, below which it is zero: a limit that pulls with more
/// opens.
pub(crate) const PULLS: f64 = 1e-12;
/// Rounds in which the number of wrong limits may fail to fall before they are exchanged one by one.
const PATIENCE: u32 = 3;
/// Rounds after which the general path decides.
const MOST_ROUNDS: u32 = 60;

/// Which of the limits on the wrong side are to be exchanged.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Exchange {
    /// All of them.
    All,
    /// The first, in the order of the model.
    First,
    /// None: the set is right.
    Nothing,
}

/// Principal pivoting by blocks (Júdice and Pires 1994): all wrong limits are exchanged as long as their
/// number falls. If it does not for [`PATIENCE`] rounds, the one of least index is exchanged, round by round
/// (Murty 1974): that rule cannot cycle.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Pivoting {
    fewest: usize,
    patience: u32,
    rounds: u32,
}

impl Pivoting {
    pub(crate) fn new() -> Self {
        Pivoting { fewest: usize::MAX, patience: PATIENCE, rounds: 0 }
    }

    /// What to exchange after a solve that left so many limits on the wrong side; `None` after too many
    /// rounds.
    pub(crate) fn next(&mut self, wrong: usize) -> Option<Exchange> {
        if wrong == 0 {
            return Some(Exchange::Nothing);
        }
        self.rounds += 1;
        if self.rounds > MOST_ROUNDS {
            return None;
        }
        if wrong < self.fewest {
            (self.fewest, self.patience) = (wrong, PATIENCE);
            return Some(Exchange::All);
        }
        if self.patience > 0 {
            self.patience -= 1;
            return Some(Exchange::All);
        }
        Some(Exchange::First)
    }
}

#[cfg(test)]
mod tests {
    use super::{Exchange, LOCKED, Pivoting};

    #[test]
    fn an_inertia_beside_a_locked_one_is_lost_and_forces_are_kept() {
        let (inertia, load) = (3.7e5, -0.123_456_789);
        let inverse = 1.0 / (inertia + LOCKED);
        assert_eq!(inverse * LOCKED, 1.0);
        assert_eq!((load * inverse) * LOCKED, load);
    }

    /// Solves 0 ≤ x ⟂ A x + b ≥ 0 by the rule, with a dense elimination of the chosen rows.
    fn solve(a: &[Vec<f64>], b: &[f64]) -> Option<Vec<f64>> {
        let n = b.len();
        let mut is_active = vec![false; n];
        let mut rule = Pivoting::new();
        loop {
            let rows: Vec<usize> = (0..n).filter(|&i| is_active[i]).collect();
            let mut m: Vec<Vec<f64>> =
                rows.iter().map(|&i| rows.iter().map(|&j| a[i][j]).chain([-b[i]]).collect()).collect();
            for k in 0..rows.len() {
                for i in 0..rows.len() {
                    if i != k {
                        let part = m[i][k] / m[k][k];
                        for j in k..=rows.len() {
                            m[i][j] -= part * m[k][j];
                        }
                    }
                }
            }
            let mut x = vec![0.0; n];
            rows.iter().enumerate().for_each(|(k, &i)| x[i] = m[k][rows.len()] / m[k][k]);
            let rest = |i: usize| (0..n).map(|j| a[i][j] * x[j]).sum::<f64>() + b[i];
            let wrong: Vec<usize> =
                (0..n).filter(|&i| if is_active[i] { x[i] < -1e-12 } else { rest(i) < -1e-12 }).collect();
            match rule.next(wrong.len())? {
                Exchange::Nothing => return Some(x),
                Exchange::All => wrong.iter().for_each(|&i| is_active[i] = !is_active[i]),
                Exchange::First => is_active[wrong[0]] = !is_active[wrong[0]],
            }
        }
    }

    #[test]
    fn the_rule_solves_complementarity_problems_and_does_not_cycle() {
        let mut seed = 12345_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for n in 1..16 {
            for _ in 0..20 {
                let root: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| random()).collect()).collect();
                let entry = |i: usize, j: usize| (0..n).map(|k| root[i][k] * root[j][k]).sum::<f64>();
                let a: Vec<Vec<f64>> = (0..n)
                    .map(|i| (0..n).map(|j| entry(i, j) + if i == j { 0.05 } else { 0.0 }).collect())
                    .collect();
                let b: Vec<f64> = (0..n).map(|_| random()).collect();
                let x = solve(&a, &b).expect("a problem with a positive definite matrix has a solution");
                for i in 0..n {
                    let rest = (0..n).map(|j| a[i][j] * x[j]).sum::<f64>() + b[i];
                    assert!(x[i] >= -1e-12 && rest >= -1e-10 && (x[i] * rest).abs() < 1e-9, "{n}: {x:?}");
                }
            }
        }
    }
}
