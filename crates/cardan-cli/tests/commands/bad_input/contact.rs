//! Mistakes in shapes with corners, in conditions g ≥ 0 and in materials.

use super::{Case, assert_none, refuse};
use crate::support::{command, scratch};

/// A scene without mistakes: a wedge on a mesh, a block from a file, a ball over a valley.
const SHAPES: &str = r#"gravity = [0, 0, -9.81]

[simulation]
until = 0.01

[ground]
shapes = [
  { kind = "mesh", vertices = [[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], triangles = [[0, 1, 2], [0, 2, 3]], material = "stone" },
  { kind = "terrain", corner = [-1, 20], spacing = [1, 1], heights = [[1, 0, 1], [1, 0, 1]] },
]

[materials.stone]
friction = { static = 0.68, kinetic = 0.65 }

[bodies.wedge]
shape = { kind = "hull", vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], material = "stone" }
density = 500
position = [0, 0, 0.1]

[bodies.block]
shape = { kind = "mesh", file = "shapes-block.obj", scale = 0.001 }
mass = 1
position = [3, 0, 0.5]

[bodies.ball]
shape = { kind = "sphere", radius = 0.1 }
mass = 1
position = [0, 20.5, 1]
"#;

const BLOCK: &str = "v 0 0 0\nv 100 0 0\nv 0 100 0\nv 0 0 100\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

