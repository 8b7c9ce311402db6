//! What does not change from frame to frame, as JSON: bodies with their looks, joints, drives, ground, camera.

use crate::load::SceneText;
use cardan::body::SolidShape;
use cardan::contact::ModelShape;
use cardan::contact::Shape;
use cardan::force::ForceKind;
use cardan::joint::{DriveMode, EffortKind, Symbol};
use cardan::math::{Mat3, Quat, Vec3};
use cardan::measure::BodyMotion;
use cardan::model::{ModelBody, ModelJoint};
use cardan::{BodyId, ForceId, Frame, JointId, Model, ProbeId, ShapeId, World};
use cardan_scene::{Document, FieldPath, InequalityKind, LookDesc, Scene, ScriptEntry, ScriptedWorld};
use serde_json::{Map, Value, json};

/// A coordinate that a slider can command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    pub(crate) joint: usize,
    pub(crate) k: usize,
    /// `servo`, `position`, `speed` or `force`.
    pub(crate) kind: &'static str,
    low: f64,
    high: f64,
}

/// Joint and index of every coordinate, in the order of the joints.
pub(crate) fn coordinates(model: &Model) -> impl Iterator<Item = (usize, usize)> + '_ {
    let each = |(j, joint): (usize, &ModelJoint)| (0..joint.kind.coordinates()).map(move |k| (j, k));
    model.joints().iter().enumerate().flat_map(each)
}

/// Number of the first coordinate of each joint.
pub(crate) fn first_coordinates(model: &Model) -> Vec<usize> {
    let mut at = 0;
    let first = |joint: &ModelJoint| {
        at += joint.kind.coordinates();
        at - joint.kind.coordinates()
    };
    model.joints().iter().map(first).collect()
}

/// Bodies and pieces whose looks need a matrix.
pub(crate) fn deformed(model: &Model) -> Vec<(usize, usize)> {
    let general = model.bodies().iter().enumerate().filter(|(_, body)| body.kind.is_general());
    general.flat_map(|(i, _)| (0..model.bodies()[i].pieces()).map(move |piece| (i, piece))).collect()
}

/// The drives of a scene, in the order of the joints.
pub(crate) fn drives(model: &Model, world: &World) -> Vec<Drive> {
    let mut all = Vec::new();
    for j in 0..model.joints().len() {
        let Some(joint) = world.describe_joint(JointId::of_index(j)) else { continue };
        let limits = |k: usize| {
            let limit = joint.limits.iter().find(|limit| limit.coordinate == k);
            limit.map(|limit| (limit.low, limit.high)).filter(|(a, b)| a.is_finite() && b.is_finite())
        };
        let turn = core::f64::consts::PI;
        let span =
            |k: usize| limits(k).unwrap_or(if joint.kind.is_angle(k) { (-turn, turn) } else { (-1.0, 1.0) });
        for drive in &joint.drives {
            let k = drive.coordinate;
            let (kind, (low, high)) = match drive.mode {
                DriveMode::Position => ("position", span(k)),
                DriveMode::Speed => {
                    ("speed", if joint.kind.is_angle(k) { (-20.0, 20.0) } else { (-2.0, 2.0) })
                }
                DriveMode::Force => ("force", (-100.0, 100.0)),
                // What accelerates for ever is no slider.
                DriveMode::Acceleration => continue,
            };
            all.push(Drive { joint: j, k, kind, low, high });
        }
        for effort in &joint.efforts {
            let k = effort.coordinate;
            let (kind, (low, high)) = match &effort.kind {
                EffortKind::Servo(_) => ("servo", span(k)),
                EffortKind::Law(_) => ("force", (-100.0, 100.0)),
                EffortKind::Motor(_) => ("force", (-1.0, 1.0)),
                EffortKind::Friction(_) | EffortKind::Curve(_) => continue,
            };
            all.push(Drive { joint: j, k, kind, low, high });
        }
    }
    all
}

