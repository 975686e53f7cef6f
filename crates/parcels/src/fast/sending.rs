//! What is sent: messages become a stream of bytes, and each byte is sent again until it is receipted.

use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};

use super::item::{Item, Place};
use super::pace::{Length, Window};
use super::{Parcel, Sizes, Stretch, WINDOW};
use crate::Ignored;

/// How long a receipt may take before anything is known about the line.
const FIRST_GUESS: Duration = Duration::from_secs(1);
/// The shortest and the longest wait for a receipt.
const LEAST_WAIT: Duration = Duration::from_millis(200);
const MOST_WAIT: Duration = Duration::from_secs(3);
/// A parcel that later ones have overtaken is sent again, but not if that happened less than this long ago.
const OVERTAKEN: Duration = Duration::from_millis(30);
/// A receipt that takes longer comes late.
const LATE: Duration = Duration::from_millis(800);

/// One direction of a line.
#[derive(Debug, Default)]
pub(crate) struct Sending {
    /// The bytes that are not receipted, and the number of the first.
    stream: VecDeque<u8>,
    start: u32,
    /// The number of the first byte that was never sent.
    fresh: u32,
    /// What is on its way, by the number of its first byte.
    flying: BTreeMap<u32, Flying>,
    /// What was said to everybody and is not receipted: where it ends in this stream, and where it is.
    said: VecDeque<(u32, Place)>,
    /// How long a receipt takes.
    round: Option<Duration>,
    /// How often something was sent again since a receipt last said that something had arrived, and when last.
    vain: u32,
    vain_at: Duration,
    window: Window,
    length: Length,
    /// When something last got through, or went on its way after everything had.
    progress: Duration,
}

/// Bytes on their way.
#[derive(Clone, Copy, Debug)]
struct Flying {
    /// The number of the first byte after them.
    to: u32,
    /// When they were last sent, and when they are sent again; `None` if they have to be sent now.
    sent: Option<(Duration, Duration)>,
    /// How often they were sent.
    times: u32,
}

impl Sending {
    /// Takes an item, unless so much was sent that no number is left for it.
    pub(crate) fn push(&mut self, item: &Item<'_>) {
        let bytes = item.encode();
        let all = u32::try_from(self.stream.len() + bytes.len()).unwrap_or(u32::MAX);
        let Some(end) = self.start.checked_add(all) else { return };
        self.stream.extend(bytes);
        if let Item::Said(place) = item {
            self.said.push_back((end, *place));
        }
    }

    /// How many bytes wait, or are on their way; also those that are said to everybody.
    pub(crate) fn kept(&self) -> usize {
        let length = |(_, place): &(u32, Place)| usize::try_from(place.length).unwrap_or_default();
        self.stream.len() + self.said.iter().map(length).sum::<usize>()
    }

    /// The first byte of what was said to everybody and is not receipted.
    pub(crate) fn first_said(&self) -> Option<u32> {
        self.said.iter().map(|(_, place)| place.from).min()
    }

    /// Since when nothing has got through, if something waits for that.
    pub(crate) fn stuck_since(&self) -> Option<Duration> {
        (!self.flying.is_empty()).then_some(self.progress)
    }

    /// Whether everything is receipted.
    pub(crate) fn is_done(&self) -> bool {
        self.stream.is_empty()
    }

    /// The line is cut: nobody knows what has arrived.
    pub(crate) fn cut(&mut self) {
        self.flying.values_mut().for_each(|flying| flying.sent = None);
    }

    /// What has to be sent now, in parcels of such sizes.
    pub(crate) fn due(&mut self, sizes: Sizes, now: Duration) -> Option<Parcel> {
        let wait = self.wait();
        let mut first = self.flying.iter_mut().take(self.window.size);
        let due = first.find(|(_, flying)| flying.sent.is_none_or(|(_, again)| again <= now));
        let from = match due.map(|(from, flying)| (*from, *flying)) {
            Some((from, flying)) => {
                if flying.sent.is_some() {
                    self.unheard(wait, now);
                }
                self.again(from, flying, sizes, now);
                from
            }
            None => self.begin(sizes, now)?,
        };
        let to = self.flying.get(&from)?.to;
        let place = |number: u32| usize::try_from(number.saturating_sub(self.start)).unwrap_or(usize::MAX);
        let bytes = self.stream.iter().take(place(to)).skip(place(from)).copied().collect();
        Some(Parcel::Data { from, bytes })
    }

