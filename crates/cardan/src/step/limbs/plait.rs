//! Plait: bodies of one tree side by side in lanes.
//!
//! Bodies none of which carries another one's tree have nothing to do with each other until their parents' turn comes. Four of them at a time go through the
//! elimination together (`cardan_solve::spatial::braid`): fingers with toes, the left arm with the right one. The arithmetic is that of one body after another
//! (`fill.rs`), in the same order, so accelerations and loads have the same bits.
//!
//! For forests of rigid bodies on hinges and balls that nothing drives or pulls, with enough branches: a chain has nobody to go beside.

use super::Limbs;
use super::fill::{CLOSED, Filling as OneFilling, Name, Nothing, Place, inertia_along, weight_of_rigid};
use super::hold::{Common, Hold, closed_slide};
use super::lanes::{Part, freedom, lever, moves_by_joints_and_weight};
use crate::body::general::Motions;
use crate::body::{BodyKind, Motion};
use crate::math::{Quat, Six, Sym6, Vec3};
use crate::model::Model;
use crate::state::State;
use crate::step::{Integrator, Settings, Workspace};
use cardan_solve::Task;
use cardan_solve::pack::{Pack, Quartet, WithFour, with_wide_four};
use cardan_solve::spatial::braid::{Alone, Braid, Held, Kind, Seating};
use cardan_solve::spatial::wide::Wide;
use cardan_solve::spatial::{Fill, Limb, More, Plain, Spatial};
use std::fmt::Debug;

/// A seat costs about what so many places do one after another, in tenths.
const COST: usize = 22;

/// What is known one body after another.
pub(crate) struct Whole<'w> {
    spatial: &'w mut Spatial,
    places: &'w [Place],
    names: &'w [Name],
    motions: &'w mut Motions,
    acc: &'w mut [f64],
}

/// Bodies side by side, in whichever numbers.
pub(crate) trait Abreast: Debug + Send + Sync {
    /// Accelerations and loads at a state whose joints are closed; false if there are none, or a number is not finite.
    fn accelerations(&mut self, model: &Model, state: &State, work: Whole<'_>) -> bool;
    /// Whether some bodies are held in a way that has no place in lanes, and go alone.
    fn goes_alone(&self) -> bool;
    /// Memory held, in bytes.
    fn bytes(&self) -> usize;
}

/// Accelerations and loads of a state, if bodies can go side by side for it; a factor that is at hand stays so.
pub(in crate::step) fn accelerate(
    model: &Model,
    settings: &Settings,
    state: &State,
    work: &mut Workspace,
) -> bool {
    let Workspace { limbs: Some(limbs), abreast: all, acc, counts, motions, .. } = work else { return false };
    let Some(all) = all.get_or_insert_with(|| abreast(model, settings, limbs)) else { return false };
    if !state.assembled {
        return false;
    }
    if all.goes_alone() {
        // Some places of the factor at hand are another pose's then.
        limbs.factored.clear();
    }
    let Limbs { spatial, places, names, .. } = limbs;
    let is_found = all.accelerations(model, state, Whole { spatial, places, names, motions, acc });
    if is_found {
        counts.factorizations += 1;
        counts.solves += 1;
        (limbs.disagreement, limbs.has_loads) = (None, true);
        limbs.given.clear();
    }
    is_found
}

/// The bodies of a mechanism side by side, where enough of them can be and the machine has registers for it.
fn abreast(model: &Model, settings: &Settings, limbs: &Limbs) -> Option<Box<dyn Abreast>> {
    Wide::here()?;
    if settings.integrator == Integrator::FirstOrder
        || !moves_by_joints_and_weight(model, settings)
        || !limbs.are_few
        || !limbs.closings.is_empty()
        || limbs.places.iter().any(|place| place.kind != BodyKind::Rigid)
    {
        return None;
    }
    let lay = Lay::new(model, limbs);
    if COST * lay.seating.seats.len() > 10 * limbs.places.len() {
        return None;
    }
    with_wide_four(Accelerating(&lay))
}

/// What bodies that go side by side have in common.
fn kind(place: &Place, parent: Option<u32>) -> Kind {
    let joint = place.hold.as_ref().map_or(Common::default(), Hold::common);
    Kind {
        held: match &place.hold {
            None => Held::Floating,
            Some(_) if place.is_slide => Held::Hinge,
            Some(hold) if !hold.is_common() => Held::Otherwise,
            Some(_) if joint.is_hinge => Held::Hinge,
            Some(_) => Held::Ball,
        },
        is_turned: place.hold.is_some() && !joint.onto_b,
        on_ground: parent.is_none(),
        class: u32::from(place.is_principal) | u32::from(place.is_slide) << 1,
    }
}

/// Who goes beside whom.
pub(super) struct Lay<'m> {
    pub(super) model: &'m Model,
    pub(super) limbs: &'m Limbs,
    pub(super) parents: Vec<Option<u32>>,
    pub(super) kinds: Vec<Kind>,
    pub(super) seating: Seating,
}

