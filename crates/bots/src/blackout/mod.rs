//! Computers that play Blackout.

mod simple;

use games::blackout::Blackout;
use table::{Draw, Move};

use crate::{Advice, Computer, Decision, Sight, Simple};

impl Computer for Blackout {
    type Why = &'static str;

    fn normal(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        Self::Rules::simple(sight.seat, sight.view, sight.moves, draw)
    }

    fn hard(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        Self::normal(sight, draw)
    }

    fn advice(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Option<Advice<Self>> {
        let best: Move<_, _> = Self::hard(sight, draw)?;
        Some(Advice { best, why: Vec::new() })
    }
}
