//! Recording a run: one row of numbers per interval, as a table and as a plot.

use crate::Failure;
use crate::args::RunArgs;
use crate::extremes::{ColumnExtremes, Extremes};
use crate::load::LoadedScene;
use crate::output;
use crate::picture::chart::{Chart, Panel, Series};
use crate::run::RunError;
use crate::runner::Runner;
use crate::table_file::{Resumed, TableFile};
use crate::tolerances::STEP_TIME;
use cardan::measure::Instant;
use cardan::{Energy, Model, Simulation};
use cardan_scene::{Column, Columns};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Peaks and root mean squares of columns over a run.
pub(crate) struct ColumnStatistics {
    model: Arc<Model>,
    columns: Columns,
    selected: Vec<usize>,
    /// Powers of drives, their last sum, and the work that they have put in.
    powers: Vec<usize>,
    last_power: f64,
    pub(crate) motor_work: f64,
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
        let columns = Columns::naming(model, wanted.iter().map(String::as_str));
        let driven = |c: &Column| c.name.contains(".drive.") || c.name.contains(".drive_power.");
        let selected = match wanted.is_empty() {
            true => (0..columns.all().len()).filter(|&i| driven(&columns.all()[i])).collect(),
            false => select_columns(&columns, wanted)?,
        };
        let is_power = |i: &usize| columns.all()[*i].name.contains(".drive_power.");
        let powers = (0..columns.all().len()).filter(is_power).collect();
        let sums = vec![[0.0; 3]; selected.len()];
        let points = vec![Vec::new(); selected.len()];
        let model = model.clone();
        Ok(ColumnStatistics {
            model,
            columns,
            selected,
            powers,
            last_power: 0.0,
            motor_work: 0.0,
            row: Vec::new(),
            sums,
            points,
            from: f64::NAN,
            last: f64::NAN,
        })
    }

    pub(crate) fn record_row(&mut self, sim: &mut Simulation) {
        if self.selected.is_empty() && self.powers.is_empty() {
            return;
        }
        let energy = sim.energy();
        self.row.clear();
        self.columns.write_row(&self.model, &sim.observe(), &energy, &mut self.row);
        let time = self.row[0];
        let passed = time - self.last;
        let power: f64 = self.powers.iter().map(|&i| self.row[i]).sum();
        if passed > 0.0 {
            self.motor_work += 0.5 * passed * (power + self.last_power);
        }
        self.last_power = power;
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
            (self.columns.all()[i].name.clone(), self.columns.all()[i].unit, *peak, rms)
        };
        self.selected.iter().zip(&self.sums).map(of).collect()
    }
}

/// Collects rows; nothing is done unless a table, a plot or columns are asked for.
pub(crate) struct Recorder {
    /// The model of all parts, also of those that are off: its columns are those of the table.
    all: Arc<Model>,
    columns: Columns,
    row: Vec<f64>,
    interval: f64,
    /// Rows written so far; the next one is due at this many intervals.
    rows: u64,
    last_time: f64,
    table: Option<TableFile>,
    /// Rows of a run that was interrupted.
    resumed: usize,
    /// Which columns the table has; all if none were named.
    table_columns: Vec<usize>,
    plot: Option<Plot>,
    /// Extremes of columns, for the report.
    extremes: Option<Extremes>,
}

struct Plot {
    path: PathBuf,
    title: String,
    /// Which columns, by index.
    selected: Vec<usize>,
    /// The column that runs to the right, and its values.
    along: usize,
    x: Vec<f64>,
    /// One list of values per picked column.
    values: Vec<Vec<f64>>,
}

