//! Groups of connected bodies; the ground connects none.

use super::parts::{Members, Parts};
use crate::model::Id;

/// Union–find; a set is named by its smallest place.
#[derive(Debug, Default)]
pub(crate) struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    fn reset(&mut self, count: usize) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
    }
    fn find(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            // Path halving.
            let up = self.parent[self.parent[i as usize] as usize];
            self.parent[i as usize] = up;
            i = up;
        }
        i
    }
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        let (first, second) = if a < b { (a, b) } else { (b, a) };
        self.parent[second as usize] = first;
    }
}

/// Groups of the bodies that `wants`, with all that takes part in them, in the order of their first bodies; every list in the order of places.
/// `near` are pairs of bodies that belong together though no part says so.
pub(crate) fn groups(
    parts: &Parts,
    sets: &mut UnionFind,
    near: &[(u32, u32)],
    wants: impl Fn(u32) -> bool,
) -> Vec<Members> {
    sets.reset(parts.bodies.places());
    parts.each_active(|bodies, _, _| {
        for pair in bodies.windows(2) {
            sets.join(pair[0].place(), pair[1].place());
        }
    });
    // Those of which one is in an island already are taken together where they are looked for.
    let joins = |i: u32| parts.bodies.get_place(i).is_some_and(|entry| entry.enabled) && wants(i);
    for &(a, b) in near.iter().filter(|(a, b)| joins(*a) && joins(*b)) {
        sets.join(a, b);
    }
    if parts.one_island {
        let mut one = parts.bodies.iter().filter(|(place, entry)| entry.enabled && wants(*place));
        if let Some((first, _)) = one.next() {
            one.for_each(|(place, _)| sets.join(first, place));
        }
    }
    let mut all: Vec<Members> = Vec::new();
    let mut group_of = vec![u32::MAX; parts.bodies.places()];
    for (place, entry) in parts.bodies.iter() {
        if !entry.enabled || !wants(place) {
            continue;
        }
        let root = sets.find(place) as usize;
        if group_of[root] == u32::MAX {
            group_of[root] = all.len() as u32;
            all.push(Members::default());
        }
        all[group_of[root] as usize].bodies.push(place);
    }
    let mut on_ground = Vec::new();
    parts.each_active(|bodies, list, place| {
        let Some(first) = bodies.first() else {
            // Shapes on the ground belong to every group.
            on_ground.push((list, place));
            return;
        };
        let group = group_of[sets.find(first.place()) as usize];
        if group != u32::MAX {
            list(&mut all[group as usize]).push(place);
        }
    });
    for members in all.iter_mut().filter(|members| !members.shapes.is_empty()) {
        let before = members.shapes.len();
        let mut other = Members::default();
        on_ground.iter().for_each(|(list, place)| list(&mut other).push(*place));
        members.shapes.append(&mut other.shapes);
        if members.shapes.len() > before {
            members.shapes.sort_unstable();
        }
    }
    all
}

/// All active parts, as one group.
pub(crate) fn everything(parts: &Parts) -> Members {
    let mut all = Members::default();
    all.bodies.extend(parts.bodies.iter().filter(|(_, entry)| entry.enabled).map(|(place, _)| place));
    parts.each_active(|_, list, place| list(&mut all).push(place));
    all
}
