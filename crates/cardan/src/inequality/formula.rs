//! Inequality by a formula: g(x, t) ≥ 0 in the positions of points and in time.
//!
//! ```text
//! ∂g/∂x_i, ∂g/∂t       the formula along one variable at a time
//! g̈ at rest            the second derivative of s ↦ g(x + s ẋ, t + s): ẋᵀ g_xx ẋ + 2 g_xt ẋ + g_tt
//! ```
//!
//! Both by automatic differentiation ([`Jet`]), so they are exact.

use crate::body::{FrameMotion, Wrench};
use crate::constraint::{Constraint, ConstraintRows};
use crate::law::{Expression, ExpressionError, Jet, Smoothness};
use crate::math::Vec3;

/// The largest number of points in a formula.
const MAX_POINTS: usize = 16;

/// g ≥ 0 for a formula g in the positions of frames and in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    expression: Expression,
    /// Number of frames that the formula may use.
    points: usize,
    /// Variables that enter, as 3 × frame + axis.
    used: Vec<usize>,
}

/// Why a formula is not an inequality.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FormulaError {
    /// The formula cannot be parsed.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// No point enters, so that no body could be pushed.
    #[error("no place enters; it knows {0}")]
    NoPlace(String),
    /// The formula has a jump, so that it can be violated without being zero first.
    #[error("its value jumps (floor, ceil, sign or step of something that moves)")]
    Jumps,
    /// Too many points.
    #[error("{0} points are more than {MAX_POINTS}")]
    TooMany(usize),
}

impl Formula {
    /// A formula in `p.x`, `p.y`, `p.z` for every name p of a frame, world axes \[m\], and in t
    /// \[s\]; for an empty name in `x`, `y`, `z`.
    ///
    /// # Errors
    /// If it cannot be parsed, if no position enters, or if it has a jump.
    ///
    /// ```
    /// use cardan::inequality::Formula;
    /// assert!(Formula::new("y - x^2", &[""]).is_ok());
    /// assert!(Formula::new("p.z - q.z - 0.1*sin(t)", &["p", "q"]).is_ok());
    /// assert!(Formula::new("1 - t", &["p"]).is_err());
    /// ```
    pub fn new(text: &str, points: &[&str]) -> Result<Self, FormulaError> {
        if points.len() > MAX_POINTS {
            return Err(FormulaError::TooMany(points.len()));
        }
        let name = |point: &str, axis: &str| match point {
            "" => axis.to_string(),
            point => format!("{point}.{axis}"),
        };
        let names: Vec<String> =
            points.iter().flat_map(|point| ["x", "y", "z"].map(|axis| name(point, axis))).collect();
        let expression = Expression::in_variables(text, &names)?;
        let used: Vec<usize> = (0..names.len()).filter(|&v| expression.uses(v)).collect();
        if used.is_empty() {
            return Err(FormulaError::NoPlace(names.join(", ")));
        }
        if expression.smoothness() == Smoothness::Jumps {
            return Err(FormulaError::Jumps);
        }
        Ok(Formula { expression, points: points.len(), used })
    }

    /// The text of the formula.
    pub fn text(&self) -> &str {
        self.expression.text()
    }
}

impl Constraint for Formula {
    fn kind(&self) -> &'static str {
        "expression"
    }

    fn rows(&self) -> usize {
        1
    }

    fn is_timed(&self) -> bool {
        self.expression.is_timed()
    }

    fn evaluate(&self, time: f64, frames: &[FrameMotion], out: &mut ConstraintRows<'_>) {
        let count = core::cmp::min(self.points, frames.len());
        let mut variables = [Jet::default(); 3 * MAX_POINTS];
        for (frame, place) in frames[..count].iter().zip(variables.chunks_exact_mut(3)) {
            for (axis, x) in place.iter_mut().enumerate() {
                *x = Jet::new(frame.pos[axis], frame.vel[axis], 0.0);
            }
        }
        let moving = self.expression.along(Jet::time(time), &variables);
        out.err[0] = moving.value;
        out.jac_dot_v[0] = moving.second;
        variables.iter_mut().for_each(|x| x.rate = 0.0);
        let mut scale = moving.value.abs();
        if self.expression.is_timed() {
            let rate = self.expression.along(Jet::time(time), &variables).rate;
            out.err_time_rate[0] = rate;
            scale += (rate * time).abs();
        }
        let mut gradient = [Vec3::ZERO; MAX_POINTS];
        for &v in &self.used {
            variables[v].rate = 1.0;
            let slope = self.expression.along(Jet::constant(time), &variables).rate;
            variables[v].rate = 0.0;
            gradient[v / 3][v % 3] = slope;
            scale += slope.abs() * frames.get(v / 3).map_or(0.0, |frame| frame.reach);
        }
        out.scale[0] = scale;
        for (end, &force) in gradient[..count].iter().enumerate() {
            *out.gradient(0, end) = Wrench { force, torque: Vec3::ZERO };
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // no bits are promised here
mod tests {
    use super::*;

    fn measure(rule: &Formula, time: f64, frames: &[FrameMotion]) -> ([f64; 3], Vec<Wrench>) {
        let (mut err, mut time_rate, mut rest, mut scale) = ([0.0], [0.0], [0.0], [1.0]);
        let mut gradient = vec![Wrench::ZERO; frames.len()];
        let mut out = ConstraintRows {
            ends: frames.len(),
            err: &mut err,
            err_time_rate: &mut time_rate,
            jac_dot_v: &mut rest,
            scale: &mut scale,
            gradient: &mut gradient,
            push: &mut [],
            turns: &[],
        };
        rule.evaluate(time, frames, &mut out);
        ([err[0], time_rate[0], rest[0]], gradient)
    }

    /// Differences along straight lines of both points and of time.
    #[test]
    fn derivatives_are_those_of_differences() {
        let texts = [
            "p.x*q.y - p.z^3 + sin(3*t)*q.x + exp(p.y - q.z)/(2 + q.x^2)",
            "sqrt((p.x - q.x)^2 + (p.y - q.y)^2 + 0.1) - 0.2*atan2(p.z, 1 + q.z^2)",
            "tanh(p.x + t^2)*ln(3 + p.y) + 2^(q.z*t)",
        ];
        let velocity = [Vec3::new(0.4, -0.3, 0.9), Vec3::new(-0.7, 0.2, 0.5)];
        let start = [Vec3::new(0.3, 0.6, -0.2), Vec3::new(0.9, -0.4, 0.1)];
        let at = |s: f64| {
            [0, 1].map(|i| FrameMotion {
                pos: start[i] + velocity[i] * s,
                vel: velocity[i],
                ..FrameMotion::default()
            })
        };
        for text in texts {
            let rule = Formula::new(text, &["p", "q"]).expect(text);
            let g = |s: f64| measure(&rule, 0.7 + s, &at(s)).0[0];
            let ([_, time_rate, rest], gradient) = measure(&rule, 0.7, &at(0.0));
            let rate = time_rate + gradient[0].force.dot(velocity[0]) + gradient[1].force.dot(velocity[1]);
            let h = 1e-4;
            let first = (8.0 * (g(h) - g(-h)) - (g(2.0 * h) - g(-2.0 * h))) / (12.0 * h);
            assert!((rate - first).abs() < 1e-10, "{text}: {rate} against {first}");
            let h = 1e-3;
            let second =
                (16.0 * (g(h) + g(-h)) - (g(2.0 * h) + g(-2.0 * h)) - 30.0 * g(0.0)) / (12.0 * h * h);
            assert!((rest - second).abs() < 1e-7, "{text}: {rest} against {second}");
        }
    }
}
