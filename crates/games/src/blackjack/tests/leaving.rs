//! Leaving and breaking off, in every phase.

use super::*;
use Action::{Hit, Split, Stand};

/// Seat 2 plays along with a hand of 20, so that somebody else is left when one leaves.
fn three(hands: [&str; 2], bank: &str, drawn: &str) -> Round {
    Round::of(&setup("", 3), &[hands[0], hands[1], "TC TD"], bank, drawn)
}

#[test]
fn a_player_who_leaves_before_betting_sits_out() {
    let mut round = Round::new(&["TS 7S", "TC 8D"], "TH 7H", "");
    round.gone(2).expect_err("there is no such seat");
    let mut setup = setup("", 4);
    setup.chips = chips(&[500, 500, 0, 500]);
    let mut round2 = Round::of(&setup, &["TC 8D", "TS 9S"], "TH 7H", "");
    assert_eq!(round2.gone(2), Err(Refused::Illegal(Illegal::NotSeated)), "out of chips");
    round2.gone(0).expect("anybody may leave");
    assert_eq!(round2.gone(0), Err(Refused::Illegal(Illegal::NotSeated)), "not twice");
    round2.bet(&[10, 20]);
    round2.act(1, &[Stand]);
    round2.act(3, &[Stand]);
    assert_eq!(round2.result(), [0, 10, 0, 20]);
    assert_eq!(round2.deal_state().left(), Seats::one(seat(0)));
}

#[test]
fn a_player_who_leaves_later_stands_and_is_paid() {
    // 18, 19 and 20 against 17.
    let begin = || {
        let mut round = three(["TS 8S", "TC 9D"], "TH 7H", "");
        let bets = [0, 1, 2].map(|index| (seat(index), Bet(Chips(10))));
        round.table.choose(Height(0), &bets).expect("good bets");
        round
    };
    for leaver in 0..2 {
        let mut while_dealing = begin();
        while_dealing.gone(leaver).expect("anybody may leave");
        while_dealing.deal();
        let mut in_turns = begin();
        in_turns.deal();
        in_turns.gone(leaver).expect("anybody may leave");
        for mut round in [while_dealing, in_turns] {
            round.deal();
            assert_eq!(round.refusal(leaver, Stand), Illegal::NotSeated);
            round.act(1 - leaver, &[Stand]);
            round.act(2, &[Stand]);
            assert_eq!(round.result(), [10, 10, 10]);
        }
    }
}

#[test]
fn a_player_who_leaves_while_a_card_is_drawn_gets_it_and_stands() {
    let mut round = three(["TS 2S", "TC 9D"], "TH 7H", "6C");
    round.bet(&[10, 10, 10]);
    round.try_act(0, Hit).expect("a good move");
    round.gone(0).expect("anybody may leave");
    round.deal();
    assert_eq!(round.table.awaiting(), Awaiting::Turn(seat(1)));
    round.act(1, &[Stand]);
    round.act(2, &[Stand]);
    assert_eq!(round.result(), [10, 10, 10]);
}

#[test]
fn a_player_who_leaves_after_a_split_stands_on_both_hands() {
    let mut round = three(["8S 8H", "TC 9D"], "TH 7H", "TS 2S");
    round.bet(&[10, 10, 10]);
    round.try_act(0, Split).expect("a good move");
    round.gone(0).expect("anybody may leave");
    round.deal();
    round.act(1, &[Stand]);
    round.act(2, &[Stand]);
    assert_eq!(round.result(), [0, 10, 10]);
}

#[test]
fn a_player_who_leaves_above_21_has_lost_without_saying_so() {
    let mut round = three(["TS 6S", "TC 9D"], "TH 7H", "KS");
    round.bet(&[10, 10, 10]);
    round.act(0, &[Hit]);
    round.gone(0).expect("anybody may leave");
    round.act(1, &[Stand]);
    round.act(2, &[Stand]);
    assert_eq!(round.result(), [-10, 10, 10]);
}

#[test]
fn leaving_while_the_bank_plays_changes_nothing() {
    let mut round = three(["TS 8S", "TC 9D"], "TH 2H", "5C");
    round.bet(&[10, 10, 10]);
    round.act(0, &[Stand]);
    round.act(1, &[Stand]);
    round.try_act(2, Stand).expect("a good move");
    round.gone(0).expect("anybody may leave");
    round.step();
    assert_eq!(round.public().phase, "bank");
    round.step();
    assert_eq!(round.result(), [10, 10, 10]);
}

