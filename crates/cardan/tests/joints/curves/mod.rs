//! Curves and surfaces as constraints: derivatives against finite differences, motion against
//! closed forms and independent equations, and constraints that cannot be continued.
#![allow(clippy::disallowed_methods)] // no bits are promised here

mod differences;
mod lost;
mod on_curves;
mod on_surfaces;
mod tangency;

use cardan::geometry::{Curve, SplineTerrain};
use cardan::law::Nurbs;
use cardan::{Constraint, End, Frame, UserConstraint};
use std::sync::Arc;

pub(crate) fn rule(
    name: &str,
    a: (End, Frame),
    b: (End, Frame),
    rule: impl Constraint + 'static,
) -> UserConstraint {
    UserConstraint { name: name.into(), frames: vec![a, b], rule: Arc::new(rule) }
}

/// A circle of four exact arcs about (x, 0), of degree 2.
pub(crate) fn arcs(radius: f64, x: f64) -> Curve {
    let w = std::f64::consts::FRAC_1_SQRT_2;
    let square =
        [[1., 0.], [1., 1.], [0., 1.], [-1., 1.], [-1., 0.], [-1., -1.], [0., -1.], [1., -1.], [1., 0.]];
    let points: Vec<[f64; 3]> = square.iter().map(|p| [x + radius * p[0], radius * p[1], 0.0]).collect();
    let knots = [0., 0., 0., 1., 1., 2., 2., 3., 3., 4., 4., 4.];
    let nurbs = Nurbs::new(2, &knots, &points, &[1., w, 1., w, 1., w, 1., w, 1.]).unwrap();
    Curve::nurbs(nurbs, true).unwrap()
}

/// Hills of half a metre or less over six by six metres.
pub(crate) fn hills() -> SplineTerrain {
    let row = |j: i32| {
        let at = |i: i32| {
            0.3 * (0.9 * f64::from(i) + 0.4).sin() * (0.7 * f64::from(j)).cos() + 0.02 * f64::from(i * i)
        };
        (0..13).map(at).collect::<Vec<f64>>()
    };
    let heights: Vec<Vec<f64>> = (0..13).map(row).collect();
    SplineTerrain::new([-3.0, -3.0], [0.5, 0.5], &heights).unwrap()
}
