//! A node of the forest: one block and the link to its parent, with what goes in, what is kept and what comes out.

use crate::graph::NONE;
use crate::lane::Lane;
use crate::math::{Six, Sym3, Sym6, Vec3};

/// Most freedoms (freedoms form) or rows (rows form) that a tree link can have.
pub const MAX_COLUMNS: usize = 3;

/// Kind of a node with one or three freedoms: it has children or a general mass, and a parent.
pub(super) const INNER: u8 = 0;
/// Kind of a node with one or three freedoms: it has no children, and its mass is diag(m 1, I).
pub(super) const LEAF: u8 = 1;
/// Kind of a node with one or three freedoms: it has no parent, so nothing is handed on.
pub(super) const ROOT: u8 = 2;

/// Kernel flag: one freedom, mass diag(m 1, I), no loop passes. The input is a [`NodeInput`].
pub(super) const ONE_DOF: u8 = 1;
/// Kernel flag: as [`ONE_DOF`], but loops pass the node. The one-freedom kernel is used with AVX2 only.
pub(super) const ONE_DOF_IN_LOOP: u8 = 2;
/// Kernel flag: the link is reversed
/// ([`ArticulatedForest::set_reversed`](super::ArticulatedForest::set_reversed)).
pub(super) const REVERSED: u8 = 4;

/// How a tree link is eliminated.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Freedoms form, with this number of columns of N.
    Freedoms(u8),
    /// Rows form, with this number of rows of J_c.
    Rows(u8),
}

/// One block and the link to its parent: input, factor and solution.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct Node<T: Lane = f64> {
    // Input and factor. `f64x3/avx2.rs` writes these fields in this order.
    /// In: the mass M. After elimination: D = M + what the children added; for a spherical link its factor
    /// (`ball.rs`).
    pub diag: Sym6<T>,
    /// In: F. During a solve: F + what the children added.
    pub force: Six<T>,
    /// In, freedoms form: γ. In rows form the biases are in [`NodeExtra::bias`].
    pub gamma: Six<T>,
    /// In: d, from the parent's centre to this block's; zero without a parent.
    pub shift: Vec3<T>,
    /// In: the first column of N or row of J_c. After elimination: made orthogonal. For a spherical link
    /// ([`ArticulatedForest::use_ball_kernel`](super::ArticulatedForest::use_ball_kernel)) `first.lin` is the
    /// arm from the block's centre to the point.
    pub first: Six<T>,
    /// Freedoms form: Xᵀ w₁ with w₁ = D n₁; w₁ itself for a [`ROOT`]; φ and z of a spherical link.
    pub(super) carried_image: Six<T>,
    /// 1/δ₁ or 1/σ₁. `projection` below: (Nᵀr)/δ₁ or t₁/σ₁.
    pub(super) inverse: T,
    pub(super) projection: T,
    /// In, freedoms form: τ₁, the effort along the first freedom.
    pub effort: T,
    /// In, freedoms form: inertia of the joint itself along the first freedom, added to the diagonal of Q: A + h C + h² K.
    pub joint_inertia: T,
    // Solution.
    /// Out: the unknowns.
    pub x: Six<T>,
    /// Out: s or λ of the first column or row.
    pub first_answer: T,
    /// Index of the parent, or [`NONE`].
    pub(super) parent: u32,
    pub(super) form: Form,
    /// Some node has this one as its parent.
    pub(super) has_children: bool,
    /// The node is the first of its parent's children in elimination order.
    pub(super) is_first: bool,
    /// The block is a point: the angular half of its unknowns is zero.
    pub(super) is_point: bool,
    /// [`ONE_DOF`], [`ONE_DOF_IN_LOOP`], or 0; and [`REVERSED`].
    pub(super) special_kernel: u8,
    /// The link keeps one point together and leaves all rotations free (`ball.rs`).
    pub(super) is_ball: bool,
    /// [`INNER`], [`LEAF`] or [`ROOT`].
    pub(super) kind: u8,
    /// Index of the node's step in the elimination of loops, or [`NONE`].
    pub(super) loop_step: u32,
}

