//! What proves to somebody without the state that a block was decided.
//!
//! Validators with more than two thirds of the power sign every block that they decide: that is its [`Certificate`].
//! A [`Light`] knows one block that it trusts, its *anchor*, and takes later ones on nothing but signatures:
//!
//! - the next block, if the validators whom the anchor names have decided it ([`Light::follow`]);
//! - any later block, if among those who decided it are validators with more than a third of the power at the anchor
//!   ([`Light::skip`]): at least one of them is honest, and has checked everything the block says.
//!
//! An anchor is worth something only as long as its validators can still lose their stake. Whoever was away for longer
//! needs a new one from somewhere trusted; the genesis is the first.

use core::fmt;
use std::collections::BTreeSet;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::block::Header;
use crate::genesis::Genesis;
use crate::staking::{Kind, Vote, set_hash};
use crate::units::{Address, Coins, Hash};

/// Validators with their power, in the order of their keys.
pub type Validators = Vec<(Address, Coins)>;

/// Signatures of validators who decided a block.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The height of the block.
    pub height: u64,
    /// The round in which it was decided.
    pub round: u32,
    /// The hash of its header.
    pub block: Hash,
    /// Who signed, and what.
    pub signatures: Vec<(Address, [u8; 64])>,
}

/// A header, with what proves that its block was decided.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Decided {
    /// The header.
    pub header: Header,
    /// Its certificate.
    pub certificate: Certificate,
    /// The validators who decided it.
    pub validators: Validators,
}

/// Why a certificate proves nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadCertificate {
    /// It is about another block.
    Block,
    /// Somebody signed who is not a validator, or somebody twice.
    Signer(Address),
    /// A signature is wrong.
    Signature(Address),
    /// Too little power has signed.
    Power {
        /// What has signed.
        signed: Coins,
        /// More than this is needed.
        needed: Coins,
    },
}

impl fmt::Display for BadCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block => f.write_str("the certificate is about another block"),
            Self::Signer(who) => write!(f, "{who} cannot sign this certificate, or has signed it twice"),
            Self::Signature(who) => write!(f, "the signature of {who} is wrong"),
            Self::Power { signed, needed } => {
                write!(f, "validators with more than {needed} must sign the certificate, but only {signed} have")
            }
        }
    }
}

impl core::error::Error for BadCertificate {}

impl Certificate {
    /// Whether these validators have decided this block.
    pub fn check(&self, header: &Header, validators: &[(Address, Coins)]) -> Result<(), BadCertificate> {
        if (self.height, self.block) != (header.height, header.hash()) {
            return Err(BadCertificate::Block);
        }
        let kind = Kind::Precommit;
        let (chain, height, round, block) = (header.chain, self.height, self.round, Some(self.block));
        let vote = Vote { chain, height, round, kind, block };
        let (mut seen, mut signed) = (BTreeSet::new(), 0);
        for (who, signature) in &self.signatures {
            let power = validators.iter().find(|(one, _)| one == who).map(|(_, power)| *power);
            let power = power.filter(|_| seen.insert(*who)).ok_or(BadCertificate::Signer(*who))?;
            if !vote.is_signed(who, signature) {
                return Err(BadCertificate::Signature(*who));
            }
            signed += u128::from(power.0);
        }
        more_than(signed, 2, power(validators)).map_err(|(signed, needed)| BadCertificate::Power { signed, needed })
    }

    /// The power of those who signed, among these.
    fn power_of(&self, validators: &[(Address, Coins)]) -> u128 {
        let signed = |who: &Address| self.signatures.iter().any(|(one, _)| one == who);
        validators.iter().filter(|(who, _)| signed(who)).map(|(_, power)| u128::from(power.0)).sum()
    }
}

/// The power of all of these. Whoever made the list up may have written any numbers into it.
fn power(validators: &[(Address, Coins)]) -> u128 {
    validators.iter().map(|(_, power)| u128::from(power.0)).sum()
}

/// Whether a part is more than so many thirds of all; if not, the part and what is needed.
fn more_than(part: u128, thirds: u128, all: u128) -> Result<(), (Coins, Coins)> {
    let coins = |power: u128| Coins(u64::try_from(power).unwrap_or(u64::MAX));
    if part * 3 > all * thirds { Ok(()) } else { Err((coins(part), coins(all * thirds / 3))) }
}

/// Why a block is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// It is of another chain.
    Chain,
    /// It is not the next one, or not after the anchor.
    Height {
        /// The next.
        next: u64,
    },
    /// It does not follow the block before it.
    Parent,
    /// The validators are others than those who decide this block.
    Validators,
    /// The anchor is too old.
    Expired,
    /// The certificate proves nothing.
    Certificate(BadCertificate),
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain => f.write_str("the block is of another chain"),
            Self::Height { next } => write!(f, "the block must have height {next}, or more with its parent"),
            Self::Parent => f.write_str("the block does not follow the one before it"),
            Self::Validators => f.write_str("the block was decided by others than its validators"),
            Self::Expired => f.write_str("the last trusted block is too old: a newer one is needed"),
            Self::Certificate(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for Doubt {}

/// A block that is trusted, and what is needed to trust later ones.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Light {
    chain: Hash,
    height: u64,
    hash: Hash,
    time: u64,
    /// The root of the state before the anchor.
    root: Hash,
    /// The hash of the validators who decide the next block.
    next: Hash,
    /// The validators who decided the anchor.
    validators: Validators,
}

