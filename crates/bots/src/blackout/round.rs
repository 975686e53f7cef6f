//! A simulated round of Blackout with all hands known, small and fast.

use super::set::{Each, NO_SUIT, Place, Set, suit};

/// A round being played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) players: u8,
    /// The trump suit, or [`NO_SUIT`].
    pub(super) trump: u8,
    pub(super) hands: Each<Set>,
    pub(super) bids: Each<i8>,
    pub(super) won: Each<i8>,
    /// Cards that everybody has seen: those played, and the one turned up.
    pub(super) seen: Set,
    pub(super) turn: u8,
    /// The suit led in this trick, or [`NO_SUIT`] before its first card.
    pub(super) led: u8,
    /// The best card of this trick and its owner; meaningful once a card is led.
    pub(super) best: Place,
    pub(super) best_by: u8,
    /// Cards in this trick.
    pub(super) laid: u8,
}

impl Round {
    /// Tricks this seat still needs; below 0 once it has too many.
    #[inline]
    pub(super) fn need(&self, seat: u8) -> i8 {
        self.bids[seat] - self.won[seat]
    }

    /// The cards that the seat whose turn it is may play.
    #[inline]
    pub(super) fn legal(&self) -> Set {
        let hand = self.hands[self.turn];
        let following = hand.and(Set::suit(self.led));
        if following.is_empty() { hand } else { following }
    }

    /// Whether this card would be the best of the trick so far.
    #[inline]
    pub(super) fn beats(&self, place: Place) -> bool {
        if self.led == NO_SUIT {
            return true;
        }
        if suit(place) == suit(self.best) { place > self.best } else { suit(place) == self.trump }
    }

    /// The cards among these that would be the best of the trick so far.
    #[inline]
    pub(super) fn winners(&self, of: Set) -> Set {
        if self.led == NO_SUIT {
            return of;
        }
        let higher = of.and(Set::above(self.best));
        if suit(self.best) == self.trump { higher } else { higher.or(of.and(Set::suit(self.trump))) }
    }

    /// How many others are still to play to this trick.
    #[inline]
    pub(super) fn after_me(&self) -> u8 {
        (self.players - 1).saturating_sub(self.laid)
    }

    /// The seat whose turn it is plays a card.
    #[inline]
    pub(super) fn play(&mut self, place: Place) {
        let seat = self.turn;
        let card = Set::one(place);
        self.hands[seat] = self.hands[seat].without(card);
        self.seen = self.seen.or(card);
        if self.beats(place) {
            self.best = place;
            self.best_by = seat;
        }
        if self.led == NO_SUIT {
            self.led = suit(place);
        }
        self.laid += 1;
        if self.laid >= self.players {
            self.won[self.best_by] += 1;
            self.turn = self.best_by;
            self.led = NO_SUIT;
            self.laid = 0;
        } else {
            self.turn = if seat + 1 < self.players { seat + 1 } else { 0 };
        }
    }

    /// Plays to the end, with everybody using `choose`.
    #[inline]
    pub(super) fn play_out(&mut self, choose: impl Fn(&Self) -> Option<Place>) {
        while let Some(place) = choose(self) {
            self.play(place);
        }
    }
}
