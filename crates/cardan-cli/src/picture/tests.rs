//! Properties of every picture for any data: well-formed, the same bytes each time, only finite numbers.

use super::chart::{Chart, Panel, Series};
use super::png::png;

pub(in crate::picture) fn check(svg: &str) {
    let document = resvg::usvg::roxmltree::Document::parse(svg).expect("well-formed XML");
    assert_eq!(document.root_element().tag_name().name(), "svg");
    for node in document.descendants() {
        for attribute in node.attributes() {
            if attribute.name() != "aria-label" {
                let value = attribute.value();
                assert!(!value.contains("NaN") && !value.contains("inf"), "{}: {value}", attribute.name());
            }
        }
    }
}

/// Pictures to look at are written where `CARDAN_PICTURES` says.
pub(in crate::picture) fn show(name: &str, svg: &str) {
    if let Ok(folder) = std::env::var("CARDAN_PICTURES") {
        std::fs::write(format!("{folder}/{name}.png"), png(svg, super::png::CRISP).unwrap()).unwrap();
        std::fs::write(format!("{folder}/{name}.svg"), svg).unwrap();
    }
}

fn series(name: &str, count: usize, f: impl Fn(f64) -> f64) -> Series {
    let points = (0..count).map(|i| i as f64 * 10.0 / count as f64).map(|t| [t, f(t)]).collect();
    Series { name: name.into(), points }
}

fn energies() -> Chart {
    let noise = |t: f64| ((t * 91.7).sin() * 43_758.5).fract() * 3e-15;
    Chart {
        title: "Double pendulum: energies and joint angles".into(),
        x_label: "time [s]".into(),
        panels: vec![
            Panel {
                y_label: "energy [J]".into(),
                series: vec![
                    series("kinetic", 20_000, |t| 8.0 + 8.0 * (3.0 * t).sin() * (0.7 * t).cos()),
                    series("potential", 20_000, |t| -8.0 - 8.0 * (3.0 * t).sin() * (0.7 * t).cos()),
                    series("total", 20_000, |_| 0.0),
                ],
            },
            Panel { y_label: "balance error".into(), series: vec![series("balance error", 20_000, noise)] },
            Panel {
                y_label: "joint angle [rad]".into(),
                series: vec![
                    series("shoulder.θ", 2000, |t| (2.1 * t).sin() * 1.3),
                    series("elbow.θ", 2000, |t| {
                        if (4.0..5.0).contains(&t) { f64::NAN } else { t * (1.3 * t).sin() }
                    }),
                ],
            },
        ],
    }
}

#[test]
fn a_chart_is_well_formed_and_always_the_same() {
    let svg = energies().svg();
    check(&svg);
    assert_eq!(svg, energies().svg());
    assert!(svg.len() < 500_000, "large data is thinned, got {} bytes", svg.len());
    show("chart", &svg);
}

#[test]
fn hard_data_makes_a_chart_too() {
    let one = |name: &str, points: Vec<[f64; 2]>| Panel {
        y_label: name.into(),
        series: vec![Series { name: "a".into(), points }],
    };
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let cases = vec![
        one("empty", vec![]),
        one("one point", vec![[1.0, 2.0]]),
        one("nothing finite", vec![[nan, 1.0], [1.0, inf], [-inf, nan]]),
        one("constant", vec![[0.0, 3.7], [1.0, 3.7]]),
        one("huge", vec![[0.0, f64::MAX], [1.0, -f64::MAX], [2.0, 1e299], [3.0, -1e299]]),
        one("tiny", vec![[0.0, 5e-324], [1.0, 1e-300], [2.0, 3e-299]]),
        one("far from zero", vec![[0.0, 1_234_567.000_1], [1.0, 1_234_567.000_7]]),
        one("wide", vec![[0.0, 1e-9], [1.0, 1e9]]),
        one("same place", vec![[1.0, 1.0], [1.0, 2.0]]),
        one("<&\"'> \u{1} \u{ffff} ünïcode 漢", vec![[0.0, 0.0], [nan, nan], [1.0, 1e-17]]),
    ];
    for case in &cases {
        check(&Chart { title: case.y_label.clone(), x_label: "t".into(), panels: vec![case.clone()] }.svg());
    }
    let all = Chart { title: "Hard cases".into(), x_label: "time [s]".into(), panels: cases };
    check(&all.svg());
    show("chart-hard", &all.svg());
    check(&Chart::default().svg());
}

