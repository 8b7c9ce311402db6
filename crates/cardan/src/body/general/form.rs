//! What a kind of general body has to say: its vectors g_k as functions of its coordinates, and its
//! own forces.

use super::number::Pose;
use super::piece::Piece;
use crate::body::Body;
use crate::law::Jet;
use crate::math::Vec3;

/// What the vectors of a form are seen from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum BaseFrame {
    /// A frame that stays where the body was put: the world holds it.
    Fixed,
    /// A frame that moves like a rigid body, six freedoms before those of the form.
    Floating,
    /// The world's frame; the form moves through it by its own coordinates.
    World,
}

/// Vectors of a form in its base, to be written: values, rates, second derivatives at u'' = 0, and
/// columns.
pub(crate) struct FormVectors<'a> {
    pub(crate) value: &'a mut [Vec3],
    pub(crate) rate: &'a mut [Vec3],
    pub(crate) bias: &'a mut [Vec3],
    /// ∂g_k/∂u_i at `k * freedoms + i`.
    pub(crate) column: &'a mut [Vec3],
    /// Scratch: one per coordinate, one per piece.
    pub(crate) jets: &'a mut [Jet],
    pub(crate) poses: &'a mut [Pose<Jet>],
}

/// A kind of body by its vectors.
pub(crate) trait BodyForm: core::fmt::Debug + Send + Sync {
    /// Its name in messages and scene files.
    fn name(&self) -> &'static str;
    fn base(&self) -> BaseFrame;
    /// Number of its own coordinates u.
    fn freedoms(&self) -> usize;
    fn pieces(&self) -> &[Piece];
    /// u and u̇ of a body as described.
    fn start(&self, body: &Body, u: &mut [f64], rate: &mut [f64]);
    /// g, ġ, J̇u̇ and ∂g/∂u.
    fn write(&self, u: &[f64], rate: &[f64], out: &mut FormVectors<'_>);
    /// Elastic energy \[J\].
    fn energy(&self, _u: &[f64]) -> f64 {
        0.0
    }
    /// Adds −∂V/∂u and damping to a generalised force; returns the power that becomes heat.
    fn push(&self, _u: &[f64], _rate: &[f64], _jets: &mut [Jet], _out: &mut [f64]) -> f64 {
        0.0
    }
    /// Whether heat is made.
    fn is_damped(&self) -> bool {
        true
    }
    /// What is wrong with its numbers, if anything is.
    fn misfit(&self) -> Option<String> {
        None
    }
}
