use cards::Card;
use games::blackjack::{Action, Bet, Blackjack, BlackjackPays, Deal, Settings, Setup, Soft17};
use table::{Awaiting, Chips, Game as _, Height, Move, PerSeat, Rules as _, Seat, Slot, Table};

use super::Why;
use super::expect::{CHIPS, Extra, Facing, Hand, Solved};
use super::odds::{ENDS, Odds};
use crate::trial::Trial;
use crate::{Kind, blackjack};

fn seat(n: u8) -> Seat {
    Seat::new(n).unwrap()
}

/// A round of two with these chips: the cards of seat 0, those of seat 1, and those of the bank, then those drawn.
fn round(
    chips: [i64; 2],
    cards: [&str; 3],
    drawn: &str,
    change: impl FnOnce(&mut Setup),
) -> (Trial<Blackjack>, Table<Deal>) {
    let settings = Settings::default();
    let mut setup = Blackjack::sample(&settings, 2, 0).unwrap();
    setup.chips = PerSeat::from_fn(2, |seat| Chips(chips[usize::from(seat.index())]));
    change(&mut setup);
    let mut trial = Trial::new(settings, 5);
    let mut put = |index: usize, card: Card| trial.faces.insert(Slot::new(0, u16::try_from(index).unwrap()), card);
    for (player, hand) in cards.iter().enumerate() {
        for (n, card) in cards::parse_cards(hand).unwrap().into_iter().enumerate() {
            put(n * 3 + player, card);
        }
    }
    for (n, card) in cards::parse_cards(drawn).unwrap().into_iter().enumerate() {
        put(6 + n, card);
    }
    (trial, Table::new(Deal::deal(&setup).unwrap(), Height(0)))
}

/// Both have bet this much, and the cards are dealt.
fn dealt(bets: [i64; 2], round: (Trial<Blackjack>, Table<Deal>)) -> (Trial<Blackjack>, Table<Deal>) {
    let (mut trial, mut table) = round;
    let bets: Vec<_> = (0..2).map(|n| (seat(n), Bet(Chips(bets[usize::from(n)])))).collect();
    table.choose(table.height(), &bets).unwrap();
    trial.fill(&mut table);
    (trial, table)
}

fn played(cards: [&str; 3], change: impl FnOnce(&mut Setup)) -> Option<Action> {
    let (mut trial, table) = dealt([10, 10], round([500, 500], cards, "", change));
    trial.look(&table, seat(0), |sight, _| blackjack::for_chips(sight))
}

