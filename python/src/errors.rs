//! Errors of the engine as exceptions of `cardan.errors`, with the engine's own text and fields.

use cardan::joint_space::CommandError;
use cardan::{BatchError, SaveError, StaticsError, StepError};
use cardan_scene::SceneError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// An exception class of `cardan.errors` with fields.
fn raised(class: &'static str, text: String, fill: impl FnOnce(&Bound<'_, PyDict>) -> PyResult<()>) -> PyErr {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    Python::attach(|py| {
        let made = || -> PyResult<PyErr> {
            let module = MODULE.get_or_try_init(py, || py.import("cardan.errors").map(Bound::unbind))?;
            let class = module.bind(py).getattr(class)?;
            let fields = PyDict::new(py);
            fill(&fields)?;
            Ok(PyErr::from_value(class.call((text,), Some(&fields))?))
        };
        made().unwrap_or_else(|error| error)
    })
}

pub(crate) fn scene(error: &SceneError) -> PyErr {
    raised("SceneError", error.render().trim_end().to_string(), |fields| {
        fields.set_item("file", error.file())?;
        fields.set_item("line", error.line())?;
        fields.set_item("column", error.column())?;
        fields.set_item("path", error.path().to_string())?;
        fields.set_item("message", error.message())?;
        fields.set_item("help", error.help())?;
        fields.set_item("kind", format!("{:?}", error.kind()))
    })
}

/// The name of a variant and its fields, from the text of `Debug`: `NotFinite { body: "rod", stage: First }`.
fn variant(text: &str, fields: &Bound<'_, PyDict>) -> PyResult<()> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    fields.set_item("kind", &text[..end])?;
    let own = PyDict::new(fields.py());
    let inner = text[end..].trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or("");
    let (mut depth, mut quoted, mut from) = (0_i32, false, 0);
    let mut parts = Vec::new();
    for (at, c) in inner.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '{' | '(' | '[' if !quoted => depth += 1,
            '}' | ')' | ']' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(&inner[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[from..]);
    for (name, value) in parts.iter().filter_map(|part| part.split_once(": ")) {
        let (name, value) = (name.trim(), value.trim());
        match value.parse::<f64>() {
            Ok(number) => own.set_item(name, number)?,
            Err(_) => own.set_item(name, value.trim_matches('"'))?,
        }
    }
    fields.set_item("fields", own)
}

pub(crate) fn step(error: &StepError, time: Option<f64>) -> PyErr {
    raised("StepError", error.to_string(), |fields| {
        fields.set_item("time", time)?;
        variant(&format!("{error:?}"), fields)
    })
}

/// Errors of setting up a simulation.
pub(crate) fn set_up(error: &StepError) -> PyErr {
    raised("ModelError", error.to_string(), |fields| variant(&format!("{error:?}"), fields))
}

pub(crate) fn command(error: &CommandError) -> PyErr {
    match error {
        CommandError::Step(error) => step(error, None),
        CommandError::Length { .. } | CommandError::NotFinite { .. } | CommandError::Quaternion { .. } => {
            PyValueError::new_err(error.to_string())
        }
        other => raised("ModelError", other.to_string(), |fields| variant(&format!("{other:?}"), fields)),
    }
}

pub(crate) fn batch(error: &BatchError) -> PyErr {
    match error {
        BatchError::Mechanism { error: inner, .. } => {
            raised("StepError", error.to_string(), |fields| variant(&format!("{inner:?}"), fields))
        }
        BatchError::Command { error: CommandError::Step(inner), .. } => {
            raised("StepError", error.to_string(), |fields| variant(&format!("{inner:?}"), fields))
        }
        _ => PyValueError::new_err(error.to_string()),
    }
}

pub(crate) fn statics(error: &StaticsError) -> PyErr {
    match error {
        StaticsError::Step(error) => step(error, None),
        other => raised("ModelError", other.to_string(), |fields| variant(&format!("{other:?}"), fields)),
    }
}

pub(crate) fn saved(error: &SaveError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A part that the model does not have, with the nearest name.
pub(crate) fn unknown<'n>(what: &str, name: &str, all: impl Iterator<Item = &'n str> + Clone) -> PyErr {
    let help = match cardan_scene::nearest(name, all.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<String> = all.take(12).map(|name| format!("`{name}`")).collect();
            if names.is_empty() { "it has none".to_string() } else { format!("it has {}", names.join(", ")) }
        }
    };
    raised("ModelError", format!("the model has no {what} `{name}`; {help}"), |fields| {
        fields.set_item("kind", "UnknownName")?;
        let own = PyDict::new(fields.py());
        own.set_item(what, name)?;
        fields.set_item("fields", own)
    })
}

/// A study that makes no sense, or a log that cannot be used.
pub(crate) fn study(text: String) -> PyErr {
    raised("StudyError", text, |_| Ok(()))
}

/// The class of errors of Python's own files.
pub(crate) fn io(error: &cardan_scene::study::LogError) -> PyErr {
    use cardan_scene::study::LogError;
    let text = error.to_string();
    match error {
        LogError::Io { error, .. } => {
            let number = error.raw_os_error();
            Python::attach(|py| {
                let class = PyType::new::<pyo3::exceptions::PyOSError>(py);
                match class.call1((number, text)) {
                    Ok(made) => PyErr::from_value(made),
                    Err(error) => error,
                }
            })
        }
        _ => study(text),
    }
}