const CASES: &[Case] = &[
    (
        "a hull in a plane",
        "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
        "»[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
        &["bodies.wedge.shape.vertices", "4 points of the hull lie in a plane"],
    ),
    (
        "a resistance below zero",
        "friction = { static = 0.68, kinetic = 0.65 }",
        "rolling_resistance = »\"-1 mm\"",
        &["materials.stone.rolling_resistance", "cannot be negative", "times the normal force"],
    ),
    (
        "a resistance without a unit of length",
        "friction = { static = 0.68, kinetic = 0.65 }",
        "torsional_resistance = »\"1 deg\"",
        &["materials.stone.torsional_resistance", "expected a length"],
    ),
    (
        "a friction below zero",
        "friction = { static = 0.68, kinetic = 0.65 }",
        "friction = »-0.1",
        &["materials.stone.friction", "cannot be negative"],
    ),
    (
        "a friction at rest below that of sliding",
        "friction = { static = 0.68, kinetic = 0.65 }",
        "friction = »{ static = 0.1, kinetic = 0.65 }",
        &["materials.stone.friction", "`static` is below `kinetic`"],
    ),
    (
        "a material that makes energy",
        "friction = { static = 0.68, kinetic = 0.65 }",
        "restitution = »1.5",
        &["materials.stone.restitution", "1.5 is out of range", "from 0, no rebound, to 1"],
    ),
    (
        "a rebound below zero",
        "friction = { static = 0.68, kinetic = 0.65 }",
        "restitution = »-0.5",
        &["materials.stone.restitution", "-0.5 is out of range"],
    ),
    (
        "a pair with friction below zero",
        "[bodies.wedge]",
        "[[contacts.pairs]]\na = \"wedge\"\nb = \"block\"\nfriction = »-1\n[bodies.wedge]",
        &["contacts.pairs.0.friction", "cannot be negative"],
    ),
    (
        "a pair that makes energy",
        "[bodies.wedge]",
        "[[contacts.pairs]]\na = \"wedge\"\nb = \"block\"\nrestitution = »2\n[bodies.wedge]",
        &["contacts.pairs.0.restitution", "2 is out of range"],
    ),
    (
        "a hull without corners",
        "shape = { kind = \"hull\", vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], material",
        "shape = »{ kind = \"hull\", material",
        &["bodies.wedge.shape", "`vertices` is missing", "file = \"part.stl\""],
    ),
    (
        "a planar plate without a thickness among bodies in space",
        "[bodies.ball]",
        "[bodies.card]\nkind = \"planar\"\nmass = 1\nposition = [50, 0]\nshape = »{ kind = \"plate\", size = [1, 1], material = \"stone\" }\n\n[bodies.ball]",
        &["bodies.card.shape.thickness", "bodies in space may touch", "extent along z"],
    ),
    (
        "a planar polygon without a thickness among bodies in space",
        "[bodies.ball]",
        "[bodies.card]\nkind = \"planar\"\nmass = 1\nposition = [50, 0]\nshape = { kind = \"hull\", vertices = »[[0, 0], [1, 0], [0, 1]], material = \"stone\" }\n\n[bodies.ball]",
        &["bodies.card.shape.vertices", "without a thickness"],
    ),
    (
        "a polygon without a thickness",
        "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
        "»[[0, 0], [1, 0], [0, 1]]",
        &["bodies.wedge.shape.vertices", "[x, y] without a thickness", "give `thickness`"],
    ),
    (
        "a polygon on a line",
        "vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
        "thickness = 1, vertices = »[[0, 0], [1, 1], [2, 2]]",
        &["bodies.wedge.shape.vertices", "the 3 points lie on a line"],
    ),
    (
        "corners of both kinds",
        "[0, 1, 0], [0, 0, 1]]",
        "»[0, 1], [0, 0, 1]]",
        &["bodies.wedge.shape.vertices.2", "corners of both kinds"],
    ),
    (
        "a thickness of a hull in space",
        "kind = \"hull\", vertices",
        "kind = \"hull\", »thickness = 1, vertices",
        &["bodies.wedge.shape", "`thickness` belongs to a hull of corners [x, y]"],
    ),
    (
        "a triangle without an area",
        "triangles = [[0, 1, 2], [0, 2, 3]]",
        "triangles = [[0, 1, 2], »[0, 2, 2]]",
        &["ground.shapes.0.triangles.1", "triangle 1 has no area", "counter-clockwise"],
    ),
    (
        "a corner that is not there",
        "[0, 2, 3]]",
        "»[0, 2, 4]]",
        &["ground.shapes.0.triangles.1", "triangle 1 names vertex 4, but there are 4"],
    ),
    (
        "a triangle inside out",
        "[0, 2, 3]]",
        "»[0, 3, 2]]",
        &["ground.shapes.0.triangles.1", "triangles 0 and 1", "inside out"],
    ),
    (
        "a mesh without triangles",
        "triangles = [[0, 1, 2], [0, 2, 3]]",
        "triangles = »[]",
        &["ground.shapes.0.triangles", "the mesh has no triangles"],
    ),
    (
        "a mesh of corners alone",
        "  { kind = \"mesh\", vertices = [[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], triangles = [[0, 1, 2], [0, 2, 3]],",
        "  »{ kind = \"mesh\", vertices = [[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]],",
        &["ground.shapes.0", "`triangles` is missing"],
    ),
    ("a corner of a triangle below zero", "[0, 2, 3]]", "[»-1, 2, 3]]", &["ground.shapes.0.triangles.1.0"]),
    (
        "a mesh in the plane",
        "[-9, 9, 0]], tri",
        "»[-9, 9]], tri",
        &["ground.shapes.0.vertices.3", "a mesh has corners in space"],
    ),
    (
        "a mesh and a file",
        "kind = \"mesh\", file",
        "kind = \"mesh\", »vertices = [[0, 0, 0]], file",
        &["bodies.block.shape", "`vertices` or `file`, not both"],
    ),
    (
        "a file that is not there",
        "file = \"shapes-block.obj\"",
        "file = »\"no-such-block.obj\"",
        &["bodies.block.shape.file", "there is no file", "no-such-block.obj", "from the folder of the scene"],
    ),
    (
        "a file of another kind",
        "file = \"shapes-block.obj\"",
        "file = »\"shapes-block.step\"",
        &["bodies.block.shape.file", "neither an .obj nor an .stl file"],
    ),
    (
        "a file with a fault",
        "file = \"shapes-block.obj\"",
        "file = »\"shapes-thin.obj\"",
        &["bodies.block.shape.file", "shapes-thin.obj, line 8: triangle 3 has no area"],
    ),
    (
        "a file with a fault in a number",
        "file = \"shapes-block.obj\"",
        "file = »\"shapes-word.obj\"",
        &["bodies.block.shape.file", "line 2: `wide` is not a number"],
    ),
    (
        "an open mesh as a body",
        "{ kind = \"mesh\", file = \"shapes-block.obj\"",
        "»{ kind = \"mesh\", file = \"shapes-open.obj\"",
        &["bodies.block.shape", "an open mesh encloses nothing", "`inertia`"],
    ),
    (
        "a mesh inside out as a body",
        "{ kind = \"mesh\", file = \"shapes-block.obj\"",
        "»{ kind = \"mesh\", file = \"shapes-turned.obj\"",
        &["bodies.block.shape", "the mesh is inside out", "counter-clockwise"],
    ),
    (
        "a scale of nothing",
        "scale = 0.001",
        "scale = »0",
        &["bodies.block.shape.scale", "must be positive", "millimetres"],
    ),
    (
        "a scale without a file",
        "kind = \"hull\", vertices",
        "kind = \"hull\", »scale = 2, vertices",
        &["bodies.wedge.shape", "`scale` belongs to a `file`"],
    ),
    (
        "a body that carries a terrain",
        "{ kind = \"sphere\", radius = 0.1 }",
        "{ kind = »\"terrain\", spacing = [1, 1], heights = [[0, 0], [0, 0]] }",
        &["bodies.ball.shape.kind", "only the ground can have one"],
    ),
    (
        "rows of different length",
        "heights = [[1, 0, 1], [1, 0, 1]]",
        "heights = [[1, 0, 1], »[1, 0]]",
        &["ground.shapes.1.heights.1", "row 1 has 2 heights, the first row 3"],
    ),
    (
        "one row of heights",
        "heights = [[1, 0, 1], [1, 0, 1]]",
        "heights = »[[1, 0, 1]]",
        &["ground.shapes.1.heights", "1 heights along y"],
    ),
    (
        "heights without a distance",
        "spacing = [1, 1]",
        "spacing = »[1, 0]",
        &["ground.shapes.1.spacing", "it must be a positive number"],
    ),
    (
        "heights of a mesh",
        "kind = \"mesh\", file",
        "kind = \"mesh\", »heights = [[1]], file",
        &["bodies.block.shape", "`heights` does not belong to a mesh", "terrain"],
    ),
];

