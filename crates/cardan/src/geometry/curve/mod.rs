//! Curves c(s) in a frame, open or closed.
//!
//! | made by | what |
//! |---|---|
//! | [`Curve::nurbs`] | a rational B-spline |
//! | [`Curve::through`] | a cubic spline through points, the parameter the length of the chords |
//! | [`Curve::formula`] | three formulas in the parameter, which is named t |
//! | [`Curve::polar`] | radii at even angles about z, a closed spline r(θ) between them |
//!
//! A new curve is divided into cells in which its direction turns by less than 0.1 rad
//! (`cells.rs`). They are used to find feet (`foot.rs`) and normals (`frame.rs`). The direction
//! must be continuous; the curvature may jump, and with it the force that keeps a point on the
//! curve.

mod cells;
mod foot;
mod frame;
pub(crate) mod spline;

pub use foot::{CurveEnd, Foot};

use super::error::{GeometryError, finite, positive};
use crate::law::{Expression, Jet, Law, Nurbs, Smoothness};
use crate::math::{Vec3, vec3};
use cells::Cells;
use spline::Spline;

/// A smooth curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    rule: CurveRule,
    span: [f64; 2],
    closed: bool,
    cells: Box<Cells>,
}

#[derive(Clone, Debug, PartialEq)]
enum CurveRule {
    Nurbs(Nurbs<3>),
    Through(Spline<3>),
    Formula(Box<[Law; 3]>),
    Polar(Spline<1>),
}

/// A point of a curve with its derivatives by the parameter.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct CurvePoint {
    /// c \[m\].
    pub place: Vec3,
    /// c′ = dc/ds.
    pub first: Vec3,
    /// c″ = d²c/ds².
    pub second: Vec3,
}

impl CurveRule {
    fn at(&self, s: f64) -> CurvePoint {
        let [x, y, z] = match self {
            CurveRule::Nurbs(nurbs) => nurbs.within(s),
            CurveRule::Through(spline) => spline.at(s),
            CurveRule::Formula(laws) => [laws[0].at(s), laws[1].at(s), laws[2].at(s)],
            CurveRule::Polar(radius) => {
                let ([r], (sin, cos)) = (radius.at(s), libm::sincos(s));
                [r * Jet::new(cos, -sin, -cos), r * Jet::new(sin, cos, -sin), Jet::default()]
            }
        };
        let part = |of: fn(&Jet) -> f64| vec3(of(&x), of(&y), of(&z));
        CurvePoint { place: part(|j| j.value), first: part(|j| j.rate), second: part(|j| j.second) }
    }

    /// Parameters between which the curve is smooth, from the first to the last.
    fn breaks(&self, span: [f64; 2]) -> Vec<f64> {
        match self {
            CurveRule::Nurbs(nurbs) => {
                let mut knots = nurbs.knots().to_vec();
                knots.dedup();
                knots
            }
            CurveRule::Through(spline) => spline.knots().to_vec(),
            CurveRule::Polar(radius) => radius.knots().to_vec(),
            CurveRule::Formula(_) => {
                const PARTS: usize = 16;
                let inner = (0..PARTS).map(|i| span[0] + (span[1] - span[0]) * (i as f64 / PARTS as f64));
                inner.chain([span[1]]).collect()
            }
        }
    }
}

impl Curve {
    fn new(rule: CurveRule, span: [f64; 2], closed: bool) -> Result<Self, GeometryError> {
        let cells = Cells::cut(&rule, span, closed)?;
        Ok(Curve { rule, span, closed, cells: Box::new(cells) })
    }

    /// A rational B-spline; a closed one must end where it starts, in the same direction.
    ///
    /// # Errors
    /// For a direction that vanishes or jumps, ends that do not meet, or a curve that crosses
    /// itself.
    pub fn nurbs(nurbs: Nurbs<3>, closed: bool) -> Result<Self, GeometryError> {
        let span = nurbs.span();
        Curve::new(CurveRule::Nurbs(nurbs), span, closed)
    }

    /// A cubic spline through points \[m\]; a closed one returns to the first point, which is not
    /// repeated.
    ///
    /// # Errors
    /// For fewer than two points (closed: three), neighbours that coincide, or a curve that crosses
    /// itself.
    pub fn through(points: &[Vec3], closed: bool) -> Result<Self, GeometryError> {
        let need = if closed { 3 } else { 2 };
        if points.len() < need {
            return Err(GeometryError::TooFew { field: "points", have: points.len(), need });
        }
        for x in points.iter().flat_map(|p| p.to_array()) {
            finite("points", x)?;
        }
        let mut knots = vec![0.0];
        let chords = points.len() - usize::from(!closed);
        for i in 0..chords {
            let next = (i + 1) % points.len();
            let chord = (points[next] - points[i]).norm();
            let so_far = knots[i];
            if so_far + chord <= so_far {
                return Err(GeometryError::SamePoint { point: next });
            }
            knots.push(so_far + chord);
        }
        let (rows, span) = (points.iter().map(|p| p.to_array()).collect(), [0.0, knots[chords]]);
        let spline = if closed { Spline::closed(knots, rows) } else { Spline::open(knots, rows) };
        Curve::new(CurveRule::Through(spline), span, closed)
    }

