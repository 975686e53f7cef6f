//! When several parties deal together, nobody sees more than they should: not in the messages they receive, not in
//! the faces that follow from them, and not by working together with fewer others than can open a card.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod replicas;

use dealers::joint::{Keepers, Node};
use dealers::laws::times;
use games::{blackout::Blackout, holdem::Holdem, romme::Romme};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use replicas::{Hall, Noted, Orders, PLAYERS, TABLES, shape};
use table::record::By;
use table::{Awaiting, Draw as _, Eye, Game, Rules, Seat, Slot};

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

/// Everything that one hears: from whom, where in the protocol, and how long; and what it sees each time
/// that the table moves on.
#[derive(Default)]
struct Seen {
    heard: Vec<String>,
    views: Vec<(u64, [u8; 32], String)>,
}

/// Plays until this seat's table is at this height.
fn play_until<R: Rules>(hall: &mut Hall<R>, third: Seat, stop: u64) -> Seen {
    let place = hall.place(third);
    let mut seen = Seen::default();
    loop {
        let went_on = hall.step();
        let replica = &hall.replicas[place];
        let (table, height) = (replica.table(), replica.table().height().0);
        if seen.views.last().is_none_or(|(before, ..)| *before != height) {
            let view = serde_json::to_string(&table.rules().view(replica.known(), Eye::Seat(third))).unwrap();
            seen.views.push((height, table.state_hash(), view));
        }
        if !went_on || height >= stop || table.awaiting() == Awaiting::Over {
            break;
        }
    }
    seen.heard = hall.logs[place]
        .iter()
        .map(|noted| match noted {
            Noted::Said(said) => format!("says {}", shape::<R>(said)),
            Noted::Heard(by, said) => format!("{by}: {}", shape::<R>(said)),
        })
        .collect();
    seen
}

/// Two closed cards of one hand, or of a hand and the rest of the deck, are exchanged; nobody else can tell.
fn exchanging_closed_cards_is_not_seen<G: Game>() {
    let settings = G::Settings::default();
    let mut exchanged = 0;
    for number in 0..u8::try_from(times(4, 40)).unwrap() {
        for keepers in TABLES {
            let mut rng = ChaCha8Rng::seed_from_u64(number.into());
            let (owner, third) = (seat(number % PLAYERS), seat((number + 1) % PLAYERS));
            let stop = 1 + u64::from(rng.below(10));
            let mut orders = Orders::new();
            let hall = |orders: &Orders| Hall::new::<G>(&settings, PLAYERS, keepers, number, Some(orders.clone()));
            let mut one = hall(&orders);
            // The first deck is in some order, not in that of the pack.
            one.step();
            for (deck, len) in &one.packs {
                let mut order: Vec<u16> = (0..*len).collect();
                for i in (1..*len).rev() {
                    order.swap(usize::from(i), usize::try_from(rng.below(u32::from(i) + 1)).unwrap());
                }
                orders.insert(*deck, order);
            }
            let mut one = hall(&orders);
            let seen = play_until(&mut one, third, stop);

            let replica = &one.replicas[one.place(owner)];
            let closed = |slot: &Slot| {
                one.replicas.iter().all(|replica| {
                    replica.table().open().get(*slot).is_none() && replica.node().ledger().opened().get(*slot).is_none()
                })
            };
            let hand: Vec<Slot> = replica.node().own().iter().map(|(slot, _)| slot).filter(closed).collect();
            let Some(a) = rng.any(&hand).copied() else { continue };
            let others: Vec<Slot> = (0..one.packs.get(&a.deck).copied().unwrap_or(0))
                .map(|index| Slot::new(a.deck, index))
                .filter(|slot| *slot != a && closed(slot))
                .filter(|slot| {
                    (rng.one_in(2) || hand.contains(slot))
                        && one.replicas[one.place(third)].node().own().get(*slot).is_none()
                })
                .collect();
            let Some(b) = rng.any(&others).copied() else { continue };
            let len = one.packs[&a.deck];
            let order = orders.entry(a.deck).or_insert_with(|| (0..len).collect());
            order.swap(a.index.into(), b.index.into());
            let mut two = hall(&orders);
            two.script.clone_from(&one.script);
            let other = play_until(&mut two, third, stop);
            let name = format!("{}, {a} and {b} exchanged, up to {stop}", one.name);
            let own = |hall: &Hall<G::Rules>| hall.replicas[hall.place(owner)].node().own().get(a);
            let same_face = own(&one) == own(&two);
            assert!(own(&two).is_some(), "{name}: it was not dealt");
            assert_eq!(other.heard, seen.heard, "{name}: {third} hears something else");
            assert!(other.views == seen.views, "{name}: {third} sees {:?}, not {:?}", other.views, seen.views);
            exchanged += u32::from(!same_face);
        }
    }
    assert!(exchanged > times(4, 40), "{}: hardly ever exchanged: {exchanged}", G::NAME);
}

