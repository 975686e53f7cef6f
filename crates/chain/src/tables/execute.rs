//! What one can ask of a table.

use borsh::{BorshDeserialize, BorshSerialize};

use super::{Action, Refused, Terms, clock, play, purse, seating};
use crate::execute::Cx;
use crate::units::{Address, Coins};

/// What one can ask of a table.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Tx {
    /// Creates a table.
    Create {
        /// What it is created with.
        terms: Terms,
        /// Coins to pay decks from.
        purse: Coins,
    },
    /// Adds to the purse that decks are paid from. Anybody may.
    Fund {
        /// Which table.
        table: u64,
        /// How much.
        coins: Coins,
    },
    /// Closes an empty table. Only its creator may, and gets the rest of the purse.
    Close {
        /// Which table.
        table: u64,
    },
    /// Sits down: takes a seat, buys chips, deposits the bond and registers a key.
    Sit {
        /// Which table.
        table: u64,
        /// Which seat, from 0; the first free one after the big blind where absent.
        seat: Option<u8>,
        /// How many chips.
        buy_in: Coins,
        /// The key `Q` from which the keys of hands are derived ([`player_key`](super::player_key)).
        key: [u8; 32],
        /// A [`dealing::Knowledge`] of its secret, in [`key_context`](super::key_context).
        proof: [u8; 64],
    },
    /// Leaves with all chips and the bond: at once, or after the hand for those who are in it.
    Leave {
        /// Which table.
        table: u64,
    },
    /// Is not dealt in from the next hand on.
    SitOut {
        /// Which table.
        table: u64,
    },
    /// Plays again from the next hand on, or does not leave after all.
    Return {
        /// Which table.
        table: u64,
    },
    /// Buys chips: at once, or for the end of the hand for those who are in it.
    Rebuy {
        /// Which table.
        table: u64,
        /// How many.
        coins: Coins,
    },
    /// Adds to the bond.
    TopUpBond {
        /// Which table.
        table: u64,
        /// How much.
        coins: Coins,
    },
    /// Acts in a hand. A duty: free, and counts only while it is awaited.
    Act {
        /// Which table.
        table: u64,
        /// Which hand.
        hand: u32,
        /// How many inputs the hand has taken before this one.
        height: u64,
        /// What to do.
        action: Action,
    },
    /// Says that somebody's time is up. The end of the block judges that in any case; this is refused unless it does.
    Tick {
        /// Which table.
        table: u64,
    },
}

impl Tx {
    /// Whether the chain waits for it, so that it is free.
    pub const fn is_duty(&self) -> bool {
        matches!(self, Self::Act { .. })
    }

    /// The work of carrying it out, in microseconds, besides checking its signature.
    pub const fn work(&self) -> u64 {
        match self {
            // Decoding two points and checking a proof of knowledge.
            Self::Sit { .. } => 100,
            // The log of the hand is copied.
            Self::Act { .. } => 20,
            Self::Create { .. }
            | Self::Fund { .. }
            | Self::Close { .. }
            | Self::Leave { .. }
            | Self::SitOut { .. }
            | Self::Return { .. }
            | Self::Rebuy { .. }
            | Self::TopUpBond { .. }
            | Self::Tick { .. } => 10,
        }
    }
}

/// Carries out a transaction.
pub fn execute(cx: &mut Cx<'_>, from: Address, tx: &Tx) -> Result<(), Refused> {
    match *tx {
        Tx::Create { ref terms, purse } => purse::create(cx, from, terms, purse),
        Tx::Fund { table, coins } => purse::fund(cx, from, table, coins),
        Tx::Close { table } => purse::close(cx, from, table),
        Tx::Sit { table, seat, buy_in, ref key, ref proof } => {
            seating::sit(cx, from, table, seating::Sitting { seat, buy_in, key, proof })
        }
        Tx::Leave { table } => seating::leave(cx, from, table),
        Tx::SitOut { table } => seating::sit_out(cx, from, table),
        Tx::Return { table } => seating::come_back(cx, from, table),
        Tx::Rebuy { table, coins } => seating::rebuy(cx, from, table, coins),
        Tx::TopUpBond { table, coins } => seating::top_up_bond(cx, from, table, coins),
        Tx::Act { table, hand, height, action } => play::act(cx, from, table, (hand, height), action),
        Tx::Tick { table } => clock::tick(cx, table),
    }
}

/// What happens by itself: players whose time is up are acted for, and hands begin.
pub fn end_block(cx: &mut Cx<'_>) {
    let tables: Vec<u64> = cx.store.all::<super::RingOf>().map(|(super::RingOf(table), _)| table).collect();
    for table in tables {
        clock::judge(cx, table);
        play::begin(cx, table);
    }
}
