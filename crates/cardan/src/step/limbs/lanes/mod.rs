//! Lanes: a step of Euler's rules, and accelerations, of several mechanisms side by side.
//!
//! For forests of rigid bodies on hinges and balls, floating or on the ground, that nothing drives: what most machines without contacts are. The arithmetic is
//! that of the fast way (`fill.rs`, `right.rs`, `certify.rs`, `forest.rs`, `rates.rs`), in the same order, so every lane has the bits that it would have alone.
//!
//! A step goes the common way, in four sweeps: right sides from leaves to roots; accelerations, bodies moved and joints closed from roots to leaves; what the
//! equations leave over, and the factor of the new pose with what velocities must lose, from leaves to roots; velocities corrected, joints measured, turns counted
//! and right sides of the next step written from roots to leaves. Where the factor of a pose comes from the step before it is not made again.
//!
//! Closures are not inlined into what runs [`within`](Lane::within), so there are none on these ways: traits with functions that always are take their place.
//! Whatever one of the mechanisms would do besides (refine an answer, close in rounds, fail) is not done here: its lane is *odd*, and whoever
//! asked takes that step alone.
//!
//! Where joint coordinates are carried in the place of poses, steps are those of `jointed.rs`.

mod jointed;

pub(in crate::step) use jointed::jointed;
pub(super) use jointed::{Anew, Free, Going, Lend, Put, place_floating};

use super::certify::{Balance, Handed, Worst, balance, square};
use super::fill::{Place, inertia_along, weight_of_rigid};
use super::forest::{LITTLE, turned_by, turned_by_little};
use super::hold::{Common, Hold, LeftOver};
use super::rates::{Lever, Sizes, slip};
use super::right::Given;
use super::{Limbs, forest};
use crate::body::{BodyKind, Motion, Wrench};
use crate::math::{Lane, Mat3, Quat, Six, Sym3, Sym6, Vec3};
use crate::measure::JointLoad;
use crate::measure::coordinates::{Hinge, Turning};
use crate::model::Model;
use crate::state::{Ledger, State};
use crate::step::stabilise::{NOISE, bound};
use crate::step::{Coordinates, Elimination, Fault, Integrator, Settings, SolverChoice, Stabilization};
use cardan_solve::pack::{Mask, Pack};
use cardan_solve::spatial::{Fill, Limb, More, Plain, ROOTS, Sides, Take};
use cardan_solve::{Link, Spatial, Task};
use std::ops::Deref;

/// What is the same in all lanes: whether these can be stepped side by side is a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Structure {
    spots: Vec<Spot>,
    bodies: usize,
    turns: usize,
    hinges: Vec<(u32, u32, u32)>,
    /// Joint coordinates are carried, not poses.
    is_jointed: bool,
}

/// No turns are counted there.
const NO_HINGE: u32 = u32::MAX;

/// A place of the elimination: its body, and how that is held.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct Spot {
    pub(super) body: u32,
    /// Place of the parent, the number of places for the ground; the same for a body that floats.
    pub(super) parent: u32,
    pub(super) is_held: bool,
    pub(super) joint: Common,
    /// The first place of a tree, whose root is `root`.
    pub(super) begins: bool,
    pub(super) root: u32,
    pub(super) is_principal: bool,
    /// Which of the hinges whose turns are counted its joint is, if it is one.
    pub(super) hinge: u32,
    /// The number of its joint, if it has one.
    pub(super) link: Option<Link>,
}

impl Spot {
    pub(super) fn of(place: &Place, parent: u32) -> Self {
        Spot {
            body: place.body,
            parent,
            is_held: place.hold.is_some(),
            joint: place.hold.as_ref().map_or(Common::default(), Hold::common),
            begins: false,
            root: 0,
            is_principal: place.is_principal,
            hinge: NO_HINGE,
            link: None,
        }
    }
    /// a and b of its joint, of itself and its parent.
    #[inline(always)]
    fn sides<X>(&self, own: X, parent: X) -> (X, X) {
        self.joint.sides(own, parent)
    }
}

impl Structure {
    /// The structure of a model that can be stepped in lanes with these settings; `None` if it cannot.
    pub(crate) fn of(model: &Model, settings: &Settings) -> Option<Self> {
        if !may_be_bare(model, settings) {
            return None;
        }
        Structure::of_limbs(model, settings, &Limbs::new(model, settings)?)
    }

    /// The same where its limbs are at hand.
    fn of_limbs(model: &Model, settings: &Settings, limbs: &Limbs) -> Option<Self> {
        let is_jointed = settings.coordinates == Coordinates::Joints;
        if !may_be_bare(model, settings) || (is_jointed && limbs.places.is_empty()) {
            return None;
        }
        let is_common =
            |place: &Place| place.kind == BodyKind::Rigid && place.hold.as_ref().is_none_or(Hold::is_common);
        if !limbs.are_few || !limbs.closings.is_empty() || !limbs.places.iter().all(is_common) {
            return None;
        }
        let hinges = Turning::new(model);
        let hinges: Vec<(u32, u32, u32)> =
            hinges.hinges_alone()?.iter().map(|hinge| (hinge.a, hinge.b, hinge.at)).collect();
        let count = limbs.places.len();
        let parents = limbs.spatial.limbs().iter().map(|limb| limb.parent().unwrap_or(count) as u32);
        let mut spots: Vec<Spot> =
            limbs.places.iter().zip(parents).map(|(place, parent)| Spot::of(place, parent)).collect();
        for (at, spot) in spots.iter_mut().enumerate() {
            spot.link = limbs.spatial.at(at).1;
        }
        for (k, &(a, b, _)) in hinges.iter().enumerate() {
            let [a, b] = [a, b].map(|end| limbs.place_of.get(end as usize).map_or(count, |&at| at as usize));
            let is_onto_b = |spot: &Spot| spot.joint.onto_b && spot.parent as usize == a;
            let child = if spots.get(b).is_some_and(is_onto_b) { b } else { a };
            spots.get_mut(child)?.hinge = k as u32;
        }
        // A tree is in one piece, its root at the end.
        let mut begin = 0;
        for at in 0..count {
            if spots[at].parent as usize == count {
                spots[begin..=at].iter_mut().for_each(|spot| spot.root = at as u32);
                spots[begin].begins = true;
                begin = at + 1;
            }
        }
        Some(Structure { spots, bodies: count, turns: model.initial.turns.len(), hinges, is_jointed })
    }

    /// The place of a body.
    pub(crate) fn place_of(&self, body: usize) -> Option<usize> {
        self.spots.iter().position(|spot| spot.body as usize == body)
    }
    /// The place of a joint, and the body there.
    pub(crate) fn place_of_joint(&self, joint: usize) -> Option<(usize, usize)> {
        let at = self.spots.iter().position(|spot| spot.link == Some(Link(joint as u32)))?;
        Some((at, self.spots[at].body as usize))
    }
}

