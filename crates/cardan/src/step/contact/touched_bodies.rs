//! Contacts of one mechanism, through the inverse inertia of the bodies that they touch.
//!
//! ```text
//! G = E M̂⁻¹ Eᵀ = B Bᵀ        E: the velocities of touched bodies; M̂⁻¹: inverse mass with joints and loops held
//! a = C Cᵀ λ + b,   C = J B   J: contact rows, on touched bodies
//! ```
//!
//! The joints are in the factor at hand, so that none of their rows is in the problem, and all contacts
//! of a body act through its six numbers: sixteen contacts on two feet have C of rank twelve
//! (`cardan_solve::complementarity::factored`), and C is not multiplied out where a body has more rows than numbers.
//! Where there are fewer rows than numbers in all, E is J itself.
//! In a forest the forces of E are propagated along the paths of the touched bodies, which gives B at once
//! (`cardan_solve::articulated::propagate`); with loops M̂⁻¹ Eᵀ takes a solve for each of its columns.

use crate::body::{BodyKind, MAX_DIM, Wrench};
use crate::math::{Six, Vec3};
use crate::model::Model;
use crate::step::Workspace;
use crate::step::articulated::ArticulatedSystem;
use crate::step::contact::delassus::constrained_response;
use crate::step::contact::many_contacts::SolveLevel;
use crate::step::contact::{ContactEntry, ContactRows};
use cardan_solve::Task;
use cardan_solve::articulated::ArticulatedForest;
use cardan_solve::articulated::f64x3::run_vectorized;
use cardan_solve::complementarity::{
    BodyRows, ComplementarityError, FactoredCones, FactoredOutcome, FactoredProblem, Group,
};
use cardan_solve::simd::lines::{LANES, add_scaled, dot};
use cardan_solve::simd::{F64x4, Simd};

/// A column of B is the last when what is left of every diagonal of G is below this part of it.
const LEAST_COLUMN: f64 = 1e-13;

/// Numbers of a body in space.
const SIX: usize = 6;

/// Marks a node that is on no path of a touched body.
const OFF_PATH: u32 = u32::MAX;

/// The problem of one mechanism, and its solver.
#[derive(Debug, Default)]
pub(crate) struct TouchedBodies {
    solver: FactoredCones,
    /// Touched bodies and the first of their rows of E, sorted by body.
    bodies: Vec<(u32, u32)>,
    /// M̂⁻¹ Eᵀ by columns or what is propagated of it, G, B, what is left of the diagonal of G, and one over it.
    columns: Vec<f64>,
    inertia: Vec<f64>,
    root: Vec<f64>,
    left: Vec<f64>,
    over: Vec<f64>,
    /// Of each node on the path of a touched body, the first of its columns of B; [`OFF_PATH`] of others.
    first_columns: Vec<u32>,
    /// Nodes on these paths: by how many touched bodies, and in which order they were met.
    path_nodes: Vec<(u32, u32, u32)>,
    /// Of groups on one body with many rows: its index in `blocks`, J, and rows of B. Rows of others are in `factor`.
    body_of_group: Vec<u32>,
    jacobian: Vec<[f64; SIX]>,
    blocks: Vec<(u32, u32)>,
    /// Of each touched body its rows in groups that act on it alone, and its index in `blocks`.
    single_rows: Vec<(u32, u32)>,
    /// C, b, groups and the guess of λ, of the rows in the problem.
    factor: Vec<f64>,
    bias: Vec<f64>,
    groups: Vec<Group>,
    guess: Vec<f64>,
}

/// The contacts of a mechanism, and the numbers of their rows.
pub(crate) struct MechanismContacts<'a> {
    pub(crate) level: SolveLevel,
    pub(crate) items: &'a [(u32, u32)],
    pub(crate) set: &'a [ContactEntry],
    pub(crate) rows: &'a ContactRows,
    pub(crate) bias: &'a [f64],
    /// λ of the last solve; empty if there is none.
    pub(crate) last: &'a [f64],
    pub(crate) span: f64,
}

