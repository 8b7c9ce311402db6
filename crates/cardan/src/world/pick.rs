//! Picking: the first body, joint or shape of the ground that a ray hits.

use super::{World, WorldError};
use crate::body::{PlacedShape, SolidShape};
use crate::contact::ModelShape;
use crate::math::{Mat3, Vec3};
use crate::model::{BodyId, End, Id, JointId, ShapeId};
use cardan_shapes::{Pose, Shape};

/// Which shape of a body a ray hit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PickedShape {
    /// One that it shows, by its index in the body's description.
    Visual(usize),
    /// A contact shape.
    Contact(ShapeId),
}

/// The first body that a ray hits.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Pick {
    /// Which body.
    pub body: BodyId,
    /// The piece of the body; 0 unless it is a general body with several.
    pub piece: u32,
    /// The shape that was hit; `None` for a body that shows none.
    pub shape: Option<PickedShape>,
    /// The point hit, world axes \[m\].
    pub point: Vec3,
    /// The point in the frame of the body or piece \[m\]; the origin for a point mass.
    pub in_body: Vec3,
    /// Unit normal out of the body, world axes.
    pub normal: Vec3,
    /// Distance from the origin of the ray \[m\].
    pub distance: f64,
}

impl Pick {
    /// The end to grab, with `in_body`.
    pub fn end(&self) -> End {
        match self.piece {
            0 => End::Body(self.body),
            piece => End::Piece(self.body, piece),
        }
    }
}

/// What a ray hits.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum PickTarget {
    /// A body.
    Body(Pick),
    /// A joint, and the body that the ray hits there, if any.
    Joint(JointId, Option<Pick>),
    /// A shape of the ground.
    Ground(ShapeId),
}

/// The first part that a ray hits.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct PartPick {
    /// Which part.
    pub target: PickTarget,
    /// The point hit, world axes \[m\]; of a joint the origin of b's frame.
    pub point: Vec3,
    /// Unit normal out of the part, world axes; of a joint its axis.
    pub normal: Vec3,
    /// Distance from the origin of the ray \[m\].
    pub distance: f64,
}

/// A joint is hit through material up to this many times the radius of the ray: its sign is drawn over the bodies.
const JOINT_DEPTH: f64 = 4.0;

/// Where a ray enters a visible shape of a body, in the frame of the body: distance along the ray, and the normal.
fn enters(placed: &PlacedShape, origin: Vec3, direction: Vec3) -> Option<(f64, Vec3)> {
    let pose = Pose { pos: placed.frame.pos, rot: placed.frame.rot.matrix() };
    let solid = match &placed.shape {
        SolidShape::Box { size } => Shape::Box { size: *size },
        SolidShape::Sphere { radius } => Shape::Sphere { radius: *radius },
        SolidShape::Cylinder { radius, length } => Shape::Cylinder { radius: *radius, length: *length },
        SolidShape::Capsule { radius, length } => Shape::Capsule { radius: *radius, length: *length },
        SolidShape::Rod { length, radius } => {
            // A line without thickness gets a radius.
            let radius = crate::math::larger(*radius, 0.02 * length);
            Shape::Cylinder { radius, length: *length }
        }
        SolidShape::Plate { size: [x, y], thickness } => {
            Shape::Box { size: [*x, *y, crate::math::larger(*thickness, 1e-3 * x)] }
        }
        SolidShape::Polyhedron(solid) => {
            let (origin, direction) = (pose.point_inverse(origin), pose.rot.transpose_mul(direction));
            let mut first: Option<(f64, Vec3)> = None;
            for face in solid.faces() {
                let corners: Vec<Vec3> = face.collect();
                for k in 2..corners.len() {
                    let hit = triangle([corners[0], corners[k - 1], corners[k]], origin, direction);
                    if let Some(hit) = hit
                        && first.is_none_or(|first| hit.0 < first.0)
                    {
                        first = Some(hit);
                    }
                }
            }
            return first.map(|(at, normal)| (at, pose.rot * normal));
        }
    };
    solid.ray(&pose, origin, direction).map(|hit| (hit.at, hit.normal))
}

/// Where a ray crosses a triangle from its outer side, and the normal.
fn triangle([a, b, c]: [Vec3; 3], origin: Vec3, direction: Vec3) -> Option<(f64, Vec3)> {
    let (u, v) = (b - a, c - a);
    let normal = u.cross(v);
    let along = normal.dot(direction);
    if along.is_nan() || along >= 0.0 {
        return None;
    }
    let at = normal.dot(a - origin) / along;
    let off = origin + direction * at - a;
    let size = normal.dot(normal);
    let (s, t) = (off.cross(v).dot(normal) / size, u.cross(off).dot(normal) / size);
    (at >= 0.0 && s >= 0.0 && t >= 0.0 && s + t <= 1.0).then(|| (at, normal / size.sqrt()))
}

/// A⁻¹ v by Cramer's rule, and A⁻ᵀ v.
fn solved(Mat3 { x, y, z }: &Mat3, v: Vec3) -> (Vec3, Vec3) {
    let [yz, zx, xy] = [y.cross(*z), z.cross(*x), x.cross(*y)];
    let volume = x.dot(yz);
    let inverse = Vec3::new(v.dot(yz), v.dot(zx), v.dot(xy)) / volume;
    (inverse, (yz * v.x + zx * v.y + xy * v.z) / volume)
}

