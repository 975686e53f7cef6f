//! Laws for every dealer that leaves evidence: cards go to the right seats, its records pass the check, and no
//! change to them goes unnoticed.
//!
//! ```text
//! laws::evidence::hold::<Blackout, _, _>(|| House::simulated([1; 32], Publish::Never), Audit::new);
//! ```

use rand::rngs::ChaCha8Rng;
use table::record::{By, Header, Line, Writer, session};
use table::{
    Awaiting, Draw as _, Game, Known, Match, Move, Moves as _, Order, Rules, Seat, Seats, Series as _, Slot, Standing,
    Table,
};

use super::{Picker, Seed, table_of, times};
use crate::{Auditor, Checker, Dealer, Filling, Finding, Log, Recording, play_deal};

/// The most deals of a match to follow.
const MOST_DEALS: u32 = 12;

/// All laws, at tables with the fewest and the most players.
pub fn hold<G, D, A>(dealer: impl Fn() -> D, auditor: impl Fn() -> A)
where
    G: Game,
    D: Dealer,
    A: Auditor,
{
    for players in [*G::PLAYERS.start(), *G::PLAYERS.end()] {
        let seed = Seed { players, number: 0 };
        right_faces_to_right_seats::<G, D>(&mut dealer(), seed);
        let single = deals::<G, D>(&mut dealer(), players, 2);
        let whole = a_match::<G, D>(&mut dealer(), players);
        for (what, text) in [("single deals", single), ("a match", whole)] {
            let checked = check::<G, A>(&text, auditor());
            assert!(checked.is_ok(), "{} with {players}, {what}: {checked:?}\n{text}", G::NAME);
            changes_are_noticed::<G, A>(&text, &auditor, seed);
        }
    }
}

/// Single deals with default settings, played at random, as a record.
pub fn deals<G: Game, D: Dealer>(dealer: &mut D, players: u8, count: u32) -> String {
    let seed = Seed { players, number: 0 };
    let settings = G::Settings::default();
    let id = seed.bytes(7);
    let mut log = Recording(begin::<G>(seed, id, None));
    let mut picker = Picker(seed.rng(2));
    for number in 1..=count {
        let setup = G::sample(&settings, seed.players, number.into()).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
        let mut table = table_of::<G>(&setup, seed);
        dealer.begin(session(&id, number));
        log.0.deal::<G::Rules>(number, &setup);
        play_deal(&mut table, dealer, &mut picker, &mut log).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
        log.0.end(&table, None);
        dealer.retire(None);
        Log::<G::Rules>::evidence(&mut log, dealer.evidence());
    }
    log.0.take()
}

/// The first deals of a match with default settings, played at random, as a record.
pub fn a_match<G: Game, D: Dealer>(dealer: &mut D, players: u8) -> String {
    let seed = Seed { players, number: 0 };
    let settings = G::Settings::default();
    let id = seed.bytes(8);
    let mut running = Match::<G>::start(&settings, seed.players).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
    let mut log = Recording(begin::<G>(seed, id, serde_json::to_value(&settings).ok()));
    let mut picker = Picker(seed.rng(2));
    dealer.begin(id);
    let mut first_deck = 0;
    loop {
        let number = running.deals();
        let setup = running.series().next(first_deck).unwrap_or_else(|| panic!("{seed:?}: no deal {number}"));
        log.0.deal::<G::Rules>(number, &setup);
        play_deal(running.table_mut(), dealer, &mut picker, &mut log).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
        first_deck = running.table().rules().decks().end;
        let standing = standing_after(&running);
        let over = standing.over || number >= MOST_DEALS;
        log.0.end(running.table(), Some(standing));
        running.advance(0);
        dealer.retire((!over).then(|| running.table().rules().decks().start));
        Log::<G::Rules>::evidence(&mut log, dealer.evidence());
        if over {
            return log.0.take();
        }
    }
}

/// Checks a record. Returns the findings, or the first wrong line (from 1; one past the last line if the end is
/// missing), the reason, and the recorded author.
pub fn check<G: Game, A: Auditor>(text: &str, auditor: A) -> Result<Vec<Finding>, (usize, String, Option<By>)> {
    let mut checker = Checker::<G, A>::new(auditor);
    for (i, line) in text.lines().enumerate() {
        checker.line(line).map_err(|wrong| (i + 1, wrong.to_string(), wrong.by()))?;
    }
    checker.end().map_err(|wrong| (text.lines().count() + 1, wrong.to_string(), wrong.by()))?;
    Ok(checker.findings())
}

fn begin<G: Game>(seed: Seed, id: [u8; 32], settings: Option<serde_json::Value>) -> Writer {
    let mut writer = Writer::new();
    writer.header(Header {
        format: 0,
        game: G::NAME.to_owned(),
        players: seed.players,
        id: Some(table::record::hex(&id)),
        settings,
        names: Vec::new(),
        dealer: "law".to_owned(),
        extra: std::collections::BTreeMap::new(),
    });
    writer
}

/// How the match stands once the deal on the table is counted.
fn standing_after<G: Game>(running: &Match<G>) -> Standing {
    let mut series = running.series().clone();
    if let Some(outcome) = running.table().outcome() {
        series.finish(running.table().rules(), outcome);
    }
    series.standing()
}

