//! The value of every way to play a hand, computed by recursion.
//!
//! The value of standing follows from how the bank can end. The value of hitting follows from the values of all
//! larger hands, so hands are computed from the largest down.

use games::blackjack::Action;

use super::odds::{BUST, ENDS, NATURAL, Odds, best, of, of_mut};

/// The value of results: for every end of the bank, losing two stakes, losing one, nothing, winning one, winning two.
pub(super) type Worth = [[f64; 5]; ENDS];

/// Chips at face value.
pub(super) const CHIPS: Worth = [[-2.0, -1.0, 0.0, 1.0, 2.0]; ENDS];

/// What is known about the table when a hand is played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facing {
    pub(super) odds: Odds,
    /// The chances of the bank's ends.
    pub(super) bank: [f64; ENDS],
}

/// A hand, reduced to what matters from here on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hand {
    /// The sum with aces as 1.
    pub(super) sum: usize,
    /// There is an ace.
    pub(super) ace: bool,
}

impl Hand {
    /// With one more card.
    pub(super) const fn with(self, value: usize) -> Self {
        Self { sum: self.sum + value, ace: self.ace || value == 1 }
    }

    /// Its total.
    pub(super) const fn total(self) -> usize {
        best(self.sum, self.ace)
    }
}

/// Options other than hitting and standing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extra {
    pub(super) double: bool,
    /// The value of the pair that can be split.
    pub(super) split: Option<usize>,
    /// Hands from a split can be doubled.
    pub(super) double_after_split: bool,
}

/// The values of all hands against one bank.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    facing: Facing,
    worth: Worth,
    /// What a bank's natural takes from a hand that is not bust, as an index into the values.
    natural: usize,
    /// Standing, by total.
    stand: [f64; 22],
    /// Hitting, by sum and whether there is an ace.
    hit: [[f64; 2]; 22],
    bust: f64,
}

impl Solved {
    /// Solves all hands, for these values of results.
    pub(super) fn new(facing: Facing, worth: &Worth) -> Self {
        Self::with_natural(facing, worth, 1)
    }

    /// The second hand of a split, in chips: its stake is not lost to a natural of the bank.
    pub(super) fn second_half(facing: Facing) -> Self {
        Self::with_natural(facing, &CHIPS, 2)
    }

    fn with_natural(facing: Facing, worth: &Worth, natural: usize) -> Self {
        let bust = facing.bank.iter().zip(worth).map(|(chance, of)| chance * of[1]).sum();
        let mut stand = [0.0; 22];
        let mut solved = Self { facing, worth: *worth, natural, stand: [0.0; 22], hit: [[0.0; 2]; 22], bust };
        stand.iter_mut().enumerate().for_each(|(total, place)| *place = solved.stands(total, 1));
        solved.stand = stand;
        for sum in (1..22).rev() {
            for ace in [false, true] {
                let hit = solved.draws(Hand { sum, ace });
                if let Some(place) = solved.hit.get_mut(sum) {
                    *of_mut(place, ace) = hit;
                }
            }
        }
        solved
    }

    fn draws(&self, hand: Hand) -> f64 {
        self.facing.odds.values().map(|(value, chance)| chance * self.best(hand.with(value))).sum()
    }

    /// The value of standing.
    pub(super) fn stand(&self, hand: Hand) -> f64 {
        self.stand.get(hand.total()).copied().unwrap_or(self.bust)
    }

    /// The value of hitting and then playing as well as possible.
    pub(super) fn hit(&self, hand: Hand) -> f64 {
        self.hit.get(hand.sum).map_or(self.bust, |both| of(both, hand.ace))
    }

    /// The value of a hand that can hit or stand.
    fn best(&self, hand: Hand) -> f64 {
        match hand.total() {
            22.. => self.bust,
            21 => self.stand(hand),
            _ => self.stand(hand).max(self.hit(hand)),
        }
    }

    /// The value of doubling.
    pub(super) fn double(&self, hand: Hand) -> f64 {
        let bust = || self.facing.bank.iter().zip(&self.worth).map(|(chance, of)| chance * of[0]).sum();
        let after = |hand: Hand| if hand.total() > 21 { bust() } else { self.stands(hand.total(), 2) };
        self.facing.odds.values().map(|(value, chance)| chance * after(hand.with(value))).sum()
    }

    /// The value of one hand of a split, with one card of this value so far.
    pub(super) fn half(&self, value: usize, double: bool) -> f64 {
        let one = Hand { sum: value, ace: value == 1 };
        let second = |next: usize| {
            let hand = one.with(next);
            if value == 1 {
                return self.stand(hand);
            }
            if double && hand.total() < 21 { self.best(hand).max(self.double(hand)) } else { self.best(hand) }
        };
        self.facing.odds.values().map(|(next, chance)| chance * second(next)).sum()
    }

    /// Every way to play this hand with its value, the best first.
    pub(super) fn ways(&self, hand: Hand, extra: Extra) -> Vec<(Action, f64)> {
        let mut ways = vec![(Action::Stand, self.stand(hand))];
        if hand.total() < 21 {
            ways.push((Action::Hit, self.hit(hand)));
            if extra.double {
                ways.push((Action::Double, self.double(hand)));
            }
        }
        if let Some(value) = extra.split {
            let double = extra.double_after_split;
            let split = self.half(value, double) + Self::second_half(self.facing).half(value, double);
            ways.push((Action::Split, split));
        }
        ways.sort_by(|a, b| b.1.total_cmp(&a.1));
        ways
    }

    /// The value of a total with one or two stakes on it.
    fn stands(&self, total: usize, stakes: usize) -> f64 {
        let result = |end: usize| match end {
            NATURAL => self.natural,
            BUST => 2 + stakes,
            _ if total > end + 16 => 2 + stakes,
            _ if total == end + 16 => 2,
            _ => 2 - stakes,
        };
        let ends = self.facing.bank.iter().zip(&self.worth).enumerate();
        ends.map(|(end, (chance, worth))| chance * worth.get(result(end)).copied().unwrap_or(0.0)).sum()
    }
}
