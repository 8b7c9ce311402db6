//! Factorisation, front by front: the accepted rows, and the masses reduced by them.

use std::sync::Arc;

use super::{FrontFactor, Sparse, SparseFactor};
use crate::dropped::Dropped;
use crate::error::{FactorError, SystemEntry};
use crate::fronts::Fronts;
use crate::graph::{NONE, index_u32, packed_len};
use crate::kernel::{cholesky, dot, forward};
use crate::lane::Lane;
use crate::rank::{AcceptedRows, reserve};
use crate::system::System;
use crate::tolerances::{LEAST_PIVOT, LOST_PIVOT, ROUNDING_OF_GEOMETRY};

impl Sparse<f64> {
    /// Decides the rank and factors M, J and E of `system`.
    ///
    /// # Errors
    /// When a mass is not positive definite or a number is not finite; until the next success,
    /// [`solve`](Sparse::solve) then returns NaN.
    pub fn factor(&mut self, system: &System) -> Result<(), FactorError> {
        self.factor_without_circuits(system)?;
        self.name_dropped();
        Ok(())
    }

    /// Factors `system` without the rows that are `idle`, one entry per row: their λ is zero. The others
    /// should be independent; only those that depend on others to 1e-12 are dropped too.
    ///
    /// # Errors
    /// As [`factor`](Sparse::factor).
    ///
    /// # Panics
    /// If there is not one entry per row.
    pub fn factor_without(&mut self, system: &System, idle: &[bool]) -> Result<(), FactorError> {
        self.run(system, Some(idle), LOST_PIVOT)?;
        if self.rank.redundant() > 0 {
            self.name_dropped();
        }
        Ok(())
    }

    /// Decides which rows are named for redundant combinations: those with remainders up to `rounding`. Their
    /// entry of `idle` becomes true, that of the others false. Nothing is factored.
    ///
    /// # Errors
    /// When a number of a row is not finite.
    pub fn decide(&mut self, system: &System, rounding: f64, idle: &mut [bool]) -> Result<(), FactorError> {
        self.ready = false;
        self.rank.decide_within(system, rounding)?;
        self.rank.write_dropped(idle);
        Ok(())
    }

    /// Chooses a row for each redundant combination, unless earlier choices fit.
    fn name_dropped(&mut self) {
        if !self.rank.has_names() {
            self.rank.refresh_circuits();
        }
        self.list_dropped();
    }

    /// Writes the list of dropped rows from the present choice.
    pub(super) fn list_dropped(&mut self) {
        self.dropped.clear();
        for k in 0..self.rank.redundant() {
            let (link, row) = self.rank.dropped_row(k);
            self.dropped.push(Dropped { link, row, leftover: 0.0, formed: 0.0 });
        }
    }
}

impl<T: Lane> Sparse<T> {
    /// Factors without choosing rows for redundant combinations; the list of dropped rows is empty.
    ///
    /// # Errors
    /// As [`factor`](Sparse::factor).
    pub fn factor_without_circuits(&mut self, system: &System<T>) -> Result<(), FactorError> {
        self.run(system, None, ROUNDING_OF_GEOMETRY)
    }

    fn run(&mut self, system: &System<T>, idle: Option<&[bool]>, rounding: f64) -> Result<(), FactorError> {
        self.ready = false;
        self.dropped.clear();
        if !Arc::ptr_eq(&self.graph, system.graph()) && self.graph != *system.graph() {
            return Err(FactorError::OtherGraph);
        }
        if let Some(link) = system.graph().first_with_force_columns() {
            return Err(FactorError::OwnForceColumns { link });
        }
        let Sparse { rank, factor, .. } = self;
        check_masses(system, &mut factor.mass)?;
        factor.parts.clear();
        factor.values.clear();
        factor.ids.clear();
        factor.waiting.clear();
        factor.units.copy_from_slice(system.units());
        let fronts = Arc::clone(&rank.fronts);
        rank.run(system, idle, rounding, |at, accepted| factor.eliminate(&fronts, system, at, accepted))?;
        if !factor.is_roomy {
            // The first time, memory for poses that delay more columns than this one.
            factor.is_roomy = true;
            let widths = fronts.fronts.iter().map(|front| (front.dim + front.border_dim) as usize + 12);
            let least = widths.max().unwrap_or(0);
            for values in
                [&mut factor.values, &mut factor.waiting, &mut factor.mass_of_front, &mut factor.product]
            {
                reserve(values, least * least);
            }
            reserve(&mut factor.ids, self.graph.unknowns() + least);
            reserve(&mut factor.place, 4 * least);
            reserve(&mut self.y, least);
            reserve(&mut self.own, least);
            reserve(&mut self.force_2, self.graph.unknowns() + least);
        }
        self.ready = true;
        Ok(())
    }
}

