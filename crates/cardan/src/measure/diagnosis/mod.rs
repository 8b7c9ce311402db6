//! Diagnosis: which joints depend on each other, whether they are consistent, and how to remove
//! redundant rows.
//!
//! ```text
//! mobility = coordinates − rank J           rank J = rows − dim null(Jᵀ)
//! ```
//!
//! A vector n of null(Jᵀ) is a self-stress: a load that joints exert on each other without external
//! forces. Each independent self-stress is one redundant row. Joints are in one *group* if
//! self-stresses connect them inseparably (`groups.rs`). Where all joints can be closed, redundant
//! rows are consistent. Where they cannot, the pose with the smallest errors satisfies
//!
//! ```text
//! ½ |C|² minimal    ⇒    Jᵀ C = 0
//! ```
//!
//! so the remaining error is itself a self-stress, and it names the joints that contradict each
//! other (`nearest.rs`). It is not counted as redundancy: that combination vanishes only in the
//! nearest pose.
//!
//! A combination that vanishes only to 1e-9 … 1e-5 is rigid in the numbers, though meant to move: a
//! lock by misalignment (`misalignment.rs`), if it is one after a small motion, too (`nearby.rs`).
//! If it is not, the pose is singular, such as a dead centre.

mod groups;
mod misalignment;
mod nearby;
mod nearest;
mod placing;
mod recount;
mod remedy;

use crate::joint::{Anchor, JointKind};
use crate::math::larger;
use crate::model::Model;
use crate::state::State;
use crate::step::{Settings, StepError, Workspace, assemble, observe_rows, offered_tolerance};
use crate::tolerances::MISALIGNED;
use cardan_solve::{Link, Rank, System};
use groups::{NEGLIGIBLE, NEGLIGIBLE_LOOSELY, SelfStresses, split};
use recount::Recount;
use remedy::RemedySearch;

/// Mechanisms with more rows are not diagnosed.
const MOST_ROWS: usize = 4000;
/// Remainders up to this are rounding in a pose that was found as a minimum: half of the digits are
/// lost there.
const ROUNDING_OF_MINIMUM: f64 = 1e-6;
/// A joint whose error stays above this part of the numbers that form it contradicts others.
const OPEN: f64 = 1e-7;

/// Diagnosis of the rows of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    /// Sum of the bodies' freedoms.
    pub coordinates: usize,
    /// Number of rows (scalar constraints).
    pub rows: usize,
    /// Number of independent rows.
    pub rank: usize,
    /// Joints that depend on each other, in the order of their first joints.
    pub groups: Vec<RedundantGroup>,
    /// Joints that add no constraint to another joint.
    pub duplicates: Vec<Duplicate>,
    /// Joints that cannot all be closed, with their errors in the nearest pose; empty if all can.
    pub conflict: Vec<OpenJoint>,
    /// Whether the pose with the smallest errors was searched for; if not, the errors are those of
    /// the given pose.
    pub is_least: bool,
    /// Joints that have freedoms in this pose and not after a small motion.
    pub singular_poses: Vec<SingularPose>,
    /// Whether a pose after a small motion was searched for, for comparison: not with more than 300
    /// coordinates.
    pub compared: bool,
    /// Per joint, then per user constraint: whether its reaction is unique.
    pub unique: Vec<bool>,
}

impl Diagnosis {
    /// Freedoms by counting: coordinates minus rows.
    pub fn naive_mobility(&self) -> i64 {
        self.coordinates as i64 - self.rows as i64
    }
    /// Freedoms in this pose: coordinates minus rank. `None` if the joints cannot all be closed.
    pub fn mobility(&self) -> Option<usize> {
        self.conflict.is_empty().then_some(self.coordinates - self.rank)
    }
    /// Number of redundant rows.
    pub fn redundant_rows(&self) -> usize {
        self.rows - self.rank
    }
}

