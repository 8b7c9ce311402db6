//! Bodies: blocks of freedoms with a mass matrix, and frames that joints and forces attach to.
//!
//! Every kind answers the same verbs, one file each; joints, forces and the solver see nothing else:
//!
//! | verb | meaning |
//! |---|---|
//! | `motion` | pose and velocity of the body's own frame, from its coordinates |
//! | `mass_matrix` | packed lower half of M, dim × dim, positive definite |
//! | `inertial_force` | the velocity-dependent force, such as −ω × I ω |
//! | `pull_back` | generalised force of a wrench at an attached point; also one row of J |
//! | `push_forward` | twist of an attached point from a vector of generalised velocities |
//! | `advance` | coordinates after a displacement given in velocity space (exponential map) |
//! | `chart_rate` | rate of that displacement: dexp⁻¹, for Runge–Kutta on the manifold; `exact_chart_rate` for long steps |
//!
//! n kinds of bodies and m kinds of joints need n + m pieces of code, not n × m.
//!
//! Particles and rigid bodies answer by themselves, as fast as they can. All others (shafts, bodies that scale, affine and soft ones, the user's
//! q(u)) say only how a few vectors follow from their coordinates, and `general/` answers for them.

mod elastic;
mod formulas;
pub(crate) mod general;
mod internal;
mod mass;
mod on_curve;
mod particle;
mod planar;
mod polyhedron;
mod rigid;
mod scaled;
mod shaft;
mod shape;
#[cfg(test)]
mod tests;

pub use elastic::Elastic;
pub use formulas::{FormulaPiece, Formulas};
pub use general::{GeneralForm, GeneralKind, Number, Parametric, Piece, Pose};
pub use internal::InternalMass;
pub use mass::{MassError, MassProperties};
pub use polyhedron::Polyhedron;
pub use scaled::ScaleSpring;
pub use shape::{PlacedShape, SolidShape};

use crate::math::{Lane, Mat3, Quat, Vec3};

/// The largest number of freedoms of a kind that is not [general](BodyKind::General).
pub const MAX_DIM: usize = 6;
/// The largest number of stored coordinates of such a kind.
pub(crate) const MAX_COORDINATES: usize = 7;

/// What a body is: which freedoms it has.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BodyKind {
    /// A point mass in space: 3 freedoms.
    Particle,
    /// A point mass in the x–y plane: 2 freedoms.
    PlanarParticle,
    /// A rigid body in the x–y plane: 3 freedoms.
    Planar,
    /// A rigid body in space: 6 freedoms.
    Rigid,
    /// Any other: as many freedoms as its figure has.
    #[cfg_attr(feature = "serde", serde(skip))]
    General(GeneralKind),
}

/// Calls the same function of the file that holds the body's kind.
macro_rules! of_kind {
    ($kind:expr, $verb:ident ( $($arg:expr),* )) => {
        match $kind {
            BodyKind::Particle => particle::spatial::$verb($($arg),*),
            BodyKind::PlanarParticle => particle::planar::$verb($($arg),*),
            BodyKind::Planar => planar::$verb($($arg),*),
            BodyKind::Rigid => rigid::$verb($($arg),*),
            // Answered by `general/`, which knows more of the body than its kind.
            BodyKind::General(_) => Default::default(),
        }
    };
}

impl BodyKind {
    /// Every kind that is not general, for tests and tables.
    pub const ALL: [BodyKind; 4] =
        [BodyKind::Particle, BodyKind::PlanarParticle, BodyKind::Planar, BodyKind::Rigid];

    /// Number of freedoms.
    pub const fn dim(self) -> usize {
        match self {
            BodyKind::Particle | BodyKind::Planar => 3,
            BodyKind::PlanarParticle => 2,
            BodyKind::Rigid => 6,
            BodyKind::General(kind) => kind.dim as usize,
        }
    }

    /// Number of stored coordinates (a quaternion takes four for three freedoms).
    pub const fn coordinates(self) -> usize {
        match self {
            BodyKind::Rigid => 7,
            BodyKind::General(kind) => general::coordinates(kind),
            other => other.dim(),
        }
    }

    /// True if the body turns, so that frames can be attached to it.
    pub const fn has_orientation(self) -> bool {
        match self {
            BodyKind::General(kind) => kind.turns,
            other => matches!(other, BodyKind::Planar | BodyKind::Rigid),
        }
    }

    /// Whether it is one of the kinds that only their figure knows.
    pub const fn is_general(self) -> bool {
        matches!(self, BodyKind::General(_))
    }

    /// Whether its first freedoms are those of a rigid body in space.
    pub(crate) const fn moves_freely(self) -> bool {
        match self {
            BodyKind::General(kind) => kind.floats,
            other => matches!(other, BodyKind::Rigid),
        }
    }

