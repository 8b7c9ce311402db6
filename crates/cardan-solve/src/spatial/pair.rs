//! Two right sides in one sweep: any one, and with it the part of the links alone, F = 0 and γ and all biases `part` times what they are.
//!
//! D γ, and what closures gain by γ, are the same for both up to that factor.

use super::kernel::less_part;
use super::{Form, INNER, LEAF, Limb, MOST, More, NO_LOADS, ROOT, Spatial};
use crate::graph::NONE;
use crate::lane::{Lane, Task};
use crate::math::{Six, Sym6, Vec3};

/// What a place keeps of the second right side.
#[derive(Copy, Clone, Debug)]
pub(super) struct Second<T: Lane> {
    pub(super) force: Six<T>,
    projections: [T; MOST],
    x: Six<T>,
}

impl<T: Lane> Default for Second<T> {
    fn default() -> Self {
        Second { force: Six::ZERO, projections: [T::ZERO; MOST], x: Six::ZERO }
    }
}

/// Whoever writes right sides and takes the unknowns of both.
pub trait Sides<T: Lane> {
    /// Writes `force` and `gamma` (or biases) of a place.
    fn right(&mut self, at: usize, limb: &mut Limb<T>, more: &mut More<T>);
    /// Takes the unknowns of a place as soon as they are known, parents first.
    fn answer(&mut self, at: usize, x: &Six<T>, second: &Six<T>);
}

/// From two closures.
impl<T: Lane, F, A> Sides<T> for (F, A)
where
    F: FnMut(usize, &mut Limb<T>, &mut More<T>),
    A: FnMut(usize, &Six<T>, &Six<T>),
{
    #[inline(always)]
    fn right(&mut self, at: usize, limb: &mut Limb<T>, more: &mut More<T>) {
        (self.0)(at, limb, more);
    }
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six<T>, second: &Six<T>) {
        (self.1)(at, x, second);
    }
}

impl<T: Lane> Spatial<T> {
    /// Solves with the factor at hand, as [`solve`](Spatial::solve) does, and for γ and biases times `part` without any force. Limbs and closures have those of the first. Loads are not found.
    #[inline(always)]
    pub fn solve_pair(&mut self, part: T, sides: &mut impl Sides<T>) {
        self.pair_forward(part, sides);
        self.closures.meet_bias_on_ground::<2>();
        self.closures.answer_on_ground::<2>();
        self.pair_backward(part, sides);
    }

    /// From leaves to roots; what closures that meet on the ground leave is to come.
    #[inline(always)]
    pub fn pair_forward(&mut self, part: T, sides: &mut impl Sides<T>) {
        let mut depth = 0;
        self.second_projections.resize(self.limbs.len(), T::ZERO);
        self.seconds.resize(self.more.len(), Second::default());
        self.closures.load_sides();
        self.closures.load_second_sides(part);
        for at in 0..self.limbs.len() {
            let own = self.more_at[at] as usize;
            let (limb, more) = (&mut self.limbs[at], &mut self.more[own]);
            sides.right(at, limb, more);
            depth -= usize::from(limb.has_children);
            let sums = Sums { firsts: &mut self.sums, seconds: &mut self.second_sums, depth };
            // Every kernel hands on what is left by itself, as in the elimination.
            if limb.is_plain() {
                let kept = &mut self.second_projections[at];
                if limb.has_children {
                    limb.force += sums.firsts[depth].1;
                    let second = sums.seconds[depth];
                    let both = limb.forward_one::<INNER>(&second, kept, part);
                    hand_both(limb, sums, both);
                } else {
                    let both = limb.forward_one::<LEAF>(&Six::ZERO, kept, part);
                    hand_both(limb, sums, both);
                }
            } else if limb.is_ball {
                let kept = &mut self.seconds[own].force;
                *kept = Six::ZERO;
                if limb.has_children {
                    limb.force += sums.firsts[depth].1;
                    *kept = sums.seconds[depth];
                }
                let handed = limb.forward_ball();
                let both = (handed, limb.forward_ball_second(kept, part));
                hand_both(limb, sums, both);
                if limb.stop != NONE {
                    self.closures.pass_biases_of_ball(limb, kept, part);
                }
            } else {
                self.seconds[own].force = Six::ZERO;
                if limb.has_children {
                    limb.force += sums.firsts[depth].1;
                    self.seconds[own].force = sums.seconds[depth];
                }
                let both = self.forward_pair(at, part);
                let sums = Sums { firsts: &mut self.sums, seconds: &mut self.second_sums, depth };
                hand_both(&self.limbs[at], sums, both);
            }
            depth += usize::from(self.limbs[at].is_first);
        }
    }

