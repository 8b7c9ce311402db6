//! Joint positions and rates, read and set by id or as arrays in joint order.
//!
//! A tree is placed joint by joint. Where there are loops, drives or user constraints, the pose is
//! then closed by the assembly. A single joint that is set keeps its values: with T the allowed
//! velocities that its rates give (projected onto the constraints, so that R of its own rates
//! remains), the mechanism moves along T R⁻¹ Δ and is closed again, in steps of at most
//! [`LONGEST_MOVE`], so that it stays in its assembly mode.

use super::Simulation;
use super::commands::{check_length, joint_index};
use crate::body::general::Motions;
use crate::joint_space::coordinates::{
    check_joint_state, farthest, index, left_to, place_tree, positions_at, rates_at, read_positions,
    read_rates, write_positions, write_rates,
};
use crate::joint_space::{CommandError, JointOrder, OrderEntry, is_ball};
use crate::math::larger;
use crate::model::{JointId, Model};
use crate::settings::{Coordinates, Integrator, Overlaps, Stabilization};
use crate::state::State;
use crate::step::{self, JointChart, Settings, StepError, assemble};

/// The farthest that a joint is moved at once while loops follow \[rad; m beside the mechanism's length\].
const LONGEST_MOVE: f64 = 0.1;
/// Newton's method squares the error: from a tenth to rounding in five rounds, more near singular poses.
const ROUNDS: usize = 12;
/// A set value is held to so many roundings of the numbers that form it: those of the projection.
const HELD: f64 = 1e4 * f64::EPSILON;
/// Parts of its own rate that are left of a coordinate when loops have taken theirs, below which it cannot be moved.
const STUCK: f64 = 1e-9;

impl Simulation {
    /// The layout of the arrays of this page.
    pub fn joint_order(&self) -> &JointOrder {
        self.model.joint_order()
    }

    /// Positions in joint order [m, rad; quaternions w x y z]: those of [`Model::joint_order`]. Angles count turns.
    pub fn joint_positions(&mut self) -> Vec<f64> {
        let mut out = vec![0.0; self.model.joint_order().position_count()];
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        read_positions(&self.model, &self.state, &self.work.kinematics.motions, &mut out);
        out
    }

    /// Rates in joint order [m/s, rad/s].
    pub fn joint_rates(&mut self) -> Vec<f64> {
        let mut out = vec![0.0; self.model.joint_order().rate_count()];
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        read_rates(&self.model, &self.state, &self.work.kinematics.motions, &mut out);
        out
    }

    /// Writes positions and rates in joint order to arrays at hand. Allocates nothing.
    ///
    /// # Errors
    /// If a length is not that of the joint order.
    pub fn copy_joint_state(&mut self, positions: &mut [f64], rates: &mut [f64]) -> Result<(), CommandError> {
        let order = self.model.joint_order();
        check_length("positions", positions.len(), order.position_count())?;
        check_length("rates", rates.len(), order.rate_count())?;
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        read_positions(&self.model, &self.state, &self.work.kinematics.motions, positions);
        read_rates(&self.model, &self.state, &self.work.kinematics.motions, rates);
        Ok(())
    }

    /// Positions of one joint, as in the joint order; of a joint that closes a loop its coordinates.
    ///
    /// # Errors
    /// If there is no such joint.
    pub fn positions_of(&mut self, joint: JointId) -> Result<Vec<f64>, CommandError> {
        let j = joint_index(&self.model, joint)?;
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        Ok(positions_at(&self.model, &self.state, &self.work.kinematics.motions, j))
    }

    /// Rates of one joint, as in the joint order; of a joint that closes a loop those of its coordinates.
    ///
    /// # Errors
    /// If there is no such joint.
    pub fn rates_of(&mut self, joint: JointId) -> Result<Vec<f64>, CommandError> {
        let j = joint_index(&self.model, joint)?;
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        Ok(rates_at(&self.model, &self.work.kinematics.motions, j))
    }

