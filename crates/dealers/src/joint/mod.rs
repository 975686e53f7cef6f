//! Dealing by parties that do not trust each other: players among themselves, or a committee for players.
//!
//! # Overview
//!
//! Only the player who is dealt a card knows it. The holders of the key ([`Keepers`]) shuffle every deck in turn and
//! prove it. To deal or open a card they give shares of it, each with a proof.
//!
//! | who | key | a card for one player | showing it | if somebody vanishes |
//! |---|---|---|---|---|
//! | [`Keepers::EveryPlayer`] | sum of all players' keys | public shares of all others | the owner's share | the deal is broken off |
//! | [`Keepers::Players`] | generated, any K open a card | shares sealed to the owner | a proof about the sealed shares | the others continue |
//! | [`Keepers::Committee`] | generated, any T of N | the same | the same | the same, while T are left |
//!
//! The first needs the fewest messages, but everybody's help to the end. With a threshold the others can continue, at
//! the price that K (or T) of them together can read every card.
//!
//! # Parts
//!
//! - [`Terms`]: what everybody agrees on before the first message.
//! - [`Message`]: what is said, where it belongs ([`Place`]), and what it builds on.
//! - [`Ledger`]: everything public, checked. Knows no secret.
//! - [`Node`]: a ledger and the secrets of one participant.
//! - [`Replica`]: a node and a table: one computer in a game without a server.
//! - [`Circle`]: everybody in one process, as a [`Dealer`](crate::Dealer).
//! - [`JointAuditor`]: a ledger that reads a record.
//!
//! # Flow
//!
//! 1. **Keys.** Every member announces keys with proofs of knowledge; with a threshold, every player does too. Then
//!    every member deals shares of a secret and complains about wrong shares. A complaint is its own proof.
//! 2. **Shuffle.** For every deck that the table orders, the members shuffle one after another, players in seat order,
//!    a committee in an order drawn by its beacon. Cards that go back into a deck keep their ciphertext if they were
//!    closed, and start open if everybody had seen them.
//! 3. **Deal and open.** The cards dealt and opened at a height follow from the table, so everybody has the same list
//!    and sends one message for all of it. Nobody ever asks for a share, so there is no request to forge.
//! 4. **Show.** A player lays cards down with their own message.
//! 5. **Choices** that are not slots are first committed to by a hash, and revealed when everybody has
//!    committed.
//!
//! Messages may come in any order and any number of times. Each is judged as soon as it can be: [`Verdict::Valid`],
//! [`Verdict::Kept`] for later, [`Verdict::Skip`], or [`Verdict::Fault`], which names who did wrong and what. A fault
//! is only what its author alone can have caused: a message that builds on others says on which, and if we do not know
//! those, it is kept, and nobody is blamed. [`Ledger::missing`] names those who are silent. Only a deadline can decide
//! that it is too late, and it must be the same for all.
//!
//! Among players, one who said two different things in one place has split the table. So has one who said something
//! wrong that some heard before their other messages and some after. The deal is then broken off through their fault.
//! If a player is merely silent, the deal continues when the others are enough. A committee's messages count in the
//! order of one log (on a chain), so there the first counts.
//!
//! # Restart
//!
//! A node is its seed and its log. Restarted with the same seed, and given everything it had heard and said, it
//! says the same again, never something else in the same place.
//!
//! # Caveats
//!
//! - The channel says who sent a message: messages are not signed here.
//! - If all players (or K, or T of them) work together, they know the cards. Fewer learn nothing.
//! - Among players a choice, once sent, is final.
//! - A table takes shown cards only with an action that lays them down. But a card shown with an action that the
//!   rules refuse has been seen.
//!
//! # Example
//!
//! ```
//! use dealers::joint::{Circle, Keepers};
//! use table::Seats;
//!
//! // Three players, all of them needed. `fairdeal sim --dealer peers` deals this way.
//! let circle = Circle::new(Seats::first(3), Keepers::EveryPlayer, [7; 32])?;
//! assert_eq!(circle.sent(), (0, 0));
//! assert!(Circle::new(Seats::first(3), "peers:1".parse()?, [7; 32]).is_err(), "nobody may be able to open a card alone");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod audit;
mod choices;
mod circle;
mod decks;
mod docket;
mod evidence;
mod fault;
mod keys;
mod ledger;
mod message;
mod node;
mod opening;
#[cfg(feature = "laws")]
mod prying;
mod replica;
mod terms;

pub use audit::{Flaw, JointAuditor};
pub use circle::Circle;
pub use evidence::{write_end, write_entry};
pub use fault::{BadTerms, Exhibit, Fault, Verdict, Void, Why};
pub use ledger::{Duty, Entry, Ledger};
pub use message::{Announced, Body, Complaining, LONGEST_CHOICE, Message, Place};
pub use node::{Node, Seeds};
pub use replica::{Replica, Said};
pub use terms::{Keepers, MOST_MEMBERS, Terms, UnknownKeepers};
