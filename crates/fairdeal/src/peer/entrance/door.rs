//! People at the door: they knock, and a member lets them in or does not.

use std::collections::BTreeMap;

use ::peer::{Answering, Knocked, TableId, TableKey};
use rand::SeedableRng as _;
use rand::rngs::ChaCha20Rng;

use super::view::Knock;
use crate::failure::Failure;
use crate::keyring::random;
use crate::peer::post::Post;

/// How many knocks are remembered.
const MOST: usize = 16;

/// Everybody at the door.
pub(super) struct Door {
    table: TableId,
    rng: ChaCha20Rng,
    knocks: BTreeMap<u32, AtDoor>,
}

struct AtDoor {
    name: String,
    stage: Stage,
}

enum Stage {
    /// They have an answer, and have to open their key.
    Answered(Answering),
    /// Both have words to compare.
    Comparing(Knocked),
}

impl Door {
    pub(super) fn new(table: TableId) -> Result<Self, Failure> {
        Ok(Self { table, rng: ChaCha20Rng::from_seed(random()?), knocks: BTreeMap::new() })
    }

    /// Somebody at the door said this; returns whether there is something new to see. Words that make no sense are
    /// those of a stranger, and have no effect.
    pub(super) fn heard(&mut self, number: u32, words: &[u8], post: &Post) -> Result<bool, Failure> {
        let Ok(::peer::Beside::Knock(words)) = dealing::decode(words) else { return Ok(false) };
        match (words, self.knocks.remove(&number)) {
            (::peer::Knock::Commit { name, commitment }, None) if self.knocks.len() < MOST => {
                let (answering, answer) = Answering::new(self.table, commitment, &mut self.rng);
                post.beside(number, dealing::encode(&answer));
                let name = name.chars().filter(|c| !c.is_control()).collect();
                self.knocks.insert(number, AtDoor { name, stage: Stage::Answered(answering) });
                Ok(true)
            }
            (::peer::Knock::Reveal { key, nonce }, Some(AtDoor { name, stage: Stage::Answered(answering) })) => {
                match answering.revealed(key, &nonce) {
                    Ok(knocked) => drop(self.knocks.insert(number, AtDoor { name, stage: Stage::Comparing(knocked) })),
                    Err(_) => post.beside(number, dealing::encode(&::peer::Knock::Decline)),
                }
                Ok(true)
            }
            (_, Some(before)) => {
                self.knocks.insert(number, before);
                Ok(false)
            }
            (_, None) => Ok(false),
        }
    }

    /// Lets somebody in.
    pub(super) fn admit(&mut self, number: u32, key: &TableKey, post: &Post) -> Result<(), Failure> {
        if let Some(AtDoor { stage: Stage::Comparing(knocked), .. }) = self.knocks.get(&number) {
            post.beside(number, dealing::encode(&knocked.admit(key, random()?)));
            self.knocks.remove(&number);
        }
        Ok(())
    }

    /// Does not.
    pub(super) fn turn_away(&mut self, number: u32, post: &Post) {
        if self.knocks.remove(&number).is_some() {
            post.beside(number, dealing::encode(&::peer::Knock::Decline));
        }
    }

    pub(super) fn knocks(&self) -> Vec<Knock> {
        let shown = |(number, at_door): (&u32, &AtDoor)| Knock {
            number: *number,
            name: at_door.name.clone(),
            words: match &at_door.stage {
                Stage::Answered(_) => None,
                Stage::Comparing(knocked) => Some(knocked.words()),
            },
        };
        self.knocks.iter().map(shown).collect()
    }
}
