//! Rules of Blackout, one by one.

use cards::{Card, parse_cards};
use dealers::{Dealer as _, Local, Players, admit, play_deal};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use table::{
    Awaiting, Breakdown, Chips, Eye, Faces, Game as _, Height, Known, Match, Move, Moves as _, Order, Refused,
    Rules as _, Seat, Seats, Series as _, Settings as _, Slot, Table, TieBreak,
};

use super::{Action, Blackout, Deal, Illegal, Moves, Settings, Setup};

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

fn setup(players: u8, cards: u8) -> Setup {
    Setup {
        players,
        dealer: Some(seat(players - 1)),
        cards,
        trump: true,
        hook: false,
        points_for_correct_bet: 10,
        gone: Seats::NONE,
        first_deck: 0,
    }
}

/// A table with these hands, by seat, and this trump, everything dealt.
fn dealt(setup: &Setup, hands: &[&str], trump: Option<&str>) -> (Table<Deal>, Faces) {
    let mut table = Table::new(Deal::deal(setup).unwrap(), Height(0));
    let mut faces = Faces::new();
    let hands: Vec<Vec<Card>> = hands.iter().map(|hand| parse_cards(hand).unwrap()).collect();
    let mut seats_dealt = hands.iter();
    for order in table.orders() {
        match order {
            Order::Deal { to, slots } => {
                slots.slots().zip(&hands[usize::from(to.index())]).for_each(|(s, c)| faces.insert(s, *c));
                seats_dealt.next();
            }
            Order::Open { slots } if seats_dealt.len() == 0 => {
                slots.slots().for_each(|slot| faces.insert(slot, trump.unwrap().parse().unwrap()));
            }
            Order::Open { slots } => {
                let hand = seats_dealt.next().unwrap();
                slots.slots().zip(hand).for_each(|(s, c)| faces.insert(s, *c));
            }
            Order::Shuffle { .. } => {}
        }
    }
    table.dealt(Height(0), &faces).unwrap();
    (table, faces)
}

fn act(table: &mut Table<Deal>, faces: &Faces, who: u8, action: Action) -> Result<(), Illegal> {
    match table.act(table.height(), seat(who), &action, faces) {
        Err(Refused::Illegal(why)) => Err(why),
        other => {
            other.unwrap();
            Ok(())
        }
    }
}

fn slot_of(faces: &Faces, card: &str) -> Slot {
    let card: Card = card.parse().unwrap();
    faces.iter().find(|(_, face)| *face == card).unwrap().0
}

fn play(table: &mut Table<Deal>, faces: &Faces, who: u8, card: &str) -> Result<(), Illegal> {
    act(table, faces, who, Action::Play(slot_of(faces, card)))
}

fn bid_all(table: &mut Table<Deal>, faces: &Faces, bids: &[u8]) {
    for (who, bid) in (0..).zip(bids) {
        act(table, faces, who, Action::Bid(*bid)).unwrap();
    }
}

#[test]
fn laws_hold_for_every_number_of_players() {
    dealers::laws::hold::<Blackout>();
}

#[test]
fn laws_hold_with_the_hook_and_without_trump() {
    let mut settings = Settings::default();
    settings.set("hook", "true").unwrap();
    settings.set("no_trump_rounds", "1,2,5").unwrap();
    settings.set("reserve_trump", "true").unwrap();
    dealers::laws::hold_with::<Blackout>(&settings, 4);
}

#[test]
fn rounds_go_up_to_the_largest_and_down_again() {
    let sizes = |players, text: &[(&str, &str)]| {
        let mut settings = Settings::default();
        text.iter().for_each(|(name, value)| settings.set(name, value).unwrap());
        settings.sizes(players).unwrap()
    };
    let four: Vec<u8> = (1..=13).chain((1..13).rev()).collect();
    assert_eq!(sizes(4, &[]), four);
    assert_eq!(sizes(2, &[]).len(), 51);
    assert_eq!(sizes(7, &[]).len(), 13);
    assert_eq!(sizes(3, &[("start", "3"), ("max", "3"), ("end", "1")]), [3, 2, 1]);
    assert_eq!(sizes(3, &[("start", "2"), ("max", "4"), ("end", "4")]), [2, 3, 4]);
    assert_eq!(sizes(4, &[("reserve_trump", "true")]).iter().max(), Some(&12));
}

