use chain::staking::{Kind, Vote};
use consensus::App as _;
use tempfile::TempDir;

use super::*;
use crate::home::Home;
use crate::network::Plan;

/// The folders of a chain's validators, which nobody starts.
fn folders(validators: u8) -> (TempDir, Vec<Home>) {
    let folder = tempfile::tempdir().unwrap();
    let name = "test".to_owned();
    let plan = Plan { name, validators, port: 1, members: 4, epoch_blocks: 500, accounts: Vec::new() };
    let homes = plan.create(folder.path()).unwrap();
    (folder, homes)
}

fn open(home: &Home) -> Shared {
    let disk = Disk::open(&home.database()).unwrap();
    Shared::open(disk, &home.genesis().unwrap(), home.validator_key().unwrap()).unwrap()
}

/// What shows that a validator has signed two blocks.
fn evidence(home: &Home) -> Evidence {
    let (key, chain) = (home.validator_key().unwrap().unwrap(), home.genesis().unwrap().chain());
    let sign = |block: u8| {
        let vote = Vote { chain, height: 1, round: 0, kind: Kind::Precommit, block: Some([block; 32]) };
        (vote, vote.sign(&key))
    };
    Evidence { consensus: Address(key.verifying_key().to_bytes()), one: sign(1), other: sign(2) }
}

/// A block by this node, in its first turn.
fn proposed(shared: &mut Shared) -> Part {
    let turn = shared.next();
    let round = staking::round_of(&turn.validators, turn.height, &shared.me().unwrap()).unwrap();
    shared.propose(turn.height, round).unwrap()
}

fn reports(part: &Part) -> usize {
    let is_report = |signed: &&Signed| matches!(signed.tx.body, Body::Staking(staking::Tx::DoubleSign { .. }));
    part.block.transactions.iter().filter(is_report).count()
}

/// Decides a block as if everybody had signed it.
fn decide(shared: &mut Shared, part: &Part) {
    let (height, block) = (part.height, part.block.header.hash());
    shared.decided(Certificate { height, round: part.round, block, signatures: Vec::new() }).unwrap();
}

#[test]
fn evidence_survives_a_restart_until_it_is_in_a_block() {
    let (_folder, homes) = folders(2);
    let evidence = evidence(&homes[1]);
    {
        let mut shared = open(&homes[0]);
        shared.signed_twice(evidence.clone());
        // Twice is once, and what shows nothing is not kept.
        shared.signed_twice(evidence.clone());
        shared.signed_twice(Evidence { other: evidence.one, ..evidence.clone() });
        assert_eq!(shared.disk().evidence().unwrap(), std::slice::from_ref(&evidence));
    }
    let mut shared = open(&homes[0]);
    let part = proposed(&mut shared);
    assert_eq!(reports(&part), 1);
    decide(&mut shared, &part);
    assert!(shared.disk().evidence().unwrap().is_empty(), "it has counted");
    let removed = shared.look(|state| state.store().get(&staking::ValidatorOf(evidence.consensus)).cloned());
    assert_eq!(removed.unwrap().standing, staking::Standing::Removed);
    drop(shared);
    let mut shared = open(&homes[0]);
    assert_eq!(reports(&proposed(&mut shared)), 0);
}

#[test]
fn a_block_is_not_called_good_before_its_round_has_begun() {
    let (_folder, homes) = folders(1);
    let mut shared = open(&homes[0]);
    let key = homes[0].validator_key().unwrap().unwrap();
    // One validator has every turn, so it could claim any round.
    let early = shared.lock().build(&key, 3);
    assert_eq!(shared.offered(early.clone()), None);
    for round in 0..3 {
        assert!(shared.undecided(1, round).iter().all(|(part, _)| part.round != 3), "round {round}");
        assert_eq!(shared.offered(early.clone()), None);
    }
    assert_eq!(shared.undecided(1, 3), [(early.clone(), true)]);
    assert_eq!(shared.offered(early), Some(true));
}

#[test]
fn questions_do_not_wait_for_blocks() {
    let (_folder, homes) = folders(1);
    let shared = open(&homes[0]);
    let key = homes[0].validator_key().unwrap().unwrap();
    let wallet = chain::client::Wallet::new(&key.to_bytes());
    // Somebody works on a block all the time.
    let block = shared.lock();
    let asked = shared.clone();
    let answered = std::thread::spawn(move || {
        let state = asked.state();
        let pay = chain::bank::Tx::Transfer { to: wallet.address(), coins: chain::Coins(1) };
        let signed = wallet.pay(state.store(), state.tip().chain, Body::Bank(pay));
        asked.submit(signed).unwrap();
        (asked.waiting(), asked.moment().0.tip().height, asked.header(1).unwrap().is_none())
    });
    assert_eq!(answered.join().unwrap(), ((0, 1), 0, true));
    drop(block);
}

#[test]
fn whoever_looks_sees_one_block_and_not_half_of_the_next() {
    let (_folder, homes) = folders(1);
    let mut shared = open(&homes[0]);
    let before = shared.state();
    let (root, entries) = (before.store().root(), before.store().len());
    assert!(shared.state_before().is_none());
    let part = shared.propose(1, 0).unwrap();
    decide(&mut shared, &part);
    assert_eq!((before.store().root(), before.store().len(), before.tip().height), (root, entries, 0));
    assert_eq!(shared.look(|state| state.tip().height), 1);
    assert_eq!(shared.state_before().unwrap().store().root(), root, "which the header of the block names");
    assert_eq!(part.block.header.root, root);
}
