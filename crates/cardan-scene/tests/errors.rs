//! What people read when a scene is wrong, word for word.

use cardan_scene::{Document, Scene, joint_kinds};

/// A title, a scene, and the message for it.
type Case = (&'static str, &'static str, &'static str);

fn message(text: &str) -> String {
    match Document::parse("scene.toml", text).and_then(|document| Scene::from_document(&document)) {
        Ok(_) => "no error".to_string(),
        Err(error) => error.render(),
    }
}

#[test]
fn every_mistake_is_named_and_mended() {
    for (title, text, expected) in CASES {
        let drawn = message(text);
        assert_eq!(drawn.trim_end(), with_lists(expected).trim(), "{title}:\n{drawn}");
    }
}

/// `{kinds}` is the list of all kinds of joints, `{with FIELD}` of those that take a field.
fn with_lists(text: &str) -> String {
    let list = |fits: &dyn Fn(&[&str]) -> bool| {
        let kinds = joint_kinds().filter(|kind| fits(kind.fields)).map(|kind| kind.name);
        kinds.collect::<Vec<_>>().join(", ")
    };
    let text = text.replace("{kinds}", &list(&|_| true));
    match text.split_once("{with ").and_then(|(before, rest)| Some((before, rest.split_once('}')?))) {
        Some((before, (field, after))) => {
            format!("{before}{}{after}", list(&|fields| fields.contains(&field)))
        }
        None => text,
    }
}

#[test]
fn mistakes_in_overrides_point_into_the_override() {
    for (set, expected) in OVERRIDES {
        let mut document = Document::parse("scene.toml", BODY).unwrap();
        let error = document.set(set).and_then(|()| Scene::from_document(&document)).unwrap_err();
        let drawn = error.render();
        assert_eq!(drawn.trim_end(), expected.trim(), "{set}:\n{drawn}");
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    let error = Document::parse("scene.toml", "[bodies.crank").unwrap_err();
    let coloured = error.render_coloured();
    assert!(coloured.contains("\u{1b}["));
    let mut plain = String::new();
    let mut escaped = false;
    for c in coloured.chars() {
        match c {
            '\u{1b}' => escaped = true,
            'm' if escaped => escaped = false,
            c if !escaped => plain.push(c),
            _ => {}
        }
    }
    assert_eq!(plain, error.render());
}

const BODY: &str = r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
"#;

const OVERRIDES: &[(&str, &str)] = &[
    (
        r#"bodies.crank.mass=2 kgg"#,
        r#"
error: bodies.crank.mass: unknown unit `kgg`
 --> --set:1:19
  |
1 | bodies.crank.mass=2 kgg
  |                   ^^^^^
  |
  = help: did you mean `kg`? Units of a mass: g, kg, t; a plain number is in kg
"#,
    ),
    (
        r#"bodies.cranck.mass=2"#,
        r#"
error: `bodies` has no `cranck` to set something in
 --> --set:1:1
  |
1 | bodies.cranck.mass=2
  | ^^^^^^^^^^^^^^^^^^
  |
  = help: did you mean `crank`?
"#,
    ),
    (
        r#"bodies.crank.mas=1"#,
        r#"
error: bodies.crank: unknown field `mas`
 --> --set:1:1
  |
1 | bodies.crank.mas=1
  | ^^^^^^^^^^^^^^^^
  |
  = help: did you mean `mass`?
"#,
    ),
    (
        r#"bodies.crank.shape.size.0=1"#,
        r#"
error: `bodies.crank.shape` has no `size` to set something in
 --> --set:1:1
  |
1 | bodies.crank.shape.size.0=1
  | ^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: `bodies.crank.shape` has `kind`, `length`, `radius`
"#,
    ),
    (
        r#"bodies.crank.mass.x=1"#,
        r#"
error: `bodies.crank.mass` is a number, so it has no `x`
 --> --set:1:1
  |
1 | bodies.crank.mass.x=1
  | ^^^^^^^^^^^^^^^^^^^
  |
  = help: shorten the path
"#,
    ),
    (
        r#"bodies.crank.mass"#,
        r#"
error: `=` and a value are missing
 --> --set:1:18
  |
1 | bodies.crank.mass
  |                  ^
  |
  = help: write --set PATH=VALUE, for example --set bodies.crank.mass=2.0
"#,
    ),
    (
        r#"bodies..mass=1"#,
        r#"
error: a name is missing here
 --> --set:1:8
  |
1 | bodies..mass=1
  |        ^
  |
  = help: write --set PATH=VALUE, for example --set bodies.crank.mass=2.0
"#,
    ),
    (
        r#"gravity=[0, 1]"#,
        r#"
error: gravity: expected an array of 3, found 2
 --> --set:1:9
  |
1 | gravity=[0, 1]
  |         ^^^^^^
"#,
    ),
];

const CASES: &[Case] = &[
    (
        "unknown field, nearest name",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
postion = [0, 0, 0]
"#,
        r#"
error: bodies.crank: unknown field `postion`
 --> scene.toml:4:1
  |
4 | postion = [0, 0, 0]
  | ^^^^^^^
  |
  = help: did you mean `position`?
"#,
    ),
    (
        "unknown field, nothing near",
        r#"[probes.tip]
colour = 1
"#,
        r#"
error: probes.tip: unknown field `colour`
 --> scene.toml:2:1
  |
2 | colour = 1
  | ^^^^^^
  |
  = help: known fields: body, point
"#,
    ),
    (
        "unknown table",
        r#"[body.crank]
mass = 1
"#,
        r#"
error: unknown field `body`
 --> scene.toml:1:2
  |
1 | [body.crank]
  |  ^^^^
  |
  = help: did you mean `bodies`?
"#,
    ),
    (
        "unknown kind",
        r#"[joints.A]
kind = "revolut"
a = "ground"
b = "crank"
"#,
        r#"
error: joints.A.kind: unknown choice `revolut`
 --> scene.toml:2:8
  |
2 | kind = "revolut"
  |        ^^^^^^^^^
  |
  = help: did you mean `revolute`? Known: {kinds}
"#,
    ),
    (
        "unknown integrator",
        r#"[simulation]
integrator = "rk5"
"#,
        r#"
error: simulation.integrator: unknown choice `rk5`
 --> scene.toml:2:14
  |
2 | integrator = "rk5"
  |              ^^^^^
  |
  = help: did you mean `rk4`? Known: explicit-euler, semi-implicit-euler, rk4, dopri5, rattle, time-stepping, first-order, auto
"#,
    ),
    (
        "unknown coordinates",
        r#"[simulation]
coordinates = "joint"
"#,
        r#"
error: simulation.coordinates: unknown choice `joint`
 --> scene.toml:2:15
  |
2 | coordinates = "joint"
  |               ^^^^^^^
  |
  = help: did you mean `joints`? Known: bodies, joints, auto
"#,
    ),
    (
        "a shaft without an axis",
        r#"[bodies.axle]
kind = "shaft"
"#,
        r#"
error: bodies.axle: the field `axis` is missing
 --> scene.toml:1:1
  |
1 | [bodies.axle]
  | ^^^^^^^^^^^^^
  |
  = help: the direction that it turns about, such as axis = [0, 0, 1]
"#,
    ),
    (
        "field of another kind",
        r#"[joints.A]
kind = "revolute"
a = "ground"
b = "crank"
lead = 1
"#,
        r#"
error: joints.A: `lead` does not belong to a revolute joint
 --> scene.toml:5:1
  |
5 | lead = 1
  | ^^^^
  |
  = help: it belongs to: screw
"#,
    ),
    (
        "joint kind misspelt",
        r#"[joints.A]
kind = "point-on-lane"
a = "ground"
b = "crank"
"#,
        r#"
error: joints.A.kind: unknown choice `point-on-lane`
 --> scene.toml:2:8
  |
2 | kind = "point-on-lane"
  |        ^^^^^^^^^^^^^^^
  |
  = help: did you mean `point-on-line`? Known: {kinds}
"#,
    ),
    (
        "a lock of nothing",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
[bodies.bob]
kind = "particle"
mass = 1
[joints.A]
kind = "lock"
a = "ground"
b = "crank"
anchor = [0, 0, 0]
locks = []
"#,
        r#"
error: joints.A.locks: the joint locks nothing
  --> scene.toml:12:9
   |
12 | locks = []
   |         ^^
   |
   = help: add the locked motions: `locks = ["x", "turn-z"]`, any of x, y, z, turn-x, turn-y, turn-z
"#,
    ),
    (
        "a lock without locks",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
[bodies.bob]
kind = "particle"
mass = 1
[joints.A]
kind = "lock"
a = "ground"
b = "crank"
anchor = [0, 0, 0]
"#,
        r#"
error: joints.A: the joint locks nothing
 --> scene.toml:7:1
  |
7 | [joints.A]
  | ^^^^^^^^^^
  |
  = help: add the locked motions: `locks = ["x", "turn-z"]`, any of x, y, z, turn-x, turn-y, turn-z
"#,
    ),
    (
        "a lock twice",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
[bodies.bob]
kind = "particle"
mass = 1
[joints.A]
kind = "lock"
a = "ground"
b = "crank"
locks = ["x", "turn-z", "x"]
"#,
        r#"
error: joints.A.locks.2: it is locked already
  --> scene.toml:11:25
   |
11 | locks = ["x", "turn-z", "x"]
   |                         ^^^
   |
   = help: name every lock once
"#,
    ),
    (
        "an unknown lock",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
[bodies.bob]
kind = "particle"
mass = 1
[joints.A]
kind = "lock"
a = "ground"
b = "crank"
locks = ["turn-w"]
"#,
        r#"
error: joints.A.locks.0: unknown choice `turn-w`
  --> scene.toml:11:10
   |
11 | locks = ["turn-w"]
   |          ^^^^^^^^
   |
   = help: did you mean `turn-x`? Known: x, y, z, turn-x, turn-y, turn-z
"#,
    ),
    (
        "nearly a named lock",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
[bodies.bob]
kind = "particle"
mass = 1
[joints.A]
kind = "oldhan"
a = "ground"
b = "crank"
"#,
        r#"
error: joints.A.kind: unknown choice `oldhan`
 --> scene.toml:8:8
  |
8 | kind = "oldhan"
  |        ^^^^^^^^
  |
  = help: did you mean `oldham`? Known: {kinds}
"#,
    ),
    (
        "nearly another name",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
[bodies.bob]
kind = "particle"
mass = 1
[joints.A]
kind = "paralel"
a = "ground"
b = "crank"
"#,
        r#"
error: joints.A.kind: unknown choice `paralel`
 --> scene.toml:8:8
  |
8 | kind = "paralel"
  |        ^^^^^^^^^
  |
  = help: did you mean `parallel`? Known: {kinds}
"#,
    ),
    (
        "second axis on a joint with one",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
[joints.A]
kind = "revolute"
a = "ground"
b = "crank"
axis2 = [1, 0, 0]
"#,
        r#"
error: joints.A: `axis2` does not belong to a revolute joint
 --> scene.toml:8:1
  |
8 | axis2 = [1, 0, 0]
  | ^^^^^
  |
  = help: it belongs to: {with axis2}
"#,
    ),
    (
        "field of another kind",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
[joints.A]
kind = "revolute"
a = "ground"
b = "crank"
length = 1
"#,
        r#"
error: joints.A: `length` does not belong to a revolute joint
 --> scene.toml:8:1
  |
8 | length = 1
  | ^^^^^^
  |
  = help: it belongs to: {with length}
"#,
    ),
    (
        "unknown unit",
        r#"[simulation]
until = "5 sec"
"#,
        r#"
error: simulation.until: unknown unit `sec`
 --> scene.toml:2:9
  |
2 | until = "5 sec"
  |         ^^^^^^^
  |
  = help: did you mean `s`? Units of a time: ms, s, min, h; a plain number is in s
"#,
    ),
    (
        "unknown unit, nearest",
        r#"[bodies.crank]
mass = "5 Kg"
"#,
        r#"
error: bodies.crank.mass: unknown unit `Kg`
 --> scene.toml:2:8
  |
2 | mass = "5 Kg"
  |        ^^^^^^
  |
  = help: did you mean `kg`? Units of a mass: g, kg, t; a plain number is in kg
"#,
    ),
    (
        "wrong dimension",
        r#"[bodies.crank]
mass = "2 m"
"#,
        r#"
error: bodies.crank.mass: expected a mass, found a length
 --> scene.toml:2:8
  |
2 | mass = "2 m"
  |        ^^^^^
  |
  = help: units of a mass: g, kg, t; a plain number is in kg
"#,
    ),
    (
        "a unit where none fits",
        r#"[materials.stone]
restitution = "2 m"
"#,
        r#"
error: materials.stone.restitution: expected a number, found a length
 --> scene.toml:2:15
  |
2 | restitution = "2 m"
  |               ^^^^^
  |
  = help: this field takes a plain number, without a unit (SI)
"#,
    ),
    (
        "text where a quantity belongs",
        r#"[bodies.crank]
mass = "heavy"
"#,
        r#"
error: bodies.crank.mass: expected a mass, found the string "heavy"
 --> scene.toml:2:8
  |
2 | mass = "heavy"
  |        ^^^^^^^
  |
  = help: units of a mass: g, kg, t; a plain number is in kg
"#,
    ),
    (
        "a body given twice",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8

[bodies.crank]
mass = 2
"#,
        r#"
error: `crank` is given twice
 --> scene.toml:5:9
  |
5 | [bodies.crank]
  |         ^^^^^
  |
 ::: scene.toml:1:9
  |
1 | [bodies.crank]
  |         ----- given first here
  |
  = help: names are unique within their table: rename or remove one of the two
"#,
    ),
    (
        "a field given twice in JSON",
        r#"{ "bodies": { "a": {},
  "a": {} } }"#,
        r#"
error: `a` is given twice
 --> scene.toml:2:3
  |
2 |   "a": {} } }
  |   ^^^
  |
 ::: scene.toml:1:15
  |
