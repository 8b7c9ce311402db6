//! A second, independent reader of scene files, for the tests only.
//!
//! It reads what a free-body diagram needs: masses, inertias, anchors, axes and the declared forces of rigid, planar and
//! particle bodies. It does not validate; a field it cannot read is a panic that names it.

use super::math::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::f64::consts::PI;

pub(crate) struct Scene {
    pub gravity: V,
    pub bodies: BTreeMap<String, Body>,
    pub joints: BTreeMap<String, Joint>,
    /// Joints that are conditions of another sort, as the file has them.
    pub constraints: BTreeMap<String, Value>,
    pub forces: BTreeMap<String, Force>,
    pub probes: BTreeMap<String, (String, V)>,
    /// The strings of `laws`.
    pub laws: Vec<String>,
    /// `simulation.until` and `simulation.dt`.
    pub until: f64,
    pub dt: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Rigid,
    Planar,
    Particle,
    PlanarParticle,
    /// Turns about an axis of the world, given in body axes: its bearings take what else there is.
    Shaft(V),
    /// Deforms, or has something moving inside: of its motion only that of its centre of mass is known from outside.
    Loose,
    /// The world holds it on a way of its own: nothing is known.
    Held,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub kind: Kind,
    pub mass: f64,
    /// About the centre of mass, body axes.
    pub inertia: M,
    /// Centre of mass from the frame's origin, body axes.
    pub com: V,
    /// The pose and velocity in the file.
    pub position: V,
    pub rot: Q,
    pub velocity: V,
    pub omega: V,
}

impl Body {
    /// Whether its points move as those of a rigid body or a particle do.
    pub(crate) fn is_plain(&self) -> bool {
        !matches!(self.kind, Kind::Loose | Kind::Held)
    }

