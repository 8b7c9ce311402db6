//! What a drawing shows, as plain data in world coordinates (metres).

#![allow(missing_docs, reason = "fields are what their names say, in metres and newtons")]

use serde::Serialize;

/// x, y, z.
type Vec3 = [f64; 3];

/// A mechanism at one moment.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sketch {
    pub title: String,
    pub gravity: Vec3,
    pub bodies: Vec<SketchBody>,
    pub joints: Vec<SketchJoint>,
    pub springs: Vec<SketchSpring>,
    pub forces: Vec<SketchForce>,
    pub probes: Vec<SketchProbe>,
    /// What else a joint shows: curves that it runs on, ropes, edges.
    pub lines: Vec<Vec<Vec3>>,
    /// What is drawn on top of the bodies, thin and dashed: pitch circles, belts, contact points of wheels.
    pub marks: Vec<Vec<Vec3>>,
}

/// One moment of a strip.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StripFrame {
    /// What stands above the picture: `t = 0.5 s`.
    pub time: String,
    pub sketch: Sketch,
}

/// A body, or a piece of one.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SketchBody {
    pub name: String,
    pub shapes: Vec<SketchShape>,
    pub center_of_mass: Vec3,
    /// World points of the joints, springs and probes on this body. Those that no shape reaches, and all of a
    /// body without a shape, are joined to the centre of mass by a bar.
    pub attachments: Vec<Vec3>,
}

/// A shape of a body, placed in the world.
#[derive(Clone, Debug, Serialize)]
pub struct SketchShape {
    pub kind: SketchShapeKind,
    /// World position of the shape's centre.
    pub position: Vec3,
    /// Rows of the matrix that turns shape axes into world axes.
    pub rotation: [Vec3; 3],
}

/// Sizes in metres; boxes by their edges, long shapes along the shape's x axis, plates across its z axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SketchShapeKind {
    Box {
        size: Vec3,
    },
    Sphere {
        radius: f64,
    },
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// The length is that of the straight part.
    Capsule {
        radius: f64,
        length: f64,
    },
    Rod {
        length: f64,
    },
    Plate {
        size: [f64; 2],
    },
    /// Flat faces, in the frame of the shape: their corners, counter-clockwise from outside. Convex if so said.
    Faces {
        faces: Vec<Vec<Vec3>>,
        convex: bool,
    },
    Point,
}

/// A joint.
#[derive(Clone, Debug, Serialize)]
pub struct SketchJoint {
    pub name: String,
    pub kind: JointSymbol,
    pub position: Vec3,
    /// Hinge or sliding direction.
    pub axis: Option<Vec3>,
    /// One side is the ground; of a distance, the end at `position`.
    pub grounded: bool,
}

/// The symbol of a joint, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "symbol", rename_all = "kebab-case")]
pub enum JointSymbol {
    Pin,
    Ball,
    Slider,
    Weld,
    Rod { to: Vec3 },
    Ring { center: Vec3, normal: Vec3, radius: f64 },
    Mark,
}

/// A spring.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SketchSpring {
    pub from: Vec3,
    pub to: Vec3,
}

/// A force.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SketchForce {
    pub at: Vec3,
    pub vector: Vec3,
}

/// A probe.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SketchProbe {
    pub name: String,
    pub position: Vec3,
    /// Where the point has been.
    pub trail: Vec<Vec3>,
}

/// A vector of length one; `None` for the zero vector and for what is not finite.
fn unit(v: Vec3) -> Option<Vec3> {
    let largest = v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if !largest.is_finite() || largest == 0.0 {
        return None;
    }
    let v = v.map(|x| x * (1.0 / largest));
    let size = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    Some(v.map(|x| x * (1.0 / size)))
}

/// Coordinates beyond this are treated like those that are not finite.
const FARTHEST: f64 = 1e30;

fn placed(p: &Vec3) -> bool {
    p.iter().all(|x| x.abs() <= FARTHEST)
}

fn length(x: f64) -> f64 {
    if x.abs() <= FARTHEST { x.abs() } else { 0.0 }
}

impl Sketch {
    /// The sketch without parts that cannot be drawn: parts at places that are not finite are left out,
    /// sizes that are not finite are zero.
    pub fn cleaned(&self) -> Sketch {
        let points = |list: &[Vec3]| list.iter().filter(|p| placed(p)).copied().collect::<Vec<_>>();
        let body = |body: &SketchBody| SketchBody {
            name: body.name.clone(),
            shapes: body.shapes.iter().filter(|s| placed(&s.position)).map(SketchShape::cleaned).collect(),
            center_of_mass: body.center_of_mass,
            attachments: points(&body.attachments),
        };
        let joint = |joint: &SketchJoint| {
            let kind = match joint.kind {
                JointSymbol::Rod { to } if !placed(&to) => JointSymbol::Mark,
                JointSymbol::Ring { center, normal, radius } => match unit(normal) {
                    Some(normal) if placed(&center) => {
                        JointSymbol::Ring { center, normal, radius: length(radius) }
                    }
                    _ => JointSymbol::Mark,
                },
                kind => kind,
            };
            SketchJoint { kind, axis: joint.axis.and_then(unit), ..joint.clone() }
        };
        let probe = |probe: &SketchProbe| SketchProbe { trail: points(&probe.trail), ..probe.clone() };
        Sketch {
            title: self.title.clone(),
            gravity: if placed(&self.gravity) { self.gravity } else { [0.0; 3] },
            bodies: self.bodies.iter().filter(|b| placed(&b.center_of_mass)).map(body).collect(),
            joints: self.joints.iter().filter(|j| placed(&j.position)).map(joint).collect(),
            springs: self.springs.iter().filter(|s| placed(&s.from) && placed(&s.to)).copied().collect(),
            forces: self.forces.iter().filter(|f| placed(&f.at) && placed(&f.vector)).copied().collect(),
            probes: self.probes.iter().filter(|p| placed(&p.position)).map(probe).collect(),
            lines: self.lines.iter().map(|line| points(line)).collect(),
            marks: self.marks.iter().map(|line| points(line)).collect(),
        }
    }
}

impl SketchShape {
    fn cleaned(&self) -> SketchShape {
        let kind = match &self.kind {
            &SketchShapeKind::Box { size } => SketchShapeKind::Box { size: size.map(length) },
            &SketchShapeKind::Sphere { radius } => SketchShapeKind::Sphere { radius: length(radius) },
            &SketchShapeKind::Cylinder { radius: r, length: l } => {
                SketchShapeKind::Cylinder { radius: length(r), length: length(l) }
            }
            &SketchShapeKind::Capsule { radius: r, length: l } => {
                SketchShapeKind::Capsule { radius: length(r), length: length(l) }
            }
            &SketchShapeKind::Rod { length: l } => SketchShapeKind::Rod { length: length(l) },
            &SketchShapeKind::Plate { size } => SketchShapeKind::Plate { size: size.map(length) },
            SketchShapeKind::Faces { faces, convex } => {
                let sound = faces.iter().filter(|face| face.len() > 2 && face.iter().all(placed));
                SketchShapeKind::Faces { faces: sound.cloned().collect(), convex: *convex }
            }
            SketchShapeKind::Point => SketchShapeKind::Point,
        };
        let turned = self.rotation.iter().all(|row| row.iter().all(|x| x.abs() <= 2.0));
        let rotation = if turned { self.rotation } else { [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]] };
        SketchShape { kind, rotation, position: self.position }
    }
}
