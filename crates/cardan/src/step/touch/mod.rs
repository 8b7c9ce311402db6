//! Touch: inequalities in the time step. What is reached pushes, what is left lets go, and each of these instants is found.
//!
//! | stage | file | what it does |
//! |---|---|---|
//! | rows | `rows.rs` | g, ġ, J and g̈ at rest of every condition |
//! | respond | `respond.rs` | M̂⁻¹ Jᵀ: how everything answers a unit push, once joints and loops have reacted (Baraff 1996, §8) |
//! | answer | `answer.rs` | the small problem in the conditions that touch: exact without friction, cones with it |
//! | pile | `pile.rs` | the same where conditions are many: body by body, sparse |
//! | react | `react.rs` | λ ≥ 0 ⟂ g̈ ≥ 0 of the conditions that press: part of every evaluation of accelerations |
//! | impact | `impact.rs` | p ≥ 0 ⟂ ġ⁺ + e ġ⁻ ≥ 0 of those reached at speed |
//! | blow | `blow.rs` | the same of those that touch when a blow strikes |
//! | expand | `expand.rs` | the second phase of a blow by Poisson's law |
//! | hold | `hold.rs` | g = 0 and ġ = 0 of those that press, after a step |
//! | stepping | `stepping.rs` | a whole step at the level of velocities, on request or where forces have no answer |
//! | apart | `apart.rs` | what overlaps at the start, by name; on request moved apart |
//! | study | `study.rs` | three rules of the GRAPP paper in the place of the exact answer, on request |
//! | sweep | `sweep.rs` | how far a trial may go before something fast passes through something thin |
//! | phases | `phases.rs` | a step is cut where a condition is reached or let go: the first such time is found, the step rewound to it |
//!
//! With A = J M̂⁻¹ Jᵀ, where M̂⁻¹ already holds every joint and loop, everything is a small problem in the conditions that touch; its cost is one
//! solve with the factor at hand for each of them.

mod answer;
pub(super) mod apart;
mod blow;
mod expand;
mod hold;
mod impact;
pub(super) mod overlap;
mod phases;
mod pile;
mod react;
pub(super) mod respond;
mod rows;
mod saved;
pub(super) mod stepping;
pub(super) mod study;
mod sweep;

pub(super) use blow::answer_blow;
pub(super) use hold::hold;
pub(super) use phases::{Phases, choose, step};
pub(super) use react::{act, react};

use crate::body::FrameMotion;
use crate::body::general::Motions;
use crate::contact::Material;
use crate::inequality::Origin;
use crate::math::Vec3;
use crate::measure::ContactReport;
use crate::model::Model;
use crate::state::State;
use answer::Answers;
use cardan_shapes::{Bounds, Broad, Contact, Feature, Pose, Primitive, Scratch, Witness, collide};
pub(crate) use phases::TOUCHING;
pub(crate) use rows::Sheet;

/// Which condition.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// An inequality of the model.
    Declared(u32),
    /// Dry friction of a joint coordinate.
    Joint(u32),
    /// Two shapes of the model, and what of them meets.
    Contact(u32, u32, Feature),
}

/// What happened to a condition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum What {
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
    Blow,
}

impl What {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            What::Activated => "activated",
            What::Released => "released",
            What::Impact => "impact",
            What::Limit => "limit",
            What::Stick => "stick",
            What::Slip => "slip",
            What::Paradox => "paradox",
            What::Blow => "blow",
        }
    }
}

/// Who an event is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An index into [`Model::inequalities`].
    Inequality(usize),
    /// Two shapes: indices into [`Model::shapes`].
    Contact([usize; 2]),
    /// Dry friction of a joint coordinate: an index into [`Model::frictions`].
    Friction(usize),
    /// A blow: an index into [`Model::blows`].
    Blow(usize),
}

/// An instant at which something changed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Event {
    /// When \[s\].
    pub time: f64,
    /// Which condition.
    pub subject: Subject,
    /// What happened.
    pub what: What,
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

