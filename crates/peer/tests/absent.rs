//! Players who fall silent, leave, lie about their seed, or dispute.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

mod common;

use common::{Peer, Place, instead, random, secret};
use games::holdem::Holdem;
use games::ongdu::Ongdu;
use games::{AnyGame, blackjack::Blackjack, blackout::Blackout};
use peer::{BadStart, Body, Effect, Join, Nothing, RunBy, Start, Void, Why, Wrong};
use results::Verdict;
use table::{Awaiting, Game, Seat};

const HOLDEM: &[(&str, &str)] = &[("starting_chips", "1000"), ("hand_limit", "10")];
const ONGDU: &[(&str, &str)] = &[("max_rounds", "4")];

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

/// Everybody who is there has the same result; returns its verdict.
fn agreed<G: Game>(place: &Place<G>) -> (Why, Option<Verdict>) {
    let ends: Vec<_> = place
        .here()
        .map(|peer: &Peer<G>| {
            let ended = peer.session.as_ref().unwrap().ended().unwrap();
            let text = ended.result().map(results::Signed::text);
            (ended.why, ended.head, text, ended.result().map(|result| result.clone().check().verdict().clone()))
        })
        .collect();
    assert!(ends.iter().all(|end| end == &ends[0]), "everybody agrees: {ends:?}");
    let (why, _, _, verdict) = ends.into_iter().next().unwrap();
    (why, verdict)
}

#[test]
fn with_four_players_the_deal_goes_on_without_one_who_vanishes() {
    let mut place = Place::<Holdem>::new(4, 1);
    place.start(AnyGame::Holdem, HOLDEM);
    place.play_until(2, |session| matches!(session.table().map(|table| table.awaiting()), Some(Awaiting::Turn(_))));
    place.peers[3].gone = true;
    place.play(0);
    let (why, verdict) = agreed(&place);
    assert_eq!(why, Why::Over);
    assert!(matches!(verdict, Some(Verdict::Partial { .. })), "{verdict:?}");
    let session = place.peers[0].session.as_ref().unwrap();
    assert!(session.faults().is_empty(), "silence is not a fault");
}

#[test]
fn with_three_players_silence_breaks_the_deal_off_and_the_second_time_ends_the_match_for_its_author() {
    let mut place = Place::<Ongdu>::new(3, 2);
    place.start(AnyGame::Ongdu, ONGDU);
    place.play_until(2, |session| matches!(session.table().map(|table| table.awaiting()), Some(Awaiting::Choices(_))));
    place.peers[1].gone = true;
    place.play(0);
    let (why, _) = agreed(&place);
    assert_eq!(why, Why::Over);
    let standing = place.peers[0].session.as_ref().unwrap().standing().unwrap();
    assert_eq!(standing.place[seat(1)], 3, "last");
}

#[test]
fn a_player_who_comes_back_plays_from_the_next_keys_on() {
    let mut place = Place::<Blackout>::new(4, 3);
    place.start(AnyGame::Blackout, &[("max", "4")]);
    place.play_until(1, |session| matches!(session.table().map(|table| table.awaiting()), Some(Awaiting::Turn(_))));
    place.peers[2].gone = true;
    place.play_until_without(2);
    place.peers[2].gone = false;
    place.peers[2].member.say(&Body::Here);
    place.play(0);
    let (why, verdict) = agreed(&place);
    assert_eq!((why, verdict), (Why::Over, Some(Verdict::Complete)));
}

#[test]
fn one_who_leaves_is_last() {
    let mut place = Place::<Blackjack>::new(4, 4);
    place.start(AnyGame::Blackjack, &[("rounds", "4"), ("decks", "1"), ("reshuffle_below", "26")]);
    place.play_until(2, |_| true);
    place.peers[0].member.say(&Body::Leave);
    place.settle();
    place.play(0);
    let (why, _) = agreed(&place);
    assert_eq!(why, Why::Over);
    let standing = place.peers[1].session.as_ref().unwrap().standing().unwrap();
    assert_eq!(standing.place[seat(0)], 4);
}

#[test]
fn a_host_who_runs_the_hub_cannot_call_the_guest_late_alone() {
    let mut place = Place::<Holdem>::new(2, 5);
    place.start_with(AnyGame::Holdem, HOLDEM, Some(0));
    place.play_until(1, |_| true);
    place.peers[1].gone = true;
    place.play(0);
    let (why, verdict) = agreed(&place);
    assert!(matches!(why, Why::Disputed { .. }), "{why:?}");
    assert_eq!(verdict, None, "nobody pays");
    // With a hub that neither of them runs, the guest's silence counts.
    let mut place = Place::<Holdem>::new(2, 5);
    place.start(AnyGame::Holdem, HOLDEM);
    place.play_until(1, |_| true);
    place.peers[1].gone = true;
    place.play(0);
    let (why, verdict) = agreed(&place);
    assert_eq!(why, Why::Over);
    assert!(matches!(verdict, Some(Verdict::Partial { .. })), "{verdict:?}");
}

