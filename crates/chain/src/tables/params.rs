//! What governance decides for all tables.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::params::{OutOfRange, in_range};
use crate::units::Coins;

/// What governance decides for all tables.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Params {
    /// What it costs to create a table; the treasury gets it.
    pub table_fee: Coins,
    /// The highest rake a table may have, in ten-thousandths of the pots; 0 means that there is none. Lowering it
    /// lowers the rake of existing tables from their next hand on.
    pub most_rake_bps: u16,
    /// At least this many blocks lie between the end of a hand and the next one.
    pub hand_gap: u64,
    /// A time-out costs this many big blinds of the bond, or the rest of it.
    pub timeout_big_blinds: u32,
    /// How much of their remaining stack a player forfeits at the end of a hand in which they timed out, in
    /// ten-thousandths.
    pub timeout_forfeit_bps: u16,
    /// After this many time-outs in a row a player sits out the next hand.
    pub timeouts_in_a_row: u8,
    /// A player who has not been dealt in for this many hands in a row loses the seat.
    pub idle_hands: u8,
    /// Live hands are shown as soon as nobody can bet any more, before the rest of the board.
    pub early_allin_reveal: bool,
    /// The blinds of a hand that is aborted before anybody has acted go to the treasury instead of being refunded.
    pub abort_keeps_blinds: bool,
    /// What everybody who was dealt in pays to the treasury for an aborted hand, from their stack.
    pub abort_penalty: Coins,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            table_fee: Coins(1_000),
            most_rake_bps: 0,
            hand_gap: 5,
            timeout_big_blinds: 1,
            timeout_forfeit_bps: 0,
            timeouts_in_a_row: 2,
            idle_hands: 10,
            early_allin_reveal: false,
            abort_keeps_blinds: false,
            abort_penalty: Coins::ZERO,
        }
    }
}

impl Params {
    /// Whether a chain can live with these.
    pub fn check(&self) -> Result<(), OutOfRange> {
        in_range("table_fee", self.table_fee.0, 0, Coins::MOST.0 / 1_000)?;
        in_range("most_rake_bps", self.most_rake_bps.into(), 0, 1_000)?;
        in_range("hand_gap", self.hand_gap, 0, 1_000)?;
        in_range("timeout_big_blinds", self.timeout_big_blinds.into(), 0, 1_000)?;
        in_range("timeout_forfeit_bps", self.timeout_forfeit_bps.into(), 0, 10_000)?;
        in_range("timeouts_in_a_row", self.timeouts_in_a_row.into(), 1, 100)?;
        in_range("idle_hands", self.idle_hands.into(), 1, 250)?;
        in_range("abort_penalty", self.abort_penalty.0, 0, Coins::MOST.0 / 1_000)
    }
}
