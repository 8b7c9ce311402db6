//! The log of a study: a header, then one line per finished row, each with a checksum. Lines are only
//! ever added.
//!
//! ```text
//! 31f6d2c09b1c44aa {"cardan_study":1,"measures":["peak:joints.A.drive.0"],"parameters":["bodies.crank.mass"],"rows":3,"study":"…"}
//! 8c21a4e07710f3b5 {"results":{"peak:joints.A.drive.0":1.25},"row":0,"state_hash":"d7e0382c6821a828","values":["0.5"]}
//! ```
//!
//! The checksum is FNV-1a (64 bits) of the bytes after the blank. A writer that is killed leaves at most
//! one line without its end: it is cut off when the log is opened again, and its row is run again.

use super::row::Checksum;
use super::{Study, StudyRow};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The version of the format.
const VERSION: u64 = 1;

/// Why a log cannot be used or written. What it held is untouched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The system says no.
    #[error("{path}: {error}; {rows} finished rows are in the log, and `resume` goes on from there")]
    Io {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
        /// Rows that are safe.
        rows: usize,
    },
    /// A log is there, and nobody asked to go on with it.
    #[error("{path} exists: go on with it (`resume`), or choose another name")]
    Exists {
        /// The file.
        path: String,
    },
    /// The file is no log of a study, or of another version.
    #[error("{path}: line {line}: {what}")]
    Damaged {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The log belongs to another study.
    #[error("{path} is the log of another study: its {what} differ")]
    OtherStudy {
        /// The file.
        path: String,
        /// What differs.
        what: &'static str,
    },
    /// Another process writes it.
    #[error("{path}: another process is writing this log")]
    Locked {
        /// The file.
        path: String,
    },
}

/// A log that is open for writing; no other process can open it meanwhile.
#[derive(Debug)]
pub struct StudyLog {
    path: PathBuf,
    file: File,
    /// Length of the whole lines.
    length: u64,
    rows: Vec<Option<StudyRow>>,
    done: usize,
    torn: bool,
}

impl Study {
    /// The robot and mesh files that the scene and the the values of parameters name, by their contents; 0 if there
    /// are none. Read once.
    fn files(&self) -> u64 {
        *self.files.get_or_init(|| {
            let mut sum = Checksum::default();
            let empty = sum.value();
            // A value may be a whole table with a `file` in it.
            let names_file = |text: &String| text.contains("file");
            let which = self.parameters.iter().chain(self.rows.iter().flatten()).any(names_file);
            // Without such a parameter all rows name the same files; without a row there are those of the scene.
            let rows = if which { self.rows.len() } else { 1 };
            let mut known = BTreeMap::new();
            for document in (0..rows).map(|row| self.document_of(row, which)) {
                let Ok(document) = document else {
                    sum.word("cannot be read");
                    continue;
                };
                document.robot_texts().for_each(|text| sum.word(text));
                for name in document.named_files() {
                    sum.word(&name);
                    let bits = || document.bytes_of(&name).map_or(0, |bytes| Checksum::of(&bytes));
                    sum.bits(*known.entry(name.clone()).or_insert_with(bits));
                }
            }
            if sum.value() == empty { 0 } else { sum.value() }
        })
    }

    /// What a log is compared by: the scene and the files that it names, the parameters with all values, what is measured,
    /// time and step.
    fn identity(&self) -> u64 {
        let mut sum = Checksum::default();
        sum.word(&self.text);
        if self.files() != 0 {
            sum.bits(self.files());
        }
        self.parameters.iter().for_each(|name| sum.word(name));
        self.rows.iter().flatten().for_each(|value| sum.word(value));
        self.measures.iter().for_each(|measure| sum.word(measure));
        for time in [self.until, self.dt] {
            sum.bits(time.map_or(0, f64::to_bits));
        }
        sum.value()
    }

    fn header(&self) -> Value {
        let mut header = json!({
            "cardan_study": VERSION,
            "study": format!("{:016x}", self.identity()),
            "scene": format!("{:016x}", Checksum::of(self.text.as_bytes())),
            "parameters": self.parameters,
            "measures": self.measures,
            "rows": self.rows.len(),
        });
        if self.files() != 0 {
            header["files"] = json!(format!("{:016x}", self.files()));
        }
        header
    }
}

fn line_of(json: &str) -> String {
    format!("{:016x} {json}\n", Checksum::of(json.as_bytes()))
}

/// The JSON of a whole line; `None` if its checksum is wrong.
fn json_of(line: &str) -> Option<&str> {
    let (sum, json) = line.split_once(' ')?;
    let given = u64::from_str_radix(sum, 16).ok().filter(|_| sum.len() == 16)?;
    (given == Checksum::of(json.as_bytes())).then_some(json)
}

impl StudyLog {
    /// Opens the log of a study. Without `resume` the file must not be there; with it, finished rows are
    /// read, and a torn last line is cut off. A file that is not there is begun in either case.
    ///
    /// # Errors
    /// If the file cannot be read or written, is no log, belongs to another study, or is damaged before
    /// its last line.
    pub fn open(path: impl AsRef<Path>, study: &Study, resume: bool) -> Result<Self, LogError> {
        let path = path.as_ref().to_path_buf();
        let shown = path.display().to_string();
        let io = |error| LogError::Io { path: shown.clone(), error, rows: 0 };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(io)?;
        if !file.metadata().map_err(io)?.is_file() {
            let what = "no ordinary file, so that nothing could be read again".to_string();
            return Err(LogError::Damaged { path: shown, line: 1, what });
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::Locked { path: shown }),
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        if !bytes.is_empty() && !resume {
            return Err(LogError::Exists { path: shown });
        }
        let (rows, length, torn) = read_rows(&shown, &bytes, study)?;
        let done = rows.iter().flatten().count();
        let mut log = StudyLog { path, file, length, rows, done, torn };
        if length < bytes.len() as u64 {
            log.file.set_len(length).map_err(|error| log.failed(error))?;
        }
        log.file.seek(SeekFrom::Start(length)).map_err(|error| log.failed(error))?;
        if length == 0 {
            log.write(&line_of(&study.header().to_string()))?;
            log.sync()?;
            sync_folder(&log.path);
        }
        Ok(log)
    }

