//! Two right-hand sides in one sweep: any one, and that of the links alone, with F = 0, and γ and all biases
//! times `part`.
//!
//! D γ, and what γ adds to the loop closures, are the same for both up to that factor.

use super::kernel::less_part;
use super::node::{INNER, LEAF, ROOT};
use super::{ArticulatedForest, Form, MAX_COLUMNS, NO_LOADS, Node, NodeExtra};
use crate::graph::NONE;
use crate::lane::{Lane, Task};
use crate::math::{Six, Sym6, Vec3};

/// What a node keeps of the second right-hand side.
#[derive(Copy, Clone, Debug)]
pub(super) struct SecondRhs<T: Lane> {
    pub(super) force: Six<T>,
    projections: [T; MAX_COLUMNS],
    x: Six<T>,
}

impl<T: Lane> Default for SecondRhs<T> {
    fn default() -> Self {
        SecondRhs { force: Six::ZERO, projections: [T::ZERO; MAX_COLUMNS], x: Six::ZERO }
    }
}

/// Writes the first right-hand side and takes the unknowns of both.
pub trait TwoRhs<T: Lane> {
    /// Writes `force` and `gamma` (or biases) of a node.
    fn write_rhs(&mut self, at: usize, node: &mut Node<T>, extra: &mut NodeExtra<T>);
    /// Takes the unknowns of a node as soon as they are known: parents first.
    fn answer(&mut self, at: usize, x: &Six<T>, second: &Six<T>);
}

/// A pair of functions: one writes, one takes.
impl<T: Lane, F, A> TwoRhs<T> for (F, A)
where
    F: FnMut(usize, &mut Node<T>, &mut NodeExtra<T>),
    A: FnMut(usize, &Six<T>, &Six<T>),
{
    #[inline(always)]
    fn write_rhs(&mut self, at: usize, node: &mut Node<T>, extra: &mut NodeExtra<T>) {
        (self.0)(at, node, extra);
    }
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six<T>, second: &Six<T>) {
        (self.1)(at, x, second);
    }
}

impl<T: Lane> ArticulatedForest<T> {
    /// Solves with the factor of the last elimination, as [`solve`](ArticulatedForest::solve) does, and for γ
    /// and biases times `part` without any force. Nodes and loop closures keep the solution of the first.
    /// Loads are not computed.
    #[inline(always)]
    pub fn solve_two_rhs(&mut self, part: T, rhs: &mut impl TwoRhs<T>) {
        self.forward_two_rhs(part, rhs);
        self.closures.eliminate_bias_on_ground::<2>();
        self.closures.answer_on_ground::<2>();
        self.backward_two_rhs(part, rhs);
    }

    /// Forward substitution from the leaves to the roots; loops whose ends meet on the ground are not
    /// eliminated yet.
    #[inline(always)]
    pub fn forward_two_rhs(&mut self, part: T, rhs: &mut impl TwoRhs<T>) {
        let mut depth = 0;
        self.second_projections.resize(self.nodes.len(), T::ZERO);
        self.seconds.resize(self.extra.len(), SecondRhs::default());
        self.closures.load_rhs();
        self.closures.load_second_rhs(part);
        for at in 0..self.nodes.len() {
            let own = self.extra_at[at] as usize;
            let (node, extra) = (&mut self.nodes[at], &mut self.extra[own]);
            node.clear_effort(extra);
            rhs.write_rhs(at, node, extra);
            depth -= usize::from(node.has_children);
            let sums = Sums { firsts: &mut self.sums, seconds: &mut self.second_sums, depth };
            // Every branch hands on its remainder itself, as in the elimination.
            if node.is_one_dof() {
                let kept = &mut self.second_projections[at];
                if node.has_children {
                    node.force += sums.firsts[depth].1;
                    let second = sums.seconds[depth];
                    let both = node.forward_one_dof::<INNER>(&second, kept, part);
                    add_both_to_parent(node, sums, both);
                } else {
                    let both = node.forward_one_dof::<LEAF>(&Six::ZERO, kept, part);
                    add_both_to_parent(node, sums, both);
                }
            } else if node.is_ball {
                let kept = &mut self.seconds[own].force;
                *kept = Six::ZERO;
                if node.has_children {
                    node.force += sums.firsts[depth].1;
                    *kept = sums.seconds[depth];
                }
                let handed = node.forward_ball();
                let both = (handed, node.forward_ball_second(kept, part));
                add_both_to_parent(node, sums, both);
                if node.loop_step != NONE {
                    self.closures.pass_biases_of_ball(node, kept, part);
                }
            } else {
                self.seconds[own].force = Six::ZERO;
                if node.has_children {
                    node.force += sums.firsts[depth].1;
                    self.seconds[own].force = sums.seconds[depth];
                }
                let both = self.forward_both(at, part);
                let sums = Sums { firsts: &mut self.sums, seconds: &mut self.second_sums, depth };
                add_both_to_parent(&self.nodes[at], sums, both);
            }
            depth += usize::from(self.nodes[at].is_first);
        }
    }

