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

//!
//! - `hearing`: what it hears.
//! - `writing`: what it writes, and when it has to be asked again.

mod hearing;
mod writing;

use core::fmt;
use core::time::Duration;
use std::collections::VecDeque;

use crate::fast::{self, Cut, Item, Joined};
use crate::{Hello, LEAST_PIECE, Limits, MOST_MESSAGE, MOST_PIECE, MOST_WAITING, Speaker, slow, speaker};

/// How long an unanswered hello waits before it is repeated, and how often that is done.
const AGAIN: Duration = Duration::from_secs(1);
const TRIES: u32 = 8;
/// An end that has nothing to say says hello this often, so that the other end knows it is there.
pub const SIGN_OF_LIFE: Duration = Duration::from_secs(10);
/// A parcel has at most this many pieces, and fewer where pieces are lost; but see [`slow::PARCEL`].
const PIECES: usize = 16;

/// What the owner of a link has to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// Write these bytes, as they are, with one write or notification.
    Write(Vec<u8>),
    /// This message has arrived.
    Received(Vec<u8>),
    /// The other end has missed this part of what the speaker has said: the number of its first byte, and its length.
    Missed(u32, u16),
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
    /// What the other end has missed of what was said to everybody.
    missed: Option<(u32, u16)>,
    /// When the other end of this line was last heard.
    alive: Duration,
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
            // No session means nobody, and the tag of everybody is none of a guest.
            session: if guest && tag(session) == speaker::TAG { session | 1 } else { session.max(1) },
            guest,
            limits: limits.possible(),
            piece: None,
            greeting: Greeting::default(),
            form: Form::Open(slow::Receiving::default()),
            waiting: VecDeque::new(),
            writing: None,
            not_before: Duration::ZERO,
            joined: Joined::default(),
            missed: None,
            alive: Duration::ZERO,
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
            Form::Fast { sending, .. } => sending.push(&Item::Message(&message)),
            Form::Slow { sending, .. } => sending.push(message),
            Form::Ended => {}
        }
        Ok(())
    }

    /// Takes a message that others may be sent as well. If this end can say it to everybody at once, the speaker does.
    ///
    /// # Errors
    /// Fails if it is too long, or too much waits already.
    pub fn send_with(&mut self, message: Vec<u8>, speaker: &mut Speaker) -> Result<(), Refused> {
        let full = self.unsent() + message.len() > MOST_WAITING;
        if let (Form::Fast { peer, sending, .. }, Some(piece), false) = (&mut self.form, self.piece, self.guest || full)
            && self.greeting.known
        {
            speaker.listen(peer.session, piece, self.limits.and(peer.limits));
            if let Some(place) = speaker.say(peer.session, &message) {
                sending.push(&Item::Said(place));
                return Ok(());
            }
        }
        self.send(message)
    }

    /// Tells the speaker what of the things it has said this guest may still ask for. The owner does that after it has
    /// heard something, or the speaker keeps them for longer than it has to.
    pub fn settle(&self, speaker: &mut Speaker) {
        if let Form::Fast { peer, sending, .. } = &self.form {
            speaker.needs(peer.session, sending.first_said());
        }
    }

    /// When the other end of this line was last heard. What is said to everybody is no sign of it.
    pub const fn alive_at(&self) -> Duration {
        self.alive
    }

    /// Since when nothing that was sent has got through, if something waits for that. On a line that is alive, this does
    /// not happen; an owner who sees it nevertheless begins anew.
    pub fn stuck_since(&self) -> Option<Duration> {
        match &self.form {
            Form::Fast { sending, .. } => sending.stuck_since(),
            Form::Open(_) | Form::Slow { .. } | Form::Ended => None,
        }
    }

    /// The other end's session, if it was heard.
    pub const fn other(&self) -> Option<u32> {
        match &self.form {
            Form::Fast { peer, .. } => Some(peer.session),
            Form::Open(_) | Form::Slow { .. } | Form::Ended => None,
        }
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
}

/// The tag of a line: the lowest byte of the guest's session.
const fn tag(guest: u32) -> u8 {
    let [tag, ..] = guest.to_le_bytes();
    tag
}
