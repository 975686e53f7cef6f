use cards::Card;
use games::romme::{Action, Deal, DiscardDraw, Mode, Pool, Romme, Settings, Setup};
use table::{Awaiting, Height, Match, Move, Rules as _, Seat, Seats, Slot, Table};

use super::Why;
use super::layout::Turn;
use super::seen::{bit, bits, step};
use super::thought::Thought;
use super::worth::completing;
use crate::Kind;
use crate::trial::Trial;

fn seat(n: u8) -> Seat {
    Seat::new(n).unwrap()
}

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

/// A round of two in which seat 0 begins: its hand, that of seat 1, the upcard and the cards of the stock.
fn round(hands: [&str; 2], rest: &str) -> (Trial<Romme>, Table<Deal>) {
    let setup = Setup {
        players: 2,
        playing: Seats::first(2),
        dealer: Some(seat(1)),
        first_meld: 30,
        jokers: 6,
        discard_draw: DiscardDraw::Free,
        out_without_discard: false,
        max_reshuffles: 2,
        first_deck: 0,
    };
    let mut trial = Trial::new(Settings::default(), 11);
    let hands = hands.map(|hand| cards::parse_cards(hand).unwrap());
    let mut put = |place: usize, card: Card| trial.faces.insert(Slot::new(0, u16::try_from(place).unwrap()), card);
    for (n, hand) in hands.iter().enumerate() {
        hand.iter().enumerate().for_each(|(i, card)| put(2 * i + n, *card));
    }
    cards::parse_cards(rest).unwrap().into_iter().enumerate().for_each(|(i, card)| put(26 + i, card));
    let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
    trial.fill(&mut table);
    (trial, table)
}

/// What this kind does next.
fn does(trial: &mut Trial<Romme>, table: &Table<Deal>, kind: Kind) -> Action {
    let Awaiting::Turn(seat) = table.awaiting() else { panic!("it is nobody's turn") };
    match trial.decide(table, seat, kind) {
        Some(Move::Act(action)) => action,
        other => panic!("expected an action, got {other:?}"),
    }
}

/// Seat 0 draws from the stock.
fn drawn(trial: &mut Trial<Romme>, table: &mut Table<Deal>) {
    trial.act(table, seat(0), &Action::DrawStock);
    trial.fill(table);
}

/// The card discarded by this action.
fn thrown(trial: &Trial<Romme>, action: &Action) -> Card {
    match action {
        Action::Discard(slot) => trial.faces.get(*slot).unwrap(),
        other => panic!("expected a discard, got {other:?}"),
    }
}

const OTHER: &str = "2C 4D 6H 8S TC QD AS 3H 5C 7D 9S JC KS";

#[test]
fn cards_of_a_run_follow_each_other() {
    assert_eq!(step(card("KH"), 1), Some(card("AH")));
    assert_eq!(step(card("AH"), 1), Some(card("2H")));
    assert_eq!(step(card("AH"), -1), Some(card("KH")));
    assert_eq!(step(card("2H"), -1), Some(card("AH")));
    assert_eq!(step(card("2H"), -2), None);
    let of = |a, b| bits(completing(card(a), card(b))).collect::<Vec<_>>();
    assert_eq!(of("5H", "6H"), [card("4H"), card("7H")]);
    assert_eq!(of("5H", "7H"), [card("6H")]);
    assert_eq!(of("KH", "AH"), [card("QH")]);
    assert_eq!(of("AH", "2H"), [card("3H")]);
    assert_eq!(of("QH", "AH"), [card("KH")]);
    assert_eq!(of("5H", "5S"), [card("5C"), card("5D")]);
    assert_eq!(of("5H", "8H"), []);
    assert_eq!(of("5H", "5H"), []);
}

