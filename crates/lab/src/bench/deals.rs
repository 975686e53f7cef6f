//! Whole deals among random bots: the simulator itself, on one thread.

use bots::Computer;
use dealers::{Local, Recording};
use games::AnyGame;

use super::{Batch, Bench, Unit};
use crate::sim::{Dealing, Plan, Simulated, Tally, Units, Worker, settings};

/// How many deals a batch has.
const DEALS: usize = 256;

/// What is measured of one game.
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) game: &'static str,
    players: u8,
    options: &'static [&'static str],
}

/// Games that are not there yet are left out.
pub(super) const TABLES: &[Table] = &[
    Table { name: "deals_holdem_6", game: "holdem", players: 6, options: &[] },
    Table { name: "deals_blackout_4x7", game: "blackout", players: 4, options: &["start=7", "max=7", "end=7"] },
    Table { name: "deals_blackjack_4", game: "blackjack", players: 4, options: &[] },
    Table { name: "deals_ongdu_4", game: "ongdu", players: 4, options: &[] },
    Table { name: "deals_romme_4", game: "romme", players: 4, options: &[] },
    Table { name: "deals_bigc_4", game: "bigc", players: 4, options: &[] },
];

pub(super) fn benches() -> impl Iterator<Item = Bench> {
    TABLES.iter().filter_map(|table| {
        let game = AnyGame::from_name(table.game)?;
        let ready = move || games::with_game!(game, G => deals::<G, Local>(table, Dealing::Local, DEALS, 0..));
        Some(Bench { name: table.name.to_owned(), unit: Unit::PerSecond("deals/s"), ready: Box::new(ready) })
    })
}

/// Batches of deals with these numbers, one after the other.
pub(super) fn deals<G, D>(
    table: &Table,
    dealer: Dealing,
    batch: usize,
    mut units: impl Iterator<Item = u64> + 'static,
) -> Result<Batch, String>
where
    G: Computer,
    D: Simulated + 'static,
{
    let settings = settings::<G>(table.options.iter().copied())?;
    let mut plan = Plan::<G>::new(settings, table.players, 1, Units::Deals(u64::MAX)).map_err(|e| e.to_string())?;
    plan.dealer = dealer;
    let players = table.players;
    // A plan per figure is never given back: the program ends soon after.
    let mut worker = Worker::<G, D>::with_dealer(Box::leak(Box::new(plan)));
    Ok(Box::new(move || {
        let mut tally = Tally::new(players);
        for unit in units.by_ref().take(batch) {
            // The same loops as a simulation has.
            let dealt = if D::PROVES {
                worker.deal(unit, &mut None::<Recording>, &mut tally)
            } else {
                worker.deal(unit, &mut (), &mut tally)
            };
            dealt.map_err(|fault| fault.to_string())?;
        }
        Ok(tally.deals)
    }))
}
