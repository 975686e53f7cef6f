//! Settings, setups, matches and what people see.

use table::{BadSetting, Breakdown, Chips, Eye, Game as _, Known, Outcome, PerSeat, Rules as _, Seats, Series as _};
use table::{SetError, Settings as _};

use super::help::{Script, seat, setup};
use crate::bigc::{Action, BigC, Choice, Deal, Few, OrderBy, Preset, Settings, Setup};

fn refused(settings: &Settings, players: u8) -> BadSetting {
    BigC::start(settings, players).unwrap_err()
}

#[test]
fn decks_follow_the_number_of_players() {
    for (players, decks) in [(2, 2), (6, 2), (7, 3), (9, 3), (10, 4), (12, 4)] {
        let setup = BigC::sample(&Settings::default(), players, 0).unwrap();
        assert_eq!((setup.decks, setup.hand_size), (decks, 13));
        assert_eq!(setup.pack(), cards::Pack::Cards { decks, jokers: decks * 2 });
    }
    let settings = Settings { decks: 6, ..Settings::default() };
    assert_eq!(BigC::sample(&settings, 2, 0).unwrap().decks, 6);
}

#[test]
fn a_setting_out_of_range_names_itself_and_its_range() {
    for (name, bad, range) in [
        ("hand_size", "4", "from 5 to 20"),
        ("hand_size", "21", "from 5 to 20"),
        ("decks", "1", "0 or from 2 to 6"),
        ("decks", "7", "0 or from 2 to 6"),
        ("pass_draws", "3", "from 0 to 2"),
        ("deals", "21", "from 1 to 20"),
        ("deals", "0", "from 1 to 20"),
        ("preset", "old", "seed or author"),
        ("order", "seats", "minigame or random"),
        ("last_chance", "perhaps", "true or false"),
    ] {
        let why = Settings::default().set(name, bad).unwrap_err();
        let SetError::Bad(why) = why else { panic!("{name} is unknown") };
        assert_eq!((why.field, why.expected.as_str()), (name, range));
    }
    assert_eq!(refused(&Settings::default(), 1).field, "players");
    assert_eq!(refused(&Settings::default(), 13).field, "players");
    assert_eq!(refused(&Settings { pass_draws: 3, ..Settings::default() }, 4).field, "pass_draws");
}

#[test]
fn at_most_three_quarters_of_the_cards_are_dealt() {
    let why = refused(&Settings { hand_size: 14, ..Settings::default() }, 6);
    assert_eq!(why.to_string(), "hand_size must be from 5 to 13 with 6 players and 2 decks");
    let why = refused(&Settings { decks: 2, ..Settings::default() }, 12);
    assert_eq!(why.field, "hand_size");
    assert!(BigC::start(&Settings { hand_size: 20, ..Settings::default() }, 4).is_ok());
}

#[test]
fn a_setup_is_checked_field_by_field() {
    for (setup, field) in [
        (Setup { players: 1, ..setup(3) }, "players"),
        (Setup { players: 13, ..setup(3) }, "players"),
        (Setup { decks: 1, ..setup(3) }, "decks"),
        (Setup { decks: 7, ..setup(3) }, "decks"),
        (Setup { hand_size: 4, ..setup(3) }, "hand_size"),
        (Setup { hand_size: 21, ..setup(3) }, "hand_size"),
        (Setup { pass_draws: 3, ..setup(3) }, "pass_draws"),
        (Setup { gone: Seats::one(seat(3)), ..setup(3) }, "gone"),
        (Setup { gone: Seats::first(2), ..setup(3) }, "gone"),
    ] {
        assert_eq!(Deal::deal(&setup).unwrap_err().field, field, "{setup:?}");
    }
    let text = serde_json::to_string(&setup(3)).unwrap();
    assert_eq!(serde_json::from_str::<Setup>(&text).unwrap(), setup(3));
    assert!(serde_json::from_str::<Setup>(&text.replace("decks", "dekcs")).is_err());
}

fn in_force(settings: &Settings) -> (u8, bool, OrderBy) {
    let setup = BigC::sample(settings, 4, 0).unwrap();
    (setup.pass_draws, setup.last_chance, setup.order)
}

