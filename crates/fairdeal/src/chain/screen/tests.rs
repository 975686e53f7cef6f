//! What the screen shows, and what keys do.

use std::time::{Duration, Instant};

use ::chain::tables::{Action, Begun, DealtIn, Hand, Moment, Out, Player, Ring, Step, Terms, WhyGone};
use ::chain::{Address, Coins};
use cards::parse_cards;
use games::holdem;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use table::{Move, Seat};

use super::board::{Board, Wish};
use crate::chain::desk::{Ended, Now, Parting, Told, Want};
use crate::play::terminal::Happened;
use crate::play::testing::PLAIN;

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

fn sitting(who: u8, stack: u64) -> Player {
    Player {
        address: Address([who; 32]),
        key: [who; 32],
        stack: Coins(stack),
        bond: Coins(100_000),
        rebuy: Coins::ZERO,
        out: None,
        leaving: false,
        timeouts: 0,
        idle: 0,
    }
}

/// Seat 1, who looks, and seat 4.
fn ring(stack: u64) -> Ring {
    let mut ring = Ring::new(Terms::small("first table"), Address([9; 32]), Coins::ZERO);
    ring.chairs[0].player = Some(sitting(1, stack));
    ring.chairs[3].player = Some(sitting(4, stack));
    ring
}

/// The first hand of both, with this log. Seat 1 has the button and acts first.
fn hand(log: Vec<Step>) -> Hand {
    nth(1, log)
}

/// The same as another hand.
fn nth(number: u32, log: Vec<Step>) -> Hand {
    let dealt = |index: u8| DealtIn {
        seat: index,
        address: Address([index + 1; 32]),
        key: [index + 1; 32],
        stack: Coins(1_000),
    };
    let begun = Begun {
        deck: number,
        button: 0,
        small_blind: Coins(10),
        big_blind: Coins(20),
        early_allin_reveal: true,
        rake_bps: 0,
        players: vec![dealt(0), dealt(3)],
    };
    let bytes = borsh::to_vec(&(begun, log, Moment { height: 5, clock: 0 })).unwrap();
    borsh::from_slice(&bytes).unwrap()
}

fn act(index: u8, action: Action, timed_out: bool) -> Step {
    Step::Act { seat: index, action, timed_out }
}

fn now(hand: Option<Hand>, asked: bool) -> Now {
    let playing = hand.is_some();
    let own = parse_cards("As Kd").unwrap();
    Now {
        ring: ring(if playing { 0 } else { 1_000 }),
        hand,
        me: Some(seat(0)),
        own: playing.then_some([own[0], own[1]]),
        asked,
        unready: None,
        left: Some(15_000),
        coins: Coins(898_000),
        deck: true,
        height: 77,
        behind: 1,
        busy: None,
    }
}

struct Screen {
    board: Board,
    at: Instant,
}

impl Screen {
    fn new(told: Now) -> Self {
        let at = Instant::now();
        let mut board = Board::new(PLAIN, Duration::from_millis(600), 1, "fairdeal chain play 1", at);
        board.hear(Told::Now(Box::new(told)), at);
        Self { board, at }
    }

    fn hear(&mut self, told: Told) {
        self.board.hear(told, self.at);
    }

    /// Lets so many seconds pass.
    fn pass(&mut self, seconds: u64) {
        for _ in 0..seconds * 10 {
            self.at += Duration::from_millis(100);
            self.board.advance(self.at);
        }
    }

    fn text(&mut self) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 100, 30));
        self.board.draw(&mut buffer, self.at);
        let rows = buffer.content.chunks(100);
        rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>() + "\n").collect()
    }

    #[track_caller]
    fn shows(&mut self, what: &str) {
        let text = self.text();
        assert!(text.contains(what), "{what:?} is not on\n{text}");
    }

    fn key(&mut self, key: KeyCode) -> Option<Wish> {
        self.text();
        self.board.react(Happened::Key(key), self.at)
    }

    fn wants(&mut self, key: char) -> Option<Want> {
        match self.key(KeyCode::Char(key)) {
            Some(Wish::Want(want)) => Some(want),
            _ => None,
        }
    }
}

