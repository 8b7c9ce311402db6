//! Large contact problems, solved island by island and sparse in the bodies.
//!
//! The dense problem of `complementarity.rs` has a full matrix. Instead
//!
//! ```text
//! v⁺ = v + M⁻¹ (J_cᵀ λ + Jᵀ μ)      J v⁺ = J v
//! ```
//!
//! is sparse, since each contact and each joint involves at most two bodies
//! (`cardan_solve::complementarity::many_contacts`). J_c, λ: contacts; J, μ: joints. The residual of
//! the solution is reported. μ is discarded: the response to λ with the current factor holds the
//! joints to rounding.

use crate::body::MAX_DIM;
use crate::joint::{JointRows, MAX_ROWS, Relative};
use crate::math::larger;
use crate::model::Model;
use crate::step::Workspace;
use crate::step::contact::rows::free_response;
use crate::step::contact::touched_bodies::{MechanismContacts, TouchedBodies};
use crate::step::contact::{ContactEntry, ContactRows, ContactSet, FrictionMode};
use crate::step::dynamics::kinematics::frame;
use crate::step_error::StepError;
use cardan_solve::complementarity::{ComplementarityError, ConstraintKind, ContactProblem, ManyContacts};

/// Number of rows up to which the dense problem is solved: for velocities, and for forces, which
/// need more digits.
pub(crate) const MAX_DENSE_ROWS: usize = 16;
pub(crate) const MAX_DENSE_FORCE_ROWS: usize = 60;

/// Level of the unknowns.
#[derive(Copy, Clone, PartialEq)]
pub(crate) enum SolveLevel {
    /// Accelerations at an instant: λ are forces.
    Forces,
    /// Velocities after a step: λ are impulses.
    Velocities,
    /// Displacements without friction, which are corrected in rounds.
    Displacements,
}

impl SolveLevel {
    /// Tolerance of the solver, relative to the velocities without contacts.
    fn tolerance(self) -> f64 {
        match self {
            SolveLevel::Forces => 1e-13,
            SolveLevel::Velocities => VELOCITIES,
            SolveLevel::Displacements => 1e-3,
        }
    }
    /// Tolerance of contacts of a mechanism, relative to its largest impulse.
    pub(crate) fn tolerance_of_mechanism(self) -> f64 {
        match self {
            SolveLevel::Forces => 1e-13,
            SolveLevel::Velocities => MECHANISM,
            SolveLevel::Displacements => 1e-6,
        }
    }
    /// Number of rows of a contact: normal, and friction where it has any.
    pub(crate) fn rows(self, item: &ContactEntry) -> usize {
        match self {
            SolveLevel::Displacements => 1,
            _ if item.mode == FrictionMode::Frictionless => 1,
            _ => 1 + item.tangents,
        }
    }
    /// Sets tolerances and step limits of a solver of an island with this many contacts.
    fn configure(self, many: &mut ManyContacts, contacts: usize, motion: impl FnOnce() -> IslandMotion) {
        many.tolerance = self.tolerance();
        (many.guess_tolerance, many.relaxed_tolerance, many.relax_after) = (0.0, 0.0, 0);
        many.newton_steps = (WORTH / contacts).clamp(MOST_STEPS.0, MOST_STEPS.1);
        if self == SolveLevel::Velocities {
            match motion() {
                IslandMotion::Rest => many.guess_tolerance = AT_REST,
                IslandMotion::Slow => {}
                IslandMotion::Tumble => {
                    (many.relaxed_tolerance, many.relax_after, many.newton_steps) = TUMBLING
                }
            }
        }
    }
    /// Residual above which the solution is rejected. Forces are then solved for densely;
    /// velocities are accepted with their residual reported.
    fn worst(self) -> f64 {
        match self {
            SolveLevel::Forces => 1e-9,
            SolveLevel::Velocities | SolveLevel::Displacements => f64::INFINITY,
        }
    }
}

