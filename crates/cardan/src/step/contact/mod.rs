//! Unilateral constraints and contact: inequalities of the model, limits, contacts of shapes,
//! friction.
//!
//! | file | what is in it |
//! |---|---|
//! | `rows.rs` | g, ġ, J and the bias of g̈ of every constraint; friction and rolling rows |
//! | `friction_modes.rs` | sticking, sliding, rolling and spinning modes |
//! | `delassus.rs` | M̂⁻¹ Jᵀ and A = J M̂⁻¹ Jᵀ, joints and loops held (Baraff 1996, §8) |
//! | `complementarity.rs` | the dense problem a = A λ + b: exact without friction, cones with it |
//! | `many_contacts.rs` | large problems, island by island, sparse in the bodies |
//! | `contact_forces.rs` | 0 ≤ λ ⟂ g̈ ≥ 0 of active constraints, in every evaluation |
//! | `impact.rs` | 0 ≤ p ⟂ ġ⁺ + e ġ⁻ ≥ 0 of constraints reached at speed |
//! | `restitution.rs` | expansion phase of an impact by Poisson's law |
//! | `applied_impulse.rs` | contacts under an applied impulse |
//! | `project.rs` | projection of active constraints onto g = 0 and ġ = 0 after a step |
//! | `depenetrate.rs` | overlaps of the initial state: found by name, removed on request |
//! | `overlap.rs` | an overlap as part of an error message |
//! | `ccd.rs` | continuous collision detection: longest safe trial step |
//! | `split.rs` | how redundant contacts share their load, in reports |
//! | `study.rs` | three active-set rules of the GRAPP paper, on request |
//! | `saved.rs` | active contacts in snapshots |
//!
//! The step itself is in `integrate/`: `events/` cuts it at events, `time_stepping/` takes it at
//! the level of velocities.
//!
//! M̂⁻¹ is the inverse mass matrix with all joints and loops held. With it every problem here is
//! small: its unknowns are the rows of closed contacts, and it costs one solve with the current
//! factor for each of them.

pub(crate) mod applied_impulse;
pub(crate) mod ccd;
pub(crate) mod complementarity;
pub(crate) mod contact_forces;
pub(crate) mod delassus;
pub(crate) mod depenetrate;
pub(crate) mod friction_modes;
pub(crate) mod impact;
pub(crate) mod limits;
pub(crate) mod many_contacts;
pub(crate) mod overlap;
pub(crate) mod project;
pub(crate) mod restitution;
pub(crate) mod rows;
pub(crate) mod saved;
mod split;
pub(crate) mod study;
pub(crate) mod touched_bodies;

pub(crate) use applied_impulse::respond_to_impulse;
pub(crate) use contact_forces::{apply_contact_forces, solve_contact_forces};
pub(crate) use project::project_contacts;

use crate::body::FrameMotion;
use crate::body::general::Motions;
use crate::contact::Material;
use crate::inequality::InequalityOrigin;
use crate::math::Vec3;
use crate::measure::ContactReport;
use crate::model::{ImpulseId, InequalityId, JointId, Model, ModelFriction, ShapeId};
use crate::state::State;
use crate::tolerances::CONTACT_GAP;
use cardan_shapes::{Bounds, BroadPhase, Contact, FeaturePair, Pose, Primitive, Scratch, Witness, collide};
use complementarity::ComplementaritySolver;
pub(crate) use rows::ContactRows;

/// An initial overlap above this is an error, relative to the size of its terms.
pub(crate) const OVERLAPS: f64 = 1e-8;

/// Identity of a unilateral constraint or friction row.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ContactKey {
    /// An inequality of the model.
    Declared(u32),
    /// Dry friction of a joint coordinate.
    Joint(u32),
    /// Two shapes of the model, and their feature pair.
    Contact(u32, u32, FeaturePair),
}

/// What happened to a unilateral constraint.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// It became active.
    Activated,
    /// It was released.
    Released,
    /// A contact or inequality was reached at speed.
    Impact,
    /// A joint limit was reached at speed.
    Limit,
    /// It stopped sliding.
    Stick,
    /// It begins to slide, or slides back.
    Slip,
    /// It slides and no contact force exists (Painlevé's paradox): a part of the step was taken
    /// with impulses.
    Paradox,
    /// An impulse of the model was applied.
    Impulse,
}

