//! Who is connected to a private table, and what they say beside the log.
//!
//! Words beside the log (chat, knocks) are passed on and never stored. Somebody who does not read loses some of them.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use peer::frame::{From, FromHub, Why};
use peer::{Budget, MOST_MEMBERS};
use table::record::{hex, unhex};
use tokio::sync::{mpsc, watch};

use super::live::Live;
use super::lock;
use crate::clock::now;

/// How many may watch one table, and how many may knock at it at the same time.
const MOST_SPECTATORS: usize = 100;
const MOST_KNOCKS: usize = 8;
/// How many of them may come from one address. Others have to wait for a moment.
const MOST_FROM_ONE: usize = 2;
const TO_WAIT: u32 = 5_000;
/// The longest words of somebody who knocks.
pub(crate) const MOST_KNOCK: usize = 256;
/// How many words wait for somebody who does not read; more are lost.
const MOST_LETTERS: usize = 32;
/// Knocks have numbers of 31 bits.
const NUMBERS: u32 = (1 << 31) - 1;

/// What somebody is to a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// A member, by number.
    Member(u8),
    /// They have a ticket, and have not joined.
    Spectator,
    /// They have no ticket and have knocked, with this number.
    Knock(u32),
}

/// Everybody who is connected to a table.
#[derive(Default)]
pub(super) struct People {
    /// The members who are connected to other servers, and when they said so.
    elsewhere: BTreeMap<u64, (u64, Instant)>,
    members: BTreeMap<u8, Line>,
    spectators: BTreeMap<u64, Line>,
    knocks: BTreeMap<u32, Line>,
    /// How many have ever come.
    came: u64,
    /// How much members may say, by number. It outlives connections.
    words: BTreeMap<u8, Budget>,
    /// How much all who knock may say together.
    door: Option<Budget>,
}

/// How to reach somebody.
struct Line {
    /// Which connection it is.
    id: u64,
    /// Where it comes from, if that says anything.
    from: Option<IpAddr>,
    letters: mpsc::Sender<FromHub>,
    close: watch::Sender<Option<Why>>,
}

/// What somebody is sent beside the log.
pub(crate) struct Letters {
    pub(crate) words: mpsc::Receiver<FromHub>,
    /// Why the connection is to be closed, once it is.
    pub(crate) close: watch::Receiver<Option<Why>>,
}

/// Somebody's place among those who are connected, given back when dropped.
pub(crate) struct Present {
    live: Arc<Live>,
    id: u64,
    role: Role,
}

impl People {
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty() && self.spectators.is_empty() && self.knocks.is_empty()
    }

    /// Whether somebody with a ticket is there.
    pub(super) fn is_attended(&self) -> bool {
        !self.members.is_empty() || !self.spectators.is_empty()
    }

    /// The members who are connected to this server, one bit each.
    pub(super) fn here(&self) -> u64 {
        self.members.keys().filter(|number| **number < MOST_MEMBERS).fold(0, |here, number| here | 1 << number)
    }

    /// The members who are connected to any server.
    pub(super) fn anywhere(&self) -> u64 {
        self.elsewhere.values().fold(self.here(), |all, (here, _)| all | here)
    }

    /// Another server says who is connected there; returns whether it is the first time.
    pub(super) fn are_elsewhere(&mut self, server: u64, here: u64) -> bool {
        match here {
            0 => {
                self.elsewhere.remove(&server);
                false
            }
            here => self.elsewhere.insert(server, (here, Instant::now())).is_none(),
        }
    }

    /// Forgets servers that have said nothing for this long.
    pub(super) fn forget_servers(&mut self, after: Duration) {
        self.elsewhere.retain(|_, (_, at)| at.elapsed() < after);
    }

    /// A second connection of a member takes the place of the first.
    fn enter(&mut self, role: Role, line: Line) -> Result<(), Why> {
        match role {
            Role::Member(number) => {
                if let Some(before) = self.members.insert(number, line) {
                    before.close.send_replace(Some(Why::Replaced));
                }
            }
            Role::Spectator if self.spectators.len() >= MOST_SPECTATORS => return Err(Why::Full),
            Role::Spectator => drop(self.spectators.insert(line.id, line)),
            Role::Knock(_) if line.from.is_some() && self.knocks_from(line.from) >= MOST_FROM_ONE => {
                return Err(Why::TooMuch(TO_WAIT));
            }
            Role::Knock(_) if self.knocks.len() >= MOST_KNOCKS => return Err(Why::Full),
            Role::Knock(number) => drop(self.knocks.insert(number, line)),
        }
        Ok(())
    }

    fn knocks_from(&self, from: Option<IpAddr>) -> usize {
        self.knocks.values().filter(|line| line.from == from).count()
    }

    fn leave(&mut self, role: Role, id: u64) -> Option<Line> {
        match role {
            Role::Member(number) => {
                // Another connection may have taken the place.
                self.members.get(&number).filter(|line| line.id == id)?;
                self.members.remove(&number)
            }
            Role::Spectator => self.spectators.remove(&id),
            Role::Knock(number) => self.knocks.remove(&number),
        }
    }

    /// Passes words on; nothing if they were too many, or not for anybody.
    fn say(&mut self, role: Role, to: u32, words: Vec<u8>) -> Option<Words> {
        let at = u64::try_from(now().0).unwrap_or(0);
        let (from, budget) = match role {
            Role::Member(number) => (From::Member(number), self.words.entry(number).or_insert_with(Budget::beside)),
            Role::Knock(number) if to == 0 => (From::Knock(number), self.door.get_or_insert_with(Budget::beside)),
            Role::Knock(_) | Role::Spectator => return None,
        };
        budget.charge(words.len(), at).ok()?;
        let words = Words { from, to, words };
        self.deliver(&words);
        Some(words)
    }

    /// Gives words to those who are connected here.
    pub(super) fn deliver(&self, words: &Words) {
        let letter = FromHub::Beside { from: words.from, words: words.words.clone() };
        match (words.from, words.to) {
            (From::Member(number), 0) => {
                let others = self.members.iter().filter(|(other, _)| **other != number).map(|(_, line)| line);
                others.chain(self.spectators.values()).for_each(|line| line.send(&letter));
            }
            (From::Knock(_), 0) => self.members.values().for_each(|line| line.send(&letter)),
            (From::Member(_) | From::Knock(_), knock) => {
                if let Some(line) = self.knocks.get(&knock) {
                    line.send(&letter);
                }
            }
        }
    }
}

