//! Computers that play Big-C.

mod bag;
mod hard;
mod memory;
mod normal;
mod plan;
mod scale;
mod simple;
mod world;

use games::bigc::BigC;
use table::{Draw, Move};

use crate::{Advice, Computer, Decision, Sight};

impl Computer for BigC {
    type Why = &'static str;

    fn normal(sight: &Sight<'_, Self>, _: &mut impl Draw) -> Decision<Self::Rules> {
        normal::decide(sight)
    }

    fn hard(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        hard::decide(sight, draw)
    }

    fn advice(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Option<Advice<Self>> {
        let best: Move<_, _> = Self::hard(sight, draw)?;
        Some(Advice { best, why: Vec::new() })
    }
}
