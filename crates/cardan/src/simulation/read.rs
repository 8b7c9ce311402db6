//! Readers of the present state, by id.

use super::Simulation;
use crate::math::Vec3;
use crate::measure::{
    Accelerations, BodyMotion, BodyReport, Diagnosis, InequalityReport, Instant, JointReport, ProbeReport,
    coordinates::coordinate_at, diagnose,
};
use crate::model::{BodyId, InequalityId, JointId, ProbeId};
use crate::state::State;
use crate::step::{self, StepError};

impl Simulation {
    /// Solves for accelerations and reactions at the present state, which does not change. With f = m v
    /// ([`Integrator::FirstOrder`](crate::Integrator::FirstOrder)) velocities are solved for and accelerations are NaN.
    ///
    /// On trees under gravity and efforts of joints it costs little more than [`Simulation::accelerations`]: rows, multipliers, forces
    /// and the residual are computed when they are read. Allocates nothing after the first calls, unless
    /// [`Instant::system`] is read.
    pub fn evaluate(&mut self) -> Result<Instant<'_>, StepError> {
        step::evaluate_lazily(&self.model, &self.settings, &self.state, &mut self.work)?;
        Ok(Instant { model: &self.model, state: &self.state, work: &self.work })
    }

    /// Accelerations and joint loads at the present state, without other results: the cheapest call. On the articulated path (with
    /// or without loops) M, J, c and λ are not formed and the residual is not checked; otherwise it costs nearly as much as
    /// [`Simulation::evaluate`]. With f = m v velocities take the place of accelerations. Allocates nothing.
    pub fn accelerations(&mut self) -> Result<Accelerations<'_>, StepError> {
        step::accelerate(&self.model, &self.settings, &self.state, &mut self.work)?;
        Ok(Accelerations { model: &self.model, work: &self.work })
    }

    /// Accelerations of the last solve.
    pub(crate) fn last_accelerations(&self) -> Accelerations<'_> {
        Accelerations { model: &self.model, work: &self.work }
    }

    /// Accelerations and joint loads at another state of the same model; the present state does not change.
    pub fn accelerations_at(&mut self, state: &State) -> Result<Accelerations<'_>, StepError> {
        step::accelerate(&self.model, &self.settings, state, &mut self.work)?;
        Ok(Accelerations { model: &self.model, work: &self.work })
    }

    /// Poses, velocities and joint coordinates of the present state; accelerations and reactions are NaN. Nothing is solved, and on
    /// the articulated path errors of joints are computed when they are read.
    pub fn kinematics(&mut self) -> Instant<'_> {
        step::observe_unsolved(&self.model, &self.settings, &self.state, &mut self.work);
        Instant { model: &self.model, state: &self.state, work: &self.work }
    }

    /// Like [`Simulation::evaluate`], but a state that cannot be solved still shows its kinematics; accelerations
    /// and reactions are then NaN.
    pub fn observe(&mut self) -> Instant<'_> {
        if step::evaluate_lazily(&self.model, &self.settings, &self.state, &mut self.work).is_err() {
            step::observe_unsolved(&self.model, &self.settings, &self.state, &mut self.work);
        }
        Instant { model: &self.model, state: &self.state, work: &self.work }
    }

    /// Like [`Simulation::observe`], at another state of the same model.
    pub fn observe_at<'s>(&'s mut self, state: &'s State) -> Instant<'s> {
        if step::evaluate_lazily(&self.model, &self.settings, state, &mut self.work).is_err() {
            step::observe_unsolved(&self.model, &self.settings, state, &mut self.work);
        }
        Instant { model: &self.model, state, work: &self.work }
    }

    /// Redundant and contradicting joints, with remedies. Decided by geometry, at the closed pose nearest to the present one (or
    /// at the pose of least error, if the joints cannot be closed). `None` for more than 4000 rows. The state does not change.
    ///
    /// # Errors
    /// If a number of a joint is not finite.
    pub fn diagnose(&self) -> Result<Option<Diagnosis>, StepError> {
        diagnose(&self.model, &self.settings, &self.state)
    }

    /// Pose and velocity of a body at the present state; accelerations are NaN. For an id of another model all numbers are NaN.
    /// Its cost does not depend on the number of bodies; for all of them see [`Simulation::body_motions`].
    pub fn body(&mut self, id: BodyId) -> BodyReport {
        match self.model.index_of(id).filter(|&index| index < self.model.bodies.len()) {
            Some(index) => self.body_at(index),
            None => self.kinematics().body(id),
        }
    }

    /// Pose and velocity of a body by its index.
    pub(crate) fn body_at(&mut self, index: usize) -> BodyReport {
        const NONE: Vec3 = Vec3::new(f64::NAN, f64::NAN, f64::NAN);
        match self.plain_motion(index) {
            Some(motion) => BodyReport::of(motion, NONE, NONE),
            None => self.kinematics().body_at(index),
        }
    }

    /// Pose and velocity of a body that is not general, from its own coordinates.
    fn plain_motion(&self, index: usize) -> Option<BodyMotion> {
        let body = &self.model.bodies[index];
        let (q, v) = (&self.state.q[body.q_range()], &self.state.v[body.v_range()]);
        body.general.is_none().then(|| BodyMotion::of_plain(body, &body.kind.motion(q, v)))
    }

    /// Poses and velocities of all bodies at the present state, in id order, into a buffer whose former content is dropped; nothing
    /// is solved. Allocates nothing once the buffer is long enough.
    pub fn body_motions(&mut self, out: &mut Vec<BodyMotion>) {
        self.refresh_general();
        out.clear();
        out.extend((0..self.model.bodies.len()).map(|index| self.motion_at(index)));
    }

    /// Brings the motions of general bodies up to date, for [`Simulation::motion_at`].
    pub(crate) fn refresh_general(&mut self) {
        self.work.kinematics.motions.write_general(&self.model, &self.state);
    }

    /// Pose and velocity of a body by its index; those of general bodies are up to date.
    pub(crate) fn motion_at(&self, index: usize) -> BodyMotion {
        let of_general = || BodyMotion::of(&self.model, &self.work.kinematics.motions, index);
        self.plain_motion(index).unwrap_or_else(of_general)
    }

    /// Coordinates, rates and reaction of a joint, solved for the present state. The reaction is the load on b at b's frame.
    ///
    /// # Errors
    /// If the equations have no solution.
    pub fn joint(&mut self, id: JointId) -> Result<JointReport<'_>, StepError> {
        Ok(self.evaluate()?.joint(id))
    }

    /// Position, velocity and acceleration of a probe, solved for the present state.
    ///
    /// # Errors
    /// If the equations have no solution.
    pub fn probe(&mut self, id: ProbeId) -> Result<ProbeReport, StepError> {
        Ok(self.evaluate()?.probe(id))
    }

    /// Gap, rate and multiplier of an inequality, solved for the present state.
    ///
    /// # Errors
    /// If the equations have no solution.
    pub fn inequality(&mut self, id: InequalityId) -> Result<InequalityReport, StepError> {
        Ok(self.evaluate()?.inequality(id))
    }

    /// Coordinate `k` of a joint, turns counted [rad, m]; nothing is solved. NaN if there is no such joint or coordinate.
    pub fn coordinate(&mut self, joint: JointId, k: usize) -> f64 {
        self.coordinate_and_rate(joint, k)[0]
    }

    /// Rate of coordinate `k` of a joint [rad/s, m/s]; nothing is solved. NaN if there is no such joint or coordinate.
    pub fn rate(&mut self, joint: JointId, k: usize) -> f64 {
        self.coordinate_and_rate(joint, k)[1]
    }

    /// The first coordinate of a joint: the angle of a hinge, turns counted \[rad\].
    pub fn angle(&mut self, hinge: JointId) -> f64 {
        self.coordinate(hinge, 0)
    }

    fn coordinate_and_rate(&mut self, joint: JointId, k: usize) -> [f64; 2] {
        let coordinates = self.model.joint(joint).map_or(0, |joint| joint.kind.coordinates());
        if k >= coordinates {
            return [f64::NAN; 2];
        }
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        coordinate_at(&self.model, &self.state, &self.work.kinematics.motions, joint.index(), k)
    }
}