/// Least and largest limit of Newton steps: few contacts are allowed more of them, since they cost
/// less (10 g under 100 kg needs more than 40). What is not reached is reported, and the next step
/// goes on.
const MOST_STEPS: (usize, usize) = (40, 120);
/// Limit of the number of contacts times Newton steps.
const WORTH: usize = 4800;
/// Tolerance of velocities, relative to those without contacts.
const VELOCITIES: f64 = 1e-11;
/// Tolerance of the contacts of a mechanism, relative to the largest impulse.
const MECHANISM: f64 = 1e-9;
/// Tolerance at which the guess is accepted for an island at rest: its problem has not changed.
const AT_REST: f64 = 1e-9;
/// Tumbling islands, whose active set changes from step to step: relaxed tolerance, the number of
/// slow Newton steps after which it applies, and the limit of Newton steps. (In a heap of 30 boxes
/// nine of ten steps reach 1e-3, half of them 1e-5; three times as many Newton steps gain two
/// digits.)
const TUMBLING: (f64, usize, usize) = (1e-5, 8, 25);

/// The problem of one island, a solver for each island, and the largest residual of the step.
#[derive(Debug, Default)]
pub(crate) struct IslandSolvers {
    problem: ContactProblem,
    solvers: Vec<ManyContacts>,
    /// Solver of islands with joints.
    touched: TouchedBodies,
    guess: Vec<f64>,
    /// Index of each body within its island.
    local: Vec<u32>,
    /// Bodies, joints and contacts with their islands, sorted.
    bodies: Vec<(u32, u32)>,
    joints: Vec<(u32, u32)>,
    items: Vec<(u32, u32)>,
    pub(crate) residual: f64,
    /// Number of Newton systems factored in the step.
    pub(crate) newton_steps: usize,
}

/// Number of rows of velocities or displacements up to which the dense problem is solved. In time stepping a mechanism has
/// its own solver for any number; with f = m v what is held is to rest exactly.
pub(crate) fn dense_rows(model: &Model, work: &Workspace) -> usize {
    let is_mechanism = work.solvers.articulated.is_some() && !model.joints.is_empty();
    if is_mechanism && !work.integrator.is_first_order { 0 } else { MAX_DENSE_ROWS }
}

/// Whether the sparse solver applies: more than `few` rows, at most two bodies per row, no user
/// constraints, no rolling resistance, no bodies with generalised coordinates.
pub(crate) fn is_applicable(model: &Model, contacts: &ContactSet, few: usize) -> bool {
    let fits = |item: &ContactEntry| {
        contacts.contact_rows.blocks(&contacts.contact_rows.rows[item.row]).len() <= 2
            && item.roll_spin.all() == 0
    };
    contacts.contact_rows.rows.len() > few
        && model.constraints.is_empty()
        && model.carriers.is_empty()
        && contacts.study.is_none()
        && contacts.set.iter().all(fits)
}

