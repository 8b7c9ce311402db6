//! Places for parts that come and go, told apart by generations.

use crate::model::{Giver, Id};

/// A list whose entries keep their places.
#[derive(Clone, Debug)]
pub(crate) struct Arena<T> {
    slots: Vec<Slot<T>>,
    /// Places without an owner; the last one is given away first.
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Slot<T> {
    generation: u32,
    /// Who gave the id of what is here.
    giver: Giver,
    part: Option<T>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slot<T> {
    /// Whether an id names what is here.
    fn answers<I: Id>(&self, id: I) -> bool {
        let is_ours = id.giver() == self.giver || id.giver() == Giver::NOBODY;
        self.generation == id.generation() && is_ours
    }
}

impl<T> Arena<T> {
    pub(crate) fn insert<I: Id>(&mut self, part: T, giver: Giver) -> I {
        if let Some(place) = self.free.pop() {
            let slot = &mut self.slots[place as usize];
            slot.part = Some(part);
            slot.giver = giver;
            return I::new(place, slot.generation, giver);
        }
        self.slots.push(Slot { generation: 0, giver, part: Some(part) });
        I::new(self.slots.len() as u32 - 1, 0, giver)
    }

    pub(crate) fn get<I: Id>(&self, id: I) -> Option<&T> {
        let slot = self.slots.get(id.place() as usize)?;
        slot.part.as_ref().filter(|_| slot.answers(id))
    }

    pub(crate) fn get_mut<I: Id>(&mut self, id: I) -> Option<&mut T> {
        let slot = self.slots.get_mut(id.place() as usize)?;
        if slot.answers(id) { slot.part.as_mut() } else { None }
    }

    pub(crate) fn remove<I: Id>(&mut self, id: I) -> Option<T> {
        let slot = self.slots.get_mut(id.place() as usize)?;
        if !slot.answers(id) {
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
        I::new(place, slot.generation, slot.giver)
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