#[test]
fn only_the_round_that_uses_the_whole_pack_has_no_trump() {
    let series = Blackout::start(&Settings::default(), 4).unwrap();
    for (turn, cards) in (0..).zip(series.sizes()) {
        let deal = Deal::deal(&Blackout::sample(&Settings::default(), 4, turn).unwrap()).unwrap();
        let turned_up = (0..).map_while(|i| deal.order(i)).any(|order| matches!(order, Order::Open { .. }));
        assert_eq!(turned_up, *cards != 13);
    }
}

#[test]
fn settings_out_of_range_name_the_field_and_the_range() {
    let refused = |players, text: &[(&str, &str)]| {
        let mut settings = Settings::default();
        text.iter().for_each(|(name, value)| settings.set(name, value).unwrap());
        Blackout::start(&settings, players).unwrap_err().to_string()
    };
    assert_eq!(refused(4, &[("max", "14")]), "max must be from 1 to 13 with 4 players");
    assert_eq!(refused(4, &[("start", "5"), ("max", "4")]), "start must be from 1 to 4, the largest round");
    assert_eq!(refused(4, &[("end", "5"), ("max", "4")]), "end must be from 1 to 4, the largest round");
    assert_eq!(refused(7, &[("no_trump_rounds", "14")]), "no_trump_rounds must be rounds from 1 to 13, not 14");
    assert_eq!(refused(8, &[]), "players must be from 2 to 7");
    let mut settings = Settings::default();
    let said = settings.set("points_for_correct_bet", "101").unwrap_err().to_string();
    assert_eq!(said, "points_for_correct_bet must be from 0 to 100");
    assert!(settings.set("trumps", "1").unwrap_err().to_string().contains("no_trump_rounds"));
}

#[test]
fn a_setup_out_of_range_is_refused() {
    let refused = |change: fn(&mut Setup)| {
        let mut setup = setup(4, 3);
        change(&mut setup);
        Deal::deal(&setup).unwrap_err().field
    };
    assert_eq!(refused(|s| s.players = 1), "players");
    assert_eq!(refused(|s| s.cards = 14), "cards");
    assert_eq!(refused(|s| s.cards = 0), "cards");
    assert_eq!(refused(|s| s.dealer = Seat::new(4)), "dealer");
    assert_eq!(refused(|s| s.points_for_correct_bet = -1), "points_for_correct_bet");
    assert_eq!(refused(|s| s.gone = Seats::first(5)), "gone");
}

#[test]
fn a_trump_takes_the_trick_and_without_trump_the_highest_of_the_led_suit() {
    let hands = ["9S", "2H", "AS", "KD"];
    let (mut table, faces) = dealt(&setup(4, 1), &hands, Some("3H"));
    bid_all(&mut table, &faces, &[0, 1, 0, 0]);
    for (who, card) in (0..).zip(hands) {
        play(&mut table, &faces, who, card).unwrap();
    }
    assert_eq!(table.outcome().unwrap().result.as_slice(), [10, 11, 10, 10].map(Chips));

    let (mut table, faces) = dealt(&Setup { trump: false, ..setup(4, 1) }, &hands, None);
    bid_all(&mut table, &faces, &[0, 1, 1, 0]);
    for (who, card) in (0..).zip(hands) {
        play(&mut table, &faces, who, card).unwrap();
    }
    assert_eq!(table.outcome().unwrap().result.as_slice(), [10, 0, 11, 10].map(Chips));
}

