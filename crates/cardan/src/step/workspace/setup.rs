//! Chooses the solver and the kernels for a model, and allocates the workspace. `Workspace::new` makes the choice:
//! the articulated path if `ArticulatedSystem::new` accepts the model and the settings, otherwise a solver of
//! `cardan_solve::Solver`.

use super::*;
use crate::body::general::Motions;
use crate::body::{FrameMotion, MAX_DIM, Wrench};
use crate::law::Jet;
use crate::measure::coordinates::TurnCounters;
use crate::model::{Model, ModelBody};
use crate::settings::{Coordinates, Elimination, Integrator, Settings, SolverChoice, Stabilization};
use crate::state::State;
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::self_stress::SelfStressBasis;
use crate::step::contact::{ContactKey, ContactSet, EventSubject};
use crate::step::dynamics::joint_coordinates::JointChart;
use crate::step::dynamics::joint_efforts::{JointEfforts, with_spanning_legs};
use crate::step::kernel::large_tree::large_tree_kernel;
use crate::step::kernel::level_lanes::level_kernel;
use crate::step::kernel::subtree_lanes::subtree_kernel;
use crate::step::kernel::sweep::reduced::reduced_kernel;
use crate::step_error::StepError;
use cardan_solve::{
    AuxiliarySchur, ConjugateGradient, Dense, NotATree, ROUNDING_OF_GEOMETRY, Refiner, Role, Solver, Sparse,
    System, Tree,
};
use std::sync::{Mutex, OnceLock};

/// An empty system with units for its unknowns: rotations are scaled by `length`, rounded to a power of two so that scaling adds
/// no rounding.
fn system(model: &Model, length: f64) -> System {
    let mut system = System::new(model.graph.clone());
    write_units(model, length, &mut system);
    system
}

/// Writes the units of the unknowns into `system`.
pub(crate) fn write_units(model: &Model, length: f64, system: &mut System) {
    let turn = 1.0 / libm::exp2(libm::round(libm::log2(length)));
    for body in &model.bodies {
        let units = &mut system.units_mut()[model.graph.block_range(body.block)];
        if let Some(general) = &body.general {
            for (out, unit) in units.iter_mut().zip(&general.units) {
                *out = 1.0 / libm::exp2(libm::round(libm::log2(*unit)));
            }
            continue;
        }
        let linear = if body.kind.is_planar() { 2 } else { 3 };
        units[linear..].fill(if turn.is_finite() && turn > 0.0 { turn } else { 1.0 });
    }
}

/// The sparse solver, if loops share so many joints that the articulated path would cost more; by predicted counts alone.
fn cheaper_sparse(articulated: &ArticulatedSystem, model: &Model) -> Option<Solver> {
    // Multiplications of loops per body up to which the articulated path is taken without a comparison.
    const MAX_UNCOMPARED_COST: u64 = 50_000;
    // Time of a multiplication of the sparse solver relative to one in the small dense blocks of loops, measured on nets of 256 to
    // 1024 bodies.
    const SPARSE_COST_FACTOR: u64 = 5;
    let cost = articulated.cost_of_loops();
    // Rows do not know the inertia of rotors.
    if model.has_armature() || cost <= MAX_UNCOMPARED_COST * model.bodies.len() as u64 {
        return None;
    }
    let sparse = Sparse::new(&model.graph);
    (SPARSE_COST_FACTOR * sparse.predicted_cost() < cost).then_some(Solver::Sparse(sparse))
}

/// Name of the first inequality of the model.
fn first_inequality(model: &Model) -> String {
    let key = if !model.inequalities.is_empty() {
        ContactKey::Declared(0)
    } else if !model.frictions.is_empty() {
        ContactKey::Joint(0)
    } else {
        return EventSubject::Contact([model.id(0), model.id(1)]).name(model);
    };
    key.subject(model).name(model)
}

