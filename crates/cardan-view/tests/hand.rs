//! A hand on a mechanism: joints stay closed, and a paused one rests where it was left.

use cardan_testkit::{Tolerance, assert_close};
use cardan_view::{Action, Player, SceneText, ViewError};

fn player(name: &str) -> Player {
    Player::new(SceneText::bundled(name).expect("a bundled scene")).expect("a scene that loads")
}

fn joint_error(player: &mut Player) -> f64 {
    player.stats().expect("measures")["jointError"].as_f64().expect("a number")
}

#[test]
fn a_coupler_is_dragged_with_its_loop_closed() {
    let mut player = player("four-bar");
    player
        .act(Action::Grab { body: 1, piece: 0, point: [0.0; 3], exact: false, frequency: 3.0 })
        .expect("a grip");
    for k in 0..200 {
        player.drag([0.7 + 0.001 * f64::from(k), 0.7, 0.0]).expect("a drag");
        player.step().expect("a step");
        assert!(joint_error(&mut player) < 1e-12, "step {k}");
    }
    let force = player.grip_force().expect("a force");
    assert!(force.iter().any(|f| f.abs() > 1.0), "{force:?}");
    assert_eq!(player.grips().expect("grips").len(), 8);
    player.release().expect("a release");
    assert_eq!(player.grip_force().expect("none"), [0.0; 3]);
}

#[test]
fn a_paused_mechanism_follows_the_hand_and_stops_dead() {
    let mut player = player("four-bar");
    player.step_to(0.1, || true).expect("steps");
    let time = player.time();
    // The tip of the crank, at 0.2 m from its middle: it can be anywhere on a circle of 0.4 m about A.
    player.manipulate(0, 0, [0.2, 0.0, 0.0]).expect("a grip");
    for angle in [1.2f64, 1.4, 1.6, 1.8, 2.0] {
        let to = [0.4 * angle.cos(), 0.4 * angle.sin(), 0.0];
        player.drag(to).expect("a drag");
        let grips = player.grips().expect("grips");
        for (at, to) in grips[2..5].iter().zip(to) {
            assert_close(*at, to, Tolerance::because("the hand is followed to a fraction of a pixel", 1e-4));
        }
    }
    player.release().expect("a release");
    assert_eq!(player.time(), time);
    let motions = player.motions().expect("motions");
    assert!(motions.chunks(9).all(|m| m[3..].iter().all(|v| *v == 0.0)), "{motions:?}");
    let errors = player.stats().expect("measures");
    assert_eq!(errors["energy"]["kinetic"].as_f64(), Some(0.0));
    player.step().expect("a step");
    assert!(joint_error(&mut player) < 1e-12);
}

#[test]
fn a_hand_out_of_reach_leaves_the_mechanism_whole() {
    let mut player = player("four-bar");
    player.manipulate(1, 0, [0.0; 3]).expect("a grip");
    player.drag([5.0, 5.0, 0.0]).expect("a drag");
    player.release().expect("a release");
    player.step().expect("a step");
    assert!(joint_error(&mut player) < 1e-12);
    // Exactly, while it runs: the grip holds what it has.
    player
        .act(Action::Grab { body: 1, piece: 0, point: [0.0; 3], exact: true, frequency: 0.0 })
        .expect("a grip");
    player.drag([5.0, 5.0, 0.0]).expect("a drag");
    let _ = player.step_to(player.time() + 0.05, || true);
    assert!(player.poses().expect("poses").iter().all(|x| x.is_finite()));
}

#[test]
fn nails_hold_and_come_out() {
    let mut player = player("double-pendulum");
    player.step_to(0.1, || true).expect("steps");
    let nail = player.act(Action::Nail { body: 1, piece: 0, point: [0.1, 0.0, 0.0], at: None });
    let nail = nail.expect("a nail").expect("its number");
    let at = player.grips().expect("grips")[2..5].to_vec();
    player.step_to(0.3, || true).expect("steps");
    for (now, then) in player.grips().expect("grips")[2..5].iter().zip(&at) {
        assert_close(*now, *then, Tolerance::because("a joint is closed to rounding", 1e-12));
    }
    player.act(Action::Unnail { nail }).expect("out");
    assert!(player.act(Action::Unnail { nail }).is_err());
    assert!(player.grips().expect("grips").is_empty());
}

