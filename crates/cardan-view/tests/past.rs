//! Stepping back, undo, saved states and recordings come out bit for bit.

use cardan_view::{Action, Files, Player, SceneText};

fn player(name: &str) -> Player {
    Player::new(SceneText::bundled(name).expect("a bundled scene")).expect("a scene that loads")
}

fn grab(body: usize) -> Action {
    Action::Grab { body, piece: 0, point: [0.1, 0.0, 0.0], exact: false, frequency: 3.0 }
}

#[test]
fn stepping_back_gives_the_states_that_were() {
    for name in ["four-bar", "clutch", "chain-hits-itself"] {
        let mut player = player(name);
        let mut hashes = vec![player.hash()];
        for step in 0..120 {
            match step {
                40 => drop(player.act(grab(0)).expect("a grip")),
                41..60 => player.drag([0.3, 0.2 + 0.001 * f64::from(step), 0.0]).expect("a drag"),
                70 => player.release().expect("a release"),
                _ => {}
            }
            player.step().expect("a step");
            hashes.push(player.hash());
        }
        for step in (0..120).rev() {
            assert!(player.step_back().expect("a step back"), "{name}, step {step}");
            assert_eq!(player.hash(), hashes[step], "{name}, step {step}");
        }
        assert!(!player.step_back().expect("the beginning"), "{name}");
    }
}

#[test]
fn seeking_leads_to_the_state_of_that_time() {
    let mut player = player("four-bar");
    player.step_to(0.1, || true).expect("steps");
    let (then, hash) = (player.time(), player.hash());
    player.step_to(0.5, || true).expect("steps");
    assert_eq!(player.seek(then, || true).expect("a time of the past"), then);
    assert_eq!(player.hash(), hash);
}

#[test]
fn what_a_hand_did_can_be_undone_and_done_again() {
    let mut player = player("four-bar");
    player.step_to(0.05, || true).expect("steps");
    let before = player.hash();
    player.act(Action::Nail { body: 1, piece: 0, point: [0.0; 3], at: None }).expect("a nail");
    player.step().expect("a step");
    let after = player.hash();
    assert!(player.undo().expect("undo"));
    assert_eq!(player.hash(), before);
    assert!(player.redo().expect("redo"));
    assert_eq!(player.hash(), after);
    assert!(player.undo().expect("undo") && !player.undo().expect("nothing is left"));
}

#[test]
fn a_saved_state_opens_in_another_window() {
    let mut one = player("four-bar");
    one.step_to(0.05, || true).expect("steps");
    let nail = Action::Nail { body: 2, piece: 0, point: [0.45, 0.0, 0.0], at: None };
    one.act(nail).expect("a nail at the pin D");
    one.step_to(0.1, || true).expect("steps");
    let (bytes, hash) = (one.save().expect("bytes"), one.hash());
    let mut other = player("four-bar");
    other.restore(&bytes).expect("a state of the same scene");
    assert_eq!(other.hash(), hash);
    one.step().expect("a step");
    other.step().expect("a step");
    assert_eq!(one.hash(), other.hash());
    assert!(player("double-pendulum").restore(&bytes).is_err());
    assert!(other.restore(&bytes[..40]).is_err());
    assert_eq!(one.hash(), other.hash(), "what was refused changed nothing");
}

#[test]
fn a_recording_replays_to_the_same_hashes() {
    let mut player = player("double-pendulum");
    player.step_to(0.05, || true).expect("steps");
    player.record().expect("a recording");
    player.act(grab(1)).expect("a grip");
    for k in 0..150 {
        player.drag([0.5 + 0.002 * f64::from(k), 0.0, -0.5]).expect("a drag");
        player.step().expect("a step");
    }
    player.release().expect("a release");
    player.step().expect("a step");
    let (hash, file) = (player.hash(), player.stop_recording().expect("a file"));
    let (_, replayed) = Player::replay(&file, Files::default()).expect("a replay");
    assert_eq!((replayed.hash.as_str(), replayed.differs_at, replayed.steps), (hash.as_str(), None, 151));
    // The comparison notices a hand that moved otherwise.
    let other = file.replacen("0.5,0.0,-0.5", "0.5,0.0,-0.6", 1);
    assert_ne!(other, file);
    let (_, replayed) = Player::replay(&other, Files::default()).expect("a replay");
    assert_eq!(replayed.differs_at, Some(100));
    // Watched step by step it takes the same way, says how far it is, and stops at its end.
    let mut shown = Player::open_recording(&file, Files::default()).expect("a recording");
    assert_eq!(shown.playback(), Some((0, 151, None)));
    shown.step_to(100.0, || true).expect("steps");
    assert_eq!((shown.playback(), shown.is_replayed()), (Some((151, 151, None)), true));
    assert_eq!(shown.hash(), hash);
    // It goes on from there; a hand on the way leaves the recording.
    shown.step().expect("a step");
    assert_eq!(shown.playback(), None);
    let mut left = Player::open_recording(&file, Files::default()).expect("a recording");
    left.step().expect("a step");
    left.act(grab(0)).expect("a grip");
    assert_eq!(left.playback(), None);
    assert!(Player::open_recording("{}", Files::default()).is_err());
}

