//! Laws against finite differences and quadrature; refusals.

use super::*;

fn table(ends: TableEnds) -> Law {
    Table::new(ends, &[[0.5, 1.0], [1.0, 1.5], [2.5, -0.5], [3.0, 0.25]]).unwrap().into()
}

/// One of every kind.
fn all() -> Vec<Law> {
    let rows = [[0.2, 1.0], [1.1, 3.0], [2.0, -1.0]];
    vec![
        Law::Constant(2.5),
        Ramp { from: 1.0, to: -2.0, start: 0.4, duration: 1.3 }.into(),
        Ramp { from: 1.0, to: -2.0, start: -0.6, duration: 1.3 }.into(),
        Sine { amplitude: 0.7, frequency: 0.9, phase: 0.3, offset: -0.2 }.into(),
        Sine { amplitude: 0.7, frequency: 0.0, phase: 0.3, offset: -0.2 }.into(),
        Segments::new(Blend::Cubic, &rows).unwrap().into(),
        Segments::new(Blend::Quintic, &rows).unwrap().into(),
        table(TableEnds::Rest),
        table(TableEnds::Free),
        Nurbs::even(3, 0.1, 2.5, &[[0.0], [1.0], [-1.0], [2.0], [0.5]], &[1.0, 2.0, 0.5, 1.5, 1.0])
            .unwrap()
            .into(),
        Law::expression("0.3*sin(2*t + 1)^2 - exp(-t/3)*cos(t)/(1 + t^2)").unwrap(),
    ]
}

#[test]
fn derivatives_are_those_of_the_value() {
    let d = 1e-5;
    for law in all() {
        // Between the kinks, which are at tenths of a second.
        for t in [0.13, 0.77, 1.234, 1.87, 2.71, 4.03] {
            let (before, at, after) = (law.at(t - d), law.at(t), law.at(t + d));
            let rate = (after.value - before.value) / (2.0 * d);
            let second = (after.rate - before.rate) / (2.0 * d);
            assert!((rate - at.rate).abs() < 1e-7 * (1.0 + at.rate.abs()), "{law:?} at {t}: {rate} {at:?}");
            assert!(
                (second - at.second).abs() < 1e-6 * (1.0 + at.second.abs()),
                "{law:?} at {t}: {second} {at:?}"
            );
        }
    }
}

#[test]
fn closed_integrals_are_those_of_quadrature() {
    for law in all() {
        let mut sums = [0.0; 2];
        // Kinks are at tenths of a second, and the quadrature must not step over them.
        for i in 0..70 {
            let (from, to) = (0.05 * f64::from(i), 0.05 * f64::from(i + 1));
            let [first, second] = law.quadrature(from, to);
            sums = [sums[0] + first, sums[1] + sums[0] * (to - from) + second];
            if let Some(exact) = law.integrals(to) {
                for k in 0..2 {
                    assert!((exact[k] - sums[k]).abs() < 1e-12, "{law:?} to {to}: {exact:?} {sums:?}");
                }
            }
        }
    }
}

#[test]
fn a_law_is_as_smooth_as_it_says() {
    for law in all() {
        let smooth = law.smoothness();
        for tenth in 1..40 {
            let t = f64::from(tenth) / 10.0;
            let d = 1e-9;
            let (before, after) = (law.at(t - d), law.at(t + d));
            let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
            if smooth >= Smoothness::Value {
                assert!(near(before.value, after.value), "{law:?} at {t}");
            }
            if smooth >= Smoothness::Rate {
                assert!(near(before.rate, after.rate), "{law:?} at {t}");
            }
            if smooth >= Smoothness::Second {
                assert!(near(before.second, after.second), "{law:?} at {t}: {before:?} {after:?}");
            }
        }
    }
    let smooth: Vec<Smoothness> = all().iter().map(Law::smoothness).collect();
    use Smoothness::{All, Rate, Second, Value};
    assert_eq!(smooth, [All, Value, Value, All, All, Rate, Second, Rate, Second, Value, All]);
}

