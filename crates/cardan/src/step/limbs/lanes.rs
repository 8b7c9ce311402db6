//! Lanes: a step of Euler's rules, and accelerations, of several mechanisms side by side.
//!
//! For forests of rigid bodies on hinges and balls, floating or on the ground, that nothing drives: what most machines without contacts are. The arithmetic is
//! that of the fast way (`fill.rs`, `right.rs`, `certify.rs`, `forest.rs`, `rates.rs`), in the same order, so every lane has the bits that it would have alone.
//!
//! A step goes the common way: accelerations with the factor of this pose, bodies moved and joints closed one after another, velocities projected with the factor of
//! the new pose. Whatever one of the mechanisms would do besides (refine an answer, close in rounds, fail) is not done here: its lane is *odd*, and whoever
//! asked takes that step alone.

use super::certify::{Handed, Worst, balance, square};
use super::fill::{Place, inertia_along, weight_of_rigid};
use super::forest::{LITTLE, turned_by, turned_by_little};
use super::hold::{
    Hold, across, axis_curvature, bias_of_anchor, note_left_of_locks, note_left_on_ground, simple_gamma,
};
use super::rates::{Lever, Sizes, slip};
use super::right::Given;
use super::{Limbs, forest};
use crate::body::{BodyKind, Motion, Wrench};
use crate::joint::Shape;
use crate::math::{Lane, Mat3, Quat, Six, Sym3, Sym6, Vec3};
use crate::measure::JointLoad;
use crate::measure::coordinates::{Hinge, Turning};
use crate::model::Model;
use crate::state::{Ledger, State};
use crate::step::stabilise::{NOISE, bound};
use crate::step::{Coordinates, Elimination, Fault, Integrator, Settings, SolverChoice, Stabilization};
use cardan_solve::pack::{Mask, Pack};
use cardan_solve::spatial::{Fill, Limb, More, Plain, ROOTS};
use cardan_solve::{Link, Spatial, Task};

/// What is the same in all lanes: whether these can be stepped side by side is a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Structure {
    spots: Vec<Spot>,
    bodies: usize,
    turns: usize,
    hinges: Vec<(u32, u32, u32)>,
}

/// A place of the elimination: its body, and how that is held.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Spot {
    body: u32,
    /// Place of the parent, the number of places for the ground; the same for a body that floats.
    parent: u32,
    is_held: bool,
    is_hinge: bool,
    /// It is the joint's second body; otherwise the first.
    onto_b: bool,
    /// The joint's first body is the ground.
    on_ground: bool,
    /// The first place of a tree, whose root is `root`.
    begins: bool,
    root: u32,
    is_principal: bool,
    is_plain: bool,
}

impl Spot {
    /// A ball on its second body, which goes in by its arm.
    fn is_ball(&self) -> bool {
        self.is_held && !self.is_hinge && self.onto_b
    }
    /// a and b of its joint, of itself and its parent.
    #[inline(always)]
    fn sides<X>(&self, own: X, parent: X) -> (X, X) {
        if self.onto_b { (parent, own) } else { (own, parent) }
    }
}

impl Structure {
    /// The structure of a model that can be stepped in lanes with these settings; `None` if it cannot.
    pub(crate) fn of(model: &Model, settings: &Settings) -> Option<Self> {
        let is_euler =
            matches!(settings.integrator, Integrator::ExplicitEuler | Integrator::SemiImplicitEuler);
        let is_simple = settings.stabilization == Stabilization::Projection
            && settings.coordinates == Coordinates::Bodies
            && settings.geometry_tolerance == 0.0
            && settings.fault == Fault::None;
        let is_bare = model.drives.is_empty()
            && !model.has_forces()
            && !model.has_inequalities()
            && model.constraints.is_empty()
            && model.blows().is_empty();
        let is_fast = matches!(settings.solver, SolverChoice::Auto | SolverChoice::Tree)
            && settings.elimination == Elimination::Freedoms;
        if !(is_euler && is_simple && is_bare && is_fast) {
            return None;
        }
        let limbs = Limbs::new(model, settings)?;
        let is_common =
            |place: &Place| place.kind == BodyKind::Rigid && place.hold.as_ref().is_none_or(Hold::is_common);
        if !limbs.closings.is_empty() || !limbs.places.iter().all(is_common) {
            return None;
        }
        let hinges = Turning::new(model);
        let hinges = hinges.hinges_alone()?.iter().map(|hinge| (hinge.a, hinge.b, hinge.at)).collect();
        let count = limbs.places.len();
        let parents = limbs.spatial.limbs().iter().map(|limb| limb.parent().unwrap_or(count) as u32);
        let mut spots: Vec<Spot> = limbs
            .places
            .iter()
            .zip(parents)
            .map(|(place, parent)| Spot {
                body: place.body,
                parent,
                is_held: place.hold.is_some(),
                is_hinge: place.hold.as_ref().is_some_and(|hold| hold.shape() == Shape::Hinge),
                onto_b: place.hold.as_ref().is_some_and(Hold::onto_b),
                on_ground: place.hold.as_ref().is_some_and(Hold::on_ground),
                begins: false,
                root: 0,
                is_principal: place.is_principal,
                is_plain: place.is_plain,
            })
            .collect();
        // A tree is in one piece, its root at the end.
        let mut begin = 0;
        for at in 0..count {
            if spots[at].parent as usize == count {
                spots[begin..=at].iter_mut().for_each(|spot| spot.root = at as u32);
                spots[begin].begins = true;
                begin = at + 1;
            }
        }
        Some(Structure { spots, bodies: count, turns: model.initial.turns.len(), hinges })
    }
}

