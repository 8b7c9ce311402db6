//! Placement of a joint in the fields of a scene file, for replacements.
//!
//! A joint that is closed in the pose of the file is placed in the world by `anchor` and `axis`;
//! one that is open has frames on both bodies.

use crate::joint::{Anchor, JointKind, JointRows, Relative};
use crate::math::Vec3;
use crate::model::{Attachment, Model};
use crate::step::{Workspace, frame, write_motions};
use crate::tolerances::CLOSED;

/// Fields and values that place `kind` where `joint` is.
pub(super) fn fields(
    model: &Model,
    work: &Workspace,
    joint: usize,
    kind: JointKind,
) -> Vec<(&'static str, [f64; 3])> {
    let entry = &model.joints[joint];
    let mut motions = work.kinematics.motions.clone();
    write_motions(model, model.initial_state(), &mut motions);
    let (a, b) = (frame(&motions, &entry.a), frame(&motions, &entry.b));
    let relative = Relative::new(&a, &b);
    let mut rows = JointRows::default();
    entry.kind.write_rows(&relative, entry.plane.as_deref(), &mut rows);
    let is_open = (0..rows.count).any(|r| rows.err[r].abs() > CLOSED * rows.scale[r]);
    let mut out = Vec::new();
    let mut say =
        |name: &'static str, value: Vec3| out.push((name, value.to_array().map(|x| plain(name, x))));
    let has_anchor = kind.about().locks.shifts() > 0;
    if !is_open {
        if has_anchor {
            say("anchor", b.pos);
        }
        if kind.needs_axis() {
            say("axis", relative.axes_a.z);
        }
        if kind.has_cross() {
            say("axis2", b.rot * Vec3::X);
        }
        return out;
    }
    let point = |end: &Attachment| {
        end.local.pos + end.body().map_or(Vec3::ZERO, |body| model.bodies[body].mass.center)
    };
    let (z_a, z_b) = (entry.a.local.rot * Vec3::Z, entry.b.local.rot * Vec3::Z);
    let on_something = kind.about().anchor == Anchor::Along;
    if has_anchor {
        say("anchor_in_a", point(&entry.a));
        say(if on_something { "point_in_b" } else { "anchor_in_b" }, point(&entry.b));
    }
    if kind.needs_axis() {
        say("axis_in_a", z_a);
    }
    if kind.has_cross() {
        say("axis2_in_b", entry.b.local.rot * Vec3::X);
    } else if kind.needs_axis() && !on_something {
        say("axis_in_b", z_b);
    }
    out
}

/// A number rounded to one digit less than the last; for an axis, whose components are at most 1,
/// in absolute terms.
fn plain(name: &str, x: f64) -> f64 {
    const DIGITS: f64 = 1e15;
    let x = if name.starts_with("axis") { libm::round(x * DIGITS) / DIGITS } else { x };
    if x.abs() < 1.0 / DIGITS { 0.0 } else { x }
}
