//! `cardan solve`: accelerations, multipliers and reactions at t = 0, without motion. With `--trace`, also by the Schur complement of
//! auxiliary rows.

use crate::Failure;
use crate::args::SolveArgs;
use crate::load::LoadedScene;
use crate::output::print;
use crate::report::{Report, worst as worst_of};
use crate::trace::{self, TraceJson};
use crate::warnings::{self, InitialPose};
use std::time::Instant;

pub(crate) fn solve(args: &SolveArgs) -> Result<(), Failure> {
    let loaded = LoadedScene::new(&args.scene)?;
    let mut sim = loaded.simulation()?;
    let mut warnings = warnings::of_model(&loaded.model);
    warnings.extend(InitialPose::of(&mut sim).open_joint_warnings());
    let clock = Instant::now();
    let outcome = sim.evaluate().map(|_| ());
    let wall = clock.elapsed().as_secs_f64();
    let status = match &outcome {
        Ok(_) => "completed".to_string(),
        Err(error) => format!("failed: {error}"),
    };
    let trace = match outcome {
        Ok(()) if args.trace => {
            Some(sim.diagnostics().trace().map_err(|e| Failure::Run(format!("{}: {e}", loaded.name)))?)
        }
        _ => None,
    };
    let mut report = Report::new(&loaded, &mut sim, status, wall);
    report.warnings = warnings;
    report.trace = trace.as_ref().map(|trace| TraceJson::new(&loaded.model, trace));
    let worst = |errors: &[f64]| worst_of(errors);
    report.is_run = false;
    report.certificate = cardan::Certificate {
        max_position_error: worst(report.instant.position_errors()),
        max_velocity_error: worst(report.instant.velocity_errors()),
        max_equation_residual: report.instant.equation_residual(),
        instants: 1,
        ..cardan::Certificate::default()
    };
    if args.json {
        print(&report.json())?;
    } else {
        print(&format!(
            "{}{}{}{}{}{}",
            report.head(),
            report.warning_lines(),
            report.failure(),
            report.tables(),
            report.solve_text(),
            trace.as_ref().map_or(String::new(), |trace| trace::text(&loaded.model, trace))
        ))?;
    }
    match outcome {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Run(format!("{}: {error}", loaded.name))),
    }
}
