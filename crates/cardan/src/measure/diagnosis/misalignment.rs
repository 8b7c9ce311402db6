//! Misalignment of joints whose rows are nearly dependent.
//!
//! Axes within a milliradian of each other were meant to be parallel. The axis with the smallest
//! sum of angles to the others is the reference; the largest angle to it is the misalignment. If no
//! axes are off, points are, and |Jᵀ n| of the nearly vanishing self-stresses estimates by how
//! much.

use super::groups::SelfStresses;
use crate::math::{Vec3, larger};
use crate::model::Model;
use crate::step::Workspace;

/// Axes within this angle were meant to be parallel \[rad\].
const NEARLY_PARALLEL: f64 = 1e-3;
/// Angles up to this are rounding \[rad\].
const ROUNDING: f64 = 1e-11;

/// The links whose axes are off (empty if points are), and an estimate of the misalignment.
pub(super) fn of(
    model: &Model,
    work: &Workspace,
    members: &[usize],
    stresses: &SelfStresses,
) -> (Vec<usize>, f64) {
    let has_axis = |link: &usize| model.joints.get(*link).is_some_and(|joint| joint.kind.needs_axis());
    let axes: Vec<(usize, Vec3)> = members
        .iter()
        .copied()
        .filter(has_axis)
        .map(|link| (link, work.kinematics.relatives[link].axes_a.z))
        .collect();
    let (mut off, mut worst) = (Vec::new(), 0.0);
    for (_, axis) in &axes {
        let near: Vec<(usize, f64)> = axes
            .iter()
            .map(|(link, other)| (*link, axis.cross(*other).norm()))
            .filter(|(_, angle)| *angle < NEARLY_PARALLEL)
            .collect();
        let sum = |from: &Vec3| -> f64 {
            let angles =
                near.iter().map(|(link, _)| from.cross(work.kinematics.relatives[*link].axes_a.z).norm());
            angles.sum()
        };
        let own = sum(axis);
        // Only the reference direction, judged by all nearby axes, tells which of them are off.
        if near.iter().any(|(link, _)| sum(&work.kinematics.relatives[*link].axes_a.z) < own) {
            continue;
        }
        let most = near.iter().fold(0.0, |most, (_, angle)| larger(most, *angle));
        if most > ROUNDING && most > worst {
            worst = most;
            off = near.into_iter().filter(|(_, angle)| *angle > 0.5 * most).map(|(link, _)| link).collect();
        }
    }
    if off.is_empty() { (off, stresses.misfit(&work.equations.system)) } else { (off, worst) }
}
