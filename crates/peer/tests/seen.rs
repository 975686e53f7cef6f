//! What somebody who looks on sees of a match: every deal, every move and every choice, in order.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

mod common;

use common::{Place, secret};
use games::AnyGame;
use games::blackout::Blackout;
use games::holdem::Holdem;
use games::ongdu::Ongdu;
use peer::{Body, Guest, News, Private, Seated, Seen};
use table::{Awaiting, Game, Rules as _, Seat};

/// Plays the match, and returns what a spectator sees who reads its log.
fn seen<G: Game>(place: &mut Place<G>) -> Vec<Seen<G>> {
    place.play(0);
    let (reader, private) = (secret([77; 32]), Private::new(&[0; 32]));
    let mut guest = Some(Guest::new(place.key.clone(), reader, *place.hub.chain().hub(), None, private));
    let mut seated: Option<Seated<G>> = None;
    let mut all = Vec::new();
    for entry in &place.log {
        if let Some(seated) = &mut seated {
            seated.hear(entry, 0).unwrap();
            all.extend(seated.take_seen());
        } else if let News::Begun(begun, heard) = guest.as_mut().unwrap().hear(entry).unwrap() {
            let mut sat = guest.take().unwrap().sit(*begun, &heard, 0).unwrap();
            sat.see();
            seated = Some(sat);
        }
    }
    assert!(place.peers[0].session.as_mut().unwrap().take_seen().is_empty(), "nobody looks on there");
    all
}

/// What was seen replays to the same tables: each move is legal where it was seen, and leads to the next.
fn replays<G: Game>(all: &[Seen<G>], deals: u32) -> (usize, usize) {
    let (mut acts, mut choices, mut begun, mut over) = (0, 0, 0, 0);
    for one in all {
        match one {
            Seen::Deal { number, table, .. } => {
                begun += 1;
                assert_eq!(*number, begun, "deals are counted from 1");
                assert!(table.outcome().is_none());
            }
            Seen::Acted { table, seat, .. } => {
                acts += 1;
                assert_eq!(table.awaiting(), Awaiting::Turn(*seat), "the table is as it was before the move");
            }
            Seen::Chose { table, choices: chosen } => {
                choices += 1;
                let Awaiting::Choices(seats) = table.awaiting() else { panic!("nobody was to choose") };
                assert!(chosen.iter().all(|(seat, _)| seats.contains(*seat)) && !chosen.is_empty());
            }
            Seen::DealOver { table, outcome, own, .. } => {
                over += 1;
                assert_eq!(begun, over, "a deal is over before the next begins");
                assert_eq!(table.outcome(), Some(outcome), "this is its last table");
                let decks = table.rules().decks();
                assert!(own.iter().all(|(slot, _)| slot.deck < decks.end), "only cards of this match");
            }
            Seen::Late(_) | Seen::Back(_) | Seen::Left(_) | Seen::Fault(_) => panic!("nobody did anything wrong"),
        }
    }
    assert_eq!((begun, over), (deals, deals));
    (acts, choices)
}

#[test]
fn every_deal_and_every_move_is_seen_although_the_next_deal_follows_at_once() {
    let mut place = Place::<Blackout>::new(2, 21);
    place.start(AnyGame::Blackout, &[("max", "2")]);
    let all = seen(&mut place);
    let deals = place.peers[0].session.as_ref().unwrap().deals();
    let (acts, _) = replays(&all, deals);
    assert!(acts > 4, "{acts}");
    let Some(Seen::DealOver { standing, .. }) = all.last() else { panic!("the end of the last deal comes last") };
    assert_eq!(Some(standing), place.peers[0].session.as_ref().unwrap().standing().as_ref());
}

#[test]
fn secret_choices_are_seen_once_all_are_open() {
    let mut place = Place::<Ongdu>::new(3, 22);
    place.start(AnyGame::Ongdu, &[("max_rounds", "2")]);
    let all = seen(&mut place);
    let (_, choices) = replays(&all, 2);
    assert_eq!(choices, 2, "once in each round");
}

#[test]
fn somebody_who_is_late_and_says_so_in_the_same_deal_makes_the_next_keys_with_the_others() {
    let mut place = Place::<Holdem>::new(4, 23);
    place.start(AnyGame::Holdem, &[("starting_chips", "1000"), ("hand_limit", "10")]);
    place.peers[0].session.as_mut().unwrap().see();
    place.play_until(1, |session| matches!(session.table().map(|table| table.awaiting()), Some(Awaiting::Turn(_))));
    place.peers[3].gone = true;
    let late = Seat::new(3).unwrap();
    let out = |place: &Place<Holdem>, peer: usize| place.peers[peer].session.as_ref().unwrap().is_out();
    assert!(!out(&place, 3));
    place.play_until_without(3);
    place.peers[3].gone = false;
    place.peers[3].member.say(&Body::Here);
    place.play(0);
    let all = place.peers[0].session.as_mut().unwrap().take_seen();
    let at = |what: fn(&Seen<Holdem>) -> Option<Seat>| all.iter().position(|seen| what(seen) == Some(late));
    let was_late = at(|seen| if let Seen::Late(seat) = seen { Some(*seat) } else { None });
    let back = at(|seen| if let Seen::Back(seat) = seen { Some(*seat) } else { None });
    assert!(was_late.is_some() && was_late < back, "{was_late:?} {back:?}");
    let acted = all.iter().skip(back.unwrap()).any(|seen| matches!(seen, Seen::Acted { seat, .. } if *seat == late));
    assert!(acted, "they play again");
    assert!(!out(&place, 3));
}
