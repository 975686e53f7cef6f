//! A socket that sends too much: it is read more slowly, and closed if that does not help.

use std::time::{Duration, Instant};

/// How long a socket is not read after it sent too much. The system's own queue fills up meanwhile, and then the other
/// side has to wait.
const PAUSE: Duration = Duration::from_secs(1);

/// After this many pauses in a row it is closed.
const MOST_PAUSES: u32 = 5;

/// After this long without a pause, earlier ones are forgotten.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// The behaviour of one socket.
#[derive(Default)]
pub(crate) struct Flood {
    /// Until when nothing is read.
    until: Option<Instant>,
    /// When the last pause was.
    last: Option<Instant>,
    pauses: u32,
    /// The number of messages since then.
    since: u32,
}

/// What to do about a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It is read.
    Fine,
    /// It is ignored, and nothing is read for a while.
    Pause {
        /// Whether this is the first time on this socket.
        first: bool,
    },
    /// The socket is closed.
    Close,
}

impl Flood {
    /// A message arrived, which the limits allow or not. `rate` is the number of messages per second they allow a
    /// player.
    ///
    /// Players share the limit of their address, so not everybody whose message is one too many is to blame: a socket
    /// is closed only for its own messages.
    pub(crate) fn judge(&mut self, allowed: bool, rate: u32, now: Instant) -> Verdict {
        self.since = self.since.saturating_add(1);
        if allowed {
            return Verdict::Fine;
        }
        if self.last.is_some_and(|last| now.saturating_duration_since(last) > FORGOTTEN) {
            self.pauses = 0;
        }
        let first = self.last.is_none();
        let to_blame = std::mem::take(&mut self.since) >= rate.max(1);
        self.pauses += u32::from(to_blame);
        if self.pauses > MOST_PAUSES {
            return Verdict::Close;
        }
        (self.last, self.until) = (Some(now), Some(now + PAUSE));
        Verdict::Pause { first }
    }

    /// How long nothing is to be read from now on.
    pub(crate) fn wait(&mut self, now: Instant) -> Option<Duration> {
        let left = self.until?.saturating_duration_since(now);
        if left.is_zero() {
            self.until = None;
            return None;
        }
        Some(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: u32 = 50;

    #[test]
    fn a_socket_that_floods_is_slowed_down_and_then_closed() {
        let (mut flood, mut now) = (Flood::default(), Instant::now());
        assert!((0..500).all(|_| flood.judge(true, RATE, now) == Verdict::Fine && flood.wait(now).is_none()));
        let mut pauses = 0;
        loop {
            match flood.judge(false, RATE, now) {
                Verdict::Pause { first } => assert_eq!(first, pauses == 0),
                Verdict::Close => break,
                Verdict::Fine => panic!("it was too much"),
            }
            pauses += 1;
            assert_eq!(flood.wait(now), Some(PAUSE));
            now += PAUSE;
            assert_eq!(flood.wait(now), None);
            assert!((0..RATE).all(|_| flood.judge(true, RATE, now) == Verdict::Fine), "a second's worth may come");
        }
        assert_eq!(pauses, MOST_PAUSES);
    }

    #[test]
    fn no_socket_is_closed_for_what_its_neighbours_send() {
        let (mut flood, mut now) = (Flood::default(), Instant::now());
        for _ in 0..1000 {
            assert!(matches!(flood.judge(false, RATE, now), Verdict::Pause { .. }));
            now += 2 * PAUSE;
        }
    }

    #[test]
    fn too_much_once_in_a_while_is_forgotten() {
        let (mut flood, mut now) = (Flood::default(), Instant::now());
        for _ in 0..100 {
            assert!((0..RATE).all(|_| flood.judge(true, RATE, now) == Verdict::Fine));
            assert!(matches!(flood.judge(false, RATE, now), Verdict::Pause { .. }));
            now += FORGOTTEN + PAUSE;
        }
    }
}
