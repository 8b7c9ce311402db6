//! Piecewise polynomials of degree at most five, linear beyond the ends.
//!
//!   f(t) = Σ cᵢ uⁱ,   u = t − knot                  A = ∫ f,   B = ∫ A,   both zero at the first knot
//!   ∫₀ᵗ f = A(t) − A(0)                             ∫∫ f = B(t) − B(0) − A(0) t

use super::Jet;

const TERMS: usize = 6;

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "PieceData", into = "PieceData")
)]
pub(super) struct PiecewisePolynomial {
    knots: Vec<f64>,
    /// One piece per knot; the last one continues without end.
    terms: Vec<[f64; TERMS]>,
    /// A and B at the knots.
    sums: Vec<[f64; 2]>,
    /// Slope of the straight line before the first knot.
    slope_before: f64,
}

impl PiecewisePolynomial {
    /// `terms` of the pieces between the knots, one fewer than knots, and the slopes of the
    /// straight lines before and after.
    pub(super) fn new(knots: Vec<f64>, mut terms: Vec<[f64; TERMS]>, slopes: [f64; 2]) -> Self {
        let last = knots.len() - 1;
        let length = knots[last] - knots[last - 1];
        let end = polynomial(&terms[last - 1], length).value;
        terms.push([end, slopes[1], 0.0, 0.0, 0.0, 0.0]);
        let mut sums = vec![[0.0; 2]];
        for i in 0..last {
            sums.push(grown(sums[i], &terms[i], knots[i + 1] - knots[i]));
        }
        PiecewisePolynomial { knots, terms, sums, slope_before: slopes[0] }
    }

    /// The piece at a time, and the time within it.
    fn locate(&self, t: f64) -> (usize, f64) {
        let after = self.knots.partition_point(|&knot| knot <= t);
        let piece = after.saturating_sub(1);
        (piece, t - self.knots[piece])
    }

    fn before(&self) -> [f64; TERMS] {
        [self.terms[0][0], self.slope_before, 0.0, 0.0, 0.0, 0.0]
    }

    pub(super) fn at(&self, t: f64) -> Jet {
        let (piece, u) = self.locate(t);
        if u < 0.0 { polynomial(&self.before(), u) } else { polynomial(&self.terms[piece], u) }
    }

    /// A and B.
    fn sums_at(&self, t: f64) -> [f64; 2] {
        let (piece, u) = self.locate(t);
        if u < 0.0 {
            grown([0.0; 2], &self.before(), u)
        } else {
            grown(self.sums[piece], &self.terms[piece], u)
        }
    }

    pub(super) fn integrals(&self, t: f64) -> [f64; 2] {
        let ([a0, b0], [a, b]) = (self.sums_at(0.0), self.sums_at(t));
        [a - a0, b - b0 - a0 * t]
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<f64>() * (self.knots.capacity() + TERMS * self.terms.capacity() + 2 * self.sums.capacity())
    }
}

/// Value and both derivatives by Horner's rule.
fn polynomial(terms: &[f64; TERMS], u: f64) -> Jet {
    let (mut f, mut first, mut half_second) = (0.0, 0.0, 0.0);
    for &c in terms.iter().rev() {
        half_second = half_second * u + first;
        first = first * u + f;
        f = f * u + c;
    }
    Jet::new(f, first, 2.0 * half_second)
}

/// A and B at the position u of a piece.
fn grown([a, b]: [f64; 2], terms: &[f64; TERMS], u: f64) -> [f64; 2] {
    let (mut first, mut second) = (0.0, 0.0);
    for (i, &c) in terms.iter().enumerate().rev() {
        let n = (i + 1) as f64;
        first = first * u + c / n;
        second = second * u + c / (n * (n + 1.0));
    }
    [a + first * u, b + a * u + second * u * u]
}

/// Pieces as they are saved; sums follow from them.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct PieceData {
    knots: Vec<f64>,
    terms: Vec<[f64; TERMS]>,
    slopes: [f64; 2],
}
#[cfg(feature = "serde")]
impl TryFrom<PieceData> for PiecewisePolynomial {
    type Error = &'static str;
    fn try_from(PieceData { knots, terms, slopes }: PieceData) -> Result<Self, Self::Error> {
        if knots.len() < 2 || terms.len() + 1 != knots.len() {
            return Err("a law of pieces needs at least two knots and one piece less than knots");
        }
        if !knots.iter().chain(terms.as_flattened()).chain(&slopes).all(|x| x.is_finite()) {
            return Err("the numbers of a law must be finite");
        }
        if knots.windows(2).any(|pair| pair[1] <= pair[0]) {
            return Err("the knots of a law must grow");
        }
        Ok(PiecewisePolynomial::new(knots, terms, slopes))
    }
}
#[cfg(feature = "serde")]
impl From<PiecewisePolynomial> for PieceData {
    fn from(mut pieces: PiecewisePolynomial) -> Self {
        let last = pieces.terms.pop();
        let slopes = [pieces.slope_before, last.map_or(0.0, |terms| terms[1])];
        PieceData { knots: pieces.knots, terms: pieces.terms, slopes }
    }
}
