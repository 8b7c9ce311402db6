//! Recording a run: one row of numbers per interval, as a table and as a plot.

use crate::Failure;
use crate::args::RunArgs;
use crate::load::Loaded;
use crate::output::{self, cannot_write, unknown_ending};
use crate::picture::chart::{Chart, Panel, Series};
use crate::run::Stop;
use cardan::math::Vec3;
use cardan::measure::Instant;
use cardan::{Energy, Model, Simulation, Wrench};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// A number that is recorded, by its name and unit.
struct Column {
    name: String,
    unit: &'static str,
}

/// Collects rows; nothing is done unless a table or a plot is asked for.
pub(crate) struct Recorder {
    columns: Vec<Column>,
    row: Vec<f64>,
    interval: f64,
    /// Rows written so far; the next one is due at this many intervals.
    rows: u64,
    last_time: f64,
    table: Option<(PathBuf, csv::Writer<BufWriter<File>>)>,
    plot: Option<Plot>,
}

struct Plot {
    path: PathBuf,
    title: String,
    /// Which columns, by index.
    picked: Vec<usize>,
    times: Vec<f64>,
    /// One list of values per picked column.
    values: Vec<Vec<f64>>,
}

impl Recorder {
    pub(crate) fn new(loaded: &Loaded, args: &RunArgs, interval: f64) -> Result<Self, Failure> {
        let columns = columns(&loaded.model);
        let table = match &args.out {
            None => None,
            Some(path) => Some((path.clone(), open_table(path, &columns)?)),
        };
        let plot = match &args.plot {
            None => None,
            Some(path) => {
                output::check_picture(path)?;
                let picked = pick(&columns, &args.columns)?;
                let values = vec![Vec::new(); picked.len()];
                let title = loaded.title().to_string();
                Some(Plot { path: path.clone(), title, picked, times: Vec::new(), values })
            }
        };
        let row = Vec::with_capacity(columns.len());
        Ok(Recorder { columns, row, interval, rows: 0, last_time: f64::NAN, table, plot })
    }

    fn is_idle(&self) -> bool {
        self.table.is_none() && self.plot.is_none()
    }

    /// Takes the rows that are due: those within the last step, where the integrator knows them, and one where it stands.
    pub(crate) fn note(&mut self, sim: &mut Simulation) -> Result<(), Stop> {
        if self.is_idle() {
            return Ok(());
        }
        // Times add up with rounding; a row is due within a millionth of its interval.
        let early = 1e-6 * self.interval;
        loop {
            let due = self.rows as f64 * self.interval;
            if due >= sim.time() - early {
                break;
            }
            let Some(state) = sim.state_at(due).map_err(Stop::Step)? else { break };
            self.rows = self.rows.saturating_add(1);
            let energy = sim.energy_at(&state);
            let model = sim.model().clone();
            self.write(&model, &sim.observe_at(&state), &energy).map_err(Stop::Output)?;
        }
        if sim.time() < self.rows as f64 * self.interval - early {
            return Ok(());
        }
        // A step longer than the interval takes one row, not several.
        self.rows = self.rows.max((sim.time() / self.interval) as u64).saturating_add(1);
        self.take(sim).map_err(Stop::Output)
    }

    /// Takes the last row, if it was not due anyway.
    pub(crate) fn note_last(&mut self, sim: &mut Simulation) -> Result<(), Failure> {
        if self.is_idle() || self.last_time == sim.time() {
            return Ok(());
        }
        self.take(sim)
    }

    fn take(&mut self, sim: &mut Simulation) -> Result<(), Failure> {
        let energy = sim.energy();
        let model = sim.model().clone();
        self.write(&model, &sim.observe(), &energy)
    }

