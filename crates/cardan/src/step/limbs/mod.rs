//! Limbs: the fast way for mechanisms of rigid bodies, planar bodies and particles, with or without loops.
//!
//! Joints of the spanning forest are given by what they leave free (`hold.rs`), joints beyond it close loops and are given by
//! their rows (`closing.rs`); `cardan_solve::spatial` eliminates both in time that grows with the number of bodies and the
//! lengths of the loops.
//!
//! Every body is six-dimensional here. A planar one has freedoms besides that nothing moves, and a particle does not turn.
//! Neither is seen outside this folder.

mod across;
pub(super) mod braided;
mod certify;
mod clasp;
mod closing;
mod driven;
mod fill;
mod forest;
mod hold;
pub(super) mod lanes;
pub(super) mod plait;
mod rates;
mod right;
pub(super) mod sheaf;
pub(super) mod straight;
mod stress;

use certify::Handed;
pub(super) use certify::{certify, conflict, open_conflict, reach};
pub(super) use forest::{advance_closed, closes_forest, correct_closings, foresee_closings};
pub(crate) use hold::Gap;
pub(super) use rates::{correct_rates, measure_closed, measure_closings};
use right::Given;
pub(super) use right::{predict, respond};
pub(super) use stress::spread;
pub(crate) use stress::{Stresses, level};

use super::{Fault, Settings, Stabilization, Stage, StepError, Workspace};
use crate::body::{Motion, Wrench};
use crate::joint::{Relative, Shape};
use crate::law::Jet;
use crate::math::{Six, Sym3, Sym6, Vec3, larger};
use crate::model::{Model, ModelJoint};
use crate::state::{PLANNED, State};
use cardan_solve::spatial::wide::within;
use cardan_solve::spatial::{
    ALL, Answer, Fill, FillWith, Form, INDEPENDENT, Limb, More, NEARLY_SINGULAR, NO_LOADS, ROOTS, Sides,
    Spatial, child_of,
};
use cardan_solve::{Counted, Lane, Operations, Task};
use closing::{Closing, row_of_gap, rows_of_wrench};
use fill::{ANYWHERE, CLOSED, FACTOR, Faulty, Filling, Lump, NONE, Name, Nothing, Place};
use hold::{Hold, form_of};
use rates::Lever;

/// From so many bodies on, what a step can do without, or hardly ever needs, is not kept ready: their numbers come from memory, not from a cache, and
/// making a few of them anew takes less time than to fetch more.
pub(super) const MANY: usize = 10_000;

/// The fast way, prepared for one model.
#[derive(Clone, Debug)]
pub(crate) struct Limbs {
    spatial: Spatial,
    places: Vec<Place>,
    /// Of each place, what answers are read and written by.
    names: Vec<Name>,
    closings: Vec<Closing>,
    /// Rows that depend on others, by the last plan.
    redundant: usize,
    /// How far the worst of them disagrees with the last answer, if that is known.
    disagreement: Option<f64>,
    /// Of the last measurement.
    gaps: Vec<Gap>,
    /// Whether they are kept until they are corrected; of [`MANY`] they are made anew for that, where the motions are still the same.
    keeps_gaps: bool,
    closing_gaps: Vec<Gap>,
    /// Scratch of the certificate: what closing joints and contacts hand to the places, where there are any; and what children hand to parents that wait for more.
    scratch: Vec<Handed>,
    waiting: Vec<Handed>,
    answers: Vec<Answer>,
    /// Whether the joints of the forest can be closed one after another (`forest.rs`), and whether a tree of it floats.
    closes_forest: bool,
    floats: bool,
    /// Whether all joints, of the forest and beyond it, are hinges and balls between bodies in space that nothing drives; and how such a forest
    /// is displaced.
    is_common: bool,
    moves: Vec<Six>,
    /// M and F of every place, where a right side was written for the factor at hand; empty where they are not known. Of [`MANY`] they are not kept.
    given: Vec<Given>,
    /// Whether there are fewer than [`MANY`].
    are_few: bool,
    /// Whether all joints are hinges and balls in space between parents and children that are their b, with nothing but weight besides (`straight.rs`).
    is_straight: bool,
    /// Arms and axes of the joints of the forest, world axes, and I of the bodies there: of the pose of the factor at hand where this `knows_pose`. Of [`MANY`]
    /// they are not kept.
    levers: Vec<Lever>,
    inertias: Vec<Sym3>,
    knows_pose: bool,
    /// The same of joints that close loops, where all of them are hinges and balls that nothing drives.
    closing_levers: Vec<Lever>,
    closings_are_common: bool,
    /// The place of each body, and the places whose joints are on the ground.
    place_of: Vec<u32>,
    on_ground: Vec<u32>,
    /// The coordinates of the pose that the factor at hand belongs to; empty where there is none to go on with.
    factored: Vec<f64>,
    /// The geometry tolerance of the settings.
    tolerance: f64,
    /// A length of the mechanism: arms that are nothing beside it are rounding.
    lever: f64,
    /// Whether the loads of the last solve for accelerations were found there; otherwise the certificate finds them.
    has_loads: bool,
    /// A mistake to plant, for tests of the tests.
    fault: Fault,
}

/// Whether every joint is between bodies that move in the same space, all of it or the plane.
fn is_of_one_kind(model: &Model) -> bool {
    model.joints.iter().all(|joint| {
        let planar = |body: Option<usize>| body.map(|i| model.bodies[i].kind.is_planar());
        match (planar(joint.a.body()), planar(joint.b.body())) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    })
}

/// The form of every joint, as one of the forest.
fn forms(model: &Model) -> Vec<Option<Form>> {
    let form = |joint: &ModelJoint| {
        let child = child_of(&model.graph, &model.forest, joint.link);
        let turns = child.is_none_or(|c| model.bodies[c.0 as usize].kind.has_orientation());
        match form_of(joint.kind) {
            // In the plane there are fewer.
            Form::Rows(_) => Form::Rows(joint.row_count),
            // What a point could turn about is nothing to it.
            Form::Freedoms(_) if !turns => Form::Freedoms(0),
            // Drives take freedoms away.
            Form::Freedoms(f) => Form::Freedoms(f - joint.driven_count() as u8),
        }
    };
    model.joints.iter().map(|joint| Some(form(joint))).collect()
}

