//! No input panics, and none takes long.

use std::time::{Duration, Instant};

use cardan_scene::{Document, ErrorKind, Node, Scene, Value};
use proptest::prelude::*;

const FOUR_BAR: &str = include_str!("data/four-bar.toml");

/// Reads, types, renders; whatever comes out, it comes out.
fn survive(text: &str) -> Option<Scene> {
    match Document::parse("scene", text).and_then(|document| Scene::from_document(&document)) {
        Ok(scene) => Some(scene),
        Err(error) => {
            let drawn = error.render();
            assert!(drawn.len() < 4000, "{drawn}");
            error.render_coloured();
            None
        }
    }
}

/// The tree as the `toml` crate would give it; NaN as null, since it equals nothing.
fn plain(node: &Node) -> toml::Value {
    match &node.value {
        Value::Null => toml::Value::String("null".into()),
        Value::Bool(value) => (*value).into(),
        Value::Integer(value) => (*value).into(),
        Value::Float(value) if value.is_nan() => toml::Value::String("nan".into()),
        Value::Float(value) => (*value).into(),
        Value::Text(text) => text.to_string().into(),
        Value::Array(items) => toml::Value::Array(items.iter().map(plain).collect()),
        Value::Table(table) => {
            toml::Value::Table(table.entries().iter().map(|e| (e.key.to_string(), plain(&e.node))).collect())
        }
    }
}

fn without_nan(value: toml::Value) -> toml::Value {
    match value {
        toml::Value::Float(value) if value.is_nan() => toml::Value::String("nan".into()),
        toml::Value::Array(items) => toml::Value::Array(items.into_iter().map(without_nan).collect()),
        toml::Value::Table(table) => {
            toml::Value::Table(table.into_iter().map(|(key, value)| (key, without_nan(value))).collect())
        }
        other => other,
    }
}

/// Our reader and the `toml` crate accept the same texts and read the same values, but for what we refuse on purpose.
fn agrees_with_the_toml_crate(text: &str) {
    if text.trim_start().trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return;
    }
    let reference = text.parse::<toml::Table>();
    match (Document::parse("scene", text), reference) {
        (Ok(ours), Ok(reference)) => {
            assert_eq!(plain(ours.root()), without_nan(toml::Value::Table(reference)), "{text:?}");
        }
        (Err(_), Err(_)) => {}
        // Whole numbers beyond 64 bits are numbers to us.
        (Ok(_), Err(error)) => {
            let message = error.to_string();
            assert!(
                message.contains("integer") || message.contains("number"),
                "only we accept {text:?}: {message}"
            );
        }
        (Err(error), Ok(_)) => assert!(
            matches!(error.kind(), ErrorKind::Empty | ErrorKind::TooDeep)
                || error.message().contains("dates")
                || error.message().contains("too large")
                // Around `=` in an inline table the crate lets a line end; the grammar of TOML does not.
                || error.message().contains("the line ends where")
                || error.message().contains("found `#`"),
            "only we refuse {text:?}: {error}"
        ),
    }
}

fn cut(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Err(error) = Document::parse_bytes("scene", bytes.clone()) {
            error.render();
        }
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn mutations_of_a_scene_never_panic(
        edits in proptest::collection::vec((0..5000_usize, 0..12_usize, "[\\[\\]{}\"'=.,#\\\\ \na-c0-9é]{0,4}"), 1..6),
        as_json in any::<bool>(),
    ) {
        let mut text = FOUR_BAR.to_string();
        if as_json {
            text = serde_json::to_string(&survive(FOUR_BAR).unwrap()).unwrap();
        }
        for (at, remove, insert) in edits {
            let start = cut(&text, at % text.len().max(1));
            let end = cut(&text, start + remove).max(start);
            text.replace_range(start..end, &insert);
        }
        survive(&text);
        agrees_with_the_toml_crate(&text);
    }

    #[test]
    fn toml_like_texts_read_as_the_toml_crate_reads_them(
        parts in proptest::collection::vec(prop_oneof![
            Just("[a]\n"), Just("[a.b]\n"), Just("[[a]]\n"), Just("[[a.b]]\n"), Just("[b]\n"), Just("[a.b.c]\n"), Just("a"),
            Just("b"), Just("c"), Just("."), Just(" = "), Just("="), Just("\n"), Just("\r\n"), Just("\r"), Just("1"),
            Just("-0.5"), Just("1e3"), Just("0x1F"), Just("1_000"), Just("_"), Just("+"), Just("007"), Just("inf"),
            Just("nan"), Just("true"), Just("\"x\""), Just("'y'"), Just("\"\"\""), Just("'''"), Just("\""), Just("'"),
            Just("\\"), Just("\\u00e9"), Just("\\x41"), Just("["), Just("]"), Just("{"), Just("}"), Just(","), Just(" "),
            Just("\t"), Just("# c"), Just("a.b = 1\n"), Just("a = {b = 1, c = [1, 2]}\n"), Just("b = [{a = 1}]\n"),
            Just("1979-05-27"), Just("é"), Just("\u{7f}"), Just("a.b.c = 2\n"), Just("b.a = 3\n"),
        ], 0..14),
    ) {
        let text = parts.concat();
        survive(&text);
        agrees_with_the_toml_crate(&text);
    }

    #[test]
    fn any_override_is_taken_or_refused(path in "[a-z\"'. =\\[\\]0-9]{0,20}", value in "[a-z\"'{}\\[\\], .0-9]{0,12}") {
        let mut document = Document::parse("scene", FOUR_BAR).unwrap();
        for start in ["", "bodies.crank.", "joints.A.limits."] {
            match document.set(&format!("{start}{path}={value}")) {
                Ok(()) => drop(Scene::from_document(&document).map_err(|error| error.render())),
                Err(error) => drop(error.render()),
            }
        }
    }
}

