//! Cheats are caught, and nobody else is blamed.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::print_stdout,
    reason = "what goes wrong here fails a test"
)]

use dealers::joint::{Keepers, Replica, Terms};
use dealers::laws::{Liar, Network, Weather, times};
use games::blackout::{self, Blackout};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::record::By;
use table::{Draw as _, Eye, Game, Height, Move, Moves as _, Rules as _, Seat, Seats, Slot, Table};

type Deal = <Blackout as Game>::Rules;

const EVERY_PLAYER: (u8, Keepers) = (3, Keepers::EveryPlayer);
const ALL_BUT_ONE: (u8, Keepers) = (4, Keepers::Players { threshold: 3 });
const COMMITTEE: (u8, Keepers) = (2, Keepers::Committee { members: 4, threshold: 3 });

/// What came of a run.
#[derive(Debug, Default)]
struct Found {
    lied: u32,
    caught: u32,
}

fn run(liar: Option<Liar>, (players, keepers): (u8, Keepers), weather: Weather, number: u32, found: &mut Found) {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&number.to_le_bytes());
    seed[4] = liar.map_or(0, |liar| 1 + Liar::ALL.iter().position(|one| *one == liar).unwrap() as u8);
    seed[5] = players;
    let mut rng = ChaCha8Rng::from_seed(seed);
    let max = if liar == Some(Liar::Revoker) { 6 } else { 2 };
    let settings = blackout::Settings { max, ..blackout::Settings::default() };
    let setup = Blackout::sample(&settings, players, number.into()).unwrap();
    let table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
    let terms = Terms { session: seed, players: Seats::first(players), keepers };
    terms.check().unwrap();
    let mut network = Network::new(terms, &table, weather, seed);
    let place = usize::try_from(rng.below(u32::try_from(terms.members().len()).unwrap())).unwrap();
    let culprit = network.replicas()[place].node().me();
    if let Some(liar) = liar {
        network.corrupt(place, liar, terms, &table, seed);
    }
    let mut revoked = false;
    let mut decide = |replica: &Replica<Deal>, seat: Seat, rng: &mut ChaCha8Rng| {
        if liar == Some(Liar::Revoker)
            && By::Seat(seat) == culprit
            && let Some(slot) = unsuited(replica, seat)
        {
            revoked = true;
            return Some(Move::Act(blackout::Action::Play(slot)));
        }
        replica.table().rules().moves(replica.known(), seat).pick(rng)
    };
    network.run(&mut decide);
    let lied = network.lied() || revoked;
    found.lied += u32::from(lied);
    let at = format!("{liar:?} {keepers:?} {weather:?} number {number}, {culprit:?} lies");
    let mut caught = 0;
    for replica in network.honest() {
        let blamed = replica.blamed();
        assert!(
            blamed.iter().all(|by| *by == culprit && lied),
            "{at}: blamed {blamed:?} {:?}",
            replica.node().ledger().faults()
        );
        caught += u32::from(!blamed.is_empty());
    }
    found.caught += u32::from(caught > 0);
    assert!(!lied || caught > 0, "{at}: not found out");
    for (_, blamed) in &network.faults {
        assert!(*blamed == culprit && lied, "{at}: {blamed:?} blamed");
    }
    if liar.is_none() {
        let hashes: Vec<_> = network.replicas().iter().map(|replica| replica.table().state_hash()).collect();
        assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{at}: replicas differ");
        assert!(network.replicas()[0].table().outcome().unwrap().broken_off.is_none(), "{at}: broken off");
    }
}

/// A card of the hand that does not follow suit though another would.
fn unsuited(replica: &Replica<Deal>, seat: Seat) -> Option<Slot> {
    let rules = replica.table().rules();
    let blackout::Moves::Play(legal) = rules.moves(replica.known(), seat) else { return None };
    let hand = rules.view(replica.known(), Eye::Seat(seat)).hand;
    hand.iter().find(|held| legal.iter().all(|one| one.slot != held.slot)).map(|held| held.slot)
}

fn is_found_out(liar: Liar, tables: &[(u8, Keepers)]) {
    let mut found = Found::default();
    let runs = times(20, 1000);
    for number in 0..runs {
        let table = tables[number as usize % tables.len()];
        let weather = if number % 3 == 0 { Weather::FOUL } else { Weather::FAIR };
        run(Some(liar), table, weather, number, &mut found);
    }
    println!("{liar:?}: {runs} runs, {found:?}");
    assert!(found.lied * 2 > runs, "{liar:?} hardly ever lies: {found:?}");
}

const ALL: [(u8, Keepers); 3] = [EVERY_PLAYER, ALL_BUT_ONE, COMMITTEE];

#[test]
fn honest_tables_agree_in_any_weather() {
    for number in 0..times(9, 300) {
        let table = ALL[number as usize % 3];
        let weather = if number % 2 == 0 { Weather::FOUL } else { Weather::FAIR };
        run(None, table, weather, number, &mut Found::default());
    }
}

#[test]
fn a_withholder_is_found_out() {
    is_found_out(Liar::Withholder, &ALL);
}

#[test]
fn an_equivocator_is_found_out() {
    is_found_out(Liar::Equivocator, &ALL);
}

#[test]
fn a_replayer_is_found_out() {
    is_found_out(Liar::Replayer, &ALL);
}

#[test]
fn a_bad_shuffle_is_found_out() {
    is_found_out(Liar::BadShuffle, &ALL);
}

#[test]
fn a_wrong_share_is_found_out() {
    is_found_out(Liar::WrongShare, &ALL);
}

#[test]
fn a_revoker_is_found_out() {
    is_found_out(Liar::Revoker, &[EVERY_PLAYER, ALL_BUT_ONE]);
}

#[test]
fn a_bad_dkg_share_is_found_out() {
    is_found_out(Liar::BadDkgShare, &[ALL_BUT_ONE, COMMITTEE]);
}

#[test]
fn a_false_complainer_is_found_out() {
    is_found_out(Liar::FalseComplainer, &[ALL_BUT_ONE, COMMITTEE]);
}

#[test]
fn a_copied_nonce_dealer_is_found_out() {
    is_found_out(Liar::CopiedNonceDealer, &[ALL_BUT_ONE, COMMITTEE]);
}
