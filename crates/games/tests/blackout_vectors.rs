//! One-round playouts of Blackout made by others (OpenSpiel's Oh Hell, and an independent script for two
//! players): the legal cards at every step, the winner of every trick, and the scores.

#![expect(clippy::indexing_slicing, reason = "the file is known")]

use std::collections::BTreeSet;

use cards::Card;
use games::Held;
use games::blackout::{Action, Deal, Moves, Setup};
use serde::Deserialize;
use table::{Awaiting, Faces, Height, Known, Order, Rules, Seat, Seats, Slot, Table};

#[derive(Deserialize)]
struct Playout {
    id: u32,
    players: u8,
    tricks: u8,
    dealer: u8,
    trump_card: Option<String>,
    hands: Vec<Vec<String>>,
    bids: Vec<u8>,
    bid_order: Vec<u8>,
    plays: Vec<Vec<Play>>,
    trick_winners: Vec<u8>,
    tricks_won: Vec<u8>,
    project_scores: Vec<i64>,
}

#[derive(Deserialize)]
struct Play {
    seat: u8,
    card: String,
    legal: Vec<String>,
}

fn seat(index: u8) -> Seat {
    Seat::new(index).expect("a seat of the file")
}

fn card(text: &str) -> Card {
    text.parse().expect("a card of the file")
}

/// A dealer who lays the cards as the file says: the order to deal tells which slots a seat gets.
fn stacked(deal: &Deal, playout: &Playout) -> Faces {
    let mut faces = Faces::new();
    for order in (0..).map_while(|i| deal.order(i)) {
        match order {
            Order::Deal { to, slots } => {
                let hand = &playout.hands[usize::from(to.index())];
                slots.slots().zip(hand).for_each(|(slot, text)| faces.insert(slot, card(text)));
            }
            Order::Open { slots } => {
                slots.slots().zip(&playout.trump_card).for_each(|(slot, text)| faces.insert(slot, card(text)));
            }
            Order::Shuffle { .. } => {}
        }
    }
    faces
}

#[test]
fn every_playout_agrees_in_legal_cards_winners_and_scores() {
    let mut playouts = 0;
    for line in include_str!("data/blackout.jsonl").lines() {
        let playout: Playout = serde_json::from_str(line).expect("a playout a line");
        let id = playout.id;
        let setup = Setup {
            players: playout.players,
            dealer: Some(seat(playout.dealer)),
            cards: playout.tricks,
            trump: playout.trump_card.is_some(),
            hook: false,
            points_for_correct_bet: 10,
            gone: Seats::NONE,
            first_deck: 0,
        };
        let deal = Deal::deal(&setup).expect("a round of the file");
        let faces = stacked(&deal, &playout);
        let mut table = Table::new(deal, Height(0));
        table.dealt(table.height(), &faces).expect("dealt");
        for bidder in playout.bid_order.iter().copied() {
            assert_eq!(table.awaiting(), Awaiting::Turn(seat(bidder)), "playout {id}");
            let bid = Action::Bid(playout.bids[usize::from(bidder)]);
            table.act(table.height(), seat(bidder), &bid, &faces).expect("a bid");
        }
        for (trick, winner) in playout.plays.iter().zip(&playout.trick_winners) {
            let before = won(&table);
            for play in trick {
                let known = Known::with(&faces, &faces);
                let Moves::Play(playable) = table.rules().moves(known, seat(play.seat)) else {
                    panic!("playout {id}: seat {} is to play", play.seat);
                };
                let legal: BTreeSet<Card> = playable.iter().filter_map(|held: Held| held.card).collect();
                assert_eq!(legal, play.legal.iter().map(|text| card(text)).collect(), "playout {id}");
                let slot: Slot = playable.iter().find(|h| h.card == Some(card(&play.card))).expect("held").slot;
                table.act(table.height(), seat(play.seat), &Action::Play(slot), &faces).expect("a card");
            }
            let after = won(&table);
            let took = (0..playout.players).find(|s| after[usize::from(*s)] > before[usize::from(*s)]);
            assert_eq!(took, Some(*winner), "playout {id}");
        }
        assert_eq!(won(&table), playout.tricks_won, "playout {id}");
        let outcome = table.outcome().expect("over");
        let scores: Vec<i64> = outcome.result.iter().map(|points| points.0).collect();
        assert_eq!(scores, playout.project_scores, "playout {id}");
        playouts += 1;
    }
    assert_eq!(playouts, 62);
}

fn won(table: &Table<Deal>) -> Vec<u8> {
    let view = table.rules().view(Known::public(table.open()), table::Eye::Public);
    view.players.iter().map(|player| player.won).collect()
}