    /// Back substitution, once loops whose ends meet on the ground have their multipliers.
    #[inline(always)]
    pub fn backward_two_rhs(&mut self, part: T, rhs: &mut impl TwoRhs<T>) {
        let mut last_second = Six::ZERO;
        for at in (0..self.nodes.len()).rev() {
            let own = self.extra_at[at] as usize;
            let (here, above) = self.nodes.split_at_mut(at + 1);
            let node = &mut here[at];
            // In a chain the parent is the node before: its second unknowns are the last ones.
            let (parent, second) = match node.parent {
                NONE => (&Six::ZERO, &Six::ZERO),
                parent if parent as usize == at + 1 => (&above[0].x, &last_second),
                parent => {
                    let second = self.extra_at[parent as usize] as usize;
                    (&above[parent as usize - at - 1].x, &self.seconds[second].x)
                }
            };
            if node.is_one_dof() {
                let x = node.back_one_dof(parent);
                let x_second = node.back_one_dof_second(self.second_projections[at], second, part);
                last_second = x_second;
                if own != 0 {
                    self.seconds[own].x = x_second;
                }
                rhs.answer(at, &x, &x_second);
            } else if node.is_ball {
                let mut force = self.seconds[own].force;
                if node.loop_step != NONE {
                    let (push, second_push) = self.closures.push_both::<3>(node.loop_step);
                    node.carried_image.ang += Vec3::new(push[0], push[1], push[2]);
                    force.ang += Vec3::new(second_push[0], second_push[1], second_push[2]);
                }
                let x = node.back_ball(parent).0;
                let x_second = node.back_ball_second(&force, second, part);
                last_second = x_second;
                self.seconds[own].x = x_second;
                rhs.answer(at, &x, &x_second);
            } else {
                let (parent, second) = (*parent, *second);
                let (x, x_second) = self.back_both(at, &parent, &second, part);
                last_second = x_second;
                rhs.answer(at, &x, &x_second);
            }
        }
    }

    #[inline(never)]
    pub(super) fn forward_both(&mut self, at: usize, part: T) -> (Six<T>, Six<T>) {
        T::run_vectorized(ForwardBoth(self, at, part))
    }

    #[inline(always)]
    fn forward_both_inlined(&mut self, at: usize, part: T) -> (Six<T>, Six<T>) {
        let own = self.extra_at[at] as usize;
        let (node, extra, second) = (&mut self.nodes[at], &mut self.extra[own], &mut self.seconds[own]);
        if node.is_point {
            node.force.ang = Vec3::ZERO;
            second.force.ang = Vec3::ZERO;
        }
        if node.loop_step != NONE {
            self.closures.eliminate_bias_at(node.loop_step, [&mut node.force, &mut second.force]);
        }
        let forces = match (node.form, node.kind) {
            (Form::Freedoms(1), ROOT) => node.forward_both::<1, ROOT>(extra, second, part),
            (Form::Freedoms(1), LEAF) => node.forward_both::<1, LEAF>(extra, second, part),
            (Form::Freedoms(1), _) => node.forward_both::<1, INNER>(extra, second, part),
            (Form::Freedoms(0), _) => node.forward_both::<0, INNER>(extra, second, part),
            (Form::Freedoms(2), _) => node.forward_both::<2, INNER>(extra, second, part),
            (Form::Freedoms(_), ROOT) => node.forward_both::<3, ROOT>(extra, second, part),
            (Form::Freedoms(_), LEAF) => node.forward_both::<3, LEAF>(extra, second, part),
            (Form::Freedoms(_), _) => node.forward_both::<3, INNER>(extra, second, part),
            (Form::Rows(m), _) => {
                // The second right-hand side first, with its own force and biases.
                let (force, bias) = (node.force, extra.bias);
                node.force = second.force;
                for c in &mut extra.bias {
                    *c *= part;
                }
                let handed = node.forward_rows(extra, m as usize);
                second.projections = node.projections(extra);
                (node.force, extra.bias) = (force, bias);
                (node.forward_rows(extra, m as usize), handed)
            }
        };
        if node.loop_step != NONE {
            self.closures.pass_both(node.loop_step, node, extra, (&second.force, &second.projections), part);
        }
        forces
    }

