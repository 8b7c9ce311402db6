//! The arithmetic of both forms at one node. The module page has the equations.

use super::node::{INNER, LEAF, ROOT};
use super::{ALL_LOADS, Form, MAX_COLUMNS, Node, NodeExtra, NodeInput, ROOT_LOADS};
use crate::graph::NONE;
use crate::graph::packed_len;
use crate::lane::Lane;
use crate::math::{Six, Sym3, Sym6, Vec3};
use crate::tolerances::LEAST_PIVOT;

/// Whether a vector keeps more than 1e-9 of its length after its parts along others were subtracted: the bound of
/// [`ROUNDING_OF_GEOMETRY`](crate::ROUNDING_OF_GEOMETRY), squared.
#[inline(always)]
fn enough<T: Lane>(left: &Six<T>, whole: &Six<T>) -> bool {
    (left.dot(left) - whole.dot(whole) * T::splat(1e-18)).is_positive()
}

/// n less its part along m, measured through the image of m: n − (image·n) inverse m.
#[inline(always)]
fn less<T: Lane>(n: Six<T>, m: &Six<T>, image: &Six<T>, inverse: T) -> (Six<T>, T) {
    let part = image.dot(&n) * inverse;
    (n - m.scaled(part), part)
}

/// s of a column, given the unknowns of the parent.
#[inline(always)]
pub(super) fn less_part<T: Lane, const KIND: u8>(
    projection: T,
    image: &Six<T>,
    inverse: T,
    parent: &Six<T>,
) -> T {
    if KIND == ROOT { projection } else { projection - image.dot(parent) * inverse }
}

impl<T: Lane> Node<T> {
    /// Removes the angular half of D and F. D gets a unit matrix there, so that it can be inverted.
    #[cold]
    pub(super) fn clear_rotation(&mut self) {
        let rest = if matches!(self.form, Form::Rows(_)) { T::ONE } else { T::ZERO };
        self.diag.b = Sym6::ZERO.b;
        self.diag.c = Sym3::diagonal(rest, rest, rest);
        self.force.ang = Vec3::ZERO;
    }

    /// D v.
    #[inline(always)]
    pub(super) fn times<const KIND: u8>(&self, v: &Six<T>) -> Six<T> {
        match KIND {
            LEAF => Six::new(v.lin * self.diag.a.xx, self.diag.c * v.ang),
            _ => self.diag.mul(v),
        }
    }

    /// Xᵀ D X.
    #[inline(always)]
    fn moved<const KIND: u8>(&self) -> Sym6<T> {
        match KIND {
            LEAF => Sym6::of_mass(self.diag.a.xx, self.diag.c).carried_back_block_diagonal(self.shift),
            _ => self.diag.carried_back(self.shift),
        }
    }

    /// Xᵀ w of an image w. A root has no parent, and w is stored as it is.
    #[inline(always)]
    fn handed<const KIND: u8>(&self, image: &Six<T>) -> Six<T> {
        if KIND == ROOT { *image } else { image.carried_back(self.shift) }
    }