fn placed(frame: &Frame) -> [(&'static str, Value); 2] {
    [("position", json!(frame.pos.to_array())), ("rotation", json!(frame.rot.to_wxyz()))]
}

fn object(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect::<Map<_, _>>())
}

fn mesh(vertices: impl Iterator<Item = Vec3>, triangles: Vec<u32>, convex: bool) -> Value {
    let vertices: Vec<f64> = vertices.flat_map(|v| v.to_array()).collect();
    json!({ "kind": "mesh", "vertices": vertices, "triangles": triangles, "convex": convex })
}

/// Flat faces as triangles: a fan each.
fn fans(faces: impl Iterator<Item = Vec<Vec3>>, convex: bool) -> Value {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for face in faces {
        let first = vertices.len() as u32;
        for k in 2..face.len() as u32 {
            triangles.extend([first, first + k - 1, first + k]);
        }
        vertices.extend(face);
    }
    mesh(vertices.into_iter(), triangles, convex)
}

fn solid(shape: &SolidShape) -> Value {
    match shape {
        SolidShape::Box { size } => json!({ "kind": "box", "size": size }),
        SolidShape::Sphere { radius } => json!({ "kind": "sphere", "radius": radius }),
        SolidShape::Cylinder { radius, length } => {
            json!({ "kind": "cylinder", "radius": radius, "length": length })
        }
        SolidShape::Capsule { radius, length } => {
            json!({ "kind": "capsule", "radius": radius, "length": length })
        }
        SolidShape::Rod { length, .. } => json!({ "kind": "stick", "length": length }),
        SolidShape::Plate { size, .. } => json!({ "kind": "plate", "size": size }),
        SolidShape::Polyhedron(solid) => fans(solid.faces().map(Iterator::collect), solid.kind() == "hull"),
    }
}

fn contact_solid(shape: &Shape) -> Value {
    match shape {
        Shape::Plane => json!({ "kind": "plane" }),
        Shape::Box { size } => json!({ "kind": "box", "size": size }),
        Shape::Sphere { radius } if *radius == 0.0 => json!({ "kind": "point" }),
        Shape::Sphere { radius } => json!({ "kind": "sphere", "radius": radius }),
        Shape::Capsule { radius, length } => json!({ "kind": "capsule", "radius": radius, "length": length }),
        Shape::Cylinder { radius, length } => {
            json!({ "kind": "cylinder", "radius": radius, "length": length })
        }
        Shape::Hull(hull) => fans((0..hull.faces()).map(|f| hull.face(f).1.collect()), true),
        Shape::Mesh(m) => {
            let triangles = m.triangles().iter().flatten().copied().collect();
            mesh(m.vertices().iter().copied(), triangles, false)
        }
        Shape::Terrain(terrain) => {
            let (vertices, triangles) = terrain.triangulated();
            mesh(vertices.into_iter(), triangles.into_iter().flatten().collect(), false)
        }
    }
}

/// A solid with its place.
fn look(mut solid: Value, frame: &Frame, contact: bool, piece: usize) -> Value {
    for (name, value) in placed(frame) {
        solid[name] = value;
    }
    solid["visible"] = json!(true);
    solid["contact"] = json!(contact);
    solid["piece"] = json!(piece);
    solid
}

/// Planes that inequalities keep points of bodies on one side of, each once: walls of the ground.
fn walls(scene: &Scene) -> Vec<Value> {
    let mut planes: Vec<(Vec3, f64)> = Vec::new();
    let half_planes = scene.inequalities.iter().filter(|(_, one)| one.kind == InequalityKind::HalfPlane);
    for (_, wall) in half_planes.filter(|(_, one)| one.of.as_ref().is_none_or(|of| of == "ground")) {
        let Some(normal) = wall.normal.map(|n| Vec3::from(n.map(f64::from))) else { continue };
        let Some(unit) = normal.normalized() else { continue };
        let plane = (unit, wall.offset.map_or(0.0, f64::from) / normal.norm());
        if !planes.contains(&plane) {
            planes.push(plane);
        }
    }
    let one = |&(normal, offset): &(Vec3, f64)| {
        // Any turn that takes z to the normal.
        let aside = if normal.x.abs() < 0.9 { Vec3::X } else { Vec3::Y };
        let x = aside.cross(normal).normalized().unwrap_or(Vec3::X);
        let rot = Quat::from_matrix(&Mat3::from_columns(x, normal.cross(x), normal));
        let frame = Frame { pos: normal * offset, rot };
        let mut wall = look(json!({ "kind": "plane" }), &frame, true, 0);
        wall["wall"] = json!(true);
        wall
    };
    planes.iter().map(one).collect()
}

