//! Diagnosis of a failed assembly: which new joint or constraint cannot be closed, and its error.
//!
//! An assembly that fails names the worst row, which may be any row of the mechanism. Therefore the new conditions are added again in
//! sequence to a copy; the first that cannot be closed is named. The world does not change.

use super::grab::GuidedGrab;
use super::parts::Members;
use super::{PartId, World, WorldError};
use crate::force::{Force, Gravity, Spring};
use crate::joint::Placement;
use crate::math::{Vec3, larger};
use crate::model::{BodyId, ConstraintId, ConstraintSpec, End, Id, Probe, ProbeId};
use crate::simulation::Simulation;
use crate::statics::{EquilibriumKind, Goal};
use crate::step::StepError;

/// Largest number of new conditions that are tried in sequence.
const MAX_TRIALS: usize = 32;
/// Relative distance below which points count as coincident.
const REACHED: f64 = 1e-6;

impl World {
    /// Notes that a condition is new or was changed.
    pub(super) fn note_new_condition(&mut self, id: PartId) {
        // Beyond the limit none is tried; duplicates count once.
        if !self.new_conditions.iter().rev().take(MAX_TRIALS).any(|known| *known == id) {
            self.new_conditions.push(id);
        }
    }

    /// The error of an island that cannot be assembled, with the name of the new condition that causes it, if there is one.
    pub(super) fn explain_assembly_failure(&mut self, number: usize, error: StepError) -> WorldError {
        let island = &self.islands[number];
        island.write_back(&mut self.parts, &mut Vec::new());
        let mut members = island.members.clone();
        let mut new_conditions = Vec::new();
        for id in &self.new_conditions {
            // The place of a removed part may have a new owner.
            let (list, place) = match id {
                PartId::Joint(id) if self.parts.joints.get(*id).is_some() => {
                    (&mut members.joints, id.place())
                }
                PartId::Constraint(id) if self.parts.constraints.get(*id).is_some() => {
                    (&mut members.constraints, id.place())
                }
                _ => continue,
            };
            if let Ok(at) = list.binary_search(&place) {
                list.remove(at);
                new_conditions.push(*id);
            }
        }
        if new_conditions.is_empty()
            || new_conditions.len() > MAX_TRIALS
            || self.trial_simulation(&members).is_none_or(|mut sim| sim.assemble().is_err())
        {
            return error.into();
        }
        for id in new_conditions {
            let before = members.clone();
            let (list, place) = match id {
                PartId::Constraint(id) => (&mut members.constraints, id.place()),
                PartId::Joint(id) => (&mut members.joints, id.place()),
                _ => continue,
            };
            let at = list.binary_search(&place).unwrap_or_else(|at| at);
            list.insert(at, place);
            let Some(mut sim) = self.trial_simulation(&members) else { return error.into() };
            if let Err(why) = sim.assemble() {
                let open = largest_error(&mut sim, &members, id);
                let nearest = self.nearest_gap(&before, id).filter(|nearest| *nearest > REACHED * open);
                let name = self.parts.name_of(id);
                let (time, why) = (self.time, Box::new(why));
                return WorldError::CannotClose { joint: name, time, open, nearest, why };
            }
        }
        error.into()
    }

    /// The members in their present poses, as a simulation.
    fn trial_simulation(&mut self, members: &Members) -> Option<Simulation> {
        let model = self.parts.build(members, &mut self.local, (self.time, self.time_remainder)).ok()?;
        Simulation::with_settings(model, self.settings).ok()
    }

