//! From a running mechanism to the plain data of a drawing.

use crate::sketch_data::{
    JointSymbol, Sketch, SketchBody, SketchForce, SketchJoint, SketchProbe, SketchShape, SketchShapeKind,
    SketchSpring,
};
use cardan::force::ForceKind;
use cardan::joint::{Anchor, Symbol};
use cardan::math::Vec3;
use cardan::measure::Instant;
use cardan::{BodyId, ConstraintId, ForceId, JointId, ProbeId};
use cardan::{Frame, Heading, Model, Shape, Simulation, SolidShape};

/// The mechanism as it stands, with the paths that its probes have taken. `all` is the model of all parts that there may
/// be: trails are those of its probes.
pub fn sketch(title: &str, all: &Model, sim: &mut Simulation, trails: &[Vec<[f64; 3]>]) -> Sketch {
    let model = sim.model().clone();
    let now = sim.kinematics();
    let mut bodies = SketchBodies::new(&model, &now);
    let joints = joints(&model, &now, &mut bodies);
    let (springs, forces) = springs_and_forces(&model, &now, &mut bodies);
    let (lines, marks) = outlines(&model, &now, &mut bodies);
    let probes = model.probes().iter().enumerate().map(|(i, probe)| {
        let position = now.probe(ProbeId::of_index(i)).position;
        bodies.attach(probe.body(), probe.piece(), position);
        let at = all.probes().iter().position(|other| other.name == probe.name);
        let trail = at.and_then(|at| trails.get(at)).cloned().unwrap_or_default();
        SketchProbe { name: probe.name.clone(), position: position.to_array(), trail }
    });
    let probes = probes.collect();
    Sketch {
        title: title.to_string(),
        gravity: model.gravity().to_array(),
        bodies: bodies.all,
        joints,
        springs,
        forces,
        probes,
        lines,
        marks,
    }
}

/// The bodies of a sketch, one for each piece of a body of the model, with the points where something is attached.
struct SketchBodies {
    all: Vec<SketchBody>,
    /// Index of the first piece of each body.
    first_of: Vec<usize>,
}

impl SketchBodies {
    fn new(model: &Model, now: &Instant<'_>) -> Self {
        let mut all: Vec<SketchBody> = Vec::with_capacity(model.bodies().len());
        let mut first_of = Vec::with_capacity(model.bodies().len());
        for (i, body) in model.bodies().iter().enumerate() {
            let at = now.body(BodyId::of_index(i));
            let shapes = body.shapes.iter().map(|placed| {
                // A body that deforms is drawn with its stretch and shear.
                let (m, position) = if body.kind.is_general() {
                    let axes = now.deformation_of_body(BodyId::of_index(i));
                    (axes * placed.frame.rot.matrix(), at.frame_position + axes * placed.frame.pos)
                } else {
                    let m = (at.orientation * placed.frame.rot).matrix();
                    (m, at.frame_position + at.orientation * placed.frame.pos)
                };
                let rotation = [0, 1, 2].map(|r| [m.x[r], m.y[r], m.z[r]]);
                SketchShape { kind: shape(&placed.shape), position: position.to_array(), rotation }
            });
            let mut shapes: Vec<SketchShape> = shapes.collect();
            first_of.push(all.len());
            let pieces = now.pieces_of_body(BodyId::of_index(i));
            for piece in 0..pieces {
                // The shapes of a body are on its first piece.
                let mut shapes = std::mem::take(&mut shapes);
                let center =
                    now.center_of_piece(BodyId::of_index(i), piece).unwrap_or(at.position).to_array();
                let mut attachments = Vec::new();
                if shapes.is_empty() && !now.piece_has_axes(BodyId::of_index(i), piece) {
                    let rotation = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                    shapes.push(SketchShape { kind: SketchShapeKind::Point, position: center, rotation });
                } else if shapes.is_empty() && pieces > 1 {
                    // A stick from where it is placed.
                    attachments.extend(
                        now.point_of_piece(BodyId::of_index(i), piece, Vec3::ZERO)
                            .map(|(place, _)| place.to_array()),
                    );
                }
                let name = if piece == 0 { body.name.clone() } else { format!("{}/{piece}", body.name) };
                all.push(SketchBody { name, shapes, center_of_mass: center, attachments });
            }
        }
        SketchBodies { all, first_of }
    }

