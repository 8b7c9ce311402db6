//! Columns of a recorded run: every number of an instant has a name (`joints.A.force.x`) and a unit.

pub mod screws;

use cardan::math::Vec3;
use cardan::measure::{InequalityState, Instant};
use cardan::{BodyId, ConstraintId, Energy, JointId, Model, ProbeId, Wrench};
use screws::{own_constraints, thread_of};

/// A number that is recorded, by its name and unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, such as `bodies.crank.position.x`.
    pub name: String,
    /// Its unit; empty for a plain number.
    pub unit: &'static str,
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
    screws: ScrewThreads,
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
        Columns { all: names(model), screws: ScrewThreads::of(model) }
    }

    /// Names and units, in the order of a row.
    pub fn all(&self) -> &[Column] {
        &self.all
    }

    /// Appends the numbers of an instant of the model. Columns of what was not solved for are NaN.
    pub fn write_row(&self, model: &Model, now: &Instant<'_>, energy: &Energy, row: &mut Vec<f64>) {
        fill_row(model, &self.screws, now, energy, row);
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
                return Err(UnknownColumn { name: want.to_string(), help: suggestions(columns, want) });
            }
            selected.extend(found.into_iter().filter(|i| !selected.contains(i)).collect::<Vec<_>>());
        }
        Ok(selected)
    }
}

const XYZ: [&str; 3] = ["x", "y", "z"];

/// Names of all columns, in the order of [`Columns::write_row`].
fn names(model: &Model) -> Vec<Column> {
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
