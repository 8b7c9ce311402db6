//! Diagnosis: which joints depend on each other, whether they agree, and what would help.
//!
//! ```text
//! mobility = coordinates − rank J           rank J = rows − dim null(Jᵀ)
//! ```
//!
//! A vector n of null(Jᵀ) is a load that joints hold among themselves, and each says that one row
//! repeats others. Joints belong to one *group* if such loads join them and cannot be taken apart
//! (`groups.rs`). Where the joints can be closed, redundant rows agree; where they cannot, the pose
//! that leaves least open has
//!
//! ```text
//! ½ |C|² least    ⇒    Jᵀ C = 0
//! ```
//!
//! so what stays open is itself such a load, and it names the joints that exclude each other
//! (`nearest.rs`). It says nothing about redundancy: that combination vanishes because the pose is
//! the nearest one, and is not counted. A combination that vanishes to some 1e-9 … 1e-5 only is
//! rigid in the numbers and loose in the mind of who drew it: a lock by misalignment
//! (`misalignment.rs`), if it is one a small motion off as well (`nearby.rs`). If it is not, the
//! pose is special: a dead point.

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
use crate::step::{MISALIGNED, Settings, StepError, Workspace, assemble, observe_rows, offered_tolerance};
use cardan_solve::{Link, Rank, System};
use groups::{NEGLIGIBLE, NEGLIGIBLE_LOOSELY, SelfStresses, split};
use recount::Recount;
use remedy::RemedySearch;

/// With more rows nothing is diagnosed.
const MOST_ROWS: usize = 4000;
/// Remainders up to this are rounding at a pose that was found as a minimum: half of the digits are
/// lost there.
const ROUNDING_OF_MINIMUM: f64 = 1e-6;
/// A joint that stays open by more than this, beside the numbers that form its error, excludes
/// others.
const OPEN: f64 = 1e-7;

/// What a mechanism's rows say about each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    /// Sum of the bodies' freedoms.
    pub coordinates: usize,
    /// Scalar conditions.
    pub rows: usize,
    /// Independent ones.
    pub rank: usize,
    /// Joints that depend on each other, in the order of their first joints.
    pub groups: Vec<RedundantGroup>,
    /// Joints that say nothing another one does not say.
    pub duplicates: Vec<Duplicate>,
    /// Joints that cannot all be closed, with what stays open where that is least; empty if all
    /// can.
    pub conflict: Vec<OpenJoint>,
    /// Whether the pose that leaves least open was looked for; if not, joints stay open by so much
    /// in the pose given.
    pub is_least: bool,
    /// Joints that have freedoms here which they do not have a small motion off.
    pub singular_poses: Vec<SingularPose>,
    /// Whether a pose a small motion off was looked for, to compare with: not with more than 300
    /// coordinates.
    pub compared: bool,
    /// Per joint, then per user constraint: whether its reaction is the same in every solution.
    pub unique: Vec<bool>,
}

impl Diagnosis {
    /// Freedoms by counting: coordinates less rows.
    pub fn naive_mobility(&self) -> i64 {
        self.coordinates as i64 - self.rows as i64
    }
    /// Freedoms in truth, in this pose: coordinates less rank. `None` if the joints cannot all be
    /// closed: no pose, no freedoms.
    pub fn mobility(&self) -> Option<usize> {
        self.conflict.is_empty().then_some(self.coordinates - self.rank)
    }
    /// Rows that repeat others.
    pub fn redundant_rows(&self) -> usize {
        self.rows - self.rank
    }
}

/// Joints that depend on each other.
#[derive(Clone, Debug, PartialEq)]
pub struct RedundantGroup {
    /// Their names.
    pub joints: Vec<String>,
    /// How many of their rows repeat the others.
    pub redundant_rows: usize,
    /// How many more would, but for a misalignment: each takes a freedom that was hardly meant to
    /// be taken.
    pub locked_rows: usize,
    /// About how much is misaligned \[rad, or m beside a metre\]; zero if nothing is.
    pub misalignment: f64,
    /// The joints whose axes are off, if it is axes that are.
    pub misaligned: Vec<String>,
    /// A [`Settings::geometry_tolerance`] that gives these freedoms back; zero if none are locked.
    pub tolerance: f64,
    /// Whether the redundant rows ask for the same as the others.
    pub consistent: bool,
    /// Ways to say the same with fewer rows. Each was applied and counted again: all motions stay.
    pub remedies: Vec<Remedy>,
    /// False if too many rows are redundant to look for remedies (more than 60).
    pub advised: bool,
}

/// Joints in a pose where their rows depend on each other, and only there.
#[derive(Clone, Debug, PartialEq)]
pub struct SingularPose {
    /// Their names.
    pub joints: Vec<String>,
    /// Freedoms that they have there and not elsewhere.
    pub freedoms: usize,
    /// About how far off that pose is \[rad, or m beside a metre\]; zero if this is it.
    pub distance: f64,
}