/// Numbers of a place that may differ from lane to lane.
#[derive(Clone, Debug, Default)]
struct Part<T: Lane> {
    mass: T,
    inertia: Sym3<T>,
    gyration: T,
    /// Anchor and z axis on the body and on its parent.
    own: (Vec3<T>, Vec3<T>),
    theirs: (Vec3<T>, Vec3<T>),
    arms_squared: (T, T),
}

/// Mechanisms side by side.
#[derive(Debug)]
pub(crate) struct Lanes<T: Pack> {
    spots: Vec<Spot>,
    parts: Vec<Part<T>>,
    hinges: Vec<Hinge<T>>,
    gravity: Vec3<T>,
    /// Some tree floats.
    floats: bool,
    spatial: Spatial<T>,
    /// Poses and velocities, by place, the ground behind them; and where the last step led.
    now: Vec<Motion<T>>,
    next: Vec<Motion<T>>,
    turns: Vec<T>,
    next_turns: Vec<T>,
    ledger: Accounts<T>,
    next_ledger: Accounts<T>,
    /// The place of each body.
    place_of: Vec<u32>,
    acc: Vec<Six<T>>,
    /// Of the pose of the factor at hand.
    levers: Vec<Lever<T>>,
    inertias: Vec<Sym3<T>>,
    sizes: Vec<Sizes<T>>,
    given: Vec<Given<T>>,
    gammas: Vec<Six<T>>,
    scratch: Vec<Handed<T>>,
    /// The factor at hand is of the present poses; and it comes from a step, with arms and inertias.
    is_factored: bool,
}

/// What has come from outside.
#[derive(Copy, Clone, Debug, Default)]
struct Accounts<T: Lane> {
    impulse: Vec3<T>,
    angular_impulse: Vec3<T>,
}

/// What a step of all lanes came to.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Taken<T: Pack> {
    /// Lanes that must be stepped alone.
    pub(crate) odd: T::Mask,
    pub(crate) position_error: T,
    pub(crate) velocity_error: T,
    pub(crate) equation_residual: T,
}

fn pack<T: Pack>(models: &[&Model], each: impl Fn(&Model) -> f64) -> T {
    T::from_lanes(|i| each(models[i.min(models.len() - 1)]))
}
fn pack3<T: Pack>(models: &[&Model], each: impl Fn(&Model) -> Vec3) -> Vec3<T> {
    Vec3::new(pack(models, |m| each(m).x), pack(models, |m| each(m).y), pack(models, |m| each(m).z))
}

