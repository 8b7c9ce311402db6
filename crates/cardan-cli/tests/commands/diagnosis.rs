//! The diagnosis of `cardan check`: redundant groups, duplicates, conflicts, locked freedoms and remedies.

use crate::support::{cardan, command};
use serde_json::{Value, json};

fn check(scene: &str) -> Value {
    command(&["check", "-", "--json"], scene.as_bytes()).json()
}

fn bundled(name: &str) -> Value {
    cardan(&["check", name, "--json"], "")
}

/// Joints, redundant rows and whether they agree, group by group.
fn groups(out: &Value) -> Vec<Value> {
    let groups = out["groups"].as_array().expect("groups");
    groups.iter().map(|g| json!([g["joints"], g["redundant_rows"], g["consistent"]])).collect()
}

fn file(name: &str) -> String {
    let path = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// `scene` with the line of a joint that starts with `key` replaced.
fn with(scene: &str, joint: &str, key: &str, line: &str) -> String {
    let start = scene.find(&format!("[joints.{joint}]")).expect("the joint");
    let at = start + scene[start..].find(&format!("\n{key} = ")).expect("the key") + 1;
    let end = at + scene[at..].find('\n').expect("an end of line");
    format!("{}{line}{}", &scene[..at], &scene[end..])
}

#[test]
fn the_groups_of_the_bundled_scenes_are_exactly_these() {
    let expected = [
        ("pendulum", -1, json!([])),
        ("stewart-platform", -1, json!([])),
        ("kettle-handle", 4, json!([[["left-pivot", "right-pivot"], 5, true]])),
        ("three-hinge-door", 1, json!([[["upper-hinge", "middle-hinge", "lower-hinge"], 10, true]])),
        ("four-bar", 1, json!([[["A", "B", "C", "D"], 3, true]])),
        (
            "double-cardan",
            1,
            json!([[["front", "rear", "cross-1", "cross-2", "tube-cross-1", "tube-cross-2"], 3, true]]),
        ),
        (
            // Three rows too many in each of the two planar loops, and one more in the loop through the table, which joins them.
            "scott-russell",
            1,
            json!([[
                [
                    "bearing-x",
                    "middle-x",
                    "ankle-x",
                    "floor-x",
                    "head-x",
                    "bearing-y",
                    "middle-y",
                    "ankle-y",
                    "floor-y",
                    "head-y"
                ],
                7,
                true
            ]]),
        ),
        (
            // The three rams are loops of their own.
            "excavator",
            -1,
            json!([
                [["foot", "boom-ram-foot", "boom-ram", "boom-ram-eye"], 3, true],
                [["boom-tip", "stick-ram-foot", "stick-ram", "stick-ram-eye"], 3, true],
                [
                    [
                        "bucket-pin",
                        "rocker-pin",
                        "link-pin",
                        "ear",
                        "bucket-ram-foot",
                        "bucket-ram",
                        "bucket-ram-eye"
                    ],
                    6,
                    true
                ]
            ]),
        ),
    ];
    for (name, mobility, expected) in expected {
        let out = bundled(name);
        assert_eq!(Value::from(groups(&out)), expected, "{name}");
        if mobility >= 0 {
            assert_eq!(out["mobility"], mobility, "{name}");
        }
        let in_groups: u64 = out["groups"]
            .as_array()
            .expect("groups")
            .iter()
            .map(|g| g["redundant_rows"].as_u64().unwrap_or(0))
            .sum();
        assert_eq!(out["redundant_rows"].as_u64(), Some(in_groups), "{name}");
        assert_eq!(out["conflict"], json!([]), "{name}");
        for group in out["groups"].as_array().expect("groups") {
            assert_eq!((&group["locked_rows"], &group["misalignment"]), (&json!(0), &json!(0.0)), "{name}");
        }
        // Reactions of a group are not unique, all others are.
        for joint in out["joints"].as_array().expect("joints") {
            let listed =
                groups(&out).iter().any(|g| g[0].as_array().is_some_and(|j| j.contains(&joint["name"])));
            assert_eq!(joint["unique"], !listed, "{name}: {}", joint["name"]);
        }
    }
}

/// Two independent mechanisms on the same ground: their loads never mix, in any order of the file.
#[test]
fn mechanisms_that_share_nothing_but_the_ground_are_groups_of_their_own() {
    let four_bar = file("four-bar");
    let bodies = &four_bar
        [four_bar.find("[bodies.crank]").expect("bodies")..four_bar.find("[probes").expect("probes")];
    let mut second = bodies.to_string();
    for name in ["crank", "coupler", "rocker"] {
        second = second.replace(&format!("bodies.{name}]"), &format!("bodies.{name}2]"));
        second = second.replace(&format!("\"{name}\""), &format!("\"{name}2\""));
    }
    for name in ["A", "B", "C", "D"] {
        second = second.replace(&format!("joints.{name}]"), &format!("joints.{name}2]"));
    }
    let head = "gravity = [0, -9.81, 0]\n";
    let first = json!([["A", "B", "C", "D"], 3, true]);
    let other = json!([["A2", "B2", "C2", "D2"], 3, true]);
    assert_eq!(groups(&check(&format!("{head}{bodies}{second}"))), [first.clone(), other.clone()]);
    assert_eq!(groups(&check(&format!("{head}{second}{bodies}"))), [other, first]);
}

#[test]
fn joints_that_repeat_another_are_named_as_duplicates() {
    let kettle = bundled("kettle-handle");
    let twin = |joint: &str, of: &str| json!({ "joint": joint, "of": of, "mutual": true });
    assert_eq!(kettle["duplicates"], json!([twin("right-pivot", "left-pivot")]));
    let door = bundled("three-hinge-door");
    let expected = [twin("middle-hinge", "upper-hinge"), twin("lower-hinge", "upper-hinge")];
    assert_eq!(door["duplicates"], json!(expected));
    // Four bodies, no two joints between the same ones.
    assert_eq!(bundled("four-bar")["duplicates"], json!([]));
    // A ball joint on the line of a hinge adds nothing to it; the hinge adds something to the ball.
    let ball = file("kettle-handle")
        .replace("[joints.left-pivot]\nkind = \"revolute\"", "[joints.left-pivot]\nkind = \"spherical\"");
    let start = ball.find("[joints.left-pivot]").expect("the joint");
    let ball = format!("{}{}", &ball[..start], ball[start..].replacen("axis = [1, 0, 0]\n", "", 1));
    let expected = json!([{ "joint": "left-pivot", "of": "right-pivot", "mutual": false }]);
    assert_eq!(check(&ball)["duplicates"], expected);
    // Beside the line it says more.
    let beside = with(&ball, "left-pivot", "anchor", "anchor = [-0.12, 0.05, -0.18]");
    assert_eq!(check(&beside)["duplicates"], json!([]));
}

const TWO_THREADS: &str = r#"gravity = [0, 0, -9.81]

[bodies.bob]
kind = "particle"
mass = 1
position = [1.05, 0, 0.2]

[bodies.other]
kind = "particle"
mass = 1
position = [0, 4, 0]

[joints.short]
kind = "distance"
a = "ground"
b = "bob"
point_in_a = [0, 0, 0]
length = 1.0

[joints.long]
kind = "distance"
a = "ground"
b = "bob"
point_in_a = [0, 0, 0]
length = 1.1

[joints.innocent]
kind = "distance"
a = "bob"
b = "other"
"#;

#[test]
fn two_distances_that_cannot_both_hold_are_both_named() {
    // From one point: |C| is least halfway, 0.05 m off each. From two points 3 m apart: 0.9 m are lacking, 0.45 m each.
    let apart = with(TWO_THREADS, "long", "point_in_a", "point_in_a = [3, 0, 0]");
    for (scene, gap, would_do) in [(TWO_THREADS, 0.05, [1.1, 1.0]), (apart.as_str(), 0.45, [1.9, 2.0])] {
        let run = command(&["check", "-", "--json"], scene.as_bytes());
        assert_eq!(run.code, 1);
        let out = run.json();
        let conflict = out["conflict"].as_array().expect("conflict");
        let names: Vec<&Value> = conflict.iter().map(|c| &c["joint"]).collect();
        assert_eq!(names, [&json!("short"), &json!("long")]);
        for (joint, length) in conflict.iter().zip(would_do) {
            // The least |C| is found to the root of the rounding.
            assert!((joint["gap"].as_f64().expect("a gap") - gap).abs() < 1e-7, "{joint}");
            // Where the other is closed, to rounding.
            let would = joint["length_that_would_do"].as_f64().expect("a length");
            assert!((would - length).abs() < 1e-9, "{joint}");
        }
        assert_eq!(out["mobility"], Value::Null);
        let text = command(&["check", "-"], scene.as_bytes()).stdout;
        assert!(text.contains("conflict: `short` and `long` cannot all be closed"), "{text}");
        // From one point they say two things about the same distance, in any pose. From two points their rows are parallel in the
        // nearest pose alone: nothing is redundant.
        let redundant = gap == 0.05;
        let group = "group: `short` and `long`: 1 redundant row, conflicting";
        assert_eq!(text.contains(group), redundant, "{text}");
        let expected = if redundant { vec![json!([["short", "long"], 1, false])] } else { vec![] };
        assert_eq!(groups(&out), expected);
    }
    // Where they can hold nothing is said.
    let fine = with(&apart, "long", "length", "length = 2.5");
    let out = cardan(&["check", "-", "--json"], &fine);
    assert_eq!((&out["conflict"], &out["groups"]), (&json!([]), &json!([])));
}

/// Runs a locked scene with the geometry tolerance of its group: it has its freedom, runs to the end, and reports the gaps.
fn moves_with_what_is_offered(scene: &str, group: &Value, misalignment: f64) {
    let tolerance = group["geometry_tolerance"].as_f64().expect("a tolerance").to_string();
    let out = cardan(&["run", "-", "--until", "2", "--json", "--geometry-tolerance", &tolerance], scene);
    assert_eq!(out["status"], json!("completed"), "{tolerance}");
    let locked = check(scene)["mobility"].as_u64().expect("a count");
    assert_eq!(out["counts"]["freedoms"], json!(locked + 1), "{tolerance}");
    assert!(out["energy"]["balance_error"].as_f64().expect("a number") < 1e-6, "{}", out["energy"]);
    let gape = out["certificate"]["max_position_error"].as_f64().expect("a number");
    assert!(
        gape > 1e-2 * misalignment && gape < 10.0 * misalignment,
        "gapes by {gape:e} of {misalignment:e}"
    );
}

#[test]
fn a_four_bar_locked_by_a_misalignment_says_by_how_much_and_where() {
    let rest: String =
        file("four-bar").lines().filter(|l| !l.contains("velocity =")).map(|l| format!("{l}\n")).collect();
    for (joint, axis, angle, words) in [
        ("C", "[3e-7, 0, 1]", 3e-7, "about 3e-7 rad"),
        ("A", "[0, 2e-8, 1]", 2e-8, "about 2e-8 rad"),
        ("D", "[3e-6, -4e-6, 1]", 5e-6, "about 5e-6 rad"),
    ] {
        let scene = with(&rest, joint, "axis", &format!("axis = {axis}"));
        let out = cardan(&["check", "-", "--json"], &scene);
        let group = &out["groups"][0];
        assert_eq!((&out["mobility"], &out["redundant_rows"]), (&json!(0), &json!(2)), "{joint}");
        assert_eq!((&group["locked_rows"], &group["misaligned"]), (&json!(1), &json!([joint])));
        assert_eq!(group["joints"], json!(["A", "B", "C", "D"]));
        // The angle is that of unit vectors: rounding 1e-16 each.
        assert!((group["misalignment"].as_f64().expect("an angle") - angle).abs() < 1e-14, "{group}");
        let text = command(&["check", "-"], scene.as_bytes()).stdout;
        let line = format!("1 freedom is locked by a misalignment of {words} in `A`, `B`, `C` and `D`");
        assert!(text.contains(&line) && text.contains(&format!("the axis of `{joint}` is off")), "{text}");
        moves_with_what_is_offered(&scene, group, angle);
    }
    // A pivot beside the other's line: no axis is off, and the kettle cannot turn.
    let kettle = with(&file("kettle-handle"), "left-pivot", "anchor", "anchor = [-0.12, 2e-7, -0.18]");
    let group = check(&kettle)["groups"][0].clone();
    assert_eq!((&group["locked_rows"], &group["misaligned"]), (&json!(1), &json!([])), "{group}");
    assert_eq!(group["joints"], json!(["left-pivot", "right-pivot"]));
    let off = group["misalignment"].as_f64().expect("a size");
    assert!((1e-8..1e-5).contains(&off), "{group}");
    moves_with_what_is_offered(&kettle, &group, off);
    // Aligned to rounding it moves; tilted by a tenth of a degree it was meant to be tilted.
    for (axis, mobility) in [("[1e-13, 0, 1]", 1), ("[2e-3, 0, 1]", 0)] {
        let out = check(&with(&rest, "C", "axis", &format!("axis = {axis}")));
        assert_eq!(
            (&out["mobility"], &out["groups"][0]["locked_rows"]),
            (&json!(mobility), &json!(0)),
            "{axis}"
        );
    }
}

/// Every remedy is taken at its word: the joints are replaced in the file, and the scene is checked again.
#[test]
fn a_remedy_leaves_the_motion_and_takes_the_redundant_rows_that_it_promises() {
    for name in [
        "four-bar",
        "slider-crank",
        "five-bar",
        "double-cardan",
        "scott-russell",
        "excavator",
        "kettle-handle",
    ] {
        let before = bundled(name);
        let total = before["redundant_rows"].as_u64().expect("rows");
        let mut tried = 0;
        for group in before["groups"].as_array().expect("groups") {
            for remedy in group["remedies"].as_array().expect("remedies") {
                // Any one of the joints named for the first step will do.
                let first = &remedy["steps"][0];
                let several = remedy["steps"].as_array().expect("steps").len() > 1;
                for (k, joint) in first["any_of"].as_array().expect("names").iter().enumerate() {
                    assert!(k == 0 || !several, "{name}: what follows is for the first alone");
                    let after = cardan(&["check", "-", "--json"], &taken(&file(name), k, first));
                    assert_eq!(after["mobility"], before["mobility"], "{name}: {joint}");
                    let gone = first["removes"].as_u64().expect("a count");
                    assert_eq!(after["redundant_rows"], total - gone, "{name}: {joint}");
                }
                let mut scene = file(name);
                let mut removed = 0;
                for step in remedy["steps"].as_array().expect("steps") {
                    scene = taken(&scene, 0, step);
                    removed += step["removes"].as_u64().expect("a count");
                    let after = cardan(&["check", "-", "--json"], &scene);
                    assert_eq!(after["mobility"], before["mobility"], "{name}: {remedy}");
                    assert_eq!(after["redundant_rows"], total - removed, "{name}: {remedy}");
                }
                let own = group["redundant_rows"].as_u64().expect("rows");
                assert_eq!(remedy["redundant_rows_left"], own - removed);
                tried += 1;
            }
        }
        assert!(tried > 0, "{name}: no remedy");
    }
    // The classic answer for a planar four-bar with hinges in space.
    let out = bundled("four-bar");
    let kinds = |k: usize| -> Vec<String> {
        let steps = out["groups"][0]["remedies"][k]["steps"].as_array().expect("steps");
        steps.iter().map(|s| s["kind"].as_str().unwrap_or("none").to_string()).collect()
    };
    assert_eq!(
        (kinds(0), kinds(1)),
        (vec!["point-on-line".into()], vec!["spherical".into(), "cylindrical".into()])
    );
}

/// The scene after a step of a remedy, taken at one of its joints.
fn taken(scene: &str, which: usize, step: &Value) -> String {
    let joint = step["any_of"][which].as_str().expect("a name");
    match step["kind"].as_str() {
        Some(kind) => replaced(scene, joint, kind, &step["fields"][which]),
        None => without(scene, joint),
    }
}

/// The part of a scene from a joint's head to the next head.
fn section(scene: &str, joint: &str) -> std::ops::Range<usize> {
    let start = scene.find(&format!("[joints.{joint}]")).expect("the joint");
    start..scene[start + 1..].find("\n[").map_or(scene.len(), |n| start + n + 2)
}

fn without(scene: &str, joint: &str) -> String {
    let at = section(scene, joint);
    format!("{}{}", &scene[..at.start], &scene[at.end..])
}

/// Whether a field says where a joint sits.
fn places(key: &str) -> bool {
    ["anchor", "axis", "frame_in", "point_in", "zero"].iter().any(|start| key.starts_with(start))
}

/// The joint as another kind, placed by the fields of the advice alone.
fn replaced(scene: &str, joint: &str, kind: &str, fields: &Value) -> String {
    let at = section(scene, joint);
    let keep = |line: &&str| {
        let key = line.split(" = ").next().unwrap_or("");
        !(places(key) || key == "kind")
    };
    let lines: Vec<&str> = scene[at.clone()].lines().filter(keep).collect();
    let (head, rest) = lines.split_first().expect("a head");
    let fields: Vec<String> =
        fields.as_object().expect("fields").iter().map(|(k, v)| format!("{k} = {v}\n")).collect();
    let (fields, rest) = (fields.concat(), rest.join("\n"));
    format!("{}{head}\nkind = \"{kind}\"\n{fields}{rest}\n{}", &scene[..at.start], &scene[at.end..])
}

/// Takes every remedy of a scene in JSON at its word, step by step; returns how many there were.
fn follow(scene: &Value) -> usize {
    let before = check(&scene.to_string());
    let total = before["redundant_rows"].as_u64().expect("rows");
    let mut tried = 0;
    for group in before["groups"].as_array().expect("groups") {
        for remedy in group["remedies"].as_array().expect("remedies") {
            let (mut scene, mut removed) = (scene.clone(), 0);
            let steps = remedy["steps"].as_array().expect("steps");
            for step in steps {
                let any_of = step["any_of"].as_array().expect("names");
                assert!(any_of.len() == 1 || steps.len() == 1, "{remedy}");
                let start = scene.clone();
                // The first last: it is what later steps follow.
                for (k, joint) in any_of.iter().enumerate().rev() {
                    scene = start.clone();
                    let joints = scene["joints"].as_object_mut().expect("joints");
                    let name = joint.as_str().expect("a name");
                    match step["kind"].as_str() {
                        None => drop(joints.remove(name)),
                        Some(kind) => {
                            let entry = joints[name].as_object_mut().expect("a joint");
                            entry.retain(|key, _| !places(key));
                            entry.insert("kind".into(), kind.into());
                            let fields = step["fields"][k].as_object().expect("fields");
                            fields.iter().for_each(|(k, v)| drop(entry.insert(k.clone(), v.clone())));
                        }
                    }
                    let gone = removed + step["removes"].as_u64().expect("a count");
                    let after = check(&scene.to_string());
                    assert_eq!(after["mobility"], before["mobility"], "{joint}: {remedy}\n{scene}");
                    assert_eq!(after["redundant_rows"], total - gone, "{joint}: {remedy}\n{scene}");
                }
                removed += step["removes"].as_u64().expect("a count");
            }
            tried += 1;
        }
    }
    tried
}

fn rigid(position: Value) -> Value {
    let turned = json!({ "axis": [1, 2, 3], "angle": "40 deg" });
    json!({ "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": position, "orientation": turned })
}

/// Hinges about y between three bodies and the ground, `extra` more of them than a chain that is closed once would have.
fn hinged(extra: &[(&str, &str, Value)]) -> Value {
    let hinge = |a: &str, b: &str, anchor: &Value| json!({ "kind": "revolute", "a": a, "b": b, "anchor": anchor, "axis": [0, 1, 0] });
    let mut joints = serde_json::Map::new();
    let four = [
        ("ground", "b0", json!([0.8, -0.1, -0.6])),
        ("b0", "b1", json!([0.2, -0.9, -0.8])),
        ("b1", "b2", json!([0.5, -0.7, 0.4])),
        ("ground", "b2", json!([0.4, -0.3, 0.3])),
    ];
    for (k, (a, b, anchor)) in four.iter().chain(extra).enumerate() {
        joints.insert(format!("j{k}"), hinge(a, b, anchor));
    }
    let bodies = json!({
        "b0": rigid(json!([-0.2, -0.4, 0.7])),
        "b1": rigid(json!([-0.1, 0.1, 0.1])),
        "b2": rigid(json!([-0.3, 0.3, 0.8]))
    });
    json!({ "bodies": bodies, "joints": joints })
}

#[test]
fn a_remedy_keeps_the_mobility_where_a_joint_has_no_independent_row() {
    let more = ("b0", "b1", json!([-0.5, -0.1, -0.9]));
    let another = ("b1", "b2", json!([0.9, 0.2, -0.1]));
    assert!(follow(&hinged(&[])) > 0);
    assert!(follow(&hinged(std::slice::from_ref(&more))) > 0);
    assert!(follow(&hinged(&[more, another])) > 0);
}

#[test]
fn a_remedy_with_an_axis_that_the_file_does_not_have_states_it() {
    // Welded to the same lever twice, and once more by balls: what is left over has axes of its own.
    let mut scene = hinged(&[]);
    let joints = scene["joints"].as_object_mut().expect("joints");
    joints.insert("weld".into(), json!({ "kind": "fixed", "a": "b0", "b": "b1" }));
    joints.insert(
        "ball".into(),
        json!({ "kind": "spherical", "a": "b1", "b": "b2", "anchor": [0.9, 0.1, 0.3] }),
    );
    assert!(follow(&scene) > 0);
    let out = check(&scene.to_string());
    let text = command(&["check", "-"], scene.to_string().as_bytes()).stdout;
    let mut stated = 0;
    for group in out["groups"].as_array().expect("groups") {
        for step in group["remedies"]
            .as_array()
            .expect("remedies")
            .iter()
            .flat_map(|r| r["steps"].as_array())
            .flatten()
        {
            let from = scene["joints"][step["any_of"][0].as_str().expect("a name")]["kind"].clone();
            let axis = &step["fields"][0]["axis"];
            if ["fixed", "spherical"].contains(&from.as_str().expect("a kind")) && axis.is_array() {
                let numbers: Vec<String> = axis
                    .as_array()
                    .expect("three")
                    .iter()
                    .map(|x| x.as_f64().expect("a number").to_string())
                    .collect();
                assert!(text.contains(&format!("with axis = [{}]", numbers.join(", "))), "{step}\n{text}");
                stated += 1;
            }
        }
    }
    assert!(stated > 0, "{text}");
}

/// A bead on the x axis and a rod from 2 m aside that is too short to reach it.
#[test]
fn joints_that_cannot_be_closed_are_not_called_redundant() {
    let bead = |length: f64| {
        json!({
            "gravity": [0, 0, 0],
            "bodies": { "bead": { "kind": "particle", "mass": 1, "position": [0.3, 0, 0] } },
            "joints": {
                "wire": { "kind": "point-on-line", "a": "ground", "b": "bead", "anchor": [0, 0, 0], "axis": [1, 0, 0] },
                "rod": { "kind": "distance", "a": "ground", "b": "bead", "point_in_a": [0, 2, 0], "length": length }
            }
        })
        .to_string()
    };
    let run = command(&["check", "-", "--json"], bead(1.5).as_bytes());
    let out = run.json();
    assert_eq!((run.code, &out["mobility"]), (1, &Value::Null));
    assert_eq!((&out["groups"], &out["duplicates"]), (&json!([]), &json!([])));
    assert_eq!(out["redundant_rows"], 0);
    let rod =
        out["conflict"].as_array().expect("conflict").iter().find(|m| m["joint"] == "rod").expect("the rod");
    let (gap, does) =
        (rod["gap"].as_f64().expect("a gap"), rod["length_that_would_do"].as_f64().expect("a length"));
    // Halfway between wire and rod; and what would reach.
    assert!((gap - 0.25).abs() < 1e-7 && (does - 2.0).abs() < 1e-9, "{rod}");
    let text = command(&["check", "-"], bead(1.5).as_bytes()).stdout;
    assert!(text.contains("`rod` of length 2 m would fit (it has 1.5 m)"), "{text}");
    assert!(text.contains("none by rank: its joints cannot all be closed"), "{text}");
    // Slightly longer than that it is a structure, and much longer too.
    for length in [2.001, 2.5] {
        let fine = cardan(&["check", "-", "--json"], &bead(length));
        assert_eq!((&fine["mobility"], &fine["conflict"]), (&json!(0), &json!([])));
    }
}

/// A parallelogram on hinges in space, its cranks `angle` from the line of its pivots.
fn parallelogram(angle: f64) -> String {
    let (x, z) = (0.3 * angle.cos(), 0.3 * angle.sin());
    let bar = |x: f64, z: f64| json!({ "mass": 1, "inertia": [0.01, 0.01, 0.01], "position": [x, 0, z] });
    let hinge = |a: &str, b: &str, x: f64, z: f64| json!({ "kind": "revolute", "a": a, "b": b, "anchor": [x, 0, z], "axis": [0, 1, 0] });
    json!({
        "bodies": { "left": bar(x / 2.0, z / 2.0), "bar": bar(x + 0.5, z), "right": bar(1.0 + x / 2.0, z / 2.0) },
        "joints": {
            "A": hinge("ground", "left", 0.0, 0.0),
            "B": hinge("left", "bar", x, z),
            "C": hinge("bar", "right", 1.0 + x, z),
            "D": hinge("ground", "right", 1.0, 0.0)
        }
    })
    .to_string()
}

#[test]
fn a_dead_point_is_not_a_misalignment() {
    let all = json!(["A", "B", "C", "D"]);
    // Far from flat: three rows too many, as in any planar loop of hinges.
    let out = check(&parallelogram(0.7));
    assert_eq!((groups(&out), &out["special"]), (vec![json!([all, 3, true])], &json!([])));
    // Next to flat: the same, and no axis is off.
    for angle in [1e-6, -3e-7, 1e-7] {
        let out = check(&parallelogram(angle));
        assert_eq!((&out["mobility"], groups(&out)), (&json!(1), vec![json!([all, 3, true])]), "{angle}");
        assert_eq!(
            (&out["groups"][0]["locked_rows"], &out["groups"][0]["misaligned"]),
            (&json!(0), &json!([]))
        );
        let special = out["special"].as_array().expect("special");
        assert_eq!((special.len(), &special[0]["freedoms"]), (1, &json!(1)), "{angle}: {special:?}");
        assert_eq!(special[0]["joints"], all);
        let text = command(&["check", "-"], parallelogram(angle).as_bytes()).stdout;
        assert!(text.contains("near a singular configuration") && !text.contains("misalignment"), "{text}");
    }
    // Flat: two branches meet, and only here.
    let out = check(&parallelogram(0.0));
    assert_eq!((&out["mobility"], groups(&out)), (&json!(2), vec![json!([all, 4, true])]));
    assert_eq!(out["special"], json!([{ "joints": all, "freedoms": 1, "distance": 0.0 }]));
    let text = command(&["check", "-"], parallelogram(0.0).as_bytes()).stdout;
    assert!(text.contains("singular configuration: `A`, `B`, `C` and `D` have 1 freedom here"), "{text}");
    // A remedy for this pose must keep the constraints of other poses.
    for remedy in out["groups"][0]["remedies"].as_array().expect("remedies") {
        assert!(remedy["redundant_rows_left"].as_u64() >= Some(1), "{remedy}");
    }
}

#[test]
fn a_group_too_large_for_advice_is_told_so() {
    let scene = cardan_text(&["generate", "n-four-bar", "--n", "100"]);
    let out = cardan(&["check", "-", "--json"], &scene);
    let group = &out["groups"][0];
    assert_eq!((&group["advised"], &group["remedies"]), (&json!(false), &json!([])));
    let text = command(&["check", "-"], scene.as_bytes()).stdout;
    assert!(text.contains("no remedy was searched for"), "{text}");
}

fn cardan_text(arguments: &[&str]) -> String {
    command(arguments, b"").stdout
}