/// A joint that adds nothing to another one between the same two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Duplicate {
    /// The joint that adds nothing.
    pub joint: String,
    /// The joint that says it all.
    pub of: String,
    /// Whether that is so the other way round as well.
    pub mutual: bool,
}

/// A joint that stays open.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenJoint {
    /// Its name.
    pub joint: String,
    /// By how much \[m or rad\].
    pub gap: f64,
    /// For a distance: the length it has, and the one with which it could be closed if the others
    /// stay as they are.
    pub length: Option<(f64, f64)>,
}

/// Replacements that leave the motion as it is and take redundant rows away, one after another.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// What to do.
    pub steps: Vec<Replacement>,
    /// Redundant rows that remain.
    pub left: usize,
}

/// A joint kind that would do.
#[derive(Clone, Debug, PartialEq)]
pub struct Replacement {
    /// Any one of these. More than one only if nothing else has to follow.
    pub any_of: Vec<String>,
    /// The kind to make it; `None` for leaving it out.
    pub kind: Option<JointKind>,
    /// Where that sits, for each of them: fields of a scene file in the place of all that place the
    /// joint now.
    pub fields: Vec<Vec<(&'static str, [f64; 3])>>,
    /// Whether these have an axis that the joint did not have.
    pub states_axis: bool,
    /// Redundant rows that go.
    pub removes: usize,
}

/// The pose that is examined: assembled, or the one with the smallest gaps.
struct ExaminedPose {
    pose: State,
    /// Whether all joints are closed there.
    closed: bool,
    /// Whether no smaller gaps were found nearby.
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
        None => geometry.decide(&work.system).map_err(not_finite)?,
        Some(bound) => geometry.decide_within(&work.system, bound).map_err(not_finite)?,
    }
    let exact = SelfStresses::of(&mut geometry, &work.system, negligible);
    let mut rank = geometry.rank();
    // What is left of rows that a misalignment locks; in other poses it may be more.
    let mut left = 0.0;
    let loose = if open.is_empty() && geometry.smallest_accepted() < MISALIGNED {
        geometry.decide_within(&work.system, MISALIGNED).map_err(not_finite)?;
        left = geometry.largest_dropped();
        Some(SelfStresses::of(&mut geometry, &work.system, NEGLIGIBLE_LOOSELY))
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
        // A bystander that only a misalignment joins may be missing here.
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
            // Off this pose nothing is nearly redundant: it is next to a special one.
            let distance = stresses.misfit(&work.system);
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
        find_duplicates(&work.system, &members, &|link| context.name(link), &mut duplicates);
    }
    let rest = exact_groups.iter().zip(&admitted).filter(|(_, admitted)| !**admitted);
    for ((members, stresses), _) in rest {
        let mut redundant_rows = stresses.vectors.len();
        if context.is_stationary(settings, &pose, members) {
            // What stays open is one of these loads: it vanishes in the nearest pose alone.
            redundant_rows -= 1;
            rank += 1;
        } else {
            find_duplicates(&work.system, members, &|link| context.name(link), &mut duplicates);
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
    /// The geometry tolerance that would open it.
    tolerance: f64,
}

/// What groups are examined with, and those that were.
struct DiagnosisContext<'m> {
    model: &'m Model,
    work: &'m Workspace,
    /// Rows a small motion off.
    nearby: Option<&'m Workspace>,
    /// Links that stay open, and by how much.
    open: &'m [(usize, f64)],
    /// With their first links.
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

    /// How many of so many redundant rows are not redundant a small motion off.
    fn rows_that_vanish(&self, members: &[usize], redundant: usize, within: Option<f64>) -> usize {
        let off = self.nearby.and_then(|nearby| Recount::new(self.model, nearby, members, within));
        off.map_or(0, |off| redundant.saturating_sub(off.redundant()))
    }

    /// Whether the rows of the members that stay open depend on each other only because this is
    /// where least is open: moved anyhow they do not.
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
        // Beside a combination that only vanishes here nothing can be promised.
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

/// What stays open by name, with the lengths that would do.
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

/// Links that stay open, and by how much.
fn open_links(model: &Model, work: &Workspace, closed: bool) -> Vec<(usize, f64)> {
    let mut all = Vec::new();
    for link in model.graph.all_links().filter(|_| !closed) {
        let (mut gap, mut is_open) = (0.0, false);
        for row in model.graph.row_range(link) {
            let size = work.err[row].abs();
            gap = larger(gap, size);
            is_open |= size > OPEN * larger(work.err_scale[row], f64::MIN_POSITIVE);
        }
        if is_open {
            all.push((link.0 as usize, gap));
        }
    }
    all
}

/// Members between the same two bodies whose rows are combinations of another member's.
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
