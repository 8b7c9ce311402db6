//! The `cardan` command: reads arguments, runs one of the commands, and ends with an exit code.
//!
//! | file | |
//! |---|---|
//! | `args.rs` | the command line and its help |
//! | `run.rs`, `solve.rs`, `check.rs`, `draw.rs`, `equilibrium.rs`, `modes.rs`, `reach.rs`, `jog.rs`, `compare.rs`, `sweep/`, `sheet.rs`, `list.rs`, `import.rs`, `export.rs`, `generate.rs` | a command each |
//! | `load.rs` | from a scene to a model that can run |
//! | `runner.rs`, `script.rs` | the run driver: one simulation, or a world with a script |
//! | `record.rs`, `table_file.rs`, `extremes.rs`, `steps.rs` | rows of a run: CSV that survives, plots, peaks; how many steps are too many |
//! | `report/` | the result of a run as JSON and as text |
//! | `diagnosis.rs`, `warnings.rs`, `trace.rs` | findings of `check`, warnings of all commands, `solve --trace` |
//! | `picture/` | drawings and charts as SVG and PNG |
//! | `view/` | `cardan view`: the page, its server, one self-contained file |
//! | `bench/` | `cardan bench`: the built-in workloads |
//! | `output.rs`, `tolerances.rs` | files and standard output; thresholds with their reasons |

mod accounts;
mod args;
mod bench;
mod check;
mod compare;
mod diagnosis;
mod draw;
mod equilibrium;
mod export;
mod extremes;
mod generate;
mod import;
mod jog;
mod list;
mod load;
mod modes;
mod output;
mod picture;
mod reach;
mod record;
mod report;
mod run;
mod runner;
mod saved_run;
mod script;
mod sheet;
mod solve;
mod steps;
mod sweep;
mod table_file;
mod tolerances;
mod trace;
mod view;
mod warnings;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

/// A run that fails, or a file that cannot be written.
const FAILED: u8 = 1;
/// Bad input: a scene, an option, a name.
const BAD_INPUT: u8 = 2;

/// What ends a command early.
pub(crate) enum Failure {
    /// The user's input; the text is complete, with its place.
    Input(String),
    /// The run, or the machine.
    Run(String),
    /// A failure that was already reported.
    Reported,
}

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Solve(args) => solve::solve(&args),
        Command::Check(args) => check::check(&args),
        Command::Draw(args) => draw::draw(&args),
        Command::View(args) => view::view(&args),
        Command::Equilibrium(args) => equilibrium::equilibrium(&args),
        Command::Modes(args) => modes::modes(&args),
        Command::Reach(args) => reach::reach(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Sweep(args) => sweep::sweep(&args),
        Command::Report(args) => sheet::sheet(&args),
        Command::Jog(args) => jog::jog(&args),
        Command::List(args) => list::list(&args),
        Command::Import(args) => import::import(&args),
        Command::Export(args) => export::export(&args),
        Command::Generate(args) => generate::generate(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Schema => list::schema(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Input(text)) => {
            eprintln!("{text}");
            ExitCode::from(BAD_INPUT)
        }
        Err(Failure::Run(text)) => {
            eprintln!("error: {text}");
            ExitCode::from(FAILED)
        }
        Err(Failure::Reported) => ExitCode::from(FAILED),
    }
}
