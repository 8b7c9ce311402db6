//! From `[simulation]` to the settings of the engine.

use cardan::{ErrorControl, Settings, SolverChoice};

use crate::scene::{
    AccountsDesc, CoordinatesDesc, EffortRuleDesc, ImpactsDesc, InequalityStudyDesc, IntegratorDesc,
    OverlapsDesc, RestitutionLawDesc, SimulationDesc, SolverDesc, StabilizationDesc,
};

impl SimulationDesc {
    pub(super) fn settings(&self) -> Settings {
        let integrator = match self.integrator.unwrap_or_default() {
            IntegratorDesc::ExplicitEuler => cardan::Integrator::ExplicitEuler,
            IntegratorDesc::SemiImplicitEuler => cardan::Integrator::SemiImplicitEuler,
            IntegratorDesc::Rk4 => cardan::Integrator::Rk4,
            IntegratorDesc::Dopri5 => cardan::Integrator::Dopri5,
            IntegratorDesc::Rattle => cardan::Integrator::Rattle,
            IntegratorDesc::TimeStepping => cardan::Integrator::TimeStepping,
            IntegratorDesc::FirstOrder => cardan::Integrator::FirstOrder,
            IntegratorDesc::Auto => cardan::Integrator::Auto,
        };
        let stabilization = match self.stabilization.unwrap_or_default() {
            StabilizationDesc::Projection => cardan::Stabilization::Projection,
            StabilizationDesc::Baumgarte => cardan::Stabilization::baumgarte(self.dt()),
            StabilizationDesc::None => cardan::Stabilization::None,
        };
        let solver = match self.solver.unwrap_or_default() {
            SolverDesc::Auto => SolverChoice::Auto,
            SolverDesc::Tree => SolverChoice::Tree,
            SolverDesc::Sparse => SolverChoice::Sparse,
            SolverDesc::ConjugateGradient => SolverChoice::ConjugateGradient,
            SolverDesc::Dense => SolverChoice::Dense,
        };
        let coordinates = match self.coordinates.unwrap_or_default() {
            CoordinatesDesc::Bodies => cardan::Coordinates::Bodies,
            CoordinatesDesc::Joints => cardan::Coordinates::Joints,
            CoordinatesDesc::Auto => cardan::Coordinates::Auto,
        };
        let efforts = match self.efforts.unwrap_or_default() {
            EffortRuleDesc::Implicit => cardan::EffortRule::Implicit,
            EffortRuleDesc::Explicit => cardan::EffortRule::Explicit,
        };
        let usual = ErrorControl::default();
        let control = ErrorControl {
            relative: self.relative_tolerance.map_or(usual.relative, f64::from),
            absolute: self.absolute_tolerance.map_or(usual.absolute, f64::from),
            max_step: self.max_dt.map_or(usual.max_step, f64::from),
        };
        let geometry_tolerance = self.geometry_tolerance.map_or(0.0, f64::from);
        let settings =
            Settings { integrator, control, stabilization, solver, coordinates, ..Settings::default() };
        let impacts = match self.impacts.unwrap_or_default() {
            ImpactsDesc::Propagating => cardan::Impacts::Propagating,
            ImpactsDesc::Sequential => cardan::Impacts::Sequential,
            ImpactsDesc::Simultaneous => cardan::Impacts::Simultaneous,
        };
        let restitution_law = match self.restitution_law.unwrap_or_default() {
            RestitutionLawDesc::Newton => cardan::RestitutionLaw::Newton,
            RestitutionLawDesc::Poisson => cardan::RestitutionLaw::Poisson,
        };
        let restitution_threshold =
            self.restitution_threshold.map_or(settings.restitution_threshold, f64::from);
        let rule = match self.inequality_study.unwrap_or(InequalityStudyDesc::Exact) {
            InequalityStudyDesc::Exact => None,
            InequalityStudyDesc::Platt1 => Some(cardan::StudyRule::Platt),
            InequalityStudyDesc::Platt2 => Some(cardan::StudyRule::PlattImproved),
            InequalityStudyDesc::Algorithm3 => Some(cardan::StudyRule::InsertOnly),
        };
        let inequality_study = rule.map(|rule| cardan::InequalityStudy { rule, rate: 1.0 / self.dt() });
        let overlaps = match self.overlaps.unwrap_or_default() {
            OverlapsDesc::Refuse => cardan::Overlaps::Refuse,
            OverlapsDesc::Resolve => cardan::Overlaps::Resolve,
        };
        let accounts = match self.accounts.unwrap_or_default() {
            AccountsDesc::EveryStep => cardan::Accounts::EveryStep,
            AccountsDesc::Recorded => cardan::Accounts::Recorded,
            AccountsDesc::End => cardan::Accounts::End,
            AccountsDesc::Off => cardan::Accounts::Off,
        };
        let settings = Settings { restitution_law, accounts, efforts, ..settings };
        Settings {
            geometry_tolerance,
            impacts,
            restitution_threshold,
            inequality_study,
            overlaps,
            ..settings
        }
    }
}
