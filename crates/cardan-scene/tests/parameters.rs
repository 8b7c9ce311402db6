//! Expressions of parameters: units with powers, units of results against their fields, and what is too long or too deep.

use cardan_scene::{Document, Quantity, Scene};

fn scene(text: &str) -> Result<Scene, String> {
    let body = if text.contains("[bodies.") { "" } else { "[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n" };
    Document::parse("scene.toml", format!("{text}{body}"))
        .and_then(|document| Scene::from_document(&document))
        .map_err(|error| error.render())
}

/// The value of `x`, which is an expression of parameters of many units.
fn value(expression: &str) -> Result<f64, String> {
    let text = format!(
        "[parameters]\nL = \"2 m\"\nm = \"3 kg\"\nT = \"4 s\"\nf = \"2 Hz\"\nw = \"5 rad/s\"\nx = \"={expression}\"\n"
    );
    scene(&text).map(|scene| scene.parameters.get("x").expect("the parameter").value)
}

#[test]
fn powers_belong_to_units_as_in_plain_fields() {
    for unit in
        ["m/s^2", "m/s²", "N/mm^2", "N/mm²", "rad/s^2", "deg/s^2", "g/cm^3", "kg/m³", "m/s", "N·m/rad"]
    {
        let plain = Quantity::parse(&format!("9.81 {unit}"), None).expect("a unit").value;
        assert_eq!(value(&format!("9.81 {unit}")), Ok(plain), "{unit}");
        assert_eq!(value(&format!("2 * 9.81 {unit} * 3")), Ok(2.0 * plain * 3.0), "{unit}");
    }
    assert_eq!(value("(2 mm)^2"), Ok(0.002 * 0.002));
    assert_eq!(value("3^2 * L^2"), Ok(36.0));
    assert_eq!(value("9.81 m/s^2 * T^2"), Ok(9.81 * 16.0));
    for wrong in ["2 mm^2", "2 mm ^2", "5 m/s^3", "5 N/mm^2^2", "5 m/s^23", "2 s^-1"] {
        let error = value(wrong).expect_err(wrong);
        assert!(error.contains("two ways") && error.contains("for the square"), "{wrong}: {error}");
    }
}

/// A body and a drive whose fields have the given values.
fn with(field: &str, expression: &str) -> Result<Scene, String> {
    let mut values = [("mass", "1"), ("density", ""), ("inertia", "1"), ("frequency", "1"), ("until", "1")];
    for (name, value) in &mut values {
        if *name == field {
            *value = expression;
        }
    }
    let line = |name: &str| {
        let (_, value) = values.iter().find(|(known, _)| *known == name).expect("a field");
        match (name, *value) {
            (_, "") => String::new(),
            ("mass", _) if field == "density" => "shape = { kind = \"sphere\", radius = 1 }\n".to_string(),
            ("inertia", _) if field == "density" => String::new(),
            ("inertia", value) => format!("inertia = [{value}, {value}, {value}]\n"),
            (name, value) => format!("{name} = {value}\n"),
        }
    };
    let gravity = if field == "gravity" { expression } else { "-9.81" };
    scene(&format!(
        "gravity = [0, 0, {gravity}]\n[parameters]\nL = \"2 m\"\nm = \"3 kg\"\nT = \"4 s\"\nf = \"2 Hz\"\nw = \"5 rad/s\"\n\
         [bodies.b]\n{}{}{}[joints.j]\nkind = \"revolute\"\na = \"ground\"\nb = \"b\"\naxis = [0, 0, 1]\n\
         drive = {{ level = \"position\", law = {{ sine = {{ amplitude = {}, {} }} }} }}\n[simulation]\n{}",
        line("mass"),
        line("density"),
        line("inertia"),
        if field == "amplitude" { expression } else { "1" },
        line("frequency").trim_end(),
        line("until"),
    ))
}

