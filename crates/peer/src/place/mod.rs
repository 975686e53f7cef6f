//! A place at a private table: everything that a member's program decides, whatever its sockets, files and screens are.
//! A program in a terminal and a page in a browser are both this, with a rim of their own.
//!
//! - [`Line`]: one connection to a hub, from the challenge to its end.
//! - [`Post`]: what it takes over many connections that nothing is lost or said twice.
//! - [`Foyer`]: a table before a match; [`Door`]: people who knock.
//! - [`Place`]: a match, from the first keys to the signed result; [`Now`]: how things are, for a screen.
//!
//! Time is in milliseconds of the program's own clock, which never runs backwards; where it is a clock since 1970, it is
//! called `clock`. Whoever uses these keeps one order:
//!
//! 1. entries that were heard go to the disk ([`Post::stored`] says that they are there);
//! 2. then what only this member knows ([`Guest::to_store`](crate::Guest::to_store), or that of
//!    [`Seated`](crate::Seated::to_store));
//! 3. then what is said goes to the hub.

mod door;
mod foyer;
mod line;
mod now;
mod post;
mod sitting;
#[cfg(test)]
mod tests;

pub use door::{AtDoor, Door};
pub use foyer::{CannotStart, Foyer, Happened, Offer, Person, Rest, Unheard};
pub use line::{Caller, End, Line, Pauses, Said};
pub use now::{Now, Waiting, names};
pub use post::{Post, Voice};
pub use sitting::{Closing, Hearing, Overheard, Place, TO_RETURN, TO_SIGN};
