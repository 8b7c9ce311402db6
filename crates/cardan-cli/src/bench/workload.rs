//! The list of workloads, in one place.

use super::rings::{self, RingClosure};
use crate::Failure;
use cardan::{Elimination, Model, Settings, SolverChoice};
use cardan_scene::{Document, Family, Scene, SceneError, bundled};
use std::sync::Arc;

/// A mechanism and what is measured on it.
pub(crate) struct Workload {
    /// What `--filter` looks at.
    pub(crate) name: &'static str,
    source: WorkloadSource,
    solver: SolverChoice,
    elimination: Elimination,
    /// Steps too, not only solves.
    pub(crate) steps: bool,
}

enum WorkloadSource {
    Family(Family, usize),
    /// The bundled scene of this name.
    Bundled(&'static str),
    /// Octagons of bars.
    Rings(RingClosure),
}

const SEED: u64 = 1;

const fn of(family: Family, n: usize) -> Workload {
    Workload {
        name: family.name(),
        source: WorkloadSource::Family(family, n),
        solver: SolverChoice::Auto,
        elimination: Elimination::Freedoms,
        steps: n <= 10_000,
    }
}

const fn scene(name: &'static str) -> Workload {
    Workload {
        name,
        source: WorkloadSource::Bundled(name),
        solver: SolverChoice::Auto,
        elimination: Elimination::Freedoms,
        steps: true,
    }
}

const fn octagons(name: &'static str, closing: RingClosure, elimination: Elimination) -> Workload {
    Workload {
        name,
        source: WorkloadSource::Rings(closing),
        solver: SolverChoice::Auto,
        elimination,
        steps: true,
    }
}

/// Everything that `cardan bench` measures, in its order.
pub(crate) const WORKLOADS: &[Workload] = &[
    of(Family::Chain, 10),
    of(Family::Chain, 100),
    of(Family::Chain, 1000),
    of(Family::Chain, 10_000),
    of(Family::Chain, 100_000),
    of(Family::SphericalChain, 100),
    of(Family::SphericalChain, 1000),
    of(Family::Star, 1000),
    of(Family::Comb, 1000),
    of(Family::BinaryTree, 1000),
    of(Family::RandomTree, 1000),
    of(Family::Humanoid, 30),
    // Tasora's closed chains of 20 and 40 pieces: 180 and 360 variables.
    of(Family::ClosedChain, 20),
    of(Family::ClosedChain, 40),
    // Rows of parallelograms, each loop with three redundant rows.
    of(Family::NFourBar, 10),
    of(Family::NFourBar, 40),
    of(Family::NFourBar, 1000),
    scene("double-pendulum"),
    // Couplers on three bodies and rolling wheels: auxiliary rows and conditions on velocities.
    scene("differential-shoulder"),
    scene("rocker-bogie"),
    scene("figure-3"),
    // Baraff's comparison: the same mechanism by the paper's own elimination, and by a dense solve.
    Workload { name: "figure-3-rows", elimination: Elimination::Rows, steps: false, ..scene("figure-3") },
    Workload { name: "figure-3-dense", solver: SolverChoice::Dense, steps: false, ..scene("figure-3") },
    // Baraff's example in the plane: 108 primary rows, 96 primary and 12 auxiliary ones; and by cardan's own choice.
    octagons("rings-open", RingClosure::Open, Elimination::Rows),
    octagons("rings-auxiliary", RingClosure::Auxiliary, Elimination::Rows),
    octagons("rings", RingClosure::Loops, Elimination::Freedoms),
];

impl Workload {
    pub(crate) fn settings(&self) -> Settings {
        Settings { solver: self.solver, elimination: self.elimination, ..Settings::default() }
    }

    /// The mechanism, by the way that a user's scene takes; rings are built directly, since a scene has no word for solving apart.
    pub(crate) fn model(&self) -> Result<Arc<Model>, Failure> {
        let text = match self.source {
            WorkloadSource::Rings(closing) => return rings::model(closing).map(Arc::new),
            WorkloadSource::Family(family, n) => {
                family.generate(n, SEED).map_err(|error| Failure::Run(error.to_string()))?
            }
            WorkloadSource::Bundled(name) => {
                let scene = bundled().iter().find(|scene| scene.name == name);
                scene.ok_or_else(|| Failure::Run(format!("no bundled scene `{name}`")))?.text.to_string()
            }
        };
        let build = |text: &str| -> Result<Model, SceneError> {
            let document = Document::parse(self.name, text)?;
            Scene::from_document(&document)?.to_model(&document)
        };
        build(&text).map(Arc::new).map_err(|error| Failure::Run(error.render()))
    }
}
