//! Mechanisms with loops against the dense solver: hinges, spherical joints, sliders and rods with real
//! geometry, planar and spatial, so that redundancy occurs as in practice.
#![allow(clippy::disallowed_methods)] // no bits are promised here

use crate::articulated::random::Rng;
use crate::articulated::*;
use crate::error::FactorError;
use crate::forest::Forest;
use crate::graph::{Block, Graph, Link};
use crate::lane::Lane;
use crate::math::{Six, Sym3, Sym6, Vec3};
use crate::{Dense, System};
use std::sync::Arc;

#[derive(Copy, Clone, PartialEq)]
enum Kind {
    Hinge,
    Ball,
    Slider,
    Rod,
    Weld,
}

/// Rows and freedoms of a joint at a point p with an axis, as (force, torque) directions at p.
fn joint(kind: Kind, axis: Vec3) -> (Vec<Six>, Vec<Six>) {
    let u = axis.cross(if axis.x.abs() < 0.6 { Vec3::X } else { Vec3::Y });
    let u = u * (1.0 / u.norm());
    let w = axis.cross(u);
    let (shift, turn) = (|e: Vec3| Six::new(e, Vec3::ZERO), |e: Vec3| Six::new(Vec3::ZERO, e));
    let (x, y, z) = (Vec3::X, Vec3::Y, Vec3::Z);
    match kind {
        Kind::Hinge => (vec![shift(x), shift(y), shift(z), turn(u), turn(w)], vec![turn(axis)]),
        Kind::Ball => (vec![shift(x), shift(y), shift(z)], vec![turn(x), turn(y), turn(z)]),
        Kind::Slider => (vec![shift(u), shift(w), turn(x), turn(y), turn(z)], vec![shift(axis)]),
        Kind::Rod => (vec![shift(axis)], vec![shift(u), shift(w), turn(x), turn(y), turn(z)]),
        Kind::Weld => (vec![shift(x), shift(y), shift(z), turn(x), turn(y), turn(z)], vec![]),
    }
}

fn turned(v: Vec3, by: f64) -> Vec3 {
    v + Vec3::new(by, -by, by)
}

struct Link3 {
    ends: [Option<usize>; 2],
    kind: Kind,
    rows: Vec<Six>,
    freedoms: Vec<Six>,
    place: Vec3,
}

struct Mechanism {
    graph: Arc<Graph>,
    system: System,
    pos: Vec<Vec3>,
    masses: Vec<Sym6>,
    forces: Vec<Six>,
    links: Vec<Link3>,
    /// An acceleration that satisfies all rows.
    legal: Vec<Six>,
}

fn mechanism(seed: u64, n: usize, loops: usize, planar: bool, decades: f64, size: f64) -> Mechanism {
    let mut rng = Rng(seed.wrapping_mul(0x9e3779b97f4a7c15) ^ 0xabcdef);
    // Many real mechanisms are aligned with the axes, up to rounding.
    let aligned = seed % 4 < 2;
    let normal = if aligned { turned(Vec3::Z, 1e-16) } else { rng.unit() };
    let flat = |v: Vec3| if planar { v - normal * normal.dot(v) } else { v };
    let pos: Vec<Vec3> = (0..n).map(|_| flat(rng.vec3()) * size).collect();
    let at = |b: Option<usize>| b.map_or(Vec3::ZERO, |i| pos[i]);
    let mut pairs = Vec::new();
    for i in 0..n {
        let parent = if i == 0 || rng.below(6) == 0 { None } else { Some(rng.below(i)) };
        if i == 0 || rng.below(12) != 0 {
            pairs.push([parent, Some(i)]);
        }
    }
    for _ in 0..loops {
        let a = rng.below(n + 1);
        let b = rng.below(n);
        if a != b {
            pairs.push([(a < n).then_some(a), Some(b)]);
        }
    }
    let mut links: Vec<Link3> = Vec::new();
    for mut ends in pairs {
        if rng.below(2) == 0 {
            ends.swap(0, 1);
        }
        let kind = match rng.below(12) {
            0 if !planar => Kind::Ball,
            // Loops through several spherical joints in a row.
            4..9 if !planar && seed % 5 == 1 => Kind::Ball,
            1 => Kind::Slider,
            2 => Kind::Rod,
            3 if n > 6 => Kind::Weld,
            _ => Kind::Hinge,
        };
        let axis = match (planar, kind) {
            (true, Kind::Slider | Kind::Rod) => {
                let v = flat(rng.vec3());
                v * (1.0 / v.norm())
            }
            (true, _) => normal,
            _ if aligned => turned([Vec3::X, Vec3::Y, Vec3::Z][rng.below(3)], 1e-16 * rng.next()),
            _ => rng.unit(),
        };
        let place = flat(rng.vec3()) * (0.5 * size) + (at(ends[0]) + at(ends[1])) * 0.5;
        let (rows, freedoms) = joint(kind, axis);
        links.push(Link3 { ends, kind, rows, freedoms, place });
    }
    assembled(rng, pos, links, decades, size)
}

