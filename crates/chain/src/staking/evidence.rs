//! What validators sign, and what shows that one has signed twice.

use borsh::{BorshDeserialize, BorshSerialize};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use crate::units::{Address, Hash, hash};

/// What a statement of consensus is.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The block that the proposer of a round proposes.
    Proposal {
        /// The earlier round in which it got enough first votes, if it is proposed again.
        valid_round: Option<u32>,
    },
    /// The first vote of a round.
    Prevote,
    /// The second vote of a round.
    Precommit,
}

/// One statement of consensus. A validator signs at most one of each kind per height and round.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vote {
    /// The chain.
    pub chain: Hash,
    /// The height it is about.
    pub height: u64,
    /// The round of that height.
    pub round: u32,
    /// What it is.
    pub kind: Kind,
    /// The hash of the block's header; `None` for no block.
    pub block: Option<Hash>,
}

impl Vote {
    /// What is signed.
    pub fn hash(&self) -> Hash {
        hash("fairdeal/chain/vote/v1", &[&borsh::to_vec(self).expect("plain data can be written to memory")])
    }

    /// Signs it with a consensus key.
    pub fn sign(&self, key: &SigningKey) -> [u8; 64] {
        key.sign(&self.hash()).to_bytes()
    }

    /// Whether this validator has signed it.
    pub fn is_signed(&self, consensus: &Address, signature: &[u8; 64]) -> bool {
        is_signed(consensus, &self.hash(), signature)
    }
}

/// Two statements by one validator in one place of consensus.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// Who signed both.
    pub consensus: Address,
    /// One, with its signature.
    pub one: (Vote, [u8; 64]),
    /// The other, with its signature.
    pub other: (Vote, [u8; 64]),
}

impl Evidence {
    /// The height that it is about.
    pub const fn height(&self) -> u64 {
        self.one.0.height
    }

    /// Whether it shows that the validator has signed two different blocks in one place of this chain.
    pub fn convicts(&self, chain: &Hash) -> bool {
        let (one, other) = (&self.one.0, &self.other.0);
        let same_place = (one.height, one.round) == (other.height, other.round)
            && core::mem::discriminant(&one.kind) == core::mem::discriminant(&other.kind);
        same_place
            && one.block != other.block
            && [&self.one, &self.other]
                .iter()
                .all(|(vote, signature)| vote.chain == *chain && vote.is_signed(&self.consensus, signature))
    }
}

/// What a consensus key signs so that an operator can register it.
pub fn possession(chain: &Hash, operator: &Address, consensus: &Address) -> Hash {
    hash("fairdeal/chain/possession/v1", &[chain, &operator.0, &consensus.0])
}

/// Strict, so that all replicas agree on every signature.
pub(super) fn is_signed(by: &Address, message: &Hash, signature: &[u8; 64]) -> bool {
    let key = VerifyingKey::from_bytes(&by.0);
    key.is_ok_and(|key| key.verify_strict(message, &Signature::from_bytes(signature)).is_ok())
}
