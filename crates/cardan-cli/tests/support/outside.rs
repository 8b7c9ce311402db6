//! The outside check: a scene's text and the printed JSON must satisfy Newton, Euler and the joints' geometry.
//!
//! Per body, about the centre of mass, with what each joint exerts on b at b's anchor p and the opposite, at the same
//! place, on a:
//!
//! ```text
//!   m a − Σ f = 0            I α + ω × I ω − Σ (τ + r × f) = 0
//! ```
//!
//! Per joint, with a relative motion of b seen from a (w = ω_b − ω_a, p as a point of each body):
//!
//! ```text
//!   acceleration   a_p(b) − a_p(a) − 2 ω_a × v_rel        no locked part
//!   turning        α_b − α_a − ω_a × w                    no locked part
//!   reaction       structural force and torque            no free part
//! ```
//!
//! Every item is a residual divided by the magnitudes of the terms that form it; gaps and speeds, which no solve formed but
//! a whole history, also by the size and the speed of the mechanism. Particles have no moment balance; planar
//! bodies only have forces in the plane and moments about z, because the plane takes the rest.

use super::math::*;
use super::scene::{Body, Force, Joint, Kind, Scene};
use serde_json::Value;
use std::collections::BTreeMap;

/// What was checked: relative residuals by name, and the joints whose geometry the check does not know.
#[derive(Debug)]
pub(crate) struct Report {
    pub items: Vec<(String, f64)>,
    pub skipped: Vec<String>,
}

impl Report {
    pub(crate) fn worst(&self) -> (&str, f64) {
        let worst = self.items.iter().max_by(|x, y| x.1.total_cmp(&y.1)).expect("something was checked");
        (&worst.0, worst.1)
    }

    /// The items beyond `bound`, as text; empty if all hold. A residual that is not a number is beyond any bound.
    pub(crate) fn beyond(&self, bound: f64) -> Vec<String> {
        let bad = self.items.iter().filter(|item| item.1.is_nan() || item.1 > bound);
        bad.map(|(name, residual)| format!("{name}: {residual:.2e}")).collect()
    }

    pub(super) fn push(&mut self, name: String, residual: f64, magnitude: f64) {
        self.items.push((name, if residual == 0.0 { 0.0 } else { residual / magnitude }));
    }
}

/// Motion of a body as printed.
#[derive(Clone)]
pub(super) struct Motion {
    pub(super) pos: V,
    pub(super) rot: Q,
    pub(super) vel: V,
    pub(super) omega: V,
    pub(super) acc: V,
    pub(super) alpha: V,
    pub(super) com: V,
    /// What rounding in `acc` and `alpha` is measured by: forces per mass, moments per least inertia.
    pub(super) acc_scale: f64,
    pub(super) alpha_scale: f64,
}

impl Motion {
    const GROUND: Motion = Motion {
        pos: ZERO,
        rot: IDENTITY,
        vel: ZERO,
        omega: ZERO,
        acc: ZERO,
        alpha: ZERO,
        com: ZERO,
        acc_scale: 0.0,
        alpha_scale: 0.0,
    };

    /// With f = m v velocities stand in the place of accelerations, of a mechanism at rest.
    fn read(name: &str, printed: &Value, body: &Body, first_order: bool) -> Motion {
        let get = |key: &str| printed_vector(&printed[key], &format!("bodies.{name}.{key}"));
        let turns = matches!(body.kind, Kind::Rigid | Kind::Planar | Kind::Shaft(_));
        let rotation = |key: &str| if turns { get(key) } else { ZERO };
        let rot = match printed["orientation"].as_array() {
            Some(q) if turns => [0, 1, 2, 3].map(|i| q[i].as_f64().expect("a quaternion of numbers")),
            _ => IDENTITY,
        };
        if first_order {
            for key in ["acceleration", "angular_acceleration"] {
                let all = printed[key].as_array().map(Vec::as_slice).unwrap_or_default();
                assert!(all.iter().all(Value::is_null), "bodies.{name}.{key} is not null");
            }
            let (acc, alpha) = (get("velocity"), rotation("angular_velocity"));
            return Motion { pos: get("position"), rot, acc, alpha, com: body.com, ..Motion::GROUND };
        }
        Motion {
            pos: get("position"),
            rot,
            vel: get("velocity"),
            omega: rotation("angular_velocity"),
            acc: get("acceleration"),
            alpha: rotation("angular_acceleration"),
            com: body.com,
            acc_scale: 0.0,
            alpha_scale: 0.0,
        }
    }

