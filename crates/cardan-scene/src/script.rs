//! The script of a scene, with names looked up, sorted by time.

use crate::check::{Check, CheckResult};
use crate::document::FieldPath;
use crate::error::ErrorKind;
use crate::nearest::nearest;
use crate::scene::{Scene, ScriptDesc};
use crate::tolerances::SCRIPT_TIME;
use cardan::{Gravity, PartId, Snapshot, World, WorldError};

/// A part of a scene by its table and name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartName {
    /// Of `[bodies]`.
    Body(String),
    /// Of `[joints]`.
    Joint(String),
    /// Of `[forces]`.
    Force(String),
    /// Of `[inequalities]`.
    Inequality(String),
}

/// What a script does at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptEntry {
    /// When \[s\].
    pub at: f64,
    /// Switched off first.
    pub disable: Vec<PartName>,
    /// Then switched on.
    pub enable: Vec<PartName>,
    /// Gravity from then on.
    pub gravity: Option<[f64; 3]>,
}

impl PartName {
    /// The name, without its table.
    pub fn name(&self) -> &str {
        match self {
            PartName::Body(name)
            | PartName::Joint(name)
            | PartName::Force(name)
            | PartName::Inequality(name) => name,
        }
    }

    /// The parts of a world that the name stands for: a screw is two.
    fn parts_of(&self, world: &World) -> Vec<PartId> {
        let mut all: Vec<PartId> = Vec::new();
        match self {
            PartName::Body(name) => all.extend(world.find_body(name).map(PartId::from)),
            PartName::Force(name) => all.extend(world.find_force(name).map(PartId::from)),
            PartName::Inequality(name) => all.extend(world.find_inequality(name).map(PartId::from)),
            PartName::Joint(name) => {
                all.extend(world.find_joint(name).map(PartId::from));
                all.extend(world.find_constraint(name).map(PartId::from));
                all.extend(world.find_constraint(&format!("{name}-thread")).map(PartId::from));
            }
        }
        all
    }
}

impl ScriptEntry {
    /// Whether its time has come, up to rounding.
    pub fn is_due(&self, time: f64) -> bool {
        self.at <= time + SCRIPT_TIME * (1.0 + time)
    }

    /// Switches parts and sets gravity.
    fn apply(&self, world: &mut World) -> Result<(), WorldError> {
        for (names, on) in [(&self.disable, false), (&self.enable, true)] {
            for part in names.iter().flat_map(|name| name.parts_of(world)).collect::<Vec<_>>() {
                if on { world.enable(part)? } else { world.disable(part)? }
            }
        }
        match self.gravity {
            Some([x, y, z]) => world.set_gravity(Gravity::new(x, y, z)),
            None => Ok(()),
        }
    }
}

/// A world that the script of its scene changes while it runs.
///
/// ```
/// let scene = cardan_scene::load("../../scenes/clutch.toml")?;
/// let mut scripted = scene.world()?;
/// scripted.run(scene.scene.simulation.until().min(0.1), scene.scene.simulation.dt())?;
/// assert!(scripted.world.energy().kinetic.is_finite());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ScriptedWorld {
    /// The world, with the entries applied whose time has come.
    pub world: World,
    entries: Vec<ScriptEntry>,
    /// Index of the next entry.
    next: usize,
}

impl ScriptedWorld {
    /// A world with entries by time, those that are due applied.
    ///
    /// # Errors
    /// If a part cannot be switched.
    pub fn new(world: World, entries: Vec<ScriptEntry>) -> Result<Self, WorldError> {
        let mut scripted = ScriptedWorld { world, entries, next: 0 };
        scripted.apply_due()?;
        Ok(scripted)
    }

    /// Applies the entries that are due, and returns them.
    ///
    /// # Errors
    /// If a part cannot be switched.
    pub fn apply_due(&mut self) -> Result<&[ScriptEntry], WorldError> {
        self.apply_until(self.world.time())
    }

    /// Applies the entries that are due at a time, and returns them: for a world that goes on from there.
    ///
    /// # Errors
    /// If a part cannot be switched.
    pub fn apply_until(&mut self, time: f64) -> Result<&[ScriptEntry], WorldError> {
        let first = self.next;
        while let Some(entry) = self.entries.get(self.next).filter(|entry| entry.is_due(time)) {
            entry.apply(&mut self.world)?;
            self.next += 1;
        }
        Ok(&self.entries[first..self.next])
    }

    /// The next entry, which is not due yet.
    pub fn next_entry(&self) -> Option<&ScriptEntry> {
        self.entries.get(self.next)
    }

    /// How many entries have been applied: with a snapshot of the world, where the script stands.
    pub fn place(&self) -> usize {
        self.next
    }

    /// Restores the world and the place of the script, as they were together.
    pub fn restore(&mut self, snapshot: &Snapshot, place: usize) {
        self.world.restore(snapshot);
        self.next = place.min(self.entries.len());
    }

    /// Takes entries before the present time as applied: for a world that was restored.
    pub fn skip_due(&mut self) {
        let now = self.world.time();
        self.next = self.entries.partition_point(|entry| entry.is_due(now));
    }