    /// Whether it stays in the plane.
    pub(crate) fn is_flat(&self) -> bool {
        matches!(self.kind, Kind::Planar | Kind::PlanarParticle)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Joint {
    pub kind: String,
    pub a: String,
    pub b: String,
    /// From the frames' origins, in body axes.
    pub anchor_in_a: V,
    pub anchor_in_b: V,
    pub axis_in_a: V,
    pub axis_in_b: V,
    /// Second axis of a universal joint, in body axes of b.
    pub axis2_in_b: V,
    /// Length of a distance joint, radius of a circle; as posed if not given.
    pub size: Option<f64>,
    /// What a `lock` locks.
    pub locks: Vec<String>,
    /// Turn of b seen from a in which the joint's frames coincide.
    pub turn: Q,
}

#[derive(Clone, Debug)]
pub(crate) enum Force {
    Constant { body: String, point: Option<V>, force: V, torque: V, in_body: bool, factor: Law },
    Spring { a: String, b: String, point_in_a: V, point_in_b: V, stiffness: f64, damping: f64, rest: f64 },
    Torsion { a: String, b: String, axis_in_a: V, stiffness: f64, damping: f64, rest: f64, turn: Q },
    Drag { body: String, linear: f64, quadratic: f64, angular: f64 },
}

#[derive(Clone, Debug)]
pub(crate) enum Law {
    One,
    Constant(f64),
    Ramp { from: f64, to: f64, start: f64, duration: f64 },
    Sine { amplitude: f64, frequency: f64, phase: f64, offset: f64 },
}

impl Law {
    pub(crate) fn at(&self, time: f64) -> f64 {
        match *self {
            Law::One => 1.0,
            Law::Constant(value) => value,
            Law::Ramp { from, to, start, duration } => {
                from + (to - from) * ((time - start) / duration).clamp(0.0, 1.0)
            }
            Law::Sine { amplitude, frequency, phase, offset } => {
                offset + amplitude * (2.0 * PI * frequency * time + phase).sin()
            }
        }
    }
}

impl Scene {
    /// Whether a joint is a condition on velocities that none on poses stands for.
    pub(crate) fn holds_velocities(&self) -> bool {
        use super::constraints::{ON_VELOCITIES, kind};
        self.constraints.values().any(|joint| ON_VELOCITIES.contains(&kind(joint)))
    }

    /// Whether a condition is the thread of a screw.
    pub(crate) fn is_thread(&self, name: &str) -> bool {
        name.strip_suffix("-thread").is_some_and(|sleeve| {
            self.joints.contains_key(sleeve) && self.constraints[name]["terms"].is_array()
        })
    }

    pub(crate) fn parse(text: &str) -> Scene {
        let file = to_value(text);
        let gravity = file.get("gravity").map_or([0.0, 0.0, -9.81], |g| vector(g, "gravity"));
        let bodies: BTreeMap<String, Body> =
            table(&file, "bodies").map(|(name, b)| (name.clone(), body(name, b))).collect();
        let pose = |name: &str| pose_of(&bodies, name);
        let (constraints, pairs): (Vec<_>, Vec<_>) =
            table(&file, "joints").partition(|(_, j)| super::constraints::is_constraint(j));
        let mut constraints: BTreeMap<String, Value> =
            constraints.into_iter().map(|(name, j)| (name.clone(), j.clone())).collect();
        for joint in constraints.values_mut() {
            // A surface by its name.
            if let Some(named) = joint["surface"].get("named").and_then(Value::as_str) {
                joint["surface"] = file["surfaces"][named].clone();
            }
        }
        for (name, screw) in pairs.iter().filter(|(_, j)| super::constraints::kind(j) == "screw") {
            constraints.insert(format!("{name}-thread"), super::couplings::thread(name, screw));
        }
        let mut joints: BTreeMap<String, Joint> =
            pairs.into_iter().map(|(name, j)| (name.clone(), joint(name, j, &pose))).collect();
        for joint in joints.values_mut().filter(|j| j.kind.starts_with("point-on-")) {
            // a particle on a line or plane is its own point, wherever the anchor is
            let point_mass = |b: &Body| matches!(b.kind, Kind::Particle | Kind::PlanarParticle);
            if bodies.get(&joint.b).is_some_and(point_mass) {
                joint.anchor_in_b = ZERO;
            }
        }
        let forces = table(&file, "forces").map(|(name, f)| (name.clone(), force(name, f, &pose))).collect();
        let probe = |p: &Value| (text_of(p, "body"), p.get("point").map_or(ZERO, |v| vector(v, "point")));
        let probes = table(&file, "probes").map(|(name, p)| (name.clone(), probe(p))).collect();
        let laws = file.get("laws").and_then(Value::as_array);
        let laws = laws
            .map_or(Vec::new(), |l| l.iter().map(|s| s.as_str().expect("laws are strings").into()).collect());
        let setting = |key: &str, default| {
            file.get("simulation").and_then(|s| s.get(key)).map_or(default, |v| number(v, key))
        };
        let (until, dt) = (setting("until", 10.0), setting("dt", 1e-3));
        Scene { gravity, bodies, joints, constraints, forces, probes, laws, until, dt }
    }
}

/// TOML or JSON text as one kind of value.
pub(crate) fn to_value(text: &str) -> Value {
    if text.trim_start().starts_with('{') {
        serde_json::from_str(text).expect("a JSON scene")
    } else {
        toml::from_str(text).expect("a TOML scene")
    }
}

type Pose = (V, Q);

/// Position and orientation of a body's frame in the file; the ground's frame is the world.
fn pose_of(bodies: &BTreeMap<String, Body>, name: &str) -> Pose {
    if name == "ground" {
        return (ZERO, IDENTITY);
    }
    let body = name.split('/').next().and_then(|name| bodies.get(name));
    let body = body.unwrap_or_else(|| panic!("no body {name}"));
    (body.position, body.rot)
}

fn table<'a>(file: &'a Value, key: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    file.get(key).and_then(Value::as_object).into_iter().flatten()
}

fn body(name: &str, b: &Value) -> Body {
    let kind = match b.get("kind").map_or("rigid", |k| k.as_str().expect("kind is a string")) {
        "rigid" => Kind::Rigid,
        "planar" => Kind::Planar,
        "particle" => Kind::Particle,
        "planar-particle" => Kind::PlanarParticle,
        "shaft" => Kind::Shaft(unit(vector(&b["axis"], "axis"))),
        "scaled" | "scaled3" | "affine" | "soft" | "internal-mass" => Kind::Loose,
        "bead" | "formula" => Kind::Held,
        other => panic!("body {name}: the outside check does not know the kind {other}"),
    };
    let shapes: Vec<&Value> = match (b.get("shape"), b.get("shapes")) {
        (Some(one), _) => vec![one],
        (None, Some(many)) => many.as_array().expect("shapes is a list").iter().collect(),
        (None, None) => Vec::new(),
    };
    let (mut mass, shape_com, shape_inertia) = match kind {
        Kind::Held => (0.0, ZERO, diagonal(ZERO)),
        _ => mass_properties(name, b, &shapes),
    };
    mass += b.get("inside").map_or(0.0, |inside| number(&inside["mass"], "mass"));
    let read = |key: &str| b.get(key).map_or(ZERO, |v| vector(v, key));
    let omega = match b.get("angular_velocity") {
        Some(v) if v.is_array() => vector(v, "angular_velocity"),
        Some(v) => [0.0, 0.0, number(v, "angular_velocity")],
        None => ZERO,
    };
    Body {
        kind,
        mass,
        inertia: b.get("inertia").map_or(shape_inertia, inertia),
        com: b.get("center_of_mass").map_or(shape_com, |v| vector(v, "center_of_mass")),
        position: read("position"),
        rot: b.get("orientation").map_or(IDENTITY, orientation),
        velocity: read("velocity"),
        omega,
    }
}

fn inertia(value: &Value) -> M {
    let Some(list) = value.as_array() else {
        return diagonal([0.0, 0.0, number(value, "inertia")]); // planar: about z only
    };
    let n: Vec<f64> = list.iter().map(|v| number(v, "inertia")).collect();
    match n[..] {
        [xx, yy, zz] => diagonal([xx, yy, zz]),
        [xx, yy, zz, xy, xz, yz] => [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
        _ => panic!("inertia has {} numbers, not 3 or 6", n.len()),
    }
}

/// Mass, centre of mass and inertia about it of a body made of shapes of one density.
fn mass_properties(name: &str, b: &Value, shapes: &[&Value]) -> (f64, V, M) {
    let stated = b.get("mass").map(|v| number(v, "mass"));
    if shapes.is_empty() {
        return (
            stated.unwrap_or_else(|| panic!("body {name} has neither mass nor shape")),
            ZERO,
            diagonal(ZERO),
        );
    }
    let solids: Vec<(f64, V, Q, M)> = shapes.iter().map(|s| solid(s)).collect();
    let volume: f64 = solids.iter().map(|s| s.0).sum();
    let density = match stated {
        Some(mass) => mass / volume,
        None => number(b.get("density").unwrap_or_else(|| panic!("body {name} has no mass")), "density"),
    };
    let mass = density * volume;
    let weighted = solids.iter().fold(ZERO, |sum, s| add(sum, scale(s.0, s.1)));
    let com = scale(1.0 / volume, weighted);
    let mut total = diagonal(ZERO);
    for (volume, position, rot, square_radii) in solids {
        let own = turned_inertia(rot, square_radii);
        let moved = point_inertia(sub(position, com)); // parallel axes
        total = mat_add(total, mat_scale(density * volume, mat_add(own, moved)));
    }
    (mass, com, total)
}

/// Volume, place of its centre, turn and inertia per unit mass (its own axes) of one shape. Long shapes lie along x.
fn solid(shape: &Value) -> (f64, V, Q, M) {
    let position = shape.get("position").map_or(ZERO, |v| vector(v, "position"));
    let rot = shape.get("orientation").map_or(IDENTITY, orientation);
    if shape["kind"] == "hull" {
        let corners = shape["vertices"].as_array().expect("a hull has vertices");
        let corners: Vec<V> = corners.iter().map(|corner| vector(corner, "vertices")).collect();
        let (volume, centre, inertia) = hull(&corners);
        return (volume, add(position, rotate(rot, centre)), rot, inertia);
    }
    let get =
        |key: &str| number(shape.get(key).unwrap_or_else(|| panic!("a shape without {key}: {shape}")), key);
    let round = |length: f64, r: f64| {
        let across = (3.0 * r * r + length * length) / 12.0;
        (PI * r * r * length, [0.5 * r * r, across, across])
    };
    let block = |[x, y, z]: V| [(y * y + z * z) / 12.0, (x * x + z * z) / 12.0, (x * x + y * y) / 12.0];
    let (volume, square_radii) = match shape.get("kind").and_then(Value::as_str).expect("a shape has a kind")
    {
        "box" => {
            let size = vector(&shape["size"], "size");
            (size[0] * size[1] * size[2], block(size))
        }
        "sphere" => {
            let r = get("radius");
            (4.0 / 3.0 * PI * r * r * r, [0.4 * r * r; 3])
        }
        "cylinder" => round(get("length"), get("radius")),
        // A rod is thin: a line across, and along it whatever its radius gives. Without one its volume is its length.
        "rod" => {
            let (length, r) = (get("length"), shape.get("radius").map_or(0.0, |v| number(v, "radius")));
            let across = length * length / 12.0;
            (if r > 0.0 { PI * r * r * length } else { length }, [0.5 * r * r, across, across])
        }
        "capsule" => capsule(get("length"), get("radius")),
        "plate" => {
            let size = vector(&shape["size"], "size");
            // A plate is thin too: its thickness gives it volume, not inertia.
            let thickness = shape.get("thickness").map_or(1.0, |v| number(v, "thickness"));
            (size[0] * size[1] * thickness, block([size[0], size[1], 0.0]))
        }
        other => panic!("the outside check does not know the shape {other}"),
    };
    (volume, position, rot, diagonal(square_radii))
}

/// Volume, centre and inertia per unit mass about it of the convex hull of points, the slow way: every plane through three of them that has all others on one
/// side is a face; its points in order make triangles, and these make pyramids over a point inside.
pub(crate) fn hull(points: &[V]) -> (f64, V, M) {
    let inside = scale(1.0 / points.len() as f64, points.iter().fold(ZERO, |sum, p| add(sum, *p)));
    let size = points.iter().map(|p| norm(sub(*p, inside))).fold(0.0, f64::max);
    let mut faces: Vec<V> = Vec::new();
    let (mut volume, mut first, mut second) = (0.0, ZERO, diagonal(ZERO));
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in &points[j + 1..] {
                let across = cross(sub(*b, *a), sub(*c, *a));
                if norm(across) < 1e-12 * size * size {
                    continue;
                }
                let n = unit(across);
                let n = if dot(n, sub(*a, inside)) < 0.0 { scale(-1.0, n) } else { n };
                let is_face = points.iter().all(|p| dot(n, sub(*p, *a)) < 1e-9 * size);
                if !is_face || faces.iter().any(|known| norm(sub(*known, n)) < 1e-9) {
                    continue;
                }
                faces.push(n);
                let mut corners: Vec<V> =
                    points.iter().copied().filter(|p| dot(n, sub(*p, *a)) > -1e-9 * size).collect();
                let middle =
                    scale(1.0 / corners.len() as f64, corners.iter().fold(ZERO, |sum, p| add(sum, *p)));
                let x = unit(sub(corners[0], middle));
                let y = cross(n, x);
                let angle = |p: &V| dot(y, sub(*p, middle)).atan2(dot(x, sub(*p, middle)));
                corners.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
                for k in 0..corners.len() {
                    // The pyramid of inside, middle and two corners; seen from inside.
                    let ends = [middle, corners[k], corners[(k + 1) % corners.len()]].map(|p| sub(p, inside));
                    let v = dot(ends[0], cross(ends[1], ends[2])) / 6.0;
                    let sum = ends.iter().fold(ZERO, |sum, p| add(sum, *p));
                    volume += v;
                    first = add(first, scale(v / 4.0, sum));
                    // ∫ r rᵀ = v/20 (Σ p pᵀ + s sᵀ), with the fourth corner at the origin.
                    for p in ends.iter().chain([&sum]) {
                        let outer = [0, 1, 2].map(|r| scale(v / 20.0 * p[r], *p));
                        second = mat_add(second, outer);
                    }
                }
            }
        }
    }
    let centre = scale(1.0 / volume, first);
    let second = mat_scale(1.0 / volume, second);
    let about_inside =
        mat_add(diagonal([second[0][0] + second[1][1] + second[2][2]; 3]), mat_scale(-1.0, second));
    let inertia = mat_add(about_inside, mat_scale(-1.0, point_inertia(centre)));
    (volume, add(inside, centre), inertia)
}

