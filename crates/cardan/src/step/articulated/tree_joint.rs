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

use crate::body::{BodyKind, Motion};
use crate::joint::{Anchor, ClosedForm, JointKind, JointRows, Relative};
use crate::law::Jet;
use crate::math::{Lane, Mat3, Six, Vec3, larger};
use crate::model::{Model, ModelJoint};
use crate::step::articulated::fill::{OPEN_JOINTS, WideAxes};
use crate::step::articulated::joint_drives::JointDrives;
use crate::step::articulated::joint_frames::JointFrames;
use crate::step::articulated::null_basis::each_null_vector;
use crate::step::articulated::residual::{WorstResidual, square};
use crate::step::articulated::{BOTH, POSES, RATES};
use cardan_solve::articulated::f64x3::{Avx2, F64x3, cross};
use cardan_solve::articulated::{Form, JointGeometry, LoopClosure, Node, NodeExtra};
use cardan_solve::simd::Simd;

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

/// What a joint locks, world axes: directions of shifts, then of turns.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct LockedDirections {
    pub(crate) shifts: usize,
    pub(crate) turns: usize,
    pub(crate) directions: [Vec3; 6],
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

/// Two directions that with a unit vector make an orthonormal basis (Duff and others 2017).
#[inline(always)]
pub(crate) fn perpendicular_basis<T: Lane>(z: Vec3<T>) -> (Vec3<T>, Vec3<T>) {
    let sign = T::ONE.with_sign_of(z.z);
    let a = T::splat(-1.0) / (sign + z.z);
    let b = z.x * z.y * a;
    (
        Vec3::new(T::ONE + sign * z.x * z.x * a, sign * b, -sign * z.x),
        Vec3::new(b, sign + z.y * z.y * a, -z.y),
    )
}

/// How far a joint is from closed: the shift and turn of b against a that must not be, and their rates; world axes.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct JointGap {
    pub(crate) shift: Vec3,
    pub(crate) turn: Vec3,
    pub(crate) shift_rate: Vec3,
    pub(crate) turn_rate: Vec3,
    /// Sizes of the numbers that formed shift, shift rate and turn rate.
    pub(crate) reach: f64,
    pub(crate) reach_rate: f64,
    pub(crate) reach_spin: f64,
}

