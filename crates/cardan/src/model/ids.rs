//! Ids of parts. In a model they are places in the order of adding, and the generation is zero. In a world, where parts come and go, a place may be
//! used again; the generation tells its owners apart, so that an id of a part that is gone never means another one.
//!
//! An id also carries its source: the number of the world or builder that gave it. Models and worlds refuse ids of another source. Nothing else
//! depends on the source: neither equality nor order nor any bit of a run. It is not saved, since files hold states and no ids.

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::sync::atomic::{AtomicU32, Ordering as Memory};

/// Where an id comes from: a world, a builder, or a bare index.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct IdSource(u32);

impl IdSource {
    /// Of an id that was made of a place alone, and is good wherever there is such a place.
    pub(crate) const ANY: IdSource = IdSource(0);

    /// Another one than all others.
    pub(crate) fn next() -> IdSource {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        match NEXT.fetch_add(1, Memory::Relaxed) {
            // After four billion it begins again.
            0 => IdSource::next(),
            number => IdSource(number),
        }
    }
}

impl IdSource {
    /// The place of the part that an id names, if the id is of this source or of any.
    pub(crate) fn place_of<I: Id>(self, id: I) -> Option<usize> {
        let is_ours = id.id_source() == self || id.id_source() == IdSource::ANY;
        (is_ours && id.generation() == 0).then_some(id.place() as usize)
    }
}

/// What all ids are.
pub(crate) trait Id: Copy {
    /// What it names, in messages.
    const WHAT: &'static str;
    fn new(index: u32, generation: u32, id_source: IdSource) -> Self;
    fn place(self) -> u32;
    fn generation(self) -> u32;
    fn id_source(self) -> IdSource;
}

macro_rules! id {
    ($name:ident, $what:literal) => {
        #[doc = concat!("Id of one ", $what, " of a model or world.")]
        ///
        /// An id knows which builder or world gave it. A model or world does not take the id of another one for its own: readers of
        /// [`Model`](crate::Model) return `None`, those of [`World`](crate::World) an error, and reports are NaN. Equality compares
        /// the number alone.
        ///
        /// With the feature `serde` an id is saved without its source: what is read back is accepted like one of
        /// [`of_index`](Self::of_index).
        #[derive(Copy, Clone)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name {
            pub(crate) index: u32,
            pub(crate) generation: u32,
            #[cfg_attr(feature = "serde", serde(skip))]
            id_source: IdSource,
        }
        impl $name {
            const fn key(self) -> (u32, u32) {
                (self.index, self.generation)
            }
        }
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut out = f.debug_struct(stringify!($name));
                out.field("index", &self.index).field("generation", &self.generation).finish()
            }
        }
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.key() == other.key()
            }
        }
        impl Eq for $name {}
        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }
        impl Ord for $name {
            fn cmp(&self, other: &Self) -> Ordering {
                self.key().cmp(&other.key())
            }
        }
        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.key().hash(state);
            }
        }
        impl $name {
            /// The id of the part that was added as number `index`, counted from zero. Every model and world accepts it.
            pub fn of_index(index: usize) -> Self {
                $name { index: index as u32, generation: 0, id_source: IdSource::ANY }
            }
            /// Number of the part in the order of adding, from zero.
            pub const fn index(self) -> usize {
                self.index as usize
            }
        }
        impl Id for $name {
            const WHAT: &'static str = $what;
            fn new(index: u32, generation: u32, id_source: IdSource) -> Self {
                $name { index, generation, id_source }
            }
            fn place(self) -> u32 {
                self.index
            }
            fn generation(self) -> u32 {
                self.generation
            }
            fn id_source(self) -> IdSource {
                self.id_source
            }
        }
    };
}

id!(BodyId, "body");
id!(JointId, "joint");
id!(ConstraintId, "constraint");
id!(ForceId, "force");
id!(ProbeId, "probe");
id!(InequalityId, "inequality");
id!(ShapeId, "shape");
id!(ImpulseId, "impulse");

/// What a joint, force or probe is attached to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum End {
    /// The ground, which never moves; its frame is the world's.
    Ground,
    /// A body; of one that has several pieces, the first.
    Body(BodyId),
    /// A piece of a general body.
    Piece(BodyId, u32),
}

impl End {
    /// The body, if it is none of the ground.
    pub fn body(self) -> Option<BodyId> {
        match self {
            End::Ground => None,
            End::Body(id) | End::Piece(id, _) => Some(id),
        }
    }
    /// The number of the piece, from zero.
    pub fn piece(self) -> usize {
        match self {
            End::Ground | End::Body(_) => 0,
            End::Piece(_, piece) => piece as usize,
        }
    }
    /// This end on another body.
    pub(crate) fn moved_to(self, id: BodyId) -> End {
        match self {
            End::Ground => End::Ground,
            End::Body(_) => End::Body(id),
            End::Piece(_, piece) => End::Piece(id, piece),
        }
    }
}

impl From<BodyId> for End {
    fn from(id: BodyId) -> Self {
        End::Body(id)
    }
}
