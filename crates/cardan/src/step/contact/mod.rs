//! Touch: inequalities in the time step. What is reached pushes, what is left lets go, and each of these instants is found.
//!
//! | stage | file | what it does |
//! |---|---|---|
//! | rows | `rows.rs` | g, ġ, J and g̈ at rest of every condition |
//! | respond | `delassus.rs` | M̂⁻¹ Jᵀ: how everything answers a unit push, once joints and loops have reacted (Baraff 1996, §8) |
//! | answer | `complementarity.rs` | the small problem in the conditions that touch: exact without friction, cones with it |
//! | pile | `many_contacts.rs` | the same where conditions are many: body by body, sparse |
//! | react | `contact_forces.rs` | λ ≥ 0 ⟂ g̈ ≥ 0 of the conditions that press: part of every evaluation of accelerations |
//! | impact | `impact.rs` | p ≥ 0 ⟂ ġ⁺ + e ġ⁻ ≥ 0 of those reached at speed |
//! | blow | `applied_impulse.rs` | the same of those that touch when a blow strikes |
//! | expand | `restitution.rs` | the second phase of a blow by Poisson's law |
//! | hold | `project.rs` | g = 0 and ġ = 0 of those that press, after a step |
//! | stepping | `time_stepping.rs` | a whole step at the level of velocities, on request or where forces have no answer |
//! | apart | `depenetrate.rs` | what overlaps at the start, by name; on request moved apart |
//! | study | `study.rs` | three rules of the GRAPP paper in the place of the exact answer, on request |
//! | sweep | `ccd.rs` | how far a trial may go before something fast passes through something thin |
//! | phases | `events.rs` | a step is cut where a condition is reached or let go: the first such time is found, the step rewound to it |
//!
//! With A = J M̂⁻¹ Jᵀ, where M̂⁻¹ already holds every joint and loop, everything is a small problem in the conditions that touch; its cost is one
//! solve with the factor at hand for each of them.

pub(crate) mod applied_impulse;
pub(crate) mod ccd;
pub(crate) mod complementarity;
pub(crate) mod contact_forces;
pub(crate) mod delassus;
pub(crate) mod depenetrate;
pub(crate) mod impact;
pub(crate) mod many_contacts;
pub(crate) mod overlap;
pub(crate) mod project;
pub(crate) mod restitution;
pub(crate) mod rows;
pub(crate) mod saved;
pub(crate) mod study;

pub(crate) use applied_impulse::respond_to_impulse;
pub(crate) use contact_forces::{apply_contact_forces, solve_contact_forces};
pub(crate) use project::project_contacts;

use crate::body::FrameMotion;
use crate::body::general::Motions;
use crate::contact::Material;
use crate::inequality::InequalityOrigin;
use crate::math::Vec3;
use crate::measure::ContactReport;
use crate::model::Model;
use crate::state::State;
use cardan_shapes::{Bounds, BroadPhase, Contact, FeaturePair, Pose, Primitive, Scratch, Witness, collide};
use complementarity::ComplementaritySolver;
pub(crate) use rows::ContactRows;

/// A condition as close as this touches, if it does not move away [m, rad].
pub(crate) const TOUCHING: f64 = 1e-9;
/// What overlaps by more than this, beside its size, cannot be begun with.
pub(crate) const OVERLAPS: f64 = 1e-8;

/// Which condition.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ContactKey {
    /// An inequality of the model.
    Declared(u32),
    /// Dry friction of a joint coordinate.
    Joint(u32),
    /// Two shapes of the model, and what of them meets.
    Contact(u32, u32, FeaturePair),
}

/// What happened to a condition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// It presses from now on.
    Activated,
    /// It presses no longer.
    Released,
    /// It was reached at speed.
    Impact,
    /// The same, for a limit of a joint.
    Limit,
    /// It no longer slides.
    Stick,
    /// It begins to slide, or slides back.
    Slip,
    /// It slides, and no force could hold it (Painlevé): a part of the step was taken with impulses.
    Paradox,
    /// A blow of the model struck.
    Impulse,
}

impl EventKind {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            EventKind::Activated => "activated",
            EventKind::Released => "released",
            EventKind::Impact => "impact",
            EventKind::Limit => "limit",
            EventKind::Stick => "stick",
            EventKind::Slip => "slip",
            EventKind::Paradox => "paradox",
            EventKind::Impulse => "impulse",
        }
    }
}

