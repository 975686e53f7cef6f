//! Rules of Rommé, one by one.

use super::Romme;

#[test]
fn laws_hold_for_every_number_of_players() {
    dealers::laws::hold::<Romme>();
}
