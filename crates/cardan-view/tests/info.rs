//! The scene as data: every bundled scene has looks, places and units that a page can draw.

use cardan_view::{Player, SceneText, gallery};

#[test]
fn every_bundled_scene_and_robot_can_be_drawn() {
    for entry in gallery() {
        let mut player = Player::new(SceneText::bundled(entry.name).expect("a bundled scene"))
            .unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let scene = player.scene_info().expect("a scene");
        let bodies = scene["bodies"].as_array().expect("bodies").len();
        assert_eq!(player.poses().expect("poses").len(), 7 * bodies, "{}", entry.name);
        assert_eq!(player.motions().expect("motions").len(), 9 * bodies, "{}", entry.name);
        let deformed = scene["deformed"].as_array().expect("pieces").len();
        assert_eq!(player.deformations().expect("matrices").len(), 12 * deformed, "{}", entry.name);
        let count = |list: &str| scene[list].as_array().expect(list).len();
        assert_eq!(
            player.coordinates().expect("coordinates").len(),
            2 * count("coordinates"),
            "{}",
            entry.name
        );
        assert_eq!(player.probes().expect("probes").len(), 6 * count("probes"), "{}", entry.name);
        assert_eq!(player.forces().expect("forces").len(), 10 * count("forces"), "{}", entry.name);
        let reactions = 10 * (count("joints") + count("constraints"));
        assert_eq!(player.reactions().expect("reactions").len(), reactions, "{}", entry.name);
        let bounds = &scene["bounds"];
        for k in 0..3 {
            assert!(bounds[0][k].as_f64() <= bounds[1][k].as_f64(), "{}: {bounds}", entry.name);
        }
        let channels = player.channel_names().len() as u32;
        let values = player.channels(&(0..channels).collect::<Vec<_>>()).expect("channels");
        assert_eq!(values[0], 0.0, "{}: time", entry.name);
        assert!(player.stats().is_ok() && player.outlines().is_ok());
    }
}

#[test]
fn the_strip_of_measures_is_that_of_the_report() {
    let mut player = Player::new(SceneText::bundled("four-bar").expect("a bundled scene")).expect("a scene");
    player.step_to(0.1, || true).expect("steps");
    let stats = player.stats().expect("measures");
    // Four hinges of five rows, three of which repeat others; three bodies of six coordinates.
    assert_eq!(
        [&stats["rows"], &stats["rank"], &stats["freedoms"], &stats["redundant"]].map(|x| x.as_u64()),
        [Some(20), Some(17), Some(1), Some(3)]
    );
    let doctor = player.doctor().expect("a report");
    assert_eq!(doctor["involved"].as_array().map(Vec::len), Some(4), "{doctor}");
    assert!(doctor["text"].as_str().is_some_and(|text| text.contains("3 redundant rows")), "{doctor}");
    // Forces in the plane are unique, torques about its axes are shared.
    let reactions = player.reactions().expect("reactions");
    assert!(reactions.chunks(10).all(|joint| joint[9] == 0.0), "{reactions:?}");
}

#[test]
fn walls_that_are_inequalities_are_drawn_once() {
    let mut player = Player::new(SceneText::bundled("billiard").expect("a scene")).expect("a scene");
    let scene = player.scene_info().expect("a scene");
    let ground = scene["ground"].as_array().expect("walls");
    // Eleven balls at two cushions.
    assert_eq!(ground.len(), 2, "{ground:?}");
    for (wall, normal) in ground.iter().zip([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]) {
        let q: Vec<f64> = (0..4).map(|k| wall["rotation"][k].as_f64().expect("a number")).collect();
        // R z of a quaternion w, x, y, z.
        let z = [
            2.0 * (q[1] * q[3] + q[0] * q[2]),
            2.0 * (q[2] * q[3] - q[0] * q[1]),
            1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]),
        ];
        for (z, n) in z.iter().zip(normal) {
            cardan_testkit::assert_close(*z, n, cardan_testkit::Tolerance::because("a turn", 1e-12));
        }
    }
    assert_eq!(scene["bodies"][0]["looks"][0]["radius"].as_f64(), Some(0.03));
}

const MESH: &str = r##"
[bodies.part]
mass = 1.0
shape = { kind = "mesh", file = "meshes/part.obj", look = { opacity = 0.5 } }
look = { color = "#2f6fde", visible = false }