    /// Sets all positions in joint order; rates stay. Loops are closed at the nearest pose (weighed by mass), so that
    /// positions on a loop that do not fit each other change: the largest change is returned [m, rad]. Driven coordinates
    /// follow their laws whatever is given for them. Balances count from here.
    ///
    /// # Errors
    /// If the length is wrong, a number is not finite, four numbers are no rotation, or the loops cannot be closed: the joint
    /// is named. Nothing has changed then.
    pub fn set_joint_positions(&mut self, positions: &[f64]) -> Result<f64, CommandError> {
        let model = self.model.clone();
        check_length("positions", positions.len(), model.joint_order().position_count())?;
        let mut state = self.tree_state()?;
        for entry in model.joint_order().entries() {
            write_positions(&model, entry, &positions[entry.positions.clone()], &mut state)?;
        }
        self.place(&mut state);
        self.close(&mut state)?;
        let mut reached = vec![0.0; positions.len()];
        read_positions(&model, &state, &self.motions(&state), &mut reached);
        let mut change = 0.0;
        for entry in model.joint_order().entries() {
            let range = entry.positions.clone();
            change = larger(change, farthest(&model, entry, &positions[range.clone()], &reached[range]));
        }
        self.adopt(state)?;
        Ok(change)
    }

    /// Sets all rates in joint order. Where there are loops, the nearest rates (weighed by mass) that they allow; the largest
    /// change is returned [m/s, rad/s]. Driven coordinates keep the rates of their laws. Balances count from here.
    ///
    /// # Errors
    /// If the length is wrong, a number is not finite, or the equations have no answer. Nothing has changed then.
    pub fn set_joint_rates(&mut self, rates: &[f64]) -> Result<f64, CommandError> {
        let model = self.model.clone();
        check_length("rates", rates.len(), model.joint_order().rate_count())?;
        self.refuse_first_order()?;
        let mut state = self.tree_state()?;
        for entry in model.joint_order().entries() {
            write_rates(&model, entry, &rates[entry.rates.clone()], &mut state)?;
        }
        self.place(&mut state);
        self.close(&mut state)?;
        let mut reached = vec![0.0; rates.len()];
        read_rates(&model, &state, &self.motions(&state), &mut reached);
        let free = |at: usize| model.joint_order().owner(at).is_none_or(|(entry, k)| !entry.driven[k]);
        let changes = rates.iter().zip(&reached).enumerate().filter(|(at, _)| free(*at));
        let change = changes.fold(0.0, |most, (_, (a, b))| larger(most, (a - b).abs()));
        self.adopt(state)?;
        Ok(change)
    }

    /// Sets all positions and rates in joint order at once; time and commands stay. A tree on joint coordinates has
    /// exactly these numbers afterwards; otherwise as [`Simulation::set_joint_positions`] and
    /// [`Simulation::set_joint_rates`] have it: the largest change that loops made to a position is returned.
    ///
    /// # Errors
    /// As there. Nothing has changed then.
    pub fn set_joint_state(&mut self, positions: &[f64], rates: &[f64]) -> Result<f64, CommandError> {
        self.refuse_first_order()?;
        let model = self.model.clone();
        check_joint_state(&model, positions, rates)?;
        self.refuse_general("positions and rates")?;
        if !(self.is_open() && self.settings.coordinates == Coordinates::Joints) {
            let before = self.state.clone();
            let change = self.set_joint_positions(positions)?;
            return match self.set_joint_rates(rates) {
                Ok(_) => Ok(change),
                Err(error) => {
                    self.restore(&before)?;
                    Err(error)
                }
            };
        }
        let mut chart = self.work.kinematics.chart.take();
        let held = chart.get_or_insert_with(|| Box::new(JointChart::new(&model)));
        let motions = &mut self.work.kinematics.motions;
        let placed = place_tree(&model, held, motions, (positions, rates), &mut self.state);
        self.work.kinematics.chart = chart;
        placed?;
        step::forget_last(&mut self.work);
        self.last_step = step::StepReport::default();
        self.reset_balance();
        Ok(0.0)
    }

    /// Sets the positions of one joint of the tree; the other joints of its tree stay, and loops follow so that they are
    /// closed. The joint has the values given. Balances count from here.
    ///
    /// # Errors
    /// If there is no such joint, it closes a loop, its coordinate is driven, a number is wrong, or the loops do not let the
    /// joint be there. Nothing has changed then.
    pub fn set_positions_of(&mut self, joint: JointId, positions: &[f64]) -> Result<(), CommandError> {
        let model = self.model.clone();
        let entry = self.settable(joint)?;
        check_length(
            &format!("positions of `{}`", entry.name(&model)),
            positions.len(),
            entry.positions.len(),
        )?;
        let mut state = self.tree_state()?;
        write_positions(&model, &entry, positions, &mut state)?;
        if self.is_open() {
            self.place(&mut state);
            return self.adopt(state);
        }
        let rates = state.joint_v;
        let mut state = self.closed_state()?;
        self.move_joint(&mut state, &entry, positions)?;
        // The joints of the tree keep their rates, as far as the loops let them.
        let mut motions = Motions::new(&model);
        self.chart().read(&model, &mut state, &mut motions);
        state.joint_v.copy_from_slice(&rates);
        self.place(&mut state);
        self.close(&mut state)?;
        self.adopt(state)
    }

