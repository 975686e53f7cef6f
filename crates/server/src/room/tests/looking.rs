//! What each player is shown and offered.

use super::*;

#[test]
fn a_choice_can_be_changed_until_the_last_has_chosen_and_the_old_one_stays_secret() {
    let mut played = Played::open(terms(AnyGame::Blackjack, 3), 1);
    played.room.keep = Keep { words: true, record: true, private: true };
    played.seat(3, false);
    let height = played.room.play().unwrap().height();
    let bet = |bet: u32| RawValue::from_string(bet.to_string()).unwrap();
    let choose = |played: &mut Played, who, much| played.command(who, Command::Choose { height, choice: bet(much) });
    let desk = |played: &Played, who, draft: Option<&RawValue>| {
        let shown = played.room.play().unwrap().show(Eye::Seat(Seat::new(who).unwrap()), Lang::En, draft);
        (shown.changing, shown.says.0, shown.asked, shown.amount.map(|(_, now)| now), shown.draft)
    };
    choose(&mut played, 0, 30).unwrap();
    let others = desk(&played, 1, None);
    let (changing, says, ..) = desk(&played, 0, None);
    assert_eq!((changing, says.as_str()), (Changing::Offered, "You have bet 30; waiting for Player 1 and Player 2 …"));
    assert!(matches!(choose(&mut played, 0, 30), Err(Refusal::ChosenAlready)));
    assert!(matches!(choose(&mut played, 0, 9), Err(Refusal::Illegal(_))), "a bet that small is not allowed");
    // The player starts to change it, finds the old bet, and bets something else.
    let seat = Seat::new(0).unwrap();
    let Ok(Pressed::Draft(draft, None)) = played.room.play().unwrap().press(seat, Lang::En, CHANGE, None) else {
        panic!("it can be changed")
    };
    let draft = RawValue::from_string(draft).unwrap();
    let (changing, _, asked, amount, kept) = desk(&played, 0, Some(&draft));
    assert_eq!((changing, asked, amount, kept.as_str()), (Changing::Begun, false, Some(30), draft.get()));
    choose(&mut played, 0, 50).unwrap();
    assert_eq!(desk(&played, 0, Some(&draft)).0, Changing::Begun);
    assert_eq!(desk(&played, 1, None), others, "nobody else sees that something has changed");
    let left = played.room.play().unwrap().press(seat, Lang::En, CHANGE, Some(&draft));
    assert!(matches!(left, Ok(Pressed::Draft(draft, None)) if draft.contains("\"changing\":null")));
    choose(&mut played, 1, 20).unwrap();
    choose(&mut played, 2, 20).unwrap();
    assert!(matches!(choose(&mut played, 0, 60), Err(Refusal::Height { .. })));
    assert_eq!(
        played.room.play().unwrap().press(seat, Lang::En, CHANGE, None).map(|_| ()).unwrap_err(),
        Refusal::NotAsked
    );
    let told = crate::page::beside::log(&played.room, Lang::En).into_string();
    assert!(told.contains("Player 0 bets 50") && !told.contains("30"), "{told}");
    let record = played.room.take_record();
    assert!(record.contains("[[0,50],[1,20],[2,20]]") && record.matches("\"choices\":[").count() == 1, "{record}");
    Room::replay(SECRET, played.entries, Keep::default()).expect("a log with changed choices can be replayed");
}

#[test]
fn between_deals_every_seat_shows_its_current_total() {
    for game in AnyGame::ALL {
        let mut played = Played::open(terms(*game, 2), 3);
        played.seat(2, false);
        while played.room.stage() == Some(Stage::Deal) {
            let play = played.room.play().unwrap();
            assert!((0..2).filter_map(Seat::new).all(|seat| play.takes_part(seat)), "{}: who is out?", game.name());
            played.step();
        }
        if played.is_over() {
            continue;
        }
        let shown = played.room.play().unwrap().show(Eye::Public, Lang::En, None);
        let totals = shown.ending.expect("the ending is shown").standing.total;
        for (panel, total) in shown.panels.iter().zip(totals.iter()) {
            assert!(panel.facts.contains(&total.to_string()), "{}: {} is not {total}", game.name(), panel.facts);
        }
    }
}

/// A viewer in this seat.
pub(super) fn looker(seat: u8) -> crate::page::table::Looker {
    crate::page::table::Looker {
        absent: Seats::NONE,
        lang: Lang::En,
        seat: Seat::new(seat),
        player: player(seat),
        moderates: false,
        owns: false,
        code: None,
        link: String::new(),
        address: String::new(),
    }
}

#[test]
fn a_player_who_is_out_of_the_match_is_told_so() {
    let mut played = Played::open(terms(AnyGame::Blackjack, 3), 1);
    played.seat(3, false);
    let told = |played: &Played, seat: u8| {
        let shown = played.room.play().map(|play| play.show(Eye::Seat(Seat::new(seat).unwrap()), Lang::En, None));
        crate::page::table::desk(&played.room, shown.as_ref(), &looker(seat)).into_string().contains("You are out.")
    };
    // Everybody bets, and then the first player gives up the whole match.
    for who in 0..3 {
        let height = played.room.play().unwrap().height();
        let choice = RawValue::from_string("20".to_owned()).unwrap();
        played.command(who, Command::Choose { height, choice }).unwrap();
    }
    assert!(played.tick(), "the house deals");
    let Awaited::Turn(turn) = played.room.play().unwrap().awaited() else { panic!("it is somebody's turn") };
    assert!((0..3).all(|seat| !told(&played, seat)));
    let height = played.room.play().unwrap().height();
    let action = RawValue::from_string("\"surrender\"".to_owned()).unwrap();
    played.command(turn.index(), Command::Act { height, action }).unwrap();
    assert!((0..3).all(|seat| told(&played, seat) == (seat == turn.index())));
}

#[test]
fn while_cards_are_shuffled_everybody_reads_which_others_are_missing() {
    let mut played = Played::open(terms(AnyGame::Holdem, 3), 1);
    played.seat(3, true);
    let says = |played: &Played, who: u8, lang| {
        let seat = Seat::new(who);
        let looker = crate::page::table::Looker {
            lang,
            player: player(who),
            seat,
            absent: Seats::NONE,
            owns: false,
            moderates: false,
            code: None,
            link: String::new(),
            address: String::new(),
        };
        let shown = played.room.play().unwrap().show(Eye::Seat(seat.unwrap()), lang, None);
        crate::page::table::desk(&played.room, Some(&shown), &looker).into_string()
    };
    assert!(says(&played, 0, Lang::En).contains(" Waiting for Player 1 and Player 2.</span>"));
    assert!(says(&played, 0, Lang::De).contains(" Es fehlen noch Player 1 und Player 2.</span>"));
    let commit = Command::Commit { deck: 0, commitment: "07".repeat(32) };
    played.command(1, commit.clone()).unwrap();
    assert!(says(&played, 0, Lang::De).contains(" Es fehlt noch Player 2.</span>"));
    played.command(2, commit).unwrap();
    let own = says(&played, 0, Lang::De);
    assert!(own.contains("Alle mischen gemeinsam die Karten …") && !own.contains("fehl"), "{own}");
}
