use chain::Block;
use chain::testing::{Kit, key};
use tempfile::TempDir;

use super::*;

fn disk() -> (TempDir, Disk) {
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::open(&folder.path().join("chain.redb")).unwrap();
    (folder, disk)
}

/// A block for this height and round by the validator with this number; `salt` tells several of them apart.
fn part(height: u64, round: u32, by: u16, salt: u64) -> Part {
    let kit = Kit::new(1, 0);
    let mut block = kit.block_by(kit.consensus(by), Vec::new());
    (block.header.height, block.header.time) = (height, salt);
    Part::new(round, block, &key(by))
}

#[test]
fn what_is_held_is_there_after_a_restart_and_gone_after_a_decision() {
    let (_folder, disk) = disk();
    let mut proposals = Proposals::default();
    let (one, synced) = (part(1, 0, 0, 1), part(1, 0, 0, 2).block);
    assert!(proposals.hold(&disk, &one).unwrap());
    proposals.hold_synced(&disk, synced.clone()).unwrap();
    let again = Proposals::load(&disk).unwrap();
    let (hash, other) = (one.block.header.hash(), synced.header.hash());
    assert_eq!(again.get(1, &hash), Some(&one));
    assert_eq!(again.get(1, &other).map(|part| &part.block), Some(&synced));
    assert_eq!(again.signed(1, &other), None, "nobody signed it, so it cannot be proposed again");
    proposals.decided(1);
    assert_eq!(proposals.get(1, &hash), None);
}

#[test]
fn a_proposer_can_make_a_node_hold_only_a_few() {
    let (_folder, disk) = disk();
    let mut proposals = Proposals::default();
    proposals.began(1, 3);
    for salt in 0..2 {
        assert!(proposals.hold(&disk, &part(1, 3, 0, salt)).unwrap());
    }
    assert!(!proposals.hold(&disk, &part(1, 3, 0, 2)).unwrap(), "a third one in one round");
    assert!(proposals.hold(&disk, &part(1, 3, 0, 1)).unwrap(), "the same again is held already");
    assert!(proposals.hold(&disk, &part(1, 19, 0, 1)).unwrap());
    assert!(!proposals.hold(&disk, &part(1, 20, 0, 1)).unwrap(), "a round that is far away");
    let held: usize = (0..20).map(|round| proposals.of_round(1, round).count()).sum();
    assert_eq!(held, 3);
}

#[test]
fn blocks_for_later_wait_in_memory_and_never_crowd_out_others() {
    let mut proposals = Proposals::default();
    for salt in 0..5 {
        proposals.keep(1, part(2, u32::try_from(salt).unwrap(), 0, salt));
    }
    proposals.keep(1, part(2, 0, 1, 0));
    proposals.keep(1, part(6, 0, 1, 0));
    proposals.keep(1, part(2, 17, 2, 0));
    assert_eq!(proposals.kept(1, 0), []);
    let by: Vec<Address> = proposals.kept(2, 5).into_iter().map(|part| part.by).collect();
    assert_eq!(by.len(), 3, "two of one proposer, one of another, none of a far round");
    assert_eq!(proposals.kept(2, 5), [], "once");
    proposals.keep(1, part(2, 3, 0, 0));
    assert_eq!(proposals.kept(2, 2), [], "its round has not begun");
    assert_eq!(proposals.kept(2, 3).len(), 1);
    assert_eq!(proposals.kept(6, 0), [], "that was too far away");
}

#[test]
fn only_a_whole_block_of_its_proposer_is_authentic() {
    let kit = Kit::new(1, 1);
    let transfer =
        kit.tx(&kit.player(0), chain::bank::Tx::Transfer { to: kit.player_address(0), coins: chain::Coins(1) });
    let good = Part::new(2, kit.block_by(kit.consensus(0), vec![transfer]), &key(0));
    assert!(good.is_authentic());
    let without = Block { transactions: Vec::new(), ..good.block.clone() };
    assert!(!Part { block: without, ..good.clone() }.is_authentic(), "somebody took a transaction out");
    assert!(!Part { round: 3, ..good.clone() }.is_authentic());
    assert!(!Part { height: 2, ..good.clone() }.is_authentic());
    assert!(!Part { by: kit.player_address(0), ..good }.is_authentic());
}