    /// Sets the rates of one joint of the tree; the other joints keep theirs, except where loops make them follow. The joint
    /// has the rates given. Balances count from here.
    ///
    /// # Errors
    /// As [`Simulation::set_positions_of`].
    pub fn set_rates_of(&mut self, joint: JointId, rates: &[f64]) -> Result<(), CommandError> {
        let model = self.model.clone();
        let entry = self.settable(joint)?;
        self.refuse_first_order()?;
        check_length(&format!("rates of `{}`", entry.name(&model)), rates.len(), entry.rates.len())?;
        let mut state = self.tree_state()?;
        write_rates(&model, &entry, rates, &mut state)?;
        if self.is_open() {
            self.place(&mut state);
            return self.adopt(state);
        }
        let mut state = self.closed_state()?;
        let (tangents, present) = self.tangents(&state, &entry)?;
        let wanted: Vec<f64> = rates.iter().zip(&present).map(|(a, b)| a - b).collect();
        let shares = self.shares(&entry, &tangents, &wanted, rates)?;
        for (tangent, share) in tangents.iter().zip(&shares) {
            state.v.iter_mut().zip(&tangent.0).for_each(|(v, t)| *v += t * share);
        }
        state.assembled = false;
        self.close(&mut state)?;
        let reached = rates_at(&model, &self.motions(&state), index(&entry));
        for (k, (wanted, reached)) in rates.iter().zip(&reached).enumerate() {
            if (wanted - reached).abs() > 1e3 * HELD * (1.0 + wanted.abs() + fastest(&state)) {
                return Err(out_of_reach(&model, &entry, k, *wanted, *reached, None));
            }
        }
        self.adopt(state)
    }

    fn refuse_first_order(&self) -> Result<(), CommandError> {
        match self.settings.integrator {
            Integrator::FirstOrder => Err(StepError::NoImpulses.into()),
            _ => Ok(()),
        }
    }

    fn refuse_general(&self, what: &'static str) -> Result<(), CommandError> {
        match self.model.first_general() {
            None => Ok(()),
            Some(body) => {
                Err(CommandError::GeneralBody { body: body.name.clone(), kind: body.kind.name(), what })
            }
        }
    }

    /// The entry of a joint whose coordinates may be set.
    fn settable(&self, joint: JointId) -> Result<OrderEntry, CommandError> {
        let model = &self.model;
        let j = joint_index(model, joint)?;
        let name = &model.joints[j].name;
        let Some(entry) = model.joint_order().joint_at(j) else {
            return Err(CommandError::NotInTree { joint: name.clone() });
        };
        match entry.driven.iter().position(|driven| *driven) {
            Some(coordinate) => Err(CommandError::Driven { joint: name.clone(), coordinate }),
            None => Ok(entry.clone()),
        }
    }

    /// Whether nothing but the joints of the tree holds the bodies.
    fn is_open(&self) -> bool {
        is_open_tree(&self.model)
    }

    /// The present state with joint coordinates beside the poses.
    pub(super) fn tree_state(&mut self) -> Result<State, CommandError> {
        self.refuse_general("positions and rates")?;
        let mut state = self.state.clone();
        let (model, mut motions) = (self.model.clone(), Motions::new(&self.model));
        self.chart().read(&model, &mut state, &mut motions);
        Ok(state)
    }
    fn chart(&mut self) -> &JointChart {
        let model = &self.model;
        self.work.kinematics.chart.get_or_insert_with(|| Box::new(JointChart::new(model)))
    }
    /// Bodies go where joint coordinates put them.
    pub(super) fn place(&mut self, state: &mut State) {
        let mut motions = self.motions(state);
        let model = self.model.clone();
        self.chart().rebuild(&model, state, &mut motions);
        state.forget_joints();
        state.plan.fill(0);
        state.held.clear();
        (state.assembled, state.still) = (false, false);
    }
    pub(super) fn motions(&self, state: &State) -> Motions {
        let mut motions = Motions::new(&self.model);
        step::write_motions(&self.model, state, &mut motions);
        motions
    }
    /// Closes the joints of a state, as poses, whatever the settings of the run are.
    fn close(&mut self, state: &mut State) -> Result<(), StepError> {
        let (ledger, assembled) = (state.ledger, self.is_open());
        if !assembled {
            assemble(&self.model, &self.closing(), state, &mut self.work)?;
        }
        state.ledger = ledger;
        Ok(())
    }
    fn closing(&self) -> Settings {
        Settings {
            integrator: Integrator::Rk4,
            coordinates: Coordinates::Bodies,
            stabilization: Stabilization::Projection,
            overlaps: Overlaps::default(),
            ..self.settings
        }
    }
    /// The present state, closed.
    fn closed_state(&mut self) -> Result<State, CommandError> {
        let mut state = self.state.clone();
        state.forget_joints();
        state.held.clear();
        (state.assembled, state.still) = (false, false);
        self.close(&mut state)?;
        Ok(state)
    }
    /// The simulation goes on from here.
    fn adopt(&mut self, state: State) -> Result<(), CommandError> {
        let before = core::mem::replace(&mut self.state, state);
        step::forget_last(&mut self.work);
        let certificate = self.certificate;
        if let Err(error) = self.assemble() {
            self.state = before;
            self.certificate = certificate;
            self.reset_balance();
            return Err(error.into());
        }
        self.reset_balance();
        Ok(())
    }

