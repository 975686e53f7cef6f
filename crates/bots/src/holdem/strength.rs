//! How good every pair of hole cards is on a board, against any other pair, with the cards to come.
//!
//! Cards to come are chosen so that each appears equally often, which takes far fewer boards than drawing them
//! one by one.

use cards::{Card, HandRank, PokerHand};
use table::Draw;

use super::combos::{COMBOS, COUNT, mask};

/// The best that a pair can be: better than all others.
const BEST: f32 = 250.0;
/// Marks a pair that cannot be held, because one of its cards is on the board.
const NONE: u8 = 255;

/// Strengths are counted in steps of this many bits of [`HandRank::order`].
const STEP_BITS: u16 = 2;
const STEPS: usize = (HandRank::MOST_ORDER >> STEP_BITS) as usize + 1;
/// The step of a pair that cannot be held.
const NO_STEP: u16 = u16::MAX;

/// How good every pair is on a board.
pub(super) struct Strengths {
    /// The fraction of other pairs that it beats on average, by number; 0 if it cannot be held.
    pub(super) now: Vec<f32>,
    /// Full boards it may become.
    pub(super) runouts: Vec<Runout>,
}

/// A full board.
pub(super) struct Runout {
    /// All five cards.
    pub(super) board: Vec<Card>,
    /// A bit for each of them.
    pub(super) mask: u64,
    /// The fraction of other pairs that each pair beats, in units of 1/[`BEST`], or [`NONE`].
    beats: Vec<u8>,
}

impl Runout {
    /// The fraction of other pairs that this one beats on the full board.
    pub(super) fn beats(&self, combo: usize) -> f32 {
        match self.beats.get(combo) {
            None | Some(&NONE) => 0.0,
            Some(part) => f32::from(*part) / BEST,
        }
    }
}

impl Strengths {
    /// On a board of three to five cards, with no card to come from `dead`: about `most` full boards, if there
    /// are that many.
    pub(super) fn on(board: &[Card], dead: u64, most: usize, draw: &mut impl Draw) -> Self {
        let gone = dead | mask(board);
        let mut rest: Vec<Card> = Card::naturals().filter(|card| mask(&[*card]) & gone == 0).collect();
        let mut boards: Vec<Vec<Card>> = Vec::new();
        let with = |comes: &[Card]| board.iter().chain(comes).copied().collect::<Vec<Card>>();
        match board.len() {
            3 => {
                while boards.len() < most {
                    shuffle(&mut rest, draw);
                    let next = rest.iter().cycle().skip(1);
                    boards.extend(rest.iter().zip(next).map(|(turn, river)| with(&[*turn, *river])));
                }
            }
            4 => {
                shuffle(&mut rest, draw);
                boards.extend(rest.iter().map(|river| with(&[*river])));
            }
            _ => boards.push(with(&[])),
        }
        boards.truncate(most.max(1));
        let runouts: Vec<Runout> = boards.into_iter().map(runout).collect();
        Self { now: average(&runouts), runouts }
    }
}

fn shuffle(cards: &mut [Card], draw: &mut impl Draw) {
    for (i, left) in (1..cards.len()).rev().zip((2..=u32::try_from(cards.len()).unwrap_or(52)).rev()) {
        cards.swap(i, usize::try_from(draw.below(left)).unwrap_or(0));
    }
}

/// Ranks all pairs on a full board. Pairs of nearly the same strength count as equal, which saves sorting them.
fn runout(board: Vec<Card>) -> Runout {
    let mask = mask(&board);
    let mut steps = [NO_STEP; COUNT];
    let mut counts = [0u16; STEPS];
    let mut held = 0u16;
    if let Ok(shared) = PokerHand::of(&board) {
        for (step, combo) in steps.iter_mut().zip(COMBOS.iter()).filter(|(_, combo)| combo.mask & mask == 0) {
            let Ok(rank) = shared.with_all(&combo.cards).and_then(PokerHand::rank) else { continue };
            *step = rank.order() >> STEP_BITS;
            held += 1;
            if let Some(count) = counts.get_mut(usize::from(*step)) {
                *count += 1;
            }
        }
    }
    // From counts to the fraction of others they beat; a tie is half a win.
    let scale = BEST / f32::from(held.max(1));
    let mut below = 0;
    for count in counts.iter_mut().filter(|count| **count > 0) {
        let part = (f32::from(below) + f32::from(*count) / 2.0) * scale;
        below += *count;
        *count = part as u16;
    }
    let beaten = |step: &u16| counts.get(usize::from(*step)).and_then(|part| u8::try_from(*part).ok()).unwrap_or(NONE);
    Runout { board, mask, beats: steps.iter().map(beaten).collect() }
}

/// The average over the boards on which a pair can be held.
fn average(runouts: &[Runout]) -> Vec<f32> {
    let mut sums = vec![(0u32, 0u32); COUNT];
    for runout in runouts {
        for (sum, beats) in sums.iter_mut().zip(&runout.beats) {
            let held = u32::from(*beats != NONE);
            sum.0 += held * u32::from(*beats);
            sum.1 += held;
        }
    }
    sums.into_iter().map(|(sum, count)| sum as f32 / BEST / count.max(1) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::holdem::combos::number;
    use cards::parse_cards;
    use rand::SeedableRng as _;
    use rand::rngs::ChaCha8Rng;

    fn on(board: &str) -> Strengths {
        Strengths::on(&parse_cards(board).unwrap(), 0, 98, &mut ChaCha8Rng::seed_from_u64(3))
    }

    #[test]
    fn better_hands_beat_more_and_nobody_holds_a_card_of_the_board() {
        let flop = on("Ah 9s 4d");
        let now = |text: &str| flop.now[number(&parse_cards(text).unwrap()).unwrap()];
        let ranked = ["Ac As", "9c 9d", "Ac Kd", "9c Kd", "Kc Qd", "5c 2d"].map(now);
        assert!(ranked.is_sorted_by(|better, worse| better > worse), "{ranked:?}");
        assert!(now("Ac As") > 0.95 && now("Ah 2c") == 0.0, "{}", now("Ac As"));
    }

    #[test]
    fn on_the_flop_every_card_comes_equally_often() {
        let mut times = [0; 52];
        for runout in &on("Ah 9s 4d").runouts {
            let comes = runout.board.iter().skip(3).filter_map(|card| card.id52());
            comes.for_each(|id| times[usize::from(id)] += 1);
        }
        assert_eq!(times.iter().filter(|count| **count == 4).count(), 49);
    }
}
