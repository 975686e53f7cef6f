//! A thousand hands of seven cards, ranked by another program (phevaluator 0.6.0).

use cards::{parse_cards, rank_cards};

#[test]
fn seven_cards_rank_as_another_program_says() {
    let hands = include_str!("data/ranks7.jsonl").lines();
    let mut seen = 0;
    for line in hands {
        let hand: serde_json::Value = serde_json::from_str(line).unwrap();
        let rank = rank_cards(&parse_cards(hand["cards"].as_str().unwrap()).unwrap()).unwrap();
        assert_eq!(u64::from(rank.position()), hand["rank"], "{line}");
        assert_eq!(rank.category().key(), hand["cat"], "{line}");
        seen += 1;
    }
    assert_eq!(seen, 1000);
}
