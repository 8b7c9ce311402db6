//! Rank plan: which redundant rows a solver of rows leaves out.
//!
//! Rows may depend on each other only where the joints are exactly closed (the loop of a Bennett
//! linkage, a ball and a plane between the same two bodies), and the stages of a step are not. So
//! the decision is made at closed states, by geometry alone, and kept over the stages. It passes
//! from state to state as long as the solution agrees with it. The remaining rows are solved
//! exactly at every stage, and accelerations stay a smooth function of the state.
//!
//! Without projection no state is exactly closed, and during assembly even less so. Rows that
//! depend on each other in the closed pose then do so only up to the gap, and the tolerance follows
//! the gap.
//!
//! The articulated path has its own plan in `articulated/`.

use crate::math::larger;
use crate::model::Model;
use crate::state::PLANNED;
use crate::step::articulated;
use crate::step::articulated::self_stress::write_row_weights;
use crate::step::workspace::Workspace;
use crate::step::workspace::{Equations, Solvers};
use crate::step_error::{Stage, StepError, solver_error};
use crate::tolerances::{LOOSEST_IN_ASSEMBLY, PLAN_DISAGREES};
use cardan_solve::{Link, ROUNDING_OF_GEOMETRY, Rank, Solver};

/// Largest tolerance due to a gap, in a run and during assembly.
const LOOSEST: f64 = 1e-4;
/// Accepted pivots below this are nearly dependent.
const NEARLY_DEPENDENT: f64 = 1e-8;
/// Where rows are left out, accepted pivots below this make the plan out of date: other rows may be
/// the better choice.
const POOR_CHOICE: f64 = 3e-2;

/// Adopts the plan of the state under evaluation, or decides one if there is none. Returns whether
/// it was decided.
pub(crate) fn adopt(model: &Model, work: &mut Workspace) -> Result<bool, StepError> {
    if work.stages.stage.plan.contains(&0) {
        decide_here(model, work)?;
        return Ok(true);
    }
    work.solvers.plan.copy_from_slice(&work.stages.stage.plan);
    each_row(model, |row, byte, bit| work.solvers.idle[row] = work.solvers.plan[byte] & bit == 0);
    Ok(false)
}

/// Returns to the plan of the start of a step: a failed projection may have made another.
pub(crate) fn resume(model: &Model, plan: &[u8], work: &mut Workspace) {
    if work.solvers.plan == plan {
        return;
    }
    work.solvers.plan.copy_from_slice(plan);
    work.stages.stage.plan.copy_from_slice(plan);
    if work.solvers.articulated.is_some() {
        articulated::plan(model, work);
    } else {
        each_row(model, |row, byte, bit| work.solvers.idle[row] = plan[byte] & bit == 0);
    }
}

/// Decides again at the rows of `work`, which belong to a state of a run.
pub(crate) fn decide_here(model: &Model, work: &mut Workspace) -> Result<(), StepError> {
    let tolerance = tolerance(gap(work), LOOSEST);
    decide(model, work, tolerance, Stage::First)
}

/// Decides again at the rows of `work` during assembly, where gaps are larger.
pub(crate) fn decide_open(model: &Model, work: &mut Workspace) -> Result<(), StepError> {
    decide(model, work, tolerance(gap(work), LOOSEST_IN_ASSEMBLY), Stage::Projection)
}

/// Decides which rows are left out, and writes the plan.
fn decide(model: &Model, work: &mut Workspace, tolerance: f64, stage: Stage) -> Result<(), StepError> {
    let Workspace { solvers: Solvers { solver, idle, .. }, equations: Equations { system, .. }, .. } = work;
    let Some(solver) = solver else { return Ok(()) };
    let time = work.stages.stage.time;
    solver.decide(system, tolerance, idle).map_err(|error| solver_error(model, time, error, stage))?;
    work.solvers.tolerance = tolerance;
    if is_pose_left_out(model, &work.solvers.idle) {
        spare_poses(model, work);
    }
    let Solvers { idle, plan, .. } = &mut work.solvers;
    plan.fill(PLANNED);
    each_row(model, |row, byte, bit| plan[byte] |= if idle[row] { 0 } else { bit });
    Ok(())
}

/// Whether a position row is left out of a model that has constraints on velocities only.
fn is_pose_left_out(model: &Model, idle: &[bool]) -> bool {
    model.velocity_only().is_some()
        && idle.iter().enumerate().any(|(row, idle)| *idle && model.is_position_row(row))
}

