//! Finding melds in hands, against trying every subset.

use cards::{Card, Pack, Rank, Suit};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::{Draw as _, Slot};

use crate::romme::meld::{Part, Shape};
use crate::romme::partition::{self, Goal, Pool, is_half_a_meld};
use crate::romme::score::in_hand;

use super::{card, cards};

fn pool(hand: &[Card]) -> Pool {
    hand.iter().fold(Pool::default(), |pool, card| pool.with(*card))
}

fn best(text: &str, least: u16, keep: bool) -> Option<(u16, u16)> {
    partition::best(pool(&cards(text)), Goal { least, keep }).map(|plan| (plan.points, plan.left))
}

#[test]
fn several_melds_are_put_together_for_an_opening() {
    assert_eq!(best("7S 7H 7D 3C 4C 5C 2D", 30, true), Some((33, 2)));
    assert_eq!(best("7S 7H 7D 3C 4C 2D", 30, true), None);
    assert_eq!(best("KS KH JK 2D", 30, true), Some((30, 2)));
    assert_eq!(best("KS JK JK 2D", 30, true), None);
}

#[test]
fn the_last_card_is_kept_where_it_must_be() {
    assert_eq!(best("QC QH QS", 30, true), None);
    assert_eq!(best("QC QH QS", 30, false), Some((30, 0)));
    assert_eq!(best("QC QH QS QD", 30, true), Some((30, 10)));
    assert_eq!(best("QC QH QS QD", 30, false), Some((40, 0)));
}

#[test]
fn cards_held_twice_can_lie_in_two_melds() {
    assert_eq!(best("7S 7H 7D 7S 8S 9S 2C", 0, true), Some((45, 2)));
    assert_eq!(best("7S 7H 7D 7S 7H 7D 2C", 0, true), Some((42, 2)));
}

#[test]
fn the_search_ends_with_all_jokers_in_hand() {
    let hand = "2S 3S 5S 6S 8S 9S JS QS JK JK JK JK JK JK";
    let plan = partition::best(pool(&cards(hand)), Goal { least: 30, keep: true }).unwrap();
    assert!(plan.left <= 20, "{plan:?}");
    let near = "4C 4D 5C 5D 6C 6D 7C 7D JK JK JK JK JK JK";
    assert!(partition::best(pool(&cards(near)), Goal { least: 30, keep: true }).is_some());
}

#[test]
fn cards_are_near_each_other_in_rank_or_suit() {
    for (a, b, expected) in [
        ("7S", "7H", true),
        ("7S", "7S", false),
        ("7S", "8S", true),
        ("7S", "9S", true),
        ("7S", "TS", false),
        ("AS", "2S", true),
        ("AS", "3S", true),
        ("AS", "QS", true),
        ("KS", "2S", false),
        ("7S", "8H", false),
        ("JK", "8H", false),
    ] {
        assert_eq!(is_half_a_meld(card(a), card(b)), expected, "{a} {b}");
    }
}

/// A way to lay some cards of a hand as one meld: which, for how many points, and what its jokers stand for.
struct Way {
    cards: usize,
    points: u16,
    named: Vec<Card>,
}

/// Every way to lay exactly these cards as one meld.
fn as_one_meld(cards: usize, hand: &[Card]) -> Vec<Way> {
    let part = |face: Card, stands_for| Part { slot: Slot::default(), face, stands_for };
    let row: Vec<Rank> = core::iter::once(Rank::Ace).chain(Rank::ALL).collect();
    let suit = hand.iter().find_map(|card| card.suit()).unwrap_or(Suit::Clubs);
    let set: Vec<Part> = hand.iter().map(|face| part(*face, None)).collect();
    let runs = row.windows(hand.len().clamp(1, 13)).filter_map(|window| {
        let mut jokers = hand.iter().filter(|card| card.is_joker());
        let mut used = Vec::new();
        for rank in window {
            let wanted = Card::new(*rank, suit);
            used.push(if hand.contains(&wanted) { part(wanted, None) } else { part(*jokers.next()?, Some(wanted)) });
        }
        let all = used.iter().filter(|p| !p.face.is_joker()).count() == hand.iter().filter(|c| !c.is_joker()).count();
        Some(used).filter(|_| all)
    });
    let ways = runs.chain([set]).filter_map(|parts| {
        let points = Shape::new(&parts).ok()?.points();
        Some(Way { cards, points, named: parts.iter().filter_map(|p| p.stands_for).collect() })
    });
    ways.collect()
}

