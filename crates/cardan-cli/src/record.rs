//! Recording a run: one row of numbers per interval, as a table and as a plot.

use crate::Failure;
use crate::args::RunArgs;
use crate::load::LoadedScene;
use crate::output::{self, cannot_write, unknown_ending};
use crate::picture::chart::{Chart, Panel, Series};
use crate::report::screws::{own_constraints, thread_of};
use crate::run::RunError;
use crate::runner::Runner;
use crate::tolerances::STEP_TIME;
use cardan::math::Vec3;
use cardan::measure::{InequalityState, Instant};
use cardan::{BodyId, ConstraintId, Energy, JointId, Model, ProbeId, Simulation, Wrench};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// A number that is recorded, by its name and unit.
struct Column {
    name: String,
    unit: &'static str,
}

/// Which constraints are threads, and which are not.
struct ScrewThreads {
    /// The thread of each joint.
    threads: Vec<Option<usize>>,
    others: Vec<usize>,
}

impl ScrewThreads {
    fn of(model: &Model) -> Self {
        let threads = (0..model.joints().len()).map(|i| thread_of(model, i)).collect();
        ScrewThreads { threads, others: own_constraints(model) }
    }
}

/// Peaks and root mean squares of columns over a run.
pub(crate) struct ColumnStatistics {
    model: Arc<Model>,
    columns: Vec<Column>,
    selected: Vec<usize>,
    screws: ScrewThreads,
    row: Vec<f64>,
    /// Of each picked column: the peak, the integral of its square, and its last value.
    sums: Vec<[f64; 3]>,
    /// Time, and the value of each.
    pub(crate) points: Vec<Vec<[f64; 2]>>,
    from: f64,
    last: f64,
}

impl ColumnStatistics {
    /// The columns of these names or prefixes; forces and powers of drives without any.
    pub(crate) fn new(model: &Arc<Model>, wanted: &[String]) -> Result<Self, Failure> {
        let columns = columns(model);
        let driven = |c: &Column| c.name.contains(".drive.") || c.name.contains(".drive_power.");
        let selected = match wanted.is_empty() {
            true => (0..columns.len()).filter(|&i| driven(&columns[i])).collect(),
            false => select_columns(&columns, wanted)?,
        };
        let sums = vec![[0.0; 3]; selected.len()];
        let points = vec![Vec::new(); selected.len()];
        let (model, screws) = (model.clone(), ScrewThreads::of(model));
        Ok(ColumnStatistics {
            model,
            columns,
            selected,
            screws,
            row: Vec::new(),
            sums,
            points,
            from: f64::NAN,
            last: f64::NAN,
        })
    }

    pub(crate) fn record_row(&mut self, sim: &mut Simulation) {
        if self.selected.is_empty() {
            return;
        }
        let energy = sim.energy();
        self.row.clear();
        fill_row(&self.model, &self.screws, &sim.observe(), &energy, &mut self.row);
        let time = self.row[0];
        let passed = time - self.last;
        for (points, &i) in self.points.iter_mut().zip(&self.selected) {
            points.push([time, self.row[i]]);
        }
        for ([peak, squares, before], &i) in self.sums.iter_mut().zip(&self.selected) {
            let x = self.row[i];
            *peak = peak.max(x.abs());
            if passed > 0.0 {
                *squares += 0.5 * passed * (x * x + *before * *before);
            }
            *before = x;
        }
        if self.from.is_nan() {
            self.from = time;
        }
        self.last = time;
    }

    /// Name, unit, peak and root mean square of each.
    pub(crate) fn finish(self) -> Vec<(String, &'static str, f64, f64)> {
        let time = self.last - self.from;
        let of = |(&i, [peak, squares, last]): (&usize, &[f64; 3])| {
            let rms = if time > 0.0 { (squares / time).sqrt() } else { last.abs() };
            (self.columns[i].name.clone(), self.columns[i].unit, *peak, rms)
        };
        self.selected.iter().zip(&self.sums).map(of).collect()
    }
}

/// Collects rows; nothing is done unless a table or a plot is asked for.
pub(crate) struct Recorder {
    /// The model of all parts, also of those that are off: its columns are those of the table.
    all: Arc<Model>,
    columns: Vec<Column>,
    row: Vec<f64>,
    screws: ScrewThreads,
    interval: f64,
    /// Rows written so far; the next one is due at this many intervals.
    rows: u64,
    last_time: f64,
    table: Option<(PathBuf, csv::Writer<BufWriter<File>>)>,
    /// Which columns the table has; all if none were named.
    table_columns: Vec<usize>,
    plot: Option<Plot>,
}