impl<T: Pack> Lanes<T> {
    /// For models of one structure, one per lane; lanes beyond them repeat the last.
    pub(crate) fn new(structure: &Structure, models: &[&Model]) -> Option<Self> {
        let first = *models.first()?;
        let mut spatial: Spatial<T> = forest(first)?;
        let count = structure.spots.len();
        let joint = |at: usize| spatial.at(at).1.map(|link| link.0 as usize);
        let place =
            |model: &Model, at: usize| Place::new(model, structure.spots[at].body as usize, joint(at));
        let part = |at: usize| {
            let places: Vec<Place> = models.iter().map(|model| place(model, at)).collect();
            let lane = |i: usize| &places[i.min(places.len() - 1)];
            let number = |f: &dyn Fn(&Place) -> f64| T::from_lanes(|i| f(lane(i)));
            let vector = |f: &dyn Fn(&Place) -> Vec3| {
                Vec3::new(number(&|p| f(p).x), number(&|p| f(p).y), number(&|p| f(p).z))
            };
            let held = |p: &Place| p.hold.as_ref().map(Hold::sides).unwrap_or_default();
            let arms = |p: &Place| p.hold.as_ref().map(Hold::arms_squared).unwrap_or_default();
            let sym = |f: &dyn Fn(&Sym3) -> f64| number(&|p| f(&p.inertia));
            Part {
                mass: number(&|p| p.mass),
                inertia: Sym3 {
                    xx: sym(&|i| i.xx),
                    yy: sym(&|i| i.yy),
                    zz: sym(&|i| i.zz),
                    xy: sym(&|i| i.xy),
                    xz: sym(&|i| i.xz),
                    yz: sym(&|i| i.yz),
                },
                gyration: number(&|p| p.gyration),
                own: (vector(&|p| held(p).1.0), vector(&|p| held(p).1.1)),
                theirs: (vector(&|p| held(p).2.0), vector(&|p| held(p).2.1)),
                arms_squared: (number(&|p| arms(p).0), number(&|p| arms(p).1)),
            }
        };
        let parts: Vec<Part<T>> = (0..count).map(part).collect();
        let mut place_of = vec![0; structure.bodies];
        for (at, spot) in structure.spots.iter().enumerate() {
            place_of[spot.body as usize] = at as u32;
            spatial.make_lump(at);
            if spot.is_plain {
                spatial.make_plain(at);
            }
            if spot.is_ball() {
                spatial.make_ball(at);
            }
        }
        let turning: Vec<Turning> = models.iter().map(|model| Turning::new(model)).collect();
        let at_place = |motion: u32| place_of.get(motion as usize).map_or(count as u32, |&at| at);
        let hinge = |(k, &(a, b, at)): (usize, &(u32, u32, u32))| {
            let of = |i: usize| turning[i.min(turning.len() - 1)].hinges_alone().and_then(|all| all.get(k));
            let number = |f: &dyn Fn(&Hinge) -> f64| T::from_lanes(|i| of(i).map_or(0.0, f));
            let vector = |f: &dyn Fn(&Hinge) -> Vec3| {
                Vec3::new(number(&|h| f(h).x), number(&|h| f(h).y), number(&|h| f(h).z))
            };
            Hinge {
                a: at_place(a),
                b: at_place(b),
                on_ground: a as usize == structure.bodies,
                at,
                axis: vector(&|h| h.axis),
                w: Quat { w: number(&|h| h.w.w), v: vector(&|h| h.w.v) },
                z: Quat { w: number(&|h| h.z.w), v: vector(&|h| h.z.v) },
            }
        };
        let motions = vec![Motion::GROUND; count + 1];
        Some(Lanes {
            hinges: structure.hinges.iter().enumerate().map(hinge).collect(),
            gravity: pack3(models, |model| model.gravity),
            floats: structure.spots.iter().any(|spot| !spot.is_held),
            spots: structure.spots.clone(),
            parts,
            next: motions.clone(),
            now: motions,
            turns: vec![T::ZERO; structure.turns],
            next_turns: vec![T::ZERO; structure.turns],
            ledger: Accounts::default(),
            next_ledger: Accounts::default(),
            place_of,
            acc: vec![Six::ZERO; count],
            levers: vec![Lever::default(); count],
            inertias: vec![Sym3::default(); count],
            sizes: vec![Sizes::default(); count],
            given: Vec::with_capacity(count),
            gammas: vec![Six::ZERO; count],
            scratch: vec![Handed::default(); count],
            is_factored: false,
            spatial,
        })
    }

    /// Takes over the state of a lane.
    pub(crate) fn load(&mut self, lane: usize, state: &State) {
        self.is_factored = false;
        for (body, &at) in self.place_of.iter().enumerate() {
            let (Some(q), Some(v)) =
                (state.q[7 * body..].first_chunk::<7>(), state.v[6 * body..].first_chunk::<6>())
            else {
                continue;
            };
            let motion = &mut self.now[at as usize];
            set(&mut motion.pos, lane, [q[0], q[1], q[2]]);
            motion.rot.w.set_lane(lane, q[3]);
            set(&mut motion.rot.v, lane, [q[4], q[5], q[6]]);
            set(&mut motion.vel, lane, [v[0], v[1], v[2]]);
            set(&mut motion.omega, lane, [v[3], v[4], v[5]]);
        }
        for (turn, &x) in self.turns.iter_mut().zip(&state.turns) {
            turn.set_lane(lane, x);
        }
        set(&mut self.ledger.impulse, lane, state.ledger.impulse.to_array());
        set(&mut self.ledger.angular_impulse, lane, state.ledger.angular_impulse.to_array());
    }

    /// Gives a lane's state back; all but time, which whoever asked keeps.
    pub(crate) fn store(&self, lane: usize, state: &mut State) {
        for (body, &at) in self.place_of.iter().enumerate() {
            let motion = &self.now[at as usize];
            let (pos, rot) = (get(motion.pos, lane), get(motion.rot.v, lane));
            let (vel, omega) = (get(motion.vel, lane), get(motion.omega, lane));
            let w = motion.rot.w.lane(lane);
            state.q[7 * body..][..7].copy_from_slice(&[pos[0], pos[1], pos[2], w, rot[0], rot[1], rot[2]]);
            state.v[6 * body..][..6].copy_from_slice(&[vel[0], vel[1], vel[2], omega[0], omega[1], omega[2]]);
        }
        for (x, turn) in state.turns.iter_mut().zip(&self.turns) {
            *x = turn.lane(lane);
        }
        state.ledger = Ledger {
            impulse: get(self.ledger.impulse, lane).into(),
            angular_impulse: get(self.ledger.angular_impulse, lane).into(),
            ..state.ledger
        };
    }