/// The ball that inequalities take a body for which has no shape of its own.
fn ball_of(scene: &Scene, body: &str) -> Option<Value> {
    let mine = scene.inequalities.iter().map(|(_, one)| one).filter(|one| one.body.as_deref() == Some(body));
    let mut balls = mine.filter(|one| one.kind == InequalityKind::HalfPlane);
    let ball = balls.find(|one| one.radius.is_some_and(|radius| radius.0 > 0.0))?;
    let at = ball.point.map_or(Vec3::ZERO, |point| Vec3::from(point.map(f64::from)));
    let solid = json!({ "kind": "sphere", "radius": ball.radius?.0 });
    Some(look(solid, &Frame::at(at), true, 0))
}

/// Looks of a body: the shapes that it shows, or else its contact shapes.
fn looks(model: &Model, world: &World, body: usize) -> Vec<Value> {
    let own = &model.bodies()[body].shapes;
    let collides = |shape: &ModelShape| shape.body().is_some_and(|id| id.index() == body);
    if !own.is_empty() {
        let contact = model.shapes().iter().any(collides);
        return own.iter().map(|placed| look(solid(&placed.shape), &placed.frame, contact, 0)).collect();
    }
    let contacts = model.shapes().iter().enumerate().filter(|(_, shape)| collides(shape));
    let described = contacts.filter_map(|(i, _)| world.describe_shape(ShapeId::of_index(i)));
    described.map(|shape| look(contact_solid(&shape.shape), &shape.frame, true, shape.body.piece())).collect()
}

/// Points in the frame of each body where joints, springs and probes sit.
fn attachments(model: &Model, world: &World) -> Vec<Vec<[f64; 3]>> {
    let mut all = vec![Vec::new(); model.bodies().len()];
    let mut note = |body: Option<BodyId>, at: Vec3| {
        if let Some(list) = body.and_then(|id| all.get_mut(id.index())) {
            let at = at.to_array();
            if !list.contains(&at) {
                list.push(at);
            }
        }
    };
    for j in 0..model.joints().len() {
        let about = model.joints()[j].kind.about();
        let apart = about.anchor == cardan::joint::Anchor::Around || about.locks.shifts() == 0;
        let Some([(a, in_a), (b, in_b)]) = world.frames_of_joint(JointId::of_index(j)) else { continue };
        if !apart {
            note(a.body(), in_a.pos);
        }
        note(b.body(), in_b.pos);
    }
    for f in 0..model.forces().len() {
        let Some(force) = world.describe_force(ForceId::of_index(f)) else { continue };
        if let ForceKind::Spring(_) | ForceKind::CurveSpring(_) = force.kind {
            force.frames.iter().for_each(|(end, frame)| note(end.body(), frame.pos));
        }
    }
    for p in 0..model.probes().len() {
        if let Some(probe) = world.describe_probe(ProbeId::of_index(p)) {
            note(probe.body.body(), probe.point);
        }
    }
    all
}

fn line(document: &Document, table: &str, name: &str) -> Value {
    json!(document.line_of(&FieldPath::item(table, name)))
}

fn index(id: Option<BodyId>) -> i64 {
    id.map_or(-1, |id| id.index() as i64)
}

/// What the scene says about how something is drawn.
fn paint(value: &mut Value, look: Option<&LookDesc>) {
    let Some(look) = look else { return };
    if let Some(color) = &look.color {
        value["colour"] = json!(color);
    }
    if let Some(opacity) = look.opacity {
        value["opacity"] = json!(opacity.0);
    }
    if let Some(visible) = look.visible {
        value["visible"] = json!(visible);
    }
}

