//! What a seat can know about a round: who played what, who could not follow suit, which cards are still out.

use games::blackout::{Action, Blackout};

use super::round::Round;
use super::set::{Each, NO_SUIT, Place, Set, place, suit};
use crate::{Past, Sight};

/// A round as one seat knows it.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// The round with the known hands: its own, and those that are open. Bids not made yet are 0.
    pub(super) round: Round,
    pub(super) me: u8,
    /// Who leads the first trick.
    pub(super) leader: u8,
    /// Cards each at the beginning.
    pub(super) cards: u8,
    /// Points for an exact bid, on top of its tricks.
    pub(super) exact: i64,
    /// The card turned up.
    pub(super) turned: Set,
    /// Who has bid.
    pub(super) has_bid: Each<bool>,
    /// The cards each seat has played.
    pub(super) played: Each<Set>,
    /// Suits that each seat is known not to hold.
    pub(super) void: Each<Set>,
    /// Cards nobody has shown: in hidden hands, or not dealt.
    pub(super) hidden: Set,
    /// How many of them each seat holds.
    pub(super) missing: Each<u8>,
}

impl Memory {
    /// What this seat knows; `None` before the deal.
    pub(super) fn new(sight: &Sight<'_, Blackout>) -> Option<Self> {
        let view = sight.view;
        let players = u8::try_from(view.players.len()).ok()?;
        let me = sight.seat.index();
        let deck = view.hand.first()?.slot.deck;
        let dealer = view.dealer?.index();
        let turned: Set = view.trump.and_then(place).into_iter().collect();
        let trump = view.trump.and_then(place).map_or(NO_SUIT, suit);
        let mut round = Round {
            players,
            trump,
            hands: Each::default(),
            bids: Each::default(),
            won: Each::default(),
            seen: turned,
            turn: me,
            led: NO_SUIT,
            best: 0,
            best_by: 0,
            laid: 0,
        };
        let mut memory = Self {
            round,
            me,
            leader: (dealer + 1) % players.max(1),
            cards: view.cards,
            exact: sight.rules.setup().points_for_correct_bet,
            turned,
            has_bid: Each::default(),
            played: Each::default(),
            void: Each::default(),
            hidden: Set::PACK,
            missing: Each::default(),
        };
        for (player, seat) in view.players.iter().zip(0u8..) {
            let hand = if seat == me { &view.hand } else { &player.open };
            let known: Set = hand.iter().filter_map(|held| place(held.card?)).collect();
            round.hands[seat] = known;
            round.bids[seat] = player.bid.and_then(|bid| i8::try_from(bid).ok()).unwrap_or(0);
            round.won[seat] = i8::try_from(player.won).unwrap_or(0);
            memory.has_bid[seat] = player.bid.is_some();
            memory.missing[seat] = u8::try_from(player.cards.saturating_sub(known.len())).unwrap_or(0);
        }
        // Cards were dealt one at a time, starting left of the dealer, so a place in the deck shows whose card
        // it was.
        let dealt = usize::from(players) * usize::from(view.cards);
        for (index, face) in sight.known.open.of_deck(deck).iter().enumerate().take(dealt) {
            let Some(place) = face.and_then(place) else { continue };
            let seat = ((index + usize::from(dealer) + 1) % usize::from(players)) as u8;
            if !round.hands[seat].has(place) {
                memory.played[seat] = memory.played[seat].or(Set::one(place));
                round.seen = round.seen.or(Set::one(place));
            }
        }
        memory.hidden = Set::PACK.without(round.seen);
        for seat in 0..players {
            memory.hidden = memory.hidden.without(round.hands[seat]);
        }
        // The current trick is replayed.
        for (seat, card) in &view.trick {
            let Some(place) = place(*card) else { continue };
            round.turn = seat.index();
            if round.beats(place) {
                round.best = place;
                round.best_by = seat.index();
            }
            if round.led == NO_SUIT {
                round.led = suit(place);
            }
            round.laid += 1;
        }
        round.turn = me;
        memory.round = round;
        memory.note_voids(sight);
        Some(memory)
    }

    /// A player who did not follow suit has no card of that suit.
    fn note_voids(&mut self, sight: &Sight<'_, Blackout>) {
        let played = |past: &Past<_>| match past {
            Past::Did(seat, Action::Play(slot)) => Some((seat.index(), sight.known.face(*slot).and_then(place)?)),
            Past::Did(_, Action::Bid(_)) | Past::Chose(..) => None,
        };
        let plays: Vec<(u8, Place)> = sight.course.past.iter().filter_map(played).collect();
        let shown: u32 = (0..self.round.players).map(|seat| self.played[seat].len()).sum();
        let mut not_followed = |trick: &[(u8, Place)]| {
            let Some((_, led)) = trick.first() else { return };
            for (seat, place) in trick {
                if suit(*place) != suit(*led) {
                    self.void[*seat] = self.void[*seat].or(Set::suit(suit(*led)));
                }
            }
        };
        // If a player has left, plays are missing from the past, and only the last tricks are certain.
        if plays.len() as u32 == shown {
            plays.chunks(usize::from(self.round.players)).for_each(&mut not_followed);
        } else {
            for trick in [&sight.view.last_trick, &sight.view.trick] {
                let cards: Vec<(u8, Place)> =
                    trick.iter().filter_map(|(seat, card)| Some((seat.index(), place(*card)?))).collect();
                not_followed(&cards);
            }
        }
    }

    /// The points for a bid with these tricks.
    pub(super) fn points(&self, bid: i8, won: i8) -> f32 {
        if bid == won { (self.exact + i64::from(bid)) as f32 } else { 0.0 }
    }
}
