//! A match being played: a [`Series`] and the table of its current deal.

use crate::{Awaiting, BadSetting, Game, Height, Outcome, Refused, Rules, Seat, Series, Standing, Table};

/// A match of a game.
#[derive(Debug)]
pub struct Match<G: Game> {
    series: G::Series,
    table: Table<G::Rules>,
    deals: u32,
    /// The deal on the table was the last one and has been counted.
    counted: bool,
}

impl<G: Game> Match<G> {
    /// A new match with its first deal begun.
    pub fn start(settings: &G::Settings, players: u8) -> Result<Self, BadSetting> {
        let series = G::start(settings, players)?;
        let setup = series.next(0).ok_or_else(|| BadSetting::new("players", "enough for a first deal"))?;
        let table = Table::new(G::Rules::deal(&setup)?, Height(0));
        Ok(Self { series, table, deals: 1, counted: false })
    }

    /// The deal on the table.
    pub const fn table(&self) -> &Table<G::Rules> {
        &self.table
    }

    /// The deal on the table, to be changed.
    pub const fn table_mut(&mut self) -> &mut Table<G::Rules> {
        &mut self.table
    }

    /// The match around it.
    pub const fn series(&self) -> &G::Series {
        &self.series
    }

    /// How many deals have begun.
    pub const fn deals(&self) -> u32 {
        self.deals
    }

    /// How the match stands; the running deal does not count yet.
    pub fn standing(&self) -> Standing {
        self.series.standing()
    }

    /// A seat concedes the match. It also leaves the deal on the table, unless that is over.
    pub fn concede(&mut self, seat: Seat) {
        if self.table.awaiting() != Awaiting::Over {
            // A seat already out of this deal cannot leave it again, which is fine.
            let _ = self.table.gone(self.table.height(), seat);
        }
        self.series.concede(seat);
    }

    /// A seat leaves the deal on the table and concedes the match, as one input, like in records.
    pub fn leave(&mut self, height: Height, seat: Seat) -> Result<(), Refused<<G::Rules as Rules>::Illegal>> {
        self.table.gone(height, seat)?;
        self.series.concede(seat);
        Ok(())
    }

    /// Counts the finished deal and begins the next one. `elapsed` is in seconds since the match began.
    ///
    /// Returns the outcome counted, or `None` while the deal is not over and after the last deal. Afterwards
    /// [`Standing::over`] says whether another deal is on the table. A deal that was running when all others
    /// conceded counts too.
    pub fn advance(&mut self, elapsed: u64) -> Option<Outcome> {
        let outcome = self.table.outcome()?.clone();
        if self.counted {
            return None;
        }
        self.series.finish(self.table.rules(), &outcome);
        self.series.elapsed(elapsed);
        let next = self.series.next(self.table.rules().decks().end);
        if let Some(rules) = next.and_then(|setup| G::Rules::deal(&setup).ok()) {
            self.table.next_deal(rules);
            self.deals += 1;
        } else {
            self.counted = true;
        }
        Some(outcome)
    }
}
