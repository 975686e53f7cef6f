//! Attacks that worked when messages counted in any order, or that pay only with the wrong rules: with one log, every
//! replica sees the same, the right one is blamed, and nobody gains by it.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod replicas;
mod room;

use dealers::joint::{Body, Duty, Keepers, Message, Place, Said, Terms, Verdict, Void, Why};
use games::blackjack::{Bet, Blackjack};
use games::blackout::Blackout;
use games::holdem::{Action, Holdem};
use replicas::{by, table_of};
use room::{Room, Spoken};
use table::record::By;
use table::{Awaiting, Breakdown, Chips, Game, Move, Rules, Seat, Seats};

const SOME: Keepers = Keepers::Players { threshold: 3 };

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

fn is_share<G: Game>(said: &Spoken<G>) -> bool {
    matches!(said, Said::Dealing(message) if matches!(message.place, Place::Shares(_)))
}

/// The first to act folds, the others are all in.
fn two_all_in(folds: Seat) -> impl FnMut(&Room<Holdem>, Seat) -> Option<Move<Action, table::NoChoice>> {
    move |room, seat| {
        let rules = room.replicas[0].table().rules();
        let moves = rules.moves(room.replicas[0].known(), seat);
        let action = match (seat == folds || seat.index() > 2, moves.can_check) {
            (true, true) => Action::Check,
            (true, false) => Action::Fold,
            (false, _) => Action::AllIn,
        };
        Some(Move::Act(action))
    }
}

fn results(room: &Room<Holdem>) -> Vec<i64> {
    room.agreed().0.result.iter().map(|chips| chips.0).collect()
}

#[test]
fn one_who_has_folded_pays_for_withholding_shares() {
    let mut room = Room::<Holdem>::new(3, Keepers::EveryPlayer);
    // The deal of a sample has its button in seat 0, which acts first and has put in nothing.
    let mut folded = false;
    room.play(&mut two_all_in(seat(0)), &mut |from, said| {
        folded |= from == by(0) && matches!(said, Said::Act { .. });
        if folded && from == by(0) && is_share::<Holdem>(&said) { Vec::new() } else { vec![said] }
    });
    assert_eq!(room.missing(), [(by(0), Duty::Shares)]);
    assert!(room.late(by(0)));
    let (outcome, blamed) = room.agreed();
    assert_eq!(outcome.broken_off, Some(Breakdown::Vanished(Seats::one(seat(0)))), "silence proves nothing");
    assert_eq!((blamed, outcome.unpaid), (vec![by(0)], Seats::one(seat(0))));
    // Each of the others is owed the 1000 it could have won; seat 0 has 1000 for both.
    assert_eq!(results(&room), [-1000, 500, 500]);
}

#[test]
fn with_a_threshold_nobody_can_void_a_hand_alone() {
    // The hand as it ends when all are honest.
    let mut honest = Room::<Holdem>::new(4, SOME);
    honest.play(&mut two_all_in(seat(9)), &mut |_, said| vec![said]);
    let expected = results(&honest);
    assert!(expected.iter().any(|result| *result != 0));
    // The one who has folded cheats with its shares of the board, or gives none.
    for wrong in [true, false] {
        let mut room = Room::<Holdem>::new(4, SOME);
        let mut cheated = 0;
        room.play(&mut two_all_in(seat(9)), &mut |from, said| {
            let Said::Dealing(message) = &said else { return vec![said] };
            let Body::Shares(shares) = &message.body else { return vec![said] };
            if from != by(3) {
                return vec![said];
            }
            cheated += 1;
            let mut shares = shares.clone();
            shares.points.rotate_left(1);
            let lie = Message { body: Body::Shares(shares), ..(**message).clone() };
            if wrong { vec![Said::Dealing(Box::new(lie))] } else { Vec::new() }
        });
        assert!(cheated > 0);
        let (outcome, _) = room.agreed();
        assert_eq!(outcome.broken_off, None);
        assert_eq!(results(&room), expected);
    }
}

