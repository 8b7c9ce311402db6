//! A world: mechanisms that change while they run.
//!
//! | file | what it does |
//! |---|---|
//! | `parts.rs` | descriptions of the parts, and which island has them |
//! | `arena.rs` | storage by index and generation |
//! | `assembly_failure.rs` | which new joint or constraint cannot be closed, and its error |
//! | `adopt.rs` | states of another world, by names |
//! | `commands.rs` | efforts, targets, wrenches, joint positions and rates |
//! | `describe.rs` | descriptions of parts by id |
//! | `edit/` | adding, removing, switching, re-attaching |
//! | `group.rs` | which bodies act on each other |
//! | `island.rs` | parts that act only on each other, as one simulation |
//! | `look.rs` | all islands at the present instant, for pictures |
//! | `pick.rs` | the first part that a ray hits |
//! | `proximity.rs` | merges islands that may come into contact in the next step |
//! | `grab.rs` | dragging and pinning of bodies |
//! | `record.rs` | recording and replay of edits and steps |
//! | `run.rs` | steps, threads, sleep |
//! | `read.rs` | readers |
//! | `snapshot.rs` | snapshots of all parts and states |
//! | `saved.rs`, `fingerprint.rs` | states as bytes; which parts they belong to |
//!
//! The parts fall into *islands*: bodies that joints, constraints, forces or contacts connect, through anything but the ground. Each island is
//! a [`Simulation`](crate::Simulation) with a model, a state and a workspace of its own, independent of all others. Its bits
//! depend only on its own parts and on those that may come into contact with them, not on edits of other islands or on the number
//! of threads. An edit dissolves the islands of its parts; the next step rebuilds them in linear time. Other islands are not
//! affected.
//!
//! ```
//! use cardan::prelude::*;
//!
//! let mut world = World::new(Gravity::new(0.0, 0.0, -9.81));
//! let rod = world.add_body(Body { pos: vec3(0.5, 0.0, 0.0), ..Body::rod(2.0, 1.0, 0.01) })?;
//! let pin = world.add_joint(Joint::spherical(Ground, rod, [0.0, 0.0, 0.0]))?;
//! world.run(1.0, 1e-3)?;
//! let before = world.snapshot()?;
//!
//! world.remove(pin)?;                               // the rod flies on
//! world.run(1.5, 1e-3)?;
//! world.restore(&before);                           // and hangs again
//! assert_eq!(world.time(), 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adopt;
mod arena;
mod assembly_failure;
mod commands;
mod describe;
mod edit;
mod error;
mod fingerprint;
mod grab;
mod group;
mod island;
mod look;
mod parts;
mod pick;
mod proximity;
mod read;
mod record;
mod run;
mod saved;
mod snapshot;

pub use adopt::Adopted;
pub use error::WorldError;
pub use grab::{GrabHandle, GrabMode};
pub use look::IslandView;
pub use pick::{PartPick, Pick, PickTarget, PickedShape};
pub use read::{ImpulseReport, WorldDiagnostics, WorldEvent};
pub use record::{Divergence, Edit, Recorder, Recording};
pub use run::Sleep;
pub use snapshot::Snapshot;

use crate::force::Gravity;
use crate::measure::Certificate;
use crate::model::{
    BodyId, ConstraintId, ForceId, Id, IdSource, ImpulseId, InequalityId, JointId, ModelBuilder, ProbeId,
    ShapeId,
};
use crate::state::Ledger;
use crate::step::{Settings, WorkCounts};
use group::UnionFind;
use island::{ActiveCondition, Island};
use parts::{LocalIndices, Parts};
use proximity::Proximity;

/// Any part of a world.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartId {
    /// A body.
    Body(BodyId),
    /// A joint.
    Joint(JointId),
    /// A user constraint, a coupler, or a path held by motors.
    Constraint(ConstraintId),
    /// An inequality.
    Inequality(InequalityId),
    /// A contact shape.
    Shape(ShapeId),
    /// A force.
    Force(ForceId),
    /// A probe.
    Probe(ProbeId),
    /// A timed impulse.
    Impulse(ImpulseId),
}

