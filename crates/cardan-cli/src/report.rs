//! The result of a run: the JSON object that other programs read, and the summary that people read.

use crate::contact_report::{self, EventJson};
use crate::impulses;
use crate::load::LoadedScene;
use crate::screws::{own_constraints, thread_of};
use cardan::math::Vec3;
use cardan::measure::{Instant, JointReport};
use cardan::solve::Role;
use cardan::{
    Balance, BodyId, Certificate, ConstraintId, Energy, JointId, Model, Momentum, ProbeId, Simulation, Wrench,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::Write;

/// Redundant rows are analysed one against all others up to this size; the cost is cubic.
const MOST_ROWS_FOR_UNIQUENESS: usize = 1500;
/// The summary shows this many bodies and joints; JSON has them all.
const SHOWN: usize = 12;

/// Everything about the end of a run (or about t = 0, for `solve`).
pub(crate) struct Report<'a> {
    pub(crate) scene: &'a str,
    pub(crate) title: &'a str,
    pub(crate) status: String,
    pub(crate) steps: u64,
    pub(crate) wall_seconds: f64,
    /// What the user should know.
    pub(crate) warnings: Vec<String>,
    pub(crate) certificate: Certificate,
    pub(crate) energy: Energy,
    pub(crate) momentum: Momentum,
    pub(crate) balance: Balance,
    pub(crate) counts: CountsJson,
    pub(crate) state_hash: u64,
    pub(crate) events: Vec<EventJson>,
    impulses: Vec<cardan::ImpulseRecord>,
    pub(crate) solver: &'static str,
    /// Whether steps were taken at the level of velocities.
    pub(crate) takes_impulses: bool,
    /// What the integrator carried.
    pub(crate) coordinates: cardan::Coordinates,
    pub(crate) model: &'a Model,
    pub(crate) instant: Instant<'a>,
    /// What a command adds to the JSON object, by key.
    pub(crate) extra: Vec<(&'static str, serde_json::Value)>,
    /// Loads that redundant rows leave open; `None` if there are too many rows to tell.
    pub(crate) self_stresses: Option<Vec<Vec<f64>>>,
    /// The steps of anticipation, if they were asked for.
    pub(crate) trace: Option<crate::trace::TraceJson<'a>>,
}

/// What the islands of a world have seen together.
pub(crate) struct WorldTotals {
    pub(crate) steps: u64,
    pub(crate) certificate: Certificate,
    pub(crate) energy: Energy,
    pub(crate) momentum: Momentum,
    pub(crate) balance: Balance,
    pub(crate) state_hash: u64,
    pub(crate) events: Vec<EventJson>,
    pub(crate) work: cardan::step::WorkCounts,
}

#[derive(Serialize)]
pub(crate) struct CountsJson {
    bodies: usize,
    joints: usize,
    coordinates: usize,
    rows: usize,
    variables: usize,
    pub(crate) rank: usize,
    pub(crate) redundant_rows: usize,
    pub(crate) freedoms: usize,
    inequalities: usize,
    factorizations: u64,
    solves: u64,
    iterations: u64,
    rejected: u64,
    divided: u64,
    events: usize,
}

impl<'a> Report<'a> {
    /// Reads a simulation where it stands.
    pub(crate) fn new(
        loaded: &'a LoadedScene,
        sim: &'a mut Simulation,
        status: String,
        wall_seconds: f64,
    ) -> Self {
        // What the run itself cost, before this report's own solve.
        let work = sim.diagnostics().work_counts();
        let (energy, momentum, balance) = (sim.energy(), sim.momentum(), sim.balance());
        let (certificate, steps, state_hash) = (sim.certificate(), sim.steps(), sim.state_hash());
        let (solver, coordinates) = (sim.diagnostics().solver_name(), sim.settings().coordinates);
        let takes_impulses = sim.settings().integrator == cardan::Integrator::TimeStepping;
        let (events, impulses) =
            (contact_report::events(sim.model(), sim.events()), sim.impulse_records().to_vec());
        let instant = sim.observe();
        let model = instant.model();
        let counts = model.counts();
        let rank = instant.rank();
        Report {
            scene: &loaded.name,
            title: loaded.title(),
            status,
            steps,
            wall_seconds,
            warnings: Vec::new(),
            certificate,
            energy,
            momentum,
            balance,
            counts: CountsJson {
                bodies: counts.bodies,
                joints: counts.joints,
                coordinates: counts.coordinates,
                rows: counts.rows,
                variables: counts.variables,
                rank,
                redundant_rows: counts.rows - rank,
                freedoms: counts.coordinates - rank,
                inequalities: model.inequalities().len(),
                factorizations: work.factorizations,
                solves: work.solves,
                iterations: work.iterations,
                rejected: work.rejected,
                divided: work.divided,
                events: events.len(),
            },
            state_hash,
            events,
            impulses,
            solver,
            coordinates,
            takes_impulses,
            model,
            extra: Vec::new(),
            self_stresses: instant.self_stresses(MOST_ROWS_FOR_UNIQUENESS),
            trace: None,
            instant,
        }
    }

    /// What the islands of a world have seen together, in the place of what one simulation has.
    pub(crate) fn set_totals(&mut self, totals: WorldTotals) {
        let WorldTotals { steps, certificate, energy, momentum, balance, state_hash, events, work } = totals;
        (self.steps, self.certificate, self.state_hash) = (steps, certificate, state_hash);
        (self.energy, self.momentum, self.balance) = (energy, momentum, balance);
        let counts = &mut self.counts;
        (counts.factorizations, counts.solves) = (work.factorizations, work.solves);
        (counts.iterations, counts.rejected, counts.divided) = (work.iterations, work.rejected, work.divided);
        counts.events = events.len();
        self.events = events;
    }

    fn real_time_factor(&self) -> f64 {
        // A run without steps has no speed.
        if self.steps == 0 { 0.0 } else { self.instant.time() / self.wall_seconds }
    }

    /// The JSON object of the contract, on one line.
    pub(crate) fn json(&self) -> String {
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let model = self.model;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("scene", self.scene)?;
        map.serialize_entry("status", &self.status)?;
        map.serialize_entry("time", &self.instant.time())?;
        map.serialize_entry("steps", &self.steps)?;
        map.serialize_entry("wall_seconds", &self.wall_seconds)?;
        map.serialize_entry("real_time_factor", &self.real_time_factor())?;
        map.serialize_entry("solver", self.solver)?;
        map.serialize_entry("coordinates_mode", coordinates_word(self.coordinates))?;
        map.serialize_entry("warnings", &self.warnings)?;
        for (key, value) in &self.extra {
            map.serialize_entry(key, value)?;
        }
        let bodies = lazy_map(model.bodies().len(), |i| (model.bodies()[i].name.as_str(), self.body(i)));
        map.serialize_entry("bodies", &bodies)?;
        // Constraints are joints to the reader, after the others.
        let (count, others) = (model.joints().len(), own_constraints(model));
        let joints = lazy_map(count + others.len(), |i| match i.checked_sub(count) {
            None => (model.joints()[i].name.as_str(), self.joint(i)),
            Some(c) => (model.constraints()[others[c]].name.as_str(), self.constraint(others[c])),
        });
        map.serialize_entry("joints", &joints)?;
        let probes = lazy_map(model.probes().len(), |i| (model.probes()[i].name.as_str(), self.probe(i)));
        map.serialize_entry("probes", &probes)?;
        map.serialize_entry("contacts", &contact_report::contacts(model, &self.instant))?;
        map.serialize_entry("inequalities", &contact_report::inequalities(model, &self.instant))?;
        map.serialize_entry("energy", &self.energy_json())?;
        map.serialize_entry(
            "momentum",
            &MomentumJson {
                linear: self.momentum.linear.to_array(),
                angular: self.momentum.angular.to_array(),
                balance_error: self.balance.momentum_error,
            },
        )?;
        map.serialize_entry("certificate", &self.certificate_json())?;
        map.serialize_entry("counts", &self.counts)?;
        map.serialize_entry("events", &self.events)?;
        if !self.impulses.is_empty() {
            map.serialize_entry("blows", &impulses::json(model, &self.impulses))?;
        }
        map.serialize_entry("state_hash", &format!("{:016x}", self.state_hash))?;
        if let Some(trace) = &self.trace {
            map.serialize_entry("trace", trace)?;
        }
        map.end()
    }
}

/// A JSON object whose entries are made one at a time.
struct LazyMap<F>(usize, F);

/// Helps the compiler see that the names live as long as the model.
fn lazy_map<'n, T: Serialize, F: Fn(usize) -> (&'n str, T)>(count: usize, entry: F) -> LazyMap<F> {
    LazyMap(count, entry)
}