/// A platform on legs of three hinges and a spherical joint each; the last leg is a rod
/// between two spherical joints if `has_rod`, which does not span the rows of its loop closure.
fn platform(seed: u64, legs: usize, has_rod: bool) -> Mechanism {
    let mut rng = Rng(seed.wrapping_mul(0x9e3779b97f4a7c15) ^ 0x1e65);
    let mut links: Vec<Link3> = Vec::new();
    let mut pos = vec![rng.vec3() * 0.3];
    for leg in 0..legs {
        let foot = rng.vec3();
        let is_rod = has_rod && leg + 1 == legs;
        let mut below = None;
        for part in 0..3 {
            let place = foot + rng.vec3() * (0.2 * part as f64);
            let kind = match (is_rod, part) {
                (false, 2) if seed % 2 == 1 => Kind::Slider,
                (false, _) => Kind::Hinge,
                (true, 0) => Kind::Ball,
                (true, _) => Kind::Weld,
            };
            let (rows, freedoms) = joint(kind, rng.unit());
            links.push(Link3 { ends: [below, Some(pos.len())], kind, rows, freedoms, place });
            below = Some(pos.len());
            pos.push(place + rng.vec3() * 0.3);
        }
        let place = pos[0] + rng.vec3() * 0.5;
        let (rows, freedoms) = joint(Kind::Ball, Vec3::Z);
        links.push(Link3 { ends: [below, Some(0)], kind: Kind::Ball, rows, freedoms, place });
    }
    assembled(rng, pos, links, 1.0, 1.0)
}

/// A mechanism of bodies at these places, with random masses and forces.
fn assembled(mut rng: Rng, pos: Vec<Vec3>, links: Vec<Link3>, decades: f64, size: f64) -> Mechanism {
    let n = pos.len();
    let mut graph = Graph::new();
    let blocks: Vec<Block> = (0..n).map(|_| graph.add_block(6)).collect();
    for link in &links {
        graph.add_link(link.rows.len(), &link.ends.map(|e| e.map(|i| blocks[i])));
    }
    let graph = Arc::new(graph);
    let mut system = System::new(Arc::clone(&graph));
    let (mut masses, mut forces) = (Vec::new(), Vec::new());
    for &block in &blocks {
        let m = 10f64.powf(decades * 0.5 * rng.next());
        let mut inertia = Sym3::diagonal(0.05, 0.05, 0.05);
        for _ in 0..3 {
            inertia = inertia + Sym3::of_point(rng.vec3()).scaled(0.1);
        }
        let mass = Sym6::of_mass(m, inertia.scaled(m * size * size));
        let force = Six::new(rng.vec3() * m, rng.vec3() * (m * size));
        system.mass_mut(block).copy_from_slice(&mass.packed());
        force.write(system.force_of_mut(block));
        masses.push(mass);
        forces.push(force);
    }
    // Biases that some motion satisfies: a random motion of the tree would not close the loops, so all bodies
    // move as one.
    let twist = Six::new(rng.vec3() * size, rng.vec3());
    let legal: Vec<Six> = pos.iter().map(|p| twist.carried(*p)).collect();
    for (k, link) in links.iter().enumerate() {
        for (r, row) in link.rows.iter().enumerate() {
            let mut bias = 0.0;
            for (end, body) in link.ends.iter().enumerate() {
                let Some(i) = *body else { continue };
                let sign = if end == 0 { -1.0 } else { 1.0 };
                let entry = row.carried_back(link.place - pos[i]).scaled(sign);
                entry.write(&mut system.jac_mut(Link(k as u32), end)[6 * r..6 * r + 6]);
                bias -= entry.dot(&legal[i]);
            }
            system.bias_of_mut(Link(k as u32))[r] = bias;
        }
    }
    Mechanism { graph, system, pos, masses, forces, links, legal }
}

