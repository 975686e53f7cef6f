//! A round from the deal to the comparison.

use cards::{Card, Rank, Suit};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::{
    Awaiting, Chips, Draw, Eye, Faces, Height, Input, Known, Move, Moves as _, Order, Refused, Rules, Run, Seats, Slot,
    Table,
};

use super::{Scripted, seat, setup};
use crate::ongdu::{Action, Arrangement, Class, Deal, Illegal, Moves, Preset, Setup};

#[test]
fn cards_are_dealt_one_at_a_time_anti_clockwise_from_the_starting_player() {
    let deal = Deal::deal(&Setup { starter: Some(seat(1)), ..setup(3) }).unwrap();
    let first = |at: u8| deal.dealt_to(seat(at)).slots().take(2).map(|slot| slot.index).collect::<Vec<_>>();
    assert_eq!([first(1), first(0), first(2)], [[0, 3], [1, 4], [2, 5]]);
    let all: Vec<Order> = (0..).map_while(|i| deal.order(i)).collect();
    assert_eq!(all.len(), 4);
    assert!(matches!(all[0], Order::Shuffle { deck: 0, .. }));
    assert_eq!(all[1], Order::Deal { to: seat(0), slots: Run::every(Slot::new(0, 1), 3, 9) });
}

#[test]
fn six_players_use_the_whole_pack_and_the_starting_player_has_ten_cards() {
    let deal = Deal::deal(&Setup { starter: Some(seat(4)), ..setup(6) }).unwrap();
    let mut places: Vec<u16> =
        deal.all().iter().flat_map(|at| deal.dealt_to(at).slots().collect::<Vec<_>>()).map(|slot| slot.index).collect();
    places.sort_unstable();
    assert!(places.into_iter().eq(0..55));
    assert_eq!(deal.dealt_to(seat(4)).len, 10);
    assert_eq!(deal.dealt_to(seat(4)).slots().last(), Some(Slot::new(0, 54)));
    let scripted = Scripted::deal(&setup(6), &[]);
    assert_eq!(scripted.view().pile, 0);
    assert_eq!(Scripted::deal(&setup(5), &[]).view().pile, 10);
}

#[test]
fn a_lot_says_who_starts_where_nobody_does() {
    let deal = Deal::deal(&Setup { starter: None, first_deck: 7, ..setup(4) }).unwrap();
    let mut table = Table::new(deal, Height(0));
    assert_eq!(table.rules().starter(), None);
    let lot = [(Slot::new(7, 0), Card::lot(3).unwrap())];
    table.dealt(Height(0), &lot.into_iter().collect::<Faces>()).unwrap();
    assert_eq!(table.rules().starter(), Some(seat(2)));
    assert_eq!(table.rules().decks(), 7..9);
    assert!(matches!(table.order(0), Some(Order::Shuffle { deck: 8, .. })));
}

#[test]
fn the_starting_player_of_six_discards_any_card_face_up() {
    let mut scripted = Scripted::deal(&setup(6), &["JK 2C 3C 4C 5C 6C 7C 8C 9C TC"]);
    assert_eq!(scripted.table.awaiting(), Awaiting::Turn(seat(0)));
    let joker = scripted.slots(0)[0];
    let act = |scripted: &mut Scripted, by: u8, slot| {
        scripted.table.act(scripted.table.height(), seat(by), &Action::Discard(slot), &scripted.faces)
    };
    assert_eq!(act(&mut scripted, 1, joker), Err(Refused::Illegal(Illegal::NotYourTurn)));
    let other = scripted.slots(1)[0];
    assert_eq!(act(&mut scripted, 0, other), Err(Refused::Illegal(Illegal::CardNotInHand(other))));
    assert_eq!(scripted.table.open().get(other), None);
    assert_eq!(scripted.table.rules().admits_choice(seat(1), &scripted.as_dealt(1)), Err(Illegal::MustDiscardFirst));
    let mut rules = scripted.table.rules().clone();
    assert_eq!(rules.apply(scripted.table.open(), Input::Choices(&[])), Err(Illegal::MustDiscardFirst));
    act(&mut scripted, 0, joker).unwrap();
    assert_eq!(scripted.view().discard.unwrap().card, Some(Card::JOKER));
    assert_eq!(scripted.view().players[0].cards, 9);
    assert_eq!(scripted.table.awaiting(), Awaiting::Choices(Seats::first(6)));
    assert_eq!(act(&mut scripted, 0, joker), Err(Refused::Illegal(Illegal::WrongPhase)));
    // It is no longer in the hand.
    let mut arrangement = scripted.as_dealt(0);
    arrangement.top[0] = joker;
    assert_eq!(scripted.table.rules().admits_choice(seat(0), &arrangement), Err(Illegal::CardNotInHand(joker)));
}

