//! A mechanism as TOML: one line per body and per joint, numbers as short as they can be and still read back bit by bit.

use super::Family;
use super::mechanism::{GeneratedBody, GeneratedJoint, MassDistribution, Mechanism};
use crate::scene::JointKindDesc;
use cardan::math::Vec3;
use std::fmt::Write as _;

pub(super) fn write(family: Family, size: usize, mechanism: &Mechanism, seed: u64) -> String {
    let Mechanism { bodies, joints } = mechanism;
    let mut out = TomlText(String::with_capacity(400 * (bodies.len() + 1)));
    let (name, n) = (family.name(), bodies.len());
    let size = if family.fixed_size().is_some() { String::new() } else { format!(" --n {size}") };
    let title = match family {
        Family::Chain => "Chain of hinged bodies",
        Family::SphericalChain => "Chain of bodies on ball joints",
        Family::Star => "Star of hinged bodies",
        Family::Comb => "Comb of hinged bodies",
        Family::BinaryTree => "Binary tree of hinged bodies",
        Family::RandomTree => "Random tree",
        Family::Humanoid => "Humanoid",
        Family::NFourBar => "Row of four-bars",
        Family::ClosedChain => "Closed chain of bodies on ball joints",
        Family::Net => "Net of ball-jointed columns and rods",
    };
    let chance = if family.is_random() { format!(", random with seed {seed}") } else { String::new() };
    let bodies_word = if n == 1 { "body" } else { "bodies" };
    out.push("# Made by: cardan generate ");
    let seeded = if family.is_random() { format!(" --seed {seed}") } else { String::new() };
    let _ = writeln!(out.0, "{name}{size}{seeded}");
    out.push("\nformat = 1\n");
    let _ = writeln!(out.0, "title = \"{title}\"");
    let _ = writeln!(out.0, "description = \"{n} {bodies_word}, {} joints{chance}\"", joints.len());
    out.push("gravity = [0, 0, -9.81]\n\n[simulation]\nuntil = 1\n\n[bodies]\n");
    for (i, body) in bodies.iter().enumerate() {
        out.body_name(mechanism, i);
        out.body(body);
    }
    if !joints.is_empty() {
        out.push("\n[joints]\n");
    }
    for (i, joint) in joints.iter().enumerate() {
        match &joint.name {
            Some(name) => out.push(name),
            None => out.numbered('j', i),
        }
        out.joint(mechanism, joint);
    }
    out.0
}

struct TomlText(String);

impl TomlText {
    fn push(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn numbered(&mut self, letter: char, i: usize) {
        let _ = write!(self.0, "{letter}{i}");
    }

    fn body_name(&mut self, mechanism: &Mechanism, i: usize) {
        match &mechanism.bodies[i].name {
            Some(name) => self.push(name),
            None => self.numbered('b', i),
        }
    }

    /// The shortest decimal that reads back to the same bits.
    fn number(&mut self, x: f64) {
        // Without an exponent small numbers would be long rows of zeros.
        let tiny = x != 0.0 && x.abs() < 1e-5;
        let _ = if tiny { write!(self.0, "{x:e}") } else { write!(self.0, "{x}") };
    }

    fn list(&mut self, key: &str, numbers: &[f64]) {
        self.push(key);
        for (i, &x) in numbers.iter().enumerate() {
            self.push(if i == 0 { " = [" } else { ", " });
            // −0 would read back as the integer 0.
            self.number(x + 0.0);
        }
        self.push("]");
    }

    fn vector(&mut self, key: &str, v: Vec3) {
        self.list(key, &[v.x, v.y, v.z]);
    }

    fn body(&mut self, body: &GeneratedBody) {
        self.push(" = { mass = ");
        self.number(body.mass);
        self.push(", ");
        match body.mass_distribution {
            MassDistribution::Inertia(moments) => self.vector("inertia", moments),
            MassDistribution::Box(size) => {
                self.push("shape = { kind = \"box\", ");
                self.vector("size", size);
                self.push(" }");
            }
            MassDistribution::Capsule(length, radius) => {
                let _ = write!(
                    self.0,
                    "shape = {{ kind = \"capsule\", length = {length}, radius = {radius}, \
                     orientation = {{ axis = [0, 1, 0], angle = \"90 deg\" }} }}"
                );
            }
            MassDistribution::RodAlongX(length, radius) => {
                let _ = write!(self.0, "shape = {{ kind = \"rod\", length = {length}, radius = {radius} }}");
            }
            MassDistribution::RodAlongZ(length, radius) => {
                let _ = write!(
                    self.0,
                    "shape = {{ kind = \"rod\", length = {length}, radius = {radius}, \
                     orientation = {{ axis = [0, 1, 0], angle = \"90 deg\" }} }}"
                );
            }
            MassDistribution::Sphere(radius) => {
                let _ = write!(self.0, "shape = {{ kind = \"sphere\", radius = {radius} }}");
            }
        }
        self.vector(", position", body.pos);
        self.list(", orientation = { quaternion", &body.quaternion);
        self.vector(" }, velocity", body.vel);
        self.vector(", angular_velocity", body.omega);
        self.push(" }\n");
    }

    fn joint(&mut self, mechanism: &Mechanism, joint: &GeneratedJoint) {
        let kind = match joint.kind {
            JointKindDesc::Spherical => "spherical",
            JointKindDesc::Prismatic => "prismatic",
            JointKindDesc::Distance => "distance",
            _ => "revolute",
        };
        let _ = write!(self.0, " = {{ kind = \"{kind}\", a = \"");
        match joint.parent {
            Some(parent) => self.body_name(mechanism, parent),
            None => self.push(crate::scene::GROUND),
        }
        self.push("\", b = \"");
        self.body_name(mechanism, joint.child);
        if joint.kind == JointKindDesc::Distance {
            // Its ends are given in the bodies, its length is as posed.
            self.vector("\", point_in_a", mechanism.seen_from(joint.parent, joint.anchor));
            self.vector(", point_in_b", mechanism.seen_from(Some(joint.child), joint.end));
        } else {
            self.vector("\", anchor", joint.anchor);
        }
        if matches!(joint.kind, JointKindDesc::Revolute | JointKindDesc::Prismatic) {
            self.vector(", axis", joint.axis);
        }
        self.push(" }\n");
    }
}
