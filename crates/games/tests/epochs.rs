//! A committee whose keys outlive a hand: it generates them once and deals several hands of Hold'em, each with a deck of
//! its own that was shuffled ahead.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

use std::collections::BTreeMap;

use cards::{Card, Pack};
use dealers::joint::{Body, Claim, Joint, Ledger, Message, Node, Place, Verdict, Void, all_true, drawn_order};
use dealing::{Secret, decode, encode};
use games::holdem::{Action, Deal, Setup};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use table::record::By;
use table::{Awaiting, Chips, Height, Rules, Seat, Table};

const MEMBERS: u8 = 4;
const THRESHOLD: u8 = 3;

fn member(number: u8) -> By {
    By::Member(number)
}

/// Stored and read again, as a chain does after every block.
fn stored(ledger: &Ledger) -> Ledger {
    let bytes = encode(ledger);
    let read: Ledger = decode(&bytes).unwrap();
    assert_eq!(encode(&read), bytes);
    read
}

/// The keys of an epoch, and every member's shares of them.
fn epoch(session: u8) -> (Joint, BTreeMap<u8, [Secret; 2]>) {
    let mut ledger = Ledger::of_epoch([session; 32], MEMBERS, THRESHOLD).unwrap();
    let seed = |number: u8| [session ^ (number + 1); 32];
    while ledger.joint().is_none() {
        let missing = ledger.missing_ahead();
        assert!(!missing.is_empty());
        for (by, _) in missing {
            let By::Member(number) = by else { panic!("{by} is no member") };
            let mut node = Node::of_epoch(stored(&ledger), by, seed(number));
            node.advance_ahead();
            for message in node.take_outbox() {
                ledger.receive_ahead(by, message);
            }
        }
    }
    let share = |number: u8| Node::of_epoch(ledger.clone(), member(number), seed(number)).epoch_shares().unwrap();
    let shares = (0..MEMBERS).map(|number| (number, share(number))).collect();
    (ledger.joint().unwrap().clone(), shares)
}

struct Committee {
    joint: Joint,
    shares: BTreeMap<u8, [Secret; 2]>,
}

impl Committee {
    fn ledger(&self, deck: u32, salt: &[u8]) -> Ledger {
        let order = drawn_order(&[9; 32], self.joint.members());
        Ledger::of_deck(self.joint.for_deck(deck, salt), MEMBERS, THRESHOLD, deck, Pack::STANDARD, order)
    }

    fn node(&self, ledger: &Ledger, number: u8, deck: u32, salt: &[u8]) -> Node {
        let share = self.joint.secret_for_deck(deck, salt, &self.shares[&number][0]);
        Node::of_deck(ledger.clone(), member(number), [number; 32], share)
    }

    /// Its next shuffle, or its shares.
    fn says(&self, ledger: &Ledger, number: u8, deck: u32, salt: &[u8], table: Option<&Table<Deal>>) -> Vec<Message> {
        let mut node = self.node(ledger, number, deck, salt);
        match table {
            Some(table) => node.speak(table),
            None => node.advance_ahead(),
        }
        node.take_outbox()
    }

    fn shuffle(&self, ledger: &mut Ledger, deck: u32, salt: &[u8]) {
        while let Some(By::Member(number)) = ledger.shuffler(deck) {
            for message in self.says(ledger, number, deck, salt, None) {
                assert_eq!(ledger.receive_ahead(member(number), message), Verdict::Valid);
            }
            *ledger = stored(ledger);
        }
    }
}

fn table(deck: u32) -> Table<Deal> {
    let mut setup = Setup::new(&[Chips(1000); 3], Seat::new(0), Chips(10), Chips(20));
    setup.first_deck = deck;
    Table::new(Deal::deal(&setup).unwrap(), Height(0))
}

fn players() -> Vec<(Seat, Secret)> {
    let rng = &mut ChaCha20Rng::from_seed([77; 32]);
    (0..3).map(|seat| (Seat::new(seat).unwrap(), Secret::random(rng))).collect()
}