    /// And back, once closures that meet on the ground have their answers.
    #[inline(always)]
    pub fn pair_backward(&mut self, part: T, sides: &mut impl Sides<T>) {
        let mut last_second = Six::ZERO;
        for at in (0..self.limbs.len()).rev() {
            let own = self.more_at[at] as usize;
            let (here, above) = self.limbs.split_at_mut(at + 1);
            let limb = &mut here[at];
            // The parent is mostly the place before; then its second answer is the last one.
            let (parent, second) = match limb.parent {
                NONE => (&Six::ZERO, &Six::ZERO),
                parent if parent as usize == at + 1 => (&above[0].x, &last_second),
                parent => {
                    let second = self.more_at[parent as usize] as usize;
                    (&above[parent as usize - at - 1].x, &self.seconds[second].x)
                }
            };
            if limb.is_plain() {
                let x = limb.back_one(parent);
                let x_second = limb.back_one_second(self.second_projections[at], second, part);
                last_second = x_second;
                if own != 0 {
                    self.seconds[own].x = x_second;
                }
                sides.answer(at, &x, &x_second);
            } else if limb.is_ball {
                let mut force = self.seconds[own].force;
                if limb.stop != NONE {
                    let (push, second_push) = self.closures.push_both::<3>(limb.stop);
                    limb.carried_image.ang += Vec3::new(push[0], push[1], push[2]);
                    force.ang += Vec3::new(second_push[0], second_push[1], second_push[2]);
                }
                let x = limb.back_ball(parent).0;
                let x_second = limb.back_ball_second(&force, second, part);
                last_second = x_second;
                self.seconds[own].x = x_second;
                sides.answer(at, &x, &x_second);
            } else {
                let (parent, second) = (*parent, *second);
                let (x, x_second) = self.back_pair(at, &parent, &second, part);
                last_second = x_second;
                sides.answer(at, &x, &x_second);
            }
        }
    }

    #[inline(never)]
    pub(super) fn forward_pair(&mut self, at: usize, part: T) -> (Six<T>, Six<T>) {
        T::within(ForwardPair(self, at, part))
    }

    #[inline(always)]
    fn forward_pair_within(&mut self, at: usize, part: T) -> (Six<T>, Six<T>) {
        let own = self.more_at[at] as usize;
        let (limb, more, second) = (&mut self.limbs[at], &mut self.more[own], &mut self.seconds[own]);
        if limb.is_point {
            limb.force.ang = Vec3::ZERO;
            second.force.ang = Vec3::ZERO;
        }
        if limb.stop != NONE {
            self.closures.meet_bias_at(limb.stop, [&mut limb.force, &mut second.force]);
        }
        let forces = match (limb.form, limb.kind) {
            (Form::Freedoms(1), ROOT) => limb.forward_pair::<1, ROOT>(more, second, part),
            (Form::Freedoms(1), LEAF) => limb.forward_pair::<1, LEAF>(more, second, part),
            (Form::Freedoms(1), _) => limb.forward_pair::<1, INNER>(more, second, part),
            (Form::Freedoms(0), _) => limb.forward_pair::<0, INNER>(more, second, part),
            (Form::Freedoms(2), _) => limb.forward_pair::<2, INNER>(more, second, part),
            (Form::Freedoms(_), ROOT) => limb.forward_pair::<3, ROOT>(more, second, part),
            (Form::Freedoms(_), LEAF) => limb.forward_pair::<3, LEAF>(more, second, part),
            (Form::Freedoms(_), _) => limb.forward_pair::<3, INNER>(more, second, part),
            (Form::Rows(m), _) => {
                // The second first, with what it has of force and biases.
                let (force, bias) = (limb.force, more.bias);
                limb.force = second.force;
                for c in &mut more.bias {
                    *c *= part;
                }
                let handed = limb.forward_rows(more, m as usize);
                second.projections = limb.projections(more);
                (limb.force, more.bias) = (force, bias);
                (limb.forward_rows(more, m as usize), handed)
            }
        };
        if limb.stop != NONE {
            self.closures.pass_pair(limb.stop, limb, more, (&second.force, &second.projections), part);
        }
        forces
    }

