//! Plays one deal or match after the other, keeping its memory.

use core::fmt;

use bots::Computer;
use dealers::{Local, Log, Recording};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use table::record::{End, FORMAT, Header, Line, Writer, hex, session};
use table::{Game, Height, Match, Rules, Series, Table};

use super::{Plan, Simulated, Tally, Units, unit_seed};
use crate::computers::{Bots, Player};
use crate::interrupt;

/// Single deals are seeded in groups of this size. Work is divided among threads between groups, never inside one.
pub(super) const GROUP: u64 = 64;

/// Plays the units of a plan.
#[derive(Debug)]
pub struct Worker<'a, G: Game, D = Local> {
    plan: &'a Plan<G>,
    /// The table of the single deal before, for its memory.
    table: Option<Table<G::Rules>>,
    dealer: D,
    /// What single deals are bound to.
    id: [u8; 32],
    bots: Bots<'a, G>,
}

/// Something that may write a record: `()` does not, and costs nothing.
pub trait Scribe<R: Rules>: Log<R> {
    /// What to write to, if anything.
    fn writer(&mut self) -> Option<&mut Writer>;
}

impl<R: Rules> Scribe<R> for () {
    #[inline]
    fn writer(&mut self) -> Option<&mut Writer> {
        None
    }
}

impl<R: Rules> Scribe<R> for Recording {
    fn writer(&mut self) -> Option<&mut Writer> {
        Some(&mut self.0)
    }
}

impl<R: Rules> Scribe<R> for Option<Recording> {
    fn writer(&mut self) -> Option<&mut Writer> {
        self.as_mut().map(|recording| &mut recording.0)
    }
}

/// Something that must not happen: the rules, a bot or the dealer have a mistake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The seed of the simulation.
    pub seed: u64,
    /// The number of the deal or match, from 0.
    pub unit: u64,
    /// The number of the deal in its match, from 1.
    pub deal: Option<u32>,
    /// What went wrong.
    pub why: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, unit, deal, why } = self;
        match deal {
            None => write!(f, "seed {seed}, deal {unit}: {why}"),
            Some(deal) => write!(f, "seed {seed}, match {unit}, deal {deal} of it: {why}"),
        }
    }
}

impl<'a, G: Computer> Worker<'a, G> {
    /// A worker for the units of this plan that deals by itself.
    pub fn new(plan: &'a Plan<G>) -> Self {
        Self::with_dealer(plan)
    }
}

impl<'a, G: Computer, D: Simulated> Worker<'a, G, D> {
    /// A worker for the units of this plan, with a dealer.
    pub fn with_dealer(plan: &'a Plan<G>) -> Self {
        let players =
            plan.bots.iter().zip(&plan.told).map(|(who, told)| Player::new(who, plan.bot_time, told)).collect();
        let bots = Bots::new(players, &plan.settings);
        Self { plan, table: None, dealer: D::of(plan), id: plan.id(0), bots }
    }

    /// Plays the single deal with this number, from 0. Deals of a group follow one another.
    #[inline]
    pub fn deal(&mut self, unit: u64, scribe: &mut impl Scribe<G::Rules>, tally: &mut Tally) -> Result<(), Fault> {
        // Making a seed costs about as much as a card or two; a group of deals shares one.
        if unit.is_multiple_of(GROUP) {
            self.reseed(unit / GROUP);
            self.bots.begin_match(|| unit_seed(self.plan.seed, unit / GROUP, "commands"));
        } else {
            self.dealer.clear();
        }
        let setup = self.plan.series.sample(unit);
        let rules = G::Rules::deal(&setup).map_err(|bad| self.fault(unit, None, bad.to_string()))?;
        let table = match &mut self.table {
            Some(table) => {
                table.restart(rules);
                table
            }
            none => none.insert(Table::new(rules, Height(0))),
        };
        // `Plan::from_args` has seen to it that numbers fit where they are needed.
        let number = u32::try_from(unit).unwrap_or(u32::MAX).saturating_add(1);
        if D::PROVES {
            self.dealer.begin(session(&self.id, number));
        }
        if let Some(writer) = scribe.writer() {
            writer.deal::<G::Rules>(number, &setup);
        }
        let outcome = match self.bots.play(1, table, &mut self.dealer, scribe) {
            Ok(outcome) => outcome,
            Err(halt) => return Err(self.fault(unit, None, self.bots.said(&halt))),
        };
        if let Some(writer) = scribe.writer() {
            writer.end(table, None);
        }
        self.dealer.retire(None);
        scribe.evidence(self.dealer.evidence());
        tally.add_deal(&outcome, table.height().0);
        Ok(())
    }

