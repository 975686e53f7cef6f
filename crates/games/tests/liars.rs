//! Cheats are found out, nobody else is blamed, and all honest replicas come to the same outcome: every cheat in every
//! game and with every kind of key, with messages lost and delayed on their way to the log.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::print_stdout,
    reason = "what goes wrong here fails a test"
)]

use std::collections::BTreeSet;

use dealers::joint::{Keepers, Replica, Terms};
use dealers::laws::{Liar, Network, Weather, times};
use games::{bigc::BigC, blackjack::Blackjack, blackout::Blackout, holdem::Holdem, ongdu::Ongdu, romme::Romme};
use games::{blackout, holdem};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::record::By;
use table::{
    Breakdown, Counting, Eye, Game, Height, Move, Moves as _, Outcome, Rules, Seat, Seats, Settings as _, Slot, Table,
};

const EVERY_PLAYER: (u8, Keepers) = (3, Keepers::EveryPlayer);
const ALL_BUT_ONE: (u8, Keepers) = (4, Keepers::Players { threshold: 3 });
const COMMITTEE: (u8, Keepers) = (2, Keepers::Committee { members: 4, threshold: 3 });
const ALL: [(u8, Keepers); 3] = [EVERY_PLAYER, ALL_BUT_ONE, COMMITTEE];

/// A game that random players would play for too long is cut off after so many moves.
const MOST_MOVES: u64 = 40;

type MoveOf<G> = Move<<<G as Game>::Rules as Rules>::Action, <<G as Game>::Rules as Rules>::Choice>;
/// What a player does, the cheat or another one, if not something at random.
type Play<G> = fn(&Replica<<G as Game>::Rules>, Seat, bool) -> Option<MoveOf<G>>;

/// A run.
struct Run<G: Game> {
    settings: &'static str,
    liar: Option<Liar>,
    table: (u8, Keepers),
    weather: Weather,
    number: u32,
    play: Play<G>,
}

/// What came of it.
#[derive(Debug)]
struct Found {
    lied: bool,
    caught: bool,
    outcome: Outcome,
}

impl<G: Game> Run<G> {
    fn seed(&self) -> [u8; 32] {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&self.number.to_le_bytes());
        seed[5] = self.table.0;
        seed
    }

    fn run(&self) -> Found {
        let Self { liar, table: (players, keepers), weather, number, .. } = *self;
        let mut settings = G::Settings::default();
        for (field, value) in self.settings.split_whitespace().filter_map(|word| word.split_once('=')) {
            settings.set(field, value).unwrap();
        }
        let setup = G::sample(&settings, players, number.into()).unwrap();
        let table = Table::new(G::Rules::deal(&setup).unwrap(), Height(0));
        let terms = Terms { session: self.seed(), players: Seats::first(players), keepers };
        terms.check().unwrap();
        let mut network = Network::new(terms, &table, weather, self.seed());
        let is_player = liar.is_some_and(|liar| {
            matches!(liar, Liar::Quitter | Liar::Revoker | Liar::WrongActor | Liar::FalseRevealer | Liar::NonRevealer)
        });
        let place = liars_place(&terms, is_player, number);
        let culprit = network.replicas()[place].node().me();
        if let Some(liar) = liar {
            network.corrupt(place, liar, self.seed());
        }
        let (mut played, mut tired) = (false, BTreeSet::new());
        network.run(&mut |replica: &Replica<G::Rules>, seat: Seat, _: &mut ChaCha8Rng| {
            let height = replica.table().height().0;
            let cheats = liar.is_some() && By::Seat(seat) == culprit;
            if let Some(own) = (self.play)(replica, seat, cheats) {
                played |= cheats;
                return Some(own);
            }
            if height > MOST_MOVES {
                tired.insert(By::Seat(seat));
                return None;
            }
            // The same at every replica and in every run.
            let mut rng = ChaCha8Rng::seed_from_u64(u64::from(number) << 32 | height << 8 | u64::from(seat.index()));
            replica.table().rules().moves(replica.known(), seat).pick(&mut rng)
        });
        let lied = network.lied() || liar == Some(Liar::Revoker) && played;
        self.judge(&network, culprit, lied, &tired)
    }

    /// Honest replicas agree about everything, and are right.
    fn judge(&self, network: &Network<G::Rules>, culprit: By, lied: bool, tired: &BTreeSet<By>) -> Found {
        let Self { liar, table: (_, keepers), weather, number, .. } = *self;
        let at = format!("{} {liar:?} {keepers:?} {weather:?} number {number}, {culprit:?} lies: {lied}", G::NAME);
        let first = network.honest().next().unwrap();
        for other in network.honest() {
            assert!(other.table().state_hash() == first.table().state_hash(), "{at}: replicas differ");
            assert_eq!(other.table().outcome(), first.table().outcome(), "{at}: another outcome");
            assert_eq!(other.blamed(), first.blamed(), "{at}: others are blamed");
            let faults = first.node().ledger().faults();
            assert_eq!(other.node().ledger().faults(), faults, "{at}: other faults");
            assert!(faults.iter().all(|fault| fault.by == culprit && lied), "{at}: {faults:?}");
        }
        assert!(network.faults.iter().all(|(_, blamed)| *blamed == culprit && lied), "{at}: {:?}", network.faults);
        let (blamed, outcome) = (first.blamed(), first.table().outcome().unwrap().clone());
        assert!(blamed.iter().all(|by| *by == culprit && lied || tired.contains(by)), "{at}: blamed {blamed:?}");
        let caught = blamed.contains(&culprit) && lied;
        let broken = outcome.broken_off;
        if liar.is_none_or(Liar::is_void) {
            assert!(!caught && (broken.is_none() || !tired.is_empty()), "{at}: {blamed:?} {broken:?}");
        }
        let seat = first.node().ledger().terms().is_player(culprit);
        let proven = first.proven();
        let is_claim = liar == Some(Liar::Revoker);
        // What is replayed may build on something else, and then it is as good as nothing.
        let is_certain = liar != Some(Liar::Replayer);
        if let Some(seat) = seat.filter(|_| caught && !is_claim && is_certain) {
            let silent = liar.is_some_and(Liar::is_silent);
            assert_eq!(
                proven.contains(seat),
                !silent,
                "{at}: silence proves nothing, a wrong message does: {proven:?}"
            );
        }
        match keepers {
            Keepers::EveryPlayer => {
                assert!(caught || !lied || liar.is_none_or(Liar::is_void) || !tired.is_empty(), "{at}: not found out");
            }
            // One alone cannot break off a deal, neither by silence nor by cheating.
            Keepers::Players { .. } | Keepers::Committee { .. } => {
                let claim = matches!(broken, Some(Breakdown::FalseClaim(_)));
                assert!(broken.is_none() || claim && is_claim || !tired.is_empty(), "{at}: {broken:?}");
            }
        }
        if let (Some(why), Some(seat)) = (broken.filter(|_| tired.is_empty()), seat) {
            assert_eq!(why.culprits(), Seats::one(seat), "{at}");
            let silent = liar.is_some_and(Liar::is_silent);
            assert!(why.proven().contains(seat) != silent || !is_certain, "{at}: {why:?}");
            let worse = |result: table::Chips| if G::RESULT == Counting::Penalties { -result } else { result };
            let worst = outcome.result.iter().map(|result| worse(*result)).min();
            assert_eq!(Some(worse(outcome.result[seat])), worst, "{at}: cheating pays: {outcome:?}");
        }
        Found { lied, caught, outcome }
    }
}