impl Recorder {
    /// `resumed`: what a run goes on from, if rows up to it are kept.
    pub(crate) fn new(
        loaded: &LoadedScene,
        args: &RunArgs,
        interval: f64,
        resumed: Option<Resumed>,
    ) -> Result<Self, Failure> {
        let columns = Columns::naming(&loaded.all, args.columns.iter().map(String::as_str));
        let named = select_columns(&columns, &args.columns)?;
        let mut table_columns: Vec<usize> = match args.columns.is_empty() {
            true => columns.in_tables(),
            // Time comes first in any case.
            false => std::iter::once(0).chain(named.iter().copied().filter(|&i| i != 0)).collect(),
        };
        let along = args.x.as_ref().map(|name| one_column(&columns, name)).transpose()?;
        // What runs to the right must be in the rows that a run goes on from.
        table_columns.extend(along.filter(|along| !table_columns.contains(along)));
        let (table, kept) = match &args.out {
            None => (None, Vec::new()),
            Some(path) => {
                let heads = table_columns.iter().map(|&i| &columns.all()[i]);
                let (table, kept) = TableFile::open(path, heads, interval, resumed)?;
                (Some(table), kept)
            }
        };
        let extremes = match (args.columns.is_empty(), args.out.is_none() && args.plot.is_none()) {
            (true, true) => None,
            (true, false) => Some(Extremes::new(Extremes::usual(&columns))),
            (false, _) => Some(Extremes::new(named.iter().copied().filter(|&i| i != 0).collect())),
        };
        let plot = match &args.plot {
            None => None,
            Some(path) => {
                output::check_chart(path)?;
                let title = loaded.title().to_string();
                let along = along.unwrap_or(0);
                let selected: Vec<usize> = named.into_iter().filter(|&i| i != along).collect();
                let values = vec![Vec::new(); selected.len()];
                Some(Plot { path: path.clone(), title, selected, along, x: Vec::new(), values })
            }
        };
        let row = Vec::with_capacity(columns.all().len());
        let all = loaded.all.clone();
        let mut recorder = Recorder {
            all,
            columns,
            row,
            interval,
            rows: 0,
            last_time: f64::NAN,
            table,
            resumed: kept.len(),
            table_columns,
            plot,
            extremes,
        };
        recorder.take_up(&kept, resumed.is_some_and(|resumed| resumed.goes_on))?;
        Ok(recorder)
    }

    /// Goes on after rows of an interrupted run: plots and extremes have them, too.
    fn take_up(&mut self, kept: &[Vec<f64>], goes_on: bool) -> Result<(), Failure> {
        for (k, numbers) in kept.iter().enumerate() {
            // The last row of a run that was whole may lie between two that are due. A run without a break lacks it.
            let is_due = numbers[0] >= self.rows as f64 * self.interval - STEP_TIME * self.interval;
            if !is_due && goes_on && k + 1 == kept.len() {
                self.resumed -= 1;
                return self.table.as_mut().map_or(Ok(()), TableFile::drop_last_kept);
            }
            self.row.clear();
            self.row.resize(self.columns.all().len(), f64::NAN);
            for (&i, x) in self.table_columns.iter().zip(numbers) {
                self.row[i] = *x;
            }
            self.gather();
            self.last_time = self.row[0];
            // As [`Recorder::record_row`] counts them.
            if is_due {
                let passed = self.last_time / self.interval + STEP_TIME;
                self.rows = self.rows.max(passed as u64).saturating_add(1);
            }
        }
        Ok(())
    }

    fn is_idle(&self) -> bool {
        self.table.is_none() && self.plot.is_none() && self.extremes.is_none()
    }

