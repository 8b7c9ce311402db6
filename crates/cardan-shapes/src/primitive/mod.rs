//! Smooth gap functions.
//!
//! Two shapes in contact meet with a point, a line, a circle or a plane each, so non-penetration is a list of
//! conditions g ≥ 0 on pairs of these, every one a smooth function of the two poses:
//!
//! ```text
//! point – plane     g = n·(x − p) − r
//! point – point     g = |x₂ − x₁| − r
//! point – line      g = |d − (d·u) u| − r,        d = x − p
//! line – line       g = ± n·(p₂ − p₁) − r,        n = u₁ × u₂ / |u₁ × u₂|
//! circle – plane    g = n·(c − p) − R √(1 − (n·k)²)
//! point – circle    g = √((ρ − R)² + h²) − r,     h = d·k,  ρ = |d − h k|,  d = x − c
//! line – circle     the shortest distance, by Newton's method
//! circle – circle   the shortest distance, by Newton's method
//! ```
//!
//! r: sum of both radii (a sphere is a point with a radius, the side of a cylinder a line with one). R:
//! radius of a circle; k: its axis; n: normal of a plane; u: direction of a line. Geometry is stored in the
//! frames of the two shapes, so that a gap can be evaluated at other poses, and over any [`Lane`]: with
//! [`Jet`] its rates follow too.

mod circle;
mod linear;

use crate::jet::Jet;
use crate::pose::{Pose, Twist};
use cardan_solve::Lane;
use cardan_solve::math::{Vec3, vec3};

/// A line with a radius: through a point, along a unit vector.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Line {
    /// A point on it \[m\].
    pub on: Vec3,
    /// Its unit direction.
    pub along: Vec3,
    /// Radius around it \[m\].
    pub radius: f64,
}

/// A point with a radius.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Point {
    /// Its position \[m\].
    pub at: Vec3,
    /// Radius around it \[m\].
    pub radius: f64,
}

/// A plane: through a point, with the outward unit normal of the solid.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Plane {
    /// A point on it \[m\].
    pub on: Vec3,
    /// Its unit normal.
    pub normal: Vec3,
}

/// A circle about an axis.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Circle {
    /// Its centre \[m\].
    pub center: Vec3,
    /// Unit vector normal to its plane.
    pub axis: Vec3,
    /// Its radius \[m\].
    pub radius: f64,
}

/// The two features of a gap. The first of each pair belongs to shape a, unless the primitive is flipped.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum PrimitivePair {
    /// A vertex or the centre of a sphere, and a face.
    PointPlane(Point, Plane),
    /// Two points.
    PointPoint(Point, Point),
    /// A point and an edge or an axis.
    PointLine(Point, Line),
    /// Two edges or axes; the number is +1 or −1 and says on which side of the first the second has to stay.
    LineLine(Line, Line, f64),
    /// The lowest point of a rim, and a face.
    CirclePlane(Circle, Plane),
    /// A point and a rim.
    PointCircle(Point, Circle),
    /// A line and a rim: the nearest point of the rim, as a direction from its centre, and the side (0:
    /// unsigned distance).
    LineCircle(Line, Circle, Vec3, f64),
    /// Two rims: nearest points as directions from their centres, and the side (0: unsigned distance).
    CircleCircle(Circle, Circle, [Vec3; 2], f64),
}

/// One smooth gap between two shapes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Primitive {
    /// The two features.
    pub pair: PrimitivePair,
    /// True if the first of the pair belongs to shape b.
    pub flipped: bool,
}

/// A gap at given poses: its size, direction and points.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Witness<T = f64> {
    /// The gap \[m\]; negative if the shapes overlap.
    pub gap: T,
    /// Unit vector from a to b, world axes: the gradient of the gap in the position of b.
    pub normal: Vec3<T>,
    /// The point of a's surface nearest to b, world \[m\].
    pub point_a: Vec3<T>,
    /// The point of b's surface nearest to a, world \[m\].
    pub point_b: Vec3<T>,
}

/// A gap with its rates.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct GapMotion {
    /// The gap \[m\].
    pub gap: f64,
    /// Unit vector from a to b, world axes.
    pub normal: Vec3,
    /// Nearest point of a, world \[m\].
    pub point_a: Vec3,
    /// Nearest point of b, world \[m\].
    pub point_b: Vec3,
    /// ġ = n·(velocity of b at `point_b` − velocity of a at `point_a`) \[m/s\].
    pub rate: f64,
    /// Velocity of `point_a` through space \[m/s\]; not that of the material point of a.
    pub velocity_a: Vec3,
    /// Velocity of `point_b` through space \[m/s\]; not that of the material point of b.
    pub velocity_b: Vec3,
    /// J̇ v: g̈ without linear and angular acceleration of either frame \[m/s²\].
    pub bias: f64,
}

impl Primitive {
    /// A gap with the first of the pair on a.
    pub const fn new(pair: PrimitivePair) -> Self {
        Primitive { pair, flipped: false }
    }

    /// A gap with the first of the pair on b.
    pub const fn flipped(pair: PrimitivePair) -> Self {
        Primitive { pair, flipped: true }
    }

