//! Self-stress: loads that redundant joints can exert on each other without moving a body.
//!
//! A row that the rank plan dropped depends on the kept ones: its J_rᵀ is a combination of their
//! columns. A unit load on it, applied as a force on the bodies, moves nothing and is balanced by
//! exactly that combination:
//!
//! ```text
//! M x = J_rᵀ + Jᵀ λ,  J x = 0   ⇒   x = 0,  Jᵀ λ = −J_rᵀ,  so that e_r + λ ∈ null(Jᵀ)
//! ```
//!
//! One solve with the factor at hand per dropped row gives a basis Z of that null space. The
//! solution λ of the elimination has zeros in the dropped rows. λ − Z (Zᵀ W² Z)⁻¹ Zᵀ W² λ is the
//! one of least norm, with weights W that divide torques by a length of the mechanism.

use crate::joint::JointRows;
use crate::math::{Six, larger};
use crate::model::Model;
use crate::step::Workspace;
use crate::step::articulated::coupling::CouplingRows;
use crate::step::articulated::{ArticulatedSystem, write_multipliers};
use cardan_solve::articulated::ArticulatedForest;

/// Up to this many redundant rows the whole null space is computed; beyond, some of its vectors.
const MAX_VECTORS: usize = 96;
/// Number of vectors that are computed if the null space is larger than that.
const SAMPLES: usize = 3;

/// Vectors of the null space of Jᵀ, with one entry per row of the system.
#[derive(Clone, Debug, Default)]
pub(crate) struct SelfStressBasis {
    vectors: Vec<f64>,
    /// True if the vectors are a basis; false if they are combinations that include every dropped
    /// row.
    is_basis: bool,
    pub(crate) weights: Vec<f64>,
    gram: Vec<f64>,
    share: Vec<f64>,
}

impl SelfStressBasis {
    /// The vectors.
    pub(crate) fn vectors(&self, rows: usize) -> impl Iterator<Item = &[f64]> {
        self.vectors.chunks_exact(rows.max(1))
    }
    /// Allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        (self.vectors.capacity() + self.weights.capacity() + self.gram.capacity() + self.share.capacity())
            * size_of::<f64>()
    }
}

/// Solves for the kept rows' response to loads on dropped ones. `load` gives the load on a row of a
/// loop closure.
fn solve_dropped_loads(
    forest: &mut ArticulatedForest,
    mut load: impl FnMut(usize, usize) -> f64,
    pushes: &mut [Six],
) {
    pushes.fill(Six::ZERO);
    for (c, closure) in forest.closures_mut().iter_mut().enumerate() {
        closure.bias = [0.0; 6];
        for r in (0..closure.len()).filter(|&r| !closure.kept().contains(&(r as u8))) {
            let size = load(c, r);
            for (node, rows) in closure.each_end() {
                pushes[node] += rows[r].scaled(size);
            }
        }
    }
    forest.solve(|at, node, node_extra| {
        node.force = pushes[at];
        node.gamma = Six::ZERO;
        node_extra.bias = [0.0; 3];
    });
}

/// Names of the joints and constraints that share the load of a dropped row of a closure: those that it depends on.
pub(crate) fn circuit(
    model: &Model,
    articulated: &mut ArticulatedSystem,
    closure: usize,
    row: usize,
) -> Vec<String> {
    let mut pushes = vec![Six::ZERO; articulated.body_nodes.len()];
    solve_dropped_loads(
        &mut articulated.forest,
        |c, r| f64::from(u8::from((c, r) == (closure, row))),
        &mut pushes,
    );
    // The response to a unit load is of unit size, or a length times that; anything smaller is
    // rounding.
    let of = |load: &Six| larger(load.lin.largest(), load.ang.largest());
    let mut loads: Vec<(usize, f64)> =
        articulated.loads().map(|(joint, _, load)| (joint, of(&load))).collect();
    // Constraints are numbered after the joints.
    let number = |rows: &CouplingRows| model.joints.len() + rows.constraint;
    for (rows, closure) in articulated.couplings() {
        for &r in closure.kept() {
            let answer = closure.answers[r as usize];
            let most = closure.each_end().fold(0.0, |w, (_, rows)| larger(w, of(&rows[r as usize])));
            loads.push((number(rows), most * answer.abs()));
        }
    }
    let own = match closure.checked_sub(articulated.loop_joints.len()) {
        None => articulated.loop_joints[closure].index(),
        Some(rows) => number(&articulated.coupling_rows[rows]),
    };
    let largest = loads.iter().fold(0.0, |w, (_, load)| larger(w, *load));
    let mut all: Vec<usize> =
        loads.iter().filter(|(_, load)| *load > 1e-7 * largest).map(|(j, _)| *j).collect();
    all.sort_unstable();
    all.dedup();
    // The constraint itself only if there is no other.
    if all.iter().any(|j| *j != own) {
        all.retain(|j| *j != own);
    }
    let name = |&j: &usize| match j.checked_sub(model.joints.len()) {
        None => model.joints[j].name.clone(),
        Some(constraint) => model.constraints[constraint].name.clone(),
    };
    all.iter().map(name).collect()
}

