//! Laws of a table: its state is exactly what its log says.
//!
//! - `hints`: who may ask for hints, and how the others learn of it
//! - `looking`: what each player is shown and offered
//! - `owning`: whose table it is
//! - `talking`: the chat, and names
//! - `time`: everybody gets their full time, and everything stays visible long enough
//! - `waiting`: whom the table waits for, and for how long

mod hints;
mod looking;
mod owning;
mod talking;
mod time;
mod waiting;

use dealers::Checker;
use dealers::house::{Asked, Audit, Seed};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::value::RawValue;
use table::{Eye, Height};

use super::*;
use crate::lang::Lang;

const SECRET: [u8; 32] = [9; 32];

fn player(n: u8) -> PlayerId {
    PlayerId([n; 16])
}

fn face(n: u8) -> Face {
    Face { name: format!("Player {n}"), avatar: n }
}

fn terms(game: AnyGame, players: u8) -> Terms {
    let settings = games::with_game!(game, G => {
        serde_json::to_value(<G as table::Game>::Settings::default()).unwrap()
    });
    Terms {
        game: game.name().to_owned(),
        rules: 1,
        players,
        settings,
        owner: Some(player(0)),
        listed: true,
        reveal: "auto".to_owned(),
        pace: 500,
        hints: Hints::On,
        session: "ab".repeat(32),
    }
}

/// A table with the log that made it.
struct Played {
    room: Room,
    entries: Vec<Entry>,
    at: Millis,
    rng: Xoshiro256PlusPlus,
}

