//! Dynamics of the spanning tree: H(q) q̈ + b(q, q̇) = τ.
//!
//! | what | algorithm | cost |
//! |---|---|---|
//! | τ from q̈ | recursive Newton–Euler | n |
//! | b, gravity | the same with q̈ = 0, and at rest | n |
//! | H | composite rigid bodies | n × depth |
//! | q̈ from τ | articulated bodies | n |
//!
//! Featherstone, Rigid Body Dynamics Algorithms (2008), chapters 5–7; here in world axes at centres
//! of mass.

use super::CommandError;
use super::tree::{JointSpace, Pair, TreeNode, ZERO, add, dot, scaled};
use crate::math::{Vec3, vec3};
use crate::simulation::commands::check_length;

/// A 6 × 6 matrix, by rows: linear, then angular.
type Matrix6 = [[f64; 6]; 6];

fn flat(a: Pair) -> [f64; 6] {
    [a.0.x, a.0.y, a.0.z, a.1.x, a.1.y, a.1.z]
}
fn pair(a: [f64; 6]) -> Pair {
    (vec3(a[0], a[1], a[2]), vec3(a[3], a[4], a[5]))
}
fn times(m: &Matrix6, a: Pair) -> Pair {
    let a = flat(a);
    pair(core::array::from_fn(|r| (0..6).fold(0.0, |sum, k| sum + m[r][k] * a[k])))
}

/// M of a body.
fn inertia_of(node: &TreeNode) -> Matrix6 {
    let mut m = [[0.0; 6]; 6];
    for k in 0..6 {
        let mut unit = [0.0; 6];
        unit[k] = 1.0;
        let column = flat(node.momentum(pair(unit)));
        (0..6).for_each(|r| m[r][k] = column[r]);
    }
    m
}

/// Adds Xᵀ M X to `out`.
fn add_carried(node: &TreeNode, m: &Matrix6, out: &mut Matrix6) {
    for k in 0..6 {
        let mut unit = [0.0; 6];
        unit[k] = 1.0;
        let column = flat(node.carried_back(times(m, node.carried(pair(unit)))));
        (0..6).for_each(|r| out[r][k] += column[r]);
    }
}

impl JointSpace {
    /// Inverse dynamics: the efforts that give these joint accelerations, H q̈ + b \[N, N·m\].
    ///
    /// # Errors
    /// If the length is not [`JointSpace::rate_count`].
    pub fn inverse_dynamics(&self, accelerations: &[f64]) -> Result<Vec<f64>, CommandError> {
        check_length("accelerations", accelerations.len(), self.count)?;
        Ok(self.efforts_of(Some(accelerations), true))
    }

    /// Bias b: Coriolis and centrifugal forces, and weight, as efforts \[N, N·m\].
    pub fn bias(&self) -> Vec<f64> {
        self.efforts_of(None, true)
    }

    /// The efforts that hold the tree at rest against its weight \[N, N·m\].
    pub fn gravity_efforts(&self) -> Vec<f64> {
        self.efforts_of(None, false)
    }

    /// Inverse dynamics into `efforts`, see [`JointSpace::inverse_dynamics`]. Allocates nothing after the
    /// first call.
    ///
    /// # Errors
    /// If a length is not [`JointSpace::rate_count`].
    pub fn write_inverse_dynamics(
        &mut self,
        accelerations: &[f64],
        efforts: &mut [f64],
    ) -> Result<(), CommandError> {
        check_length("accelerations", accelerations.len(), self.count)?;
        check_length("efforts", efforts.len(), self.count)?;
        let mut scratch = core::mem::take(&mut self.scratch);
        self.newton_euler(Some(accelerations), true, &mut scratch, efforts);
        self.scratch = scratch;
        Ok(())
    }

    fn efforts_of(&self, acc: Option<&[f64]>, moves: bool) -> Vec<f64> {
        let mut out = vec![0.0; self.count];
        self.newton_euler(acc, moves, &mut Default::default(), &mut out);
        out
    }

