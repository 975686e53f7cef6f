//! Time in matches of every game: everybody gets their full time, computers pause, everything stays visible long
//! enough.

use std::collections::BTreeMap;

use super::*;

/// The facts about a table that decide who has how much time.
struct Before {
    awaited: Option<Awaited>,
    height: Option<Height>,
    /// By seat.
    sits: Vec<Sits>,
    /// Whether a trick or a round is in progress, in a game that has them.
    trick: Option<bool>,
}

/// The occupant of a seat, as far as time is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sits {
    Person,
    Computer,
    Absent,
}

impl Before {
    fn of(room: &Room) -> Self {
        let sits = |(seat, chair): (Seat, &Chair)| match (chair.computer(), chair.player()) {
            (Some(_), _) => Sits::Computer,
            (None, Some(_)) if !room.is_away(seat) => Sits::Person,
            (None, _) => Sits::Absent,
        };
        let sits = room.chairs().map(sits).collect();
        let view = || serde_json::from_str::<serde_json::Value>(&room.play()?.view(Eye::Public)).ok();
        Self {
            awaited: room.play().map(|play| play.awaited()),
            height: room.play().map(|play| play.height()),
            sits,
            trick: view().and_then(|view| open_trick(room.game(), &view)),
        }
    }

    fn asks(&self, seat: Seat) -> bool {
        self.awaited.is_some_and(|awaited| awaited.seats().contains(seat))
    }
}

/// Whether a trick or a round is in progress, in a game that has them.
fn open_trick(game: AnyGame, view: &serde_json::Value) -> Option<bool> {
    let lies = match game {
        AnyGame::Blackout => &view["trick"],
        AnyGame::BigC => &view["table"],
        _ => return None,
    };
    Some(!lies.is_null() && lies.as_array().is_none_or(|cards| !cards.is_empty()))
}

/// An observer with a watch who knows nothing about how the room keeps its times.
#[derive(Default)]
struct Witness {
    /// Since when each seat has its current question.
    since: BTreeMap<Seat, Millis>,
    /// The time of the last visible move.
    seen: Option<Millis>,
    /// When a trick or round last ended, if nobody has moved since.
    settled: Option<Millis>,
    expiries: usize,
    pauses: usize,
    beats: usize,
    settlings: usize,
}

impl Witness {
    /// Starts when a match has just begun.
    fn come(played: &Played) -> Self {
        let asked = played.room.play().unwrap().awaited().seats();
        Self { since: asked.iter().map(|seat| (seat, played.at)).collect(), ..Self::default() }
    }

    /// Observes an event that has happened: `before` is the table before it.
    fn look(&mut self, played: &Played, before: &Before) {
        let (room, at) = (&played.room, played.at);
        let Some(Entry { events, .. }) = played.entries.last() else { return };
        let [event] = events.as_slice() else { panic!("one at a time") };
        let (pace, after) = (i64::from(room.terms().pace), Before::of(room));
        let game = room.game().name();
        match event {
            Event::Acted { seat, timeout, .. } | Event::Chose { seat, timeout, .. } => {
                let sits = before.sits[usize::from(seat.index())];
                // A seat that changes its choice has no open question.
                let took = self.since.get(seat).map(|since| at.since(*since));
                match sits {
                    Sits::Computer => {
                        assert!(took.is_some_and(|took| took >= pace), "{game}: a computer took {took:?} ms");
                        self.pauses += 1;
                    }
                    Sits::Person if *timeout => {
                        let all = i64::try_from(room.seconds().unwrap()).unwrap() * 1000;
                        assert_eq!(took, Some(all), "{game}: the time of {seat} was up");
                        self.expiries += 1;
                    }
                    Sits::Person | Sits::Absent => {}
                }
                if let (Some(settled), Sits::Computer | Sits::Absent) = (self.settled, sits) {
                    let (lay, least) = (at.since(settled), pace.min(700) + pace.min(1500));
                    assert!(lay >= least, "{game}: it was covered after {lay} ms");
                    self.settlings += 1;
                }
                if before.height != after.height {
                    (self.seen, self.settled) = (Some(at), None);
                }
            }
            Event::Dealt => {
                let lay = at.since(self.seen.expect("something was visible"));
                assert!(lay >= pace * 3 / 4, "{game}: cards were opened after {lay} ms");
                self.beats += 1;
                self.seen = Some(at);
            }
            _ => {}
        }
        let acted = matches!(event, Event::Acted { .. }) && room.stage() == Some(Stage::Deal);
        if let (Some(true), Some(false), true) = (before.trick, after.trick, acted) {
            self.settled = Some(at);
        }
        self.compare(room, event, before, &after, at);
    }

