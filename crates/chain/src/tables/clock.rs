//! Deadlines of players.
//!
//! A turn ends when the game clock of the block before has reached its deadline, so an action that is in the block
//! always counts. It does not end before validators with more than a third of the stake have made blocks since the
//! turn began, so no few of them can let a player's time run out by leaving the action out of their blocks.
//!
//! Nobody needs to report a time-out: the end of every block judges all turns. A `Tick` is refused before that and
//! changes nothing by itself; if it did, a proposer could put it before the action of the player it is about.

use games::holdem::Deal;
use table::{Known, Move, Rules, Seat, Table};

use super::{Action, Event, Hand, HandOf, Out, Refused, RingOf, play};
use crate::bank::{self, TREASURY};
use crate::execute::Cx;
use crate::staking;
use crate::store::Store;
use crate::units::Coins;

/// When the time of the player whose turn it is ends, by the game clock; `None` if it is nobody's turn.
pub fn deadline(store: &Store, table: u64) -> Option<u64> {
    let (ring, hand) = (store.get(&RingOf(table))?, store.get(&HandOf(table))?);
    hand.turn().map(|_| hand.since().clock.saturating_add(ring.terms.action_timeout()))
}

pub(super) fn tick(cx: &Cx<'_>, table: u64) -> Result<(), Refused> {
    if cx.store.get(&RingOf(table)).is_none() {
        return Err(Refused::NoSuchTable);
    }
    if is_due(cx, table) { Ok(()) } else { Err(Refused::NothingDue) }
}

/// Acts for the player whose time is up, if there is one.
pub(super) fn judge(cx: &mut Cx<'_>, table: u64) {
    if is_due(cx, table)
        && let Some(hand) = cx.store.get(&HandOf(table)).cloned()
    {
        time_out(cx, table, hand);
    }
}

fn is_due(cx: &Cx<'_>, table: u64) -> bool {
    let since = cx.store.get(&HandOf(table)).map(Hand::since);
    deadline(cx.store, table).is_some_and(|deadline| cx.now.parent_clock >= deadline)
        && since.is_some_and(|since| staking::heard_since(cx.store, since.height))
}

fn time_out(cx: &mut Cx<'_>, table: u64, mut hand: Hand) -> Option<()> {
    let seat = hand.turn()?;
    let (number, height) = (hand.number(), hand.table().height());
    let action = default_action(hand.table(), seat)?;
    hand.act(height, (seat, action, true), play::moment(cx)).ok()?;
    let (seat_index, height) = (seat.index(), height.0);
    cx.emit(Event::TimeoutApplied { table, hand: number, height, seat: seat_index, action });
    penalise(cx, table, number, seat);
    play::go_on(cx, table, hand);
    Some(())
}

fn default_action(table: &Table<Deal>, seat: Seat) -> Option<Action> {
    match table.rules().default_move(Known::public(table.open()), seat)? {
        Move::Act(action) => Some(action.into()),
        Move::Choose(never) => match never {},
    }
}

/// A time-out costs a part of the bond, and several in a row the next hand.
fn penalise(cx: &mut Cx<'_>, table: u64, hand: u32, seat: Seat) -> Option<()> {
    let params = cx.params().tables.clone();
    let mut ring = cx.store.get(&RingOf(table))?.clone();
    let price = Coins(ring.terms.big_blind.0.saturating_mul(params.timeout_big_blinds.into()));
    let player = ring.player_mut(seat)?;
    let coins = price.min(player.bond);
    player.bond = player.bond.minus(coins)?;
    player.timeouts = player.timeouts.saturating_add(1);
    let forced = player.timeouts >= params.timeouts_in_a_row.max(1) && player.out.is_none();
    if forced {
        player.out = Some(Out::Forced);
        player.timeouts = 0;
    }
    let (address, bond) = (player.address, player.bond);
    cx.store.put(&RingOf(table), ring);
    if coins > Coins::ZERO {
        bank::credit(cx, TREASURY, coins);
        cx.emit(Event::PlayerSlashed { table, hand, seat: seat.index(), player: address, coins, bond });
    }
    if forced {
        cx.emit(Event::PlayerSatOut { table, seat: seat.index(), forced });
    }
    Some(())
}
