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
//! # One log
//!
//! Everybody takes messages from one log, in the same order, and its own only when they come back from there. Each is
//! judged at its place, at once and for good:
//!
//! - [`Verdict::Valid`]: it is awaited and correct.
//! - [`Verdict::Void`]: it does not count, and nobody is to blame. It is no longer awaited, the second one in its place,
//!   by somebody who was left out, or it builds on something else than what the log says. Since an author builds on
//!   what it has read, and the log only grows, nothing valid is ever early, and nothing is kept for later.
//! - [`Verdict::Fault`]: it is awaited, builds on what the log says, and is wrong. Only its author can have caused that.
//!   The [`Fault`] keeps the message that shows it.
//!
//! A message that became void because somebody was left out meanwhile is said again on the new ground. [`Place::of`] and
//! [`Place::most_bytes`] tell how long a message can be before it is decoded.
//!
//! [`Replica::missing`] says who is awaited and for what. That somebody is late is decided elsewhere, and told to
//! everybody at the same point of the log ([`Replica::late`]). One who is late or at fault is left out until the next
//! keys. With a threshold the deal goes on: the seat leaves the table, which may have its hand opened and plays on by moves
//! that follow from what everybody knows. If every player is needed, or too few are left, the deal is broken off; that
//! a committee fails is no player's fault.
//!
//! # Keys come and go
//!
//! A [`Node`] is one set of keys. It can outlive a deal ([`Replica::next_deal`]), if a shoe or a recycled deck does, or make
//! its keys and shuffle a fresh deck before any table orders it ([`Node::prepare`]), while the table still uses another
//! node. [`Terms`] name those who are present; other seats are out until the next keys. When a node is dropped, its
//! secrets are erased; [`Seeds`] gives every node a seed that cannot be computed from later ones.
//!
//! # Restart
//!
//! A replica is its seed, the log, and what it said and is not in there yet. Restarted with these ([`Replica::remember`])
//! it says the same again, never something else in the same place on the same ground.
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
mod claims;
mod decks;
mod docket;
mod epoch;
mod evidence;
mod fault;
mod kept;
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
pub use claims::{Claim, SealedClaim, SharesClaim, ShuffleClaim, all_true};
pub use decks::drawn_order;
pub use evidence::{write_end, write_entry};
pub use fault::{BadTerms, Exhibit, Fault, Verdict, Void, Why};
pub use keys::Joint;
pub use ledger::{Duty, Entry, Ledger};
pub use message::{Announced, Body, Complaining, LONGEST_CHOICE, Message, Place};
pub use node::{Node, Seeds};
pub use replica::{Replica, Said};
pub use terms::{Keepers, MOST_MEMBERS, Terms, UnknownKeepers};
