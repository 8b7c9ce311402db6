//! The typed description of a scene file, before it becomes a model.
//!
//! The types follow docs/scenes.md field by field; their documentation is the text of the JSON Schema. Tables keep the order
//! of the file, which is the order of ids.

mod body;
mod coupling;
mod curve;
mod force;
mod impulse;
mod inequality;
mod joint;
mod law;
mod look;
mod named;
pub(crate) mod reserved;
mod robot;
mod script;
mod space;

pub use crate::kind::JointKindDesc;
pub use body::{
    BodyDesc, BodyKindDesc, GroundDesc, Inertia, InsideDesc, MeshScale, PieceDesc, ShapeDesc, ShapeKind,
};
pub use coupling::{EquationDesc, NurbsPath, PathDesc, RopePointDesc, TermDesc};
pub use curve::{
    CurveDesc, CurveNurbs, FeatureDesc, FollowerDesc, FormulaDesc, SurfaceDesc, TerrainDesc, ThroughDesc,
    TorusDesc,
};
pub use force::{
    ContactFriction, ContactPairDesc, ContactsDesc, ForceDesc, ForceFrame, ForceKindDesc, FrictionPair,
    MaterialDesc, ProbeDesc,
};
pub use impulse::ImpulseDesc;
pub use inequality::{InequalityDesc, InequalityKind};
pub use joint::{
    DriveDesc, DriveLevel, FrictionDesc, JointDesc, JointSpringDesc, LockName, MotorDesc, RollOnDesc,
    ServoDesc, TurnDesc,
};
pub use law::{LawDesc, NurbsDesc, RampDesc, Rows, SineDesc, SplineEnds, SplineRows};
pub use look::{CameraDesc, LookDesc};
pub use named::{Named, OneOrMany};
pub use robot::RobotDesc;
pub use script::ScriptDesc;
pub use space::{AngularVelocity, FrameDesc, Orientation, Planar};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::{Document, Value};
use crate::error::{ErrorKind, SceneError};
use crate::quantity::{Number, Quantity, Time};

/// The version of the format that this crate reads.
pub const FORMAT: u32 = 1;

/// The name of the ground, the body that never moves.
pub const GROUND: &str = "ground";

/// A mechanism: its bodies, joints and forces, and how to simulate it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format; a newer one than the reader knows is an error. Default 1.
    pub format: Option<u32>,
    /// Title, one line.
    pub title: Option<String>,
    /// What the scene shows, in a few sentences.
    pub description: Option<String>,
    /// Names of the laws that a run of this scene must obey, such as "energy", "momentum", "closed".
    #[serde(default)]
    pub laws: Vec<String>,
    /// Acceleration of gravity in m/s². Default [0, 0, -9.81]; a scene with planar bodies must state it.
    pub gravity: Option<[Number; 3]>,
    /// Numbers with names: a value anywhere in the scene that begins with `=` is an expression of them, such as
    /// "=2*L + 5 mm".
    #[serde(default)]
    pub parameters: Named<Quantity>,
    /// How to simulate.
    #[serde(default)]
    pub simulation: SimulationDesc,
    /// Shapes of the ground.
    pub ground: Option<GroundDesc>,
    /// The bodies by name; "ground" is reserved.
    #[serde(default)]
    pub bodies: Named<BodyDesc>,
    /// Robot files that are parts of the scene, by name. Their links and joints are bodies and joints like any other.
    #[serde(default)]
    pub robots: Named<RobotDesc>,
    /// Surfaces that several joints run along, by name; a joint says `surface = { named = "NAME" }`.
    #[serde(default)]
    pub surfaces: Named<SurfaceDesc>,
    /// The joints by name.
    #[serde(default)]
    pub joints: Named<JointDesc>,
    /// Forces other than gravity, by name.
    #[serde(default)]
    pub forces: Named<ForceDesc>,
    /// Impulses that are applied at their times, by name.
    #[serde(default)]
    pub impulses: Named<ImpulseDesc>,
    /// Points to report, by name.
    #[serde(default)]
    pub probes: Named<ProbeDesc>,
    /// Conditions g ≥ 0, by name.
    #[serde(default)]
    pub inequalities: Named<InequalityDesc>,
    /// Materials for contact, by name.
    #[serde(default)]
    pub materials: Named<MaterialDesc>,
    /// Which pairs of bodies collide, with what friction and restitution.
    pub contacts: Option<ContactsDesc>,
    /// Where from it is looked at, in a window.
    pub camera: Option<CameraDesc>,
    /// Changes during the run.
    #[serde(default)]
    pub script: Vec<ScriptDesc>,
}

