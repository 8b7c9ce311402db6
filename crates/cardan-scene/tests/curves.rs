//! Curves, surfaces and cams in files: what is read, and that every mistake is said with the field where it is.

use cardan::Simulation;
use cardan_scene::{Document, Scene};

fn lowered(joint: &str) -> Result<Simulation, String> {
    let text = format!(
        r#"
gravity = [0, -9.81, 0]
[bodies.block]
shape = {{ kind = "box", size = [0.1, 0.2, 0.3] }}
mass = 1
position = [0.2, 0, 0]
[bodies.stone]
shape = {{ kind = "box", size = [0.1, 0.2, 0.3] }}
mass = 1
position = [0.5, 0, 0]
[bodies.grain]
kind = "particle"
mass = 1
position = [0.3, 0, 0]
[bodies.wheel]
kind = "planar"
mass = 1
inertia = 0.1
position = [0, 0]
[bodies.rod]
kind = "planar"
mass = 1
inertia = 0.1
position = [0, 0.4]
[joints.it]
{joint}
"#
    );
    let document = Document::parse("scene", &text).map_err(|e| e.render())?;
    let scene = Scene::from_document(&document).map_err(|e| e.render())?;
    let model = scene.to_model(&document).map_err(|e| e.render())?;
    Ok(Simulation::new(model))
}

/// Errors of the rows in the pose of the file.
fn posed(joint: &str) -> Vec<f64> {
    let mut sim = lowered(joint).unwrap_or_else(|e| panic!("{joint}\n{e}"));
    sim.evaluate().unwrap().position_errors().to_vec()
}

fn near(joint: &str, expected: &[f64]) {
    let found = posed(joint);
    assert_eq!(found.len(), expected.len(), "{joint}: {found:?}");
    for (f, e) in found.iter().zip(expected) {
        assert!((f.abs() - e).abs() < 1e-14, "{joint}: {found:?}");
    }
}

#[test]
fn every_kind_is_read_with_its_frames() {
    let on = |kind: &str, a: &str, b: &str, rest: &str| {
        format!("kind = \"{kind}\"\na = \"{a}\"\nb = \"{b}\"\n{rest}")
    };
    near(&on("point-on-curve", "ground", "grain", "curve = { circle = \"30 cm\" }"), &[0.0, 0.0]);
    near(
        &on("point-on-curve", "ground", "rod", "point_in_b = [0, 0.1, 0]\ncurve = { circle = 0.2 }"),
        &[0.3],
    );
    near(&on("point-on-curve", "wheel", "rod", "curve = { polar = [0.4, 0.4, 0.4, 0.4] }"), &[0.0]);
    let turned =
        "frame_in_a = { position = [0, 0, 0.1], orientation = { axis = [1, 0, 0], angle = \"90 deg\" } }\n";
    let spline = "curve = { through = { points = [[-1, 0.1], [0, 0.1], [1, 0.1]] } }";
    near(&on("point-on-curve", "ground", "grain", &format!("{turned}{spline}")), &[0.2, 0.0]);
    let nurbs = "curve = { nurbs = { points = [[-1, 0], [0, 0], [1, 0]], degree = 2 } }";
    near(&on("point-on-curve", "block", "grain", nurbs), &[0.0, 0.0]);
    let formula = "curve = { formula = { x = \"0.3*cos(t)\", y = \"0.3*sin(t)\", from = -1, to = 1 } }";
    near(&on("point-on-curve", "ground", "grain", formula), &[0.0, 0.0]);
    for (surface, height) in [
        ("\"plane\"", 0.0),
        ("{ sphere = 0.25 }", 0.05),
        ("{ cylinder = 0.2 }", 0.1),
        ("{ cone = \"30 deg\" }", 0.3 * 3.0_f64.sqrt() / 2.0),
        ("{ ellipsoid = [0.2, 1, 1] }", 0.1),
        ("{ torus = { ring = 0.2, tube = 0.05 } }", 0.05),
        (
            "{ terrain = { corner = [-1, -1], spacing = [1, 1], heights = [[0.1, 0.1, 0.1], [0.1, 0.1, 0.1]] } }",
            0.1,
        ),
    ] {
        near(&on("point-on-surface", "ground", "grain", &format!("surface = {surface}")), &[height]);
    }
    near(&on("tangent", "block", "stone", "surface = { sphere = 0.1 }\nfeature = { ball = 0.2 }"), &[0.0]);
    near(
        &on(
            "tangent",
            "block",
            "stone",
            "surface = { sphere = 0.6 }\nfeature = { ball = 0.2 }\ninside = true",
        ),
        &[0.1],
    );
    let two = "surface = { ellipsoid = [0.1, 0.2, 0.3] }\nfeature = { ellipsoid = [0.15, 0.2, 0.1] }";
    near(&on("tangent", "block", "stone", two), &[0.05]);
    near(
        &on(
            "tangent",
            "ground",
            "stone",
            "surface = { cylinder = 0.1 }\nfeature = { curve = { circle = 0.3 } }",
        ),
        &[0.1],
    );
    for (follower, gap) in
        [("\"knife\"", 0.1), ("{ roller = 0.1 }", 0.0), ("{ cam = { circle = 0.05 } }", 0.05)]
    {
        near(
            &on("cam", "wheel", "rod", &format!("curve = {{ circle = 0.3 }}\nfollower = {follower}")),
            &[gap],
        );
    }
    near(
        &on("cam", "wheel", "rod", "curve = { circle = 0.3 }\nfollower = \"flat\"\ndirection = [0, -1, 0]"),
        &[0.1],
    );
}

