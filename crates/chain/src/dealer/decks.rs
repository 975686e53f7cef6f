//! Decks: shuffled ahead of the hands that use them, then dealt from.
//!
//! A deck begins for a table that is in use and pays for it. Every member of the committee shuffles it once, in an order
//! drawn from the epoch's random number; one who takes too long loses its turn, but its shares still count. When a hand
//! takes the deck, its players' keys are fixed, and members give shares of exactly the cards that the table orders.
//!
//! Decks belong to the keys of an epoch. Those of an earlier epoch serve until the table's first new deck is ready. A
//! deck that a hand has used is never used again.

use std::collections::BTreeSet;

use cards::Pack;
use dealers::joint::{Ledger, Place, Verdict, drawn_order};
use dealing::Element;
use games::holdem::Deal;
use sha2::{Digest, Sha256};
use table::record::By;
use table::{Awaiting, Seat, Table};

use super::data::{Ahead, Deck, Due, Epoch, Record, salt};
use super::epochs::{distinct, is_late};
use super::execute::{Refused, decode};
use super::keys::{AheadOf, CourseKey, DeckOf, EpochOf, MissedOf, RecordOf};
use super::verified::hash_of;
use super::{Event, commit, epochs};
use crate::execute::Cx;
use crate::params::Params;
use crate::staking::{self, Offence};
use crate::store::Store;
use crate::units::{Address, Coins, Hash, hash};
use crate::wired::Wired;
use crate::{bank, tables};

/// What happens by itself at the end of a block.
pub(super) fn end_block(cx: &mut Cx<'_>) {
    let all: Vec<DeckOf> = cx.store.all::<DeckOf>().map(|(key, _)| key).collect();
    for DeckOf(table, number) in all {
        if cx.store.get(&DeckOf(table, number)).is_some_and(|deck| deck.in_hand) {
            judge_hand(cx, table);
        } else {
            skip_late_shuffler(cx, table, number);
        }
    }
    drop_idle(cx);
    begin_decks(cx);
}

/// Begins decks for tables that are in use, as far as there is room for more.
fn begin_decks(cx: &mut Cx<'_>) {
    let Some(epoch) = cx.store.get(&CourseKey()).and_then(|course| course.current) else { return };
    let params = Params::of(cx.store).dealer.clone();
    let mut making: usize = cx.store.all::<AheadOf>().map(|(_, ahead)| ahead.making.len()).sum();
    let mut in_use = tables::in_use(cx.store);
    // Every block begins with another table, so that none can keep all the room from those with higher numbers.
    let tables = u64::try_from(in_use.len()).unwrap_or(u64::MAX);
    let first = cx.now.height.checked_rem(tables).and_then(|first| usize::try_from(first).ok());
    in_use.rotate_left(first.unwrap_or_default());
    for table in in_use {
        if making >= usize::from(params.decks_at_once) {
            return;
        }
        let ahead = cx.store.get_or_default(&AheadOf(table));
        let fresh = |number: &&u32| cx.store.get(&DeckOf(table, **number)).is_some_and(|deck| deck.epoch == epoch);
        let have = ahead.ready.iter().chain(&ahead.making).filter(fresh).count();
        if cx.now.height < ahead.not_before {
            continue;
        }
        if have < usize::from(params.decks_ahead) && tables::pay_for_deck(cx, table, params.deck_price) {
            begin_deck(cx, table, epoch, params.deck_price);
            making += 1;
        }
    }
}