/// Joints that depend on each other.
#[derive(Clone, Debug, PartialEq)]
pub struct RedundantGroup {
    /// Their names.
    pub joints: Vec<String>,
    /// Number of redundant rows.
    pub redundant_rows: usize,
    /// Number of further rows that are independent only by a misalignment: each removes a freedom
    /// that was probably intended.
    pub locked_rows: usize,
    /// Estimated misalignment \[rad, or m per metre\]; zero if there is none.
    pub misalignment: f64,
    /// The joints whose axes are misaligned, if axes are.
    pub misaligned: Vec<String>,
    /// A [`Settings::geometry_tolerance`] that restores these freedoms; zero if none are locked.
    pub tolerance: f64,
    /// Whether the redundant rows are consistent with the others.
    pub consistent: bool,
    /// Replacements with fewer rows. Each was applied and its rank recomputed: all motions are
    /// preserved.
    pub remedies: Vec<Remedy>,
    /// False if there are too many redundant rows to search for remedies (more than 60).
    pub advised: bool,
}

/// Joints whose rows depend on each other in a single pose only.
#[derive(Clone, Debug, PartialEq)]
pub struct SingularPose {
    /// Their names.
    pub joints: Vec<String>,
    /// Freedoms that they have in that pose and not elsewhere.
    pub freedoms: usize,
    /// Estimated distance to that pose \[rad, or m per metre\]; zero if it is this one.
    pub distance: f64,
}

/// A joint that adds no constraint to another joint between the same two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Duplicate {
    /// The joint without effect.
    pub joint: String,
    /// The joint that contains its constraints.
    pub of: String,
    /// Whether each contains the other's constraints.
    pub mutual: bool,
}

/// A joint that cannot be closed.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenJoint {
    /// Its name.
    pub joint: String,
    /// Its error \[m or rad\].
    pub gap: f64,
    /// For a distance joint: its length, and the length with which it could be closed if the others
    /// stay as they are \[m\].
    pub length: Option<(f64, f64)>,
}

/// A sequence of replacements that preserves all motions and removes redundant rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// The replacements, in order.
    pub steps: Vec<Replacement>,
    /// Redundant rows that remain.
    pub left: usize,
}

/// Replacement of a joint by another kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Replacement {
    /// Any one of these joints. More than one only if no other replacement follows.
    pub any_of: Vec<String>,
    /// The new kind; `None` to remove the joint.
    pub kind: Option<JointKind>,
    /// Placement of the new joint, for each of `any_of`: fields of a scene file that replace all
    /// fields of the present placement.
    pub fields: Vec<Vec<(&'static str, [f64; 3])>>,
    /// Whether the fields contain an axis that the joint did not have.
    pub states_axis: bool,
    /// Number of redundant rows that it removes.
    pub removes: usize,
}

/// The pose that is examined: assembled, or the one with the smallest gaps.
struct ExaminedPose {
    pose: State,
    /// Whether all joints are closed there.
    closed: bool,
    /// Whether it is the pose with the smallest errors.
    is_least: bool,
}

impl ExaminedPose {
    fn find(model: &Model, settings: &Settings, state: &State, work: &mut Workspace) -> Self {
        let mut pose = state.clone();
        pose.assembled = false;
        let closed = settings.projects() && assemble(model, settings, &mut pose, work).is_ok();
        let mut is_least = true;
        if !closed {
            pose = state.clone();
            is_least = nearest::minimize_gaps(model, settings, &mut pose, work);
        }
        ExaminedPose { pose, closed, is_least }
    }
}

