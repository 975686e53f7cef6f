//! The key that owns an account.

use ed25519_dalek::SigningKey;

use crate::bank::{self, AccountOf};
use crate::params::Params;
use crate::store::Store;
use crate::tx::{Body, Signed, Tx};
use crate::units::{Address, Coins, Hash};

/// The key that owns an account. Erased when dropped, never printed.
pub struct Wallet(SigningKey);

impl core::fmt::Debug for Wallet {
    /// Shows whose it is, never the secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Wallet({:?})", self.address())
    }
}

impl Wallet {
    /// From 32 secret random bytes.
    pub fn new(secret: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(secret))
    }

    /// The account.
    pub fn address(&self) -> Address {
        Address(self.0.verifying_key().to_bytes())
    }

    /// A transaction that is free because the chain waits for it.
    pub fn duty(&self, chain: Hash, body: Body) -> Signed {
        self.sign(Tx { chain, from: self.address(), nonce: 0, fee: Coins::ZERO, body })
    }

    /// An ordinary transaction with the least fee, as the account's next one.
    pub fn pay(&self, store: &Store, chain: Hash, body: Body) -> Signed {
        let nonce = store.get(&AccountOf(self.address())).map_or(0, |account| account.nonce);
        self.pay_at(store, chain, nonce, body)
    }

    /// An ordinary transaction with the least fee and this nonce: for several in a row.
    pub fn pay_at(&self, store: &Store, chain: Hash, nonce: u64, body: Body) -> Signed {
        let mut tx = Tx { chain, from: self.address(), nonce, fee: Coins::ZERO, body };
        // The fee has a fixed length, so it does not change what the transaction costs.
        let price = Params::of(store).bank.gas_price.0;
        tx.fee = Coins(price.saturating_mul(bank::gas(&self.sign(tx.clone()))));
        self.sign(tx)
    }

    /// Signs what is its own.
    pub fn sign(&self, tx: Tx) -> Signed {
        tx.sign(&self.0)
    }
}