/// Plays the hand to its showdown, everybody checking and calling; the given members never give shares.
fn play(
    committee: &Committee,
    ledger: &mut Ledger,
    table: &mut Table<Deal>,
    deck: u32,
    salt: &[u8],
    silent: &[u8],
) -> bool {
    loop {
        match table.awaiting() {
            Awaiting::Over => return true,
            Awaiting::Turn(seat) => {
                let action = if table.rules().moves(table::Known::public(table.open()), seat).can_check {
                    Action::Check
                } else {
                    Action::Call
                };
                table.act(table.height(), seat, &action, &table::Faces::new()).unwrap();
            }
            _ => {
                ledger.look(table);
                let mut claims: Vec<Claim> = Vec::new();
                for number in (0..MEMBERS).filter(|number| !silent.contains(number)) {
                    for message in committee.says(ledger, number, deck, salt, Some(table)) {
                        claims.extend(ledger.claim(Some(table), member(number), &message));
                        assert_eq!(ledger.receive(table, member(number), message), Verdict::Valid);
                    }
                }
                assert!(all_true(&claims));
                *ledger = stored(ledger);
                match ledger.filled(table) {
                    Ok(true) => table.dealt(table.height(), ledger.opened()).unwrap(),
                    _ => return false,
                }
            }
        }
    }
}

#[test]
fn one_key_generation_deals_many_hands() {
    let (joint, shares) = epoch(1);
    let committee = Committee { joint, shares };
    let mut seen = Vec::new();
    for (deck, salt) in [(4, b"a block".as_slice()), (5, b"another"), (6, b"one more")] {
        let mut ledger = committee.ledger(deck, salt);
        committee.shuffle(&mut ledger, deck, salt);
        assert!(ledger.is_ready(deck));
        let players = players();
        let keys: Vec<_> = players.iter().map(|(seat, key)| (*seat, key.public())).collect();
        ledger.seat(&keys);
        let mut table = table(deck);
        assert!(play(&committee, &mut ledger, &mut table, deck, salt, &[]));
        // Everybody can read their own cards, and they are the cards that were shown.
        for (seat, key) in players {
            let node = Node::of_player(ledger.clone(), seat, key);
            let hole: Vec<Card> = table.rules().hole(seat).slots().map(|slot| node.card(slot).unwrap()).collect();
            let shown: Vec<Card> = table.rules().hole(seat).slots().filter_map(|slot| table.open().get(slot)).collect();
            assert_eq!(hole, shown);
            seen.extend(hole);
        }
    }
    seen.sort();
    seen.dedup();
    assert!(seen.len() > 9, "three hands of six cards each are not the same cards: {seen:?}");
}

#[test]
fn a_key_opens_no_cards_but_those_sealed_to_it() {
    let (joint, shares) = epoch(2);
    let committee = Committee { joint, shares };
    let mut ledger = committee.ledger(0, b"salt");
    committee.shuffle(&mut ledger, 0, b"salt");
    let players = players();
    ledger.seat(&players.iter().map(|(seat, key)| (*seat, key.public())).collect::<Vec<_>>());
    let table = table(0);
    ledger.look(&table);
    for number in 0..MEMBERS {
        for message in committee.says(&ledger, number, 0, b"salt", Some(&table)) {
            ledger.receive(&table, member(number), message);
        }
    }
    let (own, other) = (&players[0], &players[1]);
    let node = Node::of_player(ledger, own.0, own.1.clone());
    assert!(table.rules().hole(own.0).slots().all(|slot| node.card(slot).is_some()));
    assert!(table.rules().hole(other.0).slots().all(|slot| node.card(slot).is_none()));
    assert!(table.rules().board().slots().all(|slot| node.card(slot).is_none()));
}

#[test]
fn who_does_not_shuffle_is_skipped_but_still_gives_shares() {
    let (joint, shares) = epoch(3);
    let committee = Committee { joint, shares };
    let (deck, salt) = (1, b"salt");
    let mut ledger = committee.ledger(deck, salt);
    let first = ledger.shuffler(deck).unwrap();
    let By::Member(slow) = first else { panic!("a committee shuffles") };
    let late = committee.says(&ledger, slow, deck, salt, None).remove(0);
    assert_eq!(ledger.skip(deck), Some(first));
    assert_eq!(ledger.receive_ahead(first, late), Verdict::Void(Void::Second), "too late, but no fault");
    committee.shuffle(&mut ledger, deck, salt);
    assert_eq!(ledger.steps(deck), 3);
    assert!(ledger.is_ready(deck));
    ledger.seat(&players().iter().map(|(seat, key)| (*seat, key.public())).collect::<Vec<_>>());
    // Without one of the others, the slow one is needed.
    assert!(play(&committee, &mut ledger, &mut table(deck), deck, salt, &[(slow + 1) % MEMBERS]));
}

