//! Coupler: constraints between coordinates of any joints, turns counted.
//!
//!   C = Σ_i f_i(s_i) − c        f_i(s) = Σ_n p_n sⁿ
//!
//!   Ċ = Σ_i f_i′ ṡ_i            C̈ = Σ_i (f_i′ s̈_i + f_i″ ṡ_i²)
//!
//! with s̈ = G·(d̈, ẇ) + h as for a drive (`joint/drive.rs`). One row per equation, a constraint on
//! poses; the multiplier exerts λ f_i′ along coordinate i, on b of its joint, and the opposite on
//! a. Angles include the turns that the state has counted, so that the equation holds after any
//! number of turns. Most transmissions are couplers:
//!
//! | transmission | condition |
//! |---|---|
//! | screw, ball screw: lead l | s − l φ/2π |
//! | rack and pinion: radius r | s − r φ |
//! | worm: z₁ starts, z₂ teeth | z₁ φ₁ − z₂ φ₂ |
//! | belt, chain: radii | r₁ φ₁ ∓ r₂ φ₂, open or crossed |
//! | differential | φ₁ + φ₂ − 2 φ_c |
//! | cam of the shape f | s − f(φ) |
//!
//! A coupler transmits forces along the coordinates only; the separating forces of teeth are not
//! modelled.

use super::{Constraint, ConstraintRows, outline};
use crate::body::FrameMotion;
use crate::joint::{JointKind, Relative};
use crate::math::{Vec3, unwrap_near};
use crate::model::JointId;

/// Description of a coupler: constraints between joint coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Coupler {
    /// Unique name, among joints, constraints and inequalities.
    pub name: String,
    /// Kind, as reports name it.
    pub kind: &'static str,
    /// The equations, one row each.
    pub equations: Vec<CouplerEquation>,
}

/// One equation of a coupler: the sum of its terms equals the offset.
#[derive(Clone, Debug, PartialEq)]
pub struct CouplerEquation {
    /// The terms of the sum.
    pub terms: Vec<CouplerTerm>,
    /// The value of the sum; `None` for its value in the starting pose.
    pub offset: Option<f64>,
}

/// A polynomial of one joint coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct CouplerTerm {
    /// The joint.
    pub joint: JointId,
    /// Index of the coordinate.
    pub coordinate: usize,
    /// Coefficients p₀, p₁, p₂, …
    pub polynomial: Vec<f64>,
}

impl CouplerTerm {
    /// `factor` times the coordinate.
    pub fn linear(joint: JointId, coordinate: usize, factor: f64) -> Self {
        CouplerTerm { joint, coordinate, polynomial: vec![0.0, factor] }
    }
    /// Whether the term does not depend on the coordinate.
    pub(crate) fn is_constant(&self) -> bool {
        self.polynomial.iter().skip(1).all(|p| *p == 0.0)
    }
}

impl Coupler {
    /// A coupler of one equation, whose sum stays as in the starting pose.
    pub fn new(name: impl Into<String>, terms: Vec<CouplerTerm>) -> Self {
        let equations = vec![CouplerEquation { terms, offset: None }];
        Coupler { name: name.into(), kind: "coupler", equations }
    }
}

/// A coordinate of a coupler.
#[derive(Clone, Debug)]
pub(crate) struct CoupledCoordinate {
    pub(crate) row: usize,
    /// The frames of its joint are numbers 2 `pair` and 2 `pair` + 1.
    pub(crate) pair: usize,
    pub(crate) kind: JointKind,
    pub(crate) coordinate: usize,
    pub(crate) turn_at: Option<usize>,
    pub(crate) zero: f64,
    pub(crate) polynomial: Vec<f64>,
}

/// A coupler of a model; its frames are those of its joints, a and b, joint by joint.
#[derive(Clone, Debug)]
pub(crate) struct ModelCoupler {
    pub(crate) kind: &'static str,
    pub(crate) offsets: Vec<f64>,
    pub(crate) parts: Vec<CoupledCoordinate>,
    /// The joint of each pair of frames; empty for the limit of a joint.
    pub(crate) joints: Vec<usize>,
}

