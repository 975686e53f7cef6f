//! What an arrangement can be expected to win.
//!
//! Against one opponent the points of the three layers add up, so it is enough to know how often each layer
//! appears in each position of well-arranged hands. The cards in its own hand change that so little that
//! counting them never pays off.

use games::ongdu::{Class, HandRank, LayerRank, Ongdu, Preset, Stakes, best_arrangement};

use super::Layer;
use super::ways::Way;
use crate::Sight;

/// How many different layers there are.
const COUNT: usize = 44;

/// How often each layer is on top, in the middle and at the bottom in 10,000 ordinary well-arranged hands, by its
/// place in the order of strength. Found by letting this player play itself until it hardly changed.
const SEED: [[u16; COUNT]; 3] = [
    [
        588, 587, 613, 715, 830, 820, 966, 1110, 1399, 2363, 4, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ],
    [
        0, 0, 3, 14, 157, 126, 127, 106, 136, 8431, 317, 0, 0, 0, 0, 0, 45, 47, 38, 43, 38, 37, 43, 39, 38, 8, 8, 8,
        34, 102, 28, 4, 4, 3, 3, 3, 3, 2, 1, 1, 1, 1, 0, 0,
    ],
    [
        0, 0, 0, 0, 0, 1, 11, 2, 4, 4241, 1056, 0, 0, 0, 0, 0, 109, 133, 111, 100, 112, 136, 144, 119, 121, 62, 60, 63,
        158, 1402, 453, 103, 113, 106, 107, 105, 106, 109, 104, 109, 107, 111, 109, 112,
    ],
];

/// The same if higher court cards win and layers have different values.
const AUTHOR: [[u16; COUNT]; 3] = [
    [
        688, 668, 695, 742, 845, 1046, 1328, 1412, 1345, 1221, 0, 1, 1, 0, 2, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ],
    [
        0, 0, 2, 10, 124, 192, 431, 552, 501, 6948, 0, 58, 118, 0, 118, 64, 73, 71, 67, 71, 67, 63, 67, 62, 62, 22, 21,
        21, 52, 110, 21, 5, 5, 4, 3, 3, 3, 2, 2, 2, 1, 1, 0, 0,
    ],
    [
        0, 0, 0, 0, 0, 4, 72, 241, 194, 2869, 0, 129, 295, 0, 298, 165, 114, 127, 117, 131, 160, 193, 206, 220, 243,
        131, 140, 148, 315, 1483, 541, 110, 116, 109, 112, 111, 111, 114, 112, 114, 112, 114, 113, 116,
    ],
];

/// These times their average value, which differs for sums of one suit.
const AUTHOR_WORTH: [[u16; COUNT]; 3] = [
    [
        747, 845, 935, 1089, 1233, 1940, 2565, 2598, 2068, 1925, 0, 2, 3, 0, 5, 2, 3, 2, 3, 3, 2, 3, 3, 2, 1, 0, 0, 0,
        1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ],
    [
        0, 0, 2, 12, 142, 244, 505, 663, 661, 9116, 0, 175, 354, 0, 355, 192, 366, 354, 335, 353, 336, 317, 333, 310,
        309, 110, 106, 103, 260, 330, 64, 26, 25, 20, 17, 17, 14, 12, 8, 8, 7, 5, 2, 0,
    ],
    [
        0, 0, 0, 0, 1, 5, 85, 288, 243, 3600, 0, 387, 886, 0, 894, 494, 572, 637, 584, 654, 799, 964, 1031, 1101, 1217,
        653, 698, 740, 1576, 4448, 1624, 548, 581, 546, 558, 554, 557, 569, 559, 570, 558, 570, 565, 580,
    ],
];

/// The fraction of hands that are special.
const SPECIAL_SEED: f64 = 0.055;
/// The same if only sums of nine are.
const SPECIAL_AUTHOR: f64 = 0.036;

