//! A house that wants to act last, and players who keep what they were shown.
//!
//! The house is one that lies: it collects seeds as it likes and writes its own record, with every line whole and in
//! its place. Either a [`Witness`] does not answer it, or the record does not stand up to what was kept.

use cards::Card;
use dealers::house::{
    Answer, Asked, Audit, Commitments, Flaw, Kept, LeftOut, Pledge, Publish, Seed, Suspicion, Unlike, Witness,
};
use dealers::{Auditor as _, Dealer as _, Filling, House};
use games::blackout::Blackout;
use table::record::Evidence;
use table::{Faces, Game, Height, Look as _, Order, Rules, Seat, Table};

type Deal = <Blackout as Game>::Rules;

const TABLE: &str = "00000000000000ab";
const SESSION: [u8; 32] = [9; 32];
const DECK: u32 = 0;
const PLAYERS: u8 = 3;

fn seat(index: u8) -> Seat {
    Seat::new(index).expect("a seat")
}

fn seed(number: u8) -> Seed {
    Seed { seed: [number; 32], nonce: [number ^ 0xff; 32] }
}

fn table() -> Table<Deal> {
    let setup = Blackout::sample(&Default::default(), PLAYERS, 2).expect("a setup");
    Table::new(Deal::deal(&setup).expect("a deal"), Height(0))
}

/// What a house with this secret has said when the deck is dealt, all seats having answered but for those who are late.
fn dealt(secret: u8, late: &[u8]) -> (Vec<Evidence>, House, Option<Commitments>) {
    let (table, mut house) = (table(), House::new([secret; 32], Publish::AfterDeal));
    house.begin(SESSION);
    assert!(matches!(house.fill(&table), Ok(Filling::Waiting(_))));
    for index in (0..PLAYERS).filter(|index| !late.contains(index)) {
        let commitment = seed(index).commitment(&SESSION, DECK, seat(index));
        house.commit(seat(index), DECK, commitment).expect("in time");
    }
    if !late.is_empty() {
        house.time_up();
    }
    let shown = house.commitments();
    for index in (0..PLAYERS).filter(|index| !late.contains(index)) {
        house.reveal(seat(index), DECK, &seed(index)).expect("in time");
    }
    assert_eq!(house.fill(&table), Ok(Filling::Done));
    (house.evidence(), house, shown)
}

/// Seat 1, honestly asked by the house with secret 4.
fn honest() -> (Witness, Commitments) {
    let (_, _, shown) = dealt(4, &[]);
    let shown = shown.expect("all have committed");
    let mut witness = Witness::new(TABLE, seat(1));
    witness.commits(&SESSION, DECK, seed(1).commitment(&SESSION, DECK, seat(1))).expect("nothing is wrong");
    witness.taken(DECK, Asked::Commitments);
    witness.sees(&SESSION, DECK, &shown).expect("nothing is wrong");
    witness.taken(DECK, Asked::Seeds);
    (witness, shown)
}

fn lines(witness: &Witness) -> Vec<Kept> {
    let text: Vec<String> = witness.kept().map(|kept| serde_json::to_string(kept).expect("json")).collect();
    Kept::read(&text.join("\n")).expect("what was written")
}

/// Checks the lines of a session in which one deck was dealt, and the end of it.
fn audit(said: Vec<Evidence>, mut house: House, kept: Vec<Kept>) -> Result<Vec<String>, Flaw> {
    let table = table();
    let mut audit = Audit::with_kept(kept);
    audit.begin(SESSION, PLAYERS);
    for line in said {
        audit.evidence(Some(&table), &line).map_err(|invalid| invalid.flaw)?;
    }
    let opens = table.orders().filter_map(|order| match order {
        Order::Open { slots } => Some(slots),
        Order::Shuffle { .. } | Order::Deal { .. } => None,
    });
    let face = |slot| Some((slot, house.opened().face(slot)?));
    let open: Faces = opens.flat_map(|slots| slots.slots()).filter_map(face).collect();
    let dealt = table::record::Dealt { height: Height(0), open, private: Default::default() };
    audit.dealt(&table, &dealt).map_err(|invalid| invalid.flaw)?;
    house.retire(None);
    for line in house.evidence() {
        audit.evidence::<Deal>(None, &line).map_err(|invalid| invalid.flaw)?;
    }
    audit.retire(None).map_err(|invalid| invalid.flaw)?;
    Ok(audit.findings().into_iter().map(|finding| format!("{}: {}", finding.proven, finding.what)).collect())
}

/// The cards of seat 0 if the house with this secret deals.
fn cards_of_first(secret: u8) -> Vec<Card> {
    let (_, house, _) = dealt(secret, &[]);
    house.own(seat(0)).iter().map(|(_, card)| card).collect()
}

