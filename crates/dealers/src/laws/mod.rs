//! Laws that hold for every game, as test suites called in one line.
//!
//! ```text
//! dealers::laws::hold::<Blackout>();                       // every number of players, default settings
//! dealers::laws::hold_with::<Blackout>(&settings, 4);      // these settings
//! ```
//!
//! Checked for every deal, played at random:
//!
//! - every move that `moves` offers is accepted, and only a seat the table waits for is offered any
//! - a refused input changes nothing; an input for another height or from another seat is refused
//! - no card is dealt to two seats, and every card dealt is in the deck
//! - the deal ends; chips are conserved
//! - a seat may leave, the dealer may fail and the clock may run out at any moment; a culprit never gains, and
//!   nobody else loses by it
//! - replaying the record gives the same state hash
//! - exchanging two hidden faces changes nothing that anybody else sees
//!
//! The checks for every dealer that leaves evidence are in [`evidence`]. [`dealt_by_hand`] sets a table for a test.
//!
//! A failure prints the seed of its deal. Counts are small in ordinary tests and full with
//! `FAIRDEAL_SOAK=1`.

#![expect(clippy::panic, reason = "a broken law is reported by a panic; this is test code")]

mod by_hand;
pub mod evidence;
mod leave;
mod liars;
mod matches;
mod network;
mod secrecy;
mod steps;

use cards::Pack;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::record::{Header, Reader, Step};
use table::{Counting, Game, Height, Known, Move, Moves as _, Outcome, Rules, Seat, Seats, Series as _, Table};

use crate::{Local, Recording, play_deal};

pub use by_hand::{dealt_by_hand, slots_of};
pub use liars::Liar;
pub use network::{Decide, Logged, Network, Weather};
use steps::Run;

/// Deals per game in ordinary tests, and with `FAIRDEAL_SOAK=1`.
const DEALS: (u32, u32) = (2_000, 200_000);

/// How often to repeat something: `usual` times, or `full` times with `FAIRDEAL_SOAK=1`.
pub fn times(usual: u32, full: u32) -> u32 {
    if std::env::var_os("FAIRDEAL_SOAK").is_some() { full } else { usual }
}

/// Checks all laws, with every number of players and default settings.
pub fn hold<G: Game>() {
    hold_for_all::<G>(&G::Settings::default());
}

/// Checks all laws, with every number of players and these settings. For games whose default matches take too
/// long at random.
pub fn hold_for_all<G: Game>(settings: &G::Settings) {
    let numbers = u32::try_from(G::PLAYERS.count()).unwrap_or(1);
    for players in G::PLAYERS {
        deals_of::<G>(settings, players, times(DEALS.0, DEALS.1).div_ceil(numbers));
    }
    matches::end::<G>(settings);
}

/// Checks all laws, with these settings and this number of players, on a quarter of the deals that [`hold`]
/// plays.
pub fn hold_with<G: Game>(settings: &G::Settings, players: u8) {
    deals_of::<G>(settings, players, times(DEALS.0, DEALS.1).div_ceil(4));
}

fn deals_of<G: Game>(settings: &G::Settings, players: u8, deals: u32) {
    let series = G::start(settings, players).unwrap_or_else(|e| panic!("{players} players: {e}"));
    let mut seen = Vec::new();
    for number in 0..deals {
        let seed = Seed { players, number };
        let setup = series.sample(u64::from(number));
        let whole = one_deal::<G>(&setup, seed, &mut seen);
        // The more expensive laws check every fourth deal, each at a different moment.
        if number.is_multiple_of(4) {
            replayed::<G>(&setup, seed, &whole);
            leave::at_any_time::<G>(&setup, seed, whole.steps);
            leave::broken_off_at_any_time::<G>(&setup, seed, whole.steps);
            leave::nobody_answers::<G>(&setup, seed);
            secrecy::holds::<G>(&setup, seed, whole.steps);
        }
    }
}

/// Identifies a deal, so that a failure can be reproduced.
#[derive(Clone, Copy)]
struct Seed {
    players: u8,
    number: u32,
}

impl core::fmt::Debug for Seed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "deal {} with {} players", self.number, self.players)
    }
}

impl Seed {
    fn bytes(self, label: u8) -> [u8; 32] {
        let mut seed = [label; 32];
        let number = self.number.to_le_bytes();
        seed.iter_mut().zip(number.iter().chain([&self.players])).for_each(|(to, from)| *to = *from);
        seed
    }

    fn dealer(self) -> Local {
        Local::new(self.bytes(1))
    }

    fn rng(self, label: u8) -> ChaCha8Rng {
        ChaCha8Rng::from_seed(self.bytes(label))
    }
}