    /// A point given from the frame's origin, in body axes.
    pub(super) fn world(&self, point: V) -> V {
        add(self.pos, rotate(self.rot, sub(point, self.com)))
    }

    /// Velocity and acceleration of the material point that is at the world point `p` now.
    pub(super) fn at(&self, p: V) -> (V, V) {
        let arm = sub(p, self.pos);
        let turning = cross(self.omega, arm);
        let acc = add(cross(self.alpha, arm), cross(self.omega, turning));
        (add(self.vel, turning), add(self.acc, acc))
    }

    /// Magnitudes of the terms of [`Motion::at`].
    pub(super) fn sizes_at(&self, p: V) -> (f64, f64) {
        let arm = norm(self.pos) + norm(p);
        let omega = norm(self.omega);
        let acc =
            norm(self.acc) + self.acc_scale + (norm(self.alpha) + self.alpha_scale + omega * omega) * arm;
        (norm(self.vel) + omega * arm, acc)
    }
}

/// Forces and moments on one body about its centre of mass, with the sum of their magnitudes.
#[derive(Clone, Default)]
pub(super) struct Load {
    force: V,
    moment: V,
    force_size: f64,
    moment_size: f64,
}

impl Load {
    fn push(&mut self, arm: V, force: V, torque: V) {
        self.force = add(self.force, force);
        self.moment = add(self.moment, add(torque, cross(arm, force)));
        self.force_size += norm(force);
        self.moment_size += norm(torque) + norm(arm) * norm(force);
    }
}

/// Size, speed and rate of turning of the mechanism.
#[derive(Clone, Copy, Default)]
pub(super) struct Scale {
    pub(super) reach: f64,
    pub(super) speed: f64,
    pub(super) turning: f64,
}

pub(super) struct ForceBalance<'a> {
    pub(super) motions: BTreeMap<&'a str, Motion>,
    pub(super) loads: BTreeMap<&'a str, Load>,
    pub(super) scale: Scale,
    pub(super) time: f64,
}

impl ForceBalance<'_> {
    pub(super) fn motion(&self, name: &str) -> &Motion {
        self.motions.get(name).unwrap_or(&Motion::GROUND)
    }

    /// A force at a world point and a torque, on a body or on the ground, which takes everything.
    pub(super) fn load(&mut self, name: &str, point: V, force: V, torque: V) {
        let arm = sub(point, self.motion(name).pos);
        if let Some(load) = self.loads.get_mut(name) {
            load.push(arm, force, torque);
        }
    }

    /// Torques that were added and taken away again on a body.
    pub(super) fn size(&mut self, name: &str, torque: f64) {
        if let Some(load) = self.loads.get_mut(name) {
            load.moment_size += torque;
        }
    }

    fn load_pair(&mut self, a: &str, b: &str, point: V, force: V, torque: V) {
        self.load(b, point, force, torque);
        self.load(a, point, scale(-1.0, force), scale(-1.0, torque));
    }
}

