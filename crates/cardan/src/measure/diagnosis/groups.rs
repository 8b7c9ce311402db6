//! Groups of joints that depend on each other.
//!
//! With a basis of null(Jᵀ) in reduced echelon form, each vector has a row of its own, where the
//! others are zero: the fundamental circuits of the independent rows. Two rows are in one group if
//! circuits connect them; the groups do not depend on the basis (they are the connected components
//! of the rows' matroid).

use crate::math::larger;
use crate::model::Model;
use cardan_solve::{Link, Rank, System};

/// An entry of a circuit below this part of its largest is rounding.
pub(super) const NEGLIGIBLE: f64 = 1e-7;
/// An entry of a circuit below this part of its largest is rounding, where combinations vanish only
/// to 1e-5: such a self-stress leaves as much in joints that are not part of it.
pub(super) const NEGLIGIBLE_LOOSELY: f64 = 1e-4;
/// A remainder below this, in rows of unit size, is rounding.
const VANISHED: f64 = 1e-8;

/// Vectors of null(Jᵀ) (self-stresses), as multipliers of rows divided by the sizes of their terms:
/// sorted rows and values.
#[derive(Clone, Debug, Default)]
pub(super) struct SelfStresses {
    pub(super) vectors: Vec<Vec<(usize, f64)>>,
    /// Size of the terms that formed each row.
    pub(super) formed: Vec<f64>,
    /// Entries up to this part of the largest are rounding.
    negligible: f64,
}

impl SelfStresses {
    /// The self-stresses of the last rank decision.
    pub(super) fn of(rank: &mut Rank, system: &System, negligible: f64) -> Self {
        let graph = system.graph();
        let mut formed = Vec::with_capacity(graph.rows());
        for link in graph.all_links() {
            for row in 0..graph.link_rows(link) {
                let size = system.formed(link, row);
                formed.push(if size > 0.0 { size } else { 1.0 });
            }
        }
        rank.refresh_circuits();
        let vector = |k: usize| {
            let mut entries: Vec<(usize, f64)> =
                rank.circuit(k).map(|(row, value)| (row, value * formed[row])).collect();
            entries.sort_unstable_by_key(|entry| entry.0);
            entries
        };
        SelfStresses { vectors: (0..rank.redundant()).map(vector).collect(), formed, negligible }
    }

    /// The largest |Jᵀ n|, relative to the largest entry of n, with rows of unit size.
    pub(super) fn misfit(&self, system: &System) -> f64 {
        let graph = system.graph();
        let mut worst = 0.0;
        let mut sum = vec![0.0; graph.unknowns()];
        for vector in &self.vectors {
            sum.fill(0.0);
            for &(at, value) in vector {
                let (link, row) = graph.link_of_row(at);
                for (end, block) in graph.ends(link).iter().enumerate() {
                    let Some(block) = *block else { continue };
                    let dim = graph.block_dim(block);
                    let entries = &system.jac(link, end)[row * dim..][..dim];
                    let units = &system.units()[graph.block_range(block)];
                    for ((sum, entry), unit) in
                        sum[graph.block_range(block)].iter_mut().zip(entries).zip(units)
                    {
                        *sum += value * entry * unit / self.formed[at];
                    }
                }
            }
            let left = sum.iter().fold(0.0, |w, s| larger(w, s.abs()));
            worst = larger(worst, left / largest(vector));
        }
        worst
    }
}

fn largest(vector: &[(usize, f64)]) -> f64 {
    vector.iter().fold(f64::MIN_POSITIVE, |w, entry| larger(w, entry.1.abs()))
}

/// Splits self-stresses into independent groups, each with its links.
pub(super) fn split(model: &Model, stresses: SelfStresses) -> Vec<(Vec<usize>, SelfStresses)> {
    let mut fine = Vec::new();
    // The circuits as found may connect groups that are separable; only these have to be reduced
    // together.
    for (_, part) in components(model, stresses) {
        fine.extend(components(model, reduced(part)));
    }
    fine.sort_by(|a, b| a.0.cmp(&b.0));
    fine
}

