//! A joint of the forest as the fast way sees it: by what it leaves free.
//!
//! With σ = 1 where b is the child and −1 where a is, everything is taken at b's anchor p_b, since the rows on a are
//! those on b carried over (see `joint/`). The child's arm there is r = p_b − x_c, the relative motion seen from a is
//! (y, w), and its accelerations at rest of all bodies are b_y, b_w (world axes):
//!
//! ```text
//! x_c = X x_p + γ + N s
//! γ_ω = −σ (b_w − u)          u: what the joint's own curvature adds where it is not closed
//! γ_v = −σ (locked part of b_y) − γ_ω × r
//! N   = σ (r × z, z) for a turn about z,   σ (e, 0) for a shift along e
//! ```
//!
//! Where the joint gapes, by a shift and a turn of b against a with their free parts taken out, the same γ with −(shift,
//! turn) in the place of the accelerations closes it.
//!
//! A joint that leaves more than three freedoms is given by its rows; there are at most two.

pub(crate) mod bias;
pub(crate) mod gap;
pub(crate) mod geometry;
pub(crate) mod hinge_or_ball;
pub(crate) mod loop_rows;
pub(crate) mod residual;
pub(crate) mod subspace;
pub(crate) mod wide;

pub(crate) use bias::{axis_curvature, bias_of_anchor};
pub(crate) use gap::JointGap;
pub(crate) use hinge_or_ball::{HingeOrBall, closed_slide};
pub(crate) use loop_rows::{LockedDirections, perpendicular_basis};
pub(crate) use residual::JointResidual;

use crate::body::{BodyKind, Motion};
use crate::joint::{ClosedForm, JointKind, JointRows, Relative};
use crate::law::Jet;
use crate::math::{Lane, Six, Vec3};
use crate::model::{Model, ModelJoint};
use crate::step::articulated::joint_drives::JointDrives;
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::articulated::residual::square;
use cardan_solve::articulated::Form;

/// One joint of the forest; what is needed for every evaluation, and nothing else.
#[derive(Clone, Debug)]
pub(crate) struct TreeJoint {
    shape: ClosedForm,
    /// The motions of a and b; the ground's is the last of all.
    a: u32,
    b: u32,
    /// Where the joint is in the model.
    pub(crate) index: u32,
    /// b is the child.
    onto_b: bool,
    /// And a is the ground.
    on_ground: bool,
    /// The child is a point, which does not turn.
    child_is_point: bool,
    /// Both bodies are in the plane.
    in_plane: bool,
    /// What a and b feel of its rows.
    pub(crate) force_masks: [ForceMask; 2],
    /// Anchors and z axes of the joint frames in their bodies, from the centres of mass.
    pos_a: Vec3,
    pos_b: Vec3,
    z_a: Vec3,
    z_b: Vec3,
    /// Squares of the arms of both anchors.
    arms_squared: (f64, f64),
    /// Drives of its coordinates.
    pub(crate) drives: Option<Box<JointDrives>>,
}

/// What a body feels of a generalised force in space.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct ForceMask {
    all: bool,
    turns: bool,
    planar: bool,
    /// The ground feels nothing.
    is_ground: bool,
}

impl ForceMask {
    fn of(kind: Option<BodyKind>) -> Self {
        match kind {
            None => ForceMask { is_ground: true, ..ForceMask::default() },
            Some(kind) => ForceMask {
                all: kind == BodyKind::Rigid,
                turns: kind.has_orientation(),
                planar: kind.is_planar(),
                is_ground: false,
            },
        }
    }
    /// Everything in space, or nothing at all.
    fn is_spatial_or_ground(self) -> bool {
        self.all || self.is_ground
    }
    pub(crate) fn masked(self, row: &Six) -> Six {
        let mut row = *row;
        if self.is_ground {
            return Six::ZERO;
        }
        if !self.turns {
            row.ang = Vec3::ZERO;
        }
        if self.planar {
            row.lin.z = 0.0;
            (row.ang.x, row.ang.y) = (0.0, 0.0);
        }
        row
    }
}

