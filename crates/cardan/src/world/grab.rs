//! Interaction for viewers: drag a body by a spring or exactly, pin it.

use super::island::Island;
use super::{PartId, World, WorldError};
use crate::body::{Frame, FrameMotion};
use crate::constraint::{Constraint, ConstraintRows, UserConstraint};
use crate::force::{Force, ForceKind, ForceLaw, ForceOutput};
use crate::joint::{Joint, Placement};
use crate::math::Vec3;
use crate::model::{BodyId, ConstraintId, ConstraintSpec, End, ForceId, Id, JointId};
use crate::step::Coordinates;
use crate::tolerances::SAME_TIME;
use std::sync::Arc;

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

impl Island {
    /// Changes a law of its model, and wakes it up.
    fn change_law(&mut self, opens: bool, change: impl FnOnce(&mut crate::model::Model)) {
        self.sim.change_law(opens, change);
        (self.asleep, self.rested) = (false, 0.0);
    }
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

impl World {
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
                self.retarget(id, PointSpring { to, stiffness, damping })
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
        let ConstraintSpec::User(user) = &entry.part.added else {
            return Err(WorldError::NoSuchPart { what: "grip" });
        };
        let rule = GuidedPoint { from, rate, since: self.time, until, rows: user.rule.rows() };
        let guided = UserConstraint { rule: Arc::new(rule), ..user.clone() };
        let Some((number, index)) = self.in_island(user.frames[0].0, id.place(), |m| &m.constraints) else {
            return self.replace_constraint(id, guided);
        };
        let (island, rule) = (&mut self.islands[number], guided.rule.clone());
        if island.sim.settings().coordinates == Coordinates::Joints {
            // Joint coordinates are found anew when a condition changes.
            return self.replace_constraint(id, guided);
        }
        // Poses stay; the next step closes the velocities, as after any change of a condition.
        island.change_law(true, |model| model.constraints[index].rule = rule);
        self.parts.constraints.at_mut(id.place()).part.added = ConstraintSpec::User(guided);
        self.note_new_condition(id.into());
        self.combined = None;
        Ok(())
    }

    /// Gives the spring of a grab another target. Its island stays as it is: a law changes, no structure. The energy of
    /// the spring that this takes is counted as carried in.
    fn retarget(&mut self, id: ForceId, law: PointSpring) -> Result<(), WorldError> {
        let entry = self.parts.forces.get_mut(id);
        let Some(entry) = entry else { return Err(self.parts.missing(id)) };
        let kind = ForceKind::User(Arc::new(law));
        entry.part.kind = kind.clone();
        let end = entry.part.frames[0].0;
        self.combined = None;
        if let Some((number, index)) = self.in_island(end, id.place(), |members| &members.forces) {
            let island = &mut self.islands[number];
            let before = island.sim.last_energy().mechanical();
            island.change_law(false, |model| model.forces[index].kind = kind);
            self.account.carried += island.sim.last_energy().mechanical() - before;
        }
        Ok(())
    }

    /// The island that has a part by one of its ends, and the index of the part there; `None` while it is in none.
    fn in_island(
        &self,
        end: End,
        place: u32,
        list: impl Fn(&super::parts::Members) -> &[u32],
    ) -> Option<(usize, usize)> {
        let (number, _) = self.island_of_body.get(end.body()?.index()).copied().flatten()?;
        let index = list(&self.islands[number as usize].members).binary_search(&place).ok()?;
        Some((number as usize, index))
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
