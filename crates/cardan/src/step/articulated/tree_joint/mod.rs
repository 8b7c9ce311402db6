//! Tree joint: motion subspace N and velocity bias γ of a joint of the spanning forest.
//!
//! ```text
//! x_c = X x_p + γ + N s
//! γ_ω = −σ (b_w − u)
//! γ_v = −σ (locked part of b_d) − γ_ω × r
//! N   = σ (r × z, z) for a rotation about z,   σ (e, 0) for a translation along e
//! ```
//!
//! x_c, x_p: accelerations of child and parent; s: joint acceleration; σ: 1 if b is the child, −1
//! if a is; r = p_b − x_c: arm from the child's centre of mass to b's anchor; (d, w): translation
//! of b's anchor and angular velocity of b, both relative to a; b_d, b_w: their accelerations when
//! no body accelerates; u: term of the joint's own curvature, zero where the joint is closed. World
//! axes. Everything is taken at b's anchor p_b, since the rows on a follow from those on b (see
//! `joint/`).
//!
//! A joint error is a translation and a rotation of b relative to a, without their free parts. The
//! same γ, with −(translation, rotation) instead of the accelerations, closes the joint.
//!
//! A joint with more than three freedoms is given by its rows instead; there are at most two. Lower
//! pairs have closed forms here; other joints use the rows of `joint/`.
//!
//! | file | content |
//! |---|---|
//! | `subspace.rs`, `bias.rs` | N and γ of any joint |
//! | `closed_pair.rs` | lower pairs that are closed, from their arms and axes |
//! | `hinge_or_ball.rs`, `simd.rs` | N and γ of revolute and spherical joints without drives |
//! | `loop_rows.rs` | rows of the joint as a loop-closure joint |
//! | `gap.rs`, `residual.rs` | joint errors; residual of an acceleration |
//! | `geometry.rs` | free directions for the rank plan |

pub(crate) mod bias;
pub(crate) mod closed_pair;
pub(crate) mod gap;
pub(crate) mod geometry;
pub(crate) mod hinge_or_ball;
pub(crate) mod loop_rows;
pub(crate) mod residual;
pub(crate) mod simd;
pub(crate) mod subspace;

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

/// A tree joint: the data that every evaluation needs, and no others.
#[derive(Clone, Debug)]
pub(crate) struct TreeJoint {
    shape: ClosedForm,
    /// Indices of the motions of a and b; the last motion is the ground's.
    a: u32,
    b: u32,
    /// Index of the joint in the model.
    pub(crate) index: u32,
    /// True if b is the child.
    onto_b: bool,
    /// True if b is the child and a is the ground.
    on_ground: bool,
    /// True if the child is a particle, which does not rotate.
    child_is_point: bool,
    /// True if both bodies are planar.
    in_plane: bool,
    /// Components of the rows that act on a and b.
    pub(crate) force_masks: [ForceMask; 2],
    /// Anchors and z axes of the joint frames on both bodies, in body axes, from the centres of
    /// mass. On b of a universal joint it is the x axis, the second axis of the cross.
    pos_a: Vec3,
    pos_b: Vec3,
    z_a: Vec3,
    z_b: Vec3,
    /// Squared lengths of the arms of both anchors (m²).
    arms_squared: (f64, f64),
    /// Drives of its coordinates.
    pub(crate) drives: Option<Box<JointDrives>>,
}

/// Components of a spatial force that act on a body of some kind.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct ForceMask {
    all: bool,
    turns: bool,
    planar: bool,
    /// Nothing acts on the ground.
    is_ground: bool,
}

