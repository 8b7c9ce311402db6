//! Invented mechanisms: to look at, and to check what every drawing promises.

use super::vec3::unit;
use super::*;
use crate::picture::tests::{check, show};
use cardan_view::{SketchForce, SketchProbe, SketchSpring};

const DOWN: Vec3 = [0.0, 0.0, -9.81];
const Y: Option<Vec3> = Some([0.0, 1.0, 0.0]);
const STILL: [Vec3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A rotation whose x axis points along `d`.
fn along(d: Vec3) -> [Vec3; 3] {
    let x = unit(d).unwrap_or([1.0, 0.0, 0.0]);
    let (y, z) = vec3::perpendicular_pair(x);
    [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]]
}

fn solid(name: &str, kind: SketchShapeKind, a: Vec3, b: Vec3) -> SketchBody {
    let middle = scale(add(a, b), 0.5);
    SketchBody {
        name: name.into(),
        shapes: vec![SketchShape { kind, position: middle, rotation: along(sub(b, a)) }],
        center_of_mass: middle,
        attachments: vec![a, b],
    }
}

fn rod(name: &str, a: Vec3, b: Vec3) -> SketchBody {
    solid(name, SketchShapeKind::Rod { length: norm(sub(b, a)) }, a, b)
}

fn stick(name: &str, com: Vec3, attachments: &[Vec3]) -> SketchBody {
    SketchBody { name: name.into(), shapes: vec![], center_of_mass: com, attachments: attachments.to_vec() }
}

fn joint(name: &str, kind: JointSymbol, position: Vec3, axis: Option<Vec3>, grounded: bool) -> SketchJoint {
    SketchJoint { name: name.into(), kind, position, axis, grounded }
}

fn pendulum(angle: f64) -> Sketch {
    let tip = [angle.sin(), 0.0, -angle.cos()];
    let mut bob = stick("bob", tip, &[[0.0; 3]]);
    bob.shapes.push(SketchShape {
        kind: SketchShapeKind::Sphere { radius: 0.09 },
        position: tip,
        rotation: STILL,
    });
    Sketch {
        title: "Pendulum".into(),
        gravity: DOWN,
        bodies: vec![bob],
        joints: vec![joint("pivot", JointSymbol::Pin, [0.0; 3], Y, true)],
        ..Sketch::default()
    }
}

fn double_pendulum(t: f64) -> Sketch {
    let tip = |t: f64| {
        let (a, b) = (1.4 * (2.0 * t).cos(), 2.0 * (2.7 * t).cos());
        let elbow = [a.sin(), -a.cos(), 0.0];
        (elbow, add(elbow, [0.8 * b.sin(), -0.8 * b.cos(), 0.0]))
    };
    let (elbow, end) = tip(t);
    let trail = (0..=400).map(|i| tip(t * i as f64 / 400.0).1).collect();
    Sketch {
        title: "Double pendulum".into(),
        gravity: [0.0, -9.81, 0.0],
        bodies: vec![rod("upper arm", [0.0; 3], elbow), rod("forearm", elbow, end)],
        joints: vec![
            joint("shoulder", JointSymbol::Pin, [0.0; 3], Some([0.0, 0.0, 1.0]), true),
            joint("elbow", JointSymbol::Pin, elbow, Some([0.0, 0.0, 1.0]), false),
        ],
        probes: vec![SketchProbe { name: "tip".into(), position: end, trail }],
        ..Sketch::default()
    }
}

fn four_bar() -> Sketch {
    let (a, b, c, d) = ([0.0; 3], [0.15, 0.0, 0.26], [0.85, 0.0, 0.55], [0.8, 0.0, 0.0]);
    let pin = |name: &str, p: Vec3, grounded| joint(name, JointSymbol::Pin, p, Y, grounded);
    Sketch {
        title: "Four-bar linkage".into(),
        gravity: DOWN,
        bodies: vec![
            rod("crank", a, b),
            stick("coupler", [0.5, 0.0, 0.55], &[b, c, [0.5, 0.0, 0.8]]),
            rod("rocker", d, c),
        ],
        joints: vec![pin("A", a, true), pin("B", b, false), pin("C", c, false), pin("D", d, true)],
        forces: vec![SketchForce { at: [0.5, 0.0, 0.8], vector: [30.0, 0.0, -10.0] }],
        probes: vec![SketchProbe { name: "P".into(), position: [0.5, 0.0, 0.8], trail: vec![] }],
        ..Sketch::default()
    }
}