impl Mechanism {
    fn forms(&self) -> Vec<Option<Form>> {
        self.links
            .iter()
            .map(|l| match l.kind {
                Kind::Rod => Some(Form::Rows(1)),
                _ => Some(Form::Freedoms(l.freedoms.len() as u8)),
            })
            .collect()
    }

    fn prepared(&self) -> ArticulatedForest {
        let forest = Forest::grow(&self.graph);
        let mut articulated = ArticulatedForest::new(&self.graph, &forest, &self.forms()).unwrap();
        self.fill_closures(&mut articulated);
        let places: Vec<_> = (0..articulated.len()).map(|at| articulated.at(at)).collect();
        for (at, (_, link)) in places.iter().enumerate() {
            if link.is_some_and(|link| self.links[link.0 as usize].kind == Kind::Ball) {
                articulated.use_ball_kernel(at);
            }
        }
        articulated.plan(RANK_TOLERANCE, 0.0, |at, geometry| {
            let (block, link) = places[at];
            let link = &self.links[link.unwrap().0 as usize];
            let i = block.0 as usize;
            let arm = link.place - self.pos[i];
            geometry.shift = self.shift(i, link);
            geometry.count = link.freedoms.len();
            for (to, n) in geometry.columns.iter_mut().zip(&link.freedoms) {
                *to = n.carried(-arm);
            }
        });
        articulated
    }

    fn shift(&self, child: usize, link: &Link3) -> Vec3 {
        let parent = if link.ends[0] == Some(child) { link.ends[1] } else { link.ends[0] };
        parent.map_or(self.pos[child], |p| self.pos[child] - self.pos[p])
    }

    fn fill_closures<T: Lane>(&self, articulated: &mut ArticulatedForest<T>) {
        for closure in articulated.closures_mut() {
            let link = closure.link();
            for r in 0..closure.len() {
                for end in 0..2 {
                    let jac = self.system.jac(link, end);
                    if !jac.is_empty() {
                        closure.rows[end][r] = lane(Six::from_slice(&jac[6 * r..]));
                    }
                }
                closure.bias[r] = T::splat(self.system.bias_of(link)[r]);
            }
        }
    }

    fn fill<T: Lane>(&self, at: (Block, Option<Link>), node: &mut Node<T>, extra: &mut NodeExtra<T>) {
        let i = at.0.0 as usize;
        let (m, s) = (&self.masses[i], |x: f64| T::splat(x));
        let [xx, yy, zz, xy, xz, yz] = [m.c.xx, m.c.yy, m.c.zz, m.c.xy, m.c.xz, m.c.yz].map(s);
        node.diag = Sym6::of_mass(s(m.a.xx), Sym3 { xx, yy, zz, xy, xz, yz });
        node.force = lane(self.forces[i]);
        let Some(k) = at.1 else { return };
        let link = &self.links[k.0 as usize];
        node.shift = lane::<T>(Six::new(self.shift(i, link), Vec3::ZERO)).lin;
        let arm = link.place - self.pos[i];
        let parent = if link.ends[0] == Some(i) { link.ends[1] } else { link.ends[0] };
        let carried = parent.map_or(Six::ZERO, |p| self.legal[p].carried(self.pos[i] - self.pos[p]));
        node.gamma = lane(self.legal[i] - carried);
        let end = usize::from(link.ends[0] != Some(i));
        let columns: Vec<Six> = match link.kind {
            Kind::Rod => vec![Six::from_slice(self.system.jac(k, end))],
            _ => link.freedoms.iter().map(|n| n.carried(-arm)).collect(),
        };
        extra.bias[0] = s(self.system.bias_of(k)[0]);
        if node.is_ball() {
            node.first = lane(Six::new(arm, Vec3::ZERO));
            return;
        }
        for (r, column) in columns.into_iter().enumerate() {
            *(if r == 0 { &mut node.first } else { &mut extra.columns[r - 1] }) = lane(column);
        }
    }
}