    /// Formulas for x, y and z in the parameter, which is named `t`, over a span of its values.
    ///
    /// # Errors
    /// For formulas that cannot be parsed or are not smooth, an empty span, a direction that
    /// vanishes or jumps, a closed curve whose ends do not meet, or a curve that crosses itself.
    pub fn formula(text: [&str; 3], span: [f64; 2], closed: bool) -> Result<Self, GeometryError> {
        finite("from", span[0])?;
        finite("to", span[1])?;
        if span[1] <= span[0] {
            return Err(GeometryError::Number { field: "to", value: span[1], want: "larger than `from`" });
        }
        let read = |text: &str| -> Result<Law, GeometryError> {
            let law = Law::Expression(Expression::parse(text).map_err(crate::law::LawError::from)?);
            let has = law.smoothness();
            if has >= Smoothness::Rate { Ok(law) } else { Err(GeometryError::NotSmooth { has }) }
        };
        let laws = [read(text[0])?, read(text[1])?, read(text[2])?];
        Curve::new(CurveRule::Formula(Box::new(laws)), span, closed)
    }

    /// A closed profile about z: radii \[m\] at even angles from x towards y, a spline r(θ) between
    /// them.
    ///
    /// # Errors
    /// For fewer than three radii, or one that is not positive.
    pub fn polar(radii: &[f64]) -> Result<Self, GeometryError> {
        const TURN: f64 = 2.0 * core::f64::consts::PI;
        let n = radii.len();
        if n < 3 {
            return Err(GeometryError::TooFew { field: "radii", have: n, need: 3 });
        }
        for &r in radii {
            positive("radii", r)?;
        }
        let knots = (0..=n).map(|i| if i == n { TURN } else { TURN * (i as f64 / n as f64) }).collect();
        let spline = Spline::closed(knots, radii.iter().map(|&r| [r]).collect());
        Curve::new(CurveRule::Polar(spline), [0.0, TURN], true)
    }

    /// A circle about z, counterclockwise; radius \[m\].
    ///
    /// # Errors
    /// For a radius that is not positive.
    pub fn circle(radius: f64) -> Result<Self, GeometryError> {
        positive("radius", radius)?;
        Curve::polar(&[radius; 8])
    }

    /// Whether the curve is closed.
    pub fn is_closed(&self) -> bool {
        self.closed
    }
    /// First and last parameter.
    pub fn span(&self) -> [f64; 2] {
        self.span
    }
    /// Point and derivatives at a parameter; an open curve continues straight beyond its ends.
    pub fn at(&self, s: f64) -> CurvePoint {
        let [from, to] = self.span;
        if self.closed {
            let length = to - from;
            return self.rule.at(s - length * libm::floor((s - from) / length));
        }
        let held = if s < from {
            from
        } else if s > to {
            to
        } else {
            s
        };
        let at = self.rule.at(held);
        if held == s {
            return at;
        }
        CurvePoint { place: at.place + at.first * (s - held), second: Vec3::ZERO, ..at }
    }
    /// Points along the curve, dense enough for a drawing; a closed curve repeats its first point
    /// at the end.
    pub fn outline(&self) -> &[Vec3] {
        &self.cells.places
    }
    /// Largest coordinate \[m\].
    pub fn size(&self) -> f64 {
        self.cells.size
    }

    /// An error unless the curve lies in the x–y plane of its frame.
    pub(crate) fn check_flat(&self) -> Result<(), GeometryError> {
        let off = |i: &usize| self.cells.places[*i].z.abs() > 1e-12 * self.cells.size;
        match (0..self.cells.places.len()).find(off) {
            None => Ok(()),
            Some(i) => Err(GeometryError::NotFlat { at: self.cells.knots[i], z: self.cells.places[i].z }),
        }
    }

    /// Twice the enclosed area in the x–y plane \[m²\], positive if the curve runs
    /// counterclockwise.
    pub(crate) fn signed_area(&self) -> f64 {
        let p = &self.cells.places;
        p.windows(2).fold(0.0, |sum, p| sum + p[0].x * p[1].y - p[1].x * p[0].y)
    }
}