/// Leaves out velocity-only rows where these and position rows depend on each other: a velocity row
/// does not keep the gap closed that a position row would have closed.
///
/// Any rows may be left out on which the dependencies, Σ value × row = 0, can be solved: they are
/// eliminated with pivoting, first among velocity-only rows.
fn spare_poses(model: &Model, work: &mut Workspace) {
    // A row with a smaller part in a dependency stays.
    const PART: f64 = 1e-3;
    // Number of entries above which the plan is left as it was.
    const MAX_ENTRIES: usize = 1 << 22;
    let Workspace {
        equations: Equations { system, .. },
        solvers: Solvers { geometry, idle, tolerance, circuits, .. },
        ..
    } = work;
    let rows = model.counts().rows;
    let geometry = geometry.get_or_insert_with(|| Box::new(Rank::new(system.graph())));
    if geometry.decide_within(system, *tolerance).is_err() || geometry.redundant() * rows > MAX_ENTRIES {
        return;
    }
    geometry.refresh_circuits();
    let count = geometry.redundant();
    circuits.clear();
    circuits.resize((count + 1) * rows, 0.0);
    let (sizes, circuits) = circuits.split_at_mut(rows);
    // Sizes of the rows, to normalise them.
    let graph = system.graph();
    for link in graph.all_links() {
        for (end, block) in graph.ends(link).iter().enumerate() {
            let Some(block) = block else { continue };
            let units = &system.units()[graph.block_range(*block)];
            for (r, row) in graph.row_range(link).enumerate() {
                let jac = &system.jac(link, end)[r * units.len()..(r + 1) * units.len()];
                let most = jac.iter().zip(units).fold(0.0, |w, (j, unit)| larger(w, (j * unit).abs()));
                sizes[row] = larger(sizes[row], most);
            }
        }
    }
    for k in 0..count {
        for (row, value) in geometry.circuit(k) {
            circuits[k * rows + row] = value * sizes[row];
        }
    }
    idle.fill(false);
    for (velocities_only, least) in [(true, PART), (false, 0.0)] {
        // Eliminated dependencies are zero.
        while let Some((k, row)) = pivot(model, circuits, rows, velocities_only, least) {
            idle[row] = true;
            for other in (0..count).filter(|other| *other != k) {
                let factor = circuits[other * rows + row] / circuits[k * rows + row];
                if factor != 0.0 {
                    for c in 0..rows {
                        let part = factor * circuits[k * rows + c];
                        circuits[other * rows + c] -= part;
                    }
                    circuits[other * rows + row] = 0.0;
                }
            }
            circuits[k * rows..(k + 1) * rows].fill(0.0);
        }
    }
}

/// The largest part of a row in a dependency, relative to the largest there; more than `least`.
fn pivot(
    model: &Model,
    circuits: &[f64],
    rows: usize,
    velocities_only: bool,
    least: f64,
) -> Option<(usize, usize)> {
    let mut best = (least, None);
    for (k, circuit) in circuits.chunks_exact(rows).enumerate() {
        let most = circuit.iter().fold(0.0, |w, x| larger(w, x.abs()));
        for (row, x) in circuit.iter().enumerate() {
            if *x != 0.0 && x.abs() > best.0 * most && !(velocities_only && model.is_position_row(row)) {
                best = (x.abs() / most, Some((k, row)));
            }
        }
    }
    best.1
}

/// Visits every row with its place in a plan: one byte per joint, then one per row of user
/// constraints.
fn each_row(model: &Model, mut visit: impl FnMut(usize, usize, u8)) {
    for (j, joint) in model.joints.iter().enumerate() {
        (0..joint.rows()).for_each(|r| visit(joint.row_at() + r, j, 1 << r));
    }
    let mut byte = model.joints.len();
    for constraint in &model.constraints {
        for row in constraint.row_at..constraint.row_at + constraint.rows {
            visit(row, byte, 1);
            byte += 1;
        }
    }
}

/// Largest joint error, relative to its terms and at least to 1e-3 of the mechanism's length.
fn gap(work: &Workspace) -> f64 {
    const LEAST_LENGTH: f64 = 1e-3;
    let least = LEAST_LENGTH * work.solvers.length;
    let open = |(err, scale): (&f64, &f64)| if *err == 0.0 { 0.0 } else { err.abs() / larger(*scale, least) };
    work.equations.err.iter().zip(&work.equations.err_scale).map(open).fold(0.0, larger)
}

/// Tolerance of rank for a gap, at most `loosest`.
fn tolerance(gap: f64, loosest: f64) -> f64 {
    let wanted = larger(ROUNDING_OF_GEOMETRY, 30.0 * gap);
    if wanted < loosest { wanted } else { loosest }
}

