//! What the bank does.

use core::fmt;

use borsh::{BorshDeserialize, BorshSerialize};

use super::{AccountOf, Burned, Event, TREASURY, gas};
use crate::execute::{Cx, Refused as TxRefused};
use crate::genesis::Genesis;
use crate::staking;
use crate::store::Store;
use crate::tx::Signed;
use crate::units::{Address, Coins};

/// What one can ask of the bank.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Tx {
    /// Sends coins.
    Transfer {
        /// To whom.
        to: Address,
        /// How many.
        coins: Coins,
    },
}

impl Tx {
    /// The work of carrying it out, in microseconds, besides checking its signature.
    pub const fn work(&self) -> u64 {
        let Self::Transfer { .. } = self;
        5
    }
}

/// Why the bank refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// There is not that much in the account.
    NotEnough {
        /// What is there.
        balance: Coins,
        /// What is needed.
        needed: Coins,
    },
    /// A transfer is of at least one coin.
    Nothing,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEnough { balance, needed } => {
                write!(f, "{needed} coins are needed, but the account has {balance}")
            }
            Self::Nothing => f.write_str("a transfer must be of at least one coin"),
        }
    }
}

impl core::error::Error for Refused {}

/// The accounts at the beginning.
pub fn begin(store: &mut Store, genesis: &Genesis) {
    for (address, coins) in &genesis.accounts {
        add(store, *address, *coins);
    }
}

/// Carries out a transaction.
pub fn execute(cx: &mut Cx<'_>, from: Address, tx: &Tx) -> Result<(), Refused> {
    let Tx::Transfer { to, coins } = *tx;
    if coins == Coins::ZERO {
        return Err(Refused::Nothing);
    }
    debit(cx, from, coins)?;
    credit(cx, to, coins);
    cx.emit(Event::Transferred { from, to, coins });
    Ok(())
}

/// What somebody has.
pub fn balance(store: &Store, of: &Address) -> Coins {
    store.get(&AccountOf(*of)).map_or(Coins::ZERO, |account| account.balance)
}

/// Gives coins to somebody, which must have been taken from somewhere.
pub fn credit(cx: &mut Cx<'_>, to: Address, coins: Coins) {
    add(cx.store, to, coins);
}

/// Takes coins from somebody, which must be given to something.
pub fn debit(cx: &mut Cx<'_>, from: Address, coins: Coins) -> Result<(), Refused> {
    let mut account = cx.store.get_or_default(&AccountOf(from));
    let left = account.balance.minus(coins);
    account.balance = left.ok_or(Refused::NotEnough { balance: account.balance, needed: coins })?;
    cx.store.put(&AccountOf(from), account);
    Ok(())
}

/// Destroys coins that have been taken from somewhere.
pub fn burn(cx: &mut Cx<'_>, coins: Coins) {
    if coins > Coins::ZERO {
        let burned = cx.store.get_or_default(&Burned()) + coins;
        cx.store.put(&Burned(), burned);
        cx.emit(Event::Burned { coins });
    }
}

/// All coins that the bank keeps or has destroyed.
pub fn held(store: &Store) -> Coins {
    store.all::<AccountOf>().map(|(_, account)| account.balance).sum::<Coins>() + store.get_or_default(&Burned())
}

/// Takes the fee and the nonce of a transaction.
pub fn take_fee(cx: &mut Cx<'_>, signed: &Signed) -> Result<(), TxRefused> {
    let tx = &signed.tx;
    let mut account = cx.store.get_or_default(&AccountOf(tx.from));
    if tx.nonce != account.nonce {
        return Err(TxRefused::Nonce { expected: account.nonce });
    }
    let params = &cx.params().bank;
    let least = Coins(params.gas_price.0.saturating_mul(gas(signed)));
    if tx.fee < least {
        return Err(TxRefused::Fee { least });
    }
    let to_proposer = tx.fee.bps(params.proposer_bps);
    let not_enough = Refused::NotEnough { balance: account.balance, needed: tx.fee };
    account.balance = account.balance.minus(tx.fee).ok_or(TxRefused::Bank(not_enough))?;
    account.nonce += 1;
    cx.store.put(&AccountOf(tx.from), account);
    let proposer = staking::payee(cx.store, &cx.now.proposer);
    credit(cx, proposer, to_proposer);
    credit(cx, TREASURY, Coins(tx.fee.0 - to_proposer.0));
    Ok(())
}

fn add(store: &mut Store, to: Address, coins: Coins) {
    let mut account = store.get_or_default(&AccountOf(to));
    account.balance += coins;
    store.put(&AccountOf(to), account);
}
