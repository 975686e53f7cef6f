//! Computers that play Ongdu.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use bots::ongdu::Why;
use bots::{Computer, Course, Kind, Sight};
use cards::{Pack, parse_cards};
use games::ongdu::{Arrangement, Class, Deal, HandRank, Ongdu, Preset, Settings, Setup, best_arrangement, rank_hand};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use table::{Awaiting, Chips, Eye, Faces, Input, Known, Move, Rules as _, Seat, Seats, Slot};

const KINDS: [Kind; 4] = [Kind::Hard, Kind::Random, Kind::Normal, Kind::Easy];

/// A deal of two in which all must arrange; seat 0 holds these cards, or random ones.
fn dealt(preset: Preset, special: i64, cards: Option<&str>, seed: u64) -> (Deal, Faces) {
    let setup = Setup {
        players: 2,
        starter: Seat::new(0),
        preset,
        foul: 10,
        special,
        point_value: Chips(1),
        gone: Seats::NONE,
        first_deck: 0,
    };
    let mut deal = Deal::deal(&setup).unwrap();
    let mut faces = Faces::new();
    let mut draw = ChaCha8Rng::seed_from_u64(seed);
    while deal.awaiting() == Awaiting::Dealer {
        faces = common::shuffled(deal.decks().end - 1, Pack::ONGDU, &mut draw);
        deal.apply(&faces, Input::Dealt).unwrap();
    }
    if let Some(cards) = cards {
        let slots: Vec<Slot> = own_slots(&deal, &faces);
        slots.into_iter().zip(parse_cards(cards).unwrap()).for_each(|(slot, card)| faces.insert(slot, card));
    }
    (deal, faces)
}

fn own_slots(deal: &Deal, faces: &Faces) -> Vec<Slot> {
    let view = deal.view(Known::with(&Faces::new(), faces), Eye::Seat(Seat::new(0).unwrap()));
    view.hand.iter().map(|held| held.slot).collect()
}

/// What hard arranges for seat 0, ranked, and why.
fn advised(deal: &Deal, faces: &Faces) -> (HandRank, Vec<Why>) {
    let (seat, settings, open) = (Seat::new(0).unwrap(), Settings::default(), Faces::new());
    let known = Known::with(&open, faces);
    let (view, moves) = (deal.view(known, Eye::Seat(seat)), deal.moves(known, seat));
    let course = Course { settings: &settings, deal: 1, past: &[] };
    let sight = Sight { seat, view: &view, moves: &moves, known, rules: deal, course };
    let mut draw = ChaCha8Rng::seed_from_u64(1);
    let advice = Ongdu::advice(&sight, &mut draw).unwrap();
    assert_eq!(Ongdu::hard(&sight, &mut draw), Some(advice.best.clone()), "advice is what hard does");
    let Move::Choose(arrangement) = advice.best else { panic!("it arranges") };
    (ranked(arrangement, faces, view.preset), advice.why)
}

fn ranked(arrangement: Arrangement, faces: &Faces, preset: Preset) -> HandRank {
    let cards = arrangement.layers().map(|layer| layer.map(|slot| faces.get(slot).unwrap()));
    rank_hand(cards, preset).unwrap()
}

#[test]
fn every_kind_plays_legally_at_every_table() {
    let mut draw = ChaCha8Rng::seed_from_u64(11);
    for preset in [Preset::Seed, Preset::Author] {
        for players in 2..=6 {
            for first in 0..4u8 {
                let settings = Settings { preset, special: 3 * i64::from(first), foul: 0, ..Settings::default() };
                let kinds: Vec<Kind> = (0..players).map(|seat| KINDS[(seat + usize::from(first)) % 4]).collect();
                common::play_match::<Ongdu>(&settings, &kinds, 12, &mut draw);
            }
        }
    }
}

#[test]
fn hard_arranges_like_the_game_itself_with_default_settings() {
    let mut others = Vec::new();
    for seed in 0..200 {
        let (deal, faces) = dealt(Preset::Seed, 10, None, seed);
        let cards: Vec<_> = own_slots(&deal, &faces).into_iter().map(|slot| faces.get(slot).unwrap()).collect();
        let game = best_arrangement(&cards, Preset::Seed).unwrap().rank;
        let (hard, _) = advised(&deal, &faces);
        let special = |rank: HandRank| matches!(rank.class, Class::Special(_));
        if hard.layers != game.layers && !(special(hard) && special(game)) {
            others.push((seed, hard, game));
        }
    }
    // Both have learnt from playing, and hardly differ when two ways have about the same value.
    assert!(others.len() <= 4, "{others:#?}");
}

#[test]
fn a_special_hand_is_made_if_it_pays_off() {
    // Three sums of nine, which the best bottom would break up.
    let cards = "9C TC KD 4D 5S JD 2H 7C QS";
    let (deal, faces) = dealt(Preset::Seed, 10, Some(cards), 1);
    let (hand, why) = advised(&deal, &faces);
    assert!(matches!(hand.class, Class::Special(_)));
    assert!(matches!(why[..], [Why::Special { points: 10, .. }]), "{why:?}");
}

#[test]
fn a_special_hand_is_avoided_if_nobody_pays_for_it() {
    // Three nines or better as well, but strong layers: with no points for it, each layer wins more.
    let cards = "KC KD KS QC QD QS 9H TC TD";
    let (deal, faces) = dealt(Preset::Seed, 0, Some(cards), 1);
    let (hand, _) = advised(&deal, &faces);
    assert_eq!(hand.class, Class::Plain);
    let (deal, faces) = dealt(Preset::Seed, 10, Some(cards), 1);
    assert!(matches!(advised(&deal, &faces).0.class, Class::Special(_)));
}

#[test]
fn reasons_are_sentences_about_this_hand() {
    let (deal, faces) = dealt(Preset::Seed, 10, Some("KC KD KS 4C 5D JC 2S 3H 8D"), 1);
    let (_, why) = advised(&deal, &faces);
    let said: Vec<String> = why.iter().map(ToString::to_string).collect();
    assert!((1..=3).contains(&said.len()), "{said:?}");
    assert!(said[0].starts_with("it wins") || said[0].starts_with("it loses"), "{said:?}");
    assert!(said.iter().any(|sentence| sentence.contains("% of the time")), "{said:?}");
}