    /// Smallest distance that the members allow between the two points of a joint: the minimum of the energy of a spring in its place,
    /// without other forces.
    fn nearest_gap(&mut self, members: &Members, id: PartId) -> Option<f64> {
        let (a, b) = match id {
            PartId::Joint(id) => {
                let joint = &self.parts.joints.get(id)?.part.joint;
                let about = joint.kind.about();
                let Placement::Frames { in_a, in_b } = &joint.placement else { return None };
                let holds_points = about.locks.shifts() == 3 && !about.is_curved;
                holds_points.then_some(((joint.a, in_a.pos), (joint.b, in_b.pos)))?
            }
            _ => return None,
        };
        // Constraints only: forces, shapes and limits are left out.
        let held = Members {
            bodies: members.bodies.clone(),
            joints: members.joints.clone(),
            constraints: members.constraints.clone(),
            ..Members::default()
        };
        let here = |(end, point): (End, Vec3)| match end.body() {
            None => Some((End::Ground, point)),
            Some(id) => {
                let at = members.bodies.binary_search(&id.place()).ok()?;
                Some((end.moved_to(BodyId::of_index(at)), point))
            }
        };
        let (a, b) = (here(a)?, here(b)?);
        let now = (self.time, self.time_remainder);
        let model = self.parts.build_with(&held, &mut self.local, now, |parts| {
            parts.gravity = Gravity::ZERO;
            parts.forces.push(Force::spring(
                a.0,
                a.1,
                b.0,
                b.1,
                Spring { stiffness: 1.0, damping: 0.0, rest_length: 0.0 },
            ));
            for (name, (body, point)) in [("a", a), ("b", b)] {
                parts.probes.push(Probe { name: name.into(), body, point });
            }
        });
        let mut sim = Simulation::with_settings(model.ok()?, self.settings).ok()?;
        sim.equilibrium(EquilibriumKind::Stable).ok()?;
        let seen = sim.kinematics();
        let [a, b] = [0, 1].map(|i| seen.probe(ProbeId::of_index(i)).position);
        Some((a - b).norm())
    }

    /// The error of a step in which a grab prescribes a motion that the joints do not allow, if that is the cause.
    pub(super) fn explain_unreachable(&mut self, number: usize, error: &StepError) -> Option<WorldError> {
        let is_open = matches!(
            error,
            StepError::CannotClose { .. } | StepError::Conflict { .. } | StepError::JointSingular { .. }
        );
        if !is_open {
            return None;
        }
        let island = &self.islands[number];
        let of = |id: ConstraintId| island.members.constraints.binary_search(&id.place()).is_ok();
        let is_guided =
            |guided: &&GuidedGrab| self.parts.constraints.get(guided.id).is_some() && of(guided.id);
        let guided = *self.guided_grabs.iter().find(is_guided)?;
        let ConstraintSpec::User(grip) = &self.parts.constraints.get(guided.id)?.part.added else {
            return None;
        };
        let (end, frame) = *grip.frames.first()?;
        let body = end.body()?;
        island.write_back(&mut self.parts, &mut Vec::new());
        let mut members = island.members.clone();
        members.constraints.retain(|place| *place != guided.id.place());
        let index = members.bodies.binary_search(&body.place()).ok()?;
        let (end, now) = (end.moved_to(BodyId::of_index(index)), (self.time, self.time_remainder));
        members.probes.clear();
        let model = self.parts.build_with(&members, &mut self.local, now, |parts| {
            parts.probes.push(Probe { name: "hand".into(), body: end, point: frame.pos });
        });
        let mut sim = Simulation::with_settings(model.ok()?, self.settings).ok()?;
        let goal = Goal::probe(sim.model(), ProbeId::of_index(0), guided.to)?;
        let reach = sim.reach(&goal).ok()?;
        let (name, target) = (self.parts.name_of(body.into()), guided.to.to_array());
        let (time, why) = (self.time, Box::new(error.clone()));
        let mut miss = reach.miss;
        if self.parts.bodies.get(body)?.part.body.kind.is_planar() {
            // A planar body stays in its plane.
            miss.z = 0.0;
        }
        let is_there = miss.norm() <= REACHED * (1.0 + guided.to.largest());
        Some(match is_there {
            false => WorldError::OutOfReach { body: name, target, by: miss.norm(), time, why },
            true => WorldError::BlockedPath { body: name, target, time, why },
        })
    }
}

/// Error of the rows of a condition in the present pose.
fn largest_error(sim: &mut Simulation, members: &Members, id: PartId) -> f64 {
    let seen = sim.kinematics();
    let (model, errors) = (seen.model(), seen.position_errors());
    let rows = match id {
        PartId::Joint(id) => members.joints.binary_search(&id.place()).ok().map(|j| {
            let joint = &model.joints[j];
            joint.row_at()..joint.row_at() + joint.rows()
        }),
        PartId::Constraint(id) => members.constraints.binary_search(&id.place()).ok().map(|c| {
            let constraint = &model.constraints[c];
            constraint.row_at..constraint.row_at + constraint.rows
        }),
        _ => None,
    };
    let of_rows = rows.and_then(|rows| errors.get(rows)).unwrap_or_default();
    of_rows.iter().fold(0.0, |most, error| larger(most, error.abs()))
}
