//! Mechanisms with loops: rigid bodies in space, connected by hinges, spherical joints and rods; planar ones
//! have redundant rows.

use std::sync::Arc;

use super::{Random, make_consistent};
use cardan_solve::{Block, Graph, Link, System};

/// Parameters of a random mechanism.
#[derive(Clone, Copy, Debug)]
pub struct Mechanism {
    pub bodies: usize,
    pub loops: usize,
    /// All anchors in one plane (of random orientation), all hinges normal to it.
    pub flat: bool,
    pub mass_decades: f64,
    /// Metres.
    pub size: f64,
}

type V = [f64; 3];

fn minus(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(v: V) -> V {
    let length = v.iter().map(|v| v * v).sum::<f64>().sqrt();
    v.map(|v| v / length)
}

fn direction(random: &mut Random) -> V {
    loop {
        let v = [random.unit(), random.unit(), random.unit()];
        let square = v.iter().map(|v| v * v).sum::<f64>();
        if (0.1..1.0).contains(&square) {
            return unit(v);
        }
    }
}

/// Two directions normal to `axis`.
fn across(axis: V) -> [V; 2] {
    let helper = if axis[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let first = unit(cross(axis, helper));
    [first, cross(axis, first)]
}

#[derive(Clone, Copy, Debug)]
enum Joint {
    Hinge,
    Ball,
    Rod,
}

impl Joint {
    fn rows(self) -> usize {
        match self {
            Joint::Hinge => 5,
            Joint::Ball => 3,
            Joint::Rod => 1,
        }
    }
}

/// A tree of joints from the ground, closed by further ones; links in random order.
pub fn mechanism(random: &mut Random, shape: Mechanism) -> System {
    let normal = direction(random);
    let [u, v] = across(normal);
    let place = |random: &mut Random| -> V {
        let (a, b, c) = (random.unit(), random.unit(), if shape.flat { 0.0 } else { random.unit() });
        [0, 1, 2].map(|k| shape.size * (a * u[k] + b * v[k] + c * normal[k]))
    };
    let positions: Vec<V> = (0..shape.bodies).map(|_| place(random)).collect();
    let mut joints: Vec<([Option<usize>; 2], Joint)> = Vec::new();
    let kind = |random: &mut Random| match random.below(10) {
        0 if !shape.flat => Joint::Ball,
        1 => Joint::Ball,
        2 if !shape.flat => Joint::Rod,
        _ => Joint::Hinge,
    };
    for body in 0..shape.bodies {
        let parent = if body == 0 || random.chance(5) { None } else { Some(random.below(body)) };
        joints.push(([parent, Some(body)], kind(random)));
    }
    for _ in 0..shape.loops {
        let a = random.below(shape.bodies);
        let b = random.below(shape.bodies + 1);
        let b = (b < shape.bodies && b != a).then_some(b);
        joints.push(([Some(a), b], kind(random)));
    }
    for k in (1..joints.len()).rev() {
        joints.swap(k, random.below(k + 1));
    }
    let mut graph = Graph::new();
    for _ in 0..shape.bodies {
        graph.add_block(6);
    }
    for (ends, joint) in &joints {
        graph.add_link(joint.rows(), &ends.map(|end| end.map(|body| Block(body as u32))));
    }
    let mut system = System::new(Arc::new(graph));
    for body in 0..shape.bodies {
        let mass = random.decades(shape.mass_decades);
        let block = system.mass_mut(Block(body as u32));
        let [a, b] = [random.unit(), random.unit()];
        let inertia = 0.1 * mass * shape.size * shape.size;
        for i in 0..6 {
            block[i * (i + 1) / 2 + i] =
                if i < 3 { mass } else { inertia * (1.0 + 0.3 * a * (i - 3) as f64) };
        }
        block[4 * 5 / 2 + 3] = 0.2 * b * inertia;
        for (i, f) in system.force_of_mut(Block(body as u32)).iter_mut().enumerate() {
            *f = mass * random.unit() * if i < 3 { 1.0 } else { shape.size };
        }
    }
    for (k, (ends, joint)) in joints.iter().enumerate() {
        let anchor = place(random);
        let axis = if shape.flat { normal } else { direction(random) };
        for (end, body) in ends.iter().enumerate() {
            let Some(body) = *body else { continue };
            let sign = if end == 0 { -1.0 } else { 1.0 };
            let arm = minus(anchor, positions[body]);
            let rows = system.jac_mut(Link(k as u32), end);
            let mut row = 0;
            let mut point = |rows: &mut [f64], along: V| {
                // along · (v + ω × arm)
                let turn = cross(arm, along);
                for j in 0..3 {
                    rows[row * 6 + j] = sign * along[j];
                    rows[row * 6 + 3 + j] = sign * turn[j];
                }
                row += 1;
            };
            if matches!(joint, Joint::Rod) {
                point(rows, axis);
                continue;
            }
            for along in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
                point(rows, along);
            }
            if matches!(joint, Joint::Hinge) {
                for (r, along) in across(axis).into_iter().enumerate() {
                    for j in 0..3 {
                        rows[(3 + r) * 6 + 3 + j] = sign * along[j];
                    }
                }
            }
        }
    }
    make_consistent(random, &mut system);
    system
}
