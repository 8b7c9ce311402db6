//! Reading what is right: both formats, units, order, overrides, and back to text.

use cardan_scene::{
    Dimension, Document, FieldPath, JointKindDesc, LawDesc, OneOrMany, Planar, Quantity, Scene, SceneError,
    Source, bundled,
};
use serde_json::Value as Json;

const FOUR_BAR: &str = include_str!("data/four-bar.toml");

fn read(text: &str) -> Result<Scene, SceneError> {
    Scene::from_document(&Document::parse("scene", text)?)
}

#[test]
fn the_whole_format_reads() -> Result<(), SceneError> {
    let scene = read(FOUR_BAR)?;
    assert_eq!(scene.title.as_deref(), Some("Four-bar with a motor and a spring"));
    assert_eq!(scene.laws, ["energy", "closed"]);
    assert_eq!(scene.gravity(), [0.0, -9.81, 0.0]);
    assert_eq!((scene.simulation.until(), scene.simulation.dt()), (5.0, 1e-3));
    let crank = scene.bodies.get("crank").unwrap();
    assert_eq!(crank.angular_velocity.unwrap().in_space(), [0.0, 0.0, 2.0 * std::f64::consts::PI]);
    assert_eq!(crank.all_shapes()[0].radius.unwrap().0, 0.005);
    assert_eq!(scene.bodies.get("rocker").unwrap().mass.unwrap().0, 0.8);
    let bob = scene.bodies.get("bob").unwrap();
    assert!(matches!(bob.position, Some(Planar::Plane(_))));
    let hinge = scene.joints.get("A").unwrap();
    assert_eq!(hinge.kind, JointKindDesc::Revolute);
    assert_eq!(hinge.limits.as_ref().unwrap()[0][1].0.value, f64::INFINITY);
    let Some(OneOrMany::One(drive)) = &hinge.drive else { panic!("one drive") };
    let rate = Quantity { value: 2.0 * std::f64::consts::PI, dimension: Some(Dimension::AngularSpeed) };
    assert_eq!(drive.law, LawDesc::Constant(rate));
    assert_eq!(scene.joints.get("B").unwrap().drive.as_ref().unwrap().as_slice().len(), 2);
    Ok(())
}

#[test]
fn names_keep_the_order_of_the_file() -> Result<(), SceneError> {
    let names = |scene: &Scene| scene.bodies.iter().map(|(name, _)| name.to_string()).collect::<Vec<_>>();
    let mut text = String::new();
    let mut expected = Vec::new();
    for i in (0..100).rev() {
        text += &format!("[bodies.b{i}]\nkind = \"particle\"\nmass = 1\n");
        expected.push(format!("b{i}"));
    }
    assert_eq!(names(&read(&text)?), expected);
    assert_eq!(names(&read(FOUR_BAR)?), ["crank", "coupler", "rocker", "bob", "grain of sand", "dust"]);
    Ok(())
}

#[test]
fn toml_and_json_say_the_same() -> Result<(), SceneError> {
    let scene = read(FOUR_BAR)?;
    let json = serde_json::to_string(&scene).unwrap();
    assert_eq!(read(&json)?, scene);
    assert_eq!(read(&format!("\u{feff}  \n{json}\n"))?, scene);
    Ok(())
}

#[test]
fn a_written_scene_reads_as_itself() -> Result<(), SceneError> {
    let scene = read(FOUR_BAR)?;
    let text = scene.to_toml().unwrap();
    assert_eq!(read(&text)?, scene, "{text}");
    assert!(
        text.contains("[bodies.\"grain of sand\"]\nkind = \"planar-particle\"\nmass = 0.001\n"),
        "{text}"
    );

    let title = "a \"quoted\"\n\ttitle \\ with 'all' of it".to_string();
    let mut unusual = Scene { title: Some(title), ..Scene::default() };
    let name = "a.b \"c\" \\ \n\u{7f} é";
    unusual.bodies.push(name, scene.bodies.get("dust").unwrap().clone());
    assert_eq!(read(&unusual.to_toml().unwrap())?, unusual);
    Ok(())
}

