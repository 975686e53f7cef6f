use results::{Public, Secret};

use super::*;
use crate::frame::{FromHub, ToHub, Why};
use crate::{Entry, Envelope, Fresh, Guest, Head, Hub, Private, TableKey};

fn secret(byte: u8) -> Secret {
    Secret::from_bytes(&[byte; 32]).unwrap()
}

fn key() -> TableKey {
    TableKey::new([7; 32])
}

fn hub_key() -> Public {
    secret(9).public()
}

fn fresh(byte: u8) -> Fresh {
    Fresh { nonce: [byte; 24], aux: [byte; 32] }
}

fn foyer(byte: u8) -> Foyer {
    let private = Private::new(&[byte; 32]);
    Foyer::new(Guest::new(key(), secret(byte), hub_key(), Some(secret(byte + 100)), private))
}

/// A hub and its log.
struct Log {
    hub: Hub,
    entries: Vec<Entry>,
}

impl Log {
    fn new() -> Self {
        Self { hub: Hub::new(key().table(), key().access().public(), secret(9)), entries: Vec::new() }
    }

    fn append(&mut self, envelope: Envelope) -> Entry {
        let entry = self.hub.order(envelope, 1, &[0; 32]).unwrap();
        self.hub.keep(&entry).unwrap();
        self.entries.push(entry.clone());
        entry
    }

    /// Everything that somebody has to say, heard by all.
    fn settle(&mut self, foyers: &mut [&mut Foyer]) -> Vec<Happened> {
        let mut all = Vec::new();
        while let Some(envelope) = foyers.iter_mut().find_map(|foyer| foyer.guest.write(&fresh(1))) {
            let entry = self.append(envelope);
            for (place, foyer) in foyers.iter_mut().enumerate() {
                let heard = foyer.hear(&entry).unwrap();
                if let (0, Some((_, happened))) = (place, heard) {
                    all.extend(happened);
                }
            }
        }
        all
    }
}

#[test]
fn a_connection_begins_with_a_challenge_and_a_welcome() {
    let (table, own) = (key(), secret(1));
    let have = Head::begin(table.table(), &hub_key());
    let caller = Caller::Member { table: &table, have, member: Some((3, &own)) };
    let mut line = Line::new(Some(hub_key()));
    for early in [FromHub::Here(1), FromHub::Entry(Vec::new()), FromHub::Welcome { hub: hub_key(), head: have }] {
        assert_eq!(line.clone().hear(early, caller, &[0; 32]), Err(End::NotAHub));
    }
    let said = line.hear(FromHub::Challenge([5; 32]), caller, &[0; 32]).unwrap();
    let Said::Greet(ToHub::Hello(hello)) = said else { panic!("{said:?}") };
    assert!(hello.has_ticket(&table.access().public(), &[5; 32]));
    assert_eq!(hello.member(|_| Some(own.public()), &[5; 32]), Ok(Some(3)));
    let other = FromHub::Welcome { hub: secret(8).public(), head: have };
    assert_eq!(line.clone().hear(other, caller, &[0; 32]), Err(End::OtherHub));
    assert!(!line.is_open());
    let head = Head { height: 2, ..have };
    let welcome = FromHub::Welcome { hub: hub_key(), head };
    assert_eq!(line.hear(welcome, caller, &[0; 32]), Ok(Said::Open { hub: hub_key(), head }));
    for height in 1..=2 {
        let said = line.hear(FromHub::Entry(vec![1]), caller, &[0; 32]);
        assert_eq!(said, Ok(Said::Entry { height, bytes: vec![1] }));
    }
    assert_eq!(line.hear(FromHub::Challenge([5; 32]), caller, &[0; 32]), Err(End::NotAHub), "not twice");
    let closed = line.hear(FromHub::Closed(Why::Closing), caller, &[0; 32]);
    assert_eq!(closed, Err(End::Closed(Why::Closing)));
}

#[test]
fn only_some_ends_are_for_good() {
    let passing = [Why::Closing, Why::TooMuch(5), Why::Storage, Why::TimeUp].map(End::Closed);
    for end in passing.into_iter().chain([End::NotAHub]) {
        assert!(!end.is_final(), "{end}");
    }
    for end in [End::OtherHub, End::Closed(Why::NoTable), End::Closed(Why::Unfit), End::Closed(Why::Replaced)] {
        assert!(end.is_final(), "{end}");
    }
}

#[test]
fn pauses_grow_to_a_limit_and_begin_again_after_a_good_connection() {
    let mut pauses = Pauses::default();
    let all: Vec<u64> = (0..8).map(|_| pauses.next(false, 999)).collect();
    assert!(all.is_sorted() && all.iter().all(|pause| (250..=8_000).contains(pause)), "{all:?}");
    assert_eq!(pauses.next(true, 0), 125);
}