    /// True if the body stays in the x–y plane.
    pub const fn is_planar(self) -> bool {
        matches!(self, BodyKind::PlanarParticle | BodyKind::Planar)
    }

    /// The name used in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            BodyKind::Particle => "particle",
            BodyKind::PlanarParticle => "planar-particle",
            BodyKind::Planar => "planar",
            BodyKind::Rigid => "rigid",
            BodyKind::General(kind) => kind.name,
        }
    }

    pub(crate) fn initial(self, body: &Body, q: &mut [f64], v: &mut [f64]) {
        match &body.form {
            Some(figure) => general::initial(body, figure, q, v),
            None => of_kind!(self, initial(body, q, v)),
        }
    }
    #[inline]
    pub(crate) fn motion(self, q: &[f64], v: &[f64]) -> Motion {
        of_kind!(self, motion(q, v))
    }
    /// The same for many bodies of this kind in a row.
    pub(crate) fn motions(self, q: &[f64], v: &[f64], out: &mut [Motion]) {
        fn all<const Q: usize, const V: usize>(
            (q, v): (&[f64], &[f64]),
            out: &mut [Motion],
            motion: impl Fn(&[f64; Q], &[f64; V], &mut Motion),
        ) {
            for ((q, v), out) in q.as_chunks().0.iter().zip(v.as_chunks().0).zip(out) {
                motion(q, v, out);
            }
        }
        match self {
            BodyKind::Particle => {
                all::<3, 3>((q, v), out, |q, v, out| *out = particle::spatial::motion(q, v));
            }
            BodyKind::PlanarParticle => {
                all::<2, 2>((q, v), out, |q, v, out| *out = particle::planar::motion(q, v));
            }
            BodyKind::Planar => all::<3, 3>((q, v), out, |q, v, out| *out = planar::motion(q, v)),
            BodyKind::Rigid => all::<7, 6>((q, v), out, rigid::update),
            BodyKind::General(_) => {}
        }
    }
    #[inline]
    pub(crate) fn mass_matrix(self, mass: &MassProperties, at: &Motion, out: &mut [f64]) {
        of_kind!(self, mass_matrix(mass, at, out))
    }
    #[inline]
    pub(crate) fn inertial_force(self, mass: &MassProperties, at: &Motion, out: &mut [f64]) {
        of_kind!(self, inertial_force(mass, at, out))
    }
    /// Writes (not adds) the generalised force of `wrench` acting at the end of `arm`.
    #[inline]
    pub(crate) fn pull_back(self, arm: Vec3, wrench: Wrench, out: &mut [f64]) {
        of_kind!(self, pull_back(arm, wrench, out))
    }
    /// Linear and angular rate of a point at the end of `arm` for generalised rates `v`.
    #[inline]
    pub(crate) fn push_forward(self, arm: Vec3, v: &[f64]) -> (Vec3, Vec3) {
        of_kind!(self, push_forward(arm, v))
    }
    #[inline(always)]
    pub(crate) fn advance(self, q: &[f64], u: &[f64], out: &mut [f64]) {
        match self {
            BodyKind::General(kind) => general::advance(kind, q, u, out),
            plain => of_kind!(plain, advance(q, u, out)),
        }
    }
    #[inline]
    pub(crate) fn chart_rate(self, u: &[f64], v: &[f64], out: &mut [f64]) {
        match self {
            BodyKind::General(kind) => general::chart_rate(kind, u, v, out),
            plain => of_kind!(plain, chart_rate(u, v, out)),
        }
    }
    /// The same without cutting the series off, for displacements of a radian and more (up to a full turn).
    #[inline]
    pub(crate) fn exact_chart_rate(self, u: &[f64], v: &[f64], out: &mut [f64]) {
        match self {
            BodyKind::Rigid => rigid::exact_chart_rate(u, v, out),
            BodyKind::General(GeneralKind { floats: true, .. }) => {
                out.copy_from_slice(v);
                rigid::exact_chart_rate(&u[..6], &v[..6], &mut out[..6]);
            }
            other => other.chart_rate(u, v, out),
        }
    }
}

