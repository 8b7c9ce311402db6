//! What a hand does to a running mechanism: it grabs, drags, nails, turns sliders. Every deed is an [`Action`], a value that
//! can be kept and done again.

use super::{Player, ViewError};
use crate::info::{self, Drive};
use cardan::joint::{DriveMode, EffortKind, Joint, Placement};
use cardan::law::{Blend, Law, Ramp, Segments};
use cardan::math::Vec3;
use cardan::{
    BodyId, End, Frame, GrabHandle, GrabMode, Impulse, JointId, PartId, PartPick, Pick, PickTarget,
    PickedShape, Sleep, World,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A deed of a hand. Points of bodies are in the frame of the body or piece \[m\].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase")]
#[allow(missing_docs, reason = "fields are what their names say, in SI units")]
pub enum Action {
    /// Grabs a point by a spring of this frequency \[Hz\], or exactly.
    Grab { body: usize, piece: u32, point: [f64; 3], exact: bool, frequency: f64 },
    /// Moves the target, world axes.
    Drag { to: [f64; 3] },
    /// Lets go.
    Release,
    /// Pins a point where it is, or at a point of the world.
    Nail { body: usize, piece: u32, point: [f64; 3], at: Option<[f64; 3]> },
    /// Takes a nail out.
    Unnail { nail: usize },
    /// Gives a drive a set point.
    SetDrive { drive: usize, value: f64 },
    /// A drive follows the scene again.
    ClearDrive { drive: usize },
    /// Sets a joint coordinate; loops are closed, velocities become zero.
    SetCoordinate { coordinate: usize, value: f64 },
    /// Poses by body; velocities become zero.
    SetPoses { poses: Vec<(usize, Vec<f64>)> },
    /// An impulse at a point of a body, world axes \[N·s\].
    Impulse { body: usize, point: [f64; 3], impulse: [f64; 3] },
    /// Sets the time step \[s\].
    SetDt { dt: f64 },
    /// Lets islands at rest sleep, or none.
    SetSleep { on: bool },
}

/// A grip on a body.
#[derive(Clone, Debug)]
pub(super) struct Grip {
    handle: GrabHandle,
    pub(super) body: usize,
    pub(super) end: End,
    pub(super) point: Vec3,
    pub(super) target: Vec3,
    pub(super) exact: bool,
}

impl Grip {
    /// The spring or constraint that holds it.
    pub(super) fn part(&self) -> PartId {
        self.handle.part()
    }
}

/// A nail.
#[derive(Clone, Debug)]
pub(super) struct Nail {
    joint: JointId,
    pub(super) body: usize,
    pub(super) piece: u32,
    pub(super) point: Vec3,
    pub(super) at: Vec3,
}

/// What a hand holds and has set.
#[derive(Clone, Debug, Default)]
pub(super) struct Hand {
    pub(super) grip: Option<Grip>,
    /// By their numbers; `None` once they are out.
    pub(super) nails: Vec<Option<Nail>>,
    /// Set points of drives.
    pub(super) set_points: Vec<Option<f64>>,
    /// Coordinates whose laws are those of a set point.
    asked: Vec<Asked>,
}

/// A set point, and where the coordinate was when it was given: the law to it follows from these.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Asked {
    joint: usize,
    k: usize,
    value: f64,
    since: f64,
    at: f64,
    rate: f64,
}

/// What a hand has set, for another window on the same scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedHand {
    /// By their numbers.
    nails: Vec<Option<SavedNail>>,
    set_points: Vec<Option<f64>>,
    asked: Vec<Asked>,
}

/// A nail, and its place among the joints of the world.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct SavedNail {
    place: usize,
    body: usize,
    piece: u32,
    point: [f64; 3],
    at: [f64; 3],
}

/// Time in which an exact grip arrives at its target \[s\]: two frames.
const ARRIVAL: f64 = 1.0 / 30.0;
/// Time in which a driven coordinate arrives at its set point \[s\].
const SET_POINT_TIME: f64 = 0.25;
/// A body that moves others is pulled with a spring for up to so many times its mass.
const MOST_MASS: f64 = 30.0;

impl Hand {
    pub(super) fn new(drives: usize) -> Self {
        Hand { set_points: vec![None; drives], ..Hand::default() }
    }
    pub(super) fn is_held(&self) -> bool {
        self.grip.is_some()
    }
    pub(super) fn holds_exactly(&self) -> bool {
        self.grip.as_ref().is_some_and(|grip| grip.exact)
    }
    pub(super) fn saved(&self) -> SavedHand {
        let nail = |nail: &Nail| SavedNail {
            place: nail.joint.index(),
            body: nail.body,
            piece: nail.piece,
            point: nail.point.to_array(),
            at: nail.at.to_array(),
        };
        SavedHand {
            nails: self.nails.iter().map(|one| one.as_ref().map(nail)).collect(),
            set_points: self.set_points.clone(),
            asked: self.asked.clone(),
        }
    }
}

