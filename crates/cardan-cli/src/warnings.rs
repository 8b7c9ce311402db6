//! Warnings: what a user should know about a run that did not fail.

use crate::report::{format_number, worst};
use crate::script;
use crate::tolerances::{ENERGY_BALANCE, NEARLY_REDUNDANT, OPEN_JOINT, STEP_TIME};
use cardan::step::Overlap;
use cardan::{BodyId, JointId, Model, Simulation};
use cardan_scene::{ImportReport, OldWord, ScriptEntry, Treatment};

/// The pose of the file, before assembly closes the joints.
pub(crate) struct InitialPose {
    places: Vec<(cardan::math::Vec3, cardan::math::Quat)>,
    kinetic: f64,
    open: f64,
    open_rate: f64,
    overlaps: Vec<Overlap>,
    within_ground: Vec<JointId>,
}

impl InitialPose {
    pub(crate) fn of(sim: &mut Simulation) -> Self {
        let kinetic = sim.energy().kinetic;
        let (overlaps, within_ground) = (sim.overlaps(), sim.within_ground());
        let bodies = sim.model().bodies().len();
        let now = sim.kinematics();
        InitialPose {
            places: (0..bodies)
                .map(|i| (now.body(BodyId::of_index(i)).position, now.body(BodyId::of_index(i)).orientation))
                .collect(),
            kinetic,
            open: worst(now.position_errors()),
            open_rate: worst(now.velocity_errors()),
            overlaps,
            within_ground,
        }
    }

    /// Joints of the file are open, and the command does not close them.
    pub(crate) fn open_joint_warnings(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.open > OPEN_JOINT {
            all.push(format!(
                "joints are open by up to {} (m or rad): forces are those of this pose",
                format_number(self.open)
            ));
        }
        if self.open_rate > OPEN_JOINT {
            all.push(format!(
                "velocities break joints by up to {} (m/s or rad/s)",
                format_number(self.open_rate)
            ));
        }
        all
    }

    /// Bodies that have passed into the ground, since a joint switches their contact with it off.
    pub(crate) fn ground_warnings(&self, sim: &mut Simulation) -> Vec<String> {
        let mut now = sim.within_ground();
        now.retain(|joint| !self.within_ground.contains(joint));
        let model = sim.model();
        let warning = |id: JointId| {
            let joint = &model[id];
            let body = joint.body_a().or(joint.body_b()).map_or("", |body| &*model[body].name);
            format!(
                "`{body}` is in a shape of the ground: joint `{}` to the ground switches their contact off; \
                 [contacts] add = [[\"ground\", \"{body}\"]] switches it on",
                joint.name
            )
        };
        now.into_iter().map(warning).collect()
    }

    /// Changes that assembly made.
    pub(crate) fn assembly_warnings(&self, sim: &mut Simulation) -> Vec<String> {
        let mut all = Vec::new();
        let kinetic = sim.energy().kinetic;
        let still = sim.overlaps();
        let now = sim.kinematics();
        let largest = |w: f64, x: f64| if x > w { x } else { w };
        let moves = self.places.iter().enumerate().map(|(i, (place, turn))| {
            let now = now.body(BodyId::of_index(i));
            ((now.position - *place).norm(), (now.orientation * turn.inverse()).log().norm())
        });
        let (moved, turned) = moves.fold((0.0, 0.0), |w, m| (largest(w.0, m.0), largest(w.1, m.1)));
        if self.open > OPEN_JOINT {
            all.push(format!(
                "the joints of the file were open by up to {} (m or rad; `cardan check` says which); bodies were moved by up to {} m and \
                 turned by up to {} rad to close them",
                format_number(self.open),
                format_number(moved),
                format_number(turned)
            ));
        }
        let overlap_text =
            |found: &Overlap| format!("{} by {} {}", found.name, format_number(found.depth), found.unit);
        let overlaps = self.overlaps.iter().map(|found| overlap_text(found).trim_end().to_string());
        let overlaps = overlaps.collect::<Vec<_>>().join(", ");
        if !overlaps.is_empty() && still.is_empty() {
            all.push(format!(
                "{overlaps} overlapped in the file; bodies were moved by up to {} m to separate them",
                format_number(moved)
            ));
        }
        if self.open_rate > OPEN_JOINT {
            all.push(format!(
                "the velocities of the file broke joints by up to {} (m/s or rad/s) and were changed: kinetic energy {} J \
                 became {} J",
                format_number(self.open_rate),
                format_number(self.kinetic),
                format_number(kinetic)
            ));
        }
        all
    }
}

/// Words of earlier versions, one line each: the first place of each word, and how many there are.
pub(crate) fn of_old_words(words: &[OldWord]) -> Vec<String> {
    let mut all: Vec<(&OldWord, usize)> = Vec::new();
    for word in words {
        match all.iter_mut().find(|(first, _)| (first.old, &first.file) == (word.old, &word.file)) {
            Some((_, times)) => *times += 1,
            None => all.push((word, 1)),
        }
    }
    let line = |(OldWord { old, new, file, line }, times): &(&OldWord, usize)| {
        let often = if *times > 1 { format!(" ({times} times)") } else { String::new() };
        format!("{file}:{line}: `{old}` is an old word for `{new}`{often}")
    };
    all.iter().map(line).collect()
}