impl SelfStressBasis {
    /// Forgets the vectors.
    pub(crate) fn clear(&mut self) {
        self.vectors.clear();
    }
}

/// After a solve: computes the null space of Jᵀ in `work.equations.stresses`, and minimizes the multipliers
/// of redundant rows. On entry `work.equations.lambda` has those of the solve; afterwards the solver's
/// solution is gone.
pub(crate) fn least_norm_multipliers(model: &Model, work: &mut Workspace) {
    work.equations.stresses.vectors.clear();
    let Some(articulated) = &work.solvers.articulated else { return };
    let redundant = articulated.redundant;
    if redundant == 0 {
        return;
    }
    let rows = work.equations.lambda.len();
    let count = if redundant <= MAX_VECTORS { redundant } else { SAMPLES };
    work.equations.stresses.is_basis = count == redundant;
    let answer = std::mem::take(&mut work.equations.lambda);
    work.equations.lambda = std::mem::take(&mut work.equations.row_solution);
    let mut pushes = std::mem::take(&mut work.equations.pushes);
    pushes.resize(work.solvers.articulated.as_ref().map_or(0, |system| system.body_nodes.len()), Six::ZERO);
    for k in 0..count {
        let Some(articulated) = &mut work.solvers.articulated else { break };
        let (mut seen, mut lcg) = (0, Lcg(k as u64));
        let is_basis = work.equations.stresses.is_basis;
        let mut load = |_: usize, _: usize| {
            seen += 1;
            if is_basis { f64::from(u8::from(seen == k + 1)) } else { lcg.sample() }
        };
        solve_dropped_loads(&mut articulated.forest, &mut load, &mut pushes);
        // The dropped rows themselves.
        let (mut seen, mut lcg) = (0, Lcg(k as u64));
        for closure in articulated.forest.closures_mut() {
            for r in 0..closure.len() {
                if closure.kept().contains(&(r as u8)) {
                    continue;
                }
                seen += 1;
                closure.answers[r] = if is_basis { f64::from(u8::from(seen == k + 1)) } else { lcg.sample() };
            }
        }
        write_multipliers(model, work);
        work.equations.stresses.vectors.extend_from_slice(&work.equations.lambda);
    }
    work.equations.pushes = pushes;
    work.equations.row_solution = std::mem::replace(&mut work.equations.lambda, answer);
    if work.equations.stresses.is_basis {
        write_row_weights(model, work);
        remove_null_part(&mut work.equations.stresses, &mut work.equations.lambda, rows, count);
    }
}

/// One over the unit of each row: 1 for a force, 1/length for a torque, the length being that of
/// the mechanism's arms.
pub(crate) fn write_row_weights(model: &Model, work: &mut Workspace) {
    let length = work.solvers.length;
    work.equations.stresses.weights.clear();
    for (joint, relative) in model.joints.iter().zip(&work.kinematics.relatives) {
        let mut rows = JointRows::default();
        joint.write_rows(relative, &[], &mut rows);
        for g in &rows.gradient[..joint.rows()] {
            let is_torque = g.force.largest() == 0.0;
            work.equations.stresses.weights.push(if is_torque { 1.0 / length } else { 1.0 });
        }
    }
    // Rows of user constraints come after those of the joints; their units are unknown.
    work.equations.stresses.weights.resize(work.equations.lambda.len(), 1.0);
}

/// Removes from λ its part in the span of the vectors, in the metric of the weights.
fn remove_null_part(stresses: &mut SelfStressBasis, lambda: &mut [f64], rows: usize, count: usize) {
    let SelfStressBasis { vectors, weights, gram, share, .. } = stresses;
    let vector = |k: usize| &vectors[k * rows..(k + 1) * rows];
    let dot = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).zip(weights.iter()).fold(0.0, |sum, ((x, y), w)| sum + (x * w) * (y * w))
    };
    gram.clear();
    share.clear();
    for i in 0..count {
        for j in 0..=i {
            gram.push(dot(vector(i), vector(j)));
        }
        share.push(dot(vector(i), lambda));
    }
    // Cholesky factorization, in place. The vectors are independent, since each has a row of its
    // own.
    let at = |i: usize, j: usize| i * (i + 1) / 2 + j;
    for i in 0..count {
        for j in 0..=i {
            let mut sum = gram[at(i, j)];
            for k in 0..j {
                sum -= gram[at(i, k)] * gram[at(j, k)];
            }
            gram[at(i, j)] = if i == j { sum.sqrt() } else { sum / gram[at(j, j)] };
        }
    }
    for i in 0..count {
        for k in 0..i {
            share[i] -= gram[at(i, k)] * share[k];
        }
        share[i] /= gram[at(i, i)];
    }
    for i in (0..count).rev() {
        for k in i + 1..count {
            share[i] -= gram[at(k, i)] * share[k];
        }
        share[i] /= gram[at(i, i)];
    }
    for (k, s) in share.iter().enumerate() {
        for (l, z) in lambda.iter_mut().zip(vector(k)) {
            *l -= s * z;
        }
    }
}

/// Pseudo-random numbers between ½ and 1, the same every time.
struct Lcg(u64);
impl Lcg {
    fn sample(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        0.5 + (self.0 >> 12) as f64 / (1u64 << 53) as f64
    }
}
