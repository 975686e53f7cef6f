//! Betting, dealing, turns and the bank.

use super::*;
use crate::blackjack::{Status, TurnMoves};
use Action::{Bust, Double, Hit, Split, Stand};
use table::{Move, Moves as _, Order, Run};

#[test]
fn bets_lie_within_the_limits_and_the_chips_of_the_player() {
    let mut setup = setup("", 3);
    setup.chips = chips(&[500, 60, 7]);
    let deal = Deal::deal(&setup).expect("a good setup");
    let refused = |least, most| Err(Illegal::AmountOutOfRange { least: Chips(least), most: Chips(most) });
    let admits = |index, bet| deal.admits_choice(seat(index), &Bet(Chips(bet)));
    for (index, least, most) in [(0, 10, 100), (1, 10, 60), (2, 7, 7)] {
        assert_eq!(admits(index, least), Ok(()));
        assert_eq!(admits(index, most), Ok(()));
        assert_eq!(admits(index, least - 1), refused(least, most));
        assert_eq!(admits(index, most + 1), refused(least, most));
    }
    assert_eq!(admits(3, 10), Err(Illegal::NotSeated));
}

#[test]
fn bets_are_awaited_of_all_who_have_chips_and_are_not_out() {
    let mut setup = setup("", 4);
    setup.chips = chips(&[500, 0, 500, 500]);
    setup.out = Seats::one(seat(3));
    let round = Round::of(&setup, &[], "TH 9H", "");
    let playing = Seats::one(seat(0)).with(seat(2));
    assert_eq!(round.table.awaiting(), Awaiting::Choices(playing));
}

#[test]
fn bets_are_seen_once_all_have_bet() {
    let mut round = Round::new(&["TS 7S", "TC 8D"], "TH 9H", "");
    assert_eq!(round.public().players[0].bet, None);
    round.bet(&[10, 50]);
    let view = round.public();
    assert_eq!((view.players[0].bet, view.players[0].chips), (Some(Chips(10)), Chips(490)));
    assert_eq!((view.players[1].bet, view.players[1].chips), (Some(Chips(50)), Chips(450)));
}

#[test]
fn cards_go_round_twice_from_the_first_seat_and_then_to_the_bank() {
    let mut setup = setup("", 4);
    setup.first = seat(2);
    setup.chips = chips(&[500, 500, 0, 500]);
    let mut round = Round::of(&setup, &["TS 7S", "TC 8D", "TH 8C"], "TH 9H", "");
    round.table.choose(Height(0), &[0, 1, 3].map(|i| (seat(i), Bet(Chips(10))))).expect("good bets");
    let slots = |first| Run::every(Slot::new(0, first), 4, 2);
    let orders: Vec<Order> = round.table.orders().skip(1).collect();
    let expected = [
        Order::Deal { to: seat(3), slots: slots(0) },
        Order::Deal { to: seat(0), slots: slots(1) },
        Order::Deal { to: seat(1), slots: slots(2) },
        Order::Open { slots: Run::one(Slot::new(0, 3)) },
    ];
    assert_eq!(orders, expected);
    round.deal();
    for index in [3, 0, 1] {
        assert_eq!(round.table.awaiting(), Awaiting::Turn(seat(index)));
        round.act(index, &[Stand]);
    }
}

#[test]
fn only_the_owner_sees_a_hand_and_nobody_the_second_card_of_the_bank() {
    let mut round = Round::new(&["TS 7S", "TC 8D"], "TH 9H", "2C");
    round.bet(&[10, 10]);
    round.act(0, &[Hit]);
    let faces =
        |view: &View, index: usize| view.players[index].hands[0].cards.iter().filter_map(|held| held.card).count();
    let (own, public) = (round.view(0), round.public());
    assert_eq!((faces(&own, 0), faces(&own, 1)), (3, 0));
    assert_eq!((faces(&public, 0), faces(&public, 1)), (0, 0));
    assert_eq!(own.players[0].hands[0].total.map(|total| total.points), Some(19));
    assert_eq!(public.players[0].hands[0].cards.len(), 3);
    assert_eq!(public.players[0].hands[0].total, None);
    let bank: Vec<_> = own.bank.cards.iter().map(|held| held.card.map(|card| card.to_string())).collect();
    assert_eq!(bank, [Some("TH".to_owned()), None]);
    assert_eq!(own.bank.total, None);
}

