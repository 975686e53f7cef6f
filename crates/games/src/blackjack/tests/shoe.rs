//! The shoe outlives a round, and is filled up should it run out.

use super::*;
use crate::blackjack::Shoe;
use Action::{Hit, Split, Stand};
use rand::SeedableRng as _;
use table::{Input, Move, Moves as _, Order, Run, Source};

/// A second round at a table whose single pack has been used up to `used`; seat 0 has `hand`.
fn second_round(used: u16, hand: &str, bank: &str, rest: &str) -> Round {
    let mut round = Round::with("decks=1", &["TS 8S", "TC 9D"], "TH 7H", "");
    round.bet(&[10, 10]);
    (0..2).for_each(|index| round.act(index, &[Stand]));
    assert_eq!(round.deal_state().shoe(), Some((Shoe { deck: 0, used: 6 }, 46)));
    let mut setup = round.deal_state().setup().clone();
    setup.first_deck = round.deal_state().decks().end;
    setup.shoe = Some(Shoe { deck: 0, used });
    round.table.next_deal(Deal::deal(&setup).expect("a good setup"));
    let all: Vec<Vec<Card>> = [hand, "2D 3D", bank].iter().map(|hand| cards(hand)).collect();
    let dealt = (0..2).flat_map(|nth| all.iter().map(move |hand| hand[nth])).chain(cards(rest));
    for (count, card) in (used..).zip(dealt) {
        round.faces.insert(if count < 52 { Slot::new(0, count) } else { Slot::new(1, count - 52) }, card);
    }
    round
}

#[test]
fn a_new_shoe_is_shuffled_where_there_is_none() {
    let mut round = Round::new(&["TS 8S", "TC 9D"], "TH 7H", "");
    assert_eq!(round.deal_state().decks(), 0..1);
    round.table.choose(Height(0), &[0, 1].map(|i| (seat(i), Bet(Chips(10))))).expect("good bets");
    let pack = cards::Pack::cards(6, 0).expect("a pack");
    assert_eq!(round.table.order(0), Some(Order::Shuffle { deck: 0, from: Source::Pack(pack) }));
    round.step();
    assert!(round.table.orders().all(|order| !matches!(order, Order::Shuffle { .. })));
}

#[test]
fn the_next_round_goes_on_with_the_shoe() {
    let mut round = second_round(20, "5C 6C", "9C 8C", "KC");
    assert_eq!(round.deal_state().decks(), 0..1, "the shoe is still in use, and no deck is made");
    assert_eq!(round.public().shoe, 32);
    round.bet(&[10, 10]);
    assert_eq!(round.public().shoe, 26);
    round.act(0, &[Hit, Stand]);
    round.act(1, &[Stand]);
    assert_eq!(round.result(), [10, -10]);
    assert_eq!(round.deal_state().shoe(), Some((Shoe { deck: 0, used: 27 }, 25)));
}

#[test]
fn a_shoe_that_runs_out_is_filled_with_the_cards_of_earlier_rounds() {
    let mut round = second_round(46, "5C 2C", "9C 8C", "KC 4H");
    round.bet(&[10, 10]);
    round.try_act(0, Hit).expect("a good move");
    let used = (0..46).map(|index| Slot::new(0, index)).collect();
    let slots = Run::one(Slot::new(1, 0));
    let expected = [Order::Shuffle { deck: 1, from: Source::Slots(used) }, Order::Deal { to: seat(0), slots }];
    assert_eq!(round.table.orders().collect::<Vec<_>>(), expected);
    assert_eq!(round.deal_state().decks(), 0..2);
    round.deal();
    assert_eq!(round.public().shoe, 45);
    // The second card comes without another shuffle.
    round.try_act(0, Hit).expect("a good move");
    assert_eq!(round.table.orders().count(), 1);
    round.deal();
    round.act(0, &[Stand]);
    round.act(1, &[Stand]);
    assert_eq!(round.result(), [10, -10]);
    assert_eq!(round.deal_state().shoe(), None, "the next round begins with all cards");
}

