//! What the measurements say together, below the table: what a factor costs beside a solve, how time grows along a
//! chain, what a dense solve costs.

use super::NAMES;
use super::measure::Measurement;
use std::fmt::Write;

/// From here to there the growth along a chain is fitted; beyond, times say more about caches than about the solver.
const FITTED: std::ops::RangeInclusive<usize> = 10..=10_000;

pub(super) fn summary(all: &[Measurement]) -> String {
    let mut text = linear(all);
    if let Some(slope) = slope(all, "chain") {
        let (from, to) = (FITTED.start(), FITTED.end());
        let _ = writeln!(text, "\nchain: the time of a solve grows as n^{slope:.3} from n = {from} to {to}");
    }
    if let Some(times) = dense_over_tree(all) {
        let _ = writeln!(text, "figure-3: a dense solve takes {times:.0} times as long as the tree's");
    }
    for m in all.iter().filter(|m| m.what == "step" && m.n <= 100) {
        let (usual, most) = (m.steps_per_second(m.ns_per_body), m.steps_per_second(m.ns_per_body_min));
        let _ = writeln!(text, "{}, n = {}: {usual:.0} steps a second, at best {most:.0}", m.workload, m.n);
    }
    for m in all {
        if let Some(split) = &m.split {
            text.push_str(&split.table(&m.workload, m.ns_per_body_min * m.n as f64));
        }
    }
    text.push_str(&auxiliary(all).unwrap_or_default());
    text
}

/// Cost of twelve auxiliary rows instead of as many primary ones (Baraff 1996, §9).
fn auxiliary(all: &[Measurement]) -> Option<String> {
    let linear = |workload: &str| Some(solves(all, workload).next()?.linear.as_ref()?.least / 1e3);
    let (primary, apart, loops) = (linear("rings-open")?, linear("rings-auxiliary")?, linear("rings")?);
    Some(format!(
        "rings: the linear solve takes at least {primary:.1} µs with 108 primary rows, {apart:.1} µs with 96 and 12 auxiliary ones, and \
         {loops:.1} µs\nwith the same 12 as loops of the articulated path\n"
    ))
}

/// The elimination alone: factor and solve, and a further solve.
fn linear(all: &[Measurement]) -> String {
    let mut text = format!(
        "\n{:NAMES$} {:>6} {:>20} {:>20} {:>14}\n{:NAMES$} {:>6} {:>20} {:>20} {:>14}\n",
        "linear solve alone",
        "n",
        "factor, solve [ns]",
        "further solve [ns]",
        "factor / solve",
        "",
        "",
        "per body",
        "per body",
        "least times"
    );
    for m in all {
        let Some(linear) = &m.linear else { continue };
        let _ = writeln!(
            text,
            "{:NAMES$} {:>6} {:>20.1} {:>20.1} {:>14.2}",
            m.workload, m.n, linear.both, linear.further, linear.factor_over_solve
        );
    }
    text
}

fn solves<'a>(all: &'a [Measurement], workload: &'a str) -> impl Iterator<Item = &'a Measurement> {
    all.iter().filter(move |m| m.workload == workload && m.what == "solve")
}

/// Slope of ln(time) over ln(n) by least squares: 1 is linear time.
fn slope(all: &[Measurement], workload: &str) -> Option<f64> {
    let sizes = solves(all, workload).filter(|m| FITTED.contains(&m.n));
    let points = sizes.map(|m| ((m.n as f64).ln(), (m.ns_per_body_min * m.n as f64).ln()));
    let points: Vec<(f64, f64)> = points.collect();
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / count, y + p.1 / count));
    let spread: f64 = points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    let along: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    (spread > 0.0).then(|| along / spread)
}

fn dense_over_tree(all: &[Measurement]) -> Option<f64> {
    let least = |workload: &str| Some(solves(all, workload).next()?.ns_per_body_min);
    Some(least("figure-3-dense")? / least("figure-3")?)
}

#[cfg(test)]
mod tests {
    use super::{Measurement, slope};

    #[test]
    fn the_slope_of_a_power_is_its_exponent() {
        let solve = |n: usize| Measurement {
            workload: "chain".into(),
            n,
            what: "solve",
            ns_per_body: 0.0,
            ns_per_body_min: 150.0 * (n as f64).powf(0.25),
            bytes_per_body: 0.0,
            operations: 0.0,
            samples: 1,
            linear: None,
            split: None,
        };
        // The last is beyond the fit.
        let all = [10, 100, 1000, 10_000, 100_000]
            .map(|n| if n > 10_000 { Measurement { n, ..solve(1) } } else { solve(n) });
        assert!((slope(&all, "chain").unwrap() - 1.25).abs() < 1e-12);
        assert_eq!(slope(&all[..1], "chain"), None, "one point has no slope");
        assert_eq!(slope(&all, "star"), None);
    }
}
