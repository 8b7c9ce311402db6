//! Pairs of the broad phase.

use super::common::Random;
use cardan_shapes::{Aabb, Bounds, BroadPhase, Pose, Shape, Vec3, vec3};

fn brute(all: &[Option<Bounds>]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate().skip(i + 1) {
            if let (Some(a), Some(b)) = (a, b)
                && a.meets(b)
            {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs
}

#[test]
fn pairs_are_those_of_all_against_all_whatever_came_before() {
    let mut rng = Random(20);
    let mut broad = BroadPhase::new(0.05);
    let mut all: Vec<Option<Bounds>> = Vec::new();
    for round in 0..60 {
        for _ in 0..20 {
            let id = (rng.unit() * 150.0) as u32;
            while all.len() <= id as usize {
                all.push(None);
            }
            let one = &mut all[id as usize];
            if rng.unit() < 0.1 {
                broad.remove(id);
                *one = None;
                continue;
            }
            // Sizes over three decades, planes, small steps, infinite boxes, invalid boxes.
            let fresh = match rng.unit() {
                u if u < 0.02 => Bounds::HalfSpace { normal: rng.direction(), offset: -2.0 },
                u if u < 0.03 => {
                    Bounds::Box(Aabb { min: vec3(f64::NEG_INFINITY, 0.0, 0.0), max: vec3(1.0, 0.1, 0.1) })
                }
                u if u < 0.04 => {
                    Bounds::Box(Aabb { min: vec3(f64::NAN, 0.0, 0.0), max: vec3(1.0, 0.1, 0.1) })
                }
                u if u < 0.5 => match one {
                    Some(Bounds::Box(b)) => {
                        let by = rng.vector(0.06);
                        Bounds::Box(Aabb { min: b.min + by, max: b.max + by })
                    }
                    _ => Bounds::Box(Aabb::about(rng.vector(1.0), vec3(0.1, 0.1, 0.1))),
                },
                _ => {
                    let size = 0.01 * 10.0_f64.sqrt() * (1.0 + 100.0 * rng.unit() * rng.unit() * rng.unit());
                    Bounds::Box(Aabb::about(rng.vector(2.0), vec3(size, size * rng.unit(), size)))
                }
            };
            broad.set(id, fresh);
            *one = Some(fresh);
        }
        assert_eq!(broad.pairs(|_, _| false), brute(&all), "round {round}");
        let odd = |i: u32, j: u32| (i + j) % 2 == 1;
        let want: Vec<_> = brute(&all).into_iter().filter(|&(i, j)| !odd(i, j)).collect();
        assert_eq!(broad.pairs(odd), want);
    }
}

/// A heap of boxes: a cube of them, each slightly displaced and rotated.
pub(crate) fn heap(n: usize, rng: &mut Random) -> Vec<Pose> {
    let side = (1..).find(|s| s * s * s >= n).expect("a cube");
    (0..n)
        .map(|i| {
            let at = vec3((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64);
            Pose { pos: at * 1.05 + rng.vector(0.1), rot: rng.rotation() }
        })
        .collect()
}

#[test]
fn work_per_item_does_not_grow_with_their_number() {
    let block = Shape::cuboid([1.0, 0.8, 0.6]).expect("a box");
    let mut rng = Random(21);
    let mut per_item = Vec::new();
    for n in [1000, 30_000] {
        let mut poses = heap(n, &mut rng);
        let mut broad = BroadPhase::new(0.02);
        broad.set(n as u32, Bounds::of(&Shape::Plane, &Pose::IDENTITY, 0.01));
        let put = |broad: &mut BroadPhase, poses: &[Pose]| {
            for (i, p) in poses.iter().enumerate() {
                broad.set(i as u32, Bounds::of(&block, p, 0.01));
            }
        };
        put(&mut broad, &poses);
        let pairs = broad.pairs(|_, _| false).len();
        let first = broad.counts();
        assert_eq!((first.items, first.moved), (n + 1, n));
        // Where nothing has moved, nothing is looked up; where few items have, few are.
        put(&mut broad, &poses);
        assert_eq!(broad.pairs(|_, _| false).len(), pairs);
        assert_eq!((broad.counts().moved, broad.counts().cells), (0, 0));
        for p in poses.iter_mut().step_by(10) {
            p.pos += Vec3::Y * 0.05;
        }
        put(&mut broad, &poses);
        broad.pairs(|_, _| false);
        assert_eq!(broad.counts().moved, n.div_ceil(10));
        per_item.push([first.cells, first.compared, first.pairs].map(|c| c as f64 / n as f64));
    }
    for k in 0..3 {
        // A larger heap has less surface, so slightly more neighbours per box.
        assert!(per_item[1][k] < 1.35 * per_item[0][k], "{per_item:?}");
    }
    assert!(per_item[1][0] < 40.0, "{per_item:?}");
}