    /// Accelerations of a body in a lane, by the last [`accelerations`](Lanes::accelerations).
    pub(crate) fn acceleration(&self, lane: usize, body: usize) -> Option<(Vec3, Vec3)> {
        let x = &self.acc[*self.place_of.get(body)? as usize];
        Some((get(x.lin, lane).into(), get(x.ang, lane).into()))
    }

    /// What a joint exerts on its body in a lane.
    pub(crate) fn joint_load(&self, lane: usize, joint: usize) -> Option<JointLoad> {
        let at = (0..self.spots.len()).find(|&at| self.spatial.at(at).1 == Some(Link(joint as u32)))?;
        let x = &self.spatial.loads()[at];
        let wrench = Wrench { force: get(x.lin, lane).into(), torque: get(x.ang, lane).into() };
        Some(JointLoad { joint, body: self.spots[at].body as usize, wrench })
    }

    /// The last step is taken: where it led is where they are. Lanes that were stepped alone are loaded after this.
    pub(crate) fn accept(&mut self) {
        core::mem::swap(&mut self.now, &mut self.next);
        core::mem::swap(&mut self.turns, &mut self.next_turns);
        self.ledger = self.next_ledger;
    }

    /// Accelerations and loads of all lanes; nothing moves. False if there are none in some lane.
    pub(crate) fn accelerations(&mut self) -> bool {
        T::within(Accelerate(self))
    }

    #[inline(always)]
    fn accelerations_within(&mut self) -> bool {
        self.is_factored = false;
        self.write_axes();
        let Lanes { spots, parts, spatial, now, acc, gravity, .. } = self;
        let nothing = Six::ZERO;
        let mut filling = Filling::<T, true> { spots, parts, motions: now, gravity: *gravity, acc, nothing };
        let outcome = spatial.factor_and_solve(&mut filling);
        outcome.is_ok() && filling.nothing == Six::ZERO
    }

    /// Axes of the bodies from their orientations.
    #[inline(always)]
    fn write_axes(&mut self) {
        let count = self.spots.len();
        for motion in &mut self.now[..count] {
            motion.axes = motion.rot.matrix();
        }
    }

    /// One step of `h` by one of Euler's rules, into `next`.
    pub(crate) fn step(&mut self, h: f64, semi_implicit: bool) -> Taken<T> {
        T::within(Advance(self, h, semi_implicit))
    }

    #[inline(always)]
    fn step_within(&mut self, h: f64, semi_implicit: bool) -> Taken<T> {
        let all_odd = Taken {
            odd: !T::Mask::NONE,
            position_error: T::ZERO,
            velocity_error: T::ZERO,
            equation_residual: T::ZERO,
        };
        let was_factored = self.is_factored;
        if !was_factored && !self.factor() {
            return all_odd;
        }
        self.is_factored = false;
        let part = T::splat(0.5 * h * h * if semi_implicit { -1.0 } else { 1.0 });
        self.solve(part);
        let residual = self.certify();
        self.book(h);
        let far = self.advance(T::splat(h), semi_implicit);
        if !self.correct_rates() {
            return all_odd;
        }
        self.book_impulse();
        let measured = self.measure();
        for hinge in &self.hinges {
            let at = hinge.at as usize;
            self.next_turns[at] = hinge.follow(&self.next, self.turns[at], T::splat(h));
        }
        self.is_factored = true;
        // Where arms were not known the certificate of one alone is another: it must not be near the bound.
        let least = T::splat(if was_factored { 1e-12 } else { 1e-13 });
        let noise = T::splat(NOISE);
        // Times zero a number is nothing, unless it is not finite.
        let is_lost = |x: T| (x * T::ZERO).is_nan();
        let odd = residual.above(least)
            | residual.is_nan()
            | far
            | measured.position_excess.above(noise)
            | measured.velocity_excess.above(noise)
            | is_lost(measured.position + measured.velocity + measured.nothing);
        Taken {
            odd,
            position_error: measured.position,
            velocity_error: measured.velocity,
            equation_residual: residual,
        }
    }

    /// Factors at the present poses, and finds arms and inertias there.
    #[inline(always)]
    fn factor(&mut self) -> bool {
        self.write_axes();
        let Lanes { spots, parts, spatial, now, levers, inertias, acc, gravity, .. } = self;
        for (at, (spot, part)) in spots.iter().zip(parts.iter()).enumerate() {
            let (own, parent) = (&now[at], &now[spot.parent as usize]);
            inertias[at] = inertia_along(spot.is_principal, &part.inertia, &own.axes);
            if spot.is_held {
                levers[at] = lever(spot, part, own, parent);
            }
        }
        let nothing = Six::ZERO;
        let mut filling = Filling::<T, false> { spots, parts, motions: now, gravity: *gravity, acc, nothing };
        spatial.factor(&mut filling).is_ok()
    }

