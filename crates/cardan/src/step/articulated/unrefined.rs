//! Solves whose residual is not measured: where it decides nothing, and the accounts do not ask for it.
//!
//! The residual has two readers: the certificate, and the refinement of solves that left more than `CERTIFIED`. Whether a solve is refined must
//! not depend on the accounts, or the motion would. So the residual is left out only for mechanisms that are never refined: small open trees
//! of bodies of similar mass, whose elimination leaves less than a tenth of `CERTIFIED` in every pose (measured on random trees: `tests/api/accounts.rs`).
//! Elimination itself fails with a typed error where a pivot vanishes or an acceleration is not finite.

use crate::math::larger;
use crate::model::{Attachment, Model, ModelBody};
use crate::settings::{Coordinates, Fault, Settings};
use crate::step::articulated::ArticulatedSystem;
use crate::step::articulated::residual::{LoadSum, load_by_balance};
use crate::step::articulated::rhs::MassAndForce;
use crate::step::workspace::{Equations, Kinematics, Solvers, Workspace};

/// Most bodies of a tree that is never refined: rounding grows with the number of bodies between a leaf and the root.
const MOST_BODIES: usize = 64;
/// Largest ratio of masses, and of moments of inertia, in such a tree, and of m r² of a joint's arm r to the least moment of its body: a heavy body
/// on a light one, or a long arm of a thin body, cancels as many digits in the articulated inertia as the ratio has.
const LARGEST_RATIO: f64 = 1e4;

/// Whether no solve of this mechanism is refined.
pub(super) fn is_never_refined(model: &Model, settings: &Settings, has_closures: bool) -> bool {
    let (mut masses, mut inertias) = ((f64::INFINITY, 0.0), (f64::INFINITY, 0.0));
    let note = |range: &mut (f64, f64), x: f64| {
        *range = (if x < range.0 { x } else { range.0 }, larger(range.1, x));
    };
    for body in model.bodies.iter() {
        note(&mut masses, body.mass.mass);
        moments(body).into_iter().flatten().for_each(|moment| note(&mut inertias, moment));
    }
    let is_thin = |end: &Attachment| {
        let Some(body) = end.body().map(|body| &model.bodies[body]) else { return false };
        let of_arm = body.mass.mass * end.local.pos.dot(end.local.pos);
        moments(body).is_some_and(|moments| moments.iter().any(|moment| of_arm > LARGEST_RATIO * moment))
    };
    let has_thin = model.joints.iter().any(|joint| is_thin(&joint.a) || is_thin(&joint.b));
    let is_similar = |(least, most): (f64, f64)| most <= LARGEST_RATIO * least;
    let drives = model.joints.iter().any(|joint| joint.driven.is_some());
    // Joints that drift open have other biases than closed ones.
    let stays_closed = settings.projects() || settings.coordinates == Coordinates::Joints;
    settings.fault == Fault::None
        && stays_closed
        && !has_closures
        && !drives
        && !has_thin
        && model.bodies.len() <= MOST_BODIES
        && is_similar(masses)
        && is_similar(inertias)
}

/// Moments of inertia that a body turns by; none for a particle.
fn moments(body: &ModelBody) -> Option<[f64; 3]> {
    let inertia = &body.mass.inertia;
    match (body.kind.has_orientation(), body.kind.is_planar()) {
        (false, _) => None,
        (true, true) => Some([inertia.zz; 3]),
        (true, false) => Some([inertia.xx, inertia.yy, inertia.zz]),
    }
}

/// Whether the residual of the last solve may be left out.
pub(crate) fn may_skip_residual(work: &Workspace) -> bool {
    let has_contacts = work.contact.contacts.as_ref().is_some_and(|contacts| !contacts.set.is_empty());
    !has_contacts && work.solvers.articulated.as_ref().is_some_and(|articulated| articulated.is_never_refined)
}

/// Ends a solve whose residual is not measured: joint loads that the solve did not compute follow from the balances of the bodies, with the bits that
/// the residual gives them.
pub(crate) fn skip_residual(model: &Model, work: &mut Workspace, extra: bool) {
    work.equations.equation_residual = f64::NAN;
    let Workspace {
        solvers: Solvers { articulated, .. },
        kinematics: Kinematics { motions, .. },
        equations: Equations { system, .. },
        ..
    } = work;
    let Some(articulated) = articulated.as_mut().filter(|articulated| !articulated.has_loads) else { return };
    let ArticulatedSystem { forest, body_nodes, pending, mass_forces, .. } = articulated;
    let system = extra.then_some(&*system);
    let results = forest.results_mut();
    let mut depth = 0;
    for (at, ((body_node, node), load)) in
        body_nodes.iter().zip(results.nodes.iter()).zip(results.loads.iter_mut()).enumerate()
    {
        let mass_force = match mass_forces.get(at) {
            Some(mass_force) => *mass_force,
            None => MassAndForce::now(model, body_node, motions, system),
        };
        let mut sum = LoadSum::default();
        if node.has_children() {
            depth -= 1;
            sum = pending[depth];
        }
        *load = load_by_balance(&mass_force, &node.x, sum.sum);
        if node.parent().is_some() {
            if node.is_first_child() {
                pending[depth] = LoadSum::default();
                depth += 1;
            }
            pending[depth - 1].sum += load.carried_back(node.shift);
        }
    }
}
