//! Interaction for viewers: pick a body by a ray, drag it by a spring or exactly, pin it.

use super::{PartId, World, WorldError};
use crate::body::{Frame, FrameMotion, PlacedShape, SolidShape};
use crate::constraint::{Constraint, ConstraintRows, UserConstraint};
use crate::contact::ModelShape;
use crate::force::{Force, ForceLaw, ForceOutput};
use crate::joint::{Joint, Placement};
use crate::math::{Mat3, Vec3};
use crate::model::{BodyId, ConstraintId, End, ForceId, Id, JointId};
use crate::tolerances::SAME_TIME;
use cardan_shapes::{Pose, Shape};
use std::sync::Arc;

/// The first body that a ray hits.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Pick {
    /// Which body.
    pub body: BodyId,
    /// The piece of the body; 0 unless it is a general body with several.
    pub piece: u32,
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

/// How a body is grabbed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum GrabMode {
    /// By a critically damped spring, scaled to the body: k = m ω², d = 2 m ω.
    Spring {
        /// ω/2π \[Hz\]; a few hertz are a good choice.
        frequency: f64,
    },
    /// Exactly: the point is prescribed, with any force.
    Exact,
}

/// A grabbed point of a body.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct GrabHandle {
    end: End,
    body: BodyId,
    in_body: Vec3,
    by: HeldBy,
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum HeldBy {
    /// With stiffness and damping.
    Spring(ForceId, f64, f64),
    Guide(ConstraintId),
}

/// An exact grab, and where it stops.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct GuidedGrab {
    pub(super) id: ConstraintId,
    pub(super) to: Vec3,
    until: f64,
}

impl GrabHandle {
    /// The spring or constraint that holds it, readable like any other part.
    pub fn part(&self) -> PartId {
        match self.by {
            HeldBy::Spring(id, ..) => id.into(),
            HeldBy::Guide(id) => id.into(),
        }
    }
    /// Which body.
    pub fn body(&self) -> BodyId {
        self.body
    }
}

/// f = k (to − p) − d ṗ
#[derive(Clone, Debug)]
struct PointSpring {
    to: Vec3,
    stiffness: f64,
    damping: f64,
}

impl ForceLaw for PointSpring {
    fn apply(&self, _time: f64, frames: &[FrameMotion], out: &mut ForceOutput<'_>) {
        let (away, speed) = (self.to - frames[0].pos, frames[0].vel);
        out.wrench[0].force = away * self.stiffness - speed * self.damping;
        out.potential = Some(0.5 * self.stiffness * away.dot(away));
        out.dissipated_power = self.damping * speed.dot(speed);
    }
}

/// A point that is moved along a straight line: C = e_r·(p − from − u (t − since)).
#[derive(Clone, Debug)]
pub(crate) struct GuidedPoint {
    from: Vec3,
    rate: Vec3,
    since: f64,
    /// Time of arrival \[s\].
    until: f64,
    rows: usize,
}

impl GuidedPoint {
    fn place(&self, time: f64) -> Vec3 {
        let end = if time < self.until { time } else { self.until };
        self.from + self.rate * (end - self.since)
    }
}

