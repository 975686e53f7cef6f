//! What is sent: messages become parcels, and a parcel is sent again until it is receipted.
//!
//! How many are on their way follows the line: more while receipts come quickly, fewer when they come late or not at
//! all. Otherwise everything would wait in the queue of a slow radio, be sent again meanwhile, and wait even longer.

use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};

use super::{Parcel, WINDOW};
use crate::Ignored;

/// How long a receipt may take before anything is known about the line.
const FIRST_GUESS: Duration = Duration::from_secs(1);
/// The shortest and the longest wait for a receipt.
const LEAST_WAIT: Duration = Duration::from_millis(200);
const MOST_WAIT: Duration = Duration::from_secs(3);
/// A parcel that later ones have overtaken is sent again, but not if that happened less than this long ago.
const OVERTAKEN: Duration = Duration::from_millis(100);
/// A receipt that takes longer comes late.
const LATE: Duration = Duration::from_millis(800);
/// How many parcels are on their way at first.
const FEW: usize = 4;

/// One direction of a line.
#[derive(Debug, Default)]
pub(crate) struct Sending {
    /// Messages that are not yet in parcels. Of the first, so many bytes are.
    waiting: VecDeque<Vec<u8>>,
    from: usize,
    /// The number of the next new parcel.
    next: u32,
    /// Parcels that are not receipted.
    flying: BTreeMap<u32, Flying>,
    /// How long a receipt takes.
    round: Option<Duration>,
    /// How many parcels may be on their way now.
    window: Window,
    /// How many bytes are in `waiting`.
    bytes: usize,
}

/// How many parcels may be on their way.
#[derive(Debug)]
struct Window {
    size: usize,
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
    fn grow(&mut self, arrived: usize) {
        self.size = (self.size + arrived).min(usize::try_from(WINDOW).unwrap_or(FEW));
    }

    /// Receipts come late or not at all; what is on its way now counts once.
    fn shrink(&mut self, round: Duration, now: Duration) {
        if now >= self.at + round {
            (self.size, self.at) = ((self.size / 2).max(1), now);
        }
    }
}

#[derive(Debug)]
struct Flying {
    last: bool,
    bytes: Vec<u8>,
    /// When it was last sent; `None` if it has to be sent now.
    sent: Option<Duration>,
    /// How often it was sent.
    times: u32,
}

impl Sending {
    pub(crate) fn push(&mut self, message: Vec<u8>) {
        self.bytes += message.len();
        self.waiting.push_back(message);
    }

    /// How many bytes wait, or are on their way.
    pub(crate) fn kept(&self) -> usize {
        self.bytes + self.flying.values().map(|flying| flying.bytes.len()).sum::<usize>()
    }

    /// Whether everything is receipted.
    pub(crate) fn is_done(&self) -> bool {
        self.waiting.is_empty() && self.flying.is_empty()
    }

    /// The line is cut: nobody knows what has arrived.
    pub(crate) fn cut(&mut self) {
        self.flying.values_mut().for_each(|flying| flying.sent = None);
    }

    /// What has to be sent now, in parcels of at most this many bytes.
    pub(crate) fn due(&mut self, most: usize, now: Duration) -> Option<Parcel> {
        let wait = self.wait();
        let mut first = self.flying.iter_mut().take(self.window.size);
        let due = first.find(|(_, flying)| flying.due_at(wait).is_none_or(|at| at <= now));
        if let Some((number, flying)) = due {
            if flying.sent.is_some() {
                self.window.shrink(wait, now);
            }
            (flying.sent, flying.times) = (Some(now), flying.times.saturating_add(1));
            return Some(Parcel::Data { number: *number, last: flying.last, bytes: flying.bytes.clone() });
        }
        let first = self.flying.keys().next().copied().unwrap_or(self.next);
        let full = self.flying.len() >= self.window.size;
        if full || self.next.wrapping_sub(first) >= WINDOW || self.next == u32::MAX {
            return None;
        }
        let message = self.waiting.front()?;
        let left = message.get(self.from..).unwrap_or_default();
        let bytes = left.get(..most.min(left.len())).unwrap_or_default().to_vec();
        let last = bytes.len() == left.len();
        if last {
            self.bytes = self.bytes.saturating_sub(message.len());
            self.waiting.pop_front();
            self.from = 0;
        } else {
            self.from += bytes.len();
        }
        let number = self.next;
        self.next += 1;
        self.flying.insert(number, Flying { last, bytes: bytes.clone(), sent: Some(now), times: 1 });
        Some(Parcel::Data { number, last, bytes })
    }

    /// When something has to be sent again.
    pub(crate) fn wake_at(&self) -> Option<Duration> {
        let wait = self.wait();
        self.flying.values().take(self.window.size).filter_map(|flying| flying.due_at(wait)).min()
    }