fn lane<T: Lane>(v: Six) -> Six<T> {
    let l = |v: Vec3| Vec3::new(T::splat(v.x), T::splat(v.y), T::splat(v.z));
    Six::new(l(v.lin), l(v.ang))
}

fn rank_of(m: &Mechanism, articulated: &ArticulatedForest) -> usize {
    let dropped: usize = articulated.closures().iter().map(|c| c.len() - c.kept().len()).sum();
    m.graph.rows() - dropped
}

/// Largest difference of x from the dense one, and the residual of x and λ in the whole system.
fn compare(m: &Mechanism, what: &str) -> (f64, f64) {
    let mut articulated = m.prepared();
    let mut dense = Dense::new(&m.graph);
    dense.factor(&m.system).unwrap();
    let (mut x, mut lambda) = (vec![0.0; m.graph.unknowns()], vec![0.0; m.graph.rows()]);
    dense.solve(m.system.force(), m.system.bias(), &mut x, &mut lambda);
    assert_eq!(rank_of(m, &articulated), dense.rank(), "{what}: rank");
    let places: Vec<_> = (0..articulated.len()).map(|at| articulated.at(at)).collect();
    articulated
        .factor_and_solve(&mut FillWith(|at: usize, node: &mut _, extra: &mut _| {
            m.fill(places[at], node, extra)
        }))
        .unwrap();
    let largest = x.iter().fold(1.0, |w: f64, v| w.max(v.abs()));
    let mut off: f64 = 0.0;
    for at in 0..articulated.len() {
        let want = Six::from_slice(&x[m.graph.block_range(places[at].0)]);
        let d = articulated.nodes()[at].x - want;
        off = off.max(d.dot(&d).sqrt() / largest);
    }
    // Forces balance with the loads and the multipliers of the loop closures alone.
    let given = |at: usize, x: &Six| {
        let block = places[at].0.0 as usize;
        (m.masses[block].mul(x), m.forces[block])
    };
    let left = articulated.balance(given);
    // Two right-hand sides at once: the second is a part of the biases, without forces.
    let part = -0.3;
    m.fill_closures(&mut articulated);
    let mut both = vec![(Six::ZERO, Six::ZERO); articulated.len()];
    articulated.solve_two_rhs(
        part,
        &mut (
            |at: usize, node: &mut Node, extra: &mut NodeExtra| m.fill_right_side(places[at], node, extra),
            |at: usize, x: &Six, second: &Six| both[at] = (*x, *second),
        ),
    );
    articulated.closures_mut().iter_mut().flat_map(|closure| &mut closure.bias).for_each(|c| *c *= part);
    let alone: Vec<Six> = articulated.nodes().iter().map(|l| l.x).collect();
    articulated.solve(|at, node, extra| {
        m.fill_right_side(places[at], node, extra);
        (node.force, node.gamma) = (Six::ZERO, node.gamma.scaled(part));
        extra.bias.iter_mut().for_each(|c| *c *= part);
    });
    for (at, node) in articulated.nodes().iter().enumerate() {
        for d in [both[at].0 - alone[at], both[at].1 - node.x] {
            assert!(d.dot(&d).sqrt() < 1e-9 * largest, "two right-hand sides: {d:?}");
        }
    }
    // The same right-hand side again, with the factor.
    m.fill_closures(&mut articulated);
    articulated.solve(|at, node, extra| m.fill_right_side(places[at], node, extra));
    let first: Vec<Six> = articulated.nodes().iter().map(|l| l.x).collect();
    m.fill_closures(&mut articulated);
    articulated.solve(|at, node, extra| m.fill_right_side(places[at], node, extra));
    for (node, first) in articulated.nodes().iter().zip(&first) {
        let d = node.x - *first;
        assert!(d.dot(&d).sqrt() <= 1e-9 * largest, "{what}: the second solve differs by {d:?}");
    }
    (off, left)
}

