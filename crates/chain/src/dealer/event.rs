//! What happens in dealing.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::units::{Address, Hash};

/// Something that happened in dealing.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A random number for the next epoch is being made.
    BeaconBegun {
        /// The next epoch.
        epoch: u64,
    },
    /// The random number of an epoch is known.
    BeaconFinalized {
        /// The epoch.
        epoch: u64,
        /// The number.
        random: Hash,
    },
    /// The current committee did not make the random number of the next epoch: the hash of a block takes its place.
    BeaconLost {
        /// The epoch.
        epoch: u64,
    },
    /// A committee was drawn and generates its keys.
    DealerEpochBegun {
        /// The epoch.
        epoch: u64,
        /// How many key generations for it have failed.
        attempt: u32,
        /// Its members, by seat.
        members: Vec<Address>,
    },
    /// An epoch has keys, and deals from now on.
    DealerEpochFinalized {
        /// The epoch.
        epoch: u64,
        /// Identifies its keys.
        ground: Hash,
    },
    /// Members were late in a key generation and are left out.
    KeysLate {
        /// The epoch.
        epoch: u64,
        /// Who, by seat.
        members: Vec<u8>,
    },
    /// A key generation failed and begins again.
    DealerEpochAborted {
        /// The epoch.
        epoch: u64,
        /// How many have failed now.
        attempt: u32,
    },
    /// The last hand of an epoch is over: its members erase their shares.
    DealerEpochClosed {
        /// The epoch.
        epoch: u64,
    },
    /// A deck begins to be shuffled.
    DealerHandInitialized {
        /// The table.
        table: u64,
        /// The number of the deck, and of the hand that will use it.
        hand: u32,
        /// The epoch that deals it.
        epoch: u64,
    },
    /// A member has shuffled.
    ShuffleAccepted {
        /// The table.
        table: u64,
        /// The hand.
        hand: u32,
        /// The member.
        member: u8,
    },
    /// A member lost its turn to shuffle.
    ShuffleSkipped {
        /// The table.
        table: u64,
        /// The hand.
        hand: u32,
        /// The member.
        member: u8,
    },
    /// A deck is ready.
    DeckFinalized {
        /// The table.
        table: u64,
        /// The hand.
        hand: u32,
        /// The root over its ciphertexts.
        commit: Hash,
    },
    /// A deck will not be used.
    DeckDropped {
        /// The table.
        table: u64,
        /// The hand.
        hand: u32,
    },
    /// A member's sealed shares of hole cards.
    EncShareAccepted {
        /// The table.
        table: u64,
        /// The hand.
        hand: u32,
        /// The member.
        member: u8,
    },
    /// Enough shares of all hole cards are there.
    HoleCardsReady {
        /// The table.
        table: u64,
        /// The hand.
        hand: u32,
    },
    /// A member's public shares.
    PubShareAccepted {
        /// The table.
        table: u64,
        /// The hand.
        hand: u32,
        /// The member.
        member: u8,
    },
    /// Enough public shares are there: the cards are final.
    RevealFinalized {
        /// The table.
        table: u64,
        /// The hand.
        hand: u32,
    },
    /// A member was silent although a hand waited for it.
    ShareMissing {
        /// The table.
        table: u64,
        /// The hand.
        hand: u32,
        /// The member.
        member: u8,
    },
}