    fn write(&mut self, model: &Model, now: &Instant<'_>, energy: &Energy) -> Result<(), Failure> {
        self.last_time = now.time();
        self.row.clear();
        fill(model, now, energy, &mut self.row);
        if let Some((path, table)) = &mut self.table {
            // Shortest text that reads back to the same bits.
            let mut buffer = [0u8; 32];
            for x in &self.row {
                let mut rest = &mut buffer[..];
                let _ = write!(rest, "{x:e}");
                let used = 32 - rest.len();
                table.write_field(&buffer[..used]).map_err(|error| cannot_write(path, &error))?;
            }
            table.write_record(None::<&[u8]>).map_err(|error| cannot_write(path, &error))?;
        }
        if let Some(plot) = &mut self.plot {
            plot.times.push(self.row[0]);
            for (values, &column) in plot.values.iter_mut().zip(&plot.picked) {
                values.push(self.row[column]);
            }
        }
        Ok(())
    }

    /// Writes the files.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        if let Some((path, table)) = &mut self.table {
            table.flush().map_err(|error| cannot_write(path, &error))?;
        }
        match &self.plot {
            Some(plot) => output::picture(&plot.path, &plot.chart(&self.columns).svg()),
            None => Ok(()),
        }
    }

    /// Says which files there are now.
    pub(crate) fn mention_files(&self, out: &mut impl Write) {
        if let Some((path, _)) = &self.table {
            let _ = writeln!(out, "table: {}", path.display());
        }
        if let Some(plot) = &self.plot {
            let _ = writeln!(out, "plot: {}", plot.path.display());
        }
    }
}

fn open_table(path: &PathBuf, columns: &[Column]) -> Result<csv::Writer<BufWriter<File>>, Failure> {
    if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv")) {
        return Err(unknown_ending(path, ".csv"));
    }
    let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
    let mut table = csv::Writer::from_writer(BufWriter::new(file));
    let names = columns.iter().map(|c| c.name.as_str());
    table.write_record(names).map_err(|error| cannot_write(path, &error))?;
    Ok(table)
}

const XYZ: [&str; 3] = ["x", "y", "z"];

/// Names of all columns, in the order of [`fill`].
fn columns(model: &Model) -> Vec<Column> {
    let mut all = vec![Column { name: "time".to_string(), unit: "s" }];
    let mut vector = |prefix: String, unit: &'static str| {
        all.extend(XYZ.map(|axis| Column { name: format!("{prefix}.{axis}"), unit }));
    };
    for body in model.bodies() {
        let part = |field: &str| format!("bodies.{}.{field}", body.name);
        vector(part("position"), "m");
        vector(part("rotation_vector"), "rad");
        vector(part("velocity"), "m/s");
        vector(part("angular_velocity"), "rad/s");
        vector(part("acceleration"), "m/s²");
        vector(part("angular_acceleration"), "rad/s²");
    }
    for joint in model.joints() {
        vector(format!("joints.{}.force", joint.name), "N");
        vector(format!("joints.{}.torque", joint.name), "N·m");
    }
    for constraint in model.constraints() {
        vector(format!("joints.{}.force", constraint.name), "N");
        vector(format!("joints.{}.torque", constraint.name), "N·m");
    }
    for probe in model.probes() {
        vector(format!("probes.{}", probe.name), "m");
        vector(format!("probes.{}.velocity", probe.name), "m/s");
        vector(format!("probes.{}.acceleration", probe.name), "m/s²");
    }
    for joint in model.joints() {
        for k in 0..joint.kind.coordinates() {
            let (unit, rate) = if joint.kind.is_angle(k) { ("rad", "rad/s") } else { ("m", "m/s") };
            all.push(Column { name: format!("joints.{}.coordinates.{k}", joint.name), unit });
            all.push(Column { name: format!("joints.{}.rates.{k}", joint.name), unit: rate });
            if joint.has_drive(k) {
                let unit = if joint.kind.is_angle(k) { "N·m" } else { "N" };
                all.push(Column { name: format!("joints.{}.drive.{k}", joint.name), unit });
                all.push(Column { name: format!("joints.{}.drive_power.{k}", joint.name), unit: "W" });
            }
        }
        for r in 0..joint.rows() {
            all.push(Column { name: format!("joints.{}.multipliers.{r}", joint.name), unit: "N, N·m" });
        }
    }
    for constraint in model.constraints() {
        for r in 0..constraint.rows() {
            all.push(Column { name: format!("joints.{}.multipliers.{r}", constraint.name), unit: "N, N·m" });
        }
    }
    for part in ["kinetic", "potential", "dissipated", "work", "total"] {
        all.push(Column { name: format!("energy.{part}"), unit: "J" });
    }
    all
}