impl Player {
    /// Does what a hand does. Returns the number of a new nail.
    ///
    /// # Errors
    /// If it is refused; nothing has changed then.
    pub fn act(&mut self, action: Action) -> Result<Option<usize>, ViewError> {
        // Another hand than the recorded one: the recording is left.
        self.playback = None;
        let undoes = matches!(
            action,
            Action::Grab { .. }
                | Action::Nail { .. }
                | Action::Unnail { .. }
                | Action::SetDrive { .. }
                | Action::ClearDrive { .. }
                | Action::SetCoordinate { .. }
                | Action::SetPoses { .. }
                | Action::Impulse { .. }
        );
        let before = if undoes { Some(self.mark()?) } else { None };
        let (goes_on, step) = (self.goes_on_with(&action), self.last_step);
        let held = self.manipulation.take();
        self.solved = None;
        let made = match self.done(&action) {
            Ok(made) => made,
            Err(error) => {
                if let Some(before) = &before {
                    self.restore_mark(before);
                    self.last_step = step;
                }
                self.manipulation = held;
                return Err(error);
            }
        };
        if let Some(before) = before.filter(|_| !goes_on) {
            self.note_undo(before);
        }
        // A nail is kept where it was driven in.
        let action = match (action, made) {
            (Action::Nail { body, piece, point, .. }, Some(number)) => {
                let at = self.hand.nails[number].as_ref().map(|nail| nail.at.to_array());
                Action::Nail { body, piece, point, at }
            }
            (action, _) => action,
        };
        self.note_action(&action)?;
        self.record_action(&action);
        // What the hand moves while time stands still is a copy: the world has changed.
        if let Some(held) = held
            && !matches!(action, Action::Grab { .. } | Action::Drag { .. } | Action::Release)
        {
            self.hold_on(&held);
        }
        Ok(made)
    }

    pub(super) fn done(&mut self, action: &Action) -> Result<Option<usize>, ViewError> {
        match *action {
            Action::Grab { body, piece, point, exact, frequency } => {
                self.take_hold(body, piece, point.into(), exact, frequency)?;
            }
            Action::Drag { to } => self.drag_to(to.into())?,
            Action::Release => self.let_go()?,
            Action::Nail { body, piece, point, at } => {
                let number = self.nail_down(body, piece, point.into(), at.map(Vec3::from))?;
                // A nail that contradicts the joints is refused.
                self.scripted.world.assemble()?;
                return Ok(Some(number));
            }
            Action::Unnail { nail } => {
                let known = self.hand.nails.get_mut(nail).and_then(Option::take);
                let nail = known.ok_or_else(|| ViewError::request("there is no such nail"))?;
                self.scripted.world.remove(nail.joint)?;
            }
            Action::SetDrive { drive, value } => self.drive_to(drive, Some(value))?,
            Action::ClearDrive { drive } => self.drive_to(drive, None)?,
            Action::SetCoordinate { coordinate, value } => self.turn_to(coordinate, value)?,
            Action::SetPoses { ref poses } => self.pose(poses)?,
            Action::Impulse { body, point, impulse } => {
                let body = self.body_id(body)?;
                let at = self.place_of(body, 0, point.into())?;
                self.scripted.world.apply_impulse(&Impulse::at(body, at, impulse))?;
            }
            Action::SetDt { dt } => {
                if !(dt > 0.0 && dt.is_finite()) {
                    return Err(ViewError::request(format!("a time step of {dt} s; it must be positive")));
                }
                self.dt = dt;
            }
            Action::SetSleep { on } => self.scripted.world.set_sleep(on.then(Sleep::default)),
        }
        Ok(None)
    }

    pub(super) fn body_id(&self, body: usize) -> Result<BodyId, ViewError> {
        let known = body < self.model.bodies().len();
        known
            .then(|| BodyId::of_index(body))
            .ok_or_else(|| ViewError::request(format!("there is no body {body}")))
    }

    /// World position of a point of a body.
    pub(super) fn place_of(&mut self, body: BodyId, piece: usize, point: Vec3) -> Result<Vec3, ViewError> {
        let mut found = None;
        self.scripted.world.each_island(|island| {
            if let Some(at) = island.bodies().position(|id| id.index() == body.index()) {
                found = island.instant.point_of_piece(BodyId::of_index(at), piece, point).map(|(at, _)| at);
            }
        })?;
        found.ok_or_else(|| ViewError::request("the body is switched off, or has no such piece"))
    }

