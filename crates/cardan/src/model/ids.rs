//! Ids of parts. In a model they are places in the order of adding, and the generation is zero. In a world, where parts come and go, a place may be
//! used again; the generation tells its owners apart, so that an id of a part that is gone never means another one.

/// What all ids are.
pub(crate) trait Id: Copy {
    /// What it names, in messages.
    const WHAT: &'static str;
    fn new(index: u32, generation: u32) -> Self;
    fn place(self) -> u32;
    fn generation(self) -> u32;
}

macro_rules! id {
    ($name:ident, $what:literal) => {
        #[doc = concat!("Names a ", $what, " of one model or world.")]
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub(crate) index: u32,
            pub(crate) generation: u32,
        }
        impl $name {
            /// The id that the part at this place in the order of adding gets.
            pub fn of_index(index: usize) -> Self {
                $name { index: index as u32, generation: 0 }
            }
            /// Position in the model's list.
            pub const fn index(self) -> usize {
                self.index as usize
            }
        }
        impl Id for $name {
            const WHAT: &'static str = $what;
            fn new(index: u32, generation: u32) -> Self {
                $name { index, generation }
            }
            fn place(self) -> u32 {
                self.index
            }
            fn generation(self) -> u32 {
                self.generation
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

/// What a joint, force or probe is attached to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
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
    /// The same end of another body.
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