    /// Every seat has its full time from the event that made the table wait for it.
    fn compare(&mut self, room: &Room, event: &Event, before: &Before, after: &Before, at: Millis) {
        let moved = match event {
            Event::Acted { .. } | Event::Started | Event::Next => true,
            Event::Chose { .. } | Event::Ready { .. } => before.height != after.height,
            _ => false,
        };
        let kind = |awaited: Option<Awaited>| match awaited {
            Some(Awaited::Turn(_)) => (1, 0, false),
            Some(Awaited::Choices(_)) => (2, 0, false),
            Some(Awaited::Seeds(deck, asked, _)) => (3, deck, asked == Asked::Seeds),
            Some(Awaited::House | Awaited::Looking | Awaited::Nothing) | None => (0, 0, false),
        };
        let other = moved || kind(before.awaited) != kind(after.awaited);
        let mut since = BTreeMap::new();
        for (seat, _) in room.chairs().filter(|(seat, _)| after.asks(*seat)) {
            // Browsers send seeds, even for players who are away.
            let sits = |all: &Before| all.sits[usize::from(seat.index())];
            let another = kind(after.awaited).0 != 3 && sits(before) != sits(after);
            let anew = other || another || !before.asks(seat);
            let then = if anew { at } else { self.since[&seat] };
            assert_eq!(room.since(seat), Some(then), "{}: {seat} after {event:?}", room.game().name());
            since.insert(seat, then);
        }
        self.since = since;
    }
}

/// Plays with people who take their time, are too late, talk, leave and come back.
fn play(played: &mut Played, events: usize) -> Witness {
    let mut witness = Witness::come(played);
    let players = played.room.terms().players;
    let all = played.room.seconds().map_or(20_000, |seconds| i64::try_from(seconds).unwrap() * 1000);
    for _ in 0..events {
        if played.is_over() {
            break;
        }
        let before = Before::of(&played.room);
        let asked: Vec<Seat> = before.awaited.map(|awaited| awaited.seats().iter().collect()).unwrap_or_default();
        let people =
            asked.iter().filter(|seat| played.room.chair(**seat).is_some_and(|chair| chair.player().is_some()));
        let people: Vec<Seat> = people.copied().collect();
        let then = played.at.plus(played.rng.random_range(0..all * 5 / 4));
        // A step takes a moment.
        let due = played.room.due().filter(|due| due.at <= then.plus(50));
        let who = (!people.is_empty()).then(|| people[played.rng.random_range(0..people.len())]);
        match (played.rng.random_range(0..100), due, who) {
            // Somebody talks, or says they are back: that takes nobody's time.
            (0..10, ..) => {
                let who = played.rng.random_range(0..players);
                let command = match played.rng.random_range(0..3) {
                    0 => Command::Back {},
                    _ => Command::Say { text: "well".to_owned() },
                };
                if played.command(who, command).is_err() {
                    continue;
                }
            }
            (10, ..) => {
                let who = played.rng.random_range(0..players);
                if played.command(who, Command::Stand {}).is_err() {
                    continue;
                }
            }
            (_, Some(_), _) | (_, None, None) => {
                if !played.tick() {
                    played.step();
                }
            }
            (_, None, Some(_)) => {
                played.at = then;
                played.step();
            }
        }
        witness.look(played, &before);
    }
    witness
}

#[test]
fn everybody_gets_their_full_time_on_every_turn_in_every_game() {
    for game in AnyGame::ALL {
        let (mut expiries, mut pauses, mut beats) = (0, 0, 0);
        for seed in 0..6 {
            let players = most(*game);
            let mut terms = terms(*game, players);
            terms.pace = 1_200;
            terms.settings["away_after"] = 10.into();
            if *game == AnyGame::Ongdu {
                terms.settings["arrange_timeout"] = 30.into();
            }
            if seed % 2 == 1 {
                terms.settings["on_leave"] = "bot".into();
            }
            let mut played = Played::open(terms, seed);
            played.seat(if seed % 3 == 0 { players } else { 2 }, seed % 4 == 0);
            let witness = play(&mut played, 400);
            played.check();
            (expiries, pauses, beats) = (expiries + witness.expiries, pauses + witness.pauses, beats + witness.beats);
        }
        assert!(expiries > 5 && pauses > 5, "{game:?}: {expiries} expiries, {pauses} computer moves");
        // In the other games nothing is opened between two moves.
        assert!(beats > 0 || matches!(game, AnyGame::Romme | AnyGame::Blackout), "{game:?}: {beats} beats");
    }
}

