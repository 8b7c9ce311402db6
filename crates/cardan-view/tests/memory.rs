//! Memory of a window: snapshots are as large as the ring takes them for, and share meshes.

use cardan_testkit::CountingAllocator;
use cardan_view::{Action, Player, SceneText};

fn bytes_of_mark(player: &mut Player) -> f64 {
    let ring = &player.stats().expect("measures")["ring"];
    ring["bytes"].as_f64().expect("bytes") / ring["snapshots"].as_f64().expect("a number")
}

#[test]
fn a_snapshot_is_as_large_as_the_ring_takes_it_for() {
    for name in
        ["pendulum", "four-bar", "excavator", "hanging-chain", "billiard", "box-stack", "standing-humanoid"]
    {
        let mut player = Player::new(SceneText::bundled(name).expect("a scene")).expect("a scene");
        for _ in 0..20 {
            player.step().expect("a step");
        }
        let taken = bytes_of_mark(&mut player);
        let (_kept, real) = CountingAllocator::kept(|| player.world().snapshot().expect("a snapshot"));
        let ratio = real as f64 / taken;
        // The ring may be half as large as it says, not twice.
        assert!((0.3..1.6).contains(&ratio), "{name}: {real} bytes, taken for {taken}");
    }
}

/// A square of n × n cells, two triangles each, as an OBJ file.
fn sheet(n: usize) -> String {
    let mut text = String::new();
    for i in 0..=n {
        for j in 0..=n {
            // Bent, so that no two triangles are in a plane.
            let z = 0.01 * ((i * i + 3 * i * j + 7 * j) % 13) as f64;
            text.push_str(&format!("v {} {} {z}\n", i as f64 / n as f64, j as f64 / n as f64));
        }
    }
    for i in 0..n {
        for j in 0..n {
            let at = i * (n + 1) + j + 1;
            text.push_str(&format!(
                "f {at} {} {}\nf {at} {} {}\n",
                at + n + 1,
                at + n + 2,
                at + n + 2,
                at + 1
            ));
        }
    }
    text
}

#[test]
fn snapshots_and_undo_share_a_mesh() {
    let text = "[bodies.ball]\nmass = 1.0\nposition = [0.5, 0.5, 0.4]\n\
                shape = { kind = \"sphere\", radius = 0.1 }\n[contacts]\n\
                [[ground.shapes]]\nkind = \"mesh\"\nfile = \"sheet.obj\"\n";
    let mut source = SceneText::new("sheet.toml", text);
    source.files.set("sheet.obj", sheet(100).as_bytes());
    let (mut player, whole) = CountingAllocator::kept(|| Player::new(source).expect("a scene with its file"));
    assert!(whole > 2_000_000, "the mesh of 20 000 triangles takes {whole} bytes: the test means nothing");
    let ((), more) = CountingAllocator::kept(|| {
        for k in 0..300u32 {
            player.step().expect("a step");
            if k % 10 == 0 {
                let grab = Action::Grab { body: 0, piece: 0, point: [0.0; 3], exact: false, frequency: 3.0 };
                player.act(grab).expect("a grip");
                player.release().expect("a release");
            }
        }
    });
    let ring = &player.stats().expect("measures")["ring"];
    assert!(ring["snapshots"].as_u64() > Some(8), "{ring}");
    assert!(more < 1_000_000, "{more} bytes for {ring}");
}

#[test]
fn a_small_ring_holds_few_snapshots_and_few_undos() {
    let mut source = SceneText::bundled("excavator").expect("a scene");
    source.options.ring = Some(1 << 20);
    let mut player = Player::new(source).expect("a scene");
    let ((), more) = CountingAllocator::kept(|| {
        for k in 0..400u32 {
            player.step().expect("a step");
            if k % 5 == 0 {
                player
                    .act(Action::Impulse { body: 0, point: [0.0; 3], impulse: [1e-3, 0.0, 0.0] })
                    .expect("an impulse");
            }
        }
    });
    assert!(more < 3 << 20, "{more} bytes for a ring of 1 MB");
}
