//! Pile: the problem of many conditions, body by body.
//!
//! The small problem in the conditions (`answer.rs`) is dense, and with many of them large. In its place
//!
//! ```text
//! v⁺ = v + M⁻¹ (Jᵀ λ + Gᵀ μ)      G v⁺ = G v          μ of joints, which hold
//! ```
//!
//! is sparse: each condition and each joint sees two bodies at most (`cardan_solve::cone::many`). The answer is to a residual, which is kept;
//! μ is thrown away, since the response to λ with the factor at hand keeps joints to rounding.

use super::{Mode, Touch};
use crate::body::MAX_DIM;
use crate::joint::{JointRows, MAX_ROWS, Relative};
use crate::math::larger;
use crate::model::Model;
use crate::step::{StepError, Workspace, frame};
use cardan_solve::cone::{ConeError, Many, Pile, Touch as Kind};

/// Rows up to which the dense problem is answered: of velocities, and of forces, which are wanted to more digits.
pub(super) const FEW: usize = 24;
pub(super) const FEW_FORCES: usize = 60;

/// What is aimed at.
#[derive(Copy, Clone, PartialEq)]
pub(super) enum Aim {
    /// Forces at an instant.
    Forces,
    /// Velocities after a step.
    Velocities,
    /// Displacements, without friction; they are corrected more than once.
    Displacements,
}

impl Aim {
    fn tolerance(self) -> f64 {
        match self {
            Aim::Forces => 1e-13,
            Aim::Velocities => VELOCITIES,
            Aim::Displacements => 1e-3,
        }
    }
    /// What is not taken: forces that are worse are looked for in another way; velocities are taken as they are, and their residual stated.
    fn worst(self) -> f64 {
        match self {
            Aim::Forces => 1e-9,
            Aim::Velocities | Aim::Displacements => f64::INFINITY,
        }
    }
}

/// Newton steps at most: what is not reached by then is stated, and mended by the next step.
const MOST_STEPS: usize = 40;
/// Velocities are known to this part of what they would be without contacts.
const VELOCITIES: f64 = 1e-11;

/// The problem, its solver and the worst residual of the step.
#[derive(Debug, Default)]
pub(super) struct Heap {
    pile: Pile,
    many: Many,
    guess: Vec<f64>,
    pub(super) residual: f64,
    /// Systems that Newton's method factored in the step.
    pub(super) newton_steps: usize,
}

/// Whether the conditions of the sheet are many, each thing in the way of bodies touches two of them at most, and nothing resists rolling.
pub(super) fn suits(model: &Model, touch: &Touch, few: usize) -> bool {
    let fits = |item: &super::Item| {
        touch.sheet.blocks(&touch.sheet.rows[item.row]).len() <= 2 && item.turning.all() == 0
    };
    touch.sheet.rows.len() > few
        && model.constraints.is_empty()
        && touch.study.is_none()
        && touch.set.iter().all(fits)
}