#[test]
fn an_honest_record_is_the_one_that_was_kept() {
    let (witness, shown) = honest();
    let (said, house, _) = dealt(4, &[]);
    let found = audit(said, house, lines(&witness)).expect("it is honest");
    let proven = "true: all commitments are those that were kept before any seed was revealed to the house";
    assert!(found.iter().any(|found| found == proven), "{found:?}");
    // Four words for it, from the record and from what was kept.
    let (said, table) = (dealt(4, &[]).0, table());
    let mut audit = Audit::new();
    audit.begin(SESSION, PLAYERS);
    said.iter().for_each(|line| audit.evidence(Some(&table), line).expect("it is honest"));
    let codes: Vec<_> = audit.codes().into_iter().map(|code| (code.deck, code.words)).collect();
    assert_eq!(codes, [(DECK, shown.words(&SESSION, DECK))]);
}

#[test]
fn a_house_that_tries_its_seeds_after_the_others_is_found_out() {
    let (witness, _) = honest();
    // It knows all other seeds, and now tries its own until its friend in seat 0 has an ace.
    let ace = |card: &Card| card.to_string().starts_with('A');
    let chosen = (0..230).filter(|secret| *secret != 4).find(|secret| cards_of_first(*secret).iter().any(ace));
    let chosen = chosen.expect("230 tries are enough");
    let (said, house, _) = dealt(chosen, &[]);
    // Without what was kept the record is as good as any.
    let mut all = Audit::new();
    all.begin(SESSION, PLAYERS);
    said.iter().for_each(|line| all.evidence(Some(&table()), line).expect("all of it verifies"));
    assert_eq!(audit(said, house, lines(&witness)), Err(Flaw::Kept(Unlike::Differs(DECK))));
}

#[test]
fn nobody_answers_a_house_that_asks_a_second_time() {
    let (mut witness, shown) = honest();
    let (_, _, other) = dealt(5, &[]);
    let other = other.expect("all have committed");
    // The same again is a page that was loaded again.
    assert!(witness.sees(&SESSION, DECK, &shown).is_ok());
    assert_eq!(witness.sees(&SESSION, DECK, &other), Err(Suspicion::OtherCommitments(DECK)));
    // And from then on it answers nothing at all.
    assert_eq!(witness.sees(&SESSION, DECK, &shown), Err(Suspicion::OtherCommitments(DECK)));
    let next = seed(1).commitment(&SESSION, 1, seat(1));
    assert_eq!(witness.commits(&SESSION, 1, next), Err(Suspicion::OtherCommitments(DECK)));
}

#[test]
fn nobody_answers_a_house_that_begins_again_under_another_session() {
    let again = [10; 32];
    let commitment = seed(1).commitment(&again, DECK, seat(1));
    let (mut witness, shown) = honest();
    assert_eq!(witness.clone().sees(&again, DECK, &shown), Err(Suspicion::OtherSession));
    assert_eq!(witness.commits(&again, DECK, commitment), Err(Suspicion::OtherSession));
    // Also after the program was started again.
    let (fresh, _) = honest();
    let mut restored = Witness::restored(TABLE, seat(1), lines(&fresh)).expect("nothing is wrong");
    assert_eq!(restored.commits(&again, DECK, commitment), Err(Suspicion::OtherSession));
    // At another table there is another session.
    let mut elsewhere = Witness::restored("00000000000000cd", seat(1), lines(&fresh)).expect("nothing is wrong");
    assert!(elsewhere.commits(&again, DECK, commitment).is_ok());
}

#[test]
fn a_record_of_another_session_than_the_one_kept_is_refused() {
    let (witness, _) = honest();
    let mut two = lines(&witness);
    let (said, house, _) = dealt(4, &[]);
    two.extend(lines(&witness).into_iter().map(|kept| Kept { session: [10; 32], ..kept }));
    assert_eq!(audit(said, house, two.clone()), Err(Flaw::Kept(Unlike::OtherSession)));
    let (said, house, _) = dealt(4, &[]);
    let other = two.split_off(1);
    assert_eq!(audit(said, house, other), Err(Flaw::Kept(Unlike::Nothing)));
    // What was kept at other tables does not matter.
    let (said, house, _) = dealt(4, &[]);
    let elsewhere = Kept { table: "00000000000000cd".to_owned(), session: [10; 32], ..two[0].clone() };
    audit(said, house, vec![two[0].clone(), elsewhere]).expect("it is honest");
}

#[test]
fn a_changed_commitment_is_found_no_matter_whose_it_is() {
    let (witness, shown) = honest();
    let changes: [fn(&mut Commitments); 5] = [
        |all| all.house.0[0] ^= 1,
        |all| all.publish = Publish::AfterMatch,
        |all| all.seats[0] = Pledge::LeftOut(LeftOut::NoCommitment),
        |all| {
            if let Pledge::Commitment(commitment) = &mut all.seats[2] {
                commitment.0[31] ^= 1;
            }
        },
        |all| all.seats.truncate(2),
    ];
    for change in changes {
        let mut other = shown.clone();
        change(&mut other);
        assert_eq!(witness.clone().sees(&SESSION, DECK, &other), Err(Suspicion::OtherCommitments(DECK)));
        let kept = lines(&witness).into_iter().map(|kept| Kept { commitments: Some(other.clone()), ..kept }).collect();
        let (said, house, _) = dealt(4, &[]);
        assert_eq!(audit(said, house, kept), Err(Flaw::Kept(Unlike::Differs(DECK))));
    }
    // A player who was asked twice and kept both has a proof of it.
    let (said, house, other) = dealt(5, &[]);
    let mut both = lines(&witness);
    both.extend(lines(&witness).into_iter().map(|kept| Kept { commitments: other.clone(), ..kept }));
    assert_eq!(audit(said, house, both), Err(Flaw::Kept(Unlike::Twice(DECK))));
}