/// A scene without mistakes: a bead in a bowl, tied to another.
const CONDITIONS: &str = r#"gravity = [0, -9.81, 0]

[simulation]
until = 0.01

[bodies.bead]
kind = "planar-particle"
mass = 1
position = [0, 0.5]

[bodies.other]
kind = "planar-particle"
mass = 1
position = [1, 2]

[inequalities.bowl]
kind = "expression"
expression = "y - x^2 + 0.1*sin(t)"
body = "bead"

[inequalities.rope]
kind = "expression"
expression = "4 - (p.x - q.x)^2 - (p.y - q.y)^2"
points = { p = { body = "bead" }, q = { body = "other" } }
"#;

const CONDITION_CASES: &[Case] = &[
    (
        "a rule that is none",
        "until = 0.01",
        "until = 0.01\ninequality_study = »\"platt\"",
        &["simulation.inequality_study", "unknown choice `platt`", "platt-1, platt-2, algorithm-3"],
    ),
    (
        "a rule with steps of any size",
        "until = 0.01",
        "until = 0.01\nintegrator = \"dopri5\"\ninequality_study = »\"platt-1\"",
        &["simulation.inequality_study", "steps of one size", "explicit-euler"],
    ),
    (
        "overlaps without projection",
        "until = 0.01",
        "until = 0.01\nstabilization = \"baumgarte\"\noverlaps = »\"resolve\"",
        &["simulation.overlaps", "by projection"],
    ),
    (
        "a rule with contacts",
        "until = 0.01",
        "until = 0.01\ninequality_study = »\"algorithm-3\"\n[contacts]\n",
        &["simulation.inequality_study", "no contacts", "half-plane"],
    ),
    (
        "a condition that makes energy",
        "body = \"bead\"\n\n[ineq",
        "body = \"bead\"\nrestitution = »2\n\n[ineq",
        &["inequalities.bowl.restitution", "2 is out of range"],
    ),
    (
        "a name that is none",
        "\"y - x^2",
        "\"y - »w^2",
        &["inequalities.bowl.expression", "there is no `w`", "a formula knows t, x, y, z,"],
    ),
    (
        "a point that is not there",
        "\"4 - (p.x",
        "\"4 - (»r.x",
        &["inequalities.rope.expression", "there is no `r.x`", "p.x, p.y, p.z, q.x"],
    ),
    (
        "a formula that ends",
        "+ 0.1*sin(t)\"",
        "+ »\"",
        &["inequalities.bowl.expression", "ends where a value should be"],
    ),
    (
        "a formula without a place",
        "\"y - x^2 + 0.1*sin(t)\"",
        "»\"1 - t\"",
        &["inequalities.bowl.expression", "no place enters", "x, y, z"],
    ),
    (
        "a formula that jumps",
        "\"y - x^2 + 0.1*sin(t)\"",
        "»\"floor(y)\"",
        &["inequalities.bowl.expression", "jumps", "smooth formula"],
    ),
    (
        "no formula",
        "[inequalities.bowl]\nkind = \"expression\"\nexpression = \"y - x^2 + 0.1*sin(t)\"",
        "»[inequalities.bowl]\nkind = \"expression\"",
        &["inequalities.bowl", "`expression` is missing"],
    ),
    (
        "an unknown body in a formula",
        "[inequalities.bowl]\nkind = \"expression\"\nexpression = \"y - x^2 + 0.1*sin(t)\"\nbody = \"bead\"",
        "»[inequalities.bowl]\nkind = \"expression\"\nexpression = \"y - x^2\"",
        &["inequalities.bowl", "the point of a `body`, or `points`"],
    ),
    (
        "a body of a formula that is not there",
        "q = { body = \"other\" }",
        "q = { body = »\"otter\" }",
        &["inequalities.rope.points.q.body", "no body `otter`", "other"],
    ),
    (
        "a name that no formula can have",
        "q = { body = \"other\" }",
        "\"q-1\" = »{ body = \"other\" }",
        &["inequalities.rope.points.q-1", "a point of this name"],
    ),
    (
        "a field of another condition",
        "body = \"bead\"\n\n[ineq",
        "body = \"bead\"\n»radius = 1\n\n[ineq",
        &["inequalities.bowl", "`radius` does not belong to an expression", "half-plane"],
    ),
];

