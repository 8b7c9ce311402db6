//! The table of a run, safe whatever happens: every finished row is in `NAME.part` as soon as it is made, and the name
//! itself appears by renaming at the end.
//!
//! A row is written as a whole or not at all: one write per row, taken back where a full disk cuts it. What was killed is
//! continued by `--resume`: rows up to the saved state are kept, the others are made again.

use crate::Failure;
use crate::output::{cannot_write, unknown_ending};
use cardan_scene::Column;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub(crate) struct TableFile {
    path: PathBuf,
    part: PathBuf,
    file: File,
    /// Length of the whole rows.
    length: u64,
    line: Vec<u8>,
}

/// Where the rows of a table are until it is whole.
pub(crate) fn part_of(table: &Path) -> PathBuf {
    let mut name = table.as_os_str().to_os_string();
    name.push(".part");
    PathBuf::from(name)
}

impl TableFile {
    /// Begins a table, or goes on with the rows of `NAME.part` up to a time. Those rows come back, too.
    pub(crate) fn open<'c>(
        path: &Path,
        columns: impl Iterator<Item = &'c Column>,
        resume: Option<f64>,
    ) -> Result<(Self, Vec<Vec<f64>>), Failure> {
        if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv")) {
            return Err(unknown_ending(path, ".csv"));
        }
        if path.is_dir() {
            return Err(cannot_write(path, &"it is a folder"));
        }
        let part = part_of(path);
        let cannot = |error: std::io::Error| cannot_write(path, &error);
        // A run that was killed between its last row and its last state has its table already.
        if resume.is_some() && !part.exists() && path.exists() {
            std::fs::copy(path, &part).map_err(cannot)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(resume.is_none());
        let mut file = options.open(&part).map_err(cannot)?;
        let heads: Vec<String> = columns.map(Column::head).collect();
        let head = format!("{}\n", heads.join(","));
        let (mut rows, mut length) = (Vec::new(), 0);
        if let Some(until) = resume {
            let mut text = String::new();
            file.read_to_string(&mut text).map_err(cannot)?;
            (rows, length) = rows_until(&text, &head, until).ok_or_else(|| {
                let why = "the rows that are there have other columns, so that nothing can be added to them";
                Failure::Input(format!("error: {}: {why}", part.display()))
            })?;
            file.set_len(length).map_err(cannot)?;
            file.seek(SeekFrom::Start(length)).map_err(cannot)?;
        }
        let mut table = TableFile { path: path.to_path_buf(), part, file, length, line: Vec::new() };
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

    /// The table under its own name.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        let done = self.file.sync_data().and_then(|()| std::fs::rename(&self.part, &self.path));
        done.map_err(|error| cannot_write(&self.path, &error))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
    pub(crate) fn part(&self) -> &Path {
        &self.part
    }
}

/// Whole rows up to a time, and the length of the text that has them; `None` if the columns are others.
fn rows_until(text: &str, head: &str, until: f64) -> Option<(Vec<Vec<f64>>, u64)> {
    // A head that was cut is begun again.
    if head.starts_with(text) && text.len() < head.len() {
        return Some((Vec::new(), 0));
    }
    let count = head.matches(',').count() + 1;
    let mut rest = text.strip_prefix(head)?;
    let (mut rows, mut length) = (Vec::new(), head.len());
    while let Some(end) = rest.find('\n') {
        let row: Option<Vec<f64>> = rest[..end].split(',').map(|x| x.parse().ok()).collect();
        let Some(row) = row.filter(|row| row.len() == count && row[0] <= until) else { break };
        rows.push(row);
        length += end + 1;
        rest = &rest[end + 1..];
    }
    Some((rows, length as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_rows_up_to_the_time_are_kept() {
        let (head, text) = ("time [s],x [m]\n", "time [s],x [m]\n0e0,1e0\n1e0,2e0\n2e0,3e0\n3e0,4");
        let kept =
            |until: f64| rows_until(text, head, until).map(|(rows, length)| (rows.len(), length as usize));
        assert_eq!(kept(1.0), Some((2, head.len() + 16)));
        assert_eq!(kept(9.0), Some((3, text.len() - 5)));
        assert_eq!(rows_until("time [s],y [m]\n", head, 1.0), None);
        assert_eq!(rows_until("time", head, 1.0).map(|(_, length)| length), Some(0));
    }
}
