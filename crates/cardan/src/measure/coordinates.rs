//! Joint coordinates with their turns counted.
//!
//! A pose determines an angle up to full turns. The state therefore stores the unwrapped angle of
//! every coordinate that counts turns, and each step moves it to the congruent value nearest to the
//! one predicted from the rate. The stored angle only has to identify the turn: for hinges it is
//! accurate to 0.1 rad, which needs no arctangent.

use crate::body::Motion;
use crate::body::general::Motions;
use crate::joint::{ClosedForm, DriveMode, JointCoordinates, Relative};
use crate::math::{Lane, Quat, Vec3, line_angle, unwrap_near};
use crate::model::{Attachment, Model, ModelDrive, ModelJoint};
use crate::state::State;
use crate::step::Workspace;
use crate::step::workspace::{Kinematics, StageBuffers};
use cardan_solve::Task;
use cardan_solve::articulated::f64x3::run_vectorized;
use cardan_solve::simd::{Mask, Simd};

/// The coordinates of a joint from its pose, without turns.
pub(crate) fn raw(joint: &ModelJoint, relative: &Relative) -> JointCoordinates {
    let mut out = JointCoordinates::default();
    joint.kind.write_coordinates(relative, &mut out);
    out
}

/// The coordinate as reported: with turns and offset.
pub(crate) fn full_value(model: &Model, j: usize, k: usize, raw: f64, turns: &[f64]) -> f64 {
    let joint = &model.joints[j];
    let value = match joint.turns_of(k) {
        Some(at) => unwrap_near(raw, turns[at]),
        None => raw,
    };
    value + joint.zero(k)
}

fn counts_turns(joint: &ModelJoint) -> bool {
    joint.counted != 0
}

fn relative_at(motions: &Motions, joint: &ModelJoint) -> Relative {
    use crate::step::frame;
    Relative::new(&frame(motions, &joint.a), &frame(motions, &joint.b))
}

/// Relative rotation of a joint alone, without translations; `None` on general bodies.
fn rotation_at(motions: &Motions, joint: &ModelJoint) -> Option<Relative> {
    let end = |at: &Attachment| {
        let motion = at.body().map_or(&Motion::GROUND, |body| &motions[body]);
        at.carrier().is_none().then_some((motion.rot * at.local.rot, motion.omega))
    };
    Some(Relative::of_rotations(end(&joint.a)?, end(&joint.b)?))
}

/// Sets the turns of a state from its poses: the angles within half a turn.
pub(crate) fn start_turns(model: &Model, state: &mut State) {
    let mut motions = Motions::new(model);
    crate::step::write_motions(model, state, &mut motions);
    for joint in &model.joints {
        if !counts_turns(joint) {
            continue;
        }
        let now = raw(joint, &relative_at(&motions, joint));
        for (at, value) in joint.turns_at().iter().zip(now.value) {
            if let Some(at) = *at {
                state.turns[at] = value;
            }
        }
    }
    // A pose determines an angle up to full turns; a law that prescribes the angle determines the
    // turns.
    for drive in model.drives.iter().filter(|drive| drive.mode == DriveMode::Position) {
        let (joint, wanted) = (&model.joints[drive.joint], drive.law.at(state.time).value);
        if let Some(at) = joint.turns_of(drive.coordinate)
            && wanted.is_finite()
        {
            state.turns[at] = wanted - joint.zero(drive.coordinate);
        }
    }
}

/// Value and rate of a coordinate of a state, turns counted, from the motions of its bodies.
pub(crate) fn coordinate_at(model: &Model, state: &State, motions: &Motions, j: usize, k: usize) -> [f64; 2] {
    let now = raw(&model.joints[j], &relative_at(motions, &model.joints[j]));
    [full_value(model, j, k, now.value[k], &state.turns), now.rate[k]]
}

/// Value and rate of every driven coordinate of a state, turns counted.
pub(crate) fn starts_of_drives(model: &Model, state: &State) -> Vec<[f64; 2]> {
    let mut motions = Motions::new(model);
    crate::step::write_motions(model, state, &mut motions);
    let start = |drive: &ModelDrive| coordinate_at(model, state, &motions, drive.joint, drive.coordinate);
    model.drives.iter().map(start).collect()
}

/// Sets the turns of driven coordinates from their laws.
fn follow_laws(model: &Model, work: &mut Workspace) {
    for (drive, target) in model.drives.iter().zip(&work.kinematics.targets) {
        let joint = &model.joints[drive.joint];
        if let Some(at) = joint.turns_of(drive.coordinate) {
            work.stages.next.turns[at] = target.value - joint.zero(drive.coordinate);
        }
    }
}

