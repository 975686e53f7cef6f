//! What happens at tables.

use borsh::{BorshDeserialize, BorshSerialize};

use super::{Action, WhyGone};
use crate::units::{Address, Coins};

/// A round of betting whose cards are revealed.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Street {
    /// Three cards.
    Flop,
    /// The fourth card.
    Turn,
    /// The fifth card.
    River,
}

/// Something that happened at a table.
///
/// Seats are counted from 0, and cards are given by their codes ([`cards::Card::code`]). The number of a hand is that
/// of its deck, so numbers rise from hand to hand but may leave gaps.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields say the same in every event")]
pub enum Event {
    /// A table was created.
    TableCreated { table: u64, creator: Address },
    /// An empty table was closed, and its creator got back the rest of the purse.
    TableClosed { table: u64, refunded: Coins },
    /// Somebody added to the purse that decks are paid from.
    TableFunded { table: u64, from: Address, coins: Coins },
    /// Somebody sat down.
    PlayerSat { table: u64, seat: u8, player: Address, buy_in: Coins, bond: Coins },
    /// Somebody left, with their chips and the rest of their bond.
    PlayerLeft { table: u64, seat: u8, player: Address, coins: Coins, why: WhyGone },
    /// Somebody whose bond is used up was removed, and got their chips.
    PlayerEjected { table: u64, seat: u8, player: Address, coins: Coins },
    /// Somebody sits out from the next hand on.
    PlayerSatOut { table: u64, seat: u8, forced: bool },
    /// Somebody plays again from the next hand on.
    PlayerReturned { table: u64, seat: u8 },
    /// Somebody bought chips. During a hand they are `queued` until its end.
    ChipsBought { table: u64, seat: u8, coins: Coins, queued: bool },
    /// What did not fit within the largest buy-in after a hand went back to the player's account.
    ChipsReturned { table: u64, seat: u8, coins: Coins },
    /// Somebody added to their bond.
    BondToppedUp { table: u64, seat: u8, bond: Coins },
    /// A hand began: who was dealt in, with which stacks before the blinds.
    HandStarted { table: u64, hand: u32, button: u8, small_blind: u8, big_blind: u8, stacks: Vec<(u8, Coins)> },
    /// Somebody acted in their turn; `height` is what the action answered.
    ActionApplied { table: u64, hand: u32, height: u64, seat: u8, action: Action },
    /// Somebody's time was up, and this was done for them.
    TimeoutApplied { table: u64, hand: u32, height: u64, seat: u8, action: Action },
    /// A part of somebody's bond went to the treasury because their time was up.
    PlayerSlashed { table: u64, hand: u32, seat: u8, player: Address, coins: Coins, bond: Coins },
    /// A part of somebody's stack went to the treasury because their time was up.
    StackForfeited { table: u64, hand: u32, seat: u8, coins: Coins },
    /// Cards of the board were opened.
    StreetRevealed { table: u64, hand: u32, street: Street, cards: Vec<u8> },
    /// The live hands are about to be opened.
    ShowdownReached { table: u64, hand: u32 },
    /// Somebody's hole cards were opened.
    HoleCardRevealed { table: u64, hand: u32, seat: u8, cards: Vec<u8> },
    /// Somebody won a pot, or a part of it; pots are counted from 0, the main pot first. Rake is not yet deducted.
    PotAwarded { table: u64, hand: u32, pot: u8, seat: u8, coins: Coins },
    /// Somebody got back what they had put into the pots of an aborted hand.
    PotRefunded { table: u64, hand: u32, seat: u8, coins: Coins },
    /// A hand was played to its end; the stacks are those after it, without chips that were bought meanwhile.
    HandCompleted { table: u64, hand: u32, rake: Coins, stacks: Vec<(u8, Coins)> },
    /// The cards of a hand could not be dealt. `blinds` and `penalty` are what went to the treasury.
    HandAborted { table: u64, hand: u32, blinds: Coins, penalty: Coins, stacks: Vec<(u8, Coins)> },
    /// A hand is over: how it began and every input, encoded, and the stacks after it, forfeits included.
    HandSettled { table: u64, hand: u32, played: Vec<u8>, stacks: Vec<(u8, Coins)> },
}