/// The forest of a model, with its points.
fn forest<T: Lane>(model: &Model) -> Option<Spatial<T>> {
    let mut spatial = Spatial::new(&model.graph, &model.forest, &forms(model))?;
    for (i, body) in model.bodies.iter().enumerate() {
        if !model.bodies[i].kind.has_orientation() {
            spatial.make_point(spatial.place(body.block));
        }
    }
    Some(spatial)
}

impl Limbs {
    /// Prepares the fast way, if the model and the settings allow it: bodies of one space, joints between two of them, no
    /// user constraints, nothing to be solved apart, no locks of more than three rows, no feedback in the right side.
    pub(super) fn new(model: &Model, settings: &Settings) -> Option<Self> {
        let feedback = matches!(settings.stabilization, Stabilization::Baumgarte { .. });
        let apart = !model.constraints.is_empty() || model.graph.has_auxiliary();
        if model.first_general().is_some() {
            return None;
        }
        if feedback || apart || model.bodies.is_empty() || !is_of_one_kind(model) {
            return None;
        }
        // Such a joint has up to three rows here, and no freedoms of its own.
        let wide = |joint: &ModelJoint| joint.kind.about().shape == Shape::Rows && joint.rows() > 3;
        if model.joints.iter().any(wide) {
            return None;
        }
        let mut spatial = forest(model)?;
        let mut places: Vec<Place> = Vec::with_capacity(spatial.len());
        for at in 0..spatial.len() {
            let (block, link) = spatial.at(at);
            let place = Place::new(model, block.0 as usize, link.map(|l| l.0 as usize), places.last());
            places.push(place);
        }
        for (at, place) in places.iter().enumerate() {
            spatial.make_lump(at);
            if place.is_plain {
                spatial.make_plain(at);
            }
            if place.is_ball {
                spatial.make_ball(at);
            }
            if place.hold.as_ref().is_some_and(|hold| !hold.onto_b()) {
                spatial.make_turned(at);
            }
        }
        spatial.trim();
        let closings: Vec<Closing> =
            spatial.closures().iter().map(|c| Closing::new(model, c.link().0 as usize)).collect();
        let few = places.len() < MANY;
        Some(Limbs {
            redundant: 0,
            disagreement: None,
            keeps_gaps: few || !closings.is_empty() || model.has_inequalities(),
            gaps: if few { vec![Gap::default(); places.len()] } else { Vec::new() },
            closing_gaps: vec![Gap::default(); closings.len()],
            scratch: match closings.is_empty() && !model.has_inequalities() {
                true => Vec::new(),
                false => vec![Handed::default(); places.len()],
            },
            waiting: vec![Handed::default(); spatial.depth()],
            answers: Vec::with_capacity(if few { places.len() } else { 0 }),
            factored: Vec::with_capacity(model.q_len),
            given: Vec::with_capacity(if few { places.len() } else { 0 }),
            are_few: few,
            is_straight: straight::applies(model, settings, &places, &closings),
            levers: Vec::new(),
            inertias: Vec::new(),
            knows_pose: false,
            closing_levers: vec![Lever::default(); closings.len()],
            closings_are_common: settings.geometry_tolerance == 0.0
                && closings.iter().all(|closing| closing.hold.is_common()),
            closes_forest: places.iter().all(Place::closes),
            is_common: settings.geometry_tolerance == 0.0
                && places.iter().all(|place| place.hold.as_ref().is_none_or(Hold::is_common))
                && closings.iter().all(|closing| closing.hold.is_common()),
            moves: vec![Six::ZERO; if closings.is_empty() { 0 } else { places.len() }],
            floats: places.iter().any(|place| place.hold.is_none()),
            on_ground: (0u32..)
                .zip(&places)
                .filter(|(_, place)| place.hold.is_some() && place.is_root(model))
                .map(|(at, _)| at)
                .collect(),
            place_of: model.bodies.iter().map(|body| spatial.place(body.block) as u32).collect(),
            tolerance: settings.geometry_tolerance,
            lever: model.length(),
            has_loads: true,
            fault: settings.fault,
            spatial,
            names: places.iter().map(Name::of).collect(),
            places,
            closings,
        })
    }