/// What contacts and inequalities push with; none of them pulls. Limits are part of what their joints exert.
fn contact_loads(printed: &Value, balance: &mut ForceBalance<'_>, report: &mut Report) {
    for contact in printed["contacts"].as_array().into_iter().flatten() {
        let get = |key: &str| printed_vector(&contact[key], &format!("contacts.{key}"));
        let (point, normal, force) = (get("point"), get("normal"), get("force"));
        let [a, b] = [0, 1].map(|i| contact["bodies"][i].as_str().expect("a name").to_string());
        // What resists rolling; not printed where nothing does.
        let moment = if contact["moment"].is_null() { ZERO } else { get("moment") };
        balance.load_pair(&a, &b, point, force, moment);
        let pull = (-dot(force, normal)).max(0.0);
        report.push(format!("contact of {a} and {b} pulls"), pull, norm(force));
        report.push(format!("contact of {a} and {b}: its normal"), (norm(normal) - 1.0).abs(), 1.0);
    }
    for inequality in printed["inequalities"].as_array().into_iter().flatten() {
        let (strain, gap) = (inequality["strain"].as_f64(), inequality["gap"].as_f64());
        let (strain, gap) = (strain.expect("a strain"), gap.expect("a gap"));
        let name = inequality["name"].as_str().expect("a name");
        report.push(format!("{name} pulls"), (-strain).max(0.0), 1.0);
        report.push(format!("{name} is violated"), (-gap).max(0.0), 1.0);
        if strain > 0.0 {
            report.push(format!("{name} pushes from afar"), gap.abs(), 1.0);
        }
        if inequality["kind"] == "limit" {
            continue;
        }
        for load in inequality["loads"].as_array().into_iter().flatten() {
            let get = |key: &str| printed_vector(&load[key], &format!("inequalities.{name}.{key}"));
            let body = load["body"].as_str().expect("a name");
            let place = balance.motion(body).pos;
            balance.load(body, place, get("force"), get("torque"));
        }
    }
}

pub(crate) fn check_outside(scene_text: &str, printed: &Value) -> Report {
    let scene = Scene::parse(scene_text);
    let mut report = Report { items: Vec::new(), skipped: Vec::new() };
    let first_order = super::is_first_order(scene_text);
    let motion = |(name, body): (&'_ String, &'_ Body)| {
        Motion::read(name, &printed["bodies"][name], body, first_order)
    };
    let mut balance = ForceBalance {
        motions: scene.bodies.iter().map(|entry| (entry.0.as_str(), motion(entry))).collect(),
        loads: scene.bodies.keys().map(|name| (name.as_str(), Load::default())).collect(),
        scale: Scale::default(),
        time: printed["time"].as_f64().unwrap_or(0.0),
    };
    let largest = |of: &dyn Fn(&Motion) -> f64| balance.motions.values().map(of).fold(0.0, f64::max);
    let (reach, turning) = (largest(&|m| norm(m.pos)), largest(&|m| norm(m.omega)));
    let speed = largest(&|m| norm(m.vel)) + reach * turning;
    balance.scale = Scale { reach, speed, turning };
    for (name, body) in &scene.bodies {
        let place = balance.motion(name).pos;
        balance.load(name, place, scale(body.mass, scene.gravity), ZERO);
    }
    contact_loads(printed, &mut balance, &mut report);
    let time = balance.time;
    for force in scene.forces.values() {
        apply(force, time, &mut balance);
    }
    for (name, joint) in &scene.joints {
        let printed = &printed["joints"][name];
        let get = |v: &Value, what: &str| printed_vector(&v[what], &format!("joints.{name}.{what}"));
        let (force, torque) = (get(printed, "force"), get(printed, "torque"));
        // Where points of b are not known from outside, the joint is closed, or a rod's line of action goes through both.
        let point = match is_plain(&scene, &joint.b) {
            true => balance.motion(&joint.b).world(joint.anchor_in_b),
            false => balance.motion(&joint.a).world(joint.anchor_in_a),
        };
        balance.load_pair(&joint.a, &joint.b, point, force, torque);
        parts_add_up(name, printed, force, torque, &mut report);
    }
    // A screw is printed as one joint: its thread's load is in that.
    for (name, constraint) in scene.constraints.iter().filter(|(name, _)| !scene.is_thread(name)) {
        super::constraints::apply(name, constraint, &printed["joints"][name], &mut balance, &mut report);
    }
    for (name, body) in &scene.bodies {
        check_balance(name, body, &mut balance, &mut report);
        if !body.is_plain() {
            continue;
        }
        let frame = balance.motion(name).world(ZERO);
        if let Some(v) = printed["bodies"][name].get("frame_position") {
            let size = norm(frame) + balance.scale.reach + norm(body.com);
            let gap = norm(sub(frame, printed_vector(v, "frame_position")));
            report.push(format!("bodies.{name}: frame position"), gap, size);
        }
    }
    let plain = |joint: &&Joint| is_plain(&scene, &joint.a) && is_plain(&scene, &joint.b);
    for (name, joint) in scene.joints.iter().filter(|(_, joint)| plain(joint)) {
        let structural = &printed["joints"][name]["parts"]["structural"];
        let get =
            |what: &str| printed_vector(&structural[what], &format!("joints.{name}.parts.structural.{what}"));
        let (mut force, mut torque) = (get("force"), get("torque"));
        if let Some(thread) = scene.constraints.get(&format!("{name}-thread")) {
            // What is left without the thread is the sleeve's.
            let pitch = -thread["terms"][1]["factor"].as_f64().expect("a pitch");
            let rows = printed["joints"][name]["multipliers"].as_array().expect("multipliers");
            let push = rows.last().and_then(Value::as_f64).expect("the thread's multiplier");
            let axis = rotate(balance.motion(&joint.a).rot, joint.axis_in_a);
            assert_eq!(rows.len(), 5, "a screw has five rows");
            force = sub(force, scale(push, axis));
            torque = sub(torque, scale(-pitch * push, axis));
        }
        check_joint(name, joint, (force, torque), &balance, &mut report);
    }
    for (name, constraint) in &scene.constraints {
        super::constraints::check(name, constraint, printed, &scene, &balance, &mut report);
    }
    for (name, (body, point)) in scene.probes.iter().filter(|(_, (body, _))| is_plain(&scene, body)) {
        let mut shown = printed["probes"][name].clone();
        if first_order {
            // Likewise.
            shown["acceleration"] =
                std::mem::replace(&mut shown["velocity"], serde_json::json!([0.0, 0.0, 0.0]));
        }
        check_probe(name, balance.motion(body), *point, &shown, &mut report);
    }
    report
}

