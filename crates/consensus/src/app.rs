//! What the engine asks of a node.

use core::future::Future;
use core::pin::Pin;

use borsh::{BorshDeserialize, BorshSerialize};
use chain::block::transactions_hash;
use chain::light::{Certificate, Validators};
use chain::staking::Evidence;
use chain::{Address, Block, Hash, hash};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

/// A block as its proposer sends it.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The height it is proposed for.
    pub height: u64,
    /// The round it was first proposed in.
    pub round: u32,
    /// Who proposed it.
    pub by: Address,
    /// The block.
    pub block: Block,
    /// The proposer's signature.
    pub signature: [u8; 64],
}

impl Part {
    /// Signs a block with the key of its proposer.
    pub fn new(round: u32, block: Block, key: &SigningKey) -> Self {
        let (height, by) = (block.header.height, Address(key.verifying_key().to_bytes()));
        let signature = key.sign(&signed(&block, height, round)).to_bytes();
        Self { height, round, by, block, signature }
    }

    /// Whether its proposer has signed it, with all of its transactions.
    pub fn is_authentic(&self) -> bool {
        // The header is what is signed, and it names the transactions.
        if !is_whole(&self.block) {
            return false;
        }
        let key = VerifyingKey::from_bytes(&self.by.0);
        let signature = Signature::from_bytes(&self.signature);
        let message = signed(&self.block, self.height, self.round);
        key.is_ok_and(|key| key.verify_strict(&message, &signature).is_ok())
    }
}

/// Whether a block has the transactions that its header names.
pub(crate) fn is_whole(block: &Block) -> bool {
    block.header.transactions == transactions_hash(&block.transactions)
}

fn signed(block: &Block, height: u64, round: u32) -> Hash {
    let fields: [&[u8]; 4] = [&block.header.chain, &height.to_le_bytes(), &round.to_le_bytes(), &block.header.hash()];
    hash("fairdeal/chain/part/v1", &fields)
}

/// The height that comes next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The height.
    pub height: u64,
    /// Who decides it.
    pub validators: Validators,
}

/// A node, as the engine sees it. Everything is called in order, from one task.
pub trait App: Send + 'static {
    /// The height that comes next.
    fn next(&self) -> Turn;

    /// The block to propose in this round. The same again for the same height and round, even after a restart: so it
    /// must be on the disk before it is returned. `None` if this node has no block to propose.
    fn propose(&mut self, height: u64, round: u32) -> Option<Part>;

    /// A block that somebody has proposed, with a signature that is its proposer's. Whether it can be decided: then it must
    /// be on the disk. `None` if it is not known yet, because it is for a later height, or if it cannot be held.
    fn offered(&mut self, part: Part) -> Option<bool>;

    /// A block from before, with the transactions that its header names; its certificate follows. Whether it can be the
    /// next one; it must be on the disk then. `None` if it cannot be stored.
    fn synced(&mut self, block: Block) -> Option<bool>;

    /// The blocks of this round that are remembered, and whether each can be decided.
    fn undecided(&mut self, height: u64, round: u32) -> Vec<(Part, bool)>;

    /// A remembered block of this height.
    fn remembered(&self, height: u64, block: &Hash) -> Option<Part>;

    /// A block was decided. Returns once it has been executed and is on the disk.
    fn decided(&mut self, certificate: Certificate) -> Result<(), String>;

    /// Somebody signed twice.
    fn signed_twice(&mut self, evidence: Evidence);

    /// When to go on with the next height.
    fn rest(&self) -> Pin<Box<dyn Future<Output = ()> + Send>>;

    /// Decided blocks of these heights that are still there, in order, from the first.
    fn history(&self, from: u64, to: u64) -> Vec<(Vec<u8>, Certificate)>;

    /// The lowest height that can be asked for.
    fn earliest(&self) -> u64;
}