/// Cylinder of the given length with a half ball on each end; `length` is between the centres of the balls.
fn capsule(length: f64, r: f64) -> (f64, V) {
    let (bar, balls) = (PI * r * r * length, 4.0 / 3.0 * PI * r * r * r);
    let volume = bar + balls;
    let along = (bar * 0.5 * r * r + balls * 0.4 * r * r) / volume;
    // A half ball's centroid is 3r/8 beyond its flat face; 2/5 r² about the face's centre, less 9/64 r² to its own.
    let reach = 0.5 * length + 0.375 * r;
    let across_bar = (3.0 * r * r + length * length) / 12.0;
    let across_balls = (0.4 - 9.0 / 64.0) * r * r + reach * reach;
    let across = (bar * across_bar + balls * across_balls) / volume;
    (volume, [along, across, across])
}

fn joint(name: &str, j: &Value, pose: &dyn Fn(&str) -> Pose) -> Joint {
    let (a, b) = (text_of(j, "a"), text_of(j, "b"));
    let ((pos_a, rot_a), (pos_b, rot_b)) = (pose(&a), pose(&b));
    let local = |v: &str| j.get(v).map(|x| vector(x, v));
    let frame = |v: &str| j.get(v).map(frame_in);
    let (frame_a, frame_b) = (frame("frame_in_a"), frame("frame_in_b"));
    // World values hold in the pose of the file and go to both bodies; values in body frames win.
    let world = local("anchor");
    let into = |p: V, (pos, rot): Pose| rotate_back(rot, sub(p, pos));
    let place = |frame: Option<Pose>, keys: [&str; 2], at: Pose| {
        let own = frame.map(|f| f.0).or_else(|| keys.iter().find_map(|key| local(key)));
        own.or_else(|| world.map(|p| into(p, at))).unwrap_or(ZERO)
    };
    let world_axis = local("axis");
    let axis = |frame: Option<Pose>, key: &str, at: Pose| {
        let own = frame.map(|f| rotate(f.1, [0.0, 0.0, 1.0])).or_else(|| local(key));
        unit(own.or_else(|| world_axis.map(|u| rotate_back(at.1, u))).unwrap_or([0.0, 0.0, 1.0]))
    };
    let kind = j.get("kind").and_then(Value::as_str).unwrap_or_else(|| panic!("joint {name} has no kind"));
    // The thread of a screw is a condition of its own.
    let kind = if kind == "screw" { "cylindrical" } else { kind };
    // a bead's anchor is the circle's centre, which is on a; b only has the bead
    let on_b = match kind {
        "bead-on-circle" => local("point_in_b").unwrap_or(ZERO),
        _ => place(frame_b, ["anchor_in_b", "point_in_b"], (pos_b, rot_b)),
    };
    let second = frame_b.map(|f| rotate(f.1, [1.0, 0.0, 0.0])).or_else(|| local("axis2_in_b"));
    let second = second.or_else(|| local("axis2").map(|u| rotate_back(rot_b, u)));
    let as_posed = quat_mul(conjugate(rot_a), rot_b);
    let turn = match (frame_a, frame_b) {
        (Some(fa), Some(fb)) => quat_mul(fa.1, conjugate(fb.1)),
        _ => as_posed,
    };
    Joint {
        kind: kind.into(),
        anchor_in_a: place(frame_a, ["anchor_in_a", "point_in_a"], (pos_a, rot_a)),
        anchor_in_b: on_b,
        axis_in_a: axis(frame_a, "axis_in_a", (pos_a, rot_a)),
        axis_in_b: axis(frame_b, "axis_in_b", (pos_b, rot_b)),
        axis2_in_b: unit(second.unwrap_or([1.0, 0.0, 0.0])),
        size: j.get("length").or_else(|| j.get("radius")).map(|v| number(v, "length")),
        locks: j.get("locks").map_or(Vec::new(), |list| {
            list.as_array().into_iter().flatten().filter_map(|v| v.as_str().map(String::from)).collect()
        }),
        turn,
        a,
        b,
    }
}

