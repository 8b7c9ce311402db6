//! The command line.

use cardan_scene::{Dimension, ImportOptions, MeshUse, Quantity};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
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
    /// Examine a scene: mobility, rank, roles of joints, initial violations; joints that are redundant, contradict each
    /// other or lock by a misalignment, and remedies
    Check(CheckArgs),
    /// Draw the mechanism at one or more times
    Draw(DrawArgs),
    /// Open a window in the browser: watch, drag and measure a scene while it runs; without a scene, the gallery
    View(ViewArgs),
    /// Find the equilibrium near the scene's pose, its stability, and the reactions
    Equilibrium(EquilibriumArgs),
    /// Natural frequencies, damping and mode shapes about the equilibrium
    Modes(ModesArgs),
    /// Inverse kinematics: bring a point of a body, or a probe, to a position (and an orientation), with every joint closed
    Reach(ReachArgs),
    /// Run several scenes, or one with a value varied, and compare masses, work, losses and peaks in a table
    Compare(CompareArgs),
    /// Run a study: one scene with values varied, on all cores, into one table and one plot; what was killed goes on
    Sweep(SweepArgs),
    /// Run a scene and write one page to hand in (.html): drawings, findings, plots, extremes, certificate
    Report(ReportArgs),
    /// Move a probe up, down, left, right, nearer or farther, and print the joint coordinates
    Jog(JogArgs),
    /// List the bundled scenes
    List(ListArgs),
    /// Turn a robot file (URDF, SDF, MJCF) into a scene file, and say what was used, approximated and ignored
    Import(ImportArgs),
    /// Write a scene as a robot file (URDF with a file of loops, or MJCF), and say what the format cannot
    Export(ExportArgs),
    /// Write a scene of a family to standard output
    Generate(GenerateArgs),
    /// Measure the built-in workloads: operations, memory, times, growth with n, cost of factor and solve
    Bench(BenchArgs),
    /// Print the JSON Schema of the scene format
    Schema,
}

/// What to show.
#[derive(Debug, ClapArgs)]
pub(crate) struct ViewArgs {
    /// A scene file, a robot file or the name of a bundled scene; a file is followed when it is saved
    pub(crate) scene: Option<String>,
    /// Write one page with everything in it (.html) instead of opening a window
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The port to listen on, on this machine only; 0 for a free one
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Print the address and open no browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// Which scene, and what to change in it.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct SceneArgs {
    /// A scene file (TOML or JSON), a robot file (URDF, SDF, MJCF), the name of a bundled scene, or - for standard input
    pub(crate) scene: String,
    /// Change a value of the scene, such as bodies.rod.mass=2.0 (may be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// Tolerated misalignment of loop-closure joints, such as 1e-6: rows that repeat others within it are dropped (0 to
    /// 1e-3; `cardan check` proposes one where a misalignment locks a mechanism)
    #[arg(long, value_name = "X")]
    pub(crate) geometry_tolerance: Option<f64>,
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
}

/// How a robot file is read.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Robot files")]
pub(crate) struct RobotArgs {
    /// The root link is free instead of fixed to the ground
    #[arg(long)]
    pub(crate) floating: bool,
    /// The folder of a package, for package://NAME/… (may be repeated)
    #[arg(long = "package", value_name = "NAME=DIR", value_parser = package)]
    pub(crate) packages: Vec<(String, PathBuf)>,
    /// Read meshes outside the folder of the robot file and its packages, too
    #[arg(long)]
    pub(crate) allow_outside: bool,
    /// Accept inertias that no body has (they break the triangle rule)
    #[arg(long)]
    pub(crate) allow_unphysical_inertia: bool,
    /// What becomes of the meshes of collision shapes
    #[arg(long, value_name = "HOW", default_value = "hull")]
    pub(crate) meshes: MeshArg,
    /// Links of the robot collide with each other, except those that a joint connects
    #[arg(long)]
    pub(crate) self_collision: bool,
    /// The key frame of a MuJoCo model to start from, by name or number; otherwise it starts in the pose of the file
    #[arg(long, value_name = "NAME")]
    pub(crate) keyframe: Option<String>,
    /// Add a ground plane at this height, with friction: metres, or with a unit
    #[arg(long, value_name = "Z", value_parser = height, allow_hyphen_values = true)]
    pub(crate) floor: Option<f64>,
}

/// What becomes of meshes.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum MeshArg {
    /// Their convex hulls touch
    #[default]
    Hull,
    /// Their triangles touch
    Exact,
    /// They are not read
    Leave,
}