/// Whether nothing but joints and weight acts, and steps are those of Euler's rules on the fast way, of poses.
pub(super) fn is_bare(model: &Model, settings: &Settings) -> bool {
    settings.coordinates == Coordinates::Bodies && may_be_bare(model, settings)
}

/// The same of poses or of joint coordinates.
pub(super) fn may_be_bare(model: &Model, settings: &Settings) -> bool {
    let is_euler = matches!(settings.integrator, Integrator::ExplicitEuler | Integrator::SemiImplicitEuler);
    is_euler && is_moved_by_joints_and_weight(model, settings)
}

/// Whether nothing but joints and weight acts, on the fast way, and poses are carried.
pub(super) fn moves_by_joints_and_weight(model: &Model, settings: &Settings) -> bool {
    settings.coordinates == Coordinates::Bodies && is_moved_by_joints_and_weight(model, settings)
}

/// The same whatever is carried.
fn is_moved_by_joints_and_weight(model: &Model, settings: &Settings) -> bool {
    let is_simple = settings.stabilization == Stabilization::Projection
        && settings.geometry_tolerance == 0.0
        && settings.fault == Fault::None;
    let is_bare = model.drives.is_empty()
        && !model.has_forces()
        && !model.has_inequalities()
        && model.constraints.is_empty()
        && model.blows().is_empty();
    let is_fast = matches!(settings.solver, SolverChoice::Auto | SolverChoice::Tree)
        && settings.elimination == Elimination::Freedoms;
    is_simple && is_bare && is_fast
}

/// Numbers of a place that may differ from lane to lane.
#[derive(Clone, Debug, Default)]
pub(super) struct Part<T: Lane> {
    pub(super) mass: T,
    pub(super) inertia: Sym3<T>,
    balance: Balance<T>,
    /// Anchor and z axis on the body and on its parent.
    own: (Vec3<T>, Vec3<T>),
    theirs: (Vec3<T>, Vec3<T>),
    arms_squared: (T, T),
}

impl<T: Pack> Part<T> {
    /// From the place that each lane has.
    pub(super) fn of<'p>(lane: impl Fn(usize) -> &'p Place) -> Self {
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
            balance: Balance {
                mass_inverse_squared: number(&|p| p.mass_inverse_squared),
                gyration_squared: number(&|p| p.gyration_squared),
                is_held: lane(0).hold.is_some(),
            },
            own: (vector(&|p| held(p).1.0), vector(&|p| held(p).1.1)),
            theirs: (vector(&|p| held(p).2.0), vector(&|p| held(p).2.1)),
            arms_squared: (number(&|p| arms(p).0), number(&|p| arms(p).1)),
        }
    }
}

/// All that a step keeps of a place, in one piece: one address is found, and everything is there.
#[derive(Clone, Debug)]
pub(super) struct Seat<T: Lane> {
    pub(super) spot: Spot,
    pub(super) part: Part<T>,
    /// Pose and velocity now and where the last step led, which is which by [`Lanes::now`]; likewise the arms of its joint.
    pub(super) motion: [Motion<T>; 2],
    pub(super) lever: [Lever<T>; 2],
    /// I in world axes, likewise.
    pub(super) inertia: [Sym3<T>; 2],
    sizes: Sizes<T>,
    /// F, γ, and b_y and −b_w of its joint, where the next step begins; until the new pose is factored, where this one did.
    force: Six<T>,
    gamma: Six<T>,
    held: (Vec3<T>, Vec3<T>),
    /// v̇, until the new pose is factored.
    pub(super) x: Six<T>,
}

impl<T: Lane> Seat<T> {
    pub(super) fn new(spot: Spot, part: Part<T>) -> Self {
        Seat {
            spot,
            part,
            motion: [Motion::GROUND; 2],
            lever: [Lever::default(); 2],
            inertia: [Sym3::default(); 2],
            sizes: Sizes::default(),
            force: Six::ZERO,
            gamma: Six::ZERO,
            held: (Vec3::ZERO, Vec3::ZERO),
            x: Six::ZERO,
        }
    }
    /// m, and I in world axes, of one of its poses.
    #[inline(always)]
    fn mass_at(&self, side: usize) -> (T, Sym3<T>) {
        let Seat { spot, part, motion, .. } = self;
        (part.mass, inertia_along(spot.is_principal, &part.inertia, &motion[side & 1].axes))
    }
}