    /// Back substitution of both at a node.
    #[inline(never)]
    pub(super) fn back_both(
        &mut self,
        at: usize,
        parent: &Six<T>,
        second_parent: &Six<T>,
        part: T,
    ) -> (Six<T>, Six<T>) {
        T::run_vectorized(BackBoth(self, at, (parent, second_parent), part))
    }

    #[inline(always)]
    fn back_both_inlined(
        &mut self,
        at: usize,
        parent: &Six<T>,
        second_parent: &Six<T>,
        part: T,
    ) -> (Six<T>, Six<T>) {
        let own = self.extra_at[at] as usize;
        let (node, extra, second) = (&mut self.nodes[at], &mut self.extra[own], &mut self.seconds[own]);
        let loop_step = node.loop_step;
        if node.is_point || !matches!(node.form, Form::Freedoms(1 | 3)) {
            return self.back_any_both(at, parent, second_parent, part);
        }
        if loop_step != NONE {
            if node.form == Form::Freedoms(1) {
                let ([push], [second_push]) = self.closures.push_both::<1>(loop_step);
                node.projection += push * node.inverse;
                second.projections[0] += second_push * node.inverse;
            } else {
                let (push, second_push) = self.closures.push_both::<3>(loop_step);
                let inverses = [node.inverse, extra.inverses[0], extra.inverses[1]];
                node.projection += push[0] * inverses[0];
                for k in 1..3 {
                    extra.projections[k - 1] += push[k] * inverses[k];
                }
                for k in 0..3 {
                    second.projections[k] += second_push[k] * inverses[k];
                }
            }
        }
        let x = match (node.form, node.kind) {
            (Form::Freedoms(1), ROOT) => {
                node.back_freedoms::<1, ROOT, NO_LOADS>(extra, parent);
                node.back_second::<1, ROOT>(extra, second, second_parent, part)
            }
            (Form::Freedoms(1), _) => {
                node.back_freedoms::<1, INNER, NO_LOADS>(extra, parent);
                node.back_second::<1, INNER>(extra, second, second_parent, part)
            }
            (_, ROOT) => {
                node.back_freedoms::<3, ROOT, NO_LOADS>(extra, parent);
                node.back_second::<3, ROOT>(extra, second, second_parent, part)
            }
            _ => {
                node.back_freedoms::<3, INNER, NO_LOADS>(extra, parent);
                node.back_second::<3, INNER>(extra, second, second_parent, part)
            }
        };
        let first = node.x;
        if loop_step != NONE && self.closures.has_elimination_at(loop_step) {
            self.closures.answer_at(loop_step, [&first, &x]);
        }
        (first, x)
    }

    /// Back substitution of both at a node by the general kernels.
    #[inline(never)]
    fn back_any_both(
        &mut self,
        at: usize,
        parent: &Six<T>,
        second_parent: &Six<T>,
        part: T,
    ) -> (Six<T>, Six<T>) {
        T::run_vectorized(BackAnyBoth(self, at, (parent, second_parent), part))
    }

    #[inline(always)]
    fn back_any_both_inlined(
        &mut self,
        at: usize,
        parent: &Six<T>,
        second_parent: &Six<T>,
        part: T,
    ) -> (Six<T>, Six<T>) {
        let own = self.extra_at[at] as usize;
        let (node, extra, second) = (&mut self.nodes[at], &mut self.extra[own], &mut self.seconds[own]);
        let loop_step = node.loop_step;
        if loop_step != NONE {
            let (push, second_push) = (self.closures.push(loop_step, 0), self.closures.push(loop_step, 1));
            node.push(extra, &push);
            node.push_second(extra, second, &second_push);
        }
        let mut x = match node.form {
            Form::Freedoms(0) => node.back_second::<0, INNER>(extra, second, second_parent, part),
            Form::Freedoms(1) => node.back_second::<1, INNER>(extra, second, second_parent, part),
            Form::Freedoms(2) => node.back_second::<2, INNER>(extra, second, second_parent, part),
            Form::Freedoms(_) => node.back_second::<3, INNER>(extra, second, second_parent, part),
            Form::Rows(m) => {
                let carried = second_parent.carried(node.shift);
                let mut x = extra.solve_diag(second.force);
                for k in 0..m as usize {
                    let (row, image, inverse) = node.row(extra, k);
                    x += image.scaled(row.dot(&carried) * inverse - second.projections[k]);
                }
                x
            }
        };
        match node.form {
            Form::Freedoms(0) => node.back_freedoms::<0, INNER, NO_LOADS>(extra, parent),
            Form::Freedoms(1) => node.back_freedoms::<1, INNER, NO_LOADS>(extra, parent),
            Form::Freedoms(2) => node.back_freedoms::<2, INNER, NO_LOADS>(extra, parent),
            Form::Freedoms(_) => node.back_freedoms::<3, INNER, NO_LOADS>(extra, parent),
            Form::Rows(m) => node.back_rows(extra, m as usize, *parent),
        };
        if node.is_point {
            (x.ang, node.x.ang) = (Vec3::ZERO, Vec3::ZERO);
        }
        second.x = x;
        let first = node.x;
        if loop_step != NONE {
            self.closures.answer_at(loop_step, [&first, &x]);
        }
        (first, x)
    }
}

