//! Blocks with what everybody says and does.

use chain::dealer::{self, DeckOf};
use chain::laws::{Broken, World};
use chain::{Address, Event, Signed, staking, tables};

/// Blocks until this holds.
pub(crate) fn until(world: &mut World, what: &str, holds: impl Fn(&World) -> bool) {
    for _ in 0..400 {
        if holds(world) {
            return;
        }
        step(world).unwrap();
    }
    panic!("not after 400 blocks: {what}\n{:?}", world.tally());
}

/// A block with what everybody says and does, and its events.
pub(crate) fn step(world: &mut World) -> Result<Vec<Event>, Broken> {
    let transactions = everything(world);
    let proposer = next_proposer(world);
    Ok(world.make(proposer, transactions)?.events.list)
}

/// What everybody says and does now.
pub(crate) fn everything(world: &mut World) -> Vec<Signed> {
    let mut transactions = world.people_do();
    for validator in 0..u8::try_from(world.validators().len()).unwrap() {
        let said = world.says(validator, &transactions);
        transactions.extend(said);
    }
    transactions
}

/// Validators take turns.
pub(crate) fn next_proposer(world: &World) -> Address {
    let active = staking::validators(world.state().store());
    staking::proposer(&active, world.state().tip().height + 1, 0).unwrap()
}

/// The deck of the running hand.
pub(crate) fn deck(world: &World) -> Option<&dealer::Deck> {
    let (number, _) = tables::hand(world.state().store(), 1)?;
    world.state().store().get(&DeckOf(1, number))
}

/// Whether the running hand waits for shares.
pub(crate) fn waits_for_shares(world: &World) -> bool {
    deck(world).is_some_and(|deck| deck.due.is_some())
}