/// Mechanisms side by side.
#[derive(Debug)]
pub(crate) struct Lanes<T: Pack> {
    /// In elimination order, the ground behind them.
    seats: Vec<Seat<T>>,
    /// What their joints leave free, if that is carried; nothing if poses are.
    frees: Vec<Free<T>>,
    /// Which of their motions are those of now: 0 or 1.
    now: usize,
    /// Bodies that a joint holds on the ground.
    grounded: Vec<u32>,
    /// Σ m.
    mass: T,
    hinges: Vec<Hinge<T>>,
    gravity: Vec3<T>,
    /// Some tree floats.
    floats: bool,
    spatial: Spatial<T>,
    turns: Vec<T>,
    next_turns: Vec<T>,
    ledger: Accounts<T>,
    next_ledger: Accounts<T>,
    /// The place of each body.
    place_of: Vec<u32>,
    acc: Vec<Six<T>>,
    /// What children have handed to parents that wait for more of them.
    waiting: Vec<Handed<T>>,
    /// The factor at hand is of the present poses; and it comes from a step, with arms and inertias.
    is_factored: bool,
    /// The axes of the bodies are those of their present orientations.
    knows_axes: bool,
    /// By lane: no step was taken since its state was loaded.
    is_fresh: [bool; 4],
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

impl<T: Pack> Taken<T> {
    /// All of them must be.
    #[inline(always)]
    fn all_odd() -> Self {
        let (odd, nothing) = (!T::Mask::NONE, T::ZERO);
        Taken { odd, position_error: nothing, velocity_error: nothing, equation_residual: nothing }
    }
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
            |model: &Model, at: usize| Place::new(model, structure.spots[at].body as usize, joint(at), None);
        let part = |at: usize| {
            let places: Vec<Place> = models.iter().map(|model| place(model, at)).collect();
            Part::of(|lane| &places[lane.min(places.len() - 1)])
        };
        let mut seats: Vec<Seat<T>> = (0..count).map(|at| Seat::new(structure.spots[at], part(at))).collect();
        seats.push(Seat::new(Spot { hinge: NO_HINGE, ..Spot::default() }, Part::default()));
        let mut place_of = vec![0; structure.bodies];
        for (at, spot) in structure.spots.iter().enumerate() {
            place_of[spot.body as usize] = at as u32;
            spatial.make_lump(at);
            if spot.joint.is_hinge {
                spatial.make_plain(at);
            } else if spot.is_held {
                spatial.make_ball(at);
            }
            if spot.is_held && !spot.joint.onto_b {
                spatial.make_turned(at);
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
        let on_ground =
            |(at, spot): (usize, &Spot)| (spot.is_held && spot.parent as usize == count).then_some(at as u32);
        let free = |spot: &Spot| {
            let joint = |lane: usize| models[lane.min(models.len() - 1)].joints.get(spot.link?.0 as usize);
            Free::of(spot, joint)
        };
        Some(Lanes {
            frees: match structure.is_jointed {
                true => structure.spots.iter().map(free).collect(),
                false => Vec::new(),
            },
            // Body by body, as one alone sums them up.
            mass: place_of.iter().fold(T::ZERO, |sum, &at| sum + seats[at as usize].part.mass),
            grounded: structure.spots.iter().enumerate().filter_map(on_ground).collect(),
            seats,
            now: 0,
            hinges: structure.hinges.iter().enumerate().map(hinge).collect(),
            gravity: pack3(models, |model| model.gravity),
            floats: structure.spots.iter().any(|spot| !spot.is_held),
            turns: vec![T::ZERO; structure.turns],
            next_turns: vec![T::ZERO; structure.turns],
            ledger: Accounts::default(),
            next_ledger: Accounts::default(),
            place_of,
            acc: vec![Six::ZERO; count],
            waiting: vec![Handed::default(); spatial.depth() + 1],
            is_factored: false,
            knows_axes: false,
            is_fresh: [true; 4],
            spatial,
        })
    }

    /// Takes over the state of a lane.
    pub(crate) fn load(&mut self, lane: usize, state: &State) {
        (self.is_factored, self.knows_axes) = (false, false);
        self.is_fresh[lane] = true;
        for (body, &at) in self.place_of.iter().enumerate() {
            let (Some(q), Some(v)) =
                (state.q[7 * body..].first_chunk::<7>(), state.v[6 * body..].first_chunk::<6>())
            else {
                continue;
            };
            let motion = &mut self.seats[at as usize].motion[self.now & 1];
            set(&mut motion.pos, lane, [q[0], q[1], q[2]]);
            motion.rot.w.set_lane(lane, q[3]);
            set(&mut motion.rot.v, lane, [q[4], q[5], q[6]]);
            set(&mut motion.vel, lane, [v[0], v[1], v[2]]);
            set(&mut motion.omega, lane, [v[3], v[4], v[5]]);
        }
        for (turn, &x) in self.turns.iter_mut().zip(&state.turns) {
            turn.set_lane(lane, x);
        }
        self.load_joints(lane, state);
        self.load_ledger(lane, state);
    }

    /// Joint coordinates, if these are carried.
    fn load_joints(&mut self, lane: usize, state: &State) {
        // Whoever has none must find them alone.
        const UNKNOWN: (&[f64; 7], &[f64; 6]) = (&[f64::NAN; 7], &[f64::NAN; 6]);
        for (seat, free) in self.seats.iter().zip(&mut self.frees) {
            let body = seat.spot.body as usize;
            let known = (state.joint_q.as_chunks().0.get(body), state.joint_v.as_chunks().0.get(body));
            let (p, rate) = if let (Some(p), Some(rate)) = known { (p, rate) } else { UNKNOWN };
            free.load((lane, self.now), seat.spot.joint.is_hinge, p, rate);
        }
    }

    /// What has come from outside.
    fn load_ledger(&mut self, lane: usize, state: &State) {
        set(&mut self.ledger.impulse, lane, state.ledger.impulse.to_array());
        set(&mut self.ledger.angular_impulse, lane, state.ledger.angular_impulse.to_array());
    }

    /// Gives a lane's state back; all but time, which whoever asked keeps.
    pub(crate) fn store(&self, lane: usize, state: &mut State) {
        if self.is_jointed() {
            // Poses of a fresh one may be made anew from its joint coordinates; the state has them as they are.
            if self.is_fresh[lane] {
                return;
            }
            self.store_joints(lane, state);
        }
        for (body, &at) in self.place_of.iter().enumerate() {
            let motion = &self.seats[at as usize].motion[self.now & 1];
            let (pos, rot) = (get(motion.pos, lane), get(motion.rot.v, lane));
            let (vel, omega) = (get(motion.vel, lane), get(motion.omega, lane));
            let w = motion.rot.w.lane(lane);
            state.q[7 * body..][..7].copy_from_slice(&[pos[0], pos[1], pos[2], w, rot[0], rot[1], rot[2]]);
            state.v[6 * body..][..6].copy_from_slice(&[vel[0], vel[1], vel[2], omega[0], omega[1], omega[2]]);
        }
        if !self.is_jointed() {
            for (x, turn) in state.turns.iter_mut().zip(&self.turns) {
                *x = turn.lane(lane);
            }
        }
        state.ledger = Ledger {
            impulse: get(self.ledger.impulse, lane).into(),
            angular_impulse: get(self.ledger.angular_impulse, lane).into(),
            ..state.ledger
        };
    }

    /// Joint coordinates, and angles as turns.
    fn store_joints(&self, lane: usize, state: &mut State) {
        for (seat, free) in self.seats.iter().zip(&self.frees) {
            let Spot { body, is_held, joint, hinge, .. } = seat.spot;
            let (p, rate) =
                (&mut state.joint_q[7 * body as usize..], &mut state.joint_v[6 * body as usize..]);
            if is_held {
                free.store((lane, self.now), joint.is_hinge, p, rate);
            } else {
                let Motion { pos, rot, vel, omega, .. } = &seat.motion[self.now & 1];
                p[..3].copy_from_slice(&get(*pos, lane));
                p[3] = rot.w.lane(lane);
                p[4..7].copy_from_slice(&get(rot.v, lane));
                rate[..3].copy_from_slice(&get(*vel, lane));
                rate[3..6].copy_from_slice(&get(*omega, lane));
            }
            if let Some(hinge) = self.hinges.get(hinge as usize) {
                state.turns[hinge.at as usize] = free.angle(lane, self.now);
            }
        }
    }

    /// Memory held, in bytes.
    fn bytes(&self) -> usize {
        self.seats.capacity() * size_of::<Seat<T>>()
            + self.frees.capacity() * size_of::<Free<T>>()
            + self.spatial.bytes()
            + self.hinges.capacity() * size_of::<Hinge<T>>()
            + (self.turns.capacity() + self.next_turns.capacity()) * size_of::<T>()
            + self.acc.capacity() * size_of::<Six<T>>()
            + self.waiting.capacity() * size_of::<Handed<T>>()
            + (self.place_of.capacity() + self.grounded.capacity()) * size_of::<u32>()
    }

    /// Accelerations of a body in a lane, by the last [`accelerations`](Lanes::accelerations).
    pub(crate) fn acceleration(&self, lane: usize, body: usize) -> Option<(Vec3, Vec3)> {
        let x = &self.acc[*self.place_of.get(body)? as usize];
        Some((get(x.lin, lane).into(), get(x.ang, lane).into()))
    }

    /// What a joint exerts on its body in a lane.
    pub(crate) fn joint_load(&self, lane: usize, joint: usize) -> Option<JointLoad> {
        let at = (0..self.acc.len()).find(|&at| self.spatial.at(at).1 == Some(Link(joint as u32)))?;
        let x = &self.spatial.loads()[at];
        let wrench = Wrench { force: get(x.lin, lane).into(), torque: get(x.ang, lane).into() };
        Some(JointLoad { joint, body: self.seats[at].spot.body as usize, wrench })
    }

    /// Accelerations and loads of all lanes, place by place.
    pub(crate) fn write_answers(&self, out: &mut Vec<[f64; 4]>) {
        out.clear();
        for (x, load) in self.acc.iter().zip(self.spatial.loads()) {
            for v in [x.lin, x.ang, load.lin, load.ang] {
                out.extend([v.x, v.y, v.z].map(|x| std::array::from_fn(|i| x.lane(i))));
            }
        }
    }

    /// The last step is taken: where it led is where they are. Lanes that were stepped alone are loaded after this.
    pub(crate) fn accept(&mut self) {
        self.now ^= 1;
        core::mem::swap(&mut self.turns, &mut self.next_turns);
        self.ledger = self.next_ledger;
        (self.is_factored, self.knows_axes) = (true, true);
        self.is_fresh = [false; 4];
    }

    /// Accelerations and loads of all lanes; nothing moves. False if there are none in some lane.
    pub(crate) fn accelerations(&mut self) -> bool {
        T::within(Accelerate(self))
    }

    #[inline(always)]
    fn accelerations_within(&mut self) -> bool {
        self.is_factored = false;
        self.write_axes();
        let Lanes { seats, now, spatial, acc, gravity, .. } = self;
        let (now, nothing) = (*now & 1, Six::ZERO);
        let mut filling = Filling::<T, true> { seats, now, gravity: *gravity, acc, nothing, kin: Beside };
        let outcome = spatial.factor_and_solve(&mut filling);
        outcome.is_ok() && filling.nothing == Six::ZERO
    }

    /// Axes of the bodies from their orientations, if these are news.
    #[inline(always)]
    fn write_axes(&mut self) {
        if core::mem::replace(&mut self.knows_axes, true) {
            return;
        }
        for seat in &mut self.seats {
            let motion = &mut seat.motion[self.now & 1];
            motion.axes = motion.rot.matrix();
        }
    }

    /// One step of `h` by one of Euler's rules, into `next`.
    pub(crate) fn step(&mut self, h: f64, semi_implicit: bool) -> Taken<T> {
        T::within(Advance(self, h, semi_implicit))
    }

    #[inline(always)]
    fn step_within(&mut self, h: f64, semi_implicit: bool) -> Taken<T> {
        if self.is_jointed() {
            return self.jointed_step(h, semi_implicit);
        }
        let was_factored = self.is_factored;
        if !was_factored && !self.factor() {
            return Taken::all_odd();
        }
        self.is_factored = false;
        let part = T::splat(0.5 * h * h * if semi_implicit { -1.0 } else { 1.0 });
        let far = self.solve_and_move(part, T::splat(h), semi_implicit);
        let Some((residual, ground)) = self.certify_and_factor() else { return Taken::all_odd() };
        self.book(h, ground);
        let measured = self.correct_rates(T::splat(h));
        self.book_impulse();
        // Where arms were not known the certificate of one alone is another: it must not be near the bound.
        let least = T::splat(if was_factored { 1e-12 } else { 1e-13 });
        let noise = T::splat(NOISE);
        // Times zero a number is nothing, unless it is not finite.
        let lost = (measured.position + measured.velocity + measured.nothing) * T::ZERO;
        let odd = residual.above(least)
            | residual.is_nan()
            | far
            | measured.position_excess.above(noise)
            | measured.velocity_excess.above(noise)
            | lost.is_nan();
        Taken {
            odd,
            position_error: measured.position,
            velocity_error: measured.velocity,
            equation_residual: residual,
        }
    }

    /// Factors at the present poses, and finds arms, inertias and right sides there.
    #[inline(always)]
    fn factor(&mut self) -> bool {
        self.write_axes();
        let Lanes { seats, now, spatial, acc, gravity, .. } = self;
        let now = *now & 1;
        write_levers(seats, now, *gravity, &Beside);
        let nothing = Six::ZERO;
        let mut filling = Filling::<T, false> { seats, now, gravity: *gravity, acc, nothing, kin: Beside };
        spatial.factor(&mut filling).is_ok()
    }

    /// Accelerations, and where they lead to: all bodies moved and joints closed. Yes where that took more than a little.
    #[inline(always)]
    fn solve_and_move(&mut self, part: T, h: T, semi_implicit: bool) -> T::Mask {
        let Lanes { spatial, seats, .. } = self;
        let mut moving = Moving {
            seats,
            now: self.now & 1,
            h,
            semi_implicit,
            floats: self.floats,
            is_far: T::Mask::NONE,
            moment: Vec3::ZERO,
            mass: T::ZERO,
            kin: Beside,
        };
        spatial.solve_pair(part, &mut moving);
        moving.is_far
    }

    /// What the equations leave over, with what the ground exerts and its moment about the origin; and the factor at the new poses. Nothing if there is no factor.
    #[inline(always)]
    fn certify_and_factor(&mut self) -> Option<(T, Ground<T>)> {
        let Lanes { seats, now, spatial, waiting, .. } = self;
        let judging = Judging::new(waiting, Nothing);
        let mut rates = Rates { seats, now: *now & 1, judging, kin: Beside };
        spatial.factor(&mut rates).ok()?;
        Some((rates.judging.worst.0.sqrt(), rates.judging.ground))
    }

    /// Weight and reactions of the ground over a step.
    #[inline(always)]
    fn book(&mut self, h: f64, (ground, ground_moment): Ground<T>) {
        // Body by body, as one alone sums them up.
        let mut moment = Vec3::ZERO;
        for &at in &self.place_of {
            let seat = &self.seats[at as usize];
            moment += seat.motion[self.now & 1].pos * seat.part.mass;
        }
        let mass = self.mass;
        let (gravity, along) = (self.gravity, Vec3::new(self.gravity.x, self.gravity.y, T::ZERO));
        // The second terms are those of bodies in the plane, of which there are none.
        let weight = gravity * mass + along * T::ZERO;
        let weight_moment = moment.cross(gravity) + Vec3::<T>::ZERO.cross(along);
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

    /// What the ground has done to velocities.
    #[inline(always)]
    fn book_impulse(&mut self) {
        let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for &at in &self.grounded {
            let load = &self.spatial.loads()[at as usize];
            force += load.lin;
            moment += self.seats[at as usize].motion[(self.now & 1) ^ 1].pos.cross(load.lin) + load.ang;
        }
        self.next_ledger.impulse += force;
        self.next_ledger.angular_impulse += moment;
    }

    /// Takes velocities along what the joints lock away, with the factor at the new poses; how far all joints are from closed then. Turns are counted, and right sides
    /// of the next step written.
    #[inline(always)]
    fn correct_rates(&mut self, h: T) -> Measured<T> {
        let Lanes { seats, now, spatial, hinges, turns, next_turns, gravity, .. } = self;
        let next = (*now & 1) ^ 1;
        let mut measured = Measured::default();
        let counting = Counting { hinges, before: turns, after: next_turns };
        spatial.backward::<ROOTS>(Corrected::new(
            seats,
            next,
            (*gravity, h),
            counting,
            &mut measured,
            Beside,
        ));
        measured.roots()
    }
}

/// How a seat reaches its parent: what is in the same lane of another seat, or gathered from anywhere.
pub(super) trait Kin<T: Lane> {
    /// Pose and velocity of the parent on one side.
    fn motion<'s>(
        &'s self,
        seats: &'s [Seat<T>],
        at: usize,
        side: usize,
    ) -> impl Deref<Target = Motion<T>> + Copy + 's;
    /// v̇ of the parent, until the new pose is factored.
    fn x<'s>(&'s self, seats: &'s [Seat<T>], at: usize) -> impl Deref<Target = Six<T>> + Copy + 's;
    /// Squares of its sizes, with that motion.
    fn sizes(&self, seats: &[Seat<T>], at: usize, motion: &Motion<T>) -> Sizes<T>;
    /// Is told v̇ of a seat.
    fn tell_x(&mut self, seat: &Seat<T>, at: usize);
    /// Is told where a seat is on one side, and that closing its joint has moved it `by`.
    fn tell_pose(&mut self, seat: &Seat<T>, at: usize, side: usize, by: Vec3<T>);
    /// Is told its velocities.
    fn tell_rates(&mut self, seat: &Seat<T>, at: usize, side: usize);
}

/// In the same lane.
pub(super) struct Beside;

impl<T: Lane> Kin<T> for Beside {
    #[inline(always)]
    fn motion<'s>(
        &'s self,
        seats: &'s [Seat<T>],
        at: usize,
        side: usize,
    ) -> impl Deref<Target = Motion<T>> + Copy + 's {
        &seats[seats[at].spot.parent as usize].motion[side & 1]
    }
    #[inline(always)]
    fn x<'s>(&'s self, seats: &'s [Seat<T>], at: usize) -> impl Deref<Target = Six<T>> + Copy + 's {
        &seats[seats[at].spot.parent as usize].x
    }
    #[inline(always)]
    fn sizes(&self, seats: &[Seat<T>], at: usize, _: &Motion<T>) -> Sizes<T> {
        seats[seats[at].spot.parent as usize].sizes
    }
    #[inline(always)]
    fn tell_x(&mut self, _: &Seat<T>, _: usize) {}
    #[inline(always)]
    fn tell_pose(&mut self, _: &Seat<T>, _: usize, _: usize, _: Vec3<T>) {}
    #[inline(always)]
    fn tell_rates(&mut self, _: &Seat<T>, _: usize, _: usize) {}
}