/// Words beside the log, for everybody (0) or for somebody who knocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Words {
    from: From,
    to: u32,
    words: Vec<u8>,
}

/// As servers tell each other.
impl std::fmt::Display for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = FromHub::Beside { from: self.from, words: self.words.clone() };
        write!(f, "{} {}", self.to, hex(&dealing::encode(&letter)))
    }
}

impl Words {
    /// What another server has told.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (to, letter) = text.split_once(' ')?;
        match dealing::decode(&unhex(letter)?).ok()? {
            FromHub::Beside { from, words } => Some(Self { from, to: to.parse().ok()?, words }),
            _ => None,
        }
    }
}

impl Line {
    /// If they do not read, it is lost.
    fn send(&self, letter: &FromHub) {
        let _ = self.letters.try_send(letter.clone());
    }
}

impl Present {
    /// Somebody comes from this address, if it says anything about them.
    pub(crate) fn enter(live: &Arc<Live>, role: Role, from: Option<IpAddr>) -> Result<(Self, Letters), Why> {
        let (letters, words) = mpsc::channel(MOST_LETTERS);
        let (close, closed) = watch::channel(None);
        let id = {
            let mut people = lock(&live.people);
            people.came += 1;
            let id = people.came;
            people.enter(role, Line { id, from, letters, close })?;
            live.tell_here(&people);
            id
        };
        Ok((Self { live: live.clone(), id, role }, Letters { words, close: closed }))
    }

    /// A number for a knock that nobody else has, also on another server.
    pub(crate) fn knock(random: [u8; 4]) -> Role {
        Role::Knock(u32::from_le_bytes(random) % (NUMBERS - 1) + 1)
    }

    /// The number of this member.
    pub(crate) const fn member(&self) -> Option<u8> {
        match self.role {
            Role::Member(number) => Some(number),
            Role::Spectator | Role::Knock(_) => None,
        }
    }

    /// Their first entry is in the log, or they have proven who they are: they are this member now.
    pub(crate) fn becomes(&mut self, number: u8) {
        let mut people = lock(&self.live.people);
        if let (Role::Spectator, Some(line)) = (self.role, people.leave(self.role, self.id)) {
            self.role = Role::Member(number);
            // There is always room for a member.
            let _ = people.enter(self.role, line);
            self.live.tell_here(&people);
        }
    }

    /// Passes words on to those who are connected here; nothing if they were too many, or not for anybody.
    pub(crate) fn say(&self, to: u32, words: Vec<u8>) -> Option<Words> {
        lock(&self.live.people).say(self.role, to, words)
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        let mut people = lock(&self.live.people);
        people.leave(self.role, self.id);
        self.live.tell_here(&people);
        drop(people);
        self.live.touch();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_does_not_take_all_places_at_the_door() {
        let mut people = People::default();
        let mut knock = |number: u32, from: Option<[u8; 4]>| {
            let ((letters, _), (close, _)) = (mpsc::channel(1), watch::channel(None));
            people.enter(Role::Knock(number), Line { id: number.into(), from: from.map(IpAddr::from), letters, close })
        };
        let (one, other) = (Some([192, 0, 2, 1]), Some([192, 0, 2, 2]));
        assert_eq!([1, 2, 3].map(|number| knock(number, one)), [Ok(()), Ok(()), Err(Why::TooMuch(TO_WAIT))]);
        assert_eq!(knock(4, other), Ok(()));
        // Through a proxy, everybody has the same address.
        assert_eq!([5, 6, 7, 8, 9].map(|number| knock(number, None)), [Ok(()); 5]);
        assert_eq!(knock(10, Some([192, 0, 2, 3])), Err(Why::Full));
    }
}