    /// Least and greatest values of columns over the rows, with their times; empty if none were recorded.
    pub(crate) fn extremes(&self) -> Vec<ColumnExtremes> {
        self.extremes.as_ref().map_or(Vec::new(), |extremes| extremes.of(self.columns.all()))
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
            self.columns.write_row(model, now, energy, &mut self.row);
        } else {
            self.fill_row_by_name(model, now, energy);
        }
        if let Some(table) = &mut self.table {
            table.write(self.table_columns.iter().map(|&i| self.row[i]))?;
        }
        self.gather();
        Ok(())
    }

    /// The present row, for extremes and plots.
    fn gather(&mut self) {
        if let Some(extremes) = &mut self.extremes {
            extremes.take(&self.row);
        }
        if let Some(plot) = &mut self.plot {
            plot.x.push(self.row[plot.along]);
            for (values, &column) in plot.values.iter_mut().zip(&plot.selected) {
                values.push(self.row[column]);
            }
        }
    }

    /// The columns of parts that are on; all others are NaN.
    fn fill_row_by_name(&mut self, model: &Model, now: &Instant<'_>, energy: &Energy) {
        let mut there = Vec::with_capacity(self.columns.all().len());
        let own = Columns::naming(model, self.columns.all().iter().map(|column| column.name.as_str()));
        own.write_row(model, now, energy, &mut there);
        let by_name: BTreeMap<&str, f64> = own.all().iter().map(|c| c.name.as_str()).zip(there).collect();
        let value = |column: &Column| by_name.get(column.name.as_str()).copied().unwrap_or(f64::NAN);
        self.row.extend(self.columns.all().iter().map(value));
    }

    /// How many rows of an interrupted run there were.
    pub(crate) fn resumed(&self) -> usize {
        self.resumed
    }

    /// Brings the rows to the disk.
    pub(crate) fn sync(&self) -> Result<(), Failure> {
        self.table.as_ref().map_or(Ok(()), TableFile::sync)
    }

    /// Writes the files. The table of a run that failed or is to go on keeps its rows in `NAME.part`.
    pub(crate) fn finish(&mut self, is_whole: bool) -> Result<(), Failure> {
        match &mut self.table {
            Some(table) if is_whole => table.finish()?,
            Some(table) => table.sync()?,
            None => {}
        }
        match (&self.plot, self.chart()) {
            (Some(plot), Some(chart)) => output::chart(&plot.path, &chart),
            _ => Ok(()),
        }
    }

    /// The plot so far.
    pub(crate) fn chart(&self) -> Option<Chart> {
        self.plot.as_ref().map(|plot| plot.chart(self.columns.all()))
    }

    /// Where the rows of the table are.
    pub(crate) fn table_place(&self) -> Option<&Path> {
        self.table.as_ref().map(TableFile::place)
    }

    /// Prints the files that were written.
    pub(crate) fn print_files(&self, out: &mut impl Write) {
        if let Some(path) = self.table_place() {
            let _ = writeln!(out, "table: {}", path.display());
        }
        if let Some(plot) = &self.plot {
            let _ = writeln!(out, "plot: {}", plot.path.display());
        }
    }
}

/// The columns that names or prefixes stand for; energies, joint coordinates and forces of drives without any.
fn select_columns(columns: &Columns, wanted: &[String]) -> Result<Vec<usize>, Failure> {
    let selected = columns.select(wanted.iter().map(String::as_str));
    selected.map_err(|error| Failure::Input(format!("error: --columns: {error}")))
}

/// The one column of a name.
fn one_column(columns: &Columns, name: &str) -> Result<usize, Failure> {
    let bad = |why: &dyn std::fmt::Display| Failure::Input(format!("error: --x: {why}"));
    match columns.select([name]).map_err(|error| bad(&error))?[..] {
        [one] => Ok(one),
        ref several => {
            let names: Vec<&str> = several.iter().map(|&i| columns.all()[i].name.as_str()).collect();
            Err(bad(&format!("`{name}` stands for several columns: {}", names.join(", "))))
        }
    }
}

impl Plot {
    /// One panel per unit, in the order in which the units appear; several where small curves would be lost beside large ones.
    fn chart(&self, columns: &[Column]) -> Chart {
        let mut panels: Vec<(&str, Panel)> = Vec::new();
        for (values, &column) in self.values.iter().zip(&self.selected) {
            let Column { name, unit } = &columns[column];
            let points = self.x.iter().zip(values).map(|(&x, &y)| [x, y]).collect();
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
            x_label: columns[self.along].head(),
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
