//! Conjugate gradients on J M⁻¹ Jᵀ + E, which is never formed (Witkin 1997, section 4.4):
//!
//! ```text
//! (J M⁻¹ Jᵀ + E) λ = −(c + J M⁻¹ F)          x = M⁻¹ (F + Jᵀ λ)
//! ```
//!
//! A product has three steps: Jᵀ scatters to the blocks, each block divides by its mass, J gathers. There is
//! no elimination order and no fill-in; memory is that of the system. The number of iterations grows with the
//! square root of the condition number. The residual relative to the right-hand side is reported, not
//! guaranteed ([`ConjugateGradient::iterations`], [`ConjugateGradient::relative_residual`]).
//!
//! Redundant rows make the matrix singular. If they do not contradict each other, the right-hand side is in
//! its range, where the iteration stays: λ is then the least one in the norm of the preconditioner, and x is
//! unique. Rows that contradict each other (rounding does, in the last rounds of a projection) are satisfied
//! in the least-squares sense: the iteration ends when the residual is in the null space.
//!
//! Preconditioner P: each link's own block Σ J_i M_i⁻¹ J_iᵀ + E, factored; its diagonal where the link's own
//! rows depend on each other.
//!
//! Departures from the paper, which takes the least-squares variant of Numerical Recipes with two products
//! per iteration: the matrix is symmetric and semidefinite, so conjugate residuals (Stiefel 1955) also
//! minimise the residual, with one product:
//!
//! ```text
//! α = zᵀAz / (Ap)ᵀP⁻¹Ap,   λ += α p,   r −= α Ap,   z = P⁻¹ r,   β = zᵀAz / before,   p = z + β p,   Ap = Az + β Ap
//! ```
//!
//! Conjugate gradients proper diverge along the null space if the right-hand side is not in the range. The
//! recursive residual drifts from the true one; so the true one is formed when the recursive one is small
//! enough, and the iteration restarts from there.

use crate::tolerances::LEAST_PIVOT;
use std::sync::Arc;

use crate::dropped::Dropped;
use crate::error::{FactorError, SystemEntry};
use crate::graph::{Graph, packed_len};
use crate::kernel::{backward, cholesky, dot, forward};
use crate::rank::Rank;
use crate::system::System;

/// Relative residual at which the iteration ends: a thousand roundings.
const DONE: f64 = 1e-13;
/// Products allowed: this many times the rows, and no fewer than [`LEAST_PRODUCTS`].
const PRODUCTS_PER_ROW: usize = 20;
const LEAST_PRODUCTS: usize = 100;
/// A residual that the preconditioned matrix reduces below this part of itself is in the null space: a
/// hundred roundings.
const NULL: f64 = 1e-14;
/// A link's own block is used as preconditioner above this relative pivot; below it, its diagonal.
const PLAIN_PIVOT: f64 = 1e-10;

/// Iterative solver for any graph, without a factor of the whole matrix.
#[derive(Clone, Debug)]
pub struct ConjugateGradient {
    graph: Arc<Graph>,
    /// The rows as given; the masses are not used. Rows left out are zero, with a compliance of one.
    system: System,
    idle: Vec<bool>,
    /// Decides on redundant rows; allocated when first needed.
    geometry: Option<Box<Rank>>,
    /// Cholesky factors of the masses.
    mass: Vec<f64>,
    /// Per link, the Cholesky factor of its own block, packed; reciprocals of its diagonal if that failed.
    own: Vec<f64>,
    own_start: Vec<usize>,
    own_is_factored: Vec<bool>,
    // Vectors of the iteration.
    right: Vec<f64>,
    left: Vec<f64>,
    conditioned: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
    along: Vec<f64>,
    turned: Vec<f64>,
    best: Vec<f64>,
    acceleration: Vec<f64>,
    scratch: Vec<f64>,
    iterations: u64,
    relative_residual: f64,
    ready: bool,
}

impl ConjugateGradient {
    /// Reserves memory for a graph.
    pub fn new(graph: &Arc<Graph>) -> ConjugateGradient {
        let rows = vec![0.0; graph.rows()];
        let mut own_start = vec![0];
        let mut length = 0;
        for link in graph.all_links() {
            length += packed_len(graph.link_rows(link));
            own_start.push(length);
        }
        let widest = graph.all_blocks().map(|block| graph.block_dim(block)).max().unwrap_or(0);
        ConjugateGradient {
            graph: Arc::clone(graph),
            system: System::new(Arc::clone(graph)),
            idle: vec![false; graph.rows()],
            geometry: None,
            mass: vec![0.0; graph.mass_len()],
            own: vec![0.0; length],
            own_is_factored: vec![false; graph.links()],
            own_start,
            right: rows.clone(),
            left: rows.clone(),
            conditioned: rows.clone(),
            direction: rows.clone(),
            product: rows.clone(),
            along: rows.clone(),
            turned: rows.clone(),
            best: rows,
            acceleration: vec![0.0; graph.unknowns()],
            scratch: vec![0.0; widest],
            iterations: 0,
            relative_residual: 0.0,
            ready: false,
        }
    }

