//! Mistakes in gears, knife edges and rolling joints.

use super::{Case, assert_none, refuse};
use crate::support::{command, scratch};

/// A scene without mistakes: a ball, a wheel and a top on a table, geared to each other.
const ROLLING: &str = r#"gravity = [0, 0, -9.81]

[bodies.ball]
shape = { kind = "sphere", radius = 0.1 }
mass = 1
position = [0, 0, 0.1]

[bodies.wheel]
shape = { kind = "cylinder", radius = 0.2, length = 0.02 }
mass = 1
position = [1, 0, 0.2]

[bodies.roller]
kind = "planar"
mass = 1
inertia = 0.1
position = [3, 0.1]

[bodies.bead]
kind = "particle"
mass = 0.1
position = [5, 0, 1]

[joints.contact]
kind = "rolling"
a = "ground"
b = "ball"
radius = 0.1

[joints.rim]
kind = "rolling"
a = "ground"
b = "wheel"
radius = 0.2
axis = [1, 0, 0]
tyre = 0.01

[joints.flat]
kind = "rolling"
a = "ground"
b = "roller"
radius = 0.1

[joints.teeth]
kind = "gear"
bodies = ["ball", "wheel"]
axes = [[1, 0, 0], [1, 0, 0]]
ratios = [1, 2]

[joints.edge]
kind = "knife-edge"
a = "ground"
b = "wheel"
direction = [0, 1, 0]
"#;