fn frame_in(v: &Value) -> Pose {
    let position = v.get("position").map_or(ZERO, |p| vector(p, "position"));
    (position, v.get("orientation").map_or(IDENTITY, orientation))
}

fn force(name: &str, f: &Value, pose: &dyn Fn(&str) -> Pose) -> Force {
    let read = |key: &str| f.get(key).map_or(ZERO, |v| vector(v, key));
    let real = |key: &str| f.get(key).map_or(0.0, |v| number(v, key));
    match f.get("kind").and_then(Value::as_str).unwrap_or_else(|| panic!("force {name} has no kind")) {
        "constant" => Force::Constant {
            body: text_of(f, "body"),
            point: f.get("point").map(|p| vector(p, "point")), // default: the centre of mass
            force: read("force"),
            torque: match f.get("torque") {
                Some(t) if !t.is_array() => [0.0, 0.0, number(t, "torque")],
                _ => read("torque"),
            },
            in_body: f.get("frame").is_some_and(|v| v == "body"),
            factor: f.get("law").map_or(Law::One, law),
        },
        "spring" if f.get("curve").is_none() => Force::Spring {
            a: text_of(f, "a"),
            b: text_of(f, "b"),
            point_in_a: read("point_in_a"),
            point_in_b: read("point_in_b"),
            stiffness: real("stiffness"),
            damping: real("damping"),
            rest: real("rest_length"),
        },
        "torsion" => {
            let (a, b) = (text_of(f, "a"), text_of(f, "b"));
            let (rot_a, rot_b) = (pose(&a).1, pose(&b).1);
            Force::Torsion {
                axis_in_a: unit(f.get("axis_in_a").map_or([0.0, 0.0, 1.0], |u| vector(u, "axis_in_a"))),
                stiffness: real("stiffness"),
                damping: real("damping"),
                rest: real("rest"),
                turn: quat_mul(conjugate(rot_a), rot_b),
                a,
                b,
            }
        }
        "drag" => Force::Drag {
            body: text_of(f, "body"),
            linear: real("coefficient"),
            quadratic: real("quadratic"),
            angular: real("angular"),
        },
        other => panic!("force {name}: the outside check does not know {other} (or one of its fields)"),
    }
}

