//! A player's program: it trusts nobody, reads its own cards and no others, and checks before it acts.
#![cfg(feature = "laws")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "what goes wrong here fails a test")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use std::sync::Arc;

use chain::Address;
use chain::client::{self, Hole, Unready};
use chain::dealer::DeckOf;
use chain::laws::{Setting, World};
use chain::params::ParamsKey;
use chain::store::{Key, Store};
use chain::tables::{self, HandOf, RingOf};
use common::step;
use dealing::{Scalar, Secret};

/// A chain where it is somebody's turn.
fn in_play(seed: u64) -> World {
    let mut world = World::new(Setting { players: 3, seed, ..Setting::default() });
    for _ in 0..200 {
        if tables::turn(world.state().store(), 1).is_some() {
            return world;
        }
        step(&mut world).unwrap();
    }
    panic!("no hand began: {:?}", world.tally());
}

/// Whose turn it is, and the key of their cards.
fn at_turn(world: &World) -> (Address, &Hole) {
    let turn = tables::turn(world.state().store(), 1).unwrap();
    let (wallet, hole) = world.people().find(|(wallet, _)| wallet.address() == turn.player).unwrap();
    (wallet.address(), hole)
}

#[test]
fn players_read_their_own_cards_and_nobody_elses() {
    let world = in_play(1);
    let store = world.state().store();
    let hand = store.get(&HandOf(1)).unwrap();
    let mut seen = Vec::new();
    for (wallet, hole) in world.people() {
        let own = hand.seat_of(&wallet.address()).unwrap();
        for seat in hand.seats().iter() {
            assert_eq!(hole.cards(store, seat).is_some(), seat == own);
        }
        seen.extend(hole.cards(store, own).unwrap());
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 6, "all cards are different");
}

#[test]
fn whoever_is_not_to_act_is_told_so() {
    let world = in_play(2);
    let (player, _) = at_turn(&world);
    for (wallet, hole) in world.people() {
        let told = client::turn(world.state().store(), 1, &wallet.address(), hole);
        if wallet.address() == player {
            assert_eq!(told.unwrap().0.player, player);
        } else {
            assert_eq!(told, Err(Unready::NotYourTurn));
        }
    }
}

#[test]
fn nobody_acts_on_cards_they_cannot_read() {
    let world = in_play(3);
    let (player, _) = at_turn(&world);
    let chain = world.state().tip().chain;
    let another = Hole::new(chain, 1, Secret::new(Scalar::from(7_u8)));
    assert_eq!(client::turn(world.state().store(), 1, &player, &another), Err(Unready::CardsUnreadable));
}

#[test]
fn a_few_proven_entries_from_anybody_are_enough_to_play() {
    let world = in_play(4);
    let store = world.state().store();
    let (player, hole) = at_turn(&world);
    let turn = tables::turn(store, 1).unwrap();
    let keys = [RingOf(1).bytes(), HandOf(1).bytes(), DeckOf(1, turn.hand).bytes(), ParamsKey().bytes()];
    let fetched = |key: &Vec<u8>| {
        let (value, proof) = store.prove(key).unwrap();
        proof.verify(&store.root(), key, value.as_deref()).unwrap();
        (key.clone(), value.unwrap())
    };
    let few = Store::load(keys.iter().map(fetched).collect::<Vec<(Vec<u8>, Arc<[u8]>)>>());
    assert_eq!(client::turn(&few, 1, &player, hole), client::turn(store, 1, &player, hole));
    assert!(client::turn(&few, 1, &player, hole).is_ok());
}

#[test]
fn a_table_that_shows_another_card_is_not_believed() {
    let mut world = in_play(5);
    // Play on until a board is open, and somebody is to act on it.
    let open = |world: &World| {
        let hand = world.state().store().get(&HandOf(1))?;
        (hand.table().rules().open_board().len >= 3 && hand.turn().is_some()).then_some(())
    };
    while open(&world).is_none() {
        step(&mut world).unwrap();
    }
    let store = world.state().store();
    let (player, hole) = at_turn(&world);
    assert!(client::turn(store, 1, &player, hole).is_ok());
    // A stranger hands out the deck as it was before its cards were opened.
    let turn = tables::turn(store, 1).unwrap();
    let deck = store.get(&DeckOf(1, turn.hand)).unwrap();
    let mut older = in_play(5);
    while older.state().store().get(&DeckOf(1, turn.hand)).is_none_or(|deck| !deck.in_hand) {
        step(&mut older).unwrap();
    }
    let before = older.state().store().get(&DeckOf(1, turn.hand)).unwrap();
    assert_ne!(before.log, deck.log);
    let mut lying = store.clone();
    lying.put(&DeckOf(1, turn.hand), before.clone());
    assert!(matches!(client::turn(&lying, 1, &player, hole), Err(Unready::BoardNotFinal | Unready::CardsUnreadable)));
}
