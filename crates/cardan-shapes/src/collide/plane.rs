//! Half-spaces against every vertex, sphere and rim that is within the margin.

use super::ContactCollector;
use super::solid::box_vertex;
use crate::contact::FeatureId;
use crate::pose::Pose;
use crate::primitive::{Circle, Plane, Point, PrimitivePair};
use crate::shape::Shape;
use cardan_solve::math::{Vec3, vec3};

const FLOOR: Plane = Plane { on: Vec3::ZERO, normal: Vec3::Z };

/// A cylinder whose axis deviates from the normal by at most this sine stands on four points of its rim ...
pub(super) const STANDING: f64 = 0.02;
/// ... and beyond this one on the lowest point as well.
pub(super) const TILTED: f64 = 1e-9;

pub(super) fn any(shape: &Shape, pose: &Pose, plane: &Pose, collector: &mut ContactCollector<'_>) {
    let mut point = |at: Vec3, radius: f64, part: FeatureId| {
        collector.add_flipped(PrimitivePair::PointPlane(Point { at, radius }, FLOOR), FeatureId::Whole, part);
    };
    match *shape {
        Shape::Plane => {}
        Shape::Sphere { radius } => point(Vec3::ZERO, radius, FeatureId::Whole),
        Shape::Capsule { radius, length } => {
            for k in 0..2 {
                point(end(length, k), radius, FeatureId::Vertex(k));
            }
        }
        Shape::Box { size } => {
            let half = Vec3::from(size) * 0.5;
            // Heights first: most vertices of most boxes are far above.
            let n = pose.rot.transpose_mul(plane.rot.z);
            let height = plane.rot.z.dot(pose.pos - plane.pos);
            let bound = collector.margin + 1e-12 * (height.abs() + half.x + half.y + half.z);
            for v in 0..8 {
                let at = box_vertex(half, v);
                if height + n.dot(at) <= bound {
                    collector.add_flipped(
                        PrimitivePair::PointPlane(Point { at, radius: 0.0 }, FLOOR),
                        FeatureId::Whole,
                        FeatureId::Vertex(v),
                    );
                }
            }
        }
        Shape::Hull(ref hull) => {
            for (v, &at) in hull.vertices().iter().enumerate() {
                point(at, 0.0, FeatureId::Vertex(v as u32));
            }
        }
        Shape::Mesh(ref mesh) => {
            // All vertices, not only the lowest: another may be lowest after a small rotation.
            let n = pose.rot.transpose_mul(plane.rot.z);
            let height = plane.rot.z.dot(pose.pos - plane.pos);
            for (v, &at) in mesh.vertices().iter().enumerate() {
                let slack = 1e-12 * (height.abs() + at.reach());
                if height + n.dot(at) <= collector.margin + slack {
                    let pair = PrimitivePair::PointPlane(Point { at, radius: 0.0 }, FLOOR);
                    collector.add_flipped(pair, FeatureId::Whole, FeatureId::Vertex(v as u32));
                }
            }
        }
        Shape::Terrain(_) => {}
        Shape::Cylinder { radius, length } => {
            let n = pose.rot.transpose_mul(plane.rot.z);
            let lean = (n.y * n.y + n.z * n.z).sqrt();
            for k in 0..2 {
                let center = end(length, k);
                if lean > TILTED {
                    let rim = Circle { center, axis: Vec3::X, radius };
                    collector.add_flipped(
                        PrimitivePair::CirclePlane(rim, FLOOR),
                        FeatureId::Whole,
                        FeatureId::Rim(k),
                    );
                }
                if lean < STANDING {
                    for (i, at) in rim_points(center, radius).into_iter().enumerate() {
                        collector.add_flipped(
                            PrimitivePair::PointPlane(Point { at, radius: 0.0 }, FLOOR),
                            FeatureId::Whole,
                            FeatureId::RimPoint(k, i as u32),
                        );
                    }
                }
            }
        }
    }
}

/// An end of a shape along x.
pub(super) fn end(length: f64, k: u32) -> Vec3 {
    vec3(if k == 0 { -0.5 * length } else { 0.5 * length }, 0.0, 0.0)
}

/// Four points of a rim.
pub(super) fn rim_points(center: Vec3, radius: f64) -> [Vec3; 4] {
    [(radius, 0.0), (0.0, radius), (-radius, 0.0), (0.0, -radius)].map(|(y, z)| center + vec3(0.0, y, z))
}
