use cards::Card;
use games::blackout::{Action, Blackout, Deal, Settings, Setup};
use table::{Awaiting, Height, Move, Rules as _, Seat, Seats, Slot, Table};

use super::Why;
use super::guess::Guess;
use super::set::{Set, place};
use crate::Kind;
use crate::trial::Trial;

fn seat(n: u8) -> Seat {
    Seat::new(n).unwrap()
}

/// A round with these hands and this card turned up, dealt by the last seat. Seat 0 leads.
fn round(hands: &[&str], turned: Option<&str>) -> (Trial<Blackout>, Table<Deal>) {
    let hands: Vec<Vec<Card>> = hands.iter().map(|text| cards::parse_cards(text).unwrap()).collect();
    let players = u8::try_from(hands.len()).unwrap();
    let setup = Setup {
        players,
        dealer: Some(seat(players - 1)),
        cards: u8::try_from(hands[0].len()).unwrap(),
        trump: turned.is_some(),
        hook: false,
        points_for_correct_bet: 10,
        gone: Seats::NONE,
        first_deck: 0,
    };
    let mut trial = Trial::new(Settings::default(), 7);
    for (i, hand) in hands.iter().enumerate() {
        for (j, card) in hand.iter().enumerate() {
            trial.faces.insert(Slot::new(0, u16::try_from(j * hands.len() + i).unwrap()), *card);
        }
    }
    if let Some(turned) = turned {
        let dealt = hands.len() * hands[0].len();
        trial.faces.insert(Slot::new(0, u16::try_from(dealt).unwrap()), turned.parse().unwrap());
    }
    let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
    trial.fill(&mut table);
    (trial, table)
}

fn bids(trial: &mut Trial<Blackout>, table: &mut Table<Deal>, bids: &[u8]) {
    for (bid, n) in bids.iter().zip(0u8..) {
        trial.act(table, seat(n), &Action::Bid(*bid));
    }
}

fn plays(trial: &mut Trial<Blackout>, table: &mut Table<Deal>, cards: &[&str]) {
    for card in cards {
        let Awaiting::Turn(seat) = table.awaiting() else { panic!("it is nobody's turn to play {card}") };
        let face: Card = card.parse().unwrap();
        let slot = (0..52).map(|i| Slot::new(0, i)).find(|slot| trial.faces.get(*slot) == Some(face)).unwrap();
        trial.act(table, seat, &Action::Play(slot));
    }
}

fn bid_of(trial: &mut Trial<Blackout>, table: &Table<Deal>, n: u8, kind: Kind) -> u8 {
    match trial.decide(table, seat(n), kind) {
        Some(Move::Act(Action::Bid(bid))) => bid,
        other => panic!("expected a bid, got {other:?}"),
    }
}

fn card_of(trial: &mut Trial<Blackout>, table: &Table<Deal>, n: u8, kind: Kind) -> Card {
    match trial.decide(table, seat(n), kind) {
        Some(Move::Act(Action::Play(slot))) => trial.faces.get(slot).unwrap(),
        other => panic!("expected a card, got {other:?}"),
    }
}

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

const CLEVER: [Kind; 2] = [Kind::Normal, Kind::Hard];

#[test]
fn computers_of_all_kinds_finish_matches_of_every_size() {
    for players in 2..=7 {
        for (n, options) in (0u64..).zip([
            Settings { max: 4, ..Settings::default() },
            Settings { start: 3, max: 3, end: 1, hook: true, points_for_correct_bet: 0, ..Settings::default() },
            Settings { start: 5, max: 6, end: 6, no_trump_rounds: vec![1], reserve_trump: true, ..Settings::default() },
            Settings { start: 7, max: 7, end: 7, points_for_correct_bet: 100, hook: true, ..Settings::default() },
        ]) {
            let kinds = [Kind::Hard, Kind::Random, Kind::Normal, Kind::Hard, Kind::Easy];
            assert!(Trial::<Blackout>::new(options, 10 * n + u64::from(players)).play_match(players, &kinds) > 0);
        }
    }
}

#[test]
fn computers_play_the_largest_rounds() {
    for (players, max) in [(2, 26), (2, 25), (3, 17), (4, 13), (5, 10), (6, 8)] {
        let settings = Settings { start: max, max, end: max, ..Settings::default() };
        assert!(Trial::<Blackout>::new(settings, 3).play_match(players, &CLEVER) > 0);
    }
}

#[test]
fn computers_continue_after_a_player_has_left() {
    for inputs in 1..30 {
        let hands = ["2C 3C 4C 5C 6C", "7D 8D 9D TD JD", "AH KH QH JH TH", "2S 3S 4S AS KS"];
        let (mut trial, mut table) = round(&hands, Some("9H"));
        trial.play(&mut table, &CLEVER, inputs);
        if table.awaiting() != Awaiting::Over {
            table.gone(table.height(), seat(1)).unwrap();
        }
        trial.play(&mut table, &CLEVER, usize::MAX);
        assert_eq!(table.awaiting(), Awaiting::Over);
    }
}

#[test]
fn a_single_high_trump_is_bid_and_a_low_card_of_another_suit_is_not() {
    let (mut trial, mut table) = round(&["AH", "2C", "3D", "4S"], Some("7H"));
    for kind in CLEVER {
        assert_eq!(bid_of(&mut trial, &table, 0, kind), 1, "{kind:?}");
    }
    trial.act(&mut table, seat(0), &Action::Bid(1));
    for kind in CLEVER {
        assert_eq!(bid_of(&mut trial, &table, 1, kind), 0, "{kind:?}");
    }
}

