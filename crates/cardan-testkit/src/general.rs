//! Random bodies of the general kinds, and pairs with them.

use crate::Rng;
use crate::trees::{random_body, random_joint_frame};
use cardan::body::{
    Elastic, FormulaPiece, Formulas, InternalMass, Number, Parametric, Piece, Pose, ScaleSpring,
};
use cardan::geometry::Curve;
use cardan::math::{Sym3, Vec3, vec3};
use cardan::{
    Body, BodyKind, BuildError, End, Frame, Gravity, Joint, JointKind, MassProperties, Model, ModelBuilder,
    Placement, SolidShape,
};

/// Names of general bodies; after a slash, another piece than the first.
pub const GENERAL: [&str; 11] = [
    "shaft",
    "scaled",
    "scaled3",
    "affine",
    "soft",
    "internal-mass",
    "internal-mass/1",
    "two-angles/1",
    "bead",
    "wire",
    "formula/1",
];

/// Whether the body of this name is a point, which has no frame.
pub fn is_point(name: &str) -> bool {
    matches!(name, "bead" | "wire" | "internal-mass/1")
}

/// A double pendulum in the x–y plane by its two angles from straight down; each rod turns about
/// its upper end.
#[derive(Debug)]
pub struct TwoAngles {
    /// Length of the first rod \[m\].
    pub length: f64,
    /// Mass properties of both rods, from their upper ends, along −y.
    pub rods: [MassProperties; 2],
}

impl Parametric for TwoAngles {
    fn coordinates(&self) -> usize {
        2
    }
    fn pieces(&self) -> Vec<Piece> {
        self.rods.iter().map(|rod| Piece::rigid(*rod)).collect()
    }
    fn place<N: Number>(&self, u: &[N], out: &mut [Pose<N>]) {
        let z = [0.0, 0.0, 1.0];
        out[0] = Pose::turned(z, u[0]);
        let knee = out[0].point([0.0, -self.length, 0.0].map(N::constant));
        out[1] = Pose::turned(z, u[1]).moved_to(knee);
    }
    fn name(&self) -> &'static str {
        "two-angles"
    }
}

/// A bead on a helix of varying pitch.
#[derive(Debug)]
struct Bead(f64);

impl Parametric for Bead {
    fn coordinates(&self) -> usize {
        1
    }
    fn pieces(&self) -> Vec<Piece> {
        vec![Piece::point(self.0)]
    }
    fn place<N: Number>(&self, u: &[N], out: &mut [Pose<N>]) {
        let (s, c) = u[0].sin_cos();
        out[0] = Pose::at([c, s, u[0] * u[0] * 0.3]);
    }
    fn name(&self) -> &'static str {
        "bead"
    }
}

fn properties(rng: &mut Rng) -> MassProperties {
    let mass = rng.range(0.2, 3.0);
    let (a, b) = (rng.range(0.05, 0.2), rng.range(0.05, 0.2));
    let moments = Sym3::diagonal(a, b, rng.range((a - b).abs() + 0.02, 0.9 * (a + b)));
    let inertia = moments.scaled(mass).rotated(&rng.rotation().matrix());
    MassProperties { mass, center: rng.vector(0.2), inertia }
}

