//! The numbers of the paper: an acute corner with two forces, and the obtuse one that its last algorithm
//! fails in.

use super::Group;
use cardan_solve::complementarity::study::{self, Study};
use cardan_solve::complementarity::{ActiveSet, Problem};

/// g1 = x − y, g2 = y, mass m, force f: A = J Jᵀ / m, b = J f / m.
fn acute(m: f64, f: [f64; 2]) -> ([f64; 4], [f64; 2]) {
    ([2.0 / m, -1.0 / m, -1.0 / m, 1.0 / m], [(f[0] - f[1]) / m, f[1] / m])
}

/// ẍ = (f + Jᵀ λ) / m.
fn acceleration(m: f64, f: [f64; 2], lambda: &[f64]) -> [f64; 2] {
    [(f[0] + lambda[0]) / m, (f[1] - lambda[0] + lambda[1]) / m]
}

const ROWS: [Group; 2] = [Group::OneSided; 2];

fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance), "{a:?} {b:?}");
}

#[test]
fn platt_freezes_in_an_acute_corner_then_lets_go() {
    for m in [1.0, 2.0, 3.0] {
        let f = [2.0, -1.0];
        let (matrix, bias) = acute(m, f);
        let problem = Problem::new(&ROWS, &matrix, &bias);
        let mut handled = [true, true];
        let mut study = Study::new();
        study::platt(&mut study, &problem, &handled).unwrap();
        close(study.lambda(), &[-2.0, -1.0], 1e-15);
        close(&acceleration(m, f, study.lambda()), &[0.0, 0.0], 1e-15);
        study::platt_after(&study, &[false, false], &mut handled);
        assert_eq!(handled, [false, false]);
        study::platt(&mut study, &problem, &handled).unwrap();
        close(&acceleration(m, f, study.lambda()), &[2.0 / m, -1.0 / m], 1e-15);
        // Below y = 0 by then, so that it is handled again.
        study::platt_after(&study, &[false, true], &mut handled);
        assert_eq!(handled, [false, true]);
    }
}

#[test]
fn the_improved_rule_slides_along_one_side_and_goes_through_the_other() {
    let m = 2.0;
    let mut study = Study::new();
    let mut handled = [true, true];
    let f = [2.0, -1.0];
    let (matrix, bias) = acute(m, f);
    let problem = Problem::new(&ROWS, &matrix, &bias);
    study::platt_improved_start(&mut study, &problem, &mut handled).unwrap();
    assert_eq!(handled, [false, true]);
    study::platt_improved(&mut study, &problem, &handled).unwrap();
    close(study.lambda(), &[0.0, 1.0], 1e-15);
    close(&acceleration(m, f, study.lambda()), &[2.0 / m, 0.0], 1e-15);

    let f = [-1.0, -2.0];
    let (matrix, bias) = acute(m, f);
    let problem = Problem::new(&ROWS, &matrix, &bias);
    study::platt_improved_start(&mut study, &problem, &mut handled).unwrap();
    assert_eq!(handled, [false, true]);
    study::platt_improved(&mut study, &problem, &handled).unwrap();
    close(study.lambda(), &[0.0, 2.0], 1e-15);
    close(&acceleration(m, f, study.lambda()), &[-1.0 / m, 0.0], 1e-15);
    // One step late, both are handled.
    study::platt_improved_after(&study, &problem, &mut handled);
    assert_eq!(handled, [true, true]);
}

#[test]
fn inserting_until_nothing_tends_to_be_violated_satisfies_both_sides() {
    let f = [-1.0, -2.0];
    let (matrix, bias) = acute(1.0, f);
    let problem = Problem::new(&ROWS, &matrix, &bias);
    let (mut study, mut handled) = (Study::new(), [true, true]);
    study::insert_only(&mut study, &problem, &mut handled).unwrap();
    assert_eq!((handled, study.rounds()), ([true, true], 3));
    close(study.lambda(), &[1.0, 3.0], 1e-15);
    close(&acceleration(1.0, f, study.lambda()), &[0.0, 0.0], 1e-15);
    // The exact method agrees, here and where only one side is in contact.
    for f in [f, [2.0, -1.0]] {
        let (matrix, bias) = acute(1.0, f);
        let problem = Problem::new(&ROWS, &matrix, &bias);
        let mut exact = ActiveSet::new();
        exact.solve(&problem).unwrap();
        study::insert_only(&mut study, &problem, &mut handled).unwrap();
        close(study.lambda(), exact.lambda(), 1e-15);
    }
}

#[test]
fn inserting_only_glues_a_particle_in_an_obtuse_corner() {
    // g1 = y, g2 = 0.4359 x + 0.9 y, unit mass, f = (1.8353, −1).
    let (x, y) = (0.4359, 0.9);
    let matrix = [1.0, y, y, x * x + y * y];
    let bias = [-1.0, 1.8353 * x - y];
    let problem = Problem::new(&ROWS, &matrix, &bias);
    let (mut study, mut handled) = (Study::new(), [false, false]);
    study::insert_only(&mut study, &problem, &mut handled).unwrap();
    close(study.lambda(), &[4.789, -4.211], 1e-3);
    close(study.a(), &[0.0, 0.0], 1e-14);
    let mut exact = ActiveSet::new();
    exact.solve(&problem).unwrap();
    close(exact.lambda(), &[1.0, 0.0], 1e-15);
}