    /// Mass of everything that a body is connected to.
    fn mass_around(&mut self, body: BodyId) -> f64 {
        let mut mass = 0.0;
        let _ = self.scripted.world.each_island(|island| {
            if island.bodies().any(|id| id.index() == body.index()) {
                mass = island.instant.model().bodies().iter().map(|body| body.mass.mass).sum();
            }
        });
        mass
    }

    fn take_hold(
        &mut self,
        body: usize,
        piece: u32,
        point: Vec3,
        exact: bool,
        frequency: f64,
    ) -> Result<(), ViewError> {
        if self.hand.grip.is_some() {
            self.let_go()?;
        }
        let id = self.body_id(body)?;
        let target = self.place_of(id, piece as usize, point)?;
        let own = self.model.bodies()[body].mass.mass;
        let mode = match exact {
            true => GrabMode::Exact,
            false => {
                let heavier = (self.mass_around(id) / own).clamp(1.0, MOST_MASS);
                GrabMode::Spring { frequency: frequency * heavier.sqrt() }
            }
        };
        let end = if piece == 0 { End::Body(id) } else { End::Piece(id, piece) };
        let handle = self.scripted.world.grab(end, point, mode)?;
        self.hand.grip = Some(Grip { handle, body, end, point, target, exact });
        Ok(())
    }

    fn drag_to(&mut self, to: Vec3) -> Result<(), ViewError> {
        let Some(grip) = &mut self.hand.grip else {
            return Err(ViewError::request("nothing is held"));
        };
        let (world, over) = (&mut self.scripted.world, ARRIVAL.max(self.dt));
        let before = if grip.exact { Some(world.snapshot()?) } else { None };
        world.drag(&grip.handle, to, over)?;
        if let Some(before) = before.filter(|_| world.assemble().is_err()) {
            // Out of reach: the point stays where it is, whatever the hand wants.
            world.restore(&before);
        }
        grip.target = to;
        Ok(())
    }

    pub(super) fn let_go(&mut self) -> Result<(), ViewError> {
        if let Some(grip) = self.hand.grip.take() {
            self.scripted.world.release(grip.handle)?;
        }
        Ok(())
    }

    /// An exact grip that cannot go on takes hold anew, where its point is now.
    pub(super) fn hold_still(&mut self) -> Result<(), ViewError> {
        let Some(Grip { body, end, point, target, .. }) = self.hand.grip.clone() else { return Ok(()) };
        self.let_go()?;
        self.take_hold(body, end.piece() as u32, point, true, 0.0)?;
        if let Some(grip) = &mut self.hand.grip {
            grip.target = target;
        }
        Ok(())
    }

    pub(super) fn nail_down(
        &mut self,
        body: usize,
        piece: u32,
        point: Vec3,
        at: Option<Vec3>,
    ) -> Result<usize, ViewError> {
        let id = self.body_id(body)?;
        let end = if piece == 0 { End::Body(id) } else { End::Piece(id, piece) };
        let at = match at {
            Some(at) => at,
            None => self.place_of(id, piece as usize, point)?,
        };
        let number = self.hand.nails.len();
        let joint = self.pin(end, point, at, &format!("nail-{number}"))?;
        self.hand.nails.push(Some(Nail { joint, body, piece, point, at }));
        Ok(number)
    }

    /// A joint between a point of a body and one of the ground. Its name tells worlds apart: it does not depend on what
    /// was there before.
    fn pin(&mut self, end: End, point: Vec3, at: Vec3, name: &str) -> Result<JointId, ViewError> {
        let world = &mut self.scripted.world;
        let mut name = name.to_string();
        while world.find_joint(&name).is_some()
            || world.find_constraint(&name).is_some()
            || world.find_inequality(&name).is_some()
        {
            name.push('\'');
        }
        let placement = Placement::Frames { in_a: Frame::at(at), in_b: Frame::at(point) };
        Ok(world.add_joint(Joint { name, placement, ..Joint::spherical(End::Ground, end, at) })?)
    }