fn slider_crank() -> Sketch {
    let (a, b, c) = ([0.0; 3], [0.12, 0.0, 0.16], [0.62, 0.0, 0.0]);
    let block = SketchShapeKind::Box { size: [0.16, 0.1, 0.11] };
    let mut piston = solid("piston", block, [0.58, 0.0, 0.0], [0.66, 0.0, 0.0]);
    piston.shapes[0].position = c;
    Sketch {
        title: "Slider-crank".into(),
        gravity: DOWN,
        bodies: vec![rod("crank", a, b), rod("rod", b, c), piston],
        joints: vec![
            joint("main bearing", JointSymbol::Pin, a, Y, true),
            joint("crank pin", JointSymbol::Pin, b, Y, false),
            joint("guide", JointSymbol::Slider, c, Some([1.0, 0.0, 0.0]), true),
            joint("wrist pin", JointSymbol::Pin, c, Y, false),
        ],
        ..Sketch::default()
    }
}

fn chain(n: usize) -> Sketch {
    let at = |i: usize| {
        let s = i as f64;
        [0.3 * s, 0.25 * (0.9 * s).sin(), -0.15 * s + 0.2 * (0.7 * s).cos()]
    };
    let mut sketch = Sketch { title: format!("Chain of {n} links"), gravity: DOWN, ..Sketch::default() };
    for i in 0..n {
        let (a, b) = (at(i), at(i + 1));
        let long = norm(sub(b, a));
        let kind = match i % 4 {
            0 => SketchShapeKind::Box { size: [0.9 * long, 0.09, 0.05] },
            1 => SketchShapeKind::Cylinder { radius: 0.04, length: 0.9 * long },
            2 => SketchShapeKind::Capsule { radius: 0.04, length: 0.8 * long },
            _ => SketchShapeKind::Rod { length: long },
        };
        sketch.bodies.push(solid(&format!("link {}", i + 1), kind, a, b));
        let kind = if i % 2 == 0 { JointSymbol::Ball } else { JointSymbol::Pin };
        let axis = (i % 2 == 1).then_some([0.0, 0.8, 0.6]);
        sketch.joints.push(joint(&format!("J{}", i + 1), kind, a, axis, i == 0));
    }
    sketch
}

fn star(arms: usize, rings: usize) -> Sketch {
    let mut sketch = Sketch { title: format!("Star of {} bodies", arms * rings + 1), ..Sketch::default() };
    sketch.bodies.push(SketchBody {
        name: "hub".into(),
        shapes: vec![SketchShape {
            kind: SketchShapeKind::Cylinder { radius: 0.25, length: 0.2 },
            position: [0.0; 3],
            rotation: along([0.0, 0.0, 1.0]),
        }],
        ..SketchBody::default()
    });
    for i in 0..arms {
        let (s, c) = (i as f64 * std::f64::consts::TAU / arms as f64).sin_cos();
        for r in 0..rings {
            let at = |k: f64| [(0.25 + k) * c, (0.25 + k) * s, 0.0];
            let (a, b) = (at(r as f64 * 0.5), at((r + 1) as f64 * 0.5));
            sketch.bodies.push(rod(&format!("arm {i}.{r}"), a, b));
            sketch.joints.push(joint(
                &format!("h{i}.{r}"),
                JointSymbol::Pin,
                a,
                Some([0.0, 0.0, 1.0]),
                false,
            ));
        }
    }
    sketch
}

