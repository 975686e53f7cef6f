//! A match of Big-C: some deals, fewest points win.

use core::cmp::Ordering;

use serde::Serialize;
use table::{BadSetting, Breaks, Chips, Outcome, PerSeat, Seat, Seats, Standing, TieBreak};

use super::{Deal, Settings, Setup};

/// A match.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// How every deal begins, but for who has left.
    setup: Setup,
    deals: u8,
    played: u8,
    total: PerSeat<Chips>,
    gone: Seats,
    breaks: Breaks,
}

impl Series {
    pub(super) fn new(settings: &Settings, players: u8) -> Result<Self, BadSetting> {
        let setup = settings.setup(players)?;
        let deals = u8::try_from(settings.deals).map_err(|_| BadSetting::new("deals", "from 1 to 20"))?;
        Ok(Self { setup, deals, played: 0, total: PerSeat::new(players), gone: Seats::NONE, breaks: Breaks::default() })
    }

    fn over(&self) -> bool {
        self.played >= self.deals || self.gone.len() + 1 >= self.setup.players
    }

    /// Fewest points first; leavers come last.
    fn compare(&self, a: Seat, b: Seat) -> Ordering {
        let left = |seat| self.gone.contains(seat);
        left(a).cmp(&left(b)).then_with(|| self.total[a].cmp(&self.total[b]))
    }
}

impl table::Series for Series {
    type Rules = Deal;

    fn next(&self, first_deck: u32) -> Option<Setup> {
        (!self.over()).then(|| Setup { gone: self.gone, first_deck, ..self.setup.clone() })
    }

    fn sample(&self, _: u64) -> Setup {
        self.setup.clone()
    }

    fn finish(&mut self, deal: &Deal, outcome: &Outcome) {
        for seat in Seats::first(self.setup.players).iter() {
            self.total[seat] += outcome.result[seat];
        }
        self.played = self.played.saturating_add(1);
        let left = Seats::first(self.setup.players) - deal.in_play() - outcome.away;
        self.gone = self.gone | left | self.breaks.count(outcome);
    }

    fn concede(&mut self, seat: Seat) {
        if seat.index() < self.setup.players && !self.over() {
            self.gone.insert(seat);
        }
    }

    fn standing(&self) -> Standing {
        Standing::ranked(self.total, self.over(), |a, b| self.compare(a, b).is_lt())
    }

    fn tie_break(&self, ahead: Seat, behind: Seat) -> Option<TieBreak> {
        let placed = self.compare(ahead, behind).is_lt() && self.total[ahead] >= self.total[behind];
        placed.then_some(TieBreak::Stayed)
    }
}