impl<'n, T: Serialize, F: Fn(usize) -> (&'n str, T)> Serialize for LazyMap<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map((0..self.0).map(&self.1))
    }
}

#[derive(Serialize)]
struct BodyJson<'a> {
    position: [f64; 3],
    frame_position: [f64; 3],
    orientation: [f64; 4],
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
    acceleration: [f64; 3],
    angular_acceleration: [f64; 3],
    /// Of bodies that are more than rigid: their own coordinates, and rates.
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    u: &'a [f64],
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    u_rates: &'a [f64],
    /// The sizes of its axes beside those at rest, if it stretches.
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<[f64; 3]>,
    /// Where points of it are beside its origin, as a matrix, row by row, if it stretches or shears.
    #[serde(skip_serializing_if = "Option::is_none")]
    deformation: Option<[[f64; 3]; 3]>,
}

#[derive(Serialize)]
struct WrenchJson {
    force: [f64; 3],
    torque: [f64; 3],
}

impl From<Wrench> for WrenchJson {
    fn from(w: Wrench) -> Self {
        WrenchJson { force: w.force.to_array(), torque: w.torque.to_array() }
    }
}

#[derive(Serialize)]
struct PartsJson {
    structural: WrenchJson,
    drive: WrenchJson,
    limit: WrenchJson,
    friction: WrenchJson,
}

