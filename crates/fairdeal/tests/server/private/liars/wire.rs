//! Players and strangers who misuse the connection while a match is played: old envelopes, other people's names, floods,
//! huge and slow messages. The match goes on as if they were not there.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

use ::dealing::{decode, encode};
use ::peer::frame::{FromHub, Hello, ToHub, Why};
use ::peer::{Body, Envelope, Fresh, Head, MOST_BODY, Ticket};
use games::bigc::BigC;
use games::blackout::Blackout;
use games::ongdu::Ongdu;
use results::Secret;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

use super::super::random;
use super::{BIGC, BLACKOUT, ONGDU, PATIENCE, Scene};

/// A bare socket, for what no honest program sends.
struct Bare(WebSocket<TcpStream>);

impl Bare {
    /// Says hello as this member, or as somebody who has not joined.
    fn hello(ticket: &Ticket, member: Option<(u8, &Secret)>) -> Self {
        let address = ticket.at.trim_start_matches("http://");
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!("ws://{address}/private/{}/socket", ticket.table()).into_client_request().unwrap();
        let mut bare = Self(tungstenite::client(request, stream).unwrap().0);
        let FromHub::Challenge(challenge) = bare.hear() else { panic!("a hub begins with a challenge") };
        let have = Head::begin(ticket.table(), &ticket.hub);
        bare.say(&ToHub::Hello(Hello::new(&ticket.key, have, member, &challenge, &random())));
        let welcome = bare.hear();
        assert!(matches!(welcome, FromHub::Welcome { .. }), "{welcome:?}");
        bare
    }

    fn say(&mut self, frame: &ToHub) {
        self.0.send(Message::Binary(encode(frame).into())).unwrap();
    }

    fn hear(&mut self) -> FromHub {
        loop {
            if let Message::Binary(bytes) = self.0.read().unwrap() {
                return decode(&bytes).unwrap();
            }
        }
    }