#[test]
fn tables_and_segments_pass_through_their_rows() {
    for law in [table(TableEnds::Rest), table(TableEnds::Free)] {
        for (t, v) in [(0.5, 1.0), (1.0, 1.5), (2.5, -0.5), (3.0, 0.25)] {
            assert!((law.at(t).value - v).abs() < 1e-14, "{law:?}");
        }
    }
    assert_eq!(table(TableEnds::Rest).at(7.0), Jet::constant(table(TableEnds::Rest).at(3.0).value));
    let quintic: Law = Segments::new(Blend::Quintic, &[[1.0, 2.0], [3.0, 5.0]]).unwrap().into();
    // Half way: 3/2 of the way over twice the time, at 15/8 of the mean speed.
    assert_eq!(quintic.at(2.0), Jet::new(3.5, 1.5 * 15.0 / 8.0, 0.0));
    assert_eq!(quintic.at(0.0), Jet::constant(2.0));
}

#[test]
fn a_spline_of_a_cubic_with_its_own_end_slopes_is_that_cubic() {
    // 3t² − 2t³ is at rest at 0 and 1, and its second derivative is continuous everywhere between.
    let rows: Vec<[f64; 2]> =
        [0.0, 0.1, 0.35, 0.6, 1.0].iter().map(|&t| [t, t * t * (3.0 - 2.0 * t)]).collect();
    let law: Law = Table::new(TableEnds::Rest, &rows).unwrap().into();
    for i in 0..=20 {
        let t = f64::from(i) / 20.0;
        assert!((law.at(t).value - t * t * (3.0 - 2.0 * t)).abs() < 1e-15, "{t}");
    }
}

#[test]
fn a_rational_quadratic_is_a_circle() {
    let half = core::f64::consts::FRAC_1_SQRT_2;
    let knots = [0.0, 0.0, 0.0, 2.0, 2.0, 2.0];
    let arc = Nurbs::<2>::new(2, &knots, &[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], &[1.0, half, 1.0]).unwrap();
    for i in 0..20 {
        let [x, y] = arc.at(0.1 * f64::from(i));
        let r = x * x + y * y;
        assert!((r.value - 1.0).abs() < 1e-15 && r.rate.abs() < 1e-15 && r.second.abs() < 1e-14, "{r:?}");
    }
    assert_eq!(arc.span(), [0.0, 2.0]);
}

#[test]
fn a_nurbs_joins_its_rest_as_its_points_coincide() {
    let smooth = |points: &[[f64; 1]]| Nurbs::even(5, 1.0, 2.0, points, &[]).unwrap().smoothness();
    assert_eq!(smooth(&[[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]), Smoothness::Value);
    assert_eq!(smooth(&[[0.0], [0.0], [2.0], [3.0], [5.0], [5.0]]), Smoothness::Rate);
    assert_eq!(smooth(&[[0.0], [0.0], [0.0], [5.0], [5.0], [5.0]]), Smoothness::Second);
    // An inner knot of multiplicity equal to the degree is a corner.
    let knots = [0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0];
    let corner = Nurbs::new(2, &knots, &[[0.0], [0.0], [1.0], [0.0], [0.0]], &[]).unwrap();
    assert_eq!(corner.smoothness(), Smoothness::Value);
}

#[test]
fn formulas_are_read_as_in_mathematics() {
    let value = |text: &str| Law::expression(text).unwrap_or_else(|e| panic!("{text}: {e}")).at(2.0).value;
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("-2^2", -4.0),
        ("2^3^2", 512.0),
        ("2**-1", 0.5),
        ("8/4/2", 1.0),
        ("7 - 4 - 2", 1.0),
        ("-(t - 5)", 3.0),
        ("--t", 2.0),
        ("1.5e1 + .5", 15.5),
        ("max(t, 3) - min(t, 3)", 1.0),
        ("clamp(10*t, 0, 5)", 5.0),
        ("step(t - 3) + step(t - 2)", 1.0),
        ("sign(-t) + floor(t/3) + ceil(t/3)", 0.0),
        ("abs(1 - t)", 1.0),
        ("smoothstep(t/4) + smootherstep(t/4)", 1.0),
        ("pow(t, 3) + sqrt(t + 2) + cbrt(4*t)", 12.0),
        ("log10(50*t) + ln(e)", 3.0),
        ("t^0", 1.0),
    ] {
        assert!((value(text) - expected).abs() < 1e-14, "{text} is {}", value(text));
    }
    assert!((value("cos(pi) + sin(tau/4)")).abs() < 1e-15);
}