#[test]
fn when_one_player_is_left_the_round_is_over_at_once() {
    // Before betting nothing is at stake.
    let mut betting = Round::new(&["TS 8S", "TC 9D"], "TH 7H", "");
    betting.gone(0).expect("anybody may leave");
    assert_eq!(betting.result(), [0, 0]);
    assert_eq!(betting.public().phase, "over");
    // Later leavers lose their stakes, and the last one gets theirs back.
    for leavers in [[0, 1], [1, 0], [2, 0], [1, 2]] {
        let mut round = three(["8S 8H", "TC 9D"], "TH 7H", "2S 3S");
        round.bet(&[10, 20, 30]);
        round.act(0, &[Split]);
        leavers.iter().for_each(|leaver| round.gone(*leaver).expect("anybody may leave"));
        assert_eq!(round.table.awaiting(), Awaiting::Over);
        let lost = [-20, -20, -30];
        let expected: Vec<i64> = (0..3).map(|i| if leavers.contains(&i) { lost[usize::from(i)] } else { 0 }).collect();
        assert_eq!(round.result(), expected);
        assert_eq!(round.table.outcome().map(|outcome| outcome.ending.as_ref()), Some("left alone"));
        let view = round.public();
        assert_eq!((view.phase, view.turn), ("over", None));
        assert!(view.players.iter().all(|player| player.hands.iter().all(|hand| hand.verdict.is_none())));
        assert!((0..3).all(|index| round.gone(index).is_err()));
    }
    // Nor is anybody paid whose opponent leaves while the bank plays.
    let mut bank = Round::new(&["TS 8S", "TC 9D"], "TH 2H", "5C");
    bank.bet(&[10, 10]);
    bank.act(0, &[Stand]);
    bank.try_act(1, Stand).expect("a good move");
    bank.gone(0).expect("anybody may leave");
    assert_eq!(bank.result(), [-10, 0]);
}

#[test]
fn the_last_player_is_not_asked_when_the_other_surrenders() {
    let mut round = Round::new(&["TS 6S", "TC 9D"], "TH 7H", "");
    round.bet(&[10, 20]);
    round.act(0, &[Action::Surrender]);
    assert_eq!(round.result(), [-10, 0]);
    assert_eq!(round.deal_state().left(), Seats::one(seat(0)));
    let mut three = three(["TS 6S", "TC 9D"], "TH 7H", "");
    three.bet(&[10, 20, 10]);
    three.act(0, &[Action::Surrender]);
    assert_eq!(three.table.awaiting(), Awaiting::Turn(seat(1)));
}

#[test]
fn a_failed_dealer_costs_nothing_and_a_culprit_loses_their_stakes() {
    let culprit = Seats::one(seat(0));
    let check = |round: &Round, staked: i64| {
        assert_eq!(round.broken_off(Breakdown::DealerFailed), [0, 0]);
        assert_eq!(round.broken_off(Breakdown::Vanished(culprit)), [-staked, 0]);
        assert_eq!(round.broken_off(Breakdown::FalseClaim(culprit)), [-staked, 0]);
    };
    let mut round = Round::new(&["8S 8H", "TC 9D"], "TH 2H", "2S 3S TS TD 5D");
    check(&round, 0);
    let bets = [0, 1].map(|index| (seat(index), Bet(Chips(10))));
    round.table.choose(Height(0), &bets).expect("good bets");
    check(&round, 10);
    round.deal();
    check(&round, 10);
    round.try_act(0, Split).expect("a good move");
    check(&round, 20);
    round.deal();
    round.act(0, &[Action::Double]);
    check(&round, 30);
    round.act(0, &[Stand]);
    round.try_act(1, Stand).expect("a good move");
    check(&round, 30);
    round.step();
    assert_eq!(round.public().phase, "bank");
    check(&round, 30);
}

#[test]
fn a_hand_declared_bust_or_surrendered_stays_lost_when_others_break_the_round_off() {
    let mut round = Round::of(&setup("", 4), &["8S 8H", "TC 9D", "TS 5S", "TD 7D"], "TH 2H", "2S 3S TS KS KD");
    round.bet(&[10, 20, 30, 40]);
    // Seat 0 has lost one of two hands.
    round.act(0, &[Split, Hit, Hit, Action::Bust, Stand]);
    let check = |round: &Round, lost: [i64; 4]| {
        assert_eq!(round.broken_off(Breakdown::DealerFailed), [0; 4], "nobody is to blame");
        for why in [Breakdown::Vanished, Breakdown::FalseClaim] {
            assert_eq!(round.broken_off(why(Seats::one(seat(3)))), lost);
        }
    };
    check(&round, [-10, 0, 0, -40]);
    assert_eq!(round.broken_off(Breakdown::Vanished(Seats::one(seat(0)))), [-20, 0, 0, 0], "both hands are seat 0's");
    round.act(1, &[Action::Surrender]);
    check(&round, [-10, -20, 0, -40]);
    round.act(2, &[Hit, Action::Bust]);
    check(&round, [-10, -20, -30, -40]);
    // Nor does it come back to the last player.
    round.gone(2).expect("anybody may leave");
    round.gone(3).expect("anybody may leave");
    round.deal();
    assert_eq!(round.result(), [-10, -20, -30, -40]);
}
