//! Parametric bodies q(u): the poses of some pieces as functions of some coordinates (Witkin,
//! Gleicher and Welch 1990, §5).
//!
//!   M = Jᵀ m J        bias = Jᵀ m J̇ u̇        J = ∂q/∂u
//!
//! A column of J comes from numbers with a unit rate in one coordinate, J̇ u̇ from numbers that
//! move with u̇.

use super::form::{BaseFrame, BodyForm, FormVectors};
use super::number::{Number, Pose};
use super::piece::Piece;
use crate::body::Body;
use crate::law::Jet;
use crate::math::{Vec3, vec3};

/// A body of the user's: where its pieces are, given its coordinates.
///
/// ```
/// use cardan::body::{Number, Parametric, Piece, Pose};
/// use cardan::{Body, Gravity, ModelBuilder, Simulation};
///
/// /// A bead on a parabola z = x²: one coordinate.
/// #[derive(Debug)]
/// struct Bead;
/// impl Parametric for Bead {
///     fn coordinates(&self) -> usize {
///         1
///     }
///     fn pieces(&self) -> Vec<Piece> {
///         vec![Piece::point(0.1 /* kg */)]
///     }
///     fn place<N: Number>(&self, u: &[N], out: &mut [Pose<N>]) {
///         out[0] = Pose::at([u[0], N::constant(0.0), u[0] * u[0]]);
///     }
/// }
/// let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
/// parts.add_body(Body::parametric(Bead).starting(&[0.5], &[0.0]));
/// let mut sim = Simulation::new(parts.build()?);
/// let start = sim.energy().mechanical();
/// sim.run(1.0, 1e-3)?;
/// assert!((sim.energy().mechanical() - start).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Parametric: core::fmt::Debug + Send + Sync {
    /// Number of coordinates u.
    fn coordinates(&self) -> usize;
    /// The pieces with their masses; joints and forces are attached to them
    /// ([`End::Piece`](crate::End::Piece)).
    fn pieces(&self) -> Vec<Piece>;
    /// Writes the poses of the pieces in the body's frame. Axes of point masses are ignored.
    fn place<N: Number>(&self, u: &[N], out: &mut [Pose<N>]);
    /// Potential energy besides that of gravity \[J\].
    fn energy<N: Number>(&self, _u: &[N]) -> N {
        N::constant(0.0)
    }
    /// Rayleigh's dissipation function D(u, u̇) \[W\]: the force is −∂D/∂u̇, and the heat 2 D if D
    /// is quadratic in u̇.
    fn dissipation<N: Number>(&self, _u: &[N], _rate: &[N]) -> N {
        N::constant(0.0)
    }
    /// Whether the body's frame moves freely, with six freedoms of its own; otherwise it stays
    /// where the body was placed.
    fn floats(&self) -> bool {
        false
    }
    /// The name in messages.
    fn name(&self) -> &'static str {
        "parametric"
    }
}

/// Writes u and u̇ of a body as described.
type Start<T> = fn(&T, &Body, &mut [f64], &mut [f64]);

/// A form by automatic differentiation.
pub(crate) struct AutoDiffForm<T> {
    rule: T,
    pieces: Vec<Piece>,
    start: Start<T>,
    /// Parameters that must not be negative, with their names.
    parameters: Vec<(&'static str, f64)>,
    /// The largest number of coordinates.
    most: usize,
}

impl<T: core::fmt::Debug> core::fmt::Debug for AutoDiffForm<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.rule.fmt(f)
    }
}

/// u and u̇ from the description, zero where it gives none.
fn as_described<T>(_: &T, body: &Body, u: &mut [f64], rate: &mut [f64]) {
    u.iter_mut().zip(&body.start).for_each(|(u, x)| *u = *x);
    rate.iter_mut().zip(&body.start_rate).for_each(|(u, x)| *u = *x);
}

