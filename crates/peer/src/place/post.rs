//! A member's connections to their hub, and what it takes that nothing is lost: what is not in the log is sent again
//! until it is, and nothing is sent before the whole log is known.

use results::Public;
use table::Game;

use crate::entry::{Author, Entry, Envelope, Fresh, Head};
use crate::frame::Why;
use crate::member::Member;
use crate::peer::{Guest, Seated};

/// An envelope that did not fit is written again once nothing more comes for this long.
const QUIET: u64 = 150;
/// It waits at most this long for that.
const LONGEST: u64 = 1_000;
/// A hub that could not store an envelope is left alone for this long.
const STORAGE: u64 = 1_000;

/// What somebody is told who has not been connected yet.
const CONNECTING: &str = "connecting";

/// Somebody who writes envelopes.
pub trait Voice {
    /// The next envelope to send.
    fn write(&mut self, fresh: &Fresh) -> Option<Envelope>;
    /// What was sent may be lost: it is written again.
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

/// Something has to be sent again.
#[derive(Clone, Copy, Debug)]
struct Again {
    at: u64,
    since: u64,
}

/// What a member knows about their connection.
#[derive(Clone, Debug)]
pub struct Post {
    online: Result<(), String>,
    /// Since when it has worked, or not.
    since: u64,
    /// The height of the hub's log when the connection began.
    target: u64,
    /// How much of the log is stored here.
    height: u64,
    /// Since when this program has known the whole log.
    caught_up: Option<u64>,
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
    pub fn new(now: u64) -> Self {
        Self {
            online: Err(CONNECTING.to_owned()),
            since: now,
            target: u64::MAX,
            height: 0,
            caught_up: None,
            again: None,
            introduced: None,
            here: 0,
            hub: None,
        }
    }

    /// The key of the hub at the other end.
    pub const fn hub(&self) -> Option<Public> {
        self.hub
    }

    /// The members who are connected, one bit each.
    pub const fn here(&self) -> u64 {
        self.here
    }

    /// Whether a member is connected.
    pub const fn is_here(&self, number: u8) -> bool {
        number < 64 && self.here & (1 << number) != 0
    }

    /// The connection works, or why not.
    pub const fn online(&self) -> &Result<(), String> {
        &self.online
    }

    /// Whether the connection has not worked for this long.
    pub const fn is_lost_for(&self, time: u64, now: u64) -> bool {
        self.online.is_err() && now.saturating_sub(self.since) >= time
    }

    /// Since when this program has been connected and has known the whole log.
    pub const fn caught_up(&self) -> Option<u64> {
        self.caught_up
    }

    /// The hub has let this member in; its log ends there.
    pub fn connected(&mut self, hub: Public, head: Head, now: u64) {
        self.hub = Some(hub);
        (self.online, self.since) = (Ok(()), now);
        self.target = head.height;
        self.again = Some(Again { at: now, since: now });
        self.introduced = None;
        self.note_height(now);
    }

    /// The connection is lost, for a time or for good; returns whether that is news.
    pub fn lost(&mut self, why: String, now: u64) -> bool {
        let changed = self.online.is_ok();
        self.disconnected(why, now);
        self.here = 0;
        changed
    }

    /// A new connection is opened in place of this one. Everything that has come and is not stored comes again.
    pub fn reconnecting(&mut self, now: u64) {
        self.disconnected(CONNECTING.to_owned(), now);
    }

    fn disconnected(&mut self, why: String, now: u64) {
        if self.online.is_ok() {
            self.since = now;
        }
        self.online = Err(why);
        (self.caught_up, self.again, self.target) = (None, None, u64::MAX);
    }

    /// This device has slept: what has come meanwhile is not heard yet, although the connection may still work. So this
    /// program has not known the whole log for longer than that.
    pub fn slept(&mut self, now: u64) {
        self.caught_up = self.caught_up.map(|_| now);
    }

    /// Who is connected has changed.
    pub const fn are_here(&mut self, members: u64) {
        self.here = members;
    }

    /// An entry has come. What was refused may be in the log already; but a busy table keeps nobody silent.
    pub fn entry(&mut self, now: u64) {
        if self.again.is_some_and(|again| now.saturating_sub(again.since) < LONGEST) {
            self.delay(QUIET, now);
        }
    }

    /// An envelope was not taken.
    pub fn refused(&mut self, why: Why, now: u64) {
        let wait = match why {
            Why::TooMuch(wait) => wait.into(),
            Why::Storage => STORAGE,
            _ => QUIET,
        };
        self.again.get_or_insert(Again { at: now, since: now });
        self.delay(wait, now);
    }

    /// If something has to be sent again, then not before this time.
    fn delay(&mut self, wait: u64, now: u64) {
        let at = now.saturating_add(wait);
        self.again = self.again.map(|again| Again { at: again.at.max(at), ..again });
    }

    /// How long until something has to be sent again.
    pub fn wait(&self, now: u64) -> Option<u64> {
        self.again.map(|again| again.at.saturating_sub(now))
    }

    /// Entries are on the disk, and this member has heard them. Returns `false` if the member has to connect anew,
    /// because the hub does not know that this connection is theirs: their introduction came through an earlier one.
    /// Everything else that has come must not be looked at then; it comes again.
    pub fn stored(&mut self, entries: &[(Entry, Head)], member: &Member, now: u64) -> bool {
        let mut introduced = None;
        for (entry, head) in entries {
            self.height = head.height;
            let envelope = entry.said().map(|said| &said.envelope);
            let own = |envelope: &&Envelope| matches!(&envelope.author, Author::Newcomer { key, .. } if *key == member.key().public());
            introduced = introduced.or(envelope.filter(own).map(dealing::encode));
        }
        self.note_height(now);
        introduced.is_none() || self.introduced.take() == introduced
    }

    fn note_height(&mut self, now: u64) {
        if self.online.is_ok() && self.height >= self.target {
            self.caught_up.get_or_insert(now);
        }
    }

    /// Whether this program may say something now.
    pub fn may_speak(&self, now: u64) -> bool {
        self.caught_up.is_some() && self.again.is_none_or(|again| now >= again.at)
    }

    /// The next envelope to send, if it is time for one; `fresh` must be new each time. What only this member knows is
    /// stored before it is sent.
    pub fn next(&mut self, voice: &mut impl Voice, fresh: &Fresh, now: u64) -> Option<Vec<u8>> {
        if !self.may_speak(now) {
            return None;
        }
        if self.again.take().is_some() {
            voice.send_again();
        }
        let envelope = voice.write(fresh)?;
        let bytes = dealing::encode(&envelope);
        if matches!(envelope.author, Author::Newcomer { .. }) {
            self.introduced = Some(bytes.clone());
        }
        Some(bytes)
    }
}
