//! What is asked of the world: a way to nodes, and the time. Programs have sockets for it, browsers those of their page.

use core::time::Duration;

use crate::Place;

/// A way to nodes, and clocks.
#[expect(async_fn_in_trait, reason = "whether the futures can change threads depends on the implementation")]
pub trait Net {
    /// A connection.
    type Wire: Wire;

    /// Connects to a node, with so much patience.
    async fn open(&mut self, place: &Place, patience: Duration) -> Result<Self::Wire, Cut>;

    /// Milliseconds since 1970.
    fn clock(&self) -> u64;

    /// The time by a clock that never runs backwards.
    fn now(&self) -> Duration;

    /// Waits until this time.
    async fn sleep(&mut self, until: Duration);
}

/// A connection to a node: texts in both directions.
#[expect(async_fn_in_trait, reason = "whether the futures can change threads depends on the implementation")]
pub trait Wire {
    /// Sends a text, until this time at the latest.
    async fn send(&mut self, text: String, until: Duration) -> Result<(), Cut>;

    /// The next text that comes, until this time at the latest. Nothing is lost if this is given up before.
    async fn hear(&mut self, until: Duration) -> Result<String, Cut>;
}

/// Why nothing came, or could be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Nobody can be reached there, as the system says.
    Unreachable(String),
    /// It took too long.
    Silent,
    /// The connection has ended, as the system says.
    Lost(String),
    /// Something came that no node would send; what was expected.
    Nonsense(&'static str),
}
