//! Descent along closed poses to g = 0.
//!
//! In the eigenvectors of K a step is
//!
//! ```text
//! y_i = g_i / (|k_i| + μ)        μ ≥ 0 as small as the trust radius allows,   q ← closed(q ⊕ Z y)
//! ```
//!
//! It is Newton's step where the energy is convex, leads away from saddles where it is concave, and
//! has least length along freedoms without stiffness. A step that gains less than predicted reduces
//! the radius. Once gains reach the rounding of the energy, Newton's method on g continues to
//! rounding (`settle`); it alone also finds the nearest equilibrium of any kind.

use super::error::StaticsError;
use super::problem::{ForceField, StaticsProblem};
use super::reach::Metric;
use super::tangent::{DifferenceAccuracy, Stiffness, TangentSpace, dot};
use crate::math::larger;
use crate::state::State;
use cardan_solve::eigen::eigen_symmetric;

/// The largest number of descent steps.
const MOST_STEPS: u32 = 400;
/// The largest number of Newton steps.
const MOST_ROUNDS: u32 = 200;
/// Residual below which a pose is an equilibrium ([`TangentSpace::imbalance`]): far above what
/// Newton's method leaves in a regular pose, and small enough for nine digits of the pose.
pub(super) const AT_REST: f64 = 1e-9;
/// Residual below which Newton's method stops: rounding.
const ROUNDING: f64 = 2.0 * f64::EPSILON;
/// The longest first step, and the largest rotation of a body in any step: an angle \[rad\], or a
/// part of the mechanism's length.
const STRIDE: f64 = 0.3;
/// A mechanism that has moved by this many times its length falls without end.
const FAR: f64 = 1e4;

/// Whether a search leaves an equilibrium that is not stable.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum SaddlePolicy {
    /// Yes, unless it started there.
    LeaveIfMoved,
    /// Yes.
    Leave,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub(super) struct SearchResult {
    pub(super) state: State,
    pub(super) tangent: TangentSpace,
    pub(super) iterations: u32,
}

/// A descent step.
struct DescentStep {
    shift: Vec<f64>,
    /// Predicted gain to first order \[J\], and the second-order loss.
    gain: f64,
    bend: f64,
}

impl DescentStep {
    /// Predicted gain of a part of the step \[J\].
    fn predicted_gain(&self, part: f64) -> f64 {
        part * (self.gain - part * self.bend)
    }
}

/// A search over closed poses.
pub(super) struct Search<'s, 'm> {
    pub(super) problem: &'s mut StaticsProblem<'m>,
    pub(super) metric: Metric,
    pub(super) iterations: u32,
}

impl Search<'_, '_> {
    fn tangent(&mut self, state: &State) -> Result<TangentSpace, StaticsError> {
        let mut tangent = TangentSpace::at(self.problem, state)?;
        if self.metric == Metric::Mass {
            tangent.weigh_by_mass(self.problem);
        }
        Ok(tangent)
    }

