//! Chat: lines of text that travel next to the log, so that a line never makes a move stale.
//!
//! ```text
//! chat   16 · author · number u64 · seen (height, head) · sealed text · signature
//! ```
//!
//! A hub passes lines on and can do nothing else with them: the text is sealed with the table's key, the author signs
//! it, and table, author, number and the log as the author knew it are bound in. Numbers of one author go up, so a line
//! that was heard cannot be passed on again. A program that starts again has forgotten the numbers; it refuses lines
//! that are older than the log it had stored.
//!
//! Numbers need not be without gaps: a program takes its clock in milliseconds, or the number before plus one, and need
//! not store anything.

use core::fmt;

use dealing::{Malformed, Reader, Wire, write_counted};
use results::{Secret, Signature};
use table::Map;

use crate::body::is_readable;
use crate::chain::Chain;
use crate::entry::{Fresh, Head, read_signature};
use crate::hash::hash;
use crate::seal::{TableId, TableKey};

/// The longest line, in bytes.
pub const MOST_CHAT: usize = 500;
/// The longest sealed line: 512 bytes with their padding, the nonce and the tag.
const MOST_SEALED_CHAT: usize = 512 + 24 + 16;
/// The first byte of a line.
pub(crate) const CHAT: u8 = 16;

/// A line of chat as it travels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chat {
    /// The author's number at the table.
    pub author: u8,
    /// Greater than in every earlier line of this author.
    pub number: u64,
    /// The log as the author knew it.
    pub seen: Head,
    /// The text, sealed with the table's key.
    pub sealed: Vec<u8>,
    /// The author's signature over all of it and the table.
    pub signature: Signature,
}

/// A line that somebody said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chatted {
    /// The author's number at the table.
    pub author: u8,
    /// What they said. It can be shown as it is.
    pub text: String,
}

/// Why a text cannot be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsayable {
    /// Spectators only read.
    NotAPlayer,
    /// It is too long.
    TooLong,
    /// It is empty, or has characters that a screen would obey.
    Unreadable,
}

impl fmt::Display for Unsayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAPlayer => f.write_str("spectators can read the chat and not write"),
            Self::TooLong => write!(f, "a line has at most {MOST_CHAT} bytes"),
            Self::Unreadable => f.write_str("a line needs some text, and no control characters"),
        }
    }
}

impl core::error::Error for Unsayable {}

/// Why a line is not shown. Nobody is to blame: the hub may have made it up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unheard {
    /// Its author does not play.
    NotAPlayer,
    /// It is not newer than the last line of its author, or is older than the log this program began with.
    Old,
    /// Its author has seen another log.
    OtherLog,
    /// Its author has not signed it.
    Signature,
    /// It was sealed with another key, or is not a text that can be shown.
    Unreadable,
}

impl fmt::Display for Unheard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAPlayer => "its author does not play",
            Self::Old => "it was said before",
            Self::OtherLog => "its author has seen another log",
            Self::Signature => "its author has not signed it",
            Self::Unreadable => "it cannot be read",
        })
    }
}

impl core::error::Error for Unheard {}

/// Which lines were said and heard, for one member or spectator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chats {
    /// The number of the last own line.
    said: u64,
    /// The number of every author's last line.
    heard: Map<u8, u64>,
    /// The height of the log that was there before the first connection.
    since: Option<u64>,
}

impl Chats {
    /// A connection is there, and the log has this height. Lines from before the first one are old.
    pub(crate) const fn connected(&mut self, height: u64) {
        if self.since.is_none() {
            self.since = Some(height);
        }
    }

    /// Seals and signs a line; `now` is a clock in milliseconds.
    pub(crate) fn say(
        &mut self,
        (table, key): (&TableKey, &Secret),
        (author, seen): (u8, Head),
        text: &str,
        now: u64,
        fresh: &Fresh,
    ) -> Result<Chat, Unsayable> {
        if text.len() > MOST_CHAT {
            return Err(Unsayable::TooLong);
        }
        if !is_readable(text) {
            return Err(Unsayable::Unreadable);
        }
        let number = now.max(self.said.saturating_add(1));
        let sealed = table.seal(fresh.nonce, &place(table.table(), author, number), text.as_bytes());
        let hash = signed(table.table(), author, number, seen, &sealed);
        self.said = number;
        Ok(Chat { author, number, seen, sealed, signature: key.sign(&hash, &fresh.aux) })
    }