impl Workspace {
    /// Chooses the solver and allocates scratch for a model.
    ///
    /// # Errors
    /// If the settings do not fit the model.
    pub fn new(model: &Model, settings: &Settings) -> Result<Self, StepError> {
        settings.check_geometry()?;
        if !model.impulses.is_empty() && settings.integrator == Integrator::FirstOrder {
            return Err(StepError::NoImpulses);
        }
        if model.has_inequalities() {
            let with = match settings {
                Settings { coordinates: Coordinates::Joints, integrator, .. }
                    if *integrator != Integrator::TimeStepping
                        && !(integrator.carries_joints() && model.has_only_joint_limits()) =>
                {
                    Some("joint coordinates")
                }
                Settings { integrator: Integrator::Rattle, .. } => Some("the integrator `rattle`"),
                _ => None,
            };
            if let Some(with) = with {
                let name = first_inequality(model);
                return Err(StepError::NoInequalities { name, with });
            }
        }
        if let Some(body) = unsupported_body(model, settings) {
            let what = match settings {
                Settings { coordinates: Coordinates::Joints, .. } => "joint coordinates",
                _ => "the integrator `rattle`",
            };
            return Err(StepError::NotForKind { what, body: body.name.clone(), kind: body.kind.name() });
        }
        if let Some(joint) = model.joints.iter().find(|joint| joint.armature != 0.0)
            && let Some(with) = without_armature(settings)
        {
            return Err(StepError::NoArmature { joint: joint.name.clone(), with });
        }
        let may_be_articulated = matches!(settings.solver, SolverChoice::Auto | SolverChoice::Tree)
            && settings.elimination == Elimination::Freedoms;
        let graph = &model.graph;
        let articulated = may_be_articulated.then(|| ArticulatedSystem::new(model, settings)).flatten();
        let articulated =
            articulated.and_then(|articulated| with_spanning_legs(model, settings, articulated));
        if let Some(mut articulated) = articulated {
            let is_free = settings.solver == SolverChoice::Auto;
            if is_free && let Some(sparse) = cheaper_sparse(&articulated, model) {
                return Ok(Workspace::with_solver(model, Some(sparse), None).for_coordinates(model, settings));
            }
            let step_kernel = match settings.coordinates {
                Coordinates::Bodies | Coordinates::Auto => subtree_kernel(model, settings, &articulated)
                    .or_else(|| level_kernel(model, settings, &articulated)),
                Coordinates::Joints => reduced_kernel(model, settings, &articulated)
                    .or_else(|| large_tree_kernel(model, settings, &articulated)),
            };
            let joint_efforts = JointEfforts::new(model, settings, &mut articulated, false);
            let mut work = Workspace::with_solver(model, None, Some(articulated));
            work.integrator.step_kernel = step_kernel;
            work.solvers.joint_efforts = joint_efforts;
            return Ok(work.for_coordinates(model, settings));
        }
        let solver = match settings.solver {
            SolverChoice::Auto => Ok(Solver::auto(graph)),
            SolverChoice::Sparse => Solver::on(graph, |graph| Ok(Solver::Sparse(Sparse::new(graph)))),
            SolverChoice::ConjugateGradient => {
                Solver::on(graph, |graph| Ok(Solver::ConjugateGradient(ConjugateGradient::new(graph))))
            }
            SolverChoice::Dense => Solver::on(graph, |graph| Ok(Solver::Dense(Dense::new(graph)))),
            SolverChoice::Tree => tree(model),
        };
        let solver = solver.map_err(|not| {
            let link = not.loops.first().or(not.auxiliary.first());
            let joint = link.map_or(String::new(), |&l| model.name_of_link(l).to_string());
            StepError::NotATree { joint }
        })?;
        if settings.geometry_tolerance > 0.0 {
            return Err(StepError::NoGeometryTolerance { solver: solver.name() });
        }
        Ok(Workspace::with_solver(model, Some(solver), None).for_coordinates(model, settings))
    }

    fn for_coordinates(mut self, model: &Model, settings: &Settings) -> Self {
        self.integrator.is_first_order = settings.integrator == Integrator::FirstOrder;
        if settings.coordinates == Coordinates::Joints {
            self.kinematics.chart = Some(Box::new(JointChart::new(model)));
        }
        self
    }

    /// Scratch for the default settings, which suit every model.
    pub(crate) fn with_default_settings(model: &Model) -> Self {
        match ArticulatedSystem::new(model, &Settings::default()) {
            Some(articulated) => match cheaper_sparse(&articulated, model) {
                Some(sparse) => Workspace::with_solver(model, Some(sparse), None),
                None => Workspace::with_solver(model, None, Some(articulated)),
            },
            None => Workspace::with_solver(model, Some(Solver::auto(&model.graph)), None),
        }
    }

