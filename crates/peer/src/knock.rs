//! Getting a ticket from somebody at the table, through a hub that must not learn it.
//!
//! ```text
//! newcomer -> commitment to a key, and a name     "Ann is at the door"
//! member   -> a key                               somebody at the table answers
//! newcomer -> the key committed to                now both have four words to compare
//! member   -> the table's key, sealed             once a person says that the words are the same
//! ```
//!
//! Both agree on a key in the group of [`dealing`]. A hub in the middle would have to choose keys for both sides so
//! that both see the same four words; because the newcomer commits before they see the member's key, and the member
//! answers before they see the newcomer's, it has one try, and succeeds once in 4.3 billion cases.

use core::fmt;

use chacha20poly1305::aead::{Aead, KeyInit};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use dealing::{Element, Malformed, Reader, Secret, Wire, four_words, write_counted};
use rand::CryptoRng;
use zeroize::Zeroizing;

use crate::body::{MOST_NAME, read_text};
use crate::hash::hash;
use crate::seal::{TableId, TableKey};

/// What a newcomer and a member say to each other, beside the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Knock {
    /// The newcomer knocks.
    Commit {
        /// What they want to be called.
        name: String,
        /// A hash of their key and a nonce.
        commitment: [u8; 32],
    },
    /// A member answers.
    Answer(Element),
    /// The newcomer opens the commitment.
    Reveal {
        /// The key.
        key: Element,
        /// The nonce.
        nonce: [u8; 32],
    },
    /// The member lets them in: the table's key, sealed.
    Admit(Vec<u8>),
    /// The member does not.
    Decline,
}

/// Why a knock failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failed {
    /// The newcomer opened another key than they had committed to.
    OtherKey,
    /// What was sent cannot be opened, or is the key of another table.
    Unopened,
    /// Somebody sent a key that is none.
    NoKey,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherKey => f.write_str("the newcomer's key is not the one they announced"),
            Self::Unopened => f.write_str("the answer cannot be opened"),
            Self::NoKey => f.write_str("the other side sent no usable key"),
        }
    }
}

impl core::error::Error for Failed {}

/// The newcomer's side.
#[derive(Debug)]
pub struct Knocking {
    table: TableId,
    secret: Secret,
    nonce: [u8; 32],
}

impl Knocking {
    /// Knocks, and the first message.
    pub fn new(table: TableId, name: &str, rng: &mut impl CryptoRng) -> (Self, Knock) {
        let mut nonce = [0; 32];
        rng.fill_bytes(&mut nonce);
        let knocking = Self { table, secret: Secret::random(rng), nonce };
        let commitment = commitment(table, &knocking.secret.public(), &nonce);
        (knocking, Knock::Commit { name: name.to_owned(), commitment })
    }

    /// A member has answered: the message to send now, and what both compare.
    pub fn answered(self, theirs: Element) -> Result<(Knocked, Knock), Failed> {
        let agreed = Knocked::new(self.table, &self.secret, &theirs, [&self.secret.public(), &theirs], &self.nonce)?;
        Ok((agreed, Knock::Reveal { key: self.secret.public(), nonce: self.nonce }))
    }
}

/// The member's side, between their answer and the newcomer's key.
#[derive(Debug)]
pub struct Answering {
    table: TableId,
    secret: Secret,
    commitment: [u8; 32],
}

impl Answering {
    /// Answers a knock.
    pub fn new(table: TableId, commitment: [u8; 32], rng: &mut impl CryptoRng) -> (Self, Knock) {
        let answering = Self { table, secret: Secret::random(rng), commitment };
        let answer = Knock::Answer(answering.secret.public());
        (answering, answer)
    }

    /// The newcomer has opened their key.
    pub fn revealed(self, key: Element, nonce: &[u8; 32]) -> Result<Knocked, Failed> {
        if commitment(self.table, &key, nonce) != self.commitment {
            return Err(Failed::OtherKey);
        }
        Knocked::new(self.table, &self.secret, &key, [&key, &self.secret.public()], nonce)
    }
}

/// Both sides have agreed on a key, if their words are the same.
pub struct Knocked {
    table: TableId,
    words: [u8; 32],
    key: Zeroizing<[u8; 32]>,
}

impl fmt::Debug for Knocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Knocked({})", self.words().join(" "))
    }
}

impl Knocked {
    fn new(
        table: TableId,
        secret: &Secret,
        theirs: &Element,
        [newcomer, member]: [&Element; 2],
        nonce: &[u8; 32],
    ) -> Result<Self, Failed> {
        if theirs.is_identity() {
            return Err(Failed::NoKey);
        }
        let shared: Element = (theirs.point() * secret.scalar()).into();
        let parts: [&[u8]; 4] = [&table.0, newcomer.bytes(), member.bytes(), nonce];
        let words = hash("knock/words", &parts);
        let key = Zeroizing::new(hash("knock/key", &[shared.bytes(), &words]));
        Ok(Self { table, words, key })
    }

    /// The words that both read to each other.
    pub fn words(&self) -> [&'static str; 4] {
        four_words(&self.words)
    }

