//! Random numbers, drawn from a generator passed as an argument.

use rand::Rng;

/// A source of evenly distributed numbers.
pub trait Draw {
    /// A number from 0 to `n - 1`; 0 if `n` is 0.
    fn below(&mut self, n: u32) -> u32;

    /// True once in `n` times.
    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// One of these.
    fn any<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let len = u32::try_from(of.len()).unwrap_or(u32::MAX);
        of.get(usize::try_from(self.below(len)).unwrap_or(0))
    }

    /// A number from `least` to `most`, both included.
    fn between(&mut self, least: i64, most: i64) -> i64 {
        let width = most.saturating_sub(least).saturating_add(1).clamp(1, i64::from(u32::MAX));
        least.saturating_add(i64::from(self.below(u32::try_from(width).unwrap_or(1))))
    }
}

impl<R: Rng> Draw for R {
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        // Lemire's multiplication with rejection: unbiased, and a division only when a draw is in doubt.
        let split = |wide: u64| -> (u32, u32) {
            let [a, b, c, d, e, f, g, h] = wide.to_le_bytes();
            (u32::from_le_bytes([e, f, g, h]), u32::from_le_bytes([a, b, c, d]))
        };
        let (mut high, mut low) = split(u64::from(self.next_u32()) * u64::from(n));
        if low < n {
            let threshold = n.wrapping_neg() % n;
            while low < threshold {
                (high, low) = split(u64::from(self.next_u32()) * u64::from(n));
            }
        }
        high
    }
}