#[rustfmt::skip]
const MISTAKES: &[Case] = &[
    ("no radius", "[joints.contact]\nkind = \"rolling\"\na = \"ground\"\nb = \"ball\"\nradius = 0.1",
     "»[joints.contact]\nkind = \"rolling\"\na = \"ground\"\nb = \"ball\"", &["joints.contact", "the rolling body has no radius", "radius = "]),
    ("a radius of zero", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = »0", &["joints.contact.radius", "must be positive"]),
    ("a tyre on a ball", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\ntyre = »0.1", &["joints.contact.tyre", "a tyre needs a wheel", "axis"]),
    ("a tyre thicker than its wheel", "tyre = 0.01", "tyre = »0.3", &["joints.rim.tyre", "from zero to that of the wheel"]),
    ("a tyre that is negative", "tyre = 0.01", "tyre = »-0.1", &["joints.rim.tyre", "must be positive"]),
    ("a wheel that lies flat", "axis = [1, 0, 0]\ntyre", "axis = »[0, 0, 1]\ntyre", &["joints.rim.axis", "lies flat"]),
    ("a wheel without an axis to speak of", "axis = [1, 0, 0]\ntyre", "axis = »[0, 0, 0]\ntyre", &["joints.rim.axis", "the axis is zero"]),
    ("a shell that is too small", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\non = »{ sphere = 0.1, inside = true }", &["joints.contact.on", "larger than what rolls inside"]),
    ("a sphere of no size", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\non = { sphere = »0 }", &["joints.contact.on.sphere", "must be positive"]),
    ("inside of nothing", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\non = »{ inside = true }", &["joints.contact.on", "a plane has no inside", "sphere = "]),
    ("on something else", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\non = { »cone = 1 }", &["joints.contact.on", "cone"]),
    ("in the middle of its sphere", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\nanchor = »[0, 0, 0.1]\non = { sphere = 1, inside = true }", &["joints.contact.anchor", "at the centre of the sphere"]),
    ("a wheel in a shell of its size", "tyre = 0.01", "tyre = 0.01\non = »{ sphere = 0.2, inside = true }", &["joints.rim.on", "larger than what rolls inside"]),
    ("a surface that is not there", "tyre = 0.01", "tyre = 0.01\nsurface = { named = »\"hils\" }", &["joints.rim.surface.named", "no surface `hils`", "[surfaces.hils]"]),
    ("a tube that is too narrow", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\ninside = true\nsurface = »{ cylinder = 0.05 }", &["joints.contact.surface", "larger than what rolls inside"]),
    ("a surface of no size", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\nsurface = { cylinder = »0 }", &["joints.contact.surface.cylinder", "positive"]),
    ("a surface and a plane", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\nnormal = »[0, 0, 1]\nsurface = { cylinder = 1 }", &["joints.contact.normal", "frame_in_a"]),
    ("inside of a plane", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\ninside = »true", &["joints.contact.inside", "needs a `surface`"]),
    ("a cylinder in the plane", "b = \"roller\"\nradius = 0.1", "b = \"roller\"\nradius = 0.1\nsurface = »{ cylinder = 1 }", &["joints.flat.surface", "no curve"]),
    ("a ball with lateral slip", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\nlateral_slip = »true", &["joints.contact.lateral_slip", "no axle"]),
    ("a normal of no length", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\nnormal = »[0, 0, 0]", &["joints.contact.normal", "the axis is zero"]),
    ("a normal out of the plane", "b = \"roller\"\nradius = 0.1", "b = \"roller\"\nradius = 0.1\nnormal = »[0, 1, 1]", &["joints.flat.normal", "leaves the plane"]),
    ("an axis in the plane", "b = \"roller\"\nradius = 0.1", "b = \"roller\"\nradius = 0.1\naxis = »[0, 0, 1]", &["joints.flat.axis", "in the plane"]),
    ("no twist in the plane", "b = \"roller\"\nradius = 0.1", "b = \"roller\"\nradius = 0.1\nspin = »false", &["joints.flat.spin", "in the plane"]),
    ("a point that rolls", "b = \"ball\"\nradius = 0.1", "b = »\"bead\"\nradius = 0.1", &["joints.contact.b", "rolling", "bead"]),
    ("a body that is not there", "a = \"ground\"\nb = \"ball\"", "a = »\"grund\"\nb = \"ball\"", &["joints.contact.a", "no body `grund`", "ground"]),
    ("on itself", "a = \"ground\"\nb = \"ball\"", "a = \"ball\"\nb = »\"ball\"", &["joints.contact.b", "two different bodies"]),
    ("a spring on what rolls", "b = \"ball\"\nradius = 0.1", "b = \"ball\"\nradius = 0.1\n»spring = { stiffness = 1 }", &["joints.contact", "`spring` does not belong to a rolling joint"]),
    ("a ratio of zero", "ratios = [1, 2]", "ratios = [1, »0]", &["joints.teeth.ratios", "cannot be zero"]),
    ("an axis too many", "axes = [[1, 0, 0], [1, 0, 0]]", "axes = »[[1, 0, 0], [1, 0, 0], [0, 1, 0]]", &["joints.teeth.axes", "3 for 2 bodies"]),
    ("a ratio too few", "ratios = [1, 2]", "ratios = »[1]", &["joints.teeth.ratios", "1 for 2 bodies"]),
    ("an axis of no length", "axes = [[1, 0, 0], [1, 0, 0]]", "axes = [[1, 0, 0], »[0, 0, 0]]", &["joints.teeth.axes", "the axis is zero"]),
    ("one wheel alone", "bodies = [\"ball\", \"wheel\"]", "bodies = »[\"ball\"]", &["joints.teeth.bodies", "a gear connects bodies"]),
    ("a wheel twice", "bodies = [\"ball\", \"wheel\"]", "bodies = [\"ball\", »\"ball\"]", &["joints.teeth.bodies", "named twice"]),
    ("a wheel that is not there", "bodies = [\"ball\", \"wheel\"]", "bodies = [\"ball\", »\"weel\"]", &["joints.teeth.bodies", "no body `weel`", "wheel"]),
    ("no ratios", "ratios = [1, 2]\n", "", &["joints.teeth", "`ratios` is missing"]),
    ("a point as a gear", "bodies = [\"ball\", \"wheel\"]", "bodies = [\"ball\", \"bead\"]", &["joints.teeth", "gear", "bead"]),
    ("ends on a gear", "ratios = [1, 2]", "ratios = [1, 2]\n»a = \"ball\"", &["joints.teeth", "`a` does not belong to a gear joint"]),
    ("a blade without a direction", "direction = [0, 1, 0]\n", "", &["joints.edge", "no direction"]),
    ("a blade through the surface", "direction = [0, 1, 0]", "direction = »[0, 1, 1]", &["joints.edge.direction", "does not lie in the surface"]),
    ("a direction of no length", "direction = [0, 1, 0]", "direction = »[0, 0, 0]", &["joints.edge.direction", "the axis is zero"]),
];

/// Where the whole table is at fault the message points to its head.
fn marked(case: &Case) -> String {
    let (_, from, to, words) = case;
    assert!(ROLLING.contains(from), "{}: the scene has no `{from}`", case.0);
    let text = ROLLING.replacen(from, to, 1);
    if text.contains('»') {
        return text;
    }
    let head = format!("[{}]", words[0]);
    text.replacen(&head, &format!("»{head}"), 1)
}

#[test]
fn mistakes_in_rolling_joints_are_named_with_their_place() {
    std::fs::write(scratch("rolling.toml"), ROLLING).expect("a scratch file");
    let out = command(&["check", "rolling.toml"], b"");
    assert_eq!((out.code, out.stderr.as_str()), (0, ""), "the scene without mistakes");
    let mut complaints = Vec::new();
    for (i, case) in MISTAKES.iter().enumerate() {
        let text = marked(case);
        // The whole scene is replaced: `refuse` finds the mark in what it becomes.
        let all: Case = (case.0, ROLLING, Box::leak(text.into_boxed_str()), case.3);
        refuse(ROLLING, 500 + i, &all, &mut complaints);
    }
    assert_none(complaints);
}
