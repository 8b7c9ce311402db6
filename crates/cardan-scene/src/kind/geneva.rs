//! Geneva drive: the pin of a crank enters the slots of a wheel in turn, and a locking arc fixes the wheel in between. With n slots,
//! α the angle of the crank from the line of the two shafts, β that of the wheel from a slot on that line, axes that point the same way:
//!
//!   C = β + f(α), up to 2π/n          f = atan2(λ sin α, 1 − λ cos α) where |α| ≤ π/2 − π/n, else ±π/n          λ = sin(π/n)
//!
//!   D = 1 − 2 λ cos α + λ²        f' = λ (cos α − λ)/D        f'' = −λ (1 − λ²) sin α/D²        Ċ = β̇ + f' α̇        C̈ = β̈ + f' α̈ + f'' α̇²
//!
//! λ is the radius of the pin's circle over the distance of the shafts: with this one the pin enters a slot along it, f' = 0, and nothing
//! jolts. f'' jumps there, so that the torque does. A crank's turn moves the wheel by 2π/n, over which C repeats: no turns are counted.
//! Slot and arc are ideal, without play: the constraint is bilateral at all times.
//!
//! Angles are the first coordinates of two joints, given by their `zero` in the pose of the file. An angle about z of a joint has G = (z_a + z)/(1 + z_z)
//! and the rest −(w·(z_a + z)) (w × z)_z/(1 + z_z)², z being b's axis seen from a, w the relative angular velocity.

use cardan::body::FrameMotion;
use cardan::constraint::ConstraintRows;
use cardan::joint::Relative;
use cardan::math::Vec3;
use cardan::{Constraint, ModelBuilder, Placement};
use core::f64::consts::{FRAC_PI_2, PI, TAU};

use crate::check::{Check, CheckResult};
use crate::error::SceneError;
use crate::kind::{JointKindSpec, NamedJoint};
use crate::lower::Lower;

pub(crate) struct Geneva;

impl JointKindSpec for Geneva {
    fn name(&self) -> &'static str {
        "geneva"
    }
    fn fields(&self) -> &'static [&'static str] {
        &["joints", "teeth"]
    }
    fn has_two_ends(&self) -> bool {
        false
    }
    fn equations(&self) -> String {
        "crates/cardan-scene/src/kind/geneva.rs".into()
    }

    fn check(&self, check: &Check<'_>, NamedJoint { path, desc, .. }: &NamedJoint<'_>) -> CheckResult {
        check.coupled_joints(path, desc, 2, "the crank's hinge and the wheel's")?;
        check.given(path, "teeth", desc.teeth.is_some(), "the slots of the wheel: teeth = 6")?;
        if desc.teeth.is_some_and(|n| !(3.0..=1000.0).contains(&n.0) || n.0.fract() != 0.0) {
            let message = "a Geneva wheel has three slots or more, and not more than a thousand";
            return Err(check.bad(path.join("teeth"), message, "give a whole number, such as 4 or 6"));
        }
        Ok(())
    }

    fn lower(
        &self,
        lower: &Lower<'_>,
        at: &NamedJoint<'_>,
        parts: &mut ModelBuilder,
    ) -> Result<(), SceneError> {
        let slots = at.desc.teeth.map_or(6.0, f64::from);
        let (mut frames, mut zero) = (Vec::new(), [0.0; 2]);
        for (i, name) in at.desc.joints.iter().flatten().enumerate().take(2) {
            let field = at.path.join("joints").join(i);
            let (_, kind) = lower.coupled(&field, name, 0)?;
            let other = lower.scene.joints.get(name).and_then(|desc| Some((desc, desc.kind.about().pair()?)));
            let Some((desc, pair)) =
                other.filter(|_| kind.is_angle(0) && kind.about().aligned_axis == Some(Vec3::Z))
            else {
                let help = "name a revolute joint";
                return Err(lower.bad(field, format!("joint `{name}` is no hinge"), help));
            };
            let joint = pair.joint(lower, &NamedJoint::new(name, desc))?;
            if let Placement::Frames { in_a, in_b } = joint.placement {
                frames.extend([(joint.a, in_a), (joint.b, in_b)]);
            }
            zero[i] = joint.zero[0];
        }
        at.constrain(parts, frames, GenevaConstraint { slots, ratio: libm::sin(PI / slots), zero })
    }
}

