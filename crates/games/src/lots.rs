//! Public dice: a tiny deck of numbered lots is shuffled and opened, so every dealer can do it.

use cards::Pack;
use table::{Faces, Order, Run, Seat, Seats, Slot, Source};

/// The orders that draw one of `faces` lots from a deck of its own.
pub(crate) fn draw_one(deck: u32, faces: u8, i: usize) -> Option<Order> {
    match i {
        0 => Some(Order::Shuffle { deck, from: Source::Pack(Pack::Lots { faces }) }),
        1 => Some(Order::Open { slots: Run::one(Slot::new(deck, 0)) }),
        _ => None,
    }
}

/// The number drawn from a deck of lots, from 1.
pub(crate) fn drawn(open: &Faces, deck: u32) -> Option<u8> {
    open.get(Slot::new(deck, 0))?.pips()
}

/// The seat drawn from a deck with one lot for each of `among`.
pub(crate) fn drawn_seat(open: &Faces, deck: u32, among: Seats) -> Option<Seat> {
    let nth = drawn(open, deck)?.checked_sub(1)?;
    among.iter().nth(usize::from(nth))
}