#[test]
fn every_mistake_is_named_with_its_field() {
    let wrong = std::cell::RefCell::new(Vec::new());
    let says = |kind: &str, b: &str, rest: &str, field: &str, words: &str| {
        let text = lowered(&format!("kind = \"{kind}\"\na = \"wheel\"\nb = \"{b}\"\n{rest}"));
        let text = text.err().unwrap_or_else(|| format!("{rest} was accepted"));
        if !(text.contains(&format!("joints.it{field}:")) && text.contains(words)) {
            wrong.borrow_mut().push(format!("`{field}` and `{words}` should be in\n{text}"));
        }
    };
    let curve = |rest: &str, field: &str, words: &str| {
        says("point-on-curve", "rod", &format!("curve = {rest}"), field, words)
    };
    says("point-on-curve", "rod", "", "", "`curve` is missing");
    says(
        "point-on-curve",
        "rod",
        "curve = { circle = 1 }\nsurface = \"plane\"",
        "",
        "`surface` does not belong",
    );
    curve("{ circle = 0 }", ".curve.circle", "`radius` is 0; it must be positive");
    curve("{ ring = 1 }", ".curve", "unknown choice `ring`");
    curve("{ polar = [1, 2] }", ".curve.polar", "at least 3");
    curve("{ through = { points = [[0, 0], [1]] } }", ".curve.through.points.1", "[x, y, z] or [x, y]");
    curve("{ through = { points = [[0, 0], [1, 0], [1, 0]] } }", ".curve.through", "number 2 coincides");
    curve("{ through = { points = [[0, 0], [1, 0], [1, 1, 1]] } }", ".curve", "x–y plane");
    curve(
        "{ nurbs = { points = [[0, 0], [1, 0], [1, 1]], degree = 2, knots = [0, 0, 0, 1, 0.5, 1] } }",
        ".curve.nurbs.knots.4",
        "knots must not fall",
    );
    curve(
        "{ nurbs = { points = [[0, 0], [1, 0], [1, 1]], degree = 2, knots = [0, 1] } }",
        ".curve.nurbs.knots",
        "2 knots",
    );
    curve(
        "{ nurbs = { points = [[0, 0], [1, 0], [1, 1]], degree = 1 } }",
        ".curve.nurbs",
        "kink at parameter 0.5",
    );
    curve("{ nurbs = { points = [[0, 0], [1, 0]], degree = 3 } }", ".curve.nurbs.degree", "degree is 3");
    curve("{ formula = { x = \"t\", y = \"foo(t)\", to = 1 } }", ".curve.formula.y", "foo");
    curve("{ formula = { x = \"t\", y = \"abs(t-1)\", to = 2 } }", ".curve.formula", "not smooth");
    curve("{ formula = { x = \"t\", y = \"t\", to = -1 } }", ".curve.formula.to", "larger than `from`");
    curve(
        "{ formula = { x = \"sin(t)\", y = \"sin(2*t)\", to = 7 } }",
        ".curve.formula",
        "crosses or touches itself",
    );
    let surface = |rest: &str, field: &str, words: &str| {
        says("point-on-surface", "rod", &format!("surface = {rest}"), field, words);
    };
    surface("{ sphere = -1 }", ".surface.sphere", "`radius` is -1; it must be positive");
    surface("{ ellipsoid = [1, 0, 1] }", ".surface.ellipsoid", "`radii` is 0");
    surface("{ torus = { ring = 1, tube = 2 } }", ".surface.torus.tube", "smaller than `ring`");
    surface("{ cone = \"100 deg\" }", ".surface.cone", "quarter turn");
    let land = |heights: &str| {
        format!("{{ terrain = {{ corner = [0, 0], spacing = [1, 1], heights = {heights} }} }}")
    };
    surface(&land("[[0, 0], [0]]"), ".surface.terrain.heights.1", "must be rectangular");
    surface(&land("[[0, 0]]"), ".surface.terrain.heights", "at least 2");
    surface(
        "{ terrain = { corner = [0, 0], spacing = [1, 0], heights = [[0, 0], [0, 0]] } }",
        ".surface.terrain.spacing",
        "positive",
    );
    says("tangent", "stone", "surface = \"plane\"\nfeature = { ball = 0 }", ".feature", "`radius` is 0");
    says("tangent", "stone", "surface = \"plane\"", "", "`feature` is missing");
    says("cam", "rod", "curve = { circle = 1 }", "", "`follower` is missing");
    says("cam", "rod", "curve = { circle = 1 }\nfollower = \"flat\"", "", "`direction` is missing");
    says(
        "cam",
        "rod",
        "curve = { formula = { x = \"t\", y = \"0\", to = 1 } }\nfollower = \"knife\"",
        ".curve",
        "must be closed",
    );
    assert!(wrong.borrow().is_empty(), "{}", wrong.borrow().join("\n\n"));
    // What the curve is on must be able to turn.
    let text = lowered("kind = \"point-on-curve\"\na = \"grain\"\nb = \"block\"\ncurve = { circle = 1 }")
        .err()
        .unwrap();
    assert!(text.contains("joints.it.a:") && text.contains("`grain`"), "{text}");
}