struct Plot {
    path: PathBuf,
    title: String,
    /// Which columns, by index.
    selected: Vec<usize>,
    times: Vec<f64>,
    /// One list of values per picked column.
    values: Vec<Vec<f64>>,
}

impl Recorder {
    pub(crate) fn new(loaded: &LoadedScene, args: &RunArgs, interval: f64) -> Result<Self, Failure> {
        let columns = columns(&loaded.all);
        if !args.columns.is_empty() && args.out.is_none() && args.plot.is_none() {
            let text = "error: --columns says what --out and --plot write, and neither is given";
            return Err(Failure::Input(text.to_string()));
        }
        let named = select_columns(&columns, &args.columns)?;
        let table_columns: Vec<usize> = match args.columns.is_empty() {
            true => (0..columns.len()).collect(),
            // Time comes first in any case.
            false => std::iter::once(0).chain(named.iter().copied().filter(|&i| i != 0)).collect(),
        };
        let table = match &args.out {
            None => None,
            Some(path) => Some((path.clone(), open_table(path, table_columns.iter().map(|&i| &columns[i]))?)),
        };
        let plot = match &args.plot {
            None => None,
            Some(path) => {
                output::check_picture(path)?;
                let selected = named;
                let values = vec![Vec::new(); selected.len()];
                let title = loaded.title().to_string();
                Some(Plot { path: path.clone(), title, selected, times: Vec::new(), values })
            }
        };
        let row = Vec::with_capacity(columns.len());
        let screws = ScrewThreads::of(&loaded.all);
        let all = loaded.all.clone();
        Ok(Recorder {
            all,
            columns,
            row,
            screws,
            interval,
            rows: 0,
            last_time: f64::NAN,
            table,
            table_columns,
            plot,
        })
    }

    fn is_idle(&self) -> bool {
        self.table.is_none() && self.plot.is_none()
    }

    /// Takes the rows that are due: those within the last step, if the integrator interpolates, and one at the present time.
    pub(crate) fn record_row(&mut self, runner: &mut Runner) -> Result<(), RunError> {
        let early = STEP_TIME * self.interval;
        if self.is_idle()
            || (runner.time() < self.rows as f64 * self.interval - early && !runner.has_dense_output())
        {
            return Ok(());
        }
        // The energy balance of a world counts what edits dissipated.
        runner.apply_script().map_err(RunError::Step)?;
        let energy = runner.energy();
        let sim = runner.sim().map_err(RunError::Step)?;
        loop {
            let due = self.rows as f64 * self.interval;
            if due >= sim.time() - early {
                break;
            }
            let Some(state) = sim.state_at(due).map_err(|error| RunError::Step(error.into()))? else { break };
            self.rows = self.rows.saturating_add(1);
            let energy = sim.energy_at(&state);
            let model = sim.model().clone();
            self.write(&model, &sim.observe_at(&state), &energy).map_err(RunError::Output)?;
        }
        if sim.time() < self.rows as f64 * self.interval - early {
            return Ok(());
        }
        // A step longer than the interval takes one row, not several.
        self.rows = self.rows.max((sim.time() / self.interval) as u64).saturating_add(1);
        self.take(sim, energy).map_err(RunError::Output)
    }

    /// Takes the last row, if it was not due anyway.
    pub(crate) fn record_last_row(&mut self, runner: &mut Runner) -> Result<(), RunError> {
        if self.is_idle() || self.last_time == runner.time() {
            return Ok(());
        }
        runner.apply_script().map_err(RunError::Step)?;
        let energy = runner.energy();
        let sim = runner.sim().map_err(RunError::Step)?;
        self.take(sim, energy).map_err(RunError::Output)
    }

    fn take(&mut self, sim: &mut Simulation, energy: Energy) -> Result<(), Failure> {
        let model = sim.model().clone();
        self.write(&model, &sim.observe(), &energy)
    }

