//! Constraints of a model: those of the user, couplers, and paths that motors hold.

use super::check::check_number;
use super::joints::JointTable;
use super::{ConstraintSpec, ModelBuilder};
use crate::constraint::{Constraint, CoupledCoordinate, Coupler, ModelCoupler, MotorFollow};
use crate::joint::MAX_COORDINATES;
use crate::model::{Attachment, BuildError, IdSource, JointId, ModelBody, ModelConstraint, ModelJoint};
use cardan_solve::{Block, Graph};
use std::sync::Arc;

/// A coupler that keeps what was posed: index of the constraint, the coupler, and which of its rows.
pub(super) type PosedCoupler = (usize, ModelCoupler, Vec<bool>);

impl ModelBuilder {
    /// Constraints in their order, one link of the graph each, and the couplers whose offsets follow from the pose.
    pub(super) fn resolve_constraints(
        &mut self,
        bodies: &[ModelBody],
        table: &mut JointTable,
        graph: &mut Graph,
    ) -> Result<(Vec<ModelConstraint>, Vec<PosedCoupler>), BuildError> {
        let JointTable { joints, row_at, .. } = table;
        let mut constraints = Vec::with_capacity(self.constraints.len());
        let mut as_posed = Vec::new();
        for added in std::mem::take(&mut self.constraints) {
            let (name, kind) = (
                added.name().clone(),
                match &added {
                    ConstraintSpec::User(user) => user.rule.kind(),
                    ConstraintSpec::Coupler(coupler) => coupler.kind,
                    ConstraintSpec::Follow(_) => "follow",
                },
            );
            let by_motors = matches!(added, ConstraintSpec::Follow(_));
            let mut coupled = None;
            let (frames, rule) = match added {
                ConstraintSpec::User(user) => {
                    let frames = self.resolve_frames("constraint", &name, kind, &user.frames, |end| {
                        user.rule.needs_orientation(end)
                    })?;
                    (frames, user.rule)
                }
                ConstraintSpec::Coupler(coupler) => {
                    let (frames, made) = couple(&coupler, self.id_source, joints)?;
                    let posed: Vec<bool> = coupler.equations.iter().map(|e| e.offset.is_none()).collect();
                    as_posed.push((constraints.len(), made.clone(), posed));
                    let made = Arc::new(made);
                    coupled = Some(made.clone());
                    (frames, made as Arc<dyn Constraint>)
                }
                ConstraintSpec::Follow(follow) => {
                    let point =
                        self.resolve_frames("constraint", &name, kind, &[follow.frame()], |_| false)?;
                    let (frames, follow) = hold_by_motors(follow, point, *row_at, (self.id_source, joints))?;
                    (frames, Arc::new(follow) as Arc<dyn Constraint>)
                }
            };
            let rows = rule.rows();
            let empty = |what| Err(BuildError::EmptyConstraint { name: name.clone(), what });
            if rows == 0 {
                return empty("rows");
            }
            if frames.iter().all(|f| f.body().is_none()) {
                return empty("frame on a body");
            }
            let ends: Vec<Option<Block>> = frames.iter().map(|f| f.body().map(|i| bodies[i].block)).collect();
            let link = graph.add_link(rows, &ends);
            let pushed = rule.pushes_elsewhere();
            if pushed {
                graph.set_force_columns(link);
            } else if rule.is_auxiliary() {
                graph.set_auxiliary(link);
            }
            constraints.push(ModelConstraint {
                name,
                rule,
                coupler: coupled,
                frames,
                link,
                row_at: *row_at,
                rows,
                pushed,
                by_motors,
            });
            *row_at += rows;
        }
        Ok((constraints, as_posed))
    }
}

/// A joint that a constraint names, and a coordinate of it that measures one freedom.
fn joint_with<'j>(
    constraint: &str,
    (source, joints): (IdSource, &'j [ModelJoint]),
    id: JointId,
    k: usize,
) -> Result<&'j ModelJoint, BuildError> {
    let joint = source.place_of(id).and_then(|index| joints.get(index));
    let joint = joint.ok_or_else(|| BuildError::NoSuchJoint { name: constraint.into() })?;
    let in_plane = joint.plane.is_some();
    if joint.kind.can_be_driven(k, in_plane) {
        return Ok(joint);
    }
    let have = (0..MAX_COORDINATES).filter(|&k| joint.kind.can_be_driven(k, in_plane)).count();
    Err(BuildError::NoCoupledCoordinate {
        name: constraint.into(),
        joint: joint.name.clone(),
        kind: joint.kind.name(),
        coordinate: k,
        have,
    })
}

/// A coupler with the frames of its joints; offsets as posed are not known yet.
fn couple(
    coupler: &Coupler,
    source: IdSource,
    joints: &mut [ModelJoint],
) -> Result<(Vec<Attachment>, ModelCoupler), BuildError> {
    let name = &coupler.name;
    let (mut pairs, mut parts) = (Vec::new(), Vec::new());
    for (row, equation) in coupler.equations.iter().enumerate() {
        if equation.terms.iter().all(crate::constraint::CouplerTerm::is_constant) {
            return Err(BuildError::CouplesNothing { name: name.clone(), equation: row });
        }
        check_number("constraint", name, "offset", equation.offset.unwrap_or(0.0), false)?;
        for term in &equation.terms {
            let (k, id) = (term.coordinate, term.joint);
            let joint = joint_with(name, (source, joints), id, k)?;
            for p in &term.polynomial {
                check_number("constraint", name, "polynomial", *p, false)?;
            }
            let pair = pairs.iter().position(|known| *known == id.index()).unwrap_or(pairs.len());
            if pair == pairs.len() {
                pairs.push(id.index());
            }
            parts.push(CoupledCoordinate {
                row,
                pair,
                kind: joint.kind,
                coordinate: k,
                turn_at: joint.turns_of(k),
                zero: joint.zero(k),
                polynomial: term.polynomial.clone(),
            });
        }
    }
    pairs.iter().for_each(|&j| joints[j].coupled = true);
    let frames = pairs.iter().flat_map(|&j| [joints[j].a, joints[j].b]).collect();
    let offsets = coupler.equations.iter().map(|equation| equation.offset.unwrap_or(0.0)).collect();
    Ok((frames, ModelCoupler { kind: coupler.kind, offsets, parts, joints: pairs }))
}

/// A path with the frames of the motors that hold it: row after row from `row_at`, each motor's joint is told which is its.
fn hold_by_motors(
    follow: MotorFollow,
    mut frames: Vec<Attachment>,
    row_at: usize,
    (source, joints): (IdSource, &mut [ModelJoint]),
) -> Result<(Vec<Attachment>, crate::constraint::Follow), BuildError> {
    let (name, rows) = (&follow.name, follow.follow.rows());
    if follow.motors.len() != rows {
        return Err(BuildError::MotorCount { name: name.clone(), motors: follow.motors.len(), rows });
    }
    let mut motors = Vec::with_capacity(rows);
    for (r, (id, k)) in follow.motors.iter().enumerate() {
        let joint = joint_with(name, (source, joints), *id, *k)?;
        if joint.is_driven(*k) || joint.motor(*k).is_some() {
            return Err(BuildError::TwoDrives { joint: joint.name.clone(), coordinate: *k });
        }
        motors.push((joint.kind, *k));
        frames.extend([joint.a, joint.b]);
        joints[id.index()].motors.get_or_insert_default()[*k] = Some(row_at + r);
        joints[id.index()].coupled = true;
    }
    Ok((frames, follow.follow.pushed_by(motors)))
}