impl<'m> Lay<'m> {
    pub(super) fn new(model: &'m Model, limbs: &'m Limbs) -> Self {
        let parents: Vec<Option<u32>> =
            limbs.spatial.limbs().iter().map(|limb| limb.parent().map(|parent| parent as u32)).collect();
        let kinds: Vec<Kind> =
            limbs.places.iter().zip(&parents).map(|(place, parent)| kind(place, *parent)).collect();
        let seating = Seating::new(&parents, &kinds);
        Lay { model, limbs, parents, kinds, seating }
    }
}

struct Accelerating<'m>(&'m Lay<'m>);

impl WithFour for Accelerating<'_> {
    type Output = Box<dyn Abreast>;
    fn run<T: Quartet>(self) -> Self::Output {
        Box::new(Plait::<T>::new(self.0))
    }
}

/// Four bodies.
#[derive(Clone, Debug)]
struct Bench<T: Pack> {
    joint: Common,
    is_principal: bool,
    /// They slide, and do not turn, on their parents.
    is_slide: bool,
    on_ground: bool,
    is_alone: bool,
    places: [u32; 4],
    /// Where their coordinates and velocities begin, and those of their parents.
    q: [u32; 4],
    v: [u32; 4],
    parent_q: [u32; 4],
    parent_v: [u32; 4],
    part: Part<T>,
}

impl<T: Pack> Bench<T> {
    fn new(lay: &Lay<'_>, places: [u32; 4]) -> Self {
        let all = &lay.limbs.places;
        let of = |lane: usize| &all[places[lane] as usize];
        // The ground has no coordinates, and is not asked.
        let parent =
            |lane: usize| lay.parents[places[lane] as usize].map_or(of(lane), |at| &all[at as usize]);
        let first = of(0);
        Bench {
            joint: first.hold.as_ref().map_or(Common::default(), Hold::common),
            is_principal: first.is_principal,
            is_slide: first.is_slide,
            on_ground: lay.parents[places[0] as usize].is_none(),
            is_alone: lay.kinds[places[0] as usize].held == Held::Otherwise,
            places,
            q: std::array::from_fn(|lane| of(lane).q_at),
            v: std::array::from_fn(|lane| of(lane).v_at),
            parent_q: std::array::from_fn(|lane| parent(lane).q_at),
            parent_v: std::array::from_fn(|lane| parent(lane).v_at),
            part: Part::of(of),
        }
    }
}

#[derive(Debug)]
struct Plait<T: Quartet> {
    braid: Braid<T>,
    benches: Vec<Bench<T>>,
    /// Places that go alone, and the bodies whose motions they ask for.
    alone: Vec<u32>,
    asked: Vec<u32>,
    gravity: Vec3<T>,
}

impl<T: Quartet> Plait<T> {
    fn new(lay: &Lay<'_>) -> Self {
        let g = lay.model.gravity;
        let is_alone = |&at: &u32| lay.kinds[at as usize].held == Held::Otherwise;
        let alone: Vec<u32> = (0..lay.kinds.len() as u32).filter(is_alone).collect();
        let ends = |&at: &u32| [Some(at), lay.parents[at as usize]];
        let body = |at: u32| lay.limbs.places[at as usize].body;
        let mut asked: Vec<u32> = alone.iter().flat_map(ends).flatten().map(body).collect();
        asked.sort_unstable();
        asked.dedup();
        Plait {
            alone,
            asked,
            braid: Braid::new(&lay.parents, &lay.kinds, &lay.seating),
            benches: lay.seating.seats.iter().map(|&places| Bench::new(lay, places)).collect(),
            gravity: Vec3::new(T::splat(g.x), T::splat(g.y), T::splat(g.z)),
        }
    }
}

impl<T: Quartet> Abreast for Plait<T> {
    fn accelerations(&mut self, model: &Model, state: &State, work: Whole<'_>) -> bool {
        let Whole { spatial, places, names, motions, acc } = work;
        for &body in &self.asked {
            let entry = &model.bodies[body as usize];
            motions[body as usize] = entry.kind.motion(&state.q[entry.q_range()], &state.v[entry.v_range()]);
        }
        let filling = OneFilling::<CLOSED> {
            model,
            places,
            names,
            motions,
            extra: None,
            acc: &mut [],
            nothing: Nothing::default(),
        };
        let mut others = Others { spatial, filling };
        let is_fine = T::within(Accelerate { plait: self, state, acc, others: &mut others });
        let mut sum = 0.0;
        for &at in &self.alone {
            let x = &spatial.limbs()[at as usize].x;
            places[at as usize].write_x(x, acc);
            sum += [x.lin.x, x.lin.y, x.lin.z, x.ang.x, x.ang.y, x.ang.z]
                .iter()
                .fold(0.0, |sum, x| sum + x * 0.0);
        }
        is_fine && sum == 0.0
    }
    fn goes_alone(&self) -> bool {
        !self.alone.is_empty()
    }
    fn bytes(&self) -> usize {
        self.braid.bytes()
            + self.benches.capacity() * size_of::<Bench<T>>()
            + (self.alone.capacity() + self.asked.capacity()) * size_of::<u32>()
    }
}

