//! The JSON object of a report. Its keys are a contract: programs read them.

use super::{Report, contacts, impulses};
use crate::accounts::accounts_word;
use cardan::Wrench;
use cardan::math::Vec3;
use cardan::measure::JointReport;
use cardan::solve::Role;
use cardan::{BodyId, ConstraintId, ForceId, JointId, ProbeId};
use cardan_scene::columns::screws::{own_constraints, thread_of};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

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
        map.serialize_entry("integrator", &self.integrator)?;
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
        let forces = lazy_map(model.forces().len(), |i| (model.forces()[i].name.as_str(), self.force(i)));
        map.serialize_entry("forces", &forces)?;
        map.serialize_entry("contacts", &contacts::contacts(model, &self.instant))?;
        map.serialize_entry("inequalities", &contacts::inequalities(model, &self.instant))?;
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
        if !self.extremes.is_empty() {
            let columns =
                lazy_map(self.extremes.len(), |i| (self.extremes[i].name.as_str(), &self.extremes[i]));
            map.serialize_entry("columns", &columns)?;
        }
        map.serialize_entry("counts", &self.counts)?;
        map.serialize_entry("events", &self.events)?;
        if !self.impulses.is_empty() {
            map.serialize_entry("impulses", &impulses::json(model, &self.impulses))?;
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
    /// Coordinates of general bodies, and their rates.
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    u: &'a [f64],
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    u_rates: &'a [f64],
    /// Stretch along its axes, if it deforms.
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<[f64; 3]>,
    /// Deformation gradient, row by row, if it deforms.
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
    accelerations: Vec<f64>,
    force: [f64; 3],
    torque: [f64; 3],
    force_unique: [bool; 3],
    torque_unique: [bool; 3],
    parts: PartsJson,
    drives: Vec<DriveJson>,
    multipliers: Cow<'a, [f64]>,
    /// Of constraints on any number of bodies: the load on each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    loads: Vec<ConstraintLoadJson<'a>>,
}

/// Load of a constraint on one of its bodies, at a point, world axes.
#[derive(Serialize)]
struct ConstraintLoadJson<'a> {
    body: &'a str,
    position: [f64; 3],
    force: [f64; 3],
    torque: [f64; 3],
}

/// Force and power of drives, servos and motors along one coordinate.
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

/// A force: along a line, about an axis, or as wrenches on its frames.
#[derive(Serialize)]
struct ForceJson<'a> {
    kind: &'static str,
    /// Along the line between its points; positive where it pulls them together.
    #[serde(skip_serializing_if = "Option::is_none")]
    force: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<f64>,
    /// Of a torsional spring.
    #[serde(skip_serializing_if = "Option::is_none")]
    torque: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    angle: Option<f64>,
    /// Rate of the length or the angle.
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<f64>,
    /// Put into the bodies.
    power: f64,
    /// On each of its bodies.
    loads: Vec<ConstraintLoadJson<'a>>,
}

#[derive(Serialize)]
struct EnergyJson {
    kinetic: f64,
    potential: f64,
    dissipated: f64,
    work: f64,
    /// Only where joint efforts are implicit.
    #[serde(skip_serializing_if = "Option::is_none")]
    integration_loss: Option<f64>,
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
    /// With `integrator = "time-stepping"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_contact_residual: Option<f64>,
    /// Of a run with inequalities or contacts.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_overlap: Option<f64>,
    /// Of a run: relative to the largest energy and momentum seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    energy_balance_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    momentum_balance_error: Option<f64>,
    /// Of a run: when it was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    accounts: Option<&'static str>,
    /// Steps or instants that it covers.
    instants: u64,
}

/// Name of a joint's role in the solve.
pub(crate) fn role_name(role: Option<Role>) -> &'static str {
    match role {
        Some(Role::Primary) => "primary",
        Some(Role::Loop) => "loop",
        Some(Role::Auxiliary) => "auxiliary",
        None => "none",
    }
}

