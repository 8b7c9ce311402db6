//! Contact problems of boxes: walls of bricks, stacks, and joints among them.

use cardan_solve::complementarity::{ConstraintKind, ContactProblem};

use crate::common::Random;

/// A box: centre, half sizes, mass.
#[derive(Clone, Copy, Debug)]
pub struct Box3 {
    pub centre: [f64; 3],
    pub half: [f64; 3],
    pub mass: f64,
}

/// Unit bricks 2 × 1 × 1, every other layer shifted by half a brick, on the ground.
pub fn wall(wide: usize, high: usize) -> Vec<Box3> {
    let mut boxes = Vec::new();
    for layer in 0..high {
        for column in 0..wide {
            let x = 2.0 * column as f64 + (layer % 2) as f64;
            boxes.push(Box3 { centre: [x, 0.0, layer as f64 + 0.5], half: [1.0, 0.5, 0.5], mass: 1.0 });
        }
    }
    boxes
}

/// Cubes stacked on each other.
pub fn stack(masses: &[f64]) -> Vec<Box3> {
    let layer = |(k, &mass): (usize, &f64)| Box3 { centre: [0.0, 0.0, k as f64 + 0.5], half: [0.5; 3], mass };
    masses.iter().enumerate().map(layer).collect()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Rows of the point at `place` along n and two tangents, for a box; sign −1 for the lower one.
pub fn rows(of: &Box3, place: [f64; 3], sign: f64) -> Vec<f64> {
    let arm = [0, 1, 2].map(|i| place[i] - of.centre[i]);
    let mut out = Vec::new();
    for along in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0f64]] {
        let turn = cross(arm, along);
        out.extend(along.iter().chain(&turn).map(|v| sign * v));
    }
    out
}

/// Boxes with velocities after a free step of `h` under gravity, and random ones of size `noise`; contacts at
/// the corners of shared faces.
pub fn problem(boxes: &[Box3], mu: f64, h: f64, noise: f64, random: &mut Random) -> ContactProblem {
    let mut problem = ContactProblem::new();
    for of in boxes {
        let mut inverse = [0.0; 36];
        for i in 0..3 {
            let others = (0..3).filter(|&j| j != i).map(|j| of.half[j] * of.half[j]).sum::<f64>();
            inverse[i * 7] = 1.0 / of.mass;
            inverse[(i + 3) * 7] = 3.0 / (of.mass * others);
        }
        let mut v: Vec<f64> = (0..6).map(|_| noise * random.unit()).collect();
        v[2] -= 9.81 * h;
        problem.add_block(&inverse, &v).unwrap();
    }
    for (k, of) in boxes.iter().enumerate() {
        let bottom = of.centre[2] - of.half[2];
        let span = |b: &Box3, i: usize| (b.centre[i] - b.half[i], b.centre[i] + b.half[i]);
        let mut constraint = |under: Option<usize>, x: (f64, f64), y: (f64, f64)| {
            for (x, y) in [(x.0, y.0), (x.1, y.0), (x.1, y.1), (x.0, y.1)] {
                let place = [x, y, bottom];
                let mine = rows(of, place, 1.0);
                let jac_below = under.map_or(Vec::new(), |u| rows(&boxes[u], place, -1.0));
                problem
                    .add_constraint(
                        ConstraintKind::Cone { mu },
                        [Some(k), under],
                        [&mine, &jac_below],
                        &[0.0; 3],
                    )
                    .unwrap();
            }
        };
        if bottom < 1e-9 {
            constraint(None, span(of, 0), span(of, 1));
        }
        for (u, under) in boxes.iter().enumerate() {
            if (under.centre[2] + under.half[2] - bottom).abs() > 1e-9 {
                continue;
            }
            let share = |i: usize| {
                let ((a, b), (c, d)) = (span(of, i), span(under, i));
                (a.max(c), b.min(d))
            };
            let (x, y) = (share(0), share(1));
            if x.1 - x.0 > 1e-9 && y.1 - y.0 > 1e-9 {
                constraint(Some(u), x, y);
            }
        }
    }
    problem
}