#[test]
fn mistakes_in_conditions_are_named_with_their_place() {
    std::fs::write(scratch("conditions.toml"), CONDITIONS).expect("a scratch file");
    let out = command(&["run", "conditions.toml", "--json"], b"");
    assert_eq!((out.code, out.stderr.as_str()), (0, ""));
    let mut complaints = Vec::new();
    for (number, case) in CONDITION_CASES.iter().enumerate() {
        refuse(CONDITIONS, 2200 + number, case, &mut complaints);
    }
    assert_none(complaints);
}

/// Two boxes and a ball inside of each other and of the floor: named, and with the option parted.
#[test]
fn overlaps_are_refused_by_name_or_resolved() {
    let text = "[simulation]\nuntil = 0.01\n[ground]\nshapes = [{ kind = \"plane\" }]\n\
        [bodies.a]\nshape = { kind = \"box\", size = [1, 1, 1] }\nmass = 1\nposition = [0, 0, 0.4]\n\
        [bodies.b]\nshape = { kind = \"box\", size = [1, 1, 1] }\nmass = 3\nposition = [0.9, 0.2, 0.45]\n\
        [bodies.ball]\nshape = { kind = \"sphere\", radius = 0.3 }\nmass = 1\nposition = [0.3, 0.1, 1.1]\n";
    std::fs::write(scratch("overlap.toml"), text).expect("a scratch file");
    let out = command(&["run", "overlap.toml", "--quiet"], b"");
    assert_eq!(out.code, super::FAILED);
    assert!(out.stderr.contains("`ground-a` overlaps by 0.1 m"), "{}", out.stderr);
    let out = command(&["check", "overlap.toml"], b"");
    assert_eq!(out.code, super::FAILED);
    let names = ["`ground-a` overlaps by 0.1", "`ground-b` overlaps by 0.05", "`a-b` overlaps", "`a-ball`"];
    for name in names.iter().chain(&["cannot run"]) {
        assert!(out.stdout.contains(name), "{}", out.stdout);
    }
    for word in ["run", "check"] {
        let out = command(&[word, "overlap.toml", "--set", "simulation.overlaps=resolve"], b"");
        assert_eq!((out.code, out.stderr.as_str()), (0, ""), "{}", out.stdout);
        let told = out.stdout.contains("overlapped in the file; bodies were moved by up to");
        assert!(told || word == "check", "{}", out.stdout);
    }
}