    /// Accelerations, in `acc`, and in the places of `next` what takes the gap of h² away.
    #[inline(always)]
    fn solve(&mut self, part: T) {
        let Lanes { spots, parts, spatial, now, next, levers, inertias, given, gammas, acc, gravity, .. } =
            self;
        given.clear();
        for (at, spot) in spots.iter().enumerate() {
            let (own, inertia) = (&now[at], inertias[at]);
            let force = weight_of_rigid(parts[at].mass, &inertia, *gravity, own);
            let mut held = None;
            if spot.is_held {
                let parent = &now[spot.parent as usize];
                let (gamma, bias, turn) = gamma(spot, own, parent, &levers[at]);
                gammas[at] = gamma;
                held = Some((bias, turn));
            }
            given.push(Given { mass: parts[at].mass, inertia, force, held });
        }
        // Little, so that it is inlined.
        let right = |at: usize, limb: &mut Limb<T>, _: &mut More<T>| {
            (limb.force, limb.gamma) = (given[at].force, gammas[at]);
        };
        spatial.solve_pair(part, right, |at, x, predicted| {
            acc[at] = *x;
            // Displacements, until the bodies are moved.
            (next[at].vel, next[at].omega) = (predicted.lin, predicted.ang);
        });
    }

    /// What the equations leave over; loads are found on the way.
    #[inline(always)]
    fn certify(&mut self) -> T {
        let Lanes { spots, parts, spatial, now, levers, given, scratch, .. } = self;
        scratch.fill(Handed::default());
        let (mut worst, still) = (Worst::<T>::default(), Six::ZERO);
        let results = spatial.results_mut();
        let (limbs, more) = (results.limbs, results.more);
        for (at, load) in results.loads.iter_mut().enumerate() {
            let (spot, part, limb) = (&spots[at], &parts[at], &limbs[at]);
            let (reach, handed_on) = balance::<T, false>(
                (&given[at], part.gyration, spot.is_held),
                (limb, more.of(at)),
                load,
                scratch[at],
                &mut worst,
            );
            if let Some(parent) = limb.parent() {
                scratch[parent].add(&handed_on);
            }
            let Some(held) = given[at].held else { continue };
            let lever = &levers[at];
            let arms = part.arms_squared.0 + part.arms_squared.1;
            let lock = |shift: Vec3<T>, spin: Vec3<T>| {
                (shift, if spot.is_hinge { across(spin, lever.z_b) } else { Vec3::ZERO })
            };
            if spot.on_ground {
                note_left_on_ground((lever.arm_b, arms), held, &limb.x, reach, &mut worst, lock);
                continue;
            }
            let (a, b) = spot.sides(&now[at], &now[spot.parent as usize]);
            let anchor = (b.pos + lever.arm_b - a.pos, lever.arm_b);
            let x = spot.sides(&limb.x, limbs.get(spot.parent as usize).map_or(&still, |parent| &parent.x));
            note_left_of_locks((anchor, arms), held, x, reach, &mut worst, lock);
        }
        worst.0.sqrt()
    }

    /// Σ of what the ground exerts, with its moment about the origin, at given motions.
    #[inline(always)]
    fn ground_load(&self, motions: &[Motion<T>]) -> (Vec3<T>, Vec3<T>) {
        let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for (at, spot) in self.spots.iter().enumerate() {
            if spot.is_held && spot.parent as usize == self.spots.len() {
                let load = &self.spatial.loads()[at];
                force += load.lin;
                moment += motions[at].pos.cross(load.lin) + load.ang;
            }
        }
        (force, moment)
    }

    /// Weight and reactions of the ground over a step.
    #[inline(always)]
    fn book(&mut self, h: f64) {
        // Body by body, as one alone sums them up.
        let (mut mass, mut moment) = (T::ZERO, Vec3::ZERO);
        for &at in &self.place_of {
            let own = self.parts[at as usize].mass;
            mass += own;
            moment += self.now[at as usize].pos * own;
        }
        let (gravity, along) = (self.gravity, Vec3::new(self.gravity.x, self.gravity.y, T::ZERO));
        // The second terms are those of bodies in the plane, of which there are none.
        let weight = gravity * mass + along * T::ZERO;
        let weight_moment = moment.cross(gravity) + Vec3::<T>::ZERO.cross(along);
        let (ground, ground_moment) = self.ground_load(&self.now);
        let (mut force, mut total) = (Vec3::ZERO, Vec3::ZERO);
        force += weight;
        total += weight_moment;
        force += ground;
        total += ground_moment;
        let h = T::splat(h);
        self.next_ledger = self.ledger;
        self.next_ledger.impulse += force * h;
        self.next_ledger.angular_impulse += total * h;
    }

    #[inline(always)]
    fn book_impulse(&mut self) {
        let (force, moment) = self.ground_load(&self.next);
        self.next_ledger.impulse += force;
        self.next_ledger.angular_impulse += moment;
    }

