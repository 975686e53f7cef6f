//! Computers that play Hold'em.

mod chance;
mod normal;
mod simple;

use games::holdem::Holdem;
use table::{Draw, Move};

use crate::{Advice, Computer, Decision, Sight};

impl Computer for Holdem {
    type Why = &'static str;

    fn normal(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        normal::decide(sight, draw).map(Move::Act)
    }

    fn hard(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        Self::normal(sight, draw)
    }

    fn advice(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Option<Advice<Self>> {
        let best: Move<_, _> = Self::hard(sight, draw)?;
        Some(Advice { best, why: Vec::new() })
    }
}