/// How a joint between bodies in space is eliminated: the smaller of its two forms.
pub(crate) fn form_of(kind: JointKind) -> Form {
    let about = kind.about();
    match about.closed_form {
        // By its rows, also where freedoms would be fewer; with more than three of them `ArticulatedSystem` are not made.
        ClosedForm::Rows if about.rows() < 3 => Form::Rows(about.rows() as u8),
        ClosedForm::Rows => Form::Rows(3),
        _ => Form::Freedoms(6 - about.rows() as u8),
    }
}

/// Motions of the two bodies, and what all kinds of joints want to know of them; world axes.
pub(crate) struct BodyPair<'m> {
    a: &'m Motion,
    b: &'m Motion,
    arm_a: Vec3,
    arm_b: Vec3,
    /// p_b − x_a and p_b − p_a.
    to_anchor: Vec3,
    offset: Vec3,
    spin_a: Vec3,
    spin_b: Vec3,
}

impl<'m> BodyPair<'m> {
    #[inline(always)]
    fn new(tree_joint: &TreeJoint, motions: &'m [Motion]) -> Self {
        let (a, b) = (&motions[tree_joint.a as usize], &motions[tree_joint.b as usize]);
        let (arm_a, arm_b) = (a.axes * tree_joint.pos_a, b.axes * tree_joint.pos_b);
        let to_anchor = b.pos + arm_b - a.pos;
        let (spin_a, spin_b) = (a.omega.cross(arm_a), b.omega.cross(arm_b));
        BodyPair { a, b, arm_a, arm_b, to_anchor, offset: to_anchor - arm_a, spin_a, spin_b }
    }
    /// The same where the anchor on a has no part.
    #[inline(always)]
    fn without_a(tree_joint: &TreeJoint, motions: &'m [Motion]) -> Self {
        BodyPair::on(tree_joint, motions, motions[tree_joint.b as usize].axes * tree_joint.pos_b)
    }
    /// The same with the arm on b at hand.
    #[inline(always)]
    fn on(tree_joint: &TreeJoint, motions: &'m [Motion], arm_b: Vec3) -> Self {
        let (a, b) = (&motions[tree_joint.a as usize], &motions[tree_joint.b as usize]);
        let (to_anchor, spin_b) = (b.pos + arm_b - a.pos, b.omega.cross(arm_b));
        BodyPair { a, b, arm_a: Vec3::ZERO, arm_b, to_anchor, offset: Vec3::ZERO, spin_a: Vec3::ZERO, spin_b }
    }
    /// b's anchor from the centres of a and b.
    #[inline(always)]
    fn anchor(&self) -> (Vec3, Vec3) {
        (self.to_anchor, self.arm_b)
    }
    /// ṗ_b − ṗ_a.
    #[inline(always)]
    fn offset_rate(&self) -> Vec3 {
        (self.b.vel + self.spin_b) - (self.a.vel + self.spin_a)
    }
    /// b_y: the acceleration of b's anchor seen from a when no body accelerates. In ω_b × (ω_b × r_b) − ω_a × (ω_a × t)
    /// − 2 ω_a × (ṗ_b − ẋ_a − ω_a × t), with t = p_b − x_a, the anchor on a has no part.
    #[inline(always)]
    fn bias(&self) -> Vec3 {
        bias_of_anchor(self.a, self.b, self.to_anchor, self.spin_b)
    }
}

#[inline(always)]
pub(crate) fn perpendicular_part<T: Lane>(v: Vec3<T>, e: Vec3<T>) -> Vec3<T> {
    v - e * e.dot(v)
}

