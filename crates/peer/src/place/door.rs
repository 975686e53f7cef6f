//! People at the door: they knock, and a member lets them in or does not.

use rand::SeedableRng as _;
use rand::rngs::ChaCha20Rng;
use table::Map;

use crate::beside::Beside;
use crate::knock::{Answering, Knock, Knocked};
use crate::seal::{TableId, TableKey};

/// How many knocks are remembered.
const MOST: usize = 16;
/// How long, in milliseconds: hubs end them after this time, so nobody is there any more who could be let in.
const REMEMBERED: u64 = 300_000;

/// Everybody at the door.
pub struct Door {
    table: TableId,
    rng: ChaCha20Rng,
    knocks: Map<u32, Waiting>,
}

/// Somebody at the door, for a screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtDoor {
    /// The number of the knock.
    pub number: u32,
    /// What they want to be called. Anybody can say that.
    pub name: String,
    /// The words that both compare, once they are known.
    pub words: Option<[&'static str; 4]>,
}

struct Waiting {
    name: String,
    since: u64,
    stage: Stage,
}

enum Stage {
    /// They have an answer, and have to open their key.
    Answered(Answering),
    /// Both have words to compare.
    Comparing(Knocked),
}

impl Door {
    /// From 32 random bytes.
    pub fn new(table: TableId, random: [u8; 32]) -> Self {
        Self { table, rng: ChaCha20Rng::from_seed(random), knocks: Map::new() }
    }

    /// Somebody at the door said this; returns whether there is something new to see, and what they are answered. Words
    /// that make no sense are those of a stranger, and have no effect. `now` is this program's own clock.
    pub fn heard(&mut self, number: u32, words: &[u8], now: u64) -> (bool, Option<Vec<u8>>) {
        let Ok(Beside::Knock(words)) = dealing::decode(words) else { return (false, None) };
        match (words, self.knocks.remove(&number)) {
            (Knock::Commit { name, commitment }, None) if self.has_room(now) => {
                let (answering, answer) = Answering::new(self.table, commitment, &mut self.rng);
                let name = name.chars().filter(|c| !c.is_control()).collect();
                let stage = Stage::Answered(answering);
                self.knocks.insert(number, Waiting { name, since: now, stage });
                (true, Some(dealing::encode(&answer)))
            }
            (Knock::Reveal { key, nonce }, Some(Waiting { name, since, stage: Stage::Answered(answering) })) => {
                match answering.revealed(key, &nonce) {
                    Ok(knocked) => {
                        self.knocks.insert(number, Waiting { name, since, stage: Stage::Comparing(knocked) });
                        (true, None)
                    }
                    Err(_) => (true, Some(dealing::encode(&Knock::Decline))),
                }
            }
            (_, Some(before)) => {
                self.knocks.insert(number, before);
                (false, None)
            }
            (_, None) => (false, None),
        }
    }

    /// Makes room for one more: a program answers at once, so whoever has not opened their key for the longest time has
    /// most likely gone. People who have words to compare are not pushed aside.
    fn has_room(&mut self, now: u64) -> bool {
        self.forget(now);
        if self.knocks.len() >= MOST {
            let unopened = self.knocks.iter().filter(|(_, waiting)| matches!(waiting.stage, Stage::Answered(_)));
            let oldest = unopened.min_by_key(|(number, waiting)| (waiting.since, **number)).map(|(number, _)| *number);
            oldest.map(|number| self.knocks.remove(&number));
        }
        self.knocks.len() < MOST
    }

    /// Forgets those who have been there for too long; returns whether there were any.
    pub fn forget(&mut self, now: u64) -> bool {
        let before = self.knocks.len();
        self.knocks.retain(|_, waiting| now.saturating_sub(waiting.since) < REMEMBERED);
        self.knocks.len() < before
    }

    /// Lets somebody in who has words to compare; returns what they are told. `nonce` are random bytes.
    pub fn admit(&mut self, number: u32, key: &TableKey, nonce: [u8; 24]) -> Option<Vec<u8>> {
        let Some(Waiting { stage: Stage::Comparing(knocked), .. }) = self.knocks.get(&number) else { return None };
        let admitted = dealing::encode(&knocked.admit(key, nonce));
        self.knocks.remove(&number);
        Some(admitted)
    }

    /// Does not; returns what they are told.
    pub fn turn_away(&mut self, number: u32) -> Option<Vec<u8>> {
        self.knocks.remove(&number).map(|_| dealing::encode(&Knock::Decline))
    }

    /// Everybody who is there.
    pub fn knocks(&self) -> Vec<AtDoor> {
        let shown = |(number, waiting): (&u32, &Waiting)| AtDoor {
            number: *number,
            name: waiting.name.clone(),
            words: match &waiting.stage {
                Stage::Answered(_) => None,
                Stage::Comparing(knocked) => Some(knocked.words()),
            },
        };
        self.knocks.iter().map(shown).collect()
    }
}
