//! Contact forces as reports give them: of all that load every body alike, those of least norm.
//!
//! Redundant contacts (a box on four corners) share their load in more than one way, and a solver stops at whichever it meets first. Reports
//! give
//!
//! ```text
//! min Σ |f_c|²   with   Jᵀ λ = w on every body,   f_c in the friction cone of its contact
//! ```
//!
//! A contact that slides keeps the direction of its force. The minimum is found by Dykstra's alternating projections of 0: onto Jᵀ λ = w by
//! conjugate gradients, onto the cones in closed form. Joint reactions do not change, since no body's load does.

use crate::model::Model;
use crate::step::contact::{ContactEntry, ContactKey, ContactSet, FrictionMode};

/// A force that is farther out of its cone than this, relative to the largest force, is projected again.
const WITHIN: f64 = 1e-11;
/// Conjugate gradients end at this part of the load.
const LOAD: f64 = 1e-13;
/// Most projections; beyond it the forces of the solver are reported.
const MAX_PROJECTIONS: usize = 400;

/// What one unknown of the split does: multiples of rows, and the generalised load of these.
struct Column {
    rows: [(usize, f64); 3],
    load: Vec<(usize, f64)>,
}

/// Cone of a contact: its unknowns, the normal first, and its coefficient of friction.
struct Cone {
    first: usize,
    count: usize,
    friction: f64,
}

/// The unknowns and cones of the contacts that may share their load otherwise.
struct Split {
    columns: Vec<Column>,
    cones: Vec<Cone>,
    /// Jᵀ λ.
    load: Vec<f64>,
    /// Inverse of the diagonal of Jᵀ J; 0 where nothing acts.
    preconditioner: Vec<f64>,
}

impl ContactSet {
    /// λ of the last evaluation by row, with the contacts of shapes sharing their loads at least norm.
    pub(super) fn shared_forces(&self, model: &Model) -> Vec<f64> {
        let mut lambda = self.lambda.clone();
        if self.set.len() > 1 {
            let split = Split::new(self, model);
            if let Some(found) = split.least_norm(&self.lambda) {
                for (column, x) in split.columns.iter().zip(found) {
                    column
                        .rows
                        .iter()
                        .filter(|(_, part)| *part != 0.0)
                        .for_each(|(row, part)| lambda[*row] = part * x);
                }
            }
        }
        lambda
    }

    /// Whether the force of a contact may be changed, and whether only its size.
    fn keeps_direction(&self, item: &ContactEntry) -> Option<bool> {
        let is_contact = matches!(item.key, ContactKey::Contact(..)) && item.roll_spin.all() == 0;
        let slides =
            matches!(item.mode, FrictionMode::Slip(_)) || (self.has_prescribed_forces && self.slides(item));
        is_contact.then_some(slides)
    }
}

impl Split {
    fn new(contacts: &ContactSet, model: &Model) -> Split {
        let freedoms = model.bodies.iter().map(|body| body.v_range().end).max().unwrap_or(0);
        let (columns, cones, load) = (Vec::new(), Vec::new(), vec![0.0; freedoms]);
        let mut split = Split { columns, cones, load, preconditioner: vec![0.0; freedoms] };
        for item in &contacts.set {
            let Some(keeps_direction) = contacts.keeps_direction(item) else { continue };
            let (first, rows) = (split.columns.len(), item.row..=item.row + item.tangents);
            if keeps_direction {
                let size =
                    rows.clone().map(|row| contacts.lambda[row] * contacts.lambda[row]).sum::<f64>().sqrt();
                if size > 0.0 {
                    let mut parts = [(item.row, 0.0); 3];
                    rows.zip(&mut parts).for_each(|(row, part)| *part = (row, contacts.lambda[row] / size));
                    split.push(contacts, model, parts);
                }
            } else {
                rows.for_each(|row| split.push(contacts, model, [(row, 1.0), (row, 0.0), (row, 0.0)]));
            }
            let count = split.columns.len() - first;
            if count > 0 {
                split.cones.push(Cone { first, count, friction: item.static_friction() });
            }
        }
        for column in &split.columns {
            let x = column.force(&contacts.lambda);
            column.load.iter().for_each(|&(i, j)| {
                split.load[i] += j * x;
                split.preconditioner[i] += j * j;
            });
        }
        split.preconditioner.iter_mut().filter(|d| **d > 0.0).for_each(|d| *d = 1.0 / *d);
        split
    }