/// Where from the scene wants to be looked at.
fn camera(scene: &Scene, model: &Model) -> Value {
    let Some(camera) = &scene.camera else { return Value::Null };
    let mut all = json!({});
    for (name, at) in [("position", camera.position), ("target", camera.target)] {
        if let Some(at) = at {
            all[name] = json!(at.map(f64::from));
        }
    }
    if let Some(up) = camera.up {
        all["up"] = json!(up.map(f64::from));
    }
    if let Some(angle) = camera.angle {
        all["fov"] = json!(angle.0);
    }
    if let Some(height) = camera.height {
        all["height"] = json!(height.0);
    }
    let followed = camera.follow.as_ref().and_then(|name| model.find_body(name));
    if let Some(body) = followed {
        all["follow"] = json!(body.index());
    }
    all
}

fn bodies(document: &Document, scene: &Scene, model: &Model, world: &World) -> Vec<Value> {
    let attachments = attachments(model, world);
    let one = |(i, body): (usize, &ModelBody)| {
        let inertia = &body.mass.inertia;
        let described = scene.bodies.get(&body.name);
        let mut looks = looks(model, world, i);
        if looks.is_empty() {
            looks.extend(ball_of(scene, &body.name));
        }
        let shapes = described.map_or(&[][..], |body| body.all_shapes());
        if shapes.len() == looks.len() {
            looks.iter_mut().zip(shapes).for_each(|(look, shape)| paint(look, shape.look.as_ref()));
        }
        let mut all = json!({
            "name": body.name,
            "kind": body.kind.name(),
            "mass": body.mass.mass,
            "inertia": [inertia.xx, inertia.yy, inertia.zz, inertia.xy, inertia.xz, inertia.yz],
            "centre": body.mass.center.to_array(),
            "looks": looks,
            "attachments": attachments[i],
            "pieces": model.bodies()[i].pieces(),
            "line": line(document, "bodies", &body.name),
            "visible": true,
        });
        paint(&mut all, described.and_then(|body| body.look.as_ref()));
        all
    };
    model.bodies().iter().enumerate().map(one).collect()
}

fn joints(document: &Document, model: &Model, world: &World) -> Vec<Value> {
    let first = first_coordinates(model);
    let one = |(j, joint): (usize, &ModelJoint)| {
        let symbol = match joint.kind.about().symbol {
            Symbol::Pin => "pin",
            Symbol::Ball => "ball",
            Symbol::Slider => "slider",
            Symbol::Sleeve => "sleeve",
            Symbol::Weld => "weld",
            Symbol::Rod => "rod",
            Symbol::Ring => "ring",
            Symbol::Mark => "mark",
        };
        let frames = world.frames_of_joint(JointId::of_index(j));
        let [a, b] = frames.map_or([Frame::at(Vec3::ZERO); 2], |[a, b]| [a.1, b.1]);
        json!({
            "name": joint.name,
            "kind": joint.kind.name(),
            "symbol": symbol,
            "a": index(joint.body_a()),
            "b": index(joint.body_b()),
            "frameA": object(placed(&a)),
            "frameB": object(placed(&b)),
            "size": joint.kind.size().map(|(_, size)| size),
            "rows": joint.rows(),
            "coordinates": [first[j], first[j] + joint.kind.coordinates()],
            "line": line(document, "joints", &joint.name),
        })
    };
    model.joints().iter().enumerate().map(one).collect()
}

fn coordinate_list(model: &Model, world: &World) -> Vec<Value> {
    let one = |(j, k): (usize, usize)| {
        let joint = &model.joints()[j];
        let name = match joint.kind.coordinates() {
            1 => joint.name.clone(),
            _ => format!("{}.{k}", joint.name),
        };
        let unit = if joint.kind.is_angle(k) { "rad" } else { "m" };
        let mut all = json!({ "joint": j, "k": k, "name": name, "unit": unit });
        let described = world.describe_joint(JointId::of_index(j));
        if let Some(limit) = described.and_then(|d| d.limits.iter().find(|limit| limit.coordinate == k)) {
            for (side, value) in [("low", limit.low), ("high", limit.high)] {
                if value.is_finite() {
                    all[side] = json!(value);
                }
            }
        }
        all
    };
    coordinates(model).map(one).collect()
}