struct ForwardBoth<'s, T: Lane>(&'s mut ArticulatedForest<T>, usize, T);
impl<T: Lane> Task for ForwardBoth<'_, T> {
    type Output = (Six<T>, Six<T>);
    #[inline(always)]
    fn run(self) -> Self::Output {
        self.0.forward_both_inlined(self.1, self.2)
    }
}

struct BackBoth<'s, T: Lane>(&'s mut ArticulatedForest<T>, usize, (&'s Six<T>, &'s Six<T>), T);
impl<T: Lane> Task for BackBoth<'_, T> {
    type Output = (Six<T>, Six<T>);
    #[inline(always)]
    fn run(self) -> Self::Output {
        self.0.back_both_inlined(self.1, self.2.0, self.2.1, self.3)
    }
}

struct BackAnyBoth<'s, T: Lane>(&'s mut ArticulatedForest<T>, usize, (&'s Six<T>, &'s Six<T>), T);
impl<T: Lane> Task for BackAnyBoth<'_, T> {
    type Output = (Six<T>, Six<T>);
    #[inline(always)]
    fn run(self) -> Self::Output {
        self.0.back_any_both_inlined(self.1, self.2.0, self.2.1, self.3)
    }
}

/// Both right-hand sides along a column of a root.
#[inline(always)]
fn along_root<T: Lane>(
    (n, image, inverse): (&Six<T>, &Six<T>, T),
    (force, second, gamma): (&Six<T>, &Six<T>, &Six<T>),
    effort: T,
    part: T,
) -> (T, T) {
    let of_gamma = image.dot(gamma);
    ((n.dot(force) - of_gamma + effort) * inverse, (n.dot(second) - of_gamma * part) * inverse)
}

/// Adds both right-hand sides of a node to the parent's sums: the last ones below `depth`, or new ones.
#[inline(always)]
fn add_both_to_parent<T: Lane>(node: &Node<T>, sums: Sums<'_, T>, (force, second): (Six<T>, Six<T>)) {
    let Sums { firsts, seconds, depth } = sums;
    if node.parent == NONE {
        return;
    }
    if node.is_first {
        (firsts[depth].1, seconds[depth]) = (force, second);
    } else {
        firsts[depth - 1].1 += force;
        seconds[depth - 1] += second;
    }
}

/// Sums of both right-hand sides for parents.
struct Sums<'s, T: Lane> {
    firsts: &'s mut [(Sym6<T>, Six<T>)],
    seconds: &'s mut [Six<T>],
    depth: usize,
}

impl<T: Lane> Node<T> {
    /// [`forward_both`](Node::forward_both) for one freedom; a leaf has no children.
    #[inline(always)]
    pub(super) fn forward_one_dof<const KIND: u8>(
        &mut self,
        second: &Six<T>,
        kept: &mut T,
        part: T,
    ) -> (Six<T>, Six<T>) {
        let image = self.times::<KIND>(&self.gamma);
        let r_second = match KIND {
            LEAF => -image.scaled(part),
            _ => *second - image.scaled(part),
        };
        let r = self.force - image;
        let (first, inverse, carried) = (self.first, self.inverse, self.carried_image);
        self.projection = (first.dot(&r) + self.effort) * inverse;
        *kept = first.dot(&r_second) * inverse;
        let left = r.carried_back(self.shift) - carried.scaled(self.projection);
        (left, r_second.carried_back(self.shift) - carried.scaled(*kept))
    }

