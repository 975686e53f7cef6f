//! A match of Blackjack Duel: a number of rounds, most chips win.

use serde::Serialize;
use table::{Breaks, Chips, Outcome, PerSeat, Seat, Seats, Standing, TieBreak};

use super::{Deal, Settings, Setup, Shoe};

/// A match.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    players: u8,
    settings: Settings,
    /// Rounds played.
    played: u16,
    chips: PerSeat<Chips>,
    /// Extra rounds that each has played to break a tie for first.
    extra: PerSeat<u8>,
    fallen: PerSeat<Fall>,
    gone: Seats,
    breaks: Breaks,
    /// The shoe, unless the next round begins with a new one.
    shoe: Option<Shoe>,
}

/// When a player lost their last chips, and how many they had before: later and more is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
struct Fall {
    round: u16,
    chips: Chips,
}

impl Series {
    /// `settings` must have been checked.
    pub(super) fn new(settings: Settings, players: u8) -> Self {
        Self {
            players,
            chips: PerSeat::filled(players, settings.starting_chips),
            settings,
            played: 0,
            extra: PerSeat::new(players),
            fallen: PerSeat::new(players),
            gone: Seats::NONE,
            breaks: Breaks::default(),
            shoe: None,
        }
    }

    fn setup(&self, round: u64, playing: Seats, first_deck: u32) -> Setup {
        let settings = &self.settings;
        let small = |number: i64| u8::try_from(number).unwrap_or(u8::MAX);
        Setup {
            players: self.players,
            chips: self.chips,
            first: Seat::round(round, self.players),
            min_bet: settings.min_bet,
            max_bet: settings.max_bet,
            decks: small(settings.decks),
            soft17: settings.soft17,
            max_split_hands: small(settings.max_split_hands),
            split_by_value: settings.split_by_value,
            double_after_split: settings.double_after_split,
            blackjack_pays: settings.blackjack_pays,
            shoe: self.shoe,
            out: self.all() - playing,
            first_deck,
        }
    }

    fn all(&self) -> Seats {
        Seats::first(self.players)
    }

    /// Who plays the next round; nobody once the match is over.
    fn playing_next(&self) -> Seats {
        let live: Seats = self.all().iter().filter(|seat| self.chips[*seat] > Chips::ZERO).collect();
        let live = live - self.gone;
        let played = i64::from(self.played);
        let playing = if played < self.settings.rounds {
            live
        } else if played < self.settings.rounds + self.settings.tie_rounds {
            let leads = |seat: &Seat| self.all().iter().all(|other| !self.better(other, *seat));
            live.iter().filter(leads).collect()
        } else {
            Seats::NONE
        };
        if live.len() < 2 || playing.len() < 2 { Seats::NONE } else { playing }
    }

    /// Leavers come last. A tie for first is broken among those tied, whatever chips that costs them. Then
    /// chips count, and for those who have none, when they lost them.
    fn better(&self, a: Seat, b: Seat) -> bool {
        let key = |seat| (!self.gone.contains(seat), self.extra[seat], self.chips[seat], self.fallen[seat]);
        key(a) > key(b)
    }
}

impl table::Series for Series {
    type Rules = Deal;

    fn next(&self, first_deck: u32) -> Option<Setup> {
        let playing = self.playing_next();
        (!playing.is_empty()).then(|| self.setup(u64::from(self.played), playing, first_deck))
    }

    fn sample(&self, turn: u64) -> Setup {
        self.setup(turn, self.all(), 0)
    }

    fn renews(&self, deal: &Deal) -> bool {
        deal.shoe().is_none_or(|(_, left)| i64::from(left) < self.settings.reshuffle_below)
    }

    fn finish(&mut self, deal: &Deal, outcome: &Outcome) {
        self.played += 1;
        let is_extra = i64::from(self.played) > self.settings.rounds;
        for seat in deal.setup().playing().iter() {
            let before = self.chips[seat];
            self.chips[seat] += outcome.result[seat];
            if self.chips[seat] == Chips::ZERO {
                self.fallen[seat] = Fall { round: self.played, chips: before };
            }
            self.extra[seat] += u8::from(is_extra);
        }
        self.gone = self.gone | (deal.left() - outcome.away);
        self.gone = self.gone | self.breaks.count(outcome);
        // Nobody can say which cards of a round that was broken off have been seen.
        let usable = deal.shoe().filter(|(_, left)| i64::from(*left) >= self.settings.reshuffle_below);
        self.shoe = usable.map(|(shoe, _)| shoe).filter(|_| outcome.broken_off.is_none());
    }

    fn concede(&mut self, seat: Seat) {
        // A player without chips has finished; leaving afterwards costs nothing.
        let finished = self.chips[seat] == Chips::ZERO || self.playing_next().is_empty();
        if self.all().contains(seat) && !finished {
            self.gone.insert(seat);
        }
    }

    fn standing(&self) -> Standing {
        Standing::ranked(self.chips, self.playing_next().is_empty(), |a, b| self.better(a, b))
    }

    fn tie_break(&self, ahead: Seat, behind: Seat) -> Option<TieBreak> {
        if !self.better(ahead, behind) || self.chips[ahead] > self.chips[behind] {
            return None;
        }
        let [better, worse] = [ahead, behind].map(|seat| self.fallen[seat]);
        Some(if self.gone.contains(behind) && !self.gone.contains(ahead) {
            TieBreak::Stayed
        } else if self.extra[ahead] != self.extra[behind] {
            TieBreak::ExtraRounds
        } else if better.round != worse.round {
            TieBreak::OutLater
        } else {
            TieBreak::HadMore(better.chips, worse.chips)
        })
    }
}
