//! A match of Rommé: rounds until somebody has too many points, fewest win.

use serde::Serialize;
use table::{BadSetting, Chips, Outcome, PerSeat, Seat, Seats, Settings as _, Standing, TieBreak};

use super::{Deal, Mode, Settings, Setup};

/// A match.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    players: u8,
    settings: Settings,
    /// Who deals next; absent until the lot has spoken.
    dealer: Option<Seat>,
    /// Rounds played.
    rounds: u32,
    total: PerSeat<Chips>,
    /// In a knockout: the round after which a seat was out, 0 for those still in.
    out_after: PerSeat<u32>,
    /// Those who left, or lost the match by breaking a round.
    gone: Seats,
}

impl Series {
    pub(super) fn new(settings: &Settings, players: u8) -> Result<Self, BadSetting> {
        settings.check_ranges()?;
        Ok(Self {
            players,
            settings: settings.clone(),
            dealer: None,
            rounds: 0,
            total: PerSeat::new(players),
            out_after: PerSeat::new(players),
            gone: Seats::NONE,
        })
    }

    fn setup(&self, dealer: Option<Seat>, first_deck: u32) -> Setup {
        let settings = &self.settings;
        Setup {
            players: self.players,
            playing: self.playing(),
            dealer,
            // The ranges of the settings were checked at the start.
            first_meld: u16::try_from(settings.first_meld).unwrap_or(0),
            jokers: u8::try_from(settings.jokers).unwrap_or(0),
            discard_draw: settings.discard_draw,
            out_without_discard: settings.out_without_discard,
            max_reshuffles: u8::try_from(settings.max_reshuffles).unwrap_or(0),
            first_deck,
        }
    }

    /// Those who play the next round.
    fn playing(&self) -> Seats {
        Seats::first(self.players)
            .iter()
            .filter(|seat| self.out_after[*seat] == 0 && !self.gone.contains(*seat))
            .collect()
    }

    fn reached_target(&self, seat: Seat) -> bool {
        self.total[seat].0 >= self.settings.target
    }

    fn over(&self) -> bool {
        self.playing().len() <= 1
            || match self.settings.mode {
                Mode::Target => self.playing().iter().any(|seat| self.reached_target(seat)),
                Mode::Rounds => i64::from(self.rounds) >= self.settings.rounds,
                Mode::Knockout => false,
            }
    }

    /// Leavers come last; in a knockout, going out later is better; then fewer points are better.
    fn better(&self, a: Seat, b: Seat) -> bool {
        let lasted = |seat| match self.out_after[seat] {
            0 => u32::MAX,
            round => round,
        };
        let key = |seat: Seat| (self.gone.contains(seat), core::cmp::Reverse(lasted(seat)), self.total[seat]);
        key(a) < key(b)
    }
}

impl table::Series for Series {
    type Rules = Deal;

    fn next(&self, first_deck: u32) -> Option<Setup> {
        // The next dealer may have left since.
        let dealer = self.dealer.and_then(|dealer| self.playing().clockwise_from(dealer).next());
        (!self.over()).then(|| self.setup(dealer, first_deck))
    }

    fn sample(&self, turn: u64) -> Setup {
        self.setup(self.playing().clockwise_from(Seat::round(turn, self.players)).next(), 0)
    }

    fn finish(&mut self, deal: &Deal, outcome: &Outcome) {
        self.rounds += 1;
        for (seat, points) in outcome.result.seats() {
            self.total[seat] += *points;
            if table::blamed(outcome, seat) {
                self.gone.insert(seat);
            }
        }
        self.gone = self.gone | (deal.gone() - outcome.away);
        if self.settings.mode == Mode::Knockout {
            let out: Seats = self.playing().iter().filter(|seat| self.reached_target(*seat)).collect();
            out.iter().for_each(|seat| self.out_after[seat] = self.rounds);
        }
        self.dealer = deal.dealer().map(|dealer| dealer.left(self.players));
    }

    fn concede(&mut self, seat: Seat) {
        // A player who was knocked out has finished, and keeps their place.
        if self.playing().contains(seat) && !self.over() {
            self.gone.insert(seat);
        }
    }

    fn standing(&self) -> Standing {
        Standing::ranked(self.total, self.over(), |a, b| self.better(a, b))
    }

    fn tie_break(&self, ahead: Seat, behind: Seat) -> Option<TieBreak> {
        if !self.better(ahead, behind) || self.total[ahead] < self.total[behind] {
            return None;
        }
        let stayed = self.gone.contains(behind) && !self.gone.contains(ahead);
        Some(if stayed { TieBreak::Stayed } else { TieBreak::OutLater })
    }
}