#[derive(Serialize)]
struct JointJson<'a> {
    kind: &'static str,
    role: &'static str,
    coordinates: Vec<f64>,
    rates: Vec<f64>,
    force: [f64; 3],
    torque: [f64; 3],
    force_unique: [bool; 3],
    torque_unique: [bool; 3],
    parts: PartsJson,
    drives: Vec<DriveJson>,
    multipliers: Cow<'a, [f64]>,
    /// For what has its own count of bodies: what each of them gets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    loads: Vec<ConstraintLoadJson<'a>>,
}

/// What a constraint exerts on one of its bodies, at a point, world axes.
#[derive(Serialize)]
struct ConstraintLoadJson<'a> {
    body: &'a str,
    position: [f64; 3],
    force: [f64; 3],
    torque: [f64; 3],
}

/// What drives, servos and motors give along one coordinate.
#[derive(Serialize)]
struct DriveJson {
    coordinate: usize,
    /// Whether the motion is prescribed, so that the force is the multiplier of a row.
    prescribed: bool,
    force: f64,
    power: f64,
}

#[derive(Serialize)]
struct ProbeJson {
    position: [f64; 3],
    velocity: [f64; 3],
    acceleration: [f64; 3],
}

#[derive(Serialize)]
struct EnergyJson {
    kinetic: f64,
    potential: f64,
    dissipated: f64,
    work: f64,
    initial: f64,
    balance_error: f64,
}

#[derive(Serialize)]
struct MomentumJson {
    linear: [f64; 3],
    angular: [f64; 3],
    balance_error: f64,
}

#[derive(Serialize)]
struct CertificateJson {
    max_position_error: f64,
    max_velocity_error: f64,
    max_equation_residual: f64,
    /// With `integrator = "stepping"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_contact_residual: Option<f64>,
    /// Of a run in which something may touch.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_overlap: Option<f64>,
}

/// The word for a joint's part in the solve.
pub(crate) fn role_name(role: Option<Role>) -> &'static str {
    match role {
        Some(Role::Primary) => "primary",
        Some(Role::Loop) => "loop",
        Some(Role::Auxiliary) => "auxiliary",
        None => "none",
    }
}

