//! How much is sent at a time: how many parcels are on their way, and how long they are.

use core::time::Duration;

/// How many parcels are on their way at first, and at most.
const FEW: usize = 4;
const MANY: usize = 32;

/// How many parcels may be on their way. It follows the line: more while receipts come quickly, fewer when they come
/// late or not at all. Otherwise everything would wait in the queue of a slow radio, be sent again meanwhile, and wait
/// even longer.
#[derive(Debug)]
pub(super) struct Window {
    pub(super) size: usize,
    /// When it was last made smaller.
    at: Duration,
}

impl Default for Window {
    fn default() -> Self {
        Self { size: FEW, at: Duration::ZERO }
    }
}

impl Window {
    /// Receipts for so many came in time.
    pub(super) fn grow(&mut self, arrived: usize) {
        self.size = (self.size + arrived).min(MANY);
    }

    /// Receipts come late or not at all; what is on its way now counts once.
    pub(super) fn shrink(&mut self, round: Duration, now: Duration) {
        if now >= self.at + round {
            (self.size, self.at) = ((self.size / 2).max(1), now);
        }
    }
}

/// How many bytes of the stream a parcel may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sizes {
    /// What fits into one piece: nothing is won with less.
    pub(crate) least: usize,
    pub(crate) most: usize,
}

/// How many bytes a parcel has now. A lost piece costs its whole parcel, so parcels become shorter until about one in ten
/// is lost, and longer again when fewer are. `docs/bluetooth.md` has figures.
#[derive(Debug)]
pub(super) struct Length {
    sizes: Sizes,
    bytes: usize,
    /// It does not fall below half of what it was at this time before a round is over: many parcels that are lost at
    /// once are one misfortune.
    at: Duration,
    floor: usize,
}

impl Default for Length {
    fn default() -> Self {
        Self { sizes: Sizes { least: 1, most: usize::MAX }, bytes: usize::MAX, at: Duration::ZERO, floor: 1 }
    }
}

impl Length {
    /// What the line allows.
    pub(super) fn fit(&mut self, sizes: Sizes) -> usize {
        self.sizes = Sizes { least: sizes.least.max(1), most: sizes.most.max(sizes.least).max(1) };
        self.bytes = self.bytes.clamp(self.sizes.least, self.sizes.most);
        self.bytes
    }

    /// How many bytes a parcel may have now.
    pub(super) const fn now(&self) -> usize {
        self.bytes
    }

    /// So many parcels of about this length have arrived.
    pub(super) fn grow(&mut self, arrived: usize) {
        for _ in 0..arrived {
            self.bytes = self.bytes.saturating_add(self.bytes / 32 + 1).min(self.sizes.most);
        }
    }

    /// A parcel is lost.
    pub(super) fn shrink(&mut self, round: Duration, now: Duration) {
        if self.floor > self.bytes || now >= self.at + round {
            (self.at, self.floor) = (now, self.bytes / 2);
        }
        self.bytes = (self.bytes - self.bytes / 4).max(self.floor).max(self.sizes.least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUND: Duration = Duration::from_millis(100);

    #[test]
    fn parcels_become_shorter_with_losses_and_longer_without() {
        let mut length = Length::default();
        let sizes = Sizes { least: 9, most: 320 };
        assert_eq!(length.fit(sizes), 320);
        for _ in 0..10 {
            length.shrink(ROUND, ROUND);
        }
        assert_eq!(length.fit(sizes), 160, "what is lost at once counts as one misfortune");
        for round in 2..20 {
            length.shrink(ROUND, ROUND * round);
        }
        assert_eq!(length.fit(sizes), 9);
        length.grow(200);
        assert_eq!(length.fit(sizes), 320);
        assert_eq!(length.fit(Sizes { least: 500, most: 400 }), 500, "one piece at least");
    }

    #[test]
    fn about_one_parcel_in_ten_may_be_lost() {
        let mut length = Length::default();
        length.fit(Sizes { least: 9, most: 4000 });
        for round in 1..1000 {
            length.grow(12);
            length.shrink(ROUND, ROUND * round);
        }
        assert!((2000..=4000).contains(&length.bytes), "{length:?}");
        for round in 1000..2000 {
            length.grow(6);
            length.shrink(ROUND, ROUND * round);
        }
        assert!(length.bytes < 200, "{length:?}");
    }
}
