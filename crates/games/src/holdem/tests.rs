//! Rules of Hold'em, one by one.

use super::Holdem;

#[test]
fn laws_hold_for_every_number_of_players() {
    dealers::laws::hold::<Holdem>();
}
