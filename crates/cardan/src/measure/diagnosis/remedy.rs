//! Which joint kinds would say the same with fewer rows.
//!
//! A joint holds wrenches W (dimension m); another kind in its place holds W' ⊂ W (dimension m'). Of the loads N = null(Jᵀ)
//! those stay that it can still hold:
//!
//! ```text
//! N' = { n ∈ N : its wrench w in the joint lies in W' }        dim N' = dim N − rank (1 − P_W') w(N)
//! mobility' = coordinates − (rows − (m − m')) + dim N'
//! ```
//!
//! so that mobility is what it was exactly if the rank is m − m': every freedom that the joint gains was held by a redundant row. No
//! rank has to be decided again, and one replacement may follow another.

use super::groups::{Loads, rank};
use super::{Remedy, Replacement};
use crate::joint::{JointKind, JointRows, misfit};
use crate::model::Model;
use crate::step::Workspace;

/// A wrench outside of a space by less than this, beside the largest, is in it.
const INSIDE: f64 = 1e-6;
/// More redundant rows than this in one group get no advice.
const MOST_LOADS: usize = 60;

type Six = [f64; 6];

/// The fewest replacements by any kind, and by lower pairs alone if that is another answer.
pub(super) fn find(model: &Model, work: &Workspace, members: &[usize], loads: &Loads) -> Vec<Remedy> {
    if loads.vectors.len() > MOST_LOADS {
        return Vec::new();
    }
    let mut all: Vec<Remedy> = Vec::new();
    for lower_pairs in [false, true] {
        let mut remedy = search(model, work, members, loads, (lower_pairs, true));
        if remedy.left > 0 {
            // Small steps in many joints sometimes lead farther than large ones in a few.
            let careful = search(model, work, members, loads, (lower_pairs, false));
            if careful.left < remedy.left {
                remedy = careful;
            }
        }
        if !(remedy.steps.is_empty() || all.contains(&remedy)) {
            all.push(remedy);
        }
    }
    all
}

/// A joint that may be replaced: its index, and the wrench of every load in it.
struct Seat {
    joint: usize,
    wrenches: Vec<Six>,
    replaced: bool,
}

/// One replacement after another, each the one that removes most rows if `bold`, fewest if not.
fn search(
    model: &Model,
    work: &Workspace,
    members: &[usize],
    loads: &Loads,
    (lower_pairs, bold): (bool, bool),
) -> Remedy {
    // Springs and drives act along a coordinate of their joint's kind; user constraints have none to choose from.
    let plain = |&&link: &&usize| {
        model.joints.get(link).is_some_and(|joint| !joint.has_forces() && !joint.driven.is_any())
    };
    let mut seats: Vec<Seat> = members
        .iter()
        .filter(plain)
        .map(|&joint| Seat { joint, wrenches: wrenches(model, work, joint, loads), replaced: false })
        .collect();
    let mut left = loads.vectors.len();
    let mut steps = Vec::new();
    while left > 0 {
        let mut best: Option<(usize, Option<JointKind>, usize, Vec<Six>)> = None;
        let mut any_of = Vec::new();
        for (s, seat) in seats.iter().enumerate().filter(|(_, seat)| !seat.replaced) {
            for (kind, removes, kept) in candidates(model, work, seat, lower_pairs) {
                let name = &model.joints[seat.joint].name;
                match &best {
                    Some((_, same, most, _)) if *most == removes && *same == kind => {
                        any_of.push(name.clone())
                    }
                    Some((_, _, most, _)) if *most == removes || (*most > removes) == bold => {}
                    _ => {
                        any_of = vec![name.clone()];
                        best = Some((s, kind, removes, kept));
                    }
                }
            }
        }
        let Some((chosen, kind, removes, kept)) = best else { break };
        restrict(&mut seats, chosen, &kept);
        seats[chosen].replaced = true;
        left -= removes;
        steps.push(Replacement { any_of, kind, removes });
    }
    Remedy { steps, left }
}

/// The wrench of each load in a joint, a's axes, at b's frame.
fn wrenches(model: &Model, work: &Workspace, joint: usize, loads: &Loads) -> Vec<Six> {
    let rows = space(model, work, joint, model.joints[joint].kind);
    let first = model.joints[joint].row_at;
    let of = |vector: &Vec<(usize, f64)>| {
        let mut sum = [0.0; 6];
        for &(at, value) in vector {
            if let Some(row) = at.checked_sub(first).and_then(|r| rows.get(r)) {
                sum.iter_mut().zip(row).for_each(|(s, r)| *s += value / loads.formed[at] * r);
            }
        }
        sum
    };
    loads.vectors.iter().map(of).collect()
}