    /// Joint, body and load at that body's centre of mass of the last solve: joints of the forest on their child, in
    /// elimination order, then those that close loops.
    pub(crate) fn loads(&self) -> impl Iterator<Item = (usize, usize, Six)> + '_ {
        let placed = self.names.iter().zip(self.spatial.loads());
        let held = placed
            .filter(|(name, _)| name.joint != NONE)
            .map(|(name, load)| (name.joint as usize, name.body as usize, *load));
        let closed = self.closings.iter().zip(self.spatial.closures()).map(|(closing, closure)| {
            let end = usize::from(closure.places()[1].is_some());
            (closing.index(), closing.ends()[end], push_of(closure, end))
        });
        held.chain(closed)
    }

    /// Where drives aim.
    pub(super) fn aim(&mut self, targets: &[Jet]) {
        self.places.iter_mut().filter_map(|place| place.hold.as_mut()).for_each(|hold| hold.aim(targets));
        self.closings.iter_mut().for_each(|closing| closing.hold.aim(targets));
    }

    /// Rows of the closing joints at given motions.
    fn write_closures(&mut self, model: &Model, motions: &[Motion]) {
        for (closing, closure) in self.closings.iter_mut().zip(self.spatial.closures_mut()) {
            closing.write(model, motions, closure);
            if self.fault == Fault::FlippedBias {
                closure.bias.iter_mut().for_each(|c| *c = -*c);
            }
        }
    }

    /// Biases of the closing joints alone: their rows are of the same pose.
    fn write_biases(&mut self, model: &Model, motions: &[Motion]) {
        let all = self.closings.iter_mut().zip(self.spatial.closures_mut()).zip(&self.closing_levers);
        for ((closing, closure), lever) in all {
            if self.knows_pose && self.closings_are_common {
                closing.write_common_bias(motions, lever, closure);
            } else {
                closing.write_bias(model, motions, closure);
            }
        }
    }

    /// What goes into the elimination of the last evaluation, place by place.
    pub(super) fn inputs(&self, model: &Model, work: &Workspace) -> Vec<(Limb, More)> {
        let extra = model.has_forces().then_some(&work.system);
        let input = |(at, place): (usize, &Place)| {
            let (mut limb, mut more) = (self.spatial.limbs()[at], *self.spatial.more(at));
            place.write(model, &work.motions, extra, &mut limb, &mut more);
            (limb, more)
        };
        self.places.iter().enumerate().map(input).collect()
    }

    /// Gives the memory of gaps back if it is much: where all joints of the forest are closed one after another, a step does without.
    pub(super) fn release_gaps(&mut self) {
        if self.gaps.len() >= MANY && self.closes_forest {
            self.gaps = Vec::new();
        }
    }

    pub(super) fn spatial_mut(&mut self) -> &mut Spatial {
        &mut self.spatial
    }

    /// The unknowns of the last solve, as the bodies' own.
    pub(super) fn write_x(&self, out: &mut [f64]) {
        for (place, limb) in self.places.iter().zip(self.spatial.limbs()) {
            place.write_x(&limb.x, out);
        }
    }

    /// The joints that a dropped row of a closing joint depends on.
    fn circuit(&mut self, model: &Model, closing: usize, row: usize) -> Vec<usize> {
        stress::circuit(model, self, closing, row)
    }

    /// Multiplications that loops add to an elimination, roughly; none in a tree.
    pub(crate) fn cost_of_loops(&self) -> u64 {
        self.spatial.predicted_cost_of_closures()
    }

    /// Joints that close loops.
    pub(crate) fn loops(&self) -> usize {
        self.closings.len()
    }

    /// Rows that depend on others, by the last plan.
    pub(crate) fn redundant(&self) -> usize {
        self.redundant
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes_by_part().iter().map(|(_, bytes)| bytes).sum()
    }

    pub(crate) fn bytes_by_part(&self) -> Vec<(&'static str, usize)> {
        let measured =
            self.gaps.capacity() * size_of::<Gap>() + self.closing_gaps.capacity() * size_of::<Gap>();
        let pose = self.factored.capacity() * size_of::<f64>()
            + self.given.capacity() * size_of::<Given>()
            + self.levers.capacity() * size_of::<Lever>()
            + self.inertias.capacity() * size_of::<Sym3>()
            + self.closing_levers.capacity() * size_of::<Lever>();
        let order = self.names.capacity() * size_of::<Name>()
            + self.place_of.capacity() * size_of::<u32>()
            + self.on_ground.capacity() * size_of::<u32>();
        let scratch = (self.scratch.capacity() + self.waiting.capacity()) * size_of::<Handed>()
            + self.answers.capacity() * size_of::<Answer>()
            + self.moves.capacity() * size_of::<Six>();
        // What is shared counts where it was made.
        let is_new = |at: &usize| *at == 0 || !self.places[at - 1].shares_lump(&self.places[*at]);
        let lumps = (0..self.places.len()).filter(is_new).count();
        let places = self.places.capacity() * size_of::<Place>() + lumps * size_of::<Lump>();
        let mut parts = self.spatial.bytes_by_part().to_vec();
        parts.extend([
            ("places: masses and joints of the tree", places),
            ("places: joints that close loops", self.closings.capacity() * size_of::<Closing>()),
            ("places: gaps as measured", measured),
            ("places: pose of the factor", pose),
            ("places: order", order),
            ("places: scratch", scratch),
        ]);
        parts
    }

    /// What joints that close loops on the ground, whose motion is `ground`, exert on their bodies.
    fn book_closings_on_ground(&self, ground: usize, mut book: impl FnMut(&Six, usize)) {
        for (closing, closure) in self.closings.iter().zip(self.spatial.closures()) {
            if let Some(end) = closing.ends().iter().position(|&e| e == ground) {
                book(&push_of(closure, 1 - end), closing.ends()[1 - end]);
            }
        }
    }

    /// Notes the pose of a new factor. Where laws of time drive joints it is good for that time alone.
    fn note_factor(&mut self, model: &Model, q: &[f64]) {
        self.factored.clear();
        self.knows_pose = false;
        if model.drives.is_empty() && self.fault == Fault::None {
            self.factored.extend_from_slice(q);
        }
    }

    /// Whether the factor at hand is that of these coordinates, to the last bit.
    fn is_factored_at(&self, q: &[f64]) -> bool {
        // All at once: mostly they are the same.
        let differ = |(a, b): (&f64, &f64)| a.to_bits() ^ b.to_bits();
        !q.is_empty()
            && self.factored.len() == q.len()
            && self.factored.iter().zip(q).map(differ).fold(0, |all, x| all | x) == 0
    }
}

/// Jᵀ λ of a closing joint on one of its ends.
fn push_of(closure: &cardan_solve::spatial::Closure, end: usize) -> Six {
    let mut push = Six::ZERO;
    for (row, &answer) in closure.rows[end].iter().zip(&closure.answers).take(closure.len()) {
        push += row.scaled(answer);
    }
    push
}

/// Takes over which rows of the closing joints are kept from the state under evaluation, or decides it at the motions of
/// `work`, where all joints should be closed. True if it was decided anew.
pub(super) fn plan(model: &Model, work: &mut Workspace) -> bool {
    let Some(Limbs { spatial, closings, redundant, factored, .. }) = &mut work.limbs else { return true };
    if closings.is_empty() {
        return true;
    }
    if closings.iter().any(|closing| work.stage.plan[closing.index()] == 0) {
        replan(model, work);
        return true;
    }
    *redundant = 0;
    let mut is_new = false;
    for (closing, closure) in closings.iter().zip(spatial.closures_mut()) {
        let mask = work.stage.plan[closing.index()];
        if closure.kept_mask() != mask & !PLANNED {
            closure.keep(mask);
            is_new = true;
        }
        *redundant += closure.len() - closure.kept().len();
    }
    if is_new {
        factored.clear();
    }
    work.plan.copy_from_slice(&work.stage.plan);
    false
}

