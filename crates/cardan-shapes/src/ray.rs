//! Ray casts: where a half-line first enters a shape.

use crate::aabb::{Aabb, greater, lesser};
use crate::pose::Pose;
use crate::shape::{Hull, Shape, Surface};
use cardan_solve::math::{Vec3, vec3};

/// Intersection of a ray with a shape.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Hit {
    /// Position along the ray, in lengths of its direction.
    pub at: f64,
    /// The point, world \[m\].
    pub point: Vec3,
    /// Outward unit normal of the shape, world axes.
    pub normal: Vec3,
}

impl Shape {
    /// Where a ray from `origin` along `direction` (of any length) first enters the shape; `None` if it
    /// misses, or starts inside a solid.
    pub fn ray(&self, pose: &Pose, origin: Vec3, direction: Vec3) -> Option<Hit> {
        let (o, d) = (pose.point_inverse(origin), pose.rot.transpose_mul(direction));
        let (at, normal) = self.ray_in_frame(o, d)?;
        let hit = at >= 0.0 && at.is_finite();
        hit.then(|| Hit { at, point: origin + direction * at, normal: pose.rot * normal })
    }

    fn ray_in_frame(&self, o: Vec3, d: Vec3) -> Option<(f64, Vec3)> {
        match *self {
            Shape::Plane => (d.z < 0.0 && o.z >= 0.0).then(|| (-o.z / d.z, Vec3::Z)),
            Shape::Sphere { radius } => ball(o, d, radius),
            Shape::Capsule { radius, length } => {
                let half = 0.5 * length;
                let side = tube(o, d, radius).filter(|(t, _)| (o.x + d.x * t).abs() <= half);
                let tips = [-half, half].map(|x| {
                    let middle = vec3(x, 0.0, 0.0);
                    // Only the outer half of each sphere is surface.
                    ball(o - middle, d, radius).filter(|(_, n)| n.x * x >= 0.0)
                });
                if radius * radius >= square_to_axis(o, half) {
                    None
                } else {
                    first([side, tips[0], tips[1]])
                }
            }
            Shape::Cylinder { radius, length } => {
                let half = 0.5 * length;
                let side = tube(o, d, radius).filter(|(t, _)| (o.x + d.x * t).abs() <= half);
                let ends = [-1.0, 1.0].map(|s| {
                    let t = (s * half - o.x) / d.x;
                    let p = o + d * t;
                    (s * d.x < 0.0 && t >= 0.0 && p.y * p.y + p.z * p.z <= radius * radius)
                        .then_some((t, Vec3::X * s))
                });
                first([side, ends[0], ends[1]])
            }
            Shape::Box { size } => {
                let half = Vec3::from(size) * 0.5;
                let planes = (0..6).map(|f| {
                    let (k, sign) = (f / 2, if f % 2 == 0 { 1.0 } else { -1.0 });
                    let mut n = Vec3::ZERO;
                    n[k] = sign;
                    (n, half[k])
                });
                through(o, d, planes)
            }
            Shape::Hull(ref hull) => through(o, d, planes(hull)),
            Shape::Mesh(ref mesh) => {
                let mut best = None;
                let at = |best: &Option<(f64, Vec3)>| best.map_or(f64::INFINITY, |(t, _)| t);
                // The traversal and its callback share the nearest hit so far.
                let nearest = std::cell::Cell::new(f64::INFINITY);
                mesh.bvh().walk(|b| enters(b, o, d) <= nearest.get(), &mut |t| {
                    if let Some(hit) = triangle(&**mesh, t, o, d)
                        && hit.0 < at(&best)
                    {
                        best = Some(hit);
                        nearest.set(hit.0);
                    }
                });
                best
            }
            Shape::Terrain(ref terrain) => {
                // Along the ray above the terrain, in boxes of about a cell.
                let bounds = terrain.bounds();
                let start = enters(&bounds, o, d);
                let end = leaves(&bounds, o, d);
                if !start.is_finite() || !end.is_finite() || start > end {
                    return None;
                }
                let stretch = terrain.stretch(d);
                let mut t = start;
                loop {
                    let next = lesser(t + stretch, end);
                    let mut best: Option<(f64, Vec3)> = None;
                    let piece = Aabb::of([o + d * t, o + d * next]);
                    terrain.near(&piece.grown(1e-9 * (1.0 + piece.max.reach())), &mut |i| {
                        if let Some(hit) = triangle(&**terrain, i, o, d)
                            && best.is_none_or(|b| hit.0 < b.0)
                        {
                            best = Some(hit);
                        }
                    });
                    if best.is_some() {
                        return best;
                    }
                    if next >= end || next.is_nan() || next <= t {
                        return None;
                    }
                    t = next;
                }
            }
        }
    }
}

