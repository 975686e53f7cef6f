//! What an attack on the design on paper had settled, and which test shows each answer.
//!
//! | question | test |
//! |---|---|
//! | Who votes? People | `waits::people_vote_and_not_their_computers`, `more_than_half_of_the_others_decide`; `absent::computers_count_as_the_person_who_runs_them`; `succession::a_person_counts_once_and_neither_computers_nor_strangers_count` |
//! | Early and late `overdue` | `waits::votes_count_only_once_the_hubs_clock_shows_the_limit`; `absent::a_vote_before_its_time_has_no_effect`; here `an_overdue_that_comes_after_the_answer_has_no_effect` |
//! | A voter who was not connected for the whole limit | `waits::a_program_that_was_away_calls_nobody_late` |
//! | A verdict only by people who run the hub | `waits::those_who_run_the_hub_cannot_call_others_late_alone`; `absent::a_host_who_runs_the_hub_cannot_call_the_guest_late_alone`; `succession::the_member_who_runs_the_new_hub_cannot_call_others_late_alone` |
//! | Slow person or dead program? | here `a_slow_persons_own_program_moves_for_them_before_anybody_calls_them_late` |
//! | What does the hub see? | `seal::lengths_say_little`, `nothing_shown_to_a_hub_tells_the_key`; `blind` in the tests of the server |
//! | An invented head | `tests::a_hub_refuses_what_has_no_place_in_the_log`; here `an_invented_head_in_the_log_is_the_fault_of_the_hub_alone` |
//! | Two messages in one place: two tabs | `tests::the_same_member_in_two_places_writes_one_log`; here `the_second_of_two_windows_does_no_harm` |
//! | Who replaces a hub? Two successors | `succession`, above all `two_successors_never_both_win` |
//! | A restored hub | `tests::a_restored_hub_adopts_what_it_had_signed`; `server::private::tests::a_restored_hub_waits_for_what_its_members_have_and_takes_it_back` |
//! | What if too few are left? | here `those_who_are_left_abandon_a_match_after_ten_minutes` |
//! | Which match? A replayed join | `absent::a_join_cannot_be_used_again_at_another_table`; here `a_match_is_named_by_everything_in_its_start` |
//! | Nobody loses a match they signed nothing under; another seed | `absent::another_seed_than_the_one_committed_to_is_a_fault_and_nobody_loses_a_match` |
//! | A lost seed | here `a_player_who_has_lost_their_secrets_says_nothing_wrong_and_plays_from_the_next_keys_on`, `where_everybody_is_needed_lost_secrets_break_off_one_deal_and_no_more`, `a_seed_that_is_lost_before_the_match_is_not_replaced_by_another` |
//! | Which height? | here `a_move_on_an_older_table_has_no_effect` |
//! | A chat line makes no move stale | `chat::a_line_is_not_an_entry_and_makes_nothing_stale` |
//! | A rematch has a new key | `after::the_first_invitation_after_the_match_is_a_rematch_for_everybody` |
//! | Late and back | `absent::a_player_who_comes_back_plays_from_the_next_keys_on` |
//! | Somebody refuses to sign | here `a_player_who_refuses_to_sign_changes_nothing`, `a_signature_under_something_else_is_a_fault_and_changes_nothing` |
//! | Contradicting partial results | `counting::two_partial_results_that_differ_count_for_nobody` in the tests of `results` |

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

mod common;
mod room;

use common::Place;
use games::blackout::Blackout;
use games::holdem::Holdem;
use games::ongdu::Ongdu;
use games::{AnyGame, bigc::BigC};
use peer::{
    Body, Effect, Entry, Envelope, Fresh, Head, NoVote, NotNext, Nothing, Private, Record, Refused, Seen, Session,
    Start, Unfit, Void, Why, Wrong, verify,
};
use results::{Signature, Verdict};
use room::{Room, hub_key, key};
use table::{Awaiting, Game, Moves as _, Rules as _, Seat};

const HOLDEM: &[(&str, &str)] = &[("starting_chips", "1000"), ("hand_limit", "10")];

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

fn session<G: Game>(place: &Place<G>, at: usize) -> &Session<G> {
    place.peers[at].session.as_ref().unwrap()
}

/// A match in which it is somebody's turn, and everybody has heard everything; returns whose.
fn somebodys_turn<G: Game>(place: &mut Place<G>, deals: u32) -> usize {
    place.play_until(deals, |session| matches!(session.table().map(|table| table.awaiting()), Some(Awaiting::Turn(_))));
    place.settle();
    (0..place.peers.len()).find(|at| session(place, *at).is_asked().is_some()).expect("it is somebody's turn")
}

