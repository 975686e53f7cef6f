//! Sitting down, sitting out, buying chips and leaving.

use dealing::{Element, Knowledge};
use table::Seat;

use super::view::chips_at;
use super::{Event, HandOf, Out, Player, Refused, Ring, RingOf, WhyGone, key_context, settle};
use crate::execute::Cx;
use crate::units::{Address, Coins};
use crate::{bank, dealer};

/// How somebody wants to sit down.
#[derive(Clone, Copy)]
pub(super) struct Sitting<'a> {
    pub(super) seat: Option<u8>,
    pub(super) buy_in: Coins,
    pub(super) key: &'a [u8; 32],
    pub(super) proof: &'a [u8; 64],
}

pub(super) fn sit(cx: &mut Cx<'_>, from: Address, table: u64, how: Sitting<'_>) -> Result<(), Refused> {
    let mut ring = cx.store.get(&RingOf(table)).ok_or(Refused::NoSuchTable)?.clone();
    if let Some(seat) = ring.seat_of(&from) {
        return Err(Refused::AlreadySeated { seat: seat.index() });
    }
    let seat = choose_seat(&ring, how.seat)?;
    check_buy_in(&ring, how.buy_in)?;
    check_chips(cx, table, how.buy_in)?;
    check_key(cx, from, table, how)?;
    let bond = ring.terms.player_bond;
    bank::debit(cx, from, how.buy_in + bond)?;
    let chair = ring.chair_mut(seat).ok_or(Refused::NoSuchSeat)?;
    chair.last = None;
    chair.player = Some(Player {
        address: from,
        key: *how.key,
        stack: how.buy_in,
        bond,
        rebuy: Coins::ZERO,
        out: None,
        leaving: false,
        timeouts: 0,
        idle: 0,
    });
    cx.store.put(&RingOf(table), ring);
    cx.emit(Event::PlayerSat { table, seat: seat.index(), player: from, buy_in: how.buy_in, bond });
    Ok(())
}

pub(super) fn leave(cx: &mut Cx<'_>, from: Address, table: u64) -> Result<(), Refused> {
    let (mut ring, seat) = find(cx, from, table)?;
    if !is_in_hand(cx, table, seat) {
        settle::stand_up(cx, table, &mut ring, seat, WhyGone::Left);
    } else if let Some(player) = ring.player_mut(seat) {
        // Their chips may be needed for a refund until the hand is over, folded or not.
        player.leaving = true;
    }
    cx.store.put(&RingOf(table), ring);
    Ok(())
}

pub(super) fn sit_out(cx: &mut Cx<'_>, from: Address, table: u64) -> Result<(), Refused> {
    let (mut ring, seat) = find(cx, from, table)?;
    let player = ring.player_mut(seat).ok_or(Refused::NotSeated)?;
    if player.out == Some(Out::Chosen) {
        return Err(Refused::AlreadyOut);
    }
    player.out = Some(Out::Chosen);
    cx.store.put(&RingOf(table), ring);
    cx.emit(Event::PlayerSatOut { table, seat: seat.index(), forced: false });
    Ok(())
}

/// Ends a sit-out of either kind: somebody who asks to be dealt in again is not absent any more.
pub(super) fn come_back(cx: &mut Cx<'_>, from: Address, table: u64) -> Result<(), Refused> {
    let (mut ring, seat) = find(cx, from, table)?;
    let player = ring.player_mut(seat).ok_or(Refused::NotSeated)?;
    if player.out.is_none() && !player.leaving {
        return Err(Refused::NotOut);
    }
    player.out = None;
    player.leaving = false;
    player.timeouts = 0;
    cx.store.put(&RingOf(table), ring);
    cx.emit(Event::PlayerReturned { table, seat: seat.index() });
    Ok(())
}

