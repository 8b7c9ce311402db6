//! The command line.

use cardan_scene::{Dimension, Quantity};
use clap::{Args as ClapArgs, Parser, Subcommand};
use std::path::PathBuf;

/// Simulates mechanisms exactly and hands back every reaction force.
#[derive(Debug, Parser)]
#[command(name = "cardan", version, about, arg_required_else_help = true)]
#[command(
    after_help = "Start with:\n  cardan list\n  cardan run double-pendulum\n  cardan draw double-pendulum -o \
                        picture.svg"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scene through time and report where it ends, with the run's certificate
    Run(RunArgs),
    /// Solve for accelerations and reactions at t = 0, without moving anything
    Solve(SolveArgs),
    /// Examine a scene: counts, freedoms, roles of joints, initial violations; which joints are redundant, contradict each
    /// other or lock by a misalignment, and what would help
    Check(CheckArgs),
    /// Draw the mechanism at one or more times
    Draw(DrawArgs),
    /// List the bundled scenes
    List(ListArgs),
    /// Write a scene of a family to standard output
    Generate(GenerateArgs),
    /// Measure the built-in workloads: operations, memory, times, growth with n, factor beside solve
    Bench(BenchArgs),
    /// Print the JSON Schema of the scene format
    Schema,
}

/// Which scene, and what to change in it.
#[derive(Debug, ClapArgs)]
pub(crate) struct SceneArgs {
    /// A scene file (TOML or JSON), the name of a bundled scene, or - for standard input
    pub(crate) scene: String,
    /// Change a value of the scene, such as bodies.rod.mass=2.0 (may be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// Let joints that close loops be made only so well, such as 1e-6: rows that repeat others but for that are dropped (0 to
    /// 1e-3; `cardan check` offers one where a misalignment locks a mechanism)
    #[arg(long, value_name = "X")]
    pub(crate) geometry_tolerance: Option<f64>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// End of the run: seconds, or with a unit ("5 min")
    #[arg(long, value_name = "T", value_parser = time, allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Time step: seconds, or with a unit ("0.5 ms"); for dopri5 the first one
    #[arg(long, value_name = "H", value_parser = positive_time, allow_negative_numbers = true)]
    pub(crate) dt: Option<f64>,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a table of the run (.csv)
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Plot the run over time (.svg or .png): energies and joint coordinates, or --columns
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// What to plot, such as joints.A.torque.z,probes.tip.x (a prefix takes all below it)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', requires = "plot")]
    pub(crate) columns: Vec<String>,
    /// No progress bar and no summary
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Print one JSON object instead of the report
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Times to draw at; several give a strip
    #[arg(long, value_name = "T,T,…", value_delimiter = ',', default_value = "0", value_parser = time, allow_negative_numbers = true)]
    pub(crate) at: Vec<f64>,
    /// Time step on the way; for dopri5 the first one
    #[arg(long, value_name = "H", value_parser = positive_time, allow_negative_numbers = true)]
    pub(crate) dt: Option<f64>,
    /// The picture to write (.svg or .png)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ListArgs {
    /// Print a JSON array instead of the table
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct GenerateArgs {
    /// chain, spherical-chain, star, comb, binary-tree, random-tree, humanoid, n-four-bar, closed-chain or net
    pub(crate) kind: String,
    /// Number of bodies; of loops in an n-four-bar, of columns and of rows in a net
    #[arg(long)]
    pub(crate) n: Option<usize>,
    /// Another seed gives other masses, places and speeds
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// Print a JSON array instead of the table
    #[arg(long)]
    pub(crate) json: bool,
    /// Only the workloads whose name contains this
    #[arg(long, value_name = "NAME")]
    pub(crate) filter: Option<String>,
}

/// A time of at least zero: a number of seconds, or a text with a unit.
fn time(text: &str) -> Result<f64, String> {
    let seconds = match text.trim().parse::<f64>() {
        Ok(seconds) => seconds,
        Err(_) => Quantity::parse(text, Some(Dimension::Time))
            .and_then(|quantity| quantity.expect(Dimension::Time))
            .map_err(|error| format!("{} ({})", error.message, error.help))?,
    };
    if !seconds.is_finite() {
        Err("a time must be a finite number of seconds".to_string())
    } else if seconds < 0.0 {
        Err("a time must not be negative".to_string())
    } else {
        Ok(seconds)
    }
}

fn positive_time(text: &str) -> Result<f64, String> {
    match time(text)? {
        0.0 => Err("the time step must be larger than zero".to_string()),
        seconds => Ok(seconds),
    }
}