#[test]
fn nothing_is_said_before_the_whole_log_is_known() {
    let (mut log, mut ada, mut bob) = (Log::new(), foyer(1), foyer(2));
    ada.introduce("Ada", None, [1; 32]);
    log.settle(&mut [&mut ada]);
    bob.introduce("Bob", None, [2; 32]);
    let mut post = Post::new(0);
    assert!(post.online().is_err() && post.next(&mut bob.guest, &fresh(1), 0).is_none());
    post.connected(hub_key(), log.hub.head(), 10);
    assert_eq!((post.caught_up(), post.hub()), (None, Some(hub_key())));
    assert!(post.next(&mut bob.guest, &fresh(1), 10).is_none(), "an entry is missing");
    let (head, _) = bob.hear(&log.entries[0]).unwrap().unwrap();
    assert!(post.stored(&[(log.entries[0].clone(), head)], bob.guest.member(), 20));
    assert_eq!(post.caught_up(), Some(20));
    assert!(post.next(&mut bob.guest, &fresh(1), 20).is_some());
    assert!(post.next(&mut bob.guest, &fresh(1), 20).is_none(), "it was said");
}

#[test]
fn what_was_refused_is_said_again_once_it_is_quiet() {
    let (log, mut ada) = (Log::new(), foyer(1));
    ada.introduce("Ada", None, [1; 32]);
    let mut post = Post::new(0);
    post.connected(hub_key(), log.hub.head(), 0);
    let first = post.next(&mut ada.guest, &fresh(1), 0);
    post.refused(Why::Unfit, 100);
    assert_eq!((post.may_speak(100), post.wait(100)), (false, Some(150)));
    // Entries put it off, but not for ever.
    for now in [200, 400, 600, 800, 1000] {
        post.entry(now);
        assert!(!post.may_speak(now));
    }
    post.entry(1150);
    assert!(post.may_speak(1150));
    assert_eq!(post.next(&mut ada.guest, &fresh(1), 1150), first);
    post.refused(Why::TooMuch(5_000), 2_000);
    assert_eq!(post.wait(2_000), Some(5_000));
    post.lost("cut".to_owned(), 3_000);
    assert_eq!((post.wait(3_000), post.is_lost_for(500, 3_400), post.is_lost_for(500, 3_500)), (None, false, true));
}

#[test]
fn somebody_whose_introduction_came_through_another_connection_connects_anew() {
    let (mut log, mut ada) = (Log::new(), foyer(1));
    ada.introduce("Ada", None, [1; 32]);
    let mut post = Post::new(0);
    post.connected(hub_key(), log.hub.head(), 0);
    let bytes = post.next(&mut ada.guest, &fresh(1), 0).unwrap();
    let entry = log.append(dealing::decode(&bytes).unwrap());
    let (head, _) = ada.hear(&entry).unwrap().unwrap();
    let stored = [(entry, head)];
    let mut other = post.clone();
    assert!(post.stored(&stored, ada.guest.member(), 1));
    other.reconnecting(1);
    other.connected(hub_key(), log.hub.head(), 2);
    assert!(!other.stored(&stored, ada.guest.member(), 3), "the hub does not know whose connection this is");
    // After that, everything is as usual.
    other.reconnecting(3);
    other.connected(hub_key(), log.hub.head(), 4);
    assert!(other.stored(&[], ada.guest.member(), 4) && other.caught_up() == Some(4));
}

#[test]
fn a_match_begins_when_all_have_accepted_it() {
    let (mut log, mut ada, mut bob, mut cem) = (Log::new(), foyer(1), foyer(2), foyer(3));
    for (foyer, name) in [(&mut ada, "Ada"), (&mut bob, "Bob"), (&mut cem, "Cem")] {
        foyer.introduce(name, None, [1; 32]);
    }
    // Everybody introduces themselves once, however often they are told to.
    ada.introduce("Ada", None, [1; 32]);
    let joined = log.settle(&mut [&mut ada, &mut bob, &mut cem]);
    assert_eq!(joined, ["Ada", "Bob", "Cem"].map(|name| Happened::Joined(name.to_owned())));
    let offer = Offer { game: games::AnyGame::Ongdu, settings: Vec::new(), seats: 2 };
    assert_eq!(bob.start(&offer, false), Err(CannotStart::NotTheHost));
    assert!(matches!(ada.start(&Offer { seats: 1, ..offer.clone() }, false), Err(CannotStart::TooFew(2))));
    let wrong = Offer { settings: vec![("pace".to_owned(), "x".to_owned())], ..offer.clone() };
    assert!(matches!(ada.start(&wrong, false), Err(CannotStart::Bad(_))));
    ada.start(&offer, false).unwrap();
    assert_eq!(log.settle(&mut [&mut ada, &mut bob, &mut cem]), [Happened::Offered]);
    assert_eq!((ada.has_to_accept(), bob.has_to_accept(), cem.has_to_accept()), (true, true, false));
    // Somebody leaves, and it begins anew.
    bob.leave();
    let left = log.settle(&mut [&mut ada, &mut bob, &mut cem]);
    assert_eq!(left, [Happened::Left("Bob".to_owned()), Happened::Withdrawn]);
    ada.start(&offer, true).unwrap();
    log.settle(&mut [&mut ada, &mut bob, &mut cem]);
    for foyer in [&mut ada, &mut cem] {
        foyer.accept();
        foyer.accept();
        assert!(!foyer.has_to_accept());
    }
    assert!(ada.begun().is_none());
    assert!(ada.answers_knocks(|_| true) && !cem.answers_knocks(|_| true) && cem.answers_knocks(|number| number == 2));
    log.settle(&mut [&mut ada, &mut bob, &mut cem]);
    let begun = ada.begun().unwrap();
    assert_eq!((begun.players.len(), begun.start.hub_run_by), (2, Some(0)));
    // What comes after belongs to the match.
    let last = log.entries.last().unwrap().clone();
    assert_eq!(ada.hear(&last), Ok(None));
    assert_eq!(ada.recall(last.clone()), Ok(None));
    ada.forget_new();
    let (_, _, rest) = ada.into_match().unwrap();
    assert_eq!(rest, [Rest::Stored(last)]);
    // Somebody who has only the log is where the others are.
    let mut again = foyer(3);
    for entry in &log.entries {
        again.recall(entry.clone()).unwrap();
    }
    assert_eq!(again.begun(), cem.begun());
}

