//! Whose table it is, and what only its owner does.

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

#[test]
fn computers_alone_do_not_start() {
    let mut played = Played::open(terms(AnyGame::Holdem, 2), 1);
    for seat in [0, 1] {
        let seat = Seat::new(seat).unwrap();
        played.command(0, Command::Computer { seat, level: Some(bots::Kind::Easy) }).unwrap();
    }
    assert_eq!(played.command(0, Command::Start {}), Err(Refusal::Nobody));
    played.command(0, Command::Sit { seat: Seat::new(0), seeds: false }).unwrap();
    played.command(0, Command::Start {}).unwrap();
}

#[test]
fn the_owner_frees_seats_of_others_before_the_match() {
    let mut played = Played::open(terms(AnyGame::ALL[0], 2), 3);
    let free = |seat: u8| Command::Free { seat: Seat::new(seat).unwrap() };
    for who in 0..2 {
        played.command(who, Command::Sit { seat: Seat::new(who), seeds: false }).unwrap();
    }
    assert_eq!(played.command(1, free(0)), Err(Refusal::NotOwner));
    assert_eq!(played.command(0, free(0)), Err(Refusal::NotSeated), "a player who wants to leave stands up");
    assert_eq!(played.command(0, free(2)), Err(Refusal::NoSuchSeat));
    played.command(0, free(1)).unwrap();
    assert_eq!(played.room.seat_of(player(1)), None);
    assert_eq!(played.command(0, free(1)), Err(Refusal::NotSeated));
    played.command(2, Command::Sit { seat: None, seeds: false }).unwrap();
    played.command(0, Command::Start {}).unwrap();
    assert_eq!(played.command(0, free(1)), Err(Refusal::Begun));
}

#[test]
fn only_the_owner_seats_computers_and_starts() {
    let mut played = Played::open(terms(AnyGame::Holdem, 3), 1);
    let sit = |seat: u8| Command::Sit { seat: Seat::new(seat), seeds: true };
    played.command(1, sit(1)).unwrap();
    assert_eq!(played.command(1, sit(2)), Err(Refusal::SeatedAlready(Seat::new(1).unwrap())));
    assert_eq!(played.command(2, sit(1)), Err(Refusal::Taken(Seat::new(1).unwrap())));
    assert_eq!(played.command(2, sit(9)), Err(Refusal::NoSuchSeat));
    played.command(0, sit(0)).unwrap();
    let computer = |seat: u8| Command::Computer { seat: Seat::new(seat).unwrap(), level: Some(bots::Kind::Hard) };
    assert_eq!(played.command(1, computer(2)), Err(Refusal::NotOwner));
    assert_eq!(played.command(0, computer(1)), Err(Refusal::Taken(Seat::new(1).unwrap())));
    assert_eq!(played.command(0, Command::Start {}), Err(Refusal::EmptyChairs(1)));
    played.command(0, computer(2)).unwrap();
    assert_eq!(played.command(3, sit(2)), Err(Refusal::Taken(Seat::new(2).unwrap())));
    assert_eq!(played.command(1, Command::Start {}), Err(Refusal::NotOwner));
    played.command(0, Command::Start {}).unwrap();
    assert_eq!(played.command(0, Command::Start {}), Err(Refusal::Begun));
    assert_eq!(played.command(0, computer(2)), Err(Refusal::Begun));
    played.check();
}
