//! Couplers, ropes, constant-velocity joints and paths, judged from the scene's text and the printed JSON.

use super::constraints::{carried, kind, list};
use super::math::*;
use super::outside::{ForceBalance, Report};
use super::scene::{Scene, number, vector};
use serde_json::{Value, json};
use std::f64::consts::PI;

/// The condition of a screw's thread: shift less lead per turn.
pub(super) fn thread(name: &str, screw: &Value) -> Value {
    let pitch = number(&screw["lead"], "lead") / (2.0 * PI);
    json!({ "kind": "coupler", "terms": [
        { "joint": name, "coordinate": 0 },
        { "joint": name, "coordinate": 1, "factor": -pitch },
    ] })
}

/// The equations of a coupler, or of a transmission that is one.
fn equations(joint: &Value, scene: &Scene) -> Vec<Value> {
    let name = |i: usize| joint["joints"][i].as_str().expect("a joint");
    let two = |a: f64, b: f64, second: usize| {
        vec![json!({ "terms": [
            { "joint": name(0), "coordinate": angle_of(name(0), scene), "factor": a },
            { "joint": name(1), "coordinate": second, "factor": b },
        ] })]
    };
    match kind(joint) {
        "rack-pinion" => two(number(&joint["radius"], "radius"), -1.0, 0),
        "worm" => {
            let starts = joint.get("starts").map_or(1.0, |n| number(n, "starts"));
            two(starts, -number(&joint["teeth"], "teeth"), angle_of(name(1), scene))
        }
        "belt" => {
            let radius = |i: usize| number(&joint["radii"][i], "radii");
            let way = if joint["crossed"] == true { 1.0 } else { -1.0 };
            two(radius(0), way * radius(1), angle_of(name(1), scene))
        }
        _ if joint.get("terms").is_some() => vec![joint.clone()],
        _ => list(joint, "equations").to_vec(),
    }
}

/// Which coordinate of a joint is its angle.
fn angle_of(joint: &str, scene: &Scene) -> usize {
    usize::from(scene.joints[joint].kind == "cylindrical")
}

/// Rate and second derivative of a coordinate from the motions of the bodies, with sizes; for hinges, slides and sleeves.
fn coordinate(joint: &str, k: usize, scene: &Scene, balance: &ForceBalance) -> Option<[(f64, f64); 2]> {
    let joint = scene.joints.get(joint)?;
    let (a, b) = (balance.motion(&joint.a), balance.motion(&joint.b));
    let z = rotate(a.rot, joint.axis_in_a);
    let turns = match (joint.kind.as_str(), k) {
        ("revolute", 0) | ("cylindrical", 1) => true,
        ("prismatic", 0) | ("cylindrical", 0) => false,
        _ => return None,
    };
    if turns {
        let size = norm(a.omega) + norm(b.omega);
        let change = norm(a.alpha) + norm(b.alpha) + a.alpha_scale + b.alpha_scale + size * size;
        return Some([(dot(z, sub(b.omega, a.omega)), size), (dot(z, sub(b.alpha, a.alpha)), change)]);
    }
    let point = b.world(joint.anchor_in_b);
    let ((va, aa), (vb, ab)) = (a.at(point), b.at(point));
    let ((sa, ca), (sb, cb)) = (a.sizes_at(point), b.sizes_at(point));
    // What Coriolis adds is across the slide.
    Some([(dot(z, sub(vb, va)), sa + sb), (dot(z, sub(ab, aa)), ca + cb)])
}