#[test]
fn left_of_the_dealer_bids_and_leads_and_the_winner_leads_next() {
    let deal = Setup { dealer: Some(seat(1)), ..setup(3, 2) };
    let (mut table, faces) = dealt(&deal, &["2C 3C", "AC 4D", "5C 6D"], Some("2H"));
    assert_eq!(table.awaiting(), Awaiting::Turn(seat(2)));
    for who in [2, 0, 1] {
        act(&mut table, &faces, who, Action::Bid(0)).unwrap();
    }
    assert_eq!(table.awaiting(), Awaiting::Turn(seat(2)));
    play(&mut table, &faces, 2, "5C").unwrap();
    play(&mut table, &faces, 0, "2C").unwrap();
    play(&mut table, &faces, 1, "AC").unwrap();
    assert_eq!(table.awaiting(), Awaiting::Turn(seat(1)));
}

#[test]
fn what_is_not_allowed_is_refused_with_its_reason() {
    let (mut table, faces) = dealt(&setup(3, 2), &["2C 3C", "AC 4D", "5C 6D"], Some("2H"));
    assert_eq!(act(&mut table, &faces, 1, Action::Bid(0)), Err(Illegal::NotYourTurn));
    assert_eq!(act(&mut table, &faces, 0, Action::Bid(3)), Err(Illegal::BetOutOfRange { most: 2 }));
    assert_eq!(play(&mut table, &faces, 0, "2C"), Err(Illegal::WrongPhase));
    bid_all(&mut table, &faces, &[0, 0, 0]);
    assert_eq!(act(&mut table, &faces, 0, Action::Bid(0)), Err(Illegal::WrongPhase));
    assert_eq!(play(&mut table, &faces, 1, "AC"), Err(Illegal::NotYourTurn));
    let foreign = slot_of(&faces, "AC");
    assert_eq!(play(&mut table, &faces, 0, "AC"), Err(Illegal::CardNotInHand(foreign)));
    play(&mut table, &faces, 0, "2C").unwrap();
    let nowhere = Slot::new(9, 9);
    assert_eq!(act(&mut table, &faces, 1, Action::Play(nowhere)), Err(Illegal::CardNotInHand(nowhere)));
    assert_eq!(
        table.act(table.height(), seat(7), &Action::Bid(0), &faces),
        Err(Refused::NoSuchSeat(seat(7))),
        "there are three seats"
    );
}

#[test]
fn the_hook_forbids_the_dealer_one_bid() {
    let deal = Setup { hook: true, ..setup(3, 2) };
    let (mut table, faces) = dealt(&deal, &["2C 3C", "AC 4D", "5C 6D"], Some("2H"));
    act(&mut table, &faces, 0, Action::Bid(1)).unwrap();
    act(&mut table, &faces, 1, Action::Bid(0)).unwrap();
    assert_eq!(act(&mut table, &faces, 2, Action::Bid(1)), Err(Illegal::BetForbiddenByHook { bid: 1 }));
    let known = Known::with(table.open(), &faces);
    let Moves::Bid { most: 2, forbidden: Some(1) } = table.rules().moves(known, seat(2)) else { panic!() };
    act(&mut table, &faces, 2, Action::Bid(2)).unwrap();
}

#[test]
fn a_house_refuses_a_revoke_at_once() {
    // A deal in which seat 1 could follow but need not want to: found among seeds, whatever the generator gives.
    for seed in 0..=u8::MAX {
        let mut dealer = Local::new([seed; 32]);
        let mut table = Table::new(Deal::deal(&setup(2, 5)).unwrap(), Height(0));
        dealer.fill(&table).unwrap();
        table.dealt(Height(0), dealer.opened()).unwrap();
        for who in [0, 1] {
            table.act(table.height(), seat(who), &Action::Bid(0), dealer.opened()).unwrap();
        }
        let Move::Act(lead) = table.rules().default_move(known(&table, &dealer, 0), seat(0)).unwrap();
        table.act(table.height(), seat(0), &lead, dealer.opened()).unwrap();
        let Some(revoke) = revoke(&table, &dealer) else { continue };
        let must_follow = Err(Refused::Illegal(Illegal::MustFollowSuit));
        assert_eq!(admit(&table, &dealer, seat(1), &revoke), must_follow);
        let height = table.height();
        let knows = |claim: &super::Claim| dealer.judge(claim) != Some(false);
        assert_eq!(table.act_if(height, seat(1), &revoke, dealer.opened(), knows), must_follow);
        assert_eq!(table.awaiting(), Awaiting::Turn(seat(1)));
        return;
    }
    panic!("no deal with a possible revoke in 256");
}