/// Actions from other deals, to try where they do not belong.
type Seen<G> = Vec<(Seat, <<G as Game>::Rules as Rules>::Action)>;

/// A deal played to its end.
struct Whole {
    outcome: Outcome,
    steps: u32,
    hash: [u8; 32],
}

fn table_of<G: Game>(setup: &<G::Rules as Rules>::Setup, seed: Seed) -> Table<G::Rules> {
    Table::new(G::Rules::deal(setup).unwrap_or_else(|e| panic!("{seed:?}: {e}")), Height(0))
}

/// Plays a deal step by step, with checks on the way.
fn one_deal<G: Game>(setup: &<G::Rules as Rules>::Setup, seed: Seed, seen: &mut Seen<G>) -> Whole {
    let mut run = Run::new(table_of::<G>(setup, seed), seed);
    // Looking at every state is expensive, so only one deal in eight is checked closely.
    run.closely = seed.number.is_multiple_of(8);
    run.seen = core::mem::take(seen);
    while run.step() {}
    *seen = core::mem::take(&mut run.seen);
    let outcome = run.outcome();
    if G::RESULT == Counting::Chips {
        let sum: table::Chips = outcome.result.iter().copied().sum();
        assert_eq!(sum.0, 0, "{seed:?}: results must add up to zero: {outcome:?}");
    }
    assert!(outcome.broken_off.is_none(), "{seed:?}: no true claim may break a deal: {outcome:?}");
    Whole { outcome, steps: run.steps, hash: run.table.state_hash() }
}

/// The record gives the same outcome and the same hash.
fn replayed<G: Game>(setup: &<G::Rules as Rules>::Setup, seed: Seed, whole: &Whole) {
    let mut table = table_of::<G>(setup, seed);
    let mut log = Recording::default();
    log.0.header(Header {
        format: 0,
        game: G::NAME.to_owned(),
        players: seed.players,
        id: None,
        settings: None,
        names: Vec::new(),
        dealer: "local".to_owned(),
        extra: std::collections::BTreeMap::new(),
    });
    let text = log.0.take();
    let mut reader = Reader::<G>::new();
    reader.line(text.trim_end()).unwrap_or_else(|e| panic!("{seed:?}: {e}"));

    log.0.deal::<G::Rules>(1, setup);
    let outcome = play_deal(&mut table, &mut seed.dealer(), &mut Picker(seed.rng(2)), &mut log)
        .unwrap_or_else(|e| panic!("{seed:?}: {e}"));
    log.0.end(&table, None);
    assert_eq!(outcome, whole.outcome, "{seed:?}: the same seed must give the same outcome");
    let text = log.0.take();
    let mut last = Step::Began;
    for line in text.lines() {
        last = reader.line(line).unwrap_or_else(|e| panic!("{seed:?}: {e}\n{line}\nin\n{text}"));
    }
    assert_eq!(last, Step::Ended(outcome), "{seed:?}: the record must end with the outcome");
    assert!(reader.is_between_deals());
    assert_eq!(table.state_hash(), whole.hash, "{seed:?}: the same seed must give the same state hash");
}

/// Players who pick a random move.
struct Picker(ChaCha8Rng);

impl<R: Rules> crate::Players<R> for Picker {
    fn decide(&mut self, table: &Table<R>, seat: Seat, known: Known<'_>) -> Option<Move<R::Action, R::Choice>> {
        table.rules().moves(known, seat).pick(&mut self.0)
    }
}

/// How many cards a fresh deck holds.
fn cards_in(pack: Pack) -> u16 {
    pack.len()
}

/// A culprit never gains, and nobody else loses by it.
fn nobody_gains_by_it<G: Game>(outcome: &Outcome, culprits: Seats, seed: Seed) {
    for (seat, result) in outcome.result.seats() {
        let guilty = culprits.contains(seat);
        match G::RESULT {
            Counting::Chips | Counting::Points => {
                assert!(!guilty || result.0 <= 0, "{seed:?}: {seat} is to blame and gains: {outcome:?}");
                assert!(guilty || result.0 >= 0, "{seed:?}: {seat} is not to blame and loses: {outcome:?}");
            }
            // The bank pays nobody for an unfinished deal, but keeps what it has won from anyone before.
            Counting::BankChips => assert!(result.0 <= 0, "{seed:?}: {seat} gains: {outcome:?}"),
            Counting::Penalties => {
                let worst = outcome.result.iter().max();
                assert!(!guilty || Some(result) == worst, "{seed:?}: {seat} is to blame and gains: {outcome:?}");
                assert!(
                    guilty || culprits.is_empty() || result.0 == 0,
                    "{seed:?}: {seat} is not to blame: {outcome:?}"
                );
            }
        }
    }
}