fn spring_mass() -> Sketch {
    let block = |name: &str, x: f64| SketchBody {
        name: name.into(),
        shapes: vec![SketchShape {
            kind: SketchShapeKind::Box { size: [0.2, 0.2, 0.2] },
            position: [x, 0.0, 0.0],
            rotation: STILL,
        }],
        center_of_mass: [x, 0.0, 0.0],
        attachments: vec![[x - 0.1, 0.0, 0.0], [x + 0.1, 0.0, 0.0]],
    };
    Sketch {
        title: "Two masses on springs".into(),
        gravity: DOWN,
        bodies: vec![block("m1", 0.6), block("m2", 1.35)],
        joints: vec![
            joint("wall", JointSymbol::Weld, [0.0; 3], None, true),
            joint("rail 1", JointSymbol::Slider, [0.6, 0.0, -0.12], Some([1.0, 0.0, 0.0]), true),
            joint("rail 2", JointSymbol::Slider, [1.35, 0.0, -0.12], Some([1.0, 0.0, 0.0]), true),
        ],
        springs: vec![
            SketchSpring { from: [0.0; 3], to: [0.5, 0.0, 0.0] },
            SketchSpring { from: [0.7, 0.0, 0.0], to: [1.25, 0.0, 0.0] },
        ],
        ..Sketch::default()
    }
}

fn bead() -> Sketch {
    let at = [0.6, 0.0, 0.8];
    let circle = JointSymbol::Ring { center: [0.0; 3], normal: [0.0, 1.0, 0.0], radius: 1.0 };
    Sketch {
        title: "Particle on a circle".into(),
        gravity: DOWN,
        bodies: vec![stick("bead", at, &[]), stick("weight", [1.3, 0.0, 0.2], &[])],
        joints: vec![
            joint("wire", circle, at, None, true),
            joint("string", JointSymbol::Rod { to: [1.3, 0.0, 0.2] }, at, None, false),
        ],
        ..Sketch::default()
    }
}

fn boxes() -> Sketch {
    let mut sketch = Sketch { title: "Arm in space".into(), gravity: DOWN, ..Sketch::default() };
    let p = [[0.0; 3], [0.0, 0.0, 0.4], [0.5, 0.2, 0.7], [0.9, 0.5, 0.4]];
    let z = Some([0.0, 0.0, 1.0]);
    let side = Some([-0.37, 0.93, 0.0]);
    sketch.bodies.push(solid("base", SketchShapeKind::Cylinder { radius: 0.1, length: 0.4 }, p[0], p[1]));
    sketch.bodies.push(solid("boom", SketchShapeKind::Box { size: [0.62, 0.1, 0.08] }, p[1], p[2]));
    sketch.bodies.push(solid("jib", SketchShapeKind::Capsule { radius: 0.035, length: 0.55 }, p[2], p[3]));
    let plate = SketchShapeKind::Plate { size: [0.3, 0.22] };
    sketch.bodies.push(SketchBody {
        name: "tray".into(),
        shapes: vec![SketchShape { kind: plate, position: add(p[3], [0.0, 0.0, -0.12]), rotation: STILL }],
        center_of_mass: add(p[3], [0.0, 0.0, -0.12]),
        attachments: vec![p[3]],
    });
    sketch.joints.push(joint("slew", JointSymbol::Pin, p[0], z, true));
    sketch.joints.push(joint("luff", JointSymbol::Pin, p[1], side, false));
    sketch.joints.push(joint("elbow", JointSymbol::Pin, p[2], side, false));
    sketch.joints.push(joint("wrist", JointSymbol::Ball, p[3], None, false));
    sketch.forces.push(SketchForce { at: add(p[3], [0.0, 0.0, -0.12]), vector: [0.0, 0.0, -20.0] });
    sketch
}

fn free_box() -> Sketch {
    let mut body = stick("brick with a rather long name", [0.0, 0.0, 2.0], &[]);
    let kind = SketchShapeKind::Box { size: [0.3, 0.2, 0.1] };
    body.shapes.push(SketchShape { kind, position: [0.0, 0.0, 2.0], rotation: along([1.0, 0.5, 0.3]) });
    Sketch { title: "Free body".into(), gravity: DOWN, bodies: vec![body], ..Sketch::default() }
}

