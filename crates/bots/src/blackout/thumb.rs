//! How a sensible player picks a card, knowing only their own hand, the cards played so far, bids and tricks.
//! `normal` plays like this, and `hard` assumes that everybody does.

use super::round::Round;
use super::set::{NO_SUIT, Place, Set, suit};

/// The card to play for the seat whose turn it is; `None` once its hand is empty.
pub(super) fn choose(round: &Round) -> Option<Place> {
    let legal = round.legal();
    if legal.0 & legal.0.wrapping_sub(1) == 0 {
        return legal.lowest();
    }
    let seat = round.turn;
    let hand = round.hands[seat];
    let out = Set::PACK.without(round.seen).without(hand);
    let need = i32::from(round.need(seat));
    let left = hand.len() as i32;
    let hopeless = need < 0 || need > left;
    if round.led == NO_SUIT {
        let wants = need > 0 && !hopeless;
        return lead(round, legal, out, wants);
    }
    let winners = round.winners(legal);
    // A player whose bid is lost can still spoil another's.
    let wants = if hopeless { round.need(round.best_by) > 0 } else { need > 0 };
    if wants { take(round, legal, winners, out) } else { duck(round, legal, winners, out) }
}

/// Whether no higher card of its suit is still out.
fn is_boss(place: Place, out: Set) -> bool {
    out.and(Set::above(place)).is_empty()
}

fn lead(round: &Round, legal: Set, out: Set, wants: bool) -> Option<Place> {
    let trumps_out = out.and(Set::suit(round.trump)).len() as i32;
    // How good a lead is: few cards that beat it are still out, and many that it beats.
    let strength = |place: &Place| {
        let higher = out.and(Set::above(*place)).len() as i32;
        let lower = out.and(Set::below(*place)).len() as i32;
        if suit(*place) == round.trump {
            40 - 8 * higher
        } else {
            let ruffed = trumps_out * (13 - lower - higher).max(0) / 8;
            38 - 8 * higher - ruffed + lower.min(3)
        }
    };
    if wants { legal.iter().max_by_key(strength) } else { legal.iter().min_by_key(strength) }
}

/// Takes the trick as cheaply as is safe; otherwise plays the least valuable card.
fn take(round: &Round, legal: Set, winners: Set, out: Set) -> Option<Place> {
    let worth = |place: &Place| worth(round, *place, out);
    if winners.is_empty() {
        return legal.iter().min_by_key(worth);
    }
    if round.after_me() == 0 {
        return winners.iter().min_by_key(worth);
    }
    // The cheapest card that nobody can beat in its suit, or else the best card.
    let safe = winners.iter().filter(|place| is_boss(*place, out)).min_by_key(worth);
    safe.or_else(|| {
        let following = winners.and(Set::suit(round.led));
        if following.is_empty() { winners.iter().min_by_key(worth) } else { following.iter().max_by_key(worth) }
    })
}

/// Gets rid of the most dangerous card that does not take the trick.
fn duck(round: &Round, legal: Set, winners: Set, out: Set) -> Option<Place> {
    let danger = |place: &Place| worth(round, *place, out);
    let losers = legal.without(winners);
    if !losers.is_empty() {
        return losers.iter().max_by_key(danger);
    }
    // A trick that must be taken is taken with the highest card; one that another player may still take, with the
    // lowest.
    if round.after_me() == 0 { winners.iter().max_by_key(danger) } else { winners.iter().min_by_key(danger) }
}

/// How likely a card is to take a later trick.
fn worth(round: &Round, place: Place, out: Set) -> i32 {
    let higher = out.and(Set::above(place)).len() as i32;
    let lower = out.and(Set::below(place)).len() as i32;
    if suit(place) == round.trump { 60 - 4 * higher } else { 4 * lower - 5 * higher }
}