/// A body by a name of [`GENERAL`] with random mass, pose and velocity, and its piece.
pub fn random_general(rng: &mut Rng, name: &str) -> (Body, u32) {
    let mass = properties(rng);
    let stretch = ScaleSpring { stiffness: rng.range(20.0, 60.0), damping: 0.0 };
    let elastic = Elastic { young: rng.range(200.0, 800.0), poisson: rng.range(0.0, 0.4), damping: 0.0 };
    let size = [rng.range(0.3, 0.8), rng.range(0.3, 0.8), rng.range(0.3, 0.8)];
    let (pos, rot, vel, omega) = (rng.vector(1.5), rng.rotation(), rng.vector(2.0), rng.vector(3.0));
    let free = |body: Body| Body { pos, rot, vel, omega, ..body };
    let mut near = |about: f64| about + rng.range(-0.3, 0.3);
    match name {
        "shaft" => {
            let axis = vec3(near(0.0), near(0.0), near(1.0));
            let body = Body { pos, rot, ..Body::shaft(mass, axis) };
            (body.starting(&[near(0.5)], &[near(2.0)]), 0)
        }
        "scaled" => (free(Body::scaled(mass, stretch)).starting(&[near(1.0)], &[near(0.0)]), 0),
        "scaled3" => {
            let scales = [near(1.0), near(1.0), near(1.0)];
            let rates = [near(0.0), near(0.5), near(-0.5)];
            (free(Body::scaled3(mass, stretch)).starting(&scales, &rates), 0)
        }
        "affine" | "soft" => {
            let body = if name == "affine" {
                Body::affine(SolidShape::Box { size }, mass.mass, elastic)
            } else {
                Body::soft_block(size, mass.mass, elastic)
            };
            let mut u: Vec<f64> = Vec::new();
            let axes = rot.matrix();
            [pos, axes.x, axes.y, axes.z].iter().for_each(|v| u.extend(v.to_array()));
            u.resize(if name == "affine" { 12 } else { 30 }, 0.0);
            u[3..].iter_mut().for_each(|x| *x += 0.3 * near(0.0));
            let rate: Vec<f64> = u.iter().map(|_| 2.0 * near(0.0)).collect();
            (free(body).starting(&u, &rate), 0)
        }
        "internal-mass" | "internal-mass/1" => {
            let inside = InternalMass {
                mass: 0.4 * mass.mass,
                origin: vec3(near(0.0), near(0.0), near(0.0)),
                axis: vec3(near(0.0), near(1.0), near(0.0)),
                stiffness: 30.0,
                damping: 0.0,
                rest: 0.1,
            };
            let body = free(Body::with_internal_mass(mass, inside));
            (body.starting(&[near(0.1)], &[near(0.5)]), u32::from(name.ends_with("/1")))
        }
        "two-angles/1" => {
            let body = Body { pos, rot, ..Body::parametric(TwoAngles { length: 0.7, rods: [mass; 2] }) };
            (body.starting(&[near(0.5), near(-0.3)], &[near(1.0), near(2.0)]), 1)
        }
        "wire" => {
            let places = ["cos(2*pi*t)", "sin(2*pi*t)", "0.3*sin(4*pi*t)"];
            let curve = Curve::formula(places, [0.0, 1.0], true).expect("a curve");
            let body = Body { pos, rot, ..Body::bead(mass.mass, curve) };
            (body.starting(&[near(0.4)], &[near(0.3)]), 0)
        }
        "formula/1" => {
            let names = ["s".to_string(), "phi".to_string()];
            let piece = |place: [&str; 3], turn: Option<(Vec3, String)>| FormulaPiece {
                mass,
                place: place.map(String::from),
                turn,
            };
            let turned = Some((vec3(0.2, 0.3, 1.0), "phi + 0.5*s".to_string()));
            let pieces =
                [piece(["s", "0.1*s^2", "0"], None), piece(["s + sin(phi)", "-cos(phi)", "0.2*s"], turned)];
            let rule = Formulas::new(&names, &pieces, Some("6*s^2 + cos(phi)")).expect("formulas");
            let body = Body { pos, rot, ..Body::formulas(rule) };
            (body.starting(&[near(0.1), near(0.4)], &[near(0.5), near(1.0)]), 1)
        }
        _ => {
            let body = Body { pos, rot, ..Body::parametric(Bead(mass.mass)) };
            (body.starting(&[near(0.7)], &[near(1.5)]), 0)
        }
    }
}

/// The other end of a joint.
fn other(rng: &mut Rng, parts: &mut ModelBuilder, kind: Option<BodyKind>) -> End {
    match kind {
        None => End::Ground,
        Some(kind) => End::Body(parts.add_body(random_body(rng, kind))),
    }
}