#[test]
fn a_card_that_completes_a_meld_is_taken_and_one_that_does_not_is_left() {
    let hand = "7C 7D 2H 4S 9C JD KH 3C 5D 8H QS AC TD";
    let (mut trial, table) = round([hand, OTHER], "7S");
    assert_eq!(does(&mut trial, &table, Kind::Hard), Action::DrawDiscard);
    let advice = trial.advice(&table, seat(0)).unwrap();
    assert_eq!(advice.why, [Why::Completes { card: card("7S"), cards: 3 }]);
    let (mut trial, table) = round([hand, OTHER], "KD");
    assert_eq!(does(&mut trial, &table, Kind::Hard), Action::DrawStock);
    assert_eq!(trial.advice(&table, seat(0)).unwrap().why, [Why::NoUse { card: card("KD") }]);
    let (mut trial, table) = round([hand, OTHER], "JK");
    assert_eq!(does(&mut trial, &table, Kind::Hard), Action::DrawDiscard);
}

#[test]
fn a_hand_that_can_go_out_in_one_go_does() {
    let hand = "7C 7D 7S 2H 3H 4H 5H KC KD KS 9C TC JC";
    for kind in [Kind::Hard, Kind::Normal] {
        let (mut trial, mut table) = round([hand, OTHER], "QD 8H");
        drawn(&mut trial, &mut table);
        let advice = trial.advice(&table, seat(0)).unwrap();
        assert_eq!(advice.why[0], Why::GoesOut { times: 3 });
        let action = does(&mut trial, &table, kind);
        trial.act(&mut table, seat(0), &action);
        assert_eq!(trial.advice(&table, seat(0)).unwrap().why[0], Why::GoesOut { times: 3 });
        trial.play(&mut table, &[kind], 5);
        assert_eq!(table.outcome().unwrap().ending, "hand rommé", "{kind:?}");
    }
    // All fourteen cards are in melds, but one of them must still be discarded.
    let (mut trial, mut table) = round([hand, OTHER], "QD 6H");
    drawn(&mut trial, &mut table);
    trial.play(&mut table, &[Kind::Hard], 5);
    assert_eq!(table.outcome().unwrap().ending, "hand rommé");
}

#[test]
fn a_card_that_goes_with_nothing_is_discarded_but_never_a_joker() {
    let hand = "7C 7D 8D 9D 2H 3H JK KC 4S 4D TS JS 5H";
    let (mut trial, mut table) = round([hand, OTHER], "QD 2S");
    drawn(&mut trial, &mut table);
    let action = does(&mut trial, &table, Kind::Hard);
    assert_eq!(thrown(&trial, &action), card("KC"));
    let why = trial.advice(&table, seat(0)).unwrap().why;
    assert!(why.contains(&Why::Alone { card: card("KC"), points: 10 }), "{why:?}");
}

#[test]
fn only_unseen_cards_count_as_outs() {
    // One of the four queens that would complete the pair is on the pile.
    let (mut trial, mut table) = round(["QC QD 2H 3H 4H 6S 7S 8S TD JD 5C 6C AH", OTHER], "QH 9H");
    drawn(&mut trial, &mut table);
    let (with, without) = trial.look(&table, seat(0), |sight, _| {
        let thought = Thought::new(sight);
        (thought.scene.outs(card("QC"), card("QD")), thought.scene.outs(card("TD"), card("JD")))
    });
    // One of the four nines and queens of diamonds that would complete the run is in this hand.
    assert_eq!((with, without), (3, 4 - 1));
}

#[test]
fn the_layout_finds_melds_additions_and_the_way_out() {
    let (mut trial, mut table) = round(["7C 7D 7S 2H 3H 4H 5H KC KD KS 9C TC 2S", OTHER], "QD 8H");
    drawn(&mut trial, &mut table);
    trial.look(&table, seat(0), |sight, _| {
        let thought = Thought::new(sight);
        let pool = sight.view.hand.iter().filter_map(|held| held.card).fold(Pool::default(), Pool::with);
        let layout = thought.scene.layout(pool, Turn::Discard(None));
        assert_eq!((layout.melds.len(), layout.points, layout.rest, layout.out), (3, 65, 4, false));
        let closer = pool.without(card("2S")).without(card("8H")).without(card("9C"));
        let layout = thought.scene.layout(closer, Turn::Discard(None));
        assert!(layout.out && layout.rest == 1, "{layout:?}");
        assert!(thought.scene.unseen.count(card("7C")) == 1 && thought.scene.unseen.count(card("7H")) == 2);
        assert_eq!(thought.scene.unseen.count(card("QD")), 1);
    });
}