fn known<'a>(table: &'a Table<Deal>, dealer: &'a Local, who: u8) -> Known<'a> {
    Known::with(table.open(), dealer.own(seat(who)))
}

/// A card of seat 1 that does not follow, where one that does is held.
fn revoke(table: &Table<Deal>, dealer: &Local) -> Option<Action> {
    let Moves::Play(playable) = table.rules().moves(known(table, dealer, 1), seat(1)) else { return None };
    let legal: Vec<Slot> = playable.iter().map(|held| held.slot).collect();
    let view = table.rules().view(known(table, dealer, 1), Eye::Seat(seat(1)));
    let other = view.hand.iter().find(|held| !legal.contains(&held.slot))?;
    Some(Action::Play(other.slot))
}

#[test]
fn a_hidden_revoke_is_found_at_the_end_and_does_not_pay() {
    let (mut table, faces) = dealt(&setup(2, 2), &["2C 3C", "AC 4D"], Some("2H"));
    bid_all(&mut table, &faces, &[0, 1]);
    play(&mut table, &faces, 0, "2C").unwrap();
    // Seat 1 holds the ace of clubs, and keeps it.
    play(&mut table, &faces, 1, "4D").unwrap();
    play(&mut table, &faces, 0, "3C").unwrap();
    play(&mut table, &faces, 1, "AC").unwrap();
    let outcome = table.outcome().unwrap();
    assert_eq!(outcome.broken_off, Some(Breakdown::FalseClaim(Seats::one(seat(1)))));
    assert_eq!(outcome.result.as_slice(), [0, -12].map(Chips), "seat 0 scores as played, seat 1 pays 10 and the cards");
    assert_eq!(table.broken_claims().count(), 1);
}

#[test]
fn an_honest_discard_is_no_fault() {
    let (mut table, faces) = dealt(&setup(2, 2), &["2C 3C", "AH 4D"], Some("2H"));
    bid_all(&mut table, &faces, &[1, 1]);
    play(&mut table, &faces, 0, "2C").unwrap();
    play(&mut table, &faces, 1, "4D").unwrap();
    play(&mut table, &faces, 0, "3C").unwrap();
    play(&mut table, &faces, 1, "AH").unwrap();
    assert_eq!(table.outcome().unwrap().result.as_slice(), [11, 11].map(Chips));
}

#[test]
fn a_player_who_runs_out_of_time_bids_nothing_and_plays_the_lowest_legal_card() {
    let (mut table, faces) = dealt(&setup(2, 3), &["5C 3C AD", "KC 4D 2H"], Some("2S"));
    let default = |table: &Table<Deal>, who| table.rules().default_move(Known::with(&faces, &faces), seat(who));
    assert_eq!(default(&table, 0), Some(Move::Act(Action::Bid(0))));
    assert_eq!(default(&table, 1), None);
    bid_all(&mut table, &faces, &[0, 0]);
    assert_eq!(default(&table, 0), Some(Move::Act(Action::Play(slot_of(&faces, "3C")))));
    play(&mut table, &faces, 0, "AD").unwrap();
    assert_eq!(default(&table, 1), Some(Move::Act(Action::Play(slot_of(&faces, "4D")))));
    play(&mut table, &faces, 1, "4D").unwrap();
    play(&mut table, &faces, 0, "3C").unwrap();
    assert_eq!(default(&table, 1), Some(Move::Act(Action::Play(slot_of(&faces, "KC")))));
    let blind = table.rules().default_move(Known::public(table.open()), seat(1));
    assert_eq!(blind, None, "without its cards there is no telling");
}