impl<T: Lane> SparseFactor<T> {
    /// Eliminates one front: x₁ with the accepted rows, then x₂; pushes the border's mass on the stack.
    fn eliminate(
        &mut self,
        fronts: &Fronts,
        system: &System<T>,
        at: usize,
        accepted: &AcceptedRows<'_, T>,
    ) -> Result<(), FactorError> {
        let n = accepted.width;
        let rank = accepted.part.rank as usize;
        let own = (accepted.part.columns - accepted.part.delayed) as usize;
        let before = self.parts.last().copied().unwrap_or_default();
        let start = self.values.len();
        self.parts.push(FrontFactor {
            values: start,
            ids: self.ids.len(),
            first: before.first + before.rank as usize,
            second: before.second + before.free as usize,
            rank: index_u32(rank),
            free: index_u32(own - rank),
            border: index_u32(n - own),
        });
        self.ids.extend(accepted.order.iter().map(|&column| accepted.ids[column as usize]));
        self.gather_mass(fronts, system, at, accepted);
        self.eliminate_rows(accepted);
        // Each mass is positive by itself, so rows are the cause; the last one that was added is named.
        let error =
            match (fronts.links[..fronts.fronts[at].links.end as usize].last(), fronts.fronts[at].block) {
                (Some(&link), _) => FactorError::Vanished { link, row: 0 },
                (None, Some(block)) => FactorError::NotPositive { block },
                (None, None) => FactorError::OtherGraph,
            };
        self.eliminate_free(rank..own, n).map_err(|()| error)?;
        if self.values[start..].iter().any(|value| !value.magnitude().is_finite()) {
            return Err(match fronts.fronts[at].block {
                Some(block) => FactorError::NotFinite { place: SystemEntry::Mass(block) },
                None => error,
            });
        }
        Ok(())
    }

    /// D of the front: the block's mass, those of its compliant rows, and what the children added. Lower
    /// triangle.
    fn gather_mass(
        &mut self,
        fronts: &Fronts,
        system: &System<T>,
        at: usize,
        accepted: &AcceptedRows<'_, T>,
    ) {
        let SparseFactor { waiting, mass_of_front: d, place, parts, .. } = self;
        let (n, columns) = (accepted.width, accepted.part.columns as usize);
        let front = &fronts.fronts[at];
        let (dim, border) = (front.dim as usize, front.border_dim as usize);
        // Own columns that are eliminated, then the border, then own columns that are delayed.
        let own = columns - accepted.part.delayed as usize;
        d.clear();
        d.resize(n * n, T::ZERO);
        place.clear();
        place.resize(columns, 0);
        for (to, &column) in accepted.order.iter().enumerate() {
            place[column as usize] = index_u32(if to < own { to } else { to + border });
        }
        let mut add = |i: u32, j: u32, value: T| {
            let (low, high) = if i < j { (i, j) } else { (j, i) };
            d[high as usize * n + low as usize] += value;
        };
        if let Some(block) = front.block {
            let mass = system.mass(block);
            let units = &system.units()[system.graph().block_range(block)];
            for i in 0..dim {
                for j in 0..=i {
                    add(place[i], place[j], mass[packed_len(i) + j] * T::splat(units[i] * units[j]));
                }
            }
        }
        let unknowns = system.graph().unknowns();
        let late = |child: usize| (parts[child].border - fronts.fronts[child].border_dim) as usize;
        let mut delayed = columns - fronts.children(at).map(late).sum::<usize>();
        for column in dim..delayed {
            let (link, row) = system.graph().link_of_row(accepted.ids[column] as usize - unknowns);
            let formed = system.formed(link, row);
            let formed = T::splat(if formed == 0.0 { 1.0 } else { formed });
            add(place[column], place[column], formed * (formed / system.compliance(link)[row]));
        }
        // The children's masses are on top of the stack, the first child's lowest.
        let size = |child: usize| packed_len(parts[child].border as usize);
        let base = waiting.len() - fronts.children(at).map(size).sum::<usize>();
        let mut from = base;
        for child in fronts.children(at) {
            let (width, border) = (parts[child].border as usize, fronts.fronts[child].border_dim as usize);
            place.truncate(columns);
            for (k, bordering) in fronts.border_of(child).iter().enumerate() {
                let end = fronts.border_of(child).get(k + 1).map_or(border, |next| next.column as usize);
                for column in 0..end - bordering.column as usize {
                    place.push(match bordering.in_parent {
                        NONE => place[column],
                        start => index_u32(own + start as usize + column),
                    });
                }
            }
            for _ in border..width {
                place.push(place[delayed]);
                delayed += 1;
            }
            for i in 0..width {
                for j in 0..=i {
                    add(place[columns + i], place[columns + j], waiting[from]);
                    from += 1;
                }
            }
        }
        waiting.truncate(base);
    }

