//! What a program says and hears next to the log, and after the match.

use table::Game;

use super::{Guest, Seated};
use crate::body::Body;
use crate::chat::{Chat, Chatted, Unheard, Unsayable};
use crate::entry::Fresh;
use crate::ticket::{Ticket, is_address};

impl Guest {
    /// A line of chat for everybody, as words to send; `now` is a clock in milliseconds. Only those who have joined
    /// can write.
    pub fn chat(&mut self, text: &str, now: u64, fresh: &Fresh) -> Result<Vec<u8>, Unsayable> {
        self.member.number().filter(|number| self.lobby.joined().contains_key(number)).ok_or(Unsayable::NotAPlayer)?;
        self.member.chat(text, now, fresh).map(|chat| dealing::encode(&chat))
    }

    /// The log is read to its end: a player who had [lost](crate::Private::lost) their secrets can accept a match again.
    pub fn caught_up(&mut self) {
        self.private.caught_up(self.member.chain().changes());
    }

    /// Somebody chats. An error changes nothing, and nobody is to blame for it.
    pub fn overhear(&mut self, chat: &Chat) -> Result<Chatted, Unheard> {
        if !self.lobby.joined().contains_key(&chat.author) {
            return Err(Unheard::NotAPlayer);
        }
        self.member.overhear(chat)
    }
}

impl<G: Game> Seated<G> {
    /// A line of chat for everybody, as words to send; `now` is a clock in milliseconds. Spectators cannot write.
    pub fn chat(&mut self, text: &str, now: u64, fresh: &Fresh) -> Result<Vec<u8>, Unsayable> {
        self.session.me().ok_or(Unsayable::NotAPlayer)?;
        self.member.chat(text, now, fresh).map(|chat| dealing::encode(&chat))
    }

    /// Somebody chats. An error changes nothing, and nobody is to blame for it.
    pub fn overhear(&mut self, chat: &Chat) -> Result<Chatted, Unheard> {
        if !self.session.begun().players.iter().any(|player| player.number == chat.author) {
            return Err(Unheard::NotAPlayer);
        }
        self.member.overhear(chat)
    }

    /// The log is read to its end: a player who had [lost](crate::Private::lost) their secrets takes part in all later
    /// keys.
    pub fn caught_up(&mut self) {
        self.session.caught_up(self.member.chain().changes());
        if let Some(pledge) = self.session.private().pledged() {
            self.member.remember(pledge);
        }
    }

    /// Invites everybody to a rematch at a new table; `false` if the match is not over, somebody has invited them
    /// before, this program only watches, or the ticket leads to this table or to no address.
    pub fn again(&mut self, ticket: Ticket) -> bool {
        let ended = self.session.ended().filter(|ended| ended.again().is_none());
        let here = self.member.table().table();
        let fits = ticket.table() != here && is_address(&ticket.at);
        let invites = ended.is_some() && self.session.me().is_some() && fits;
        if invites {
            self.member.say(&Body::Again(Box::new(ticket)));
        }
        invites
    }
}
