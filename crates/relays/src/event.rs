//! Events: what somebody signed (NIP-01).
//!
//! A [`Draft`] becomes an [`Event`] when it is signed. An [`Event`] from a relay is read, its id computed and its
//! signature checked in one step, so there are none that are not what they say.

use core::fmt;
use core::str::FromStr;

use results::{Public, Secret, Signature};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use table::record::{hex, unhex};

use crate::Seconds;

/// No event that is read is longer, as text. Many relays take no longer ones.
pub const MOST_EVENT: usize = 64 << 10;
/// No event that is read has more tags, or more values in a tag.
pub const MOST_TAGS: usize = 128;
/// The largest number that all programs read alike.
const MOST_NUMBER: u64 = (1 << 53) - 1;

/// What kind of event it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Kind(pub u16);

impl Kind {
    /// What a sender has signed, encrypted to one reader (NIP-59).
    pub const SEAL: Self = Self(13);
    /// A seal, encrypted again with a key that is used once (NIP-59).
    pub const GIFT: Self = Self(1059);
    /// An invitation to a table; only ever inside of a gift.
    pub const INVITATION: Self = Self(2052);
    /// Frames of a match. Relays pass them on and keep none.
    pub const FRAMES: Self = Self(22052);
    /// A station's leaderboard. Relays keep the latest for each game.
    pub const BOARD: Self = Self(32052);
    /// A result. Relays keep the latest of each author for each match.
    pub const RESULT: Self = Self(32053);
    /// A table that is offered. Relays keep the latest for each table.
    pub const OFFER: Self = Self(32054);
}

/// The hash by which an event is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub [u8; 32]);

/// An event that nobody has signed yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// When it is said.
    pub at: Seconds,
    /// What it is.
    pub kind: Kind,
    /// Names and values, for those who look for it.
    pub tags: Vec<Vec<String>>,
    /// What it says.
    pub content: String,
}

/// An event whose signature is right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    id: EventId,
    by: Public,
    draft: Draft,
    signature: Signature,
}

/// Why a text is no event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadEvent {
    /// Longer than [`MOST_EVENT`].
    TooLong,
    /// Not an object with the seven fields of an event.
    Form,
    /// Too many tags, or a number that is too large.
    TooMuch,
    /// The author is no key.
    Author,
    /// The id is not the hash of the event.
    OtherId,
    /// The author has not signed it.
    Signature,
}

/// As relays write it. Fields that are not of an event are skipped: they are not signed.
#[derive(Serialize, Deserialize)]
struct Written<'a> {
    id: String,
    pubkey: String,
    created_at: u64,
    kind: u16,
    tags: std::borrow::Cow<'a, [Vec<String>]>,
    content: std::borrow::Cow<'a, str>,
    sig: String,
}

impl Draft {
    /// The id it has if this key signs it: SHA-256 of a JSON array without spaces.
    pub fn id(&self, by: &Public) -> EventId {
        let array = (0, by.hex(), self.at, self.kind.0, &self.tags, &self.content);
        // Numbers and texts can always be written.
        let text = serde_json::to_vec(&array).unwrap_or_default();
        EventId(Sha256::digest(text).into())
    }

    /// Signs it. `aux` is fresh randomness; signing stays secure without, but is harder to attack with it.
    pub fn sign(self, by: &Secret, aux: &[u8; 32]) -> Event {
        let key = by.public();
        let id = self.id(&key);
        Event { id, by: key, signature: by.sign(&id.0, aux), draft: self }
    }

    /// The first value of the first tag with this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let named = self.tags.iter().find(|tag| tag.first().is_some_and(|first| first == name) && tag.len() > 1);
        named?.get(1).map(String::as_str)
    }

    /// The first values of all tags with this name.
    pub fn all_tags<'a, 'n>(&'a self, name: &'n str) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
        let named = self.tags.iter().filter(move |tag| tag.first().is_some_and(|first| first == name));
        named.filter_map(|tag| tag.get(1)).map(String::as_str)
    }
}

impl Event {
    /// Reads an event, and checks its signature.
    pub fn parse(text: &str) -> Result<Self, BadEvent> {
        if text.len() > MOST_EVENT {
            return Err(BadEvent::TooLong);
        }
        Self::checked(serde_json::from_str(text).map_err(|_| BadEvent::Form)?)
    }

    /// The same from a value that is read already, and not too long.
    pub(crate) fn from_value(value: Value) -> Result<Self, BadEvent> {
        Self::checked(serde_json::from_value(value).map_err(|_| BadEvent::Form)?)
    }

    fn checked(written: Written<'_>) -> Result<Self, BadEvent> {
        let Written { id, pubkey, created_at, kind, tags, content, sig } = written;
        if tags.len() > MOST_TAGS || tags.iter().any(|tag| tag.len() > MOST_TAGS) || created_at > MOST_NUMBER {
            return Err(BadEvent::TooMuch);
        }
        let by: Public = pubkey.parse().map_err(|_| BadEvent::Author)?;
        if by.hex() != pubkey {
            return Err(BadEvent::Author);
        }
        let draft = Draft { at: created_at, kind: Kind(kind), tags: tags.into_owned(), content: content.into_owned() };
        let computed = draft.id(&by);
        if id != computed.to_string() {
            return Err(BadEvent::OtherId);
        }
        let signature = Signature::from_hex(&sig).ok_or(BadEvent::Signature)?;
        if !by.verify(&computed.0, &signature) {
            return Err(BadEvent::Signature);
        }
        Ok(Self { id: computed, by, draft, signature })
    }

    /// As JSON.
    pub fn text(&self) -> String {
        // Numbers and texts can always be written.
        serde_json::to_string(&self.written()).unwrap_or_default()
    }

