//! Studies: rows, measures, and a log that survives what may happen to it.

use cardan_scene::study::{LogError, Study, StudyLog, StudyRow, digest};
use std::fs;
use std::path::PathBuf;

/// A stone thrown up: closed forms for everything that is measured.
const STONE: &str = r#"
gravity = [0, 0, -10]
[bodies.stone]
kind = "particle"
mass = 2
velocity = [0, 0, 5]
[simulation]
dt = 1e-2
until = 1
"#;

fn study(count: usize) -> Study {
    let rows = (0..count).map(|k| vec![format!("{}", 0.5 + 0.25 * k as f64)]).collect();
    let measures = ["max:bodies.stone.position.z", "bodies.stone.velocity.z", "rms:bodies.stone.velocity.z"];
    let measures = measures.map(String::from).to_vec();
    Study::new("stone.toml", STONE, vec!["bodies.stone.mass".into()], rows, measures).unwrap()
}

/// A file of its own for a test, which is not there yet.
fn fresh(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join("cardan-study-tests");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}-{}.log", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

fn finished(study: &Study, path: &PathBuf) -> u64 {
    let mut log = StudyLog::open(path, study, true).unwrap();
    let missing: Vec<usize> = log.missing().collect();
    for row in missing {
        log.append(study.run(row)).unwrap();
    }
    log.digest()
}

#[test]
fn measures_of_a_thrown_stone_are_those_of_the_closed_form() {
    let row = study(1).run(0);
    let (results, _) = row.outcome.unwrap();
    let at = |name: &str| results[name];
    // v = 5 − 10 t: up to 1.25 m at 0.5 s; −5 m/s at the end; rms² = ∫ (5 − 10 t)² dt = 25 / 3.
    assert!((at("max:bodies.stone.position.z") - 1.25).abs() < 1e-9, "{results:?}");
    assert!((at("bodies.stone.velocity.z") + 5.0).abs() < 1e-9);
    // The trapezoidal rule adds h² v̇² / 6 = 1.7e-3 to rms², so 2.9e-4 to rms.
    let rms = at("rms:bodies.stone.velocity.z") - (25.0_f64 / 3.0).sqrt();
    assert!((rms - 2.9e-4).abs() < 1e-5, "{rms}");
}

#[test]
fn a_wrong_value_or_measure_is_the_error_of_its_row() {
    let rows = ["1", "-1", "\"heavy\""].map(|x| vec![x.to_string()]).to_vec();
    let study = Study::new("s.toml", STONE, vec!["bodies.stone.mass".into()], rows, Vec::new()).unwrap();
    assert!(study.run(0).outcome.is_ok());
    for row in [1, 2] {
        let error = study.run(row).outcome.unwrap_err();
        assert!(error.contains("mass"), "{error}");
    }
    let names = vec!["bodies.stone.mass".to_string()];
    let wrong = Study::new("s.toml", STONE, names, vec![vec!["1".into()]], vec!["peak:bodies.ston".into()]);
    let error = wrong.unwrap().run(0).outcome.unwrap_err();
    assert!(error.contains("did you mean `bodies.stone`"), "{error}");
    assert!(Study::new("s.toml", STONE, vec!["a".into()], vec![vec![]], vec![]).is_err());
    assert!(Study::new("s.toml", STONE, vec!["a".into(), "a".into()], vec![], vec![]).is_err());
}

#[test]
fn a_log_that_is_cut_at_any_byte_goes_on_to_the_same_digest() {
    let (study, path) = (study(3), fresh("cut"));
    let whole = finished(&study, &path);
    let bytes = fs::read(&path).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i] == b'\n').map(|i| i + 1).collect();
    for length in (0..=bytes.len()).step_by(7).chain(ends.iter().copied()) {
        fs::write(&path, &bytes[..length]).unwrap();
        let kept = ends.iter().filter(|end| **end <= length).count().saturating_sub(1);
        {
            let log = StudyLog::open(&path, &study, true).unwrap();
            assert_eq!(log.done(), kept, "{length}");
            assert_eq!(log.was_torn(), length != 0 && !ends.contains(&length), "{length}");
        }
        assert_eq!(finished(&study, &path), whole);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    let rows: Vec<StudyRow> = [2, 0, 1].map(|row| study.run(row)).to_vec();
    assert_eq!(digest(&rows), whole);
    fs::remove_file(path).unwrap();
}

