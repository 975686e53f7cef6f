//! What an end writes, and when it has to be asked again.

use core::time::Duration;

use super::{AGAIN, Form, Link, Output, PIECES, SIGN_OF_LIFE, TRIES, Writing, tag};
use crate::Hello;
use crate::fast::{self, Cut, Sizes};
use crate::hello::Hears;
use crate::slow::{self, PAUSE, PIECE_PAUSE};

impl Link {
    /// What has to be done now.
    pub fn poll(&mut self, now: Duration) -> Output {
        if let Some(message) = self.take(now) {
            return Output::Received(message);
        }
        if let Some((from, length)) = self.missed.take() {
            return Output::Missed(from, length);
        }
        if let Form::Open(receiving) | Form::Slow { receiving, .. } = &mut self.form {
            // A parcel that ends because nothing follows may be a wrong one; then it is asked for again.
            let _ = receiving.timers(now);
        }
        self.slow_if_spoken_to();
        if let Some(message) = self.take(now) {
            return Output::Received(message);
        }
        let Some(size) = self.piece else { return Output::Wait(None) };
        if self.not_before <= now
            && let Some(piece) = self.write(size, now)
        {
            return Output::Write(piece);
        }
        Output::Wait(self.wake_at(now))
    }

    fn take(&mut self, now: Duration) -> Option<Vec<u8>> {
        match &mut self.form {
            Form::Open(receiving) | Form::Slow { receiving, .. } => receiving.take(),
            Form::Fast { receiving, .. } => receiving.take(now),
            Form::Ended => None,
        }
    }

    /// The next bytes to be written.
    fn write(&mut self, size: usize, now: Duration) -> Option<Vec<u8>> {
        loop {
            if let Some(piece) = self.write_on(size, now) {
                return Some(piece);
            }
            if let Some(hello) = self.hello(now) {
                return Some(hello);
            }
            self.writing = self.next_parcel(size, now);
            self.writing.as_ref()?;
        }
    }

    /// The next piece of what is being written.
    fn write_on(&mut self, size: usize, now: Duration) -> Option<Vec<u8>> {
        let (piece, is_over, wait) = match self.writing.as_mut()? {
            Writing::Fast { cut, pause } => {
                let piece = cut.next(size);
                (piece, cut.is_over(), if cut.is_over() { *pause } else { Duration::ZERO })
            }
            Writing::Slow { bytes, from, pause } => {
                let left = bytes.get(*from..).unwrap_or_default();
                let piece = left.get(..left.len().min(size)).filter(|piece| !piece.is_empty()).map(<[u8]>::to_vec);
                *from += piece.as_ref().map_or(0, Vec::len);
                let is_over = *from == bytes.len();
                (piece, is_over, if is_over { *pause } else { PIECE_PAUSE })
            }
        };
        self.not_before = now + wait;
        if is_over {
            self.writing = None;
        }
        piece
    }

    /// The hello that is due.
    fn hello(&mut self, now: Duration) -> Option<Vec<u8>> {
        self.greeting.at.filter(|at| *at <= now)?;
        match &self.form {
            Form::Slow { .. } | Form::Ended => {
                self.greeting.at = None;
                return None;
            }
            Form::Open(_) if self.greeting.said >= TRIES => {
                self.greeting.at = None;
                self.slow();
                return None;
            }
            Form::Open(_) | Form::Fast { .. } => {}
        }
        self.greeting.said = self.greeting.said.saturating_add(1);
        let to = match &self.form {
            Form::Fast { peer, .. } if self.greeting.heard => peer.session,
            _ => 0,
        };
        let heard = match (self.greeting.heard, self.greeting.known) {
            (false, _) => Hears::Nobody,
            (true, false) => Hears::You,
            (true, true) => Hears::Both,
        };
        self.greeting.at = Some(now + if heard == Hears::Both { SIGN_OF_LIFE } else { AGAIN });
        Some(Hello { session: self.session, to, heard, limits: self.limits }.encode())
    }

    /// The next parcel that has to be written.
    fn next_parcel(&mut self, size: usize, now: Duration) -> Option<Writing> {
        match &mut self.form {
            Form::Open(_) | Form::Ended => None,
            Form::Fast { peer, sending, receiving } => {
                if !self.greeting.known {
                    return None;
                }
                let tag = tag(if self.guest { self.session } else { peer.session });
                let room = size.saturating_sub(fast::HEAD + fast::ADDED);
                if let Some(receipt) = receiving.due(room, now) {
                    let cut = Cut::new(tag, receipt.encode(self.session));
                    return Some(Writing::Fast { cut, pause: Duration::ZERO });
                }
                let limits = self.limits.and(peer.limits);
                let limit = usize::from(limits.parcel);
                let most = (size * PIECES).max(slow::PARCEL).min(limit);
                let parcel = sending.due(Sizes { least: room.min(limit), most }, now)?;
                Some(Writing::Fast { cut: Cut::new(tag, parcel.encode(self.session)), pause: limits.pause })
            }
            Form::Slow { sending, receiving } => {
                let (bytes, pause) = match receiving.answer() {
                    Some(receipt) => (receipt.encode(), slow::QUIET + PIECE_PAUSE),
                    None => (sending.due(now)?, PAUSE),
                };
                Some(Writing::Slow { bytes, from: 0, pause })
            }
        }
    }

    /// When something has to be done.
    fn wake_at(&self, now: Duration) -> Option<Duration> {
        let later = |at: Duration| at.max(self.not_before);
        let (write, other) = match &self.form {
            Form::Ended => return None,
            Form::Open(receiving) => (None, receiving.wake_at()),
            Form::Fast { sending, receiving, .. } if self.greeting.known => {
                // While there is a pause, something may be due at its end.
                let paused = (self.not_before > now).then_some(self.not_before);
                (sending.wake_at().into_iter().chain(receiving.wake_at()).chain(paused).min(), None)
            }
            Form::Fast { .. } => (None, None),
            Form::Slow { sending, receiving } => {
                let due = (sending.is_due() || receiving.must_answer() || self.writing.is_some()).then_some(now);
                (due.or_else(|| sending.wake_at()), receiving.wake_at())
            }
        };
        let greeting = self.greeting.at.map(later);
        [write.map(later), other, greeting].into_iter().flatten().min()
    }
}
