//! `cardan bench`: the built-in workloads, measured.
//!
//! Counts come first, because they do not depend on the machine: operations of one elimination and bytes held, per body.
//! Times are medians and minima over many short samples; what is timed allocates nothing and cycles through different
//! states of the mechanism, so that branch prediction and caches do not adapt to one state.

mod batch;
mod contacts;
mod islands;
mod measure;
mod rings;
mod split;
mod summary;
mod workload;

use crate::Failure;
use crate::args::BenchArgs;
use crate::output::print;
use cardan_scene::nearest;
use measure::{Measurement, measure};
use std::fmt::Write;
use workload::{WORKLOADS, Workload};

pub(crate) fn bench(args: &BenchArgs) -> Result<(), Failure> {
    let filter = args.filter.as_deref().unwrap_or("");
    let chosen: Vec<&Workload> = WORKLOADS.iter().filter(|w| w.name.contains(filter)).collect();
    let others = others().any(|name| name.contains(filter));
    if chosen.is_empty() && !others {
        return Err(unknown(filter));
    }
    let mut all = Vec::new();
    if !args.json && !chosen.is_empty() {
        print(&head())?;
    }
    for workload in chosen {
        for measurement in measure(workload)? {
            if !args.json {
                print(&line(&measurement))?;
            }
            all.push(measurement);
        }
    }
    let contact_rows = contacts::measure(filter)?;
    let island_rows = islands::measure(filter)?;
    let batch_rows = batch::measure(filter)?;
    if args.json {
        let rows = all.iter().map(serde_json::to_value).chain(contact_rows.iter().map(serde_json::to_value));
        let rows = rows.chain(island_rows.iter().map(serde_json::to_value));
        let rows = rows.chain(batch_rows.iter().map(serde_json::to_value));
        let rows: Vec<serde_json::Value> = rows.flatten().collect();
        print(&format!("{}\n", serde_json::to_string(&rows).unwrap_or_default()))?;
    } else {
        if !all.is_empty() {
            print(&summary::summary(&all))?;
        }
        print(&contacts::table(&contact_rows))?;
        print(&islands::table(&island_rows))?;
        print(&batch::table(&batch_rows))?;
    }
    Ok(())
}

/// Those that are measured in ways of their own.
fn others() -> impl Iterator<Item = &'static str> {
    contacts::names().chain(islands::names()).chain(batch::names())
}

fn unknown(filter: &str) -> Failure {
    let mut names: Vec<&str> = WORKLOADS.iter().map(|w| w.name).collect();
    names.dedup();
    names.extend(others());
    let help = match nearest(filter, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known workloads: {}", names.join(", ")),
    };
    Failure::Input(format!("error: no workload has `{filter}` in its name\n{help}"))
}

/// Width of the column of names.
const NAMES: usize = 36;

fn head() -> String {
    format!(
        "{:NAMES$} {:>6}  {:5} {:>12} {:>8} {:>12} {:>12} {:>8}\n{:NAMES$} {:>6}  {:5} {:>12} {:>8} {:>12} {:>12}\n",
        "workload",
        "n",
        "what",
        "operations",
        "bytes",
        "median [ns]",
        "least [ns]",
        "samples",
        "",
        "",
        "",
        "per body",
        "per body",
        "per body",
        "per body"
    )
}

fn line(m: &Measurement) -> String {
    let mut text = String::new();
    let operations = if m.operations > 0.0 { format!("{:.1}", m.operations) } else { "–".to_string() };
    let _ = writeln!(
        text,
        "{:NAMES$} {:>6}  {:5} {:>12} {:>8.0} {:>12.1} {:>12.1} {:>8}",
        m.workload, m.n, m.what, operations, m.bytes_per_body, m.ns_per_body, m.ns_per_body_min, m.samples
    );
    text
}