/// What a robot file says that the scene has in another form or not at all: one line.
pub(crate) fn of_import((file, report): (&str, &ImportReport)) -> Option<String> {
    let count = |treatment| report.of(treatment).map(|note| note.lines.len()).sum();
    let (approximated, ignored): (usize, usize) = (count(Treatment::Approximated), count(Treatment::Ignored));
    (approximated + ignored > 0).then(|| {
        format!(
            "of the robot file {file}, {approximated} elements are approximated and {ignored} ignored; \
             `cardan import {file} --report` lists them"
        )
    })
}

/// Warnings of the model.
pub(crate) fn of_model(model: &Model) -> Vec<String> {
    let mut all: Vec<String> = model
        .misaligned_gears()
        .into_iter()
        .map(|(gear, hinge, angle)| {
            format!(
                "gear `{}` counts a speed about an axis that is {}° off that of the hinge `{}`: only the cosine of it counts",
                model[gear].name,
                format_number(angle.to_degrees()),
                model[hinge].name
            )
        })
        .collect();
    let g = model.gravity();
    let flat = !model.bodies().is_empty() && model.bodies().iter().all(|b| b.kind.is_planar());
    if flat && g.z != 0.0 && g.x == 0.0 && g.y == 0.0 {
        all.push("gravity acts across the x–y plane, in which all bodies stay: nothing falls".to_string());
    }
    all
}

/// Warnings of freedoms that a misalignment locks. Searched for only if a row nearly repeats others.
pub(crate) fn of_geometry(sim: &mut Simulation) -> Vec<String> {
    if sim.settings().geometry_tolerance > 0.0 || !NEARLY_REDUNDANT.contains(&sim.diagnostics().rank_margin())
    {
        return Vec::new();
    }
    let Ok(Some(diagnosis)) = sim.diagnose() else { return Vec::new() };
    let locked = diagnosis.groups.iter().filter(|group| group.locked_rows > 0);
    locked
        .map(|group| crate::diagnosis::locked(group.locked_rows, group.misalignment, &group.joints))
        .collect()
}

/// Warning of rows that fall between steps.
pub(crate) fn of_rows(interval: f64, dt: f64) -> Option<String> {
    let steps = interval / dt;
    let (every, size) = (format_number(interval), format_number(dt));
    if steps < 1.0 - STEP_TIME {
        return Some(format!("record = {every} s is shorter than dt = {size} s: there is one row per step"));
    }
    let even = (steps - steps.round()).abs() <= STEP_TIME * steps;
    (!even).then(|| {
        format!(
            "rows are taken at steps, and record = {every} s is no multiple of dt = {size} s: they are not evenly spaced"
        )
    })
}

/// Warnings of script entries and impulses after the end of the run.
pub(crate) fn of_times(model: &Model, script: &[ScriptEntry], until: f64) -> Vec<String> {
    let late = script.iter().filter(|entry| entry.at > until);
    let mut all: Vec<String> = late
        .map(|entry| {
            format!(
                "the script's entry at t = {} s ({}) is after the end of the run, until = {} s, and is never applied",
                format_number(entry.at),
                script::describe(entry),
                format_number(until)
            )
        })
        .collect();
    // An impulse at the very end is not applied.
    for impulse in model.impulses().iter().filter(|impulse| impulse.time >= until) {
        let (name, time, until) = (&impulse.name, format_number(impulse.time), format_number(until));
        all.push(format!("the impulse `{name}` at t = {time} s is not before the end of the run, until = {until} s, and is never applied"));
    }
    all
}

/// Warning of an energy balance that does not close.
pub(crate) fn of_energy(error: f64, integrator: cardan::Integrator) -> Option<String> {
    (error > ENERGY_BALANCE).then(|| {
        let percent = format_number(100.0 * error);
        let remedy = match integrator.is_adaptive() {
            true => "smaller tolerance (simulation.relative_tolerance)",
            false => "smaller step (--dt)",
        };
        format!("energy is off by {percent} % of the largest seen: try a {remedy}")
    })
}

/// Warnings of a completed run.
pub(crate) fn of_run(sim: &mut Simulation) -> Vec<String> {
    let mut all = Vec::new();
    let counts = sim.diagnostics().work_counts();
    if counts.handed_over > 0 {
        let steps = crate::report::plural(counts.handed_over as usize, "step", "steps");
        all.push(format!(
            "{steps} had so many events that the rest of each was taken by time stepping: `integrator = \"time-stepping\"` takes all of them"
        ));
    }
    let divided = counts.divided;
    if divided > 0 {
        let steps = crate::report::plural(divided as usize, "step was", "steps were");
        all.push(format!(
            "{steps} too long for the mechanism and taken in parts, {} in all: some motion is faster than dt can resolve",
            sim.steps()
        ));
    }
    let error = sim.balance().energy_error;
    all.extend(of_energy(error, sim.settings().integrator));
    all
}
