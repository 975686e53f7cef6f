//! Ongdu's screen: matches of random moves.

use super::*;
use crate::play::testing::screens_hold;

#[test]
fn every_position_can_be_looked_at() {
    screens_hold::<Ongdu>(2, &[], 2, 1);
    screens_hold::<Ongdu>(6, &[("arrange_timeout", "30")], 2, 2);
    screens_hold::<Ongdu>(4, &[("preset", "author")], 2, 3);
}
