//! Inverse kinematics with loops: a point or frame of a body is moved to a target, with all joints
//! closed.
//!
//! ```text
//! ½ |p − p*|² + ½ ℓ² |θ|²  minimal on the closed poses        θ: rotation from the target's axes, ℓ: length of the mechanism
//! ```
//!
//! One spring of unit stiffness pulls, and `search.rs` descends. As long as the predicted gains are
//! reached, K is that of the spring alone (Gauss–Newton), and each step is the shortest in the
//! metric. Otherwise, near singular poses and out of reach, K includes the curvature of joints and
//! target. A reachable target is reached to rounding; one out of reach gives the nearest pose (a
//! local minimum). Limits of joints and other inequalities are respected (`bounds.rs`).

use super::error::StaticsError;
use super::problem::{ForceField, StaticsProblem};
use super::search::{SaddlePolicy, Search};
use crate::body::{Frame, FrameMotion, Wrench};
use crate::math::{Quat, Vec3};
use crate::model::{Attachment, BodyId, InequalityId, Model, ProbeId};
use crate::simulation::Simulation;
use crate::state::State;

/// The metric of the motion that is minimised.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// Metres, and radians times the mechanism's length.
    #[default]
    Geometry,
    /// Kinetic energy: heavy bodies move less.
    Mass,
}

/// A target of inverse kinematics.
#[derive(Copy, Clone, Debug)]
pub struct Goal {
    body: Option<BodyId>,
    /// Relative to the body's origin; in a search relative to its centre of mass.
    pub(super) at: Attachment,
    position: Option<Vec3>,
    orientation: Option<Quat>,
    /// The metric of the motion.
    pub metric: Metric,
}

impl Goal {
    /// A point of a body, given in the body's frame \[m\], at a position in the world \[m\].
    pub fn point(body: BodyId, point: impl Into<Vec3>, target: impl Into<Vec3>) -> Goal {
        let at = Attachment::new(Some(body.index()), Frame::at(point));
        let body = Some(body);
        Goal { body, at, position: Some(target.into()), orientation: None, metric: Metric::Geometry }
    }
    /// A frame of a body at a position in the world \[m\], with an orientation.
    pub fn frame(body: BodyId, frame: Frame, target: impl Into<Vec3>, orientation: Quat) -> Goal {
        let at = Attachment::new(Some(body.index()), frame);
        let (body, position) = (Some(body), Some(target.into()));
        Goal { body, at, position, orientation: Some(orientation), metric: Metric::Geometry }
    }
    /// A probe at a position in the world \[m\]; `None` if there is no such probe.
    pub fn probe(model: &Model, probe: ProbeId, target: impl Into<Vec3>) -> Option<Goal> {
        let mut at = model.probe(probe)?.at;
        let body = at.body().map(|index| model.id(index));
        // Attachments are relative to the centre of mass; goals are given from the body's origin.
        let from_center = at.body().map(|i| &model.bodies[i]).filter(|body| body.general.is_none());
        at.local.pos += from_center.map_or(Vec3::ZERO, |body| body.mass.center);
        Some(Goal { body, at, position: Some(target.into()), orientation: None, metric: Metric::Geometry })
    }
    /// Returns the goal with an orientation.
    pub fn with_orientation(mut self, orientation: Quat) -> Goal {
        self.orientation = Some(orientation);
        self
    }
    /// The orientation of a body at any position.
    pub fn orientation(body: BodyId, orientation: Quat) -> Goal {
        let at = Attachment::new(Some(body.index()), Frame::default());
        Goal {
            body: Some(body),
            at,
            position: None,
            orientation: Some(orientation),
            metric: Metric::Geometry,
        }
    }
    /// Returns the goal with another metric.
    pub fn with_metric(mut self, metric: Metric) -> Goal {
        self.metric = metric;
        self
    }

