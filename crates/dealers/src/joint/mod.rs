//! Dealing by several who do not trust each other: players among themselves, or a committee for players.
//!
//! # Overview
//!
//! Nobody knows the cards but who was dealt them. Whoever holds a part of the key ([`Keepers`]) shuffles every deck in
//! turn and proves it; to deal or open a card they give shares of it, each with a proof.
//!
//! | who | key | a card for one player | showing it | somebody vanishes |
//! |---|---|---|---|---|
//! | [`Keepers::EveryPlayer`] | sum of all players' keys | shares of all others, for all to see | the owner's share | the deal is broken off |
//! | [`Keepers::Players`] | generated, any K open a card | shares sealed to the owner | a proof about what was sealed | the others go on |
//! | [`Keepers::Committee`] | generated, any T of N | the same | the same | the same, while T are left |
//!
//! The first needs the fewest messages, and everybody's help to the end. With a threshold the others can go on, at the
//! price that K (or T) of them together can read every card.
//!
//! # Parts
//!
//! - [`Terms`]: what is agreed on before the first message.
//! - [`Message`]: what is said, where it belongs ([`Place`]), and what it builds on.
//! - [`Ledger`]: what everybody can see, checked. Knows no secret.
//! - [`Node`]: a ledger and the secrets of one who takes part.
//! - [`Replica`]: a node and a table: one computer in a game without a server.
//! - [`Circle`]: everybody in one process, as a [`Dealer`](crate::Dealer).
//! - [`JointAuditor`]: a ledger that reads a record.
//!
//! # Flow
//!
//! 1. **Keys.** Every member announces keys with proofs of knowledge; with a threshold also every player, then every
//!    member deals shares of a secret and says whose share was wrong. Wrong ones prove themselves.
//! 2. **Shuffle.** For every deck that the table orders the members shuffle one after the other, players in the order of
//!    seats, a committee in an order that its beacon draws. Cards that go back into a deck keep their ciphertext if they
//!    were closed, and start in the open if everybody had seen them.
//! 3. **Deal and open.** What is dealt and opened at a height follows from the table, so everybody has the same list, and
//!    says one message for all of it. Nobody ever asks for a share: there is no request to forge.
//! 4. **Show.** A player lays cards down with a message of his own.
//! 5. **Choices** that are no slots are closed by a hash first, and opened when all are closed.
//!
//! Messages may come in any order and any number of times. Each is judged as soon as it can be: [`Verdict::Valid`],
//! [`Verdict::Kept`] for later, [`Verdict::Skip`], or [`Verdict::Fault`], which names who did wrong and what. A fault is
//! only what its author alone can have caused: whatever builds on the messages of others says on which, and if these are
//! not the ones we know it is kept, not blamed. Whoever stays silent is named by [`Ledger::missing`]; only a deadline
//! can decide that it is too late, and it must be the same for all.
//!
//! Among players, who said two different things in one place, or something wrong that some heard before and some after
//! what else he said, has split the table: the deal is broken off by his fault. Without one who is only silent it goes
//! on where the others are enough. A committee's messages count in the order in which they stand in one log (on a
//! chain), so there the first counts.
//!
//! # Restart
//!
//! A node is its seed and its log. Started again with the same seed, and fed what it had heard and said, it says
//! the same again, never something else in the same place.
//!
//! # Caveats
//!
//! - Who says something is what the channel says: messages carry no signature here.
//! - If all players work together (or K, or T of them) they know the cards. Fewer learn nothing.
//! - Among players a choice, once said, stands.
//! - A table takes what a show opens only with an action that lays it down; but a card shown with an action that the
//!   rules refuse has been seen.
//!
//! # Example
//!
//! ```
//! use dealers::joint::{Circle, Keepers};
//! use table::Seats;
//!
//! // Three players, every one of whom is needed. `fairdeal sim --dealer peers` deals so.
//! let circle = Circle::new(Seats::first(3), Keepers::EveryPlayer, [7; 32])?;
//! assert_eq!(circle.sent(), (0, 0));
//! assert!(Circle::new(Seats::first(3), "peers:1".parse()?, [7; 32]).is_err(), "one alone must never open a card");
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
pub use fault::{BadTerms, Fault, Verdict, Why};
pub use ledger::{Entry, Ledger};
pub use message::{Announced, Body, Complaining, LONGEST_CHOICE, Message, Place};
pub use node::Node;
pub use replica::{Replica, Said};
pub use terms::{Keepers, MOST_MEMBERS, Terms, UnknownKeepers};
