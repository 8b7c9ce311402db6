//! General bodies: vectors g_k(q) that carry material points, x(X) = Σ φ_k(X) g_k (`piece.rs`), as
//! functions of any coordinates.
//!
//!   G_k = ∂g_k/∂v            g̈_k = G_k v̇ + b_k
//!   M   = Σ m_kl G_kᵀ G_l    F   = −Σ m_kl G_kᵀ b_l  +  gravity  −  ∂V/∂u  −  damping
//!
//! These are Lagrange's equations Jᵀ m J u'' + Jᵀ m J̇ u' = Jᵀ Q with J made of the G_k; they are
//! exact for any form. The g_k may be given in a floating frame, with g = c + R y:
//!
//!   b = ω×(ω×Ry) + 2 ω×Rẏ + Rÿ
//!
//! Joints and forces are attached to a **carrier**: the frame of a rigid piece, shared by all its
//! attachments, or the frame at one material point of a deformable piece. The carrier's x axis is
//! along the image of the body's x direction, y in the plane of the images of x and y
//! (Gram–Schmidt): a rotation of the body turns the axes, a stretch along the body's axes does not.
//! A carrier has a twist V = A v and a bias; `pull_back` is Aᵀ, `push_forward` is A.

mod carrier_motion;
mod form;
mod general_motion;
mod motions;
mod natural_frequency;
mod number;
mod parametric;
mod piece;

pub(crate) use form::{BaseFrame, BodyForm, FormVectors};
pub(crate) use general_motion::GeneralMotion;
pub(crate) use motions::Motions;
pub(crate) use natural_frequency::highest_natural_frequency;
pub use number::{Number, Pose};
pub(crate) use parametric::AutoDiffForm;
pub use parametric::Parametric;
pub use piece::Piece;
pub(crate) use piece::{Basis, MAX_BASIS};

use super::{Body, Frame, MassError};
use crate::math::{Mat3, Quat, Sym3, Vec3, larger};
use crate::tolerances::{ALIGNED, TRIANGLE_RULE};
use std::sync::Arc;

/// The freedoms of a general body.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GeneralKind {
    pub(crate) name: &'static str,
    pub(crate) dim: u16,
    pub(crate) floats: bool,
    pub(crate) turns: bool,
}

/// How the points of a general body follow from its coordinates. Made by the constructors of
/// [`Body`].
#[derive(Clone, Debug)]
pub struct GeneralForm(pub(crate) Arc<dyn BodyForm>);

impl PartialEq for GeneralForm {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl GeneralForm {
    pub(crate) fn new(form: impl BodyForm + 'static) -> Self {
        GeneralForm(Arc::new(form))
    }
    pub(crate) fn kind(&self) -> GeneralKind {
        let form = &*self.0;
        let floats = form.base() == BaseFrame::Floating;
        GeneralKind {
            name: form.name(),
            dim: (form.freedoms() + if floats { 6 } else { 0 }) as u16,
            floats,
            turns: form.pieces().iter().any(Piece::turns),
        }
    }
}

/// A frame of a general body that joints and forces are attached to.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Carrier {
    pub(crate) body: usize,
    pub(crate) piece: usize,
    /// The material point.
    pub(crate) at: Vec3,
    /// Whether the piece is rigid, so that all its points follow from this frame.
    pub(crate) rigid: bool,
}

/// A general body of a model.
#[derive(Clone, Debug)]
pub(crate) struct GeneralBody {
    pub(crate) form: Arc<dyn BodyForm>,
    /// Position and orientation of a fixed base frame.
    pub(crate) base: (Vec3, Quat),
    /// Root mean square displacement of the mass by a unit of each freedom \[m\].
    pub(crate) units: Vec<f64>,
    /// Carriers of the rigid pieces, and of the first piece in any case.
    pub(crate) carriers: Vec<Option<u32>>,
}

impl GeneralBody {
    /// The form's own coordinates among those of the body.
    pub(crate) fn own<'q>(&self, q: &'q [f64]) -> &'q [f64] {
        &q[q.len() - self.form.freedoms()..]
    }
    /// Whether its base is fixed in the world, so that its momentum is not conserved.
    pub(crate) fn is_grounded(&self) -> bool {
        self.form.base() == BaseFrame::Fixed
    }
    /// Whether its mass matrix is constant and its coordinates form a vector space.
    pub(crate) fn is_linear(&self) -> bool {
        self.form.base() == BaseFrame::World
    }
}