/// A seat knows exactly the cards it was dealt, and a face never changes.
fn right_faces_to_right_seats<G: Game, D: Dealer>(dealer: &mut D, seed: Seed) {
    let setup = G::sample(&G::Settings::default(), seed.players, 1).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
    let mut table = table_of::<G>(&setup, seed);
    let mut picks = seed.rng(2);
    let mut dealt: Vec<(Seat, Slot)> = Vec::new();
    dealer.begin(seed.bytes(6));
    loop {
        let height = table.height();
        match table.awaiting() {
            Awaiting::Dealer => {
                for order in table.orders() {
                    if let Order::Deal { to, slots } = order {
                        dealt.extend(slots.slots().map(|slot| (to, slot)));
                    }
                }
                let filled = dealer.fill(&table);
                assert_eq!(filled, Ok(Filling::Done), "{seed:?}");
                let said = dealer.evidence();
                assert_eq!(dealer.fill(&table), Ok(Filling::Done), "{seed:?}: a second time");
                assert_eq!(dealer.evidence(), [], "{seed:?}: filling again says nothing new, after {said:?}");
                table.dealt(height, dealer.opened()).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
            }
            Awaiting::Turn(seat) => {
                let Move::Act(action) = decide(&table, dealer, seat, &mut picks, seed) else { return };
                dealer.show(&table, seat, &action).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
                table.act(height, seat, &action, dealer.opened()).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
            }
            Awaiting::Choices(seats) => {
                let choice = |seat| match decide(&table, dealer, seat, &mut picks, seed) {
                    Move::Choose(choice) => Some((seat, choice)),
                    Move::Act(_) => None,
                };
                let choices: Vec<_> = seats.iter().filter_map(choice).collect();
                dealer.lock(&table, &choices).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
                table.choose(height, &choices).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
            }
            Awaiting::Over => return,
        }
        for seat in Seats::first(seed.players).iter() {
            let mut expected: Vec<Slot> = dealt.iter().filter(|(to, _)| *to == seat).map(|(_, slot)| *slot).collect();
            expected.sort_unstable();
            let known: Vec<Slot> = dealer.own(seat).iter().map(|(slot, _)| slot).collect();
            assert_eq!(known, expected, "{seed:?}: {seat} knows what it was dealt and nothing else");
            for (slot, card) in dealer.own(seat).iter() {
                assert!(table.open().get(slot).is_none_or(|open| open == card), "{seed:?}: {slot} changed its face");
            }
        }
    }
}

fn decide<R: Rules>(
    table: &Table<R>,
    dealer: &impl Dealer,
    seat: Seat,
    picks: &mut ChaCha8Rng,
    seed: Seed,
) -> Move<R::Action, R::Choice> {
    let known = Known::with(table.open(), dealer.own(seat));
    table.rules().moves(known, seat).pick(picks).unwrap_or_else(|| panic!("{seed:?}: {seat} is offered nothing"))
}

/// Every change to a line of evidence is noticed at that line; missing, repeated or reordered lines are
/// noticed, too.
fn changes_are_noticed<G: Game, A: Auditor>(text: &str, auditor: &impl Fn() -> A, seed: Seed) {
    let lines: Vec<&str> = text.lines().collect();
    let evidence: Vec<(usize, By)> =
        lines.iter().enumerate().filter_map(|(i, line)| author::<G>(line).map(|by| (i, by))).collect();
    assert!(!evidence.is_empty(), "{seed:?}: there is no evidence in\n{text}");
    let mut rng = seed.rng(4);
    let whole = |lines: &[&str]| check::<G, A>(&lines.join("\n"), auditor());
    for _ in 0..times(20, 200) {
        let Some((at, by)) = rng.any(&evidence).copied() else { return };
        let good = lines.get(at).copied().unwrap_or_default();
        let place = usize::try_from(rng.below(u32::try_from(good.len()).unwrap_or(1))).unwrap_or(0);
        let mut bytes = good.as_bytes().to_vec();
        if let Some(byte) = bytes.get_mut(place) {
            *byte ^= 1 << rng.below(7);
        }
        let Ok(changed) = String::from_utf8(bytes) else { continue };
        let mut other = lines.clone();
        if let Some(line) = other.get_mut(at) {
            *line = &changed;
        }
        match whole(&other) {
            Ok(_) => panic!("{seed:?}: nobody noticed\n{changed}\ninstead of\n{good}"),
            Err((line, why, named)) => {
                assert_eq!(line, at + 1, "{seed:?}: {why}: noticed at another line than\n{changed}");
                // The recorded author is named, unless that itself was changed.
                if good.find("\"kind\"").is_some_and(|kind| place > kind) {
                    assert_eq!(named, Some(by), "{seed:?}: {why}: nobody is named for\n{changed}");
                }
            }
        }
    }
    for _ in 0..times(6, 60) {
        let Some((at, _)) = rng.any(&evidence).copied() else { return };
        let mut missing = lines.clone();
        missing.remove(at);
        assert!(whole(&missing).is_err(), "{seed:?}: line {} was left out", at + 1);
        let mut doubled = lines.clone();
        doubled.insert(at, lines.get(at).copied().unwrap_or_default());
        assert!(whole(&doubled).is_err(), "{seed:?}: line {} was repeated", at + 1);
        let mut exchanged = lines.clone();
        let other = rng.any(&evidence).map_or(at, |(other, _)| *other);
        exchanged.swap(at, other);
        assert_eq!(whole(&exchanged).is_ok(), at == other, "{seed:?}: lines {} and {}", at + 1, other + 1);
        let mut early = lines.clone();
        early.swap(at, at - 1);
        assert!(whole(&early).is_err(), "{seed:?}: line {} came too early", at + 1);
    }
}

/// The recorded author of a line, if it is evidence.
fn author<G: Game>(line: &str) -> Option<By> {
    type LineOf<R> = Line<<R as Rules>::Setup, <R as Rules>::Action, <R as Rules>::Choice>;
    match serde_json::from_str::<LineOf<G::Rules>>(line) {
        Ok(Line::Evidence(evidence)) => Some(evidence.by),
        _ => None,
    }
}
