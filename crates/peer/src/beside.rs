//! What travels next to the log: knocks, chat, and the choice of a new hub. The first byte says which it is.

use dealing::{Malformed, Reader, Wire};

use crate::chat::{CHAT, Chat};
use crate::gathering::{AT, Ballot, CHANGED};
use crate::knock::Knock;

/// Words next to the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beside {
    /// Between a newcomer without a ticket and a member: 1 to 5.
    Knock(Knock),
    /// A line of chat: 16.
    Chat(Chat),
    /// About a new hub: 32 to 35.
    Ballot(Ballot),
}

impl Wire for Beside {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Knock(knock) => knock.write(out),
            Self::Chat(chat) => chat.write(out),
            Self::Ballot(ballot) => ballot.write(out),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(match u8::read(&mut from.clone())? {
            CHAT => Self::Chat(Chat::read(from)?),
            AT..=CHANGED => Self::Ballot(Ballot::read(from)?),
            _ => Self::Knock(Knock::read(from)?),
        })
    }
}