/// Rates of all entries of `turns`, from the motions of all bodies.
pub(crate) fn write_turn_rates(model: &Model, motions: &Motions, out: &mut [f64]) {
    for joint in model.joints.iter().filter(|joint| counts_turns(joint)) {
        let now = raw(joint, &relative_at(motions, joint));
        for (at, rate) in joint.turns_at().iter().zip(now.rate) {
            if let Some(at) = *at {
                out[at] = rate;
            }
        }
    }
}

/// Moves the turns of `work.stages.next`, which are integrated rates, to the angles of its poses (those of
/// `work.kinematics.motions`).
pub(crate) fn align_turns(model: &Model, work: &mut Workspace) {
    for joint in model.joints.iter().filter(|joint| counts_turns(joint)) {
        let now = raw(joint, &relative_at(&work.kinematics.motions, joint));
        for (k, at) in joint.turns_at().iter().enumerate() {
            if let Some(at) = *at {
                work.stages.next.turns[at] = unwrap_near(now.value[k], work.stages.next.turns[at]);
            }
        }
    }
    follow_laws(model, work);
}

/// After a step: sets the turns of `work.stages.next` from the motions of `work`, near the prediction by
/// the rate at its end.
pub(crate) fn follow_turns(model: &Model, before: &State, h: f64, work: &mut Workspace) {
    if !core::mem::take(&mut work.kinematics.turns_are_current) {
        run_vectorized(FollowTurns(model, before, h, work));
    }
    for &joint in &work.kinematics.turning.others {
        let joint = &model.joints[joint as usize];
        // Where all coordinates are angles of a rotation, translations do not enter.
        let about = joint.kind.about();
        let turns_alone = !about.is_curved && about.coordinates.iter().all(|coordinate| coordinate.is_angle);
        let now = match (turns_alone, rotation_at(&work.kinematics.motions, joint)) {
            (true, Some(rotation)) => raw(joint, &rotation),
            _ => raw(joint, &relative_at(&work.kinematics.motions, joint)),
        };
        for (k, at) in joint.turns_at().iter().enumerate() {
            if let Some(at) = *at {
                let expected = before.turns[at] + h * now.rate[k];
                work.stages.next.turns[at] = unwrap_near(now.value[k], expected);
            }
        }
    }
    follow_laws(model, work);
}

/// The turns of hinges.
struct FollowTurns<'w>(&'w Model, &'w State, f64, &'w mut Workspace);

impl Task for FollowTurns<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let FollowTurns(model, before, h, work) = self;
        let Workspace {
            kinematics: Kinematics { turning, motions, .. },
            stages: StageBuffers { next, .. },
            ..
        } = work;
        for hinge in &turning.hinges {
            let at = hinge.at as usize;
            next.turns[at] = hinge.follow(motions, before.turns[at], h);
        }
        for &joint in &turning.many_hinges {
            if let Some(hinge) = HingeTurns::new(model, joint as usize) {
                let at = hinge.at as usize;
                next.turns[at] = hinge.follow(motions, before.turns[at], h);
            }
        }
    }
}

/// The joints whose turns are counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct TurnCounters {
    hinges: Vec<HingeTurns>,
    /// Hinges by joint index alone, where there are so many that computing them is faster than
    /// reading them from memory.
    many_hinges: Vec<u32>,
    others: Vec<u32>,
}

/// A joint whose only rotation is about the common z axis of its frames.
#[derive(Clone, Debug)]
pub(crate) struct HingeTurns<T: Lane = f64> {
    /// Indices of the motions of a and b; the ground's is the last one.
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Whether a is the ground.
    pub(crate) on_ground: bool,
    /// Index of its entry in `turns`.
    pub(crate) at: u32,
    /// The z axis in a.
    pub(crate) axis: Vec3<T>,
    /// w and z of the orientation of b's frame seen from a's, as products with the orientation of b
    /// seen from a.
    pub(crate) w: Quat<T>,
    pub(crate) z: Quat<T>,
}

impl TurnCounters {
    pub(crate) fn new(model: &Model) -> Self {
        // Far more than a cache contains.
        const MANY: usize = 10_000;
        let mut all = TurnCounters::default();
        for (j, _) in model.joints.iter().enumerate().filter(|(_, joint)| counts_turns(joint)) {
            match HingeTurns::new(model, j) {
                Some(_) if model.joints.len() >= MANY => all.many_hinges.push(j as u32),
                Some(hinge) => all.hinges.push(hinge),
                None => all.others.push(j as u32),
            }
        }
        all.hinges.shrink_to_fit();
        all.many_hinges.shrink_to_fit();
        all
    }