#[test]
fn somebody_at_the_door_gets_in_only_with_words_to_compare() {
    use rand::SeedableRng as _;
    let mut rng = rand::rngs::ChaCha20Rng::seed_from_u64(1);
    let mut door = Door::new(key().table(), [3; 32]);
    assert_eq!(door.heard(1, b"nonsense", 0), (false, None));
    let (knocking, commit) = crate::Knocking::new(key().table(), "Eve", &mut rng);
    let (new, answer) = door.heard(1, &dealing::encode(&commit), 0);
    let Some(crate::Beside::Knock(crate::Knock::Answer(theirs))) = answer.map(|a| dealing::decode(&a).unwrap()) else {
        panic!("no answer");
    };
    assert!(new && door.admit(1, &key(), [0; 24]).is_none(), "there are no words yet");
    assert_eq!(door.heard(1, &dealing::encode(&commit), 0), (false, None), "not twice");
    let (knocked, reveal) = knocking.answered(theirs).unwrap();
    assert_eq!(door.heard(1, &dealing::encode(&reveal), 0), (true, None));
    let at_door = AtDoor { number: 1, name: "Eve".to_owned(), words: Some(knocked.words()) };
    assert_eq!(door.knocks(), [at_door]);
    let admitted = door.admit(1, &key(), [4; 24]).unwrap();
    let crate::Beside::Knock(crate::Knock::Admit(sealed)) = dealing::decode(&admitted).unwrap() else { panic!() };
    assert_eq!(knocked.admitted(&sealed).unwrap(), key());
    assert!(door.knocks().is_empty() && door.turn_away(1).is_none());
}

#[test]
fn knocks_that_were_given_up_do_not_shut_the_door() {
    use rand::SeedableRng as _;
    let mut rng = rand::rngs::ChaCha20Rng::seed_from_u64(2);
    let mut door = Door::new(key().table(), [3; 32]);
    let mut knock = |door: &mut Door, number: u32, now: u64| {
        let (knocking, commit) = crate::Knocking::new(key().table(), "Eve", &mut rng);
        let answer = door.heard(number, &dealing::encode(&commit), now).1.map(|words| dealing::decode(&words).unwrap());
        match answer {
            Some(crate::Beside::Knock(crate::Knock::Answer(theirs))) => Some(knocking.answered(theirs).unwrap().1),
            _ => None,
        }
    };
    // The first of sixteen has words to compare, and the others say nothing more.
    let reveal = knock(&mut door, 100, 0).unwrap();
    door.heard(100, &dealing::encode(&reveal), 0);
    (1..16).for_each(|number| drop(knock(&mut door, number, 20 - u64::from(number))));
    let reveal = knock(&mut door, 17, 30).expect("there is room for a seventeenth");
    let numbers = |door: &Door| door.knocks().iter().map(|knock| knock.number).collect::<Vec<_>>();
    assert_eq!(numbers(&door), (1..15).chain([17, 100]).collect::<Vec<_>>(), "the one that came first has gone");
    assert_eq!(door.heard(17, &dealing::encode(&reveal), 30), (true, None));
    // They are not there for ever.
    assert!(door.forget(300_000) && !door.forget(300_000));
    assert_eq!(numbers(&door), (1..15).chain([17]).collect::<Vec<_>>());
    assert!(door.forget(300_030) && door.knocks().is_empty());
    // People who compare words are not pushed aside.
    for number in 1..=16 {
        let reveal = knock(&mut door, number, 400_000).unwrap();
        door.heard(number, &dealing::encode(&reveal), 400_000);
    }
    assert!(knock(&mut door, 18, 400_000).is_none());
    assert!(knock(&mut door, 18, 700_000).is_some());
}