/// Each says which it is, in its own measure, and what may be done: metres along a slide, radians about a hinge; and what cannot be parted says why.
#[test]
fn what_is_violated_says_what_it_is_and_in_what_it_is_measured() {
    let rod = "[simulation]\nuntil = 0.01\n[bodies.rod]\nshape = { kind = \"rod\", length = 1, radius = 0.02 }\nmass = 1\nposition = [0.5, 0, 0]\n";
    let joint = |fields: &str| {
        format!("{rod}[joints.j]\na = \"ground\"\nb = \"rod\"\nanchor = [0, 0, 0]\n{fields}\n")
    };
    let rope =
        format!("{rod}[inequalities.rope]\nkind = \"distance\"\na = \"ground\"\nb = \"rod\"\nmax = 0.4\n");
    let wall = format!(
        "{rod}[inequalities.wall]\nkind = \"half-plane\"\nbody = \"rod\"\nnormal = [2, 0, 0]\noffset = 3\n"
    );
    let wedged = "[simulation]\nuntil = 0.01\noverlaps = \"resolve\"\n[ground]\nshapes = [{ kind = \"plane\" }, { kind = \"plane\", normal = [0, 0, -1], position = [0, 0, 0.15] }]\n\
        [bodies.ball]\nshape = { kind = \"sphere\", radius = 0.1 }\nmass = 1\nposition = [0, 0, 0.08]\n";
    let resolve = "`overlaps = \"resolve\"` in [simulation]";
    let cases: [(String, &[&str]); 7] = [
        (
            joint("kind = \"revolute\"\naxis = [0, 1, 0]\nlimits = [[0.125, 0.5]]"),
            &["joint `j` is beyond the lower limit of its coordinate 0 by 0.125 rad;", resolve],
        ),
        (
            joint("kind = \"prismatic\"\naxis = [1, 0, 0]\nlimits = [[-2, -0.25]]"),
            &["joint `j` is beyond the upper limit of its coordinate 0 by 0.25 m;", resolve],
        ),
        (rope, &["inequality `rope` is violated by 0.1 m;", resolve]),
        (wall, &["inequality `wall` is violated: g = -2;", resolve]),
        (wedged.to_string(), &["`ground-ball` overlaps by 0.0", " m;", "is left after", "leave no room"]),
        (
            joint("kind = \"spherical\"\nlimits = [[-1, 1]]"),
            &["joints.j.limits", "a spherical joint has no coordinate to limit", "half-plane"],
        ),
        (
            format!("{rod}[ground]\nshapes = [{{ kind = \"plane\", material = \"asphalt-claen\" }}]\n"),
            &["there is no material `asphalt-claen`", "did you mean `asphalt-clean`?"],
        ),
    ];
    for (text, said) in cases {
        std::fs::write(scratch("violated.toml"), &text).expect("a scratch file");
        let out = command(&["run", "violated.toml", "--quiet"], b"");
        assert_ne!(out.code, 0, "{text}");
        for said in said {
            assert!(out.stderr.contains(said), "`{said}` is not in\n{}\nof\n{text}", out.stderr);
        }
    }
}

#[test]
fn mistakes_in_shapes_are_named_with_their_place() {
    let files = [
        ("shapes-block.obj", BLOCK.to_string()),
        ("shapes-thin.obj", BLOCK.replace("f 3 1 4", "f 3 3 4")),
        ("shapes-word.obj", BLOCK.replace("v 100 0 0", "v wide 0 0")),
        ("shapes-open.obj", BLOCK.replace("f 3 1 4", "")),
        (
            "shapes-turned.obj",
            BLOCK.replace("f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4", "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1"),
        ),
        ("shapes.toml", SHAPES.to_string()),
    ];
    for (name, text) in files {
        std::fs::write(scratch(name), text).expect("a scratch file");
    }
    let out = command(&["run", "shapes.toml", "--json"], b"");
    assert_eq!((out.code, out.stderr.as_str()), (0, ""));
    let mut complaints = Vec::new();
    for (number, case) in CASES.iter().enumerate() {
        refuse(SHAPES, 2000 + number, case, &mut complaints);
    }
    assert_none(complaints);
}

/// A plane has the normal that the scene says, z by default, whatever gravity is: under gravity along −y a ball beside it falls past it.
/// In a planar scene, where z is across, a plane without a normal is refused.
#[test]
fn planes_do_not_turn_with_gravity() {
    let text = "gravity = [0, -9.81, 0]\n[simulation]\nuntil = 0.5\n[ground]\nshapes = [{ kind = \"plane\" }]\n\
        [bodies.ball]\nshape = { kind = \"sphere\", radius = 0.1 }\nmass = 1\nposition = [0, 0.2, 1]\n";
    std::fs::write(scratch("sideways.toml"), text).expect("a scratch file");
    let json = command(&["run", "sideways.toml", "--json"], b"").json();
    let place = json["bodies"]["ball"]["position"].as_array().expect("a position");
    let [y, z] = [1, 2].map(|axis| place[axis].as_f64().expect("a number"));
    assert!((y - (0.2 - 9.81 * 0.125)).abs() < 1e-12 && z == 1.0, "{place:?}");
    let planar = text.replace("[bodies.ball]", "[bodies.ball]\nkind = \"planar\"").replace("0.2, 1]", "0.2]");
    std::fs::write(scratch("sideways.toml"), planar).expect("a scratch file");
    let out = command(&["run", "sideways.toml"], b"");
    assert_eq!(out.code, super::INPUT, "{}", out.stdout);
    for part in ["a plane in a planar scene needs a `normal`", "normal = [0, 1, 0]", "sideways.toml:5:"] {
        assert!(out.stderr.contains(part), "{}", out.stderr);
    }
}

