//! The house with players who are elsewhere: they answer, are late, lie, or leave.

use dealers::house::{Asked, Audit, Flaw, Publish, Refusal, Seed};
use dealers::{Auditor as _, Dealer as _, Filling, House};
use games::blackout::Blackout;
use table::record::{By, Dealt, Evidence};
use table::{Faces, Game, Height, Look as _, Order, Rules, Seat, Seats, Table};

type Deal = <Blackout as Game>::Rules;

const SESSION: [u8; 32] = [9; 32];
const DECK: u32 = 0;

fn seat(index: u8) -> Seat {
    Seat::new(index).expect("a seat")
}

fn seats(all: &[u8]) -> Seats {
    all.iter().map(|index| seat(*index)).collect()
}

fn seed(number: u8) -> Seed {
    Seed { seed: [number; 32], nonce: [number ^ 0xff; 32] }
}

/// A table of three that waits for its first deck, and a house that has begun to collect seeds for it.
fn begun() -> (Table<Deal>, House) {
    let setup = Blackout::sample(&Default::default(), 3, 2).expect("a setup");
    let table = Table::new(Deal::deal(&setup).expect("a deal"), Height(0));
    let mut house = House::new([4; 32], Publish::AfterDeal);
    house.begin(SESSION);
    assert_eq!(house.fill(&table), Ok(Filling::Waiting(seats(&[0, 1, 2]))));
    (table, house)
}

fn commit(house: &mut House, index: u8) -> Result<(), Refusal> {
    house.commit(seat(index), DECK, seed(index).commitment(&SESSION, DECK, seat(index)))
}

fn reveal(house: &mut House, index: u8) -> Result<(), Refusal> {
    house.reveal(seat(index), DECK, &seed(index))
}

/// All commit and all reveal, in this order.
fn all_answer(house: &mut House, order: [u8; 3]) {
    order.iter().for_each(|index| commit(house, *index).expect("in time"));
    order.iter().for_each(|index| reveal(house, *index).expect("in time"));
}

/// Everything said so far satisfies an auditor, who then knows the deck.
fn audited(table: &Table<Deal>, house: &mut House) -> Audit {
    let mut audit = Audit::new();
    audit.begin(SESSION, 3);
    for line in house.evidence() {
        audit.evidence(Some(table), &line).expect("good evidence");
    }
    audit
}

/// What has been said, in short.
fn said(house: &mut House) -> Vec<(By, String)> {
    house.evidence().into_iter().map(|line: Evidence| (line.by, line.kind)).collect()
}

/// The rest of the session, after which nothing more is said; the findings in words.
fn finish(mut audit: Audit, table: &Table<Deal>, house: &mut House) -> Vec<String> {
    let open = table
        .orders()
        .filter_map(|order| match order {
            Order::Open { slots } => Some(slots),
            Order::Shuffle { .. } | Order::Deal { .. } => None,
        })
        .flat_map(|slots| slots.slots())
        .filter_map(|slot| Some((slot, house.opened().face(slot)?)))
        .collect::<Faces>();
    let dealt = Dealt { height: Height(0), open, private: Default::default() };
    audit.dealt(table, &dealt).expect("good evidence");
    house.retire(None);
    for line in house.evidence() {
        audit.evidence::<Deal>(None, &line).expect("good evidence");
    }
    audit.retire(None).expect("good evidence");
    audit.findings().into_iter().map(|finding| finding.what).collect()
}

