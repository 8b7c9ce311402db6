//! The table of a run, safe whatever happens: every finished row is in `NAME.part` as soon as it is made, and the name
//! itself appears by renaming at the end.
//!
//! A row is written as a whole or not at all: one write per row, taken back where a full disk cuts it. What was killed is
//! continued by `--resume`: rows up to the saved state are kept, the others are made again. Without it the rows
//! of an earlier run move to `NAME.part.old`.

use crate::Failure;
use crate::output::{cannot_write, unknown_ending};
use cardan_scene::Column;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub(crate) struct TableFile {
    path: PathBuf,
    part: PathBuf,
    file: File,
    /// Length of the whole rows.
    length: u64,
    /// Length without the last row that was kept.
    before_last: u64,
    is_finished: bool,
    line: Vec<u8>,
}

/// What a table goes on from.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Resumed {
    /// The time of the state; `None` if the run begins anew.
    pub(crate) time: Option<f64>,
    /// Whether there are steps left.
    pub(crate) goes_on: bool,
}

/// Where the rows of a table are until it is whole.
pub(crate) fn part_of(table: &Path) -> PathBuf {
    let mut name = table.as_os_str().to_os_string();
    name.push(".part");
    PathBuf::from(name)
}

impl TableFile {
    /// Begins a table, or goes on with the rows of `NAME.part` up to the time of a state. Those rows come back,
    /// too; they must reach that time, but for an interval.
    pub(crate) fn open<'c>(
        path: &Path,
        columns: impl Iterator<Item = &'c Column>,
        interval: f64,
        resume: Option<Resumed>,
    ) -> Result<(Self, Vec<Vec<f64>>), Failure> {
        if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv")) {
            return Err(unknown_ending(path, ".csv"));
        }
        if path.is_dir() {
            return Err(cannot_write(path, &"it is a folder"));
        }
        let part = part_of(path);
        let cannot = |error: std::io::Error| cannot_write(path, &error);
        let heads: Vec<String> = columns.map(Column::head).collect();
        let head = format!("{}\n", heads.join(","));
        let (mut rows, mut length, mut before_last) = (Vec::new(), 0, 0);
        match resume {
            None => put_aside(&part).map_err(cannot)?,
            Some(Resumed { time, .. }) => {
                // A run that was killed between its last row and its last state has its table already.
                let is_whole = time.is_some() && !part.exists() && path.exists();
                let source = if is_whole { path } else { &part };
                let text = match std::fs::read_to_string(source) {
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
                    text => text.map_err(cannot)?,
                };
                let kept = rows_until(&text, &head, time.unwrap_or(f64::NEG_INFINITY));
                (rows, [before_last, length]) = kept.ok_or_else(|| {
                    let why =
                        "the rows that are there have other columns, so that nothing can be added to them";
                    Failure::Input(format!("error: {}: {why}", source.display()))
                })?;
                if let Some(time) = time {
                    check_reach(source, rows.last().map(|row| row[0]), time, interval)?;
                }
                if is_whole {
                    std::fs::copy(path, &part).map_err(cannot)?;
                }
            }
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let mut file = options.open(&part).map_err(cannot)?;
        file.set_len(length).map_err(cannot)?;
        file.seek(SeekFrom::Start(length)).map_err(cannot)?;
        let (path, line) = (path.to_path_buf(), Vec::new());
        let mut table = TableFile { path, part, file, length, before_last, is_finished: false, line };
        if length == 0 {
            table.line.extend(head.as_bytes());
            table.write_line()?;
        }
        Ok((table, rows))
    }

    /// Adds a row.
    pub(crate) fn write(&mut self, row: impl Iterator<Item = f64>) -> Result<(), Failure> {
        self.line.clear();
        for (k, x) in row.enumerate() {
            // The shortest text that reads back to the same bits.
            let _ = write!(self.line, "{}{x:e}", if k == 0 { "" } else { "," });
        }
        self.line.push(b'\n');
        self.write_line()
    }

    fn write_line(&mut self) -> Result<(), Failure> {
        if let Err(error) = self.file.write_all(&self.line) {
            // What a full disk took of the row.
            let _ = self.file.set_len(self.length);
            let why = format!("{error}; the rows so far are in {}", self.part.display());
            return Err(cannot_write(&self.path, &why));
        }
        self.length += self.line.len() as u64;
        Ok(())
    }

    /// Takes back the last row that was kept.
    pub(crate) fn drop_last_kept(&mut self) -> Result<(), Failure> {
        self.length = self.before_last;
        let cut = self.file.set_len(self.length).and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
        cut.map(|_| ()).map_err(|error| cannot_write(&self.path, &error))
    }

    /// Brings the rows to the disk: a state that is saved after it has its rows, even if power fails.
    pub(crate) fn sync(&self) -> Result<(), Failure> {
        self.file.sync_data().map_err(|error| cannot_write(&self.path, &error))
    }

    /// The table under its own name.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.sync()?;
        std::fs::rename(&self.part, &self.path).map_err(|error| cannot_write(&self.path, &error))?;
        self.is_finished = true;
        Ok(())
    }

    /// Where the rows are: under the name of the table once it is whole.
    pub(crate) fn place(&self) -> &Path {
        if self.is_finished { &self.path } else { &self.part }
    }
}