#[test]
fn every_function_has_its_derivatives() {
    let d = 1e-5;
    for text in [
        "sin(t)",
        "cos(t)",
        "tan(t)",
        "asin(t/3)",
        "acos(t/3)",
        "atan(t)",
        "atan2(t, 2 - t)",
        "atan2(sin(3*t), cos(3*t))",
        "sinh(t)",
        "cosh(t)",
        "tanh(t)",
        "exp(t)",
        "ln(t)",
        "log10(t)",
        "sqrt(t)",
        "cbrt(t)",
        "t^2.5",
        "t^3",
        "2^t",
        "t^t",
        "abs(sin(5*t))",
        "min(t, 2*t^2)",
        "max(t, 2*t^2)",
        "clamp(t^2, 0.1, 0.9)",
        "smoothstep(t)",
        "smootherstep(t)",
        "1/t",
        "t*t/(1 + t)",
        "(t - 2)^2",
    ] {
        let law = Law::expression(text).unwrap();
        for t in [0.21, 0.66, 0.83] {
            let (before, at, after) = (law.at(t - d), law.at(t), law.at(t + d));
            let rate = (after.value - before.value) / (2.0 * d);
            let second = (after.rate - before.rate) / (2.0 * d);
            assert!((rate - at.rate).abs() < 1e-7 * (1.0 + at.rate.abs()), "{text} at {t}: {rate} {at:?}");
            assert!(
                (second - at.second).abs() < 1e-6 * (1.0 + at.second.abs()),
                "{text} at {t}: {second} {at:?}"
            );
        }
    }
}

#[test]
fn formulas_say_how_smooth_they_are() {
    let smooth = |text: &str| Law::expression(text).unwrap().smoothness();
    assert_eq!(smooth("sin(t) + abs(-3)"), Smoothness::All);
    assert_eq!(smooth("step(t - 1)*t"), Smoothness::Jumps);
    assert_eq!(smooth("abs(t - 1)"), Smoothness::Value);
    assert_eq!(smooth("smoothstep(t)"), Smoothness::Rate);
    assert_eq!(smooth("smootherstep(t)"), Smoothness::Second);
    assert_eq!(smooth("smootherstep(abs(t))"), Smoothness::Value);
}

#[test]
fn powers_at_zero_are_finite() {
    for text in ["t^5", "t^2", "t^1", "t^0", "t*0 + 0^2", "sqrt(0)"] {
        let jet = Law::expression(text).unwrap().at(0.0);
        assert!(jet.is_finite(), "{text}: {jet:?}");
    }
    assert!(!Law::expression("sqrt(t)").unwrap().at(0.0).is_finite());
    assert!(!Law::expression("1/t").unwrap().at(0.0).is_finite());
    assert!(!Law::expression("ln(t - 1)").unwrap().at(0.0).is_finite());
}