macro_rules! part_from {
    ($($part:ident($id:ty)),+) => {
        $(impl From<$id> for PartId {
            fn from(id: $id) -> Self {
                PartId::$part(id)
            }
        })+
        impl PartId {
            /// The name of its kind: `body`, `joint`, `shape` and so on.
            pub fn kind_name(self) -> &'static str {
                match self {
                    $(PartId::$part(_) => <$id>::WHAT),+
                }
            }
        }
    };
}
part_from!(
    Body(BodyId),
    Joint(JointId),
    Constraint(ConstraintId),
    Inequality(InequalityId),
    Shape(ShapeId),
    Force(ForceId),
    Probe(ProbeId),
    Impulse(ImpulseId)
);

/// Mechanisms that change while they run.
#[derive(Debug)]
pub struct World {
    parts: Parts,
    settings: Settings,
    time: f64,
    time_remainder: f64,
    /// In the order of their first bodies.
    islands: Vec<Island>,
    /// Island and index in it of each body, by place.
    island_of_body: Vec<Option<(u32, u32)>>,
    /// Whether bodies without an island satisfy their joints; by place.
    fits: Vec<bool>,
    /// Active inequalities and contacts of bodies without an island.
    active_conditions: Vec<ActiveCondition>,
    proximity: Proximity,
    /// Whether some bodies have to be put into islands.
    needs_grouping: bool,
    sets: UnionFind,
    local: LocalIndices,
    /// All parts as one simulation, for reports.
    combined: Option<Box<Island>>,
    account: Account,
    events: Vec<WorldEvent>,
    steps: u64,
    guided_grabs: Vec<grab::GuidedGrab>,
    /// Joints and constraints that were added or changed since the last assembly.
    new_conditions: Vec<PartId>,
    sleep: Option<Sleep>,
    threads: crate::threads::Threads,
}

/// Sums over dissolved islands, and the effects of edits.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
struct Account {
    ledger: Ledger,
    /// Energy of added parts less that of removed parts \[J\].
    carried: f64,
    /// Energy at the first step \[J\]; `None` before it.
    initial: Option<f64>,
    /// The largest energy seen \[J\].
    largest: f64,
    certificate: Certificate,
    counts: WorkCounts,
}

impl World {
    /// An empty world with the usual settings.
    pub fn new(gravity: Gravity) -> Self {
        World::with_settings(gravity, Settings::default())
    }

    /// An empty world.
    pub fn with_settings(gravity: Gravity, settings: Settings) -> Self {
        World {
            parts: Parts { gravity, id_source: IdSource::next(), ..Parts::default() },
            settings,
            time: 0.0,
            time_remainder: 0.0,
            islands: Vec::new(),
            island_of_body: Vec::new(),
            fits: Vec::new(),
            active_conditions: Vec::new(),
            proximity: Proximity::default(),
            needs_grouping: false,
            sets: UnionFind::default(),
            local: LocalIndices::default(),
            combined: None,
            account: Account { certificate: Certificate::empty(settings.accounts), ..Account::default() },
            events: Vec::new(),
            steps: 0,
            guided_grabs: Vec::new(),
            new_conditions: Vec::new(),
            sleep: None,
            threads: crate::threads::Threads::default(),
        }
    }

    /// A world of the parts of a description; their ids stay the same.
    ///
    /// # Errors
    /// If one of them is invalid.
    pub fn of(parts: ModelBuilder, settings: Settings) -> Result<Self, WorldError> {
        let mut world = World::with_settings(parts.gravity, settings);
        // Its parts keep the ids that the description gave.
        let own = std::mem::replace(&mut world.parts.id_source, parts.id_source);
        world.parts.described_by = parts.id_source;
        world.add_all(parts)?;
        world.parts.id_source = own;
        Ok(world)
    }
}
