//! A node of the forest: one block and the link to its parent, with what goes in, what is kept and what comes out.

use crate::graph::NONE;
use crate::lane::Lane;
use crate::math::{Six, Sym3, Sym6, Vec3};

/// Freedoms or rows that a link can have in these forms at most.
pub const MAX_COLUMNS: usize = 3;

/// What a place with one or three freedoms has to do: everything;
pub(super) const INNER: u8 = 0;
/// no children, and a mass diag(m 1, I) of its own;
pub(super) const LEAF: u8 = 1;
/// no parent to hand anything to.
pub(super) const ROOT: u8 = 2;

/// What a place is that goes in as [`NodeInput`] numbers, with one freedom: the short way is taken;
pub(super) const ONE_DOF: u8 = 1;
/// the same, but closures pass it: the short way is taken with wide registers.
pub(super) const ONE_DOF_IN_LOOP: u8 = 2;
/// The link is the other way round ([`ArticulatedForest::set_reversed`]).
pub(super) const REVERSED: u8 = 4;

/// How a link is eliminated.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// By its freedoms: this many columns of N.
    Freedoms(u8),
    /// By its rows: this many.
    Rows(u8),
}

/// One block and the link to its parent: what goes in, what is kept, what comes out.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct Node<T: Lane = f64> {
    // in, and kept; `avx2` writes these in this order
    /// In: the mass M. After elimination: D = M + what the children added, or what a ball keeps (`ball.rs`).
    pub diag: Sym6<T>,
    /// In: F. During a solve: F + what the children added.
    pub force: Six<T>,
    /// In, freedoms form: γ. In rows form the biases are in `bias`.
    pub gamma: Six<T>,
    /// In: d, from the parent's centre to this one's; zero without a parent.
    pub shift: Vec3<T>,
    /// In: a column of N, or a row of J_c. Kept: made orthogonal. For a ball ([`ArticulatedForest::use_ball_kernel`]) the arm of its point, `first.lin`.
    pub first: Six<T>,
    /// Freedoms form: Xᵀ w₁ with w₁ = D n₁; w₁ itself for a [`ROOT`]; φ and z of a ball.
    pub(super) carried_image: Six<T>,
    /// 1/δ₁ or 1/σ₁; then (Nᵀr)/δ₁ or t₁/σ₁.
    pub(super) inverse: T,
    pub(super) projection: T,
    // out
    /// Out: the unknowns.
    pub x: Six<T>,
    /// Out: s or λ of the first column or row.
    pub first_answer: T,
    /// Place of the parent, or [`NONE`].
    pub(super) parent: u32,
    pub(super) form: Form,
    /// Some block has this one as its parent.
    pub(super) has_children: bool,
    /// The first of its parent's children in elimination order.
    pub(super) is_first: bool,
    /// The block does not turn: the angular half of its unknowns is zero.
    pub(super) is_point: bool,
    /// [`ONE_DOF`], [`ONE_DOF_IN_LOOP`], or 0; and [`REVERSED`].
    pub(super) fast_kernel: u8,
    /// A link that holds one point (`ball.rs`).
    pub(super) is_ball: bool,
    /// [`INNER`], [`LEAF`] or [`ROOT`].
    pub(super) kind: u8,
    /// What closures do here, or [`NONE`].
    pub(super) loop_step: u32,
}