#[test]
fn an_arrangement_is_exactly_the_nine_cards_of_the_hand() {
    let mut scripted = Scripted::deal(&setup(2), &[]);
    let good = scripted.choices_as_dealt();
    let refused = |scripted: &mut Scripted, arrangement: Arrangement, why| {
        let before = scripted.table.state_hash();
        let choices = [(seat(0), arrangement), good[1]];
        assert_eq!(scripted.choose(&choices), Err(Refused::IllegalChoice(seat(0), why)));
        assert_eq!(scripted.table.state_hash(), before);
        let mut rules = scripted.table.rules().clone();
        assert_eq!(rules.apply(scripted.table.open(), Input::Choices(&choices)), Err(why));
    };
    let mine = good[0].1;
    let theirs = scripted.slots(1)[0];
    refused(
        &mut scripted,
        Arrangement { top: [theirs, mine.top[1], mine.top[2]], ..mine },
        Illegal::CardNotInHand(theirs),
    );
    for nowhere in [Slot::new(1, 0), Slot::new(0, 54), Slot::new(0, 64), Slot::new(0, u16::MAX)] {
        refused(&mut scripted, Arrangement { bottom: [nowhere; 3], ..mine }, Illegal::CardNotInHand(nowhere));
    }
    let twice = mine.top[0];
    refused(
        &mut scripted,
        Arrangement { middle: [twice, mine.middle[1], mine.middle[2]], ..mine },
        Illegal::DuplicateCard(twice),
    );
    assert_eq!(scripted.choose(&good[..1]), Err(Refused::WrongChoosers(Seats::first(2))));
    let mut rules = scripted.table.rules().clone();
    assert_eq!(rules.apply(scripted.table.open(), Input::Choices(&good[..1])), Err(Illegal::NotYourTurn));
    scripted.choose(&good).unwrap();
    assert_eq!(scripted.table.rules().admits_choice(seat(0), &mine), Err(Illegal::WrongPhase));
}

