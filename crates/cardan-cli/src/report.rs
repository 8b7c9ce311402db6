//! The result of a run: the JSON object that other programs read, and the summary that people read.

use crate::load::Loaded;
use cardan::measure::{Instant, JointReport};
use cardan::solve::Role;
use cardan::{Balance, Certificate, Energy, Model, Momentum, Simulation, Wrench};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
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
    pub(crate) certificate: Certificate,
    pub(crate) energy: Energy,
    pub(crate) momentum: Momentum,
    pub(crate) balance: Balance,
    pub(crate) counts: CountsJson,
    pub(crate) state_hash: u64,
    pub(crate) solver: &'static str,
    pub(crate) model: &'a Model,
    pub(crate) instant: Instant<'a>,
    /// Loads that redundant rows leave open; `None` if there are too many rows to tell.
    pub(crate) self_stresses: Option<Vec<Vec<f64>>>,
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
    events: usize,
}

impl<'a> Report<'a> {
    /// Reads a simulation where it stands.
    pub(crate) fn new(
        loaded: &'a Loaded,
        sim: &'a mut Simulation,
        status: String,
        wall_seconds: f64,
    ) -> Self {
        // What the run itself cost, before this report's own solve.
        let work = sim.work_counts();
        let (energy, momentum, balance) = (sim.energy(), sim.momentum(), sim.balance());
        let (certificate, steps, state_hash) = (sim.certificate(), sim.steps(), sim.state_hash());
        let solver = sim.solver_name();
        let instant = sim.observe();
        let model = &*loaded.model;
        let counts = model.counts();
        let rank = instant.rank();
        Report {
            scene: &loaded.name,
            title: loaded.title(),
            status,
            steps,
            wall_seconds,
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
                inequalities: 0,
                factorizations: work.factorizations,
                solves: work.solves,
                iterations: work.iterations,
                events: 0,
            },
            state_hash,
            solver,
            model,
            self_stresses: instant.self_stresses(MOST_ROWS_FOR_UNIQUENESS),
            instant,
        }
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
        let bodies = entries(model.bodies().len(), |i| (model.bodies()[i].name.as_str(), self.body(i)));
        map.serialize_entry("bodies", &bodies)?;
        let joints = entries(model.joints().len(), |i| (model.joints()[i].name.as_str(), self.joint(i)));
        map.serialize_entry("joints", &joints)?;
        let probes = entries(model.probes().len(), |i| (model.probes()[i].name.as_str(), self.probe(i)));
        map.serialize_entry("probes", &probes)?;
        map.serialize_entry("contacts", &[(); 0])?;
        map.serialize_entry("energy", &self.energy_json())?;
        map.serialize_entry(
            "momentum",
            &MomentumJson {
                linear: self.momentum.linear.to_array(),
                angular: self.momentum.angular.to_array(),
                balance_error: self.balance.momentum_error,
            },
        )?;
        map.serialize_entry("certificate", &certificate_json(&self.certificate))?;
        map.serialize_entry("counts", &self.counts)?;
        map.serialize_entry("events", &[(); 0])?;
        map.serialize_entry("state_hash", &format!("{:016x}", self.state_hash))?;
        map.end()
    }
}

/// A JSON object whose entries are made one at a time.
struct Entries<F>(usize, F);

/// Helps the compiler see that the names live as long as the model.
fn entries<'n, T: Serialize, F: Fn(usize) -> (&'n str, T)>(count: usize, entry: F) -> Entries<F> {
    Entries(count, entry)
}

impl<'n, T: Serialize, F: Fn(usize) -> (&'n str, T)> Serialize for Entries<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map((0..self.0).map(&self.1))
    }
}

#[derive(Serialize)]
struct BodyJson {
    position: [f64; 3],
    frame_position: [f64; 3],
    orientation: [f64; 4],
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
    acceleration: [f64; 3],
    angular_acceleration: [f64; 3],
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
    multipliers: &'a [f64],
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
}

fn certificate_json(c: &Certificate) -> CertificateJson {
    CertificateJson {
        max_position_error: c.max_position_error,
        max_velocity_error: c.max_velocity_error,
        max_equation_residual: c.max_equation_residual,
    }
}

/// The word for a joint's part in the solve.
pub(crate) fn role_name(role: Role) -> &'static str {
    match role {
        Role::Primary => "primary",
        Role::Loop => "loop",
        Role::Auxiliary => "auxiliary",
    }
}

impl<'a> Report<'a> {
    fn body(&self, index: usize) -> BodyJson {
        let b = self.instant.body(index);
        BodyJson {
            position: b.position.to_array(),
            frame_position: b.frame_position.to_array(),
            orientation: b.orientation.to_wxyz(),
            velocity: b.velocity.to_array(),
            angular_velocity: b.angular_velocity.to_array(),
            acceleration: b.acceleration.to_array(),
            angular_acceleration: b.angular_acceleration.to_array(),
        }
    }