impl Light {
    /// From the beginning of a chain.
    pub fn new(genesis: &Genesis) -> Self {
        let state = crate::State::new(genesis);
        let validators = crate::staking::validators(state.store());
        let (root, next) = (state.store().root(), set_hash(&validators));
        Self { chain: genesis.chain(), height: 0, hash: [0; 32], time: genesis.time, root, next, validators }
    }

    /// From a block whose hash somebody trusted has told, with the header of the block before it.
    pub fn trusted(chain: &Hash, parent: &Header, block: &Decided, hash: &Hash) -> Result<Self, Doubt> {
        let header = &block.header;
        if header.chain != *chain || parent.chain != *chain {
            return Err(Doubt::Chain);
        }
        if header.hash() != *hash || header.parent != parent.hash() {
            return Err(Doubt::Parent);
        }
        if set_hash(&block.validators) != parent.next_validators {
            return Err(Doubt::Validators);
        }
        block.certificate.check(header, &block.validators).map_err(Doubt::Certificate)?;
        let (height, time, root, next) = (header.height, header.time, header.root, header.next_validators);
        Ok(Self { chain: *chain, height, hash: *hash, time, root, next, validators: block.validators.clone() })
    }

    /// The chain.
    pub const fn chain(&self) -> &Hash {
        &self.chain
    }

    /// The hash of the anchor; zeros if it is the genesis.
    pub const fn hash(&self) -> &Hash {
        &self.hash
    }

    /// The height of the anchor.
    pub const fn height(&self) -> u64 {
        self.height
    }

    /// The time of the anchor, in milliseconds since 1970.
    pub const fn time(&self) -> u64 {
        self.time
    }

    /// The root of the state after the block before the anchor; of the first state, if the anchor is the genesis.
    pub const fn root(&self) -> &Hash {
        &self.root
    }

    /// Takes the next block. The anchor must not be older than `trusted` milliseconds at the time of the new block, and of
    /// `now`.
    pub fn follow(&mut self, block: &Decided, now: u64, trusted: u64) -> Result<(), Doubt> {
        let header = &block.header;
        if header.chain != self.chain {
            return Err(Doubt::Chain);
        }
        self.is_fresh(header, now, trusted)?;
        if header.height != self.height + 1 {
            return Err(Doubt::Height { next: self.height + 1 });
        }
        if header.parent != self.hash {
            return Err(Doubt::Parent);
        }
        if set_hash(&block.validators) != self.next {
            return Err(Doubt::Validators);
        }
        block.certificate.check(header, &block.validators).map_err(Doubt::Certificate)?;
        self.anchor(block);
        Ok(())
    }

    /// Takes any later block, with the header of the block before it. The same holds for the age of the anchor.
    pub fn skip(&mut self, parent: &Header, block: &Decided, now: u64, trusted: u64) -> Result<(), Doubt> {
        let header = &block.header;
        if header.height == self.height + 1 {
            return self.follow(block, now, trusted);
        }
        if header.chain != self.chain || parent.chain != self.chain {
            return Err(Doubt::Chain);
        }
        if header.height <= self.height {
            return Err(Doubt::Height { next: self.height + 1 });
        }
        if header.parent != parent.hash() || parent.height.checked_add(1) != Some(header.height) {
            return Err(Doubt::Parent);
        }
        self.is_fresh(header, now, trusted)?;
        if set_hash(&block.validators) != parent.next_validators {
            return Err(Doubt::Validators);
        }
        block.certificate.check(header, &block.validators).map_err(Doubt::Certificate)?;
        let signed = block.certificate.power_of(&self.validators);
        let enough = more_than(signed, 1, power(&self.validators));
        enough.map_err(|(signed, needed)| Doubt::Certificate(BadCertificate::Power { signed, needed }))?;
        self.anchor(block);
        Ok(())
    }

    /// Whether the anchor's validators can still lose their stake.
    fn is_fresh(&self, header: &Header, now: u64, trusted: u64) -> Result<(), Doubt> {
        if now.max(header.time).saturating_sub(self.time) > trusted { Err(Doubt::Expired) } else { Ok(()) }
    }

    fn anchor(&mut self, block: &Decided) {
        let header = &block.header;
        (self.height, self.hash, self.time) = (header.height, header.hash(), header.time);
        (self.root, self.next) = (header.root, header.next_validators);
        self.validators.clone_from(&block.validators);
    }
}

#[cfg(test)]
mod tests;
