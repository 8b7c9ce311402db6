//! Linkages of rods, by the points of their pins.

use cardan::End::Ground;
use cardan::math::{Quat, Vec3, vec3};
use cardan::{Body, BodyId, End, Gravity, Joint, JointKind, Model, ModelBuilder};

/// An upright plane with no axis of the world in it.
pub(crate) fn heading() -> Quat {
    Quat::exp(vec3(0.0, 0.0, 0.61)) * Quat::exp(vec3(core::f64::consts::FRAC_PI_2, 0.0, 0.0))
}

/// The rotation that takes x to a direction.
fn along(way: Vec3) -> Quat {
    let way = way / way.norm();
    let axis = Vec3::X.cross(way);
    let sine = axis.norm();
    if sine < 1e-12 {
        return if way.x > 0.0 { Quat::IDENTITY } else { Quat::exp(vec3(0.0, 0.0, core::f64::consts::PI)) };
    }
    Quat::exp(axis / sine * sine.atan2(way.x))
}

/// A builder for linkages: points are given in a frame of their own and turned into the world.
pub(crate) struct Drawing {
    pub(crate) parts: ModelBuilder,
    turn: Quat,
}

impl Drawing {
    /// Gravity in the world, and the orientation of the drawing.
    pub(crate) fn new(gravity: Vec3, turn: Quat) -> Self {
        Drawing { parts: ModelBuilder::new(Gravity(gravity)), turn }
    }

    /// A rod from p to q that turns about p. The other bars need no speed: assembly finds the
    /// consistent one.
    pub(crate) fn rod(&mut self, mass: f64, p: Vec3, q: Vec3, omega: Vec3) -> BodyId {
        let (p, q, omega) = (self.turn * p, self.turn * q, self.turn * omega);
        let middle = (p + q) * 0.5;
        self.parts.add_body(Body {
            pos: middle,
            rot: along(q - p),
            omega,
            vel: omega.cross(middle - p),
            ..Body::rod(mass, (q - p).norm(), 0.02)
        })
    }

    /// A rod from p to q of a mechanism that turns about the origin as a whole.
    pub(crate) fn rod_of(&mut self, mass: f64, p: Vec3, q: Vec3, omega: Vec3) -> BodyId {
        let (p, q, omega) = (self.turn * p, self.turn * q, self.turn * omega);
        let middle = (p + q) * 0.5;
        let body = Body::rod(mass, (q - p).norm(), 0.02);
        self.parts.add_body(Body { pos: middle, rot: along(q - p), omega, vel: omega.cross(middle), ..body })
    }

    pub(crate) fn hinge(&mut self, a: impl Into<End>, b: impl Into<End>, at: Vec3, axis: Vec3) {
        self.parts.add_joint(Joint::revolute(a, b, self.turn * at, self.turn * axis));
    }

    pub(crate) fn joint(
        &mut self,
        kind: JointKind,
        a: impl Into<End>,
        b: impl Into<End>,
        at: Vec3,
        axis: Vec3,
    ) {
        self.parts.add_joint(Joint::at(kind, a, b, self.turn * at, self.turn * axis));
    }

    /// Rods from pin to pin, the first and the last on the ground; the first has an angular
    /// velocity.
    pub(crate) fn chain(&mut self, pins: &[Vec3], masses: &[f64], axis: Vec3, spin: f64) {
        let mut last = Ground;
        for (i, pair) in pins.windows(2).enumerate() {
            let omega = if i == 0 { axis * spin } else { Vec3::ZERO };
            let rod = self.rod(masses[i], pair[0], pair[1], omega);
            self.hinge(last, rod, pair[0], axis);
            last = End::Body(rod);
        }
        self.hinge(last, Ground, pins[pins.len() - 1], axis);
    }

    pub(crate) fn build(self) -> Model {
        self.parts.build().expect("the drawing is right")
    }
}

/// The intersection of circles about p and q, to the left of the line from p to q.
fn meet(p: Vec3, r: f64, q: Vec3, s: f64) -> Vec3 {
    let way = q - p;
    let d = way.norm();
    let (x, along) = ((d * d + r * r - s * s) / (2.0 * d), way / d);
    p + along * x + Vec3::Z.cross(along) * (r * r - x * x).sqrt()
}

fn at(angle: f64, r: f64) -> Vec3 {
    vec3(r * angle.cos(), r * angle.sin(), 0.0)
}

/// Gravity down along −y of a drawing turned by [`heading`].
pub(crate) fn down() -> Vec3 {
    vec3(0.0, 0.0, -9.81)
}

/// Crank 0.4, coupler 1.1, rocker 0.9, ground 1: the crank makes full turns.
pub(crate) fn four_bar(masses: [f64; 3], spin: f64) -> Model {
    let mut drawing = Drawing::new(down(), heading());
    let (a, b, d) = (Vec3::ZERO, at(1.047, 0.4), vec3(1.0, 0.0, 0.0));
    drawing.chain(&[a, b, meet(b, 1.1, d, 0.9), d], &masses, Vec3::Z, spin);
    drawing.build()
}

