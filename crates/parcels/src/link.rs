//! One end of a line.
//!
//! The owner tells it when there is a connection and how much a write carries ([`Link::back`]), what was heard
//! ([`Link::heard`]), what to send ([`Link::send`]) and when the connection is lost ([`Link::cut`]). After each of these,
//! and at the time that it asks for, the owner calls [`Link::poll`] until it has to wait.
//!
//! ```text
//! hello unanswered for 8 s, or a message in Geogram's form ──► slow, for as long as the link lives
//! hello of the other end ────────────────────────────────────► fast, for as long as the link lives
//! ```
//!
//! The [guest](Link::guest), who has connected, speaks first; the [host](Link::host) answers.
//!
//! A link lives as long as both ends remember it: after a cut, both go on where they were. If the other end has begun
//! anew, it has another session. This link then says [`State::Ended`], and the owner begins anew as well.

use core::fmt;
use core::time::Duration;
use std::collections::VecDeque;

use crate::fast::{self, Cut, Joined, Parcel};
use crate::hello::Hears;
use crate::slow::{self, PAUSE, PIECE_PAUSE};
use crate::{Hello, Ignored, LEAST_PIECE, Limits, MOST_MESSAGE, MOST_PIECE, MOST_WAITING};

/// How long an unanswered hello waits before it is repeated, and how often that is done.
const AGAIN: Duration = Duration::from_secs(1);
const TRIES: u32 = 8;
/// An end that has nothing to say says hello this often, so that the other end knows it is there.
pub const SIGN_OF_LIFE: Duration = Duration::from_secs(10);
/// A parcel has at most this many pieces, so that one lost piece does not cost too much; but see [`slow::PARCEL`].
const PIECES: usize = 16;

/// What the owner of a link has to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// Write these bytes, as they are, with one write or notification.
    Write(Vec<u8>),
    /// This message has arrived.
    Received(Vec<u8>),
    /// Wait until something happens, or until this time.
    Wait(Option<Duration>),
}

/// Why a message is not sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It is longer than [`MOST_MESSAGE`].
    TooLong,
    /// Too much waits already.
    Full,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "a message may have at most {MOST_MESSAGE} bytes"),
            Self::Full => write!(f, "more than {MOST_WAITING} bytes wait to be sent"),
        }
    }
}

impl core::error::Error for Refused {}

/// How it is with a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// The line is cut, or nobody has answered yet.
    Waiting,
    /// Both ends know each other's hello.
    Fast,
    /// The other end knows only Geogram's form.
    Slow,
    /// The other end has begun anew; nothing comes of this link any more.
    Ended,
}

/// One end of a line.
#[derive(Debug)]
pub struct Link {
    session: u32,
    /// Whether it speaks first.
    guest: bool,
    limits: Limits,
    /// How many bytes a piece has; `None` while the line is cut.
    piece: Option<usize>,
    greeting: Greeting,
    form: Form,
    /// Messages that wait until the form is known.
    waiting: VecDeque<Vec<u8>>,
    /// The parcel that is being written.
    writing: Option<Writing>,
    /// Nothing is written before this time.
    not_before: Duration,
    joined: Joined,
}

/// How far the greeting on this connection has come.
#[derive(Debug, Default)]
struct Greeting {
    /// When the next hello is due, and how many were said.
    at: Option<Duration>,
    said: u32,
    /// Whether the other end's hello was heard, and whether it has heard ours.
    heard: bool,
    known: bool,
}

/// How the ends talk.
#[derive(Debug)]
enum Form {
    /// Nobody knows yet; somebody may already talk in Geogram's form.
    Open(slow::Receiving),
    Fast {
        peer: Hello,
        sending: fast::Sending,
        receiving: fast::Receiving,
    },
    Slow {
        sending: slow::Sending,
        receiving: slow::Receiving,
    },
    Ended,
}

/// Bytes that are being written; the pause comes after the last piece.
#[derive(Debug)]
enum Writing {
    Fast {
        cut: Cut,
        pause: Duration,
    },
    /// Geogram's pieces have no mark.
    Slow {
        bytes: Vec<u8>,
        from: usize,
        pause: Duration,
    },
}

impl Link {
    /// The end that connects, before it has. The session is a random number.
    pub fn guest(session: u32, limits: Limits) -> Self {
        Self::new(session, limits, true)
    }