    /// The hinges; `None` if other joints count turns, too.
    pub(crate) fn hinges_alone(&self) -> Option<&[HingeTurns]> {
        (self.others.is_empty() && self.many_hinges.is_empty()).then_some(&self.hinges)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.hinges.capacity() * size_of::<HingeTurns>()
            + (self.many_hinges.capacity() + self.others.capacity()) * size_of::<u32>()
    }
}

impl HingeTurns {
    /// `None` for joints that are not hinges.
    pub(crate) fn new(model: &Model, j: usize) -> Option<Self> {
        let joint = &model.joints[j];
        let at = match joint.kind.about().closed_form {
            _ if joint.a.carrier().or(joint.b.carrier()).is_some() => None,
            ClosedForm::Revolute => joint.turns_of(0),
            ClosedForm::Cylindrical => joint.turns_of(1),
            ClosedForm::Planar => joint.turns_of(2),
            _ => None,
        }?;
        let motion = |body: Option<usize>| body.unwrap_or(model.bodies.len()) as u32;
        let (before, after) = (joint.a.local.rot.inverse(), joint.b.local.rot);
        let seen = |v: Vec3| before * Quat { w: 0.0, v } * after;
        let (x, y, z) = (seen(Vec3::X), seen(Vec3::Y), seen(Vec3::Z));
        let one = before * after;
        Some(HingeTurns {
            a: motion(joint.a.body()),
            b: motion(joint.b.body()),
            on_ground: joint.a.body().is_none(),
            at: at as u32,
            axis: joint.a.local.rot * Vec3::Z,
            w: Quat { w: one.w, v: Vec3::new(x.w, y.w, z.w) },
            z: Quat { w: one.v.z, v: Vec3::new(x.v.z, y.v.z, z.v.z) },
        })
    }
}

/// w and z of the orientation of b's frame seen from a's, as products of those of [`HingeTurns`] with `turn`,
/// the orientation of b seen from a.
#[inline(always)]
fn half_angle<T: Simd>((w, z): (&Quat<T>, &Quat<T>), turn: &Quat<T>) -> (T, T) {
    (w.w * turn.w + w.v.dot(turn.v), z.w * turn.w + z.v.dot(turn.v))
}

/// The angle of a hinge with its turns, 2 arctan(z/w), for efforts: one formula for all of them. Arguments as
/// in [`half_angle`].
#[inline(always)]
pub(crate) fn hinge_angle<T: Simd>(products: (&Quat<T>, &Quat<T>), turn: &Quat<T>, turns: T) -> T {
    let (cos, sin) = half_angle(products, turn);
    unwrap_near(T::splat(2.0) * line_angle(sin, cos), turns)
}

impl<T: Simd> HingeTurns<T> {
    /// The angle with its turns, by the orientations of a and b.
    #[inline(always)]
    pub(crate) fn angle_at(&self, a: &Quat<T>, b: &Quat<T>, turns: T) -> T {
        let turn = if self.on_ground { *b } else { a.inverse() * *b };
        hinge_angle((&self.w, &self.z), &turn, turns)
    }

    /// The angle after a step of `h` from the angle `before`.
    #[inline(always)]
    pub(crate) fn follow(&self, motions: &[Motion<T>], before: T, h: T) -> T {
        self.follow_from(&motions[self.a as usize], &motions[self.b as usize], before, h)
    }

    /// The angle after a step of `h` from the angle `before`, by the motions of a and b.
    #[inline(always)]
    pub(crate) fn follow_from(&self, a: &Motion<T>, b: &Motion<T>, before: T, h: T) -> T {
        let (angle, change) = self.rough_angle(a, b, h);
        unwrap_near(angle, before + change)
    }

    /// The angle to about 0.1 rad, and its change in `h` if that is more than a radian.
    #[inline(always)]
    fn rough_angle(&self, a: &Motion<T>, b: &Motion<T>, h: T) -> (T, T) {
        let (zero, two) = (T::ZERO, T::splat(2.0));
        let turn = if self.on_ground { b.rot } else { a.rot.inverse() * b.rot };
        let spin = (b.omega - a.omega) * h;
        let is_fast = !T::ONE.above(spin.dot(spin));
        let change = match is_fast.any() {
            true => T::select(is_fast, (a.axes * self.axis).dot(spin), zero),
            false => zero,
        };
        let (cos, sin) = half_angle((&self.w, &self.z), &turn);
        // tan(θ/2) = z/w; the arc length of the square |w| + |z| = 1 approximates that of the
        // circle.
        let (w, z) = (cos.abs(), sin.abs());
        let sum = w + z;
        let quarter = T::select(sum.above(zero), z / sum, zero);
        let half = quarter * T::splat(core::f64::consts::FRAC_PI_2);
        let (below, also) = (zero.above(cos), zero.above(sin));
        let opposite = (below & !also) | (also & !below);
        (T::select(opposite, -two * half, two * half), change)
    }
}