    /// The gap with a and b exchanged.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Primitive { flipped: !self.flipped, ..self }
    }

    /// The gap at two poses, over any lane type.
    ///
    /// Everything is relative to a's origin, so that a common offset of both positions costs no digits.
    #[inline]
    pub fn at<T: Lane>(&self, a: &Pose<T>, b: &Pose<T>) -> Witness<T> {
        let origin = a.pos;
        let a = Pose { pos: Vec3::ZERO, rot: a.rot };
        let b = Pose { pos: b.pos - origin, rot: b.rot };
        let (one, two) = if self.flipped { (&b, &a) } else { (&a, &b) };
        let w = self.pair.measure(one, two);
        let (normal, point_a, point_b) =
            if self.flipped { (-w.normal, w.point_b, w.point_a) } else { (w.normal, w.point_a, w.point_b) };
        Witness { gap: w.gap, normal, point_a: point_a + origin, point_b: point_b + origin }
    }

    /// The gap, its rate and its bias, for two moving frames.
    pub fn motion(&self, a: &Pose, twist_a: &Twist, b: &Pose, twist_b: &Twist) -> GapMotion {
        let one = a.moving(twist_a, a.pos, twist_a.vel);
        let two = b.moving(twist_b, a.pos, twist_a.vel);
        let w = self.at(&one, &two);
        GapMotion {
            gap: w.gap.value,
            normal: values(w.normal),
            point_a: values(w.point_a) + a.pos,
            point_b: values(w.point_b) + a.pos,
            velocity_a: firsts(w.point_a) + twist_a.vel,
            velocity_b: firsts(w.point_b) + twist_a.vel,
            rate: w.gap.first,
            bias: w.gap.second,
        }
    }

    /// The gap with its geometry in other frames: `a` and `b` are the poses of the shapes in the frames of
    /// their bodies.
    #[must_use]
    pub fn rebased(self, a: &Pose, b: &Pose) -> Self {
        let (one, two) = if self.flipped { (b, a) } else { (a, b) };
        Primitive { pair: self.pair.carried(one, two), ..self }
    }
}

impl PrimitivePair {
    #[inline]
    fn measure<T: Lane>(&self, one: &Pose<T>, two: &Pose<T>) -> Witness<T> {
        match self {
            PrimitivePair::PointPlane(point, flat) => linear::point_plane(point, flat, one, two),
            PrimitivePair::PointPoint(a, b) => linear::point_point(a, b, one, two),
            PrimitivePair::PointLine(point, line) => linear::point_line(point, line, one, two),
            PrimitivePair::LineLine(a, b, side) => linear::line_line(a, b, *side, one, two),
            PrimitivePair::CirclePlane(circle, flat) => circle::circle_plane(circle, flat, one, two),
            PrimitivePair::PointCircle(point, circle) => circle::point_circle(point, circle, one, two),
            PrimitivePair::LineCircle(line, circle, near, side) => {
                circle::line_circle(line, circle, *near, *side, one, two)
            }
            PrimitivePair::CircleCircle(a, b, near, side) => {
                circle::circle_circle(a, b, near, *side, one, two)
            }
        }
    }

    fn carried(self, one: &Pose, two: &Pose) -> Self {
        let point = |f: &Pose, p: Point| Point { at: f.point(p.at), ..p };
        let line = |f: &Pose, l: Line| Line { on: f.point(l.on), along: f.rot * l.along, ..l };
        let flat = |f: &Pose, p: Plane| Plane { on: f.point(p.on), normal: f.rot * p.normal };
        let circle = |f: &Pose, c: Circle| Circle { center: f.point(c.center), axis: f.rot * c.axis, ..c };
        match self {
            PrimitivePair::PointPlane(p, f) => PrimitivePair::PointPlane(point(one, p), flat(two, f)),
            PrimitivePair::PointPoint(p, q) => PrimitivePair::PointPoint(point(one, p), point(two, q)),
            PrimitivePair::PointLine(p, l) => PrimitivePair::PointLine(point(one, p), line(two, l)),
            PrimitivePair::LineLine(l, m, side) => PrimitivePair::LineLine(line(one, l), line(two, m), side),
            PrimitivePair::CirclePlane(c, f) => PrimitivePair::CirclePlane(circle(one, c), flat(two, f)),
            PrimitivePair::PointCircle(p, c) => PrimitivePair::PointCircle(point(one, p), circle(two, c)),
            PrimitivePair::LineCircle(l, c, near, side) => {
                PrimitivePair::LineCircle(line(one, l), circle(two, c), two.rot * near, side)
            }
            PrimitivePair::CircleCircle(c, d, [p, q], side) => {
                PrimitivePair::CircleCircle(circle(one, c), circle(two, d), [one.rot * p, two.rot * q], side)
            }
        }
    }
}

fn values(v: Vec3<Jet>) -> Vec3 {
    vec3(v.x.value, v.y.value, v.z.value)
}

fn firsts(v: Vec3<Jet>) -> Vec3 {
    vec3(v.x.first, v.y.first, v.z.first)
}

/// A constant vector over any lane.
#[inline]
fn splat<T: Lane>(v: Vec3) -> Vec3<T> {
    vec3(T::splat(v.x), T::splat(v.y), T::splat(v.z))
}

#[inline]
fn place<T: Lane>(frame: &Pose<T>, x: Vec3) -> Vec3<T> {
    frame.point(splat(x))
}

#[inline]
fn turn<T: Lane>(frame: &Pose<T>, x: Vec3) -> Vec3<T> {
    frame.rot * splat(x)
}

/// Squared lengths below this count as zero: the direction would be lost to underflow.
const ZERO_SQUARE: f64 = 1e-280;

/// Length and direction of a vector; for a vector without a direction, a fallback and the length along it,
/// which is then smooth.
#[inline]
fn length<T: Lane>(d: Vec3<T>, fallback: Vec3<T>) -> (T, Vec3<T>) {
    let square = d.dot(d);
    if square.magnitude() > ZERO_SQUARE {
        let len = square.sqrt();
        (len, d / len)
    } else {
        (d.dot(fallback), fallback)
    }
}