#[test]
fn nobody_sees_which_closed_cards_another_has_in_holdem() {
    exchanging_closed_cards_is_not_seen::<Holdem>();
}

#[test]
fn nobody_sees_which_closed_cards_another_has_in_blackout() {
    exchanging_closed_cards_is_not_seen::<Blackout>();
}

#[test]
fn nobody_sees_which_closed_cards_another_has_in_romme() {
    exchanging_closed_cards_is_not_seen::<Romme>();
}

/// Cards are dealt and none is shown. Who can read a card of the first seat?
fn dealt(players: u8, keepers: Keepers, number: u8) -> (Hall<<Holdem as Game>::Rules>, Vec<Slot>) {
    let mut hall = Hall::new::<Holdem>(&Default::default(), players, keepers, number, None);
    let owner = hall.place(seat(0));
    while hall.replicas.iter().any(|replica| !matches!(replica.table().awaiting(), Awaiting::Turn(_))) {
        assert!(hall.step(), "{}: it does not go on", hall.name);
    }
    let slots: Vec<Slot> = hall.replicas[owner].node().own().iter().map(|(slot, _)| slot).collect();
    let open = hall.replicas[owner].table().open();
    let closed: Vec<Slot> = slots.into_iter().filter(|slot| open.get(*slot).is_none()).collect();
    assert_eq!(closed.len(), 2, "{}", hall.name);
    (hall, closed)
}

#[test]
fn only_its_owner_reads_a_card_with_what_everybody_hears() {
    for number in 0..3 {
        for keepers in TABLES {
            let (hall, slots) = dealt(PLAYERS, keepers, number);
            for slot in slots {
                for replica in &hall.replicas {
                    let owner = replica.node().me() == By::Seat(seat(0));
                    let face = replica.node().own().get(slot);
                    let name = format!("{}: {slot} by {}", hall.name, replica.node().me());
                    assert_eq!(face.is_some(), owner, "{name}");
                    assert_eq!(Node::pry(&[replica.node()], slot), face, "{name}");
                }
            }
        }
    }
}

#[test]
fn as_many_as_can_open_a_card_can_read_it_together_and_fewer_cannot() {
    for number in 0..2 {
        for (players, keepers, needed) in [
            (4, Keepers::EveryPlayer, 4),
            (4, Keepers::Players { threshold: 3 }, 3),
            (4, Keepers::Players { threshold: 2 }, 2),
            (3, Keepers::Committee { members: 4, threshold: 3 }, 3),
            (3, Keepers::Committee { members: 5, threshold: 4 }, 4),
        ] {
            let (hall, slots) = dealt(players, keepers, number);
            let members: Vec<&Node> = hall
                .replicas
                .iter()
                .map(|replica| replica.node())
                .filter(|node| node.ledger().terms().is_member(node.me()))
                .collect();
            for slot in slots {
                let face = hall.replicas[hall.place(seat(0))].node().own().get(slot);
                for set in 1_u32..1 << members.len() {
                    let together: Vec<&Node> =
                        members.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, node)| *node).collect();
                    let owner = together.iter().any(|node| node.me() == By::Seat(seat(0)));
                    let read = Node::pry(&together, slot);
                    let expected = face.filter(|_| owner || together.len() >= needed);
                    assert_eq!(read, expected, "{}: {slot} by {} of them, {set:b}", hall.name, together.len());
                }
            }
        }
    }
}