struct Accelerate<'w, 'o, T: Quartet> {
    plait: &'w mut Plait<T>,
    state: &'w State,
    acc: &'w mut [f64],
    others: &'w mut Others<'o>,
}

impl<T: Quartet> Task for Accelerate<'_, '_, T> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let Accelerate { plait: Plait { braid, benches, gravity, .. }, state, acc, others } = self;
        let mut filling =
            Filling { benches, q: &state.q, v: &state.v, gravity: *gravity, acc, nothing: Six::ZERO };
        let is_fine = braid.factor_and_solve(&mut filling, others) && filling.nothing == Six::ZERO;
        let loads = others.spatial.results_mut().loads;
        for (bench, load) in benches.iter().zip(braid.loads()) {
            if bench.is_alone {
                continue;
            }
            let mut rows = [0.0; 24];
            let Six { lin, ang } = load;
            T::scatter([lin.x, lin.y, lin.z, ang.x, ang.y, ang.z], &mut rows, [0, 6, 12, 18]);
            for (row, &place) in rows.as_chunks::<6>().0.iter().zip(&bench.places) {
                loads[place as usize] = Six::from_slice(row);
            }
        }
        is_fine
    }
}

/// Places that go alone.
struct Others<'w> {
    spatial: &'w mut Spatial,
    filling: OneFilling<'w, CLOSED>,
}

impl Alone for Others<'_> {
    fn eliminate(&mut self, place: usize, sum: Option<(Sym6, Six)>) -> (bool, Sym6, Six) {
        self.spatial.eliminate_alone(place, sum, &mut self.filling)
    }
    fn back(&mut self, place: usize, parent: Six) -> Six {
        self.spatial.back_alone(place, parent)
    }
}

/// What goes into the places of closed poses, read from coordinates and velocities.
struct Filling<'w, T: Quartet> {
    benches: &'w [Bench<T>],
    q: &'w [f64],
    v: &'w [f64],
    gravity: Vec3<T>,
    acc: &'w mut [f64],
    /// Nothing, unless an acceleration is not finite.
    nothing: Six<T>,
}

impl<T: Quartet> Filling<'_, T> {
    /// Pose and velocity of four bodies.
    #[inline(always)]
    fn motion(&self, q: [u32; 4], v: [u32; 4]) -> Motion<T> {
        let [x, y, z, w, i, j, k] = T::gather::<7>(self.q, q);
        let [vx, vy, vz, wx, wy, wz] = T::gather::<6>(self.v, v);
        let rot = Quat { w, v: Vec3::new(i, j, k) };
        Motion {
            pos: Vec3::new(x, y, z),
            rot,
            axes: rot.matrix(),
            vel: Vec3::new(vx, vy, vz),
            omega: Vec3::new(wx, wy, wz),
        }
    }
}

impl<T: Quartet> Fill<T> for Filling<'_, T> {
    /// Bodies that float: all others are plain, or balls.
    #[inline(always)]
    fn any(&mut self, at: usize, limb: &mut Limb<T>, _: &mut More<T>) {
        let bench = &self.benches[at];
        let own = self.motion(bench.q, bench.v);
        let inertia = inertia_along(bench.is_principal, &bench.part.inertia, &own.axes);
        limb.diag = Sym6::of_mass(bench.part.mass, inertia);
        limb.force = weight_of_rigid(bench.part.mass, &inertia, self.gravity, &own);
    }
    #[inline(always)]
    fn plain<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        _: &mut Limb<T>,
        _: &mut More<T>,
    ) -> Plain<T> {
        let bench = &self.benches[at];
        let part = &bench.part;
        let own = self.motion(bench.q, bench.v);
        let parent = match bench.on_ground {
            true => Motion::GROUND,
            false => self.motion(bench.parent_q, bench.parent_v),
        };
        let inertia = inertia_along(bench.is_principal, &part.inertia, &own.axes);
        let joint = Common { is_hinge: !BALL, onto_b: !TURNED, ..bench.joint };
        let lever = lever(joint, part, &own, &parent);
        let (a, b) = joint.sides(&own, &parent);
        let (first, gamma) = match !BALL && bench.is_slide {
            true => closed_slide(!TURNED, (a, b), lever.arm_b, lever.z_a),
            false => (freedom(joint, &lever, a, b), joint.closed_gamma(a, b, lever.arm_b).0),
        };
        let force = weight_of_rigid(part.mass, &inertia, self.gravity, &own);
        Plain { mass: part.mass, inertia, force, gamma, shift: own.pos - parent.pos, first }
    }
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six<T>) {
        T::scatter([x.lin.x, x.lin.y, x.lin.z, x.ang.x, x.ang.y, x.ang.z], self.acc, self.benches[at].v);
        self.nothing += x.scaled(T::ZERO);
    }
}