    /// Per freedom of a joint of the tree: the allowed velocity that its unit rate gives, and the rates of the joint in it.
    /// And the rates of the joint now.
    #[expect(clippy::type_complexity, reason = "two lists that belong together")]
    fn tangents(
        &mut self,
        state: &State,
        entry: &OrderEntry,
    ) -> Result<(Vec<(Vec<f64>, Vec<f64>)>, Vec<f64>), CommandError> {
        let model = self.model.clone();
        let present = rates_at(&model, &self.motions(state), index(entry));
        // Drives have rates of their own, so that projection is affine: differences to what zero gives.
        let mut from = |k: Option<usize>| -> Result<State, CommandError> {
            let mut at = state.clone();
            at.v.fill(0.0);
            let mut motions = self.motions(&at);
            self.chart().read(&model, &mut at, &mut motions);
            let mut rates = vec![0.0; entry.rates.len()];
            if let Some(k) = k {
                rates[k] = 1.0;
            }
            write_rates(&model, entry, &rates, &mut at)?;
            self.place(&mut at);
            self.close(&mut at)?;
            Ok(at)
        };
        let rest = from(None)?;
        let moved = (0..entry.rates.len()).map(|k| from(Some(k))).collect::<Result<Vec<_>, _>>()?;
        let mut all = Vec::new();
        for mut at in moved {
            at.q.copy_from_slice(&state.q);
            at.v.iter_mut().zip(&rest.v).for_each(|(v, r)| *v -= r);
            let rates = rates_at(&model, &self.motions(&at), index(entry));
            all.push((at.v, rates));
        }
        Ok((all, present))
    }

    /// R⁻¹ Δ.
    fn shares(
        &self,
        entry: &OrderEntry,
        tangents: &[(Vec<f64>, Vec<f64>)],
        wanted: &[f64],
        goal: &[f64],
    ) -> Result<Vec<f64>, CommandError> {
        let n = wanted.len();
        let mut rows: Vec<Vec<f64>> =
            (0..n).map(|r| tangents.iter().map(|(_, rates)| rates[r]).chain([wanted[r]]).collect()).collect();
        solve_small(&mut rows)
            .map_err(|k| out_of_reach(&self.model, entry, k, goal[k], goal[k] - wanted[k], None))
    }