    fn newton_euler(
        &self,
        acc: Option<&[f64]>,
        moves: bool,
        [motion, force]: &mut [Vec<Pair>; 2],
        out: &mut [f64],
    ) {
        motion.resize(self.nodes.len(), ZERO);
        force.resize(self.nodes.len(), ZERO);
        for (at, node) in self.nodes.iter().enumerate() {
            let mut a = node.parent.map_or(ZERO, |parent| node.carried(motion[parent]));
            if moves {
                a = add(a, node.gamma);
            }
            if let Some(acc) = acc {
                for (column, x) in node.columns().iter().zip(&acc[node.rates.clone()]) {
                    a = add(a, scaled(*column, *x));
                }
            }
            motion[at] = a;
            force[at] = node.momentum((a.0 - self.gravity, a.1));
            if moves {
                force[at].1 += node.omega.cross(node.inertia * node.omega);
            }
        }
        self.reduce_forces(force, out);
        let Some(acc) = acc else { return };
        for node in self.nodes.iter().filter(|node| node.armature != 0.0) {
            out[node.rates.start] += node.armature * acc[node.rates.start];
        }
    }

    /// Efforts that do the work of forces on bodies (by node): Nᵀ f from the leaves to the roots.
    pub(crate) fn reduce_forces(&self, force: &mut [Pair], out: &mut [f64]) {
        for (at, node) in self.nodes.iter().enumerate().rev() {
            for (x, column) in out[node.rates.clone()].iter_mut().zip(node.columns()) {
                *x = dot(*column, force[at]);
            }
            if let Some(parent) = node.parent {
                force[parent] = add(force[parent], node.carried_back(force[at]));
            }
        }
    }

    /// Forces on bodies by node.
    pub(crate) fn forces_by_node(&self, of: impl Fn(usize) -> (Vec3, Vec3)) -> Vec<(Vec3, Vec3)> {
        self.nodes.iter().map(|node| of(node.body)).collect()
    }

