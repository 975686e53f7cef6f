//! Which card takes a trick, and what a round is worth.

use cards::{Card, Suit};

/// Does `card` beat the best card of the trick so far? A trump beats any other suit; of a suit that was
/// not led, only a trump can win.
#[inline]
pub fn beats(card: Card, best: Card, trump: Option<Suit>) -> bool {
    let (Some((rank, suit)), Some((best_rank, best_suit))) = (card.natural(), best.natural()) else {
        return false;
    };
    if suit == best_suit { rank > best_rank } else { Some(suit) == trump }
}

/// Points for a round.
pub(super) fn points(bid: u8, won: u8, for_correct: i64) -> i64 {
    if bid == won { for_correct + i64::from(bid) } else { 0 }
}

/// The place of a card among those nobody minds losing: the lowest of the led suit, else the lowest
/// without trump, else the lowest trump; equal ranks by suit.
pub(super) fn default_order(card: Card, led: Option<Suit>, trump: Option<Suit>) -> Option<(u8, u8, u8)> {
    let (rank, suit) = card.natural()?;
    let group = match led {
        Some(led) if suit == led => 0,
        _ if Some(suit) != trump => 1,
        _ => 2,
    };
    Some((group, rank.index(), suit.index()))
}
