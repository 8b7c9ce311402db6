//! Joints of a model: their frames, drives, efforts and dry friction.

use super::ModelBuilder;
use super::check::check_number;
use crate::body::{Body, Frame};
use crate::inequality::{LimitSide, limit::limit};
use crate::joint::drive::Driven;
use crate::joint::{
    Drive, DriveMode, DryFriction, Effort, EffortKind, Joint, JointKind, MAX_COORDINATES, Plane, misfit,
};
use crate::math::Quat;
use crate::model::{BuildError, Id, IdSource, JointId, ModelBody, ModelDrive, ModelFriction, ModelJoint};
use cardan_solve::Graph;

/// All joints of a model with their drives, and the sizes of what a state and the system keep for them.
pub(super) struct JointTable {
    pub(super) joints: Vec<ModelJoint>,
    pub(super) drives: Vec<ModelDrive>,
    /// Rows so far.
    pub(super) row_at: usize,
    pub(super) turn_len: usize,
    pub(super) sum_len: usize,
}

impl ModelBuilder {
    /// Joints in their order, one link of the graph each.
    pub(super) fn resolve_joints(
        &mut self,
        bodies: &[ModelBody],
        graph: &mut Graph,
    ) -> Result<JointTable, BuildError> {
        let mut row_at = 0;
        let mut turn_len = 0;
        let mut sum_len = 0;
        let mut drives = Vec::new();
        let mut joints = Vec::with_capacity(self.joints.len());
        for j in 0..self.joints.len() {
            let joint = &self.joints[j];
            let mut made = self.resolve_joint(joint)?;
            for drive in prescribed(joint, made.plane.is_some())? {
                let driven = made
                    .driven
                    .get_or_insert_with(|| Box::new(Driven { zero: joint.zero, ..Driven::default() }));
                driven.by[drive.coordinate] = Some(drives.len() as u32);
                made.row_count += 1;
                let integrated = drive.mode != DriveMode::Position && drive.law.integrals(0.0).is_none();
                drives.push(ModelDrive {
                    joint: joints.len(),
                    coordinate: drive.coordinate,
                    mode: drive.mode,
                    law: drive.law.clone(),
                    start: [0.0; 2],
                    sums_at: integrated.then_some(sum_len),
                });
                sum_len += usize::from(integrated);
            }
            let block = |end: Option<usize>| end.map(|i| bodies[i].block);
            made.link = graph.add_link(made.rows(), &[block(made.a.body()), block(made.b.body())]);
            made.first_row = row_at as u32;
            row_at += made.rows();
            made.first_turn = turn_len as u32;
            for k in (0..MAX_COORDINATES).filter(|&k| joint.kind.counts_turns(k)) {
                made.counted |= 1 << k;
                turn_len += 1;
            }
            made.name = std::mem::take(&mut self.joints[j].name);
            joints.push(made);
        }

        for id in &self.auxiliary {
            let joint = self.id_source.place_of(*id).and_then(|index| joints.get(index));
            graph.set_auxiliary(joint.ok_or(BuildError::UnknownJoint)?.link);
        }
        Ok(JointTable { joints, drives, row_at, turn_len, sum_len })
    }