impl EventKind {
    /// Its name in reports and tables.
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

/// What an event is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum EventSubject {
    /// An inequality, or a limit of a joint.
    Inequality(InequalityId),
    /// Two shapes.
    Contact([ShapeId; 2]),
    /// Dry friction of a joint coordinate.
    Friction {
        /// The joint.
        joint: JointId,
        /// The coordinate.
        coordinate: usize,
    },
    /// An applied impulse.
    Impulse(ImpulseId),
}

/// An event: an instant at which a unilateral constraint changed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Event {
    /// Time \[s\].
    pub time: f64,
    /// The constraint, contact or impulse.
    pub subject: EventSubject,
    /// What happened.
    pub kind: EventKind,
    /// ġ just before, where it was reached at speed [m/s, rad/s].
    pub speed: f64,
    /// The normal impulse, or the applied impulse [N·s, N·m·s].
    pub impulse: f64,
}

impl Event {
    /// The name of the inequality, or of the two bodies.
    pub fn name(&self, model: &Model) -> String {
        self.subject.name(model)
    }
}

impl EventSubject {
    /// The name of the inequality, or of the two bodies, each followed by `/` and the name of the shape if it has one;
    /// of a limit that of the joint. Empty if the model has no such part.
    pub fn name(&self, model: &Model) -> String {
        let of = |shape: ShapeId| {
            let shape = model.shape(shape)?;
            let body = shape.body_index().map_or("ground", |body| &*model.bodies[body].name);
            Some(shape.name().map_or_else(|| body.to_string(), |name| format!("{body}/{name}")))
        };
        let name = match *self {
            EventSubject::Inequality(id) => model.inequality(id).map(|part| part.name.clone()),
            EventSubject::Contact([a, b]) => of(a).zip(of(b)).map(|(a, b)| format!("{a}-{b}")),
            EventSubject::Friction { joint, .. } => model.joint(joint).map(|part| part.name.clone()),
            EventSubject::Impulse(id) => model.impulse(id).map(|part| part.name.clone()),
        };
        name.unwrap_or_default()
    }
}

impl ContactKey {
    /// What events of this constraint are about.
    pub(crate) fn subject(self, model: &Model) -> EventSubject {
        match self {
            ContactKey::Declared(i) => EventSubject::Inequality(model.inequality_id(i as usize)),
            ContactKey::Contact(a, b, _) => {
                EventSubject::Contact([a, b].map(|shape| model.id(shape as usize)))
            }
            ContactKey::Joint(i) => {
                let ModelFriction { joint, coordinate, .. } = model.frictions[i as usize];
                EventSubject::Friction { joint, coordinate }
            }
        }
    }
    /// Whether it is a joint limit.
    fn is_limit(self, model: &Model) -> bool {
        match self {
            ContactKey::Declared(i) => {
                matches!(model.inequalities[i as usize].origin, InequalityOrigin::Limit { .. })
            }
            ContactKey::Contact(..) | ContactKey::Joint(_) => false,
        }
    }
}

/// Friction mode of an active contact.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum FrictionMode {
    /// There is no friction.
    Frictionless,
    /// It sticks.
    Stick,
    /// It slides, or is about to: direction of b relative to a, world axes, unit length. For a
    /// joint coordinate (±1, 0, 0).
    Slip(Vec3),
}

/// Relative rotation of two bodies in contact, about axes across the normal or about the normal.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) enum RollingMode {
    /// There is no resistance.
    #[default]
    Free,
    /// It does not turn.
    Rest,
    /// It turns about this axis: b relative to a, world axes, unit length.
    Turns(Vec3),
}

/// Rolling and spinning modes of a contact. Their rows follow the friction rows.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct RollSpin {
    /// Rolling about axes across the normal.
    pub(crate) roll: RollingMode,
    /// Spinning about the normal.
    pub(crate) spin: RollingMode,
    /// Number of axes about which rolling is resisted at rest: two, in the plane one.
    axes: usize,
}

impl RollSpin {
    /// Number of rows of rolling and of spinning.
    fn rows(&self) -> [usize; 2] {
        let count = |turn: RollingMode, axes: usize| match turn {
            RollingMode::Free => 0,
            RollingMode::Rest => axes,
            RollingMode::Turns(_) => 1,
        };
        [count(self.roll, self.axes), count(self.spin, 1)]
    }
    /// Number of rows of rolling and spinning together.
    pub(crate) fn all(&self) -> usize {
        self.rows().iter().sum()
    }
}

/// An active constraint, as it is kept in the state.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct ActiveContact {
    pub(crate) key: ContactKey,
    pub(crate) mode: FrictionMode,
    pub(crate) roll_spin: RollSpin,
    /// How fast friction turns or stops sliding velocities ([`ContactSet::grip`]) [m/s²].
    pub(crate) grip: f64,
    /// Its last force along the normal and across it.
    pub(crate) push: [f64; 3],
}