impl TreeJoint {
    /// A joint as seen from a body, its child; for one that closes a loop b, or a if b is the ground.
    pub(crate) fn new(model: &Model, index: usize, child: usize) -> Self {
        let joint = &model.joints[index];
        let force_mask = |body: Option<usize>| ForceMask::of(body.map(|i| model.bodies[i].kind));
        let motion = |body: Option<usize>| body.unwrap_or(model.bodies.len()) as u32;
        TreeJoint {
            shape: joint.kind.about().closed_form,
            a: motion(joint.a.body()),
            b: motion(joint.b.body()),
            index: index as u32,
            onto_b: joint.b.body() == Some(child),
            on_ground: joint.b.body() == Some(child) && joint.a.body().is_none(),
            child_is_point: !model.bodies[child].kind.has_orientation(),
            in_plane: joint.plane.is_some(),
            force_masks: [force_mask(joint.a.body()), force_mask(joint.b.body())],
            pos_a: joint.a.local.pos,
            pos_b: joint.b.local.pos,
            z_a: joint.a.local.rot * Vec3::Z,
            z_b: joint.b.local.rot * Vec3::Z,
            arms_squared: (square(joint.a.local.pos), square(joint.b.local.pos)),
            drives: JointDrives::new(joint.kind, joint.driven.as_deref().copied().unwrap_or_default()),
        }
    }