    /// Plays the match with this number, from 0.
    pub fn whole_match(
        &mut self,
        unit: u64,
        max_deals: u32,
        scribe: &mut impl Scribe<G::Rules>,
        tally: &mut Tally,
    ) -> Result<(), Fault> {
        self.reseed(unit);
        self.bots.begin_match(|| unit_seed(self.plan.seed, unit, "commands"));
        let started = Match::<G>::start(&self.plan.settings, self.plan.players);
        let mut running = started.map_err(|bad| self.fault(unit, None, bad.to_string()))?;
        if D::PROVES {
            self.dealer.begin(self.plan.id(unit));
        }
        if let Some(writer) = scribe.writer() {
            writer.header(self.plan.header(Some(unit)));
        }
        let mut first_deck = 0;
        loop {
            let number = running.deals();
            let fault = |why: String| Fault { seed: self.plan.seed, unit, deal: Some(number), why };
            if let Some(writer) = scribe.writer() {
                let setup = running.series().next(first_deck);
                let setup = setup.ok_or_else(|| fault("the match says no longer how its deal began".to_owned()))?;
                writer.deal::<G::Rules>(number, &setup);
            }
            let before = running.table().height();
            let outcome = self
                .bots
                .play(number, running.table_mut(), &mut self.dealer, scribe)
                .map_err(|halt| fault(self.bots.said(&halt)))?;
            first_deck = running.table().rules().decks().end;
            tally.add_deal(&outcome, running.table().height().0 - before.0);
            // The hash is that of the table before the next deal is put on it.
            let hash = scribe.writer().map(|_| hex(&running.table().state_hash()));
            running.advance(0);
            let standing = running.standing();
            let over = standing.over;
            if let (Some(writer), Some(hash)) = (scribe.writer(), hash) {
                writer.line(&Line::<(), (), ()>::End(End { outcome, hash, standing: Some(standing.clone()) }));
            }
            // What is interrupted is thrown away as a whole, so it does not matter how it ends.
            let stops = over || number >= max_deals || interrupt::asked();
            self.dealer.retire((!stops).then(|| running.table().rules().decks().start));
            scribe.evidence(self.dealer.evidence());
            if stops {
                self.bots.end_match(&standing);
                tally.add_match(&standing, number);
                return Ok(());
            }
            if running.deals() == number {
                return Err(fault("the match is not over, but there is no next deal".to_owned()));
            }
        }
    }

    fn reseed(&mut self, unit: u64) {
        self.dealer.reseed(unit_seed(self.plan.seed, unit, "cards"));
        self.bots.rng = Xoshiro256PlusPlus::from_seed(unit_seed(self.plan.seed, unit, "bots"));
    }

    fn fault(&self, unit: u64, deal: Option<u32>, why: String) -> Fault {
        Fault { seed: self.plan.seed, unit, deal, why }
    }
}

impl<G: Game> Plan<G> {
    /// The first line of a record: of all deals, or of one match.
    pub(super) fn header(&self, unit: Option<u64>) -> Header {
        let settings = serde_json::to_value(&self.settings).ok();
        let (settings, options) = match self.units {
            Units::Deals(_) => (None, settings),
            Units::Matches { .. } => (settings, None),
        };
        let bots: Vec<String> = self.bots.iter().map(ToString::to_string).collect();
        let mut sim = serde_json::Map::new();
        sim.insert("seed".to_owned(), self.seed.into());
        sim.insert("bots".to_owned(), bots.into());
        sim.extend(unit.map(|unit| ("match".to_owned(), unit.into())));
        sim.extend(options.map(|options| ("options".to_owned(), options)));
        Header {
            format: FORMAT,
            game: G::NAME.to_owned(),
            players: self.players,
            id: self.dealer.proves().then(|| hex(&self.id(unit.unwrap_or(0)))),
            settings,
            names: Vec::new(),
            dealer: self.dealer.name(),
            extra: [("sim".to_owned(), sim.into())].into(),
        }
    }
}