    /// Orthogonalises N; returns Xᵀ P X and the force for the parent, zeros for a root.
    ///
    /// D and the images are carried to the parent while the pivots are being computed, so that only one outer
    /// product waits for the division.
    #[inline(always)]
    pub(super) fn eliminate_freedoms<const F: usize, const KIND: u8>(
        &mut self,
        extra: &mut NodeExtra<T>,
    ) -> (bool, Sym6<T>, Six<T>) {
        let mut left = if KIND == ROOT { Sym6::ZERO } else { self.moved::<KIND>() };
        let mut fine = true;
        let mut image = Six::ZERO;
        if F > 0 {
            image = self.times::<KIND>(&self.first);
            let size = self.first.dot(&image) + self.joint_inertia;
            fine &= size.is_positive();
            self.inverse = T::ONE / size;
            self.carried_image = self.handed::<KIND>(&image);
            if KIND != ROOT {
                left = left.minus_outer(&self.carried_image, self.inverse);
            }
        }
        if F > 1 {
            let whole = extra.columns[0];
            let (n, part) = less(whole, &self.first, &image, self.inverse);
            extra.columns[0] = n;
            extra.mixed[0] = part;
            // Columns are orthogonal in Q, joint inertias included.
            let joint_inertia = extra.joint_inertias[0] + part * part * self.joint_inertia;
            let (is_positive, second_image) = self.finish_column::<KIND>(extra, 0, joint_inertia, &mut left);
            fine &= enough(&n, &whole) && is_positive;
            if F > 2 {
                let whole = extra.columns[1];
                let (n, part) = less(whole, &self.first, &image, self.inverse);
                extra.mixed[1] = part;
                let shared = extra.mixed[0] * part * self.joint_inertia * extra.inverses[0];
                let part = second_image.dot(&n) * extra.inverses[0] + shared;
                let n = n - extra.columns[0].scaled(part);
                extra.columns[1] = n;
                extra.mixed[2] = part;
                let of_first = extra.mixed[1] - part * extra.mixed[0];
                let joint_inertia = extra.joint_inertias[1]
                    + part * part * extra.joint_inertias[0]
                    + of_first * of_first * self.joint_inertia;
                let is_positive = self.finish_column::<KIND>(extra, 1, joint_inertia, &mut left).0;
                fine &= enough(&n, &whole) && is_positive;
            }
        }
        (fine, left, self.forward_freedoms::<F, KIND>(extra))
    }

    /// [`eliminate_freedoms`](Node::eliminate_freedoms) for one freedom, with the mass as given and the sum
    /// of the children (zeros for a leaf).
    #[inline(always)]
    pub(super) fn eliminate_one_dof<const KIND: u8>(
        &mut self,
        given: &NodeInput<T>,
        sum: &(Sym6<T>, Six<T>),
    ) -> (bool, Sym6<T>, Six<T>) {
        let NodeInput { mass, inertia, gamma, shift, first, effort, joint_inertia, .. } = *given;
        if KIND == LEAF {
            (self.diag, self.force) = (Sym6::of_mass(mass, inertia), given.force);
        } else {
            // Entry by entry: a whole matrix in lanes would be copied twice, by calls.
            let (Sym6 { a, b, c }, to) = (&sum.0, &mut self.diag);
            (to.a.xx, to.a.yy, to.a.zz) = (mass + a.xx, mass + a.yy, mass + a.zz);
            (to.a.xy, to.a.xz, to.a.yz) = (a.xy, a.xz, a.yz);
            (to.b.x, to.b.y, to.b.z) = (b.x, b.y, b.z);
            (to.c.xx, to.c.yy, to.c.zz) = (inertia.xx + c.xx, inertia.yy + c.yy, inertia.zz + c.zz);
            (to.c.xy, to.c.xz, to.c.yz) = (inertia.xy + c.xy, inertia.xz + c.xz, inertia.yz + c.yz);
            self.force = given.force + sum.1;
        }
        (self.gamma, self.shift, self.first) = (gamma, shift, first);
        let image = self.times::<KIND>(&first);
        let size = first.dot(&image) + joint_inertia;
        let inverse = T::ONE / size;
        // None of this waits for the division.
        let carried = image.carried_back(shift);
        let r = self.force - self.times::<KIND>(&gamma);
        let along = first.dot(&r) + effort;
        let r_carried = r.carried_back(shift);
        let moved = self.moved::<KIND>();
        let projection = along * inverse;
        let left = moved.minus_outer(&carried, inverse);
        let handed = r_carried - carried.scaled(projection);
        (self.carried_image, self.inverse, self.projection) = (carried, inverse, projection);
        (self.effort, self.joint_inertia) = (effort, joint_inertia);
        (size.is_positive(), left, handed)
    }