impl Subject {
    /// The name of the inequality, or of the two bodies; of a limit that of the joint.
    pub fn name(&self, model: &Model) -> String {
        let of = |shape: usize| {
            model.contacts.shapes[shape].body().map_or("ground", |body| &*model.bodies[body].name)
        };
        match *self {
            Subject::Inequality(i) => model.inequalities[i].name.clone(),
            Subject::Contact([a, b]) => format!("{}-{}", of(a), of(b)),
            Subject::Friction(i) => model.joints[model.frictions[i].joint].name.clone(),
            Subject::Blow(i) => model.blows[i].name.clone(),
        }
    }
}

impl Key {
    pub(crate) fn subject(self) -> Subject {
        match self {
            Key::Declared(i) => Subject::Inequality(i as usize),
            Key::Contact(a, b, _) => Subject::Contact([a as usize, b as usize]),
            Key::Joint(i) => Subject::Friction(i as usize),
        }
    }
    fn is_limit(self, model: &Model) -> bool {
        match self {
            Key::Declared(i) => matches!(model.inequalities[i as usize].origin, Origin::Limit { .. }),
            Key::Contact(..) | Key::Joint(_) => false,
        }
    }
}

/// How a condition that presses resists across its normal.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Mode {
    /// Not at all.
    Smooth,
    /// It does not slide.
    Stick,
    /// It slides in this direction, or is about to: of b past a, world axes, of unit length. Of a joint coordinate: (±1, 0, 0).
    Slip(Vec3),
}

/// How two bodies that touch turn against each other.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) enum Turn {
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
pub(crate) struct Turning {
    pub(crate) roll: Turn,
    pub(crate) spin: Turn,
    /// Axes about which rolling at rest is resisted: two, in the plane one.
    axes: usize,
}

impl Turning {
    /// Rows of rolling and of spinning.
    fn rows(&self) -> [usize; 2] {
        let count = |turn: Turn, axes: usize| match turn {
            Turn::Free => 0,
            Turn::Rest => axes,
            Turn::Turns(_) => 1,
        };
        [count(self.roll, self.axes), count(self.spin, 1)]
    }
    fn all(&self) -> usize {
        self.rows().iter().sum()
    }
}

/// A condition that presses, as a state keeps it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Held {
    pub(crate) key: Key,
    pub(crate) mode: Mode,
    pub(crate) turning: Turning,
    /// μ λ_n times what a push across accelerates: how fast friction turns or stops what slides [m/s²].
    pub(crate) grip: f64,
    /// What it pushed with last, along its normal and across.
    pub(crate) push: [f64; 3],
}

/// A condition, and where its rows are in a sheet: that of the normal, then those across it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Item {
    pub(crate) key: Key,
    /// Of a contact: what meets, and how it was found.
    pub(crate) contact: Option<(Primitive, Witness)>,
    pub(crate) material: Material,
    pub(crate) mode: Mode,
    /// Grip times the length of the step: the speed below which friction across the slide is stiff [m/s].
    pub(crate) stiff: f64,
    pub(crate) row: usize,
    pub(crate) tangents: usize,
    pub(crate) turning: Turning,
}

impl Item {
    /// The rows of what resists turning: how it turns, how much of the normal force resists, and where they are.
    fn resistances(&self) -> [(Turn, f64, core::ops::Range<usize>); 2] {
        let [roll, spin] = self.turning.rows();
        let first = self.row + 1 + self.tangents;
        [
            (self.turning.roll, self.material.rolling, first..first + roll),
            (self.turning.spin, self.material.torsion, first + roll..first + roll + spin),
        ]
    }
    /// Rests until it is seen to turn.
    fn rests(&mut self) {
        let of = |coefficient: f64| if coefficient > 0.0 { Turn::Rest } else { Turn::Free };
        let (roll, spin) = (of(self.material.rolling), of(self.material.torsion));
        self.turning = Turning { roll, spin, ..self.turning };
    }
    /// Dry friction of a joint coordinate: its row is bounded on both sides, its "coefficients" are forces [N, N·m].
    pub(crate) fn is_dry(&self) -> bool {
        matches!(self.key, Key::Joint(_))
    }
    fn has_friction(&self) -> bool {
        self.material.static_friction > 0.0 || self.material.kinetic_friction > 0.0
    }
    /// Friction at rest is never less than while sliding.
    fn static_friction(&self) -> f64 {
        crate::math::larger(self.material.static_friction, self.material.kinetic_friction)
    }
}