    /// Adds nails, switched off, and set points, for bytes of a world that has them.
    pub(super) fn take_hand(&mut self, saved: &SavedHand) -> Result<(), ViewError> {
        for asked in &saved.asked {
            self.ask_joint(asked.joint, asked.k, Some(*asked))?;
        }
        if saved.set_points.len() == self.hand.set_points.len() {
            self.hand.set_points.clone_from(&saved.set_points);
        }
        self.hand.nails = vec![None; saved.nails.len()];
        // In the order of their places; places that became free are free again.
        let mut nails: Vec<(usize, SavedNail)> =
            saved.nails.iter().enumerate().filter_map(|(number, nail)| Some((number, (*nail)?))).collect();
        nails.sort_by_key(|(_, nail)| nail.place);
        let (mut next, mut gaps) = (self.model.joints().len(), Vec::new());
        let most = next + saved.nails.len();
        for (number, SavedNail { place, body, piece, point, at }) in nails {
            if !(next..most).contains(&place) {
                return Err(ViewError::request("the nails of this saved state are damaged"));
            }
            let id = self.body_id(body)?;
            let end = if piece == 0 { End::Body(id) } else { End::Piece(id, piece) };
            let (point, at) = (Vec3::from(point), Vec3::from(at));
            for gap in next..place {
                gaps.push(self.pin(end, point, at, &format!("gap-{gap}"))?);
            }
            let joint = self.pin(end, point, at, &format!("nail-{number}"))?;
            self.scripted.world.disable(joint)?;
            self.hand.nails[number] = Some(Nail { joint, body, piece, point, at });
            next = place + 1;
        }
        for gap in gaps {
            self.scripted.world.remove(gap)?;
        }
        Ok(())
    }

    /// Gives servos their set points again: commands are no part of the bytes of a world.
    pub(super) fn command_servos(&mut self) -> Result<(), ViewError> {
        let drives = info::drives(&self.model, &self.scripted.world);
        for (drive, value) in drives.iter().zip(&self.hand.set_points) {
            if let (&Drive { joint, k, kind: "servo", .. }, Some(value)) = (drive, value) {
                self.scripted.world.set_target(JointId::of_index(joint), k, *value, 0.0)?;
            }
        }
        Ok(())
    }

    fn drive_to(&mut self, drive: usize, value: Option<f64>) -> Result<(), ViewError> {
        let drives = info::drives(&self.model, &self.scripted.world);
        let Some(&Drive { joint, k, kind, .. }) = drives.get(drive) else {
            return Err(ViewError::request(format!("there is no drive {drive}")));
        };
        if value.is_some_and(|value| !value.is_finite()) {
            return Err(ViewError::request("a set point must be a finite number"));
        }
        let id = JointId::of_index(joint);
        let world = &mut self.scripted.world;
        match (kind, value) {
            ("servo", Some(value)) => world.set_target(id, k, value, 0.0)?,
            ("servo", None) => world.clear_target(id, k)?,
            _ => {
                let (at, rate) = (world.coordinate(id, k)?, world.rate(id, k)?);
                let since = world.time();
                let asked = value.map(|value| Asked { joint, k, value, since, at, rate });
                self.ask_joint(joint, k, asked)?;
                self.scripted.world.assemble()?;
            }
        }
        self.hand.set_points[drive] = value;
        Ok(())
    }

    /// Gives a joint a set point for one coordinate, or the laws of the scene.
    fn ask_joint(&mut self, joint: usize, k: usize, asked: Option<Asked>) -> Result<(), ViewError> {
        let id = JointId::of_index(joint);
        let described = self.scripted.world.describe_joint(id).cloned();
        let mut described = described.ok_or_else(|| ViewError::request("the joint is gone"))?;
        self.set_laws(&mut described, id, k, asked)?;
        self.scripted.world.reattach(id, described)?;
        self.hand.asked.retain(|known| (known.joint, known.k) != (joint, k));
        self.hand.asked.extend(asked);
        Ok(())
    }

