//! Dragging while time stands still: first-order dynamics.
//!
//!   M v = Jᵀλ + f,   J v = 0,   f = k (target − p)
//!
//! A force gives a velocity: the pose follows the hand through loops and limits by the smallest motion in the mass metric,
//! and stops where the hand stops. A copy of the world without gravity, springs and drives is moved; its poses are those of
//! the scene afterwards, at rest.

use super::hand::Action;
use super::{Player, ViewError};
use cardan::joint::DriveMode;
use cardan::law::Law;
use cardan::math::Vec3;
use cardan::{BodyId, End, GrabHandle, GrabMode, Gravity, Integrator, Settings, World};

/// A copy of the world that a hand moves.
#[derive(Debug)]
pub(super) struct Manipulation {
    world: World,
    handle: GrabHandle,
    pub(super) body: usize,
    piece: usize,
    pub(super) point: Vec3,
    pub(super) target: Vec3,
    /// Size of the mechanism \[m\]: the hand moves by a fraction of it at once.
    size: f64,
    /// Length of a step: by it the point would go all the way to its target, as far as the last one told.
    step: f64,
    /// Whether the scene has its poses.
    is_shown: bool,
}

/// Rounds in which one drag is done, and the part of the size that each may move.
const ROUNDS: usize = 24;
const REACH: f64 = 0.04;
/// Part of the way to the target that a round aims for, beside what the last one told.
const AIM: f64 = 0.8;
/// Longest and shortest step: a point of a light body in a heavy mechanism, and the other way round.
const STEPS: (f64, f64) = (1e-6, 1e4);

impl Manipulation {
    pub(super) fn piece(&self) -> usize {
        self.piece
    }

    fn place(&mut self) -> Result<Vec3, ViewError> {
        let (body, piece, point) = (self.body, self.piece, self.point);
        let mut found = None;
        self.world.each_island(|island| {
            if let Some(at) = island.bodies().position(|id| id.index() == body) {
                found = island.instant.point_of_piece(BodyId::of_index(at), piece, point).map(|(at, _)| at);
            }
        })?;
        found.ok_or_else(|| ViewError::request("the body is switched off"))
    }

    /// Moves the point towards its target until it is there or goes no farther.
    fn follow(&mut self) -> Result<(), ViewError> {
        let near = 1e-7 * self.size;
        let mut refused = 0;
        for _ in 0..ROUNDS {
            let at = self.place()?;
            let away = self.target - at;
            if away.norm() <= near {
                break;
            }
            let part = (REACH * self.size / away.norm()).min(1.0);
            let next = at + away * part;
            let before = self.world.snapshot()?;
            self.world.drag(&self.handle, next, 1.0)?;
            let moved = match self.world.step(self.step) {
                Ok(_) => self.place()?,
                Err(_) => {
                    self.world.restore(&before);
                    self.step = (0.25 * self.step).max(STEPS.0);
                    refused += 1;
                    if refused > 4 {
                        break;
                    }
                    continue;
                }
            };
            let (way, gone) = (next - at, moved - at);
            let done = gone.dot(way) / way.dot(way);
            if done > 1.5 || (moved - next).norm() > way.norm() {
                // Too far: the step was too long for the force.
                self.world.restore(&before);
                self.step = (self.step * AIM / done.abs().max(2.0)).max(STEPS.0);
                continue;
            }
            if gone.norm() <= 1e-4 * way.norm() && self.step >= STEPS.1 {
                break;
            }
            let factor = (AIM / done.max(1e-3)).clamp(0.25, 8.0);
            self.step = (self.step * factor).clamp(STEPS.0, STEPS.1);
        }
        Ok(())
    }
}

impl Player {
    /// Begins to move a point of a body while time stands still.
    ///
    /// # Errors
    /// If the mechanism has no first-order dynamics; the message says why.
    pub fn manipulate(&mut self, body: usize, piece: u32, point: [f64; 3]) -> Result<(), ViewError> {
        self.release()?;
        let before = self.mark()?;
        let held = self.copy_to_move(body, piece, point.into())?;
        self.note_undo(before);
        self.manipulation = Some(Box::new(held));
        Ok(())
    }