impl Constraint for GuidedPoint {
    fn kind(&self) -> &'static str {
        "hand"
    }
    fn rows(&self) -> usize {
        self.rows
    }
    fn is_timed(&self) -> bool {
        true
    }
    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let place = self.place(time);
        // At the end it still moves.
        let rate = if time <= self.until + SAME_TIME * (1.0 + time.abs()) { self.rate } else { Vec3::ZERO };
        for (r, e) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().take(self.rows).enumerate() {
            out.err[r] = e.dot(frames[0].pos - place);
            out.err_time_rate[r] = -e.dot(rate);
            out.scale[r] = 1.0 + place.largest();
            out.gradient(r, 0).force = e;
        }
    }
}

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
                let mut note = |hit: Option<(f64, Vec3)>| {
                    let Some((distance, normal)) = hit else { return };
                    if first.as_ref().is_some_and(|first| first.distance <= distance) {
                        return;
                    }
                    let normal = solved(&axes, normal).1.normalized().unwrap_or(normal);
                    let point = origin + direction * distance;
                    let in_body = instant.to_piece_frame(i, piece, point).unwrap_or(o + d * distance);
                    let body = self.parts.bodies.id(place);
                    first = Some(Pick { body, piece: piece as u32, point, in_body, normal, distance });
                };
                // What a body shows is on its first piece.
                let visuals = if piece == 0 { &body.shapes[..] } else { &[] };
                let mut shows = !visuals.is_empty();
                visuals.iter().for_each(|placed| note(enters(placed, o, d)));
                let is_mine =
                    |shape: &&ModelShape| shape.body_index() == Some(i) && shape.at.piece as usize == piece;
                for shape in instant.model().shapes().iter().filter(is_mine) {
                    shows = true;
                    if shape.at.carrier().is_some() {
                        // What rides on a body that deforms keeps its size: it is met in the world.
                        let at = instant.frame_of_shape(shape);
                        let pose = Pose { pos: at.pos, rot: at.rot.matrix() };
                        let hit = shape.shape.ray(&pose, origin, direction);
                        note(hit.map(|hit| (hit.at, axes.transpose_mul(hit.normal))));
                        continue;
                    }
                    let pos = shape.at.local.pos + body.mass.center;
                    let pose = Pose { pos, rot: shape.at.local.rot.matrix() };
                    note(shape.shape.ray(&pose, o, d).map(|hit| (hit.at, hit.normal)));
                }
                if !shows {
                    let pose = Pose { pos: Vec3::ZERO, rot: Mat3::IDENTITY };
                    note(Shape::Sphere { radius }.ray(&pose, o, d).map(|hit| (hit.at, hit.normal)));
                }
            }
        }
        Ok(first)
    }

    /// Where a point of a body frame, or of that of a piece, is.
    fn place_of(&mut self, end: End, in_body: Vec3) -> Result<(BodyId, Vec3), WorldError> {
        let body = end.body().ok_or(WorldError::NoSuchPart { what: BodyId::WHAT })?;
        let (island, index) = self.island_of(body)?;
        let instant = island.sim.kinematics();
        let found = instant.point_of_piece(BodyId::of_index(index), end.piece(), in_body);
        // A piece that there is not is refused where something is attached to it.
        Ok((body, found.map_or(Vec3::ZERO, |(place, _)| place)))
    }

    /// Grabs a point of a body or piece, given in its frame. The point is held in place until it is dragged.
    ///
    /// # Errors
    /// If there is no such body, it is switched off, has no such point, or the frequency is not a positive number.
    pub fn grab(
        &mut self,
        end: impl Into<End>,
        in_body: impl Into<Vec3>,
        mode: GrabMode,
    ) -> Result<GrabHandle, WorldError> {
        let (end, in_body) = (end.into(), in_body.into());
        let (body, to) = self.place_of(end, in_body)?;
        let described = &self.parts.bodies.at(body.place()).part.body;
        let frames = vec![(end, Frame::at(in_body))];
        let by = match mode {
            GrabMode::Spring { frequency } => {
                if !(frequency > 0.0 && frequency.is_finite()) {
                    let (part, name, field) = ("grip on body", described.name.clone(), "frequency");
                    let want = "it must be a positive number of hertz";
                    let value = frequency;
                    return Err(crate::BuildError::Number { part, name, field, value, want }.into());
                }
                let (mass, omega) = (described.mass.mass, core::f64::consts::TAU * frequency);
                let (stiffness, damping) = (mass * omega * omega, 2.0 * mass * omega);
                let law = PointSpring { to, stiffness, damping };
                HeldBy::Spring(self.add_force(Force::user(frames, law))?, stiffness, damping)
            }
            GrabMode::Exact => {
                let rows = if described.kind.is_planar() { 2 } else { 3 };
                let rule =
                    GuidedPoint { from: to, rate: Vec3::ZERO, since: self.time, until: self.time, rows };
                let rule = Arc::new(rule);
                HeldBy::Guide(self.add_constraint(UserConstraint { name: String::new(), frames, rule })?)
            }
        };
        Ok(GrabHandle { end, body, in_body, by })
    }

    /// Moves the target: a spring pulls to the new position from now on; an exact grab arrives in `over` seconds along a straight line and
    /// stops at the first step that begins then or later.
    ///
    /// # Errors
    /// If it was released, or the numbers are not finite, or the time is not positive.
    pub fn drag(&mut self, grab: &GrabHandle, to: impl Into<Vec3>, over: f64) -> Result<(), WorldError> {
        let to = to.into();
        // The speed must be finite.
        let body = || self.parts.name_of(grab.body.into());
        if !(to.is_finite() && over.is_finite()) {
            return Err(WorldError::NotFinite { body: body(), what: "place and time of the hand" });
        }
        if over <= 1e-12 {
            let want = "positive, and not shorter than a picosecond";
            return Err(WorldError::Number { body: body(), what: "the time of the hand", value: over, want });
        }
        match grab.by {
            HeldBy::Spring(id, stiffness, damping) => {
                let frames = vec![(grab.end, Frame::at(grab.in_body))];
                self.replace_force(id, Force::user(frames, PointSpring { to, stiffness, damping }))
            }
            HeldBy::Guide(id) => {
                let (_, from) = self.place_of(grab.end, grab.in_body)?;
                self.guide(id, from, (to - from) / over, self.time + over)?;
                self.guided_grabs.retain(|guided| guided.id != id);
                self.guided_grabs.push(GuidedGrab { id, to, until: self.time + over });
                Ok(())
            }
        }
    }

    fn guide(&mut self, id: ConstraintId, from: Vec3, rate: Vec3, until: f64) -> Result<(), WorldError> {
        let entry = self.parts.constraints.get(id).ok_or_else(|| match self.parts.missing(id) {
            WorldError::NoSuchPart { .. } => WorldError::NoSuchPart { what: "grip" },
            other => other,
        })?;
        let crate::model::ConstraintSpec::User(user) = &entry.part.added else {
            return Err(WorldError::NoSuchPart { what: "grip" });
        };
        let rule = GuidedPoint { from, rate, since: self.time, until, rows: user.rule.rows() };
        let guided = UserConstraint { rule: Arc::new(rule), ..user.clone() };
        self.replace_constraint(id, guided)
    }

    /// Stops exact grabs that have arrived.
    pub(super) fn stop_guided_grabs(&mut self) {
        if self.guided_grabs.is_empty() {
            return;
        }
        let now = self.time + SAME_TIME * (1.0 + self.time.abs());
        let there = self.guided_grabs.clone();
        for GuidedGrab { id, to, .. } in there.into_iter().filter(|guided| guided.until <= now) {
            // A released grab moves no body.
            let _ = self.guide(id, to, Vec3::ZERO, self.time);
            self.guided_grabs.retain(|guided| guided.id != id);
        }
    }

    /// Releases a grab.
    ///
    /// # Errors
    /// If it was released before, or the body is gone.
    pub fn release(&mut self, grab: GrabHandle) -> Result<(), WorldError> {
        self.remove(grab.part()).map(|_| ())
    }

    /// Pins a point of a body or piece, given in its frame, at its present position.
    ///
    /// # Errors
    /// If there is no such body, it is switched off or has no such point.
    pub fn nail(&mut self, end: impl Into<End>, in_body: impl Into<Vec3>) -> Result<JointId, WorldError> {
        let (end, in_body) = (end.into(), in_body.into());
        let (_, at) = self.place_of(end, in_body)?;
        let (in_a, in_b) = (Frame::at(at), Frame::at(in_body));
        let placement = Placement::Frames { in_a, in_b };
        self.add_joint(Joint { placement, ..Joint::spherical(End::Ground, end, at) })
    }
}
