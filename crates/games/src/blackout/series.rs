//! A match of Blackout: rounds up and down, most points win.

use core::cmp::Ordering;

use serde::Serialize;
use table::{BadSetting, Breaks, Chips, Outcome, PerSeat, Seat, Seats, Standing, TieBreak};

use super::{Deal, Settings, Setup};

/// A match.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    players: u8,
    /// Cards of each round.
    sizes: Vec<u8>,
    settings: Settings,
    /// Who deals next; absent until the dice have spoken.
    dealer: Option<Seat>,
    /// The scores of each round played.
    rounds: Vec<PerSeat<Chips>>,
    exact: PerSeat<u16>,
    gone: Seats,
    breaks: Breaks,
}

impl Series {
    pub(super) fn new(settings: &Settings, players: u8) -> Result<Self, BadSetting> {
        Ok(Self {
            players,
            sizes: settings.sizes(players)?,
            settings: settings.clone(),
            dealer: None,
            rounds: Vec::new(),
            exact: PerSeat::new(players),
            gone: Seats::NONE,
            breaks: Breaks::default(),
        })
    }

    /// Cards of each round, in order.
    pub fn sizes(&self) -> &[u8] {
        &self.sizes
    }

    fn setup(&self, round: usize, dealer: Option<Seat>, first_deck: u32) -> Setup {
        let number = u16::try_from(round + 1).unwrap_or(u16::MAX);
        Setup {
            players: self.players,
            dealer,
            cards: self.sizes.get(round).copied().unwrap_or(1),
            trump: !self.settings.no_trump_rounds.contains(&number),
            hook: self.settings.hook,
            points_for_correct_bet: self.settings.points_for_correct_bet,
            gone: self.gone,
            first_deck,
        }
    }

    fn over(&self) -> bool {
        self.rounds.len() >= self.sizes.len() || self.gone.len() + 1 >= self.players
    }

    fn total(&self, seat: Seat) -> Chips {
        self.rounds.iter().map(|scores| scores[seat]).sum()
    }

    /// Points, then exact bids, then the scores of the last rounds backwards; leavers come last.
    fn compare(&self, a: Seat, b: Seat) -> Ordering {
        let stayed = |seat| !self.gone.contains(seat);
        stayed(a)
            .cmp(&stayed(b))
            .then_with(|| self.total(a).cmp(&self.total(b)))
            .then_with(|| self.exact[a].cmp(&self.exact[b]))
            .then_with(|| {
                let rounds = self.rounds.iter().rev();
                rounds.map(|scores| scores[a].cmp(&scores[b])).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
            })
    }
}

impl table::Series for Series {
    type Rules = Deal;

    fn next(&self, first_deck: u32) -> Option<Setup> {
        (!self.over()).then(|| self.setup(self.rounds.len(), self.dealer, first_deck))
    }

    fn sample(&self, turn: u64) -> Setup {
        let rounds = u64::try_from(self.sizes.len()).unwrap_or(1).max(1);
        let round = usize::try_from(turn % rounds).unwrap_or(0);
        self.setup(round, Some(Seat::round(turn, self.players)), 0)
    }

    fn finish(&mut self, deal: &Deal, outcome: &Outcome) {
        self.rounds.push(outcome.result);
        for seat in Seats::first(self.players).iter() {
            if deal.bid_was_exact(seat) && !table::blamed(outcome, seat) {
                self.exact[seat] += 1;
            }
        }
        let left = deal.gone - outcome.away;
        self.gone = self.gone | left | self.breaks.count(outcome);
        self.dealer = deal.has_dealer().then(|| deal.dealer().left(self.players));
    }

    fn concede(&mut self, seat: Seat) {
        if seat.index() < self.players && !self.over() {
            self.gone.insert(seat);
        }
    }

    fn standing(&self) -> Standing {
        let total = PerSeat::from_fn(self.players, |seat| self.total(seat));
        Standing::ranked(total, self.over(), |a, b| self.compare(a, b).is_gt())
    }

    fn tie_break(&self, ahead: Seat, behind: Seat) -> Option<TieBreak> {
        let [more, less] = [ahead, behind].map(|seat| self.total(seat));
        if self.compare(ahead, behind).is_le() || more > less {
            return None;
        }
        if self.gone.contains(behind) && !self.gone.contains(ahead) {
            return Some(TieBreak::Stayed);
        }
        if self.exact[ahead] != self.exact[behind] {
            return Some(TieBreak::ExactBids(self.exact[ahead], self.exact[behind]));
        }
        let mut rounds = self.rounds.iter().enumerate().rev();
        let (before, scores) = rounds.find(|(_, scores)| scores[ahead] != scores[behind])?;
        Some(TieBreak::Deal(u32::try_from(before + 1).unwrap_or(u32::MAX), scores[ahead], scores[behind]))
    }
}
