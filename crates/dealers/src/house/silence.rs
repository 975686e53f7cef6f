//! Seats that did not answer in time.
//!
//! Everybody waits for such a seat once. After that it is not asked until it is heard from, and then it is asked for
//! the next deck like all others. A seat that says again and again that it is there and never answers would cost
//! everybody the same time with every deck. So the n-th silence in a row lasts n - 1 decks at least; a seed that is
//! revealed ends the row.

use std::collections::BTreeMap;

use table::{Seat, Seats};

/// The silent seats.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Silences(BTreeMap<Seat, Silence>);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Silence {
    /// So often in a row.
    times: u32,
    /// It is not asked.
    lasts: bool,
    /// So many decks must be made without it.
    decks: u32,
}

impl Silences {
    /// A seat was waited for and did not answer.
    pub(super) fn begin(&mut self, seat: Seat) {
        let silence = self.0.entry(seat).or_default();
        silence.decks = silence.times;
        silence.times = silence.times.saturating_add(1);
        silence.lasts = true;
    }

    /// A seat has revealed a seed.
    pub(super) fn end(&mut self, seat: Seat) {
        self.0.remove(&seat);
    }

    /// A seat was heard from.
    pub(super) fn interrupt(&mut self, seat: Seat) {
        if let Some(silence) = self.0.get_mut(&seat) {
            silence.lasts = false;
        }
    }

    /// Would a silent seat be asked again if it were heard from?
    pub(super) fn may_wake(&self, seat: Seat) -> bool {
        self.0.get(&seat).is_some_and(|silence| silence.lasts && silence.decks == 0)
    }

    /// Is this seat not asked?
    pub(super) fn is_silent(&self, seat: Seat) -> bool {
        self.0.get(&seat).is_some_and(|silence| silence.lasts)
    }

    /// A deck is about to be made: the seats that are not asked for it.
    pub(super) fn next_deck(&mut self) -> Seats {
        let silent = self.0.iter_mut().filter(|(_, silence)| silence.lasts);
        silent
            .map(|(seat, silence)| {
                silence.decks = silence.decks.saturating_sub(1);
                *seat
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many decks each a seat is waited for that says at once, each time, that it is there.
    fn waits(decks: u32, answers: impl Fn(u32) -> bool) -> Vec<u32> {
        let seat = Seat::new(3).unwrap();
        let mut silences = Silences::default();
        let mut waited = Vec::new();
        for deck in 0..decks {
            if silences.next_deck().contains(seat) {
                assert!(silences.is_silent(seat));
            } else if answers(deck) {
                silences.end(seat);
            } else {
                silences.begin(seat);
                waited.push(deck);
            }
            if silences.may_wake(seat) {
                silences.interrupt(seat);
                assert!(!silences.may_wake(seat) && !silences.is_silent(seat));
            }
        }
        waited
    }

    #[test]
    fn a_seat_that_only_says_that_it_is_there_is_waited_for_less_and_less_often() {
        assert_eq!(waits(16, |_| false), [0, 1, 3, 6, 10, 15]);
    }

    #[test]
    fn a_seed_that_is_revealed_makes_it_a_seat_like_all_others() {
        assert_eq!(waits(16, |deck| deck % 4 != 0), [0, 4, 8, 12]);
    }

    #[test]
    fn without_a_sign_of_life_nobody_waits_again() {
        let seat = Seat::new(0).unwrap();
        let mut silences = Silences::default();
        silences.begin(seat);
        for _ in 0..100 {
            assert_eq!(silences.next_deck(), Seats::one(seat));
        }
    }
}