impl<T: Parametric> AutoDiffForm<T> {
    pub(crate) fn new(rule: T) -> Self {
        let pieces = rule.pieces();
        AutoDiffForm { rule, pieces, start: as_described, parameters: Vec::new(), most: usize::MAX }
    }
    pub(crate) fn starting(self, start: Start<T>) -> Self {
        AutoDiffForm { start, ..self }
    }
    pub(crate) fn with_parameters<const N: usize>(self, parameters: [(&'static str, f64); N]) -> Self {
        AutoDiffForm { parameters: parameters.to_vec(), ..self }
    }

    pub(crate) fn with_at_most(self, most: usize) -> Self {
        AutoDiffForm { most, ..self }
    }

    /// The vectors of all pieces, in order.
    fn each(&self, poses: &[Pose<Jet>], mut see: impl FnMut(usize, &[Jet; 3])) {
        let mut k = 0;
        for (piece, pose) in self.pieces.iter().zip(poses) {
            see(k, &pose.pos);
            if piece.turns() {
                pose.axes.iter().enumerate().for_each(|(i, axis)| see(k + 1 + i, axis));
            }
            k += piece.len();
        }
    }
}

fn part(v: &[Jet; 3], of: impl Fn(&Jet) -> f64) -> Vec3 {
    vec3(of(&v[0]), of(&v[1]), of(&v[2]))
}

impl<T: Parametric> BodyForm for AutoDiffForm<T> {
    fn name(&self) -> &'static str {
        self.rule.name()
    }
    fn base(&self) -> BaseFrame {
        if self.rule.floats() { BaseFrame::Floating } else { BaseFrame::Fixed }
    }
    fn freedoms(&self) -> usize {
        self.rule.coordinates()
    }
    fn pieces(&self) -> &[Piece] {
        &self.pieces
    }
    fn start(&self, body: &Body, u: &mut [f64], rate: &mut [f64]) {
        (self.start)(&self.rule, body, u, rate);
    }
    fn write(&self, u: &[f64], rate: &[f64], out: &mut FormVectors<'_>) {
        let n = u.len();
        for (jet, (u, rate)) in out.jets.iter_mut().zip(u.iter().zip(rate)) {
            *jet = Jet::new(*u, *rate, 0.0);
        }
        self.rule.place(&out.jets[..n], out.poses);
        self.each(out.poses, |k, v| {
            out.value[k] = part(v, |x| x.value);
            out.rate[k] = part(v, |x| x.rate);
            out.bias[k] = part(v, |x| x.second);
        });
        for i in 0..n {
            for (j, (jet, u)) in out.jets.iter_mut().zip(u).enumerate() {
                *jet = Jet::new(*u, if i == j { 1.0 } else { 0.0 }, 0.0);
            }
            self.rule.place(&out.jets[..n], out.poses);
            self.each(out.poses, |k, v| out.column[k * n + i] = part(v, |x| x.rate));
        }
    }
    fn energy(&self, u: &[f64]) -> f64 {
        self.rule.energy(u)
    }
    fn push(&self, u: &[f64], rate: &[f64], jets: &mut [Jet], out: &mut [f64]) -> f64 {
        let n = u.len();
        let mut heat = 0.0;
        let (at, moving) = jets[..2 * n].split_at_mut(n);
        for i in 0..n {
            for (j, (jet, u)) in at.iter_mut().zip(u).enumerate() {
                *jet = Jet::new(*u, if i == j { 1.0 } else { 0.0 }, 0.0);
            }
            out[i] -= self.rule.energy(at).rate;
            at.iter_mut().zip(u).for_each(|(jet, u)| *jet = Jet::constant(*u));
            for (j, (jet, rate)) in moving.iter_mut().zip(rate).enumerate() {
                *jet = Jet::new(*rate, if i == j { 1.0 } else { 0.0 }, 0.0);
            }
            let drag = self.rule.dissipation(at, moving).rate;
            out[i] -= drag;
            heat += drag * rate[i];
        }
        heat
    }
    fn misfit(&self) -> Option<String> {
        if self.rule.coordinates() == 0 && !self.rule.floats() {
            return Some("it has no coordinates".to_string());
        }
        if self.rule.coordinates() > self.most {
            let (count, most) = (self.rule.coordinates(), self.most);
            return Some(format!("it has {count} coordinates; from 1 to {most} are possible"));
        }
        let bad = self.parameters.iter().find(|(_, value)| !(*value >= 0.0 && value.is_finite()));
        bad.map(|(name, value)| format!("the {name} is {value}; it must be a number that is not negative"))
    }
}
