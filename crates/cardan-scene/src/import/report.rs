//! What an import did with a robot file: what was used, approximated and ignored, by line.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write as _;

/// What happened to an element of a robot file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Treatment {
    /// It is in the scene as the file says.
    Used,
    /// It is in the scene in another form, which the note describes.
    Approximated,
    /// It is not in the scene.
    Ignored,
}

/// One line of an [`ImportReport`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportNote {
    /// What happened.
    pub treatment: Treatment,
    /// What it happened to, and why.
    pub what: String,
    /// The lines of the file, ascending; one for each occurrence.
    pub lines: Vec<usize>,
}

/// What an import used, approximated and ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    notes: Vec<ImportNote>,
    /// Index of each note.
    places: BTreeMap<(Treatment, String), usize>,
}

/// Lines that are listed of a note; the others are counted.
const LISTED: usize = 6;

impl ImportReport {
    /// All notes, in the order in which they were found.
    pub fn notes(&self) -> &[ImportNote] {
        &self.notes
    }

    /// The notes of one treatment.
    pub fn of(&self, treatment: Treatment) -> impl Iterator<Item = &ImportNote> {
        self.notes.iter().filter(move |note| note.treatment == treatment)
    }

    pub(crate) fn add(&mut self, treatment: Treatment, what: impl Into<String>, line: usize) {
        let what = what.into();
        match self.places.entry((treatment, what.clone())) {
            Entry::Occupied(place) => self.notes[*place.get()].lines.push(line),
            Entry::Vacant(place) => {
                place.insert(self.notes.len());
                self.notes.push(ImportNote { treatment, what, lines: vec![line] });
            }
        }
    }

    pub(crate) fn used(&mut self, what: impl Into<String>, line: usize) {
        self.add(Treatment::Used, what, line);
    }
    pub(crate) fn approximated(&mut self, what: impl Into<String>, line: usize) {
        self.add(Treatment::Approximated, what, line);
    }
    pub(crate) fn ignored(&mut self, what: impl Into<String>, line: usize) {
        self.add(Treatment::Ignored, what, line);
    }

    /// The report as text: a heading per treatment, a line per note with its number of occurrences and its lines.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let headings = [
            (Treatment::Used, "used"),
            (Treatment::Approximated, "approximated"),
            (Treatment::Ignored, "ignored"),
        ];
        for (treatment, heading) in headings {
            if self.of(treatment).next().is_none() {
                continue;
            }
            let _ = writeln!(text, "{heading}");
            for note in self.of(treatment) {
                let mut lines = note.lines.clone();
                lines.sort_unstable();
                let shown: Vec<String> = lines.iter().take(LISTED).map(usize::to_string).collect();
                let rest = if lines.len() > LISTED { ", …" } else { "" };
                let word = if lines.len() == 1 { "line" } else { "lines" };
                let count = lines.len();
                let _ = writeln!(text, "  {count:4} × {} ({word} {}{rest})", note.what, shown.join(", "));
            }
        }
        text
    }
}
