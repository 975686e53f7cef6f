//! Tables are created, paid for and closed.
//!
//! A table has a purse from which its decks are paid. Anybody may fill it; what is left when the table is closed goes
//! to its creator.

use super::{Event, Refused, Ring, RingOf, Tables, Terms};
use crate::bank::{self, TREASURY};
use crate::dealer;
use crate::execute::Cx;
use crate::units::{Address, Coins};

pub(super) fn create(cx: &mut Cx<'_>, from: Address, terms: &Terms, purse: Coins) -> Result<(), Refused> {
    let params = &cx.params().tables;
    let fee = params.table_fee;
    terms.check(params.most_rake_bps).map_err(Refused::Terms)?;
    bank::debit(cx, from, fee + purse)?;
    bank::credit(cx, TREASURY, fee);
    let table = cx.store.get_or_default(&Tables()).saturating_add(1);
    cx.store.put(&Tables(), table);
    cx.store.put(&RingOf(table), Ring::new(terms.clone(), from, purse));
    cx.emit(Event::TableCreated { table, creator: from });
    Ok(())
}

pub(super) fn fund(cx: &mut Cx<'_>, from: Address, table: u64, coins: Coins) -> Result<(), Refused> {
    if cx.store.get(&RingOf(table)).is_none() {
        return Err(Refused::NoSuchTable);
    }
    if coins == Coins::ZERO {
        return Err(Refused::Nothing);
    }
    bank::debit(cx, from, coins)?;
    cx.store.edit(&RingOf(table), |ring| ring.purse += coins);
    cx.emit(Event::TableFunded { table, from, coins });
    Ok(())
}

pub(super) fn close(cx: &mut Cx<'_>, from: Address, table: u64) -> Result<(), Refused> {
    let ring = cx.store.get(&RingOf(table)).ok_or(Refused::NoSuchTable)?;
    if ring.creator != from {
        return Err(Refused::NotCreator);
    }
    // Whoever is in a hand has a seat, so there is no hand either.
    if ring.players().next().is_some() {
        return Err(Refused::NotEmpty);
    }
    dealer::table_is_closed(cx, table);
    let refunded = cx.store.remove(&RingOf(table)).map_or(Coins::ZERO, |ring| ring.purse);
    bank::credit(cx, from, refunded);
    cx.emit(Event::TableClosed { table, refunded });
    Ok(())
}

/// Takes the price of a deck from the table's purse; `false` if there is not enough in it.
pub fn pay_for_deck(cx: &mut Cx<'_>, table: u64, coins: Coins) -> bool {
    let Some(left) = cx.store.get(&RingOf(table)).and_then(|ring| ring.purse.minus(coins)) else { return false };
    cx.store.edit(&RingOf(table), |ring| ring.purse = left).is_some()
}

/// Puts back what was not needed of the price of a deck. The treasury gets it if the table has been closed meanwhile.
pub fn refund_deck(cx: &mut Cx<'_>, table: u64, coins: Coins) {
    if cx.store.edit(&RingOf(table), |ring| ring.purse += coins).is_none() {
        bank::credit(cx, TREASURY, coins);
    }
}