/// Whether all points of a body are known from outside; the ground's are.
fn is_plain(scene: &Scene, name: &str) -> bool {
    name.split('/').next().and_then(|name| scene.bodies.get(name)).is_none_or(Body::is_plain)
}

/// Newton and Euler for one body; also fixes the scales of its accelerations.
fn check_balance(name: &str, body: &Body, balance: &mut ForceBalance, report: &mut Report) {
    let load = balance.loads[name].clone();
    let motion = balance.motions.get_mut(name).expect("a body of the scene");
    if body.kind == Kind::Held {
        return;
    }
    if let Kind::Shaft(axis) = body.kind {
        // About its axis, through the origin of its frame: e·(c × m a + I α + ω × I ω) = e·(τ + c × f).
        let (axis, arm) = (rotate(motion.rot, axis), rotate(motion.rot, body.com));
        let inertia = turned_inertia(motion.rot, body.inertia);
        let turn = add(mat_vec(inertia, motion.alpha), cross(motion.omega, mat_vec(inertia, motion.omega)));
        let rate = add(turn, cross(arm, scale(body.mass, motion.acc)));
        let moment = add(load.moment, cross(arm, load.force));
        let size = norm(rate) + load.moment_size + norm(arm) * load.force_size;
        report.push(
            format!("bodies.{name}: moment about the axis"),
            dot(axis, sub(rate, moment)).abs(),
            size,
        );
        motion.acc_scale = load.force_size / body.mass;
        motion.alpha_scale = load.moment_size / dot(axis, mat_vec(inertia, axis));
        return;
    }
    let plane = |v: V| match body.kind {
        Kind::Planar | Kind::PlanarParticle => [v[0], v[1], 0.0],
        _ => v,
    };
    let inertial = scale(body.mass, motion.acc);
    let residual = norm(plane(sub(inertial, load.force)));
    report.push(format!("bodies.{name}: force balance"), residual, norm(inertial) + load.force_size);
    motion.acc_scale = load.force_size / body.mass;
    if matches!(body.kind, Kind::Particle | Kind::PlanarParticle | Kind::Loose) {
        return;
    }
    let inertia = turned_inertia(motion.rot, body.inertia);
    let (turn, gyro) = (mat_vec(inertia, motion.alpha), cross(motion.omega, mat_vec(inertia, motion.omega)));
    let mut rest = sub(add(turn, gyro), load.moment);
    let greatest = [0, 1, 2].map(|i| norm(inertia[i])).into_iter().fold(0.0, f64::max);
    let gyro_size = greatest * dot(motion.omega, motion.omega);
    let mut least = body.inertia[2][2];
    if body.kind == Kind::Planar {
        rest = [0.0, 0.0, rest[2]];
    } else {
        least = [0, 1, 2].map(|i| body.inertia[i][i]).into_iter().fold(f64::INFINITY, f64::min);
    }
    let size = greatest * norm(motion.alpha) + gyro_size + load.moment_size;
    report.push(format!("bodies.{name}: moment balance"), norm(rest), size);
    motion.alpha_scale = (gyro_size + load.moment_size) / least;
}