/// Who an event is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EventSubject {
    /// An index into [`Model::inequalities`].
    Inequality(usize),
    /// Two shapes: indices into [`Model::shapes`].
    Contact([usize; 2]),
    /// Dry friction of a joint coordinate: an index into [`Model::frictions`].
    Friction(usize),
    /// A blow: an index into [`Model::impulses`].
    Impulse(usize),
}

/// An instant at which something changed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Event {
    /// When \[s\].
    pub time: f64,
    /// Which condition.
    pub subject: EventSubject,
    /// What happened.
    pub what: EventKind,
    /// ġ just before, where it was reached at speed [m/s, rad/s].
    pub speed: f64,
    /// The impulse along its normal, or of the blow [N·s, N·m·s].
    pub impulse: f64,
}

impl Event {
    /// The name of the inequality, or of the two bodies.
    pub fn name(&self, model: &Model) -> String {
        self.subject.name(model)
    }
}

impl EventSubject {
    /// The name of the inequality, or of the two bodies; of a limit that of the joint.
    pub fn name(&self, model: &Model) -> String {
        let of = |shape: usize| {
            model.contacts.shapes[shape].body_index().map_or("ground", |body| &*model.bodies[body].name)
        };
        match *self {
            EventSubject::Inequality(i) => model.inequalities[i].name.clone(),
            EventSubject::Contact([a, b]) => format!("{}-{}", of(a), of(b)),
            EventSubject::Friction(i) => model.joints[model.frictions[i].joint].name.clone(),
            EventSubject::Impulse(i) => model.impulses[i].name.clone(),
        }
    }
}

impl ContactKey {
    pub(crate) fn subject(self) -> EventSubject {
        match self {
            ContactKey::Declared(i) => EventSubject::Inequality(i as usize),
            ContactKey::Contact(a, b, _) => EventSubject::Contact([a as usize, b as usize]),
            ContactKey::Joint(i) => EventSubject::Friction(i as usize),
        }
    }
    fn is_limit(self, model: &Model) -> bool {
        match self {
            ContactKey::Declared(i) => {
                matches!(model.inequalities[i as usize].origin, InequalityOrigin::Limit { .. })
            }
            ContactKey::Contact(..) | ContactKey::Joint(_) => false,
        }
    }
}

/// How a condition that presses resists across its normal.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum FrictionMode {
    /// Not at all.
    Frictionless,
    /// It does not slide.
    Stick,
    /// It slides in this direction, or is about to: of b past a, world axes, of unit length. Of a joint coordinate: (±1, 0, 0).
    Slip(Vec3),
}

/// How two bodies that touch turn against each other.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) enum RollingMode {
    /// Nothing resists it.
    #[default]
    Free,
    /// Not at all.
    Rest,
    /// About this axis: b against a, world axes, of unit length.
    Turns(Vec3),
}

/// Rolling, and spinning about the normal; and the rows of what resists, after those across.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct RollSpin {
    pub(crate) roll: RollingMode,
    pub(crate) spin: RollingMode,
    /// Axes about which rolling at rest is resisted: two, in the plane one.
    axes: usize,
}

impl RollSpin {
    /// Rows of rolling and of spinning.
    fn rows(&self) -> [usize; 2] {
        let count = |turn: RollingMode, axes: usize| match turn {
            RollingMode::Free => 0,
            RollingMode::Rest => axes,
            RollingMode::Turns(_) => 1,
        };
        [count(self.roll, self.axes), count(self.spin, 1)]
    }
    pub(crate) fn all(&self) -> usize {
        self.rows().iter().sum()
    }
}

/// A condition that presses, as a state keeps it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct ActiveContact {
    pub(crate) key: ContactKey,
    pub(crate) mode: FrictionMode,
    pub(crate) roll_spin: RollSpin,
    /// μ λ_n times what a push across accelerates: how fast friction turns or stops what slides [m/s²].
    pub(crate) grip: f64,
    /// What it pushed with last, along its normal and across.
    pub(crate) push: [f64; 3],
}