#[test]
fn a_key_that_some_heard_before_the_deadline_divides_nobody() {
    // The last player's own key is in the log, its member key comes only after it was called late.
    let mut room = Room::<Blackout>::new(4, SOME);
    let mut kept = Vec::new();
    room.play(&mut Room::random, &mut |from, said| match &said {
        Said::Dealing(message) if from == by(3) && message.place == Place::Key => {
            kept.push(said);
            Vec::new()
        }
        _ => vec![said],
    });
    assert_eq!(room.missing(), [(by(3), Duty::Key)]);
    assert!(room.late(by(3)));
    assert!(!room.late(by(3)), "nobody waits for it any more");
    assert_eq!(room.add(by(3), kept.remove(0)), Verdict::Void(Void::LeftOut));
    room.play(&mut Room::random, &mut |_, said| vec![said]);
    let (outcome, blamed) = room.agreed();
    assert_eq!((outcome.broken_off, blamed), (None, vec![by(3)]));
    assert_eq!(outcome.away, Seats::one(seat(3)), "it may come back for the next deal");
}

#[test]
fn a_part_in_the_key_generation_that_comes_late_divides_nobody() {
    let mut room = Room::<Blackout>::new(4, SOME);
    let mut kept = Vec::new();
    room.play(&mut Room::random, &mut |from, said| match &said {
        Said::Dealing(message) if from == by(1) && matches!(message.place, Place::Dealing(_)) => {
            kept.push(said);
            Vec::new()
        }
        _ => vec![said],
    });
    assert_eq!(room.missing(), [(by(1), Duty::Dealing)]);
    assert!(room.late(by(1)));
    assert_eq!(room.add(by(1), kept.remove(0)), Verdict::Void(Void::LeftOut));
    room.play(&mut Room::random, &mut |_, said| vec![said]);
    assert_eq!(room.agreed().1, [by(1)]);
}

#[test]
fn complaints_that_build_on_somebody_left_out_are_void_and_said_again() {
    let mut room = Room::<Blackout>::new(4, SOME);
    let mut kept = Vec::new();
    room.play(&mut Room::random, &mut |from, said| match &said {
        // Two are slow; one of them never comes back.
        Said::Dealing(message) if from != by(0) && from != by(1) && matches!(message.place, Place::Ready(_)) => {
            kept.push((from, said));
            Vec::new()
        }
        _ => vec![said],
    });
    assert_eq!(room.missing(), [(by(2), Duty::Ready), (by(3), Duty::Ready)]);
    assert!(room.late(by(3)));
    let (_, late) = kept.iter().find(|(from, _)| *from == by(2)).cloned().unwrap();
    assert_eq!(room.add(by(2), late.clone()), Verdict::Void(Void::OtherGround));
    let mut again = Vec::new();
    room.play(&mut Room::random, &mut |from, said| {
        if let Said::Dealing(message) = &said
            && from == by(2)
            && matches!(message.place, Place::Ready(_))
        {
            again.push(said.clone());
        }
        vec![said]
    });
    assert!(again.len() == 1 && again[0] != late, "it says it again on the new ground");
    let (outcome, blamed) = room.agreed();
    assert_eq!((outcome.broken_off, blamed), (None, vec![by(3)]));
}

#[test]
fn nothing_changes_a_deal_that_is_over() {
    for (players, keepers) in [(3, Keepers::EveryPlayer), (4, SOME)] {
        let mut room = Room::<Blackout>::new(players, keepers);
        let mut all = Vec::new();
        room.play(&mut Room::random, &mut |from, said| {
            all.push((from, said.clone()));
            vec![said]
        });
        let (outcome, hash) = (room.agreed().0, room.replicas[0].table().state_hash());
        for (from, said) in all {
            // Everything again, and something else in the same place.
            let other = match &said {
                Said::Dealing(message) => Said::Dealing(Box::new(Message { on: [7; 32], ..(**message).clone() })),
                Said::Act { height, action, .. } => Said::Act { height: *height, on: [7; 32], action: *action },
            };
            for said in [said, other] {
                let verdict = room.add(from, said);
                assert!(matches!(verdict, Verdict::Void(_)), "{keepers:?} {from}: {verdict:?}");
            }
        }
        assert_eq!(room.agreed(), (outcome, Vec::new()));
        assert!(room.replicas.iter().all(|replica| replica.table().state_hash() == hash));
    }
}