    pub(super) fn resolve_joint(&self, joint: &Joint) -> Result<ModelJoint, BuildError> {
        let name = &joint.name;
        let kind = joint.kind;
        let a = self.lookup("joint", name, joint.a)?;
        let b = self.lookup("joint", name, joint.b)?;
        let (index_a, index_b) = (a.map(|x| x.0), b.map(|x| x.0));
        if index_a == index_b {
            let end = a.map_or("ground", |(_, body)| &body.name).to_string();
            return Err(BuildError::SameBody { joint: name.clone(), end });
        }
        let (kind_a, kind_b) = (a.map(|x| x.1.kind), b.map(|x| x.1.kind));
        if let Some((on_a, why)) = misfit(kind, kind_a, kind_b)
            && let Some((_, body)) = if on_a { a } else { b }
        {
            return Err(BuildError::DoesNotFit {
                part: "joint",
                name: name.clone(),
                kind: kind.name(),
                body: body.name.clone(),
                body_kind: body.kind.name(),
                why,
            });
        }
        self.check_joint_numbers(joint)?;

        let (in_a, in_b) = Self::frames_of(joint, a.map(|x| x.1), b.map(|x| x.1))?;
        let (needs_a, needs_b) = kind.needs_orientation();
        let at_a = self.attach("joint", name, kind.name(), joint.a, &in_a, needs_a)?;
        let at_b = self.attach("joint", name, kind.name(), joint.b, &in_b, needs_b)?;

        // Between planar bodies (the ground is one of them too) a joint has only the rows of the plane.
        let flat = |k: Option<crate::body::BodyKind>| k.is_none_or(|k| k.is_planar());
        let mut plane = None;
        if flat(kind_a) && flat(kind_b) {
            for (body, frame, matters) in [(a, in_a, needs_a), (b, in_b, needs_b)] {
                let rot = body.map_or(Quat::IDENTITY, |(_, body)| body.rot) * frame.rot;
                if matters && let Some(why) = Plane::misfit(kind, rot) {
                    return Err(BuildError::NotPlanar { joint: name.clone(), kind: kind.name(), why });
                }
            }
            let rot = |body: Option<(_, &Body)>, frame: Frame| {
                body.map_or(Quat::IDENTITY, |(_, body): (usize, _)| body.rot) * frame.rot
            };
            let (rot, rot_b) = (rot(a, in_a), rot(b, in_b));
            if let JointKind::Lock { locks } = kind
                && let Some(why) = locks.misfit(rot, rot_b)
            {
                return Err(BuildError::NotPlanar { joint: name.clone(), kind: kind.name(), why });
            }
            plane = Plane::seen_from(rot);
        }
        let rows = plane.as_ref().map_or(kind.rows(), |plane| kind.rows_in(plane));
        let is_zero = joint.zero.iter().all(|zero| zero.to_bits() == 0);
        Ok(ModelJoint {
            // Taken from the description at the end, when it is no longer needed there.
            name: String::new(),
            kind,
            springs: joint.springs.clone().into(),
            efforts: efforts_of(joint).into(),
            zeros: (!is_zero).then(|| Box::new(joint.zero)),
            a: at_a,
            b: at_b,
            plane: plane.map(Box::new),
            link: cardan_solve::Link(0),
            first_row: 0,
            row_count: rows as u8,
            counted: 0,
            first_turn: 0,
            driven: None,
            motors: None,
            coupled: false,
            armature: joint.armature,
        })
    }

    pub(super) fn check_joint_numbers(&self, joint: &Joint) -> Result<(), BuildError> {
        let name = &joint.name;
        let positive = |field, value: f64| {
            if value > 0.0 && value.is_finite() {
                return Ok(());
            }
            let want = "it must be a positive number of metres";
            Err(BuildError::Number { part: "joint", name: name.clone(), field, value, want })
        };
        if let Some((field, size)) = joint.kind.size() {
            positive(field, size)?;
        }
        if joint.kind.rows() == 0 {
            return Err(BuildError::LocksNothing { joint: name.clone() });
        }
        check_number("joint", name, "armature", joint.armature, true)?;
        for zero in joint.zero {
            check_number("joint", name, "zero", zero, false)?;
        }
        for spring in &joint.springs {
            // A spring needs a coordinate that measures and pushes along one freedom.
            let have = joint.kind.acting();
            if spring.coordinate >= have {
                let (joint, kind) = (name.clone(), joint.kind.name());
                return Err(BuildError::NoCoordinate { joint, kind, coordinate: spring.coordinate, have });
            }
            check_number("joint", name, "stiffness", spring.stiffness, true)?;
            check_number("joint", name, "damping", spring.damping, true)?;
            check_number("joint", name, "rest", spring.rest, false)?;
        }
        for effort in &joint.efforts {
            let have = joint.kind.acting();
            if effort.coordinate >= have {
                let (joint, kind) = (name.clone(), joint.kind.name());
                return Err(BuildError::NoCoordinate { joint, kind, coordinate: effort.coordinate, have });
            }
            effort.check_law().map_err(|(law, error)| BuildError::Law {
                part: "joint",
                name: name.clone(),
                law,
                error,
            })?;
            for (field, value, must_be_finite) in effort.parameters() {
                if must_be_finite || value.is_nan() || value <= 0.0 {
                    check_number("joint", name, field, value, true)?;
                }
            }
            if let EffortKind::Friction(friction) = &effort.kind
                && friction.stribeck_speed > 0.0
                && friction.breakaway <= friction.coulomb
            {
                let DryFriction { coulomb, breakaway, .. } = *friction;
                return Err(BuildError::StribeckRises { joint: name.clone(), coulomb, breakaway });
            }
        }
        Ok(())
    }
}

