//! A hand begins, is dealt and is played.

use dealing::Element;
use games::holdem::Deal;
use table::{Awaiting, Faces, Height, Run, Seat, Seats, Table};

use super::event::Street;
use super::hand::{MOST_RAISES, Opened};
use super::{Action, Begun, DealtIn, Event, Hand, HandOf, Moment, Phase, Refused, Ring, RingOf, player_key, settle};
use crate::dealer;
use crate::execute::Cx;
use crate::store::Store;
use crate::units::{Address, Coins};

/// Begins a hand where everything for it is there: a deck, two players, and a pause since the last hand.
pub(super) fn begin(cx: &mut Cx<'_>, table: u64) -> Option<()> {
    let ring = cx.store.get(&RingOf(table))?;
    let params = &cx.params().tables;
    if cx.store.get(&HandOf(table)).is_some() || cx.now.height < ring.ended.saturating_add(params.hand_gap) {
        return None;
    }
    let ready = ring.ready();
    let deck = dealer::ready_deck(cx.store, table).filter(|_| ready.len() >= 2)?;
    let in_play: Coins = ring.players().filter(|(seat, _)| ready.contains(*seat)).map(|(_, player)| player.stack).sum();
    // A little more than a table may take, so that it does not stop because somebody else lost a little stake.
    let most = dealer::most_chips_with(cx.store, table, deck);
    if in_play > most + most.bps(1_000) {
        return None;
    }
    let button = ring.next_button(ready)?.index();
    let (small_blind, big_blind) = (ring.terms.small_blind, ring.terms.big_blind);
    let rake_bps = ring.terms.rake_bps.min(params.most_rake_bps);
    let early_allin_reveal = params.early_allin_reveal;
    let mut ring = ring.clone();
    let dealt_in = deal_in(&mut ring, ready, |key| player_key(&cx.now.chain, table, deck, key))?;
    let (players, keys): (Vec<DealtIn>, Vec<(Seat, Element)>) = dealt_in.into_iter().unzip();
    let stacks = players.iter().map(|player| (player.seat, player.stack)).collect();
    let begun = Begun { deck, players, button, small_blind, big_blind, early_allin_reveal, rake_bps };
    let hand = Hand::begin(begun, moment(cx))?;
    let blinds = hand.table().rules().blind_seats()?;
    ring.button = Some(button);
    ring.big_blind = Some(blinds.big.index());
    ring.again = false;
    cx.store.put(&RingOf(table), ring);
    cx.store.put(&HandOf(table), hand);
    let (small_blind, big_blind) = (blinds.small.index(), blinds.big.index());
    cx.emit(Event::HandStarted { table, hand: deck, button, small_blind, big_blind, stacks });
    dealer::use_deck(cx, table, deck, &keys);
    Some(())
}

/// Takes the stacks of those who are ready, with their keys of this hand; all others miss a hand.
fn deal_in(
    ring: &mut Ring,
    ready: Seats,
    key_of_hand: impl Fn(&Element) -> Element,
) -> Option<Vec<(DealtIn, (Seat, Element))>> {
    let mut list = Vec::new();
    for (seat, player) in ring.players_mut() {
        if !ready.contains(seat) {
            player.idle = player.idle.saturating_add(1);
            continue;
        }
        // The key was checked when its owner sat down, so it can be read.
        let key = key_of_hand(&dealing::decode(&player.key).ok()?);
        let stack = core::mem::take(&mut player.stack);
        player.idle = 0;
        let player = DealtIn { seat: seat.index(), address: player.address, key: *key.bytes(), stack };
        list.push((player, (seat, key)));
    }
    Some(list)
}

