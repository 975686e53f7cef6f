//! Hands that the others may hold: dealt at random from the cards still out, so that nobody holds a suit they
//! did not follow, and weighted by the bids.

use table::Draw;

use super::count::Count;
use super::memory::Memory;
use super::round::Round;
use super::set::{Each, Place, Set};

/// Deals tried for each that is kept.
const TRIES: usize = 4;

/// Guesses the hidden hands of a round.
pub(super) struct Guess<'a> {
    memory: &'a Memory,
    count: &'a Count,
    /// The hidden cards, and the seats that hold some, those with the least choice first.
    hidden: Vec<Place>,
    seats: Vec<u8>,
    /// How far a player's bid is from the count of their cards.
    spread: f32,
}

impl<'a> Guess<'a> {
    pub(super) fn new(memory: &'a Memory, count: &'a Count) -> Self {
        let choice = |seat: u8| {
            let fitting = memory.hidden.without(memory.void[seat]).len();
            fitting.saturating_sub(u32::from(memory.missing[seat]))
        };
        let mut seats: Vec<u8> = (0..memory.round.players).filter(|seat| memory.missing[*seat] > 0).collect();
        seats.sort_by_key(|seat| choice(*seat));
        let spread = 0.55 + 0.07 * f32::from(memory.cards);
        Self { memory, count, hidden: memory.hidden.iter().collect(), seats, spread }
    }

    /// Whether only one deal is possible.
    pub(super) fn is_certain(&self) -> bool {
        let missing: usize = self.seats.iter().map(|seat| usize::from(self.memory.missing[*seat])).sum();
        self.seats.is_empty() || (self.seats.len() == 1 && missing == self.hidden.len())
    }

    /// The round with guessed hands.
    pub(super) fn deal(&mut self, draw: &mut impl Draw) -> Round {
        let mut kept = self.any(draw);
        let judged = self.seats.iter().any(|seat| self.memory.has_bid[*seat]);
        if !judged || self.is_certain() {
            return kept;
        }
        // One of a few deals is kept, with a chance by its weight.
        let mut sum = self.weight(&kept);
        for _ in 1..TRIES {
            let other = self.any(draw);
            let weight = self.weight(&other);
            sum += weight;
            if (draw.below(1 << 24) as f32) * sum < weight * (1 << 24) as f32 {
                kept = other;
            }
        }
        kept
    }

    /// A random possible deal.
    fn any(&mut self, draw: &mut impl Draw) -> Round {
        let mut round = self.memory.round;
        shuffle(&mut self.hidden, draw);
        let mut rest = self.memory.hidden;
        for seat in &self.seats {
            let (void, missing) = (self.memory.void[*seat], u32::from(self.memory.missing[*seat]));
            let mut hand = Set::NONE;
            // If others have taken all the fitting cards, any suit is used.
            for allowed in [rest.without(void), rest] {
                for place in &self.hidden {
                    if hand.len() >= missing {
                        break;
                    }
                    if allowed.has(*place) && !hand.has(*place) {
                        hand = hand.or(Set::one(*place));
                    }
                }
            }
            rest = rest.without(hand);
            round.hands[*seat] = round.hands[*seat].or(hand);
        }
        round
    }

    /// How well the hands fit the bids.
    fn weight(&self, round: &Round) -> f32 {
        let mut off = 0.0;
        for seat in self.seats.iter().filter(|seat| self.memory.has_bid[**seat]) {
            let hand = round.hands[*seat].or(self.memory.played[*seat]);
            let distance =
                (self.count.tricks(hand, *seat == self.memory.leader) - f32::from(round.bids[*seat])) / self.spread;
            off += distance * distance;
        }
        (-0.5 * off).exp() + 1e-6
    }
}

fn shuffle(places: &mut [Place], draw: &mut impl Draw) {
    for i in (1..places.len()).rev() {
        let other = draw.below(i as u32 + 1) as usize;
        places.swap(i, other);
    }
}

/// Fills in bids for seats that have not bid yet, by counting their cards.
pub(super) fn fill_bids(memory: &Memory, count: &Count, round: &mut Round) {
    let not_yet: Each<bool> = memory.has_bid;
    for seat in (0..round.players).filter(|seat| !not_yet[*seat] && *seat != memory.me) {
        round.bids[seat] = count.tricks(round.hands[seat], seat == memory.leader).round() as i8;
    }
}