/// In the middle of a round: which cards fit the melds on the table.
#[test]
fn the_cards_said_to_fit_are_those_the_rules_accept() {
    let mut found = 0;
    for seed in 0..12 {
        let settings = Settings { first_meld: 0, ..Settings::default() };
        let mut trial = Trial::<Romme>::new(settings.clone(), seed);
        let mut running = Match::<Romme>::start(&settings, 3).unwrap();
        let table = running.table_mut();
        for _ in 0..100 {
            trial.play(table, &[Kind::Easy], 1);
            let Awaiting::Turn(seat) = table.awaiting() else { continue };
            trial.look(table, seat, |sight, _| {
                let spots = super::seen::Spots::new(sight.view);
                let games::romme::Moves::Play(play) = sight.moves else { return };
                for action in play.lay_offs() {
                    let Action::LayOff { cards, .. } = action else { continue };
                    let faces: Vec<Card> = cards.iter().filter_map(|laid| sight.known.face(laid.slot)).collect();
                    if let [face] = faces[..]
                        && !face.is_joker()
                    {
                        assert!(spots.fitting() & bit(face) != 0, "seed {seed}: {face}");
                        found += 1;
                    }
                }
            });
        }
    }
    assert!(found > 0, "nothing was compared");
}

#[test]
fn every_kind_plays_by_the_rules_with_any_settings() {
    let kinds = [Kind::Hard, Kind::Normal, Kind::Easy, Kind::Random];
    let usual = Settings { target: 50, ..Settings::default() };
    let open = Settings { first_meld: 0, out_without_discard: true, max_reshuffles: 0, ..usual.clone() };
    let closed = Settings { first_meld: 60, jokers: 2, discard_draw: DiscardDraw::AfterOpening, ..usual.clone() };
    let knockout = Settings { mode: Mode::Knockout, max_reshuffles: 5, ..usual.clone() };
    for (settings, seed) in [usual, open, closed, knockout].into_iter().zip(1..) {
        for players in 2..=4 {
            let mut kinds = kinds;
            kinds.rotate_left(usize::from(players));
            let trial = Trial::<Romme>::new(settings.clone(), seed * 10 + u64::from(players));
            assert!(trial.play_match(players, &kinds) > 0);
        }
    }
}

#[test]
fn equal_players_come_to_an_end() {
    for kind in [Kind::Hard, Kind::Normal, Kind::Easy] {
        for seed in 0..6 {
            let settings = Settings { target: 50, ..Settings::default() };
            let inputs = Trial::<Romme>::new(settings, seed).play_match(2, &[kind]);
            assert!(inputs < 20_000, "{kind:?}, seed {seed}");
        }
    }
}

#[test]
fn an_easy_player_beats_random_ones() {
    let (mut won, me) = (0, seat(0));
    for seed in 0..20 {
        let mut trial = Trial::<Romme>::new(Settings::default(), seed);
        let mut running = Match::<Romme>::start(&Settings::default(), 3).unwrap();
        while !running.standing().over {
            trial.play(running.table_mut(), &[Kind::Easy, Kind::Random, Kind::Random], usize::MAX);
            running.advance(0);
        }
        won += u32::from(running.standing().winners().contains(me));
    }
    assert!(won >= 15, "won {won} of 20");
}

#[test]
fn rounds_of_easy_players_end_mostly_by_going_out() {
    let mut blocked = 0;
    for turn in 0..150u8 {
        let players = 2 + turn % 3;
        let setup = <Romme as table::Game>::sample(&Settings::default(), players, turn.into()).unwrap();
        let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
        Trial::<Romme>::new(Settings::default(), turn.into()).play(&mut table, &[Kind::Easy], 20_000);
        blocked += u32::from(table.outcome().expect("the deal ends").ending == "blocked");
    }
    assert!(blocked < 15, "{blocked} of 150 were blocked");
}

#[test]
fn two_easy_players_do_not_pass_each_other_the_same_cards_forever() {
    for seed in 0..1_000 {
        let setup = <Romme as table::Game>::sample(&Settings::default(), 2, seed).unwrap();
        let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
        Trial::<Romme>::new(Settings::default(), seed).play(&mut table, &[Kind::Easy], 20_000);
        assert_eq!(table.awaiting(), Awaiting::Over, "seed {seed}");
    }
}