#[test]
fn all_commit_then_all_reveal_in_any_order_then_the_deck_is_made() {
    let (table, mut house) = begun();
    assert_eq!(house.asks(), Some((DECK, Asked::Commitments, seats(&[0, 1, 2]))));
    for index in [2, 0, 1] {
        assert_eq!(house.fill(&table), Ok(Filling::Waiting(house.asks().expect("asked").2)));
        commit(&mut house, index).expect("in time");
    }
    assert_eq!(house.asks(), Some((DECK, Asked::Seeds, seats(&[0, 1, 2]))));
    for index in [1, 2, 0] {
        assert!(matches!(house.fill(&table), Ok(Filling::Waiting(_))));
        reveal(&mut house, index).expect("in time");
    }
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    assert_eq!(house.asks(), None);
    let by = |index| By::Seat(seat(index));
    let audit = audited(&table, &mut house);
    let words = finish(audit, &table, &mut house);
    assert!(words.iter().any(|words| words.contains("the seeds of the house and seats 1, 2 and 3")), "{words:?}");

    let (table, mut house) = begun();
    (0..3).for_each(|index| commit(&mut house, index).expect("in time"));
    (0..3).rev().for_each(|index| reveal(&mut house, index).expect("in time"));
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    let expected = [
        (By::House, "commit"),
        (by(0), "commit"),
        (by(1), "commit"),
        (by(2), "commit"),
        (by(2), "reveal"),
        (by(1), "reveal"),
        (by(0), "reveal"),
        (By::House, "root"),
        (By::House, "open"),
    ];
    assert_eq!(said(&mut house), expected.map(|(by, kind)| (by, kind.to_owned())));
}

#[test]
fn the_order_in_which_seats_answer_does_not_change_the_cards() {
    let dealt = |order: [u8; 3]| {
        let (table, mut house) = begun();
        all_answer(&mut house, order);
        assert_eq!(house.fill(&table), Ok(Filling::Done));
        [0, 1, 2].map(|index| house.own(seat(index)).clone())
    };
    assert_eq!(dealt([0, 1, 2]), dealt([2, 0, 1]));
}

#[test]
fn every_seed_decides() {
    let dealt = |changed: u8| {
        let (table, mut house) = begun();
        let seed = |index: u8| seed(if index == changed { 77 } else { index });
        for index in 0..3 {
            house.commit(seat(index), DECK, seed(index).commitment(&SESSION, DECK, seat(index))).expect("in time");
        }
        (0..3).for_each(|index| house.reveal(seat(index), DECK, &seed(index)).expect("in time"));
        assert_eq!(house.fill(&table), Ok(Filling::Done));
        [0, 1, 2].map(|index| house.own(seat(index)).clone())
    };
    let usual = dealt(9);
    for changed in 0..3 {
        assert_ne!(dealt(changed), usual, "the seed of seat {changed}");
    }
}

#[test]
fn nobody_reveals_before_all_have_committed() {
    let (_, mut house) = begun();
    commit(&mut house, 0).expect("in time");
    assert_eq!(reveal(&mut house, 0), Err(Refusal::TooEarly));
    assert_eq!(reveal(&mut house, 1), Err(Refusal::TooEarly));
    commit(&mut house, 1).expect("in time");
    commit(&mut house, 2).expect("in time");
    assert_eq!(reveal(&mut house, 0), Ok(()));
}

#[test]
fn what_comes_twice_from_strangers_or_for_another_deck_is_refused_and_changes_nothing() {
    let (table, mut house) = begun();
    let before = house.evidence().len();
    assert_eq!(before, 1);
    let strange = seed(0).commitment(&SESSION, DECK, seat(3));
    assert_eq!(house.commit(seat(3), DECK, strange), Err(Refusal::NotSeated));
    assert_eq!(house.commit(seat(0), DECK + 1, strange), Err(Refusal::NotThisDeck));
    assert_eq!(house.reveal(seat(0), DECK + 1, &seed(0)), Err(Refusal::NotThisDeck));
    commit(&mut house, 0).expect("in time");
    assert_eq!(house.commit(seat(0), DECK, strange), Err(Refusal::Already));
    commit(&mut house, 1).expect("in time");
    commit(&mut house, 2).expect("in time");
    reveal(&mut house, 0).expect("in time");
    assert_eq!(reveal(&mut house, 0), Err(Refusal::Already));
    assert_eq!(commit(&mut house, 1), Err(Refusal::Already));
    reveal(&mut house, 1).expect("in time");
    reveal(&mut house, 2).expect("in time");
    assert_eq!(house.evidence().len(), 6, "refusals are not on record");
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    assert_eq!(reveal(&mut house, 2), Err(Refusal::NotThisDeck));
}

