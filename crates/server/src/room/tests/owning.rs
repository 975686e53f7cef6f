//! Whose table it is.

use super::*;

fn handed(seat: u8) -> Event {
    Event::Handed { seat: Seat::new(seat).unwrap() }
}

#[test]
fn only_the_new_owner_starts_a_table_that_was_handed_on() {
    let mut played = Played::open(terms(AnyGame::Holdem, 3), 1);
    for who in 0..2 {
        played.command(who, Command::Sit { seat: Seat::new(who), seeds: false }).unwrap();
    }
    let computer = Command::Computer { seat: Seat::new(2).unwrap(), level: Some(bots::Kind::Easy) };
    assert_eq!(played.command(1, computer.clone()), Err(Refusal::NotOwner));
    for (seat, why) in [(0, Refusal::NotAsked), (2, Refusal::NotSeated), (9, Refusal::NoSuchSeat)] {
        assert_eq!(played.event(handed(seat)), Err(why));
    }
    assert_eq!(played.room.owner(), Some(player(0)));
    played.event(handed(1)).unwrap();
    assert_eq!(played.room.owner(), Some(player(1)));
    assert_eq!(played.command(0, computer.clone()), Err(Refusal::NotOwner));
    played.command(1, computer).unwrap();
    // The seat of a player who is away can be freed, and the match begins without them.
    played.command(1, Command::Free { seat: Seat::new(0).unwrap() }).unwrap();
    let instead = Command::Computer { seat: Seat::new(0).unwrap(), level: Some(bots::Kind::Easy) };
    played.command(1, instead).unwrap();
    played.command(1, Command::Start {}).unwrap();
    assert_eq!(played.event(handed(1)), Err(Refusal::Begun));
    played.check();
}

#[test]
fn a_table_without_an_owner_is_not_handed_on() {
    let mut played = Played::open(Terms { owner: None, ..terms(AnyGame::Holdem, 2) }, 1);
    played.command(1, Command::Sit { seat: None, seeds: false }).unwrap();
    assert_eq!(played.event(handed(0)), Err(Refusal::NotAsked));
    assert!(played.room.owns(player(1)));
}
