//! Rules of thumb for Blackout.

use cards::{Card, Rank, Suit};
use games::Held;
use games::blackout::{Action, Deal, Moves, View};
use table::{Draw, Move, Seat};

use crate::{Decision, Simple};

impl Simple for Deal {
    /// Bids one for each card that is likely to win, then takes tricks while it needs them, and ducks
    /// afterwards.
    fn simple(seat: Seat, view: &View, moves: &Moves, _: &mut impl Draw) -> Decision<Self> {
        let trump = view.trump.and_then(Card::suit);
        match moves {
            Moves::None => None,
            Moves::Bid { most, forbidden } => {
                let likely =
                    view.hand.iter().filter(|held| held.card.is_some_and(|card| likely_wins(card, trump))).count();
                let bid = u8::try_from(likely).unwrap_or(0).min(*most);
                let bid = if *forbidden != Some(bid) {
                    bid
                } else if bid > 0 {
                    bid - 1
                } else {
                    bid + 1
                };
                Some(Move::Act(Action::Bid(bid)))
            }
            Moves::Play(playable) => {
                let me = view.players.get(usize::from(seat.index()))?;
                let wants = me.bid.unwrap_or(0) > me.won;
                let best = view
                    .trick
                    .iter()
                    .map(|(_, card)| *card)
                    .reduce(|best, card| if beats(card, best, trump) { card } else { best });
                let wins = |held: &Held| held.card.is_some_and(|card| best.is_none_or(|best| beats(card, best, trump)));
                let strength = |held: &Held| held.card.map(|card| (card.suit() == trump, card.rank()));
                let cards: Vec<Held> = playable.iter().collect();
                let choice = if wants {
                    // The strongest card when leading, the cheapest winner otherwise, and the cheapest card if none wins.
                    let leading = view.trick.is_empty();
                    let winners = cards.iter().filter(|held| wins(held));
                    let winner =
                        if leading { winners.max_by_key(|h| strength(h)) } else { winners.min_by_key(|h| strength(h)) };
                    winner.or_else(|| cards.iter().min_by_key(|h| strength(h)))
                } else {
                    // The highest card that still loses; otherwise the lowest.
                    let losers = cards.iter().filter(|held| !wins(held));
                    losers.max_by_key(|h| strength(h)).or_else(|| cards.iter().min_by_key(|h| strength(h)))
                };
                choice.map(|held| Move::Act(Action::Play(held.slot)))
            }
        }
    }
}

fn likely_wins(card: Card, trump: Option<Suit>) -> bool {
    let Some((rank, suit)) = card.natural() else { return false };
    if Some(suit) == trump { rank >= Rank::Ten } else { rank >= Rank::King }
}

fn beats(card: Card, best: Card, trump: Option<Suit>) -> bool {
    match (card.natural(), best.natural()) {
        (Some((rank, suit)), Some((best_rank, best_suit))) if suit == best_suit => rank > best_rank,
        (Some((_, suit)), _) => Some(suit) == trump,
        _ => false,
    }
}
