use cards::Card;
use games::bigc::{Action, BigC, Choice, Deal, Few, OrderBy, Preset, Settings, Setup, place};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use table::{Awaiting, Draw as _, Height, Move, Rules as _, Seat, Seats, Slot, Table};

use super::Why;
use super::bag::{Bag, hand_of};
use super::memory::Memory;
use super::plan::Plan;
use super::scale::Scale;
use crate::Kind;
use crate::trial::Trial;

const CLEVER: [Kind; 2] = [Kind::Normal, Kind::Hard];

fn seat(n: u8) -> Seat {
    Seat::new(n).unwrap()
}

/// A deal with these hands, dealt but not begun.
fn dealt(hands: &[&str]) -> (Trial<BigC>, Table<Deal>) {
    let hands: Vec<Vec<Card>> = hands.iter().map(|text| cards::parse_cards(text).unwrap()).collect();
    let setup = Setup {
        players: u8::try_from(hands.len()).unwrap(),
        decks: 2,
        hand_size: u8::try_from(hands[0].len()).unwrap(),
        order: OrderBy::Minigame,
        pass_draws: 0,
        last_chance: false,
        two_joker_triple_low: false,
        gone: Seats::NONE,
        first_deck: 0,
    };
    let mut trial = Trial::new(Settings::default(), 5);
    for (i, hand) in hands.iter().enumerate() {
        for (j, card) in hand.iter().enumerate() {
            trial.faces.insert(Slot::new(0, u16::try_from(j * hands.len() + i).unwrap()), *card);
        }
    }
    let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
    trial.fill(&mut table);
    (trial, table)
}

/// The same, begun by the player with the lowest card.
fn begun(hands: &[&str]) -> (Trial<BigC>, Table<Deal>) {
    let (mut trial, mut table) = dealt(hands);
    while !matches!(table.awaiting(), Awaiting::Turn(_)) {
        trial.play(&mut table, &[Kind::Easy], 1);
    }
    (trial, table)
}

/// The player whose turn it is plays these; an empty text is a pass.
fn plays(trial: &mut Trial<BigC>, table: &mut Table<Deal>, text: &str) {
    let Awaiting::Turn(seat) = table.awaiting() else { panic!("it is nobody's turn to play {text}") };
    if text == "pass" {
        return trial.act(table, seat, &Action::Pass);
    }
    let mut own: Vec<Slot> = trial.look(table, seat, |sight, _| sight.view.hand.iter().map(|held| held.slot).collect());
    let mut slots = Vec::new();
    for card in cards::parse_cards(text).unwrap() {
        let at = own.iter().position(|slot| trial.faces.get(*slot) == Some(card)).expect("it is held");
        slots.push(own.swap_remove(at));
    }
    trial.act(table, seat, &Action::Play(Few::new(&slots).unwrap()));
}