/// Dry friction that holds at rest, joint by joint.
pub(super) fn resolve_frictions(
    source: IdSource,
    joints: &mut [ModelJoint],
) -> Result<Vec<ModelFriction>, BuildError> {
    let mut made = Vec::new();
    for (j, joint) in joints.iter_mut().enumerate() {
        for i in 0..joint.efforts.len() {
            let coordinate = joint.efforts[i].coordinate;
            let EffortKind::Friction(friction) = joint.efforts[i].kind else { continue };
            if !friction.holds() {
                continue;
            }
            let (kind, in_plane) = (joint.kind, joint.plane.is_some());
            if !kind.can_be_driven(coordinate, in_plane) {
                let have = (0..MAX_COORDINATES).filter(|&k| kind.can_be_driven(k, in_plane)).count();
                let (joint, kind) = (joint.name.clone(), kind.name());
                return Err(BuildError::NoCoordinate { joint, kind, coordinate, have });
            }
            joint.coupled = true;
            let DryFriction { coulomb, breakaway, .. } = friction;
            let rule = limit(joint, coordinate, LimitSide::Low, 0.0);
            made.push(ModelFriction {
                joint: JointId::new(j as u32, 0, source),
                coordinate,
                coulomb,
                breakaway,
                law: friction,
                rule,
                frames: [joint.a, joint.b],
            });
        }
    }
    Ok(made)
}

fn efforts_of(joint: &Joint) -> Vec<Effort> {
    let pushes = joint.drives.iter().filter(|drive| drive.mode == DriveMode::Force);
    let pushes = pushes.map(|d| Effort { coordinate: d.coordinate, kind: EffortKind::Law(d.law.clone()) });
    pushes.chain(joint.efforts.iter().cloned()).collect()
}

/// The drives of a joint that are constraints, checked, in the order of the coordinates.
pub(super) fn prescribed(joint: &Joint, in_plane: bool) -> Result<Vec<&Drive>, BuildError> {
    let name = || joint.name.clone();
    let mut by: [Option<&Drive>; MAX_COORDINATES] = [None; MAX_COORDINATES];
    for drive in &joint.drives {
        let Drive { coordinate, mode, law } = drive;
        if !joint.kind.can_be_driven(*coordinate, in_plane) {
            let have = (0..MAX_COORDINATES).filter(|&k| joint.kind.can_be_driven(k, in_plane)).count();
            let (joint, kind) = (name(), joint.kind.name());
            return Err(BuildError::NoCoordinate { joint, kind, coordinate: *coordinate, have });
        }
        law.check().map_err(|error| BuildError::Law {
            part: "joint",
            name: name(),
            law: law.name(),
            error,
        })?;
        let has = law.smoothness();
        if has < mode.needs() {
            let needs = match mode {
                DriveMode::Position => {
                    "a position needs a continuous rate; take `cubic`, `quintic`, `table` or a smoother formula, or drive the speed"
                }
                _ => {
                    "a speed needs to be continuous; take `ramp`, `cubic` or a smoother formula, or drive the acceleration"
                }
            };
            return Err(BuildError::NotSmooth { joint: name(), law: law.name(), mode: *mode, has, needs });
        }
        if *mode == DriveMode::Force {
            continue;
        }
        if by[*coordinate].replace(drive).is_some() {
            return Err(BuildError::TwoDrives { joint: name(), coordinate: *coordinate });
        }
    }
    Ok(by.into_iter().flatten().collect())
}