    pub(crate) fn value(&self) -> Value {
        serde_json::to_value(self.written()).unwrap_or_default()
    }

    fn written(&self) -> Written<'_> {
        Written {
            id: self.id.to_string(),
            pubkey: self.by.hex(),
            created_at: self.draft.at,
            kind: self.draft.kind.0,
            tags: self.draft.tags.as_slice().into(),
            content: self.draft.content.as_str().into(),
            sig: self.signature.to_string(),
        }
    }

    /// The hash by which it is known.
    pub const fn id(&self) -> EventId {
        self.id
    }

    /// Who has signed it.
    pub const fn by(&self) -> Public {
        self.by
    }

    /// When, as they say.
    pub const fn at(&self) -> Seconds {
        self.draft.at
    }

    /// What it is.
    pub const fn kind(&self) -> Kind {
        self.draft.kind
    }

    /// What it says.
    pub fn content(&self) -> &str {
        &self.draft.content
    }

    /// What was signed.
    pub const fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The first value of the first tag with this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.draft.tag(name)
    }

    /// Until when it is of use, if it says so (NIP-40).
    pub fn expires(&self) -> Option<Seconds> {
        self.tag("expiration")?.parse().ok()
    }
}

/// A tag with one value.
pub(crate) fn tag(name: &str, value: impl Into<String>) -> Vec<String> {
    vec![name.to_owned(), value.into()]
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EventId({self})")
    }
}

/// From 64 hexadecimal digits in small letters.
impl FromStr for EventId {
    type Err = BadEvent;

    fn from_str(text: &str) -> Result<Self, BadEvent> {
        let bytes = (text.len() == 64).then(|| unhex(text)).flatten();
        bytes.and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or(BadEvent::Form)
    }
}

impl fmt::Display for BadEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "an event has at most {MOST_EVENT} bytes"),
            Self::Form => f.write_str("it has not the form of an event (NIP-01)"),
            Self::TooMuch => write!(f, "an event has at most {MOST_TAGS} tags, and no larger numbers than 2^53"),
            Self::Author => f.write_str("its author is no public key of 64 hexadecimal digits"),
            Self::OtherId => f.write_str("its id is not its hash: it was changed"),
            Self::Signature => f.write_str("its author has not signed it"),
        }
    }
}

impl std::error::Error for BadEvent {}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> Secret {
        Secret::from_bytes(&[7; 32]).unwrap()
    }

    fn event() -> Event {
        let draft = Draft {
            at: 1_766_932_200,
            kind: Kind(1),
            tags: vec![tag("t", "card_game"), tag("alt", "line\nquote\"tab\tbackslash\\ é ♠ / \u{7f}")],
            content: "zwei Zeilen\nund ein \"Zitat\"".to_owned(),
        };
        draft.sign(&secret(), &[0; 32])
    }

    #[test]
    fn an_event_is_read_as_it_was_written() {
        let event = event();
        assert_eq!(Event::parse(&event.text()), Ok(event.clone()));
        assert_eq!((event.tag("t"), event.tag("x"), event.by()), (Some("card_game"), None, secret().public()));
    }

    #[test]
    fn whatever_is_changed_is_noticed() {
        let event = event();
        let mut value: Value = serde_json::from_str(&event.text()).unwrap();
        let changes: [(&str, Value, BadEvent); 9] = [
            ("id", "00".repeat(32).into(), BadEvent::OtherId),
            ("id", event.id().to_string().to_uppercase().into(), BadEvent::OtherId),
            ("pubkey", Secret::from_bytes(&[8; 32]).unwrap().public().hex().into(), BadEvent::OtherId),
            ("pubkey", event.by().hex().to_uppercase().into(), BadEvent::Author),
            ("pubkey", "00".repeat(32).into(), BadEvent::Author),
            ("created_at", 1_766_932_201_u64.into(), BadEvent::OtherId),
            ("kind", 2.into(), BadEvent::OtherId),
            ("content", "anything else".into(), BadEvent::OtherId),
            ("sig", "00".repeat(64).into(), BadEvent::Signature),
        ];
        for (field, changed, why) in changes {
            let kept = std::mem::replace(&mut value[field], changed);
            assert_eq!(Event::parse(&value.to_string()), Err(why), "{field}");
            value[field] = kept;
        }
        assert_eq!(Event::parse(&value.to_string()), Ok(event));
    }

    #[test]
    fn what_is_no_event_is_refused() {
        for (text, why) in [
            ("", BadEvent::Form),
            ("[]", BadEvent::Form),
            ("{}", BadEvent::Form),
            (r#"{"id":1}"#, BadEvent::Form),
            (&"x".repeat(MOST_EVENT + 1), BadEvent::TooLong),
        ] {
            assert_eq!(Event::parse(text), Err(why));
        }
        let many = Draft { at: 0, kind: Kind(1), tags: vec![tag("t", "x"); MOST_TAGS + 1], content: String::new() };
        assert_eq!(Event::parse(&many.sign(&secret(), &[0; 32]).text()), Err(BadEvent::TooMuch));
        let late = Draft { at: u64::MAX, kind: Kind(1), tags: Vec::new(), content: String::new() };
        assert_eq!(Event::parse(&late.sign(&secret(), &[0; 32]).text()), Err(BadEvent::TooMuch));
    }

    #[test]
    fn a_text_that_is_cut_off_anywhere_is_no_event() {
        let text = event().text();
        for end in 0..text.len() {
            if let Some(part) = text.get(..end) {
                assert!(Event::parse(part).is_err(), "{part}");
            }
        }
    }
}
