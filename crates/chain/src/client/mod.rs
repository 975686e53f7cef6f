//! A player's half: keys, their own cards, what to check before acting, and the transactions.
//!
//! Everything here reads a [`Store`](crate::store::Store), which need not be a whole state: entries fetched from anybody and proven against a
//! root ([`Proof`](crate::store::Proof)) are enough. Cards are opened here and nowhere else.
//!
//! - [`Wallet`]: the key that owns an account, and what it signs
//! - [`Hole`]: the key that cards are sealed to, and the cards
//! - [`turn`]: whether to act now
//! - [`Player`]: somebody at a table, who does all of that

mod checks;
mod hole;
mod player;
mod wallet;

pub use checks::{Unready, turn};
pub use hole::Hole;
pub use player::{Decide, Decided, Player};
pub use wallet::Wallet;