    fn set_laws(
        &self,
        described: &mut Joint,
        id: JointId,
        k: usize,
        asked: Option<Asked>,
    ) -> Result<(), ViewError> {
        let parts = self.scene.to_parts(&self.document)?;
        let plain = World::of(parts, *self.scripted.world.settings())?;
        let Some(scene) = plain.describe_joint(id) else { return Ok(()) };
        let (drives, efforts) = (&mut described.drives, &mut described.efforts);
        let wrong = |error: cardan::law::LawError| ViewError::request(error.to_string());
        for (drive, own) in drives.iter_mut().zip(&scene.drives).filter(|(drive, _)| drive.coordinate == k) {
            drive.law = match (asked, drive.mode) {
                (None, _) => own.law.clone(),
                (Some(Asked { value, since, at, .. }), DriveMode::Position) => {
                    let rows = [[since, at], [since + SET_POINT_TIME, value]];
                    Law::Segments(Segments::new(Blend::Cubic, &rows).map_err(wrong)?)
                }
                (Some(Asked { value, since, rate, .. }), DriveMode::Speed) => {
                    Law::Ramp(Ramp { from: rate, to: value, start: since, duration: SET_POINT_TIME })
                }
                (Some(asked), _) => Law::Constant(asked.value),
            };
        }
        let value = asked.map(|asked| asked.value);
        for (effort, own) in efforts.iter_mut().zip(&scene.efforts).filter(|(e, _)| e.coordinate == k) {
            match (&mut effort.kind, &own.kind) {
                (EffortKind::Law(law), EffortKind::Law(own)) => {
                    *law = value.map_or_else(|| own.clone(), Law::Constant);
                }
                (EffortKind::Motor(motor), EffortKind::Motor(own)) => {
                    motor.law = value.map_or_else(|| own.law.clone(), Law::Constant);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn turn_to(&mut self, coordinate: usize, value: f64) -> Result<(), ViewError> {
        let Some((joint, k)) = info::coordinates(&self.model).nth(coordinate) else {
            return Err(ViewError::request(format!("there is no coordinate {coordinate}")));
        };
        let id = JointId::of_index(joint);
        let world = &mut self.scripted.world;
        let mut positions = world.positions_of(id)?;
        let count = self.model.joints()[joint].kind.coordinates();
        if positions.len() != count || !value.is_finite() {
            return Err(ViewError::request("this coordinate cannot be set; drag the body instead"));
        }
        positions[k] = value;
        world.set_positions_of(id, &positions)?;
        self.stop_all()
    }

    /// Sets all velocities to zero.
    pub(super) fn stop_all(&mut self) -> Result<(), ViewError> {
        let world = &mut self.scripted.world;
        for id in world.body_ids().collect::<Vec<_>>() {
            let Some((q, v)) = world.state_of(id) else { continue };
            let (q, v) = (q.to_vec(), vec![0.0; v.len()]);
            world.set_state_of(id, &q, &v)?;
        }
        world.assemble()?;
        Ok(())
    }

    fn pose(&mut self, poses: &[(usize, Vec<f64>)]) -> Result<(), ViewError> {
        let before = self.mark()?;
        let mut set = || -> Result<(), ViewError> {
            for (body, q) in poses {
                let id = self.body_id(*body)?;
                let count = self.scripted.world.state_of(id).map_or(0, |(_, v)| v.len());
                self.scripted.world.set_state_of(id, q, &vec![0.0; count])?;
            }
            self.stop_all()
        };
        set().inspect_err(|_| self.restore_mark(&before))
    }

    /// The first thing that a ray hits, as JSON; null for nothing.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn pick(&mut self, origin: [f64; 3], direction: [f64; 3], radius: f64) -> Result<Value, ViewError> {
        let Some(PartPick { target, point, normal, distance }) =
            self.scripted.world.pick_part(origin, direction, radius)?
        else {
            return Ok(Value::Null);
        };
        let ground = self.model.shapes().iter().enumerate().filter(|(_, s)| s.body().is_none());
        let ground: Vec<usize> = ground.map(|(i, _)| i).collect();
        let (what, index, body) = match target {
            PickTarget::Body(pick) => ("body", pick.body.index(), Some(pick)),
            PickTarget::Joint(joint, pick) => match joint.index() < self.model.joints().len() {
                true => ("joint", joint.index(), pick),
                // A nail.
                false => match pick {
                    Some(pick) => ("body", pick.body.index(), Some(pick)),
                    None => return Ok(Value::Null),
                },
            },
            PickTarget::Ground(shape) => {
                ("ground", ground.iter().position(|s| *s == shape.index()).unwrap_or(0), None)
            }
        };
        let look = body.and_then(|pick: Pick| match pick.shape? {
            PickedShape::Visual(k) => Some(k),
            PickedShape::Contact(id) => self.look_of_shape(pick.body.index(), id.index()),
        });
        Ok(json!({
            "what": what,
            "index": index,
            "body": body.map_or(-1, |pick| pick.body.index() as i64),
            "piece": body.map_or(0, |pick| pick.piece),
            "look": look.map_or(-1, |k| k as i64),
            "point": point.to_array(),
            "inBody": body.map_or(point, |pick| pick.in_body).to_array(),
            "normal": normal.to_array(),
            "distance": distance,
        }))
    }

    /// Which look of a body a contact shape is: looks are the shapes that it shows, or else its contact shapes.
    fn look_of_shape(&self, body: usize, shape: usize) -> Option<usize> {
        if !self.model.bodies()[body].shapes.is_empty() {
            return None;
        }
        let mine = self.model.shapes().iter().enumerate();
        let mut mine = mine.filter(|(_, s)| s.body().is_some_and(|b| b.index() == body));
        mine.position(|(i, _)| i == shape)
    }
}
