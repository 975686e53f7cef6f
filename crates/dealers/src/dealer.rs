//! The trait between a table and whoever deals.

use core::fmt;

use table::{Claim, Faces, Look, Rules, Seat, Seats, Slot, Table};

/// Somebody who carries out a table's orders.
///
/// A dealer keeps apart what it must: [`Dealer::own`] is what one seat has been dealt and nothing else,
/// [`Dealer::opened`] is what the table may take its open faces from.
///
/// Orders are pulled from the table's state, never sent: [`Dealer::fill`] can be called at any time and
/// as often as one likes, after a restart too, and does only what is still missing. A dealer that knows
/// all cards is done at once. One that depends on others says whom it waits for; messages move it on
/// between two calls, and it only ever sends what its own table orders, so there is no request to forge.
pub trait Dealer {
    /// Where opened faces are looked up.
    type Opened: Look;

    /// Carries out the table's orders as far as possible.
    fn fill<R: Rules>(&mut self, table: &Table<R>) -> Result<Filling, DealerError>;

    /// What is to be opened by the orders filled so far. May know more; the table takes only what it
    /// ordered, or what an action lays down.
    fn opened(&self) -> &Self::Opened;

    /// What this seat alone has been dealt. Empty for seats that this process does not play for, unless
    /// it knows all cards.
    fn own(&self, seat: Seat) -> &Faces;

    /// Whether a claim is true, if this dealer knows the cards it is about. One that does refuses a false
    /// claim at once; otherwise it is judged when the cards are opened.
    fn judge<C: Claim>(&self, claim: &C) -> Option<bool>;
}

/// How far the orders are filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filling {
    /// All of them.
    Done,
    /// Something of these seats is missing.
    Waiting(Seats),
}

/// Orders that make no sense to a dealer: a mistake of the rules, never of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DealerError {
    /// No such card lies in a deck here.
    NoSuchSlot(Slot),
    /// The pack cannot be.
    BadPack,
}

impl fmt::Display for DealerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchSlot(slot) => write!(f, "there is no card in slot {slot}"),
            Self::BadPack => f.write_str("there is no such pack of cards"),
        }
    }
}

impl core::error::Error for DealerError {}