/// The wrenches that a kind holds in the place of a joint.
fn space(model: &Model, work: &Workspace, joint: usize, kind: JointKind) -> Vec<Six> {
    let mut rows = JointRows::default();
    kind.write_rows(&work.relatives[joint], model.joints[joint].plane.as_ref(), &mut rows);
    let six = |r: usize| {
        let (f, t) = (rows.gradient[r].force, rows.gradient[r].torque);
        [f.x, f.y, f.z, t.x, t.y, t.z]
    };
    (0..rows.count).map(six).collect()
}

/// Kinds that leave mobility as it is, how many redundant rows each takes away, and an orthonormal basis of what it holds.
fn candidates(
    model: &Model,
    work: &Workspace,
    seat: &Seat,
    lower_pairs: bool,
) -> Vec<(Option<JointKind>, usize, Vec<Six>)> {
    let joint = &model.joints[seat.joint];
    let own = basis(space(model, work, seat.joint, joint.kind));
    let body = |end: Option<usize>| end.map(|i| model.bodies[i].kind);
    let mut all = Vec::new();
    let kinds = JointKind::ALL.into_iter().filter(|kind| match kind {
        JointKind::Distance { .. } | JointKind::BeadOnCircle { .. } => false,
        JointKind::PointOnLine | JointKind::PointOnPlane | JointKind::Aligned => !lower_pairs,
        _ => true,
    });
    // In the plane a joint has no rows to spare but all of them.
    let fits = |kind: &JointKind| {
        joint.plane.is_none()
            && kind.rows() < joint.rows
            && misfit(*kind, body(joint.a.body), body(joint.b.body)).is_none()
    };
    for kind in kinds.filter(fits).map(Some).chain([None]) {
        let held = kind.map_or(Vec::new(), |kind| basis(space(model, work, seat.joint, kind)));
        if held.iter().any(|w| length(&without(w, &own)) > INSIDE) {
            continue;
        }
        let largest = seat.wrenches.iter().fold(0.0, |m, w| if length(w) > m { length(w) } else { m });
        if largest == 0.0 {
            continue;
        }
        let outside = |w: &Six| without(w, &held).iter().map(|x| 0.01 * x / largest).collect::<Vec<f64>>();
        let removes = rank(seat.wrenches.iter().map(outside).collect());
        if removes > 0 && removes == own.len() - held.len() {
            all.push((kind, removes, held));
        }
    }
    all
}

/// Keeps the loads whose wrench in the chosen seat lies in `held`.
fn restrict(seats: &mut [Seat], chosen: usize, held: &[Six]) {
    let largest = seats[chosen].wrenches.iter().fold(0.0, |m, w| if length(w) > m { length(w) } else { m });
    loop {
        let outside: Vec<Six> = seats[chosen].wrenches.iter().map(|w| without(w, held)).collect();
        let (mut pivot, mut axis, mut most) = (0, 0, INSIDE * largest);
        for (k, w) in outside.iter().enumerate() {
            for (i, x) in w.iter().enumerate() {
                if x.abs() > most {
                    (pivot, axis, most) = (k, i, x.abs());
                }
            }
        }
        if most <= INSIDE * largest {
            return;
        }
        for seat in &mut *seats {
            let gone = seat.wrenches[pivot];
            for (k, w) in seat.wrenches.iter_mut().enumerate() {
                let share = outside[k][axis] / outside[pivot][axis];
                w.iter_mut().zip(&gone).for_each(|(w, g)| *w -= share * g);
            }
            seat.wrenches.remove(pivot);
        }
    }
}

fn dot(a: &Six, b: &Six) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(a: &Six) -> f64 {
    dot(a, a).sqrt()
}

/// What is left of a wrench beside an orthonormal basis.
fn without(w: &Six, basis: &[Six]) -> Six {
    let mut left = *w;
    for unit in basis {
        let along = dot(&left, unit);
        left.iter_mut().zip(unit).for_each(|(l, u)| *l -= along * u);
    }
    left
}

fn basis(rows: Vec<Six>) -> Vec<Six> {
    let mut units: Vec<Six> = Vec::new();
    for row in rows {
        let left = without(&row, &units);
        let size = length(&left);
        if size > INSIDE {
            units.push(left.map(|x| x / size));
        }
    }
    units
}