    /// [`back_second`](Node::back_second) for one freedom.
    #[inline(always)]
    pub(super) fn back_one_dof_second(&self, kept: T, parent: &Six<T>, part: T) -> Six<T> {
        let s = kept - self.carried_image.dot(parent) * self.inverse;
        parent.carried(self.shift) + self.gamma.scaled(part) + self.first.scaled(s)
    }

    #[inline(always)]
    fn projections(&self, extra: &NodeExtra<T>) -> [T; MAX_COLUMNS] {
        [self.projection, extra.projections[0], extra.projections[1]]
    }

    /// [`forward_freedoms`](Node::forward_freedoms) of both right-hand sides.
    #[inline(always)]
    fn forward_both<const F: usize, const KIND: u8>(
        &mut self,
        extra: &mut NodeExtra<T>,
        second: &mut SecondRhs<T>,
        part: T,
    ) -> (Six<T>, Six<T>) {
        if KIND == ROOT {
            if F > 0 {
                let rhs = (&self.force, &second.force, &self.gamma);
                (self.projection, second.projections[0]) =
                    along_root((&self.first, &self.carried_image, self.inverse), rhs, self.effort, part);
            }
            let efforts = self.combined_efforts::<F>(extra);
            for k in 1..F {
                let column = (&extra.columns[k - 1], &extra.carried_images[k - 1], extra.inverses[k - 1]);
                let rhs = (&self.force, &second.force, &self.gamma);
                (extra.projections[k - 1], second.projections[k]) =
                    along_root(column, rhs, efforts[k - 1], part);
            }
            return (Six::ZERO, Six::ZERO);
        }
        let image = self.times::<KIND>(&self.gamma);
        // A leaf has no children, so its second force is zero.
        let r_second = match KIND {
            LEAF => -image.scaled(part),
            _ => second.force - image.scaled(part),
        };
        let r = self.force - image;
        let (mut left, mut left_second) = (r.carried_back(self.shift), r_second.carried_back(self.shift));
        if F > 0 {
            self.projection = (self.first.dot(&r) + self.effort) * self.inverse;
            second.projections[0] = self.first.dot(&r_second) * self.inverse;
            left -= self.carried_image.scaled(self.projection);
            left_second -= self.carried_image.scaled(second.projections[0]);
        }
        let efforts = self.combined_efforts::<F>(extra);
        for k in 1..F {
            let (n, image, inverse) =
                (&extra.columns[k - 1], &extra.carried_images[k - 1], extra.inverses[k - 1]);
            extra.projections[k - 1] = (n.dot(&r) + efforts[k - 1]) * inverse;
            second.projections[k] = n.dot(&r_second) * inverse;
            left -= image.scaled(extra.projections[k - 1]);
            left_second -= image.scaled(second.projections[k]);
        }
        (left, left_second)
    }

    /// x of the second right-hand side.
    #[inline(always)]
    fn back_second<const F: usize, const KIND: u8>(
        &self,
        extra: &NodeExtra<T>,
        second: &mut SecondRhs<T>,
        parent: &Six<T>,
        part: T,
    ) -> Six<T> {
        let own = self.gamma.scaled(part);
        let mut x = if KIND == ROOT { own } else { parent.carried(self.shift) + own };
        if F > 0 {
            let image = &self.carried_image;
            let s = less_part::<T, KIND>(second.projections[0], image, self.inverse, parent);
            x += self.first.scaled(s);
        }
        for k in 1..F {
            let (image, inverse) = (&extra.carried_images[k - 1], extra.inverses[k - 1]);
            let s = less_part::<T, KIND>(second.projections[k], image, inverse, parent);
            x += extra.columns[k - 1].scaled(s);
        }
        second.x = x;
        x
    }

    /// [`push`](Node::push) of the second right-hand side.
    fn push_second(&self, extra: &NodeExtra<T>, second: &mut SecondRhs<T>, push: &Six<T>) {
        second.force += *push;
        let count = match self.form {
            Form::Freedoms(f) => f,
            Form::Rows(m) => m,
        };
        for k in 0..count as usize {
            let (along, inverse) = match self.form {
                Form::Rows(_) => (self.row(extra, k).1, self.row(extra, k).2),
                Form::Freedoms(_) if k == 0 => (self.first, self.inverse),
                Form::Freedoms(_) => (extra.columns[k - 1], extra.inverses[k - 1]),
            };
            second.projections[k] += along.dot(push) * inverse;
        }
    }
}