    fn failed(&self, error: std::io::Error) -> LogError {
        LogError::Io { path: self.path.display().to_string(), error, rows: self.done }
    }

    /// Appends a line as a whole, or not at all.
    fn write(&mut self, line: &str) -> Result<(), LogError> {
        if let Err(error) = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush()) {
            // What a full disk took of the line.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(self.failed(error));
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Adds a finished row. A row that is there already is not written again.
    ///
    /// # Errors
    /// If it cannot be written, such as on a full disk: the log then ends with the row before it.
    pub fn append(&mut self, row: StudyRow) -> Result<(), LogError> {
        if self.rows.get(row.row).is_none_or(Option::is_some) {
            return Ok(());
        }
        self.write(&line_of(&row.to_json()))?;
        let at = row.row;
        self.rows[at] = Some(row);
        self.done += 1;
        Ok(())
    }

    /// Waits until the disk has all lines.
    ///
    /// # Errors
    /// If the system says no.
    pub fn sync(&self) -> Result<(), LogError> {
        self.file.sync_data().map_err(|error| self.failed(error))
    }

    /// Rows by number; `None` where none is finished.
    pub fn rows(&self) -> &[Option<StudyRow>] {
        &self.rows
    }
    /// Numbers of the rows that are not finished.
    pub fn missing(&self) -> impl Iterator<Item = usize> + '_ {
        self.rows.iter().enumerate().filter(|(_, row)| row.is_none()).map(|(number, _)| number)
    }
    /// How many rows are finished.
    pub fn done(&self) -> usize {
        self.done
    }
    /// Whether a torn last line was cut off when the log was opened.
    pub fn was_torn(&self) -> bool {
        self.torn
    }
    /// The digest of all finished rows.
    pub fn digest(&self) -> u64 {
        super::digest(self.rows.iter().flatten())
    }
}

/// Waits until the disk knows the name of a new file. Some systems cannot; the file is there all the same.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
}

/// Rows of a log, the length of its whole lines, and whether a torn one follows.
fn read_rows(
    path: &str,
    bytes: &[u8],
    study: &Study,
) -> Result<(Vec<Option<StudyRow>>, u64, bool), LogError> {
    let mut rows: Vec<Option<StudyRow>> = vec![None; study.rows.len()];
    let mut at = 0;
    let mut number = 0;
    while at < bytes.len() {
        number += 1;
        let end = bytes[at..].iter().position(|byte| *byte == b'\n').map(|length| at + length);
        let line = end.and_then(|end| std::str::from_utf8(&bytes[at..end]).ok());
        let is_last = end.is_none_or(|end| end + 1 == bytes.len());
        let damaged = |what: String| LogError::Damaged { path: path.into(), line: number, what };
        let Some(json) = line.and_then(json_of) else {
            if is_last && (number > 1 || is_torn_header(&bytes[at..], study)) {
                return Ok((rows, at as u64, true));
            }
            let what = if number == 1 { "no log of a study" } else { "the checksum is wrong" };
            return Err(damaged(what.into()));
        };
        if number == 1 {
            check_header(path, json, study)?;
        } else {
            let row = StudyRow::from_json(json).ok_or_else(|| damaged("no row of a study".into()))?;
            let own = study.rows.get(row.row);
            if own.is_none_or(|values| *values != row.values) {
                return Err(damaged(format!("row {} has other values than in the study", row.row)));
            }
            let slot = &mut rows[row.row];
            if slot.is_none() {
                *slot = Some(row);
            }
        }
        at = end.map_or(bytes.len(), |end| end + 1);
    }
    Ok((rows, at as u64, false))
}

/// Whether bytes are what a killed writer left of the header of this study. Nothing else is cut off.
fn is_torn_header(bytes: &[u8], study: &Study) -> bool {
    let own = line_of(&study.header().to_string());
    bytes.len() < own.len() && own.as_bytes().starts_with(bytes)
}

fn check_header(path: &str, json: &str, study: &Study) -> Result<(), LogError> {
    let damaged = |what: String| LogError::Damaged { path: path.into(), line: 1, what };
    let header: Value = serde_json::from_str(json).map_err(|error| damaged(error.to_string()))?;
    match header.get("cardan_study").and_then(Value::as_u64) {
        Some(VERSION) => {}
        Some(other) => {
            return Err(damaged(format!("the log has format {other}; this version reads {VERSION}")));
        }
        None => return Err(damaged("no log of a study".into())),
    }
    let own = study.header();
    if header.get("study") == own.get("study") {
        return Ok(());
    }
    let fields = [
        ("scene", "scenes"),
        ("files", "robot or mesh files"),
        ("parameters", "parameters"),
        ("measures", "measures"),
        ("rows", "numbers of rows"),
    ];
    let found = fields.iter().find(|(field, _)| header.get(*field) != own.get(*field));
    let what = found.map_or("values, times or steps", |(_, what)| what);
    Err(LogError::OtherStudy { path: path.into(), what })
}