/// f, f′, f″ and the size of the terms of f.
pub(crate) fn horner(polynomial: &[f64], s: f64) -> [f64; 4] {
    let [mut f, mut first, mut half_second, mut size] = [0.0; 4];
    for p in polynomial.iter().rev() {
        half_second = half_second * s + first;
        first = first * s + f;
        f = f * s + p;
        size = size * s.abs() + p.abs();
    }
    [f, first, 2.0 * half_second, size]
}

impl CoupledCoordinate {
    /// The value of the coordinate, turns counted \[m or rad\].
    pub(crate) fn value(&self, raw: f64, turns: &[f64]) -> f64 {
        self.turn_at.map_or(raw, |at| unwrap_near(raw, turns[at])) + self.zero
    }
    fn relative(&self, frames: &[FrameMotion]) -> Relative {
        // The engine adds the frames' accelerations at zero generalised acceleration through the
        // gradient.
        let still = |f: &FrameMotion| FrameMotion { bias: Vec3::ZERO, bias_omega: Vec3::ZERO, ..*f };
        Relative::new(&still(&frames[2 * self.pair]), &still(&frames[2 * self.pair + 1]))
    }
}

impl ModelCoupler {
    /// Sets the offsets that are not given to the values of the sums in this pose.
    pub(crate) fn set_posed_offsets(&mut self, frames: &[FrameMotion], turns: &[f64], as_posed: &[bool]) {
        for part in self.parts.iter().filter(|part| as_posed[part.row]) {
            let raw = part.kind.coordinate_row(part.coordinate, &part.relative(frames)).value;
            self.offsets[part.row] += horner(&part.polynomial, part.value(raw, turns))[0];
        }
    }
}

impl Constraint for ModelCoupler {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn rows(&self) -> usize {
        self.offsets.len()
    }

    fn marks(&self) -> usize {
        usize::MAX
    }

    fn outline(&self, frames: &[FrameMotion]) -> Vec<Vec<Vec3>> {
        let slope = |i: usize| self.parts[i].polynomial.get(1).copied().unwrap_or(0.0);
        let on_b = |i: usize| &frames[2 * self.parts[i].pair + 1];
        match (self.kind, self.parts.len()) {
            ("belt", 2) => {
                let radii = [slope(0).abs(), slope(1).abs()];
                outline::belt(on_b(0), on_b(1), radii, slope(0) * slope(1) > 0.0)
            }
            ("rack-pinion", 2) => outline::rack(on_b(0), on_b(1), slope(0).abs()),
            ("screw", 2) => outline::thread(&frames[0], &frames[1], core::f64::consts::TAU * slope(1)),
            // Circles and lines of the coupled joints, joint by joint.
            _ => {
                let places: Vec<Vec3> = frames.iter().skip(1).step_by(2).map(|frame| frame.pos).collect();
                if places.len() > 1 { vec![places] } else { Vec::new() }
            }
        }
    }

    fn evaluate(&self, _time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        for (row, offset) in self.offsets.iter().enumerate() {
            out.err[row] = -offset;
            out.scale[row] = offset.abs();
        }
        for part in &self.parts {
            let at = part.relative(frames);
            let row = part.kind.coordinate_row(part.coordinate, &at);
            let s = part.value(row.value, out.turns);
            let [f, first, second, size] = horner(&part.polynomial, s);
            let g = row.gradient;
            let rate = g.force.dot(at.rate) + g.torque.dot(at.spin);
            let rest = g.force.dot(at.bias) + g.torque.dot(at.bias_spin) + row.velocity_term;
            let r = part.row;
            out.err[r] += f;
            out.jac_dot_v[r] += first * rest + second * rate * rate;
            let reach = if part.kind.is_angle(part.coordinate) { 1.0 + s.abs() } else { at.reach + s.abs() };
            out.scale[r] += size + first.abs() * reach;
            let on_b = at.to_world(g.scaled(first));
            let (a, b) = (2 * part.pair, 2 * part.pair + 1);
            *out.gradient(r, a) = *out.gradient(r, a) + at.carried_to_a(on_b);
            *out.gradient(r, b) = *out.gradient(r, b) + on_b;
        }
    }
}