#[test]
fn every_truncation_of_a_scene_is_an_error_or_a_shorter_scene() {
    let json = serde_json::to_string(&survive(FOUR_BAR).unwrap()).unwrap();
    for text in [FOUR_BAR, &json] {
        for end in 0..text.len() {
            survive(&text[..end]);
        }
    }
    for end in 1..json.len() {
        assert!(Document::parse("scene", &json[..end]).is_err(), "{}", &json[..end]);
    }
}

/// One line of 50 MB, or nesting of 100 000, is refused at once and with a short message.
#[test]
fn hostile_files_are_refused_quickly() {
    const LONG: usize = 50_000_000;
    const DEEP: usize = 100_000;
    let nested_json = "{\"a\":".repeat(DEEP);
    let cases = [
        ("a".repeat(LONG), ErrorKind::Syntax),
        (format!("title = \"{}", "a".repeat(LONG)), ErrorKind::Syntax),
        (format!("title = \"{}\"\nfoo = 1\n", "é".repeat(LONG / 2)), ErrorKind::UnknownField),
        (format!("{} = 1", "a".repeat(LONG)), ErrorKind::UnknownField),
        (format!("{{\"title\": {}", "1".repeat(LONG)), ErrorKind::Syntax),
        (format!("a = {}", "[".repeat(LONG)), ErrorKind::TooDeep),
        (format!("a = {}", "[".repeat(DEEP)), ErrorKind::TooDeep),
        (format!("a = {}", "{a=".repeat(DEEP)), ErrorKind::TooDeep),
        (format!("[{}b]", "a.".repeat(DEEP)), ErrorKind::TooDeep),
        (format!("{}b = 1", "a.".repeat(DEEP)), ErrorKind::TooDeep),
        (format!("{{\"a\": {}", "[".repeat(DEEP)), ErrorKind::TooDeep),
        (nested_json, ErrorKind::TooDeep),
        (" ".repeat(LONG), ErrorKind::Empty),
        ("\n".repeat(LONG), ErrorKind::Empty),
        (format!("a = [{}", "1,".repeat(LONG / 2)), ErrorKind::TooLarge),
    ];
    for (text, kind) in cases {
        let start = Instant::now();
        let error = Document::parse("scene", text).and_then(|d| Scene::from_document(&d)).unwrap_err();
        let took = start.elapsed();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.render().len() < 2000 && error.to_string().len() < 1000, "{error}");
        assert!(took < Duration::from_secs(20), "{error}: {took:?}");
    }
}

#[test]
fn a_hundred_thousand_bodies_read() {
    use std::fmt::Write;
    let mut text = String::new();
    for i in 0..100_000 {
        write!(
            text,
            "[bodies.b{i}]\nshape = {{ kind = \"rod\", length = 0.4, radius = 0.01 }}\nmass = 0.8\n\
             position = [0.2, 0.123456789012345, 0.98765432123456]\n\
             orientation = {{ axis = [0.1234567, 0.3, 1], angle = \"30 deg\" }}\nangular_velocity = [0, 0.12345, 0]\n\
             [joints.j{i}]\nkind = \"spherical\"\na = \"ground\"\nb = \"b{i}\"\nanchor = [0, 0, 0.5]\n"
        )
        .unwrap();
    }
    let scene = survive(&text).unwrap();
    assert_eq!((scene.bodies.len(), scene.joints.len()), (100_000, 100_000));
}
