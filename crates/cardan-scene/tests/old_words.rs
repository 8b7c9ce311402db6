//! Words of earlier versions are read as those that replaced them, and nothing writes or suggests them.

use cardan_scene::{Document, ErrorKind, FieldPath, IntegratorDesc, Scene, SceneError, bundled, schema};

const OLD: &str = include_str!("data/old-words.toml");

/// Old word, new word, line in the file.
const WORDS: [(&str, &str, usize); 4] = [
    ("long", "rattle", 6),
    ("rest_speed", "restitution_threshold", 7),
    ("creep", "regularization_speed", 19),
    ("blows", "impulses", 21),
];

fn new_words(text: &str) -> String {
    WORDS.iter().fold(text.to_string(), |text, (old, new, _)| text.replace(old, new))
}

#[test]
fn a_scene_in_old_words_is_the_scene_in_new_words() -> Result<(), SceneError> {
    let (old, new) = (Document::parse("old.toml", OLD)?, Document::parse("new.toml", new_words(OLD))?);
    let scene = Scene::from_document(&old)?;
    assert_eq!(scene, Scene::from_document(&new)?);
    assert_eq!(scene.simulation.integrator, Some(IntegratorDesc::Rattle));
    assert!(scene.impulses.get("push").is_some());
    assert!(new.old_words().is_empty());
    Ok(())
}

#[test]
fn every_old_word_is_recorded_with_file_and_line() -> Result<(), SceneError> {
    let found = Document::parse("old.toml", OLD)?.old_words();
    let found: Vec<_> = found.iter().map(|word| (word.old, word.new, word.line)).collect();
    assert_eq!(found, WORDS);
    let json = serde_json::json!({
        "simulation": { "integrator": "stepping" },
        "bodies": { "bob": { "kind": "particle", "mass": 1 } },
        "joints": {},
    });
    let document = Document::parse("old.json", format!("{json:#}"))?;
    let found = document.old_words();
    let [word] = &found[..] else { panic!("{found:?}") };
    assert_eq!((word.old, word.new, &*word.file), ("stepping", "time-stepping", "old.json"));
    assert_eq!(Scene::from_document(&document)?.simulation.integrator, Some(IntegratorDesc::TimeStepping));
    Ok(())
}

#[test]
fn old_words_of_joints_are_read_at_any_joint() -> Result<(), SceneError> {
    for (old, new) in [("close_in", "assembly_time"), ("skids", "lateral_slip"), ("touch", "feature")] {
        let text = format!("[joints.first]\n{old} = 1\n[joints.{old}]\n{old} = 2\n");
        let document = Document::parse("scene.toml", text)?;
        // A joint may have any name, also that of a field.
        for joint in ["first", old] {
            let path = FieldPath::item("joints", joint);
            assert!(document.get(&path.join(new)).is_some() && document.get(&path.join(old)).is_none());
        }
        let lines: Vec<_> = document.old_words().iter().map(|word| (word.old, word.line)).collect();
        assert_eq!(lines, [(old, 2), (old, 4)]);
    }
    Ok(())
}

#[test]
fn mistakes_under_an_old_word_are_shown_where_they_are() {
    let text = OLD.replace("body = \"disc\"", "body = \"disk\"");
    let error = Document::parse("old.toml", text).and_then(|d| Scene::from_document(&d)).unwrap_err();
    assert_eq!((error.line(), error.path().to_string()), (Some(22), "impulses.push.body".to_string()));
    let text = OLD.replace("creep = \"0.01 rad/s\"", "creep = true");
    let error = Document::parse("old.toml", text).and_then(|d| Scene::from_document(&d)).unwrap_err();
    assert_eq!(error.line(), Some(19), "{error}");
}