    /// The end that others connect to, for one of them. The session is a random number.
    pub fn host(session: u32, limits: Limits) -> Self {
        Self::new(session, limits, false)
    }

    fn new(session: u32, limits: Limits, guest: bool) -> Self {
        Self {
            // No session means nobody.
            session: session.max(1),
            guest,
            limits: limits.possible(),
            piece: None,
            greeting: Greeting::default(),
            form: Form::Open(slow::Receiving::default()),
            waiting: VecDeque::new(),
            writing: None,
            not_before: Duration::ZERO,
            joined: Joined::default(),
        }
    }

    /// Takes a message to be sent.
    ///
    /// # Errors
    /// Fails if it is too long, or too much waits already.
    pub fn send(&mut self, message: Vec<u8>) -> Result<(), Refused> {
        if message.len() > MOST_MESSAGE {
            return Err(Refused::TooLong);
        }
        if self.unsent() + message.len() > MOST_WAITING {
            return Err(Refused::Full);
        }
        match &mut self.form {
            Form::Open(_) => self.waiting.push_back(message),
            Form::Fast { sending, .. } => sending.push(message),
            Form::Slow { sending, .. } => sending.push(message),
            Form::Ended => {}
        }
        Ok(())
    }

    /// How many bytes wait to be sent, or to be receipted.
    pub fn unsent(&self) -> usize {
        let waiting = self.waiting.iter().map(|message| message.len() + 1).sum::<usize>();
        waiting
            + match &self.form {
                Form::Fast { sending, .. } => sending.kept(),
                Form::Slow { sending, .. } => sending.kept(),
                Form::Open(_) | Form::Ended => 0,
            }
    }

    /// Whether everything that was sent is receipted.
    pub fn is_done(&self) -> bool {
        match &self.form {
            Form::Open(_) => self.waiting.is_empty(),
            Form::Fast { sending, .. } => sending.is_done(),
            Form::Slow { sending, .. } => sending.is_done(),
            Form::Ended => true,
        }
    }

    /// How many bytes the other end makes us keep.
    pub fn kept(&self) -> usize {
        self.joined.kept()
            + match &self.form {
                Form::Open(receiving) | Form::Slow { receiving, .. } => receiving.kept(),
                Form::Fast { receiving, .. } => receiving.kept(),
                Form::Ended => 0,
            }
    }

    /// Whether a parcel is only partly written. An owner that writes for several links where all are heard finishes one
    /// parcel before it begins the next.
    pub const fn is_writing(&self) -> bool {
        self.writing.is_some()
    }

    /// How it is with this link.
    pub const fn state(&self) -> State {
        match &self.form {
            Form::Ended => State::Ended,
            Form::Slow { .. } => State::Slow,
            Form::Fast { .. } if self.greeting.known => State::Fast,
            Form::Fast { .. } | Form::Open(_) => State::Waiting,
        }
    }

    /// There is a connection, and a write or notification carries this many bytes.
    pub fn back(&mut self, piece: usize, now: Duration) {
        self.cut();
        self.piece = Some(piece.clamp(LEAST_PIECE, MOST_PIECE));
        self.greeting = Greeting { at: self.guest.then_some(now), ..Greeting::default() };
        self.not_before = now;
    }

    /// The connection is lost.
    pub fn cut(&mut self) {
        (self.piece, self.writing) = (None, None);
        self.greeting = Greeting::default();
        self.joined.clear();
        match &mut self.form {
            Form::Open(receiving) => receiving.cut(),
            Form::Fast { sending, .. } => sending.cut(),
            Form::Slow { sending, receiving } => {
                sending.cut();
                receiving.cut();
            }
            Form::Ended => {}
        }
    }