impl<'a> Report<'a> {
    fn body(&self, index: usize) -> BodyJson<'a> {
        let b = self.instant.body(BodyId::of_index(index));
        let (u, u_rates) = self.instant.internal_coordinates(BodyId::of_index(index));
        let kind = self.model.bodies()[index].kind;
        let stretches = matches!(kind.name(), "scaled" | "scaled3" | "affine" | "soft");
        let axes = self.instant.deformation_of_body(BodyId::of_index(index));
        BodyJson {
            position: b.position.to_array(),
            frame_position: b.frame_position.to_array(),
            orientation: b.orientation.to_wxyz(),
            velocity: b.velocity.to_array(),
            angular_velocity: b.angular_velocity.to_array(),
            acceleration: b.acceleration.to_array(),
            angular_acceleration: b.angular_acceleration.to_array(),
            u,
            u_rates,
            scale: stretches.then(|| [axes.x, axes.y, axes.z].map(Vec3::norm)),
            deformation: stretches.then(|| [0, 1, 2].map(|r| [axes.x[r], axes.y[r], axes.z[r]])),
        }
    }

    fn joint(&self, index: usize) -> JointJson<'a> {
        let JointReport { coordinates, rates, count, parts, multipliers, drives, .. } =
            self.instant.joint(JointId::of_index(index));
        let joint = &self.model.joints()[index];
        let drive = |k: usize| DriveJson {
            coordinate: k,
            prescribed: joint.is_driven(k),
            force: drives[k],
            power: drives[k] * rates[k],
        };
        let thread = thread_of(self.model, index);
        let structural = parts.structural + thread.map_or(Wrench::ZERO, |c| self.load(c));
        let total = parts.total() + thread.map_or(Wrench::ZERO, |c| self.load(c));
        let (force_unique, torque_unique) = match &self.self_stresses {
            Some(stresses) => {
                let (force, torque) =
                    self.instant.unique_joint_components(JointId::of_index(index), stresses);
                let (also_force, also_torque) = thread.map_or(([true; 3], [true; 3]), |c| {
                    self.instant.unique_constraint_components(ConstraintId::of_index(c), stresses)
                });
                ([0, 1, 2].map(|k| force[k] && also_force[k]), [0, 1, 2].map(|k| torque[k] && also_torque[k]))
            }
            None => ([false; 3], [false; 3]),
        };
        let multipliers = match thread {
            None => Cow::Borrowed(multipliers),
            Some(c) => Cow::Owned(
                [multipliers, self.instant.constraint_multipliers(ConstraintId::of_index(c))].concat(),
            ),
        };
        JointJson {
            kind: if thread.is_some() { "screw" } else { joint.kind.name() },
            role: role_name(self.model.role(JointId::of_index(index))),
            coordinates: coordinates[..count].to_vec(),
            rates: rates[..count].to_vec(),
            force: total.force.to_array(),
            torque: total.torque.to_array(),
            force_unique,
            torque_unique,
            drives: (0..count).filter(|&k| joint.has_drive(k)).map(drive).collect(),
            parts: PartsJson {
                structural: structural.into(),
                drive: parts.drive.into(),
                limit: parts.limit.into(),
                friction: parts.friction.into(),
            },
            multipliers,
            loads: Vec::new(),
        }
    }

    /// What a constraint exerts on its last body, at its frame.
    fn load(&self, index: usize) -> Wrench {
        self.instant
            .constraint_loads(ConstraintId::of_index(index))
            .last()
            .map_or(Wrench::ZERO, |load| load.at_frame)
    }

    /// A constraint, reported like a joint: force and torque are those on its last body.
    fn constraint(&self, index: usize) -> JointJson<'a> {
        let constraint = &self.model.constraints()[index];
        let name = |body: Option<BodyId>| body.map_or("ground", |id| self.model[id].name.as_str());
        let loads: Vec<ConstraintLoadJson<'a>> = self
            .instant
            .constraint_loads(ConstraintId::of_index(index))
            .filter(|load| load.body.is_some())
            .map(|load| ConstraintLoadJson {
                body: name(load.body),
                position: load.position.to_array(),
                force: load.at_frame.force.to_array(),
                torque: load.at_frame.torque.to_array(),
            })
            .collect();
        let total = self.load(index);
        let (force_unique, torque_unique) = match &self.self_stresses {
            Some(stresses) => {
                self.instant.unique_constraint_components(ConstraintId::of_index(index), stresses)
            }
            None => ([false; 3], [false; 3]),
        };
        JointJson {
            kind: constraint.kind(),
            role: role_name(self.model.constraint_role(ConstraintId::of_index(index))),
            coordinates: Vec::new(),
            rates: Vec::new(),
            force: total.force.to_array(),
            torque: total.torque.to_array(),
            force_unique,
            torque_unique,
            drives: Vec::new(),
            parts: PartsJson {
                structural: total.into(),
                drive: Wrench::ZERO.into(),
                limit: Wrench::ZERO.into(),
                friction: Wrench::ZERO.into(),
            },
            multipliers: Cow::Borrowed(self.instant.constraint_multipliers(ConstraintId::of_index(index))),
            loads,
        }
    }

    fn probe(&self, index: usize) -> ProbeJson {
        let p = self.instant.probe(ProbeId::of_index(index));
        ProbeJson {
            position: p.position.to_array(),
            velocity: p.velocity.to_array(),
            acceleration: p.acceleration.to_array(),
        }
    }

    fn energy_json(&self) -> EnergyJson {
        EnergyJson {
            kinetic: self.energy.kinetic,
            potential: self.energy.potential,
            dissipated: self.energy.dissipated,
            work: self.energy.work,
            initial: self.balance.initial_energy,
            balance_error: self.balance.energy_error_per_joule,
        }
    }

    // The summary for people.

    /// What is simulated: the head of every summary.
    pub(crate) fn head(&self) -> String {
        let c = &self.counts;
        let redundant = match c.redundant_rows {
            0 => String::new(),
            n => format!(" ({n} redundant)"),
        };
        format!(
            "{}\n  {}, {}: {}, {}{redundant}, {}; solver: {}\n",
            self.title,
            plural(c.bodies, "body", "bodies"),
            plural(c.joints, "joint", "joints"),
            plural(c.coordinates, "coordinate", "coordinates"),
            plural(c.rows, "row", "rows"),
            plural(c.freedoms, "freedom", "freedoms"),
            self.solver,
        )
    }

    /// Why the run ended early; nothing if it did not.
    pub(crate) fn failure(&self) -> String {
        match self.status.strip_prefix("failed: ") {
            Some(why) => format!("  failed: {why}\n"),
            None => String::new(),
        }
    }

    /// Bodies, joints and probes as tables.
    pub(crate) fn tables(&self) -> String {
        const MOTION: [&str; 3] = ["position [m]", "velocity [m/s]", "acceleration [m/s²]"];
        let mut text = String::new();
        let model = self.model;
        let bodies: Vec<[Vec3; 3]> = (0..model.bodies().len())
            .map(|i| {
                let b = self.instant.body(BodyId::of_index(i));
                [b.position, b.velocity, b.acceleration]
            })
            .collect();
        let probes: Vec<[Vec3; 3]> = (0..model.probes().len())
            .map(|i| {
                let p = self.instant.probe(ProbeId::of_index(i));
                [p.position, p.velocity, p.acceleration]
            })
            .collect();
        // Noise is judged against the whole mechanism.
        let mut sizes = [0, 1, 2].map(|k| largest(bodies.iter().chain(&probes).map(|row| row[k])));
        // What turns fast has velocities that cancel; what is heavy, accelerations.
        let spin =
            largest((0..bodies.len()).map(|i| self.instant.body(BodyId::of_index(i)).angular_velocity));
        sizes[1] = sizes[1].max(spin * sizes[0]);
        sizes[2] = sizes[2].max(model.gravity().norm()).max(spin * spin * sizes[0]);
        let cells =
            |row: &[Vec3; 3]| row.iter().zip(sizes).map(|(v, size)| format_vector(*v, size)).collect();
        let names = model.bodies().iter().map(|b| b.name.as_str());
        table(&mut text, "body", &MOTION, names, |i| cells(&bodies[i]));
        let turning: Vec<usize> =
            (0..bodies.len()).filter(|&i| spin > 0.0 && model.bodies()[i].kind.has_orientation()).collect();
        let names = turning.iter().map(|&i| model.bodies()[i].name.as_str());
        table(&mut text, "turning", &["angular velocity [rad/s]"], names, |row| {
            vec![format_vector(self.instant.body(BodyId::of_index(turning[row])).angular_velocity, spin)]
        });

        let joints: Vec<JointReport<'_>> =
            (0..model.joints().len()).map(|i| self.instant.joint(JointId::of_index(i))).collect();
        let others = own_constraints(model);
        let constraints: Vec<Wrench> = others.iter().map(|&i| self.load(i)).collect();
        let threads: Vec<Option<usize>> = (0..joints.len()).map(|i| thread_of(model, i)).collect();
        let whole = |i: usize| joints[i].parts.total() + threads[i].map_or(Wrench::ZERO, |c| self.load(c));
        let force = largest(joints.iter().map(|j| j.parts.total().force));
        let force = largest(constraints.iter().map(|w| w.force)).max(force);
        let torque = largest(joints.iter().map(|j| j.parts.total().torque)).max(force);
        let torque = largest(constraints.iter().map(|w| w.torque)).max(torque);
        let names = model.joints().iter().map(|j| j.name.as_str());
        let names: Vec<&str> =
            names.chain(others.iter().map(|&c| model.constraints()[c].name.as_str())).collect();
        let heads = ["kind", "coordinates [rad, m]", "force [N]", "torque [N·m]"];
        table(&mut text, "joint", &heads, names.into_iter(), |i| {
            let Some(j) = joints.get(i) else {
                let (c, w) = (others[i - joints.len()], constraints[i - joints.len()]);
                let kind = model.constraints()[c].kind().to_string();
                return vec![
                    kind,
                    String::new(),
                    format_vector(w.force, force),
                    format_vector(w.torque, torque),
                ];
            };
            let total = whole(i);
            let values: Vec<String> =
                j.coordinates[..j.count].iter().map(|&x| without_noise(x, 1.0)).collect();
            let kind = if threads[i].is_some() { "screw".into() } else { model.joints()[i].kind.to_string() };
            vec![
                kind,
                values.join(", "),
                format_vector(total.force, force),
                format_vector(total.torque, torque),
            ]
        });
        // Rates, where anything moves.
        let fastest = spin.max(sizes[1]);
        let moving: Vec<usize> =
            (0..joints.len()).filter(|&i| fastest > 0.0 && joints[i].count > 0).collect();
        let names = moving.iter().map(|&i| model.joints()[i].name.as_str());
        table(&mut text, "rate", &["[rad/s, m/s]"], names, |row| {
            let j = &joints[moving[row]];
            let rates: Vec<String> = j.rates[..j.count].iter().map(|&x| without_noise(x, fastest)).collect();
            vec![rates.join(", ")]
        });

        let driven: Vec<(usize, usize)> = model
            .joints()
            .iter()
            .enumerate()
            .flat_map(|(i, joint)| {
                (0..joint.kind.coordinates()).filter(|&k| joint.has_drive(k)).map(move |k| (i, k))
            })
            .collect();
        let names = driven.iter().map(|&(i, _)| model.joints()[i].name.as_str());
        table(&mut text, "drive", &["coordinate", "force [N, N·m]", "power [W]"], names, |row| {
            let (i, k) = driven[row];
            let (joint, size) = (&joints[i], force.max(torque));
            let (given, rate) = (joint.drives[k], joint.rates[k]);
            let power = without_noise(given * rate, size * rate.abs().max(1.0));
            vec![k.to_string(), without_noise(given, size), power]
        });

        let names = model.probes().iter().map(|p| p.name.as_str());
        table(&mut text, "probe", &MOTION, names, |i| cells(&probes[i]));
        text
    }

    /// The run's certificate.
    pub(crate) fn certificate_text(&self) -> String {
        let mut text = String::from("\ncertificate (worst over the run)\n");
        self.errors_text(&mut text);
        let b = &self.balance;
        certificate_line(&mut text, "energy balance", b.energy_error, "relative to the largest energy seen");
        let what = "relative to the largest momentum seen";
        certificate_line(&mut text, "momentum balance", b.momentum_error, what);
        self.energy_text(&mut text);
        text
    }

    /// The certificate of a single solve: no time has passed, so there is no balance to keep.
    pub(crate) fn solve_text(&self) -> String {
        let mut text = String::from("\ncertificate (at t = 0, nothing moved)\n");
        self.errors_text(&mut text);
        self.energy_text(&mut text);
        text
    }

    /// The certificate of a pose that was found.
    pub(crate) fn pose_text(&self) -> String {
        let mut text = String::from("\ncertificate (of this pose)\n");
        self.errors_text(&mut text);
        self.energy_text(&mut text);
        text
    }

    /// Takes the certificate from the instant itself: there was no run.
    pub(crate) fn certify_instant(&mut self) {
        self.certificate = Certificate {
            max_position_error: worst(self.instant.position_errors()),
            max_velocity_error: worst(self.instant.velocity_errors()),
            max_equation_residual: self.instant.equation_residual(),
            ..Certificate::default()
        };
    }

    fn certificate_json(&self) -> CertificateJson {
        let c = &self.certificate;
        CertificateJson {
            max_position_error: c.max_position_error,
            max_velocity_error: c.max_velocity_error,
            max_equation_residual: c.max_equation_residual,
            max_contact_residual: self.takes_impulses.then_some(c.max_contact_residual),
            max_overlap: self.may_overlap().then_some(c.max_overlap),
        }
    }

    /// Whether a run says how far something was passed.
    fn may_overlap(&self) -> bool {
        self.steps > 0 && self.model.has_inequalities()
    }

    fn errors_text(&self, text: &mut String) {
        let c = &self.certificate;
        certificate_line(text, "position error", c.max_position_error, "joints closed: |C| in m or rad");
        let what = "and staying so: |J v| in m/s or rad/s";
        certificate_line(text, "velocity error", c.max_velocity_error, what);
        let what = "M v' − F − Jᵀλ and J v' + c, relative to their terms";
        certificate_line(text, "equation residual", c.max_equation_residual, what);
        if c.max_contact_residual > 0.0 {
            let what = "of the velocities that contacts had to stop";
            certificate_line(text, "contact residual", c.max_contact_residual, what);
        }
        if self.may_overlap() {
            let what = "how far anything was passed at the end of a step, in m or rad";
            certificate_line(text, "overlap", c.max_overlap, what);
        }
    }

    fn energy_text(&self, text: &mut String) {
        impulses::summary(text, &self.impulses);
        contact_report::summary(text, self.model, &self.instant, &self.events);
        let e = &self.energy;
        let size = e.kinetic.abs().max(e.potential.abs());
        let [kinetic, potential, dissipated, work] =
            [e.kinetic, e.potential, e.dissipated, e.work].map(|x| without_noise(x, size));
        let _ = writeln!(
            text,
            "\nenergy: kinetic {kinetic} J, potential {potential} J, dissipated {dissipated} J, work {work} J\n\
             state hash: {:016x}",
            self.state_hash
        );
    }

    /// The warnings, a line each.
    pub(crate) fn warning_lines(&self) -> String {
        self.warnings.iter().map(|warning| format!("  warning: {warning}\n")).collect()
    }

    /// How long it took.
    pub(crate) fn timing(&self, dt: f64, settings: &cardan::Settings) -> String {
        let speed = match self.steps {
            0 => String::new(),
            _ => format!(", {} × real time", format_rough(self.real_time_factor())),
        };
        let steps = plural(self.steps as usize, "step", "steps");
        let steps = if settings.integrator.is_adaptive() {
            format!("{steps}, {} rejected", self.counts.rejected)
        } else {
            let size = if self.steps == 0 { dt } else { dt.min(self.instant.time()) };
            format!("{steps} of {} s", format_number(size))
        };
        format!(
            "  {} s in {steps} ({}) took {} s{speed}\n",
            format_number(self.instant.time()),
            settings_text(settings),
            format_rough(self.wall_seconds),
        )
    }
}

