//! Laying cards out before an arrangement is chosen.

use cards::parse_cards;
use table::Slot;

use crate::Held;
use crate::ongdu::{Class, Laying, Places, Preset};

fn hand(cards: &str) -> Vec<Held> {
    let cards = parse_cards(cards).unwrap();
    (0..).zip(cards).map(|(n, card)| Held { slot: Slot::new(0, n), card: Some(card) }).collect()
}

fn slot(n: u16) -> Slot {
    Slot::new(0, n)
}

#[test]
fn a_place_that_is_taken_gives_its_card_back() {
    let mut places = Places::default();
    places.put(slot(0), 4);
    places.put(slot(1), 4);
    assert_eq!((places.card(4), places.has(slot(0))), (Some(slot(1)), false));
}

#[test]
fn cards_that_lie_somewhere_are_exchanged() {
    let mut places = Places::default();
    places.put(slot(0), 0);
    places.put(slot(1), 8);
    places.put(slot(0), 8);
    assert_eq!((places.card(0), places.card(8)), (Some(slot(1)), Some(slot(0))));
    places.swap(0, 8);
    places.swap(0, 5);
    assert_eq!((places.card(0), places.card(5), places.card(8)), (None, Some(slot(0)), Some(slot(1))));
    assert_eq!(places.count(), 2);
}

#[test]
fn a_layer_takes_three_cards_and_no_more() {
    let mut places = Places::default();
    places.put(slot(9), 4);
    assert_eq!(places.fill(1, &[slot(0), slot(1), slot(2)]), 1);
    assert_eq!(places.layer(1), [Some(slot(0)), Some(slot(9)), Some(slot(1))]);
    assert!(places.arrangement().is_err());
}

#[test]
fn a_wrong_order_is_noticed_as_soon_as_two_layers_are_complete_and_can_be_put_right() {
    let hand = hand("7s 7h 7d 2s 2h 5d Ks Qh Jd");
    let mut places = Places::default();
    let slots: Vec<Slot> = (0..9).map(slot).collect();
    places.fill(0, &slots[..3]);
    assert_eq!(places.disorder(&hand, Preset::Seed), None);
    places.fill(2, &slots[6..]);
    assert_eq!(places.disorder(&hand, Preset::Seed), Some((0, 2)));
    places.fill(1, &slots[3..6]);
    assert_eq!(places.whole(&hand, Preset::Seed).unwrap().class, Class::Foul);
    places.order(&hand, Preset::Seed);
    assert_eq!(places.disorder(&hand, Preset::Seed), None);
    let names = [0, 1, 2].map(|layer| places.rank(layer, &hand, Preset::Seed).unwrap().to_string());
    assert_eq!(names, ["sum 9", "jack, queen, king", "three sevens"]);
    assert_eq!(places.layer(2), [Some(slot(0)), Some(slot(1)), Some(slot(2))]);
}

#[test]
fn the_best_way_lays_every_card_once_wildcards_too() {
    let nine = hand("JK JK 7d 2s 2h 5d Ks Qh JK");
    let (discard, places) = Places::best(&nine, Preset::Seed).unwrap();
    assert_eq!((discard, places.count()), (None, 9));
    assert!(nine.iter().all(|held| places.has(held.slot)));
    assert_eq!(places.disorder(&nine, Preset::Seed), None);
    let ten = hand("7s 7h 7d 2s 2h 5d Ks Qh Jd 3c");
    let (discard, places) = Places::best(&ten, Preset::Seed).unwrap();
    assert!(!places.has(discard.unwrap()));
}

#[test]
fn cards_of_an_earlier_deal_lie_nowhere() {
    let mut places = Places::default();
    places.put(Slot::new(3, 1), 0);
    places.put(slot(1), 1);
    let now = places.within(&hand("7s 7h 7d"));
    assert_eq!((now.card(0), now.card(1)), (None, Some(slot(1))));
}

#[test]
fn places_from_elsewhere_name_no_card_twice() {
    let mut wild = serde_json::to_value(Places::default()).unwrap();
    wild["at"][0] = "0:1".into();
    wild["at"][4] = "0:1".into();
    wild["picked"] = 77.into();
    let places: Places = serde_json::from_value(wild).unwrap();
    let now = places.within(&hand("7s 7h 7d"));
    assert_eq!((now.card(0), now.card(4), now.picked), (Some(slot(1)), None, None));
}

#[test]
fn choosing_a_place_lays_what_is_marked_or_exchanges_two_places() {
    let mut places = Places::default();
    assert_eq!(places.choose(3, &[slot(0), slot(1), slot(2), slot(5)]), [slot(5)]);
    assert_eq!(places.layer(1), [Some(slot(0)), Some(slot(1)), Some(slot(2))]);
    assert_eq!(places.choose(5, &[]), []);
    assert_eq!(places.picked, Some(5));
    assert_eq!(places.choose(8, &[]), []);
    assert_eq!((places.card(5), places.card(8), places.picked), (None, Some(slot(2)), None));
}

#[test]
fn what_was_done_can_be_taken_back() {
    let hand = hand("7s 7h 7d");
    let mut laying = Laying::default();
    let (mut one, mut two) = (Places::default(), Places::default());
    one.put(slot(1), 1);
    two.put(slot(2), 2);
    laying.change(one);
    laying.change(two);
    let mut picked = two;
    picked.picked = Some(3);
    laying.change(picked);
    laying.undo(&hand);
    assert_eq!(laying.now, two, "picking a place is taken back first");
    laying.undo(&hand);
    assert_eq!(laying.now, one);
    laying.undo(&hand);
    laying.undo(&hand);
    assert_eq!(laying.now, Places::default());
}