#[test]
fn mistakes_in_formulas_have_a_column() {
    use ExpressionFault as F;
    let deep = format!("{}t{}", "(".repeat(500), ")".repeat(500));
    let wide = "t+(".repeat(60) + "t" + &")".repeat(60);
    let long = "t+".repeat(6000) + "t";
    for (text, column) in [
        ("", 1),
        ("1 +", 4),
        ("2 * (t + 1", 11),
        ("t)", 2),
        ("2 t", 3),
        ("sin t", 1),
        ("foo(t)", 1),
        ("3*speed", 3),
        ("atan2(t)", 1),
        ("sin()", 1),
        ("1 + min(t, 2, 3)", 5),
        ("1..2", 1),
        ("1e999", 1),
        ("t # 2", 3),
        ("ünder + 1", 1),
        ("(1, 2)", 3),
    ] {
        let error = Expression::parse(text).unwrap_err();
        assert_eq!(error.column, column, "{text}: {error}");
    }
    assert_eq!(Expression::parse(&deep).unwrap_err().fault, F::TooDeep);
    assert_eq!(Expression::parse(&wide).unwrap_err().fault, F::TooDeep);
    assert_eq!(Expression::parse(&long).unwrap_err().fault, F::TooLong);
    assert_eq!(Expression::parse("foo(t)").unwrap_err().fault, F::UnknownFunction { name: "foo".into() });
    let message = Law::expression("3*sinn(t)").unwrap_err().to_string();
    assert!(message.starts_with("column 3: there is no function `sinn`; there are sin, cos"), "{message}");
}

#[test]
fn bad_laws_are_refused_by_what_is_wrong() {
    let rows = |rows: &[[f64; 2]]| Table::new(TableEnds::Rest, rows).unwrap_err().to_string();
    assert_eq!(
        rows(&[[0.0, 1.0]]),
        "there are 1 rows; a law through rows of [time, value] needs at least two"
    );
    assert!(rows(&[[0.0, 1.0], [2.0, 1.0], [1.0, 0.0]]).starts_with("row 2 is at 1 s, not after"));
    assert!(rows(&[[0.0, 1.0], [0.0, 2.0]]).starts_with("row 1 is at 0 s"));
    assert!(rows(&[[0.0, f64::NAN], [1.0, 2.0]]).contains("NaN"));

    let points = [[0.0], [1.0], [2.0], [3.0]];
    let knots = |degree, knots: &[f64]| Nurbs::new(degree, knots, &points, &[]).unwrap_err();
    assert!(matches!(
        knots(2, &[0.0, 0.0, 0.0, 1.0, 1.0]),
        LawError::KnotCount { have: 5, points: 4, degree: 2 }
    ));
    assert!(matches!(knots(4, &[0.0; 9]), LawError::Degree { .. }));
    assert!(matches!(knots(0, &[0.0; 5]), LawError::Degree { .. }));
    let falls = knots(2, &[0.0, 0.0, 0.0, 2.0, 1.0, 1.0, 1.0]);
    assert!(matches!(falls, LawError::Knot { knot: 4, .. }), "{falls}");
    assert!(matches!(knots(2, &[0.0, 0.0, 0.1, 0.5, 1.0, 1.0, 1.0]), LawError::Knot { knot: 2, .. }));
    assert!(matches!(knots(2, &[0.0, 0.0, 0.0, 0.5, 0.9, 1.0, 1.0]), LawError::Knot { knot: 4, .. }));
    assert!(matches!(knots(2, &[0.0; 7]), LawError::Knot { .. }));
    assert!(matches!(knots(2, &[0.0, 0.0, 0.0, f64::NAN, 1.0, 1.0, 1.0]), LawError::Knot { knot: 3, .. }));
    let weights = Nurbs::even(2, 0.0, 1.0, &points, &[1.0, 0.0, 1.0, 1.0]).unwrap_err();
    assert_eq!(weights.to_string(), "weight 1 is 0; weights must be positive");
    assert!(Nurbs::even(2, 0.0, 1.0, &points, &[1.0]).is_err());
    assert!(matches!(Nurbs::even(2, 0.0, 0.0, &points, &[]), Err(LawError::NoDuration { .. })));

    assert!(Law::Constant(f64::INFINITY).check().is_err());
    assert!(Law::from(Ramp { duration: 0.0, ..Ramp::default() }).check().is_err());
    assert!(Law::from(Sine { frequency: f64::NAN, ..Sine::default() }).check().is_err());
}