impl World {
    /// The first body that a ray hits, by visible shapes and contact shapes. Point masses, and pieces and bodies without shapes, are balls
    /// of this radius \[m\].
    ///
    /// # Errors
    /// If parts cannot be put together, see [`World::assemble`].
    pub fn pick(
        &mut self,
        origin: impl Into<Vec3>,
        direction: impl Into<Vec3>,
        radius: f64,
    ) -> Result<Option<Pick>, WorldError> {
        self.assemble()?;
        let (origin, direction) = (origin.into(), direction.into());
        let Some(direction) = direction.normalized() else { return Ok(None) };
        let mut first: Option<Pick> = None;
        for island in &mut self.islands {
            let members = &island.members.shapes;
            let instant = island.sim.kinematics();
            let bodies = island.members.bodies.iter().enumerate();
            for (i, piece, &place) in bodies.flat_map(|(i, place)| {
                (0..instant.pieces_of_body(BodyId::of_index(i))).map(move |piece| (i, piece, place))
            }) {
                let Some((at, axes)) = instant.point_of_piece(BodyId::of_index(i), piece, Vec3::ZERO) else {
                    continue;
                };
                let body = &instant.model().bodies()[i];
                let (o, d) = (solved(&axes, origin - at).0, solved(&axes, direction).0);
                let mut note = |shape: Option<PickedShape>, hit: Option<(f64, Vec3)>| {
                    let Some((distance, normal)) = hit else { return };
                    if first.as_ref().is_some_and(|first| first.distance <= distance) {
                        return;
                    }
                    let normal = solved(&axes, normal).1.normalized().unwrap_or(normal);
                    let point = origin + direction * distance;
                    let in_body = instant.to_piece_frame(i, piece, point).unwrap_or(o + d * distance);
                    let body = self.parts.bodies.id(place);
                    first = Some(Pick { body, piece: piece as u32, shape, point, in_body, normal, distance });
                };
                // What a body shows is on its first piece.
                let visuals = if piece == 0 { &body.shapes[..] } else { &[] };
                let mut shows = !visuals.is_empty();
                for (k, placed) in visuals.iter().enumerate() {
                    note(Some(PickedShape::Visual(k)), enters(placed, o, d));
                }
                let is_mine =
                    |shape: &&ModelShape| shape.body_index() == Some(i) && shape.at.piece as usize == piece;
                for (&at, shape) in members.iter().zip(instant.model().shapes()).filter(|(_, s)| is_mine(s)) {
                    let picked = Some(PickedShape::Contact(self.parts.shapes.id(at)));
                    shows = true;
                    if shape.at.carrier().is_some() {
                        // What rides on a body that deforms keeps its size: it is met in the world.
                        let at = instant.frame_of_shape(shape);
                        let pose = Pose { pos: at.pos, rot: at.rot.matrix() };
                        let hit = shape.shape.ray(&pose, origin, direction);
                        note(picked, hit.map(|hit| (hit.at, axes.transpose_mul(hit.normal))));
                        continue;
                    }
                    let pos = shape.at.local.pos + body.mass.center;
                    let pose = Pose { pos, rot: shape.at.local.rot.matrix() };
                    note(picked, shape.shape.ray(&pose, o, d).map(|hit| (hit.at, hit.normal)));
                }
                if !shows {
                    let pose = Pose { pos: Vec3::ZERO, rot: Mat3::IDENTITY };
                    note(None, Shape::Sphere { radius }.ray(&pose, o, d).map(|hit| (hit.at, hit.normal)));
                }
            }
        }
        Ok(first)
    }

    /// The first body, joint or shape of the ground that a ray hits. A joint is hit where the ray passes its point (the
    /// origin of b's frame) within the radius \[m\], and no body lies far in front of it.
    ///
    /// # Errors
    /// If parts cannot be put together, see [`World::assemble`].
    pub fn pick_part(
        &mut self,
        origin: impl Into<Vec3>,
        direction: impl Into<Vec3>,
        radius: f64,
    ) -> Result<Option<PartPick>, WorldError> {
        let (origin, direction) = (origin.into(), direction.into());
        let body = self.pick(origin, direction, radius)?;
        let Some(direction) = direction.normalized() else { return Ok(None) };
        let mut first = body.map(|pick| {
            let Pick { point, normal, distance, .. } = pick;
            PartPick { target: PickTarget::Body(pick), point, normal, distance }
        });
        for id in self.parts.shapes.ids::<ShapeId>() {
            let entry = self.parts.shapes.at(id.place());
            if !entry.enabled || entry.part.body.body().is_some() {
                continue;
            }
            let frame = &entry.part.frame;
            let pose = Pose { pos: frame.pos, rot: frame.rot.matrix() };
            let Some(hit) = entry.part.shape.ray(&pose, origin, direction) else { continue };
            if first.as_ref().is_none_or(|first| hit.at < first.distance) {
                let (point, normal, distance) = (hit.point, hit.normal, hit.at);
                first = Some(PartPick { target: PickTarget::Ground(id), point, normal, distance });
            }
        }
        let reach = first.as_ref().map_or(f64::INFINITY, |first| first.distance + JOINT_DEPTH * radius);
        let mut nearest = radius;
        for island in &mut self.islands {
            let instant = island.sim.kinematics();
            for (j, &place) in island.members.joints.iter().enumerate() {
                let at = instant.joint(JointId::of_index(j));
                let along = (at.position - origin).dot(direction);
                let off = (at.position - origin - direction * along).norm();
                if along >= 0.0 && along <= reach && off <= nearest {
                    nearest = off;
                    let target = PickTarget::Joint(self.parts.joints.id(place), body);
                    first = Some(PartPick { target, point: at.position, normal: at.axis, distance: along });
                }
            }
        }
        Ok(first)
    }
}
