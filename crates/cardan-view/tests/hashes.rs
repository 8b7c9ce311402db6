//! Every bundled scene ends in the state that the command computes: everything is stepped together, and nothing sleeps.

use cardan_view::{Options, Player, SceneText, gallery};

#[test]
fn every_scene_ends_in_the_state_hash_of_the_command() {
    let golden = include_str!("../../cardan-cli/tests/golden.txt");
    let mut wrong = Vec::new();
    for entry in gallery().iter().filter(|entry| entry.format == "toml") {
        let line = golden.lines().find(|line| line.split(' ').next() == Some(entry.name));
        let words: Vec<&str> = line.expect("a line per scene").split(' ').collect();
        let dt: f64 = words[2].parse().expect("a step");
        let source = SceneText::bundled(entry.name).expect("a bundled scene");
        let mut player = Player::new(SceneText {
            options: Options {
                sleep: Some(false),
                // As the golden runs are taken.
                set: vec!["simulation.coordinates=bodies".to_string()],
                ..Options::default()
            },
            ..source
        })
        .unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        player.set_dt(dt).expect("a step");
        if let Err(error) = player.run(200.0 * dt) {
            wrong.push(format!("{}: {error}", entry.name));
            continue;
        }
        if player.hash() != words[3] {
            wrong.push(format!("{}: {} instead of {}", entry.name, player.hash(), words[3]));
        }
    }
    assert!(wrong.is_empty(), "{} scenes\n{}", wrong.len(), wrong.join("\n"));
}
