//! Continuous collision detection: the longest trial step in which nothing passes through unseen.
//!
//! Contacts are evaluated at the end of a trial. Two shapes whose swept bounding boxes overlap may
//! move relative to each other by at most
//!
//! ```text
//! d + (s_a + s_b) / 4
//! ```
//!
//! d: distance of their bounding boxes; s: smallest edge of each shape's box. So a penetration is
//! seen on the side on which they met. Far apart that is a long way, so a step is cut only near a
//! collision; slow shapes are skipped. Planes and terrains are solid below and cannot be passed.

use crate::body::general::Motions;
use crate::math::{Mat3, Vec3, larger};
use crate::model::Model;
use crate::step::contact::rows::{pose_of, shape_frame};
use crate::step::contact::{ContactKey, ContactSet};
use cardan_shapes::{Bounds, BroadPhase, Pose, Shape};

/// Size of a shape: smallest edge of its box, and largest distance from its frame \[m\].
#[derive(Copy, Clone, Debug)]
struct ShapeExtent {
    thin: f64,
    reach: f64,
}

/// Sizes of all shapes, and the broad phase of their swept boxes.
#[derive(Debug)]
pub(crate) struct Ccd {
    sizes: Vec<ShapeExtent>,
    thinnest: f64,
    broad: BroadPhase,
}

impl Ccd {
    /// Sizes of the shapes of a model.
    pub(crate) fn new(model: &Model) -> Self {
        let size = |shape: &Shape| match shape {
            Shape::Plane | Shape::Terrain(_) => ShapeExtent { thin: f64::INFINITY, reach: 0.0 },
            shape => {
                let own = shape.aabb(&Pose { pos: Vec3::ZERO, rot: Mat3::IDENTITY });
                let edges = own.max - own.min;
                let least = if edges.x < edges.y { edges.x } else { edges.y };
                let far = |k: usize| larger(own.min[k].abs(), own.max[k].abs());
                ShapeExtent {
                    // A surface has no inside.
                    thin: match shape {
                        Shape::Mesh(_) => 0.0,
                        _ if edges.z < least => edges.z,
                        _ => least,
                    },
                    reach: Vec3::new(far(0), far(1), far(2)).norm(),
                }
            }
        };
        let sizes: Vec<ShapeExtent> = model.contacts.shapes.iter().map(|shape| size(&shape.shape)).collect();
        let thick = sizes.iter().map(|size| size.thin).filter(|thin| *thin > 0.0);
        let thinnest = thick.fold(f64::INFINITY, |least, thin| if thin < least { thin } else { least });
        Ccd { sizes, thinnest, broad: BroadPhase::new(0.0) }
    }
}

impl ContactSet {
    /// The part of `h` after which a trial step from these motions should end \[s\].
    pub(crate) fn safe_step(&mut self, model: &Model, motions: &Motions, h: f64) -> f64 {
        let shapes = &model.contacts.shapes;
        let ContactSet { set, ccd, .. } = self;
        let Ccd { sizes, thinnest, broad } = ccd;
        if shapes.len() < 2 {
            return h;
        }
        let fall = model.gravity.norm() * h;
        let frame = |i: usize| shape_frame(model, motions, i as u32);
        let speed = |i: usize| {
            let at = frame(i);
            at.vel.norm() + at.omega.norm() * sizes[i].reach
        };
        let fastest = (0..shapes.len()).fold(0.0, |most, i| larger(most, speed(i)));
        if 2.0 * (fastest + fall) * h <= 0.25 * *thinnest {
            return h;
        }
        for (i, shape) in shapes.iter().enumerate() {
            let bounds = Bounds::of(&shape.shape, &pose_of(&frame(i)), (speed(i) + fall) * h);
            broad.set(i as u32, bounds);
        }
        let mut most = h;
        for &(i, j) in broad.pairs(|i, j| model.contacts.skips(i, j)) {
            let is_held = |key: ContactKey| matches!(key, ContactKey::Contact(a, b, _) if (a, b) == (i, j));
            let (a, b) = (i as usize, j as usize);
            let room = 0.25 * (sizes[a].thin + sizes[b].thin);
            if room == 0.0 || room == f64::INFINITY || set.iter().any(|item| is_held(item.key)) {
                continue;
            }
            let (at_a, at_b) = (frame(a), frame(b));
            let turning = at_a.omega.norm() * sizes[a].reach + at_b.omega.norm() * sizes[b].reach;
            let relative_speed = (at_b.vel - at_a.vel).norm() + turning + fall;
            if relative_speed * h <= room {
                continue;
            }
            let (box_a, box_b) =
                (shapes[a].shape.aabb(&pose_of(&at_a)), shapes[b].shape.aabb(&pose_of(&at_b)));
            let (above, below) = (box_a.min - box_b.max, box_b.min - box_a.max);
            let apart = (0..3).fold(0.0, |most, k| larger(most, larger(above[k], below[k])));
            let part = (apart + room) / relative_speed;
            most = if part < most { part } else { most };
        }
        most
    }
}
