//! What is counted: first over a set, then over all sets of a pair.

use super::estimate::{LEAST_SETS, Ratio};
use super::lineup::Side;
use crate::computers::Times;

/// A won match is worth so much, which every number of winners divides: sums of shares are exact.
pub(super) const SHARES: u64 = 27_720;

/// What came of a set.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SetTally {
    pub(super) matches: u64,
    /// Matches that were not over after the most deals.
    pub(super) stopped: u64,
    pub(super) deals: u64,
    a: SideTally,
    b: SideTally,
}

/// What one bot did in a set.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SideTally {
    /// Shares of won matches.
    pub(super) wins: u64,
    /// Results of all deals, of an average seat; more is better.
    pub(super) result: f64,
    /// What [`super::rate`] counts, and what it is measured against.
    pub(super) gain: f64,
    pub(super) base: f64,
    pub(super) times: Times,
    /// An outside bot that was gone before the set was over.
    pub(super) gone: bool,
}

impl SetTally {
    pub(super) const fn side(&mut self, side: Side) -> &mut SideTally {
        match side {
            Side::A => &mut self.a,
            Side::B => &mut self.b,
        }
    }
}

/// What came of all sets of a pair.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairTally {
    pub(super) sets: u64,
    pub(super) matches: u64,
    pub(super) stopped: u64,
    pub(super) deals: u64,
    /// The share of matches that A won; each bot sits in half of the seats, so a half is even.
    pub(super) wins: Ratio,
    /// What an average seat of A wins per deal.
    pub(super) a: Bot,
    /// What an average seat of B wins per deal.
    pub(super) b: Bot,
    /// How much more A wins per deal.
    pub(super) difference: Ratio,
}

/// One bot, over all sets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bot {
    pub(super) result: Ratio,
    pub(super) rate: Ratio,
    pub(super) times: Times,
    /// It ran away, and default moves were played for it.
    pub(super) gone: bool,
}

impl PairTally {
    pub(super) fn add(&mut self, set: &SetTally) {
        self.sets += 1;
        self.matches += set.matches;
        self.stopped += set.stopped;
        self.deals += set.deals;
        self.wins.add(set.a.wins as f64, (set.matches * SHARES) as f64);
        let deals = set.deals as f64;
        for (bot, side) in [(&mut self.a, set.a), (&mut self.b, set.b)] {
            bot.result.add(side.result, deals);
            bot.rate.add(side.gain, side.base);
            bot.times.merge(side.times);
            bot.gone |= side.gone;
        }
        self.difference.add(set.a.result - set.b.result, deals);
    }

    /// Who wins more, if that is clear: at least 20 sets, and an interval of this many standard errors, or
    /// that of 95 %, that does not hold the half.
    pub(super) fn better(&self, errors: Option<f64>) -> Option<Side> {
        let interval = errors.map_or_else(|| self.wins.interval(), |errors| self.wins.within(errors));
        let (low, high) = interval.filter(|_| self.sets >= LEAST_SETS)?;
        match (low > 0.5, high < 0.5) {
            (true, _) => Some(Side::A),
            (_, true) => Some(Side::B),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(wins: impl IntoIterator<Item = u64>) -> PairTally {
        let mut pair = PairTally::default();
        for wins in wins {
            let mut set = SetTally { matches: 2, deals: 3, ..SetTally::default() };
            set.side(Side::A).wins = wins * SHARES / 2;
            set.side(Side::B).wins = (4 - wins) * SHARES / 2;
            pair.add(&set);
        }
        pair
    }

    #[test]
    fn every_number_of_winners_divides_a_win() {
        assert!((1..=u64::from(table::MAX_SEATS)).all(|winners| SHARES.is_multiple_of(winners)));
    }

    #[test]
    fn equal_bots_are_exactly_even_and_never_clear() {
        let even = pair([2; 50]);
        assert_eq!((even.wins.value(), even.wins.interval()), (0.5, Some((0.5, 0.5))));
        assert_eq!((even.better(None), even.better(Some(3.0))), (None, None));
    }

    #[test]
    fn a_few_lucky_sets_are_not_clear() {
        assert_eq!(pair([4; 19]).better(None), None);
        assert_eq!(pair([4; 20]).better(None), Some(Side::A));
        assert_eq!(pair([0; 20]).better(None), Some(Side::B));
    }

    #[test]
    fn stopping_early_needs_more() {
        // 57.5 % with a standard error of 3 %: more than two of them away from even, fewer than three.
        let slight = pair((0..60).map(|i| if i % 5 == 0 { 4 } else { i % 4 }));
        let error = slight.wins.error().unwrap();
        let away = (slight.wins.value() - 0.5).abs() / error;
        assert_eq!(slight.better(Some(away + 0.1)), None);
        assert!(slight.better(Some(away - 0.1)).is_some());
    }
}