/// A match of one person and computers, in which the person takes no time at all.
fn alone(game: AnyGame, pace: u32, seed: u64) -> (Played, Witness) {
    let mut terms = terms(game, most(game));
    terms.pace = pace;
    let mut played = Played::open(terms, seed);
    played.seat(1, false);
    let mut witness = Witness::come(&played);
    for _ in 0..300 {
        if played.is_over() {
            break;
        }
        let before = Before::of(&played.room);
        played.step();
        witness.look(&played, &before);
    }
    (played, witness)
}

#[test]
fn computers_pause_before_every_move_and_a_finished_trick_or_round_stays() {
    for game in AnyGame::ALL {
        let mut settlings = 0;
        for seed in 0..3 {
            let (_, witness) = alone(*game, 1_200, seed);
            assert!(witness.pauses > 3, "{game:?}: {} computer moves", witness.pauses);
            settlings += witness.settlings;
        }
        let settles = matches!(game, AnyGame::Blackout | AnyGame::BigC);
        assert_eq!(settlings > 0, settles, "{game:?}: {settlings} times a computer had to wait for people to look");
    }
}

#[test]
fn a_table_whose_computers_move_at_once_has_no_pauses() {
    for game in AnyGame::ALL {
        let (played, witness) = alone(*game, 0, 1);
        assert_eq!(witness.beats, 0, "{game:?}");
        let at = played.entries.iter().filter(|entry| matches!(entry.events.as_slice(), [Event::Dealt]));
        assert_eq!(at.count(), 0, "{game:?}");
    }
}

#[test]
fn the_bank_draws_card_by_card() {
    let drawn = (0..40).find_map(|seed| {
        let mut terms = terms(AnyGame::Blackjack, 2);
        (terms.pace, terms.session) = (1_200, format!("{seed:02x}").repeat(32));
        let mut played = Played::open(terms, 1);
        played.seat(1, false);
        while played.room.stage() == Some(Stage::Deal) {
            played.step();
        }
        let dealt = played.entries.iter().rev().take_while(|entry| matches!(entry.events.as_slice(), [Event::Dealt]));
        let at: Vec<Millis> = dealt.map(|entry| entry.at).collect();
        (at.len() >= 3).then_some(at)
    });
    let at = drawn.expect("with one of the seeds the bank draws at least two cards");
    assert!(at.windows(2).all(|pair| pair[0].since(pair[1]) == 900), "{at:?}");
}

#[test]
fn a_showdown_before_the_river_shows_hands_first_and_the_board_after_a_pause() {
    let mut terms = terms(AnyGame::Holdem, 2);
    terms.pace = 1_200;
    terms.settings["early_allin_reveal"] = true.into();
    let mut played = Played::open(terms, 1);
    played.seat(2, false);
    let act = |played: &mut Played, action: &str| {
        let play = played.room.play().unwrap();
        let (seat, height) = (play.awaited().seats().lowest().unwrap(), play.height());
        let action = RawValue::from_string(action.to_owned()).unwrap();
        played.command(seat.index(), Command::Act { height, action }).unwrap();
    };
    act(&mut played, "\"all_in\"");
    act(&mut played, "\"call\"");
    let began = played.at;
    let mut beats = Vec::new();
    while played.room.play().unwrap().awaited() == Awaited::House {
        assert!(played.tick());
        beats.push(played.at.since(began));
    }
    assert_eq!(beats, [900, 1800], "hands, and then the board");
    assert_ne!(played.room.stage(), Some(Stage::Deal));
    if let Some(due) = played.room.due() {
        let time = due.at.since(played.at);
        assert_eq!(time, SECONDS_TO_LOOK * 1000 + 3 * 900, "pages show the board in three steps before the result");
    }
    played.check();
}