/// The fewest points that can be left, by trying every choice of subsets in which no joker stands for a
/// card that stays in hand.
fn fewest_left(hand: &[Card], goal: Goal) -> Option<u16> {
    let subset = |set: usize| -> Vec<Card> {
        hand.iter().enumerate().filter(|(i, _)| set & (1 << i) != 0).map(|(_, card)| *card).collect()
    };
    let ways: Vec<Way> = (1..1usize << hand.len()).flat_map(|set| as_one_meld(set, &subset(set))).collect();
    let all = (1 << hand.len()) - 1;
    let mut least = None;
    let mut open: Vec<(usize, Vec<&Way>)> = vec![(0, Vec::new())];
    while let Some((next, chosen)) = open.pop() {
        let used: usize = chosen.iter().map(|way| way.cards).sum();
        let left = subset(all & !used);
        let enough = !chosen.is_empty() && chosen.iter().map(|way| way.points).sum::<u16>() >= goal.least;
        let for_nothing = chosen.iter().flat_map(|way| &way.named).any(|card| left.contains(card));
        if enough && !for_nothing && !(goal.keep && left.is_empty()) {
            let points: u16 = left.iter().map(|card| in_hand(*card)).sum();
            least = Some(least.map_or(points, |least: u16| least.min(points)));
        }
        for (i, way) in ways.iter().enumerate().skip(next).filter(|(_, way)| way.cards & used == 0) {
            open.push((i + 1, [chosen.as_slice(), &[way]].concat()));
        }
    }
    least
}

#[test]
fn the_best_melds_are_as_good_as_any_choice_of_subsets() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let pack: Vec<Card> = Pack::cards(2, 6).unwrap().faces().collect();
    // Few ranks make melds likely.
    let narrow: Vec<Card> =
        pack.iter().copied().filter(|c| c.rank().is_none_or(|r| r >= Rank::Nine || r <= Rank::Two)).collect();
    let mut found = 0;
    for n in 0..1200 {
        let mut from = if n % 3 == 0 { pack.clone() } else { narrow.clone() };
        let size = 4 + n % 6;
        let hand: Vec<Card> = (0..size)
            .map(|_| from.swap_remove(usize::try_from(rng.below(u32::try_from(from.len()).unwrap())).unwrap()))
            .collect();
        for goal in [Goal { least: 0, keep: false }, Goal { least: 0, keep: true }, Goal { least: 30, keep: true }] {
            let plan = partition::best(pool(&hand), goal);
            assert_eq!(plan.map(|plan| plan.left), fewest_left(&hand, goal), "{hand:?} {goal:?}");
            found += usize::from(plan.is_some());
        }
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn every_meld_listed_is_one_and_none_is_listed_twice() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..500 {
        let mut pack: Vec<Card> = Pack::cards(2, 6).unwrap().faces().collect();
        let hand: Vec<Card> = (0..14)
            .map(|_| pack.swap_remove(usize::try_from(rng.below(u32::try_from(pack.len()).unwrap())).unwrap()))
            .collect();
        let shapes: Vec<Shape> = pool(&hand).melds().collect();
        for (i, shape) in shapes.iter().enumerate() {
            assert!(!shapes[..i].contains(shape), "{hand:?}: {shape:?} twice");
            let parts =
                partition::laid(*shape).map(|(face, stands_for)| Part { slot: Slot::default(), face, stands_for });
            assert_eq!(Shape::new(&parts.collect::<Vec<_>>()), Ok(*shape));
            let mut rest = hand.clone();
            for (face, _) in partition::laid(*shape) {
                let at = rest.iter().position(|card| *card == face).expect("only cards that are held");
                rest.remove(at);
            }
        }
    }
}
