//! Serialised states, in a versioned format: little-endian, every f64 by its bits, with a checksum
//! at the end.
//!
//! ```text
//! magic (8)  version (u32)  kind (u32)  …  FNV-1a of everything before (u64)
//! ```

use crate::math::Vec3;
use crate::state::Fnv;

const MAGIC: [u8; 8] = *b"cardan\x1a\n";
/// Version of the format; increases with every change.
pub(crate) const VERSION: u32 = 2;

/// Why bytes are not a state of this model or world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The bytes do not start with the magic number.
    #[error("this is no saved state of cardan: it does not begin like one")]
    NotASave,
    /// Written by another version of the format.
    #[error("the saved state is of version {have} of the format; this program reads version {VERSION}")]
    Version {
        /// The version of the bytes.
        have: u32,
    },
    /// Saved from another kind of object.
    #[error("the saved state is that of {have}, and not of {want}")]
    Kind {
        /// The kind of the bytes.
        have: &'static str,
        /// The kind asked for.
        want: &'static str,
    },
    /// The bytes are truncated, too long, or changed.
    #[error("the saved state is damaged: {why}")]
    Damaged {
        /// How the damage shows.
        why: &'static str,
    },
    /// Saved from another model or world.
    #[error("the saved state belongs to another model: {why}")]
    Other {
        /// The difference.
        why: String,
    },
}

/// The kind of object that was saved.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum SaveKind {
    State = 1,
    World = 2,
}

impl SaveKind {
    fn name(self) -> &'static str {
        match self {
            SaveKind::State => "one simulation",
            SaveKind::World => "a world",
        }
    }
}

/// Writes numbers in sequence.
#[derive(Debug)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn new(kind: SaveKind) -> Self {
        let mut out = Writer(MAGIC.to_vec());
        out.word(VERSION);
        out.word(kind as u32);
        out
    }
    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }
    pub(crate) fn flag(&mut self, flag: bool) {
        self.byte(u8::from(flag));
    }
    pub(crate) fn word(&mut self, word: u32) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }
    pub(crate) fn long(&mut self, long: u64) {
        self.0.extend_from_slice(&long.to_le_bytes());
    }
    pub(crate) fn number(&mut self, x: f64) {
        self.long(x.to_bits());
    }
    pub(crate) fn vector(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|x| self.number(x));
    }
    pub(crate) fn numbers(&mut self, all: &[f64]) {
        self.long(all.len() as u64);
        all.iter().for_each(|x| self.number(*x));
    }
    pub(crate) fn words(&mut self, all: &[u32]) {
        self.long(all.len() as u64);
        all.iter().for_each(|x| self.word(*x));
    }
    /// The bytes with the checksum.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let mut hash = Fnv::default();
        self.0.iter().for_each(|byte| hash.byte(*byte));
        self.long(hash.value());
        self.0
    }
}

/// Reads numbers in sequence; memory is allocated only for data that is present.
#[derive(Debug)]
pub(crate) struct Reader<'a>(&'a [u8]);

const EARLY: SaveError = SaveError::Damaged { why: "it ends too early" };

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], want: SaveKind) -> Result<Self, SaveError> {
        let Some(rest) = bytes.strip_prefix(&MAGIC) else { return Err(SaveError::NotASave) };
        let mut reader = Reader(rest);
        let have = reader.word()?;
        if have != VERSION {
            return Err(SaveError::Version { have });
        }
        let Some((text, sum)) = bytes.split_last_chunk::<8>() else { return Err(EARLY) };
        let mut hash = Fnv::default();
        text.iter().for_each(|byte| hash.byte(*byte));
        if hash.value() != u64::from_le_bytes(*sum) {
            return Err(SaveError::Damaged { why: "its checksum is wrong" });
        }
        reader.0 = &rest[4..rest.len() - 8];
        let have = match reader.word()? {
            1 => SaveKind::State,
            2 => SaveKind::World,
            _ => return Err(SaveError::Damaged { why: "it is of an unknown kind" }),
        };
        if have != want {
            return Err(SaveError::Kind { have: have.name(), want: want.name() });
        }
        Ok(reader)
    }
    fn take<const N: usize>(&mut self) -> Result<[u8; N], SaveError> {
        let (head, rest) = self.0.split_first_chunk::<N>().ok_or(EARLY)?;
        self.0 = rest;
        Ok(*head)
    }
    pub(crate) fn byte(&mut self) -> Result<u8, SaveError> {
        Ok(self.take::<1>()?[0])
    }
    pub(crate) fn flag(&mut self) -> Result<bool, SaveError> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(SaveError::Damaged { why: "a switch is neither on nor off" }),
        }
    }
    pub(crate) fn word(&mut self) -> Result<u32, SaveError> {
        self.take().map(u32::from_le_bytes)
    }
    pub(crate) fn long(&mut self) -> Result<u64, SaveError> {
        self.take().map(u64::from_le_bytes)
    }
    pub(crate) fn number(&mut self) -> Result<f64, SaveError> {
        self.long().map(f64::from_bits)
    }
    pub(crate) fn vector(&mut self) -> Result<Vec3, SaveError> {
        Ok(Vec3::new(self.number()?, self.number()?, self.number()?))
    }
    /// Number of following items, each of at least `bytes` bytes.
    pub(crate) fn count(&mut self, bytes: usize) -> Result<usize, SaveError> {
        let count = self.long()?;
        let most = (self.0.len() / bytes.max(1)) as u64;
        if count > most { Err(EARLY) } else { Ok(count as usize) }
    }
    pub(crate) fn numbers(&mut self) -> Result<Vec<f64>, SaveError> {
        (0..self.count(8)?).map(|_| self.number()).collect()
    }
    pub(crate) fn words(&mut self) -> Result<Vec<u32>, SaveError> {
        (0..self.count(4)?).map(|_| self.word()).collect()
    }
    pub(crate) fn finish(self) -> Result<(), SaveError> {
        match self.0 {
            [] => Ok(()),
            _ => Err(SaveError::Damaged { why: "it goes on where it should end" }),
        }
    }
}
