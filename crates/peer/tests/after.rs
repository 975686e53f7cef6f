//! After a match: somebody invites the others to play again.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

mod common;

use common::{Place, secret};
use games::AnyGame;
use games::ongdu::Ongdu;
use peer::{Body, Effect, Nothing, Record, TableKey, Ticket, verify};
use table::Seat;

fn ticket(key: u8) -> Ticket {
    let (at, hub) = ("http://192.168.1.5:7777".to_owned(), secret([9; 32]).public());
    Ticket { at, key: TableKey::new([key; 32]), hub }
}

fn again(ticket: &Ticket) -> Body {
    Body::Again(Box::new(ticket.clone()))
}

/// The effect of what this player says.
fn said(place: &mut Place<Ongdu>, player: usize, body: &Body) -> Effect {
    place.peers[player].member.say(body);
    place.settle();
    place.peers[0].effects.last().unwrap().1.clone()
}

fn started() -> Place<Ongdu> {
    let mut place = Place::<Ongdu>::new(3, 21);
    place.join("a spectator", false);
    place.start(AnyGame::Ongdu, &[("max_rounds", "1")]);
    place
}

#[test]
fn the_first_invitation_after_the_match_is_a_rematch_for_everybody() {
    let mut place = started();
    assert_eq!(said(&mut place, 1, &again(&ticket(3))), Effect::Void(Nothing::NotNow), "the match is not over");
    place.play(0);
    // A spectator has no say.
    place.peers[3].member.say(&again(&ticket(4)));
    place.settle();
    assert_eq!(place.peers[0].effects.last().unwrap().1, Effect::Void(Nothing::NotAPlayer));
    let old = Ticket { key: place.key.clone(), ..ticket(5) };
    assert_eq!(said(&mut place, 0, &again(&old)), Effect::Void(Nothing::SameTable), "the key of this match");
    assert_eq!(said(&mut place, 2, &again(&ticket(6))), Effect::Counts);
    assert_eq!(said(&mut place, 1, &again(&ticket(7))), Effect::Void(Nothing::NotNow), "the second invitation");
    for peer in &place.peers {
        let invited = peer.session.as_ref().unwrap().ended().unwrap().again();
        assert_eq!(invited, Some((Seat::new(2).unwrap(), &ticket(6))), "{}", peer.name);
    }
    // The result stays what it was, and a person can read the invitation without its secret.
    let record = Record { key: place.key.clone(), hub: *place.hub.chain().hub(), entries: place.log.clone() };
    let report = verify(&record);
    assert!(report.is_clean());
    assert_eq!(report.played.unwrap().again, Some((Seat::new(2).unwrap(), ticket(6).table())));
    let lines = peer::lines(&record);
    let invitations = lines.iter().filter(|line| line.text == "CARD_GAME_INVITE:ongdu").count();
    assert_eq!(invitations, 1 + 5, "the host's, and everything said since, with and without effect");
    let shows = |line: &peer::Line| format!("{line:?}").contains("fdt1") || format!("{line:?}").contains("192.168.1.5");
    assert!(!lines.iter().any(shows));
}

#[test]
fn only_holders_of_the_old_key_can_read_the_ticket() {
    let mut place = started();
    place.play(0);
    said(&mut place, 2, &again(&ticket(6)));
    let entry = place.log.last().unwrap();
    let sealed = dealing::encode(entry);
    let holds = |bytes: &[u8]| sealed.windows(bytes.len()).any(|window| window == bytes);
    assert!(!holds(ticket(6).key.bytes()) && !holds(b"192.168.1.5"));
}

#[test]
fn an_invitation_is_read_as_it_was_written() {
    let body = again(&ticket(6));
    let bytes = dealing::encode(&body);
    assert_eq!(bytes.len(), 1 + 32 + 32 + 2 + 23);
    assert_eq!(dealing::decode::<Body>(&bytes), Ok(body));
    for at in ["", "ftp://here", "http://", "http://a b", "http://here/private/00#fdt1", "http://\u{1b}[2J"] {
        let bytes = dealing::encode(&again(&Ticket { at: at.to_owned(), ..ticket(6) }));
        assert!(dealing::decode::<Body>(&bytes).is_err(), "{at}");
    }
}