/// A unilateral constraint and its rows in a [`ContactRows`]: normal, friction, rolling, spinning.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ContactEntry {
    pub(crate) key: ContactKey,
    /// For a contact: the pair of primitives, and gap, normal and points as they were found.
    pub(crate) contact: Option<(Primitive, Witness)>,
    pub(crate) material: Material,
    pub(crate) mode: FrictionMode,
    /// `grip` times the length of the step: the sliding speed below which friction across the
    /// sliding direction is stiff [m/s].
    pub(crate) stiff: f64,
    /// Index of the normal row.
    pub(crate) row: usize,
    /// Number of friction rows.
    pub(crate) tangents: usize,
    pub(crate) roll_spin: RollSpin,
    /// In time stepping its index among the constraints that were active in the last step, or [`NOT_HELD`].
    pub(crate) held: u32,
}

/// A constraint that was not active in the last step.
pub(crate) const NOT_HELD: u32 = u32::MAX;

impl ContactEntry {
    /// The entry of this constraint among those that were active in the last step.
    pub(crate) fn held_in<'a>(&self, state: &'a State) -> Option<&'a ActiveContact> {
        state.held.get(self.held as usize)
    }
    /// Rolling and spinning: mode, coefficient of resistance, and range of rows.
    pub(crate) fn resistances(&self) -> [(RollingMode, f64, core::ops::Range<usize>); 2] {
        let [roll, spin] = self.roll_spin.rows();
        let first = self.row + 1 + self.tangents;
        [
            (self.roll_spin.roll, self.material.rolling, first..first + roll),
            (self.roll_spin.spin, self.material.torsion, first + roll..first + roll + spin),
        ]
    }
    /// Sets rolling and spinning to rest where there is resistance.
    pub(crate) fn rests(&mut self) {
        let of = |coefficient: f64| if coefficient > 0.0 { RollingMode::Rest } else { RollingMode::Free };
        let (roll, spin) = (of(self.material.rolling), of(self.material.torsion));
        self.roll_spin = RollSpin { roll, spin, ..self.roll_spin };
    }
    /// Whether it is dry friction of a joint coordinate: its row is bounded on both sides, and its
    /// coefficients are forces [N, N·m].
    pub(crate) fn is_joint_friction(&self) -> bool {
        matches!(self.key, ContactKey::Joint(_))
    }
    /// Whether a friction coefficient is above zero.
    pub(crate) fn has_friction(&self) -> bool {
        self.material.static_friction > 0.0 || self.material.kinetic_friction > 0.0
    }
    /// Static friction coefficient, never below the kinetic one.
    pub(crate) fn static_friction(&self) -> f64 {
        crate::math::larger(self.material.static_friction, self.material.kinetic_friction)
    }
}

