//! Averages over sets, with their confidence.
//!
//! Sets are independent of one another; the matches of one set are not, nor are the deals of a match. So
//! everything is first summed up over a set, and the sets are the sample.

/// How many sets there must be before a result may be called clear.
pub(super) const LEAST_SETS: u64 = 20;

/// How many standard errors a result must be away from even before a run is stopped early. Looking often
/// and stopping at the first good look finds differences that are not there; with 3 instead of 1.96 and
/// looks at 20, 30, 45, … sets, all looks of a thousand sets together err in fewer than 5 runs of 100.
pub(super) const STOPPING: f64 = 3.0;

/// The ratio of two sums over sets, `x` per `y`: wins per match, chips per deal.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Ratio {
    count: u64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Ratio {
    /// Counts a set.
    pub(super) fn add(&mut self, x: f64, y: f64) {
        self.count += 1;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
        self.yy += y * y;
    }

    /// The ratio; 0 of nothing.
    pub(super) fn value(&self) -> f64 {
        if self.y > 0.0 { self.x / self.y } else { 0.0 }
    }

    /// Its standard error, of at least two sets. Where `y` is the same in all sets this is s/√n of the
    /// textbooks, and else the usual estimate for a ratio.
    pub(super) fn error(&self) -> Option<f64> {
        if self.count < 2 || self.y <= 0.0 {
            return None;
        }
        let (n, ratio) = (self.count as f64, self.value());
        let squares = (self.xx - 2.0 * ratio * self.xy + ratio * ratio * self.yy).max(0.0);
        let mean_y = self.y / n;
        Some((squares / (n * (n - 1.0))).sqrt() / mean_y)
    }

    /// It lies between these with a confidence of 95 %; `None` for fewer than two sets.
    pub(super) fn interval(&self) -> Option<(f64, f64)> {
        self.within(quantile(self.count.saturating_sub(1)))
    }

    /// This many standard errors around the value.
    pub(super) fn within(&self, errors: f64) -> Option<(f64, f64)> {
        let half = errors * self.error()?;
        Some((self.value() - half, self.value() + half))
    }
}

/// Is a run looked at after this many sets, to see whether it can be stopped? At 20, 30, 45, 67, …
pub(super) fn is_look(sets: u64) -> bool {
    let mut look = LEAST_SETS;
    while look < sets {
        look += look / 2;
    }
    look == sets
}

/// How many standard errors make 95 %: by Student's t for few sets, where the spread itself is uncertain.
fn quantile(degrees: u64) -> f64 {
    const FEW: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    ];
    let place = usize::try_from(degrees).ok().and_then(|degrees| degrees.checked_sub(1));
    place.and_then(|place| FEW.get(place).copied()).unwrap_or(1.96)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(values: &[(f64, f64)]) -> Ratio {
        let mut ratio = Ratio::default();
        values.iter().for_each(|(x, y)| ratio.add(*x, *y));
        ratio
    }

    #[test]
    fn with_equal_weights_it_is_the_interval_of_the_textbook() {
        // Mean 3, sample variance 2.5, standard error sqrt(0.5), and t of four degrees.
        let five = ratio(&[(1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (4.0, 1.0), (5.0, 1.0)]);
        let (low, high) = five.interval().unwrap();
        assert!((low - (3.0 - 2.776 * 0.5f64.sqrt())).abs() < 1e-9, "{low}");
        assert!((low + high - 6.0).abs() < 1e-9);
    }

    #[test]
    fn weights_do_not_matter_where_the_ratio_is_always_the_same() {
        let same = ratio(&[(2.0, 1.0), (8.0, 4.0), (20.0, 10.0)]);
        assert_eq!((same.value(), same.interval()), (2.0, Some((2.0, 2.0))));
    }

    #[test]
    fn nothing_is_said_of_fewer_than_two() {
        assert_eq!(ratio(&[]).interval(), None);
        assert_eq!(ratio(&[(1.0, 2.0)]).interval(), None);
        assert_eq!(ratio(&[(1.0, 2.0)]).value(), 0.5);
    }

    #[test]
    fn looks_become_rarer() {
        let looks: Vec<u64> = (0..=120).filter(|sets| is_look(*sets)).collect();
        assert_eq!(looks, [20, 30, 45, 67, 100]);
    }

    #[test]
    fn few_sets_need_wider_intervals() {
        assert!((1..100).all(|degrees| quantile(degrees) >= quantile(degrees + 1)));
        assert_eq!(quantile(31), 1.96);
    }
}
