//! Blackout's screen at a table set by hand, and in matches of random moves.

use dealers::laws::dealt_by_hand;
use games::blackout::{Deal, Setup};
use table::{Eye, Faces, Known, Seats, Table};

use super::*;
use crate::play::screen::Press;
use crate::play::testing::{draft, drawn, round, screens_hold, settings};

#[test]
fn every_position_can_be_looked_at() {
    screens_hold::<Blackout>(2, &[("start", "26")], 1, 1);
    screens_hold::<Blackout>(7, &[("start", "6"), ("hook", "true")], 3, 2);
    screens_hold::<Blackout>(4, &[], 4, 3);
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

/// Two players with these cards, trump turned up, seat 0 to bid first and seat 1 dealing.
fn dealt(hands: [&str; 2], trump: &str, hook: bool) -> (Table<Deal>, [Faces; 2]) {
    let setup = Setup {
        players: 2,
        dealer: Some(seat(1)),
        cards: u8::try_from(hands[0].split(' ').count()).unwrap(),
        trump: true,
        hook,
        points_for_correct_bet: 10,
        gone: Seats::NONE,
        first_deck: 0,
    };
    dealt_by_hand(&setup, hands, trump)
}

fn act(table: &mut Table<Deal>, own: &[Faces; 2], who: u8, action: Action) {
    table.act(table.height(), seat(who), &action, &own[usize::from(who)]).unwrap();
}

/// What the button does when this card is marked, and what is said about it.
fn with_marked(table: &Table<Deal>, own: &[Faces; 2], who: u8, card: &str) -> (Result<(), String>, String) {
    let round = round::<Blackout>(settings::<Blackout>(&[]), 2);
    let known = Known::with(table.open(), &own[usize::from(who)]);
    round.scene(table, Eye::Seat(seat(who)), known, |scene| {
        let mut draft = draft::<Blackout>();
        let held = scene.view.hand.iter().find(|held| held.card == Some(card.parse().unwrap())).unwrap();
        draft.toggle(held.slot, Marking::One);
        let desk = Blackout::desk(scene, &draft);
        let pressed = match &desk.buttons[0].press {
            Ok(Press::Move(_)) => Ok(()),
            Ok(_) => panic!("the first button plays"),
            Err(why) => Err(why.clone()),
        };
        (pressed, desk.says.to_string())
    })
}

#[test]
fn a_marked_card_says_what_it_would_do() {
    let (mut table, own) = dealt(["Kh 2c 3c", "Ah 5h 7s"], "2s", false);
    act(&mut table, &own, 0, Action::Bid(1));
    act(&mut table, &own, 1, Action::Bid(1));
    assert_eq!(with_marked(&table, &own, 0, "Kh"), (Ok(()), "Kh leads.".to_owned()));
    let king = own[0].iter().next().unwrap().0;
    act(&mut table, &own, 0, Action::Play(king));
    let (can, says) = with_marked(&table, &own, 1, "Ah");
    assert_eq!((can, says.as_str()), (Ok(()), "Ah takes the trick, beating AAAAAAAAA's Kh."));
    assert_eq!(with_marked(&table, &own, 1, "5h").1, "5h loses to AAAAAAAAA's Kh.");
    let (can, says) = with_marked(&table, &own, 1, "7s");
    assert_eq!(can, Err("the suit that was led must be followed".to_owned()));
    assert_eq!(says, "You must follow suit: hearts.");
}

#[test]
fn the_hook_says_what_the_dealer_may_not_bid() {
    let (mut table, own) = dealt(["Kh 2c 3c", "Ah 5h 7s"], "2s", true);
    act(&mut table, &own, 0, Action::Bid(1));
    let round = round::<Blackout>(settings::<Blackout>(&[("hook", "true")]), 2);
    let known = Known::with(table.open(), &own[1]);
    round.scene(&table, Eye::Seat(seat(1)), known, |scene| {
        let mut draft = draft::<Blackout>();
        assert!(Blackout::desk(scene, &draft).buttons[0].press.is_ok());
        draft.amount = Some(2);
        let desk = Blackout::desk(scene, &draft);
        let why = desk.buttons[0].press.as_ref().err().unwrap();
        assert_eq!(why, "the dealer may not bid 2: the bids would add up to the number of tricks (hook rule)");
        assert_eq!(desk.says.to_string(), "Bid so far: 1 for 3 tricks; not 2 (hook rule).");
    });
}

#[test]
fn nobody_sees_the_cards_of_others() {
    let (table, own) = dealt(["Kh 2c 3c", "Ah 5h 7s"], "2s", false);
    let round = round::<Blackout>(settings::<Blackout>(&[]), 2);
    let known = Known::with(table.open(), &own[0]);
    round.scene(&table, Eye::Seat(seat(0)), known, |scene| {
        let text = drawn(scene, &draft::<Blackout>(), (80, 24)).0.join("\n");
        assert!(["Kh", "2c", "3c", "Trump 2s"].iter().all(|shown| text.contains(shown)), "{text}");
        assert!(["Ah", "5h", "7s"].iter().all(|hidden| !text.contains(hidden)), "{text}");
    });
}

#[test]
fn hands_are_sorted_by_suit_with_trump_first_or_by_rank() {
    let (table, own) = dealt(["2h Kd 9c Ah 3s", "4h 5h 6h 7h 8h"], "2c", false);
    let round = round::<Blackout>(settings::<Blackout>(&[]), 2);
    let known = Known::with(table.open(), &own[0]);
    round.scene(&table, Eye::Seat(seat(0)), known, |scene| {
        let hand = |sorting| {
            let cards = sorted(scene, sorting).into_iter().map(|tile| scene.card(tile.card));
            cards.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(hand(Sorting::Suits), "9c 3s Ah 2h Kd");
        assert_eq!(hand(Sorting::Ranks), "Ah Kd 9c 3s 2h");
    });
}