#[test]
fn the_bank_busts_as_often_as_the_literature_says() {
    // How often in 10,000 cases a bank that shows this card and stands on soft 17 busts, drawing with
    // replacement.
    let odds = Odds::full();
    for (up, above) in [(2, 3536), (3, 3739), (4, 3945), (5, 4164), (6, 4232), (7, 2623), (8, 2447), (9, 2284)] {
        let ends = odds.bank(up, Soft17::Stand);
        assert!((ends.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{up}");
        assert_eq!((ends[0] * 10_000.0).round() as i32, above, "{up}");
    }
    // With an ace up, the bank has a natural in 4 of 13 cases.
    assert!((odds.bank(1, Soft17::Stand)[ENDS - 1] - 4.0 / 13.0).abs() < 1e-12);
    assert!(odds.bank(6, Soft17::Hit)[0] > odds.bank(6, Soft17::Stand)[0]);
}

#[test]
fn hands_are_played_by_basic_strategy() {
    let cases = [
        ("8C 8D", "TC", Action::Split),
        ("AC AD", "6C", Action::Split),
        ("TC TD", "6C", Action::Stand),
        ("6C 5D", "6D", Action::Double),
        ("TC 6D", "TD", Action::Hit),
        ("TC 6D", "6C", Action::Stand),
        ("TC 2D", "2C", Action::Hit),
        ("TC 2D", "5C", Action::Stand),
        ("AC 7D", "9C", Action::Hit),
        ("AC 7D", "8C", Action::Stand),
        ("AC 7D", "5C", Action::Double),
        ("5C 5D", "5H", Action::Double),
        ("9C 9D", "7C", Action::Stand),
        ("AC KD", "AD", Action::Stand),
    ];
    for (hand, up, action) in cases {
        let bank = format!("{up} 9S");
        assert_eq!(played([hand, "TS TH", &bank], |_| {}), Some(action), "{hand} against {up}");
    }
}

#[test]
fn other_rules_are_taken_into_account() {
    let without = |setup: &mut Setup| setup.double_after_split = false;
    let pair = ["4C 4D", "TS TH", "6C 9S"];
    assert_eq!(played(pair, |_| {}), Some(Action::Split));
    assert_eq!(played(pair, without), Some(Action::Hit));
    // Only the rank counts for a pair, unless the table says otherwise.
    let (hand, bank) = (Hand { sum: 20, ace: false }, Odds::full());
    let facing = Facing { odds: bank, bank: bank.bank(6, Soft17::Stand) };
    let extra = Extra { double: true, split: Some(10), double_after_split: true };
    assert_eq!(Solved::new(facing, &CHIPS).ways(hand, extra)[0].0, Action::Stand);
}

#[test]
fn cards_already_seen_change_the_play() {
    // One pack, in which nearly all low cards have been seen: 16 against a ten stands.
    let (mut trial, mut table) =
        dealt([10, 10], round([500, 500], ["TC 6D", "TS TH", "TD 9S"], "", |setup| setup.decks = 1));
    assert_eq!(trial.look(&table, seat(0), |sight, _| blackjack::for_chips(sight)), Some(Action::Hit));
    for card in ["2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S"] {
        let seen = cards::parse_cards(card).unwrap();
        let mut open = table.open().clone();
        for (n, card) in seen.into_iter().enumerate() {
            open.insert(Slot::new(0, u16::try_from(20 + n).unwrap()), card);
        }
        let known = table::Known::with(&open, &open);
        let moves = table.rules().moves(table::Known::with(&open, &trial.faces), seat(0));
        let view = table.rules().view(table::Known::with(&open, &trial.faces), table::Eye::Seat(seat(0)));
        let settings = Settings::default();
        let course = crate::Course::<Blackjack> { settings: &settings, deal: 1, past: &[] };
        let sight = crate::Sight { seat: seat(0), view: &view, moves: &moves, known, rules: table.rules(), course };
        assert_eq!(blackjack::for_chips(&sight), Some(Action::Stand));
    }
    trial.act(&mut table, seat(0), &Action::Stand);
}

/// What seat 0 bets in this round of the match with these chips.
fn bet(deal: u32, chips: [i64; 2]) -> i64 {
    let (mut trial, table) = round(chips, ["", "", ""], "", |_| {});
    trial.look(&table, seat(0), |sight, draw| {
        let course = crate::Course { deal, ..sight.course };
        let sight = crate::Sight { course, ..*sight };
        match <Blackjack as crate::Computer>::hard(&sight, draw) {
            Some(Move::Choose(Bet(bet))) => bet.0,
            other => panic!("expected a bet, got {other:?}"),
        }
    })
}

#[test]
fn a_leader_bets_little_and_a_player_behind_bets_a_lot() {
    assert_eq!(bet(10, [700, 500]), 10);
    assert_eq!(bet(10, [450, 540]), 100);
    assert!(bet(9, [800, 500]) < 40);
    assert!(bet(9, [300, 500]) > 80);
    assert!(bet(5, [400, 600]) > bet(5, [800, 400]));
}

#[test]
fn in_the_last_round_a_hand_is_played_for_the_match() {
    // Behind by 150 with 100 staked: only a double can catch up.
    let (mut trial, table) = dealt([100, 10], round([500, 640], ["TC 4D", "TS TH", "6C 9S"], "", |_| {}));
    let decided = trial.look(&table, seat(0), |sight, draw| {
        let course = crate::Course { deal: 10, ..sight.course };
        let sight = crate::Sight { course, ..*sight };
        let advice = <Blackjack as crate::Computer>::advice(&sight, draw).unwrap();
        assert!(matches!(advice.why[2], Why::Wins { action: Action::Double, percent: 20..=60 }), "{:?}", advice.why);
        <Blackjack as crate::Computer>::hard(&sight, draw)
    });
    assert_eq!(decided, Some(Move::Act(Action::Double)));
    let decided = trial.decide(&table, seat(0), Kind::Hard);
    assert_eq!(decided, Some(Move::Act(Action::Stand)));
}

#[test]
fn advice_is_the_move_of_hard_with_reasons() {
    let (mut trial, table) = dealt([10, 10], round([500, 500], ["TC 6D", "TS TH", "TD 9S"], "", |_| {}));
    let advice = trial.advice(&table, seat(0)).unwrap();
    assert_eq!(advice.best, Move::Act(Action::Hit));
    let said: Vec<String> = advice.why.iter().map(ToString::to_string).collect();
    assert_eq!(said[0], "you have 16");
    assert_eq!(said[1], "the bank busts in 21 % of cases");
    assert!(said[2].starts_with("hitting loses 5") && said[3].starts_with("standing loses 5"), "{said:?}");
    assert!(trial.advice(&table, seat(1)).is_none());
    let (mut trial, table) = round([500, 500], ["", "", ""], "", |_| {});
    let advice = trial.advice(&table, seat(0)).unwrap();
    let Move::Choose(Bet(bet)) = advice.best else { panic!("no bet") };
    assert!(matches!(advice.why[1], Why::Bet { bet: said, percent: 30..=70 } if said == bet), "{:?}", advice.why);
}

#[test]
fn every_kind_plays_by_the_rules_with_any_settings() {
    let kinds = [Kind::Hard, Kind::Normal, Kind::Easy, Kind::Random];
    let usual = Settings { rounds: 6, ..Settings::default() };
    let small = Settings {
        starting_chips: Chips(10),
        max_bet: Chips(10),
        min_bet: Chips(3),
        decks: 1,
        soft17: Soft17::Hit,
        max_split_hands: 4,
        split_by_value: true,
        tie_rounds: 3,
        ..usual.clone()
    };
    let other =
        Settings { double_after_split: false, blackjack_pays: BlackjackPays::SixToFive, rounds: 3, ..usual.clone() };
    for (settings, seed) in [usual, small, other].into_iter().zip([1, 2, 3]) {
        for players in 2..=4 {
            for turn in 0..2 {
                let mut kinds = kinds;
                kinds.rotate_left(turn);
                let trial = Trial::<Blackjack>::new(settings.clone(), seed * 100 + u64::from(players));
                assert!(trial.play_match(players, &kinds) > 0);
            }
        }
    }
}

#[test]
fn nobody_gets_advice_out_of_turn() {
    let (mut trial, table) = dealt([10, 10], round([500, 500], ["TC 6D", "TS TH", "TD 9S"], "", |_| {}));
    assert_eq!(table.awaiting(), Awaiting::Turn(seat(0)));
    assert_eq!(trial.decide(&table, seat(1), Kind::Hard), None);
    assert_eq!(trial.decide(&table, seat(1), Kind::Normal), None);
}
