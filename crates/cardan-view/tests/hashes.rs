//! Every bundled scene ends in the state that the command computes.

use cardan_view::{Options, Player, SceneText, gallery};

/// Scenes whose islands step on their own in a world, and together in the command without `--threads`. Adaptive steps and
/// the order of contacts then differ; `cardan run --threads 1` steps islands too.
const APART: [&str; 0] = [];

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
            options: Options { sleep: Some(false), ..Options::default() },
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
    wrong.retain(|line| !APART.iter().any(|name| line.starts_with(&format!("{name}:"))));
    assert!(wrong.is_empty(), "{} scenes\n{}", wrong.len(), wrong.join("\n"));
}