    /// Moves a joint of the tree to its goal, loops following.
    fn move_joint(
        &mut self,
        state: &mut State,
        entry: &OrderEntry,
        goal: &[f64],
    ) -> Result<(), CommandError> {
        let model = self.model.clone();
        let length = model.length();
        let units: Vec<f64> = (0..entry.rates.len())
            .map(|k| {
                if is_ball(model.joints[index(entry)].kind) || is_angle(&model, entry, k) {
                    1.0
                } else {
                    length
                }
            })
            .collect();
        let far =
            |left: &[f64]| left.iter().zip(&units).fold(0.0, |most, (x, unit)| larger(most, x.abs() / unit));
        let start =
            left_to(&model, entry, &positions_at(&model, state, &self.motions(state), index(entry)), goal);
        let parts = larger((far(&start) / LONGEST_MOVE).ceil(), 1.0);
        let most = (parts as usize).saturating_mul(2) + ROUNDS;
        let mut last = f64::INFINITY;
        for _ in 0..most {
            let now = positions_at(&model, state, &self.motions(state), index(entry));
            let left = left_to(&model, entry, &now, goal);
            let away = far(&left);
            let rounding = HELD * (1.0 + goal.iter().fold(0.0, |most, x: &f64| larger(most, x.abs())));
            if away <= rounding || (away >= 0.5 * last && away <= 1e3 * rounding) {
                return Ok(());
            }
            last = away;
            let part = if away > LONGEST_MOVE { LONGEST_MOVE / away } else { 1.0 };
            let wanted: Vec<f64> = left.iter().map(|x| x * part).collect();
            let (k, _) = largest(&left);
            let refused = |now: &[f64], why: Option<StepError>| {
                let at = k.min(goal.len() - 1);
                out_of_reach(&model, entry, k, goal[at], now[at], why)
            };
            let (tangents, _) = self.tangents(state, entry)?;
            let shares = self.shares(entry, &tangents, &wanted, &wanted).map_err(|_| refused(&now, None))?;
            let mut shift = vec![0.0; model.v_len];
            for (tangent, share) in tangents.iter().zip(&shares) {
                shift.iter_mut().zip(&tangent.0).for_each(|(s, t)| *s += t * share);
            }
            let turns: Vec<f64> = now.clone();
            state.displace(&model, &shift);
            follow_turns(&model, entry, &turns, &wanted, state);
            self.close(state).map_err(|error| refused(&now, Some(error)))?;
        }
        let now = positions_at(&model, state, &self.motions(state), index(entry));
        let left = left_to(&model, entry, &now, goal);
        let (k, _) = largest(&left);
        let at = k.min(goal.len() - 1);
        Err(out_of_reach(&model, entry, k, goal[at], now[at], None))
    }
}

/// Whether nothing but the joints of the tree holds the bodies of a model.
pub(crate) fn is_open_tree(model: &Model) -> bool {
    let in_tree = |j: usize| model.joint_order().joint_at(j).is_some();
    model.constraints.is_empty() && model.drives.is_empty() && (0..model.joints.len()).all(in_tree)
}

/// The turns of a joint go on with its coordinate.
fn follow_turns(model: &Model, entry: &OrderEntry, now: &[f64], moved: &[f64], state: &mut State) {
    let joint = &model.joints[index(entry)];
    for (k, at) in joint.turns_at().iter().enumerate() {
        if let (Some(at), Some(now), Some(moved)) = (*at, now.get(k), moved.get(k)) {
            state.turns[at] = now + moved - joint.zero(k);
        }
    }
}

fn largest(all: &[f64]) -> (usize, f64) {
    let mut found = (0, 0.0);
    for (k, x) in all.iter().enumerate() {
        if x.abs() > found.1 {
            found = (k, x.abs());
        }
    }
    found
}

fn fastest(state: &State) -> f64 {
    state.v.iter().fold(0.0, |most, v| larger(most, v.abs()))
}

fn out_of_reach(
    model: &Model,
    entry: &OrderEntry,
    coordinate: usize,
    wanted: f64,
    reached: f64,
    why: Option<StepError>,
) -> CommandError {
    let joint = entry.name(model).to_string();
    CommandError::OutOfReach { joint, coordinate, wanted, reached, why: why.map(Box::new) }
}

fn is_angle(model: &Model, entry: &OrderEntry, k: usize) -> bool {
    let joint = &model.joints[index(entry)];
    joint.kind.about().coordinate(k).is_some_and(|c| c.is_angle)
}

/// Gauss elimination with row pivots of [R | Δ]; the row that has nothing left if R is singular.
fn solve_small(rows: &mut [Vec<f64>]) -> Result<Vec<f64>, usize> {
    let n = rows.len();
    let mut origin: Vec<usize> = (0..n).collect();
    for c in 0..n {
        let best = (c..n).fold(c, |best, r| if rows[r][c].abs() > rows[best][c].abs() { r } else { best });
        rows.swap(c, best);
        origin.swap(c, best);
        if rows[c][c].abs() <= STUCK || rows[c][c].is_nan() {
            return Err(origin[c]);
        }
        for r in c + 1..n {
            let factor = rows[r][c] / rows[c][c];
            for k in c..=n {
                rows[r][k] -= factor * rows[c][k];
            }
        }
    }
    let mut x = vec![0.0; n];
    for r in (0..n).rev() {
        let known: f64 = (r + 1..n).map(|k| rows[r][k] * x[k]).sum();
        x[r] = (rows[r][n] - known) / rows[r][r];
    }
    Ok(x)
}