impl MechanismContacts<'_> {
    /// Rows in the problem, in its order.
    fn each_row(&self) -> impl Iterator<Item = usize> + '_ {
        self.items.iter().flat_map(|&(_, i)| self.rows_of(i))
    }

    /// Rows of a contact in the problem.
    fn rows_of(&self, i: u32) -> core::ops::Range<usize> {
        let item = &self.set[i as usize];
        item.row..item.row + self.level.rows(item)
    }
}

impl TouchedBodies {
    /// Solves for λ and a of the rows of a mechanism. Uses the factor at hand, and overwrites F of the
    /// system.
    pub(crate) fn solve(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        contacts: &MechanismContacts,
        lambda: &mut [f64],
        acc: &mut [f64],
    ) -> Result<FactoredOutcome, ComplementarityError> {
        self.collect(model, contacts);
        let rank = self.write_factor(model, work, contacts);
        self.solver.tolerance = contacts.level.tolerance_of_mechanism();
        let body_rows = BodyRows {
            lines: &self.root,
            bodies: &self.blocks,
            of_group: &self.body_of_group,
            jacobian: &self.jacobian,
        };
        let problem =
            FactoredProblem { groups: &self.groups, factor: &self.factor, rank, bias: &self.bias, body_rows };
        let outcome = self.solver.solve(&problem, Some(&self.guess))?;
        let found = (self.solver.lambda(), self.solver.a());
        let mut at = 0;
        for &(_, i) in contacts.items {
            let range = contacts.rows_of(i);
            let own = at..at + range.len();
            at = own.end;
            lambda[range.clone()].copy_from_slice(&found.0[own.clone()]);
            acc[range].copy_from_slice(&found.1[own]);
        }
        Ok(outcome)
    }

    /// Collects touched bodies, groups, biases and the guess.
    fn collect(&mut self, model: &Model, contacts: &MechanismContacts) {
        let rows = contacts.rows;
        self.bodies.clear();
        self.bias.clear();
        self.guess.clear();
        self.groups.clear();
        for &(_, i) in contacts.items {
            let range = contacts.rows_of(i);
            // All rows of a contact act on the same bodies.
            self.bodies.extend(rows.blocks(&rows.rows[range.start]).iter().map(|block| (block.body, 0)));
            self.bias.extend_from_slice(&contacts.bias[range.clone()]);
            match contacts.last.get(range.clone()) {
                Some(last) => self.guess.extend_from_slice(last),
                None => self.guess.extend(range.map(|_| 0.0)),
            }
        }
        self.bodies.sort_unstable();
        self.bodies.dedup();
        let mut first = 0;
        for (body, at) in &mut self.bodies {
            *at = first;
            first += model.bodies[*body as usize].kind.dim() as u32;
        }
        for &(_, i) in contacts.items {
            let item = &contacts.set[i as usize];
            let mu = item.static_friction();
            self.groups.push(match contacts.level.rows(item) {
                _ if item.is_joint_friction() => {
                    Group::Bounded { lo: -contacts.span * mu, hi: contacts.span * mu }
                }
                1 => Group::OneSided,
                2 => Group::Wedge { mu },
                _ => Group::Cone { mu },
            });
        }
    }

    /// Writes C. Returns its number of columns, a multiple of [`LANES`].
    fn write_factor(&mut self, model: &Model, work: &mut Workspace, contacts: &MechanismContacts) -> usize {
        let numbers = self.bodies.iter().map(|(body, _)| model.bodies[*body as usize].kind.dim()).sum();
        let by_rows = self.bias.len() <= numbers;
        let size = if by_rows { self.bias.len() } else { numbers };
        let can_propagate = |articulated: &&ArticulatedSystem| articulated.forest.can_propagate();
        let width = match work.solvers.articulated.as_ref().filter(can_propagate) {
            Some(articulated) => self.propagate(model, articulated, contacts, (by_rows, size)),
            None => {
                self.inertia.resize(size * size, 0.0);
                self.solve_columns(model, work, contacts, by_rows, size);
                usize::MAX
            }
        };
        let rank = if width <= size { width } else { self.take_root(size) };
        let rank = rank.next_multiple_of(LANES);
        self.blocks.clear();
        self.body_of_group.clear();
        self.jacobian.clear();
        if by_rows {
            core::mem::swap(&mut self.factor, &mut self.root);
            self.factor.truncate(size * rank);
            return rank;
        }
        let own = self.divide_rows(model, contacts);
        self.factor.resize(own * rank, 0.0);
        if rank > 0 {
            run_vectorized(MultiplyRows { touched: self, model, contacts, rank });
        }
        rank
    }