#[test]
fn a_leavers_cards_are_opened_and_played_by_the_default() {
    let (mut table, faces) = dealt(&setup(3, 2), &["2C 3C", "AC 4D", "5C 6D"], Some("2H"));
    bid_all(&mut table, &faces, &[1, 1]);
    table.gone(table.height(), seat(0)).unwrap();
    assert_eq!(table.awaiting(), Awaiting::Dealer, "its cards must be opened");
    assert_eq!(act(&mut table, &faces, 2, Action::Bid(0)), Err(Illegal::WrongPhase));
    table.dealt(table.height(), &faces).unwrap();
    act(&mut table, &faces, 2, Action::Bid(0)).unwrap();
    // Seat 0 leads its lowest card at once.
    assert_eq!(table.awaiting(), Awaiting::Turn(seat(1)));
    let view = table.rules().view(Known::public(table.open()), Eye::Public);
    assert_eq!(view.trick, [(seat(0), "2C".parse().unwrap())]);
    assert_eq!(view.players[0].open.len(), 1);
    assert_eq!(table.gone(table.height(), seat(0)), Err(Refused::Illegal(Illegal::NotSeated)));
    play(&mut table, &faces, 1, "AC").unwrap();
    play(&mut table, &faces, 2, "5C").unwrap();
    play(&mut table, &faces, 1, "4D").unwrap();
    play(&mut table, &faces, 2, "6D").unwrap();
    assert_eq!(table.outcome().unwrap().result.as_slice(), [0, 11, 0].map(Chips));
}

#[test]
fn when_one_player_is_left_the_round_is_over_at_once() {
    let (mut table, faces) = dealt(&setup(3, 2), &["2C 3C", "AC 4D", "5C 6D"], Some("2H"));
    bid_all(&mut table, &faces, &[1, 1, 0]);
    play(&mut table, &faces, 0, "2C").unwrap();
    table.gone(table.height(), seat(1)).unwrap();
    assert_eq!(table.awaiting(), Awaiting::Dealer, "two play on");
    table.gone(table.height(), seat(2)).unwrap();
    // No card is opened for them any more.
    assert_eq!((table.awaiting(), table.orders().count()), (Awaiting::Over, 0));
    let outcome = table.outcome().unwrap().clone();
    assert_eq!((outcome.ending.as_ref(), outcome.broken_off), ("left alone", None));
    assert_eq!(outcome.result.as_slice(), [0, -12, -12].map(Chips));
    let view = table.rules().view(Known::public(table.open()), Eye::Public);
    assert_eq!((view.phase, view.turn), ("over", None));
    let own = Known::with(table.open(), &faces);
    assert_eq!(table.rules().default_move(own, seat(0)), None);
    assert!(matches!(table.rules().moves(own, seat(0)), Moves::None));
    assert_eq!(table.gone(table.height(), seat(0)), Err(Refused::NotAwaited(Awaiting::Over)));
    // Nobody's bid counts as exact in a round that was not played.
    let mut series = Blackout::start(&Settings::default(), 3).unwrap();
    series.finish(table.rules(), &outcome);
    assert_eq!(series.standing().winners(), Seats::one(seat(0)));
    assert!(series.standing().over);
    // While the dice roll, too.
    let mut rolling = Table::new(Deal::deal(&Setup { dealer: None, ..setup(2, 1) }).unwrap(), Height(0));
    rolling.gone(Height(0), seat(0)).unwrap();
    assert_eq!(rolling.outcome().unwrap().result.as_slice(), [-11, 0].map(Chips));
}