    /// Descends from a closed pose.
    pub(super) fn descend(
        &mut self,
        start: State,
        saddles: SaddlePolicy,
    ) -> Result<SearchResult, StaticsError> {
        let length = self.problem.length;
        let start = self.problem.within(start)?;
        let mut state = start.clone();
        let mut radius = STRIDE * length;
        let mut moved = false;
        let mut kicks = 0;
        // A spring to a target: without curvature at first.
        let mut bent = false;
        let mut pose_energy = self.problem.pose_energy(&state);
        while self.iterations < MOST_STEPS {
            let tangent = self.tangent(&state)?;
            if tangent.freedoms() == 0 {
                if self.release_bounds(&tangent) {
                    continue;
                }
                return Ok(SearchResult { state, tangent, iterations: self.iterations });
            }
            let mut step = None;
            if tangent.residual() > ROUNDING {
                let k = match self.problem.field {
                    ForceField::TargetSpring(goal) if !bent => {
                        tangent.goal_stiffness(self.problem, &state, &goal)
                    }
                    _ => tangent.stiffness(self.problem, &state, DifferenceAccuracy::Quick)?,
                };
                step = self.downhill(&tangent, &k, radius)?;
            }
            // Gains of rounding size, or none.
            let worth = step.as_ref().is_some_and(|step| step.predicted_gain(1.0) > 1e-12 * pose_energy.size);
            let Some(step) = step.filter(|_| worth && radius > 1e-10 * length) else {
                if self.release_bounds(&tangent) {
                    radius = STRIDE * length;
                    continue;
                }
                let found = self.newton_search(state, self.metric)?;
                if self.release_bounds(&found.tangent) {
                    state = found.state;
                    pose_energy = self.problem.pose_energy(&state);
                    radius = STRIDE * length;
                    continue;
                }
                let found = self.without_idle_bounds(found)?;
                let leave = match saddles {
                    SaddlePolicy::LeaveIfMoved => moved,
                    SaddlePolicy::Leave => true,
                };
                if !leave || kicks == 8 || !self.is_at_rest(&found)? {
                    return Ok(found);
                }
                match self.perturbed(&found)? {
                    None => return Ok(found),
                    Some(next) => {
                        state = next;
                        pose_energy = self.problem.pose_energy(&state);
                        radius = STRIDE * length;
                        kicks += 1;
                        continue;
                    }
                }
            };
            self.iterations += 1;
            let (part, met) = self.problem.room(&state, &step.shift);
            let shift: Vec<f64> = step.shift.iter().map(|x| x * part).collect();
            let (size, predicted_gain) = (self.problem.length_of(&shift), step.predicted_gain(part));
            let before = self.problem.held.clone();
            if !met.is_empty() {
                self.problem.held.extend(met);
                self.problem.held.sort_unstable();
                if size <= 1e-12 * length {
                    continue;
                }
            }
            let outcome = self.closed_within(&state, &tangent, &shift, &before).map(|next| {
                let next_books = self.problem.pose_energy(&next);
                (pose_energy.gain(&next_books), next, next_books)
            });
            match outcome {
                Ok((gain, next, next_books)) if gain > 1e-4 * predicted_gain => {
                    if gain > 0.75 * predicted_gain {
                        radius = larger(radius, 2.0 * size);
                    } else if gain < 0.25 * predicted_gain {
                        radius = 0.5 * size;
                    }
                    // Back to the spring alone once the target comes near.
                    let near = next_books.potential() < 0.25 * pose_energy.potential();
                    bent = gain < 0.5 * predicted_gain || (bent && !near);
                    (state, pose_energy, moved) = (next, next_books, true);
                    self.check_fall(&start, &state, &tangent)?;
                }
                _ => {
                    self.problem.held = before;
                    (radius, bent) = (0.25 * size, true);
                }
            }
        }
        self.newton_search(state, self.metric)
    }

    /// The closed pose after a step that respects all inequalities.
    fn closed_within(
        &mut self,
        from: &State,
        tangent: &TangentSpace,
        shift: &[f64],
        before: &[usize],
    ) -> Result<State, StaticsError> {
        let trial = self.problem.moved(from, shift);
        let next = if self.problem.held == before {
            self.problem.closed_near(&tangent.split, &trial)?
        } else {
            let split = TangentSpace::at(self.problem, from)?.split;
            self.problem.closed_near(&split, &trial)?
        };
        self.problem.within(next)
    }

    /// The result without held inequalities that do not push, as the pose may be able to leave
    /// them.
    fn without_idle_bounds(&mut self, found: SearchResult) -> Result<SearchResult, StaticsError> {
        let mut found = found;
        while self.problem.release_bounds(&found.tangent, true) {
            found.tangent = self.tangent(&found.state)?;
        }
        Ok(found)
    }

    /// Releases inequalities that would have to pull; false if there are none.
    fn release_bounds(&mut self, tangent: &TangentSpace) -> bool {
        let some = self.problem.release_bounds(tangent, false);
        self.iterations += u32::from(some);
        some
    }