fn apply(force: &Force, time: f64, balance: &mut ForceBalance) {
    match force {
        Force::Constant { body, point, force, torque, in_body, factor } => {
            let motion = balance.motion(body);
            let (rot, place) =
                (if *in_body { motion.rot } else { IDENTITY }, motion.world(point.unwrap_or(motion.com)));
            let turned = |v: V| rotate(rot, scale(factor.at(time), v));
            balance.load(body, place, turned(*force), turned(*torque));
        }
        Force::Spring { a, b, point_in_a, point_in_b, stiffness, damping, rest } => {
            let (on_a, on_b) = (balance.motion(a), balance.motion(b));
            let (from, to) = (on_a.world(*point_in_a), on_b.world(*point_in_b));
            let line = sub(to, from);
            let (length, along) = (norm(line), unit(line));
            let rate = dot(along, sub(on_b.at(to).0, on_a.at(from).0));
            let pull = stiffness * (length - rest) + damping * rate;
            balance.load(b, to, scale(-pull, along), ZERO);
            balance.load(a, from, scale(pull, along), ZERO);
        }
        Force::Torsion { a, b, axis_in_a, stiffness, damping, rest, turn } => {
            let (on_a, on_b) = (balance.motion(a), balance.motion(b));
            let axis = rotate(on_a.rot, *axis_in_a);
            let seen = quat_mul(quat_mul(conjugate(on_a.rot), on_b.rot), conjugate(*turn));
            let angle = 2.0 * dot([seen[1], seen[2], seen[3]], *axis_in_a).atan2(seen[0]);
            let rate = dot(axis, sub(on_b.omega, on_a.omega));
            let place = on_b.pos;
            balance.load_pair(a, b, place, ZERO, scale(-stiffness * (angle - rest) - damping * rate, axis));
        }
        Force::Drag { body, linear, quadratic, angular } => {
            let motion = balance.motion(body).clone();
            let resistance = linear + quadratic * norm(motion.vel);
            balance.load(body, motion.pos, scale(-resistance, motion.vel), scale(-angular, motion.omega));
        }
    }
}

/// The reported wrench is the sum of its four parts.
fn parts_add_up(name: &str, printed: &Value, force: V, torque: V, report: &mut Report) {
    for (what, total) in [("force", force), ("torque", torque)] {
        let part =
            |part: &str| printed["parts"][part].get(what).map_or(ZERO, |v| printed_vector(v, "a part"));
        let parts = ["structural", "drive", "limit", "friction"].map(part);
        let sum = parts.into_iter().fold(ZERO, add);
        let size = norm(total) + parts.into_iter().map(norm).sum::<f64>();
        report.push(format!("joints.{name}: parts of the {what}"), norm(sub(total, sum)), size);
    }
}

/// Which part of a relative translation or rotation a joint locks.
#[derive(Clone, Copy)]
enum Lock {
    Nothing,
    Along,
    Across,
    Everything,
}

impl Lock {
    fn locked(self, axis: V, v: V) -> V {
        match self {
            Lock::Nothing => ZERO,
            Lock::Along => along(axis, v),
            Lock::Across => sub(v, along(axis, v)),
            Lock::Everything => v,
        }
    }

    fn free(self, axis: V, v: V) -> V {
        sub(v, self.locked(axis, v))
    }
}

