//! Times of collision tests: `cargo run --release -p cardan-shapes --example shapes_speed`.

use cardan_shapes::{
    Bounds, BroadPhase, Contact, Mat3, Pose, Scratch, Shape, ShapeError, Twist, Vec3, collide, vec3,
};
use std::hint::black_box;
use std::time::Instant;

/// A small generator (splitmix64).
struct Random(u64);

impl Random {
    fn between(&mut self, a: f64, b: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        a + (b - a) * ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
    fn vector(&mut self, r: f64) -> Vec3 {
        vec3(self.between(-r, r), self.between(-r, r), self.between(-r, r))
    }
    fn pose(&mut self, reach: f64) -> Pose {
        loop {
            let (x, y) = (self.vector(1.0), self.vector(1.0));
            if let (Some(x), Some(z)) = (x.normalized(), x.cross(y).normalized()) {
                return Pose { pos: self.vector(reach), rot: Mat3 { x, y: z.cross(x), z } };
            }
        }
    }
}

/// The least time per pair over several rounds; also contacts per pair.
fn time(name: &str, a: &Shape, b: &Shape, poses: &[(Pose, Pose)], margin: f64) {
    let (mut scratch, mut out): (Scratch, Vec<Contact>) = Default::default();
    let mut times = Vec::new();
    let mut contacts = 0;
    for _ in 0..25 {
        let start = Instant::now();
        contacts = 0;
        for (p, q) in poses {
            collide(a, p, b, q, margin, &mut scratch, &mut out);
            contacts += black_box(&out).len();
        }
        times.push(start.elapsed().as_nanos() as f64 / poses.len() as f64);
    }
    times.sort_by(f64::total_cmp);
    println!("{name:28} {:8.0} ns   {:.2} contacts", times[0], contacts as f64 / poses.len() as f64);
}

fn main() -> Result<(), ShapeError> {
    let mut rng = Random(1);
    let ball = Shape::sphere(0.5)?;
    let capsule = Shape::capsule(0.2, 1.0)?;
    let block = Shape::cuboid([1.0, 1.0, 1.0])?;
    let drum = Shape::cylinder(0.5, 1.0)?;
    let points: Vec<Vec3> = (0..30).filter_map(|_| rng.vector(1.0).normalized()).collect();
    let hull = Shape::hull(&points)?;
    let near: Vec<(Pose, Pose)> = (0..1000).map(|_| (rng.pose(0.5), rng.pose(0.5))).collect();
    // Stacked and shifted, rotated about the vertical, slightly overlapping: as in a heap of boxes.
    let stacked: Vec<(Pose, Pose)> = (0..1000)
        .map(|_| {
            let mut upper = rng.pose(0.0);
            let (c, s) = (upper.rot.x.x, upper.rot.x.y);
            let n = (c * c + s * s).sqrt();
            upper.rot = Mat3 { x: vec3(c / n, s / n, 0.0), y: vec3(-s / n, c / n, 0.0), z: Vec3::Z };
            upper.pos = vec3(rng.between(-0.3, 0.3), rng.between(-0.3, 0.3), 1.0 - 1e-5);
            (Pose::IDENTITY, upper)
        })
        .collect();
    let apart: Vec<(Pose, Pose)> =
        near.iter().map(|(p, q)| (*p, Pose { pos: q.pos + vec3(1.5, 0.3, 0.2), rot: q.rot })).collect();
    time("ball – ball", &ball, &ball, &near, 0.01);
    time("ball – plane", &ball, &Shape::Plane, &near, 0.01);
    time("ball – box", &ball, &block, &near, 0.01);
    time("capsule – capsule", &capsule, &capsule, &near, 0.01);
    time("capsule – box", &capsule, &block, &near, 0.01);
    time("box – plane", &block, &Shape::Plane, &near, 0.01);
    time("box – box, overlapping", &block, &block, &near, 0.01);
    time("box – box, stacked", &block, &block, &stacked, 0.01);
    time("box – box, mostly apart", &block, &block, &apart, 0.01);
    time("hull – hull (30 corners)", &hull, &hull, &near, 0.01);
    time("cylinder – plane", &drum, &Shape::Plane, &near, 0.01);
    time("cylinder – box", &drum, &block, &near, 0.01);
    time("cylinder – cylinder", &drum, &drum, &near, 0.01);

    let (mut scratch, mut out) = (Scratch::default(), Vec::new());
    let spin = Twist { vel: vec3(0.1, 0.2, 0.3), omega: vec3(0.3, -0.2, 0.5) };
    let mut gaps: Vec<(Pose, Pose, Contact)> = Vec::new();
    for (p, q) in &stacked {
        collide(&block, p, &block, q, 0.01, &mut scratch, &mut out);
        gaps.extend(out.iter().map(|c| (*p, *q, *c)));
    }
    let mut least = f64::INFINITY;
    for _ in 0..25 {
        let start = Instant::now();
        for (p, q, c) in &gaps {
            black_box(c.primitive.motion(p, &spin, q, &spin));
        }
        let time = start.elapsed().as_nanos() as f64 / gaps.len() as f64;
        least = if time < least { time } else { least };
    }
    println!("rate and bias of a gap       {least:8.0} ns");

    for n in [100, 1000, 10_000, 100_000_usize] {
        let side = (1..).find(|s| s * s * s >= n).unwrap_or(1);
        let mut poses: Vec<Pose> = (0..n)
            .map(|i| {
                let at = vec3((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64);
                Pose { pos: at * 1.05 + rng.vector(0.1), ..rng.pose(0.0) }
            })
            .collect();
        let mut broad = BroadPhase::new(0.02);
        let (mut first, mut steps) = (0.0, Vec::new());
        let mut moved = 0;
        for k in 0..12 {
            let start = Instant::now();
            for (i, p) in poses.iter().enumerate() {
                broad.set(i as u32, Bounds::of(&block, p, 0.01));
            }
            black_box(broad.pairs(|_, _| false));
            let time = start.elapsed().as_nanos() as f64 / n as f64;
            if k == 0 {
                first = time;
            } else {
                steps.push(time);
                moved += broad.counts().moved;
            }
            for p in &mut poses {
                p.pos += rng.vector(0.004);
            }
        }
        steps.sort_by(f64::total_cmp);
        println!(
            "broad phase, {n:6} boxes: first {first:5.0} ns, then {:4.0} ns per box and step ({:.1} % moved), {:.2} pairs per box",
            steps[0],
            moved as f64 / (11 * n) as f64 * 100.0,
            broad.counts().pairs as f64 / n as f64
        );
    }
    Ok(())
}