impl Played {
    fn open(terms: Terms, seed: u64) -> Self {
        let at = Millis(1_000_000);
        let room = Room::open(terms.clone(), SECRET, at, Keep::default()).unwrap();
        let entries = vec![Entry { at, events: vec![Event::Opened(Box::new(terms))] }];
        Self { room, entries, at, rng: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    fn event(&mut self, event: Event) -> Result<(), Refusal> {
        self.room.apply(self.at, &event)?;
        self.entries.push(Entry { at: self.at, events: vec![event] });
        Ok(())
    }

    fn command(&mut self, who: u8, command: Command) -> Result<(), Refusal> {
        let event = self.room.event(player(who), &face(who), command)?;
        self.event(event)
    }

    /// Fills the table with people, and computers in the last seats.
    fn seat(&mut self, people: u8, seeds: bool) {
        let players = self.room.terms().players;
        for who in 0..people {
            self.command(who, Command::Sit { seat: Seat::new(who), seeds }).unwrap();
        }
        for seat in people..players {
            let seat = Seat::new(seat).unwrap();
            self.command(0, Command::Computer { seat, level: Some(bots::Kind::Easy) }).unwrap();
        }
        self.command(0, Command::Start {}).unwrap();
    }

    /// Does everything that is due.
    fn tick(&mut self) -> bool {
        let Some(due) = self.room.due() else { return false };
        self.at = self.at.max(due.at);
        let event = self.room.tick(&due).expect("a due event can be made");
        self.event(event).expect("a due event is accepted");
        true
    }

    /// Somebody makes a legal move: a person the table waits for, or the clock.
    fn step(&mut self) {
        self.at = self.at.plus(50);
        let play = self.room.play().expect("it has begun");
        let people: Vec<Seat> =
            play.awaited().seats().iter().filter(|seat| self.room.chair(*seat).unwrap().player().is_some()).collect();
        let who = people.get(self.rng.random_range(0..people.len().max(1))).copied();
        match (play.awaited(), who) {
            (Awaited::Seeds(deck, asked, _), Some(seat)) => {
                let seed = Seed { seed: [seat.index(); 32], nonce: [7; 32] };
                let commitment = seed.commitment(&[0xab; 32], deck, seat);
                let command = match asked {
                    Asked::Commitments => Command::Commit { deck, commitment: table::record::hex(&commitment.0) },
                    Asked::Seeds => {
                        Command::Reveal { deck, seed: table::record::hex(&seed.seed), nonce: "07".repeat(32) }
                    }
                };
                self.command(seat.index(), command).expect("the seed is accepted");
            }
            (Awaited::Turn(_) | Awaited::Choices(_), Some(seat)) => {
                // People play like easy computers.
                match play.ponder(seat, bots::Kind::Easy)().expect("there is something to do") {
                    Event::Acted { height, action, .. } => self.command(seat.index(), Command::Act { height, action }),
                    Event::Chose { height, choice, .. } => {
                        self.command(seat.index(), Command::Choose { height, choice })
                    }
                    other => panic!("{other:?}"),
                }
                .expect("a computer's move is accepted");
            }
            // There is no time limit, or all people are out and want to see how it ends.
            (Awaited::Looking, _) if self.room.due().is_none() => {
                let (deal, looking) = (play.deals_over(), self.room.looking());
                let waits = |seat: Seat| looking.is_empty() || looking.contains(seat);
                let person = self.room.chairs().find(|(seat, chair)| chair.player().is_some() && waits(*seat));
                let (who, _) = person.expect("without people it is over");
                self.command(who.index(), Command::Ready { deal }).expect("the deal is over");
            }
            _ => {
                assert!(self.tick(), "somebody or the clock must move: {:?}", self.room.play().unwrap().awaited());
            }
        }
    }

    fn is_over(&self) -> bool {
        self.room.stage() == Some(Stage::Over)
    }

    /// What every viewer sees.
    fn seen(room: &Room) -> Vec<String> {
        let Some(play) = room.play() else { return Vec::new() };
        let eyes = (0..room.terms().players).filter_map(Seat::new).map(Eye::Seat).chain([Eye::Public]);
        eyes.map(|eye| play.view(eye)).collect()
    }

    /// The log, parsed from its text, makes the same table; its record is valid.
    fn check(&self) {
        let texts: Vec<String> = self.entries.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
        let entries = || texts.iter().map(|text| serde_json::from_str::<Entry>(text).unwrap());
        let again = Room::replay(SECRET, entries(), Keep { words: true, record: false, private: false }).unwrap();
        assert_eq!(Self::seen(&again), Self::seen(&self.room));
        assert_eq!(again.due(), self.room.due());
        assert_eq!(again.standing(), self.room.standing());
        let mut recorded =
            Room::replay(SECRET, entries(), Keep { words: false, record: true, private: false }).unwrap();
        let record = recorded.take_record();
        games::with_game!(self.room.game(), G => {
            let mut checker = Checker::<G, Audit>::new(Audit::new());
            for line in record.lines() {
                checker.line(line).unwrap_or_else(|why| panic!("{why}: {line}"));
            }
            if self.is_over() {
                checker.end().unwrap();
            }
        });
    }
}

fn most(game: AnyGame) -> u8 {
    games::with_game!(game, G => (*G::PLAYERS.end()).min(4))
}

#[test]
fn every_table_is_what_its_log_says_and_its_record_is_valid() {
    for game in AnyGame::ALL {
        for seed in 0..3 {
            let players = most(*game);
            let mut played = Played::open(terms(*game, players), seed);
            played.seat(if seed == 0 { players } else { 2 }, seed != 1);
            for _ in 0..400 {
                if played.is_over() {
                    break;
                }
                played.step();
            }
            played.check();
        }
    }
}

#[test]
fn anybody_may_leave_at_any_time_and_the_match_continues() {
    for game in AnyGame::ALL {
        for seed in 0..12 {
            let players = most(*game);
            let mut terms = terms(*game, players);
            if seed % 2 == 1 {
                terms.settings["on_leave"] = "bot".into();
            }
            let mut played = Played::open(terms, seed);
            played.seat(players, false);
            let leaves = played.rng.random_range(0..60);
            for n in 0..300 {
                if played.is_over() {
                    break;
                }
                if n == leaves {
                    let who = played.rng.random_range(0..players);
                    played.command(who, Command::Stand {}).unwrap();
                    assert_eq!(played.command(who, Command::Stand {}), Err(Refusal::NotSeated));
                    assert_eq!(played.command(who, Command::Sit { seat: None, seeds: false }), Err(Refusal::Begun));
                } else {
                    played.step();
                }
            }
            played.check();
        }
    }
}

#[test]
fn when_one_player_is_left_the_match_is_over_at_once() {
    for game in AnyGame::ALL {
        for seed in 0..12 {
            let players = most(*game);
            let mut played = Played::open(terms(*game, players), seed);
            played.seat(players, seed % 2 == 0);
            // In the middle of a deal, or between two.
            let (steps, between) = (played.rng.random_range(0..80), seed % 3 == 2);
            for n in 0..400 {
                let now = if between { played.room.stage() == Some(Stage::Between) } else { n == steps };
                if now || played.is_over() {
                    break;
                }
                played.step();
            }
            let last = played.rng.random_range(0..players);
            for who in (0..players).filter(|who| *who != last) {
                if !played.is_over() {
                    played.command(who, Command::Stand {}).unwrap();
                }
            }
            assert!(played.is_over(), "{game:?}, seed {seed}: {:?}", played.room.play().unwrap().awaited());
            played.check();
        }
    }
}

#[test]
fn a_joker_is_refused_where_the_order_of_play_is_found() {
    for seed in 0..200 {
        // Other cards for every session.
        let mut played = Played::open(Terms { session: format!("{seed:064x}"), ..terms(AnyGame::BigC, 2) }, seed);
        played.seat(2, false);
        let play = played.room.play().unwrap();
        let hand: serde_json::Value = serde_json::from_str(&play.view(Eye::Seat(Seat::default()))).unwrap();
        let hand = hand["hand"].as_array().unwrap();
        let Some(joker) = hand.iter().find(|held| held["card"] == "JK") else { continue };
        let choice = RawValue::from_string(serde_json::json!({ "show": joker["slot"] }).to_string()).unwrap();
        let show = Command::Choose { height: play.height(), choice };
        let Err(Refusal::Illegal(said)) = played.command(0, show) else { panic!("a joker was shown") };
        assert!(format!("{said:?}").contains("a joker cannot be shown"), "{said:?}");
        return;
    }
    panic!("nobody was dealt a joker");
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
fn when_the_last_person_leaves_the_match_ends_with_the_deal() {
    for game in AnyGame::ALL {
        for between in [false, true] {
            let mut terms = terms(*game, most(*game));
            terms.settings["on_leave"] = "bot".into();
            let mut played = Played::open(terms, 1);
            played.seat(1, true);
            while between && played.room.stage() == Some(Stage::Deal) {
                played.step();
            }
            let deals = played.room.play().unwrap().deals_over();
            if !played.is_over() {
                played.command(0, Command::Stand {}).unwrap();
            }
            while played.tick() {}
            assert!(played.is_over(), "{game:?}");
            let after = played.room.play().unwrap().deals_over();
            assert_eq!(after, deals.max(1), "{game:?}: no deal is played for nobody");
            played.check();
        }
    }
}

#[test]
fn a_match_with_too_many_events_ends() {
    let mut played = Played::open(terms(AnyGame::Holdem, 2), 1);
    played.seat(2, false);
    played.room.events = MOST_EVENTS;
    assert_eq!(played.command(0, Command::Back {}), Err(Refusal::Full));
    assert_eq!(played.command(0, Command::Say { text: "Oh!".to_owned() }), Ok(()), "that is not counted");
    assert_eq!(played.room.stage(), Some(Stage::Deal), "the deal on the table is played to its end");
    let mut steps = 0;
    while !played.is_over() {
        played.step();
        steps += 1;
        assert!(steps < 100);
    }
    assert_eq!(played.room.play().unwrap().deals_over(), 1);
    assert_eq!(played.room.due(), None);
}

#[test]
fn an_action_is_stored_without_needless_spaces() {
    let mut played = Played::open(terms(AnyGame::Blackout, 2), 1);
    played.seat(2, false);
    let play = played.room.play().unwrap();
    let Awaited::Turn(turn) = play.awaited() else { panic!("somebody bids") };
    let long = format!("{{{}\"bid\" : 0}}", " ".repeat(60_000));
    let act = Command::Act { height: play.height(), action: RawValue::from_string(long).unwrap() };
    played.command(turn.index(), act).unwrap();
    let entry = serde_json::to_string(played.entries.last().unwrap()).unwrap();
    assert!(entry.contains(r#""action":{"bid":0}"#) && entry.len() < 200, "{} letters", entry.len());
    played.check();
}

#[test]
fn nobody_acts_for_another_seat_or_twice_or_too_late() {
    let mut played = Played::open(terms(AnyGame::Blackout, 3), 1);
    played.seat(3, false);
    let play = played.room.play().unwrap();
    let Awaited::Turn(turn) = play.awaited() else { panic!("somebody bids") };
    let height = play.height();
    let bid = || RawValue::from_string(r#"{"bid":0}"#.to_owned()).unwrap();
    let other = (turn.index() + 1) % 3;
    let before = Played::seen(&played.room);
    let act = |height| Command::Act { height, action: bid() };
    assert_eq!(played.command(other, act(height)), Err(Refusal::NotAsked));
    assert_eq!(played.command(7, act(height)), Err(Refusal::NotSeated));
    let late = Height(height.0 + 1);
    assert_eq!(played.command(turn.index(), act(late)), Err(Refusal::Height { now: height, got: late }));
    let nonsense = Command::Act { height, action: RawValue::from_string("[1,{}]".to_owned()).unwrap() };
    assert!(matches!(played.command(turn.index(), nonsense), Err(Refusal::NotAMove(_))));
    let much = Command::Act { height, action: RawValue::from_string(r#"{"bid":99}"#.to_owned()).unwrap() };
    assert!(matches!(played.command(turn.index(), much), Err(Refusal::Illegal(_))));
    assert_eq!(Played::seen(&played.room), before);
    played.command(turn.index(), act(height)).unwrap();
    assert!(matches!(played.command(turn.index(), act(height)), Err(Refusal::Height { .. })));
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

#[test]
fn names_and_messages_are_visible_and_not_too_long() {
    let mut played = Played::open(terms(AnyGame::Holdem, 2), 1);
    for text in ["", "  ", "a\nb", "\u{202e}abc", &"x".repeat(401)] {
        assert!(played.command(0, Command::Say { text: text.to_owned() }).is_err(), "{text:?}");
    }
    let nothing =
        ["\u{3164}", "\u{115f}", "\u{1160}\u{ffa0}", "\u{2800}\u{2800}", "\u{ad}", "\u{61c}", "\u{e0041}\u{e0042}"];
    for nothing in nothing.into_iter().chain(["\u{fe0f}", "\u{180b}", "\u{2060}", "\u{a0}\u{3000}"]) {
        assert!(check_text(nothing, LONGEST_NAME).is_err(), "{nothing:?} is invisible");
    }
    for hidden in ["An\u{ad}na", "Anna\u{3164}", "Anna\u{e0041}", "\u{61c}Anna", "An\u{34f}na"] {
        assert!(check_text(hidden, LONGEST_NAME).is_err(), "{hidden:?} looks like another name");
    }
    for name in ["Anna", "Jörg-Uwe O'Neill", "ﷺ", "♥\u{fe0f}", "葛\u{e0100}", "🂡", "а", "하늘"] {
        assert!(check_text(name, LONGEST_NAME).is_ok(), "{name:?}");
    }
    played.command(0, Command::Say { text: "<b>hello</b> ♥ 你好".to_owned() }).unwrap();
    assert_eq!(played.room.said().count(), 1);
    let event = Event::Sat {
        seat: Seat::new(0).unwrap(),
        who: Sitter::Player { player: player(1), face: Face { name: "x".repeat(25), avatar: 1 }, seeds: false },
    };
    assert!(played.event(event).is_err());
}

#[test]
fn a_seed_that_does_not_match_leaves_its_seat_out_and_the_deal_continues() {
    let mut played = Played::open(terms(AnyGame::Holdem, 2), 1);
    played.seat(2, true);
    let mut asked = 0;
    while let Awaited::Seeds(deck, kind, seats) = played.room.play().unwrap().awaited() {
        let seat = seats.lowest().unwrap();
        let command = match kind {
            Asked::Commitments => Command::Commit { deck, commitment: "11".repeat(32) },
            Asked::Seeds => Command::Reveal { deck, seed: "22".repeat(32), nonce: "33".repeat(32) },
        };
        played.command(seat.index(), command).unwrap();
        asked += 1;
        assert!(asked < 20);
    }
    assert!(asked >= 4);
    played.check();
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
            let thinking = play.hint(seat, Lang::En);
            assert_eq!(thinking.is_some(), asked.contains(seat), "{game:?}");
        }
        let seat = asked.lowest().unwrap();
        let thinking = [Lang::En, Lang::De].map(|lang| play.hint(seat, lang).unwrap());
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
                let hint = play.hint(seat, Lang::En).unwrap()().unwrap();
                let key = hint.key.unwrap_or_else(|| panic!("{game:?}: no button for {hint:?}"));
                let draft = RawValue::from_string(hint.draft).unwrap();
                let Ok(Pressed::Event(event, _)) = play.press(seat, Lang::En, key, Some(&*draft)) else {
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
fn a_log_that_does_not_say_who_asked_for_the_next_match_is_read() {
    let old = r#"{"again":{"table":"00000000000000ab"}}"#;
    let event: Event = serde_json::from_str(old).unwrap();
    assert!(matches!(event, Event::Again { table: TableId(0xab), seat: None }));
    assert_eq!(serde_json::to_string(&event).unwrap(), old);
}