#[test]
fn looking_does_not_change_what_follows() {
    for name in ["four-bar", "excavator", "stewart-platform", "standing-humanoid", "soft-block", "clutch"] {
        let (mut watched, mut alone) = (player(name), player(name));
        for step in 0..30 {
            watched.step().expect("a step");
            alone.step().expect("a step");
            let _ = (watched.poses(), watched.coordinates(), watched.outlines(), watched.probes());
            let _ = (watched.reactions(), watched.contacts(), watched.channels(&[0, 1, 2]), watched.stats());
            if step % 10 == 0 {
                let _ =
                    (watched.save(), watched.doctor(), watched.pick([0.0, 0.0, 5.0], [0.0, 0.0, -1.0], 0.01));
            }
            assert_eq!(watched.hash(), alone.hash(), "{name}, step {step}");
        }
    }
}

#[test]
fn a_step_back_after_redo_gives_no_state_that_never_was() {
    let mut player = player("four-bar");
    let run = |player: &mut Player, steps: usize| -> Vec<String> {
        let one = |_| {
            player.step().expect("a step");
            player.hash()
        };
        (0..steps).map(one).collect()
    };
    run(&mut player, 10);
    player.act(grab(1)).expect("a grip");
    player.drag([1.0, 1.0, 0.0]).expect("a drag");
    let held = run(&mut player, 90);
    assert!(player.undo().expect("undo"));
    let free = run(&mut player, 150);
    // The past may begin at a state that was jumped to; it is not that of another one.
    assert!(player.redo().expect("redo"));
    assert_eq!(player.hash(), held[89]);
    if player.step_back().expect("a step back or none") {
        assert_eq!(player.hash(), held[88], "the state before it");
    }
    run(&mut player, 120);
    assert!(player.undo().expect("undo"));
    assert_eq!(player.hash(), free[149]);
    if player.step_back().expect("a step back or none") {
        assert_eq!(player.hash(), free[148], "the state before it");
    }
}

/// The state opens in another window and goes on with the same bits.
fn opens_elsewhere(one: &mut Player, name: &str) {
    let bytes = one.save().expect("bytes");
    let mut other = player(name);
    other.restore(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(other.hash(), one.hash(), "{name}");
    assert_eq!(other.grips().expect("grips"), one.grips().expect("grips"), "{name}");
    for step in 0..20 {
        one.step().expect("a step");
        other.step().expect("a step");
        assert_eq!(one.hash(), other.hash(), "{name}, step {step}");
    }
    one.record().expect("a recording of it");
}

#[test]
fn saved_states_have_what_sliders_and_nails_did() {
    for name in ["driven-four-bar", "motors", "gripper"] {
        let mut one = player(name);
        for _ in 0..20 {
            one.step().expect("a step");
        }
        one.act(Action::SetDrive { drive: 0, value: 0.3 }).expect("a set point");
        for _ in 0..20 {
            one.step().expect("a step");
        }
        opens_elsewhere(&mut one, name);
        one.act(Action::ClearDrive { drive: 0 }).expect("as the scene has it");
        opens_elsewhere(&mut one, name);
    }
    let mut one = player("double-pendulum");
    let nail = |body: usize, x: f64| Action::Nail { body, piece: 0, point: [x, 0.0, 0.0], at: None };
    for unnailed in [0, 1] {
        one.step().expect("a step");
        let first = one.act(nail(0, 0.1)).expect("a nail").expect("its number");
        let second = one.act(nail(1, 0.1)).expect("a nail").expect("its number");
        one.act(Action::Unnail { nail: [first, second][unnailed] }).expect("out");
        opens_elsewhere(&mut one, "double-pendulum");
        let third = one.act(nail(1, 0.2)).expect("a nail").expect("its number");
        opens_elsewhere(&mut one, "double-pendulum");
        for nail in [[second, first][unnailed], third] {
            one.act(Action::Unnail { nail }).expect("out");
        }
    }
}