#[test]
fn a_deck_that_too_few_have_shuffled_is_not_used() {
    let (joint, shares) = epoch(4);
    let committee = Committee { joint, shares };
    let mut ledger = committee.ledger(1, b"salt");
    ledger.skip(1);
    ledger.skip(1);
    committee.shuffle(&mut ledger, 1, b"salt");
    assert_eq!((ledger.steps(1), ledger.is_shuffled(1), ledger.is_ready(1)), (2, true, false));
}

#[test]
fn too_few_shares_open_nothing_and_one_more_does() {
    let (joint, shares) = epoch(5);
    let committee = Committee { joint, shares };
    let mut ledger = committee.ledger(1, b"salt");
    committee.shuffle(&mut ledger, 1, b"salt");
    ledger.seat(&players().iter().map(|(seat, key)| (*seat, key.public())).collect::<Vec<_>>());
    let mut table = table(1);
    assert!(!play(&committee, &mut ledger, &mut table, 1, b"salt", &[0, 1]));
    assert!(ledger.has_shares());
    assert_eq!(ledger.missing(&table).len(), 2, "two of four have said nothing");
    assert!(play(&committee, &mut ledger, &mut table, 1, b"salt", &[1]));
}

#[test]
fn a_wrong_message_spoils_a_batch_and_is_found_alone() {
    let (joint, shares) = epoch(6);
    let committee = Committee { joint, shares };
    let (deck, salt) = (1, b"salt");
    let mut ledger = committee.ledger(deck, salt);
    let (mut claims, mut copy) = (Vec::new(), ledger.clone());
    let mut said = Vec::new();
    while let Some(By::Member(number)) = copy.shuffler(deck) {
        let message = committee.says(&copy, number, deck, salt, None).remove(0);
        claims.push(copy.claim::<Deal>(None, member(number), &message).unwrap());
        assert_eq!(copy.receive_proven::<Deal>(None, member(number), message.clone()), Verdict::Valid);
        said.push((number, message));
    }
    assert!(all_true(&claims), "four steps in one chain");

    // The second one swaps two cards of the deck that it proves.
    let (number, message) = said[1].clone();
    let Body::Shuffle(shuffled) = &message.body else { panic!("it shuffled") };
    let mut cards: Vec<_> = shuffled.0.iter().copied().collect();
    cards.swap(3, 4);
    let body = Body::Shuffle(Box::new((dealing::Deck::new(cards).unwrap(), shuffled.1.clone())));
    let wrong = Message { body, ..message };
    let (first, honest) = said[0].clone();
    assert_eq!(ledger.receive_ahead(member(first), honest), Verdict::Valid);
    let claim = ledger.claim::<Deal>(None, member(number), &wrong).unwrap();
    assert!(!all_true(&[claims[0].clone(), claim]));
    assert!(matches!(ledger.receive_ahead(member(number), wrong), Verdict::Fault(_)));
    assert_eq!(ledger.faults().len(), 1);
    committee.shuffle(&mut ledger, deck, salt);
    assert!(ledger.is_ready(deck), "three of four are enough");
}

#[test]
fn decks_have_keys_of_their_own() {
    let (joint, _) = epoch(7);
    let one = joint.for_deck(1, b"salt");
    for other in [joint.for_deck(2, b"salt"), joint.for_deck(1, b"pepper"), epoch(8).0.for_deck(1, b"salt")] {
        assert_ne!(one.key(), other.key());
        assert_ne!(one.ground(), other.ground());
    }
    assert_eq!(decode::<Joint>(&encode(&joint)), Ok(joint));
}

#[test]
fn messages_for_one_deck_count_for_no_other() {
    let (joint, shares) = epoch(9);
    let committee = Committee { joint, shares };
    let (one, mut other) = (committee.ledger(1, b"salt"), committee.ledger(1, b"another block"));
    let By::Member(number) = one.shuffler(1).unwrap() else { panic!("a committee shuffles") };
    let message = committee.says(&one, number, 1, b"salt", None).remove(0);
    assert!(matches!(message.place, Place::Shuffle(1)));
    assert_eq!(other.receive_ahead(member(number), message), Verdict::Void(Void::OtherGround));
}