/// Decides anew.
pub(super) fn replan(model: &Model, work: &mut Workspace) {
    let tolerance = independent(work);
    plan_with(model, work, tolerance);
}

/// What must be left of a row for it to be independent.
fn independent(work: &Workspace) -> f64 {
    larger(INDEPENDENT, work.limbs.as_ref().map_or(0.0, |limbs| limbs.tolerance))
}

/// The least that is left of a row of a closing joint when those it depends on are taken away, at the motions of `work`. On a copy: errors
/// ask for it.
#[cold]
pub(super) fn least_left(model: &Model, work: &Workspace) -> f64 {
    let Some(mut limbs) = work.limbs.clone() else { return 1.0 };
    limbs.write_closures(model, &work.motions);
    let Limbs { spatial, places, lever, .. } = &mut limbs;
    spatial.plan(INDEPENDENT, *lever, |at, geometry| {
        if let Some(hold) = &places[at].hold {
            hold.write_geometry(model, &work.motions, places[at].body as usize, geometry);
        }
    });
    // Rows that were dropped count if they have more left than rounding.
    const ROUNDING: f64 = 1e-13;
    let mut least = 1.0;
    for (kept, dropped) in spatial.closures().iter().map(|closure| closure.remainders()) {
        for left in [kept, if dropped > ROUNDING { dropped } else { 1.0 }] {
            least = if left < least { left } else { least };
        }
    }
    least
}

/// The least that was left of a row of a closing joint in the last elimination, as a sine; 1 without such joints. Near a pose where a
/// loop loses rank it is the sine of an angle between links and vanishes with it.
pub(super) fn least_sine(work: &Workspace) -> f64 {
    work.limbs.as_ref().map_or(1.0, |limbs| limbs.spatial.least_pivot().sqrt())
}

/// Whether a loop may lose rank within a step of `h` from the pose of the last elimination, which is undone if this is looked into: the
/// second answer says so.
///
/// A sine s of an angle between links changes by at most about twice the largest angular velocity. Light bodies between heavy
/// ones make s small everywhere; so geometry alone, that of the plan, has the last word.
pub(super) fn may_lose_rank(model: &Model, work: &mut Workspace, h: f64) -> (bool, bool) {
    // Who turns by more in a step has other troubles.
    const FAR: f64 = 0.2;
    let least = least_sine(work);
    if least >= FAR {
        return (false, false);
    }
    let mut fastest = 0.0;
    for motion in &work.motions[..model.bodies.len()] {
        fastest = larger(fastest, motion.omega.dot(motion.omega));
    }
    let turn = 2.0 * h * fastest.sqrt();
    if least > turn {
        return (false, false);
    }
    (left_by_geometry(model, work) <= turn, true)
}

/// What is left of the closing row that is kept and has least left, by the geometry of the plan at the motions of `work`. The last elimination is undone.
pub(super) fn left_by_geometry(model: &Model, work: &mut Workspace) -> f64 {
    let tolerance = independent(work);
    let Workspace { limbs, motions, plan, .. } = work;
    let Some(Limbs { spatial, places, closings, factored, lever, .. }) = limbs else { return 1.0 };
    factored.clear();
    spatial.plan(tolerance, *lever, |at, geometry| {
        if let Some(hold) = &places[at].hold {
            hold.write_geometry(model, motions, places[at].body as usize, geometry);
        }
    });
    let mut left = 1.0;
    for (closing, closure) in closings.iter().zip(spatial.closures_mut()) {
        closure.keep(plan[closing.index()]);
        left = if closure.remainders().0 < left { closure.remainders().0 } else { left };
    }
    left
}

/// True if the last elimination was at a pose where some row of a loop has nearly lost its independence, in a step that passes such a
/// pose.
pub(super) fn is_nearly_singular(work: &Workspace) -> bool {
    work.passes_singular_pose
        && work.limbs.as_ref().is_some_and(|limbs| limbs.spatial.least_pivot() < NEARLY_SINGULAR)
}

/// True if the answer shows that the plan is out of date: a kept row has nearly lost its independence, or a dropped one
/// gained it.
pub(super) fn is_out_of_date(work: &mut Workspace) -> bool {
    const LITTLE: f64 = 1e-8;
    const DISAGREES: f64 = 1e-12;
    let allowed = larger(DISAGREES, certify::allowance(work));
    let mut ratio = certify::disagreement_at_most(work);
    if ratio > allowed || ratio.is_nan() {
        ratio = certify::worst_dropped(work).map_or(0.0, |w| w.ratio);
    }
    let Some(limbs) = &mut work.limbs else { return false };
    limbs.disagreement = Some(ratio);
    limbs.spatial.least_pivot() < LITTLE || ratio > allowed
}

/// The same where joints gape by `gap`, relative to what formed it: rows that depend on each other in a closed pose do so
/// only about that well.
pub(super) fn plan_open(model: &Model, work: &mut Workspace, gap: f64) {
    const LOOSEST: f64 = 1e-2;
    let tolerance = larger(independent(work), 30.0 * gap);
    plan_with(model, work, if tolerance > LOOSEST { LOOSEST } else { tolerance });
}

/// How far joints gape at the last measurement, relative to what formed the gap. Rows that the plan dropped have no part in it: an
/// error that nothing corrects would keep its own row dropped. Nor have velocities, which say nothing about the pose.
pub(super) fn kept_gap(work: &Workspace) -> f64 {
    let Some(Limbs { spatial, places, closings, gaps, closing_gaps, .. }) = &work.limbs else { return 0.0 };
    let ratio = |err: f64, size: f64| if err > 0.0 { err / size } else { 0.0 };
    let mut worst = 0.0;
    for (_, gap) in places.iter().zip(gaps).filter(|(place, _)| place.hold.is_some()) {
        worst = larger(worst, larger(ratio(gap.shift.norm(), gap.reach), gap.turn.norm()));
    }
    for ((closing, closure), gap) in closings.iter().zip(spatial.closures()).zip(closing_gaps) {
        for &r in closure.kept() {
            let (err, size) = row_of_gap(closing, gap, true, r as usize);
            worst = larger(worst, ratio(err.abs(), size));
        }
    }
    worst
}