    fn push(&mut self, contacts: &ContactSet, model: &Model, rows: [(usize, f64); 3]) {
        let mut load: Vec<(usize, f64)> = Vec::new();
        for (row, part) in rows.into_iter().filter(|(_, part)| *part != 0.0) {
            let written = &contacts.contact_rows;
            for block in written.blocks(&written.rows[row]) {
                let range = model.bodies[block.body as usize].v_range();
                load.extend(range.zip(written.jac(block)).map(|(i, j)| (i, part * j)));
            }
        }
        self.columns.push(Column { rows, load });
    }

    /// The unknowns of least norm; `None` if they were not found, or nothing is to be found.
    fn least_norm(&self, lambda: &[f64]) -> Option<Vec<f64>> {
        let largest =
            self.columns.iter().map(|column| column.force(lambda).abs()).fold(0.0, crate::math::larger);
        if self.cones.len() < 2 || largest == 0.0 {
            return None;
        }
        let mut x = vec![0.0; self.columns.len()];
        let (mut correction, mut inside) = (x.clone(), x.clone());
        for _ in 0..MAX_PROJECTIONS {
            self.project_on_load(&mut x)?;
            if self.cones.iter().all(|cone| cone.excess(&x) <= WITHIN * largest) {
                // What is left is rounding; no contact is said to pull.
                self.cones.iter().for_each(|cone| cone.project(&mut x));
                return Some(x);
            }
            for i in 0..x.len() {
                inside[i] = x[i] + correction[i];
                correction[i] = inside[i];
            }
            self.cones.iter().for_each(|cone| cone.project(&mut inside));
            correction.iter_mut().zip(&inside).for_each(|(correction, inside)| *correction -= inside);
            x.copy_from_slice(&inside);
        }
        None
    }

    /// The nearest x with Jᵀ x = w: x − J y with Jᵀ J y = Jᵀ x − w, by conjugate gradients.
    fn project_on_load(&self, x: &mut [f64]) -> Option<()> {
        let mut r: Vec<f64> = self.load.iter().map(|w| -w).collect();
        for (column, x) in self.columns.iter().zip(&*x) {
            column.load.iter().for_each(|&(i, j)| r[i] += j * x);
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let precondition =
            |r: &[f64]| r.iter().zip(&self.preconditioner).map(|(r, d)| r * d).collect::<Vec<f64>>();
        let mut z = precondition(&r);
        let scale = dot(&self.load, &precondition(&self.load));
        let (mut p, mut rz) = (z.clone(), dot(&r, &z));
        let mut image = vec![0.0; r.len()];
        for _ in 0..4 * r.len() + 20 {
            if rz <= LOAD * LOAD * scale {
                return Some(());
            }
            image.fill(0.0);
            let along: Vec<f64> =
                self.columns.iter().map(|c| c.load.iter().map(|&(i, j)| j * p[i]).sum()).collect();
            for (column, a) in self.columns.iter().zip(&along) {
                column.load.iter().for_each(|&(i, j)| image[i] += j * a);
            }
            let curvature = dot(&p, &image);
            if curvature <= 0.0 || !curvature.is_finite() {
                return None;
            }
            let step = rz / curvature;
            x.iter_mut().zip(&along).for_each(|(x, a)| *x -= step * a);
            r.iter_mut().zip(&image).for_each(|(r, i)| *r -= step * i);
            z = precondition(&r);
            let next = dot(&r, &z);
            p.iter_mut().zip(&z).for_each(|(p, z)| *p = z + next / rz * *p);
            rz = next;
        }
        None
    }
}

impl Column {
    /// The unknown that stands for these multipliers.
    fn force(&self, lambda: &[f64]) -> f64 {
        self.rows.iter().map(|&(row, part)| part * lambda[row]).sum()
    }
}

impl Cone {
    fn across(&self, x: &[f64]) -> f64 {
        x[self.first + 1..self.first + self.count].iter().map(|t| t * t).sum::<f64>().sqrt()
    }

    /// How far a force is out of its cone, across and along the normal.
    fn excess(&self, x: &[f64]) -> f64 {
        crate::math::larger(self.across(x) - self.friction * x[self.first], -x[self.first])
    }

    /// The nearest force with |f_t| ≤ μ f_n.
    fn project(&self, x: &mut [f64]) {
        let (normal, across, mu) = (x[self.first], self.across(x), self.friction);
        if self.count == 1 {
            x[self.first] = crate::math::larger(normal, 0.0);
        } else if across > mu * normal {
            // Inside of the polar cone the nearest point is the tip.
            let n = crate::math::larger(normal + mu * across, 0.0) / (1.0 + mu * mu);
            let factor = if across > 0.0 { mu * n / across } else { 0.0 };
            x[self.first] = n;
            x[self.first + 1..self.first + self.count].iter_mut().for_each(|t| *t *= factor);
        }
    }
}
