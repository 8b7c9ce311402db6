//! The interface of a kind of general body: its vectors g_k as functions of its coordinates, and
//! its internal forces.

use super::number::Pose;
use super::piece::Piece;
use crate::body::Body;
use crate::law::Jet;
use crate::math::Vec3;

/// The frame that the vectors of a form are given in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum BaseFrame {
    /// A frame fixed in the world, where the body was placed.
    Fixed,
    /// A frame that moves like a rigid body: six freedoms before those of the form.
    Floating,
    /// The world's frame; the form moves through it by its own coordinates.
    World,
}

/// Output of a form, in its base frame: values, rates, second derivatives at u'' = 0, and columns
/// of its vectors.
pub(crate) struct FormVectors<'a> {
    pub(crate) value: &'a mut [Vec3],
    pub(crate) rate: &'a mut [Vec3],
    pub(crate) bias: &'a mut [Vec3],
    /// ∂g_k/∂u_i at `k * freedoms + i`.
    pub(crate) column: &'a mut [Vec3],
    /// Working memory: two jets per coordinate, and one pose per piece.
    pub(crate) jets: &'a mut [Jet],
    pub(crate) poses: &'a mut [Pose<Jet>],
}

/// A kind of general body, described by its vectors.
pub(crate) trait BodyForm: core::fmt::Debug + Send + Sync {
    /// The name in messages and scene files.
    fn name(&self) -> &'static str;
    fn base(&self) -> BaseFrame;
    /// Number of the form's own coordinates u.
    fn freedoms(&self) -> usize;
    fn pieces(&self) -> &[Piece];
    /// Writes u and u̇ of a body as described.
    fn start(&self, body: &Body, u: &mut [f64], rate: &mut [f64]);
    /// Writes g, ġ, J̇u̇ and ∂g/∂u.
    fn write(&self, u: &[f64], rate: &[f64], out: &mut FormVectors<'_>);
    /// Elastic energy \[J\].
    fn energy(&self, _u: &[f64]) -> f64 {
        0.0
    }
    /// Adds −∂V/∂u and damping to a generalised force; returns the power turned into heat \[W\].
    fn push(&self, _u: &[f64], _rate: &[f64], _jets: &mut [Jet], _out: &mut [f64]) -> f64 {
        0.0
    }
    /// Whether the form has damping.
    fn is_damped(&self) -> bool {
        true
    }
    /// What is wrong with the form's parameters; `None` if nothing is.
    fn misfit(&self) -> Option<String> {
        None
    }
}