/// Examines a mechanism; see [`crate::Simulation::diagnose`].
pub(crate) fn diagnose(
    model: &Model,
    settings: &Settings,
    state: &State,
) -> Result<Option<Diagnosis>, StepError> {
    if model.graph.rows() > MOST_ROWS {
        return Ok(None);
    }
    let mut work = Workspace::new(model, settings)?;
    let ExaminedPose { pose, closed, is_least } = ExaminedPose::find(model, settings, state, &mut work);
    observe_rows(model, settings, &pose, &mut work);
    let mut geometry = Rank::new(&model.graph);
    let not_finite = |error| crate::step::solver_error(model, pose.time, error, crate::step::Stage::First);
    let open = open_links(model, &work, closed);
    let tolerance = settings.geometry_tolerance;
    let (within, negligible) = match (open.is_empty(), tolerance > 0.0) {
        (true, false) => (None, NEGLIGIBLE),
        (true, true) => (Some(tolerance), NEGLIGIBLE_LOOSELY),
        (false, _) => (Some(larger(ROUNDING_OF_MINIMUM, tolerance)), NEGLIGIBLE_LOOSELY),
    };
    match within {
        None => geometry.decide(&work.equations.system).map_err(not_finite)?,
        Some(bound) => geometry.decide_within(&work.equations.system, bound).map_err(not_finite)?,
    }
    let exact = SelfStresses::of(&mut geometry, &work.equations.system, negligible);
    let mut rank = geometry.rank();
    // Remainder of the rows that a misalignment locks; it may be larger in other poses.
    let mut left = 0.0;
    let loose = if open.is_empty() && geometry.smallest_accepted() < MISALIGNED {
        geometry.decide_within(&work.equations.system, MISALIGNED).map_err(not_finite)?;
        left = geometry.largest_dropped();
        Some(SelfStresses::of(&mut geometry, &work.equations.system, NEGLIGIBLE_LOOSELY))
    } else {
        None
    };
    let is_sound = exact.vectors.is_empty() && loose.is_none();
    let nearby = (closed && !is_sound).then(|| nearby::find(model, settings, &pose)).flatten();
    let exact_groups = split(model, exact);
    let mut unique = vec![true; model.graph.links()];
    exact_groups.iter().flat_map(|(links, _)| links).for_each(|&link| unique[link] = false);

    let mut context =
        DiagnosisContext { model, work: &work, nearby: nearby.as_ref(), open: &open, groups: Vec::new() };
    let (mut singular_poses, mut duplicates) = (Vec::new(), Vec::new());
    let mut admitted = vec![false; exact_groups.len()];
    for (members, stresses) in loose.map_or_else(Vec::new, |loose| split(model, loose)) {
        // A joint that only a misalignment connects may be missing here.
        let is_inside =
            |links: &[usize]| 2 * links.iter().filter(|l| members.contains(l)).count() > links.len();
        let mut redundant_rows = 0;
        let inside: Vec<usize> = (0..exact_groups.len()).filter(|&k| is_inside(&exact_groups[k].0)).collect();
        inside.iter().for_each(|&k| redundant_rows += exact_groups[k].1.vectors.len());
        let locked_rows = stresses.vectors.len().saturating_sub(redundant_rows);
        if locked_rows == 0 {
            continue;
        }
        if context.rows_that_vanish(&members, stresses.vectors.len(), Some(MISALIGNED)) > 0 {
            // After a small motion nothing is nearly redundant: the pose is near a singular one.
            let distance = stresses.misfit(&work.equations.system);
            singular_poses.push(SingularPose {
                joints: context.names(&members),
                freedoms: locked_rows,
                distance,
            });
            continue;
        }
        inside.iter().for_each(|&k| admitted[k] = true);
        let (misaligned, misalignment) = misalignment::of(model, &work, &members, &stresses);
        let tolerance = offered_tolerance(larger(3.0 * misalignment, 10.0 * left));
        let lock = MisalignmentLock { rows: locked_rows, misalignment, misaligned, tolerance };
        context.add_group(&members, &stresses, redundant_rows, Some(lock));
        find_duplicates(&work.equations.system, &members, &|link| context.name(link), &mut duplicates);
    }
    let rest = exact_groups.iter().zip(&admitted).filter(|(_, admitted)| !**admitted);
    for ((members, stresses), _) in rest {
        let mut redundant_rows = stresses.vectors.len();
        if context.is_stationary(settings, &pose, members) {
            // The remaining error is one of these self-stresses: it vanishes in the nearest pose
            // only.
            redundant_rows -= 1;
            rank += 1;
        } else {
            find_duplicates(&work.equations.system, members, &|link| context.name(link), &mut duplicates);
        }
        let gone = context.rows_that_vanish(members, stresses.vectors.len(), within);
        if gone > 0 {
            singular_poses.push(SingularPose {
                joints: context.names(members),
                freedoms: gone,
                distance: 0.0,
            });
        }
        if redundant_rows > 0 {
            context.add_group(members, stresses, redundant_rows, None);
        }
    }
    let mut groups = context.groups;
    groups.sort_by_key(|(first, _)| *first);
    let groups = groups.into_iter().map(|(_, group)| group).collect();
    let compared = model.v_len <= nearby::MOST_COORDINATES;
    let conflict = misfits(model, settings, &pose, &mut work, &open, is_least);
    let (coordinates, rows) = (model.v_len, model.graph.rows());
    let diagnosis = Diagnosis {
        coordinates,
        rows,
        rank,
        groups,
        duplicates,
        conflict,
        is_least,
        singular_poses,
        compared,
        unique,
    };
    Ok(Some(diagnosis))
}