#[test]
fn a_seat_that_answered_and_is_left_out_finds_that() {
    let (witness, _) = honest();
    let mine = || lines(&witness).remove(0);
    let own = mine().own.expect("it answered");
    let out = |own: dealers::house::Own, commitments: bool| {
        let (said, house, shown) = dealt(4, &[1]);
        let kept = Kept { own: Some(own), commitments: shown.filter(|_| commitments), ..mine() };
        audit(said, house, vec![kept])
    };
    for commit in [Answer::Taken, Answer::Already, Answer::Ignored] {
        let own = dealers::house::Own { commit, reveal: None, ..own };
        assert_eq!(out(own, false), Err(Flaw::Kept(Unlike::LeftOut(seat(1)))), "{commit:?}");
        assert_eq!(out(own, true), Err(Flaw::Kept(Unlike::LeftOut(seat(1)))), "{commit:?}");
    }
    // It sent something and cannot say whether it arrived: then the house may be right.
    let lost = dealers::house::Own { commit: Answer::Sent, reveal: None, ..own };
    out(lost, false).expect("it may have been late");
}

#[test]
fn a_second_device_that_was_slower_raises_no_alarm_and_a_replaced_commitment_does() {
    let shown = honest().1;
    let mut slower = Witness::new(TABLE, seat(1));
    slower.commits(&SESSION, DECK, seed(77).commitment(&SESSION, DECK, seat(1))).expect("nothing is wrong");
    let mut replaced = slower.clone();
    assert_eq!(slower.sees(&SESSION, DECK, &shown), Err(Suspicion::NotMine(DECK)));
    // It has seen the commitments all the same, and will answer for the next deck.
    let (said, house, _) = dealt(4, &[]);
    let found = audit(said, house, lines(&slower)).expect("it is honest").join("\n");
    assert!(found.contains("false: whose seed was added for the seat"), "{found}");
    assert!(slower.commits(&SESSION, 1, seed(78).commitment(&SESSION, 1, seat(1))).is_ok());

    replaced.taken(DECK, Asked::Commitments);
    assert_eq!(replaced.sees(&SESSION, DECK, &shown), Err(Suspicion::Replaced(DECK)));
    let (said, house, _) = dealt(4, &[]);
    assert_eq!(audit(said, house, lines(&replaced)), Err(Flaw::Kept(Unlike::Replaced(seat(1)))));
}

#[test]
fn a_deck_that_was_kept_and_is_not_in_the_record_is_missed() {
    let (witness, _) = honest();
    let mut kept = lines(&witness);
    kept.push(Kept { deck: 3, ..kept[0].clone() });
    let (said, house, _) = dealt(4, &[]);
    assert_eq!(audit(said, house, kept), Err(Flaw::Kept(Unlike::Missing(3))));
}

#[test]
fn commitments_are_shown_when_all_are_in_and_not_before() {
    let (table, mut house) = (table(), House::new([4; 32], Publish::AfterDeal));
    house.begin(SESSION);
    assert!(matches!(house.fill(&table), Ok(Filling::Waiting(_))));
    assert_eq!(house.commitments(), None);
    for index in 0..2 {
        house.commit(seat(index), DECK, seed(index).commitment(&SESSION, DECK, seat(index))).expect("in time");
        assert_eq!(house.commitments(), None);
    }
    house.leave(seat(2));
    let shown = house.commitments().expect("all are in");
    let mine = |index: u8| Pledge::Commitment(seed(index).commitment(&SESSION, DECK, seat(index)));
    assert_eq!(shown.seats, [mine(0), mine(1), Pledge::LeftOut(LeftOut::Gone)]);
    assert_eq!(shown.publish, Publish::AfterDeal);
    // Whatever happens while seeds come in, everybody is shown the same.
    house.leave(seat(0));
    assert_eq!(house.commitments(), Some(shown.clone()));
    house.reveal(seat(1), DECK, &seed(1)).expect("in time");
    assert_eq!(house.commitments(), Some(shown));
    let Some((_, Asked::Seeds, awaited)) = house.asks() else { panic!("seeds were asked for") };
    assert!(awaited.is_empty());
}

#[test]
fn what_is_kept_is_read_line_by_line_and_nothing_else_is() {
    let text: String =
        lines(&honest().0).iter().map(|kept| serde_json::to_string(kept).expect("json") + "\n").collect();
    assert_eq!(Kept::read(&format!("\n{text}\n")).map(|kept| kept.len()), Ok(1));
    let strange = text.replace("\"deck\"", "\"deal\"");
    assert_eq!(Kept::read(&format!("{text}{strange}")).expect_err("it is strange").line, 2);
    assert!(!text.contains(&table::record::hex(&seed(1).seed)), "no seed is in it");
}
