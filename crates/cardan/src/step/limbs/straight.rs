//! Straight: accelerations from coordinates and velocities, without motions in between.
//!
//! A hinge or a ball that is closed asks for the axes of its child alone: of the parent its place and its velocities will do, and these are in the state. So the
//! elimination reads the state and writes no poses, which of very many bodies saves a fifth of what goes through memory. The arithmetic is that of `fill.rs`.

use super::closing::Closing;
use super::fill::{Axes, CLOSED, Name, Nothing, Place};
use super::lanes::moves_by_joints_and_weight;
use super::{Hold, Limbs};
use crate::body::{BodyKind, Motion};
use crate::math::{Mat3, Quat, Six, Vec3};
use crate::model::Model;
use crate::state::State;
use crate::step::{Integrator, Settings, Workspace};
use cardan_solve::spatial::wide::{Quad, Quads, Wide, cross, times};
use cardan_solve::spatial::{Fill, Limb, More};

/// Whether a model can be answered this way.
pub(super) fn applies(model: &Model, settings: &Settings, places: &[Place], closings: &[Closing]) -> bool {
    let is_simple = |place: &Place| {
        let is_onto_b = |hold: &Hold| hold.is_common() && hold.onto_b();
        place.kind == BodyKind::Rigid && place.hold.as_ref().is_none_or(is_onto_b)
    };
    settings.integrator != Integrator::FirstOrder
        && moves_by_joints_and_weight(model, settings)
        && closings.is_empty()
        && places.iter().all(is_simple)
}

/// Accelerations and loads of a state, where it can be done this way. A factor that was at hand is gone.
pub(in crate::step) fn accelerate(model: &Model, state: &State, work: &mut Workspace) -> bool {
    let Workspace { limbs: Some(limbs), acc, counts, .. } = work else { return false };
    if !(limbs.is_straight && state.assembled && Wide::here().is_some()) {
        return false;
    }
    limbs.factored.clear();
    limbs.given.clear();
    let Limbs { spatial, places, names, .. } = limbs;
    let mut filling = Filling {
        gravity: model.gravity,
        places,
        names,
        q: state.q.as_chunks().0,
        v: state.v.as_chunks().0,
        acc,
        nothing: Nothing::default(),
    };
    let is_fine = spatial.factor_and_solve(&mut filling).is_ok() && filling.nothing.is_nothing();
    if is_fine {
        counts.factorizations += 1;
        counts.solves += 1;
        (limbs.disagreement, limbs.has_loads) = (None, true);
    }
    is_fine
}

/// States as what goes into the places.
struct Filling<'w> {
    gravity: Vec3,
    places: &'w [Place],
    names: &'w [Name],
    /// Body by body.
    q: &'w [[f64; 7]],
    v: &'w [[f64; 6]],
    acc: &'w mut [f64],
    nothing: Nothing,
}

impl Filling<'_> {
    /// Place, velocity and angular velocity of a body, or of the ground behind them all.
    #[inline(always)]
    fn motion(&self, wide: Wide, body: usize) -> [Quad; 3] {
        let (Some(q), Some(v)) = (self.q.get(body), self.v.get(body)) else {
            return [Quad::splat(wide, 0.0); 3];
        };
        // Read where they are: numbers that were just written one by one would be waited for.
        match (q.first_chunk(), v.first_chunk(), v.last_chunk()) {
            (Some(pos), Some(vel), Some(omega)) => {
                [Quad::three(wide, pos), Quad::three(wide, vel), Quad::three(wide, omega)]
            }
            _ => [Quad::splat(wide, 0.0); 3],
        }
    }
}

impl Fill<f64> for Filling<'_> {
    /// A body that floats: all others come as quads.
    #[inline(always)]
    fn any(&mut self, at: usize, limb: &mut Limb, _: &mut More) {
        let place = &self.places[at];
        let ([x, y, z, w, i, j, k], v) = (self.q[place.body as usize], self.v[place.body as usize]);
        let rot = Quat { w, v: Vec3::new(i, j, k) };
        let Six { lin: vel, ang: omega } = Six::from_slice(&v);
        let motion = Motion { pos: Vec3::new(x, y, z), rot, axes: rot.matrix(), vel, omega };
        (limb.diag, limb.force) = place.mass_and_weight(self.gravity, &motion);
    }
    #[inline(always)]
    fn quads<const BALL: bool>(&mut self, wide: Wide, at: usize) -> Option<Quads> {
        let place = &self.places[at];
        let hold = place.hold.as_ref()?;
        let q = &self.q[place.body as usize];
        let axes = Axes::of_quaternion(wide, q[3], q.last_chunk()?);
        let own = self.motion(wide, place.body as usize);
        let parent = self.motion(wide, hold.ends().0);
        let mass = Quad::splat(wide, place.mass);
        let inertia = place.inertia_wide(wide, &axes);
        let (shift, first, gamma) =
            hold.write_wide_of::<CLOSED, BALL>(wide, (parent, own), &axes, &Mat3::IDENTITY);
        let omega = own[2];
        let weight = Quad::load(wide, &self.gravity) * mass;
        let force = [weight, cross(times(inertia, omega), omega)];
        Some(Quads { mass, inertia, force, gamma, shift, first })
    }
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six) {
        let first = self.names[at].rigid_at as usize;
        x.write(&mut self.acc[first..first + 6]);
        self.nothing.note(x);
    }
    #[inline(always)]
    fn answer_quads(&mut self, wide: Wide, at: usize, x: [Quad; 2]) -> bool {
        let first = self.names[at].rigid_at as usize;
        let Some(out) = self.acc.get_mut(first..).and_then(<[f64]>::first_chunk_mut) else { return false };
        Quad::store_six(x, out);
        self.nothing.note_quads(wide, x);
        true
    }
}