/// A lock by misalignment.
struct MisalignmentLock {
    rows: usize,
    misalignment: f64,
    misaligned: Vec<usize>,
    /// The geometry tolerance that would remove the lock.
    tolerance: f64,
}

/// Data for the examination of groups, and the groups found.
struct DiagnosisContext<'m> {
    model: &'m Model,
    work: &'m Workspace,
    /// Rows after a small motion.
    nearby: Option<&'m Workspace>,
    /// Links that cannot be closed, with their errors.
    open: &'m [(usize, f64)],
    /// Groups, with their first links.
    groups: Vec<(usize, RedundantGroup)>,
}

impl DiagnosisContext<'_> {
    fn name(&self, link: usize) -> String {
        self.model.name_of_link(Link(link as u32)).to_string()
    }

    fn names(&self, links: &[usize]) -> Vec<String> {
        links.iter().map(|&link| self.name(link)).collect()
    }

    fn is_open(&self, link: usize) -> bool {
        self.open.iter().any(|(open, _)| *open == link)
    }

    /// Number of the redundant rows that are independent after a small motion.
    fn rows_that_vanish(&self, members: &[usize], redundant: usize, within: Option<f64>) -> usize {
        let off = self.nearby.and_then(|nearby| Recount::new(self.model, nearby, members, within));
        off.map_or(0, |off| redundant.saturating_sub(off.redundant()))
    }

    /// Whether the rows of the open members depend on each other only because the errors are
    /// minimal here: after a displacement they do not.
    fn is_stationary(&self, settings: &Settings, pose: &State, members: &[usize]) -> bool {
        let open: Vec<usize> = members.iter().copied().filter(|&link| self.is_open(link)).collect();
        if open.is_empty() {
            return false;
        }
        let Ok(mut moved) = Workspace::new(self.model, settings) else { return true };
        let mut next = pose.clone();
        let units = nearby::units(self.model, self.work);
        let shift: Vec<f64> =
            nearby::numbers(self.model.v_len).iter().zip(units).map(|(x, unit)| 0.01 * x * unit).collect();
        next.displace(self.model, &shift);
        observe_rows(self.model, settings, &next, &mut moved);
        Recount::new(self.model, &moved, &open, None).is_none_or(|recount| recount.redundant() == 0)
    }

    fn add_group(
        &mut self,
        members: &[usize],
        stresses: &SelfStresses,
        redundant_rows: usize,
        lock: Option<MisalignmentLock>,
    ) {
        let DiagnosisContext { model, work, nearby, .. } = *self;
        let consistent = !members.iter().any(|&link| self.is_open(link));
        let within = match (&lock, consistent) {
            (Some(_), _) => Some(MISALIGNED),
            (None, true) => None,
            (None, false) => Some(ROUNDING_OF_MINIMUM),
        };
        let whole = redundant_rows + lock.as_ref().map_or(0, |lock| lock.rows) == stresses.vectors.len();
        // Next to a combination that vanishes only in this pose no remedy is safe.
        let here = whole.then(|| Recount::new(model, work, members, within)).flatten();
        let found = here.map(|here| {
            let nearby = nearby.and_then(|nearby| Recount::new(model, nearby, members, within));
            remedy::find(&RemedySearch { model, work, members, stresses, here, nearby })
        });
        let remedies = found.unwrap_or_else(|| Some(Vec::new()));
        let lock = lock.unwrap_or(MisalignmentLock {
            rows: 0,
            misalignment: 0.0,
            misaligned: Vec::new(),
            tolerance: 0.0,
        });
        let group = RedundantGroup {
            joints: self.names(members),
            redundant_rows,
            locked_rows: lock.rows,
            misalignment: lock.misalignment,
            misaligned: self.names(&lock.misaligned),
            tolerance: lock.tolerance,
            consistent,
            advised: remedies.is_some(),
            remedies: remedies.unwrap_or_default(),
        };
        self.groups.push((members.first().copied().unwrap_or(0), group));
    }
}