    /// The graph this solver was built for.
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Copies J and E, factors the masses and each link's own block.
    ///
    /// # Errors
    /// When a mass is not positive definite or a number is not finite; until the next success,
    /// [`solve`](ConjugateGradient::solve) then returns NaN.
    pub fn factor(&mut self, system: &System) -> Result<(), FactorError> {
        self.idle.fill(false);
        self.factor_active(system)
    }

    /// Factors without the rows that are `idle`, one entry per row: their λ is zero.
    ///
    /// # Errors
    /// As [`factor`](ConjugateGradient::factor).
    ///
    /// # Panics
    /// If there is not one entry per row.
    pub fn factor_without(&mut self, system: &System, idle: &[bool]) -> Result<(), FactorError> {
        self.idle.copy_from_slice(idle);
        self.factor_active(system)
    }

    /// Decides which rows are redundant, by [`Rank`]: those with remainders up to `rounding`. Their entry of
    /// `idle` becomes true, that of the others false. The iteration needs no such decision where redundant
    /// rows agree.
    ///
    /// # Errors
    /// When a number of a row is not finite.
    pub fn decide(&mut self, system: &System, rounding: f64, idle: &mut [bool]) -> Result<(), FactorError> {
        let geometry = self.geometry.get_or_insert_with(|| Box::new(Rank::new(system.graph())));
        geometry.decide_within(system, rounding)?;
        geometry.write_dropped(idle);
        Ok(())
    }

    fn factor_active(&mut self, system: &System) -> Result<(), FactorError> {
        self.ready = false;
        if !Arc::ptr_eq(&self.graph, system.graph()) && self.graph != *system.graph() {
            return Err(FactorError::OtherGraph);
        }
        if let Some(link) = system.graph().first_with_force_columns() {
            return Err(FactorError::OwnForceColumns { link });
        }
        self.system.copy_from(system);
        for block in self.graph.all_blocks() {
            let mass = &mut self.mass[self.graph.mass_range(block)];
            mass.copy_from_slice(system.mass(block));
            if mass.iter().any(|entry| !entry.is_finite()) {
                return Err(FactorError::NotFinite { place: SystemEntry::Mass(block) });
            }
            cholesky(mass, self.graph.block_dim(block), LEAST_PIVOT)
                .map_err(|_| FactorError::NotPositive { block })?;
        }
        for link in self.graph.all_links() {
            for (row, &compliance) in system.compliance(link).iter().enumerate() {
                if !system.formed(link, row).is_finite() || !compliance.is_finite() {
                    return Err(FactorError::NotFinite { place: SystemEntry::Row(link, row) });
                }
                if compliance < 0.0 {
                    return Err(FactorError::NegativeCompliance { link, row });
                }
            }
        }
        self.leave_out();
        self.factor_links();
        self.ready = true;
        Ok(())
    }

    fn leave_out(&mut self) {
        let Self { graph, system, idle, .. } = self;
        for link in graph.all_links() {
            for (row, _) in graph.row_range(link).enumerate().filter(|(_, at)| idle[*at]) {
                system.compliance_mut(link)[row] = 1.0;
                for (end, block) in graph.ends(link).iter().enumerate() {
                    let dim = block.map_or(0, |block| graph.block_dim(block));
                    system.jac_mut(link, end)[row * dim..][..dim].fill(0.0);
                }
            }
        }
    }

    /// Each link's block of J M⁻¹ Jᵀ + E.
    fn factor_links(&mut self) {
        let Self { graph, system, mass, own, own_start, own_is_factored, scratch, .. } = self;
        for link in graph.all_links() {
            let rows = graph.link_rows(link);
            let own = &mut own[own_start[link.0 as usize]..][..packed_len(rows)];
            own.fill(0.0);
            for (row, &compliance) in system.compliance(link).iter().enumerate() {
                own[packed_len(row) + row] = compliance;
            }
            for (end, block) in graph.ends(link).iter().enumerate() {
                let Some(block) = *block else { continue };
                let dim = graph.block_dim(block);
                let factor = &mass[graph.mass_range(block)];
                for row in 0..rows {
                    let solved = &mut scratch[..dim];
                    solved.copy_from_slice(&system.jac(link, end)[row * dim..][..dim]);
                    forward(factor, solved);
                    backward(factor, solved);
                    // A block that is named twice has cross terms; the preconditioner omits them.
                    for other in 0..=row {
                        own[packed_len(row) + other] +=
                            dot(solved, &system.jac(link, end)[other * dim..][..dim]);
                    }
                }
            }
            own_is_factored[link.0 as usize] = factor_or_diagonal(own, rows);
        }
    }