#[test]
fn a_preset_decides_what_is_not_set() {
    for settings in [
        Settings::from_pairs(&[("preset", "author")]).unwrap(),
        serde_json::from_str(r#"{"preset":"author"}"#).unwrap(),
        Preset::Author.settings(),
    ] {
        assert_eq!(in_force(&settings), (1, true, OrderBy::Random));
        assert!(!settings.two_joker_triple_low);
        // What is written down is what holds.
        let written = serde_json::to_value(&settings).unwrap();
        assert_eq!((&written["preset"], &written["pass_draws"]), (&"author".into(), &1.into()));
        assert_eq!((&written["last_chance"], &written["order"]), (&true.into(), &"random".into()));
        assert_eq!(serde_json::from_value::<Settings>(written).unwrap(), settings);
    }
    assert_eq!(in_force(&Settings::from_pairs(&[("preset", "seed")]).unwrap()), (0, false, OrderBy::Minigame));
}

#[test]
fn what_is_set_wins_over_a_preset_in_any_order() {
    let set = [("preset", "author"), ("pass_draws", "0"), ("last_chance", "false"), ("order", "minigame")];
    let json = r#"{"pass_draws":0,"preset":"author","last_chance":false,"order":"minigame"}"#;
    for turn in 0..set.len() {
        let mut set = set;
        set.rotate_left(turn);
        let settings = Settings::from_pairs(&set).unwrap();
        assert_eq!(in_force(&settings), (0, false, OrderBy::Minigame), "{set:?}");
        assert_eq!(settings, serde_json::from_str(json).unwrap());
        assert_eq!(settings.preset, Preset::Author);
    }
    let some = Settings::from_pairs(&[("pass_draws", "2"), ("preset", "author")]).unwrap();
    assert_eq!(in_force(&some), (2, true, OrderBy::Random));
}

#[test]
fn settings_that_follow_a_preset_say_so_and_stand_after_it() {
    let described = Settings::described();
    let at = |name| described.iter().position(|setting| setting.name == name).unwrap();
    for setting in &described {
        let follows = ["pass_draws", "last_chance", "order"].contains(&setting.name);
        assert_eq!(setting.follows, follows.then_some("preset"), "{}", setting.name);
        assert!(!follows || at(setting.name) > at("preset"));
    }
}

#[test]
fn a_wrong_pair_is_named_and_null_is_no_value() {
    let why = Settings::from_pairs(&[("decks", "3"), ("preset", "none")]).unwrap_err();
    assert!(matches!(why, (1, SetError::Bad(BadSetting { field: "preset", .. }))), "{why:?}");
    assert!(serde_json::from_str::<Settings>(r#"{"pass_draws":null}"#).is_err());
    assert!(serde_json::from_str::<Settings>(r#"{"pass_draw":1}"#).is_err());
}

#[test]
fn the_lowest_total_wins_a_match_and_ties_are_shared() {
    let mut series = BigC::start(&Settings { deals: 2, ..Settings::default() }, 3).unwrap();
    let deal = Deal::deal(&series.next(0).unwrap()).unwrap();
    let points = |points: [i64; 3]| PerSeat::from_slice(&points.map(Chips)).unwrap();
    series.finish(&deal, &Outcome::played("went out", points([0, 5, 3])));
    assert!(!series.standing().over);
    assert_eq!(series.next(7).unwrap().first_deck, 7);
    series.finish(&deal, &Outcome::played("went out", points([3, 0, 0])));
    let standing = series.standing();
    assert!(standing.over && series.next(0).is_none());
    assert_eq!(standing.place.as_slice(), [1, 3, 1]);
    assert_eq!(standing.total.as_slice(), [Chips(3), Chips(5), Chips(3)]);
}

#[test]
fn leavers_come_last_and_the_last_to_stay_wins() {
    let mut series = BigC::start(&Settings { deals: 3, ..Settings::default() }, 3).unwrap();
    let mut deal = Deal::deal(&series.next(0).unwrap()).unwrap();
    deal.apply(&table::Faces::new(), table::Input::Gone(seat(0))).unwrap();
    let points = PerSeat::from_slice(&[Chips(0), Chips(9), Chips(4)]).unwrap();
    series.finish(&deal, &Outcome::broken(Breakdown::DealerFailed, points));
    assert_eq!(series.standing().place.as_slice(), [3, 2, 1]);
    assert_eq!(series.next(0).unwrap().gone, Seats::one(seat(0)));
    series.concede(seat(2));
    let standing = series.standing();
    assert!(standing.over);
    assert_eq!(standing.winners(), Seats::one(seat(1)));
}

#[test]
fn actions_are_written_as_people_would_write_them() {
    let few = Few::new(&[table::Slot::new(0, 3), table::Slot::new(2, 17)]).unwrap();
    let json = |action: Action| serde_json::to_string(&action).unwrap();
    assert_eq!(json(Action::Play(few)), r#"{"play":["0:3","2:17"]}"#);
    assert_eq!(json(Action::PassRole), r#""pass_role""#);
    assert_eq!(serde_json::from_str::<Action>(r#"{"play":["0:3","2:17"]}"#).unwrap(), Action::Play(few));
    let six = r#"{"play":["0:1","0:2","0:3","0:4","0:5","0:6"]}"#;
    assert!(serde_json::from_str::<Action>(six).unwrap_err().to_string().contains("at most five"));
    assert_eq!(serde_json::to_string(&Choice::Nothing).unwrap(), r#""nothing""#);
    assert_eq!(Few::new(&[table::Slot::new(0, 0); 6]), None);
}

#[test]
fn people_see_the_table_and_only_their_own_cards() {
    let hands = ["4D 4H 9C KS 3D", "4S 5D 5C 9D AS", "6D 6C 7H JK 2S"];
    let mut script = Script::begun(&setup(3), &hands, "");
    script.play(0, "4D 4H");
    let rules = script.table.rules();
    let view = rules.view(script.known(), Eye::Seat(seat(1)));
    let table = view.table.unwrap();
    assert_eq!((table.by, table.text.as_str()), (seat(0), "pair, 4H,4D"));
    let own: Vec<String> = view.hand.iter().map(|held| held.card.unwrap().to_string()).collect();
    assert_eq!(own, ["4S", "5D", "5C", "9D", "AS"]);
    assert_eq!((view.phase, view.turn, view.stock), ("playing", Some(seat(1)), 93));
    let public = rules.view(Known::public(script.table.open()), Eye::Public);
    assert!(public.hand.is_empty());
    let moves = serde_json::to_value(rules.moves(script.known(), seat(1))).unwrap();
    assert_eq!(moves["answer"]["to_beat"], "pair, 4H,4D");
    assert_eq!(moves["answer"]["hands"][0]["cards"], serde_json::json!(["5D", "5C"]));
    assert_eq!(moves["answer"]["hands"].as_array().unwrap().len(), 1);
    assert_eq!(serde_json::to_value(rules.moves(script.known(), seat(2))).unwrap(), "none");
}

#[test]
fn every_single_pair_and_triple_is_listed_and_fives_of_every_class() {
    use crate::bigc::{Class, Moves};
    let hand = "3D 4D 5D 6D 7D 7C 7H 7S KC KD KS 2S JK JK 9D";
    let other = "3C 4C 5C 6C 8C 8H 8S 8D AC AD AS 2H 9C 9H 9S";
    let script = Script::begun(&Setup { hand_size: 15, ..setup(2) }, &[hand, other], "");
    let moves = script.table.rules().moves(script.known(), seat(0));
    let Moves::Lead(options) = &moves else { panic!("{moves:?}") };
    let count = |size| {
        let mut found: Vec<Vec<table::Slot>> = Vec::new();
        options.each(size, |playable| {
            assert_eq!(playable.cards.len(), size);
            let mut slots = playable.cards.as_slice().to_vec();
            slots.sort_unstable();
            found.push(slots);
        });
        found.sort_unstable();
        found.dedup();
        found.len()
    };
    assert_eq!(count(1), 13);
    // 13 with a joker, six pairs of sevens, three of kings.
    assert_eq!(count(2), 13 + 6 + 3);
    // 13 with two jokers, nine pairs with one, four of sevens and one of kings without.
    assert_eq!(count(3), 13 + 9 + 5);
    let mut classes = std::collections::BTreeSet::new();
    options.each(5, |playable| {
        classes.insert(playable.hand.class());
    });
    let all = [Class::TwoPair, Class::Flush, Class::Straight, Class::FullHouse];
    assert!(all.iter().all(|class| classes.contains(class)), "{classes:?}");
    assert!(classes.contains(&Class::FourOfAKind) && classes.contains(&Class::FiveOfAKind));
    assert!(classes.contains(&Class::StraightFlush));
}