    /// Moves all bodies and closes the joints, parents first. Yes where that took more than a little.
    #[inline(always)]
    fn advance(&mut self, h: T, semi_implicit: bool) -> T::Mask {
        let Lanes { spots, parts, now, next, acc, levers, floats, .. } = self;
        let mut is_far = T::Mask::NONE;
        let little = T::splat(LITTLE * LITTLE);
        let (mut moment, mut mass) = (Vec3::ZERO, T::ZERO);
        let count = spots.len();
        for at in (0..count).rev() {
            let (spot, part) = (&spots[at], &parts[at]);
            let before = now[at];
            let vel = before.vel + acc[at].lin * h;
            let omega = before.omega + acc[at].ang * h;
            let (used, used_spin) = if semi_implicit { (vel, omega) } else { (before.vel, before.omega) };
            let moved = before.pos + (next[at].vel + used * h);
            let turned = turned_by(next[at].omega + used_spin * h, before.rot);
            let (mut pos, mut rot, mut axes) = (moved, turned, turned.matrix());
            if spot.is_held {
                let on_ground = spot.on_ground;
                let parent = &next[spot.parent as usize];
                let (mut z, mut z_parent, mut turn) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
                if spot.is_hinge {
                    z_parent = if on_ground { part.theirs.1 } else { parent.axes * part.theirs.1 };
                    z = axes * part.own.1;
                    turn = z.cross(z_parent);
                    let is_open = turn.dot(turn).above(T::splat(f64::EPSILON * f64::EPSILON));
                    if is_open.any() {
                        rot = choose_quat(is_open, turned_by_little(turn, rot), rot);
                        axes = choose_mat(is_open, rot.matrix(), axes);
                        z = choose(is_open, axes * part.own.1, z);
                    }
                }
                let arm = axes * part.own.0;
                let arm_parent = if on_ground { part.theirs.0 } else { parent.axes * part.theirs.0 };
                pos = parent.pos + arm_parent - arm;
                let ((arm_a, arm_b), (z_a, z_b)) = (spot.sides(arm, arm_parent), spot.sides(z, z_parent));
                levers[at] = Lever { arm_a, arm_b, z_a, z_b };
                let own = if spot.onto_b { part.arms_squared.1 } else { part.arms_squared.0 };
                let (by, size) = (pos - moved, pos.dot(pos) + own);
                is_far = is_far
                    | !(!by.dot(by).above(little * size) & !(by.dot(by) + size).is_nan())
                    | !(!turn.dot(turn).above(little) & !turn.dot(turn).is_nan());
            }
            next[at] = Motion { pos, rot, axes, vel, omega };
            if *floats {
                moment += (pos - moved) * part.mass;
                mass += part.mass;
                if spot.begins {
                    let root = spot.root as usize;
                    if !spots[root].is_held {
                        let back = moment / mass;
                        next[at..=root].iter_mut().for_each(|motion| motion.pos -= back);
                    }
                    (moment, mass) = (Vec3::ZERO, T::ZERO);
                }
            }
        }
        is_far
    }

    /// Factors at the new poses and takes velocities along what the joints lock away.
    #[inline(always)]
    fn correct_rates(&mut self) -> bool {
        let Lanes { spots, parts, spatial, next, levers, inertias, sizes, .. } = self;
        let mut rates = Rates { spots, parts, motions: next, levers, inertias };
        if spatial.factor(&mut rates).is_err() {
            return false;
        }
        spatial.backward::<ROOTS>(|at: usize, x: &Six<T>| {
            let motion = &mut next[at];
            motion.vel += x.lin;
            motion.omega += x.ang;
            sizes[at] = Sizes::of(motion);
        });
        true
    }

    /// How far all joints are from closed, poses and rates.
    #[inline(always)]
    fn measure(&self) -> Measured<T> {
        let Lanes { spots, parts, next, levers, sizes, .. } = self;
        let mut out = Measured::default();
        let ground = Sizes::default();
        // As in `rates.rs`.
        let unit = T::splat(2.0 * bound(1.0) * bound(1.0));
        let least = T::splat(bound(0.0) * bound(0.0));
        for (at, (spot, part)) in spots.iter().zip(parts).enumerate() {
            let own = &sizes[at];
            out.nothing += (own.pos + own.vel + own.omega) * T::ZERO;
            if !spot.is_held {
                continue;
            }
            let lever = &levers[at];
            let (a, b) = spot.sides(&next[at], &next[spot.parent as usize]);
            let parent = sizes.get(spot.parent as usize).unwrap_or(&ground);
            let (rate, slip, to_anchor) = slip((spot.is_hinge, spot.on_ground), lever, a, b);
            let offset = to_anchor - lever.arm_a;
            let (arm_a, arm_b) = part.arms_squared;
            out.note_position(square(offset), unit * (own.pos + parent.pos + arm_a + arm_b) + least);
            let (of_a, of_b) = spot.sides(own, parent);
            let size = own.vel + parent.vel + of_a.omega * arm_a + of_b.omega * arm_b;
            out.note_velocity(square(rate), unit * size + least);
            if spot.is_hinge {
                let turn = lever.z_a.cross(lever.z_b);
                out.note_position(square(turn), unit + least);
                out.note_velocity(square(slip), unit * (own.omega + parent.omega) + least);
            }
        }
        out.position = out.position.sqrt();
        out.velocity = out.velocity.sqrt();
        out.position_excess = out.position_excess.sqrt();
        out.velocity_excess = out.velocity_excess.sqrt();
        out
    }
}