    #[inline(always)]
    fn finish_column<const KIND: u8>(
        &mut self,
        extra: &mut NodeExtra<T>,
        k: usize,
        joint_inertia: T,
        left: &mut Sym6<T>,
    ) -> (bool, Six<T>) {
        let n = extra.columns[k];
        let image = self.times::<KIND>(&n);
        let size = n.dot(&image) + joint_inertia;
        extra.carried_images[k] = self.handed::<KIND>(&image);
        extra.inverses[k] = T::ONE / size;
        if KIND != ROOT {
            *left = left.minus_outer(&extra.carried_images[k], extra.inverses[k]);
        }
        (size.is_positive(), image)
    }

    /// Xᵀ of r = F − D γ without its parts along the freedoms. A root needs n·r = n·F − w·γ alone.
    #[inline(always)]
    pub(super) fn forward_freedoms<const F: usize, const KIND: u8>(
        &mut self,
        extra: &mut NodeExtra<T>,
    ) -> Six<T> {
        if KIND == ROOT {
            if F > 0 {
                let along = self.first.dot(&self.force) - self.carried_image.dot(&self.gamma);
                self.projection = (along + self.effort) * self.inverse;
            }
            let efforts = self.combined_efforts::<F>(extra);
            for k in 1..F {
                let (n, image) = (&extra.columns[k - 1], &extra.carried_images[k - 1]);
                let along = n.dot(&self.force) - image.dot(&self.gamma);
                extra.projections[k - 1] = (along + efforts[k - 1]) * extra.inverses[k - 1];
            }
            return Six::ZERO;
        }
        let r = self.force - self.times::<KIND>(&self.gamma);
        let mut left = r.carried_back(self.shift);
        if F > 0 {
            self.projection = (self.first.dot(&r) + self.effort) * self.inverse;
            left -= self.carried_image.scaled(self.projection);
        }
        let efforts = self.combined_efforts::<F>(extra);
        for k in 1..F {
            extra.projections[k - 1] =
                (extra.columns[k - 1].dot(&r) + efforts[k - 1]) * extra.inverses[k - 1];
            left -= extra.carried_images[k - 1].scaled(extra.projections[k - 1]);
        }
        left
    }

    /// Efforts along the orthogonal columns beyond the first, combined as the columns are.
    #[inline(always)]
    pub(super) fn combined_efforts<const F: usize>(&self, extra: &NodeExtra<T>) -> [T; MAX_COLUMNS - 1] {
        let [mut second, mut third] = extra.efforts;
        if F > 1 {
            second -= extra.mixed[0] * self.effort;
        }
        if F > 2 {
            third -= extra.mixed[1] * self.effort + extra.mixed[2] * second;
        }
        [second, third]
    }

    /// x = X x_p + γ + N s; returns the load.
    #[inline(always)]
    pub(super) fn back_freedoms<const F: usize, const KIND: u8, const LOADS: u8>(
        &mut self,
        extra: &mut NodeExtra<T>,
        parent: &Six<T>,
    ) -> Six<T> {
        let mut x = if KIND == ROOT { self.gamma } else { parent.carried(self.shift) + self.gamma };
        if F > 0 {
            let s = less_part::<T, KIND>(self.projection, &self.carried_image, self.inverse, parent);
            x += self.first.scaled(s);
            self.first_answer = s;
        }
        for k in 1..F {
            let (projection, inverse) = (extra.projections[k - 1], extra.inverses[k - 1]);
            let s = less_part::<T, KIND>(projection, &extra.carried_images[k - 1], inverse, parent);
            x += extra.columns[k - 1].scaled(s);
            extra.answers[k - 1] = s;
        }
        // From the orthogonal columns back to the given ones.
        if F > 2 {
            extra.answers[0] -= extra.mixed[2] * extra.answers[1];
            self.first_answer -= extra.mixed[1] * extra.answers[1];
        }
        if F > 1 {
            self.first_answer -= extra.mixed[0] * extra.answers[0];
        }
        self.x = x;
        match LOADS == ALL_LOADS || (LOADS == ROOT_LOADS && self.parent == NONE) {
            true => self.diag.mul(&x) - self.force,
            false => Six::ZERO,
        }
    }