#[test]
fn an_overdue_that_comes_after_the_answer_has_no_effect() {
    let mut place = Place::<Holdem>::new(2, 31);
    place.start(AnyGame::Holdem, HOLDEM);
    let slow = somebodys_turn(&mut place, 1);
    let since = session(&place, 0).waits().all()[&seat(u8::try_from(slow).unwrap())].since;
    place.clock += 700_000;
    assert!(place.peers[slow].session.as_mut().unwrap().decide_by_default());
    place.settle();
    // The other player's program was about to call them late; the answer is in the log before.
    let who = u8::try_from(slow).unwrap();
    place.peers[1 - slow].member.say(&Body::Overdue { who, since });
    place.settle();
    let effect = &place.peers[0].effects.last().unwrap().1;
    assert_eq!(*effect, Effect::Void(Nothing::Vote(NoVote::NotAwaited)));
    assert!(session(&place, 0).faults().is_empty());
}

#[test]
fn a_slow_persons_own_program_moves_for_them_before_anybody_calls_them_late() {
    let mut place = Place::<Holdem>::new(2, 32);
    place.start(AnyGame::Holdem, HOLDEM);
    let slow = somebodys_turn(&mut place, 1);
    let wait = session(&place, slow).waits().all()[&seat(u8::try_from(slow).unwrap())].clone();
    let limit = session(&place, slow).waits().thinking().expect("a move has a limit");
    let before = place.log.len();
    let tick = |place: &mut Place<Holdem>, at: usize, now: u64| {
        place.peers[at].session.as_mut().unwrap().tick(0, now);
        place.clock = now;
        place.settle();
    };
    tick(&mut place, slow, wait.heard + limit - 1);
    tick(&mut place, 1 - slow, wait.heard + limit + 29_000);
    assert_eq!(place.log.len(), before, "there is still time, and the other waits 30 seconds more");
    tick(&mut place, slow, wait.heard + limit + 29_001);
    assert!(place.log.len() > before, "the program has made the default move");
    assert!(place.peers[0].effects.iter().all(|(_, effect)| matches!(effect, Effect::Counts)));
}

#[test]
fn an_invented_head_in_the_log_is_the_fault_of_the_hub_alone() {
    let room = Room::new(3, 0);
    let (head, table) = (room.hub.head(), room.key.table());
    let invented = Head { hash: [9; 32], ..head };
    let envelope = room.envelope(1, invented);
    let refused = room.hub.order(envelope.clone(), room.clock, &[0; 32]);
    assert_eq!(refused, Err(Refused::Unfit(Unfit::ForeignHead(head.height))), "an honest hub does not take it");
    let entry = Entry::order(table, head, envelope, room.clock, &hub_key(100), &[0; 32]);
    let mut record = room.record();
    record.entries.push(entry);
    let report = verify(&record);
    assert_eq!(report.hub, Some((head.height, NotNext::Unfit(Unfit::ForeignHead(head.height)))));
    assert!(report.played.unwrap().faults.is_empty(), "no player is blamed");
}

#[test]
fn the_second_of_two_windows_does_no_harm() {
    let mut room = Room::new(3, 0);
    room.play(40, &[1]);
    let height = room.hub.head().height;
    // Member 1 opens a second window with the same secrets, and decides in both.
    let mut window = room.restarted(1, &dealing::encode(&Private::new(&[1; 32])));
    let table = window.session().table().unwrap().clone();
    let seat = window.session().is_asked().expect("it is their turn");
    let moves = table.rules().moves(window.session().known().unwrap(), seat);
    let picked = moves.pick(&mut room.rng).unwrap();
    let first = format!("{picked:?}");
    let other = (0..100).filter_map(|_| moves.pick(&mut room.rng)).find(|other| format!("{other:?}") != first);
    assert!(window.decide(other.expect("there is more than one way")));
    let theirs = window.write(&Fresh { nonce: [1; 24], aux: [1; 32] }).unwrap();
    assert!(room.seated[1].decide(picked));
    room.play(1, &[]);
    assert!(room.hub.head().height > height);
    let late = room.hub.order(theirs, room.clock, &[0; 32]);
    assert!(matches!(late, Err(Refused::Unfit(Unfit::Sequence { .. }))), "{late:?}");
    // It hears what the first has said, and what it still says itself is void.
    for entry in &room.log[usize::try_from(height).unwrap()..] {
        window.hear(entry, 0).unwrap();
    }
    window.send_again();
    let mut void = 0;
    while let Some(envelope) = window.write(&Fresh { nonce: [2; 24], aux: [2; 32] }) {
        let Ok(entry) = room.hub.order(envelope, room.clock, &[0; 32]) else { break };
        for seated in &mut room.seated {
            let (_, effect) = seated.hear(&entry, 0).unwrap();
            assert!(!matches!(effect, Effect::Fault(_)), "{effect:?}");
            void += usize::from(matches!(effect, Effect::Void(_)));
        }
        window.hear(&entry, 0).unwrap();
        room.hub.adopt(&entry).unwrap();
        room.log.push(entry);
    }
    assert!(void > 0 && void % room.seated.len() == 0, "{void}: the same for everybody");
    room.play_to_the_end();
    assert!(verify(&room.record()).is_clean());
}

