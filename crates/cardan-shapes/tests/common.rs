//! Random poses, and an oracle for distances that shares nothing with the crate: the GJK algorithm (Gilbert,
//! Johnson, Keerthi).

use cardan_shapes::{Contact, Mat3, Pose, Scratch, Shape, Vec3, collide, vec3};

/// A small generator (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
    pub(crate) fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.unit()
    }
    pub(crate) fn vector(&mut self, reach: f64) -> Vec3 {
        vec3(self.between(-reach, reach), self.between(-reach, reach), self.between(-reach, reach))
    }
    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v / v.norm();
            }
        }
    }
    pub(crate) fn rotation(&mut self) -> Mat3 {
        let angle = self.between(-3.0, 3.0);
        rotation(self.direction() * angle)
    }
    pub(crate) fn pose(&mut self, reach: f64) -> Pose {
        Pose { pos: self.vector(reach), rot: self.rotation() }
    }
}

/// exp(θ×), by a series of its half, squared: no sines.
pub(crate) fn rotation(theta: Vec3) -> Mat3 {
    let parts = 1 << 6;
    let small = theta / parts as f64;
    let (s2, s) = (small.dot(small), |v: Vec3| small.cross(v));
    let (a, b) = (
        1.0 - s2 / 6.0 * (1.0 - s2 / 20.0 * (1.0 - s2 / 42.0)),
        0.5 - s2 / 24.0 * (1.0 - s2 / 30.0 * (1.0 - s2 / 56.0)),
    );
    let column = |v: Vec3| v + s(v) * a + s(s(v)) * b;
    let mut m = Mat3 { x: column(Vec3::X), y: column(Vec3::Y), z: column(Vec3::Z) };
    for _ in 0..6 {
        m = m * m;
    }
    // Remove rounding.
    let x = m.x / m.x.norm();
    let y = m.y - x * x.dot(m.y);
    let y = y / y.norm();
    Mat3 { x, y, z: x.cross(y) }
}

pub(crate) fn contacts(a: &Shape, pa: &Pose, b: &Shape, pb: &Pose, margin: f64) -> Vec<Contact> {
    let mut out = Vec::new();
    collide(a, pa, b, pb, margin, &mut Scratch::default(), &mut out);
    out
}

pub(crate) fn least(contacts: &[Contact]) -> f64 {
    contacts.iter().map(|c| c.gap).fold(f64::INFINITY, |a, b| if b < a { b } else { a })
}

/// Vertices of a polyhedron, or of the core of a round shape; and the radius around.
pub(crate) fn corners(shape: &Shape) -> (Vec<Vec3>, f64) {
    match shape {
        Shape::Sphere { radius } => (vec![Vec3::ZERO], *radius),
        Shape::Capsule { radius, length } => {
            (vec![vec3(-0.5 * length, 0.0, 0.0), vec3(0.5 * length, 0.0, 0.0)], *radius)
        }
        Shape::Box { size: [x, y, z] } => {
            let mut all = Vec::new();
            for i in [-0.5, 0.5] {
                for j in [-0.5, 0.5] {
                    for k in [-0.5, 0.5] {
                        all.push(vec3(i * x, j * y, k * z));
                    }
                }
            }
            (all, 0.0)
        }
        Shape::Hull(hull) => (hull.vertices().to_vec(), 0.0),
        _ => (Vec::new(), 0.0),
    }
}

/// A support point of a shape along a direction, world, without its radius.
pub(crate) fn support(shape: &Shape, pose: &Pose, along: Vec3) -> Vec3 {
    let d = pose.rot.transpose_mul(along);
    if let Shape::Cylinder { radius, length } = shape {
        let across = (d.y * d.y + d.z * d.z).sqrt();
        let (y, z) =
            if across > 0.0 { (d.y / across * radius, d.z / across * radius) } else { (*radius, 0.0) };
        return pose.point(vec3(0.5 * length * d.x.signum(), y, z));
    }
    let mut best = (f64::NEG_INFINITY, Vec3::ZERO);
    for v in corners(shape).0 {
        if v.dot(d) > best.0 {
            best = (v.dot(d), v);
        }
    }
    pose.point(best.1)
}

/// The distance of two convex shapes; zero or less if the cores are in contact. Accurate to about 1e-12 for
/// polyhedra.
pub(crate) fn distance(a: &Shape, pa: &Pose, b: &Shape, pb: &Pose) -> f64 {
    let radii = corners(a).1 + corners(b).1;
    let mut simplex: Vec<Vec3> = vec![support(b, pb, Vec3::X) - support(a, pa, -Vec3::X)];
    let mut v = simplex[0];
    for _ in 0..2000 {
        let vv = v.dot(v);
        if vv < 1e-26 {
            return -radii;
        }
        let w = support(b, pb, -v) - support(a, pa, v);
        if vv - v.dot(w) <= 1e-15 * vv.sqrt() * (1.0 + vv.sqrt()) || simplex.contains(&w) {
            break;
        }
        simplex.push(w);
        let (next, kept) = nearest_of(&simplex);
        if next.dot(next) >= vv {
            break;
        }
        v = next;
        simplex = kept;
        if simplex.len() == 4 {
            return -radii;
        }
    }
    v.norm() - radii
}

/// The point of a simplex nearest to the origin, over all its faces, without case analysis.
fn nearest_of(simplex: &[Vec3]) -> (Vec3, Vec<Vec3>) {
    let mut best = (f64::INFINITY, Vec3::ZERO, Vec::new());
    for mask in 1_usize..1 << simplex.len() {
        let set: Vec<Vec3> = (0..simplex.len()).filter(|i| mask >> i & 1 == 1).map(|i| simplex[i]).collect();
        let Some(p) = foot_in(&set) else { continue };
        if p.dot(p) < best.0 * (1.0 - 1e-15) {
            best = (p.dot(p), p, set);
        }
    }
    (best.1, best.2)
}

/// The origin's foot on the affine hull of the points, if it is strictly inside.
fn foot_in(p: &[Vec3]) -> Option<Vec3> {
    match *p {
        [a] => Some(a),
        [a, b] => {
            let e = b - a;
            let t = -a.dot(e) / e.dot(e);
            (t > 0.0 && t < 1.0).then(|| a + e * t)
        }
        [a, b, c] => {
            let n = (b - a).cross(c - a);
            if n.dot(n) < 1e-30 {
                return None;
            }
            let foot = n * (n.dot(a) / n.dot(n));
            let side = |p: Vec3, q: Vec3| (q - p).cross(foot - p).dot(n);
            (side(a, b) > 0.0 && side(b, c) > 0.0 && side(c, a) > 0.0).then_some(foot)
        }
        [a, b, c, d] => {
            let same = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| {
                let n = (b - a).cross(c - a);
                n.dot(d - a) * n.dot(-a) > 0.0
            };
            (same(a, b, c, d) && same(b, c, d, a) && same(c, d, a, b) && same(d, a, b, c))
                .then_some(Vec3::ZERO)
        }
        _ => None,
    }
}