fn components(model: &Model, stresses: SelfStresses) -> Vec<(Vec<usize>, SelfStresses)> {
    let links = model.graph.links();
    let mut root: Vec<usize> = (0..links).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    let negligible = |vector: &[(usize, f64)]| {
        let least = stresses.negligible * largest(vector);
        let rows = vector.iter().filter(|entry| entry.1.abs() > least);
        let mut links: Vec<usize> = rows.map(|&(row, _)| model.graph.link_of_row(row).0.0 as usize).collect();
        links.dedup();
        links
    };
    let of: Vec<Vec<usize>> = stresses.vectors.iter().map(|vector| negligible(vector)).collect();
    let mut is_member = vec![false; links];
    for links in &of {
        for &link in links {
            is_member[link] = true;
            let (a, b) = (find(&mut root, links[0]), find(&mut root, link));
            // The lower index is the root, so that groups are in the order of their first joints.
            if a < b { root[b] = a } else { root[a] = b }
        }
    }
    let mut group_of = vec![usize::MAX; links];
    let mut groups: Vec<(Vec<usize>, SelfStresses)> = Vec::new();
    for link in (0..links).filter(|&link| is_member[link]) {
        let lead = find(&mut root, link);
        if group_of[lead] == usize::MAX {
            group_of[lead] = groups.len();
            groups.push((
                Vec::new(),
                SelfStresses {
                    vectors: Vec::new(),
                    formed: stresses.formed.clone(),
                    negligible: stresses.negligible,
                },
            ));
        }
        groups[group_of[lead]].0.push(link);
    }
    for (links, vector) in of.iter().zip(stresses.vectors) {
        if let Some(&link) = links.first() {
            groups[group_of[find(&mut root, link)]].1.vectors.push(vector);
        }
    }
    groups
}

/// The same space in reduced echelon form, pivoting on the largest entry.
fn reduced(stresses: SelfStresses) -> SelfStresses {
    let mut rows: Vec<usize> = stresses.vectors.iter().flatten().map(|entry| entry.0).collect();
    rows.sort_unstable();
    rows.dedup();
    let mut full: Vec<Vec<f64>> = Vec::new();
    for vector in &stresses.vectors {
        let mut out = vec![0.0; rows.len()];
        for &(row, value) in vector {
            if let Ok(at) = rows.binary_search(&row) {
                out[at] = value;
            }
        }
        full.push(out);
    }
    for k in 0..full.len() {
        let mut pivot = 0;
        for (at, value) in full[k].iter().enumerate() {
            if value.abs() > full[k][pivot].abs() {
                pivot = at;
            }
        }
        let unit = full[k][pivot];
        if unit == 0.0 {
            continue;
        }
        full[k].iter_mut().for_each(|value| *value /= unit);
        let own = full[k].clone();
        for (j, other) in full.iter_mut().enumerate() {
            let share = other[pivot];
            if j != k && share != 0.0 {
                other.iter_mut().zip(&own).for_each(|(to, from)| *to -= share * from);
                other[pivot] = 0.0;
            }
        }
    }
    let sparse = |vector: Vec<f64>| {
        let least = stresses.negligible * vector.iter().fold(0.0, |w, value| larger(w, value.abs()));
        rows.iter().copied().zip(vector).filter(|entry| entry.1.abs() > least).collect()
    };
    SelfStresses {
        vectors: full.into_iter().map(sparse).collect(),
        formed: stresses.formed,
        negligible: stresses.negligible,
    }
}

/// The rows of a link at unit size, over its blocks in the order of their numbers.
pub(super) fn rows_of(system: &System, link: Link) -> Vec<Vec<f64>> {
    let graph = system.graph();
    let mut ends: Vec<_> =
        graph.ends(link).iter().enumerate().filter_map(|(end, block)| block.map(|b| (b, end))).collect();
    ends.sort_unstable_by_key(|(block, end)| (block.0, *end));
    let row = |r: usize| {
        let formed = system.formed(link, r);
        let unit = if formed > 0.0 { formed } else { 1.0 };
        let part = |&(block, end): &(cardan_solve::Block, usize)| {
            let dim = graph.block_dim(block);
            let units = &system.units()[graph.block_range(block)];
            let entries = system.jac(link, end)[r * dim..][..dim].iter().zip(units);
            entries.map(move |(entry, column)| entry * column / unit)
        };
        ends.iter().flat_map(part).collect()
    };
    (0..graph.link_rows(link)).map(row).collect()
}

/// Rank of some short rows of about unit size, by elimination with the largest remainder first.
pub(super) fn rank(mut rows: Vec<Vec<f64>>) -> usize {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut rank = 0;
    while rank < rows.len() {
        let mut best = rank;
        for k in rank..rows.len() {
            if dot(&rows[k], &rows[k]) > dot(&rows[best], &rows[best]) {
                best = k;
            }
        }
        let size = dot(&rows[best], &rows[best]).sqrt();
        if size.is_nan() || size <= VANISHED {
            break;
        }
        rows.swap(rank, best);
        let unit: Vec<f64> = rows[rank].iter().map(|entry| entry / size).collect();
        for row in &mut rows[rank + 1..] {
            let along = dot(row, &unit);
            row.iter_mut().zip(&unit).for_each(|(to, from)| *to -= along * from);
        }
        rank += 1;
    }
    rank
}