#[test]
fn those_who_are_left_abandon_a_match_after_ten_minutes() {
    let mut place = Place::<BigC>::new(3, 33);
    place.start(AnyGame::BigC, &[("deals", "3"), ("hand_size", "5")]);
    place.play_until(2, |_| true);
    place.settle();
    let standing = session(&place, 0).standing();
    // Two of three are gone: there is no majority to call them late.
    (place.peers[1].gone, place.peers[2].gone) = (true, true);
    for _ in 0..40 {
        let rng = &mut place.rng;
        place.peers[0].decide(rng);
        place.settle();
    }
    place.peers[0].member.say(&Body::Abandon);
    place.settle();
    assert_eq!(place.peers[0].effects.last().unwrap().1, Effect::Void(Nothing::NotNow), "not so early");
    place.clock += 600_000;
    place.peers[0].member.say(&Body::Abandon);
    place.settle();
    let waits: Vec<Seat> = session(&place, 0).waits().all().keys().copied().collect();
    let ended = session(&place, 0).ended().unwrap_or_else(|| panic!("waits for {waits:?}"));
    assert_eq!(ended.why, Why::Abandoned);
    assert_eq!(ended.standing, standing, "as it was after the last finished deal");
    assert!(matches!(ended.result().unwrap().clone().check().verdict(), Verdict::Partial { .. }));
}

#[test]
fn a_match_is_named_by_everything_in_its_start() {
    let room = Room::new(3, 0);
    let (table, hub) = (room.key.table(), hub_key(100).public());
    let lobby = room.lobby();
    let start = lobby.start(AnyGame::Ongdu, Vec::new(), &[0, 1, 2], None).unwrap();
    let id = start.id(table, &hub);
    let others = [
        Start { game: AnyGame::Holdem, ..start.clone() },
        Start { settings: vec![("max_rounds".to_owned(), "2".to_owned())], ..start.clone() },
        Start { seats: start.seats.iter().rev().copied().collect(), ..start.clone() },
        Start { hub_run_by: Some(1), ..start.clone() },
        Start { successors: Vec::new(), ..start.clone() },
        Start { seats: vec![start.seats[0], start.seats[1], (2, [0; 32])], ..start.clone() },
    ];
    assert!(others.iter().all(|other| other.id(table, &hub) != id));
    assert_ne!(start.id(table, &hub_key(1).public()), id, "another hub");
    assert_ne!(start.id(peer::TableKey::new([8; 32]).table(), &hub), id, "another table");
    // Accepting one match does not accept another.
    let mut lobby = lobby;
    lobby.take(0, &key(0).public(), &Body::Start(Box::new(start))).unwrap();
    let accepted = lobby.take(1, &key(1).public(), &Body::SeedHash { of: [7; 32], hash: [1; 32] });
    assert_eq!(accepted, Err(Void::OtherMatch));
    // An entry of another table fits nowhere here.
    let elsewhere = peer::TableKey::new([8; 32]);
    let (sequence, head) = (room.hub.chain().written(1).unwrap(), room.hub.head());
    let fresh = Fresh { nonce: [1; 24], aux: [1; 32] };
    let body = dealing::encode(&Body::Leave);
    let replayed = Envelope::write(&elsewhere, &key(1), Some(1), sequence, head, &body, &fresh);
    assert_eq!(room.hub.order(replayed, room.clock, &[0; 32]), Err(Refused::Unfit(Unfit::Signature)));
}

#[test]
fn a_player_who_has_lost_their_secrets_says_nothing_wrong_and_plays_from_the_next_keys_on() {
    let mut place = Place::<Blackout>::new(4, 34);
    place.start(AnyGame::Blackout, &[("max", "4")]);
    somebodys_turn(&mut place, 1);
    place.restart_with(2, Private::lost(&[77; 32]));
    place.peers[2].session.as_mut().unwrap().caught_up(0);
    // Stopped once more, it still knows what it does not know.
    let stored = {
        let session = place.peers[2].session.as_mut().unwrap();
        dealing::encode(session.to_store().expect("it has to be stored"))
    };
    place.restart_with(2, dealing::decode(&stored).unwrap());
    // Nobody asks it for moves with cards that it does not know.
    place.play_until_without(2);
    place.peers[2].member.say(&Body::Here);
    place.play(0);
    for peer in &place.peers {
        let session = peer.session.as_ref().unwrap();
        assert!(session.faults().is_empty(), "{}: {:?}", peer.name, session.faults());
        let ended = session.ended().unwrap();
        assert_eq!(ended.why, Why::Over);
        assert_eq!(*ended.result().unwrap().clone().check().verdict(), Verdict::Complete);
    }
}