/// A condition, and where its rows are in a sheet: that of the normal, then those across it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ContactEntry {
    pub(crate) key: ContactKey,
    /// Of a contact: what meets, and how it was found.
    pub(crate) contact: Option<(Primitive, Witness)>,
    pub(crate) material: Material,
    pub(crate) mode: FrictionMode,
    /// Grip times the length of the step: the speed below which friction across the slide is stiff [m/s].
    pub(crate) stiff: f64,
    pub(crate) row: usize,
    pub(crate) tangents: usize,
    pub(crate) roll_spin: RollSpin,
}

impl ContactEntry {
    /// The rows of what resists turning: how it turns, how much of the normal force resists, and where they are.
    pub(crate) fn resistances(&self) -> [(RollingMode, f64, core::ops::Range<usize>); 2] {
        let [roll, spin] = self.roll_spin.rows();
        let first = self.row + 1 + self.tangents;
        [
            (self.roll_spin.roll, self.material.rolling, first..first + roll),
            (self.roll_spin.spin, self.material.torsion, first + roll..first + roll + spin),
        ]
    }
    /// Rests until it is seen to turn.
    pub(crate) fn rests(&mut self) {
        let of = |coefficient: f64| if coefficient > 0.0 { RollingMode::Rest } else { RollingMode::Free };
        let (roll, spin) = (of(self.material.rolling), of(self.material.torsion));
        self.roll_spin = RollSpin { roll, spin, ..self.roll_spin };
    }
    /// Dry friction of a joint coordinate: its row is bounded on both sides, its "coefficients" are forces [N, N·m].
    pub(crate) fn is_joint_friction(&self) -> bool {
        matches!(self.key, ContactKey::Joint(_))
    }
    pub(crate) fn has_friction(&self) -> bool {
        self.material.static_friction > 0.0 || self.material.kinetic_friction > 0.0
    }
    /// Friction at rest is never less than while sliding.
    pub(crate) fn static_friction(&self) -> f64 {
        crate::math::larger(self.material.static_friction, self.material.kinetic_friction)
    }
}

/// Scratch of everything here.
#[derive(Debug)]
pub(crate) struct ContactSet {
    /// Conditions that may press until the next event.
    pub(crate) set: Vec<ContactEntry>,
    /// Their rows at the last evaluation.
    pub(crate) contact_rows: ContactRows,
    /// What forces are multiplied by: one, or the time over which impulses are asked for \[s\].
    pub(crate) span: f64,
    /// Whether what they push with is given, by the last step at the level of velocities.
    pub(crate) has_prescribed_forces: bool,
    /// λ and a of the last evaluation, row by row.
    pub(crate) lambda: Vec<f64>,
    /// Impulses of the last blows, row by row.
    impact_impulses: Vec<f64>,
    pub(crate) acc: Vec<f64>,
    /// All conditions at the last look, pressing or not, in order, and their rows.
    pub(crate) all: Vec<ContactEntry>,
    pub(crate) all_rows: ContactRows,
    /// Of each shape, its frame, and how far it may get.
    pub(crate) shapes: Vec<FrameMotion>,
    poses: Vec<Pose>,
    pub(crate) reach: Vec<f64>,
    /// Of each of `all`, what its rate has more than J v, and whether it is asked.
    pub(crate) more: Vec<f64>,
    pub(crate) in_problem: Vec<bool>,
    /// M̂⁻¹ Jᵀ, one column after another, and A = J M̂⁻¹ Jᵀ.
    columns: Vec<f64>,
    pub(crate) matrix: Vec<f64>,
    pub(crate) matrix_formed: Vec<f64>,
    /// The diagonal of A; where A is not formed, of what each condition would answer without joints and others.
    pub(crate) responses: Vec<f64>,
    pub(crate) bias: Vec<f64>,
    pub(crate) bias_formed: Vec<f64>,
    /// F without what the conditions push with.
    force: Vec<f64>,
    pub(crate) complementarity: ComplementaritySolver,
    pub(crate) island_solvers: many_contacts::IslandSolvers,
    /// Of each body, one before it in its island; of the first, the fastest speed and what contacts took away.
    pub(crate) islands: Vec<u32>,
    pub(crate) speeds: Vec<[f64; 2]>,
    /// The rule that decides what is handled, if not the exact answer.
    pub(crate) study: Option<Box<study::StudyState>>,
    /// Of each item of the set: its grip, and what it pushed with.
    pub(crate) grips: Vec<(f64, [f64; 3])>,
    /// Where the next answer is looked for first, row by row.
    pub(crate) last: Vec<f64>,
    broad: BroadPhase,
    ccd: ccd::Ccd,
    scratch: Scratch,
    contacts: Vec<Contact>,
    pairs: Vec<(u32, u32)>,
}

