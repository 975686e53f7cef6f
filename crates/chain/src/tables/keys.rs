//! The spaces of the store that tables use.

use super::{Hand, Ring};
use crate::store::key;

key! {
    /// A table.
    pub struct RingOf(u64) => Ring, in 0x40;
    /// The hand that is being played at a table.
    pub struct HandOf(u64) => Hand, in 0x41;
    /// How many tables have been created; the first one has number 1.
    pub struct Tables() => u64, in 0x42;
}