impl Touch {
    /// λ and a of all conditions of the set, and whether they are good enough, from velocities (or accelerations, or displacements) v before they push and the `bias` of their rows.
    pub(super) fn answer_many(
        &mut self,
        model: &Model,
        work: &Workspace,
        v: &[f64],
        aim: Aim,
    ) -> Result<bool, StepError> {
        let with_tangents = aim != Aim::Displacements;
        let Touch { set, sheet, bias, lambda, acc, last, matrix, responses, heap, span, .. } = self;
        let Heap { pile, many, guess, residual, newton_steps } = heap;
        let time = work.stage.time;
        let said = |error: ConeError| StepError::Complementarity { error: error.to_string(), time };
        pile.clear();
        for (body, motion) in model.bodies.iter().zip(&work.motions) {
            let dim = body.kind.dim();
            let mut mass = [0.0; MAX_DIM * (MAX_DIM + 1) / 2];
            let mass = &mut mass[..dim * (dim + 1) / 2];
            body.kind.mass_matrix(&body.mass, motion, mass);
            pile.add_body(mass, &v[body.v_range()]).map_err(said)?;
        }
        guess.clear();
        hold_joints(model, work, v, pile, guess).map_err(said)?;
        let held = guess.len();
        responses.clear();
        responses.resize(sheet.rows.len(), 0.0);
        let warm = last.len() == sheet.rows.len();
        let span = *span;
        for item in set.iter() {
            let sticks = with_tangents && item.mode != Mode::Smooth && item.tangents > 0;
            let rows = 1 + if sticks { item.tangents } else { 0 };
            let mu = item.static_friction();
            let kind = match rows {
                _ if item.is_dry() => Kind::Bounded { lo: -span * mu, hi: span * mu },
                1 => Kind::OneSided,
                2 => Kind::Wedge { mu },
                _ => Kind::Cone { mu },
            };
            let mut jac = [[0.0; 3 * MAX_DIM]; 2];
            let mut ends = [None; 2];
            let mut dims = [0; 2];
            for r in 0..rows {
                for (end, block) in sheet.blocks(&sheet.rows[item.row + r]).iter().enumerate() {
                    let dim = model.bodies[block.body as usize].kind.dim();
                    (ends[end], dims[end]) = (Some(block.body as usize), dim);
                    jac[end][r * dim..(r + 1) * dim].copy_from_slice(&block.jac[..dim]);
                }
            }
            let range = item.row..item.row + rows;
            // b beside J v: what the bias has more than the rates.
            let mut offset = [0.0; 3];
            for (r, offset) in offset[..rows].iter_mut().enumerate() {
                *offset = bias[item.row + r] - sheet.dot(model, item.row + r, v).0;
            }
            let [a, b] = [0, 1].map(|end| &jac[end][..rows * dims[end]]);
            let touch = pile.add_touch(kind, ends, [a, b], &offset[..rows]).map_err(said)?;
            for (r, response) in responses[range.clone()].iter_mut().enumerate() {
                *response = pile.response(touch, r).unwrap_or(0.0);
            }
            guess.extend(range.map(|row| if warm { last[row] } else { 0.0 }));
        }
        many.tolerance = aim.tolerance();
        many.newton_steps = MOST_STEPS;
        let start = guess.iter().any(|x| *x != 0.0).then_some(&guess[..]);
        let reached = many.solve(pile, start).map_err(said)?;
        *newton_steps += reached.newton_steps;
        if aim == Aim::Velocities {
            *residual = larger(*residual, reached.residual);
        }
        matrix.clear();
        for out in [&mut *lambda, &mut *acc] {
            out.clear();
            out.resize(sheet.rows.len(), 0.0);
        }
        let mut at = held;
        for item in set.iter() {
            let rows = 1 + if with_tangents && item.mode != Mode::Smooth { item.tangents } else { 0 };
            lambda[item.row..item.row + rows].copy_from_slice(&many.lambda()[at..at + rows]);
            acc[item.row..item.row + rows].copy_from_slice(&many.a()[at..at + rows]);
            at += rows;
        }
        if aim == Aim::Forces {
            last.clone_from(lambda);
        }
        Ok(reached.residual <= aim.worst())
    }
}

/// Joints as touches that hold the velocities they have, each row of about the same size.
fn hold_joints(
    model: &Model,
    work: &Workspace,
    v: &[f64],
    pile: &mut Pile,
    guess: &mut Vec<f64>,
) -> Result<(), ConeError> {
    for joint in &model.joints {
        let (a, b) = (frame(&work.motions, &joint.a), frame(&work.motions, &joint.b));
        let relative = Relative::new(&a, &b);
        let mut rows = JointRows::default();
        joint.write_rows(&relative, &work.targets, &mut rows);
        if joint.rows == 0 || joint.a.body == joint.b.body {
            continue;
        }
        let mut jac = [[0.0; MAX_ROWS * MAX_DIM]; 2];
        let mut dims = [0; 2];
        let mut offset = [0.0; MAX_ROWS];
        let count = joint.rows;
        for r in 0..count {
            let on_b = relative.to_world(rows.gradient[r]);
            let ends = [(joint.a, &a, relative.carried_to_a(on_b)), (joint.b, &b, on_b)];
            let mut moves = 0.0;
            for (end, (at, frame, wrench)) in ends.into_iter().enumerate() {
                let Some(body) = at.body else { continue };
                let body = &model.bodies[body];
                let dim = body.kind.dim();
                dims[end] = dim;
                let row = &mut jac[end][r * dim..(r + 1) * dim];
                body.kind.pull_back(frame.arm, wrench, row);
                // About J M⁻¹ Jᵀ.
                let own = &body.mass.inertia;
                let inertia = if dim == 3 { own.zz } else { (own.xx + own.yy + own.zz) / 3.0 };
                for (i, j) in row.iter().enumerate() {
                    let is_turn = i >= 3 || (dim == 3 && i == 2 && body.kind.has_orientation());
                    moves += j * j / if is_turn { inertia } else { body.mass.mass };
                }
            }
            let scale = if moves > 0.0 { 1.0 / moves.sqrt() } else { 1.0 };
            for (end, at) in [joint.a, joint.b].iter().enumerate() {
                let Some(body) = at.body else { continue };
                let row = &mut jac[end][r * dims[end]..(r + 1) * dims[end]];
                for (j, v) in row.iter_mut().zip(&v[model.bodies[body].v_range()]) {
                    *j *= scale;
                    offset[r] -= *j * v;
                }
            }
        }
        let [first, second] = [0, 1].map(|end| &jac[end][..count * dims[end]]);
        let kind = Kind::Held { rows: count };
        pile.add_touch(kind, [joint.a.body, joint.b.body], [first, second], &offset[..count])?;
        guess.extend((0..count).map(|_| 0.0));
    }
    Ok(())
}
