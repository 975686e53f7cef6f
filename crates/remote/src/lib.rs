//! A chain, seen from a program: [`light`] with the sockets and the clock of this computer.
//!
//! Everything that is asked, and everything that is checked, is in the crate `light`, which browsers use as well.

mod sockets;

use core::time::Duration;

use chain::Genesis;

pub use light::{
    Anchor, BadPlace, Error, Lie, Listed, Net, Outcome, PATIENCE, Place, Seen, Stage, Wire, buying, follow,
};
pub use sockets::{Socket, Sockets};

/// A chain, seen through nodes that nobody has to trust.
pub type Remote = light::Remote<Sockets>;

/// The genesis, from the first of these nodes that answers, and what went wrong with those before it. Its hash names the
/// chain: whoever wants a certain one compares it.
pub async fn first_contact(places: &[Place], patience: Duration) -> Result<(Genesis, Vec<Error>), Error> {
    light::first_contact(&mut Sockets::default(), places, patience).await
}
