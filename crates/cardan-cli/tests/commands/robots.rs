//! Robot files through the command: run, imported, refused.

use crate::support::{cardan, command, scratch};

/// A robot file runs as the scene that `import` writes: the same bits at the end.
#[test]
fn a_robot_and_its_scene_end_in_the_same_bits() {
    for (robot, more) in [
        ("desk-arm", None),
        ("five-bar-walker", Some("--floating")),
        ("four-bar-walker", Some("--floating")),
        ("delta", None),
    ] {
        let scene = scratch(&format!("{robot}-imported.toml"));
        let scene = scene.to_str().expect("a path");
        let import = [&["import", robot, "-o", scene][..], more.as_slice()].concat();
        let written = command(&import, b"");
        assert_eq!(written.code, 0, "{}", written.stderr);
        let parts = if robot == "delta" { "× body" } else { "× link" };
        assert!(written.stdout.contains("used") && written.stdout.contains(parts), "{}", written.stdout);
        let run = ["--until", "0.02", "--dt", "0.002", "--json"];
        let direct = cardan(&[&["run", robot][..], more.as_slice(), &run].concat(), "");
        let again = cardan(&[&["run", scene][..], &run].concat(), "");
        assert_eq!(direct["state_hash"], again["state_hash"], "{robot}");
        // From standard input, too.
        let text =
            cardan_scene::bundled_robots().iter().find(|entry| entry.name == robot).expect("a robot").text;
        let piped = cardan(&[&["run", "-"][..], more.as_slice(), &run].concat(), text);
        assert_eq!(direct["state_hash"], piped["state_hash"], "{robot}");
    }
}

#[test]
fn commands_take_robots_as_scenes() {
    for walker in ["five-bar-walker", "four-bar-walker"] {
        let checked = cardan(&["check", walker, "--floating", "--json"], "");
        assert_eq!(checked["ok"], true);
        // Four loops of hinges in a plane: three rows of each are redundant.
        assert_eq!(checked["redundant_rows"], 12, "{walker}");
    }
    let solved = cardan(&["solve", "desk-arm", "--json", "--set", "gravity=[0,0,0]"], "");
    assert!(solved["bodies"].as_object().is_some_and(|all| all.len() == 7), "{solved}");
    let report = command(&["import", "desk-arm", "--report"], b"");
    assert!(report.stdout.contains("<mimic>: a coupler (line "), "{}", report.stdout);
    let listed = command(&["list"], b"");
    assert!(listed.stdout.contains("five-bar-walker"), "{}", listed.stdout);
}

/// An MJCF model by its file, as a part of a scene, from a key frame; mistakes at their place.
#[test]
fn mujoco_models_are_scenes() {
    let mjcf = "<mujoco>\n  <worldbody><body name=\"b\"><joint name=\"j\" axis=\"0 1 0\"/>\n    <geom size=\"0.1\" pos=\"1 0 0\"/></body>\n  \
        </worldbody>\n  <keyframe><key name=\"up\" qpos=\"0.5\"/></keyframe>\n</mujoco>\n";
    std::fs::write(scratch("small-model.xml"), mjcf).expect("a file");
    let scene = "[robots.left]\nfile = \"small-model.xml\"\nposition = [0, 1, 0]\n[robots.right]\nfile = \"small-model.xml\"\n";
    std::fs::write(scratch("two-models.toml"), scene).expect("a file");
    let solved = cardan(&["solve", "two-models.toml", "--json"], "");
    assert!(solved["bodies"]["left/b"].is_object() && solved["bodies"]["right/b"].is_object(), "{solved}");
    let start = |more: &[&str]| {
        let solved = cardan(&[&["solve", "small-model.xml", "--json"][..], more].concat(), "");
        solved["joints"]["j"]["coordinates"][0].as_f64().expect("an angle")
    };
    assert_eq!(start(&[]), 0.0);
    assert!((start(&["--keyframe", "up"]) - 0.5).abs() < 1e-12);
    let report = command(&["import", "small-model.xml", "--report"], b"");
    assert!(report.stdout.contains("× joint of type hinge (line 2)"), "{}", report.stdout);
    std::fs::write(scratch("bad-model.xml"), mjcf.replace("size=\"0.1\"", "size=\"-1\"")).expect("a file");
    let out = command(&["run", "bad-model.xml"], b"");
    assert_eq!(out.code, 2, "{}", out.stderr);
    assert!(
        out.stderr.contains("bad-model.xml:3:17") && out.stderr.contains("is not positive"),
        "{}",
        out.stderr
    );
}

/// What is exported is read again, with its loops, and ends where the scene does.
#[test]
fn scenes_are_exported_and_read_again() {
    let path = scratch("exported-walker.urdf");
    let file = path.to_str().expect("a path");
    let written = command(&["export", "five-bar-walker", "--floating", "-o", file], b"");
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert!(written.stdout.contains("exported-walker.loops.toml"), "{}", written.stdout);
    let checked = cardan(&["check", file, "--json"], "");
    assert_eq!((&checked["ok"], &checked["redundant_rows"]), (&true.into(), &12.into()));
    let again = command(&["export", "desk-arm", "-o", file], b"");
    assert_eq!(again.code, 0, "{}", again.stderr);
    // The loops of the walker are gone with it.
    let loops = std::fs::read_to_string(path.with_extension("loops.toml")).expect("a file");
    assert!(!loops.contains('['), "{loops}");
    let mjcf = scratch("exported-arm.xml");
    let mjcf = mjcf.to_str().expect("a path");
    assert_eq!(command(&["export", "desk-arm", "-o", mjcf], b"").code, 0);
    assert!(std::fs::read_to_string(mjcf).expect("a file").starts_with("<mujoco model="));
    let out = command(&["export", "desk-arm", "-o", "x.sdf"], b"");
    assert!(out.code == 2 && out.stderr.contains(".urdf or .xml"), "{}", out.stderr);
    let model = scratch("falling.sdf");
    std::fs::write(&model, "<sdf version='1.9'><model name='m'><link name='a'/></model></sdf>")
        .expect("a file");
    let run = cardan(&["run", model.to_str().expect("a path"), "--until", "0.01", "--json"], "");
    assert!(run["bodies"]["a"].is_object(), "{run}");
}

#[test]
fn bad_robot_files_are_refused_at_their_place() {
    let urdf = "<robot name=\"r\">\n  <link name=\"a\"/>\n  <joint name=\"j\" type=\"hinge\"/>\n</robot>\n";
    let file = scratch("bad-robot.urdf");
    std::fs::write(&file, urdf).expect("a file");
    for args in [["run", "bad-robot.urdf"], ["import", "bad-robot.urdf"], ["check", "bad-robot.urdf"]] {
        let out = command(&args, b"");
        assert_eq!(out.code, 2, "{}", out.stderr);
        assert!(out.stderr.contains("bad-robot.urdf:3:25"), "{}", out.stderr);
        assert!(out.stderr.contains("there is no joint type `hinge`"), "{}", out.stderr);
        assert!(out.stdout.is_empty());
    }
    for (args, says) in [
        (&["import", "pendulum"][..], "this is a scene already"),
        (&["import", "desk-arm", "-o", "x.json"], "must end in .toml"),
        (&["import", "desk-arn"], "did you mean `desk-arm`?"),
        (&["run", "desk-arm", "--package", "x"], "write NAME=DIR"),
        (&["run", "desk-arm", "--floating"], "the floating root `base` has no mass"),
    ] {
        let out = command(args, b"");
        assert_eq!(out.code, 2, "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains(says), "{args:?}: {}", out.stderr);
    }
}