fn liars_place(terms: &Terms, is_player: bool, number: u32) -> usize {
    let mut everybody = terms.members();
    everybody.extend(terms.players.iter().map(By::Seat).filter(|by| !terms.is_member(*by)));
    let fitting: Vec<usize> = (0..everybody.len())
        .filter(|place| terms.is_member(everybody[*place]) != is_player || terms.is_player(everybody[*place]).is_some())
        .collect();
    fitting[number as usize % fitting.len()]
}

/// This cheat in one game, with every kind of key.
fn is_contained_in<G: Game>(settings: &'static str, liar: Liar, tables: &[(u8, Keepers)], play: Play<G>) -> (u32, u32) {
    let (mut lied, mut caught) = (0, 0);
    let runs = times(u32::try_from(tables.len()).unwrap(), 60);
    for number in 0..runs {
        let table = tables[number as usize % tables.len()];
        let weather = if number % 2 == 0 { Weather::FOUL } else { Weather::FAIR };
        let run = Run::<G> { settings, liar: Some(liar), table, weather, number, play };
        let found = run.run();
        lied += u32::from(found.lied);
        caught += u32::from(found.caught);
        if liar.is_void() {
            let honest = Run { liar: None, ..run }.run();
            assert_eq!(found.outcome, honest.outcome, "{} {liar:?} {table:?}: it has an effect", G::NAME);
        }
    }
    (lied, caught)
}

fn is_contained(liar: Liar, tables: &[(u8, Keepers)]) {
    let mut sum = (0, 0);
    let mut add = |(lied, caught): (u32, u32)| sum = (sum.0 + lied, sum.1 + caught);
    add(is_contained_in::<Blackout>("max=2", liar, tables, |_, _, _| None));
    add(is_contained_in::<Holdem>("", liar, tables, |_, _, _| None));
    add(is_contained_in::<Blackjack>("decks=1", liar, tables, |_, _, _| None));
    add(is_contained_in::<Ongdu>("", liar, tables, |_, _, _| None));
    add(is_contained_in::<BigC>("", liar, tables, |_, _, _| None));
    add(is_contained_in::<Romme>("", liar, tables, |_, _, _| None));
    println!("{liar:?}: lied and caught {sum:?}");
    assert!(sum.0 > 0, "{liar:?} never lies");
    assert_eq!(sum.1 > 0, !liar.is_void(), "{liar:?} is never caught");
}