/// Somebody acts in their turn.
pub(super) fn act(
    cx: &mut Cx<'_>,
    from: Address,
    table: u64,
    (number, height): (u32, u64),
    action: Action,
) -> Result<(), Refused> {
    if cx.store.get(&RingOf(table)).is_none() {
        return Err(Refused::NoSuchTable);
    }
    let mut hand = cx.store.get(&HandOf(table)).ok_or(Refused::NoHand)?.clone();
    if hand.number() != number {
        return Err(Refused::OtherHand { now: hand.number() });
    }
    let seat = hand.seat_of(&from).ok_or(Refused::NotInHand)?;
    if matches!(action, Action::BetTo(_)) && hand.log().len() >= MOST_RAISES {
        return Err(Refused::OnlyAllIn);
    }
    hand.act(Height(height), (seat, action, false), moment(cx))?;
    let ring = cx.store.get(&RingOf(table)).ok_or(Refused::NoSuchTable)?;
    if ring.player(seat).is_some_and(|player| player.timeouts > 0) {
        cx.store.edit(&RingOf(table), |ring| ring.player_mut(seat).map(|player| player.timeouts = 0));
    }
    cx.emit(Event::ActionApplied { table, hand: number, height, seat: seat.index(), action });
    go_on(cx, table, hand);
    Ok(())
}

/// The dealer has carried out the orders of the hand: these faces are open.
///
/// Faces that cannot be (a card twice, one that is missing) mean that the dealer has failed.
pub fn dealt(cx: &mut Cx<'_>, table: u64, opened: &Faces) {
    let Some(mut hand) = cx.store.get(&HandOf(table)).cloned() else { return };
    if hand.table().awaiting() != Awaiting::Dealer {
        return;
    }
    match hand.dealt(opened, moment(cx)) {
        Ok(list) => {
            list.into_iter().for_each(|opened| tell(cx, table, &hand, opened));
            go_on(cx, table, hand);
        }
        Err(_) => settle::dealer_failed(cx, table),
    }
}

/// Stores a hand that has taken an input, or settles it if that was the last.
pub(super) fn go_on(cx: &mut Cx<'_>, table: u64, hand: Hand) {
    let before = cx.store.get(&HandOf(table)).map(Phase::of);
    if before != Some(Phase::Showdown) && Phase::of(&hand) == Phase::Showdown {
        cx.emit(Event::ShowdownReached { table, hand: hand.number() });
    }
    if hand.table().outcome().is_some() {
        settle::complete(cx, table, &hand);
    } else {
        cx.store.put(&HandOf(table), hand);
    }
}

/// The block being executed, as a moment.
pub(super) const fn moment(cx: &Cx<'_>) -> Moment {
    Moment { height: cx.now.height, clock: cx.now.clock }
}

fn tell(cx: &mut Cx<'_>, table: u64, hand: &Hand, opened: Opened) {
    let number = hand.number();
    let codes = |run: Run| -> Vec<u8> {
        run.slots().filter_map(|slot| hand.table().open().get(slot)).map(cards::Card::code).collect()
    };
    match opened {
        Opened::Shown(seat, run) => {
            cx.emit(Event::HoleCardRevealed { table, hand: number, seat: seat.index(), cards: codes(run) });
        }
        // When nobody can bet any more, several streets are opened in one step.
        Opened::Board(run) => {
            let first = hand.table().rules().board().first.index;
            for (street, places) in [(Street::Flop, 0..3), (Street::Turn, 3..4), (Street::River, 4..5)] {
                let on_it = run.slots().filter(|slot| places.contains(&(slot.index - first)));
                let cards: Vec<u8> = on_it.flat_map(|slot| codes(Run::one(slot))).collect();
                if !cards.is_empty() {
                    cx.emit(Event::StreetRevealed { table, hand: number, street, cards });
                }
            }
        }
    }
}

/// Where the players of a running hand get what a validator loses for it.
pub fn players(store: &Store, table: u64) -> Vec<Address> {
    let hand = store.get(&HandOf(table));
    hand.map_or_else(Vec::new, |hand| hand.begun().players.iter().map(|player| player.address).collect())
}

/// The hand that is played at a table: the number of its deck, and the deal.
pub fn hand(store: &Store, table: u64) -> Option<(u32, &Table<Deal>)> {
    store.get(&HandOf(table)).map(|hand| (hand.number(), hand.table()))
}

/// Whether somebody who sits at the table could be dealt into the next hand, as far as can be told now.
pub(super) fn may_play_next(ring: &Ring, hand: Option<&Hand>, seat: Seat) -> bool {
    let Some(player) = ring.player(seat) else { return false };
    let in_hand = hand.is_some_and(|hand| {
        hand.seats().contains(seat) && (hand.table().rules().live().contains(seat) || hand.stack(seat) > Coins::ZERO)
    });
    player.wants_cards() && (player.stack + player.rebuy > Coins::ZERO || in_hand)
}