#[test]
fn sliders_move_coordinates_and_drives() {
    let mut player = player("four-bar");
    player.act(Action::SetCoordinate { coordinate: 0, value: 0.5 }).expect("a coordinate");
    assert_close(
        player.coordinates().expect("coordinates")[0],
        0.5,
        Tolerance::because("the crank is set, the loop is closed about it", 1e-12),
    );
    let scene = player.scene_info().expect("a scene");
    assert_eq!(scene["drives"].as_array().map(Vec::len), Some(0));
    assert!(player.act(Action::SetDrive { drive: 0, value: 1.0 }).is_err());
    // A set point is reached, held, and given back to the law of the scene.
    let mut player = self::player("driven-four-bar");
    let drive = player.scene_info().expect("a scene")["drives"][0].clone();
    let joint = drive["joint"].as_u64().expect("a joint") as usize;
    let scene = player.scene_info().expect("a scene");
    let c = scene["joints"][joint]["coordinates"][0].as_u64().expect("a coordinate") as usize;
    let rate = drive["unit"].as_str().is_some_and(|unit| unit.ends_with("/s"));
    let read = |player: &mut Player| player.coordinates().expect("coordinates")[2 * c + usize::from(rate)];
    player.step_to(0.1, || true).expect("steps");
    let wanted = read(&mut player) + 0.3;
    player.act(Action::SetDrive { drive: 0, value: wanted }).expect("a set point");
    player.step_to(player.time() + 0.6, || true).expect("steps");
    let driven = Tolerance::because("a drive is a constraint: its coordinate is the law's", 1e-9);
    assert_close(read(&mut player), wanted, driven);
    assert_eq!(player.drives().expect("drives")[0], wanted);
    assert!(player.drives().expect("drives")[1].is_finite());
    player.act(Action::ClearDrive { drive: 0 }).expect("the law of the scene");
    assert!(player.drives().expect("drives")[0].is_nan());
}

#[test]
fn a_reloaded_scene_keeps_its_nails() {
    let mut player = player("double-pendulum");
    player.step_to(0.1, || true).expect("steps");
    for x in [0.0, 0.1] {
        player.act(Action::Nail { body: 0, piece: 0, point: [x, 0.0, 0.0], at: None }).expect("a nail");
    }
    player.act(Action::Unnail { nail: 0 }).expect("out");
    assert_eq!(player.nails(), [1]);
    let (text, at) = (player.text().to_string(), player.grips().expect("grips"));
    let adopted = player.reload(SceneText::new("p.toml", format!("{text}\n# saved\n"))).expect("a scene");
    assert_eq!((adopted["nails"].as_u64(), adopted["lostNails"].as_u64()), (Some(1), Some(0)), "{adopted}");
    assert_eq!(player.nails(), [0]);
    player.step_to(0.3, || true).expect("steps");
    for (now, then) in player.grips().expect("grips")[2..5].iter().zip(&at[2..5]) {
        assert_close(*now, *then, Tolerance::because("a joint is closed to rounding", 1e-12));
    }
    player.act(Action::Unnail { nail: 0 }).expect("out");
    assert!(player.nails().is_empty());
}

#[test]
fn a_wrong_text_is_refused_at_its_line_and_the_old_scene_goes_on() {
    let mut player = player("four-bar");
    player.step_to(0.05, || true).expect("steps");
    let (text, hash) = (player.text().to_string(), player.hash());
    let broken = text.replace("b = \"coupler\"", "b = \"copler\"");
    let line = 1 + broken.lines().position(|line| line.contains("copler")).expect("the line");
    let error = player.reload(SceneText::new("four-bar.toml", broken)).expect_err("a wrong name");
    assert!(matches!(error, ViewError::Scene(_)));
    let json = error.json();
    assert_eq!((json["line"].as_u64(), json["kind"].as_str()), (Some(line as u64), Some("scene")));
    assert!(json["help"].as_str().is_some_and(|help| help.contains("coupler")), "{json}");
    assert_eq!(player.hash(), hash);
    // A changed number: names match, and the state goes on.
    let heavier = text.replace("mass = 2.2", "mass = 4.4");
    let adopted = player.reload(SceneText::new("four-bar.toml", heavier)).expect("a scene");
    assert_eq!((adopted["kept"].as_u64(), adopted["time"].as_f64()), (Some(3), Some(player.time())));
    assert_eq!(player.hash(), hash, "poses, velocities and time are those of before");
    assert_eq!(player.scene_info().expect("a scene")["bodies"][1]["mass"].as_f64(), Some(4.4));
}

/// |C| of all rows, measured here.
fn measured_error(player: &mut Player) -> f64 {
    let mut most = 0.0f64;
    let look = |island: &cardan::IslandView<'_>| {
        for error in island.instant.position_errors() {
            most = if error.abs() > most { error.abs() } else { most };
        }
    };
    player.world().each_island(look).expect("islands");
    most
}