#[test]
fn all_hands_are_opened_before_the_bank_draws() {
    let mut round = Round::new(&["TS 7S", "TC 8D"], "TH 2H", "KD");
    round.bet(&[10, 10]);
    round.act(0, &[Stand]);
    round.try_act(1, Stand).expect("a good move");
    assert_eq!(round.table.orders().collect::<Vec<_>>(), [Order::Open { slots: Run::of(Slot::new(0, 0), 6) }]);
    round.step();
    assert_eq!(round.public().phase, "bank");
    assert_eq!(round.table.orders().collect::<Vec<_>>(), [Order::Open { slots: Run::one(Slot::new(0, 6)) }]);
    round.step();
    assert_eq!(round.result(), [10, 10]);
}

#[test]
fn the_bank_draws_on_16_and_stands_on_every_17() {
    let bank_cards = |words: &str, bank: &str, drawn: &str| {
        let mut round = Round::with(words, &["TS 7S", "TC 8D"], bank, drawn);
        round.bet(&[10, 10]);
        (0..2).for_each(|index| round.act(index, &[Stand]));
        round.public().bank.cards.len()
    };
    assert_eq!(bank_cards("", "TH 6H", "AD"), 3);
    assert_eq!(bank_cards("", "TH 7H", ""), 2);
    assert_eq!(bank_cards("", "AH 6H", ""), 2);
    assert_eq!(bank_cards("soft17=hit", "AH 6H", "KD"), 3);
    assert_eq!(bank_cards("soft17=hit", "AH 6H", "4D"), 3);
    assert_eq!(bank_cards("soft17=hit", "TH 7H", ""), 2);
}

#[test]
fn the_bank_draws_only_if_a_hand_depends_on_it() {
    let mut round = Round::new(&["TS 6S", "AC KD", "TD 5D"], "TH 2H", "KS");
    round.bet(&[10, 10, 10]);
    round.act(0, &[Hit, Bust]);
    round.act(1, &[Stand]);
    round.act(2, &[Action::Surrender]);
    assert_eq!(round.public().bank.cards.len(), 2);
    assert_eq!(round.result(), [-10, 15, -10]);
}

#[test]
fn an_ace_counts_11_as_long_as_that_is_not_too_much() {
    let mut round = Round::new(&["AS 6S", "TC 8D"], "TH 9H", "5C AD");
    round.bet(&[10, 10]);
    let total = |round: &Round| match round.moves(0) {
        Moves::Turn(can) => (can.total.points, can.total.soft),
        other => panic!("{other:?}"),
    };
    assert_eq!(total(&round), (17, true));
    round.act(0, &[Hit]);
    assert_eq!(total(&round), (12, false));
    round.act(0, &[Hit]);
    assert_eq!(total(&round), (13, false));
}