/// The part of a node that a link with one freedom does not need: columns or rows beyond the first, biases,
/// and the factor of D. It is stored apart, so that long chains of hinges fit the cache.
#[derive(Copy, Clone, Debug)]
pub struct NodeExtra<T: Lane = f64> {
    /// In: columns of N or rows of J_c beyond the first. After elimination: made orthogonal.
    pub columns: [Six<T>; MAX_COLUMNS - 1],
    /// In, freedoms form: efforts along the freedoms beyond the first.
    pub efforts: [T; MAX_COLUMNS - 1],
    /// In, freedoms form: inertias of the joint itself along the freedoms beyond the first.
    pub joint_inertias: [T; MAX_COLUMNS - 1],
    /// In, rows form: biases of all rows.
    pub bias: [T; MAX_COLUMNS],
    /// Out: s or λ of the columns or rows beyond the first.
    pub answers: [T; MAX_COLUMNS - 1],
    /// Freedoms form: Xᵀ w_k beyond the first; w_k itself for a [`ROOT`].
    pub(super) carried_images: [Six<T>; MAX_COLUMNS - 1],
    /// Rows form: z_k = D⁻¹ j_k of all rows.
    pub(super) row_images: [Six<T>; MAX_COLUMNS],
    pub(super) inverses: [T; MAX_COLUMNS - 1],
    pub(super) projections: [T; MAX_COLUMNS - 1],
    /// Coefficients of the orthogonalisation: of column 1 in 2; of columns 1 and 2 in 3.
    pub(super) mixed: [T; 3],
    /// Cholesky factor of D, packed, diagonal inverted; for roots and in rows form.
    pub(super) root: [T; 21],
}

/// Input of a node with mass diag(m 1, I) whose link has one freedom or is spherical.
#[derive(Copy, Clone, Debug, Default)]
pub struct NodeInput<T: Lane = f64> {
    /// m of M = diag(m 1, I).
    pub mass: T,
    /// I of M = diag(m 1, I).
    pub inertia: Sym3<T>,
    /// F.
    pub force: Six<T>,
    /// γ.
    pub gamma: Six<T>,
    /// d, from the parent's centre to this block's.
    pub shift: Vec3<T>,
    /// The column N; for a spherical link `first.lin` is the arm of the point.
    pub first: Six<T>,
    /// τ, the effort along the one freedom; zero for a spherical link.
    pub effort: T,
    /// Inertia of the joint itself along the one freedom: A + h C + h² K; zero for a spherical link.
    pub joint_inertia: T,
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
            effort: T::ZERO,
            joint_inertia: T::ZERO,
            x: Six::ZERO,
            first_answer: T::ZERO,
            parent: NONE,
            form: Form::Rows(0),
            has_children: false,
            is_first: false,
            is_point: false,
            special_kernel: 0,
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
            efforts: [T::ZERO; MAX_COLUMNS - 1],
            joint_inertias: [T::ZERO; MAX_COLUMNS - 1],
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
    /// Clears efforts before a right-hand side is written.
    #[inline(always)]
    pub(super) fn clear_effort(&mut self, extra: &mut NodeExtra<T>) {
        self.effort = T::ZERO;
        if !self.is_one_dof() {
            extra.efforts = [T::ZERO; MAX_COLUMNS - 1];
        }
    }
    /// Clears inertias of the joint itself, and efforts, before the input of an elimination is written.
    #[inline(always)]
    pub(super) fn clear_joint_input(&mut self, extra: &mut NodeExtra<T>) {
        (self.effort, self.joint_inertia) = (T::ZERO, T::ZERO);
        (extra.efforts, extra.joint_inertias) = ([T::ZERO; MAX_COLUMNS - 1], [T::ZERO; MAX_COLUMNS - 1]);
    }
    /// Q of a link with one freedom, by the last elimination: the inertia along it, that of the joint included.
    pub fn inertia_along_freedom(&self) -> T {
        T::ONE / self.inverse
    }
    /// Takes the inertia of a link with one freedom from a list by node, if there is one.
    #[inline(always)]
    pub(super) fn take_joint_inertia(&mut self, all: &[T], at: usize) {
        if let (Some(&inertia), Form::Freedoms(1)) = (all.get(at), self.form) {
            self.joint_inertia = inertia;
        }
    }
    /// The effort of the first freedom with the part that depends on the solution: τ₁ − joint_inertia s₁.
    #[inline(always)]
    pub fn first_effort(&self) -> T {
        self.effort - self.joint_inertia * self.first_answer
    }
    /// How the link is eliminated.
    #[inline(always)]
    pub fn form(&self) -> Form {
        self.form
    }
    /// Whether some node has this one as its parent.
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
        self.special_kernel & !REVERSED == ONE_DOF
    }
    #[inline(always)]
    pub(super) fn is_one_dof_in_loop(&self) -> bool {
        self.special_kernel & !REVERSED == ONE_DOF_IN_LOOP
    }
    #[inline(always)]
    pub(super) fn is_reversed(&self) -> bool {
        self.special_kernel & REVERSED != 0
    }
    /// Whether the input is the arm of a spherical link in place of columns
    /// ([`ArticulatedForest::use_ball_kernel`](super::ArticulatedForest::use_ball_kernel)).
    #[inline(always)]
    pub fn is_ball(&self) -> bool {
        self.is_ball
    }
    /// Index of the parent in elimination order, if there is one.
    #[inline(always)]
    pub fn parent(&self) -> Option<usize> {
        (self.parent != NONE).then_some(self.parent as usize)
    }
}