    /// R₁, Wᵀ, K and D_11 to `values`; D_yy −= K W + Wᵀ D_1y.
    fn eliminate_rows(&mut self, accepted: &AcceptedRows<'_, T>) {
        let SparseFactor { values, mass_of_front: d, product, .. } = self;
        let (n, rank) = (accepted.width, accepted.part.rank as usize);
        if rank == 0 {
            return;
        }
        for row in 0..rank {
            let row_of_r = &accepted.rows[row * n..];
            values.push(T::ONE / row_of_r[row]);
            values.extend_from_slice(&row_of_r[row + 1..rank]);
        }
        let start = values.len();
        for column in rank..n {
            let w = values.len();
            values.extend((0..rank).map(|row| accepted.rows[row * n + column]));
            let (r, w) = values.split_at_mut(w);
            solve_r(&r[start - packed_len(rank)..], w);
        }
        // D_11 as a full square.
        product.clear();
        for i in 0..rank {
            for j in 0..rank {
                product.push(if j <= i { d[i * n + j] } else { d[j * n + i] });
            }
        }
        let k_at = values.len();
        for (k, i) in (rank..n).enumerate() {
            let w = start + k * rank;
            for a in 0..rank {
                let entry = d[i * n + a] - dot(&product[a * rank..][..rank], &values[w..w + rank]);
                values.push(entry);
            }
        }
        for i in rank..n {
            let (k_i, w_i) = (k_at + (i - rank) * rank, start + (i - rank) * rank);
            for j in rank..=i {
                let w_j = start + (j - rank) * rank;
                let change = dot(&values[k_i..k_i + rank], &values[w_j..w_j + rank])
                    + dot(&values[w_i..w_i + rank], &d[j * n..j * n + rank]);
                d[i * n + j] -= change;
            }
        }
        values.extend_from_slice(product);
    }

    /// T and Yᵀ to `values`, D_oo − YᵀY to the stack.
    fn eliminate_free(&mut self, own: std::ops::Range<usize>, n: usize) -> Result<(), ()> {
        let SparseFactor { values, mass_of_front: d, waiting, .. } = self;
        let (from, free) = (own.start, own.len());
        let t_at = values.len();
        for i in own.clone() {
            values.extend_from_slice(&d[i * n + from..=i * n + i]);
        }
        cholesky(&mut values[t_at..], free, LEAST_PIVOT).map_err(|_| ())?;
        let y_at = values.len();
        for i in own.end..n {
            let y = values.len();
            values.extend_from_slice(&d[i * n + from..i * n + own.end]);
            let (t, y) = values.split_at_mut(y);
            forward(&t[t_at..], y);
        }
        for i in own.end..n {
            let y_i = y_at + (i - own.end) * free;
            for j in own.end..=i {
                let y_j = y_at + (j - own.end) * free;
                waiting.push(d[i * n + j] - dot(&values[y_i..y_i + free], &values[y_j..y_j + free]));
            }
        }
        Ok(())
    }
}

/// v ← R₁⁻¹ v; R₁ packed row by row from the diagonal on, with reciprocals on the diagonal.
pub(super) fn solve_r<T: Lane>(r: &[T], v: &mut [T]) {
    let rank = v.len();
    let mut end = packed_len(rank);
    for row in (0..rank).rev() {
        let start = end - (rank - row);
        let rest = dot(&r[start + 1..end], &v[row + 1..]);
        v[row] = (v[row] - rest) * r[start];
        end = start;
    }
}

/// v ← R₁⁻ᵀ v.
pub(super) fn solve_r_transposed<T: Lane>(r: &[T], v: &mut [T]) {
    let rank = v.len();
    let mut start = 0;
    for row in 0..rank {
        let len = rank - row;
        v[row] *= r[start];
        let solved = v[row];
        crate::kernel::subtract_scaled(&mut v[row + 1..], solved, &r[start + 1..start + len]);
        start += len;
    }
}

/// Checks that each mass has a Cholesky factor by itself.
fn check_masses<T: Lane>(system: &System<T>, factor: &mut Vec<T>) -> Result<(), FactorError> {
    let graph = &**system.graph();
    for block in graph.all_blocks() {
        let mass = system.mass(block);
        if mass.iter().any(|entry| !entry.magnitude().is_finite()) {
            return Err(FactorError::NotFinite { place: SystemEntry::Mass(block) });
        }
        factor.clear();
        factor.extend_from_slice(mass);
        cholesky(factor, graph.block_dim(block), LEAST_PIVOT)
            .map_err(|_| FactorError::NotPositive { block })?;
    }
    Ok(())
}
