//! What can be asked about a table: who is how, whose turn it is, and until when.

use borsh::{BorshDeserialize, BorshSerialize};
use games::holdem::Street;
use table::{Awaiting, Order, Seat};

use super::play::may_play_next;
use super::{Hand, HandOf, Ring, RingOf, WhyGone, clock};
use crate::dealer;
use crate::execute::TipKey;
use crate::params::Params;
use crate::store::Store;
use crate::units::{Address, Coins};

/// How somebody stands at a table.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Sits there, and waits for the next hand.
    Seated,
    /// In the hand, with chips to bet.
    InHand,
    /// Has folded.
    Folded,
    /// In the hand, without chips to bet.
    AllIn,
    /// Sits there, but is not dealt in.
    SitOut,
    /// Was removed because their bond was used up.
    Ejected,
    /// Has left, or has lost the seat by not playing.
    Left,
}

/// Where a table is in the course of a hand.
///
/// Decks are shuffled while hands are played, so [`Phase::Shuffle`] is reported only while a table waits for one.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// A hand is about to begin.
    HandInit,
    /// There are players, but no deck is ready.
    Shuffle,
    /// Hole cards are dealt.
    DealHole,
    /// Betting before the flop.
    PreflopBetting,
    /// Three cards of the board are opened, or all five if nobody can bet any more.
    FlopReveal,
    /// Betting after the flop.
    FlopBetting,
    /// The fourth card is opened, or both that are missing.
    TurnReveal,
    /// Betting after the turn.
    TurnBetting,
    /// The fifth card is opened.
    RiverReveal,
    /// Betting after the river.
    RiverBetting,
    /// The live hands are opened.
    Showdown,
    /// A hand is over, and the pause before the next one has not passed.
    HandComplete,
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// In which hand.
    pub hand: u32,
    /// The height that an action must name.
    pub height: u64,
    /// The seat.
    pub seat: Seat,
    /// Who sits there.
    pub player: Address,
    /// When their time is up, in milliseconds of the game clock.
    pub deadline: u64,
}

impl Phase {
    /// Where a hand is.
    pub fn of(hand: &Hand) -> Self {
        let (table, rules) = (hand.table(), hand.table().rules());
        match table.awaiting() {
            Awaiting::Over | Awaiting::Choices(_) => Self::HandComplete,
            Awaiting::Turn(_) => match rules.street() {
                Street::Preflop => Self::PreflopBetting,
                Street::Flop => Self::FlopBetting,
                Street::Turn => Self::TurnBetting,
                Street::River => Self::RiverBetting,
            },
            Awaiting::Dealer => match table.order(0) {
                Some(Order::Open { slots }) if slots.first.index < rules.board().first.index => Self::Showdown,
                Some(Order::Open { .. }) => match rules.open_board().len {
                    0 => Self::FlopReveal,
                    3 => Self::TurnReveal,
                    _ => Self::RiverReveal,
                },
                Some(Order::Shuffle { .. } | Order::Deal { .. }) | None => Self::DealHole,
            },
        }
    }
}

/// Where a table is; `None` if it has no hand and fewer than two players for one.
pub fn phase(store: &Store, table: u64) -> Option<Phase> {
    if let Some(hand) = store.get(&HandOf(table)) {
        return Some(Phase::of(hand));
    }
    let ring = store.get(&RingOf(table)).filter(|ring| ring.ready().len() >= 2)?;
    let next = store.get(&TipKey()).map_or(0, |tip| tip.height).saturating_add(1);
    let waits = ring.button.is_some() && next < ring.ended.saturating_add(Params::of(store).tables.hand_gap);
    Some(match dealer::ready_deck(store, table) {
        _ if waits => Phase::HandComplete,
        None => Phase::Shuffle,
        Some(_) => Phase::HandInit,
    })
}

/// How whoever sits in a seat stands, or sat there last; `None` for a seat that nobody has used.
pub fn status(store: &Store, table: u64, seat: Seat) -> Option<Status> {
    let chair = store.get(&RingOf(table))?.chair(seat)?;
    let Some(player) = &chair.player else {
        return chair.last.map(|gone| match gone.why {
            WhyGone::Left | WhyGone::Idle => Status::Left,
            WhyGone::Ejected => Status::Ejected,
        });
    };
    let hand = store.get(&HandOf(table)).filter(|hand| hand.seats().contains(seat));
    Some(match hand {
        Some(hand) if !hand.table().rules().live().contains(seat) => Status::Folded,
        Some(hand) if hand.stack(seat) == Coins::ZERO => Status::AllIn,
        Some(_) => Status::InHand,
        None if player.out.is_some() => Status::SitOut,
        None => Status::Seated,
    })
}

/// Whose turn it is, and until when.
pub fn turn(store: &Store, table: u64) -> Option<Turn> {
    let hand = store.get(&HandOf(table))?;
    let seat = hand.turn()?;
    let player = hand.begun().player(seat)?.address;
    let deadline = clock::deadline(store, table)?;
    Some(Turn { hand: hand.number(), height: hand.table().height().0, seat, player, deadline })
}

/// The chips before a player, in the hand or between hands; without those they have bet or will get after the hand.
pub fn stack(store: &Store, table: u64, seat: Seat) -> Coins {
    let hand = store.get(&HandOf(table)).filter(|hand| hand.seats().contains(seat));
    let between = || store.get(&RingOf(table)).and_then(|ring| Some(ring.player(seat)?.stack));
    hand.map_or_else(|| between().unwrap_or_default(), |hand| hand.stack(seat))
}

/// Tables that need decks: with two players or more who have chips and are not sitting out.
pub fn in_use(store: &Store) -> Vec<u64> {
    let plays = |(RingOf(table), ring): &(RingOf, &Ring)| {
        let hand = store.get(&HandOf(*table));
        ring.players().filter(|(seat, _)| may_play_next(ring, hand, *seat)).count() >= 2
    };
    store.all::<RingOf>().filter(plays).map(|(RingOf(table), _)| table).collect()
}

/// How long the dealer may take for one step at this table, in milliseconds of the game clock.
pub fn dealer_timeout(store: &Store, table: u64) -> u64 {
    store.get(&RingOf(table)).map_or(60_000, |ring| ring.terms.dealer_timeout())
}

/// All coins that tables keep: stacks, pots, bonds, purses and chips bought during hands.
pub fn held(store: &Store) -> Coins {
    let rings: Coins = store.all::<RingOf>().map(|(_, ring)| ring.held()).sum();
    rings + store.all::<HandOf>().map(|(_, hand)| hand.chips()).sum()
}

/// All chips at a table: in stacks, in the pots and bought during the hand.
pub(super) fn chips_at(store: &Store, table: u64) -> Coins {
    let players = store.get(&RingOf(table)).into_iter().flat_map(Ring::players);
    let between: Coins = players.map(|(_, player)| player.stack + player.rebuy).sum();
    between + store.get(&HandOf(table)).map_or(Coins::ZERO, Hand::chips)
}
