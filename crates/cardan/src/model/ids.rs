//! Ids of parts, in the order of adding. The generation is for models that will be edited; today it is always zero.

macro_rules! id {
    ($name:ident, $what:literal) => {
        #[doc = concat!("Names a ", $what, " of one model.")]
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
    };
}

id!(BodyId, "body");
id!(JointId, "joint");
id!(ConstraintId, "user constraint");
id!(ForceId, "force");
id!(ProbeId, "probe");

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

impl From<BodyId> for End {
    fn from(id: BodyId) -> Self {
        End::Body(id)
    }
}
