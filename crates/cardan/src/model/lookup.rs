//! From ids to parts, and from names to ids.
//!
//! Ids count parts in the order of adding. Two lists of a model have another order: inequalities begin with the limits of joints, which
//! were not added by themselves, and impulses are sorted by time. Limits therefore have the ids after those that were added.

use super::{
    BodyId, ConstraintId, ForceId, Id, ImpulseId, InequalityId, JointId, Model, ModelBody, ModelConstraint,
    ModelForce, ModelInequality, ModelJoint, ModelProbe, ProbeId, ShapeId,
};
use crate::contact::ModelShape;
use crate::impulse::ModelImpulse;
use crate::inequality::InequalityOrigin;
use core::ops::Index;

impl Model {
    /// The id of the part that was added as number `index`.
    pub(crate) fn id<I: Id>(&self, index: usize) -> I {
        I::new(index as u32, 0, self.id_source)
    }

    /// The number of a part in the order of adding, if its id belongs to this model.
    pub(crate) fn index_of<I: Id>(&self, id: I) -> Option<usize> {
        self.id_source.place_of(id)
    }

    /// How many of the inequalities are limits of joints; they come first.
    fn limit_count(&self) -> usize {
        self.inequalities.partition_point(|i| matches!(i.origin, InequalityOrigin::Limit { .. }))
    }

    /// Where an inequality is in the list of the model.
    pub(crate) fn inequality_index(&self, id: InequalityId) -> Option<usize> {
        let (limits, all) = (self.limit_count(), self.inequalities.len());
        let index = self.index_of(id).filter(|&index| index < all)?;
        let declared = all - limits;
        Some(if index < declared { limits + index } else { index - declared })
    }

    /// The id of an inequality by its place in the list of the model.
    pub(crate) fn inequality_id(&self, index: usize) -> InequalityId {
        let limits = self.limit_count();
        let declared = self.inequalities.len() - limits;
        self.id(if index < limits { declared + index } else { index - limits })
    }
}

macro_rules! parts {
    ($($id:ident, $part:ident, $what:literal, $get:ident, $ids:ident, $find:ident, $list:ident;)+) => {
        $(
            impl Model {
                #[doc = concat!("A ", $what, " by its id. `None` if the model has no such ", $what, ".")]
                pub fn $get(&self, id: $id) -> Option<&$part> {
                    self.$list.get(self.index_of(id)?)
                }
                #[doc = concat!("The ids of all parts of this kind (", $what, "), in the order of adding.")]
                pub fn $ids(&self) -> impl ExactSizeIterator<Item = $id> + use<> {
                    let source = self.id_source;
                    (0..self.$list.len()).map(move |i| $id::new(i as u32, 0, source))
                }
                #[doc = concat!("The ", $what, " of that name.")]
                pub fn $find(&self, name: &str) -> Option<$id> {
                    self.$list.iter().position(|part| part.name == name).map(|i| self.id(i))
                }
            }
            #[doc = concat!("`model[id]` is the ", $what, "; like every index it panics if there is none. [`Model::", stringify!($get),
                "`] returns `None` instead.")]
            impl Index<$id> for Model {
                type Output = $part;
                fn index(&self, id: $id) -> &$part {
                    self.$get(id).expect(concat!("the id of a ", $what, " of this model"))
                }
            }
        )+
    };
}
parts! {
    BodyId, ModelBody, "body", body, body_ids, find_body, bodies;
    JointId, ModelJoint, "joint", joint, joint_ids, find_joint, joints;
    ConstraintId, ModelConstraint, "constraint", constraint, constraint_ids, find_constraint, constraints;
    ForceId, ModelForce, "force", force, force_ids, find_force, forces;
    ProbeId, ModelProbe, "probe", probe, probe_ids, find_probe, probes;
}

impl Model {
    /// The range that limits leave coordinate `k` of a joint [m, rad]: low and high, infinite where there is none. NaN if
    /// there is no such joint.
    pub fn joint_limits(&self, joint: JointId, k: usize) -> (f64, f64) {
        let known = self.index_of(joint).filter(|j| *j < self.joints.len());
        known.map_or((f64::NAN, f64::NAN), |j| self.limits_of(j, k))
    }
    /// An inequality by its id. `None` if the model has no such inequality.
    pub fn inequality(&self, id: InequalityId) -> Option<&ModelInequality> {
        Some(&self.inequalities[self.inequality_index(id)?])
    }
    /// The ids of all inequalities, in the order of [`Model::inequalities`]: limits of joints first.
    pub fn inequality_ids(&self) -> impl ExactSizeIterator<Item = InequalityId> + '_ {
        (0..self.inequalities.len()).map(|i| self.inequality_id(i))
    }
    /// The inequality of that name. Limits have the name of their joint; the first one is found.
    pub fn find_inequality(&self, name: &str) -> Option<InequalityId> {
        self.inequalities.iter().position(|part| part.name == name).map(|i| self.inequality_id(i))
    }
    /// A shape for contact by its id. `None` if the model has no such shape.
    pub fn shape(&self, id: ShapeId) -> Option<&ModelShape> {
        self.contacts.shapes.get(self.index_of(id)?)
    }
    /// The ids of all shapes for contact, in the order of adding. Shapes have no names.
    pub fn shape_ids(&self) -> impl ExactSizeIterator<Item = ShapeId> + use<> {
        let source = self.id_source;
        (0..self.contacts.shapes.len()).map(move |i| ShapeId::new(i as u32, 0, source))
    }
    /// An impulse by its id. `None` if the model has no such impulse.
    pub fn impulse(&self, id: ImpulseId) -> Option<&ModelImpulse> {
        self.index_of(id)?;
        self.impulses.iter().find(|impulse| impulse.id == id)
    }
    /// The ids of all impulses, by time.
    pub fn impulse_ids(&self) -> impl ExactSizeIterator<Item = ImpulseId> + '_ {
        self.impulses.iter().map(|impulse| impulse.id)
    }
    /// The impulse of that name.
    pub fn find_impulse(&self, name: &str) -> Option<ImpulseId> {
        self.impulses.iter().find(|impulse| impulse.name == name).map(|impulse| impulse.id)
    }
}
