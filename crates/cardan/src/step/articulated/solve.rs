//! Factorization, and accelerations at the motions of the workspace.
//!
//! ```text
//! [ M  −Jᵀ ] [ v̇ ]   [  F ]
//! [ J   0  ] [ λ ] = [ −c ]          J v̇ + c = 0
//! ```
//!
//! A factor of exactly the same pose is reused: it has the bits of a new one, so that it does not
//! matter where it was made.

use crate::math::Six;
use crate::model::Model;
use crate::settings::Fault;
use crate::state::State;
use crate::step::articulated::coupling::RowsWanted;
use crate::step::articulated::fill::{
    CLOSED_JOINTS, FACTOR_ONLY, FaultyFill, FiniteCheck, MotionFill, OPEN_JOINTS,
};
use crate::step::articulated::system::ArticulatedSystem;
use crate::step::workspace::{Equations, Kinematics, Solvers};
use crate::step::workspace::{Evaluation, MotionSource, Workspace};
use crate::step_error::{Stage, StepError};
use cardan_solve::Task;
use cardan_solve::articulated::f64x3::run_vectorized;
use cardan_solve::articulated::{ALL_LOADS, ArticulatedForest, FillNodes, Node, NodeExtra, TwoRhs};

/// Discards the factor: the next evaluation makes its own.
pub(crate) fn forget_factor(work: &mut Workspace) {
    if let Some(articulated) = &mut work.solvers.articulated {
        articulated.factored.clear();
    }
}

/// Source of the motions of an Euler step from `state`. A `LARGE_SYSTEM` without loops, forces or
/// drives writes them directly, without a copy in `work.stages.stage`.
pub(crate) fn motion_source(model: &Model, work: &Workspace, state: &State) -> MotionSource {
    let Some(articulated) = &work.solvers.articulated else { return MotionSource::Stage };
    let has_forces = model.has_forces() || state.commands.is_some();
    let is_simple = articulated.forest.closures().is_empty() && !has_forces && model.drives.is_empty();
    match is_simple && !articulated.is_small {
        true => MotionSource::Written { is_factored: articulated.is_factored_at(&state.q) },
        false => MotionSource::Stage,
    }
}

/// Notes `state` as the pose of the factor that was made since.
pub(crate) fn note_factor_at(model: &Model, work: &mut Workspace, state: &State) {
    if let Some(articulated) = &mut work.solvers.articulated {
        articulated.note_factor(model, &state.q);
    }
}

