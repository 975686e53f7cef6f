//! The chat at a table, and who is muted there.
//!
//! Chat is in the log like everything else, and the whole log is read to load a table. So the amount of chat is
//! limited, separately from everything else: a match never ends because people talk. Every player has their own share,
//! so nobody can use up the others'.

use std::collections::{BTreeMap, VecDeque};

use table::Seat;

use super::names::distinct;
use super::playing::Stage;
use super::{LONGEST_NAME, LONGEST_TEXT, Refusal, Room, check_text};
use crate::ids::{Millis, PlayerId};

/// The most messages that are kept in memory.
const MOST_SAID: usize = 100;
/// The approximate size of a log entry in bytes, without the message.
const ENTRY: usize = 160;

/// The messages, and who is muted.
#[derive(Default)]
pub(super) struct Talk {
    said: VecDeque<Remark>,
    remarks: u64,
    /// The bytes used of each share.
    used: BTreeMap<Share, usize>,
    /// Players muted by the owner, with the names they had.
    muted: BTreeMap<PlayerId, String>,
    /// Whether the owner has muted all spectators.
    lookers_muted: bool,
}

/// The shares of the chat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Share {
    /// Everybody, while people come and go before the match.
    Gathering,
    /// One player, from the first deal on.
    Seat(Seat),
    /// All spectators, once the match has begun.
    Lookers,
    /// The owner, for muting people.
    Owner,
}

impl Share {
    /// The size in bytes.
    const fn most(self) -> usize {
        match self {
            Self::Gathering => 256 << 10,
            Self::Seat(_) => 128 << 10,
            Self::Lookers | Self::Owner => 64 << 10,
        }
    }
}

/// A chat message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Its number.
    pub number: u64,
    /// When.
    pub at: Millis,
    /// The player.
    pub player: PlayerId,
    /// Their name at that time.
    pub name: String,
    /// Whether they sat at the table. Otherwise they were a spectator.
    pub seated: bool,
    /// The text.
    pub text: String,
}

impl Talk {
    /// Uses this many bytes of a share, if that many are left.
    fn spend(&mut self, share: Share, bytes: usize) -> Result<(), Refusal> {
        let used = self.used.entry(share).or_default();
        let after = used.saturating_add(bytes);
        if after > share.most() {
            return Err(Refusal::SaidEnough);
        }
        *used = after;
        Ok(())
    }
}

impl Room {
    /// The latest messages, without those of muted players.
    pub fn said(&self) -> impl Iterator<Item = &Remark> {
        let heard = |remark: &&Remark| {
            !self.talk.muted.contains_key(&remark.player) && (remark.seated || !self.talk.lookers_muted)
        };
        self.talk.said.iter().filter(heard)
    }

    /// The players muted by the owner, with the names they had.
    pub fn muted(&self) -> impl Iterator<Item = (PlayerId, &str)> {
        self.talk.muted.iter().map(|(player, name)| (*player, name.as_str()))
    }

    /// Whether the owner has muted all spectators.
    pub const fn lookers_are_muted(&self) -> bool {
        self.talk.lookers_muted
    }

    /// Whether this player may mute others here.
    pub fn moderates(&self, player: PlayerId) -> bool {
        self.owner() == Some(player)
    }

    /// Whether this player may say something here now.
    pub(super) fn may_speak(&self, player: PlayerId) -> Result<(), Refusal> {
        let seated = self.seat_of(player).is_some();
        // During a match, spectators must not tell what they have seen elsewhere.
        if !seated && matches!(self.stage(), Some(Stage::Deal | Stage::Between)) {
            return Err(Refusal::NotSeated);
        }
        if self.talk.muted.contains_key(&player) || !seated && self.talk.lookers_muted {
            return Err(Refusal::Muted);
        }
        Ok(())
    }

    pub(super) fn remark(&mut self, at: Millis, player: PlayerId, name: &str, text: &str) -> Result<(), Refusal> {
        check_text(name, LONGEST_NAME)?;
        check_text(text, LONGEST_TEXT)?;
        self.may_speak(player)?;
        let seat = self.seat_of(player);
        let own = seat.and_then(|seat| self.chair(seat)?.face(seat)).map(|face| face.name);
        // No spectator may be mistaken for a player.
        let name = own.unwrap_or_else(|| distinct(name, &self.names_but(None)));
        let share = match (self.stage(), seat) {
            (None, _) => Share::Gathering,
            (Some(_), Some(seat)) => Share::Seat(seat),
            (Some(_), None) => Share::Lookers,
        };
        self.talk.spend(share, name.len() + text.len() + ENTRY)?;
        if self.talk.said.len() >= MOST_SAID {
            self.talk.said.pop_front();
        }
        let number = self.talk.remarks;
        let seated = seat.is_some();
        self.talk.said.push_back(Remark { number, at, player, name, seated, text: text.to_owned() });
        self.talk.remarks += 1;
        Ok(())
    }

    /// Mutes or unmutes a player, or all spectators.
    pub(super) fn mute(&mut self, player: Option<PlayerId>, muted: bool) -> Result<(), Refusal> {
        let is_muted = player.map_or(self.talk.lookers_muted, |player| self.talk.muted.contains_key(&player));
        if is_muted == muted {
            return Err(Refusal::ChosenAlready);
        }
        self.talk.spend(Share::Owner, ENTRY)?;
        match player {
            None => self.talk.lookers_muted = muted,
            Some(player) if muted => {
                let name = self.name_of(player);
                self.talk.muted.insert(player, name);
            }
            Some(player) => drop(self.talk.muted.remove(&player)),
        }
        Ok(())
    }

    /// A player's name here, or at the time they said something.
    fn name_of(&self, player: PlayerId) -> String {
        let seated = self.seat_of(player).and_then(|seat| self.chair(seat)?.face(seat)).map(|face| face.name);
        let spoke = || self.talk.said.iter().rfind(|remark| remark.player == player).map(|remark| remark.name.clone());
        seated.or_else(spoke).unwrap_or_else(|| "?".to_owned())
    }

    /// The names of the others at the table, including computers.
    pub(super) fn names_but(&self, seat: Option<Seat>) -> Vec<String> {
        let others = self.chairs().filter(|(other, _)| Some(*other) != seat);
        others.filter_map(|(other, chair)| chair.face(other)).map(|face| face.name).collect()
    }
}