    /// A copy of the world, held by a point.
    fn copy_to_move(&mut self, body: usize, piece: u32, point: Vec3) -> Result<Manipulation, ViewError> {
        let id = self.body_id(body)?;
        let target = self.place_of(id, piece as usize, point)?;
        let mut world = World::new(Gravity::ZERO);
        world.restore(&self.scripted.world.snapshot()?);
        calm(&mut world)?;
        let settings = *world.settings();
        world.set_settings(Settings { integrator: Integrator::FirstOrder, chosen: None, ..settings })?;
        let end = if piece == 0 { End::Body(id) } else { End::Piece(id, piece) };
        // ω = 1, k = m: a free body would go to its target in one unit of this time.
        let frequency = 1.0 / core::f64::consts::TAU;
        let handle = world.grab(end, point, GrabMode::Spring { frequency })?;
        let (low, high) = self.extent()?;
        let size = (high - low).norm().max(1e-3);
        let piece = piece as usize;
        let step = 0.2;
        Ok(Manipulation { world, handle, body, piece, point, target, size, step, is_shown: false })
    }

    /// The hand goes on with what has become of the world; it holds nothing if that cannot be moved.
    pub(super) fn hold_on(&mut self, held: &Manipulation) {
        let copy = self.copy_to_move(held.body, held.piece as u32, held.point);
        self.manipulation = copy.ok().map(|copy| Box::new(Manipulation { target: held.target, ..copy }));
    }

    /// Moves the target of what is held: by the dynamics, or while time stands still.
    ///
    /// # Errors
    /// If nothing is held, or the numbers are not finite.
    pub fn drag(&mut self, to: [f64; 3]) -> Result<(), ViewError> {
        let Some(mut held) = self.manipulation.take() else {
            return self.act(Action::Drag { to }).map(|_| ());
        };
        if to.iter().any(|x| !x.is_finite()) {
            self.manipulation = Some(held);
            return Err(ViewError::request("the place of the hand must be finite"));
        }
        held.target = to.into();
        let before = held.world.state_hash();
        let followed = held.follow().and_then(|()| {
            // A hand that rests does nothing.
            match held.is_shown && held.world.state_hash() == before {
                true => Ok(()),
                false => self.take_poses(&held.world),
            }
        });
        held.is_shown = followed.is_ok();
        self.manipulation = Some(held);
        followed
    }

    /// Lets go of what is held, if anything is.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn release(&mut self) -> Result<(), ViewError> {
        match self.manipulation.take() {
            // The pose is that of the last drag, at rest.
            Some(_) => Ok(()),
            None if self.hand.is_held() => self.act(Action::Release).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Whether something is held.
    pub fn is_held(&self) -> bool {
        self.manipulation.is_some() || self.hand.is_held()
    }

    /// The poses of another world with the same parts, at rest.
    fn take_poses(&mut self, from: &World) -> Result<(), ViewError> {
        let poses = (0..self.model.bodies().len()).filter_map(|body| {
            let (q, _) = from.state_of(BodyId::of_index(body))?;
            Some((body, q.to_vec()))
        });
        let action = Action::SetPoses { poses: poses.collect() };
        self.solved = None;
        self.done(&action)?;
        self.note_action(&action)?;
        self.record_action(&action);
        Ok(())
    }
}

/// Takes out of a copy of the world what would move it by itself; prescribed positions stay where they are.
fn calm(world: &mut World) -> Result<(), ViewError> {
    world.set_sleep(None);
    world.set_gravity(Gravity::ZERO)?;
    for id in world.force_ids().collect::<Vec<_>>() {
        world.disable(id)?;
    }
    for id in world.joint_ids().collect::<Vec<_>>() {
        let Some(joint) = world.describe_joint(id).cloned() else { continue };
        if joint.springs.is_empty() && joint.drives.is_empty() && joint.efforts.is_empty() {
            continue;
        }
        let mut drives = Vec::new();
        for drive in joint.drives.iter().filter(|drive| drive.mode == DriveMode::Position) {
            let at = world.coordinate(id, drive.coordinate).unwrap_or(f64::NAN);
            if at.is_finite() {
                drives.push(cardan::joint::Drive { law: Law::Constant(at), ..drive.clone() });
            }
        }
        let bare = cardan::joint::Joint { springs: Vec::new(), efforts: Vec::new(), drives, ..joint };
        world.reattach(id, bare)?;
    }
    world.clear_commands();
    for id in world.body_ids().collect::<Vec<_>>() {
        let Some((q, v)) = world.state_of(id) else { continue };
        let (q, v) = (q.to_vec(), vec![0.0; v.len()]);
        world.set_state_of(id, &q, &v)?;
    }
    Ok(())
}
