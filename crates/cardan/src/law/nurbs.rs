//! Rational B-splines over time, in any number of dimensions (Piegl and Tiller, The NURBS Book).
//!
//!   f(t) = Σ Nᵢ(t) wᵢ Pᵢ / Σ Nᵢ(t) wᵢ
//!
//! evaluated by de Boor's recursion on jets, so that both derivatives are exact:
//!
//!   dᵢ ← (1 − α) dᵢ₋₁ + α dᵢ,   α = (t − kᵢ)/(kᵢ₊ₚ₋ᵣ₊₁ − kᵢ),   d = (w P, w)
//!
//! The first and last knot have multiplicity degree + 1, so that the curve starts at the first
//! point and ends at the last; before and after it is constant. The rate is continuous there if the
//! first two (last two) points coincide, the second derivative if three do.

use super::{Jet, LawError, Smoothness, finite};

/// The largest degree.
pub const MAX_DEGREE: usize = 8;

/// A rational B-spline whose parameter is time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "NurbsData", into = "NurbsData")
)]
pub struct Nurbs<const N: usize> {
    degree: usize,
    knots: Vec<f64>,
    points: Vec<[f64; N]>,
    weights: Vec<f64>,
}

impl<const N: usize> Nurbs<N> {
    /// A spline from degree, knots \[s\], points, and weights (empty: all one).
    ///
    /// # Errors
    /// For knots that decrease, are too many or too few, or of the wrong multiplicity; weights that
    /// are not positive; numbers that are not finite.
    pub fn new(degree: usize, knots: &[f64], points: &[[f64; N]], weights: &[f64]) -> Result<Self, LawError> {
        let n = points.len();
        if degree == 0 || degree > MAX_DEGREE || degree >= n {
            return Err(LawError::Degree { degree, points: n });
        }
        if knots.len() != n + degree + 1 {
            return Err(LawError::KnotCount { have: knots.len(), points: n, degree });
        }
        for &x in points.iter().flatten() {
            finite("coordinate of a point", x)?;
        }
        check_knots(degree, knots)?;
        if !weights.is_empty() && weights.len() != n {
            let why = format!("there are {} weights for {n} points", weights.len());
            return Err(LawError::Weights { why });
        }
        if let Some((i, w)) = weights.iter().enumerate().find(|(_, w)| !(w.is_finite() && **w > 0.0)) {
            return Err(LawError::Weights { why: format!("weight {i} is {w}; weights must be positive") });
        }
        let weights = if weights.is_empty() { vec![1.0; n] } else { weights.to_vec() };
        Ok(Nurbs { degree, knots: knots.to_vec(), points: points.to_vec(), weights })
    }

    /// A spline with evenly spaced inner knots, from `start` \[s\] for `duration` \[s\].
    ///
    /// # Errors
    /// Like [`Nurbs::new`], and for a duration that is not positive.
    pub fn even(
        degree: usize,
        start: f64,
        duration: f64,
        points: &[[f64; N]],
        weights: &[f64],
    ) -> Result<Self, LawError> {
        if !(duration > 0.0 && duration.is_finite()) {
            return Err(LawError::NoDuration { value: duration });
        }
        finite("start", start)?;
        if degree == 0 || degree > MAX_DEGREE || degree >= points.len() {
            return Err(LawError::Degree { degree, points: points.len() });
        }
        let spans = points.len() - degree;
        let knot = |i: usize| {
            let inner = i.saturating_sub(degree).min(spans);
            if inner == spans { start + duration } else { start + duration * (inner as f64 / spans as f64) }
        };
        let knots: Vec<f64> = (0..points.len() + degree + 1).map(knot).collect();
        Nurbs::new(degree, &knots, points, weights)
    }

    /// Start and end \[s\].
    pub fn span(&self) -> [f64; 2] {
        [self.knots[0], self.knots[self.knots.len() - 1]]
    }

    pub(crate) fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// The point with both derivatives at a time \[s\].
    pub fn at(&self, t: f64) -> [Jet; N] {
        let [start, end] = self.span();
        if t < start {
            return self.points[0].map(Jet::constant);
        }
        if t >= end {
            return self.points[self.points.len() - 1].map(Jet::constant);
        }
        self.within(t)
    }

