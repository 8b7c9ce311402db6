//! A joint that closes a loop, as the fast way sees it: by its rows.

use crate::body::{BodyKind, Motion};
use crate::joint::{JointRows, Relative};
use crate::math::{Six, Vec3, larger};
use crate::model::Model;
use cardan_solve::spatial::Closure;

/// One joint beyond the forest.
#[derive(Clone, Debug)]
pub(super) struct Closing {
    /// Where the joint is in the model.
    pub(super) index: usize,
    /// Motions of a and b; the ground's is the last of all.
    pub(super) ends: [usize; 2],
}

/// What is wrong with a closing joint, row by row.
#[derive(Copy, Clone, Debug)]
pub(super) struct RowErrors {
    pub(super) count: usize,
    pub(super) err: [f64; 6],
    pub(super) rate: [f64; 6],
    pub(super) scale: [f64; 6],
    pub(super) rate_scale: [f64; 6],
}

/// What a body of a kind feels of a generalised force in space.
fn felt(kind: BodyKind, row: Six) -> Six {
    match kind {
        BodyKind::Rigid => row,
        BodyKind::Particle => Six::new(row.lin, Vec3::ZERO),
        BodyKind::Planar => Six::new(Vec3::new(row.lin.x, row.lin.y, 0.0), Vec3::new(0.0, 0.0, row.ang.z)),
        BodyKind::PlanarParticle => Six::new(Vec3::new(row.lin.x, row.lin.y, 0.0), Vec3::ZERO),
    }
}

impl Closing {
    pub(super) fn new(model: &Model, index: usize) -> Self {
        let joint = &model.joints[index];
        let motion = |body: Option<usize>| body.unwrap_or(model.bodies.len());
        Closing { index, ends: [motion(joint.a.body), motion(joint.b.body)] }
    }

    /// The relative motion and the rows of the joint.
    pub(super) fn rows(&self, model: &Model, motions: &[Motion]) -> (Relative, JointRows) {
        let joint = &model.joints[self.index];
        let a = motions[self.ends[0]].attach(&joint.a.local);
        let b = motions[self.ends[1]].attach(&joint.b.local);
        let relative = Relative::new(&a, &b);
        let mut rows = JointRows::default();
        joint.kind.write_rows(&relative, joint.plane.as_ref(), &mut rows);
        (relative, rows)
    }

    /// Rows on both ends, and biases.
    pub(super) fn write(&self, model: &Model, motions: &[Motion], out: &mut Closure) {
        let (relative, rows) = self.rows(model, motions);
        let joint = &model.joints[self.index];
        let (a, b) = (&motions[self.ends[0]], &motions[self.ends[1]]);
        let arm_b = b.axes * joint.b.local.pos;
        let to_anchor = b.pos + arm_b - a.pos;
        for r in 0..joint.rows {
            let w = relative.to_world(rows.gradient[r]);
            for (end, (body, arm, sign)) in
                [(joint.a.body, to_anchor, -1.0), (joint.b.body, arm_b, 1.0)].into_iter().enumerate()
            {
                let Some(body) = body else { continue };
                let row = Six::new(w.force, w.torque + arm.cross(w.force)).scaled(sign);
                out.rows[end][r] = felt(model.bodies[body].kind, row);
            }
            out.bias[r] = rows.jac_dot_v(r, &relative);
        }
    }

    /// C and Ċ, and the sizes of what formed them.
    pub(super) fn errors(&self, model: &Model, motions: &[Motion]) -> RowErrors {
        let (relative, rows) = self.rows(model, motions);
        let joint = &model.joints[self.index];
        let speed = |m: &Motion, arm: f64| {
            let spin = m.omega.largest();
            (m.vel.largest() + spin * arm, spin)
        };
        let (va, wa) = speed(&motions[self.ends[0]], joint.a.local.pos.norm());
        let (vb, wb) = speed(&motions[self.ends[1]], joint.b.local.pos.norm());
        let reach = (va + vb + wa * relative.offset.largest(), wa + wb);
        let mut out = RowErrors {
            count: joint.rows,
            err: rows.err,
            rate: [0.0; 6],
            scale: rows.scale,
            rate_scale: [0.0; 6],
        };
        for r in 0..joint.rows {
            let g = &rows.gradient[r];
            out.rate[r] = rows.err_rate(r, &relative);
            out.rate_scale[r] = g.force.largest() * reach.0 + g.torque.largest() * reach.1;
        }
        out
    }
}

/// J x + c of a row, and the size of the terms that form it; x of the ends, zero on the ground.
pub(super) fn row_left(closure: &Closure, r: usize, x: [&Six; 2]) -> (f64, f64) {
    let mut left = closure.bias[r];
    let mut size = left.abs();
    for (end, x) in x.into_iter().enumerate() {
        let row = &closure.rows[end][r];
        left += row.dot(x);
        size += row.lin.largest() * x.lin.largest() + row.ang.largest() * x.ang.largest();
    }
    (left, larger(size, 0.0))
}