    /// The remaining displacement \[m\] and rotation vector \[rad\].
    fn missing(&self, here: &FrameMotion) -> (Vec3, Vec3) {
        let shift = self.position.map_or(Vec3::ZERO, |target| target - here.pos);
        let turn = self.orientation.map_or(Vec3::ZERO, |target| (target * here.rot.inverse()).log());
        (shift, turn)
    }
    /// The parts of a displacement and a rotation that the goal prescribes.
    pub(super) fn counted(&self, shift: Vec3, turn: Vec3) -> [Vec3; 2] {
        let or_nothing = |minded: bool, v: Vec3| if minded { v } else { Vec3::ZERO };
        [or_nothing(self.position.is_some(), shift), or_nothing(self.orientation.is_some(), turn)]
    }
    pub(super) fn pull(&self, here: &FrameMotion, length: f64) -> Wrench {
        let (shift, turn) = self.missing(here);
        Wrench { force: shift, torque: turn * (length * length) }
    }
    pub(super) fn energy(&self, here: &FrameMotion, length: f64) -> f64 {
        let (shift, turn) = self.missing(here);
        0.5 * shift.dot(shift) + 0.5 * length * length * turn.dot(turn)
    }
}

/// Result of inverse kinematics.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The state, at rest.
    pub state: State,
    /// Whether the target was reached: to 1e-9 of the mechanism's length, and 1e-9 rad.
    pub reached: bool,
    /// The remaining displacement from the point to its target \[m\].
    pub miss: Vec3,
    /// The remaining rotation vector \[rad\].
    pub miss_turn: Vec3,
    /// Number of search steps.
    pub iterations: u32,
    /// Freedoms of the mechanism in the pose.
    pub freedoms: usize,
    /// The inequalities that keep it from the target, such as limits of joints.
    pub held: Vec<InequalityId>,
}

/// A miss below this part of the mechanism's length counts as zero.
const REACHED: f64 = 1e-9;

impl Simulation {
    /// Moves a point or frame of a body to a target, or as near as possible, at rest. Time does not
    /// pass, and loads have no influence.
    ///
    /// # Errors
    /// If the goal is not finite or names a body of another model, the present pose cannot be closed, or the mechanism is too large
    /// for dense matrices. The simulation is unchanged then. A target out of reach is not an error:
    /// see [`Reach::reached`].
    pub fn reach(&mut self, goal: &Goal) -> Result<Reach, StaticsError> {
        let model = self.model().clone();
        let bad = |what: String| StaticsError::BadGoal { what };
        let Some(id) = goal.body else {
            return Err(bad("the ground cannot reach for anything: name a body, or a probe on one".into()));
        };
        let Some(body) = model.body(id) else {
            return Err(bad(format!("body number {} of the goal does not exist in this model", id.index())));
        };
        let finite = |q: Quat| q.w.is_finite() && q.v.is_finite();
        if !(goal.at.local.pos.is_finite()
            && finite(goal.at.local.rot)
            && goal.position.is_none_or(Vec3::is_finite)
            && goal.orientation.is_none_or(finite))
        {
            return Err(bad(format!("the goal of body `{}` is not a finite place", body.name)));
        }
        if goal.orientation.is_some() && !body.kind.has_orientation() {
            return Err(bad(format!("body `{}` is a particle and cannot turn to an orientation", body.name)));
        }
        if !body.kind.has_orientation() && goal.at.local.pos != Vec3::ZERO {
            return Err(bad(format!("body `{}` is a particle: it has no point but its own", body.name)));
        }
        // Frames are given from the body's origin, and attached relative to its centre of mass.
        let mut goal = *goal;
        match &body.general {
            None => goal.at.local.pos -= body.mass.center,
            Some(_) if goal.at.carrier().is_some() => {}
            Some(general) if general.form.pieces()[0].rigid => goal.at.set_carrier(general.carriers[0]),
            Some(_) => {
                let kind = body.kind;
                return Err(bad(format!(
                    "body `{}` deforms ({kind}): put a probe on the point that shall reach, and name that",
                    body.name
                )));
            }
        }
        let mut problem = StaticsProblem::new(&model, self.state(), ForceField::TargetSpring(goal))?;
        let start = problem.closed(self.state())?;
        let mut search = Search { problem: &mut problem, metric: goal.metric, iterations: 0 };
        let found = search.descend(start, SaddlePolicy::Leave)?;
        problem.write(&found.state)?;
        let (miss, miss_turn) = goal.missing(&crate::step::frame(&problem.work.kinematics.motions, &goal.at));
        let reached = miss.norm() <= REACHED * problem.length && miss_turn.norm() <= REACHED;
        self.restore(&found.state)?;
        let (iterations, freedoms) = (found.iterations, found.tangent.freedoms());
        let held = problem.held_ids();
        Ok(Reach { state: found.state, reached, miss, miss_turn, iterations, freedoms, held })
    }
}