    /// Groups on one body that has more such rows than numbers act through these. Returns the rows of others.
    fn divide_rows(&mut self, model: &Model, contacts: &MechanismContacts) -> usize {
        let TouchedBodies { bodies, single_rows, blocks, body_of_group, jacobian, .. } = self;
        let (set, rows) = (contacts.set, contacts.rows);
        let body_of = |item: &ContactEntry| {
            let [block] = rows.blocks(&rows.rows[item.row]) else { return None };
            bodies.binary_search_by_key(&block.body, |(body, _)| *body).ok()
        };
        single_rows.clear();
        single_rows.resize(bodies.len(), (0, BodyRows::NONE));
        // The body of each group first, then its index in `blocks`.
        for &(_, i) in contacts.items {
            let item = &set[i as usize];
            let body = body_of(item);
            if let Some(body) = body {
                single_rows[body].0 += contacts.level.rows(item) as u32;
            }
            body_of_group.push(body.map_or(BodyRows::NONE, |body| body as u32));
        }
        for (&(body, first), (count, block)) in bodies.iter().zip(&mut *single_rows) {
            let dim = model.bodies[body as usize].kind.dim();
            if *count as usize > SIX && dim <= SIX {
                *block = blocks.len() as u32;
                blocks.push((first, dim as u32));
            }
        }
        let mut own = 0;
        for (&(_, i), body) in contacts.items.iter().zip(body_of_group) {
            let item = &set[i as usize];
            let item_rows = contacts.level.rows(item);
            *body = single_rows.get(*body as usize).map_or(BodyRows::NONE, |(_, block)| *block);
            if *body == BodyRows::NONE {
                own += item_rows;
                continue;
            }
            for row in item.row..item.row + item_rows {
                let mut six = [0.0; SIX];
                for block in rows.blocks(&rows.rows[row]) {
                    six.iter_mut().zip(rows.jac(block)).for_each(|(out, j)| *out = *j);
                }
                jacobian.push(six);
            }
        }
        own
    }

    /// G by solves for the columns of M̂⁻¹ Eᵀ.
    fn solve_columns(
        &mut self,
        model: &Model,
        work: &mut Workspace,
        contacts: &MechanismContacts,
        by_rows: bool,
        size: usize,
    ) {
        let (rows, n) = (contacts.rows, model.v_len);
        self.columns.resize(size * n, 0.0);
        if by_rows {
            for (row, column) in contacts.each_row().zip(self.columns.chunks_exact_mut(n)) {
                let force = work.equations.system.force_mut();
                force.fill(0.0);
                rows.add_to(row, 1.0, force);
                constrained_response(model, work, column);
            }
            for (line, row) in self.inertia.chunks_exact_mut(size).zip(contacts.each_row()) {
                for (entry, column) in line.iter_mut().zip(self.columns.chunks_exact(n)) {
                    *entry = rows.dot(row, column);
                }
            }
        } else {
            for &(body, first) in &self.bodies {
                for (k, at) in model.bodies[body as usize].v_range().enumerate() {
                    let force = work.equations.system.force_mut();
                    force.fill(0.0);
                    force[at] = 1.0;
                    let column = &mut self.columns[(first as usize + k) * n..][..n];
                    constrained_response(model, work, column);
                }
            }
            for &(body, first) in &self.bodies {
                for (k, at) in model.bodies[body as usize].v_range().enumerate() {
                    let line = &mut self.inertia[(first as usize + k) * size..][..size];
                    for (entry, column) in line.iter_mut().zip(self.columns.chunks_exact(n)) {
                        *entry = column[at];
                    }
                }
            }
        }
    }

