//! What can be wrong with a model. Every message names the part and says what would be right.

use crate::body::MassError;

/// A model that cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Mass or inertia of a body.
    #[error("body `{body}`: {error}")]
    Mass {
        /// Which body.
        body: String,
        /// What is wrong.
        error: MassError,
    },
    /// A general body whose form has no answer.
    #[error("body `{body}` ({kind}): {why}")]
    GeneralForm {
        /// Which body.
        body: String,
        /// What it is.
        kind: &'static str,
        /// What is wrong.
        why: String,
    },
    /// A number is NaN, infinite or out of range.
    #[error("{part} `{name}`: {field} is {value}, {want}")]
    Number {
        /// Body, joint, force, probe or model.
        part: &'static str,
        /// Its name.
        name: String,
        /// Which field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would be right.
        want: &'static str,
    },
    /// Limits of a coordinate that leave nothing between them.
    #[error(
        "joint `{joint}`: the limits of coordinate {coordinate} are {low} and {high}; the first must not be larger than the second"
    )]
    Limits {
        /// Which joint.
        joint: String,
        /// Which coordinate.
        coordinate: usize,
        /// The lower limit.
        low: f64,
        /// The upper one.
        high: f64,
    },
    /// A joint that cannot have an armature.
    #[error("joint `{joint}`: an armature needs {why}")]
    Armature {
        /// Which joint.
        joint: String,
        /// What it would need.
        why: &'static str,
    },
    /// Two parts share a name.
    #[error("two {part} are called `{name}`; names must be unique")]
    DuplicateName {
        /// Bodies, joints, forces or probes.
        part: &'static str,
        /// The name.
        name: String,
    },
    /// `ground` is taken.
    #[error("a body cannot be called `ground`: that name is reserved")]
    ReservedName,
    /// An impulse on the ground, which never moves.
    #[error("impulse `{name}` acts on the ground, which never moves; name a body")]
    ImpulseOnGround {
        /// Which.
        name: String,
    },
    /// An id that is not of this model.
    #[error("{part} `{name}` is attached to a body that this model does not have")]
    UnknownBody {
        /// Joint, force, constraint or probe.
        part: &'static str,
        /// Its name.
        name: String,
    },
    /// A joint to be made auxiliary that is not in this model.
    #[error("a joint marked as auxiliary is not in this model")]
    UnknownJoint,
    /// Both ends of a joint are the same.
    #[error("joint `{joint}` connects `{end}` with itself; a and b must differ")]
    SameBody {
        /// Which joint.
        joint: String,
        /// The end.
        end: String,
    },
    /// An axis without a direction.
    #[error("joint `{joint}`: the axis is zero or not finite; a {kind} joint needs a direction")]
    NoAxis {
        /// Which joint.
        joint: String,
        /// Its kind.
        kind: &'static str,
    },
    /// The two axes of a universal joint do not make a cross.
    #[error("joint `{joint}`: it needs a second axis, perpendicular to the first")]
    NoCross {
        /// Which joint.
        joint: String,
    },
    /// A lock without anything to lock.
    #[error("joint `{joint}` locks nothing: name at least one shift or turn")]
    LocksNothing {
        /// Which joint.
        joint: String,
    },
    /// A joint or force that the body kind cannot carry.
    #[error("{part} `{name}` ({kind}) does not fit body `{body}`, which is a {body_kind}: {why}")]
    DoesNotFit {
        /// Joint, force, constraint or probe.
        part: &'static str,
        /// Its name.
        name: String,
        /// Its kind.
        kind: &'static str,
        /// The body.
        body: String,
        /// What the body is.
        body_kind: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// A joint between planar bodies that leaves the plane.
    #[error("joint `{joint}` ({kind}) connects planar bodies: {why}")]
    NotPlanar {
        /// Which joint.
        joint: String,
        /// Its kind.
        kind: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// Friction with a Stribeck speed that would grow with the speed, or be the same at every speed.
    #[error(
        "joint `{joint}`: friction with a Stribeck speed falls from that at rest to that while sliding; it is {breakaway} at rest and {coulomb} while sliding. Give it more at rest, or no Stribeck speed"
    )]
    StribeckRises {
        /// The joint.
        joint: String,
        /// F_c [N, N·m].
        coulomb: f64,
        /// F_s [N, N·m].
        breakaway: f64,
    },
    /// A spring or drive on a coordinate that the joint does not have.
    #[error(
        "joint `{joint}` ({kind}) has {have} coordinates to act along; a spring, drive or limit names number {coordinate}"
    )]
    NoCoordinate {
        /// Which joint.
        joint: String,
        /// Its kind.
        kind: &'static str,
        /// The coordinate.
        coordinate: usize,
        /// How many there are.
        have: usize,
    },
    /// Two drives on one coordinate.
    #[error("joint `{joint}`: two drives prescribe coordinate {coordinate}; one of them must go")]
    TwoDrives {
        /// Which joint.
        joint: String,
        /// The coordinate.
        coordinate: usize,
    },
    /// A law that cannot be.
    #[error("{part} `{name}`: its {law} law cannot be: {error}")]
    Law {
        /// Joint or force.
        part: &'static str,
        /// Its name.
        name: String,
        /// The kind of law.
        law: &'static str,
        /// What is wrong.
        error: crate::law::LawError,
    },
    /// A law that is not smooth enough for its use.
    #[error("joint `{joint}`: its {law} law is not smooth enough to drive a {mode}: {has}, and {needs}")]
    NotSmooth {
        /// Which joint.
        joint: String,
        /// The kind of law.
        law: &'static str,
        /// What it is to drive.
        mode: crate::joint::DriveMode,
        /// How smooth the law is.
        has: crate::law::Smoothness,
        /// What would be right.
        needs: &'static str,
    },
    /// Both ends of a spring, torsion spring or attraction are on the same body.
    #[error("force `{force}` acts between `{end}` and itself; a and b must differ")]
    ForceOnItself {
        /// Which force.
        force: String,
        /// The end.
        end: String,
    },
    /// A force with more or fewer frames than its law acts at.
    #[error("force `{name}` ({what}) is given {have} frames; its law acts at another number")]
    WrongFrames {
        /// Which force.
        name: String,
        /// Its kind.
        what: &'static str,
        /// How many frames it has.
        have: usize,
    },
    /// A constraint on a joint that this model does not have.
    #[error("constraint `{name}` names a joint that this model does not have")]
    NoSuchJoint {
        /// Which constraint.
        name: String,
    },
    /// A coupler or a motor of a path on a coordinate that the joint does not have.
    #[error(
        "constraint `{name}` names coordinate {coordinate} of joint `{joint}` ({kind}), which has {have} to act along"
    )]
    NoCoupledCoordinate {
        /// Which constraint.
        name: String,
        /// Which joint.
        joint: String,
        /// Its kind.
        kind: &'static str,
        /// The coordinate.
        coordinate: usize,
        /// How many there are.
        have: usize,
    },
    /// An equation of a coupler in which no coordinate has a part.
    #[error(
        "equation {equation} of coupler `{name}` has no coordinate in it: give a factor that is not zero"
    )]
    CouplesNothing {
        /// Which coupler.
        name: String,
        /// Which equation.
        equation: usize,
    },
    /// Motors that are not as many as the directions that they are to hold.
    #[error("constraint `{name}` follows {rows} directions and names {motors} motors; it takes one for each")]
    MotorCount {
        /// Which constraint.
        name: String,
        /// How many motors.
        motors: usize,
        /// How many directions.
        rows: usize,
    },
    /// A user constraint without rows or without frames.
    #[error("constraint `{name}` has no {what}")]
    EmptyConstraint {
        /// Which constraint.
        name: String,
        /// Rows or frames.
        what: &'static str,
    },
}