/// Scratch of everything here.
#[derive(Debug)]
pub(crate) struct Touch {
    /// Conditions that may press until the next event.
    pub(crate) set: Vec<Item>,
    /// Their rows at the last evaluation.
    pub(crate) sheet: Sheet,
    /// What forces are multiplied by: one, or the time over which impulses are asked for \[s\].
    pub(in crate::step) span: f64,
    /// Whether what they push with is given, by the last step at the level of velocities.
    is_given: bool,
    /// λ and a of the last evaluation, row by row.
    pub(crate) lambda: Vec<f64>,
    /// Impulses of the last blows, row by row.
    struck: Vec<f64>,
    pub(crate) acc: Vec<f64>,
    /// All conditions at the last look, pressing or not, in order, and their rows.
    all: Vec<Item>,
    all_rows: Sheet,
    /// Of each shape, its frame, and how far it may get.
    shapes: Vec<FrameMotion>,
    poses: Vec<Pose>,
    reach: Vec<f64>,
    /// Of each of `all`, what its rate has more than J v, and whether it is asked.
    more: Vec<f64>,
    asked: Vec<bool>,
    /// M̂⁻¹ Jᵀ, one column after another, and A = J M̂⁻¹ Jᵀ.
    columns: Vec<f64>,
    matrix: Vec<f64>,
    matrix_formed: Vec<f64>,
    /// The diagonal of A; where A is not formed, of what each condition would answer without joints and others.
    responses: Vec<f64>,
    bias: Vec<f64>,
    bias_formed: Vec<f64>,
    /// F without what the conditions push with.
    force: Vec<f64>,
    answers: Answers,
    heap: pile::Heap,
    /// Of each body, one before it in its island; of the first, the fastest speed and what contacts took away.
    islands: Vec<u32>,
    speeds: Vec<[f64; 2]>,
    /// The rule that decides what is handled, if not the exact answer.
    study: Option<Box<study::Studied>>,
    /// Of each item of the set: its grip, and what it pushed with.
    grips: Vec<(f64, [f64; 3])>,
    /// Where the next answer is looked for first, row by row.
    last: Vec<f64>,
    broad: Broad,
    sweep: sweep::Sweep,
    scratch: Scratch,
    contacts: Vec<Contact>,
    pairs: Vec<(u32, u32)>,
}

impl Touch {
    pub(super) fn new(model: &Model) -> Option<Box<Touch>> {
        model.has_inequalities().then(|| {
            Box::new(Touch {
                set: Vec::new(),
                sheet: Sheet::default(),
                span: 1.0,
                is_given: false,
                lambda: Vec::new(),
                struck: Vec::new(),
                acc: Vec::new(),
                all: Vec::new(),
                all_rows: Sheet::default(),
                shapes: Vec::new(),
                poses: Vec::new(),
                reach: Vec::new(),
                more: Vec::new(),
                asked: Vec::new(),
                columns: Vec::new(),
                matrix: Vec::new(),
                matrix_formed: Vec::new(),
                responses: Vec::new(),
                bias: Vec::new(),
                bias_formed: Vec::new(),
                force: Vec::new(),
                answers: Answers::default(),
                heap: pile::Heap::default(),
                islands: Vec::new(),
                speeds: Vec::new(),
                study: None,
                grips: Vec::new(),
                last: Vec::new(),
                broad: Broad::new(0.05 * model.length()),
                sweep: sweep::Sweep::new(model),
                scratch: Scratch::default(),
                contacts: Vec::new(),
                pairs: Vec::new(),
            })
        })
    }

    /// The multiplier of an inequality of the model in the last evaluation: zero unless it presses.
    pub(crate) fn strain(&self, inequality: usize) -> f64 {
        let is = |item: &&Item| item.key == Key::Declared(inequality as u32);
        let item = self.set.iter().find(is);
        item.and_then(|item| self.lambda.get(item.row)).copied().unwrap_or(0.0)
    }

    /// Whether an inequality of the model was held as if it were an equality in the last evaluation: F⁺.
    pub(crate) fn handles(&self, inequality: usize) -> bool {
        match &self.study {
            Some(study) => study.handles(&self.set, Key::Declared(inequality as u32)),
            None => self.strain(inequality) > 0.0,
        }
    }