impl RobotArgs {
    pub(crate) fn options(&self) -> ImportOptions {
        ImportOptions {
            floating: self.floating,
            packages: self.packages.clone(),
            allow_outside: self.allow_outside,
            allow_unphysical_inertia: self.allow_unphysical_inertia,
            meshes: match self.meshes {
                MeshArg::Hull => MeshUse::Hull,
                MeshArg::Exact => MeshUse::Exact,
                MeshArg::Leave => MeshUse::Leave,
            },
            self_collision: self.self_collision,
            floor: self.floor,
            keyframe: self.keyframe.clone(),
            ..ImportOptions::default()
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ImportArgs {
    /// A robot file (URDF, SDF, MJCF), or the name of a bundled robot
    pub(crate) file: String,
    /// The scene to write (.toml); standard output unless given
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print what was used, approximated and ignored instead of the scene
    #[arg(long)]
    pub(crate) report: bool,
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// The robot file to write: .urdf, or .xml for MJCF
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Default, ClapArgs)]
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
    /// Write a table of the run (.csv): everything, or time and --columns
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Plot the run over time (.svg, .png, or .html with zoom and hover): energies, joint coordinates and forces of drives, or --columns
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// What to write, plot and report the extremes of, such as joints.A.torque.z,forces.stay,probes.tip.x (a prefix takes
    /// all below it)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// What runs to the right in the plot, such as joints.A.coordinates.0; time unless given
    #[arg(long, value_name = "COLUMN", requires = "plot")]
    pub(crate) x: Option<String>,
    /// Write the state at the end, for --from
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Write the state of --save this often, in seconds of the run, so that what is killed can go on
    #[arg(long, value_name = "EVERY", value_parser = positive_time, requires = "save")]
    pub(crate) checkpoint: Option<f64>,
    /// Go on with a run that was interrupted: from the state of --save, if there is one, with the rows of --out up to it
    #[arg(long, requires = "save", conflicts_with = "from")]
    pub(crate) resume: bool,
    /// Continue from a state that --save wrote, of the same scene. With steps of one size the result has the bits of a run
    /// without a break. Balances count from there
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Step independent mechanisms (islands) on this many threads; the bits do not depend on the number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// When certificate, energy and momentum are taken; overrides simulation.accounts of the scene. The motion does not
    /// depend on it; steps without accounts are faster
    #[arg(long, value_name = "WHEN")]
    pub(crate) accounts: Option<AccountsArg>,
    /// Run more than 1e8 steps, which are refused otherwise
    #[arg(long)]
    pub(crate) force: bool,
    /// No progress bar and no summary
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl RunArgs {
    /// A run that is plotted and reported, for `cardan report`.
    pub(crate) fn plotting(columns: &[String], plot: &std::path::Path) -> Self {
        RunArgs { columns: columns.to_vec(), plot: Some(plot.to_path_buf()), ..RunArgs::default() }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// End of the run: seconds, or with a unit ("5 min")
    #[arg(long, value_name = "T", value_parser = time, allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Time step: seconds, or with a unit ("0.5 ms"); for dopri5 the first one
    #[arg(long, value_name = "H", value_parser = positive_time, allow_negative_numbers = true)]
    pub(crate) dt: Option<f64>,
    /// What to plot and tabulate; energies, joint coordinates, drives, forces and reactions unless given
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// The page to write (.html)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// When the accounts of a run are taken.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum AccountsArg {
    /// After every step: the certificate covers the whole run (default)
    EveryStep,
    /// At the recorded instants (simulation.record)
    Recorded,
    /// At the end of the run
    End,
    /// No certificate; energy and balances of the end are measured for the report
    Off,
}

impl From<AccountsArg> for cardan::Accounts {
    fn from(arg: AccountsArg) -> Self {
        match arg {
            AccountsArg::EveryStep => cardan::Accounts::EveryStep,
            AccountsArg::Recorded => cardan::Accounts::Recorded,
            AccountsArg::End => cardan::Accounts::End,
            AccountsArg::Off => cardan::Accounts::Off,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub(crate) json: bool,
    /// Solve once more by the Schur complement of the auxiliary rows (Baraff 1996, §8.2): loops and constraints on several
    /// bodies apart from the tree. Show its six steps with their residuals
    #[arg(long)]
    pub(crate) trace: bool,
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
    /// Times to draw at; several give a strip. Past the end of the scene it runs on, with a warning
    #[arg(long, value_name = "T,T,…", value_delimiter = ',', default_value = "0", value_parser = time, allow_negative_numbers = true)]
    pub(crate) at: Vec<f64>,
    /// Time step on the way; for dopri5 the first one
    #[arg(long, value_name = "H", value_parser = positive_time, allow_negative_numbers = true)]
    pub(crate) dt: Option<f64>,
    /// Where from: front, back, left, right, top, bottom, iso, or AZIMUTH,ELEVATION in degrees (0 is the side of x); chosen
    /// by the mechanism unless given
    #[arg(long, value_name = "SIDE", value_parser = view_angles, allow_hyphen_values = true)]
    pub(crate) view: Option<[f64; 2]>,
    /// The picture to write (.svg or .png), or its data (.json)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EquilibriumArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// The nearest equilibrium of any kind, also an unstable one, instead of where it comes to rest when let go
    #[arg(long)]
    pub(crate) nearest: bool,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw the pose (.svg or .png)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write the state at rest, for `cardan run --from`
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ModesArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// At the scene's pose, which must be an equilibrium, instead of finding one first
    #[arg(long, conflicts_with = "nearest")]
    pub(crate) as_posed: bool,
    /// At the nearest equilibrium of any kind, also an unstable one
    #[arg(long)]
    pub(crate) nearest: bool,
    /// Print one JSON object instead of the table
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw a mode shape: both extremes and the mean (.svg or .png)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Which mode to draw, as the table numbers them
    #[arg(long, value_name = "K", default_value_t = 1, requires = "output")]
    pub(crate) mode: usize,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReachArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// The body to move
    #[arg(long, value_name = "NAME", required_unless_present = "probe", conflicts_with = "probe")]
    pub(crate) body: Option<String>,
    /// The probe to move, instead of a body and a point
    #[arg(long, value_name = "NAME", conflicts_with = "point")]
    pub(crate) probe: Option<String>,
    /// The point in the body's own frame: metres, or with units ("50 mm,0,0"); its origin unless given
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true)]
    pub(crate) point: Option<[f64; 3]>,
    /// Target position, in the world
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true, required_unless_present = "orientation")]
    pub(crate) target: Option<[f64; 3]>,
    /// Target orientation of the body: a quaternion
    #[arg(long, value_name = "W,X,Y,Z", value_parser = quaternion, allow_hyphen_values = true)]
    pub(crate) orientation: Option<[f64; 4]>,
    /// Measure motion in the mass metric (kinetic energy) instead of by lengths and angles: heavy bodies move less
    #[arg(long)]
    pub(crate) by_mass: bool,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw the pose (.svg or .png)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CompareArgs {
    /// Scenes and robots: files or names of bundled ones
    #[arg(required = true)]
    pub(crate) scenes: Vec<String>,
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
    /// A value to vary, such as bodies.rod.mass=1,2,4
    #[arg(long, value_name = "PATH=V,V,…")]
    pub(crate) vary: Option<String>,
    /// Change a value of every scene (may be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// End of the runs, instead of the scenes' own
    #[arg(long, value_name = "T", value_parser = time, allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Time step, instead of the scenes' own
    #[arg(long, value_name = "H", value_parser = positive_time, allow_negative_numbers = true)]
    pub(crate) dt: Option<f64>,
    /// Columns whose peaks and root mean squares are shown; forces and powers of drives unless given
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    /// Plot the columns over time, a curve for every run (.svg, .png or .html)
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Print a JSON array instead of the tables
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SweepArgs {
    /// A scene file (TOML or JSON), the name of a bundled scene, or - for standard input
    pub(crate) scene: String,
    /// A value to vary: PATH=FROM:TO:COUNT, ends included, or PATH=V,V,… (repeated: all combinations)
    #[arg(long, value_name = "PATH=VALUES", required_unless_present = "rows", conflicts_with = "rows")]
    pub(crate) vary: Vec<String>,
    /// Rows from a CSV file instead; its head has the paths
    #[arg(long, value_name = "FILE")]
    pub(crate) rows: Option<PathBuf>,
    /// Change a value of all rows (may be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// What to measure: last:COLUMN, peak:, max:, min:, rms:, or a column alone, which is its last value. Peaks of drives,
    /// forces and reactions unless given
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) measure: Vec<String>,
    /// End of the runs, instead of the scene's own
    #[arg(long, value_name = "T", value_parser = time, allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Time step, instead of the scene's own
    #[arg(long, value_name = "H", value_parser = positive_time, allow_negative_numbers = true)]
    pub(crate) dt: Option<f64>,
    /// Write one table of all rows (.csv). Until it is whole, finished rows are in FILE.part
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Plot the results against the first value that varies (.svg, .png or .html)
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Keep the log of finished rows in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Go on with the log of a study that was interrupted, instead of refusing to touch it
    #[arg(long)]
    pub(crate) resume: bool,
    /// Rows that run at the same time; as many as there are cores unless given. Results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print one JSON object instead of the table
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar and no table
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct JogArgs {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    /// The probe to move
    #[arg(long, value_name = "NAME")]
    pub(crate) probe: String,
    /// Moves, such as up,up,left,"nearer 5 cm"; from standard input, a line each, unless given
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) moves: Vec<String>,
    /// Length of a move that gives none: metres, or with a unit
    #[arg(long, value_name = "LENGTH", value_parser = length, default_value = "10 mm")]
    pub(crate) by: f64,
    /// Direction of `farther`, in the world; `left` is perpendicular to it and to gravity
    #[arg(long, value_name = "X,Y,Z", value_parser = place, allow_hyphen_values = true, default_value = "1,0,0")]
    pub(crate) ahead: [f64; 3],
    /// Joints whose coordinates are shown; all unless given
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) joints: Vec<String>,
    /// Print a JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
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
    /// Seed of the random masses, positions and velocities
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

/// A number in SI units, or a text with a unit of that dimension.
fn quantity(text: &str, dimension: Dimension) -> Result<f64, String> {
    let text = text.trim();
    text.parse::<f64>().or_else(|_| {
        Quantity::parse(text, Some(dimension))
            .and_then(|quantity| quantity.expect(dimension))
            .map_err(|error| format!("{} ({})", error.message, error.help))
    })
}

/// Two or three lengths between commas, each a number of metres or a text with a unit.
fn place(text: &str) -> Result<[f64; 3], String> {
    let all = text.split(',').map(|text| quantity(text, Dimension::Length));
    let all = all.collect::<Result<Vec<f64>, String>>()?;
    if !all.iter().all(|x| x.is_finite()) {
        return Err("a position must be finite".to_string());
    }
    match all[..] {
        [x, y] => Ok([x, y, 0.0]),
        [x, y, z] => Ok([x, y, z]),
        _ => Err(format!("a position has 3 coordinates (2 in the plane), not {}", all.len())),
    }
}

/// A side by its name, or azimuth and elevation in degrees.
fn view_angles(text: &str) -> Result<[f64; 2], String> {
    let named = match text.trim() {
        "front" => Some([-90.0, 0.0]),
        "back" => Some([90.0, 0.0]),
        "left" => Some([180.0, 0.0]),
        "right" => Some([0.0, 0.0]),
        "top" => Some([-90.0, 90.0]),
        "bottom" => Some([-90.0, -90.0]),
        // The three axes have the same length: sin of the elevation is 1/√3.
        "iso" => Some([-45.0, 35.264_389_682_754_654]),
        _ => None,
    };
    if let Some(angles) = named {
        return Ok(angles);
    }
    let angle = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    let angles: Option<Vec<f64>> = text.split(',').map(angle).collect();
    match angles.as_deref() {
        Some([azimuth, elevation]) if elevation.abs() <= 90.0 => Ok([*azimuth, *elevation]),
        _ => {
            Err("write front, back, left, right, top, bottom, iso, or two angles in degrees: -60,25"
                .to_string())
        }
    }
}

/// `NAME=DIR`.
fn package(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && !folder.is_empty() => {
            Ok((name.to_string(), PathBuf::from(folder)))
        }
        _ => Err("write NAME=DIR, for example --package my_robot=./my_robot".to_string()),
    }
}

/// A length of any sign.
fn height(text: &str) -> Result<f64, String> {
    let metres = quantity(text, Dimension::Length)?;
    if metres.is_finite() { Ok(metres) } else { Err("a height must be finite".to_string()) }
}

/// A length that is not zero or negative.
fn length(text: &str) -> Result<f64, String> {
    let metres = quantity(text, Dimension::Length)?;
    if metres.is_finite() && metres > 0.0 { Ok(metres) } else { Err("a length must be positive".to_string()) }
}

fn quaternion(text: &str) -> Result<[f64; 4], String> {
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| format!("`{text}` is not a number"));
    let all = text.split(',').map(number).collect::<Result<Vec<f64>, String>>()?;
    match all[..] {
        [w, x, y, z] if all.iter().all(|x| x.is_finite()) && all.iter().any(|&x| x != 0.0) => {
            Ok([w, x, y, z])
        }
        [_, _, _, _] => Err("a quaternion must be finite and not zero; no rotation is 1,0,0,0".to_string()),
        _ => Err(format!("a quaternion has 4 numbers w,x,y,z, not {}", all.len())),
    }
}

/// A time of at least zero: a number of seconds, or a text with a unit.
fn time(text: &str) -> Result<f64, String> {
    let seconds = quantity(text, Dimension::Time)?;
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
