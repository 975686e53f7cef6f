//! The trait between a table and whoever deals.

use core::fmt;

use table::record::{By, Evidence};
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
///
/// A dealer that others need not trust leaves [`Dealer::evidence`] of what it did. The methods about that
/// do nothing unless a dealer says otherwise: one that is trusted has nothing to prove.
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

    /// A session (a match, or a single deal) begins: everything before is forgotten, and all evidence from
    /// here on is bound to this.
    fn begin(&mut self, _session: [u8; 32]) {}

    /// The seat is about to take this action, which the rules allow: proves the faces that it lays down.
    #[inline]
    fn show<R: Rules>(&mut self, _table: &Table<R>, _seat: Seat, _action: &R::Action) -> Result<(), DealerError> {
        Ok(())
    }

    /// The awaited seats are about to choose, as the rules allow: locks their choices in before any is seen.
    #[inline]
    fn lock<R: Rules>(&mut self, _table: &Table<R>, _choices: &[(Seat, R::Choice)]) -> Result<(), DealerError> {
        Ok(())
    }

    /// A deal is over, and decks before `first` can never be dealt from again; `None`: the session is over.
    fn retire(&mut self, _first: Option<u32>) {}

    /// What others can check, since the last call, in order.
    #[inline]
    fn evidence(&mut self) -> Vec<Evidence> {
        Vec::new()
    }
}

/// What somebody knows who knows nothing.
pub(crate) static NOTHING: Faces = Faces::new();

/// How far the orders are filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filling {
    /// All of them.
    Done,
    /// Something of these seats is missing.
    Waiting(Seats),
}

/// Why a dealer cannot go on: orders that make no sense, which is a mistake of the rules and never of a
/// player, or others who failed it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DealerError {
    /// No such card lies in a deck here.
    NoSuchSlot(Slot),
    /// The pack cannot be.
    BadPack,
    /// These failed to do their part, as the channels say from which their messages came; nobody, if it
    /// cannot be told who.
    Failed(Vec<By>),
}

impl fmt::Display for DealerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchSlot(slot) => write!(f, "there is no card in slot {slot}"),
            Self::BadPack => f.write_str("there is no such pack of cards"),
            Self::Failed(blamed) => {
                f.write_str("the cards cannot be dealt")?;
                blamed.iter().enumerate().try_for_each(|(i, by)| {
                    f.write_str(if i == 0 { ", because of " } else { ", " })?;
                    by.fmt(f)
                })
            }
        }
    }
}

impl core::error::Error for DealerError {}