/// The kinematics of a body in its described state.
pub(crate) fn posed(body: &Body, general_form: &GeneralForm) -> GeneralMotion {
    let base = (body.pos, body.rot);
    let made = GeneralBody { form: general_form.0.clone(), base, units: Vec::new(), carriers: Vec::new() };
    let kind = general_form.kind();
    let mut general = GeneralMotion::new(0, &made);
    let (mut q, mut v) = (vec![0.0; coordinates(kind)], vec![0.0; usize::from(kind.dim)]);
    initial(body, general_form, &mut q, &mut v);
    general.write(&made, &q, &v);
    general
}

/// Number of stored coordinates.
pub(crate) const fn coordinates(kind: GeneralKind) -> usize {
    kind.dim as usize + if kind.floats { 1 } else { 0 }
}

/// q ⊕ u: a floating base moves like a rigid body, all other coordinates are added. Not inlined, so
/// that the code of the other kinds stays small.
#[cold]
#[inline(never)]
pub(crate) fn advance(kind: GeneralKind, q: &[f64], u: &[f64], out: &mut [f64]) {
    let (q0, u0) = if kind.floats { (7, 6) } else { (0, 0) };
    if kind.floats {
        super::rigid::advance(&q[..q0], &u[..u0], &mut out[..q0]);
    }
    let moved = out[q0..].iter_mut().zip(&q[q0..]).zip(&u[u0..]);
    moved.for_each(|((out, q), u)| *out = q + u);
}

/// Chart rate dexp⁻¹: that of a rigid body for a floating base, the identity for the other
/// coordinates.
#[cold]
#[inline(never)]
pub(crate) fn chart_rate(kind: GeneralKind, u: &[f64], v: &[f64], out: &mut [f64]) {
    out.copy_from_slice(v);
    if kind.floats {
        super::rigid::chart_rate(&u[..6], &v[..6], &mut out[..6]);
    }
}

/// Coordinates and velocities of a body as described; `vel` is the velocity of the centre of mass.
pub(crate) fn initial(body: &Body, general_form: &GeneralForm, q: &mut [f64], v: &mut [f64]) {
    let form = &*general_form.0;
    if form.base() != BaseFrame::Floating {
        form.start(body, q, v);
        return;
    }
    form.start(body, &mut q[7..], &mut v[6..]);
    q[..3].copy_from_slice(&body.pos.to_array());
    q[3..7].copy_from_slice(&body.rot.renormalized().to_wxyz());
    v[3..6].copy_from_slice(&body.omega.to_array());
    let base = (body.pos, body.rot);
    let made = GeneralBody { form: general_form.0.clone(), base, units: Vec::new(), carriers: Vec::new() };
    let mut general = GeneralMotion::new(0, &made);
    general.write(&made, q, v);
    v[..3].copy_from_slice(&(body.vel - general.center_velocity()).to_array());
}

/// A frame of the world, expressed in a piece that passes through it. `None` if the piece is
/// flattened, or so bent that none of its points is there.
pub(crate) fn seen_from(general: &GeneralMotion, piece: usize, world: Frame) -> Option<Frame> {
    // Newton iterations; for a piece that does not bend the first is exact.
    const ROUNDS: u32 = 32;
    let mut at = Vec3::ZERO;
    let mut largest = world.pos.largest();
    for round in 0..ROUNDS {
        let (place, Mat3 { x, y, z }, rot) = general.frame_at(piece, at);
        let shift = world.pos - place;
        largest = larger(largest, place.largest());
        // The rest is rounding of the positions.
        if round > 0 && shift.largest() <= 16.0 * f64::EPSILON * largest {
            return Some(Frame { pos: at, rot: rot.inverse() * world.rot });
        }
        // Cramer's rule.
        let volume = x.dot(y.cross(z));
        at += Vec3::new(shift.dot(y.cross(z)), shift.dot(z.cross(x)), shift.dot(x.cross(y))) / volume;
        if !at.is_finite() || volume == 0.0 {
            return None;
        }
        if !general.bends(piece) {
            return Some(Frame { pos: at, rot: rot.inverse() * world.rot });
        }
    }
    None
}

/// Root mean square displacement of the mass by a unit of each freedom \[m\], in the described
/// pose.
pub(crate) fn units(body: &Body, general_form: &GeneralForm) -> Vec<f64> {
    let dim = usize::from(general_form.kind().dim);
    let mut mass = vec![0.0; dim * (dim + 1) / 2];
    posed(body, general_form).mass_matrix(&mut mass);
    (0..dim).map(|i| (mass[i * (i + 1) / 2 + i] / body.mass.mass).sqrt()).collect()
}

