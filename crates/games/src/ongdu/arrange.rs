//! The arrangement a computer chooses, which also stands for players who ran out of time or left.
//!
//! Nine cards make 280 triples of layers; put in order of strength, each is a valid arrangement, and there
//! are no others but for exchanging equal layers. A special hand is taken where there is one, otherwise
//! what wins most points against an opponent who arranges the same way ([`OFTEN`]). It is a function of
//! the seat's own cards alone, so everybody who sees these finds the same.

use cards::Card;

use super::Preset;
use super::score::{HandRank, LayerRank, Makeup, hand, value_layer, worth};

/// How often a computer has each layer on top, in the middle and at the bottom, in 10,000 ordinary hands:
/// sums from 0 to 9; court cards; wild threes of two to ace; the two straights; threes of two to ace.
/// Found by letting it play against itself until this hardly changed.
pub(super) const OFTEN: [[u16; LayerRank::COUNT]; 3] = [
    [
        578, 579, 612, 716, 839, 810, 964, 1114, 1412, 2371, 4, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ],
    [
        0, 1, 3, 15, 154, 125, 128, 105, 140, 8432, 321, 0, 0, 0, 0, 0, 48, 46, 39, 42, 36, 38, 40, 37, 39, 8, 8, 7,
        36, 102, 29, 4, 4, 4, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0,
    ],
    [
        0, 0, 0, 0, 1, 2, 12, 3, 6, 4224, 1055, 0, 0, 0, 0, 0, 108, 133, 112, 99, 111, 134, 144, 120, 134, 59, 63, 61,
        163, 1400, 458, 104, 109, 109, 107, 105, 107, 107, 104, 112, 110, 111, 112, 112,
    ],
];

/// A hand well arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arranged {
    /// The card to lay aside, if there were ten.
    pub discard: Option<Card>,
    /// Top, middle and bottom.
    pub layers: [[Card; 3]; 3],
    /// What that is.
    pub rank: HandRank,
}

/// The best arrangement of nine cards, or of ten of which one is discarded; `None` for any other number or
/// if there is a lot among them.
///
/// ```
/// use games::ongdu::{Preset, best_arrangement};
/// let cards = cards::parse_cards("2C 2D 2H JS QS KS 9C TC TD").unwrap();
/// let best = best_arrangement(&cards, Preset::Seed).unwrap();
/// assert_eq!(best.rank.layers.map(|rank| rank.to_string()), ["sum 9", "jack, queen, king of one suit", "three twos"]);
/// ```
pub fn best_arrangement(cards: &[Card], preset: Preset) -> Option<Arranged> {
    if cards.iter().any(|card| card.pips().is_some()) {
        return None;
    }
    let tagged: Vec<(Card, Card)> = cards.iter().map(|card| (*card, *card)).collect();
    let (discard, layers) = match *tagged {
        [a, b, c, d, e, f, g, h, i] => (None, best_of_nine(&[a, b, c, d, e, f, g, h, i], preset)),
        [a, b, c, d, e, f, g, h, i, j] => {
            let (discard, layers) = best_of_ten(&[a, b, c, d, e, f, g, h, i, j], preset);
            (Some(discard), layers)
        }
        _ => return None,
    };
    Some(Arranged { discard, layers, rank: hand(layers, preset) })
}

/// The best layers of nine cards, each with something that tells which it is.
pub(super) fn best_of_nine<T: Copy>(cards: &[(T, Card); 9], preset: Preset) -> [[T; 3]; 3] {
    best(cards, &Odds::new(preset)).layers
}

/// What to lay aside of ten cards, and the best layers of the others.
pub(super) fn best_of_ten<T: Copy>(cards: &[(T, Card); 10], preset: Preset) -> (T, [[T; 3]; 3]) {
    let odds = Odds::new(preset);
    let [(first, _), rest @ ..] = cards;
    let mut found = (*first, best(rest, &odds));
    for (skip, (discard, _)) in cards.iter().enumerate().skip(1) {
        let candidate = best(&without(cards, &[skip]), &odds);
        if candidate.score > found.1.score {
            found = (*discard, candidate);
        }
    }
    (found.0, found.1.layers)
}

/// The best division found so far.
struct Best<T> {
    score: Score,
    layers: [[T; 3]; 3],
}