fn cart_pole() -> Sketch {
    let (x, tip) = ([0.2, 0.0, 0.0], [0.5, 0.0, 0.75]);
    let cart = SketchShapeKind::Box { size: [0.4, 0.2, 0.16] };
    Sketch {
        title: "Cart and pole".into(),
        gravity: DOWN,
        bodies: vec![
            SketchBody {
                name: "cart".into(),
                shapes: vec![SketchShape { kind: cart, position: x, rotation: STILL }],
                center_of_mass: x,
                attachments: vec![x],
            },
            rod("pole", x, tip),
            stick("lift", [-0.4, 0.0, 0.4], &[[-0.4, 0.0, 0.2], [-0.4, 0.0, 0.6]]),
        ],
        joints: vec![
            joint("track", JointSymbol::Slider, x, Some([1.0, 0.0, 0.0]), true),
            joint("hinge", JointSymbol::Pin, x, Y, false),
            joint("mast", JointSymbol::Slider, [-0.4, 0.0, 0.2], Some([0.0, 0.0, 1.0]), true),
            joint("weld", JointSymbol::Weld, [-0.4, 0.0, 0.6], None, false),
        ],
        ..Sketch::default()
    }
}

/// Hangs from two points, without shapes.
fn garland() -> Sketch {
    let at = |i: usize| {
        let x = i as f64 / 6.0 - 1.0;
        [x, 0.0, 0.8 * x * x]
    };
    let mut sketch = Sketch { title: "Garland".into(), gravity: DOWN, ..Sketch::default() };
    for i in 0..=12 {
        sketch.joints.push(joint(&format!("s{i}"), JointSymbol::Ball, at(i), None, i == 0 || i == 12));
        if i < 12 {
            sketch.bodies.push(stick(
                &format!("b{i}"),
                scale(add(at(i), at(i + 1)), 0.5),
                &[at(i), at(i + 1)],
            ));
        }
    }
    sketch
}

fn gyroscope() -> Sketch {
    let axle = unit([0.7, 0.3, 0.35]).unwrap_or([1.0, 0.0, 0.0]);
    let disc = scale(axle, 0.5);
    let mut rotor = stick("rotor", disc, &[[0.0; 3], scale(axle, 0.7)]);
    let kind = SketchShapeKind::Cylinder { radius: 0.3, length: 0.06 };
    rotor.shapes.push(SketchShape { kind, position: disc, rotation: along(axle) });
    Sketch {
        title: "Gyroscope".into(),
        gravity: DOWN,
        bodies: vec![rotor],
        joints: vec![joint("tip", JointSymbol::Ball, [0.0; 3], None, true)],
        probes: vec![SketchProbe {
            name: "nose".into(),
            position: scale(axle, 0.7),
            trail: (0..200)
                .map(|i| f64::from(i) * 0.02 - 3.6)
                .map(|a| [0.62 * a.cos(), 0.62 * a.sin(), 0.29 + 0.04 * (9.0 * a).cos()])
                .collect(),
        }],
        ..Sketch::default()
    }
}

fn all() -> Vec<(&'static str, Sketch)> {
    vec![
        ("pendulum", pendulum(0.6)),
        ("double-pendulum", double_pendulum(3.1)),
        ("four-bar", four_bar()),
        ("slider-crank", slider_crank()),
        ("chain", chain(8)),
        ("chain-long", chain(300)),
        ("star", star(20, 1)),
        ("star-large", star(24, 12)),
        ("spring-mass", spring_mass()),
        ("bead", bead()),
        ("arm", boxes()),
        ("free-box", free_box()),
        ("cart-pole", cart_pole()),
        ("garland", garland()),
        ("gyroscope", gyroscope()),
        ("nothing", Sketch::default()),
    ]
}

#[test]
fn drawings_are_well_formed_and_always_the_same() {
    for (name, sketch) in all() {
        let svg = draw(&sketch);
        check(&svg);
        assert_eq!(svg, draw(&sketch), "{name}");
        show(name, &svg);
    }
}

#[test]
fn a_strip_shows_every_moment() {
    let moments: Vec<StripFrame> = (0..6)
        .map(|i| 0.3 * i as f64)
        .map(|t| StripFrame { time: format!("t = {t:.1} s"), sketch: double_pendulum(t) })
        .collect();
    let svg = strip(&moments, None);
    check(&svg);
    assert_eq!(svg.matches("class=\"frame\"").count(), 6);
    show("strip", &svg);
    let space: Vec<StripFrame> =
        (0..3).map(|i| StripFrame { time: format!("t = {i} s"), sketch: chain(6 + i) }).collect();
    show("strip-space", &strip(&space, None));
    check(&strip(&space, None));
    check(&strip(&[], None));
}

