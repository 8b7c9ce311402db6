//! Rolling judged from outside: the material points that touch have one velocity, and keep it.
//!
//! With c the place of the contact and ċ how it wanders, the slip u = v_b(c) − v_a(c) changes as
//! u̇ = a_b(c) − a_a(c) + ω_b × (ċ − v_b) − ω_a × (ċ − v_a).

use super::constraints::carried;
use super::math::*;
use super::outside::{Books, Report};
use super::scene::{Scene, number, vector};
use serde_json::Value;

pub(super) fn check(name: &str, joint: &Value, scene: &Scene, books: &Books, report: &mut Report) {
    let [a, b] = ["a", "b"].map(|end| joint[end].as_str().expect("a body"));
    let (on_a, on_b) = (books.motion(a), books.motion(b));
    let start = scene.bodies.get(b).expect("b is a body");
    let own = |field: &str| joint.get(field).map(|v| vector(v, field));
    let length = |v: &Value| number(v, "a length");
    let in_plane = [a, b].iter().all(|end| scene.bodies.get(*end).is_none_or(|body| body.is_flat()));
    let radius = length(&joint["radius"]);
    let centre_in_b = own("anchor_in_b").unwrap_or(ZERO);
    let centre = on_b.world(centre_in_b);
    let centre_rate = on_b.at(centre).0;
    let sphere = joint.get("on").and_then(|on| on.get("sphere")).map(length);
    let inside = joint.get("on").and_then(|on| on.get("inside")).and_then(Value::as_bool) == Some(true);

    // The surface: a point of it, or its centre, carried by a since the pose of the file.
    let up = unit(own("normal").unwrap_or(if in_plane { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] }));
    let axis = own("axis").or_else(|| own("axis_in_b").map(|k| rotate(start.rot, k))).map(unit);
    let tyre = joint.get("tyre").map_or(if axis.is_some() { 0.0 } else { radius }, length);
    let (old_pos, old_rot) = scene.bodies.get(a).map_or((ZERO, IDENTITY), |body| (body.position, body.rot));
    let surface = match (own("anchor_in_a"), own("anchor")) {
        (Some(own), _) => on_a.world(own),
        (None, world) => {
            let world = world.unwrap_or_else(|| {
                let centre = add(start.position, rotate(start.rot, centre_in_b));
                let to_centre = axis.map_or(scale(radius, up), |k| arm(up, k, radius, tyre));
                if sphere.is_some() { old_pos } else { sub(centre, to_centre) }
            });
            on_a.world(rotate(conjugate(old_rot), sub(world, old_pos)))
        }
    };
    let surface_rate = on_a.at(surface).0;

    let (from, from_rate) = (sub(centre, surface), sub(centre_rate, surface_rate));
    let (n, n_rate) = match sphere {
        None => {
            let n = carried(up, a, scene, books);
            (n, cross(on_a.omega, n))
        }
        Some(_) => {
            let sign = if inside { -1.0 } else { 1.0 };
            let (n, rate) = (scale(sign / norm(from), from), scale(sign / norm(from), from_rate));
            (n, sub(rate, scale(dot(n, rate), n)))
        }
    };
    let (lever, lever_rate) = match axis {
        None => (scale(radius, n), scale(radius, n_rate)),
        Some(axis) => {
            let k = carried(axis, b, scene, books);
            let k_rate = cross(on_b.omega, k);
            // Along the axis, level, and up in the disc.
            let level = cross(n, k);
            let level_rate = add(cross(n_rate, k), cross(n, k_rate));
            let size = norm(level);
            let rise = scale(1.0 / size, cross(k, level));
            let rise_rate = sub(
                scale(1.0 / size, add(cross(k_rate, level), cross(k, level_rate))),
                scale(dot(level, level_rate) / (size * size), rise),
            );
            let sum = |x: V, y: V| add(scale(radius - tyre, x), scale(tyre, y));
            (sum(rise, n), sum(rise_rate, n_rate))
        }
    };
    let gap = match sphere {
        None => dot(n, sub(from, lever)),
        Some(size) => {
            if inside {
                size - norm(from) - radius
            } else {
                norm(from) - size - radius
            }
        }
    };
    let reach = norm(centre) + norm(surface) + radius + sphere.unwrap_or(0.0);
    report.push(format!("joints.{name}: gap"), gap.abs(), reach);

    let touch = sub(centre, lever);
    let ((va, aa), (vb, ab)) = (on_a.at(touch), on_b.at(touch));
    let ((va_size, aa_size), (vb_size, ab_size)) = (on_a.sizes_at(touch), on_b.sizes_at(touch));
    report.push(format!("joints.{name}: slip"), norm(sub(vb, va)), va_size + vb_size + books.scale.speed);
    let wander = sub(centre_rate, lever_rate);
    let carried = sub(cross(on_b.omega, sub(wander, vb)), cross(on_a.omega, sub(wander, va)));
    let change = add(sub(ab, aa), carried);
    let turning = norm(on_a.omega) + norm(on_b.omega);
    let size = aa_size + ab_size + turning * (norm(wander) + va_size + vb_size);
    report.push(format!("joints.{name}: change of slip"), norm(change), size);
    if joint.get("spin").and_then(Value::as_bool) == Some(false) {
        let spin = dot(n, sub(on_b.omega, on_a.omega));
        report.push(format!("joints.{name}: twist"), spin.abs(), turning);
    }
}

/// From the contact up to the centre of a wheel.
fn arm(n: V, k: V, radius: f64, tyre: f64) -> V {
    let rise = unit(cross(k, cross(n, k)));
    add(scale(radius - tyre, rise), scale(tyre, n))
}
