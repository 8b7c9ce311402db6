//! Bad input through the command: the right exit code, a message with file, line, column and field that says what would
//! be right, nothing on standard output, no panic, and no waiting.

mod contact;
mod velocities;

use crate::support::{Outcome, command, scratch};

/// Bad input, and a run (or a write) that failed.
const INPUT: i32 = 2;
const FAILED: i32 = 1;

/// Nothing that is refused may take longer, even on a busy machine and without optimisation.
const AT_ONCE: f64 = 20.0;

/// A scene without mistakes. In the cases below a piece of it is replaced; `»` marks where the message must point.
const GOOD: &str = r#"gravity = [0, 0, -9.81]

[simulation]
until = 0.01

[bodies.bar]
shape = { kind = "cylinder", length = 1.0, radius = 0.02 }
mass = 1.2
position = [0.5, 0, 0]

[bodies.bob]
kind = "particle"
mass = 0.1
position = [1, 0, -1]

[joints.hinge]
kind = "revolute"
a = "ground"
b = "bar"
anchor = [0, 0, 0]
axis = [0, 1, 0]

[joints.string]
kind = "distance"
a = "bar"
b = "bob"
point_in_a = [0.5, 0, 0]

[forces.wind]
kind = "constant"
body = "bob"
force = [1, 0, 0]

[probes.tip]
body = "bar"
point = [0.5, 0, 0]
"#;

/// A planar scene without mistakes.
const FLAT: &str = r#"gravity = [0, -9.81, 0]

[bodies.wheel]
kind = "planar"
mass = 1
inertia = 0.1

[joints.axle]
kind = "revolute"
a = "ground"
b = "wheel"
anchor = [0, 0, 0]
axis = [0, 0, 1]
"#;

/// What is wrong with a refusal; nothing if it is as asked.
fn complaint(out: &Outcome, code: i32, words: &[&str]) -> Option<String> {
    let absent = words.iter().find(|word| !out.stderr.contains(**word));
    let what = if out.code != code {
        format!("exit code {}", out.code)
    } else if !out.stdout.is_empty() {
        "prints to standard output".to_string()
    } else if out.stderr.contains("panicked") || !out.stderr.contains("error: ") {
        "not an error message".to_string()
    } else if let Some(word) = absent {
        format!("the message lacks `{word}`")
    } else if out.seconds > AT_ONCE {
        format!("took {} s", out.seconds)
    } else {
        return None;
    };
    Some(format!("{what}\n{}", out.stderr))
}

fn assert_refused(what: &str, out: &Outcome, code: i32, words: &[&str]) {
    if let Some(complaint) = complaint(out, code, words) {
        panic!("{what}: {complaint}");
    }
}

/// All complaints together.
fn assert_none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

/// A mistake: what it is, what to replace by what, and the words of the message, the field first.
type Case = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// Writes the changed scene and lets every command that reads scenes refuse it.
fn refuse(base: &str, number: usize, (what, from, to, words): &Case, complaints: &mut Vec<String>) {
    assert!(base.contains(from), "{what}: the scene has no `{from}`");
    let marked = base.replacen(from, to, 1);
    let at = marked.find('»').unwrap_or_else(|| panic!("{what}: no mark"));
    let line = 1 + marked[..at].matches('\n').count();
    let column = 1 + marked[..at].rsplit('\n').next().unwrap_or("").chars().count();
    let file = format!("bad-{number}.toml");
    std::fs::write(scratch(&file), marked.replace('»', "")).expect("a scratch file");
    let place = format!("{file}:{line}:{column}\n");
    let words = [words, &[place.as_str()][..]].concat();
    for args in [
        &["run", &file, "--json"][..],
        &["solve", &file, "--json"],
        &["check", &file],
        &["draw", &file, "-o", "bad.svg"],
    ] {
        let out = command(args, b"");
        let told = ["help: ", " expected ", " is missing"].iter().any(|word| out.stderr.contains(word));
        let silent = || (!told).then(|| format!("does not say what would be right\n{}", out.stderr));
        if let Some(complaint) = complaint(&out, INPUT, &words).or_else(silent) {
            complaints.push(format!("{what}, {}: {complaint}", args[0]));
            break;
        }
    }
}

#[test]
fn the_scenes_without_mistakes_run() {
    for (name, text) in [("good.toml", GOOD), ("flat.toml", FLAT), ("coupled.toml", COUPLED)] {
        std::fs::write(scratch(name), text).expect("a scratch file");
        let out = command(&["run", name, "--until", "10 ms", "--json"], b"");
        assert_eq!((out.code, out.stderr.as_str()), (0, ""), "{name}");
    }
}

#[test]
fn mistakes_in_couplings_are_named_with_their_place() {
    let mut complaints = Vec::new();
    for (i, case) in COUPLED_CASES.iter().enumerate() {
        refuse(COUPLED, 700 + i, case, &mut complaints);
    }
    assert_none(complaints);
}

#[test]
fn mistakes_in_a_spatial_scene_are_named_with_their_place() {
    let mut complaints = Vec::new();
    for (number, case) in CASES.iter().enumerate() {
        refuse(GOOD, number, case, &mut complaints);
    }
    assert_none(complaints);
}

#[test]
fn mistakes_in_a_planar_scene_are_named_with_their_place() {
    let mut complaints = Vec::new();
    for (number, case) in FLAT_CASES.iter().enumerate() {
        refuse(FLAT, 1000 + number, case, &mut complaints);
    }
    assert_none(complaints);
}

