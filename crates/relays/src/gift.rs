//! Events for one reader (NIP-59): nobody else learns who wrote them, or when.
//!
//! ```text
//! gift (1059, by a key that is used once, to the reader) > seal (13, by the sender) > what is said, unsigned
//! ```
//!
//! What is inside is not signed, so the reader cannot prove to others that the sender said it.

use core::fmt;

use results::{Public, Secret};
use serde::{Deserialize, Serialize};

use crate::encrypted::{Shared, Unsealable};
use crate::event::tag;
use crate::{BadEvent, Draft, Event, Kind, Seconds};

/// Up to how long before now seals and gifts say that they were made.
pub const SPREAD: Seconds = 2 * 86_400;

/// Randomness and times for one gift.
pub struct Fresh {
    /// A key that is used for this gift only.
    pub once: Secret,
    /// Nonces of the two encryptions.
    pub nonces: [[u8; 32]; 2],
    /// For the two signatures.
    pub aux: [[u8; 32]; 2],
    /// When the seal and the gift are said to be made: some time within [`SPREAD`] before now.
    pub at: [Seconds; 2],
}

/// Why a gift cannot be made or opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoGift {
    /// An event of another kind, where one of this kind should be.
    Kind(Kind),
    /// A part cannot be encrypted or read.
    Encrypted(Unsealable),
    /// The seal is no event.
    Seal(BadEvent),
    /// What is inside is no event, or not of the one who sealed it.
    Inside,
}

#[derive(Serialize, Deserialize)]
struct Unsigned {
    id: String,
    pubkey: String,
    created_at: u64,
    kind: u16,
    tags: Vec<Vec<String>>,
    content: String,
}

/// Wraps what is said for one reader. A relay may drop it after `expires`.
pub fn wrap(
    draft: &Draft,
    from: &Secret,
    to: &Public,
    expires: Option<Seconds>,
    fresh: &Fresh,
) -> Result<Event, NoGift> {
    let by = from.public();
    let inside = Unsigned {
        id: draft.id(&by).to_string(),
        pubkey: by.hex(),
        created_at: draft.at,
        kind: draft.kind.0,
        tags: draft.tags.clone(),
        content: draft.content.clone(),
    };
    let inside = serde_json::to_string(&inside).map_err(|_| NoGift::Inside)?;
    let [first, second] = &fresh.nonces;
    let [sealing, wrapping] = &fresh.aux;
    let [sealed_at, wrapped_at] = fresh.at;
    let encrypt = |secret: &Secret, text: &str, nonce| {
        Shared::new(secret, to).and_then(|shared| shared.encrypt(text, nonce)).map_err(NoGift::Encrypted)
    };
    let content = encrypt(from, &inside, first)?;
    let seal = Draft { at: sealed_at, kind: Kind::SEAL, tags: Vec::new(), content }.sign(from, sealing);
    let content = encrypt(&fresh.once, &seal.text(), second)?;
    let mut tags = vec![tag("p", to.hex())];
    tags.extend(expires.map(|expires| tag("expiration", expires.to_string())));
    Ok(Draft { at: wrapped_at, kind: Kind::GIFT, tags, content }.sign(&fresh.once, wrapping))
}

/// What is in a gift for the owner of this secret, and who said it.
pub fn open(gift: &Event, secret: &Secret) -> Result<(Public, Draft), NoGift> {
    let decrypt = |event: &Event, kind: Kind| {
        if event.kind() != kind {
            return Err(NoGift::Kind(event.kind()));
        }
        let shared = Shared::new(secret, &event.by());
        shared.and_then(|shared| shared.decrypt(event.content())).map_err(NoGift::Encrypted)
    };
    let seal = Event::parse(&decrypt(gift, Kind::GIFT)?).map_err(NoGift::Seal)?;
    let inside: Unsigned = serde_json::from_str(&decrypt(&seal, Kind::SEAL)?).map_err(|_| NoGift::Inside)?;
    let Unsigned { id, pubkey, created_at, kind, tags, content } = inside;
    let draft = Draft { at: created_at, kind: Kind(kind), tags, content };
    // Otherwise the sender could make it look as if somebody else had said it.
    if pubkey != seal.by().hex() || id != draft.id(&seal.by()).to_string() {
        return Err(NoGift::Inside);
    }
    Ok((seal.by(), draft))
}