#[test]
fn before_the_first_hand_it_is_said_what_is_missing() {
    let mut told = now(None, false);
    told.ring.chairs[3].player = None;
    let mut screen = Screen::new(told);
    screen.shows("Table 1");
    screen.shows("Waiting for another player.");
    let mut told = now(None, false);
    told.deck = false;
    let mut screen = Screen::new(told);
    screen.shows("The validators shuffle a deck for the next hand");
    screen.shows("Seat 4");
}

#[test]
fn whose_turn_it_is_sees_their_cards_and_time_and_decides_once() {
    let mut screen = Screen::new(now(Some(hand(vec![Step::Dealt(Vec::new())])), true));
    screen.shows("your turn: 15 s left");
    screen.shows("[c] Call 10");
    screen.shows("As");
    screen.pass(4);
    screen.shows("your turn: 11 s left");
    let Some(Want::Decide(Move::Act(action))) = screen.wants('c') else { panic!("nothing is decided") };
    assert_eq!(action, holdem::Action::Call);
    screen.shows("your move is on its way");
    assert!(screen.wants('c').is_none(), "not twice");
    // Said again after every block until the table has moved on.
    screen.hear(Told::Now(Box::new(now(Some(hand(vec![Step::Dealt(Vec::new())])), true))));
    screen.shows("your move is on its way");
}

#[test]
fn a_move_of_an_earlier_hand_is_no_longer_on_its_way() {
    let dealt = || vec![Step::Dealt(Vec::new())];
    let mut screen = Screen::new(now(Some(hand(dealt())), true));
    assert!(screen.wants('c').is_some());
    screen.shows("your move is on its way");
    // In the next hand they are asked before they have seen how it began: the screen shows it step by step.
    screen.hear(Told::Now(Box::new(now(Some(nth(2, dealt())), true))));
    assert!(!screen.text().contains("on its way"), "{}", screen.text());
    screen.pass(4);
    screen.shows("[c] Call 10");
}

#[test]
fn what_others_do_is_shown_step_by_step_and_a_time_out_as_such() {
    let mut screen = Screen::new(now(Some(hand(vec![Step::Dealt(Vec::new())])), true));
    let log = vec![Step::Dealt(Vec::new()), act(0, Action::Fold, true)];
    screen.hear(Told::Over(Box::new(Ended {
        number: 1,
        hand: Some(hand(log)),
        stacks: vec![(seat(0), Coins(990)), (seat(3), Coins(1_010))],
    })));
    screen.hear(Told::Now(Box::new(now(None, false))));
    screen.pass(4);
    screen.shows("Hand 1 is over");
    screen.shows("everybody else folded");
    screen.shows("-10");
    assert!(screen.key(KeyCode::Enter).is_none());
    screen.shows("fold (time was up)");
    assert!(!screen.text().contains("Hand 1 is over"));
}

#[test]
fn how_their_own_hand_ended_can_be_read_however_fast_the_others_play() {
    let folded = || vec![Step::Dealt(Vec::new()), act(0, Action::Fold, false)];
    let over = |number: u32| {
        Told::Over(Box::new(Ended { number, hand: Some(nth(number, folded())), stacks: vec![(seat(0), Coins(990))] }))
    };
    let mut screen = Screen::new(now(Some(hand(vec![Step::Dealt(Vec::new())])), true));
    (1..=8).for_each(|number| screen.hear(over(number)));
    screen.hear(Told::Now(Box::new(now(None, false))));
    screen.pass(4);
    screen.shows("Hand 1 is over");
    assert!(screen.key(KeyCode::Enter).is_none());
    screen.pass(2);
    assert!(!screen.text().contains("Hand 1 is over"), "who has read it sees the next one");
}

#[test]
fn a_hand_that_could_not_be_dealt_is_said_to_be_refunded() {
    let mut screen = Screen::new(now(Some(hand(Vec::new())), false));
    screen.hear(Told::Over(Box::new(Ended {
        number: 1,
        hand: Some(hand(Vec::new())),
        stacks: vec![(seat(0), Coins(1_000)), (seat(3), Coins(1_000))],
    })));
    screen.pass(4);
    screen.shows("Everybody got back what they had put in.");
}