#[test]
fn who_is_late_is_left_out_on_record() {
    let (table, mut house) = begun();
    commit(&mut house, 0).expect("in time");
    commit(&mut house, 2).expect("in time");
    house.time_up();
    assert_eq!(commit(&mut house, 1), Err(Refusal::TooLate));
    assert_eq!(house.asks(), Some((DECK, Asked::Seeds, seats(&[0, 2]))));
    reveal(&mut house, 2).expect("in time");
    house.time_up();
    assert_eq!(reveal(&mut house, 0), Err(Refusal::TooLate));
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    let audit = audited(&table, &mut house);
    let words = finish(audit, &table, &mut house).join("\n");
    assert!(words.contains("the seeds of the house and seat 3,"), "{words}");
    assert!(words.contains("without seat 2: the house says that no commitment came in time"), "{words}");
    assert!(words.contains("without seat 1: the house says that no seed came in time"), "{words}");
}

#[test]
fn a_seed_that_does_not_fit_leaves_its_seat_out() {
    let (table, mut house) = begun();
    (0..3).for_each(|index| commit(&mut house, index).expect("in time"));
    assert_eq!(house.reveal(seat(1), DECK, &seed(0)), Err(Refusal::Mismatch));
    assert_eq!(reveal(&mut house, 1), Err(Refusal::TooLate), "there is no second try");
    reveal(&mut house, 0).expect("in time");
    reveal(&mut house, 2).expect("in time");
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    let audit = audited(&table, &mut house);
    let words = finish(audit, &table, &mut house).join("\n");
    assert!(words.contains("without seat 2: the house says that the seed did not match"), "{words}");
}

#[test]
fn nobody_waits_for_those_who_left() {
    let (table, mut house) = begun();
    house.leave(seat(1));
    commit(&mut house, 0).expect("in time");
    commit(&mut house, 2).expect("in time");
    house.leave(seat(2));
    assert_eq!(house.asks(), Some((DECK, Asked::Seeds, seats(&[0]))));
    reveal(&mut house, 0).expect("in time");
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    audited(&table, &mut house);
    // All gone: the house goes on alone, and says so.
    let (table, mut house) = begun();
    (0..3).for_each(|index| house.leave(seat(index)));
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    let audit = audited(&table, &mut house);
    let words = finish(audit, &table, &mut house).join("\n");
    assert!(words.contains("the seed of the house alone"), "{words}");
}

#[test]
fn nobody_waits_for_the_house_s_own_computers_and_the_record_says_so() {
    let setup = Blackout::sample(&Default::default(), 3, 2).expect("a setup");
    let table = Table::new(Deal::deal(&setup).expect("a deal"), Height(0));
    let mut house = House::new([4; 32], Publish::AfterDeal);
    house.begin(SESSION);
    house.take_over(seat(1));
    assert_eq!(house.fill(&table), Ok(Filling::Waiting(seats(&[0, 2]))));
    assert_eq!(commit(&mut house, 1), Err(Refusal::TooLate));
    commit(&mut house, 0).expect("in time");
    commit(&mut house, 2).expect("in time");
    // A computer takes over from one who has committed.
    house.take_over(seat(2));
    assert_eq!(house.asks(), Some((DECK, Asked::Seeds, seats(&[0]))));
    assert_eq!(reveal(&mut house, 2), Err(Refusal::TooLate));
    reveal(&mut house, 0).expect("in time");
    // What has been revealed stays in, and leaving again changes nothing.
    house.take_over(seat(0));
    house.leave(seat(1));
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    let audit = audited(&table, &mut house);
    let words = finish(audit, &table, &mut house).join("\n");
    assert!(words.contains("the seeds of the house and seat 1,"), "{words}");
    assert!(words.contains("without seats 2 and 3: the house says that its own computer plays there"), "{words}");
    // The next session begins with people in all seats.
    house.begin([10; 32]);
    assert_eq!(house.fill(&table), Ok(Filling::Waiting(seats(&[0, 1, 2]))));
}