/// Unilateral constraints of a model: the active set, all constraints at the last evaluation, and
/// scratch of the solvers.
#[derive(Debug)]
pub(crate) struct ContactSet {
    /// Active set: constraints that may exert forces until the next event.
    pub(crate) set: Vec<ContactEntry>,
    /// Rows of the active set at the last evaluation.
    pub(crate) contact_rows: ContactRows,
    /// Factor of force bounds: one, or the time over which impulses are solved for \[s\].
    pub(crate) span: f64,
    /// Whether forces are prescribed: those of the last time step.
    pub(crate) has_prescribed_forces: bool,
    /// λ of the last evaluation, by row.
    pub(crate) lambda: Vec<f64>,
    /// Impulses of the last impacts, by row.
    impact_impulses: Vec<f64>,
    /// Impacts of a time step.
    pub(crate) impact_log: Vec<Event>,
    /// a = A λ + b of the last evaluation, by row.
    pub(crate) acc: Vec<f64>,
    /// All constraints at the last evaluation, active or not, sorted, and their rows.
    pub(crate) all: Vec<ContactEntry>,
    pub(crate) all_rows: ContactRows,
    /// Frame of each shape.
    pub(crate) shapes: Vec<FrameMotion>,
    poses: Vec<Pose>,
    /// How far each shape may move \[m\].
    pub(crate) reach: Vec<f64>,
    /// By index into `all`: the part of its rate beyond J v, and whether it is in the problem.
    pub(crate) rate_offset: Vec<f64>,
    pub(crate) in_problem: Vec<bool>,
    /// Rates without contacts: of `all`, and by row of the set. Velocities with contacts.
    pub(crate) candidate_rates: Vec<f64>,
    pub(crate) free_rates: Vec<f64>,
    pub(crate) after: Vec<f64>,
    /// M̂⁻¹ Jᵀ by columns, and A = J M̂⁻¹ Jᵀ.
    columns: Vec<f64>,
    pub(crate) matrix: Vec<f64>,
    /// Sizes of the terms of the diagonal of A.
    pub(crate) matrix_formed: Vec<f64>,
    /// Diagonal of A; where A is not formed, of J M⁻¹ Jᵀ without joints.
    pub(crate) responses: Vec<f64>,
    /// b of the problem a = A λ + b, and the sizes of its terms.
    pub(crate) bias: Vec<f64>,
    pub(crate) bias_formed: Vec<f64>,
    /// F without contact forces.
    force: Vec<f64>,
    pub(crate) complementarity: ComplementaritySolver,
    pub(crate) island_solvers: many_contacts::IslandSolvers,
    /// Union-find parents of the bodies' islands; by root, the fastest speed and the largest
    /// velocity change by contacts.
    pub(crate) islands: Vec<u32>,
    pub(crate) speeds: Vec<[f64; 2]>,
    /// The study rule that replaces the exact solution, if any.
    pub(crate) study: Option<Box<study::StudyState>>,
    /// Per item of the set: its grip [m/s²] and its force.
    pub(crate) grips: Vec<(f64, [f64; 3])>,
    /// Initial guess of the next solve, by row.
    pub(crate) last: Vec<f64>,
    /// Scratch of collision detection.
    broad: BroadPhase,
    ccd: ccd::Ccd,
    scratch: Scratch,
    contacts: Vec<Contact>,
    pairs: Vec<(u32, u32)>,
}