    /// The answers of both at any place.
    #[inline(never)]
    pub(super) fn back_pair(
        &mut self,
        at: usize,
        parent: &Six<T>,
        second_parent: &Six<T>,
        part: T,
    ) -> (Six<T>, Six<T>) {
        T::within(BackPair(self, at, (parent, second_parent), part))
    }

    #[inline(always)]
    fn back_pair_within(
        &mut self,
        at: usize,
        parent: &Six<T>,
        second_parent: &Six<T>,
        part: T,
    ) -> (Six<T>, Six<T>) {
        let own = self.more_at[at] as usize;
        let (limb, more, second) = (&mut self.limbs[at], &mut self.more[own], &mut self.seconds[own]);
        let stop = limb.stop;
        if limb.is_point || !matches!(limb.form, Form::Freedoms(1 | 3)) {
            return self.back_any_pair(at, parent, second_parent, part);
        }
        if stop != NONE {
            if limb.form == Form::Freedoms(1) {
                let ([push], [second_push]) = self.closures.push_both::<1>(stop);
                limb.projection += push * limb.inverse;
                second.projections[0] += second_push * limb.inverse;
            } else {
                let (push, second_push) = self.closures.push_both::<3>(stop);
                let inverses = [limb.inverse, more.inverses[0], more.inverses[1]];
                limb.projection += push[0] * inverses[0];
                for k in 1..3 {
                    more.projections[k - 1] += push[k] * inverses[k];
                }
                for k in 0..3 {
                    second.projections[k] += second_push[k] * inverses[k];
                }
            }
        }
        let x = match (limb.form, limb.kind) {
            (Form::Freedoms(1), ROOT) => {
                limb.back_freedoms::<1, ROOT, NO_LOADS>(more, parent);
                limb.back_second::<1, ROOT>(more, second, second_parent, part)
            }
            (Form::Freedoms(1), _) => {
                limb.back_freedoms::<1, INNER, NO_LOADS>(more, parent);
                limb.back_second::<1, INNER>(more, second, second_parent, part)
            }
            (_, ROOT) => {
                limb.back_freedoms::<3, ROOT, NO_LOADS>(more, parent);
                limb.back_second::<3, ROOT>(more, second, second_parent, part)
            }
            _ => {
                limb.back_freedoms::<3, INNER, NO_LOADS>(more, parent);
                limb.back_second::<3, INNER>(more, second, second_parent, part)
            }
        };
        let first = limb.x;
        if stop != NONE && self.closures.meet_at_stop(stop) {
            self.closures.answer_at(stop, [&first, &x]);
        }
        (first, x)
    }

    /// The same where there are no short ways.
    #[inline(never)]
    fn back_any_pair(
        &mut self,
        at: usize,
        parent: &Six<T>,
        second_parent: &Six<T>,
        part: T,
    ) -> (Six<T>, Six<T>) {
        T::within(BackAnyPair(self, at, (parent, second_parent), part))
    }