#[test]
fn the_first_dealer_has_rolled_highest_and_ties_roll_again() {
    let deal = Setup { dealer: None, first_deck: 5, ..setup(3, 1) };
    let mut table = Table::new(Deal::deal(&deal).unwrap(), Height(0));
    let roll = |rolls: &[(u32, u8)]| -> Faces {
        rolls.iter().map(|(deck, pips)| (Slot::new(*deck, 0), Card::lot(*pips).unwrap())).collect()
    };
    table.dealt(Height(0), &roll(&[(5, 17), (6, 4), (7, 17)])).unwrap();
    let decks: Vec<Order> = table.orders().collect();
    assert_eq!(decks.len(), 4, "seats 0 and 2 roll again: {decks:?}");
    table.dealt(Height(1), &roll(&[(8, 2), (9, 20)])).unwrap();
    assert_eq!(table.rules().dealer(), seat(2));
    assert!(table.orders().any(|order| matches!(order, Order::Shuffle { deck: 10, .. })));
    let view = table.rules().view(Known::public(table.open()), Eye::Public);
    assert_eq!(view.players.iter().map(|p| p.roll).collect::<Vec<_>>(), [Some(2), Some(4), Some(20)]);
    assert_eq!(view.players.iter().map(|p| p.rolls.as_slice()).collect::<Vec<_>>(), [&[17, 2][..], &[4], &[17, 20]]);
}

#[test]
fn a_die_cannot_show_what_it_has_not() {
    let deal = Setup { dealer: None, ..setup(2, 1) };
    let mut table = Table::new(Deal::deal(&deal).unwrap(), Height(0));
    let rolled: Faces =
        [(Slot::new(0, 0), Card::lot(21).unwrap()), (Slot::new(1, 0), Card::lot(3).unwrap())].into_iter().collect();
    let refused = table.dealt(Height(0), &rolled);
    assert_eq!(refused, Err(Refused::NoSuchCard(Slot::new(0, 0), Card::lot(21).unwrap())));
}

#[test]
fn the_deal_moves_one_seat_each_round_and_ties_are_broken_by_exact_bids() {
    let mut settings = Settings::default();
    for (name, value) in [("start", "1"), ("max", "2"), ("end", "1")] {
        settings.set(name, value).unwrap();
    }
    let mut running = Match::<Blackout>::start(&settings, 3).unwrap();
    let mut dealer = Local::new([7; 32]);
    let mut players = Picks(ChaCha8Rng::from_seed([9; 32]));
    let mut dealers = Vec::new();
    while !running.standing().over {
        play_deal(running.table_mut(), &mut dealer, &mut players, &mut ()).unwrap();
        dealers.push(running.table().rules().dealer());
        running.advance(0).unwrap();
    }
    assert_eq!(dealers.len(), 3);
    assert_eq!(dealers[1], dealers[0].left(3));
    assert_eq!(dealers[2], dealers[1].left(3));
    assert_eq!(running.advance(0), None, "nothing comes after the end");
}

struct Picks(ChaCha8Rng);

impl Players<Deal> for Picks {
    fn decide(&mut self, table: &Table<Deal>, who: Seat, known: Known<'_>) -> Option<Move<Action, table::NoChoice>> {
        table.rules().moves(known, who).pick(&mut self.0)
    }
}

#[test]
fn a_leaver_is_placed_last_and_the_last_player_left_wins() {
    let mut series = Blackout::start(&Settings::default(), 3).unwrap();
    let deal = Deal::deal(&series.next(0).unwrap()).unwrap();
    series
        .finish(&deal, &table::Outcome::played("played", table::PerSeat::from_slice(&[11, 10, 0].map(Chips)).unwrap()));
    series.concede(seat(0));
    assert_eq!(series.standing().place.as_slice(), [3, 1, 2]);
    assert!(!series.standing().over);
    assert_eq!(series.next(9).unwrap().gone, Seats::one(seat(0)));
    series.concede(seat(1));
    assert!(series.standing().over);
    assert_eq!(series.standing().winners(), Seats::one(seat(2)));
    assert_eq!(series.next(9), None);
}

