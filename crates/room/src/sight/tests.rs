//! What each viewer of a room is shown, told and offered.

use games::AnyGame;
use page::{CHANGE, Changing, Said, Told, beside, desk, felt};
use serde_json::value::RawValue;

use super::*;
use crate::tests::hints::{begun, hinted};
use crate::tests::{Played, SECRET, player, terms};
use crate::{Command, Hints, Keep};

/// A viewer in this seat.
pub(crate) fn looker(seat: u8) -> Looker {
    Looker {
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

/// The part of the page with the looker's own cards and buttons.
fn desk_of(room: &Room, looker: &Looker) -> String {
    desk(&frame(room, looker), show(room, looker.eye(), looker.lang, None).as_ref()).into_string()
}

fn press(played: &Played, seat: Seat, key: char, draft: Option<&str>) -> Result<Clicked, Refusal> {
    click(&played.room, seat, Lang::En, Click::Key(key), draft)
}

#[test]
fn the_others_see_once_per_turn_that_a_player_used_a_hint() {
    let mut played = begun(Hints::On, 2);
    let (me, event) = (Seat::new(0).unwrap(), hinted(&played, 0));
    let (height, since) = (played.room.play().unwrap().height(), played.room.since(me));
    assert!(!played.room.was_hinted(me, height));
    played.at = played.at.plus(5_000);
    played.event(event.clone()).unwrap();
    assert_eq!(played.room.since(me), since, "it neither costs nor adds time");
    assert_eq!(played.event(event.clone()), Err(Refusal::HintedAlready));
    assert_eq!(played.event(hinted(&played, 1)), Err(Refusal::NotAsked));
    assert_eq!((played.room.hints(me), played.room.was_hinted(me, height)), (1, true));
    let log = |lang| beside::log(played.room.told(), lang).into_string();
    assert_eq!(log(Lang::En).matches("Player 0 used a hint").count(), 1);
    assert_eq!(log(Lang::De).matches("Player 0 hat sich einen Tipp geholt").count(), 1);
    let other = looker(1);
    let shown = show(&played.room, other.eye(), Lang::En, None);
    let felt = felt(&frame(&played.room, &other), shown.as_ref()).into_string();
    assert!(felt.contains("1 hint"), "{felt}");
    played.step();
    assert!(matches!(played.event(event), Err(Refusal::Height { .. } | Refusal::HintedAlready)));
    played.check();
}

#[test]
fn the_hint_button_is_shown_only_if_hints_are_allowed() {
    for (hints, people, there) in
        [(Hints::Alone, 1, true), (Hints::Alone, 2, false), (Hints::On, 2, true), (Hints::Off, 1, false)]
    {
        let played = begun(hints, people);
        let desk = desk_of(&played.room, &looker(0));
        assert_eq!(desk.contains("data-hint"), there, "{hints:?} with {people}");
    }
}

#[test]
fn a_hint_is_computed_without_the_table_and_only_for_a_seat_whose_turn_it_is() {
    for game in AnyGame::ALL {
        let mut played = Played::open(terms(*game, 2), 5);
        played.seat(2, false);
        let play = played.room.play().unwrap();
        assert!(matches!(play.awaited(), Awaited::Turn(_) | Awaited::Choices(_)), "{game:?}");
        let asked = play.awaited().seats();
        for seat in (0..2).filter_map(Seat::new) {
            let thinking = hint(&played.room, seat, Lang::En);
            assert_eq!(thinking.is_some(), asked.contains(seat), "{game:?}");
        }
        let seat = asked.lowest().unwrap();
        let thinking = [Lang::En, Lang::De].map(|lang| hint(&played.room, seat, lang).unwrap());
        drop(played);
        let [english, german] = thinking.map(|thinking| thinking().unwrap());
        assert!(!english.what.is_empty() && english.draft == german.draft, "{game:?}: {english:?} {german:?}");
    }
}

#[test]
fn a_hint_names_the_button_that_plays_it_once_it_is_prepared() {
    for game in AnyGame::ALL {
        let mut played = Played::open(terms(*game, 3), 8);
        played.seat(3, false);
        let mut hints = 0;
        for _ in 0..60 {
            let play = played.room.play().unwrap();
            let asked = play.awaited().seats().lowest().filter(|seat| play.asks(*seat));
            if let Some(seat) = asked {
                let hint = hint(&played.room, seat, Lang::En).unwrap()().unwrap();
                let key = hint.key.unwrap_or_else(|| panic!("{game:?}: no button for {hint:?}"));
                let Ok(Clicked::Event(event, _)) = press(&played, seat, key, Some(&hint.draft)) else {
                    panic!("{game:?}: [{key}] does not {}", hint.what);
                };
                assert_eq!(hint.height, play.height());
                let [done, meant] = [Some(event), hint.event].map(|event| serde_json::to_string(&event).unwrap());
                assert_eq!(done, meant, "{game:?}: {}", hint.what);
                hints += 1;
            }
            if played.is_over() {
                break;
            }
            played.step();
        }
        assert!(hints > 5, "{game:?}: {hints}");
    }
}

#[test]
fn the_log_says_why_a_move_was_made_for_a_player() {
    for game in AnyGame::ALL {
        let mut terms = terms(*game, 2);
        if *game == AnyGame::Ongdu {
            terms.settings["arrange_timeout"] = 30.into();
        }
        let mut played = Played::open(terms, 1);
        played.keep(Keep { seen: true, ..Keep::default() });
        played.seat(2, false);
        let mut events = 0;
        while events < 60 && played.tick() {
            events += 1;
        }
        let told = played.room.told();
        for me in [0, 1].map(|seat| Seat::new(seat).unwrap()) {
            let of_me = told.iter().filter_map(|(_, line)| match line {
                Told::Line(Some(seat), said) if *seat == me => Some(said),
                Told::Line(..) | Told::Deal(_) => None,
            });
            let lines: Vec<&Said> = of_me.collect();
            assert!(!lines.is_empty(), "{game:?}");
            for (n, said) in lines.iter().enumerate() {
                // After three turns in a row a player counts as away.
                let [english, german] = if n < 3 { ["time was up", "Zeit abgelaufen"] } else { ["away", "abwesend"] };
                assert!(said.get(Lang::En).ends_with(&format!(" ({english})")), "{game:?}: {n}: {said:?}");
                assert!(said.get(Lang::De).ends_with(&format!(" ({german})")), "{game:?}: {n}: {said:?}");
            }
        }
    }
}

#[test]
fn a_choice_can_be_changed_until_the_last_has_chosen_and_the_old_one_stays_secret() {
    let mut played = Played::open(terms(AnyGame::Blackjack, 3), 1);
    played.keep(Keep { seen: true, record: true, private: true });
    played.seat(3, false);
    let height = played.room.play().unwrap().height();
    let bet = |bet: u32| RawValue::from_string(bet.to_string()).unwrap();
    let choose = |played: &mut Played, who, much| played.command(who, Command::Choose { height, choice: bet(much) });
    let desk = |played: &Played, who, draft: Option<&str>| {
        let shown = show(&played.room, looker(who).eye(), Lang::En, draft).unwrap();
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
    let Ok(Clicked::Draft(draft, None)) = press(&played, seat, CHANGE, None) else { panic!("it can be changed") };
    let (changing, _, asked, amount, kept) = desk(&played, 0, Some(&draft));
    assert_eq!((changing, asked, amount, kept.as_str()), (Changing::Begun, false, Some(30), draft.as_str()));
    choose(&mut played, 0, 50).unwrap();
    assert_eq!(desk(&played, 0, Some(&draft)).0, Changing::Begun);
    assert_eq!(desk(&played, 1, None), others, "nobody else sees that something has changed");
    let left = press(&played, seat, CHANGE, Some(&draft));
    assert!(matches!(left, Ok(Clicked::Draft(draft, None)) if draft.contains("\"changing\":null")));
    choose(&mut played, 1, 20).unwrap();
    choose(&mut played, 2, 20).unwrap();
    assert!(matches!(choose(&mut played, 0, 60), Err(Refusal::Height { .. })));
    assert_eq!(press(&played, seat, CHANGE, None).map(|_| ()).unwrap_err(), Refusal::NotAsked);
    let told = beside::log(played.room.told(), Lang::En).into_string();
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
        let shown = show(&played.room, Eye::Public, Lang::En, None).unwrap();
        let totals = shown.ending.expect("the ending is shown").standing.total;
        for (panel, total) in shown.panels.iter().zip(totals.iter()) {
            assert!(panel.facts.contains(&total.to_string()), "{}: {} is not {total}", game.name(), panel.facts);
        }
    }
}

#[test]
fn a_player_who_is_out_of_the_match_is_told_so() {
    let mut played = Played::open(terms(AnyGame::Blackjack, 3), 1);
    played.seat(3, false);
    let told = |played: &Played, seat: u8| desk_of(&played.room, &looker(seat)).contains("You are out.");
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
    let says = |played: &Played, who: u8, lang| desk_of(&played.room, &Looker { lang, ..looker(who) });
    assert!(says(&played, 0, Lang::En).contains(" Waiting for Player 1 and Player 2.</span>"));
    assert!(says(&played, 0, Lang::De).contains(" Es fehlen noch Player 1 und Player 2.</span>"));
    let commit = Command::Commit { deck: 0, commitment: "07".repeat(32) };
    played.command(1, commit.clone()).unwrap();
    assert!(says(&played, 0, Lang::De).contains(" Es fehlt noch Player 2.</span>"));
    played.command(2, commit).unwrap();
    let own = says(&played, 0, Lang::De);
    assert!(own.contains("Alle mischen gemeinsam die Karten …") && !own.contains("fehl"), "{own}");
}