#[test]
fn another_seed_than_the_one_committed_to_is_a_fault_and_nobody_loses_a_match() {
    let mut place = Place::<Holdem>::new(3, 6);
    place.peers[2].lie = Some(instead(Body::Seed([9; 32])));
    place.start(AnyGame::Holdem, HOLDEM);
    place.play(0);
    let (why, verdict) = agreed(&place);
    assert_eq!((why, verdict), (Why::NotBegun { seat: seat(2) }, None));
    let faults = place.peers[0].session.as_ref().unwrap().faults();
    assert_eq!(faults.len(), 1);
    assert_eq!((faults[0].seat, faults[0].what.clone()), (seat(2), Wrong::Seed));
}

#[test]
fn a_vote_before_its_time_has_no_effect() {
    let mut place = Place::<Holdem>::new(3, 7);
    place.start(AnyGame::Holdem, HOLDEM);
    place.play_until(1, |session| matches!(session.table().map(|table| table.awaiting()), Some(Awaiting::Turn(_))));
    place.settle();
    let session = place.peers[0].session.as_ref().unwrap();
    let (late, wait) = session.waits().all().iter().next().unwrap();
    let (who, since) = (late.index(), wait.since);
    let caller = usize::from(who == 0);
    place.peers[caller].member.say(&Body::Overdue { who, since });
    place.settle();
    let effect = &place.peers[0].effects.last().unwrap().1;
    assert!(matches!(effect, Effect::Void(Nothing::Vote(_))), "{effect:?}");
}

#[test]
fn a_join_cannot_be_used_again_at_another_table() {
    let mut place = Place::<Holdem>::new(2, 8);
    let (key, identity) = (secret([33; 32]), secret([34; 32]));
    let elsewhere = peer::TableKey::new([1; 32]).table();
    let join = Join::new(elsewhere, &key.public(), &identity, "Eve", None, random(&mut place.rng), &[0; 32]);
    let mut lobby = place.peers[0].lobby.clone();
    assert_eq!(lobby.take(2, &key.public(), &Body::Join(Box::new(join))), Err(Void::BadJoin));
    // Nor with another key, nor by somebody who is here already.
    let here = place.key.table();
    let join = Join::new(here, &secret([35; 32]).public(), &identity, "Eve", None, [0; 32], &[0; 32]);
    assert_eq!(lobby.take(2, &key.public(), &Body::Join(Box::new(join))), Err(Void::BadJoin));
    let join = |name: &str| Join::new(here, &key.public(), &identity, name, None, [0; 32], &[0; 32]);
    assert_eq!(lobby.take(2, &key.public(), &Body::Join(Box::new(join("a\nb")))), Err(Void::BadJoin));
    assert_eq!(lobby.take(2, &key.public(), &Body::Join(Box::new(join("Eve")))), Ok(None));
    assert_eq!(lobby.take(3, &key.public(), &Body::Join(Box::new(join("Eve")))), Err(Void::SameIdentity));
}

#[test]
fn computers_count_as_the_person_who_runs_them() {
    let place = Place::<Holdem>::new(3, 9);
    let mut lobby = place.peers[0].lobby.clone();
    let (key, identity, here) = (secret([33; 32]), secret([34; 32]), place.key.table());
    let owner = place.peers[1].member.key();
    let join =
        |run_by| Body::Join(Box::new(Join::new(here, &key.public(), &identity, "Bot", run_by, [0; 32], &[0; 32])));
    // Somebody else cannot pass their computer off as another player's.
    let forged = RunBy::new(here, 0, owner, &key.public(), &[0; 32]);
    assert_eq!(lobby.take(3, &key.public(), &join(Some(forged))), Err(Void::NotRunBy));
    let right = RunBy::new(here, 1, owner, &key.public(), &[0; 32]);
    assert_eq!(lobby.take(3, &key.public(), &join(Some(right))), Ok(None));
    assert_eq!(lobby.person(3), Some(1));
    // Four seats, but only three people: every player is needed to open a card.
    let start = lobby.start(AnyGame::Holdem, Vec::new(), &[0, 1, 2, 3], None).unwrap();
    assert_eq!(start.threshold, None);
    let generous = Start { threshold: Some(3), ..start.clone() };
    assert_eq!(
        lobby.take(0, &key.public(), &Body::Start(Box::new(generous))),
        Err(Void::BadStart(BadStart::Threshold(None)))
    );
    assert_eq!(lobby.take(1, &key.public(), &Body::Start(Box::new(start.clone()))), Err(Void::NotTheHost));
    assert_eq!(lobby.take(0, &key.public(), &Body::Start(Box::new(start))), Ok(None));
    assert_eq!(Start::right_threshold(&[0, 1, 2, 3]), Some(3));
    assert_eq!(Start::right_threshold(&[0, 1, 2]), None);
    assert_eq!(Start::right_threshold(&[0, 1, 2, 3, 3]), None);
}