    /// One step of `dt` on the way to `until`, or a shorter one to the next entry or the end. The entries that are due are to
    /// be applied before.
    ///
    /// # Errors
    /// If the step cannot be taken.
    pub fn step_toward(&mut self, until: f64, dt: f64) -> Result<(), WorldError> {
        let goal = self.next_entry().map_or(until, |entry| entry.at.min(until));
        if let Some(h) = self.world.next_step(goal, dt) {
            self.world.step(h)?;
            if self.world.next_step(goal, dt).is_none() {
                self.world.set_time(goal);
            }
        }
        Ok(())
    }

    /// Advances to time `until` in steps of `dt`, shortened where an entry is due.
    ///
    /// # Errors
    /// If a part cannot be switched or a step cannot be taken; the time is that of the last good step then.
    pub fn run(&mut self, until: f64, dt: f64) -> Result<(), WorldError> {
        while self.world.next_step(until, dt).is_some() {
            self.apply_due()?;
            self.step_toward(until, dt)?;
        }
        self.apply_due().map(|_| ())
    }
}

/// Makes a part of a table out of its name.
type PartNameConstructor = fn(String) -> PartName;

const TABLES: [(&str, PartNameConstructor); 4] = [
    ("bodies", PartName::Body),
    ("joints", PartName::Joint),
    ("forces", PartName::Force),
    ("inequalities", PartName::Inequality),
];

impl Scene {
    fn names_in(&self, table: &str) -> Vec<&str> {
        match table {
            "bodies" => self.bodies.iter().map(|(name, _)| name).collect(),
            "joints" => self.joints.iter().map(|(name, _)| name).collect(),
            "forces" => self.forces.iter().map(|(name, _)| name).collect(),
            _ => self.inequalities.iter().map(|(name, _)| name).collect(),
        }
    }

    /// The parts that a name of a script may mean.
    fn meant(&self, word: &str) -> Vec<PartName> {
        let (table, name) = match word.split_once('.') {
            Some((table, name)) if TABLES.iter().any(|(known, _)| *known == table) => (Some(table), name),
            _ => (None, word),
        };
        let tables = TABLES.iter().filter(|(known, _)| table.is_none_or(|table| *known == table));
        let there = tables.filter(|(known, _)| self.names_in(known).contains(&name));
        there.map(|(_, part)| part(name.to_string())).collect()
    }

    /// The entries of the script by time; entries of equal times in the order of the file.
    pub fn script(&self) -> Vec<ScriptEntry> {
        let parts = |words: &[String]| words.iter().flat_map(|word| self.meant(word)).collect();
        let entry = |desc: &ScriptDesc| ScriptEntry {
            at: desc.at.map_or(0.0, f64::from),
            disable: parts(&desc.disable),
            enable: parts(&desc.enable),
            gravity: desc.gravity.map(|gravity| gravity.map(f64::from)),
        };
        let mut entries: Vec<ScriptEntry> = self.script.iter().map(entry).collect();
        entries.sort_by(|a, b| a.at.total_cmp(&b.at));
        entries
    }
}

impl Check<'_> {
    /// Names refer to parts, times are not negative.
    pub(crate) fn script(&self, scene: &Scene) -> CheckResult {
        for (i, desc) in scene.script.iter().enumerate() {
            let path = FieldPath::from("script").join(i);
            let help = "say when, such as `at = \"1.5 s\"`; changes at 0 hold from the start";
            self.given(&path, "at", desc.at.is_some(), help)?;
            if let Some(at) = desc.at.filter(|at| !(at.0 >= 0.0 && at.0.is_finite())) {
                return Err(self.bad(path.join("at"), format!("{} s is before the start", at.0), help));
            }
            if desc.enable.is_empty() && desc.disable.is_empty() && desc.gravity.is_none() {
                let help = "say what changes: `enable`, `disable` or `gravity`";
                return Err(self.missing(&path, "nothing changes here".into(), help));
            }
            for (field, words) in [("enable", &desc.enable), ("disable", &desc.disable)] {
                for (k, word) in words.iter().enumerate() {
                    self.script_name(scene, path.join(field).join(k), word)?;
                }
            }
            let on: Vec<PartName> = desc.enable.iter().flat_map(|word| scene.meant(word)).collect();
            for (k, word) in desc.disable.iter().enumerate() {
                if scene.meant(word).iter().any(|part| on.contains(part)) {
                    let message = format!("`{word}` is switched on and off at once");
                    let help = "name it under `enable` or under `disable`";
                    return Err(self.bad(path.join("disable").join(k), message, help));
                }
            }
        }
        Ok(())
    }

    fn script_name(&self, scene: &Scene, path: FieldPath, word: &str) -> CheckResult {
        let meant = scene.meant(word);
        if meant.len() == 1 {
            return Ok(());
        }
        if meant.is_empty() {
            let all: Vec<&str> = TABLES.iter().flat_map(|(table, _)| scene.names_in(table)).collect();
            let help = match nearest(word, all) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name a body, a joint, a force or an inequality of this scene".to_string(),
            };
            let message = format!("there is no `{word}` to switch");
            return Err(self.error(ErrorKind::UnknownName, path, message, Some(help)));
        }
        let help =
            format!("say which: `bodies.{word}`, `joints.{word}`, `forces.{word}` or `inequalities.{word}`");
        Err(self.bad(path, format!("several parts are called `{word}`"), &help))
    }
}