/// Everybody bets 100 closed; the last player opens something else, or nothing.
fn a_free_look(keepers: Keepers, falsely: bool) -> Room<Blackjack> {
    let mut room = Room::<Blackjack>::new(4, keepers);
    let mut bet = |room: &Room<Blackjack>, seat: Seat| match room.replicas[0].table().awaiting() {
        Awaiting::Choices(_) => Some(Move::Choose(Bet(Chips(100)))),
        _ => Room::random(room, seat),
    };
    let mut open = |from: By, said: Spoken<Blackjack>| {
        let Said::Dealing(message) = &said else { return vec![said] };
        let Body::Reveal { nonce, .. } = &message.body else { return vec![said] };
        if from != by(3) {
            return vec![said];
        }
        let lie = Body::Reveal { choice: b"10".to_vec(), nonce: *nonce };
        if falsely { vec![Said::Dealing(Box::new(Message { body: lie, ..(**message).clone() }))] } else { Vec::new() }
    };
    room.play(&mut bet, &mut open);
    if !falsely {
        assert_eq!(room.missing(), [(by(3), Duty::Reveal)]);
        assert!(room.late(by(3)));
        room.play(&mut bet, &mut open);
    }
    room
}

#[test]
fn a_closed_bet_is_no_free_look_at_the_bets_of_others() {
    let most = table_of::<Blackjack>(4).rules().setup().max_bet;
    for falsely in [true, false] {
        let room = a_free_look(Keepers::EveryPlayer, falsely);
        let (outcome, blamed) = room.agreed();
        assert_eq!(blamed, [by(3)]);
        assert_eq!(outcome.result[seat(3)], -most, "it costs the most it could have bet");
        assert_eq!(outcome.result[seat(0)], Chips::ZERO);
        let culprit = Seats::one(seat(3));
        let cheated = Breakdown::Cheated { proven: culprit, vanished: Seats::NONE };
        let expected = if falsely { cheated } else { Breakdown::Vanished(culprit) };
        assert_eq!(outcome.broken_off, Some(expected));
        // With a threshold the others play on, with the bets they have closed.
        let room = a_free_look(SOME, falsely);
        let (outcome, blamed) = room.agreed();
        assert_eq!((outcome.broken_off, blamed), (None, vec![by(3)]));
        assert_eq!(outcome.result[seat(3)], -most);
        assert!((0..3).any(|index| outcome.result[seat(index)] != Chips::ZERO), "{outcome:?}");
        assert_eq!(outcome.away, if falsely { Seats::NONE } else { culprit }, "a cheat does not come back");
        assert_eq!(room.replicas[0].proven(), if falsely { culprit } else { Seats::NONE });
    }
}

#[test]
fn a_choice_that_the_rules_forbid_is_no_better_than_one_opened_falsely() {
    let mut room = Room::<Blackjack>::new(4, SOME);
    let mut bet = |room: &Room<Blackjack>, seat: Seat| match room.replicas[0].table().awaiting() {
        Awaiting::Choices(_) => Some(Move::Choose(Bet(Chips(100)))),
        _ => Room::random(room, seat),
    };
    // A program that is not ours closes nonsense and opens it truly.
    let nonsense = br#"{"no":"bet"}"#.to_vec();
    let terms = room.terms;
    room.play(&mut bet, &mut |from, said| {
        let Said::Dealing(message) = &said else { return vec![said] };
        match (&message.body, message.place) {
            (Body::Commit(_), Place::Commit(round)) if from == by(2) => {
                let body = Body::Commit(closing(&terms, round, seat(2), &nonsense));
                vec![Said::Dealing(Box::new(Message { body, ..(**message).clone() }))]
            }
            _ => vec![said],
        }
    });
    // Our program knows nothing of what was closed in its name, and so says nothing.
    assert_eq!(room.missing(), [(by(2), Duty::Reveal)]);
    let other = room.said_in(|place| matches!(place, Place::Reveal(_))).remove(0);
    let reveal = Message { body: Body::Reveal { choice: nonsense, nonce: [9; 32] }, ..other };
    let verdict = room.add(by(2), Said::Dealing(Box::new(reveal)));
    assert!(matches!(verdict, Verdict::Fault(fault) if fault.why == Why::BadReveal));
    room.play(&mut bet, &mut |_, said| vec![said]);
    assert_eq!(room.agreed().1, [by(2)]);
}

fn closing(terms: &Terms, round: u64, seat: Seat, choice: &[u8]) -> [u8; 32] {
    dealing::Commitment::new(&format!("choice/{round}"), &terms.session, &[seat.index()], choice, &[9; 32]).0
}

