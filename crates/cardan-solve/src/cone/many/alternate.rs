//! Alternating directions on one factor of M + Jᵀ ρ J; the equations are on the page of the module.

use super::newton::onto;
use super::pile::{DIM, Pile};
use super::sweep::dot;
use super::{Many, Reached};

#[derive(Clone, Debug)]
pub(super) struct Alternate {
    /// ρ beside 1 / W.
    pub(super) weight: f64,
    z: Vec<f64>,
    right: Vec<[f64; DIM]>,
}

impl Default for Alternate {
    fn default() -> Alternate {
        Alternate { weight: 1.0, z: Vec::new(), right: Vec::new() }
    }
}

impl Many {
    pub(super) fn by_alternating(&mut self, pile: &Pile, reached: &mut Reached) {
        self.plan(pile);
        self.alternate.weight = 1.0;
        self.alternate.z.clear();
        self.alternate.z.resize(pile.rows(), 0.0);
        self.fill(pile, false);
        if !self.factor.factor() {
            return;
        }
        self.take_rates(pile);
        for step in 1..=self.alternations {
            self.take_shift(pile);
            let (mut primal, mut dual, mut size) = (0.0, 0.0, 0.0);
            let alternate = &mut self.alternate;
            alternate.right.clear();
            for (mass, free) in pile.mass.iter().zip(&pile.free) {
                alternate.right.push(std::array::from_fn(|i| dot(&mass[i], free)));
            }
            for (place, contact) in pile.places.iter().zip(&self.contacts) {
                let rho = alternate.weight * contact.soft;
                let root = contact.soft.sqrt();
                let row = place.row;
                let rows = place.kind.rows();
                let mut hat = [0.0; 6];
                for r in 0..rows {
                    hat[r] = self.lambda[row + r] - rho * (self.a[row + r] + self.shift[row + r]);
                }
                let onto = onto(place.kind, &hat);
                for r in 0..rows {
                    let z = if rho > 0.0 { (onto[r] - hat[r]) / rho } else { 0.0 };
                    let off = (self.a[row + r] + self.shift[row + r] - z).abs() * root;
                    let moved = (z - alternate.z[row + r]).abs() * root * alternate.weight;
                    primal = if off > primal { off } else { primal };
                    dual = if moved > dual { moved } else { dual };
                    size = if contact.size > size { contact.size } else { size };
                    alternate.z[row + r] = z;
                    self.lambda[row + r] = onto[r];
                    let push = onto[r] + rho * (z - pile.bias[row + r] - self.shift[row + r]);
                    for e in 0..2 {
                        if let Some(right) = alternate.right.get_mut(place.ends[e] as usize) {
                            for i in 0..DIM {
                                right[i] += pile.jac[row + r][e][i] * push;
                            }
                        }
                    }
                }
            }
            self.factor.solve(&mut self.alternate.right);
            self.velocity.copy_from_slice(&self.alternate.right);
            self.take_rates(pile);
            reached.alternations += 1;
            if size > 0.0 {
                (reached.primal, reached.dual) = (primal / size, dual / size);
            }
            if step % 10 == 0 {
                // Judged by the v that follows from λ, then on with the v at hand.
                self.follow(pile);
                self.note(pile, reached);
                if reached.converged {
                    return;
                }
                self.velocity.copy_from_slice(&self.alternate.right);
                self.take_rates(pile);
                let ratio = primal / dual;
                if step % 50 == 0 && !(0.1..=10.0).contains(&ratio) && ratio > 0.0 && ratio < f64::INFINITY {
                    let factor = if ratio > 1.0 { 3.0 } else { 1.0 / 3.0 };
                    self.alternate.weight *= factor;
                    self.fill(pile, false);
                    if !self.factor.factor() {
                        return;
                    }
                }
            }
        }
    }
}
