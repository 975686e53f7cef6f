//! What transactions cost, and how many have room in a block.

use super::Params;
use crate::execute::BadBlock;
use crate::tx::Signed;

/// The work of checking a signature, in microseconds.
const SIGNATURE: u64 = 50;

/// How many bytes can be sent, hashed and stored in a microsecond.
const BYTES: u64 = 10;

/// What a transaction costs to carry out, in microseconds of work: its signature, its bytes, and what it asks for.
pub fn gas(signed: &Signed) -> u64 {
    (SIGNATURE + size(signed) / BYTES).saturating_add(signed.tx.body.work())
}

/// The room that is left in a block.
///
/// A part of it is reserved for duties, so that no amount of ordinary transactions can keep the chain from what it
/// waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    all: Limits,
    ordinary: Limits,
}

/// How much there may be, and how much there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Limits {
    most_bytes: u64,
    bytes: u64,
    most_gas: u64,
    gas: u64,
}

impl Room {
    /// An empty block.
    pub fn new(params: &Params) -> Self {
        let (bytes, gas) = (params.block_bytes, params.block_gas);
        let reserved = |most: u64| crate::Coins(most).bps(params.duty_reserve_bps.min(10_000)).0;
        Self { all: Limits::new(bytes, gas), ordinary: Limits::new(bytes - reserved(bytes), gas - reserved(gas)) }
    }

    /// Puts a transaction into the block. One that has no room changes nothing.
    pub fn take(&mut self, signed: &Signed) -> Result<(), BadBlock> {
        let (bytes, gas) = (size(signed), gas(signed));
        let all = self.all.with(bytes, gas);
        if all.bytes > all.most_bytes {
            return Err(BadBlock::Bytes { most: all.most_bytes });
        }
        if all.gas > all.most_gas {
            return Err(BadBlock::Gas { most: all.most_gas });
        }
        if !signed.tx.is_duty() {
            let ordinary = self.ordinary.with(bytes, gas);
            if ordinary.bytes > ordinary.most_bytes || ordinary.gas > ordinary.most_gas {
                return Err(BadBlock::Reserve { bytes: ordinary.most_bytes, gas: ordinary.most_gas });
            }
            self.ordinary = ordinary;
        }
        self.all = all;
        Ok(())
    }
}

impl Limits {
    const fn new(most_bytes: u64, most_gas: u64) -> Self {
        Self { most_bytes, bytes: 0, most_gas, gas: 0 }
    }

    const fn with(self, bytes: u64, gas: u64) -> Self {
        Self { bytes: self.bytes.saturating_add(bytes), gas: self.gas.saturating_add(gas), ..self }
    }
}

fn size(signed: &Signed) -> u64 {
    u64::try_from(signed.size()).unwrap_or(u64::MAX)
}