/// Whether it is special, what it can be expected to win, and where that is equal how strong its layers are.
type Score = (bool, i64, usize);

/// A layer on trial: its cards, how good it is, and the points for it.
type Trial<T> = ([(T, Card); 3], (LayerRank, u8));

fn best<T: Copy>(cards: &[(T, Card); 9], odds: &Odds) -> Best<T> {
    let trial = |layer: [(T, Card); 3]| (layer, value_layer(layer.map(|(_, card)| card), odds.preset));
    let [a, b, c, d, e, f, g, h, i] = *cards;
    let makeup = Makeup::of(&cards.map(|(_, card)| card));
    let mut found: Option<Best<T>> = None;
    each_triple(cards, |first, six: [(T, Card); 6]| {
        let first = trial(first);
        each_triple(&six, |second, third: [(T, Card); 3]| {
            let layers = in_order(first, trial(second), trial(third));
            let score = odds.score(makeup, layers.map(|(_, value)| value));
            if found.as_ref().is_none_or(|best| score > best.score) {
                found = Some(Best { score, layers: layers.map(|(cards, _)| cards.map(|(tag, _)| tag)) });
            }
        });
    });
    let any = [[a, b, c], [d, e, f], [g, h, i]].map(|layer| layer.map(|(tag, _)| tag));
    found.unwrap_or(Best { score: (false, 0, 0), layers: any })
}

/// Every way to take the first item and two others, with what remains. `M` is `N - 3`.
fn each_triple<I: Copy, const N: usize, const M: usize>(items: &[I; N], mut take: impl FnMut([I; 3], [I; M])) {
    let Some(first) = items.first() else { return };
    for (j, second) in items.iter().enumerate().skip(1) {
        for (k, third) in items.iter().enumerate().skip(j + 1) {
            take([*first, *second, *third], without(items, &[0, j, k]));
        }
    }
}

/// The items but those at these places.
fn without<I: Copy, const N: usize, const M: usize>(items: &[I; N], places: &[usize]) -> [I; M] {
    let mut rest = items.iter().enumerate().filter(|(i, _)| !places.contains(i)).map(|(_, item)| *item);
    core::array::from_fn(|_| rest.next().expect("as many places are left out as M is smaller than N"))
}

/// Three layers in order of strength.
fn in_order<T: Copy>(a: Trial<T>, b: Trial<T>, c: Trial<T>) -> [Trial<T>; 3] {
    let mut layers = [a, b, c];
    layers.sort_by_key(|(_, value)| *value);
    layers
}

/// What a layer can be expected to win or lose in each place, from [`OFTEN`].
struct Odds {
    preset: Preset,
    /// How often an opponent's layer is worse.
    worse: [[i64; LayerRank::COUNT]; 3],
    /// How often it is better, times the points for it.
    loss: [[i64; LayerRank::COUNT]; 3],
}

impl Odds {
    fn new(preset: Preset) -> Self {
        let none = [[0; LayerRank::COUNT]; 3];
        let mut odds = Self { preset, worse: none, loss: none };
        for ((often, worse), loss) in OFTEN.iter().zip(&mut odds.worse).zip(&mut odds.loss) {
            let mut below = 0;
            for (times, worse) in often.iter().zip(worse) {
                *worse = below;
                below += i64::from(*times);
            }
            let mut above = 0;
            for ((place, times), loss) in often.iter().enumerate().zip(loss).rev() {
                *loss = above;
                above += i64::from(*times) * i64::from(worth(LayerRank::at(place).category(), preset));
            }
        }
        odds
    }

    fn score(&self, makeup: Makeup, layers: [(LayerRank, u8); 3]) -> Score {
        let gains = layers.iter().zip(&self.worse).zip(&self.loss).map(|(((rank, worth), worse), loss)| {
            let at = |table: &[i64; LayerRank::COUNT]| table.get(rank.place()).copied().unwrap_or(0);
            i64::from(*worth) * at(worse) - at(loss)
        });
        let ranks = layers.map(|(rank, _)| rank);
        let strength = ranks.iter().map(|rank| rank.place()).sum();
        (makeup.special(ranks, self.preset).is_some(), gains.sum(), strength)
    }
}