    /// A step of at most `radius` and its predicted gain; `None` if there is none.
    fn downhill(
        &self,
        tangent: &TangentSpace,
        k: &Stiffness,
        radius: f64,
    ) -> Result<Option<DescentStep>, StaticsError> {
        let n = tangent.freedoms();
        let spectrum = k.spectrum(n)?;
        let largest = spectrum.values.iter().fold(0.0, |w, x: &f64| larger(w, x.abs()));
        let pull: Vec<f64> =
            (0..n).map(|i| spectrum.vector(i).zip(&tangent.force).map(|(v, g)| v * g).sum()).collect();
        let strongest = pull.iter().fold(0.0, |w, x: &f64| larger(w, x.abs()));
        let step = |damping: f64| -> (Vec<f64>, Vec<f64>) {
            let along: Vec<f64> = (0..n)
                .map(|i| {
                    let stiff = spectrum.values[i].abs() + damping;
                    // Rounding along a freedom without stiffness.
                    let nothing = pull[i].abs() <= 1e-12 * strongest && stiff <= 1e-9 * largest;
                    if nothing || pull[i] == 0.0 { 0.0 } else { pull[i] / stiff }
                })
                .collect();
            let y: Vec<f64> = (0..n).map(|r| dot(&spectrum.vectors[r * n..(r + 1) * n], &along)).collect();
            (along, tangent.shift(&y))
        };
        let fits = |shift: &[f64]| {
            let size = self.problem.length_of(shift);
            size <= radius && self.problem.most_moved(shift).1 <= 2.0 * STRIDE
        };
        let (mut along, mut shift) = step(0.0);
        if !fits(&shift) {
            // Start with large damping, and halve it as long as the step fits the radius.
            let mut damping = larger(largest, strongest / radius);
            while !fits(&step(damping).1) && damping.is_finite() {
                damping *= 4.0;
            }
            let mut low = 0.0;
            for _ in 0..40 {
                let middle = 0.5 * (low + damping);
                if fits(&step(middle).1) {
                    damping = middle
                } else {
                    low = middle
                }
                if damping - low <= 0.05 * damping {
                    break;
                }
            }
            (along, shift) = step(damping);
        }
        let gain = (0..n).map(|i| pull[i] * along[i]).sum();
        let bend = (0..n).map(|i| 0.5 * spectrum.values[i] * along[i] * along[i]).sum();
        let step = DescentStep { shift, gain, bend };
        Ok((step.predicted_gain(1.0) > 0.0 && step.shift.iter().all(|x| x.is_finite())).then_some(step))
    }

    /// The nearest equilibrium of any kind.
    pub(super) fn nearest(&mut self, start: State) -> Result<SearchResult, StaticsError> {
        let mut start = self.problem.within(start)?;
        loop {
            let found = self.newton_search(start, Metric::Geometry)?;
            if self.iterations >= MOST_STEPS || !self.release_bounds(&found.tangent) {
                return Ok(found);
            }
            start = found.state;
        }
    }

    /// Newton's method on g from a closed pose, to the nearest equilibrium of any kind, or as near
    /// as possible.
    pub(super) fn newton_search(
        &mut self,
        start: State,
        metric: Metric,
    ) -> Result<SearchResult, StaticsError> {
        let mut state = start;
        let mut tangent = TangentSpace::at(self.problem, &state)?;
        for _ in 0..MOST_ROUNDS {
            if tangent.residual() <= ROUNDING {
                break;
            }
            let k = tangent.stiffness(self.problem, &state, DifferenceAccuracy::Quick)?;
            let y = newton(&tangent, &k)?;
            let mut shift = tangent.shift(&y);
            let size = self.problem.length_of(&shift) / self.problem.length;
            let limit = larger(size, self.problem.most_moved(&shift).1) / STRIDE;
            if limit > 1.0 {
                shift.iter_mut().for_each(|x| *x /= limit);
            }
            let (part, met) = self.problem.room(&state, &shift);
            if !met.is_empty() {
                shift.iter_mut().for_each(|x| *x *= part);
                if self.problem.length_of(&shift) <= 1e-12 * self.problem.length {
                    self.problem.held.extend(met);
                    self.problem.held.sort_unstable();
                    self.iterations += 1;
                    tangent = TangentSpace::at(self.problem, &state)?;
                    continue;
                }
            }
            let mut better = None;
            for _ in 0..8 {
                let trial = self.problem.moved(&state, &shift);
                let next = self.problem.closed_near(&tangent.split, &trial);
                if let Some(next) = next.ok().filter(|next| self.problem.violated(next).is_empty()) {
                    let there = TangentSpace::at(self.problem, &next)?;
                    if there.strength < tangent.strength {
                        better = Some((next, there));
                        break;
                    }
                }
                shift.iter_mut().for_each(|x| *x *= 0.5);
            }
            self.iterations += 1;
            let Some(next) = better else { break };
            // Below rounding the gains no longer mean anything.
            let stands = next.1.residual() < AT_REST && next.1.strength > 0.5 * tangent.strength;
            (state, tangent) = next;
            if stands {
                break;
            }
        }
        if metric == Metric::Mass {
            tangent.weigh_by_mass(self.problem);
        }
        Ok(SearchResult { state, tangent, iterations: self.iterations })
    }

