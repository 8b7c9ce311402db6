//! Free directions of a joint as pure geometry, for the rank plan.

use crate::body::{BodyKind, Motion};
use crate::joint::{Anchor, ClosedForm, JointKind};
use crate::math::{Six, Vec3};
use crate::model::Model;
use crate::step::articulated::null_basis::each_null_vector;
use crate::step::articulated::tree_joint::{BodyPair, TreeJoint};
use cardan_solve::articulated::JointGeometry;

impl TreeJoint {
    /// Writes the motion subspace as pure geometry. In contrast to the elimination, bodies without
    /// orientation do not rotate here, and planar bodies stay in their plane.
    pub(crate) fn write_geometry(
        &self,
        model: &Model,
        motions: &[Motion],
        child: usize,
        out: &mut JointGeometry,
    ) {
        let pair = &BodyPair::new(self, motions);
        let (a, b) = (pair.a, pair.b);
        let (arm, kind) = (self.arm(pair), model.bodies[child].kind);
        // A particle at the end of a rod is not at the anchor of b: in the geometry both rotate
        // with the parent as one.
        let joint = self.joint(model).kind;
        out.shift = match joint.about().anchor {
            Anchor::Points if self.onto_b => b.pos - a.pos,
            Anchor::Points => a.pos - b.pos,
            _ => self.shift(pair),
        };
        out.count = 0;
        let turns = kind.has_orientation();
        let mut push = |column: Six| {
            out.columns[out.count] = column;
            out.count += 1;
        };
        let about = |e: Vec3| Six::new(arm.cross(e), e);
        let along = |e: Vec3| Six::new(e, Vec3::ZERO);
        let all = [Vec3::X, Vec3::Y, Vec3::Z];
        match self.shape {
            ClosedForm::Fixed => {}
            ClosedForm::Revolute => push(about(b.axes * self.z_b)),
            ClosedForm::Prismatic => push(along(a.axes * self.z_a)),
            ClosedForm::Cylindrical if kind.is_planar() => push(along(a.axes * self.z_a)),
            ClosedForm::Cylindrical => {
                push(along(a.axes * self.z_a));
                push(about(b.axes * self.z_b));
            }
            ClosedForm::Universal => {
                push(about(a.axes * self.z_a));
                push(about(self.x_b(b)));
            }
            ClosedForm::Spherical if kind.is_planar() => {
                if turns {
                    push(about(Vec3::Z));
                }
            }
            ClosedForm::Spherical => {
                if turns {
                    all.into_iter().for_each(|e| push(about(e)));
                }
            }
            ClosedForm::Planar if kind.is_planar() => {
                let z_a = a.axes * self.z_a;
                push(along(Vec3::Z.cross(z_a)));
            }
            ClosedForm::Planar => {
                let (z_a, x_a) = (a.axes * self.z_a, self.x_a(model, a));
                push(along(x_a));
                push(along(z_a.cross(x_a)));
                push(about(b.axes * self.z_b));
            }
            ClosedForm::Rows => self.each_free(model, motions, joint, kind, |lin, ang| {
                push(Six::new(lin + arm.cross(ang), ang));
            }),
        }
        if let Some(drives) = &self.drives
            && self.is_lower_pair()
        {
            drives.remove_driven_columns(&mut out.columns, &mut out.count);
        }
    }

    /// Motions of b relative to a that a joint given by its rows leaves free: translation of the
    /// anchor and rotation, world axes. Driven coordinates are not free.
    fn each_free(
        &self,
        model: &Model,
        motions: &[Motion],
        joint: JointKind,
        child: BodyKind,
        mut push: impl FnMut(Vec3, Vec3),
    ) {
        let pair = &BodyPair::new(self, motions);
        let (turns, in_plane) = (child.has_orientation(), child.is_planar());
        let all = [Vec3::X, Vec3::Y, Vec3::Z];
        if let JointKind::Lock { locks } = joint {
            let at = self.relative(model, pair);
            let held = |k: usize| self.drives.as_ref().is_some_and(|drives| drives.drives_coordinate(k));
            let plane = in_plane.then(|| self.joint(model).plane.as_deref().copied()).flatten();
            locks.each_free(&at, plane.as_ref(), held, |motion| {
                let motion = at.to_world(motion);
                if motion.torque == Vec3::ZERO {
                    push(motion.force, Vec3::ZERO);
                } else if turns {
                    push(Vec3::ZERO, motion.torque);
                }
            });
            return;
        }
        let about = joint.about();
        if about.locks.shifts() == 0 && about.aligned_axis == Some(Vec3::Z) {
            all[..if in_plane { 2 } else { 3 }].iter().for_each(|&e| push(e, Vec3::ZERO));
            if !in_plane && self.drives.is_none() {
                push(Vec3::ZERO, pair.b.axes * self.z_b);
            }
            return;
        }
        let (relative, rows) = self.rows(model, motions);
        if about.locks.turns() > 0 {
            let held = (0..rows.count).map(|r| relative.to_world(rows.gradient[r]));
            return each_null_vector(held.map(|g| Six::new(g.force, g.torque)), child, |free| {
                push(free.lin, free.ang);
            });
        }
        // Rows of pure force at the anchor leave translations across them free, and all rotations.
        let force = |r: usize| relative.to_world(rows.gradient[r]).force;
        let first = force(0).normalized().unwrap_or(Vec3::X);
        match (rows.count, in_plane) {
            (1, true) => push(Vec3::Z.cross(first), Vec3::ZERO),
            (1, false) => {
                let side = first.any_perpendicular().unwrap_or(Vec3::X);
                push(side, Vec3::ZERO);
                push(first.cross(side), Vec3::ZERO);
            }
            (2, false) => push(first.cross(force(1)).normalized().unwrap_or(Vec3::X), Vec3::ZERO),
            // Drives lock the rest.
            _ => {}
        }
        match (turns, in_plane) {
            (false, _) => {}
            (true, true) => push(Vec3::ZERO, Vec3::Z),
            (true, false) => all.into_iter().for_each(|e| push(Vec3::ZERO, e)),
        }
    }
}
