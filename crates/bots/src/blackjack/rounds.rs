//! Simulated rounds: what several good players win or lose against one bank.
//!
//! They all face the same bank, so they often win or lose together, and betting has to take that into account.

use games::blackjack::{BlackjackPays, Setup, Soft17};
use table::Draw;

use super::expect::{CHIPS, Facing, Hand, Solved};
use super::odds::{ENDS, NATURAL, Odds, bank_end};

/// How to play against every card that the bank can show.
pub(super) struct Book {
    odds: Odds,
    soft17: Soft17,
    pays: f64,
    pages: Vec<Page>,
    double_after_split: bool,
}

/// How to play against one card of the bank.
struct Page {
    solved: Solved,
    /// Which pairs are split.
    splits: [bool; 11],
}

/// A round: how the bank ended, and what each of four players won, in stakes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Round {
    pub(super) end: usize,
    pub(super) won: [f64; 4],
}

impl Book {
    /// How to play with these odds.
    pub(super) fn new(odds: Odds, setup: &Setup) -> Self {
        let double = setup.double_after_split;
        let page = |up: usize| {
            let facing = Facing { odds, bank: odds.bank(up, setup.soft17) };
            let solved = Solved::new(facing, &CHIPS);
            let second = Solved::second_half(facing);
            let mut splits = [false; 11];
            for (value, place) in splits.iter_mut().enumerate().skip(1) {
                let hand = Hand { sum: 2 * value, ace: value == 1 };
                let whole = solved.stand(hand).max(solved.hit(hand)).max(solved.double(hand));
                *place = solved.half(value, double) + second.half(value, double) > whole;
            }
            Page { solved, splits }
        };
        let pays = match setup.blackjack_pays {
            BlackjackPays::ThreeToTwo => 1.5,
            BlackjackPays::SixToFive => 1.2,
            BlackjackPays::OneToOne => 1.0,
        };
        Self { odds, soft17: setup.soft17, pays, pages: (1..=10).map(page).collect(), double_after_split: double }
    }

    /// Simulates a round; the bank may already show a card.
    pub(super) fn round(&self, up: Option<usize>, draw: &mut impl Draw) -> Round {
        let up = up.unwrap_or_else(|| self.card(draw));
        let end = self.bank(up, draw);
        let mut won = [0.0; 4];
        if let Some(page) = self.pages.get(up - 1) {
            won.iter_mut().for_each(|won| *won = self.player(page, end, draw));
        }
        Round { end, won }
    }

    fn card(&self, draw: &mut impl Draw) -> usize {
        self.odds.at(f64::from(draw.below(1 << 24)) / f64::from(1 << 24))
    }

    fn bank(&self, up: usize, draw: &mut impl Draw) -> usize {
        let second = self.card(draw);
        if up.min(second) == 1 && up.max(second) == 10 {
            return NATURAL;
        }
        let mut hand = Hand { sum: up, ace: up == 1 }.with(second);
        loop {
            if let Some(end) = bank_end(hand.sum, hand.ace, self.soft17) {
                return end;
            }
            hand = hand.with(self.card(draw));
        }
    }

    fn player(&self, page: &Page, end: usize, draw: &mut impl Draw) -> f64 {
        let (a, b) = (self.card(draw), self.card(draw));
        let hand = Hand { sum: a, ace: a == 1 }.with(b);
        if hand.total() == 21 {
            return if end == NATURAL { 0.0 } else { self.pays };
        }
        // Of two cards that count ten, only one pair in four has equal ranks.
        let pair = a == b && (a < 10 || draw.one_in(4));
        if pair && page.splits.get(a).copied().unwrap_or(false) {
            let halves = [1.0, 0.0];
            return halves.iter().map(|lost| self.half(page, a, end, *lost, draw)).sum();
        }
        self.finish(page, hand, end, true, 1.0, draw)
    }

    fn half(&self, page: &Page, value: usize, end: usize, lost: f64, draw: &mut impl Draw) -> f64 {
        let hand = Hand { sum: value, ace: value == 1 }.with(self.card(draw));
        if value == 1 {
            settle(hand, end, 1.0, lost)
        } else {
            self.finish(page, hand, end, self.double_after_split, lost, draw)
        }
    }

    fn finish(&self, page: &Page, hand: Hand, end: usize, double: bool, lost: f64, draw: &mut impl Draw) -> f64 {
        let solved = &page.solved;
        if double && hand.total() < 21 && solved.double(hand) > solved.stand(hand).max(solved.hit(hand)) {
            return settle(hand.with(self.card(draw)), end, 2.0, lost);
        }
        let mut hand = hand;
        while hand.total() < 21 && solved.hit(hand) > solved.stand(hand) {
            hand = hand.with(self.card(draw));
        }
        settle(hand, end, 1.0, lost)
    }
}

/// What a finished hand wins with this many stakes on it; a natural of the bank takes `lost`.
fn settle(hand: Hand, end: usize, stakes: f64, lost: f64) -> f64 {
    let total = hand.total();
    match end {
        _ if total > 21 => -stakes,
        NATURAL => -lost,
        0 => stakes,
        1..ENDS if total > end + 16 => stakes,
        1..ENDS if total == end + 16 => 0.0,
        _ => -stakes,
    }
}
