//! Joint kinds that give the same motions with fewer rows.
//!
//! A joint transmits wrenches W (dimension m); another kind in its place transmits W' ⊂ W
//! (dimension m'). Of the self-stresses N = null(Jᵀ) those remain that it can still transmit:
//!
//! ```text
//! N' = { n ∈ N : its wrench w in the joint lies in W' }        dim N' = dim N − rank (1 − P_W') w(N)
//! mobility' = coordinates − (rows − (m − m')) + dim N'
//! ```
//!
//! Mobility is preserved if and only if the rank is m − m': every freedom that the joint gains was
//! locked by a redundant row. Replacements may be combined. Candidates are found in this way; each
//! is then applied and its rank recomputed (`recount.rs`), in this pose and after a small motion,
//! and advised only if all motions are preserved in both poses.

use super::groups::{SelfStresses, rank};
use super::recount::{Recount, Swap};
use super::{Remedy, Replacement, placing};
use crate::joint::{Axes, ClosedForm, JointKind, JointRows, misfit};
use crate::model::Model;
use crate::step::Workspace;

/// A wrench outside of a space by less than this part of the largest lies in it.
const INSIDE: f64 = 1e-6;
/// Groups with more redundant rows get no remedy.
pub(super) const MOST_LOADS: usize = 60;

type Six = [f64; 6];

/// The group to search remedies for.
pub(super) struct RemedySearch<'m> {
    pub(super) model: &'m Model,
    pub(super) work: &'m Workspace,
    pub(super) members: &'m [usize],
    pub(super) stresses: &'m SelfStresses,
    /// Rows of the members in this pose.
    pub(super) here: Recount<'m>,
    /// Rows of the members after a small motion, if there is such a pose.
    pub(super) nearby: Option<Recount<'m>>,
}

/// The fewest replacements by any kind, and by lower pairs alone if that differs; `None` if there
/// are too many redundant rows.
pub(super) fn find(search: &RemedySearch<'_>) -> Option<Vec<Remedy>> {
    if search.stresses.vectors.len() > MOST_LOADS {
        return None;
    }
    let mut all: Vec<Remedy> = Vec::new();
    if search.here.redundant() != search.stresses.vectors.len() {
        // Counted by themselves the rows have another rank: no remedy is safe.
        return Some(all);
    }
    for lower_pairs in [false, true] {
        let mut remedy = search.search(lower_pairs, true);
        if remedy.left > 0 {
            // Removing few rows from many joints sometimes leads farther than many rows from few.
            let careful = search.search(lower_pairs, false);
            if careful.left < remedy.left {
                remedy = careful;
            }
        }
        if !(remedy.steps.is_empty() || all.contains(&remedy)) {
            all.push(remedy);
        }
    }
    Some(all)
}

/// A joint that may be replaced: its index, and the wrench of every self-stress in it.
struct ReplaceableJoint {
    joint: usize,
    wrenches: Vec<Six>,
    /// The largest of all wrenches, before any was removed: the scale of rounding.
    size: f64,
    replaced: bool,
}

/// A kind in place of a joint: the number of redundant rows it removes, and an orthonormal basis of
/// the wrenches it transmits.
struct Candidate {
    replaceable: usize,
    kind: Option<JointKind>,
    removes: usize,
    held: Vec<Six>,
}

