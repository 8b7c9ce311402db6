//! Rolling without slipping: where two bodies touch, their material points have one velocity.
//!
//!   u = ṗ_b − ω_b × w − ṗ_a − ω_a × e = 0        d = p_b − p_a        e = d − w
//!
//! a's frame carries the surface, b's the wheel; n is the normal of the surface, w the arm from the contact up to b's origin, e that from a's
//! origin to the contact.
//!
//! | surface | n | | wheel | w |
//! |---|---|---|---|---|
//! | plane z = 0 of a | R_a e_z | | ball, radius r | r n |
//! | sphere about a's origin, radius R | ± d/\|d\|, minus inside | | disc about k = R_b e_z | (r − ρ) m/\|m\| + ρ n, m = n − (n·k) k, ρ the tyre's radius |
//!
//! Rows, with t along n and two directions in the surface (a's x and y on a plane; on a sphere a pair that turns with n):
//!
//!   t·u = 0        g_b = t        h_b = −w × t        g_a = −t        h_a = −e × t
//!   rest = ṫ·u − t·(ω_b × ẇ + ω_a × ė)
//!
//! Row 0 is the rate of the gap, C = n·(d − w) on a plane and ±(|d| − R) − r on a sphere, at every pose, closed or not; it is a condition on poses. The
//! other two are conditions on velocities only. λ is the force of the contact on b: how much it presses, and the friction that rolling needs.
//! Without twist a fourth row holds the spin about the normal: n·(ω_b − ω_a) = 0, as a soft tyre does.
//!
//! In the plane there are two rows, gap and slip; n is z of a's frame as ever, and lies in the plane.
//!
//! A disc that lies flat touches everywhere: m = 0, the rows are not finite, and the step is an error.

use super::{Constraint, ConstraintRows};
use crate::body::{FrameMotion, Wrench};
use crate::math::Vec3;
use core::f64::consts::TAU;

/// Sine of the angle between a disc and its plane up to which it lies flat.
const FLAT: f64 = 1e-10;

/// What rolls.
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
        /// The radius of its round rim, at most the same \[m\]; 0 is a sharp one.
        tyre: f64,
    },
}

/// What it rolls on.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Track {
    /// The plane z = 0 of a's frame; the wheel is above.
    Plane,
    /// A sphere of this radius about the origin of a's frame, from outside.
    Sphere(f64),
    /// The same from inside.
    Shell(f64),
}

/// What cannot roll.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RollingError {
    /// A radius that is not a positive number.
    #[error("a radius must be a positive number")]
    Radius,
    /// A tyre that is thicker than its wheel.
    #[error("a tyre must have a radius from zero to that of the wheel")]
    Tyre,
    /// A shell that is not larger than what rolls in it.
    #[error("a shell must be larger than what rolls inside")]
    Shell,
    /// Only balls roll on spheres.
    #[error("a disc rolls on planes only")]
    DiscOnSphere,
    /// In the plane there is no disc with an axis, and no twist.
    #[error("in the plane a wheel turns about the normal: it is a ball, with its twist left alone")]
    InPlane,
}

/// One body rolls on another, or on the ground.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rolling {
    wheel: Wheel,
    track: Track,
    twists: bool,
    in_plane: bool,
}

/// Directions of the rows, arms of the contact, and their rates.
struct Contact {
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
    /// If a radius is not positive, the tyre too thick, the shell too small, or the disc on a sphere.
    pub fn new(wheel: Wheel, track: Track) -> Result<Self, RollingError> {
        let is_length = |x: f64| x.is_finite() && x > 0.0;
        let (Wheel::Ball { radius } | Wheel::Disc { radius, .. }) = wheel;
        if !is_length(radius) {
            return Err(RollingError::Radius);
        }
        if let Wheel::Disc { tyre, .. } = wheel {
            if !(0.0..=radius).contains(&tyre) {
                return Err(RollingError::Tyre);
            }
            if track != Track::Plane {
                return Err(RollingError::DiscOnSphere);
            }
        }
        match track {
            Track::Sphere(size) | Track::Shell(size) if !is_length(size) => Err(RollingError::Radius),
            Track::Shell(size) if size <= radius => Err(RollingError::Shell),
            _ => Ok(Rolling { wheel, track, twists: true, in_plane: false }),
        }
    }

    /// The same without spinning about the normal.
    ///
    /// # Errors
    /// In the plane.
    pub fn without_twist(self) -> Result<Self, RollingError> {
        if self.in_plane { Err(RollingError::InPlane) } else { Ok(Rolling { twists: false, ..self }) }
    }

    /// The same between bodies in the x–y plane: normals stay in it.
    ///
    /// # Errors
    /// For a disc, and without twist.
    pub fn in_plane(self) -> Result<Self, RollingError> {
        if !self.twists || matches!(self.wheel, Wheel::Disc { .. }) {
            return Err(RollingError::InPlane);
        }
        Ok(Rolling { in_plane: true, ..self })
    }

