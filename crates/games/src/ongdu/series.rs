//! A match of Ongdu: until somebody is out of cash, and the richest wins.

use serde::Serialize;
use table::{BadSetting, Breaks, Chips, Outcome, PerSeat, Seat, Seats, Settings as _, Standing, TieBreak};

use super::{Deal, Settings, Setup};

/// A match.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    players: u8,
    settings: Settings,
    /// Who starts the next round; absent until the lot has spoken.
    starter: Option<Seat>,
    cash: PerSeat<Chips>,
    rounds: u32,
    gone: Seats,
    breaks: Breaks,
}

impl Series {
    pub(super) fn new(settings: &Settings, players: u8) -> Result<Self, BadSetting> {
        settings.check_ranges()?;
        Ok(Self {
            players,
            settings: settings.clone(),
            starter: None,
            cash: PerSeat::filled(players, settings.starting_cash),
            rounds: 0,
            gone: Seats::NONE,
            breaks: Breaks::default(),
        })
    }

    /// Rounds played so far.
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }

    fn setup(&self, starter: Option<Seat>, first_deck: u32) -> Setup {
        Setup {
            players: self.players,
            starter,
            preset: self.settings.preset,
            foul: self.settings.foul,
            special: self.settings.special,
            point_value: self.settings.point_value,
            gone: self.gone,
            first_deck,
        }
    }

    fn over(&self) -> bool {
        self.cash.iter().any(|cash| *cash <= Chips::ZERO)
            || (self.settings.max_rounds > 0 && i64::from(self.rounds) >= self.settings.max_rounds)
            || self.gone.len() + 1 >= self.players
    }

    /// Cash decides, but those who stayed come before those who left.
    fn better(&self, a: Seat, b: Seat) -> bool {
        let standing = |seat| (!self.gone.contains(seat), self.cash[seat]);
        standing(a) > standing(b)
    }
}

impl table::Series for Series {
    type Rules = Deal;

    fn next(&self, first_deck: u32) -> Option<Setup> {
        (!self.over()).then(|| self.setup(self.starter, first_deck))
    }

    fn sample(&self, turn: u64) -> Setup {
        let back = u64::from(Seat::round(turn, self.players).index());
        self.setup(Some(Seat::round(u64::from(self.players) - back, self.players)), 0)
    }

    fn finish(&mut self, deal: &Deal, outcome: &Outcome) {
        for seat in Seats::first(self.players).iter() {
            self.cash[seat] += outcome.result[seat];
        }
        self.rounds = self.rounds.saturating_add(1);
        let left = deal.gone - outcome.away;
        self.gone = self.gone | left | self.breaks.count(outcome);
        self.starter = deal.starter().map(|starter| starter.right(self.players));
    }

    fn concede(&mut self, seat: Seat) {
        if seat.index() < self.players && !self.over() {
            self.gone.insert(seat);
        }
    }

    fn standing(&self) -> Standing {
        Standing::ranked(self.cash, self.over(), |a, b| self.better(a, b))
    }

    fn tie_break(&self, ahead: Seat, behind: Seat) -> Option<TieBreak> {
        (self.better(ahead, behind) && self.cash[ahead] <= self.cash[behind]).then_some(TieBreak::Stayed)
    }
}
