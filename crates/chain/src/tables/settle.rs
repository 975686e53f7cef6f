//! A hand ends: pots, rake, refunds, and what has waited for the end of the hand.
//!
//! Pots are divided by [`games::holdem`]. Without rake the stacks after a hand are exactly those of the rules.
//!
//! **Rake** is taken only after a flop. Once uncalled bets are returned and the pots are divided, it is the table's
//! part of all pots together, rounded down. The winners pay it in proportion to what they won, rounded down; what is
//! missing is paid one chip each by the winners clockwise from left of the button. It goes to the treasury.
//!
//! **An aborted hand** is refunded: everybody gets back exactly what they put in, in whatever phase it was. If
//! governance has it that aborted hands keep the blinds, those of a hand in which nobody has acted yet go to the
//! treasury (not to the purse of the table, so that its creator never gains by an abort). The button stays.

use games::holdem::View;
use table::{Breakdown, Chips, Eye, Known, PerSeat, Rules, Seat, Seats};

use super::hand::Step;
use super::{Event, Gone, Hand, HandOf, Out, Player, Ring, RingOf, SEATS, WhyGone};
use crate::bank::{self, TREASURY};
use crate::dealer;
use crate::execute::Cx;
use crate::units::{Address, Coins, Hash, hash};

/// A hand has been played to its end.
pub(super) fn complete(cx: &mut Cx<'_>, table: u64, hand: &Hand) {
    let number = hand.number();
    let view = public(hand);
    for (pot, awarded) in (0..).zip(&view.pots) {
        for (seat, chips) in split(awarded.amount, awarded.winners, hand) {
            let coins = Coins::from_chips(chips).unwrap_or_default();
            cx.emit(Event::PotAwarded { table, hand: number, pot, seat: seat.index(), coins });
        }
    }
    let won = PerSeat::from_fn(SEATS, |seat| {
        view.players.get(usize::from(seat.index())).map_or(Chips::ZERO, |player| player.won)
    });
    let raked = rake(hand, &won);
    let rules = hand.table().rules();
    let left = PerSeat::from_fn(SEATS, |seat| rules.stacks()[seat] - raked[seat]);
    let rake = coins(raked.iter().copied().sum());
    bank::credit(cx, TREASURY, rake);
    let stacks = listed(hand, &left);
    cx.emit(Event::HandCompleted { table, hand: number, rake, stacks });
    let left = forfeit(cx, table, hand, left);
    end(cx, table, hand, &left, false);
}

/// The dealer cannot carry out the orders of the hand: it is aborted, and everybody gets back what they put in.
pub fn dealer_failed(cx: &mut Cx<'_>, table: u64) {
    let Some(hand) = cx.store.get(&HandOf(table)).cloned() else { return };
    let params = cx.params().tables.clone();
    let (number, view, rules) = (hand.number(), public(&hand), hand.table().rules());
    let outcome = rules.break_off(Breakdown::DealerFailed);
    let acted = hand.log().iter().any(|step| matches!(step, Step::Act { .. }));
    let keeps = params.abort_keeps_blinds && !acted;
    let kept = PerSeat::from_fn(SEATS, |seat| if keeps { rules.bets()[seat] } else { Chips::ZERO });
    let mut left = PerSeat::from_fn(SEATS, |seat| rules.setup().stacks[seat] + outcome.result[seat] - kept[seat]);
    for (seat, player) in (0..).map_while(Seat::new).zip(&view.players) {
        let refunded = coins(player.paid - kept[seat]);
        if refunded > Coins::ZERO {
            cx.emit(Event::PotRefunded { table, hand: number, seat: seat.index(), coins: refunded });
        }
    }
    let mut penalty = Coins::ZERO;
    for seat in hand.seats().iter() {
        let pays = params.abort_penalty.min(coins(left[seat]));
        left[seat] -= pays.chips().unwrap_or_default();
        penalty += pays;
    }
    let blinds = coins(kept.iter().copied().sum());
    bank::credit(cx, TREASURY, blinds + penalty);
    let stacks = listed(&hand, &left);
    cx.emit(Event::HandAborted { table, hand: number, blinds, penalty, stacks });
    end(cx, table, &hand, &left, true);
}

/// A hash over a hand as it was played and the stacks after it.
pub fn settled(hand: &Hand, stacks: &[(u8, Coins)]) -> Hash {
    let bytes = borsh::to_vec(&(hand, stacks)).expect("plain data can be written to memory");
    hash("fairdeal/chain/settled/v1", &[&bytes])
}

/// Somebody gets up, with everything they have at the table.
pub(super) fn stand_up(cx: &mut Cx<'_>, table: u64, ring: &mut Ring, seat: Seat, why: WhyGone) -> Option<()> {
    let chair = ring.chair_mut(seat)?;
    let player = chair.player.take()?;
    let (address, coins): (Address, Coins) = (player.address, player.takes_along());
    chair.last = Some(Gone { address, why });
    bank::credit(cx, address, coins);
    let seat = seat.index();
    cx.emit(match why {
        WhyGone::Ejected => Event::PlayerEjected { table, seat, player: address, coins },
        WhyGone::Left | WhyGone::Idle => Event::PlayerLeft { table, seat, player: address, coins, why },
    });
    Some(())
}