impl ContactSet {
    /// Solves for λ and a of all rows of the set, from velocities (or accelerations, or
    /// displacements) `v` without contacts and the `bias` of the rows. Returns whether the residual
    /// is small enough; otherwise the dense problem is to be solved.
    pub(crate) fn solve_many(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        v: &[f64],
        level: SolveLevel,
    ) -> Result<bool, StepError> {
        self.join_islands(model);
        let ContactSet {
            set,
            contact_rows,
            bias,
            lambda,
            acc,
            last,
            matrix,
            responses,
            island_solvers,
            islands,
            span,
            complementarity,
            ..
        } = self;
        for out in [&mut *responses, &mut *lambda, &mut *acc] {
            out.clear();
            out.resize(contact_rows.rows.len(), 0.0);
        }
        matrix.clear();
        island_solvers.assign_islands(model, set, contact_rows, islands);
        let IslandSolvers {
            problem,
            solvers,
            touched,
            guess,
            local,
            bodies,
            joints,
            items,
            residual,
            newton_steps,
        } = island_solvers;
        let time = work.stages.stage.time;
        let to_step_error =
            |error: ComplementarityError| StepError::Complementarity { error: error.to_string(), time };
        let warm = last.len() == contact_rows.rows.len();
        let mut is_good = true;
        complementarity.residual = 0.0;
        for (nth, items) in items.chunk_by(|a, b| a.0 == b.0).enumerate() {
            let of_island = |list: &[(u32, u32)]| {
                let first = list.partition_point(|at| at.0 < items[0].0);
                first..first + list[first..].partition_point(|at| at.0 == items[0].0)
            };
            // Islands without penetration are not moved.
            let is_apart = |&(_, i): &(u32, u32)| bias[set[i as usize].row] >= 0.0;
            if level == SolveLevel::Displacements && items.iter().all(is_apart) {
                continue;
            }
            let has_joints = !joints[of_island(joints)].is_empty();
            if has_joints && level != SolveLevel::Forces && work.solvers.articulated.is_some() {
                let last = if warm { &last[..] } else { &[] };
                let contacts =
                    MechanismContacts { level, items, set, rows: contact_rows, bias, last, span: *span };
                let reached = touched.solve(model, work, &contacts, lambda, acc).map_err(to_step_error)?;
                *newton_steps += reached.newton_steps;
                if level == SolveLevel::Velocities {
                    *residual = larger(*residual, reached.residual);
                }
                complementarity.residual = larger(complementarity.residual, reached.residual);
                // Few rows without a solution are left to the dense solver, which names them.
                is_good &= reached.converged || contact_rows.rows.len() > MAX_DENSE_ROWS;
                continue;
            }
            problem.clear();
            for &(_, i) in &bodies[of_island(bodies)] {
                let (body, motion) = (&model.bodies[i as usize], &work.kinematics.motions[i as usize]);
                let dim = body.kind.dim();
                let mut mass = [0.0; MAX_DIM * (MAX_DIM + 1) / 2];
                let mass = &mut mass[..dim * (dim + 1) / 2];
                body.kind.mass_matrix(&body.mass, motion, mass);
                local[i as usize] =
                    problem.add_block_with_mass(mass, &v[body.v_range()]).map_err(to_step_error)? as u32;
            }
            guess.clear();
            for &(_, i) in &joints[of_island(joints)] {
                add_joint(model, work, v, i as usize, local, problem, guess).map_err(to_step_error)?;
            }
            let held = guess.len();
            for &(_, i) in items {
                let item = &set[i as usize];
                let rows = level.rows(item);
                let range = item.row..item.row + rows;
                let out = &mut responses[range.clone()];
                add_contact(model, contact_rows, (item, rows), (v, bias, *span), local, problem, out)
                    .map_err(to_step_error)?;
                guess.extend(range.map(|row| if warm { last[row] } else { 0.0 }));
            }
            if solvers.len() <= nth {
                solvers.resize_with(nth + 1, ManyContacts::new);
            }
            let many = &mut solvers[nth];
            level.configure(many, items.len(), || {
                island_motion(model, &work.stages.stage.v, v, &bodies[of_island(bodies)])
            });
            let start = guess.iter().any(|x| *x != 0.0).then_some(&guess[..]);
            let reached = many.solve(problem, start).map_err(to_step_error)?;
            *newton_steps += reached.newton_steps;
            if level == SolveLevel::Velocities {
                *residual = larger(*residual, reached.residual);
            }
            is_good &= reached.residual <= level.worst();
            complementarity.residual = larger(complementarity.residual, reached.residual);
            let mut at = held;
            for &(_, i) in items {
                let item = &set[i as usize];
                let rows = level.rows(item);
                lambda[item.row..item.row + rows].copy_from_slice(&many.lambda()[at..at + rows]);
                acc[item.row..item.row + rows].copy_from_slice(&many.a()[at..at + rows]);
                at += rows;
            }
        }
        if level == SolveLevel::Forces {
            last.clone_from(lambda);
        }
        Ok(is_good)
    }

