//! A short list of slots without memory of its own: a hand, or the cards of a meld.

use core::fmt;

use serde::{Serialize, Serializer};
use table::Slot;

/// At most `N` slots, in order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Slots<const N: usize> {
    items: [Slot; N],
    len: usize,
}

impl<const N: usize> Slots<N> {
    pub(super) fn as_slice(&self) -> &[Slot] {
        self.items.get(..self.len).unwrap_or(&[])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Slot> + Clone {
        self.as_slice().iter().copied()
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn contains(&self, slot: Slot) -> bool {
        self.as_slice().contains(&slot)
    }

    /// Appends a slot. A full list stays as it is; no rule lets one get that far.
    pub(super) fn push(&mut self, slot: Slot) {
        if let Some(item) = self.items.get_mut(self.len) {
            *item = slot;
            self.len += 1;
        }
    }

    /// Takes a slot out, keeping the others in order.
    pub(super) fn remove(&mut self, slot: Slot) {
        let Some(at) = self.as_slice().iter().position(|s| *s == slot) else { return };
        self.items.copy_within(at + 1..self.len, at);
        self.len -= 1;
        if let Some(item) = self.items.get_mut(self.len) {
            *item = Slot::default();
        }
    }
}

impl<const N: usize> Default for Slots<N> {
    fn default() -> Self {
        Self { items: [Slot::default(); N], len: 0 }
    }
}

impl<const N: usize> FromIterator<Slot> for Slots<N> {
    fn from_iter<I: IntoIterator<Item = Slot>>(iter: I) -> Self {
        let mut slots = Self::default();
        iter.into_iter().for_each(|slot| slots.push(slot));
        slots
    }
}

impl<const N: usize> fmt::Debug for Slots<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl<const N: usize> Serialize for Slots<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.as_slice())
    }
}