#[test]
fn both_words_in_one_table_are_an_error_at_the_second() {
    for (extra, line, words) in [
        ("restitution_threshold = 0\nrest_speed = 1e-4\n", 8, ["rest_speed", "restitution_threshold"]),
        ("rest_speed = 1e-4\nrestitution_threshold = 0\n", 8, ["rest_speed", "restitution_threshold"]),
    ] {
        let text = OLD.replace("rest_speed = 1e-4\n", extra);
        let error = Document::parse("old.toml", text).unwrap_err();
        assert_eq!((error.kind(), error.line()), (ErrorKind::Duplicate, Some(line)), "{error}");
        assert!(words.iter().all(|word| error.message().contains(word)), "{error}");
        assert!(error.render().contains("given first here"), "{}", error.render());
    }
    let text = format!("{OLD}[impulses.other]\nbody = \"disc\"\ntime = 0\nimpulse = [0, 0, 0]\n");
    let error = Document::parse("old.toml", text).unwrap_err();
    assert_eq!((error.kind(), error.line()), (ErrorKind::Duplicate, Some(25)), "{error}");
}

#[test]
fn overrides_take_old_words_in_path_and_value() -> Result<(), SceneError> {
    for text in [OLD.to_string(), new_words(OLD)] {
        let mut document = Document::parse("scene.toml", text)?;
        let before = document.old_words().len();
        for set in [
            "simulation.integrator=stepping",
            "simulation.rest_speed=0.5",
            "blows.push.time=0.02",
            "joints.axle.friction.creep=0.25",
        ] {
            document.set(set)?;
        }
        let scene = Scene::from_document(&document)?;
        assert_eq!(scene.simulation.integrator, Some(IntegratorDesc::TimeStepping));
        assert_eq!(scene.simulation.restitution_threshold.unwrap().0, 0.5);
        assert_eq!(scene.impulses.get("push").unwrap().time.0, 0.02);
        let friction = scene.joints.get("axle").unwrap().friction.as_ref().unwrap();
        assert_eq!(friction.as_slice()[0].regularization_speed.unwrap().value, 0.25);
        let found = document.old_words();
        assert!(found[before..].iter().all(|word| word.file == "--set" && word.line == 1), "{found:?}");
        assert_eq!(found.len() - before, 4);
        // Tables given by an override, and their elements.
        document.set("joints.axle.friction=[{ coulomb = 0.1, creep = 0.5 }]")?;
        document.set("joints.axle.friction.0.creep=0.75")?;
        let scene = Scene::from_document(&document)?;
        let friction = scene.joints.get("axle").unwrap().friction.as_ref().unwrap();
        assert_eq!(friction.as_slice()[0].regularization_speed.unwrap().value, 0.75);
        let error = document.set("simulation={ rest_speed = 1, restitution_threshold = 2 }").unwrap_err();
        assert_eq!((error.kind(), error.file()), (ErrorKind::Duplicate, "--set"), "{error}");
    }
    Ok(())
}

#[test]
fn scenes_and_schema_are_written_in_new_words() -> Result<(), SceneError> {
    let scene = Scene::from_document(&Document::parse("old.toml", OLD)?)?;
    let toml = scene.to_toml().expect("TOML");
    let schema = schema().to_string();
    for (old, new, _) in WORDS {
        assert!(!toml.contains(old) && toml.contains(new), "{old}: {toml}");
        let word = format!("\"{old}\"");
        assert!(!schema.contains(&word) && schema.contains(&format!("\"{new}\"")), "{old} in the schema");
    }
    assert_eq!(Scene::from_document(&Document::parse("new.toml", toml)?)?, scene);
    Ok(())
}

#[test]
fn bundled_scenes_are_written_in_new_words() -> Result<(), SceneError> {
    for scene in bundled() {
        let found = Document::parse(scene.name, scene.text)?.old_words();
        assert!(found.is_empty(), "{}: {found:?}", scene.name);
    }
    Ok(())
}

#[test]
fn unknown_words_suggest_new_ones() {
    let error = |old: &str, wrong: &str| {
        let document = Document::parse("scene.toml", new_words(OLD).replace(old, wrong))?;
        Scene::from_document(&document)
    };
    for (word, wrong) in [
        ("\"rattle\"", "\"ratle\""),
        ("[impulses.", "[impulse."),
        ("restitution_threshold", "restitution_treshold"),
        ("regularization_speed", "regularisation_speed"),
    ] {
        let error = error(word, wrong).unwrap_err();
        let help = error.help().unwrap_or_default().to_string();
        let word = word.trim_matches(['"', '[', '.']);
        assert!(help.contains(&format!("did you mean `{word}`?")), "{wrong}: {help}");
    }
}