    /// These bytes came with one write or notification.
    ///
    /// # Errors
    /// Says why they do not count. A bad line does that; a stranger does nothing else.
    pub fn heard(&mut self, piece: &[u8], now: Duration) -> Result<(), Ignored> {
        if self.piece.is_none() {
            return Err(Ignored::Early);
        }
        if piece.len() > MOST_PIECE {
            return Err(crate::Malformed::Long.into());
        }
        if Hello::begins(piece) {
            return self.greeted(Hello::decode(piece)?, now);
        }
        match &mut self.form {
            Form::Ended => Err(Ignored::OtherSession),
            Form::Open(receiving) => {
                let heard = receiving.heard(piece, now).map(drop);
                self.slow_if_spoken_to();
                heard
            }
            Form::Slow { sending, receiving } => match receiving.heard(piece, now)? {
                slow::Heard::Receipt(receipt) => sending.receipted(&receipt),
                slow::Heard::Part => Ok(()),
            },
            Form::Fast { peer, sending, receiving } => {
                if !self.greeting.heard {
                    return Err(Ignored::Early);
                }
                let most = usize::from(self.limits.parcel) + fast::ADDED;
                let tag = tag(if self.guest { self.session } else { peer.session });
                let Some(parcel) = self.joined.add(tag, piece, most)? else { return Ok(()) };
                let parcel = Parcel::decode(&parcel, peer.session)?;
                // Who says more than hello has heard ours.
                self.greeting.known = true;
                match parcel {
                    Parcel::Data { number, last, bytes } => receiving.heard(number, last, bytes, now),
                    Parcel::Receipt { next, later } => sending.receipted(next, later, now),
                }
            }
        }
    }

    /// The other end says hello.
    fn greeted(&mut self, hello: Hello, now: Duration) -> Result<(), Ignored> {
        let to_us = hello.to == self.session || hello.to == 0 && !self.guest;
        if !to_us {
            return Err(Ignored::OtherSession);
        }
        match &mut self.form {
            Form::Slow { .. } | Form::Ended => return Err(Ignored::OtherSession),
            Form::Fast { peer, .. } if peer.session != hello.session => {
                if self.greeting.heard {
                    return Err(Ignored::OtherSession);
                }
                self.form = Form::Ended;
                return Ok(());
            }
            Form::Fast { peer, receiving, .. } => {
                *peer = hello;
                if !self.greeting.heard {
                    receiving.back(now);
                }
            }
            Form::Open(_) => {
                let mut sending = fast::Sending::default();
                self.waiting.drain(..).for_each(|message| sending.push(message));
                self.form = Form::Fast { peer: hello, sending, receiving: fast::Receiving::default() };
            }
        }
        self.greeting.heard = true;
        self.greeting.known |= hello.heard >= Hears::You;
        // Who does not know that it was heard is told.
        if hello.heard < Hears::Both {
            self.greeting.at = Some(now);
        }
        Ok(())
    }

    /// Somebody who has said something in Geogram's form is answered in it.
    fn slow_if_spoken_to(&mut self) {
        if matches!(&self.form, Form::Open(receiving) if receiving.must_answer()) {
            self.slow();
        }
    }

    /// From now on in Geogram's form.
    fn slow(&mut self) {
        let form = core::mem::replace(&mut self.form, Form::Ended);
        let Form::Open(receiving) = form else {
            self.form = form;
            return;
        };
        let mut sending = slow::Sending::new(self.session);
        self.waiting.drain(..).for_each(|message| sending.push(message));
        self.form = Form::Slow { sending, receiving };
    }

    /// What has to be done now.
    pub fn poll(&mut self, now: Duration) -> Output {
        if let Some(message) = self.take() {
            return Output::Received(message);
        }
        if let Form::Open(receiving) | Form::Slow { receiving, .. } = &mut self.form {
            // A parcel that ends because nothing follows may be a wrong one; then it is asked for again.
            let _ = receiving.timers(now);
        }
        self.slow_if_spoken_to();
        if let Some(message) = self.take() {
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

    fn take(&mut self) -> Option<Vec<u8>> {
        match &mut self.form {
            Form::Open(receiving) | Form::Slow { receiving, .. } => receiving.take(),
            Form::Fast { receiving, .. } => receiving.take(),
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
                if let Some(receipt) = receiving.due(now) {
                    let cut = Cut::new(tag, receipt.encode(self.session));
                    return Some(Writing::Fast { cut, pause: Duration::ZERO });
                }
                let limits = self.limits.and(peer.limits);
                let most = (size * PIECES).max(slow::PARCEL).min(limits.parcel.into());
                let parcel = sending.due(most, now)?;
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

/// The tag of a line: the lowest byte of the guest's session.
const fn tag(guest: u32) -> u8 {
    let [tag, ..] = guest.to_le_bytes();
    tag
}