fn check_joint(name: &str, joint: &Joint, reaction: (V, V), balance: &ForceBalance, report: &mut Report) {
    let (on_a, on_b) = (balance.motion(&joint.a), balance.motion(&joint.b));
    let ends = Ends { name, joint, on_a, on_b, reaction, scale: balance.scale };
    match joint.kind.as_str() {
        "fixed" => ends.lower_pair(Lock::Everything, Lock::Everything, report),
        "revolute" => ends.lower_pair(Lock::Everything, Lock::Across, report),
        "prismatic" => ends.lower_pair(Lock::Across, Lock::Everything, report),
        "cylindrical" => ends.lower_pair(Lock::Across, Lock::Across, report),
        "spherical" => ends.lower_pair(Lock::Everything, Lock::Nothing, report),
        "planar" => ends.lower_pair(Lock::Along, Lock::Across, report),
        "oldham" => ends.lower_pair(Lock::Along, Lock::Everything, report),
        "orientation" => ends.lower_pair(Lock::Nothing, Lock::Everything, report),
        "point-on-line" | "in-line" => ends.lower_pair(Lock::Across, Lock::Nothing, report),
        "point-on-plane" | "in-plane" => ends.lower_pair(Lock::Along, Lock::Nothing, report),
        "aligned" | "parallel" => ends.lower_pair(Lock::Nothing, Lock::Across, report),
        "universal" => ends.cross(Lock::Everything, joint.axis_in_a, report),
        "perpendicular" => ends.cross(Lock::Nothing, joint.axis_in_a, report),
        "universal-on-line" => ends.cross(Lock::Across, joint.axis_in_a, report),
        "universal-on-plane" => ends.cross(Lock::Along, joint.axis_in_a, report),
        "lock" if joint.locks == ["y", "turn-y"] => {
            // The arms are z of a and x of b; what is held is the shift along y of a.
            let y = cross(joint.axis_in_a, rotate(joint.turn, joint.axis2_in_b));
            ends.cross(Lock::Along, y, report)
        }
        "distance" => ends.distance(report),
        "bead-on-circle" => ends.distance(report), // the plane of the circle is the plane of its bodies
        other => match locks_of(other) {
            Some((shifts, turns)) => ends.locks(shifts, turns, report),
            None => report.skipped.push(format!("joints.{name} ({other})")),
        },
    }
}

/// The shifts and turns that a kind says it locks, if that is all of it and no cross among them.
fn locks_of(kind: &str) -> Option<([bool; 3], [bool; 3])> {
    let about = cardan_scene::joint_kinds().find(|known| known.name == kind)?.pair?.about();
    let turns = [0, 1, 2].map(|i| about.locks.turn(i));
    let is_plain = !about.is_curved && turns.iter().filter(|t| **t).count() != 1;
    is_plain.then(|| ([0, 1, 2].map(|i| about.locks.shift(i)), turns))
}

struct Ends<'a> {
    name: &'a str,
    joint: &'a Joint,
    on_a: &'a Motion,
    on_b: &'a Motion,
    reaction: (V, V),
    scale: Scale,
}