#[test]
fn the_joint_error_is_that_of_the_present_state() {
    // Nothing keeps the joints closed: they drift apart.
    let mut source = SceneText::bundled("four-bar").expect("a bundled scene");
    source.options.set = ["simulation.stabilization=none", "simulation.dt=0.02"].map(String::from).to_vec();
    let mut player = Player::new(source).expect("a scene that loads");
    player.step_to(1.0, || true).expect("steps");
    let drift = joint_error(&mut player);
    assert!(drift > 1e-9, "{drift:e}");
    player.act(Action::Impulse { body: 1, point: [0.0; 3], impulse: [0.1, 0.0, 0.0] }).expect("a blow");
    assert!(player.undo().expect("undo"));
    assert_eq!(joint_error(&mut player), drift, "a restored state is as open as it was");
    let mut player = self::player("four-bar");
    player.step_to(0.1, || true).expect("steps");
    player.manipulate(1, 0, [0.0; 3]).expect("a grip");
    for k in 0..5 {
        player.drag([0.7 + 0.02 * f64::from(k), 0.7, 0.0]).expect("a drag");
        assert_eq!(joint_error(&mut player), measured_error(&mut player), "drag {k}");
    }
}

#[test]
fn a_reloaded_scene_has_the_switches_of_its_time() {
    // Without clutch and brake, with the brake, and with the clutch at the angle where it took hold.
    for time in [1.2, 2.0, 3.0] {
        let (mut one, mut other) = (player("clutch"), player("clutch"));
        for player in [&mut one, &mut other] {
            player.run(time).expect("steps");
        }
        let text = format!("{}\n# saved\n", other.text());
        let adopted = other.reload(SceneText::new("clutch.toml", text)).expect("a scene");
        assert_eq!((adopted["kept"].as_u64(), adopted["time"].as_f64()), (Some(3), Some(time)), "{adopted}");
        for player in [&mut one, &mut other] {
            player.run(time + 0.2).expect("steps");
        }
        let (one, other) = (one.motions().expect("motions"), other.motions().expect("motions"));
        for (one, other) in one.iter().zip(&other) {
            let closed = Tolerance::because("the reload closes joints and couplers once more", 1e-9);
            assert_close(*other, *one, closed);
        }
    }
}

#[test]
fn what_is_refused_leaves_nothing_to_undo() {
    let mut player = player("driven-four-bar");
    player.step().expect("a step");
    let hash = player.hash();
    assert!(player.act(Action::SetDrive { drive: 99, value: 1.0 }).is_err());
    assert!(player.act(Action::Unnail { nail: 3 }).is_err());
    assert!(!player.undo().expect("nothing was done"));
    // The crank is driven: a nail in it contradicts.
    if player.act(Action::Nail { body: 0, piece: 0, point: [0.05, 0.0, 0.0], at: None }).is_err() {
        assert!(player.grips().expect("grips").is_empty());
        assert_eq!(player.hash(), hash);
    }
    player.step().expect("a step");
}

#[test]
fn a_held_part_goes_on_from_what_a_slider_did() {
    let mut player = player("double-pendulum");
    player.manipulate(0, 0, [0.1, 0.0, 0.0]).expect("a grip");
    // Value and rate of each: the elbow is the second.
    let before = player.coordinates().expect("coordinates")[2];
    player.act(Action::SetCoordinate { coordinate: 1, value: before + 0.7 }).expect("a coordinate");
    assert!(player.is_held());
    let at = player.grips().expect("grips")[2..5].to_vec();
    player.drag([at[0] + 1e-3, at[1], at[2] + 1e-3]).expect("a drag");
    let after = player.coordinates().expect("coordinates")[2];
    let little = Tolerance::because("the hand moved by a millimetre", 0.05);
    assert_close(after, before + 0.7, little);
}

#[test]
fn posing_is_remembered_by_its_end() {
    let mut player = player("four-bar");
    player.step_to(0.05, || true).expect("steps");
    player.record().expect("a recording");
    player.manipulate(0, 0, [0.2, 0.0, 0.0]).expect("a grip");
    for k in 0..40 {
        let angle = 1.0 + 0.01 * f64::from(k);
        player.drag([0.4 * angle.cos(), 0.4 * angle.sin(), 0.0]).expect("a drag");
    }
    let ring = &player.stats().expect("measures")["ring"];
    assert_eq!((ring["snapshots"].as_u64(), ring["actions"].as_u64()), (Some(1), Some(0)), "{ring}");
    // A hand that rests adds nothing, however long.
    for _ in 0..20 {
        player.drag([0.4 * 1.39f64.cos(), 0.4 * 1.39f64.sin(), 0.0]).expect("a drag");
    }
    let posed = player.hash();
    player.release().expect("a release");
    player.step().expect("a step");
    assert!(player.step_back().expect("a step back"));
    assert_eq!(player.hash(), posed);
}