    #[inline(always)]
    fn back_any_pair_within(
        &mut self,
        at: usize,
        parent: &Six<T>,
        second_parent: &Six<T>,
        part: T,
    ) -> (Six<T>, Six<T>) {
        let own = self.more_at[at] as usize;
        let (limb, more, second) = (&mut self.limbs[at], &mut self.more[own], &mut self.seconds[own]);
        let stop = limb.stop;
        if stop != NONE {
            let (push, second_push) = (self.closures.push(stop, 0), self.closures.push(stop, 1));
            limb.push(more, &push);
            limb.push_second(more, second, &second_push);
        }
        let mut x = match limb.form {
            Form::Freedoms(0) => limb.back_second::<0, INNER>(more, second, second_parent, part),
            Form::Freedoms(1) => limb.back_second::<1, INNER>(more, second, second_parent, part),
            Form::Freedoms(2) => limb.back_second::<2, INNER>(more, second, second_parent, part),
            Form::Freedoms(_) => limb.back_second::<3, INNER>(more, second, second_parent, part),
            Form::Rows(m) => {
                let carried = second_parent.carried(limb.shift);
                let mut x = more.solve_diag(second.force);
                for k in 0..m as usize {
                    let (row, image, inverse) = limb.row(more, k);
                    x += image.scaled(row.dot(&carried) * inverse - second.projections[k]);
                }
                x
            }
        };
        match limb.form {
            Form::Freedoms(0) => limb.back_freedoms::<0, INNER, NO_LOADS>(more, parent),
            Form::Freedoms(1) => limb.back_freedoms::<1, INNER, NO_LOADS>(more, parent),
            Form::Freedoms(2) => limb.back_freedoms::<2, INNER, NO_LOADS>(more, parent),
            Form::Freedoms(_) => limb.back_freedoms::<3, INNER, NO_LOADS>(more, parent),
            Form::Rows(m) => limb.back_rows(more, m as usize, *parent),
        };
        if limb.is_point {
            (x.ang, limb.x.ang) = (Vec3::ZERO, Vec3::ZERO);
        }
        second.x = x;
        let first = limb.x;
        if stop != NONE {
            self.closures.answer_at(stop, [&first, &x]);
        }
        (first, x)
    }
}

struct ForwardPair<'s, T: Lane>(&'s mut Spatial<T>, usize, T);
impl<T: Lane> Task for ForwardPair<'_, T> {
    type Output = (Six<T>, Six<T>);
    #[inline(always)]
    fn run(self) -> Self::Output {
        self.0.forward_pair_within(self.1, self.2)
    }
}

struct BackPair<'s, T: Lane>(&'s mut Spatial<T>, usize, (&'s Six<T>, &'s Six<T>), T);
impl<T: Lane> Task for BackPair<'_, T> {
    type Output = (Six<T>, Six<T>);
    #[inline(always)]
    fn run(self) -> Self::Output {
        self.0.back_pair_within(self.1, self.2.0, self.2.1, self.3)
    }
}

struct BackAnyPair<'s, T: Lane>(&'s mut Spatial<T>, usize, (&'s Six<T>, &'s Six<T>), T);
impl<T: Lane> Task for BackAnyPair<'_, T> {
    type Output = (Six<T>, Six<T>);
    #[inline(always)]
    fn run(self) -> Self::Output {
        self.0.back_any_pair_within(self.1, self.2.0, self.2.1, self.3)
    }
}

/// Both right sides along a column of a root.
#[inline(always)]
fn along_root<T: Lane>(
    (n, image, inverse): (&Six<T>, &Six<T>, T),
    (force, second, gamma): (&Six<T>, &Six<T>, &Six<T>),
    part: T,
) -> (T, T) {
    let of_gamma = image.dot(gamma);
    ((n.dot(force) - of_gamma) * inverse, (n.dot(second) - of_gamma * part) * inverse)
}

/// Adds what is left of both to the parent's sums, the last of `depth` or new ones.
#[inline(always)]
fn hand_both<T: Lane>(limb: &Limb<T>, sums: Sums<'_, T>, (force, second): (Six<T>, Six<T>)) {
    let Sums { firsts, seconds, depth } = sums;
    if limb.parent == NONE {
        return;
    }
    if limb.is_first {
        (firsts[depth].1, seconds[depth]) = (force, second);
    } else {
        firsts[depth - 1].1 += force;
        seconds[depth - 1] += second;
    }
}

/// What children have left to their parents, of both.
struct Sums<'s, T: Lane> {
    firsts: &'s mut [(Sym6<T>, Six<T>)],
    seconds: &'s mut [Six<T>],
    depth: usize,
}