    /// Checks and opens a line. An error changes nothing.
    pub(crate) fn hear(&mut self, table: &TableKey, chain: &Chain, chat: &Chat) -> Result<Chatted, Unheard> {
        let key = chain.member(chat.author).ok_or(Unheard::NotAPlayer)?;
        let last = self.heard.get(&chat.author);
        if last.is_some_and(|last| chat.number <= *last) || self.since.is_some_and(|since| chat.seen.height < since) {
            return Err(Unheard::Old);
        }
        // An author may know more of the log than this program.
        if chain.head_at(chat.seen.height).is_some_and(|head| head != chat.seen) {
            return Err(Unheard::OtherLog);
        }
        let hash = signed(table.table(), chat.author, chat.number, chat.seen, &chat.sealed);
        if !key.verify(&hash, &chat.signature) {
            return Err(Unheard::Signature);
        }
        let opened = table.open(&place(table.table(), chat.author, chat.number), &chat.sealed);
        let text = opened.ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let text = text.filter(|text| text.len() <= MOST_CHAT && is_readable(text)).ok_or(Unheard::Unreadable)?;
        self.heard.insert(chat.author, chat.number);
        Ok(Chatted { author: chat.author, text })
    }
}

/// What a sealed line is bound to. Bodies of the log are bound to 0 or 1 after the table.
fn place(table: TableId, author: u8, number: u64) -> Vec<u8> {
    [&table.0[..], &[2, author], &number.to_le_bytes()].concat()
}

/// What an author signs.
fn signed(table: TableId, author: u8, number: u64, seen: Head, sealed: &[u8]) -> [u8; 32] {
    hash("chat", &[&place(table, author, number), &seen.height.to_le_bytes(), &seen.hash, sealed])
}