/// The state variables of the integrator, as scenes name them.
fn coordinates_word(coordinates: Option<cardan::Coordinates>) -> &'static str {
    match coordinates {
        Some(cardan::Coordinates::Bodies | cardan::Coordinates::Auto) => "bodies",
        Some(cardan::Coordinates::Joints) => "joints",
        None => "mixed",
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
        let JointReport { coordinates, rates, count, reaction, multipliers, drives, .. } =
            self.instant.joint(JointId::of_index(index));
        let joint = &self.model.joints()[index];
        let drive = |k: usize| DriveJson {
            coordinate: k,
            prescribed: joint.is_driven(k),
            force: drives[k],
            power: drives[k] * rates[k],
        };
        let thread = thread_of(self.model, index);
        let structural = reaction.structural + thread.map_or(Wrench::ZERO, |c| self.load(c));
        let total = reaction.total() + thread.map_or(Wrench::ZERO, |c| self.load(c));
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
            role: role_name(self.model.joint_role(JointId::of_index(index))),
            coordinates: coordinates[..count].to_vec(),
            rates: rates[..count].to_vec(),
            accelerations: self.instant.joint_accelerations(JointId::of_index(index))[..count].to_vec(),
            force: total.force.to_array(),
            torque: total.torque.to_array(),
            force_unique,
            torque_unique,
            drives: (0..count).filter(|&k| joint.has_drive(k)).map(drive).collect(),
            parts: PartsJson {
                structural: structural.into(),
                drive: reaction.drive.into(),
                limit: reaction.limit.into(),
                friction: reaction.friction.into(),
            },
            multipliers,
            loads: Vec::new(),
        }
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
            accelerations: Vec::new(),
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

    fn force(&self, index: usize) -> ForceJson<'a> {
        let (force, at) = (&self.model.forces()[index], self.instant.force(ForceId::of_index(index)));
        let name = |body: Option<BodyId>| body.map_or("ground", |id| self.model[id].name.as_str());
        let load = |(body, (position, load)): (Option<BodyId>, &(Vec3, Wrench))| ConstraintLoadJson {
            body: name(body),
            position: position.to_array(),
            force: load.force.to_array(),
            torque: load.torque.to_array(),
        };
        ForceJson {
            kind: force.kind.name(),
            force: at.along.map(|at| at.force),
            length: at.along.map(|at| at.length),
            torque: at.twist.map(|at| at.torque),
            angle: at.twist.map(|at| at.angle),
            rate: at.along.map(|at| at.rate).or(at.twist.map(|at| at.rate)),
            power: at.power,
            loads: force.bodies().zip(&at.loads).filter(|(body, _)| body.is_some()).map(load).collect(),
        }
    }

    fn energy_json(&self) -> EnergyJson {
        EnergyJson {
            kinetic: self.energy.kinetic,
            potential: self.energy.potential,
            dissipated: self.energy.dissipated,
            work: self.energy.work,
            integration_loss: (self.energy.integration_loss != 0.0).then_some(self.energy.integration_loss),
            initial: self.balance.initial_energy,
            balance_error: self.balance.energy_error_per_joule,
        }
    }

    fn certificate_json(&self) -> CertificateJson {
        let c = &self.certificate;
        // Where nothing was certified, JSON has null.
        let known = |error: f64| if self.is_certified() { error } else { f64::NAN };
        CertificateJson {
            max_position_error: known(c.max_position_error),
            max_velocity_error: known(c.max_velocity_error),
            max_equation_residual: known(c.max_equation_residual),
            max_contact_residual: self.takes_impulses.then_some(known(c.max_contact_residual)),
            max_overlap: self.may_overlap().then_some(known(c.max_overlap)),
            energy_balance_error: self.is_run.then_some(self.balance.energy_error),
            momentum_balance_error: self.is_run.then_some(self.balance.momentum_error),
            accounts: self.is_run.then(|| accounts_word(c.accounts)),
            instants: c.instants,
        }
    }
}
