//! The computer's arrangement.

use cards::{Card, Pack, parse_cards};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::Draw;

use crate::ongdu::arrange::OFTEN;
use crate::ongdu::score::hand;
use crate::ongdu::{Class, HandRank, LayerRank, Preset, best_arrangement};

fn random_cards(rng: &mut ChaCha8Rng, number: usize) -> Vec<Card> {
    let mut pack: Vec<Card> = Pack::ONGDU.faces().collect();
    (0..number)
        .map(|_| pack.swap_remove(usize::try_from(rng.below(u32::try_from(pack.len()).unwrap())).unwrap()))
        .collect()
}

/// All 1680 divisions of nine cards in three layers.
fn divisions(cards: &[Card]) -> Vec<[[Card; 3]; 3]> {
    let mut all = Vec::new();
    for code in 0..3u32.pow(9) {
        let mut layers = [const { Vec::new() }; 3];
        for (card, digit) in cards.iter().zip((0..9).map(|i| code / 3u32.pow(i) % 3)) {
            layers[usize::try_from(digit).unwrap()].push(*card);
        }
        if layers.iter().all(|layer: &Vec<Card>| layer.len() == 3) {
            all.push(layers.map(|layer| layer.try_into().unwrap()));
        }
    }
    assert_eq!(all.len(), 1680);
    all
}

#[test]
fn the_best_arrangement_is_valid_special_if_possible_and_never_simply_worse_than_another() {
    let mut rng = ChaCha8Rng::from_seed([1; 32]);
    for round in 0..60 {
        let preset = if round % 2 == 0 { Preset::Seed } else { Preset::Author };
        let cards = random_cards(&mut rng, 9);
        let best = best_arrangement(&cards, preset).unwrap();
        let (mut given, mut used) = (cards.clone(), best.layers.as_flattened().to_vec());
        given.sort();
        used.sort();
        assert_eq!(used, given);
        let ranked = divisions(&cards).into_iter().map(|layers| hand(layers, preset));
        let valid: Vec<HandRank> = ranked.filter(|rank| rank.class != Class::Foul).collect();
        assert!(!valid.is_empty(), "{cards:?}");
        assert_ne!(best.rank.class, Class::Foul, "{cards:?}");
        let special = valid.iter().any(|rank| rank.class != Class::Plain);
        assert_eq!(best.rank.class != Class::Plain, special, "{cards:?}");
        if special {
            continue;
        }
        for other in valid {
            let pairs = || other.layers.iter().zip(best.rank.layers);
            let richer = other.worth.iter().zip(best.rank.worth).all(|(other, best)| *other >= best);
            let simply_better =
                pairs().all(|(other, best)| *other >= best) && pairs().any(|(other, best)| *other > best);
            assert!(!(richer && simply_better), "{cards:?}: {other:?} is better than {:?}", best.rank);
        }
    }
}

#[test]
fn any_nine_cards_have_a_valid_arrangement() {
    let mut rng = ChaCha8Rng::from_seed([2; 32]);
    for _ in 0..3000 {
        let cards = random_cards(&mut rng, 9);
        assert_ne!(best_arrangement(&cards, Preset::Seed).unwrap().rank.class, Class::Foul, "{cards:?}");
    }
}

#[test]
fn of_ten_cards_the_best_nine_are_kept() {
    // Without the five there is a special hand.
    let cards = parse_cards("9C TC JC 5D 9D TD JD JH QH KH").unwrap();
    let best = best_arrangement(&cards, Preset::Seed).unwrap();
    assert_eq!(best.discard, Some(Card::new(cards::Rank::Five, cards::Suit::Diamonds)));
    assert!(matches!(best.rank.class, Class::Special(_)));
    let mut rng = ChaCha8Rng::from_seed([3; 32]);
    for _ in 0..50 {
        let cards = random_cards(&mut rng, 10);
        let best = best_arrangement(&cards, Preset::Seed).unwrap();
        assert_ne!(best.rank.class, Class::Foul);
        let mut used = best.layers.as_flattened().to_vec();
        used.extend(best.discard);
        used.sort();
        let mut given = cards.clone();
        given.sort();
        assert_eq!(used, given);
        assert_eq!(best_arrangement(&cards, Preset::Seed), Some(best), "the same cards, the same arrangement");
    }
}

#[test]
fn other_numbers_of_cards_and_lots_are_not_arranged() {
    let cards: Vec<Card> = Card::naturals().take(11).collect();
    assert_eq!(best_arrangement(&cards, Preset::Seed), None);
    assert_eq!(best_arrangement(&cards[..8], Preset::Seed), None);
    let with_lot: Vec<Card> = cards[..8].iter().copied().chain(Card::lot(1)).collect();
    assert_eq!(best_arrangement(&with_lot, Preset::Seed), None);
}

#[test]
fn opponents_who_arrange_alike_have_the_layers_that_are_expected() {
    let mut rng = ChaCha8Rng::from_seed([4; 32]);
    let mut seen = [[0u32; LayerRank::COUNT]; 3];
    let mut hands = 0;
    for _ in 0..10_000 {
        let rank = best_arrangement(&random_cards(&mut rng, 9), Preset::Seed).unwrap().rank;
        if rank.class == Class::Plain {
            hands += 1;
            seen.iter_mut().zip(rank.layers).for_each(|(seen, layer)| seen[layer.place()] += 1);
        }
    }
    for (seen, expected) in seen.iter().zip(OFTEN) {
        let apart: u32 =
            seen.iter().zip(expected).map(|(seen, often)| (seen * 10_000 / hands).abs_diff(u32::from(often))).sum();
        assert!(apart < 800, "{apart} of 10,000 layers are elsewhere");
    }
}