impl<T: Lane> Limb<T> {
    /// [`forward_pair`](Limb::forward_pair) for one freedom; a leaf was handed nothing.
    #[inline(always)]
    pub(super) fn forward_one<const KIND: u8>(
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
        self.projection = first.dot(&r) * inverse;
        *kept = first.dot(&r_second) * inverse;
        let left = r.carried_back(self.shift) - carried.scaled(self.projection);
        (left, r_second.carried_back(self.shift) - carried.scaled(*kept))
    }

    /// [`back_second`](Limb::back_second) for one freedom.
    #[inline(always)]
    pub(super) fn back_one_second(&self, kept: T, parent: &Six<T>, part: T) -> Six<T> {
        let s = kept - self.carried_image.dot(parent) * self.inverse;
        parent.carried(self.shift) + self.gamma.scaled(part) + self.first.scaled(s)
    }

    #[inline(always)]
    fn projections(&self, more: &More<T>) -> [T; MOST] {
        [self.projection, more.projections[0], more.projections[1]]
    }

    /// [`forward_freedoms`](Limb::forward_freedoms) of both.
    #[inline(always)]
    fn forward_pair<const F: usize, const KIND: u8>(
        &mut self,
        more: &mut More<T>,
        second: &mut Second<T>,
        part: T,
    ) -> (Six<T>, Six<T>) {
        if KIND == ROOT {
            if F > 0 {
                let sides = (&self.force, &second.force, &self.gamma);
                (self.projection, second.projections[0]) =
                    along_root((&self.first, &self.carried_image, self.inverse), sides, part);
            }
            for k in 1..F {
                let column = (&more.columns[k - 1], &more.carried_images[k - 1], more.inverses[k - 1]);
                let sides = (&self.force, &second.force, &self.gamma);
                (more.projections[k - 1], second.projections[k]) = along_root(column, sides, part);
            }
            return (Six::ZERO, Six::ZERO);
        }
        let image = self.times::<KIND>(&self.gamma);
        // Nobody has handed anything to a leaf.
        let r_second = match KIND {
            LEAF => -image.scaled(part),
            _ => second.force - image.scaled(part),
        };
        let r = self.force - image;
        let (mut left, mut left_second) = (r.carried_back(self.shift), r_second.carried_back(self.shift));
        if F > 0 {
            self.projection = self.first.dot(&r) * self.inverse;
            second.projections[0] = self.first.dot(&r_second) * self.inverse;
            left -= self.carried_image.scaled(self.projection);
            left_second -= self.carried_image.scaled(second.projections[0]);
        }
        for k in 1..F {
            let (n, image, inverse) =
                (&more.columns[k - 1], &more.carried_images[k - 1], more.inverses[k - 1]);
            more.projections[k - 1] = n.dot(&r) * inverse;
            second.projections[k] = n.dot(&r_second) * inverse;
            left -= image.scaled(more.projections[k - 1]);
            left_second -= image.scaled(second.projections[k]);
        }
        (left, left_second)
    }

    /// x of the second.
    #[inline(always)]
    fn back_second<const F: usize, const KIND: u8>(
        &self,
        more: &More<T>,
        second: &mut Second<T>,
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
            let (image, inverse) = (&more.carried_images[k - 1], more.inverses[k - 1]);
            let s = less_part::<T, KIND>(second.projections[k], image, inverse, parent);
            x += more.columns[k - 1].scaled(s);
        }
        second.x = x;
        x
    }

    /// [`push`](Limb::push) of the second.
    fn push_second(&self, more: &More<T>, second: &mut Second<T>, push: &Six<T>) {
        second.force += *push;
        let count = match self.form {
            Form::Freedoms(f) => f,
            Form::Rows(m) => m,
        };
        for k in 0..count as usize {
            let (along, inverse) = match self.form {
                Form::Rows(_) => (self.row(more, k).1, self.row(more, k).2),
                Form::Freedoms(_) if k == 0 => (self.first, self.inverse),
                Form::Freedoms(_) => (more.columns[k - 1], more.inverses[k - 1]),
            };
            second.projections[k] += along.dot(push) * inverse;
        }
    }
}