/// Gives the stacks back to their owners, and does what has waited for the end of the hand.
fn end(cx: &mut Cx<'_>, table: u64, hand: &Hand, left: &PerSeat<Chips>, again: bool) -> Option<()> {
    cx.store.remove(&HandOf(table));
    let (stacks, number) = (listed(hand, left), hand.number());
    let settled = settled(hand, &stacks);
    let played = borsh::to_vec(hand).expect("plain data can be written to memory");
    cx.emit(Event::HandSettled { table, hand: number, played, stacks });
    let mut ring = cx.store.get(&RingOf(table))?.clone();
    let idle_hands = cx.params().tables.idle_hands.max(1);
    ring.again = again;
    ring.ended = cx.now.height;
    let most = ring.terms.max_buy_in;
    for seat in Seats::first(SEATS).iter() {
        let Some(player) = ring.player_mut(seat) else { continue };
        if hand.seats().contains(seat) {
            player.stack += coins(left[seat]);
        }
        let (address, returned) = (player.address, take_rebuy(player, most));
        let is_back = player.out == Some(Out::Forced) && player.idle > 0;
        if is_back {
            player.out = None;
        }
        let why = match player {
            Player { bond: Coins::ZERO, .. } => Some(WhyGone::Ejected),
            Player { leaving: true, .. } => Some(WhyGone::Left),
            Player { idle, .. } => (*idle >= idle_hands).then_some(WhyGone::Idle),
        };
        if returned > Coins::ZERO {
            bank::credit(cx, address, returned);
            cx.emit(Event::ChipsReturned { table, seat: seat.index(), coins: returned });
        }
        if let Some(why) = why {
            stand_up(cx, table, &mut ring, seat, why);
        } else if is_back {
            cx.emit(Event::PlayerReturned { table, seat: seat.index() });
        }
    }
    cx.store.put(&RingOf(table), ring);
    dealer::deck_is_used(cx, table, number, settled);
    Some(())
}

/// Puts chips that were bought during the hand before their owner, and returns what does not fit.
fn take_rebuy(player: &mut Player, most: Coins) -> Coins {
    let rebuy = core::mem::take(&mut player.rebuy);
    let fits = rebuy.min(most.minus(player.stack).unwrap_or_default());
    player.stack += fits;
    rebuy.minus(fits).unwrap_or_default()
}

/// What each seat pays of the rake, which they have won at least.
fn rake(hand: &Hand, won: &PerSeat<Chips>) -> PerSeat<Chips> {
    let mut pays = PerSeat::new(SEATS);
    let total: Chips = won.iter().copied().sum();
    let bps = i128::from(hand.begun().rake_bps.min(10_000));
    let saw_flop = hand.table().rules().open_board().len >= 3;
    if total <= Chips::ZERO || !saw_flop {
        return pays;
    }
    let part = |of: i128, numerator: i128, denominator: i128| {
        i64::try_from(of * numerator / denominator).map(Chips).unwrap_or_default()
    };
    let rake = part(total.0.into(), bps, 10_000);
    let winners: Seats = won.seats().filter(|(_, won)| **won > Chips::ZERO).map(|(seat, _)| seat).collect();
    for seat in winners.iter() {
        pays[seat] = part(won[seat].0.into(), rake.0.into(), total.0.into());
    }
    let mut missing = rake - pays.iter().copied().sum();
    for seat in clockwise(winners, hand) {
        let extra = missing.min(Chips(1));
        pays[seat] += extra;
        missing -= extra;
    }
    pays
}

/// What governance lets those forfeit who timed out in this hand, if anything.
fn forfeit(cx: &mut Cx<'_>, table: u64, hand: &Hand, mut left: PerSeat<Chips>) -> PerSeat<Chips> {
    let bps = cx.params().tables.timeout_forfeit_bps.min(10_000);
    let late = |step: &Step| match step {
        Step::Act { seat, timed_out: true, .. } => Seat::new(*seat),
        Step::Act { .. } | Step::Dealt(_) => None,
    };
    for seat in hand.log().iter().filter_map(late).collect::<Seats>().iter() {
        let forfeited = coins(left[seat]).bps(bps);
        if forfeited > Coins::ZERO {
            left[seat] -= forfeited.chips().unwrap_or_default();
            bank::credit(cx, TREASURY, forfeited);
            let (hand, seat) = (hand.number(), seat.index());
            cx.emit(Event::StackForfeited { table, hand, seat, coins: forfeited });
        }
    }
    left
}

/// How a pot is divided, as the rules do it: evenly, and odd chips one by one from left of the button.
fn split(amount: Chips, winners: Seats, hand: &Hand) -> Vec<(Seat, Chips)> {
    let count = i64::from(winners.len()).max(1);
    let odd = amount.0 % count;
    let share = |place: i64| Chips(amount.0 / count + i64::from(place < odd));
    clockwise(winners, hand).zip(0..).map(|(seat, place)| (seat, share(place))).collect()
}

/// Seats from left of the button.
fn clockwise(seats: Seats, hand: &Hand) -> impl Iterator<Item = Seat> {
    seats.clockwise_after(Seat::new(hand.begun().button).unwrap_or_default())
}

fn public(hand: &Hand) -> View {
    hand.table().rules().view(Known::public(hand.table().open()), Eye::Public)
}

fn listed(hand: &Hand, left: &PerSeat<Chips>) -> Vec<(u8, Coins)> {
    hand.seats().iter().map(|seat| (seat.index(), coins(left[seat]))).collect()
}

/// Chips that are never negative here.
fn coins(chips: Chips) -> Coins {
    Coins::from_chips(chips).unwrap_or_default()
}