impl fmt::Debug for Fresh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fresh(..)")
    }
}

impl fmt::Display for NoGift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(Kind(kind)) => write!(f, "an event of kind {kind} stands where another belongs"),
            Self::Encrypted(why) => why.fmt(f),
            Self::Seal(why) => write!(f, "its seal is broken: {why}"),
            Self::Inside => f.write_str("what is inside is not what the sender has sealed"),
        }
    }
}

impl std::error::Error for NoGift {}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(byte: u8) -> Secret {
        Secret::from_bytes(&[byte; 32]).unwrap()
    }

    fn fresh() -> Fresh {
        Fresh { once: secret(9), nonces: [[1; 32], [2; 32]], aux: [[0; 32]; 2], at: [100, 200] }
    }

    fn said() -> Draft {
        Draft { at: 300, kind: Kind::INVITATION, tags: vec![tag("t", "x")], content: "come in".to_owned() }
    }

    #[test]
    fn only_the_reader_can_open_a_gift() {
        let gift = wrap(&said(), &secret(1), &secret(2).public(), Some(400), &fresh()).unwrap();
        assert_eq!(open(&gift, &secret(2)), Ok((secret(1).public(), said())));
        assert_eq!(open(&gift, &secret(3)), Err(NoGift::Encrypted(Unsealable::Wrong)));
        assert_eq!((gift.by(), gift.at(), gift.expires()), (secret(9).public(), 200, Some(400)));
        assert_eq!(Event::parse(&gift.text()), Ok(gift));
    }

    #[test]
    fn nobody_can_put_words_into_the_mouth_of_another() {
        // A stranger seals what looks as if 1 had said it.
        let inside = wrap(&said(), &secret(1), &secret(2).public(), None, &fresh()).unwrap();
        let shared = Shared::new(&secret(2), &secret(9).public()).unwrap();
        let seal = Event::parse(&shared.decrypt(inside.content()).unwrap()).unwrap();
        let words = Shared::new(&secret(2), &secret(1).public()).unwrap().decrypt(seal.content()).unwrap();
        let to = |by: &Secret, kind, text: &str| {
            let content = Shared::new(by, &secret(2).public()).unwrap().encrypt(text, &[5; 32]).unwrap();
            Draft { at: 1, kind, tags: Vec::new(), content }.sign(by, &[0; 32])
        };
        let forged = to(&secret(3), Kind::SEAL, &words);
        let gift = to(&secret(9), Kind::GIFT, &forged.text());
        assert_eq!(open(&gift, &secret(2)), Err(NoGift::Inside));
        let honest = to(&secret(9), Kind::GIFT, &seal.text());
        assert_eq!(open(&honest, &secret(2)), Ok((secret(1).public(), said())));
    }

    #[test]
    fn what_is_no_gift_is_not_opened() {
        let note = said().sign(&secret(1), &[0; 32]);
        assert_eq!(open(&note, &secret(2)), Err(NoGift::Kind(Kind::INVITATION)));
        let empty = Draft { kind: Kind::GIFT, ..said() }.sign(&secret(1), &[0; 32]);
        assert_eq!(open(&empty, &secret(2)), Err(NoGift::Encrypted(Unsealable::Wrong)));
        let long = Draft { content: "x".repeat(60_000), ..said() };
        let gift = wrap(&long, &secret(1), &secret(2).public(), None, &fresh());
        assert_eq!(gift, Err(NoGift::Encrypted(Unsealable::Length)));
    }
}