fn begin_deck(cx: &mut Cx<'_>, table: u64, number: u64, prepaid: Coins) {
    let Some(epoch) = cx.store.get(&EpochOf(number)) else { return };
    let mut ahead = cx.store.get_or_default(&AheadOf(table));
    let hand = ahead.last + 1;
    let (began, block) = (cx.now.height, cx.now.parent);
    let joint = epoch.joint.0.for_deck(hand, &salt(&cx.now.chain, number, table, began, &block));
    let order = shuffle_order(epoch, table, hand);
    let members = u8::try_from(epoch.members.len()).unwrap_or(u8::MAX);
    let ledger = Wired(Ledger::of_deck(joint, members, epoch.threshold, hand, Pack::STANDARD, order));
    let deck = Deck {
        epoch: number,
        began,
        block,
        ledger,
        in_hand: false,
        due: None,
        reporter: None,
        turn_since: began,
        missed: 0,
        prepaid,
        commit: None,
        log: [0; 32],
    };
    ahead.making.push(hand);
    ahead.last = hand;
    cx.store.put(&DeckOf(table, hand), deck);
    cx.store.put(&AheadOf(table), ahead);
    cx.store.edit(&EpochOf(number), |epoch| epoch.decks += 1);
    cx.emit(Event::DealerHandInitialized { table, hand, epoch: number });
}

/// Who shuffles a deck when: drawn from the epoch's random number.
pub fn shuffle_order(epoch: &Epoch, table: u64, hand: u32) -> Vec<By> {
    let random = hash("fairdeal/chain/order/v1", &[&epoch.random, &table.to_le_bytes(), &hand.to_le_bytes()]);
    drawn_order(&random, epoch.joint.0.members())
}

/// A member says something about a deck.
pub(super) fn say(
    cx: &mut Cx<'_>,
    from: Address,
    (table, number): (u64, u32),
    member: u8,
    message: &[u8],
) -> Result<(), Refused> {
    let deck = cx.store.get(&DeckOf(table, number)).ok_or(Refused::NotAwaited)?;
    if member_of(cx.store, deck.epoch, member) != Some(from) {
        return Err(Refused::NotYourSeat);
    }
    let mut deck = deck.clone();
    let by = By::Member(member);
    let said = hash_of(message);
    let (message, proven) = match cx.verified.message(member, &said) {
        Some(known) => (known.message.clone(), known.proven),
        None => (decode(message)?, false),
    };
    let place = message.place;
    if !matches!(place, Place::Shuffle(_) | Place::Shares(_) | Place::Sealed(_)) {
        return Err(Refused::NotAwaited);
    }
    let hand = tables::hand(cx.store, table).filter(|(hand, _)| deck.in_hand && *hand == number).map(|(_, deal)| deal);
    let ledger = &mut deck.ledger.0;
    let verdict = match (proven, hand) {
        (true, hand) => ledger.receive_proven(hand, by, message),
        (false, Some(hand)) => ledger.receive(hand, by, message),
        (false, None) => ledger.receive_ahead(by, message),
    };
    ledger.take_log();
    match verdict {
        Verdict::Void(why) => return Err(Refused::Void(why)),
        Verdict::Fault(_) => {
            let players = tables::players(cx.store, table);
            staking::slash(cx, &from, Offence::BadProof, None, &players);
        }
        Verdict::Valid => {
            let payee = staking::payee(cx.store, &from);
            pay(cx, &mut deck, payee, place);
            cx.emit(match place {
                Place::Shuffle(_) => Event::ShuffleAccepted { table, hand: number, member },
                Place::Sealed(_) => Event::EncShareAccepted { table, hand: number, member },
                _ => Event::PubShareAccepted { table, hand: number, member },
            });
        }
    }
    // Wrong messages, too: nobody can be blamed for one that was never in a block.
    deck.log = logged(&deck.log, member, &said);
    if matches!(place, Place::Shuffle(_)) {
        deck.turn_since = cx.now.height;
    }
    let in_hand = deck.in_hand;
    cx.store.put(&DeckOf(table, number), deck);
    if in_hand {
        advance_hand(cx, table, number)
    } else {
        advance_making(cx, table, number)
    }
    Ok(())
}

/// The hash over all messages that counted or were proven wrong, with one more.
pub fn logged(log: &Hash, member: u8, message: &Hash) -> Hash {
    hash("fairdeal/chain/deck-log/v1", &[log, &[member], message])
}

