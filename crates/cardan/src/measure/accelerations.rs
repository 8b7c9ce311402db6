//! The result of one acceleration solve: accelerations of bodies, and loads of joints.

use crate::body::Wrench;
use crate::math::Vec3;
use crate::model::{BodyId, JointId, Model};
use crate::step::{Workspace, reaction};

/// Accelerations and joint loads of one state; see
/// [`Simulation::accelerations`](crate::Simulation::accelerations).
#[derive(Debug)]
pub struct Accelerations<'a> {
    pub(crate) model: &'a Model,
    pub(crate) work: &'a Workspace,
}

/// Load of a joint on one of its bodies.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct JointLoad {
    /// The joint.
    pub joint: JointId,
    /// Index of the body it acts on: the one farther from the root of the tree; b (or a, if b is
    /// the ground) if the joint is not solved as part of a tree of rigid bodies.
    pub body: BodyId,
    /// Reaction of the joint's constraints at that body's centre of mass, world axes \[N, N·m\].
    pub wrench: Wrench,
}

impl<'a> Accelerations<'a> {
    /// Generalised accelerations of all bodies, in id order \[m/s², rad/s²\].
    pub fn values(&self) -> &'a [f64] {
        &self.work.equations.acc
    }

    /// Acceleration of a body's centre of mass \[m/s²\], and its angular acceleration \[rad/s²\].
    pub fn body(&self, id: BodyId) -> (Vec3, Vec3) {
        const NONE: Vec3 = Vec3::new(f64::NAN, f64::NAN, f64::NAN);
        let index = self.model.index_of(id).filter(|&index| index < self.model.bodies.len());
        let Some(index) = index else { return (NONE, NONE) };
        let body = &self.model.bodies[index];
        self.work.kinematics.motions.acceleration(self.model, index, &self.work.equations.acc[body.v_range()])
    }

    /// The load of a joint. `None` if the model has no such joint, or the joint carries nothing that is solved for.
    pub fn joint(&self, id: JointId) -> Option<JointLoad> {
        let index = self.model.index_of(id)?;
        self.joint_loads().find(|load| load.joint.index() == index)
    }

    /// The load of every joint, each once, in the order of the elimination.
    pub fn joint_loads(&self) -> impl Iterator<Item = JointLoad> + use<'a> {
        let (model, work) = (self.model, self.work);
        let articulated = work.solvers.articulated.as_ref().map(|articulated| articulated.loads());
        let articulated = articulated.into_iter().flatten().map(|(joint, body, load)| JointLoad {
            joint: JointId::of_index(joint),
            body: BodyId::of_index(body),
            wrench: Wrench { force: load.lin, torque: load.ang },
        });
        let others = if work.solvers.articulated.is_some() { 0 } else { model.joints.len() };
        articulated.chain((0..others).filter_map(move |joint| load_of_rows(model, work, joint)))
    }
}

/// The load of a joint that was solved for its multipliers.
fn load_of_rows(model: &Model, work: &Workspace, joint: usize) -> Option<JointLoad> {
    let entry = &model.joints[joint];
    let on_b = reaction(model, work, &work.equations.lambda, joint);
    let (at, wrench) = match entry.b.body() {
        Some(_) => (&entry.b, on_b),
        None => (&entry.a, work.kinematics.relatives[joint].carried_to_a(on_b)),
    };
    let body = at.body()?;
    let arm = match at.carrier() {
        None => work.kinematics.motions[body].axes * at.local.pos,
        Some(_) => crate::step::frame(&work.kinematics.motions, at).pos - work.kinematics.motions[body].pos,
    };
    let torque = wrench.torque + arm.cross(wrench.force);
    let (joint, body) = (JointId::of_index(joint), BodyId::of_index(body));
    Some(JointLoad { joint, body, wrench: Wrench { force: wrench.force, torque } })
}
