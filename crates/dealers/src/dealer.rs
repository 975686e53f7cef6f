//! The trait between a table and its dealer.

use core::fmt;

use table::record::{By, Evidence};
use table::{Claim, Faces, Look, Rules, Seat, Seats, Slot, Table};

/// Carries out a table's orders.
///
/// A dealer keeps secrets separate: [`Dealer::own`] is exactly what one seat has been dealt, and the table
/// takes open faces from [`Dealer::opened`].
///
/// Orders are pulled from the table's state, never sent: [`Dealer::fill`] can be called at any time and any
/// number of times, also after a restart, and does only what is still missing. A dealer that knows all cards is
/// done at once. One that depends on others says whom it waits for; messages advance it between two calls. It
/// only ever sends what its own table orders, so there is no request to forge.
///
/// A dealer that others need not trust leaves [`Dealer::evidence`] of what it did. By default the methods for
/// that do nothing, because a trusted dealer has nothing to prove.
pub trait Dealer {
    /// Where opened faces are looked up.
    type Opened: Look;

    /// Carries out the table's orders as far as possible.
    fn fill<R: Rules>(&mut self, table: &Table<R>) -> Result<Filling, DealerError>;

    /// The faces opened by the orders filled so far. May know more; the table takes only what it ordered, or
    /// what an action lays down.
    fn opened(&self) -> &Self::Opened;

    /// The faces dealt to this seat alone. Empty for seats that this process does not play for, unless it knows
    /// all cards.
    fn own(&self, seat: Seat) -> &Faces;

    /// Whether a claim is true, if this dealer knows its cards. A dealer that does refuses a false claim at
    /// once; otherwise the claim is judged when the cards are opened.
    fn judge<C: Claim>(&self, claim: &C) -> Option<bool>;

    /// A session (a match, or a single deal) begins: everything before is forgotten, and all evidence from now
    /// on is bound to this session.
    fn begin(&mut self, _session: [u8; 32]) {}

    /// The seat is about to take this action, which the rules allow: proves the faces it lays down.
    #[inline]
    fn show<R: Rules>(&mut self, _table: &Table<R>, _seat: Seat, _action: &R::Action) -> Result<(), DealerError> {
        Ok(())
    }

    /// Seats are about to choose, as the rules allow: commits them to their choices before any is seen.
    #[inline]
    fn lock<R: Rules>(&mut self, _table: &Table<R>, _choices: &[(Seat, R::Choice)]) -> Result<(), DealerError> {
        Ok(())
    }

    /// A deal is over, and decks before `first` are never dealt from again. `None` means that the session is
    /// over.
    fn retire(&mut self, _first: Option<u32>) {}

    /// The evidence since the last call, in order.
    #[inline]
    fn evidence(&mut self) -> Vec<Evidence> {
        Vec::new()
    }
}

/// The faces of a viewer who knows none.
pub(crate) static NOTHING: Faces = Faces::new();

/// Whether the orders are filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filling {
    /// Completely.
    Done,
    /// Something from these seats is missing.
    Waiting(Seats),
}

/// Why a dealer cannot continue: orders that make no sense, which is a bug in the rules and never a player's
/// fault, or others who failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DealerError {
    /// No deck here has this card.
    NoSuchSlot(Slot),
    /// The pack is impossible.
    BadPack,
    /// These failed to do their part, according to the channels their messages came from. Empty if it is not
    /// known who.
    Failed(Vec<By>),
}

impl fmt::Display for DealerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchSlot(slot) => write!(f, "there is no card in slot {slot}"),
            Self::BadPack => f.write_str("no such pack of cards exists"),
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