    /// Back substitution for one freedom: x.
    #[inline(always)]
    pub(super) fn back_one_dof(&mut self, parent: &Six<T>) -> Six<T> {
        let s = self.projection - self.carried_image.dot(parent) * self.inverse;
        let x = parent.carried(self.shift) + self.gamma + self.first.scaled(s);
        self.first_answer = s;
        self.x = x;
        x
    }

    /// The load of a link with one freedom, from x.
    #[inline(always)]
    pub(super) fn load_of_one_dof(&self, x: &Six<T>) -> Six<T> {
        match self.has_children {
            true => self.times::<INNER>(x) - self.force,
            false => self.times::<LEAF>(x) - self.force,
        }
    }

    /// The load with exactly the efforts along the freedoms; what it has beyond them is rounding.
    pub(super) fn constraint_load(&self, extra: &NodeExtra<T>, mut load: Six<T>) -> Six<T> {
        let Form::Freedoms(f) = self.form else { return load };
        if self.is_ball {
            return load;
        }
        let zero = [T::ZERO; MAX_COLUMNS - 1];
        let is_passive = self.effort == T::ZERO && self.joint_inertia == T::ZERO;
        if f == 1 && !is_passive {
            let size = self.first.dot(&self.first);
            let part = (self.first.dot(&load) - self.first_effort()) / size;
            return load - self.first.scaled(part);
        }
        if f > 1 && !(is_passive && (extra.efforts, extra.joint_inertias) == (zero, zero)) {
            return load;
        }
        let mut basis = [self.first, extra.columns[0], extra.columns[1]];
        for k in 0..f as usize {
            for i in 0..k {
                let part = basis[i].dot(&basis[k]);
                basis[k] -= basis[i].scaled(part);
            }
            let size = basis[k].dot(&basis[k]).sqrt();
            basis[k] = basis[k].scaled(T::ONE / size);
            let part = basis[k].dot(&load);
            load -= basis[k].scaled(part);
        }
        load
    }

    /// Factors D and orthogonalises the rows; returns Xᵀ (Σ j jᵀ/σ) X and the force for the parent.
    #[inline(always)]
    pub(super) fn eliminate_rows(&mut self, extra: &mut NodeExtra<T>, m: usize) -> (bool, Sym6<T>, Six<T>) {
        let mut fine = extra.factor_diag(&self.diag);
        let mut left = Sym6::ZERO;
        for k in 0..m {
            let whole = if k == 0 { self.first } else { extra.columns[k - 1] };
            let mut row = whole;
            for i in 0..k {
                let (j, image, inverse) = self.row(extra, i);
                let (less, part) = less(row, &j, &image, inverse);
                row = less;
                extra.mixed[i + k - 1] = part;
            }
            let image = extra.solve_diag(row);
            let size = row.dot(&image);
            fine &= size.is_positive() && enough(&row, &whole);
            let inverse = T::ONE / size;
            extra.row_images[k] = image;
            if k == 0 {
                (self.first, self.inverse) = (row, inverse);
            } else {
                extra.columns[k - 1] = row;
                extra.inverses[k - 1] = inverse;
            }
            left = left.minus_outer(&row.carried_back(self.shift), -inverse);
        }
        (fine, left, self.forward_rows(extra, m))
    }

    /// j_k, z_k and 1/σ_k.
    #[inline(always)]
    pub(super) fn row(&self, extra: &NodeExtra<T>, k: usize) -> (Six<T>, Six<T>, T) {
        match k {
            0 => (self.first, extra.row_images[0], self.inverse),
            _ => (extra.columns[k - 1], extra.row_images[k], extra.inverses[k - 1]),
        }
    }