impl core::fmt::Display for BodyKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// A body as a description: what it is, where it starts.
///
/// ```
/// use cardan::{Body, math::vec3};
/// let rod = Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0 /* kg */, 1.0 /* m */, 0.01 /* m */) };
/// assert_eq!(rod.mass.mass, 2.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    /// Unique name; empty for an automatic one (`b0`, `b1`, …).
    pub name: String,
    /// Which freedoms it has.
    pub kind: BodyKind,
    /// Mass, centre of mass and inertia, in the body frame.
    pub mass: MassProperties,
    /// World position of the body frame's origin at the start.
    pub pos: Vec3,
    /// Orientation of the body frame at the start.
    pub rot: Quat,
    /// Velocity of the centre of mass at the start, world axes.
    pub vel: Vec3,
    /// Angular velocity at the start, world axes.
    pub omega: Vec3,
    /// What it looks like; for drawings and contacts, not for the inertia, which is in `mass`.
    pub shapes: Vec<PlacedShape>,
    /// Accept an inertia that no real body can have (its principal moments break the triangle rule).
    pub allow_unphysical_inertia: bool,
    /// How the points of a general body follow from its coordinates; `None` for all others.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub form: Option<GeneralForm>,
    /// Coordinates at the start that a pose does not tell: an angle of a shaft, scales, u of q(u). Empty: as the kind has it at rest.
    pub start: Vec<f64>,
    /// Their rates. Empty: at rest, or as `omega` says.
    pub start_rate: Vec<f64>,
}

impl Body {
    fn of(kind: BodyKind, mass: MassProperties, shapes: Vec<PlacedShape>) -> Self {
        Body {
            name: String::new(),
            kind,
            mass,
            pos: Vec3::ZERO,
            rot: Quat::IDENTITY,
            vel: Vec3::ZERO,
            omega: Vec3::ZERO,
            shapes,
            allow_unphysical_inertia: false,
            form: None,
            start: Vec::new(),
            start_rate: Vec::new(),
        }
    }

    /// A body by q(u): whatever its pieces do as functions of a few coordinates. Its frame stays at `pos` and `rot`, unless it floats.
    pub fn parametric(rule: impl Parametric + 'static) -> Self {
        let figure = GeneralForm::new(general::AutoDiffForm::new(rule));
        let mass = figure.0.pieces().iter().map(Piece::mass).sum();
        let mass = MassProperties::of_point(mass);
        Body { form: Some(figure.clone()), ..Body::of(BodyKind::General(figure.kind()), mass, Vec::new()) }
    }
    /// The same body with its own coordinates and rates at the start.
    pub fn starting(mut self, u: &[f64], rate: &[f64]) -> Self {
        (self.start, self.start_rate) = (u.to_vec(), rate.to_vec());
        self
    }

    /// A rigid body in space with the given mass properties.
    pub fn rigid(mass: MassProperties) -> Self {
        Body::of(BodyKind::Rigid, mass, Vec::new())
    }
    /// A rigid body in space of one homogeneous shape.
    pub fn solid(shape: SolidShape, mass: f64) -> Self {
        Body::of(BodyKind::Rigid, MassProperties::of_shape(&shape, mass), vec![PlacedShape::at_origin(shape)])
    }
    /// A slender cylinder along the body's x axis.
    pub fn rod(mass: f64, length: f64, radius: f64) -> Self {
        Body::solid(SolidShape::Rod { length, radius }, mass)
    }
    /// A rigid body in the x–y plane; `inertia` is about the centre of mass.
    pub fn planar(mass: f64, inertia: f64) -> Self {
        let props = MassProperties {
            mass,
            center: Vec3::ZERO,
            inertia: crate::math::Sym3::diagonal(0.0, 0.0, inertia),
        };
        Body::of(BodyKind::Planar, props, Vec::new())
    }
    /// A point mass in space.
    pub fn particle(mass: f64) -> Self {
        Body::of(BodyKind::Particle, MassProperties::of_point(mass), Vec::new())
    }
    /// A point mass in the x–y plane.
    pub fn planar_particle(mass: f64) -> Self {
        Body::of(BodyKind::PlanarParticle, MassProperties::of_point(mass), Vec::new())
    }

    /// Where a piece of the body is at the start: its origin, how its axes are turned, and their lengths. `None` if there is no such piece, or the
    /// body has no answer.
    pub fn piece_at_start(&self, piece: usize) -> Option<(Vec3, Quat, Vec3)> {
        let Some(figure) = &self.form else {
            return (piece == 0).then_some((self.pos, self.rot, Vec3::new(1.0, 1.0, 1.0)));
        };
        let known = piece < figure.0.pieces().len() && general::check(self, figure).is_ok();
        known.then(|| {
            let (pos, shape, rot) = general::posed(self, figure).frame_of_piece(piece);
            (pos, rot, Vec3::new(shape.x.norm(), shape.y.norm(), shape.z.norm()))
        })
    }

    /// The same body under a name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// World position of the centre of mass at the start.
    pub fn center_of_mass(&self) -> Vec3 {
        self.pos + self.rot * self.mass.center
    }
}

/// A frame fixed in a body (or in the ground): origin and axes, seen from the body frame.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frame {
    /// Origin, from the body frame's origin.
    pub pos: Vec3,
    /// Axes.
    pub rot: Quat,
}