    /// Adds a point of a piece that something is attached to; nothing for the ground.
    fn attach(&mut self, body: Option<BodyId>, piece: usize, point: Vec3) {
        if let Some(i) = body {
            self.all[self.first_of[i.index()] + piece].attachments.push(point.to_array());
        }
    }
}

fn joints(model: &Model, now: &Instant<'_>, bodies: &mut SketchBodies) -> Vec<SketchJoint> {
    let mut joints = Vec::with_capacity(model.joints().len());
    for (i, joint) in model.joints().iter().enumerate() {
        let at = now.joint(JointId::of_index(i));
        let (a, b) = (joint.body_a(), joint.body_b());
        let mut position = at.position.to_array();
        let about = joint.kind.about();
        let kind = match about.symbol {
            Symbol::Pin => JointSymbol::Pin,
            Symbol::Ball => JointSymbol::Ball,
            Symbol::Slider => JointSymbol::Slider,
            // A block on a rail, but not one in a wall: that is for joints that cannot turn.
            Symbol::Sleeve if a.is_some() && b.is_some() => JointSymbol::Slider,
            Symbol::Sleeve | Symbol::Mark => JointSymbol::Mark,
            Symbol::Weld => JointSymbol::Weld,
            Symbol::Rod => {
                // The grounded end, if there is one, is where the drawing puts the ground.
                let (from, to) =
                    if b.is_none() { (at.position, at.position_a) } else { (at.position_a, at.position) };
                position = from.to_array();
                JointSymbol::Rod { to: to.to_array() }
            }
            Symbol::Ring => JointSymbol::Ring {
                center: at.position_a.to_array(),
                normal: at.axis.to_array(),
                radius: joint.kind.size().map_or(0.0, |(_, radius)| radius),
            },
        };
        // Where b's point may be anywhere, a's anchor is no end of it.
        let is_apart = about.anchor == Anchor::Around || about.locks.shifts() == 0;
        let [piece_a, piece_b] = joint.pieces();
        if !is_apart {
            bodies.attach(a, piece_a, at.position_a);
        }
        bodies.attach(b, piece_b, at.position);
        joints.push(SketchJoint {
            name: joint.name.clone(),
            kind,
            position,
            axis: joint.kind.needs_axis().then(|| at.axis.to_array()),
            grounded: a.is_none() || b.is_none(),
        });
    }
    joints
}

fn springs_and_forces(
    model: &Model,
    now: &Instant<'_>,
    bodies: &mut SketchBodies,
) -> (Vec<SketchSpring>, Vec<SketchForce>) {
    let (mut springs, mut forces) = (Vec::new(), Vec::new());
    for (i, force) in model.forces().iter().enumerate() {
        let points: Vec<Vec3> = now.force_points(ForceId::of_index(i)).collect();
        match &force.kind {
            ForceKind::Spring(_) => {
                springs.push(SketchSpring { from: points[0].to_array(), to: points[1].to_array() });
                for ((body, piece), point) in force.bodies().zip(force.pieces()).zip(&points) {
                    bodies.attach(body, piece, *point);
                }
            }
            ForceKind::Constant(law) => {
                let turned = match (law.heading, force.bodies().next().flatten()) {
                    (Heading::Body, Some(body)) => now.body(body).orientation * law.force,
                    _ => law.force,
                };
                forces.push(SketchForce { at: points[0].to_array(), vector: turned.to_array() });
            }
            _ => {}
        }
    }
    (springs, forces)
}

/// A polyline of a drawing.
type Line = Vec<[f64; 3]>;

/// Outlines of shapes of the ground and of constraints: lines behind the bodies, and marks on top of them.
fn outlines(model: &Model, now: &Instant<'_>, bodies: &mut SketchBodies) -> (Vec<Line>, Vec<Line>) {
    let (mut lines, mut marks) = (Vec::new(), Vec::new());
    for shape in model.shapes() {
        let Some(frame) = shape.frame_on_ground() else { continue };
        if matches!(shape.shape, Shape::Plane) {
            lines.extend(floor(model, frame, bodies));
            continue;
        }
        let place = |p: &Vec3| (frame.pos + frame.rot * *p).to_array();
        lines.extend(shape.shape.outline().iter().map(|line| line.iter().map(place).collect::<Vec<_>>()));
    }
    for (i, constraint) in model.constraints().iter().enumerate() {
        let outline = now.constraint_outline(ConstraintId::of_index(i));
        let count = outline.len();
        for (n, line) in outline.into_iter().enumerate() {
            let line: Line = line.iter().map(|p| p.to_array()).collect();
            let on_top = count - n <= constraint.marks();
            let all = if on_top { &mut marks } else { &mut lines };
            // Six wheels on one landscape show it once.
            if !all.contains(&line) {
                all.push(line);
            }
        }
        let seen = constraint.bodies().zip(constraint.pieces());
        for ((body, piece), point) in seen.zip(now.constraint_points(ConstraintId::of_index(i))) {
            bodies.attach(body, piece, point);
        }
    }
    (lines, marks)
}

