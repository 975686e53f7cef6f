//! The games that a room can keep.

use bots::Computer;
use games::desk::Pace;
use table::Rules;

/// A game that a room can keep: computers play it, and all its parts can move between threads.
pub trait Kept: Computer<Settings: Send + Sync, Series: Send + Sync, Rules: Sendable> + Pace + 'static {}

impl<G> Kept for G where G: Computer<Settings: Send + Sync, Series: Send + Sync, Rules: Sendable> + Pace + 'static {}

/// Rules that a room can keep.
pub trait Sendable:
    Rules<
        Setup: Send + Sync,
        Action: Send + Sync,
        Choice: Send + Sync,
        Claim: Send + Sync,
        View: Send + Sync,
        Moves: Send + Sync,
        Illegal: Send + Sync,
    > + Send
    + Sync
    + 'static
{
}

impl<R> Sendable for R where
    R: Rules<
            Setup: Send + Sync,
            Action: Send + Sync,
            Choice: Send + Sync,
            Claim: Send + Sync,
            View: Send + Sync,
            Moves: Send + Sync,
            Illegal: Send + Sync,
        > + Send
        + Sync
        + 'static
{
}