fn plan_with(model: &Model, work: &mut Workspace, tolerance: f64) {
    let Workspace { limbs, motions, .. } = work;
    let Some(Limbs { spatial, places, closings, redundant, factored, lever, .. }) = limbs else { return };
    if closings.is_empty() {
        return;
    }
    factored.clear();
    for (closing, closure) in closings.iter_mut().zip(spatial.closures_mut()) {
        closing.write(model, motions, closure);
    }
    *redundant = spatial.plan(tolerance, *lever, |at, geometry| {
        if let Some(hold) = &places[at].hold {
            hold.write_geometry(model, motions, places[at].body as usize, geometry);
        }
    });
    for (closing, closure) in closings.iter().zip(spatial.closures()) {
        work.plan[closing.index()] = closure.kept_mask() | PLANNED;
    }
}

/// The next evaluation begins with a factor of its own.
pub(super) fn forget_factor(work: &mut Workspace) {
    if let Some(limbs) = &mut work.limbs {
        limbs.factored.clear();
    }
}

/// Whether a step of Euler's rules from `state` does without a copy of it in `work.stage`: very many bodies, and nothing that asks for more. Whether the
/// factor at hand is that of its pose.
pub(super) fn goes_straight(model: &Model, work: &Workspace, state: &State) -> Option<bool> {
    let limbs = work.limbs.as_ref()?;
    let is_simple = limbs.closings.is_empty() && !model.has_forces() && model.drives.is_empty();
    (is_simple && !limbs.are_few).then(|| limbs.is_factored_at(&state.q))
}

/// Notes the pose of the factor that was made meanwhile.
pub(super) fn note_straight(model: &Model, work: &mut Workspace, state: &State) {
    if let Some(limbs) = &mut work.limbs {
        limbs.note_factor(model, &state.q);
    }
}

/// Accelerations of all bodies from their motions; F is gravity, gyroscopic terms and what `extra` says. A factor of this very pose is
/// gone on with: it has the bits that a new one would have, so that it does not matter who made it. Where `work.predicts` is given, what it
/// asks for is left in `work.shift`.
pub(super) fn accelerations(
    model: &Model,
    work: &mut Workspace,
    extra: bool,
    stage: Stage,
) -> Result<(), StepError> {
    let Workspace { limbs, motions, system, acc, .. } = work;
    let Some(limbs) = limbs else { return Ok(()) };
    work.counts.solves += 1;
    limbs.disagreement = None;
    limbs.given.clear();
    let extra = extra.then_some(&*system);
    let closed = stage == Stage::First && work.stage.assembled;
    let is_factored = work.straight.unwrap_or_else(|| limbs.is_factored_at(&work.stage.q));
    let predicts = if limbs.fault == Fault::None { work.predicts } else { None };
    work.counts.solves += u64::from(predicts.is_some());
    limbs.has_loads = predicts.is_none();
    if is_factored {
        limbs.write_biases(model, motions);
    } else {
        limbs.factored.clear();
        limbs.write_closures(model, motions);
    }
    let knows_pose = is_factored && limbs.knows_pose;
    let are_few = limbs.are_few;
    let Limbs { spatial, places, names, fault, given, levers, inertias, .. } = limbs;
    let nothing = Nothing::default();
    let mut anywhere = Filling::<ANYWHERE> { model, places, names, motions, extra, acc, nothing };
    let right = |at: usize, limb: &mut Limb, more: &mut More| {
        let known = knows_pose.then(|| (&inertias[at], &levers[at]));
        let known = places[at].write_right(model, motions, extra, (closed, known), limb, more);
        if are_few {
            given.push(known);
        }
    };
    let (outcome, nothing) = if let Some(part) = predicts {
        let mut outcome = Ok(());
        if !is_factored {
            let acc = &mut [];
            outcome =
                spatial.factor(&mut Filling::<FACTOR> { model, places, names, motions, extra, acc, nothing });
        }
        if outcome.is_ok() {
            let shift = &mut work.shift;
            let answer = |at: usize, x: &Six, predicted: &Six| {
                anywhere.answer(at, x);
                places[at].write_x(predicted, shift);
            };
            within(SolvePair(spatial, part, (right, answer)));
        }
        (outcome, anywhere.nothing)
    } else if is_factored {
        spatial.solve_to::<ALL>(right, |at: usize, x: &Six| anywhere.answer(at, x));
        (Ok(()), anywhere.nothing)
    } else if *fault != Fault::None {
        let outcome = spatial.factor_and_solve(&mut Faulty { filling: &mut anywhere, fault: *fault });
        (outcome, anywhere.nothing)
    } else if !closed {
        (spatial.factor_and_solve(&mut anywhere), anywhere.nothing)
    } else {
        let mut filling = Filling::<CLOSED> { model, places, names, motions, extra, acc, nothing };
        (spatial.factor_and_solve(&mut filling), filling.nothing)
    };
    outcome.map_err(|error| super::multipliers::solver_error(model, work.stage.time, error, stage))?;
    if !nothing.is_nothing()
        && let Some(i) = acc.iter().position(|a| !a.is_finite())
    {
        return Err(super::multipliers::not_finite(model, i, work.stage.time, stage));
    }
    if !is_factored {
        work.counts.factorizations += 1;
        if work.straight.is_none() {
            limbs.note_factor(model, &work.stage.q);
        }
    }
    Ok(())
}

struct SolvePair<'s, S>(&'s mut Spatial, f64, S);

impl<S: Sides<f64>> Task for SolvePair<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run(mut self) {
        self.0.solve_pair(self.1, &mut self.2);
    }
}

/// Whether the factor at hand is that of the stage's coordinates.
pub(super) fn is_factored(work: &Workspace) -> bool {
    work.limbs.as_ref().is_some_and(|limbs| limbs.is_factored_at(&work.stage.q))
}