#[test]
fn overrides_change_add_and_index() -> Result<(), SceneError> {
    let mut document = Document::parse("four-bar.toml", FOUR_BAR)?;
    for text in [
        "bodies.crank.mass=2.0",
        "bodies.\"grain of sand\".mass = \"3 g\"",
        "joints.A.limits.0.1=45 deg",
        "simulation.integrator=dopri5",
        "joints.A.anchor=[1, 2, 3]",
        "bodies.dust.velocity=[0, 1, 0]",
        "title=A = B",
        "forces.push.law={ constant = 2 }",
    ] {
        document.set(text)?;
    }
    let scene = Scene::from_document(&document)?;
    assert_eq!(scene.bodies.get("crank").unwrap().mass.unwrap().0, 2.0);
    assert_eq!(scene.bodies.get("grain of sand").unwrap().mass.unwrap().0, 0.003);
    let limit = scene.joints.get("A").unwrap().limits.as_ref().unwrap()[0][1].0;
    assert_eq!(limit.expect(Dimension::Angle), Ok(std::f64::consts::FRAC_PI_4));
    assert_eq!(scene.simulation.integrator, Some(cardan_scene::IntegratorDesc::Dopri5));
    assert_eq!(scene.joints.get("A").unwrap().anchor.unwrap().map(f64::from), [1.0, 2.0, 3.0]);
    assert_eq!(scene.bodies.get("dust").unwrap().velocity.unwrap().in_space(), [0.0, 1.0, 0.0]);
    assert_eq!(scene.title.as_deref(), Some("A = B"));
    Ok(())
}

#[test]
fn settings_can_be_given_to_a_scene_that_has_none() -> Result<(), SceneError> {
    let mut document = Document::parse("scene", "[bodies.bob]\nkind = \"particle\"\nmass = 1\n")?;
    document.set("simulation.dt=2 ms")?;
    assert_eq!(Scene::from_document(&document)?.simulation.dt(), 2e-3);
    Ok(())
}

#[test]
fn later_steps_can_point_at_any_field() -> Result<(), SceneError> {
    let document = Document::parse("four-bar.toml", FOUR_BAR)?;
    let text_at = |path: &str| &FOUR_BAR[document.span_of(&FieldPath::from(path)).range()];
    assert_eq!(text_at("joints.A.b"), "\"crank\"");
    assert_eq!(text_at("joints.A.limits.0.1"), "inf");
    assert_eq!(text_at("joints.B.drive.1.level"), "\"force\"");
    assert_eq!(text_at("bodies.\"grain of sand\""), "[bodies.\"grain of sand\"]");
    assert_eq!(text_at("contacts.pairs.0.b"), "\"bob\"");
    // A field that is not there: the nearest thing around it.
    assert_eq!(text_at("joints.A.length"), "[joints.A]");
    let error = SceneError::at(&document, "joints.A.limits.0", "too wide", Some("use less"));
    assert_eq!(error.render().lines().next(), Some("error: joints.A.limits.0: too wide"));
    assert_eq!(error.to_string(), "four-bar.toml:66:11: joints.A.limits.0: too wide (use less)");
    Ok(())
}

#[test]
fn the_schema_has_every_field_and_its_meaning() {
    let schema = cardan_scene::schema();
    let properties = |pointer: &str| match schema.pointer(pointer) {
        Some(Json::Object(map)) => map.keys().cloned().collect::<Vec<_>>(),
        other => panic!("{pointer}: {other:?}"),
    };
    for field in ["bodies", "joints", "forces", "probes", "materials", "simulation", "gravity", "format"] {
        assert!(properties("/properties").contains(&field.to_string()), "{field}");
    }
    assert!(properties("/$defs/JointDesc/properties").contains(&"frame_in_a".to_string()));
    assert_eq!(schema.pointer("/$defs/JointDesc/additionalProperties"), Some(&Json::Bool(false)));
    let length = schema.pointer("/$defs/Length").unwrap().to_string();
    assert!(length.contains("[\"number\",\"string\"]") && length.contains("mm, cm, m, km"), "{length}");
    let kinds = schema.pointer("/$defs/JointKindDesc").unwrap().to_string();
    assert!(kinds.contains("bead-on-circle") && kinds.contains("rolling"), "{kinds}");
}

#[test]
fn words_on_the_command_line_find_their_scene() {
    assert_eq!(Source::resolve("-"), Source::Stdin);
    assert_eq!(Source::resolve("here.toml"), Source::Path("here.toml".into()));
    assert_eq!(Source::resolve("here.JSON"), Source::Path("here.JSON".into()));
    assert_eq!(Source::resolve("./here"), Source::Path("./here".into()));
    assert_eq!(Source::resolve("Cargo.lock.not-there"), Source::Bundled("Cargo.lock.not-there".to_string()));
    // `src` exists beside this test: a path, though not a scene.
    assert_eq!(Source::resolve("src"), Source::Path("src".into()));
    assert!(Source::resolve("src").read().unwrap_err().message().contains("folder"));
}

#[test]
fn bundled_scenes_read_and_have_a_title() -> Result<(), SceneError> {
    for scene in bundled() {
        let document = Source::resolve(scene.name).read()?;
        assert!(scene.text.starts_with('#'), "{} starts with comment lines", scene.name);
        assert!(Scene::from_document(&document)?.title.is_some(), "{}", scene.name);
    }
    Ok(())
}