impl Mechanism {
    fn fill_right_side(&self, at: (Block, Option<Link>), node: &mut Node, extra: &mut NodeExtra) {
        let (mut other, mut other_more) = (*node, *extra);
        self.fill(at, &mut other, &mut other_more);
        (node.force, node.gamma, extra.bias) = (other.force, other.gamma, other_more.bias);
    }
}

#[test]
fn loops_equal_the_dense_solver() {
    let mut worst = (0.0f64, 0.0f64);
    for seed in 0..3000u64 {
        let n = 2 + (seed % 13) as usize;
        let loops = 1 + (seed / 13 % 4) as usize;
        let (planar, decades) = (seed % 2 == 0, if seed % 3 == 0 { 6.0 } else { 1.0 });
        let size = if seed % 5 == 0 { 1e-3 } else { 1.0 };
        let m = mechanism(seed, n, loops, planar, decades, size);
        let (off, left) = compare(&m, &format!("seed {seed}"));
        if decades < 2.0 {
            worst = (worst.0.max(off), worst.1.max(left));
            assert!(off < 1e-8 && left < 1e-8, "seed {seed}: {off:e} from dense, balance {left:e}");
        }
    }
    println!("worst: {:e} from dense, balance {:e}", worst.0, worst.1);
}

#[test]
fn platforms_on_legs_equal_the_dense_solver() {
    let mut at_platform = 0;
    for seed in 0..300u64 {
        let (legs, has_rod) = (4 + (seed % 3) as usize, seed % 4 == 0);
        let m = platform(seed, legs, has_rod);
        let (off, left) = compare(&m, &format!("seed {seed}"));
        assert!(off < 1e-8 && left < 1e-8, "seed {seed}: {off:e} from dense, balance {left:e}");
        let mut articulated = m.prepared();
        assert!(articulated.closures.may_have_legs(), "seed {seed}: the plan knows the legs");
        let places: Vec<_> = (0..articulated.len()).map(|at| articulated.at(at)).collect();
        let fill = |at: usize, node: &mut _, extra: &mut _| m.fill(places[at], node, extra);
        (0..articulated.len()).for_each(|at| articulated.use_leaf_kernel(at));
        articulated.factor(&mut FillWith(fill)).unwrap();
        assert!(!(has_rod && articulated.closures.has_legs), "seed {seed}: a rod does not span its rows");
        at_platform += usize::from(articulated.closures.has_legs);
        // Biases of the loop closures alone, after a solve with efforts.
        m.fill_closures(&mut articulated);
        articulated.solve(|at, node, extra| {
            m.fill_right_side(places[at], node, extra);
            node.effort = 1.0;
        });
        let mut alone = vec![Six::ZERO; articulated.len()];
        articulated.solve_closures(|at, x| alone[at] = *x);
        articulated.solve(|_, node, extra| {
            (node.force, node.gamma, extra.bias) = (Six::ZERO, Six::ZERO, [0.0; MAX_COLUMNS]);
        });
        for (node, alone) in articulated.nodes().iter().zip(&alone) {
            let d = node.x - *alone;
            assert!(d.dot(&d).sqrt() < 1e-9 * (1.0 + node.x.dot(&node.x).sqrt()), "seed {seed}: {d:?}");
        }
    }
    assert!((50..200).contains(&at_platform), "{at_platform} of 300 are eliminated at the platform");
}

#[test]
fn a_loop_closure_without_rows_is_named() {
    for seed in 0..60u64 {
        let m = mechanism(seed, 8, 3, false, 1.0, 1.0);
        let mut articulated = m.prepared();
        let places: Vec<_> = (0..articulated.len()).map(|at| articulated.at(at)).collect();
        for k in 0..articulated.closures().len() {
            m.fill_closures(&mut articulated);
            let closure = &mut articulated.closures_mut()[k];
            if closure.kept().is_empty() {
                continue;
            }
            closure.rows.iter_mut().flatten().for_each(|row| *row = Six::ZERO);
            let link = closure.link();
            let error = articulated.factor(&mut FillWith(|at: usize, node: &mut _, extra: &mut _| {
                m.fill(places[at], node, extra)
            }));
            assert_eq!(error, Err(FactorError::Vanished { link, row: 0 }), "seed {seed}, closure {k}");
        }
    }
}
