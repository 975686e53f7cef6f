//! What can be wrong with the evidence of a house.

use core::fmt;

use table::{Seat, Slot};

use super::comparing::Unlike;
use super::lines::Unreadable;
use crate::Damage;

/// What is wrong with a line of a house's record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The line is damaged, or out of place.
    Damaged(Damage),
    /// It cannot be decoded.
    Unreadable(Unreadable),
    /// No evidence of its kind belongs here.
    Misplaced,
    /// The deck is not being made, or does not exist.
    NotThisDeck(u32),
    /// The house committed earlier to publish its seeds at another time.
    PublishChanged,
    /// The table has no such seat.
    NotSeated(Seat),
    /// The seat has already committed, revealed or been left out.
    Already(Seat),
    /// This seat has neither committed nor been left out: nobody reveals before that.
    CommitmentMissing(Seat),
    /// This seat has neither revealed nor been left out: no card is fixed before that.
    SeedMissing(Seat),
    /// The seat is left out for a wrong reason.
    WrongReason(Seat),
    /// The seed does not match the commitment.
    Mismatch,
    /// The deck has another number of cards.
    WrongSize {
        /// How many cards it has.
        expected: u16,
        /// How many the line says.
        found: u16,
    },
    /// The card is not the one fixed in this slot.
    NotFixed(Slot),
    /// This card has already been opened.
    OpenedTwice(Slot),
    /// The deck was not made before cards were dealt from it.
    DeckMissing(u32),
    /// This card becomes public without being opened.
    OpeningMissing(Slot),
    /// This card was opened although it did not become public.
    OpenedUnasked(Slot),
    /// A face in the line is not the one that was opened.
    FaceDiffers(Slot),
    /// A card is recorded for a seat that was not dealt it.
    NotDealt(Slot),
    /// A card recorded earlier as dealt to a seat is not the one that was there.
    PrivateDiffers(Slot),
    /// This deck was made of another deck's cards, which have not been published.
    SourceUnknown(Slot),
    /// The order that follows from the seeds is not the one that was fixed.
    OrderDiffers,
    /// The seed of this deck should have been published.
    SeedUnpublished(u32),
    /// The seed of this deck must not be published yet.
    PublishedEarly(u32),
    /// The house has not closed the record.
    NotEnded,
    /// The house has already closed the record.
    Ended,
    /// It is not what a player has kept.
    Kept(Unlike),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(why) => why.fmt(f),
            Self::Unreadable(why) => why.fmt(f),
            Self::Misplaced => f.write_str("no such evidence belongs here"),
            Self::NotThisDeck(deck) => write!(f, "deck {deck} is not being made here"),
            Self::PublishChanged => f.write_str("the house committed earlier to publish at another time"),
            Self::NotSeated(seat) => write!(f, "there is no {seat} at this table"),
            Self::Already(seat) => write!(f, "{seat} has already done so or was left out"),
            Self::CommitmentMissing(seat) => write!(f, "{seat} has not committed yet, and was not left out"),
            Self::SeedMissing(seat) => write!(f, "{seat} has not revealed yet, and was not left out"),
            Self::WrongReason(seat) => write!(f, "{seat} is left out for a wrong reason"),
            Self::Mismatch => f.write_str("the seed does not match the commitment"),
            Self::WrongSize { expected, found } => write!(f, "the deck has {expected} cards, not {found}"),
            Self::NotFixed(slot) => write!(f, "the card in slot {slot} is not the one that was fixed there"),
            Self::OpenedTwice(slot) => write!(f, "slot {slot} has already been opened"),
            Self::DeckMissing(deck) => write!(f, "deck {deck} has not been made"),
            Self::OpeningMissing(slot) => write!(f, "the opening of slot {slot} is missing"),
            Self::OpenedUnasked(slot) => write!(f, "slot {slot} was opened although it did not become public"),
            Self::FaceDiffers(slot) => write!(f, "the recorded face of slot {slot} is not the one that was opened"),
            Self::NotDealt(slot) => write!(f, "slot {slot} was not dealt to the recorded seat"),
            Self::PrivateDiffers(slot) => write!(f, "slot {slot} was recorded earlier with another face"),
            Self::SourceUnknown(slot) => write!(f, "the deck was made of slot {slot}, whose card is not known"),
            Self::OrderDiffers => f.write_str("the order that follows from the seeds is not the one that was fixed"),
            Self::SeedUnpublished(deck) => write!(f, "the seed of deck {deck} should have been published by now"),
            Self::PublishedEarly(deck) => {
                write!(f, "the seed of deck {deck} is published, but cards can still be dealt from it")
            }
            Self::NotEnded => f.write_str("the house has not closed the record: something is missing at its end"),
            Self::Ended => f.write_str("the house has already closed the record"),
            Self::Kept(how) => how.fmt(f),
        }
    }
}

impl core::error::Error for Flaw {}
