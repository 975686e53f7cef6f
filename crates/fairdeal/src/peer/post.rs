//! A member's connection: the thread that talks to the hub, with the `Post` of `peer::place` on top, which takes care
//! that nothing is lost.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use ::peer::frame::From;
use ::peer::place::{self, Voice};
use ::peer::{Change, Entry, Head, Member, Standby, Ticket};
use results::{Public, Secret};

use super::desk::{fresh, millis};
use super::net::{Command, Ended, Event, Held, Link, Waker, Who};
use crate::failure::Failure;
use crate::keyring::random;

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
    clock: Instant,
    post: place::Post,
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
            clock: Instant::now(),
            post: place::Post::new(0),
        }
    }

    /// What is known about it.
    pub(super) const fn known(&self) -> &place::Post {
        &self.post
    }

    /// Milliseconds since it was made: the clock of this program.
    pub(super) fn now(&self) -> u64 {
        millis(self.clock.elapsed())
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
        self.post.hub()
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
        self.post.online()
    }

    /// Whether the connection has not worked for this long.
    pub(super) fn is_lost_for(&self, time: Duration) -> bool {
        self.post.is_lost_for(millis(time), self.now())
    }

    /// Whether a member is connected.
    pub(super) const fn is_here(&self, number: u8) -> bool {
        self.post.is_here(number)
    }

    /// Whether this program is connected and knows the whole log.
    pub(super) const fn is_caught_up(&self) -> bool {
        self.post.caught_up().is_some()
    }

    /// Wakes somebody who waits in [`Post::collect`].
    pub(super) fn waker(&self) -> Waker {
        self.waker.clone()
    }

    /// Waits for something, at most this long, and returns everything that has come.
    pub(super) fn collect(&mut self, wait: Duration) -> Vec<Got> {
        let wait = self.post.wait(self.now()).map_or(wait, |again| wait.min(Duration::from_millis(again)));
        let Line::Open(link) = &self.line else { return Vec::new() };
        let Ok(first) = link.events().recv_timeout(wait) else { return Vec::new() };
        let mut events = vec![first];
        events.extend(link.events().try_iter());
        events.into_iter().filter_map(|event| self.got(event)).collect()
    }

    fn got(&mut self, event: Event) -> Option<Got> {
        let now = self.now();
        match event {
            Event::Connected { head, hub } => {
                self.post.connected(hub, head, now);
                Some(Got::Connection(Ok(())))
            }
            Event::Lost(why) => self.post.lost(why.clone(), now).then_some(Got::Connection(Err(why))),
            Event::Ended(why) => {
                self.post.lost(why.to_string(), now);
                Some(Got::Ended(why))
            }
            Event::Entry(bytes) => {
                self.post.entry(now);
                Some(Got::Entry(bytes))
            }
            Event::Refused { why, .. } => {
                self.post.refused(why, now);
                None
            }
            Event::Beside { from, words } => Some(Got::Beside { from, words }),
            Event::Here(members) => {
                self.post.are_here(members);
                Some(Got::Here)
            }
            Event::Woken => None,
        }
    }

    /// Entries are on the disk, and this member has heard them. Returns `false` if everything else that has come must
    /// not be looked at: it comes again through a new connection.
    pub(super) fn stored(&mut self, entries: &[(Entry, Head)], member: &Member) -> Result<bool, Failure> {
        for (entry, head) in entries {
            self.held.push(&dealing::encode(entry), *head);
        }
        if let Some(number) = member.number() {
            self.held.joined(number);
        }
        let now = self.now();
        if self.post.stored(entries, member, now) || matches!(self.line, Line::Ready(..)) {
            return Ok(true);
        }
        self.reconnect()?;
        Ok(false)
    }

    /// Connects anew. Everything that has come and is not stored comes again.
    pub(super) fn reconnect(&mut self) -> Result<(), Failure> {
        let now = self.now();
        self.post.reconnecting(now);
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

    /// Sends what is not in the log, unless it has to wait.
    pub(super) fn deliver(&mut self, voice: &mut impl Voice) -> Result<(), Failure> {
        let now = self.now();
        while let Some(envelope) = self.post.next(voice, &fresh()?, now) {
            self.send(Command::Append(envelope));
        }
        Ok(())
    }

    /// Says something beside the log: to everybody (0), or to somebody who knocks.
    pub(super) fn beside(&self, to: u32, words: Vec<u8>) {
        self.send(Command::Beside { to, words });
    }
}
