//! The context of a proof: its place and author.

use crate::Transcript;

/// The place of a proof. Every proof binds all of it, so that none can be reused elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Context {
    /// The match, or the table on a chain: a hash that identifies it.
    pub session: [u8; 32],
    /// The height of the log, or the number of the hand or the ceremony.
    pub height: u64,
    /// The deck.
    pub deck: u32,
    /// The step, if there are several.
    pub step: u32,
    /// Whose proof it is, counted from 0.
    pub author: u16,
}

impl Context {
    /// The context of a session, with everything else 0.
    pub const fn new(session: [u8; 32]) -> Self {
        Self { session, height: 0, deck: 0, step: 0, author: 0 }
    }

    /// At this height.
    pub const fn height(self, height: u64) -> Self {
        Self { height, ..self }
    }

    /// About this deck.
    pub const fn deck(self, deck: u32) -> Self {
        Self { deck, ..self }
    }

    /// In this step.
    pub const fn step(self, step: u32) -> Self {
        Self { step, ..self }
    }

    /// By this author.
    pub const fn author(self, author: u16) -> Self {
        Self { author, ..self }
    }

    /// Binds all of it.
    pub(crate) fn bind(&self, transcript: &mut Transcript) {
        transcript.bytes("session", &self.session);
        transcript.number("height", self.height);
        transcript.number("deck", self.deck.into());
        transcript.number("step", self.step.into());
        transcript.number("author", self.author.into());
    }
}