/// A member has done its duty: it gets its part of what the table paid, half for all shuffles, half for all shares.
fn pay(cx: &mut Cx<'_>, deck: &mut Deck, to: Address, place: Place) {
    let price = Params::of(cx.store).dealer.deck_price.0;
    let members = cx.store.get(&EpochOf(deck.epoch)).map_or(1, |epoch| epoch.members.len());
    let parts = u64::try_from(members).unwrap_or(u64::MAX).saturating_mul(2);
    // Hole cards, flop, turn, river and showdown: five times shares.
    let times = if matches!(place, Place::Shuffle(_)) { 1 } else { 5 };
    let part = Coins(price.checked_div(parts.saturating_mul(times)).unwrap_or_default()).min(deck.prepaid);
    if let Some(left) = deck.prepaid.minus(part) {
        deck.prepaid = left;
        bank::credit(cx, to, part);
    }
}

/// A deck that is being shuffled: is it ready, or can it never be?
fn advance_making(cx: &mut Cx<'_>, table: u64, number: u32) {
    let Some(deck) = cx.store.get(&DeckOf(table, number)) else { return };
    let ledger = &deck.ledger.0;
    if ledger.shuffler(number).is_some() && !ledger.is_lost() {
        return;
    }
    if !ledger.is_ready(number) || ledger.is_lost() {
        let epoch = deck.epoch;
        drop_deck(cx, table, number);
        let not_before = cx.now.height.saturating_add(Params::of(cx.store).dealer.shuffle_blocks);
        cx.store.edit(&AheadOf(table), |ahead| ahead.not_before = not_before);
        epochs::rotate_early(cx, epoch);
        return;
    }
    let Some(root) = ledger.cards(number).and_then(commit) else { return };
    let epoch = deck.epoch;
    cx.store.edit(&DeckOf(table, number), |deck| deck.commit = Some(root));
    let mut ahead = cx.store.get_or_default(&AheadOf(table));
    ahead.making.retain(|making| *making != number);
    ahead.ready.push(number);
    ahead.ready.sort_unstable();
    cx.store.put(&AheadOf(table), ahead.clone());
    cx.emit(Event::DeckFinalized { table, hand: number, commit: root });
    // From now on the table uses the keys of this epoch.
    let old = |number: &&u32| cx.store.get(&DeckOf(table, **number)).is_some_and(|deck| deck.epoch < epoch);
    let old: Vec<u32> = ahead.ready.iter().chain(&ahead.making).filter(old).copied().collect();
    old.into_iter().for_each(|number| drop_deck(cx, table, number));
}

/// A shuffler who takes too long loses its turn.
fn skip_late_shuffler(cx: &mut Cx<'_>, table: u64, number: u32) {
    let Some(deck) = cx.store.get(&DeckOf(table, number)) else { return };
    let Some(By::Member(member)) = deck.ledger.0.shuffler(number) else { return };
    let late = cx.now.height >= deck.turn_since + Params::of(cx.store).dealer.shuffle_blocks;
    if !late || !staking::heard_since(cx.store, deck.turn_since) {
        return;
    }
    let mut deck = deck.clone();
    deck.ledger.0.skip(number);
    deck.turn_since = cx.now.height;
    if let Some(validator) = member_of(cx.store, deck.epoch, member)
        && !staking::has_paid_lately(cx.store, &validator, cx.now.clock)
    {
        staking::slash(cx, &validator, Offence::Silent, None, &[]);
    }
    cx.store.put(&DeckOf(table, number), deck);
    cx.emit(Event::ShuffleSkipped { table, hand: number, member });
    advance_making(cx, table, number);
}

/// Decks of earlier epochs at tables that nobody uses would keep an epoch open for ever.
fn drop_idle(cx: &mut Cx<'_>) {
    let current = cx.store.get(&CourseKey()).and_then(|course| course.current);
    let used: BTreeSet<u64> = tables::in_use(cx.store).into_iter().collect();
    let idle = |(DeckOf(table, _), deck): &(DeckOf, &Deck)| {
        !deck.in_hand && Some(deck.epoch) != current && !used.contains(table)
    };
    let idle: Vec<DeckOf> = cx.store.all::<DeckOf>().filter(idle).map(|(key, _)| key).collect();
    idle.into_iter().for_each(|DeckOf(table, number)| drop_deck(cx, table, number));
}

