//! Measures of a run, events, and the doctor's report.

use super::Player;
use super::ViewError;
use cardan::measure::{Diagnosis, Remedy};
use serde_json::{Value, json};

impl Player {
    /// The strip of measures, as JSON.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn stats(&mut self) -> Result<Value, ViewError> {
        let (mut rows, mut rank, mut freedoms, mut contacts) = (0, 0, 0, 0);
        // |C| and |Ċ| of the present state: it may be posed, restored or stepped back to, not stepped.
        let (mut position, mut velocity) = (0.0f64, 0.0f64);
        let worst = |most: f64, errors: &[f64]| {
            // Not a number stays: the page shows that nothing is known.
            let larger = |most: f64, e: &f64| if e.abs() > most || e.is_nan() { e.abs() } else { most };
            errors.iter().fold(most, larger)
        };
        self.scripted.world.each_island(|island| {
            let counts = island.instant.model().counts();
            rows += counts.rows;
            rank += island.instant.rank();
            freedoms += counts.coordinates.saturating_sub(island.instant.rank());
            contacts += island.instant.contacts().count();
            position = worst(position, island.instant.position_errors());
            velocity = worst(velocity, island.instant.velocity_errors());
        })?;
        let world = &mut self.scripted.world;
        let (energy, balance) = (world.energy(), world.balance());
        let (certificate, work) = (world.certificate(), world.diagnostics().work_counts());
        let (islands, sleeping) = world.islands();
        let memory = world.diagnostics().bytes();
        let (snapshots, actions, bytes) = self.history.size();
        let last = &self.last_step;
        Ok(json!({
            "time": self.time(),
            "steps": self.steps(),
            "energy": {
                "kinetic": energy.kinetic,
                "potential": energy.potential,
                "dissipated": energy.dissipated,
                "work": energy.work,
                "total": energy.mechanical(),
            },
            "energyError": balance.energy_error,
            "momentumError": balance.momentum_error,
            "jointError": position,
            "velocityError": velocity,
            "residual": last.equation_residual,
            "overlap": last.overlap,
            "rows": rows,
            "rank": rank,
            "freedoms": freedoms,
            "redundant": rows - rank.min(rows),
            "contacts": contacts,
            "islands": islands,
            "sleeping": sleeping,
            "factorisations": work.factorizations,
            "solves": work.solves,
            "evaluations": work.iterations,
            "certificate": {
                "jointError": certificate.max_position_error,
                "velocityError": certificate.max_velocity_error,
                "residual": certificate.max_equation_residual,
                "overlap": certificate.max_overlap,
                "instants": certificate.instants,
            },
            "ring": { "earliest": self.earliest(), "snapshots": snapshots, "actions": actions, "bytes": bytes },
            "memory": memory,
        }))
    }

    /// Events since the last call, as JSON.
    pub fn take_events(&mut self) -> Value {
        let events = std::mem::take(&mut self.events);
        let one = |event: &cardan::WorldEvent| {
            let mut all = json!({
                "time": event.time,
                "name": event.name,
                "kind": event.kind.name(),
                "speed": event.speed,
                "impulse": event.impulse,
            });
            if let Some(k) = event.coordinate {
                all["coordinate"] = json!(k);
            }
            if let Some(side) = event.side {
                let low = side == cardan::inequality::LimitSide::Low;
                all["side"] = json!(if low { "low" } else { "high" });
            }
            all
        };
        events.iter().map(one).collect()
    }

    /// Redundant and contradicting joints, with remedies, as JSON.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn doctor(&mut self) -> Result<Value, ViewError> {
        let sim = self.scripted.world.combined()?;
        let counts = sim.model().counts();
        let found = sim.diagnose().map_err(cardan::WorldError::from)?;
        let Some(found) = found else {
            let text = "with more than 4000 rows it is not examined which joints are redundant";
            return Ok(json!({
                "text": text, "rows": counts.rows, "rank": null, "freedoms": null, "redundant": null,
                "involved": [], "remedies": [],
            }));
        };
        let redundant = counts.rows.saturating_sub(found.rank);
        let involved: Vec<&str> =
            found.groups.iter().flat_map(|group| &group.joints).map(String::as_str).collect();
        let remedies: Vec<String> =
            found.groups.iter().flat_map(|group| &group.remedies).map(remedy_text).collect();
        Ok(json!({
            "text": text_of(&found, redundant, &remedies),
            "freedoms": found.mobility(),
            "rows": counts.rows,
            "rank": found.rank,
            "redundant": redundant,
            "involved": involved,
            "remedies": remedies,
        }))
    }
}

/// A remedy in words: which joint becomes what.
fn remedy_text(remedy: &Remedy) -> String {
    let step = |step: &cardan::measure::Replacement| {
        let names = step.any_of.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
        match step.kind {
            Some(kind) => format!("make {names} {}", kind.name()),
            None => format!("leave out {names}"),
        }
    };
    remedy.steps.iter().map(step).collect::<Vec<_>>().join(", then ")
}

fn text_of(found: &Diagnosis, redundant: usize, remedies: &[String]) -> String {
    let mut lines = Vec::new();
    match (found.mobility(), redundant) {
        (Some(freedoms), 0) => lines.push(format!("{freedoms} freedoms, no redundant row")),
        (Some(freedoms), n) => lines.push(format!("{freedoms} freedoms, {n} redundant rows")),
        (None, _) => lines.push("the joints cannot be closed".to_string()),
    }
    for group in &found.groups {
        let joints = group.joints.join(", ");
        lines.push(format!("{} redundant rows: {joints}", group.redundant_rows));
    }
    lines.extend(remedies.iter().map(|remedy| format!("remedy: {remedy}")));
    for open in &found.conflict {
        lines.push(format!("`{}` stays open by {:.3e} (m or rad)", open.joint, open.gap));
    }
    for duplicate in &found.duplicates {
        lines.push(format!("`{}` adds nothing to `{}`", duplicate.joint, duplicate.of));
    }
    lines.join("\n")
}
