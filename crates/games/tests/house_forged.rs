//! A house that lies: every line is whole and in its place, and what it says is not so.
//!
//! Records are taken apart, changed, numbered and summed up anew, as a house could do that writes its own
//! record. An honest record is rewritten to itself first.

#![expect(clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

use dealers::house::{Audit, Publish, Seed};
use dealers::laws::evidence::{check, deals};
use dealers::{House, Pen};
use games::blackjack::Blackjack;
use games::blackout::Blackout;
use table::record::{By, Evidence, Header, Line, session, unhex};
use table::{Game, Rules, Seat};

type LineOf<G> = Line<
    <<G as Game>::Rules as Rules>::Setup,
    <<G as Game>::Rules as Rules>::Action,
    <<G as Game>::Rules as Rules>::Choice,
>;

/// One line of evidence, unsealed.
struct Said {
    session: [u8; 32],
    by: By,
    kind: String,
    payload: Vec<u8>,
}

/// Rewrites a record of single deals; `change` says what becomes of each line of evidence.
fn rewritten<G: Game>(text: &str, mut change: impl FnMut(usize, Said) -> Vec<Said>) -> String {
    let mut id = [0; 32];
    let mut pen = Pen::new(id);
    let mut out = String::new();
    for (i, line) in text.lines().enumerate() {
        match serde_json::from_str::<LineOf<G>>(line).expect("a good record") {
            Line::Fairdeal(Header { id: known, .. }) => {
                id = unhex(&known.expect("an id")).expect("digits").try_into().expect("32 bytes");
            }
            Line::Deal(deal) => pen = Pen::new(session(&id, deal.number)),
            Line::Evidence(Evidence { by, kind, body }) => {
                let body = unhex(&body).expect("digits");
                let payload = body[4..body.len() - 8].to_vec();
                for said in change(i, Said { session: *pen.session(), by, kind, payload }) {
                    pen.write(said.by, &said.kind, &said.payload);
                }
                for evidence in pen.take() {
                    let line = Line::<(), (), ()>::Evidence(evidence);
                    out.push_str(&serde_json::to_string(&line).expect("json"));
                    out.push('\n');
                }
                continue;
            }
            _ => {}
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

fn record<G: Game>(publish: Publish) -> String {
    deals::<G, _>(&mut House::simulated([6; 32], publish), 3, 1)
}

fn seat(index: u8) -> By {
    By::Seat(Seat::new(index).expect("a seat"))
}

/// Changes the first line of this author and kind; the check says this, at the line with this author and
/// kind (or at an input), under this name.
#[track_caller]
fn refused<G: Game>(
    publish: Publish,
    what: (By, &str),
    change: impl Fn(Said) -> Vec<Said>,
    noticed: (Option<(By, &str)>, By),
    why: &str,
) {
    let text = record::<G>(publish);
    let mut done = false;
    let forged = rewritten::<G>(&text, |_, said| {
        if !done && (said.by, said.kind.as_str()) == what {
            done = true;
            return change(said);
        }
        vec![said]
    });
    assert!(done, "there is such a line");
    let (line, found, by) = check::<G, _>(&forged, Audit::new()).expect_err("it is forged");
    assert_eq!(found, why, "at line {line}");
    assert_eq!(by, Some(noticed.1));
    let at = forged.lines().nth(line - 1).map(serde_json::from_str::<LineOf<G>>);
    match (at, noticed.0) {
        (Some(Ok(Line::Evidence(evidence))), Some(expected)) => {
            assert_eq!((evidence.by, evidence.kind.as_str()), expected, "line {line}");
        }
        (Some(Ok(Line::Evidence(evidence))), None) => panic!("noticed at {evidence:?}"),
        (_, expected) => assert_eq!(expected, None, "line {line}"),
    }
}

/// One byte changed, counted from the beginning.
fn flip(at: usize) -> impl Fn(Said) -> Vec<Said> {
    move |mut said| {
        said.payload[at] ^= 1;
        vec![said]
    }
}

fn dropped(_: Said) -> Vec<Said> {
    Vec::new()
}

const SHOWN: Publish = Publish::AfterDeal;
const HIDDEN: Publish = Publish::Never;
const HOUSE: By = By::House;

#[test]
fn an_honest_record_is_rewritten_to_itself() {
    for publish in [SHOWN, HIDDEN, Publish::AfterMatch] {
        let text = record::<Blackjack>(publish);
        assert_eq!(rewritten::<Blackjack>(&text, |_, said| vec![said]), text);
        check::<Blackjack, _>(&text, Audit::new()).expect("an honest record");
    }
}

#[test]
fn a_card_cannot_change() {
    let text = record::<Blackout>(HIDDEN);
    let open = text.lines().find(|line| line.contains("\"kind\":\"open\"")).expect("an opened card");
    // Number, count of openings, deck, place: the card.
    assert!(open.contains("\"body\":\""), "{open}");
    for at in [8, 9, 45] {
        let text = record::<Blackout>(HIDDEN);
        let forged = rewritten::<Blackout>(&text, |_, mut said| {
            if said.kind == "open" {
                said.payload[at] ^= 1;
            }
            vec![said]
        });
        let (_, why, by) = check::<Blackout, _>(&forged, Audit::new()).expect_err("it is forged");
        assert!(why.ends_with("is not the one that was fixed there"), "{why}");
        assert_eq!(by, Some(HOUSE));
    }
}

#[test]
fn another_root_opens_nothing() {
    let text = record::<Blackout>(HIDDEN);
    let forged = rewritten::<Blackout>(&text, |_, mut said| {
        if said.kind == "root" {
            said.payload[10] ^= 1;
        }
        vec![said]
    });
    let (_, why, _) = check::<Blackout, _>(&forged, Audit::new()).expect_err("it is forged");
    assert!(why.ends_with("is not the one that was fixed there"), "{why}");
    refused::<Blackout>(
        HIDDEN,
        (HOUSE, "root"),
        flip(4),
        (Some((HOUSE, "root")), HOUSE),
        "the deck has 52 cards, not 53",
    );
    refused::<Blackout>(
        HIDDEN,
        (HOUSE, "root"),
        flip(0),
        (Some((HOUSE, "root")), HOUSE),
        "deck 1 is not being made here",
    );
}

#[test]
fn a_seat_is_held_to_its_commitment() {
    let mismatch = "the seed does not fit the commitment";
    for at in [4, 35, 36, 67] {
        let noticed = (Some((seat(1), "reveal")), seat(1));
        refused::<Blackout>(HIDDEN, (seat(1), "reveal"), flip(at), noticed, mismatch);
    }
    refused::<Blackout>(HIDDEN, (seat(1), "commit"), flip(4), (Some((seat(1), "reveal")), seat(1)), mismatch);
    refused::<Blackout>(
        HIDDEN,
        (seat(1), "commit"),
        flip(0),
        (Some((seat(1), "commit")), seat(1)),
        "deck 1 is not being made here",
    );
}

#[test]
fn nobody_is_forgotten_left_out_for_nothing_or_made_up() {
    refused::<Blackout>(
        HIDDEN,
        (seat(2), "commit"),
        dropped,
        (Some((seat(0), "reveal")), seat(0)),
        "seat 3 has not committed yet, and was not left out",
    );
    refused::<Blackout>(
        HIDDEN,
        (seat(2), "reveal"),
        dropped,
        (Some((HOUSE, "root")), HOUSE),
        "seat 3 has not revealed yet, and was not left out",
    );
    let left_out = |seat: u8, why: u8| {
        move |said: Said| {
            let payload = vec![0, 0, 0, 0, seat, why];
            let out = Said { by: HOUSE, kind: "left_out".to_owned(), payload, ..said };
            vec![
                Said { session: out.session, by: said.by, kind: said.kind.clone(), payload: said.payload.clone() },
                out,
            ]
        }
    };
    let noticed = (Some((HOUSE, "left_out")), HOUSE);
    let why = "seat 2 is left out for a reason that is not so";
    refused::<Blackout>(HIDDEN, (seat(0), "commit"), left_out(1, 1), noticed, why);
    refused::<Blackout>(HIDDEN, (seat(1), "commit"), left_out(1, 0), noticed, why);
    let why = "seat 2 has done so, or was left out, before";
    refused::<Blackout>(HIDDEN, (seat(1), "reveal"), left_out(1, 1), noticed, why);
    refused::<Blackout>(HIDDEN, (seat(1), "reveal"), left_out(1, 3), noticed, why);
    let why = "there is no seat 4 at this table";
    refused::<Blackout>(HIDDEN, (seat(1), "reveal"), left_out(3, 1), noticed, why);
    refused::<Blackout>(HIDDEN, (seat(1), "reveal"), left_out(12, 1), noticed, "the mark 12 means nothing there");
    refused::<Blackout>(HIDDEN, (seat(1), "reveal"), left_out(1, 4), noticed, "the mark 4 means nothing there");
}

#[test]
fn what_becomes_public_is_opened_and_nothing_else() {
    let text = record::<Blackout>(HIDDEN);
    let mut slot = None;
    let forged = rewritten::<Blackout>(&text, |_, said| {
        if said.kind == "open" && slot.is_none() {
            slot = Some(u16::from_le_bytes([said.payload[6], said.payload[7]]));
            return Vec::new();
        }
        vec![said]
    });
    let (line, why, by) = check::<Blackout, _>(&forged, Audit::new()).expect_err("it is forged");
    assert_eq!(why, format!("the opening of slot 0:{} is missing", slot.expect("an opening")));
    assert_eq!(by, Some(HOUSE));
    assert!(forged.lines().nth(line - 1).is_some_and(|line| line.starts_with("{\"dealt\"")));
    // Twice, and for a card that stays closed: with its true proof, as only the house can.
    let twice = |said: Said| {
        let again = Said { kind: said.kind.clone(), payload: said.payload.clone(), ..said };
        vec![Said { session: said.session, by: said.by, kind: said.kind, payload: said.payload }, again]
    };
    let why = format!("slot 0:{} has been opened before", slot.expect("an opening"));
    refused::<Blackout>(HIDDEN, (HOUSE, "open"), twice, (Some((HOUSE, "open")), HOUSE), &why);
}

#[test]
fn a_published_seed_is_the_one_committed_to_and_gives_the_order() {
    let mismatch = "the seed does not fit the commitment";
    let noticed = (Some((HOUSE, "seed")), HOUSE);
    for at in [4, 35, 36, 67] {
        refused::<Blackjack>(SHOWN, (HOUSE, "seed"), flip(at), noticed, mismatch);
    }
    for at in [5, 36] {
        refused::<Blackjack>(SHOWN, (HOUSE, "commit"), flip(at), noticed, mismatch);
    }
    refused::<Blackjack>(SHOWN, (HOUSE, "seed"), flip(0), noticed, "deck 1 is not being made here");
    refused::<Blackjack>(
        SHOWN,
        (HOUSE, "seed"),
        dropped,
        (None, HOUSE),
        "the seed of deck 0 should have been published by now",
    );
    refused::<Blackjack>(
        SHOWN,
        (HOUSE, "end"),
        dropped,
        (None, HOUSE),
        "the house has not closed the record: something is missing at its end",
    );
    // The cards were dealt in another order than the seeds give: as if seat 1 had sent another seed.
    let text = record::<Blackjack>(SHOWN);
    let other = Seed { seed: [1; 32], nonce: [2; 32] };
    let forged = rewritten::<Blackjack>(&text, |_, mut said| {
        match (said.by, said.kind.as_str()) {
            (by, "commit") if by == seat(1) => {
                let commitment = other.commitment(&said.session, 0, Seat::new(1).expect("a seat"));
                said.payload[4..].copy_from_slice(&commitment.0);
            }
            (by, "reveal") if by == seat(1) => {
                said.payload[4..36].copy_from_slice(&other.seed);
                said.payload[36..].copy_from_slice(&other.nonce);
            }
            _ => {}
        }
        vec![said]
    });
    let (line, why, by) = check::<Blackjack, _>(&forged, Audit::new()).expect_err("it is forged");
    assert_eq!(why, "the order that follows from the seeds is not the one that was fixed");
    assert!(forged.lines().nth(line - 1).is_some_and(|line| line.contains("\"kind\":\"seed\"")));
    assert_eq!(by, Some(HOUSE));
}

#[test]
fn a_seed_is_not_published_where_the_house_committed_not_to() {
    let text = record::<Blackjack>(SHOWN);
    let forged = rewritten::<Blackjack>(&text, |_, mut said| {
        if (said.by, said.kind.as_str()) == (HOUSE, "commit") {
            said.payload[4] = 0;
        }
        vec![said]
    });
    let (_, why, _) = check::<Blackjack, _>(&forged, Audit::new()).expect_err("it is forged");
    assert_eq!(why, "no such evidence belongs here");
}

#[test]
fn a_private_card_written_down_otherwise_is_noticed_once_the_order_is_known() {
    let text = record::<Blackjack>(SHOWN);
    let dealt = text.lines().find(|line| line.contains("\"private\"")).expect("private cards");
    let at = dealt.find("\"private\"").expect("there");
    let card = at + dealt[at..].find("\":\"").expect("a card") + 3;
    let other = if &dealt[card..card + 1] == "A" { "K" } else { "A" };
    let changed = format!("{}{other}{}", &dealt[..card], &dealt[card + 1..]);
    let (line, why, by) = check::<Blackjack, _>(&text.replace(dealt, &changed), Audit::new()).expect_err("changed");
    assert!(why.ends_with("is written down with another face as dealt"), "line {line}: {why}");
    assert_eq!(by, Some(HOUSE));
}

#[test]
fn strange_kinds_and_misplaced_lines_are_refused() {
    let strange = |mut said: Said| {
        said.kind = "rot".to_owned();
        vec![said]
    };
    let why = "there is no evidence of this kind by this author";
    refused::<Blackout>(HIDDEN, (HOUSE, "root"), strange, (Some((HOUSE, "rot")), HOUSE), why);
    let by_seat = |mut said: Said| {
        said.by = seat(1);
        vec![said]
    };
    refused::<Blackout>(HIDDEN, (HOUSE, "root"), by_seat, (Some((seat(1), "root")), seat(1)), why);
    let longer = |mut said: Said| {
        said.payload.push(0);
        vec![said]
    };
    let why = "something follows its end";
    refused::<Blackout>(HIDDEN, (HOUSE, "root"), longer, (Some((HOUSE, "root")), HOUSE), why);
    let ends = |said: Said| vec![Said { kind: "end".to_owned(), payload: Vec::new(), ..said }];
    let why = "no such evidence belongs here";
    refused::<Blackout>(HIDDEN, (HOUSE, "root"), ends, (Some((HOUSE, "end")), HOUSE), why);
}