/// A table is closed: its decks are not needed any more.
pub(super) fn drop_all(cx: &mut Cx<'_>, table: u64) {
    let Some(ahead) = cx.store.get(&AheadOf(table)).cloned() else { return };
    ahead.ready.iter().chain(&ahead.making).for_each(|number| drop_deck(cx, table, *number));
    cx.store.remove(&AheadOf(table));
}

fn drop_deck(cx: &mut Cx<'_>, table: u64, number: u32) {
    close(cx, table, number);
    cx.emit(Event::DeckDropped { table, hand: number });
}

/// A deck is done with: what is left of its price goes back to the table.
fn close(cx: &mut Cx<'_>, table: u64, number: u32) -> Option<Deck> {
    let deck = cx.store.remove(&DeckOf(table, number))?;
    let without = |ahead: &mut Ahead| {
        ahead.ready.retain(|other| *other != number);
        ahead.making.retain(|other| *other != number);
    };
    cx.store.edit(&AheadOf(table), without);
    cx.store.edit(&EpochOf(deck.epoch), |epoch| epoch.decks = epoch.decks.saturating_sub(1));
    tables::refund_deck(cx, table, deck.prepaid);
    Some(deck)
}

/// A hand begins with this deck.
pub(super) fn take(cx: &mut Cx<'_>, table: u64, number: u32, players: &[(Seat, Element)]) {
    cx.store.edit(&AheadOf(table), |ahead| ahead.ready.retain(|ready| *ready != number));
    cx.store.edit(&DeckOf(table, number), |deck| {
        deck.in_hand = true;
        deck.ledger.0.seat(players);
    });
    advance_hand(cx, table, number);
}

/// The hand with this deck is over.
pub(super) fn finish(cx: &mut Cx<'_>, table: u64, number: u32, settled: Hash) {
    let Some(deck) = close(cx, table, number) else { return };
    let ground = cx.store.get(&EpochOf(deck.epoch)).map_or([0; 32], |epoch| *epoch.joint.0.ground());
    let began = (deck.began, deck.block);
    let record = Record { epoch: deck.epoch, ground, began, commit: deck.commit, log: deck.log, settled };
    cx.store.put(&RecordOf(table, number), record);
    let oldest = number.checked_sub(Params::of(cx.store).dealer.records);
    let prefix = table.to_be_bytes();
    let old = cx.store.starting::<RecordOf>(&prefix).next().map(|(key, _)| key);
    if let (Some(oldest), Some(old)) = (oldest, old)
        && old.1 <= oldest
    {
        cx.store.remove(&old);
    }
}

/// Gives the table what it ordered, as far as it is there, and sets the time for what is missing.
fn advance_hand(cx: &mut Cx<'_>, table: u64, number: u32) {
    loop {
        let Some(deck) = cx.store.get(&DeckOf(table, number)) else { return };
        let Some(hand) = hand_with(cx.store, table, number) else { return };
        if hand.awaiting() != Awaiting::Dealer {
            return;
        }
        let height = hand.height().0;
        // Once the time is set, the ledger has seen what the table orders.
        let is_set = deck.due.is_some_and(|(at, _)| at == height);
        if is_set && deck.ledger.0.filled(hand).is_ok_and(|filled| !filled) {
            return;
        }
        let mut deck = deck.clone();
        deck.ledger.0.look(hand);
        match deck.ledger.0.filled(hand) {
            Err(_) => {
                // Too few members are left who have not been caught cheating.
                epochs::rotate_early(cx, deck.epoch);
                tables::dealer_failed(cx, table);
                return;
            }
            Ok(false) => {
                if deck.due.is_none_or(|(at, _)| at != height) {
                    let until = cx.now.clock + tables::dealer_timeout(cx.store, table);
                    deck.due = Some((height, Due { since: cx.now.height, until }));
                    deck.missed = 0;
                    cx.store.put(&DeckOf(table, number), deck);
                }
                return;
            }
            Ok(true) => {
                count_silent(cx, &deck);
                let Some(hand) = hand_with(cx.store, table, number) else { return };
                let opened = deck.ledger.0.opened().clone();
                let holes = hand.orders().any(|order| matches!(order, table::Order::Deal { .. }));
                deck.due = None;
                cx.store.put(&DeckOf(table, number), deck);
                cx.emit(if holes {
                    Event::HoleCardsReady { table, hand: number }
                } else {
                    Event::RevealFinalized { table, hand: number }
                });
                tables::dealt(cx, table, &opened);
            }
        }
    }
}