fn first(all: [Option<(f64, Vec3)>; 3]) -> Option<(f64, Vec3)> {
    all.into_iter().flatten().reduce(|a, b| if b.0 < a.0 { b } else { a })
}

/// Square of the distance from the segment between −half and half along x.
fn square_to_axis(o: Vec3, half: f64) -> f64 {
    let beyond = greater(o.x.abs() - half, 0.0);
    beyond * beyond + o.y * o.y + o.z * o.z
}

/// The nearer root of a t² + 2 b t + c = 0, if the start is outside (c > 0) and the ray approaches.
fn entry(a: f64, b: f64, c: f64) -> Option<f64> {
    let disc = b * b - a * c;
    (disc >= 0.0 && b < 0.0 && c >= 0.0 && a > 0.0).then(|| c / (disc.sqrt() - b))
}

fn ball(o: Vec3, d: Vec3, radius: f64) -> Option<(f64, Vec3)> {
    let t = entry(d.dot(d), o.dot(d), o.dot(o) - radius * radius)?;
    Some((t, (o + d * t).normalized()?))
}

/// The infinite cylinder about x.
fn tube(o: Vec3, d: Vec3, radius: f64) -> Option<(f64, Vec3)> {
    let (p, e) = (vec3(0.0, o.y, o.z), vec3(0.0, d.y, d.z));
    let t = entry(e.dot(e), p.dot(e), p.dot(p) - radius * radius)?;
    Some((t, (p + e * t).normalized()?))
}

/// Into the intersection of half-spaces n·x ≤ offset: after the last plane entered, before the first one
/// left.
fn through(o: Vec3, d: Vec3, planes: impl Iterator<Item = (Vec3, f64)>) -> Option<(f64, Vec3)> {
    let (mut enter, mut leave, mut normal) = (f64::NEG_INFINITY, f64::INFINITY, None);
    for (n, offset) in planes {
        let (rate, height) = (n.dot(d), n.dot(o) - offset);
        if rate < 0.0 {
            let t = -height / rate;
            if t > enter {
                enter = t;
                normal = Some(n);
            }
        } else if rate > 0.0 {
            leave = lesser(leave, -height / rate);
        } else if height > 0.0 {
            return None;
        }
    }
    if enter <= leave { normal.map(|n| (enter, n)) } else { None }
}

fn planes(hull: &Hull) -> impl Iterator<Item = (Vec3, f64)> + '_ {
    (0..hull.faces()).map(|f| {
        let (n, mut ring) = hull.face(f);
        (n, ring.next().map_or(f64::INFINITY, |p| n.dot(p)))
    })
}

/// Intersection with the front of a triangle.
fn triangle(surface: &dyn Surface, t: u32, o: Vec3, d: Vec3) -> Option<(f64, Vec3)> {
    let n = surface.normal(t);
    let [a, b, c] = surface.corners(t).map(|v| surface.vertex(v));
    let rate = n.dot(d);
    let at = n.dot(a - o) / rate;
    if rate.is_nan() || rate >= 0.0 || at.is_nan() || at < 0.0 {
        return None;
    }
    // By the volumes with the edges, which are the same for both triangles of an edge: no ray passes between
    // them.
    let side = |p: Vec3, q: Vec3| d.dot((q - o).cross(p - o));
    (side(a, b) >= 0.0 && side(b, c) >= 0.0 && side(c, a) >= 0.0).then_some((at, n))
}

/// Where a ray enters a box: zero if it starts inside, infinite if it misses.
fn enters(b: &Aabb, o: Vec3, d: Vec3) -> f64 {
    let (enter, leave) = span(b, o, d);
    if enter <= leave && leave >= 0.0 { greater(enter, 0.0) } else { f64::INFINITY }
}

fn leaves(b: &Aabb, o: Vec3, d: Vec3) -> f64 {
    span(b, o, d).1
}

fn span(b: &Aabb, o: Vec3, d: Vec3) -> (f64, f64) {
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for k in 0..3 {
        if d[k] == 0.0 {
            if o[k] < b.min[k] || o[k] > b.max[k] {
                return (f64::INFINITY, f64::NEG_INFINITY);
            }
        } else {
            let (s, t) = ((b.min[k] - o[k]) / d[k], (b.max[k] - o[k]) / d[k]);
            enter = greater(enter, lesser(s, t));
            leave = lesser(leave, greater(s, t));
        }
    }
    (enter, leave)
}
