//! Motions of all bodies of a model: centres of mass and axes, and the vectors and carriers of
//! general bodies.

use super::carrier_motion::CarrierMotion;
use super::general_motion::GeneralMotion;
use crate::body::{FrameMotion, Motion, Wrench};
use crate::math::{Vec3, larger};
use crate::model::{Attachment, Model};
use crate::state::State;
use core::ops::{Deref, DerefMut};

/// The motion of every body (centre of mass and axes), followed by that of the ground; and the
/// vectors and carriers of general bodies.
#[derive(Clone, Debug)]
pub(crate) struct Motions {
    all: Vec<Motion>,
    general: Option<Box<GeneralMotions>>,
}

#[derive(Clone, Debug)]
struct GeneralMotions {
    bodies: Vec<GeneralMotion>,
    /// Index into `bodies` by body of the model; [`NONE`] for a body that is not general.
    of_body: Vec<u32>,
    carriers: Vec<CarrierMotion>,
}

const NONE: u32 = u32::MAX;

impl Deref for Motions {
    type Target = [Motion];
    #[inline(always)]
    fn deref(&self) -> &[Motion] {
        &self.all
    }
}
impl DerefMut for Motions {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Motion] {
        &mut self.all
    }
}
impl<'a> IntoIterator for &'a Motions {
    type Item = &'a Motion;
    type IntoIter = core::slice::Iter<'a, Motion>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.all.iter()
    }
}
impl<'a> IntoIterator for &'a mut Motions {
    type Item = &'a mut Motion;
    type IntoIter = core::slice::IterMut<'a, Motion>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.all.iter_mut()
    }
}

impl Motions {
    /// Of no body: for readers that need none.
    pub(crate) fn none() -> Self {
        Motions { all: Vec::new(), general: None }
    }

    pub(crate) fn new(model: &Model) -> Self {
        let mut of_body = vec![NONE; model.bodies.len()];
        let mut bodies = Vec::new();
        for (i, body) in model.bodies.iter().enumerate() {
            if let Some(made) = &body.general {
                of_body[i] = bodies.len() as u32;
                bodies.push(GeneralMotion::new(i, made));
            }
        }
        let carriers =
            model.carriers.iter().map(|c| CarrierMotion::new(c, &bodies[of_body[c.body] as usize]));
        let carriers = carriers.collect();
        let general = (!bodies.is_empty()).then(|| Box::new(GeneralMotions { bodies, of_body, carriers }));
        Motions { all: vec![Motion::GROUND; model.bodies.len() + 1], general }
    }

    pub(crate) fn bytes(&self) -> usize {
        let general = self.general.as_ref().map_or(0, |general| {
            general.bodies.iter().map(GeneralMotion::bytes).sum::<usize>()
                + general
                    .carriers
                    .iter()
                    .map(|c| c.columns.capacity() * size_of::<[Vec3; 2]>())
                    .sum::<usize>()
        });
        self.all.capacity() * size_of::<Motion>() + general
    }

    /// Copies the values without allocating.
    pub(crate) fn copy_from(&mut self, other: &Motions) {
        self.all.copy_from_slice(&other.all);
        if let (Some(to), Some(from)) = (&mut self.general, &other.general) {
            to.bodies.iter_mut().zip(&from.bodies).for_each(|(to, from)| to.copy_from(from));
            to.carriers.iter_mut().zip(&from.carriers).for_each(|(to, from)| to.copy_from(from));
        }
    }

    /// Writes vectors and carriers of general bodies from coordinates and velocities of a state.
    #[inline]
    pub(crate) fn write_general(&mut self, model: &Model, state: &State) {
        if self.general.is_some() {
            self.write_all_general(model, state);
        }
    }

    #[cold]
    fn write_all_general(&mut self, model: &Model, state: &State) {
        let Some(general) = &mut self.general else { return };
        let GeneralMotions { bodies, of_body, carriers } = &mut **general;
        for body in bodies.iter_mut() {
            let entry = &model.bodies[body.index];
            if let Some(made) = &entry.general {
                body.write(made, &state.q[entry.q_range()], &state.v[entry.v_range()]);
            }
        }
        for carrier in carriers.iter_mut() {
            carrier.write(&bodies[of_body[carrier.carrier.body] as usize]);
        }
        for body in bodies {
            let own = model.bodies[body.index].general.as_ref().and_then(|made| made.carriers[0]);
            let axes = own.map_or(Motion::GROUND, |at| carriers[at as usize].motion);
            self.all[body.index] = Motion { pos: body.center, vel: body.center_velocity, ..axes };
        }
    }