/// What the player whose turn it is would play; an empty text is a pass.
fn choice(trial: &mut Trial<BigC>, table: &Table<Deal>, kind: Kind) -> Vec<String> {
    let Awaiting::Turn(seat) = table.awaiting() else { panic!("it is nobody's turn to play") };
    match trial.decide(table, seat, kind) {
        Some(Move::Act(Action::Play(cards))) => {
            let mut cards: Vec<Card> = cards.iter().map(|slot| trial.faces.get(slot).unwrap()).collect();
            cards.sort_by_key(|card| place(*card));
            cards.iter().map(ToString::to_string).collect()
        }
        Some(Move::Act(Action::Pass)) => Vec::new(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn computers_of_all_kinds_finish_matches_of_every_size() {
    let kinds = [Kind::Hard, Kind::Random, Kind::Normal, Kind::Easy, Kind::Random, Kind::Normal, Kind::Easy];
    for players in 2..=12 {
        for preset in [Preset::Seed, Preset::Author] {
            let settings = preset.settings();
            let inputs = Trial::<BigC>::new(settings, u64::from(players)).play_match(players, &kinds);
            assert!(inputs < 10_000, "{players} players took {inputs} inputs");
        }
    }
}

#[test]
fn computers_play_with_unusual_settings() {
    let usual = Settings::default();
    for (seed, players, settings) in [
        (1, 2, Settings { hand_size: 20, decks: 6, ..usual.clone() }),
        (2, 3, Settings { hand_size: 5, pass_draws: 2, last_chance: true, ..usual.clone() }),
        (3, 4, Settings { hand_size: 20, two_joker_triple_low: true, order: OrderBy::Random, ..usual.clone() }),
        (4, 5, Settings { hand_size: 16, last_chance: true, ..usual.clone() }),
        (5, 12, Settings { hand_size: 20, decks: 6, ..usual.clone() }),
        (6, 2, Settings { hand_size: 5, deals: 3, ..usual }),
    ] {
        let inputs = Trial::<BigC>::new(settings, seed).play_match(players, &CLEVER);
        assert!(inputs < 10_000, "{players} players took {inputs} inputs");
    }
}

#[test]
fn computers_continue_after_a_player_has_left() {
    for inputs in 1..25 {
        let (mut trial, mut table) = dealt(&["3D 4C 5H 9S TD", "3C 7D 7C QD JK", "6D 6C 8S KH 2D", "4D 9C TC AH AS"]);
        trial.play(&mut table, &CLEVER, inputs);
        if table.awaiting() != Awaiting::Over {
            table.gone(table.height(), seat(1)).unwrap();
        }
        trial.play(&mut table, &CLEVER, 5_000);
        assert_eq!(table.awaiting(), Awaiting::Over, "a player left after {inputs} inputs");
    }
}

#[test]
fn every_card_is_planned_once_and_every_planned_hand_is_legal() {
    for seed in 0..200 {
        let mut draw = ChaCha8Rng::seed_from_u64(seed);
        let n = 1 + draw.below(20);
        let bag: Bag = (0..n).map(|_| u8::try_from(draw.below(53)).unwrap()).collect();
        let plan = Plan::new(&bag, &Scale::new(3), 3);
        let mut rest = bag;
        for group in &plan.groups {
            assert!(hand_of(group.places()).is_some(), "seed {seed}: {:?}", group.places());
            assert!(group.places().iter().all(|place| rest.take(*place)), "seed {seed}: a card appears twice");
        }
        assert_eq!(rest.iter().filter(|place| *place > 0).count(), 0, "seed {seed}: a card is missing");
        assert_eq!(rest.jokers(), plan.jokers, "seed {seed}");
    }
}

#[test]
fn a_plan_finds_five_card_hands() {
    let bag = |text: &str| cards::parse_cards(text).unwrap().into_iter().map(place).collect::<Bag>();
    let hands = |text: &str| Plan::new(&bag(text), &Scale::new(1), 3).groups.len();
    assert_eq!(hands("3D 4C 5H 6S 7D 9C 9S"), 2, "a straight and a pair");
    assert_eq!(hands("3D 5D 9D JD KD 4S 4C 4H 8S 8C"), 2, "a flush and a full house");
    assert_eq!(hands("3D 3C 3H 3S 5D"), 1, "four of a kind");
    assert_eq!(hands("3D JK"), 1, "a joker makes a pair");
}

#[test]
fn cards_already_seen_are_not_guessed_again() {
    let (mut trial, mut table) = begun(&["3D 4C 5H 9S TD", "3C 7D 7C QD JK", "6D 6C 8S KH 2D"]);
    plays(&mut trial, &mut table, "4C");
    plays(&mut trial, &mut table, "QD");
    trial.look(&table, seat(2), |sight, draw| {
        let mut memory = Memory::new(sight).unwrap();
        // Two packs, minus this seat's five, the two played, and the two that others have shown and still hold.
        assert_eq!(memory.out.len(), 108 - 5 - 2 - 2);
        for _ in 0..20 {
            let world = memory.imagine(None, draw);
            for (i, player) in world.players.iter().enumerate().filter(|(i, _)| *i != memory.me) {
                let planned: usize = player.plan.groups.iter().map(|group| group.places().len()).sum();
                assert_eq!(planned + usize::from(player.plan.jokers), usize::from(memory.players[i].0));
            }
            assert_eq!(world.stock.len(), memory.out.len() - 3 - 3);
        }
    });
}

#[test]
fn last_cards_are_played_as_one_hand() {
    let (mut trial, table) = begun(&["3D 4C 5H 6S 7D", "3C 7D 7C QD JK"]);
    for kind in CLEVER {
        assert_eq!(choice(&mut trial, &table, kind).len(), 5, "{kind:?}");
    }
    assert_eq!(trial.advice(&table, seat(0)).unwrap().why, [Why::GoesOut { cards: 5 }]);
}

#[test]
fn a_footstool_is_made_when_it_costs_nothing() {
    let (mut trial, mut table) = begun(&["3D 9D KC KS AD AC", "3C 9D JD JC TS 7H"]);
    plays(&mut trial, &mut table, "9D");
    for kind in CLEVER {
        assert_eq!(choice(&mut trial, &table, kind), ["9D"], "{kind:?}");
    }
    assert_eq!(trial.advice(&table, seat(1)).unwrap().why.first(), Some(&Why::Footstool { draws: 2 }));
}

#[test]
fn an_unbeatable_hand_is_led_before_a_beatable_one() {
    let (mut trial, mut table) = begun(&["3D QD QC QH 5D 6C 7H 8S 9D KS", "9C 4D 5D 5C 6D 6C JD JC JH 2S"]);
    for hand in ["3D", "9C", "pass", "4D 5D 5C 6D 6C", "pass", "JD JC JH", "QD QC QH", "pass"] {
        plays(&mut trial, &mut table, hand);
    }
    for kind in CLEVER {
        assert_eq!(choice(&mut trial, &table, kind), ["5D", "6C", "7H", "8S", "9D"], "{kind:?}");
    }
    assert_eq!(trial.advice(&table, seat(0)).unwrap().why.first(), Some(&Why::Unanswerable { cards: 5 }));
}

#[test]
fn the_lowest_card_is_shown_for_the_order() {
    let (mut trial, table) = dealt(&["9S JK 4D TD 5H", "3C 7D 7C QD JK"]);
    for kind in CLEVER {
        let shown = trial.decide(&table, seat(0), kind);
        let Some(Move::Choose(Choice::Show(slot))) = shown else { panic!("{shown:?}") };
        assert_eq!(trial.faces.get(slot), Some("4D".parse().unwrap()), "{kind:?}");
    }
    assert_eq!(trial.advice(&table, seat(0)).unwrap().why, [Why::First]);
}

#[test]
fn a_player_who_can_play_nothing_is_told_so() {
    let (mut trial, mut table) = begun(&["3D 4C 5H 9S 2S", "3C 7D 7C QD JK"]);
    plays(&mut trial, &mut table, "2S");
    let advice = trial.advice(&table, seat(1)).unwrap();
    assert_eq!((advice.best, advice.why), (Move::Act(Action::Pass), vec![Why::Nothing]));
}
