//! What can be wrong with the evidence of a house.

use core::fmt;

use table::{Seat, Slot};

use super::lines::Unreadable;
use crate::Damage;

/// What is wrong with a line of a house's record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The line itself is damaged, or not in its place.
    Damaged(Damage),
    /// It says nothing that can be read.
    Unreadable(Unreadable),
    /// It stands where nothing of its kind belongs.
    Misplaced,
    /// It is about a deck that is not being made, or not there.
    NotThisDeck(u32),
    /// The house has committed before to publish its seeds at another time.
    PublishChanged,
    /// There is no such seat at the table.
    NotSeated(Seat),
    /// The seat has committed, revealed or been left out before.
    Already(Seat),
    /// This seat has neither committed nor been left out: nobody reveals before that.
    CommitmentMissing(Seat),
    /// This seat has neither revealed nor been left out: no card is fixed before that.
    SeedMissing(Seat),
    /// The seat is left out for a reason that is not so.
    WrongReason(Seat),
    /// The seed does not fit the commitment.
    Mismatch,
    /// The deck has another number of cards.
    WrongSize {
        /// What it is made of.
        expected: u16,
        /// What the line says.
        found: u16,
    },
    /// The card is not the one that was fixed in this slot.
    NotFixed(Slot),
    /// This card has been opened before.
    OpenedTwice(Slot),
    /// The deck was not made before cards are dealt from it.
    DeckMissing(u32),
    /// This card becomes public without being opened.
    OpeningMissing(Slot),
    /// This card was opened though it did not become public.
    OpenedUnasked(Slot),
    /// A face written down in the line is not the one that was opened.
    FaceDiffers(Slot),
    /// A card is written down as dealt to a seat that was not dealt it.
    NotDealt(Slot),
    /// What a seat was dealt, as written down before, is not what lay there.
    PrivateDiffers(Slot),
    /// The cards of another deck, of which this one was made, have not been published.
    SourceUnknown(Slot),
    /// The order that follows from the seeds is not the one that was fixed.
    OrderDiffers,
    /// The seed of this deck should have been published.
    SeedUnpublished(u32),
    /// The seed of this deck may not be published yet.
    PublishedEarly(u32),
    /// The house has not said that it is done.
    NotEnded,
    /// The house has said that it is done.
    Ended,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(why) => why.fmt(f),
            Self::Unreadable(why) => why.fmt(f),
            Self::Misplaced => f.write_str("no such evidence belongs here"),
            Self::NotThisDeck(deck) => write!(f, "deck {deck} is not being made here"),
            Self::PublishChanged => f.write_str("the house has committed to publish at another time"),
            Self::NotSeated(seat) => write!(f, "there is no {seat} at this table"),
            Self::Already(seat) => write!(f, "{seat} has done so, or was left out, before"),
            Self::CommitmentMissing(seat) => write!(f, "{seat} has not committed yet, and was not left out"),
            Self::SeedMissing(seat) => write!(f, "{seat} has not revealed yet, and was not left out"),
            Self::WrongReason(seat) => write!(f, "{seat} is left out for a reason that is not so"),
            Self::Mismatch => f.write_str("the seed does not fit the commitment"),
            Self::WrongSize { expected, found } => write!(f, "the deck has {expected} cards, not {found}"),
            Self::NotFixed(slot) => write!(f, "the card in slot {slot} is not the one that was fixed there"),
            Self::OpenedTwice(slot) => write!(f, "slot {slot} has been opened before"),
            Self::DeckMissing(deck) => write!(f, "deck {deck} has not been made"),
            Self::OpeningMissing(slot) => write!(f, "the opening of slot {slot} is missing"),
            Self::OpenedUnasked(slot) => write!(f, "slot {slot} was opened though it did not become public"),
            Self::FaceDiffers(slot) => write!(f, "the face written down for slot {slot} is not the one opened"),
            Self::NotDealt(slot) => write!(f, "slot {slot} was not dealt to the seat it is written down for"),
            Self::PrivateDiffers(slot) => write!(f, "slot {slot} is written down with another face as dealt"),
            Self::SourceUnknown(slot) => write!(f, "the deck was made of slot {slot}, which is not known"),
            Self::OrderDiffers => f.write_str("the order that follows from the seeds is not the one that was fixed"),
            Self::SeedUnpublished(deck) => write!(f, "the seed of deck {deck} should have been published by now"),
            Self::PublishedEarly(deck) => write!(f, "deck {deck} can still be dealt from, and its seed is published"),
            Self::NotEnded => f.write_str("the house has not closed the record: something is missing at its end"),
            Self::Ended => f.write_str("the house has closed the record before"),
        }
    }
}

impl core::error::Error for Flaw {}