1 | { "bodies": { "a": {},
  |               --- given first here
  |
  = help: names are unique within their table: rename or remove one of the two
"#,
    ),
    (
        "missing field",
        r#"[joints.A]
kind = "revolute"
a = "ground"
"#,
        r#"
error: joints.A: the field `b` is missing
 --> scene.toml:1:1
  |
1 | [joints.A]
  | ^^^^^^^^^^
"#,
    ),
    (
        "missing mass",
        r#"[bodies.crank]
inertia = [1, 1, 1]
"#,
        r#"
error: bodies.crank: the mass is missing
 --> scene.toml:1:1
  |
1 | [bodies.crank]
  | ^^^^^^^^^^^^^^
  |
  = help: give `mass`, or `density` with a shape
"#,
    ),
    (
        "missing inertia",
        r#"[bodies.crank]
mass = 1
"#,
        r#"
error: bodies.crank: the inertia is missing
 --> scene.toml:1:1
  |
1 | [bodies.crank]
  | ^^^^^^^^^^^^^^
  |
  = help: give `shape`, from which it follows, or `inertia`
"#,
    ),
    (
        "missing size",
        r#"[bodies.crank]
mass = 1
shape = { kind = "box" }
"#,
        r#"
error: bodies.crank.shape: the field `size` is missing
 --> scene.toml:3:9
  |
3 | shape = { kind = "box" }
  |         ^^^^^^^^^^^^^^^^
  |
  = help: full edge lengths: size = [x, y, z]
"#,
    ),
    (
        "wrong type",
        r#"[bodies.crank]
mass = true
"#,
        r#"
error: bodies.crank.mass: expected a mass, found the boolean true
 --> scene.toml:2:8
  |
2 | mass = true
  |        ^^^^
"#,
    ),
    (
        "wrong type of a shape",
        r#"[bodies.crank]
shape = "rod"
"#,
        r#"
error: bodies.crank.shape: expected a table, found the string "rod"
 --> scene.toml:2:9
  |
2 | shape = "rod"
  |         ^^^^^
"#,
    ),
    (
        "array of tables instead of names",
        r#"[[bodies]]
mass = 1
"#,
        r#"
error: bodies: expected a table of named tables, found an array
 --> scene.toml:1:1
  |
1 | [[bodies]]
  | ^^^^^^^^^^
"#,
    ),
    (
        "wrong array length",
        r#"gravity = [0, -9.81]
"#,
        r#"
error: gravity: expected an array of 3, found 2
 --> scene.toml:1:11
  |
1 | gravity = [0, -9.81]
  |           ^^^^^^^^^^
"#,
    ),
    (
        "wrong array length of a position",
        r#"[bodies.crank]
position = [1]
"#,
        r#"
error: bodies.crank.position: expected an array of 3, or 2 for planar bodies, found 1
 --> scene.toml:2:12
  |
2 | position = [1]
  |            ^^^
"#,
    ),
    (
        "wrong element",
        r#"gravity = [0, -9.81, "down"]
"#,
        r#"
error: gravity.2: expected a number, found the string "down"
 --> scene.toml:1:22
  |
1 | gravity = [0, -9.81, "down"]
  |                      ^^^^^^
  |
  = help: this field takes a plain number, without a unit (SI)
"#,
    ),
    (
        "empty file",
        r#""#,
        r#"
error: the file is empty
--> scene.toml
 = help: a scene has at least one body: [bodies.NAME]
"#,
    ),
    (
        "only comments",
        r#"# nothing yet
"#,
        r#"
error: the file has no scene, only blanks and comments
--> scene.toml
 = help: a scene has at least one body: [bodies.NAME]
"#,
    ),
    (
        "no bodies",
        r#"title = "nothing"
"#,
        r#"
error: the scene has no body
--> scene.toml
 = help: a scene has at least one body: [bodies.NAME]
"#,
    ),
    (
        "an empty table of bodies",
        r#"bodies = {}
"#,
        r#"
error: bodies: the scene has no body
 --> scene.toml:1:10
  |
1 | bodies = {}
  |          ^^
  |
  = help: a scene has at least one body: [bodies.NAME]
"#,
    ),
    (
        "truncated TOML",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
position = [0, 0,"#,
        r#"
error: the file ends where a value is expected
 --> scene.toml:4:18
  |
4 | position = [0, 0,
  |                  ^
  |
  = help: is the file truncated, or a bracket or brace left open?
"#,
    ),
    (
        "truncated TOML string",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
kind = "rig"#,
        r#"
error: this string is never closed
 --> scene.toml:4:8
  |
4 | kind = "rig
  |        ^
  |
  = help: is the file truncated, or a quote missing?
"#,
    ),
    (
        "truncated JSON",
        r#"{"bodies": {"crank": {"mass": 1"#,
        r#"
error: the file ends where `,` or `}` is expected
 --> scene.toml:1:32
  |
1 | {"bodies": {"crank": {"mass": 1
  |                                ^
  |
  = help: is the file truncated, or a bracket or brace left open?
"#,
    ),
    (
        "truncated JSON string",
        r#"{"bodies": {"cra"#,
        r#"
error: this string is never closed
 --> scene.toml:1:13
  |
1 | {"bodies": {"cra
  |             ^
  |
  = help: is the file truncated, or a quote missing?
"#,
    ),
    (
        "newer format",
        r#"format = 2
wings = 3
"#,
        r#"
error: format: the file has format 2, this version reads format 1
 --> scene.toml:1:10
  |
1 | format = 2
  |          ^
  |
  = help: a newer version of cardan can read it
"#,
    ),
    (
        "not a number",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
velocity = [0, nan, 0]
"#,
        r#"
error: bodies.crank.velocity.1: NaN is not a speed
 --> scene.toml:4:16
  |
4 | velocity = [0, nan, 0]
  |                ^^^
  |
  = help: the number must be finite
"#,
    ),
    (
        "infinite number",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
velocity = [0, inf, 0]
"#,
        r#"
error: bodies.crank.velocity.1: inf is not a speed
 --> scene.toml:4:16
  |
4 | velocity = [0, inf, 0]
  |                ^^^
  |
  = help: the number must be finite
"#,
    ),
    (
        "too large a number",
        r#"[bodies.crank]
mass = 1e400
"#,
        r#"
error: this number is too large
 --> scene.toml:2:8
  |
2 | mass = 1e400
  |        ^^^^^
"#,
    ),
    (
        "text without quotes",
        r#"[bodies.crank]
kind = rigid
"#,
        r#"
error: `rigid` is not a value
 --> scene.toml:2:8
  |
2 | kind = rigid
  |        ^^^^^
  |
  = help: put text in quotes: "rigid"
"#,
    ),
    (
        "quantity without quotes",
        r#"[bodies.crank]
mass = 5kg
"#,
        r#"
error: `5kg` is not a value
 --> scene.toml:2:8
  |
2 | mass = 5kg
  |        ^^^
  |
  = help: put a quantity with a unit in quotes: "5 kg"
"#,
    ),
    (
        "no equals sign",
        r#"[bodies.crank]
mass 5
"#,
        r#"
error: expected `=` after `mass`, found `5`
 --> scene.toml:2:6
  |
2 | mass 5
  |      ^
"#,
    ),
    (
        "a date",
        r#"title = 1979-05-27
"#,
        r#"
error: a scene has no dates or clock times
 --> scene.toml:1:9
  |
1 | title = 1979-05-27
  |         ^^^^^^^^^^
  |
  = help: times are seconds, or strings with a unit such as "2 min"
"#,
    ),
    (
        "unknown body",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
[joints.A]
kind = "fixed"
a = "ground"
b = "cranck"
"#,
        r#"
error: joints.A.b: there is no body `cranck`
 --> scene.toml:7:5
  |
7 | b = "cranck"
  |     ^^^^^^^^
  |
  = help: did you mean `crank`?
"#,
    ),
    (
        "unknown material",
        r#"[bodies.crank]
mass = 1
shape = { kind = "sphere", radius = 1, material = "stone" }
"#,
        r#"
error: bodies.crank.shape.material: there is no material `stone`
 --> scene.toml:3:51
  |
3 | shape = { kind = "sphere", radius = 1, material = "stone" }
  |                                                   ^^^^^^^
  |
  = help: did you mean `stone-clean`?
"#,
    ),
    (
        "reserved name",
        r#"[bodies.ground]
mass = 1
"#,
        r#"
error: bodies.ground: the name "ground" is reserved
 --> scene.toml:1:1
  |
1 | [bodies.ground]
  | ^^^^^^^^^^^^^^^
  |
  = help: use another name; shapes of the ground are given in [ground]
"#,
    ),
    (
        "body joined to itself",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
[joints.A]
kind = "fixed"
a = "crank"
b = "crank"
"#,
        r#"
error: joints.A.b: a joint connects two different bodies
 --> scene.toml:7:5
  |
7 | b = "crank"
  |     ^^^^^^^
  |
  = help: name another body
"#,
    ),
    (
        "half an orientation",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
orientation = { axis = [0, 0, 1] }
"#,
        r#"
error: bodies.crank.orientation: an orientation is either { axis, angle } or { quaternion }
 --> scene.toml:4:15
  |
4 | orientation = { axis = [0, 0, 1] }
  |               ^^^^^^^^^^^^^^^^^^^^
  |
  = help: for example { axis = [0, 0, 1], angle = "30 deg" }
"#,
    ),
    (
        "planar without gravity",
        r#"[bodies.a]
kind = "planar"
mass = 1
inertia = 1
"#,
        r#"
error: bodies.a.kind: a scene with planar bodies must state its gravity
 --> scene.toml:2:8
  |
2 | kind = "planar"
  |        ^^^^^^^^
  |
  = help: for example gravity = [0, -9.81, 0], at the top of the file
"#,
    ),
    (
        "plane position in space",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
position = [1, 2]
"#,
        r#"
error: bodies.crank.position: this body moves in space
 --> scene.toml:4:12
  |
4 | position = [1, 2]
  |            ^^^^^^
  |
  = help: give [x, y, z]
"#,
    ),
    (
        "unknown law",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
[joints.A]
kind = "revolute"
a = "ground"
b = "crank"
drive = { level = "speed", law = { constnt = 3 } }
"#,
        r#"
error: joints.A.drive.law: unknown choice `constnt`
 --> scene.toml:8:36
  |
8 | drive = { level = "speed", law = { constnt = 3 } }
  |                                    ^^^^^^^
  |
  = help: did you mean `constant`? Known: constant, ramp, sine, cubic, quintic, table, nurbs, expression
"#,
    ),
    (
        "limits upside down",
        r#"[bodies.crank]
shape = { kind = "rod", length = 0.4, radius = 0.01 }
mass = 0.8
[joints.A]
kind = "revolute"
a = "ground"
b = "crank"
limits = [["90 deg", "-90 deg"]]
"#,
        r#"
error: joints.A.limits.0: the lower limit is above the upper
 --> scene.toml:8:11
  |
8 | limits = [["90 deg", "-90 deg"]]
  |           ^^^^^^^^^^^^^^^^^^^^^
  |
  = help: a pair is [lower, upper]
"#,
    ),
    (
        "nested too deep",
        r#"a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
"#,
        r#"
error: nested more than 64 deep
 --> scene.toml:1:69
  |
1 | a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
  |                                                                     ^
  |
  = help: a scene needs about six levels; is a bracket or brace left open?
"#,
    ),
    (
        "name that needs quotes",
        r#"[bodies.größe]
mass = 1
"#,
        r#"
error: a bare name has only ASCII letters, digits, - and _
 --> scene.toml:1:11
  |
1 | [bodies.größe]
  |           ^
  |
  = help: put other names in quotes: [bodies."größe"]
"#,
    ),
];