/// Checks the inertias of the pieces: ∫ ρ X Xᵀ about the centre of mass must have no negative
/// principal moment, which is the triangle rule of the inertia ½ tr − ∫ ρ X Xᵀ. Pieces that stretch
/// use these moments in their equations, so `allow_unphysical_inertia` does not apply to them.
pub(crate) fn check_inertia(body: &Body, general_form: &GeneralForm) -> Result<(), MassError> {
    for piece in general_form.0.pieces().iter().filter(|piece| piece.basis == Basis::Frame) {
        let (m, at) = (piece.moments[0], |k: usize, l: usize| piece.moments[4 * k + l]);
        let spread =
            |k: usize, l: usize| if m > 0.0 { at(k, l) - at(0, k) * (at(0, l) / m) } else { at(k, l) };
        let [xx, yy, zz] = [spread(1, 1), spread(2, 2), spread(3, 3)];
        let (xy, xz, yz) = (-spread(1, 2), -spread(1, 3), -spread(2, 3));
        let moments = Sym3 { xx: yy + zz, yy: zz + xx, zz: xx + yy, xy, xz, yz }.eigenvalues();
        // The subtraction loses digits if the mass is far from the origin of the frame.
        let formed = at(1, 1).abs() + at(2, 2).abs() + at(3, 3).abs();
        let rounding = 1e-12 * formed;
        if moments[0] < -rounding {
            return Err(MassError::Indefinite { smallest: moments[0] });
        }
        let excused = piece.rigid && body.allow_unphysical_inertia;
        if moments[2] > (moments[0] + moments[1]) * (1.0 + TRIANGLE_RULE) + rounding && !excused {
            return Err(MassError::Triangle { moments });
        }
    }
    Ok(())
}

/// Limit of freedoms: the solver's blocks are dense.
const MOST_FREEDOMS: usize = 1000;

/// Why a general body as described is refused.
pub(crate) fn check(body: &Body, general_form: &GeneralForm) -> Result<(), String> {
    let form = &*general_form.0;
    if body.kind != super::BodyKind::General(general_form.kind()) {
        return Err("its kind is not that of its form".into());
    }
    if form.freedoms() > MOST_FREEDOMS {
        return Err(format!("it has {} freedoms; up to {MOST_FREEDOMS} are possible", form.freedoms()));
    }
    if form.pieces().is_empty() {
        return Err("it has no pieces".into());
    }
    if let Some(why) = form.misfit() {
        return Err(why);
    }
    if form.pieces().iter().any(|piece| !piece.is_finite() || piece.mass() < 0.0) {
        return Err("the mass of a piece is negative or not a number".into());
    }
    for (what, given) in [("coordinates", &body.start), ("rates", &body.start_rate)] {
        if !given.is_empty() && given.len() != form.freedoms() {
            return Err(format!("{} {what} are given, and it has {}", given.len(), form.freedoms()));
        }
        if given.iter().any(|x| !x.is_finite()) {
            return Err(format!("one of its {what} is not a finite number"));
        }
    }
    let base = form.base();
    if base == BaseFrame::Fixed && body.vel != Vec3::ZERO {
        return Err("it does not leave its place: give the rates of its coordinates, not a velocity".into());
    }
    let general = posed(body, general_form);
    if base == BaseFrame::Fixed && body.omega != Vec3::ZERO {
        let turning = general.turning();
        if (turning - body.omega).largest() > 1e-9 * body.omega.largest() {
            return Err("it cannot turn with that angular velocity; give one along its axis, or rates".into());
        }
    }
    if !general.is_finite() {
        return Err("where it is, or how it moves, is not a finite number at the start".into());
    }
    for (i, piece) in form.pieces().iter().enumerate().filter(|(_, piece)| piece.turns()) {
        let Mat3 { x, y, z } = general.frame_of_piece(i).1;
        let off = [x.dot(x) - 1.0, y.dot(y) - 1.0, z.dot(z) - 1.0, x.dot(y), y.dot(z), z.dot(x)];
        if piece.rigid && (off.iter().any(|o| o.abs() > ALIGNED) || x.cross(y).dot(z) < 0.0) {
            return Err(format!(
                "the axes of piece {i} are not perpendicular, of unit length and right-handed"
            ));
        }
        if x.cross(y).dot(z).is_nan() || x.cross(y).dot(z) <= 0.0 {
            return Err(format!("piece {i} is flattened or turned inside out at the start"));
        }
    }
    let units = units(body, general_form);
    match units.iter().position(|unit| unit.is_nan() || *unit <= 0.0) {
        Some(i) => Err(format!("its coordinate {i} moves no mass at the start, so it has no mass matrix")),
        None => Ok(()),
    }
}
