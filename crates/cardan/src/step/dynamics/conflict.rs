//! Contradicting constraints by name: which rows a redundant row depends on.
//!
//! A dependent row is a combination of the rows in use, J_r = Σ w_i J_i. With everything held, a
//! load along it is carried by these alone:
//!
//!   H (x, λ) = (J_rᵀ, 0)   has the solution   x = 0, λ = −w
//!
//! So one solve with the current factor finds them, with any solver. (The articulated path has
//! `articulated/self_stress.rs`.)

use crate::math::larger;
use crate::model::Model;
use crate::step::Workspace;
use crate::step::dynamics::rank_plan::Disagreement;
use crate::step::workspace::{Equations, Solvers};
use crate::step_error::StepError;

/// A row has a part in a dependency if its weight is above this, relative to the largest.
const PART: f64 = 1e-6;

/// The error with the names of both sides; `size` is the size of the terms of the row's residual.
pub(crate) fn named(
    model: &Model,
    work: &mut Workspace,
    row: &Disagreement,
    size: f64,
    time: f64,
) -> StepError {
    let with = parties(model, work, row);
    let joint = model.name_of_link(row.link).to_string();
    StepError::Conflict { joint, with, time, by: row.left, size, left: 1.0 }
}

/// Names of the joints and constraints on which a row depends, in the order of the model; its own
/// only if there is no other.
fn parties(model: &Model, work: &mut Workspace, row: &Disagreement) -> Vec<String> {
    let Workspace {
        solvers: Solvers { solver: Some(solver), .. }, equations: Equations { system, .. }, ..
    } = work
    else {
        return Vec::new();
    };
    let graph = system.graph();
    let mut load = vec![0.0; graph.unknowns()];
    for (end, block) in graph.ends(row.link).iter().enumerate() {
        let Some(block) = block else { continue };
        let load = &mut load[graph.block_range(*block)];
        let jac = &system.jac(row.link, end)[row.row * load.len()..];
        load.iter_mut().zip(jac).for_each(|(load, jac)| *load += jac);
    }
    let (mut x, mut weights) = (vec![0.0; graph.unknowns()], vec![0.0; graph.rows()]);
    solver.correct(&load, &vec![0.0; graph.rows()], &mut x, &mut weights);
    let own = graph.row_range(row.link).start + row.row;
    let mut parts = vec![0.0; graph.all_links().count()];
    for (link, part) in graph.all_links().zip(&mut parts) {
        for (r, at) in graph.row_range(link).enumerate().filter(|(_, at)| *at != own) {
            *part = larger(*part, weights[at].abs() * system.formed(link, r));
        }
    }
    let most = parts.iter().fold(0.0, |w, part| larger(w, *part));
    let all = || graph.all_links().zip(&parts).filter(|(_, part)| **part > PART * most);
    let others = all().filter(|(link, _)| *link != row.link);
    let names: Vec<String> = others.map(|(link, _)| model.name_of_link(link).to_string()).collect();
    match names.is_empty() {
        true => all().map(|(link, _)| model.name_of_link(link).to_string()).collect(),
        false => names,
    }
}
