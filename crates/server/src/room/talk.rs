//! What is said at a table, and who may not say anything there.
//!
//! What is said is in the log like everything else, and a log is read whole. So there is an end to how much can be
//! said, apart from the end of everything else: a match never ends because people talk. Everybody who plays has a share
//! of their own, so nobody can use up what others have to say.

use std::collections::{BTreeMap, VecDeque};

use table::Seat;

use super::names::distinct;
use super::playing::Stage;
use super::{LONGEST_NAME, LONGEST_TEXT, Refusal, Room, check_text};
use crate::ids::{Millis, PlayerId};

/// No more of what was said is kept at hand.
const MOST_SAID: usize = 100;
/// What an entry of the log takes beside what was said, in bytes, more or less.
const ENTRY: usize = 160;

/// What was said, and who is muted.
#[derive(Default)]
pub(super) struct Talk {
    said: VecDeque<Remark>,
    remarks: u64,
    /// How many bytes of each share are used up.
    used: BTreeMap<Share, usize>,
    /// Those whom the owner has muted, by the names they had.
    muted: BTreeMap<PlayerId, String>,
    /// Has the owner muted everybody who looks on?
    lookers_muted: bool,
}

/// Who shares what can be said.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Share {
    /// Everybody, as long as people come and go.
    Gathering,
    /// One who plays, from the first deal on.
    Seat(Seat),
    /// All who look on, once the match has begun.
    Lookers,
    /// The owner, for muting people.
    Owner,
}

impl Share {
    /// In bytes.
    const fn most(self) -> usize {
        match self {
            Self::Gathering => 256 << 10,
            Self::Seat(_) => 128 << 10,
            Self::Lookers | Self::Owner => 64 << 10,
        }
    }
}

/// Something that somebody said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Its number.
    pub number: u64,
    /// When.
    pub at: Millis,
    /// Who.
    pub player: PlayerId,
    /// What they were called.
    pub name: String,
    /// Did they sit at the table? Otherwise they looked on.
    pub seated: bool,
    /// What.
    pub text: String,
}

impl Talk {
    /// Uses up so many bytes of a share, if there are as many left.
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
    /// What people said last, but for those who are muted.
    pub fn said(&self) -> impl Iterator<Item = &Remark> {
        let heard = |remark: &&Remark| {
            !self.talk.muted.contains_key(&remark.player) && (remark.seated || !self.talk.lookers_muted)
        };
        self.talk.said.iter().filter(heard)
    }

    /// Whom the owner has muted, with the names they had.
    pub fn muted(&self) -> impl Iterator<Item = (PlayerId, &str)> {
        self.talk.muted.iter().map(|(player, name)| (*player, name.as_str()))
    }

    /// Has the owner muted everybody who looks on?
    pub const fn lookers_are_muted(&self) -> bool {
        self.talk.lookers_muted
    }

    /// May this player mute others here?
    pub fn moderates(&self, player: PlayerId) -> bool {
        self.owner() == Some(player)
    }

    /// May this player say something here now?
    pub(super) fn may_speak(&self, player: PlayerId) -> Result<(), Refusal> {
        let seated = self.seat_of(player).is_some();
        // While a match is played, those who look on must not tell what they have seen elsewhere.
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
        // Nobody who looks on is taken for somebody who plays.
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

    /// Mutes a player, or everybody who looks on, or hears them again.
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

    /// What somebody is called here, or was when they said something.
    fn name_of(&self, player: PlayerId) -> String {
        let seated = self.seat_of(player).and_then(|seat| self.chair(seat)?.face(seat)).map(|face| face.name);
        let spoke = || self.talk.said.iter().rfind(|remark| remark.player == player).map(|remark| remark.name.clone());
        seated.or_else(spoke).unwrap_or_else(|| "?".to_owned())
    }

    /// What the others at the table are called, computers included.
    pub(super) fn names_but(&self, seat: Option<Seat>) -> Vec<String> {
        let others = self.chairs().filter(|(other, _)| Some(*other) != seat);
        others.filter_map(|(other, chair)| chair.face(other)).map(|face| face.name).collect()
    }
}