    /// Joins the bodies that contacts, joints or constraints connect into islands.
    pub(crate) fn join_islands(&mut self, model: &Model) {
        self.islands.clear();
        self.islands.extend(0..model.bodies.len() as u32);
        for item in &self.set {
            let mut bodies =
                self.contact_rows.blocks(&self.contact_rows.rows[item.row]).iter().map(|block| block.body);
            if let (Some(a), Some(b)) = (bodies.next(), bodies.next()) {
                join(&mut self.islands, a, b);
            }
        }
        for joint in &model.joints {
            if let (Some(a), Some(b)) = (joint.a.body(), joint.b.body()) {
                join(&mut self.islands, a as u32, b as u32);
            }
        }
        for constraint in &model.constraints {
            let mut bodies = constraint.frames.iter().filter_map(|at| at.body());
            if let Some(first) = bodies.next() {
                bodies.for_each(|body| join(&mut self.islands, first as u32, body as u32));
            }
        }
    }
}

impl IslandSolvers {
    /// Sorts contacts, bodies and joints by island.
    fn assign_islands(
        &mut self,
        model: &Model,
        set: &[ContactEntry],
        contact_rows: &ContactRows,
        islands: &[u32],
    ) {
        let island = |body: usize| root(islands, body as u32);
        let IslandSolvers { local, bodies, joints, items, .. } = self;
        items.clear();
        for (i, item) in set.iter().enumerate() {
            // Rows without a body have no effect.
            let first = contact_rows.blocks(&contact_rows.rows[item.row]).first();
            items.extend(first.map(|block| (island(block.body as usize), i as u32)));
        }
        items.sort_unstable();
        bodies.clear();
        bodies.extend((0..model.bodies.len()).map(|i| (island(i), i as u32)));
        bodies.sort_unstable();
        joints.clear();
        for (i, joint) in model.joints.iter().enumerate() {
            if joint.rows() > 0 && joint.a.body() != joint.b.body() {
                joints.extend(joint.a.body().or(joint.b.body()).map(|body| (island(body), i as u32)));
            }
        }
        joints.sort_unstable();
        local.clear();
        local.resize(model.bodies.len(), 0);
    }
}

/// Motion of an island.
enum IslandMotion {
    /// No body moves.
    Rest,
    Slow,
    /// More than half of the bodies are more than twice as fast as one step without contacts would
    /// make them from rest.
    Tumble,
}

/// Motion of an island, from velocities before the step and those without contacts after it.
fn island_motion(model: &Model, before: &[f64], free: &[f64], bodies: &[(u32, u32)]) -> IslandMotion {
    let (mut fast_bodies, mut rests) = (0, true);
    for &(_, body) in bodies {
        let (mut speed, mut change) = (0.0, 0.0);
        for k in model.bodies[body as usize].v_range() {
            speed += before[k] * before[k];
            change += (free[k] - before[k]) * (free[k] - before[k]);
        }
        fast_bodies += usize::from(speed > 4.0 * change);
        rests &= speed == 0.0;
    }
    match rests {
        true => IslandMotion::Rest,
        false if 2 * fast_bodies > bodies.len() => IslandMotion::Tumble,
        false => IslandMotion::Slow,
    }
}

/// Root of the island of a body.
pub(crate) fn root(islands: &[u32], mut body: u32) -> u32 {
    while islands[body as usize] != body {
        body = islands[body as usize];
    }
    body
}

/// Joins the islands of two bodies.
fn join(islands: &mut [u32], a: u32, b: u32) {
    let first = |islands: &mut [u32], mut body: u32| {
        // Path halving.
        while islands[body as usize] != body {
            let before = islands[islands[body as usize] as usize];
            islands[body as usize] = before;
            body = before;
        }
        body
    };
    let (a, b) = (first(islands, a), first(islands, b));
    let (first, other) = if a < b { (a, b) } else { (b, a) };
    islands[other as usize] = first;
}

