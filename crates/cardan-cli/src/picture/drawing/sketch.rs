//! What a drawing shows, as plain data in world coordinates (metres).

use super::vec3::{Vec3, unit};

/// A mechanism at one moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sketch {
    pub(crate) title: String,
    pub(crate) gravity: Vec3,
    pub(crate) bodies: Vec<SketchBody>,
    pub(crate) joints: Vec<SketchJoint>,
    pub(crate) springs: Vec<SketchSpring>,
    pub(crate) forces: Vec<SketchForce>,
    pub(crate) probes: Vec<SketchProbe>,
    /// What else a joint shows: curves that it runs on, ropes, edges.
    pub(crate) lines: Vec<Vec<Vec3>>,
    /// What is drawn on top of the bodies, thin and dashed: pitch circles, belts, contact points of wheels.
    pub(crate) marks: Vec<Vec<Vec3>>,
}

/// One moment of a strip.
#[derive(Clone, Debug, Default)]
pub(crate) struct StripFrame {
    /// What stands above the picture: `t = 0.5 s`.
    pub(crate) time: String,
    pub(crate) sketch: Sketch,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct SketchBody {
    pub(crate) name: String,
    pub(crate) shapes: Vec<SketchShape>,
    pub(crate) center_of_mass: Vec3,
    /// World points of the joints, springs and probes on this body. Those that no shape reaches, and all of a
    /// body without a shape, are joined to the centre of mass by a bar.
    pub(crate) attachments: Vec<Vec3>,
}

#[derive(Clone, Debug)]
pub(crate) struct SketchShape {
    pub(crate) kind: SketchShapeKind,
    /// World position of the shape's centre.
    pub(crate) position: Vec3,
    /// Rows of the matrix that turns shape axes into world axes.
    pub(crate) rotation: [Vec3; 3],
}

/// Sizes in metres; boxes by their edges, long shapes along the shape's x axis, plates across its z axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SketchShapeKind {
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

#[derive(Clone, Debug)]
pub(crate) struct SketchJoint {
    pub(crate) name: String,
    pub(crate) kind: JointSymbol,
    pub(crate) position: Vec3,
    /// Hinge or sliding direction.
    pub(crate) axis: Option<Vec3>,
    /// One side is the ground; of a distance, the end at `position`.
    pub(crate) grounded: bool,
}

/// The symbol of a joint, and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum JointSymbol {
    Pin,
    Ball,
    Slider,
    Weld,
    Rod { to: Vec3 },
    Ring { center: Vec3, normal: Vec3, radius: f64 },
    Mark,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SketchSpring {
    pub(crate) from: Vec3,
    pub(crate) to: Vec3,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SketchForce {
    pub(crate) at: Vec3,
    pub(crate) vector: Vec3,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct SketchProbe {
    pub(crate) name: String,
    pub(crate) position: Vec3,
    /// Where the point has been.
    pub(crate) trail: Vec<Vec3>,
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
    pub(super) fn cleaned(&self) -> Sketch {
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