impl Frame {
    /// A point; the axes are the body's.
    pub fn at(pos: impl Into<Vec3>) -> Self {
        Frame { pos: pos.into(), rot: Quat::IDENTITY }
    }
    /// A frame whose z axis is `axis`; `None` if the axis has no direction.
    pub fn with_axis(pos: impl Into<Vec3>, axis: impl Into<Vec3>) -> Option<Self> {
        Some(Frame { pos: pos.into(), rot: Quat::with_z_along(axis.into(), None)? })
    }
}

/// A force and a torque acting at one point, world axes; the force on the right side of a row of J, too.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wrench {
    /// Force \[N\].
    pub force: Vec3,
    /// Torque about the point [N·m].
    pub torque: Vec3,
}

impl Wrench {
    /// Nothing.
    pub const ZERO: Self = Wrench { force: Vec3::new(0.0, 0.0, 0.0), torque: Vec3::new(0.0, 0.0, 0.0) };

    /// The same wrench scaled.
    pub fn scaled(self, s: f64) -> Self {
        Wrench { force: self.force * s, torque: self.torque * s }
    }
    /// The wrench as felt at a point that lies `offset` from the one where it acts.
    pub fn seen_from(self, offset: Vec3) -> Self {
        Wrench { force: self.force, torque: self.torque - offset.cross(self.force) }
    }
}
impl core::ops::Add for Wrench {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Wrench { force: self.force + o.force, torque: self.torque + o.torque }
    }
}
impl core::ops::Neg for Wrench {
    type Output = Self;
    fn neg(self) -> Self {
        Wrench { force: -self.force, torque: -self.torque }
    }
}

/// Pose and velocity of a body: centre of mass, axes, velocity, angular velocity; world axes.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Motion<T: Lane = f64> {
    /// Centre of mass.
    pub pos: Vec3<T>,
    /// Orientation of the body frame.
    pub rot: Quat<T>,
    /// The same as a matrix; its columns are the body's axes.
    pub axes: Mat3<T>,
    /// Velocity of the centre of mass.
    pub vel: Vec3<T>,
    /// Angular velocity.
    pub omega: Vec3<T>,
}

impl<T: Lane> Motion<T> {
    /// The ground: at the origin, at rest.
    pub const GROUND: Self = Motion {
        pos: Vec3::ZERO,
        rot: Quat::IDENTITY,
        axes: Mat3::IDENTITY,
        vel: Vec3::ZERO,
        omega: Vec3::ZERO,
    };
}

impl Motion {
    /// Kinematics of a frame fixed in the body. `local.pos` is from the centre of mass here.
    #[inline]
    pub(crate) fn attach(&self, local: &Frame) -> FrameMotion {
        let arm = self.axes * local.pos;
        let spin = self.omega.cross(arm);
        FrameMotion {
            pos: self.pos + arm,
            rot: self.rot * local.rot,
            arm,
            vel: self.vel + spin,
            omega: self.omega,
            bias: self.omega.cross(spin),
            bias_omega: Vec3::ZERO,
            reach: self.pos.largest() + arm.largest(),
            flow: 0.0,
        }
    }
}

/// Kinematics of an attached frame, world axes: what joints and forces see of a body.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct FrameMotion {
    /// Position of its origin.
    pub pos: Vec3,
    /// Orientation.
    pub rot: Quat,
    /// From the centre of mass to the origin; on a general body from the frame that it is attached by.
    pub arm: Vec3,
    /// Velocity of its origin.
    pub vel: Vec3,
    /// Angular velocity.
    pub omega: Vec3,
    /// Acceleration of its origin when the generalised acceleration is zero.
    pub bias: Vec3,
    /// Angular acceleration when the generalised acceleration is zero.
    pub bias_omega: Vec3,
    /// Size of the numbers that formed `pos`: rounding of a position is in proportion to it.
    pub reach: f64,
    /// Size of what formed `vel` besides itself and ω × arm: flows of a body that deforms, zero for all others.
    pub flow: f64,
}

impl BodyKind {
    /// A generalised force read as a force and torque at the centre of mass.
    pub(crate) fn as_wrench(self, f: &[f64]) -> Wrench {
        let v = Vec3::new;
        match self {
            BodyKind::Particle => Wrench { force: v(f[0], f[1], f[2]), torque: Vec3::ZERO },
            BodyKind::PlanarParticle => Wrench { force: v(f[0], f[1], 0.0), torque: Vec3::ZERO },
            BodyKind::Planar => Wrench { force: v(f[0], f[1], 0.0), torque: v(0.0, 0.0, f[2]) },
            BodyKind::Rigid => Wrench { force: v(f[0], f[1], f[2]), torque: v(f[3], f[4], f[5]) },
            BodyKind::General(_) => Wrench::ZERO,
        }
    }
}
