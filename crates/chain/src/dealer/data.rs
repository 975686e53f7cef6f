//! What the dealer keeps.

use std::collections::BTreeMap;

use borsh::{BorshDeserialize, BorshSerialize};
use dealers::joint::{Joint, Ledger};
use dealing::beacon::Contribution;

use crate::units::{Address, Coins, Hash};
use crate::wired::Wired;

/// A seat of a committee.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    /// The validator it belongs to, by its consensus key.
    pub validator: Address,
    /// What stands behind this seat: the validator's stake, divided by the number of its seats.
    pub stake: Coins,
}

/// Where dealing is.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Course {
    /// The epoch that deals; none before the first key generation is over.
    pub current: Option<u64>,
    /// The height from which it deals.
    pub since: u64,
    /// From this height on the next epoch is prepared.
    pub rotates: u64,
    /// The epoch being prepared.
    pub next: u64,
    /// How many key generations for it have failed.
    pub attempt: u32,
    /// Validators that are not drawn again for it, because they were silent or at fault.
    pub excluded: Vec<Address>,
    /// Those who can be drawn, fixed before the random number is known.
    pub candidates: Vec<(Address, Coins)>,
}

/// The random number of the next epoch being made.
#[derive(BorshSerialize, BorshDeserialize, Clone, Debug)]
pub struct Beacon {
    /// The contributions so far, by member of the current epoch.
    pub contributions: BTreeMap<u8, Wired<Contribution>>,
    /// By when.
    pub due: Due,
    /// How many deadlines have passed without it.
    pub missed: u8,
}

/// A key generation.
#[derive(BorshSerialize, BorshDeserialize, Clone, Debug)]
pub struct Ceremony {
    /// For this epoch.
    pub epoch: u64,
    /// The random number its committee was drawn with.
    pub random: Hash,
    /// The committee.
    pub members: Vec<Member>,
    /// What has been said.
    pub ledger: Wired<Ledger>,
    /// What it waited for last: when that changes, the time begins anew.
    pub step: u8,
    /// By when.
    pub due: Due,
    /// Who reported that members are late, in this block.
    pub reporter: Option<Address>,
}

/// A deadline. It is judged by the game clock, and only once enough proposers have had the chance to include what is due.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Due {
    /// The height at which it began.
    pub since: u64,
    /// The game clock at which it ends.
    pub until: u64,
}

/// An epoch: a committee and its keys.
#[derive(BorshSerialize, BorshDeserialize, Clone, Debug)]
pub struct Epoch {
    /// The committee.
    pub members: Vec<Member>,
    /// How many are needed.
    pub threshold: u8,
    /// The random number the committee was drawn with.
    pub random: Hash,
    /// The keys.
    pub joint: Wired<Joint>,
    /// How many decks have begun with these keys and are not done with.
    pub decks: u32,
    /// Whether all its cards are dealt, so that members have erased their shares.
    pub closed: bool,
}

impl Epoch {
    /// The committee's seats that belong to this validator.
    pub fn seats_of(&self, validator: &Address) -> impl Iterator<Item = u8> {
        (0..).zip(&self.members).filter(move |(_, member)| member.validator == *validator).map(|(seat, _)| seat)
    }
}

/// The decks of a table.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Ahead {
    /// Those that are ready for a hand, the oldest first.
    pub ready: Vec<u32>,
    /// Those that are being shuffled.
    pub making: Vec<u32>,
    /// The number of the last one that was begun; the first one has number 1.
    pub last: u32,
    /// None is begun before this height, because one has just failed and the next would most likely fail, too.
    pub not_before: u64,
}

/// A deck, from its first shuffle to the end of its hand.
#[derive(BorshSerialize, BorshDeserialize, Clone, Debug)]
pub struct Deck {
    /// Whose keys it is dealt with.
    pub epoch: u64,
    /// The height of the block that began it.
    pub began: u64,
    /// The hash of the block before that.
    pub block: Hash,
    /// What has been said.
    pub ledger: Wired<Ledger>,
    /// Whether a hand uses it.
    pub in_hand: bool,
    /// The height of the table at which shares became due, and by when they are.
    pub due: Option<(u64, Due)>,
    /// Who reported that members are late, in this block.
    pub reporter: Option<Address>,
    /// The height at which the current shuffler's turn began.
    pub turn_since: u64,
    /// How many deadlines have passed with too few shares.
    pub missed: u8,
    /// What is left of what the table paid.
    pub prepaid: Coins,
    /// The root over its ciphertexts, once it is shuffled.
    pub commit: Option<Hash>,
    /// A hash over all messages that counted or were proven wrong, in order.
    pub log: Hash,
}

impl Deck {
    /// What the keys of this deck depend on besides its number: nobody could know it before the deck began.
    pub fn salt(&self, chain: &Hash, epoch: u64, table: u64) -> Vec<u8> {
        salt(chain, epoch, table, self.began, &self.block)
    }
}

/// What the keys of a deck depend on besides its number.
pub fn salt(chain: &Hash, epoch: u64, table: u64, began: u64, block: &Hash) -> Vec<u8> {
    let mut salt = chain.to_vec();
    [epoch, table, began].iter().for_each(|number| salt.extend_from_slice(&number.to_le_bytes()));
    salt.extend_from_slice(block);
    salt
}

/// What is kept of a hand's dealing when it is over, so that an exported hand can be checked against a root.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The epoch.
    pub epoch: u64,
    /// The hash that identifies the keys of the epoch.
    pub ground: Hash,
    /// The height of the block that began the deck, and the hash of the block before.
    pub began: (u64, Hash),
    /// The root over the deck's ciphertexts; none if it was never shuffled.
    pub commit: Option<Hash>,
    /// A hash over all messages that counted or were proven wrong, in order.
    pub log: Hash,
    /// A hash over the hand as it was played and the stacks after it.
    pub settled: Hash,
}