fn drive_list(model: &Model, world: &World) -> Vec<Value> {
    let one = |Drive { joint, k, kind, low, high }: Drive| {
        let described = &model.joints()[joint];
        let angle = described.kind.is_angle(k);
        let unit = match (kind, angle) {
            ("servo" | "position", true) => "rad",
            ("servo" | "position", false) => "m",
            ("speed", true) => "rad/s",
            ("speed", false) => "m/s",
            (_, true) => "N·m",
            (_, false) => "N",
        };
        let name = match described.kind.coordinates() {
            1 => described.name.clone(),
            _ => format!("{}.{k}", described.name),
        };
        json!({ "name": name, "joint": joint, "k": k, "kind": kind, "unit": unit, "low": low, "high": high })
    };
    drives(model, world).into_iter().map(one).collect()
}

/// Corners of a box around centres of mass, joints and looks of bodies in their poses \[m\].
pub(crate) fn bounds(model: &Model, world: &World, motions: &[Option<BodyMotion>]) -> [[f64; 3]; 2] {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let mut note = |p: Vec3, radius: f64| {
        for (k, x) in p.to_array().into_iter().enumerate().filter(|(_, x)| x.is_finite()) {
            low[k] = low[k].min(x - radius);
            high[k] = high[k].max(x + radius);
        }
    };
    let attached = attachments(model, world);
    for (i, motion) in motions.iter().enumerate() {
        let Some(motion) = motion else { continue };
        note(motion.position, 0.0);
        let place = |p: Vec3| motion.frame_position + motion.orientation * p;
        attached[i].iter().for_each(|p| note(place(Vec3::from(*p)), 0.0));
        for shape in model.bodies()[i].shapes.iter() {
            note(place(shape.frame.pos), radius_of(&shape.shape));
        }
    }
    for j in 0..model.joints().len() {
        let Some([(a, in_a), _]) = world.frames_of_joint(JointId::of_index(j)) else { continue };
        if a.body().is_none() {
            note(in_a.pos, 0.0);
        }
    }
    if low.iter().any(|x| !x.is_finite()) {
        return [[-1.0; 3], [1.0; 3]];
    }
    [low, high]
}

/// Radius of a ball around a shape's origin.
fn radius_of(shape: &SolidShape) -> f64 {
    match shape {
        SolidShape::Box { size: [x, y, z] } => 0.5 * (x * x + y * y + z * z).sqrt(),
        SolidShape::Sphere { radius } => *radius,
        SolidShape::Cylinder { radius, length } | SolidShape::Capsule { radius, length } => {
            0.5 * length + radius
        }
        SolidShape::Rod { length, .. } => 0.5 * length,
        SolidShape::Plate { size: [x, y], .. } => 0.5 * (x * x + y * y).sqrt(),
        SolidShape::Polyhedron(solid) => solid.faces().flatten().map(|p| p.norm()).fold(0.0, f64::max),
    }
}

/// An entry of the script in words.
fn script_text(entry: &ScriptEntry) -> String {
    let mut all = Vec::new();
    for (what, names) in [("disable", &entry.disable), ("enable", &entry.enable)] {
        if !names.is_empty() {
            let names: Vec<&str> = names.iter().map(|name| name.name()).collect();
            all.push(format!("{what} {}", names.join(", ")));
        }
    }
    if let Some([x, y, z]) = entry.gravity {
        all.push(format!("gravity {x}, {y}, {z} m/s²"));
    }
    all.join("; ")
}

/// Whether everything moves in the x–y plane.
fn is_planar(model: &Model) -> bool {
    let bodies = model.bodies();
    !bodies.is_empty() && bodies.iter().all(|body| body.kind.is_planar())
}