pub(super) fn rebuy(cx: &mut Cx<'_>, from: Address, table: u64, coins: Coins) -> Result<(), Refused> {
    let (mut ring, seat) = find(cx, from, table)?;
    if coins == Coins::ZERO {
        return Err(Refused::Nothing);
    }
    let queued = is_in_hand(cx, table, seat);
    let in_hand = cx.store.get(&HandOf(table)).filter(|_| queued).map_or(Coins::ZERO, |hand| hand.stack(seat));
    let has = ring.player(seat).map_or(Coins::ZERO, |player| player.stack + player.rebuy) + in_hand;
    check_buy_in(&ring, has + coins)?;
    check_chips(cx, table, coins)?;
    bank::debit(cx, from, coins)?;
    if let Some(player) = ring.player_mut(seat) {
        *(if queued { &mut player.rebuy } else { &mut player.stack }) += coins;
    }
    cx.store.put(&RingOf(table), ring);
    cx.emit(Event::ChipsBought { table, seat: seat.index(), coins, queued });
    Ok(())
}

pub(super) fn top_up_bond(cx: &mut Cx<'_>, from: Address, table: u64, coins: Coins) -> Result<(), Refused> {
    let (mut ring, seat) = find(cx, from, table)?;
    if coins == Coins::ZERO {
        return Err(Refused::Nothing);
    }
    let most = ring.terms.player_bond;
    let player = ring.player_mut(seat).ok_or(Refused::NotSeated)?;
    let got = player.bond + coins;
    if got > most {
        return Err(Refused::BondTooLarge { most, got });
    }
    bank::debit(cx, from, coins)?;
    player.bond = got;
    cx.store.put(&RingOf(table), ring);
    cx.emit(Event::BondToppedUp { table, seat: seat.index(), bond: got });
    Ok(())
}

fn find(cx: &Cx<'_>, from: Address, table: u64) -> Result<(Ring, Seat), Refused> {
    let ring = cx.store.get(&RingOf(table)).ok_or(Refused::NoSuchTable)?;
    let seat = ring.seat_of(&from).ok_or(Refused::NotSeated)?;
    Ok((ring.clone(), seat))
}

fn is_in_hand(cx: &Cx<'_>, table: u64, seat: Seat) -> bool {
    cx.store.get(&HandOf(table)).is_some_and(|hand| hand.seats().contains(seat))
}

/// The seat that was named, or the first free one clockwise from the big blind.
fn choose_seat(ring: &Ring, named: Option<u8>) -> Result<Seat, Refused> {
    let free = ring.free();
    let Some(named) = named else {
        let last = ring.big_blind.and_then(Seat::new);
        return last.map_or(free.lowest(), |big| free.after(big)).ok_or(Refused::Full);
    };
    let seat = Seat::new(named).filter(|seat| ring.chair(*seat).is_some()).ok_or(Refused::NoSuchSeat)?;
    if free.contains(seat) { Ok(seat) } else { Err(Refused::SeatTaken) }
}

fn check_buy_in(ring: &Ring, got: Coins) -> Result<(), Refused> {
    let (least, most) = (ring.terms.min_buy_in, ring.terms.max_buy_in);
    if (least..=most).contains(&got) { Ok(()) } else { Err(Refused::BuyIn { least, most, got }) }
}

/// No table may have more chips than those who could spoil a hand lose for it.
fn check_chips(cx: &Cx<'_>, table: u64, more: Coins) -> Result<(), Refused> {
    let (most, got) = (dealer::most_chips(cx.store), chips_at(cx.store, table) + more);
    if got <= most { Ok(()) } else { Err(Refused::TooManyChips { most, got }) }
}

fn check_key(cx: &Cx<'_>, from: Address, table: u64, how: Sitting<'_>) -> Result<(), Refused> {
    let key: Element = dealing::decode(how.key).map_err(|_| Refused::Key)?;
    let proof: Knowledge = dealing::decode(how.proof).map_err(|_| Refused::Key)?;
    proof.verify(&key_context(&cx.now.chain, table, &from), &key).map_err(|_| Refused::Key)
}