fn law(v: &Value) -> Law {
    let part = |key: &str, name: &str| v[key].get(name).map_or(0.0, |x| number(x, name));
    if let Some(value) = v.get("constant") {
        return Law::Constant(number(value, "constant"));
    }
    if v.get("ramp").is_some() {
        let p = |name| part("ramp", name);
        return Law::Ramp { from: p("from"), to: p("to"), start: p("start"), duration: p("duration") };
    }
    if v.get("sine").is_some() {
        let p = |name| part("sine", name);
        return Law::Sine {
            amplitude: p("amplitude"),
            frequency: p("frequency"),
            phase: p("phase"),
            offset: p("offset"),
        };
    }
    panic!("the outside check does not know the law {v}")
}

fn text_of(v: &Value, key: &str) -> String {
    v.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("no {key} in {v}")).into()
}

pub(crate) fn vector(v: &Value, field: &str) -> V {
    let list = v.as_array().unwrap_or_else(|| panic!("{field} is not a vector: {v}"));
    let mut out = ZERO;
    for (slot, value) in out.iter_mut().zip(list) {
        *slot = number(value, field);
    }
    out
}

fn orientation(v: &Value) -> Q {
    if let Some(q) = v.get("quaternion") {
        let q: Vec<f64> =
            q.as_array().expect("four numbers").iter().map(|c| number(c, "quaternion")).collect();
        return normalized([q[0], q[1], q[2], q[3]]);
    }
    match v.get("axis") {
        Some(axis) => axis_angle(vector(axis, "axis"), number(&v["angle"], "angle")),
        None => axis_angle([0.0, 0.0, 1.0], number(v, "orientation")),
    }
}