    fn write(&mut self, model: &Model, now: &Instant<'_>, energy: &Energy) -> Result<(), Failure> {
        self.last_time = now.time();
        self.row.clear();
        if core::ptr::eq(model, &*self.all) {
            fill_row(model, &self.screws, now, energy, &mut self.row);
        } else {
            self.fill_row_by_name(model, now, energy);
        }
        if let Some((path, table)) = &mut self.table {
            // Shortest text that reads back to the same bits.
            let mut buffer = [0u8; 32];
            for x in self.table_columns.iter().map(|&i| self.row[i]) {
                let mut rest = &mut buffer[..];
                let _ = write!(rest, "{x:e}");
                let used = 32 - rest.len();
                table.write_field(&buffer[..used]).map_err(|error| cannot_write(path, &error))?;
            }
            table.write_record(None::<&[u8]>).map_err(|error| cannot_write(path, &error))?;
        }
        if let Some(plot) = &mut self.plot {
            plot.times.push(self.row[0]);
            for (values, &column) in plot.values.iter_mut().zip(&plot.selected) {
                values.push(self.row[column]);
            }
        }
        Ok(())
    }

    /// The columns of parts that are on; all others are NaN.
    fn fill_row_by_name(&mut self, model: &Model, now: &Instant<'_>, energy: &Energy) {
        let mut there = Vec::with_capacity(self.columns.len());
        fill_row(model, &ScrewThreads::of(model), now, energy, &mut there);
        let names = columns(model);
        let by_name: BTreeMap<&str, f64> = names.iter().map(|c| c.name.as_str()).zip(there).collect();
        let value = |column: &Column| by_name.get(column.name.as_str()).copied().unwrap_or(f64::NAN);
        self.row.extend(self.columns.iter().map(value));
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

    /// Prints the files that were written.
    pub(crate) fn print_files(&self, out: &mut impl Write) {
        if let Some((path, _)) = &self.table {
            let _ = writeln!(out, "table: {}", path.display());
        }
        if let Some(plot) = &self.plot {
            let _ = writeln!(out, "plot: {}", plot.path.display());
        }
    }
}

fn open_table<'c>(
    path: &PathBuf,
    columns: impl Iterator<Item = &'c Column>,
) -> Result<csv::Writer<BufWriter<File>>, Failure> {
    if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv")) {
        return Err(unknown_ending(path, ".csv"));
    }
    let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
    let mut table = csv::Writer::from_writer(BufWriter::new(file));
    let names = columns.map(|c| c.name.as_str());
    table.write_record(names).map_err(|error| cannot_write(path, &error))?;
    Ok(table)
}

const XYZ: [&str; 3] = ["x", "y", "z"];

/// Names of all columns, in the order of [`fill_row`].
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
    for body in model.bodies() {
        for k in 0..body.internal_coordinates() {
            all.push(Column { name: format!("bodies.{}.u.{k}", body.name), unit: "" });
            all.push(Column { name: format!("bodies.{}.u_rates.{k}", body.name), unit: "1/s" });
        }
    }
    let mut vector = |prefix: String, unit: &'static str| {
        all.extend(XYZ.map(|axis| Column { name: format!("{prefix}.{axis}"), unit }));
    };
    for joint in model.joints() {
        vector(format!("joints.{}.force", joint.name), "N");
        vector(format!("joints.{}.torque", joint.name), "N·m");
    }
    let others = own_constraints(model);
    for constraint in others.iter().map(|&c| &model.constraints()[c]) {
        vector(format!("joints.{}.force", constraint.name), "N");
        vector(format!("joints.{}.torque", constraint.name), "N·m");
    }
    for probe in model.probes() {
        vector(format!("probes.{}", probe.name), "m");
        vector(format!("probes.{}.velocity", probe.name), "m/s");
        vector(format!("probes.{}.acceleration", probe.name), "m/s²");
    }
    for (i, joint) in model.joints().iter().enumerate() {
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
        let thread = thread_of(model, i).map_or(0, |c| model.constraints()[c].rows());
        for r in 0..joint.rows() + thread {
            all.push(Column { name: format!("joints.{}.multipliers.{r}", joint.name), unit: "N, N·m" });
        }
    }
    for constraint in others.iter().map(|&c| &model.constraints()[c]) {
        for r in 0..constraint.rows() {
            all.push(Column { name: format!("joints.{}.multipliers.{r}", constraint.name), unit: "N, N·m" });
        }
    }
    for i in 0..model.inequalities().len() {
        let (prefix, unit, push) = inequality_name(model, i);
        all.push(Column { name: format!("{prefix}.gap"), unit });
        all.push(Column { name: format!("{prefix}.multiplier"), unit: push });
        // Numbers, as all columns are.
        all.push(Column { name: format!("{prefix}.state"), unit: "" });
        all.push(Column { name: format!("{prefix}.handled"), unit: "" });
    }
    for part in ["kinetic", "potential", "dissipated", "work", "total"] {
        all.push(Column { name: format!("energy.{part}"), unit: "J" });
    }
    all
}

