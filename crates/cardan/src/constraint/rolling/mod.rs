//! Rolling without slipping: at the contact the material points of both bodies have equal
//! velocities.
//!
//!   u = ṗ_b − ω_b × w − ṗ_a − ω_a × e = 0        d = p_b − p_a        e = d − w
//!
//! a's frame carries the surface, b's frame the wheel. n: normal of the surface; w: arm from the
//! contact to b's origin; e: arm from a's origin to the contact.
//!
//! | surface | n | | wheel | w |
//! |---|---|---|---|---|
//! | plane z = 0 of a | R_a e_z | | ball, radius r | r n |
//! | sphere about a's origin, radius R | ± d/\|d\|, minus inside | | disc about k = R_b e_z | (r − ρ) m/\|m\| + ρ n, m = n − (n·k) k, ρ the tyre's radius |
//! | any surface of a, also a terrain | normal at the contact (`surface.rs`) | | either | from the lowest point of the wheel (`surface.rs`) |
//!
//! Rows, with t along n and two tangents of the surface (a's x and y on a plane; on a sphere a pair
//! that turns with n):
//!
//!   t·u = 0        g_b = t        h_b = −w × t        g_a = −t        h_a = −e × t
//!   rest = ṫ·u − t·(ω_b × ẇ + ω_a × ė)
//!
//! Row 0 is the rate of the gap, C = n·(d − w) on a plane, ±(|d| − R) − r on a sphere and the least
//! distance on a surface, in every pose, closed or not; it is a constraint on poses. The other two
//! are constraints on velocities only. λ is the contact force on b: the normal force, and the
//! friction that rolling needs.
//!
//! A wheel with lateral slip slides freely along its axle, as one with rollers on its rim does: of the two
//! tangential rows only that along k × n is left. Without twist one more row locks the spin about
//! the normal: n·(ω_b − ω_a) = 0, as a soft tyre does. In the plane there are two rows, gap and
//! slip; n is z of a's frame and lies in the plane.
//!
//! A disc that lies flat has no unique contact: m = 0, the rows are not finite, and the step is an
//! error.

mod surface;

use super::frame_pair::FramePair;
use super::{Constraint, ConstraintRows, outline, tangent};
use crate::body::{FrameMotion, Wrench};
use crate::geometry::{GeometryError, Surface};
use crate::math::Vec3;
use surface::RollingSurface;

/// Sine of the angle between a disc and its plane up to which it counts as flat: below it the
/// direction of the lowest point is rounding.
const FLAT: f64 = 1e-10;

/// The body that rolls.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Wheel {
    /// A ball about the origin of b's frame.
    Ball {
        /// Its radius \[m\].
        radius: f64,
    },
    /// A disc or wheel about z of b's frame.
    Disc {
        /// Its largest radius \[m\].
        radius: f64,
        /// Radius of its round rim, at most `radius` \[m\]; 0 for a sharp rim.
        tyre: f64,
    },
}

/// The surface that it rolls on; for other surfaces see [`Rolling::on`].
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Track {
    /// The plane z = 0 of a's frame; the wheel is above.
    Plane,
    /// A sphere of this radius about the origin of a's frame, from outside.
    Sphere(f64),
    /// A sphere of this radius about the origin of a's frame, from inside.
    Shell(f64),
}