/// Arms, inertias and right sides of the poses that are factored; the ground is the last seat.
#[inline(always)]
pub(super) fn write_levers<T: Pack>(seats: &mut [Seat<T>], now: usize, gravity: Vec3<T>, kin: &impl Kin<T>) {
    let now = now & 1;
    for at in 0..seats.len() - 1 {
        let Seat { spot, part, motion, .. } = &seats[at];
        let parent = &*kin.motion(seats, at, now);
        let lever = lever(spot.joint, part, &motion[now], parent);
        let inertia = inertia_along(spot.is_principal, &part.inertia, &motion[now].axes);
        let force = weight_of_rigid(part.mass, &inertia, gravity, &motion[now]);
        let (a, b) = spot.sides(&motion[now], parent);
        let (gamma, bias, turn) = spot.joint.closed_gamma(a, b, lever.arm_b);
        let is_held = spot.is_held;
        let seat = &mut seats[at];
        (seat.inertia[now], seat.lever[now], seat.force) = (inertia, lever, force);
        if is_held {
            (seat.gamma, seat.held) = (gamma, (bias, turn));
        }
    }
}

/// What is handed to a body besides what its children hand on.
pub(super) trait Outside<T: Lane> {
    /// That of a place.
    fn handed(&self, at: usize) -> Handed<T>;
    /// Is told the square of the accelerations that the forces on a body could make.
    fn note_reach(&mut self, at: usize, reach: T);
}