impl Scene {
    /// Types a document and checks that its parts fit together: fields fit their kinds, names refer to something.
    pub fn from_document(document: &Document) -> Result<Self, SceneError> {
        // Before typing: a newer file may have fields that this version does not know.
        if let Some(node) = document.root().as_table().and_then(|root| root.get("format"))
            && let Value::Integer(format) = node.value
            && format > i64::from(FORMAT)
        {
            let message = format!("the file has format {format}, this version reads format {FORMAT}");
            return Err(SceneError::at(
                document,
                "format",
                message,
                Some("a newer version of cardan can read it"),
            )
            .with_kind(ErrorKind::NewerFormat));
        }
        let worked_out = document.with_parameters()?;
        let scene: Self = crate::deserialize::deserialize_document(worked_out.as_ref().unwrap_or(document))?;
        crate::check::check(&scene, document)?;
        Ok(scene)
    }

    /// The gravity of the file, or the default.
    pub fn gravity(&self) -> [f64; 3] {
        self.gravity.map_or([0.0, 0.0, -9.81], |gravity| gravity.map(f64::from))
    }
}

/// How to simulate; everything has a default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimulationDesc {
    /// End of the run. Default 10 s.
    pub until: Option<Time>,
    /// Time step; for adaptive integrators the first one. Default 1 ms.
    pub dt: Option<Time>,
    /// Time integration. Default rk4.
    pub integrator: Option<IntegratorDesc>,
    /// For dopri5: error of a step relative to the size of the mechanism and its speeds. Default 1e-8.
    pub relative_tolerance: Option<Number>,
    /// For dopri5: error of a step that is always allowed, in m, rad, m/s and rad/s. Default 1e-10.
    pub absolute_tolerance: Option<Number>,
    /// For dopri5: the longest step. Default: as long as the tolerance allows.
    pub max_dt: Option<Time>,
    /// How drift is removed. Default projection.
    pub stabilization: Option<StabilizationDesc>,
    /// Linear solver. Default auto.
    pub solver: Option<SolverDesc>,
    /// State variables: poses of all bodies (maximal coordinates), or coordinates of the joints of the spanning tree
    /// (reduced coordinates), which then cannot open; auto takes the latter for trees of lower pairs without contact. Default
    /// bodies.
    pub coordinates: Option<CoordinatesDesc>,
    /// Where in a step of semi-implicit Euler or time stepping the springs, dampers, servos, motors and friction of revolute joints are taken: at its
    /// end (implicit: stiff joints need no short step) or at its start. Default implicit.
    pub efforts: Option<EffortRuleDesc>,
    /// Misalignment of loop-closure joints that is tolerated, in rad or relative to lengths: rows that repeat others within
    /// it count as redundant, and their joints may open by about as much. Default 0, which is rounding (1e-9); at most 1e-3.
    /// `cardan check` proposes a value where a misalignment locks a mechanism.
    pub geometry_tolerance: Option<Number>,
    /// Impact model for several contacts or limits at one instant. Default propagating.
    pub impacts: Option<ImpactsDesc>,
    /// Law of restitution: newton (ratio of speeds) or poisson (ratio of impulses). Default newton.
    pub restitution_law: Option<RestitutionLawDesc>,
    /// Treatment of bodies that overlap at the start. Default refuse.
    pub overlaps: Option<OverlapsDesc>,
    /// For study: one of the three active-set rules of the GRAPP 2007 paper instead of the complementarity problem. They
    /// are wrong in corners; events are not located, and nothing rebounds.
    pub inequality_study: Option<InequalityStudyDesc>,
    /// Speed of approach below which nothing rebounds, in m/s or rad/s. Default 1e-6.
    pub restitution_threshold: Option<Number>,
    /// When certificate, energy and momentum are taken; the motion does not depend on it. Default every-step.
    pub accounts: Option<AccountsDesc>,
    /// Where it starts: pose, as the scene has it, or equilibrium, at rest where `cardan equilibrium` finds it. Default pose.
    pub start: Option<StartDesc>,
    /// Interval of the rows that are written; dopri5 interpolates them within its steps. Default every dt, at most 10 000
    /// rows.
    pub record: Option<Time>,
}