#[test]
fn what_can_be_done_depends_on_the_total() {
    let can = |hand: &str, drawn: &str, actions: &[Action]| {
        let mut round = Round::new(&[hand, "TC 8D"], "TH 9H", drawn);
        round.bet(&[10, 10]);
        round.act(0, actions);
        match round.moves(0) {
            Moves::Turn(TurnMoves { hit, stand, double, split, bust, .. }) => [hit, stand, double, split, bust],
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(can("8S 8H", "", &[]), [true, true, true, true, false]);
    assert_eq!(can("TS 8S", "", &[]), [true, true, true, false, false]);
    assert_eq!(can("AS KS", "", &[]), [false, true, false, false, false]);
    assert_eq!(can("2S 3S", "4S", &[Hit]), [true, true, false, false, false]);
    assert_eq!(can("5S 6S", "KS", &[Hit]), [false, true, false, false, false]);
    assert_eq!(can("TS 6S", "KS", &[Hit]), [false, false, false, false, true]);
}

#[test]
fn a_doubled_hand_gets_one_card_and_is_finished() {
    let mut round = Round::new(&["5S 6S", "TC 8D"], "TH 9H", "2S");
    round.bet(&[10, 10]);
    round.act(0, &[Double]);
    assert_eq!(round.table.awaiting(), Awaiting::Turn(seat(1)));
    let view = round.public();
    assert_eq!((view.players[0].chips, view.players[0].hands[0].stake), (Chips(480), Chips(20)));
    assert_eq!(view.players[0].bet, Some(Chips(10)));
}

#[test]
fn a_split_shows_the_pair_and_both_hands_are_played_in_turn() {
    let mut round = Round::new(&["8S 8H", "TC 8D"], "TH 9H", "2S 3S TS TD");
    round.bet(&[10, 10]);
    round.act(0, &[Split]);
    let shown: Vec<Card> = [0, 3].iter().filter_map(|i| round.table.open().get(Slot::new(0, *i))).collect();
    assert_eq!(shown, cards("8S 8H"));
    let hands = round.view(0).players[0].hands.clone();
    assert_eq!(hands.iter().map(|hand| hand.total.unwrap().points).collect::<Vec<_>>(), [10, 11]);
    assert_eq!(hands.iter().map(|hand| hand.current).collect::<Vec<_>>(), [true, false]);
    round.act(0, &[Double, Hit, Stand]);
    assert_eq!(round.table.awaiting(), Awaiting::Turn(seat(1)));
    assert_eq!(round.public().players[0].chips, Chips(470));
}

#[test]
fn a_pair_can_be_split_into_four_hands_where_that_is_set() {
    let mut round = Round::with("max_split_hands=4", &["8S 8H", "TC 8D"], "TH 9H", "8C 8D TS 8S TD TC");
    round.bet(&[10, 10]);
    round.act(0, &[Split, Split]);
    // The cards after the first split are 8C and 8D; the first hand is split again and gets TS and 8S.
    round.act(0, &[Stand, Split]);
    assert_eq!(round.public().players[0].hands.len(), 4);
    assert_eq!(round.public().players[0].chips, Chips(460));
    round.act(0, &[Stand, Stand]);
    assert_eq!(round.refusal(0, Split), Illegal::TooManyHands { most: 4 });
}

#[test]
fn a_split_needs_the_same_rank_or_the_same_value_where_that_is_set() {
    let mut round = Round::new(&["KS QS", "TC 8D"], "TH 9H", "");
    round.bet(&[10, 10]);
    assert_eq!(round.refusal(0, Split), Illegal::NotAPair);
    assert!(round.table.open().get(Slot::new(0, 0)).is_none(), "what was shown in vain is closed again");
    let mut round = Round::with("split_by_value=true", &["KS QS", "TC 8D"], "TH 9H", "2S 3S");
    round.bet(&[10, 10]);
    round.act(0, &[Split]);
    let mut round = Round::with("split_by_value=true", &["KS 9S", "TC 8D"], "TH 9H", "");
    round.bet(&[10, 10]);
    assert_eq!(round.refusal(0, Split), Illegal::NotAPair);
}

#[test]
fn what_cannot_be_done_is_refused_with_its_reason() {
    let mut round = Round::new(&["8S 8H", "TC 8D"], "TH 9H", "8C TS 2S");
    assert_eq!(round.refusal(0, Hit), Illegal::WrongPhase);
    round.bet(&[10, 10]);
    assert_eq!(round.refusal(1, Hit), Illegal::NotYourTurn);
    assert_eq!(round.deal_state().admits_choice(seat(0), &Bet(Chips(10))), Err(Illegal::WrongPhase));
    round.act(0, &[Split]);
    assert_eq!(round.refusal(0, Split), Illegal::TooManyHands { most: 2 });
    round.act(0, &[Hit]);
    assert_eq!(round.refusal(0, Double), Illegal::NotTwoCards);
    assert_eq!(round.refusal(0, Split), Illegal::NotTwoCards);
}

#[test]
fn doubling_and_splitting_need_as_many_chips_again() {
    let mut round = Round::with("starting_chips=100", &["8S 8H", "TC 8D"], "TH 9H", "");
    round.bet(&[60, 10]);
    assert_eq!(round.refusal(0, Double), Illegal::NotEnoughChips { needs: Chips(60) });
    assert_eq!(round.refusal(0, Split), Illegal::NotEnoughChips { needs: Chips(60) });
}

#[test]
fn doubling_after_a_split_can_be_forbidden() {
    let mut round = Round::with("double_after_split=false", &["8S 8H", "TC 8D"], "TH 9H", "3S 3H");
    round.bet(&[10, 10]);
    round.act(0, &[Split]);
    assert_eq!(round.refusal(0, Double), Illegal::NoDoubleAfterSplit);
}

#[test]
fn the_clock_bets_the_least_and_stands_or_says_bust() {
    let mut round = Round::new(&["TS 6S", "TC 8D"], "TH 9H", "KS");
    let default = |round: &Round, index| {
        round.deal_state().default_move(Known::with(round.table.open(), &round.faces), seat(index))
    };
    assert_eq!(default(&round, 0), Some(Move::Choose(Bet(Chips(10)))));
    round.bet(&[10, 10]);
    assert_eq!(default(&round, 1), None);
    assert_eq!(default(&round, 0), Some(Move::Act(Stand)));
    round.act(0, &[Hit]);
    assert_eq!(default(&round, 0), Some(Move::Act(Bust)));
    let blind = round.deal_state().default_move(Known::public(round.table.open()), seat(0));
    assert_eq!(blind, None);
    assert_eq!(round.deal_state().moves(Known::public(round.table.open()), seat(0)), Moves::None);
}

#[test]
fn every_kind_of_move_is_picked_now_and_then() {
    use rand::SeedableRng as _;
    let mut rng = rand::rngs::ChaCha8Rng::from_seed([3; 32]);
    let mut round = Round::new(&["8S 8H", "TC 8D"], "TH 9H", "");
    let bets: Vec<_> = (0..2000).filter_map(|_| round.moves(0).pick(&mut rng)).collect();
    for bet in [10, 55, 100] {
        assert!(bets.contains(&Move::Choose(Bet(Chips(bet)))));
    }
    round.bet(&[10, 10]);
    let picked: Vec<_> = (0..2000).filter_map(|_| round.moves(0).pick(&mut rng)).collect();
    for action in [Hit, Stand, Double, Split, Action::Surrender] {
        assert!(picked.contains(&Move::Act(action)));
    }
    assert!(!picked.contains(&Move::Act(Bust)));
    assert_eq!(round.moves(1).pick(&mut rng), None);
}

#[test]
fn a_view_tells_how_far_each_hand_is() {
    let mut round = Round::new(&["TS 6S", "TC 8D"], "TH 9H", "KS");
    round.bet(&[10, 10]);
    round.act(0, &[Hit, Bust]);
    let view = round.public();
    assert_eq!(view.players[0].hands[0].status, Status::Bust);
    assert_eq!(view.players[1].hands[0].status, Status::Playing);
    assert_eq!((view.phase, view.turn), ("turns", Some(seat(1))));
    assert!(view.players[0].hands[0].cards.iter().all(|held| held.card.is_none()), "closed until all are shown");
}
