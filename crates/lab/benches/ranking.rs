//! Ranking poker hands: `cargo bench --bench ranking`.

use cards::{Card, PokerHand, describe, parse_cards, rank_cards};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

fn seven() -> Vec<Card> {
    parse_cards("7s Kc Kd Ks 4s 9c 3c").expect("seven cards")
}

#[divan::bench(args = [5, 6, 7])]
fn rank(bencher: Bencher, cards: usize) {
    let hand = seven();
    let hand = hand.get(..cards).expect("so many cards");
    bencher.bench(|| rank_cards(black_box(hand)));
}

/// The board is put together once, two cards are added.
#[divan::bench]
fn rank_on_a_board(bencher: Bencher) {
    let cards = seven();
    let (own, board) = cards.split_at(2);
    let board = PokerHand::of(board).expect("different cards");
    bencher.bench(|| black_box(board).with_all(black_box(own)).and_then(PokerHand::rank));
}

#[divan::bench]
fn position(bencher: Bencher) {
    let rank = rank_cards(&seven()).expect("seven cards");
    bencher.bench(|| black_box(rank).position());
}

#[divan::bench]
fn in_words(bencher: Bencher) {
    let hand = seven();
    bencher.bench(|| describe(black_box(&hand)));
}