/// Whether the solution shows that the plan is out of date: a row in use is nearly dependent, or a
/// row left out has become independent.
pub(crate) fn is_out_of_date(work: &Workspace) -> bool {
    let enough =
        if work.stages.stage.assembled { PLAN_DISAGREES } else { larger(PLAN_DISAGREES, 1e3 * gap(work)) };
    let least = if work.solvers.idle.contains(&true) { POOR_CHOICE } else { NEARLY_DEPENDENT };
    work.solvers.solver.as_ref().is_some_and(|solver| solver.smallest_accepted() < least)
        || worst_dropped(work).is_some_and(|dropped| dropped.ratio > enough)
}

/// A row that is left out, and its residual.
pub(crate) struct Disagreement {
    /// Joint or constraint, and index of the row within it.
    pub(crate) link: Link,
    pub(crate) row: usize,
    /// |J v̇ + c|, and the size of its terms.
    pub(crate) left: f64,
    pub(crate) size: f64,
    /// `left` relative to `size` and the largest acceleration, since its own terms may be rounding.
    pub(crate) ratio: f64,
}

/// The row left out with the largest relative residual.
pub(crate) fn worst_dropped(work: &Workspace) -> Option<Disagreement> {
    let largest = work.equations.acc.iter().fold(0.0, |w, a| larger(w, a.abs()));
    worst(work, &work.equations.acc, work.equations.system.bias(), (largest, true))
}

/// The row left out with the largest relative residual of a correction that should remove `err`.
pub(crate) fn worst_open(work: &Workspace, err: &[f64]) -> Option<Disagreement> {
    worst(work, &work.stages.shift, err, (0.0, false))
}

/// The row left out with the largest relative residual; `is_bias`: the right-hand side is c.
fn worst(work: &Workspace, x: &[f64], bias: &[f64], (largest, is_bias): (f64, bool)) -> Option<Disagreement> {
    let graph = work.equations.system.graph();
    let mut worst: Option<Disagreement> = None;
    let mut look = |link: Link, r: usize| {
        let (mut left, mut size) = row_left(work, link, r, x, bias);
        left = left.abs();
        size += largest;
        // A row of rounding has a residual of the size of its terms.
        if let Some(formed) = work.equations.system.bias_formed().get(graph.row_range(link).start + r)
            && is_bias
            && work.equations.system.is_void(link, r)
        {
            size += formed;
        }
        let ratio = if left == 0.0 { 0.0 } else { left / size };
        if worst.as_ref().is_none_or(|w| ratio > w.ratio) {
            worst = Some(Disagreement { link, row: r, left, size, ratio });
        }
    };
    for link in graph.all_links() {
        for (r, row) in graph.row_range(link).enumerate() {
            if work.solvers.idle[row] {
                look(link, r);
            }
        }
    }
    // Further rows that the solver could not use.
    work.dropped().iter().for_each(|dropped| look(dropped.link, dropped.row));
    worst
}

/// J x + c of one row, and the size of its terms.
fn row_left(work: &Workspace, link: Link, r: usize, x: &[f64], bias: &[f64]) -> (f64, f64) {
    let graph = work.equations.system.graph();
    let bias = bias[graph.row_range(link).start + r];
    let (mut sum, mut size) = (bias, bias.abs());
    for (end, block) in graph.ends(link).iter().enumerate() {
        let Some(block) = block else { continue };
        let x = &x[graph.block_range(*block)];
        for (j, x) in work.equations.system.jac(link, end)[r * x.len()..].iter().zip(x) {
            sum += j * x;
            size += (j * x).abs();
        }
    }
    (sum, size)
}

/// Makes the multipliers of redundant rows those of least norm, in the metric of the weights. The
/// tree solver is left as it is.
pub(crate) fn level_multipliers(work: &mut Workspace) {
    let Workspace {
        solvers: Solvers { solver, geometry, idle, tolerance, .. },
        equations: Equations { system, stresses, lambda, row_solution, .. },
        ..
    } = work;
    let is_determined = match solver {
        Some(Solver::ConjugateGradient(_)) => false,
        // No dependent row has its force elsewhere, or there would be no factor: the null space is
        // that of Jᵀ.
        Some(Solver::WithAuxiliary(auxiliary)) => !idle.contains(&true) && auxiliary.dropped().is_empty(),
        _ => !idle.contains(&true),
    };
    if is_determined || matches!(solver, None | Some(Solver::Tree(_))) {
        return;
    }
    let geometry = geometry.get_or_insert_with(|| Box::new(Rank::new(system.graph())));
    if geometry.decide_within(system, *tolerance).is_ok() {
        geometry.level(&stresses.weights, lambda, row_solution);
    }
}

/// For a solver of rows: makes the multipliers of redundant rows those of least norm.
pub(crate) fn least_norm_rows(model: &Model, work: &mut Workspace) {
    if work.solvers.solver.is_none() {
        return;
    }
    write_row_weights(model, work);
    level_multipliers(work);
}