const CASES: &[Case] = &[
    // masses and inertias
    ("negative mass", "mass = 1.2", "mass = »-1.2", &["bodies.bar.mass", "must be positive"]),
    ("zero mass", "mass = 1.2", "mass = »0", &["bodies.bar.mass", "must be positive"]),
    ("NaN mass", "mass = 1.2", "mass = »nan", &["bodies.bar.mass", "NaN", "finite"]),
    ("infinite mass", "mass = 1.2", "mass = »inf", &["bodies.bar.mass", "finite"]),
    ("mass of a particle", "mass = 0.1", "mass = »\"-5 g\"", &["bodies.bob.mass", "must be positive"]),
    (
        "no mass",
        "[bodies.bar]\nshape = { kind = \"cylinder\", length = 1.0, radius = 0.02 }\nmass = 1.2",
        "»[bodies.bar]\nshape = { kind = \"cylinder\", length = 1.0, radius = 0.02 }",
        &["bodies.bar", "`mass`", "`density`"],
    ),
    ("negative density", "mass = 1.2", "density = »-7800", &["bodies.bar.density", "must be positive"]),
    (
        "density without volume",
        "shape = { kind = \"cylinder\", length = 1.0, radius = 0.02 }\nmass = 1.2",
        "shape = { kind = \"rod\", length = 1.0 }\ndensity = »7800",
        &["bodies.bar.density", "volume", "radius"],
    ),
    (
        "an inertia that no body has",
        "mass = 1.2",
        "mass = 1.2\ninertia = »[1, 1, 5]",
        &["bodies.bar.inertia", "no real body", "5 kg·m²", "1 + 1", "allow_unphysical_inertia = true"],
    ),
    (
        "an indefinite inertia",
        "mass = 1.2",
        "mass = 1.2\ninertia = »[1, 1, -5]",
        &["bodies.bar.inertia", "not positive definite", "-5 kg·m²", "must be positive"],
    ),
    (
        "an indefinite inertia, hidden in its products",
        "mass = 1.2",
        "mass = 1.2\ninertia = »[1, 1, 1, 3, 0, 0]",
        &["bodies.bar.inertia", "not positive definite", "-2 kg·m²"],
    ),
    (
        "an indefinite inertia that is allowed to be unphysical",
        "mass = 1.2",
        "mass = 1.2\nallow_unphysical_inertia = true\ninertia = »[1, 1, 0]",
        &["bodies.bar.inertia", "not positive definite"],
    ),
    (
        "a thin rod in space",
        "shape = { kind = \"cylinder\", length = 1.0, radius = 0.02 }",
        "shape = »{ kind = \"rod\", length = 1.0 }",
        &["bodies.bar.shape", "not positive definite", "radius"],
    ),
    (
        "an inertia of two numbers",
        "mass = 1.2",
        "mass = 1.2\ninertia = »[1, 1]",
        &["bodies.bar.inertia", "an array of 3 ([xx, yy, zz]) or 6"],
    ),
    (
        "neither shape nor inertia",
        "[bodies.bar]\nshape = { kind = \"cylinder\", length = 1.0, radius = 0.02 }",
        "»[bodies.bar]",
        &["bodies.bar", "inertia is missing", "`shape`"],
    ),
    (
        "a shape without size",
        "radius = 0.02",
        "radius = »0",
        &["bodies.bar.shape.radius", "positive size", "metres"],
    ),
    // names, kinds, fields, units
    (
        "unknown body",
        "b = \"bar\"",
        "b = »\"bra\"",
        &["joints.hinge.b", "no body `bra`", "did you mean `bar`?"],
    ),
    (
        "unknown body of a force",
        "body = \"bob\"",
        "body = »\"bib\"",
        &["forces.wind.body", "no body `bib`", "did you mean `bob`?"],
    ),
    (
        "unknown body of a probe",
        "[probes.tip]\nbody = \"bar\"",
        "[probes.tip]\nbody = »\"tip\"",
        &["probes.tip.body", "no body `tip`"],
    ),
    (
        "unknown joint kind",
        "kind = \"revolute\"",
        "kind = »\"hinge\"",
        &["joints.hinge.kind", "unknown", "revolute", "bead-on-circle"],
    ),
    (
        "misspelt joint kind",
        "kind = \"revolute\"",
        "kind = »\"revolut\"",
        &["joints.hinge.kind", "did you mean `revolute`?"],
    ),
    (
        "unknown body kind",
        "kind = \"particle\"",
        "kind = »\"partical\"",
        &["bodies.bob.kind", "did you mean `particle`?"],
    ),
    (
        "unknown force kind",
        "kind = \"constant\"",
        "kind = »\"wind\"",
        &["forces.wind.kind", "constant", "gravity-point"],
    ),
    ("unknown shape kind", "kind = \"cylinder\"", "kind = »\"tube\"", &["bodies.bar.shape.kind", "cylinder"]),
    (
        "unknown field",
        "mass = 1.2",
        "»mas = 1.2",
        &["bodies.bar", "unknown field `mas`", "did you mean `mass`?"],
    ),
    ("unknown table", "[forces.wind]", "[»force.wind]", &["unknown field `force`", "did you mean `forces`?"]),
    (
        "unknown setting",
        "until = 0.01",
        "»untill = 0.01",
        &["simulation", "unknown field `untill`", "did you mean `until`?"],
    ),
    (
        "unknown unit",
        "mass = 1.2",
        "mass = »\"1.2 lbs\"",
        &["bodies.bar.mass", "unknown unit `lbs`", "g, kg, t"],
    ),
    (
        "wrong dimension",
        "mass = 1.2",
        "mass = »\"1.2 m\"",
        &["bodies.bar.mass", "expected a mass, found a length", "g, kg, t"],
    ),
    (
        "wrong dimension of a time",
        "until = 0.01",
        "until = »\"10 kg\"",
        &["simulation.until", "expected a time", "ms, s, min, h"],
    ),
    ("wrong type", "mass = 1.2", "mass = »[1.2]", &["bodies.bar.mass", "a mass"]),
    ("duplicate name", "[bodies.bob]", "[bodies.»bar]", &["bar", "given first here"]),
    ("duplicate field", "mass = 1.2", "mass = 1.2\n»mass = 1.3", &["mass", "given first here"]),
    ("reserved name", "[bodies.bob]", "»[bodies.ground]", &["bodies.ground", "reserved", "another name"]),
    (
        "a newer format",
        "gravity = [0, 0, -9.81]",
        "format = »2\ngravity = [0, 0, -9.81]",
        &["format 2", "format 1", "newer version"],
    ),
    // joints
    (
        "a hinge on a particle",
        "b = \"bar\"\nanchor = [0, 0, 0]",
        "b = »\"bob\"\nanchor = [1, 0, -1]",
        &["joints.hinge.b", "revolute joint does not fit `bob`, a particle", "spherical"],
    ),
    (
        "a ball joint beside a particle",
        "kind = \"distance\"\na = \"bar\"\nb = \"bob\"\npoint_in_a = [0.5, 0, 0]",
        "kind = \"spherical\"\na = \"bar\"\nb = »\"bob\"\nanchor = [1, 0, 0]",
        &["joints.string.b", "no other points than itself"],
    ),
    (
        "a joint between a body and itself",
        "a = \"ground\"\nb = \"bar\"",
        "a = \"bar\"\nb = »\"bar\"",
        &["joints.hinge.b", "two different bodies", "name another body"],
    ),
    (
        "an axis of zero length",
        "axis = [0, 1, 0]",
        "axis = »[0, 0, 0]",
        &["joints.hinge.axis", "axis is zero", "[0, 0, 1]"],
    ),
    (
        "no axis",
        "[joints.hinge]\nkind = \"revolute\"\na = \"ground\"\nb = \"bar\"\nanchor = [0, 0, 0]\naxis = [0, 1, 0]",
        "»[joints.hinge]\nkind = \"revolute\"\na = \"ground\"\nb = \"bar\"\nanchor = [0, 0, 0]",
        &["joints.hinge", "no axis", "axis = [x, y, z]"],
    ),
    (
        "no anchor",
        "[joints.hinge]\nkind = \"revolute\"\na = \"ground\"\nb = \"bar\"\nanchor = [0, 0, 0]",
        "»[joints.hinge]\nkind = \"revolute\"\na = \"ground\"\nb = \"bar\"",
        &["joints.hinge", "no anchor", "anchor = [x, y, z]"],
    ),
    (
        "a distance of zero",
        "point_in_a = [0.5, 0, 0]",
        "length = »0",
        &["joints.string.length", "must be positive"],
    ),
    (
        "a distance of zero as posed",
        "[joints.string]\nkind = \"distance\"\na = \"bar\"\nb = \"bob\"\npoint_in_a = [0.5, 0, 0]",
        "»[joints.string]\nkind = \"distance\"\na = \"bar\"\nb = \"bob\"\npoint_in_a = [0.5, 0, -1]",
        &["joints.string", "points coincide", "`length`"],
    ),
    (
        "a bead on its axis",
        "kind = \"revolute\"\na = \"ground\"\nb = \"bar\"\nanchor = [0, 0, 0]\naxis = [0, 1, 0]\n\n[joints.string]",
        "kind = \"spherical\"\na = \"ground\"\nb = \"bar\"\nanchor = [0, 0, 0]\n\n»[joints.bead]\nkind = \"bead-on-circle\"\na = \"ground\"\n\
         b = \"bob\"\nanchor = [1, 0, 0]\naxis = [0, 0, 1]\n\n[joints.string]",
        &["joints.bead", "no radius", "`radius`"],
    ),
    (
        "a field of another joint",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\n»length = 1",
        &["joints.hinge", "`length` does not belong to a revolute joint", "distance"],
    ),
    (
        "a spring on a coordinate that is not there",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nspring = { coordinate = »1, stiffness = 3 }",
        &["joints.hinge.spring.coordinate", "no coordinate 1", "has 1 coordinate, counted from 0"],
    ),
    (
        "a negative damping",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nspring = { stiffness = 3, damping = »-1 }",
        &["joints.hinge.spring.damping", "-1 is negative"],
    ),
    (
        "a spring of the wrong dimension",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nspring = { stiffness = »\"3 N/m\" }",
        &["joints.hinge.spring.stiffness", "plain number"],
    ),
    (
        "two zeros for one coordinate",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nzero = »[1, 2]",
        &["joints.hinge.zero", "2 values for 1 coordinate", "one value per coordinate"],
    ),
    (
        "a zero of the wrong dimension",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nzero = [»\"1 m\"]",
        &["joints.hinge.zero", "expected an angle"],
    ),
    // forces
    (
        "a force without a force",
        "[forces.wind]\nkind = \"constant\"\nbody = \"bob\"\nforce = [1, 0, 0]",
        "»[forces.wind]\nkind = \"constant\"\nbody = \"bob\"",
        &["forces.wind", "`force` or `torque` is missing"],
    ),
    (
        "a torque on a particle",
        "body = \"bob\"\nforce = [1, 0, 0]",
        "body = »\"bob\"\ntorque = [1, 0, 0]",
        &["forces.wind.body", "does not fit `bob`, a particle"],
    ),
    ("a NaN force", "force = [1, 0, 0]", "force = [1, »nan, 0]", &["forces.wind.force", "NaN", "finite"]),
    // bodies in space
    (
        "a plane position in space",
        "position = [0.5, 0, 0]",
        "position = »[0.5, 0]",
        &["bodies.bar.position", "[x, y, z]"],
    ),
    (
        "a zero quaternion",
        "position = [0.5, 0, 0]",
        "position = [0.5, 0, 0]\norientation = »{ quaternion = [0, 0, 0, 0] }",
        &["bodies.bar.orientation", "quaternion is zero", "[1, 0, 0, 0]"],
    ),
    (
        "an orientation of a particle",
        "position = [1, 0, -1]",
        "position = [1, 0, -1]\n»angular_velocity = [0, 0, 1]",
        &["bodies.bob", "does not belong to a particle", "rigid body"],
    ),
    // times
    ("a step of zero", "until = 0.01", "dt = »0", &["simulation.dt", "positive time"]),
    ("a negative step", "until = 0.01", "dt = »\"-1 ms\"", &["simulation.dt", "positive time"]),
    ("a NaN step", "until = 0.01", "dt = »nan", &["simulation.dt", "finite"]),
    ("a negative end", "until = 0.01", "until = »-1", &["simulation.until", "positive time"]),
    ("an endless run", "until = 0.01", "until = »inf", &["simulation.until", "finite"]),
    ("rows without an interval", "until = 0.01", "record = »0", &["simulation.record", "positive time"]),
    // tolerances
    (
        "a tolerance of nothing",
        "until = 0.01",
        "integrator = \"dopri5\"\nrelative_tolerance = »0",
        &["simulation.relative_tolerance", "cannot be kept", "1e-14 to 0.1"],
    ),
    (
        "a tolerance below rounding",
        "until = 0.01",
        "integrator = \"dopri5\"\nrelative_tolerance = »1e-17",
        &["simulation.relative_tolerance", "1e-17 cannot be kept", "1e-14 to 0.1"],
    ),
    (
        "a tolerance of everything",
        "until = 0.01",
        "integrator = \"dopri5\"\nrelative_tolerance = »2",
        &["simulation.relative_tolerance", "cannot be kept", "1e-14 to 0.1"],
    ),
    (
        "a tolerance that is not a number",
        "until = 0.01",
        "integrator = \"dopri5\"\nrelative_tolerance = »nan",
        &["simulation.relative_tolerance", "finite"],
    ),
    (
        "a tolerance in words",
        "until = 0.01",
        "integrator = \"dopri5\"\nrelative_tolerance = »\"tight\"",
        &["simulation.relative_tolerance", "number"],
    ),
    (
        "a negative absolute tolerance",
        "until = 0.01",
        "integrator = \"dopri5\"\nabsolute_tolerance = »-1e-9",
        &["simulation.absolute_tolerance", "cannot be kept", "larger than zero"],
    ),
    (
        "a longest step of zero",
        "until = 0.01",
        "integrator = \"dopri5\"\nmax_dt = »0",
        &["simulation.max_dt", "positive time"],
    ),
    (
        "a tolerance of steps of one size",
        "until = 0.01",
        "»relative_tolerance = 1e-6",
        &["simulation", "`relative_tolerance` does not belong", "dopri5"],
    ),
    (
        "a longest step of steps of one size",
        "until = 0.01",
        "integrator = \"long\"\n»max_dt = 1",
        &["simulation", "`max_dt` does not belong", "dopri5"],
    ),
    (
        "long without its projection",
        "until = 0.01",
        "integrator = \"long\"\nstabilization = »\"none\"",
        &["simulation.stabilization", "`rattle` closes the joints itself", "leave it out"],
    ),
    (
        "long by joint coordinates",
        "until = 0.01",
        "integrator = \"long\"\ncoordinates = »\"joints\"",
        &["simulation.coordinates", "`rattle` cannot carry joint coordinates", "leave it out"],
    ),
    // drives and laws
    (
        "a ramp of position",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = »{ ramp = { to = 1, duration = 1 } } }",
        &[
            "joints.hinge.drive.law",
            "a ramp law is not smooth enough to drive a position: its value is continuous but its rate jumps",
            "`cubic`",
        ],
    ),
    (
        "a step of speed",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"speed\", law = »{ expression = \"step(t - 1)\" } }",
        &[
            "joints.hinge.drive.law",
            "expression law is not smooth enough to drive a speed: its value jumps",
            "drive the acceleration",
        ],
    ),
    (
        "a drive on a coordinate that is not there",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { coordinate = »1, level = \"speed\", law = { constant = 1 } }",
        &["joints.hinge.drive.coordinate", "there is no coordinate 1", "a revolute joint has 1 coordinate"],
    ),
    (
        "a drive on a rod",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\n\n[joints.rod]\nkind = \"distance\"\na = \"ground\"\nb = \"bob\"\n»drive = { level = \"speed\", law = { constant = 1 } }",
        &["joints.rod", "`drive` does not belong to a distance joint"],
    ),
    (
        "two drives on one coordinate",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = [{ level = \"speed\", law = { constant = 1 } }, »{ level = \"position\", law = { constant = 1 } }]",
        &["joints.hinge.drive.1", "two drives prescribe coordinate 0", "leave one of them out"],
    ),
    (
        "a speed in metres",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"speed\", law = { constant = »\"2 m/s\" } }",
        &["joints.hinge.drive.law.constant", "expected an angular speed, found a speed", "rpm"],
    ),
    (
        "a law without a level",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = »{ law = { constant = 1 } }",
        &["joints.hinge.drive", "the field `level` is missing"],
    ),
    (
        "a formula with an unknown function",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = { expression = \"0.1*»sinn(t)\" } }",
        &["joints.hinge.drive.law.expression", "column 5: there is no function `sinn`", "0.1*sin(3*t)"],
    ),
    (
        "a formula with an unknown name",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = { expression = \"2 + »x\" } }",
        &["column 5: there is no `x`"],
    ),
    (
        "a formula that is not closed",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = { expression = \"2*(t + 1»\" } }",
        &["column 9: the parenthesis opened in column 3 is not closed"],
    ),
    (
        "a formula that ends",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = { expression = \"3 +»\" } }",
        &["column 4: the formula ends where a value should be"],
    ),
    (
        "a table in disorder",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = { table = [[0, 0], [2, 1], »[1, 2]] } }",
        &[
            "joints.hinge.drive.law.table.2",
            "row 2 starts with 1, not more than the 2 before it",
            "must grow",
        ],
    ),
    (
        "a table of one row",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = { quintic = »[[0, 0]] } }",
        &["joints.hinge.drive.law.quintic", "there is 1 row", "at least two"],
    ),
    (
        "ends of a table",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = { table = { rows = [[0, 0], [1, 1]], ends = »\"loose\" } } }",
        &["joints.hinge.drive.law.table.ends", "unknown choice `loose`", "rest, free"],
    ),
    (
        "knots that fall",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = { nurbs = { degree = 2, points = [0, 1, 2, 3], knots = [0, 0, 0, 2, »1, 1, 1] } } }",
        &["joints.hinge.drive.law.nurbs.knots.4", "knots must not fall"],
    ),
    (
        "too few knots",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = { nurbs = { degree = 2, points = [0, 1, 2, 3], knots = »[0, 0, 1, 1] } } }",
        &["joints.hinge.drive.law.nurbs.knots", "there are 4 knots; 4 points of degree 2 need 7"],
    ),
    (
        "too few points",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = { nurbs = »{ points = [0, 1], duration = 1 } } }",
        &["joints.hinge.drive.law.nurbs", "the degree is 3", "number of points, 2"],
    ),
    (
        "a weight of zero",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = { nurbs = { degree = 2, duration = 1, points = [0, 0, 1, 1], weights = »[1, 0, 1, 1] } } }",
        &["weight 1 is 0; weights must be positive"],
    ),
    (
        "a nurbs that starts at once",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"position\", law = »{ nurbs = { degree = 2, start = 1, duration = 1, points = [0, 1, 1, 1] } } }",
        &["a nurbs law is not smooth enough to drive a position"],
    ),
    (
        "a ramp in no time",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { level = \"speed\", law = { ramp = { to = 1, duration = »0 } } }",
        &["joints.hinge.drive.law.ramp.duration", "a ramp cannot take 0 s"],
    ),
    (
        "a servo of negative stiffness",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nservo = { stiffness = »-1, law = { constant = 0 } }",
        &["joints.hinge.servo.stiffness", "-1 is negative"],
    ),
    (
        "a negative armature",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\narmature = »-1",
        &["joints.hinge.armature", "-1 is negative"],
    ),
    (
        "an armature beside a law of the motion",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\narmature = »0.1\ndrive = { level = \"speed\", law = { constant = 1 } }",
        &["joints.hinge.armature", "whose coordinate no law prescribes"],
    ),
    (
        "a motor with one row",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nmotor = { curve = »[[0, 1]] }",
        &["joints.hinge.motor.curve", "needs at least two rows, and has 1"],
    ),
    (
        "a motor in disorder",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nmotor = { curve = »[[1, 1], [0, 2]] }",
        &["joints.hinge.motor.curve", "speeds must grow"],
    ),
    (
        "friction regularized at no speed",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nfriction = { coulomb = 0.2, regularization_speed = »0 }",
        &["joints.hinge.friction.regularization_speed", "must be positive"],
    ),
    (
        "a Stribeck speed that is none",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nfriction = { coulomb = 0.2, static = 0.3, stribeck_speed = »-1 }",
        &["joints.hinge.friction.stribeck_speed", "must be positive"],
    ),
    (
        "a friction curve that does not fall",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nfriction = { coulomb = 0.2, stribeck_speed = »0.1 }",
        &["joints.hinge.friction.stribeck_speed", "no curve without `static`", "above `coulomb`"],
    ),
    (
        "a spring without stiffness",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nspring = »{ damping = 1 }",
        &["joints.hinge.spring", "the field `stiffness` is missing", "curve"],
    ),
    (
        "a spring with two laws",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nspring = { stiffness = »1, curve = [[0, 0], [1, 1]] }",
        &["joints.hinge.spring.stiffness", "does not belong to a spring with a `curve`"],
    ),
    (
        "a preload of no spring",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nspring = { stiffness = 0, preload = »1 }",
        &["joints.hinge.spring.preload", "has no preload"],
    ),
    (
        "a law of a force with a unit",
        "force = [1, 0, 0]",
        "force = [1, 0, 0]\nlaw = { constant = »\"2 N\" }",
        &["forces.wind.law.constant", "expected a number, found a force"],
    ),
    // what is not available yet
    (
        "a law of restitution that there is not",
        "until = 0.01",
        "restitution_law = »\"stronge\"",
        &["simulation.restitution_law", "newton", "poisson"],
    ),
    (
        "a time for accounts that there is not",
        "until = 0.01",
        "accounts = »\"never\"",
        &["simulation.accounts", "every-step", "recorded", "end", "off"],
    ),
    (
        "first order by joint coordinates",
        "until = 0.01",
        "integrator = \"first-order\"\ncoordinates = »\"joints\"",
        &["simulation.coordinates", "`first-order` cannot carry joint coordinates", "leave it out"],
    ),
    // limits, contacts
    (
        "limits upside down",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nlimits = [»[\"90 deg\", \"-90 deg\"]]",
        &["joints.hinge.limits", "the lower limit is above the upper"],
    ),
    (
        "too many limits",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nlimits = »[[0, 1], [0, 1]]",
        &["joints.hinge.limits", "2 pairs for 1 coordinate", "one pair [lower, upper]"],
    ),
    (
        "a joint that holds less than it rubs",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nfriction = { coulomb = 2, static = »1 }",
        &["joints.hinge.friction.static", "`static` is below `coulomb`", "without `static`"],
    ),
    (
        "a law that is a number",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\ndrive = { law = »7 }",
        &["joints.hinge.drive.law", "found a number", "{ constant = 7 }"],
    ),
    (
        "a limit in metres for an angle",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nlimits = [[»\"1 m\", \"2 m\"]]",
        &["joints.hinge.limits", "expected an angle"],
    ),
    (
        "a rebound without limits",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nrestitution = »0.5",
        &["joints.hinge.restitution", "no limits to rebound from"],
    ),
    (
        "a rebound that makes energy",
        "axis = [0, 1, 0]",
        "axis = [0, 1, 0]\nlimits = [[-1, 1]]\nrestitution = »1.5",
        &["joints.hinge.restitution", "1.5 is out of range", "from 0, no rebound, to 1"],
    ),
    (
        "friction below zero",
        "[forces.wind]",
        "[ground]\nshapes = [{ kind = \"plane\", position = [0, 0, -9], material = \"stone\" }]\n[materials.stone]\nfriction = { kinetic = »-0.1 }\n[forces.wind]",
        &["materials.stone.friction", "cannot be negative"],
    ),
    (
        "a material that is not there",
        "[forces.wind]",
        "[ground]\nshapes = [{ kind = \"plane\", material = »\"stone\" }]\n[forces.wind]",
        &["ground.shapes.0.material", "stone"],
    ),
    (
        "a half-plane without a normal",
        "[forces.wind]",
        "»[inequalities.wall]\nkind = \"half-plane\"\nbody = \"bob\"\n[forces.wind]",
        &["inequalities.wall", "needs a normal"],
    ),
    (
        "a half-plane for an unknown body",
        "[forces.wind]",
        "[inequalities.wall]\nkind = \"half-plane\"\nbody = »\"bop\"\nnormal = [0, 0, 1]\n[forces.wind]",
        &["inequalities.wall.body", "no body `bop`", "bob"],
    ),
    (
        "a distance of both kinds",
        "[forces.wind]",
        "»[inequalities.rope]\nkind = \"distance\"\na = \"ground\"\nb = \"bob\"\nmin = 1\nmax = 2\n[forces.wind]",
        &["inequalities.rope", "either a least or a largest"],
    ),
    (
        "coordinates of something else",
        "until = 0.01",
        "coordinates = »\"angles\"",
        &["simulation.coordinates", "unknown choice `angles`", "bodies, joints"],
    ),
    (
        "a solver that does not exist",
        "until = 0.01",
        "solver = »\"spars\"",
        &["simulation.solver", "`spars`", "sparse"],
    ),
    (
        "a shaft without an axis",
        "[bodies.bob]\nkind = \"particle\"",
        "»[bodies.bob]\nkind = \"shaft\"",
        &["bodies.bob", "the field `axis` is missing"],
    ),
    (
        "a bead without a curve",
        "[bodies.bob]\nkind = \"particle\"",
        "»[bodies.bob]\nkind = \"bead\"",
        &["bodies.bob", "the field `curve` is missing"],
    ),
    (
        "a particle with a stiffness",
        "kind = \"particle\"",
        "kind = \"particle\"\n»stiffness = 3",
        &["bodies.bob", "`stiffness` does not belong to a particle", "scaled body"],
    ),
    // Each of these was shown at the body, or not at all.
    (
        "a scale that is pushed away",
        "kind = \"particle\"\nmass = 0.1",
        "kind = \"scaled\"\nmass = 0.1\ninertia = [1, 1, 1]\nstiffness = »-3",
        &["bodies.bob.stiffness", "it is -3", "it must not be negative"],
    ),
    (
        "a body scaled to nothing",
        "kind = \"particle\"\nmass = 0.1",
        "kind = \"scaled3\"\nmass = 0.1\ninertia = [1, 1, 1]\nstiffness = 3\nstart = [1, »0, 1]",
        &["bodies.bob.start.1", "it is 0", "a scale must be positive"],
    ),
    (
        "rubber that no rubber is",
        "kind = \"particle\"\nmass = 0.1",
        "kind = \"affine\"\nmass = 0.1\nshape = { kind = \"box\", size = [1, 1, 1] }\nyoung = 3\npoisson = »0.6",
        &["bodies.bob.poisson", "it is 0.6", "between -1 and 0.5"],
    ),
    (
        "a mass inside that is none",
        "kind = \"particle\"\nmass = 0.1",
        "kind = \"internal-mass\"\nmass = 0.1\ninertia = [1, 1, 1]\ninside = { mass = »-0.5, axis = [1, 0, 0] }",
        &["bodies.bob.inside.mass", "it is -0.5", "it must be positive"],
    ),
    (
        "a piece of less than no mass",
        "kind = \"particle\"\nmass = 0.1",
        "kind = \"formula\"\ncoordinates = [\"u\"]\npieces = [{ mass = »-1, x = \"u\" }]",
        &["bodies.bob.pieces.0.mass", "it is -1", "it must not be negative"],
    ),
    (
        "a piece with an inertia that nothing has",
        "kind = \"particle\"\nmass = 0.1",
        "kind = \"formula\"\ncoordinates = [\"u\"]\npieces = [{ mass = 1, angle = \"u\", inertia = »[1, -1, 1] }]",
        &["bodies.bob.pieces.0.inertia", "its smallest principal moment is -1", "no moment may be negative"],
    ),
    (
        "a shaft that tumbles",
        "kind = \"particle\"\nmass = 0.1",
        "kind = \"shaft\"\nmass = 0.1\ninertia = [1, 1, 1]\naxis = [0, 0, 1]\nangular_velocity = »[1, 0, 0]",
        &["bodies.bob.angular_velocity", "about its axis alone", "start_rate"],
    ),
    (
        "a shaft with an inertia that nothing has",
        "kind = \"particle\"\nmass = 0.1",
        "kind = \"shaft\"\naxis = [1, 0, 0]\nmass = 0.1\ninertia = »[1, 1, -1]",
        &["bodies.bob.inertia", "not positive definite", "must be positive"],
    ),
    (
        "a growing body with an inertia that nothing has",
        "kind = \"particle\"\nmass = 0.1",
        "kind = \"scaled\"\nstiffness = 3\nmass = 0.1\ninertia = »[1, 1, 5]",
        &["bodies.bob.inertia", "no real body has this inertia"],
    ),
];

/// Transmissions, a rope and a path without mistakes.
const COUPLED: &str = r#"gravity = [0, 0, -9.81]

[bodies.wheel]
shape = { kind = "box", size = [1, 1, 1] }
mass = 1

[bodies.slider]
shape = { kind = "box", size = [1, 1, 1] }
mass = 1
position = [3, 0, 0]

[bodies.bob]
kind = "particle"
mass = 0.1
position = [6, 0, 0]

[joints.hinge]
kind = "revolute"
a = "ground"
b = "wheel"
anchor = [0, 0, 0]
axis = [0, 1, 0]

[joints.slide]
kind = "prismatic"
a = "ground"
b = "slider"
anchor = [3, 0, 0]
axis = [0, 0, 1]

[joints.pair]
kind = "coupler"
terms = [{ joint = "hinge", factor = 2 }, { joint = "slide", polynomial = [0, 0.5, 1] }]

[joints.rope]
kind = "rope"
points = [{ body = "ground", point = [6, 0, 2] }, { body = "bob" }]
weights = [2]
"#;

const TERMS: &str =
    "terms = [{ joint = \"hinge\", factor = 2 }, { joint = \"slide\", polynomial = [0, 0.5, 1] }]";
const PAIR: &str = "kind = \"coupler\"\nterms = [{ joint = \"hinge\", factor = 2 }, { joint = \"slide\", polynomial = [0, 0.5, 1] }]";
const WHOLE: &str = "[joints.pair]\nkind = \"coupler\"\nterms = [{ joint = \"hinge\", factor = 2 }, { joint = \"slide\", polynomial = [0, 0.5, 1] }]";
const ROPE: &str =
    "kind = \"rope\"\npoints = [{ body = \"ground\", point = [6, 0, 2] }, { body = \"bob\" }]\nweights = [2]";

const COUPLED_CASES: &[Case] = &[
    (
        "a coupler on a missing joint",
        "joint = \"slide\"",
        "joint = »\"slid\"",
        &["joints.pair.terms.1.joint", "there is no joint `slid`", "did you mean `slide`?"],
    ),
    (
        "a coupler on a coordinate that is not there",
        "joint = \"hinge\", factor",
        "joint = \"hinge\", coordinate = »1, factor",
        &[
            "joints.pair.terms.0.coordinate",
            "`hinge` has no coordinate 1",
            "revolute joint has 1 such coordinate",
        ],
    ),
    (
        "a coupler on what has no coordinates",
        "joint = \"hinge\"",
        "joint = »\"rope\"",
        &["joints.pair.terms.0.joint", "`rope` has no coordinates", "a joint between two bodies"],
    ),
    (
        "a coupler on itself",
        "joint = \"hinge\"",
        "joint = »\"pair\"",
        &["joints.pair.terms.0.joint", "names itself"],
    ),
    ("a coupler of nothing", TERMS, "terms = »[]", &["joints.pair.terms", "couples nothing"]),
    (
        "a coupler without terms",
        WHOLE,
        "»[joints.pair]\nkind = \"coupler\"",
        &["joints.pair", "the field `terms` is missing"],
    ),
    (
        "a coupler of zeros",
        TERMS,
        "terms = [{ joint = \"hinge\", polynomial = »[1] }, { joint = \"slide\", polynomial = [3] }]",
        &["joints.pair.terms.0.polynomial", "couples nothing", "leave out a joint"],
    ),
    (
        "a coupler factor of zero",
        "joint = \"hinge\", factor = 2",
        "joint = \"hinge\", factor = »0",
        &["joints.pair.terms.0.factor", "cannot be zero"],
    ),
    (
        "a coordinate summed twice",
        TERMS,
        "terms = [{ joint = \"hinge\", factor = 2 }, »{ joint = \"hinge\", factor = 3 }]",
        &["joints.pair.terms.1", "summed twice"],
    ),
    (
        "a factor and a polynomial",
        "joint = \"hinge\", factor = 2",
        "joint = \"hinge\", factor = 2, »polynomial = [1, 2]",
        &["joints.pair.terms.0", "`factor` or `polynomial`, not both"],
    ),
    ("no equations", TERMS, "equations = »[]", &["joints.pair.equations", "couples nothing"]),
    (
        "an offset beside equations",
        TERMS,
        "equations = [{ terms = [{ joint = \"hinge\" }] }]\n»offset = 1",
        &["joints.pair", "`offset` does not belong", "own `offset`"],
    ),
    (
        "a rack without a radius",
        WHOLE,
        "»[joints.pair]\nkind = \"rack-pinion\"\njoints = [\"hinge\", \"slide\"]",
        &["joints.pair", "the field `radius` is missing", "20 mm"],
    ),
    (
        "a rack that turns",
        PAIR,
        "kind = \"rack-pinion\"\njoints = [\"hinge\", »\"other\"]\nradius = 0.1\n\n[joints.other]\nkind = \"revolute\"\na = \"ground\"\nb = \"bob2\"\naxis = [0, 1, 0]\nanchor = [0, 0, 0]\n\n[bodies.bob2]\nshape = { kind = \"box\", size = [1, 1, 1] }\nmass = 1",
        &["joints.pair.joints.1", "`other` does not slide", "prismatic"],
    ),
    (
        "a worm without teeth",
        PAIR,
        "kind = \"worm\"\njoints = [\"hinge\", \"slide\"]\nteeth = »0",
        &["joints.pair.teeth", "cannot have no teeth"],
    ),
    (
        "a worm with half a tooth",
        PAIR,
        "kind = \"worm\"\njoints = [\"hinge\", \"slide\"]\nteeth = »40.5",
        &["joints.pair.teeth", "has whole teeth"],
    ),
    (
        "a coupler whose polynomial is a constant",
        PAIR,
        "kind = \"coupler\"\nterms = [{ joint = \"hinge\", polynomial = »[2, 0] }, { joint = \"slide\", factor = 1 }]",
        &["joints.pair.terms.0.polynomial", "couples nothing"],
    ),
    (
        "a joint by another name",
        PAIR,
        "kind = »\"hinge\"",
        &["joints.pair.kind", "unknown choice `hinge`", "did you mean `revolute`?"],
    ),
    (
        "a belt on one pulley",
        PAIR,
        "kind = \"belt\"\njoints = »[\"hinge\"]\nradii = [1, 2]",
        &["joints.pair.joints", "1 joint in the place of two"],
    ),
    (
        "a belt with a radius of zero",
        PAIR,
        "kind = \"belt\"\njoints = [\"hinge\", \"slide\"]\nradii = [1, »0]",
        &["joints.pair.radii.1", "a radius must be positive"],
    ),
    (
        "a belt round a slide",
        PAIR,
        "kind = \"belt\"\njoints = [\"hinge\", »\"slide\"]\nradii = [1, 2]",
        &["joints.pair.joints.1", "`slide` does not turn"],
    ),
    (
        "a screw without a lead",
        "[joints.slide]\nkind = \"prismatic\"",
        "»[joints.slide]\nkind = \"screw\"",
        &["joints.slide", "the field `lead` is missing", "5 mm"],
    ),
    (
        "a screw that goes nowhere",
        "[joints.slide]\nkind = \"prismatic\"",
        "[joints.slide]\nlead = »0\nkind = \"screw\"",
        &["joints.slide.lead", "a lead cannot be zero"],
    ),
    (
        "a shaft folded back",
        "[joints.slide]\nkind = \"prismatic\"",
        "[joints.slide]\naxis2 = »[0, 0, -1]\nkind = \"constant-velocity\"",
        &["joints.slide.axis2", "folded back"],
    ),
    (
        "a rope with one end",
        ROPE,
        "kind = \"rope\"\npoints = »[{ body = \"bob\" }]",
        &["joints.rope.points", "two ends"],
    ),
    (
        "a rope to an unknown body",
        "{ body = \"bob\" }",
        "{ body = »\"bub\" }",
        &["joints.rope.points.1.body", "there is no body `bub`", "did you mean `bob`?"],
    ),
    (
        "a rope to where it is",
        "point = [6, 0, 2] }, { body = \"bob\" }",
        "point = [6, 0, 0] }, »{ body = \"bob\" }",
        &["joints.rope.points.1", "no direction there"],
    ),
    (
        "a rope with too many weights",
        "weights = [2]",
        "weights = »[2, 1]",
        &["joints.rope.weights", "2 weights for 1 part"],
    ),
    (
        "a path for too many motors",
        ROPE,
        "kind = \"follow\"\nb = \"wheel\"\nmotors = »[\"hinge\", \"slide\"]\npath = { nurbs = { points = [[0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 0, 0]], duration = 1 } }",
        &["joints.rope.motors", "2 motors for 3 directions"],
    ),
    (
        "a path with a missing motor",
        ROPE,
        "kind = \"follow\"\nb = \"wheel\"\ndirections = [[1, 0, 0]]\nmotors = [»\"hing\"]\npath = { nurbs = { points = [[0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 0, 0]], duration = 1 } }",
        &["joints.rope.motors.0", "there is no joint `hing`", "did you mean `hinge`?"],
    ),
    (
        "a path whose velocity jumps",
        ROPE,
        "kind = \"follow\"\nb = \"wheel\"\npath = { nurbs = { points = »[[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 2, 0]], duration = 1 } }",
        &["joints.rope.path.nurbs.points", "not smooth enough", "the first two"],
    ),
    (
        "a path with bad knots",
        ROPE,
        "kind = \"follow\"\nb = \"wheel\"\npath = { nurbs = { points = [[0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 0, 0]], knots = »[0, 0, 1] } }",
        &["joints.rope.path.nurbs.knots", "give as many"],
    ),
];

const FLAT_CASES: &[Case] = &[
    (
        "a skew axis",
        "axis = [0, 0, 1]",
        "axis = »[0, 1, 1]",
        &["joints.axle.axis", "its axis must be along z", "planar bodies"],
    ),
    (
        "a slide out of the plane",
        "kind = \"revolute\"\na = \"ground\"\nb = \"wheel\"\nanchor = [0, 0, 0]\naxis = [0, 0, 1]",
        "kind = \"prismatic\"\na = \"ground\"\nb = \"wheel\"\nanchor = [0, 0, 0]\naxis = »[0, 0, 1]",
        &["joints.axle.axis", "must lie in the x–y plane"],
    ),
    (
        "no gravity",
        "gravity = [0, -9.81, 0]\n\n[bodies.wheel]\nkind = \"planar\"",
        "[bodies.wheel]\nkind = »\"planar\"",
        &["bodies.wheel.kind", "must state its gravity", "gravity = [0, -9.81, 0]"],
    ),
    (
        "a position off the plane",
        "inertia = 0.1",
        "inertia = 0.1\nposition = »[0, 0, 1]",
        &["bodies.wheel.position", "x–y plane", "[x, y]"],
    ),
    (
        "an orientation in space",
        "inertia = 0.1",
        "inertia = 0.1\norientation = »{ axis = [1, 0, 0], angle = 1 }",
        &["bodies.wheel.orientation", "x–y plane", "\"30 deg\""],
    ),
    ("an inertia in space", "inertia = 0.1", "inertia = »[1, 1, 1]", &["bodies.wheel.inertia", "one number"]),
    (
        "a negative inertia",
        "inertia = 0.1",
        "inertia = »-0.1",
        &["bodies.wheel.inertia", "not positive definite", "-0.1"],
    ),
    (
        "a tilted spin",
        "inertia = 0.1",
        "inertia = 0.1\nangular_velocity = »[1, 0, 0]",
        &["bodies.wheel.angular_velocity", "[0, 0, w]"],
    ),
];

#[test]
fn an_unphysical_inertia_is_accepted_if_the_file_says_so_and_check_warns() {
    let text = GOOD.replace("mass = 1.2", "mass = 1.2\ninertia = [1, 1, 5]\nallow_unphysical_inertia = true");
    let run = command(&["run", "-", "--quiet"], text.as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let check = command(&["check", "-", "--json"], text.as_bytes());
    assert_eq!(check.code, 0, "{}", check.stderr);
    let warnings = check.json()["warnings"].to_string();
    assert!(warnings.contains("inertia of `bar`") && warnings.contains("1 + 1"), "{warnings}");
    let warnings = command(&["check", "-", "--json"], GOOD.as_bytes()).json()["warnings"].clone();
    assert_eq!(warnings, serde_json::json!([]));
}

/// Files that are no scenes at all.
#[test]
fn hostile_files_are_refused_at_once() {
    let deep_array = format!("a = {}", "[".repeat(100_000));
    let deep_json = format!("{{\"a\":{}", "[".repeat(100_000));
    let deep_tables = format!("a = {}1{}", "{ b = ".repeat(100_000), " }".repeat(100_000));
    let deep_dots = format!("a{} = 1", ".b".repeat(100_000));
    let long = format!("title = \"{}", "x".repeat(50 << 20));
    let long_name = format!("{} = 1", "x".repeat(50 << 20));
    let long_json = format!("{{\"title\":\"{}\"", "x".repeat(50 << 20));
    let cases: &[(&str, &[u8], &[&str])] = &[
        ("empty", b"", &["empty"]),
        ("blank", b"  \n\t\n", &["empty"]),
        ("only a comment", b"# nothing\n", &["has no scene", "[bodies.NAME]"]),
        ("truncated TOML", b"[bodies.bar]\nmass = ", &[":2:"]),
        ("truncated string", b"title = \"Pend", &[":1:9"]),
        ("truncated table", b"[bodies.ba", &[":1:"]),
        ("truncated JSON", b"{ \"bodies\": { \"bar\": { \"mass\": 1", &[":1:"]),
        ("not UTF-8", b"title = \"\xff\xfe\"", &["not UTF-8", "line 1"]),
        ("zeros", &[0; 64], &[]),
        ("a picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &[]),
        ("nested arrays, 100 000 deep", deep_array.as_bytes(), &["nested more than 64 deep", ":1:"]),
        ("nested JSON, 100 000 deep", deep_json.as_bytes(), &["nested more than 64 deep", ":1:"]),
        ("nested tables, 100 000 deep", deep_tables.as_bytes(), &["nested more than 64 deep", ":1:"]),
        ("dotted keys, 100 000 deep", deep_dots.as_bytes(), &["nested more than 64 deep", ":1:"]),
        ("50 MB of one line", long.as_bytes(), &[":1:9"]),
        ("50 MB of one name", long_name.as_bytes(), &["unknown field", ":1:1"]),
        ("50 MB of one JSON line", long_json.as_bytes(), &[":1:"]),
        ("a JSON array", b"[]", &[]),
        ("a JSON number", b"42", &[]),
    ];
    let mut complaints = Vec::new();
    for (what, bytes, words) in cases {
        for file in ["standard input", "hostile.toml"] {
            let out = if file == "hostile.toml" {
                std::fs::write(scratch(file), bytes).expect("a scratch file");
                command(&["run", file], b"")
            } else {
                command(&["run", "-"], bytes)
            };
            let words = [words, &[file][..]].concat();
            let long = || (out.stderr.len() > 4000).then(|| format!("{} bytes", out.stderr.len()));
            complaints.extend(complaint(&out, INPUT, &words).or_else(long).map(|c| format!("{what}: {c}")));
        }
    }
    let _ = std::fs::remove_file(scratch("hostile.toml"));
    assert_none(complaints);
}

/// Mistakes on the command line.
#[test]
fn mistakes_on_the_command_line_are_named() {
    std::fs::write(scratch("scene.toml"), GOOD).expect("a scratch file");
    let cases: &[(&[&str], &[&str])] = &[
        (&["run", "missing.toml"], &["missing.toml", "cannot read", "No such file", "cardan list"]),
        (&["run", "nowhere/missing.toml"], &["nowhere/missing.toml", "cannot read"]),
        (&["run", "."], &["folder"]),
        (&["run", "pendulm"], &["pendulm", "did you mean `pendulum`?", "cardan list"]),
        (&["run", "zzz"], &["zzz", "cardan list", "NAME.toml"]),
        (&["run"], &["<SCENE>"]),
        (&["frobnicate"], &["frobnicate", "Usage"]),
        (&["run", "scene.toml", "--frobnicate"], &["--frobnicate"]),
        // overrides
        (&["run", "scene.toml", "--set", "bodies.bar.mass"], &["--set:1:16", "PATH=VALUE"]),
        (&["run", "scene.toml", "--set", "bodies.bra.mass=1"], &["--set:1:1", "did you mean `bar`?"]),
        (&["run", "scene.toml", "--set", "bodies.bar.mas=1"], &["--set:1:1", "did you mean `mass`?"]),
        (
            &["run", "scene.toml", "--set", "bodies.bar.mass=-1"],
            &["--set:1:17", "bodies.bar.mass", "must be positive"],
        ),
        (&["run", "scene.toml", "--set", "bodies.bar.mass=2 kgg"], &["--set:1:17", "unknown unit `kgg`"]),
        (&["run", "scene.toml", "--set", "bodies.bar.inertia=[1,1,5]"], &["--set:1:20", "no real body"]),
        (&["run", "scene.toml", "--set", "bodies.bar.position.7=1"], &["--set:1:", "position"]),
        (&["run", "scene.toml", "--set", "=1"], &["--set:1:1"]),
        (&["run", "scene.toml", "--set", ""], &["--set:1:1"]),
        // times
        (&["run", "scene.toml", "--dt", "0"], &["--dt", "larger than zero"]),
        (&["run", "scene.toml", "--dt", "-1"], &["--dt", "not be negative"]),
        (&["run", "scene.toml", "--dt", "nan"], &["--dt", "finite"]),
        (&["run", "scene.toml", "--dt", "inf"], &["--dt", "finite"]),
        (
            &["run", "scene.toml", "--dt", "1 mm"],
            &["--dt", "expected a time, found a length", "ms, s, min, h"],
        ),
        (&["run", "scene.toml", "--dt", "1 sec"], &["--dt", "unknown unit `sec`"]),
        (&["run", "scene.toml", "--dt", "soon"], &["--dt", "expected a time", "soon"]),
        (&["run", "scene.toml", "--until", "-1"], &["--until", "not be negative"]),
        (&["run", "scene.toml", "--until", "5 kg"], &["--until", "expected a time, found a mass"]),
        (&["run", "scene.toml", "--until", "nan"], &["--until", "finite"]),
        (&["draw", "scene.toml", "-o", "refused-too.svg", "--at", "0,-1"], &["--at", "not be negative"]),
        // outputs
        (&["run", "scene.toml", "--out", "table.txt"], &["table.txt", "must end in .csv"]),
        (&["run", "scene.toml", "--out", "table"], &["table", "must end in .csv"]),
        (&["run", "scene.toml", "--plot", "plot.jpg"], &["plot.jpg", ".svg, .png or .html"]),
        (&["draw", "scene.toml", "-o", "drawing.pdf"], &["drawing.pdf", ".svg or .png"]),
        (&["draw", "scene.toml"], &["--output"]),
        (&["run", "scene.toml", "--dt", "1e-12"], &["steps of 1.000e-12 s", "--force"]),
        (&["run", "scene.toml", "--dt", "3e-23"], &["steps of 3.000e-23 s", "--force"]),
        (&["draw", "scene.toml", "-o", "refused-too.svg", "--at", "1", "--dt", "3e-23"], &["steps", "--dt"]),
        (&["compare", "scene.toml", "--dt", "1e-12"], &["steps of 1.000e-12 s"]),
        (
            &["run", "scene.toml", "--out", "refused.csv", "--columns", "joints.hinge.torqe"],
            &["did you mean `joints.hinge.torque`", "below `joints.hinge`", "force, torque"],
        ),
        (&["compare"], &["SCENES"]),
        (&["compare", "scene.toml", "--vary", "bodies.rod.mass"], &["--vary", "PATH=V1,V2"]),
        (&["compare", "scene.toml", "--vary", "bodies.rod.mass="], &["--vary", "no value"]),
        (&["compare", "scene.toml", "--columns", "nothing"], &["--columns", "`nothing`"]),
        (&["jog", "scene.toml", "--probe", "tup"], &["no probe `tup`"]),
        (&["jog", "double-pendulum", "--probe", "tip", "--moves", "upp"], &["`upp`", "did you mean `up`"]),
        (
            &["jog", "double-pendulum", "--probe", "tip", "--moves", "up 3 kg"],
            &["expected a length, found a mass"],
        ),
        (&["jog", "double-pendulum", "--probe", "tip", "--by", "0"], &["--by", "must be positive"]),
        (&["jog", "double-pendulum", "--probe", "tip", "--ahead", "0,0,1"], &["--ahead", "gravity"]),
        (&["jog", "double-pendulum", "--probe", "tip", "--joints", "hingge"], &["no joint `hingge`"]),
        (
            &["run", "scene.toml", "--plot", "refused.svg", "--columns", "joints.hing.force"],
            &["--columns", "`joints.hing.force`", "did you mean `joints.hinge.force"],
        ),
        (&["run", "scene.toml", "--plot", "refused.svg", "--columns", "time,"], &["--columns"]),
    ];
    let complaints = cases.iter().filter_map(|(args, words)| {
        let complaint = complaint(&command(args, b""), INPUT, words)?;
        Some(format!("cardan {}: {complaint}", args.join(" ")))
    });
    assert_none(complaints.collect());
    for file in ["refused.svg", "refused-too.svg", "table.txt"] {
        assert!(!scratch(file).exists(), "{file} was written in spite of the mistake");
    }
}

/// A loop for the tree solver is bad input too: it is said before anything runs.
#[test]
fn the_tree_solver_refuses_a_loop_of_bodies_in_and_out_of_the_plane() {
    let text = r#"
gravity = [0, -9.81, 0]
[simulation]
solver = "tree"
[bodies.plate]
kind = "planar"
mass = 1
inertia = 0.1
position = [1, 0]
[bodies.ball]
kind = "particle"
mass = 1
position = [1, 1, 0]
[joints.pin]
kind = "revolute"
a = "ground"
b = "plate"
anchor = [0, 0, 0]
axis = [0, 0, 1]
[joints.string]
kind = "distance"
a = "plate"
b = "ball"
[joints.second]
kind = "distance"
a = "ground"
b = "ball"
"#;
    let out = command(&["run", "-"], text.as_bytes());
    assert_refused(
        "a loop",
        &out,
        INPUT,
        &["standard input", "`string`", "closes a loop", "`auto` or `sparse`"],
    );
    // All in space, the same loop is none of its business.
    let space = text
        .replace("kind = \"planar\"", "kind = \"rigid\"")
        .replace("inertia = 0.1", "inertia = [0.1, 0.1, 0.1]");
    let space = space.replace("position = [1, 0]", "position = [1, 0, 0]");
    let out = command(&["run", "-", "--until", "0.1"], space.as_bytes());
    assert_eq!(out.code, 0, "{}", out.stderr);
}

#[test]
fn files_that_cannot_be_written_are_named_before_the_run() {
    std::fs::create_dir_all(scratch("folder.csv")).expect("a scratch folder");
    std::fs::create_dir_all(scratch("folder.svg")).expect("a scratch folder");
    let cases: &[&[&str]] = &[
        &["run", "-", "--until", "1 h", "--out", "nowhere/table.csv"],
        &["run", "-", "--until", "1 h", "--plot", "nowhere/plot.svg"],
        &["run", "-", "--until", "1 h", "--out", "folder.csv"],
        &["run", "-", "--until", "1 h", "--plot", "folder.svg"],
        &["draw", "-", "--at", "3600", "-o", "nowhere/drawing.png"],
    ];
    for args in cases {
        let out = command(args, GOOD.as_bytes());
        let file = args.last().expect("a file");
        assert_refused(&args.join(" "), &out, FAILED, &["cannot write", file]);
    }
}

/// A particle that flies through the centre of an attraction too weak to bend its way: exact in binary, so that at
/// t = 1 s the two points coincide and the force is 0/0.
const THROUGH_THE_CENTRE: &str = r#"gravity = [0, 0, 0]
[simulation]
until = 2
dt = 0.25
[bodies.comet]
kind = "particle"
mass = 1
position = [1, 0, 0]
velocity = [-1, 0, 0]
[forces.sun]
kind = "gravity-point"
a = "ground"
b = "comet"
strength = 1e-300
"#;

#[test]
fn a_force_that_is_not_a_number_ends_the_run_and_leaves_the_last_good_state() {
    let out = command(&["run", "-", "--json"], THROUGH_THE_CENTRE.as_bytes());
    assert_eq!(out.code, FAILED, "{}", out.stderr);
    assert!(!out.stderr.contains("panicked"), "{}", out.stderr);
    for word in ["error: ", "standard input", "`sun`", "not a finite number", "t = 1 s"] {
        assert!(out.stderr.contains(word), "the message lacks `{word}`: {}", out.stderr);
    }
    let end = out.json();
    let status = end["status"].as_str().expect("a status");
    assert!(status.starts_with("failed: ") && status.contains("`sun`"), "{status}");
    // the fourth step fails in its last evaluation, at t = 1: three steps were good
    assert_eq!((end["steps"].as_u64(), end["time"].as_f64()), (Some(3), Some(0.75)));
    assert_eq!(end["bodies"]["comet"]["position"], serde_json::json!([0.25, 0.0, 0.0]));
    assert_eq!(end["bodies"]["comet"]["velocity"], serde_json::json!([-1.0, 0.0, 0.0]));
    assert!(end["bodies"]["comet"]["acceleration"][0].is_number(), "the last good state can be solved");
}

#[test]
fn unknown_values_of_a_failed_run_are_null() {
    // Explicit Euler takes the fourth step before it looks at the force there.
    let text = THROUGH_THE_CENTRE.replace("dt = 0.25", "dt = 0.25\nintegrator = \"explicit-euler\"");
    let out = command(&["run", "-", "--json"], text.as_bytes());
    assert_eq!(out.code, FAILED, "{}", out.stderr);
    let end = out.json();
    assert_eq!((end["steps"].as_u64(), end["time"].as_f64()), (Some(4), Some(1.0)));
    assert_eq!(end["bodies"]["comet"]["position"], serde_json::json!([0.0, 0.0, 0.0]));
    let null3 = serde_json::json!([null, null, null]);
    assert_eq!(end["bodies"]["comet"]["acceleration"], null3);
    assert_eq!(end["bodies"]["comet"]["angular_acceleration"].as_array().map(Vec::len), Some(3));
    assert!(end["energy"]["potential"].is_null(), "{}", end["energy"]);
    assert!(end["state_hash"].as_str().is_some_and(|hash| hash.len() == 16));

    let solve = command(&["solve", "-", "--json"], text.replace("[1, 0, 0]", "[0, 0, 0]").as_bytes());
    assert_eq!(solve.code, FAILED, "{}", solve.stderr);
    let at_start = solve.json();
    assert!(at_start["status"].as_str().is_some_and(|s| s.starts_with("failed: ")), "{}", at_start["status"]);
    assert_eq!(at_start["bodies"]["comet"]["acceleration"], null3);
    assert!(at_start["certificate"]["max_equation_residual"].is_null());

    // For people: what failed, and no table of NaN.
    let text = command(&["run", "-"], text.as_bytes());
    assert_eq!(text.code, FAILED);
    assert!(text.stdout.contains("failed: force `sun`") && !text.stdout.contains("NaN"), "{}", text.stdout);
    let check = command(&["check", "-"], THROUGH_THE_CENTRE.replace("[1, 0, 0]", "[0, 0, 0]").as_bytes());
    assert_eq!(check.code, FAILED, "{}", check.stdout);
    assert!(check.stdout.contains("it cannot run"), "{}", check.stdout);
}

/// A user can only mend what is said.
#[test]
fn changes_by_assembly_and_errors_of_a_coarse_step_are_warned_of() {
    let open = GOOD.replace("anchor = [0, 0, 0]", "anchor_in_a = [0, 0, 0.3]\nanchor_in_b = [-0.5, 0, 0]");
    let out = command(&["run", "-", "--until", "0.01"], open.as_bytes());
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(out.stdout.contains("warning: the joints of the file were open by up to 0.3"), "{}", out.stdout);
    assert!(out.stdout.contains("and turned by up to "), "{}", out.stdout);
    let out = command(&["run", "double-pendulum", "--dt", "0.05", "--json"], b"");
    let warnings = out.json()["warnings"].to_string();
    assert!(warnings.contains("energy is off by") && warnings.contains("smaller step"), "{warnings}");
    let out = command(&["run", "double-pendulum", "--until", "0.1", "--json"], b"");
    assert_eq!(out.json()["warnings"].as_array().map(Vec::len), Some(0));
    let flat = "gravity = [0, 0, -9.81]\n[bodies.puck]\nkind = \"planar-particle\"\nmass = 1\n";
    let out = command(&["check", "-"], flat.as_bytes());
    assert!(out.stdout.contains("gravity acts across the x–y plane"), "{}", out.stdout);
}

/// Two hinges that no pose can close.
#[test]
fn joints_that_cannot_be_closed_end_the_run_with_their_name() {
    let text = GOOD.to_string()
        + "[joints.far]\nkind = \"spherical\"\na = \"ground\"\nb = \"bar\"\nanchor_in_a = [5, 0, 0]\nanchor_in_b = [0.5, 0, 0]\n";
    let out = command(&["run", "-", "--json"], text.as_bytes());
    assert_eq!(out.code, FAILED, "{}", out.stderr);
    assert!(!out.stderr.contains("panicked"), "{}", out.stderr);
    let end = out.json();
    assert_eq!((end["steps"].as_u64(), end["time"].as_f64()), (Some(0), Some(0.0)));
    let status = end["status"].as_str().expect("a status");
    assert!(status.starts_with("failed: joint ") && status.contains("contradicts"), "{status}");
    assert!(out.seconds < AT_ONCE);
}