#[test]
fn a_split_can_take_the_last_card_of_the_shoe_and_the_first_of_the_next() {
    let mut round = second_round(45, "5C 5H", "9C 8C", "KC 4H");
    round.bet(&[10, 10]);
    round.try_act(0, Split).expect("a good move");
    let kinds: Vec<_> = round.table.orders().map(|order| matches!(order, Order::Shuffle { .. })).collect();
    assert_eq!(kinds, [true, false, false]);
    round.deal();
    let totals: Vec<_> = round.view(0).players[0].hands.iter().map(|hand| hand.total.unwrap().points).collect();
    assert_eq!(totals, [15, 9]);
}

#[test]
fn nobody_draws_when_every_card_is_on_the_table() {
    let mut deal = Deal::deal(&setup("decks=1", 4)).expect("a good setup");
    // Claims are not judged here, so the cards do not matter; all are twos.
    let two: Card = "2C".parse().expect("a card");
    let faces: Faces = (0..52).map(|index| (Slot::new(0, index), two)).collect();
    let mut apply = |input: Input<'_, Deal>| match input {
        Input::Act { .. } => deal.apply(&faces, input).and_then(|()| match deal.awaiting() {
            Awaiting::Dealer => deal.apply(&faces, Input::Dealt),
            Awaiting::Turn(_) | Awaiting::Choices(_) | Awaiting::Over => Ok(()),
        }),
        Input::Dealt | Input::Choices(_) | Input::Gone(_) | Input::Forfeit(_) => deal.apply(&faces, input),
    };
    apply(Input::Choices(&[0, 1, 2, 3].map(|index| (seat(index), Bet(Chips(10)))))).expect("good bets");
    apply(Input::Dealt).expect("dealt");
    let mut act = |index, action| apply(Input::Act { seat: seat(index), action: &action });
    // Ten cards are dealt; two full hands leave four, of which the third hand takes three.
    for (index, hits) in [(0, 19), (1, 19), (2, 3)] {
        (0..hits).for_each(|_| act(index, Hit).expect("a good move"));
        act(index, Stand).expect("a good move");
    }
    assert_eq!(act(3, Split), Err(Illegal::NoCardsLeft), "a split needs two");
    act(3, Hit).expect("the last card");
    assert_eq!(act(3, Hit), Err(Illegal::NoCardsLeft));
    act(3, Stand).expect("a good move");
    assert_eq!(deal.awaiting(), Awaiting::Over, "the bank stands on what it has");
    assert_eq!(deal.result, chips(&[-10, -10, 10, 10]));
}

#[test]
fn rounds_are_played_through_the_end_of_a_shoe() {
    let mut filled_up = 0;
    for seed in 0..200 {
        let mut rng = rand::rngs::ChaCha8Rng::from_seed([seed; 32]);
        let mut dealer = dealers::Local::new([seed; 32]);
        let mut hit_often = |table: &Table<Deal>, seat: Seat, known: Known<'_>| match table.rules().moves(known, seat) {
            Moves::Turn(can) if can.split => Some(Move::Act(Split)),
            Moves::Turn(can) if can.hit => Some(Move::Act(Hit)),
            moves => moves.pick(&mut rng),
        };
        let mut setup = setup("decks=1 max_split_hands=4", 4);
        let mut table = Table::new(Deal::deal(&setup).expect("a good setup"), Height(0));
        dealers::play_deal(&mut table, &mut dealer, &mut hit_often, &mut ()).expect("a good round");
        setup.first_deck = table.rules().decks().end;
        setup.shoe = Some(Shoe { deck: 0, used: 40 });
        table.next_deal(Deal::deal(&setup).expect("a good setup"));
        let outcome = dealers::play_deal(&mut table, &mut dealer, &mut hit_often, &mut ()).expect("a good round");
        assert_eq!(outcome.broken_off, None);
        filled_up += u32::from(table.rules().decks() == (0..2));
    }
    assert!(filled_up > 100, "{filled_up}");
}
