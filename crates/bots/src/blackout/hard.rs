//! Thinks ahead: guesses the hidden hands many times and plays each of these rounds to its end.

use games::blackout::{Action, Blackout, Moves};
use table::{Draw, Slot};

use super::count::Count;
use super::guess::{Guess, fill_bids};
use super::memory::Memory;
use super::round::Round;
use super::set::{Place, Set, place, suit};
use super::thumb;
use crate::Sight;

/// Simulated cards for one decision; this bounds the work.
const CARDS_A_DECISION: u32 = 60_000;
/// The fewest and the most guessed deals.
const FEWEST: u32 = 12;
const MOST: u32 = 400;
/// Bids tried on each side of the count of the hand.
const AROUND: i8 = 3;

/// A move and how it went.
#[derive(Clone, Debug)]
pub(super) struct Tried {
    pub(super) action: Action,
    /// The card, if it is one.
    pub(super) place: Option<Place>,
    /// Its own points, minus the average of the others.
    pub(super) worth: f32,
    /// How often the bid was made exactly.
    pub(super) exact: f32,
    /// Its own tricks.
    pub(super) tricks: f32,
}

/// The moves that were tried, the best first.
#[derive(Clone, Debug)]
pub(super) struct Thought {
    pub(super) memory: Memory,
    pub(super) count: Count,
    /// The bid that the hook rule forbids.
    pub(super) forbidden: Option<u8>,
    pub(super) tried: Vec<Tried>,
}

/// Thinks about the next move; `None` if it is not the seat's turn.
pub(super) fn think(sight: &Sight<'_, Blackout>, draw: &mut impl Draw) -> Option<Thought> {
    let memory = Memory::new(sight)?;
    let count = Count::new(memory.round.players, memory.cards, memory.round.trump, memory.turned);
    let forbidden = match sight.moves {
        Moves::Bid { forbidden, .. } => *forbidden,
        Moves::None | Moves::Play(_) => None,
    };
    let mut tried = match sight.moves {
        Moves::None => return None,
        Moves::Bid { most, .. } => {
            let likely = count.tricks(memory.round.hands[memory.me], memory.me == memory.leader).round() as i8;
            let bids = (likely - AROUND).max(0)..=(likely + AROUND).min(*most as i8);
            let bids = bids.filter_map(|bid| u8::try_from(bid).ok()).filter(|bid| Some(*bid) != forbidden);
            bids.map(|bid| Tried::new(Action::Bid(bid), None)).collect::<Vec<_>>()
        }
        Moves::Play(playable) => {
            let cards: Vec<(Slot, Place)> =
                playable.iter().filter_map(|held| Some((held.slot, place(held.card?)?))).collect();
            let different = different(&memory, cards.iter().map(|(_, place)| *place).collect());
            let kept = cards.into_iter().filter(|(_, place)| different.has(*place));
            kept.map(|(slot, place)| Tried::new(Action::Play(slot), Some(place))).collect()
        }
    };
    try_out(&memory, &count, &mut tried, draw);
    tried.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    Some(Thought { memory, count, forbidden, tried })
}

impl Tried {
    fn new(action: Action, place: Option<Place>) -> Self {
        Self { action, place, worth: 0.0, exact: 0.0, tricks: 0.0 }
    }
}

/// One card of each run with no other card still out in between: the others would do the same.
fn different(memory: &Memory, legal: Set) -> Set {
    let round = &memory.round;
    let out = Set::PACK.without(round.seen).without(round.hands[memory.me]);
    let on_table = if round.laid > 0 { Set::one(round.best) } else { Set::NONE };
    let between = out.or(on_table);
    let mut kept = Set::NONE;
    let mut last: Option<Place> = None;
    for place in legal.iter() {
        let same = last.is_some_and(|last| {
            suit(last) == suit(place) && between.and(Set::above(last)).and(Set::below(place)).is_empty()
        });
        if !same {
            kept = kept.or(Set::one(place));
        }
        last = Some(place);
    }
    kept
}

/// Tries all moves in the same guessed deals.
fn try_out(memory: &Memory, count: &Count, tried: &mut [Tried], draw: &mut impl Draw) {
    if tried.len() < 2 {
        return;
    }
    let mut guess = Guess::new(memory, count);
    let left: u32 =
        (0..memory.round.players).map(|seat| memory.round.hands[seat].len() + u32::from(memory.missing[seat])).sum();
    let rounds = if guess.is_certain() {
        1
    } else {
        (CARDS_A_DECISION / (left.max(1) * tried.len() as u32)).clamp(FEWEST, MOST)
    };
    for _ in 0..rounds {
        let mut deal = guess.deal(draw);
        fill_bids(memory, count, &mut deal);
        for one in tried.iter_mut() {
            let end = played(memory, deal, one);
            let bid = end.bids[memory.me];
            let won = end.won[memory.me];
            one.worth += worth(memory, &end) / rounds as f32;
            one.exact += f32::from(u8::from(bid == won)) / rounds as f32;
            one.tricks += f32::from(won) / rounds as f32;
        }
    }
}

fn played(memory: &Memory, mut round: Round, one: &Tried) -> Round {
    match (one.action, one.place) {
        (Action::Bid(bid), _) => {
            round.bids[memory.me] = bid as i8;
            round.turn = memory.leader;
        }
        (Action::Play(_), Some(place)) => round.play(place),
        (Action::Play(_), None) => {}
    }
    round.play_out(thumb::choose);
    round
}

/// Its own points, minus the average of the others.
fn worth(memory: &Memory, end: &Round) -> f32 {
    let points = |seat: u8| memory.points(end.bids[seat], end.won[seat]);
    let others: f32 = (0..end.players).filter(|seat| *seat != memory.me).map(points).sum();
    points(memory.me) - others / f32::from(end.players.max(2) - 1)
}