    fn contact(&self, a: &FrameMotion, b: &FrameMotion) -> Contact {
        let (offset, rate) = (b.pos - a.pos, b.vel - a.vel);
        match self.track {
            Track::Plane => {
                let along = [a.rot * Vec3::Z, a.rot * Vec3::X, a.rot * Vec3::Y];
                let turning = along.map(|t| a.omega.cross(t));
                let (arm, arm_rate) = self.wheel.arm(along[0], turning[0], b);
                Contact { gap: along[0].dot(offset - arm), along, turning, arm, arm_rate }
            }
            Track::Sphere(size) | Track::Shell(size) => {
                let outward = if matches!(self.track, Track::Shell(_)) { -1.0 } else { 1.0 };
                let distance = offset.norm();
                let n = offset * (outward / distance);
                let turn = rate * (outward / distance);
                let turn = turn - n * n.dot(turn);
                let ([x, y], [turn_x, turn_y]) =
                    if self.in_plane { across_in_plane(n, turn) } else { across(n, turn, a) };
                let (arm, arm_rate) = self.wheel.arm(n, turn, b);
                let gap = outward * (distance - size) - n.dot(arm);
                Contact { gap, along: [n, x, y], turning: [turn, turn_x, turn_y], arm, arm_rate }
            }
        }
    }
}

impl Wheel {
    /// From the contact up to the centre, and how that changes.
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
                // Flat but for rounding: which point of the rim is lowest is noise.
                let size = if up.norm() > FLAT { up.norm() } else { f64::NAN };
                let (up, up_rate) = (up * (1.0 / size), up_rate * (1.0 / size));
                let up_rate = up_rate - up * up.dot(up_rate);
                (up * (radius - tyre) + n * tyre, up_rate * (radius - tyre) + turn * tyre)
            }
        }
    }

    fn radius(&self) -> f64 {
        let (Wheel::Ball { radius } | Wheel::Disc { radius, .. }) = *self;
        radius
    }
}

/// Two directions across n, and their rates: those of Duff and others (2017) in a's axes, smooth but where n crosses a's x–y plane.
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

/// In the plane: x across n, y out of it.
fn across_in_plane(n: Vec3, turn: Vec3) -> ([Vec3; 2], [Vec3; 2]) {
    ([n.cross(Vec3::Z), Vec3::Z], [turn.cross(Vec3::Z), Vec3::ZERO])
}

impl Constraint for Rolling {
    fn kind(&self) -> &'static str {
        "rolling"
    }

    fn rows(&self) -> usize {
        match (self.in_plane, self.twists) {
            (true, _) => 2,
            (false, true) => 3,
            (false, false) => 4,
        }
    }

    fn has_position(&self, row: usize) -> bool {
        row == 0
    }

    fn needs_orientation(&self, end: usize) -> bool {
        end == 1 || self.track == Track::Plane || !self.in_plane
    }

    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (a, b) = (&frames[0], &frames[1]);
        let Contact { gap, along, turning, arm, arm_rate } = self.contact(a, b);
        let (offset, rate) = (b.pos - a.pos, b.vel - a.vel);
        let (reach, reach_rate) = (offset - arm, rate - arm_rate);
        let slip = rate - b.omega.cross(arm) - a.omega.cross(reach);
        let carried = b.omega.cross(arm_rate) + a.omega.cross(reach_rate);
        out.err[0] = gap;
        out.scale[0] = offset.largest() + a.pos.largest() + b.pos.largest() + self.wheel.radius();
        let contact_rows = if self.in_plane { 2 } else { 3 };
        for (r, (t, turn)) in along.into_iter().zip(turning).take(contact_rows).enumerate() {
            *out.gradient(r, 0) = Wrench { force: -t, torque: -reach.cross(t) };
            *out.gradient(r, 1) = Wrench { force: t, torque: -arm.cross(t) };
            out.jac_dot_v[r] = turn.dot(slip) - t.dot(carried);
        }
        if !self.twists {
            out.gradient(3, 0).torque = -along[0];
            out.gradient(3, 1).torque = along[0];
            out.jac_dot_v[3] = turning[0].dot(b.omega - a.omega);
        }
    }

    fn outline(&self, frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        let (a, b) = (&frames[0], &frames[1]);
        match self.track {
            // The ground beside the contact.
            Track::Plane => {
                let contact = self.contact(a, b);
                let touch = b.pos - contact.arm;
                let reach = 1.5 * self.wheel.radius();
                let line = |t: Vec3| vec![touch - t * reach, touch + t * reach];
                let count = if self.in_plane { 1 } else { 2 };
                contact.along[1..=count].iter().map(|t| line(*t)).collect()
            }
            Track::Sphere(size) | Track::Shell(size) => {
                let circle = |x: Vec3, y: Vec3| {
                    let at = |i: u32| {
                        let (sin, cos) = libm::sincos(TAU * f64::from(i) / 48.0);
                        a.pos + a.rot * (x * cos + y * sin) * size
                    };
                    (0..=48).map(at).collect()
                };
                if self.in_plane {
                    return vec![circle(Vec3::X, Vec3::Y)];
                }
                vec![circle(Vec3::X, Vec3::Z), circle(Vec3::Y, Vec3::Z), circle(Vec3::X, Vec3::Y)]
            }
        }
    }
}