#[test]
fn somebody_who_sits_out_is_told_how_to_come_back() {
    let mut told = now(None, false);
    told.ring.chairs[0].player.as_mut().unwrap().out = Some(Out::Forced);
    let mut screen = Screen::new(told);
    screen.shows("Your time ran out twice, so you sit out a hand. Press o to come back");
    screen.shows("come back");
    assert!(matches!(screen.wants('o'), Some(Want::Return)));
    let mut screen = Screen::new(now(None, false));
    assert!(matches!(screen.wants('o'), Some(Want::SitOut)));
}

#[test]
fn chips_are_bought_up_to_what_the_table_allows_after_a_question() {
    let mut screen = Screen::new(now(None, false));
    assert!(screen.wants('m').is_none());
    screen.shows("Buy 1,000 chips?");
    assert!(matches!(screen.key(KeyCode::Enter), Some(Wish::Want(Want::Rebuy(Coins(1_000))))));
    let mut told = now(None, false);
    told.ring.chairs[0].player.as_mut().unwrap().stack = Coins(2_000);
    assert!(Screen::new(told).board.to_buy().unwrap_err().contains("as many chips as this table allows"));
    let mut told = now(None, false);
    told.coins = Coins(10);
    assert!(Screen::new(told).board.to_buy().unwrap_err().contains("not enough"));
}

#[test]
fn leaving_needs_an_answer_and_tells_what_came_back() {
    let mut screen = Screen::new(now(None, false));
    assert!(screen.wants('q').is_none());
    screen.shows("Leave the table?");
    screen.shows("fairdeal chain play 1");
    assert!(screen.key(KeyCode::Esc).is_none());
    assert!(!screen.text().contains("Leave the table?"));
    screen.wants('q');
    assert!(matches!(screen.key(KeyCode::Enter), Some(Wish::Want(Want::Leave))));
    assert_eq!(screen.board.farewell().len(), 2, "until then the seat is kept");
    let parting = Parting { why: WhyGone::Left, returned: Coins(101_000), coins: Coins(999_000) };
    screen.hear(Told::Gone(parting));
    screen.pass(3);
    assert!(screen.board.is_over(screen.at));
    assert_eq!(screen.board.farewell(), ["You left the table. 101,000 coins came back, and you have 999,000."]);
}

#[test]
fn a_lost_connection_is_said_until_it_works_again() {
    let mut screen = Screen::new(now(Some(hand(vec![Step::Dealt(Vec::new())])), false));
    screen.hear(Told::Lost("nobody answers".to_owned()));
    screen.pass(3);
    screen.shows("No connection for 3 s, trying again: nobody answers");
    screen.hear(Told::Now(Box::new(now(Some(hand(vec![Step::Dealt(Vec::new())])), false))));
    screen.shows("The connection works again.");
    assert!(!screen.text().contains("No connection"));
}

#[test]
fn a_node_that_shows_the_past_is_said_to_be_behind() {
    let mut told = now(Some(hand(vec![Step::Dealt(Vec::new())])), false);
    told.behind = 300;
    Screen::new(told).shows("The last block is 300 s old");
}

#[test]
fn somebody_who_watches_sees_no_cards_and_can_only_go() {
    let mut told = now(Some(hand(vec![Step::Dealt(Vec::new())])), false);
    (told.me, told.own) = (None, None);
    let mut screen = Screen::new(told);
    screen.shows("you are watching");
    assert!(!screen.text().contains("As"));
    assert!(screen.wants('o').is_none());
    screen.wants('q');
    screen.shows("Stop watching?");
    assert!(matches!(screen.key(KeyCode::Enter), Some(Wish::Go)));
    assert!(screen.board.farewell().is_empty());
}

#[test]
fn every_size_of_a_terminal_is_survived() {
    let mut screen = Screen::new(now(Some(hand(vec![Step::Dealt(Vec::new())])), true));
    for (width, height) in [(1, 1), (79, 24), (80, 24), (200, 60)] {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        screen.board.draw(&mut buffer, screen.at);
    }
}