/// What a link with one freedom does not need, kept apart so that long chains of hinges fit the cache: columns or rows
/// beyond the first, biases and the factor of D.
#[derive(Copy, Clone, Debug)]
pub struct NodeExtra<T: Lane = f64> {
    /// In: columns of N, or rows of J_c. Kept: made orthogonal.
    pub columns: [Six<T>; MAX_COLUMNS - 1],
    /// In, rows form: biases of all rows.
    pub bias: [T; MAX_COLUMNS],
    /// Out: s or λ of the columns or rows beyond the first.
    pub answers: [T; MAX_COLUMNS - 1],
    /// Freedoms form: Xᵀ w_k beyond the first; likewise.
    pub(super) carried_images: [Six<T>; MAX_COLUMNS - 1],
    /// Rows form: z_k = D⁻¹ j_k of all rows.
    pub(super) row_images: [Six<T>; MAX_COLUMNS],
    pub(super) inverses: [T; MAX_COLUMNS - 1],
    pub(super) projections: [T; MAX_COLUMNS - 1],
    /// What was subtracted in the orthogonalisation: 2 less 1; 3 less 1, 2.
    pub(super) mixed: [T; 3],
    /// Cholesky factor of D, packed, diagonal inverted: roots and rows form.
    pub(super) root: [T; 21],
}

/// What goes into a place where a mass about its own centre hangs on a link with one freedom, or on one that holds a point: most places of
/// most mechanisms.
#[derive(Copy, Clone, Debug, Default)]
pub struct NodeInput<T: Lane = f64> {
    /// M = diag(m 1, I).
    pub mass: T,
    /// I.
    pub inertia: Sym3<T>,
    /// F.
    pub force: Six<T>,
    /// γ.
    pub gamma: Six<T>,
    /// d.
    pub shift: Vec3<T>,
    /// N, or the arm of the point that is held in `first.lin`.
    pub first: Six<T>,
}

impl<T: Lane> Default for Node<T> {
    fn default() -> Self {
        Node {
            diag: Sym6::ZERO,
            force: Six::ZERO,
            gamma: Six::ZERO,
            shift: Vec3::ZERO,
            first: Six::ZERO,
            carried_image: Six::ZERO,
            inverse: T::ZERO,
            projection: T::ZERO,
            x: Six::ZERO,
            first_answer: T::ZERO,
            parent: NONE,
            form: Form::Rows(0),
            has_children: false,
            is_first: false,
            is_point: false,
            fast_kernel: 0,
            is_ball: false,
            kind: INNER,
            loop_step: NONE,
        }
    }
}

impl<T: Lane> Default for NodeExtra<T> {
    fn default() -> Self {
        NodeExtra {
            columns: [Six::ZERO; MAX_COLUMNS - 1],
            bias: [T::ZERO; MAX_COLUMNS],
            answers: [T::ZERO; MAX_COLUMNS - 1],
            carried_images: [Six::ZERO; MAX_COLUMNS - 1],
            row_images: [Six::ZERO; MAX_COLUMNS],
            inverses: [T::ZERO; MAX_COLUMNS - 1],
            projections: [T::ZERO; MAX_COLUMNS - 1],
            mixed: [T::ZERO; 3],
            root: [T::ZERO; 21],
        }
    }
}

impl<T: Lane> Node<T> {
    /// How the link is eliminated.
    #[inline(always)]
    pub fn form(&self) -> Form {
        self.form
    }
    /// Whether it is the parent of another one.
    #[inline(always)]
    pub fn has_children(&self) -> bool {
        self.has_children
    }
    /// Whether it is the first of its parent's children, in elimination order.
    #[inline(always)]
    pub fn is_first_child(&self) -> bool {
        self.is_first
    }
    #[inline(always)]
    pub(super) fn is_one_dof(&self) -> bool {
        self.fast_kernel & !REVERSED == ONE_DOF
    }
    #[inline(always)]
    pub(super) fn is_one_dof_in_loop(&self) -> bool {
        self.fast_kernel & !REVERSED == ONE_DOF_IN_LOOP
    }
    #[inline(always)]
    pub(super) fn is_reversed(&self) -> bool {
        self.fast_kernel & REVERSED != 0
    }
    /// Whether its arm goes in, in the place of columns ([`ArticulatedForest::use_ball_kernel`]).
    #[inline(always)]
    pub fn is_ball(&self) -> bool {
        self.is_ball
    }
    /// Place of the parent, if there is one.
    #[inline(always)]
    pub fn parent(&self) -> Option<usize> {
        (self.parent != NONE).then_some(self.parent as usize)
    }
}