/// Nothing.
struct Nothing;

impl<T: Lane> Outside<T> for Nothing {
    #[inline(always)]
    fn handed(&self, _: usize) -> Handed<T> {
        Handed::default()
    }
    #[inline(always)]
    fn note_reach(&mut self, _: usize, _: T) {}
}

/// Whoever certifies answers, place by place from leaves to roots.
pub(super) trait Judge<T: Lane> {
    /// What the equations of a place leave over. The load of its joint, which is returned, is that of the balance.
    fn judge<const HELD: bool>(
        &mut self,
        seats: (&[Seat<T>], usize),
        at: usize,
        joint: Common,
        limb: (&Limb<T>, &More<T>),
        kin: &impl Kin<T>,
    ) -> Six<T>;
}

/// Nobody.
impl<T: Lane> Judge<T> for () {
    #[inline(always)]
    fn judge<const HELD: bool>(
        &mut self,
        _: (&[Seat<T>], usize),
        _: usize,
        _: Common,
        _: (&Limb<T>, &More<T>),
        _: &impl Kin<T>,
    ) -> Six<T> {
        Six::ZERO
    }
}

/// What answers leave over.
pub(super) struct Judging<'w, T: Lane, O> {
    /// What children have handed to parents that wait for more of them, this many.
    waiting: &'w mut [Handed<T>],
    depth: usize,
    pub(super) worst: Worst<T>,
    ground: Ground<T>,
    pub(super) outside: O,
}

impl<'w, T: Lane, O> Judging<'w, T, O> {
    #[inline(always)]
    pub(super) fn new(waiting: &'w mut [Handed<T>], outside: O) -> Self {
        Judging { waiting, depth: 0, worst: Worst::default(), ground: (Vec3::ZERO, Vec3::ZERO), outside }
    }
}

impl<T: Pack, O: Outside<T>> Judge<T> for Judging<'_, T, O> {
    #[inline(always)]
    fn judge<const HELD: bool>(
        &mut self,
        (seats, now): (&[Seat<T>], usize),
        at: usize,
        joint: Common,
        (limb, more): (&Limb<T>, &More<T>),
        kin: &impl Kin<T>,
    ) -> Six<T> {
        let (seat, now) = (&seats[at], now & 1);
        let handed = if limb.has_children() {
            self.depth -= 1;
            self.waiting[self.depth]
        } else {
            self.outside.handed(at)
        };
        let (load, reach, handed_on) =
            judge_seat::<T, HELD>((seats, now), at, joint, (limb, more), (kin, handed), &mut self.worst);
        self.outside.note_reach(at, reach);
        if limb.parent().is_some() {
            if limb.is_first_child() {
                self.waiting[self.depth] = self.outside.handed(seat.spot.parent as usize);
                self.depth += 1;
            }
            self.waiting[self.depth - 1].add(&handed_on);
        } else if HELD {
            self.ground.0 += load.lin;
            self.ground.1 += seat.motion[now].pos.cross(load.lin) + load.ang;
        }
        load
    }
}