    /// What the other end says has arrived.
    pub(crate) fn receipted(&mut self, next: u32, later: u32, now: Duration) -> Result<(), Ignored> {
        let arrived = |number: u32| match number.checked_sub(next) {
            None => true,
            Some(place) => later.checked_shr(place).unwrap_or(0) & 1 == 1,
        };
        let highest = next.checked_add(31_u32.saturating_sub(later.leading_zeros()));
        if next > self.next || later != 0 && highest.is_none_or(|highest| highest >= self.next) {
            return Err(Ignored::NotSent);
        }
        let fresh = self.flying.iter().filter(|(number, flying)| arrived(**number) && flying.times == 1);
        if let Some(sent) = fresh.filter_map(|(_, flying)| flying.sent).max() {
            let took = now.saturating_sub(sent);
            self.round = Some(self.round.map_or(took, |round| (round * 7 + took) / 8));
            if took > LATE {
                self.window.shrink(took, now);
            }
        }
        let before = self.flying.len();
        self.flying.retain(|number, _| !arrived(*number));
        if self.round.is_none_or(|round| round <= LATE) {
            self.window.grow(before - self.flying.len());
        }
        // What is missing among those that have arrived is lost, unless it was sent just now.
        let overtaken = self.round.unwrap_or(FIRST_GUESS).max(OVERTAKEN);
        if let Some(highest) = highest.filter(|_| later != 0) {
            for (_, flying) in self.flying.range_mut(..highest) {
                flying.sent = flying.sent.filter(|sent| now.saturating_sub(*sent) < overtaken);
            }
        }
        Ok(())
    }

    fn wait(&self) -> Duration {
        self.round.map_or(FIRST_GUESS, |round| round * 2 + LEAST_WAIT).min(MOST_WAIT)
    }
}

impl Flying {
    /// When it has to be sent again; `None` means now.
    fn due_at(&self, wait: Duration) -> Option<Duration> {
        let doublings = self.times.saturating_sub(1).min(5);
        self.sent.map(|sent| sent + (wait * (1 << doublings)).min(MOST_WAIT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn numbers(sending: &mut Sending, now: Duration) -> Vec<u32> {
        let mut sent = Vec::new();
        while let Some(Parcel::Data { number, .. }) = sending.due(10, now) {
            sent.push(number);
        }
        sent
    }

    #[test]
    fn no_more_parcels_than_the_window_are_on_their_way() {
        let mut sending = Sending::default();
        sending.push(vec![0; 1000]);
        assert_eq!(numbers(&mut sending, ms(0)), [0, 1, 2, 3]);
        assert_eq!(sending.receipted(2, 0b10, ms(50)), Ok(()));
        assert_eq!(numbers(&mut sending, ms(50)), [4, 5, 6, 7, 8, 9], "three more than before");
        assert_eq!(sending.kept(), 1000 + 7 * 10, "the message waits until it is wholly in parcels");
        for time in 1..10 {
            let next = sending.next;
            assert_eq!(sending.receipted(next, 0, ms(50 + time)), Ok(()));
            assert!(numbers(&mut sending, ms(50 + time)).len() <= 32);
        }
        assert_eq!(sending.window.size, 32);
    }

    #[test]
    fn a_slow_line_gets_fewer_parcels_at_a_time() {
        let mut sending = Sending::default();
        sending.push(vec![0; 1000]);
        sending.window.size = 16;
        assert_eq!(numbers(&mut sending, ms(0)).len(), 16);
        assert_eq!(sending.receipted(1, 0, ms(900)), Ok(()));
        assert_eq!((sending.window.size, numbers(&mut sending, ms(900)).len()), (8, 0), "15 are still on their way");
        let late = sending.wake_at().unwrap();
        assert_eq!(numbers(&mut sending, late).len(), 8, "and then only half of them again");
    }

    #[test]
    fn what_is_not_receipted_is_sent_again_ever_more_rarely() {
        let mut sending = Sending::default();
        sending.push(vec![0; 15]);
        assert_eq!(numbers(&mut sending, ms(0)), [0, 1]);
        assert_eq!(sending.receipted(1, 0, ms(100)), Ok(()));
        assert_eq!(sending.wake_at(), Some(ms(400)), "two rounds and a bit");
        assert_eq!(numbers(&mut sending, ms(399)), Vec::<u32>::new());
        assert_eq!(numbers(&mut sending, ms(400)), [1]);
        assert_eq!(sending.wake_at(), Some(ms(1200)));
        sending.cut();
        assert_eq!(numbers(&mut sending, ms(500)), [1], "after a cut at once");
        assert_eq!(sending.receipted(2, 0, ms(600)), Ok(()));
        assert!(sending.is_done() && sending.wake_at().is_none());
    }

    #[test]
    fn what_others_have_overtaken_is_sent_again_at_once() {
        let mut sending = Sending::default();
        sending.push(vec![0; 40]);
        assert_eq!(numbers(&mut sending, ms(0)), [0, 1, 2, 3]);
        assert_eq!(sending.receipted(0, 0b1010, ms(120)), Ok(()));
        assert_eq!(numbers(&mut sending, ms(120)), [0, 2]);
        assert_eq!(sending.receipted(0, 0b1010, ms(121)), Ok(()));
        assert_eq!(numbers(&mut sending, ms(121)), Vec::<u32>::new(), "but not twice in a moment");
    }

    #[test]
    fn a_receipt_for_what_was_not_sent_changes_nothing() {
        let mut sending = Sending::default();
        sending.push(vec![0; 25]);
        assert_eq!(numbers(&mut sending, ms(0)), [0, 1, 2]);
        for (next, later) in [(4, 0), (u32::MAX, 0), (0, 0b1000), (1, 0b100), (0, u32::MAX), (u32::MAX, u32::MAX)] {
            assert_eq!(sending.receipted(next, later, ms(9)), Err(Ignored::NotSent), "{next} {later:b}");
        }
        assert_eq!(sending.flying.len(), 3);
        assert_eq!(sending.receipted(3, 0, ms(9)), Ok(()));
        assert_eq!(sending.receipted(1, 0, ms(9)), Ok(()), "an old one");
        assert!(sending.is_done());
    }
}