/// Somebody reports that members are late with shares. The end of the block judges that.
pub(super) fn report(cx: &mut Cx<'_>, table: u64, reporter: Address) -> Result<(), Refused> {
    let (number, _) = tables::hand(cx.store, table).ok_or(Refused::NobodyIsLate)?;
    let due = cx.store.get(&DeckOf(table, number)).and_then(|deck| deck.due);
    if !due.is_some_and(|(_, due)| is_late(cx, &due)) {
        return Err(Refused::NobodyIsLate);
    }
    cx.store.edit(&DeckOf(table, number), |deck| deck.reporter = deck.reporter.or(Some(reporter)));
    Ok(())
}

/// Members who are late with shares for a hand pay for it; after several deadlines with too few shares the hand is
/// aborted.
fn judge_hand(cx: &mut Cx<'_>, table: u64) {
    let Some((number, hand)) = tables::hand(cx.store, table) else { return };
    let Some(deck) = cx.store.get(&DeckOf(table, number)) else { return };
    let Some((height, _)) = deck.due.filter(|(height, due)| *height == hand.height().0 && is_late(cx, due)) else {
        return;
    };
    let mut deck = deck.clone();
    let reporter = deck.reporter.take();
    deck.ledger.0.look(hand);
    let silent: Vec<u8> = deck.ledger.0.missing(hand).into_iter().filter_map(|(by, _)| member_number(by)).collect();
    deck.missed += 1;
    let until = cx.now.clock + tables::dealer_timeout(cx.store, table);
    deck.due = Some((height, Due { since: cx.now.height, until }));
    let (epoch, aborted) = (deck.epoch, deck.missed >= Params::of(cx.store).dealer.missed_deadlines);
    let offence = if aborted { Offence::Withheld } else { Offence::Silent };
    let owners: Vec<Address> = silent.iter().filter_map(|member| member_of(cx.store, deck.epoch, *member)).collect();
    let players = tables::players(cx.store, table);
    cx.store.put(&DeckOf(table, number), deck);
    for member in silent {
        cx.emit(Event::ShareMissing { table, hand: number, member });
    }
    for validator in distinct(owners) {
        staking::slash(cx, &validator, offence, reporter, &players);
    }
    if aborted {
        epochs::rotate_early(cx, epoch);
        tables::dealer_failed(cx, table);
    }
}

/// Members whose shares were not needed any more are counted, no more.
fn count_silent(cx: &mut Cx<'_>, deck: &Deck) {
    for member in deck.ledger.0.silent().into_iter().filter_map(member_number) {
        if let Some(validator) = member_of(cx.store, deck.epoch, member) {
            let missed = cx.store.get_or_default(&MissedOf(validator)) + 1;
            cx.store.put(&MissedOf(validator), missed);
        }
    }
}

pub(super) fn member_number(by: By) -> Option<u8> {
    if let By::Member(member) = by { Some(member) } else { None }
}

/// Whose seat this is.
pub(super) fn member_of(store: &Store, epoch: u64, member: u8) -> Option<Address> {
    store.get(&EpochOf(epoch))?.members.get(usize::from(member)).map(|seat| seat.validator)
}

fn hand_with(store: &Store, table: u64, number: u32) -> Option<&Table<Deal>> {
    tables::hand(store, table).filter(|(hand, _)| *hand == number).map(|(_, deal)| deal)
}

/// The hash that a leaf of the deck's commitment holds.
pub(super) fn leaf(card: &dealing::Ciphertext) -> Hash {
    Sha256::new_with_prefix(b"fairdeal/chain/card/v1")
        .chain_update(card.c1.bytes())
        .chain_update(card.c2.bytes())
        .finalize()
        .into()
}