/// A plane of the ground below (or beside) what there is: a hatched line for planar bodies, a rectangle for others. A
/// plane has no end; the drawing shows it a little farther than the mechanism reaches.
fn floor(model: &Model, frame: &Frame, bodies: &SketchBodies) -> Vec<Line> {
    let is_planar = model.bodies().iter().all(|body| body.kind.is_planar());
    let axes = frame.rot.matrix();
    let normal = axes.z;
    let (u, v) = match is_planar {
        true => (Vec3::Z.cross(normal), Vec3::ZERO),
        false => (axes.x, axes.y),
    };
    let of_body = |body: &SketchBody| {
        let shapes = body.shapes.iter().map(|shape| (Vec3::from(shape.position), radius(&shape.kind)));
        let points = body.attachments.iter().chain([&body.center_of_mass]).map(|p| (Vec3::from(*p), 0.0));
        points.chain(shapes).collect::<Vec<_>>()
    };
    let reach = |axis: Vec3| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (point, radius) in bodies.all.iter().flat_map(of_body) {
            let x = axis.dot(point - frame.pos);
            (low, high) = (low.min(x - radius), high.max(x + radius));
        }
        if low <= high { (low, high) } else { (-0.5, 0.5) }
    };
    let ((a, b), (c, d)) = (reach(u), reach(v));
    let size = (b - a).max(d - c);
    let margin = if size > 0.0 { 0.15 * size } else { 0.5 };
    let at = |x: f64, y: f64| (frame.pos + u * x + v * y).to_array();
    let (a, b, c, d) = (a - margin, b + margin, c - margin, d + margin);
    if !is_planar {
        return vec![vec![at(a, c), at(b, c), at(b, d), at(a, d), at(a, c)]];
    }
    let mut lines = vec![vec![at(a, 0.0), at(b, 0.0)]];
    let step = (b - a) / HATCHES as f64;
    for k in 1..=HATCHES {
        let from = a + step * k as f64;
        let into = frame.pos + u * (from - 0.5 * step) - normal * (0.5 * step);
        lines.push(vec![at(from, 0.0), into.to_array()]);
    }
    lines
}

/// Hatches of a floor.
const HATCHES: usize = 40;

/// Half of the largest size of a shape.
fn radius(kind: &SketchShapeKind) -> f64 {
    match kind {
        SketchShapeKind::Box { size } => 0.5 * size.iter().fold(0.0, |w: f64, x| w.max(*x)),
        SketchShapeKind::Sphere { radius } => *radius,
        SketchShapeKind::Cylinder { radius, length } | SketchShapeKind::Capsule { radius, length } => {
            radius + 0.5 * length
        }
        SketchShapeKind::Rod { length } => 0.5 * length,
        SketchShapeKind::Plate { size } => 0.5 * size[0].max(size[1]),
        _ => 0.0,
    }
}

fn shape(shape: &SolidShape) -> SketchShapeKind {
    match *shape {
        SolidShape::Polyhedron(ref solid) => SketchShapeKind::Faces {
            faces: solid.faces().map(|face| face.map(|p| p.to_array()).collect()).collect(),
            convex: solid.kind() == "hull",
        },
        SolidShape::Box { size } => SketchShapeKind::Box { size },
        SolidShape::Sphere { radius } => SketchShapeKind::Sphere { radius },
        SolidShape::Cylinder { radius, length } => SketchShapeKind::Cylinder { radius, length },
        SolidShape::Capsule { radius, length } => SketchShapeKind::Capsule { radius, length },
        SolidShape::Rod { length, .. } => SketchShapeKind::Rod { length },
        SolidShape::Plate { size, .. } => SketchShapeKind::Plate { size },
    }
}