#[test]
fn equal_points_are_told_apart_by_exact_bids_and_then_by_the_last_rounds() {
    let scores =
        |scores: [i64; 2]| table::Outcome::played("played", table::PerSeat::from_slice(&scores.map(Chips)).unwrap());
    let [zero, one] = [seat(0), seat(1)];
    let mut series = Blackout::start(&Settings::default(), 2).unwrap();
    let (mut deal, faces) = dealt(&setup(2, 1), &["2C", "3C"], Some("QD"));
    bid_all(&mut deal, &faces, &[0, 0]);
    play(&mut deal, &faces, 0, "2C").unwrap();
    play(&mut deal, &faces, 1, "3C").unwrap();
    series.finish(deal.rules(), &scores([5, 5]));
    assert_eq!(series.standing().place.as_slice(), [1, 2]);
    assert_eq!(series.tie_break(zero, one), Some(TieBreak::ExactBids(1, 0)));
    assert_eq!(series.tie_break(one, zero), None);

    let mut series = Blackout::start(&Settings::default(), 2).unwrap();
    let deal = Deal::deal(&series.next(0).unwrap()).unwrap();
    for round in [[11, 0], [0, 11], [7, 7]] {
        series.finish(&deal, &scores(round));
    }
    assert_eq!(series.standing().place.as_slice(), [2, 1]);
    assert_eq!(series.tie_break(one, zero), Some(TieBreak::Deal(2, Chips(11), Chips(0))));
    series.concede(one);
    assert_eq!(series.tie_break(zero, one), Some(TieBreak::Stayed));
}

#[test]
fn a_refusal_tells_nothing_about_cards_of_others() {
    let (mut table, faces) = dealt(&setup(3, 3), &["2C 5D 6H", "3C 7D 8H", "4C 9S JS"], Some("QD"));
    bid_all(&mut table, &faces, &[0, 0, 0]);
    play(&mut table, &faces, 0, "2C").unwrap();
    let house = |table: &Table<Deal>, slot| {
        let judge = |claim: &super::Claim| table::Claim::holds(claim, &faces);
        table.clone().act_if(table.height(), seat(1), &Action::Play(slot), &faces, judge)
    };
    for card in ["4C", "9S", "JS", "5D", "6H"] {
        let slot = slot_of(&faces, card);
        assert_eq!(house(&table, slot), Err(Refused::Illegal(Illegal::CardNotInHand(slot))), "{card}");
        assert_eq!(table.rules().shows(seat(1), &Action::Play(slot)).count(), 0, "{card}");
        assert!(table.rules().claim(&faces, seat(1), &Action::Play(slot)).is_none(), "{card}");
    }
    let slot = slot_of(&faces, "7D");
    assert_eq!(house(&table, slot), Err(Refused::Illegal(Illegal::MustFollowSuit)));
    assert_eq!(table.rules().shows(seat(2), &Action::Play(slot_of(&faces, "9S"))).count(), 0, "not their turn");
}

#[test]
fn only_a_finished_round_has_exact_bids() {
    let mut series = Blackout::start(&Settings::default(), 2).unwrap();
    let (mut table, faces) = dealt(&setup(2, 1), &["2C", "3C"], Some("QD"));
    bid_all(&mut table, &faces, &[0, 1]);
    table.break_off(table.height(), Breakdown::DealerFailed).unwrap();
    series.finish(table.rules(), table.outcome().unwrap());
    assert_eq!(series.standing().place.as_slice(), [1, 1]);
}

#[test]
fn dice_that_could_not_be_rolled_are_rolled_in_the_next_round() {
    let mut running = Match::<Blackout>::start(&Settings::default(), 3).unwrap();
    let height = running.table().height();
    running.table_mut().break_off(height, Breakdown::DealerFailed).unwrap();
    running.advance(0).unwrap();
    assert_eq!(running.table().rules().setup().dealer, None);
}

#[test]
fn a_culprit_loses_no_less_than_an_exact_bid_gives() {
    for (points, penalty) in [(0, -12), (10, -12), (100, -102)] {
        let deal = Deal::deal(&Setup { points_for_correct_bet: points, ..setup(3, 2) }).unwrap();
        let outcome = deal.break_off(Breakdown::FalseClaim(Seats::one(seat(1))));
        assert_eq!(outcome.result.as_slice(), [0, penalty, 0].map(Chips));
    }
}