    /// With what dry friction of the model, by its index, acted along its coordinate in the last evaluation.
    pub(crate) fn dry(&self, index: usize) -> f64 {
        let is = |item: &&Item| item.key == Key::Joint(index as u32);
        let item = self.set.iter().find(is);
        item.and_then(|item| self.lambda.get(item.row)).copied().unwrap_or(0.0)
    }

    /// Contacts of the last evaluation that press.
    pub(crate) fn reports(&self, model: &Model) -> impl Iterator<Item = ContactReport> + '_ {
        let bodies = |key: Key| match key {
            Key::Contact(a, b, _) => Some([a, b].map(|shape| shape as usize)),
            Key::Declared(_) | Key::Joint(_) => None,
        };
        let body = |shape: usize| model.contacts.shapes[shape].body();
        let known = self.lambda.len() == self.sheet.rows.len();
        let set = if known { &self.set[..] } else { &[] };
        let found: Vec<_> = set.iter().filter_map(|item| Some((item, bodies(item.key)?.map(body)))).collect();
        found.into_iter().map(|(item, bodies)| {
            let row = &self.sheet.rows[item.row];
            let mut force = Vec3::ZERO;
            for row in item.row..=item.row + item.tangents {
                force += self.sheet.rows[row].direction * self.lambda[row];
            }
            let slides = matches!(item.mode, Mode::Slip(_)) || (self.is_given && self.slides(item));
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
    fn moment(&self, item: &Item) -> Vec3 {
        let rows = item.resistances().into_iter().flat_map(|(_, _, rows)| rows);
        rows.fold(Vec3::ZERO, |sum, row| sum + self.sheet.rows[row].direction * self.lambda[row])
    }

    /// Every condition at these motions, and its row: all inequalities, and contacts with a gap of at most `margin`.
    fn observe(&mut self, model: &Model, state: &State, motions: &Motions, margin: f64) {
        self.reach.clear();
        self.reach.resize(model.contacts.shapes.len(), 0.5 * margin);
        self.find(model, motions);
        self.all_rows.write(model, state, motions, &mut self.all);
    }

    /// The same, with gaps and rates alone.
    fn glance(&mut self, model: &Model, state: &State, motions: &Motions, margin: f64) {
        self.reach.clear();
        self.reach.resize(model.contacts.shapes.len(), 0.5 * margin);
        self.glance_within_reach(model, state, motions);
    }

    /// The same, with contacts whose gap is at most what both shapes can reach.
    fn glance_within_reach(&mut self, model: &Model, state: &State, motions: &Motions) {
        self.find(model, motions);
        self.all_rows.write_rates(model, state, motions, &self.shapes, &mut self.all);
    }

    /// Every condition within reach.
    fn find(&mut self, model: &Model, motions: &Motions) {
        self.all.clear();
        for (i, inequality) in model.inequalities.iter().enumerate() {
            self.all.push(Item {
                key: Key::Declared(i as u32),
                contact: None,
                material: Material { restitution: inequality.restitution, ..Material::default() },
                mode: Mode::Smooth,
                stiff: 0.0,
                row: 0,
                tangents: 0,
                turning: Turning::default(),
            });
        }
        for (i, friction) in model.frictions.iter().enumerate() {
            self.all.push(Item {
                key: Key::Joint(i as u32),
                contact: None,
                material: Material {
                    static_friction: friction.breakaway,
                    kinetic_friction: friction.coulomb,
                    ..Material::default()
                },
                mode: Mode::Stick,
                stiff: 0.0,
                row: 0,
                tangents: 0,
                turning: Turning::default(),
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
                self.all.push(Item {
                    key: Key::Contact(i, j, contact.feature),
                    contact: Some((contact.primitive, witness(contact))),
                    material,
                    mode: Mode::Smooth,
                    stiff: 0.0,
                    row: 0,
                    tangents: 0,
                    turning: Turning::default(),
                });
            }
        }
    }
}

fn witness(contact: &Contact) -> Witness {
    let Contact { gap, normal, point_a, point_b, .. } = *contact;
    Witness { gap, normal, point_a, point_b }
}