impl ContactSet {
    /// An empty set; `None` for a model without inequalities, contacts and dry friction.
    pub(crate) fn new(model: &Model) -> Option<Box<ContactSet>> {
        model.has_inequalities().then(|| {
            Box::new(ContactSet {
                set: Vec::new(),
                contact_rows: ContactRows::default(),
                span: 1.0,
                has_prescribed_forces: false,
                lambda: Vec::new(),
                impact_impulses: Vec::new(),
                impact_log: Vec::new(),
                acc: Vec::new(),
                all: Vec::new(),
                all_rows: ContactRows::default(),
                shapes: Vec::new(),
                poses: Vec::new(),
                reach: Vec::new(),
                rate_offset: Vec::new(),
                in_problem: Vec::new(),
                candidate_rates: Vec::new(),
                free_rates: Vec::new(),
                after: Vec::new(),
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

    /// The multiplier of an inequality of the model in the last evaluation: zero unless it is
    /// active.
    pub(crate) fn inequality_multiplier(&self, inequality: usize) -> f64 {
        let is = |item: &&ContactEntry| item.key == ContactKey::Declared(inequality as u32);
        let item = self.set.iter().find(is);
        item.and_then(|item| self.lambda.get(item.row)).copied().unwrap_or(0.0)
    }

    /// No constraint is active: all of them are open, and an exact solution is asked for.
    pub(crate) fn clear_active(&mut self) {
        self.set.clear();
        self.grips.clear();
        (self.study, self.has_prescribed_forces) = (None, false);
    }

    /// Whether an inequality of the model was in the active set F⁺ in the last evaluation.
    pub(crate) fn handles(&self, inequality: usize) -> bool {
        match &self.study {
            Some(study) => study.handles(&self.set, ContactKey::Declared(inequality as u32)),
            None => self.inequality_multiplier(inequality) > 0.0,
        }
    }

    /// Force of a dry friction of the model, by its index, along its coordinate in the last
    /// evaluation [N, N·m].
    pub(crate) fn joint_friction_force(&self, index: usize) -> f64 {
        let is = |item: &&ContactEntry| item.key == ContactKey::Joint(index as u32);
        let item = self.set.iter().find(is);
        item.and_then(|item| self.lambda.get(item.row)).copied().unwrap_or(0.0)
    }

    /// Active contacts of the last evaluation.
    pub(crate) fn reports<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = ContactReport> + 'a {
        let shapes = |key: ContactKey| match key {
            ContactKey::Contact(a, b, _) => Some(
                [a, b].map(|shape| (model.contacts.shapes[shape as usize].body(), model.id(shape as usize))),
            ),
            ContactKey::Declared(_) | ContactKey::Joint(_) => None,
        };
        let known = self.lambda.len() == self.contact_rows.rows.len();
        let set = if known { &self.set[..] } else { &[] };
        let lambda = if known { self.shared_forces(model) } else { Vec::new() };
        let found: Vec<_> = set.iter().filter_map(|item| Some((item, shapes(item.key)?))).collect();
        found.into_iter().map(move |(item, sides)| {
            let row = &self.contact_rows.rows[item.row];
            // Shapes of planar bodies are prisms, and their features lie on the edges of these.
            let planar = matches!(item.key, ContactKey::Contact(a, b, _) if rows::is_planar(model, a, b));
            let point = if planar { Vec3 { z: 0.0, ..row.point } } else { row.point };
            let mut force = Vec3::ZERO;
            for row in item.row..=item.row + item.tangents {
                force += self.contact_rows.rows[row].direction * lambda[row];
            }
            let slides = matches!(item.mode, FrictionMode::Slip(_))
                || (self.has_prescribed_forces && self.slides(item));
            ContactReport {
                bodies: sides.map(|(body, _)| body),
                shapes: sides.map(|(_, shape)| shape),
                point,
                normal: row.direction,
                force,
                moment: self.moment(item),
                slides,
            }
        })
    }

    /// Moment of rolling and spinning resistance of a contact \[N·m\].
    fn moment(&self, item: &ContactEntry) -> Vec3 {
        let rows = item.resistances().into_iter().flat_map(|(_, _, rows)| rows);
        rows.fold(Vec3::ZERO, |sum, row| sum + self.contact_rows.rows[row].direction * self.lambda[row])
    }

    /// Finds all constraints at these motions and writes their rows: inequalities, dry friction,
    /// and contacts with a gap of at most `margin`.
    pub(crate) fn observe(&mut self, model: &Model, state: &State, motions: &Motions, margin: f64) {
        self.reach.clear();
        self.reach.resize(model.contacts.shapes.len(), 0.5 * margin);
        self.find(model, motions);
        self.all_rows.write(model, state, motions, &mut self.all);
    }

    /// Finds all constraints like [`ContactSet::observe`], with gaps and rates only.
    pub(crate) fn observe_rates(&mut self, model: &Model, state: &State, motions: &Motions, margin: f64) {
        self.reach.clear();
        self.reach.resize(model.contacts.shapes.len(), 0.5 * margin);
        self.find(model, motions);
        self.all_rows.write_rates(model, state, motions, &self.shapes, &mut self.all);
    }

    /// Finds all constraints like [`ContactSet::observe`], with gaps only: rows of contacts act on nothing.
    pub(crate) fn observe_gaps(&mut self, model: &Model, state: &State, motions: &Motions, margin: f64) {
        self.reach.clear();
        self.reach.resize(model.contacts.shapes.len(), 0.5 * margin);
        self.find(model, motions);
        self.all_rows.write_gaps(model, state, motions, &self.shapes, &mut self.all);
    }

    /// Finds all constraints with gaps and rates, and with all rows of friction, as if they stuck; contacts
    /// up to the sum of both shapes' `reach`.
    pub(crate) fn observe_within_reach(&mut self, model: &Model, state: &State, motions: &Motions) {
        self.find(model, motions);
        // Both lists are sorted by key.
        let mut held = (0..).zip(&state.held).peekable();
        for item in &mut self.all {
            item.mode = if item.has_friction() { FrictionMode::Stick } else { FrictionMode::Frictionless };
            item.rests();
            while held.next_if(|(_, held)| held.key != item.key && held.key < item.key).is_some() {}
            item.held = held.next_if(|(_, held)| held.key == item.key).map_or(NOT_HELD, |(at, _)| at);
        }
        self.all_rows.write_rates(model, state, motions, &self.shapes, &mut self.all);
    }

    /// Finds all constraints within reach, without their rows.
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
                held: NOT_HELD,
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
                held: NOT_HELD,
            });
        }
        self.shapes.clear();
        self.shapes
            .extend((0..model.contacts.shapes.len()).map(|i| rows::shape_frame(model, motions, i as u32)));
        if model.contacts.shapes.len() > 1 {
            self.find_contacts(model);
        }
    }

    /// Finds the contacts of all pairs of shapes within reach.
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
                // In the plane the features below z = 0 repeat those above.
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
                    held: NOT_HELD,
                });
            }
        }
    }
}

/// Gap, normal and points of a contact.
fn witness(contact: &Contact) -> Witness {
    let Contact { gap, normal, point_a, point_b, .. } = *contact;
    Witness { gap, normal, point_a, point_b }
}
