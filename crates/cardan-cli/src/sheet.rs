//! `cardan report`: a scene on one page fit to hand in: drawing, counts, findings, plots, extremes with their times, and
//! the certificate of its run.

use crate::Failure;
use crate::args::{ReportArgs, RunArgs};
use crate::check;
use crate::extremes::ColumnExtremes;
use crate::load::LoadedScene;
use crate::output;
use crate::picture::drawing::draw;
use crate::picture::html::{escaped, page};
use crate::record::Recorder;
use crate::report::{Report, format_number};
use crate::run::{RunError, row_interval};
use crate::warnings;
use cardan_view::sketch;
use std::fmt::Write;
use std::time::Instant;

pub(crate) fn sheet(args: &ReportArgs) -> Result<(), Failure> {
    if !args.output.extension().is_some_and(|e| e.eq_ignore_ascii_case("html")) {
        return Err(output::unknown_ending(&args.output, ".html"));
    }
    let mut loaded = LoadedScene::new(&args.scene)?;
    let until = args.until.unwrap_or(loaded.scene.simulation.until());
    let dt = loaded.set_time_step(args.dt);
    loaded.refuse_endless([0.0, until], dt, "a longer --dt or an earlier --until")?;
    let failed = |error: cardan::WorldError| Failure::Run(format!("{}: {error}", loaded.name));
    let mut runner = loaded.runner(None)?;
    let interval = row_interval(&loaded, until, dt);
    let wanted = RunArgs::plotting(&args.columns, &args.output);
    let mut recorder = Recorder::new(&loaded, &wanted, interval, None)?;
    let clock = Instant::now();
    let nothing = vec![Vec::new(); loaded.all.probes().len()];
    let mut outcome = runner.assemble();
    let start = draw(&sketch(loaded.title(), &loaded.all, runner.sim().map_err(failed)?, &nothing));
    let unwritten = |error: RunError| match error {
        RunError::Step(error) => failed(error),
        RunError::Output(failure) => failure,
    };
    if outcome.is_ok() {
        recorder.record_row(&mut runner).map_err(unwritten)?;
    }
    while outcome.is_ok() && runner.has_next(until, dt) {
        outcome = runner.step_toward(until, dt);
        recorder.record_row(&mut runner).map_err(unwritten)?;
    }
    recorder.record_last_row(&mut runner).map_err(unwritten)?;
    let wall = clock.elapsed().as_secs_f64();
    let end = draw(&sketch(loaded.title(), &loaded.all, runner.sim().map_err(failed)?, &nothing));
    let totals = runner.totals();
    let status = crate::equilibrium::status(&outcome);
    let sim = runner.sim().map_err(failed)?;
    let mut notes = warnings::of_model(&loaded.model);
    notes.extend(warnings::of_run(sim));
    let mut report = Report::new(&loaded, sim, status, wall);
    report.warnings = notes;
    if let Some(totals) = totals {
        report.set_totals(totals);
    }

    let mut body = format!("<h1>{}</h1>\n", escaped(loaded.title()));
    if let Some(text) = &loaded.scene.description {
        let _ = writeln!(body, "<p>{}</p>", escaped(text.trim()));
    }
    let _ = writeln!(
        body,
        "<p>Scene <code>{}</code>; cardan {}.</p>",
        escaped(&loaded.name),
        env!("CARGO_PKG_VERSION")
    );
    section(&mut body, "Mechanism", &start);
    section(&mut body, "Examined", &preformatted(&check::examination(&loaded)?));
    let run = [report.head(), report.timing(dt, &loaded.settings), report.warning_lines(), report.failure()]
        .concat();
    section(&mut body, "Run", &preformatted(&run));
    if let Some(chart) = recorder.chart() {
        section(&mut body, "Plots", &chart.html_part("plots"));
    }
    section(&mut body, "Extremes", &extremes_table(&recorder.extremes()));
    let what = format!("At the end, t = {} s", format_number(report.instant.time()));
    section(&mut body, &what, &format!("{end}\n{}", preformatted(&report.tables())));
    section(&mut body, "Certificate", &preformatted(&report.certificate_text()));
    output::replace(&args.output, page(loaded.title(), &body).as_bytes())?;
    outcome.map_err(failed)
}

fn section(body: &mut String, head: &str, content: &str) {
    let _ = writeln!(body, "<h2>{}</h2>\n{content}", escaped(head));
}

fn preformatted(text: &str) -> String {
    format!("<pre>{}</pre>", escaped(text.trim_matches('\n')))
}

fn extremes_table(all: &[ColumnExtremes]) -> String {
    let mut text = String::from(
        "<table><tr><th>column</th><th>least</th><th>at [s]</th><th>greatest</th><th>at [s]</th><th>root mean square</th><th>last</th></tr>\n",
    );
    for c in all {
        let cells = [c.least, c.least_time, c.greatest, c.greatest_time, c.rms, c.last];
        let cells: String = cells.map(|x| format!("<td>{}</td>", format_number(x))).concat();
        let _ = writeln!(text, "<tr><td>{}</td>{cells}</tr>", escaped(&c.head()));
    }
    text + "</table>"
}