impl Wire for Chat {
    fn write(&self, out: &mut Vec<u8>) {
        CHAT.write(out);
        self.author.write(out);
        self.number.write(out);
        self.seen.write(out);
        write_counted(&self.sealed, out);
        out.extend_from_slice(&self.signature.0);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        match u8::read(from)? {
            CHAT => {}
            other => return Err(Malformed::Unknown(other)),
        }
        Ok(Self {
            author: u8::read(from)?,
            number: u64::read(from)?,
            seen: Head::read(from)?,
            sealed: from.counted(0, MOST_SEALED_CHAT)?,
            signature: read_signature(from)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use table::record::hex;

    use super::*;
    use crate::testing::{Place, fresh, secret, table_key};
    use crate::{Beside, Body, Guest, Knock, Member, Private};

    fn chat(place: &mut Place, member: usize, text: &str, now: u64) -> Chat {
        place.members[member].chat(text, now, &fresh(3)).unwrap()
    }

    #[test]
    fn a_line_reaches_everybody_at_the_table_with_its_author() {
        let mut place = Place::new(3);
        let line = chat(&mut place, 1, "good luck, everyone ♥", 5_000);
        let right = Chatted { author: 1, text: "good luck, everyone ♥".to_owned() };
        assert_eq!(place.members[0].overhear(&line), Ok(right.clone()));
        assert_eq!(place.members[2].overhear(&line), Ok(right.clone()));
        let mut spectator = Member::new(table_key(), secret(60), secret(100).public());
        place.log.iter().for_each(|entry| drop(spectator.hear(entry).unwrap()));
        assert_eq!(spectator.overhear(&line), Ok(right));
        assert_eq!(spectator.chat("fold!", 6_000, &fresh(1)), Err(Unsayable::NotAPlayer));
    }

    #[test]
    fn a_line_is_not_an_entry_and_makes_nothing_stale() {
        let mut place = Place::new(2);
        place.members[0].say(&Body::Here);
        let envelope = place.members[0].write(&fresh(1)).unwrap();
        let before = place.hub.head();
        let line = chat(&mut place, 1, "hurry up", 5_000);
        place.members[0].overhear(&line).unwrap();
        assert_eq!(place.members[0].chain().head(), before, "the log is the same");
        place.put(envelope);
        assert_eq!(place.hub.head().height, before.height + 1, "what was written before still fits");
    }

    #[test]
    fn a_line_is_heard_once_and_in_order() {
        let mut place = Place::new(2);
        let first = chat(&mut place, 1, "one", 5_000);
        let second = chat(&mut place, 1, "two", 4_000);
        assert_eq!((first.number, second.number), (5_000, 5_001), "a clock that was set back changes nothing");
        assert!(place.members[0].overhear(&first).is_ok());
        assert_eq!(place.members[0].overhear(&first), Err(Unheard::Old), "again");
        assert!(place.members[0].overhear(&second).is_ok());
        assert_eq!(place.members[0].overhear(&first), Err(Unheard::Old), "an earlier one");
    }

    #[test]
    fn a_program_that_starts_again_does_not_hear_old_lines() {
        let mut place = Place::new(2);
        let old = chat(&mut place, 1, "old", 5_000);
        place.members[1].say(&Body::Here);
        place.settle();
        let mut restarted = Member::new(table_key(), secret(1), secret(100).public());
        place.log.iter().for_each(|entry| drop(restarted.hear(entry).unwrap()));
        restarted.send_again();
        assert_eq!(restarted.overhear(&old), Err(Unheard::Old));
        let new = chat(&mut place, 1, "new", 5_500);
        assert!(restarted.overhear(&new).is_ok());
        // Another connection later does not make newer lines old.
        restarted.send_again();
        let newer = chat(&mut place, 1, "newer", 5_600);
        assert!(restarted.overhear(&newer).is_ok());
    }

    #[test]
    fn a_hub_cannot_forge_change_or_move_a_line() {
        let mut place = Place::new(3);
        let right = chat(&mut place, 1, "I have two aces", 5_000);
        let reader = &mut place.members[0];
        let other_author = Chat { author: 2, ..right.clone() };
        assert_eq!(reader.overhear(&other_author), Err(Unheard::Signature));
        let nobody = Chat { author: 9, ..right.clone() };
        assert_eq!(reader.overhear(&nobody), Err(Unheard::NotAPlayer));
        let renumbered = Chat { number: 6_000, ..right.clone() };
        assert_eq!(reader.overhear(&renumbered), Err(Unheard::Signature));
        let elsewhere = Chat { seen: Head { hash: [1; 32], ..right.seen }, ..right.clone() };
        assert_eq!(reader.overhear(&elsewhere), Err(Unheard::OtherLog));
        let bytes = dealing::encode(&right);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let Ok(changed) = dealing::decode::<Chat>(&changed) else { continue };
            assert!(reader.overhear(&changed).is_err(), "byte {at}");
        }
        // A member who signs another's number, or text that nobody can open.
        let head = reader.chain().head();
        let forged = Chats::default().say((&table_key(), &secret(3)), (1, head), "no", 7_000, &fresh(1)).unwrap();
        assert_eq!(reader.overhear(&forged), Err(Unheard::Signature));
        let other_key = TableKey::new([8; 32]);
        let sealed = other_key.seal([1; 24], &super::place(table_key().table(), 1, 7_000), b"no");
        let signature = secret(2).sign(&signed(table_key().table(), 1, 7_000, head, &sealed), &[0; 32]);
        let closed = Chat { author: 1, number: 7_000, seen: head, sealed, signature };
        assert_eq!(reader.overhear(&closed), Err(Unheard::Unreadable));
        // Nothing of this has used the author's numbers.
        assert!(reader.overhear(&right).is_ok());
    }

    #[test]
    fn a_line_of_another_table_is_not_heard() {
        let mut place = Place::new(2);
        let other = TableKey::new([8; 32]);
        let head = place.members[0].chain().head();
        let line = Chats::default().say((&other, &secret(2)), (1, head), "hello", 5_000, &fresh(1)).unwrap();
        assert_eq!(place.members[0].overhear(&line), Err(Unheard::Signature));
    }

    #[test]
    fn long_empty_and_dangerous_texts_are_refused_on_both_sides() {
        let mut place = Place::new(2);
        let say = |place: &mut Place, text: &str| place.members[1].chat(text, 5_000, &fresh(3)).map(drop);
        assert_eq!(say(&mut place, &"x".repeat(MOST_CHAT)), Ok(()));
        assert_eq!(say(&mut place, &"x".repeat(MOST_CHAT + 1)), Err(Unsayable::TooLong));
        for text in ["", "  ", "a\nb", "\u{1b}[2J", "a\u{202e}b", "a\u{2028}b", "\u{9b}2J"] {
            assert_eq!(say(&mut place, text), Err(Unsayable::Unreadable), "{text:?}");
            // A member whose program does not care.
            let (table, head) = (table_key().table(), place.members[0].chain().head());
            let sealed = table_key().seal([1; 24], &super::place(table, 1, 9_000), text.as_bytes());
            let signature = secret(2).sign(&signed(table, 1, 9_000, head, &sealed), &[0; 32]);
            let line = Chat { author: 1, number: 9_000, seen: head, sealed, signature };
            assert_eq!(place.members[0].overhear(&line), Err(Unheard::Unreadable), "{text:?}");
        }
    }

    #[test]
    fn a_line_has_these_bytes() {
        let mut place = Place::new(1);
        let bytes = dealing::encode(&chat(&mut place, 0, "hi", 5_000));
        assert_eq!(bytes.len(), 1 + 1 + 8 + 40 + 2 + 24 + 128 + 16 + 64);
        assert_eq!(hex(&bytes[..10]), "10008813000000000000");
        assert_eq!(hex(&hash("frozen", &[&bytes])), "ffd930c5aa1f876e44552864c738cbc7b7faf10618782acc8dd515fc708e1395");
        let Ok(Beside::Chat(read)) = dealing::decode(&bytes) else { panic!("it is chat") };
        assert_eq!(dealing::encode(&read), bytes);
        let long = place.members[0].chat(&"x".repeat(MOST_CHAT), 6_000, &fresh(3)).unwrap();
        assert!(dealing::encode(&long).len() <= crate::frame::MOST_BESIDE);
    }

    #[test]
    fn chat_and_knocks_are_told_apart_by_their_first_byte() {
        let mut place = Place::new(1);
        let words = dealing::encode(&chat(&mut place, 0, "hi", 5_000));
        assert!(dealing::decode::<Knock>(&words).is_err());
        let knock = dealing::encode(&Knock::Decline);
        assert!(dealing::decode::<Chat>(&knock).is_err());
        assert_eq!(dealing::decode(&knock), Ok(Beside::Knock(Knock::Decline)));
        for first in 0..=u8::MAX {
            let kinds = [dealing::decode::<Knock>(&[first]).is_ok(), first == CHAT];
            assert!(kinds.iter().filter(|kind| **kind).count() <= 1, "{first}");
        }
        assert_eq!(dealing::decode::<Beside>(&[200]), Err(Malformed::Unknown(200)));
        assert_eq!(dealing::decode::<Beside>(&[]), Err(Malformed::Short));
    }

    #[test]
    fn a_guest_hears_those_who_have_joined() {
        let mut place = Place::new(2);
        let mut guest = Guest::new(table_key(), secret(1), secret(100).public(), None, Private::new(&[1; 32]));
        assert_eq!(guest.chat("hello", 1_000, &fresh(1)), Err(Unsayable::NotAPlayer), "they have not joined");
        place.log.iter().for_each(|entry| drop(guest.hear(entry).unwrap()));
        assert!(guest.chat("hello", 1_000, &fresh(1)).is_ok());
        let line = chat(&mut place, 1, "hello", 5_000);
        assert!(guest.overhear(&line).is_ok());
        // Somebody who has left the table.
        place.members[1].say(&Body::Leave);
        place.settle();
        guest.hear(place.log.last().unwrap()).unwrap();
        let line = chat(&mut place, 1, "one more thing", 6_000);
        assert_eq!(guest.overhear(&line), Err(Unheard::NotAPlayer));
    }
}