    /// B by propagation of the forces of E to the roots, or G if B has more columns than rows. Returns the
    /// number of columns of B.
    fn propagate(
        &mut self,
        model: &Model,
        articulated: &ArticulatedSystem,
        contacts: &MechanismContacts,
        (by_rows, size): (bool, usize),
    ) -> usize {
        let ArticulatedSystem { forest, body_nodes, node_of_body, .. } = articulated;
        let width = self.number_columns(forest, node_of_body);
        let stride = width.next_multiple_of(LANES);
        let TouchedBodies { columns, bodies, first_columns, inertia, .. } = self;
        columns.clear();
        columns.resize(size * stride, 0.0);
        if by_rows {
            for (line, row) in contacts.each_row().enumerate() {
                for block in contacts.rows.blocks(&contacts.rows.rows[row]) {
                    let dim = model.bodies[block.body as usize].kind.dim();
                    let at = node_of_body[block.body as usize] as usize;
                    let wrench = body_nodes[at].kind.as_wrench(&contacts.rows.jac(block)[..dim]);
                    let line = &mut columns[line * stride..][..width];
                    forest.propagate(at, Six::new(wrench.force, wrench.torque), |node, parts| {
                        let line = &mut line[first_columns[node] as usize..];
                        line.iter_mut().zip(parts).for_each(|(out, part)| *out += part);
                    });
                }
            }
        } else {
            for &(body, first) in &*bodies {
                let (kind, at) = (model.bodies[body as usize].kind, node_of_body[body as usize] as usize);
                let lines = &mut columns[first as usize * stride..][..kind.dim() * stride];
                run_vectorized(PropagateUnits { forest, at, kind, first_columns, lines, stride });
            }
        }
        if width <= size {
            core::mem::swap(columns, &mut self.root);
            return width;
        }
        inertia.resize(size * size, 0.0);
        run_vectorized(SquareRows { rows: columns, stride, out: inertia, size });
        width
    }

    /// Numbers the columns of B: those of every node on the path of a touched body, first those on one path alone, so
    /// that elimination from the first on leaves other paths alone. Returns how many there are.
    fn number_columns(&mut self, forest: &ArticulatedForest, node_of_body: &[u32]) -> usize {
        let TouchedBodies { bodies, first_columns, path_nodes, .. } = self;
        first_columns.clear();
        first_columns.resize(forest.len(), OFF_PATH);
        path_nodes.clear();
        for &(body, _) in &*bodies {
            let mut next = Some(node_of_body[body as usize] as usize);
            while let Some(at) = next {
                let met = &mut first_columns[at];
                if *met == OFF_PATH {
                    *met = path_nodes.len() as u32;
                    path_nodes.push((0, *met, at as u32));
                }
                path_nodes[*met as usize].0 += 1;
                next = forest.nodes()[at].parent();
            }
        }
        path_nodes.sort_unstable();
        let mut width = 0;
        for &(_, _, at) in &*path_nodes {
            first_columns[at as usize] = width as u32;
            width += forest.parts(at as usize);
        }
        width
    }

    /// B of G = B Bᵀ, row by row in `root`: Cholesky with pivots, the largest part that is left first.
    /// Returns the number of columns.
    fn take_root(&mut self, size: usize) -> usize {
        let TouchedBodies { inertia, root, left, over, .. } = self;
        // By columns at first.
        root.clear();
        left.clear();
        left.extend((0..size).map(|i| inertia[i * size + i]));
        over.clear();
        over.extend(left.iter().map(|own| if *own > 0.0 { 1.0 / own } else { 0.0 }));
        let mut rank = 0;
        while rank < size {
            // Numbers of different units are compared by the part that is left of each.
            let (mut best, mut most) = (0, left[0] * over[0]);
            for i in 1..size {
                let part = left[i] * over[i];
                if part > most {
                    (best, most) = (i, part);
                }
            }
            if most.is_nan() || most <= LEAST_COLUMN {
                break;
            }
            let pivot = left[best].sqrt();
            let start = root.len();
            // G is symmetric up to rounding.
            root.extend((0..size).map(|i| 0.5 * (inertia[i * size + best] + inertia[best * size + i])));
            let (before, column) = root.split_at_mut(start);
            for other in before.chunks_exact(size) {
                let part = other[best];
                column.iter_mut().zip(other).for_each(|(entry, other)| *entry -= other * part);
            }
            let scale = 1.0 / pivot;
            for (entry, left) in column.iter_mut().zip(&mut *left) {
                *entry *= scale;
                *left -= *entry * *entry;
            }
            column[best] = pivot;
            left[best] = 0.0;
            rank += 1;
        }
        inertia.clear();
        inertia.extend_from_slice(root);
        let stride = rank.next_multiple_of(LANES);
        root.resize(size * stride, 0.0);
        for (i, line) in root.chunks_exact_mut(stride.max(1)).enumerate() {
            let (own, rest) = line.split_at_mut(rank);
            own.iter_mut().enumerate().for_each(|(c, out)| *out = inertia[c * size + i]);
            rest.fill(0.0);
        }
        rank
    }
}

