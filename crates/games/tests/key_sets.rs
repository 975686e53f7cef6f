//! Keys that come and go within a match: decks shuffled ahead, keys that outlive a deal, seats that are out until the
//! next keys, and seeds that are forgotten.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod replicas;
#[allow(dead_code, reason = "every test file uses another part of it")]
mod room;

use cards::Pack;
use dealers::joint::{Duty, Keepers, Node, Place, Replica, Seeds, Terms, Verdict, Void};
use games::{bigc::BigC, blackjack::Blackjack, blackout::Blackout, holdem::Holdem, ongdu::Ongdu, romme::Romme};
use replicas::{by, table_of, terms};
use room::{Room, nodes};
use table::record::By;
use table::{Breakdown, Game, Leaving, Rules, Seat, Seats, Series as _};

const TABLES: [(u8, Keepers); 3] = [
    (3, Keepers::EveryPlayer),
    (4, Keepers::Players { threshold: 3 }),
    (2, Keepers::Committee { members: 4, threshold: 3 }),
];
const CARDS: Pack = Pack::Cards { decks: 1, jokers: 0 };

/// Talk among nodes that sit at no table yet, without one of them.
fn talk(nodes: &mut [Node], silent: Option<By>) {
    loop {
        let mut said = Vec::new();
        for node in nodes.iter_mut() {
            let me = node.me();
            said.extend(
                node.take_outbox().into_iter().map(|message| (me, message)).filter(|(me, _)| Some(*me) != silent),
            );
        }
        if said.is_empty() {
            return;
        }
        for (from, message) in said {
            for node in nodes.iter_mut() {
                let verdict = node.receive_ahead(from, message.clone());
                // A committee needs only as many shares of a random number as of anything else.
                let spare = matches!(message.place, Place::Beacon(_)) && verdict == Verdict::Void(Void::NotAwaited);
                assert!(verdict == Verdict::Valid || spare, "{from} {:?}: {verdict:?}", message.place);
            }
        }
    }
}

fn is_about_keys_or_decks(place: Place) -> bool {
    place.height().is_none()
}

#[test]
fn a_deck_can_be_shuffled_before_any_table_orders_it() {
    for (players, keepers) in TABLES {
        let terms = terms(players, keepers);
        let mut ahead = nodes(terms);
        ahead.iter_mut().for_each(|node| node.prepare(0, CARDS));
        talk(&mut ahead, None);
        assert!(ahead.iter().all(|node| node.ledger().is_shuffled(0) && node.ledger().missing_ahead().is_empty()));
        let mut room = Room::<Holdem>::with(terms, &table_of::<Holdem>(players), ahead);
        room.play(&mut Room::random, &mut |_, said| vec![said]);
        assert_eq!(room.agreed().0.broken_off, None);
        assert!(room.said_in(is_about_keys_or_decks).is_empty(), "{keepers:?}: there was nothing left to shuffle");
    }
}

#[test]
fn a_deck_that_was_prepared_from_something_else_is_void() {
    for (players, keepers) in TABLES {
        let terms = terms(players, keepers);
        let mut ahead = nodes(terms);
        ahead.iter_mut().for_each(|node| node.prepare(0, Pack::Lots { faces: 7 }));
        talk(&mut ahead, None);
        let mut room = Room::<Holdem>::with(terms, &table_of::<Holdem>(players), ahead);
        room.play(&mut Room::random, &mut |_, said| vec![said]);
        assert_eq!(room.agreed().0.broken_off, None);
        let shuffles = room.said_in(|place| place == Place::Shuffle(0)).len();
        assert_eq!(shuffles, terms.members().len(), "{keepers:?}: the keys stay, the deck is shuffled anew");
        assert_eq!(room.said_in(is_about_keys_or_decks).len(), shuffles);
    }
}

#[test]
fn a_deck_can_be_ordered_while_it_is_being_prepared() {
    for (players, keepers) in TABLES {
        let terms = terms(players, keepers);
        let mut ahead = nodes(terms);
        ahead.iter_mut().for_each(|node| node.prepare(0, CARDS));
        // Two rounds of talk, and the table begins.
        for _ in 0..2 {
            let said: Vec<_> = ahead
                .iter_mut()
                .flat_map(|node| {
                    let me = node.me();
                    node.take_outbox().into_iter().map(move |message| (me, message))
                })
                .collect();
            for (from, message) in said {
                ahead.iter_mut().for_each(|node| assert_eq!(node.receive_ahead(from, message.clone()), Verdict::Valid));
            }
        }
        assert!(!ahead[0].ledger().is_shuffled(0));
        let mut room = Room::<Holdem>::with(terms, &table_of::<Holdem>(players), ahead);
        room.play(&mut Room::random, &mut |_, said| vec![said]);
        assert_eq!(room.agreed().0.broken_off, None);
    }
}

