//! What a player must keep to come back after a restart, and nobody else may read.

use core::fmt;

use dealers::joint::{LONGEST_CHOICE, Seeds};
use dealing::{Malformed, Reader, Wire, write_counted};
use table::Map;
use zeroize::{Zeroize as _, Zeroizing};

use crate::change::Proposal;
use crate::hash::hash;

/// The most key sets that are in use at the same time: the current one, and the one made ahead.
const MOST_LIVE: usize = 4;

/// A player's secrets in one match.
///
/// Keep them in a file that only its owner can read, and write them **before** anything that the session says is sent.
/// Seeds of finished key sets are not in here any more: nobody who finds the file can open old cards.
pub struct Private {
    /// The seed committed to before the match.
    pub(super) seed: Zeroizing<[u8; 32]>,
    seeds: Seeds,
    /// The number of the next key set that has no seed yet.
    next: u32,
    /// The seeds of the key sets in use.
    live: Map<u32, Zeroizing<[u8; 32]>>,
    /// A choice that is hidden in the log, and the table's height.
    choice: Option<(u64, Vec<u8>)>,
    /// What they have signed about a new hub.
    pledge: Option<Pledge>,
    lost: Lost,
    changed: bool,
}

/// What a player has signed about a new hub.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pledge {
    /// This.
    Signed(Proposal),
    /// Nobody knows: perhaps changes up to this number.
    Forgotten(u32),
}

/// What a player no longer has of a match that they were in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lost {
    /// Nothing.
    Nothing,
    /// The seed they committed to.
    Seed,
    /// Also the seeds of all keys in the log so far.
    All,
}

impl fmt::Debug for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Private(..)")
    }
}

/// The seed of a key set.
pub(super) enum SetSeed {
    /// In use.
    Live(Zeroizing<[u8; 32]>),
    /// Erased, because the set is finished: what it said is in the log.
    Erased(Zeroizing<[u8; 32]>),
}

impl Private {
    /// From 32 random bytes.
    pub fn new(random: &[u8; 32]) -> Self {
        Self {
            seed: Zeroizing::new(hash("private/seed", &[random])),
            seeds: Seeds::new(hash("private/sets", &[random])),
            next: 0,
            live: Map::new(),
            choice: None,
            pledge: None,
            lost: Lost::Nothing,
            changed: true,
        }
    }

    /// For a player whose log shows that they are in a match, but whose secrets are lost. They say nothing about the keys
    /// that were made before, so nothing wrong, and play again from the next keys on, once they have
    /// [caught up](crate::Seated::caught_up). They may have signed something about the next hub, so they sign nothing
    /// more about that one.
    pub fn lost(random: &[u8; 32]) -> Self {
        let mut private = Self::new(random);
        (private.lost, private.pledge) = (Lost::All, Some(Pledge::Forgotten(u32::MAX)));
        private
    }

    /// Whether the seed is the one committed to, or can be.
    pub(crate) fn has_seed(&self) -> bool {
        self.lost == Lost::Nothing
    }

    /// The seed is about to be committed to.
    pub(crate) fn commit(&mut self) {
        if self.lost == Lost::Seed {
            // Nobody has signed anything about the hub of a match that has not begun.
            (self.lost, self.pledge, self.changed) = (Lost::Nothing, None, true);
        }
    }

    /// The log is read: keys that are made from now on are known. The hub was replaced `changes` times.
    pub(crate) fn caught_up(&mut self, changes: u32) {
        if self.lost == Lost::All {
            let next = Pledge::Forgotten(changes.saturating_add(1));
            (self.lost, self.pledge, self.changed) = (Lost::Seed, Some(next), true);
        }
    }

    /// Whether there is something to store since the last call.
    pub const fn take_changed(&mut self) -> bool {
        core::mem::replace(&mut self.changed, false)
    }

    /// The seed to commit to before the match.
    pub fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    /// The seed of a key set, which is in use from now on.
    pub(super) fn begin(&mut self, set: u32) -> SetSeed {
        while self.next <= set {
            let seed = self.seeds.next_seed();
            if self.next == set && self.lost != Lost::All {
                self.live.insert(set, seed);
            }
            self.next += 1;
            self.changed = true;
        }
        match self.live.get(&set) {
            Some(seed) => SetSeed::Live(seed.clone()),
            None => SetSeed::Erased(Zeroizing::new(hash("private/erased", &[self.seeds.state(), &set.to_le_bytes()]))),
        }
    }

    /// A key set is finished.
    pub(super) fn end(&mut self, set: u32) {
        self.changed |= self.live.remove(&set).is_some();
    }

    /// The match is over: nothing is needed any more.
    pub(super) fn finish(&mut self) {
        self.live.clear();
        self.choice = None;
        self.changed = true;
    }