/// Column name of an inequality, its unit, and the unit of its multiplier.
fn inequality_name(model: &Model, i: usize) -> (String, &'static str, &'static str) {
    use cardan::inequality::{InequalityOrigin, LimitSide};
    let inequality = &model.inequalities()[i];
    match inequality.origin {
        InequalityOrigin::Declared => (format!("inequalities.{}", inequality.name), "m", "N"),
        InequalityOrigin::Limit { joint, coordinate, side } => {
            let side = if side == LimitSide::Low { "low" } else { "high" };
            let joint = &model[joint];
            let (unit, push) = if joint.kind.is_angle(coordinate) { ("rad", "N·m") } else { ("m", "N") };
            (format!("joints.{}.limits.{coordinate}.{side}", joint.name), unit, push)
        }
    }
}

/// The numbers of one row.
fn fill_row(model: &Model, screws: &ScrewThreads, now: &Instant<'_>, energy: &Energy, row: &mut Vec<f64>) {
    fn vectors(row: &mut Vec<f64>, all: &[Vec3]) {
        for v in all {
            row.extend(v.to_array());
        }
    }
    let load = |c: usize| {
        now.constraint_loads(ConstraintId::of_index(c)).last().map_or(Wrench::ZERO, |load| load.at_frame)
    };
    row.push(now.time());
    for i in 0..model.bodies().len() {
        let b = now.body(BodyId::of_index(i));
        let turned = b.orientation.log();
        vectors(
            row,
            &[b.position, turned, b.velocity, b.angular_velocity, b.acceleration, b.angular_acceleration],
        );
    }
    for i in 0..model.bodies().len() {
        let (u, rates) = now.internal_coordinates(BodyId::of_index(i));
        u.iter().zip(rates).for_each(|(u, rate)| row.extend([*u, *rate]));
    }
    for i in 0..model.joints().len() {
        let total =
            now.joint(JointId::of_index(i)).reaction.total() + screws.threads[i].map_or(Wrench::ZERO, load);
        vectors(row, &[total.force, total.torque]);
    }
    for &c in &screws.others {
        vectors(row, &[load(c).force, load(c).torque]);
    }
    for i in 0..model.probes().len() {
        let p = now.probe(ProbeId::of_index(i));
        vectors(row, &[p.position, p.velocity, p.acceleration]);
    }
    for (i, joint) in model.joints().iter().enumerate() {
        let j = now.joint(JointId::of_index(i));
        for k in 0..j.count {
            row.extend([j.coordinates[k], j.rates[k]]);
            if joint.has_drive(k) {
                row.extend([j.drives[k], j.drives[k] * j.rates[k]]);
            }
        }
        row.extend(j.multipliers);
        row.extend(
            screws.threads[i].map_or(&[][..], |c| now.constraint_multipliers(ConstraintId::of_index(c))),
        );
    }
    for &c in &screws.others {
        row.extend(now.constraint_multipliers(ConstraintId::of_index(c)));
    }
    for id in model.inequality_ids() {
        let at = now.inequality(id);
        let state = match at.state {
            InequalityState::Violated => -1.0,
            InequalityState::Active => 0.0,
            InequalityState::Satisfied => 1.0,
        };
        row.extend([at.gap, at.multiplier, state, if at.in_active_set { 1.0 } else { 0.0 }]);
    }
    row.extend([energy.kinetic, energy.potential, energy.dissipated, energy.work, energy.mechanical()]);
}

/// The columns that names or prefixes stand for; energies, joint coordinates and forces of drives without any.
fn select_columns(columns: &[Column], wanted: &[String]) -> Result<Vec<usize>, Failure> {
    if wanted.is_empty() {
        let usual = |c: &Column| {
            matches!(c.name.as_str(), "energy.kinetic" | "energy.potential" | "energy.total")
                || (c.name.starts_with("joints.")
                    && (c.name.contains(".coordinates.") || c.name.contains(".drive.")))
        };
        return Ok((0..columns.len()).filter(|&i| usual(&columns[i])).collect());
    }
    let mut selected = Vec::new();
    for want in wanted {
        let named = |want: &str| -> Vec<usize> {
            let below = format!("{want}.");
            (0..columns.len())
                .filter(|&i| columns[i].name == want || columns[i].name.starts_with(&below))
                .collect()
        };
        // Multipliers of inequalities were called strains.
        let old = want.strip_suffix(".strain").map(|prefix| format!("{prefix}.multiplier"));
        let mut found = named(want);
        if let Some(old) = old.filter(|_| found.is_empty()) {
            found = named(&old);
        }
        if found.is_empty() {
            let help = suggestions(columns, want);
            return Err(Failure::Input(format!("error: --columns: there is no column `{want}`{help}")));
        }
        selected.extend(found.into_iter().filter(|i| !selected.contains(i)).collect::<Vec<_>>());
    }
    Ok(selected)
}