#[test]
fn a_layer_needs_three_cards() {
    let slots: Vec<Slot> = (0..9).map(|index| Slot::new(0, index)).collect();
    let made = Arrangement::new(&slots[..3], &slots[3..6], &slots[6..]).unwrap();
    assert_eq!(made.layers().as_flattened(), slots);
    let short = Arrangement::new(&slots[..3], &slots[3..5], &slots[6..]);
    assert_eq!(short, Err(Illegal::LayersIncomplete { layer: "middle", cards: 2 }));
    assert!(serde_json::from_str::<Arrangement>(r#"{"top":["0:1"],"middle":[],"bottom":[]}"#).is_err());
    let text = serde_json::to_string(&made).unwrap();
    assert_eq!(serde_json::from_str::<Arrangement>(&text).unwrap(), made);
}

#[test]
fn nothing_is_seen_of_others_until_all_have_chosen() {
    let mut scripted = Scripted::deal(&setup(3), &["2C 5C KC 2D 6D KD 2H 7H KH"]);
    let view = scripted.view();
    assert_eq!((view.phase, view.choosing), ("arranging", Seats::first(3)));
    assert!(view.players.iter().all(|player| player.cards == 9 && player.layers.is_empty() && player.open.is_empty()));
    let own = scripted.own(0);
    let known = Known::with(scripted.table.open(), &own);
    assert_eq!(scripted.table.rules().view(known, Eye::Seat(seat(0))).hand[0].card.unwrap().to_string(), "2C");
    scripted.choose(&scripted.choices_as_dealt()).unwrap();
    // Everybody sees where closed cards lie; the owner also what they are.
    let public = scripted.view();
    assert_eq!((public.phase, public.pairs.len()), ("opening", 0));
    assert!(public.players.iter().all(|player| player.layers.len() == 3 && player.layers[0].rank.is_none()));
    let known = Known::with(scripted.table.open(), &own);
    let mine = scripted.table.rules().view(known, Eye::Seat(seat(0)));
    assert_eq!(mine.players[0].layers[0].name.as_deref(), Some("sum 7"));
    assert_eq!(mine.players[1].layers[0].name, None);
}

#[test]
fn the_summary_tells_layers_classes_and_every_pair() {
    let hands = ["2C 5C KC 2D 6D KD 2H 7H KH", "9C TC JC 2S 6C KS 3C 7C QC", "7D TD QD 9D TH JD 3D 3H 3S"];
    let mut scripted = Scripted::deal(&Setup { point_value: Chips(2), ..setup(3) }, &hands);
    scripted.choose(&scripted.choices_as_dealt()).unwrap();
    assert_eq!(scripted.table.awaiting(), Awaiting::Dealer);
    scripted.dealt();
    assert_eq!(scripted.table.outcome().unwrap().ending, "compared");
    let view = scripted.view();
    assert_eq!(view.phase, "over");
    let names = view.players[2].layers.iter().map(|layer| layer.name.clone().unwrap()).collect::<Vec<_>>();
    assert_eq!(names, ["sum 7", "sum 9", "three threes"]);
    let classes: Vec<Option<Class>> = view.players.iter().map(|player| player.class).collect();
    assert_eq!(classes, [Some(Class::Plain), Some(Class::Foul), Some(Class::Plain)]);
    let pairs: Vec<_> = view.pairs.iter().map(|p| (p.first.index(), p.second.index(), p.points, p.layers)).collect();
    assert_eq!(pairs, [(0, 1, 10, None), (0, 2, -2, Some([0, -1, -1])), (1, 2, -10, None)]);
    let points: Vec<Option<i64>> = view.players.iter().map(|player| player.points).collect();
    assert_eq!(points, [Some(8), Some(-20), Some(12)]);
    assert_eq!(scripted.results(), [16, -40, 24]);
    assert_eq!(view.players[2].cash, Some(Chips(24)));
}

#[test]
fn random_moves_are_mostly_valid_and_sometimes_foul_or_special() {
    let mut rng = ChaCha8Rng::from_seed([5; 32]);
    let mut classes = [0; 3];
    let mut discards = [0; 10];
    for round in 0..200u64 {
        let mut dealer = dealers::Local::new([u8::try_from(round).unwrap(); 32]);
        let mut table = Table::new(Deal::deal(&setup(6)).unwrap(), Height(0));
        let mut players = |table: &Table<Deal>, at, known: Known<'_>| {
            let picked = table.rules().moves(known, at).pick(&mut rng);
            if let Some(Move::Act(Action::Discard(slot))) = &picked {
                discards[usize::from(slot.index / 6)] += 1;
            }
            picked
        };
        dealers::play_deal(&mut table, &mut dealer, &mut players, &mut ()).unwrap();
        for player in table.rules().view(Known::public(table.open()), Eye::Public).players {
            match player.class.unwrap() {
                Class::Plain => classes[0] += 1,
                Class::Foul => classes[1] += 1,
                Class::Special(_) => classes[2] += 1,
            }
        }
    }
    assert!(classes[0] > 900 && classes[1] > 60 && classes[2] > 0, "{classes:?}");
    assert!(discards.iter().all(|times| *times > 5), "{discards:?}");
}

#[test]
fn moves_list_the_hand() {
    let scripted = Scripted::deal(&setup(6), &[]);
    let own = scripted.own(0);
    let known = Known::with(scripted.table.open(), &own);
    let Moves::Discard(hand) = scripted.table.rules().moves(known, seat(0)) else { panic!("seat 0 discards") };
    assert_eq!(hand.iter().count(), 10);
    assert_eq!(scripted.table.rules().moves(known, seat(1)), Moves::None);
    let scripted = Scripted::deal(&setup(2), &[]);
    let own = scripted.own(1);
    let moves = scripted.table.rules().moves(Known::with(scripted.table.open(), &own), seat(1));
    let text = serde_json::to_value(moves).unwrap();
    assert_eq!(text["arrange"]["hand"].as_array().unwrap().len(), 9);
    assert_eq!(text["arrange"]["hand"][0]["card"], own.iter().next().unwrap().1.to_string());
    // Without faces any order will do.
    let mut rng = ChaCha8Rng::from_seed([6; 32]);
    let blind = scripted.table.rules().moves(Known::public(scripted.table.open()), seat(1));
    let Some(Move::Choose(arrangement)) = blind.pick(&mut rng) else { panic!("seat 1 arranges") };
    assert_eq!(scripted.table.rules().admits_choice(seat(1), &arrangement), Ok(()));
    assert!(rng.below(10) < 10);
}

#[test]
fn setups_out_of_range_name_the_field() {
    let bad = |setup: Setup| Deal::deal(&setup).unwrap_err().to_string();
    assert_eq!(bad(setup(1)), "players must be from 2 to 6");
    assert_eq!(bad(Setup { players: 7, ..setup(2) }), "players must be from 2 to 6");
    assert_eq!(bad(Setup { starter: Some(seat(3)), ..setup(3) }), "starter must be a seat from 0 to 2");
    assert_eq!(bad(Setup { foul: 51, ..setup(3) }), "foul must be from 0 to 50");
    assert_eq!(bad(Setup { special: -1, ..setup(3) }), "special must be from 0 to 50");
    assert_eq!(bad(Setup { point_value: Chips(0), ..setup(3) }), "point_value must be from 1 to 1000");
    assert_eq!(
        bad(Setup { gone: Seats::one(seat(5)), ..setup(3) }),
        "gone must be seats from 0 to 2, at least two staying"
    );
    assert_eq!(bad(Setup { first_deck: u32::MAX, ..setup(3) }), "first_deck must be from 0 to 2147483647");
    let text = serde_json::to_string(&Setup { preset: Preset::Author, ..setup(3) }).unwrap();
    assert!(serde_json::from_str::<Setup>(&text).is_ok());
    assert!(serde_json::from_str::<Setup>(&text.replace("foul", "fool")).is_err());
}

#[test]
fn a_joker_in_hand_is_shown_as_one() {
    let scripted = Scripted::deal(&setup(2), &["JK AS 2C 3C 4C 5C 6C 7C 8C"]);
    let own = scripted.own(0);
    let view = scripted.table.rules().view(Known::with(scripted.table.open(), &own), Eye::Seat(seat(0)));
    let cards: Vec<Option<Card>> = view.hand.iter().take(2).map(|held| held.card).collect();
    assert_eq!(cards, [Some(Card::JOKER), Some(Card::new(Rank::Ace, Suit::Spades))]);
}

#[test]
fn only_a_card_that_can_be_laid_aside_is_shown() {
    let scripted = Scripted::deal(&setup(6), &[]);
    let shown = |of: u8, slot: Slot| scripted.table.rules().shows(seat(of), &Action::Discard(slot)).count();
    assert_eq!(shown(0, scripted.slots(0)[9]), 1);
    assert_eq!(shown(0, scripted.slots(1)[0]), 0);
    assert_eq!(shown(1, scripted.slots(1)[0]), 0);
    assert_eq!(shown(0, Slot::new(9, scripted.slots(0)[9].index)), 0);
    assert_eq!(shown(0, Slot::new(0, u16::MAX)), 0);
}
