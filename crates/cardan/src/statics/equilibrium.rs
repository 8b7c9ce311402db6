//! Static equilibrium: the pose near a given one where the mechanism rests, and its stability.
//!
//! ```text
//! g = Zᵀ F = 0        stable: K > 0     neutral: K ≥ 0, zero along some freedom     unstable: some k < 0
//! ```

use super::error::StaticsError;
use super::modes::LinearizedSystem;
use super::problem::{ForceField, StaticsProblem};
use super::reach::Metric;
use super::search::{AT_REST, SaddlePolicy, Search, SearchResult};
use super::tangent::TangentSpace;
use crate::model::InequalityId;
use crate::simulation::Simulation;
use crate::state::State;

/// The kind of equilibrium to find.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum EquilibriumKind {
    /// A stable one, by descent: the energy only decreases, and saddles are left. A pose that is an
    /// equilibrium already is reported as it is, stable or not.
    #[default]
    Stable,
    /// The nearest of any kind, by Newton's method on the forces: it finds the top of a pendulum as
    /// well as its bottom.
    Nearest,
}

/// Stability of an equilibrium.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stability {
    /// The mechanism cannot move.
    Rigid,
    /// Every small displacement meets a restoring force.
    Stable,
    /// Some small displacement meets no force, to first order.
    Neutral,
    /// Some small displacement grows.
    Unstable,
}

impl Stability {
    /// The name for reports.
    pub const fn name(self) -> &'static str {
        match self {
            Stability::Rigid => "rigid",
            Stability::Stable => "stable",
            Stability::Neutral => "neutral",
            Stability::Unstable => "unstable",
        }
    }
}

impl core::fmt::Display for Stability {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// An equilibrium pose.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// The state, at rest.
    pub state: State,
    /// Its stability.
    pub stability: Stability,
    /// Freedoms of the mechanism in the pose.
    pub freedoms: usize,
    /// Number of freedoms with positive stiffness, by the signs of the eigenvalues of K.
    pub stable: usize,
    /// Number of freedoms with zero stiffness.
    pub neutral: usize,
    /// Number of freedoms with negative stiffness.
    pub unstable: usize,
    /// The smallest eigenvalue of K \[N/m\], with angles as displacements at the mechanism's
    /// length; zero without freedoms.
    pub least_stiffness: f64,
    /// The active inequalities, such as limits of joints; they constrain the pose like joints.
    pub held: Vec<InequalityId>,
    /// Number of search steps.
    pub iterations: u32,
    /// The remaining force along the freedoms, relative to the largest force; where that vanishes, relative to the
    /// stiffness times the mechanism's length.
    pub residual: f64,
    /// The remaining force along the freedoms \[N\].
    pub unbalanced: f64,
    /// Potential energy \[J\] of the forces that have one.
    pub potential: f64,
}

impl Simulation {
    /// Moves to an equilibrium near the present pose, at rest. Time does not pass until the next
    /// step or [`Simulation::assemble`]: drives, servos and paths keep their present values, and
    /// [`Simulation::evaluate`] gives the reactions, forces and torques.
    ///
    /// ```
    /// use cardan::{Body, End::Ground, Gravity, Joint, ModelBuilder, EquilibriumKind, Simulation, Stability, math::vec3};
    ///
    /// let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    /// let rod = parts.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) });
    /// parts.add_joint(Joint::revolute(Ground, rod, [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
    /// let mut sim = Simulation::new(parts.build()?);
    ///
    /// let rest = sim.equilibrium(EquilibriumKind::Stable)?;
    /// assert_eq!(rest.stability, Stability::Stable);
    /// assert!((sim.body(rod).position.z + 0.5).abs() < 1e-12);
    /// let swing = sim.modes()?.modes[0].frequency; // √(3 g / 2 l) / 2π
    /// assert!((swing - 0.610_521).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no equilibrium, or none was found; if the pose cannot be closed; if the
    /// mechanism is too large for dense matrices. The simulation is unchanged then.
    pub fn equilibrium(&mut self, kind: EquilibriumKind) -> Result<Equilibrium, StaticsError> {
        let model = self.model().clone();
        let mut problem = StaticsProblem::new(&model, self.state(), ForceField::Loads)?;
        let start = problem.closed(self.state())?;
        let mut search = Search { problem: &mut problem, metric: Metric::Geometry, iterations: 0 };
        let found = match kind {
            EquilibriumKind::Stable => search.descend(start, SaddlePolicy::LeaveIfMoved)?,
            EquilibriumKind::Nearest => search.nearest(start)?,
        };
        let residual = found.tangent.imbalance(&mut problem, &found.state, AT_REST)?;
        if residual > AT_REST {
            let (body, force) = drive(&problem, &found.tangent);
            return Err(StaticsError::NotSettled { body, force, residual, iterations: found.iterations });
        }
        let found = describe(&mut problem, found, residual)?;
        self.restore(&found.state)?;
        Ok(found)
    }
}

/// The body with the largest unbalanced force, and that force.
pub(super) fn drive(problem: &StaticsProblem<'_>, tangent: &TangentSpace) -> (String, f64) {
    let (body, _) = problem.most_moved(&tangent.driven());
    let name = problem.model.bodies.get(body).map_or(String::new(), |body| body.name.clone());
    (name, tangent.strength)
}

fn describe(
    problem: &mut StaticsProblem<'_>,
    found: SearchResult,
    residual: f64,
) -> Result<Equilibrium, StaticsError> {
    let SearchResult { state, tangent, iterations } = found;
    let linear = LinearizedSystem::at(problem, &state, &tangent)?;
    let signs = linear.signs();
    Ok(Equilibrium {
        stability: match linear.stability()? {
            // A mechanism at a stop could leave it.
            Stability::Rigid if !problem.held.is_empty() => Stability::Stable,
            stability => stability,
        },
        freedoms: tangent.freedoms(),
        stable: signs.positive,
        neutral: signs.zero,
        unstable: signs.negative,
        least_stiffness: signs.least,
        held: problem.held_ids(),
        iterations,
        residual,
        unbalanced: tangent.strength,
        potential: problem.pose_energy(&state).potential(),
        state,
    })
}
