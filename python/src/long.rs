//! Long calls: work in parts of about 50 ms with the interpreter lock released, between which Python looks
//! for signals, so that Ctrl-C ends a call after the step at hand. And sizes that no memory has.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// How long a call goes on before it asks for signals.
const PATIENCE: Duration = Duration::from_millis(50);

/// Calls `part(from, count)` until `total` steps are taken, or it returns false. The first part has at most
/// `pace` steps, the others take about [`PATIENCE`]; `pace` becomes what that is, for the next call. What a
/// part made before a signal stays.
pub(crate) fn in_parts<E: Send>(
    py: Python<'_>,
    total: u64,
    pace: &mut u64,
    mut part: impl FnMut(u64, u64) -> Result<bool, E> + Send,
) -> PyResult<Result<(), E>> {
    let mut at = 0;
    while at < total {
        let (begin, count) = (Instant::now(), (*pace).max(1).min(total - at));
        match py.detach(|| part(at, count)) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => return Ok(Err(error)),
        }
        at += count;
        if at < total {
            let ratio = PATIENCE.as_secs_f64() / begin.elapsed().as_secs_f64().max(1e-9);
            *pace = ((count as f64 * ratio.clamp(0.1, 16.0)) as u64).max(1);
            py.check_signals()?;
        }
    }
    Ok(Ok(()))
}

/// Zeros, or `MemoryError` where there is no room: for arrays whose size a caller gives.
pub(crate) fn zeros(sizes: &[usize], what: &str) -> PyResult<Vec<f64>> {
    let mut all = room_for(sizes, what)?;
    all.resize(all.capacity().min(product(sizes).unwrap_or(0)), 0.0);
    Ok(all)
}

/// An empty list with room for so many numbers.
pub(crate) fn room_for(sizes: &[usize], what: &str) -> PyResult<Vec<f64>> {
    let mut all = Vec::new();
    match product(sizes).map(|count| all.try_reserve_exact(count)) {
        Some(Ok(())) => Ok(all),
        _ => Err(no_room(sizes, what)),
    }
}

fn product(sizes: &[usize]) -> Option<usize> {
    sizes.iter().try_fold(1_usize, |all, size| all.checked_mul(*size))
}

pub(crate) fn no_room(sizes: &[usize], what: &str) -> PyErr {
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    PyMemoryError::new_err(format!("there is no memory for {what}: {} numbers", sizes.join(" × ")))
}

/// Whether there may be room for so many bytes: the system is asked for them, and they are given back.
pub(crate) fn has_room(count: usize, bytes: usize) -> bool {
    let mut trial: Vec<u8> = Vec::new();
    count.checked_mul(bytes).is_some_and(|all| trial.try_reserve_exact(all).is_ok())
}
