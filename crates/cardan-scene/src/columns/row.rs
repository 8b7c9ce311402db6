//! The numbers of one row, in the order of the names.

use super::ScrewThreads;
use super::contacts::ContactColumns;
use super::names::ForceForm;
use cardan::math::Vec3;
use cardan::measure::{InequalityState, Instant};
use cardan::{BodyId, ConstraintId, Energy, ForceId, JointId, Model, ProbeId, Wrench};

fn vector(row: &mut Vec<f64>, v: Vec3) {
    row.extend(v.to_array());
}

pub(super) fn vector_with_norm(row: &mut Vec<f64>, v: Vec3) {
    vector(row, v);
    row.push(v.norm());
}

fn wrench(row: &mut Vec<f64>, Wrench { force, torque }: Wrench) {
    vector_with_norm(row, force);
    vector_with_norm(row, torque);
}

/// Appends the numbers of one row.
pub(super) fn fill(
    model: &Model,
    (screws, contacts): (&ScrewThreads, &ContactColumns),
    now: &Instant<'_>,
    energy: &Energy,
    row: &mut Vec<f64>,
) {
    let load = |c: usize| {
        now.constraint_loads(ConstraintId::of_index(c)).last().map_or(Wrench::ZERO, |load| load.at_frame)
    };
    row.push(now.time());
    for i in 0..model.bodies().len() {
        let b = now.body(BodyId::of_index(i));
        vector(row, b.position);
        vector(row, b.orientation.log());
        for v in [b.velocity, b.angular_velocity, b.acceleration, b.angular_acceleration] {
            vector_with_norm(row, v);
        }
    }
    for i in 0..model.bodies().len() {
        let (u, rates) = now.internal_coordinates(BodyId::of_index(i));
        u.iter().zip(rates).for_each(|(u, rate)| row.extend([*u, *rate]));
    }
    for i in 0..model.joints().len() {
        let total =
            now.joint(JointId::of_index(i)).reaction.total() + screws.threads[i].map_or(Wrench::ZERO, load);
        wrench(row, total);
    }
    for &c in &screws.others {
        wrench(row, load(c));
    }
    for i in 0..model.probes().len() {
        let p = now.probe(ProbeId::of_index(i));
        vector(row, p.position);
        vector_with_norm(row, p.velocity);
        vector_with_norm(row, p.acceleration);
    }
    joints(model, screws, now, row);
    for i in 0..model.forces().len() {
        force(model, ForceId::of_index(i), i, now, row);
    }
    contacts.write(model, now, row);
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

fn joints(model: &Model, screws: &ScrewThreads, now: &Instant<'_>, row: &mut Vec<f64>) {
    for (i, joint) in model.joints().iter().enumerate() {
        let id = JointId::of_index(i);
        let (j, second) = (now.joint(id), now.joint_accelerations(id));
        let mut passive = None;
        for k in 0..j.count {
            row.extend([j.coordinates[k], j.rates[k], second[k]]);
            if joint.has_drive(k) {
                row.extend([j.drives[k], j.drives[k] * j.rates[k]]);
            }
            let [springs, friction] = model.has_passive_efforts(id, k);
            if springs || friction {
                let passive = passive.get_or_insert_with(|| now.passive_efforts(id));
                row.extend(springs.then_some(passive.springs[k]));
                row.extend(friction.then_some(passive.friction[k]));
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
}

fn force(model: &Model, id: ForceId, index: usize, now: &Instant<'_>, row: &mut Vec<f64>) {
    let report = now.force(id);
    match ForceForm::of(&model.forces()[index]) {
        ForceForm::Line => {
            let at = report.along.map_or([f64::NAN; 3], |at| [at.force, at.length, at.rate]);
            row.extend(at);
        }
        ForceForm::Twist => {
            let at = report.twist.map_or([f64::NAN; 3], |at| [at.torque, at.angle, at.rate]);
            row.extend(at);
        }
        ForceForm::Wrench(_) => report.loads.iter().for_each(|(_, load)| wrench(row, *load)),
    }
    row.push(report.power);
}