    /// Solves by iteration; see [`iterations`](ConjugateGradient::iterations) and
    /// [`relative_residual`](ConjugateGradient::relative_residual) afterwards.
    ///
    /// Numbers that are not finite give NaN.
    ///
    /// # Panics
    /// If a slice has the wrong length.
    pub fn solve(&mut self, force: &[f64], bias: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        let (unknowns, rows) = (self.graph.unknowns(), self.graph.rows());
        assert_eq!((force.len(), x.len()), (unknowns, unknowns), "length of force, x");
        assert_eq!((bias.len(), lambda.len()), (rows, rows), "length of bias, lambda");
        self.relative_residual = 0.0;
        let finite = force.iter().chain(bias).all(|value| value.is_finite());
        if !self.ready || !finite {
            x.fill(f64::NAN);
            lambda.fill(f64::NAN);
            return;
        }
        // b = −(c + J M⁻¹ F)
        self.acceleration.copy_from_slice(force);
        self.divide_by_mass();
        self.right.copy_from_slice(bias);
        gather(&self.system, &self.acceleration, &mut self.right);
        for (b, &idle) in self.right.iter_mut().zip(&self.idle) {
            *b = if idle { 0.0 } else { -*b };
        }
        lambda.fill(0.0);
        self.iterate(lambda);
        self.acceleration.copy_from_slice(force);
        scatter(&self.system, lambda, &mut self.acceleration);
        self.divide_by_mass();
        x.copy_from_slice(&self.acceleration);
    }

    fn iterate(&mut self, lambda: &mut [f64]) {
        let size = norm(&self.right);
        if size == 0.0 || !size.is_finite() {
            return;
        }
        let most = (PRODUCTS_PER_ROW * lambda.len()).max(LEAST_PRODUCTS);
        let (mut products, mut best) = (0, f64::INFINITY);
        self.best.fill(0.0);
        loop {
            // The true residual, b − A λ, decides whether this restart gained anything.
            self.product_of(lambda);
            for (left, (right, product)) in self.left.iter_mut().zip(self.right.iter().zip(&self.product)) {
                *left = right - product;
            }
            products += 1;
            let now = norm(&self.left) / size;
            let gained = now < 0.5 * best;
            if now < best {
                best = now;
                self.best.copy_from_slice(lambda);
            }
            if best <= DONE || !gained || products >= most {
                break;
            }
            self.run(lambda, DONE * size, &mut products, most);
        }
        lambda.copy_from_slice(&self.best);
        self.relative_residual = best;
    }

    /// Conjugate residuals from the current residual until the recursive residual is `enough`, or stagnates.
    fn run(&mut self, lambda: &mut [f64], enough: f64, products: &mut usize, most: usize) {
        self.condition();
        self.multiply_conditioned();
        *products += 1;
        self.direction.copy_from_slice(&self.conditioned);
        self.along.copy_from_slice(&self.product);
        let mut energy = dot(&self.conditioned, &self.product);
        while *products < most {
            // The residual is in the null space: rows contradict each other, and nothing can be gained.
            let least = NULL * dot(&self.left, &self.conditioned);
            if energy.is_nan() || energy <= least {
                return;
            }
            self.turned.copy_from_slice(&self.along);
            precondition(&self.graph, &self.own, &self.own_start, &self.own_is_factored, &mut self.turned);
            let step = energy / dot(&self.along, &self.turned);
            if !step.is_finite() {
                return;
            }
            for i in 0..lambda.len() {
                lambda[i] += step * self.direction[i];
                self.left[i] -= step * self.along[i];
                self.conditioned[i] -= step * self.turned[i];
            }
            self.iterations += 1;
            let now = norm(&self.left);
            if now <= enough || !now.is_finite() {
                return;
            }
            self.multiply_conditioned();
            *products += 1;
            let next = dot(&self.conditioned, &self.product);
            let turn = next / energy;
            if !turn.is_finite() {
                return;
            }
            energy = next;
            for i in 0..lambda.len() {
                self.direction[i] = self.conditioned[i] + turn * self.direction[i];
                self.along[i] = self.product[i] + turn * self.along[i];
            }
        }
    }

    /// `conditioned` = P⁻¹ `left`.
    fn condition(&mut self) {
        self.conditioned.copy_from_slice(&self.left);
        precondition(&self.graph, &self.own, &self.own_start, &self.own_is_factored, &mut self.conditioned);
    }

