//! Columns of a recorded run: every number of an instant has a name (`joints.A.force.x`) and a unit.

mod contacts;
mod names;
mod row;
pub mod screws;

use cardan::measure::Instant;
use cardan::{Energy, Model};
use contacts::ContactColumns;
use screws::{own_constraints, thread_of};

/// A number that is recorded, by its name and unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, such as `bodies.crank.position.x`.
    pub name: String,
    /// Its unit; empty for a plain number.
    pub unit: &'static str,
}

impl Column {
    /// Name and unit as the head of a table has them: `joints.A.force.x [N]`.
    pub fn head(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} [{}]", self.name, self.unit) }
    }
}

/// All columns of a model.
///
/// ```
/// let mut sim = cardan_scene::load("driven-four-bar")?.simulation()?;
/// let columns = cardan_scene::Columns::of(sim.model());
/// let torque = columns.select(["joints.A.drive"])?;
/// let (energy, mut row) = (sim.energy(), Vec::new());
/// let model = sim.model().clone();
/// columns.write_row(&model, &sim.observe(), &energy, &mut row);
/// assert_eq!((columns.all()[torque[0]].unit, row.len()), ("N·m", columns.all().len()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Columns {
    all: Vec<Column>,
    /// Which of them are zero because their part is planar.
    planar_zeros: Vec<bool>,
    screws: ScrewThreads,
    contacts: ContactColumns,
}

/// Which constraints are threads, and which are not.
#[derive(Clone, Debug)]
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

/// A name that no column has, with a suggestion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no column `{name}`{help}")]
pub struct UnknownColumn {
    /// The name.
    pub name: String,
    help: String,
}

impl Columns {
    /// The columns of a model: time first, energies last.
    pub fn of(model: &Model) -> Self {
        names::columns(model, &[])
    }

    /// The columns of a model, among them those of pairs of contact that are asked for. A model with few pairs has them
    /// all in any case.
    pub fn naming<'w>(model: &Model, wanted: impl IntoIterator<Item = &'w str>) -> Self {
        names::columns(model, &wanted.into_iter().collect::<Vec<_>>())
    }

    /// All columns but those that are zero because their part is planar.
    pub fn in_tables(&self) -> Vec<usize> {
        (0..self.all.len()).filter(|&i| !self.planar_zeros[i]).collect()
    }

    /// Names and units, in the order of a row.
    pub fn all(&self) -> &[Column] {
        &self.all
    }

    /// Appends the numbers of an instant of the model. Columns of what was not solved for are NaN.
    pub fn write_row(&self, model: &Model, now: &Instant<'_>, energy: &Energy, row: &mut Vec<f64>) {
        row::fill(model, (&self.screws, &self.contacts), now, energy, row);
    }

    /// The columns that names or prefixes stand for; energies, joint coordinates and forces of drives
    /// without any.
    ///
    /// # Errors
    /// If nothing has such a name; the error suggests one.
    pub fn select<'w>(&self, wanted: impl IntoIterator<Item = &'w str>) -> Result<Vec<usize>, UnknownColumn> {
        let (columns, mut wanted) = (&self.all[..], wanted.into_iter().peekable());
        if wanted.peek().is_none() {
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
                let is_below = |i: usize| columns[i].name.starts_with(&below) && !self.planar_zeros[i];
                (0..columns.len()).filter(|&i| columns[i].name == want || is_below(i)).collect()
            };
            let mut found = named(want);
            if let Some(other) = other_name(want).filter(|_| found.is_empty()) {
                found = named(&other);
                if want.starts_with("probes.") {
                    // The place of a probe is what its name stands for; its velocity has a name of its own.
                    found.retain(|&i| {
                        !columns[i].name.contains(".velocity.") && !columns[i].name.contains(".acceleration.")
                    });
                }
            }
            if found.is_empty() {
                return Err(UnknownColumn { name: want.to_string(), help: suggestions(columns, want) });
            }
            selected.extend(found.into_iter().filter(|i| !selected.contains(i)).collect::<Vec<_>>());
        }
        Ok(selected)
    }
}

/// A second name of a column: multipliers of inequalities were called strains, and a probe has a position as bodies have.
fn other_name(want: &str) -> Option<String> {
    if let Some(prefix) = want.strip_suffix(".strain") {
        return Some(format!("{prefix}.multiplier"));
    }
    let probe = want.strip_prefix("probes.")?;
    match probe.strip_suffix(".position") {
        Some(name) => Some(format!("probes.{name}")),
        None => probe.rsplit_once(".position.").map(|(name, axis)| format!("probes.{name}.{axis}")),
    }
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
    let near = crate::nearest::nearest(word, names.iter().copied()).map(|near| {
        let all = format!("{start}{near}{}", &rest[word.len()..]);
        let there =
            |name: &str| columns.iter().any(|c| c.name == name || c.name.starts_with(&format!("{name}.")));
        if there(&all) { all } else { format!("{start}{near}") }
    });
    let near = near.or_else(|| {
        crate::nearest::nearest(want, columns.iter().map(|c| c.name.as_str())).map(str::to_string)
    });
    let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    let place = if right.is_empty() { String::new() } else { format!(" below `{right}`") };
    let more =
        if names.len() > MAX_SUGGESTIONS { format!(", … ({} in all)", names.len()) } else { String::new() };
    names.truncate(MAX_SUGGESTIONS);
    format!("{help}\n  there are{place}: {}{more}", names.join(", "))
}