/// The approximate fraction of random three-card layers that are worse than this one.
pub(super) fn any_layer(rank: LayerRank) -> f64 {
    let place = f64::from(u8::try_from(rank.place()).unwrap_or(0));
    match rank.place() {
        // All sums are equally frequent except nine, which a wildcard can always make.
        0..=8 => (place + 0.5) / 12.0,
        9 => 0.86,
        _ => 0.97 + 0.03 * (place - 10.0) / 33.0,
    }
}

/// What an arrangement can be expected to win.
pub(super) struct Odds {
    pub(super) stakes: Stakes,
    /// How often an opponent's layer is worse than each, for top, middle and bottom.
    worse: [[f64; COUNT]; 3],
    /// How often it is better, times its value.
    loss: [[f64; COUNT]; 3],
    /// How often an opponent's hand is special.
    special: f64,
    /// Players whose cards are open because they left: the game arranges for them.
    open: Vec<HandRank>,
    /// How many others there are.
    hidden: u8,
}

impl Odds {
    /// The odds against the players at this table.
    pub(super) fn of(sight: &Sight<'_, Ongdu>) -> Self {
        let view = sight.view;
        let (often, worth, special) = match view.preset {
            Preset::Seed => (&SEED, &SEED, SPECIAL_SEED),
            Preset::Author => (&AUTHOR, &AUTHOR_WORTH, SPECIAL_AUTHOR),
        };
        let mut odds = Self {
            stakes: Stakes { foul: view.foul, special: view.special },
            worse: [[0.0; COUNT]; 3],
            loss: [[0.0; COUNT]; 3],
            special,
            open: Vec::new(),
            hidden: 0,
        };
        for ((often, worth), (worse, loss)) in often.iter().zip(worth).zip(odds.worse.iter_mut().zip(&mut odds.loss)) {
            running(often.iter(), worse.iter_mut());
            running(worth.iter().rev(), loss.iter_mut().rev());
        }
        let others = (0..).zip(&view.players).filter(|(i, _)| *i != sight.seat.index());
        for (_, player) in others {
            let cards: Option<Vec<_>> = player.open.iter().map(|held| held.card).collect();
            match cards.and_then(|cards| best_arrangement(&cards, view.preset)) {
                Some(arranged) => odds.open.push(arranged.rank),
                None => odds.hidden += 1,
            }
        }
        odds
    }

    /// The average points that an arrangement wins from each opponent.
    pub(super) fn points(&self, way: &Way) -> f64 {
        let hidden = f64::from(self.hidden) * self.against_any(&way.rank);
        let open: i64 = self.open.iter().map(|other| way.rank.compare(other, self.stakes).points).sum();
        (hidden + open as f64) / (f64::from(self.hidden) + self.open.len() as f64).max(1.0)
    }

    /// How often a layer is better than an opponent's, if their hand is an ordinary one.
    pub(super) fn wins(&self, layer: Layer, rank: LayerRank) -> f64 {
        let of = Layer::ALL.into_iter().zip(&self.worse).find(|(other, _)| *other == layer);
        of.and_then(|(_, worse)| worse.get(rank.place())).copied().unwrap_or(0.0)
    }

    fn against_any(&self, hand: &HandRank) -> f64 {
        let [special, foul] = [self.stakes.special, self.stakes.foul].map(|points| points as f64);
        let ordinary = match hand.class {
            Class::Special(_) => return special * (1.0 - self.special),
            Class::Foul => -foul,
            Class::Plain => {
                let layers = hand.layers.iter().zip(hand.worth).zip(self.worse.iter().zip(&self.loss));
                let points = layers.map(|((rank, worth), (worse, loss))| {
                    let at = |table: &[f64; COUNT]| table.get(rank.place()).copied().unwrap_or(0.0);
                    f64::from(worth) * at(worse) - at(loss)
                });
                points.sum()
            }
        };
        ordinary * (1.0 - self.special) - special * self.special
    }
}

/// For each place, the sum of all before it, as a fraction.
fn running<'a>(counts: impl Iterator<Item = &'a u16>, sums: impl Iterator<Item = &'a mut f64>) {
    let mut sum = 0.0;
    for (count, before) in counts.zip(sums) {
        *before = sum;
        sum += f64::from(*count) / 10_000.0;
    }
}
