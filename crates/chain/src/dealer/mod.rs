//! Epochs, committees, keys and decks.
//!
//! A committee of validators deals for every table. It holds a key of which more than two thirds of its seats are needed
//! to open a card, shuffles decks ahead, and gives shares of the cards that tables order. Everything it says is a
//! transaction; the engine of `dealers` judges it, and what is proven wrong or missing when it is due costs stake.
//!
//! - `epochs`: the random number, the committee, its keys, and their end
//! - `sampling`: how a committee is drawn
//! - `decks`: shuffles and shares
//! - `verified`: the proofs of a block, checked together
//! - [`keeper`]: what a validator has to say, and its secrets

mod data;
mod decks;
mod epochs;
mod event;
mod execute;
pub mod keeper;
mod keys;
mod params;
mod sampling;
#[cfg(test)]
mod tests;
mod verified;

use dealing::Element;
use dealing::merkle::{Leaf, Tree};
use table::Seat;
use table::record::By;

pub use data::{Ahead, Beacon, Ceremony, Course, Deck, Due, Epoch, Member, Record, salt};
pub use decks::{logged, shuffle_order};
pub use epochs::{beacon_context, first_random, lost_beacon, session};
pub use event::Event;
pub use execute::{Refused, Tx, execute};
pub use keys::{AheadOf, BeaconKey, CeremonyKey, CourseKey, DeckOf, EpochOf, KeysOf, MissedOf, RecordOf};
pub use params::{Params, threshold};
pub use sampling::draw;
pub use verified::Verified;

use crate::execute::Cx;
use crate::genesis::Genesis;
use crate::staking::{self, Offence};
use crate::store::Store;
use crate::units::{Address, Coins, Hash};

/// The first epoch.
pub fn begin(store: &mut Store, genesis: &Genesis) {
    epochs::begin(store, genesis);
}

/// What happens by itself.
pub fn end_block(cx: &mut Cx<'_>) {
    epochs::end_block(cx);
    decks::end_block(cx);
}

/// A deck that is ready for the next hand at this table.
pub fn ready_deck(store: &Store, table: u64) -> Option<u32> {
    store.get(&AheadOf(table))?.ready.first().copied()
}

/// A hand begins with this deck, for the players with these keys. Must be called after the hand is in the store; the
/// keys are fixed from now on.
pub fn use_deck(cx: &mut Cx<'_>, table: u64, deck: u32, players: &[(Seat, Element)]) {
    decks::take(cx, table, deck, players);
}

/// The hand with this deck is over; `settled` is a hash over how it was played and how it ended.
pub fn deck_is_used(cx: &mut Cx<'_>, table: u64, deck: u32, settled: Hash) {
    decks::finish(cx, table, deck, settled);
}

/// This table is closed.
pub fn table_is_closed(cx: &mut Cx<'_>, table: u64) {
    decks::drop_all(cx, table);
}

/// The most chips that a table may have in play: what those lose who could spoil a hand by withholding.
pub fn most_chips(store: &Store) -> Coins {
    let current = store.get(&CourseKey()).and_then(|course| course.current);
    current.and_then(|current| store.get(&EpochOf(current))).map_or(Coins::ZERO, |epoch| spoiling_costs(store, epoch))
}

/// The same for a hand with this deck, which may be from an earlier epoch.
pub fn most_chips_with(store: &Store, table: u64, deck: u32) -> Coins {
    let epoch = store.get(&DeckOf(table, deck)).and_then(|deck| store.get(&EpochOf(deck.epoch)));
    epoch.map_or_else(|| most_chips(store), |epoch| spoiling_costs(store, epoch))
}

/// What those lose, by the stake that they have now, who could spoil a hand: of M seats with a share of the keys,
/// M - t + 1 are enough, so the cheapest ones count.
fn spoiling_costs(store: &Store, epoch: &Epoch) -> Coins {
    let price = |member: &Member| {
        let seats = u64::try_from(epoch.seats_of(&member.validator).count()).unwrap_or(u64::MAX);
        let behind = Coins(staking::stake(store, &member.validator).0.checked_div(seats).unwrap_or_default());
        staking::price(store, behind, Offence::Withheld)
    };
    let has_share = |(seat, _): &(u8, &Member)| epoch.joint.0.share(By::Member(*seat)).is_some();
    let seats = (0..).zip(&epoch.members).filter(has_share);
    let mut prices: Vec<Coins> = seats.map(|(_, member)| price(member)).collect();
    prices.sort_unstable();
    let spoilers = prices.len().saturating_sub(usize::from(epoch.threshold)) + 1;
    prices.into_iter().take(spoilers).sum()
}

/// Whether this validator has the seat that this is said for, and there is something that it can be about. Whether it is
/// right, and awaited at this moment, is not looked at.
pub fn may_say(store: &Store, validator: &Address, tx: &Tx) -> bool {
    let sits = |members: &[Member], member: u8| {
        members.get(usize::from(member)).is_some_and(|seat| seat.validator == *validator)
    };
    match tx {
        Tx::Keys { epoch, member, .. } => {
            store.get(&CeremonyKey()).is_some_and(|it| it.epoch == *epoch && sits(&it.members, *member))
        }
        Tx::Deck { table, deck, member, .. } => {
            let deck = store.get(&DeckOf(*table, *deck));
            let epoch = deck.and_then(|deck| store.get(&EpochOf(deck.epoch)));
            epoch.is_some_and(|epoch| sits(&epoch.members, *member))
        }
        Tx::Beacon { member, .. } => {
            let current = store.get(&CourseKey()).and_then(|course| course.current);
            let epoch = current.and_then(|current| store.get(&EpochOf(current)));
            epoch.is_some_and(|epoch| sits(&epoch.members, *member))
        }
        Tx::ReportDealerWithholding { .. } | Tx::ReportDkgWithholding => true,
    }
}

/// All coins that dealing keeps: what tables have paid for decks, until it is paid out.
pub fn held(store: &Store) -> Coins {
    store.all::<DeckOf>().map(|(_, deck)| deck.prepaid).sum()
}

/// The root over the hashes of a deck's ciphertexts.
pub fn commit(deck: &dealing::Deck) -> Option<Hash> {
    // Ciphertexts hide their cards by themselves, so the leaves need no salt.
    let leaves: Vec<Hash> = deck.iter().map(decks::leaf).collect();
    let leaves: Vec<Leaf<'_>> = leaves.iter().map(|value| Leaf { value, salt: &[0; 32] }).collect();
    Tree::new([0; 32], &leaves).ok().map(|tree| tree.root().0)
}