    fn joint<'m>(&self, model: &'m Model) -> &'m ModelJoint {
        &model.joints[self.index as usize]
    }

    #[inline(always)]
    fn sign(&self) -> f64 {
        if self.onto_b { 1.0 } else { -1.0 }
    }

    /// From the child's centre of mass to b's anchor.
    #[inline(always)]
    fn arm(&self, pair: &BodyPair<'_>) -> Vec3 {
        if self.onto_b { pair.arm_b } else { pair.to_anchor }
    }

    pub(crate) fn child_arm(&self, motions: &[Motion]) -> Vec3 {
        self.arm(&BodyPair::new(self, motions))
    }

    pub(crate) fn onto_b(&self) -> bool {
        self.onto_b
    }

    /// Whether b, its child, hangs on the ground.
    #[inline(always)]
    pub(crate) fn on_ground(&self) -> bool {
        self.on_ground
    }

    #[inline(always)]
    pub(crate) fn shape(&self) -> ClosedForm {
        self.shape
    }

    /// Whether it is a hinge or a ball between bodies in space, or one and the ground, that nothing drives.
    #[inline(always)]
    pub(crate) fn is_hinge_or_ball(&self) -> bool {
        matches!(self.shape, ClosedForm::Revolute | ClosedForm::Spherical)
            && self.force_masks[0].is_spatial_or_ground()
            && self.force_masks[1].is_spatial_or_ground()
            && self.drives.is_none()
    }

    /// A hinge that nothing drives: [`write_hinge`](TreeJoint::write_hinge) is for it.
    pub(crate) fn is_free_hinge(&self) -> bool {
        self.shape == ClosedForm::Revolute && self.drives.is_none()
    }

    /// A slide in space that nothing drives, on another body: [`write_slide`](TreeJoint::write_slide) is for it.
    pub(crate) fn is_free_slide(&self, ground: usize) -> bool {
        let ends = [self.a as usize, self.b as usize];
        self.shape == ClosedForm::Prismatic
            && self.drives.is_none()
            && self.force_masks.iter().all(|force_mask| force_mask.all)
            && !ends.contains(&ground)
    }

    /// A ball in space that nothing drives: [`write_ball`](TreeJoint::write_ball) is for it.
    pub(crate) fn is_free_ball(&self) -> bool {
        self.shape == ClosedForm::Spherical && self.is_hinge_or_ball()
    }

    /// Whether its rows are given by what it locks; otherwise they are its own.
    pub(crate) fn is_lower_pair(&self) -> bool {
        self.shape != ClosedForm::Rows
    }

    /// Whether it is a lower pair between bodies in space that nothing drives.
    pub(crate) fn closes(&self) -> bool {
        let in_space =
            self.force_masks[0].is_spatial_or_ground() && self.force_masks[1].is_spatial_or_ground();
        self.is_lower_pair() && in_space && self.drives.is_none()
    }

    /// Squares of the arms of both anchors.
    #[inline(always)]
    pub(crate) fn arms_squared(&self) -> (f64, f64) {
        self.arms_squared
    }

    /// That of the child's.
    #[inline(always)]
    pub(crate) fn own_arm_squared(&self) -> f64 {
        if self.onto_b { self.arms_squared.1 } else { self.arms_squared.0 }
    }

    #[inline(always)]
    fn arms(&self) -> f64 {
        self.arms_squared.0 + self.arms_squared.1
    }

    /// Arms and axes of such a joint.
    #[inline(always)]
    pub(crate) fn frames(&self, motions: &[Motion]) -> JointFrames {
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let (arm_a, arm_b) = (a.axes * self.pos_a, b.axes * self.pos_b);
        if self.shape == ClosedForm::Spherical {
            return JointFrames { arm_a, arm_b, ..JointFrames::default() };
        }
        JointFrames { arm_a, arm_b, z_a: a.axes * self.z_a, z_b: b.axes * self.z_b }
    }

    /// The motion of the parent; anchor and z axis on the child, and those on the parent.
    #[inline(always)]
    pub(crate) fn sides(&self) -> (usize, (Vec3, Vec3), (Vec3, Vec3)) {
        let (a, b) = ((self.pos_a, self.z_a), (self.pos_b, self.z_b));
        if self.onto_b { (self.a as usize, b, a) } else { (self.b as usize, a, b) }
    }

    /// Anchors and z axes on a and b, in their bodies.
    pub(crate) fn body_frames(&self) -> [(Vec3, Vec3); 2] {
        [(self.pos_a, self.z_a), (self.pos_b, self.z_b)]
    }

    /// Indices of the motions of a and b.
    pub(crate) fn ends(&self) -> (usize, usize) {
        (self.a as usize, self.b as usize)
    }

    /// From the parent's centre to the child's. A point a is moved by the place on b that it should be at.
    #[inline(always)]
    fn shift(&self, pair: &BodyPair<'_>) -> Vec3 {
        match (self.onto_b, self.child_is_point) {
            (true, _) => pair.b.pos - pair.a.pos,
            (false, false) => pair.a.pos - pair.b.pos,
            (false, true) => pair.arm_b,
        }
    }

    fn x_a(&self, model: &Model, a: &Motion) -> Vec3 {
        a.axes * (self.joint(model).a.local.rot * Vec3::X)
    }

    fn x_b(&self, model: &Model, b: &Motion) -> Vec3 {
        b.axes * (self.joint(model).b.local.rot * Vec3::X)
    }

    pub(crate) fn rows(&self, model: &Model, motions: &[Motion]) -> (Relative, JointRows) {
        let relative = self.relative(model, &BodyPair::new(self, motions));
        let joint = self.joint(model);
        let mut rows = JointRows::default();
        joint.kind.write_rows(&relative, joint.plane.as_deref(), &mut rows);
        if let Some(drives) = &self.drives {
            drives.write_rows(&relative, &mut rows);
        }
        (relative, rows)
    }

    fn relative(&self, model: &Model, pair: &BodyPair<'_>) -> Relative {
        let joint = self.joint(model);
        Relative::new(&pair.a.attach(&joint.a.local), &pair.b.attach(&joint.b.local))
    }

    /// b's frame seen from a's.
    pub(crate) fn relative_at(&self, model: &Model, motions: &[Motion]) -> Relative {
        self.relative(model, &BodyPair::new(self, motions))
    }

    /// Where its drives aim.
    pub(crate) fn aim(&mut self, targets: &[Jet]) {
        if let Some(drives) = &mut self.drives {
            drives.aim(targets);
        }
    }
}