#[test]
fn a_fault_keeps_the_message_that_shows_it() {
    let mut room = Room::<Blackout>::new(3, Keepers::EveryPlayer);
    let mut lie = None;
    room.play(&mut Room::random, &mut |from, said| {
        let Said::Dealing(message) = &said else { return vec![said] };
        match &message.body {
            Body::Shuffle(shuffled) if from == by(1) => {
                let mut cards: Vec<_> = shuffled.0.iter().copied().collect();
                cards.swap(0, 1);
                let body = Body::Shuffle(Box::new((dealing::Deck::new(cards).unwrap(), shuffled.1.clone())));
                let wrong = Message { body, ..(**message).clone() };
                lie = Some(wrong.clone());
                vec![Said::Dealing(Box::new(wrong))]
            }
            _ => vec![said],
        }
    });
    let lie = lie.unwrap();
    for replica in &room.replicas {
        let [fault] = replica.node().ledger().faults() else { panic!("one fault") };
        assert_eq!((fault.by, fault.exhibit.by), (by(1), by(1)));
        assert_eq!(fault.exhibit.place, Some(lie.place));
        assert_eq!(dealing::decode::<Message>(&fault.exhibit.bytes).unwrap(), lie);
    }
    let culprit = Breakdown::Cheated { proven: Seats::one(seat(1)), vanished: Seats::NONE };
    assert_eq!(room.agreed().0.broken_off, Some(culprit));
}

#[test]
fn nothing_is_kept_for_later_and_sizes_are_known_before_decoding() {
    for (players, keepers) in
        [(3, Keepers::EveryPlayer), (4, SOME), (2, Keepers::Committee { members: 4, threshold: 3 })]
    {
        let mut room = Room::<Blackjack>::new(players, keepers);
        let (mut seen, terms) = (Vec::new(), room.terms);
        room.play(&mut Room::random, &mut |_, said| {
            if let Said::Dealing(message) = &said {
                let bytes = dealing::encode(&**message);
                assert_eq!(Place::of(&bytes), Ok(message.place));
                let most = message.place.most_bytes(&terms, 312);
                assert!(bytes.len() <= most, "{:?}: {} of {most} bytes", message.place, bytes.len());
                let whole = matches!(message.place, Place::Key | Place::PlayerKey | Place::Dealing(_))
                    || matches!(message.place, Place::Shuffle(_) | Place::Beacon(_) | Place::Commit(_));
                assert_eq!(bytes.len() == most, whole, "{:?}", message.place);
                seen.push((**message).clone());
            }
            vec![said]
        });
        room.agreed();
        // Messages for heights and decks far ahead are void at once, in a new session as well.
        let mut fresh = Room::<Blackjack>::new(players, keepers);
        for (number, message) in (0..).zip(seen) {
            let place = match message.place {
                Place::Shares(_) => Place::Shares(1 + number),
                Place::Sealed(_) => Place::Sealed(1 + number),
                Place::Shuffle(_) => Place::Shuffle(3),
                _ => continue,
            };
            let author = terms.members()[0];
            let verdict = fresh.add(author, Said::Dealing(Box::new(Message { place, ..message })));
            assert_eq!(verdict, Verdict::Void(Void::NotAwaited));
        }
    }
}

#[test]
fn a_committee_that_fails_costs_no_player_anything() {
    let committee = Keepers::Committee { members: 4, threshold: 3 };
    let mut room = Room::<Holdem>::new(2, committee);
    // A player's key comes too late, so the seat is out of the deal.
    let no_key = |from: By, said: &Spoken<Holdem>| {
        from == by(1) && matches!(said, Said::Dealing(message) if message.place == Place::PlayerKey)
    };
    let mut room_three = Room::<Holdem>::new(3, committee);
    for room in [&mut room, &mut room_three] {
        let mut quiet = false;
        for round in 0..2 {
            room.play(&mut Room::random, &mut |from, said| {
                let member = matches!(from, By::Member(0 | 1));
                let shares = matches!(&said, Said::Dealing(message) if message.place.height().is_some());
                quiet |= member && shares;
                if no_key(from, &said) || (member && shares) { Vec::new() } else { vec![said] }
            });
            if round == 0 {
                assert_eq!(room.missing(), [(by(1), Duty::Key)]);
                assert!(room.late(by(1)));
            }
        }
        if room.replicas[0].table().awaiting() == Awaiting::Over {
            // With two players the other one has won already.
            continue;
        }
        assert!(quiet);
        assert!(room.late(By::Member(0)) && room.late(By::Member(1)));
        let (outcome, _) = room.agreed();
        assert_eq!(outcome.broken_off, Some(Breakdown::DealerFailed));
        assert!(outcome.result.iter().all(|result| *result == Chips::ZERO), "{outcome:?}");
    }
}

