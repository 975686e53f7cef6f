//! Laws of a table: its state is exactly what its log says.
//!
//! - `acting`: what it accepts from a seat
//! - `hints`: who may ask for hints
//! - `leaving`: what becomes of the match
//! - `owning`: whose table it is, and what only its owner does
//! - `talking`: the chat, and names
//! - `time`: everybody gets their full time, and everything stays visible long enough
//! - `waiting`: whom the table waits for, and for how long

mod acting;
pub(crate) mod hints;
mod leaving;
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
use crate::sight::Watched;

pub(crate) const SECRET: [u8; 32] = [9; 32];

pub(crate) fn player(n: u8) -> PlayerId {
    PlayerId([n; 16])
}

pub(crate) fn face(n: u8) -> Face {
    Face { name: format!("Player {n}"), avatar: n }
}

pub(crate) fn terms(game: AnyGame, players: u8) -> Terms {
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
pub(crate) struct Played {
    pub(crate) room: Watched,
    pub(crate) entries: Vec<Entry>,
    pub(crate) at: Millis,
    rng: Xoshiro256PlusPlus,
}

impl Played {
    pub(crate) fn open(terms: Terms, seed: u64) -> Self {
        let at = Millis(1_000_000);
        let room = Watched::open(terms.clone(), SECRET, at, Keep::default()).unwrap();
        let entries = vec![Entry { at, events: vec![Event::Opened(Box::new(terms))] }];
        Self { room, entries, at, rng: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// Keeps this as well, from the beginning of the match on.
    pub(crate) fn keep(&mut self, keep: Keep) {
        self.room.keep = keep;
    }

    pub(crate) fn event(&mut self, event: Event) -> Result<(), Refusal> {
        self.room.apply(self.at, &event)?;
        self.entries.push(Entry { at: self.at, events: vec![event] });
        Ok(())
    }

    pub(crate) fn command(&mut self, who: u8, command: Command) -> Result<(), Refusal> {
        let event = self.room.event(player(who), &face(who), command)?;
        self.event(event)
    }

    /// Fills the table with people, and computers in the last seats.
    pub(crate) fn seat(&mut self, people: u8, seeds: bool) {
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
    pub(crate) fn tick(&mut self) -> bool {
        let Some(due) = self.room.due() else { return false };
        self.at = self.at.max(due.at);
        let event = self.room.tick(&due).expect("a due event can be made");
        self.event(event).expect("a due event is accepted");
        true
    }

    /// Somebody makes a legal move: a person the table waits for, or the clock.
    pub(crate) fn step(&mut self) {
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
                    Event::Acted { height, action, .. } => {
                        self.command(seat.index(), Command::Act { height, action: action.text().to_owned() })
                    }
                    Event::Chose { height, choice, .. } => {
                        self.command(seat.index(), Command::Choose { height, choice: choice.text().to_owned() })
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

    pub(crate) fn is_over(&self) -> bool {
        self.room.stage() == Some(Stage::Over)
    }

    /// What every viewer sees.
    fn seen(room: &Room) -> Vec<String> {
        let Some(play) = room.play() else { return Vec::new() };
        let eyes = (0..room.terms().players).filter_map(Seat::new).map(Eye::Seat).chain([Eye::Public]);
        eyes.map(|eye| play.view(eye)).collect()
    }

    /// The log, parsed from its text, makes the same table; its record is valid.
    pub(crate) fn check(&self) {
        let texts: Vec<String> = self.entries.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
        let entries = || texts.iter().map(|text| serde_json::from_str::<Entry>(text).unwrap());
        let again = Room::replay(SECRET, entries(), Keep { seen: true, record: false, private: false }).unwrap();
        assert_eq!(Self::seen(&again), Self::seen(&self.room));
        assert_eq!(again.due(), self.room.due());
        assert_eq!(again.standing(), self.room.standing());
        let mut recorded = Room::replay(SECRET, entries(), Keep { seen: false, record: true, private: false }).unwrap();
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

pub(crate) fn most(game: AnyGame) -> u8 {
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
fn a_log_that_does_not_say_who_asked_for_the_next_match_is_read() {
    let old = r#"{"again":{"table":"00000000000000ab"}}"#;
    let event: Event = serde_json::from_str(old).unwrap();
    assert!(matches!(event, Event::Again { table: TableId(0xab), seat: None }));
    assert_eq!(serde_json::to_string(&event).unwrap(), old);
}