impl Ends<'_> {
    /// Any locks: the shifts along or across one axis of a's frame, the turns across another.
    fn locks(&self, shifts: [bool; 3], turns: [bool; 3], report: &mut Report) {
        let joint = self.joint;
        let (z, x) = (joint.axis_in_a, rotate(joint.turn, joint.axis2_in_b));
        let axes = [x, cross(z, x), z];
        let lock = |held: [bool; 3]| match held.iter().filter(|h| **h).count() {
            0 => (Lock::Nothing, z),
            1 => (Lock::Along, axes[held.iter().position(|h| *h).unwrap_or(2)]),
            2 => (Lock::Across, axes[held.iter().position(|h| !*h).unwrap_or(2)]),
            _ => (Lock::Everything, z),
        };
        let ((shift, way), (turn, about)) = (lock(shifts), lock(turns));
        // One after the other, for their axes may differ; each with its own part of the reaction.
        let back = |axis: V| rotate(conjugate(joint.turn), axis);
        let sliding = Joint { axis_in_a: way, axis_in_b: back(way), ..joint.clone() };
        let force = (self.reaction.0, ZERO);
        Ends { joint: &sliding, reaction: force, ..*self }.lower_pair(shift, Lock::Nothing, report);
        let turning = Joint { axis_in_a: about, axis_in_b: back(about), ..joint.clone() };
        let torque = (ZERO, self.reaction.1);
        Ends { joint: &turning, reaction: torque, ..*self }.lower_pair(Lock::Nothing, turn, report);
    }

    fn lower_pair(&self, shift: Lock, turn: Lock, report: &mut Report) {
        let Ends { name, joint, on_a, on_b, reaction, scale: size } = self;
        let mut push = |what: &str, residual: V, size: f64| {
            report.push(format!("joints.{name}: {what}"), norm(residual), size)
        };
        let (p_a, p_b) = (on_a.world(joint.anchor_in_a), on_b.world(joint.anchor_in_b));
        let axis = rotate(on_a.rot, joint.axis_in_a);

        // Translation of b's anchor seen from a: both bodies' motion at the same place p_b.
        push("gap", shift.locked(axis, sub(p_b, p_a)), size.reach + norm(p_a) + norm(p_b));
        let ((v_a, a_a), (v_b, a_b)) = (on_a.at(p_b), on_b.at(p_b));
        let ((v_size_a, a_size_a), (v_size_b, a_size_b)) = (on_a.sizes_at(p_b), on_b.sizes_at(p_b));
        let v_rel = sub(v_b, v_a);
        push("velocity", shift.locked(axis, v_rel), size.speed + v_size_a + v_size_b);
        let a_rel = sub(sub(a_b, a_a), scale(2.0, cross(on_a.omega, v_rel)));
        let coriolis = 2.0 * norm(on_a.omega) * norm(v_rel);
        push("acceleration", shift.locked(axis, a_rel), a_size_a + a_size_b + coriolis);

        if !matches!(turn, Lock::Nothing) {
            let seen = quat_mul(quat_mul(conjugate(on_a.rot), on_b.rot), conjugate(joint.turn));
            let tilt = match turn {
                Lock::Across => sub(rotate(on_b.rot, joint.axis_in_b), axis),
                _ => scale(2.0 * seen[0].signum(), [seen[1], seen[2], seen[3]]),
            };
            push("alignment", tilt, 2.0);
            let w = sub(on_b.omega, on_a.omega);
            push("turning", turn.locked(axis, w), size.turning + norm(on_a.omega) + norm(on_b.omega));
            let alpha = sub(sub(on_b.alpha, on_a.alpha), cross(on_a.omega, w));
            let scales = on_a.alpha_scale + on_b.alpha_scale + norm(on_a.omega) * norm(w);
            push(
                "angular acceleration",
                turn.locked(axis, alpha),
                norm(on_a.alpha) + norm(on_b.alpha) + scales,
            );
        }

        // An ideal joint does no work along its freedoms. A reaction is formed from the forces and moments on its body.
        let (force, torque) = *reaction;
        let (force_size, moment_size) = self.reaction_sizes(p_b);
        push("force along a freedom", shift.free(axis, force), force_size);
        push("torque about a freedom", turn.free(axis, torque), moment_size);
    }

    /// A cross of two arms, u fixed in a and v fixed in b: its points stay together as far as they must, and u·v = 0 with both derivatives,
    ///
    ///   u·v = 0      u'·v + u·v' = 0      u''·v + 2 u'·v' + u·v'' = 0      u' = ω_a × u, u'' = α_a × u + ω_a × u', …
    ///
    /// The cross turns freely about both arms, so a torque is only across both. What of its shift is locked is along or across a
    /// direction of a.
    fn cross(&self, shift: Lock, way: V, report: &mut Report) {
        let Ends { name, joint, on_a, on_b, reaction, scale: size } = self;
        let p_b = on_b.world(joint.anchor_in_b);
        let (u, v) = (rotate(on_a.rot, joint.axis_in_a), rotate(on_b.rot, joint.axis2_in_b));
        // The point first, as in a ball joint, whose torque would be none at all.
        let force_only = (reaction.0, ZERO);
        let sliding = Joint { axis_in_a: way, ..(*joint).clone() };
        Ends { reaction: force_only, joint: &sliding, ..*self }.lower_pair(shift, Lock::Nothing, report);
        let mut push = |what: &str, residual: f64, size: f64| {
            report.push(format!("joints.{name}: {what}"), residual.abs(), size)
        };
        let change = |on: &Motion, arm: V| {
            let rate = cross(on.omega, arm);
            (rate, add(cross(on.alpha, arm), cross(on.omega, rate)))
        };
        let ((du, ddu), (dv, ddv)) = (change(on_a, u), change(on_b, v));
        let (w_a, w_b) = (norm(on_a.omega), norm(on_b.omega));
        push("right angle", dot(u, v), 2.0);
        push("turning", dot(du, v) + dot(u, dv), size.turning + w_a + w_b);
        let accelerations = norm(on_a.alpha) + norm(on_b.alpha) + on_a.alpha_scale + on_b.alpha_scale;
        let second = dot(ddu, v) + 2.0 * dot(du, dv) + dot(u, ddv);
        push("angular acceleration", second, accelerations + (w_a + w_b) * (w_a + w_b));
        let (_, moment_size) = self.reaction_sizes(p_b);
        push("torque about the first arm", dot(u, reaction.1), moment_size);
        push("torque about the second arm", dot(v, reaction.1), moment_size);
    }

    /// Distance between two points, and the bead, whose circle has its centre on a: the force is along the line.
    fn distance(&self, report: &mut Report) {
        let Ends { name, joint, on_a, on_b, reaction, scale: size } = self;
        let mut push = |what: &str, residual: f64, size: f64| {
            report.push(format!("joints.{name}: {what}"), residual, size)
        };
        let (p_a, p_b) = (on_a.world(joint.anchor_in_a), on_b.world(joint.anchor_in_b));
        let line = sub(p_b, p_a);
        let (length, u) = (norm(line), unit(line));
        if let Some(wanted) = joint.size {
            push("gap", (length - wanted).abs(), size.reach + norm(p_a) + norm(p_b) + wanted);
        }
        let ((v_a, a_a), (v_b, a_b)) = (on_a.at(p_a), on_b.at(p_b));
        let ((v_size_a, a_size_a), (v_size_b, a_size_b)) = (on_a.sizes_at(p_a), on_b.sizes_at(p_b));
        let rate = sub(v_b, v_a);
        push("velocity", dot(u, rate).abs(), size.speed + v_size_a + v_size_b);
        let bend = dot(rate, rate) / length; // d·d'' + d'·d' = 0, divided by |d|
        push("acceleration", (dot(u, sub(a_b, a_a)) + bend).abs(), a_size_a + a_size_b + bend);
        let (force, torque) = *reaction;
        let (force_size, moment_size) = self.reaction_sizes(p_b);
        let across = match joint.kind.as_str() {
            "distance" => norm(sub(force, along(u, force))),
            _ => dot(cross(rotate(on_a.rot, joint.axis_in_a), u), force).abs(), // only along the wire is it free
        };
        push("force along a freedom", across, force_size);
        push("torque", norm(torque), moment_size);
    }

    /// Magnitudes that the reaction is measured by: itself, and the moment of its force about the centres of mass.
    fn reaction_sizes(&self, p_b: V) -> (f64, f64) {
        let (force, torque) = (norm(self.reaction.0), norm(self.reaction.1));
        let arm = norm(sub(p_b, self.on_b.pos)) + norm(sub(p_b, self.on_a.pos));
        (force, torque + arm * force)
    }
}

fn check_probe(name: &str, on: &Motion, point: V, printed: &Value, report: &mut Report) {
    let p = on.world(point);
    let ((vel, acc), (vel_size, acc_size)) = (on.at(p), on.sizes_at(p));
    let items = [
        ("position", p, norm(p) + norm(on.pos)),
        ("velocity", vel, vel_size),
        ("acceleration", acc, acc_size),
    ];
    for (what, expected, size) in items {
        let shown = printed_vector(&printed[what], &format!("probes.{name}.{what}"));
        report.push(format!("probes.{name}: {what}"), norm(sub(shown, expected)), size);
    }
}

/// Three printed numbers; null (not finite) becomes NaN, which no bound accepts.
fn printed_vector(v: &Value, what: &str) -> V {
    let list = v.as_array().unwrap_or_else(|| panic!("the JSON has no vector {what}"));
    assert_eq!(list.len(), 3, "{what} has not three numbers");
    [0, 1, 2].map(|i| list[i].as_f64().unwrap_or(f64::NAN))
}