    fn joint(&self, index: usize) -> JointJson<'a> {
        let JointReport { coordinates, rates, count, parts, multipliers, .. } = self.instant.joint(index);
        let total = parts.total();
        let (force_unique, torque_unique) = match &self.self_stresses {
            Some(stresses) => self.instant.unique(index, stresses),
            None => ([false; 3], [false; 3]),
        };
        JointJson {
            kind: self.model.joints()[index].kind.name(),
            role: role_name(self.model.role(index)),
            coordinates: coordinates[..count].to_vec(),
            rates: rates[..count].to_vec(),
            force: total.force.to_array(),
            torque: total.torque.to_array(),
            force_unique,
            torque_unique,
            parts: PartsJson {
                structural: parts.structural.into(),
                drive: parts.drive.into(),
                limit: parts.limit.into(),
                friction: parts.friction.into(),
            },
            multipliers,
        }
    }

    fn probe(&self, index: usize) -> ProbeJson {
        let p = self.instant.probe(index);
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
            balance_error: self.balance.energy_error,
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

    /// Bodies, joints and probes as tables.
    pub(crate) fn tables(&self) -> String {
        let mut text = String::new();
        let model = self.model;
        let bodies = model.bodies().iter().enumerate().map(|(i, body)| {
            let b = self.instant.body(i);
            (
                body.name.clone(),
                vec![triple(b.position, 0.0), triple(b.velocity, 0.0), triple(b.acceleration, 0.0)],
            )
        });
        table(&mut text, "body", &["position [m]", "velocity [m/s]", "acceleration [m/s²]"], bodies);
        let joints = model.joints().iter().enumerate().map(|(i, joint)| {
            let j = self.instant.joint(i);
            let values: Vec<String> = j.coordinates[..j.count].iter().map(|x| short(*x)).collect();
            let total = j.parts.total();
            (
                joint.name.clone(),
                vec![
                    joint.kind.to_string(),
                    values.join(" "),
                    triple(total.force, 0.0),
                    triple(total.torque, total.force.norm()),
                ],
            )
        });
        table(&mut text, "joint", &["kind", "coordinates [rad, m]", "force [N]", "torque [N·m]"], joints);
        let probes = model.probes().iter().enumerate().map(|(i, probe)| {
            let p = self.instant.probe(i);
            (
                probe.name.clone(),
                vec![triple(p.position, 0.0), triple(p.velocity, 0.0), triple(p.acceleration, 0.0)],
            )
        });
        table(&mut text, "probe", &["position [m]", "velocity [m/s]", "acceleration [m/s²]"], probes);
        text
    }

    /// The run's certificate.
    pub(crate) fn certificate_text(&self) -> String {
        let (c, e, b) = (&self.certificate, &self.energy, &self.balance);
        let mut text = String::from("\ncertificate (worst over the run)\n");
        let mut line = |name: &str, value: f64, what: &str| {
            let _ = writeln!(text, "  {name:20} {value:9.1e}   {what}");
        };
        line("position error", c.max_position_error, "joints closed: |C| in m or rad");
        line("velocity error", c.max_velocity_error, "joints at rest in themselves: |J v| in m/s or rad/s");
        line("equation residual", c.max_equation_residual, "force balance of every body, relative");
        line("energy balance", b.energy_error, "relative to the largest energy seen");
        line("momentum balance", b.momentum_error, "relative to the largest momentum seen");
        let _ = writeln!(
            text,
            "\nenergy: kinetic {}, potential {}, dissipated {}, work {} J\nstate hash: {:016x}",
            short(e.kinetic),
            short(e.potential),
            short(e.dissipated),
            short(e.work),
            self.state_hash
        );
        text
    }

    /// How long it took.
    pub(crate) fn timing(&self, dt: f64, settings: &cardan::Settings) -> String {
        format!(
            "  {} s in {} of {} s ({}) took {} s: {} × real time\n",
            short(self.instant.time()),
            plural(self.steps as usize, "step", "steps"),
            short(dt),
            settings_text(settings),
            short(self.wall_seconds),
            short(self.real_time_factor()),
        )
    }
}

fn settings_text(settings: &cardan::Settings) -> String {
    let integrator = match settings.integrator {
        cardan::Integrator::ExplicitEuler => "explicit Euler",
        cardan::Integrator::SemiImplicitEuler => "semi-implicit Euler",
        cardan::Integrator::Rk4 => "RK4",
    };
    let stabilization = match settings.stabilization {
        cardan::Stabilization::Projection => "projection",
        cardan::Stabilization::Baumgarte { .. } => "Baumgarte",
        cardan::Stabilization::None => "no stabilisation",
    };
    format!("{integrator}, {stabilization}")
}

pub(crate) fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Five significant digits, without the noise that rounding leaves around zero.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".to_string();
    }
    let size = x.abs();
    if !(1e-4..1e6).contains(&size) {
        return format!("{x:.3e}");
    }
    let digits = (4 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// A vector; components that are rounding beside the largest, or beside `size`, are shown as zero.
fn triple(v: cardan::math::Vec3, size: f64) -> String {
    let noise = 1e-12 * v.norm().max(size);
    let parts = v.to_array().map(|x| if x.abs() <= noise { "0".to_string() } else { short(x) });
    format!("{}, {}, {}", parts[0], parts[1], parts[2])
}

fn table(
    text: &mut String,
    head: &str,
    columns: &[&str],
    rows: impl ExactSizeIterator<Item = (String, Vec<String>)>,
) {
    let total = rows.len();
    if total == 0 {
        return;
    }
    let shown: Vec<_> = rows.take(SHOWN).collect();
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