#[test]
fn results_have_the_unit_of_their_field() {
    for (field, right) in [
        ("mass", "m"),
        ("mass", "2 * m * L / (1 m)"),
        ("density", "m / L^3"),
        ("inertia", "m * L^2 / 12"),
        ("gravity", "-9.81 m/s^2"),
        ("gravity", "-L / T^2"),
        ("frequency", "f / 2"),
        ("frequency", "w / (2*pi)"),
        ("frequency", "sqrt(L/T^2/(1 m)) / (2*pi)"),
        ("frequency", "1 Hz * (1 s) / T"),
        ("until", "3 / f"),
        ("until", "2*pi / w"),
        ("amplitude", "2*pi*f*T"),
        ("amplitude", "30 deg"),
    ] {
        let made = with(field, &format!("\"={right}\""));
        assert!(made.is_ok(), "{field} = {right}: {}", made.unwrap_err());
    }
    for (field, wrong, word) in [
        ("mass", "L^2", "expected a mass"),
        ("mass", "L / T", "found a speed"),
        ("mass", "m * L^2 / T^2", "found a torque"),
        ("density", "m / L^2", "expected a density"),
        ("frequency", "w", "found an angular speed"),
        ("frequency", "1 / T", "found an angular speed"),
        ("until", "f", "found a frequency"),
        ("until", "1 / T", "found an angular speed"),
    ] {
        let error = with(field, &format!("\"={wrong}\"")).expect_err(wrong);
        assert!(error.contains(word), "{field} = {wrong}: {error}");
    }
    for (expression, word) in [
        ("f + w", "2*pi"),
        ("min(f, w)", "2*pi"),
        ("sin(f * T)", "found cycles"),
        ("sqrt(f / T)", "no square root"),
    ] {
        let error = value(expression).expect_err(expression);
        assert!(error.contains(word), "{expression}: {error}");
    }
    assert_eq!(value("2*pi*f + w"), Ok(2.0 * std::f64::consts::PI * 2.0 + 5.0));
    assert_eq!(
        value("cos(2*pi*f*T - pi)"),
        Ok(libm::cos(2.0 * std::f64::consts::PI * 2.0 * 4.0 - std::f64::consts::PI))
    );
}

/// Hz is no rad/s, nor cycles an angle, in fields that wait for their joint.
#[test]
fn cycles_are_no_radians() {
    let hertz = |text: &str| {
        let text = format!("[parameters]\nf = \"2 Hz\"\nT = \"4 s\"\nx = \"={text}\"\n");
        scene(&text).expect("a scene").parameters.get("x").expect("the parameter").dimension
    };
    use cardan_scene::Dimension::*;
    assert_eq!(hertz("f"), Some(Frequency));
    assert_eq!(hertz("2*pi*f"), Some(AngularSpeed));
    assert_eq!(hertz("1/T"), Some(AngularSpeed));
    assert_eq!(hertz("f*T"), Some(Number));
    assert_eq!(hertz("2*pi*f*T"), None);
}

#[test]
fn long_and_deep_expressions_end_soon() {
    // Each would take minutes, or the stack, without its bound.
    for text in ["/".repeat(20_000), "m".repeat(20_000), "/1".repeat(20_000), " m/s".repeat(5_000)] {
        let _ = value(&format!("1{text}"));
    }
    let nested = |n: usize| value(&format!("{}1{}", "(".repeat(n), ")".repeat(n)));
    assert_eq!(nested(50), Ok(1.0));
    assert!(nested(100).expect_err("too deep").contains("nest in each other"));
    // A chain of parameters, the last one first, each in its brackets.
    let chain = |n: usize, brackets: usize| {
        let (open, close) = ("(".repeat(brackets), ")".repeat(brackets));
        let line = |k: usize| format!("p{k} = \"={open}p{}{close} + 1\"\n", k + 1);
        scene(&format!("[parameters]\n{}p{n} = 1\n", (0..n).map(line).collect::<String>()))
    };
    assert_eq!(chain(50, 0).expect("a chain").parameters.get("p0").expect("the parameter").value, 51.0);
    for (n, brackets) in [(70, 0), (40, 40)] {
        let error = chain(n, brackets).expect_err("too deep");
        assert!(error.contains("nest in each other"), "{error}");
    }
    let powers = (0..20).fold("L".to_string(), |text, _| format!("({text})^8"));
    assert!(value(&format!("L + 0*({powers})")).is_err());
}
