//! Values of a parameter: `--vary a=0:2:20` (so many points, ends included), `--vary b=1,2,5`, or rows of a CSV file.

use crate::Failure;
use std::path::Path;

/// Rows of a study at most.
const MOST_ROWS: usize = 1_000_000;

/// Parameters and the values of every row.
pub(crate) struct Grid {
    pub(crate) parameters: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// All combinations of what is varied; the last one runs fastest.
pub(crate) fn grid(vary: &[String]) -> Result<Grid, Failure> {
    let mut parameters = Vec::new();
    let mut rows: Vec<Vec<String>> = vec![Vec::new()];
    for text in vary {
        let bad = |why: String| Failure::Input(format!("error: --vary {text}: {why}"));
        let Some((path, values)) = text.split_once('=') else {
            let why = "write PATH=FROM:TO:COUNT or PATH=V,V,…, such as --vary bodies.rod.mass=1:3:5";
            return Err(bad(why.to_string()));
        };
        let values = values_of(values).map_err(bad)?;
        if rows.len().saturating_mul(values.len()) > MOST_ROWS {
            return Err(bad(format!("this makes more than {MOST_ROWS} rows")));
        }
        rows = rows
            .iter()
            .flat_map(|row| values.iter().map(move |value| [&row[..], std::slice::from_ref(value)].concat()))
            .collect();
        parameters.push(path.trim().to_string());
    }
    Ok(Grid { parameters, rows })
}

/// Rows of a CSV file; its head names the parameters.
pub(crate) fn from_file(path: &Path) -> Result<Grid, Failure> {
    let bad = |why: &dyn std::fmt::Display| Failure::Input(format!("error: {}: {why}", path.display()));
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(path).map_err(|error| bad(&error))?;
    let heads = reader.headers().map_err(|error| bad(&error))?;
    let parameters: Vec<String> = heads.iter().map(str::to_string).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| bad(&error))?;
        rows.push(record.iter().map(str::to_string).collect());
        if rows.len() > MOST_ROWS {
            return Err(bad(&format!("there are more than {MOST_ROWS} rows")));
        }
    }
    if rows.is_empty() {
        return Err(bad(&"there are no rows below the head"));
    }
    Ok(Grid { parameters, rows })
}

/// The values of one parameter.
fn values_of(text: &str) -> Result<Vec<String>, String> {
    let values = split(text, ',');
    if let [one] = &values[..]
        && let [from, to, count] = &split(one, ':')[..]
    {
        return points(from, to, count);
    }
    if values.iter().any(|value| value.trim().is_empty()) {
        return Err("a value is missing".to_string());
    }
    Ok(values.iter().map(|value| value.trim().to_string()).collect())
}

/// `count` points from one number to another; both may have the same unit.
fn points(from: &str, to: &str, count: &str) -> Result<Vec<String>, String> {
    let count: usize =
        count.trim().parse().map_err(|_| format!("`{}` is no number of points", count.trim()))?;
    let ((a, unit), (b, other)) = (number(from)?, number(to)?);
    if !unit.is_empty() && !other.is_empty() && unit != other {
        return Err(format!("`{unit}` and `{other}` are two units; write both ends in one"));
    }
    let unit = if other.is_empty() { unit } else { other };
    if !(2..=MOST_ROWS).contains(&count) {
        return Err("from one value to another there are at least 2 points".to_string());
    }
    let last = (count - 1) as f64;
    let at = |k: usize| {
        // Both ends are exact.
        let x = if k == count - 1 { b } else { a + (b - a) * (k as f64 / last) };
        if unit.is_empty() { format!("{x:?}") } else { format!("{x:?} {unit}") }
    };
    Ok((0..count).map(at).collect())
}

/// A number and its unit.
fn number(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    // The longest beginning that is a number: `e` may begin an exponent or a unit.
    for (end, _) in text.char_indices().map(|(i, c)| (i + c.len_utf8(), c)).rev() {
        if let Ok(x) = text[..end].trim_end().parse::<f64>()
            && x.is_finite()
        {
            return Ok((x, text[end..].trim()));
        }
    }
    Err(format!("`{text}` is no number"))
}

/// Splits outside of brackets and quotes.
fn split(text: &str, at: char) -> Vec<String> {
    let (mut parts, mut depth, mut quote) = (vec![String::new()], 0i32, None);
    for c in text.chars() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth -= 1,
            _ => {}
        }
        if c == at && depth == 0 && quote.is_none() {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_included_and_exact() {
        assert_eq!(values_of("0:2:5").unwrap(), ["0.0", "0.5", "1.0", "1.5", "2.0"]);
        assert_eq!(values_of("1 mm:3 mm:3").unwrap(), ["1.0 mm", "2.0 mm", "3.0 mm"]);
        assert_eq!(values_of("0.1:0.3:2").unwrap(), ["0.1", "0.3"]);
        assert_eq!(values_of("-1e-3:1e-3:3").unwrap(), ["-0.001", "0.0", "0.001"]);
        assert_eq!(values_of("[0,1],[1,0]").unwrap(), ["[0,1]", "[1,0]"]);
        assert_eq!(values_of("rk4, dopri5").unwrap(), ["rk4", "dopri5"]);
        for wrong in ["0:1:1", "0:1:x", "a:1:3", "1 mm:1 kg:3", "1,,2", ""] {
            assert!(values_of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_grid_has_all_combinations() {
        let Ok(grid) = grid(&["a=1,2".into(), "b=x,y,z".into()]) else { panic!("a grid") };
        assert_eq!(grid.parameters, ["a", "b"]);
        assert_eq!(grid.rows.len(), 6);
        assert_eq!(grid.rows[4], ["2", "y"]);
    }
}
