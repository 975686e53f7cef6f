//! The hands that are listed, against every choice of cards there is.

use std::collections::BTreeSet;

use cards::{Card, parse_cards};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use table::{Draw as _, Slot};

use crate::Held;
use crate::bigc::score::at_place;
use crate::bigc::{Class, Footstool, Hand, Options, classify, on_top, place};

/// What a hand is, by all that a player can want of it.
type Kind = (Class, Vec<u8>, Footstool);

fn options(hand: &[Card], beat: Option<Hand>, two_joker_triple_low: bool) -> Options {
    let held = (0..).zip(hand).map(|(i, card)| Held { slot: Slot::new(0, i), card: Some(*card) });
    Options::new(held, beat, two_joker_triple_low)
}

fn kind(hand: &Hand, footstool: Footstool) -> Kind {
    (hand.class(), hand.key().iter().map(|card| card.code()).collect(), footstool)
}

fn listed(options: &Options) -> BTreeSet<Kind> {
    let mut found = BTreeSet::new();
    for size in [1, 2, 3, 5] {
        options.each(size, |playable| {
            assert_eq!(playable.cards.len(), size);
            assert!(playable.cards.iter().collect::<BTreeSet<_>>().len() == usize::from(size), "a card is there twice");
            found.insert(kind(&playable.hand, playable.footstool));
        });
    }
    found
}

/// The same by trying all cards.
fn tried(hand: &[Card], beat: Option<&Hand>, two_joker_triple_low: bool) -> BTreeSet<Kind> {
    let mut found = BTreeSet::new();
    for set in 1u32..1 << hand.len() {
        let cards: Vec<Card> = hand.iter().zip(0..).filter(|(_, i)| set >> i & 1 == 1).map(|(card, _)| *card).collect();
        let Ok(new) = classify(&cards) else { continue };
        let footstool = match beat {
            None => Some(Footstool::None),
            Some(beat) => on_top(&new, beat, two_joker_triple_low),
        };
        found.extend(footstool.map(|footstool| kind(&new, footstool)));
    }
    found
}

#[test]
fn a_half_footstool_by_another_kicker_is_listed() {
    let beat = classify(&parse_cards("4C 5C 6C 7C 8S").unwrap()).unwrap();
    let hand = parse_cards("6D 7D 8D 8H 9D 9H JK").unwrap();
    let options = options(&hand, Some(beat), false);
    let mut wanted = parse_cards("6D 7D 8H 9D JK").unwrap();
    wanted.sort_unstable();
    let halves = options.list(100).into_iter().filter(|playable| playable.footstool == Footstool::Half);
    let halves: Vec<Vec<Card>> = halves
        .map(|playable| {
            let mut cards: Vec<Card> = playable.cards.iter().filter_map(|slot| options.card(slot)).collect();
            cards.sort_unstable();
            cards
        })
        .collect();
    assert!(halves.contains(&wanted), "{halves:?}");
}

/// Hands of few ranks and suits have many copies, pairs and straights in them.
fn random_hand(rng: &mut ChaCha8Rng, cards: u32) -> Vec<Card> {
    let first = rng.below(13);
    let (ranks, suits) = (2 + rng.below(12).min(10), 1 + rng.below(4));
    let jokers = rng.below(4);
    let one = |rng: &mut ChaCha8Rng| {
        if jokers > 0 && rng.below(8) < jokers {
            return Card::JOKER;
        }
        let rank = "23456789TJQKA".as_bytes()[usize::try_from((first + rng.below(ranks)) % 13).unwrap()];
        let suit = "DCHS".as_bytes()[usize::try_from(rng.below(suits)).unwrap()];
        String::from_utf8(vec![rank, suit]).unwrap().parse().unwrap()
    };
    (0..cards).map(|_| one(rng)).collect()
}

/// A hand that some of these cards can answer, often by a footstool: made of cards of the same or of the next lower
/// places.
fn similar(rng: &mut ChaCha8Rng, hand: &[Card]) -> Option<Hand> {
    let size = [1, 2, 3, 5, 5, 5, 5][usize::try_from(rng.below(7)).unwrap()];
    let (down, mut cards) = (rng.one_in(2), hand.to_vec());
    (0..30).find_map(|_| {
        (0..size).for_each(|i| cards.swap(i, i + usize::try_from(rng.below(1000)).unwrap() % (hand.len() - i)));
        let lower = |card: &Card| if down && place(*card) > 1 { at_place(place(*card) - 1) } else { *card };
        classify(&cards[..size].iter().map(lower).collect::<Vec<_>>()).ok()
    })
}

#[test]
fn every_class_key_and_footstool_that_the_cards_can_make_is_listed() {
    let mut rng = ChaCha8Rng::from_seed([7; 32]);
    let (mut hands, mut footstools) = (0, 0);
    for _ in 0..dealers::laws::times(3_000, 100_000) {
        let cards = 5 + rng.below(6);
        let hand = random_hand(&mut rng, cards);
        let low = rng.one_in(2);
        let beat = if rng.one_in(4) { None } else { similar(&mut rng, &hand) };
        let all = tried(&hand, beat.as_ref(), low);
        let found = listed(&options(&hand, beat, low));
        let missing: Vec<_> = all.difference(&found).collect();
        let wrong: Vec<_> = found.difference(&all).collect();
        assert!(missing.is_empty() && wrong.is_empty(), "{hand:?} on {beat:?}: without {missing:?}, besides {wrong:?}");
        hands += all.len();
        footstools += all.iter().filter(|(.., footstool)| *footstool != Footstool::None).count();
    }
    assert!(hands > 10_000 && footstools > 1_000, "{hands} hands, {footstools} footstools: too few to say anything");
}

#[test]
fn a_list_that_is_cut_has_every_class_in_it() {
    let hand = parse_cards("3D 4D 5D 6D 7D 7C 7H 7S KC KD KS 2S JK JK 9D 9C 9H 8S 8D TD").unwrap();
    let options = options(&hand, None, false);
    let classes = |most| options.list(most).iter().map(|playable| playable.hand.class()).collect::<BTreeSet<_>>();
    assert_eq!(options.list(100).len(), 100);
    assert!(options.list(usize::MAX).len() > 500);
    assert_eq!(classes(100), classes(usize::MAX));
    assert_eq!(classes(100).len(), 10);
    assert!(options.list(100).windows(2).all(|pair| pair[0].cards.len() <= pair[1].cards.len()));
    assert_eq!(options.list(3).len(), 3);
}
