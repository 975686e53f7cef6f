//! A member's connection and what it takes that nothing is lost: entries go to the disk before they are acted on,
//! envelopes are sent again until they are in the log.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use ::peer::frame::{From, Why};
use ::peer::{Author, Change, Entry, Envelope, Fresh, Guest, Head, Member, Seated, Standby, Ticket};
use results::{Public, Secret};
use table::Game;

use super::net::{Command, Ended, Event, Held, Link, Waker, Who};
use crate::failure::Failure;
use crate::keyring::random;

/// An envelope that did not fit is written again once nothing more comes for this long.
const QUIET: Duration = Duration::from_millis(150);
/// It waits at most this long for that.
const LONGEST: Duration = Duration::from_secs(1);
/// A hub that could not store an envelope is left alone for this long.
const STORAGE: Duration = Duration::from_secs(1);

const CONNECTING: &str = "connecting";

/// Somebody who writes envelopes.
pub(super) trait Voice {
    fn write(&mut self, fresh: &Fresh) -> Option<Envelope>;
    fn send_again(&mut self);
}

impl Voice for Guest {
    fn write(&mut self, fresh: &Fresh) -> Option<Envelope> {
        self.write(fresh)
    }
    fn send_again(&mut self) {
        self.send_again();
    }
}

impl<G: Game> Voice for Seated<G> {
    fn write(&mut self, fresh: &Fresh) -> Option<Envelope> {
        self.write(fresh)
    }
    fn send_again(&mut self) {
        self.send_again();
    }
}

/// What the post has brought.
pub(super) enum Got {
    /// The next entry of the log, not yet stored.
    Entry(Vec<u8>),
    /// The connection works, or why not.
    Connection(Result<(), String>),
    /// Words beside the log.
    Beside { from: From, words: Vec<u8> },
    /// Who is connected has changed.
    Here,
    /// The connection is over for good.
    Ended(Ended),
}

/// Something has to be sent again.
#[derive(Clone, Copy)]
struct Again {
    at: Instant,
    since: Instant,
}

impl Again {
    fn now() -> Self {
        let now = Instant::now();
        Self { at: now, since: now }
    }
}

/// The connection itself.
enum Line {
    /// It is not open yet.
    Ready(mpsc::Sender<Event>, mpsc::Receiver<Event>),
    Open(Link),
    /// It cannot be opened.
    Broken,
}

/// A member's connection to the hub.
pub(super) struct Post {
    who: Who,
    held: Held,
    line: Line,
    waker: Waker,
    online: Result<(), String>,
    /// Since when it has worked, or not.
    since: Instant,
    /// The height of the hub's log when the connection began.
    target: u64,
    /// How much of the log is stored here.
    height: u64,
    /// Since when this program has known the whole log.
    caught_up: Option<Instant>,
    /// When everything is sent again that is not in the log, and since when it waits for that.
    again: Option<Again>,
    /// The first envelope of a newcomer, as it was sent through this connection.
    introduced: Option<Vec<u8>>,
    here: u64,
    /// The key of the hub at the other end.
    hub: Option<Public>,
}

impl Post {
    /// Somebody who has not connected yet.
    pub(super) fn new(ticket: &Ticket, key: &Secret) -> Self {
        let (tell, events) = mpsc::channel();
        Self {
            who: Who::Member { ticket: ticket.clone(), key: key.clone() },
            held: Held::default(),
            waker: Waker::new(tell.clone()),
            line: Line::Ready(tell, events),
            online: Err(CONNECTING.to_owned()),
            since: Instant::now(),
            target: u64::MAX,
            height: 0,
            caught_up: None,
            again: None,
            introduced: None,
            here: 0,
            hub: None,
        }
    }

    /// Who could replace the hub after it was silent for this long.
    pub(super) fn may_be_replaced(&self, by: &[Standby], patience: Duration) {
        self.held.may_be_replaced(by, patience);
    }

    /// This hub puts the log in order from now on.
    pub(super) fn in_office(&self, hub: Public) {
        self.held.in_office(hub);
    }

    /// The key of the hub at the other end.
    pub(super) const fn hub(&self) -> Option<Public> {
        self.hub
    }

    /// The members who are connected, one bit each.
    pub(super) const fn here(&self) -> u64 {
        self.here
    }

    /// Hands the player's own hub, which has this key, what puts it into office.
    pub(super) fn install(&self, change: Box<Change>, hub: &Secret) -> Result<(), Failure> {
        let Who::Member { ticket, .. } = &self.who else { return Ok(()) };
        self.send(Command::install(ticket.table(), change, hub, &random()?));
        Ok(())
    }

    /// Connects, unless it is done; what is on the disk is [stored](Post::stored) already.
    pub(super) fn connect(&mut self) -> Result<(), Failure> {
        self.line = match std::mem::replace(&mut self.line, Line::Broken) {
            Line::Ready(tell, events) => {
                let link = Link::telling((tell, events), self.who.clone(), self.held.clone());
                Line::Open(link.map_err(Failure::input)?)
            }
            other => other,
        };
        Ok(())
    }

    /// The connection works, or why not.
    pub(super) const fn online(&self) -> &Result<(), String> {
        &self.online
    }

    /// Whether the connection has not worked for this long.
    pub(super) fn is_lost_for(&self, time: Duration) -> bool {
        self.online.is_err() && self.since.elapsed() >= time
    }

    /// Whether a member is connected.
    pub(super) const fn is_here(&self, number: u8) -> bool {
        number < 64 && self.here & (1 << number) != 0
    }