/// What the equations of a seat leave over that was `handed` something: the load of its joint, the square of the accelerations that the forces on it could
/// make, and what it hands on.
#[inline(always)]
pub(super) fn judge_seat<T: Pack, const HELD: bool>(
    (seats, now): (&[Seat<T>], usize),
    at: usize,
    joint: Common,
    (limb, more): (&Limb<T>, &More<T>),
    (kin, handed): (&impl Kin<T>, Handed<T>),
    worst: &mut Worst<T>,
) -> (Six<T>, T, Handed<T>) {
    let (seat, now) = (&seats[at], now & 1);
    let part = &seat.part;
    let given = Given { mass: part.mass, inertia: seat.inertia[now], force: seat.force, held: None };
    let about = Balance { is_held: HELD, ..part.balance };
    let mut load = Six::ZERO;
    let (reach, handed_on) = balance::<T, false>((&given, about), (limb, more), &mut load, handed, worst);
    if !HELD {
        return (load, reach, handed_on);
    }
    let lever = &seat.lever[now];
    let left = if joint.on_ground {
        LeftOver::on_ground(lever.arm_b, seat.held, &limb.x, reach)
    } else {
        let (a, b) = joint.sides(seat.motion[now].pos, kin.motion(seats, at, now).pos);
        let anchor = (b + lever.arm_b - a, lever.arm_b);
        LeftOver::of(anchor, seat.held, joint.sides(&limb.x, &*kin.x(seats, at)), reach)
    };
    if joint.is_hinge {
        left.note_hinge(lever.z_b, part.arms_squared.0 + part.arms_squared.1, worst);
    } else {
        left.note_ball(worst);
    }
    (load, reach, handed_on)
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

/// Where the answers of a step lead to.
pub(super) struct Moving<'w, T: Pack, K = Beside> {
    pub(super) seats: &'w mut [Seat<T>],
    pub(super) now: usize,
    pub(super) h: T,
    pub(super) semi_implicit: bool,
    /// Some tree floats.
    pub(super) floats: bool,
    /// Where closing took more than a little.
    pub(super) is_far: T::Mask,
    /// What closing has moved of a tree, times masses; and these.
    pub(super) moment: Vec3<T>,
    pub(super) mass: T,
    pub(super) kin: K,
}

impl<T: Pack, K: Kin<T>> Sides<T> for Moving<'_, T, K> {
    #[inline(always)]
    fn right(&mut self, at: usize, limb: &mut Limb<T>, _: &mut More<T>) {
        let seat = &self.seats[at];
        (limb.force, limb.gamma) = (seat.force, seat.gamma);
    }

    /// Moves the body and closes its joint.
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six<T>, predicted: &Six<T>) {
        let (now, h) = (self.now & 1, self.h);
        let before = &self.seats[at].motion[now];
        let vel = before.vel + x.lin * h;
        let omega = before.omega + x.ang * h;
        let (used, used_spin) = if self.semi_implicit { (vel, omega) } else { (before.vel, before.omega) };
        let moved = before.pos + (predicted.lin + used * h);
        let turned = turned_by(predicted.ang + used_spin * h, before.rot);
        self.seats[at].x = *x;
        self.put(at, (moved, turned), (vel, omega));
    }
}

impl<T: Pack, K: Kin<T>> Moving<'_, T, K> {
    /// Puts a body that was moved where its joint wants it.
    #[inline(always)]
    pub(super) fn put(
        &mut self,
        at: usize,
        (moved, turned): (Vec3<T>, Quat<T>),
        (vel, omega): (Vec3<T>, Vec3<T>),
    ) {
        let next = (self.now & 1) ^ 1;
        let Seat { spot, part, .. } = &self.seats[at];
        let spot = *spot;
        if !spot.is_held {
            let axes = turned.matrix();
            let inertia = inertia_along(spot.is_principal, &part.inertia, &axes);
            let seat = &mut self.seats[at];
            seat.motion[next] = Motion { pos: moved, rot: turned, axes, vel, omega };
            seat.inertia[next] = inertia;
            self.kin.tell_pose(seat, at, next, Vec3::ZERO);
            return self.keep_centre(at, moved, moved);
        }
        let on_ground = spot.joint.on_ground;
        let parent = &*self.kin.motion(self.seats, at, next);
        let arm_parent = if on_ground { part.theirs.0 } else { parent.axes * part.theirs.0 };
        let axes = turned.matrix();
        let little = T::splat(LITTLE * LITTLE);
        let pos = if spot.joint.is_hinge {
            let z_parent = if on_ground { part.theirs.1 } else { parent.axes * part.theirs.1 };
            let z = axes * part.own.1;
            let turn = z.cross(z_parent);
            let bent = turn.dot(turn);
            self.is_far = self.is_far | bent.exceeds(little);
            let is_open = bent.above(T::splat(f64::EPSILON * f64::EPSILON));
            let rot = choose_quat(is_open, turned_by_little(turn, turned), turned);
            let axes = choose_mat(is_open, rot.matrix(), axes);
            let (z, arm) = (choose(is_open, axes * part.own.1, z), axes * part.own.0);
            let pos = parent.pos + arm_parent - arm;
            let ((arm_a, arm_b), (z_a, z_b)) = (spot.sides(arm, arm_parent), spot.sides(z, z_parent));
            let inertia = inertia_along(spot.is_principal, &part.inertia, &axes);
            let seat = &mut self.seats[at];
            seat.inertia[next] = inertia;
            seat.lever[next] = Lever { arm_a, arm_b, z_a, z_b };
            seat.motion[next] = Motion { pos, rot, axes, vel, omega };
            pos
        } else {
            let arm = axes * part.own.0;
            let pos = parent.pos + arm_parent - arm;
            let (arm_a, arm_b) = spot.sides(arm, arm_parent);
            let inertia = inertia_along(spot.is_principal, &part.inertia, &axes);
            let seat = &mut self.seats[at];
            seat.inertia[next] = inertia;
            (seat.lever[next].arm_a, seat.lever[next].arm_b) = (arm_a, arm_b);
            seat.motion[next] = Motion { pos, rot: turned, axes, vel, omega };
            pos
        };
        let part = &self.seats[at].part;
        let own = if spot.joint.onto_b { part.arms_squared.1 } else { part.arms_squared.0 };
        let (by, size) = (pos - moved, pos.dot(pos) + own);
        self.is_far = self.is_far | by.dot(by).exceeds(little * size);
        self.kin.tell_pose(&self.seats[at], at, next, by);
        self.keep_centre(at, pos, moved);
    }

    /// Sums up what closing has moved, and takes it back from a tree that floats once all of it is there.
    #[inline(always)]
    fn keep_centre(&mut self, at: usize, pos: Vec3<T>, moved: Vec3<T>) {
        if !self.floats {
            return;
        }
        let Seat { spot, part: Part { mass, .. }, .. } = &self.seats[at];
        let (spot, mass) = (*spot, *mass);
        self.moment += (pos - moved) * mass;
        self.mass += mass;
        if spot.begins {
            let root = spot.root as usize;
            if !self.seats[root].spot.is_held {
                let (next, back) = ((self.now & 1) ^ 1, self.moment / self.mass);
                for seat in &mut self.seats[at..=root] {
                    seat.motion[next].pos -= back;
                }
            }
            (self.moment, self.mass) = (Vec3::ZERO, T::ZERO);
        }
    }
}