    /// Keeps a choice until it is open.
    pub(super) fn choose(&mut self, height: u64, choice: Vec<u8>) {
        self.choice = Some((height, choice));
        self.changed = true;
    }

    /// Keeps what they have signed about a new hub: nobody signs twice.
    pub(crate) fn pledge(&mut self, proposal: Option<Proposal>) {
        let pledge = proposal.map(Pledge::Signed);
        self.changed |= self.pledge != pledge;
        self.pledge = pledge;
    }

    /// The change of hubs with this number is in the log. They may have signed a later one, if they read it again.
    pub(crate) fn settled(&mut self, number: u32) {
        let about = self.pledge.map(|pledge| match pledge {
            Pledge::Signed(proposal) => proposal.number,
            Pledge::Forgotten(last) => last,
        });
        if about.is_some_and(|about| about <= number) {
            self.pledge(None);
        }
    }

    /// What they have signed about a new hub.
    pub(crate) const fn pledged(&self) -> Option<Pledge> {
        self.pledge
    }

    /// The choice made at this height.
    pub(super) fn chosen(&self, height: u64) -> Option<&[u8]> {
        self.choice.as_ref().filter(|(at, _)| *at == height).map(|(_, choice)| choice.as_slice())
    }
}

impl Drop for Private {
    fn drop(&mut self) {
        if let Some((_, choice)) = &mut self.choice {
            choice.zeroize();
        }
    }
}

impl Wire for Private {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(1);
        self.seed.write(out);
        self.seeds.state().write(out);
        self.next.write(out);
        u8::try_from(self.live.len()).unwrap_or(u8::MAX).write(out);
        for (set, seed) in &self.live {
            set.write(out);
            seed.write(out);
        }
        match &self.choice {
            None => out.push(0),
            Some((height, choice)) => {
                out.push(1);
                height.write(out);
                write_counted(choice, out);
            }
        }
        match &self.pledge {
            None => out.push(0),
            Some(Pledge::Signed(proposal)) => {
                out.push(1);
                proposal.write(out);
            }
            Some(Pledge::Forgotten(last)) => {
                out.push(2);
                last.write(out);
            }
        }
        out.push(match self.lost {
            Lost::Nothing => 0,
            Lost::Seed => 1,
            Lost::All => 2,
        });
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        match u8::read(from)? {
            1 => {}
            other => return Err(Malformed::Unknown(other)),
        }
        let (seed, state, next) = (Zeroizing::new(from.array()?), from.array()?, u32::read(from)?);
        let live = usize::from(u8::read(from)?);
        if live > MOST_LIVE {
            return Err(Malformed::Length { least: 0, most: MOST_LIVE });
        }
        let mut sets = Map::new();
        for _ in 0..live {
            let set = u32::read(from)?;
            // In order, so that there is one encoding.
            if sets.last_key_value().is_some_and(|(last, _)| *last >= set) {
                return Err(Malformed::Unknown(0));
            }
            sets.insert(set, Zeroizing::new(from.array()?));
        }
        let choice = match u8::read(from)? {
            0 => None,
            1 => Some((u64::read(from)?, from.counted(1, LONGEST_CHOICE)?)),
            other => return Err(Malformed::Unknown(other)),
        };
        let pledge = match u8::read(from)? {
            0 => None,
            1 => Some(Pledge::Signed(Proposal::read(from)?)),
            2 => Some(Pledge::Forgotten(u32::read(from)?)),
            other => return Err(Malformed::Unknown(other)),
        };
        let lost = match u8::read(from)? {
            0 => Lost::Nothing,
            1 => Lost::Seed,
            2 => Lost::All,
            other => return Err(Malformed::Unknown(other)),
        };
        Ok(Self { seed, seeds: Seeds::new(state), next, live: sets, choice, pledge, lost, changed: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_have_one_encoding() {
        let mut private = Private::new(&[7; 32]);
        drop((private.begin(0), private.begin(1)));
        let bytes = dealing::encode(&private);
        let read: Private = dealing::decode(&bytes).unwrap();
        assert_eq!(dealing::encode(&read), bytes);
        // The same two sets in another order, and one of them twice.
        let (first, sets) = (1 + 32 + 32 + 4 + 1, 4 + 32);
        let swapped = [
            &bytes[..first],
            &bytes[first + sets..first + 2 * sets],
            &bytes[first..first + sets],
            &bytes[first + 2 * sets..],
        ];
        assert!(dealing::decode::<Private>(&swapped.concat()).is_err());
        let twice =
            [&bytes[..first], &bytes[first..first + sets], &bytes[first..first + sets], &bytes[first + 2 * sets..]];
        assert!(dealing::decode::<Private>(&twice.concat()).is_err());
    }
}