/// Adds a contact or a row of dry friction, and writes its diagonal of J M⁻¹ Jᵀ to `responses`.
fn add_contact(
    model: &Model,
    contact_rows: &ContactRows,
    (item, rows): (&ContactEntry, usize),
    (v, bias, span): (&[f64], &[f64], f64),
    local: &[u32],
    problem: &mut ContactProblem,
    responses: &mut [f64],
) -> Result<(), ComplementarityError> {
    let mu = item.static_friction();
    let kind = match rows {
        _ if item.is_joint_friction() => ConstraintKind::Bounded { lo: -span * mu, hi: span * mu },
        1 => ConstraintKind::OneSided,
        2 => ConstraintKind::Wedge { mu },
        _ => ConstraintKind::Cone { mu },
    };
    let mut jac = [[0.0; 3 * MAX_DIM]; 2];
    let mut ends = [None; 2];
    let mut dims = [0; 2];
    for r in 0..rows {
        for (end, block) in contact_rows.blocks(&contact_rows.rows[item.row + r]).iter().enumerate() {
            let dim = model.bodies[block.body as usize].kind.dim();
            (ends[end], dims[end]) = (Some(local[block.body as usize] as usize), dim);
            jac[end][r * dim..(r + 1) * dim].copy_from_slice(&contact_rows.jac(block)[..dim]);
        }
    }
    // The offset is b − J v.
    let mut offset = [0.0; 3];
    for (r, offset) in offset[..rows].iter_mut().enumerate() {
        *offset = bias[item.row + r] - contact_rows.dot(item.row + r, v);
    }
    let [a, b] = [0, 1].map(|end| &jac[end][..rows * dims[end]]);
    let contact = problem.add_constraint(kind, ends, [a, b], &offset[..rows])?;
    for (r, response) in responses.iter_mut().enumerate() {
        *response = problem.response(contact, r).unwrap_or(0.0);
    }
    Ok(())
}

/// Adds a joint as an equality that keeps its velocity, with rows scaled to a similar size.
fn add_joint(
    model: &Model,
    work: &Workspace,
    v: &[f64],
    joint: usize,
    local: &[u32],
    problem: &mut ContactProblem,
    guess: &mut Vec<f64>,
) -> Result<(), ComplementarityError> {
    let joint = &model.joints[joint];
    let (a, b) = (frame(&work.kinematics.motions, &joint.a), frame(&work.kinematics.motions, &joint.b));
    let relative = Relative::new(&a, &b);
    let mut rows = JointRows::default();
    joint.write_rows(&relative, &work.kinematics.targets, &mut rows);
    let mut jac = [[0.0; MAX_ROWS * MAX_DIM]; 2];
    let mut dims = [0; 2];
    let mut offset = [0.0; MAX_ROWS];
    let count = joint.rows();
    for r in 0..count {
        let on_b = relative.to_world(rows.gradient[r]);
        let ends = [(joint.a, &a, relative.carried_to_a(on_b)), (joint.b, &b, on_b)];
        let mut moves = 0.0;
        for (end, (at, frame, wrench)) in ends.into_iter().enumerate() {
            let Some(body) = at.body() else { continue };
            let body = &model.bodies[body];
            let dim = body.kind.dim();
            dims[end] = dim;
            let row = &mut jac[end][r * dim..(r + 1) * dim];
            body.kind.pull_back(frame.arm, wrench, row);
            moves += free_response(body, row);
        }
        let scale = if moves > 0.0 { 1.0 / moves.sqrt() } else { 1.0 };
        for (end, at) in [joint.a, joint.b].iter().enumerate() {
            let Some(body) = at.body() else { continue };
            let row = &mut jac[end][r * dims[end]..(r + 1) * dims[end]];
            for (j, v) in row.iter_mut().zip(&v[model.bodies[body].v_range()]) {
                *j *= scale;
                offset[r] -= *j * v;
            }
        }
    }
    let [first, second] = [0, 1].map(|end| &jac[end][..count * dims[end]]);
    let ends = [joint.a.body(), joint.b.body()].map(|end| end.map(|body| local[body] as usize));
    problem.add_constraint(ConstraintKind::Held { rows: count }, ends, [first, second], &offset[..count])?;
    guess.extend((0..count).map(|_| 0.0));
    Ok(())
}