/// C = J B of rows of their own, compiled for the vector unit.
struct MultiplyRows<'a> {
    touched: &'a mut TouchedBodies,
    model: &'a Model,
    contacts: &'a MechanismContacts<'a>,
    rank: usize,
}

impl Task for MultiplyRows<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let MultiplyRows { touched, model, contacts, rank } = self;
        let TouchedBodies { factor, root, bodies, body_of_group, .. } = touched;
        let own = contacts.items.iter().zip(&*body_of_group).filter(|(_, body)| **body == BodyRows::NONE);
        let own_rows = own.flat_map(|(&(_, i), _)| contacts.rows_of(i));
        for (out, row) in factor.chunks_exact_mut(rank).zip(own_rows) {
            out.fill(0.0);
            for block in contacts.rows.blocks(&contacts.rows.rows[row]) {
                let Ok(body) = bodies.binary_search_by_key(&block.body, |(body, _)| *body) else {
                    continue;
                };
                let (body, first) = bodies[body];
                let dim = model.bodies[body as usize].kind.dim();
                let lines = root[first as usize * rank..].chunks_exact(rank);
                for (j, line) in contacts.rows.jac(block)[..dim].iter().zip(lines) {
                    if *j != 0.0 {
                        add_scaled(out, *j, line);
                    }
                }
            }
        }
    }
}

/// Propagation of the unit forces of a body, four at a time in lanes, compiled for the vector unit.
struct PropagateUnits<'a> {
    forest: &'a ArticulatedForest,
    at: usize,
    kind: BodyKind,
    first_columns: &'a [u32],
    /// B, a line for each number of the body.
    lines: &'a mut [f64],
    stride: usize,
}

impl Task for PropagateUnits<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let PropagateUnits { forest, at, kind, first_columns, lines, stride } = self;
        for (group, lines) in lines.chunks_mut(LANES * stride).enumerate() {
            let wrenches: [Wrench; LANES] = std::array::from_fn(|lane| {
                let mut unit = [0.0; MAX_DIM];
                unit.get_mut(group * LANES + lane).into_iter().for_each(|unit| *unit = 1.0);
                kind.as_wrench(&unit)
            });
            let gather = |of: fn(&Wrench) -> f64| F64x4::from_lanes(|lane| of(&wrenches[lane]));
            let force = Vec3::new(gather(|w| w.force.x), gather(|w| w.force.y), gather(|w| w.force.z));
            let torque = Vec3::new(gather(|w| w.torque.x), gather(|w| w.torque.y), gather(|w| w.torque.z));
            forest.propagate(at, Six::new(force, torque), |node, parts| {
                let first = first_columns[node] as usize;
                for (lane, line) in lines.chunks_exact_mut(stride).enumerate() {
                    let line = &mut line[first..];
                    line.iter_mut().zip(parts).for_each(|(out, part)| *out += part.lane(lane));
                }
            });
        }
    }
}

/// R Rᵀ of rows R, compiled for the vector unit.
struct SquareRows<'a> {
    rows: &'a [f64],
    stride: usize,
    out: &'a mut [f64],
    size: usize,
}

impl Task for SquareRows<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let SquareRows { rows, stride, out, size } = self;
        for i in 0..size {
            for j in 0..=i {
                let entry = dot(&rows[i * stride..][..stride], &rows[j * stride..][..stride]);
                (out[i * size + j], out[j * size + i]) = (entry, entry);
            }
        }
    }
}