struct Accelerate<'l, T: Pack>(&'l mut Lanes<T>);
impl<T: Pack> Task for Accelerate<'_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        self.0.accelerations_within()
    }
}

struct Advance<'l, T: Pack>(&'l mut Lanes<T>, f64, bool);
impl<T: Pack> Task for Advance<'_, T> {
    type Output = Taken<T>;
    #[inline(always)]
    fn run(self) -> Taken<T> {
        self.0.step_within(self.1, self.2)
    }
}

fn set<T: Pack>(v: &mut Vec3<T>, lane: usize, [x, y, z]: [f64; 3]) {
    v.x.set_lane(lane, x);
    v.y.set_lane(lane, y);
    v.z.set_lane(lane, z);
}
fn get<T: Pack>(v: Vec3<T>, lane: usize) -> [f64; 3] {
    [v.x.lane(lane), v.y.lane(lane), v.z.lane(lane)]
}

#[inline(always)]
fn choose<T: Pack>(mask: T::Mask, yes: Vec3<T>, no: Vec3<T>) -> Vec3<T> {
    Vec3::new(T::select(mask, yes.x, no.x), T::select(mask, yes.y, no.y), T::select(mask, yes.z, no.z))
}
#[inline(always)]
fn choose_quat<T: Pack>(mask: T::Mask, yes: Quat<T>, no: Quat<T>) -> Quat<T> {
    Quat { w: T::select(mask, yes.w, no.w), v: choose(mask, yes.v, no.v) }
}
#[inline(always)]
fn choose_mat<T: Pack>(mask: T::Mask, yes: Mat3<T>, no: Mat3<T>) -> Mat3<T> {
    Mat3 { x: choose(mask, yes.x, no.x), y: choose(mask, yes.y, no.y), z: choose(mask, yes.z, no.z) }
}

/// The worst errors, and with their bounds; squares until all are known.
#[derive(Copy, Clone, Debug, Default)]
struct Measured<T: Lane> {
    position: T,
    velocity: T,
    position_excess: T,
    velocity_excess: T,
    /// Nothing, unless a number is not finite.
    nothing: T,
}

impl<T: Pack> Measured<T> {
    #[inline(always)]
    fn note_position(&mut self, error: T, bound: T) {
        note(&mut self.position, &mut self.position_excess, error, bound);
    }
    #[inline(always)]
    fn note_velocity(&mut self, error: T, bound: T) {
        note(&mut self.velocity, &mut self.velocity_excess, error, bound);
    }
}

#[inline(always)]
fn note<T: Pack>(most: &mut T, excess: &mut T, error: T, bound: T) {
    *most = T::select(error.above(*most) | error.is_nan(), error, *most);
    let is_worse = error.above(*excess * bound) | error.is_nan();
    if is_worse.any() {
        *excess = T::select(is_worse, error / bound, *excess);
    }
}

/// What goes into the places at closed poses: everything, or (without `RIGHT`) what is factored.
struct Filling<'w, T: Lane, const RIGHT: bool> {
    spots: &'w [Spot],
    parts: &'w [Part<T>],
    motions: &'w [Motion<T>],
    gravity: Vec3<T>,
    acc: &'w mut [Six<T>],
    nothing: Six<T>,
}

impl<T: Pack, const RIGHT: bool> Fill<T> for Filling<'_, T, RIGHT> {
    #[inline(always)]
    fn any(&mut self, at: usize, limb: &mut Limb<T>, more: &mut More<T>) {
        let (spot, own) = (&self.spots[at], &self.motions[at]);
        let plain = self.plain(at, limb, more);
        limb.diag = Sym6::of_mass(plain.mass, plain.inertia);
        (limb.force, limb.gamma) = (plain.force, plain.gamma);
        (limb.shift, limb.first) = (plain.shift, plain.first);
        if spot.is_held && !spot.is_hinge && !spot.onto_b {
            let parent = &self.motions[spot.parent as usize];
            let lever = lever(spot, &self.parts[at], own, parent);
            (limb.first, more.columns) = ball(spot, own, parent, &lever);
        }
    }
    #[inline(always)]
    fn plain(&mut self, at: usize, _: &mut Limb<T>, _: &mut More<T>) -> Plain<T> {
        let (spot, part, own) = (&self.spots[at], &self.parts[at], &self.motions[at]);
        let parent = &self.motions[spot.parent as usize];
        let inertia = inertia_along(spot.is_principal, &part.inertia, &own.axes);
        let mut out = Plain { mass: part.mass, inertia, ..Plain::default() };
        if RIGHT {
            out.force = weight_of_rigid(part.mass, &inertia, self.gravity, own);
        }
        if spot.is_held {
            let lever = lever(spot, part, own, parent);
            out.shift = own.pos - parent.pos;
            if spot.is_hinge {
                out.first = about(spot, own, parent, &lever, lever.z_b);
            } else if spot.is_ball() {
                out.first = Six::new(lever.arm_b, Vec3::ZERO);
            }
            if RIGHT {
                out.gamma = gamma(spot, own, parent, &lever).0;
            }
        }
        out
    }
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six<T>) {
        self.acc[at] = *x;
        self.nothing += x.scaled(T::ZERO);
    }
}