/// Joints that cannot be closed, by name, with lengths that would close them.
fn misfits(
    model: &Model,
    settings: &Settings,
    pose: &State,
    work: &mut Workspace,
    open: &[(usize, f64)],
    is_least: bool,
) -> Vec<OpenJoint> {
    let mut all = Vec::new();
    for &(link, gap) in open {
        let mut length = None;
        let rod =
            model.joints.get(link).map(|joint| joint.kind).filter(|k| k.about().anchor == Anchor::Points);
        if let Some((_, has)) = rod.and_then(JointKind::size)
            && is_least
        {
            length = nearest::closing_length(model, settings, pose, work, link).map(|does| (has, does));
        }
        all.push(OpenJoint { joint: model.name_of_link(Link(link as u32)).to_string(), gap, length });
    }
    all
}

/// Links that cannot be closed, with their errors.
fn open_links(model: &Model, work: &Workspace, closed: bool) -> Vec<(usize, f64)> {
    let mut all = Vec::new();
    for link in model.graph.all_links().filter(|_| !closed) {
        let (mut gap, mut is_open) = (0.0, false);
        for row in model.graph.row_range(link) {
            let size = work.equations.err[row].abs();
            gap = larger(gap, size);
            is_open |= size > OPEN * larger(work.equations.err_scale[row], f64::MIN_POSITIVE);
        }
        if is_open {
            all.push((link.0 as usize, gap));
        }
    }
    all
}

/// Members between the same two bodies whose rows are combinations of another member's rows.
fn find_duplicates(
    system: &System,
    members: &[usize],
    name: &impl Fn(usize) -> String,
    out: &mut Vec<Duplicate>,
) {
    let graph = system.graph();
    let ends = |link: usize| {
        let mut ends: Vec<_> = graph.ends(Link(link as u32)).iter().flatten().copied().collect();
        ends.sort_unstable_by_key(|block| block.0);
        ends
    };
    let rank_of = |links: &[usize]| {
        let rows = links.iter().flat_map(|&link| groups::rows_of(system, Link(link as u32)));
        groups::rank(rows.collect())
    };
    let mut named = vec![false; members.len()];
    for (k, &later) in members.iter().enumerate() {
        for (i, &earlier) in members[..k].iter().enumerate() {
            if named[i] || named[k] || ends(later) != ends(earlier) {
                continue;
            }
            let (both, first, second) = (rank_of(&[earlier, later]), rank_of(&[earlier]), rank_of(&[later]));
            if both == first {
                named[k] = true;
                out.push(Duplicate { joint: name(later), of: name(earlier), mutual: both == second });
            } else if both == second {
                named[i] = true;
                out.push(Duplicate { joint: name(earlier), of: name(later), mutual: false });
            }
        }
    }
}
