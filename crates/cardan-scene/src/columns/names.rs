//! Names and units of all columns, in the order of a row.

use super::contacts::ContactColumns;
use super::screws::{own_constraints, thread_of};
use super::{Column, Columns};
use cardan::force::ForceKind;
use cardan::{BodyId, Model};

const XYZ: [&str; 3] = ["x", "y", "z"];

/// In which components of a vector a planar part has nothing but zeros.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Plane {
    /// None: it moves in space.
    Nowhere,
    /// Along z: shifts and forces.
    AlongZ,
    /// About x and y: rotations and torques.
    AboutZ,
}

/// What a force of the model is reported by.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum ForceForm {
    /// Force along the line between two points, with its length.
    Line,
    /// Torque between two frames, with its angle.
    Twist,
    /// Force and torque on its body; on each of its frames if there are several.
    Wrench(usize),
}

impl ForceForm {
    pub(super) fn of(force: &cardan::model::ModelForce) -> Self {
        match force.kind {
            ForceKind::Spring(_) | ForceKind::CurveSpring(_) | ForceKind::GravityPoint(_) => ForceForm::Line,
            ForceKind::Torsion(_) => ForceForm::Twist,
            _ => ForceForm::Wrench(force.bodies().count()),
        }
    }
}

/// Names with units, and which of them are zeros of planar parts.
struct Names {
    all: Vec<Column>,
    planar_zeros: Vec<bool>,
}

impl Names {
    fn number(&mut self, name: String, unit: &'static str) {
        self.all.push(Column { name, unit });
        self.planar_zeros.push(false);
    }
    fn vector(&mut self, prefix: &str, unit: &'static str, plane: Plane) {
        for (k, axis) in XYZ.iter().enumerate() {
            self.all.push(Column { name: format!("{prefix}.{axis}"), unit });
            self.planar_zeros.push(match plane {
                Plane::Nowhere => false,
                Plane::AlongZ => k == 2,
                Plane::AboutZ => k != 2,
            });
        }
    }
    /// A vector and its length.
    fn vector_with_norm(&mut self, prefix: &str, unit: &'static str, plane: Plane) {
        self.vector(prefix, unit, plane);
        self.number(format!("{prefix}.norm"), unit);
    }
    /// A force and a torque, with their norms.
    fn wrench(&mut self, prefix: &str, is_planar: bool) {
        let [along, about] = planes(is_planar);
        self.vector_with_norm(&format!("{prefix}.force"), "N", along);
        self.vector_with_norm(&format!("{prefix}.torque"), "N·m", about);
    }
}

fn planes(is_planar: bool) -> [Plane; 2] {
    if is_planar { [Plane::AlongZ, Plane::AboutZ] } else { [Plane::Nowhere, Plane::Nowhere] }
}