impl ForceMask {
    /// Components for a kind of body; `None` is the ground.
    pub(crate) fn of(kind: Option<BodyKind>) -> Self {
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
    /// True if all components act, or none.
    fn is_spatial_or_ground(self) -> bool {
        self.all || self.is_ground
    }
    /// The row with the other components set to zero.
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

/// Form in which a joint between spatial bodies is eliminated: the smaller one of freedoms and
/// rows.
pub(crate) fn form_of(kind: JointKind) -> Form {
    let about = kind.about();
    match about.closed_form {
        // By its rows, even where freedoms would be fewer. With more than three rows there is no
        // `ArticulatedSystem`.
        ClosedForm::Rows if about.rows() < 3 => Form::Rows(about.rows() as u8),
        ClosedForm::Rows => Form::Rows(3),
        _ => Form::Freedoms(6 - about.rows() as u8),
    }
}

/// Motions of both bodies, and the quantities that all joints derive from them; world axes.
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
    /// All quantities of a joint at given motions.
    #[inline(always)]
    fn new(tree_joint: &TreeJoint, motions: &'m [Motion]) -> Self {
        let (a, b) = (&motions[tree_joint.a as usize], &motions[tree_joint.b as usize]);
        let (arm_a, arm_b) = (a.axes * tree_joint.pos_a, b.axes * tree_joint.pos_b);
        let to_anchor = b.pos + arm_b - a.pos;
        let (spin_a, spin_b) = (a.omega.cross(arm_a), b.omega.cross(arm_b));
        BodyPair { a, b, arm_a, arm_b, to_anchor, offset: to_anchor - arm_a, spin_a, spin_b }
    }
    /// Without the quantities at a's anchor, which are set to zero.
    #[inline(always)]
    fn without_a(tree_joint: &TreeJoint, motions: &'m [Motion]) -> Self {
        BodyPair::on(tree_joint, motions, motions[tree_joint.b as usize].axes * tree_joint.pos_b)
    }
    /// Without the quantities at a's anchor, with the arm on b given.
    #[inline(always)]
    fn on(tree_joint: &TreeJoint, motions: &'m [Motion], arm_b: Vec3) -> Self {
        let (a, b) = (&motions[tree_joint.a as usize], &motions[tree_joint.b as usize]);
        let (to_anchor, spin_b) = (b.pos + arm_b - a.pos, b.omega.cross(arm_b));
        BodyPair { a, b, arm_a: Vec3::ZERO, arm_b, to_anchor, offset: Vec3::ZERO, spin_a: Vec3::ZERO, spin_b }
    }
    /// b's anchor relative to the centres of mass of a and b.
    #[inline(always)]
    fn anchor(&self) -> (Vec3, Vec3) {
        (self.to_anchor, self.arm_b)
    }
    /// ṗ_b − ṗ_a.
    #[inline(always)]
    fn offset_rate(&self) -> Vec3 {
        (self.b.vel + self.spin_b) - (self.a.vel + self.spin_a)
    }
    /// b_d: acceleration of b's anchor relative to a when no body accelerates, with t = p_b − x_a:
    ///
    /// ```text
    /// ω_b × (ω_b × r_b) − ω_a × (ω_a × t) − 2 ω_a × (ṗ_b − ẋ_a − ω_a × t)
    /// ```
    ///
    /// The anchor on a does not enter.
    #[inline(always)]
    fn bias(&self) -> Vec3 {
        bias_of_anchor(self.a, self.b, self.to_anchor, self.spin_b)
    }
}

/// Part of `v` perpendicular to the unit vector `e`.
#[inline(always)]
pub(crate) fn perpendicular_part<T: Lane>(v: Vec3<T>, e: Vec3<T>) -> Vec3<T> {
    v - e * e.dot(v)
}

impl TreeJoint {
    /// Makes a joint as seen from `child`. For a loop-closure joint the child is b, or a if b is
    /// the ground.
    pub(crate) fn new(model: &Model, index: usize, child: usize) -> Self {
        let joint = &model.joints[index];
        let force_mask = |body: Option<usize>| ForceMask::of(body.map(|i| model.bodies[i].kind));
        let motion = |body: Option<usize>| body.unwrap_or(model.bodies.len()) as u32;
        let is_cross = joint.kind.about().closed_form == ClosedForm::Universal;
        let second_axis = if is_cross { Vec3::X } else { Vec3::Z };
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
            z_b: joint.b.local.rot * second_axis,
            arms_squared: (square(joint.a.local.pos), square(joint.b.local.pos)),
            drives: JointDrives::new(joint.kind, joint.driven.as_deref().copied().unwrap_or_default()),
        }
    }

