//! The dealer's spaces of the store.

use super::{Ahead, Beacon, Ceremony, Course, Deck, Epoch, Record};
use crate::store::key;
use crate::units::Address;

key! {
    /// Where dealing is.
    pub struct CourseKey() => Course, in 0x50;
    /// The random number of the next epoch being made.
    pub struct BeaconKey() => Beacon, in 0x51;
    /// The key generation.
    pub struct CeremonyKey() => Ceremony, in 0x52;
    /// An epoch, by its number.
    pub struct EpochOf(u64) => Epoch, in 0x53;
    /// The decks of a table.
    pub struct AheadOf(u64) => Ahead, in 0x54;
    /// A deck, by table and number.
    pub struct DeckOf(u64, u32) => Deck, in 0x55;
    /// How often a validator's seats gave no shares although others were enough, by its consensus key. Nobody pays for
    /// that: a member can be slower than the others without any fault of its own.
    pub struct MissedOf(Address) => u64, in 0x57;
    /// What is kept of a hand's dealing, by table and number.
    pub struct RecordOf(u64, u32) => Record, in 0x56;
    /// The key generation of an epoch that is not closed: a member that is started again finds its shares there.
    pub struct KeysOf(u64) => Ceremony, in 0x58;
}