#[test]
fn honest_tables_agree_in_any_weather() {
    fn agree<G: Game>(settings: &'static str) {
        for number in 0..times(3, 100) {
            let (table, weather) = (ALL[number as usize % 3], Weather::FOUL);
            Run::<G> { settings, liar: None, table, weather, number, play: |_, _, _| None }.run();
        }
    }
    agree::<Blackout>("max=2");
    agree::<Holdem>("");
    agree::<Blackjack>("decks=1");
    agree::<Ongdu>("");
    agree::<BigC>("");
    agree::<Romme>("");
}

#[test]
fn a_withholder_is_contained() {
    is_contained(Liar::Withholder, &ALL);
}

#[test]
fn somebody_who_folds_and_then_withholds_shares_is_contained() {
    let fold: Play<Holdem> = |replica, seat, cheats| {
        let moves = replica.table().rules().moves(replica.known(), seat);
        let stay = if moves.can_check { holdem::Action::Check } else { holdem::Action::Call };
        Some(Move::Act(if cheats { holdem::Action::Fold } else { stay }))
    };
    let (lied, caught) = is_contained_in::<Holdem>("", Liar::Quitter, &[EVERY_PLAYER, EVERY_PLAYER], fold);
    assert_eq!((lied, caught), (times(2, 60), times(2, 60)));
    is_contained_in::<Holdem>("", Liar::Quitter, &[ALL_BUT_ONE], fold);
    is_contained(Liar::Quitter, &[EVERY_PLAYER, ALL_BUT_ONE]);
}

#[test]
fn a_second_message_in_a_place_has_no_effect_and_nobody_is_blamed() {
    is_contained(Liar::Equivocator, &ALL);
}

#[test]
fn a_key_that_comes_too_late_does_not_count() {
    is_contained(Liar::Latecomer, &ALL);
}

#[test]
fn a_replayer_is_contained() {
    is_contained(Liar::Replayer, &ALL);
}

#[test]
fn a_bad_shuffle_is_contained() {
    is_contained(Liar::BadShuffle, &ALL);
}

#[test]
fn a_wrong_share_is_contained() {
    is_contained(Liar::WrongShare, &ALL);
}

#[test]
fn a_revoker_is_contained() {
    let revoke: Play<Blackout> =
        |replica, seat, cheats| Some(Move::Act(blackout::Action::Play(unsuited(replica, seat).filter(|_| cheats)?)));
    let tables = [EVERY_PLAYER, ALL_BUT_ONE, EVERY_PLAYER, ALL_BUT_ONE, EVERY_PLAYER, ALL_BUT_ONE];
    let (lied, caught) = is_contained_in::<Blackout>("max=6", Liar::Revoker, &tables, revoke);
    assert!(lied > 0 && caught == lied, "{lied} {caught}");
}

/// A card of the hand that does not follow suit though another would.
fn unsuited(replica: &Replica<<Blackout as Game>::Rules>, seat: Seat) -> Option<Slot> {
    let rules = replica.table().rules();
    let blackout::Moves::Play(legal) = rules.moves(replica.known(), seat) else { return None };
    let hand = rules.view(replica.known(), Eye::Seat(seat)).hand;
    hand.iter().find(|held| legal.iter().all(|one| one.slot != held.slot)).map(|held| held.slot)
}

#[test]
fn a_move_against_the_rules_is_contained() {
    is_contained(Liar::WrongActor, &ALL);
}

#[test]
fn a_choice_that_is_opened_falsely_is_contained() {
    let (lied, caught) = is_contained_in::<Blackjack>("decks=1", Liar::FalseRevealer, &ALL, |_, _, _| None);
    assert_eq!((lied, caught), (times(3, 60), times(3, 60)));
}

#[test]
fn a_choice_that_is_not_opened_is_contained() {
    let (lied, caught) = is_contained_in::<Blackjack>("decks=1", Liar::NonRevealer, &ALL, |_, _, _| None);
    assert_eq!((lied, caught), (times(3, 60), times(3, 60)));
}

#[test]
fn a_bad_dkg_share_is_contained() {
    is_contained(Liar::BadDkgShare, &[ALL_BUT_ONE, COMMITTEE]);
}

#[test]
fn a_false_complainer_is_contained() {
    is_contained(Liar::FalseComplainer, &[ALL_BUT_ONE, COMMITTEE]);
}

#[test]
fn a_copied_nonce_dealer_is_contained() {
    is_contained(Liar::CopiedNonceDealer, &[ALL_BUT_ONE, COMMITTEE]);
}