/// Hinges whose turns are counted, with these before a step and after it.
pub(super) struct Counting<'w, T: Lane> {
    pub(super) hinges: &'w [Hinge<T>],
    pub(super) before: &'w [T],
    pub(super) after: &'w mut [T],
}

/// Takes corrections of velocities, and measures the joints; counts turns, and writes the right sides of the next step.
pub(super) struct Corrected<'w, T: Lane, K = Beside> {
    seats: &'w mut [Seat<T>],
    next: usize,
    gravity: Vec3<T>,
    h: T,
    counting: Counting<'w, T>,
    out: &'w mut Measured<T>,
    meter: Meter<T>,
    kin: K,
}

impl<T: Pack, K: Kin<T>> Take<T> for Corrected<'_, T, K> {
    #[inline(always)]
    fn take(&mut self, at: usize, x: &Six<T>) {
        let seat = &mut self.seats[at];
        let motion = &mut seat.motion[self.next & 1];
        motion.vel += x.lin;
        motion.omega += x.ang;
        let own = Sizes::of(motion);
        seat.sizes = own;
        seat.force = weight_of_rigid(seat.part.mass, &seat.inertia[self.next & 1], self.gravity, motion);
        self.out.nothing += (own.pos + own.vel + own.omega) * T::ZERO;
        let spot = seat.spot;
        self.kin.tell_rates(seat, at, self.next);
        match (spot.is_held, spot.joint.onto_b) {
            (false, _) => {}
            (true, true) => self.measure::<true>(at, own),
            (true, false) => self.measure::<false>(at, own),
        }
    }
}

impl<'w, T: Pack, K: Kin<T>> Corrected<'w, T, K> {
    #[inline(always)]
    pub(super) fn new(
        seats: &'w mut [Seat<T>],
        next: usize,
        (gravity, h): (Vec3<T>, T),
        counting: Counting<'w, T>,
        out: &'w mut Measured<T>,
        kin: K,
    ) -> Self {
        Corrected { seats, next, gravity, h, counting, out, meter: Meter::new(), kin }
    }

    /// How far the joint of a body is from closed, what it turned by, and what it asks of the next step.
    #[inline(always)]
    fn measure<const ONTO_B: bool>(&mut self, at: usize, own: Sizes<T>) {
        let next = self.next & 1;
        let Seat { spot, part, motion, lever, .. } = &self.seats[at];
        let (joint, lever) = (spot.joint.onto::<ONTO_B>(), &lever[next]);
        // The ground is at the origin and at rest.
        let theirs = &*self.kin.motion(self.seats, at, next);
        let parent = self.kin.sizes(self.seats, at, theirs);
        let (a, b) = joint.sides(&motion[next], theirs);
        self.meter.note_joint(joint, (part, lever), (a, b), (own, parent), self.out);
        if joint.is_hinge {
            let Counting { hinges, before, after } = &mut self.counting;
            if let Some(hinge) = hinges.get(spot.hinge as usize) {
                let at = hinge.at as usize;
                after[at] = hinge.follow_from(a, b, before[at], self.h);
            }
        }
        let (gamma, bias, turn) = joint.closed_gamma(a, b, lever.arm_b);
        let seat = &mut self.seats[at];
        (seat.gamma, seat.held) = (gamma, (bias, turn));
    }
}

/// What errors are measured by: squares of the bounds of a unit and of nothing, as in `rates.rs`.
#[derive(Copy, Clone, Debug)]
struct Meter<T: Lane> {
    unit: T,
    least: T,
}

impl<T: Pack> Meter<T> {
    #[inline(always)]
    fn new() -> Self {
        let (unit, least) = (2.0 * bound(1.0) * bound(1.0), bound(0.0) * bound(0.0));
        Meter { unit: T::splat(unit), least: T::splat(least) }
    }

    /// How far a joint is from closed, with squares of the sizes of its child and parent.
    #[inline(always)]
    fn note_joint(
        &self,
        joint: Common,
        (part, lever): (&Part<T>, &Lever<T>),
        (a, b): (&Motion<T>, &Motion<T>),
        (own, parent): (Sizes<T>, Sizes<T>),
        out: &mut Measured<T>,
    ) {
        let (rate, slip, to_anchor) = slip((joint.is_hinge, joint.on_ground), lever, a, b);
        let turn = if joint.is_hinge { lever.z_a.cross(lever.z_b) } else { Vec3::ZERO };
        let gaps = Gaps { offset: to_anchor - lever.arm_a, rate, turn, slip };
        self.note_gaps(joint, part, &gaps, (own, parent), out);
    }

    /// The same where that is known.
    #[inline(always)]
    fn note_gaps(
        &self,
        joint: Common,
        part: &Part<T>,
        gaps: &Gaps<T>,
        (own, parent): (Sizes<T>, Sizes<T>),
        out: &mut Measured<T>,
    ) {
        let Meter { unit, least } = *self;
        let (arm_a, arm_b) = part.arms_squared;
        let position = (square(gaps.offset), unit * (own.pos + parent.pos + arm_a + arm_b) + least);
        let (of_a, of_b) = joint.sides(own.omega, parent.omega);
        let size = own.vel + parent.vel + of_a * arm_a + of_b * arm_b;
        out.note(position, (square(gaps.rate), unit * size + least));
        if joint.is_hinge {
            let spin = (square(gaps.slip), unit * (own.omega + parent.omega) + least);
            out.note((square(gaps.turn), unit + least), spin);
        }
    }
}

/// How far a joint is from closed: shift and its rate, and of a hinge the turn across its axis and its rate.
struct Gaps<T: Lane> {
    offset: Vec3<T>,
    rate: Vec3<T>,
    turn: Vec3<T>,
    slip: Vec3<T>,
}

/// The worst errors, and with their bounds; squares until all are known.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Measured<T: Lane> {
    pub(super) position: T,
    pub(super) velocity: T,
    pub(super) position_excess: T,
    pub(super) velocity_excess: T,
    /// Nothing, unless a number is not finite.
    pub(super) nothing: T,
}

