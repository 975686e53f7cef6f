//! What is counted. All sums are whole numbers, so partial tallies can be added in any order.

use table::{Chips, Outcome, Standing};

/// What came of some deals or matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// How many deals were played.
    pub deals: u64,
    /// What each seat won or lost in a deal.
    pub results: Vec<Samples>,
    /// How many inputs a deal took.
    pub inputs: Extent,
    /// How deals ended, and how often.
    pub endings: Vec<(String, u64)>,
    /// What came of the matches, if it was any.
    pub matches: MatchTally,
}

/// What came of some matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchTally {
    /// How many were played.
    pub count: u64,
    /// How many of them were stopped before they were over.
    pub stopped: u64,
    /// How many deals a match took.
    pub deals: Extent,
    /// What each seat had in the end.
    pub totals: Vec<Samples>,
    /// How often each seat came first, second, ...; matches that were stopped do not count.
    pub places: Vec<Vec<u64>>,
}

/// Whole numbers, summed up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Samples {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub sum: i128,
    /// The sum of their squares.
    pub squares: i128,
}

/// The sum, the least and the most of some counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub sum: u64,
    /// The least; meaningless if there are none.
    pub least: u64,
    /// The most.
    pub most: u64,
}

impl Tally {
    /// Nothing yet.
    pub fn new(players: u8) -> Self {
        let seats = usize::from(players);
        Self {
            deals: 0,
            results: vec![Samples::default(); seats],
            inputs: Extent::default(),
            endings: Vec::new(),
            matches: MatchTally {
                count: 0,
                stopped: 0,
                deals: Extent::default(),
                totals: vec![Samples::default(); seats],
                places: vec![vec![0; seats]; seats],
            },
        }
    }

    /// Counts a deal that took this many inputs.
    #[inline]
    pub fn add_deal(&mut self, outcome: &Outcome, inputs: u64) {
        self.deals += 1;
        self.results.iter_mut().zip(outcome.result.iter()).for_each(|(all, one)| all.add(*one));
        self.inputs.add(inputs);
        self.count_ending(&outcome.ending, 1);
    }

    /// Counts a match of this many deals.
    pub fn add_match(&mut self, standing: &Standing, deals: u32) {
        let all = &mut self.matches;
        all.count += 1;
        all.deals.add(u64::from(deals));
        all.totals.iter_mut().zip(standing.total.iter()).for_each(|(all, one)| all.add(*one));
        if !standing.over {
            all.stopped += 1;
            return;
        }
        for (places, place) in all.places.iter_mut().zip(standing.place.iter()) {
            if let Some(times) = places.get_mut(usize::from(place.saturating_sub(1))) {
                *times += 1;
            }
        }
    }

    /// Adds what another tally has counted.
    pub fn merge(&mut self, other: &Self) {
        self.deals += other.deals;
        self.results.iter_mut().zip(&other.results).for_each(|(all, more)| all.merge(*more));
        self.inputs.merge(other.inputs);
        other.endings.iter().for_each(|(ending, times)| self.count_ending(ending, *times));
        let (all, more) = (&mut self.matches, &other.matches);
        all.count += more.count;
        all.stopped += more.stopped;
        all.deals.merge(more.deals);
        all.totals.iter_mut().zip(&more.totals).for_each(|(all, more)| all.merge(*more));
        for (all, more) in all.places.iter_mut().flatten().zip(more.places.iter().flatten()) {
            *all += more;
        }
    }

    /// The endings, the most frequent first.
    pub fn endings(&self) -> Vec<(&str, u64)> {
        let mut endings: Vec<(&str, u64)> = self.endings.iter().map(|(name, times)| (&**name, *times)).collect();
        endings.sort_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
        endings
    }

    #[inline]
    fn count_ending(&mut self, ending: &str, times: u64) {
        match self.endings.iter_mut().find(|(known, _)| known == ending) {
            Some((_, all)) => *all += times,
            None => self.endings.push((ending.to_owned(), times)),
        }
    }
}

impl Samples {
    #[inline]
    fn add(&mut self, Chips(value): Chips) {
        self.count += 1;
        self.sum += i128::from(value);
        self.squares = self.squares.saturating_add(i128::from(value) * i128::from(value));
    }

    fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares = self.squares.saturating_add(other.squares);
    }

    /// The average; 0 of none.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The average lies between these with a confidence of 95 %, if the numbers are independent; `None`
    /// for fewer than two.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let n = i128::from(self.count);
        if n < 2 {
            return None;
        }
        // n·Σx² − (Σx)² loses nothing as whole numbers; beyond their range, floats must do.
        let exact = n.checked_mul(self.squares).zip(self.sum.checked_mul(self.sum)).map(|(a, b)| a - b);
        let spread = exact.map_or_else(|| n as f64 * self.squares as f64 - (self.sum as f64).powi(2), |e| e as f64);
        let variance = spread.max(0.0) / (n as f64 * (n - 1) as f64);
        let half = 1.959_964 * (variance / n as f64).sqrt();
        Some((self.mean() - half, self.mean() + half))
    }
}

impl Default for Extent {
    fn default() -> Self {
        Self { count: 0, sum: 0, least: u64::MAX, most: 0 }
    }
}

impl Extent {
    #[inline]
    fn add(&mut self, value: u64) {
        self.merge(Self { count: 1, sum: value, least: value, most: value });
    }

    #[inline]
    fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }

    /// The average; 0 of none.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::PerSeat;

    fn samples(values: &[i64]) -> Samples {
        let mut samples = Samples::default();
        values.iter().for_each(|v| samples.add(Chips(*v)));
        samples
    }

    #[test]
    fn the_interval_is_that_of_the_textbook() {
        // Mean 3, sample variance 2.5, standard error sqrt(0.5).
        let (low, high) = samples(&[1, 2, 3, 4, 5]).interval().unwrap();
        assert!((low - (3.0 - 1.959_964 * 0.5f64.sqrt())).abs() < 1e-9);
        assert!((high + low - 6.0).abs() < 1e-9);
        assert_eq!(samples(&[7]).interval(), None);
        assert_eq!(samples(&[7, 7, 7]).interval(), Some((7.0, 7.0)));
    }

    #[test]
    fn large_stacks_do_not_overflow() {
        let most = Chips::MOST.0;
        let (low, high) = samples(&[most, -most].repeat(500)).interval().unwrap();
        assert!(low < 0.0 && high > 0.0);
    }

    #[test]
    fn parts_add_up_in_any_order() {
        let deal = |value: i64, ending| {
            let mut tally = Tally::new(2);
            let result = PerSeat::from_slice(&[Chips(value), Chips(-value)]).unwrap();
            tally.add_deal(&Outcome::played(ending, result), value.unsigned_abs());
            tally
        };
        let parts = [deal(3, "showdown"), deal(-4, "fold"), deal(9, "fold")];
        let sum = |order: [usize; 3]| {
            let mut all = Tally::new(2);
            order.iter().for_each(|i| all.merge(&parts[*i]));
            (all.results.clone(), all.inputs, all.endings().iter().map(|(e, n)| format!("{e} {n}")).collect::<Vec<_>>())
        };
        assert_eq!(sum([0, 1, 2]), sum([2, 0, 1]));
        assert_eq!(sum([0, 1, 2]).2, ["fold 2", "showdown 1"]);
    }
}