#[test]
fn what_comes_under_a_players_own_name_from_outside_is_checked_like_everything_else() {
    let mut room = Room::<Blackout>::new(3, Keepers::EveryPlayer);
    let key = |room: &mut Room<Blackout>, place: usize| match room.replicas[place].take_outbox().remove(0) {
        Said::Dealing(message) => *message,
        Said::Act { .. } => panic!("no key"),
    };
    let (mine, other) = (key(&mut room, 0), key(&mut room, 1));
    // Somebody made this in the name of the first player: to the player's own node it is as wrong as to others.
    let forged = Message { body: other.body, ..mine };
    let verdict = room.add(by(0), Said::Dealing(Box::new(forged)));
    assert!(matches!(verdict, Verdict::Fault(fault) if fault.by == by(0) && fault.why == Why::BadKey));
}

#[test]
fn an_action_without_the_cards_it_lays_down_is_void() {
    let mut room = Room::<Blackout>::new(3, Keepers::EveryPlayer);
    let mut hidden = None;
    room.play(&mut Room::random, &mut |from, said| match &said {
        Said::Dealing(message) if matches!(message.place, Place::Show(_)) && hidden.is_none_or(|seen| seen == from) => {
            hidden = Some(from);
            Vec::new()
        }
        _ => vec![said],
    });
    let culprit = hidden.unwrap();
    assert_eq!(room.missing(), [(culprit, Duty::Act)]);
    assert!(room.replicas[0].node().ledger().faults().is_empty());
}

#[test]
fn an_action_against_the_rules_is_a_fault_only_at_the_right_height_and_table() {
    let mut room = Room::<Holdem>::new(3, Keepers::EveryPlayer);
    room.play(&mut |_: &Room<Holdem>, _: Seat| None, &mut |_, said| vec![said]);
    let table = room.replicas[0].table();
    let (height, on, Awaiting::Turn(turn)) = (table.height().0, table.state_hash(), table.awaiting()) else {
        panic!("nobody's turn")
    };
    let action = Action::RaiseTo(Chips(1));
    let act = |height, on| Said::Act { height, on, action };
    let author = By::Seat(turn);
    assert_eq!(room.add(author, act(height + 1, on)), Verdict::Void(Void::NotAwaited));
    assert_eq!(room.add(author, act(height, [1; 32])), Verdict::Void(Void::OtherGround));
    let other = by((turn.index() + 1) % 3);
    assert_eq!(room.add(other, act(height, on)), Verdict::Void(Void::NotAwaited));
    let Verdict::Fault(fault) = room.add(author, act(height, on)) else { panic!("no fault") };
    assert!(matches!(fault.why, Why::Illegal(_)));
    assert_eq!((fault.by, fault.exhibit.place), (author, None));
    let culprit = Breakdown::Cheated { proven: Seats::one(turn), vanished: Seats::NONE };
    assert_eq!(room.agreed().0.broken_off, Some(culprit));
}

#[test]
fn shares_for_one_table_are_void_at_another_with_the_same_cards() {
    let terms = replicas::terms(3, Keepers::EveryPlayer);
    let mut one = Room::<Holdem>::of(terms, &table_of::<Holdem>(3));
    one.play(&mut |_: &Room<Holdem>, _: Seat| None, &mut |_, said| vec![said]);
    let shares = one.said_in(|place| matches!(place, Place::Shares(_)));
    // Other blinds, but the same keys and the same deck.
    let setup = Holdem::sample(&games::holdem::Settings { small_blind: 5, ..Default::default() }, 3, 0).unwrap();
    let other = table::Table::new(<Holdem as Game>::Rules::deal(&setup).unwrap(), table::Height(0));
    let mut two = Room::<Holdem>::of(terms, &other);
    two.play(&mut |_: &Room<Holdem>, _: Seat| None, &mut |_, said| {
        if is_share::<Holdem>(&said) { Vec::new() } else { vec![said] }
    });
    assert_eq!(two.missing().len(), 3);
    let shuffled = |room: &Room<Holdem>| room.said_in(|place| matches!(place, Place::Shuffle(_)));
    assert_eq!(shuffled(&one), shuffled(&two));
    for (index, message) in (0..).zip(shares) {
        assert_eq!(two.add(by(index), Said::Dealing(Box::new(message))), Verdict::Void(Void::OtherGround));
    }
}