fn certificate_line(text: &mut String, name: &str, value: f64, what: &str) {
    let _ = writeln!(text, "  {name:20} {:>9}   {what}", format_error(value));
}

fn settings_text(settings: &cardan::Settings) -> String {
    let integrator = match settings.integrator {
        cardan::Integrator::ExplicitEuler => "explicit Euler",
        cardan::Integrator::SemiImplicitEuler => "semi-implicit Euler",
        cardan::Integrator::Rk4 => "RK4",
        cardan::Integrator::Dopri5 => "Dormand–Prince 5(4)",
        cardan::Integrator::Rattle => "RATTLE",
        cardan::Integrator::TimeStepping => "time stepping",
        cardan::Integrator::FirstOrder => "first order, f = m v",
    };
    let stabilization = match settings.stabilization {
        cardan::Stabilization::Projection => "projection",
        cardan::Stabilization::Baumgarte { .. } => "Baumgarte",
        cardan::Stabilization::None => "no stabilisation",
    };
    let coordinates = match settings.coordinates {
        cardan::Coordinates::Bodies => "",
        cardan::Coordinates::Joints => ", joint coordinates",
    };
    match settings.integrator {
        cardan::Integrator::Dopri5 => {
            let cardan::ErrorControl { relative, absolute, .. } = settings.control;
            format!("{integrator} to {relative:e} and {absolute:e}, {stabilization}{coordinates}")
        }
        cardan::Integrator::Rattle => integrator.to_string(),
        _ => format!("{integrator}, {stabilization}{coordinates}"),
    }
}