[camera]
follow = "part"
position = [1, 2, 3]
height = "2 m"
"##;
const OBJ: &[u8] = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

#[test]
fn files_come_from_whom_the_window_asks() {
    let mut source = SceneText::new("part.toml", MESH);
    let error = Player::new(source.clone()).expect_err("a file that is not there");
    let json = error.json();
    assert_eq!((json["kind"].as_str(), json["file"].as_str()), (Some("file"), Some("meshes/part.obj")));
    assert_eq!(json["line"].as_u64(), Some(4), "{json}");
    source.files.set("meshes/part.obj", OBJ);
    let mut player = Player::new(source).expect("a scene with its file");
    let scene = player.scene_info().expect("a scene");
    let body = &scene["bodies"][0];
    assert_eq!(body["looks"][0]["triangles"].as_array().map(Vec::len), Some(12), "{body}");
    // Colour, visibility and camera are those of the scene.
    assert_eq!((body["colour"].as_str(), body["visible"].as_bool()), (Some("#2f6fde"), Some(false)));
    assert_eq!(body["looks"][0]["opacity"].as_f64(), Some(0.5));
    let camera = &scene["camera"];
    assert_eq!((camera["follow"].as_u64(), camera["height"].as_f64()), (Some(0), Some(2.0)));
    for (wrong, word) in [("#2f6fd", "is not a colour"), ("blue", "is not a colour")] {
        let text = MESH.replace("#2f6fde", wrong);
        let error = Player::new(SceneText::new("part.toml", text)).expect_err("a wrong colour");
        assert!(error.to_string().contains(word), "{error}");
    }
    for (from, to) in [("\"part\"\nposition", "\"prat\"\nposition"), ("\"2 m\"", "0"), ("0.5", "1.5")] {
        assert!(MESH.contains(from));
        assert!(Player::new(SceneText::new("part.toml", MESH.replacen(from, to, 1))).is_err(), "{to}");
    }
}

const URDF: &[u8] = br#"<robot name="arm"><link name="base"/>
  <link name="rod"><inertial><mass value="2"/><inertia ixx="0.2" iyy="0.2" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><mesh filename="MESH"/></geometry></collision></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint></robot>"#;

#[test]
fn a_robot_in_a_scene_has_its_meshes() {
    let text = "[robots.arm]\nfile = \"arms/urdf/arm.urdf\"\n";
    for uri in ["../meshes/rod.obj", "package://arms/meshes/rod.obj"] {
        let mut source = SceneText::new("robots.toml", text);
        let urdf = String::from_utf8_lossy(URDF).replace("MESH", uri);
        let mut asked = Vec::new();
        let mut player = loop {
            match Player::new(source.clone()) {
                Ok(player) => break player,
                Err(error) => {
                    let file = error.json()["file"].as_str().unwrap_or_else(|| panic!("{error}")).to_string();
                    match file.as_str() {
                        "arms/urdf/arm.urdf" => source.files.set(&file, urdf.as_bytes()),
                        "arms/meshes/rod.obj" => source.files.set(&file, OBJ),
                        _ => source.files.set_absent(&file),
                    }
                    asked.push(file);
                }
            }
        };
        assert_eq!(asked, ["arms/urdf/arm.urdf", "arms/urdf/arm.loops.toml", "arms/meshes/rod.obj"], "{uri}");
        let scene = player.scene_info().expect("a scene");
        assert_eq!(scene["bodies"][0]["looks"].as_array().map(Vec::len), Some(1), "{scene}");
        // Without the mesh the robot is drawn without it, as `cardan import` leaves it out.
        source.files.set_absent("arms/meshes/rod.obj");
        let mut bare = Player::new(source).expect("a robot without a mesh");
        assert_eq!(
            bare.scene_info().expect("a scene")["bodies"][0]["looks"].as_array().map(Vec::len),
            Some(0)
        );
    }
    let mut outside = SceneText::new("robots.toml", text);
    let urdf = String::from_utf8_lossy(URDF).replace("MESH", "../../../secret.obj");
    outside.files.set("arms/urdf/arm.urdf", urdf.as_bytes());
    outside.files.set_absent("arms/urdf/arm.loops.toml");
    let error = Player::new(outside).expect_err("a file outside").json();
    assert!(
        error["kind"] == "scene" && error["message"].as_str().is_some_and(|m| m.contains("outside")),
        "{error}"
    );
}
