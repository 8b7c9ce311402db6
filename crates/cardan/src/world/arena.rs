//! Generational arena: storage of parts by index and generation.

use crate::model::{Id, IdSource};

/// A list whose entries keep their index.
#[derive(Clone, Debug)]
pub(crate) struct Arena<T> {
    slots: Vec<Slot<T>>,
    /// Free places; the last one is used first.
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Slot<T> {
    generation: u32,
    /// Source of the id of the part that is here.
    id_source: IdSource,
    part: Option<T>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slot<T> {
    /// Whether an id names what is here.
    fn matches_id<I: Id>(&self, id: I) -> bool {
        let is_ours = id.id_source() == self.id_source || id.id_source() == IdSource::ANY;
        self.generation == id.generation() && is_ours
    }
}

impl<T> Arena<T> {
    pub(crate) fn insert<I: Id>(&mut self, part: T, id_source: IdSource) -> I {
        if let Some(place) = self.free.pop() {
            let slot = &mut self.slots[place as usize];
            slot.part = Some(part);
            slot.id_source = id_source;
            return I::new(place, slot.generation, id_source);
        }
        self.slots.push(Slot { generation: 0, id_source, part: Some(part) });
        I::new(self.slots.len() as u32 - 1, 0, id_source)
    }

    pub(crate) fn get<I: Id>(&self, id: I) -> Option<&T> {
        let slot = self.slots.get(id.place() as usize)?;
        slot.part.as_ref().filter(|_| slot.matches_id(id))
    }

    pub(crate) fn get_mut<I: Id>(&mut self, id: I) -> Option<&mut T> {
        let slot = self.slots.get_mut(id.place() as usize)?;
        if slot.matches_id(id) { slot.part.as_mut() } else { None }
    }

    pub(crate) fn remove<I: Id>(&mut self, id: I) -> Option<T> {
        let slot = self.slots.get_mut(id.place() as usize)?;
        if !slot.matches_id(id) {
            return None;
        }
        let part = slot.part.take()?;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.place());
        Some(part)
    }

    /// The part at a place, which must have one.
    pub(crate) fn at(&self, place: u32) -> &T {
        self.slots[place as usize].part.as_ref().expect("a place in use")
    }
    /// The part at a place, if there is one.
    pub(crate) fn get_place(&self, place: u32) -> Option<&T> {
        self.slots.get(place as usize)?.part.as_ref()
    }
    pub(crate) fn at_mut(&mut self, place: u32) -> &mut T {
        self.slots[place as usize].part.as_mut().expect("a place in use")
    }
    /// The id of the part at a place.
    pub(crate) fn id<I: Id>(&self, place: u32) -> I {
        let slot = &self.slots[place as usize];
        I::new(place, slot.generation, slot.id_source)
    }
    /// The generation of what is at a place, or would come there.
    pub(crate) fn generation(&self, place: u32) -> Option<u32> {
        Some(self.slots.get(place as usize)?.generation)
    }
    /// How many places there are, with and without an owner.
    pub(crate) fn places(&self) -> usize {
        self.slots.len()
    }
    /// Parts with their places, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.slots.iter().enumerate().filter_map(|(i, slot)| Some((i as u32, slot.part.as_ref()?)))
    }
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().filter_map(|slot| slot.part.as_mut())
    }
    /// Their ids, in order.
    pub(crate) fn ids<I: Id>(&self) -> impl Iterator<Item = I> + '_ {
        self.iter().map(|(place, _)| self.id(place))
    }
}