/// The condition on the frames of two hinges: a and b of the crank's, a and b of the wheel's.
#[derive(Clone, Debug)]
struct GenevaConstraint {
    /// n.
    slots: f64,
    /// λ.
    ratio: f64,
    /// Values of the angles where the frames of the hinges coincide.
    zero: [f64; 2],
}

/// An angle of a hinge: value, rate, C̈ when no frame accelerates, and its gradient in the world.
struct HingeAngle {
    value: f64,
    rate: f64,
    rest: f64,
    gradient: Vec3,
}

impl GenevaConstraint {
    fn angle(&self, frames: &[FrameMotion], i: usize) -> HingeAngle {
        let still = |f: &FrameMotion| FrameMotion { bias: Vec3::ZERO, bias_omega: Vec3::ZERO, ..*f };
        let at = Relative::new(&still(&frames[2 * i]), &still(&frames[2 * i + 1]));
        let z = at.turn * Vec3::Z;
        let (both, size) = (Vec3::Z + z, 1.0 + z.z);
        let g = both / size;
        let rest = -at.spin.dot(both) * at.spin.cross(z).z / (size * size);
        HingeAngle {
            value: libm::remainder(at.turn.twist_angle(Vec3::Z) + self.zero[i], TAU),
            rate: g.dot(at.spin),
            rest: g.dot(at.bias_spin) + rest,
            gradient: at.axes_a * g,
        }
    }

    /// f, f' and f''.
    fn follower(&self, alpha: f64) -> [f64; 3] {
        let (step, ratio) = (PI / self.slots, self.ratio);
        if alpha.abs() > FRAC_PI_2 - step {
            return [step.copysign(alpha), 0.0, 0.0];
        }
        let (sin, cos) = libm::sincos(alpha);
        let d = 1.0 - 2.0 * ratio * cos + ratio * ratio;
        let f = libm::atan2(ratio * sin, 1.0 - ratio * cos);
        [f, ratio * (cos - ratio) / d, -ratio * (1.0 - ratio * ratio) * sin / (d * d)]
    }
}

impl Constraint for GenevaConstraint {
    fn kind(&self) -> &'static str {
        "geneva"
    }

    fn rows(&self) -> usize {
        1
    }

    fn needs_orientation(&self, _end: usize) -> bool {
        true
    }

    fn marks(&self) -> usize {
        usize::MAX
    }

    /// The crank to its pin, and the slots.
    fn outline(&self, frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        let (crank, wheel) = (frames[1].pos, frames[3].pos);
        let axis = frames[1].rot * Vec3::Z;
        let apart = wheel - crank;
        let turned = |v: Vec3, angle: f64| {
            let (sin, cos) = libm::sincos(angle);
            v * cos + axis.cross(v) * sin
        };
        let [alpha, beta] = [0, 1].map(|i| self.angle(frames, i).value);
        let mut lines = vec![vec![crank, crank + turned(apart * self.ratio, alpha)]];
        let rim = libm::cos(PI / self.slots);
        for k in 0..self.slots as usize {
            let way = turned(-apart, beta + TAU * k as f64 / self.slots);
            lines.push(vec![wheel + way * (1.0 - self.ratio), wheel + way * rim]);
        }
        lines
    }

    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let (crank, wheel) = (self.angle(frames, 0), self.angle(frames, 1));
        let [f, first, second] = self.follower(crank.value);
        out.err[0] = libm::remainder(wheel.value + f, TAU / self.slots);
        out.scale[0] = TAU;
        out.jac_dot_v[0] = wheel.rest + first * crank.rest + second * crank.rate * crank.rate;
        for (i, torque) in [crank.gradient * first, wheel.gradient].into_iter().enumerate() {
            out.gradient(0, 2 * i).torque = -torque;
            out.gradient(0, 2 * i + 1).torque = torque;
        }
    }
}