impl JointGap {
    /// Poses or rates of another measurement.
    fn take<const WHAT: u8>(&mut self, other: &JointGap) {
        if WHAT & POSES != 0 {
            (self.shift, self.turn, self.reach) = (other.shift, other.turn, other.reach);
        }
        if WHAT & RATES != 0 {
            (self.shift_rate, self.turn_rate) = (other.shift_rate, other.turn_rate);
            (self.reach_rate, self.reach_spin) = (other.reach_rate, other.reach_spin);
        }
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
struct BodyPair<'m> {
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

/// b_y, with ω_b × r_b at hand.
#[inline(always)]
pub(crate) fn bias_of_anchor<T: Lane>(
    a: &Motion<T>,
    b: &Motion<T>,
    to_anchor: Vec3<T>,
    spin_b: Vec3<T>,
) -> Vec3<T> {
    let omega = a.omega;
    let seen = b.vel + spin_b - a.vel;
    b.omega.cross(spin_b) - omega.cross(seen + seen - omega.cross(to_anchor))
}

/// What a hinge or a ball that nothing drives is.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct HingeOrBall {
    pub(crate) is_hinge: bool,
    /// b is the child; otherwise a.
    pub(crate) onto_b: bool,
    /// And a is the ground.
    pub(crate) on_ground: bool,
}

impl HingeOrBall {
    /// The same, where it is known at which end its child is.
    #[inline(always)]
    pub(crate) fn with_child<const B: bool>(self) -> Self {
        HingeOrBall { onto_b: B, ..self }
    }
    /// a and b, of the child and its parent.
    #[inline(always)]
    pub(crate) fn sides<X>(self, own: X, parent: X) -> (X, X) {
        if self.onto_b { (parent, own) } else { (own, parent) }
    }
    /// N: a turn about z through b's anchor, `arm` from the child's centre; of a ball the arm.
    #[inline(always)]
    pub(crate) fn freedom<T: Lane>(self, arm: Vec3<T>, z_b: Vec3<T>) -> Six<T> {
        match (self.is_hinge, self.onto_b) {
            (false, _) => Six::new(arm, Vec3::ZERO),
            (true, true) => Six::new(arm.cross(z_b), z_b),
            (true, false) => -Six::new(arm.cross(z_b), z_b),
        }
    }
    /// γ, with b_y and u − b_w. All turns of a ball are free, so that any will do for it.
    #[inline(always)]
    pub(crate) fn gamma<T: Lane>(self, arm: Vec3<T>, bias: Vec3<T>, turn: Vec3<T>) -> Six<T> {
        match (self.is_hinge, self.onto_b) {
            (false, true) => Six::new(-bias, Vec3::ZERO),
            (false, false) => Six::new(bias, Vec3::ZERO),
            (true, true) => Six::new(arm.cross(turn) - bias, turn),
            (true, false) => Six::new(bias - arm.cross(turn), -turn),
        }
    }
    /// γ where it is closed, with its arm on b; and b_y and −b_w.
    #[inline(always)]
    pub(crate) fn closed_gamma<T: Lane>(
        self,
        a: &Motion<T>,
        b: &Motion<T>,
        arm_b: Vec3<T>,
    ) -> (Six<T>, Vec3<T>, Vec3<T>) {
        let spin = b.omega.cross(arm_b);
        if self.on_ground {
            let bias = b.omega.cross(spin);
            return (Six::new(-bias, Vec3::ZERO), bias, Vec3::ZERO);
        }
        let turn = a.omega.cross(b.omega);
        let to_anchor = b.pos + arm_b - a.pos;
        let bias = bias_of_anchor(a, b, to_anchor, spin);
        (self.gamma(if self.onto_b { arm_b } else { to_anchor }, bias, turn), bias, turn)
    }
}

/// N and γ of a slide along `z_a` that is closed.
#[inline(always)]
pub(crate) fn closed_slide<T: Lane>(
    onto_b: bool,
    (a, b): (&Motion<T>, &Motion<T>),
    arm_b: Vec3<T>,
    z_a: Vec3<T>,
) -> (Six<T>, Six<T>) {
    let sign = T::splat(if onto_b { 1.0 } else { -1.0 });
    let (to_anchor, spin_b) = (b.pos + arm_b - a.pos, b.omega.cross(arm_b));
    let arm = if onto_b { arm_b } else { to_anchor };
    let locked = perpendicular_part(bias_of_anchor(a, b, to_anchor, spin_b), z_a);
    let turn = a.omega.cross(b.omega) * sign;
    (Six::new(z_a, Vec3::ZERO).scaled(sign), Six::new(locked * -sign + arm.cross(turn), turn))
}

/// u of a joint that keeps b's axis on a's: where the two part company z̈_b must still follow z_a, and zero where they
/// are closed. With k = w × (w × z_b) it is z_b × (z_a (z_b·k)/(z_b·z_a) − k), multiplied out.
#[inline(always)]
pub(crate) fn axis_curvature<T: Lane>(z_a: Vec3<T>, z_b: Vec3<T>, spin: Vec3<T>) -> Vec3<T> {
    let along = spin.dot(z_b);
    let follow = (along * along - spin.dot(spin)) / z_b.dot(z_a);
    z_b.cross(z_a * follow - spin * along)
}

/// What accelerations of a and b leave of b_y and of b_w − u, with squares of the terms that form each of them.
#[derive(Copy, Clone, Debug)]
pub(crate) struct JointResidual<T: Lane> {
    shift: Vec3<T>,
    bias: Vec3<T>,
    spin: Vec3<T>,
    size: T,
    turns: T,
}

impl<T: Simd> JointResidual<T> {
    /// With b's anchor from the centres of a and b, and b_y and −(b_w − u) as `held`. `reach` is the square of a linear acceleration below whose rounding nothing
    /// can fall.
    #[inline(always)]
    pub(crate) fn of(
        (to_anchor, arm_b): (Vec3<T>, Vec3<T>),
        (bias, turn): (Vec3<T>, Vec3<T>),
        (x_a, x_b): (&Six<T>, &Six<T>),
        reach: T,
    ) -> Self {
        let carried = x_a.ang.cross(to_anchor);
        let moved = x_b.ang.cross(arm_b);
        let sizes = square(x_a.lin) + square(carried) + square(x_b.lin) + square(moved);
        JointResidual {
            shift: x_b.lin + moved - x_a.lin - carried,
            bias,
            spin: x_b.ang - x_a.ang - turn,
            size: sizes + square(bias) + reach,
            turns: square(x_a.ang) + square(x_b.ang) + square(turn),
        }
    }
    /// The same where a is the ground, which does not accelerate.
    #[inline(always)]
    pub(crate) fn on_ground(
        arm_b: Vec3<T>,
        (bias, turn): (Vec3<T>, Vec3<T>),
        x_b: &Six<T>,
        reach: T,
    ) -> Self {
        let moved = x_b.ang.cross(arm_b);
        JointResidual {
            shift: x_b.lin + moved,
            bias,
            spin: x_b.ang - turn,
            size: square(x_b.lin) + square(moved) + square(bias) + reach,
            turns: square(x_b.ang) + square(turn),
        }
    }
    /// For a joint that locks all shifts, and turns across `z`; `arms` are the squares of its arms.
    #[inline(always)]
    pub(crate) fn note_hinge(&self, z: Vec3<T>, arms: T, worst: &mut WorstResidual<T>) {
        let spin = perpendicular_part(self.spin, z);
        worst.note_both((square(self.shift + self.bias), self.size), self.scaled_spin(spin, arms));
    }
    /// For a joint that locks all shifts and no turn.
    #[inline(always)]
    pub(crate) fn note_ball(&self, worst: &mut WorstResidual<T>) {
        worst.note(square(self.shift + self.bias), self.size);
    }
    /// For a joint that locks what `part` takes out of a shift and a turn.
    #[inline(always)]
    fn note_part(
        &self,
        part: impl FnOnce(Vec3<T>, Vec3<T>) -> (Vec3<T>, Vec3<T>),
        arms: T,
        worst: &mut WorstResidual<T>,
    ) {
        let (shift, spin) = part(self.shift, self.spin);
        worst.note_both((square(shift + self.bias), self.size), self.scaled_spin(spin, arms));
    }
    /// A turn about nothing but rounding is judged beside the shift that it would make at the arm.
    #[inline(always)]
    fn scaled_spin(&self, spin: Vec3<T>, arms: T) -> (T, T) {
        let arm = T::select(arms.above(T::ZERO), arms, T::ONE);
        (square(spin) * arm, self.turns * arm + self.size)
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
    /// Biases of such a joint that closes a loop, as [`write_closure_bias`](TreeJoint::write_closure_bias) gives them.
    #[inline(always)]
    pub(crate) fn write_hinge_or_ball_bias(
        &self,
        motions: &[Motion],
        frames: &JointFrames,
        locked: &LockedDirections,
        out: &mut LoopClosure,
    ) {
        let pair = &BodyPair::on(self, motions, frames.arm_b);
        let (a, b) = (pair.a.omega, pair.b.omega);
        let bias = pair.bias();
        // The shifts are along the axes of the world.
        [out.bias[0], out.bias[1], out.bias[2]] = bias.to_array();
        if self.shape == ClosedForm::Revolute {
            let turn = a.cross(b) + axis_curvature(frames.z_a, frames.z_b, b - a);
            out.bias[3] = -locked.directions[3].dot(turn);
            out.bias[4] = -locked.directions[4].dot(turn);
        }
    }
    /// Whether it is a lower pair between bodies in space that nothing drives.
    pub(crate) fn closes(&self) -> bool {
        let in_space =
            self.force_masks[0].is_spatial_or_ground() && self.force_masks[1].is_spatial_or_ground();
        self.is_lower_pair() && in_space && self.drives.is_none()
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

    /// Shift, freedoms (or rows) and γ (or biases).
    #[inline(always)]
    pub(crate) fn write(&self, model: &Model, motions: &[Motion], limb: &mut Node, more: &mut NodeExtra) {
        self.write_subspace(model, motions, limb, more);
        if let Form::Freedoms(_) = limb.form() {
            self.write_rhs(model, motions, limb, more);
        }
    }

    /// Shift and freedoms (or rows, with their biases) alone.
    #[inline(always)]
    pub(crate) fn write_subspace(
        &self,
        model: &Model,
        motions: &[Motion],
        limb: &mut Node,
        more: &mut NodeExtra,
    ) {
        if let Form::Rows(m) = limb.form() {
            return self.write_rows(model, motions, limb, more, m as usize);
        }
        let pair = &BodyPair::new(self, motions);
        let (sign, arm) = (self.sign(), self.arm(pair));
        limb.shift = self.shift(pair);
        let about = |e: Vec3| Six::new(arm.cross(e), e).scaled(sign);
        let along = |e: Vec3| Six::new(e, Vec3::ZERO).scaled(sign);
        let (z_a, z_b) = (pair.a.axes * self.z_a, pair.b.axes * self.z_b);
        match self.shape {
            ClosedForm::Revolute => limb.first = about(z_b),
            ClosedForm::Spherical if self.child_is_point => {}
            ClosedForm::Spherical if limb.is_ball() => limb.first = Six::new(arm, Vec3::ZERO),
            ClosedForm::Spherical => {
                limb.first = about(Vec3::X);
                more.columns = [about(Vec3::Y), about(Vec3::Z)];
            }
            ClosedForm::Prismatic => limb.first = along(z_a),
            ClosedForm::Cylindrical => {
                limb.first = along(z_a);
                more.columns[0] = about(z_b);
            }
            ClosedForm::Universal => {
                limb.first = about(z_a);
                more.columns[0] = about(self.x_b(model, pair.b));
            }
            ClosedForm::Planar => {
                let x_a = self.x_a(model, pair.a);
                limb.first = along(x_a);
                more.columns = [along(z_a.cross(x_a)), about(z_b)];
            }
            // Nothing is free, or the joint is given by its rows, above.
            ClosedForm::Fixed | ClosedForm::Rows => {}
        }
        if let Some(drives) = &self.drives {
            drives.remove_driven(limb, more);
        }
    }

    /// γ (or biases) alone, as [`write`](TreeJoint::write) gives them.
    #[inline(always)]
    pub(crate) fn write_rhs(&self, model: &Model, motions: &[Motion], limb: &mut Node, more: &mut NodeExtra) {
        if let Form::Rows(m) = limb.form() {
            let (relative, rows) = self.rows(model, motions);
            for r in 0..m as usize {
                more.bias[r] = rows.jac_dot_v(r, &relative);
            }
            return;
        }
        let pair = &BodyPair::new(self, motions);
        let (sign, arm) = (self.sign(), self.arm(pair));
        let (z_a, z_b) = (pair.a.axes * self.z_a, pair.b.axes * self.z_b);
        let (locked, turn) = self.bias(model, pair, z_a, z_b);
        if self.shape == ClosedForm::Spherical && self.drives.is_none() {
            // All turns are free, so that any will do.
            limb.gamma = Six::new(locked * -sign, Vec3::ZERO);
            return;
        }
        let turn = turn * sign;
        limb.gamma = Six::new(locked * -sign + arm.cross(turn), turn);
    }

    /// Biases of the rows of [`write_closure`](TreeJoint::write_closure) at the same pose.
    #[inline(always)]
    pub(crate) fn write_closure_bias(
        &self,
        model: &Model,
        motions: &[Motion],
        locked: &LockedDirections,
        out: &mut LoopClosure,
    ) {
        let pair = &BodyPair::new(self, motions);
        let (z_a, z_b) = (pair.a.axes * self.z_a, pair.b.axes * self.z_b);
        let (bias, turn) = self.bias(model, pair, z_a, z_b);
        let LockedDirections { shifts, turns, directions } = locked;
        for r in 0..*shifts {
            out.bias[r] = directions[r].dot(bias);
        }
        for r in *shifts..shifts + turns {
            out.bias[r] = -directions[r].dot(turn);
        }
    }

    /// A hinge that nothing drives: [`write_hinge`](TreeJoint::write_hinge) is for it.
    pub(crate) fn is_free_hinge(&self) -> bool {
        self.shape == ClosedForm::Revolute && self.drives.is_none()
    }

    /// What it is, if it [is common](TreeJoint::is_hinge_or_ball).
    #[inline(always)]
    pub(crate) fn hinge_or_ball(&self) -> HingeOrBall {
        HingeOrBall {
            is_hinge: self.shape == ClosedForm::Revolute,
            onto_b: self.onto_b,
            on_ground: self.on_ground,
        }
    }

    /// d, N and γ of such a hinge. Where it is `closed` to rounding its axes are one and w lies along them, so that u is
    /// rounding and left out.
    #[inline(always)]
    pub(crate) fn write_hinge(&self, motions: &[Motion], closed: bool) -> (Vec3, Six, Six) {
        let pair = &BodyPair::without_a(self, motions);
        let (z_b, arm, hinge_or_ball) = (pair.b.axes * self.z_b, self.arm(pair), self.hinge_or_ball());
        let (a, b) = (pair.a.omega, pair.b.omega);
        let mut turn = a.cross(b);
        if !closed {
            turn += axis_curvature(pair.a.axes * self.z_a, z_b, b - a);
        }
        (self.shift(pair), hinge_or_ball.freedom(arm, z_b), hinge_or_ball.gamma(arm, pair.bias(), turn))
    }

    /// d and N alone.
    #[inline(always)]
    pub(crate) fn write_hinge_geometry(&self, motions: &[Motion]) -> (Vec3, Six) {
        let pair = &BodyPair::without_a(self, motions);
        (self.shift(pair), self.hinge_or_ball().freedom(self.arm(pair), pair.b.axes * self.z_b))
    }

    /// A slide in space that nothing drives, on another body: [`write_slide`](TreeJoint::write_slide) is for it.
    pub(crate) fn is_free_slide(&self, ground: usize) -> bool {
        let ends = [self.a as usize, self.b as usize];
        self.shape == ClosedForm::Prismatic
            && self.drives.is_none()
            && self.force_masks.iter().all(|force_mask| force_mask.all)
            && !ends.contains(&ground)
    }

    /// d, N and γ of such a slide that is closed to rounding: its bodies turn alike then, and what its curvature would add is rounding.
    #[inline(always)]
    pub(crate) fn write_slide(&self, motions: &[Motion]) -> (Vec3, Six, Six) {
        let pair = &BodyPair::without_a(self, motions);
        let (first, gamma) = closed_slide(self.onto_b, (pair.a, pair.b), pair.arm_b, pair.a.axes * self.z_a);
        (self.shift(pair), first, gamma)
    }

    /// A ball in space that nothing drives: [`write_ball`](TreeJoint::write_ball) is for it.
    pub(crate) fn is_free_ball(&self) -> bool {
        self.shape == ClosedForm::Spherical && self.is_hinge_or_ball()
    }

    /// d, the arm in the place of N, and γ of such a ball.
    #[inline(always)]
    pub(crate) fn write_ball(&self, motions: &[Motion]) -> (Vec3, Six, Six) {
        let pair = &BodyPair::without_a(self, motions);
        let (arm, hinge_or_ball) = (self.arm(pair), self.hinge_or_ball());
        (self.shift(pair), Six::new(arm, Vec3::ZERO), hinge_or_ball.gamma(arm, pair.bias(), Vec3::ZERO))
    }

    /// d and the arm alone.
    #[inline(always)]
    pub(crate) fn write_ball_geometry(&self, motions: &[Motion]) -> (Vec3, Six) {
        let pair = &BodyPair::without_a(self, motions);
        (self.shift(pair), Six::new(self.arm(pair), Vec3::ZERO))
    }

    /// Either of them with wide registers, where b is the child; `axes` are its own.
    #[inline(always)]
    pub(crate) fn write_wide_geometry<const BALL: bool>(
        &self,
        wide: Avx2,
        motions: &[Motion],
        axes: &WideAxes,
    ) -> (F64x3, [F64x3; 2]) {
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let shift = F64x3::load(wide, &b.pos) - F64x3::load(wide, &a.pos);
        let arm = axes.turn(wide, &self.pos_b);
        if BALL {
            return (shift, [arm, F64x3::splat(wide, 0.0)]);
        }
        let z_b = axes.turn(wide, &self.z_b);
        (shift, [cross(arm, z_b), z_b])
    }

    /// The same with γ.
    #[inline(always)]
    pub(crate) fn write_wide<const EXTENT: u8, const BALL: bool>(
        &self,
        wide: Avx2,
        motions: &[Motion],
        axes: &WideAxes,
    ) -> (F64x3, [F64x3; 2], [F64x3; 2]) {
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let of =
            |m: &Motion| [F64x3::load(wide, &m.pos), F64x3::load(wide, &m.vel), F64x3::load(wide, &m.omega)];
        self.write_wide_of::<EXTENT, BALL>(wide, (of(a), of(b)), axes, &a.axes)
    }

    /// The same with place, velocity and angular velocity of a and b; the axes of a count only where the joint may be open.
    #[inline(always)]
    pub(crate) fn write_wide_of<const EXTENT: u8, const BALL: bool>(
        &self,
        wide: Avx2,
        ([pos_a, vel_a, omega_a], [pos_b, vel_b, omega_b]): ([F64x3; 3], [F64x3; 3]),
        axes: &WideAxes,
        axes_a: &Mat3,
    ) -> (F64x3, [F64x3; 2], [F64x3; 2]) {
        let arm = axes.turn(wide, &self.pos_b);
        let spin = cross(omega_b, arm);
        let seen = vel_b + spin - vel_a;
        let carried = cross(omega_a, pos_b + arm - pos_a);
        let bias = cross(omega_b, spin) - cross(omega_a, seen + seen - carried);
        let shift = pos_b - pos_a;
        if BALL {
            let zero = F64x3::splat(wide, 0.0);
            return (shift, [arm, zero], [-bias, zero]);
        }
        let z_b = axes.turn(wide, &self.z_b);
        let mut turn = cross(omega_a, omega_b);
        if EXTENT == OPEN_JOINTS {
            // `axis_curvature`.
            let z_a = WideAxes::load(wide, axes_a).turn(wide, &self.z_a);
            let spin = omega_b - omega_a;
            let along = (spin * z_b).sum();
            let follow = (along * along - (spin * spin).sum()) / (z_b * z_a).sum();
            let curve = z_a * F64x3::splat(wide, follow) - spin * F64x3::splat(wide, along);
            turn = turn + cross(z_b, curve);
        }
        (shift, [cross(arm, z_b), z_b], [cross(arm, turn) - bias, turn])
    }

    /// γ of a common joint that is closed, with its arm on b; and b_y and −b_w.
    #[inline(always)]
    pub(crate) fn closed_gamma(&self, motions: &[Motion], arm_b: Vec3) -> (Six, Vec3, Vec3) {
        self.hinge_or_ball().closed_gamma(&motions[self.a as usize], &motions[self.b as usize], arm_b)
    }

    /// What accelerations leave of these.
    #[inline(always)]
    pub(crate) fn note_simple_residual(
        &self,
        motions: &[Motion],
        x: (&Six, &Six),
        (held, frames, reach): ((Vec3, Vec3), &JointFrames, f64),
        worst: &mut WorstResidual,
    ) {
        let left = if self.on_ground {
            JointResidual::on_ground(frames.arm_b, held, x.1, reach)
        } else {
            let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
            JointResidual::of((b.pos + frames.arm_b - a.pos, frames.arm_b), held, x, reach)
        };
        match self.shape {
            ClosedForm::Revolute => left.note_hinge(frames.z_b, self.arms(), worst),
            _ => left.note_ball(worst),
        }
    }

    /// The locked part of b_y, and u − b_w: what b must turn with against a.
    #[inline(always)]
    fn bias(&self, model: &Model, pair: &BodyPair<'_>, z_a: Vec3, z_b: Vec3) -> (Vec3, Vec3) {
        let held = self.undriven_bias(model, pair, z_a, z_b);
        if self.drives.is_some() { self.driven_bias(model, pair, held) } else { held }
    }

    #[cold]
    fn driven_bias(&self, model: &Model, pair: &BodyPair<'_>, held: (Vec3, Vec3)) -> (Vec3, Vec3) {
        let (mut locked, mut turn) = held;
        if let Some(drives) = &self.drives {
            let (at, carried) = (self.relative(model, pair), pair.a.omega.cross(pair.b.omega));
            drives.add_bias(&at, pair.bias(), carried, &mut locked, &mut turn);
        }
        (locked, turn)
    }

    #[inline(always)]
    fn undriven_bias(&self, model: &Model, pair: &BodyPair<'_>, z_a: Vec3, z_b: Vec3) -> (Vec3, Vec3) {
        let (a, b) = (pair.a, pair.b);
        let bias = pair.bias();
        let turn = a.omega.cross(b.omega);
        let spin = b.omega - a.omega;
        match self.shape {
            ClosedForm::Revolute => (bias, turn + axis_curvature(z_a, z_b, spin)),
            ClosedForm::Spherical if self.child_is_point => (bias, Vec3::ZERO),
            ClosedForm::Spherical => (bias, turn),
            ClosedForm::Prismatic => {
                (perpendicular_part(bias, z_a), turn + self.turn_curvature(model, a, b, spin))
            }
            ClosedForm::Cylindrical => (perpendicular_part(bias, z_a), turn + axis_curvature(z_a, z_b, spin)),
            ClosedForm::Universal => {
                // ẍ_b must keep the arms of the cross perpendicular.
                let x_b = self.x_b(model, b);
                let n = z_a.cross(x_b);
                let curve = spin.cross(spin.cross(x_b));
                (bias, turn + n * (z_a.dot(curve) / n.dot(n)))
            }
            ClosedForm::Planar => (z_a * z_a.dot(bias), turn + axis_curvature(z_a, z_b, spin)),
            ClosedForm::Fixed => (bias, turn + self.turn_curvature(model, a, b, spin)),
            ClosedForm::Rows => (bias, turn),
        }
    }

    /// Directions that the joint locks, world axes: shifts first, then turns; and the rows on a and b, with their biases if these
    /// are wanted.
    #[inline(always)]
    pub(crate) fn write_closure<const BIASES: bool>(
        &self,
        model: &Model,
        motions: &[Motion],
        locked: &mut LockedDirections,
        out: &mut LoopClosure,
    ) {
        if self.is_hinge_or_ball() && !self.in_plane {
            let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
            let (arm_b, z_b) = (b.axes * self.pos_b, b.axes * self.z_b);
            self.write_hinge_or_ball_closure((b.pos + arm_b - a.pos, arm_b), z_b, locked, out);
            if BIASES {
                self.write_closure_bias(model, motions, locked, out);
            }
            return;
        }
        let pair = &BodyPair::new(self, motions);
        let (z_a, z_b) = (pair.a.axes * self.z_a, pair.b.axes * self.z_b);
        let all = [Vec3::X, Vec3::Y, Vec3::Z];
        let perpendicular_to_a = || {
            let (u, w) = perpendicular_basis(z_a);
            [u, w, Vec3::ZERO]
        };
        let perpendicular_to_b = || {
            let (u, w) = perpendicular_basis(z_b);
            [u, w, Vec3::ZERO]
        };
        let one = |e: Vec3| [e, Vec3::ZERO, Vec3::ZERO];
        let (mut shifts, mut turns) = if self.in_plane {
            match self.shape {
                ClosedForm::Fixed => ((all, 2), (one(Vec3::Z), 1)),
                ClosedForm::Prismatic | ClosedForm::Cylindrical => {
                    ((one(Vec3::Z.cross(z_a)), 1), (one(Vec3::Z), 1))
                }
                ClosedForm::Planar => ((one(z_a), 1), (one(Vec3::Z), 1)),
                _ => ((all, 2), (all, 0)),
            }
        } else {
            match self.shape {
                ClosedForm::Revolute => ((all, 3), (perpendicular_to_b(), 2)),
                ClosedForm::Prismatic => ((perpendicular_to_a(), 2), (all, 3)),
                ClosedForm::Cylindrical => ((perpendicular_to_a(), 2), (perpendicular_to_b(), 2)),
                ClosedForm::Universal => {
                    let n = z_a.cross(self.x_b(model, pair.b));
                    ((all, 3), (one(n / n.norm()), 1))
                }
                ClosedForm::Planar => ((one(z_a), 1), (perpendicular_to_b(), 2)),
                ClosedForm::Fixed => ((all, 3), (all, 3)),
                _ => ((all, 3), (all, 0)),
            }
        };
        if let Some(drives) = &self.drives {
            for driven_row in drives.rows_in_world(&self.relative(model, pair)) {
                let is_turn = driven_row.gradient.force == Vec3::ZERO;
                let (list, e) = if is_turn {
                    (&mut turns, driven_row.gradient.torque)
                } else {
                    (&mut shifts, driven_row.gradient.force)
                };
                list.0[list.1] = e;
                list.1 += 1;
            }
        }
        *locked = LockedDirections { shifts: shifts.1, turns: turns.1, directions: [Vec3::ZERO; 6] };
        let (bias, turn) = self.bias(model, pair, z_a, z_b);
        let mut r = 0;
        for &e in &shifts.0[..shifts.1] {
            locked.directions[r] = e;
            out.rows[0][r] = -Six::new(e, pair.to_anchor.cross(e));
            out.rows[1][r] = Six::new(e, pair.arm_b.cross(e));
            out.bias[r] = e.dot(bias);
            r += 1;
        }
        for &e in &turns.0[..turns.1] {
            locked.directions[r] = e;
            out.rows[0][r] = Six::new(Vec3::ZERO, -e);
            out.rows[1][r] = Six::new(Vec3::ZERO, e);
            out.bias[r] = -e.dot(turn);
            r += 1;
        }
        for (end, force_mask) in self.force_masks.iter().enumerate() {
            if !force_mask.all {
                out.rows[end][..r].iter_mut().for_each(|row| *row = force_mask.masked(row));
            }
        }
    }

    /// Rows of a hinge or a ball between bodies in space, or one and the ground: (e, r × e) for shifts along the axes of the world, and
    /// turns across b's axis.
    #[inline(always)]
    fn write_hinge_or_ball_closure(
        &self,
        (to_anchor, arm_b): (Vec3, Vec3),
        z_b: Vec3,
        locked: &mut LockedDirections,
        out: &mut LoopClosure,
    ) {
        locked.shifts = 3;
        [locked.directions[0], locked.directions[1], locked.directions[2]] = [Vec3::X, Vec3::Y, Vec3::Z];
        let ends = [(-to_anchor, -1.0, self.force_masks[0]), (arm_b, 1.0, self.force_masks[1])];
        for (rows, (r, sign, force_mask)) in out.rows.iter_mut().zip(ends) {
            // The ground feels nothing.
            let (r, sign) = if force_mask.is_ground { (Vec3::ZERO, 0.0) } else { (r, sign) };
            rows[0] = Six::new(Vec3::new(sign, 0.0, 0.0), Vec3::new(0.0, r.z, -r.y));
            rows[1] = Six::new(Vec3::new(0.0, sign, 0.0), Vec3::new(-r.z, 0.0, r.x));
            rows[2] = Six::new(Vec3::new(0.0, 0.0, sign), Vec3::new(r.y, -r.x, 0.0));
        }
        locked.turns = 0;
        if self.shape == ClosedForm::Revolute {
            locked.turns = 2;
            let (u, w) = perpendicular_basis(z_b);
            for (k, e) in [u, w].into_iter().enumerate() {
                locked.directions[3 + k] = e;
                for (rows, (_, sign, force_mask)) in out.rows.iter_mut().zip(ends) {
                    let sign = if force_mask.is_ground { 0.0 } else { sign };
                    rows[3 + k] = Six::new(Vec3::ZERO, e * sign);
                }
            }
        }
    }

    /// The same with arms and axes at hand.
    #[inline(always)]
    pub(crate) fn write_closure_of(
        &self,
        motions: &[Motion],
        frames: &JointFrames,
        locked: &mut LockedDirections,
        out: &mut LoopClosure,
    ) {
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let to_anchor = b.pos + frames.arm_b - a.pos;
        self.write_hinge_or_ball_closure((to_anchor, frames.arm_b), frames.z_b, locked, out);
    }

    /// Whether its rows are given by what it locks; otherwise they are its own.
    pub(crate) fn is_lower_pair(&self) -> bool {
        self.shape != ClosedForm::Rows
    }

    fn x_a(&self, model: &Model, a: &Motion) -> Vec3 {
        a.axes * (self.joint(model).a.local.rot * Vec3::X)
    }
    fn x_b(&self, model: &Model, b: &Motion) -> Vec3 {
        b.axes * (self.joint(model).b.local.rot * Vec3::X)
    }

    /// u of a joint that locks all turns: ½ |w|² q_v/q_w, q the turn of b's frame seen from a's.
    fn turn_curvature(&self, model: &Model, a: &Motion, b: &Motion, spin: Vec3) -> Vec3 {
        let joint = self.joint(model);
        let frame_a = a.rot * joint.a.local.rot;
        let turn = frame_a.inverse() * (b.rot * joint.b.local.rot);
        frame_a * (turn.v * (0.5 * spin.dot(spin) / turn.w))
    }

    /// A joint with more freedoms than rows: rows of J_c and their biases.
    fn write_rows(&self, model: &Model, motions: &[Motion], limb: &mut Node, more: &mut NodeExtra, m: usize) {
        let (relative, rows) = self.rows(model, motions);
        let pair = &BodyPair::new(self, motions);
        let (arm, sign) = (self.arm(pair), self.sign());
        limb.shift = self.shift(pair);
        for r in 0..m {
            let w = relative.to_world(rows.gradient[r]);
            let row = Six::new(w.force, w.torque + arm.cross(w.force)).scaled(sign);
            if r == 0 {
                limb.first = row;
            } else {
                more.columns[r - 1] = row;
            }
            more.bias[r] = rows.jac_dot_v(r, &relative);
        }
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

    /// How far it is from closed, its pose or its rates or both. Joints given by rows have them in the first components of shift and
    /// shift rate.
    #[inline(always)]
    pub(crate) fn write_gap<const WHAT: u8>(&self, model: &Model, motions: &[Motion], out: &mut JointGap) {
        match self.shape {
            ClosedForm::Revolute if self.drives.is_none() => {
                let pair = &BodyPair::new(self, motions);
                self.write_anchor_gap::<WHAT>(pair, out);
                self.write_axis_gap::<WHAT>(pair, pair.b.omega - pair.a.omega, out);
            }
            ClosedForm::Spherical if self.drives.is_none() => {
                self.write_anchor_gap::<WHAT>(&BodyPair::new(self, motions), out);
            }
            _ => self.write_general_gap::<WHAT>(model, motions, out),
        }
    }

    #[inline(never)]
    fn write_general_gap<const WHAT: u8>(&self, model: &Model, motions: &[Motion], out: &mut JointGap) {
        if !self.is_lower_pair() || self.drives.is_some() {
            let whole = self.gap(model, motions);
            return out.take::<WHAT>(&whole);
        }
        self.write_lower_pair_gap::<WHAT>(model, motions, out);
    }

    /// The gap of a joint that holds its anchors together, and the sizes of what formed it.
    #[inline(always)]
    fn write_anchor_gap<const WHAT: u8>(&self, pair: &BodyPair<'_>, gap: &mut JointGap) {
        let (a, b) = (pair.a, pair.b);
        let (size_a, size_b) = (pair.arm_a.reach(), pair.arm_b.reach());
        if WHAT & POSES != 0 {
            (gap.shift, gap.turn) = (pair.offset, Vec3::ZERO);
            gap.reach = a.pos.reach() + size_a + b.pos.reach() + size_b;
        }
        if WHAT & RATES != 0 {
            let (spin_a, spin_b) = (a.omega.reach(), b.omega.reach());
            gap.shift_rate = pair.offset_rate() - a.omega.cross(pair.offset);
            gap.turn_rate = Vec3::ZERO;
            gap.reach_rate =
                a.vel.reach() + spin_a * (size_a + pair.offset.reach()) + b.vel.reach() + spin_b * size_b;
            gap.reach_spin = spin_a + spin_b;
        }
    }

    fn gap(&self, model: &Model, motions: &[Motion]) -> JointGap {
        let mut gap = JointGap::default();
        self.write_lower_pair_gap::<BOTH>(model, motions, &mut gap);
        if !self.is_lower_pair() {
            self.write_row_gap(model, motions, &mut gap);
        } else if let Some(drives) = &self.drives {
            drives.add_gap(&self.relative_at(model, motions), &mut gap);
        }
        gap
    }

    #[inline(always)]
    fn write_lower_pair_gap<const WHAT: u8>(&self, model: &Model, motions: &[Motion], gap: &mut JointGap) {
        let pair = &BodyPair::new(self, motions);
        let (a, b) = (pair.a, pair.b);
        let spin = b.omega - a.omega;
        self.write_anchor_gap::<WHAT>(pair, gap);
        // Shifts along an axis are free.
        let remove_along_axis = |gap: &mut JointGap| {
            let z_a = a.axes * self.z_a;
            if WHAT & POSES != 0 {
                gap.shift = perpendicular_part(gap.shift, z_a);
            }
            if WHAT & RATES != 0 {
                gap.shift_rate = perpendicular_part(gap.shift_rate, z_a);
            }
        };
        match self.shape {
            ClosedForm::Revolute => self.write_axis_gap::<WHAT>(pair, spin, gap),
            ClosedForm::Spherical => {}
            ClosedForm::Prismatic => {
                remove_along_axis(gap);
                self.write_rotation_gap(model, pair, spin, gap);
            }
            ClosedForm::Cylindrical => {
                remove_along_axis(gap);
                self.write_axis_gap::<WHAT>(pair, spin, gap);
            }
            ClosedForm::Universal => {
                let (z_a, x_b) = (a.axes * self.z_a, self.x_b(model, b));
                let n = z_a.cross(x_b);
                if WHAT & POSES != 0 {
                    gap.turn = n * (-z_a.dot(x_b) / n.dot(n));
                }
                if WHAT & RATES != 0 {
                    gap.turn_rate = n * (n.dot(spin) / n.dot(n));
                }
            }
            ClosedForm::Planar => {
                let z_a = a.axes * self.z_a;
                if WHAT & POSES != 0 {
                    gap.shift = z_a * z_a.dot(gap.shift);
                }
                if WHAT & RATES != 0 {
                    gap.shift_rate = z_a * z_a.dot(gap.shift_rate);
                }
                self.write_axis_gap::<WHAT>(pair, spin, gap);
            }
            ClosedForm::Fixed => self.write_rotation_gap(model, pair, spin, gap),
            ClosedForm::Rows => {}
        }
    }

    #[inline(always)]
    fn write_axis_gap<const WHAT: u8>(&self, pair: &BodyPair<'_>, spin: Vec3, gap: &mut JointGap) {
        let z_b = pair.b.axes * self.z_b;
        if WHAT & POSES != 0 {
            let z_a = pair.a.axes * self.z_a;
            // Over the cosine: then −turn is Newton's step, and z_b lands on z_a up to second order.
            gap.turn = z_a.cross(z_b) / z_a.dot(z_b);
        }
        if WHAT & RATES != 0 {
            gap.turn_rate = perpendicular_part(spin, z_b);
        }
    }

    fn write_rotation_gap(&self, model: &Model, pair: &BodyPair<'_>, spin: Vec3, gap: &mut JointGap) {
        let joint = self.joint(model);
        let frame_a = pair.a.rot * joint.a.local.rot;
        let turn = frame_a.inverse() * (pair.b.rot * joint.b.local.rot);
        gap.turn = frame_a * (turn.v * (2.0 / turn.w));
        gap.turn_rate = spin;
    }

    fn write_row_gap(&self, model: &Model, motions: &[Motion], gap: &mut JointGap) {
        let (relative, rows) = self.rows(model, motions);
        let (mut err, mut rate, mut size) = ([0.0; 3], [0.0; 3], 0.0);
        for r in 0..rows.count {
            err[r] = rows.err[r];
            rate[r] = rows.err_rate(r, &relative);
            size = if rows.scale[r] > size { rows.scale[r] } else { size };
        }
        gap.shift = Vec3::new(err[0], err[1], err[2]);
        gap.shift_rate = Vec3::new(rate[0], rate[1], rate[2]);
        gap.reach = size;
        match self.joint(model).kind {
            JointKind::Lock { locks } if locks.shifts() > 0 => {
                gap.reach_rate = larger(gap.reach_rate, gap.reach_spin);
            }
            kind => match (kind.about().locks.shifts(), kind.about().locks.turns()) {
                (0, _) => gap.reach_rate = gap.reach_spin,
                (_, 0) => {}
                _ => gap.reach_rate = larger(gap.reach_rate, gap.reach_spin),
            },
        }
        gap.reach_rate += rows.rates.iter().fold(0.0, |sum, rate| sum + rate.abs());
    }

    /// γ (or biases) that take a shift and turn away.
    #[inline(always)]
    pub(crate) fn write_gap_gamma(
        &self,
        motions: &[Motion],
        shift: Vec3,
        turn: Vec3,
        limb: &mut Node,
        more: &mut NodeExtra,
    ) {
        if let Form::Rows(_) = limb.form() {
            more.bias = [shift.x, shift.y, shift.z];
            return;
        }
        let (a, b) = (&motions[self.a as usize], &motions[self.b as usize]);
        let arm_b = b.axes * self.pos_b;
        let arm = if self.onto_b { arm_b } else { b.pos + arm_b - a.pos };
        let sign = -self.sign();
        let turn = turn * sign;
        limb.gamma = Six::new(shift * sign + arm.cross(turn), turn);
    }

    /// Worst relative acceleration along what the joint locks, relative to the terms that form it; `reach` is the square of a linear
    /// acceleration below whose rounding nothing can fall. Formed from the motions again, not from what was eliminated
    /// with; where all joints are `closed` the curvature of an axis is rounding.
    #[inline(always)]
    pub(crate) fn note_residual(
        &self,
        model: &Model,
        motions: &[Motion],
        x: (&Six, &Six),
        (closed, reach): (bool, f64),
        worst: &mut WorstResidual,
    ) {
        if !self.is_hinge_or_ball() {
            return self.note_general_residual(model, motions, x, reach, worst);
        }
        let pair = &BodyPair::without_a(self, motions);
        let mut turn = pair.a.omega.cross(pair.b.omega);
        if self.shape == ClosedForm::Spherical {
            return JointResidual::of(pair.anchor(), (pair.bias(), turn), x, reach).note_ball(worst);
        }
        let z_b = pair.b.axes * self.z_b;
        if !closed {
            turn += axis_curvature(pair.a.axes * self.z_a, z_b, pair.b.omega - pair.a.omega);
        }
        JointResidual::of(pair.anchor(), (pair.bias(), turn), x, reach).note_hinge(z_b, self.arms(), worst);
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

    /// The same for any joint.
    #[inline(never)]
    fn note_general_residual(
        &self,
        model: &Model,
        motions: &[Motion],
        x: (&Six, &Six),
        reach: f64,
        worst: &mut WorstResidual,
    ) {
        if !self.is_lower_pair() {
            let left = self.row_residual(model, motions, x.0, x.1, reach.sqrt());
            return worst.note(left * left, 1.0);
        }
        let pair = &BodyPair::new(self, motions);
        let (z_a, z_b) = (pair.a.axes * self.z_a, pair.b.axes * self.z_b);
        let (bias, turn) = self.bias(model, pair, z_a, z_b);
        let part = |shift, spin| self.locked_part(model, pair, (z_a, z_b), shift, spin);
        JointResidual::of(pair.anchor(), (bias, turn), x, reach).note_part(part, self.arms(), worst);
    }

    /// What of a shift and a turn of b against a the joint locks.
    fn locked_part(
        &self,
        model: &Model,
        pair: &BodyPair<'_>,
        (z_a, z_b): (Vec3, Vec3),
        mut shift: Vec3,
        mut spin: Vec3,
    ) -> (Vec3, Vec3) {
        let whole = (shift, spin);
        match self.shape {
            ClosedForm::Revolute => spin = perpendicular_part(spin, z_b),
            ClosedForm::Prismatic => shift = perpendicular_part(shift, z_a),
            ClosedForm::Cylindrical => {
                (shift, spin) = (perpendicular_part(shift, z_a), perpendicular_part(spin, z_b))
            }
            ClosedForm::Universal => {
                let n = z_a.cross(self.x_b(model, pair.b));
                spin = n * (n.dot(spin) / n.dot(n));
            }
            ClosedForm::Planar => (shift, spin) = (z_a * z_a.dot(shift), perpendicular_part(spin, z_b)),
            ClosedForm::Fixed => {}
            _ => spin = Vec3::ZERO,
        }
        if let Some(drives) = &self.drives {
            drives.add_residual(&self.relative(model, pair), whole, &mut shift, &mut spin);
        }
        if self.force_masks[0].planar || self.force_masks[1].planar {
            (shift.z, spin.x, spin.y) = (0.0, 0.0, 0.0);
        }
        (shift, spin)
    }

    fn row_residual(&self, model: &Model, motions: &[Motion], x_a: &Six, x_b: &Six, reach: f64) -> f64 {
        let (relative, rows) = self.rows(model, motions);
        let pair = &BodyPair::new(self, motions);
        let (lin_a, lin_b) = (x_a.lin + x_a.ang.cross(pair.arm_a), x_b.lin + x_b.ang.cross(pair.arm_b));
        let carried = x_a.ang.cross(relative.offset);
        let shift = relative.axes_a.transpose_mul(lin_b - lin_a - carried);
        let turn = relative.axes_a.transpose_mul(x_b.ang - x_a.ang);
        let size = lin_a.largest() + lin_b.largest() + carried.largest() + relative.bias.largest() + reach;
        let spin = x_a.ang.largest() + x_b.ang.largest() + relative.bias_spin.largest();
        let arm = pair.arm_a.largest() + pair.arm_b.largest();
        let spin = if arm > 0.0 { larger(spin, size / arm) } else { spin + size };
        let mut worst = 0.0;
        for r in 0..rows.count {
            let g = &rows.gradient[r];
            let left = g.force.dot(shift) + g.torque.dot(turn) + rows.jac_dot_v(r, &relative);
            let size = g.force.largest() * size + g.torque.largest() * spin + rows.rest[r].abs();
            if left != 0.0 {
                worst = larger(worst, left.abs() / size);
            }
        }
        worst
    }

    /// What it leaves free, as geometry alone: as the elimination sees it, but bodies without orientation do not turn
    /// and planar ones stay in their plane.
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
        // A point at the end of a rod is not at the place on b: as geometry both turn with the parent as one.
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
                push(about(self.x_b(model, b)));
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

    /// Motions of b seen from a that a joint given by its rows leaves free: shift of the anchor and turn, world axes. Drives hold theirs.
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
        // Rows of pure force at the anchor: shifts across them, and turns about it.
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
            // Drives hold the rest.
            _ => {}
        }
        match (turns, in_plane) {
            (false, _) => {}
            (true, true) => push(Vec3::ZERO, Vec3::Z),
            (true, false) => all.into_iter().for_each(|e| push(Vec3::ZERO, e)),
        }
    }
}