/// Help for an unknown column: the nearest name, and all names that continue its longest known prefix.
fn suggestions(columns: &[Column], want: &str) -> String {
    const MAX_SUGGESTIONS: usize = 24;
    let (mut right, mut rest) = ("", want);
    while let Some((first, after)) = rest.split_once('.') {
        let longer = &want[..right.len() + usize::from(!right.is_empty()) + first.len()];
        let below = format!("{longer}.");
        if !columns.iter().any(|c| c.name.starts_with(&below)) {
            break;
        }
        (right, rest) = (longer, after);
    }
    let start = if right.is_empty() { String::new() } else { format!("{right}.") };
    let mut names: Vec<&str> = Vec::new();
    for column in columns {
        let next = column.name.strip_prefix(&start).and_then(|after| after.split('.').next());
        if let Some(next) = next.filter(|next| names.last() != Some(next) && !names.contains(next)) {
            names.push(next);
        }
    }
    // Names that continue the prefix first.
    let word = rest.split('.').next().unwrap_or(rest);
    let near = cardan_scene::nearest(word, names.iter().copied()).map(|near| {
        let all = format!("{start}{near}{}", &rest[word.len()..]);
        let there =
            |name: &str| columns.iter().any(|c| c.name == name || c.name.starts_with(&format!("{name}.")));
        if there(&all) { all } else { format!("{start}{near}") }
    });
    let near = near
        .or_else(|| cardan_scene::nearest(want, columns.iter().map(|c| c.name.as_str())).map(str::to_string));
    let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    let place = if right.is_empty() { String::new() } else { format!(" below `{right}`") };
    let more =
        if names.len() > MAX_SUGGESTIONS { format!(", … ({} in all)", names.len()) } else { String::new() };
    names.truncate(MAX_SUGGESTIONS);
    format!("{help}\n  there are{place}: {}{more}", names.join(", "))
}

impl Plot {
    /// One panel per unit, in the order in which the units appear; several where small curves would be lost beside large ones.
    fn chart(&self, columns: &[Column]) -> Chart {
        let mut panels: Vec<(&str, Panel)> = Vec::new();
        for (values, &column) in self.values.iter().zip(&self.selected) {
            let Column { name, unit } = &columns[column];
            let points = self.times.iter().zip(values).map(|(&t, &x)| [t, x]).collect();
            let series = Series { name: name.clone(), points };
            match panels.iter_mut().find(|(u, _)| u == unit) {
                Some((_, panel)) => panel.series.push(series),
                None => panels.push((unit, Panel { y_label: format!("[{unit}]"), series: vec![series] })),
            }
        }
        // Energies last.
        panels.sort_by_key(|(unit, _)| *unit == "J");
        Chart {
            title: self.title.clone(),
            x_label: "time [s]".to_string(),
            panels: panels
                .into_iter()
                .flat_map(|(unit, panel)| if unit == "J" { vec![panel] } else { split_by_size(panel) })
                .collect(),
        }
    }
}

/// Curves that peak below a tenth of the largest have a panel of their own, and so on among these. Curves that are
/// rounding only stay with the largest.
fn split_by_size(panel: Panel) -> Vec<Panel> {
    let peak = |series: &Series| {
        series.points.iter().map(|p| p[1].abs()).filter(|y| y.is_finite()).fold(0.0, f64::max)
    };
    let largest = panel.series.iter().map(peak).fold(0.0, f64::max);
    let is_small = |series: &Series| peak(series) < 0.1 * largest && peak(series) > 1e-6 * largest;
    let (small, large): (Vec<Series>, Vec<Series>) = panel.series.into_iter().partition(is_small);
    let mut panels = vec![Panel { y_label: panel.y_label.clone(), series: large }];
    if !small.is_empty() {
        panels.extend(split_by_size(Panel { y_label: panel.y_label, series: small }));
    }
    panels
}