/// Factors at the motions of `work`, those of `work.next`; right sides come later.
pub(super) fn factor(model: &Model, work: &mut Workspace, stage: Stage) -> Result<(), StepError> {
    let Workspace { limbs, motions, .. } = work;
    let Some(limbs) = limbs else { return Ok(()) };
    limbs.factored.clear();
    limbs.write_closures(model, motions);
    let Limbs { spatial, places, names, .. } = limbs;
    let outcome = spatial.factor(&mut Filling::<FACTOR> {
        model,
        places,
        names,
        motions,
        extra: None,
        acc: &mut [],
        nothing: Nothing::default(),
    });
    outcome.map_err(|error| super::multipliers::solver_error(model, work.next.time, error, stage))?;
    limbs.note_factor(model, &work.next.q);
    Ok(())
}

/// C and Ċ of all joints at the motions of `work`: the worst of either, and the worst relative to what formed it.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Measured {
    pub(super) position: f64,
    pub(super) velocity: f64,
    pub(super) position_excess: f64,
    pub(super) velocity_excess: f64,
    /// Sizes of the largest terms.
    pub(super) position_size: f64,
    pub(super) velocity_size: f64,
}

/// What is measured: poses, rates, or both; of joints that close loops alone.
pub(super) const POSES: u8 = 1;
pub(super) const RATES: u8 = 2;
pub(super) const BOTH: u8 = POSES | RATES;
pub(super) const CLOSINGS: u8 = 4;

/// Measures how far all joints are from closed; `bound` turns the size of what formed an error into what is as good as
/// zero. Where joint coordinates are `carried`, joints that follow from them count as closed, whatever rounding they show.
pub(super) fn measure<const WHAT: u8>(
    model: &Model,
    work: &mut Workspace,
    carried: bool,
    bound: impl Fn(f64) -> f64,
) -> Measured {
    let Workspace { limbs, motions, chart, .. } = work;
    let chart = chart.as_ref().filter(|_| carried);
    let excused = |joint: usize| chart.is_some_and(|chart| chart.holds(joint));
    let mut out = Measured::default();
    let Some(Limbs { spatial, places, closings, gaps, keeps_gaps, closing_gaps, tolerance, .. }) = limbs
    else {
        return out;
    };
    let is_kept = *keeps_gaps || chart.is_some();
    if WHAT & CLOSINGS == 0 && !is_kept {
        gaps.clear();
        for hold in places.iter().filter_map(|place| place.hold.as_ref()) {
            let mut gap = Gap::default();
            hold.write_gap::<WHAT>(model, motions, &mut gap);
            out.note::<WHAT>(&mut gap, false, &bound);
        }
    } else if WHAT & CLOSINGS == 0 {
        gaps.resize(places.len(), Gap::default());
        for (place, gap) in places.iter().zip(gaps) {
            let Some(hold) = &place.hold else { continue };
            hold.write_gap::<WHAT>(model, motions, gap);
            out.note::<WHAT>(gap, excused(hold.index as usize), &bound);
        }
    }
    for ((closing, gap), closure) in closings.iter().zip(closing_gaps).zip(spatial.closures()) {
        closing.hold.write_gap::<WHAT>(model, motions, gap);
        if *tolerance > 0.0 && closure.kept().len() < closure.len() {
            out.note_kept::<WHAT>(closing, gap, closure.kept(), &bound);
        } else {
            out.note::<WHAT>(gap, excused(closing.index()), &bound);
        }
    }
    out.done()
}

/// Gaps are kept from now on, for whoever corrects them with other motions than they were measured at.
pub(super) fn keep_gaps(work: &mut Workspace) {
    if let Some(limbs) = &mut work.limbs {
        limbs.keeps_gaps = true;
    }
}

/// The largest error in units of its bound, at the last measurement, of rows that the plan has kept. Infinite if all are.
#[cold]
pub(super) fn excess_of_kept<const WHAT: u8>(work: &Workspace, bound: impl Fn(f64) -> f64) -> f64 {
    let Some(Limbs { spatial, places, closings, gaps, closing_gaps, redundant, .. }) = &work.limbs else {
        return f64::INFINITY;
    };
    if *redundant == 0 {
        return f64::INFINITY;
    }
    let mut out = Measured::default();
    for (_, gap) in places.iter().zip(gaps).filter(|(place, _)| place.hold.is_some()) {
        out.note::<WHAT>(&mut gap.clone(), false, &bound);
    }
    for ((closing, gap), closure) in closings.iter().zip(closing_gaps).zip(spatial.closures()) {
        out.note_kept::<WHAT>(closing, gap, closure.kept(), &bound);
    }
    let out = out.done();
    larger(out.position_excess, out.velocity_excess)
}

/// [`larger`] in place: mostly nothing is written.
#[inline(always)]
fn keep_larger(most: &mut f64, x: f64) {
    if x > *most || x.is_nan() {
        *most = x;
    }
}

impl Measured {
    /// Takes a gap into account; one that is excused becomes nothing after that. Until [`done`](Measured::done) everything but the
    /// sizes is a square.
    #[inline(always)]
    fn note<const WHAT: u8>(&mut self, gap: &mut Gap, excused: bool, bound: impl Fn(f64) -> f64) {
        let square = |v: Vec3| v.dot(v);
        // How far beyond its bound an error is matters only where it is.
        let exceed = |worst: &mut f64, error: f64, size: f64| {
            let bound = bound(size) * bound(size);
            if error > bound || error.is_nan() {
                *worst = larger(*worst, error / bound);
            }
        };
        if WHAT & POSES != 0 {
            let (shift, turn) = (square(gap.shift), square(gap.turn));
            [shift, turn].into_iter().for_each(|error| keep_larger(&mut self.position, error));
            keep_larger(&mut self.position_size, gap.reach);
            if !excused {
                exceed(&mut self.position_excess, shift, gap.reach);
                exceed(&mut self.position_excess, turn, 1.0);
            }
        }
        if WHAT & RATES != 0 {
            let (shift, turn) = (square(gap.shift_rate), square(gap.turn_rate));
            [shift, turn].into_iter().for_each(|error| keep_larger(&mut self.velocity, error));
            [gap.reach_rate, gap.reach_spin]
                .into_iter()
                .for_each(|size| keep_larger(&mut self.velocity_size, size));
            if !excused {
                exceed(&mut self.velocity_excess, shift, gap.reach_rate);
                exceed(&mut self.velocity_excess, turn, gap.reach_spin);
            }
        }
        if excused {
            *gap = Gap::default();
        }
    }