/// The numbers of one row.
fn fill(model: &Model, now: &Instant<'_>, energy: &Energy, row: &mut Vec<f64>) {
    fn vectors(row: &mut Vec<f64>, all: &[Vec3]) {
        for v in all {
            row.extend(v.to_array());
        }
    }
    row.push(now.time());
    for i in 0..model.bodies().len() {
        let b = now.body(i);
        let turned = b.orientation.log();
        vectors(
            row,
            &[b.position, turned, b.velocity, b.angular_velocity, b.acceleration, b.angular_acceleration],
        );
    }
    for i in 0..model.joints().len() {
        let total = now.joint(i).parts.total();
        vectors(row, &[total.force, total.torque]);
    }
    for i in 0..model.constraints().len() {
        let load = now.constraint_loads(i).last().map_or(Wrench::ZERO, |load| load.at_frame);
        vectors(row, &[load.force, load.torque]);
    }
    for i in 0..model.probes().len() {
        let p = now.probe(i);
        vectors(row, &[p.position, p.velocity, p.acceleration]);
    }
    for (i, joint) in model.joints().iter().enumerate() {
        let j = now.joint(i);
        for k in 0..j.count {
            row.extend([j.coordinates[k], j.rates[k]]);
            if joint.has_drive(k) {
                row.extend([j.drives[k], j.drives[k] * j.rates[k]]);
            }
        }
        row.extend(j.multipliers);
    }
    for i in 0..model.constraints().len() {
        row.extend(now.constraint_multipliers(i));
    }
    row.extend([energy.kinetic, energy.potential, energy.dissipated, energy.work, energy.mechanical()]);
}

/// The columns that names or prefixes stand for; energies, joint coordinates and forces of drives without any.
fn pick(columns: &[Column], wanted: &[String]) -> Result<Vec<usize>, Failure> {
    if wanted.is_empty() {
        let usual = |c: &Column| {
            matches!(c.name.as_str(), "energy.kinetic" | "energy.potential" | "energy.total")
                || (c.name.starts_with("joints.")
                    && (c.name.contains(".coordinates.") || c.name.contains(".drive.")))
        };
        return Ok((0..columns.len()).filter(|&i| usual(&columns[i])).collect());
    }
    let mut picked = Vec::new();
    for want in wanted {
        let below = format!("{want}.");
        let found: Vec<usize> = (0..columns.len())
            .filter(|&i| columns[i].name == *want || columns[i].name.starts_with(&below))
            .collect();
        if found.is_empty() {
            let near = cardan_scene::nearest(want, columns.iter().map(|c| c.name.as_str()));
            let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(Failure::Input(format!("error: --columns: nothing is called `{want}`{help}")));
        }
        picked.extend(found.into_iter().filter(|i| !picked.contains(i)).collect::<Vec<_>>());
    }
    Ok(picked)
}

impl Plot {
    /// One panel per unit, in the order in which the units appear.
    fn chart(&self, columns: &[Column]) -> Chart {
        let mut panels: Vec<(&str, Panel)> = Vec::new();
        for (values, &column) in self.values.iter().zip(&self.picked) {
            let Column { name, unit } = &columns[column];
            let points = self.times.iter().zip(values).map(|(&t, &x)| [t, x]).collect();
            let series = Series { name: name.clone(), points };
            match panels.iter_mut().find(|(u, _)| u == unit) {
                Some((_, panel)) => panel.series.push(series),
                None => panels.push((unit, Panel { y_label: format!("[{unit}]"), series: vec![series] })),
            }
        }
        // Energies last: they are the background to everything else.
        panels.sort_by_key(|(unit, _)| *unit == "J");
        Chart {
            title: self.title.clone(),
            x_label: "time [s]".to_string(),
            panels: panels.into_iter().map(|(_, panel)| panel).collect(),
        }
    }
}