    /// A general body by its index in the model.
    #[inline]
    pub(crate) fn general(&self, body: usize) -> Option<&GeneralMotion> {
        let general = self.general.as_ref()?;
        general.bodies.get(*general.of_body.get(body)? as usize)
    }
    pub(crate) fn general_mut(&mut self, body: usize) -> Option<&mut GeneralMotion> {
        let general = self.general.as_mut()?;
        general.bodies.get_mut(*general.of_body.get(body)? as usize)
    }
    #[inline]
    fn carried(&self, at: &Attachment) -> Option<&CarrierMotion> {
        let carrier = at.carrier()? as usize;
        self.general.as_ref().map(|general| &general.carriers[carrier])
    }

    /// Kinematics of an attached frame.
    #[inline]
    pub(crate) fn frame(&self, at: &Attachment) -> FrameMotion {
        match (at.body(), at.carrier()) {
            (Some(i), None) => self.all[i].attach(&at.local),
            (None, _) => Motion::GROUND.attach(&at.local),
            _ => self.carried(at).map_or(FrameMotion::default(), |carried| carried.attach(&at.local)),
        }
    }

    /// Writes the generalised force of a wrench at the end of `arm`, which is [`FrameMotion::arm`]
    /// of this attachment.
    #[inline]
    pub(crate) fn pull_back(
        &self,
        model: &Model,
        at: &Attachment,
        arm: Vec3,
        wrench: Wrench,
        out: &mut [f64],
    ) {
        let Some(body) = at.body() else { return };
        match self.carried(at) {
            None => model.bodies[body].kind.pull_back(arm, wrench, out),
            Some(carried) => carried.pull_back(arm, wrench, out),
        }
    }

    /// Sizes of the terms that form rows on a general body at an attachment: for a unit force and a
    /// unit torque at its carrier, the largest over all freedoms, each times its unit. A row across
    /// the axis of a shaft cancels to rounding of these.
    pub(crate) fn sizes_of_rows(&self, at: &Attachment, units: &[f64]) -> Option<[f64; 2]> {
        let (carried, general) = (self.carried(at)?, self.general(at.body()?)?);
        let mut most = [0.0; 2];
        for (j, unit) in units.iter().enumerate() {
            let [shift, spin] = carried.sizes_of_column(general, j);
            most = [larger(most[0], shift * unit), larger(most[1], spin * unit)];
        }
        Some(most)
    }

    /// Linear and angular velocity of the point at the end of `arm` for generalised velocities of
    /// its body.
    #[inline]
    pub(crate) fn push_forward(&self, model: &Model, at: &Attachment, arm: Vec3, v: &[f64]) -> (Vec3, Vec3) {
        let Some(body) = at.body() else { return (Vec3::ZERO, Vec3::ZERO) };
        match self.carried(at) {
            None => model.bodies[body].kind.push_forward(arm, v),
            Some(carried) => carried.push_forward(arm, v),
        }
    }

    /// Acceleration of a body's centre of mass, and its angular acceleration, from generalised
    /// accelerations of the body.
    pub(crate) fn acceleration(&self, model: &Model, body: usize, acc: &[f64]) -> (Vec3, Vec3) {
        let Some(general) = self.general(body) else {
            return model.bodies[body].kind.push_forward(Vec3::ZERO, acc);
        };
        let mut sum = general.center_bias;
        for (column, a) in general.center_columns.iter().zip(acc) {
            sum += *column * *a;
        }
        let own = model.bodies[body].general.as_ref().and_then(|made| made.carriers[0]);
        let carried = own.zip(self.general.as_ref()).map(|(at, general)| &general.carriers[at as usize]);
        let turning = carried
            .map_or(Vec3::ZERO, |carried| carried.push_forward(Vec3::ZERO, acc).1 + carried.bias_omega);
        (sum, turning)
    }
}
