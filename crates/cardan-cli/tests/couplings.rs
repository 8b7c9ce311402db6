//! The scene `couplings` against the laws of its two couplings.

use crate::support::{bundled_scenes, run};
use serde_json::Value;

fn real(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| panic!("not a number: {v}"))
}

/// Both shafts of an Oldham coupling turn alike; a cross between shafts at an angle β turns as tan(out) = cos β tan(in), and hands over
/// ω_out = ω_in cos β / (1 − sin² β sin² in).
#[test]
fn an_oldham_coupling_is_even_and_a_cross_is_hookes() {
    let (_, text) = bundled_scenes().into_iter().find(|(name, _)| name == "couplings").expect("the scene");
    for until in [0.05, 0.3, 1.0, 2.5] {
        let out = run(&text, until, 1e-3);
        let turn = |joint: &str, key: &str| real(&out["joints"][joint][key][0]);
        let (angle, rate) = (turn("input-bearing", "coordinates"), turn("input-bearing", "rates"));
        let (found, found_rate) = (turn("output-bearing", "coordinates"), turn("output-bearing", "rates"));
        // The same branch as the angle: add what the ratio of the tangents takes away.
        let (s, c) = angle.sin_cos();
        let wanted = angle + (-0.2 * s * c).atan2(c * c + 0.8 * s * s);
        assert!((found - wanted).abs() < 1e-11, "at {until}: {found}, {wanted}");
        let wanted = rate * 0.8 / (1.0 - 0.36 * s * s);
        assert!((found_rate - wanted).abs() < 1e-10 * rate, "at {until}: {found_rate}, {wanted}");
        let spins = ["input", "middle"].map(|body| real(&out["bodies"][body]["angular_velocity"][0]));
        assert!((spins[0] - spins[1]).abs() < 1e-12 * rate, "at {until}: {spins:?}");
        // The cross takes one multiplier and carries no force.
        assert_eq!(out["joints"]["cross"]["multipliers"].as_array().map(Vec::len), Some(1));
        assert!((0..3).all(|i| real(&out["joints"]["cross"]["force"][i]) == 0.0));
    }
}