/// A number in SI units, or a string with a unit.
pub(crate) fn number(v: &Value, field: &str) -> f64 {
    if let Some(x) = v.as_f64() {
        return x;
    }
    let text = v.as_str().unwrap_or_else(|| panic!("{field} is not a number: {v}"));
    let split = text.find(|c: char| c.is_alphabetic() && !"eE".contains(c) || c == ' ').unwrap_or(text.len());
    let (digits, unit) = (text[..split].trim(), text[split..].trim());
    let factor = match unit {
        "mm" | "ms" | "g" => 1e-3,
        "cm" => 1e-2,
        "" | "m" | "rad" | "s" | "kg" | "N" | "Nm" | "Hz" | "rad/s" | "m/s" | "Pa" | "N/m" => 1.0,
        "km" | "t" | "kN" | "N/mm" => 1e3,
        "deg" => PI / 180.0,
        "rev" => 2.0 * PI,
        "min" => 60.0,
        "h" => 3600.0,
        "rpm" => 2.0 * PI / 60.0,
        "km/h" => 1.0 / 3.6,
        "bar" => 1e5,
        "MPa" => 1e6,
        _ => panic!("{field}: unknown unit in {text:?}"),
    };
    factor * digits.parse::<f64>().unwrap_or_else(|_| panic!("{field}: no number in {text:?}"))
}