/// Rows of an earlier run that was not ended are not lost if `--resume` was forgotten.
fn put_aside(part: &Path) -> std::io::Result<()> {
    let Ok(earlier) = std::fs::read(part) else { return Ok(()) };
    // A head alone is nothing.
    if earlier.iter().filter(|byte| **byte == b'\n').count() < 2 {
        return Ok(());
    }
    let mut old = part.as_os_str().to_os_string();
    old.push(".old");
    std::fs::rename(part, &old)?;
    let (part, old) = (part.display(), Path::new(&old).display());
    eprintln!(
        "warning: {part} has rows of a run that was not ended; they are now in {old}, and this run begins anew"
    );
    Ok(())
}

/// A table with a hole is none: its last row is at most an interval before the state.
fn check_reach(part: &Path, last: Option<f64>, time: f64, interval: f64) -> Result<(), Failure> {
    // Times of rows are sums of steps: a millionth of the interval is more than their rounding.
    if last.is_some_and(|last| time - last <= interval * (1.0 + 1e-6)) {
        return Ok(());
    }
    let end = last.map_or("there are none".to_string(), |last| format!("they end at {last} s"));
    Err(Failure::Input(format!(
        "error: {}: the saved state is of t = {time} s, but the rows do not reach it: {end}; remove the state to \
         begin anew, or go on with --from and a table of its own",
        part.display()
    )))
}

/// Whole rows up to a time, and the lengths of the text without the last of them and with all; `None` if the
/// columns are others.
fn rows_until(text: &str, head: &str, until: f64) -> Option<(Vec<Vec<f64>>, [u64; 2])> {
    // A head that was cut is begun again.
    if head.starts_with(text) && text.len() < head.len() {
        return Some((Vec::new(), [0; 2]));
    }
    let count = head.matches(',').count() + 1;
    let mut rest = text.strip_prefix(head)?;
    let (mut rows, mut length) = (Vec::new(), head.len());
    let mut before_last = length;
    while let Some(end) = rest.find('\n') {
        let row: Option<Vec<f64>> = rest[..end].split(',').map(|x| x.parse().ok()).collect();
        let Some(row) = row.filter(|row| row.len() == count && row[0] <= until) else { break };
        rows.push(row);
        before_last = length;
        length += end + 1;
        rest = &rest[end + 1..];
    }
    Some((rows, [before_last as u64, length as u64]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_rows_up_to_the_time_are_kept() {
        let (head, text) = ("time [s],x [m]\n", "time [s],x [m]\n0e0,1e0\n1e0,2e0\n2e0,3e0\n3e0,4");
        let kept = |until: f64| {
            rows_until(text, head, until).map(|(rows, ends)| (rows.len(), ends.map(|x| x as usize)))
        };
        assert_eq!(kept(1.0), Some((2, [head.len() + 8, head.len() + 16])));
        assert_eq!(kept(9.0), Some((3, [text.len() - 13, text.len() - 5])));
        assert_eq!(kept(-1.0), Some((0, [head.len(); 2])));
        assert_eq!(rows_until("time [s],y [m]\n", head, 1.0), None);
        assert_eq!(rows_until("time", head, 1.0).map(|(_, ends)| ends), Some([0; 2]));
    }

    #[test]
    fn rows_reach_the_state_but_for_an_interval() {
        let is_whole = |last, time| check_reach(Path::new("t.csv.part"), last, time, 0.1).is_ok();
        assert!(is_whole(Some(0.5), 0.5) && is_whole(Some(0.5), 0.6) && is_whole(Some(0.5), 0.55));
        assert!(!is_whole(Some(0.5), 0.61) && !is_whole(None, 0.0) && !is_whole(Some(f64::NAN), 0.5));
    }
}
