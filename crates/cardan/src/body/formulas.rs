//! Bodies by formulas: places and angles of pieces as formulas in a few coordinates.
//!
//!   x_k = x₀ + R₀ (x(u), y(u), z(u))        turned by angle(u) about an axis of the body's frame
//!
//! For scene files; a program can use [`Parametric`], which allows more. Derivatives are computed
//! exactly from the formulas.

use super::general::{AutoDiffForm, GeneralForm, Number, Parametric, Piece, Pose};
use super::{Body, BodyKind, MassProperties};
use crate::law::{Expression, ExpressionError, Jet, Smoothness};
use crate::math::Vec3;

/// One piece of a body by formulas.
#[derive(Clone, Debug, PartialEq)]
pub struct FormulaPiece {
    /// Mass, centre of mass and inertia in the piece's frame; the inertia is used for pieces that
    /// turn.
    pub mass: MassProperties,
    /// Formulas of the position of its origin \[m\].
    pub place: [String; 3],
    /// The axis that it turns about and the formula of the angle \[rad\]; `None` for a point mass.
    pub turn: Option<(Vec3, String)>,
}

/// A piece with its formulas parsed: position, and the axis and angle if it turns.
type ParsedPiece = (Piece, [Expression; 3], Option<([f64; 3], Expression)>);

/// A body by formulas in its coordinates.
#[derive(Clone, Debug)]
pub struct Formulas {
    coordinates: usize,
    pieces: Vec<ParsedPiece>,
    energy: Option<Expression>,
}

/// The largest number of coordinates in a formula.
const MAX_BASIS: usize = 16;

impl Formulas {
    /// Parses formulas in coordinates of these names.
    ///
    /// # Errors
    /// If a formula cannot be parsed.
    pub fn new(
        names: &[String],
        pieces: &[FormulaPiece],
        energy: Option<&str>,
    ) -> Result<Self, ExpressionError> {
        let read = |text: &str| Expression::in_variables(text, names);
        let mut made = Vec::new();
        for piece in pieces {
            let place = [read(&piece.place[0])?, read(&piece.place[1])?, read(&piece.place[2])?];
            let (turn, of) = match &piece.turn {
                None => (None, Piece::point(piece.mass.mass)),
                Some((axis, angle)) => {
                    let axis = axis.normalized().unwrap_or(Vec3::new(f64::NAN, 0.0, 0.0));
                    (Some((axis.to_array(), read(angle)?)), Piece::rigid(piece.mass))
                }
            };
            made.push((of, place, turn));
        }
        let energy = energy.map(read).transpose()?;
        Ok(Formulas { coordinates: names.len(), pieces: made, energy })
    }

    /// A formula that has a jump or a kink, or that depends on time, if there is one: such a body
    /// would have no accelerations, or would not be a function of its coordinates alone.
    pub fn unfit(&self) -> Option<&str> {
        let turns = self.pieces.iter().filter_map(|(.., turn)| Some(&turn.as_ref()?.1));
        let all = self.pieces.iter().flat_map(|(_, place, _)| place).chain(turns).chain(&self.energy);
        let unfit = |e: &&Expression| e.smoothness() < Smoothness::Rate || e.is_timed();
        all.into_iter().find(unfit).map(Expression::text)
    }

    fn eval<N: Number>(&self, of: &Expression, u: &[N]) -> N {
        let mut jets = [Jet::default(); MAX_BASIS];
        jets.iter_mut().zip(u).for_each(|(jet, u)| *jet = u.to_jet());
        N::from_jet(of.along(Jet::constant(0.0), &jets[..core::cmp::min(u.len(), MAX_BASIS)]))
    }
}

impl Parametric for Formulas {
    fn coordinates(&self) -> usize {
        self.coordinates
    }
    fn pieces(&self) -> Vec<Piece> {
        self.pieces.iter().map(|(piece, ..)| piece.clone()).collect()
    }
    fn place<N: Number>(&self, u: &[N], out: &mut [Pose<N>]) {
        for ((_, place, turn), out) in self.pieces.iter().zip(out) {
            let pos = [0, 1, 2].map(|k| self.eval(&place[k], u));
            *out = match turn {
                None => Pose::at(pos),
                Some((axis, angle)) => Pose::turned(*axis, self.eval(angle, u)).moved_to(pos),
            };
        }
    }
    fn energy<N: Number>(&self, u: &[N]) -> N {
        self.energy.as_ref().map_or(N::constant(0.0), |energy| self.eval(energy, u))
    }
    fn name(&self) -> &'static str {
        "formula"
    }
}

impl Body {
    /// A body by formulas; [`Body::starting`] gives its coordinates and rates.
    pub fn formulas(rule: Formulas) -> Body {
        let mass = rule.pieces.iter().map(|(piece, ..)| piece.mass()).sum();
        let form = GeneralForm::new(AutoDiffForm::new(rule).with_at_most(MAX_BASIS));
        let mass = MassProperties::of_point(mass);
        Body { form: Some(form.clone()), ..Body::of(BodyKind::General(form.kind()), mass, Vec::new()) }
    }
}
