//! Actuators: F = gain · u + bias, a force along a joint or a fixed tendon, with L = gear · q.
//!
//! ```text
//! gain · u + b₀ + b₁ L + b₂ L̇   along L   →   f₀ − k q − c q̇   along q
//! f₀ = gear (gain u + b₀),   k = −gear² b₁,   c = −gear² b₂
//! ```
//!
//! k > 0 is a `servo` whose law is f₀/k; c > 0 alone a `servo` that holds a speed; neither a `motor` whose
//! command is the control u, or a `drive` of the force where u has no range. u is that of the key frame, or
//! zero.

use std::collections::BTreeMap;

use super::fields::{ElementReader, Fields, MAIN};
use super::files::Item;
use super::scene::{SceneBuilder, plain};
use super::tendons::{TendonPath, Tendons, added};
use super::tree::{MotionType, NamedPart};
use crate::document::clip;
use crate::error::SceneError;
use crate::import::report::Treatment;
use crate::scene::{DriveDesc, DriveLevel, LawDesc, MotorDesc, ServoDesc};

/// Elements that are actuators; their defaults are one.
pub(super) const TAGS: [&str; 8] =
    ["general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "adhesion"];

/// An actuator as far as its defaults and attributes say.
#[derive(Clone)]
struct Actuator {
    gain: [f64; 3],
    bias: [f64; 3],
    has_affine_gain: bool,
    has_bias: bool,
    /// Its control acts later, through activation dynamics.
    is_delayed: bool,
    /// What has no counterpart here.
    unknown: Option<&'static str>,
    control_range: Option<[f64; 2]>,
    control_limited: Option<bool>,
    force_range: Option<[f64; 2]>,
    force_limited: Option<bool>,
    gear: [f64; 6],
    /// Damping in the measure of what is critical.
    damping_ratio: Option<f64>,
    /// Part of the range of its joint that is the range of its control.
    inherits: Option<f64>,
}

impl Actuator {
    fn new() -> Self {
        Self {
            gain: [1.0, 0.0, 0.0],
            bias: [0.0; 3],
            has_affine_gain: false,
            has_bias: false,
            is_delayed: false,
            unknown: None,
            control_range: None,
            control_limited: None,
            force_range: None,
            force_limited: None,
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            damping_ratio: None,
            inherits: None,
        }
    }

    /// What one element says, over what came before: the shortcuts set gain and bias.
    fn apply(&mut self, fields: &Fields<'_, '_>, tag: &str) -> Result<(), SceneError> {
        self.control_range = fields.vector::<2>("ctrlrange")?.or(self.control_range);
        self.force_range = fields.vector::<2>("forcerange")?.or(self.force_range);
        for (name, place) in
            [("ctrllimited", &mut self.control_limited), ("forcelimited", &mut self.force_limited)]
        {
            if fields.has(name) {
                *place = fields.flag(name)?;
            }
        }
        for (place, value) in self.gear.iter_mut().zip(fields.numbers("gear", 1..=6)?.unwrap_or_default()) {
            *place = value;
        }
        self.damping_ratio = None;
        match tag {
            "general" => self.general(fields)?,
            "motor" => {
                (self.gain, self.has_affine_gain, self.has_bias) = ([1.0, 0.0, 0.0], false, false);
                (self.is_delayed, self.unknown) = (false, None);
            }
            "position" | "intvelocity" => {
                let stiffness = fields.positive("kp")?.unwrap_or(self.gain[0]);
                (self.gain[0], self.bias[1]) = (stiffness, -stiffness);
                if let Some(damping) = fields.positive("kv")? {
                    self.bias[2] = -damping;
                }
                (self.has_affine_gain, self.has_bias) = (false, true);
                self.is_delayed = fields.positive("timeconst")?.is_some_and(|time| time > 0.0);
                self.unknown = None;
                self.damping_ratio = fields.positive("dampratio")?.filter(|ratio| *ratio > 0.0);
                if tag == "intvelocity" {
                    self.unknown = Some("an integrated velocity");
                }
                self.inherits = fields.positive("inheritrange")?.filter(|part| *part > 0.0);
            }
            "velocity" => {
                let damping = fields.positive("kv")?.unwrap_or(self.gain[0]);
                (self.gain[0], self.bias) = (damping, [0.0, 0.0, -damping]);
                (self.has_affine_gain, self.has_bias, self.is_delayed) = (false, true, false);
                self.unknown = None;
            }
            "damper" => {
                let damping = fields.positive("kv")?.unwrap_or(0.0);
                (self.gain, self.has_affine_gain) = ([0.0, 0.0, -damping], true);
                (self.has_bias, self.is_delayed, self.unknown) = (false, false, None);
            }
            "cylinder" => self.unknown = Some("a cylinder"),
            _ => self.unknown = Some("adhesion"),
        }
        Ok(())
    }

    fn general(&mut self, fields: &Fields<'_, '_>) -> Result<(), SceneError> {
        for (name, place) in [("gainprm", &mut self.gain), ("biasprm", &mut self.bias)] {
            for (place, value) in place.iter_mut().zip(fields.numbers(name, 1..=10)?.unwrap_or_default()) {
                *place = value;
            }
        }
        match fields.choice("gaintype", &["fixed", "affine", "muscle", "user", "dcmotor"])? {
            Some("fixed") => self.has_affine_gain = false,
            Some("affine") => self.has_affine_gain = true,
            Some(_) => self.unknown = Some("a gain that is not affine"),
            None => {}
        }
        match fields.choice("biastype", &["none", "affine", "muscle", "user", "dcmotor"])? {
            Some("none") => self.has_bias = false,
            Some("affine") => self.has_bias = true,
            Some(_) => self.unknown = Some("a bias that is not affine"),
            None => {}
        }
        match fields.choice(
            "dyntype",
            &["none", "integrator", "filter", "filterexact", "muscle", "user", "dcmotor"],
        )? {
            Some("none") => self.is_delayed = false,
            Some("muscle") => self.unknown = Some("a muscle"),
            Some(_) => self.is_delayed = true,
            None => {}
        }
        Ok(())
    }

    /// [f₀, k, c] along a coordinate with this gear, at a control.
    fn along(&self, gear: f64, control: f64) -> [f64; 3] {
        let mut force = [self.gain[0] * control, 0.0, 0.0];
        if self.has_affine_gain {
            (force[1], force[2]) = (self.gain[1] * control, self.gain[2] * control);
        }
        if self.has_bias {
            (0..3).for_each(|k| force[k] += self.bias[k]);
        }
        [gear * force[0], -gear * gear * force[1] + 0.0, -gear * gear * force[2] + 0.0]
    }
}

/// What the defaults of a class and of those above it say; every class is asked once.
fn defaults(
    reader: &ElementReader<'_, '_>,
    class: usize,
    known: &mut BTreeMap<usize, Actuator>,
) -> Result<Actuator, SceneError> {
    let above = std::iter::successors(Some(class), |&class| reader.classes.parent(class));
    let mut chain: Vec<usize> = above.take_while(|class| !known.contains_key(class)).collect();
    let top = chain.last().copied().unwrap_or(class);
    let start = if chain.is_empty() { Some(class) } else { reader.classes.parent(top) };
    let mut own = start.and_then(|class| known.get(&class)).cloned().unwrap_or_else(Actuator::new);
    while let Some(class) = chain.pop() {
        for default in reader.classes.actuators(class) {
            own.apply(&reader.plain(*default), default.tag())?;
        }
        known.insert(class, own.clone());
    }
    Ok(own)
}

fn limited(range: Option<[f64; 2]>, said: Option<bool>, auto: bool) -> Option<[f64; 2]> {
    range.filter(|[low, high]| said.unwrap_or(auto && low < high))
}

impl<'a> SceneBuilder<'_, 'a> {
    pub(super) fn actuators(&mut self, tendons: &Tendons<'a>) -> Result<(), SceneError> {
        let mut of_class: BTreeMap<usize, BTreeMap<usize, Actuator>> = BTreeMap::new();
        let mut inertias: Option<Option<Vec<f64>>> = None;
        for (i, (reader, item)) in self.section("actuator").into_iter().enumerate() {
            let tag = item.tag();
            if !TAGS.contains(&tag) || !self.settings.actuation {
                self.note(Treatment::Ignored, &format!("actuator <{}>", clip(tag)), item);
                continue;
            }
            let class = reader.classes.named(&reader.files, item, "class")?.unwrap_or(MAIN);
            let mut own = defaults(reader, class, of_class.entry(reader.files.first).or_default())?;
            let fields = reader.plain(item);
            own.apply(&fields, tag)?;
            if let Some(what) = own.unknown {
                self.note(Treatment::Ignored, &format!("actuator with {what}"), item);
                continue;
            }
            let targets: Vec<(usize, f64)> = if fields.has("joint") || fields.has("jointinparent") {
                let name = if fields.has("joint") { "joint" } else { "jointinparent" };
                let joint = self.model.named(&fields, name, NamedPart::Joint)?.unwrap_or(0);
                vec![(joint, 1.0)]
            } else if fields.has("tendon") {
                match &tendons.find(&fields, "tendon")?.path {
                    TendonPath::Joints(all) => all.iter().copied().filter(|(_, coef)| *coef != 0.0).collect(),
                    _ => Vec::new(),
                }
            } else {
                Vec::new()
            };
            if let (Some(ratio), [(joint, coef)]) = (own.damping_ratio, &targets[..]) {
                // c = 2 ζ √(k m), where m is what the joint feels in the pose of the file, along L.
                let inertias = inertias.get_or_insert_with(|| self.joint_inertias());
                let Some(inertias) = inertias else {
                    self.note(Treatment::Ignored, "actuator with `dampratio`, of too many joints", item);
                    continue;
                };
                let along = own.gear[0] * coef;
                own.bias[2] = -2.0 * ratio * (own.gain[0] * inertias[*joint] / (along * along)).sqrt();
            }
            // A range about the middle of the joint's.
            let inherited = match (own.inherits, &targets[..]) {
                (Some(part), [(joint, _)]) if fields.has("joint") => {
                    let about = |[low, high]: [f64; 2]| {
                        let (middle, half) = (0.5 * (low + high), 0.5 * part * (high - low));
                        [middle - half, middle + half]
                    };
                    self.model.joints[*joint].limits.map(about)
                }
                _ => None,
            };
            if targets.is_empty() || (own.inherits.is_some() && inherited.is_none()) {
                let what = "actuator that acts along no joint and no fixed tendon, or inherits a range that is not there";
                self.note(Treatment::Ignored, what, item);
                continue;
            }
            let auto = reader.compiler.autolimits;
            let range = inherited.or(limited(own.control_range, own.control_limited, auto));
            let mut control = self.key.controls.get(i).copied().unwrap_or(0.0);
            if let Some([low, high]) = range {
                control = if control < low {
                    low
                } else if control > high {
                    high
                } else {
                    control
                };
            }
            let [_, k, c] = own.along(1.0, control);
            if targets.len() > 1 && (k != 0.0 || c != 0.0) {
                let what = "actuator with stiffness or damping along a tendon of several joints";
                self.note(Treatment::Ignored, what, item);
                continue;
            }
            if own.is_delayed {
                let what = "activation dynamics of an actuator: its control acts at once";
                self.note(Treatment::Approximated, what, item);
            }
            let force = limited(own.force_range, own.force_limited, auto);
            for (joint, coef) in targets {
                self.push_along(joint, coef * own.gear[0], &own, control, (range, force), item);
            }
        }
        Ok(())
    }

    /// One actuator along one joint.
    fn push_along(
        &mut self,
        joint: usize,
        gear: f64,
        own: &Actuator,
        control: f64,
        (range, force): (Option<[f64; 2]>, Option<[f64; 2]>),
        item: Item<'a>,
    ) {
        let is_single = matches!(self.model.joints[joint].kind, MotionType::Hinge | MotionType::Slide);
        let [f0, k, c] = own.along(gear, control);
        let finite = f0.is_finite() && k.is_finite() && c.is_finite();
        if !is_single || !finite || k < 0.0 || c < 0.0 || gear == 0.0 {
            let what =
                "actuator of a ball or free joint, without gear, or with a negative stiffness or damping";
            self.note(Treatment::Ignored, what, item);
            return;
        }
        let limit = force.map(|[low, high]| {
            let largest = if high > -low { high } else { -low };
            gear.abs() * largest
        });
        if limit == Some(0.0) {
            self.note(Treatment::Ignored, "actuator whose force range is 0: it does nothing", item);
            return;
        }
        if force.is_some_and(|[low, high]| low != -high) {
            self.note(Treatment::Approximated, "`forcerange` that is not symmetric: its larger side", item);
        }
        if k == 0.0 && c == 0.0 && range.is_some_and(|[low, high]| low != -high) {
            self.note(Treatment::Approximated, "`ctrlrange` that is not symmetric: its larger side", item);
        }
        let Some(desc) = &mut self.joints[joint] else { return };
        let constant = |value: f64| LawDesc::Constant(plain(value));
        let mut what = "actuator: a servo";
        if k > 0.0 || c > 0.0 {
            let law = match k > 0.0 {
                true => constant(f0 / k),
                false if f0 == 0.0 => constant(0.0),
                false => LawDesc::Expression(format!("{:?}*t", f0 / c)),
            };
            let damping = (c > 0.0).then(|| plain(c));
            let servo =
                ServoDesc { coordinate: 0, law, stiffness: plain(k), damping, limit: limit.map(plain) };
            desc.servo = Some(added(desc.servo.take(), servo));
        } else {
            let full = range.map(|[low, high]| if high > -low { high } else { -low });
            let torque = full.map_or(0.0, |full| (own.gain[0] * gear).abs() * full);
            let has_offset = own.has_bias && own.bias[0] != 0.0;
            let limit = limit.map_or(torque, |limit| if limit < torque { limit } else { torque });
            let bounded = limit > 0.0 && torque.is_finite();
            if let (Some(full), true, false) = (full, bounded, has_offset) {
                let rows = vec![(plain(0.0), plain(torque)), (plain(1.0), plain(torque))];
                let command = if own.gain[0] * gear > 0.0 { control / full } else { -control / full };
                let (law, limit) = (Some(constant(command)), Some(plain(limit)));
                desc.motor =
                    Some(added(desc.motor.take(), MotorDesc { coordinate: 0, curve: rows, law, limit }));
                what = "actuator: a motor whose command is the control over the end of its range";
            } else {
                let [low, high] = force.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]).map(|end| gear * end);
                let [low, high] = if low < high { [low, high] } else { [high, low] };
                let f0 = if f0 < low {
                    low
                } else if f0 > high {
                    high
                } else {
                    f0
                };
                let drive = DriveDesc { coordinate: 0, level: DriveLevel::Force, law: constant(f0) };
                desc.drive = Some(added(desc.drive.take(), drive));
                what = "actuator without a range: a force";
            }
        }
        self.note(Treatment::Used, what, item);
    }
}