    /// Xᵀ Σ j_k t_k/σ_k with t_k = c_k + z_k·F; biases are combined as the rows were.
    #[inline(always)]
    pub(super) fn forward_rows(&mut self, extra: &mut NodeExtra<T>, m: usize) -> Six<T> {
        let mut combined = [T::ZERO; MAX_COLUMNS];
        let mut sum = Six::ZERO;
        for k in 0..m {
            combined[k] = extra.bias[k];
            for i in 0..k {
                combined[k] -= extra.mixed[i + k - 1] * combined[i];
            }
            let (row, image, inverse) = self.row(extra, k);
            let t = (combined[k] + image.dot(&self.force)) * inverse;
            if k == 0 {
                self.projection = t;
            } else {
                extra.projections[k - 1] = t;
            }
            sum += row.scaled(t);
        }
        sum.carried_back(self.shift)
    }

    /// λ_k = (j_k·X x_p)/σ_k − t_k/σ_k,  x = D⁻¹ F + Σ z_k λ_k.
    #[inline(always)]
    pub(super) fn back_rows(&mut self, extra: &mut NodeExtra<T>, m: usize, parent: Six<T>) -> Six<T> {
        let carried = parent.carried(self.shift);
        let mut x = extra.solve_diag(self.force);
        let mut load = Six::ZERO;
        let mut answers = [T::ZERO; MAX_COLUMNS];
        for k in 0..m {
            let (row, image, inverse) = self.row(extra, k);
            let t = if k == 0 { self.projection } else { extra.projections[k - 1] };
            answers[k] = row.dot(&carried) * inverse - t;
            x += image.scaled(answers[k]);
            load += row.scaled(answers[k]);
        }
        // λ of the given rows: later rows had earlier ones subtracted.
        for k in (0..m).rev() {
            for i in 0..k {
                let part = extra.mixed[i + k - 1] * answers[k];
                answers[i] -= part;
            }
        }
        self.first_answer = answers[0];
        extra.answers.copy_from_slice(&answers[1..]);
        self.x = x;
        load
    }
}

impl<T: Lane> NodeExtra<T> {
    /// D = R Rᵀ, in the order of [`cholesky`](crate::kernel::cholesky); false if D is not positive to
    /// rounding.
    #[inline(always)]
    fn factor_diag(&mut self, diag: &Sym6<T>) -> bool {
        self.root = diag.packed();
        let (root, least) = (&mut self.root, T::splat(LEAST_PIVOT));
        let mut fine = true;
        for i in 0..6 {
            let row = packed_len(i);
            let mut pivot = root[row + i];
            for j in 0..i {
                let other = packed_len(j);
                let mut sum = root[row + j];
                for k in 0..j {
                    sum -= root[row + k] * root[other + k];
                }
                root[row + j] = sum * root[other + j];
            }
            let whole = pivot;
            for k in 0..i {
                pivot -= root[row + k] * root[row + k];
            }
            fine &= (pivot - whole * least).is_positive();
            root[row + i] = T::ONE / pivot.sqrt();
        }
        fine
    }

    /// D⁻¹ v with the factor of D.
    #[inline(always)]
    pub(super) fn solve_diag(&self, v: Six<T>) -> Six<T> {
        let mut x = [v.lin.x, v.lin.y, v.lin.z, v.ang.x, v.ang.y, v.ang.z];
        for i in 0..6 {
            let row = packed_len(i);
            for k in 0..i {
                x[i] -= self.root[row + k] * x[k];
            }
            x[i] *= self.root[row + i];
        }
        for i in (0..6).rev() {
            let row = packed_len(i);
            x[i] *= self.root[row + i];
            for k in 0..i {
                x[k] -= self.root[row + k] * x[i];
            }
        }
        Six::from_slice(&x)
    }
}