/// Why a rolling constraint is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RollingError {
    /// A radius that is not a positive number.
    #[error("a radius must be a positive number")]
    Radius,
    /// A tyre that is thicker than its wheel.
    #[error("a tyre must have a radius from zero to that of the wheel")]
    Tyre,
    /// A shell that is not larger than the wheel in it.
    #[error("a shell must be larger than what rolls inside")]
    Shell,
    /// Between planar bodies there is no disc with an axis, and no twist.
    #[error("in the plane a wheel turns about the normal: it is a ball, with its twist left alone")]
    InPlane,
    /// A ball has no axle to slip along.
    #[error("a ball has no axle to slide along")]
    NoAxle,
    /// Between planar bodies the surface must be a line, a circle or a profile.
    #[error("in the plane nothing rolls on a {0}: it is no curve")]
    NoCurve(&'static str),
    /// The surface is refused.
    #[error("{0}")]
    Surface(#[from] GeometryError),
}

/// One body rolls on another, or on the ground, without slipping.
#[derive(Clone, Debug, PartialEq)]
pub struct Rolling {
    wheel: Wheel,
    track: RollingPath,
    twists: bool,
    lateral_slip: bool,
    in_plane: bool,
}

/// The surface that the wheel rolls on.
#[derive(Clone, Debug, PartialEq)]
enum RollingPath {
    /// Surfaces with a closed form: for balls, and for discs on planes.
    Simple(Track),
    Surface(Box<RollingSurface>),
}

/// Directions of the rows, arm of the contact, and their rates.
struct RollingRows {
    gap: f64,
    /// Normal, then two tangents.
    along: [Vec3; 3],
    turning: [Vec3; 3],
    /// w and ẇ.
    arm: Vec3,
    arm_rate: Vec3,
}

impl Rolling {
    /// A wheel on a track.
    ///
    /// # Errors
    /// If a radius is not positive, the tyre too thick, or the shell too small.
    pub fn new(wheel: Wheel, track: Track) -> Result<Self, RollingError> {
        wheel.check()?;
        let (size, inside) = match track {
            Track::Plane => return Ok(Self::along(wheel, RollingPath::Simple(track))),
            Track::Sphere(size) => (size, false),
            Track::Shell(size) => (size, true),
        };
        if !is_length(size) {
            return Err(RollingError::Radius);
        }
        if inside && size <= wheel.radius() {
            return Err(RollingError::Shell);
        }
        if let Wheel::Disc { .. } = wheel {
            return Self::on(wheel, Surface::Sphere { radius: size }, inside);
        }
        Ok(Self::along(wheel, RollingPath::Simple(track)))
    }

    /// A wheel on a surface of a's frame, from outside or from inside.
    ///
    /// # Errors
    /// If a radius is not positive, the tyre too thick, the surface refused, or too small for a
    /// wheel inside.
    pub fn on(wheel: Wheel, surface: Surface, inside: bool) -> Result<Self, RollingError> {
        wheel.check()?;
        surface.check()?;
        // A wheel that is too large for the surface in any orientation is refused.
        let room = match &surface {
            Surface::Sphere { radius } | Surface::Cylinder { radius } => *radius,
            Surface::Torus { tube, .. } => *tube,
            Surface::Ellipsoid { radii } => radii.largest(),
            _ => f64::INFINITY,
        };
        let needs = if let Wheel::Disc { tyre, .. } = wheel { tyre } else { wheel.radius() };
        if inside && room <= needs {
            return Err(RollingError::Shell);
        }
        Ok(Self::along(wheel, RollingPath::Surface(Box::new(RollingSurface { surface, inside }))))
    }

    fn along(wheel: Wheel, track: RollingPath) -> Self {
        Rolling { wheel, track, twists: true, lateral_slip: false, in_plane: false }
    }

    /// Locks the spin about the normal, too.
    ///
    /// # Errors
    /// In the plane.
    pub fn without_twist(self) -> Result<Self, RollingError> {
        if self.in_plane { Err(RollingError::InPlane) } else { Ok(Rolling { twists: false, ..self }) }
    }

    /// Lets the wheel slide freely along its axle.
    ///
    /// # Errors
    /// For a ball, which has no axle.
    pub fn with_lateral_slip(self) -> Result<Self, RollingError> {
        match self.wheel {
            Wheel::Ball { .. } => Err(RollingError::NoAxle),
            Wheel::Disc { .. } => Ok(Rolling { lateral_slip: true, ..self }),
        }
    }

    /// The constraint between planar bodies: normals stay in the x–y plane.
    ///
    /// # Errors
    /// For a disc, without twist, and on surfaces that are not extruded curves.
    pub fn in_plane(self) -> Result<Self, RollingError> {
        if let RollingPath::Surface(over) = &self.track
            && !matches!(over.surface, Surface::Profile { .. })
        {
            return Err(RollingError::NoCurve(over.surface.name()));
        }
        if !self.twists || matches!(self.wheel, Wheel::Disc { .. }) {
            return Err(RollingError::InPlane);
        }
        Ok(Rolling { in_plane: true, ..self })
    }

    /// A length of the surface \[m\], for the rounding of C.
    fn size(&self) -> f64 {
        match &self.track {
            RollingPath::Simple(_) => 0.0,
            RollingPath::Surface(over) => over.surface.size(),
        }
    }

    fn contact(&self, a: &FrameMotion, b: &FrameMotion) -> RollingRows {
        let (offset, rate) = (b.pos - a.pos, b.vel - a.vel);
        let track = match &self.track {
            RollingPath::Simple(track) => *track,
            RollingPath::Surface(over) => return self.contact_over(over, a, b),
        };
        match track {
            Track::Plane => {
                let along = [a.rot * Vec3::Z, a.rot * Vec3::X, a.rot * Vec3::Y];
                let turning = along.map(|t| a.omega.cross(t));
                let (arm, arm_rate) = self.wheel.arm(along[0], turning[0], b);
                RollingRows { gap: along[0].dot(offset - arm), along, turning, arm, arm_rate }
            }
            Track::Sphere(size) | Track::Shell(size) => {
                let outward = if matches!(track, Track::Shell(_)) { -1.0 } else { 1.0 };
                let distance = offset.norm();
                let n = offset * (outward / distance);
                let turn = rate * (outward / distance);
                let turn = turn - n * n.dot(turn);
                let ([x, y], [turn_x, turn_y]) =
                    if self.in_plane { across_in_plane(n, turn) } else { across(n, turn, a) };
                let (arm, arm_rate) = self.wheel.arm(n, turn, b);
                let gap = outward * (distance - size) - n.dot(arm);
                RollingRows { gap, along: [n, x, y], turning: [turn, turn_x, turn_y], arm, arm_rate }
            }
        }
    }

    fn contact_over(&self, over: &RollingSurface, a: &FrameMotion, b: &FrameMotion) -> RollingRows {
        let contact = over.contact(&self.wheel, &FramePair::new(&[*a, *b], [0, 1]).at);
        let carried = |v: Vec3, rate: Vec3| {
            let v = a.rot * v;
            (v, a.rot * rate + a.omega.cross(v))
        };
        let (n, turn) = carried(contact.normal, contact.normal_rate);
        let (arm, arm_rate) = carried(contact.arm, contact.arm_rate);
        // Normals of surfaces along or about z may cross a's x–y plane, but are never along z.
        let about_z =
            matches!(over.surface, Surface::Cylinder { .. } | Surface::Cone { .. } | Surface::Profile { .. });
        let ([x, y], [turn_x, turn_y]) = match (self.in_plane, about_z) {
            (true, _) => across_in_plane(n, turn),
            (false, true) => beside(n, turn, a.rot * Vec3::Z, a.omega),
            (false, false) => across(n, turn, a),
        };
        RollingRows { gap: contact.gap, along: [n, x, y], turning: [turn, turn_x, turn_y], arm, arm_rate }
    }

    /// Contact with the tangents of the rows.
    fn aimed(&self, a: &FrameMotion, b: &FrameMotion) -> RollingRows {
        let mut contact = self.contact(a, b);
        if self.lateral_slip {
            let ([x, y], [turn_x, turn_y]) =
                beside(contact.along[0], contact.turning[0], b.rot * Vec3::Z, b.omega);
            (contact.along[1], contact.along[2]) = (x, y);
            (contact.turning[1], contact.turning[2]) = (turn_x, turn_y);
        }
        contact
    }

    /// Number of rows of the contact: gap and slips.
    fn contact_rows(&self) -> usize {
        if self.in_plane || self.lateral_slip { 2 } else { 3 }
    }
}

fn is_length(x: f64) -> bool {
    x.is_finite() && x > 0.0
}

impl Wheel {
    /// w, from the contact to the centre, and its rate.
    fn arm(&self, n: Vec3, turn: Vec3, b: &FrameMotion) -> (Vec3, Vec3) {
        match *self {
            Wheel::Ball { radius } => (n * radius, turn * radius),
            Wheel::Disc { radius, tyre } => {
                let axis = b.rot * Vec3::Z;
                let axis_rate = b.omega.cross(axis);
                let lean = n.dot(axis);
                let lean_rate = turn.dot(axis) + n.dot(axis_rate);
                let up = n - axis * lean;
                let up_rate = turn - axis * lean_rate - axis_rate * lean;
                // A flat disc: the direction of the lowest point is rounding.
                let size = if up.norm() > FLAT { up.norm() } else { f64::NAN };
                let (up, up_rate) = (up * (1.0 / size), up_rate * (1.0 / size));
                let up_rate = up_rate - up * up.dot(up_rate);
                (up * (radius - tyre) + n * tyre, up_rate * (radius - tyre) + turn * tyre)
            }
        }
    }

    fn check(&self) -> Result<(), RollingError> {
        if !is_length(self.radius()) {
            return Err(RollingError::Radius);
        }
        match *self {
            Wheel::Disc { radius, tyre } if !(0.0..=radius).contains(&tyre) => Err(RollingError::Tyre),
            _ => Ok(()),
        }
    }

    /// Radius of the wheel's spine circle, and the radius of the tube about it.
    fn spine(&self) -> (f64, f64) {
        match *self {
            Wheel::Ball { radius } => (0.0, radius),
            Wheel::Disc { radius, tyre } => (radius - tyre, tyre),
        }
    }

    fn radius(&self) -> f64 {
        let (Wheel::Ball { radius } | Wheel::Disc { radius, .. }) = *self;
        radius
    }
}

/// Two tangents perpendicular to n, and their rates: the basis of Duff et al. (2017) in a's axes,
/// smooth except where n crosses a's x–y plane.
fn across(n: Vec3, turn: Vec3, a: &FrameMotion) -> ([Vec3; 2], [Vec3; 2]) {
    let back = a.rot.inverse();
    let (n, turn) = (back * n, back * (turn - a.omega.cross(n)));
    let sign = if n.z < 0.0 { -1.0 } else { 1.0 };
    let f = -1.0 / (sign + n.z);
    let f_rate = f * f * turn.z;
    let (g, g_rate) = (n.x * n.y * f, (turn.x * n.y + n.x * turn.y) * f + n.x * n.y * f_rate);
    let x = Vec3::new(1.0 + sign * n.x * n.x * f, sign * g, -sign * n.x);
    let y = Vec3::new(g, sign + n.y * n.y * f, -n.y);
    let x_rate =
        Vec3::new(sign * (2.0 * n.x * turn.x * f + n.x * n.x * f_rate), sign * g_rate, -sign * turn.x);
    let y_rate = Vec3::new(g_rate, 2.0 * n.y * turn.y * f + n.y * n.y * f_rate, -turn.y);
    let (x, y) = (a.rot * x, a.rot * y);
    ([x, y], [a.rot * x_rate + a.omega.cross(x), a.rot * y_rate + a.omega.cross(y)])
}

/// Tangents from an axis that turns at `omega`: x perpendicular to n and the axis, y completing the
/// basis; and their rates.
fn beside(n: Vec3, turn: Vec3, axis: Vec3, omega: Vec3) -> ([Vec3; 2], [Vec3; 2]) {
    let (way, way_rate) = (axis.cross(n), omega.cross(axis).cross(n) + axis.cross(turn));
    let size = way.norm();
    let (way, way_rate) = (way / size, way_rate / size);
    let way_rate = way_rate - way * way.dot(way_rate);
    ([way, n.cross(way)], [way_rate, turn.cross(way) + n.cross(way_rate)])
}

/// Between planar bodies: x perpendicular to n in the plane, y normal to the plane.
fn across_in_plane(n: Vec3, turn: Vec3) -> ([Vec3; 2], [Vec3; 2]) {
    ([n.cross(Vec3::Z), Vec3::Z], [turn.cross(Vec3::Z), Vec3::ZERO])
}

impl Constraint for Rolling {
    fn kind(&self) -> &'static str {
        "rolling"
    }

    fn rows(&self) -> usize {
        self.contact_rows() + usize::from(!self.twists)
    }

    fn has_position(&self, row: usize) -> bool {
        row == 0
    }

    fn needs_orientation(&self, end: usize) -> bool {
        end == 1
            || !self.in_plane
            || !matches!(self.track, RollingPath::Simple(Track::Sphere(_) | Track::Shell(_)))
    }

    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (a, b) = (&frames[0], &frames[1]);
        let RollingRows { gap, along, turning, arm, arm_rate } = self.aimed(a, b);
        let (offset, rate) = (b.pos - a.pos, b.vel - a.vel);
        let (reach, reach_rate) = (offset - arm, rate - arm_rate);
        let slip = rate - b.omega.cross(arm) - a.omega.cross(reach);
        let carried = b.omega.cross(arm_rate) + a.omega.cross(reach_rate);
        out.err[0] = gap;
        out.scale[0] =
            offset.largest() + a.pos.largest() + b.pos.largest() + self.wheel.radius() + self.size();
        let twist = self.contact_rows();
        for (r, (t, turn)) in along.into_iter().zip(turning).take(twist).enumerate() {
            *out.gradient(r, 0) = Wrench { force: -t, torque: -reach.cross(t) };
            *out.gradient(r, 1) = Wrench { force: t, torque: -arm.cross(t) };
            out.jac_dot_v[r] = turn.dot(slip) - t.dot(carried);
        }
        if !self.twists {
            out.gradient(twist, 0).torque = -along[0];
            out.gradient(twist, 1).torque = along[0];
            out.jac_dot_v[twist] = turning[0].dot(b.omega - a.omega);
        }
    }

    fn lost(&self, frames: &[FrameMotion]) -> Option<String> {
        let RollingPath::Surface(over) = &self.track else { return None };
        over.fault(&self.wheel, &FramePair::new(frames, [0, 1]).at)
    }

    /// The wheel and the contact point.
    fn marks(&self) -> usize {
        3
    }

    fn outline(&self, frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        let (a, b) = (&frames[0], &frames[1]);
        let contact = self.contact(a, b);
        let contact_point = b.pos - contact.arm;
        let mut all = match &self.track {
            RollingPath::Surface(over) => tangent::surface_outline(&over.surface, a, b, self.wheel.radius()),
            // The ground near the contact.
            RollingPath::Simple(Track::Plane) => {
                let reach = 1.5 * self.wheel.radius();
                let line = |t: Vec3| vec![contact_point - t * reach, contact_point + t * reach];
                let count = if self.in_plane { 1 } else { 2 };
                contact.along[1..=count].iter().map(|t| line(*t)).collect()
            }
            RollingPath::Simple(Track::Sphere(size) | Track::Shell(size)) => {
                let circle = |axis: Vec3| outline::ring(a.pos, a.rot * axis, *size);
                let all = [circle(Vec3::Z), circle(Vec3::X), circle(Vec3::Y)];
                if self.in_plane { vec![circle(Vec3::Z)] } else { all.to_vec() }
            }
        };
        // The wheel and the contact point.
        let axle = match self.wheel {
            Wheel::Ball { .. } if self.in_plane => Some(Vec3::Z),
            Wheel::Ball { .. } => None,
            Wheel::Disc { .. } => Some(b.rot * Vec3::Z),
        };
        all.extend(axle.map(|axle| outline::ring(b.pos, axle, self.wheel.radius())));
        all.extend(outline::mark(contact_point, 0.08 * self.wheel.radius()));
        all
    }
}