#[test]
fn bids_respect_the_hook_rule() {
    let hands = ["AH", "2C"];
    let (mut trial, _) = round(&hands, Some("7H"));
    let setup = Setup {
        players: 2,
        dealer: Some(seat(1)),
        cards: 1,
        trump: true,
        hook: true,
        points_for_correct_bet: 10,
        gone: Seats::NONE,
        first_deck: 0,
    };
    let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
    trial.fill(&mut table);
    trial.act(&mut table, seat(0), &Action::Bid(1));
    for kind in CLEVER {
        assert_eq!(bid_of(&mut trial, &table, 1, kind), 1, "{kind:?}: 0 is forbidden");
    }
}

#[test]
fn a_player_with_enough_tricks_throws_the_highest_card_under_a_higher_one() {
    let (mut trial, mut table) = round(&["AS 2C", "KS 3S", "4D 5D"], Some("7H"));
    bids(&mut trial, &mut table, &[1, 0, 0]);
    plays(&mut trial, &mut table, &["AS"]);
    for kind in CLEVER {
        assert_eq!(card_of(&mut trial, &table, 1, kind), card("KS"), "{kind:?}");
    }
}

#[test]
fn the_last_to_play_takes_the_trick_if_it_is_needed() {
    let (mut trial, mut table) = round(&["9S 2C", "4S 3D", "TS 3S"], Some("7H"));
    bids(&mut trial, &mut table, &[0, 0, 1]);
    plays(&mut trial, &mut table, &["9S", "4S"]);
    for kind in CLEVER {
        assert_eq!(card_of(&mut trial, &table, 2, kind), card("TS"), "{kind:?}");
    }
}

#[test]
fn a_player_with_a_lost_bid_spoils_the_bid_of_another() {
    // Seat 1 already has one trick too many; seat 0 needs the last one and leads a card that seat 1 beats.
    let (mut trial, mut table) = round(&["2S KD 5C", "AS AD 3D"], Some("7H"));
    bids(&mut trial, &mut table, &[1, 0]);
    plays(&mut trial, &mut table, &["2S", "AS", "3D", "KD"]);
    plays(&mut trial, &mut table, &["5C"]);
    assert_eq!(card_of(&mut trial, &table, 1, Kind::Hard), card("AD"));
}

#[test]
fn guessed_hands_have_no_suit_that_was_not_followed() {
    let hands = ["AS 2S 3C 4C", "5D 6D 7C 8C", "5S 6S 7S 9C"];
    let (mut trial, mut table) = round(&hands, Some("7H"));
    bids(&mut trial, &mut table, &[1, 1, 0]);
    plays(&mut trial, &mut table, &["AS", "5D", "5S"]);
    let spades: Set = Card::naturals().filter(|c| c.suit() == card("AS").suit()).filter_map(place).collect();
    trial.look(&table, seat(0), |sight, draw| {
        let memory = super::memory::Memory::new(sight).unwrap();
        let count = super::count::Count::new(3, 4, memory.round.trump, memory.turned);
        let mut guess = Guess::new(&memory, &count);
        for _ in 0..200 {
            let deal = guess.deal(draw);
            assert!(deal.hands[1].and(spades).is_empty());
            assert_eq!((deal.hands[0].len(), deal.hands[1].len(), deal.hands[2].len()), (3, 3, 3));
            let hands = [deal.hands[0], deal.hands[1], deal.hands[2]];
            let all = hands.into_iter().fold(Set::NONE, Set::or);
            assert_eq!(all.len(), 9, "no card is dealt twice");
            assert!(all.and(memory.round.seen).is_empty(), "no card that was seen is dealt");
        }
    });
}

#[test]
fn a_high_bid_makes_high_cards_likely() {
    let (mut trial, mut table) = round(&["2C 3C", "AH KH", "4D 5D"], Some("7H"));
    bids(&mut trial, &mut table, &[0, 2]);
    let high: Set = ["AH", "KH", "QH", "JH"].iter().filter_map(|text| place(card(text))).collect();
    trial.look(&table, seat(2), |sight, draw| {
        let memory = super::memory::Memory::new(sight).unwrap();
        let count = super::count::Count::new(3, 2, memory.round.trump, memory.turned);
        let mut guess = Guess::new(&memory, &count);
        let held = |n: u8, deal: &super::round::Round| deal.hands[n].and(high).len();
        let deals: Vec<_> = (0..400).map(|_| guess.deal(draw)).collect();
        let of = |n: u8| deals.iter().map(|deal| held(n, deal)).sum::<u32>();
        assert!(of(1) > 2 * of(0), "{} high trumps with a bid of two, {} with none", of(1), of(0));
    });
}

#[test]
fn advice_says_what_is_needed_and_how_often_it_works() {
    let (mut trial, mut table) = round(&["AS 2C", "KS 3S", "4D 5D"], Some("7H"));
    let advice = trial.advice(&table, seat(0)).unwrap();
    assert!(matches!(advice.best, Move::Act(Action::Bid(_))));
    assert!(advice.why.iter().any(|why| matches!(why, Why::Comes { .. })), "{:?}", advice.why);
    assert!(trial.advice(&table, seat(1)).is_none(), "it is not its turn");
    bids(&mut trial, &mut table, &[1, 0, 0]);
    plays(&mut trial, &mut table, &["AS"]);
    let advice = trial.advice(&table, seat(1)).unwrap();
    assert_eq!(advice.why.first(), Some(&Why::HasAll));
    assert_eq!(advice.why.get(1), Some(&Why::Ducks));
    plays(&mut trial, &mut table, &["KS", "4D", "2C"]);
    assert_eq!(trial.advice(&table, seat(1)).unwrap().why, [Why::Only]);
}
