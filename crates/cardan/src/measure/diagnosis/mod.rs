//! Diagnosis: which joints depend on each other, whether they agree, and what would help.
//!
//! ```text
//! mobility = coordinates − rank J           rank J = rows − dim null(Jᵀ)
//! ```
//!
//! A vector n of null(Jᵀ) is a load that joints hold among themselves, and each says that one row repeats others. Joints
//! belong to one *group* if such loads join them and cannot be taken apart (`groups.rs`). Where the joints can be closed,
//! redundant rows agree; where they cannot, the pose that leaves least open has
//!
//! ```text
//! ½ |C|² least    ⇒    Jᵀ C = 0
//! ```
//!
//! so what stays open is itself such a load, and it names the joints that exclude each other (`nearest.rs`). A combination that
//! vanishes to some 1e-9 … 1e-5 only is rigid in the numbers and loose in the mind of who drew it: a lock by misalignment
//! (`misalignment.rs`).

mod groups;
mod misalignment;
mod nearest;
mod remedy;

use crate::joint::JointKind;
use crate::math::larger;
use crate::model::Model;
use crate::state::State;
use crate::step::{MISALIGNED, Settings, StepError, Workspace, assemble, observe_rows, offered_tolerance};
use cardan_solve::{Link, Rank, System};
use groups::{Loads, TOUCHED, TOUCHED_LOOSELY, split};

/// With more rows nothing is diagnosed.
const MOST_ROWS: usize = 4000;
/// Remainders up to this are rounding at a pose that was found as a minimum: half of the digits are lost there.
const ROUNDING_OF_MINIMUM: f64 = 1e-6;
/// A joint that stays open by more than this, beside the numbers that form its error, excludes others.
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
    pub groups: Vec<Group>,
    /// Joints that say nothing another one does not say.
    pub duplicates: Vec<Duplicate>,
    /// Joints that cannot all be closed, with what stays open where that is least; empty if all can.
    pub conflict: Vec<Misfit>,
    /// Per joint, then per user constraint: whether its reaction is the same in every solution.
    pub unique: Vec<bool>,
}

impl Diagnosis {
    /// Freedoms by counting: coordinates less rows.
    pub fn naive_mobility(&self) -> i64 {
        self.coordinates as i64 - self.rows as i64
    }
    /// Freedoms in truth: coordinates less rank.
    pub fn mobility(&self) -> usize {
        self.coordinates - self.rank
    }
    /// Rows that repeat others.
    pub fn redundant_rows(&self) -> usize {
        self.rows - self.rank
    }
}

/// Joints that depend on each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Their names.
    pub joints: Vec<String>,
    /// How many of their rows repeat the others.
    pub redundant_rows: usize,
    /// How many more would, but for a misalignment: each takes a freedom that was hardly meant to be taken.
    pub locked_rows: usize,
    /// About how much is misaligned \[rad, or m beside a metre\]; zero if nothing is.
    pub misalignment: f64,
    /// The joints whose axes are off, if it is axes that are.
    pub misaligned: Vec<String>,
    /// A [`Settings::geometry_tolerance`] that gives these freedoms back; zero if none are locked.
    pub tolerance: f64,
    /// Whether the redundant rows ask for the same as the others.
    pub consistent: bool,
    /// Ways to say the same with fewer rows.
    pub remedies: Vec<Remedy>,
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
pub struct Misfit {
    /// Its name.
    pub joint: String,
    /// By how much \[m or rad\].
    pub gap: f64,
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
    /// Any one of these.
    pub any_of: Vec<String>,
    /// The kind to make it; `None` for leaving it out.
    pub kind: Option<JointKind>,
    /// Redundant rows that go.
    pub removes: usize,
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
    let mut pose = state.clone();
    pose.assembled = false;
    let closed = settings.projects() && assemble(model, settings, &mut pose, &mut work).is_ok();
    if !closed {
        pose = state.clone();
        nearest::least_open(model, settings, &mut pose, &mut work);
    }
    observe_rows(model, settings, &pose, &mut work);
    let system = &work.system;
    let mut geometry = Rank::new(&model.graph);
    let not_finite = |error| crate::step::solver_error(model, pose.time, error, crate::step::Stage::First);
    let conflict = conflict(model, &work, closed);
    let tolerance = settings.geometry_tolerance;
    if !conflict.is_empty() {
        geometry.decide_within(system, larger(ROUNDING_OF_MINIMUM, tolerance)).map_err(not_finite)?;
    } else if tolerance > 0.0 {
        geometry.decide_within(system, tolerance).map_err(not_finite)?;
    } else {
        geometry.decide(system).map_err(not_finite)?;
    }
    let touched = if conflict.is_empty() && tolerance == 0.0 { TOUCHED } else { TOUCHED_LOOSELY };
    let exact = Loads::of(&mut geometry, system, touched);
    let rank = geometry.rank();
    // What is left of rows that a misalignment locks; in other poses it may be more.
    let mut left = 0.0;
    let loose = if conflict.is_empty() && geometry.smallest_accepted() < MISALIGNED {
        geometry.decide_within(system, MISALIGNED).map_err(not_finite)?;
        left = geometry.largest_dropped();
        Loads::of(&mut geometry, system, TOUCHED_LOOSELY)
    } else {
        exact.clone()
    };

    let links = model.graph.links();
    let name = |link: usize| model.name_of_link(Link(link as u32)).to_string();
    let exact_groups = split(model, exact);
    let mut unique = vec![true; links];
    exact_groups.iter().flat_map(|(links, _)| links).for_each(|&link| unique[link] = false);
    let mut groups = Vec::new();
    let mut duplicates = Vec::new();
    for (members, loads) in split(model, loose) {
        // A bystander that only a misalignment joins may be missing here.
        let inside = exact_groups
            .iter()
            .filter(|(links, _)| 2 * links.iter().filter(|l| members.contains(l)).count() > links.len());
        let redundant_rows: usize = inside.map(|(_, loads)| loads.vectors.len()).sum();
        let locked_rows = loads.vectors.len().saturating_sub(redundant_rows);
        let lock = (locked_rows > 0).then(|| misalignment::of(model, &work, &members, &loads));
        let (misaligned, misalignment) = lock.unwrap_or_default();
        groups.push(Group {
            joints: members.iter().map(|&link| name(link)).collect(),
            redundant_rows,
            locked_rows,
            misalignment,
            misaligned: misaligned.into_iter().map(&name).collect(),
            tolerance: if locked_rows > 0 {
                offered_tolerance(larger(3.0 * misalignment, 10.0 * left))
            } else {
                0.0
            },
            consistent: !members.iter().any(|&link| conflict.iter().any(|(open, _)| *open == link)),
            remedies: remedy::find(model, &work, &members, &loads),
        });
        find_duplicates(system, &members, &name, &mut duplicates);
    }
    let conflict = conflict.into_iter().map(|(link, gap)| Misfit { joint: name(link), gap }).collect();
    let (coordinates, rows) = (model.v_len, model.graph.rows());
    Ok(Some(Diagnosis { coordinates, rows, rank, groups, duplicates, conflict, unique }))
}

/// Links that stay open, and by how much.
fn conflict(model: &Model, work: &Workspace, closed: bool) -> Vec<(usize, f64)> {
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
