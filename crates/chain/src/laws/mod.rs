//! A whole chain in one process: validators, players, liars and a bad network, all from one seed.
//!
//! A [`World`] makes block after block. Validators say what is due; some of it is lost on the way, and proposers may leave
//! things out. Players sit down, act, run out of chips and buy more. After every block it is checked that two replicas
//! agree, that no coin was made or lost, and that only liars were punished. For tests and for `fairdeal chain sim`.

mod broken;
mod lies;
mod players;
mod tally;
mod validators;
mod world;

pub use broken::Broken;
pub use lies::{Lie, Prank};
pub use tally::Tally;
pub use world::{Setting, World};
