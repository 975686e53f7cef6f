//! One round of Blackout as a state machine.

use cards::{Card, Pack, Suit};
use serde::{Deserialize, Serialize};
use table::{
    Awaiting, BadSetting, Breakdown, Chips, Eye, Faces, Input, Known, Look, Move, NoChoice, Order, Outcome, PerSeat, Rules, Run,
    Seat, Seats, Slot, Source,
};

use super::action::places;
use super::score::{beats, default_order, points};
use super::{Action, Claim, Illegal, Moves, View};
use crate::lots;

/// How a round begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// How many play.
    pub players: u8,
    /// Who deals; rolled with a 20-sided die by each player where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<Seat>,
    /// Cards each.
    pub cards: u8,
    /// Whether the next card is turned up for trump, if one is left.
    pub trump: bool,
    /// The dealer may not make the bids add up to the tricks.
    #[serde(default)]
    pub hook: bool,
    /// Points for an exact bid, besides its tricks.
    pub points_for_correct_bet: i64,
    /// Seats whose players have left the match; their hands are played open, by the default.
    #[serde(default)]
    pub gone: Seats,
    /// The number of the first deck.
    #[serde(default)]
    pub first_deck: u32,
}

/// One round.
#[derive(Clone, Debug, Serialize)]
pub struct Deal {
    pub(super) setup: Setup,
    pub(super) phase: Phase,
    /// The number of the deck the cards are in; dice come before it.
    pub(super) deck: u32,
    pub(super) dealer: Seat,
    pub(super) trump: Option<Card>,
    pub(super) hands: PerSeat<u64>,
    pub(super) bids: PerSeat<Option<u8>>,
    pub(super) won: PerSeat<u8>,
    pub(super) last_trick: Option<Trick>,
    /// The rolls for the first dealer, latest for each seat.
    pub(super) rolls: PerSeat<u8>,
    /// Players who have left; those whose hands lie open.
    pub(super) gone: Seats,
    pub(super) exposed: Seats,
}

/// Where the round is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) enum Phase {
    /// Each of these rolls a die; the highest deals.
    Rolling(Seats),
    Dealing,
    Bidding(Seat),
    Playing(Trick),
    Over,
}

/// A trick, perhaps not yet complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Trick {
    pub(super) leader: Seat,
    pub(super) next: Seat,
    pub(super) cards: PerSeat<Option<Slot>>,
    pub(super) best: Option<(Seat, Card)>,
    pub(super) led: Option<Suit2>,
    pub(super) played: u8,
}
