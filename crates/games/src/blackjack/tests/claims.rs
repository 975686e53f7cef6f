//! What is said about closed cards is judged when they are open, or at once where a house knows them.

use super::*;
use Action::{Bust, Double, Hit, Stand};
use dealers::Dealer as _;

/// Seat 0 acts like this with nobody looking; seats 1 and 2 stand on a natural and on 18.
fn found_out(hand: &str, drawn: &str, actions: &[Action]) -> Round {
    let mut round = Round::new(&[hand, "AC KD", "TC 8D"], "TH 9H", drawn);
    round.bet(&[40, 20, 10]);
    round.act(0, actions);
    round.act(1, &[Stand]);
    round.act(2, &[Stand]);
    round
}

#[test]
fn true_claims_break_nothing() {
    let round = found_out("2S 3S", "4S KS 5S", &[Hit, Hit, Stand]);
    assert_eq!(round.result(), [0, 30, -10]);
    assert_eq!(round.table.broken_claims().count(), 0);
}

#[test]
fn a_false_total_costs_its_author_the_stakes_and_the_others_are_settled_as_played() {
    let standing_above_21 = found_out("TS 6S", "KS", &[Hit, Stand]);
    let hitting_on_21 = found_out("AS KS", "5S", &[Hit, Stand]);
    let bust_below_21 = found_out("TS 6S", "", &[Bust]);
    for round in [standing_above_21, hitting_on_21, bust_below_21] {
        // A natural wins 30, 18 against 19 loses 10.
        assert_eq!(round.result(), [-40, 30, -10]);
        let why = Breakdown::FalseClaim(Seats::one(seat(0)));
        assert_eq!(round.table.outcome().and_then(|outcome| outcome.broken_off), Some(why));
    }
    let doubling_on_21 = found_out("AS KS", "5S", &[Double]);
    assert_eq!(doubling_on_21.result(), [-80, 30, -10]);
}

#[test]
fn a_false_total_loses_the_match() {
    let round = found_out("TS 6S", "KS", &[Hit, Stand]);
    let mut series = Blackjack::start(&Settings::default(), 3).expect("good settings");
    let outcome = round.table.outcome().expect("over");
    table::Series::finish(&mut series, round.deal_state(), outcome);
    let standing = table::Series::standing(&series);
    assert_eq!(standing.total.as_slice(), [460, 530, 490].map(Chips));
    assert_eq!(standing.place.as_slice(), [3, 1, 2]);
    let next = table::Series::next(&series, 0).expect("two play on");
    assert_eq!(next.playing(), Seats::first(3).without(seat(0)));
}

#[test]
fn nobody_hits_for_ever() {
    let mut round = Round::new(&["2S 2H", "TC 8D"], "TH 9H", &"2S 3S 4S 5S 6S 7S 8S 9S ".repeat(3));
    round.bet(&[10, 10]);
    round.act(0, &[Hit; 19]);
    assert_eq!(round.public().players[0].hands[0].cards.len(), 21);
    assert_eq!(round.refusal(0, Hit), Illegal::NotBelow21);
}

#[test]
fn a_house_that_knows_the_cards_refuses_at_once() {
    // Until each kind of refusal has been seen, deal after deal is tried with every action.
    let mut seen = Vec::new();
    for seed in 0..200 {
        let mut table = Table::new(Deal::deal(&setup("", 2)).expect("a good setup"), Height(0));
        let mut dealer = dealers::Local::new([seed; 32]);
        while table.awaiting() != Awaiting::Over {
            match table.awaiting() {
                Awaiting::Choices(_) => {
                    table.choose(table.height(), &[0, 1].map(|i| (seat(i), Bet(Chips(10))))).expect("good bets");
                }
                Awaiting::Dealer => {
                    dealer.fill(&table).expect("good orders");
                    table.dealt(table.height(), dealer.opened()).expect("good cards");
                }
                Awaiting::Turn(seat) => {
                    let admits = |action| dealers::admit(&table, &dealer, seat, &action);
                    let can = [Hit, Stand, Double, Bust].map(admits);
                    let [hit, stand, double, bust] = can.clone().map(|admitted| admitted.is_ok());
                    assert_eq!(hit, double);
                    assert_eq!(stand, !bust);
                    seen.extend(can.into_iter().filter_map(Result::err));
                    let action = if hit {
                        Hit
                    } else if stand {
                        Stand
                    } else {
                        Bust
                    };
                    table.act(table.height(), seat, &action, dealer.opened()).expect("a good move");
                }
                Awaiting::Over => {}
            }
        }
        assert_eq!(table.broken_claims().count(), 0);
    }
    for why in [Illegal::NotBelow21, Illegal::MustBust, Illegal::NotBust] {
        assert!(seen.contains(&Refused::Illegal(why)), "{why}");
    }
}
