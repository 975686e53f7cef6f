//! Ring games of no-limit Hold'em: nine seats, fixed blinds, and players who come and go.
//!
//! The rules are those of [`games::holdem`], unchanged; this module decides who plays, keeps their coins and the time.
//!
//! # Flow
//!
//! 1. Somebody creates a table and fills its purse, from which decks are paid ([`Tx::Create`], [`Tx::Fund`]).
//! 2. Players sit down with chips, a bond and a key ([`Tx::Sit`]).
//! 3. At the end of a block a hand begins where two players and a deck are ready. Its number is that of its deck. The
//!    players' keys of this hand ([`player_key`]) go to the dealer and are fixed from then on.
//! 4. The dealer reads its orders in [`hand`] and answers with [`dealt`]; players answer with [`Tx::Act`], which is
//!    free but counts only in their turn and only if it names the hand and the height it answers.
//! 5. Whose time is up checks or folds, and loses a part of the bond ([`deadline`]).
//! 6. When the hand is over, its stacks go back to the seats. Then those leave who wanted to, those are removed whose
//!    bond is used up or who have not played for too long, and chips bought meanwhile are handed out.
//! 7. If the cards cannot be dealt ([`dealer_failed`]), everybody gets back what they put in.
//!
//! # For clients
//!
//! [`RingOf`] and [`HandOf`] are the entries of a table, and both can be proven. [`turn`] says who is to act, which
//! hand and height the action must name, and until when; [`status`] and [`stack`] how a seat stands; [`phase`] where
//! the table is. What a seat can see and do follows from the state of play, as at any other table:
//! [`Hand::table`] with [`table::Rules::view`] and [`table::Rules::moves`].
//!
//! # Layout
//!
//! - `terms`, `data`, `hand`: what is kept about a table, its seats and its hand
//! - `execute`: the transactions; carried out by `purse`, `seating`, `play`, `clock` and `settle`
//! - `view`: what can be asked
//! - `player_key`: the key of a player in a hand

mod action;
mod clock;
mod data;
mod event;
mod execute;
mod hand;
mod keys;
mod params;
mod play;
mod player_key;
mod purse;
mod refused;
mod seating;
mod settle;
mod terms;
mod view;

#[cfg(test)]
mod tests;

pub use action::Action;
pub use clock::deadline;
pub use data::{Chair, Gone, Out, Player, Ring, SEATS, WhyGone};
pub use event::{Event, Street};
pub use execute::{Tx, end_block, execute};
pub use hand::{Begun, DealtIn, Hand, Moment, Step};
pub use keys::{HandOf, RingOf, Tables};
pub use params::Params;
pub use play::{dealt, hand, players};
pub use player_key::{key_context, player_key, player_secret};
pub use purse::{pay_for_deck, refund_deck};
pub use refused::Refused;
pub use settle::{dealer_failed, settled};
pub use terms::{BadTerms, Terms};
pub use view::{Phase, Status, Turn, dealer_timeout, held, in_use, phase, stack, status, turn};