/// Σ f(s) is constant: its value by the printed coordinates, its rates by the motions of the bodies.
pub(super) fn coupler(
    name: &str,
    joint: &Value,
    printed: &Value,
    scene: &Scene,
    balance: &ForceBalance,
    report: &mut Report,
) {
    for (i, equation) in equations(joint, scene).iter().enumerate() {
        let [mut value, mut value_size, mut rate, mut rate_size, mut change, mut change_size] = [0.0; 6];
        for term in list(equation, "terms") {
            let of = term["joint"].as_str().expect("a joint");
            let k = term.get("coordinate").and_then(Value::as_u64).unwrap_or(0) as usize;
            let polynomial: Vec<f64> = match term.get("polynomial") {
                Some(p) => p.as_array().expect("a list").iter().map(|c| number(c, "polynomial")).collect(),
                None => vec![0.0, term.get("factor").map_or(1.0, |f| number(f, "factor"))],
            };
            let s = printed["joints"][of]["coordinates"][k].as_f64().expect("a coordinate");
            let Some([(speed, speed_size), (second, second_size)]) = coordinate(of, k, scene, balance) else {
                return report.skipped.push(format!("joints.{name} (a coordinate of {of})"));
            };
            // Straight from the definition: the check shares nothing with the engine.
            let power = |n: usize| s.powi(n as i32);
            let sum = |f: &dyn Fn(usize, f64) -> f64| -> f64 {
                polynomial.iter().enumerate().map(|(n, p)| f(n, *p)).sum()
            };
            let slope = sum(&|n, p| if n == 0 { 0.0 } else { p * n as f64 * power(n - 1) });
            let bend = sum(&|n, p| if n < 2 { 0.0 } else { p * (n * (n - 1)) as f64 * power(n - 2) });
            value += sum(&|n, p| p * power(n));
            value_size += sum(&|n, p| (p * power(n)).abs()) + slope.abs() * (1.0 + balance.scale.reach);
            rate += slope * speed;
            rate_size += slope.abs() * speed_size;
            change += slope * second + bend * speed * speed;
            change_size += slope.abs() * second_size + bend.abs() * speed_size * speed_size;
        }
        // Without an offset it stays as posed, where all coordinates of the bundled scenes are zero.
        let wanted = equation.get("offset").map_or(0.0, |v| number(v, "offset"));
        report.push(format!("joints.{name}.{i}: sum"), (value - wanted).abs(), value_size + wanted.abs());
        report.push(format!("joints.{name}.{i}: rate"), rate.abs(), rate_size);
        report.push(format!("joints.{name}.{i}: accelerations"), change.abs(), change_size);
    }
}

pub(super) fn rope(name: &str, joint: &Value, scene: &Scene, balance: &ForceBalance, report: &mut Report) {
    let point = |at: &Value| {
        let body = at["body"].as_str().expect("a body").to_string();
        let own = at.get("point").map_or(ZERO, |p| vector(p, "point"));
        (body, own)
    };
    let points: Vec<(String, V)> = list(joint, "points").iter().map(point).collect();
    let [mut length, mut posed, mut rate, mut rate_size, mut change, mut change_size] = [0.0; 6];
    for (k, pair) in points.windows(2).enumerate() {
        let weight = joint.get("weights").map_or(1.0, |w| number(&w[k], "weights"));
        let [(p, (v, a), (vs, acs)), (q, (w, b), (ws, bs))] = [&pair[0], &pair[1]].map(|(body, own)| {
            let motion = balance.motion(body);
            let at = motion.world(*own);
            (at, motion.at(at), motion.sizes_at(at))
        });
        let start = |(body, own): &(String, V)| match scene.bodies.get(body) {
            Some(body) => add(body.position, rotate(body.rot, *own)),
            None => *own,
        };
        posed += weight * norm(sub(start(&pair[1]), start(&pair[0])));
        let d = sub(q, p);
        let (far, speed) = (norm(d), sub(w, v));
        let n = unit(d);
        length += weight * far;
        rate += weight * dot(n, speed);
        rate_size += weight * (vs + ws);
        let across = dot(speed, speed) - dot(n, speed) * dot(n, speed);
        change += weight * (dot(n, sub(b, a)) + across / far);
        change_size += weight * (acs + bs + (vs + ws) * (vs + ws) / far);
    }
    let wanted = joint.get("length").map_or(posed, |l| number(l, "length"));
    report.push(format!("joints.{name}: length"), (length - wanted).abs(), wanted + balance.scale.reach);
    report.push(format!("joints.{name}: rate"), rate.abs(), rate_size);
    report.push(format!("joints.{name}: accelerations"), change.abs(), change_size);
}

