//! Several systems in lanes get the bits that each would get alone.

use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};
use std::sync::Arc;

use crate::common::{PLAIN, Random, Shape, fill, random_forest, solved};
use cardan_solve::{Lane, System, Tree};

/// Two numbers in lanes.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
struct Pair([f64; 2]);

impl Pair {
    fn zip(self, other: Pair, f: impl Fn(f64, f64) -> f64) -> Pair {
        Pair([f(self.0[0], other.0[0]), f(self.0[1], other.0[1])])
    }
}

macro_rules! lanewise {
    ($($op:ident $fun:ident $assign:ident $assign_fun:ident $sign:tt),*) => {$(
        impl $op for Pair {
            type Output = Pair;
            fn $fun(self, other: Pair) -> Pair {
                self.zip(other, |a, b| a $sign b)
            }
        }
        lanewise!(@ $assign $assign_fun $sign);
    )*};
    (@ None none $sign:tt) => {};
    (@ $assign:ident $assign_fun:ident $sign:tt) => {
        impl $assign for Pair {
            fn $assign_fun(&mut self, other: Pair) {
                *self = *self $sign other;
            }
        }
    };
}

lanewise!(Add add AddAssign add_assign +, Sub sub SubAssign sub_assign -, Mul mul MulAssign mul_assign *, Div div None none /);

impl Neg for Pair {
    type Output = Pair;
    fn neg(self) -> Pair {
        Pair(self.0.map(|a| -a))
    }
}

impl Lane for Pair {
    const ZERO: Pair = Pair([0.0; 2]);
    const ONE: Pair = Pair([1.0; 2]);
    fn splat(value: f64) -> Pair {
        Pair([value; 2])
    }
    fn sqrt(self) -> Pair {
        Pair(self.0.map(f64::sqrt))
    }
    fn abs(self) -> Pair {
        Pair(self.0.map(f64::abs))
    }
    fn with_sign_of(self, other: Pair) -> Pair {
        self.zip(other, f64::copysign)
    }
    fn magnitude(self) -> f64 {
        let [a, b] = self.0.map(f64::abs);
        if a.is_nan() || a > b { a } else { b }
    }
}

#[test]
fn lanes_do_not_change_the_bits() {
    let shape = Shape { tame: true, crowded: 0, parallel: 0, compliant: 0, ..PLAIN };
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let first = random_forest(&mut random, shape);
        let graph = Arc::clone(first.graph());
        let second = fill(&mut random, Arc::clone(&graph), shape);
        let mut both: System<Pair> = System::new(Arc::clone(&graph));
        let pair = |to: &mut [Pair], a: &[f64], b: &[f64]| {
            to.iter_mut().zip(a.iter().zip(b)).for_each(|(to, (a, b))| *to = Pair([*a, *b]));
        };
        for block in graph.all_blocks() {
            pair(both.mass_mut(block), first.mass(block), second.mass(block));
        }
        for link in graph.all_links() {
            for end in 0..graph.ends(link).len() {
                pair(both.jac_mut(link, end), first.jac(link, end), second.jac(link, end));
            }
        }
        pair(both.force_mut(), first.force(), second.force());
        pair(both.bias_mut(), first.bias(), second.bias());

        let mut tree: Tree<Pair> = Tree::new(&graph).unwrap();
        tree.factor(&both).unwrap();
        let (mut x, mut lambda) = (vec![Pair::ZERO; graph.unknowns()], vec![Pair::ZERO; graph.rows()]);
        tree.solve(both.force(), both.bias(), &mut x, &mut lambda);
        for (k, system) in [first, second].iter().enumerate() {
            let mut alone: Tree = Tree::new(&graph).unwrap();
            alone.factor(system).unwrap();
            if alone.split_blocks() + tree.split_blocks() > 0 {
                continue; // shared decisions by geometry may take the rows of a lane in another order
            }
            let (x_alone, lambda_alone) = solved(system, |f, c, x, l| alone.solve(f, c, x, l));
            let lane = |values: &[Pair]| values.iter().map(|pair| pair.0[k]).collect::<Vec<f64>>();
            assert_eq!((lane(&x), lane(&lambda)), (x_alone, lambda_alone), "seed {seed}, lane {k}");
        }
    }
}
