//! Bodies: blocks of freedoms with a mass matrix, and frames that joints and forces attach to.
//!
//! Every kind implements the same functions, one file each; joints, forces and the solver use only
//! these:
//!
//! | function | meaning |
//! |---|---|
//! | `motion` | pose and velocity of the body's own frame, from its coordinates |
//! | `mass_matrix` | packed lower half of M, dim × dim, positive definite |
//! | `inertial_force` | the velocity-dependent force, such as −ω × I ω |
//! | `pull_back` | generalised force of a wrench at an attached point; also one row of J |
//! | `push_forward` | twist of an attached point from a vector of generalised velocities |
//! | `advance` | coordinates after a displacement given in velocity space (exponential map) |
//! | `chart_rate` | rate of that displacement: dexp⁻¹, for Runge–Kutta on the manifold; `exact_chart_rate` for long steps |
//!
//! n kinds of bodies and m kinds of joints need n + m files, not n × m.
//!
//! Particles and rigid bodies have implementations of their own, which are fast. All others
//! (shafts, bodies that scale, affine and soft bodies, user-defined q(u)) only state how their
//! vectors follow from their coordinates; `general/` implements the rest.

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
/// The largest number of stored coordinates of a kind that is not general.
pub(crate) const MAX_COORDINATES: usize = 7;

/// Kind of a body: its freedoms.
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
    /// A general body: as many freedoms as its form has.
    #[cfg_attr(feature = "serde", serde(skip))]
    General(GeneralKind),
}

/// Calls a function of the file of the body's kind.
macro_rules! of_kind {
    ($kind:expr, $verb:ident ( $($arg:expr),* )) => {
        match $kind {
            BodyKind::Particle => particle::spatial::$verb($($arg),*),
            BodyKind::PlanarParticle => particle::planar::$verb($($arg),*),
            BodyKind::Planar => planar::$verb($($arg),*),
            BodyKind::Rigid => rigid::$verb($($arg),*),
            // General bodies are handled in `general/`, which has the body's form.
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

    /// True if the body has an orientation, so that frames can be attached to it.
    pub const fn has_orientation(self) -> bool {
        match self {
            BodyKind::General(kind) => kind.turns,
            other => matches!(other, BodyKind::Planar | BodyKind::Rigid),
        }
    }

    /// Whether it is a general body, whose freedoms its form defines.
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
            Some(form) => general::initial(body, form, q, v),
            None => of_kind!(self, initial(body, q, v)),
        }
    }
    #[inline]
    pub(crate) fn motion(self, q: &[f64], v: &[f64]) -> Motion {
        of_kind!(self, motion(q, v))
    }
    /// Motions of many bodies of this kind that are stored in sequence.
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
    /// Linear and angular velocity of a point at the end of `arm` for generalised velocities `v`.
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
    /// Chart rate dexp⁻¹ without truncation, for displacements of a radian and more (up to a full
    /// turn).
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

/// Description of a body: its kind, mass properties and starting state.
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
    /// Kind: its freedoms.
    pub kind: BodyKind,
    /// Mass, centre of mass and inertia, in the body frame.
    pub mass: MassProperties,
    /// World position of the body frame's origin at the start \[m\].
    pub pos: Vec3,
    /// Orientation of the body frame at the start.
    pub rot: Quat,
    /// Velocity of the centre of mass at the start, world axes \[m/s\].
    pub vel: Vec3,
    /// Angular velocity at the start, world axes \[rad/s\].
    pub omega: Vec3,
    /// Shapes for drawings and contacts. They do not change the inertia, which is in `mass`.
    pub shapes: Vec<PlacedShape>,
    /// Accept an inertia that no physical body has (its principal moments violate the triangle
    /// rule).
    pub allow_unphysical_inertia: bool,
    /// How the points of a general body follow from its coordinates; `None` for all others.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub form: Option<GeneralForm>,
    /// Coordinates at the start that the pose does not determine: the angle of a shaft, scales, u
    /// of q(u). Empty for the rest values of the kind.
    pub start: Vec<f64>,
    /// Rates of `start`. Empty for rest, or as given by `omega`.
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

    /// A body by q(u): poses of its pieces as functions of its coordinates. Its frame stays at
    /// `pos` and `rot`, unless it floats.
    pub fn parametric(rule: impl Parametric + 'static) -> Self {
        let form = GeneralForm::new(general::AutoDiffForm::new(rule));
        let mass = form.0.pieces().iter().map(Piece::mass).sum();
        let mass = MassProperties::of_point(mass);
        Body { form: Some(form.clone()), ..Body::of(BodyKind::General(form.kind()), mass, Vec::new()) }
    }
    /// Returns the body with its own coordinates and their rates at the start.
    pub fn starting(mut self, u: &[f64], rate: &[f64]) -> Self {
        (self.start, self.start_rate) = (u.to_vec(), rate.to_vec());
        self
    }

    /// A rigid body in space with the given mass properties.
    pub fn rigid(mass: MassProperties) -> Self {
        Body::of(BodyKind::Rigid, mass, Vec::new())
    }
    /// A rigid body in space of one homogeneous shape; mass \[kg\].
    pub fn solid(shape: SolidShape, mass: f64) -> Self {
        Body::of(BodyKind::Rigid, MassProperties::of_shape(&shape, mass), vec![PlacedShape::at_origin(shape)])
    }
    /// A slender cylinder along the body's x axis: mass \[kg\], length \[m\], radius \[m\].
    pub fn rod(mass: f64, length: f64, radius: f64) -> Self {
        Body::solid(SolidShape::Rod { length, radius }, mass)
    }
    /// A rigid body in the x–y plane: mass \[kg\], `inertia` about the centre of mass \[kg·m²\].
    pub fn planar(mass: f64, inertia: f64) -> Self {
        let props = MassProperties {
            mass,
            center: Vec3::ZERO,
            inertia: crate::math::Sym3::diagonal(0.0, 0.0, inertia),
        };
        Body::of(BodyKind::Planar, props, Vec::new())
    }
    /// A point mass in space \[kg\].
    pub fn particle(mass: f64) -> Self {
        Body::of(BodyKind::Particle, MassProperties::of_point(mass), Vec::new())
    }
    /// A point mass in the x–y plane \[kg\].
    pub fn planar_particle(mass: f64) -> Self {
        Body::of(BodyKind::PlanarParticle, MassProperties::of_point(mass), Vec::new())
    }

    /// Pose of a piece of the body at the start: its origin \[m\], the orientation of its axes, and
    /// their lengths. `None` if there is no such piece, or the pose cannot be computed.
    pub fn piece_at_start(&self, piece: usize) -> Option<(Vec3, Quat, Vec3)> {
        let Some(form) = &self.form else {
            return (piece == 0).then_some((self.pos, self.rot, Vec3::new(1.0, 1.0, 1.0)));
        };
        let known = piece < form.0.pieces().len() && general::check(self, form).is_ok();
        known.then(|| {
            let (pos, shape, rot) = general::posed(self, form).frame_of_piece(piece);
            (pos, rot, Vec3::new(shape.x.norm(), shape.y.norm(), shape.z.norm()))
        })
    }

    /// Returns the body with a name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// World position of the centre of mass at the start \[m\].
    pub fn center_of_mass(&self) -> Vec3 {
        self.pos + self.rot * self.mass.center
    }
}

