//! Contact forces as columns: the sum on every body, and by pairs of bodies and of named shapes.
//!
//! | column | what it is |
//! |---|---|
//! | `contacts.A.force` | sum of all contact forces on body A |
//! | `contacts.A/B.force` | sum of the forces of B on A; A comes first in the file, the ground last |
//! | `contacts.A/B.normal` | sum of the normal parts, not negative |
//! | `contacts.A/B.friction` | length of the sum of the parts along the surface |
//! | `contacts.A/B.points` | number of points of contact |
//!
//! A shape with a name stands for itself as well: `contacts.box/ramp`. A model of n bodies has n²/2 pairs: beyond
//! [`MOST_PAIRS`] only those have columns that are asked for by name.

use super::row::vector_with_norm;
use cardan::math::Vec3;
use cardan::measure::Instant;
use cardan::{BodyId, Model};

/// Pairs that have columns without being asked for.
const MOST_PAIRS: usize = 64;

/// One side of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Side {
    /// A body by index; `None` is the ground.
    Body(Option<usize>),
    /// A shape by index, which has a name.
    Shape(usize),
}

#[derive(Clone, Debug)]
pub(super) struct ContactColumns {
    /// Bodies with shapes, by index.
    bodies: Vec<usize>,
    pairs: Vec<Pair>,
}

#[derive(Clone, Debug)]
struct Pair {
    name: String,
    sides: [Side; 2],
    is_planar: bool,
}

fn index(model: &Model, body: Option<BodyId>) -> Option<usize> {
    body.and_then(|id| model.body_ids().position(|other| other == id))
}

impl Side {
    fn name<'m>(&self, model: &'m Model) -> &'m str {
        match self {
            Side::Body(None) => "ground",
            Side::Body(Some(body)) => &model.bodies()[*body].name,
            Side::Shape(shape) => model.shapes()[*shape].name().unwrap_or_default(),
        }
    }
}

impl ContactColumns {
    /// The columns of a model, and those of the pairs in `wanted` in any case.
    pub(super) fn of(model: &Model, wanted: &[&str]) -> Self {
        let places = Places::of(model);
        let count = model.shapes().len();
        if count < 2 {
            return ContactColumns { bodies: Vec::new(), pairs: Vec::new() };
        }
        let ids: Vec<_> = model.shape_ids().collect();
        let asked = |name: &str| {
            let is_below = |want: &&str| {
                let rest = want.strip_prefix("contacts.").and_then(|rest| rest.strip_prefix(name));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            wanted.iter().any(is_below)
        };
        let is_planar = |i: usize| places.body[i].is_none_or(|body| model.bodies()[body].kind.is_planar());
        let (mut pairs, mut names) = (Vec::<Pair>::new(), std::collections::BTreeSet::new());
        // Names of all pairs would be many; beyond the limit only those asked for are kept.
        let few = count * (count - 1) / 2 <= 16 * MOST_PAIRS;
        for i in 0..count {
            for j in 0..i {
                if (!few && wanted.is_empty()) || !model.shapes_may_touch(ids[j], ids[i]) {
                    continue;
                }
                // The body that the file names first, and the ground last.
                let key = |s: usize| places.body[s].unwrap_or(usize::MAX);
                let (a, b) = if key(j) <= key(i) { (j, i) } else { (i, j) };
                let side = |s: usize| [Side::Body(places.body[s]), Side::Shape(s)];
                for (first, second) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let sides = [side(a)[first].clone(), side(b)[second].clone()];
                    let named =
                        |side: &Side| !matches!(side, Side::Shape(s) if model.shapes()[*s].name().is_none());
                    if !sides.iter().all(named) {
                        continue;
                    }
                    let name = format!("{}/{}", sides[0].name(model), sides[1].name(model));
                    if !(few || asked(&name)) || !names.insert(name.clone()) {
                        continue;
                    }
                    pairs.push(Pair { name, sides, is_planar: is_planar(a) && is_planar(b) });
                }
            }
        }
        if pairs.len() > MOST_PAIRS {
            pairs.retain(|pair| asked(&pair.name));
        }
        // By bodies in the order of the file.
        let order = |side: &Side| match side {
            Side::Body(body) => (body.unwrap_or(usize::MAX), 0),
            Side::Shape(s) => (places.body[*s].unwrap_or(usize::MAX), s + 1),
        };
        pairs.sort_by_key(|pair| (order(&pair.sides[0]), order(&pair.sides[1])));
        let mut bodies: Vec<usize> = places.body.iter().flatten().copied().collect();
        bodies.sort_unstable();
        bodies.dedup();
        ContactColumns { bodies, pairs }
    }

    /// Prefixes of sums, and whether the body is planar.
    pub(super) fn bodies<'m>(&'m self, model: &'m Model) -> impl Iterator<Item = (String, bool)> + 'm {
        self.bodies.iter().map(|&i| {
            let body = &model.bodies()[i];
            (format!("contacts.{}", body.name), body.kind.is_planar())
        })
    }

    /// Prefixes of pairs, and whether both sides are planar.
    pub(super) fn pairs<'m>(&'m self, _model: &'m Model) -> impl Iterator<Item = (String, bool)> + 'm {
        self.pairs.iter().map(|pair| (format!("contacts.{}", pair.name), pair.is_planar))
    }

    /// Appends the numbers of an instant.
    pub(super) fn write(&self, model: &Model, now: &Instant<'_>, row: &mut Vec<f64>) {
        if self.bodies.is_empty() && self.pairs.is_empty() {
            return;
        }
        let mut on_body = vec![Vec3::ZERO; self.bodies.len()];
        // Of each pair: force on the first side, along the normal, along the surface; points.
        let mut sums = vec![(Vec3::ZERO, 0.0, Vec3::ZERO, 0.0); self.pairs.len()];
        let shapes: Vec<_> = model.shape_ids().collect();
        for contact in now.contacts() {
            let bodies = contact.bodies.map(|body| index(model, body));
            let touching = contact.shapes.map(|shape| shapes.iter().position(|other| *other == shape));
            for (body, sign) in [(bodies[0], -1.0), (bodies[1], 1.0)] {
                if let Some(at) = body.and_then(|body| self.bodies.binary_search(&body).ok()) {
                    on_body[at] += contact.force * sign;
                }
            }
            let normal = contact.force.dot(contact.normal);
            let sliding = contact.force - contact.normal * normal;
            for (pair, sum) in self.pairs.iter().zip(&mut sums) {
                let is = |side: &Side, k: usize| match side {
                    Side::Body(body) => *body == bodies[k],
                    Side::Shape(shape) => Some(*shape) == touching[k],
                };
                let [first, second] = &pair.sides;
                // The force of the report acts on its second body.
                let sign = match () {
                    () if is(first, 0) && is(second, 1) => -1.0,
                    () if is(first, 1) && is(second, 0) => 1.0,
                    () => continue,
                };
                sum.0 += contact.force * sign;
                sum.1 += normal;
                sum.2 += sliding * sign;
                sum.3 += 1.0;
            }
        }
        on_body.into_iter().for_each(|force| vector_with_norm(row, force));
        for (force, normal, sliding, points) in sums {
            vector_with_norm(row, force);
            row.extend([normal, sliding.norm(), points]);
        }
    }
}

/// The body of every shape, by index.
struct Places {
    body: Vec<Option<usize>>,
}

impl Places {
    fn of(model: &Model) -> Self {
        Places { body: model.shapes().iter().map(|shape| index(model, shape.body())).collect() }
    }
}