    /// Nobody has said anything about a parcel. If nothing else was heard either, the line may be dead, or too slow for so
    /// much; otherwise this parcel is lost.
    fn unheard(&mut self, wait: Duration, now: Duration) {
        self.length.shrink(wait, now);
        if now >= self.vain_at + wait {
            (self.vain, self.vain_at) = (self.vain.saturating_add(1), now);
        }
        if self.vain > 1 {
            self.window.shrink(wait, now);
        }
    }

    /// Sends bytes again, as many as a parcel has now; the others follow.
    fn again(&mut self, from: u32, flying: Flying, sizes: Sizes, now: Duration) {
        let to = flying.to.min(from.saturating_add(self.fitting(sizes)));
        if to < flying.to {
            self.flying.insert(to, Flying { sent: None, ..flying });
        }
        self.flying
            .insert(from, Flying { to, sent: Some((now, now + self.wait())), times: flying.times.saturating_add(1) });
    }

    /// Sends bytes for the first time, if there are any and they may be sent.
    fn begin(&mut self, sizes: Sizes, now: Duration) -> Option<u32> {
        if self.flying.len() >= self.window.size {
            return None;
        }
        let length = u32::try_from(self.stream.len()).unwrap_or(u32::MAX);
        let end = self.start.saturating_add(length.min(WINDOW));
        let from = self.fresh;
        let to = end.min(from.saturating_add(self.fitting(sizes)));
        if to <= from {
            return None;
        }
        if self.flying.is_empty() {
            self.progress = now;
        }
        self.flying.insert(from, Flying { to, sent: Some((now, now + self.wait())), times: 1 });
        self.fresh = to;
        Some(from)
    }

    fn fitting(&mut self, sizes: Sizes) -> u32 {
        u32::try_from(self.length.fit(sizes)).unwrap_or(u32::MAX)
    }

    /// When something has to be sent again.
    pub(crate) fn wake_at(&self) -> Option<Duration> {
        self.flying.values().take(self.window.size).filter_map(|flying| flying.sent.map(|(_, again)| again)).min()
    }

    /// What the other end says has arrived.
    pub(crate) fn receipted(&mut self, next: u32, at: u16, later: &[Stretch], now: Duration) -> Result<(), Ignored> {
        let there = there(next, at, later).filter(|there| there.last().is_some_and(|(_, to)| *to <= self.fresh));
        let there = there.ok_or(Ignored::NotSent)?;
        let mut arrived = Arrived::default();
        let half = self.length.now() / 2;
        for (from, flying) in core::mem::take(&mut self.flying) {
            let missing = missing(from, flying.to, &there);
            if missing.is_empty() {
                arrived.count += 1;
                arrived.long += usize::from(flying.length(from) >= half);
                arrived.sent = arrived.sent.max(flying.sent.filter(|_| flying.times == 1).map(|(sent, _)| sent));
            }
            self.flying.extend(missing.into_iter().map(|(from, to)| (from, Flying { to, ..flying })));
        }
        if arrived.count > 0 || self.start < next {
            self.progress = now;
        }
        while self.start < next && self.stream.pop_front().is_some() {
            self.start += 1;
        }
        while self.said.front().is_some_and(|(end, _)| *end <= self.start) {
            self.said.pop_front();
        }
        if let Some(sent) = arrived.sent {
            let took = now.saturating_sub(sent);
            self.round = Some(self.round.map_or(took, |round| (round * 7 + took) / 8));
            if took > LATE {
                self.window.shrink(took, now);
            }
        }
        if arrived.count > 0 {
            self.vain = 0;
        }
        if self.round.is_none_or(|round| round <= LATE) {
            self.window.grow(arrived.count);
        }
        self.length.grow(arrived.long);
        // Everything has arrived, but some of it waits there for what is said to everybody. A byte that is sent again asks
        // whether it still does.
        if self.flying.is_empty() && self.start < self.fresh {
            let again = now + self.wait();
            self.flying.insert(self.start, Flying { to: self.start + 1, sent: Some((now, again)), times: 2 });
        }
        // What is missing among those that have arrived is lost, unless it was sent just now.
        let overtaken = self.round.map_or(FIRST_GUESS, |round| round * 3 / 2).max(OVERTAKEN);
        let wait = self.wait();
        for (stretch, (there, _)) in later.iter().zip(there.iter().skip(1)) {
            for (_, flying) in self.flying.range_mut(there.saturating_sub(stretch.missing.into())..*there) {
                if flying.sent.is_some_and(|(sent, _)| now.saturating_sub(sent) >= overtaken) {
                    flying.sent = None;
                    self.length.shrink(wait, now);
                }
            }
        }
        Ok(())
    }

    /// How long a parcel waits for its receipt.
    fn wait(&self) -> Duration {
        let wait = self.round.map_or(FIRST_GUESS, |round| round * 2 + LEAST_WAIT);
        (wait * (1 << self.vain.min(5))).min(MOST_WAIT)
    }
}