impl<T: Pack> Measured<T> {
    /// What the squares are of.
    #[inline(always)]
    fn roots(mut self) -> Self {
        self.position = self.position.sqrt();
        self.velocity = self.velocity.sqrt();
        self.position_excess = self.position_excess.sqrt();
        self.velocity_excess = self.velocity_excess.sqrt();
        self
    }
    /// Errors of position and of velocity with their bounds, all of them squared.
    #[inline(always)]
    fn note(&mut self, position: (T, T), velocity: (T, T)) {
        let is_news = position.0.exceeds(self.position)
            | position.0.exceeds(self.position_excess * position.1)
            | velocity.0.exceeds(self.velocity)
            | velocity.0.exceeds(self.velocity_excess * velocity.1);
        // Mostly nothing is divided.
        if is_news.any() {
            keep(&mut self.position, position.0);
            keep(&mut self.position_excess, position.0 / position.1);
            keep(&mut self.velocity, velocity.0);
            keep(&mut self.velocity_excess, velocity.0 / velocity.1);
        }
    }
}

/// The larger of two; what is no number stays.
#[inline(always)]
fn keep<T: Pack>(most: &mut T, x: T) {
    *most = T::select(x.exceeds(*most) & !most.is_nan(), x, *most);
}

/// What goes into the places at closed poses: everything, or (without `RIGHT`) what is factored.
pub(super) struct Filling<'w, T: Lane, const RIGHT: bool, K = Beside> {
    pub(super) seats: &'w [Seat<T>],
    pub(super) now: usize,
    pub(super) gravity: Vec3<T>,
    pub(super) acc: &'w mut [Six<T>],
    pub(super) nothing: Six<T>,
    pub(super) kin: K,
}

impl<T: Pack, const RIGHT: bool, K: Kin<T>> Fill<T> for Filling<'_, T, RIGHT, K> {
    /// Bodies that float, and hinges that strands pass: all others are plain, or balls.
    #[inline(always)]
    fn any(&mut self, at: usize, limb: &mut Limb<T>, more: &mut More<T>) {
        if self.seats[at].spot.is_held {
            let plain = match self.seats[at].spot.joint.onto_b {
                true => self.plain::<false, false>(at, limb, more),
                false => self.plain::<false, true>(at, limb, more),
            };
            return limb.fill(&plain);
        }
        let (mass, inertia) = self.seats[at].mass_at(self.now);
        limb.diag = Sym6::of_mass(mass, inertia);
        if RIGHT {
            let own = &self.seats[at].motion[self.now & 1];
            limb.force = weight_of_rigid(mass, &inertia, self.gravity, own);
        }
    }
    #[inline(always)]
    fn plain<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        _: &mut Limb<T>,
        _: &mut More<T>,
    ) -> Plain<T> {
        let (seat, now) = (&self.seats[at], self.now & 1);
        let (own, parent) = (&seat.motion[now], &*self.kin.motion(self.seats, at, now));
        let (mass, inertia) = seat.mass_at(now);
        let joint = Common { is_hinge: !BALL, onto_b: !TURNED, ..seat.spot.joint };
        let lever = lever(joint, &seat.part, own, parent);
        let (a, b) = joint.sides(own, parent);
        let mut out = Plain {
            mass,
            inertia,
            force: Six::ZERO,
            gamma: Six::ZERO,
            shift: own.pos - parent.pos,
            first: freedom(joint, &lever, a, b),
        };
        if RIGHT {
            out.force = weight_of_rigid(mass, &inertia, self.gravity, own);
            out.gamma = joint.closed_gamma(a, b, lever.arm_b).0;
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
pub(super) fn lever<T: Lane>(joint: Common, part: &Part<T>, own: &Motion<T>, parent: &Motion<T>) -> Lever<T> {
    let (arm_a, arm_b) = joint.sides(own.axes * part.own.0, parent.axes * part.theirs.0);
    if !joint.is_hinge {
        return Lever { arm_a, arm_b, ..Lever::default() };
    }
    let (z_a, z_b) = joint.sides(own.axes * part.own.1, parent.axes * part.theirs.1);
    Lever { arm_a, arm_b, z_a, z_b }
}

/// N of a joint, or the arm of a ball.
#[inline(always)]
pub(super) fn freedom<T: Lane>(joint: Common, lever: &Lever<T>, a: &Motion<T>, b: &Motion<T>) -> Six<T> {
    let arm = if joint.onto_b { lever.arm_b } else { b.pos + lever.arm_b - a.pos };
    joint.freedom(arm, lever.z_b)
}

/// What the ground exerts, and its moment about the origin.
type Ground<T> = (Vec3<T>, Vec3<T>);

/// What is factored at the new poses, and with it the velocities that the joints must not have. Each place may be certified at the old ones before.
pub(super) struct Rates<'w, T: Lane, J, K = Beside> {
    pub(super) seats: &'w [Seat<T>],
    pub(super) now: usize,
    pub(super) judging: J,
    pub(super) kin: K,
}

impl<T: Pack, J: Judge<T>, K: Kin<T>> Fill<T> for Rates<'_, T, J, K> {
    /// Bodies that float, and hinges that strands pass.
    #[inline(always)]
    fn any(&mut self, at: usize, limb: &mut Limb<T>, more: &mut More<T>) {
        if self.seats[at].spot.is_held {
            let plain = match self.seats[at].spot.joint.onto_b {
                true => self.plain::<false, false>(at, limb, more),
                false => self.plain::<false, true>(at, limb, more),
            };
            return limb.fill(&plain);
        }
        self.judging.judge::<false>((self.seats, self.now), at, Common::default(), (limb, more), &self.kin);
        let seat = &self.seats[at];
        limb.diag = Sym6::of_mass(seat.part.mass, seat.inertia[(self.now & 1) ^ 1]);
        limb.force = Six::ZERO;
    }
    #[inline(always)]
    fn plain<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        limb: &mut Limb<T>,
        more: &mut More<T>,
    ) -> Plain<T> {
        let seat = &self.seats[at];
        let joint = Common { is_hinge: !BALL, onto_b: !TURNED, ..seat.spot.joint };
        self.judging.judge::<true>((self.seats, self.now), at, joint, (limb, more), &self.kin);
        let next = (self.now & 1) ^ 1;
        let Seat { part, motion, lever, inertia, .. } = &self.seats[at];
        let (own, parent) = (&motion[next], &*self.kin.motion(self.seats, at, next));
        let (lever, (a, b)) = (&lever[next], joint.sides(own, parent));
        let (shift, turn, to_anchor) = slip((joint.is_hinge, joint.on_ground), lever, a, b);
        Plain {
            mass: part.mass,
            inertia: inertia[next],
            force: Six::ZERO,
            gamma: match joint.onto_b {
                true => -Six::new(shift + lever.arm_b.cross(turn), turn),
                false => Six::new(shift + to_anchor.cross(turn), turn),
            },
            shift: own.pos - parent.pos,
            first: freedom(joint, lever, a, b),
        }
    }
}