/// A frame fixed in a body (or in the ground): origin and axes, seen from the body frame.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frame {
    /// Origin, from the body frame's origin \[m\].
    pub pos: Vec3,
    /// Orientation of the axes.
    pub rot: Quat,
}

impl Frame {
    /// A frame at a point \[m\]; the axes are the body's.
    pub fn at(pos: impl Into<Vec3>) -> Self {
        Frame { pos: pos.into(), rot: Quat::IDENTITY }
    }
    /// A frame whose z axis is `axis`; `None` if the axis has no direction.
    pub fn with_axis(pos: impl Into<Vec3>, axis: impl Into<Vec3>) -> Option<Self> {
        Some(Frame { pos: pos.into(), rot: Quat::with_z_along(axis.into(), None)? })
    }
}

/// A force and a torque that act at one point, world axes; also the gradient of a constraint row,
/// whose Jᵀλ is such a wrench.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wrench {
    /// Force \[N\].
    pub force: Vec3,
    /// Torque about the point \[N·m\].
    pub torque: Vec3,
}

impl Wrench {
    /// The zero wrench.
    pub const ZERO: Self = Wrench { force: Vec3::new(0.0, 0.0, 0.0), torque: Vec3::new(0.0, 0.0, 0.0) };

    /// The wrench times a factor.
    pub fn scaled(self, s: f64) -> Self {
        Wrench { force: self.force * s, torque: self.torque * s }
    }
    /// The equivalent wrench at a point that lies `offset` from the point where this one acts.
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

/// Pose and velocity of a body, world axes: centre of mass, orientation, velocity, angular
/// velocity.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Motion<T: Lane = f64> {
    /// Centre of mass \[m\].
    pub pos: Vec3<T>,
    /// Orientation of the body frame.
    pub rot: Quat<T>,
    /// Orientation as a matrix; its columns are the body's axes.
    pub axes: Mat3<T>,
    /// Velocity of the centre of mass \[m/s\].
    pub vel: Vec3<T>,
    /// Angular velocity \[rad/s\].
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
    /// Kinematics of a frame fixed in the body. Here `local.pos` is from the centre of mass.
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

/// Kinematics of an attached frame, world axes: all that joints and forces use of a body.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct FrameMotion {
    /// Position of its origin \[m\].
    pub pos: Vec3,
    /// Orientation.
    pub rot: Quat,
    /// From the centre of mass to the origin \[m\]; on a general body from its carrier.
    pub arm: Vec3,
    /// Velocity of its origin \[m/s\].
    pub vel: Vec3,
    /// Angular velocity \[rad/s\].
    pub omega: Vec3,
    /// Acceleration of its origin at zero generalised acceleration \[m/s²\].
    pub bias: Vec3,
    /// Angular acceleration at zero generalised acceleration \[rad/s²\].
    pub bias_omega: Vec3,
    /// Size of the numbers that formed `pos` \[m\]: its rounding is proportional to this.
    pub reach: f64,
    /// Size of the terms of `vel` besides ω × arm \[m/s\]: deformation rates of a general body,
    /// zero for all others.
    pub flow: f64,
}

impl BodyKind {
    /// A generalised force as a force and torque at the centre of mass.
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