#[test]
fn a_long_legend_ends_with_a_count() {
    let curves = (0..60)
        .map(|i| series(&format!("joints.link{i}.torque.z"), 200, |t| (t + i as f64).sin() * i as f64));
    let panel = Panel { y_label: "torque [N·m]".into(), series: curves.collect() };
    let svg = Chart { title: "Sixty torques".into(), x_label: "time [s]".into(), panels: vec![panel] }.svg();
    check(&svg);
    assert!(svg.contains(" more\""));
    show("chart-many", &svg);
}

#[test]
fn an_image_has_the_pixels_that_were_asked_for() {
    let svg = super::svg::Svg::new(120.0, 80.0, "page").finish();
    for (scale, width, height) in [(1.0, 120_u32, 80_u32), (2.5, 300, 200), (0.1, 12, 8)] {
        let bytes = png(&svg, scale).unwrap();
        assert_eq!(&bytes[1..4], b"PNG");
        assert_eq!(bytes[16..20], width.to_be_bytes());
        assert_eq!(bytes[20..24], height.to_be_bytes());
    }
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(png(&svg, scale).is_err());
    }
    assert!(png("<svg", 1.0).is_err());
}

#[test]
fn every_printable_character_has_strokes() {
    use super::text::{TextAnchor, TextStyle, draw, width};
    let rows = [
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "abcdefghijklmnopqrstuvwxyz 0123456789",
        "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ °·−×±…→√",
        "αβγδεηθκλµνπρστφψω ΔΣΦΩ x² m³ 10⁻¹⁵ q₀ äöüéèçñå ß",
        "Double pendulum: reaction of the elbow [N·m]; 0.25 1.50 −3.75",
        "The quick brown fox jumps over the lazy dog. joints.A.torque.z",
    ];
    let mut svg = super::svg::Svg::new(560.0, 350.0, "font");
    let mut y = 24.0;
    for (size, bold) in [(11.0, false), (12.5, false), (15.0, true)] {
        for row in rows {
            let style = TextStyle { bold, ..TextStyle::new(size, super::svg::Rgb::INK) };
            draw(&mut svg, row, [12.0, y], &style.anchored(TextAnchor::Start));
            y += size + 4.0;
        }
        y += 6.0;
    }
    show("font", &svg.finish());
    for c in (' '..='~').skip(1) {
        assert!(width(&c.to_string(), 20.0) > 0.0, "{c}");
    }
    assert_eq!(width("", 12.0), 0.0);
}

#[test]
fn ticks_are_round_and_their_numbers_short() {
    use super::axis::PlotAxis;
    let texts = |low, high| {
        let axis = PlotAxis::new(low, high, 0.0, 5.0);
        (axis.ticks.iter().map(|t| t.1.clone()).collect::<Vec<_>>().join(" "), axis.note)
    };
    assert_eq!(texts(0.0, 10.0), ("0 2 4 6 8 10".into(), String::new()));
    assert_eq!(texts(-0.3, 0.3), ("−0.2 0.0 0.2".into(), String::new()));
    assert_eq!(texts(0.0, 3e-15), ("0 1 2 3".into(), "×10⁻¹⁵".into()));
    assert_eq!(texts(0.0, 2.5e6), ("0.0 0.5 1.0 1.5 2.0 2.5".into(), "×10⁶".into()));
    assert_eq!(texts(7.0, 7.0).1, "");
    assert_eq!(texts(f64::MAX / 1e10, 0.0).1, "");
}

/// Names are in the page's script as data: no tag in them ends it, and no comment keeps it open.
#[test]
fn names_with_tags_stay_inside_the_script() {
    let name = "</script><!--<script>".to_string();
    let series = Series { name, points: vec![[0.0, 1.0], [1.0, 1.0 + f64::EPSILON]] };
    let panel = Panel { y_label: "y".to_string(), series: vec![series] };
    let chart = Chart { title: "t".to_string(), x_label: "x".to_string(), panels: vec![panel] };
    let page = chart.html();
    assert!(page.contains(r"\u003c/script>\u003c!--\u003cscript>"));
    assert_eq!((page.matches("</script").count(), page.matches("<!--").count()), (1, 0));
    // A step that is added may be lost in rounding, and the loop would never end.
    assert!(!page.contains("+= step"));
}