#[test]
fn where_everybody_is_needed_lost_secrets_break_off_one_deal_and_no_more() {
    let mut place = Place::<Blackout>::new(3, 39);
    place.start(AnyGame::Blackout, &[("max", "3")]);
    somebodys_turn(&mut place, 1);
    // The keys of the next deal are made, and lost as well.
    place.settle();
    assert!(session(&place, 0).preparing().ahead);
    place.restart_with(2, Private::lost(&[77; 32]));
    place.peers[2].session.as_mut().unwrap().caught_up(0);
    place.peers[0].session.as_mut().unwrap().see();
    place.play_until_without(2);
    place.peers[2].member.say(&Body::Here);
    place.play(0);
    let seen = place.peers[0].session.as_mut().unwrap().take_seen();
    let late: Vec<_> = seen.iter().filter(|seen| matches!(seen, Seen::Late(_))).collect();
    assert_eq!(late.len(), 1, "the next deal has new keys");
    let ended = session(&place, 0).ended().unwrap();
    assert_eq!((ended.why, ended.unsigned()), (Why::Over, Vec::new()));
}

#[test]
fn a_seed_that_is_lost_before_the_match_is_not_replaced_by_another() {
    let mut place = Place::<Ongdu>::new(3, 35);
    let before = place.log.len();
    place.start_without_seed(AnyGame::Ongdu, &[("max_rounds", "1")], 1);
    assert!(place.log.len() > before);
    place.play(0);
    for peer in &place.peers {
        let session = peer.session.as_ref().unwrap();
        assert!(session.faults().is_empty(), "{:?}", session.faults());
        assert_eq!(session.ended().unwrap().why, Why::NotBegun { seat: seat(1) });
    }
}

#[test]
fn a_move_on_an_older_table_has_no_effect() {
    let mut place = Place::<Holdem>::new(2, 36);
    place.start(AnyGame::Holdem, HOLDEM);
    let first = somebodys_turn(&mut place, 1);
    let table = session(&place, 0).table().unwrap();
    let (height, on) = (table.height().0, table.state_hash());
    let rng = &mut place.rng;
    assert!(place.peers[first].decide(rng));
    place.settle();
    let action = b"\"fold\"".to_vec();
    for player in 0..2 {
        place.peers[player].member.say(&Body::Act { height, on, action: action.clone() });
        place.settle();
        let effect = &place.peers[0].effects.last().unwrap().1;
        assert!(matches!(effect, Effect::Void(_)), "{effect:?}");
    }
}

#[test]
fn a_player_who_refuses_to_sign_changes_nothing() {
    let mut place = Place::<Ongdu>::new(3, 37);
    place.peers[1].refuses = true;
    place.start(AnyGame::Ongdu, &[("max_rounds", "1")]);
    place.play(0);
    let texts: Vec<String> = (0..3).map(|at| session(&place, at).ended().unwrap().result().unwrap().text()).collect();
    assert!(texts.iter().all(|text| *text == texts[0]));
    let ended = session(&place, 0).ended().unwrap();
    assert_eq!((ended.why, ended.unsigned()), (Why::Over, vec![seat(1)]));
    let result = ended.result().unwrap();
    assert!(matches!(result.clone().check().verdict(), Verdict::Partial { missing } if missing.len() == 1));
    assert_eq!(result.body().facts().log_hash.unwrap().0, ended.head.hash, "it names the log that it follows from");
    let record = Record { key: place.key.clone(), hub: *place.hub.chain().hub(), entries: place.log.clone() };
    let played = verify(&record).played.unwrap();
    assert_eq!((played.result.unwrap().text(), played.unsigned), (texts[0].clone(), vec![seat(1)]));
}

#[test]
fn a_signature_under_something_else_is_a_fault_and_changes_nothing() {
    let mut place = Place::<Ongdu>::new(3, 37);
    place.peers[1].lie = Some(common::instead(Body::Sign { result: Signature([7; 64]), export: Signature([7; 64]) }));
    place.start(AnyGame::Ongdu, &[("max_rounds", "1")]);
    place.play(0);
    let (session, ended) = (session(&place, 0), session(&place, 0).ended().unwrap());
    assert_eq!((ended.why, ended.unsigned()), (Why::Over, vec![seat(1)]));
    let [fault] = session.faults() else { panic!("{:?}", session.faults()) };
    assert_eq!((fault.seat, fault.what.clone()), (seat(1), Wrong::Signature));
}