    fn done(mut self) -> Self {
        for square in
            [&mut self.position, &mut self.velocity, &mut self.position_excess, &mut self.velocity_excess]
        {
            *square = square.sqrt();
        }
        self
    }
}

impl Measured {
    /// The same for a joint some of whose rows a geometry tolerance has dropped: these count as errors, but not as something to close.
    #[cold]
    fn note_kept<const WHAT: u8>(
        &mut self,
        closing: &Closing,
        gap: &Gap,
        kept: &[u8],
        bound: impl Fn(f64) -> f64,
    ) {
        self.note::<WHAT>(&mut gap.clone(), true, &bound);
        let exceed = |worst: &mut f64, (err, scale): (f64, f64)| {
            let ratio = err / bound(scale);
            *worst = larger(*worst, ratio * ratio);
        };
        for &r in kept {
            if WHAT & POSES != 0 {
                exceed(&mut self.position_excess, row_of_gap(closing, gap, true, r as usize));
            }
            if WHAT & RATES != 0 {
                exceed(&mut self.velocity_excess, row_of_gap(closing, gap, false, r as usize));
            }
        }
    }
}

/// What is to be corrected.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Correct {
    Positions,
    Velocities,
}

/// Solves for a correction with the factor at hand: the errors of the last measurement are to vanish, those that are as
/// good as zero excepted. The displacement is left in `work.shift`, and loads on the ground and
/// of drives in their places if they are asked for.
///
/// Near a singular pose a closing row says little: an error of e asks for a correction of e/s, s the sine that is left of the row, and
/// velocities, J v with a J that is known to ε/s, for one of (ε/s)/s. Errors that are no more than that noise, and ask for more than
/// the `worst` error of all, are left alone there; followed, they throw the mechanism off its branch. Returns whether any were.
pub(super) fn correct(
    model: &Model,
    work: &mut Workspace,
    (what, loads): (Correct, bool),
    worst: f64,
    bound: impl Fn(f64) -> f64,
) -> bool {
    let nearly_singular = is_nearly_singular(work);
    let is_driven = !work.targets.is_empty();
    let Workspace { limbs, motions, shift, .. } = work;
    let Some(Limbs { spatial, places, closings, gaps, closing_gaps, .. }) = limbs else { return false };
    let above = |v: Vec3, size: f64| {
        let least = bound(size);
        if v.dot(v) > least * least { v } else { Vec3::ZERO }
    };
    let wrong = |gap: &Gap| match what {
        Correct::Positions => (above(gap.shift, gap.reach), above(gap.turn, 1.0)),
        Correct::Velocities => (above(gap.shift_rate, gap.reach_rate), above(gap.turn_rate, gap.reach_spin)),
    };
    for ((closure, closing), gap) in spatial.closures_mut().iter_mut().zip(closings).zip(closing_gaps) {
        let (shift, turn) = wrong(gap);
        closing.rows_of(shift, turn, &mut closure.bias);
        if nearly_singular {
            closure.noise = Some(closing.noise(gap, what, worst, &bound));
        }
    }
    let fill = |at: usize, limb: &mut Limb, more: &mut More| {
        limb.force = Six::ZERO;
        limb.gamma = Six::ZERO;
        if let Some(hold) = &places[at].hold {
            let (shift, turn) = match gaps.get(at) {
                Some(gap) => wrong(gap),
                None => {
                    let mut gap = Gap::default();
                    hold.write_gap::<BOTH>(model, motions, &mut gap);
                    wrong(&gap)
                }
            };
            hold.write_closing(motions, shift, turn, limb, more);
        }
    };
    let mut answer = |at: usize, x: &Six| places[at].write_x(x, shift);
    match loads {
        false => spatial.solve_to::<NO_LOADS>(fill, &mut answer),
        true if is_driven => spatial.solve_to::<ALL>(fill, &mut answer),
        true => spatial.solve_to::<ROOTS>(fill, &mut answer),
    }
    if nearly_singular {
        spatial.closures_mut().iter_mut().for_each(|closure| closure.noise = None);
    }
    spatial.left_rows_alone()
}

/// λ of all rows from the loads of the last solve; `relatives` must be those of the same instant.
pub(super) fn write_multipliers(model: &Model, work: &mut Workspace) {
    let Workspace { limbs, motions, relatives, lambda, .. } = work;
    let Some(limbs) = limbs else { return };
    multipliers(model, limbs, motions, |j| relatives[j], lambda);
}

/// The same into `lambda`; of a joint `relative` has one end beside the other.
pub(super) fn multipliers(
    model: &Model,
    Limbs { spatial, places, closings, .. }: &Limbs,
    motions: &[Motion],
    relative: impl Fn(usize) -> Relative,
    lambda: &mut [f64],
) {
    for (at, place) in places.iter().enumerate() {
        let Some(hold) = &place.hold else { continue };
        let entry = &model.joints[hold.index as usize];
        let out = &mut lambda[entry.row_range()];
        let (limb, more) = (&spatial.limbs()[at], spatial.more(at));
        if let Form::Rows(m) = limb.form() {
            let answers = [limb.first_answer, more.answers[0], more.answers[1]];
            out.copy_from_slice(&answers[..m as usize]);
            continue;
        }
        let wrench = wrench_on_b(hold, motions, &spatial.loads()[at]);
        rows_of_wrench(model, hold.index as usize, &relative(hold.index as usize), wrench, out);
    }
    for (closing, closure) in closings.iter().zip(spatial.closures()) {
        let entry = &model.joints[closing.index()];
        let out = &mut lambda[entry.row_range()];
        closing.multipliers(model, &relative(closing.index()), &closure.answers, out);
    }
}

