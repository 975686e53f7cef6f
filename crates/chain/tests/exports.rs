//! Hands taken from the chain, with everything that proves them.
#![cfg(feature = "laws")]
#![expect(clippy::unwrap_used, reason = "what goes wrong here fails a test")]

use chain::export::{BadExport, Collector, Export, KeysEntry};
use chain::laws::{Lie, Setting, World};
use chain::{Coins, State};

/// Hands from a world, in the order in which they ended.
fn hands(setting: Setting, count: usize) -> Vec<Export> {
    let mut world = World::new(setting);
    world.collect();
    let mut hands = Vec::new();
    while hands.len() < count {
        world.play(1).unwrap();
        hands.extend_from_slice(world.exports());
    }
    hands
}

#[test]
fn a_hand_from_the_chain_proves_itself() {
    let hands = hands(Setting { players: 4, seed: 100, ..Setting::default() }, 4);
    for hand in &hands {
        let checked = hand.check().unwrap();
        assert_eq!((checked.epoch, checked.members.len(), checked.threshold), (1, 4, 3));
        assert_eq!(checked.shuffled.len(), 4);
        assert!(checked.shares[0] >= 3 && !checked.aborted);
        assert_eq!(checked.stacks, hand.stacks);
        let again: Export = borsh::from_slice(&borsh::to_vec(hand).unwrap()).unwrap();
        assert_eq!(again, *hand);
    }
}

#[test]
fn a_hand_of_a_later_epoch_proves_how_its_committee_was_drawn() {
    let setting = Setting { players: 3, epoch_blocks: 30, validators: 6, seed: 101, ..Setting::default() };
    let hands = hands(setting, 9);
    let last = hands.last().unwrap();
    assert!(last.check().unwrap().epoch > 1);
}

#[test]
fn a_hand_with_liars_names_them() {
    let liars = vec![(1, Lie::WrongProof), (2, Lie::BadDkg)];
    let setting = Setting { players: 3, validators: 6, members: 7, liars, seed: 102, ..Setting::default() };
    for hand in hands(setting, 4) {
        let checked = hand.check().unwrap();
        assert!(checked.shuffled.len() >= usize::from(checked.threshold));
    }
}

#[test]
fn an_aborted_hand_proves_that_it_was_refunded() {
    let liars = vec![(0, Lie::Withhold), (1, Lie::Withhold)];
    let hands = hands(Setting { players: 3, liars, seed: 103, ..Setting::default() }, 1);
    let checked = hands[0].check().unwrap();
    assert!(checked.aborted && checked.stacks.iter().all(|(_, stack)| *stack == Coins(2_000)));
}

#[test]
fn whatever_is_changed_is_noticed() {
    let hands = hands(Setting { players: 3, seed: 104, ..Setting::default() }, 2);
    let (hand, other) = (&hands[0], &hands[1]);
    let wrong = |change: &dyn Fn(&mut Export)| {
        let mut changed = hand.clone();
        change(&mut changed);
        changed.check().unwrap_err()
    };
    assert_eq!(wrong(&|hand| hand.root[0] ^= 1), BadExport::Record);
    assert_eq!(wrong(&|hand| hand.table += 1), BadExport::Record);
    assert_eq!(wrong(&|hand| hand.record = other.record.clone()), BadExport::Record);
    assert_eq!(wrong(&|hand| hand.epoch.value[0] ^= 1), BadExport::Epoch);
    assert_eq!(wrong(&|hand| hand.chain[0] ^= 1), BadExport::Random);
    assert_eq!(wrong(&|hand| hand.attempt += 1), BadExport::Keys);
    assert_eq!(wrong(&|hand| drop(hand.keys.pop())), BadExport::Keys);
    assert_eq!(wrong(&|hand| hand.keys[5] = KeysEntry::TimeUp), BadExport::Keys);
    assert_eq!(wrong(&|hand| hand.stacks[0].1 = Coins(1)), BadExport::Settlement);
    assert_eq!(wrong(&|hand| hand.played.clone_from(&other.played)), BadExport::Settlement);
    assert_eq!(wrong(&|hand| hand.played.truncate(9)), BadExport::Played);
    assert!(matches!(wrong(&|hand| hand.deck.swap(0, 1)), BadExport::Message { .. } | BadExport::Deck));
    assert!(matches!(wrong(&|hand| drop(hand.deck.remove(0))), BadExport::Message { .. } | BadExport::Deck));
    assert_eq!(wrong(&|hand| drop(hand.deck.pop())), BadExport::Messages);
    let last = hand.deck[0].1.len() - 1;
    assert!(matches!(wrong(&|hand| hand.deck[0].1[last] ^= 1), BadExport::Message { .. } | BadExport::Deck));
}

#[test]
fn a_collector_needs_only_the_blocks_since_it_says() {
    let setting = Setting { players: 3, epoch_blocks: 30, validators: 6, seed: 105, ..Setting::default() };
    let mut world = World::new(setting);
    world.keep_blocks();
    world.play(12).unwrap();
    let (mut state, mut all) = (State::new(world.genesis()), Collector::default());
    let (mut past, mut later, mut proven) = (Vec::new(), Collector::default(), 0);
    for block in world.blocks() {
        let executed = state.execute(block).unwrap();
        all.observe(block, &executed, &state);
        // One that comes later proves nothing about hands that it has not seen from the beginning, and all others.
        if block.header.height > 20 {
            for hand in later.observe(block, &executed, &state) {
                hand.check().unwrap();
                proven += 1;
            }
        }
        past.push((block, executed));
        if block.header.height % 7 == 0 {
            let (mut again, since) = (Collector::default(), all.since().unwrap());
            for (block, executed) in past.iter().filter(|(block, _)| block.header.height >= since) {
                again.learn(block, &executed.receipts, &executed.events.list);
            }
            assert_eq!(again, all, "at height {} since {since}", block.header.height);
        }
    }
    assert!(proven > 0, "{} blocks", past.len());
}