    /// H: the mass matrix, row after row, nv × nv [kg, kg·m, kg·m²]; symmetric and positive definite.
    pub fn mass_matrix(&self) -> Vec<f64> {
        let n = self.count;
        let mut composite: Vec<Matrix6> = self.nodes.iter().map(inertia_of).collect();
        let mut h = vec![0.0; n * n];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            for (k, column) in node.columns().iter().enumerate() {
                let mut force = times(&composite[at], *column);
                let (mut to, row) = (at, node.rates.start + k);
                loop {
                    let other = &self.nodes[to];
                    for (l, column) in other.columns().iter().enumerate() {
                        let (x, col) = (dot(*column, force), other.rates.start + l);
                        (h[row * n + col], h[col * n + row]) = (x, x);
                    }
                    let Some(parent) = other.parent else { break };
                    force = other.carried_back(force);
                    to = parent;
                }
            }
            if let Some(parent) = node.parent {
                let own = composite[at];
                add_carried(node, &own, &mut composite[parent]);
            }
            if node.armature != 0.0 {
                h[node.rates.start * (n + 1)] += node.armature;
            }
        }
        h
    }

    /// Forward dynamics of the tree: the joint accelerations that efforts give, H⁻¹ (τ − b), by articulated
    /// bodies. Springs, servos, force laws and commands are not in it:
    /// [`Simulation::applied_efforts`](crate::Simulation::applied_efforts) has those.
    ///
    /// # Errors
    /// If the length is not [`JointSpace::rate_count`], or a body without inertia leaves a freedom without
    /// mass.
    pub fn accelerations(&self, efforts: &[f64]) -> Result<Vec<f64>, CommandError> {
        check_length("efforts", efforts.len(), self.count)?;
        let mut inertia: Vec<Matrix6> = self.nodes.iter().map(inertia_of).collect();
        let mut bias: Vec<Pair> = self
            .nodes
            .iter()
            .map(|node| (-self.gravity * node.mass, node.omega.cross(node.inertia * node.omega)))
            .collect();
        let mut kept: Vec<Eliminated> = vec![Eliminated::default(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let columns = node.columns();
            let n = columns.len();
            let own = &mut kept[at];
            for (k, column) in columns.iter().enumerate() {
                own.u[k] = times(&inertia[at], *column);
                own.rhs[k] = efforts[node.rates.start + k] - dot(*column, bias[at]);
            }
            for r in 0..n {
                for c in 0..n {
                    own.d[r][c] = dot(columns[r], own.u[c]);
                }
            }
            own.d[0][0] += node.armature;
            if !cholesky(&mut own.d, n) {
                return Err(CommandError::NoInertia { rate: node.rates.start });
            }
            let Some(parent) = node.parent else { continue };
            // Ia − U D⁻¹ Uᵀ and its bias, at the parent.
            let mut m = inertia[at];
            let mut y = own.rhs;
            solve(&own.d, n, &mut y);
            let mut f = add(bias[at], times(&inertia[at], node.gamma));
            let mut pulled: [f64; 6] = core::array::from_fn(|k| dot(own.u[k], node.gamma));
            solve(&own.d, n, &mut pulled);
            for k in 0..n {
                f = add(f, scaled(own.u[k], y[k] - pulled[k]));
            }
            for c in 0..6 {
                let mut row: [f64; 6] = core::array::from_fn(|k| flat(own.u[k])[c]);
                solve(&own.d, n, &mut row);
                for (r, line) in m.iter_mut().enumerate() {
                    line[c] -= (0..n).fold(0.0, |sum, k| sum + flat(own.u[k])[r] * row[k]);
                }
            }
            add_carried(node, &m, &mut inertia[parent]);
            bias[parent] = add(bias[parent], node.carried_back(f));
        }
        let mut motion = vec![ZERO; self.nodes.len()];
        let mut out = vec![0.0; self.count];
        for (at, node) in self.nodes.iter().enumerate() {
            let n = node.rates.len();
            let mut a = node.parent.map_or(ZERO, |parent| node.carried(motion[parent]));
            a = add(a, node.gamma);
            let mut x: [f64; 6] = core::array::from_fn(|k| kept[at].rhs[k] - dot(kept[at].u[k], a));
            solve(&kept[at].d, n, &mut x);
            for (k, column) in node.columns().iter().enumerate() {
                out[node.rates.start + k] = x[k];
                a = add(a, scaled(*column, x[k]));
            }
            motion[at] = a;
        }
        Ok(out)
    }

    /// Joint accelerations from those of bodies, by velocity arrays of the state.
    pub(crate) fn reduce_accelerations(&self, of: impl Fn(usize) -> Pair) -> Vec<f64> {
        let mut out = vec![0.0; self.count];
        for node in &self.nodes {
            let a = of(node.body);
            let parent = node.parent.map_or(ZERO, |parent| node.carried(of(self.nodes[parent].body)));
            let (lin, ang) = (a.0 - parent.0 - node.gamma.0, a.1 - parent.1 - node.gamma.1);
            node.along((lin, ang), &mut out[node.rates.clone()]);
        }
        out
    }
}

/// What the elimination of one body leaves for the way back.
#[derive(Copy, Clone, Debug)]
struct Eliminated {
    u: [Pair; 6],
    d: Matrix6,
    rhs: [f64; 6],
}

impl Default for Eliminated {
    fn default() -> Self {
        Eliminated { u: [(Vec3::ZERO, Vec3::ZERO); 6], d: [[0.0; 6]; 6], rhs: [0.0; 6] }
    }
}

/// L of L Lᵀ in place; false if the matrix is not positive definite.
fn cholesky(m: &mut Matrix6, n: usize) -> bool {
    for c in 0..n {
        for r in c..n {
            let sum = (0..c).fold(m[r][c], |sum, k| sum - m[r][k] * m[c][k]);
            if r == c {
                if sum.is_nan() || sum <= 0.0 {
                    return false;
                }
                m[c][c] = sum.sqrt();
            } else {
                m[r][c] = sum / m[c][c];
            }
        }
    }
    true
}

/// Solves L Lᵀ x = b in place.
fn solve(l: &Matrix6, n: usize, x: &mut [f64; 6]) {
    for r in 0..n {
        x[r] = (0..r).fold(x[r], |sum, k| sum - l[r][k] * x[k]) / l[r][r];
    }
    for r in (0..n).rev() {
        x[r] = (r + 1..n).fold(x[r], |sum, k| sum - l[k][r] * x[k]) / l[r][r];
    }
}
