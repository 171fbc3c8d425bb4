//! A bag that several threads share: an array of slots, each with a lock of its own. The requirements are `../bag.play`.

use crate::chance::Chance;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub struct Bag {
    slots: Vec<Mutex<Option<i64>>>,
    fault: Option<Fault>,
    chance: Chance,
    delay: Duration,
}

/// Locks that a programmer of such a bag could forget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `lookup` gives each slot free before it takes the next.
    LookupOneByOne,
    /// `add` chooses a slot and locks it only then.
    AddWithoutCheck,
    /// `delete` gives the slot free between finding and clearing it.
    DeleteWithoutCheck,
}

/// The faulty ones, by the names of their folders.
pub const FAULTS: [(&str, Fault); 3] = [
    ("faulty-lookup-one-by-one", Fault::LookupOneByOne),
    ("faulty-add-without-check", Fault::AddWithoutCheck),
    ("faulty-delete-without-check", Fault::DeleteWithoutCheck),
];

type Slot<'b> = MutexGuard<'b, Option<i64>>;

impl Bag {
    /// A thread is now and then delayed so long between two slots, so that others come in between.
    pub fn new(capacity: usize, delay: Duration, fault: Option<Fault>) -> Bag {
        Bag { slots: (0..capacity).map(|_| Mutex::new(None)).collect(), fault, chance: Chance::new(), delay }
    }

    /// Puts a thing into the first free slot from the left. It may miss one that becomes free behind it.
    pub fn add(&self, item: i64) -> bool {
        if self.fault == Some(Fault::AddWithoutCheck) {
            return self.add_without_check(item);
        }
        for place in 0..self.slots.len() {
            let mut slot = self.slot(place);
            if slot.is_none() {
                *slot = Some(item);
                return true;
            }
            drop(slot);
            self.linger();
        }
        false
    }

    fn add_without_check(&self, item: i64) -> bool {
        let Some(free) = (0..self.slots.len()).find(|&place| self.slot(place).is_none()) else { return false };
        self.linger();
        *self.slot(free) = Some(item);
        true
    }

    /// Takes a thing out, from the right. What was moved to the right meanwhile is looked for again.
    pub fn delete(&self, item: i64) -> bool {
        loop {
            for place in (0..self.slots.len()).rev() {
                if self.delete_at(place, item) {
                    return true;
                }
                self.linger();
            }
            if !self.holds(item) {
                return false;
            }
        }
    }

    fn delete_at(&self, place: usize, item: i64) -> bool {
        let mut slot = self.slot(place);
        let found = *slot == Some(item);
        if found && self.fault == Some(Fault::DeleteWithoutCheck) {
            drop(slot);
            self.linger();
            slot = self.slot(place);
        }
        if found {
            *slot = None;
        }
        found
    }

    /// With all slots locked, a thing cannot move from one that was not yet seen to one that was.
    pub fn lookup(&self, item: i64) -> bool {
        if self.fault == Some(Fault::LookupOneByOne) {
            return (0..self.slots.len()).any(|place| {
                let found = *self.slot(place) == Some(item);
                if !found {
                    self.linger();
                }
                found
            });
        }
        let slots: Vec<Slot> = (0..self.slots.len())
            .map(|place| {
                self.linger();
                self.slot(place)
            })
            .collect();
        slots.iter().any(|slot| **slot == Some(item))
    }

    fn holds(&self, item: i64) -> bool {
        let slots: Vec<Slot> = (0..self.slots.len()).map(|place| self.slot(place)).collect();
        slots.iter().any(|slot| **slot == Some(item))
    }

    fn linger(&self) {
        if self.chance.one_in(3) {
            std::thread::sleep(self.delay);
        }
    }

    fn slot(&self, place: usize) -> Slot<'_> {
        self.slots[place].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
