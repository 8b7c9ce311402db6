//! Commands: what a controller sets before a step. They hold until they are changed, and are part of
//! the [`State`](crate::State): snapshots keep them, and a restored state brings its own.
//!
//! | command | unit | acts as |
//! |---|---|---|
//! | effort of a joint coordinate | N, N·m | force along it on b, and the opposite on a; work |
//! | effort of a floating body | N, N·m | force and torque at its centre of mass, world axes; work |
//! | target of a servo | m, rad and their rates | set point in the place of the servo's law |
//! | wrench on a body | N, N·m | force and torque at its centre of mass, world axes; work |

use crate::body::Wrench;
use crate::bytes::{Reader, SaveError, Writer};
use crate::model::Model;

/// The commands of a state. A list is empty as long as nothing in it was set.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Commands {
    /// In joint order, then of joints beyond the tree.
    efforts: Vec<f64>,
    /// Set points of servos, value and rate; laid out like the efforts.
    targets: Vec<Option<[f64; 2]>>,
    /// By body.
    wrenches: Vec<Wrench>,
}

impl Clone for Commands {
    fn clone(&self) -> Self {
        Commands {
            efforts: self.efforts.clone(),
            targets: self.targets.clone(),
            wrenches: self.wrenches.clone(),
        }
    }
    /// Without allocating, once the lists have their length.
    fn clone_from(&mut self, other: &Self) {
        self.efforts.clone_from(&other.efforts);
        self.targets.clone_from(&other.targets);
        self.wrenches.clone_from(&other.wrenches);
    }
}

impl Commands {
    pub(crate) fn efforts(&self) -> &[f64] {
        &self.efforts
    }
    pub(crate) fn efforts_mut(&mut self, model: &Model) -> &mut [f64] {
        self.efforts.resize(model.joint_order().effort_count(), 0.0);
        &mut self.efforts
    }
    /// The set point of the servo of a coordinate, if one is commanded.
    pub(crate) fn target(&self, model: &Model, joint: usize, k: usize) -> Option<[f64; 2]> {
        if self.targets.is_empty() {
            return None;
        }
        self.targets.get(model.joint_order().efforts_of(joint).start + k).copied().flatten()
    }
    pub(crate) fn targets(&self) -> &[Option<[f64; 2]>] {
        &self.targets
    }
    pub(crate) fn targets_mut(&mut self, model: &Model) -> &mut [Option<[f64; 2]>] {
        self.targets.resize(model.joint_order().effort_count(), None);
        &mut self.targets
    }
    /// Sets the targets of all servos, whose numbers were checked. Rates that are left out are zero.
    pub(crate) fn write_targets(&mut self, model: &Model, values: &[f64], rates: Option<&[f64]>) {
        let all = self.targets_mut(model);
        for (at, (servo, value)) in model.joint_order().servos().iter().zip(values).enumerate() {
            let rate = rates.and_then(|rates| rates.get(at)).copied().unwrap_or(0.0);
            all[servo.slot] = Some([*value, rate]);
        }
    }
    pub(crate) fn wrenches(&self) -> &[Wrench] {
        &self.wrenches
    }
    pub(crate) fn wrenches_mut(&mut self, model: &Model) -> &mut [Wrench] {
        self.wrenches.resize(model.bodies.len(), Wrench::ZERO);
        &mut self.wrenches
    }

    /// Whether their lengths are those of a model.
    pub(crate) fn fit(&self, model: &Model) -> bool {
        let count = model.joint_order().effort_count();
        let lengths = [
            (self.efforts.len(), count),
            (self.targets.len(), count),
            (self.wrenches.len(), model.bodies.len()),
        ];
        lengths.into_iter().all(|(have, want)| have == 0 || have == want)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.efforts.capacity() * size_of::<f64>()
            + self.targets.capacity() * size_of::<Option<[f64; 2]>>()
            + self.wrenches.capacity() * size_of::<Wrench>()
    }

    pub(crate) fn write(commands: Option<&Commands>, out: &mut Writer) {
        out.flag(commands.is_some());
        let Some(commands) = commands else { return };
        out.numbers(&commands.efforts);
        out.long(commands.targets.len() as u64);
        for target in &commands.targets {
            out.flag(target.is_some());
            target.unwrap_or_default().iter().for_each(|x| out.number(*x));
        }
        out.long(commands.wrenches.len() as u64);
        for wrench in &commands.wrenches {
            out.vector(wrench.force);
            out.vector(wrench.torque);
        }
    }

    /// Commands from bytes; `None` if there are none. Their lengths must be those of the model.
    pub(crate) fn read(model: &Model, input: &mut Reader<'_>) -> Result<Option<Box<Commands>>, SaveError> {
        if !input.flag()? {
            return Ok(None);
        }
        let mut commands = Commands { efforts: input.numbers()?, ..Commands::default() };
        for _ in 0..input.count(17)? {
            let (is_set, target) = (input.flag()?, [input.number()?, input.number()?]);
            commands.targets.push(is_set.then_some(target));
        }
        for _ in 0..input.count(48)? {
            commands.wrenches.push(Wrench { force: input.vector()?, torque: input.vector()? });
        }
        if !commands.fit(model) {
            return Err(SaveError::Damaged { why: "its commands are not those of its joints" });
        }
        Ok(Some(Box::new(commands)))
    }
}