/// Arms and axes of a joint.
#[inline(always)]
fn lever<T: Lane>(spot: &Spot, part: &Part<T>, own: &Motion<T>, parent: &Motion<T>) -> Lever<T> {
    let (arm_a, arm_b) = spot.sides(own.axes * part.own.0, parent.axes * part.theirs.0);
    if !spot.is_hinge {
        return Lever { arm_a, arm_b, ..Lever::default() };
    }
    let (z_a, z_b) = spot.sides(own.axes * part.own.1, parent.axes * part.theirs.1);
    Lever { arm_a, arm_b, z_a, z_b }
}

/// γ of a closed joint, and b_y and −b_w.
#[inline(always)]
fn gamma<T: Lane>(
    spot: &Spot,
    own: &Motion<T>,
    parent: &Motion<T>,
    lever: &Lever<T>,
) -> (Six<T>, Vec3<T>, Vec3<T>) {
    if spot.onto_b {
        return simple_gamma((!spot.is_hinge, spot.on_ground), parent, own, lever.arm_b);
    }
    let (a, b) = (own, parent);
    let to_anchor = b.pos + lever.arm_b - a.pos;
    let bias = bias_of_anchor(a, b, to_anchor, b.omega.cross(lever.arm_b));
    let held = a.omega.cross(b.omega);
    if !spot.is_hinge {
        return (Six::new(bias, Vec3::ZERO), bias, held);
    }
    let turn = -(held + axis_curvature(lever.z_a, lever.z_b, b.omega - a.omega));
    (Six::new(bias + to_anchor.cross(turn), turn), bias, held)
}

/// A column of N: the turn about an axis through the anchor.
#[inline(always)]
fn about<T: Lane>(spot: &Spot, own: &Motion<T>, parent: &Motion<T>, lever: &Lever<T>, e: Vec3<T>) -> Six<T> {
    if spot.onto_b {
        return Six::new(lever.arm_b.cross(e), e);
    }
    let arm = parent.pos + lever.arm_b - own.pos;
    -Six::new(arm.cross(e), e)
}

/// N of a ball.
#[inline(always)]
fn ball<T: Lane>(
    spot: &Spot,
    own: &Motion<T>,
    parent: &Motion<T>,
    lever: &Lever<T>,
) -> (Six<T>, [Six<T>; 2]) {
    let about = |e: Vec3<T>| about(spot, own, parent, lever, e);
    (about(Vec3::X), [about(Vec3::Y), about(Vec3::Z)])
}

/// What is factored, and with it the velocities that the joints must not have.
struct Rates<'w, T: Lane> {
    spots: &'w [Spot],
    parts: &'w [Part<T>],
    motions: &'w [Motion<T>],
    levers: &'w [Lever<T>],
    inertias: &'w mut [Sym3<T>],
}

impl<T: Pack> Fill<T> for Rates<'_, T> {
    #[inline(always)]
    fn any(&mut self, at: usize, limb: &mut Limb<T>, more: &mut More<T>) {
        let (spot, own) = (&self.spots[at], &self.motions[at]);
        let plain = self.plain(at, limb, more);
        limb.diag = Sym6::of_mass(plain.mass, plain.inertia);
        (limb.force, limb.gamma) = (Six::ZERO, plain.gamma);
        (limb.shift, limb.first) = (plain.shift, plain.first);
        if spot.is_held && !spot.is_hinge && !spot.onto_b {
            let parent = &self.motions[spot.parent as usize];
            (limb.first, more.columns) = ball(spot, own, parent, &self.levers[at]);
        }
    }
    #[inline(always)]
    fn plain(&mut self, at: usize, _: &mut Limb<T>, _: &mut More<T>) -> Plain<T> {
        let (spot, part, own) = (&self.spots[at], &self.parts[at], &self.motions[at]);
        let inertia = inertia_along(spot.is_principal, &part.inertia, &own.axes);
        self.inertias[at] = inertia;
        let mut out = Plain { mass: part.mass, inertia, ..Plain::default() };
        if spot.is_held {
            let (parent, lever) = (&self.motions[spot.parent as usize], &self.levers[at]);
            let (a, b) = spot.sides(own, parent);
            let (shift, turn, to_anchor) = slip((spot.is_hinge, spot.on_ground), lever, a, b);
            out.gamma = match spot.onto_b {
                true => -Six::new(shift + lever.arm_b.cross(turn), turn),
                false => Six::new(shift + to_anchor.cross(turn), turn),
            };
            out.shift = own.pos - parent.pos;
            if spot.is_hinge {
                out.first = about(spot, own, parent, lever, lever.z_b);
            } else if spot.is_ball() {
                out.first = Six::new(lever.arm_b, Vec3::ZERO);
            }
        }
        out
    }
}