#[test]
fn a_table_of_computers_alone_is_dealt_by_the_seed_of_the_house() {
    let (table, mut house) = begun();
    (0..3).for_each(|index| house.take_over(seat(index)));
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    let audit = audited(&table, &mut house);
    let words = finish(audit, &table, &mut house).join("\n");
    assert!(words.contains("the seed of the house alone"), "{words}");
}

#[test]
fn who_left_before_a_computer_took_over_is_recorded_as_a_computer_in_later_decks() {
    let setup = Blackout::sample(&Default::default(), 3, 2).expect("a setup");
    let table = Table::new(Deal::deal(&setup).expect("a deal"), Height(0));
    let mut house = House::new([4; 32], Publish::AfterDeal);
    house.begin(SESSION);
    house.leave(seat(0));
    house.leave(seat(1));
    house.take_over(seat(1));
    assert_eq!(house.fill(&table), Ok(Filling::Waiting(seats(&[2]))));
    let left_out: Vec<String> = house.evidence().into_iter().map(|line| line.body).skip(1).collect();
    // The number of the line, the deck, the seat and the reason.
    let starts = left_out.iter().map(|body| &body[8..20]).collect::<Vec<_>>();
    assert_eq!(starts, ["000000000103", "000000000006"]);
}

#[test]
fn an_opening_is_written_with_its_hashes_in_hexadecimal() {
    let (table, mut house) = begun();
    all_answer(&mut house, [0, 1, 2]);
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    let (slot, card) = house.own(seat(1)).iter().next().expect("a card");
    let opening = house.opening(slot).expect("a deck");
    let written = serde_json::to_value(&opening).expect("json");
    let hex = |bytes: &[u8]| table::record::hex(bytes);
    let path: Vec<String> = opening.path.hashes().iter().map(|hash| hex(hash)).collect();
    assert_eq!(path.len(), 6, "52 cards have six levels");
    let expected = serde_json::json!({
        "slot": slot.to_string(), "card": card.to_string(), "salt": hex(&opening.salt), "path": path,
    });
    assert_eq!(written, expected);
}

#[test]
fn a_player_can_check_the_cards_they_were_dealt_and_nothing_else_passes() {
    let (table, mut house) = begun();
    all_answer(&mut house, [0, 1, 2]);
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    let audit = audited(&table, &mut house);
    let mine: Vec<_> = house.own(seat(1)).iter().collect();
    assert!(mine.len() > 1);
    let mut before = None;
    for (slot, card) in mine {
        let opening = house.opening(slot).expect("a deck");
        assert_eq!(audit.check(&opening), Ok(card));
        let mut other = opening.clone();
        other.card = before.unwrap_or(cards::Card::JOKER);
        assert_eq!(audit.check(&other), Err(Flaw::NotFixed(slot)));
        before = Some(card);
    }
    assert_eq!(house.opening(table::Slot::new(DECK, 52)), None);
    assert_eq!(house.opening(table::Slot::new(DECK + 1, 0)), None);
}

#[test]
fn debugging_a_house_prints_no_secret() {
    let (table, mut house) = begun();
    all_answer(&mut house, [0, 1, 2]);
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    let text = format!("{house:?} {:?} {:?}", house.opened(), seed(1));
    assert_eq!(
        text,
        "House { publish: AfterDeal, simulated: false, decks: Decks(1 decks), .. } Decks(1 decks) Seed(..)"
    );
}