pub(crate) fn scene(
    source: &SceneText,
    document: &Document,
    scene: &Scene,
    model: &Model,
    scripted: &ScriptedWorld,
    motions: &[Option<BodyMotion>],
) -> Value {
    let world = &scripted.world;
    let ground_looks = scene.ground.as_ref().map_or(&[][..], |ground| &ground.shapes);
    let grounded = model.shapes().iter().enumerate().filter(|(_, shape)| shape.body().is_none());
    let ground = grounded.filter_map(|(i, _)| world.describe_shape(ShapeId::of_index(i)));
    let mut ground: Vec<Value> = ground.map(|s| look(contact_solid(&s.shape), &s.frame, true, 0)).collect();
    let shown = ground_looks.iter().filter(|shape| shape.collide != Some(false));
    for (look, shape) in ground.iter_mut().zip(shown) {
        paint(look, shape.look.as_ref());
    }
    ground.extend(walls(scene));
    let constraints = model.constraints().iter().map(|constraint| {
        let name = constraint.name.strip_suffix("-thread").filter(|_| constraint.kind() == "screw");
        let name = name.unwrap_or(&constraint.name);
        json!({
            "name": constraint.name,
            "kind": constraint.kind(),
            "bodies": constraint.bodies().map(index).collect::<Vec<_>>(),
            "rows": constraint.rows(),
            "line": line(document, "joints", name),
        })
    });
    let forces = model.forces().iter().map(|force| {
        json!({
            "name": force.name,
            "kind": force.kind.name(),
            "bodies": force.bodies().map(index).collect::<Vec<_>>(),
            "spring": matches!(force.kind, ForceKind::Spring(_) | ForceKind::CurveSpring(_)),
            "line": line(document, "forces", &force.name),
        })
    });
    let probes = model.probes().iter().enumerate().map(|(i, probe)| {
        let point = world.describe_probe(ProbeId::of_index(i)).map_or(Vec3::ZERO, |probe| probe.point);
        json!({
            "name": probe.name,
            "body": index(probe.body()),
            "point": point.to_array(),
            "line": line(document, "probes", &probe.name),
        })
    });
    let deformed = deformed(model).into_iter().map(|(body, piece)| json!({ "body": body, "piece": piece }));
    let script =
        scene.script().iter().map(|e| json!({ "at": e.at, "text": script_text(e) })).collect::<Vec<_>>();
    let settings = world.settings();
    let used = settings.resolved(model);
    let reason = match settings.integrator {
        cardan::Integrator::Auto if used.integrator == cardan::Integrator::TimeStepping => {
            "auto: bodies may rest on many points of contact"
        }
        cardan::Integrator::Auto => "auto: few points of contact, or none",
        _ => "named in the scene",
    };
    let old = document.old_words();
    let old = old.iter().map(|w| format!("line {}: `{}` is an old word for `{}`", w.line, w.old, w.new));
    json!({
        "name": source.name,
        "title": scene.title.clone().unwrap_or_else(|| source.name.clone()),
        "description": scene.description.clone().unwrap_or_default(),
        "bodies": bodies(document, scene, model, world),
        "joints": joints(document, model, world),
        "coordinates": coordinate_list(model, world),
        "constraints": constraints.collect::<Vec<_>>(),
        "forces": forces.collect::<Vec<_>>(),
        "drives": drive_list(model, world),
        "probes": probes.collect::<Vec<_>>(),
        "ground": ground,
        "deformed": deformed.collect::<Vec<_>>(),
        "camera": camera(scene, model),
        "planar": is_planar(model),
        "gravity": model.gravity().to_array(),
        "bounds": bounds(model, world, motions),
        "dt": scene.simulation.dt(),
        "until": scene.simulation.until(),
        "integrator": { "asked": settings.integrator.name(), "used": used.integrator.name(), "reason": reason },
        "coordinatesUsed": match used.coordinates {
            cardan::Coordinates::Joints => "joints",
            _ => "bodies",
        },
        "script": script,
        "warnings": old.collect::<Vec<_>>(),
    })
}
