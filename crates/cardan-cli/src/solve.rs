//! `cardan solve`: accelerations, multipliers and reactions at t = 0; nothing moves.

use crate::Failure;
use crate::args::SolveArgs;
use crate::load::Loaded;
use crate::output::print;
use crate::report::Report;
use std::time::Instant;

pub(crate) fn solve(args: &SolveArgs) -> Result<(), Failure> {
    let loaded = Loaded::new(&args.scene)?;
    let mut sim = loaded.start()?;
    let clock = Instant::now();
    let outcome = sim.evaluate().map(|now| {
        let worst =
            |errors: &[f64]| errors.iter().fold(0.0, |w: f64, e| if e.abs() > w { e.abs() } else { w });
        cardan::Certificate {
            max_position_error: worst(now.position_errors()),
            max_velocity_error: worst(now.velocity_errors()),
            max_equation_residual: now.equation_residual(),
        }
    });
    let wall = clock.elapsed().as_secs_f64();
    let status = match &outcome {
        Ok(_) => "completed".to_string(),
        Err(error) => format!("failed: {error}"),
    };
    let mut report = Report::new(&loaded, &mut sim, status, wall);
    if let Ok(certificate) = &outcome {
        report.certificate = *certificate;
    }
    if args.json {
        print(&report.json())?;
    } else {
        print(&format!("{}{}{}", report.head(), report.tables(), report.certificate_text()))?;
    }
    match outcome {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Run(format!("{}: {error}", loaded.name))),
    }
}