impl SimulationDesc {
    /// End of the run in seconds.
    pub fn until(&self) -> f64 {
        self.until.map_or(10.0, f64::from)
    }

    /// Whether inequalities are solved by a rule for study.
    pub(crate) fn studies(&self) -> bool {
        self.inequality_study.is_some_and(|rule| rule != InequalityStudyDesc::Exact)
    }

    /// Time step in seconds.
    pub fn dt(&self) -> f64 {
        self.dt.map_or(1e-3, f64::from)
    }
}

/// The time integration method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IntegratorDesc {
    /// Explicit Euler, of order 1; for study.
    ExplicitEuler,
    /// Semi-implicit (symplectic) Euler, of order 1; cheap and stable.
    SemiImplicitEuler,
    /// Classical Runge–Kutta, of order 4.
    Rk4,
    /// Dormand–Prince, of order 5, with adaptive steps.
    Dopri5,
    /// RATTLE: of order 2, for long runs with coarse steps.
    Rattle,
    /// Moreau time stepping: one complementarity problem for velocities and contacts per step, for many contacts.
    TimeStepping,
    /// First-order dynamics f = m v: a force gives a velocity, and without force a body rests.
    FirstOrder,
    /// `time-stepping` where bodies may rest on many points of contact, `rk4` otherwise; a step of `rk4` with too many
    /// events is then handed over to time stepping. Reports say what was chosen.
    #[default]
    Auto,
}

/// Impact model for several contacts or limits at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ImpactsDesc {
    /// Contacts that approach are solved together; contacts that this makes approach follow in the next round.
    #[default]
    Propagating,
    /// One at a time, in the order of the file.
    Sequential,
    /// All closed contacts at once.
    Simultaneous,
}

/// The law of restitution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RestitutionLawDesc {
    /// Newton: speed of separation over speed of approach.
    #[default]
    Newton,
    /// Poisson: impulse of the expansion phase over that of the compression phase, with friction in both.
    Poisson,
}

/// Treatment of bodies that overlap at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OverlapsDesc {
    /// The run fails and names them.
    #[default]
    Refuse,
    /// Depenetration: bodies are moved apart until they touch, by the smallest motion in the mass metric.
    Resolve,
}

/// Where a run starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StartDesc {
    /// As the scene poses its bodies.
    #[default]
    Pose,
    /// At rest in the stable equilibrium that the search finds from there.
    Equilibrium,
}

/// When the accounts of a run are taken: errors of the certificate, energy, momentum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AccountsDesc {
    /// After every step: the certificate covers the whole run.
    #[default]
    EveryStep,
    /// At the recorded instants (`record`).
    Recorded,
    /// At the end of the run.
    End,
    /// Not at all; energy and balances of the end are measured for the report.
    Off,
}

/// Active-set rules of the GRAPP 2007 paper: which inequalities are treated as equalities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum InequalityStudyDesc {
    /// None: the complementarity problem is solved.
    #[serde(rename = "exact")]
    Exact,
    /// Algorithm 1, Platt 1992: active once violated, released after λ ≤ 0.
    #[serde(rename = "platt-1")]
    Platt1,
    /// Algorithm 2: active in the next step if it tends to be violated.
    #[serde(rename = "platt-2")]
    Platt2,
    /// Algorithm 3: activated while any tends to be violated, never released.
    #[serde(rename = "algorithm-3")]
    Algorithm3,
}

/// How drift off the constraints is removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum StabilizationDesc {
    #[default]
    Projection,
    Baumgarte,
    None,
}

/// The linear solver for accelerations and multipliers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum SolverDesc {
    #[default]
    Auto,
    Tree,
    Sparse,
    ConjugateGradient,
    Dense,
}

/// The state variables of the integrator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum CoordinatesDesc {
    #[default]
    Bodies,
    Joints,
    Auto,
}

/// Where in a step of semi-implicit Euler or time stepping the efforts of joints are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EffortRuleDesc {
    /// At its end: damping always, the stiffness of servos, and that of springs that are stiff beside the step.
    #[default]
    Implicit,
    /// At its start; a step that is too long for a joint is refused.
    Explicit,
}

/// The JSON Schema of the format, generated from these types.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Scene).to_value()
}