impl ContactSet {
    pub(crate) fn new(model: &Model) -> Option<Box<ContactSet>> {
        model.has_inequalities().then(|| {
            Box::new(ContactSet {
                set: Vec::new(),
                contact_rows: ContactRows::default(),
                span: 1.0,
                has_prescribed_forces: false,
                lambda: Vec::new(),
                impact_impulses: Vec::new(),
                acc: Vec::new(),
                all: Vec::new(),
                all_rows: ContactRows::default(),
                shapes: Vec::new(),
                poses: Vec::new(),
                reach: Vec::new(),
                more: Vec::new(),
                in_problem: Vec::new(),
                columns: Vec::new(),
                matrix: Vec::new(),
                matrix_formed: Vec::new(),
                responses: Vec::new(),
                bias: Vec::new(),
                bias_formed: Vec::new(),
                force: Vec::new(),
                complementarity: ComplementaritySolver::default(),
                island_solvers: many_contacts::IslandSolvers::default(),
                islands: Vec::new(),
                speeds: Vec::new(),
                study: None,
                grips: Vec::new(),
                last: Vec::new(),
                broad: BroadPhase::new(0.05 * model.length()),
                ccd: ccd::Ccd::new(model),
                scratch: Scratch::default(),
                contacts: Vec::new(),
                pairs: Vec::new(),
            })
        })
    }

    /// The multiplier of an inequality of the model in the last evaluation: zero unless it presses.
    pub(crate) fn inequality_multiplier(&self, inequality: usize) -> f64 {
        let is = |item: &&ContactEntry| item.key == ContactKey::Declared(inequality as u32);
        let item = self.set.iter().find(is);
        item.and_then(|item| self.lambda.get(item.row)).copied().unwrap_or(0.0)
    }

    /// Whether an inequality of the model was held as if it were an equality in the last evaluation: F⁺.
    pub(crate) fn handles(&self, inequality: usize) -> bool {
        match &self.study {
            Some(study) => study.handles(&self.set, ContactKey::Declared(inequality as u32)),
            None => self.inequality_multiplier(inequality) > 0.0,
        }
    }

    /// With what dry friction of the model, by its index, acted along its coordinate in the last evaluation.
    pub(crate) fn joint_friction_force(&self, index: usize) -> f64 {
        let is = |item: &&ContactEntry| item.key == ContactKey::Joint(index as u32);
        let item = self.set.iter().find(is);
        item.and_then(|item| self.lambda.get(item.row)).copied().unwrap_or(0.0)
    }