#[test]
fn changing_a_choice_neither_costs_nor_adds_time_for_the_others() {
    let mut terms = terms(AnyGame::Blackjack, 3);
    terms.settings["action_timeout"] = 30.into();
    let mut played = Played::open(terms, 1);
    played.seat(3, false);
    let height = played.room.play().unwrap().height();
    let (began, [one, two, three]) = (played.at, [0, 1, 2].map(|seat| Seat::new(seat).unwrap()));
    let bet = |played: &mut Played, who: Seat, bet: u32, after: i64| {
        played.at = began.plus(after);
        let choice = RawValue::from_string(bet.to_string()).unwrap();
        played.command(who.index(), Command::Choose { height, choice }).unwrap();
    };
    bet(&mut played, one, 20, 10_000);
    bet(&mut played, one, 30, 20_000);
    assert_eq!((played.room.since(one), played.room.since(two)), (None, Some(began)));
    let countdown = |played: &Played, seat| played.room.countdown(seat).map(|one| (one.due.at, one.mine));
    assert_eq!(countdown(&played, Some(two)), Some((began.plus(30_000), true)));
    assert_eq!(
        countdown(&played, Some(one)),
        Some((began.plus(30_000), false)),
        "a player who has chosen sees the others' time"
    );
    assert_eq!(countdown(&played, None), Some((began.plus(30_000), false)));
    bet(&mut played, two, 20, 25_000);
    bet(&mut played, three, 20, 29_000);
    // All bets are shown for a moment; then the first to play has their full time.
    assert_eq!(played.room.countdown(Some(one)), None);
    while played.room.play().unwrap().awaited() == Awaited::House {
        assert!(played.tick());
    }
    let turn = played.room.play().unwrap().awaited().seats().lowest().unwrap();
    assert_eq!(countdown(&played, Some(turn)), Some((played.at.plus(30_000), true)));
}

#[test]
fn leaving_takes_no_time_from_the_player_whose_turn_it_is_and_a_computer_that_takes_over_pauses() {
    for (on_leave, other) in [("default_actions", false), ("bot", false), ("bot", true)] {
        let mut terms = terms(AnyGame::Holdem, 3);
        terms.settings["on_leave"] = on_leave.into();
        let mut played = Played::open(terms, 1);
        played.seat(3, false);
        let (turn, began) = (played.room.play().unwrap().awaited().seats().lowest().unwrap(), played.at);
        played.at = began.plus(20_000);
        let leaves = if other { turn } else { turn.left(3) };
        played.command(leaves.index(), Command::Stand {}).unwrap();
        let due = played.room.due().unwrap().at;
        if other {
            assert_eq!(due, played.at.plus(500), "a computer has taken over");
        } else {
            assert_eq!((played.room.since(turn), due), (Some(began), began.plus(30_000)), "{on_leave}");
        }
    }
}

/// Time passes until it is an absent player's turn.
fn until_away(played: &mut Played) -> Seat {
    loop {
        let turn = played.room.play().unwrap().awaited().seats().lowest();
        match turn.filter(|seat| played.room.is_away(*seat)) {
            Some(seat) => return seat,
            None => assert!(played.tick(), "one of them is there"),
        }
    }
}

#[test]
fn a_player_who_is_back_has_their_full_time_and_moves_for_absent_players_are_made_soon() {
    let mut played = Played::open(terms(AnyGame::Blackout, 2), 1);
    played.seat(2, false);
    let seat = until_away(&mut played);
    assert_eq!(played.room.due().map(|due| due.at), Some(played.at.plus(500)));
    assert_eq!(played.room.countdown(Some(seat)), None, "nobody's time runs");
    played.at = played.at.plus(300);
    played.command(seat.index(), Command::Back {}).unwrap();
    assert_eq!(played.room.due().map(|due| due.at), Some(played.at.plus(30_000)));
    // Acting means being back, too.
    let seat = until_away(&mut played);
    played.step();
    assert!(!played.room.is_away(seat));
}

#[test]
fn without_a_limit_the_others_have_ninety_seconds_once_the_first_asks_for_the_next_deal() {
    let mut terms = terms(AnyGame::Blackout, 2);
    terms.settings["action_timeout"] = 0.into();
    let mut played = Played::open(terms, 1);
    played.seat(2, false);
    while played.room.stage() == Some(Stage::Deal) {
        played.step();
    }
    played.at = played.at.plus(600_000);
    assert_eq!(played.room.due(), None);
    let deal = played.room.play().unwrap().deals_over();
    played.command(0, Command::Ready { deal }).unwrap();
    assert_eq!(played.room.due().map(|due| due.at), Some(played.at.plus(90_000)));
    played.check();
}

#[test]
fn the_house_continues_dealing_only_after_a_pause() {
    let mut played = Played::open(terms(AnyGame::Blackout, 2), 1);
    assert_eq!(played.event(Event::Dealt), Err(Refusal::NotBegun));
    played.seat(2, false);
    while played.room.play().unwrap().awaited() == Awaited::House {
        assert!(played.tick());
    }
    assert_eq!(played.event(Event::Dealt), Err(Refusal::NotAsked));
}
