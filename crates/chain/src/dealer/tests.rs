use dealing::Deck as Cards;

use super::*;

#[test]
fn more_than_two_thirds_of_the_seats_open_a_card() {
    for (members, needed) in [(4, 3), (7, 5), (16, 11), (32, 22), (64, 43)] {
        assert_eq!(threshold(members), needed);
    }
}

#[test]
fn a_commitment_fixes_every_card_and_its_place() {
    let deck = Cards::fresh(b"cards", 52).unwrap();
    let root = commit(&deck).unwrap();
    assert_eq!(commit(&deck), Some(root));
    for (one, other) in [(0, 1), (0, 51), (25, 26)] {
        let mut cards: Vec<_> = deck.iter().copied().collect();
        cards.swap(one, other);
        assert_ne!(commit(&Cards::new(cards).unwrap()), Some(root));
    }
    assert_ne!(commit(&Cards::fresh(b"cards", 51).unwrap()), Some(root));
}

#[test]
fn the_keys_of_a_deck_depend_on_chain_epoch_table_and_block() {
    let base = salt(&[1; 32], 2, 3, 4, &[5; 32]);
    let others = [
        salt(&[0; 32], 2, 3, 4, &[5; 32]),
        salt(&[1; 32], 0, 3, 4, &[5; 32]),
        salt(&[1; 32], 2, 0, 4, &[5; 32]),
        salt(&[1; 32], 2, 3, 0, &[5; 32]),
        salt(&[1; 32], 2, 3, 4, &[0; 32]),
    ];
    assert!(others.iter().all(|other| *other != base));
}

#[test]
fn a_key_generation_is_named_by_everything_it_depends_on() {
    let base = session(&[1; 32], 2, 3, &[4; 32], &[5; 32]);
    let others = [
        session(&[0; 32], 2, 3, &[4; 32], &[5; 32]),
        session(&[1; 32], 0, 3, &[4; 32], &[5; 32]),
        session(&[1; 32], 2, 0, &[4; 32], &[5; 32]),
        session(&[1; 32], 2, 3, &[0; 32], &[5; 32]),
        session(&[1; 32], 2, 3, &[4; 32], &[0; 32]),
    ];
    assert!(others.iter().all(|other| *other != base));
}