/// Cranks of 0.4 m on pins that are `ground` apart, coupler of that length; it passes its flat pose
/// twice a turn.
pub(crate) fn parallelogram(ground: f64, gravity: Vec3, turn: Quat, spin: f64) -> Model {
    parallelogram_from(1.0, ground, gravity, turn, spin)
}

/// The parallelogram with its cranks at an angle.
pub(crate) fn parallelogram_from(angle: f64, ground: f64, gravity: Vec3, turn: Quat, spin: f64) -> Model {
    let mut drawing = Drawing::new(gravity, turn);
    let (b, d) = (at(angle, 0.4), vec3(ground, 0.0, 0.0));
    drawing.chain(&[Vec3::ZERO, b, b + d, d], &[1.0, 1.5, 1.0], Vec3::Z, spin);
    drawing.build()
}

pub(crate) fn slider_crank(spin: f64) -> Model {
    let mut drawing = Drawing::new(down(), heading());
    let pin = at(0.8, 0.3);
    let piston_at = vec3(pin.x + (1.0f64 - pin.y * pin.y).sqrt(), 0.0, 0.0);
    let crank = drawing.rod(4.0, Vec3::ZERO, pin, Vec3::Z * spin);
    let rod = drawing.rod(0.5, pin, piston_at, Vec3::ZERO);
    let piston = drawing.rod(0.6, piston_at, piston_at + vec3(0.1, 0.0, 0.0), Vec3::ZERO);
    drawing.hinge(Ground, crank, Vec3::ZERO, Vec3::Z);
    drawing.hinge(crank, rod, pin, Vec3::Z);
    drawing.hinge(rod, piston, piston_at, Vec3::Z);
    drawing.joint(JointKind::Prismatic, Ground, piston, piston_at, Vec3::X);
    drawing.build()
}

/// Two freedoms; no signed sum of its lengths is zero, so it never lies flat.
pub(crate) fn five_bar(spin: f64) -> Model {
    let mut drawing = Drawing::new(down(), heading());
    let (b, d, e) = (at(1.2, 0.3), vec3(0.45, 0.25, 0.0), vec3(0.35, 0.0, 0.0));
    drawing.chain(&[Vec3::ZERO, b, meet(b, 0.7, d, 0.65), d, e], &[0.8, 0.7, 0.6, 0.5], Vec3::Z, spin);
    drawing.build()
}

pub(crate) fn double_pendulum(spin: f64) -> Model {
    let mut drawing = Drawing::new(down(), heading());
    let (p, q) = (vec3(0.0, -1.0, 0.0), vec3(0.0, -2.0, 0.0));
    let upper = drawing.rod(1.0, Vec3::ZERO, p, Vec3::Z * spin);
    let lower = drawing.rod(1.0, p, q, Vec3::Z * spin);
    drawing.hinge(Ground, upper, Vec3::ZERO, Vec3::Z);
    drawing.hinge(upper, lower, p, Vec3::Z);
    drawing.build()
}

/// A crank's pin in the slot of a yoke that slides.
pub(crate) fn scotch_yoke(spin: f64) -> Model {
    let mut drawing = Drawing::new(down(), heading());
    let pin = at(0.7, 0.3);
    let crank = drawing.rod(3.0, Vec3::ZERO, pin, Vec3::Z * spin);
    let yoke = drawing.rod(1.0, vec3(pin.x, 0.0, 0.0), vec3(pin.x + 0.5, 0.0, 0.0), Vec3::ZERO);
    drawing.hinge(Ground, crank, Vec3::ZERO, Vec3::Z);
    drawing.joint(JointKind::Prismatic, Ground, yoke, vec3(pin.x, 0.0, 0.0), Vec3::X);
    drawing.joint(JointKind::PointOnLine, yoke, crank, pin, Vec3::Y);
    drawing.build()
}

/// A four-bar in space: hinge, ball, ball, hinge, the hinges' axes skew. The rod between the balls
/// also spins about itself.
pub(crate) fn spatial_four_bar(spin: f64) -> Model {
    let mut drawing = Drawing::new(down(), heading());
    let (pin, rocker_at, tip) = (at(0.5, 0.25), vec3(0.9, 0.1, 0.2), vec3(0.9, 0.4, 0.9));
    let crank = drawing.rod(2.0, Vec3::ZERO, pin, Vec3::Z * spin);
    let rod = drawing.rod(0.5, pin, tip, (tip - pin) * 2.0);
    let rocker = drawing.rod(0.8, tip, rocker_at, Vec3::ZERO);
    drawing.hinge(Ground, crank, Vec3::ZERO, Vec3::Z);
    drawing.joint(JointKind::Spherical, crank, rod, pin, Vec3::Z);
    drawing.joint(JointKind::Spherical, rod, rocker, tip, Vec3::Z);
    drawing.hinge(rocker, Ground, rocker_at, vec3(0.2, 0.9, -0.3));
    drawing.build()
}