impl RemedySearch<'_> {
    /// Number of redundant rows after some replacements, if all motions are preserved.
    fn after(&self, swaps: &[Swap]) -> Option<usize> {
        if let Some(nearby) = &self.nearby {
            nearby.after(swaps)?;
        }
        self.here.after(swaps)
    }

    /// A sequence of replacements, each the one that removes most rows if `bold`, fewest if not.
    fn search(&self, lower_pairs: bool, bold: bool) -> Remedy {
        let mut replaceables = self.replaceables();
        let mut left = self.stresses.vectors.len();
        let (mut swaps, mut refused): (Vec<Swap>, Vec<Swap>) = (Vec::new(), Vec::new());
        let mut steps = Vec::new();
        let mut others: Vec<usize> = Vec::new();
        while left > 0 {
            let mut best: Option<Candidate> = None;
            let mut alike = Vec::new();
            for (s, replaceable) in
                replaceables.iter().enumerate().filter(|(_, replaceable)| !replaceable.replaced)
            {
                for (kind, removes, held) in candidates(self.model, self.work, replaceable, lower_pairs) {
                    if refused.contains(&(replaceable.joint, kind)) {
                        continue;
                    }
                    match &best {
                        Some(best) if best.removes == removes && best.kind == kind => {
                            alike.push(replaceable.joint)
                        }
                        Some(best) if best.removes == removes || (best.removes > removes) == bold => {}
                        _ => {
                            alike.clear();
                            best = Some(Candidate { replaceable: s, kind, removes, held });
                        }
                    }
                }
            }
            let Some(Candidate { replaceable, kind, removes, held }) = best else { break };
            let joint = replaceables[replaceable].joint;
            swaps.push((joint, kind));
            if self.after(&swaps) != Some(left - removes) {
                swaps.pop();
                refused.push((joint, kind));
                continue;
            }
            restrict(&mut replaceables, replaceable, &held);
            replaceables[replaceable].replaced = true;
            left -= removes;
            if steps.is_empty() {
                others = alike;
            }
            steps.push(self.step(vec![joint], kind, removes));
        }
        if let ([step], [(joint, kind)]) = (&mut steps[..], &swaps[..]) {
            // Alternatives to the first would need other replacements after them; without any after
            // it, each may serve as well.
            let mut any_of = vec![*joint];
            any_of.extend(others.iter().filter(|&&other| self.after(&[(other, *kind)]) == Some(left)));
            *step = self.step(any_of, *kind, step.removes);
        }
        Remedy { steps, left }
    }

    fn replaceables(&self) -> Vec<ReplaceableJoint> {
        // Springs, drives and couplers act along a coordinate of their joint's kind; user
        // constraints have no other kind.
        let plain = |&&link: &&usize| {
            let joint = self.model.joints.get(link);
            joint.is_some_and(|joint| !joint.has_forces() && joint.driven.is_none() && !joint.coupled)
        };
        let replaceable = |&joint: &usize| {
            let wrenches = wrenches(self.model, self.work, joint, self.stresses);
            let size = largest(&wrenches);
            ReplaceableJoint { joint, wrenches, size, replaced: false }
        };
        self.members.iter().filter(plain).map(replaceable).collect()
    }

    fn step(&self, joints: Vec<usize>, kind: Option<JointKind>, removes: usize) -> Replacement {
        let fields = |&joint: &usize| {
            kind.map_or(Vec::new(), |kind| placing::fields(self.model, self.work, joint, kind))
        };
        Replacement {
            fields: joints.iter().map(fields).collect(),
            states_axis: joints
                .iter()
                .any(|&joint| kind.is_some_and(|kind| needs_words(self.model.joints[joint].kind, kind))),
            any_of: joints.iter().map(|&joint| self.model.joints[joint].name.clone()).collect(),
            kind,
            removes,
        }
    }
}

/// Whether a kind has an axis that the kind it replaces does not have.
fn needs_words(from: JointKind, to: JointKind) -> bool {
    to.has_cross() || (to.needs_axis() && !from.needs_axis())
}

fn largest(wrenches: &[Six]) -> f64 {
    wrenches.iter().fold(0.0, |m, w| if length(w) > m { length(w) } else { m })
}

/// The wrench of each self-stress in a joint, a's axes, at b's frame; torques divided by a length
/// of the mechanism.
fn wrenches(model: &Model, work: &Workspace, joint: usize, stresses: &SelfStresses) -> Vec<Six> {
    let rows = space(model, work, joint, model.joints[joint].kind);
    let first = model.joints[joint].row_at();
    let of = |vector: &Vec<(usize, f64)>| {
        let mut sum = [0.0; 6];
        for &(at, value) in vector {
            if let Some(row) = at.checked_sub(first).and_then(|r| rows.get(r)) {
                sum.iter_mut().zip(row).for_each(|(s, r)| *s += value / stresses.formed[at] * r);
            }
        }
        sum
    };
    stresses.vectors.iter().map(of).collect()
}