pub(super) fn constant_velocity(
    name: &str,
    joint: &Value,
    scene: &Scene,
    balance: &ForceBalance,
    report: &mut Report,
) {
    let (on_a, on_b) = (joint["a"].as_str().expect("a body"), joint["b"].as_str().expect("a body"));
    let (a, b) = (balance.motion(on_a), balance.motion(on_b));
    let anchor = vector(&joint["anchor"], "anchor");
    let place = |body: &str| {
        let motion = balance.motion(body);
        match scene.bodies.get(body) {
            Some(start) => motion.world(rotate_back(start.rot, sub(anchor, start.position))),
            None => anchor,
        }
    };
    let (p, q) = (place(on_a), place(on_b));
    let ((va, aa), (vb, ab)) = (a.at(p), b.at(q));
    let ((vas, aas), (vbs, abs)) = (a.sizes_at(p), b.sizes_at(q));
    report.push(format!("joints.{name}: gap"), norm(sub(q, p)), balance.scale.reach + norm(p));
    report.push(format!("joints.{name}: slip"), norm(sub(vb, va)), vas + vbs + balance.scale.speed);
    report.push(format!("joints.{name}: accelerations"), norm(sub(ab, aa)), aas + abs);
    // Speeds about the line that halves the angle of the shafts agree.
    let axis = vector(&joint["axis"], "axis");
    let axis2 = joint.get("axis2").map_or(axis, |v| vector(v, "axis2"));
    let (z, y) = (carried(unit(axis), on_a, scene, balance), carried(unit(axis2), on_b, scene, balance));
    let (both, spin) = (add(z, y), sub(b.omega, a.omega));
    let turning = norm(a.omega) + norm(b.omega);
    report.push(format!("joints.{name}: twist"), dot(both, spin).abs(), turning + balance.scale.turning);
    let moved = add(cross(a.omega, z), cross(b.omega, y));
    let change = dot(both, sub(b.alpha, a.alpha)) + dot(moved, spin);
    let size = norm(a.alpha) + norm(b.alpha) + a.alpha_scale + b.alpha_scale + turning * turning;
    report.push(format!("joints.{name}: change of twist"), change.abs(), size);
}

/// Where the point should be: the rational B-spline by the recursion of Cox and de Boor, from its definition.
pub(super) fn follow(
    name: &str,
    joint: &Value,
    printed: &Value,
    balance: &ForceBalance,
    report: &mut Report,
) {
    let path = &joint["path"]["nurbs"];
    let points: Vec<V> = list(path, "points").iter().map(|p| vector(p, "a point")).collect();
    let degree = path.get("degree").and_then(Value::as_u64).unwrap_or(3) as usize;
    let weight = |i: usize| path.get("weights").map_or(1.0, |w| number(&w[i], "weights"));
    let start = path.get("start").map_or(0.0, |t| number(t, "start"));
    let spans = points.len() - degree;
    let knot = |i: usize| match path.get("knots") {
        Some(knots) => number(&knots[i], "knots"),
        None => {
            let inner = i.saturating_sub(degree).min(spans) as f64;
            start + number(&path["duration"], "duration") * inner / spans as f64
        }
    };
    fn basis(i: usize, p: usize, t: f64, knot: &dyn Fn(usize) -> f64) -> f64 {
        if p == 0 {
            return f64::from(knot(i) <= t && t < knot(i + 1));
        }
        let part = |top: f64, bottom: f64, n: f64| if bottom > 0.0 { top / bottom * n } else { 0.0 };
        part(t - knot(i), knot(i + p) - knot(i), basis(i, p - 1, t, knot))
            + part(knot(i + p + 1) - t, knot(i + p + 1) - knot(i + 1), basis(i + 1, p - 1, t, knot))
    }
    let time = printed["time"].as_f64().expect("a time");
    let wanted = if time >= knot(points.len() + degree) {
        points[points.len() - 1]
    } else if time < knot(0) {
        // It waits where the path begins.
        points[0]
    } else {
        let (mut sum, mut total) = (ZERO, 0.0);
        for (i, point) in points.iter().enumerate() {
            let part = basis(i, degree, time, &knot) * weight(i);
            (sum, total) = (add(sum, scale(part, *point)), total + part);
        }
        scale(1.0 / total, sum)
    };
    let b = balance.motion(joint["b"].as_str().expect("a body"));
    let at = b.world(joint.get("point_in_b").map_or(ZERO, |p| vector(p, "point_in_b")));
    let axes: Vec<V> = match joint.get("directions") {
        Some(_) => list(joint, "directions").iter().map(|e| unit(vector(e, "a direction"))).collect(),
        None => vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    };
    for (r, e) in axes.into_iter().enumerate() {
        let gap = dot(e, sub(at, wanted)).abs();
        report.push(format!("joints.{name}: row {r}"), gap, norm(wanted) + balance.scale.reach);
    }
}