    /// Contacts of the last evaluation that press.
    pub(crate) fn reports(&self, model: &Model) -> impl Iterator<Item = ContactReport> + '_ {
        let bodies = |key: ContactKey| match key {
            ContactKey::Contact(a, b, _) => Some([a, b].map(|shape| shape as usize)),
            ContactKey::Declared(_) | ContactKey::Joint(_) => None,
        };
        let body = |shape: usize| model.contacts.shapes[shape].body();
        let known = self.lambda.len() == self.contact_rows.rows.len();
        let set = if known { &self.set[..] } else { &[] };
        let found: Vec<_> = set.iter().filter_map(|item| Some((item, bodies(item.key)?.map(body)))).collect();
        found.into_iter().map(|(item, bodies)| {
            let row = &self.contact_rows.rows[item.row];
            let mut force = Vec3::ZERO;
            for row in item.row..=item.row + item.tangents {
                force += self.contact_rows.rows[row].direction * self.lambda[row];
            }
            let slides = matches!(item.mode, FrictionMode::Slip(_))
                || (self.has_prescribed_forces && self.slides(item));
            ContactReport {
                bodies,
                point: row.point,
                normal: row.direction,
                force,
                moment: self.moment(item),
                slides,
            }
        })
    }

    /// The moment with which a contact resists rolling and spinning.
    fn moment(&self, item: &ContactEntry) -> Vec3 {
        let rows = item.resistances().into_iter().flat_map(|(_, _, rows)| rows);
        rows.fold(Vec3::ZERO, |sum, row| sum + self.contact_rows.rows[row].direction * self.lambda[row])
    }

    /// Every condition at these motions, and its row: all inequalities, and contacts with a gap of at most `margin`.
    pub(crate) fn observe(&mut self, model: &Model, state: &State, motions: &Motions, margin: f64) {
        self.reach.clear();
        self.reach.resize(model.contacts.shapes.len(), 0.5 * margin);
        self.find(model, motions);
        self.all_rows.write(model, state, motions, &mut self.all);
    }

    /// The same, with gaps and rates alone.
    pub(crate) fn observe_rates(&mut self, model: &Model, state: &State, motions: &Motions, margin: f64) {
        self.reach.clear();
        self.reach.resize(model.contacts.shapes.len(), 0.5 * margin);
        self.observe_within_reach(model, state, motions);
    }

    /// The same, with contacts whose gap is at most what both shapes can reach.
    pub(crate) fn observe_within_reach(&mut self, model: &Model, state: &State, motions: &Motions) {
        self.find(model, motions);
        self.all_rows.write_rates(model, state, motions, &self.shapes, &mut self.all);
    }

    /// Every condition within reach.
    fn find(&mut self, model: &Model, motions: &Motions) {
        self.all.clear();
        for (i, inequality) in model.inequalities.iter().enumerate() {
            self.all.push(ContactEntry {
                key: ContactKey::Declared(i as u32),
                contact: None,
                material: Material { restitution: inequality.restitution, ..Material::default() },
                mode: FrictionMode::Frictionless,
                stiff: 0.0,
                row: 0,
                tangents: 0,
                roll_spin: RollSpin::default(),
            });
        }
        for (i, friction) in model.frictions.iter().enumerate() {
            self.all.push(ContactEntry {
                key: ContactKey::Joint(i as u32),
                contact: None,
                material: Material {
                    static_friction: friction.breakaway,
                    kinetic_friction: friction.coulomb,
                    ..Material::default()
                },
                mode: FrictionMode::Stick,
                stiff: 0.0,
                row: 0,
                tangents: 0,
                roll_spin: RollSpin::default(),
            });
        }
        self.shapes.clear();
        self.shapes
            .extend((0..model.contacts.shapes.len()).map(|i| rows::shape_frame(model, motions, i as u32)));
        if model.contacts.shapes.len() > 1 {
            self.find_contacts(model);
        }
    }

    fn find_contacts(&mut self, model: &Model) {
        self.poses.clear();
        self.poses.extend(self.shapes.iter().map(rows::pose_of));
        for (i, shape) in model.contacts.shapes.iter().enumerate() {
            self.broad.set(i as u32, Bounds::of(&shape.shape, &self.poses[i], self.reach[i]));
        }
        self.pairs.clear();
        self.pairs.extend_from_slice(self.broad.pairs(|i, j| model.contacts.skips(i, j)));
        for &(i, j) in &self.pairs {
            let (a, b) = (&model.contacts.shapes[i as usize], &model.contacts.shapes[j as usize]);
            let (at_a, at_b) = (&self.poses[i as usize], &self.poses[j as usize]);
            let margin = self.reach[i as usize] + self.reach[j as usize];
            let (scratch, contacts) = (&mut self.scratch, &mut self.contacts);
            collide(&a.shape, at_a, &b.shape, at_b, margin, scratch, contacts);
            let planar = rows::is_planar(model, i, j);
            let material = model.contacts.material(i, j);
            for contact in contacts.iter() {
                // What a box in the plane has above it also has below.
                if planar && (contact.point_b.z < -1e-12 || contact.normal.z.abs() > 0.5) {
                    continue;
                }
                self.all.push(ContactEntry {
                    key: ContactKey::Contact(i, j, contact.feature),
                    contact: Some((contact.primitive, witness(contact))),
                    material,
                    mode: FrictionMode::Frictionless,
                    stiff: 0.0,
                    row: 0,
                    tangents: 0,
                    roll_spin: RollSpin::default(),
                });
            }
        }
    }
}

fn witness(contact: &Contact) -> Witness {
    let Contact { gap, normal, point_a, point_b, .. } = *contact;
    Witness { gap, normal, point_a, point_b }
}