#[test]
fn somebody_who_is_late_before_a_table_begins_is_left_out_of_the_keys() {
    let terms = terms(4, Keepers::Players { threshold: 3 });
    let mut ahead = nodes(terms);
    ahead.iter_mut().for_each(|node| node.prepare(0, CARDS));
    talk(&mut ahead, Some(by(2)));
    for node in &mut ahead {
        assert_eq!(node.ledger().missing_ahead(), [(by(2), Duty::Key)]);
        assert!(!node.late_ahead(by(1)), "nobody waits for it");
        assert!(node.late_ahead(by(2)));
        assert!(!node.late_ahead(by(2)));
    }
    talk(&mut ahead, Some(by(2)));
    assert!(ahead.iter().all(|node| node.ledger().is_shuffled(0)));
    let mut room = Room::<Holdem>::with(terms, &table_of::<Holdem>(4), ahead);
    room.play(&mut Room::random, &mut |_, said| vec![said]);
    let (outcome, blamed) = room.agreed();
    assert_eq!((outcome.broken_off, blamed), (None, vec![by(2)]));
    assert_eq!(outcome.away, Seats::one(Seat::new(2).unwrap()));
}

#[test]
fn without_a_table_nobody_answers_about_cards() {
    let terms = terms(3, Keepers::EveryPlayer);
    let mut room = Room::<Holdem>::of(terms, &table_of::<Holdem>(3));
    room.play(&mut Room::random, &mut |_, said| vec![said]);
    let shares = room.said_in(|place| matches!(place, Place::Shares(_))).remove(0);
    let mut ahead = nodes(terms);
    assert_eq!(ahead[0].receive_ahead(by(1), shares), Verdict::Void(Void::NotAwaited));
}

/// A table of four without one of them, who has no part in the keys.
fn goes_on_without_an_absent_seat<G: Game>() {
    let out = Seat::new(1).unwrap();
    for keepers in [Keepers::EveryPlayer, Keepers::Players { threshold: 2 }] {
        let terms = Terms { players: Seats::first(4).without(out), ..terms(4, keepers) };
        let mut table = table_of::<G>(4);
        table.leave(table.height(), out, Leaving::Away).unwrap();
        let mut room = Room::<G>::of(terms, &table);
        let mut moves = 0;
        room.play(
            &mut |room, seat| {
                moves += 1;
                Room::random(room, seat).filter(|_| moves < 150)
            },
            &mut |_, said| vec![said],
        );
        // A game that takes too long at random is not played to its end.
        if room.replicas[0].table().outcome().is_some() {
            let (outcome, blamed) = room.agreed();
            assert_eq!((outcome.broken_off, blamed, outcome.away), (None, Vec::new(), Seats::one(out)), "{}", G::NAME);
        } else {
            assert!(moves >= 150, "{}: {:?}", G::NAME, room.missing());
        }
    }
}

#[test]
fn every_game_goes_on_without_a_seat_that_has_no_part_in_the_keys() {
    goes_on_without_an_absent_seat::<Blackout>();
    goes_on_without_an_absent_seat::<Holdem>();
    goes_on_without_an_absent_seat::<Blackjack>();
    goes_on_without_an_absent_seat::<Ongdu>();
    goes_on_without_an_absent_seat::<BigC>();
    goes_on_without_an_absent_seat::<Romme>();
}

#[test]
fn keys_outlive_a_deal_as_long_as_their_deck_does() {
    let settings = <Blackjack as Game>::Settings::default();
    let mut series = Blackjack::start(&settings, 3).unwrap();
    let rules = |setup| <Blackjack as Game>::Rules::deal(&setup).unwrap();
    let table = table::Table::new(rules(series.next(0).unwrap()), table::Height(0));
    let mut room = Room::<Blackjack>::of(terms(3, Keepers::EveryPlayer), &table);
    for round in 0..3 {
        room.play(&mut Room::random, &mut |_, said| vec![said]);
        let (outcome, _) = room.agreed();
        assert_eq!(outcome.broken_off, None);
        // The shoe is shuffled once, and the keys are made once.
        assert_eq!(room.said_in(is_about_keys_or_decks).len(), 6, "round {round}");
        let table = room.replicas[0].table();
        series.finish(table.rules(), &outcome);
        let mut next = table.clone();
        next.next_deal(rules(series.next(table.rules().decks().end).unwrap()));
        room.replicas.iter_mut().for_each(|replica| replica.next_deal(next.clone()));
    }
}

#[test]
fn a_broken_key_set_breaks_every_further_deal_off() {
    let terms = terms(3, Keepers::EveryPlayer);
    let mut room = Room::<Holdem>::of(terms, &table_of::<Holdem>(3));
    room.play(&mut |_: &Room<Holdem>, _: Seat| None, &mut |_, said| vec![said]);
    let (late, duty) = room.missing()[0];
    assert_eq!(duty, Duty::Act);
    assert!(room.late(late));
    assert!(room.agreed().0.broken_off.is_some());
    let replica = room.replicas.remove(0);
    let again = Replica::new(table_of::<Holdem>(3), replica.into_node());
    let By::Seat(seat) = late else { panic!("a player") };
    assert_eq!(again.table().outcome().unwrap().broken_off, Some(Breakdown::Vanished(Seats::one(seat))));
}

#[test]
fn every_set_of_keys_has_its_own_seed_and_earlier_ones_are_forgotten() {
    let mut seeds = Seeds::new([5; 32]);
    let first = *seeds.next_seed();
    let kept = *seeds.state();
    let second = *seeds.next_seed();
    assert!(first != second && kept != [5; 32] && ![first, second].contains(&kept));
    // After a restart it goes on from what was kept, and the first is nowhere in it.
    assert_eq!(*Seeds::new(kept).next_seed(), second);
    assert_eq!(format!("{seeds:?}"), "Seeds(..)");
}