    /// The joint in the model.
    fn joint<'m>(&self, model: &'m Model) -> &'m ModelJoint {
        &model.joints[self.index as usize]
    }

    /// σ: 1 if b is the child, −1 if a is.
    #[inline(always)]
    fn sign(&self) -> f64 {
        if self.onto_b { 1.0 } else { -1.0 }
    }

    /// Arm from the child's centre of mass to b's anchor.
    #[inline(always)]
    fn arm(&self, pair: &BodyPair<'_>) -> Vec3 {
        if self.onto_b { pair.arm_b } else { pair.to_anchor }
    }

    /// Arm from the child's centre of mass to b's anchor.
    pub(crate) fn child_arm(&self, motions: &[Motion]) -> Vec3 {
        self.arm(&BodyPair::new(self, motions))
    }

    /// True if b is the child.
    pub(crate) fn onto_b(&self) -> bool {
        self.onto_b
    }

    /// True if b is the child and a is the ground.
    #[inline(always)]
    pub(crate) fn on_ground(&self) -> bool {
        self.on_ground
    }

    /// Closed form of the joint.
    #[inline(always)]
    pub(crate) fn shape(&self) -> ClosedForm {
        self.shape
    }

    /// True for a revolute or spherical joint between rigid bodies, or one and the ground, without
    /// drives.
    #[inline(always)]
    pub(crate) fn is_hinge_or_ball(&self) -> bool {
        matches!(self.shape, ClosedForm::Revolute | ClosedForm::Spherical)
            && self.force_masks[0].is_spatial_or_ground()
            && self.force_masks[1].is_spatial_or_ground()
            && self.drives.is_none()
    }

    /// True for a revolute joint without drive, for which [`write_hinge`](TreeJoint::write_hinge)
    /// applies.
    pub(crate) fn is_free_hinge(&self) -> bool {
        self.shape == ClosedForm::Revolute && self.drives.is_none()
    }

    /// True for a prismatic joint between two rigid bodies without drive, for which
    /// [`write_slide`](TreeJoint::write_slide) applies.
    pub(crate) fn is_free_slide(&self, ground: usize) -> bool {
        let ends = [self.a as usize, self.b as usize];
        self.shape == ClosedForm::Prismatic
            && self.drives.is_none()
            && self.force_masks.iter().all(|force_mask| force_mask.all)
            && !ends.contains(&ground)
    }

    /// True for a spherical joint between rigid bodies without drive, for which
    /// [`write_ball`](TreeJoint::write_ball) applies.
    pub(crate) fn is_free_ball(&self) -> bool {
        self.shape == ClosedForm::Spherical && self.is_hinge_or_ball()
    }

    /// True for a lower pair, whose rows are given by its locked directions; other joints have rows
    /// of their own.
    pub(crate) fn is_lower_pair(&self) -> bool {
        self.shape != ClosedForm::Rows
    }

    /// True for a lower pair between rigid bodies without drives.
    pub(crate) fn closes(&self) -> bool {
        let in_space =
            self.force_masks[0].is_spatial_or_ground() && self.force_masks[1].is_spatial_or_ground();
        self.is_lower_pair() && in_space && self.drives.is_none()
    }

    /// Squared lengths of the arms of both anchors (m²).
    #[inline(always)]
    pub(crate) fn arms_squared(&self) -> (f64, f64) {
        self.arms_squared
    }

    /// Squared length of the arm on the child (m²).
    #[inline(always)]
    pub(crate) fn own_arm_squared(&self) -> f64 {
        if self.onto_b { self.arms_squared.1 } else { self.arms_squared.0 }
    }

    /// Sum of the squared lengths of both arms (m²).
    #[inline(always)]
    fn arms(&self) -> f64 {
        self.arms_squared.0 + self.arms_squared.1
    }

    /// Arms and axes of a lower pair in world axes.
    #[inline(always)]
    pub(crate) fn frames(&self, motions: &[Motion]) -> JointFrames {
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let (arm_a, arm_b) = (a.axes * self.pos_a, b.axes * self.pos_b);
        if self.shape == ClosedForm::Spherical {
            return JointFrames { arm_a, arm_b, ..JointFrames::default() };
        }
        JointFrames { arm_a, arm_b, z_a: a.axes * self.z_a, z_b: b.axes * self.z_b }
    }

    /// Index of the parent's motion; anchor and z axis on the child; anchor and z axis on the
    /// parent.
    #[inline(always)]
    pub(crate) fn sides(&self) -> (usize, (Vec3, Vec3), (Vec3, Vec3)) {
        let (a, b) = ((self.pos_a, self.z_a), (self.pos_b, self.z_b));
        if self.onto_b { (self.a as usize, b, a) } else { (self.b as usize, a, b) }
    }

    /// Anchors and z axes on a and b, in body axes.
    pub(crate) fn body_frames(&self) -> [(Vec3, Vec3); 2] {
        [(self.pos_a, self.z_a), (self.pos_b, self.z_b)]
    }

    /// Indices of the motions of a and b.
    pub(crate) fn ends(&self) -> (usize, usize) {
        (self.a as usize, self.b as usize)
    }

    /// From the parent's centre to the child's. A particle a is moved with the point of b where it
    /// should be.
    #[inline(always)]
    fn shift(&self, pair: &BodyPair<'_>) -> Vec3 {
        match (self.onto_b, self.child_is_point) {
            (true, _) => pair.b.pos - pair.a.pos,
            (false, false) => pair.a.pos - pair.b.pos,
            (false, true) => pair.arm_b,
        }
    }

    /// x axis of the joint frame on a, world axes.
    fn x_a(&self, model: &Model, a: &Motion) -> Vec3 {
        a.axes * (self.joint(model).a.local.rot * Vec3::X)
    }

    /// x axis of the frame on b of a universal joint, world axes.
    #[inline(always)]
    fn x_b(&self, b: &Motion) -> Vec3 {
        b.axes * self.z_b
    }

    /// Relative motion of the joint, and its own rows with those of its drives.
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

    /// Frame of b relative to that of a.
    fn relative(&self, model: &Model, pair: &BodyPair<'_>) -> Relative {
        let joint = self.joint(model);
        Relative::new(&pair.a.attach(&joint.a.local), &pair.b.attach(&joint.b.local))
    }

    /// Frame of b relative to that of a.
    pub(crate) fn relative_at(&self, model: &Model, motions: &[Motion]) -> Relative {
        self.relative(model, &BodyPair::new(self, motions))
    }

    /// Sets the targets of its drives.
    pub(crate) fn set_targets(&mut self, targets: &[Jet]) {
        if let Some(drives) = &mut self.drives {
            drives.set_targets(targets);
        }
    }
}
