//! Operation count of an acceleration solve.

use crate::math::{Six, Sym3, Sym6, Vec3, larger};
use crate::model::Model;
use crate::step::articulated::build::spanning_forest;
use crate::step::articulated::coupling::RowsWanted;
use crate::step::articulated::system::ArticulatedSystem;
use crate::step::workspace::Workspace;
use cardan_solve::articulated::{ArticulatedForest, FillWith, Node, NodeExtra, RANK_TOLERANCE};
use cardan_solve::{Counted, Lane, Operations};

/// Counts the arithmetic operations of the elimination of one acceleration solve, by repeating it
/// with numbers that count.
pub(crate) fn operations(model: &Model, work: &Workspace) -> Option<Operations> {
    // On a copy, with the rows of these motions and a rank plan for them.
    let mut articulated = work.solvers.articulated.clone()?;
    articulated.write_closures(model, &work.kinematics.motions, RowsWanted::BiasOfOpen);
    let ArticulatedSystem { forest, body_nodes, tolerance, length, .. } = &mut articulated;
    forest.plan(larger(RANK_TOLERANCE, *tolerance), *length, |at, geometry| {
        body_nodes[at].write_geometry(model, &work.kinematics.motions, geometry);
    });
    let mut counting: ArticulatedForest<Counted> = spanning_forest(model)?.0;
    if !forest.may_have_legs() {
        counting.forget_legs();
    }
    forest.adopt_plan(&mut counting);
    for (at, body_node) in body_nodes.iter().enumerate() {
        if body_node.is_ball {
            counting.use_ball_kernel(at);
        }
    }
    let vec = |v: Vec3| Vec3::new(Counted(v.x), Counted(v.y), Counted(v.z));
    let six = |v: &Six| Six::new(vec(v.lin), vec(v.ang));
    for (from, to) in forest.closures().iter().zip(counting.closures_mut()) {
        to.rows = from.rows.map(|rows| rows.map(|row| six(&row)));
        to.bias = from.bias.map(Counted);
        for (from, to) in from.ends.iter().zip(&mut to.ends) {
            to.rows = from.rows.map(|row| six(&row));
        }
    }
    Counted::reset();
    let outcome = counting.factor_and_solve(&mut FillWith(
        |at: usize, node: &mut Node<Counted>, node_extra: &mut NodeExtra<Counted>| {
            let (mut input, mut input_extra) = (forest.nodes()[at], *forest.extra(at));
            body_nodes[at].write(model, &work.kinematics.motions, None, &mut input, &mut input_extra);
            let (m, i) = (input.diag.a.xx, input.diag.c);
            let [xx, yy, zz, xy, xz, yz] = [i.xx, i.yy, i.zz, i.xy, i.xz, i.yz].map(Counted::splat);
            node.diag = Sym6::of_mass(Counted(m), Sym3 { xx, yy, zz, xy, xz, yz });
            (node.force, node.gamma) = (six(&input.force), six(&input.gamma));
            (node.shift, node.first) = (vec(input.shift), six(&input.first));
            node_extra.columns = input_extra.columns.map(|c| six(&c));
            node_extra.bias = input_extra.bias.map(Counted);
        },
    ));
    let counted = Counted::operations();
    outcome.ok().map(|()| counted)
}