    /// `product` = (J M⁻¹ Jᵀ + E) λ.
    fn product_of(&mut self, lambda: &[f64]) {
        self.acceleration.fill(0.0);
        scatter(&self.system, lambda, &mut self.acceleration);
        self.divide_by_mass();
        for link in self.graph.all_links() {
            let range = self.graph.row_range(link);
            for (at, compliance) in range.zip(self.system.compliance(link)) {
                self.product[at] = compliance * lambda[at];
            }
        }
        gather(&self.system, &self.acceleration, &mut self.product);
    }

    /// `product` = (J M⁻¹ Jᵀ + E) `conditioned`.
    fn multiply_conditioned(&mut self) {
        let conditioned = std::mem::take(&mut self.conditioned);
        self.product_of(&conditioned);
        self.conditioned = conditioned;
    }

    fn divide_by_mass(&mut self) {
        for block in self.graph.all_blocks() {
            let factor = &self.mass[self.graph.mass_range(block)];
            let part = &mut self.acceleration[self.graph.block_range(block)];
            forward(factor, part);
            backward(factor, part);
        }
    }

    /// Iterations since this solver was made.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Residual of the last solve, relative to its right-hand side c + J M⁻¹ F.
    pub fn relative_residual(&self) -> f64 {
        self.relative_residual
    }

    /// Always empty: no row is dropped.
    pub fn dropped(&self) -> &[Dropped] {
        &[]
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let numbers = [
            &self.mass,
            &self.own,
            &self.right,
            &self.left,
            &self.conditioned,
            &self.direction,
            &self.product,
            &self.along,
            &self.turned,
            &self.best,
            &self.acceleration,
            &self.scratch,
        ];
        numbers.into_iter().map(Vec::capacity).sum::<usize>() * size_of::<f64>()
            + self.own_start.capacity() * size_of::<usize>()
            + self.own_is_factored.capacity()
            + self.idle.capacity()
            + self.geometry.as_ref().map_or(0, |geometry| geometry.bytes())
            + self.system.bytes()
    }
}

/// Factors a link's block in place. If its rows depend on each other, writes reciprocals of the diagonal and
/// returns false.
fn factor_or_diagonal(own: &mut [f64], rows: usize) -> bool {
    let Err(failed) = cholesky(own, rows, PLAIN_PIVOT) else { return true };
    for row in 0..rows {
        let entry = if row < failed {
            // Overwritten by the factor: the entry was Σ r_ik² + pivot, and r_ii is 1/√pivot.
            let row_of = &own[packed_len(row)..];
            let before: f64 = (0..row).map(|k| row_of[k] * row_of[k]).sum();
            before + 1.0 / (row_of[row] * row_of[row])
        } else {
            own[packed_len(row) + row]
        };
        own[packed_len(row) + row] = if entry > 0.0 && entry.is_finite() { 1.0 / entry } else { 0.0 };
    }
    false
}

/// v ← P⁻¹ v.
fn precondition(graph: &Graph, own: &[f64], own_start: &[usize], factored: &[bool], v: &mut [f64]) {
    for link in graph.all_links() {
        let part = &mut v[graph.row_range(link)];
        let own = &own[own_start[link.0 as usize]..];
        if factored[link.0 as usize] {
            forward(own, part);
            backward(own, part);
        } else {
            for (row, value) in part.iter_mut().enumerate() {
                *value *= own[packed_len(row) + row];
            }
        }
    }
}

fn norm(v: &[f64]) -> f64 {
    dot(v, v).sqrt()
}

/// `force` += Jᵀ λ.
fn scatter(system: &System, lambda: &[f64], force: &mut [f64]) {
    let graph = &**system.graph();
    for link in graph.all_links() {
        let lambda = &lambda[graph.row_range(link)];
        for (end, block) in graph.ends(link).iter().enumerate() {
            let Some(block) = *block else { continue };
            let force = &mut force[graph.block_range(block)];
            let dim = force.len();
            for (row, lambda) in lambda.iter().enumerate() {
                for (f, j) in force.iter_mut().zip(&system.jac(link, end)[row * dim..][..dim]) {
                    *f += j * lambda;
                }
            }
        }
    }
}

/// `rows` += J x.
fn gather(system: &System, x: &[f64], rows: &mut [f64]) {
    let graph = &**system.graph();
    for link in graph.all_links() {
        let rows = &mut rows[graph.row_range(link)];
        for (end, block) in graph.ends(link).iter().enumerate() {
            let Some(block) = *block else { continue };
            let x = &x[graph.block_range(block)];
            for (row, sum) in rows.iter_mut().enumerate() {
                *sum += dot(&system.jac(link, end)[row * x.len()..][..x.len()], x);
            }
        }
    }
}