/// What the integrator carried, as scenes say it.
fn coordinates_word(coordinates: cardan::Coordinates) -> &'static str {
    match coordinates {
        cardan::Coordinates::Bodies => "bodies",
        cardan::Coordinates::Joints => "joints",
    }
}

/// The largest magnitude; NaN if one is NaN, so that a lost number shows.
pub(crate) fn worst(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |w, v| if v.abs() > w || v.is_nan() { v.abs() } else { w })
}

pub(crate) fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Five significant digits; what is not known is a dash.
pub(crate) fn format_number(x: f64) -> String {
    digits(x, 5)
}

/// Two significant digits, for times of the clock.
fn format_rough(x: f64) -> String {
    digits(format!("{x:.1e}").parse().unwrap_or(x), 2)
}

fn digits(x: f64, count: i32) -> String {
    if x == 0.0 {
        return "0".to_string();
    }
    if x.is_nan() {
        return "–".to_string();
    }
    let size = x.abs();
    if !(1e-4..1e6).contains(&size) {
        return format!("{x:.*e}", count.min(4) as usize - 1);
    }
    let decimals = (count - 1 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// An error, which is a power of ten more than a number.
pub(crate) fn format_error(x: f64) -> String {
    if x == 0.0 {
        "0".to_string()
    } else if x.is_nan() {
        "–".to_string()
    } else {
        format!("{x:.1e}")
    }
}

/// The largest length among vectors that are known.
fn largest(all: impl Iterator<Item = Vec3>) -> f64 {
    all.map(Vec3::norm).filter(|n| n.is_finite()).fold(0.0, f64::max)
}

/// A number; rounding beside `size` is shown as zero, and so is what no unit of this world measures.
pub(crate) fn without_noise(x: f64, size: f64) -> String {
    const NOTHING: f64 = 1e-15;
    if x.abs() <= (1e-12 * size).max(NOTHING) { "0".to_string() } else { format_number(x) }
}

/// A vector; components that are rounding beside `size` are shown as zero.
fn format_vector(v: Vec3, size: f64) -> String {
    let [x, y, z] = v.to_array().map(|x| without_noise(x, size));
    format!("{x}, {y}, {z}")
}

pub(crate) fn table<'n>(
    text: &mut String,
    head: &str,
    columns: &[&str],
    names: impl ExactSizeIterator<Item = &'n str>,
    cells: impl Fn(usize) -> Vec<String>,
) {
    let total = names.len();
    if total == 0 {
        return;
    }
    let shown: Vec<_> = names.take(SHOWN).enumerate().map(|(i, name)| (name, cells(i))).collect();
    let wide = |s: &str| s.chars().count();
    let mut widths: Vec<usize> = columns.iter().map(|c| wide(c)).collect();
    for (_, cells) in &shown {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(wide(cell));
        }
    }
    let first = shown.iter().map(|(name, _)| wide(name)).max().unwrap_or(0).max(wide(head));
    let mut line = |name: &str, cells: &[&str]| {
        let mut row = format!("{name}{}", " ".repeat(first.saturating_sub(wide(name))));
        for (cell, width) in cells.iter().zip(&widths) {
            let _ = write!(row, "   {cell}{}", " ".repeat(width.saturating_sub(wide(cell))));
        }
        let _ = writeln!(text, "{}", row.trim_end());
    };
    line("", &[]);
    line(head, columns);
    for (name, cells) in &shown {
        line(name, &cells.iter().map(String::as_str).collect::<Vec<_>>());
    }
    if total > SHOWN {
        let _ = writeln!(text, "… and {} more (all of them with --json)", total - SHOWN);
    }
}
