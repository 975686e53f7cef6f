//! Somebody without a ticket: lets themselves be let in, or is not.

use std::time::{Duration, Instant};

use ::peer::frame::From;
use ::peer::{Answering, Knock, Knocking, TableId, Ticket};
use fairdeal::peer::hub::door;
use fairdeal::peer::net::{Command, Ended, Event, Held, Link, Who};
use fairdeal::peer::{At, Unreachable};
use rand::SeedableRng as _;
use rand::rngs::ChaCha20Rng;
use results::Public;

use super::super::process::{Server, free_address};
use super::{PATIENCE, Player, act, random, table};

/// Somebody at the door.
struct Newcomer {
    link: Link,
    table: TableId,
    hub: Public,
}

impl Newcomer {
    fn knock(at: &At, table: TableId) -> Self {
        let link = Link::open(Who::Knock { at: at.clone(), table }, Held::default()).unwrap();
        let Ok(Event::Connected { hub, .. }) = link.events().recv_timeout(PATIENCE) else { panic!("nobody is there") };
        Self { link, table, hub }
    }

    fn say(&self, words: &Knock) {
        self.link.send(Command::Beside { to: 0, words: dealing::encode(words) });
    }

    fn hear(&self) -> Knock {
        match self.link.events().recv_timeout(PATIENCE) {
            Ok(Event::Beside { from: From::Member(_), words }) => dealing::decode(&words).unwrap(),
            other => panic!("{other:?}"),
        }
    }
}

/// The next knock that a member hears.
fn heard(player: &mut Player) -> (u32, Knock) {
    player.until("a knock", |player| !player.beside.is_empty());
    match player.beside.remove(0) {
        (From::Knock(number), words) => (number, dealing::decode(&words).unwrap()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn somebody_who_knocks_is_let_in_and_the_server_does_not_learn_the_key() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(free_address(), data.path(), None, &[]);
    let made = table(server.address);
    let at: At = made.ticket.at.parse().unwrap();
    let (mut ada, mut bob) = (Player::join(&made.ticket, 1), Player::join(&made.ticket, 2));
    let mut rng = ChaCha20Rng::from_seed(random());
    let found = door(&at, made.code.as_deref().unwrap()).unwrap().unwrap();
    assert_eq!((found.table, found.name.as_str(), found.game.as_str()), (made.ticket.table(), "Friday", "holdem"));
    let newcomer = Newcomer::knock(&at, found.table);
    let (knocking, commit) = Knocking::new(newcomer.table, "Cleo", &mut rng);
    newcomer.say(&commit);
    // Both members hear it; one of them answers.
    let (number, Knock::Commit { commitment, name }) = heard(&mut ada) else { panic!() };
    assert_eq!((heard(&mut bob).0, name.as_str()), (number, "Cleo"));
    let (answering, answer) = Answering::new(made.ticket.table(), commitment, &mut rng);
    let reply = |words: &Knock| Command::Beside { to: number, words: dealing::encode(words) };
    ada.link.send(reply(&answer));
    let Knock::Answer(key) = newcomer.hear() else { panic!() };
    let (theirs, reveal) = knocking.answered(key).unwrap();
    newcomer.say(&reveal);
    let (_, Knock::Reveal { key, nonce }) = heard(&mut ada) else { panic!() };
    let ours = answering.revealed(key, &nonce).unwrap();
    assert_eq!(ours.words(), theirs.words());
    ada.link.send(reply(&ours.admit(&made.ticket.key, random())));
    let Knock::Admit(sealed) = newcomer.hear() else { panic!() };
    let ticket = Ticket { at: at.to_string(), key: theirs.admitted(&sealed).unwrap(), hub: newcomer.hub };
    assert_eq!(ticket, made.ticket);
    let cleo = Player::join(&ticket, 3);
    assert_eq!(cleo.member.number(), Some(2));
}

#[test]
fn a_knock_without_an_answer_bothers_nobody_and_gets_nothing() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(free_address(), data.path(), None, &[]);
    let made = table(server.address);
    let at: At = made.ticket.at.parse().unwrap();
    let mut ada = Player::join(&made.ticket, 1);
    let newcomer = Newcomer::knock(&at, made.ticket.table());
    // Far more than anybody needs, and too long.
    for _ in 0..50 {
        newcomer.link.send(Command::Beside { to: 0, words: vec![7; 100] });
    }
    newcomer.link.send(Command::Beside { to: 0, words: vec![7; 2000] });
    ada.say(&act(1));
    ada.settle(2);
    let until = Instant::now() + Duration::from_secs(2);
    while Instant::now() < until {
        ada.hear(Duration::from_millis(50));
    }
    assert_eq!(ada.beside.len(), 8, "so much is passed on");
    assert_eq!(ada.here, 1, "somebody at the door is not at the table");
    // They have heard nothing of what goes on, and cannot write.
    newcomer.link.send(Command::Append(vec![1; 200]));
    let event = newcomer.link.events().recv_timeout(PATIENCE);
    assert!(matches!(event, Ok(Event::Ended(Ended::Hub(::peer::frame::Why::Malformed)))), "{event:?}");
    // A ninth at the same time has to wait, and no code leads nowhere.
    let crowd: Vec<_> = (0..8).map(|_| Newcomer::knock(&at, made.ticket.table())).collect();
    let ninth = Link::open(Who::Knock { at: at.clone(), table: made.ticket.table() }, Held::default()).unwrap();
    let event = ninth.events().recv_timeout(PATIENCE);
    assert!(matches!(event, Ok(Event::Ended(Ended::Hub(::peer::frame::Why::Full)))), "{event:?}");
    drop(crowd);
    assert!(matches!(door(&at, "000000"), Err(Unreachable::Refused { status: 404, .. })));
}

#[test]
fn words_beside_the_log_reach_the_others_and_a_chatterbox_is_cut_short() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(free_address(), data.path(), None, &[]);
    let made = table(server.address);
    let (mut ada, mut bob) = (Player::join(&made.ticket, 1), Player::join(&made.ticket, 2));
    let mut eve = Player::open(&made.ticket, 3);
    eve.until("it is read", |player| player.head().height == 2);
    ada.link.send(Command::Beside { to: 0, words: b"hello".to_vec() });
    for other in [&mut bob, &mut eve] {
        other.until("chat", |player| !player.beside.is_empty());
        assert_eq!(other.beside, [(From::Member(0), b"hello".to_vec())]);
    }
    // A spectator listens only.
    eve.link.send(Command::Beside { to: 0, words: b"fold!".to_vec() });
    for _ in 0..200 {
        bob.link.send(Command::Beside { to: 0, words: vec![b'x'; 100] });
    }
    bob.link.send(Command::Beside { to: 0, words: b"last".to_vec() });
    ada.say(&act(1));
    ada.settle(3);
    let until = Instant::now() + Duration::from_secs(3);
    while Instant::now() < until {
        ada.hear(Duration::from_millis(50));
    }
    assert!(ada.beside.iter().all(|(from, _)| *from == From::Member(1)));
    assert!((20..60).contains(&ada.beside.len()), "{} of 201", ada.beside.len());
}
