//! Rules of Blackout, one by one.

use super::Blackout;

#[test]
fn laws_hold_for_every_number_of_players() {
    dealers::laws::hold::<Blackout>();
}
