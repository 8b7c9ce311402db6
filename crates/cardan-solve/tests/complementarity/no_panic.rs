//! Arbitrary numbers give solutions or errors, never a panic and never an endless loop.

use super::Group;
use cardan_solve::complementarity::study::{self, Study};
use cardan_solve::complementarity::{
    ActiveSet, ConeSolver, ConstraintKind, ContactProblem, Lemke, ManyContacts, Problem,
};
use proptest::prelude::*;

/// Numbers of all kinds, ordinary ones most often.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -2.0..2.0,
        2 => Just(0.0),
        1 => Just(1.0),
        1 => Just(f64::NAN),
        1 => Just(f64::INFINITY),
        1 => Just(f64::MIN_POSITIVE),
        1 => Just(1e300),
        1 => Just(-1e-300),
    ]
}

fn group() -> impl Strategy<Value = Group> {
    prop_oneof![
        Just(Group::Held),
        Just(Group::OneSided),
        (number(), number()).prop_map(|(lo, hi)| Group::Bounded { lo, hi }),
        number().prop_map(|mu| Group::Cone { mu }),
        number().prop_map(|mu| Group::Wedge { mu }),
        (0usize..4, number()).prop_map(|(normal_row, mu)| Group::Scaled { normal_row, mu }),
    ]
}

/// Groups, and as many numbers as they need, or not quite; a symmetric matrix in half of the cases, the square of one in a quarter.
fn problem() -> impl Strategy<Value = (Vec<Group>, Vec<f64>, Vec<f64>)> {
    (prop::collection::vec(group(), 0..5), 0u8..10).prop_flat_map(|(groups, kind)| {
        let k: usize = groups.iter().map(|group| group.rows()).sum();
        let len = if kind == 9 { k + 1 } else { k };
        let numbers =
            prop::collection::vec(if kind < 7 { (-2.0..2.0).boxed() } else { number().boxed() }, len * len);
        (Just(groups), numbers, prop::collection::vec(number(), k)).prop_map(move |(groups, root, bias)| {
            let at = |i: usize, j: usize| root[i * k + j];
            let matrix = match kind {
                0..5 => (0..k * k).map(|e| (0..k).map(|c| at(e / k, c) * at(e % k, c)).sum()).collect(),
                5..7 => (0..k * k).map(|e| at(e / k, e % k) + at(e % k, e / k)).collect(),
                _ => root,
            };
            (groups, matrix, bias)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dense_methods_answer_or_refuse((groups, matrix, bias) in problem()) {
        let problem = Problem::new(&groups, &matrix, &bias);
        let mut exact = ActiveSet::new();
        if exact.solve(&problem).is_ok() {
            prop_assert!(exact.lambda().iter().all(|v| v.is_finite()));
            prop_assert_eq!(exact.unique(&problem).len(), bias.len());
        }
        let mut cones = ConeSolver::new();
        if cones.solve(&problem, Some(&bias)).is_ok() {
            prop_assert!(cones.lambda().iter().all(|v| v.is_finite()));
        }
        let mut lemke = Lemke::new();
        if lemke.solve(&problem).is_ok() {
            prop_assert!(lemke.lambda().iter().all(|v| v.is_finite()));
        }
        let mut handled = vec![true; bias.len()];
        let _ = study::insert_only(&mut Study::new(), &problem, &mut handled);
    }

    #[test]
    fn contact_problems_answer_or_refuse(
        masses in prop::collection::vec((number(), number()), 1..4),
        constraints in prop::collection::vec((0usize..5, 0usize..4, 0usize..5, prop::collection::vec(number(), 16)), 0..6),
    ) {
        let mut contacts = ContactProblem::new();
        for (mass, v) in masses {
            let _ = contacts.add_block(&[mass, 0.0, 0.0, 1.0], &[v, -v]);
        }
        for (kind, a, b, numbers) in constraints {
            let kind = match kind {
                0 => ConstraintKind::Held { rows: 1 + a },
                1 => ConstraintKind::OneSided,
                2 => ConstraintKind::Bounded { lo: numbers[14], hi: numbers[15] },
                3 => ConstraintKind::Cone { mu: numbers[15] },
                _ => ConstraintKind::Wedge { mu: numbers[15] },
            };
            let rows = kind.rows();
            let b = (b < 4).then_some(b);
            let second = if b.is_some() { &numbers[..2 * rows] } else { &[] };
            let _ = contacts.add_constraint(kind, [Some(a), b], [&numbers[..2 * rows], second], &numbers[..rows]);
        }
        let mut many = ManyContacts::new();
        if many.solve(&contacts, None).is_ok() {
            prop_assert!(many.lambda().iter().all(|v| v.is_finite()));
        }
    }
}