/// Floor and wall of the ground have materials and names of their own: the ball slides along the rough floor with its friction and
/// rebounds from the elastic wall, and events say which of them it was.
#[test]
fn shapes_of_the_ground_have_names_and_materials() {
    let text = "[simulation]\nuntil = 1\nintegrator = \"rk4\"\n[ground]\nshapes = [{ kind = \"plane\", name = \"floor\", material = \"wood\" },\n\
        { kind = \"plane\", name = \"wall\", normal = [-1, 0, 0], position = [1, 0, 0], material = \"rubber\" }]\n\
        [materials.wood]\nfriction = 0.1\n[materials.rubber]\nrestitution = 1\n\
        [bodies.block]\nshape = { kind = \"box\", size = [0.2, 0.2, 0.2], material = \"wood\" }\nmass = 1\n\
        position = [0, 0, 0.1]\nvelocity = [3, 0, 0]\n";
    std::fs::write(scratch("shapes.toml"), text).expect("a scratch file");
    let json = command(&["run", "shapes.toml", "--json"], b"").json();
    let events = json["events"].as_array().expect("events");
    let impact = events.iter().find(|event| event["what"] == "impact").expect("an impact");
    assert_eq!(impact["constraint"], "ground/wall-block");
    // v² = 9 − 2 μ g d on the way of 0.9 m to the wall.
    let speed = (9.0 - 2.0 * 0.1 * 9.81 * 0.9_f64).sqrt();
    assert!((impact["speed"].as_f64().expect("a speed") + speed).abs() < 1e-9, "{impact}");
    let last = json["bodies"]["block"]["velocity"][0].as_f64().expect("a number");
    let way = (3.0 - speed) / 0.981;
    assert!((last + (speed - 0.981 * (1.0 - way))).abs() < 1e-6, "{last}");
    let contacts = json["contacts"].as_array().expect("contacts");
    assert!(!contacts.is_empty() && contacts.iter().all(|c| c["shapes"][0] == "floor"), "{contacts:?}");
    let text = command(&["run", "shapes.toml"], b"").stdout;
    assert!(text.contains("ground/floor on block"), "{text}");
}

/// A block on a vertical guide passes through the floor, since a joint switches contact of its two bodies off: the run says so, and what to
/// write; with that the block stays on the floor, and a pair that was excluded is no surprise.
#[test]
fn a_body_that_passes_into_the_ground_is_reported() {
    let text = "[simulation]\nuntil = 1\n[ground]\nshapes = [{ kind = \"plane\" }]\n\
        [bodies.block]\nshape = { kind = \"box\", size = [0.2, 0.2, 0.2] }\nmass = 1\nposition = [0, 0, 1]\n\
        [joints.guide]\nkind = \"prismatic\"\na = \"ground\"\nb = \"block\"\nanchor = [0, 0, 0]\naxis = [0, 0, 1]\n";
    let run = |more: &str| {
        std::fs::write(scratch("guide.toml"), format!("{text}{more}")).expect("a scratch file");
        command(&["run", "guide.toml", "--json"], b"").json()
    };
    let is_told = |json: &serde_json::Value| {
        json["warnings"].to_string().contains("`block` is in a shape of the ground: joint `guide`")
    };
    assert!(is_told(&run("")));
    assert!(!is_told(&run("[contacts]\nexclude = [[\"ground\", \"block\"]]\n")));
    let stays = run("[contacts]\nadd = [[\"ground\", \"block\"]]\n");
    assert!(!is_told(&stays));
    assert!(
        (stays["bodies"]["block"]["position"][2].as_f64().expect("a number") - 0.1).abs() < 1e-9,
        "{stays}"
    );
}