    /// Lets the newcomer in.
    pub fn admit(&self, table: &TableKey, nonce: [u8; 24]) -> Knock {
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), &table.bytes()[..]);
        Knock::Admit([&nonce[..], &sealed.expect("a key is never too long to seal")].concat())
    }

    /// The table's key, as the member sent it.
    pub fn admitted(&self, sealed: &[u8]) -> Result<TableKey, Failed> {
        let (nonce, sealed) = sealed.split_first_chunk::<24>().ok_or(Failed::Unopened)?;
        let opened = self.cipher().decrypt(&XNonce::from(*nonce), sealed).map_err(|_| Failed::Unopened)?;
        let opened = Zeroizing::new(opened);
        let key = TableKey::new(opened.as_slice().try_into().map_err(|_| Failed::Unopened)?);
        if key.table() == self.table { Ok(key) } else { Err(Failed::Unopened) }
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.key).into())
    }
}

fn commitment(table: TableId, key: &Element, nonce: &[u8; 32]) -> [u8; 32] {
    hash("knock/commit", &[&table.0, key.bytes(), nonce])
}

/// A sealed key: nonce, key, tag.
const ADMIT: usize = 24 + 32 + 16;

impl Wire for Knock {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Commit { name, commitment } => {
                out.push(1);
                write_counted(name.as_bytes(), out);
                commitment.write(out);
            }
            Self::Answer(key) => {
                out.push(2);
                key.write(out);
            }
            Self::Reveal { key, nonce } => {
                out.push(3);
                key.write(out);
                nonce.write(out);
            }
            Self::Admit(sealed) => {
                out.push(4);
                write_counted(sealed, out);
            }
            Self::Decline => out.push(5),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(match u8::read(from)? {
            1 => Self::Commit { name: read_text(from, MOST_NAME)?, commitment: from.array()? },
            2 => Self::Answer(Element::read(from)?),
            3 => Self::Reveal { key: Element::read(from)?, nonce: from.array()? },
            4 => Self::Admit(from.counted(ADMIT, ADMIT)?),
            5 => Self::Decline,
            other => return Err(Malformed::Unknown(other)),
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;
    use rand::rngs::ChaCha20Rng;

    use super::*;

    fn knock(rng: &mut ChaCha20Rng) -> (Knocking, Answering, Element) {
        let table = TableKey::new([7; 32]).table();
        let (knocking, Knock::Commit { commitment, .. }) = Knocking::new(table, "Ann", rng) else { panic!() };
        let (answering, Knock::Answer(key)) = Answering::new(table, commitment, rng) else { panic!() };
        (knocking, answering, key)
    }

    #[test]
    fn a_newcomer_gets_the_key_and_both_see_the_same_words() {
        let rng = &mut ChaCha20Rng::from_seed([1; 32]);
        let (knocking, answering, key) = knock(rng);
        let (newcomer, Knock::Reveal { key, nonce }) = knocking.answered(key).unwrap() else { panic!() };
        let member = answering.revealed(key, &nonce).unwrap();
        assert_eq!(newcomer.words(), member.words());
        let Knock::Admit(sealed) = member.admit(&TableKey::new([7; 32]), [3; 24]) else { panic!() };
        assert_eq!(newcomer.admitted(&sealed), Ok(TableKey::new([7; 32])));
        let Knock::Admit(other) = member.admit(&TableKey::new([8; 32]), [3; 24]) else { panic!() };
        assert_eq!(newcomer.admitted(&other), Err(Failed::Unopened), "the key of another table");
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert_eq!(newcomer.admitted(&changed), Err(Failed::Unopened), "byte {place}");
        }
        assert_eq!(newcomer.admitted(&[]), Err(Failed::Unopened));
    }

    #[test]
    fn a_hub_in_the_middle_is_noticed() {
        let rng = &mut ChaCha20Rng::from_seed([2; 32]);
        let (knocking, answering, _) = knock(rng);
        let hub = Secret::random(rng);
        // The hub answers the newcomer itself. The words differ from those of the member.
        let (newcomer, Knock::Reveal { key, nonce }) = knocking.answered(hub.public()).unwrap() else { panic!() };
        let member = answering.revealed(key, &nonce).unwrap();
        assert_ne!(newcomer.words(), member.words());
        let Knock::Admit(sealed) = member.admit(&TableKey::new([7; 32]), [3; 24]) else { panic!() };
        assert_eq!(newcomer.admitted(&sealed), Err(Failed::Unopened));
        // And it cannot open another key than was committed to.
        let (_, answering, _) = knock(rng);
        assert_eq!(answering.revealed(hub.public(), &nonce).unwrap_err(), Failed::OtherKey);
    }

    #[test]
    fn the_neutral_element_is_no_key() {
        let rng = &mut ChaCha20Rng::from_seed([3; 32]);
        let (knocking, ..) = knock(rng);
        let neutral: Element = dealing::decode(&[0; 32]).unwrap();
        assert_eq!(knocking.answered(neutral).unwrap_err(), Failed::NoKey);
    }
}