/// What a joint exerts on b at b's anchor, world axes, from the load on its child.
fn wrench_on_b(hold: &Hold, motions: &[Motion], load: &Six) -> Wrench {
    let arm = hold.child_arm(motions);
    let at_anchor = Wrench { force: load.lin, torque: load.ang - arm.cross(load.lin) };
    if hold.onto_b() { at_anchor } else { -at_anchor }
}

/// Force and moment about the world's origin that the ground exerts in the last solve.
pub(super) fn ground_load(model: &Model, work: &Workspace) -> (Vec3, Vec3) {
    let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
    let Some(limbs) = &work.limbs else { return (force, moment) };
    let Limbs { spatial, places, on_ground, .. } = limbs;
    let mut book = |load: &Six, body: usize| {
        force += load.lin;
        moment += work.motions[body].pos.cross(load.lin) + load.ang;
    };
    for &at in on_ground {
        book(&spatial.loads()[at as usize], places[at as usize].body as usize);
    }
    limbs.book_closings_on_ground(model.bodies.len(), book);
    (force, moment)
}

/// Work that drives do in the last solve, or with impulses in the place of forces: Σ λ ṡ.
pub(super) fn drive_work(model: &Model, work: &Workspace) -> f64 {
    let (mut sum, motions) = (0.0, &work.motions);
    let Some(Limbs { spatial, places, closings, .. }) = &work.limbs else { return sum };
    if model.drives.is_empty() {
        return sum;
    }
    let mut book = |hold: &Hold, wrench: Wrench, answers: &[f64]| {
        let Some(pull) = &hold.pull else { return };
        if hold.is_lower_pair() {
            let at = hold.relative_at(model, motions);
            for (way, target) in pull.ways(&at).zip(pull.targets()) {
                let force = way.column.force.dot(wrench.force) + way.column.torque.dot(wrench.torque);
                sum += force * target.rate;
            }
        } else {
            let first = model.joints[hold.index as usize].structural_rows();
            sum +=
                answers[first..].iter().zip(pull.targets()).map(|(l, target)| l * target.rate).sum::<f64>();
        }
    };
    for (at, place) in places.iter().enumerate() {
        let Some(hold) = place.hold.as_ref().filter(|hold| hold.pull.is_some()) else { continue };
        let (limb, more) = (&spatial.limbs()[at], spatial.more(at));
        let answers = [limb.first_answer, more.answers[0], more.answers[1]];
        book(hold, wrench_on_b(hold, motions, &spatial.loads()[at]), &answers);
    }
    for (closing, closure) in closings.iter().zip(spatial.closures()) {
        if closing.hold.pull.is_some() {
            book(&closing.hold, closing.wrench(&closure.answers), &closure.answers);
        }
    }
    sum
}

/// Weight and its moment about the world's origin, as the bodies feel them.
pub(super) fn weight(model: &Model, motions: &[Motion]) -> (Vec3, Vec3) {
    // Σ m and Σ m x, of bodies in space and of those in the plane, who feel nothing across it.
    let mut sums = [(0.0, Vec3::ZERO); 2];
    for (body, at) in model.bodies.iter().zip(motions) {
        let (mass, moment) = &mut sums[usize::from(body.kind.is_planar())];
        *mass += body.mass.mass;
        *moment += at.pos * body.mass.mass;
    }
    let [(mass, moment), (mass_in_plane, moment_in_plane)] = sums;
    let gravity = model.gravity;
    let along = Vec3::new(gravity.x, gravity.y, 0.0);
    (gravity * mass + along * mass_in_plane, moment.cross(gravity) + moment_in_plane.cross(along))
}

/// What the elimination of one acceleration solve computes, counted by doing it again with numbers that count.
pub(crate) fn operations(model: &Model, work: &Workspace) -> Option<Operations> {
    // On a copy, with the rows of these motions and a plan for them.
    let mut limbs = work.limbs.clone()?;
    limbs.write_closures(model, &work.motions);
    let Limbs { spatial, places, tolerance, lever, .. } = &mut limbs;
    spatial.plan(larger(INDEPENDENT, *tolerance), *lever, |at, geometry| {
        if let Some(hold) = &places[at].hold {
            hold.write_geometry(model, &work.motions, places[at].body as usize, geometry);
        }
    });
    let mut counting: Spatial<Counted> = forest(model)?;
    spatial.adopt_plan(&mut counting);
    for (at, place) in places.iter().enumerate() {
        if place.is_ball {
            counting.make_ball(at);
        }
    }
    let vec = |v: Vec3| Vec3::new(Counted(v.x), Counted(v.y), Counted(v.z));
    let six = |v: &Six| Six::new(vec(v.lin), vec(v.ang));
    for (from, to) in spatial.closures().iter().zip(counting.closures_mut()) {
        to.rows = from.rows.map(|rows| rows.map(|row| six(&row)));
        to.bias = from.bias.map(Counted);
    }
    Counted::reset();
    let outcome = counting.factor_and_solve(&mut FillWith(
        |at: usize, limb: &mut Limb<Counted>, more: &mut More<Counted>| {
            let (mut plain, mut plain_more) = (spatial.limbs()[at], *spatial.more(at));
            places[at].write(model, &work.motions, None, &mut plain, &mut plain_more);
            let (m, i) = (plain.diag.a.xx, plain.diag.c);
            let [xx, yy, zz, xy, xz, yz] = [i.xx, i.yy, i.zz, i.xy, i.xz, i.yz].map(Counted::splat);
            limb.diag = Sym6::of_mass(Counted(m), Sym3 { xx, yy, zz, xy, xz, yz });
            (limb.force, limb.gamma) = (six(&plain.force), six(&plain.gamma));
            (limb.shift, limb.first) = (vec(plain.shift), six(&plain.first));
            more.columns = plain_more.columns.map(|c| six(&c));
            more.bias = plain_more.bias.map(Counted);
        },
    ));
    let counted = Counted::operations();
    outcome.ok().map(|()| counted)
}
