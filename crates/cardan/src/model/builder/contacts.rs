//! Inequalities, contact shapes and impulses of a model.

use super::ModelBuilder;
use super::check::{check_material, check_number, check_restitution, finite};
use crate::body::Frame;
use crate::contact::{Contacts, ModelShape, Shape};
use crate::impulse::{ModelImpulse, TimedImpulse};
use crate::inequality::{Inequality, InequalityOrigin, JointLimit, LimitSide, limit::limit};
use crate::joint::MAX_COORDINATES;
use crate::model::{BuildError, Id, ImpulseId, JointId, ModelInequality, ModelJoint};
use std::sync::Arc;

impl ModelBuilder {
    /// Impulses by time.
    pub(super) fn resolve_impulses(&self) -> Result<Vec<ModelImpulse>, BuildError> {
        let mut impulses = Vec::with_capacity(self.impulses.len());
        for (i, impulse) in self.impulses.iter().enumerate() {
            impulses.push(self.resolve_impulse(i, impulse)?);
        }
        // Those of one time in the order in which they were added.
        impulses.sort_by(|a: &ModelImpulse, b: &ModelImpulse| a.time.total_cmp(&b.time));
        Ok(impulses)
    }

    /// Limits of joints in their order, the lower one first, then what was described.
    pub(super) fn resolve_inequalities(
        &mut self,
        joints: &mut [ModelJoint],
    ) -> Result<Vec<ModelInequality>, BuildError> {
        let mut made = Vec::new();
        for (j, joint) in self.joints.iter().enumerate() {
            let id = JointId::new(j as u32, 0, self.id_source);
            for described in &joint.limits {
                let JointLimit { coordinate, low, high, restitution } = *described;
                let name = &joints[j].name.clone();
                let (kind, in_plane) = (joint.kind, joints[j].plane.is_some());
                if !kind.can_be_driven(coordinate, in_plane) {
                    let have = (0..MAX_COORDINATES).filter(|&k| kind.can_be_driven(k, in_plane)).count();
                    let (joint, kind) = (name.clone(), kind.name());
                    return Err(BuildError::NoCoordinate { joint, kind, coordinate, have });
                }
                if low > high || low.is_nan() || high.is_nan() {
                    return Err(BuildError::Limits { joint: name.clone(), coordinate, low, high });
                }
                check_restitution("joint", name, restitution)?;
                for (side, value) in [(LimitSide::Low, low), (LimitSide::High, high)] {
                    if value.is_finite() {
                        joints[j].coupled = true;
                        made.push(ModelInequality {
                            name: name.clone(),
                            origin: InequalityOrigin::Limit { joint: id, coordinate, side },
                            restitution,
                            rule: Arc::new(limit(&joints[j], coordinate, side, value)),
                            frames: vec![joints[j].a, joints[j].b],
                            limit_value: value,
                        });
                    }
                }
            }
        }
        for described in std::mem::take(&mut self.inequalities) {
            let Inequality { name, frames, rule, restitution } = described;
            check_restitution("inequality", &name, restitution)?;
            if rule.rows() != 1 || rule.pushes_elsewhere() {
                let (field, value) = ("number of rows", rule.rows() as f64);
                let want = "an inequality is one condition that pushes along its own gradient";
                return Err(BuildError::Number { part: "inequality", name, field, value, want });
            }
            let frames = self.resolve_frames("inequality", &name, rule.kind(), &frames, |end| {
                rule.needs_orientation(end)
            })?;
            if frames.iter().all(|f| f.body().is_none()) {
                return Err(BuildError::EmptyConstraint { name, what: "frame on a body" });
            }
            made.push(ModelInequality {
                name,
                origin: InequalityOrigin::Declared,
                restitution,
                rule,
                frames,
                limit_value: f64::NAN,
            });
        }
        Ok(made)
    }

    pub(super) fn resolve_contacts(&self, joints: &[ModelJoint]) -> Result<Contacts, BuildError> {
        let mut contacts = Contacts::default();
        for (described, place) in self.shapes.iter().zip(0..) {
            let name = match self.lookup("shape", described.shape.kind(), described.body)? {
                Some((_, body)) => body.name.clone(),
                None => "ground".to_string(),
            };
            check_material(&name, &described.material)?;
            let kind = described.shape.kind();
            let (frame, shape) = (&described.frame, described.shape.clone());
            let needs = !matches!(shape, Shape::Sphere { .. });
            let at = self.attach("shape", &name, kind, described.body, frame, needs)?;
            contacts.shapes.push(ModelShape {
                shape,
                material: described.material,
                at,
                tags: self.shape_tags.get(&place).cloned().unwrap_or_default(),
            });
        }
        // Without shapes the rules are not read.
        let joints = if contacts.shapes.is_empty() { &[] } else { joints };
        for joint in joints {
            let rule = contacts.rule_mut(joint.a.body(), joint.b.body());
            (rule.meets, rule.parted_by_joint) = (Some(false), true);
        }
        for &(a, b, rule) in &self.pair_rules {
            let index = |end| Ok(self.lookup("contact", "pair", end)?.map(|(index, _)| index));
            let entry = contacts.rule_mut(index(a)?, index(b)?);
            if rule.meets.is_some() {
                (entry.meets, entry.parted_by_joint) = (rule.meets, false);
            }
            entry.material = rule.material.or(entry.material);
            if let Some(material) = &rule.material {
                check_material("contact", material)?;
            }
        }
        Ok(contacts)
    }

    pub(super) fn resolve_impulse(
        &self,
        index: usize,
        TimedImpulse { name, time, impulse }: &TimedImpulse,
    ) -> Result<ModelImpulse, BuildError> {
        check_number("impulse", name, "time", *time, true)?;
        for (field, vector) in
            [("point", impulse.point), ("impulse", impulse.linear), ("angular impulse", impulse.angular)]
        {
            finite("impulse", name, field, vector)?;
        }
        let frame = Frame::at(impulse.point);
        let at =
            self.attach("impulse", name, "applied", impulse.body, &frame, impulse.needs_orientation())?;
        if at.body().is_none() {
            return Err(BuildError::ImpulseOnGround { name: name.clone() });
        }
        let id = ImpulseId::new(index as u32, 0, self.id_source);
        Ok(ModelImpulse { id, name: name.clone(), time: *time, impulse: *impulse, at })
    }
}