/// What a receipt says about parcels.
#[derive(Default)]
struct Arrived {
    /// How many have arrived, and how many of them were at least half as long as they may be.
    count: usize,
    long: usize,
    /// When the last of those that were sent once was sent.
    sent: Option<Duration>,
}

/// The stretches of bytes that are there, from the first byte on; `None` if there are no such numbers.
fn there(next: u32, at: u16, later: &[Stretch]) -> Option<Vec<(u32, u32)>> {
    let mut there = vec![(0, next)];
    let mut at = next.checked_add(at.into())?;
    for stretch in later {
        let from = at.checked_add(stretch.missing.into())?;
        at = from.checked_add(stretch.there.into())?;
        there.push((from, at));
    }
    Some(there)
}

/// What is missing of the bytes `from..to`.
fn missing(mut from: u32, to: u32, there: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut missing = Vec::new();
    for (begin, end) in there {
        if *begin > from {
            missing.push((from, to.min(*begin)));
        }
        from = from.max(*end);
        if from >= to {
            break;
        }
    }
    if from < to {
        missing.push((from, to));
    }
    missing.retain(|(from, to)| from < to);
    missing
}

impl Flying {
    fn length(&self, from: u32) -> usize {
        usize::try_from(self.to.saturating_sub(from)).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: Sizes = Sizes { least: 10, most: 10 };

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// A direction with a message of so many bytes, its length included.
    fn sending(length: usize) -> Sending {
        let mut sending = Sending::default();
        sending.push(&Item::Message(&vec![0; length - 4]));
        sending
    }

    fn numbers(sending: &mut Sending, sizes: Sizes, now: Duration) -> Vec<u32> {
        let mut sent = Vec::new();
        while let Some(Parcel::Data { from, .. }) = sending.due(sizes, now) {
            sent.push(from);
        }
        sent
    }

    fn tens(sending: &mut Sending, now: Duration) -> Vec<u32> {
        numbers(sending, TEN, now)
    }

    const fn stretch(missing: u16, there: u16) -> Stretch {
        Stretch { missing, there }
    }

    #[test]
    fn no_more_parcels_than_the_window_are_on_their_way() {
        let mut sending = sending(1000);
        assert_eq!(tens(&mut sending, ms(0)), [0, 10, 20, 30]);
        assert_eq!(sending.receipted(20, 0, &[stretch(10, 10)], ms(50)), Ok(()));
        assert_eq!(tens(&mut sending, ms(50)), [40, 50, 60, 70, 80, 90], "three more than before");
        assert_eq!(sending.kept(), 980);
        for time in 1..10 {
            let next = sending.fresh;
            assert_eq!(sending.receipted(next, 0, &[], ms(50 + time)), Ok(()));
            assert!(tens(&mut sending, ms(50 + time)).len() <= 32);
        }
        assert_eq!(sending.window.size, 32);
    }

    #[test]
    fn no_more_bytes_than_the_window_are_on_their_way() {
        let mut sending = sending(100_000);
        sending.window.size = 32;
        let sizes = Sizes { least: 4096, most: 4096 };
        assert_eq!(numbers(&mut sending, sizes, ms(0)).len(), 16);
        assert_eq!(sending.fresh, WINDOW);
        assert_eq!(sending.receipted(4096, 0, &[], ms(50)), Ok(()));
        assert_eq!(numbers(&mut sending, sizes, ms(50)).len(), 1);
    }

    #[test]
    fn a_slow_line_gets_fewer_parcels_at_a_time() {
        let mut sending = sending(1000);
        sending.window.size = 16;
        assert_eq!(tens(&mut sending, ms(0)).len(), 16);
        assert_eq!(sending.receipted(10, 0, &[], ms(900)), Ok(()));
        assert_eq!((sending.window.size, tens(&mut sending, ms(900)).len()), (8, 0), "15 are still on their way");
        let late = sending.wake_at().unwrap();
        assert_eq!(tens(&mut sending, late).len(), 8, "and then only half of them again");
    }

    #[test]
    fn what_is_not_receipted_is_sent_again_ever_more_rarely() {
        let mut sending = sending(15);
        assert_eq!(tens(&mut sending, ms(0)), [0, 10]);
        assert_eq!(sending.receipted(10, 0, &[], ms(100)), Ok(()));
        assert_eq!(sending.wake_at(), Some(ms(1000)), "nothing was known about the line");
        assert_eq!(tens(&mut sending, ms(999)), Vec::<u32>::new());
        assert_eq!(tens(&mut sending, ms(1000)), [10]);
        assert_eq!(sending.wake_at(), Some(ms(1800)), "two rounds and a bit, twice");
        assert_eq!(tens(&mut sending, ms(1800)), [10]);
        assert_eq!(sending.wake_at(), Some(ms(3400)));
        sending.cut();
        assert_eq!(tens(&mut sending, ms(1900)), [10], "after a cut at once");
        assert_eq!(sending.receipted(15, 0, &[], ms(2000)), Ok(()));
        assert!(sending.is_done() && sending.wake_at().is_none());
    }

    #[test]
    fn what_others_have_overtaken_is_sent_again_at_once() {
        let mut sending = sending(40);
        assert_eq!(tens(&mut sending, ms(0)), [0, 10, 20, 30]);
        let later = [stretch(10, 10), stretch(10, 10)];
        assert_eq!(sending.receipted(0, 0, &later, ms(40)), Ok(()));
        assert_eq!(tens(&mut sending, ms(40)), Vec::<u32>::new(), "they may still be on their way");
        assert_eq!(sending.receipted(0, 20, &later[1..], ms(60)), Ok(()));
        assert_eq!(tens(&mut sending, ms(60)), [20], "only what is named is missing");
        assert_eq!(sending.receipted(0, 0, &later, ms(61)), Ok(()));
        assert_eq!(tens(&mut sending, ms(61)), [0], "but nothing is sent twice in a moment");
    }

    #[test]
    fn what_is_sent_again_is_cut_into_shorter_parcels() {
        let mut sending = sending(100);
        let sizes = Sizes { least: 10, most: 100 };
        let Some(Parcel::Data { from: 0, bytes }) = sending.due(sizes, ms(0)) else { panic!("the first") };
        assert_eq!(bytes.len(), 100);
        let mut now = ms(0);
        let mut sizes_sent = Vec::new();
        for _ in 0..20 {
            now = sending.wake_at().unwrap().max(now + ms(2000));
            while let Some(Parcel::Data { bytes, .. }) = sending.due(sizes, now) {
                sizes_sent.push(bytes.len());
            }
        }
        assert!(sizes_sent.windows(2).all(|two| two[0] >= two[1] || two[1] <= 75), "{sizes_sent:?}");
        assert_eq!(sizes_sent.iter().min(), Some(&10), "one piece at least");
        // A part of what was one parcel arrives.
        assert_eq!(sending.receipted(0, 0, &[stretch(35, 10)], now), Ok(()));
        let left: u32 = sending.flying.iter().map(|(from, flying)| flying.to - from).sum();
        assert_eq!((left, sending.kept()), (90, 100));
        assert_eq!(sending.receipted(100, 0, &[], now), Ok(()));
        assert!(sending.is_done() && sending.flying.is_empty());
    }

    #[test]
    fn a_receipt_for_what_was_not_sent_changes_nothing() {
        let mut sending = sending(25);
        assert_eq!(tens(&mut sending, ms(0)), [0, 10, 20]);
        for (next, later) in [
            (26, vec![]),
            (u32::MAX, vec![]),
            (0, vec![stretch(20, 6)]),
            (10, vec![stretch(5, 5), stretch(5, 5)]),
            (0, vec![stretch(u16::MAX, u16::MAX)]),
            (u32::MAX, vec![stretch(1, 1)]),
        ] {
            assert_eq!(sending.receipted(next, 0, &later, ms(9)), Err(Ignored::NotSent), "{next} {later:?}");
        }
        assert_eq!((sending.flying.len(), sending.kept()), (3, 25));
        assert_eq!(sending.receipted(25, 0, &[], ms(9)), Ok(()));
        assert_eq!(sending.receipted(10, 0, &[stretch(5, 5)], ms(9)), Ok(()), "an old one");
        assert!(sending.is_done());
    }

    #[test]
    fn what_has_arrived_and_waits_there_is_asked_about() {
        let mut sending = sending(40);
        assert_eq!(tens(&mut sending, ms(0)), [0, 10, 20, 30]);
        assert_eq!(sending.receipted(0, 0, &[stretch(10, 30)], ms(10)), Ok(()));
        assert_eq!(sending.receipted(20, 0, &[], ms(20)), Ok(()), "the rest is there, but is not taken yet");
        assert!(!sending.is_done());
        let at = sending.wake_at().unwrap();
        let asked = sending.due(TEN, at);
        assert_eq!(asked, Some(Parcel::Data { from: 20, bytes: vec![0] }));
        assert_eq!(sending.receipted(40, 0, &[], at), Ok(()));
        assert!(sending.is_done() && sending.wake_at().is_none());
    }
}