    /// Whether a result is an equilibrium.
    fn is_at_rest(&mut self, found: &SearchResult) -> Result<bool, StaticsError> {
        Ok(found.tangent.imbalance(self.problem, &found.state, AT_REST)? <= AT_REST)
    }

    /// A displacement from an equilibrium that is not stable, in the direction that gains more;
    /// `None` if it is stable.
    fn perturbed(&mut self, found: &SearchResult) -> Result<Option<State>, StaticsError> {
        let n = found.tangent.freedoms();
        let k = found.tangent.stiffness(self.problem, &found.state, DifferenceAccuracy::Precise)?;
        let spectrum = k.spectrum(n)?;
        let rounding = k.rounding(&spectrum, found.tangent.size / self.problem.length);
        if spectrum.values[0] >= -rounding {
            return Ok(None);
        }
        let y: Vec<f64> = spectrum.vector(0).collect();
        let shift = found.tangent.shift(&y);
        let size = 0.1 * self.problem.length / self.problem.length_of(&shift);
        let pose_energy = self.problem.pose_energy(&found.state);
        let mut best: Option<(f64, State)> = None;
        for sign in [size, -size] {
            let shift: Vec<f64> = shift.iter().map(|x| x * sign).collect();
            let trial = self.problem.moved(&found.state, &shift);
            let Ok(next) = self.problem.closed_near(&found.tangent.split, &trial) else { continue };
            if !self.problem.violated(&next).is_empty() {
                continue;
            }
            let gain = pose_energy.gain(&self.problem.pose_energy(&next));
            if gain > 0.0 && best.as_ref().is_none_or(|(most, _)| gain > *most) {
                best = Some((gain, next));
            }
        }
        Ok(best.map(|(_, state)| state))
    }

    /// An error if a body has moved too far.
    fn check_fall(&mut self, start: &State, now: &State, tangent: &TangentSpace) -> Result<(), StaticsError> {
        let model = self.problem.model;
        let mut far = (0.0, None);
        for body in &model.bodies {
            let at = |state: &State| body.kind.motion(&state.q[body.q_range()], &state.v[body.v_range()]).pos;
            let way = at(now) - at(start);
            if way.norm() > far.0 {
                far = (way.norm(), Some((body, way)));
            }
        }
        match far.1 {
            Some((body, way)) if far.0 > FAR * self.problem.length => Err(StaticsError::FallsForEver {
                body: body.name.clone(),
                moved: far.0,
                along: way / far.0,
                force: tangent.strength,
            }),
            _ => Ok(()),
        }
    }
}

/// y with K y = g, of least length along freedoms without stiffness.
fn newton(tangent: &TangentSpace, k: &Stiffness) -> Result<Vec<f64>, StaticsError> {
    let n = tangent.freedoms();
    let g = &tangent.force;
    if !k.is_nonsymmetric(n) {
        let spectrum = k.spectrum(n)?;
        let largest = spectrum.values.iter().fold(0.0, |w, x: &f64| larger(w, x.abs()));
        let along: Vec<f64> = (0..n)
            .map(|i| {
                let pull: f64 = spectrum.vector(i).zip(g).map(|(v, g)| v * g).sum();
                if spectrum.values[i].abs() > 1e-9 * largest { pull / spectrum.values[i] } else { 0.0 }
            })
            .collect();
        return Ok((0..n).map(|r| dot(&spectrum.vectors[r * n..(r + 1) * n], &along)).collect());
    }
    // Without a potential: Kᵀ K y = Kᵀ g.
    let mut square = vec![0.0; n * n];
    let mut side = vec![0.0; n];
    for r in 0..n {
        let row = &k.matrix[r * n..(r + 1) * n];
        for i in 0..n {
            side[i] += row[i] * g[r];
            for j in 0..n {
                square[i * n + j] += row[i] * row[j];
            }
        }
    }
    let spectrum = eigen_symmetric(&square, n);
    let largest = spectrum.values.iter().fold(0.0, |w, x: &f64| larger(w, x.abs()));
    if !largest.is_finite() {
        return Err(StaticsError::StiffnessNotFinite);
    }
    let along: Vec<f64> = (0..n)
        .map(|i| {
            let pull: f64 = spectrum.vector(i).zip(&side).map(|(v, g)| v * g).sum();
            if spectrum.values[i] > 1e-13 * largest { pull / spectrum.values[i] } else { 0.0 }
        })
        .collect();
    Ok((0..n).map(|r| dot(&spectrum.vectors[r * n..(r + 1) * n], &along)).collect())
}
