//! A result with its signatures, and what they prove.
//!
//! A [`Signed`] is what a file says. [`Signed::check`] makes a [`Checked`] of it, which knows its [`Verdict`]; only
//! checked results can be counted.

use core::fmt;

use crate::layout::{Document, write_signatures};
use crate::{Body, Claim, Signature, Unreadable, verify_all};

/// A result and the signatures that came with it or were collected, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signed {
    body: Body,
    /// One place per player.
    signatures: Vec<Option<Signature>>,
}

/// What the signatures of one file prove. Players are given by their index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All players have signed.
    Complete,
    /// Some have signed. The log of the match can stand in for the others; without it, this counts for nothing.
    Partial {
        /// Who has not signed.
        missing: Vec<usize>,
    },
    /// Nobody has signed, so nobody has said it.
    Unsigned,
    /// These signatures are not of the players they are ascribed to, or the file was changed after they signed.
    Forged {
        /// Whose they should be.
        wrong: Vec<usize>,
    },
}

/// A result whose signatures have been checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    signed: Signed,
    verdict: Verdict,
}

/// Why a signature was not added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAdded {
    /// There is no such player.
    NoPlayer,
    /// It is not their signature of this result.
    Wrong,
    /// It belongs to another result.
    OtherBody,
}

impl Signed {
    /// A result that nobody has signed yet.
    pub fn new(body: Body) -> Self {
        let signatures = vec![None; body.facts().players.len()];
        Self { body, signatures }
    }

    /// Reads a file, of either form; checks nothing that is signed.
    pub fn parse(bytes: &[u8]) -> Result<Self, Unreadable> {
        let document = Document::read(bytes)?;
        Ok(Self { body: document.body()?, signatures: document.signatures()? })
    }

    /// The file, byte for byte.
    pub fn text(&self) -> String {
        let mut text = self.body.text();
        write_signatures(&mut text, &self.signatures);
        text
    }

    /// What was signed.
    pub const fn body(&self) -> &Body {
        &self.body
    }

    /// The signatures, one place per player.
    pub fn signatures(&self) -> &[Option<Signature>] {
        &self.signatures
    }

    /// Adds the signature of the player at this index, if it is theirs; says whether it was missing. They may come in
    /// any order, and again; a player may sign with other randomness, but one signature is enough.
    pub fn add(&mut self, index: usize, signature: Signature) -> Result<bool, NotAdded> {
        let claim = self.claim(&self.body.text(), index, signature).ok_or(NotAdded::NoPlayer)?;
        if !claim.by.verify(&claim.hash, &claim.signature) {
            return Err(NotAdded::Wrong);
        }
        let place = self.signatures.get_mut(index).ok_or(NotAdded::NoPlayer)?;
        Ok(place.replace(place.unwrap_or(signature)).is_none())
    }

    /// Takes over signatures of the same result; says how many were missing here. Wrong ones are left out.
    pub fn merge(&mut self, other: &Self) -> Result<usize, NotAdded> {
        if self.body != other.body {
            return Err(NotAdded::OtherBody);
        }
        let mut added = 0;
        for (index, signature) in other.signatures.iter().enumerate() {
            if let Some(signature) = signature {
                added += usize::from(self.add(index, *signature) == Ok(true));
            }
        }
        Ok(added)
    }

    /// Checks every signature.
    pub fn check(self) -> Checked {
        let right = verify_all(&self.claims());
        self.judged(&right)
    }

    fn claim(&self, text: &str, index: usize, signature: Signature) -> Option<Claim> {
        let by = self.body.facts().players.get(index)?.key;
        Some(Claim { by, hash: self.body.signing_hash_of(text, index)?, signature })
    }

    fn claims(&self) -> Vec<Claim> {
        let text = self.body.text();
        let places = self.signatures.iter().enumerate();
        places.filter_map(|(index, signature)| self.claim(&text, index, (*signature)?)).collect()
    }

    /// With what is known about the signatures that are there, in their order.
    fn judged(self, right: &[bool]) -> Checked {
        let (mut missing, mut wrong) = (Vec::new(), Vec::new());
        let mut right = right.iter();
        for (index, signature) in self.signatures.iter().enumerate() {
            match signature {
                None => missing.push(index),
                Some(_) if right.next() == Some(&true) => {}
                Some(_) => wrong.push(index),
            }
        }
        let verdict = if !wrong.is_empty() {
            Verdict::Forged { wrong }
        } else if missing.is_empty() {
            Verdict::Complete
        } else if missing.len() == self.signatures.len() {
            Verdict::Unsigned
        } else {
            Verdict::Partial { missing }
        };
        Checked { signed: self, verdict }
    }
}

/// Checks the signatures of many results together, which is several times as fast.
pub fn check_all(all: Vec<Signed>) -> Vec<Checked> {
    let mut claims = Vec::new();
    let mut counts = Vec::with_capacity(all.len());
    for signed in &all {
        let own = signed.claims();
        counts.push(own.len());
        claims.extend(own);
    }
    let right = verify_all(&claims);
    let mut right = right.as_slice();
    let parts = counts.into_iter().map(|count| right.split_off(..count).unwrap_or_default());
    all.into_iter().zip(parts).map(|(signed, right)| signed.judged(right)).collect()
}

impl Checked {
    /// The file.
    pub const fn signed(&self) -> &Signed {
        &self.signed
    }

    /// What it says.
    pub const fn body(&self) -> &Body {
        &self.signed.body
    }

    /// What its signatures prove.
    pub const fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// Who has signed, by their index.
    pub fn signers(&self) -> Vec<usize> {
        let wrong: &[usize] = match &self.verdict {
            Verdict::Forged { wrong } => wrong,
            _ => &[],
        };
        let places = self.signed.signatures.iter().enumerate();
        places.filter(|(index, signature)| signature.is_some() && !wrong.contains(index)).map(|(i, _)| i).collect()
    }
}

impl fmt::Display for NotAdded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoPlayer => "there is no such player",
            Self::Wrong => "it is not their signature of this result",
            Self::OtherBody => "it belongs to another result",
        })
    }
}

impl std::error::Error for NotAdded {}
