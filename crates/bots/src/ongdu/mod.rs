//! Computers that play Ongdu.
//!
//! All cards are dealt at once and everybody arranges their own, so a computer has one question to answer:
//! which of 280 ways to arrange its cards wins the most points against likely opponents?

mod odds;
mod simple;
mod ways;
mod why;

use games::ongdu::{Class, Hand, LayerRank, Moves, Ongdu};
use table::Draw;

use crate::{Advice, Computer, Decision, Sight};
use odds::{Odds, any_layer};
use simple::{action, best, bottom_first, decide};
use ways::Way;
pub use why::{Layer, Why};

impl Computer for Ongdu {
    type Why = Why;

    /// The arrangement that beats the most other layers, all three together, whatever their positions.
    fn normal(sight: &Sight<'_, Self>, _: &mut impl Draw) -> Decision<Self::Rules> {
        decide(sight.moves, |way| {
            let special = matches!(way.rank.class, Class::Special(_));
            let layers = way.rank.layers.iter().zip(way.rank.worth);
            (special, layers.map(|(rank, worth)| f64::from(worth) * any_layer(*rank)).sum::<f64>())
        })
    }

    /// The arrangement that wins the most points against good opponents.
    fn hard(sight: &Sight<'_, Self>, _: &mut impl Draw) -> Decision<Self::Rules> {
        let odds = Odds::of(sight);
        decide(sight.moves, |way| odds.points(way))
    }

    fn advice(sight: &Sight<'_, Self>, _: &mut impl Draw) -> Option<Advice<Self>> {
        let (Moves::Discard(hand) | Moves::Arrange(hand)) = sight.moves else { return None };
        let odds = Odds::of(sight);
        let way = best(hand, |way| odds.points(way))?;
        Some(Advice { best: action(&way)?, why: reasons(&way, hand, &odds) })
    }
}

/// Up to three reasons, the most important first.
fn reasons(way: &Way, hand: &Hand, odds: &Odds) -> Vec<Why> {
    let mut why = Vec::new();
    if let Some(card) = way.out.and_then(|out| out.card) {
        why.push(Why::Spare { card });
    }
    if let Class::Special(what) = way.rank.class {
        why.push(Why::Special { what, points: odds.stakes.special });
        return why;
    }
    let points = odds.points(way);
    why.push(Why::Expects { points });
    let loss = best(hand, bottom_first).map_or(0.0, |greedy| points - odds.points(&greedy));
    if loss >= 0.05 {
        why.push(Why::NotBottomFirst { points: loss });
    }
    // The layer to mention: the best one if all are good, otherwise the one that may still be won.
    let layers = Layer::ALL.into_iter().zip(way.rank.layers);
    let told = layers.map(|(layer, rank)| (odds.wins(layer, rank), layer, rank));
    let surest = told.max_by(|a, b| a.0.total_cmp(&b.0));
    why.extend(surest.map(|(part, layer, rank): (f64, Layer, LayerRank)| Why::Wins {
        layer,
        rank,
        percent: (part * 100.0).round() as u32,
    }));
    why.truncate(3);
    why
}