/// All decks of a match in which seat 1 does not reveal, or does not even commit; how often everybody waited for it.
fn waited(decks: u32, commits: bool, wakes: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut house = House::new([4; 32], Publish::Never);
    house.begin(SESSION);
    let mut waits = Vec::new();
    for deck in 0..decks {
        let mut setup = Blackout::sample(&Default::default(), 3, 2).expect("a setup");
        setup.first_deck = deck;
        let table = Table::new(Deal::deal(&setup).expect("a deal"), Height(0));
        while let Ok(Filling::Waiting(awaited)) = house.fill(&table) {
            let (_, asked, _) = house.asks().expect("it waits for seeds");
            for seat in awaited.iter().filter(|seat| seat.index() != 1 || commits && asked == Asked::Commitments) {
                match asked {
                    Asked::Commitments => house.commit(seat, deck, seed(3).commitment(&SESSION, deck, seat)),
                    Asked::Seeds => house.reveal(seat, deck, &seed(3)),
                }
                .expect("in time");
            }
            if house.asks().is_some_and(|(_, now, awaited)| now == asked && !awaited.is_empty()) {
                waits.push(deck);
                house.time_up();
            }
        }
        if wakes(deck) && house.may_wake(seat(1)) {
            house.wake(seat(1)).expect("it may");
        }
        house.retire(Some(deck + 1));
    }
    waits
}

#[test]
fn a_seat_that_withholds_its_seed_is_waited_for_once_in_a_match() {
    for commits in [false, true] {
        assert_eq!(waited(100, commits, |_| false), [0], "commits: {commits}");
        // Once for each time that it says that it is there; and less and less often, if that is all that it does.
        assert_eq!(waited(100, commits, |deck| deck == 49), [0, 50], "commits: {commits}");
        assert_eq!(waited(12, commits, |_| true), [0, 1, 3, 6, 10], "commits: {commits}");
    }
}

#[test]
fn a_silent_seat_is_left_out_with_a_reason_of_its_own_until_it_wakes() {
    let (table, mut house) = begun();
    commit(&mut house, 0).expect("in time");
    commit(&mut house, 2).expect("in time");
    assert_eq!(house.wake(seat(1)), Err(Refusal::NotResting), "it is asked just now");
    house.time_up();
    assert!(house.is_silent(seat(1)) && house.may_wake(seat(1)));
    reveal(&mut house, 0).expect("in time");
    reveal(&mut house, 2).expect("in time");
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    house.retire(Some(1));
    house.evidence();

    let next = |deck: u32| {
        let mut setup = Blackout::sample(&Default::default(), 3, 2).expect("a setup");
        setup.first_deck = deck;
        Table::new(Deal::deal(&setup).expect("a deal"), Height(0))
    };
    assert_eq!(house.fill(&next(1)), Ok(Filling::Waiting(seats(&[0, 2]))));
    let said: Vec<String> = house.evidence().into_iter().map(|line| line.body[8..20].to_owned()).collect();
    assert_eq!(said[1], "010000000104", "deck, seat and reason");
    assert_eq!(house.wake(seat(1)), Ok(()));
    assert_eq!(house.wake(seat(1)), Err(Refusal::NotResting));
    assert_eq!(house.commit(seat(1), 1, seed(1).commitment(&SESSION, 1, seat(1))), Err(Refusal::TooLate));
    house.time_up();
    house.time_up();
    assert_eq!(house.fill(&next(1)), Ok(Filling::Done));
    house.retire(Some(2));
    // Seats 0 and 2 did not answer for deck 1, and seat 1 is back.
    assert_eq!(house.fill(&next(2)), Ok(Filling::Waiting(seats(&[1]))));
}

#[test]
fn a_seat_that_sends_no_seeds_says_so_and_can_change_its_mind() {
    let (table, mut house) = begun();
    house.decline(seat(0));
    assert_eq!(house.asks(), Some((DECK, Asked::Commitments, seats(&[1, 2]))));
    house.leave(seat(1));
    assert_eq!(house.wake(seat(1)), Err(Refusal::NotResting), "a player who has left is not asked");
    house.take_over(seat(2));
    assert_eq!(house.wake(seat(2)), Err(Refusal::NotResting), "a computer is not asked");
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    let audit = audited(&table, &mut house);
    let words = finish(audit, &table, &mut house).join("\n");
    assert!(words.contains("without seat 1: the house says that it was told that no seeds would come"), "{words}");
    assert!(words.contains("without seat 2: the house says that the player had left"), "{words}");
    assert!(!house.is_silent(seat(0)) && house.may_wake(seat(0)));
    assert_eq!(house.wake(seat(0)), Ok(()));
}
