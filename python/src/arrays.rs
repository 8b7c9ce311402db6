//! Arrays in and out: float64, checked for shape and type; what is none becomes one or is refused with a
//! text that says what would be right.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// Numbers of an argument, aligned and contiguous.
pub(crate) struct Numbers<'py>(PyReadonlyArrayDyn<'py, f64>);

impl Numbers<'_> {
    pub(crate) fn slice(&self) -> &[f64] {
        // `as_float64` lets nothing else through.
        self.0.as_slice().unwrap_or_else(|_| unreachable!("aligned and contiguous"))
    }
}

/// An argument as float64 of a shape. `named` says what it is for, such as `q`.
pub(crate) fn numbers<'py>(
    value: &Bound<'py, PyAny>,
    named: &str,
    shape: &[usize],
) -> PyResult<Numbers<'py>> {
    let array = as_float64(value, named)?;
    if array.shape() != shape {
        let (have, want) = (shown(array.shape()), shown(shape));
        return Err(PyValueError::new_err(format!("{named} has the shape {have}; it takes {want}")));
    }
    Ok(Numbers(array))
}

/// An argument as float64 of any shape, aligned and row after row: it is a slice.
pub(crate) fn as_float64<'py>(
    value: &Bound<'py, PyAny>,
    named: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
        && array.is_c_contiguous()
        && array.is_aligned()
    {
        return array.try_readonly().map_err(|error| PyValueError::new_err(format!("{named}: {error}")));
    }
    static CONVERT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = value.py();
    let convert = CONVERT.get_or_try_init(py, || -> PyResult<Py<PyAny>> {
        Ok(py.import("cardan._arrays")?.getattr("as_float64")?.unbind())
    })?;
    let made = convert.bind(py).call1((value, named))?;
    let made = made.cast_into::<PyArrayDyn<f64>>().map_err(|_| {
        PyTypeError::new_err(format!("{named} must be numbers (float64 or what converts to it)"))
    })?;
    let made = made.readonly();
    if made.as_slice().is_err() || !made.is_c_contiguous() {
        return Err(PyValueError::new_err(format!("{named} cannot be laid out row after row")));
    }
    Ok(made)
}

fn shown(shape: &[usize]) -> String {
    match shape {
        [] => "()".to_string(),
        [n] => format!("({n},)"),
        all => format!("({})", all.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// An array of one dimension.
pub(crate) fn vector<'py>(py: Python<'py>, numbers: &[f64]) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_slice(py, numbers)
}

/// Numbers as an array of a shape, row after row.
pub(crate) fn shaped<'py>(
    py: Python<'py>,
    numbers: Vec<f64>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    PyArray1::from_vec(py, numbers).reshape(shape)
}

/// A dict of items.
pub(crate) fn dict<'py>(py: Python<'py>) -> Bound<'py, PyDict> {
    PyDict::new(py)
}