/// A general body and another (`None` is the ground) with a joint between them, far from closed, or
/// closed as far as poses allow (not velocities, and not rods and circles); the general one is `a`,
/// or `b`. `None` if the joint does not fit.
pub fn random_general_pair(
    rng: &mut Rng,
    joint: JointKind,
    (name, is_a): (&str, bool),
    partner: Option<BodyKind>,
    closed: bool,
) -> Option<Result<Model, BuildError>> {
    let turns = !is_point(name);
    let (need_a, need_b) = joint.needs_orientation();
    let other_turns = partner.is_none_or(BodyKind::has_orientation);
    let (a_turns, b_turns) = if is_a { (turns, other_turns) } else { (other_turns, turns) };
    if (need_a && !a_turns) || (need_b && !b_turns) {
        return None;
    }
    let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
    let (body, piece) = random_general(rng, name);
    let (near, tilt) = (body.pos + rng.vector(0.2), rng.rotation().matrix());
    let general = End::Piece(parts.add_body(body), piece);
    let partner_end = other(rng, &mut parts, partner);
    let joint = match joint {
        JointKind::Distance { .. } => JointKind::Distance { length: rng.range(0.5, 1.5) },
        JointKind::BeadOnCircle { .. } => JointKind::BeadOnCircle { radius: rng.range(0.5, 1.5) },
        other => other,
    };
    let at_general =
        if turns { Frame { pos: rng.vector(0.4), rot: rng.rotation() } } else { Frame::default() };
    let at_other = match partner {
        Some(kind) if kind.is_planar() => {
            let mut frame = random_joint_frame(rng, joint, partner, false);
            frame.pos = vec3(frame.pos.x, frame.pos.y, 0.0);
            if kind.has_orientation() { frame } else { Frame { pos: Vec3::ZERO, ..frame } }
        }
        kind => random_joint_frame(rng, joint, kind, false),
    };
    if closed && turns && !matches!(joint, JointKind::Distance { .. } | JointKind::BeadOnCircle { .. }) {
        let (a, b) = if is_a { (general, partner_end) } else { (partner_end, general) };
        let (anchor, axis, axis2) = (Some(near), Some(tilt.z), Some(tilt.x));
        let placement = Placement::World { anchor, axis, axis2 };
        parts.add_joint(Joint { placement, ..Joint::between(joint, a, at_general, b, at_other) });
        return Some(parts.build());
    }
    let (a, b) = ((general, at_general), (partner_end, at_other));
    let (a, b) = if is_a { (a, b) } else { (b, a) };
    parts.add_joint(Joint::between(joint, a.0, a.1, b.0, b.1));
    Some(parts.build())
}

/// Two general bodies with a joint between them, far from closed, or closed as far as poses allow.
/// `None` if the joint does not fit, or if it is to be closed and one of them is a point.
pub fn random_general_couple(
    rng: &mut Rng,
    joint: JointKind,
    [a, b]: [&str; 2],
    closed: bool,
) -> Option<Result<Model, BuildError>> {
    let (need_a, need_b) = joint.needs_orientation();
    if ((need_a || closed) && is_point(a)) || ((need_b || closed) && is_point(b)) {
        return None;
    }
    let joint = if joint.size().is_some() { joint.with_size(rng.range(0.5, 1.5)) } else { joint };
    let mut parts = ModelBuilder::new(Gravity(rng.vector(10.0)));
    let mut add = |rng: &mut Rng, name: &str| {
        let (body, piece) = random_general(rng, name);
        let pos = body.pos;
        let frame = if is_point(name) {
            Frame::default()
        } else {
            Frame { pos: rng.vector(0.4), rot: rng.rotation() }
        };
        (End::Piece(parts.add_body(body), piece), frame, pos)
    };
    let ((a, in_a, at), (b, in_b, _)) = (add(rng, a), add(rng, b));
    let made = Joint::between(joint, a, in_a, b, in_b);
    if closed && joint.size().is_none() {
        let tilt = rng.rotation().matrix();
        let (anchor, axis, axis2) = (Some(at + rng.vector(0.2)), Some(tilt.z), Some(tilt.x));
        parts.add_joint(Joint { placement: Placement::World { anchor, axis, axis2 }, ..made });
    } else {
        parts.add_joint(made);
    }
    Some(parts.build())
}