    /// The point with both derivatives, without the constant parts before and after.
    pub(crate) fn within(&self, t: f64) -> [Jet; N] {
        let (p, n) = (self.degree, self.points.len());
        // The last knot interval that is not empty and starts at or before t.
        let span = (self.knots.partition_point(|&k| k <= t) - 1).min(n - 1);
        let mut d = [[Jet::default(); N]; MAX_DEGREE + 1];
        let mut w = [Jet::default(); MAX_DEGREE + 1];
        for j in 0..=p {
            let i = span - p + j;
            w[j] = Jet::constant(self.weights[i]);
            d[j] = self.points[i].map(|x| Jet::constant(x * self.weights[i]));
        }
        let time = Jet::time(t);
        for r in 1..=p {
            for j in (r..=p).rev() {
                let i = span - p + j;
                let (low, high) = (self.knots[i], self.knots[i + p - r + 1]);
                let alpha = (time - Jet::constant(low)) * (1.0 / (high - low));
                let rest = Jet::constant(1.0) - alpha;
                w[j] = rest * w[j - 1] + alpha * w[j];
                for k in 0..N {
                    d[j][k] = rest * d[j - 1][k] + alpha * d[j][k];
                }
            }
        }
        d[p].map(|x| x / w[p])
    }

    /// Smoothness, from degree and inner knots and from the junctions with the constant parts.
    pub fn smoothness(&self) -> Smoothness {
        let [start, end] = self.span();
        let size = self.points.iter().flatten().fold(0.0, |s, x| if x.abs() > s { x.abs() } else { s });
        let scale = size / (end - start);
        let end_of = |t: f64| {
            let jets = self.within(t);
            let still = |part: fn(&Jet) -> f64, size: f64| jets.iter().all(|j| part(j).abs() <= 1e-12 * size);
            if !still(|j| j.rate, scale) {
                Smoothness::Value
            } else if !still(|j| j.second, scale / (end - start)) {
                Smoothness::Rate
            } else {
                Smoothness::Second
            }
        };
        let mut least = self.smoothness_inside();
        // Times before zero are not evaluated.
        if start > 0.0 {
            least = least.min(end_of(start));
        }
        if end > 0.0 { least.min(end_of(end)) } else { Smoothness::All }
    }

    fn smoothness_inside(&self) -> Smoothness {
        let [start, end] = self.span();
        let inner = self.knots.iter().filter(|&&k| k > start && k < end && k > 0.0);
        let times = |k: f64| self.knots.iter().filter(|&&other| other == k).count();
        match inner.map(|&k| self.degree - times(k)).min() {
            None => Smoothness::All,
            Some(0) => Smoothness::Value,
            Some(1) => Smoothness::Rate,
            Some(_) => Smoothness::Second,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<f64>() * (self.knots.capacity() + N * self.points.capacity() + self.weights.capacity())
    }
}

fn check_knots(degree: usize, knots: &[f64]) -> Result<(), LawError> {
    let bad = |knot: usize, why| Err(LawError::Knot { knot, value: knots[knot], why });
    for (i, &k) in knots.iter().enumerate() {
        if !k.is_finite() {
            return bad(i, "it must be a finite number of seconds");
        }
        if i > 0 && k < knots[i - 1] {
            return bad(i, "it is below the one before; knots must not fall");
        }
    }
    let last = knots.len() - 1;
    if let Some(i) = (1..=degree).find(|&i| knots[i] != knots[0]) {
        return bad(
            i,
            "the first degree + 1 knots must be equal, so that the curve starts in its first point",
        );
    }
    if let Some(i) = (last - degree..last).find(|&i| knots[i] != knots[last]) {
        return bad(i, "the last degree + 1 knots must be equal, so that the curve ends in its last point");
    }
    // An inner knot has at most multiplicity `degree`, or the curve is discontinuous.
    if let Some(i) = (1..last - degree).find(|&i| knots[i] == knots[i + degree]) {
        return bad(i, "an inner knot may be repeated at most degree times");
    }
    Ok(())
}

/// A spline as it is saved.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct NurbsData {
    degree: usize,
    knots: Vec<f64>,
    points: Vec<Vec<f64>>,
    weights: Vec<f64>,
}
#[cfg(feature = "serde")]
impl<const N: usize> TryFrom<NurbsData> for Nurbs<N> {
    type Error = String;
    fn try_from(data: NurbsData) -> Result<Self, String> {
        let point = |point: &Vec<f64>| {
            <[f64; N]>::try_from(&point[..]).map_err(|_| format!("a point has {N} coordinates"))
        };
        let points = data.points.iter().map(point).collect::<Result<Vec<_>, _>>()?;
        Nurbs::new(data.degree, &data.knots, &points, &data.weights).map_err(|error| error.to_string())
    }
}
#[cfg(feature = "serde")]
impl<const N: usize> From<Nurbs<N>> for NurbsData {
    fn from(spline: Nurbs<N>) -> Self {
        let points = spline.points.iter().map(|point| point.to_vec()).collect();
        NurbsData { degree: spline.degree, knots: spline.knots, points, weights: spline.weights }
    }
}