#[test]
fn logs_that_are_damaged_or_of_another_study_are_refused_and_kept() {
    let (own, path) = (study(3), fresh("other"));
    finished(&own, &path);
    let bytes = fs::read(&path).unwrap();
    let text = |error: LogError| error.to_string();

    assert!(text(StudyLog::open(&path, &own, false).unwrap_err()).contains("exists"));
    let error = text(StudyLog::open(&path, &study(4), true).unwrap_err());
    assert!(error.contains("numbers of rows"), "{error}");
    let longer = own.clone().until(2.0);
    assert!(matches!(StudyLog::open(&path, &longer, true), Err(LogError::OtherStudy { .. })));

    let mut wrong = bytes.clone();
    let second = bytes.iter().position(|b| *b == b'\n').unwrap() + 40;
    wrong[second] ^= 1;
    fs::write(&path, &wrong).unwrap();
    let error = text(StudyLog::open(&path, &own, true).unwrap_err());
    assert!(error.contains("line 2") && error.contains("checksum"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), wrong);

    fs::write(&path, "a list of things to buy\n").unwrap();
    assert!(text(StudyLog::open(&path, &own, true).unwrap_err()).contains("no log of a study"));
    fs::write(&path, &bytes).unwrap();
    let first = StudyLog::open(&path, &own, true).unwrap();
    assert!(matches!(StudyLog::open(&path, &own, true), Err(LogError::Locked { .. })));
    drop(first);
    assert!(StudyLog::open(&path, &own, true).is_ok());
    fs::remove_file(path).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_no_log() {
    let error = StudyLog::open("/dev/full", &study(1), true).unwrap_err();
    assert!(error.to_string().contains("no ordinary file"), "{error}");
}

#[test]
fn the_digest_knows_one_nan_and_integers_stay_what_they_are() {
    let row = |x: f64| StudyRow {
        row: 0,
        values: vec![],
        outcome: Ok(([("x".to_string(), x)].into_iter().collect(), 7)),
    };
    let other = f64::from_bits(f64::NAN.to_bits() ^ (1 << 63) ^ 5);
    assert!(other.is_nan());
    assert_eq!(digest(&[row(f64::NAN)]), digest(&[row(other)]));
    assert_ne!(digest(&[row(f64::NAN)]), digest(&[row(1.0)]));
    let row = ["3", "-4", "3.50", "1e3", "[1, 2]"].map(String::from).to_vec();
    let names = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
    let study = Study::new("s.toml", STONE, names, vec![row], vec![]).unwrap();
    assert_eq!(study.rows()[0], ["3", "-4", "3.5", "1000.0", "[1, 2]"]);
}

#[test]
fn a_foreign_file_is_never_cut() {
    let (own, path) = (study(2), fresh("foreign"));
    for text in ["d7e0382c6821a828", "0", "31f6d2c09b1c44aa {\"cardan_study\":1"] {
        fs::write(&path, text).unwrap();
        let error = StudyLog::open(&path, &own, true).unwrap_err().to_string();
        assert!(error.contains("no log of a study"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn the_digest_of_a_failed_row_does_not_know_the_file() {
    let of = |name: &str| {
        let (names, rows) = (vec!["bodies.stone.mass".to_string()], vec![vec!["-1".to_string()]]);
        Study::new(name, STONE, names, rows, vec![]).unwrap().run(0)
    };
    let text = STONE.replace("mass = 2", "mass = \"heavy\"");
    let own = |name: &str| Study::new(name, &text, vec![], vec![vec![]], vec![]).unwrap().run(0);
    assert_eq!(digest(&[of("here/a.toml")]), digest(&[of("there/b.toml")]));
    let (a, b) = (own("here/a.toml"), own("there/b.toml"));
    assert_eq!(a.outcome, b.outcome);
    let error = a.outcome.unwrap_err();
    assert!(error.contains("mass") && !error.contains("here"), "{error}");
}

/// A log knows the contents of the robot and mesh files that the scene and the values name, whatever their names are.
#[test]
fn a_log_of_other_robot_or_mesh_files_is_refused() {
    let folder = std::env::temp_dir().join(format!("cardan-study-files-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let tetrahedron = |size: f64| {
        let (s, faces) = (size, "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
        format!("v 0 0 0\nv {s} 0 0\nv 0 {s} 0\nv 0 0 {s}\n{faces}")
    };
    let robot = |mass: f64| {
        format!(
            "<robot name=\"r\"><link name=\"base\"/><link name=\"bob\"><inertial><mass value=\"{mass}\"/><inertia ixx=\"1\" \
             iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"j\" type=\"continuous\">\
             <parent link=\"base\"/><child link=\"bob\"/></joint></robot>"
        )
    };
    let text = "[robots.r]\nfile = \"r.urdf\"\n[bodies.stone]\nmass = 2\ninertia = [1, 1, 1]\n\
                shape = { kind = \"hull\", file = \"a.obj\" }\n[simulation]\nuntil = 1e-2\n";
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("r.urdf", &robot(1.0));
    write("a.obj", &tetrahedron(1.0));
    write("b.obj", &tetrahedron(2.0));
    let study = |parameter: &str, values: [&str; 2]| {
        let rows = values.map(|value| vec![value.to_string()]).to_vec();
        Study::new("s.toml", text, vec![parameter.into()], rows, Vec::new()).unwrap().in_folder(&folder)
    };
    let masses = || study("bodies.stone.mass", ["1", "2"]);
    let shapes = || study("bodies.stone.shape.file", ["\"a.obj\"", "\"b.obj\""]);
    let [log, other] = ["files", "file-values"].map(fresh);
    let refused = |path: &PathBuf, study: Study| match StudyLog::open(path, &study, true) {
        Err(error @ LogError::OtherStudy { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(masses().run(0).outcome.map(|_| ()), Ok(()));
    drop((
        StudyLog::open(&log, &masses(), false).unwrap(),
        StudyLog::open(&other, &shapes(), false).unwrap(),
    ));
    StudyLog::open(&log, &masses(), true).unwrap();
    // Only the values name it.
    write("b.obj", &tetrahedron(3.0));
    StudyLog::open(&log, &masses(), true).unwrap();
    assert!(refused(&other, shapes()).contains("robot or mesh files"));
    write("a.obj", &tetrahedron(1.5));
    assert!(refused(&log, masses()).contains("robot or mesh files"));
    write("a.obj", &tetrahedron(1.0));
    StudyLog::open(&log, &masses(), true).unwrap();
    write("r.urdf", &robot(1.5));
    assert!(refused(&log, masses()).contains("robot or mesh files"));
    fs::remove_dir_all(folder).unwrap();
}