/// Computes the accelerations of all bodies from their motions. F is gravity, gyroscopic terms, and
/// with `extra` the forces in `work.equations.system`. If a drift prediction is requested, its displacement
/// is left in `work.stages.shift`.
pub(crate) fn accelerations(
    model: &Model,
    work: &mut Workspace,
    extra: bool,
    Evaluation { stage, motions: source, drift_part, .. }: Evaluation,
) -> Result<(), StepError> {
    let Workspace {
        solvers: Solvers { articulated, .. },
        kinematics: Kinematics { motions, .. },
        equations: Equations { system, acc, .. },
        ..
    } = work;
    let Some(articulated) = articulated else { return Ok(()) };
    work.counts.solves += 1;
    articulated.disagreement = None;
    articulated.mass_forces.clear();
    let extra = extra.then_some(&*system);
    let closed = stage == Stage::First && work.stages.stage.assembled;
    let want = if closed { RowsWanted::BiasOfClosed } else { RowsWanted::BiasOfOpen };
    let is_factored = match source {
        MotionSource::Stage => articulated.is_factored_at(&work.stages.stage.q),
        MotionSource::Written { is_factored } => is_factored,
    };
    let drift_part = drift_part.filter(|_| articulated.fault == Fault::None);
    work.counts.solves += u64::from(drift_part.is_some());
    articulated.has_loads = drift_part.is_none();
    if is_factored {
        articulated.write_biases(model, motions, want);
    } else {
        articulated.factored.clear();
        articulated.write_closures(model, motions, want);
    }
    let (knows_pose, is_small) = (is_factored && articulated.knows_pose, articulated.is_small);
    let ArticulatedSystem {
        forest,
        body_nodes,
        result_slots,
        fault,
        mass_forces,
        joint_frames,
        inertias,
        efforts,
        ..
    } = articulated;
    let (efforts, finite_check) = (&efforts[..], FiniteCheck::default());
    let mut open_fill = MotionFill::<OPEN_JOINTS> {
        model,
        body_nodes,
        result_slots,
        motions,
        extra,
        efforts,
        acc,
        finite_check,
    };
    let rhs = |at: usize, node: &mut Node, node_extra: &mut NodeExtra| {
        let known = knows_pose.then(|| (&inertias[at], &joint_frames[at]));
        let known = body_nodes[at].write_rhs(model, motions, extra, (closed, known), node, node_extra);
        node.effort = efforts.get(at).copied().unwrap_or(0.0);
        if is_small {
            mass_forces.push(known);
        }
    };
    let (outcome, finite_check) = if let Some(part) = drift_part {
        let mut outcome = Ok(());
        if !is_factored {
            let acc = &mut [];
            outcome = forest.factor(&mut MotionFill::<FACTOR_ONLY> {
                model,
                body_nodes,
                result_slots,
                motions,
                extra,
                efforts,
                acc,
                finite_check,
            });
        }
        if outcome.is_ok() {
            let shift = &mut work.stages.shift;
            let answer = |at: usize, x: &Six, predicted: &Six| {
                open_fill.answer(at, x);
                body_nodes[at].write_x(predicted, shift);
            };
            run_vectorized(SolvePair(forest, part, (rhs, answer)));
        }
        (outcome, open_fill.finite_check)
    } else if is_factored {
        forest.solve_to::<ALL_LOADS>(rhs, |at: usize, x: &Six| open_fill.answer(at, x));
        (Ok(()), open_fill.finite_check)
    } else if *fault != Fault::None {
        let outcome = forest.factor_and_solve(&mut FaultyFill { fill: &mut open_fill, fault: *fault });
        (outcome, open_fill.finite_check)
    } else if !closed {
        (forest.factor_and_solve(&mut open_fill), open_fill.finite_check)
    } else {
        let mut fill = MotionFill::<CLOSED_JOINTS> {
            model,
            body_nodes,
            result_slots,
            motions,
            extra,
            efforts,
            acc,
            finite_check,
        };
        (forest.factor_and_solve(&mut fill), fill.finite_check)
    };
    outcome.map_err(|error| crate::step_error::solver_error(model, work.stages.stage.time, error, stage))?;
    if !finite_check.is_finite()
        && let Some(i) = acc.iter().position(|a| !a.is_finite())
    {
        return Err(crate::step_error::not_finite(model, i, work.stages.stage.time, stage));
    }
    if !is_factored {
        work.counts.factorizations += 1;
        if source == MotionSource::Stage {
            articulated.note_factor(model, &work.stages.stage.q);
        }
    }
    Ok(())
}

/// Solves for accelerations and for the drift prediction in one pass, compiled for the vector unit.
struct SolvePair<'s, S>(&'s mut ArticulatedForest, f64, S);

impl<S: TwoRhs<f64>> Task for SolvePair<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(mut self) {
        self.0.solve_two_rhs(self.1, &mut self.2);
    }
}

/// True if the factor at hand is that of the stage's coordinates.
pub(crate) fn is_factored(work: &Workspace) -> bool {
    work.solvers
        .articulated
        .as_ref()
        .is_some_and(|articulated| articulated.is_factored_at(&work.stages.stage.q))
}

/// Factors at the motions of `work`, those of `work.stages.next`. Right-hand sides come later.
pub(crate) fn factor(model: &Model, work: &mut Workspace, stage: Stage) -> Result<(), StepError> {
    let Workspace { solvers: Solvers { articulated, .. }, kinematics: Kinematics { motions, .. }, .. } = work;
    let Some(articulated) = articulated else { return Ok(()) };
    articulated.factored.clear();
    articulated.write_closures(model, motions, RowsWanted::BiasOfClosed);
    let ArticulatedSystem { forest, body_nodes, result_slots, .. } = articulated;
    let outcome = forest.factor(&mut MotionFill::<FACTOR_ONLY> {
        model,
        body_nodes,
        result_slots,
        motions,
        extra: None,
        efforts: &[],
        acc: &mut [],
        finite_check: FiniteCheck::default(),
    });
    outcome.map_err(|error| crate::step_error::solver_error(model, work.stages.next.time, error, stage))?;
    articulated.note_factor(model, &work.stages.next.q);
    Ok(())
}