/// The wrenches that a kind transmits in place of a joint.
fn space(model: &Model, work: &Workspace, joint: usize, kind: JointKind) -> Vec<Six> {
    let mut rows = JointRows::default();
    kind.write_rows(&work.kinematics.relatives[joint], model.joints[joint].plane.as_deref(), &mut rows);
    let six = |r: usize| {
        let (f, t) = (rows.gradient[r].force, rows.gradient[r].torque);
        [f.x, f.y, f.z, t.x / work.solvers.length, t.y / work.solvers.length, t.z / work.solvers.length]
    };
    (0..rows.count).map(six).collect()
}

/// Whether a kind in place of a joint would be closed in this pose.
fn is_closed(model: &Model, work: &Workspace, joint: usize, kind: JointKind) -> bool {
    let mut rows = JointRows::default();
    kind.write_rows(&work.kinematics.relatives[joint], model.joints[joint].plane.as_deref(), &mut rows);
    (0..rows.count).all(|r| rows.err[r].abs() <= INSIDE * rows.scale[r])
}

/// Kinds that preserve the mobility, the number of redundant rows each removes, and an orthonormal
/// basis of the wrenches it transmits.
fn candidates(
    model: &Model,
    work: &Workspace,
    replaceable: &ReplaceableJoint,
    lower_pairs: bool,
) -> Vec<(Option<JointKind>, usize, Vec<Six>)> {
    let joint = &model.joints[replaceable.joint];
    let own = basis(space(model, work, replaceable.joint, joint.kind));
    let body = |end: Option<usize>| end.map(|i| model.bodies[i].kind);
    let mut all = Vec::new();
    let kinds = JointKind::ALL.into_iter().filter(|kind| {
        let about = kind.about();
        // A pose determines neither a curve nor a second axis on both bodies.
        let is_told = !about.is_curved && about.axes != Axes::Two;
        is_told && (about.closed_form != ClosedForm::Rows || !lower_pairs)
    });
    // Between planar bodies a joint can only be removed as a whole.
    let fits = |kind: &JointKind| {
        joint.plane.is_none()
            && kind.rows() < joint.rows()
            && misfit(*kind, body(joint.a.body()), body(joint.b.body())).is_none()
    };
    for kind in kinds.filter(fits).map(Some).chain([None]) {
        let held = match kind {
            None => Vec::new(),
            Some(kind) if !is_closed(model, work, replaceable.joint, kind) => continue,
            Some(kind) => basis(space(model, work, replaceable.joint, kind)),
        };
        if held.iter().any(|w| length(&without(w, &own)) > INSIDE) {
            continue;
        }
        if replaceable.size == 0.0 {
            continue;
        }
        let outside =
            |w: &Six| without(w, &held).iter().map(|x| 0.01 * x / replaceable.size).collect::<Vec<f64>>();
        let removes = rank(replaceable.wrenches.iter().map(outside).collect());
        if removes > 0 && removes == own.len() - held.len() {
            all.push((kind, removes, held));
        }
    }
    all
}

/// Keeps the self-stresses whose wrench in the chosen joint lies in `held`.
fn restrict(replaceables: &mut [ReplaceableJoint], chosen: usize, held: &[Six]) {
    let largest = replaceables[chosen].size;
    loop {
        let outside: Vec<Six> = replaceables[chosen].wrenches.iter().map(|w| without(w, held)).collect();
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
        for replaceable in &mut *replaceables {
            let gone = replaceable.wrenches[pivot];
            for (k, w) in replaceable.wrenches.iter_mut().enumerate() {
                let share = outside[k][axis] / outside[pivot][axis];
                w.iter_mut().zip(&gone).for_each(|(w, g)| *w -= share * g);
            }
            replaceable.wrenches.remove(pivot);
        }
    }
}

fn dot(a: &Six, b: &Six) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(a: &Six) -> f64 {
    dot(a, a).sqrt()
}

/// The part of a wrench orthogonal to an orthonormal basis.
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
        if size > INSIDE * length(&row) {
            units.push(left.map(|x| x / size));
        }
    }
    units
}