#[test]
fn a_flat_mechanism_is_seen_along_its_normal_with_gravity_down() {
    for sketch in [pendulum(0.6), pendulum(0.0), four_bar(), slider_crank(), spring_mass(), bead()] {
        let view = View::choose(&[&sketch]);
        assert!(view.flat, "{}", sketch.title);
        for (got, want) in [(view.right, [1.0, 0.0, 0.0]), (view.up, [0.0, 0.0, 1.0])] {
            assert!(norm(sub(got, want)) < 1e-9, "{}: {view:?}", sketch.title);
        }
    }
    let view = View::choose(&[&double_pendulum(1.0)]);
    assert!(
        view.flat
            && norm(sub(view.up, [0.0, 1.0, 0.0])) < 1e-9
            && norm(sub(view.right, [1.0, 0.0, 0.0])) < 1e-9
    );
    assert!(!View::choose(&[&chain(5)]).flat && !View::choose(&[&boxes()]).flat);
}

#[test]
fn no_number_spoils_a_drawing() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    for bad in [nan, inf, -inf, 0.0, 1e300, 1e29, 1e-300, -1.0] {
        let p = [bad, 0.0, bad];
        let broken = |kind| SketchShape { kind, position: p, rotation: [[bad; 3]; 3] };
        let here = |kind| SketchShape { position: [1.0, 2.0, 3.0], ..broken(kind) };
        let kinds = [
            SketchShapeKind::Box { size: [bad; 3] },
            SketchShapeKind::Sphere { radius: bad },
            SketchShapeKind::Cylinder { radius: bad, length: bad },
            SketchShapeKind::Capsule { radius: bad, length: bad },
            SketchShapeKind::Rod { length: bad },
            SketchShapeKind::Plate { size: [bad; 2] },
            SketchShapeKind::Faces {
                faces: vec![vec![[bad; 3]; 3], vec![[0.0; 3]; 2], vec![[0.1; 3]; 4]],
                convex: false,
            },
            SketchShapeKind::Point,
        ];
        let shapes = kinds.into_iter().flat_map(|k| [broken(k.clone()), here(k)]).collect();
        let joints = [
            JointSymbol::Pin,
            JointSymbol::Ball,
            JointSymbol::Slider,
            JointSymbol::Weld,
            JointSymbol::Rod { to: p },
            JointSymbol::Ring { center: p, normal: p, radius: bad },
            JointSymbol::Ring { center: [0.0; 3], normal: [0.0, 0.0, 1.0], radius: bad },
            JointSymbol::Mark,
        ];
        let sketch = Sketch {
            title: "<bad> & \u{0}".into(),
            gravity: [bad; 3],
            bodies: vec![
                SketchBody {
                    name: "a".into(),
                    shapes,
                    center_of_mass: [0.0; 3],
                    attachments: vec![p, [1.0; 3]],
                },
                stick("b", p, &[p]),
                stick("c", [0.0; 3], &[p]),
            ],
            joints: joints
                .into_iter()
                .flat_map(|k| {
                    [joint("j", k, p, Some(p), true), joint("k", k, [0.5; 3], Some([bad; 3]), true)]
                })
                .collect(),
            springs: vec![SketchSpring { from: p, to: p }, SketchSpring { from: [0.0; 3], to: p }],
            forces: vec![SketchForce { at: p, vector: p }, SketchForce { at: [0.0; 3], vector: [bad; 3] }],
            probes: vec![SketchProbe { name: "p".into(), position: [0.0; 3], trail: vec![p, p] }],
            lines: vec![vec![p, [0.0; 3], p], vec![]],
            marks: vec![vec![p, p], vec![]],
        };
        check(&draw(&sketch));
        let moment = |sketch: Sketch| StripFrame { time: "t".into(), sketch };
        check(&strip(&[moment(sketch.clone()), moment(Sketch::default()), moment(pendulum(bad))], None));
    }
    check(&draw(&Sketch::default()));
}