    /// Since when this program has been connected and has known the whole log.
    pub(super) const fn caught_up(&self) -> Option<Instant> {
        self.caught_up
    }

    /// Wakes somebody who waits in [`Post::collect`].
    pub(super) fn waker(&self) -> Waker {
        self.waker.clone()
    }

    /// Waits for something, at most this long, and returns everything that has come.
    pub(super) fn collect(&mut self, wait: Duration) -> Vec<Got> {
        let wait = self.again.map_or(wait, |again| wait.min(again.at.saturating_duration_since(Instant::now())));
        let Line::Open(link) = &self.line else { return Vec::new() };
        let Ok(first) = link.events().recv_timeout(wait) else { return Vec::new() };
        let mut events = vec![first];
        events.extend(link.events().try_iter());
        events.into_iter().filter_map(|event| self.got(event)).collect()
    }

    fn got(&mut self, event: Event) -> Option<Got> {
        match event {
            Event::Connected { head, hub } => {
                self.hub = Some(hub);
                (self.online, self.since) = (Ok(()), Instant::now());
                self.target = head.height;
                self.again = Some(Again::now());
                self.introduced = None;
                self.note_height();
                Some(Got::Connection(Ok(())))
            }
            Event::Lost(why) => {
                let changed = self.online.is_ok();
                if changed {
                    self.since = Instant::now();
                }
                self.online = Err(why.clone());
                (self.caught_up, self.again, self.target, self.here) = (None, None, u64::MAX, 0);
                changed.then_some(Got::Connection(Err(why)))
            }
            Event::Ended(why) => {
                self.online = Err(why.to_string());
                self.caught_up = None;
                Some(Got::Ended(why))
            }
            Event::Entry(bytes) => {
                // What was refused may be in the log already. But a busy table does not keep anybody silent.
                if self.again.is_some_and(|again| again.since.elapsed() < LONGEST) {
                    self.delay(QUIET);
                }
                Some(Got::Entry(bytes))
            }
            Event::Refused { why, .. } => {
                let wait = match why {
                    Why::TooMuch(wait) => Duration::from_millis(wait.into()),
                    Why::Storage => STORAGE,
                    _ => QUIET,
                };
                self.again.get_or_insert_with(Again::now);
                self.delay(wait);
                None
            }
            Event::Beside { from, words } => Some(Got::Beside { from, words }),
            Event::Here(members) => {
                self.here = members;
                Some(Got::Here)
            }
            Event::Woken => None,
        }
    }

    /// If something has to be sent again, then not before this time.
    fn delay(&mut self, wait: Duration) {
        let at = Instant::now() + wait;
        self.again = self.again.map(|again| Again { at: again.at.max(at), ..again });
    }

    /// Entries are on the disk, and this member has heard them. Returns `false` if everything else that has come must
    /// not be looked at: it comes again through a new connection.
    pub(super) fn stored(&mut self, entries: &[(Entry, Head)], member: &Member) -> Result<bool, Failure> {
        let mut introduced = None;
        for (entry, head) in entries {
            self.held.push(&dealing::encode(entry), *head);
            self.height = head.height;
            let envelope = entry.said().map(|said| &said.envelope);
            let own = |envelope: &&Envelope| matches!(&envelope.author, Author::Newcomer { key, .. } if *key == member.key().public());
            introduced = introduced.or(envelope.filter(own).map(dealing::encode));
        }
        self.note_height();
        let (Some(number), Some(envelope)) = (member.number(), introduced) else { return Ok(true) };
        self.held.joined(number);
        if self.introduced.take() == Some(envelope) || matches!(self.line, Line::Ready(..)) {
            return Ok(true);
        }
        // The introduction came through an earlier connection, so the hub does not know that this one is theirs.
        self.reconnect()?;
        Ok(false)
    }

    /// Connects anew. Everything that has come and is not stored comes again.
    pub(super) fn reconnect(&mut self) -> Result<(), Failure> {
        if self.online.is_ok() {
            self.since = Instant::now();
        }
        self.online = Err(CONNECTING.to_owned());
        (self.caught_up, self.again, self.target) = (None, None, u64::MAX);
        match &mut self.line {
            Line::Open(link) => link.reopen(self.who.clone(), self.held.clone()).map_err(Failure::input),
            Line::Ready(..) | Line::Broken => Ok(()),
        }
    }

    fn send(&self, command: Command) {
        if let Line::Open(link) = &self.line {
            link.send(command);
        }
    }

    fn note_height(&mut self) {
        if self.online.is_ok() && self.height >= self.target {
            self.caught_up.get_or_insert_with(Instant::now);
        }
    }

    /// Sends what is not in the log, unless it has to wait.
    pub(super) fn deliver(&mut self, voice: &mut impl Voice) -> Result<(), Failure> {
        if self.caught_up.is_none() || self.again.is_some_and(|again| Instant::now() < again.at) {
            return Ok(());
        }
        if self.again.take().is_some() {
            voice.send_again();
        }
        while let Some(envelope) = voice.write(&Fresh { nonce: random()?, aux: random()? }) {
            let bytes = dealing::encode(&envelope);
            if matches!(envelope.author, Author::Newcomer { .. }) {
                self.introduced = Some(bytes.clone());
            }
            self.send(Command::Append(bytes));
        }
        Ok(())
    }

    /// Says something beside the log: to everybody (0), or to somebody who knocks.
    pub(super) fn beside(&self, to: u32, words: Vec<u8>) {
        self.send(Command::Beside { to, words });
    }
}
