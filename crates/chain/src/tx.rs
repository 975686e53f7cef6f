//! Transactions: who wants what, signed.
//!
//! An ordinary transaction pays a fee and names the next nonce of its account, so it counts once. A *duty* is something
//! the chain waits for: a committee member's message, or the action of the seat whose turn it is. Duties are free, need
//! no nonce (each can count only while it is awaited), and have room reserved in every block.

use borsh::{BorshDeserialize, BorshSerialize};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use crate::units::{Address, Coins, Hash, hash};
use crate::{bank, dealer, governance, staking, tables};

/// The most bytes of a transaction.
pub const MOST_BYTES: usize = 64 * 1024;

/// What somebody wants.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Tx {
    /// The chain it is for.
    pub chain: Hash,
    /// Who wants it.
    pub from: Address,
    /// How many transactions this account has made before; 0 for a duty.
    pub nonce: u64,
    /// What they pay for it; 0 for a duty.
    pub fee: Coins,
    /// What.
    pub body: Body,
}

/// What a transaction does, by module.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Body {
    /// Moves coins.
    Bank(bank::Tx),
    /// Stakes coins.
    Staking(staking::Tx),
    /// Proposes and votes.
    Governance(governance::Tx),
    /// Plays.
    Tables(tables::Tx),
    /// Deals.
    Dealer(dealer::Tx),
}

/// A transaction with the signature of its author.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Signed {
    /// The transaction.
    pub tx: Tx,
    /// Ed25519 over the hash of the transaction.
    pub signature: [u8; 64],
}

impl Tx {
    /// What is signed.
    pub fn hash(&self) -> Hash {
        hash("fairdeal/chain/tx/v1", &[&borsh::to_vec(self).expect("plain data can be written to memory")])
    }

    /// Signs it. The key must be that of its author.
    pub fn sign(self, key: &SigningKey) -> Signed {
        let signature = key.sign(&self.hash()).to_bytes();
        Signed { tx: self, signature }
    }

    /// Whether the chain waits for such a thing, so that it is free.
    pub const fn is_duty(&self) -> bool {
        match &self.body {
            Body::Bank(_) | Body::Staking(_) | Body::Governance(_) => false,
            Body::Tables(tx) => tx.is_duty(),
            Body::Dealer(tx) => tx.is_duty(),
        }
    }
}

impl Body {
    /// The work of carrying it out, in microseconds, besides checking its signature.
    pub fn work(&self) -> u64 {
        match self {
            Self::Bank(tx) => tx.work(),
            Self::Staking(tx) => tx.work(),
            Self::Governance(tx) => tx.work(),
            Self::Tables(tx) => tx.work(),
            Self::Dealer(tx) => tx.work(),
        }
    }
}

impl Signed {
    /// Identifies the transaction with its signature.
    pub fn id(&self) -> Hash {
        hash("fairdeal/chain/signed/v1", &[&self.tx.hash(), &self.signature])
    }

    /// Whether the signature is the author's. Strict, so that all replicas agree on every signature.
    pub fn is_authentic(&self) -> bool {
        let key = VerifyingKey::from_bytes(&self.tx.from.0);
        key.is_ok_and(|key| key.verify_strict(&self.tx.hash(), &Signature::from_bytes(&self.signature)).is_ok())
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        borsh::object_length(self).expect("plain data has a length")
    }
}

macro_rules! bodies {
    ($($module:ident => $variant:ident),*) => {$(
        impl From<$module::Tx> for Body {
            fn from(tx: $module::Tx) -> Self {
                Self::$variant(tx)
            }
        }
    )*};
}
bodies!(bank => Bank, staking => Staking, governance => Governance, tables => Tables, dealer => Dealer);