/// The columns of a model; `wanted` may name pairs of contacts that would otherwise be too many.
pub(super) fn columns(model: &Model, wanted: &[&str]) -> Columns {
    let mut names = Names { all: Vec::new(), planar_zeros: Vec::new() };
    names.number("time".to_string(), "s");
    let is_planar = |body: Option<BodyId>| body.is_none_or(|id| model[id].kind.is_planar());
    for body in model.bodies() {
        let [along, about] = planes(body.kind.is_planar());
        let part = |field: &str| format!("bodies.{}.{field}", body.name);
        names.vector(&part("position"), "m", along);
        names.vector(&part("rotation_vector"), "rad", about);
        names.vector_with_norm(&part("velocity"), "m/s", along);
        names.vector_with_norm(&part("angular_velocity"), "rad/s", about);
        names.vector_with_norm(&part("acceleration"), "m/s²", along);
        names.vector_with_norm(&part("angular_acceleration"), "rad/s²", about);
    }
    for body in model.bodies() {
        for k in 0..body.internal_coordinates() {
            names.number(format!("bodies.{}.u.{k}", body.name), "");
            names.number(format!("bodies.{}.u_rates.{k}", body.name), "1/s");
        }
    }
    for joint in model.joints() {
        let is_planar = is_planar(joint.body_a()) && is_planar(joint.body_b());
        names.wrench(&format!("joints.{}", joint.name), is_planar);
    }
    let others = own_constraints(model);
    for constraint in others.iter().map(|&c| &model.constraints()[c]) {
        names.wrench(&format!("joints.{}", constraint.name), false);
    }
    for probe in model.probes() {
        let [along, _] = planes(is_planar(probe.body()));
        names.vector(&format!("probes.{}", probe.name), "m", along);
        names.vector_with_norm(&format!("probes.{}.velocity", probe.name), "m/s", along);
        names.vector_with_norm(&format!("probes.{}.acceleration", probe.name), "m/s²", along);
    }
    joint_names(model, &others, &mut names);
    for force in model.forces() {
        force_names(force, force.bodies().all(is_planar), &mut names);
    }
    let contacts = ContactColumns::of(model, wanted);
    for (prefix, is_planar) in contacts.bodies(model) {
        names.vector_with_norm(&format!("{prefix}.force"), "N", planes(is_planar)[0]);
    }
    for (prefix, is_planar) in contacts.pairs(model) {
        names.vector_with_norm(&format!("{prefix}.force"), "N", planes(is_planar)[0]);
        names.number(format!("{prefix}.normal"), "N");
        names.number(format!("{prefix}.friction"), "N");
        names.number(format!("{prefix}.points"), "");
    }
    for i in 0..model.inequalities().len() {
        let (prefix, unit, push) = inequality_name(model, i);
        names.number(format!("{prefix}.gap"), unit);
        names.number(format!("{prefix}.multiplier"), push);
        // Numbers, as all columns are.
        names.number(format!("{prefix}.state"), "");
        names.number(format!("{prefix}.handled"), "");
    }
    // Energies come last: some are those of a whole world, whatever the row is of.
    for part in ["kinetic", "potential", "dissipated", "work", "total"] {
        names.number(format!("energy.{part}"), "J");
    }
    let Names { all, planar_zeros } = names;
    Columns { all, planar_zeros, screws: super::ScrewThreads::of(model), contacts }
}

/// Coordinates of joints, what acts along them, and multipliers.
fn joint_names(model: &Model, others: &[usize], names: &mut Names) {
    for (i, (joint, id)) in model.joints().iter().zip(model.joint_ids()).enumerate() {
        for k in 0..joint.kind.coordinates() {
            let [unit, rate, acceleration, effort] = match joint.kind.is_angle(k) {
                true => ["rad", "rad/s", "rad/s²", "N·m"],
                false => ["m", "m/s", "m/s²", "N"],
            };
            let part = |field: &str| format!("joints.{}.{field}.{k}", joint.name);
            names.number(part("coordinates"), unit);
            names.number(part("rates"), rate);
            names.number(part("accelerations"), acceleration);
            if joint.has_drive(k) {
                names.number(part("drive"), effort);
                names.number(part("drive_power"), "W");
            }
            let [springs, friction] = model.has_passive_efforts(id, k);
            if springs {
                names.number(part("spring"), effort);
            }
            if friction {
                names.number(part("friction"), effort);
            }
        }
        let thread = thread_of(model, i).map_or(0, |c| model.constraints()[c].rows());
        for r in 0..joint.rows() + thread {
            names.number(format!("joints.{}.multipliers.{r}", joint.name), "N or N·m");
        }
    }
    for constraint in others.iter().map(|&c| &model.constraints()[c]) {
        for r in 0..constraint.rows() {
            names.number(format!("joints.{}.multipliers.{r}", constraint.name), "N or N·m");
        }
    }
}

fn force_names(force: &cardan::model::ModelForce, is_planar: bool, names: &mut Names) {
    let prefix = format!("forces.{}", force.name);
    let mut number = |field: &str, unit| names.number(format!("{prefix}.{field}"), unit);
    match ForceForm::of(force) {
        ForceForm::Line => {
            number("force", "N");
            number("length", "m");
            number("rate", "m/s");
        }
        ForceForm::Twist => {
            number("torque", "N·m");
            number("angle", "rad");
            number("rate", "rad/s");
        }
        ForceForm::Wrench(1) => names.wrench(&prefix, is_planar),
        ForceForm::Wrench(count) => {
            (0..count).for_each(|k| names.wrench(&format!("{prefix}.ends.{k}"), is_planar));
        }
    }
    names.number(format!("{prefix}.power"), "W");
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