    fn with_solver(model: &Model, solver: Option<Solver>, articulated: Option<ArticulatedSystem>) -> Self {
        let graph = &model.graph;
        let (q, v, rows) = (model.q_len, model.v_len, graph.rows());
        let state = State::zeros(q, v, model.turn_len, model.sum_len, model.plan_len());
        let length = model.length();
        let is_articulated = articulated.is_some();
        let sizes = model.constraints.iter().map(|c| (c.frames.len(), c.rows));
        let sizes = sizes.chain(model.forces.iter().map(|f| (f.frames.len(), 1)));
        let widest = sizes.fold((2, 1), |(f, r), (frames, rows)| (f.max(frames), r.max(rows)));
        let mut work = Workspace {
            stages: StageBuffers {
                stage: match is_articulated && model.bodies.len() >= crate::step::articulated::LARGE_SYSTEM {
                    // Most evaluations of large systems need no copy of the coordinates.
                    true => State::zeros(0, 0, model.turn_len, model.sum_len, model.plan_len()),
                    false => state.clone(),
                },
                next: state,
                shift: vec![0.0; v],
                shift_rate: Vec::new(),
                shift_sum: Vec::new(),
                acc_sum: Vec::new(),
                stage_acc: [const { Vec::new() }; 3],
                rest_state: None,
                substep_origin: None,
            },
            kinematics: Kinematics {
                motions: Motions::new(model),
                motions_are_current: false,
                turns_are_current: false,
                targets: vec![Jet::default(); model.drives.len()],
                sums: vec![[0.0; 2]; model.sum_len],
                relatives: Vec::new(),
                chart: None,
                turning: TurnCounters::new(model),
                frames: vec![FrameMotion::default(); widest.0],
                // Gradients, and what is pushed with.
                wrenches: vec![Wrench::ZERO; 2 * widest.0 * widest.1],
                pull: vec![0.0; model.bodies.iter().map(|body| body.kind.dim()).fold(MAX_DIM, Ord::max)],
            },
            equations: Equations {
                system: match &articulated {
                    Some(_) => System::closed(graph.clone()),
                    None => system(model, length),
                },
                has_rows: false,
                lazy_rows: OnceLock::new(),
                spare_rows: Mutex::new(None),
                lazy_system: OnceLock::new(),
                lazy_residual: OnceLock::new(),
                residual_scratch: Mutex::default(),
                extent: EvaluationExtent::Equations,
                rows,
                err: Vec::new(),
                err_rate: Vec::new(),
                err_scale: Vec::new(),
                err_rate_scale: Vec::new(),
                time_rate: Vec::new(),
                acc: vec![0.0; v],
                lambda: Vec::new(),
                equation_residual: 0.0,
                sizes: Vec::new(),
                zero_force: Vec::new(),
                row_rhs: Vec::new(),
                row_solution: Vec::new(),
                stresses: SelfStressBasis::default(),
                pushes: Vec::new(),
            },
            solvers: Solvers {
                articulated,
                refiner: solver.is_some().then(|| Refiner::new(graph)),
                plan: vec![0; model.plan_len()],
                idle: vec![false; if solver.is_some() { rows } else { 0 }],
                joint_efforts: None,
                solver,
                tolerance: ROUNDING_OF_GEOMETRY,
                geometry: None,
                circuits: Vec::new(),
                length,
            },
            contact: ContactWork {
                contacts: ContactSet::new(model),
                events: None,
                impulse_records: Vec::new(),
            },
            integrator: IntegratorWork {
                step_kernel: None,
                accel_kernel: None,
                acting_efforts: None,
                dopri5: None,
                rattle: None,
                passes_singular_pose: false,
                is_first_order: false,
                has_timed_constraints: model.constraints.iter().any(|c| c.rule.is_timed()),
                is_autonomous: model.is_autonomous(),
                rest: None,
                has_repeated: false,
            },
            counts: WorkCounts::default(),
        };
        if !is_articulated {
            work.open_rows(model);
            work.open_system(model);
        } else if model.has_forces() {
            work.equations.system.open_force();
        }
        if !is_articulated || work.contact.contacts.is_some() {
            work.equations.zero_force.resize(v, 0.0);
            work.equations.sizes.resize(v, 0.0);
        }
        work
    }
}

/// What in the settings does not go with the armature of joints.
fn without_armature(settings: &Settings) -> Option<&'static str> {
    match settings {
        Settings { integrator: Integrator::Rattle, .. } => Some("the integrator `rattle`"),
        Settings { stabilization: Stabilization::Baumgarte { .. }, .. } => Some("Baumgarte feedback"),
        Settings { solver: SolverChoice::Auto | SolverChoice::Tree, elimination, .. } => {
            (*elimination != Elimination::Freedoms).then_some("elimination by rows")
        }
        _ => Some("a solver of rows"),
    }
}

/// The first body that the settings do not support: general bodies in joint coordinates; for RATTLE, bodies with a variable mass
/// matrix.
fn unsupported_body<'m>(model: &'m Model, settings: &Settings) -> Option<&'m ModelBody> {
    let changes = |body: &&ModelBody| body.general.as_ref().is_some_and(|general| !general.is_linear());
    match settings {
        Settings { coordinates: Coordinates::Joints, .. } => model.first_general(),
        Settings { integrator: Integrator::Rattle, .. } => model.bodies.iter().find(changes),
        _ => None,
    }
}

/// The tree solver, with auxiliary constraints handled by their Schur complement.
fn tree(model: &Model) -> Result<Solver, NotATree> {
    let (graph, forest) = (&model.graph, &model.forest);
    if forest.links_with(Role::Auxiliary).next().is_none() {
        return Ok(Solver::Tree(Tree::new(graph)?));
    }
    let apart = |link| forest.role(link) == Role::Auxiliary;
    let with_auxiliary = AuxiliarySchur::on(graph, apart, |graph| Ok(Solver::Tree(Tree::new(graph)?)))?;
    Ok(Solver::WithAuxiliary(Box::new(with_auxiliary)))
}