    /// What the hub says to an envelope.
    fn refused(&mut self, envelope: &Envelope) -> Why {
        self.say(&ToHub::Append(encode(envelope)));
        loop {
            match self.hear() {
                FromHub::Refused { why, .. } => return why,
                FromHub::Here(_) | FromHub::Entry(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

fn envelope(ticket: &Ticket, key: &Secret, author: Option<u8>, sequence: u32, seen: Head, body: &[u8]) -> Envelope {
    let fresh = Fresh { nonce: random(), aux: random() };
    Envelope::write(&ticket.key, key, author, sequence, seen, body, &fresh)
}

/// The match ends for everybody as it should, and nobody is blamed.
fn ends_well<G: table::Game>(scene: &mut Scene<G>) {
    scene.play();
    scene.outcome(false);
    let (said, code) = scene.verify();
    assert_eq!((code, &said["private"]["result"]["state"]), (Some(0), &"complete".into()), "{said}");
}

#[test]
fn what_was_said_at_an_old_table_counts_for_nothing_at_a_new_one() {
    let mut old = Scene::<Ongdu>::new(2);
    old.start(ONGDU);
    ends_well(&mut old);
    let mut scene = Scene::<Ongdu>::new(2);
    scene.start(ONGDU);
    let ticket = scene.ticket.clone();
    let mut thief = Bare::hello(&ticket, None);
    for entry in &old.peers[0].entries {
        assert_eq!(thief.refused(&entry.said().unwrap().envelope), Why::Unfit, "an envelope of another table");
    }
    // The introduction of an old player, said by somebody else with a key of their own.
    let join = old.peers[0].peer.heard.iter().find_map(|(_, body)| match body {
        Body::Join(join) => Some(join.clone()),
        _ => None,
    });
    let head = scene.peers[0].peer.member.chain().head();
    let own = Secret::from_bytes(&[77; 32]).unwrap();
    let seen = Head { ..head };
    let stolen = envelope(&ticket, &own, None, 0, seen, &encode(&Body::Join(join.unwrap())));
    thief.say(&ToHub::Append(encode(&stolen)));
    ends_well(&mut scene);
    assert!(scene.peers[0].peer.heard.iter().any(|(by, body)| *by == 2 && matches!(body, Body::Join(_))));
    // A result of the old match says nothing about the new one.
    let result = old.peers[0].session().ended().unwrap().result().unwrap().text();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.txt");
    std::fs::write(&path, result).unwrap();
    let record = scene.peers[0].record(&ticket);
    let (_, code) = super::verify(&[&record], &["--result", path.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    let other = old.peers[0].session().ended().unwrap().head;
    assert!(!scene.peers[0].peer.member.chain().contains(other));
}

#[test]
fn nobody_can_speak_for_another() {
    let mut scene = Scene::<Blackout>::new(2);
    scene.start(BLACKOUT);
    let ticket = scene.ticket.clone();
    let own = Secret::from_bytes(&[77; 32]).unwrap();
    let mut forger = Bare::hello(&ticket, None);
    let mut tries = 0;
    scene.until_with(
        "the match ends",
        |scene| {
            if tries >= 20 {
                return;
            }
            tries += 1;
            let chain = scene.peers[0].peer.member.chain();
            let (head, written) = (chain.head(), chain.written(0).unwrap());
            let body = encode(&Body::Leave);
            let forged = envelope(&ticket, &own, Some(0), written, head, &body);
            assert_eq!(forger.refused(&forged), Why::Unfit, "without being that member");
            // A member's own envelope, sent a second time by somebody else.
            let theirs = scene.peers[0].entries.last().unwrap().said().unwrap().envelope.clone();
            assert_eq!(forger.refused(&theirs), Why::Unfit);
        },
        Scene::is_over,
    );
    assert!(tries > 0);
    ends_well(&mut scene);
    assert!(!scene.peers[0].peer.heard.iter().any(|(_, body)| *body == Body::Leave));
}

#[test]
fn a_player_who_floods_the_log_is_slowed_down_and_the_match_ends() {
    let mut scene = Scene::<Ongdu>::new(3);
    scene.liar = Some(2);
    let mut flood = 0;
    // Things that nobody waits for, with everything they say: more than a hub takes at once.
    scene.peers[2].peer.lie = Some(Box::new(move |_, mut bodies| {
        if flood < 600 {
            flood += 10;
            bodies.extend((0..10).map(|since| Body::Overdue { who: 0, since }));
        }
        bodies
    }));
    scene.start(ONGDU);
    scene.play();
    scene.outcome(false);
    let flooder = &scene.peers[2];
    let said = flooder.peer.heard.iter().filter(|(by, body)| *by == 2 && matches!(body, Body::Overdue { .. })).count();
    let (verified, code) = scene.verify();
    assert_eq!((code, &verified["ok"]), (Some(0), &true.into()), "{verified}");
    assert!(verified["private"]["without_effect"].as_u64().unwrap() >= u64::try_from(said.min(100)).unwrap());
}

#[test]
fn huge_and_slow_messages_delay_nobody() {
    let mut scene = Scene::<BigC>::new(2);
    let ticket = scene.ticket.clone();
    let stranger = Secret::from_bytes(&[77; 32]).unwrap();
    // A third member who joins, so that they may write, and does not play.
    let mut huge = Bare::hello(&ticket, None);
    let seen = Head::begin(ticket.table(), &ticket.hub);
    huge.say(&ToHub::Append(encode(&envelope(&ticket, &stranger, None, 0, seen, &encode(&Body::Here)))));
    scene.until("the stranger is a member", |scene| scene.peers[0].peer.member.chain().members() == 3);
    scene.start(BIGC);
    // The longest bodies there can be, which nobody can read.
    for sequence in 1..=3 {
        let body = vec![0xee; MOST_BODY];
        huge.say(&ToHub::Append(encode(&envelope(&ticket, &stranger, Some(2), sequence, seen, &body))));
    }
    // One byte longer than an envelope can be.
    let mut bytes = encode(&envelope(&ticket, &stranger, Some(2), 4, seen, &vec![0xee; MOST_BODY]));
    bytes.extend([0; 4096]);
    let too_long = encode(&ToHub::Append(bytes));
    let _ = huge.0.send(Message::Binary(too_long.into()));
    // A frame that takes forever, one byte at a time.
    let mut slow = Bare::hello(&ticket, None);
    let header = [0x82, 0xfe, 0x08, 0x00, 0, 0, 0, 0];
    slow.0.get_mut().write_all(&header).unwrap();
    slow.0.get_mut().set_write_timeout(Some(Duration::from_millis(10))).unwrap();
    scene.until_with(
        "the match ends",
        |_| {
            let _ = slow.0.get_mut().write_all(&[3]);
        },
        Scene::is_over,
    );
    ends_well(&mut scene);
    let unreadable =
        scene.peers[0].entries.iter().filter(|entry| entry.said().unwrap().envelope.sealed.len() > MOST_BODY).count();
    assert_eq!(unreadable, 3, "they are in the log, and have no effect");
}
