//! Who may ask for hints.

use super::*;

/// A table of two people, or of one and a computer, whose match has begun.
pub(crate) fn begun(hints: Hints, people: u8) -> Played {
    let mut played = Played::open(Terms { hints, ..terms(AnyGame::Blackout, 2) }, 1);
    played.room.keep.seen = true;
    played.seat(people, false);
    while played.room.play().unwrap().awaited().seats().lowest() != Seat::new(0) {
        assert!(played.room.stage() == Some(Stage::Deal));
        match played.room.play().unwrap().awaited() {
            Awaited::House => assert!(played.tick()),
            _ => played.step(),
        }
    }
    played
}

pub(crate) fn hinted(played: &Played, seat: u8) -> Event {
    Event::Hinted { seat: Seat::new(seat).unwrap(), height: played.room.play().unwrap().height() }
}

#[test]
fn hints_are_for_players_alone_with_computers_by_default() {
    let allowed = |hints, people| {
        let mut played = begun(hints, people);
        let event = hinted(&played, 0);
        let taken = played.event(event);
        assert_eq!(taken.is_ok(), played.room.allows_hints());
        assert!(matches!(taken, Ok(()) | Err(Refusal::NoHints)));
        taken.is_ok()
    };
    assert_eq!(
        Hints::ALL.map(|hints| (allowed(hints, 1), allowed(hints, 2))),
        [(true, false), (true, true), (false, false)]
    );
}
