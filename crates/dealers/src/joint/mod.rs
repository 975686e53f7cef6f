//! Dealing by several who do not trust each other: the engine of `peers` and `committee`.

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
